package examples

// This file multiplies the tiles of streamk.go and grouped.go, as the collective mainloop of a CUTLASS kernel does: a
// kernel says which tiles, and where the sums go. The parts are those that sgemm_sm80.go makes. To use these kernels
// elsewhere, copy the three files. The pipeline is shorter than in sgemm_sm80.go, because it may end after any tile: it
// reads no registers ahead, and no copy is under way in the end.

import "girih/kernel"

// A collectiveSM80 is a block that multiplies tiles.
type collectiveSM80 struct {
	sgemmSM80
	sgemmSM80Parts
	k      *kernel.K
	sA, sB kernel.Tensor // (BM,BK,PIPE)
	thr    kernel.ThrMMA
	tCrC   kernel.Tensor // (MMA,MMA_M,MMA_N): the sums
}

// collective returns a block whose tiles of C are like the given one.
func (o sgemmSM80) collective(k *kernel.K, p sgemmSM80Parts, gC kernel.Tensor) collectiveSM80 {
	thr := k.ThrMMA(p.mma, k.ThreadIdx())
	return collectiveSM80{
		o, p, k, k.Shared("sA", o.Type, p.sA), k.Shared("sB", o.Type, p.sB), thr, thr.MakeFragmentC(thr.PartitionC(gC)),
	}
}

// multiply sets the sums to the products of the tiles from, from+1, ..., to-1 along K, for gA of (BM,BK,k) and gB of
// (BN,BK,k). All threads of the block execute it. It ends when all have read the last tile.
func (c collectiveSM80) multiply(gA, gB kernel.Tensor, from, to kernel.Index) {
	k, all, stages := c.k, kernel.Open, c.Stages
	cp, ldA, ldB := k.ThrCopy(c.load, k.ThreadIdx()), k.ThrCopy(c.readA, k.ThreadIdx()), k.ThrCopy(c.readB, k.ThreadIdx())
	parts := [][2]kernel.Tensor{
		{cp.PartitionS(gA), cp.PartitionD(c.sA)}, {cp.PartitionS(gB), cp.PartitionD(c.sB)}, // (CPY,CPY_M,CPY_K,k)
	}
	fetch := func(tile kernel.Index) {
		k.If(tile.Less(to), func() {
			for _, t := range parts {
				from, into := k.Slice(t[0], all, all, all, tile), k.Slice(t[1], all, all, all, tile.Mod(stages))
				if c.Div%2 != 0 {
					k.CopyZfill(from, into) // through registers: cp.async moves no single halves
				} else {
					k.CopyTiled(c.load, from, into)
				}
			}
		})
		k.CpAsyncFence()
	}
	tCrA := c.thr.MakeFragmentA(c.thr.PartitionA(k.Slice(c.sA, all, all, kernel.Int(0)))) // (MMA,MMA_M,MMA_K)
	tCrB := c.thr.MakeFragmentB(c.thr.PartitionB(k.Slice(c.sB, all, all, kernel.Int(0))))
	tXsA, tXsB := ldA.PartitionS(c.sA), ldB.PartitionS(c.sB) // (CPY,CPY_M,CPY_K,PIPE)
	k.Clear(c.tCrC)
	k.For(kernel.Int(0), kernel.Int(stages-1), func(i kernel.Index) { fetch(from.Add(i)) })
	k.For(from, to, func(i kernel.Index) {
		k.CpAsyncWait(stages - 2) // this tile has come
		k.Sync()                  // for all threads, and all have read the tile before
		fetch(i.Add(kernel.Int(stages - 1)))
		k.CopyTiled(c.readA, k.Slice(tXsA, all, all, all, i.Mod(stages)), ldA.RetileD(tCrA))
		k.CopyTiled(c.readB, k.Slice(tXsB, all, all, all, i.Mod(stages)), ldB.RetileD(tCrB))
		k.GemmTiled(c.mma, tCrA, tCrB, c.tCrC)
	})
	k.Sync()
}
