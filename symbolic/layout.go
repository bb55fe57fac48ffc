package symbolic

import (
	"fmt"
	"slices"

	"girih/cute"
)

// A Layout is a shape and a stride of the same nesting, and the guard under which it is the result of its operation.
type Layout struct{ c *contents } // nil is the layout ():()

// The contents of a layout never change, so layouts share them: a copy of a layout is one word.
type contents struct {
	shape, stride Tuple
	guard         Guard
	composed      bool // with known steps: a stride times a step is printed with its divisor, as the CuTe DSL does
	computed      bool // for known integers, modes of extent 1 would be dropped, with their strides beyond the size
	// Where these conditions hold, known integers give the same function on the whole domain. Elsewhere known integers
	// give a different, equally right answer, so operations on the layout depend on when numbers are substituted.
	unique Guard
}

var noContents contents

func (l Layout) contents() *contents {
	if l.c == nil {
		return &noContents
	}
	return l.c
}

// with returns l with changed contents.
func (l Layout) with(change func(c *contents)) Layout {
	c := *l.contents()
	change(&c)
	return Layout{&c}
}

func layoutOf(shape, stride Tuple) Layout { return Layout{&contents{shape: shape, stride: stride}} }

// New returns the layout shape:stride. A symbol as an extent is at least 1 from then on; any other expression as an
// extent becomes a condition of the guard. It returns [cute.CodeNotCongruent], [cute.CodeExtent], and
// [cute.CodeCodomain] if strides mix integers with coordinates.
func New(shape, stride Tuple) (Layout, error) {
	l := layoutOf(shape, stride)
	if shape.HasOpen() || stride.HasOpen() {
		return l, &cute.Error{
			Code: cute.CodeType, Msg: fmt.Sprintf("a layout has no underscores, found %s:%s", shape, stride),
		}
	}
	if !congruent(shape, stride) {
		return l, &cute.Error{
			Code: cute.CodeNotCongruent,
			Msg:  fmt.Sprintf("shape and stride need the same nesting, found %s and %s", shape, stride),
		}
	}
	for _, v := range shape.leaves() {
		x, ok := v.Int()
		if !ok {
			return l, &cute.Error{Code: cute.CodeExtent, Msg: fmt.Sprintf("an extent is an integer, found %s", v)}
		}
		if err := l.c.extent(x); err != nil {
			return l, err
		}
	}
	integers, axes := false, false
	for _, v := range stride.leaves() {
		for _, p := range v.parts {
			integers = integers || p.axis == ""
			axes = axes || p.axis != ""
		}
	}
	if integers && axes {
		return l, &cute.Error{
			Code: cute.CodeCodomain, Msg: fmt.Sprintf("strides are integers, or all along axes, found %s", stride),
		}
	}
	return l, nil
}

// extent makes sure that x is at least 1.
func (c *contents) extent(x Int) error {
	switch atMost(Const(1), x) {
	case yes:
		return nil
	case no:
		return &cute.Error{
			Code: cute.CodeExtent, Msg: fmt.Sprintf("an extent is at least 1, found %s", x),
			Hint: "a layout has at least one element, as CuTe's shapes are positive: handle what is empty before there is a layout of it",
		}
	}
	if a, ok := lone(Int{terms: slices.Clone(x.terms)}.unit(), opSymbol); ok && x.k == 0 && x.terms[0].c > 0 {
		a.sym.facts.Min = max(a.sym.facts.Min, 1)
		return nil
	}
	c.guard = c.guard.with(atMostIf(Const(1), x).of(strict))
	return nil
}

// unit returns a single term with the coefficient 1.
func (x Int) unit() Int {
	if len(x.terms) == 1 {
		x.terms[0].c = 1
	}
	return x
}

// FromLayout returns the layout of known integers.
func FromLayout(l cute.Layout) Layout {
	return layoutOf(FromTuple(l.Shape()), FromTuple(l.Stride()))
}

// ToLayout returns l as a layout of known integers. It returns [cute.CodeUnknown] if an integer is not known.
func (l Layout) ToLayout() (cute.Layout, error) {
	shape, err := l.Shape().ToTuple()
	if err != nil {
		return cute.Layout{}, err
	}
	stride, err := l.Stride().ToTuple()
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(shape, stride)
}

// Shape returns the extents.
func (l Layout) Shape() Tuple { return l.contents().shape }

// Stride returns the strides.
func (l Layout) Stride() Tuple { return l.contents().stride }

// Guard returns the conditions under which l is the result of its operation.
func (l Layout) Guard() Guard { return l.contents().guard }

// Static reports whether every integer in l is known.
func (l Layout) Static() bool { return l.Shape().Static() && l.Stride().Static() }

// String returns the layout, as (M,(?,2)):(1,(?,8M)). A stride without a name is printed as CuTe's compiler prints it,
// with the stated divisors. In a composition with a known layout, a stride is printed as the CuTe DSL prints it: the
// DSL knows that 3 divides three steps of ?.
func (l Layout) String() string {
	stride := l.Stride()
	if l.contents().composed {
		stride = stride.hide(Int.anonymous)
	}
	return l.Shape().String() + ":" + stride.String()
}

// Modes returns the top-level modes; an integer shape is one mode.
//
//go:noinline
func (l Layout) Modes() []Layout {
	s, d := l.Shape().Modes(), l.Stride().Modes()
	out, modes := make([]Layout, len(s)), make([]contents, len(s))
	for i := range s {
		modes[i] = contents{shape: s[i], stride: d[i], computed: l.contents().computed}
		out[i] = Layout{&modes[i]}
	}
	return out
}

// At returns the layout where the symbols have the given values: its run-time view. It returns [cute.CodeFact] if its
// guard does not hold there, [cute.CodeUnknown] if a symbol has no value, and the errors of [Int.At].
func (l Layout) At(at Values) (cute.Layout, error) {
	ok, err := l.Guard().Holds(at)
	if err != nil {
		return cute.Layout{}, err
	}
	if !ok {
		return cute.Layout{}, guardError(l.Guard())
	}
	shape, err := l.Shape().At(at)
	if err != nil {
		return cute.Layout{}, err
	}
	stride, err := l.Stride().At(at)
	if err != nil {
		return cute.Layout{}, err
	}
	return cute.New(shape, stride)
}

func guardError(g Guard) error {
	return &cute.Error{
		Code: cute.CodeFact,
		Msg:  fmt.Sprintf("the result is valid only if %s, which these values violate", g),
		Hint: "evaluate the expression with the values in the place of the symbols",
	}
}

// At returns the tuple where the symbols have the given values. It returns the errors of [Int.At].
func (t Tuple) At(at Values) (cute.Tuple, error) {
	var err error
	known := t.mapLeaves(func(v Vector) Vector {
		out := Vector{make([]component, 0, len(v.parts))}
		for _, p := range v.parts {
			x, e := p.x.At(at)
			if e != nil && err == nil {
				err = e
			}
			if x != 0 {
				out.parts = append(out.parts, component{p.axis, Const(x)})
			}
		}
		return out
	})
	if err != nil {
		return cute.Tuple{}, err
	}
	return known.ToTuple()
}

// An operation computes one result: its arithmetic, and the guard of the result.
type operation struct {
	calc
	op     string
	guard  Guard
	whole  bool  // a complement must cover its cotarget exactly
	byMode bool  // a complement rounds the cotarget up mode by mode, as CuTe does
	always bool  // the refusal holds for all values of the symbols
	moves  bool  // the result has the modes of the operands as they are
	inner  bool  // an operand is computed
	unique Guard // the uniqueness guard of the result
}

// begin starts an operation whose result depends on the guards of its operands.
func begin(op string, operands ...Layout) *operation {
	w := &operation{op: op}
	w.moves = op == "" || op == "make_layout" || op == "make_ordered_layout" || op == "slice"
	for _, l := range operands {
		a := l.contents()
		w.inner = w.inner || a.computed
		if w.moves {
			w.unique = w.unique.And(a.unique)
		} else {
			w.guard = w.guard.And(a.unique)
		}
		for _, c := range a.guard.Inherited() {
			w.guard = w.guard.with(c)
		}
	}
	return w
}

// end returns the result, whose guard omits conditions that always hold.
func (w *operation) end(l Layout) (Layout, error) {
	if w.err != nil {
		return Layout{}, w.refusal()
	}
	if w.op != "composition" {
		// If a composition within an operation is wrong, the result of the operation may still be right.
		w.guard = w.guard.Inherited()
	}
	g, ok := w.guard.simplify()
	if ok {
		return l.with(func(c *contents) {
			c.guard, c.computed, c.unique = g, !w.moves || w.inner, w.unique
		}), nil
	}
	for _, c := range w.guard {
		if c.strength == strict && c.decide() == no {
			return Layout{}, &cute.Error{
				Code: cute.CodeNotRepresentable, Op: w.op,
				Msg: fmt.Sprintf("no value of the symbols satisfies %s, without which there is no answer", Guard{c}),
			}
		}
	}
	why := ""
	if g := w.impossible(); len(g) > 0 {
		why = fmt.Sprintf(": the form would need %s, which never holds", g)
	}
	w.refuse("no form of the answer is known that is right for some values of the run-time integers%s", why)
	return Layout{}, w.err
}

// impossible returns the conditions on symbols that never hold.
func (w *operation) impossible() Guard {
	return slices.DeleteFunc(slices.Clone(w.guard), func(c Condition) bool {
		return c.decide() != no || c.a.static() && c.b.static()
	})
}

// refusal returns the error of the operation. The error was found for values at which no extent is 1 and no stride
// continues another. For other values it is not known whether a result exists, unless the operation has said so.
func (w *operation) refusal() error {
	e, ok := w.err.(*cute.Error)
	if !ok {
		return w.err
	}
	if e.Op == "" {
		e.Op = w.op
	}
	switch e.Code {
	case cute.CodeNotRepresentable, cute.CodeNotComplementable, cute.CodeNotDivisible, cute.CodeNotInvertible,
		cute.CodeNotInjective, cute.CodeNegative:
		if !w.always {
			msg := "in general there is no answer, and whether there is one for some values of the run-time integers is not known"
			if e.Msg != "" {
				msg += ": " + e.Msg
			}
			return &cute.Error{Code: cute.CodeUnknown, Op: w.op, Msg: msg, Hint: missingFacts}
		}
	}
	return e
}

// never refuses, for all values of the symbols.
func (w *operation) never(e *cute.Error) {
	if w.err == nil {
		w.always = true
	}
	w.fail(e)
}

// require adds a condition of the result, unless it is known to hold. The condition is sufficient unless another
// strength is given.
func (w *operation) require(c Condition) {
	if c.decide() != yes {
		w.guard = w.guard.with(c)
	}
}

// refuse returns the error for a missing fact.
func (w *operation) refuse(format string, args ...any) {
	w.fail(&cute.Error{
		Code: cute.CodeUnknown, Op: w.op, Msg: fmt.Sprintf(format, args...),
		Hint: missingFacts,
	})
}

const missingFacts = "state facts, as in K{div=8} or N{>=1,<=4096}, or give the name a value: let K = 64; in front"

// A mode is a leaf of a layout.
type mode struct {
	s Int
	d Vector
}

func (l Layout) modes() []mode {
	s, d := l.Shape().leaves(), l.Stride().leaves()
	out := make([]mode, len(s))
	for i := range s {
		x, _ := s[i].Int()
		out[i] = mode{x, d[i]}
	}
	return out
}

// group returns the modes as a tuple, one mode as a leaf.
func group(ms []mode) Layout {
	if len(ms) == 1 {
		return layoutOf(Number(ms[0].s), Leaf(ms[0].d))
	}
	shape, stride := make([]Tuple, len(ms)), make([]Tuple, len(ms))
	for i, m := range ms {
		shape[i], stride[i] = Number(m.s), Leaf(m.d)
	}
	return layoutOf(Nest(shape...), Nest(stride...))
}

// nest returns the layout with the given modes.
//
//go:noinline
func nest(ls ...Layout) Layout {
	shape, stride := make([]Tuple, len(ls)), make([]Tuple, len(ls))
	var out contents
	for i, l := range ls {
		out.computed = l.contents().computed // only the last mode has a stride beyond the size
		shape[i], stride[i] = l.Shape(), l.Stride()
	}
	out.shape, out.stride = Nest(shape...), Nest(stride...)
	return Layout{&out}
}

// unit is the mode 1:0.
var unit = mode{s: Const(1)}
