package budget

import (
	"context"
	"fmt"
	"runtime/metrics"
	"sync"
	"time"
)

// A Pool is the memory that requests share. When they hold more than it has, or the heap of the process shows that they
// use more than they say, the one with the most ends.
type Pool struct {
	most int64 // bytes that all hold together
	heap int64 // bytes of the heap of the process; 0 if it is not looked at

	mu sync.Mutex
	in map[*Budget]bool
}

// NewPool returns a pool of so many bytes, in a process whose heap may have so many.
func NewPool(bytes, heap int64) *Pool {
	return &Pool{most: bytes, heap: heap, in: make(map[*Budget]bool)}
}

// Budget returns the budget of a request, as [New] does, which draws on the pool until it is closed.
func (p *Pool) Budget(ctx context.Context, bytes int64) *Budget {
	b := New(ctx, bytes)
	b.pool = p
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in[b] = true
	if p.heap > 0 && len(p.in) == 1 {
		go p.watch()
	}
	return b
}

func (p *Pool) drop(b *Budget) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.in, b)
}

// settle ends the request that holds most if all hold more than there is.
func (p *Pool) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := int64(0)
	for b := range p.in {
		if b.over.Load() == nil {
			sum += b.Held()
		}
	}
	if sum > p.most {
		p.endLargest(fmt.Sprintf("all requests together need more than the %d MiB of memory they may take", p.most>>20))
	}
}

// endLargest ends the request that holds most, and of those that hold the same the oldest.
func (p *Pool) endLargest(why string) {
	var worst *Budget
	for b := range p.in {
		if b.over.Load() != nil {
			continue
		}
		if worst == nil || b.Held() > worst.Held() || b.Held() == worst.Held() && b.began.Before(worst.began) {
			worst = b
		}
	}
	if worst != nil {
		_ = worst.end(fmt.Sprintf("%s, and this one had the most, %d MiB: try again, or ask for less", why, worst.Held()>>20))
	}
}

// How often the heap is looked at, and how long a request that was ended has to go away before the next one is.
const (
	look  = 10 * time.Millisecond
	grace = 20 // looks
)

// watch looks at the heap while there are requests.
func (p *Pool) watch() {
	t := time.NewTicker(look)
	defer t.Stop()
	wait := 0
	for range t.C {
		p.mu.Lock()
		n := len(p.in)
		if wait--; wait < 0 && n > 0 && heap() > p.heap {
			p.endLargest(fmt.Sprintf("the process needs more than the %d MiB of memory it may take", p.heap>>20))
			wait = grace
		}
		p.mu.Unlock()
		if n == 0 {
			return
		}
	}
}

// heap returns the bytes of the objects on the heap, those included that are garbage since the last collection.
func heap() int64 {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(s)
	return int64(s[0].Value.Uint64())
}
