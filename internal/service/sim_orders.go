//go:build !js || kernels

package service

import (
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// This file carries out the runs of a request on all processors. The answer does not depend on how many there are:
// results are taken in the order of the runs, and runs after the last result that is taken have no effect.

// A crew carries out runs, numbered from 0. The first run whose result has not been taken may use all memory of the
// request, as if there were no others. The others share half of it; a run that needs more is put off until it is the
// first. If the first run finds too little left, the others are put off.
type crew struct {
	session *Session
	most    int64        // the most bytes that a run other than the first may hold
	copy    int64        // the bytes of the buffers of a run; the first run's are held by the request
	end     atomic.Int64 // runs from this number on must end

	mu    sync.Mutex
	ended sync.Cond // signals that a run has ended
	first int
	width int // the most runs at a time
	under map[int]*turn
	done  map[int]func() bool
}

// A turn is one run of a crew.
type turn struct {
	*crew
	number int
	held   int64
	late   bool // the run is put off
}

// errPutOff ends a run that is put off.
var errPutOff = errors.New("put off")

// runs carries out runs 0 to n-1, with buffers of the given size. do is called at the same time for several runs, and
// returns what takes the result; that is called for one run after the other, until it reports that it was the last one.
func (s *Session) runs(n int, bytes int64, do func(t *turn) (take func() (last bool))) {
	c := &crew{session: s, copy: bytes, width: min(runtime.GOMAXPROCS(0), n)}
	c.most = s.budget.Left() / 2 / int64(max(c.width-1, 1))
	c.end.Store(math.MaxInt64)
	if c.width < 2 {
		for c.first < n && !do(&turn{crew: c, number: c.first})() {
			c.first++
		}
		return
	}
	c.ended.L, c.under, c.done = &c.mu, map[int]*turn{}, map[int]func() bool{}
	c.mu.Lock()
	defer c.mu.Unlock()
	for next := 0; c.first < n; {
		if take := c.done[c.first]; take != nil {
			if c.callUnlocked(take) {
				break
			}
			c.promote()
			continue
		}
		if c.under[c.first] == nil {
			c.start(c.first, do)
		}
		for next = max(next, c.first+1); c.mayStart(next, n); next++ {
			c.start(next, do)
		}
		c.ended.Wait()
	}
	c.end.Store(0)
	for len(c.under) > 0 {
		c.ended.Wait()
	}
}

// callUnlocked calls take, which may panic, without the lock.
func (c *crew) callUnlocked(take func() bool) bool {
	c.mu.Unlock()
	defer c.mu.Lock()
	return take()
}

// promote makes the next run the first one, which uses the buffers that the request holds.
func (c *crew) promote() {
	delete(c.done, c.first)
	c.first++
	if t := c.under[c.first]; t != nil && t.held > 0 {
		c.session.budget.Free(c.copy)
		t.held -= c.copy
	}
}

// mayStart reports whether a run that is not the first may start now.
func (c *crew) mayStart(number, n int) bool {
	return number < min(n, c.first+2*c.width) && len(c.under) < c.width && c.copy <= min(c.most, c.session.budget.Left())
}

// alone returns the turn of a run that is carried out alone.
func (s *Session) alone() *turn {
	c := &crew{session: s}
	c.end.Store(math.MaxInt64)
	return &turn{crew: c}
}

// start starts a run.
func (c *crew) start(number int, do func(t *turn) func() bool) {
	t := &turn{crew: c, number: number}
	if number != c.first {
		t.held = c.copy
		_ = c.session.budget.Hold(t.held) // cannot fail: start is called only if so much is left
	}
	c.under[number] = t
	go func() {
		var take func() bool
		defer func() {
			if p := recover(); p != nil {
				take = func() bool { panic(p) }
			}
			c.leave(t, take)
		}()
		take = do(t)
	}()
}

// leave records the result of a run that has ended.
func (c *crew) leave(t *turn, take func() bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.session.budget.Free(t.held)
	if delete(c.under, t.number); !t.late {
		c.done[t.number] = take
	}
	c.ended.Broadcast()
}

// keep takes bytes from the budget of the request.
func (t *turn) keep(bytes int64) error {
	if t.under == nil { // there is only one run at a time
		return t.session.budget.Hold(bytes)
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	left := t.session.budget.Left()
	switch first := t.number == t.first; {
	case t.number >= int(t.end.Load()), !first && (t.held+bytes > t.most || bytes > left):
		t.late = true
		return errPutOff
	case first && bytes > left && len(t.under) > 1:
		t.width = 1
		t.end.Store(int64(t.number) + 1)
		for len(t.under) > 1 {
			t.ended.Wait()
		}
		t.end.Store(math.MaxInt64)
	}
	err := t.session.budget.Hold(bytes)
	if err == nil {
		t.held += bytes
	}
	return err
}

// Err returns why a run has to end, nil if it may go on.
func (t *turn) Err() error {
	if t.number >= int(t.end.Load()) {
		t.late = true
		return errPutOff
	}
	return t.session.budget.Stop()
}
