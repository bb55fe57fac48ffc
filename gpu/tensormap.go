package gpu

import (
	"fmt"
	"slices"

	"girih/internal/card/cuda"
)

// A TensorMap describes a tensor in the card's memory to the PTX instructions that copy boxes of the tensor. A kernel
// takes it as a parameter of 128 bytes at a multiple of 64. [Device.TensorMap] makes a TensorMap.
type TensorMap [128]byte

// TensorType is the element type of a [Tensor], a CUtensorMapDataType.
type TensorType int

// Element types of a [Tensor].
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
	TensorU4Align16 // 16 elements of 4 bits in 8 bytes, or in 16 bytes of shared memory
	TensorU6Align16 // 16 elements of 6 bits in 12 bytes, or in 16 bytes of shared memory
)

// TensorSwizzle is the swizzle of a [Tensor]'s boxes in shared memory, a CUtensorMapSwizzle.
type TensorSwizzle int

// Swizzles of a [Tensor].
const (
	SwizzleNone TensorSwizzle = iota
	Swizzle32B
	Swizzle64B
	Swizzle128B
	Swizzle128BAtom32B
	Swizzle128BAtom32BFlip8B
	Swizzle128BAtom64B
)

// TensorInterleave is the arrangement of a [Tensor]'s channels in the card's memory, a CUtensorMapInterleave: without
// slices, or in slices of 16 or 32 bytes.
type TensorInterleave int

// Interleavings of a [Tensor]'s channels; the numbers are bytes of a slice.
const (
	InterleaveNone TensorInterleave = iota
	Interleave16B
	Interleave32B
)

// A Tensor contains the values that a [TensorMap] encodes. Neighbours along the first mode are adjacent in memory.
type Tensor struct {
	Type       TensorType
	Addr       uint64   // a multiple of 16
	Shape      []uint64 // elements
	Stride     []uint64 // bytes, for each mode but the first
	Box        []uint32 // elements; unused for an im2col map
	Im2col     *Im2col  // the parameters of an im2col map; nil for a map of boxes
	Step       []uint32 // elements; nil for 1 everywhere
	Interleave TensorInterleave
	Swizzle    TensorSwizzle
	Promote    int  // bytes that a miss reads into the L2: 0, 64, 128 or 256
	NaN        bool // elements outside the tensor are NaN instead of 0
}

// Im2col selects the pixels that a copy reads from a [Tensor] whose modes are channels, pixels along W, H and D, and
// images: the pixels from the lower corner to the upper corner. The upper corner counts from the tensor's far end.
type Im2col struct {
	Lower, Upper []int32 // the corners in each mode of pixels, W first
	Channels     uint32  // per pixel
	Pixels       uint32  // per copy
}

// TensorMap encodes t. The error has the code [Argument] if the lengths of t's lists do not match, and [Failed] if the
// driver refuses a value, for which the driver gives no reason.
func (d *Device) TensorMap(t Tensor) (TensorMap, error) {
	if t.Step == nil {
		t.Step = slices.Repeat([]uint32{1}, len(t.Shape))
	}
	if err := t.check(); err != nil {
		return TensorMap{}, err
	}
	c := cuda.Tensor{
		Type: int(t.Type), Interleave: int(t.Interleave), Swizzle: int(t.Swizzle), Promote: slices.Index(promotions, t.Promote),
		Addr: t.Addr, Shape: t.Shape, Stride: t.Stride, Box: t.Box, Step: t.Step, Im2col: (*cuda.Im2col)(t.Im2col),
	}
	if t.NaN {
		c.Fill = 1
	}
	m, err := d.ctx.TensorMap(c)
	return m, failure(err)
}

// promotions lists the number of bytes for each CUtensorMapL2promotion.
var promotions = []int{0, 64, 128, 256}

// check returns an error with the code [Argument] if the driver would read past the end of a list.
func (t *Tensor) check() error {
	rank := len(t.Shape)
	refuse := func(format string, args ...any) error {
		return wrong("a tensor map of rank %d%s", rank, fmt.Sprintf(format, args...))
	}
	switch p := t.Im2col; {
	case rank < 1 || rank > 5:
		return refuse(": it has 1 to 5 modes")
	case len(t.Stride) != rank-1 || len(t.Step) != rank:
		return refuse(" with %d strides and %d steps: it needs %d and %d", len(t.Stride), len(t.Step), rank-1, rank)
	case p == nil && len(t.Box) != rank:
		return refuse(" with %d extents of the box: it needs %d", len(t.Box), rank)
	case p != nil && (rank < 3 || len(p.Lower) != rank-2 || len(p.Upper) != rank-2):
		return refuse(" with corners of %d and %d modes of pixels: it has at least 3 modes, and they have 2 fewer",
			len(p.Lower), len(p.Upper))
	case !slices.Contains(promotions, t.Promote):
		return refuse(" and %d bytes into the L2: 0, 64, 128 or 256", t.Promote)
	}
	return nil
}
