package kernel_test

import (
	"context"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// This file has whole kernels of sm_90: mbarriers, the TMA, clusters and launches that overlap.

// One thread copies a tile in and out by cp.async.bulk, with an mbarrier and a bulk group.
func ExampleBarrier() {
	k, err := kernel.Trace("increment", 32, func(k *kernel.K) {
		x := k.GlobalLayout("x", dtype.F32, cute.MustParse("(32,4):(1,32)"))
		k.Grid(kernel.Int(2))
		tile := k.LocalTile(x, kernel.Shape(32, 2), kernel.Int(0), k.BlockIdx(0))
		s := k.Shared("s", dtype.F32, cute.MustParse("(32,2):(1,32)"))
		zero, t := kernel.Int(0), k.ThreadIdx()
		full := k.Barriers("full", 1).At(zero)
		k.If(t.Equal(zero), func() {
			full.Init(1)
			k.FenceBarrierInit()
			full.ArriveAndExpectTx(64 * 4)
			k.CopyBulk(full, tile, s)
		})
		k.Sync() // full is initialised
		full.Wait(zero)
		for i := range int64(2) {
			k.Store(k.Load(s, t, kernel.Int(i)).Add(k.Number(dtype.F32, 1)), s, t, kernel.Int(i))
		}
		k.TmaStoreFence() // the copy engine reads what threads have written
		k.Sync()
		k.If(t.Equal(zero), func() {
			k.CopyBulk(kernel.Barrier{}, s, tile)
			k.TmaStoreArrive()
			k.TmaStoreWait(0)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float64, 128)
	x[127] = 41
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x}})
	fmt.Println(x[0], x[127], err)
	// Output: 1 42 <nil>
}

// C = A·B in halves: a warp copies tiles and ends with ProducerTail, a warpgroup multiplies them. The first product
// sets the sums, as in CuTe's ScaleOut::Zero. stmatrix stores the sums, and the TMA copies them out after a barrier of
// the warpgroup only.
func ExamplePipelineTmaAsync_ProducerTail() {
	mma := oneAtom(atom.FindMMA("SM90_64x64x16_F16F16F16_SS")) // a warpgroup
	store := kernel.Must(atom.MakeTiledCopyC(kernel.Must(atom.FindCopyAtom("SM90_U32x4_STSM_N", "half_t")), mma))
	k, err := kernel.Trace("hgemm", 256, func(k *kernel.K) {
		m, n, depth := k.Int("m", upTo(1)), k.Int("n", upTo(8)), k.Int("k", upTo(8))
		zero, one, all, shape := kernel.Int(0), kernel.Int(1), kernel.Open, kernel.Shape(64, 64)
		mA := k.TmaTensor("A", dtype.F16, kernel.Modes(m, depth), depth, one)
		mB := k.TmaTensor("B", dtype.F16, kernel.Modes(n, depth), depth, one)
		mC := k.TmaTensor("C", dtype.F16, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(64), n.CeilDiv(64))
		gA, gB := k.LocalTile(mA, shape, k.BlockIdx(0), all), k.LocalTile(mB, shape, k.BlockIdx(1), all)
		gC := k.LocalTile(mC, shape, k.BlockIdx(0), k.BlockIdx(1))
		ring := cute.MustParseComposed("Sw<3,3,3> o 0 o (64,64,2):(64,1,4096)")
		sA, sB := k.Shared("sA", dtype.F16, ring), k.Shared("sB", dtype.F16, ring)
		sC := k.Shared("sC", dtype.F16, cute.MustParseComposed(tileSW128))
		tmaA := k.MakeTmaAtom(mA, k.Slice(sA, all, all, zero), shape, 1)
		tmaB := k.MakeTmaAtom(mB, k.Slice(sB, all, all, zero), shape, 1)
		tmaC := k.MakeTmaAtom(mC, sC, shape, 1)
		tAgA, tAsA := k.TmaPartition(tmaA, zero, sA, gA)
		tBgB, tBsB := k.TmaPartition(tmaB, zero, sB, gB)
		tCgC, tCsC := k.TmaPartition(tmaC, zero, sC, gC)
		pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{
			Stages: 2, Bytes: tmaA.Bytes() + tmaB.Bytes(), Consumers: 128,
		})
		k.Sync()
		tiles := gA.Extent(2)
		k.IfElse(k.WarpgroupIdx().Less(one), func() {
			thr, tid := k.ThrMMA(mma, k.WarpgroupThreadIdx()), k.WarpgroupThreadIdx()
			tCrA, tCrB := thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB))
			tCrC := thr.MakeFragmentC(thr.PartitionC(sC))
			k.For(zero, tiles, func(i kernel.Index) {
				state := pipe.ConsumerState(i)
				pipe.ConsumerWait(state)
				k.WarpgroupArrive()
				k.WarpgroupFenceOperand(tCrC)
				k.Accumulate(zero.Less(i), func() {
					k.GemmTiled(mma, k.Slice(tCrA, all, all, all, state.Index()), k.Slice(tCrB, all, all, all, state.Index()), tCrC)
				})
				k.WarpgroupCommitBatch()
				k.WarpgroupWait(0)
				pipe.ConsumerRelease(state)
			})
			cp := k.ThrCopy(store, tid)
			k.CopyTiled(store, cp.RetileS(tCrC), cp.PartitionD(sC))
			k.TmaStoreFence()
			k.NamedBarrierSync(128, 1)
			k.If(k.ThreadIdx().Equal(zero), func() {
				k.CopyTma(tmaC, tCsC, tCgC)
				k.TmaStoreArrive()
				k.TmaStoreWait(0)
			})
		}, func() {
			k.If(k.WarpIdx().Less(kernel.Int(5)), func() {
				k.If(k.ElectOne(), func() {
					k.For(zero, tiles, func(i kernel.Index) {
						k.If(i.Add(one).Less(tiles), func() { k.PrefetchTma(tmaA, k.Slice(tAgA, all, i.Add(one))) })
						state := pipe.ProducerState(i)
						pipe.ProducerAcquire(state)
						full := pipe.ProducerGetBarrier(state)
						k.CopyTma(tmaA.With(full), k.Slice(tAgA, all, i), k.Slice(tAsA, all, state.Index()))
						k.CopyTma(tmaB.With(full), k.Slice(tBgB, all, i), k.Slice(tBsB, all, state.Index()))
						pipe.ProducerCommit(state)
					})
					pipe.ProducerTail(pipe.ProducerState(tiles)) // until the consumers have released all stages
				})
			})
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	const m, n, depth = 70, 72, 136
	a, b, c := make([]float64, m*depth), make([]float64, n*depth), make([]float64, m*n)
	for i := range a {
		a[i] = float64(i % 2)
	}
	for i := range b {
		b[i] = 0.5
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"m": m, "n": n, "k": depth}, Tensors: map[string][]float64{"A": a, "B": b, "C": c},
	})
	fmt.Println(c[0], c[m*n-1], err)
	// Output: 34 34 <nil>
}

// Two blocks share a tile: each loads half of it for both. Both arrive at an mbarrier of block 0 after
// their reads.
func ExampleTmaAtom_WithMask() {
	k, err := kernel.Trace("multicast", 32, func(k *kernel.K) {
		k.Cluster(2, 1, 1)
		k.Grid(kernel.Int(2))
		zero, one, all, shape := kernel.Int(0), kernel.Int(1), kernel.Open, kernel.Shape(16, 64)
		mA := k.TmaTensor("A", dtype.F16, kernel.Modes(kernel.Int(16), kernel.Int(64)), kernel.Int(64), one)
		y := k.GlobalLayout("y", dtype.F16, cute.MustParse("(2,32):(32,1)"))
		s := k.Shared("s", dtype.F16, cute.MustParseComposed("Sw<3,3,3> o 0 o (16,64):(64,1)"))
		tma, rank := k.MakeTmaAtom(mA, s, shape, 2), k.BlockRankInCluster()
		tAgA, tAsA := k.TmaPartition(tma, rank, s, k.LocalTile(mA, shape, zero, zero))
		bars := k.Barriers("bars", 2)
		full, done := bars.At(zero), bars.At(one)
		first := k.ThreadIdx().Equal(zero)
		k.If(first, func() {
			full.Init(1)
			done.Init(2)
			k.FenceBarrierInit()
			full.ArriveAndExpectTx(tma.Bytes()) // both halves
		})
		k.ClusterArrive()
		k.ClusterWait() // the barriers of both blocks are initialised
		k.If(first, func() { k.CopyTma(tma.WithMask(full, kernel.Int(3)), k.Slice(tAgA, all), k.Slice(tAsA, all)) })
		full.Wait(zero)
		k.Store(k.Load(s, rank.Mul(kernel.Int(8)), k.ThreadIdx()), y, rank, k.ThreadIdx())
		done.ArriveCluster(zero, first)
		k.If(rank.Equal(zero), func() { done.Wait(zero) })
		k.ClusterSync()
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, y := make([]float64, 16*64), make([]float64, 64)
	for i := range a {
		a[i] = float64(i)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"A": a, "y": y}})
	fmt.Println(y[31], y[63], err)
	// Output: 31 543 <nil>
}

// A launch that overlaps the one before prepares what does not depend on its results, here a table of weights in
// shared memory. gpu.Config says that launches may overlap.
func ExampleK_GridDependencyWait() {
	k, err := kernel.Trace("weigh", 32, func(k *kernel.K) {
		w, x := k.GlobalLayout("w", dtype.F32, parse("32:1")), k.GlobalLayout("x", dtype.F32, parse("32:1"))
		t := k.ThreadIdx()
		weight := k.Load(w, t).Rsqrt()
		k.GridDependencyWait() // x is what the launch before has written
		k.Store(k.Load(x, t).Mul(weight), x, t)
		k.GridDependencyLaunch() // the next one may begin
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	w, x := make([]float64, 32), make([]float64, 32)
	w[0], x[0] = 4, 6
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"w": w, "x": x}})
	fmt.Println(x[0], err)
	// Output: 3 <nil>
}

// Warp 0 fills a buffer and goes on; warp 1 waits for it. Arrive does not wait, Sync does.
func ExampleK_NamedBarrierArrive() {
	k, err := kernel.Trace("hand", 64, func(k *kernel.K) {
		x, s := k.GlobalLayout("x", dtype.F32, parse("32:1")), k.Shared("s", dtype.F32, parse("32:1"))
		lane := k.ThreadIdx().Mod(32)
		k.IfElse(k.WarpIdx().Equal(kernel.Int(0)), func() {
			k.Store(k.Load(x, lane), s, lane)
			k.NamedBarrierArrive(64, 1)
		}, func() {
			k.NamedBarrierSync(64, 1)
			k.Store(k.Load(s, kernel.Int(31).Sub(lane)), x, lane)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := make([]float64, 32)
	x[31] = 7
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x}})
	fmt.Println(x[0], err)
	// Output: 7 <nil>
}

// A ring of two stages by hand: a thread copies tiles of 32 numbers, and each lane of the other warp arrives when it
// has read its number. The tiles are made by the block itself, so a fence orders the writes before the bulk copies.
func ExampleBarrier_Arrive() {
	k, err := kernel.Trace("ring", 64, func(k *kernel.K) {
		const stages, tiles = 2, 6
		x := k.GlobalLayout("x", dtype.F32, cute.MustParse("(32,6):(1,32)"))
		y, s := k.GlobalLayout("y", dtype.F32, parse("32:1")), k.Shared("s", dtype.F32, cute.MustParse("(32,2):(1,32)"))
		full, empty := k.Barriers("full", stages), k.Barriers("empty", stages)
		all, t, lane := kernel.Open, k.ThreadIdx(), k.ThreadIdx().Mod(32)
		k.If(t.Equal(kernel.Int(0)), func() {
			for i := range int64(stages) {
				full.At(kernel.Int(i)).Init(1)
				empty.At(kernel.Int(i)).Init(32)
			}
			k.FenceBarrierInit()
		})
		k.ForStep(t.Div(32), kernel.Int(tiles), kernel.Int(2), func(i kernel.Index) {
			k.Store(i.Value(dtype.F32), x, lane, i)
		})
		k.FenceProxyAsyncGlobal()
		k.Sync()
		k.IfElse(k.WarpIdx().Equal(kernel.Int(0)), func() {
			k.If(k.ElectOne(), func() {
				k.For(kernel.Int(0), kernel.Int(tiles), func(i kernel.Index) {
					stage, phase := i.Mod(stages), i.Div(stages).Mod(2)
					k.PrefetchBulk(k.Slice(x, all, i))
					empty.At(stage).Wait(kernel.Int(1).Sub(phase)) // at once in the first round
					full.At(stage).ArriveAndExpectTx(32 * 4)
					k.CopyBulk(full.At(stage), k.Slice(x, all, i), k.Slice(s, all, stage))
				})
			})
		}, func() {
			none, end := k.Number(dtype.F32, 0), kernel.Int(tiles)
			sum := k.ForCarry(kernel.Int(0), end, none, func(i kernel.Index, v kernel.Value) kernel.Value {
				stage := i.Mod(stages)
				full.At(stage).Wait(i.Div(stages).Mod(2))
				v = v.Add(k.Load(s, lane, stage))
				empty.At(stage).Arrive()
				return v
			})
			k.Store(sum, y, lane)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := make([]float64, 192), make([]float64, 32)
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"x": x, "y": y}})
	fmt.Println(y[0], y[31], err)
	// Output: 15 15 <nil>
}

// The parts of a sum over K are added to C by the TMA, one block for each part: split-K without atomics of threads.
func ExampleTmaAtom_Add() {
	k, err := kernel.Trace("split_k", 32, func(k *kernel.K) {
		k.Grid(kernel.Int(3))
		zero, one, shape := kernel.Int(0), kernel.Int(1), kernel.Shape(8, 32)
		mC := k.TmaTensor("C", dtype.F32, kernel.Modes(kernel.Int(8), kernel.Int(32)), kernel.Int(32), one)
		s := k.Shared("s", dtype.F32, cute.MustParse("(8,32):(32,1)"))
		tma := k.MakeTmaAtom(mC, s, shape, 1)
		tCgC, tCsC := k.TmaPartition(tma, zero, s, k.LocalTile(mC, shape, zero, zero))
		for i := range int64(8) { // a product's tile in a real kernel
			k.Store(k.BlockIdx(0).Add(kernel.Int(i)).Value(dtype.F32), s, kernel.Int(i), k.ThreadIdx())
		}
		k.TmaStoreFence()
		k.Sync()
		k.If(k.ThreadIdx().Equal(zero), func() {
			k.CopyTma(tma.Add(), tCsC, tCgC)
			k.TmaStoreArrive()
			k.TmaStoreWait(0)
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	c := make([]float64, 256)
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"C": c}})
	fmt.Println(c[0], c[255], err)
	m, err := k.TensorMap("C", nil, 4096) // as cuTensorMapEncodeTiled takes it
	fmt.Println(m.Dims, m.Strides, m.Box, err)
	// Output:
	// 3 24 <nil>
	// [32 8] [128] [32 8] <nil>
}

// The stage and the parity of each iteration of a ring of two: the producer waits for the other parity, so that it does
// not wait in its first round.
func ExamplePipelineState() {
	k, err := kernel.Trace("states", 32, func(k *kernel.K) {
		y := k.GlobalLayout("y", dtype.S32, cute.MustParse("(3,6):(6,1)"))
		pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{Stages: 2, Bytes: 1024, Consumers: 32})
		k.If(k.ThreadIdx().Equal(kernel.Int(0)), func() {
			k.For(kernel.Int(0), kernel.Int(6), func(i kernel.Index) {
				reads, writes := pipe.ConsumerState(i), pipe.ProducerState(i)
				for row, x := range []kernel.Index{reads.Index(), reads.Phase(), writes.Phase()} {
					k.Store(x.Value(dtype.S32), y, kernel.Int(int64(row)), i)
				}
			})
		})
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	y := make([]float64, 18)
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"y": y}})
	fmt.Println(y[:6], y[6:12], y[12:], err)
	// Output: [0 1 0 1 0 1] [0 0 1 1 0 0] [1 1 0 0 1 1] <nil>
}
