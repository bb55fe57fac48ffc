package gemm

import (
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// This file adds the sums of steps in registers: tensor cores do not keep all bits of the sums of 8-bit floats, and
// factors of blocks differ from step to step. There are two sets of sums of a step. One is added while the tensor cores
// multiply into the other one, so they always have work.

// promotable reports whether the sums of a tile's steps can be added in registers: a step has a block of columns, and a
// tile has whole columns of blocks, or is in one.
func (w *work) promotable(tile [3]int64) bool {
	n := tile[1]
	return !w.promoted || tile[2] == ScaleBlock && (!w.blocks || !w.exchanged && (n%ScaleBlock == 0 || ScaleBlock%n == 0))
}

// A promotion adds the sums of steps to the sums of a tile.
type promotion struct {
	h             *hopper
	x             *team
	base          kernel.Index // the number of the first stage
	parts         [2]kernel.Tensor
	rows, columns []kernel.Index // of the factors that a thread needs, if blocks have factors
}

// promote multiplies the steps of a tile. Each step is started before the sums of the step before are needed.
func (h *hopper) promote(x *team, at place, base kernel.Index) {
	k, one, two := h.k, kernel.Int(1), kernel.Int(2)
	p := promotion{h: h, x: x, base: base}
	for i := range p.parts {
		p.parts[i] = k.MakeFragment(h.p.work.math.sum, h.p.choice.fragment())
	}
	h.finish.place = at
	p.find(at)
	k.Clear(x.sums)
	n := h.count.to.Sub(h.count.from)
	pairs := n.Sub(one).Div(2)
	both := func(i kernel.Index, v []kernel.Value) []kernel.Value {
		i = i.Mul(two)
		second := p.start(i.Add(one), 1)
		p.add(i, 0, 1, v)
		next := p.start(i.Add(two), 0)
		p.add(i.Add(one), 1, 1, second)
		return next
	}
	first := k.ForCarryAll(kernel.Int(0), pairs, p.start(kernel.Int(0), 0), both)
	last := pairs.Mul(two)
	k.IfElse(last.Add(one).Less(n), func() {
		second := p.start(last.Add(one), 1)
		p.add(last, 0, 1, first)
		p.add(last.Add(one), 1, 0, second)
	}, func() { p.add(last, 0, 0, first) })
	h.pass(x.number)
}

// find finds the rows of the factors: a thread has sums in two rows of each 64, and a tile is in one column of blocks
// or in several.
func (p *promotion) find(at place) {
	h, t, one := p.h, p.h.p.choice.Tile, kernel.Int(1)
	if !h.p.work.blocks {
		return
	}
	c := part{mma: h.mma, thread: p.x.thread}
	row, _, offset := c.places(h.k)
	row = row.Add(at.row.Mul(kernel.Int(t[0])))
	for i := int64(0); i < h.p.choice.fragment().Size(); i += t[1] / 2 { // of an instruction
		for j := range int64(2) {
			down, _ := offset(i + 2*j)
			p.rows = append(p.rows, row.Add(kernel.Int(down)).Min(h.m.Sub(one)))
		}
	}
	column := at.column.Mul(kernel.Int(t[1])).Div(ScaleBlock)
	for i := int64(0); i*ScaleBlock < t[1]; i++ {
		p.columns = append(p.columns, column.Add(kernel.Int(i)).Min(h.n.CeilDiv(ScaleBlock).Sub(one)))
	}
}

// start starts a step, and loads its factors.
func (p *promotion) start(step kernel.Index, part int) (factors []kernel.Value) {
	h, f := p.h, &p.h.finish
	block := step.Add(h.count.from).Min(h.z.CeilDiv(ScaleBlock).Sub(kernel.Int(1))) // the minimum is for the algebra
	for i, rows := range [2][]kernel.Index{p.rows, p.columns} {
		for _, row := range rows {
			factors = append(factors, h.k.Load(f.factors[factorNames[i]], f.coord(row, block)...))
		}
	}
	h.multiply(p.x, p.base.Add(step), block.Less(block), p.parts[part])
	return factors
}

// add waits until at most the given number of steps are under way, and adds the sums of a step, times its factors.
func (p *promotion) add(step kernel.Index, part int, running int64, factors []kernel.Value) {
	h, k, from, one := p.h, p.h.k, p.parts[part], p.h.k.Number(dtype.F32, 1)
	k.WarpgroupWait(running)
	h.pipe.ConsumerRelease(h.pipe.ConsumerState(p.base.Add(step)))
	if h.p.work.math.sum != dtype.F32 {
		from = k.MakeFragment(dtype.F32, h.p.choice.fragment())
		k.Convert(p.parts[part], from)
	}
	if factors == nil {
		k.Axpby(one, from, one, p.x.sums)
		return
	}
	n := h.p.choice.Tile[1] / 2 // sums of an instruction: two neighbours in one row, two in the other one, and so on
	block := kernel.Must(cute.New(cute.Ints(2, min(n/4, ScaleBlock/8)), cute.Ints(1, 4)))
	for i, row := range factors[:len(p.rows)] {
		for j, column := range factors[len(p.rows):] {
			at := kernel.Int(int64(i/2)*n + int64(i%2*2+j*ScaleBlock/2))
			k.Axpby(row.Mul(column), k.View(from, at, block), one, k.View(p.x.sums, at, block))
		}
	}
}
