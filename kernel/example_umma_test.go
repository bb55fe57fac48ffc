package kernel_test

import (
	"context"
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
)

// This file has whole kernels of sm_100a: tcgen05.mma and tensor memory.

// ummaOf returns a tiled MMA of halves for tiles of 128 by 64, and a layout of 128 or 64 rows of 64 halves.
func ummaOf() (atom.TiledMMA, func(rows int64) cute.Composed) {
	mma := oneAtom(atom.FindMMA("SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,K,K>"))
	return mma, func(rows int64) cute.Composed {
		s := kernel.Must(descriptor.SelectSM100.Select(atom.KMajor, dtype.F16, [2]int64{rows, 64}, 1))
		return kernel.Must(s.Atom.TileToShape(cute.Ints(rows, 64), cute.Tuple{}))
	}
}

// One tile of C = A·B: threads copy A and B to shared memory, one thread starts the instructions, and all load C.
func ExampleTmemAllocator() {
	mma, layout := ummaOf()
	k, err := kernel.Trace("umma", 128, func(k *kernel.K) {
		zero, tid, first := kernel.Int(0), k.ThreadIdx(), k.WarpIdx().Less(kernel.Int(1))
		gA := k.GlobalLayout("A", dtype.F16, cute.MustParse("(128,64):(64,1)"))
		gB := k.GlobalLayout("B", dtype.F16, cute.MustParse("(64,64):(64,1)"))
		gC := k.GlobalLayout("C", dtype.F32, cute.MustParse("(128,64):(64,1)"))
		k.Grid(kernel.Int(1))
		sA, sB := k.Shared("sA", dtype.F16, layout(128)), k.Shared("sB", dtype.F16, layout(64))
		threads := cute.MustParse("(16,8):(8,1)")
		k.Copy(k.LocalPartition(gA, threads, tid), k.LocalPartition(sA, threads, tid))
		k.Copy(k.LocalPartition(gB, threads, tid), k.LocalPartition(sB, threads, tid))
		k.FenceProxyAsync() // the instructions then see what threads wrote

		tmem, done := k.TmemAllocator(64, 1), k.Barriers("done", 1).At(zero)
		k.If(first, func() {
			tmem.Allocate()
			tmem.ReleaseAllocationLock()
			k.If(k.ElectOne(), func() {
				done.Init(1)
				k.FenceBarrierInit()
			})
		})
		k.Tcgen05BeforeThreadSync()
		k.Sync()
		k.Tcgen05AfterThreadSync()
		tmem.RetrievePtr()
		thr := k.ThrMMA(mma, zero) // of the block: an instruction is of a block, or of a pair
		tCgC := thr.PartitionC(gC)
		tCtC := tmem.Tensor(thr.MakeFragmentC(tCgC), 0) // (MMA,MMA_M,MMA_N) at column 0
		k.If(first, func() {
			k.If(k.ElectOne(), func() {
				tCrA, tCrB := thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB)) // descriptors
				k.Accumulate(zero.Less(zero), func() { k.GemmTiled(mma, tCrA, tCrB, tCtC) })               // sets C
				done.UmmaArrive()
			})
		})
		done.Wait(zero)
		k.Tcgen05AfterThreadSync()

		load := k.MakeTmemCopy("SM100_TMEM_LOAD_32dp32b32x", tCtC)
		ld := k.ThrCopy(load, tid)
		tDtC, tDgC := ld.PartitionS(tCtC), ld.PartitionD(tCgC)
		tDrC := k.MakeFragmentLike(tDgC, dtype.F32)
		k.CopyTiled(load, tDtC, tDrC)
		k.FenceViewAsyncTmemLoad()
		k.Copy(tDrC, tDgC)
		k.Tcgen05BeforeThreadSync()
		k.Sync() // all have loaded C
		k.If(first, tmem.Free)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b, c := make([]float64, 128*64), make([]float64, 64*64), make([]float64, 128*64)
	for i := range a {
		a[i] = float64(i / 64)
	}
	for i := range b {
		b[i] = 1
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"A": a, "B": b, "C": c}})
	fmt.Println(c[0], c[3*64], c[127*64+63], err)
	// Output: 0 192 8128 <nil>
}

// C += A·B: threads store C to tensor memory, and the instructions add to it. Each of two blocks of a cluster waits for
// the instructions of both.
func ExampleK_MakeTmemCopy() {
	mma, layout := ummaOf()
	k, err := kernel.Trace("umma_add", 128, func(k *kernel.K) {
		k.Cluster(2, 1, 1)
		zero, tid, first := kernel.Int(0), k.ThreadIdx(), k.WarpIdx().Less(kernel.Int(1))
		ones := k.GlobalLayout("ones", dtype.F16, cute.MustParse("(128,64):(64,1)"))
		mC := k.GlobalLayout("C", dtype.F32, cute.MustParse("(256,64):(64,1)"))
		k.Grid(kernel.Int(2))
		sA, sB := k.Shared("sA", dtype.F16, layout(128)), k.Shared("sB", dtype.F16, layout(64))
		threads := cute.MustParse("(16,8):(8,1)")
		k.Copy(k.LocalPartition(ones, threads, tid), k.LocalPartition(sA, threads, tid))
		half := k.LocalTile(ones, kernel.Shape(64, 64), zero, zero)
		k.Copy(k.LocalPartition(half, threads, tid), k.LocalPartition(sB, threads, tid))
		k.FenceProxyAsync()
		tmem, done := k.TmemAllocator(64, 1), k.Barriers("done", 1).At(zero)
		k.If(first, func() {
			tmem.Allocate()
			k.If(k.ElectOne(), func() {
				done.Init(2)
				k.FenceBarrierInit()
			})
		})
		k.Tcgen05BeforeThreadSync()
		k.ClusterSync()
		k.Tcgen05AfterThreadSync()
		tmem.RetrievePtr()
		thr := k.ThrMMA(mma, zero)
		tCgC := thr.PartitionC(k.LocalTile(mC, kernel.Shape(128, 64), k.BlockIdx(0), zero))
		tCtC := tmem.Tensor(thr.MakeFragmentC(tCgC), 0)

		store, load := k.MakeTmemCopy("store", tCtC), k.MakeTmemCopy("load", tCtC)
		st, ld := k.ThrCopy(store, tid), k.ThrCopy(load, tid)
		tDrC := k.MakeFragmentLike(st.PartitionS(tCgC), dtype.F32)
		k.Copy(st.PartitionS(tCgC), tDrC)
		k.CopyTiled(store, tDrC, st.PartitionD(tCtC))
		k.FenceViewAsyncTmemStore()
		k.Tcgen05BeforeThreadSync()
		k.Sync()
		k.Tcgen05AfterThreadSync()
		k.If(first, func() {
			k.If(k.ElectOne(), func() {
				k.GemmTiled(mma, thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB)), tCtC)
				done.UmmaArriveMulticast(kernel.Int(3)) // at the barriers of both blocks
			})
		})
		done.Wait(zero)
		k.Tcgen05AfterThreadSync()
		k.CopyTiled(load, ld.PartitionS(tCtC), tDrC)
		k.FenceViewAsyncTmemLoad()
		k.Copy(tDrC, ld.PartitionD(tCgC))
		k.Tcgen05BeforeThreadSync()
		k.ClusterSync()
		k.If(first, tmem.Free)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	ones, c := make([]float64, 128*64), make([]float64, 256*64)
	for i := range ones {
		ones[i] = 1
	}
	for i := range c {
		c[i] = float64(i / 64)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"ones": ones, "C": c}})
	fmt.Println(c[0], c[255*64], err)
	// Output: 64 319 <nil>
}

// The product of one tile of A with tiles of B, whose sums alternate between two accumulators: warps load one
// accumulator while the instructions fill the other one. The TMA copies B into two stages.
func traceUmmaRing(wrong string) (*kernel.Kernel, error) {
	mma, layout := ummaOf()
	return kernel.Trace("umma_ring", 192, func(k *kernel.K) {
		n := k.Int("n", extent(64))
		zero, one, all, warp := kernel.Int(0), kernel.Int(1), kernel.Open, k.WarpIdx()
		mA := k.TmaTensor("A", dtype.F16, kernel.Modes(kernel.Int(128), kernel.Int(64)), kernel.Int(64), one)
		mB := k.TmaTensor("B", dtype.F16, kernel.Modes(n, kernel.Int(64)), kernel.Int(64), one)
		mC := k.Global("C", dtype.F32, kernel.Modes(kernel.Int(128), n), n, one)
		k.Grid(one)
		sA := k.Shared("sA", dtype.F16, layout(128))
		two := kernel.Must(descriptor.SelectSM100.Select(atom.KMajor, dtype.F16, [2]int64{64, 64}, 1))
		sB := k.Shared("sB", dtype.F16, kernel.Must(two.Atom.TileToShape(cute.Ints(64, 64, 2), cute.Tuple{})))
		tmaA := k.MakeTmaAtom(mA, sA, kernel.Shape(128, 64), 1)
		tmaB := k.MakeTmaAtom(mB, k.Slice(sB, all, all, zero), kernel.Shape(64, 64), 1)
		tAgA, tAsA := k.TmaPartition(tmaA, zero, sA, k.LocalTile(mA, kernel.Shape(128, 64), zero, zero))
		tBgB, tBsB := k.TmaPartition(tmaB, zero, sB, k.LocalTile(mB, kernel.Shape(64, 64), all, zero)) // (TMA,n), (TMA,PIPE)

		tmem, ready := k.TmemAllocator(128, 1), k.Barriers("A", 1).At(zero)
		k.If(k.ThreadIdx().Less(one), func() { ready.Init(1) })
		tiles := k.PipelineTmaUmma("tiles", kernel.PipelineParams{Stages: 2, Bytes: tmaB.Bytes()})
		sums := k.PipelineUmmaAsync("sums", 2, 128)
		k.If(warp.Less(one), tmem.Allocate)
		k.Tcgen05BeforeThreadSync()
		k.Sync()
		k.Tcgen05AfterThreadSync()
		tmem.RetrievePtr()
		thr, count := k.ThrMMA(mma, zero), n.CeilDiv(64)
		both := thr.PartitionC(k.MakeIdentityTensor(kernel.Int(128), kernel.Int(64), kernel.Int(2)))
		tCtC := tmem.Tensor(thr.MakeFragmentC(both), 0)                           // (MMA,MMA_M,MMA_N,PIPE)
		tCgC := thr.PartitionC(k.LocalTile(mC, kernel.Shape(128, 64), zero, all)) // (MMA,MMA_M,MMA_N,n)
		k.IfElse(warp.Less(kernel.Int(4)), func() {
			load := k.MakeTmemCopy("load", k.Slice(tCtC, all, all, all, zero))
			ld := k.ThrCopy(load, k.ThreadIdx().Mod(128))
			k.For(zero, count, func(i kernel.Index) {
				state := sums.ConsumerState(i)
				sums.ConsumerWait(state)
				tDgC := ld.PartitionD(k.Slice(tCgC, all, all, all, i))
				tDrC := k.MakeFragmentLike(tDgC, dtype.F32)
				k.CopyTiled(load, ld.PartitionS(k.Slice(tCtC, all, all, all, state.Index())), tDrC)
				if wrong != "released before the loads" {
					k.FenceViewAsyncTmemLoad()
				}
				sums.ConsumerRelease(state)
				k.CopyIf(tDrC, tDgC)
			})
		}, func() {
			k.If(k.ElectOne(), func() {
				k.IfElse(warp.Less(kernel.Int(5)), func() {
					ready.ArriveAndExpectTx(tmaA.Bytes())
					k.CopyTma(tmaA.With(ready), tAgA, tAsA)
					k.For(zero, count, func(i kernel.Index) {
						state := tiles.ProducerState(i)
						tiles.ProducerAcquire(state)
						k.CopyTma(tmaB.With(tiles.ProducerGetBarrier(state)), k.Slice(tBgB, all, i), k.Slice(tBsB, all, state.Index()))
						tiles.ProducerCommit(state)
					})
					tiles.ProducerTail(tiles.ProducerState(count))
				}, func() {
					tCrA, tCrB := thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB))
					ready.Wait(zero)
					k.For(zero, count, func(i kernel.Index) {
						tile, sum := tiles.ConsumerState(i), sums.ProducerState(i)
						tiles.ConsumerWait(tile)
						sums.ProducerAcquire(sum)
						k.Accumulate(zero.Less(zero), func() {
							k.GemmTiled(mma, tCrA, k.Slice(tCrB, all, all, all, tile.Index()), k.Slice(tCtC, all, all, all, sum.Index()))
						})
						tiles.ConsumerRelease(tile)
						sums.ProducerCommit(sum)
					})
					sums.ProducerTail(sums.ProducerState(count))
				})
			})
		})
		k.Tcgen05BeforeThreadSync()
		k.Sync()
		k.If(warp.Less(one), tmem.Free)
	})
}

func ExamplePipelineTmaUmma() {
	k, err := traceUmmaRing("")
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b, c := make([]float64, 128*64), make([]float64, 320*64), make([]float64, 128*320)
	for i := range a {
		a[i] = 1
	}
	for i := range b {
		b[i] = float64(i / 64)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{
		Ints: map[string]int64{"n": 320}, Tensors: map[string][]float64{"A": a, "B": b, "C": c},
	})
	fmt.Println(c[0], c[1], c[127*320+319], err)
	// Output: 0 64 20416 <nil>
}

func ExamplePipelineUmmaAsync() {
	k, err := traceUmmaRing("")
	if err != nil {
		fmt.Println(err)
		return
	}
	_, total, err := k.Plan(map[string]int64{"n": 320})
	fmt.Println(total.Bulk, err) // bytes that the TMA copies
	// Output: 57344 <nil>
}

// Each block of a pair brings its half of a tile by the TMA, and the even block counts the bytes of both.
func ExampleBarrier_PairLeader() {
	k, err := kernel.Trace("halves", 128, func(k *kernel.K) {
		k.Cluster(2, 1, 1)
		zero, one, tile := kernel.Int(0), kernel.Int(1), kernel.Shape(64, 64)
		a := k.TmaTensor("a", dtype.F16, kernel.Modes(kernel.Int(128), kernel.Int(64)), kernel.Int(64), one)
		b := k.GlobalLayout("b", dtype.F16, cute.MustParse("(128,64):(64,1)"))
		k.Grid(kernel.Int(2))
		s := k.Shared("s", dtype.F16, cute.MustParse("(64,64):(64,1)"))
		tma := k.MakeTmaAtom(a, s, tile, 1)
		from, to := k.TmaPartition(tma, zero, s, k.LocalTile(a, tile, k.BlockIdx(0), zero))
		tmem, full := k.TmemAllocator(32, 2), k.Barriers("full", 1).At(zero)
		first, leads := k.WarpIdx().Less(one), k.BlockRankInCluster().Less(one)
		k.If(first, func() {
			tmem.Allocate()
			k.If(k.ElectOne(), func() {
				full.Init(1)
				k.FenceBarrierInit()
			})
		})
		k.ClusterSync()
		tmem.RetrievePtr()
		k.If(first, func() {
			k.If(k.ElectOne(), func() {
				k.If(leads, func() { full.ArriveAndExpectTx(2 * tma.Bytes()) })
				k.CopyTma(tma.With(full.PairLeader()), from, to)
			})
		})
		k.If(leads, func() { full.Wait(zero) })
		k.ClusterSync()
		threads := cute.MustParse("(16,8):(8,1)")
		own := k.LocalTile(b, tile, k.BlockIdx(0), zero)
		k.Copy(k.LocalPartition(s, threads, k.ThreadIdx()), k.LocalPartition(own, threads, k.ThreadIdx()))
		k.If(first, tmem.Free)
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	a, b := make([]float64, 128*64), make([]float64, 128*64)
	for i := range a {
		a[i] = float64(i / 64)
	}
	_, err = k.Simulate(context.Background(), kernel.Args{Tensors: map[string][]float64{"a": a, "b": b}})
	fmt.Println(b[0], b[63*64], b[127*64+63], err)
	// Output: 0 63 127 <nil>
}
