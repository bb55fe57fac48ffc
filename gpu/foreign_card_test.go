package gpu_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/dtype"
	"girih/gpu"
	"girih/internal/card/trial"
)

// other opens the first card again: a second library in the same context, for the tests.
func other(t *testing.T) *gpu.Device {
	t.Helper()
	d, err := gpu.Open(0)
	check(t, err)
	t.Cleanup(func() { check(t, d.Close()) })
	d.SetCache(t.TempDir())
	return d
}

// TestForeign uses the memory and the stream of another library.
func TestForeign(t *testing.T) {
	d := card(t)
	library := other(t)
	theirs, stream := upload(t, library, []float32{1, 2, 3, 4}), stream(t, library)
	x, err := gpu.ForeignBuffer[float32](d, theirs.Addr()+4, 3)
	check(t, err)
	for _, handle := range []uint64{stream.Handle(), 0, 1} {
		s, err := d.ForeignStream(handle)
		check(t, err)
		k := entry(t, d, module(t, "sm_75", trial.Add()), "add").On(s)
		check(t, k.Launch(threads(1, 32), x, x, x, 3))
		check(t, s.Wait(t.Context()))
		check(t, s.Close())
	}
	got := make([]float32, 4)
	check(t, theirs.Read(t.Context(), got))
	if !slices.Equal(got, []float32{1, 16, 24, 32}) {
		t.Errorf("got %v", got)
	}
	check(t, x.Close())
	wantCode(t, x.Fill(0), gpu.Argument)
	check(t, stream.Wait(t.Context())) // Close left them to their library
	check(t, theirs.Fill(0))

	pinned, err := gpu.AllocPinned[float32](library, 4)
	check(t, err)
	for _, tt := range []struct {
		addr uint64
		n    int
		want string
	}{
		{theirs.Addr(), math.MaxInt32, "are needed"},
		{pinned.Addr(), 4, "belongs to the host"},
		{64, 1, "knows no memory at 0x40"},
		{theirs.Addr() + 2, 1, "is not a multiple of 4"},
	} {
		_, err := gpu.ForeignBuffer[float32](d, tt.addr, tt.n)
		if e := wantCode(t, err, gpu.Argument); !strings.Contains(e.Message, tt.want) {
			t.Errorf("got %v, want %q", e, tt.want)
		}
	}
}

// TestContext opens the context of another library, here the primary one, and checks that calls leave the thread's
// context as it was.
func TestContext(t *testing.T) {
	library := card(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	check(t, library.Do(func() error {
		now, err := gpu.CurrentContext()
		if now != library.Context() {
			t.Errorf("in Do the context is %#x, want %#x", now, library.Context())
		}
		return err
	}))
	d, err := gpu.OpenContext(library.Context())
	check(t, err)
	x := upload(t, d, []uint16{1, 2, 3})
	got := make([]uint16, 3)
	check(t, x.Read(t.Context(), got))
	if !slices.Equal(got, []uint16{1, 2, 3}) || d.Info().Index != 0 {
		t.Errorf("got %v on device %d", got, d.Info().Index)
	}
	check(t, d.Close())
	check(t, upload(t, library, []uint16{1}).Fill(2)) // Close left the context to its library
}

// TestDLPack passes a tensor from one opening of the card to another, with strides, and back.
func TestDLPack(t *testing.T) {
	d := card(t)
	library := other(t)
	host := make([]uint16, 24)
	for i := range host {
		host[i] = uint16(i)
	}
	theirs := upload(t, library, host)
	layout := cute.MustParse("(2,3):(12,4)")
	managed, err := theirs.ToDLPackVersioned(dtype.BF16, layout)
	check(t, err)
	_, err = gpu.DLBuffer[uint16](&gpu.DLTensor{Type: dtype.F32})
	wantCode(t, err, gpu.Argument)
	x, err := d.FromDLPackVersioned(managed)
	check(t, err)
	if !x.Layout.Equal(layout) || x.Type != dtype.BF16 || x.Addr() != theirs.Addr() {
		t.Errorf("got %s of %s at %#x", x.Layout, x.Type, x.Addr())
	}
	part, err := gpu.DLBuffer[uint16](x)
	check(t, err)
	got := make([]uint16, part.Len())
	check(t, part.Read(t.Context(), got))
	if !slices.Equal(got, host[:21]) {
		t.Errorf("got %d", got)
	}
	check(t, part.Fill(9))
	wantCode(t, theirs.Close(), gpu.Argument)
	wantCode(t, library.Close(), gpu.Argument)
	check(t, x.Close()) // waits for the fill, then calls the deleter
	check(t, x.Close())
	check(t, theirs.Read(t.Context(), host))
	if host[20] != 9 || host[21] != 21 {
		t.Errorf("got %d", host)
	}
	check(t, theirs.Close())
}

// TestIPC opens memory of another process, which is this test started again.
func TestIPC(t *testing.T) {
	const inside = "GIRIH_TEST_IPC"
	if handle := os.Getenv(inside); handle != "" {
		openShared(t, handle)
		return
	}
	d := card(t)
	x := alloc[float32](t, d, 100)
	part, err := x.Part(60, 3)
	check(t, err)
	check(t, part.Write(t.Context(), []float32{1, 2, 3}))
	h, err := part.IPC()
	check(t, err)
	cmd := exec.Command(os.Args[0], "-test.run=^TestIPC$", "-test.v")
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%x %d", inside, h.Allocation, h.Offset))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	got := make([]float32, 3)
	check(t, part.Read(t.Context(), got))
	if !slices.Equal(got, []float32{2, 4, 6}) {
		t.Errorf("got %v", got)
	}
	_, err = gpu.OpenIPC[float32](d, h, 3)
	wantCode(t, err, gpu.Failed) // the process that made the handle
}

// openShared doubles the three elements of a handle.
func openShared(t *testing.T, handle string) {
	t.Helper()
	d := card(t)
	var h gpu.IPCHandle
	allocation, offset, _ := strings.Cut(handle, " ")
	b, err := hex.DecodeString(allocation)
	check(t, err)
	copy(h.Allocation[:], b)
	_, err = fmt.Sscan(offset, &h.Offset)
	check(t, err)
	_, err = gpu.OpenIPC[float32](d, h, math.MaxInt32)
	wantCode(t, err, gpu.Argument)
	x, err := gpu.OpenIPC[float32](d, h, 3)
	check(t, err)
	k := entry(t, d, module(t, "sm_75", trial.Add()), "add")
	check(t, k.Launch(threads(1, 32), x, x, x, 3))
	check(t, d.Wait(t.Context()))
	check(t, x.Close())
}
