package cuda

import (
	"fmt"
	"time"
	"unsafe"

	"girih/fault"
)

// A Stream is a queue of work for the card.
type Stream struct {
	ctx     *Context
	handle  uintptr
	foreign bool // another library destroys it
}

// Stream creates a stream that does not wait for other streams.
func (c *Context) Stream() (*Stream, *Failure) {
	s := &Stream{ctx: c}
	const nonBlocking = 1
	if err := c.call(cuStreamCreate, uintptr(unsafe.Pointer(&s.handle)), nonBlocking); err != nil {
		return nil, err
	}
	return s, nil
}

// ForeignStream returns a stream that another library made and destroys, and whether it is of the context c. The driver
// reads the memory that handle points to.
func (c *Context) ForeignStream(handle uintptr) (s *Stream, same bool, err *Failure) {
	var of uintptr
	err = c.call(cuStreamGetCtx, handle, uintptr(unsafe.Pointer(&of)))
	return &Stream{ctx: c, handle: handle, foreign: true}, of == c.handle, err
}

// Handle returns the CUstream.
func (s *Stream) Handle() uintptr { return s.handle }

// Close destroys the stream, unless it is foreign; its work continues.
func (s *Stream) Close() *Failure {
	if s.foreign {
		return nil
	}
	return s.ctx.call(cuStreamDestroy, s.handle)
}

// IsDone reports whether all work is done. The failure may come from a kernel.
func (s *Stream) IsDone() (bool, *Failure) { return s.ctx.ready(cuStreamQuery, s.handle) }

// ready calls e, which is cuStreamQuery or cuEventQuery.
func (c *Context) ready(e entry, handle uintptr) (bool, *Failure) {
	status, set := c.enter(e, []uintptr{handle})
	switch {
	case !set:
		return false, c.device.driver.check(cuCtxSetCurrent, status)
	case status == statusNotReady:
		return false, nil
	}
	return status == 0, c.device.driver.check(e, status)
}

// CopyIn copies n bytes from the host to the card. For memory that is not pinned it may wait for the queue and copy
// before it returns.
func (s *Stream) CopyIn(to Addr, from unsafe.Pointer, n int64) *Failure {
	return s.ctx.call(cuMemcpyHtoDAsync, uintptr(to), uintptr(from), uintptr(n), s.handle)
}

// CopyOut copies n bytes from the card to the host.
func (s *Stream) CopyOut(to unsafe.Pointer, from Addr, n int64) *Failure {
	return s.ctx.call(cuMemcpyDtoHAsync, uintptr(to), uintptr(from), uintptr(n), s.handle)
}

// Copy copies n bytes on the card, or between cards.
func (s *Stream) Copy(to, from Addr, n int64) *Failure {
	return s.ctx.call(cuMemcpyDtoDAsync, uintptr(to), uintptr(from), uintptr(n), s.handle)
}

// Set writes a value of 1, 2 or 4 bytes n times.
func (s *Stream) Set(to Addr, value uint32, width int, n int64) *Failure {
	e := map[int]entry{1: cuMemsetD8Async, 2: cuMemsetD16Async, 4: cuMemsetD32Async}[width]
	if e == 0 {
		return &Failure{Code: fault.Argument, Message: fmt.Sprintf("a value of %d bytes: memory is set by 1, 2 or 4", width)}
	}
	return s.ctx.call(e, uintptr(to), uintptr(value), uintptr(n), s.handle)
}

// An Event is a point in a stream, with its time.
type Event struct {
	ctx    *Context
	handle uintptr
}

// Event creates an event.
func (c *Context) Event() (*Event, *Failure) {
	e := &Event{ctx: c}
	if err := c.call(cuEventCreate, uintptr(unsafe.Pointer(&e.handle)), 0); err != nil {
		return nil, err
	}
	return e, nil
}

// Close destroys the event.
func (e *Event) Close() *Failure { return e.ctx.call(cuEventDestroy, e.handle) }

// Record places the event after the work of s.
func (e *Event) Record(s *Stream) *Failure { return e.ctx.call(cuEventRecord, e.handle, s.handle) }

// IsDone reports whether the work before the event is done.
func (e *Event) IsDone() (bool, *Failure) { return e.ctx.ready(cuEventQuery, e.handle) }

// Since returns the time between two events that are done, to about half a microsecond.
func (e *Event) Since(from *Event) (time.Duration, *Failure) {
	var ms float32
	err := e.ctx.call(cuEventElapsedTime, uintptr(unsafe.Pointer(&ms)), from.handle, e.handle)
	return time.Duration(float64(ms) * 1e6), err
}

// After makes work that is queued on s from now on wait for e.
func (s *Stream) After(e *Event) *Failure {
	return s.ctx.call(cuStreamWaitEvent, s.handle, e.handle, 0)
}

// A Graph is work that was queued once and is launched as one.
type Graph struct {
	ctx    *Context
	handle uintptr // a CUgraphExec
}

// Capture starts to collect the work queued on s, which does not run; [Stream.EndCapture] returns it.
func (s *Stream) Capture() *Failure {
	const relaxed = 2 // the goroutine may move to another thread
	return s.ctx.call(cuStreamBeginCapture, s.handle, relaxed)
}

// EndCapture returns the work queued since [Stream.Capture].
func (s *Stream) EndCapture() (*Graph, *Failure) {
	var graph uintptr
	err := s.ctx.call(cuStreamEndCapture, s.handle, uintptr(unsafe.Pointer(&graph)))
	if graph != 0 {
		defer func() { _ = s.ctx.call(cuGraphDestroy, graph) }()
	}
	if err != nil {
		return nil, err
	}
	g := &Graph{ctx: s.ctx}
	if err := s.ctx.call(cuGraphInstantiate, uintptr(unsafe.Pointer(&g.handle)), graph, 0); err != nil {
		return nil, err
	}
	return g, nil
}

// Launch queues the graph.
func (g *Graph) Launch(s *Stream) *Failure { return g.ctx.call(cuGraphLaunch, g.handle, s.handle) }

// Close destroys the graph.
func (g *Graph) Close() *Failure { return g.ctx.call(cuGraphExecDestroy, g.handle) }
