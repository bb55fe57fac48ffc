package kernel

import (
	"cmp"
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/symbolic"
)

// This file compares numbers and chooses between them: conditions other than conjunctions, and minima of indices.

// A joint is what a predicate was made of: it holds if one of the conditions does, or, if it is negated, if none does.
type joint struct {
	of      []Cond
	negated bool
}

// Equal returns the condition i = j.
func (i Index) Equal(j Index) Cond { return i.AtLeast(j).And(j.AtLeast(i)) }

// AtLeast returns the condition i ≥ j.
func (i Index) AtLeast(j Index) Cond { return j.Less(i.Add(Int(1))) }

// Max returns the larger of i and j. Where it is not known which one that is, both have at most 31 bits and a sign:
// [cute.CodeOverflow] otherwise.
func (i Index) Max(j Index) Index {
	return i.extreme(j, "max.s32", func(x, y int64) bool { return x > y })
}

// Min returns the smaller of i and j, with the errors of [Index.Max].
func (i Index) Min(j Index) Index {
	return i.extreme(j, "min.s32", func(x, y int64) bool { return x < y })
}

// extreme returns the number that comes first in an order: of the smaller ones first for Min.
func (i Index) extreme(j Index, o ptx.Op, first func(x, y int64) bool) Index {
	choose := func(x, y int64) int64 {
		if first(x, y) {
			return x
		}
		return y
	}
	k := i.on(j)
	switch {
	case k == nil:
		return Int(choose(i.n, j.n))
	case !k.live():
		return stale(k)
	}
	x, y, least := k.expr(i), k.expr(j), first(0, 1)
	switch v := k.compare(x, y); {
	case v != address.Unknown:
		z := y
		if least == (v == address.Always) { // it may be y too where they are equal
			z = x
		}
		return k.of(z, innermost(innermost(i.home(), j.home()), k.decides(x, y, v)))
	}
	lo, hi := x.Range()
	from, to := y.Range()
	if min(lo, from) < -1<<31 || max(hi, to) >= 1<<31 {
		k.refuse(o.Name(), cute.CodeOverflow, "expected numbers of 32 bits, found %v up to %d, and %v up to %d", i, hi, j, to)
	}
	d := derived{of: []address.Expr{x, y}, how: func(x []int64) int64 { return choose(x[0], x[1]) }}
	z := k.late(symbolic.Facts{Min: choose(lo, from), Max: choose(hi, to)}, d, o, k.value32(x), k.value32(y))
	for _, w := range d.of { // z is not beyond either
		bound := [2]address.Expr{z.x(), k.s.Plus(w, 1)}
		if !least {
			bound = [2]address.Expr{w, k.s.Plus(z.x(), 1)}
		}
		k.given = append(k.given, bound)
	}
	return z
}

// Or returns the condition that at least one of both holds.
func (c Cond) Or(d Cond) Cond {
	k, other := anyLive(c.k, d.k), cmp.Or(c.k, d.k)
	switch {
	case k == nil && other != nil, k != nil && (!k.meets("or", c) || !k.meets("or", d)):
		return Cond{k: other, state: state{never: true}}
	case c.never || d.always():
		d.home = innermost(c.home, d.home)
		return d
	case d.never || c.always():
		c.home = innermost(c.home, d.home)
		return c
	}
	return k.combine(joint{of: []Cond{c, d}})
}

// Not returns the condition that c does not hold. The comparison of a NaN does not hold, so its negation does.
func (c Cond) Not() Cond {
	switch {
	case c.k != nil && (!c.k.live() || !c.k.meets("not", c)):
		return Cond{k: c.k, state: state{never: true}}
	case c.never:
		return Cond{k: c.k, home: c.home}
	case c.always():
		return Cond{k: c.k, state: state{never: true}, home: c.home}
	case len(c.less()) == 1 && len(c.holds()) == 0:
		x, y := c.less()[0][0], c.less()[0][1]
		return Cond{k: c.k, terms: &terms{less: [][2]address.Expr{{y, c.k.s.Plus(x, 1)}}}, home: c.home}
	}
	return c.k.combine(joint{of: []Cond{c}, negated: true})
}

// combine returns the condition of a joint, which a predicate holds.
func (k *K) combine(j joint) Cond {
	var p ptx.Operand
	for _, c := range j.of {
		q := k.predicate(c)
		switch {
		case q == nil: // the code around implies it
			return Cond{k: k, state: state{never: j.negated}, home: k.region}
		case p == nil:
			p = q
		default:
			p = k.let(ptx.Pred, "or.pred", p, q)
		}
	}
	if j.negated {
		p = k.let(ptx.Pred, "not.pred", p)
	}
	k.data.joined[p.(ptx.Name)] = joint{slices.Clone(j.of), j.negated}
	return Cond{k: k, terms: &terms{holds: []ptx.Operand{p}}}
}

// joint returns the lanes of mask for which the conditions that a predicate was made of hold.
func (w *walker) joint(j joint, mask uint32) uint32 {
	some, data := uint32(0), false
	for _, c := range j.of {
		data = w.asks(func() { some |= w.where(c, mask) }) || data
	}
	if w.data = w.data || data; !j.negated || data { // conditions on data are assumed to hold
		return some
	}
	return mask &^ some
}

// LessEqual returns the condition v ≤ w, which is false for a NaN. Its errors are the errors of [Value.Less].
func (v Value) LessEqual(w Value) Cond { return v.compare("le", w) }

// NotEqual returns the condition v ≠ w, which is true for a NaN. Its errors are the errors of [Value.Less].
func (v Value) NotEqual(w Value) Cond {
	if v.typ.Kind() == dtype.Float {
		return v.compare("neu", w)
	}
	return v.compare("ne", w)
}

// IsNaN returns the condition that v is not a number. Its errors are the errors of [Value.Less].
func (v Value) IsNaN() Cond { return v.NotEqual(v) }
