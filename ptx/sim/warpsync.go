package sim

import "girih/ptx"

// This file implements bar.warp.sync (PTX ISA 9.7.13.2). A lane waits until all lanes of its membermask have executed
// a bar.warp.sync with the same membermask. On sm_70 and later that may be another instruction:
//
//		@%p1 bra B;
//		bar.warp.sync -1;	// the lanes without %p1 meet
//		bra C;
//	B:	bar.warp.sync -1;	// the lanes with %p1
//	C:
//
// On older targets all lanes of a membermask execute the same bar.warp.sync together.

const firstIndependent = 70 // the architecture from which on lanes of a warp have program counters of their own

// barWarp reads bar.warp.sync.
func (d *decoder) barWarp(o *opcode) (step, error) {
	o.skip("sync")
	r := d.reader(o)
	r.keep(o.need(1, 1))
	member := r.src(ptx.B32)
	if r.err != nil {
		return nil, r.err
	}
	if d.program.arch() < firstIndependent {
		return d.syncStep(member, func(w *warp, mask uint32) status {
			w.meetLanes(mask, byBarrier)
			return advance
		}), nil
	}
	return func(w *warp, mask uint32) status {
		if _, st := w.membersOf(member, mask); st != advance {
			return st
		}
		for m := mask; m != 0; m &= m - 1 {
			w.masks[lowest(m)] = uint32(w.f.regs[member][lowest(m)])
		}
		return w.syncLanes(mask)
	}, nil
}

// syncLanes lets lanes of the current path arrive at a bar.warp.sync. Lanes whose membermask is complete go on.
func (w *warp) syncLanes(mask uint32) status {
	p, here := w.p, mask
	for _, q := range w.paths {
		if q != p && q.state == meeting && q.syncs {
			here |= q.at
		}
	}
	done, st := w.meetComplete(here), advance
	if rest := mask &^ done; rest != 0 && !w.agree(rest, here&^done) {
		st, done = failed, here
	}
	if done != 0 {
		w.spun = 0
	}
	for _, q := range w.paths {
		if q != p && q.state == meeting && q.syncs && q.at&done != 0 {
			w.goOn(q, q.at&^done)
		}
	}
	if w.goOn(p, mask&^done); p.state != running {
		return blocked
	}
	p.pc-- // the caller advances it
	return st
}

// meetComplete orders the lanes of here whose membermask is complete, and returns them.
func (w *warp) meetComplete(here uint32) (done uint32) {
	for left := here; left != 0; {
		v := w.masks[lowest(left)]
		group := w.withMask(left, v)
		left &^= group
		if v&w.live&^group == 0 {
			w.meetLanes(group, byBarrier)
			done |= group
		}
	}
	return done
}

// withMask returns the lanes of left whose membermask is v.
func (w *warp) withMask(left, v uint32) (group uint32) {
	for m := left; m != 0; m &= m - 1 {
		if w.masks[lowest(m)] == v {
			group |= m & -m
		}
	}
	return group
}

// goOn lets the lanes of p that are not in rest go on after a bar.warp.sync. The lanes of rest wait there, and the
// others wait for them at the next instruction unless another lane needs one of them.
func (w *warp) goOn(p *path, rest uint32) {
	if rest == 0 {
		p.state, p.freed = running, 0
		p.pc++
		return
	}
	if free := p.mask &^ rest; free != 0 {
		if p.join == nil || p.join.frame != p.frame || p.join.pc != p.pc+1 {
			p.join = &join{frame: p.frame, pc: p.pc + 1, expect: p.mask, up: p.join}
		}
		p.join.here |= free
		p.mask = rest
	}
	p.state, p.at, p.want, p.whole, p.syncs = meeting, rest, 0, false, true
	for m := rest; m != 0; m &= m - 1 {
		p.want |= w.masks[lowest(m)] & w.live
	}
}

// agree reports whether no lanes of rest and other lanes that are here wait for each other with different membermasks.
// Otherwise none of them ever goes on, and w.fault says so.
func (w *warp) agree(rest, here uint32) bool {
	for left := rest; left != 0; {
		v := w.masks[lowest(left)]
		group := w.withMask(here, v)
		left &^= group
		for m := v & here &^ group; m != 0; m &= m - 1 {
			if other := w.masks[lowest(m)]; other&group != 0 {
				w.fail(KindDivergent, group&rest, "the membermask is 0x%08x in lanes 0x%08x, and 0x%08x in lanes 0x%08x",
					v, group, other, w.withMask(here, other))
				return false
			}
		}
	}
	return true
}
