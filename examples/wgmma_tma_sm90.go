package examples

import (
	"girih/dtype"
	"girih/kernel"
)

func wgmmaTMASM90Row() []Recipe {
	one := Recipe{
		Name: "wgmma_tma_sm90",
		Doc: "Multiplies matrices of halves: one warp copies tiles with the TMA into a ring of stages, two warpgroups " +
			"multiply them with wgmma.",
		CuTe: "examples/cute/tutorial/hopper/wgmma_tma_sm90.cu",
		Call: "C[i,j] = Σ A[i,l]·B[j,l]; A is (m,k), B is (n,k), C is (m,n), all by rows; 8 divides k", Output: "C",
		Default:   Options{Tile: []int64{128, 256, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 1, Stages: 4},
		Types:     []dtype.Type{dtype.F16, dtype.BF16},
		Order:     byRows,
		trace:     func(o Options) (*kernel.Kernel, error) { return wgmmaTMASM90(o, "wgmma_tma_sm90", 1) },
		sizes:     gemmSizes,
		reference: productSM80,
		c:         byRowsText,
	}
	two := one
	two.Name = "wgmma_tma_cluster_sm90"
	two.Doc = "Does what wgmma_tma_sm90 does in clusters of two blocks along m, each of which copies half of a tile of B to both."
	two.CuTe = ""
	two.trace = func(o Options) (*kernel.Kernel, error) { return wgmmaTMASM90(o, two.Name, 2) }
	return []Recipe{one, two}
}

func wgmmaTMASM90(o Options, name string, cluster int64) (*kernel.Kernel, error) {
	p, err := newPartsSM90(o, o.Tile[1], "(2,1,1):(1,0,0)")
	if err != nil {
		return nil, err
	}
	consumers := p.mma.Size()
	// Two blocks of a warp that copies have room beside each other where tiles are small: one multiplies while the other
	// begins or writes its tile. Alone, a block gives its threads all registers, most of them those that multiply.
	threads, blocks := consumers+128, int64(1)
	if bytes := (o.Tile[0] + o.Tile[1]) * o.Tile[2] * o.Stages * int64(o.Type.Bits()) / 8; bytes <= kernel.MaxShared/2-2048 {
		threads, blocks = consumers+32, 2
	}
	return kernel.Trace(name, threads, func(k *kernel.K) {
		bm, bn, bk, stages := o.Tile[0], o.Tile[1], o.Tile[2], o.Stages
		k.MinBlocksPerMultiprocessor(blocks)
		m, n := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div))
		depth := k.Int("k", extent(max(o.Div, 8))) // rows of multiples of 16 bytes
		zero, one, all := kernel.Int(0), kernel.Int(1), kernel.Open
		mA := k.TmaTensor("A", o.Type, kernel.Modes(m, depth), depth, one)
		mB := k.TmaTensor("B", o.Type, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", o.Sum, kernel.Modes(m, n), n, one)
		if cluster > 1 {
			k.Cluster(cluster, 1, 1)
		}
		k.Grid(m.CeilDiv(bm*cluster).Mul(kernel.Int(cluster)), n.CeilDiv(bn))
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), all) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1))
		sA, sB := k.Shared("sA", o.Type, p.sA), k.Shared("sB", o.Type, p.sB) // (BM,BK,PIPE)
		tmaA := k.MakeTmaAtom(mA, k.Slice(sA, all, all, zero), kernel.Shape(bm, bk), 1)
		tmaB := k.MakeTmaAtom(mB, k.Slice(sB, all, all, zero), kernel.Shape(bn, bk), cluster)
		tAgA, tAsA := k.TmaPartition(tmaA, zero, sA, gA) // (TMA,k), (TMA,PIPE)
		tBgB, tBsB := k.TmaPartition(tmaB, k.BlockRankInCluster(), sB, gB)
		pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{
			Stages: stages, Bytes: tmaA.Bytes() + tmaB.Bytes(), Consumers: consumers, Shared: cluster > 1,
		})
		k.ClusterSync()
		tiles, group := gA.Extent(2), k.WarpIdx().Div(4)
		k.IfElse(group.Less(kernel.Int(consumers/128)), func() {
			if blocks == 1 {
				k.WarpgroupRegAlloc(232)
			}
			thr := k.ThrMMA(p.mma, group.Mul(kernel.Int(128)).Add(k.WarpgroupThreadIdx()))
			tCgC := thr.PartitionC(gC)
			tCrC := thr.MakeFragmentC(tCgC)
			tCrA, tCrB := thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB)) // (MMA,MMA_M,MMA_K,PIPE)
			k.Clear(tCrC)
			multiply := func(i kernel.Index) {
				state := pipe.ConsumerState(i)
				pipe.ConsumerWait(state)
				k.WarpgroupArrive()
				k.GemmTiled(p.mma, k.Slice(tCrA, all, all, all, state.Index()), k.Slice(tCrB, all, all, all, state.Index()), tCrC)
				k.WarpgroupCommitBatch()
			}
			multiply(zero)
			k.For(one, tiles, func(i kernel.Index) {
				multiply(i)
				k.WarpgroupWait(1) // of the tile before, whose stage is free now
				pipe.ConsumerRelease(pipe.ConsumerState(i.Sub(one)))
			})
			k.WarpgroupWait(0)
			k.CopyIf(tCrC, tCgC)
		}, func() {
			if blocks == 1 {
				k.WarpgroupRegDealloc(40)
			}
			k.If(k.WarpIdx().Less(kernel.Int(consumers/32+1)), func() {
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
		if cluster > 1 {
			k.ClusterSync() // the other block releases stages of this one
		}
	})
}
