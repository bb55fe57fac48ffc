package examples

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// trace returns the kernel wgmma_tma_sm90 or, for clusters of two blocks, wgmma_tma_cluster_sm90: one warp copies tiles
// with the TMA into a ring of stages, and two warpgroups multiply them with wgmma. [wgmmaTMASM90], at the end of this
// file, says how to use it elsewhere, and what is new in it.
//
// It returns [cute.CodeType] for types without an instruction, and [cute.CodeNotDivisible] for a tile that the MMA does
// not divide. If the tiles are small, two blocks share a multiprocessor.
//
// The two roles are the functions of k.IfElse: the first one multiplies, and the second one copies. They meet only at
// the barriers of the pipeline, which say that a stage is full or empty. A block of a cluster must not end before the
// other one has released its stages.
func (o wgmmaTMASM90) trace() (*kernel.Kernel, error) {
	p, err := o.parts()
	if err != nil {
		return nil, err
	}
	o.Cluster = max(o.Cluster, 1)
	name := "wgmma_tma_sm90"
	if o.Cluster > 1 {
		name = "wgmma_tma_cluster_sm90"
	}
	consumers := p.mma.Size()
	// If tiles are small, two blocks with one copying warp each fit on a multiprocessor: one multiplies while the other
	// begins or writes its tile. A block alone gives all registers to its threads, most of them to those that multiply.
	threads, blocks := consumers+128, int64(1)
	if bytes := (o.Tile[0] + o.Tile[1]) * o.Tile[2] * o.Stages * int64(o.Type.Bits()) / 8; bytes <= kernel.MaxShared/2-2048 {
		threads, blocks = consumers+32, 2
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
	return kernel.Trace(name, threads, func(k *kernel.K) {
		bm, bn, bk, stages := o.Tile[0], o.Tile[1], o.Tile[2], o.Stages
		k.MinBlocksPerMultiprocessor(blocks)
		m, n := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div))
		depth := k.Int("k", extent(max(o.Div, 8))) // rows of multiples of 16 bytes
		zero, one, all := kernel.Int(0), kernel.Int(1), kernel.Open
		mA := k.TmaTensor("A", o.Type, kernel.Modes(m, depth), depth, one)
		mB := k.TmaTensor("B", o.Type, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", o.Sum, kernel.Modes(m, n), n, one)
		if o.Cluster > 1 {
			k.Cluster(o.Cluster, 1, 1)
		}
		k.Grid(m.CeilDiv(bm*o.Cluster).Mul(kernel.Int(o.Cluster)), n.CeilDiv(bn))
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), all) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1))
		sA, sB := k.Shared("sA", o.Type, p.sA), k.Shared("sB", o.Type, p.sB) // (BM,BK,PIPE)
		tmaA := k.MakeTmaAtom(mA, k.Slice(sA, all, all, zero), kernel.Shape(bm, bk), 1)
		tmaB := k.MakeTmaAtom(mB, k.Slice(sB, all, all, zero), kernel.Shape(bn, bk), o.Cluster)
		tAgA, tAsA := k.TmaPartition(tmaA, zero, sA, gA) // (TMA,k), (TMA,PIPE)
		tBgB, tBsB := k.TmaPartition(tmaB, k.BlockRankInCluster(), sB, gB)
		pipe := k.PipelineTmaAsync("pipe", kernel.PipelineParams{
			Stages: stages, Bytes: tmaA.Bytes() + tmaB.Bytes(), Consumers: consumers, Shared: o.Cluster > 1,
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
				k.WarpgroupWait(1) // waits for the previous tile, whose stage is then free
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
		if o.Cluster > 1 {
			k.ClusterSync() // the other block may still release stages of this block
		}
	})
}

// A wgmmaTMASM90 is the parameters of wgmma_tma_sm90, after CuTe's examples/cute/tutorial/hopper/wgmma_tma_sm90.cu.
// This file is complete. To use it elsewhere, copy it and change the name of its package; then
//
//	k, err := wgmmaTMASM90{Tile: []int64{128, 256, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 8, Stages: 4}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes what wgmma_sm90 computes: read that first. New are
//
//	TmaTensor, MakeTmaAtom   tiles that the copy engine moves; the launch fills in a tensor map
//	PipelineTmaAsync         a ring of stages with barriers that they are full or empty
//	IfElse, ElectOne         roles: one thread of one warp copies, two warpgroups multiply
//	WarpgroupRegAlloc        registers that the copying warps give to those that multiply
//	Cluster                  two blocks along m; each copies half of a tile of B to both
type wgmmaTMASM90 struct {
	Tile    []int64    // rows of A, rows of B and columns of both that a block multiplies at a time
	Type    dtype.Type // the type of A and B: f16 or bf16
	Sum     dtype.Type // the type of C: f32, or f16 if Type is
	Div     int64      // what divides m and n; 8 divides k
	Stages  int64      // the stages of the ring, at least 2
	Cluster int64      // blocks per cluster: 2; 0 or 1 for no clusters
}

// A wgmmaTMASM90Parts is what does not depend on the kernel: the tiled MMA, and the stages of tiles in shared memory.
type wgmmaTMASM90Parts struct {
	mma    atom.TiledMMA
	sA, sB cute.Composed
}

func (o wgmmaTMASM90) parts() (p wgmmaTMASM90Parts, err error) {
	if n := o.Tile[1]; n%8 != 0 || n < 8 || n > 256 {
		return p, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "wgmma", Msg: fmt.Sprintf("no instruction has %d columns", n),
			Hint: "take a tile with a multiple of 8 columns, up to 256",
		}
	}
	if o.Sum != dtype.F32 && (o.Sum != dtype.F16 || o.Type != dtype.F16) {
		return p, &cute.Error{
			Code: cute.CodeType, Op: "wgmma", Msg: fmt.Sprintf("no instruction adds products of %v in %v", o.Type, o.Sum),
			Hint: "take sums of f32, or of f16 for products of f16",
		}
	}
	name := fmt.Sprintf("SM90_64x%dx16_%s_SS", o.Tile[1], strings.ToUpper(fmt.Sprintf("%v%v%[2]v", o.Sum, o.Type)))
	op, err := atom.FindMMA(name)
	if err != nil {
		return p, err
	}
	if p.mma, err = atom.MakeTiledMMA(op, cute.MustParse("(2,1,1):(1,0,0)"), nil); err != nil {
		return p, err
	}
	if step := p.mma.TileShape(); o.Tile[0]%step[0] != 0 || o.Tile[2]%step[2] != 0 {
		above := func(i int) int64 { return (o.Tile[i] + step[i] - 1) / step[i] * step[i] }
		return p, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "make_tiled_mma",
			Msg:  fmt.Sprintf("the tiled MMA multiplies (%d,%d,%d) at once, found a tile %v", step[0], step[1], step[2], o.Tile),
			Hint: fmt.Sprintf("take a tile of %d,%d,%d", above(0), above(1), above(2)),
		}
	}
	stagesOf := func(rows int64) (cute.Composed, error) {
		s, err := descriptor.SelectSS.Select(atom.KMajor, o.Type, [2]int64{rows, o.Tile[2]}, 1)
		if err != nil {
			return cute.Composed{}, err
		}
		return s.Atom.TileToShape(cute.Ints(rows, o.Tile[2], o.Stages), cute.Tuple{})
	}
	if p.sA, err = stagesOf(o.Tile[0]); err != nil {
		return p, err
	}
	p.sB, err = stagesOf(o.Tile[1])
	return p, err
}
