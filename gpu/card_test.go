package gpu_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"girih/gpu"
	"girih/internal/cuda"
	"girih/ptx"
)

// card opens the first card, or skips the test where there is none.
func card(t testing.TB) *gpu.Device {
	t.Helper()
	d, err := gpu.Open(0)
	if e, ok := errors.AsType[*gpu.Error](err); ok && (e.Code == gpu.NoDriver || e.Code == gpu.OldDriver || e.Code == gpu.NoDevice) {
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

// wantCode returns the error, which must have that code.
func wantCode(t testing.TB, err error, code gpu.Code) *gpu.Error {
	t.Helper()
	e, ok := errors.AsType[*gpu.Error](err)
	if !ok || e.Code != code {
		t.Fatalf("got %v, want an error of the code %s", err, code)
	}
	return e
}

// module wraps what b wrote.
func module(t testing.TB, target string, b *ptx.Builder) *ptx.Module {
	t.Helper()
	f, err := b.Func()
	check(t, err)
	return &ptx.Module{Version: ptx.Version{Major: 7, Minor: 8}, Target: []string{target}, AddressSize: 64, Decls: []ptx.Decl{f}}
}

// add is a kernel that adds two vectors: add(x, y, sum, n).
func add() *ptx.Builder {
	b := ptx.NewKernel("add")
	x, y, sum := b.Param(ptx.U64, "x"), b.Param(ptx.U64, "y"), b.Param(ptx.U64, "sum")
	n := b.Let(ptx.U32, "ld.param.u32", ptx.Addr{Base: b.Param(ptx.U32, "n")})
	i := b.Let(ptx.U32, "mov.u32", ptx.Name("%ctaid.x"))
	b.Emit("mad.lo.u32", i, i, b.Let(ptx.U32, "mov.u32", ptx.Name("%ntid.x")), b.Let(ptx.U32, "mov.u32", ptx.Name("%tid.x")))
	at := func(p ptx.Name) ptx.Addr {
		a := b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: p})
		b.Emit("mad.wide.u32", a, i, ptx.Int(4), a)
		return ptx.Addr{Base: a}
	}
	b.If(b.Let(ptx.Pred, "setp.lt.u32", i, n), func() {
		v := b.Let(ptx.F32, "ld.global.f32", at(x))
		b.Emit("add.f32", v, v, b.Let(ptx.F32, "ld.global.f32", at(y)))
		b.Emit("st.global.f32", at(sum), v)
	})
	b.Emit("ret")
	return b
}

func kernel(t testing.TB, d *gpu.Device, m *ptx.Module, name string) *gpu.Kernel {
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
	k := kernel(t, d, module(t, "sm_75", add()), "add")
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
	// The same through memory that needs no wait.
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

func TestRefusedPTX(t *testing.T) {
	d := card(t)
	_, err := d.LoadPTX(".version 7.8\n.target sm_75\n.address_size 64\n.visible .entry k()\n{\n\tmov.u32 %r0, 1;\n\tret;\n}\n")
	e := wantCode(t, err, gpu.Refused)
	if !strings.Contains(e.Log, "line 6") || !strings.Contains(e.Log, "%r0") || e.Name != "CUDA_ERROR_INVALID_PTX" {
		t.Fatalf("the error does not name line 6 and %%r0: %v", err)
	}
	t.Log(err)
	_, err = d.LoadPTX(".version 99.0\n.target sm_75\n.address_size 64\n")
	t.Log(wantCode(t, err, gpu.Refused))
	_, err = d.LoadCubin([]byte("no cubin"))
	t.Log(wantCode(t, err, gpu.Refused))
	m, err := d.Load(module(t, "sm_75", add()))
	check(t, err)
	_, err = m.Kernel("subtract")
	t.Log(wantCode(t, err, gpu.Argument))
}

func TestTooLargeALaunch(t *testing.T) {
	d := card(t)
	k := kernel(t, d, module(t, "sm_75", add()), "add")
	x := alloc[float32](t, d, 1)
	many := 1 << 30
	many *= 2 // where an int has 32 bits, negative: refused as well
	for _, c := range []gpu.Config{
		threads(1, 2048), threads(many, 32), threads(-1, 32),
		{Grid: gpu.Dim{X: 1, Y: 65536}, Block: gpu.Dim{X: 32}},
		{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: 32, Y: 32, Z: 2}},
		{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: 32}, Shared: 1 << 20},
		{Grid: gpu.Dim{X: 3}, Block: gpu.Dim{X: 32}, Cluster: gpu.Dim{X: 2}},
	} {
		t.Log(wantCode(t, k.Launch(c, x, x, x, 1), gpu.Argument))
	}
	// What only the driver knows: a cluster of more blocks than run together.
	c := gpu.Config{Grid: gpu.Dim{X: 64}, Block: gpu.Dim{X: 32}, Cluster: gpu.Dim{X: 64}}
	if err := k.Launch(c, x, x, x, 1); err == nil {
		t.Error("a cluster of 64 blocks was launched")
	} else {
		t.Log(err)
	}
	// A refused launch is no fault.
	check(t, k.Launch(gpu.Config{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: 32}, Shared: 100 << 10}, x, x, x, 1))
	check(t, d.Wait(t.Context()))
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
	alloc[uint8](t, d, 1) // the failure leaves the context as it was
}

// resident returns the memory of the process, or 0 where the system does not tell.
func resident() int64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(b), &size, &pages); err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

func TestLaunchesDoNotLeak(t *testing.T) {
	d := card(t)
	m := module(t, "sm_75", add())
	k := kernel(t, d, m, "add")
	x := alloc[float32](t, d, 32)
	check(t, x.Fill(0))
	launch := func(n int) {
		for range n {
			check(t, k.Launch(threads(1, 32), x, x, x, 32))
		}
		check(t, d.Wait(t.Context()))
	}
	launch(2000)
	runtime.GC()
	free, err := d.Free()
	check(t, err)
	before := resident()
	begin := time.Now()
	launch(10_000)
	t.Logf("10,000 launches: %v each", time.Since(begin)/10_000)
	for range 100 {
		b, err := gpu.Alloc[uint8](d, 64<<20)
		check(t, err)
		loaded, err := d.Load(m)
		check(t, err)
		if !loaded.Cached() {
			t.Fatal("the module was compiled again")
		}
		check(t, loaded.Close())
		check(t, b.Close())
		check(t, b.Close()) // twice is once
	}
	runtime.GC()
	after, err := d.Free()
	check(t, err)
	if lost := free - after; lost > 8<<20 {
		t.Errorf("%d bytes of the card are gone", lost)
	}
	if grown := resident() - before; grown > 64<<20 {
		t.Errorf("the process grew by %d bytes", grown)
	}
	begin = time.Now()
	for range 1000 {
		check(t, k.Launch(threads(1, 32), x, x, x, 32))
		check(t, d.Wait(t.Context()))
	}
	t.Logf("launch and wait: %v each", time.Since(begin)/1000)
}

// long is a kernel of n multiplications, which no cache of the driver knows.
func long(n int) *ptx.Builder {
	b := ptx.NewKernel("long")
	to := b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: b.Param(ptx.U64, "to")})
	v := b.Let(ptx.F32, "ld.global.f32", ptx.Addr{Base: to})
	for range n {
		b.Emit("fma.rn.f32", v, v, v, ptx.Float32(rand.Float32()))
	}
	b.Emit("st.global.f32", ptx.Addr{Base: to}, v)
	b.Emit("ret")
	return b
}

func TestCache(t *testing.T) {
	d := card(t)
	for _, n := range []int{10, 20_000} {
		m := module(t, "sm_75", long(n))
		for _, cached := range []bool{false, true} {
			begin := time.Now()
			loaded, err := d.Load(m)
			check(t, err)
			t.Logf("%d instructions, cached %v: %v", n, cached, time.Since(begin))
			if loaded.Cached() != cached {
				t.Fatalf("cached is %v, want %v", loaded.Cached(), cached)
			}
			k, err := loaded.Kernel("long")
			check(t, err)
			check(t, k.Launch(threads(1, 1), upload(t, d, []float32{1})))
			check(t, d.Wait(t.Context()))
		}
	}
	d.SetCache("")
	m := module(t, "sm_75", add())
	for range 2 {
		loaded, err := d.Load(m)
		check(t, err)
		if loaded.Cached() {
			t.Fatal("cached without a cache")
		}
	}
}

// A kernel in which each block writes its rank in the cluster and the number of blocks.
func TestCluster(t *testing.T) {
	d := card(t)
	if d.Info().Chip < "sm_90" && len(d.Info().Chip) == len("sm_90") {
		t.Skip(d.Info().Chip, "has no clusters")
	}
	b := ptx.NewKernel("ranks")
	to := b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: b.Param(ptx.U64, "to")})
	block := b.Let(ptx.U32, "mov.u32", ptx.Name("%ctaid.x"))
	b.Emit("mad.wide.u32", to, block, ptx.Int(8), to)
	rank, of := b.Let(ptx.U32, "mov.u32", ptx.Name("%cluster_ctarank")), b.Let(ptx.U32, "mov.u32", ptx.Name("%cluster_nctarank"))
	b.Emit("st.global.v2.u32", ptx.Addr{Base: to}, ptx.Vec{rank, of})
	b.Emit("ret")
	k := kernel(t, d, module(t, "sm_90", b), "ranks")
	out := alloc[uint32](t, d, 16)
	check(t, k.Launch(gpu.Config{Grid: gpu.Dim{X: 8}, Block: gpu.Dim{X: 1}, Cluster: gpu.Dim{X: 4}}, out))
	got := make([]uint32, 16)
	check(t, out.Read(t.Context(), got))
	if want := []uint32{0, 4, 1, 4, 2, 4, 3, 4, 0, 4, 1, 4, 2, 4, 3, 4}; !slices.Equal(got, want) {
		t.Fatalf("ranks and sizes are %v, want %v", got, want)
	}
	check(t, k.Launch(gpu.Config{Grid: gpu.Dim{X: 8}, Block: gpu.Dim{X: 1}, Cluster: gpu.Dim{X: 2}, Cooperative: true}, out))
	check(t, k.Launch(gpu.Config{Grid: gpu.Dim{X: 8}, Block: gpu.Dim{X: 1}, Overlap: true}, out))
	check(t, d.Wait(t.Context()))
	// All blocks of a cooperative launch run at the same time: a million cannot.
	c := gpu.Config{Grid: gpu.Dim{X: 1 << 20}, Block: gpu.Dim{X: 1}, Cooperative: true}
	t.Log(wantCode(t, k.Launch(c, out), gpu.BadLaunch))
}

// A cubin has no types: sizes are checked.
func TestCubin(t *testing.T) {
	d := card(t)
	driver, err := cuda.Load()
	check(t, err)
	v, err := driver.Device(0)
	check(t, err)
	c, err := v.Context()
	check(t, err)
	defer func() { check(t, c.Close()) }()
	cubin, log, err := c.Compile(module(t, "sm_75", add()).String())
	check(t, err)
	t.Log(log)
	m, err := d.LoadCubin(cubin)
	check(t, err)
	k, err := m.Kernel("add")
	check(t, err)
	x := upload(t, d, []float32{1, 2})
	check(t, k.Launch(threads(1, 32), x, x, x, 2))
	got := make([]float32, 2)
	check(t, x.Read(t.Context(), got))
	if !slices.Equal(got, []float32{2, 4}) {
		t.Fatalf("got %v", got)
	}
	if driver.Version() >= 12040 {
		t.Log(wantCode(t, k.Launch(threads(1, 32), x, x, x), gpu.Argument))
		t.Log(wantCode(t, k.Launch(threads(1, 32), x, x, x, uint64(2)), gpu.Argument))
	}
}

// A kernel that writes to a bad address ends the context of the process, so this needs one of its own.
func TestFault(t *testing.T) {
	const inside = "GIRIH_TEST_FAULT"
	if os.Getenv(inside) == "" {
		card(t)
		cmd := exec.Command(os.Args[0], "-test.run=^TestFault$", "-test.v")
		cmd.Env = append(os.Environ(), inside+"=1")
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "CUDA_ERROR_ILLEGAL_ADDRESS") {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	d, err := gpu.Open(0)
	check(t, err)
	b := ptx.NewKernel("bad")
	b.Emit("st.global.u32", ptx.Addr{Base: b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: b.Param(ptx.U64, "to")})}, ptx.Int(1))
	b.Emit("ret")
	x := alloc[uint32](t, d, 1)
	check(t, kernel(t, d, module(t, "sm_75", b), "bad").Launch(threads(1, 1), uint64(64)))
	t.Log(wantCode(t, d.Wait(t.Context()), gpu.Fault))
	wantCode(t, x.Read(t.Context(), make([]uint32, 1)), gpu.Fault)
	if d.Close() == nil {
		t.Error("a broken context was closed without a word")
	}
}

func TestGraph(t *testing.T) {
	d := card(t)
	k := kernel(t, d, module(t, "sm_75", add()), "add")
	x, one := upload(t, d, []float32{0}), upload(t, d, []float32{1})
	g, err := d.Capture(func() error {
		for range 10 {
			if err := k.Launch(threads(1, 1), x, one, x, 1); err != nil {
				return err
			}
		}
		return nil
	})
	check(t, err)
	begin := time.Now()
	for range 100 {
		check(t, g.Launch())
	}
	got := make([]float32, 1)
	check(t, x.Read(t.Context(), got))
	t.Logf("a graph of 10 kernels: %v each", time.Since(begin)/100)
	if got[0] != 1000 {
		t.Fatalf("100 times 10 kernels made %v, want 1000", got[0])
	}
	// What fails while it is captured gives its own error and leaves the queue usable.
	fault := errors.New("no")
	if _, err := d.Capture(func() error { return fault }); !errors.Is(err, fault) {
		t.Fatalf("got %v", err)
	}
	check(t, g.Close())
	wantCode(t, g.Launch(), gpu.Argument)
	check(t, k.Launch(threads(1, 1), x, one, x, 1))
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
		k := kernel(t, d, module(t, "sm_75", add()), "add")
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

// A kernel that waits for the host is left, and everything goes on when it ends.
func TestHungKernel(t *testing.T) {
	d := card(t)
	b := ptx.NewKernel("spin")
	flag := b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: b.Param(ptx.U64, "flag")})
	b.While(func() ptx.Operand {
		return b.Let(ptx.Pred, "setp.eq.u32", b.Let(ptx.U32, "ld.volatile.global.u32", ptx.Addr{Base: flag}), ptx.Int(0))
	}, func() {})
	b.Emit("ret")
	k := kernel(t, d, module(t, "sm_75", b), "spin")
	h, err := gpu.AllocPinned[uint32](d, 1)
	check(t, err)
	x := alloc[uint32](t, d, 1)
	release := func() { atomic.StoreUint32(&h.Slice()[0], 1) }
	t.Cleanup(func() {
		if h.Slice() != nil {
			release()
		}
	})
	check(t, k.Launch(threads(1, 1), h))

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err = d.Wait(ctx)
	wantCode(t, err, gpu.Left)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the error is not that of the context: %v", err)
	}
	t.Log(err)
	wantCode(t, x.Read(ctx, make([]uint32, 1)), gpu.Left)
	wantCode(t, x.Close(), gpu.Left)
	wantCode(t, d.Close(), gpu.Left)
	release()
	check(t, d.Wait(t.Context()))
	check(t, x.Close())
}

// A copy of a box by a tensor map.
func TestTensorMap(t *testing.T) {
	d := card(t)
	if d.Info().Chip < "sm_90" && len(d.Info().Chip) == len("sm_90") {
		t.Skip(d.Info().Chip, "has no tensor maps")
	}
	m, err := d.LoadPTX(`.version 8.0
.target sm_90
.address_size 64
.visible .entry box(.param .align 64 .b8 map[128], .param .u64 to)
{
	.reg .pred %p<2>;
	.reg .b32 %r<5>;
	.reg .b64 %rd<5>;
	.shared .align 128 .b8 tile[256];
	.shared .align 8 .b64 full;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, tile;
	mov.u32 %r2, full;
	mov.b64 %rd0, map;
	cvta.param.u64 %rd1, %rd0;
	setp.ne.u32 %p0, %r0, 0;
	@%p0 bra ready;
	mbarrier.init.shared::cta.b64 [%r2], 1;
	fence.mbarrier_init.release.cluster;
	mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r2], 256;
	cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1, {4, 2}], [%r2];
ready:
	bar.sync 0;
wait:
	mbarrier.try_wait.parity.shared::cta.b64 %p1, [%r2], 0;
	@!%p1 bra wait;
	mad.lo.u32 %r3, %r0, 4, %r1;
	ld.shared.u32 %r4, [%r3];
	ld.param.u64 %rd2, [to];
	mad.wide.u32 %rd3, %r0, 4, %rd2;
	st.global.u32 [%rd3], %r4;
	ret;
}
`)
	check(t, err)
	k, err := m.Kernel("box")
	check(t, err)
	src := make([]uint32, 32*16)
	for i := range src {
		src[i] = uint32(i)
	}
	in, out := upload(t, d, src), alloc[uint32](t, d, 64)
	tensor := gpu.Tensor{
		Type: gpu.TensorU32, Addr: in.Addr(), Shape: []uint64{32, 16}, Stride: []uint64{128}, Box: []uint32{8, 8},
	}
	tm, err := d.TensorMap(tensor)
	check(t, err)
	check(t, k.Launch(threads(1, 64), tm, out))
	got := make([]uint32, 64)
	check(t, out.Read(t.Context(), got))
	for i, v := range got {
		if want := uint32((2+i/8)*32 + 4 + i%8); v != want {
			t.Fatalf("element %d is %d, want %d", i, v, want)
		}
	}
	wantCode(t, k.Launch(threads(1, 64), in, out), gpu.Argument) // an address is no tensor map
	tensor.Stride = []uint64{100}
	_, err = d.TensorMap(tensor)
	t.Log(wantCode(t, err, gpu.Failed))
	tensor.Stride = nil
	_, err = d.TensorMap(tensor)
	t.Log(wantCode(t, err, gpu.Argument))
}

func TestTime(t *testing.T) {
	d := card(t)
	t.Logf("%+v", d.Info())
	k := kernel(t, d, module(t, "sm_75", add()), "add")
	const n = 32 << 20
	x, y, sum := upload(t, d, random(n)), upload(t, d, random(n)), alloc[float32](t, d, n)
	cases := []gpu.Case{
		{Name: "all", Run: func() error { return k.Launch(threads(n/256, 256), x, y, sum, n) }},
		{Name: "small", Run: func() error { return k.Launch(threads(1<<10, 256), x, y, sum, 1<<18) }},
		{Name: "copy", Run: func() error { return sum.Copy(x) }},
	}
	for _, cold := range []bool{false, true} {
		r, err := d.Time(t.Context(), gpu.TimeOptions{Rounds: 11, Cold: cold}, cases...)
		check(t, err)
		t.Log(r.Clocks)
		for _, c := range r.Cases {
			if len(c.Each) != 11 || c.Median() <= 0 {
				t.Errorf("cold %v, %s: %d measurements, median %v", cold, c.Name, len(c.Each), c.Median())
			}
			t.Logf("cold %v, %s: median %v, %v to %v, batch %d, graph %v",
				cold, c.Name, c.Median(), c.Quantile(0), c.Quantile(1), c.Batch, c.Graph)
		}
		if s := r.Cases[0].Median().Seconds(); s > 0 {
			t.Logf("all: %.0f GB/s", 12*n/s/1e9)
		}
	}
	// What cannot be part of a graph is timed without one.
	host := make([]float32, 1)
	r, err := d.Time(t.Context(), gpu.TimeOptions{Rounds: 3}, gpu.Case{Name: "waits", Run: func() error { return x.Read(t.Context(), host) }})
	check(t, err)
	t.Logf("a read of 4 bytes: %v, graph %v", r.Cases[0].Median(), r.Cases[0].Graph)
	if r.Cases[0].Graph {
		t.Error("a graph waits for the host")
	}
	fault := errors.New("no")
	_, err = d.Time(t.Context(), gpu.TimeOptions{}, gpu.Case{Name: "bad", Run: func() error { return fault }})
	if !errors.Is(err, fault) {
		t.Fatalf("got %v", err)
	}
	_, err = d.Time(t.Context(), gpu.TimeOptions{})
	wantCode(t, err, gpu.Argument)
}

func TestClosedDevice(t *testing.T) {
	d := card(t)
	m, err := d.Load(module(t, "sm_75", add()))
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
