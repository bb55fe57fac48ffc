package cuda

import (
	"fmt"
	"runtime"
	"unsafe"

	"girih/fault"
)

// A Context is the primary context of a device. Other libraries in the process share it.
type Context struct {
	device *Device
	handle uintptr
}

// Context retains the primary context; [Context.Close] releases it.
func (v *Device) Context() (*Context, *Failure) {
	c := &Context{device: v}
	if err := v.driver.call(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&c.handle)), uintptr(v.id)); err != nil {
		return nil, err
	}
	return c, nil
}

// Close releases the context. The driver waits for running work.
func (c *Context) Close() *Failure {
	return c.device.driver.call(cuDevicePrimaryCtxRelease, uintptr(c.device.id))
}

// Device returns the device of c.
func (c *Context) Device() *Device { return c.device }

// call calls a function in the context.
//
//go:uintptrescapes
func (c *Context) call(e entry, args ...uintptr) *Failure {
	d := c.device.driver
	status, set := c.enter(e, args)
	if !set {
		return d.check(cuCtxSetCurrent, status)
	}
	return d.check(e, status)
}

// enter makes the context current and calls e. If the first step fails, set is false and status is its status.
func (c *Context) enter(e entry, args []uintptr) (status int32, set bool) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	d := c.device.driver
	if status := int32(invoke(d.addr[cuCtxSetCurrent], c.handle)); status != 0 {
		return status, false
	}
	return int32(invoke(d.addr[e], args...)), true
}

// Free returns the free and the total bytes of the card's memory.
func (c *Context) Free() (free, total int64, err *Failure) {
	var f, t uintptr
	err = c.call(cuMemGetInfo, uintptr(unsafe.Pointer(&f)), uintptr(unsafe.Pointer(&t)))
	return int64(f), int64(t), err
}

// Addr is an address in the memory of the card.
type Addr uint64

// Alloc allocates n bytes of the card's memory, at a multiple of 256. The failure has the code [fault.OutOfMemory] if
// there is not enough.
func (c *Context) Alloc(n int64) (Addr, *Failure) {
	if n <= 0 {
		return 0, &Failure{Code: fault.Argument, Message: fmt.Sprintf("a buffer of %d bytes: it needs 1 at least", n)}
	}
	var a Addr
	err := c.call(cuMemAlloc, uintptr(unsafe.Pointer(&a)), uintptr(n))
	if err != nil {
		err.Message = fmt.Sprintf("no %d bytes", n)
		if free, total, unknown := c.Free(); unknown == nil {
			err.Message += fmt.Sprintf(" (%d of %d are free)", free, total)
		}
	}
	return a, err
}

// Release frees memory of [Context.Alloc]. The driver waits for running kernels.
func (c *Context) Release(a Addr) *Failure { return c.call(cuMemFree, uintptr(a)) }

// HostAlloc allocates n bytes of pinned memory of the host, which the card reads and writes itself: copies need not
// wait. The card uses the same address for this memory.
func (c *Context) HostAlloc(n int64) (unsafe.Pointer, *Failure) {
	if n <= 0 {
		return nil, &Failure{Code: fault.Argument, Message: fmt.Sprintf("a pinned buffer of %d bytes: it needs 1 at least", n)}
	}
	var p unsafe.Pointer
	const portable, mapped = 1, 2
	err := c.call(cuMemHostAlloc, uintptr(unsafe.Pointer(&p)), uintptr(n), portable|mapped)
	if err != nil {
		err.Message = fmt.Sprintf("no %d bytes of pinned memory", n)
	}
	return p, err
}

// HostRelease frees memory of [Context.HostAlloc].
func (c *Context) HostRelease(p unsafe.Pointer) *Failure { return c.call(cuMemFreeHost, uintptr(p)) }
