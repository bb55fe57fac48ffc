package examples

// This file is the kernel sgemm_sm80, after CuTe's examples/cute/tutorial/sgemm_sm80.cu: products of halves on tensor
// cores, with cp.async into a ring of swizzled stages, ldmatrix and mma.sync. It is complete. To use it elsewhere, copy
// the file and change the name of its package; then
//
//	k, err := sgemmSM80{Tile: []int64{128, 128, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 8, Stages: 3}.trace()
//
// makes the kernel, and k.Module is its PTX: C = A·Bᵀ for A of (m,k), B of (n,k) and C of (m,n), row by row.
//
// A stage is a tile of A and B. While one stage is multiplied, the copies of the next ones are under way; within a
// stage, while one block of 16 columns is multiplied, ldmatrix reads the next one into registers. Read sgemm_sm70.go
// first, which has the same two pipelines without asynchronous copies.
//
// Package swizzle finds the swizzle of the stages: the smallest one without conflicts.
//
//	loader         the copy from global to shared memory, as wide as Div allows
//	parts          the other copies, the tiled MMA and the stages
//	conflictFree   the swizzle
//	trace          the kernel
//
// The next example to read is wgmma_sm90.go, with the instructions of Hopper; softmax.go shows reductions.

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/swizzle"
	"girih/symbolic"
)

// A sgemmSM80 is the parameters of sgemm_sm80.
type sgemmSM80 struct {
	Tile   []int64    // rows of A, rows of B and columns of both that a block multiplies at a time
	Type   dtype.Type // the type of A and B: f16 or bf16
	Sum    dtype.Type // the type of C: f32, or f16 if Type is
	Div    int64      // what divides m, n and k
	Stages int64      // the stages of the pipeline through shared memory, at least 2
}

// sgemmSM80Instructions are the instructions by the type of the elements and the type of the sums.
var sgemmSM80Instructions = map[[2]dtype.Type]string{
	{dtype.F16, dtype.F32}: "SM80_16x8x16_F32F16F16F32_TN", {dtype.F16, dtype.F16}: "SM80_16x8x16_F16F16F16F16_TN",
	{dtype.BF16, dtype.F32}: "SM80_16x8x16_F32BF16BF16F32_TN",
}

// fits refuses tiles that are not multiples of the tiled MMA.
func (o sgemmSM80) fits(m atom.TiledMMA) error {
	step, near, all := m.TileShape(), make([]string, len(o.Tile)), true
	for i, n := range o.Tile {
		all = all && n%step[i] == 0
		near[i] = fmt.Sprint((n + step[i] - 1) / step[i] * step[i])
	}
	if all {
		return nil
	}
	return &cute.Error{
		Code: cute.CodeNotDivisible, Op: "make_tiled_mma",
		Msg:  fmt.Sprintf("the tiled MMA multiplies (%d,%d,%d) at once, found a tile %v", step[0], step[1], step[2], o.Tile),
		Hint: "take a tile of " + strings.Join(near, ","),
	}
}

// A sgemmSM80Parts is what does not depend on the kernel: copies from global to shared memory and on to registers, the
// tiled MMA, and the stages of tiles in shared memory.
type sgemmSM80Parts struct {
	load, readA, readB atom.TiledCopy
	mma                atom.TiledMMA
	sA, sB             cute.Composed
}

func (o sgemmSM80) parts() (p sgemmSM80Parts, err error) {
	bm, bn, bk := o.Tile[0], o.Tile[1], o.Tile[2]
	if p.load, err = o.loader(); err != nil {
		return p, err
	}
	mma, ok := sgemmSM80Instructions[[2]dtype.Type{o.Type, o.Sum}]
	if !ok {
		return p, &cute.Error{
			Code: cute.CodeType, Op: "mma.sync", Msg: fmt.Sprintf("no instruction adds products of %v in %v", o.Type, o.Sum),
			Hint: "take sums of f32, or of f16 for products of f16",
		}
	}
	op, err := atom.FindMMA(mma)
	if err != nil {
		return p, err
	}
	if p.mma, err = atom.MakeTiledMMA(op, cute.MustParse("(2,2,1):(1,2,0)"), cute.Ints(32, 32, 16)); err != nil {
		return p, err
	}
	if err = o.fits(p.mma); err != nil {
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
	// ldmatrix.x4 reads 32 rows; the other rows are stored in the same way.
	rows, err := cute.New(cute.Ints(32, bk), cute.Ints(bk, 1))
	if err != nil {
		return p, err
	}
	w, err := conflictFree(rows, o.Type.Bits(), "ldmatrix.x4", "st.128")
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

// loader returns the copy of a tile from global to shared memory by 128 threads, 8 neighbours along K each: with
// cp.async if rows are aligned to the 16, 8 or 4 bytes that it moves.
func (o sgemmSM80) loader() (c atom.TiledCopy, err error) {
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

// conflictFree returns the smallest swizzle such that accesses to a tile, in its order, have no bank conflicts.
func conflictFree(tile cute.Layout, bits int, accesses ...string) (w cute.Swizzle, err error) {
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

// trace returns the kernel. It returns [cute.CodeType] for types without an instruction, and [cute.CodeNotDivisible]
// for a tile that the copies or the MMA do not divide.
func (o sgemmSM80) trace() (*kernel.Kernel, error) {
	p, err := o.parts()
	if err != nil {
		return nil, err
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
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
			// Rows that pass through registers do so one by one, a share of them in each block but the last, and before the
			// next block is read: all at once would need too many registers.
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
				fetch(part, kernel.Int(i), kernel.Int(i)) // after the last tile, this copies zeros
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
			refill := func(part int64) { // refills the stage that all threads have read
				last := i.Add(kernel.Int(stages - 1))
				if fetch(part, last, last.Mod(stages)); part == 0 {
					k.CpAsyncFence()
				}
			}
			for block := range blocks {
				// While one block is multiplied, the next one is read; after the last one, the first of the next tile.
				next, stage := (block+1)%blocks, i
				if next == block {
					multiply(block) // the block's registers are no longer needed
					refill(0)       // before the wait for the next tile, so that the count of groups is right
				} else if early && block < parts {
					refill(block)
				}
				if next == 0 {
					stage = i.Add(one)
					k.CpAsyncWait(stages - 2)
					k.Sync()
				}
				read(next, stage.Mod(stages)) // after the last tile, the registers are not used
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
