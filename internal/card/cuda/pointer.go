package cuda

import (
	"unsafe"

	"girih/fault"
)

// A Pointer is what the driver knows of an address.
type Pointer struct {
	Card    bool    // memory of a card, not of the host
	Device  int     // the number of the card
	Context uintptr // 0 for memory of pools and of cuMemMap, which belongs to no context
	// The allocation that has the address. Memory of cuMemMap counts as the whole range of addresses that was reserved.
	Start Addr
	Size  int64
}

// Values of CUpointer_attribute.
const (
	pointerContext = 1
	pointerType    = 2
	pointerDevice  = 9
	pointerStart   = 11
	pointerSize    = 12
)

// Pointer asks the driver for the memory at a. The failure has the code [fault.Failed] if the driver does not know it.
func (c *Context) Pointer(a Addr) (p Pointer, err *Failure) {
	var kind uint32
	var device int32
	var start, size, context uint64
	for _, x := range []struct {
		attr uintptr
		to   unsafe.Pointer
	}{
		{pointerType, unsafe.Pointer(&kind)},
		{pointerDevice, unsafe.Pointer(&device)},
		{pointerStart, unsafe.Pointer(&start)},
		{pointerSize, unsafe.Pointer(&size)},
	} {
		if err := c.call(cuPointerGetAttribute, uintptr(x.to), x.attr, uintptr(a)); err != nil {
			return Pointer{}, err
		}
	}
	if c.call(cuPointerGetAttribute, uintptr(unsafe.Pointer(&context)), pointerContext, uintptr(a)) != nil {
		context = 0
	}
	const card = 2
	return Pointer{kind == card, int(device), uintptr(context), Addr(start), int64(size)}, nil
}

// IPCBytes is the size of a CUipcMemHandle.
const IPCBytes = 64

// Share returns the handle by which another process opens the allocation that has the address a.
func (c *Context) Share(a Addr) (h [IPCBytes]byte, err *Failure) {
	b := make([]byte, IPCBytes)
	err = c.call(cuIpcGetMemHandle, uintptr(unsafe.Pointer(&b[0])), uintptr(a))
	return [IPCBytes]byte(b), err
}

// OpenShared returns the address of the allocation that another process shares.
func (c *Context) OpenShared(h [IPCBytes]byte) (a Addr, err *Failure) {
	if !sharing {
		return 0, &Failure{Code: fault.Failed, Message: "memory of other processes is opened on Linux only"}
	}
	const lazyPeer = 1
	to, from := new(Addr), h
	if failed := c.Do(func() {
		status := openShared(c.device.driver.addr[cuIpcOpenMemHandle], unsafe.Pointer(to), &from, lazyPeer)
		err = c.device.driver.check(cuIpcOpenMemHandle, int32(status))
	}); failed != nil {
		return 0, failed
	}
	return *to, err
}

// CloseShared closes an allocation of [Context.OpenShared].
func (c *Context) CloseShared(a Addr) *Failure { return c.call(cuIpcCloseMemHandle, uintptr(a)) }
