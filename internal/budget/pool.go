package budget

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// A Pool is the memory that requests share. If they hold more than it has, the one that holds most ends. If the heap of
// the process is too large although its garbage was collected, the one that made most since the collection before ends.
type Pool struct {
	most int64 // bytes that all hold together
	heap int64 // bytes of the heap of the process; 0 if it is not looked at

	measure func(name string) uint64 // of the runtime; tests have their own
	gc      func()                   // collects garbage

	mu       sync.Mutex
	in       map[*Budget]bool
	watching bool   // watch runs
	cycle    uint64 // of the collector, when it was last looked at
	wait     int    // looks until the heap may end another request
}

// NewPool returns a pool of so many bytes, in a process whose heap may have so many.
func NewPool(bytes, heap int64) *Pool {
	return &Pool{most: bytes, heap: heap, in: make(map[*Budget]bool), measure: measure, gc: runtime.GC}
}

// Budget returns the budget of a request, as [New] does, which draws on the pool until it is closed.
func (p *Pool) Budget(ctx context.Context, bytes int64) *Budget {
	b := New(ctx, bytes)
	b.pool = p
	p.mu.Lock()
	defer p.mu.Unlock()
	p.in[b] = true
	if p.heap > 0 && !p.watching {
		p.watching = true
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
	if sum <= p.most {
		return
	}
	if b := p.largest((*Budget).Held); b != nil {
		_ = b.end(fmt.Sprintf("all requests together need more than the %d MiB of memory they may take, and this one had "+
			"the most, %d MiB: try again, or ask for less", p.most>>20, b.Held()>>20))
	}
}

// largest returns the request of which there is most, and of those with the same the oldest; nil if all have ended.
func (p *Pool) largest(of func(b *Budget) int64) *Budget {
	var worst *Budget
	most := int64(0)
	for b := range p.in {
		if b.over.Load() != nil {
			continue
		}
		if n := of(b); worst == nil || n > most || n == most && b.began.Before(worst.began) {
			worst, most = b, n
		}
	}
	return worst
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
	for range t.C {
		p.wait--
		if p.wait < 0 && p.measure(heapObjects) > uint64(p.heap) {
			p.collect()
		}
		p.mu.Lock()
		p.note()
		if len(p.in) == 0 {
			p.watching = false
			p.mu.Unlock()
			return
		}
		p.mu.Unlock()
	}
}

// collect collects the garbage, and ends a request if what is left is still more than the heap may have. The garbage of
// one request is no reason to end another one.
func (p *Pool) collect() {
	p.mu.Lock()
	p.note()
	worst := p.largest((*Budget).onHeap) // before the collection: what it finds in use is of this
	p.mu.Unlock()
	p.gc()
	if worst == nil || p.measure(heapObjects) <= uint64(p.heap) {
		return
	}
	p.wait = grace
	why := fmt.Sprintf("the process needs more than the %d MiB of memory it may take", p.heap>>20)
	if n := worst.onHeap() >> 20; n > 0 {
		why += fmt.Sprintf(", and this request made the most, %d MiB of values: ", n)
	} else {
		why += "; which request needs most of it is not known, and this one has been at work longest: "
	}
	_ = worst.end(why + "try again, or ask for less")
}

// note takes a collection into account if there was one: what requests held no longer is off the heap.
func (p *Pool) note() {
	if n := p.measure(cycles); n != p.cycle {
		p.cycle = n
		for b := range p.in {
			b.made.Store(b.Held())
		}
	}
}

// What the runtime measures: the bytes of objects on the heap, those included that are garbage since the last
// collection, and the number of collections.
const (
	heapObjects = "/memory/classes/heap/objects:bytes"
	cycles      = "/gc/cycles/total:gc-cycles"
)

func measure(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
