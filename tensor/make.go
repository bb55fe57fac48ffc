package tensor

import (
	"unsafe"

	"girih/atom"
	"girih/cute"
)

// maxBytes limits the storage that Alloc makes.
const maxBytes = 1 << 32

// Make returns the tensor of the elements of data with a layout: make_tensor(ptr, layout). The tensor is a view:
// setting an element sets it in data. If there is only a shape, make its layout with [cute.LayoutLeft] or
// [cute.LayoutRight].
//
// It returns [cute.CodeMode] if positions are outside data, [cute.CodeLimit] if they cannot be enumerated (large
// layouts composed with functions that are not swizzles), [cute.CodeType] for a layout of coordinates (see
// [Coordinates]) or no layout, [cute.CodeNegative] if a swizzle gets a negative offset, and [cute.CodeOverflow].
func Make[T any](data []T, layout cute.Inner) (Tensor[T], error) {
	return newStored[T]("make_tensor", &slice[T]{data, atom.Anywhere}, 0, layout)
}

// MakeAt is [Make] with the layout counted from data[start]: make_tensor(ptr + start, layout). Layouts with negative
// strides need it.
func MakeAt[T any](data []T, start int64, layout cute.Inner) (Tensor[T], error) {
	return newStored[T]("make_tensor", &slice[T]{data, atom.Anywhere}, start, layout)
}

// Alloc returns a tensor of zero values in a new storage of exactly the size that the layout needs:
// make_tensor<T>(layout). The smallest position of the layout is the first of the storage, even if strides are
// negative. It returns the errors of [Make], and [cute.CodeLimit] above 2^32 bytes.
func Alloc[T any](layout cute.Inner) (Tensor[T], error) {
	const op = "make_tensor"
	v, n, err := ownedView(op, layout)
	if err != nil {
		return Tensor[T]{}, err
	}
	var x T
	if b, ok := mul(n, max(1, int64(unsafe.Sizeof(x)))); !ok || b > maxBytes {
		return Tensor[T]{}, tooLarge(op, layout, uint64(n))
	}
	return Tensor[T]{&slice[T]{make([]T, n), atom.Anywhere}, v}, nil
}

func tooLarge(op string, layout cute.Inner, n uint64) error {
	return refuse(op, cute.CodeLimit, "%v needs a storage of %d elements, more than 2^32 bytes", layout, n)
}

// ownedView returns the view of a layout whose smallest position is 0, and the number of positions.
func ownedView(op string, layout cute.Inner) (*view, int64, error) {
	v, err := newView(op, layout, 0)
	if err != nil {
		return nil, 0, err
	}
	if v.coords {
		return nil, 0, coordinateLayout(op, layout)
	}
	lo, hi, err := v.span(op)
	if err != nil {
		return nil, 0, err
	}
	last := uint64(hi) // unsigned: the difference of any two integers fits
	if lo < 0 {
		last -= uint64(lo)
	}
	if last >= 8*maxBytes { // elements have at least one bit
		return nil, 0, tooLarge(op, layout, last+1)
	}
	v.base = max(0, -lo)
	return v, int64(last) + 1, nil
}

func coordinateLayout(op string, layout cute.Inner) error {
	return advise("Coordinates makes the tensor of the coordinates themselves",
		refuse(op, cute.CodeType, "expected a layout of positions, found %v, whose values are coordinates", layout))
}

// newStored returns the tensor of an engine with a storage, after checking positions.
func newStored[T any](op string, e engine[T], start int64, layout cute.Inner) (Tensor[T], error) {
	v, err := newView(op, layout, start)
	if err != nil {
		return Tensor[T]{}, err
	}
	if v.coords {
		return Tensor[T]{}, coordinateLayout(op, layout)
	}
	if err := v.within(op, e.length()); err != nil {
		return Tensor[T]{}, err
	}
	return Tensor[T]{e, v}, nil
}

// Counting returns the read-only tensor whose element at c is first + layout(c): make_counting_tensor of a
// counting_iterator. It returns [cute.CodeOverflow], and [cute.CodeType] for a layout of coordinates.
func Counting(first int64, layout cute.Inner) (Tensor[int64], error) {
	const op = "make_counting_tensor"
	v, err := newView(op, layout, first)
	if err != nil {
		return Tensor[int64]{}, err
	}
	if v.coords {
		return Tensor[int64]{}, coordinateLayout(op, layout)
	}
	if _, _, err := v.span(op); err != nil {
		return Tensor[int64]{}, err
	}
	return Tensor[int64]{countingIterator{}, v}, nil
}

// Identity returns the read-only tensor whose element at a coordinate of the shape is that coordinate:
// make_identity_tensor. It returns the errors of [cute.MakeIdentityLayout].
func Identity(shape cute.Tuple) (Tensor[cute.Tuple], error) {
	l, err := cute.MakeIdentityLayout(shape)
	if err != nil {
		return Tensor[cute.Tuple]{}, err
	}
	return Coordinates(l)
}

// Coordinates returns the read-only tensor whose element at c is layout(c), a coordinate: make_coord_tensor, as for a
// TMA tensor. The values of a layout with integer strides are integers. It returns [cute.CodeType] without a layout.
func Coordinates(layout cute.Inner) (Tensor[cute.Tuple], error) {
	return CoordinatesAt(cute.Int(0), layout)
}

// CoordinatesAt is [Coordinates] with the coordinate origin added to each: a tensor of ArithTuple(origin). It returns
// the errors of Coordinates, and [cute.CodeNotCongruent] if origin cannot be added.
func CoordinatesAt(origin cute.Tuple, layout cute.Inner) (Tensor[cute.Tuple], error) {
	v, err := newView("make_coord_tensor", layout, 0)
	if err != nil {
		return Tensor[cute.Tuple]{}, err
	}
	if l, err := cute.New(cute.Int(2), origin); err == nil && origin.HasBasis() {
		if origin, err = l.Eval(cute.Int(1)); err != nil { // 3@0+5@1 is (3,5)
			return Tensor[cute.Tuple]{}, err
		}
	}
	v.own()
	v.coords, v.slow, v.swizzled, v.origin = true, false, false, origin // coordAt evaluates the chain with its layout
	for _, i := range []int64{0, v.size() - 1} {                        // the integer zero is the zero of any coordinates
		if _, err := v.coordAt(i); err != nil {
			return Tensor[cute.Tuple]{}, err
		}
	}
	return Tensor[cute.Tuple]{coordinates{}, v}, nil
}

// Lazy returns the read-only tensor of f of the elements of t, each computed when it is read: CuTe's lazy::transform.
// It returns [cute.CodeType] for a zero tensor or a nil function.
func Lazy[S, T any](t Tensor[S], f func(S) T) (Tensor[T], error) {
	if t.v == nil || f == nil {
		return Tensor[T]{}, missing("lazy_transform", t.eng)
	}
	t = t.flat()
	return Tensor[T]{&transformEngine[S, T]{t.eng, f}, t.v}, nil
}
