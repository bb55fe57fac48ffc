package gpu_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"girih/gpu"
	"girih/internal/card/trial"
	"girih/ptx"
)

// card opens the first card, or skips the test if there is none.
func card(t testing.TB) *gpu.Device {
	t.Helper()
	d, err := gpu.Open(0)
	if e, ok := errors.AsType[*gpu.Error](err); ok && (e.Code == gpu.NoDriver || e.Code == gpu.OldDriver ||
		e.Code == gpu.NoDevice) {
		t.Skip(err)
	}
	check(t, err)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	d.SetCache(t.TempDir())
	return d
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// wantCode fails the test unless err is a *gpu.Error with the given code, and returns this error.
func wantCode(t testing.TB, err error, code gpu.Code) *gpu.Error {
	t.Helper()
	e, ok := errors.AsType[*gpu.Error](err)
	if !ok || e.Code != code {
		t.Fatalf("got %v, want an error of the code %s", err, code)
	}
	return e
}

// module returns a module that contains the function of b.
func module(t testing.TB, target string, b *ptx.Builder) *ptx.Module {
	t.Helper()
	f, err := b.Func()
	check(t, err)
	return &ptx.Module{
		Version: ptx.Version{Major: 7, Minor: 8}, Target: []string{target}, AddressSize: 64, Decls: []ptx.Decl{f},
	}
}

func entry(t testing.TB, d *gpu.Device, m *ptx.Module, name string) *gpu.Kernel {
	t.Helper()
	loaded, err := d.Load(m)
	check(t, err)
	k, err := loaded.Kernel(name)
	check(t, err)
	return k
}

func random(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = rand.Float32()
	}
	return v
}

func alloc[T gpu.Element](t testing.TB, d *gpu.Device, n int) *gpu.Buffer[T] {
	t.Helper()
	b, err := gpu.Alloc[T](d, n)
	check(t, err)
	return b
}

func upload[T gpu.Element](t testing.TB, d *gpu.Device, v []T) *gpu.Buffer[T] {
	t.Helper()
	b, err := gpu.Upload(t.Context(), d, v)
	check(t, err)
	return b
}

func threads(blocks, threads int) gpu.Config {
	return gpu.Config{Grid: gpu.Dim{X: blocks}, Block: gpu.Dim{X: threads}}
}

func TestVectorAdd(t *testing.T) {
	begin := time.Now()
	d := card(t)
	t.Logf("driver and context: %v", time.Since(begin))
	k := entry(t, d, module(t, "sm_75", trial.Add()), "add")
	t.Logf("%+v", k.Resources())
	const n = 1<<20 + 7
	a, b := random(n), random(n)
	x, y, sum := upload(t, d, a), upload(t, d, b), alloc[float32](t, d, n)
	check(t, sum.Fill(-1))
	check(t, k.Launch(threads((n+255)/256, 256), x, y, sum, n))
	got := make([]float32, n)
	check(t, sum.Read(t.Context(), got))
	for i := range got {
		if got[i] != a[i]+b[i] {
			t.Fatalf("element %d is %v, want %v", i, got[i], a[i]+b[i])
		}
	}
	// The same test with pinned memory, whose copies are queued without waiting.
	in, err := gpu.AllocPinned[float32](d, n)
	check(t, err)
	out, err := gpu.AllocPinned[float32](d, n)
	check(t, err)
	copy(in.Slice(), b)
	check(t, x.WriteFrom(in))
	check(t, k.Launch(threads((n+255)/256, 256), x, y, sum, uint32(n)))
	check(t, y.Copy(sum))
	check(t, y.ReadInto(out))
	check(t, d.Wait(t.Context()))
	for i, v := range out.Slice() {
		if v != 2*b[i] {
			t.Fatalf("element %d is %v, want %v", i, v, 2*b[i])
		}
	}
	wantCode(t, k.Launch(threads(1, 32), x, y, sum), gpu.Argument)
	wantCode(t, k.Launch(threads(1, 32), x, y, float32(1), 1), gpu.Argument)
	check(t, x.Close())
	wantCode(t, k.Launch(threads(1, 32), x, y, sum, 1), gpu.Argument)
	wantCode(t, sum.Read(t.Context(), make([]float32, n+1)), gpu.Argument)
}

func TestOutOfMemory(t *testing.T) {
	d := card(t)
	n := int(d.Info().Memory) + 1
	_, err := gpu.Alloc[uint8](d, n)
	if e := wantCode(t, err, gpu.OutOfMemory); !strings.Contains(e.Message, fmt.Sprint(n)) {
		t.Fatalf("the error does not name %d bytes: %v", n, err)
	}
	t.Log(err)
	_, err = gpu.Alloc[uint8](d, 0)
	wantCode(t, err, gpu.Argument)
	alloc[uint8](t, d, 1) // the context still works after the failure
}

func TestClosedDevice(t *testing.T) {
	d := card(t)
	m, err := d.Load(module(t, "sm_75", trial.Add()))
	check(t, err)
	k, err := m.Kernel("add")
	check(t, err)
	x := alloc[float32](t, d, 1)
	check(t, d.Close())
	check(t, d.Close())
	wantCode(t, k.Launch(threads(1, 1), x, x, x, 1), gpu.Argument)
	wantCode(t, x.Write(t.Context(), []float32{1}), gpu.Argument)
	wantCode(t, d.Wait(t.Context()), gpu.Argument)
	_, err = gpu.Alloc[float32](d, 1)
	wantCode(t, err, gpu.Argument)
	check(t, x.Close())
}

func TestTwoDevices(t *testing.T) {
	first := card(t)
	infos, err := gpu.Devices()
	check(t, err)
	if _, err := gpu.Open(len(infos)); err == nil {
		t.Fatal("a device more than there are was opened")
	}
	if len(infos) < 2 {
		t.Skip("there is one card")
	}
	second, err := gpu.Open(1)
	check(t, err)
	defer func() { check(t, second.Close()) }()
	for i, d := range []*gpu.Device{first, second} {
		k := entry(t, d, module(t, "sm_75", trial.Add()), "add")
		x := upload(t, d, []float32{float32(i)})
		check(t, k.Launch(threads(1, 1), x, x, x, 1))
		got := make([]float32, 1)
		check(t, x.Read(t.Context(), got))
		if got[0] != float32(2*i) {
			t.Fatalf("device %d: %v", i, got[0])
		}
		if i == 1 {
			wantCode(t, k.Launch(threads(1, 1), alloc[float32](t, first, 1), x, x, 1), gpu.Argument)
		}
	}
}
