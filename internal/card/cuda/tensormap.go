package cuda

import "unsafe"

// A Tensor has the arguments of cuTensorMapEncodeTiled, or of cuTensorMapEncodeIm2col if Im2col is not nil. Package gpu
// documents and checks them: the driver reads past the end of a list that is too short.
type Tensor struct {
	Type, Interleave, Swizzle, Promote, Fill int
	Addr                                     uint64
	Shape, Stride                            []uint64
	Box, Step                                []uint32
	Im2col                                   *Im2col
}

// Im2col has the arguments of cuTensorMapEncodeIm2col instead of the box.
type Im2col struct {
	Lower, Upper     []int32
	Channels, Pixels uint32
}

// TensorMap encodes t. It needs a context: without one the driver refuses legal maps, and encodes others that no card
// executes.
func (c *Context) TensorMap(t Tensor) ([128]byte, *Failure) {
	stride := append(append([]uint64{}, t.Stride...), 0) // the extra element gives the slice an address even for rank 1
	// The driver writes to a multiple of 64 bytes.
	buffer := make([]byte, 192)
	at := (64 - uintptr(unsafe.Pointer(&buffer[0]))%64) % 64
	// Converting inside the call keeps the objects in place while the driver reads them.
	if p := t.Im2col; p != nil {
		err := c.call(cuTensorMapEncodeIm2col,
			uintptr(unsafe.Pointer(&buffer[at])), uintptr(t.Type), uintptr(len(t.Shape)), uintptr(t.Addr),
			uintptr(unsafe.Pointer(&t.Shape[0])), uintptr(unsafe.Pointer(&stride[0])),
			uintptr(unsafe.Pointer(&p.Lower[0])), uintptr(unsafe.Pointer(&p.Upper[0])),
			uintptr(p.Channels), uintptr(p.Pixels), uintptr(unsafe.Pointer(&t.Step[0])),
			uintptr(t.Interleave), uintptr(t.Swizzle), uintptr(t.Promote), uintptr(t.Fill))
		return [128]byte(buffer[at : at+128]), err
	}
	err := c.call(cuTensorMapEncodeTiled,
		uintptr(unsafe.Pointer(&buffer[at])), uintptr(t.Type), uintptr(len(t.Shape)), uintptr(t.Addr),
		uintptr(unsafe.Pointer(&t.Shape[0])), uintptr(unsafe.Pointer(&stride[0])), uintptr(unsafe.Pointer(&t.Box[0])),
		uintptr(unsafe.Pointer(&t.Step[0])), uintptr(t.Interleave), uintptr(t.Swizzle), uintptr(t.Promote), uintptr(t.Fill))
	return [128]byte(buffer[at : at+128]), err
}
