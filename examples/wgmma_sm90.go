package examples

// This file is the kernel wgmma_sm90, after CuTe's examples/cute/tutorial/hopper/wgmma_sm90.cu: wgmma, which reads both
// operands from stages in shared memory that cp.async fills. It is complete. To use it elsewhere, copy the file and
// change the name of its package; then
//
//	k, err := wgmmaSM90{Tile: []int64{128, 128, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 8, Stages: 3}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes what sgemm_sm80 computes: read that first, and compare.
//
// A warpgroup of four warps multiplies. It has no fragments of A and B in registers: MakeFragmentA and MakeFragmentB
// return descriptors of the stages, whose layouts are atoms that the instruction can read. So there is no ldmatrix, and
// no second pipeline. The new instructions are asynchronous:
//
//	k.FenceProxyAsync()        makes what threads have written visible to the tensor cores
//	k.WarpgroupArrive()        orders the registers of the accumulators before the first wgmma
//	k.WarpgroupCommitBatch()   ends a group of wgmma
//	k.WarpgroupWait(0)         waits for all groups
//
// The copies of the next tile are started while wgmma multiplies this one. If the rows of A and B are not multiples of
// 16 bytes, cp.async cannot move them at once; then the threads copy their elements through registers, in the same
// order, in the widest accesses that Div allows.
//
// The functions are loader (the copy to shared memory), parts (the tiled MMA and the stages) and trace (the kernel).
// The next example to read is wgmma_tma_sm90.go.

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

// A wgmmaSM90 is the parameters of wgmma_sm90.
type wgmmaSM90 struct {
	Tile   []int64    // rows of A, rows of B and columns of both that a block multiplies at a time
	Type   dtype.Type // the type of A and B: f16 or bf16
	Sum    dtype.Type // the type of C: f32, or f16 if Type is
	Div    int64      // what divides m, n and k
	Stages int64      // the stages of the pipeline through shared memory, at least 2
}

// loader returns the copy of a tile from global to shared memory by 128 threads, 8 neighbours along K each. Rows that
// are not multiples of 16 bytes are copied in the same order, in narrower accesses.
func (o wgmmaSM90) loader() (c atom.TiledCopy, err error) {
	across := max(1, min(o.Tile[2]/8, 128))
	if o.Tile[2]%8 != 0 || 128%across != 0 {
		return c, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "make_tiled_copy",
			Msg:  fmt.Sprintf("128 threads copy vectors of 8 along K, found a tile with K of %d", o.Tile[2]),
			Hint: "take a tile whose K is a power of two from 8 on",
		}
	}
	vectors, err := atom.FindCopyAtom("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", o.Type.CPP())
	if err != nil {
		return c, err
	}
	threads, err := cute.New(cute.Ints(128/across, across), cute.Ints(across, 1))
	if err != nil {
		return c, err
	}
	return atom.MakeTiledCopy(vectors, threads, cute.MustParse("(1,8):(0,1)"))
}

// trace returns the kernel. It returns [cute.CodeType] for types without an instruction, and [cute.CodeNotDivisible]
// for a tile that the copies or the MMA do not divide.
func (o wgmmaSM90) trace() (*kernel.Kernel, error) {
	p, err := o.parts()
	if err != nil {
		return nil, err
	}
	load, err := o.loader()
	if err != nil {
		return nil, err
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
	return kernel.Trace("wgmma_sm90", p.mma.Size(), func(k *kernel.K) {
		bm, bn, bk, stages := o.Tile[0], o.Tile[1], o.Tile[2], o.Stages
		m, n, depth := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div)), k.Int("k", extent(o.Div))
		one, all, tid := kernel.Int(1), kernel.Open, k.ThreadIdx()
		mA := k.Global("A", o.Type, kernel.Modes(m, depth), depth, one)
		mB := k.Global("B", o.Type, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", o.Sum, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(bm), n.CeilDiv(bn))
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), all) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1))
		sA, sB := k.Shared("sA", o.Type, p.sA), k.Shared("sB", o.Type, p.sB) // (BM,BK,PIPE)
		cp := k.ThrCopy(load, tid)
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA) // (CPY,CPY_M,CPY_K,k), (CPY,CPY_M,CPY_K,PIPE)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		fill := func(from, to kernel.Tensor) { k.CopyTiled(load, from, to) }
		if o.Div%8 != 0 {
			fill = k.CopyZfill
		}
		fetch := func(i, stage kernel.Index) {
			fill(k.Slice(tAgA, all, all, all, i), k.Slice(tAsA, all, all, all, stage))
			fill(k.Slice(tBgB, all, all, all, i), k.Slice(tBsB, all, all, all, stage))
		}
		tiles := gA.Extent(2)
		for i := range stages - 1 {
			k.If(kernel.Int(i).Less(tiles), func() { fetch(kernel.Int(i), kernel.Int(i)) })
			k.CpAsyncFence()
		}
		thr := k.ThrMMA(p.mma, tid)
		tCgC := thr.PartitionC(gC)
		tCrC := thr.MakeFragmentC(tCgC)
		k.Clear(tCrC)
		tCrA, tCrB := thr.MakeFragmentA(thr.PartitionA(sA)), thr.MakeFragmentB(thr.PartitionB(sB)) // (MMA,MMA_M,MMA_K,PIPE)
		k.For(kernel.Int(0), tiles, func(i kernel.Index) {
			k.CpAsyncWait(stages - 2)
			k.FenceProxyAsync() // wgmma then sees what cp.async wrote
			k.Sync()
			stage, next := i.Mod(stages), i.Add(kernel.Int(stages-1))
			k.WarpgroupArrive()
			k.GemmTiled(p.mma, k.Slice(tCrA, all, all, all, stage), k.Slice(tCrB, all, all, all, stage), tCrC)
			k.WarpgroupCommitBatch()
			k.If(next.Less(tiles), func() { fetch(next, next.Mod(stages)) })
			k.CpAsyncFence()
			k.WarpgroupWait(0)
		})
		k.CopyIf(tCrC, tCgC)
	})
}

// A wgmmaSM90Parts is what does not depend on the kernel: the tiled MMA, and the stages of tiles in shared memory.
type wgmmaSM90Parts struct {
	mma    atom.TiledMMA
	sA, sB cute.Composed
}

func (o wgmmaSM90) parts() (p wgmmaSM90Parts, err error) {
	if o.Sum != dtype.F32 && (o.Sum != dtype.F16 || o.Type != dtype.F16) {
		return p, &cute.Error{
			Code: cute.CodeType, Op: "wgmma", Msg: fmt.Sprintf("no instruction adds products of %v in %v", o.Type, o.Sum),
			Hint: "take sums of f32, or of f16 for products of f16",
		}
	}
	name := fmt.Sprintf("SM90_64x64x16_%s_SS", strings.ToUpper(fmt.Sprintf("%v%v%[2]v", o.Sum, o.Type)))
	op, err := atom.FindMMA(name)
	if err != nil {
		return p, err
	}
	if p.mma, err = atom.MakeTiledMMA(op, cute.MustParse("(1,1,1):(0,0,0)"), nil); err != nil {
		return p, err
	}
	step := p.mma.TileShape()
	for i, n := range o.Tile {
		if n%step[i] != 0 {
			return p, &cute.Error{
				Code: cute.CodeNotDivisible, Op: "make_tiled_mma",
				Msg: fmt.Sprintf("the tiled MMA multiplies (%d,%d,%d) at once, found a tile %v", step[0], step[1], step[2], o.Tile),
				Hint: fmt.Sprintf("take a tile of %d,%d,%d", roundUp(o.Tile[0], step[0]), roundUp(o.Tile[1], step[1]),
					roundUp(o.Tile[2], step[2])),
			}
		}
	}
	stages := func(rows int64) (cute.Composed, error) {
		s, err := descriptor.SelectSS.Select(atom.KMajor, o.Type, [2]int64{rows, o.Tile[2]}, 1)
		if err != nil {
			return cute.Composed{}, err
		}
		return s.Atom.TileToShape(cute.Ints(rows, o.Tile[2], o.Stages), cute.Tuple{})
	}
	if p.sA, err = stages(o.Tile[0]); err != nil {
		return p, err
	}
	p.sB, err = stages(o.Tile[1])
	return p, err
}

// roundUp returns the smallest multiple of step that is at least n.
func roundUp(n, step int64) int64 { return (n + step - 1) / step * step }
