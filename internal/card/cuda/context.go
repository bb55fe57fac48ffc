package cuda

import (
	"fmt"
	"runtime"
	"unsafe"
)

// A Context is the primary context of a device, which other libraries of the process share.
type Context struct {
	device *Device
	handle uintptr
}

// Context returns the primary context, which [Context.Close] gives back.
func (v *Device) Context() (*Context, error) {
	c := &Context{device: v}
	if err := v.driver.call(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&c.handle)), uintptr(v.id)); err != nil {
		return nil, err
	}
	return c, nil
}

// Close gives the context back. The driver waits for what still runs.
func (c *Context) Close() error {
	return c.device.driver.call(cuDevicePrimaryCtxRelease, uintptr(c.device.id))
}

// Device returns the device of c.
func (c *Context) Device() *Device { return c.device }

// call calls a function in the context.
//
//go:uintptrescapes
func (c *Context) call(e entry, args ...uintptr) error {
	d := c.device.driver
	status, set := c.enter(e, args)
	if !set {
		return d.check(cuCtxSetCurrent, status)
	}
	return d.check(e, status)
}

// enter returns the status of the call, or that of making the context current.
func (c *Context) enter(e entry, args []uintptr) (status int32, set bool) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d := c.device.driver
	if status := int32(invoke(d.addr[cuCtxSetCurrent], c.handle)); status != 0 {
		return status, false
	}
	return int32(invoke(d.addr[e], args...)), true
}

// Free returns how many bytes of the card's memory are free, and how many there are.
func (c *Context) Free() (free, total int64, err error) {
	var f, t uintptr
	err = c.call(cuMemGetInfo, uintptr(unsafe.Pointer(&f)), uintptr(unsafe.Pointer(&t)))
	return int64(f), int64(t), err
}

// Addr is an address in the memory of the card.
type Addr uint64

// Alloc takes n bytes of the card's memory, at a multiple of 256. The error has the code [OutOfMemory] if they are not
// there.
func (c *Context) Alloc(n int64) (Addr, error) {
	if n <= 0 {
		return 0, &Error{Code: Argument, Message: fmt.Sprintf("a buffer of %d bytes: it needs 1 at least", n)}
	}
	var a Addr
	err := c.call(cuMemAlloc, uintptr(unsafe.Pointer(&a)), uintptr(n))
	if e, ok := err.(*Error); ok {
		e.Message = fmt.Sprintf("no %d bytes", n)
		if free, total, err := c.Free(); err == nil {
			e.Message += fmt.Sprintf(" (%d of %d are free)", free, total)
		}
	}
	return a, err
}

// Release gives memory of [Context.Alloc] back. The driver waits for kernels that run.
func (c *Context) Release(a Addr) error { return c.call(cuMemFree, uintptr(a)) }

// HostAlloc takes n bytes of the host's memory that the card reads and writes without help of the processor: copies of
// it need not wait. The card knows it by the same address.
func (c *Context) HostAlloc(n int64) (unsafe.Pointer, error) {
	if n <= 0 {
		return nil, &Error{Code: Argument, Message: fmt.Sprintf("a pinned buffer of %d bytes: it needs 1 at least", n)}
	}
	var p unsafe.Pointer
	const portable, mapped = 1, 2
	err := c.call(cuMemHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(n), portable|mapped)
	if e, ok := err.(*Error); ok {
		e.Message = fmt.Sprintf("no %d bytes of pinned memory", n)
	}
	return p, err
}

// HostRelease gives memory of [Context.HostAlloc] back.
func (c *Context) HostRelease(p unsafe.Pointer) error { return c.call(cuMemFreeHost, uintptr(p)) }
