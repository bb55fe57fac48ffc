package cute

import (
	"slices"
	"strconv"
)

// This file holds derivations: what the loops of the algebra compare and decide on their way to a result, taken down
// for who asks. There is no second algebra for that. Where a loop has a faster form for the common case, which says
// nothing, TestDerivations holds the two to the same results.

// A Derivation is an operation with the steps by which the algebra comes to its result: [Derive] returns one. An
// operation that is made of others, or done mode by mode or axis by axis, has their derivations among its steps.
type Derivation struct {
	Op     string // CuTe's name of the operation
	At     []int  // of a part: the path of the mode, or of the axis of A's values, that it is done for
	A      Layout // the left operand, or the only one; along an axis, in units of the axis
	B      Tiler  // the right one; in a part of an operation by mode nil if B has nothing for the mode, which then stays
	Steps  []Step
	Result Layout
	OK     bool // there is a result

	// Of common_refinement, ceil_div and shape_div, which take and return shapes, these are in place of A and Result.
	// In conversions of coordinates they are the coordinates, and in relations of shapes the operands are From and B.
	From, To Tuple
	Holds    bool // of a relation: it holds

	cod *codomain // over which the loop under way has its strides; that of A may have fewer axes
}

// A Step is one step of a derivation: a rule of the algebra with the numbers that it was applied to. It is a
// *[Derivation], or one of [Radix], [Run], [Split], [Reach], [Borrow] and [Table] in a composition, [Merge] in
// coalesce, [Gap], [Repeat] and [Free] in a complement, [Continue] in a right inverse, [Chain], [Negate] and [Search]
// in a left one, [Follow] in max_common_layout, [Miss], [Pad], [Arrange], [Extend] and [Pair] in divides and products,
// [Rescale] and [Unit] in recasts, [Cuts] and [Turn] in layout_add and common_refinement, [Meeting] in
// greatest_common_domain, [Quotient] in ceil_div and shape_div, [Stay] in nullspace, [Fill] in tile_to_shape, [Round]
// in recognize, [Match] in relations of shapes, [Digits] in evaluations and conversions of coordinates, [Stage] in
// evaluations of composed layouts, [OpenMode] in slices.
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

// A caller is who runs an operation: it may end it, and may have its steps taken down.
type caller struct {
	Until
	trace *trace // nil if nobody asks for the steps
}

// A trace is where steps are taken down: the derivations of the operations under way, the innermost one last. They are
// in a value of their own, so that loops which begin and end them can keep what they work on on the stack.
type trace struct{ under []*Derivation }

// top returns the derivation of the innermost operation.
func (t *trace) top() *Derivation { return t.under[len(t.under)-1] }

// add takes down a step. Whoever calls it asks first whether there is a trace, as a Step is allocated.
func (t *trace) add(s Step) {
	d := t.top()
	d.Steps = append(d.Steps, s)
}

// begin begins an operation that is a step of the one under way.
func (t *trace) begin(op string, a Layout, b Tiler) {
	if t != nil {
		d := &Derivation{Op: op, A: a, B: b, cod: t.top().cod}
		t.add(d)
		t.under = append(t.under, d)
	}
}

// part begins the operation under way for its mode i.
func (t *trace) part(i int, a Layout, b Tiler) {
	if t != nil {
		over := t.top()
		t.begin(over.Op, a, b)
		t.top().At = append(slices.Clone(over.At), i)
	}
}

// end ends the innermost operation, which has a result.
func (t *trace) end(l Layout) {
	if t != nil {
		t.top().Result, t.top().OK = l, true
		t.drop()
	}
}

// drop ends the innermost operation, which has none.
func (t *trace) drop() {
	if t != nil {
		t.under = t.under[:len(t.under)-1]
	}
}

// tiles takes down what tiles the whole operand, where it was an integer.
func (t *trace) tiles(b Layout) {
	if t != nil {
		t.top().B = b
	}
}

// over sets the codomain of the loop that begins.
func (t *trace) over(cod *codomain) *trace {
	if t != nil {
		t.top().cod = cod
	}
	return t
}

// leaf returns the leaf with a stride of the loop under way.
func (t *trace) leaf(s int64, stride []int64) Leaf {
	v, cod := trimAxes(slices.Clone(stride), t.top().cod)
	return Leaf{s, Tuple{v: v, prof: ".", cod: cod}}
}
