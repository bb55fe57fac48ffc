package symbolic

import (
	"errors"
	"fmt"
	"slices"

	"girih/cute"
)

// This file implements the divides and the products. For a tile <TM,TN> over modes (M,N,L):
//
//	Logical ((TM,RM),(TN,RN),L)   Zipped ((TM,TN),(RM,RN,L))   Tiled ((TM,TN),RM,RN,L)   Flat (TM,TN,RM,RN,L)

// A Form is the arrangement of a divide or a product.
type Form int

// The forms.
const (
	Logical Form = iota
	Zipped
	Tiled
	Flat
)

var forms = [...]string{"logical", "zipped", "tiled", "flat"}

// A Division is the result of a divide.
type Division struct {
	Layout
	// Whole is the guard under which nothing is padded; if it is violated, the last tiles reach beyond the layout.
	Whole Guard
	// Padded lists the conditions of Whole that never hold, so that something is always padded. If all extents are
	// known, Padding is package cute's report.
	Padded  Guard
	Padding cute.Padding
}

// Divide divides a by the tiler. The number of tiles is rounded up: if Whole does not hold, the result is padded. It
// returns [cute.CodeRank] and the errors of [Complement] and [Composition].
func Divide(a Layout, t Tiler, f Form) (Division, error) {
	w := begin(forms[f]+"_divide", a)
	var whole Guard
	if a.Shape().Static() {
		if k, ok := t.knownTiler(); ok {
			op := [...]func(cute.Layout, cute.Tiler) (cute.Division, error){
				cute.LogicalDivide, cute.ZippedDivide, cute.TiledDivide, cute.FlatDivide,
			}[f]
			var padding cute.Padding
			r := w.linear(a, func(l cute.Layout) (cute.Layout, error) {
				d, err := op(l, k)
				padding = d.Padding
				return d.Layout, err
			})
			if !padding.None() {
				w.noteUnmerged(a)
			}
			l, err := w.end(r)
			return Division{Layout: l, Padding: padding}, err
		}
	}
	l := w.tile(a, t, f, func(a, b Layout) (tile, rest Layout) { return w.divide(a, b, &whole) })
	out, err := w.end(l)
	if err != nil {
		return Division{}, err
	}
	d := Division{Layout: out}
	for _, c := range whole {
		if c.decide() == no {
			d.Padded = d.Padded.with(c)
			continue
		}
		if rest, ok := (Guard{c}).simplify(); ok {
			d.Whole = d.Whole.And(rest)
		}
	}
	return d, nil
}

// noteUnmerged requires that no mode continues the mode before it: the two would be padded as one mode.
func (w *operation) noteUnmerged(a Layout) {
	ms := slices.DeleteFunc(a.modes(), func(m mode) bool { return m.s.is(1) })
	for i, m := range ms[:max(len(ms)-1, 0)] {
		x, okX := w.scaleVector(m.d, m.s).Int()
		d, okD := ms[i+1].d.Int()
		if okX && okD && !(x.static() && d.static()) && !x.Equal(d) {
			w.require(distinctIf(x, d))
		}
	}
}

// Multiply repeats the block a over the tiler. If the first gap of a is not known, the guard says that all copies fit
// into it. If the order of a's strides is not known, the guard says that the strides grow in the order written. It
// returns [cute.CodeUnknown] if that order is impossible, [cute.CodeRank], and the errors of [Composition].
func Multiply(a Layout, t Tiler, f Form) (Layout, error) {
	w := begin(forms[f]+"_product", a)
	return w.end(w.tile(a, t, f, func(a, b Layout) (tile, rest Layout) { return a, w.copies(a, b) }))
}

// divide returns the tile and the rest of a divide of all of a by the layout b.
func (w *operation) divide(a, b Layout, whole *Guard) (tile, rest Layout) {
	for _, c := range b.Guard() {
		w.guard = w.guard.with(c)
	}
	if b.HasAxes() {
		return w.divideByCoordinates(a, b, whole)
	}
	all := w.coalesceModes(a.modes())
	g := w.gaps(b)
	if w.err != nil {
		return
	}
	ms := all
	if last := len(ms) - 1; last > 0 && ms[last].s.is(1) {
		ms = ms[:last]
	}
	before := *whole
	w.noteRounding(ms, g, whole)
	given := extentsOfModes(ms)
	if c, ok := w.pad(ms, g.block); ok {
		*whole = before
		if c.decide() != yes {
			*whole = before.with(c)
		}
	}
	tiles := group(w.fillModes(g, extentsOfModes(ms), given))
	within := group(all).with(func(c *contents) { c.computed = a.contents().computed })
	pair := w.compose(within, nest(b, tiles))
	if w.err != nil {
		return
	}
	parts := pair.Modes()
	return parts[0], parts[1]
}

// noteRounding adds to whole the conditions under which no number of tiles is rounded up: in each mode, the remaining
// part of the block divides the extent, or the extent divides that part.
func (w *operation) noteRounding(ms []mode, g gapFill, whole *Guard) {
	left := g.block
	for i, m := range ms {
		c := Condition{op: oneOf, alts: []Guard{{dividesIf(left, m.s)}, {dividesIf(m.s, left)}}}
		if i == len(ms)-1 {
			c = dividesIf(left, m.s)
		}
		if len(ms) == 1 && g.plain {
			c.strength = strict // with one mode, tiles are rounded up exactly if they do not divide the mode
		}
		if !left.is(1) && c.decide() != yes {
			*whole = whole.with(c)
		}
		left = w.ceilDiv(left, m.s)
	}
}

func extentsOfModes(ms []mode) []Int {
	out := make([]Int, len(ms))
	for i, m := range ms {
		out[i] = m.s
	}
	return out
}

// pad makes the extent of the mode in which the block ends a multiple of the block's part in that mode, as package cute
// does. If the block may be larger than the mode, a condition says that it is not. For symbols without a name it pads
// nothing, which gives CuTe's form over several modes. If the mode is known, pad returns the condition under which
// nothing is padded.
func (w *operation) pad(ms []mode, block Int) (whole Condition, ok bool) {
	for i := range ms[:len(ms)-1] {
		s := ms[i].s
		if block.is(1) {
			return whole, false
		}
		if rest, ok := w.exact(block, s); ok {
			block = rest
			continue
		}
		fits := atMostIf(block, s)
		switch fits.decide() {
		case no:
			return whole, false
		case unknown:
			if s.anonymous() || block.anonymous() {
				return whole, false
			}
			w.require(fits)
		}
		whole = dividesIf(block, s)
		w.distinct(ms[i:], block, whole)
		ms[i].s = w.mul(w.ceilDiv(s, block), block)
		return whole, true
	}
	return whole, false
}

// distinct requires that no later mode continues the first one, unless nothing is padded: the two would be padded as
// one mode. The first mode contains the block.
func (w *operation) distinct(ms []mode, block Int, whole Condition) {
	for _, next := range ms[1:] {
		x, okX := w.scaleVector(ms[0].d, ms[0].s).Int()
		least, _ := w.scaleVector(ms[0].d, block).Int() // x is at least this far
		d, okD := next.d.Int()
		up, _ := ms[0].d.Int()
		apart := below(d, least) == yes && atMost(Const(0), up) == yes ||
			below(least, d) == yes && atMost(up, Const(0)) == yes // strides that count down
		if okX && okD && !apart {
			w.require(Condition{op: oneOf, alts: []Guard{{whole}, {distinctIf(x, d)}}})
		}
		if atMost(Const(2), next.s) == yes {
			return
		}
	}
}

// copies returns A*∘B: A* fills the gaps of a and then repeats a without end.
func (w *operation) copies(a, b Layout) Layout {
	if w.err != nil {
		return Layout{}
	}
	for _, c := range b.Guard() {
		w.guard = w.guard.with(c)
	}
	g := w.gaps(a)
	if w.err != nil {
		return w.inOpenGap(a, b)
	}
	if c, ok := w.inFirstGap(g, b); ok {
		w.require(c)
		x, _ := g.modes[0].d.Int()
		return w.spread(b, x)
	}
	for _, m := range g.modes {
		if m.s.anonymous() {
			w.refuse("the gaps of %s, %s, are not known", a, m.s)
			return w.inOpenGap(a, b)
		}
	}
	places := group(append(g.modes, mode{Const(1), Scalar(g.block)}))
	for _, v := range b.Stride().leaves() {
		if _, ok := v.Int(); !ok {
			w.fail(&cute.Error{
				Code: cute.CodeCodomain, Op: w.op,
				Msg: fmt.Sprintf("the tiler of a product counts copies with integers, found %s", b),
			})
			return Layout{}
		}
	}
	return w.compose(places, b)
}

// inFirstGap returns the condition that all copies fit side by side into the first gap of a block, if the width of that
// gap is not known. More copies would continue in the next gap, which is another form.
func (w *operation) inFirstGap(g gapFill, b Layout) (c Condition, ok bool) {
	if len(g.modes) == 0 || g.modes[0].s.static() {
		return c, false
	}
	places, signs, ok := w.cosize(b)
	if !ok || len(signs) > 0 {
		return c, false
	}
	c = atMostIf(places, g.modes[0].s)
	return c, c.decide() != no
}

// inOpenGap returns the copies on the condition that all fit into the first gap of a, if no fact gives the gap's width
// or the modes around it. If the copies cannot fit, or something else is not known, the earlier error stays.
//
// The first gap is below the first stride that differs from the block so far. So the order of the strides must be
// known, and each stride up to the gap must be a multiple of the block before it. If no fact says so, the order as
// written becomes a condition. The width of later gaps does not matter.
func (w *operation) inOpenGap(a, b Layout) Layout {
	if e, ok := errors.AsType[*cute.Error](w.err); !ok || e.Code != cute.CodeUnknown || a.HasAxes() {
		return Layout{}
	}
	places, given, ok := w.cosize(b)
	if !ok {
		return Layout{}
	}
	err := w.err
	w.err = nil
	left := slices.DeleteFunc(a.modes(), func(m mode) bool { return m.s.is(1) || m.d.zero() })
	block, place, open := Const(1), Const(1), false
	for len(left) > 0 {
		at, order := smallest(left)
		m := left[at]
		left = slices.Delete(left, at, at+1)
		d, _ := m.d.Int()
		given = append(append(given, order...), dividesIf(block, d))
		if !open && !d.Equal(block) {
			open, place = true, block
			given = append(given, atMostIf(w.mul(places, block), d))
		}
		given = append(given, atMostIf(Const(1), d))
		block = w.mul(m.s, d)
	}
	if !open {
		place = block
	}
	if w.err != nil || slices.ContainsFunc(given, func(c Condition) bool { return c.decide() == no }) {
		w.err = err
		return Layout{}
	}
	for _, c := range given {
		w.require(c)
	}
	return w.spread(b, place)
}

// smallest returns the place of the first mode that no other mode is known to precede, and the conditions under which
// that mode's stride is the smallest. If the order of two strides is not known, a number precedes an unknown stride.
func smallest(ms []mode) (at int, given Guard) {
	stride := func(m mode) Int { d, _ := m.d.Int(); return d }
	first := func(x, y mode) bool {
		if v := below(stride(x), stride(y)); v != unknown {
			return v == yes
		}
		return stride(x).static() && !stride(y).static()
	}
	at = max(0, slices.IndexFunc(ms, func(x mode) bool {
		return !slices.ContainsFunc(ms, func(y mode) bool { return first(y, x) })
	}))
	for i, m := range ms {
		if i != at {
			given = append(given, atMostIf(stride(ms[at]), stride(m)))
		}
	}
	return at, given
}

// cosize returns the cosize of b, and the conditions under which its strides are not negative; ok is false along axes.
func (w *operation) cosize(b Layout) (n Int, given Guard, ok bool) {
	n = Const(1)
	for _, m := range b.modes() {
		d, ok := m.d.Int()
		if !ok {
			return n, nil, false
		}
		if m.s.is(1) {
			continue
		}
		if atMost(Const(0), d) != yes {
			given = append(given, atMostIf(Const(0), d))
		}
		n = w.add(n, w.mul(w.sub(m.s, Const(1)), d))
	}
	return n, given, true
}

// spread returns b with every stride times x.
func (w *operation) spread(b Layout, x Int) Layout {
	i := -1
	ms := b.modes()
	return layoutOf(b.Shape(), b.Stride().mapLeaves(func(v Vector) Vector {
		i++
		if ms[i].s.is(1) {
			return Vector{}
		}
		return w.scaleVector(v, x)
	}))
}

// knownTiler returns t as a tiler of package cute, if all its integers are known.
func (t Tiler) knownTiler() (cute.Tiler, bool) {
	switch {
	case t.keep:
		return cute.Keep, true
	case !t.modes:
		l, err := t.layout.ToLayout()
		return l, err == nil
	}
	ts := make([]cute.Tiler, len(t.elems))
	for i, e := range t.elems {
		k, ok := e.knownTiler()
		if !ok {
			return nil, false
		}
		ts[i] = k
	}
	return cute.MakeTile(ts...), true
}

// A pair is the result of tiling one mode: its tile and its rest; a mode under _ has no tile.
type pair struct {
	tile, rest Layout
	elems      []pair // a mode that was tiled mode by mode
	kept       bool
}

// tile tiles a by t, each mode by f, and arranges the result.
func (w *operation) tile(a Layout, t Tiler, form Form, f func(a, b Layout) (tile, rest Layout)) Layout {
	p := w.pairs(a, t, f)
	if w.err != nil {
		return Layout{}
	}
	if form == Logical {
		return p.logical()
	}
	tile, rest := p.sides()
	switch form {
	case Tiled:
		return nest(append([]Layout{tile}, rest.Modes()...)...)
	case Flat:
		return nest(append(tile.Modes(), rest.Modes()...)...)
	}
	return nest(tile, rest)
}

func (w *operation) pairs(a Layout, t Tiler, f func(a, b Layout) (tile, rest Layout)) pair {
	ts, modewise := t.byMode()
	if t.keep {
		return pair{rest: a, kept: true}
	}
	if !modewise {
		tile, rest := f(a, t.layout)
		return pair{tile: tile, rest: rest}
	}
	modes, err := tiledModes(w.op, a, ts)
	if err != nil {
		w.fail(err)
		return pair{}
	}
	p := pair{elems: make([]pair, len(modes))}
	for i, m := range modes {
		if i < len(ts) {
			p.elems[i] = w.pairs(m, ts[i], f)
		} else {
			p.elems[i] = pair{rest: m, kept: true, elems: []pair{}}
		}
	}
	return p
}

// logical returns ((tile,rest),...).
func (p pair) logical() Layout {
	switch {
	case p.kept:
		return p.rest
	case p.elems == nil:
		return nest(p.tile, p.rest)
	}
	ls := make([]Layout, len(p.elems))
	for i, e := range p.elems {
		ls[i] = e.logical()
	}
	return nest(ls...)
}

// sides returns the tiles and the rests. A mode under _ is a rest, with the tile 1:0; modes beyond the tiler occur only
// among the rests.
func (p pair) sides() (tile, rest Layout) {
	switch {
	case p.kept:
		return group([]mode{unit}), p.rest
	case p.elems == nil:
		return p.tile, p.rest
	}
	var tiles, rests []Layout
	for _, e := range p.elems {
		if e.kept && e.elems != nil {
			rests = append(rests, e.rest)
			continue
		}
		t, r := e.sides()
		tiles, rests = append(tiles, t), append(rests, r)
	}
	return nest(tiles...), nest(rests...)
}

// BlockedProduct repeats the block a over b mode by mode, copies side by side. It returns the errors of [Multiply].
func BlockedProduct(a, b Layout) (Layout, error) {
	w := begin("blocked_product", a, b)
	return w.end(w.interleave(a, b))
}

// RakedProduct repeats the block a over b mode by mode, copies interleaved, each mode coalesced.
// It returns the errors of [Multiply].
func RakedProduct(a, b Layout) (Layout, error) {
	w := begin("raked_product", a, b)
	l := w.interleave(a, b)
	if w.err != nil {
		return w.end(l)
	}
	modes := l.Modes()
	for i, m := range modes {
		modes[i] = group(w.trim(m.modes()))
	}
	return w.end(nest(modes...))
}

// interleave returns ((x0,y0),(x1,y1),...) for the modes x of the block and y of its copies; for a raked product,
// ((y0,x0),(y1,x1),...).
func (w *operation) interleave(a, b Layout) Layout {
	xs, bs := a.Modes(), b.Modes()
	n := max(len(xs), len(bs))
	for len(xs) < n {
		xs = append(xs, group([]mode{unit}))
	}
	for len(bs) < n {
		bs = append(bs, group([]mode{unit}))
	}
	copies := w.copies(nest(xs...), nest(bs...))
	if w.err != nil {
		return Layout{}
	}
	ys := copies.Modes()
	out := make([]Layout, n)
	for i := range out {
		if w.op == "raked_product" {
			out[i] = nest(ys[i], xs[i])
		} else {
			out[i] = nest(xs[i], ys[i])
		}
	}
	return nest(out...)
}

// TileToShape repeats the block to fill the target shape. The order numbers the modes along which the blocks are
// repeated, the smallest number first. It returns [cute.CodeRank], and the errors of [BlockedProduct].
func TileToShape(block Layout, target Tuple, order []int64) (Layout, error) {
	const op = "tile_to_shape"
	w := begin(op, block)
	modes, ts := block.Modes(), target.Modes()
	if len(modes) > len(ts) {
		return Layout{}, &cute.Error{
			Code: cute.CodeRank, Op: op, Msg: fmt.Sprintf("the block %s has more modes than the target %s", block, target),
		}
	}
	if len(order) == 0 {
		for i := range ts {
			order = append(order, int64(i))
		}
	}
	if len(order) != len(ts) {
		return Layout{}, &cute.Error{
			Code: cute.CodeRank, Op: op,
			Msg: fmt.Sprintf("expected an order with one number for each of the %d modes of %s, found %d", len(ts),
				target, len(order)),
		}
	}
	blocks := make([]Tuple, len(ts))
	for i, t := range ts {
		count := w.product(t)
		if i < len(modes) {
			count = w.ceilDiv(count, w.size(modes[i]))
		}
		blocks[i] = Number(count)
	}
	strides := w.orderStrides(Nest(blocks...), order)
	if w.err != nil {
		return w.end(Layout{})
	}
	return BlockedProduct(layoutOf(block.Shape(), block.Stride()).If(w.guard), layoutOf(Nest(blocks...), strides))
}

// product returns the product of the integers in t.
func (w *operation) product(t Tuple) Int {
	p := Const(1)
	for _, v := range t.leaves() {
		x, ok := v.Int()
		if !ok {
			w.fail(&cute.Error{Code: cute.CodeType, Op: w.op, Msg: fmt.Sprintf("expected integers, found %s", t)})
		}
		p = w.mul(p, x)
	}
	return p
}

// orderStrides returns compact strides for the shape that grow in the given order of its leaves.
func (w *operation) orderStrides(shape Tuple, order []int64) Tuple {
	leaves := shape.leaves()
	places := make([]int, len(leaves))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return int(max(-1, min(1, order[a]-order[b]))) })
	strides := make([]Vector, len(leaves))
	next := Const(1)
	for _, i := range places {
		x, ok := leaves[i].Int()
		if !ok {
			w.fail(&cute.Error{Code: cute.CodeExtent, Op: w.op, Msg: fmt.Sprintf("an extent is an integer, found %s", leaves[i])})
			return Tuple{}
		}
		if !x.is(1) {
			strides[i] = Scalar(next)
		}
		next = w.mul(next, x)
	}
	i := -1
	return shape.mapLeaves(func(Vector) Vector { i++; return strides[i] })
}
