package eval

import (
	"errors"
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/ints"
	"girih/linear"
)

// This file composes functions if at least one of them has F2 strides. The composition is a function of coordinates. It
// is returned with F2 strides if possible, else as an integer layout. If neither exists it is refused, with the first
// coordinate at which every layout fails.

// A function maps each index of a shape to an offset.
type function struct {
	shape cute.Tuple
	at    func(i int64) (int64, error)
	stop  cute.Until // called by at; returns an error if the work must stop
}

// asking returns the function with a check of stop at some indices.
func asking(stop cute.Until, shape cute.Tuple, at func(i int64) (int64, error)) function {
	return function{shape, ints.Asking(stop, at), stop}
}

// then returns the function i -> x(b(i)).
//
//go:noinline
func then(x Xor, shape cute.Tuple, b func(i int64) (cute.Tuple, error)) function {
	return asking(x.Stopped, shape, func(i int64) (int64, error) {
		k, err := b(i)
		if err != nil {
			return 0, err
		}
		return x.Eval(k)
	})
}

// layout returns the function as a layout with F2 strides, or else as integerOr does.
func (f function) layout(composed func() (Value, error)) (Value, error) {
	x, err := linear.FitXor(f.shape, f.at)
	if hasCode(err, cute.CodeNotRepresentable) {
		return f.integerOr(err, composed)
	}
	return xorOf(x, err)
}

// integerOr returns the function as an integer layout or as the given composed layout. If it is neither, integerOr
// returns the error cause.
func (f function) integerOr(cause error, composed func() (Value, error)) (Value, error) {
	n, err := f.shape.Product()
	if err != nil || n > cute.EnumLimit {
		return nil, cause
	}
	table := make([]int64, n)
	for i := range table {
		if table[i], err = f.at(int64(i)); err != nil {
			return nil, endedOr(err, cause)
		}
	}
	l, err := f.stop.Recognize(table)
	if hasCode(err, cute.CodeLimit) {
		return nil, err
	}
	if err == nil {
		if l, err = l.WithShape(f.shape); err == nil {
			return Layout{l}, nil
		}
	}
	v, err := composed()
	if err != nil {
		return nil, endedOr(err, cause)
	}
	if _, same, err := valuesOf("composition", v); err != nil || !slices.Equal(same, table) {
		return nil, endedOr(err, cause)
	}
	return v, nil
}

// endedOr returns err if err says that the time is over, and otherwise cause. An interrupted search proves nothing.
func endedOr(err, cause error) error {
	if hasCode(err, cute.CodeLimit) {
		return err
	}
	return cause
}

// xorCompose returns A o B, where at least one operand has F2 strides and neither is a map over bits.
func (c *call) xorCompose() (Value, error) {
	if toCoordinates(c.args[0]) {
		return c.bitsCompose()
	}
	return xorPair(c.args[0], c.args[1])
}

// xorPair returns a o b, where at least one operand has F2 strides and neither is a map over bits.
func xorPair(a, b Value) (Value, error) {
	x, ok := a.(Xor)
	if !ok {
		return afterXor(a, 0, b.(Xor))
	}
	var f function
	var cause error
	switch b := b.(type) {
	case Xor:
		f = then(x, b.Shape(), func(i int64) (cute.Tuple, error) {
			k, err := b.Eval(cute.Int(i))
			return cute.Int(k), err
		})
	case Composed:
		f = then(x, b.Shape(), func(i int64) (cute.Tuple, error) { return b.Eval(cute.Int(i)) })
	case Swizzle:
		f = then(x, x.Shape(), func(i int64) (cute.Tuple, error) {
			k, err := b.At(i)
			return cute.Int(k), err
		})
	default:
		t, err := asTiler(b)
		if err != nil {
			return nil, typeError("composition", "the right operand", "a layout, a shape, a tile or _", b)
		}
		r, err := x.CompositionBy(t)
		l, isLayout := t.(cute.Layout)
		if !isLayout || !hasCode(err, cute.CodeNotRepresentable) {
			return xorOf(r, err)
		}
		f, cause = then(x, l.Shape(), func(i int64) (cute.Tuple, error) { return l.Eval(cute.Int(i)) }), err
	}
	composed := func() (Value, error) {
		c, err := insideSwizzles(x.XorLayout)
		if err != nil {
			return nil, err
		}
		if y, ok := b.(Xor); ok {
			return afterXor(c, 0, y)
		}
		return composePair(x.Stopped, c, b)
	}
	if cause != nil {
		return f.integerOr(cause, composed)
	}
	return f.layout(composed)
}

// afterXor returns the function c -> a(offset + x(c)).
func afterXor(a Value, offset int64, x Xor) (Value, error) {
	switch w := a.(type) {
	case Swizzle:
		if offset == 0 {
			return xorOf(x.Swizzled(w.Swizzle))
		}
	case Layout, Composed, Tuple:
	default:
		return nil, typeError("composition", "the left operand", "a layout or a swizzle", a)
	}
	f := asking(x.Stopped, x.Shape(), func(i int64) (int64, error) {
		k, err := x.Eval(cute.Int(i))
		if err != nil {
			return 0, err
		}
		return offsetAt(a, offset+k)
	})
	return f.layout(func() (Value, error) {
		c, err := insideSwizzles(x.XorLayout)
		if err != nil {
			return nil, err
		}
		if s, ok := a.(Tuple); ok {
			if a, err = asLayoutValue(s); err != nil {
				return nil, err
			}
		}
		return makeComposed(a, cute.Int(offset), c)
	})
}

func asLayoutValue(v Value) (Value, error) {
	l, err := asLayout(v)
	return Layout{l}, err
}

// insideSwizzles returns a layout with F2 strides as a layout, or as a layout inside swizzles, of the same shape.
func insideSwizzles(x linear.XorLayout) (Value, error) {
	c, err := x.BehindSwizzles()
	if err == nil && c.Outer() == nil {
		return Layout{c.Layout()}, nil
	}
	return Composed{c.Until(x.Stopped)}, err
}

// offsetAt returns the offset of a function at an index.
func offsetAt(f Value, i int64) (int64, error) {
	v, err := evalAt(f, cute.Int(i))
	if err != nil {
		return 0, err
	}
	y, ok := v.(Tuple).Int64()
	if !ok {
		return 0, &cute.Error{
			Code: cute.CodeCodomain, Op: "composition",
			Msg: fmt.Sprintf("F2 strides go to offsets, %v goes to coordinates such as %v", f, v),
		}
	}
	return y, nil
}

func hasCode(err error, code cute.Code) bool {
	e, ok := errors.AsType[*cute.Error](err)
	return ok && e.Code == code
}

// xorComposed makes outer o offset o inner, where one of them has F2 strides.
func (c *call) xorComposed() (Value, error) {
	offset, err := c.tuple(1)
	if err != nil {
		return nil, err
	}
	return composedXor(c.args[0], offset, c.args[2])
}

// composedXor returns the function c -> outer(offset + inner(c)), where one of them has F2 strides.
func composedXor(outer Value, offset cute.Tuple, inner Value) (Value, error) {
	start, ok := offset.Int64()
	if !ok {
		return nil, typeError("make_composed_layout", "the offset", "an integer", Tuple{offset})
	}
	if start == 0 {
		return xorPair(outer, inner)
	}
	x, ok := inner.(Xor)
	if !ok {
		return nil, typeError("make_composed_layout", "the offset inside of F2 strides", "0", Tuple{offset})
	}
	return afterXor(outer, start, x)
}
