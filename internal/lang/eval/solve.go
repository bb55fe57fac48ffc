package eval

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/f2"
	"girih/internal/lang/syntax"
	"girih/linear"
)

// This file solves equations of layouts: A o X = B and X o A = B, for a layout X. Written as an equation, X is any name
// without a value; solve_inner(A, B) and solve_outer(A, B) are the same as functions.

// equation evaluates A o X = B or X o A = B. A chain on the left has its unknown first or last.
func (e *Env) equation(x *syntax.Equation) (Value, error) {
	chain := x.X.Operands
	unknown := -1
	for i, op := range chain {
		id, ok := op.(*syntax.Ident)
		if !ok || IsReserved(id.Name) {
			continue
		}
		if _, bound, _ := e.meaning(id); bound {
			continue
		}
		if unknown >= 0 {
			return nil, e.fail(op, &cute.Error{
				Code: cute.CodeName, Op: "solve",
				Msg: fmt.Sprintf("expected one unknown, found %s and %s without values", chain[unknown], id.Name),
			})
		}
		unknown = i
	}
	name, known := "solve_inner", chain[:len(chain)-1]
	switch unknown {
	case len(chain) - 1:
	case 0:
		name, known = "solve_outer", chain[1:]
	case -1:
		return nil, e.fail(x, &cute.Error{
			Code: cute.CodeName, Op: "solve", Msg: "expected an unknown in the equation, a name without a value, found none",
			Hint: "== compares, and equivalent(A, B) compares layouts as functions",
		})
	default:
		return nil, e.fail(chain[unknown], &cute.Error{
			Code: cute.CodeType, Op: "solve",
			Msg:  fmt.Sprintf("expected the unknown %s first or last in the chain, found it in the middle", chain[unknown]),
			Hint: "solve for the product with one side first: A o Y = B, then X o C = Y",
		})
	}
	a := known[0]
	if len(known) > 1 {
		a = &syntax.Compose{Span: syntax.SpanOf(known[0].Pos(), known[len(known)-1].End()), Operands: known}
	}
	args := []syntax.Arg{{KeyPos: -1, X: a}, {KeyPos: -1, X: x.Y}}
	return e.call(&syntax.Call{Span: x.Span, Name: name, NamePos: x.Pos(), Args: args, Qualified: true})
}

// An equationOf is the equation A o X = B, or X o A = B.
type equationOf struct {
	inner  bool
	solve  func(u cute.Until, a, b cute.Layout) (cute.Solutions, error)
	matrix func(a, b f2.Matrix) (f2.Matrix, error)
}

var (
	innerEquation = equationOf{true, cute.Until.SolveInner, f2.Matrix.SolveAll}
	outerEquation = equationOf{false, cute.Until.SolveOuter, solveOuterMatrix}
)

// solveOuterMatrix returns x with x·a = b.
func solveOuterMatrix(a, b f2.Matrix) (f2.Matrix, error) {
	at, err := a.Transpose()
	if err != nil {
		return f2.Matrix{}, err
	}
	bt, err := b.Transpose()
	if err != nil {
		return f2.Matrix{}, err
	}
	xt, err := at.SolveAll(bt)
	if err != nil {
		return f2.Matrix{}, err
	}
	return xt.Transpose()
}

// onLayouts solves the equation for layouts. Swizzled layouts are solved as maps over bits.
func (q equationOf) onLayouts(c *call) (Value, error) {
	if c.anyComposed() {
		return q.onBits(c)
	}
	a, err := c.layout(0)
	if err != nil {
		return nil, err
	}
	b, err := c.layout(1)
	if err != nil {
		return nil, err
	}
	s, err := q.solve(c.env.stop(), a, b)
	if err != nil {
		return nil, err
	}
	q.note(c, a, s)
	return Layout{s.X}, nil
}

// note says how many solutions there are.
func (q equationOf) note(c *call, a cute.Layout, s cute.Solutions) {
	switch {
	case !q.inner && s.Free == 0:
		c.env.note("it is the only solution with %d elements", s.X.Size())
	case !q.inner:
		c.env.note("the equation says nothing about the values at %d of the %d indices, which are no offsets of %v", s.Free,
			s.X.Size(), a)
	case len(s.Others) == 0 && !s.More:
		c.env.note("it is the only solution")
	case len(s.Others) == 0:
		c.env.note("there may be other solutions")
	default:
		others := make([]string, len(s.Others))
		for i, x := range s.Others {
			others[i] = x.String()
		}
		if s.More {
			others = append(others, "...")
		}
		c.env.note("other solutions are %s", strings.Join(others, ", "))
	}
	if s.Beyond {
		c.env.note("values are beyond the %d elements of %v, where its last mode continues", a.Size(), a)
	}
}

// onBits solves the equation for maps over bits, or for matrices.
func (q equationOf) onBits(c *call) (Value, error) {
	a, isMatrix := c.args[0].(Matrix)
	b, both := c.args[1].(Matrix)
	if isMatrix && both {
		x, err := q.matrix(a.Matrix, b.Matrix)
		if err != nil {
			return nil, q.none(c, a.Matrix, b.Matrix, err)
		}
		q.noteKernel(c, a.Matrix)
		return Matrix{x}, nil
	}
	l, err := asLinear(c.args[0])
	if err != nil {
		return nil, err
	}
	m, err := asLinear(c.args[1])
	if err != nil {
		return nil, err
	}
	x, err := q.linear(l, m)
	if err != nil {
		if q.inner {
			return nil, err
		}
		return nil, q.none(c, l.Matrix(), m.Matrix(), err)
	}
	q.noteKernel(c, l.Matrix())
	for _, v := range c.args {
		if v.Kind() == KindLinear || v.Kind() == KindMatrix {
			return Linear{x}, nil
		}
	}
	return ofLinear(x), nil
}

// linear solves the equation for linear layouts.
func (q equationOf) linear(a, b linear.Layout) (linear.Layout, error) {
	if q.inner {
		return b.InvertAndCompose(a)
	}
	x, err := q.matrix(a.Matrix(), b.Matrix())
	if err == nil && (!a.IsLinear() || !b.IsLinear()) {
		err = &cute.Error{Code: cute.CodeType, Op: "solve_outer", Msg: "expected maps that take 0 to 0"}
	}
	if err != nil {
		return linear.Layout{}, err
	}
	return linear.FromMatrix(x, a.OutDims(), b.OutDims())
}

// noteKernel notes how many other solutions there are.
func (q equationOf) noteKernel(c *call, a f2.Matrix) {
	rank := a.Rank()
	if q.inner {
		if k := a.Cols() - rank; k > 0 {
			c.env.note("the left operand maps 2^%d inputs to 0; the exclusive or of X with them gives the other solutions", k)
			return
		}
	} else if k := a.Rows() - rank; k > 0 {
		c.env.note("the values of the right operand of o span 2^%d of the 2^%d inputs of X; elsewhere X is free", rank,
			a.Rows())
		return
	}
	c.env.note("it is the only solution")
}

// none is the error of an equation of maps over bits without a solution: the operand maps an input to 0 that the right
// side does not, or the right side has a value that the operand does not have.
func (q equationOf) none(c *call, a, b f2.Matrix, err error) error {
	out := &cute.Error{Code: cute.CodeNotRepresentable, Op: c.fn.Name, Msg: err.Error()}
	kernel, failed := a.Kernel()
	if q.inner || failed != nil {
		return out
	}
	for _, k := range kernel {
		if y, err := b.Apply(k); err == nil && y != 0 {
			out.Msg = fmt.Sprintf("no X solves it: the input %#x is mapped to 0 on the left, and to %#x on the right",
				uint64(k), uint64(y))
		}
	}
	return out
}
