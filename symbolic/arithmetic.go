package symbolic

import (
	"fmt"
	"slices"

	"girih/cute"
)

// This file is the arithmetic of integers and tuples for other packages.

// Add returns x + y. It returns [cute.CodeOverflow].
func Add(x, y Int) (Int, error) {
	var c calc
	return c.add(x, y), c.err
}

// Mul returns x·y. It returns [cute.CodeOverflow].
func Mul(x, y Int) (Int, error) {
	var c calc
	return c.mul(x, y), c.err
}

// CeilDiv returns ⌈x/y⌉ and the guard x ≥ 0 and y ≥ 1. It returns [cute.CodeNegative] for y = 0, and
// [cute.CodeUnknown] if the guard never holds.
func CeilDiv(x, y Int) (Int, Guard, error) { return division{"ceil", (*calc).ceilDiv}.of(x, y) }

// CeilDivPositive returns ⌈x/y⌉ and the guard x ≥ 1 and y ≥ 1, outside which CuTe's ceil_div is not defined. It returns
// the errors of [CeilDiv].
func CeilDivPositive(x, y Int) (Int, Guard, error) {
	return division{"ceil_div", (*calc).ceilDiv}.of(x, y, positiveIf(x, y)...)
}

// FloorDiv returns x/y and the guard x ≥ 0 and y ≥ 1: CuTe's division does not round down below 0. It returns the
// errors of [CeilDiv].
func FloorDiv(x, y Int) (Int, Guard, error) { return division{"/", (*calc).floorDiv}.of(x, y) }

// Mod returns x - y·⌊x/y⌋ and the guard x ≥ 0 and y ≥ 1. It returns the errors of [CeilDiv].
func Mod(x, y Int) (Int, Guard, error) { return division{"%", (*calc).mod}.of(x, y) }

// ShapeDiv returns x/y, or 1 where x divides y, and the guard that x and y are at least 1 and one divides the other:
// CuTe's shape_div. It returns the errors of [CeilDiv].
func ShapeDiv(x, y Int) (Int, Guard, error) {
	whole := Condition{op: oneOf, alts: []Guard{{dividesIf(y, x)}, {dividesIf(x, y)}}, strength: strict}
	return division{"shape_div", (*calc).ceilDiv}.of(x, y, append(positiveIf(x, y), whole)...)
}

// DivideShapes divides shapes by f as CuTe's ceil_div and shape_div do. Tuples are divided mode by mode. An integer
// divides the leaves of a tuple from left to right: each leaf is divided by the part of the divisor that the leaves
// before it leave over. DivideShapes returns the condition of all quotients, [cute.CodeRank] if the divisor has more
// modes, [cute.CodeType] for coordinates, and the errors of f.
func DivideShapes(op string, a, b Tuple, f func(x, y Int) (Int, Guard, error)) (Tuple, Guard, error) {
	if a.kind() == isTuple && b.kind() == isTuple {
		if len(b.elems()) > len(a.elems()) {
			return Tuple{}, nil, &cute.Error{
				Code: cute.CodeRank, Op: op, Msg: fmt.Sprintf("the divisor %s has more modes than %s", b, a),
			}
		}
		out := slices.Clone(a.elems())
		var g Guard
		for i := range b.elems() {
			q, h, err := DivideShapes(op, a.elems()[i], b.elems()[i], f)
			if err != nil {
				return Tuple{}, nil, err
			}
			out[i], g = q, g.And(h)
		}
		return Nest(out...), g, nil
	}
	y, err := b.Product()
	if err != nil {
		return Tuple{}, nil, err
	}
	var g Guard
	left := len(a.leaves())
	var divide func(t Tuple) (Tuple, error)
	divide = func(t Tuple) (Tuple, error) {
		if t.kind() == isTuple {
			out := make([]Tuple, len(t.elems()))
			for i, e := range t.elems() {
				var err error
				if out[i], err = divide(e); err != nil {
					return Tuple{}, err
				}
			}
			return Nest(out...), nil
		}
		x, ok := t.leaf().Int()
		if !ok || t.kind() != isLeaf {
			return Tuple{}, &cute.Error{Code: cute.CodeType, Op: op, Msg: fmt.Sprintf("expected integers, found %s", t)}
		}
		q, h, err := f(x, y)
		if err != nil {
			return Tuple{}, err
		}
		g = g.And(h)
		if left--; left > 0 {
			if y, h, err = f(y, x); err != nil {
				return Tuple{}, err
			}
			g = g.And(h)
		}
		return Number(q), nil
	}
	t, err := divide(a)
	return t, g, err
}

// positiveIf is the condition that x and y are at least 1; otherwise there is no answer.
func positiveIf(x, y Int) Guard {
	return Guard{atMostIf(Const(1), x).of(strict), atMostIf(Const(1), y).of(strict)}
}

// A division is one of the operations that divide integers.
type division struct {
	op string
	f  func(c *calc, x, y Int) Int
}

// of returns f(x, y) for x ≥ 0 and y ≥ 1, or under the conditions needs, which must imply x ≥ 0 and y ≥ 1.
func (d division) of(x, y Int, needs ...Condition) (Int, Guard, error) {
	w := begin(d.op)
	if y.is(0) {
		w.never(&cute.Error{
			Code: cute.CodeNegative, Op: d.op, Msg: fmt.Sprintf("expected a positive number to divide %s by, found 0", x),
		})
	}
	if _, whole := w.exact(x, y); len(needs) == 0 && !(x.static() && y.static()) {
		needs = Guard{atMostIf(Const(1), y)}
		if !whole {
			needs = append(needs, atMostIf(Const(0), x))
		}
	}
	for _, c := range needs {
		w.require(c)
	}
	out, err := w.end(Layout{})
	if err != nil {
		return Int{}, nil, err
	}
	q := d.f(&w.calc, x, y)
	return q, out.Guard(), w.err
}

// Min returns the smaller of x and y.
func Min(x, y Int) Int {
	var c calc
	return c.min(x, y)
}

// Max returns the larger of x and y: x + y - min(x,y) unless it is known which is larger. It returns
// [cute.CodeOverflow].
func Max(x, y Int) (Int, error) {
	switch least := Min(x, y); {
	case least.Equal(x):
		return y, nil
	case least.Equal(y):
		return x, nil
	default:
		var c calc
		return c.sub(c.add(x, y), least), c.err
	}
}

// Abs returns |x|. It returns [cute.CodeOverflow].
func Abs(x Int) (Int, error) {
	var c calc
	return c.abs(x), c.err
}

// Zip returns the tuple of f(x, y) for the leaves x of t and y of u, which must have the same nesting. A leaf 0 or a
// missing mode counts as a tuple of zeros. Zip returns [cute.CodeNotCongruent] if any other leaf is opposite a tuple.
func Zip(op string, t, u Tuple, f func(x, y Vector) (Vector, error)) (Tuple, error) {
	zero := func(t Tuple) bool { return t.kind() == isLeaf && t.leaf().zero() }
	switch {
	case t.kind() == isLeaf && u.kind() == isLeaf:
		v, err := f(t.leaf(), u.leaf())
		return Leaf(v), err
	case zero(t) && u.kind() == isTuple:
		t = Tuple{}
	case zero(u) && t.kind() == isTuple:
		u = Tuple{}
	case t.kind() != u.kind() || t.kind() == isOpen:
		return Tuple{}, &cute.Error{
			Code: cute.CodeNotCongruent, Op: op, Msg: fmt.Sprintf("expected tuples of the same nesting, found %s and %s", t, u),
		}
	}
	out := make([]Tuple, max(len(t.elems()), len(u.elems())))
	at := func(t Tuple, i int) Tuple {
		if i < len(t.elems()) {
			return t.elems()[i]
		}
		return Number(Int{})
	}
	for i := range out {
		var err error
		if out[i], err = Zip(op, at(t, i), at(u, i), f); err != nil {
			return Tuple{}, err
		}
	}
	return Nest(out...), nil
}

// AddTuples returns t + u, leaf by leaf. It returns the errors of [Zip] and [Add].
func AddTuples(t, u Tuple) (Tuple, error) {
	return Zip("+", t, u, func(x, y Vector) (Vector, error) {
		var c calc
		return c.addVectors(x, y), c.err
	})
}

// Scale returns t with every leaf multiplied by x. It returns [cute.CodeOverflow].
func (t Tuple) Scale(x Int) (Tuple, error) {
	var c calc
	out := t.mapLeaves(func(v Vector) Vector { return c.scaleVector(v, x) })
	return out, c.err
}

// OnAxis returns t, an integer, along the axis with the given path, outermost mode first. It returns [cute.CodeType]
// for anything else.
func (t Tuple) OnAxis(path ...int) (Tuple, error) {
	x, ok := t.Int()
	if !ok {
		return Tuple{}, &cute.Error{Code: cute.CodeType, Msg: fmt.Sprintf("an axis is scaled by an integer, found %s", t)}
	}
	return Leaf(OnAxis(x, path...)), nil
}

// EqualIf returns the condition x = y for all leaves of two tuples; ok is false if the tuples differ in nesting.
func EqualIf(t, u Tuple) (g Guard, ok bool) {
	if !congruent(t, u) {
		return nil, false
	}
	a, b := t.leaves(), u.leaves()
	for i := range a {
		x, okX := a[i].Int()
		y, okY := b[i].Int()
		if !okX || !okY {
			if !a[i].equal(b[i]) {
				return nil, false
			}
			continue
		}
		g = g.And(Guard{{op: isEqual, a: x, b: y}})
	}
	return g, true
}

// LessIf returns the condition t < u for all leaves of two tuples; ok is false if the tuples differ in nesting.
func LessIf(t, u Tuple) (g Guard, ok bool) {
	if !congruent(t, u) {
		return nil, false
	}
	a, b := t.leaves(), u.leaves()
	var c calc
	for i := range a {
		x, okX := a[i].Int()
		y, okY := b[i].Int()
		if !okX || !okY {
			return nil, false
		}
		g = g.And(Guard{atMostIf(c.add(x, Const(1)), y)})
	}
	return g, c.err == nil
}

// Decide says whether the guard holds for all values (true, true), for no value (false, true), or for some (_, false).
func (g Guard) Decide() (holds, known bool) {
	v := g.decide()
	return v == yes, v != unknown
}

// And returns the guard of both.
func (g Guard) And(h Guard) Guard {
	for _, c := range h {
		if c.decide() != yes {
			g = g.with(c)
		}
	}
	return g
}
