package gpu

import (
	"context"
	"sync/atomic"
	"time"

	"girih/internal/card/cuda"
)

// A Stream is a queue of work for a card: launches, copies, fills and waits for events run in the order of the queue.
// Streams do not wait for each other, unless an [Event] orders them. The method On of a [Buffer], a [Kernel], a
// [Traced] and a [Graph] selects the stream; without it, work is queued on the device's own stream.
type Stream struct {
	r      *resource
	stream *cuda.Stream
	left   atomic.Bool // a wait ended before the work, which is abandoned
}

// NewStream creates a stream. The error has the code [Argument] if d was closed.
func (d *Device) NewStream() (*Stream, error) {
	if err := d.alive(); err != nil {
		return nil, err
	}
	s, err := d.ctx.Stream()
	if err != nil {
		return nil, failure(err)
	}
	return d.ownStream(s), nil
}

// ownStream records a stream. Before it is closed its work is awaited, because the work uses buffers and modules.
func (d *Device) ownStream(stream *cuda.Stream) *Stream {
	s := &Stream{stream: stream}
	s.r = d.own(func() *cuda.Failure {
		_ = s.poll(context.Background()) // an error that stays is reported by the next call
		delete(d.open, s)
		return stream.Close()
	})
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open[s] = true
	return s
}

// Stream returns the device's own stream, which is closed with the device.
func (d *Device) Stream() *Stream { return d.main }

// queue returns the stream on, or the device's own if on is nil. The error has the code [Argument] if on was closed or
// belongs to another device.
func (r *resource) queue(on *Stream) (*Stream, error) {
	if on == nil {
		return r.device.main, nil
	}
	if err := on.alive(); err != nil {
		return nil, err
	}
	if err := r.device.same(on.r.device); err != nil {
		return nil, wrong("the stream: %v", err)
	}
	return on, nil
}

func (s *Stream) alive() error { return s.r.alive("the stream") }

// Handle returns the CUstream as a number, for another library that queues work on s.
func (s *Stream) Handle() uint64 { return uint64(s.stream.Handle()) }

// IsDone reports whether all work queued on s is done. The error has the code [Fault] if a kernel failed.
func (s *Stream) IsDone() (bool, error) {
	if err := s.alive(); err != nil {
		return false, err
	}
	done, err := s.stream.IsDone()
	return done, failure(err)
}

// Wait waits until all work queued on s is done. It returns the errors of [Device.Wait].
func (s *Stream) Wait(ctx context.Context) error {
	if err := s.alive(); err != nil {
		return err
	}
	return s.poll(ctx)
}

// After makes work that is queued on s from now on wait for e, which may belong to another device. The error has the
// code [Argument] if e was not recorded.
func (s *Stream) After(e *Event) error {
	if err := s.alive(); err != nil {
		return err
	}
	if _, err := e.stream(); err != nil {
		return err
	}
	return failure(s.stream.After(e.event))
}

// Close waits for the work queued on s and destroys s. A foreign stream is left to its library. The error has the code
// [Left] if abandoned work is still running, and [Argument] if s is the device's own stream.
func (s *Stream) Close() error {
	if s.r != nil && s == s.r.device.main {
		return wrong("the stream of %s is closed with the device", s.r.device.name())
	}
	return s.r.close()
}

// An Event is a point in a stream, with its time.
type Event struct {
	r     *resource
	event *cuda.Event
	on    atomic.Pointer[Stream] // the stream of the last Record; nil before
}

// NewEvent creates an event. The error has the code [Argument] if d was closed.
func (d *Device) NewEvent() (*Event, error) {
	if err := d.alive(); err != nil {
		return nil, err
	}
	e, err := d.ctx.Event()
	if err != nil {
		return nil, failure(err)
	}
	return &Event{r: d.own(e.Close), event: e}, nil
}

// stream returns the stream that e was recorded on.
func (e *Event) stream() (*Stream, error) {
	if err := e.r.alive("the event"); err != nil {
		return nil, err
	}
	if s := e.on.Load(); s != nil {
		return s, nil
	}
	return nil, wrong("the event was not recorded: call Record first")
}

// Record places e after the work queued on s so far; nil is the device's own stream. The error has the code [Argument]
// if s belongs to another device.
func (e *Event) Record(s *Stream) error {
	if err := e.r.alive("the event"); err != nil {
		return err
	}
	s, err := e.r.queue(s)
	if err != nil {
		return err
	}
	if err := e.event.Record(s.stream); err != nil {
		return failure(err)
	}
	e.on.Store(s)
	return nil
}

// IsDone reports whether the work before e is done. The error has the code [Argument] if e was not recorded.
func (e *Event) IsDone() (bool, error) {
	if _, err := e.stream(); err != nil {
		return false, err
	}
	done, err := e.event.IsDone()
	return done, failure(err)
}

// Wait waits until the work before e is done. The error has the code [Argument] if e was not recorded; Wait also
// returns the errors of [Device.Wait].
func (e *Event) Wait(ctx context.Context) error {
	s, err := e.stream()
	if err != nil {
		return err
	}
	return s.await(ctx, e.event.IsDone)
}

// Since returns the time on the card from start to e, to about half a microsecond. The error has the code [Argument]
// if one of them was not recorded, is not done, or belongs to another device.
func (e *Event) Since(start *Event) (time.Duration, error) {
	for _, x := range []*Event{start, e} {
		switch done, err := x.IsDone(); {
		case err != nil:
			return 0, err
		case !done:
			return 0, wrong("the event has not happened yet: wait for it first")
		}
	}
	if err := e.r.device.same(start.r.device); err != nil {
		return 0, wrong("the event at the start: %v", err)
	}
	t, err := e.event.Since(start.event)
	return t, failure(err)
}

// Close destroys the event. The error has the code [Left] if abandoned work is still running.
func (e *Event) Close() error { return e.r.close() }
