//go:build linux

package cuda

import (
	"encoding/binary"
	"unsafe"
)

const sharing = true

// openShared calls fn(to, *h, flags). A structure of 64 bytes that C takes by value is copied to the stack, after six
// arguments that would be in registers, and flags is the second of these.
func openShared(fn uintptr, to unsafe.Pointer, h *[IPCBytes]byte, flags uintptr) uintptr {
	var w [IPCBytes / 8]uintptr
	for i := range w {
		w[i] = uintptr(binary.LittleEndian.Uint64(h[8*i:]))
	}
	return invoke(fn, uintptr(to), flags, 0, 0, 0, 0, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7])
}
