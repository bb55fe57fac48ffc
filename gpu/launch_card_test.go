package gpu_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"girih/gpu"
	"girih/internal/card/trial"
	"girih/ptx"
)

func TestTooLargeALaunch(t *testing.T) {
	d := card(t)
	k := entry(t, d, module(t, "sm_75", trial.Add()), "add")
	x := alloc[float32](t, d, 1)
	many := 1 << 30
	many *= 2 // negative if an int has 32 bits, and refused as well
	for _, c := range []gpu.Config{
		threads(1, 2048), threads(many, 32), threads(-1, 32),
		{Grid: gpu.Dim{X: 1, Y: 65536}, Block: gpu.Dim{X: 32}},
		{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: 32, Y: 32, Z: 2}},
		{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: 32}, Shared: 1 << 20},
		{Grid: gpu.Dim{X: 3}, Block: gpu.Dim{X: 32}, Cluster: gpu.Dim{X: 2}},
	} {
		t.Log(wantCode(t, k.Launch(c, x, x, x, 1), gpu.Argument))
	}
	// Only the driver refuses a cluster with more blocks than can run together.
	c := gpu.Config{Grid: gpu.Dim{X: 64}, Block: gpu.Dim{X: 32}, Cluster: gpu.Dim{X: 64}}
	if err := k.Launch(c, x, x, x, 1); err == nil {
		t.Error("a cluster of 64 blocks was launched")
	} else {
		t.Log(err)
	}
	// A refused launch is not a fault: the next launch runs.
	check(t, k.Launch(gpu.Config{Grid: gpu.Dim{X: 1}, Block: gpu.Dim{X: 32}, Shared: 100 << 10}, x, x, x, 1))
	check(t, d.Wait(t.Context()))
}

// TestCluster runs a kernel in which each block writes its rank in the cluster and the size of the cluster.
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
	k := entry(t, d, module(t, "sm_90", b), "ranks")
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
	// All blocks of a cooperative launch run at the same time; a million blocks do not fit.
	c := gpu.Config{Grid: gpu.Dim{X: 1 << 20}, Block: gpu.Dim{X: 1}, Cooperative: true}
	t.Log(wantCode(t, k.Launch(c, out), gpu.BadLaunch))
}

// TestFault runs a kernel that writes to a bad address. The test starts a process for this kernel, because the fault
// breaks the context of the process.
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
	b.Emit("st.global.u32", ptx.Addr{Base: b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: b.Param(ptx.U64, "to")})},
		ptx.Int(1))
	b.Emit("ret")
	x := alloc[uint32](t, d, 1)
	check(t, entry(t, d, module(t, "sm_75", b), "bad").Launch(threads(1, 1), uint64(64)))
	t.Log(wantCode(t, d.Wait(t.Context()), gpu.Fault))
	wantCode(t, x.Read(t.Context(), make([]uint32, 1)), gpu.Fault)
	if d.Close() == nil {
		t.Error("closing a broken context returned no error")
	}
}

func TestGraph(t *testing.T) {
	d := card(t)
	k := entry(t, d, module(t, "sm_75", trial.Add()), "add")
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
	// If queue fails, Capture returns its error and the queue stays usable.
	fault := errors.New("no")
	if _, err := d.Capture(func() error { return fault }); !errors.Is(err, fault) {
		t.Fatalf("got %v", err)
	}
	check(t, g.Close())
	wantCode(t, g.Launch(), gpu.Argument)
	check(t, k.Launch(threads(1, 1), x, one, x, 1))
}

// spin returns a kernel that runs until release is called, and its argument.
func spin(t *testing.T, d *gpu.Device) (k *gpu.Kernel, flag *gpu.Pinned[uint32], release func()) {
	t.Helper()
	b := ptx.NewKernel("spin")
	at := b.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: b.Param(ptx.U64, "flag")})
	b.While(func() ptx.Operand {
		return b.Let(ptx.Pred, "setp.eq.u32", b.Let(ptx.U32, "ld.volatile.global.u32", ptx.Addr{Base: at}), ptx.Int(0))
	}, func() {})
	b.Emit("ret")
	k = entry(t, d, module(t, "sm_75", b), "spin")
	flag, err := gpu.AllocPinned[uint32](d, 1)
	check(t, err)
	release = func() {
		if s := flag.Slice(); s != nil {
			atomic.StoreUint32(&s[0], 1)
		}
	}
	t.Cleanup(release)
	return k, flag, release
}

// TestHungKernel checks that a wait for a kernel that does not end can be given up, and that everything works again
// when the kernel ends.
func TestHungKernel(t *testing.T) {
	d := card(t)
	k, h, release := spin(t, d)
	x := alloc[uint32](t, d, 1)
	check(t, k.Launch(threads(1, 1), h))

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := d.Wait(ctx)
	wantCode(t, err, gpu.Left)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("the error does not wrap the cause of the context: %v", err)
	}
	t.Log(err)
	wantCode(t, x.Read(ctx, make([]uint32, 1)), gpu.Left)
	wantCode(t, x.Close(), gpu.Left)
	wantCode(t, d.Close(), gpu.Left)
	release()
	check(t, d.Wait(t.Context()))
	check(t, x.Close())
}

// TestTensorMap copies a box with a tensor map.
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
	wantCode(t, k.Launch(threads(1, 64), in, out), gpu.Argument) // an address is not a tensor map
	tensor.Stride = []uint64{100}
	_, err = d.TensorMap(tensor)
	t.Log(wantCode(t, err, gpu.Failed))
	tensor.Stride = nil
	_, err = d.TensorMap(tensor)
	t.Log(wantCode(t, err, gpu.Argument))
}
