package sim

import (
	"fmt"
	"math/bits"

	"girih/internal/machine/chain"
	"girih/ptx"
)

// This file implements the copies of a thread from global to shared memory (PTX ISA 9.7.9.25.3, cp.async), and the
// waits for such copies.

func copyRow(name string) row {
	if name == "cp" {
		return (*decoder).copyAsync
	}
	return nil
}

// copyUse is one cp.async.
type copyUse struct {
	to, from access
	bytes    int
	source   int // the slot of the number of bytes to read, after which zeros are written; -1 if all bytes are read
	ignore   int // the predicate that suppresses the read; -1 if there is none
	not      uint32
}

func (d *decoder) copyAsync(o *opcode) (step, error) {
	if !o.has("async") {
		return nil, fmt.Errorf("%s is not known", o.Op)
	}
	if o.has("bulk") {
		return d.bulk(o)
	}
	switch {
	case o.has("commit_group"):
		if err := o.need(0, 0); err != nil {
			return nil, err
		}
		return func(w *warp, mask uint32) status {
			w.copies.commit(mask)
			return advance
		}, nil
	case o.has("wait_group"), o.has("wait_all"):
		return d.copyWait(o)
	case o.has("mbarrier"):
		return d.copyArrive(o)
	}
	return d.copyStart(o)
}

func (d *decoder) copyWait(o *opcode) (step, error) {
	n := uint32(0)
	if o.Op.Has("wait_group") {
		v, ok := ptx.Int(0), false
		if len(o.Operands) == 1 {
			v, ok = o.Operands[0].(ptx.Int)
		}
		if !ok || v < 0 {
			return nil, fmt.Errorf("expected a number of groups")
		}
		n = uint32(min(v, 1<<30))
	} else if err := o.need(0, 0); err != nil {
		return nil, err
	}
	all := o.Op.Has("wait_all")
	return func(w *warp, mask uint32) status {
		if all {
			w.copies.commit(mask)
		}
		return w.landGroups(&w.copies, mask, n)
	}, nil
}

// landGroups completes all groups of the lanes except the last n of each lane, as a wait for groups guarantees.
func (w *warp) landGroups(s *groups, mask, n uint32) status {
	st := advance
	s.note(mask, groupWait{site: w.site(), n: n})
	s.wait(mask, n, func(o *operation) {
		if st != advance {
			return
		}
		w.block.grid.explain.noteWait(w, o, chain.Finish)
		if f := o.land(w.event()); f.kind != "" {
			if w.noteFault(f, o); !w.goesOn() {
				st = failed
			}
		}
	})
	return st
}

func (d *decoder) copyStart(o *opcode) (step, error) {
	level := o.one("ca", "cg")
	shared, own, global := o.has("shared"), o.has("shared::cta"), o.has("global")
	if level == "" || !shared && !own || !global {
		return nil, fmt.Errorf("expected .ca or .cg, .shared and .global")
	}
	policy := o.Op.Has("L2::cache_hint")
	o.skipHints()
	r, u := d.reader(o), &copyUse{source: -1, ignore: -1}
	u.to, u.from = r.address(ptx.Shared), r.address(ptx.Global)
	if r.err != nil {
		return nil, r.err
	}
	size, _ := r.ops.next().(ptx.Int)
	if u.bytes = int(size); size != 16 && (level == "cg" || size != 4 && size != 8) {
		return nil, fmt.Errorf("a copy of %d bytes: .cg copies 16, .ca copies 4, 8 or 16", size)
	}
	u.to.unit, u.to.count, u.to.write = u.bytes, 1, true
	u.from.count = 1
	if policy {
		n := len(r.ops)
		if n == 0 {
			return nil, fmt.Errorf("expected a cache policy")
		}
		_, err := d.src(r.ops[n-1], ptx.B64)
		r.keep(err)
		r.ops = r.ops[:n-1]
	}
	if len(r.ops) > 0 && r.err == nil {
		r.err = u.partial(d, r.ops.next())
	}
	return r.end(u.step)
}

// partial reads the optional operand that limits the read: the number of bytes, or a predicate that suppresses the
// read.
func (u *copyUse) partial(d *decoder, x ptx.Operand) (err error) {
	if u.ignore, u.not, err = d.srcPred(x); err == nil && !isInt(x) {
		return nil
	}
	u.ignore = -1
	u.source, err = d.src(x, ptx.U32)
	return err
}

func isInt(o ptx.Operand) bool {
	_, ok := o.(ptx.Int)
	return ok
}

func (u *copyUse) step(w *warp, mask uint32) status {
	f := w.f
	for _, s := range []int{u.to.at.slot, u.from.at.slot, u.source} {
		if s >= 0 && mask&^f.def[s] != 0 {
			return w.failUndefined(mask, s)
		}
	}
	skip := uint32(0)
	if u.ignore >= 0 {
		if miss := mask &^ f.pdef[u.ignore]; miss != 0 {
			return w.undefinedPredicate(miss, u.ignore)
		}
		skip = f.pred[u.ignore] ^ u.not
	}
	o := &operation{
		reads: make([]region, 0, lanes), writes: make([]region, 0, lanes), move: moveCopies,
		missing: "cp.async.wait_group",
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		n := u.bytes
		if skip>>lane&1 == 1 {
			n = 0
		}
		if u.source >= 0 {
			if v := f.regs[u.source][lane]; v > uint64(u.bytes) {
				return w.fail(KindArgument, 1<<lane, "reads %d bytes to copy %d", v, u.bytes)
			} else if n = int(v); n < 0 {
				n = 0
			}
		}
		seg, off := w.target(&u.to, lane, f.regs[u.to.at.slot][lane]+uint64(u.to.at.offset))
		if seg == nil {
			return failed
		}
		src, from, st := u.sourceOf(w, lane, n)
		if st != advance {
			return st
		}
		o.writes = append(o.writes, region{seg: seg, off: off, n: uint64(u.bytes), lane: uint8(lane)})
		o.reads = append(o.reads, region{seg: src, off: from, n: uint64(n), lane: uint8(lane)})
	}
	if st := w.begin(o, mask); st != advance {
		return st
	}
	w.copies.add(o)
	w.block.grid.recorder().copyThreads(w, o)
	return advance
}

// sourceOf returns the place where a lane reads n bytes.
func (u *copyUse) sourceOf(w *warp, lane, n int) (*segment, uint64, status) {
	address := w.f.regs[u.from.at.slot][lane] + uint64(u.from.at.offset)
	if n == 0 {
		return &w.block.shared, 0, advance
	}
	if address&uint64(u.bytes-1) != 0 {
		w.fail(KindAlign, 1<<lane, "address 0x%x is no multiple of the %d bytes that are copied", address, u.bytes)
		w.fault.Address = address
		if seg, off := w.nowhere(n); seg != nil {
			return seg, off, advance
		}
		return nil, 0, failed
	}
	a := u.from
	a.unit = n
	seg, off := w.target(&a, lane, address)
	if seg == nil {
		return nil, 0, failed
	}
	for i := range n { // n need not be a power of 2
		if !seg.isDefined(off+uint64(i), 1) {
			w.unwritten(seg, lane, address, n)
			return nil, 0, failed
		}
	}
	return seg, off, advance
}

// moveCopies writes the bytes that a cp.async has read, followed by zeros.
func moveCopies(o *operation) opFault {
	for i := range o.writes {
		to, from := &o.writes[i], &o.reads[i]
		dst := to.seg.data[to.off : to.off+to.n]
		n := copy(dst, from.seg.data[from.off:from.off+from.n])
		clear(dst[n:])
		to.seg.define(to.off, int(to.n))
	}
	return opFault{}
}

// copyArrive reads cp.async.mbarrier.arrive: an arrival after all copies that the thread has begun have landed.
func (d *decoder) copyArrive(o *opcode) (step, error) {
	o.skip("arrive", "b64")
	noinc := o.has("noinc")
	if err := o.need(1, 1); err != nil {
		return nil, err
	}
	a, err := d.address(o.Operands[0], o.space())
	if err != nil {
		return nil, err
	}
	a.unit, a.count, a.write = 8, 1, true
	return func(w *warp, mask uint32) status {
		f := w.f
		if miss := mask &^ f.def[a.at.slot]; miss != 0 {
			return w.failUndefined(miss, a.at.slot)
		}
		for left := mask; left != 0; {
			lane := lowest(left)
			address, same := f.regs[a.at.slot][lane], uint32(0)
			for m := left; m != 0; m &= m - 1 {
				if i := lowest(m); f.regs[a.at.slot][i] == address {
					same |= 1 << i
				}
			}
			left &^= same
			seg, off := w.target(&a, lane, address+uint64(a.at.offset))
			if seg == nil {
				return failed
			}
			if w.isNowhere(seg) {
				continue
			}
			if seg.owner != w.block {
				return w.fail(KindArgument, same, "address 0x%x is not in the shared memory of the block",
					address+uint64(a.at.offset))
			}
			m, st := w.mbarrierOf(seg, off, lane)
			if m == nil {
				return st
			}
			if !noinc {
				m.pending += bits.OnesCount32(same)
			}
			if st := w.arriveAfterCopies(m, same); st != advance {
				return st
			}
		}
		return advance
	}, nil
}

// arriveAfterCopies makes the lanes of mask arrive at m after their copies have landed.
func (w *warp) arriveAfterCopies(m *mbarrier, mask uint32) status {
	n := bits.OnesCount32(mask)
	if owed, _ := m.outstanding(); m.pending < owed+n {
		return w.fail(KindBarrier, mask, "%d arrivals at the mbarrier at 0x%x, where %d of %d are missing in phase %d, and %d are under way",
			n, m.address(), m.pending, m.count, m.phase, owed)
	}
	p := promise{lanes: mask, arrivals: n, warp: w}
	for _, o := range w.copies.list {
		if o.number != 0 && o.lanes&mask != 0 {
			p.ops = append(p.ops, o)
		}
	}
	w.publish(&m.arriving, byBarrier, mask)
	w.block.grid.explain.arriveAt(w, m, arrived{mask: mask})
	m.promise(p)
	return advance
}
