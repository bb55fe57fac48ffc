package tensor

import (
	"math"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
)

// A packedEngine holds the codes of an element type contiguously in bytes, lowest bits first: element i has the bits
// [i·b, (i+1)·b) of the storage, bit k being bit k%8 of byte k/8 (CUTLASS's array_subbyte and subbyte_iterator).
type packedEngine struct {
	typ  dtype.Type
	wide int64
	data []byte
	at   atom.Space
}

func (p *packedEngine) length() int64  { return int64(len(p.data)) * 8 / p.wide }
func (p *packedEngine) readOnly() bool { return false }
func (p *packedEngine) bits() int      { return int(p.wide) }

func (p *packedEngine) space() atom.Space { return p.at }

func (p *packedEngine) in(s atom.Space) engine[uint64] {
	return &packedEngine{p.typ, p.wide, p.data, s}
}

func (p *packedEngine) get(at int64) uint64 {
	first := at * p.wide
	if p.wide == 8 {
		return uint64(p.data[at])
	}
	var code uint64
	for got := int64(0); got < p.wide; {
		b, low := (first+got)/8, (first+got)%8
		code |= uint64(p.data[b]>>low) << got
		got += 8 - low
	}
	return code & p.mask()
}

func (p *packedEngine) set(at int64, code uint64) {
	code &= p.mask()
	first := at * p.wide
	for put := int64(0); put < p.wide; {
		b, low := (first+put)/8, (first+put)%8
		n := min(8-low, p.wide-put)
		m := byte(1<<n-1) << low
		p.data[b] = p.data[b]&^m | byte(code>>put)<<low&m
		put += n
	}
}

func (p *packedEngine) mask() uint64 { return ^uint64(0) >> (64 - p.wide) }

func (p *packedEngine) memory(lo, hi int64) (from, to uintptr) {
	s := slice[byte]{data: p.data}
	return s.memory(lo*p.wide/8, ((hi+1)*p.wide-1)/8)
}

func (p *packedEngine) text(base int64, _ cute.Tuple) string {
	if p.wide < 8 {
		return pointerText(pointerName(p.at, "subptr"), int(p.wide), base)
	}
	return pointerText(pointerName(p.at, "ptr"), int(p.wide), base)
}

// newPacked refuses invalid types, and types wider than a code.
func newPacked(op string, typ dtype.Type, data []byte) (*packedEngine, error) {
	b := typ.Bits()
	if b == 0 || b > 64 {
		return nil, advise("recast to elements of 64 bits",
			refuse(op, cute.CodeType, "expected an element type of 1 to 64 bits, found %v of %d", typ, b))
	}
	return &packedEngine{typ: typ, wide: int64(b), data: data, at: atom.Anywhere}, nil
}

// Packed returns the tensor of the codes of an element type that are contiguous in the bytes, lowest bits first: 8/b
// elements of b bits per byte, with some elements across two bytes if b is 6. Codes are in the low bits of a uint64;
// Set ignores the bits above them. The layout counts elements of typ from the first bit of data.
//
// It returns [cute.CodeType] for an invalid type or one of more than 64 bits, or a layout of coordinates,
// [cute.CodeMode] if positions are outside of the storage, [cute.CodeLimit] if they cannot be enumerated, and
// [cute.CodeOverflow].
func Packed(typ dtype.Type, data []byte, layout cute.Inner) (Tensor[uint64], error) {
	return PackedAt(typ, data, 0, layout)
}

// PackedAt is [Packed] with the layout counted from the element start: make_tensor(ptr + start, layout).
func PackedAt(typ dtype.Type, data []byte, start int64, layout cute.Inner) (Tensor[uint64], error) {
	const op = "make_tensor"
	e, err := newPacked(op, typ, data)
	if err != nil {
		return Tensor[uint64]{}, err
	}
	return newStored[uint64](op, e, start, layout)
}

// AllocPacked returns a tensor of zero codes in a new storage of exactly the size that the layout needs: CuTe's
// make_tensor of a sub-byte type, which owns an array_subbyte. It returns the errors of [Packed].
func AllocPacked(typ dtype.Type, layout cute.Inner) (Tensor[uint64], error) {
	const op = "make_tensor"
	e, err := newPacked(op, typ, nil)
	if err != nil {
		return Tensor[uint64]{}, err
	}
	v, n, err := ownedView(op, layout)
	if err != nil {
		return Tensor[uint64]{}, err
	}
	b, ok := mul(n, e.wide)
	if !ok || b > maxBytes*8 {
		return Tensor[uint64]{}, tooLarge(op, layout, uint64(n))
	}
	e.data = make([]byte, (b+7)/8)
	return Tensor[uint64]{e, v}, nil
}

// Type returns the element type of a packed tensor, and false for any other tensor.
func Type[T any](t Tensor[T]) (dtype.Type, bool) {
	p, ok := any(t.eng).(*packedEngine)
	if !ok {
		return 0, false
	}
	return p.typ, true
}

// Decode returns a read-only view of a packed tensor whose elements are the exact values of the codes. A ue4m3 whose
// highest bit is set is not a code, and reads as NaN. It returns [cute.CodeType] if the tensor is not packed, or if its
// type has no values (b4) or has integers that a float64 cannot hold (s64, u64).
func Decode(t Tensor[uint64]) (Tensor[float64], error) {
	const op = "decode"
	typ, ok := Type(t)
	if !ok {
		return Tensor[float64]{}, advise("Packed makes a tensor of codes",
			refuse(op, cute.CodeType, "expected a packed tensor, found %v", t))
	}
	if k := typ.Kind(); k == dtype.Raw || (k != dtype.Float && typ.Bits() > 53) {
		return Tensor[float64]{}, refuse(op, cute.CodeType, "the codes of %v are no float64 values", typ)
	}
	return Lazy(t, func(code uint64) float64 {
		x, err := typ.Decode(code)
		if err != nil {
			return math.NaN()
		}
		return x
	})
}
