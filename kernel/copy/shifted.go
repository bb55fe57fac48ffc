package copy

import (
	"fmt"
	"math"
	"slices"

	"girih/banks"
	"girih/dtype"
	"girih/internal/ints"
	"girih/kernel"
)

// This file has the way [Shifted], for rows that begin anywhere. The window that a block writes of a row of dst is
// shifted back to where a sector begins, by another number of elements in each row, so that all accesses to dst are
// whole sectors except at the ends of rows. A block therefore loads a few columns more, [lead] of them.
//
//	dst row 0   |----- tile 0 -----|----- tile 1 -----|      rows of 65 elements: row 1 begins one element
//	dst row 1   ----- tile 0 -----|----- tile 1 -----|       after a sector, row 2 two elements, ...
//	dst row 2   ---- tile 0 -----|----- tile 1 -----|
//
// Words of src that are not aligned are joined from two words by prmt, and blocks of words are transposed in registers
// as in [Blocks]. The tile in shared memory has the rows of dst. A row's words are in four planes, by their number
// modulo 4, so that threads that read four words each, from any word on, have no bank conflicts.

// word is the bytes of a bank, and of an access to the tile; rowBytes is the length of a tile's rows, approximately.
const word, rowBytes = 4, 256

// lead returns how many elements a block loads before those that it would write if no row were shifted.
func (p *Plan) lead(mode int) int64 {
	if p.way != Shifted || mode != p.b {
		return 0
	}
	return p.front
}

// unit returns the alignment of windows in elements: a sector if several blocks share a row of dst, and a vector
// otherwise.
func (p *Plan) unit() int64 {
	if p.front > 0 {
		return p.front
	}
	return p.vb
}

// pieces returns how many tiles there are along a mode.
func (p *Plan) pieces(mode int) int64 {
	return ints.CeilDiv(p.modes[mode].Extent+max(p.lead(mode)-1, 0), p.tile[mode])
}

// canShift reports whether the way [Shifted] is possible.
func (p *Plan) canShift() bool {
	return p.can(Rows) && p.a != p.b && p.elem <= word && p.open == nil && p.src.align >= word && p.dst.align >= sector
}

// planShifted plans the way [Shifted].
func (p *Plan) planShifted(o Options) {
	a, b, q := p.a, p.b, word/p.elem
	p.va, p.vb = max(p.va, q), min(o.Vector, widest)/p.elem
	p.vb = max(p.vb, q)
	p.tile[a] = p.fit(p.modes[a].Extent, max(o.Tile/p.elem, p.va), p.va)
	want := rowBytes / p.elem
	n := p.modes[b].Extent
	all := ints.RoundUp(n, q)
	if p.front, p.tile[b] = 0, ints.RoundUp(n+p.vb-1, p.vb); p.tile[b] > want+want/2 {
		p.front = sector / p.elem
		p.tile[b] = p.fit(n+p.front-1, want, p.front)
		all = p.tile[b] + p.front
	}
	// If rows of src are short, a tile has several that follow each other in src.
	bySrc := slices.DeleteFunc(p.byStride(srcOf), func(m int) bool { return m == b })
	p.widen(bySrc, o.Tile/p.elem)
	p.load = phase{width: p.va, digits: []digit{{a, p.tile[a] / p.va, p.va}}}
	p.store = phase{width: p.vb, digits: []digit{{b, p.tile[b] / p.vb, p.vb}}}
	p.load.digits = append(p.load.digits, p.otherRows()...)
	p.load.digits = append(p.load.digits, digit{b, all / q, q})
	p.store.digits = append(p.store.digits, digit{a, p.tile[a], 1})
	p.store.digits = append(p.store.digits, p.otherRows()...)
	p.balance(o.Threads, q)
	groups := max(ints.CeilDiv(p.load.each*p.va*q*p.elem, o.Flight), 1)
	p.group = ints.CeilDiv(p.load.each, groups)
	p.arrangePlanes(all)
}

// otherRows returns the digits of a tile's modes that are contiguous on neither side.
func (p *Plan) otherRows() (out []digit) {
	for m, n := range p.tile {
		if n > 1 && m != p.a && m != p.b {
			out = append(out, digit{m, n, 1})
		}
	}
	return out
}

// balance chooses the number of threads, near the wanted one, with the fewest idle threads in the last rounds of both
// phases, and shares the items. An item of the first phase has va times deep elements.
func (p *Plan) balance(want, deep int64) {
	least := int64(math.MaxInt64)
	for n := ints.RoundUp(max(want/2, 32), 32); n <= min(want+want/4, maxThreads); n += 32 {
		p.load.sum(n)
		p.store.sum(n)
		if cost := n * (p.load.each*p.va*deep + p.store.each*p.vb); cost <= least {
			p.threads, least = n, cost
		}
	}
	p.share(32)
}

// arrangePlanes lays out the tile of [Shifted]: rows of n elements in four planes of words, and as much padding between
// planes and rows as conflicts need.
func (p *Plan) arrangePlanes(n int64) {
	q := word / p.elem
	put, take := rule("st", word), rule("ld", word)
	quarter := ints.CeilDiv(n, 4*q) + 1 // words of a plane; a reader may go one word too far
	least := int64(math.MaxInt64)
	for pad := range int64(4 * 8) {
		plane, row := (quarter+pad%4)*q, int64(0)
		row = 4*plane + pad/4*q
		jump := ints.CeilDiv(p.tile[p.a], p.va)*row + q*(pad%2)
		s := shared{modes: make([][]part, len(p.modes)), size: p.va * jump}
		s.modes[p.a] = []part{{1, p.va, jump}, {p.va, 0, row}}
		s.modes[p.b] = []part{{1, q, 1}, {q, 4, plane}, {4 * q, 0, q}}
		for _, d := range p.otherRows() {
			s.modes[d.mode] = []part{{1, 0, s.size}}
			s.size *= d.count
		}
		s.conflict = p.conflicts(&s, &p.load, put) + p.conflicts(&s, &p.store, take)
		if s.conflict < least {
			p.shared, least = s, s.conflict
		}
		if least == 0 {
			return
		}
	}
}

// conflicts counts the wavefronts above the minimum of the first warp's accesses to words of a tile.
func (p *Plan) conflicts(s *shared, f *phase, r *banks.Rule) int64 {
	if r == nil {
		return 0
	}
	addrs := make([]int64, kernel.WarpSize)
	c := make([]int64, len(p.modes))
	for lane := range addrs {
		if addrs[lane] = banks.Inactive; int64(lane) < f.items {
			f.coordinate(int64(lane), c)
			addrs[lane] = s.at(c) * p.elem
		}
	}
	n, err := r.Count(addrs[:r.Lanes()])
	if err != nil {
		return 0
	}
	return int64(n.Wavefronts - n.Ideal)
}

// shiftedBlocks writes the kernel of the way [Shifted].
func (t *tracer) shiftedBlocks() {
	p, k := t.p, t.k
	t.declare()
	x := block{deep: word / p.elem, step: 1}
	var all []block
	put := func() {
		for _, x := range all {
			t.putBlock(&x)
		}
		all = nil
	}
	load := func(c []kernel.Index, there kernel.Cond) {
		x.c, x.there = c, there
		t.loadJoined(&x)
		if all = append(all, x); int64(len(all)) == p.group {
			put()
		}
	}
	t.byEnds(func() {
		t.items(&p.load, load)
		put()
	})
	k.Sync()
	t.items(&p.store, func(c []kernel.Index, there kernel.Cond) {
		x := t.takeShifted(c, there)
		k.CopyWhere(x.whole, t.elements(x.frag, kernel.Int(0), p.vb, 1),
			k.Assume(t.elements(t.dst, x.to, p.vb, 1), p.vb*p.elem))
	})
	t.putEnds()
}

// loadJoined loads the rows of a block from src. Rows that do not begin with a word are joined from two words.
func (t *tracer) loadJoined(b *block) {
	p, k, c := t.p, t.k, b.c
	q := word / p.elem
	b.frag = t.fragment(p.va * b.deep)
	k.Clear(b.frag)
	in := t.inside(c, b.there, p.a)
	for j := range b.deep {
		row := append([]kernel.Index(nil), c...)
		row[p.b] = c[p.b].Add(kernel.Int(j))
		has := in.And(kernel.Int(-1).Less(t.first[p.b].Add(row[p.b]))).And(row[p.b].Less(t.left[p.b]))
		from := t.fromSrc(row)
		if !p.joins() {
			s := strip{p.a, p.va, c[p.a], has}
			whole, _ := t.whole(s)
			k.CopyWhere(whole, t.elements(t.src, from, p.va, 1), t.elements(b.frag, kernel.Int(j*p.va), p.va, 1))
			t.partly(s, func(i int64, some kernel.Cond) {
				k.CopyWhere(some, t.elements(t.src, from.Add(kernel.Int(i)), 1, 1), t.elements(b.frag, kernel.Int(j*p.va+i), 1, 1))
			})
			continue
		}
		ahead := append([]kernel.Index(nil), row...) // a row with the same residue, whose number is not negative
		ahead[p.b] = row[p.b].Add(kernel.Int(p.lead(p.b)))
		past := t.offset(&p.src, srcOf, ahead).Mod(q)
		at := from.Sub(past)
		lo, hi := t.fragment(q), t.fragment(q)
		k.Clear(lo)
		k.Clear(hi)
		t.word(at, has.And(c[p.a].Less(t.left[p.a])), lo)
		t.word(at.Add(kernel.Int(q)), has.And(kernel.Int(0).Less(past)).
			And(c[p.a].Add(kernel.Int(q)).Less(t.left[p.a].Add(past))), hi)
		k.Store(t.joinWords(lo, hi, past), k.Recast(b.frag, dtype.U32), kernel.Int(j))
	}
}

// joinWords returns the word that begins the given number of elements after the first of two words.
func (t *tracer) joinWords(lo, hi kernel.Tensor, past kernel.Index) kernel.Value {
	k, e := t.k, t.p.elem
	first := k.Load(k.Recast(lo, dtype.U32), kernel.Int(0))
	second := k.Load(k.Recast(hi, dtype.U32), kernel.Int(0))
	return first.Prmt(second, kernel.Int(0x3210).Add(past.Mul(kernel.Int(0x1111*e))))
}

// A shiftedItem is an aligned vector of dst.
type shiftedItem struct {
	frag  kernel.Tensor
	to    kernel.Index // its place in dst
	whole kernel.Cond  // that all of its elements exist
}

// takeShifted reads a vector from the tile; c is its coordinate if its row were not shifted.
func (t *tracer) takeShifted(c []kernel.Index, there kernel.Cond) shiftedItem {
	p, k := t.p, t.k
	q, lead := word/p.elem, p.lead(p.b)
	shift := t.shift(c)
	x := c[p.b].Add(kernel.Int(lead)).Sub(shift) // the place of its first element in the tile
	row := append([]kernel.Index(nil), c...)
	row[p.b] = kernel.Int(0)
	base := t.inTile(row)
	out := shiftedItem{frag: t.fragment(p.vb)}
	r, last := t.first[p.b].Add(x), t.first[p.b].Add(x).Add(kernel.Int(p.vb-1))
	out.whole = t.inside(c, there, p.b).And(kernel.Int(-1).Less(r)).And(last.Less(kernel.Int(p.modes[p.b].Extent)))
	start := append([]kernel.Index(nil), c...)
	start[p.b] = kernel.Int(lead)
	out.to = t.toDst(start).Sub(shift).Add(c[p.b])
	const ahead = 8 // words, so that the number is not negative: a sector has eight
	first := x.Add(kernel.Int(ahead * q)).Div(q)
	past := x.Add(kernel.Int(ahead * q)).Mod(q)
	if p.dst.alignment(p, p.b, dstOf) >= q {
		past = kernel.Int(0)
	}
	n := p.vb / q
	aligned := certain(past.Less(kernel.Int(1)))
	if !aligned {
		n++
	}
	var words []kernel.Tensor
	parts := p.shared.modes[p.b]
	for i := range n {
		at := first.Add(kernel.Int(i))
		w := t.fragment(q)
		from := base.Add(at.Mod(4).Mul(kernel.Int(parts[1].stride))).
			Add(at.Div(4).Sub(kernel.Int(ahead / 4)).Mul(kernel.Int(parts[2].stride)))
		cond := there
		if p.front == 0 {
			cond = out.whole // other vectors may begin before the tile
		}
		if !aligned && i == n-1 {
			cond = cond.And(kernel.Int(0).Less(past))
		}
		if !certain(cond) {
			k.Clear(w)
		}
		k.CopyWhere(cond, k.Assume(t.elements(t.tile, from, q, 1), word), t.elements(w, kernel.Int(0), q, 1))
		words = append(words, w)
	}
	for i := range p.vb / q {
		if aligned {
			k.Copy(words[i], t.elements(out.frag, kernel.Int(i*q), q, 1))
			continue
		}
		k.Store(t.joinWords(words[i], words[i+1], past), k.Recast(out.frag, dtype.U32), kernel.Int(i))
	}
	return out
}

// shift returns by how many elements the window of the row of dst at a coordinate is shifted back.
func (t *tracer) shift(c []kernel.Index) kernel.Index {
	c = append([]kernel.Index(nil), c...)
	c[t.p.b] = kernel.Int(t.p.lead(t.p.b))
	return t.offset(&t.p.dst, dstOf, c).Mod(t.p.unit())
}

// putEnds writes the elements before the first whole vector of each row, and those after the last one, one by one.
// Neighbouring threads write neighbouring elements.
func (t *tracer) putEnds() {
	p, k := t.p, t.k
	v, end := p.vb, p.modes[p.b].Extent
	ends := phase{digits: append([]digit{{p.b, v, 1}, {p.a, p.tile[p.a], 1}}, p.otherRows()...)}
	ends.sum(p.threads)
	put := func(c []kernel.Index, there kernel.Cond, r kernel.Index) {
		at := append([]kernel.Index(nil), c...)
		at[p.b] = r.Sub(t.first[p.b])
		one := t.fragment(1)
		k.Clear(one)
		k.CopyWhere(there, t.elements(t.tile, t.inTile(at), 1, 1), one)
		k.CopyWhere(there, one, t.elements(t.dst, t.toDst(at), 1, 1))
	}
	k.If(t.first[p.b].Less(kernel.Int(1-p.lead(p.b))), func() { // the first tile
		t.items(&ends, func(c []kernel.Index, there kernel.Cond) {
			past := t.pastAligned(c, 0)
			before := kernel.Int(0).Less(past).And(c[p.b].Add(past).Less(kernel.Int(v))).And(c[p.b].Less(kernel.Int(end)))
			put(c, t.inside(c, there, p.b).And(before), c[p.b])
		})
	})
	k.If(t.left[p.b].Less(kernel.Int(p.tile[p.b]+p.lead(p.b)+v)), func() {
		t.items(&ends, func(c []kernel.Index, there kernel.Cond) {
			past := t.pastAligned(c, end)
			from := t.left[p.b].Sub(past) // where the last whole vector ends, in the tile
			first := kernel.Int(p.lead(p.b)).Sub(t.shift(c))
			after := c[p.b].Less(past).And(past.Less(kernel.Int(end + 1))).
				And(first.Less(from.Add(kernel.Int(1)))).And(from.Less(first.Add(kernel.Int(p.tile[p.b]))))
			put(c, t.inside(c, there, p.b).And(after), kernel.Int(end).Sub(past).Add(c[p.b]))
		})
	})
}

// pastAligned returns how many elements element r of a row of dst is after a place where a vector can begin.
func (t *tracer) pastAligned(c []kernel.Index, r int64) kernel.Index {
	c = append([]kernel.Index(nil), c...)
	c[t.p.b] = kernel.Int(r).Sub(t.first[t.p.b])
	return t.offset(&t.p.dst, dstOf, c).Mod(t.p.vb)
}

// shiftedSteps describes the way [Shifted]; items writes how many items a phase has.
func (p *Plan) shiftedSteps(items func(f *phase, what string) string) []string {
	q := word / p.elem
	load := fmt.Sprintf("global -> registers: blocks of %dx%d elements, rows of %s", p.va, q, bytes(p.va*p.elem))
	if p.joins() {
		load += ", joined from two words"
	}
	return []string{
		items(&p.load, load),
		fmt.Sprintf("registers -> shared: accesses of %s", bytes(word)),
		items(&p.store, fmt.Sprintf("shared -> global: accesses of %s, from where a sector begins in each row",
			bytes(p.vb*p.elem))),
	}
}

// joins reports whether the rows of src do not begin with words.
func (p *Plan) joins() bool {
	q := word / p.elem
	return q > 1 && p.vector(&p.src, p.a, srcOf, word) < q
}
