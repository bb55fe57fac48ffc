package cute

import (
	"fmt"
	"iter"

	"girih/internal/ints"
)

// A Swizzle permutes offsets by an exclusive or of B bits: the bits M+|S|..M+|S|+B-1 of the offset are added, without
// carry, to the bits M..M+B-1 (for S < 0 in the opposite direction). The bits count in the unit of the offsets:
// elements in a layout, bytes in CuTe's smem_ptr prints (include/cute/swizzle.hpp). The zero Swizzle is the identity.
type Swizzle struct{ b, m, s int }

// NewSwizzle returns Sw<b,m,s>. It returns [CodeSwizzle] unless b ≥ 0, m ≥ 0, |s| ≥ b and all bits are below bit 63.
func NewSwizzle(b, m, s int) (Swizzle, error) {
	dist := max(s, -s)
	if b < 0 || m < 0 || b > 62 || m > 62 || dist > 62 || dist < b || m+dist+b > 63 {
		return Swizzle{}, errorf(CodeSwizzle, "make_swizzle",
			"expected B >= 0, M >= 0, |S| >= B and M+|S|+B <= 63, found Sw<%d,%d,%d>", b, m, s)
	}
	return Swizzle{b, m, s}, nil
}

// B returns the number of bits that change; each has another bit added.
func (w Swizzle) B() int { return w.b }

// M returns the number of low bits that are neither read nor changed.
func (w Swizzle) M() int { return w.m }

// S returns the distance, in bits, from the changed bits up to the added bits. S is negative if the added bits are the
// lower ones.
func (w Swizzle) S() int { return w.s }

// At returns the swizzled offset. It returns [CodeNegative] for a negative offset, whose bits CuTe does not define.
func (w Swizzle) At(x int64) (int64, error) {
	if x < 0 {
		return 0, errorf(CodeNegative, "swizzle", "a swizzle is applied to offsets of at least 0, found %d", x)
	}
	return x ^ w.xorBits(x), nil
}

// xorBits returns the bits of x that the swizzle reads, shifted to the places where they are added.
func (w Swizzle) xorBits(x int64) int64 {
	mask := int64(1)<<w.b - 1
	if w.s >= 0 {
		return x & (mask << (w.m + w.s)) >> w.s
	}
	return x & (mask << w.m) << -w.s
}

// apply swizzles every number of the table. It reports whether no number is negative; otherwise the table is left
// half-swizzled.
func (w Swizzle) apply(table []int64) bool {
	up, down := max(w.s, 0), max(-w.s, 0)
	mask := (int64(1)<<w.b - 1) << (w.m + up)
	sign := int64(0)
	for i, x := range table {
		sign |= x
		table[i] = x ^ (x & mask >> up << down)
	}
	return sign >= 0
}

// String returns the canonical text "Sw<3,4,3>".
//
//go:noinline
func (w Swizzle) String() string { return fmt.Sprintf("Sw<%d,%d,%d>", w.b, w.m, w.s) }

// A Composed is a function F o offset o L (CuTe's ComposedLayout): it evaluates the layout L at the coordinate, adds
// the offset and applies F, a [Swizzle], a [Layout] or another such chain. Operations on the domain, such as divides,
// act on the inner layout alone: see [Composed.Map]. The zero Composed is the layout ():().
type Composed struct{ c *chain } // nil is the layout ():()

// A chain never changes, so copies of a Composed share it and are one word.
type chain struct {
	stages []stage // outermost first
	inner  Layout
	stop   Until // see Composed.Until
}

var emptyChain chain

func composedOf(stages []stage, inner Layout, stop Until) Composed {
	return Composed{&chain{stages, inner, stop}}
}

func (c Composed) chain() *chain {
	if c.c == nil {
		return &emptyChain
	}
	return c.c
}

func (c Composed) stages() []stage { return c.chain().stages }
func (c Composed) inner() Layout   { return c.chain().inner }
func (c Composed) stop() Until     { return c.chain().stop }

// A stage adds the offset and applies a function.
type stage struct {
	outer  Outer
	offset Tuple
}

// An Outer is what a Composed applies last: a [Swizzle], a [Layout], or a [Composed] chain of them.
type Outer interface {
	String() string
	isOuter() // the set of kinds is closed
}

func (Swizzle) isOuter() {}

func (Layout) isOuter() {}

func (Composed) isOuter() {}

// An Inner is what a Composed applies first: a [Layout] or a [Composed].
type Inner interface {
	String() string
	isInner() // the set of kinds is closed
}

func (Layout) isInner() {}

func (Composed) isInner() {}

// NewComposed returns outer o offset o inner. The offset is an integer, or a coordinate tuple if inner produces
// coordinates. It returns [CodeNotCongruent] if outer does not accept the values of inner and offset, [CodeType] if a
// part is missing, and the errors of [Composed.Eval] at coordinate 0.
func NewComposed(outer Outer, offset Tuple, inner Inner) (Composed, error) {
	of := new(chain)
	switch in := inner.(type) {
	case Layout:
		of.inner = in
	case Composed:
		*of = *in.chain()
	default:
		return Composed{}, &Error{Code: CodeType, Op: "make_composed_layout", Msg: "expected a layout inside"}
	}
	c := Composed{of}
	if basis := c.HasBasis(); basis == offset.IsInt() && !(basis && offset.Equal(Int(0))) {
		want := "an integer"
		if basis {
			want = "a coordinate"
		}
		return Composed{}, errorf(CodeNotCongruent, "make_composed_layout",
			"expected %s as offset to what %v produces, found %v", want, inner, offset)
	}
	var front []stage
	switch out := outer.(type) {
	case Swizzle, Layout:
		front = []stage{{outer, offset}}
	case Composed:
		// out is F o p o K with a layout K, so out o offset o inner is F o p o (K o offset o inner).
		front = append(front, out.stages()...)
		front = append(front, stage{out.inner(), offset})
		if of.stop == nil {
			of.stop = out.stop()
		}
	default:
		return Composed{}, &Error{Code: CodeType, Op: "make_composed_layout", Msg: "expected a swizzle or a layout outside"}
	}
	of.stages = append(front, of.stages...)
	if _, err := c.Eval(zeroLike(c.inner().Shape())); err != nil {
		return Composed{}, err
	}
	return c, nil
}

// Layout returns the inner layout, which takes the coordinates.
func (c Composed) Layout() Layout { return c.inner() }

// Offset returns the offset that is added before the outermost function.
func (c Composed) Offset() Tuple {
	if len(c.stages()) == 0 {
		return Int(0)
	}
	return c.stages()[0].offset
}

// Outer returns the outermost function, or nil if there is none.
func (c Composed) Outer() Outer {
	if len(c.stages()) == 0 {
		return nil
	}
	return c.stages()[0].outer
}

// Stages returns the functions outside the inner layout, outermost first: each a [Swizzle] or a [Layout], with the
// offset that is added before it.
func (c Composed) Stages() iter.Seq2[Outer, Tuple] {
	return func(yield func(Outer, Tuple) bool) {
		for _, s := range c.stages() {
			if !yield(s.outer, s.offset) {
				return
			}
		}
	}
}

// Shape returns the shape of the inner layout.
//
//go:noinline
func (c Composed) Shape() Tuple { return c.inner().Shape() }

// Size returns the number of coordinates.
//
//go:noinline
func (c Composed) Size() int64 { return c.inner().Size() }

// HasBasis reports whether the values are coordinates.
//
//go:noinline
func (c Composed) HasBasis() bool {
	if len(c.stages()) == 0 {
		return c.inner().HasBasis()
	}
	l, ok := c.stages()[0].outer.(Layout)
	return ok && l.HasBasis()
}

// Rank returns the rank of the inner layout.
func (c Composed) Rank() int { return c.inner().Rank() }

// Eval returns the value at the coordinate x of the inner layout's shape.
// It returns the errors of [Layout.Eval] and [Swizzle.At].
func (c Composed) Eval(x Tuple) (Tuple, error) { return c.eval(x, nil) }

func (c Composed) eval(x Tuple, t *trace) (Tuple, error) {
	v, err := c.inner().evalStep(x, t)
	if err != nil {
		return Tuple{}, err
	}
	for i := len(c.stages()) - 1; i >= 0; i-- {
		s, from := c.stages()[i], v
		if v, err = v.Add(s.offset); err != nil {
			return Tuple{}, err
		}
		if t != nil {
			t.stage(Stage{Outer: s.outer, From: from, Offset: s.offset, To: v})
		}
		switch f := s.outer.(type) {
		case Layout:
			v, err = f.evalStep(padCoord(v, f.Shape()), t)
		case Swizzle:
			y, ok := v.Int64()
			if !ok {
				return Tuple{}, errorf(CodeNotCongruent, "swizzle", "a swizzle is applied to integer offsets, found %v", v)
			}
			y, err = f.At(y)
			v = Int(y)
		}
		if err != nil {
			return Tuple{}, err
		}
	}
	return v, nil
}

// padCoord adds zeros, at every level, for the modes of the shape that the coordinate v leaves out: a codomain's
// coordinates end at the last axis in use.
func padCoord(v, shape Tuple) Tuple {
	if v.prof == "." || shape.prof == "." || v.Rank() > shape.Rank() {
		return v
	}
	vs, ss := v.Modes(), shape.Modes()
	for i, s := range ss {
		if i < len(vs) {
			vs[i] = padCoord(vs[i], s)
			continue
		}
		vs = append(vs, Int(0))
	}
	p, err := MakeTuple(vs...)
	if err != nil {
		return v
	}
	return p
}

// Map applies an operation on the domain, such as a divide or a coalesce, to the inner layout and keeps the
// rest: F o offset o f(L). It returns the errors of f.
//
//go:noinline
func (c Composed) Map(f func(Layout) (Layout, error)) (Composed, error) {
	l, err := f(c.inner())
	if err != nil {
		return Composed{}, err
	}
	return composedOf(c.stages(), l, c.stop()), nil
}

// identityShape returns a shape whose identity layout maps the values of l to themselves.
func identityShape(l Layout) Tuple {
	if l.cod == nil {
		return Int(1)
	}
	one := make([]int64, profileLeaves(l.cod.prof))
	for i := range one {
		one[i] = 1
	}
	return Tuple{v: one, prof: l.cod.prof}
}

// Equal reports whether c and d are the same chain, part by part.
func (c Composed) Equal(d Composed) bool {
	if len(c.stages()) != len(d.stages()) || !c.inner().Equal(d.inner()) {
		return false
	}
	for i := range c.stages() {
		if c.stages()[i].outer.String() != d.stages()[i].outer.String() || !c.stages()[i].offset.Equal(d.stages()[i].offset) {
			return false
		}
	}
	return true
}

// AppendOffsets appends the values at all coordinates in colexicographic order. It evaluates a whole chain fast: a few
// nanoseconds an element for a swizzle. It returns [CodeLimit] above [EnumLimit] elements, [CodeCodomain] if the values
// are coordinates, and the errors of [Composed.Eval].
func (c Composed) AppendOffsets(dst []int64) ([]int64, error) {
	if c.HasBasis() {
		return dst, errorf(CodeCodomain, "offsets", "the values of %v are coordinates", c)
	}
	if err := checkEnum("offsets", c.Size(), c); err != nil {
		return dst, err
	}
	if !c.integersInside() {
		return c.appendEvaluated(dst)
	}
	at := len(dst)
	out, err := c.inner().appendOffsets(dst, c.stop())
	if err != nil {
		return dst, err
	}
	table := out[at:]
	for i := len(c.stages()) - 1; i >= 0; i-- {
		ok, err := c.stages()[i].apply(table, c.stop())
		if err != nil {
			return dst, err
		}
		if !ok {
			return c.appendEvaluated(dst)
		}
	}
	return out, nil
}

// integersInside reports whether no stage takes coordinates.
func (c Composed) integersInside() bool {
	if c.inner().HasBasis() {
		return false
	}
	for _, s := range c.stages() {
		if l, ok := s.outer.(Layout); ok && l.HasBasis() {
			return false
		}
	}
	return true
}

// apply applies the stage to every number of the table. It reports whether all numbers have a value; otherwise the
// table is left half-changed.
func (s stage) apply(table []int64, stop Until) (ok bool, err error) {
	offset, ok := s.offset.Int64()
	if !ok {
		return false, nil
	}
	return stop.blocks(table, func(some []int64) bool {
		for i, x := range some {
			if some[i], ok = ints.Add(x, offset); !ok {
				return false
			}
		}
		switch f := s.outer.(type) {
		case Swizzle:
			return f.apply(some)
		case Layout:
			for i, x := range some {
				y, err := f.At(x)
				if err != nil {
					return false // a number without a value
				}
				some[i] = y
			}
			return true
		}
		return false
	})
}

// appendEvaluated appends the values one by one, so it returns the error of the first coordinate that fails.
func (c Composed) appendEvaluated(dst []int64) ([]int64, error) {
	for i := range c.Size() {
		if err := c.stop().at(i); err != nil {
			return dst, err
		}
		v, err := c.Eval(Int(i))
		if err != nil {
			return dst, err
		}
		x, ok := v.Int64()
		if !ok {
			return dst, errorf(CodeCodomain, "offsets", "the values of %v are coordinates", c)
		}
		dst = append(dst, x)
	}
	return dst, nil
}

// String returns the canonical text, such as "Sw<3,4,3> o 0 o (8,64):(64,1)".
func (c Composed) String() string {
	var b []byte
	for _, s := range c.stages() {
		b = append(b, s.outer.String()...)
		b = append(b, " o "...)
		b = s.offset.Append(b)
		b = append(b, " o "...)
	}
	return string(c.inner().Append(b))
}

// A Stage is one function outside of the inner layout, a [Swizzle] or a [Layout]. The function is applied to To, which
// is From plus the Offset. After a layout, the derivation of its value follows; a swizzle adds Moved, without carry.
type Stage struct {
	Outer            Outer
	From, Offset, To Tuple
	Moved            int64
}

func (Stage) derives() {}

// stage records a function that is applied to the value so far.
func (t *trace) stage(s Stage) {
	if w, ok := s.Outer.(Swizzle); ok {
		x, _ := s.To.Int64()
		s.Moved = w.xorBits(x)
	}
	t.add(s)
}

// The following methods let a caller end operations early: looking at [EnumLimit] values may take a second.

// Until returns c with the function stop: operations that look at every value call it once in some thousand values. If
// stop returns an error, the operation stops and returns that error; a nil stop never ends operations. Results of
// operations on c keep the function too. To stop operations on a layout, use its [Layout.Composed], or, if the result
// must be a layout, the methods of [Until].
func (c Composed) Until(stop func() error) Composed {
	return composedOf(c.stages(), c.inner(), stop)
}

// Stopped calls the function of [Composed.Until], for callers that look at every value of c themselves. It returns only
// the error of that function, of any type, and no code of its own.
func (c Composed) Stopped() error { return c.stop().ask() }
