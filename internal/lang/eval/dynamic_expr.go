package eval

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/internal/lang/syntax"
	"girih/symbolic"
)

// This file evaluates expressions with run-time integers.

// facts converts the facts in the source.
func facts(x syntax.Facts) symbolic.Facts {
	f := symbolic.NoFacts()
	if x.Div != 0 {
		f.Div = x.Div
	}
	f.Bits = x.Bits
	if x.HasMin {
		f.Min = x.Min
	}
	if x.HasMax {
		f.Max = x.Max
	}
	return f
}

// symbol evaluates ?, ?{div=8} and K{div=8}.
func (e *Env) symbol(x *syntax.Symbol) (Value, error) {
	f := facts(x.Facts)
	if x.Name == "" {
		s, err := e.unnamedSymbol(x, f)
		return e.ofSymbol(x, s, err)
	}
	if err := e.checkSymbolName(x.Name); err != nil {
		return nil, e.fail(x, err)
	}
	s, err := e.scope.Named(x.Name, f)
	return e.ofSymbol(x, s, err)
}

// unnamedSymbol returns the symbol of a ? in the source. It is the same when the expression is evaluated again.
func (e *Env) unnamedSymbol(x syntax.Expr, f symbolic.Facts) (*symbolic.Symbol, error) {
	if s, ok := e.unnamed[x]; ok {
		return s, nil
	}
	s, err := e.scope.Anonymous(f)
	if err != nil {
		return nil, err
	}
	if e.unnamed == nil {
		e.unnamed = make(map[syntax.Expr]*symbolic.Symbol)
	}
	e.unnamed[x] = s
	return s, nil
}

// ofSymbol returns a symbol as a value, or the number that is set for the symbol.
func (e *Env) ofSymbol(x syntax.Expr, s *symbolic.Symbol, err error) (Value, error) {
	if err != nil {
		return nil, e.fail(x, err)
	}
	if n, ok := e.known[s]; ok {
		if err := s.Admits(n); err != nil {
			return nil, e.fail(x, err)
		}
		return integer(n), nil
	}
	return DynamicTuple{Tuple: symbolic.Number(symbolic.Of(s))}, nil
}

// checkSymbolName refuses the names of functions and names bound by let.
func (e *Env) checkSymbolName(name string) error {
	if IsReserved(name) || e.vars[name] != nil {
		return &cute.Error{Code: cute.CodeName, Msg: fmt.Sprintf("%s is taken: a run-time integer needs another name", name)}
	}
	return nil
}

// statedFacts declares the symbols of a statement with all facts stated in it. So facts hold in the whole statement,
// wherever they are written: (K,K{div=8}), (K{div=8},K) and (K{div=8},K{>=8}).
func (e *Env) statedFacts(x syntax.Expr) error {
	var failed error
	all := map[string]symbolic.Facts{}
	syntax.Walk(x, func(n syntax.Expr) bool {
		s, ok := n.(*syntax.Symbol)
		if !ok || s.Name == "" || failed != nil {
			return failed == nil
		}
		f := facts(s.Facts)
		if before, ok := all[s.Name]; ok {
			both, err := before.And(f)
			if err != nil {
				failed = e.fail(s, &cute.Error{
					Code: cute.CodeFact,
					Msg:  fmt.Sprintf("%s%s contradicts %s%s", s.Name, f, s.Name, before),
				})
				return false
			}
			f = both
		}
		if failed = e.checkSymbolName(s.Name); failed != nil {
			failed = e.fail(s, failed)
			return false
		}
		all[s.Name] = f
		return true
	})
	if failed != nil {
		return failed
	}
	syntax.Walk(x, func(n syntax.Expr) bool {
		if s, ok := n.(*syntax.Symbol); ok && s.Name != "" && failed == nil {
			if _, err := e.scope.Named(s.Name, all[s.Name]); err != nil {
				failed = e.fail(s, err)
			}
		}
		return failed == nil
	})
	return failed
}

// product evaluates 8M.
func (e *Env) product(x *syntax.Scaled) (Value, error) {
	v, err := e.expr(x.X)
	if err != nil {
		return nil, err
	}
	switch v.(type) {
	case Tuple, DynamicTuple, F2:
	default:
		return nil, e.fail(x, typeError("", "the operand", "an integer or a tuple", v))
	}
	r, err := e.sign(x, syntax.OpMul.String(), nil, integer(x.Value), v)
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
		b, err := cute.Basis(n, path...)
		return e.result(x, Tuple{b}, err)
	}
	t, err := asDynamicTuple(v)
	if err != nil {
		return nil, e.fail(x, err)
	}
	if n, ok := unwrapDynamic(t); ok {
		t = symbolic.Number(n)
	}
	t, err = t.OnAxis(path...)
	return e.result(x, DynamicTuple{t, guardOf(v)}, err)
}

// unwrapDynamic returns the integer inside any number of parentheses: [unwrapInt] for run-time integers.
func unwrapDynamic(t symbolic.Tuple) (symbolic.Int, bool) {
	for {
		if _, leaf := t.Leaf(); leaf || t.Open() || len(t.Modes()) != 1 {
			return t.Int()
		}
		t = t.Modes()[0]
	}
}

// dynamicNest makes a tuple of values.
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
func (c *call) dynamicLayout() (Value, error) { return dynamicLayout(c.args[0], c.args[1]) }

func dynamicLayout(shape, stride Value) (Value, error) {
	s, err := asDynamicTuple(shape)
	if err != nil {
		return nil, typeError("", "the shape of a layout", "an integer or a tuple", shape)
	}
	d, err := asDynamicTuple(stride)
	if err != nil {
		return nil, typeError("", "the stride of a layout", "an integer or a tuple", stride)
	}
	if s.String() == "x" && d.String() == "x" {
		return nil, &cute.Error{Code: cute.CodeType, Msg: "x:x is what the CuTe DSL returns where it has no answer, and no layout"}
	}
	l, err := symbolic.New(s, d)
	if err != nil {
		return nil, err
	}
	return simplify(DynamicLayout{l.If(guardOf(shape).And(guardOf(stride)))}, nil)
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

// dynamicApply applies argument 0 to the coordinate that the other arguments form.
func (c *call) dynamicApply() (Value, error) {
	at, err := c.coordinates()
	if err != nil {
		return nil, err
	}
	return c.env.dynamicApply(c.args[0], at)
}

// dynamicApply evaluates a value at a coordinate, or slices it if the coordinate has underscores.
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
		return sliceTuple(fn, c, cute.Tuple.Slice)
	case DynamicComposed, Composed:
		d, err := asDynamicComposed(fn)
		if err != nil {
			return nil, err
		}
		s, off, err := d.Inner.Slice(c)
		if err != nil {
			return nil, err
		}
		// The offset of the fixed modes is added inside the function, as in CuTe for offsets not known at compile time.
		d.Inner = s.If(g)
		d, err = d.shift(off)
		return simplify(d, err)
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
	return simplify(DynamicLayout{s.If(g)}, nil)
}

func dynamicEval(fn Value, c symbolic.Tuple, g symbolic.Guard) (Value, error) {
	switch f := fn.(type) {
	case Swizzle:
		x, ok := c.Int()
		if !ok {
			return nil, &cute.Error{Code: cute.CodeType, Msg: fmt.Sprintf("a swizzle is applied to an integer, found %v", c)}
		}
		y, h, err := symbolic.Apply(f.String(), f.At, x)
		return simplify(DynamicTuple{symbolic.Number(y), g.And(h)}, err)
	case DynamicComposed, Composed:
		d, err := asDynamicComposed(fn)
		if err != nil {
			return nil, err
		}
		t, h, err := d.Inner.Eval(c)
		if err != nil {
			return nil, err
		}
		v, err := simplify(DynamicTuple{t, g.And(h)}, nil)
		for _, s := range slices.Backward(d.Stages) {
			if err != nil {
				return nil, err
			}
			x, errX := asDynamicTuple(v)
			if errX != nil {
				return nil, errX
			}
			if x, err = symbolic.AddTuples(s.Offset, x); err == nil {
				v, err = dynamicEval(s.Outer, x, guardOf(v))
			}
		}
		return v, err
	}
	l, err := asDynamicLayout(fn)
	if err != nil {
		return nil, err
	}
	t, h, err := l.Eval(c)
	return simplify(DynamicTuple{t, g.And(h)}, err)
}

// dynamicCompose returns A o B.
func (c *call) dynamicCompose() (Value, error) { return dynamicPair(c.args[0], c.args[1]) }

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
		return simplify(d, err)
	}
	l, err := asDynamicLayout(a)
	if err != nil {
		return nil, err
	}
	switch b.(type) {
	case Composed, DynamicComposed:
		return makeDynamicComposed(a, integer(0), b)
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
	return simplify(DynamicLayout{r}, err)
}
