package gpu

import (
	"context"
	"fmt"
	"runtime"
	"time"
)

// Wait waits until all queued work is done. The error has the code [Fault] if a kernel failed while running, and [Left]
// if ctx ended first; an error with [Left] also wraps the cause of ctx.
func (d *Device) Wait(ctx context.Context) error {
	if err := d.alive(); err != nil {
		return err
	}
	return d.poll(ctx)
}

// poll waits for queued work. It polls often at first, for kernels of microseconds, then every half millisecond.
func (d *Device) poll(ctx context.Context) error {
	const often = 100 * time.Microsecond
	start := time.Now()
	for {
		done, err := d.stream.IsDone()
		if done || err != nil {
			return failure(err)
		}
		if ctx.Err() != nil {
			d.left.Store(true)
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
