package cuda

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Functions have one name each: an entry without a name would be looked up as "".
func TestSymbols(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for e, name := range symbols {
		if !strings.HasPrefix(name, "cu") || seen[name] {
			t.Errorf("entry %d is %q", e, name)
		}
		seen[name] = true
	}
}

func TestOldDriver(t *testing.T) {
	t.Parallel()
	d := &Driver{version: 11080}
	for e := range d.addr {
		d.addr[e] = 1
	}
	d.addr[cuFuncGetParamInfo] = 0
	if err := d.complete(); err != nil {
		t.Fatalf("a driver without what may be missing: %v", err)
	}
	d.addr[cuTensorMapEncodeTiled] = 0
	e, ok := d.complete().(*Error)
	if !ok || e.Code != OldDriver || !strings.Contains(e.Message, "11.8 and no cuTensorMapEncodeTiled; version 12.0") {
		t.Fatalf("got %v", e)
	}
}

func TestNoLibrary(t *testing.T) {
	t.Parallel()
	if _, err := openFirst([]string{"/nonexistent/libnone.so.1", "/nonexistent/libnone.so.2"}); err == nil ||
		strings.Contains(err.Error(), "libnone.so.2") {
		t.Fatalf("got %v, want the error of the first name", err)
	}
	if _, err := openFirst(nil); err == nil {
		t.Fatal("no name was found")
	}
}

// The reason has the name of the file, whatever else runs: it was lost where a goroutine went to another thread.
func TestReasonOfNoLibrary(t *testing.T) {
	t.Parallel()
	if len(nvmlFiles) == 0 {
		t.Skip("no libraries are opened on this system")
	}
	var wg sync.WaitGroup
	for i := range 32 {
		wg.Go(func() {
			for j := range 1000 {
				name := fmt.Sprintf("/nonexistent/libnone%d.so.%d", i, j)
				if _, err := open(name); err == nil || runtime.GOOS == "linux" && !strings.Contains(err.Error(), name) {
					t.Errorf("%s: %q", name, err)
					return
				}
			}
		})
	}
	wg.Wait()
}

// Without a driver the error says so; with one there is a version.
func TestLoad(t *testing.T) {
	t.Parallel()
	d, err := Load()
	if err != nil {
		e, ok := err.(*Error)
		if !ok || e.Code == "" || e.Error() == "" {
			t.Fatalf("got %#v", err)
		}
		t.Skip(err)
	}
	if d.Version() < Required {
		t.Errorf("version %s", d.Version())
	}
}

func TestErrorText(t *testing.T) {
	t.Parallel()
	d := &Driver{}
	e := d.check(cuMemAlloc, 2).(*Error)
	e.Message = "no 7 bytes"
	if got, want := e.Error(), "no 7 bytes: cuMemAlloc_v2: status 2"; got != want || e.Code != OutOfMemory || e.Hint == "" {
		t.Errorf("got %q, code %s, hint %q, want %q", got, e.Code, e.Hint, want)
	}
	e = &Error{Call: "cuX", Name: "CUDA_ERROR_X", Text: "x", Log: "line 1"}
	if got, want := e.Error(), "cuX: CUDA_ERROR_X (x)\nline 1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, status := range []int32{701, 720, 912} {
		if e := d.check(cuLaunchKernelEx, status).(*Error); e.Code != Launch || e.Hint == "" {
			t.Errorf("status %d: code %s, hint %q", status, e.Code, e.Hint)
		}
	}
	if err := d.check(cuInit, 0); err != nil {
		t.Error(err)
	}
	for _, status := range []int32{46, 802, 999} {
		if e := d.check(cuInit, status).(*Error); e.Code != Failed || e.Hint == "" {
			t.Errorf("status %d: code %s, hint %q", status, e.Code, e.Hint)
		}
	}
	if e := d.check(cuInit, 9999).(*Error); e.Code != Failed {
		t.Errorf("an unknown status has the code %s", e.Code)
	}
}

func TestCache(t *testing.T) {
	t.Parallel()
	c := Cache(filepath.Join(t.TempDir(), "a", "b"))
	name := c.file("ptx", "13.0", "sm_90")
	for _, other := range []string{c.file("ptx ", "13.0", "sm_90"), c.file("ptx", "13.1", "sm_90"), c.file("ptx", "13.0", "sm_100")} {
		if other == name {
			t.Fatal("two builds have one file")
		}
	}
	if _, ok := c.get(name); ok {
		t.Fatal("found in an empty cache")
	}
	c.put(name, []byte("cubin"))
	c.put(name, []byte("cubin")) // as another process does
	if got, ok := c.get(name); !ok || !bytes.Equal(got, []byte("cubin")) {
		t.Fatalf("got %q, %v", got, ok)
	}
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, damaged := range [][]byte{nil, b[:10], b[:len(b)-1], append(bytes.Clone(b), 0)} {
		if err := os.WriteFile(name, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if got, ok := c.get(name); ok {
			t.Errorf("a damaged file of %d bytes gave %q", len(damaged), got)
		}
	}
	for _, other := range []string{os.DevNull, t.TempDir(), "/dev/zero", name + " that is missing"} {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(other, name); err != nil {
			t.Logf("no links here: %v", err)
			break
		}
		if got, ok := c.get(name); ok {
			t.Errorf("a link to %s gave %q", other, got)
		}
		c.put(name, []byte("cubin")) // refused where it is no file
	}
	if err := os.RemoveAll(name); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	// Processes and goroutines share it: what is found is whole.
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				c.put(name, []byte("cubin"))
				if got, ok := c.get(name); ok && !bytes.Equal(got, []byte("cubin")) {
					t.Errorf("beside others: %q", got)
				}
				c.trim(0)
			}
		})
	}
	wg.Wait()
	if err := os.WriteFile(name, b, 0o644); err != nil {
		t.Fatal(err)
	}
	// No cache, and one where no folder can be made, keep nothing and complain about nothing.
	for _, c := range []Cache{"", Cache(filepath.Join(name, "below a file"))} {
		c.put(c.file("x", "", ""), []byte("y"))
		if _, ok := c.get(c.file("x", "", "")); ok {
			t.Errorf("cache %q has kept something", c)
		}
	}
}

func TestTensorMapArguments(t *testing.T) {
	t.Parallel()
	c := &Context{} // is not asked
	for _, tt := range []Tensor{
		{},
		{Shape: make([]uint64, 6), Stride: make([]uint64, 5), Box: make([]uint32, 6)},
		{Shape: []uint64{8, 8}, Box: []uint32{8, 8}},
		{Shape: []uint64{8}, Box: []uint32{8, 8}},
		{Shape: []uint64{8}, Box: []uint32{8}, Step: []uint32{1, 1}},
		{Shape: []uint64{8}, Box: []uint32{8}, Promote: 100},
		{Shape: []uint64{8, 8}, Stride: []uint64{16}, Im2col: &Im2col{}},
		{Shape: []uint64{8, 8, 8}, Stride: []uint64{16, 128}, Im2col: &Im2col{Lower: make([]int32, 1)}},
	} {
		if _, err := c.TensorMap(tt); err == nil || err.(*Error).Code != Argument {
			t.Errorf("%+v: got %v", tt, err)
		}
	}
}

// TestCacheTrim: what was not used for longest goes, as far as to three quarters.
func TestCacheTrim(t *testing.T) {
	t.Parallel()
	c := Cache(t.TempDir())
	names := make([]string, 8)
	start := time.Now().Add(-time.Hour)
	for i := range names {
		names[i] = c.file(strconv.Itoa(i), "13.0", "sm_90")
		c.put(names[i], make([]byte, 100-sha256.Size))
		at := start.Add(time.Duration(i) * time.Minute)
		if err := os.Chtimes(names[i], at, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := c.get(names[0]); !ok { // now the last one that was used
		t.Fatal("a file is missing")
	}
	c.trim(800) // which they are
	for i, left := range []bool{true, false, false, false, true, true, true, true} {
		if i == 1 {
			c.trim(799)
		}
		if _, err := os.Stat(names[i]); (err == nil) != left {
			t.Errorf("file %d: %v, want it there: %v", i, err, left)
		}
	}
	Cache(filepath.Join(t.TempDir(), "none")).trim(1)
}
