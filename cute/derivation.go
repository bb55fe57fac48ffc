package cute

import (
	"slices"
	"strconv"
)

// This file records derivations: what the algebra's loops compare and decide before they have a result. The loops
// themselves record their steps if a caller asks, so there is no second implementation that could disagree. Some loops
// have a faster form for the common case, which records nothing; TestDerivations checks that both forms return the same
// results.

// A Derivation is an operation with the steps by which the algebra found its result; [Derive] returns one. If an
// operation consists of others, or runs mode by mode or axis by axis, its steps include derivations.
type Derivation struct {
	Op     string // CuTe's name of the operation
	At     []int  // in a derivation of one part: the path of its mode, or of its axis of A's values
	A      Layout // the left or only operand; along an axis, in units of the axis
	B      Tiler  // the right operand; nil in the derivation of a mode that has no counterpart in B and is unchanged
	Steps  []Step
	Result Layout
	OK     bool // there is a result

	// Operations on shapes (common_refinement, ceil_div, shape_div) record their operand and result here instead of in
	// A and Result. So do conversions of coordinates. The operands of a relation of shapes are From and B.
	From, To Tuple
	Holds    bool // a relation of shapes holds

	cod *codomain // the codomain of the strides in the current loop; the codomain of A may have fewer axes
}

// A Step is one step of a derivation: a rule of the algebra with the numbers that the rule was applied to. It is a
// *[Derivation], or one of these kinds:
//
//   - composition: [Radix], [Run], [Split], [Reach], [Borrow] and [Table]
//   - coalesce: [Merge]; nullspace: [Stay]
//   - complement: [Gap], [Repeat] and [Free]
//   - right_inverse: [Continue]; left_inverse: [Chain], [Negate] and [Search]
//   - divides and products: [Miss], [Pad], [Arrange], [Extend] and [Pair]; tile_to_shape: [Fill]
//   - recasts: [Rescale] and [Unit]
//   - layout_add and common_refinement: [Cuts] and [Turn]; greatest_common_domain: [Meeting]
//   - max_common_layout: [Follow]
//   - ceil_div and shape_div: [Quotient]; relations of shapes: [Match]
//   - recognize: [Round]
//   - evaluations and conversions of coordinates: [Digits]; composed layouts: [Stage]; slices: [OpenMode]
type Step interface {
	derives() // the set of kinds is closed
}

func (*Derivation) derives() {}

// A Leaf is an extent with its stride, an integer or a coordinate.
type Leaf struct {
	Extent int64
	Stride Tuple
}

// String returns the leaf as 4:2.
func (f Leaf) String() string { return strconv.FormatInt(f.Extent, 10) + ":" + f.Stride.String() }

// A caller says how an operation runs: whether it may be stopped, and whether it records its steps.
type caller struct {
	Until
	trace *trace // nil if no steps are recorded
}

// A trace records steps: it holds the derivations of the current operations, the innermost one last. A trace is
// separate from the loops that begin and end operations, so the loops' working memory can stay on the stack.
type trace struct{ under []*Derivation }

// top returns the derivation of the innermost operation.
func (t *trace) top() *Derivation { return t.under[len(t.under)-1] }

// add records a step. Callers first check that t is not nil, since making a Step allocates.
//
//go:noinline
func (t *trace) add(s Step) {
	d := t.top()
	d.Steps = append(d.Steps, s)
}

// begin begins an operation that is a step of the current one.
func (t *trace) begin(op string, a Layout, b Tiler) {
	if t != nil {
		d := &Derivation{Op: op, A: a, B: b, cod: t.top().cod}
		t.add(d)
		t.under = append(t.under, d)
	}
}

// part begins the derivation of mode i of the current operation.
func (t *trace) part(i int, a Layout, b Tiler) {
	if t != nil {
		over := t.top()
		t.begin(over.Op, a, b)
		t.top().At = append(slices.Clone(over.At), i)
	}
}

// end ends the innermost operation with its result.
func (t *trace) end(l Layout) {
	if t != nil {
		t.top().Result, t.top().OK = l, true
		t.drop()
	}
}

// drop ends the innermost operation without a result.
func (t *trace) drop() {
	if t != nil {
		t.under = t.under[:len(t.under)-1]
	}
}

// tiles records the layout n:1 that an integer tiler n means.
func (t *trace) tiles(b Layout) {
	if t != nil {
		t.top().B = b
	}
}

// over sets the codomain of the strides in the loop that begins.
func (t *trace) over(cod *codomain) *trace {
	if t != nil {
		t.top().cod = cod
	}
	return t
}

// leaf returns a leaf of the current loop.
func (t *trace) leaf(s int64, stride []int64) Leaf {
	v, cod := trimAxes(slices.Clone(stride), t.top().cod)
	return Leaf{s, Tuple{v: v, prof: ".", cod: cod}}
}
