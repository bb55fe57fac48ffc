package cute

import (
	"fmt"
	"slices"
	"strconv"
	"sync"
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

// Derive returns the derivation of an operation on operands as the function of that name takes them: composition
// ([CompositionBy]), coalesce ([Coalesce], [CoalesceProfile]), complement, complement_exact and weak_complement
// (without a cotarget those of the cosize), right_inverse, left_inverse and inverse, the divides, exact or not (of a
// padded one the layout), the products, blocked_product and raked_product, layout_add, max_common_layout,
// greatest_common_domain, common_refinement, ceil_div, shape_div, upcast, downcast, recast_layout with the pair of the
// old and the new width, nullspace, tile_to_shape with an order or without, recognize with the entries of a table,
// congruent, weakly_congruent and compatible, crd2idx and idx2crd with a shape, and crd2crd. [DeriveEval] and
// [DeriveSlice] are for evaluations and slices. A shape in place of a layout is its compact one. The result and the
// error are those of the function; after an error the derivation has the steps up to it, and in a composition those of
// every leaf. It returns [CodeName] for another name or number of operands, and [CodeType] for operands of other kinds.
func Derive(op string, operands ...Tiler) (*Derivation, error) {
	return Until(nil).Derive(op, operands...)
}

// Derive is the function [Derive]. It returns the errors of Derive, and that of u.
func (u Until) Derive(op string, operands ...Tiler) (*Derivation, error) {
	d := &Derivation{Op: op}
	if f, ok := listDerivers()[op]; ok {
		err := f(d, operands, caller{u, &trace{[]*Derivation{d}}})
		d.OK = err == nil
		return d, err
	}
	f, ok := derivers()[deriver{op, len(operands)}]
	if !ok {
		return d, noDerivation(op, len(operands))
	}
	var err error
	switch a := operands[0].(type) {
	case Layout:
		d.A = a
	case Tuple: // a shape, of the compact layout
		if d.A, err = LayoutLeft(a); err != nil {
			return d, err
		}
	default:
		return d, &Error{Code: CodeType, Op: op, Msg: fmt.Sprintf("expected a layout or a shape, found %v", operands[0])}
	}
	if len(operands) > 1 {
		d.B = operands[1]
	}
	d.Result, err = f(d.A, d.B, caller{u, &trace{[]*Derivation{d}}})
	d.OK = err == nil
	return d, err
}

// A deriver is an operation with a number of operands.
type deriver struct {
	op       string
	operands int
}

// derivers returns how operations are run by a caller who asks for their steps.
var derivers = sync.OnceValue(func() map[deriver]func(a Layout, b Tiler, c caller) (Layout, error) {
	complement := func(op string, how coverage) func(Layout, Tiler, caller) (Layout, error) {
		return func(a Layout, b Tiler, c caller) (Layout, error) {
			if b == nil {
				return complementer{op, how, c.trace}.cosizeOf(a)
			}
			cotarget, ok := b.(Tuple)
			if !ok {
				return Layout{}, &Error{Code: CodeType, Op: op, Msg: fmt.Sprintf("expected an integer or a shape, found %v", b)}
			}
			return complementer{op, how, c.trace}.of(a, cotarget)
		}
	}
	one := func(f func(Layout, caller) (Layout, error)) func(Layout, Tiler, caller) (Layout, error) {
		return func(a Layout, _ Tiler, c caller) (Layout, error) { return f(a, c) }
	}
	two := func(op string, f func(a, b Layout, c caller) (Layout, error)) func(Layout, Tiler, caller) (Layout, error) {
		return func(a Layout, b Tiler, c caller) (Layout, error) {
			l, ok := b.(Layout)
			if !ok {
				return Layout{}, &Error{Code: CodeType, Op: op, Msg: fmt.Sprintf("expected a layout, found %v", b)}
			}
			return f(a, l, c)
		}
	}
	all := map[deriver]func(Layout, Tiler, caller) (Layout, error){
		{"composition", 2}: compositionBy,
		{"coalesce", 1}:    one(coalesceAny),
		{"coalesce", 2}: func(a Layout, b Tiler, c caller) (Layout, error) {
			profile, ok := b.(Tuple)
			if !ok {
				return Layout{}, &Error{Code: CodeType, Op: "coalesce", Msg: fmt.Sprintf("expected a profile, found %v", b)}
			}
			return perMode{"coalesce", coalesceAny}.coalesce(a, profile, c)
		},
		{"complement", 1}:       complement("complement", coversSize),
		{"complement", 2}:       complement("complement", coversSize),
		{"complement_exact", 2}: complement("complement", coversExactly),
		{"weak_complement", 1}:  complement("weak_complement", coversSome),
		{"weak_complement", 2}:  complement("weak_complement", coversSome),
		{"right_inverse", 1}:    one(func(a Layout, c caller) (Layout, error) { return rightInverse(a, c.trace) }),
		{"left_inverse", 1}:     one(leftInverse),
		{"nullspace", 1}: one(func(a Layout, c caller) (Layout, error) {
			return nullspace(a, c.trace.over(a.cod)), nil
		}),
		{"inverse", 1}:    one(func(a Layout, c caller) (Layout, error) { return fullInverse(a, c.trace) }),
		{"layout_add", 2}: two("layout_add", layoutAdd), {"max_common_layout", 2}: two("max_common_layout", maxCommonLayout),
		{"greatest_common_domain", 2}: func(a Layout, b Tiler, c caller) (Layout, error) {
			switch b := b.(type) {
			case Tuple:
				return greatestCommonDomain(a.Shape(), b, c.trace)
			case Layout:
				return greatestCommonDomain(a.Shape(), b.Shape(), c.trace)
			}
			msg := fmt.Sprintf("expected a shape, found %v", b)
			return Layout{}, &Error{Code: CodeType, Op: "greatest_common_domain", Msg: msg}
		},
		{"blocked_product", 2}: two("blocked_product", blockedProduct),
		{"raked_product", 2}:   two("raked_product", rakedProduct),
	}
	cast := func(op string, f func(Layout, int64, *trace) (Layout, error)) func(Layout, Tiler, caller) (Layout, error) {
		return func(a Layout, b Tiler, c caller) (Layout, error) {
			t, _ := b.(Tuple)
			n, ok := t.Int64()
			if !ok {
				return Layout{}, &Error{Code: CodeType, Op: op, Msg: fmt.Sprintf("expected an integer, found %v", b)}
			}
			return f(a, n, c.trace.over(a.cod))
		}
	}
	all[deriver{"upcast", 2}], all[deriver{"downcast", 2}] = cast("upcast", upcast), cast("downcast", downcast)
	all[deriver{"recast_layout", 2}] = func(a Layout, b Tiler, c caller) (Layout, error) {
		t, ok := b.(Tuple)
		if !ok || t.leaves() != 2 || t.cod != nil {
			return Layout{}, &Error{
				Code: CodeType, Op: "recast_layout",
				Msg: fmt.Sprintf("expected the old and the new width, found %v", b),
			}
		}
		return recast(a, t.v[0], t.v[1], c.trace)
	}
	for f := range operation(flat + 1) {
		divide, product := opLogicalDivide+f, opLogicalProduct+f
		all[deriver{divide.String(), 2}] = func(a Layout, b Tiler, c caller) (Layout, error) {
			d, err := divideBy(divide, a, b, c)
			return d.Layout, err
		}
		all[deriver{divide.String() + "_exact", 2}] = func(a Layout, b Tiler, c caller) (Layout, error) {
			return divideExact(divide, a, b, c)
		}
		all[deriver{product.String(), 2}] = func(a Layout, b Tiler, c caller) (Layout, error) {
			return multiplyBy(product, a, b, c)
		}
	}
	return all
})

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

// leaves returns the modes from place from on.
func (t *trace) leaves(m *modes, from int) []Leaf {
	out := make([]Leaf, 0, m.n-from)
	for i := from; i < m.n; i++ {
		out = append(out, t.leaf(m.s[i], m.stride(i)))
	}
	return out
}
