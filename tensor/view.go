package tensor

import (
	"girih/cute"
)

// A view maps coordinates to positions in the storage. All tensors share it, whatever their elements; it is immutable.
//
//	position = base + F(offset + lay(coordinate))      F is the identity unless the layout is composed
//
// A view that was padded, or moved beyond its first element, has coordinates without an element. They are found by
// identity coordinates that are carried along: joint is lay as axis 0 of a coordinate layout, and axes[k-1] bounds axis
// k of joint. Every operation acts on joint, so position and coordinates cannot diverge.
type view struct {
	lay   cute.Layout
	base  int64
	inner int64 // a number added to the values of lay, for a view that shares the more of another
	*more       // never nil, and never changed
}

// more is the part of a view beyond a plain layout on positions. Views of the same kind share it, so that a slice of a
// plain view is cheap.
type more struct {
	joint  cute.Layout // only if there are axes
	axes   []axis
	chain  cute.Composed // F and some layout, only if composed: see whole
	origin cute.Tuple    // the origin of positions that are coordinates; it replaces base

	composed, coords bool
	evaluator
}

// nothingMore is the more of plain views.
var nothingMore = &more{origin: cute.Int(0)}

// An axis bounds one identity coordinate: there is an element if 0 <= start + coordinate < bound.
type axis struct {
	id           int // the number of the axis in joint
	start, bound int64
}

// newView returns the view of a layout on positions that start at base.
func newView(op string, layout cute.Inner, base int64) (*view, error) {
	m := more{origin: cute.Int(0)}
	v := &view{base: base, more: &m}
	switch l := layout.(type) {
	case cute.Layout:
		if !l.HasBasis() {
			return &view{lay: l, base: base, more: nothingMore}, nil
		}
		v.lay = l
		m.coords = true
	case cute.Composed:
		v.lay = l.Layout()
		for range l.Stages() {
			m.chain, m.composed = l, true
			break
		}
		m.coords = l.HasBasis()
	default:
		return nil, refuse(op, cute.CodeType, "expected a layout or a composed layout, found none")
	}
	v.compile()
	return v, nil
}

// own makes an unshared copy of more, which may then be changed.
func (v *view) own() {
	m := *v.more
	v.more = &m
}

// layout returns the layout as a value of package cute.
func (v *view) layout() cute.Inner {
	if v.composed {
		return v.whole()
	}
	return v.lay
}

// whole returns the composed layout of a view.
func (v *view) whole() cute.Composed {
	if v.inner == 0 && v.lay.Equal(v.chain.Layout()) {
		return v.chain
	}
	c, err := chainOf(v.chain, v.lay, cute.Int(v.inner))
	if err != nil {
		return v.chain // sliceView has checked it
	}
	return c
}

// settle makes the functions of a composed view unshared, and sets the layout and the offset in them.
func (v *view) settle() (err error) {
	v.own()
	v.chain, err = chainOf(v.chain, v.lay, cute.Int(v.inner))
	v.inner = 0
	return err
}

// sliceView returns the view with another domain, moved by off, that shares the functions, and reports whether it can:
// only if they are swizzles of nonnegative numbers.
func (v *view) sliceView(domain cute.Layout, off cute.Tuple) (*view, bool) {
	x, isInt := off.Int64()
	sum, ok := add(v.inner, x)
	if !v.swizzled || !isInt || !ok || x < 0 || domain.HasBasis() {
		return nil, false
	}
	for i := range domain.LeafCount() {
		if _, d := domain.Leaf(i); d < 0 {
			return nil, false
		}
	}
	return &view{domain, v.base, sum, v.more}, true
}

// domain returns the layout on which operations act.
func (v *view) domain() cute.Layout {
	if len(v.axes) > 0 {
		return v.joint
	}
	return v.lay
}

// remade returns the view with another domain, moved by off, which is in the domain's codomain.
func (v *view) remade(op string, domain cute.Layout, off cute.Tuple) (*view, error) {
	if v.more == nothingMore && !domain.HasBasis() {
		x, _ := off.Int64()
		base, ok := add(v.base, x)
		if !ok {
			return nil, overflow(op, "the positions of %v", domain)
		}
		return &view{lay: domain, base: base, more: nothingMore}, nil
	}
	if w, ok := v.sliceView(domain, off); ok {
		return w, nil
	}
	m := *v.more
	w := &view{lay: domain, base: v.base, more: &m}
	move := off
	if len(v.axes) > 0 {
		var err error
		m.joint = domain
		if w.lay, err = positions(domain); err != nil {
			return nil, err
		}
		m.axes = append([]axis(nil), v.axes...)
		for i, a := range m.axes {
			m.axes[i].start += leafAt(off, a.id)
		}
		move = firstAxis(off)
	}
	if v.inner != 0 {
		var err error
		if move, err = addCoords(move, cute.Int(v.inner)); err != nil {
			return nil, err
		}
	}
	if err := w.shift(op, move); err != nil {
		return nil, err
	}
	w.prune()
	if !w.composed && !w.coords && len(w.axes) == 0 {
		w.more = nothingMore
		return w, nil
	}
	w.compile()
	return w, nil
}

// shift moves the positions by off, before the functions of a composed layout. Unless the view is plain, it changes
// more, which must be unshared.
func (v *view) shift(op string, off cute.Tuple) (err error) {
	switch {
	case v.composed:
		v.chain, err = chainOf(v.chain, v.lay, off)
	case v.coords:
		v.origin, err = addCoords(v.origin, off)
	default:
		x, _ := off.Int64()
		sum, ok := add(v.base, x)
		if !ok {
			return overflow(op, "the positions of %v", v.lay)
		}
		v.base = sum
	}
	return err
}

// chainOf returns the functions of c after inner, with off added to the innermost offset.
func chainOf(c cute.Composed, inner cute.Layout, off cute.Tuple) (cute.Composed, error) {
	var outers []cute.Outer
	var offsets []cute.Tuple
	for f, o := range c.Stages() {
		outers, offsets = append(outers, f), append(offsets, o)
	}
	last := len(outers) - 1
	var err error
	if offsets[last], err = addCoords(offsets[last], off); err != nil {
		return cute.Composed{}, err
	}
	var in cute.Inner = inner
	for i := last; i >= 0; i-- {
		if in, err = cute.NewComposed(outers[i], offsets[i], in); err != nil {
			return cute.Composed{}, err
		}
	}
	return in.(cute.Composed), nil
}

// addCoords adds two positions: the shorter one is extended by zeros, as CuTe's ArithmeticTuple. The integer zero is
// the zero of any coordinates.
func addCoords(a, b cute.Tuple) (cute.Tuple, error) {
	if !a.IsInt() && !b.IsInt() {
		if sum, err := a.Add(b); err == nil || !isZero(a) && !isZero(b) {
			return sum, err
		}
	}
	if isZero(a) && !b.IsInt() {
		return b, nil
	}
	if isZero(b) {
		return a, nil
	}
	return a.Add(b)
}

func isZero(t cute.Tuple) bool {
	for _, x := range t.Leaves() {
		if x != 0 {
			return false
		}
	}
	return true
}

// size returns the number of coordinates.
func (v *view) size() int64 { return v.lay.Size() }

// rank returns the number of modes.
func (v *view) rank() int { return v.lay.Rank() }
