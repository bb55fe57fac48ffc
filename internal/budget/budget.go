package budget

import (
	"context"
	"fmt"
	"math"
	"sync/atomic"
	"time"
)

// A Budget limits one request. The nil Budget has no limits.
type Budget struct {
	ctx   context.Context
	began time.Time
	until time.Time // zero if there is no deadline
	most  int64     // bytes
	pool  *Pool     // nil if the budget is not part of a pool

	held  atomic.Int64
	made  atomic.Int64         // bytes held at the last garbage collection, and all bytes held since
	over  atomic.Pointer[Over] // the reason why the budget is exceeded; nil if it is not
	steps uint32
}

// New returns the budget of a request that ends with the context and holds at most the given number of bytes.
func New(ctx context.Context, bytes int64) *Budget {
	b := &Budget{ctx: ctx, began: time.Now(), most: bytes}
	b.until, _ = ctx.Deadline()
	return b
}

// An Over says that a budget is used up.
type Over struct{ Why string }

// Error returns why, with the numbers.
func (o *Over) Error() string { return o.Why }

// Stop returns nil while work may go on, and otherwise an [*Over] that says why it may not.
func (b *Budget) Stop() error {
	if b == nil {
		return nil
	}
	if o := b.over.Load(); o != nil {
		return o
	}
	// The clock is read as well: with a single thread, the timer of the context does not run during work.
	late := !b.until.IsZero() && time.Now().After(b.until)
	if !late && b.ctx.Err() == nil {
		return nil
	}
	why := "the request was taken back"
	if late || b.ctx.Err() == context.DeadlineExceeded {
		why = "the evaluation takes longer than the " + b.until.Sub(b.began).Round(time.Millisecond).String() + " it may take"
	}
	return b.end(why)
}

// stride is the number of small steps between two readings of the clock.
const stride = 1 << 6

// Step is [Budget.Stop] for steps of about a microsecond: it reads the clock only once in stride steps.
func (b *Budget) Step() error {
	if b == nil {
		return nil
	}
	if b.steps++; b.steps%stride != 0 {
		return nil
	}
	return b.Stop()
}

// Hold takes bytes from the budget. The error is an [*Over]: too few bytes are left, or the budget has ended.
func (b *Budget) Hold(bytes int64) error {
	if b == nil {
		return nil
	}
	if o := b.over.Load(); o != nil {
		return o
	}
	held := b.held.Add(bytes)
	if held > b.most {
		b.held.Add(-bytes)
		why := fmt.Sprintf("the evaluation needs more than the %d MiB of memory it may take", b.most>>20)
		if bytes >= 1<<20 {
			why += fmt.Sprintf(", %d MiB for its next step", bytes>>20)
		}
		return b.end(why)
	}
	b.made.Add(max(bytes, 0))
	if b.pool != nil {
		b.pool.settle()
		if o := b.over.Load(); o != nil {
			return o
		}
	}
	return nil
}

// Free gives back bytes that were held.
func (b *Budget) Free(bytes int64) {
	if b != nil {
		b.held.Add(-bytes)
	}
}

// InUse returns the number of bytes that are held.
func (b *Budget) InUse() int64 { return b.held.Load() }

// Left returns the number of bytes that may still be held.
func (b *Budget) Left() int64 {
	if b == nil {
		return math.MaxInt64
	}
	return b.most - b.InUse()
}

// onHeap returns the bytes of b that may be on the heap: those it holds or has held since the last collection.
func (b *Budget) onHeap() int64 { return max(b.made.Load(), b.InUse()) }

// end ends the budget, once.
func (b *Budget) end(why string) error {
	b.over.CompareAndSwap(nil, &Over{why})
	return b.over.Load()
}

// Close gives all held bytes back to the pool. The work must have ended.
func (b *Budget) Close() {
	if b != nil && b.pool != nil {
		b.pool.drop(b)
	}
}
