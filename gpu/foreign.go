package gpu

import (
	"context"
	"fmt"
	"unsafe"

	"girih/internal/card/cuda"
)

// CurrentContext returns the CUcontext that is current on the calling thread, or 0. Goroutines change threads: call
// runtime.LockOSThread before another library makes its context current. The error has the code [NoDriver],
// [OldDriver] or [NoDevice].
func CurrentContext() (uint64, error) {
	driver, err := cuda.Load()
	if err != nil {
		return 0, failure(err)
	}
	h, err := driver.Current()
	return uint64(h), failure(err)
}

// OpenContext opens the device of a CUcontext that another library made and destroys, after the returned device is
// closed. Libraries on the CUDA runtime, such as PyTorch and CuPy, use the primary context, which [Open] shares with
// them: OpenContext is for contexts of cuCtxCreate. The driver does not recognize every number that is not a context,
// so handle must be one. The error has the code [Argument] if handle is 0; OpenContext also returns the errors of
// [Open].
func OpenContext(handle uint64) (*Device, error) {
	if handle == 0 {
		return nil, wrong("the context is 0: no context is current on this thread; the library has to make one first")
	}
	driver, err := cuda.Load()
	if err != nil {
		return nil, failure(err)
	}
	c, index, err := driver.Foreign(uintptr(handle))
	if err != nil {
		return nil, failure(err)
	}
	return open(index, c)
}

// Context returns the CUcontext of d as a number.
func (d *Device) Context() uint64 { return uint64(d.ctx.Handle()) }

// Do calls f on a thread on which the context of d is current, for calls of another library such as cuBLAS. The context
// that was current before is current again after f. Do returns the error of f, or an error with the code [Argument] if
// d was closed.
func (d *Device) Do(f func() error) error {
	if err := d.alive(); err != nil {
		return err
	}
	var result error
	if err := d.ctx.Do(func() { result = f() }); err != nil {
		return failure(err)
	}
	return result
}

// ForeignStream returns the stream of another library, such as torch.cuda.current_stream().cuda_stream. The library
// destroys the stream, after the returned one is closed. 0 is the default stream of the context. The error has the
// code [Argument] if the stream belongs to another context, or if handle is 2, the default stream of a thread:
// goroutines change threads. The driver does not recognize every number that is not a stream, so handle must be one.
//
// A stream that its library captures into a graph takes launches, copies and fills. Until the end of the capture, no
// call may wait for the stream or the device.
func (d *Device) ForeignStream(handle uint64) (*Stream, error) {
	const perThread = 2
	if handle == perThread {
		return nil, wrong("stream %d is the default stream of each thread, and goroutines change threads: "+
			"pass a stream that was created", handle)
	}
	if err := d.alive(); err != nil {
		return nil, err
	}
	s, same, err := d.ctx.ForeignStream(uintptr(handle))
	if err != nil {
		return nil, failure(err)
	}
	if !same {
		return nil, wrong("the stream %#x does not belong to the context of %s", handle, d.name())
	}
	return d.ownStream(s), nil
}

// ForeignBuffer returns the n elements at an address of the card's memory, which another library allocated, such as
// tensor.data_ptr(). Close does not free them and does not wait: the library must keep the memory until queued work is
// done. The error has the code [Argument] if addr is not a multiple of the size of T, if the driver knows no memory of
// d's card and context there, or if the allocation ends before the n elements do. Memory of cuMemMap and of pools
// belongs to no context, and the allocation of cuMemMap is the whole range of addresses that was reserved.
func ForeignBuffer[T Element](d *Device, addr uint64, n int) (*Buffer[T], error) {
	size, err := bytes[T](n)
	if err == nil {
		err = d.alive()
	}
	if err != nil {
		return nil, err
	}
	var x T
	if align := uint64(unsafe.Sizeof(x)); addr%align != 0 {
		return nil, wrong("the address %#x is not a multiple of %d, the size of an element", addr, align)
	}
	if err := d.covers(addr, size); err != nil {
		return nil, err
	}
	return &Buffer[T]{r: d.own(noFree), addr: cuda.Addr(addr), n: n}, nil
}

// drain waits for queued work, before memory goes back to its library.
func (d *Device) drain() {
	for s := range d.open {
		_ = s.poll(context.Background()) // an error that stays is reported by the next call
	}
}

// noFree frees memory of another library: not at all.
func noFree() *cuda.Failure { return nil }

// covers returns an error unless an allocation on d has the size bytes at addr.
func (d *Device) covers(addr uint64, size int64) error {
	p, err := d.ctx.Pointer(cuda.Addr(addr))
	if err != nil {
		return &Error{
			Code: Argument, Message: fmt.Sprintf("the driver knows no memory at %#x", addr),
			Call: err.Call, Status: err.Status, Name: err.Name, Text: err.Text,
		}
	}
	if reason := d.outside(p, addr, size); reason != "" {
		return wrong("%s", reason)
	}
	return nil
}

// outside says why p, what the driver knows of addr, is not size bytes of memory of d; "" if it is.
func (d *Device) outside(p cuda.Pointer, addr uint64, size int64) string {
	at := fmt.Sprintf("the memory at %#x", addr)
	// p has addr, so that neither difference is negative.
	left := uint64(p.Size) - (addr - uint64(p.Start))
	switch {
	case !p.Card:
		return at + " belongs to the host, not to a card"
	case p.Device != d.info.Index:
		return fmt.Sprintf("%s is on device %d, not on %s", at, p.Device, d.name())
	case p.Context != 0 && p.Context != d.ctx.Handle():
		return fmt.Sprintf("%s belongs to another context of %s", at, d.name())
	case uint64(size) > left:
		return fmt.Sprintf("%s has %d bytes up to the end of its allocation, and %d are needed", at, left, size)
	}
	return ""
}

// IPCHandle names memory of a card to another process of the same machine: an allocation, a CUipcMemHandle, and the
// offset of the first element in the allocation, in bytes.
type IPCHandle struct {
	Allocation [64]byte
	Offset     int64
}

// IPC returns the handle by which another process opens b with [OpenIPC]. b must stay open until the process has
// closed it. The error has the code [Argument] if b was closed, and [Failed] if the driver cannot share the memory, for
// example memory of cuMemMap.
func (b *Buffer[T]) IPC() (IPCHandle, error) {
	if err := b.alive(); err != nil {
		return IPCHandle{}, err
	}
	c := b.r.device.ctx
	p, err := c.Pointer(b.addr)
	if err != nil {
		return IPCHandle{}, failure(err)
	}
	h, err := c.Share(p.Start)
	return IPCHandle{h, int64(b.addr - p.Start)}, failure(err)
}

// OpenIPC opens n elements of memory that another process allocated, on Linux: of a [Buffer.IPC], or a tensor of
// PyTorch by its storage's _share_cuda_. Close waits for queued work and closes the memory for this process. The driver
// opens an allocation once in a process and counts the openings. The error has the code [Argument] if the offset is
// negative or not a multiple of the size of T, or if the allocation ends before the elements do, and [Failed] if the
// driver refuses the handle, for example in the process that made it.
//
// The processes order their work themselves: the other process must wait for its work before this one reads the
// memory, with torch.cuda.synchronize for example.
func OpenIPC[T Element](d *Device, h IPCHandle, n int) (*Buffer[T], error) {
	size, err := bytes[T](n)
	if err == nil {
		err = d.alive()
	}
	if err != nil {
		return nil, err
	}
	var x T
	if align := int64(unsafe.Sizeof(x)); h.Offset < 0 || h.Offset%align != 0 {
		return nil, wrong("the offset of %d bytes is not a multiple of %d, the size of an element", h.Offset, align)
	}
	base, refused := d.ctx.OpenShared(h.Allocation)
	if refused != nil {
		return nil, failure(refused)
	}
	p, refused := d.ctx.Pointer(base)
	switch {
	case refused != nil:
		err = failure(refused)
	case h.Offset > p.Size || size > p.Size-h.Offset:
		err = wrong("the allocation has %d bytes, and the %d bytes at offset %d do not fit", p.Size, size, h.Offset)
	}
	if err != nil {
		_ = d.ctx.CloseShared(base) // the first error is more informative
		return nil, err
	}
	r := d.own(func() *cuda.Failure {
		d.drain()
		return d.ctx.CloseShared(base)
	})
	return &Buffer[T]{r: r, addr: base + cuda.Addr(h.Offset), n: n}, nil
}
