package sim

import (
	"math/rand/v2"
	"slices"
)

// This file implements the order of fence.sc for the oracle. It follows the definition in fencesc.go for single
// threads, and examines all accesses again at each fence.

// An oracleFence is a fence.sc of a thread, with everything that the thread knew, including the fence itself.
type oracleFence struct {
	saying
	time uint32
}

// drawFences turns some fences of p into fence.sc, and adds the flags of Dekker's algorithm to p: one of two warps
// stores data before a fence and then loads a flag; the other warp stores the flag before a fence and then loads the
// data.
func (p *oracleProgram) drawFences(r *rand.Rand) {
	for i := range p.steps {
		if s := &p.steps[i]; s.op == "fence" && r.IntN(3) > 0 {
			s.sc, s.lanes = true, pick[uint32](r, 1, 2, 3, 1<<31)
		}
	}
	space, at, first := r.IntN(3) == 0, 0, r.IntN(2)
	for k, s := range []oracleStep{
		{op: "st", write: true, from: 5},
		{op: "fence", sc: true},
		{op: "ld", strong: true, from: 6},
		{op: "st", write: true, strong: true, from: 6},
		{op: "fence", sc: true},
		{op: "ld", from: 5},
	} {
		warp := k/3 ^ first
		s.bytes, s.places, s.shared, s.scope = 4, 64, space, pick(r, ofGPU, ofGPU, ofGPU, ofBlock)
		s.warps, s.lanes = 1<<(warp*(p.blocks*p.warps-1)), pick[uint32](r, 1, 1, 1, 3)
		at += r.IntN(len(p.steps) - at + 1)
		p.steps = slices.Insert(p.steps, at, s)
		at++
	}
}

// fenceSC makes known to thread t, at a fence.sc of scope s, what is known at the fences that come before it.
func (o *oracle) fenceSC(t int, s ambit) {
	x := &o.threads[t]
	for more := true; more; {
		more = false
		for i := range o.fences {
			f := &o.fences[i]
			if f.time > x.clock[f.thread] && o.both(f.scope, f.thread, s, t) && o.shows(f, x.clock) {
				x.clock.join(f.clock)
				more = true
			}
		}
	}
	o.fences = append(o.fences, oracleFence{saying{x.clock.clone(), s, t}, x.clock[t]})
}

// shows reports whether an access after f conflicts with a later access that is in clock c.
func (o *oracle) shows(f *oracleFence, c vclock) bool {
	for _, list := range o.strong {
		after, written := false, false
		for _, a := range list {
			if a.time <= c[a.thread] && (written || after && a.write) {
				return true
			}
			after = after || f.time <= a.clock[f.thread]
			written = written || after && a.write
		}
	}
	return false
}
