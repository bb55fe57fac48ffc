package examples

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

func sgemm2Row() []Recipe {
	x := sgemm()
	x.Name, x.CuTe = "sgemm_2", "examples/cute/tutorial/sgemm_2.cu"
	x.Doc = "Multiplies matrices with a tiled copy, four elements a thread, and a tiled MMA of single products."
	x.Default = Options{Tile: []int64{128, 128, 8}, Type: dtype.F32, Div: 1}
	x.trace = sgemm2
	return []Recipe{x}
}

// partsFMA are a tiled copy of 4 elements a thread, a tiled MMA of single products, and tiles in shared memory.
type partsFMA struct {
	load   atom.TiledCopy
	mma    atom.TiledMMA
	sA, sB cute.Layout
}

func newPartsFMA(o Options) (p partsFMA, err error) {
	cpp := o.Type.CPP()
	wide, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", cpp)
	if err != nil {
		return p, err
	}
	values := cute.MustParse("(4,1):(1,0)")
	if p.load, err = atom.MakeTiledCopy(wide, cute.MustParse("(32,8):(1,32)"), values); err != nil {
		return p, err
	}
	fma, err := atom.FindMMA("UniversalFMA<" + cpp + ">")
	if err != nil {
		return p, err
	}
	if p.mma, err = atom.MakeTiledMMA(fma, cute.MustParse("(16,16,1):(1,16,0)"), nil); err != nil {
		return p, err
	}
	if p.sA, err = cute.LayoutLeft(cute.Ints(o.Tile[0], o.Tile[2])); err != nil {
		return p, err
	}
	p.sB, err = cute.LayoutLeft(cute.Ints(o.Tile[1], o.Tile[2]))
	return p, err
}

func sgemm2(o Options) (*kernel.Kernel, error) {
	p, err := newPartsFMA(o)
	if err != nil {
		return nil, err
	}
	return kernel.Trace("sgemm_2", 256, func(k *kernel.K) {
		bm, bn, bk := o.Tile[0], o.Tile[1], o.Tile[2]
		m, n, depth := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div)), k.Int("k", extent(o.Div))
		mA := k.Global("A", o.Type, kernel.Modes(m, depth))
		mB := k.Global("B", o.Type, kernel.Modes(n, depth))
		mC := k.Global("C", o.Type, kernel.Modes(m, n))
		alpha, beta := k.Scalar("alpha", o.Type), k.Scalar("beta", o.Type)
		k.Grid(m.CeilDiv(bm), n.CeilDiv(bn))
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), kernel.Open) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), k.BlockIdx(1), kernel.Open)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1))
		sA, sB := k.Shared("sA", o.Type, p.sA), k.Shared("sB", o.Type, p.sB)
		cp, thr := k.ThrCopy(p.load, k.ThreadIdx()), k.ThrMMA(p.mma, k.ThreadIdx())
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA) // (CPY,CPY_M,CPY_K,k)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		tCsA, tCsB, tCgC := thr.PartitionA(sA), thr.PartitionB(sB), thr.PartitionC(gC)
		tCrC := thr.MakeFragmentC(tCgC)
		k.Clear(tCrC)
		all := kernel.Open
		k.For(kernel.Int(0), gA.Extent(2), func(i kernel.Index) {
			k.CopyZfill(k.Slice(tAgA, all, all, all, i), tAsA)
			k.CopyZfill(k.Slice(tBgB, all, all, all, i), tBsB)
			k.Sync()
			k.GemmTiled(p.mma, tCsA, tCsB, tCrC)
			k.Sync()
		})
		k.Axpby(alpha, tCrC, beta, tCgC)
	})
}
