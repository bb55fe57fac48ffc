package eval

import (
	"fmt"
	"slices"

	"girih"
	"girih/symbolic"
	"girih/syntax"
)

// This file evaluates expressions in which run-time integers occur.

// symbol evaluates ?, ?{div=8} and K{div=8}.
func (e *Env) symbol(x *syntax.Symbol) (Value, error) {
	f := symbolic.NoFacts()
	if x.Facts.Div != 0 {
		f.Div = x.Facts.Div
	}
	f.Bits = x.Facts.Bits
	if x.Facts.HasMin {
		f.Min = x.Facts.Min
	}
	if x.Facts.HasMax {
		f.Max = x.Facts.Max
	}
	if x.Name == "" {
		s, err := e.scope.Anonymous(f)
		return e.ofSymbol(x, s, err)
	}
	if err := e.checkSymbolName(x.Name); err != nil {
		return nil, e.fail(x, err)
	}
	s, err := e.scope.Named(x.Name, f)
	return e.ofSymbol(x, s, err)
}

func (e *Env) ofSymbol(x syntax.Expr, s *symbolic.Symbol, err error) (Value, error) {
	if err != nil {
		return nil, e.fail(x, err)
	}
	return DynamicTuple{Tuple: symbolic.Number(symbolic.Of(s))}, nil
}

// checkSymbolName refuses the names of functions and of what let has bound.
func (e *Env) checkSymbolName(name string) error {
	if _, ok := Lookup(name); ok || e.vars[name] != nil {
		return &girih.Error{Code: girih.CodeName, Msg: fmt.Sprintf("%s is taken: a run-time integer needs another name", name)}
	}
	return nil
}

// statedFacts declares the symbols of a statement with the facts that are stated anywhere in it, so that (K,K{div=8}) and
// (K{div=8},K) mean the same.
func (e *Env) statedFacts(x syntax.Expr) error {
	var failed error
	syntax.Walk(x, func(n syntax.Expr) bool {
		if s, ok := n.(*syntax.Symbol); ok && s.Name != "" && failed == nil {
			_, failed = e.symbol(s)
		}
		return failed == nil
	})
	return failed
}

// scaled evaluates 8M.
func (e *Env) scaled(x *syntax.Scaled) (Value, error) {
	v, err := e.expr(x.X)
	if err != nil {
		return nil, err
	}
	r, err := e.arithmetic(syntax.OpMul, integer(x.Value), v)
	return e.result(x, r, err)
}

// along evaluates ?@0.
func (e *Env) along(x *syntax.Along) (Value, error) {
	v, err := e.expr(x.X)
	if err != nil {
		return nil, err
	}
	path := slices.Clone(x.Path)
	slices.Reverse(path) // 1@1@0 has the innermost index first
	if t, ok := v.(Tuple); ok {
		n, ok := unwrapInt(t.Tuple)
		if !ok {
			return nil, e.fail(x, typeError("", "the scale of an axis", "an integer", v))
		}
		b, err := girih.Basis(n, path...)
		return e.result(x, Tuple{b}, err)
	}
	t, err := asDynamicTuple(v)
	if err != nil {
		return nil, e.fail(x, err)
	}
	t, err = t.OnAxis(path...)
	return e.result(x, DynamicTuple{t, guardOf(v)}, err)
}

// arithmetic evaluates a op b where one of them may be dynamic.
func (e *Env) arithmetic(op syntax.Op, a, b Value) (Value, error) {
	x, okX := a.(Tuple)
	y, okY := b.(Tuple)
	if okX && okY {
		t, err := arithmetic(op, x.Tuple, y.Tuple)
		return Tuple{t}, err
	}
	s, err := asDynamicTuple(a)
	if err != nil {
		return nil, err
	}
	t, err := asDynamicTuple(b)
	if err != nil {
		return nil, err
	}
	g := guardOf(a).And(guardOf(b))
	if op == syntax.OpDiv || op == syntax.OpMod { // of integers, in any number of parentheses
		s, t = unwrapDynamic(s), unwrapDynamic(t)
	}
	p, okP := s.Int()
	q, okQ := t.Int()
	switch {
	case op == syntax.OpAdd:
		r, err := symbolic.AddTuples(s, t)
		return settled(DynamicTuple{r, g}, err)
	case op == syntax.OpSub:
		if t, err = t.Scale(symbolic.Const(-1)); err != nil {
			return nil, err
		}
		r, err := symbolic.AddTuples(s, t)
		return settled(DynamicTuple{r, g}, err)
	case op == syntax.OpMul && okQ:
		r, err := s.Scale(q)
		return settled(DynamicTuple{r, g}, err)
	case op == syntax.OpMul && okP:
		r, err := t.Scale(p)
		return settled(DynamicTuple{r, g}, err)
	case !okP || !okQ:
		return nil, &girih.Error{Code: girih.CodeType, Msg: fmt.Sprintf("%s takes integers, found %v and %v", op, a, b)}
	}
	f := symbolic.FloorDiv
	if op == syntax.OpMod {
		f = symbolic.Mod
	}
	r, h, err := f(p, q)
	return settled(DynamicTuple{symbolic.Number(r), g.And(h)}, err)
}

// unwrapDynamic returns what stands in parentheses of their own.
func unwrapDynamic(t symbolic.Tuple) symbolic.Tuple {
	for {
		if _, leaf := t.Leaf(); leaf || t.Open() {
			return t
		}
		ms := t.Modes()
		if len(ms) != 1 {
			return t
		}
		t = ms[0]
	}
}

// dynamicNest nests values in parentheses.
func dynamicNest(vs []Value) (Value, error) {
	elems := make([]symbolic.Tuple, len(vs))
	var g symbolic.Guard
	for i, v := range vs {
		var err error
		if elems[i], err = asDynamicTuple(v); err != nil {
			return nil, err
		}
		g = g.And(guardOf(v))
	}
	return DynamicTuple{symbolic.Nest(elems...), g}, nil
}

// dynamicLayout makes the layout shape:stride.
func dynamicLayout(shape, stride Value) (Value, error) {
	s, err := asDynamicTuple(shape)
	if err != nil {
		return nil, typeError("", "the shape of a layout", "an integer or a tuple", shape)
	}
	d, err := asDynamicTuple(stride)
	if err != nil {
		return nil, typeError("", "the stride of a layout", "an integer or a tuple", stride)
	}
	l, err := symbolic.New(s, d)
	if err != nil {
		return nil, err
	}
	return settled(DynamicLayout{l.If(guardOf(shape).And(guardOf(stride)))}, nil)
}

// dynamicTile makes a tuple of tilers.
func dynamicTile(vs []Value) (Value, error) {
	ts := make([]symbolic.Tiler, len(vs))
	for i, v := range vs {
		var err error
		if ts[i], err = asDynamicTiler(v); err != nil {
			return nil, err
		}
	}
	return DynamicTile{symbolic.ByMode(ts...)}, nil
}

// dynamicApply evaluates a value at a coordinate, or slices it where that has underscores.
func (e *Env) dynamicApply(fn Value, args []Value) (Value, error) {
	var at Value
	if len(args) == 1 {
		at = args[0]
	} else {
		v, err := dynamicNest(args)
		if err != nil {
			return nil, err
		}
		at = v
	}
	c, err := asDynamicTuple(at)
	if err != nil {
		return nil, typeError("", "the coordinate", "an integer, a tuple or _", at)
	}
	g := guardOf(at)
	if !c.HasOpen() {
		return dynamicEval(fn, c, g)
	}
	switch fn.(type) {
	case Tuple, DynamicTuple, Coord:
		return sliceTuple(fn, c, girih.Tuple.Slice)
	case DynamicComposed, Composed:
		d, err := asDynamicComposed(fn)
		if err != nil {
			return nil, err
		}
		s, off, err := d.Inner.Slice(c)
		if err != nil {
			return nil, err
		}
		// The offset of the fixed modes goes on inside, as in CuTe where it is not known at compile time.
		d.Inner = s.If(g)
		d.Offset, err = symbolic.AddTuples(d.Offset, off)
		return settled(d, err)
	}
	l, err := asDynamicLayout(fn)
	if err != nil {
		return nil, err
	}
	s, off, err := l.Slice(c)
	if err != nil {
		return nil, err
	}
	if off.String() != "0" {
		e.note("the slice leaves out the offset %v of the fixed modes: slice_and_offset returns both", off)
	}
	return settled(DynamicLayout{s.If(g)}, nil)
}

func dynamicEval(fn Value, c symbolic.Tuple, g symbolic.Guard) (Value, error) {
	switch f := fn.(type) {
	case Swizzle:
		x, ok := c.Int()
		if !ok {
			return nil, &girih.Error{Code: girih.CodeType, Msg: fmt.Sprintf("a swizzle is applied to an integer, found %v", c)}
		}
		y, err := symbolic.Apply(f.String(), f.At, x)
		return settled(DynamicTuple{symbolic.Number(y), g}, err)
	case DynamicComposed, Composed:
		d, err := asDynamicComposed(fn)
		if err != nil {
			return nil, err
		}
		t, h, err := d.Inner.Eval(c)
		if err != nil {
			return nil, err
		}
		if t, err = symbolic.AddTuples(d.Offset, t); err != nil {
			return nil, err
		}
		return dynamicEval(d.Outer, t, g.And(h))
	}
	l, err := asDynamicLayout(fn)
	if err != nil {
		return nil, err
	}
	t, h, err := l.Eval(c)
	return settled(DynamicTuple{t, g.And(h)}, err)
}

// asDynamicComposed lifts a composed layout of one layout inside.
func asDynamicComposed(v Value) (DynamicComposed, error) {
	switch c := v.(type) {
	case DynamicComposed:
		return c, nil
	case Composed:
		inner, err := symbolic.FromLayout(c.Composed.Layout())
		if err != nil {
			return DynamicComposed{}, err
		}
		offset, err := symbolic.FromTuple(c.Offset())
		if err != nil {
			return DynamicComposed{}, err
		}
		switch o := c.Outer().(type) {
		case girih.Swizzle:
			return DynamicComposed{Swizzle{o}, offset, inner}, nil
		case girih.Layout:
			return DynamicComposed{Layout{o}, offset, inner}, nil
		}
	}
	return DynamicComposed{}, typeError("", "the operand", "a composed layout of one outer function", v)
}

// makeDynamicComposed returns outer o offset o inner.
func makeDynamicComposed(outer, offset, inner Value) (Value, error) {
	switch outer.(type) {
	case Swizzle, Layout, DynamicLayout:
	case Tuple, DynamicTuple:
		l, err := asDynamicLayout(outer)
		if err != nil {
			return nil, err
		}
		if outer, err = settled(DynamicLayout{l}, nil); err != nil {
			return nil, err
		}
	default:
		return nil, typeError("make_composed_layout", "the outer function", "a swizzle or a layout", outer)
	}
	l, err := asDynamicLayout(inner)
	if err != nil {
		return nil, typeError("make_composed_layout", "the inner function", "a layout", inner)
	}
	off, err := asDynamicTuple(offset)
	if err != nil {
		return nil, err
	}
	return settled(DynamicComposed{outer, off, l.If(guardOf(offset).And(guardOf(outer)))}, nil)
}

// dynamicPair returns a o b.
func dynamicPair(a, b Value) (Value, error) {
	switch f := a.(type) {
	case Swizzle:
		return makeDynamicComposed(a, integer(0), b)
	case DynamicComposed, Composed:
		d, err := asDynamicComposed(f)
		if err != nil {
			return nil, err
		}
		t, err := asDynamicTiler(b)
		if err != nil {
			return nil, err
		}
		d.Inner, err = symbolic.CompositionBy(d.Inner, t)
		return settled(d, err)
	}
	l, err := asDynamicLayout(a)
	if err != nil {
		return nil, err
	}
	if _, composed := b.(DynamicComposed); composed {
		return nil, &girih.Error{Code: girih.CodeType, Op: "composition", Msg: "a layout outside a composed layout with run-time integers is not supported: compose the inner layout"}
	}
	t, err := asDynamicTiler(b)
	if err != nil {
		return nil, err
	}
	if d, ok := b.(DynamicTuple); ok && d.bare() {
		if _, err := asDynamicLayout(b); err != nil {
			return nil, err
		}
	}
	r, err := symbolic.CompositionBy(l, t)
	return settled(DynamicLayout{r}, err)
}

// at returns the values that are set, of the symbols in the scope.
func (e *Env) at() symbolic.Values {
	if len(e.set) == 0 {
		return nil
	}
	out := make(symbolic.Values)
	for name, x := range e.set {
		if s, ok := e.scope.Lookup(name); ok {
			out[s] = x
		}
	}
	return out
}

// Set gives run-time integers their values: M, or ?2 for the second one without a name in the program. The results of
// Eval are those at run time from then on.
func (e *Env) Set(values map[string]int64) { e.set = values }

// Unused returns the names that [Env.Set] gave values to and no program has had, sorted.
func (e *Env) Unused() []string {
	var names []string
	for name := range e.set {
		if _, ok := e.scope.Lookup(name); !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// runTime returns the value where some run-time integers are known.
func runTime(v Value, at symbolic.Values) (Value, error) {
	switch d := v.(type) {
	case DynamicTuple:
		g, err := d.Guard.With(at)
		if err != nil {
			return nil, err
		}
		t, err := d.Tuple.With(at)
		return settled(DynamicTuple{t, g}, err)
	case DynamicLayout:
		l, err := d.Layout.With(at)
		return settled(DynamicLayout{l}, err)
	case DynamicComposed:
		outer, err := runTime(d.Outer, at)
		if err != nil {
			return nil, err
		}
		offset, err := d.Offset.With(at)
		if err != nil {
			return nil, err
		}
		inner, err := d.Inner.With(at)
		return settled(DynamicComposed{outer, offset, inner}, err)
	case DynamicBool:
		g, err := d.Guard.With(at)
		if err != nil {
			return Bool(false), nil //nolint:nilerr // violated conditions are the truth value false
		}
		return settled(DynamicBool{g}, nil)
	case List:
		out := make(List, len(d))
		for i, x := range d {
			var err error
			if out[i], err = runTime(x, at); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}
