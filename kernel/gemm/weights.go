package gemm

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/internal/ints"
	"girih/kernel"
	"girih/symbolic"
)

// This file has weights of 4 bits: B has numbers W of u4, with factors and zero points of groups of 128 columns, and
// the product is A times V, V(j,q) = (W(j,q) - ZB(j,q/128))·SB(j,q/128), rounded to the type of A. A thread converts
// its numbers in registers, between shared memory and mma.sync, so that memory has a quarter of the bytes.
//
// An mma.sync takes columns 2t, 2t+1, 2t+8 and 2t+9 from thread t of four, whose numbers of 4 bits are in two places.
// But sums may be taken in any order. The tiled MMA permutes K, for A and for W, so that thread t has columns 16t to
// 16t+15 of 64: 8 bytes of W, and 32 bytes of A. The warps of a block share its rows and have different columns, so a
// block converts each weight once.

// ScaleGroups are the factors SB and the zero points ZB of weights of 4 bits: (N,K/Block) with the first mode
// contiguous, K/Block rounded up, of A's type and of u8. Two numbers share a byte, the first one in the low bits.
const ScaleGroups Scale = "groups"

// weightColumns are the columns of a step.
const weightColumns = 64

// weightTiles are the rows and columns of a tile of D.
var weightTiles = [][2]int64{
	{16, 64}, {16, 128}, {16, 256}, {32, 64}, {32, 128}, {32, 256}, {64, 64}, {64, 128}, {128, 128},
}

// checkWeights refuses what weights of 4 bits cannot have.
func (p *Problem) checkWeights() error {
	weights := p.InB == dtype.U4
	switch {
	case weights != (p.Scale == ScaleGroups):
		return refuse(cute.CodeType, "expected B of u4 and factors of groups, or neither, found %v and factors %q", p.InB,
			string(p.Scale))
	case !weights:
		return nil
	case p.L+p.Groups > 0:
		return refuse(cute.CodeExtent, "expected one product with weights of u4, found %d products and %d groups", p.L,
			p.Groups)
	case p.K%8 != 0 && p.K > 0:
		return withHint("add columns of zeros to A and B", refuse(cute.CodeExtent,
			"expected a multiple of 8 columns of u4, for loads of 4 bytes, found %d", p.K))
	}
	return nil
}

// readWeights makes bytes of a matrix of u4.
func (w *work) readWeights() error {
	x := &w.b
	if x.major != atom.KMajor || x.ld%8 != 0 {
		return refuse(cute.CodeNotRepresentable,
			"expected B of u4 with K contiguous and rows of a multiple of 4 bytes, found %v", x.layout)
	}
	x.typ, x.ld, w.weights = dtype.U8, x.ld/2, true
	var err error
	if x.layout, err = cute.New(cute.Ints(w.n, w.k/2), cute.Ints(x.ld, 1)); err == nil {
		err = x.check()
	}
	x.aligned = true // as far as loads need it
	return err
}

// weightLoad returns the bytes of a load of a matrix: what divides its rows, and also their length.
func (x *matrix) weightLoad(columns int64) int64 {
	return min(x.vector(), ints.LowestBit(columns*int64(x.typ.Bits())/8))
}

// weightCandidates returns the configurations for weights of 4 bits.
func (p *Plan) weightCandidates(w *work, o *Options) (out []Choice) {
	if o.Roles == "ping-pong" || o.Cluster > 1 || o.Instruction == "wgmma" || w.a.major != atom.KMajor {
		return nil
	}
	name := fmt.Sprintf("SM80_16x8x16_F32%s%[1]sF32_TN", map[dtype.Type]string{dtype.F16: "F16", dtype.BF16: "BF16"}[w.in])
	for _, t := range weightTiles {
		for _, stages := range []int64{3, 4, 6, 8} {
			c := Choice{
				MMA: name, Warpgroups: 1, Tile: [3]int64{t[0], t[1], weightColumns}, Stages: stages, Cluster: 1, Direct: true,
				Loads: [2]int64{w.a.weightLoad(w.k), w.b.weightLoad(w.k / 2)}, Warps: [2]int64{1, 4},
			}
			if c.Loads[0] >= 4 && o.allows(&c) && w.n <= c.mostColumns() && c.warpFit(p, w) {
				out = append(out, p.warpSplits(c, w, o)...)
			}
		}
	}
	return out
}

// weightMultiples returns what is known of M, N and K of weights.
func (p *Plan) weightMultiples() [3]symbolic.Facts {
	out := [3]symbolic.Facts{extent(1), extent(p.work.rowUnit()), extent(8)}
	for _, bytes := range []int64{p.choice.Loads[0] / 2, p.choice.Loads[1] * 2} { // in columns
		out[2].Div = max(out[2].Div, bytes)
	}
	return out
}

// Weights are the registers of W and of what becomes of it.
type weights struct {
	*ampere
	scale, zero kernel.Tensor // in memory: (N,K/Block)
	w, v        kernel.Tensor // a thread's numbers of a step
	s, z        kernel.Tensor // of its columns
}

// weightLayouts finds the tiled MMA, the copies, and the layouts of the tiles in shared memory.
func (h *ampere) weightLayouts() {
	c := &h.p.choice
	one := kernel.Must(atom.FindMMA(c.MMA))
	h.mma = kernel.Must(atom.MakeTiledMMA(one, cute.MustParse("(1,4,1):(0,1,0)"),
		cute.MakeTile(cute.Int(16), cute.Int(32), cute.MustParse("(2,4,2,4):(1,16,2,4)"))))
	h.outputLayouts(one)
	for i, o := range h.sides {
		typ, size := h.p.work.in, weightColumns*o.rows
		ring := fmt.Sprintf("(%d,%d,%d):(%[2]d,1,%[4]d)", o.rows, weightColumns, c.Stages, size)
		if o.shared = cute.MustParseComposed(ring); i == 0 {
			// A thread has 32 bytes of a row of 128 bytes of A: the swizzle puts neighbouring rows into different banks.
			o.shared = cute.MustParseComposed("Sw<1,3,3> o 0 o " + ring)
		} else {
			typ = dtype.U4
		}
		each := o.bytes * 8 / int64(typ.Bits())
		across := weightColumns / each
		o.load = kernel.Must(atom.MakeTiledCopy(kernel.Must(atom.FindCopyAtom(copyNames[o.bytes], typ.CPP())),
			kernel.Must(cute.New(cute.Ints(128/across, across), cute.Ints(across, 1))),
			kernel.Must(cute.New(cute.Ints(1, each), cute.Ints(0, 1)))))
	}
}

// declareWeights declares the factors and zero points.
func (h *ampere) declareWeights() *weights {
	x := &weights{ampere: h}
	shape := kernel.Modes(h.n, h.z.CeilDiv(ScaleBlock))
	x.scale = h.k.Global("SB", h.p.work.in, shape, kernel.Int(1), h.n)
	x.zero = h.k.Global("ZB", dtype.U8, shape, kernel.Int(1), h.n)
	return x
}

// multiply returns the sums of the block's steps.
func (x *weights) multiply(at place) kernel.Tensor {
	k, c, t, all := x.k, &x.p.choice, &x.count, kernel.Open
	thr := k.ThrMMA(x.mma, x.thread)
	sums := k.MakeFragment(dtype.F32, c.fragment())
	k.Clear(sums)
	for i, o := range x.sides {
		tiles := k.LocalTile(o.global, kernel.Shape(o.rows, weightColumns), []kernel.Index{at.row, at.column}[i], all)
		copies := k.ThrCopy(o.load, x.thread)
		o.from, o.to = copies.PartitionS(tiles), copies.PartitionD(o.stages)
	}
	x.sides[0].matrices, x.sides[1].matrices = thr.PartitionA(x.sides[0].stages), thr.PartitionB(x.sides[1].stages)
	stage := func(side int, i kernel.Index) kernel.Tensor {
		return k.Slice(x.sides[side].matrices, all, all, all, i.Mod(c.Stages))
	}
	a := k.MakeFragmentLike(stage(0, kernel.Int(0)), x.p.work.in)
	x.w = k.MakeFragmentLike(stage(1, kernel.Int(0)), dtype.U4)
	x.v = k.MakeFragmentLike(x.w, x.p.work.in)
	columns := cute.MustParse(fmt.Sprintf("%d:1", c.Tile[1]/32))
	x.s, x.z = k.MakeFragment(x.p.work.in, columns), k.MakeFragment(dtype.U8, columns)
	for i := range c.Stages - 1 {
		x.start(t.from.Add(kernel.Int(i)))
	}
	k.For(t.from, t.to, func(i kernel.Index) {
		x.arrive()
		x.start(i.Add(kernel.Int(c.Stages - 1)))
		k.Copy(stage(1, i), x.w)
		x.convert(at, i)
		k.Copy(stage(0, i), a)
		k.GemmTiled(x.mma, a, x.v, sums)
	})
	return sums
}

// start starts the copies of a step.
func (x *weights) start(i kernel.Index) {
	k, all := x.k, kernel.Open
	for _, o := range x.sides {
		k.CopyTiled(o.load, k.Slice(o.from, all, all, all, i), k.Slice(o.to, all, all, all, i.Mod(x.p.choice.Stages)))
	}
	k.CpAsyncFence()
}

// convert makes V of W for a step: with the bits of 1024 before them, or of 128 for bf16, 4 bits are a number already,
// from which 1024 and the zero point are subtracted.
func (x *weights) convert(at place, step kernel.Index) {
	k, in, steps := x.k, x.p.work.in, int64(ScaleBlock/weightColumns)
	k.If(step.Mod(steps).Equal(kernel.Int(0)).Or(step.Equal(x.count.from)), func() {
		for _, y := range [][2]kernel.Tensor{{x.scale, x.s}, {x.zero, x.z}} {
			group := k.LocalTile(k.Slice(y[0], kernel.Open, step.Div(steps)), kernel.Shape(x.p.choice.Tile[1]), at.column)
			k.CopyZfill(k.LocalPartition(group, cute.MustParse("32:1"), x.thread.Div(4)), y[1])
		}
	})
	columns := x.p.choice.Tile[1] / 32
	words := k.Recast(k.View(x.w, kernel.Int(0), cute.MustParse(fmt.Sprintf("(16,%d):(1,16)", columns))), dtype.U32)
	pairs := k.Recast(k.View(x.v, kernel.Int(0), cute.MustParse(fmt.Sprintf("(16,%d):(1,16)", columns))), dtype.U32)
	mask, before := k.Number(dtype.U32, 0x000f000f), k.Number(dtype.U32, 0x64006400)
	if in == dtype.BF16 {
		before = k.Number(dtype.U32, 0x43004300)
	}
	for j := range columns {
		s, z := k.Load(x.s, kernel.Int(j)), k.Load(x.z, kernel.Int(j)).Convert(dtype.U32)
		origin := z.Or(z.Shl(kernel.Int(16))).Or(before).Pair(in)
		for i := range int64(8) {
			word := k.Load(words, kernel.Int(i/4), kernel.Int(j))
			// Byte i of a word has two numbers, the second one 4 bits higher.
			two := word.Prmt(word.Shr(kernel.Int(4)), kernel.Int(0x4400+0x1111*(i%4))).And(mask).Or(before).Pair(in)
			k.Store(two.Sub(origin).Mul(k.PairOf(s, s)).Bits().Bitcast(dtype.U32), pairs, kernel.Int(i), kernel.Int(j))
		}
	}
}
