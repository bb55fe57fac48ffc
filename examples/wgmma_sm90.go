package examples

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
)

func wgmmaSM90Row() []Recipe {
	return []Recipe{{
		Name: "wgmma_sm90",
		Doc:  "Multiplies matrices of halves with wgmma, which reads both from stages in shared memory that cp.async fills.",
		CuTe: "examples/cute/tutorial/hopper/wgmma_sm90.cu",
		Call: "C[i,j] = Σ A[i,l]·B[j,l]; A is (m,k), B is (n,k), C is (m,n), all by rows", Output: "C",
		Default:   Options{Tile: []int64{128, 128, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 8, Stages: 3},
		Types:     []dtype.Type{dtype.F16, dtype.BF16},
		Order:     byRows,
		trace:     wgmmaSM90,
		sizes:     gemmSizes,
		reference: productSM80,
		c:         byRowsText,
	}}
}

// The parts of kernels with wgmma that do not depend on the kernel: the tiled MMA, and the stages of tiles in shared
// memory.
type partsSM90 struct {
	mma    atom.TiledMMA
	sA, sB cute.Composed
}

// newPartsSM90 takes an instruction of n columns, and a layout of warpgroups.
func newPartsSM90(o Options, n int64, warpgroups string) (p partsSM90, err error) {
	switch {
	case n%8 != 0 || n < 8 || n > 256:
		return p, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "wgmma", Msg: fmt.Sprintf("no instruction has %d columns", n),
			Hint: "take a tile with a multiple of 8 columns, up to 256",
		}
	case o.Sum != dtype.F32 && (o.Sum != dtype.F16 || o.Type != dtype.F16):
		return p, noSums("wgmma", o)
	}
	name := fmt.Sprintf("SM90_64x%dx16_%s_SS", n, strings.ToUpper(fmt.Sprintf("%v%v%[2]v", o.Sum, o.Type)))
	op, err := atom.FindMMA(name)
	if err != nil {
		return p, err
	}
	if p.mma, err = atom.MakeTiledMMA(op, cute.MustParse(warpgroups), nil); err != nil {
		return p, err
	}
	if err = fits(p.mma, o.Tile); err != nil {
		return p, err
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

func wgmmaSM90(o Options) (*kernel.Kernel, error) {
	p, err := newPartsSM90(o, 64, "(1,1,1):(0,0,0)")
	if err != nil {
		return nil, err
	}
	load, err := loadHalves(o)
	if err != nil {
		return nil, err
	}
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
			k.FenceProxyAsync() // what cp.async wrote is read by wgmma
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
