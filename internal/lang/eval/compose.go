package eval

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/tensor"
)

// compose evaluates the chain A o B o C from the left. An integer in the middle of the chain is an offset, F o offset o
// L, as CuTe prints composed layouts. So is a tuple before a layout with coordinate strides; with nothing before the
// tuple, the chain is a tensor, ArithTuple(0,0) o L. Any other tuple, and an integer at the end, is a tiler.
func (e *Env) compose(x *syntax.Compose) (Value, error) {
	vs := make([]Value, len(x.Operands))
	for i, op := range x.Operands {
		var err error
		if vs[i], err = e.expr(op); err != nil {
			return nil, err
		}
		if id := bareName(op, vs[i]); id != nil && (i == 0 || i == len(vs)-1) {
			if _, err := e.boundValue(id); err != nil {
				return nil, err // the let is missing: a layout cannot be an integer
			}
		}
	}
	if hasOffset(vs) {
		return e.composedChain(x, vs)
	}
	if len(vs) == 2 && isOffset(vs[0], vs[1]) {
		if t, ok, err := coordinatesAt(vs[0], vs[1]); ok || err != nil {
			return e.result(x, t, err)
		}
	}
	return e.composePairs(x, vs)
}

// bareName returns x if x is a name whose value v is a single run-time integer, and nil otherwise.
func bareName(x syntax.Expr, v Value) *syntax.Ident {
	if d, ok := v.(DynamicTuple); !ok || !d.bare() {
		return nil
	}
	id, _ := x.(*syntax.Ident)
	return id
}

// hasOffset reports whether a chain has an offset between two functions.
func hasOffset(vs []Value) bool {
	for i := 2; i < len(vs); i++ {
		if isOffset(vs[i-1], vs[i]) {
			return true
		}
	}
	return false
}

// composePairs composes the operands of x, whose values are vs, from the left.
func (e *Env) composePairs(x *syntax.Compose, vs []Value) (Value, error) {
	v := vs[0]
	for i := 1; i < len(vs); i++ {
		if err := e.inTime(x); err != nil {
			return nil, err
		}
		written := []Value{v, vs[i]}
		v, vs[i] = e.read2(table().signs[signPair], v, vs[i])
		noted := len(e.notes)
		r, err := e.pair(x.Operands[i-1:i+1], v, vs[i])
		if e.trace != nil {
			a := Application{Op: "composition", Args: []Value{v, vs[i]}, Value: r}
			e.addToTrace(a.at(x.Operands[0], x.Operands[i]), noted, err)
		}
		if err != nil {
			return nil, e.fail(x, hintMatrix(err, written, []Value{v, vs[i]}))
		}
		v = r
	}
	return v, nil
}

// coordinatesAt returns the tensor of a layout of coordinates that begins at the origin.
func coordinatesAt(origin, layout Value) (v Value, ok bool, err error) {
	at, isTuple := origin.(Tuple)
	l, isLayout := layout.(Layout)
	if !isTuple || !isLayout || !l.HasBasis() {
		return nil, false, nil
	}
	v, err = tensorOf(tensor.CoordinatesAt(at.Tuple, l.Layout))
	return v, true, err
}

// pair returns a o b. b is the value of the second expression, or of the chain that begins with the second expression.
func (e *Env) pair(at []syntax.Expr, a, b Value) (Value, error) {
	c := &call{env: e, fn: table().signs[signPair], expr: at[0], at: at, args: []Value{a, b}}
	return c.read(func(c *call) (Value, error) {
		if err := fits(c.fn.Name, c.args...); err != nil {
			return nil, err
		}
		return c.dispatch()
	})
}

// isOffset reports whether v, between two operands of a chain, is the offset added before next.
func isOffset(v, next Value) bool {
	switch v.(type) {
	case Tuple, DynamicTuple:
	default:
		return false
	}
	if isNumber(v) {
		return true
	}
	switch n := next.(type) {
	case DynamicLayout:
		return n.HasAxes()
	case Layout:
		return n.HasBasis()
	case Composed:
		return n.HasBasis()
	}
	return false
}

// composedChain evaluates F o offset o ... o L from the right.
func (e *Env) composedChain(x *syntax.Compose, vs []Value) (Value, error) {
	v := vs[len(vs)-1]
	i := len(vs) - 2
	for i >= 0 {
		if err := e.inTime(x); err != nil {
			return nil, err
		}
		var offset Value = integer(0)
		if i > 0 && isOffset(vs[i], v) {
			offset = vs[i]
			i--
		} else if _, swizzle := vs[i].(Swizzle); !swizzle {
			// A layout without an offset is composed.
			noted := len(e.notes)
			r, err := e.pair(x.Operands[i:i+2], vs[i], v)
			if e.trace != nil {
				a := Application{Op: "composition", Args: []Value{vs[i], v}, Value: r}
				e.addToTrace(a.at(x.Operands[i], x), noted, err)
			}
			if err != nil {
				return nil, e.fail(x, err)
			}
			v = r
			i--
			continue
		}
		r, err := e.sign(x, signChain, nil, vs[i], offset, v)
		if e.trace != nil {
			a := Application{Op: "make_composed_layout", Args: []Value{vs[i], offset, v}, Value: r}
			e.addToTrace(a.at(x.Operands[i], x), len(e.notes), err)
		}
		if err != nil {
			return nil, e.fail(x, err)
		}
		v = r
		i--
	}
	return v, nil
}

// makeComposed returns outer o offset o inner.
func makeComposed(outer Value, offset cute.Tuple, inner Value) (Value, error) {
	if err := stageable(outer, inner); err != nil {
		return nil, err
	}
	var f cute.Outer
	switch o := outer.(type) {
	case Swizzle:
		f = o.Swizzle
	case Composed:
		f = o.Composed
	default:
		l, err := asLayout(outer)
		if err != nil {
			return nil, typeError("make_composed_layout", "the outer function", "a swizzle or a layout", outer)
		}
		f = l
	}
	var in cute.Inner
	if c, ok := inner.(Composed); ok {
		in = c.Composed
	} else {
		l, err := asLayout(inner)
		if err != nil {
			return nil, typeError("make_composed_layout", "the inner function", "a layout", inner)
		}
		in = l
	}
	c, err := cute.NewComposed(f, offset, in)
	if err != nil {
		return nil, err
	}
	return Composed{c}, nil
}

// compose returns A o B.
func (c *call) compose() (Value, error) { return composePair(c.env.stop(), c.args[0], c.args[1]) }

// composePair returns a o b. If a is a swizzle, the result is a composed layout. If a is composed, b is composed with
// its inner layout. If a is a layout and b is composed, the chain becomes longer. Otherwise b is a tiler.
func composePair(stop cute.Until, a, b Value) (Value, error) {
	if w, ok := b.(Swizzle); ok {
		switch f := a.(type) {
		case Swizzle:
			return swizzlePair(f.Swizzle, w.Swizzle)
		case Layout:
			return afterSwizzle(f, f.Layout.Composed(), w.Swizzle)
		case Composed:
			return afterSwizzle(f, f.Composed, w.Swizzle)
		}
	}
	if c, ok := b.(Composed); ok {
		return makeComposed(a, cute.Int(0), c)
	}
	switch a := a.(type) {
	case Tensor:
		by, err := asTiler(b)
		if err != nil {
			return nil, err
		}
		return tensorOf(a.Compose(by))
	case Swizzle:
		if _, ok := b.(Swizzle); ok {
			return nil, &cute.Error{
				Code: cute.CodeType, Op: "composition",
				Msg: fmt.Sprintf("%v o %v has no layout inside: a swizzle is applied to a layout", a, b),
			}
		}
		return makeComposed(a, cute.Int(0), b)
	case Composed:
		return composeFunction(a.Composed, b)
	}
	l, err := asLayout(a)
	if err != nil {
		return nil, typeError("composition", "the left operand", "a layout or a swizzle", a)
	}
	t, err := asTiler(b)
	if err != nil {
		return nil, typeError("composition", "the right operand", "a layout, a shape, a tile or _", b)
	}
	r, err := stop.CompositionBy(l, t)
	if err != nil {
		return nil, err
	}
	return Layout{r}, nil
}

// slice returns the modes of a value that the coordinate leaves open. It notes the offset of the fixed modes, which the
// result does not contain.
func (e *Env) slice(v Value, c cute.Coord) (Value, error) {
	switch f := v.(type) {
	case Xor:
		return e.sliceXor(f, c)
	case Linear, Matrix, F2, Encoding:
		return nil, &cute.Error{
			Code: cute.CodeType,
			Msg:  fmt.Sprintf("%s is not sliced: sublayout(...) leaves dimensions out", article(v.Kind())),
		}
	case Composed:
		s, err := f.Slice(c)
		if err != nil {
			return nil, err
		}
		if exact, err := f.SliceAndOffset(c); err == nil && !exact.Equal(s) {
			e.note("the slice leaves out the offset of the fixed modes; with it the function is %v", exact)
		}
		return Composed{s}, nil
	case Tensor:
		return tensorOf(f.Slice(c))
	case Tuple:
		t, err := f.Slice(c)
		return Tuple{t}, err
	case Coord:
		return nil, typeError("slice", "the operand", "a layout or a tuple", v)
	}
	l, err := asLayout(v)
	if err != nil {
		return nil, err
	}
	s, off, err := l.SliceAndOffset(c)
	if err != nil {
		return nil, err
	}
	if x, ok := off.Int64(); !ok || x != 0 {
		e.note("the slice leaves out the offset %v of the fixed modes: slice_and_offset returns both", off)
	}
	return Layout{s}, nil
}
