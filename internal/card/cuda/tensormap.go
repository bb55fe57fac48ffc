package cuda

import (
	"fmt"
	"slices"
	"unsafe"
)

// A TensorMap describes a tensor in the card's memory to the copies of PTX that move boxes of it. It is a parameter of
// a kernel, at a multiple of 64 bytes.
type TensorMap [128]byte

// TensorType is a type of elements, a CUtensorMapDataType.
type TensorType int

// Types of elements.
const (
	TensorU8 TensorType = iota
	TensorU16
	TensorU32
	TensorS32
	TensorU64
	TensorS64
	TensorF16
	TensorF32
	TensorF64
	TensorBF16
	TensorF32FTZ
	TensorTF32
	TensorTF32FTZ
	TensorU4Align8  // 16 elements of 4 bits in 8 bytes
	TensorU4Align16 // 16 elements of 4 bits in 8 bytes, which take 16 of shared memory
	TensorU6Align16 // 16 elements of 6 bits in 12 bytes, which take 16 of shared memory
)

// TensorSwizzle is how a box lies in shared memory, a CUtensorMapSwizzle.
type TensorSwizzle int

// Swizzles.
const (
	SwizzleNone TensorSwizzle = iota
	Swizzle32B
	Swizzle64B
	Swizzle128B
	Swizzle128BAtom32B
	Swizzle128BAtom32BFlip8B
	Swizzle128BAtom64B
)

// TensorInterleave is how channels lie in the card's memory, a CUtensorMapInterleave: in slices of 16 or 32 bytes,
// or not.
type TensorInterleave int

// Interleavings.
const (
	InterleaveNone TensorInterleave = iota
	Interleave16B
	Interleave32B
)

// A Tensor is what a [TensorMap] is made of. Its first mode is the one whose elements are neighbours.
type Tensor struct {
	Type       TensorType
	Addr       uint64   // at a multiple of 16
	Shape      []uint64 // elements
	Stride     []uint64 // bytes, of each mode but the first
	Box        []uint32 // elements; not of an im2col map
	Im2col     *Im2col  // of a map of pixels; nil for a map of boxes
	Step       []uint32 // elements; nil for 1 everywhere
	Interleave TensorInterleave
	Swizzle    TensorSwizzle
	Promote    int  // what a miss reads into the L2: 0, 64, 128 or 256 bytes
	NaN        bool // elements outside are NaN instead of 0
}

// Im2col says which pixels of a tensor of channels, pixels along W, H and D, and images a copy takes: those from the
// lower corner on up to the upper one, which is counted from the far end of the tensor.
type Im2col struct {
	Lower, Upper []int32 // of each mode of pixels, W first
	Channels     uint32  // of each pixel
	Pixels       uint32  // of a copy
}

// TensorMap encodes t. The error has the code [Argument] where the lists do not belong together, or is the driver's,
// which says no more than that a value is invalid. The driver wants a context: without one it refuses maps that are
// legal, and makes others that no card executes.
func (c *Context) TensorMap(t Tensor) (TensorMap, error) {
	rank := len(t.Shape)
	if t.Step == nil {
		t.Step = slices.Repeat([]uint32{1}, rank)
	}
	if err := t.check(); err != nil {
		return TensorMap{}, err
	}
	stride := append(append([]uint64{}, t.Stride...), 0) // a pointer to something, for rank 1 too
	nan := uintptr(0)
	if t.NaN {
		nan = 1
	}
	// The driver writes to a multiple of 64 bytes.
	buffer := make([]byte, 192)
	at := (64 - uintptr(unsafe.Pointer(&buffer[0]))%64) % 64
	// The conversions stand in the calls, so that nothing moves while the driver reads it.
	if p := t.Im2col; p != nil {
		err := c.call(cuTensorMapEncodeIm2col,
			uintptr(unsafe.Pointer(&buffer[at])), uintptr(t.Type), uintptr(rank), uintptr(t.Addr),
			uintptr(unsafe.Pointer(&t.Shape[0])), uintptr(unsafe.Pointer(&stride[0])),
			uintptr(unsafe.Pointer(&p.Lower[0])), uintptr(unsafe.Pointer(&p.Upper[0])),
			uintptr(p.Channels), uintptr(p.Pixels), uintptr(unsafe.Pointer(&t.Step[0])),
			uintptr(t.Interleave), uintptr(t.Swizzle), promotions[t.Promote], nan)
		return TensorMap(buffer[at : at+128]), err
	}
	err := c.call(cuTensorMapEncodeTiled,
		uintptr(unsafe.Pointer(&buffer[at])), uintptr(t.Type), uintptr(rank), uintptr(t.Addr),
		uintptr(unsafe.Pointer(&t.Shape[0])), uintptr(unsafe.Pointer(&stride[0])), uintptr(unsafe.Pointer(&t.Box[0])),
		uintptr(unsafe.Pointer(&t.Step[0])), uintptr(t.Interleave), uintptr(t.Swizzle), promotions[t.Promote], nan)
	return TensorMap(buffer[at : at+128]), err
}

// promotions are the values of CUtensorMapL2promotion, by bytes.
var promotions = map[int]uintptr{0: 0, 64: 1, 128: 2, 256: 3}

// check returns an error with the code [Argument] where the driver would read past the end of a list.
func (t *Tensor) check() error {
	rank := len(t.Shape)
	wrong := func(format string, args ...any) error {
		return &Error{Code: Argument, Message: fmt.Sprintf("a tensor map of rank %d%s", rank, fmt.Sprintf(format, args...))}
	}
	_, promoted := promotions[t.Promote]
	switch p := t.Im2col; {
	case rank < 1 || rank > 5:
		return wrong(": it has 1 to 5 modes")
	case len(t.Stride) != rank-1 || len(t.Step) != rank:
		return wrong(" with %d strides and %d steps: it needs %d and %d", len(t.Stride), len(t.Step), rank-1, rank)
	case p == nil && len(t.Box) != rank:
		return wrong(" with %d extents of the box: it needs %d", len(t.Box), rank)
	case p != nil && (rank < 3 || len(p.Lower) != rank-2 || len(p.Upper) != rank-2):
		return wrong(" with corners of %d and %d modes of pixels: it has at least 3 modes, and they have 2 fewer",
			len(p.Lower), len(p.Upper))
	case !promoted:
		return wrong(" and %d bytes into the L2: 0, 64, 128 or 256", t.Promote)
	}
	return nil
}
