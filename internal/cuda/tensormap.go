package cuda

import (
	"fmt"
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
)

// TensorSwizzle is how a box lies in shared memory, a CUtensorMapSwizzle.
type TensorSwizzle int

// Swizzles.
const (
	SwizzleNone TensorSwizzle = iota
	Swizzle32B
	Swizzle64B
	Swizzle128B
)

// A Tensor is what a [TensorMap] is made of. Its first mode is the one whose elements are neighbours.
type Tensor struct {
	Type    TensorType
	Addr    uint64   // at a multiple of 16
	Shape   []uint64 // elements
	Stride  []uint64 // bytes, of each mode but the first
	Box     []uint32 // elements
	Step    []uint32 // elements; nil for 1 everywhere
	Swizzle TensorSwizzle
	Promote int  // what a miss reads into the L2: 0, 64, 128 or 256 bytes
	NaN     bool // elements outside are NaN instead of 0
}

// TensorMap encodes t. The error has the code [Argument] where the lists do not belong together, or is the driver's,
// which says no more than that a value is invalid.
func (d *Driver) TensorMap(t Tensor) (TensorMap, error) {
	rank := len(t.Shape)
	step := t.Step
	if step == nil {
		step = []uint32{1, 1, 1, 1, 1}[:min(rank, 5)]
	}
	promote, ok := map[int]uintptr{0: 0, 64: 1, 128: 2, 256: 3}[t.Promote]
	switch {
	case rank < 1 || rank > 5:
		return TensorMap{}, &Error{Code: Argument, Message: fmt.Sprintf("a tensor map of rank %d: it has 1 to 5 modes", rank)}
	case len(t.Stride) != rank-1 || len(t.Box) != rank || len(step) != rank:
		return TensorMap{}, &Error{Code: Argument, Message: fmt.Sprintf(
			"a tensor map of rank %d with %d strides, %d extents of the box and %d steps: it needs %d, %d and %d",
			rank, len(t.Stride), len(t.Box), len(step), rank-1, rank, rank)}
	case !ok:
		return TensorMap{}, &Error{Code: Argument, Message: fmt.Sprintf("%d bytes into the L2: 0, 64, 128 or 256", t.Promote)}
	}
	stride := append(append([]uint64{}, t.Stride...), 0) // a pointer to something, for rank 1 too
	nan := uintptr(0)
	if t.NaN {
		nan = 1
	}
	// The driver writes to a multiple of 64 bytes.
	room := make([]byte, 192)
	at := (64 - uintptr(unsafe.Pointer(&room[0]))%64) % 64
	err := d.call(cuTensorMapEncodeTiled,
		uintptr(unsafe.Pointer(&room[at])), uintptr(t.Type), uintptr(rank), uintptr(t.Addr),
		uintptr(unsafe.Pointer(&t.Shape[0])), uintptr(unsafe.Pointer(&stride[0])), uintptr(unsafe.Pointer(&t.Box[0])),
		uintptr(unsafe.Pointer(&step[0])), 0, uintptr(t.Swizzle), promote, nan)
	return TensorMap(room[at : at+128]), err
}
