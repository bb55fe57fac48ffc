package examples

import (
	"girih"
	"girih/atom"
	"girih/dtype"
	"girih/kernel"
)

func sgemmSM80Row() []Recipe {
	return []Recipe{{
		Name: "sgemm_sm80", Aliases: []string{"gemm_sm80"},
		Doc:  "Multiplies matrices of halves on tensor cores: cp.async into swizzled stages, ldmatrix, mma.sync.",
		CuTe: "examples/cute/tutorial/sgemm_sm80.cu",
		Call: "C[i,j] = Σ A[i,l]·B[j,l]; A is (m,k), B is (n,k), C is (m,n) of f32, all by rows", Output: "C",
		Default:   Options{Tile: []int64{64, 64, 64}, Type: dtype.F16, Div: 64, Stages: 3},
		Types:     []dtype.Type{dtype.F16, dtype.BF16},
		trace:     sgemmSM80,
		sizes:     gemmSizes,
		reference: func(p Problem) (want, scale []float64) { return product(p, byRows) },
	}}
}

// The parts of sgemm_sm80 that do not depend on the kernel: copies from global to shared memory and on to registers,
// the tiled MMA, and the stages of tiles in shared memory.
type partsSM80 struct {
	load, readA, readB atom.TiledCopy
	mma                atom.TiledMMA
	sA, sB             girih.Composed
}

func newPartsSM80(o Options) (p partsSM80, err error) {
	parse := girih.MustParse
	bm, bn, bk := o.Tile[0], o.Tile[1], o.Tile[2]
	cpp := o.Type.CPP()
	wide, err := atom.FindCopyAtom("SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>", cpp)
	if err != nil {
		return p, err
	}
	if p.load, err = atom.MakeTiledCopy(wide, parse("(16,8):(8,1)"), parse("(1,8):(0,1)")); err != nil {
		return p, err
	}
	op, err := atom.FindMMA(map[dtype.Type]string{
		dtype.F16: "SM80_16x8x16_F32F16F16F32_TN", dtype.BF16: "SM80_16x8x16_F32BF16BF16F32_TN",
	}[o.Type])
	if err != nil {
		return p, err
	}
	if p.mma, err = atom.MakeTiledMMA(op, parse("(2,2,1):(1,2,0)"), girih.Ints(32, 32, 16)); err != nil {
		return p, err
	}
	matrices, err := atom.FindCopyAtom("SM75_U32x4_LDSM_N", cpp)
	if err != nil {
		return p, err
	}
	if p.readA, err = atom.MakeTiledCopyA(matrices, p.mma); err != nil {
		return p, err
	}
	if p.readB, err = atom.MakeTiledCopyB(matrices, p.mma); err != nil {
		return p, err
	}
	w, err := girih.NewSwizzle(3, 3, 3)
	if err != nil {
		return p, err
	}
	stages := func(rows int64) (girih.Composed, error) {
		l, err := girih.New(girih.Ints(rows, bk, o.Stages), girih.Ints(bk, 1, rows*bk))
		if err != nil {
			return girih.Composed{}, err
		}
		return girih.NewComposed(w, girih.Int(0), l)
	}
	if p.sA, err = stages(bm); err != nil {
		return p, err
	}
	p.sB, err = stages(bn)
	return p, err
}

func sgemmSM80(o Options) (*kernel.Kernel, error) {
	p, err := newPartsSM80(o)
	if err != nil {
		return nil, err
	}
	return kernel.Trace("sgemm_sm80", 128, func(k *kernel.K) {
		bm, bn, bk, stages := o.Tile[0], o.Tile[1], o.Tile[2], o.Stages
		m, n, depth := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div)), k.Int("k", extent(o.Div))
		one, all, tid := kernel.Int(1), kernel.Open, k.ThreadIdx()
		mA := k.Global("A", o.Type, kernel.Modes(m, depth), depth, one)
		mB := k.Global("B", o.Type, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", dtype.F32, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(bm), n.CeilDiv(bn))
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), all) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1))
		sA, sB := k.Shared("sA", o.Type, p.sA), k.Shared("sB", o.Type, p.sB) // (BM,BK,PIPE)
		cp := k.ThrCopy(p.load, tid)
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA) // (CPY,CPY_M,CPY_K,k), (CPY,CPY_M,CPY_K,PIPE)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		fetch := func(i, stage kernel.Index) {
			k.CopyTiled(p.load, k.Slice(tAgA, all, all, all, i), k.Slice(tAsA, all, all, all, stage))
			k.CopyTiled(p.load, k.Slice(tBgB, all, all, all, i), k.Slice(tBsB, all, all, all, stage))
		}
		thr := k.ThrMMA(p.mma, tid)
		first := kernel.Int(0)
		tCrA := thr.MakeFragmentA(thr.PartitionA(k.Slice(sA, all, all, first))) // (MMA,MMA_M,MMA_K)
		tCrB := thr.MakeFragmentB(thr.PartitionB(k.Slice(sB, all, all, first)))
		tCgC := thr.PartitionC(gC)
		tCrC := thr.MakeFragmentC(tCgC)
		k.Clear(tCrC)
		ldA, ldB := k.ThrCopy(p.readA, tid), k.ThrCopy(p.readB, tid)
		tXsA, tXsB := ldA.PartitionS(sA), ldB.PartitionS(sB) // (CPY,CPY_M,CPY_K,PIPE)
		tXrA, tXrB := ldA.RetileD(tCrA), ldB.RetileD(tCrB)
		tiles := gA.Extent(2)
		for i := range stages - 1 {
			k.If(kernel.Int(i).Less(tiles), func() { fetch(kernel.Int(i), kernel.Int(i)) })
			k.CpAsyncFence()
		}
		k.For(kernel.Int(0), tiles, func(i kernel.Index) {
			k.CpAsyncWait(stages - 2)
			k.Sync()
			next := i.Add(kernel.Int(stages - 1))
			k.If(next.Less(tiles), func() { fetch(next, next.Mod(stages)) })
			k.CpAsyncFence()
			stage := i.Mod(stages)
			k.CopyTiled(p.readA, k.Slice(tXsA, all, all, all, stage), tXrA)
			k.CopyTiled(p.readB, k.Slice(tXsB, all, all, all, stage), tXrB)
			k.GemmTiled(p.mma, tCrA, tCrB, tCrC)
		})
		k.Copy(tCrC, tCgC)
	})
}
