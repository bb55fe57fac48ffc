//go:build linux

package cuda

import "unsafe"

const sharing = true

// openShared calls fn(to, *h, flags). A structure of 64 bytes that C takes by value is passed by its address.
func openShared(fn uintptr, to unsafe.Pointer, h *[IPCBytes]byte, flags uintptr) uintptr {
	return invoke(fn, uintptr(to), uintptr(unsafe.Pointer(h)), flags)
}
