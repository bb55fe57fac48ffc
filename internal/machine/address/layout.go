package address

import (
	"slices"

	"girih/cute"
	"girih/symbolic"
)

// A Coord is a coordinate of expressions: one expression, or a tuple of coordinates. The zero Coord is the empty tuple.
type Coord struct {
	leaf  Expr
	modes []Coord
}

// At returns the coordinate of one expression: of a mode, or an index into several modes.
func At(x Expr) Coord { return Coord{leaf: x} }

// Nest returns the tuple of the coordinates.
func Nest(modes ...Coord) Coord { return Coord{modes: modes} }

// Expr returns the expression of the coordinate; ok is false for a tuple.
func (c Coord) Expr() (x Expr, ok bool) { return c.leaf, c.leaf.s != nil }

// Modes returns the coordinates of the tuple; nil for an expression.
func (c Coord) Modes() []Coord { return c.modes }

// String returns the coordinate as in (t/8, (t mod 8, 3)).
func (c Coord) String() string {
	if c.leaf.s != nil {
		return c.leaf.String()
	}
	text := "("
	for i, m := range c.modes {
		if i > 0 {
			text += ", "
		}
		text += m.String()
	}
	return text + ")"
}

// Layout returns the value of a layout at a coordinate that is weakly congruent to its shape: an expression, or a
// coordinate if the strides of the layout are coordinates. An index into several modes is split by their extents and
// must not be negative; the last mode is unbounded. The error is [Space.Err]: [cute.CodeNotCongruent] and
// [cute.CodeNegative], in addition to the errors of the arithmetic.
func (s *Space) Layout(l cute.Layout, at Coord) (Coord, error) {
	w := walk{s: s, basis: l.HasBasis()}
	w.addKnown(l.Shape(), l.Stride(), at)
	return w.result(), s.err
}

// ComposedAt returns the value of a composed layout at a coordinate: it evaluates the inner layout, then adds each
// offset and applies each swizzle and layout in turn. The errors are the errors of [Space.Layout].
func (s *Space) ComposedAt(c cute.Composed, at Coord) (Coord, error) {
	v, err := s.Layout(c.Layout(), at)
	if err != nil {
		return v, err
	}
	return s.Outer(c, v)
}

// Outer applies the offsets and outer functions of a composed layout to a value of its inner layout. The errors are the
// errors of [Space.Layout].
func (s *Space) Outer(c cute.Composed, v Coord) (Coord, error) {
	var err error
	var outer []cute.Outer
	var offsets []cute.Tuple
	for f, o := range c.Stages() {
		outer, offsets = append(outer, f), append(offsets, o)
	}
	for i := len(outer) - 1; i >= 0; i-- {
		v = s.addOffset(v, offsets[i])
		switch f := outer[i].(type) {
		case cute.Layout:
			if v, err = s.Layout(f, s.padZeros(v, f.Shape())); err != nil {
				return v, err
			}
		case cute.Swizzle:
			x, ok := v.Expr()
			if !ok {
				s.fail(cute.CodeNotCongruent, "a swizzle is applied to integer offsets, found %v", v)
				return v, s.err
			}
			v = At(s.Swizzle(x, f))
		}
	}
	return v, s.err
}

// addOffset returns v plus an offset, which may have fewer modes.
func (s *Space) addOffset(v Coord, by cute.Tuple) Coord {
	if k, ok := by.Int64(); ok {
		if x, leaf := v.Expr(); leaf {
			return At(s.Add(x, s.Const(k)))
		}
		if k == 0 {
			return v
		}
	}
	modes := by.Modes()
	if v.leaf.s != nil || len(modes) > len(v.modes) {
		s.fail(cute.CodeNotCongruent, "the offset %v does not fit %v", by, v)
		return v
	}
	out := slices.Clone(v.modes)
	for i, m := range modes {
		out[i] = s.addOffset(out[i], m)
	}
	return Nest(out...)
}

// padZeros returns v with zeros for the missing modes of the shape.
func (s *Space) padZeros(v Coord, shape cute.Tuple) Coord {
	modes := shape.Modes()
	if v.leaf.s != nil || shape.IsInt() || len(v.modes) >= len(modes) {
		return v
	}
	out := slices.Clone(v.modes)
	for len(out) < len(modes) {
		out = append(out, At(s.Const(0)))
	}
	return Nest(out...)
}

// Symbolic is [Space.Layout] for a layout of run-time integers; symbols gives the expression of each symbol. An index
// into several modes is split by known extents; an unknown extent is [cute.CodeUnknown]. The caller must ensure the
// guards of the layout.
func (s *Space) Symbolic(l symbolic.Layout, at Coord, symbols func(*symbolic.Symbol) Expr) (Coord, error) {
	w := walk{s: s, basis: l.HasAxes()}
	f := folder{s, symbols}
	w.addFolded([2]symbolic.Tuple{l.Shape(), l.Stride()}, at, f)
	return w.result(), s.err
}

// Fold returns a run-time integer as an expression; symbols gives the expression of each symbol. The error is
// [Space.Err]: [cute.CodeUnknown] for a division by an unknown number, and for minima and absolute values.
func (s *Space) Fold(x symbolic.Int, symbols func(*symbolic.Symbol) Expr) (Expr, error) {
	y := symbolic.Fold(x, folder{s, symbols})
	return y, s.err
}

// A folder rebuilds run-time integers as expressions.
type folder struct {
	s       *Space
	symbols func(*symbolic.Symbol) Expr
}

func (f folder) Const(x int64) Expr             { return f.s.Const(x) }
func (f folder) Symbol(s *symbolic.Symbol) Expr { return f.symbols(s) }
func (f folder) Sum(terms []Expr) Expr          { return f.s.Add(terms...) }

func (f folder) Product(factors []Expr) Expr {
	x := factors[0]
	for _, y := range factors[1:] {
		x = f.s.Mul(x, y)
	}
	return x
}

func (f folder) Apply(op symbolic.Op, args []Expr) Expr {
	if len(args) == 2 && op != symbolic.OpMin {
		n, ok := args[1].Int64()
		if !ok {
			return f.s.fail(cute.CodeUnknown, "%s of %v by %v, which is not known before the kernel runs", op, args[0], args[1])
		}
		switch op {
		case symbolic.OpCeil:
			return f.s.CeilDiv(args[0], n)
		case symbolic.OpFloor:
			return f.s.Div(args[0], n)
		case symbolic.OpMod:
			return f.s.Mod(args[0], n)
		}
	}
	return f.s.fail(cute.CodeUnknown,
		"%s of %v: an address is made of sums, products, quotients and exclusive ors", op, args)
}

// A walk visits the modes of a layout and adds up their values.
type walk struct {
	s     *Space
	sum   adder
	basis bool  // strides are coordinates
	out   Coord // the sum, if strides are coordinates
}

func (w *walk) result() Coord {
	if w.basis {
		return w.out
	}
	w.sum.s = w.s
	x := w.sum.expr()
	w.s.note(RuleLayout, x, 0)
	return At(x)
}

// add adds c·x, along the axis of the path if there is one.
func (w *walk) add(c, x Expr, path []int) {
	y := w.s.Mul(c, x)
	if path == nil {
		w.sum.s = w.s
		w.sum.add(1, y)
		return
	}
	w.out = w.s.addAt(w.out, path, y)
}

// addAt returns the coordinate with x added at a path.
func (s *Space) addAt(c Coord, path []int, x Expr) Coord {
	if len(path) == 0 {
		if c.leaf.s == nil {
			return At(x)
		}
		return At(s.Add(c.leaf, x))
	}
	out := slices.Clone(c.modes)
	for len(out) <= path[0] {
		out = append(out, At(s.Const(0)))
	}
	if m := out[path[0]]; len(path) > 1 && m.leaf.s != nil {
		out[path[0]] = Coord{}
	}
	out[path[0]] = s.addAt(out[path[0]], path[1:], x)
	return Nest(out...)
}

// addKnown adds the value of a layout of known integers.
func (w *walk) addKnown(shape, stride cute.Tuple, at Coord) {
	if w.s.err != nil {
		return
	}
	for len(at.modes) == 1 && shape.IsInt() {
		at = at.modes[0]
	}
	x, leaf := at.Expr()
	switch {
	case shape.IsInt() && leaf:
		stride.Terms(func(d int64, path []int) { w.add(w.s.Const(d), x, path) })
		return
	case shape.IsInt():
		w.s.fail(cute.CodeNotCongruent, "expected one number for a mode of extent %v, found %v", shape, at)
		return
	case leaf:
		at = w.apart(x, func(i int) Expr {
			m, _ := shape.Mode(i)
			n, err := m.Product()
			if err != nil {
				return w.s.overflow("the extent of " + m.String())
			}
			return w.s.Const(n)
		}, shape.Rank())
	}
	shapes, strides := shape.Modes(), stride.Modes()
	if len(at.modes) != len(shapes) {
		w.s.fail(cute.CodeNotCongruent, "expected %d coordinates for the shape %v, found %v", len(shapes), shape, at)
		return
	}
	for i, c := range at.modes {
		w.addKnown(shapes[i], strides[i], c)
	}
}

// addFolded adds the value of a layout of run-time integers.
func (w *walk) addFolded(l [2]symbolic.Tuple, at Coord, f folder) {
	if w.s.err != nil {
		return
	}
	_, one := l[0].Int()
	for len(at.modes) == 1 && one {
		at = at.modes[0]
	}
	x, leaf := at.Expr()
	shapes, strides := l[0].Modes(), l[1].Modes()
	switch {
	case one && leaf:
		d, _ := l[1].Leaf()
		d.Axes(func(d symbolic.Int, path []int) { w.add(symbolic.Fold(d, f), x, path) })
		return
	case one:
		w.s.fail(cute.CodeNotCongruent, "expected one number for a mode of extent %v, found %v", l[0], at)
		return
	case leaf:
		at = w.apart(x, func(i int) Expr {
			n, err := shapes[i].Product()
			if err != nil {
				return w.s.overflow("the extent of " + shapes[i].String())
			}
			return symbolic.Fold(n, f)
		}, len(shapes))
	}
	if len(at.modes) != len(shapes) {
		w.s.fail(cute.CodeNotCongruent, "expected %d coordinates for the shape %v, found %v", len(shapes), l[0], at)
		return
	}
	for i, c := range at.modes {
		w.addFolded([2]symbolic.Tuple{shapes[i], strides[i]}, c, f)
	}
}

// apart splits an index into n modes; the last one is unbounded.
func (w *walk) apart(x Expr, extent func(i int) Expr, n int) Coord {
	s := w.s
	out := make([]Coord, n)
	if lo, _ := x.Range(); n > 1 && lo < 0 {
		s.fail(cute.CodeNegative, "%v is an index into %d modes, and may be %d", x, n, lo)
		return Coord{}
	}
	for i := range out {
		if i == n-1 {
			out[i] = At(x)
			break
		}
		e, ok := extent(i).Int64()
		if _, hi := x.Range(); !ok {
			if hi == 0 {
				out[i] = At(x)
				continue
			}
			s.fail(cute.CodeUnknown, "%v is an index into modes, and the extent %v of one of them is not known", x,
				extent(i))
			return Coord{}
		}
		out[i] = At(s.Mod(x, e))
		x = s.Div(x, e)
	}
	return Nest(out...)
}
