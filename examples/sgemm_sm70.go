package examples

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// trace returns the kernel sgemm_sm70, which multiplies while the next tile is loaded into registers. [sgemmSM70],
// after it, says what the kernel computes, how to use this file elsewhere, and what to read first.
//
// It returns the errors of the atoms, and the *[kernel.Error] of a tile that they do not divide, as sgemm_2 does. The
// next example to read is sgemm_sm80.go, which has the same two pipelines with the copies and the instructions of
// Ampere.
func (o sgemmSM70) trace() (*kernel.Kernel, error) {
	p, err := o.parts()
	if err != nil {
		return nil, err
	}
	return kernel.Trace("sgemm_sm70", 256, func(k *kernel.K) {
		bm, bn, bk := o.Tile[0], o.Tile[1], o.Tile[2]
		m, n, depth := k.Int("m", o.extent()), k.Int("n", o.extent()), k.Int("k", o.extent())
		mA := k.Global("A", o.Type, kernel.Modes(m, depth))
		mB := k.Global("B", o.Type, kernel.Modes(n, depth))
		mC := k.Global("C", o.Type, kernel.Modes(m, n))
		alpha, beta := k.Scalar("alpha", o.Type), k.Scalar("beta", o.Type)
		k.Grid(m.CeilDiv(bm), n.CeilDiv(bn))
		all, tid := kernel.Open, k.ThreadIdx()
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), all) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1))
		sA, sB := k.Shared("sA", o.Type, p.sA), k.Shared("sB", o.Type, p.sB)
		cp, thr := k.ThrCopy(p.load, tid), k.ThrMMA(p.mma, tid)
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA) // (CPY,CPY_M,CPY_K,k)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		tArA, tBrB := k.MakeFragmentLike(tAsA, o.Type), k.MakeFragmentLike(tBsB, o.Type)
		load := func(i kernel.Index) {
			k.CopyZfill(k.Slice(tAgA, all, all, all, i), tArA)
			k.CopyZfill(k.Slice(tBgB, all, all, all, i), tBrB)
		}
		store := func() {
			k.Copy(tArA, tAsA)
			k.Copy(tBrB, tBsB)
			k.Sync()
		}
		load(kernel.Int(0))
		tCsA, tCsB, tCgC := thr.PartitionA(sA), thr.PartitionB(sB), thr.PartitionC(gC) // (MMA,MMA_M,MMA_K)
		tCrA, tCrB, tCrC := thr.MakeFragmentA(tCsA), thr.MakeFragmentB(tCsB), thr.MakeFragmentC(tCgC)
		read := func(i kernel.Index) {
			k.Copy(k.Slice(tCsA, all, all, i), k.Slice(tCrA, all, all, i))
			k.Copy(k.Slice(tCsB, all, all, i), k.Slice(tCrB, all, all, i))
		}
		k.Clear(tCrC)
		store()
		read(kernel.Int(0))
		tiles := gA.Extent(2)
		k.For(kernel.Int(0), tiles, func(tile kernel.Index) {
			next := tile.Add(kernel.Int(1))
			for i := range bk {
				if i == bk-1 {
					k.Sync()
					store()
				}
				read(kernel.Int((i + 1) % bk))
				if i == 0 {
					k.If(next.Less(tiles), func() { load(next) })
				}
				at := kernel.Int(i)
				k.GemmTiled(p.mma, k.Slice(tCrA, all, all, at), k.Slice(tCrB, all, all, at), tCrC)
			}
		})
		k.Axpby(alpha, tCrC, beta, tCgC)
	})
}

// A sgemmSM70 is the parameters of sgemm_sm70, after CuTe's examples/cute/tutorial/sgemm_sm70.cu: sgemm_2 with two
// pipelines. While a tile is multiplied, the next one is loaded from global memory into registers; and while one column
// of the tile is multiplied, the next one is read from shared memory. This file is complete. To use it elsewhere, copy
// it and change the name of its package; then
//
//	k, err := sgemmSM70{Tile: []int64{128, 128, 8}, Type: dtype.F32, Div: 4}.trace()
//
// makes the kernel, and k.Module is its PTX. Read sgemm_2.go first.
type sgemmSM70 struct {
	Tile []int64    // rows of A, rows of B and columns of both that a block multiplies at a time
	Type dtype.Type // the type of all elements: f32 or f64
	Div  int64      // what divides m, n and k: it widens copies and drops conditions
}

// extent returns the facts of m, n and k.
func (o sgemmSM70) extent() symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div} }

// A sgemmSM70Parts is a tiled copy of 4 elements a thread, a tiled MMA of single products, and the tiles in shared
// memory.
type sgemmSM70Parts struct {
	load   atom.TiledCopy
	mma    atom.TiledMMA
	sA, sB cute.Layout
}

// parts makes what does not depend on the kernel.
func (o sgemmSM70) parts() (p sgemmSM70Parts, err error) {
	cpp := o.Type.CPP()
	vectors, err := atom.FindCopyAtom("UniversalCopy<uint128_t>", cpp)
	if err != nil {
		return p, err
	}
	values := cute.MustParse("(4,1):(1,0)")
	if p.load, err = atom.MakeTiledCopy(vectors, cute.MustParse("(32,8):(1,32)"), values); err != nil {
		return p, err
	}
	product, err := atom.FindMMA("UniversalFMA<" + cpp + ">")
	if err != nil {
		return p, err
	}
	if p.mma, err = atom.MakeTiledMMA(product, cute.MustParse("(16,16,1):(1,16,0)"), nil); err != nil {
		return p, err
	}
	if p.sA, err = cute.LayoutLeft(cute.Ints(o.Tile[0], o.Tile[2])); err != nil {
		return p, err
	}
	p.sB, err = cute.LayoutLeft(cute.Ints(o.Tile[1], o.Tile[2]))
	return p, err
}
