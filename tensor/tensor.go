package tensor

import (
	"fmt"
	"iter"
	"slices"
	"unsafe"

	"girih/atom"
	"girih/cute"
)

// A Tensor is a storage of elements and a layout that says where the element at a coordinate is (CuTe's Tensor,
// include/cute/tensor_impl.hpp): t(c) is the element at position start + layout(c). The layout may be composed (for
// example swizzled), and strides may be negative or 0. Copies of a Tensor, and everything made by slicing, dividing or
// recasting it, share the storage.
//
// Positions are checked when a tensor is made, and coordinates at each access, so no access leaves the storage. The
// zero Tensor has no elements; every operation refuses it.
//
// A tensor is padded if a tiler did not divide its shape and the tile reaches beyond the end, or if
// [Tensor.DomainOffset] moved it beyond its end: then some coordinates have no element. [Tensor.Padded] reports that,
// and [Tensor.Predicate] distinguishes them.
type Tensor[T any] struct {
	eng engine[T]
	v   *view
}

// flat returns t with integer positions: a tensor of coordinates becomes one over its indices.
func (t Tensor[T]) flat() Tensor[T] {
	if !t.v.coords {
		return t
	}
	v := t.v
	l, err := cute.LayoutLeft(v.lay.Shape())
	if err != nil {
		return t
	}
	w, err := newView("", l, 0)
	if err != nil {
		return t
	}
	return Tensor[T]{&indexEngine[T]{func(i int64) T {
		x, err := v.coordAt(i)
		if err != nil {
			x = cute.Tuple{}
		}
		return any(x).(T)
	}}, w}
}

// element returns the element at an index in the domain, and false if there is none.
func (t Tensor[T]) element(i int64) (x T, ok bool) {
	if t.v.coords {
		c, err := t.v.coordAt(i)
		if err != nil {
			return x, false
		}
		return any(c).(T), true
	}
	p, ok := t.v.at(i)
	if !ok {
		return x, false
	}
	return t.eng.get(p), true
}

// At returns the element at a coordinate: t(c). One number is the colexicographic index; several numbers are the
// indices of the modes, one for each mode. At does not allocate, except for tensors of coordinates.
//
// It returns [cute.CodeMode] for a number outside its extent or a coordinate without an element, [cute.CodeRank] for
// the wrong number of numbers, and [cute.CodeType] for a zero tensor.
func (t Tensor[T]) At(coord ...int64) (T, error) {
	var none T
	if t.v == nil {
		return none, missing("at", t.eng)
	}
	i, err := t.v.index("at", coord)
	if err != nil {
		return none, err
	}
	x, ok := t.element(i)
	if !ok {
		return none, t.noElement("at", i)
	}
	return x, nil
}

// Set sets the element at a coordinate, given as for [Tensor.At]. It does not allocate. It returns the errors of At,
// and [cute.CodeType] for a tensor that cannot be written.
func (t Tensor[T]) Set(x T, coord ...int64) error {
	const op = "set"
	if t.v == nil {
		return missing(op, t.eng)
	}
	i, err := t.v.index(op, coord)
	if err != nil {
		return err
	}
	if t.eng.readOnly() {
		return t.unwritable(op)
	}
	p, ok := t.v.at(i)
	if !ok {
		return t.noElement(op, i)
	}
	t.eng.set(p, x)
	return nil
}

func (t Tensor[T]) unwritable(op string) error {
	return advise("Alloc makes a tensor of the same shape that can be written",
		refuse(op, cute.CodeType, "%v computes its elements: it cannot be written", t))
}

func (t Tensor[T]) noElement(op string, i int64) error {
	c, err := cute.Idx2Crd(cute.Int(i), t.Shape())
	if err != nil {
		c = cute.Int(i)
	}
	return &cute.Error{
		Code: cute.CodeMode, Op: op, Msg: fmt.Sprintf("the coordinate %v of %v is padding: it has no element",
			c, t.Shape()),
		Witness: &cute.Witness{Coord: c, Index: i}, Hint: "Predicate tells the elements from the padding",
	}
}

// Get is [Tensor.At] for a coordinate of any nesting that is weakly congruent to the shape, such as (1,(0,2)), written
// MakeCoord(At(1), At(0, 2)). Get returns the errors of At, [cute.CodeNotCongruent], and [cute.CodeType] for a
// coordinate that leaves modes open.
func (t Tensor[T]) Get(c cute.Coord) (T, error) {
	var none T
	i, err := t.indexOf("at", c)
	if err != nil {
		return none, err
	}
	return t.At(i)
}

// Put is [Tensor.Set] for a coordinate of any nesting, as for [Tensor.Get]. It returns the errors of both.
func (t Tensor[T]) Put(x T, c cute.Coord) error {
	i, err := t.indexOf("set", c)
	if err != nil {
		return err
	}
	return t.Set(x, i)
}

func (t Tensor[T]) indexOf(op string, c cute.Coord) (int64, error) {
	if t.v == nil {
		return 0, missing(op, t.eng)
	}
	x, err := fixedCoord(op, c)
	if err != nil {
		return 0, err
	}
	if err := inside(op, x, t.Shape()); err != nil {
		return 0, err
	}
	return cute.Crd2Idx(x, t.Shape())
}

// fixedCoord returns a coordinate that leaves nothing open.
func fixedCoord(op string, c cute.Coord) (cute.Tuple, error) {
	x, ok := c.Tuple()
	if !ok {
		return x, advise("Slice keeps the modes that a coordinate leaves open",
			refuse(op, cute.CodeType, "expected a coordinate of integers, found %v", c))
	}
	return x, nil
}

// inside refuses coordinates outside the shape.
func inside(op string, c, shape cute.Tuple) error {
	if x, ok := c.Int64(); ok {
		n, err := shape.Product()
		if err == nil && (x < 0 || x >= n) {
			err = refuse(op, cute.CodeMode, "expected a number below %d for %v, found %d", n, shape, x)
		}
		return err
	}
	if !cute.WeaklyCongruent(c, shape) {
		return advise("an integer may index a whole mode",
			refuse(op, cute.CodeNotCongruent, "expected a coordinate of %v, found %v", shape, c))
	}
	ms := shape.Modes()
	for i, m := range c.Modes() {
		if err := inside(op, m, ms[i]); err != nil {
			return err
		}
	}
	return nil
}

// All returns the elements with their indices, in colexicographic order: mode 0 runs fastest. Padding is left out, so
// indices may be missing.
func (t Tensor[T]) All() iter.Seq2[int64, T] {
	return func(yield func(int64, T) bool) {
		if t.v == nil {
			return
		}
		if t.v.coords {
			t = t.flat()
		}
		c, i := newCursor(t.v), int64(0)
		var buf [chunk]int64
		data, inMemory := t.eng.(*slice[T])
		for part := c.next(buf[:]); len(part) > 0; part = c.next(buf[:]) {
			if inMemory && len(t.v.axes) == 0 {
				for _, p := range part {
					if !yield(i, data.data[p]) {
						return
					}
					i++
				}
				continue
			}
			for _, p := range part {
				if p != padding && !yield(i, t.eng.get(p)) {
					return
				}
				i++
			}
		}
	}
}

// AppendValues appends the elements in colexicographic order, with the zero value for coordinates without an element.
// It is as fast as [Copy]. It returns [cute.CodeType] for a zero tensor, and [cute.CodeLimit] above 2^32 bytes.
func (t Tensor[T]) AppendValues(dst []T) ([]T, error) {
	const op = "values"
	if t.v == nil {
		return dst, missing(op, t.eng)
	}
	n, first := t.Size(), len(dst)
	var x T
	if bytes, ok := mul(n, max(1, int64(unsafe.Sizeof(x)))); !ok || bytes > maxBytes {
		return dst, tooLarge(op, t.v.layout(), uint64(n))
	}
	dst = slices.Grow(dst, int(n))[:first+int(n)]
	into := dst[first:]
	s, inMemory := t.eng.(*slice[T])
	if dense, err := cute.LayoutLeft(cute.Int(n)); inMemory && err == nil {
		if p, paired := pairUp(t.v, &view{lay: dense, more: nothingMore}); paired {
			p.arrange()
			copyLoops(s.data, into, p)
			return dst, nil
		}
	}
	clear(into)
	for i, x := range t.All() {
		into[i] = x
	}
	return dst, nil
}

// Values returns the elements in colexicographic order. Padding is skipped.
func (t Tensor[T]) Values() iter.Seq[T] {
	return func(yield func(T) bool) {
		for _, x := range t.All() {
			if !yield(x) {
				return
			}
		}
	}
}

// Shape returns the shape; () for a zero tensor.
func (t Tensor[T]) Shape() cute.Tuple {
	if t.v == nil {
		return cute.Tuple{}
	}
	return t.v.lay.Shape()
}

// Layout returns the layout, a [cute.Layout] or a [cute.Composed]; ():() for a zero tensor.
func (t Tensor[T]) Layout() cute.Inner {
	if t.v == nil {
		return cute.Layout{}
	}
	return t.v.layout()
}

// Domain returns the layout, or the inner layout of a composed layout, which takes the coordinates; ():() for a zero
// tensor.
func (t Tensor[T]) Domain() cute.Layout {
	if t.v == nil {
		return cute.Layout{}
	}
	return t.v.lay
}

// Start returns the position that is added to the values of the layout, in elements from the beginning of the storage:
// where CuTe's pointer would point. It is 0 for tensors of coordinates; see [Tensor.Origin].
func (t Tensor[T]) Start() int64 {
	if t.v == nil {
		return 0
	}
	return t.v.base
}

// Origin returns the coordinate that is added to the values of the layout of a tensor of coordinates, and 0 for others.
func (t Tensor[T]) Origin() cute.Tuple {
	if t.v == nil {
		return cute.Int(0)
	}
	return t.v.origin
}

// Data returns the storage of a tensor in Go memory. If the layout is plain, the element at c is
// Data()[Start()+layout(c)]. It is nil for packed tensors, and for tensors that compute their elements.
func (t Tensor[T]) Data() []T {
	if s, ok := t.eng.(*slice[T]); ok && t.v != nil {
		return s.data
	}
	return nil
}

// Size returns the number of coordinates, padding included; 0 for a zero tensor.
func (t Tensor[T]) Size() int64 {
	if t.v == nil {
		return 0
	}
	return t.v.size()
}

// Rank returns the number of top-level modes; 0 for a zero tensor.
func (t Tensor[T]) Rank() int {
	if t.v == nil {
		return 0
	}
	return t.v.rank()
}

// Extent returns the size of a top-level mode, CuTe's size<i>(t), and 0 if there is no such mode.
func (t Tensor[T]) Extent(mode int) int64 {
	if t.v == nil {
		return 0
	}
	var buf [modes]int64
	n := t.v.lay.AppendModeSizes(buf[:0])
	if mode < 0 || mode >= len(n) {
		return 0
	}
	return n[mode]
}

// Bits returns the width of an element in the storage, in bits: 4 for a packed e2m1. It is 0 if nothing is stored.
func (t Tensor[T]) Bits() int {
	if t.v == nil {
		return 0
	}
	return t.eng.bits()
}

// Space returns the memory that [Tensor.In] assigned, and [atom.Anywhere] for other tensors.
func (t Tensor[T]) Space() atom.Space {
	if t.v == nil {
		return atom.Anywhere
	}
	return t.eng.space()
}

// In returns the tensor with a memory space of the GPU, as make_gmem_ptr and make_smem_ptr do in CuTe. The space is
// printed, and copies and multiplications by instructions refuse operands that are not in the memory that the
// instruction needs. Computed elements have no space.
func (t Tensor[T]) In(s atom.Space) Tensor[T] {
	if t.v == nil {
		return t
	}
	return Tensor[T]{t.eng.in(s), t.v}
}

// String returns the text that CuTe's print writes, without the underscores of static integers: "ptr[32b](0) o
// (4,8):(1,4)". [Tensor.Start] takes the place of the address.
func (t Tensor[T]) String() string {
	if t.v == nil {
		if err := t.Err(); err != nil {
			return "nothing: " + err.Error()
		}
		return "nothing"
	}
	return t.v.text(t.eng)
}

// text returns the text of the tensor of a view.
func (v *view) text(e store) string {
	origin := v.origin
	if v.coords && !v.composed {
		if c, err := v.coordAt(0); err == nil {
			origin = c // with zeros for all modes of the coordinates
		}
	}
	return e.text(v.base, origin) + " o " + v.layout().String()
}
