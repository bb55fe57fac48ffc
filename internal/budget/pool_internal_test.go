package budget

import (
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// full returns a pool whose heap is always too large, with a number of collections that the test sets.
func full(cycle *uint64) *Pool {
	p := NewPool(1<<40, 1<<20)
	p.gc = func() {}
	p.measure = func(name string) uint64 {
		if name == cycles {
			return *cycle
		}
		return 2 << 20
	}
	return p
}

// Even if many requests come and go, only one request is ended in each grace period.
func TestOneWatcher(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := full(new(uint64))
		for range 24 {
			b := p.Budget(t.Context(), 1<<20)
			b.Close()
		}
		var all []*Budget
		for range 5 {
			all = append(all, p.Budget(t.Context(), 1<<20))
		}
		ended := func() (n int) {
			synctest.Wait()
			for _, b := range all {
				if b.Stop() != nil {
					n++
				}
			}
			return n
		}
		for want := range len(all) {
			time.Sleep(look + look/2)
			if n := ended(); n != want+1 {
				t.Errorf("%d of %d requests have ended, want %d", n, len(all), want+1)
			}
			time.Sleep(grace*look - look/2)
			if n := ended(); n != want+1 {
				t.Errorf("%d of %d requests have ended within the grace, want %d", n, len(all), want+1)
			}
		}
		leave(all...)
	})
}

// The heap limit ends the request that allocated most of the heap, even if the request no longer holds it.
func TestWhoMadeIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		cycle := uint64(1)
		p := full(&cycle)
		before, small, hog := p.Budget(t.Context(), 1<<30), p.Budget(t.Context(), 1<<30), p.Budget(t.Context(), 1<<30)
		for _, err := range []error{small.Hold(1 << 20), before.Hold(200 << 20)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		before.Free(200 << 20)
		time.Sleep(look / 2)
		p.mu.Lock()
		cycle++
		p.note() // the earlier bytes are no longer on the heap
		p.mu.Unlock()
		for range 100 {
			if err := hog.Hold(1 << 20); err != nil {
				t.Fatal(err)
			}
			hog.Free(1 << 20)
		}
		time.Sleep(look)
		synctest.Wait()
		if err := hog.Stop(); err == nil || !strings.Contains(err.Error(), "made the most, 100 MiB") {
			t.Errorf("the one that makes values again and again: %v", err)
		}
		if before.Stop() != nil || small.Stop() != nil {
			t.Error("others have ended too")
		}
		leave(before, small, hog)
	})
}

// A heap that has room after a garbage collection ends no request, and a request that held nothing is not told that it
// had the most.
func TestGarbage(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := full(new(uint64))
		var garbage atomic.Bool
		garbage.Store(true)
		measured, collects := p.measure, true
		p.gc = func() {
			if collects {
				garbage.Store(false)
			}
		}
		p.measure = func(name string) uint64 {
			if name == heapObjects && !garbage.Load() {
				return 1
			}
			return measured(name)
		}
		b := p.Budget(t.Context(), 1<<20)
		time.Sleep(10 * look)
		synctest.Wait()
		if err := b.Stop(); err != nil {
			t.Errorf("with a heap of garbage: %v", err)
		}
		collects = false
		garbage.Store(true)
		time.Sleep(2 * look)
		synctest.Wait()
		if err := b.Stop(); err == nil || strings.Contains(err.Error(), " 0 MiB") {
			t.Errorf("a request that holds nothing: %v", err)
		}
		leave(b)
	})
}

// leave ends requests, and waits until the watcher has seen that.
func leave(all ...*Budget) {
	for _, b := range all {
		b.Close()
	}
	time.Sleep(2 * look)
}
