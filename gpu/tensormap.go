package gpu

import (
	"fmt"
	"slices"

	"girih/internal/card/cuda"
)

// A TensorMap describes a tensor in the card's memory to the PTX instructions that copy boxes of it. It is an argument
// for a parameter of 128 bytes at a multiple of 64. [Device.TensorMap] makes it.
type TensorMap [128]byte

// TensorType is a type of the elements of a [Tensor], a CUtensorMapDataType.
type TensorType int

// Types of the elements of a [Tensor].
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
	TensorU4Align16 // 16 elements of 4 bits in 8 bytes, 16 bytes in shared memory
	TensorU6Align16 // 16 elements of 6 bits in 12 bytes, 16 bytes in shared memory
)

// TensorSwizzle is the swizzle of a box of a [Tensor] in shared memory, a CUtensorMapSwizzle.
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

// TensorInterleave is the arrangement of a [Tensor]'s channels in the card's memory, a CUtensorMapInterleave: in slices
// of 16 or 32 bytes, or not in slices.
type TensorInterleave int

// Interleavings of the channels of a [Tensor], in bytes.
const (
	InterleaveNone TensorInterleave = iota
	Interleave16B
	Interleave32B
)

// A Tensor has the fields that a [TensorMap] encodes. In its first mode, neighbours are adjacent in memory.
type Tensor struct {
	Type       TensorType
	Addr       uint64   // at a multiple of 16
	Shape      []uint64 // elements
	Stride     []uint64 // bytes, of each mode but the first
	Box        []uint32 // elements; not for an im2col map
	Im2col     *Im2col  // for a map of pixels; nil for a map of boxes
	Step       []uint32 // elements; nil for 1 everywhere
	Interleave TensorInterleave
	Swizzle    TensorSwizzle
	Promote    int  // how much a miss reads into the L2: 0, 64, 128 or 256 bytes
	NaN        bool // elements outside are NaN instead of 0
}

// Im2col selects the pixels that a copy reads of a [Tensor] with modes for channels, pixels along W, H and D, and
// images: those from the lower corner to the upper corner, which is counted from the far end of the tensor.
type Im2col struct {
	Lower, Upper []int32 // of each mode of pixels, W first
	Channels     uint32  // of each pixel
	Pixels       uint32  // of a copy
}

// TensorMap encodes t. The error has the code [Argument] where the lengths of its lists do not match, and [Failed]
// where the driver refuses a value, without a reason.
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

// promotions are the bytes of each CUtensorMapL2promotion.
var promotions = []int{0, 64, 128, 256}

// check returns an error with the code [Argument] where the driver would read past the end of a list.
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
