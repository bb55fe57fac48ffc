package tensor

import (
	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// placeEngine is the engine of [Places]: the element at a position is the position.
type placeEngine struct {
	coordinates
	n int64
}

func (p placeEngine) get(at int64) cute.Tuple              { return cute.Int(at) }
func (p placeEngine) length() int64                        { return p.n }
func (p placeEngine) in(atom.Space) engine[cute.Tuple]     { return p }
func (p placeEngine) text(base int64, _ cute.Tuple) string { return pointerText("place", 0, base) }

// Places returns the read-only tensor of the positions of a layout that counts from start, in a storage of n elements.
// It is a tensor without its storage: it can be sliced, tiled and partitioned like every other tensor, and [PackedOver]
// reads a storage at the places that remain.
//
//	t, err := tensor.Places(32, 0, cute.MustParse("(4,8):(8,1)"))
//	row, err := t.Slice(cute.MustParseCoord("(2,_)"))  // the elements are 16, 17, ..., 23
//	codes, err := tensor.PackedOver(row, dtype.F32, data)
//
// It returns the errors of [MakeAt].
func Places(n, start int64, layout cute.Inner) (Tensor[cute.Tuple], error) {
	return newStored[cute.Tuple]("make_tensor", placeEngine{n: n}, start, layout)
}

// PackedOver returns the codes of an element type at the places of a tensor. The storage is as for [Packed]. It returns
// [cute.CodeType] for a tensor that is not one of places, [cute.CodeMode] for a storage with fewer elements than the
// tensor was made for, and the errors of [Packed] about types.
func PackedOver(t Tensor[cute.Tuple], typ dtype.Type, data []byte) (Tensor[uint64], error) {
	const op = "make_tensor"
	p, ok := t.eng.(placeEngine)
	if !ok {
		return Tensor[uint64]{}, advise("Places makes one",
			refuse(op, cute.CodeType, "expected a tensor of places, found %v", t))
	}
	e, err := newPacked(op, typ, data)
	if err != nil {
		return Tensor[uint64]{}, err
	}
	if e.length() < p.n {
		return Tensor[uint64]{}, refuse(op, cute.CodeMode, "expected a storage of %d elements of %v, found %d", p.n, typ,
			e.length())
	}
	return Tensor[uint64]{e, t.v}, nil
}

// NoPlace is what [AppendPlaces] appends for a coordinate without an element.
const NoPlace = padding

// AppendPlaces appends the places of a tensor of [Places] in colexicographic order, and [NoPlace] for coordinates
// without an element. For any other tensor it appends nothing.
func AppendPlaces(dst []int64, t Tensor[cute.Tuple]) []int64 {
	if _, ok := t.eng.(placeEngine); !ok {
		return dst
	}
	c := newCursor(t.v)
	var buf [chunk]int64
	for part := c.next(buf[:]); len(part) > 0; part = c.next(buf[:]) {
		dst = append(dst, part...)
	}
	return dst
}

// StorageOf returns the number of elements that [Alloc] makes for a layout, and the start of the layout in them. It
// returns the errors of Alloc.
func StorageOf(layout cute.Inner) (start, elements int64, err error) {
	v, n, err := ownedView("make_tensor", layout)
	if err != nil {
		return 0, 0, err
	}
	return v.base, n, nil
}
