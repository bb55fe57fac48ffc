package budget

import (
	"context"
	"fmt"
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// A Pool is the memory that requests share. If requests hold more than the pool has, the request that holds most is
// ended. If the heap of the process is still too large after a garbage collection, the request that has allocated most
// since the previous collection is ended.
type Pool struct {
	most int64 // the limit for all requests together, in bytes
	heap int64 // the limit for the heap of the process, in bytes; 0 for no limit

	measure func(name string) uint64 // reads a metric of the runtime; tests replace it
	gc      func()                   // runs a garbage collection; tests replace it

	mu       sync.Mutex
	in       map[*Budget]bool
	watching bool   // the goroutine of watch is running
	cycle    uint64 // the number of collections at the last call of note
	wait     int    // how many more checks pass before the heap may end another request
}

// NewPool returns a pool with the given number of bytes, in a process whose heap may have heap bytes.
func NewPool(bytes, heap int64) *Pool {
	return &Pool{most: bytes, heap: heap, in: make(map[*Budget]bool), measure: measure, gc: runtime.GC}
}

// Budget returns the budget of a request, as [New] does. It draws on the pool until it is closed.
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

// settle ends the request that holds most if all requests together hold more than the pool has.
func (p *Pool) settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	sum := int64(0)
	for b := range p.in {
		if b.over.Load() == nil {
			sum += b.InUse()
		}
	}
	if sum <= p.most {
		return
	}
	if b := p.largest((*Budget).InUse); b != nil {
		_ = b.end(fmt.Sprintf("all requests together need more than the %d MiB of memory they may take, and this one had "+
			"the most, %d MiB: try again, or ask for less", p.most>>20, b.InUse()>>20))
	}
}

// largest returns the request for which of is largest, the oldest of several; nil if all have ended.
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

// These constants are how often watch checks the heap, and how long it waits after ending a request before ending
// another.
const (
	look  = 10 * time.Millisecond
	grace = 20 // looks
)

// watch looks at the heap as long as there are requests.
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

// collect runs a garbage collection, and ends a request if the heap is still too large. So the garbage of one request
// does not end another one.
func (p *Pool) collect() {
	p.mu.Lock()
	p.note()
	worst := p.largest((*Budget).onHeap) // must come before the collection, which resets what was made
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

// note checks whether there was a collection: after one, bytes that requests no longer held are off the heap.
func (p *Pool) note() {
	if n := p.measure(cycles); n != p.cycle {
		p.cycle = n
		for b := range p.in {
			b.made.Store(b.InUse())
		}
	}
}

// Metrics of the runtime: the bytes of the objects on the heap, including garbage made since the last collection, and
// the number of collections.
const (
	heapObjects = "/memory/classes/heap/objects:bytes"
	cycles      = "/gc/cycles/total:gc-cycles"
)

func measure(name string) uint64 {
	s := []metrics.Sample{{Name: name}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}
