package copy

import (
	"girih/dtype"
	"girih/internal/ints"
	"girih/kernel"
)

// A place is where a run of a side begins, for one item.
type place struct {
	start  kernel.Index // the offset of the run
	past   kernel.Index // how far that is after an aligned offset
	length kernel.Index // how many elements of the run exist
	there  kernel.Cond  // whether the run exists
}

// place returns the place of the run at a coordinate of the tile. The phase has the modes that the run spans.
func (t *tracer) place(f *phase, c []kernel.Index, there kernel.Cond) place {
	p := t.p
	e, stride := &p.src, srcOf
	if f == &p.store {
		e, stride = &p.dst, dstOf
	}
	c = append([]kernel.Index(nil), c...)
	length := int64(1)
	for _, m := range f.run[:len(f.run)-1] {
		c[m], length = kernel.Int(0), length*p.tile[m]
	}
	last := f.run[len(f.run)-1]
	c[last] = kernel.Int(0)
	out := place{start: t.offset(e, stride, c), there: there, length: kernel.Int(f.length)}
	for i, s := range t.smaller {
		switch {
		case s && i == last:
			out.length = t.left[i].Mul(kernel.Int(length)) // the run continues after the tile in other blocks
		case s:
			out.there = out.there.And(c[i].Less(t.left[i]))
		}
	}
	if f.shift > 0 {
		out.past = t.misalignment(f, c)
	}
	return out
}

// rows writes the kernel of the way [Rows].
func (t *tracer) rows() {
	p, k := t.p, t.k
	t.declare()
	type item struct {
		frag  kernel.Tensor
		c     []kernel.Index
		there kernel.Cond
	}
	var all []item
	run := p.load.run[0]
	put := func() {
		for _, x := range all {
			row := append([]kernel.Index(nil), x.c...)
			for _, m := range p.load.run {
				row[m] = kernel.Int(0)
			}
			to := t.inTile(row).Add(x.c[run])
			k.CopyWhere(x.there, t.elements(x.frag, kernel.Int(0), p.load.width, 1), t.elements(t.tile, to, p.load.width, 1))
		}
		all = nil
	}
	load := func(c []kernel.Index, there kernel.Cond) {
		at := t.place(&p.load, c, there)
		x := c[run].Sub(at.past)
		in := at.there.And(x.Less(at.length))
		if p.load.digits[0].count*p.load.width > p.load.length {
			in = in.And(x.Less(kernel.Int(p.load.length)))
		}
		frag := t.fragment(p.load.width)
		if t.unit == dtype.U32 {
			k.Clear(frag)
		}
		t.word(at.start.Add(x), in, frag)
		all = append(all, item{frag, c, in})
		if len(all) == 16 {
			put()
		}
	}
	t.byEnds(func() {
		t.items(&p.load, load)
		put()
	})
	k.Sync()
	t.gather()
}

// byEnds calls load twice if words may reach beyond the ends of src: for the blocks near the ends, whose words are
// checked one by one, and for all others. A branch after each load would let it wait for the data.
func (t *tracer) byEnds(load func()) {
	lo, hi := t.p.cut(t.p.load.width)
	if t.p.open != nil {
		load()
		return
	}
	rest := func() {
		t.inner = true
		load()
		t.inner = false
	}
	if lo {
		inner := rest
		rest = func() { t.k.IfElse(t.near(-1), load, inner) }
	}
	if hi {
		t.k.IfElse(t.near(1), load, rest)
		return
	}
	rest()
}

// near returns the condition that the block has elements near the end of src, or near its begin if sign is -1: the
// words of all other blocks are inside.
func (t *tracer) near(sign int64) kernel.Cond {
	p, c := t.p, kernel.Cond{}
	for i, m := range p.modes {
		if m.mixed || m.Src == 0 {
			continue
		}
		reach := ints.CeilDiv(2*p.load.width, abs(m.Src)) // a word may also have elements of the next tile
		if m.Src*sign > 0 {
			c = c.And(t.left[i].Less(kernel.Int(p.tile[i] + p.lead(i) + reach + 1)))
		} else {
			c = c.And(t.first[i].Less(kernel.Int(reach + 1)))
		}
	}
	return c
}

// word loads an aligned word of src. The word's elements may belong to other runs, but elements outside src are not
// loaded.
func (t *tracer) word(x kernel.Index, in kernel.Cond, frag kernel.Tensor) {
	k, w, lo, hi := t.k, t.p.load.width, t.lo, t.hi
	whole := in
	var edges []kernel.Cond
	cutLo, cutHi := t.p.cut(w)
	if t.inner {
		cutLo, cutHi = false, false
	}
	if cutLo {
		whole = whole.And(lo.Sub(kernel.Int(1)).Less(x))
		edges = append(edges, x.Less(lo))
	}
	if cutHi {
		whole = whole.And(x.Add(kernel.Int(w - 1)).Less(hi))
		edges = append(edges, hi.Less(x.Add(kernel.Int(w))))
	}
	k.CopyWhere(whole, k.Assume(t.elements(t.src, x, w, 1), w*t.p.elem), t.elements(frag, kernel.Int(0), w, 1))
	for _, e := range edges {
		k.If(in.And(e), func() {
			for i := range w {
				at := x.Add(kernel.Int(i))
				some := lo.Sub(kernel.Int(1)).Less(at).And(at.Less(hi))
				k.CopyWhere(some, t.elements(t.src, at, 1, 1), t.elements(frag, kernel.Int(i), 1, 1))
			}
		})
	}
}

// A gatherItem is a word of a run of dst, gathered into registers.
type gatherItem struct {
	frag  kernel.Tensor
	at    place
	x, to kernel.Index // where the word is in its run and in dst
	whole kernel.Cond  // whether all of its elements exist
}

// exists returns the condition that element i of a word exists.
func (t *tracer) exists(x *gatherItem, i int64) kernel.Cond {
	r := x.x.Add(kernel.Int(i))
	some := r.Less(x.at.length)
	if t.cutsRuns() {
		some = some.And(r.Less(kernel.Int(t.p.store.length)))
	}
	return some.And(kernel.Int(-1).Less(r))
}

// cutsRuns reports whether the tile may end within a run of dst.
func (t *tracer) cutsRuns() bool { return t.smaller[t.p.store.run[len(t.p.store.run)-1]] }

// gather writes the second phase of [Rows]: it reads elements from shared memory and writes words of runs to dst.
func (t *tracer) gather() {
	var all []gatherItem
	t.items(&t.p.store, func(c []kernel.Index, there kernel.Cond) {
		all = append(all, t.gatherWord(c, there))
		if len(all) == 8 {
			t.putWords(all)
			all = nil
		}
	})
	t.putWords(all)
}

// gatherWord reads the elements of the word at a coordinate of the tile.
func (t *tracer) gatherWord(c []kernel.Index, there kernel.Cond) gatherItem {
	k, f := t.k, &t.p.store
	w := f.width
	at := t.place(f, c, there)
	if f.digits[0].count*w > f.length && t.cutsRuns() {
		at.there = at.there.And(c[f.run[0]].Sub(at.past).Less(kernel.Int(f.length)))
	}
	x := gatherItem{frag: t.fragment(w), at: at, x: c[f.run[0]].Sub(at.past), whole: at.there}
	x.to = at.start.Add(x.x)
	for _, i := range []int64{0, w - 1} {
		x.whole = x.whole.And(t.exists(&x, i))
	}
	if t.unit == dtype.U32 {
		k.Clear(x.frag)
	}
	for i := range w {
		from := t.gatherFrom(c, x.x.Add(kernel.Int(i)))
		k.CopyWhere(at.there.And(t.exists(&x, i)), t.elements(t.tile, from, 1, 1), t.elements(x.frag, kernel.Int(i), 1, 1))
	}
	return x
}

// putWords writes whole words to dst, and of incomplete words the existing elements.
func (t *tracer) putWords(all []gatherItem) {
	p, k, f := t.p, t.k, &t.p.store
	w, cut := f.width, t.cutsRuns()
	for _, x := range all {
		k.CopyWhere(x.whole, t.elements(x.frag, kernel.Int(0), w, 1), k.Assume(t.elements(t.dst, x.to, w, 1), w*p.elem))
	}
	if w == 1 || f.shift == 0 && f.length%w == 0 && !cut {
		return // all words are whole
	}
	for _, x := range all {
		edges := []kernel.Cond{x.x.Less(kernel.Int(0)), x.at.length.Less(x.x.Add(kernel.Int(w)))}
		if cut {
			edges = append(edges, kernel.Int(f.length).Less(x.x.Add(kernel.Int(w))))
		}
		for _, e := range edges {
			k.If(x.at.there.And(e), func() {
				for i := range w {
					k.CopyWhere(t.exists(&x, i), t.elements(x.frag, kernel.Int(i), 1, 1),
						t.elements(t.dst, x.to.Add(kernel.Int(i)), 1, 1))
				}
			})
		}
	}
}

// gatherFrom returns the place in the tile of element r of a run of dst.
func (t *tracer) gatherFrom(c []kernel.Index, r kernel.Index) kernel.Index {
	p := t.p
	c = append([]kernel.Index(nil), c...)
	for i, m := range p.store.run {
		if i == len(p.store.run)-1 {
			c[m] = r
			break
		}
		c[m], r = r.Mod(p.tile[m]), r.Div(p.tile[m])
	}
	at := t.inTile(c)
	if p.load.shift > 0 {
		start := append([]kernel.Index(nil), c...)
		for _, m := range p.load.run {
			start[m] = kernel.Int(0)
		}
		at = at.Add(t.misalignment(&p.load, start))
	}
	return at
}
