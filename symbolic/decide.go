package symbolic

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/ints"
)

// This file decides whether offsets are distinct, without gaps, or both, for all values of the symbols or on a
// condition.
//
// Two coordinates with one offset are a relation Σ x·d = 0 with |x| < s for each mode s:d, where some x is not 0. A
// mode whose x must be 0 can be left out. The x of a mode must be 0 if
//
//   - all other strides are multiples of g, and g = q·d: then q divides x, so x is 0 if s ≤ q. If g is the stride of
//     another mode whose extent is at least 2, x can differ from 0 when s > q, so the condition is exact;
//   - d is larger than the reach of all other modes together.
//
// (Q,2):(5,2) repeats nothing: 5 divides all other multiples of 2, and 2 ≤ 5, which leaves Q:5.

// Injective returns the condition under which no two coordinates of a have the same offset. The condition is exact. It
// returns [cute.CodeUnknown] if it finds no condition.
func Injective(a Layout) (Guard, error) {
	return ask("is_injective", a, cute.IsInjective, (*operation).injective)
}

// Bijective returns the condition under which the offsets of a are 0, ..., size-1, each once, or for coordinate strides
// the points of the box [Layout.Coshape]. The condition is exact. It returns [cute.CodeUnknown] if it finds no
// condition.
func Bijective(a Layout) (Guard, error) {
	return ask("is_bijective", a, cute.IsBijective, func(w *operation, ms []step) answer {
		return w.bijective(ms, w.notNegative(ms))
	})
}

// IsCompact is [Bijective] except that the offsets may begin below 0: it asks that they are distinct and without gaps.
func IsCompact(a Layout) (Guard, error) {
	return ask("is_compact", a, cute.IsCompact, func(w *operation, ms []step) answer {
		mirrored := slices.Clone(ms)
		for i := range mirrored {
			mirrored[i].d = w.abs(mirrored[i].d)
		}
		return w.bijective(mirrored, always)
	})
}

// Surjective returns the condition under which the offsets of a are all integers below its cosize; for coordinate
// strides, all points of the box [Layout.Coshape]. The condition is exact. It returns [cute.CodeUnknown] if it finds no
// condition.
func Surjective(a Layout) (Guard, error) {
	return ask("is_surjective", a, cute.IsSurjective, (*operation).surjective)
}

// A step is a mode along one axis.
type step struct{ s, d Int }

// An answer is a sufficient condition. An exact condition is also necessary: if it never holds, the answer is no.
type answer struct {
	guard Guard
	exact bool
	lost  bool // no condition was found
}

var (
	always  = answer{exact: true}
	lost    = answer{lost: true}
	refuted = answer{guard: Guard{{op: isEqual, a: Const(0), b: Const(1)}}, exact: true}
)

// onlyIf is an exact answer.
func onlyIf(cs ...Condition) answer { return answer{guard: cs, exact: true} }

// no reports whether the answer is no for all values.
func (x answer) no() bool { return x.exact && x.guard.decide() == no }

// and returns the answer to the question whether both hold. One of the two conditions needs to be right only for values
// for which the other question is answered yes.
func (x answer) and(y answer) answer {
	if x.no() || y.no() {
		return refuted
	}
	return answer{guard: x.guard.And(y.guard), exact: x.exact && y.exact, lost: x.lost || y.lost}
}

// ask answers a question about offsets axis by axis. If that finds no condition and the values are few, ask tries all
// values.
func ask(
	op string, a Layout, known func(cute.Layout) (bool, *cute.Witness, error), f func(*operation, []step) answer,
) (Guard, error) {
	w := begin(op, a)
	if len(w.guard) > 0 {
		w.refuse("the layout is the right one only if %s, and of other values nothing is said", w.guard)
		return nil, w.err
	}
	out := always
	axes, ok := w.byAxis(a)
	if !ok {
		out = lost
	}
	for _, ms := range axes {
		out = out.and(f(w, ms))
	}
	if w.err != nil {
		return nil, w.err
	}
	holds := out.guard.decide()
	switch {
	case out.no():
		return refuted.guard, nil
	case !out.lost && (out.exact || holds == yes):
		if g, ok := out.guard.simplify(); ok {
			return g, nil
		}
		return refuted.guard, nil
	}
	switch byCases(a, known) {
	case yes:
		return nil, nil
	case no:
		return refuted.guard, nil
	}
	why := "the facts do not decide it"
	if g, ok := out.guard.simplify(); ok && !out.lost && holds == unknown {
		why = fmt.Sprintf("it is true if %s, and no fact says whether that holds", g)
	}
	w.refuse("whether it is true of %s is not known: %s", a, why)
	return nil, w.err
}

// byAxis returns the modes of a along each axis, with modes of stride 0 along the first one; ok is false if a mode
// moves along several axes.
func (w *operation) byAxis(a Layout) (axes [][]step, ok bool) {
	var names []string
	var still []step
	for _, m := range a.modes() {
		switch {
		case m.s.is(1):
			continue
		case m.d.zero():
			still = append(still, step{m.s, Int{}})
			continue
		case len(m.d.parts) > 1:
			return nil, false
		}
		p := m.d.parts[0]
		i := slices.Index(names, p.axis)
		if i < 0 {
			i = len(names)
			names, axes = append(names, p.axis), append(axes, nil)
		}
		axes[i] = append(axes[i], step{m.s, p.x})
	}
	if len(still) > 0 {
		if len(axes) == 0 {
			return [][]step{still}, true
		}
		axes[0] = append(axes[0], still...)
	}
	return axes, true
}

// alone is the condition that a mode has extent 1.
func (m step) alone() Condition { return atMostIf(m.s, Const(1)) }

// moves says whether a mode has at least extent 2 for all values.
func (m step) moves() bool { return atMost(Const(2), m.s) == yes }

// or returns the condition that one of several holds.
//
//go:noinline
func or(cs ...Condition) Condition {
	c := Condition{op: oneOf}
	for _, x := range cs {
		c.alts = append(c.alts, Guard{x})
	}
	return c
}

// injective answers whether the offsets of the modes are distinct.
func (w *operation) injective(ms []step) answer {
	out := always
	var left []step
	for _, m := range ms {
		switch {
		case m.d.is(0):
			out = out.and(onlyIf(m.alone()))
		case atMost(m.d, Const(0)) == yes:
			left = append(left, step{m.s, w.scale(m.d, -1)}) // -x takes the same values as x
		default:
			left = append(left, m)
		}
	}
	if collides(left) {
		return refuted
	}
	for len(left) > 1 {
		i, c := w.force(left)
		if i < 0 {
			return lost
		}
		out = out.and(c).and(onlyIf(or(left[i].alone(), distinctIf(left[i].d, Const(0)))))
		left = slices.Delete(slices.Clone(left), i, i+1)
	}
	if len(left) == 1 {
		out = out.and(onlyIf(or(left[0].alone(), distinctIf(left[0].d, Const(0)))))
	}
	return out
}

// collides reports whether two modes have a common offset for all values: x times one stride is y times the other.
func collides(ms []step) bool {
	for i, m := range ms {
		for _, n := range ms[i+1:] {
			x, y, ok := meeting(m.d, n.d)
			if ok && below(x, m.s) == yes && below(y, n.s) == yes {
				return true
			}
		}
	}
	return false
}

// meeting returns the least x and y with x·d = y·e, both positive, if it finds them.
func meeting(d, e Int) (x, y Int, ok bool) {
	var c calc
	if g := ints.GCD(d.k, e.k); d.static() && e.static() && g != 0 {
		x, y = Const(e.k/g), Const(d.k/g)
	} else if q, whole := c.exact(e, d); whole {
		x, y = q, Const(1)
	} else if q, whole := c.exact(d, e); whole {
		x, y = Const(1), q
	} else {
		return x, y, false
	}
	return x, y, c.err == nil && atMost(Const(1), x) == yes && atMost(Const(1), y) == yes
}

// force returns a mode that takes no part in any collision, and the condition under which it takes no part. Modes
// without a condition come first, then those with an exact condition, then the others; at is -1 if there is none.
func (w *operation) force(ms []step) (at int, c answer) {
	at = -1
	for i := range ms {
		for _, x := range w.forcedBy(ms, i) {
			switch {
			case x.guard.decide() == yes:
				return i, always
			case x.no():
				return i, x
			case x.lost && !x.exact:
			case at < 0, x.exact && !c.exact:
				at, c = i, x
			}
		}
	}
	return at, c
}

// forcedBy returns the conditions on which mode i takes no part in a collision.
func (w *operation) forcedBy(ms []step, i int) []answer {
	m := ms[i]
	others := slices.Delete(slices.Clone(ms), i, i+1)
	var out []answer
	content := int64(0)
	for _, o := range others {
		content = ints.GCD(content, o.d.content())
	}
	if m.d.static() && content > 0 {
		q := content / ints.GCD(content, m.d.k)
		c := answer{guard: Guard{atMostIf(m.s, Const(q))}, lost: q == 1 && atMost(m.s, Const(1)) != yes}
		c.exact = slices.ContainsFunc(others, func(o step) bool {
			x, y, ok := meeting(m.d, o.d)
			return ok && x.is(q) && below(y, o.s) == yes
		})
		out = append(out, c)
	}
	for _, g := range others {
		q, ok := w.exact(g.d, m.d)
		if !ok || slices.ContainsFunc(others, func(o step) bool { _, ok := w.exact(o.d, g.d); return !ok }) {
			continue
		}
		out = append(out, answer{guard: Guard{atMostIf(m.s, q)}, exact: g.moves() && atMost(Const(0), q) == yes})
	}
	if reach, ok := w.reach(others); ok {
		out = append(out, answer{guard: Guard{atMostIf(w.add(reach, Const(1)), m.d)}})
	}
	return out
}

// reach returns the largest offset of modes whose strides are not negative.
func (w *operation) reach(ms []step) (sum Int, ok bool) {
	for _, m := range ms {
		if atMost(Const(0), m.d) != yes {
			return sum, false
		}
		sum = w.add(sum, w.mul(w.sub(m.s, Const(1)), m.d))
	}
	return sum, true
}

// notNegative answers whether all offsets are at least 0.
func (w *operation) notNegative(ms []step) answer {
	out := always
	for _, m := range ms {
		out = out.and(onlyIf(or(m.alone(), atMostIf(Const(0), m.d))))
	}
	return out
}

// bijective answers whether first is yes and the offsets are distinct and without gaps. Where first is yes, the offsets
// must be at least 0. Distinct offsets are without gaps if their number is the largest offset plus 1.
func (w *operation) bijective(ms []step, first answer) answer {
	size, last := Const(1), Const(0)
	for _, m := range ms {
		size = w.mul(size, m.s)
		last = w.add(last, w.mul(w.sub(m.s, Const(1)), m.d))
	}
	full := onlyIf(Condition{op: isEqual, a: size, b: w.add(last, Const(1))})
	if w.surjective(ms).no() {
		return refuted
	}
	return first.and(full).and(w.injective(ms))
}

// surjective answers whether the offsets are all integers from 0 to the largest one. It takes modes one by one. The
// stride of each mode is at most one more than the largest offset of the modes taken before.
func (w *operation) surjective(ms []step) answer {
	out := w.notNegative(ms)
	left := slices.DeleteFunc(slices.Clone(ms), func(m step) bool { return m.d.is(0) })
	reach := Const(0)
	for len(left) > 0 {
		one := w.add(reach, Const(1))
		i := slices.IndexFunc(left, func(m step) bool { return atMost(m.d, one) == yes && atMost(Const(0), m.d) == yes })
		if i < 0 {
			break
		}
		reach = w.add(reach, w.mul(w.sub(left[i].s, Const(1)), left[i].d))
		left = slices.Delete(left, i, i+1)
	}
	one := w.add(reach, Const(1))
	beyond := func(m step) bool { return below(one, m.d) == yes }
	switch {
	case len(left) == 0:
		return out
	case len(left) == 1:
		return out.and(onlyIf(or(left[0].alone(), atMostIf(left[0].d, one))))
	case !slices.ContainsFunc(left, func(m step) bool { return !beyond(m) }):
		// None of them has the missing offset.
		all := make(Guard, len(left))
		for i, m := range left {
			all[i] = m.alone()
		}
		return out.and(onlyIf(all...))
	}
	return lost
}

// maxCases is the number of assignments of values that are tried.
const maxCases = 512

// byCases tries all values if they are few; otherwise the answer is unknown.
func byCases(a Layout, known func(cute.Layout) (bool, *cute.Witness, error)) verdict {
	symbols := a.symbols()
	total := int64(1)
	for _, s := range symbols {
		lo, hi := s.facts.quotients()
		if s.facts.Min == anywhere.lo || s.facts.Max == anywhere.hi || hi-lo >= maxCases || hi-lo < 0 {
			return unknown
		}
		if total *= hi - lo + 1; total > maxCases {
			return unknown
		}
	}
	out := unknown
	at := make(Values)
	for n := range total {
		for _, s := range symbols {
			lo, hi := s.facts.quotients()
			at[s] = (lo + n%(hi-lo+1)) * s.facts.Div
			n /= hi - lo + 1
		}
		l, err := a.At(at)
		if err != nil {
			return unknown
		}
		holds, _, err := known(l)
		now := no
		if holds {
			now = yes
		}
		if err != nil || out != unknown && out != now {
			return unknown
		}
		out = now
	}
	return out
}
