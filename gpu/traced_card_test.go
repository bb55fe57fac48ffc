package gpu_test

import (
	"slices"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/gpu"
	"girih/kernel"
	"girih/symbolic"
)

// box returns a kernel that copies tiles of a with the TMA to shared memory, and from there to b.
func box() (*kernel.Kernel, error) {
	return kernel.Trace("box", 128, func(k *kernel.K) {
		m, n := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 16}), k.Int("n", symbolic.Facts{Min: 8, Max: 1 << 16, Div: 8})
		a := k.TmaTensor("a", dtype.F16, kernel.Modes(m, n), n, kernel.Int(1))
		b := k.Global("b", dtype.F16, kernel.Modes(m, n), n, kernel.Int(1))
		s := k.Shared("s", dtype.F16, cute.MustParseComposed("Sw<3,3,3> o 0 o (32,64):(64,1)"))
		k.Grid(m.CeilDiv(32), n.CeilDiv(64))
		x, y, zero, first := k.BlockIdx(0), k.BlockIdx(1), kernel.Int(0), k.ThreadIdx().Less(kernel.Int(1))
		tma := k.MakeTmaAtom(a, s, kernel.Shape(32, 64), 1)
		from, to := k.TmaPartition(tma, zero, s, k.LocalTile(a, kernel.Shape(32, 64), x, y))
		full := k.Barriers("full", 1).At(zero)
		k.If(first, func() {
			full.Init(1)
			k.FenceBarrierInit()
		})
		k.Sync()
		k.If(first, func() {
			full.ArriveAndExpectTx(tma.Bytes())
			k.CopyTma(tma.With(full), from, to)
		})
		full.Wait(zero)
		words := kernel.Must(atom.FindCopyAtom("UniversalCopy<uint128_t>", "half_t"))
		store := k.ThrCopy(kernel.Must(atom.MakeTiledCopy(words, cute.MustParse("(16,8):(8,1)"),
			cute.MustParse("(1,8):(0,1)"))), k.ThreadIdx())
		k.CopyIf(store.PartitionS(s), store.PartitionD(k.LocalTile(b, kernel.Shape(32, 64), x, y)))
	})
}

// TestTraced runs a kernel with a tensor map in the simulator and, if there is a card, on the card.
func TestTraced(t *testing.T) {
	const m, n = 45, 72
	k, err := box()
	check(t, err)
	a, b := make([]float64, m*n), make([]float64, m*n)
	codes := make([]uint16, m*n)
	for i := range a {
		a[i] = float64(i % 1000)
		code, err := dtype.F16.Encode(a[i])
		check(t, err)
		codes[i] = uint16(code)
	}
	_, err = k.Simulate(t.Context(), kernel.Args{
		Ints: map[string]int64{"m": m, "n": n}, Tensors: map[string][]float64{"a": a, "b": b},
	})
	check(t, err)
	for i := range a {
		if a[i] != b[i] {
			t.Fatalf("element %d is %v in the simulator, expected %v", i, b[i], a[i])
		}
	}
	d := card(t)
	if d.Info().Chip < "sm_90" {
		t.Skip("no TMA")
	}
	l, err := d.LoadKernel(k)
	check(t, err)
	out := alloc[uint16](t, d, m*n)
	check(t, l.Launch(gpu.Args{"m": m, "n": n, "a": upload(t, d, codes), "b": out}))
	got := make([]uint16, m*n)
	check(t, out.Read(t.Context(), got))
	for i, x := range codes {
		if got[i] != x {
			t.Fatalf("element %d is %#x on the card, expected %#x", i, got[i], x)
		}
	}
}

// TestLargeCluster launches clusters of 16 blocks, which the kernel must allow, in the simulator and, if there is a
// card, on the card. Each block writes its rank.
func TestLargeCluster(t *testing.T) {
	k, err := kernel.Trace("ranks", 32, func(k *kernel.K) {
		k.Cluster(4, 4, 1)
		out := k.Global("out", dtype.S32, kernel.Modes(kernel.Int(32)), kernel.Int(1))
		k.Grid(kernel.Int(8), kernel.Int(4))
		k.If(k.ThreadIdx().Less(kernel.Int(1)), func() {
			block := k.BlockIdx(0).Add(k.BlockIdx(1).Mul(kernel.Int(8)))
			k.Store(k.BlockRankInCluster().Value(dtype.S32), out, block)
		})
	})
	check(t, err)
	want := make([]int32, 32)
	for i := range want {
		want[i] = int32(i%4 + i/8*4)
	}
	out := make([]float64, len(want))
	_, err = k.Simulate(t.Context(), kernel.Args{Tensors: map[string][]float64{"out": out}})
	check(t, err)
	for i, x := range want {
		if out[i] != float64(x) {
			t.Fatalf("block %d has the rank %v in the simulator, expected %d", i, out[i], x)
		}
	}
	d := card(t)
	if d.Info().Chip < "sm_90" {
		t.Skip("no clusters")
	}
	l, err := d.LoadKernel(k)
	check(t, err)
	ranks := alloc[int32](t, d, len(want))
	check(t, l.Launch(gpu.Args{"out": ranks}))
	got := make([]int32, len(want))
	check(t, ranks.Read(t.Context(), got))
	if !slices.Equal(got, want) {
		t.Fatalf("the ranks are %v on the card, expected %v", got, want)
	}
}
