package examples

// This file multiplies and writes the tiles of streamk.go and grouped.go, as the collective mainloop and epilogue of a
// CUTLASS kernel do: a kernel only says which tiles. The parts are those that sgemm_sm80.go makes. To use these kernels
// elsewhere, copy the three files. The pipeline is shorter than in sgemm_sm80.go, because it may begin and end at any
// tile: it reads no registers ahead, and no copy is under way in the end.

import (
	"girih/cute"
	"girih/kernel"
)

// A collectiveSM80 is a block that multiplies tiles.
type collectiveSM80 struct {
	sgemmSM80
	sgemmSM80Parts
	k      *kernel.K
	sA, sB kernel.Tensor // (BM,BK,PIPE)
	sC     kernel.Tensor // (BM,BN)
	thr    kernel.ThrMMA
	tCrC   kernel.Tensor // (MMA,MMA_M,MMA_N): the sums
}

// collective returns a block.
func (o sgemmSM80) collective(k *kernel.K, p sgemmSM80Parts) collectiveSM80 {
	thr := k.ThrMMA(p.mma, k.ThreadIdx())
	// Rows of C are 16 bytes longer, against conflicts.
	tile := kernel.Must(cute.New(cute.Ints(o.Tile[0], o.Tile[1]), cute.Ints(o.Tile[1]+8, 1)))
	sC := k.Shared("sC", o.Type, tile)
	return collectiveSM80{
		o, p, k, k.Shared("sA", o.Type, p.sA), k.Shared("sB", o.Type, p.sB), sC, thr, thr.MakeFragmentC(thr.PartitionC(sC)),
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
					// cp.async moves no single halves. A loop over rows needs few registers.
					k.For(kernel.Int(0), t[0].Extent(1), func(row kernel.Index) {
						k.CopyZfill(k.Slice(from, all, row, all), k.Slice(into, all, row, all))
					})
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
	tXrA, tXrB := ldA.RetileD(tCrA), ldB.RetileD(tCrB)
	k.Clear(c.tCrC)
	k.For(kernel.Int(0), kernel.Int(stages-1), func(i kernel.Index) { fetch(from.Add(i)) })
	k.For(from, to, func(i kernel.Index) {
		k.CpAsyncWait(stages - 2) // this tile has come
		k.Sync()                  // for all threads, and all have read the tile before
		fetch(i.Add(kernel.Int(stages - 1)))
		for block := range c.Tile[2] / 16 { // one after another, for few registers
			b := kernel.Int(block)
			k.CopyTiled(c.readA, k.Slice(tXsA, all, all, b, i.Mod(stages)), k.Slice(tXrA, all, all, b))
			k.CopyTiled(c.readB, k.Slice(tXsB, all, all, b, i.Mod(stages)), k.Slice(tXrB, all, all, b))
			k.GemmTiled(c.mma, k.Slice(tCrA, all, all, b), k.Slice(tCrB, all, all, b), c.tCrC)
		}
	})
	k.Sync()
}

// write rounds the sums to the type of A, and writes the rows of gC, of (BM,BN), for which keep holds. They go through
// shared memory, so that threads write neighbours, and a row as a whole. All threads of the block execute it.
func (c collectiveSM80) write(gC kernel.Tensor, keep func(row kernel.Index) kernel.Cond) {
	k, bm, bn := c.k, c.Tile[0], c.Tile[1]
	halves := k.MakeFragmentLike(c.tCrC, c.Type)
	k.Convert(c.tCrC, halves)
	k.Copy(halves, c.thr.PartitionC(c.sC))
	k.Sync()
	own := func(t kernel.Tensor, row kernel.Index) kernel.Tensor { // 16 threads have a row
		return k.LocalTile(k.Slice(t, row, kernel.Open), kernel.Shape(bn/16), k.ThreadIdx().Mod(16))
	}
	k.ForStep(k.ThreadIdx().Div(16), kernel.Int(bm), kernel.Int(8), func(row kernel.Index) {
		k.If(keep(row), func() { k.CopyIf(own(c.sC, row), own(gC, row)) })
	})
}
