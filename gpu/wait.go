package gpu

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"time"

	"girih/internal/card/cuda"
)

// Wait waits until all work is done that was queued on the device's streams, including foreign ones. The error has the
// code [Fault] if a kernel failed while running, and [Left] if ctx ended first; an error with [Left] also wraps the
// cause of ctx.
func (d *Device) Wait(ctx context.Context) error {
	if err := d.alive(); err != nil {
		return err
	}
	d.mu.Lock()
	streams := slices.Collect(maps.Keys(d.open))
	d.mu.Unlock()
	for _, s := range streams {
		if err := s.poll(ctx); err != nil {
			return err
		}
	}
	return nil
}

// poll waits for the work queued on s.
func (s *Stream) poll(ctx context.Context) error { return s.await(ctx, s.stream.IsDone) }

// await waits until isDone. If ctx ends first, the work on s is abandoned. It polls often at first, for kernels of
// microseconds, then every half millisecond.
func (s *Stream) await(ctx context.Context, isDone func() (bool, *cuda.Failure)) error {
	const often = 100 * time.Microsecond
	start := time.Now()
	for {
		done, err := isDone()
		if done || err != nil {
			return failure(err)
		}
		if ctx.Err() != nil {
			s.left.Store(true)
			s.r.device.left.Store(true)
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
