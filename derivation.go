package girih

import (
	"fmt"
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
	Result Layout // of size 0 if there is none
}

// A Step is one step of a derivation: a rule of the algebra with the numbers that it was applied to. It is a
// *[Derivation], or one of the types that the methods of this interface are documented at: [Radix], [Run], [Split],
// [Reach], [Borrow] and [Table] of compositions.
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
// ([CompositionBy]). The result and the error are those of the function; after an error the derivation has the steps
// up to it, and in a composition those of every leaf. It returns [CodeName] for another name, and [CodeType] for
// operands of other kinds.
func Derive(op string, operands ...Tiler) (*Derivation, error) {
	return Until(nil).Derive(op, operands...)
}

// Derive is the function [Derive]. It returns the errors of Derive, and that of u.
func (u Until) Derive(op string, operands ...Tiler) (*Derivation, error) {
	d := &Derivation{Op: op}
	var err error
	if len(operands) > 0 {
		d.A, _ = operands[0].(Layout)
	}
	if len(operands) > 1 {
		d.B = operands[1]
	}
	c := caller{u, d}
	switch {
	case len(operands) == 2 && op == "composition":
		d.Result, err = compositionBy(d.A, d.B, c)
	default:
		err = &Error{Code: CodeName, Op: "derive", Msg: fmt.Sprintf("there is no derivation of %q with %d operands", op, len(operands))}
	}
	return d, err
}

// A caller is who runs an operation: it may end it, and may have its steps taken down.
type caller struct {
	Until
	trace *Derivation // nil if nobody asks for the steps
}

// part returns the caller of an operation on mode i, which is a part of the one under way.
func (c caller) part(i int, a Layout, b Tiler) caller {
	if c.trace != nil {
		c.trace = c.trace.nest(c.trace.Op, append(slices.Clone(c.trace.At), i))
		c.trace.A, c.trace.B = a, b
	}
	return c
}

// done takes down the result.
func (c caller) done(l Layout) {
	if c.trace != nil {
		c.trace.Result = l
	}
}

// nest adds the derivation of an operation that is a step of d.
func (d *Derivation) nest(op string, at []int) *Derivation {
	part := &Derivation{Op: op, At: at}
	d.Steps = append(d.Steps, part)
	return part
}

// leaf returns the leaf with a stride over the axes of A.
func (d *Derivation) leaf(s int64, stride []int64) Leaf {
	v, cod := trimAxes(slices.Clone(stride), d.A.cod)
	return Leaf{s, Tuple{v: v, prof: ".", cod: cod}}
}

// leaves returns the modes from place from on, over the axes of A.
func (d *Derivation) leaves(m *modes, from int) []Leaf {
	out := make([]Leaf, 0, m.n-from)
	for i := from; i < m.n; i++ {
		out = append(out, d.leaf(m.s[i], m.stride(i)))
	}
	return out
}
