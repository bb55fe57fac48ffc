package examples

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/swizzle"
)

func sgemmSM80Row() []Recipe {
	return []Recipe{{
		Name: "sgemm_sm80", Aliases: []string{"gemm_sm80"},
		Doc:  "Multiplies matrices of halves on tensor cores: cp.async into swizzled stages, ldmatrix, mma.sync.",
		CuTe: "examples/cute/tutorial/sgemm_sm80.cu",
		Call: "C[i,j] = Σ A[i,l]·B[j,l]; A is (m,k), B is (n,k), C is (m,n), all by rows", Output: "C",
		Default:   Options{Tile: []int64{128, 128, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 8, Stages: 3},
		Types:     []dtype.Type{dtype.F16, dtype.BF16},
		Order:     byRows,
		trace:     sgemmSM80,
		sizes:     gemmSizes,
		reference: productSM80,
		c:         byRowsText,
	}}
}

// productSM80 is product, for sums of either type.
func productSM80(p Problem) (want, scale []float64) {
	want, scale = product(p, byRows)
	for _, q := range p.Kernel.Params {
		if q.Name == "C" && q.Type == dtype.F16 {
			for i := range scale { // which is in roundings of f32
				scale[i] *= rounding(dtype.F16) / rounding(dtype.F32)
			}
		}
	}
	return want, scale
}

// mmaSM80 are the instructions for the type of the elements and that of the sums.
var mmaSM80 = map[[2]dtype.Type]string{
	{dtype.F16, dtype.F32}: "SM80_16x8x16_F32F16F16F32_TN", {dtype.F16, dtype.F16}: "SM80_16x8x16_F16F16F16F16_TN",
	{dtype.BF16, dtype.F32}: "SM80_16x8x16_F32BF16BF16F32_TN",
}

// fits refuses tiles that a tiled MMA does not go through in whole steps.
func fits(m atom.TiledMMA, tile []int64) error {
	step, near, all := m.TileShape(), make([]string, len(tile)), true
	for i, n := range tile {
		all = all && n%step[i] == 0
		near[i] = fmt.Sprint((n + step[i] - 1) / step[i] * step[i])
	}
	if all {
		return nil
	}
	return &cute.Error{
		Code: cute.CodeNotDivisible, Op: "make_tiled_mma",
		Msg:  fmt.Sprintf("the tiled MMA multiplies (%d,%d,%d) at once, found a tile %v", step[0], step[1], step[2], tile),
		Hint: "take a tile of " + strings.Join(near, ","),
	}
}

// noSums refuses a type of sums.
func noSums(op string, o Options) error {
	return &cute.Error{
		Code: cute.CodeType, Op: op, Msg: fmt.Sprintf("no instruction adds products of %v in %v", o.Type, o.Sum),
		Hint: "take sums of f32, or of f16 for products of f16",
	}
}

// The parts of sgemm_sm80 that do not depend on the kernel: copies from global to shared memory and on to registers,
// the tiled MMA, and the stages of tiles in shared memory.
type partsSM80 struct {
	load, readA, readB atom.TiledCopy
	mma                atom.TiledMMA
	sA, sB             cute.Composed
}

func newPartsSM80(o Options) (p partsSM80, err error) {
	bm, bn, bk := o.Tile[0], o.Tile[1], o.Tile[2]
	if p.load, err = loadHalves(o); err != nil {
		return p, err
	}
	mma, ok := mmaSM80[[2]dtype.Type{o.Type, o.Sum}]
	if !ok {
		return p, noSums("mma.sync", o)
	}
	op, err := atom.FindMMA(mma)
	if err != nil {
		return p, err
	}
	if p.mma, err = atom.MakeTiledMMA(op, cute.MustParse("(2,2,1):(1,2,0)"), cute.Ints(32, 32, 16)); err != nil {
		return p, err
	}
	if err = fits(p.mma, o.Tile); err != nil {
		return p, err
	}
	matrices, err := atom.FindCopyAtom("SM75_U32x4_LDSM_N", o.Type.CPP())
	if err != nil {
		return p, err
	}
	if p.readA, err = atom.MakeTiledCopyA(matrices, p.mma); err != nil {
		return p, err
	}
	if p.readB, err = atom.MakeTiledCopyB(matrices, p.mma); err != nil {
		return p, err
	}
	// Rows of 32 are what ldmatrix.x4 reads; the others lie alike.
	rows, err := cute.New(cute.Ints(32, bk), cute.Ints(bk, 1))
	if err != nil {
		return p, err
	}
	w, err := solved(rows, o.Type.Bits(), "ldmatrix.x4", "st.128")
	if err != nil {
		return p, err
	}
	for i, s := range []*cute.Composed{&p.sA, &p.sB} {
		rows := []int64{bm, bn}[i]
		stages, err := cute.New(cute.Ints(rows, bk, o.Stages), cute.Ints(bk, 1, rows*bk))
		if err != nil {
			return p, err
		}
		if *s, err = cute.NewComposed(w, cute.Int(0), stages); err != nil {
			return p, err
		}
	}
	return p, nil
}

// loadHalves returns the copy of a tile from global to shared memory by 128 threads, 8 neighbours along K each: with
// cp.async where rows are aligned to the 16, 8 or 4 bytes that it moves.
func loadHalves(o Options) (c atom.TiledCopy, err error) {
	name := "UniversalCopy<uint16_t>"
	switch {
	case o.Div%8 == 0:
		name = "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>"
	case o.Div%4 == 0:
		name = "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t>"
	case o.Div%2 == 0:
		name = "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t>"
	}
	wide, err := atom.FindCopyAtom(name, o.Type.CPP())
	if err != nil {
		return c, err
	}
	across := max(1, min(o.Tile[2]/8, 128))
	if o.Tile[2]%8 != 0 || 128%across != 0 {
		return c, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "make_tiled_copy",
			Msg:  fmt.Sprintf("128 threads copy vectors of 8 along K, found a tile with K of %d", o.Tile[2]),
			Hint: "take a tile whose K is a power of two from 8 on",
		}
	}
	thr, err := cute.New(cute.Ints(128/across, across), cute.Ints(across, 1))
	if err != nil {
		return c, err
	}
	return atom.MakeTiledCopy(wide, thr, cute.MustParse("(1,8):(0,1)"))
}

// solved returns the smallest swizzle with which a tile has no bank conflicts, for accesses to it in its order.
func solved(tile cute.Layout, bits int, accesses ...string) (w cute.Swizzle, err error) {
	target, err := banks.ParseTarget("sm80")
	if err != nil {
		return w, err
	}
	p := swizzle.Problem{Layout: tile, ElemBits: bits}
	for _, text := range accesses {
		a, err := banks.ParseAccess(text, bits)
		if err != nil {
			return w, err
		}
		rule, err := target.Rule(a)
		if err != nil {
			return w, err
		}
		plan, err := banks.NewPlan(rule, tile, bits, banks.Rows())
		if err != nil {
			return w, err
		}
		p.Accesses = append(p.Accesses, swizzle.Access{Name: text, Plan: plan})
	}
	s, err := swizzle.Solve(p)
	if err != nil || len(s.Swizzles) == 0 {
		return w, err
	}
	return s.Swizzles[0].Swizzle, nil
}

func sgemmSM80(o Options) (*kernel.Kernel, error) {
	p, err := newPartsSM80(o)
	if err != nil {
		return nil, err
	}
	return kernel.Trace("sgemm_sm80", 128, func(k *kernel.K) {
		bm, bn, bk, stages := o.Tile[0], o.Tile[1], o.Tile[2], o.Stages
		m, n, depth := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div)), k.Int("k", extent(o.Div))
		zero, one, all, tid := kernel.Int(0), kernel.Int(1), kernel.Open, k.ThreadIdx()
		mA := k.Global("A", o.Type, kernel.Modes(m, depth), depth, one)
		mB := k.Global("B", o.Type, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", o.Sum, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(bm), n.CeilDiv(bn))
		gA := k.LocalTile(mA, kernel.Shape(bm, bk), k.BlockIdx(0), all) // (BM,BK,k)
		gB := k.LocalTile(mB, kernel.Shape(bn, bk), k.BlockIdx(1), all)
		gC := k.LocalTile(mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1))
		sA, sB := k.Shared("sA", o.Type, p.sA), k.Shared("sB", o.Type, p.sB) // (BM,BK,PIPE)

		cp := k.ThrCopy(p.load, tid)
		tAgA, tAsA := cp.PartitionS(gA), cp.PartitionD(sA) // (CPY,CPY_M,CPY_K,k), (CPY,CPY_M,CPY_K,PIPE)
		tBgB, tBsB := cp.PartitionS(gB), cp.PartitionD(sB)
		blocks, parts := bk/16, int64(1)
		early := o.Div%2 != 0
		fetch := func(_ int64, i, stage kernel.Index) {
			k.CopyTiled(p.load, k.Slice(tAgA, all, all, all, i), k.Slice(tAsA, all, all, all, stage))
			k.CopyTiled(p.load, k.Slice(tBgB, all, all, all, i), k.Slice(tBsB, all, all, all, stage))
		}
		if early {
			// What passes registers does so row by row, a share of the rows in each block but the last, and before the next
			// block is read: all at once would be more than there are registers.
			parts = max(1, blocks-1)
			fetch = func(part int64, i, stage kernel.Index) {
				for _, t := range [][2]kernel.Tensor{{tAgA, tAsA}, {tBgB, tBsB}} {
					rows, _ := t[0].Extent(1).Int64()
					for r := part * rows / parts; r < (part+1)*rows/parts; r++ {
						k.CopyZfill(k.Slice(t[0], all, kernel.Int(r), all, i), k.Slice(t[1], all, kernel.Int(r), all, stage))
					}
				}
			}
		}

		thr := k.ThrMMA(p.mma, tid)
		tCrA := thr.MakeFragmentA(thr.PartitionA(k.Slice(sA, all, all, zero))) // (MMA,MMA_M,MMA_K)
		tCrB := thr.MakeFragmentB(thr.PartitionB(k.Slice(sB, all, all, zero)))
		tCgC := thr.PartitionC(gC)
		tCrC := thr.MakeFragmentC(tCgC)
		k.Clear(tCrC)
		ldA, ldB := k.ThrCopy(p.readA, tid), k.ThrCopy(p.readB, tid)
		tXsA, tXsB := ldA.PartitionS(sA), ldB.PartitionS(sB) // (CPY,CPY_M,CPY_K,PIPE)
		tXrA, tXrB := ldA.RetileD(tCrA), ldB.RetileD(tCrB)
		read := func(block int64, stage kernel.Index) {
			b := kernel.Int(block)
			k.CopyTiled(p.readA, k.Slice(tXsA, all, all, b, stage), k.Slice(tXrA, all, all, b))
			k.CopyTiled(p.readB, k.Slice(tXsB, all, all, b, stage), k.Slice(tXrB, all, all, b))
		}

		tiles := gA.Extent(2)
		for i := range stages - 1 {
			for part := range parts {
				fetch(part, kernel.Int(i), kernel.Int(i)) // behind the last tile, zeros
			}
			k.CpAsyncFence()
		}
		k.CpAsyncWait(stages - 2)
		k.Sync()
		read(0, zero)
		multiply := func(block int64) {
			b := kernel.Int(block)
			k.GemmTiled(p.mma, k.Slice(tCrA, all, all, b), k.Slice(tCrB, all, all, b), tCrC)
		}
		k.For(zero, tiles, func(i kernel.Index) {
			refill := func(part int64) { // the stage that all have read
				last := i.Add(kernel.Int(stages - 1))
				if fetch(part, last, last.Mod(stages)); part == 0 {
					k.CpAsyncFence()
				}
			}
			for block := range blocks {
				// While one block is multiplied, the next one is read: the first one of the next tile behind the last.
				next, stage := (block+1)%blocks, i
				if next == block {
					multiply(block) // its registers are the only ones
					refill(0)       // the next tile is read in this round already, and counts among those to wait for
				} else if early && block < parts {
					refill(block)
				}
				if next == 0 {
					stage = i.Add(one)
					k.CpAsyncWait(stages - 2)
					k.Sync()
				}
				read(next, stage.Mod(stages)) // behind the last tile, what nobody multiplies
				if next != block {
					if !early && block == 0 {
						refill(0)
					}
					multiply(block)
				}
			}
		})
		k.CopyIf(tCrC, tCgC)
	})
}
