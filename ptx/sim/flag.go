package sim

import (
	"fmt"
	"slices"
)

// This file explains why a flag in global memory does not order two accesses of threads in different blocks: it says
// what is missing on which side. A warp keeps the last writes that its strong reads have observed and that were not
// ordered before it. For example, for
//
//	st [data]		ld.relaxed.gpu [flag]
//	st.relaxed.gpu [flag]	fence.acq_rel.gpu
//				ld [data]
//
// the finding says that a fence is missing between the two stores.

// A sighting is a strong read of a strong write. The scope of each contains the other thread.
type sighting struct {
	wrote moment
	from  uint32 // the site of the write, with its lane
	at    uint32 // the site of the read
	order order  // the semantics of the read
	nth   int64  // grid.polls at the read
	point *syncPoint
	value uint32 // syncPoint.version at the read
}

// maxSightings limits the sightings that a warp keeps.
const maxSightings = 4

// sight records that the current instruction has read the write r of the word of p.
func (w *warp) sight(r *record, p *syncPoint, as order) {
	if p == nil || w.instr().src.Op.Name() == "red" { // a red cannot be part of an acquire pattern
		return
	}
	s := sighting{r.moment(), r.at, w.site(), as, w.block.grid.polls, p, p.version}
	for i := range w.sights {
		if w.sights[i].at == s.at && w.sights[i].from == s.from {
			w.sights[i] = s
			return
		}
	}
	if len(w.sights) >= maxSightings {
		w.sights = slices.Delete(w.sights, 0, 1)
	}
	w.sights = append(w.sights, s)
}

// whyFlag says why no flag made the access o of another block known to w.
func (w *warp) whyFlag(o other) string {
	if why := w.whyWeak(o); why != "" && o.team != w.clock.team {
		return why
	}
	for _, s := range slices.Backward(w.sights) {
		if !s.follows(o) {
			continue
		}
		g := w.block.grid
		need := w.scopeOf(o.moment)
		lacks, why := s.whyNotReleased(g, o, need), s.whyNotAcquired(w, need)
		switch {
		case lacks == "" && (why == "" || !w.hasSeen(o.moment)):
			continue
		case lacks != "" && why != "":
			lacks += ", and "
		}
		return fmt.Sprintf("the flag that line %s writes and line %s reads does not order them: %s",
			g.lineAt(s.from), g.lineAt(s.at), lacks+why)
	}
	if w.hasSeen(o.moment) {
		return "this thread has read by .relaxed or .volatile what the other has released: a fence after that " +
			"read is missing, or .acquire"
	}
	return "a flag or an atomic that orders the blocks is missing, a fence or .release before it, a fence or " +
		".acquire after it, or a barrier between it and one of the two"
}

// follows reports whether the write of s comes after o, as far as times and the order of the text tell, and still has
// its value.
func (s *sighting) follows(o other) bool {
	if s.wrote.team != o.team || s.wrote.time < o.time || s.point.version != s.value {
		return false
	}
	return s.wrote.time > o.time || s.wrote.who != o.who || s.from>>5 > o.site>>5
}

// hasSeen reports whether w knows m from its next fence on.
func (w *warp) hasSeen(m moment) bool { return w.clock.seen != nil && w.clock.seen.knows(m) }

// scopeOf returns the smallest scope that contains w and the actor of m.
func (w *warp) scopeOf(m moment) ambit {
	s := ofBlock
	for !w.reaches(s, m) {
		s++
	}
	return s
}

// String returns the name of s in PTX.
func (s ambit) String() string { return [...]string{".cta", ".cluster", ".gpu"}[s] }

// whyNotReleased says why the write of s does not make o known to a thread that acquires it, or returns "". Fences need
// at least the scope need.
func (s *sighting) whyNotReleased(g *grid, o other, need ambit) string {
	lane := int(o.site & 31)
	knows := func(c *clock) bool { return c.knows(o.moment) || c.knowsLane(o.moment, lane) }
	from, to := g.lineAt(o.site), g.lineAt(s.from)
	switch p := s.point; {
	case knows(&p.clock):
		return ""
	case p.near != nil && knows(&p.near.clock):
		return fmt.Sprintf("the fence before line %s, or .release there, has the scope %v, and needs %v",
			to, p.near.scope, need)
	case s.wrote.who != o.who || int(s.from&31) != lane:
		return fmt.Sprintf("another thread writes the flag, which needs a barrier of both between lines %s and %s, "+
			"and then fence.acq_rel%v, or .release at line %s", from, to, need, to)
	}
	return fmt.Sprintf("fence.acq_rel%v between lines %s and %s is missing, or .release at line %s", need, from, to, to)
}

// whyNotAcquired says why w does not know what the write of s has released, or returns "".
func (s *sighting) whyNotAcquired(w *warp, need ambit) string {
	g, f := w.block.grid, &w.fences
	fenced := f.time != 0 && f.nth >= s.nth
	switch {
	case s.order&acquires != 0 || fenced && f.scope >= need:
		return ""
	case fenced:
		return fmt.Sprintf("the fence at line %s has the scope %v, and needs %v", g.lineAt(f.site), f.scope, need)
	}
	return fmt.Sprintf("fence.acq_rel%v after line %s is missing, or .acquire there", need, g.lineAt(s.at))
}

// whyWeak says why the current access and o are not morally strong although one of them is strong, or returns "": such
// accesses of a flag are races.
func (w *warp) whyWeak(o other) string {
	a, b := w.instr(), w.block.grid.instrAt(o.site)
	s, isOne := a.strength()
	t, isOther := b.strength()
	if !isOne || !isOther || o.how&byOperation != 0 || !s.isStrong() && !t.isStrong() {
		return ""
	}
	for _, x := range []struct {
		in  *instr
		how how
	}{{a, s}, {b, t}} {
		if !x.how.isStrong() {
			return fmt.Sprintf("%s at line %s is weak: a flag needs .relaxed.gpu or more on both sides, "+
				"and other data a flag or an atomic that orders the blocks", x.in.src.Op, w.block.grid.program.line(x.in))
		}
		if x.how.scope() != ofGPU {
			return fmt.Sprintf("%s at line %s has the scope %v: a flag of two blocks needs .gpu on both sides",
				x.in.src.Op, w.block.grid.program.line(x.in), x.how.scope())
		}
	}
	return ""
}

// strength returns how strong the access of a load, a store or an atomic instruction is; ok is false for others.
func (in *instr) strength() (h how, ok bool) {
	if in.src == nil || in.src.Op.Has("async") || in.src.Op.Has("bulk") {
		return 0, false
	}
	o := newOpcode(in.src)
	switch o.name {
	case "ld", "st":
		h, _ = o.strength()
	case "atom", "red":
		h, _ = o.atomicStrength()
	default:
		return 0, false
	}
	return h, true
}
