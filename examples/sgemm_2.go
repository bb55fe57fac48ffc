package examples

// This file is the kernel sgemm_2, after CuTe's examples/cute/tutorial/sgemm_2.cu: a tiled copy of four elements a
// thread, and a tiled MMA of single products. It is complete. To use it elsewhere, copy the file and change the name of
// its package; then
//
//	k, err := sgemm2{Tile: []int64{128, 128, 8}, Type: dtype.F32, Div: 4}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes what sgemm_1 computes: read that first, and compare.
//
// Atoms say which thread has which element, instead of layouts of threads. A TiledCopy divides the tiles among the
// threads that copy them:
//
//	cp.PartitionS(gA), cp.PartitionD(sA)     what the thread reads of gA, and writes of sA
//	thr.PartitionA(sA), thr.PartitionB(sB)   what the thread multiplies
//	thr.MakeFragmentC(thr.PartitionC(gC))    its sums in registers
//
// Their modes are (CPY,CPY_M,CPY_K,k) and (MMA,MMA_M,MMA_K): first the values of one instruction, then how often the
// instruction is repeated along each mode of the tile.
//
// An instruction of another size only needs another atom: sgemm_sm80.go takes cp.async, ldmatrix and mma.sync. The copy
// here moves 16 bytes at once where Div allows it; k.CopyZfill takes the widest accesses that are aligned and inside.
// The next example to read is sgemm_sm70.go.

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A sgemm2 is the parameters of sgemm_2.
type sgemm2 struct {
	Tile []int64    // rows of A, rows of B and columns of both that a block multiplies at a time
	Type dtype.Type // the type of all elements: f32 or f64
	Div  int64      // what divides m, n and k: it widens copies and drops conditions
}

// A sgemm2Parts is a tiled copy of 4 elements a thread, a tiled MMA of single products, and the tiles in shared memory.
type sgemm2Parts struct {
	load   atom.TiledCopy
	mma    atom.TiledMMA
	sA, sB cute.Layout
}

// trace returns the kernel. It returns the errors of the atoms, and the *[kernel.Error] of a tile that they do not
// divide.
func (o sgemm2) trace() (*kernel.Kernel, error) {
	p, err := o.parts()
	if err != nil {
		return nil, err
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
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

// parts makes the tiled copy, the tiled MMA and the shared layouts, for which no kernel need be traced yet.
func (o sgemm2) parts() (p sgemm2Parts, err error) {
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
