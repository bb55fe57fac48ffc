package eval

import (
	"errors"
	"fmt"
	"slices"

	"girih/cute"
	"girih/f2"
	"girih/internal/lang/syntax"
	"girih/linear"
)

// This file evaluates expressions with values over F2.

// f2Nest makes a tuple of numbers without carries. It accepts the integer 0 as an element, but no other integer: in a
// product, 2 is not F2(2).
func f2Nest(vs []Value) (Value, error) {
	out := F2{Nested: true}
	for _, v := range vs {
		x, ok := v.(F2)
		if t, isTuple := v.(Tuple); isTuple && !t.HasBasis() &&
			!slices.ContainsFunc(t.Leaves(), func(n int64) bool { return n != 0 }) {
			x, ok = f2Zeros(t.Tuple), true
		}
		if !ok {
			return nil, typeError("", "every element next to F2 strides", "F2(n) or 0", v)
		}
		out.Elems = append(out.Elems, x)
	}
	return out, nil
}

// f2Zeros returns F2(0) in the nesting of a tuple.
func f2Zeros(t cute.Tuple) F2 {
	if t.IsInt() {
		return F2{}
	}
	out := F2{Nested: true}
	for _, m := range t.Modes() {
		out.Elems = append(out.Elems, f2Zeros(m))
	}
	return out
}

// xorLayout makes a layout from a shape and a stride over F2.
func (c *call) xorLayout() (Value, error) {
	if d, ok := c.args[1].(F2); ok {
		return xorLayout(c.args[0], d)
	}
	return c.dynamicLayout() // returns the error for the shape
}

// xorLayout makes the layout shape:stride with F2 strides.
func xorLayout(shape Value, stride F2) (Value, error) {
	s, ok := shape.(Tuple)
	if !ok {
		return nil, typeError("", "the shape of a layout with F2 strides", "known integers", shape)
	}
	pattern, err := stride.pattern()
	if err != nil {
		return nil, err
	}
	if !cute.Congruent(s.Tuple, pattern) {
		return nil, &cute.Error{
			Code: cute.CodeNotCongruent, Op: "make_layout",
			Msg: fmt.Sprintf("expected the same nesting, found %v and %v", s, stride),
		}
	}
	x, err := linear.NewXor(s.Tuple, stride.leaves()...)
	return Xor{x}, err
}

// bitsArithmetic evaluates a op b over F2. Numbers are added and multiplied without carries, A*B of linear layouts is
// the direct sum, and matrices are added and multiplied.
func bitsArithmetic(op syntax.Op, a, b Value) (Value, error) {
	switch x := a.(type) {
	case Linear:
		if y, ok := b.(Linear); ok && op == syntax.OpMul {
			l, err := x.Product(y.Layout)
			return Linear{l}, err
		}
	case Matrix:
		y, ok := b.(Matrix)
		switch {
		case ok && op == syntax.OpMul:
			m, err := x.Mul(y.Matrix)
			return Matrix{m}, ofF2(err)
		case ok && (op == syntax.OpAdd || op == syntax.OpSub):
			return addMatrices(x, y)
		}
	default:
		p, okP := f2Number(a, op)
		q, okQ := f2Number(b, op)
		if okP && okQ {
			return f2Arithmetic(op, p, q)
		}
	}
	return nil, &cute.Error{
		Code: cute.CodeType,
		Msg:  fmt.Sprintf("%s has no meaning for %s and %s: %v and %v", op, article(a.Kind()), article(b.Kind()), a, b),
	}
}

// f2Number returns a number over F2. A factor may also be an integer that is not negative, and a summand may be the
// integer 0.
func f2Number(v Value, op syntax.Op) (f2.Vector, bool) {
	switch x := v.(type) {
	case F2:
		return x.number()
	case Tuple:
		n, ok := unwrapInt(x.Tuple)
		sum := op == syntax.OpAdd || op == syntax.OpSub
		return f2.Vector(n), ok && n >= 0 && (!sum || n == 0)
	}
	return 0, false
}

func f2Arithmetic(op syntax.Op, p, q f2.Vector) (Value, error) {
	switch op {
	case syntax.OpAdd, syntax.OpSub:
		return F2{Number: p ^ q}, nil
	case syntax.OpMul:
		r, err := p.Mul(q)
		return F2{Number: r}, ofF2(err)
	}
	quotient, rest, err := p.DivMod(q)
	if op == syntax.OpMod {
		quotient = rest
	}
	return F2{Number: quotient}, ofF2(err)
}

func addMatrices(a, b Matrix) (Value, error) {
	if a.Rows() != b.Rows() || a.Cols() != b.Cols() {
		return nil, &cute.Error{
			Code: cute.CodeRank,
			Msg: fmt.Sprintf("expected matrices of one size, found %d by %d and %d by %d",
				a.Rows(), a.Cols(), b.Rows(), b.Cols()),
		}
	}
	cols := a.Columns()
	for j := range cols {
		cols[j] ^= b.Col(j)
	}
	m, err := f2.NewMatrix(a.Rows(), cols)
	return Matrix{m}, ofF2(err)
}

// ofF2 converts an error of package f2 to a *cute.Error.
func ofF2(err error) error {
	if e, ok := errors.AsType[*f2.Error](err); ok {
		return ofF2As(e.Op, err)
	}
	return err
}

// ofF2As converts an error of package f2 to the error of an operation.
func ofF2As(op string, err error) error {
	if e, ok := errors.AsType[*f2.Error](err); ok {
		return &cute.Error{Code: cute.CodeRank, Op: op, Msg: e.Msg}
	}
	return err
}

// bitsAt applies a value over F2 to coordinates.
func bitsAt(fn Value, c cute.Tuple) (Value, error) {
	switch f := fn.(type) {
	case Xor:
		return intOf(f.Eval(c))
	case Matrix:
		x, ok := unwrapInt(c)
		if !ok || x < 0 {
			return nil, &cute.Error{
				Code: cute.CodeType,
				Msg:  fmt.Sprintf("a matrix is applied to the number whose bits are the components, found %v", c),
			}
		}
		return numberOf(f.Apply(f2.Vector(x)))
	case Linear:
		return linearAt(f, c)
	}
	return nil, &cute.Error{
		Code: cute.CodeType,
		Msg:  fmt.Sprintf("%s is not a function of coordinates: %v", article(fn.Kind()), fn),
	}
}

// toCoordinates reports whether the values of a function are coordinates. Layouts with F2 strides have no such values.
func toCoordinates(v Value) bool {
	switch f := v.(type) {
	case Layout:
		return f.HasBasis()
	case Composed:
		return f.HasBasis()
	}
	return false
}

// linearAt applies a linear layout to one coordinate for each input dimension, or to a single index.
func linearAt(l Linear, c cute.Tuple) (Value, error) {
	xs := c.Leaves()
	if c.Depth() > 1 || c.HasBasis() {
		return nil, &cute.Error{
			Code: cute.CodeNotCongruent,
			Msg:  fmt.Sprintf("expected one coordinate for each input dimension, found %v", c),
		}
	}
	if c.IsInt() && len(l.InDims()) != 1 {
		if xs[0] < 0 {
			return nil, &cute.Error{Code: cute.CodeNegative, Msg: fmt.Sprintf("expected an index of at least 0, found %d", xs[0])}
		}
		at, err := l.ReshapeIns(linear.Dim{Name: "index", Size: 1 << l.InBits()})
		if err != nil {
			return nil, err
		}
		l = Linear{at}
	}
	ys, err := l.At(xs...)
	if err != nil {
		return nil, err
	}
	if len(ys) == 1 {
		return integer(ys[0]), nil
	}
	return Tuple{cute.Ints(ys...)}, nil
}

// bitsPair returns a o b. Dimensions are matched by name; if a has one input and b has one output, their names may
// differ.
func bitsPair(a, b Value) (Value, error) {
	if x, ok := a.(Matrix); ok {
		if y, ok := b.(Matrix); ok {
			m, err := x.Mul(y.Matrix)
			return Matrix{m}, ofF2(err)
		}
	}
	x, err := asLinear(a)
	if err != nil {
		return nil, err
	}
	y, err := asLinear(b)
	if err != nil {
		return nil, err
	}
	ins, outs := x.InDims(), y.OutDims()
	if len(ins) == 1 && len(outs) == 1 && ins[0].Name != outs[0].Name {
		if y, err = y.RenameOut(outs[0].Name, ins[0].Name); err != nil {
			return nil, err
		}
	}
	l, err := y.Compose(x)
	return Linear{l}, err
}

// asLinear converts a value to a linear layout.
func asLinear(v Value, ins ...string) (linear.Layout, error) {
	switch x := v.(type) {
	case Linear:
		return x.Layout, nil
	case Xor:
		return x.Linear()
	case Layout:
		return linear.FromLayout(x.Layout, ins...)
	case Composed:
		return linear.FromComposed(x.Composed, ins...)
	case Swizzle:
		return linear.FromSwizzle(x.Swizzle, x.B()+x.M()+max(x.S(), -x.S()))
	case Matrix:
		return linear.FromMatrix(x.Matrix, []linear.Dim{{Name: "index", Size: 1 << min(x.Cols(), linear.MaxBits+1)}},
			[]linear.Dim{{Name: "offset", Size: 1 << min(x.Rows(), linear.MaxBits+1)}})
	case Tuple:
		l, err := cute.LayoutLeft(x.Tuple)
		if err != nil {
			return linear.Layout{}, err
		}
		return linear.FromLayout(l, ins...)
	}
	return linear.Layout{}, typeError("", "the operand",
		"a linear layout, or what is one: a layout, a swizzle or a composed layout", v)
}

// ToLinear returns a value as a map over bits: a linear layout, a layout, a swizzle, a composed layout, a layout with
// F2 strides, or a matrix. It returns [cute.CodeType] for any other value, and the errors of package linear.
func ToLinear(v Value) (linear.Layout, error) { return asLinear(v) }
