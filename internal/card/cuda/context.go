package cuda

import (
	"fmt"
	"runtime"
	"unsafe"

	"girih/fault"
)

// A Context is the primary context of a device, which other libraries in the process share, or a context that another
// library made.
type Context struct {
	device  *Device
	handle  uintptr
	foreign bool // another library destroys it
}

// Context retains the primary context; [Context.Close] releases it.
func (v *Device) Context() (*Context, *Failure) {
	c := &Context{device: v}
	if err := v.driver.call(cuDevicePrimaryCtxRetain, uintptr(unsafe.Pointer(&c.handle)), uintptr(v.id)); err != nil {
		return nil, err
	}
	return c, nil
}

// Current returns the context that is current on the calling thread, or 0.
func (d *Driver) Current() (handle uintptr, err *Failure) {
	err = d.call(cuCtxGetCurrent, uintptr(unsafe.Pointer(&handle)))
	return handle, err
}

// Foreign returns the context of another library and the number of its device. The driver reads the memory that handle
// points to.
func (d *Driver) Foreign(handle uintptr) (c *Context, index int, err *Failure) {
	c = &Context{device: &Device{driver: d}, handle: handle, foreign: true}
	var id int32
	if err := c.call(cuCtxGetDevice, uintptr(unsafe.Pointer(&id))); err != nil {
		return nil, 0, err
	}
	n, err := d.Devices()
	for i := 0; err == nil && i < n; i++ {
		if c.device, err = d.Device(i); err == nil && c.device.id == id {
			return c, i, nil
		}
	}
	if err == nil {
		err = &Failure{Code: fault.NoDevice, Message: fmt.Sprintf("the context is of device %d: the driver knows %d", id, n)}
	}
	return nil, 0, err
}

// Close releases the context, unless it is foreign. The driver waits for running work.
func (c *Context) Close() *Failure {
	if c.foreign {
		return nil
	}
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
	back, status := c.makeCurrent()
	if status != 0 {
		return status, false
	}
	status = int32(invoke(d.addr[e], args...))
	c.leave(back)
	return status, true
}

// makeCurrent makes the context current on the calling thread. The other context that was current is back, which leave
// makes current again: another library may rely on it. A thread without a context keeps c, which spares the next call.
func (c *Context) makeCurrent() (back uintptr, status int32) {
	addr := &c.device.driver.addr
	var now uintptr
	if status := int32(invoke(addr[cuCtxGetCurrent], uintptr(unsafe.Pointer(&now)))); status != 0 {
		return 0, status
	}
	if now == c.handle {
		return 0, 0
	}
	return now, int32(invoke(addr[cuCtxSetCurrent], c.handle))
}

func (c *Context) leave(back uintptr) {
	if back != 0 {
		_ = invoke(c.device.driver.addr[cuCtxSetCurrent], back) // a context that is destroyed meanwhile stays away
	}
}

// Do calls f on a thread on which the context is current.
func (c *Context) Do(f func()) *Failure {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	back, status := c.makeCurrent()
	if status != 0 {
		return c.device.driver.check(cuCtxSetCurrent, status)
	}
	defer c.leave(back)
	f()
	return nil
}

// Handle returns the CUcontext.
func (c *Context) Handle() uintptr { return c.handle }

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
