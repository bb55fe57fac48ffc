package eval

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file has the code that the columns for known and for run-time integers share. An operation that does the same in
// both columns is written once, as a method of numbers, and its row names the method twice, with the two algorithms:
//
//	known: onKnown.fromShape(cute.LayoutLeft), dynamic: onRunTime.fromShape(symbolic.LayoutLeft),
//
// The columns of other operations accept different operands. With known integers, size also counts the threads of a
// tiled MMA, ceil_div counts the tiles of a layout, upcast accepts swizzles, coalesce notes PyCuTe's answer for _, and
// cosize, equivalent, max_common_layout and the inverses accept composed layouts as functions. With run-time integers,
// shape_div refuses layouts in the place of shapes, and increment in the place of a coordinate.

// A numbers is one kind of integers: T are the tuples of them, and L the layouts.
type numbers[T, L any] struct {
	// Operands: argument i as a shape, as a layout, or as a layout that may be the inner layout of a composed layout.
	shape  func(c *call, i int) (T, error)
	layout func(c *call, i int) (L, error)
	inner  func(c *call, i int) (L, error)
	// mode is the layout of argument 0, or the mode that the call names.
	mode func(c *call) (L, error)
	// within applies f to a layout, or to the inner layout of a composed layout.
	within func(c *call, i int, f func(L) (L, error)) (Value, error)

	// Results, with the conditions under which they are right. Known integers need no conditions.
	ofTuple  func(t T, g symbolic.Guard, err error) (Value, error)
	ofLayout func(l L, g symbolic.Guard, err error) (Value, error)
	stride   func(l L) T
	guard    func(l L) symbolic.Guard
}

var onKnown = numbers[cute.Tuple, cute.Layout]{
	shape:  (*call).shape,
	layout: (*call).layout,
	inner: func(c *call, i int) (cute.Layout, error) {
		if v, ok := c.args[i].(Composed); ok {
			return v.Composed.Layout(), nil
		}
		return c.layout(i)
	},
	mode:     (*call).mode,
	within:   (*call).domain,
	ofTuple:  func(t cute.Tuple, _ symbolic.Guard, err error) (Value, error) { return tupleOf(t, err) },
	ofLayout: func(l cute.Layout, _ symbolic.Guard, err error) (Value, error) { return layoutOf(l, err) },
	stride:   cute.Layout.Stride,
	guard:    func(cute.Layout) symbolic.Guard { return nil },
}

var onRunTime = numbers[symbolic.Tuple, symbolic.Layout]{
	shape:  (*call).dynamicShape,
	layout: func(c *call, i int) (symbolic.Layout, error) { return asDynamicLayout(c.args[i]) },
	inner:  (*call).dynamicInnerOf,
	mode:   func(c *call) (symbolic.Layout, error) { return c.dynamicInnerOf(0) }, // see takeMode
	within: (*call).onInner,
	ofTuple: func(t symbolic.Tuple, g symbolic.Guard, err error) (Value, error) {
		return simplify(DynamicTuple{t, g}, err)
	},
	ofLayout: func(l symbolic.Layout, g symbolic.Guard, err error) (Value, error) {
		return simplify(DynamicLayout{l.If(g)}, err)
	},
	stride: symbolic.Layout.Stride,
	guard:  symbolic.Layout.Guard,
}

// fromShape makes a layout of a shape.
//
//go:noinline
func (n numbers[T, L]) fromShape(f func(T) (L, error)) method {
	return func(c *call) (Value, error) {
		s, err := n.shape(c, 0)
		if err != nil {
			return nil, err
		}
		l, err := f(s)
		return n.ofLayout(l, guardOf(c.args[0]), err)
	}
}

// strideFrom returns the stride of the layout that f makes of a shape.
//
//go:noinline
func (n numbers[T, L]) strideFrom(f func(T) (L, error)) method {
	return func(c *call) (Value, error) {
		s, err := n.shape(c, 0)
		if err != nil {
			return nil, err
		}
		l, err := f(s)
		if err != nil {
			return nil, err
		}
		return n.ofTuple(n.stride(l), n.guard(l).And(guardOf(c.args[0])), nil)
	}
}

// part returns a tuple that is part of a layout, such as its shape.
//
//go:noinline
func (n numbers[T, L]) part(f func(L) T) method {
	return n.ask(func(l L) (T, error) { return f(l), nil })
}

// ask returns a tuple that is computed from a layout.
//
//go:noinline
func (n numbers[T, L]) ask(f func(L) (T, error)) method {
	return func(c *call) (Value, error) {
		l, err := n.mode(c)
		if err != nil {
			return nil, err
		}
		t, err := f(l)
		return n.ofTuple(t, n.guard(l), err)
	}
}

// onShapes computes with two shapes.
//
//go:noinline
func (n numbers[T, L]) onShapes(f func(a, b T) (T, symbolic.Guard, error)) method {
	return func(c *call) (Value, error) {
		a, err := n.shape(c, 0)
		if err != nil {
			return nil, err
		}
		b, err := n.shape(c, 1)
		if err != nil {
			return nil, err
		}
		t, g, err := f(a, b)
		return n.ofTuple(t, g.And(guardOf(c.args[0])).And(guardOf(c.args[1])), err)
	}
}

// onLayout makes a layout of a layout.
//
//go:noinline
func (n numbers[T, L]) onLayout(f func(L) (L, error)) method { return n.layoutFrom(n.layout, f) }

// onInner makes a layout from a layout, or from the inner layout of a composed layout.
//
//go:noinline
func (n numbers[T, L]) onInner(f func(L) (L, error)) method { return n.layoutFrom(n.inner, f) }

//go:noinline
func (n numbers[T, L]) layoutFrom(operand func(*call, int) (L, error), f func(L) (L, error)) method {
	return func(c *call) (Value, error) {
		l, err := operand(c, 0)
		if err != nil {
			return nil, err
		}
		r, err := f(l)
		return n.ofLayout(r, nil, err)
	}
}

// inLayout applies f to a layout, or to the inner layout of a composed layout whose outer functions it keeps.
//
//go:noinline
func (n numbers[T, L]) inLayout(f func(L) (L, error)) method {
	return func(c *call) (Value, error) { return n.within(c, 0, f) }
}

// A ring is the arithmetic of one kind of integers: T are the tuples of them, and X the integers.
type ring[T, X any] struct {
	add, sub func(a, b T) (T, error)
	scale    func(a T, by X) (T, error)
	integer  func(a T) (X, bool) // accepts any number of parentheses
	divide   func(op syntax.Op, x, y X) (T, symbolic.Guard, error)
}

var knownRing = ring[cute.Tuple, int64]{
	add: cute.Tuple.Add, sub: cute.Tuple.Sub, scale: cute.Tuple.Scale, integer: unwrapInt, divide: divideKnown,
}

var runTimeRing = ring[symbolic.Tuple, symbolic.Int]{
	add: symbolic.AddTuples,
	sub: func(a, b symbolic.Tuple) (symbolic.Tuple, error) {
		b, err := b.Scale(symbolic.Const(-1))
		if err != nil {
			return b, err
		}
		return symbolic.AddTuples(a, b)
	},
	scale:   symbolic.Tuple.Scale,
	integer: unwrapDynamic,
	divide: func(op syntax.Op, x, y symbolic.Int) (symbolic.Tuple, symbolic.Guard, error) {
		f := symbolic.FloorDiv
		if op == syntax.OpMod {
			f = symbolic.Mod
		}
		r, g, err := f(x, y)
		return symbolic.Number(r), g, err
	},
}

// apply returns a op b, and the conditions of a division.
func (r ring[T, X]) apply(op syntax.Op, a, b T) (t T, g symbolic.Guard, err error) {
	x, okX := r.integer(a)
	y, okY := r.integer(b)
	switch {
	case op == syntax.OpAdd:
		t, err = r.add(a, b)
	case op == syntax.OpSub:
		t, err = r.sub(a, b)
	case op == syntax.OpMul && okY:
		t, err = r.scale(a, y)
	case op == syntax.OpMul && okX:
		t, err = r.scale(b, x)
	case okX && okY:
		return r.divide(op, x, y)
	default:
		err = &cute.Error{Code: cute.CodeType, Msg: fmt.Sprintf("%s takes integers, found %v and %v", op, a, b)}
	}
	return t, nil, err
}

// divideKnown returns x / y or x % y, rounded toward 0.
func divideKnown(op syntax.Op, x, y int64) (cute.Tuple, symbolic.Guard, error) {
	if y == 0 || (y == -1 && x < 0 && -x == x) {
		return cute.Tuple{}, nil, &cute.Error{
			Code: cute.CodeOverflow,
			Msg:  fmt.Sprintf("%d %s %d is not a 64-bit integer", x, op, y),
		}
	}
	if op == syntax.OpDiv {
		return cute.Int(x / y), nil, nil
	}
	return cute.Int(x % y), nil, nil
}

// noConditions gives an algorithm on known integers the form of one that has conditions.
func noConditions[T any](f func(a, b T) (T, error)) func(a, b T) (T, symbolic.Guard, error) {
	return func(a, b T) (T, symbolic.Guard, error) {
		t, err := f(a, b)
		return t, nil, err
	}
}
