package sim

import "slices"

// This file implements the order of fence.sc and membar among threads (PTX ISA, Memory Consistency Model: Fence-SC
// order). Two such fences that are morally strong have an order, which is part of base causality order: actions before
// the first fence come before actions after the second fence. Communication decides the direction. An example are the
// flags of Dekker's algorithm, with data that P1 reads only if P0 has not seen P1's flag:
//
//	P0: st.weak [x], 5;	fence.sc (F0); ld.relaxed [y]: 0; st.relaxed [z], 1
//	P1: st.relaxed [y], 1;	fence.sc (F1); ld.relaxed [z]: 1; ld.weak [x]
//
// P0 reads a value of y that is older than P1's store. If F1 came first, P1's store would come before P0's load by
// causality order, and P0 would have to read the 1. So F0 comes first, and the store of x comes before the load of x.
// In general, a fence F comes before a fence G if an access after F meets a later access to the same word before G, and
// one of these accesses is a write. Both accesses must be strong: weak accesses that are ordered in another way also
// order the fences, and other weak accesses are themselves a race. "Before" and "after" mean base causality order, so
// the accesses may belong to other threads than the fences, and G may be the F of a third fence.
//
// Each thread therefore has two sets of fences: the fences that it has passed, in base causality order, and the fences
// that it has heard of. An access leaves the fences that its thread has passed at its word. A later write hears of all
// fences at the word. A later read hears of the fences that the last write has met. A fence.sc learns what was known at
// the fences that its thread has heard of, if the scopes of both fences contain the other thread. Two fences that no
// communication orders have no order here, because the model allows both directions.
//
// Some edges are superfluous, but none is missing: accesses count for all lanes of their warps, a set with more than
// maxPassed parts forgets the scopes, and two strong accesses count if they overlap in a word. The only exception are
// tests of mbarriers: they leave nothing, although a test that fails is a read, so no fence orders what a thread
// decides by such a test.

// fenceOrder contains what a clock knows of fence.sc. It is immutable.
type fenceOrder struct {
	passed *fenceSet // fences that come before; nil for none
	heard  *fenceSet // fences that the next fence.sc comes after; nil for none
}

// A fenceSet is an immutable set of fences.
type fenceSet struct{ parts []passedFences }

// passedFences are the fences of one scope by the warps of one block.
type passedFences struct {
	scope  ambit
	anyone bool   // the fences count for every scope and every thread
	of     moment // a warp of the block, at time 0
	clock  *clock // what was known at the fences
}

// maxPassed limits the parts of a fenceSet.
const maxPassed = 8

// meetings contains the fences that accesses have left at a word; nil for none.
type meetings struct {
	all     *fenceSet // the fences of all accesses to the word
	written *fenceSet // the fences of the last write and of the accesses before it
	last    *fenceSet // the set that the latest access left
}

// join returns the union of a and b. It returns a itself if b adds nothing.
func (a *fenceSet) join(b *fenceSet) *fenceSet {
	switch {
	case b == nil || a == b:
		return a
	case a == nil:
		return b
	}
	for _, p := range b.parts {
		a = a.add(p)
	}
	return a
}

// add returns a with the fences of p.
func (a *fenceSet) add(p passedFences) *fenceSet {
	for i, x := range a.parts {
		if !x.anyone && (x.scope != p.scope || x.of != p.of || p.anyone) {
			continue
		}
		if !x.clock.union(&x.clock, p.clock) {
			return a
		}
		parts := slices.Clone(a.parts)
		parts[i] = x
		return &fenceSet{parts}
	}
	if len(a.parts) < maxPassed && !p.anyone {
		return &fenceSet{append(slices.Clip(a.parts), p)}
	}
	p.anyone = true
	for _, x := range a.parts {
		p.clock.union(&p.clock, x.clock)
	}
	return &fenceSet{[]passedFences{p}}
}

// joinOrder adds what o knows of fence.sc, and reports whether that was new.
func (c *clock) joinOrder(o *fenceOrder) bool {
	if c.order == nil {
		c.order = o
		return true
	}
	n := fenceOrder{c.order.passed.join(o.passed), c.order.heard.join(o.heard)}
	if n == *c.order {
		return false
	}
	c.order = &n
	return true
}

// setOrder sets what w knows of fence.sc.
func (w *warp) setOrder(passed, heard *fenceSet) {
	w.clock.order = &fenceOrder{passed, heard}
	w.learned++
}

// hearFences makes known to w what is known at the fences that come before a fence.sc of scope s.
func (w *warp) hearFences(s ambit) {
	o := w.clock.order
	if o == nil || o.heard == nil {
		return
	}
	left := fenceSet{}
	for _, p := range o.heard.parts {
		if p.anyone || w.reaches(min(s, p.scope), p.of) {
			w.acquireBy(all, p.clock)
		} else {
			left.parts = append(left.parts, p)
		}
	}
	// Fences that are not in scope come before this fence, and so before the fences that this one comes before.
	passed, heard := w.clock.order.passed.join(o.heard), &left
	if len(left.parts) == 0 {
		heard = nil
	}
	w.setOrder(passed, heard)
}

// passFence adds a fence.sc of scope s to the fences that w has passed. c contains what w knows; the result is c with
// the fence.
func (w *warp) passFence(c *clock, s ambit) *clock {
	flat := *c
	flat.order = nil
	p := passedFences{scope: s, of: moment{team: w.clock.team, who: w.block.first}, clock: &flat}
	o := w.clock.order
	if o == nil {
		o = &fenceOrder{}
	}
	passed := &fenceSet{[]passedFences{p}}
	w.setOrder(o.passed.join(passed), o.heard)
	full := *c
	full.order = w.clock.order
	w.frozen = frozen{&full, w.now, w.learned}
	return &full
}

// hasPassed reports whether a fence.sc comes before what w does.
func (w *warp) hasPassed() bool { return w.clock.order != nil && w.clock.order.passed != nil }

// meetFences lets w hear of the fences at p, and leaves there the fences that w has passed.
func (w *warp) meetFences(p *syncPoint, a orderedAccess) {
	if p.met == nil {
		if !w.hasPassed() {
			return
		}
		w.block.grid.keepClock(meetingBytes)
		p.met = &meetings{}
	}
	g, met := w.block.grid, p.met
	if p.global && g.releases > maxReleases {
		w.knowAll(g.time)
		return
	}
	from := met.written
	if a.orders() {
		from = met.all
	}
	if from != nil && from != w.heardLast {
		w.heardLast = from
		o := w.clock.order
		if o == nil {
			o = &fenceOrder{}
		}
		if heard := o.heard.join(from); heard != o.heard {
			w.setOrder(o.passed, heard)
		}
	}
	if o := w.clock.order; o != nil && o.passed != nil && o.passed != met.last {
		met.all, met.last = met.all.join(o.passed), o.passed
		g.releases++
	}
	if a.orders() {
		met.written = met.all
	}
}
