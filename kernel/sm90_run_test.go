package kernel_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// relay copies A to B tile by tile; the TMA moves each tile into and out of shared memory. The blocks of a cluster
// share a tile.
func relay(t testing.TB, tile [2]int64, cluster int64, layout cute.Composed) *kernel.Kernel {
	t.Helper()
	k, err := kernel.Trace("relay", 64, func(k *kernel.K) {
		k.Cluster(cluster, 1, 1)
		m, n := k.Int("m", extent(1)), k.Int("n", extent(8))
		one, all, zero := kernel.Int(1), kernel.Open, kernel.Int(0)
		mA := k.TmaTensor("A", dtype.F16, kernel.Modes(m, n), n, one)
		mB := k.TmaTensor("B", dtype.F16, kernel.Modes(m, n), n, one)
		// All blocks of a cluster load the same tile of A and store it to the same place of B.
		k.Grid(m.CeilDiv(tile[0]).Mul(kernel.Int(cluster)), n.CeilDiv(tile[1]))
		rank, shape := k.BlockRankInCluster(), kernel.Shape(tile[0], tile[1])
		s := k.Shared("s", dtype.F16, layout)
		load, store := k.MakeTmaAtom(mA, s, shape, cluster), k.MakeTmaAtom(mB, s, shape, 1)
		x := k.BlockIdx(0).Div(cluster)
		tAgA, tAsA := k.TmaPartition(load, rank, s, k.LocalTile(mA, shape, x, k.BlockIdx(1)))
		tBgB, tBsB := k.TmaPartition(store, zero, s, k.LocalTile(mB, shape, x, k.BlockIdx(1)))
		pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{
			Stages: 1, Bytes: load.Bytes(), Consumers: 64, Shared: true,
		})
		k.ClusterSync()
		in := pipe.ConsumerState(zero)
		k.If(k.WarpIdx().Less(one), func() {
			k.If(k.ElectOne(), func() {
				out := pipe.ProducerState(zero)
				pipe.ProducerAcquire(out)
				k.CopyTma(load.With(pipe.ProducerGetBarrier(out)), k.Slice(tAgA, all), k.Slice(tAsA, all))
				pipe.ProducerCommit(out)
			})
		})
		pipe.ConsumerWait(in)
		k.NamedBarrierSync(64, 3)
		k.If(k.ThreadIdx().Less(one), func() {
			k.If(k.BlockRankInCluster().Less(one), func() { k.CopyTma(store, tBsB, tBgB) })
			k.TmaStoreArrive()
			k.TmaStoreWait(0)
		})
		pipe.ConsumerRelease(in)
		k.ClusterSync()
	})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

func TestTmaRelay(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		tile    [2]int64
		cluster int64
		layout  cute.Composed
	}{
		{[2]int64{64, 64}, 1, composedOf(t, 3, 3, 3, "(64,64):(64,1)")},
		{[2]int64{64, 64}, 2, composedOf(t, 3, 3, 3, "(64,64):(64,1)")},
		{[2]int64{64, 64}, 4, composedOf(t, 3, 3, 3, "(64,64):(64,1)")},
		{[2]int64{32, 128}, 1, composedOf(t, 3, 3, 3, "(32,(64,2)):(64,(1,2048))")}, // two instructions
		{[2]int64{32, 128}, 2, composedOf(t, 3, 3, 3, "(32,(64,2)):(64,(1,2048))")},
		{[2]int64{32, 32}, 2, composedOf(t, 2, 3, 3, "(32,32):(32,1)")},
		{[2]int64{16, 24}, 1, cute.MustParse("(16,24):(24,1)").Composed()},
	} {
		k := relay(t, tt.tile, tt.cluster, tt.layout)
		for _, shape := range [][2]int{{64, 128}, {1, 8}, {50, 8}, {97, 200}} { // rows of 8 are contiguous
			m, n := shape[0], shape[1]
			a, b := make([]uint16, m*n), make([]uint16, m*n)
			for i := range a {
				a[i] = uint16(i*7 + 1)
			}
			r := run(t, k, launch{args: []any{m, n, a, b}})
			for i := range a {
				if a[i] != b[i] {
					t.Fatalf("%v of %d, %v: element %d is %d, want %d", tt.tile, tt.cluster, shape, i, b[i], a[i])
				}
			}
			// Whole boxes are loaded and stored, including those that cross the edges; a block of a cluster loads its
			// part of a tile.
			up := func(n int, by int64) int64 { return (int64(n) + by - 1) / by * by }
			if got, want := r.Traffic.Bulk, 2*2*up(m, tt.tile[0])*up(n, tt.tile[1]); got != want {
				t.Errorf("%v of %d, %v: %d bytes were copied, want %d", tt.tile, tt.cluster, shape, got, want)
			}
		}
	}
}

// TestStmatrix checks sums that stmatrix stores as halves to shared memory and the TMA copies out.
func TestStmatrix(t *testing.T) {
	t.Parallel()
	mma := wgmma(t, "SM90_64x64x16_F16F16F16_SS")
	st, err := atom.FindCopyAtom("SM90_U32x4_STSM_N", "half_t")
	if err != nil {
		t.Fatal(err)
	}
	out, err := atom.MakeTiledCopyC(st, mma)
	if err != nil {
		t.Fatal(err)
	}
	swizzled := composedOf(t, 3, 3, 3, "(64,64):(64,1)")
	k, err := kernel.Trace("stmatrix", 128, func(k *kernel.K) {
		m, n, depth := k.Int("m", extent(1)), k.Int("n", extent(8)), k.Int("k", symbolic.Facts{Min: 8, Max: 64, Div: 8})
		one, zero, shape := kernel.Int(1), kernel.Int(0), kernel.Shape(64, 64)
		var g, s, tiles, parts [3]kernel.Tensor
		var atoms [3]kernel.TmaAtom
		for i, extents := range [][]kernel.Index{{m, depth}, {n, depth}, {m, n}} {
			name := string(rune('A' + i))
			g[i] = k.TmaTensor(name, dtype.F16, extents, extents[1], one)
			s[i] = k.Shared("s"+name, dtype.F16, swizzled)
			atoms[i] = k.MakeTmaAtom(g[i], s[i], shape, 1)
			tiles[i], parts[i] = k.TmaPartition(atoms[i], zero, s[i], k.LocalTile(g[i], shape, zero, zero))
		}
		full := k.Barriers("full", 1).At(zero)
		k.If(k.ThreadIdx().Less(one), func() {
			full.Init(1)
			k.FenceBarrierInit()
			full.ArriveAndExpectTx(atoms[0].Bytes() + atoms[1].Bytes())
			k.CopyTma(atoms[0].With(full), tiles[0], parts[0])
			k.CopyTma(atoms[1].With(full), tiles[1], parts[1])
		})
		k.Sync()
		full.Wait(zero)
		thr := k.ThrMMA(mma, k.ThreadIdx())
		tCrC := thr.MakeFragmentC(thr.PartitionC(s[2]))
		k.Clear(tCrC)
		k.WarpgroupArrive()
		k.GemmTiled(mma, thr.MakeFragmentA(thr.PartitionA(s[0])), thr.MakeFragmentB(thr.PartitionB(s[1])), tCrC)
		k.WarpgroupCommitBatch()
		k.WarpgroupWait(0)
		cp := k.ThrCopy(out, k.ThreadIdx())
		k.CopyTiled(out, cp.RetileS(tCrC), cp.PartitionD(s[2]))
		k.TmaStoreFence()
		k.Sync()
		k.If(k.ThreadIdx().Less(one), func() {
			k.CopyTma(atoms[2], parts[2], tiles[2])
			k.TmaStoreArrive()
			k.TmaStoreWait(0)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, shape := range [][3]int{{64, 64, 64}, {33, 40, 24}} {
		m, n, d := shape[0], shape[1], shape[2]
		r := rand.New(rand.NewPCG(3, uint64(m)))
		a, b, c := small(t, r, dtype.F16, int64(m*d)), small(t, r, dtype.F16, int64(n*d)), make([]byte, 2*m*n)
		run(t, k, launch{args: []any{m, n, d, a.bytes, b.bytes, c}, grid: [3]int64{1, 1, 1}})
		for i := range m {
			for j := range n {
				want := 0.0
				for l := range d {
					want += a.values[i*d+l] * b.values[j*d+l]
				}
				if got := element(t, dtype.F16, c, int64(i*n+j)); got != want {
					t.Fatalf("%v: (%d,%d) is %v, want %v", shape, i, j, got, want)
				}
			}
		}
	}
}

// TestBulk copies rows by cp.async.bulk in both directions.
func TestBulk(t *testing.T) {
	t.Parallel()
	k, err := kernel.Trace("bulk", 32, func(k *kernel.K) {
		a := k.GlobalLayout("a", dtype.F32, cute.MustParse("(16,8):(1,16)"))
		b := k.GlobalLayout("b", dtype.F32, cute.MustParse("(16,8):(1,16)"))
		s := k.Shared("s", dtype.F32, cute.MustParse("(16,8):(1,16)"))
		bars, zero := k.Barriers("bar", 2), kernel.Int(0)
		full := bars.At(kernel.Int(1))
		k.If(k.ThreadIdx().Less(kernel.Int(1)), func() {
			full.Init(1)
			k.FenceBarrierInit()
			full.ArriveAndExpectTx(512)
			k.CopyBulk(full, a, s)
		})
		k.Sync()
		full.Wait(zero)
		own := k.Slice(s, k.ThreadIdx().Mod(16), kernel.Int(3))
		k.If(k.ThreadIdx().Less(kernel.Int(16)), func() {
			k.Store(k.Load(own).Add(k.Number(dtype.F32, 1)), own)
		})
		k.TmaStoreFence()
		k.Sync()
		k.If(k.ThreadIdx().Less(kernel.Int(1)), func() {
			k.CopyBulk(kernel.Barrier{}, s, b)
			k.TmaStoreArrive()
			k.TmaStoreWait(0)
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	a, b := random(128), make([]float32, 128)
	runOne(t, k, []any{a, b})
	for i := range a {
		want := a[i]
		if i/16 == 3 {
			want++
		}
		if b[i] != want {
			t.Fatalf("element %d is %v, want %v", i, b[i], want)
		}
	}
}

// TestTensorMap checks the map that the kernel makes for a launch.
func TestTensorMap(t *testing.T) {
	t.Parallel()
	k := relay(t, [2]int64{64, 64}, 1, composedOf(t, 3, 3, 3, "(64,64):(64,1)"))
	m, err := k.TensorMap("A", map[string]int64{"m": 100, "n": 40}, 4096)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(m.Dims, m.Strides, m.Box, m.Swizzle); got != "[40 100] [80] [64 64] CU_TENSOR_MAP_SWIZZLE_128B" {
		t.Error(got)
	}
	for _, tt := range []struct {
		name   string
		values map[string]int64
		at     uint64
		code   cute.Code
	}{
		{"C", nil, 0, cute.CodeName},
		{"A", map[string]int64{"m": 1}, 4096, cute.CodeUnknown},
		{"A", map[string]int64{"m": 1, "n": 7}, 4096, cute.CodeFact},
		{"A", map[string]int64{"m": 1, "n": 8}, 4100, cute.CodeNotDivisible},
	} {
		_, err := k.TensorMap(tt.name, tt.values, tt.at)
		wantCode(t, err, tt.code)
	}
	if _, err := relay(t, [2]int64{64, 64}, 2, composedOf(t, 3, 3, 3, "(64,64):(64,1)")).Grid(map[string]int64{
		"m": 1, "n": 8,
	}); err != nil {
		t.Error(err)
	}
	odd, err := kernel.Trace("odd", 32, func(k *kernel.K) {
		k.Cluster(2, 1, 1)
		k.Grid(k.Int("n", symbolic.Facts{Min: 1, Max: 9}))
	})
	if err != nil {
		t.Fatal(err)
	}
	_, err = odd.Grid(map[string]int64{"n": 3})
	wantCode(t, err, cute.CodeNotDivisible)
}

func wantCode(t *testing.T, err error, code cute.Code) {
	t.Helper()
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != code {
		t.Errorf("expected %s, found %v", code, err)
	}
}
