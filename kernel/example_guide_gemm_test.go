package kernel_test

import (
	"context"
	"fmt"
	"math"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// order returns the place of element (i,l) of a matrix with the given numbers of rows and columns.
type order func(i, l, rows, columns int) int

func byColumns(i, l, rows, _ int) int { return l*rows + i }
func byRows(i, l, _, columns int) int { return i*columns + l }

// multiplied runs a gemm in the simulator and compares C = A·Bᵀ with 64-bit arithmetic.
func multiplied(k *kernel.Kernel, at order, m, n, depth int) {
	a, b, c := normal(m*depth), normal(n*depth), make([]float64, m*n)
	r, err := k.Simulate(context.Background(), kernel.Args{
		Ints:    map[string]int64{"m": int64(m), "n": int64(n), "k": int64(depth)},
		Tensors: map[string][]float64{"A": a, "B": b, "C": c}, // afterwards a and b are rounded to their types
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	worst := 0.0
	for i := range m {
		for j := range n {
			sum := 0.0
			for l := range depth {
				sum += a[at(i, l, m, depth)] * b[at(j, l, n, depth)]
			}
			worst = max(worst, math.Abs(sum-c[at(i, j, m, n)]))
		}
	}
	fmt.Println(k.Name, worst < 1e-3, r.Instructions, "instructions of warps")
}

// traceSgemm1 is the tutorial's sgemm_1: local_partition alone.
func traceSgemm1() (*kernel.Kernel, error) {
	return kernel.Trace("sgemm_1", 256, func(k *kernel.K) {
		m, n, depth := k.Int("m", upTo(1)), k.Int("n", upTo(1)), k.Int("k", upTo(1))
		mA := k.Global("A", dtype.F32, kernel.Modes(m, depth)) // (m,k):(1,m)
		mB := k.Global("B", dtype.F32, kernel.Modes(n, depth))
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n))
		k.Grid(m.CeilDiv(64), n.CeilDiv(64))
		x, y, all, tid := k.BlockIdx(0), k.BlockIdx(1), kernel.Open, k.ThreadIdx()
		gA := k.LocalTile(mA, kernel.Shape(64, 8), x, all) // (BLK_M,BLK_K,k)
		gB := k.LocalTile(mB, kernel.Shape(64, 8), y, all) // (BLK_N,BLK_K,k)
		gC := k.LocalTile(mC, kernel.Shape(64, 64), x, y)  // (BLK_M,BLK_N)
		sA := k.Shared("sA", dtype.F32, cute.MustParse("(64,8):(1,64)"))
		sB := k.Shared("sB", dtype.F32, cute.MustParse("(64,8):(1,64)"))

		tA := cute.MustParse("(32,8):(1,32)")
		tAgA, tAsA := k.LocalPartition(gA, tA, tid), k.LocalPartition(sA, tA, tid) // (THR_M,THR_K,k), (THR_M,THR_K)
		tBgB, tBsB := k.LocalPartition(gB, tA, tid), k.LocalPartition(sB, tA, tid)

		tC := cute.MustParse("(16,16):(1,16)")
		tCsA := k.LocalPartitionProj(sA, tC, tid, cute.MustParseCoord("(1,_)")) // Step<_1,X>: (THR_M,BLK_K)
		tCsB := k.LocalPartitionProj(sB, tC, tid, cute.MustParseCoord("(_,1)")) // Step<X,_1>: (THR_N,BLK_K)
		tCgC := k.LocalPartition(gC, tC, tid)                                   // (THR_M,THR_N)
		tCrC := k.MakeFragmentLike(tCgC, dtype.F32)
		k.Clear(tCrC)

		k.For(kernel.Int(0), gA.Extent(2), func(i kernel.Index) { // when the kernel runs
			k.CopyZfill(k.Slice(tAgA, all, all, i), tAsA)
			k.CopyZfill(k.Slice(tBgB, all, all, i), tBsB)
			k.Sync()
			k.Gemm(tCsA, tCsB, tCrC)
			k.Sync()
		})
		k.CopyIf(tCrC, tCgC)
	})
}

func Example_guideSgemm1() {
	k, err := traceSgemm1()
	if err != nil {
		fmt.Println(err)
		return
	}
	multiplied(k, byColumns, 100, 70, 19)
	// Output:
	// sgemm_1 true 24800 instructions of warps
}

// traceSgemm2 is sgemm_2: copies of 128 bits and a tiled MMA.
func traceSgemm2() (*kernel.Kernel, error) {
	return kernel.Trace("sgemm_2", 256, func(k *kernel.K) {
		load := kernel.Must(atom.MakeTiledCopy(kernel.Must(atom.FindCopyAtom("UniversalCopy<uint128_t>", "float")),
			cute.MustParse("(32,8):(1,32)"), cute.MustParse("(4,1):(1,0)")))
		mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("UniversalFMA<float>")),
			cute.MustParse("(16,16,1):(1,16,0)"), nil))

		m, n, depth := k.Int("m", upTo(4)), k.Int("n", upTo(4)), k.Int("k", upTo(1))
		mA := k.Global("A", dtype.F32, kernel.Modes(m, depth))
		mB := k.Global("B", dtype.F32, kernel.Modes(n, depth))
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n))
		k.Grid(m.CeilDiv(128), n.CeilDiv(128))
		x, y, all, tid := k.BlockIdx(0), k.BlockIdx(1), kernel.Open, k.ThreadIdx()
		gA := k.LocalTile(mA, kernel.Shape(128, 8), x, all)
		gB := k.LocalTile(mB, kernel.Shape(128, 8), y, all)
		gC := k.LocalTile(mC, kernel.Shape(128, 128), x, y)
		sA := k.Shared("sA", dtype.F32, cute.MustParse("(128,8):(1,128)"))
		sB := k.Shared("sB", dtype.F32, cute.MustParse("(128,8):(1,128)"))

		cp := k.ThrCopy(load, tid)
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA) // (CPY,CPY_M,CPY_K,k), (CPY,CPY_M,CPY_K)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		thr := k.ThrMMA(mma, tid)
		tCsA, tCsB, tCgC := thr.PartitionA(sA), thr.PartitionB(sB), thr.PartitionC(gC)
		tCrC := thr.MakeFragmentC(tCgC) // (MMA,MMA_M,MMA_N)
		k.Clear(tCrC)

		k.For(kernel.Int(0), gA.Extent(2), func(i kernel.Index) {
			k.CopyZfill(k.Slice(tAgA, all, all, all, i), tAsA)
			k.CopyZfill(k.Slice(tBgB, all, all, all, i), tBsB)
			k.Sync()
			k.GemmTiled(mma, tCsA, tCsB, tCrC)
			k.Sync()
		})
		k.CopyIf(tCrC, tCgC)
	})
}

func Example_guideSgemm2() {
	k, err := traceSgemm2()
	if err != nil {
		fmt.Println(err)
		return
	}
	multiplied(k, byColumns, 132, 68, 19)
	fmt.Print(k.Report().Uses[0])
	// Output:
	// sgemm_2 true 36384 instructions of warps
	// example_guide_gemm_test.go:121  ld.global.v4.b32
	//   global A  (m,k):(1,m)
	//   1 x 16 bytes a lane, 8 requests, 128 sectors, loop 1
	//   at A + 512·block.x + 16·(thread.x mod 32) + 16·(m/4)·(thread.x/32) + 128·(m/4)·i1
	//   i1 adds 32·m
	//   align: 132 sectors instead of 128 where rows begin elsewhere
}

// A tensorCore is what the kernels with mma.sync are made of.
type tensorCore struct {
	load, ldA, ldB atom.TiledCopy
	mma            atom.TiledMMA
}

func newTensorCore() tensorCore {
	load := kernel.Must(atom.FindCopyAtom("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", "half_t"))
	ldsm := kernel.Must(atom.FindCopyAtom("SM75_U32x4_LDSM_N", "half_t"))
	mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")),
		cute.MustParse("(2,2,1):(1,2,0)"), cute.Ints(32, 32, 16))) // four warps
	return tensorCore{
		load: kernel.Must(atom.MakeTiledCopy(load, cute.MustParse("(32,4):(4,1)"), cute.MustParse("(1,8):(0,1)"))),
		ldA:  kernel.Must(atom.MakeTiledCopyA(ldsm, mma)),
		ldB:  kernel.Must(atom.MakeTiledCopyB(ldsm, mma)),
		mma:  mma,
	}
}

// traceHgemm multiplies on tensor cores; stages is a layout (BLK,BLK_K,PIPE) of shared memory.
func traceHgemm(stages cute.Composed) (*kernel.Kernel, error) {
	return kernel.Trace("hgemm", 128, func(k *kernel.K) {
		t := newTensorCore()
		m, n, depth := k.Int("m", upTo(1)), k.Int("n", upTo(1)), k.Int("k", upTo(8)) // rows of whole 16 bytes
		zero, one, all, tid := kernel.Int(0), kernel.Int(1), kernel.Open, k.ThreadIdx()
		mA := k.Global("A", dtype.F16, kernel.Modes(m, depth), depth, one) // (m,k):(k,1)
		mB := k.Global("B", dtype.F16, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(64), n.CeilDiv(64))
		gA := k.LocalTile(mA, kernel.Shape(64, 32), k.BlockIdx(0), all)
		gB := k.LocalTile(mB, kernel.Shape(64, 32), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(64, 64), k.BlockIdx(0), k.BlockIdx(1))
		sA, sB := k.Shared("sA", dtype.F16, stages), k.Shared("sB", dtype.F16, stages)
		pipe, _ := sA.Extent(2).Int64()

		cp := k.ThrCopy(t.load, tid)
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA) // (CPY,CPY_M,CPY_K,k), (CPY,CPY_M,CPY_K,PIPE)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		thr := k.ThrMMA(t.mma, tid)
		tCgC := thr.PartitionC(gC)
		tCrA := thr.MakeFragmentA(thr.PartitionA(k.Slice(sA, all, all, zero))) // (MMA,MMA_M,MMA_K)
		tCrB := thr.MakeFragmentB(thr.PartitionB(k.Slice(sB, all, all, zero)))
		tCrC := thr.MakeFragmentC(tCgC)
		k.Clear(tCrC)
		ldA, ldB := k.ThrCopy(t.ldA, tid), k.ThrCopy(t.ldB, tid)
		tXsA, tXsB := ldA.PartitionS(sA), ldB.PartitionS(sB) // (CPY,CPY_M,CPY_K,PIPE)
		tXrA, tXrB := ldA.RetileD(tCrA), ldB.RetileD(tCrB)   // (CPY,CPY_M,CPY_K)

		tiles := gA.Extent(2)
		fetch := func(tile kernel.Index) {
			stage := tile.Mod(pipe)
			k.If(tile.Less(tiles), func() {
				k.CopyTiled(t.load, k.Slice(tAgA, all, all, all, tile), k.Slice(tAsA, all, all, all, stage))
				k.CopyTiled(t.load, k.Slice(tBgB, all, all, all, tile), k.Slice(tBsB, all, all, all, stage))
			})
			k.CpAsyncFence()
		}
		for i := range pipe - 1 {
			fetch(kernel.Int(i))
		}
		k.For(zero, tiles, func(i kernel.Index) {
			k.CpAsyncWait(pipe - 2) // this tile has come
			k.Sync()                // for all threads, and all have read the tile before
			fetch(i.Add(kernel.Int(pipe - 1)))
			stage := i.Mod(pipe)
			k.CopyTiled(t.ldA, k.Slice(tXsA, all, all, all, stage), tXrA)
			k.CopyTiled(t.ldB, k.Slice(tXsB, all, all, all, stage), tXrB)
			k.GemmTiled(t.mma, tCrA, tCrB, tCrC)
		})
		k.CopyIf(tCrC, tCgC)
	})
}

func Example_guideSwizzle() {
	for _, stages := range []string{"(64,32,3):(32,1,2048)", "Sw<2,3,3> o 0 o (64,32,3):(32,1,2048)"} {
		k, err := traceHgemm(cute.MustParseComposed(stages))
		if err != nil {
			fmt.Println(err)
			return
		}
		_, total, err := k.Plan(map[string]int64{"m": 64, "n": 64, "k": 64})
		fmt.Println(total.Wavefronts, total.Ideal, err)
	}
	// Output:
	// 1024 256 <nil>
	// 256 256 <nil>
}

func Example_guideHgemm() {
	k, err := traceHgemm(cute.MustParseComposed("Sw<2,3,3> o 0 o (64,32,3):(32,1,2048)"))
	if err != nil {
		fmt.Println(err)
		return
	}
	multiplied(k, byRows, 77, 131, 88)
	// Output:
	// hgemm true 12936 instructions of warps
}
