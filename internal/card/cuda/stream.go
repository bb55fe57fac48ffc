package cuda

import (
	"context"
	"fmt"
	"runtime"
	"time"
	"unsafe"
)

// A Stream is a queue of work of the card.
type Stream struct {
	ctx    *Context
	handle uintptr
}

// Stream makes a stream, which waits for no other.
func (c *Context) Stream() (*Stream, error) {
	s := &Stream{ctx: c}
	const nonBlocking = 1
	if err := c.call(cuStreamCreate, uintptr(unsafe.Pointer(&s.handle)), nonBlocking); err != nil {
		return nil, err
	}
	return s, nil
}

// Close gives the stream back; its work goes on.
func (s *Stream) Close() error { return s.ctx.call(cuStreamDestroy, s.handle) }

// Done reports whether all work is done. The error may be that of a kernel.
func (s *Stream) Done() (bool, error) { return s.ctx.ready(cuStreamQuery, s.handle) }

// ready asks with cuStreamQuery or cuEventQuery.
func (c *Context) ready(e entry, handle uintptr) (bool, error) {
	status, set := c.enter(e, []uintptr{handle})
	switch {
	case !set:
		return false, c.device.driver.check(cuCtxSetCurrent, status)
	case status == statusNotReady:
		return false, nil
	}
	return status == 0, c.device.driver.check(e, status)
}

// Wait waits until all work is done, or until ctx ends: then the work goes on, and the error has the code [Left] and
// wraps nothing that the driver says; context.Cause has the reason.
func (s *Stream) Wait(ctx context.Context) error { return wait(ctx, s.Done) }

// wait asks often at first, for kernels of microseconds, then every half millisecond.
func wait(ctx context.Context, done func() (bool, error)) error {
	const often = 100 * time.Microsecond
	start := time.Now()
	for {
		ok, err := done()
		if ok || err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%w: %w", &Error{
				Code:    Left,
				Message: fmt.Sprintf("the work on the card is not done after %v", time.Since(start).Round(time.Millisecond)),
				Hint:    "a kernel cannot be stopped: it runs until it ends, or until the process does",
			}, context.Cause(ctx))
		}
		if time.Since(start) < often {
			runtime.Gosched()
			continue
		}
		time.Sleep(min(max(time.Since(start)/16, 10*time.Microsecond), 500*time.Microsecond))
	}
}

// CopyIn copies n bytes from the host to the card. Memory that is not pinned may be copied before it returns, after
// what is queued.
func (s *Stream) CopyIn(to Addr, from unsafe.Pointer, n int64) error {
	return s.ctx.call(cuMemcpyHtoDAsync, uintptr(to), uintptr(from), uintptr(n), s.handle)
}

// CopyOut copies n bytes from the card to the host.
func (s *Stream) CopyOut(to unsafe.Pointer, from Addr, n int64) error {
	return s.ctx.call(cuMemcpyDtoHAsync, uintptr(to), uintptr(from), uintptr(n), s.handle)
}

// Copy copies n bytes on the card, or between cards.
func (s *Stream) Copy(to, from Addr, n int64) error {
	return s.ctx.call(cuMemcpyDtoDAsync, uintptr(to), uintptr(from), uintptr(n), s.handle)
}

// Set writes a value of 1, 2 or 4 bytes n times.
func (s *Stream) Set(to Addr, value uint32, width int, n int64) error {
	e := map[int]entry{1: cuMemsetD8Async, 2: cuMemsetD16Async, 4: cuMemsetD32Async}[width]
	if e == 0 {
		return &Error{Code: Argument, Message: fmt.Sprintf("a value of %d bytes: memory is set by 1, 2 or 4", width)}
	}
	return s.ctx.call(e, uintptr(to), uintptr(value), uintptr(n), s.handle)
}

// An Event is a point in a stream, with its time.
type Event struct {
	ctx    *Context
	handle uintptr
}

// Event makes an event.
func (c *Context) Event() (*Event, error) {
	e := &Event{ctx: c}
	if err := c.call(cuEventCreate, uintptr(unsafe.Pointer(&e.handle)), 0); err != nil {
		return nil, err
	}
	return e, nil
}

// Close gives the event back.
func (e *Event) Close() error { return e.ctx.call(cuEventDestroy, e.handle) }

// Record puts the event behind the work of s.
func (e *Event) Record(s *Stream) error { return e.ctx.call(cuEventRecord, e.handle, s.handle) }

// Wait waits until the work before the event is done, as [Stream.Wait] does.
func (e *Event) Wait(ctx context.Context) error {
	return wait(ctx, func() (bool, error) { return e.ctx.ready(cuEventQuery, e.handle) })
}

// Since returns the time from an event to e, which are both done, to about half a microsecond.
func (e *Event) Since(from *Event) (time.Duration, error) {
	var ms float32
	err := e.ctx.call(cuEventElapsedTime, uintptr(unsafe.Pointer(&ms)), from.handle, e.handle)
	return time.Duration(float64(ms) * 1e6), err
}

// After makes what s is given from now on wait for e.
func (s *Stream) After(e *Event) error { return s.ctx.call(cuStreamWaitEvent, s.handle, e.handle, 0) }

// A Graph is work that was queued once and is launched as one.
type Graph struct {
	ctx    *Context
	handle uintptr // a CUgraphExec
}

// Capture makes a graph of what queue gives to s, which does not run meanwhile.
func (s *Stream) Capture(queue func() error) (*Graph, error) {
	const relaxed = 2 // the goroutine may go to another thread
	if err := s.ctx.call(cuStreamBeginCapture, s.handle, relaxed); err != nil {
		return nil, err
	}
	failed := queue()
	var graph uintptr
	err := s.ctx.call(cuStreamEndCapture, s.handle, uintptr(unsafe.Pointer(&graph)))
	if graph != 0 {
		defer func() { _ = s.ctx.call(cuGraphDestroy, graph) }()
	}
	if failed != nil {
		return nil, failed
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
func (g *Graph) Launch(s *Stream) error { return g.ctx.call(cuGraphLaunch, g.handle, s.handle) }

// Close gives the graph back.
func (g *Graph) Close() error { return g.ctx.call(cuGraphExecDestroy, g.handle) }
