package tensor

import (
	"unsafe"

	"girih/cute"
	"girih/dtype"
	"girih/internal/ints"
)

// An Element is a Go type whose memory may be seen as elements of another width: a fixed number of bytes, without
// pointers.
type Element interface {
	~int8 | ~int16 | ~int32 | ~int64 | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float32 | ~float64
}

// Recast returns the same memory as elements of another Go type: recast<New>(t). Layout, start and storage count the
// new elements (see [cute.Recast]); the bytes are in the host's order. The elements of the result cover exactly the
// memory of the elements of t, and neighbours form each wide element, whatever the signs of the strides: the start
// moves to the lowest neighbour. CuTe moves the start too far for negative strides of extents above 2.
//
// It returns [cute.CodeNotDivisible] unless the strides and extents divide as cute.Recast requires, the start is on the
// boundary of a wide element, and the wide elements contain nothing but elements of t. It returns [cute.CodeType] for
// tensors that are not in Go memory, for padded ones, and for memory that is not aligned for New.
func Recast[New, Old Element](t Tensor[Old]) (Tensor[New], error) {
	const op = "recast"
	s, ok := any(t.eng).(*slice[Old])
	if !ok {
		return Tensor[New]{}, notInMemory(op, t)
	}
	var n New
	var o Old
	v, err := t.v.recast(op, 8*int64(unsafe.Sizeof(o)), 8*int64(unsafe.Sizeof(n)))
	if err != nil {
		return Tensor[New]{}, err
	}
	if w := int64(unsafe.Sizeof(n)); uintptr(unsafe.Pointer(unsafe.SliceData(s.data)))%unsafe.Alignof(n) != 0 {
		return Tensor[New]{}, advise("allocate the storage as the wider type",
			refuse(op, cute.CodeType, "the storage does not begin at a multiple of %d bytes", w))
	}
	bytes := uintptr(len(s.data)) * unsafe.Sizeof(o)
	data := unsafe.Slice((*New)(unsafe.Pointer(unsafe.SliceData(s.data))), bytes/unsafe.Sizeof(n))
	if err := v.within(op, int64(len(data))); err != nil {
		return Tensor[New]{}, err
	}
	return Tensor[New]{&slice[New]{data, s.at}, v}, nil
}

func notInMemory[T any](op string, t Tensor[T]) error {
	if t.v == nil {
		return missing(op, t.eng)
	}
	return advise("RecastPacked recasts a packed tensor",
		refuse(op, cute.CodeType, "expected a tensor of Go memory, found %v", t))
}

// RecastPacked returns a packed tensor seen as codes of another element type: recast of sub-byte types. It returns the
// errors of [Recast], and [cute.CodeType] for a tensor that is not packed.
func RecastPacked(t Tensor[uint64], typ dtype.Type) (Tensor[uint64], error) {
	const op = "recast"
	if t.v == nil {
		return t, missing(op, t.eng)
	}
	p, ok := t.eng.(*packedEngine)
	if !ok {
		return Tensor[uint64]{}, advise("Pack sees Go memory as codes",
			refuse(op, cute.CodeType, "expected a packed tensor, found %v", t))
	}
	r, err := t.v.recastPacked(op, p.data, p.wide, typ)
	return r.In(p.at), err
}

// Pack returns the memory of a tensor seen as codes of an element type, lowest bits first: for example bytes as e2m1,
// two codes in each byte. The bytes of wider Go types are in the host's order. It returns the errors of [Recast].
func Pack[T Element](t Tensor[T], typ dtype.Type) (Tensor[uint64], error) {
	const op = "recast"
	s, ok := any(t.eng).(*slice[T])
	if !ok {
		return Tensor[uint64]{}, notInMemory(op, t)
	}
	var x T
	w := unsafe.Sizeof(x)
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s.data))), uintptr(len(s.data))*w)
	r, err := t.v.recastPacked(op, data, 8*int64(w), typ)
	return r.In(s.at), err
}

func (v *view) recastPacked(op string, data []byte, bits int64, typ dtype.Type) (Tensor[uint64], error) {
	e, err := newPacked(op, typ, data)
	if err != nil {
		return Tensor[uint64]{}, err
	}
	w, err := v.recast(op, bits, e.wide)
	if err != nil {
		return Tensor[uint64]{}, err
	}
	if err := w.within(op, e.length()); err != nil {
		return Tensor[uint64]{}, err
	}
	return Tensor[uint64]{e, w}, nil
}

// recast returns the view of the same bits in elements of another width.
func (v *view) recast(op string, oldBits, newBits int64) (*view, error) {
	if oldBits == newBits {
		return v, nil
	}
	if len(v.axes) > 0 {
		return nil, advise("recast the tensor before it is tiled",
			refuse(op, cute.CodeType, "a padded tensor is not recast: its padding is counted in elements"))
	}
	if v.slow {
		return nil, refuse(op, cute.CodeCodomain, "%v goes through coordinates, which have no width", v.layout())
	}
	g := ints.GCD(oldBits, newBits)
	up, down := newBits/g, oldBits/g
	w := *v
	if v.composed {
		if err := w.settle(); err != nil {
			return nil, err
		}
	}
	if err := w.widen(op, up); err != nil {
		return nil, err
	}
	if err := w.narrow(op, down); err != nil {
		return nil, err
	}
	w.compile()
	return &w, nil
}

// widen converts the view to elements of up times the width.
func (v *view) widen(op string, up int64) error {
	if up == 1 {
		return nil
	}
	wide, err := cute.Upcast(v.lay, up)
	if err != nil {
		return err
	}
	// The steps within the first wide element, and its lowest part if small strides count down to it.
	var ext, str []int64
	parts, low := int64(1), int64(0)
	for i := range v.lay.LeafCount() {
		s, d := v.lay.Leaf(i)
		if mag := abs(d); mag > 0 && mag < up {
			n := min(s, up/mag)
			ext, str = append(ext, n), append(str, mag)
			parts *= n // at most the size of the layout
			low += min(0, (n-1)*d)
		}
	}
	steps, err := cute.New(cute.Ints(ext...), cute.Ints(str...))
	if err != nil {
		return err
	}
	// The upcast has checked that no step leaves the wide element: it is full if it has as many places as there are
	// distinct steps.
	if once, _, err := cute.IsInjective(steps); err != nil || !once || parts != up {
		return refuse(op, cute.CodeNotDivisible,
			"a wide element of %v holds %d elements, and the first one of %v is made of %v: it must be filled, each part once",
			wide, up, v.lay, steps)
	}
	if v.composed {
		if v.chain, err = chainOf(v.chain, v.lay, cute.Int(low)); err != nil {
			return err
		}
		if v.chain, err = v.chain.Recast(1, up); err != nil {
			return err
		}
		v.lay, low = v.chain.Layout(), 0
	} else {
		v.lay = wide
	}
	if (v.base+low)%up != 0 {
		return refuse(op, cute.CodeNotDivisible, "the element %d, the lowest of a wide one, is not at a multiple of %d",
			v.base+low, up)
	}
	v.base = (v.base + low) / up
	v.compile()
	return nil
}

// narrow converts the view to elements of 1/down of the width.
func (v *view) narrow(op string, down int64) error {
	if down == 1 {
		return nil
	}
	l, err := cute.Downcast(v.lay, down)
	if err != nil {
		return err
	}
	// Parts that count down begin with the last part of the first element.
	high := int64(0)
	for i, s := range l.Shape().Leaves() {
		if n, d := v.lay.Leaf(i); s != n && d == -1 {
			high = down - 1
		}
	}
	base, ok := mul(v.base, down)
	if !ok {
		return overflow(op, "the positions of %v", v.lay)
	}
	v.base = base
	if !v.composed {
		v.lay = l
		v.base += high
		return nil
	}
	if v.chain, err = v.chain.Recast(down, 1); err != nil {
		return err
	}
	v.lay = v.chain.Layout()
	v.chain, err = chainOf(v.chain, v.lay, cute.Int(high))
	return err
}
