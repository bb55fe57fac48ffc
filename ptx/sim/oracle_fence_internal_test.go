package sim

import (
	"math/rand/v2"
	"slices"
)

// This file has the order of fence.sc for the oracle: it follows the definition in fencesc.go for single threads, and
// looks at all accesses again at each fence.

// An oracleFence is a fence.sc of a thread: what the thread knew, which includes the fence.
type oracleFence struct {
	saying
	time uint32
}

// drawFences makes some fences of p fence.sc, and adds the flags of Dekker's algorithm to p: of two warps, the one
// stores data before a fence and then loads a flag, and the other stores the flag before a fence and loads the data.
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

// fenceSC makes known to thread t, at a fence.sc of scope s, what the fences before it know.
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

// shows reports whether an access after f meets a later one that a thread with clock c knows.
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
