package symbolic

import (
	"fmt"
	"slices"

	"girih/cute"
)

// This file implements composition. A is coalesced; s0, s1, ... are its extents, the last one unbounded. Package cute
// composes known integers. Otherwise a leaf n:r of B takes from each mode in turn
//
//	nothing       if s divides r; r/s goes on
//	n:r           if (n-1)·r < s; nothing goes on
//	s/r:r         if r divides s, and s/r divides n; n/(s/r) goes on with the step 1
//
// and the rest from the last mode. If facts do not tell which of the three cases applies, CuTe computes at run time
//
//	min(⌈s/r⌉,n):r, and goes on with n divided by that, and ⌈r/s⌉
//
// This formula equals each of the three cases where that case applies, also for modes of extent 1, and is never right
// if no case applies. So the condition of the guard is that one of the three applies. At the end the greatest digits of
// all leaves of B must add up to less than s.

// Composition returns the layout c ↦ a(b(c)) in the shape of b. It returns [cute.CodeUnknown] if the direction of a
// step or a mode is not known, or if there is an answer only for values at which strides coincide. It returns an error
// of [cute.Composition] if that error applies for all values.
func Composition(a, b Layout) (Layout, error) {
	w := begin("composition", a, b)
	out, err := w.end(w.compose(a, b))
	return out.with(func(c *contents) { c.composed = b.Static() }), err
}

// CompositionBy composes each mode of a with the mode of the tiler, and drops modes beyond the tiler, as CuTe does; a
// tiler that is a layout composes with all of a. It returns [cute.CodeRank] if the tiler has more modes than a, and the
// errors of [Composition].
func CompositionBy(a Layout, t Tiler) (Layout, error) {
	ts, modewise := t.byMode()
	switch {
	case t.keep:
		return a, nil
	case !modewise:
		return Composition(a, t.layout)
	}
	modes, err := tiledModes("composition", a, ts)
	if err != nil {
		return Layout{}, err
	}
	modes = modes[:len(ts)]
	w := begin("composition", a)
	composed := true
	for i, t := range ts {
		m, err := CompositionBy(modes[i], t)
		if err != nil {
			return Layout{}, err
		}
		for _, c := range m.Guard() {
			w.guard = w.guard.with(c) // exact: one mode cannot make up for another
		}
		modes[i], composed = m, composed && (m.contents().composed || t.keep)
	}
	out, err := w.end(nest(modes...))
	return out.with(func(c *contents) { c.composed = composed }), err
}

// compose is [Composition] as a part of another operation.
func (w *operation) compose(a, b Layout) Layout {
	systems := w.systems(a, b)
	if w.err != nil {
		return Layout{}
	}
	if a.contents().computed {
		for _, s := range systems {
			w.within(s, b)
		}
	}
	shape, stride := b.Shape().leaves(), b.Stride().leaves()
	if isKnown(systems, b) {
		left := a
		if len(systems) == 1 && systems[0].axis == "" {
			left = group(systems[0].modes)
		}
		return w.composeKnown(left, b)
	}
	parts := make([][]mode, len(shape))
	for i := range shape {
		n, _ := shape[i].Int()
		if parts[i] = w.composeLeaf(systems, n, stride[i]); w.err != nil {
			return Layout{}
		}
	}
	for i := range systems {
		w.addDigits(&systems[i])
	}
	return splitInto(b, parts)
}

// splitInto returns the modes in the nesting of b, each leaf the group of its modes.
func splitInto(b Layout, parts [][]mode) Layout {
	i := 0
	var walk func(t Tuple) Layout
	walk = func(t Tuple) Layout {
		if t.kind() == isLeaf {
			i++
			return group(parts[i-1])
		}
		var ls []Layout
		for _, e := range t.elems() {
			ls = append(ls, walk(e))
		}
		return nest(ls...)
	}
	return walk(b.Shape())
}

// A system is the part of A indexed by the values of B along one axis.
type system struct {
	axis   string
	modes  []mode
	digits [][]Int // for each mode but the last, the greatest digits of the leaves of B
	leaves int     // the number of leaves of B
	down   bool    // one of the leaves counts down
}

// systems returns the radix systems that the strides of B address.
func (w *operation) systems(a, b Layout) []system {
	var out []system
	for _, v := range b.Stride().leaves() {
		for _, p := range v.parts {
			if find(out, p.axis) != nil {
				continue
			}
			part := a
			if p.axis != "" {
				part = w.modeAt(a, p.axis)
			}
			ms := w.coalesceModes(part.modes())
			out = append(out, system{axis: p.axis, modes: ms, digits: make([][]Int, len(ms)-1)})
		}
	}
	return out
}

// find returns the system along an axis.
func find(systems []system, axis string) *system {
	for i := range systems {
		if systems[i].axis == axis {
			return &systems[i]
		}
	}
	return nil
}

// modeAt returns the mode of a that a path addresses; below a leaf, index 0 is the leaf itself.
func (w *operation) modeAt(a Layout, axis string) Layout {
	for _, i := range path(axis) {
		ms := a.Modes()
		if i >= len(ms) {
			w.fail(&cute.Error{
				Code: cute.CodeNotCongruent, Op: w.op,
				Msg: fmt.Sprintf("the right operand moves along mode %d of %s, which has %d", i, a, len(ms)),
			})
			return a
		}
		a = ms[i]
	}
	return a
}

// within requires, if the left operand was computed, that the values of b are its indices, or that its last mode has at
// least two elements. A last mode of extent 1 would have been dropped, together with the stride beyond the size.
func (w *operation) within(s system, b Layout) {
	reach := Const(1)
	var inside Guard
	for _, m := range b.modes() {
		for _, p := range m.d.parts {
			if p.axis == s.axis {
				inside = append(inside, atMostIf(Const(0), p.x))
				reach = w.add(reach, w.mul(w.sub(m.s, Const(1)), p.x))
			}
		}
	}
	w.onward(s.modes, append(inside, atMostIf(reach, w.size(group(s.modes)))))
}

// onward requires that the last mode has at least two elements, or that the guard inside holds: all indices are indices
// of the layout.
func (w *operation) onward(ms []mode, inside Guard) {
	if last := ms[len(ms)-1]; len(ms) > 1 || !last.d.zero() {
		w.require(Condition{op: oneOf, alts: []Guard{{atMostIf(Const(2), last.s)}, inside}})
	}
}

// isKnown reports whether package cute can compose: B and all inner extents are known.
func isKnown(systems []system, b Layout) bool {
	return b.Static() && !slices.ContainsFunc(systems, func(s system) bool { return !s.isKnown() })
}

// isKnown reports whether all inner extents are known.
func (s *system) isKnown() bool {
	inner := s.modes[:len(s.modes)-1]
	return !slices.ContainsFunc(inner, func(m mode) bool { return !m.s.static() })
}

// composeKnown composes in package cute. The last extents are unbounded, so an unknown last extent may have any value.
func (w *operation) composeKnown(left, b Layout) Layout {
	right, err := b.ToLayout()
	if err != nil {
		w.fail(err)
		return Layout{}
	}
	shape := left.Shape().mapLeaves(func(v Vector) Vector {
		if v.static() {
			return v
		}
		return Scalar(Const(1))
	})
	left = layoutOf(shape, left.Stride())
	return w.linear(left, func(l cute.Layout) (cute.Layout, error) { return cute.Composition(l, right) })
}

// composeLeaf returns the modes of A∘(n:stride).
func (w *operation) composeLeaf(systems []system, n Int, stride Vector) []mode {
	switch {
	case n.is(1):
		return []mode{unit}
	case stride.zero():
		return []mode{{s: n}}
	case len(stride.parts) > 1:
		w.refuse("the stride %s moves along several axes at once, and the extents of the left operand are not known", stride)
		return nil
	}
	s, r := find(systems, stride.parts[0].axis), stride.parts[0].x
	last := len(s.modes) - 1
	s.leaves++
	s.down = s.down || r.static() && r.k < 0
	if last == 0 {
		return []mode{{n, w.scaleVector(s.modes[0].d, r)}}
	}
	if r.static() && n.static() && s.isKnown() {
		return w.composeKnownLeaf(s, n, r)
	}
	if r.static() && r.k < 0 {
		w.refuse("the stride %s counts down, and the extents of %s are not known", r, group(s.modes))
		return nil
	}
	if !r.static() {
		w.require(atMostIf(Const(0), r)) // digits of different signs do not add up
	}
	return w.takeDigits(s, n, r)
}

// takeDigits returns the modes that n:r takes from the modes of a system, and records its digits.
func (w *operation) takeDigits(s *system, n, r Int) []mode {
	last := len(s.modes) - 1
	var out []mode
	for i, m := range s.modes[:last] {
		if n.is(1) {
			break
		}
		st := w.step(m, n, r)
		if w.err != nil {
			return nil
		}
		if !st.take.is(1) {
			s.digits[i] = append(s.digits[i], w.mul(w.sub(st.take, Const(1)), r))
			out = append(out, mode{st.take, w.scaleVector(m.d, r)})
		}
		n, r = st.n, st.r
	}
	if !n.is(1) {
		out = append(out, mode{n, w.scaleVector(s.modes[last].d, r)})
	}
	return w.join(out)
}

// join merges the modes of one leaf if merging is known to be right.
func (w *operation) join(ms []mode) []mode {
	ms = w.coalesceModes(ms)
	if last := len(ms) - 1; ms[last].s.is(1) && last > 0 {
		ms = ms[:last]
	}
	return ms
}

// A factor is what a mode of extent s contributes to a leaf n:r: the extent taken from the mode, with step r, and the
// leaf that remains for the next mode.
type factor struct{ take, n, r Int }

// step returns the factor of one mode.
func (w *operation) step(m mode, n, r Int) factor {
	s, one := m.s, Const(1)
	fits := atMostIf(w.add(w.mul(w.sub(n, one), r), one), s) // (n-1)·r < s, that is n ≤ ⌈s/r⌉
	if q, ok := w.exact(r, s); ok {
		return factor{one, n, q}
	}
	if fits.decide() == yes || atMost(one, r) == yes && atMost(n, w.ceilDiv(s, r)) == yes {
		return factor{n, one, one}
	}
	if atMost(one, r) != yes {
		if atMost(one, r) == no {
			w.refuse("the stride %s counts down or is 0, and the extents of the left operand are not known", r)
			return factor{}
		}
		w.require(atMostIf(one, r))
	}
	whole := []Condition{dividesIf(r, s)}
	if count, ok := w.exact(s, r); ok {
		if rest, ok := w.exact(n, count); ok {
			return factor{count, rest, one}
		}
		// Otherwise n > count, and the extent taken, count·⌊n/count⌋, is less than n; later modes cannot make up for
		// it.
		w.require(Condition{op: oneOf, alts: []Guard{{fits}, {dividesIf(count, n)}}, strength: exact})
		take := w.min(count, n)
		return factor{take, w.floorDiv(n, take), one}
	}
	count := w.ceilDiv(s, r)
	whole = append(whole, dividesIf(count, n))
	c := Condition{op: oneOf, alts: []Guard{{fits}, {dividesIf(s, r)}, whole}}
	if nonzero(m.d) && (r.is(2) || atMost(r, s) == yes) {
		// Otherwise count divides n, and s/r < count. At index count, the value must be the step of the next modes, but
		// the digit is count·r-s, which is not 0. Two strides can coincide only if r is larger than s.
		c.strength = exact
	}
	w.require(c)
	take := w.min(count, n)
	return factor{take, w.floorDiv(n, take), w.ceilDiv(r, s)}
}

// composeKnownLeaf composes a leaf n:r of known numbers with a system of known inner extents.
func (w *operation) composeKnownLeaf(s *system, n, r Int) []mode {
	modes := slices.Clone(s.modes)
	if last := &modes[len(modes)-1]; !last.s.static() {
		last.s = Const(1)
	}
	l := w.composeKnown(group(modes), layoutOf(Number(n), Number(r)))
	if w.err != nil {
		return nil
	}
	// The digits add up along the leaf, so the greatest digits are the digits of its last value.
	x := (n.k - 1) * r.k // fits: it is a value of B
	for i := range s.digits {
		if extent := s.modes[i].s.k; x != 0 {
			s.digits[i] = append(s.digits[i], Const(x%extent))
			x /= extent
		}
	}
	return l.modes()
}

// addDigits makes sure that the greatest digits of all leaves add up to less than the extents.
func (w *operation) addDigits(s *system) {
	if s.down && s.leaves > 1 && len(s.modes) > 1 {
		w.refuse("a leaf of the right operand counts down, others do not, and the extents of the left operand are not known")
		return
	}
	for i, ds := range s.digits {
		ds = slices.DeleteFunc(ds, func(d Int) bool { return d.is(0) })
		if len(ds) < 2 {
			continue
		}
		sum := Const(1)
		for _, d := range ds {
			sum = w.add(sum, d)
		}
		c := atMostIf(sum, s.modes[i].s)
		if i == len(s.modes)-2 && !w.mayContinue(s.modes[i], s.modes[i+1]) {
			c.strength = exact // each carry changes the value by the next stride minus extent times this stride
		}
		w.require(c)
	}
}

// mayContinue reports whether a mode may continue the one before it.
func (w *operation) mayContinue(before, m mode) bool {
	x, okX := w.scaleVector(before.d, before.s).Int()
	d, okD := m.d.Int()
	return !okX || !okD || distinctIf(x, d).decide() != yes
}

// nonzero reports whether a stride is not 0 for all values.
func nonzero(v Vector) bool {
	return slices.ContainsFunc(v.parts, func(p component) bool { return distinctIf(p.x, Const(0)).decide() == yes })
}
