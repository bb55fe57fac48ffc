package gpu

import (
	"math"
	"unsafe"

	"girih/cute"
	"girih/dtype"
	"girih/internal/card/cuda"
)

// A DLTensor is a tensor of another library in the memory of a card, taken over by DLPack. It is an argument of a
// launch as a [Buffer] is, and [DLBuffer] makes a buffer of it.
type DLTensor struct {
	Layout   cute.Layout // one mode for each dimension, with strides in elements
	Type     dtype.Type  // b8 for a boolean
	ReadOnly bool        // nothing may write the elements: the caller has to obey

	r    *resource
	addr uint64 // of the element at offset 0
	low  uint64 // of the element with the lowest address
	size int64  // bytes from low to the end of the highest element
}

// FromDLPack takes over the tensor of the DLManagedTensor at an address, which a capsule of Python contains under the
// name dltensor: DLPack before version 1. [DLTensor.Close] waits for queued work and then calls the deleter, once. If
// FromDLPack fails, the tensor stays with the caller.
//
// The error has the code [Argument] if at is 0 or not a multiple of 8, if the tensor is not in the memory of the card d
// (kDLCUDA), has more than 64 dimensions, an extent below 1, more than one lane, a type that package dtype does not
// have, or offsets that exceed 64 bits, or if the driver does not know the memory as [ForeignBuffer] requires it.
func (d *Device) FromDLPack(at uint64) (*DLTensor, error) {
	return d.fromDLPack(at, cuda.ReadManaged)
}

// FromDLPackVersioned is [Device.FromDLPack] for a DLManagedTensorVersioned, whose capsule has the name
// dltensor_versioned. Its major version must be 1, and elements of fewer than 8 bits must not be padded.
func (d *Device) FromDLPackVersioned(at uint64) (*DLTensor, error) {
	return d.fromDLPack(at, cuda.ReadVersioned)
}

func (d *Device) fromDLPack(at uint64, read func(uintptr) cuda.DLManaged) (*DLTensor, error) {
	if err := d.alive(); err != nil {
		return nil, err
	}
	if at == 0 || at%8 != 0 {
		return nil, wrong("no structure of DLPack is at the address %#x", at)
	}
	m := read(uintptr(at))
	t, err := tensorOfDLPack(m, d)
	if err != nil {
		return nil, err
	}
	if err := d.covers(t.low, t.size); err != nil {
		return nil, err
	}
	t.r = d.own(func() *cuda.Failure {
		d.drain()
		m.Release()
		return nil
	})
	return t, nil
}

const (
	placeCard = 2  // kDLCUDA, a DLDeviceType
	maxRank   = 64 // of a tensor that is read
)

// tensorOfDLPack reads what m says, without the driver.
func tensorOfDLPack(m cuda.DLManaged, d *Device) (*DLTensor, error) {
	t := m.Tensor
	if t == nil {
		return nil, wrong("DLPack %d.%d: the version %d is supported", m.Major, m.Minor, cuda.DLMajor)
	}
	if err := d.holds(t); err != nil {
		return nil, err
	}
	typ, err := elementOf(m)
	if err != nil {
		return nil, err
	}
	l, err := layoutOf(t)
	if err != nil {
		return nil, err
	}
	result := &DLTensor{Layout: l, Type: typ, ReadOnly: m.Flags&cuda.DLReadOnly != 0, addr: uint64(t.Data) + t.Offset}
	if result.addr < t.Offset {
		return nil, wrong("the address %#x and the offset of %d bytes exceed 64 bits", t.Data, t.Offset)
	}
	if bytes := max(uint64(typ.Bits())/8, 1); result.addr%bytes != 0 {
		return nil, wrong("the address %#x is not a multiple of %d, the bytes of an element", result.addr, bytes)
	}
	lo, hi, err := byteRange(l, typ)
	if err != nil {
		return nil, err
	}
	if uint64(-lo) > result.addr || uint64(hi) > math.MaxUint64-result.addr {
		return nil, wrong("bytes %d to %d of the address %#x exceed 64 bits", lo, hi-1, result.addr)
	}
	result.low, result.size = result.addr-uint64(-lo), hi-lo
	return result, nil
}

// holds returns an error unless t says that it is in the memory of d.
func (d *Device) holds(t *cuda.DLTensor) error {
	switch {
	case t.Place != placeCard:
		return wrong("the tensor is on a device of the type %d, and %d is expected, a card of CUDA: copy it to the card",
			t.Place, placeCard)
	case int(t.Device) != d.info.Index:
		return wrong("the tensor is on device %d, not on %s", t.Device, d.name())
	}
	return nil
}

// elementOf returns the type of the elements of m.
func elementOf(m cuda.DLManaged) (dtype.Type, error) {
	t := m.Tensor
	if t.Lanes != 1 {
		return 0, wrong("an element has %d lanes, and 1 is expected: add a dimension for the lanes", t.Lanes)
	}
	typ, ok := typeOfDLPack(t.Code, t.Bits)
	if !ok {
		return 0, wrong("the elements have the type code %d with %d bits, which girih does not have", t.Code, t.Bits)
	}
	if m.Flags&cuda.DLPadded != 0 && t.Bits < 8 {
		return 0, wrong("each element of %d bits is padded to a byte: pack the elements, or pass them as u8", t.Bits)
	}
	return typ, nil
}

// layoutOf returns the layout of t. Without strides the last mode is contiguous.
func layoutOf(t *cuda.DLTensor) (l cute.Layout, err error) {
	if t.Rank < 0 || t.Rank > maxRank {
		return l, wrong("the tensor has %d dimensions: 0 to %d", t.Rank, maxRank)
	}
	shape, strides := t.Extents()
	if t.Rank > 0 && shape == nil {
		return l, wrong("the tensor has %d dimensions and no shape", t.Rank)
	}
	for i, n := range shape {
		if n < 1 {
			return l, wrong("dimension %d has %d elements: a layout has at least 1", i, n)
		}
	}
	if strides == nil {
		l, err = cute.LayoutRight(cute.Ints(shape...))
	} else {
		l, err = cute.New(cute.Ints(shape...), cute.Ints(strides...))
	}
	if err != nil {
		return l, wrong("a tensor of the shape %d and the strides %d: %v", shape, strides, err)
	}
	return l, nil
}

// byteRange returns the bytes from lo to hi, hi excluded, that the elements of l occupy, counted from the element at
// offset 0: lo <= 0 < hi.
func byteRange(l cute.Layout, t dtype.Type) (lo, hi int64, err error) {
	for i := range l.Shape().LeafCount() {
		n, stride := l.Leaf(i)
		lo += min(0, (n-1)*stride)
		hi += max(0, (n-1)*stride)
	}
	bits := int64(t.Bits())
	if lo < -math.MaxInt64/64 || hi > math.MaxInt64/64-1 {
		return 0, 0, wrong("offsets from %d to %d in elements of %d bits exceed 64 bits", lo, hi, bits)
	}
	return (lo * bits) >> 3, ((hi+1)*bits + 7) >> 3, nil
}

// Addr returns the address of the element at offset 0, which is the lowest address unless strides are negative.
func (t *DLTensor) Addr() uint64 { return t.addr }

// Close waits for queued work and calls the deleter of the tensor, if it has one. The error has the code [Left] if
// abandoned work is still running, and [Argument] while another library holds the tensor by [Buffer.ToDLPack].
func (t *DLTensor) Close() error { return t.r.close() }

func (t *DLTensor) device() *Device { return t.r.device }
func (t *DLTensor) alive() error    { return t.r.alive("the tensor") }

// DLBuffer returns the memory of t, from its lowest to its highest element, as a buffer that is closed with t. If the
// strides leave gaps, these are in the buffer, too. The error has the code [Argument] if elements of t and T differ in
// size.
func DLBuffer[T Element](t *DLTensor) (*Buffer[T], error) {
	var x T
	size := int64(unsafe.Sizeof(x))
	if int64(t.Type.Bits()) != 8*size {
		return nil, wrong("elements of %s have %d bits, and %T has %d", t.Type, t.Type.Bits(), x, 8*size)
	}
	return &Buffer[T]{r: t.r, addr: cuda.Addr(t.low), n: int(t.size / size)}, nil
}

// ToDLPack makes a DLManagedTensor of the elements of b at the offsets of l and returns its address, which a capsule of
// Python takes under the name dltensor. Nested modes of l become dimensions. The user of the tensor calls its deleter;
// until then b cannot be closed. Work that is queued on b is not awaited: order the user's stream by an [Event], or
// wait.
//
// The error has the code [Argument] if t and T differ in size (types of fewer than 8 bits are packed in bytes), if
// DLPack does not have t, if an offset of l is outside of b, if strides are coordinates, or if b was closed. It has the
// code [Failed] on a system on which C cannot call Go.
func (b *Buffer[T]) ToDLPack(t dtype.Type, l cute.Layout) (uint64, error) {
	return b.toDLPack(t, l, cuda.DLExport.MakeManaged)
}

// ToDLPackVersioned is [Buffer.ToDLPack] for a DLManagedTensorVersioned of version 1.1, whose capsule has the name
// dltensor_versioned.
func (b *Buffer[T]) ToDLPackVersioned(t dtype.Type, l cute.Layout) (uint64, error) {
	return b.toDLPack(t, l, cuda.DLExport.MakeVersioned)
}

func (b *Buffer[T]) toDLPack(t dtype.Type, l cute.Layout, export func(cuda.DLExport) uintptr) (uint64, error) {
	if err := b.alive(); err != nil {
		return 0, err
	}
	var x T
	d := b.device()
	c, has := dlpackCode(t)
	switch size := int(unsafe.Sizeof(x)); {
	case !has:
		return 0, wrong("DLPack has no type for elements of %s", t)
	case t.Bits() != 8*size && (t.Bits() > 8 || size > 1):
		return 0, wrong("elements of %s have %d bits, and %T has %d", t, t.Bits(), x, 8*size)
	case l.HasBasis():
		return 0, wrong("the strides of %s are coordinates, and a tensor has strides in elements", l)
	}
	lo, hi, err := byteRange(l, t)
	if err != nil {
		return 0, err
	}
	if have := int64(b.n) * int64(unsafe.Sizeof(x)); lo < 0 || hi > have {
		return 0, wrong("elements of %s have the bytes %d to %d, and the buffer has the bytes 0 to %d", l, lo, hi-1, have-1)
	}
	var shape, strides []int64
	for i := range l.Shape().LeafCount() {
		n, stride := l.Leaf(i)
		shape, strides = append(shape, n), append(strides, stride)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.live[b.r] {
		return 0, wrong("the buffer was closed")
	}
	at := export(cuda.DLExport{
		Tensor: cuda.DLTensor{
			Data: uintptr(b.addr), Place: placeCard, Device: int32(d.info.Index), Code: c, Bits: uint8(t.Bits()), Lanes: 1,
		},
		Shape: shape, Strides: strides, Done: func() { b.r.shared.Add(-1) },
	})
	if at == 0 {
		return 0, &Error{Code: Failed, Message: "C cannot call Go on this system, and DLPack needs a deleter"}
	}
	b.r.shared.Add(1)
	return uint64(at), nil
}

// dlpackTypes lists the types of DLPack by their DLDataTypeCode, in the order of the codes. Package dtype does
// not have the codes 3 (handles), 5 (complex numbers), 7, 8 and 9 (e3m4, e4m3 with infinity, e4m3b11fnuz).
var dlpackTypes = [...][]dtype.Type{
	0:  {dtype.S2, dtype.S4, dtype.S6, dtype.S8, dtype.S16, dtype.S32, dtype.S64},
	1:  {dtype.U1, dtype.U2, dtype.U3, dtype.U4, dtype.U6, dtype.U8, dtype.U16, dtype.U32, dtype.U64},
	2:  {dtype.F16, dtype.F32, dtype.F64},
	4:  {dtype.BF16},
	6:  {dtype.B8}, // a boolean
	10: {dtype.E4M3},
	11: {dtype.E4M3FNUZ},
	12: {dtype.E5M2},
	13: {dtype.E5M2FNUZ},
	14: {dtype.UE8M0},
	15: {dtype.E2M3},
	16: {dtype.E3M2},
	17: {dtype.E2M1},
}

func typeOfDLPack(code, bits uint8) (dtype.Type, bool) {
	if int(code) < len(dlpackTypes) {
		for _, t := range dlpackTypes[code] {
			if t.Bits() == int(bits) {
				return t, true
			}
		}
	}
	return 0, false
}

func dlpackCode(t dtype.Type) (uint8, bool) {
	for code, types := range dlpackTypes {
		for _, x := range types {
			if x == t {
				return uint8(code), true
			}
		}
	}
	return 0, false
}
