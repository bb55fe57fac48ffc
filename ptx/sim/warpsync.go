package sim

import (
	"math/bits"
	"slices"
	"strings"

	"girih/ptx"
)

// This file makes lanes meet for bar.warp.sync (PTX ISA 9.7.13.2), shfl.sync (9.7.9.6), vote.sync, match.sync,
// redux.sync and elect.sync. A lane waits until all lanes of its membermask that have not exited have executed an
// instruction with the same opcode, the same qualifiers and the same membermask. On sm_70 and later, the lanes may be
// at different instructions, even in different functions:
//
//	@%p1 bra B;
//	shfl.sync.bfly.b32 %r1, %r2, 16, 31, -1;	// the lanes without %p1 exchange values
//	bra C;
// B: shfl.sync.bfly.b32 %r3, %r4, 16, 31, -1; // with the lanes with %p1 C:
//
// On older targets all lanes of a membermask execute the same instruction together.

const firstIndependent = 70 // the first architecture on which the lanes of a warp have separate program counters

// A collective is an instruction that the lanes of a membermask execute together.
type collective struct {
	kind   string // the opcode, and its qualifiers in alphabetical order
	member int    // the register of the membermask
	here   bool   // the lanes meet only at this instruction
	reads  bool   // lanes read registers of other lanes, which must not have exited in the meantime
	x      slots
	need   []int // the registers that must have a value
	do     exchange
}

// collective returns the step of c, which is o. Operand n is the membermask.
func (d *decoder) collective(c *collective, o *opcode, n int) (step, error) {
	o.skip("sync")
	if err := o.need(n+1, n+1); err != nil {
		return nil, err
	}
	mods := slices.Sorted(slices.Values(o.mods))
	c.kind, c.here = o.name+"."+strings.Join(mods, "."), d.program.arch() < firstIndependent
	var err error
	c.member, err = d.src(o.Operands[n], ptx.B32)
	return c.step, err
}

// barWarp reads bar.warp.sync.
func (d *decoder) barWarp(o *opcode) (step, error) {
	meet := func(w *warp, _ *frame, _ *slots, mask uint32) { w.meetLanes(mask, byBarrier) }
	return d.collective(&collective{x: noOperands, do: meet}, o, 0)
}

// step lets the lanes of mask arrive at c. If they are all lanes of one membermask, they execute c at once.
func (c *collective) step(w *warp, mask uint32) status {
	want, same, st := w.membersOf(c.member, mask)
	if st == advance {
		st = c.check(w, mask)
	}
	if st != advance {
		return st
	}
	p := w.p
	p.sync, p.at = c, mask
	if same && want&w.live&^mask == 0 {
		if st = w.exchange(mask, want); st == advance {
			p.freed = 0
		}
		return st
	}
	return w.syncLanes(mask)
}

// membersOf stores the membermasks of the lanes of mask, which are in register slot, in w.masks. It returns the union
// of these masks, and whether all masks are the same. Each mask must include its own lane.
func (w *warp) membersOf(slot int, mask uint32) (want uint32, same bool, st status) {
	if miss := mask &^ w.f.def[slot]; miss != 0 {
		return 0, false, w.failUndefined(miss, slot)
	}
	member, common := &w.f.regs[slot], all
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		v := uint32(member[i])
		if v>>i&1 == 0 {
			return 0, false, w.fail(KindDivergent, 1<<i, "lane %d executes it, and is not in its membermask 0x%08x", i, v)
		}
		w.masks[i] = v
		want |= v
		common &= v
	}
	return want, want == common, advance
}

// check reports lanes of mask in which an operand of c has no value.
func (c *collective) check(w *warp, mask uint32) status {
	f := w.f
	for _, s := range c.need {
		if mask&^f.def[s] != 0 {
			return w.failUndefined(mask, s)
		}
	}
	if q := c.x.q; q >= 0 && mask&^f.pdef[q] != 0 {
		return w.undefinedPredicate(mask&^f.pdef[q], q)
	}
	return advance
}

// meets reports whether lanes at c in frame f may take part in the collective of the current path.
func (c *collective) meets(w *warp, f *frame) bool {
	own := w.p.sync
	return c == own && f == w.f || !own.here && c.kind == own.kind
}

// lanesAt returns the lanes of q that execute or wait for a collective.
func (w *warp) lanesAt(q *path) uint32 {
	if q == w.p || q.state == meeting && q.sync != nil {
		return q.at
	}
	return 0
}

// syncLanes lets lanes of the current path arrive at a collective. Lanes whose membermask is complete execute it.
func (w *warp) syncLanes(mask uint32) status {
	p, here := w.p, uint32(0)
	for _, q := range w.paths {
		if at := w.lanesAt(q); at != 0 && q.sync.meets(w, q.frame) {
			here |= at
		}
	}
	done, st := w.exchangeComplete(here)
	if rest := mask &^ done; st == advance && rest != 0 && !w.agree(rest, done) {
		st = failed
	}
	if st != advance {
		return st
	}
	for _, q := range w.paths {
		if at := w.lanesAt(q); q != p && at&done != 0 {
			w.goOn(q, at&^done)
		}
	}
	if w.goOn(p, mask&^done); p.state != running {
		return blocked
	}
	p.pc-- // the caller advances it
	return advance
}

// exchangeComplete executes the collective for the lanes of here whose membermask is complete, and returns these lanes.
func (w *warp) exchangeComplete(here uint32) (done uint32, st status) {
	for left := here; left != 0; {
		v := w.masks[lowest(left)]
		group := w.withMask(left, v)
		left &^= group
		if v&w.live&^group != 0 {
			continue
		}
		if st := w.exchange(group, v); st != advance {
			return done, st
		}
		done |= group
	}
	return done, advance
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

// goOn lets the lanes of p that are not in rest continue after a collective. The lanes of rest stay and wait. The
// others wait for them at the next instruction, unless another lane needs one of them.
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
	p.state, p.at, p.want = meeting, rest, 0
	for m := rest; m != 0; m &= m - 1 {
		p.want |= w.masks[lowest(m)] & w.live
	}
}

// agree checks that no lane of rest, which is on the current path, waits for a lane that in turn waits for it elsewhere
// or with another membermask. Such lanes would never continue, so agree sets w.fault and returns false. The lanes of
// done do not wait.
func (w *warp) agree(rest, done uint32) bool {
	for left := rest; left != 0; {
		v := w.masks[lowest(left)]
		group := w.withMask(left, v)
		left &^= group
		for _, q := range w.paths {
			meets := q.sync != nil && q.sync.meets(w, q.frame)
			for m := w.lanesAt(q) & v &^ done; m != 0; m &= m - 1 {
				other := w.masks[lowest(m)]
				if other&group == 0 || meets && other == v {
					continue
				}
				w.failApart(group, q, other)
				return false
			}
		}
	}
	return true
}

// failApart sets w.fault to the finding that the lanes of group and lanes of q, which have the membermask other, wait
// for each other.
func (w *warp) failApart(group uint32, q *path, other uint32) {
	v, they := w.masks[lowest(group)], w.withMask(q.at, other)
	if q.sync.meets(w, q.frame) {
		w.fail(KindDivergent, group, "the membermask is 0x%08x in lanes 0x%08x, and 0x%08x in lanes 0x%08x",
			v, group, other, they)
	} else {
		why := "the lanes of a membermask meet only at instructions with the same opcode and qualifiers"
		if q.sync.kind == w.p.sync.kind {
			why = "before sm_70, the lanes of a membermask meet only at the same instruction"
		}
		w.fail(KindDivergent, group, "lanes 0x%08x wait here for lanes 0x%08x, which wait for them %s: %s",
			group, they&v, q.place(w.block.grid.program), why)
	}
	if in := q.frame.fn.code[q.pc].src; in != nil && in.Pos != w.fault.Pos {
		w.fault.Other = in.Pos
	}
}
