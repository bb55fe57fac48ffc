package cuda

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"unsafe"
)

// library is C that makes and uses the structures of dlpack.h, and takes a handle of 64 bytes by value.
const library = `
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct { void *data; struct { int32_t type, id; } device; int32_t ndim;
	struct { uint8_t code, bits; uint16_t lanes; } dtype; int64_t *shape, *strides; uint64_t byte_offset; } DLTensor;
typedef struct Plain { DLTensor t; void *ctx; void (*deleter)(struct Plain *); } Plain;
typedef struct Versioned { struct { uint32_t major, minor; } version; void *ctx;
	void (*deleter)(struct Versioned *); uint64_t flags; DLTensor t; } Versioned;

static int64_t deleted;
int64_t count(void) { return deleted; }

static void fill(DLTensor *t) {
	t->data = (void *)0x7000; t->device.type = 2; t->device.id = 3; t->ndim = 2;
	t->dtype.code = 4; t->dtype.bits = 16; t->dtype.lanes = 1; t->byte_offset = 64;
	t->shape = malloc(16); t->shape[0] = 5; t->shape[1] = 7;
	t->strides = malloc(16); t->strides[0] = -1; t->strides[1] = 40;
}
static void clear(DLTensor *t) { deleted++; free(t->shape); free(t->strides); }
static void free_plain(Plain *p) { clear(&p->t); free(p); }
static void free_versioned(Versioned *v) { clear(&v->t); free(v); }

Plain *make_plain(void) {
	Plain *p = calloc(1, sizeof *p);
	fill(&p->t); p->deleter = free_plain;
	return p;
}
Versioned *make_versioned(void) {
	Versioned *v = calloc(1, sizeof *v);
	fill(&v->t); v->version.major = 1; v->version.minor = 1; v->flags = 5; v->deleter = free_versioned;
	return v;
}

static int64_t sum(DLTensor *t) {
	int64_t s = (int64_t)t->data + t->device.type * 10 + t->device.id * 100 + t->ndim * 1000 + t->dtype.code * 10000 +
		t->dtype.bits * 100000 + t->dtype.lanes * 100000000LL + (int64_t)t->byte_offset * 1000000000LL;
	for (int i = 0; i < t->ndim; i++) s = s * 31 + t->shape[i] * 7 + t->strides[i];
	return s;
}
int64_t use_plain(Plain *p) { int64_t s = sum(&p->t); p->deleter(p); return s; }
int64_t use_versioned(Versioned *v) {
	int64_t s = sum(&v->t) + v->version.major * 3 + v->version.minor + (int64_t)v->flags;
	v->deleter(v);
	return s;
}

typedef struct { char reserved[64]; } Handle;
int take(void **to, Handle h, unsigned flags) {
	memcpy(*to, h.reserved, 64);
	*to = (char *)*to + flags;
	return 17;
}
void *address_of_take(void) { return take; }
`

// loadLibrary compiles the library and returns a function that calls one of its functions.
func loadLibrary(t *testing.T) func(name string, args ...uintptr) uintptr {
	t.Helper()
	if len(nvmlFiles) == 0 {
		t.Skip("no libraries are opened on this system")
	}
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc to compile the library")
	}
	dir := t.TempDir()
	src, lib := filepath.Join(dir, "dl.c"), filepath.Join(dir, "dl.so")
	if err := os.WriteFile(src, []byte(library), 0o644); err != nil {
		t.Fatal(err)
	}
	compile := exec.CommandContext(t.Context(), gcc, "-shared", "-fPIC", "-O2", "-o", lib, src)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	l, err := open(lib)
	if err != nil {
		t.Fatal(err)
	}
	return func(name string, args ...uintptr) uintptr {
		fn := symbol(l, name)
		if fn == 0 {
			t.Fatalf("no %s", name)
		}
		return invoke(fn, args...)
	}
}

// TestDLPackOfC passes the structures from and to C.
func TestDLPackOfC(t *testing.T) {
	t.Parallel()
	call := loadLibrary(t)
	reads := []func(uintptr) DLManaged{ReadManaged, ReadVersioned}
	for i, name := range []string{"make_plain", "make_versioned"} {
		m := reads[i](call(name))
		shape, strides := m.Tensor.Extents()
		got := *m.Tensor
		got.shape, got.strides = nil, nil
		want := DLTensor{Data: 0x7000, Place: 2, Device: 3, Rank: 2, Code: 4, Bits: 16, Lanes: 1, Offset: 64}
		if got != want || !slices.Equal(shape, []int64{5, 7}) || !slices.Equal(strides, []int64{-1, 40}) {
			t.Errorf("%s: got %+v of %d:%d", name, got, shape, strides)
		}
		if i == 1 && (m.Major != 1 || m.Minor != 1 || m.Flags != DLReadOnly|DLPadded) {
			t.Errorf("got the version %d.%d and the flags %d", m.Major, m.Minor, m.Flags)
		}
		m.Release()
		if n := call("count"); n != uintptr(i+1) {
			t.Errorf("%s: the deleter was called %d times, want %d", name, n, i+1)
		}
	}
	tensor := DLTensor{Data: 0x123400, Place: 2, Device: 1, Code: 2, Bits: 32, Lanes: 1, Offset: 12}
	exports := []func(DLExport) uintptr{DLExport.MakeManaged, DLExport.MakeVersioned}
	for i, name := range []string{"use_plain", "use_versioned"} {
		for _, shape := range [][]int64{nil, {6}, {3, 1, 9}} {
			sum := 1000*int64(len(shape)) + 0x123400 + 20 + 100 + 20000 + 3200000 + 100000000 + 12000000000
			strides := make([]int64, len(shape))
			for j, n := range shape {
				strides[j] = int64(j) - 1
				sum = sum*31 + n*7 + strides[j]
			}
			done := 0
			at := exports[i](DLExport{tensor, shape, strides, func() { done++ }})
			if got, want := int64(call(name, at)), sum+int64(4*i); got != want || done != 1 {
				t.Errorf("%s of %d: C read %d, want %d; done was called %d times", name, shape, got, want, done)
			}
			invoke(deleter(), at)
			if done != 1 {
				t.Error("a second call of the deleter was not ignored")
			}
		}
	}
}

// TestByValue checks that C receives a structure of 64 bytes by value.
func TestByValue(t *testing.T) {
	t.Parallel()
	if !sharing {
		t.Skip("no memory is shared on this system")
	}
	call := loadLibrary(t)
	var h [IPCBytes]byte
	for i := range h {
		h[i] = byte(3*i + 1)
	}
	got := make([]byte, IPCBytes)
	to := unsafe.Pointer(&got[0])
	if status := openShared(call("address_of_take"), unsafe.Pointer(&to), &h, 5); status != 17 {
		t.Errorf("got the status %d", status)
	}
	if !bytes.Equal(got, h[:]) || uintptr(to) != uintptr(unsafe.Pointer(&got[0]))+5 {
		t.Errorf("C received %v", got)
	}
}
