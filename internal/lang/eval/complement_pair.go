package eval

import (
	"girih/cute"
	"girih/f2"
	"girih/internal/lang/syntax"
	"girih/linear"
)

// This file has what seed texts on linear layouts write with A^*: whether two layouts are complements, the repeats of a
// product, and equations as questions. syntax/formula.go reads the notation.

// isComplement reports whether (A,B) reaches each offset of an interval from 0 once.
func (c *call) isComplement() (Value, error) {
	both, err := c.env.builtin(c.expr, "make_layout", c.args...)
	if err != nil {
		return nil, err
	}
	if m, ok := both.(Matrix); ok {
		l, err := asLinear(m)
		return Bool(err == nil && l.IsInvertible()), err
	}
	v, err := c.env.builtin(c.expr, "is_bijective", both)
	if b, ok := c.args[1].(Layout); ok && err == nil && v == Bool(true) {
		c.noteInOrder(b.Layout)
	}
	return v, err
}

// noteInOrder notes the complement of b in order if a is another one.
func (c *call) noteInOrder(b cute.Layout) {
	a, ok := c.args[0].(Layout)
	if !ok {
		return
	}
	n := a.Size() * b.Size()
	if r, err := cute.Complement(b, cute.Int(n)); err == nil && r.String() != cute.Coalesce(a.Layout).String() {
		c.env.note("complements are many: complement(%v, %d) in order is %v", b, n, r)
	}
}

// noteDual notes what A^* leaves open: the complement fills the gaps of a layout, and goes no further.
func (e *Env) noteDual(a, v Value) {
	if domainOf(a) != domainBits {
		e.note("%v^* without a bound is complement(%v), which fills the gaps: %v; complement(%v, n) goes on to n", a, a, v, a)
	}
}

// composeComplement returns A^* o B: what follows the block in the logical product.
func (c *call) composeComplement() (Value, error) {
	if domainOf(c.args[0]) == domainBits || domainOf(c.args[1]) == domainBits {
		return c.repeatsOverBits()
	}
	v, err := c.env.builtin(c.expr, "logical_product", c.args...)
	if err != nil {
		return nil, err
	}
	return c.env.builtin(c.expr, "get", v, integer(1))
}

func (c *call) repeatsOverBits() (Value, error) {
	a, err := c.matrix(0)
	if err != nil {
		return nil, err
	}
	b, err := c.matrix(1)
	if err != nil {
		return nil, err
	}
	r, err := a.LogicalProduct(b)
	if err != nil {
		return nil, ofF2(err)
	}
	m, err := f2.NewMatrix(r.Rows(), r.Columns()[a.Cols():])
	return Matrix{m}, ofF2(err)
}

// overBits returns the method of a divide or a product over F2. Its operands are maps or matrices, not tilers by mode.
//
//go:noinline
func (t tiling) overBits(f func(a, b f2.Matrix) (f2.Matrix, error)) method {
	if t.form != 0 {
		return nil
	}
	return func(c *call) (Value, error) {
		if by, ok := c.args[1].(Tuple); ok && !by.IsInt() {
			return nil, c.bad(1, "a layout, a linear layout or a matrix")
		}
		a, err := c.matrix(0)
		if err != nil {
			return nil, err
		}
		b, err := c.matrix(1)
		if err != nil {
			return nil, err
		}
		m, err := f(a, b)
		if err != nil {
			return nil, ofF2(err)
		}
		_, okA := c.args[0].(Matrix)
		_, okB := c.args[1].(Matrix)
		if okA && okB {
			return Matrix{m}, nil
		}
		first, names := b.Cols(), [2]string{"tile", "rest"}
		if t.padded == nil {
			first, names = a.Cols(), [2]string{"block", "repeats"}
		}
		outs := []linear.Dim{dimOf("offset", m.Rows())}
		if l, err := asLinear(c.args[0]); err == nil && l.OutBits() == m.Rows() {
			outs = l.OutDims()
		}
		return c.mapOf(m, []linear.Dim{dimOf(names[0], first), dimOf(names[1], m.Cols()-first)}, outs)
	}
}

// sameValue answers the question a = b: whether two numbers are equal, or two layouts the same function.
func (e *Env) sameValue(x *syntax.Binary, a, b Value) (Value, error) {
	a, b = e.read2(table().byName["equivalent"], a, b)
	if a.Kind() == b.Kind() && a.String() == b.String() {
		return Bool(true), nil
	}
	if isMap(a) && isMap(b) {
		return e.builtin(x, "equivalent", a, b)
	}
	return e.sign(x, syntax.OpEqual.String(), nil, a, b)
}

// isMap reports whether a value is a layout of any kind. A matrix equals only the same matrix.
func isMap(v Value) bool {
	switch v.(type) {
	case Layout, Composed, Xor, Linear, DynamicLayout:
		return true
	}
	return false
}

// eachOf applies f to argument 0, or to each element if it is a list. A tuple in braces may be either: it is a list if
// it is no operand of f.
func (c *call) eachOf(f method) (Value, error) {
	if l, ok := c.args[0].(List); ok {
		return c.each(l, f)
	}
	v, err := f(c)
	w := c.env.writtenTuple(c.place(0))
	t, ok := c.args[0].(Tuple)
	if w == nil || !w.Braced || !ok || t.IsInt() {
		return v, err
	}
	l := List{}
	for _, m := range t.Modes() {
		l = append(l, Tuple{m})
	}
	other, failed := c.each(l, f)
	switch {
	case err != nil && failed == nil:
		return other, nil
	case err == nil && failed == nil:
		c.env.note("%v is read as one coordinate; as a list it gives %v", l, other)
	}
	return v, err
}

func (c *call) each(l List, f method) (Value, error) {
	out := make(List, len(l))
	for i, x := range l {
		one := *c
		one.args = append([]Value{x}, c.args[1:]...)
		var err error
		if out[i], err = f(&one); err != nil {
			return nil, err
		}
	}
	return out, nil
}
