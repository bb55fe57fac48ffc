package eval

import (
	"bytes"
	"fmt"

	"girih/cute"
	"girih/tensor"
)

// This file has tensors as values. The language has no memory, so the element at a coordinate is its place, origin +
// layout(coordinate), an integer or a coordinate. This covers CuTe's make_counting_tensor, make_coord_tensor and
// make_identity_tensor. It also covers pointers, as far as layouts depend on them: the origin is the address.

// KindTensor is the kind of a [Tensor].
const KindTensor Kind = "tensor"

// A Tensor is an origin and a layout: CuTe's counting_iter(5) o (2,3):(1,2) or ArithTuple(0,0) o (2,3):(1@0,1@1).
type Tensor struct{ tensor.Tensor[cute.Tuple] }

func (Tensor) value() {}

// Kind returns [KindTensor].
func (Tensor) Kind() Kind { return KindTensor }

// String returns make_tensor(ORIGIN,LAYOUT).
func (t Tensor) String() string { return fmt.Sprintf("make_tensor(%v,%v)", t.First(), t.Layout()) }

// First returns where the tensor begins: the origin that is added to the values of its layout. The origin of a tensor
// of coordinates is padded with zeros to their length.
func (t Tensor) First() cute.Tuple {
	if first, err := t.At(0); err == nil && t.basis() {
		return first
	}
	return t.Origin()
}

// basis reports whether the elements are coordinates.
func (t Tensor) basis() bool {
	switch l := t.Layout().(type) {
	case cute.Layout:
		return l.HasBasis()
	case cute.Composed:
		return l.HasBasis()
	}
	return false
}

// layoutValue returns the layout as a value.
func (t Tensor) layoutValue() Value {
	if c, ok := t.Layout().(cute.Composed); ok {
		return Composed{c}
	}
	return Layout{t.Domain()}
}

func tensorOf(t tensor.Tensor[cute.Tuple], err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	return Tensor{t}, nil
}

// asTensor converts a value to a tensor. A layout or a shape becomes the tensor that begins at 0.
func asTensor(v Value) (Tensor, error) {
	var of cute.Inner
	switch v := v.(type) {
	case Tensor:
		return v, nil
	case Composed:
		of = v.Composed
	default:
		l, err := asLayout(v)
		if err != nil {
			return Tensor{}, err
		}
		of = l
	}
	t, err := tensor.Coordinates(of)
	return Tensor{t}, err
}

// tensor returns argument i as a tensor; a layout is accepted.
func (c *call) tensor(i int) (Tensor, error) {
	t, err := asTensor(c.args[i])
	if e, ok := asGirih(err); ok && e.Code == cute.CodeType {
		return t, c.bad(i, "a tensor, such as make_tensor(0, (4,8)), or a layout")
	}
	return t, err
}

// asGiven returns a part of a tensor in the form of argument i. If argument i is a layout, asGiven returns the layout
// of the part and the offset of its beginning, as in slice_and_offset.
func (c *call) asGiven(i int, t tensor.Tensor[cute.Tuple], err error) (Value, error) {
	if err != nil {
		return nil, err
	}
	part := Tensor{t}
	switch c.args[i].(type) {
	case Tensor:
		return part, nil
	case Composed:
		return part.layoutValue(), nil // the offset is added inside the function
	}
	return List{part.layoutValue(), Tuple{part.First()}}, nil
}

// MaxPrinted limits the elements of a printed tensor.
const MaxPrinted = 1 << 16

// printable refuses tensors that are too large to print.
func printable(t Tensor) error {
	if n := t.Size(); n > MaxPrinted {
		return &cute.Error{
			Code: cute.CodeLimit, Op: "print_tensor",
			Msg:  fmt.Sprintf("expected at most %d elements to print, found %d in %v", MaxPrinted, n, t.Shape()),
			Hint: "print a slice, or a tile of it",
		}
	}
	return nil
}

// PrintTensor returns what CuTe's print_tensor prints for a tensor. A layout is printed as the tensor that begins at 0.
// It returns [cute.CodeType] for other values, [cute.CodeRank] for more than four modes, and [cute.CodeLimit] for more
// than [MaxPrinted] elements.
func PrintTensor(v Value) (string, error) {
	t, err := asTensor(v)
	if err != nil {
		return "", typeError("print_tensor", "the operand", "a tensor or a layout", v)
	}
	if err := printable(t); err != nil {
		return "", err
	}
	var b bytes.Buffer
	if t.basis() {
		err = tensor.Print(&b, t.Tensor)
		return b.String(), err
	}
	first, _ := t.First().Int64()
	numbers, err := tensor.Counting(first, t.Layout())
	if err != nil {
		return "", err
	}
	err = tensor.Print(&b, numbers)
	return b.String(), err
}
