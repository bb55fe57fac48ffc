package kernel_test

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// wgmma64 is one warpgroup whose instruction reads A and B from shared memory.
func wgmma64() atom.TiledMMA {
	return kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("SM90_64x64x16_F32F16F16_SS")),
		cute.MustParse("(1,1,1)"), nil))
}

// K_SW128 is GMMA::Layout_K_SW128_Atom<half_t> on a tile of 64 by 64.
const tileSW128 = "Sw<3,3,3> o 0 o (64,64):(64,1)"

// traceWgmma has one stage, which plain copies fill.
func traceWgmma(tile cute.Composed) (*kernel.Kernel, error) {
	return kernel.Trace("wgmma", 128, func(k *kernel.K) {
		mma := wgmma64()
		m, n, depth := k.Int("m", upTo(1)), k.Int("n", upTo(1)), k.Int("k", upTo(8))
		one, all, tid := kernel.Int(1), kernel.Open, k.ThreadIdx()
		mA := k.Global("A", dtype.F16, kernel.Modes(m, depth), depth, one)
		mB := k.Global("B", dtype.F16, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(64), n.CeilDiv(64))
		gA := k.LocalTile(mA, kernel.Shape(64, 64), k.BlockIdx(0), all)
		gB := k.LocalTile(mB, kernel.Shape(64, 64), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(64, 64), k.BlockIdx(0), k.BlockIdx(1))
		sA, sB := k.Shared("sA", dtype.F16, tile), k.Shared("sB", dtype.F16, tile)

		cp := k.ThrCopy(kernel.Must(atom.MakeTiledCopy(kernel.Must(atom.FindCopyAtom("UniversalCopy<uint128_t>", "half_t")),
			cute.MustParse("(16,8):(8,1)"), cute.MustParse("(1,8):(0,1)"))), tid)
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		thr := k.ThrMMA(mma, tid)
		tCrA, tCrB := thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB)) // descriptors
		tCgC := thr.PartitionC(gC)
		tCrC := thr.MakeFragmentC(tCgC)
		k.Clear(tCrC)

		k.For(kernel.Int(0), gA.Extent(2), func(i kernel.Index) {
			k.CopyZfill(k.Slice(tAgA, all, all, all, i), tAsA)
			k.CopyZfill(k.Slice(tBgB, all, all, all, i), tBsB)
			k.FenceProxyAsync() // what threads have written is read by the tensor core
			k.Sync()
			k.WarpgroupArrive()
			k.GemmTiled(mma, tCrA, tCrB, tCrC)
			k.WarpgroupCommitBatch()
			k.WarpgroupWait(0)
			k.Sync()
		})
		k.CopyIf(tCrC, tCgC)
	})
}

func Example_guideWgmma() {
	k, err := traceWgmma(cute.MustParseComposed(tileSW128))
	if err != nil {
		fmt.Println(err)
		return
	}
	multiplied(k, byRows, 77, 131, 88)
	_, err = traceWgmma(cute.MustParseComposed("Sw<3,3,4> o 0 o (64,64):(64,1)"))
	fmt.Println(err)
	// Output:
	// wgmma true 9216 instructions of warps
	// example_guide_sm90_test.go:41: not_representable: make_fragment: sA is not what the instruction reads: core matrix (0,0) is out of place: SW128, K-major, reads element (1,0) at byte 144, and Sw<3,3,4> o 0 o ((64,16),1,4,1):((64,1),0,16,0) has it at 128 (the nearest legal layout is Sw<3,3,3> o 0 o (64,64):(64,1), it is the same layout with Sw<3,3,3>, which is the swizzle of SW128)
}

// traceTma has a warp that copies tiles, and a warpgroup that multiplies them.
func traceTma() (*kernel.Kernel, error) {
	return kernel.Trace("wgmma_tma", 256, func(k *kernel.K) {
		const stages = 3
		mma := wgmma64()
		m, n, depth := k.Int("m", upTo(1)), k.Int("n", upTo(1)), k.Int("k", upTo(8))
		zero, one, all := kernel.Int(0), kernel.Int(1), kernel.Open
		mA := k.TmaTensor("A", dtype.F16, kernel.Modes(m, depth), depth, one)
		mB := k.TmaTensor("B", dtype.F16, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(64), n.CeilDiv(64))
		gA := k.LocalTile(mA, kernel.Shape(64, 64), k.BlockIdx(0), all)
		gB := k.LocalTile(mB, kernel.Shape(64, 64), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(64, 64), k.BlockIdx(0), k.BlockIdx(1))
		ring := cute.MustParseComposed("Sw<3,3,3> o 0 o (64,64,3):(64,1,4096)")
		sA, sB := k.Shared("sA", dtype.F16, ring), k.Shared("sB", dtype.F16, ring)

		tmaA := k.MakeTmaAtom(mA, k.Slice(sA, all, all, zero), kernel.Shape(64, 64), 1)
		tmaB := k.MakeTmaAtom(mB, k.Slice(sB, all, all, zero), kernel.Shape(64, 64), 1)
		tAgA, tAsA := k.TmaPartition(tmaA, zero, sA, gA) // (TMA,k), (TMA,PIPE)
		tBgB, tBsB := k.TmaPartition(tmaB, zero, sB, gB)
		pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{
			Stages: stages, Bytes: tmaA.Bytes() + tmaB.Bytes(), Consumers: 128,
		})
		k.Sync() // its barriers are initialised

		tiles := gA.Extent(2)
		k.IfElse(k.WarpgroupIdx().Less(one), func() { // threads 0 to 127 multiply
			thr := k.ThrMMA(mma, k.WarpgroupThreadIdx())
			tCrA, tCrB := thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB))
			tCgC := thr.PartitionC(gC)
			tCrC := thr.MakeFragmentC(tCgC)
			k.Clear(tCrC)
			k.For(zero, tiles, func(i kernel.Index) {
				state := pipe.ConsumerState(i)
				pipe.ConsumerWait(state)
				k.WarpgroupArrive()
				k.GemmTiled(mma, k.Slice(tCrA, all, all, all, state.Index()), k.Slice(tCrB, all, all, all, state.Index()), tCrC)
				k.WarpgroupCommitBatch()
				k.WarpgroupWait(0)
				pipe.ConsumerRelease(state)
			})
			k.CopyIf(tCrC, tCgC)
		}, func() { // of the others, one thread of one warp copies
			k.If(k.WarpIdx().Less(kernel.Int(5)), func() {
				k.If(k.ElectOne(), func() {
					k.For(zero, tiles, func(i kernel.Index) {
						state := pipe.ProducerState(i)
						pipe.ProducerAcquire(state)
						full := pipe.ProducerGetBarrier(state)
						k.CopyTma(tmaA.With(full), k.Slice(tAgA, all, i), k.Slice(tAsA, all, state.Index()))
						k.CopyTma(tmaB.With(full), k.Slice(tBgB, all, i), k.Slice(tBsB, all, state.Index()))
						pipe.ProducerCommit(state)
					})
				})
			})
		})
	})
}

func Example_guideTma() {
	k, err := traceTma()
	if err != nil {
		fmt.Println(err)
		return
	}
	multiplied(k, byRows, 77, 131, 264)
	// Output:
	// wgmma_tma true 10284 instructions of warps
}
