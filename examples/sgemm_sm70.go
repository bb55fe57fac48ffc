package examples

import (
	"girih/dtype"
	"girih/kernel"
)

func sgemmSM70Row() []Recipe {
	x := sgemm()
	x.Name, x.CuTe = "sgemm_sm70", "examples/cute/tutorial/sgemm_sm70.cu"
	x.Doc = "Multiplies matrices while the next tile comes into registers, and the next k of this one out of shared memory."
	x.Default = Options{Tile: []int64{128, 128, 8}, Type: dtype.F32, Div: 1}
	x.trace = sgemmSM70
	return []Recipe{x}
}

func sgemmSM70(o Options) (*kernel.Kernel, error) {
	p, err := newPartsFMA(o)
	if err != nil {
		return nil, err
	}
	return kernel.Trace("sgemm_sm70", 256, func(k *kernel.K) {
		bm, bn, bk := o.Tile[0], o.Tile[1], o.Tile[2]
		m, n, depth := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div)), k.Int("k", extent(o.Div))
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
