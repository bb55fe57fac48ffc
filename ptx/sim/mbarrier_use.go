package sim

import (
	"fmt"

	"girih/internal/machine/chain"
	"girih/ptx"
)

func mbarrierRow(name string) row {
	if name == "mbarrier" {
		return (*decoder).mbarrier
	}
	return nil
}

// mbarrierUse is one instruction that uses an mbarrier.
type mbarrierUse struct {
	access
	op         string
	state      int  // slot of the state (returned or waited for) or of the parity; -1 for none
	count      int  // slot of the number of arrivals; -1 for one arrival
	tx         int  // slot of the number of bytes; -1 for none
	pred       int  // predicate that receives the result of a wait
	ignored    bool // nothing depends on the result of a wait
	parity     bool
	noComplete bool
	drop       bool
	relaxed    bool
	scope      ambit
}

// mbarrier reads all mbarrier instructions. It assumes the strongest semantics and the widest scope.
func (d *decoder) mbarrier(o *opcode) (step, error) {
	o.skip("b64")
	r, u := d.reader(o), &mbarrierUse{state: -1, count: -1, tx: -1}
	u.op = o.one("init", "inval", "arrive", "arrive_drop", "expect_tx", "complete_tx", "test_wait", "try_wait", "pending_count")
	switch u.op {
	case "pending_count":
		return d.pendingCount(o)
	case "arrive", "arrive_drop":
		u.noComplete, u.drop = o.has("noComplete"), u.op == "arrive_drop"
		u.state = readNext(r, func(o ptx.Operand) (int, error) {
			if o == ptx.Sink {
				return -1, nil
			}
			return d.dst(o)
		})
		if o.has("expect_tx") {
			u.op = "arrive.expect_tx"
		}
	case "test_wait", "try_wait":
		u.parity = o.has("parity")
		name, _ := r.ops.next().(ptx.Name)
		u.pred, u.ignored = r.predicate(name), d.isIgnored(name)
	case "":
		return nil, fmt.Errorf("%s is not known", o.Op)
	}
	u.relaxed, u.scope = o.has("relaxed"), o.scope(ofBlock)
	o.skip("release", "acquire", "cta", "cluster")
	u.access = r.address(o.space())
	u.unit, u.access.count, u.write = 8, 1, true
	if r.err == nil {
		r.err = d.mbarrierOperands(u, &r.ops)
	}
	do, err := r.end(u.step)
	if err == nil && u.space == "shared::cluster" && (u.state >= 0 || u.op == "init" || u.op == "inval") {
		return nil, fmt.Errorf("no such instruction for .shared::cluster")
	}
	return do, err
}

// isIgnored reports whether nothing reads a register that the current instruction writes, apart from a selp whose
// result nothing reads. A wait whose result is ignored orders nothing, since the kernel does the same if it fails.
func (d *decoder) isIgnored(name ptx.Name) bool {
	n, in := d.readers(name)
	if n == 1 && in.Op.Name() == "selp" {
		if to, ok := in.Operands[0].(ptx.Name); ok {
			n, _ = d.readers(to)
		}
	}
	return n == 0
}

// readers counts the instructions that may read a register, up to 2, and returns the last of them.
func (d *decoder) readers(name ptx.Name) (n int, last *ptx.Instr) {
	for s := d.scope; s != nil; s = s.up {
		if s.block != nil && (s.names[name] != nil || findNumbered(s.ranges, name) != nil) {
			return readersIn(s.block, name)
		}
	}
	return 2, nil
}

func readersIn(b *ptx.Block, name ptx.Name) (n int, last *ptx.Instr) {
	for _, s := range b.Stmts {
		switch s := s.(type) {
		case *ptx.Block:
			if more, in := readersIn(s, name); more > 0 {
				n, last = n+more, in
			}
		case *ptx.Instr:
			reads := s.Pred == name
			for x, written := range s.Names() {
				reads = reads || !written && (x == name || x.Base() == name)
			}
			if reads {
				n, last = n+1, s
			}
		}
		if n > 1 {
			break
		}
	}
	return n, last
}

// mbarrierOperands reads the operands after the address.
func (d *decoder) mbarrierOperands(u *mbarrierUse, ops *operands) (err error) {
	switch u.op {
	case "init":
		u.count, err = d.src(ops.next(), ptx.U32)
	case "expect_tx", "complete_tx", "arrive.expect_tx":
		u.tx, err = d.src(ops.next(), ptx.U32)
	case "arrive", "arrive_drop":
		if len(*ops) > 0 || u.noComplete {
			u.count, err = d.src(ops.next(), ptx.U32)
		}
	case "test_wait", "try_wait":
		t := ptx.B64
		if u.parity {
			t = ptx.U32
		}
		if u.state, err = d.src(ops.next(), t); err != nil {
			return err
		}
		if u.op == "try_wait" && len(*ops) > 0 { // the operand is the suspend-time hint
			_, err = d.src(ops.next(), ptx.U32)
		}
	}
	return err
}

// pendingCount reads mbarrier.pending_count.
func (d *decoder) pendingCount(o *opcode) (step, error) {
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	a, err := d.src(o.Operands[1], ptx.B64)
	if err != nil {
		return nil, err
	}
	return map1(dst, a, func(x uint64) uint64 { return x & maxArrivals }), nil
}

// value returns the value of slot in a lane, or without if there is no slot.
func (w *warp) value(slot, lane int, without uint64) uint64 {
	if slot < 0 {
		return without
	}
	return w.f.regs[slot][lane]
}

// isWait reports whether u is test_wait or try_wait.
func (u *mbarrierUse) isWait() bool { return u.op == "test_wait" || u.op == "try_wait" }

// step executes the instruction for each lane, one after another.
func (u *mbarrierUse) step(w *warp, mask uint32) status {
	read := [4]int{u.at.slot, u.count, u.tx, -1}
	if u.isWait() {
		read[3] = u.state
	}
	for _, s := range read {
		if s >= 0 && mask&^w.f.def[s] != 0 {
			return w.failUndefined(mask, s)
		}
	}
	if u.isWait() {
		return u.wait(w, mask)
	}
	for left := mask; left != 0; left &= left - 1 {
		if st := u.lane(w, lowest(left)); st != advance {
			return st
		}
	}
	return advance
}

// lane executes the instruction, which is not a wait, for one lane.
func (u *mbarrierUse) lane(w *warp, lane int) status {
	seg, off := w.target(&u.access, lane, w.addressOf(&u.access, lane))
	switch {
	case seg == nil:
		return failed
	case w.isNowhere(seg):
		return advance
	case seg.owner == nil:
		return w.fail(KindArgument, 1<<lane, "address 0x%x is not in shared memory", w.addressOf(&u.access, lane))
	case u.op == "init":
		return u.begin(w, seg, off, lane)
	}
	m, st := w.mbarrierOf(seg, off, lane)
	if m == nil {
		return st
	}
	return u.change(w, m, lane)
}

// begin executes mbarrier.init.
func (u *mbarrierUse) begin(w *warp, seg *segment, off uint64, lane int) status {
	n := w.f.regs[u.count][lane]
	if n == 0 || n > maxArrivals {
		return w.fail(KindArgument, 1<<lane, "a count of %d arrivals, and it may be 1 to %d", n, maxArrivals)
	}
	m := seg.owner.mbarrierAt(off)
	if m != nil {
		m.settleCommits()
	}
	if m != nil && (len(m.waiters) > 0 || len(m.promised) > 0) {
		return w.fail(KindBarrier, 1<<lane, "begins an mbarrier anew that is in use: %v", m)
	}
	w.off[lane] = off
	for o := off; o < off+8; o += 4 { // otherwise, the store below would end the old mbarrier
		seg.word(o).how &^= object
	}
	w.block.grid.explain.access(w, lanesAt{seg, 1 << lane, 8}, chain.Access{Write: true})
	if at := w.writeWords(seg, 1<<lane, 8); at >= 0 {
		return failed
	}
	for o := off; o < off+8; o += 4 {
		seg.word(o).how |= object
	}
	seg.write(off, 8, 0)
	seg.define(off, 8)
	seg.owner.init(off, int(n), w.site()|uint32(lane))
	return advance
}

// mbarrierOf returns the mbarrier at off. Its mbarrier.init must be known to w.
func (w *warp) mbarrierOf(seg *segment, off uint64, lane int) (*mbarrier, status) {
	m := seg.owner.mbarrierAt(off)
	if m == nil {
		x := w.off[lane]
		w.off[lane] = off
		if w.readWords(seg, 1<<lane, 8) >= 0 { // a later mbarrier.init conflicts with this read
			return nil, failed
		}
		w.off[lane] = x
		w.fail(KindUninitialised, 1<<lane, "the mbarrier at 0x%x, for which there was no mbarrier.init", seg.base+off)
		w.fault.Address = seg.base + off
		return nil, w.doubt()
	}
	w.block.grid.explain.uses(w, m, lane)
	if x := seg.word(off); x.filling != 0 || !w.knowsWrite(x, lane) {
		if w.readConflict(seg, off, x, lane); !w.goesOn() {
			return nil, failed
		}
	}
	return m, advance
}

// change executes an instruction other than mbarrier.init or a wait, for one lane.
func (u *mbarrierUse) change(w *warp, m *mbarrier, lane int) status {
	m.touch(alters)
	n, tx := w.value(u.count, lane, 1), int64(w.value(u.tx, lane, 0))
	if tx > maxArrivals {
		return w.fail(KindArgument, 1<<lane, "%d bytes, and there may be %d", tx, maxArrivals)
	}
	switch u.op {
	case "inval":
		return w.inval(m, lane)
	case "complete_tx":
		m.tx -= tx
		m.settle()
		m.wake()
		return advance
	case "expect_tx", "arrive.expect_tx":
		if m.tx += tx; m.tx > maxArrivals {
			w.fail(KindTxCount, 1<<lane, "%d bytes are expected at the mbarrier at 0x%x now, and there may be %d",
				m.tx, m.address(), maxArrivals)
			if !w.goesOn() {
				return failed
			}
		}
		if u.op == "expect_tx" {
			return advance
		}
	}
	if n == 0 || n > uint64(m.pending) {
		return w.fail(KindBarrier, 1<<lane, "%d arrivals at the mbarrier at 0x%x, where %d of %d are missing in phase %d",
			n, m.address(), m.pending, m.count, m.phase)
	}
	if u.noComplete && int(n) == m.pending && m.tx == 0 {
		return w.fail(KindBarrier, 1<<lane, "completes phase %d of the mbarrier at 0x%x, and .noComplete says that it does not",
			m.phase, m.address())
	}
	if u.state >= 0 {
		w.f.regs[u.state][lane] = m.token()
		w.f.def[u.state] |= 1 << lane
	}
	if u.drop {
		m.count -= int(n)
	}
	m.arrive(w, int(n), u.arrivalOf(w, m, lane))
	return advance
}

// arrivalOf describes the arrival of a lane.
func (u *mbarrierUse) arrivalOf(w *warp, m *mbarrier, lane int) arrived {
	narrow := w.block != m.block && u.scope == ofBlock // the scope does not contain the other block
	if narrow && w.block.grid.strict {
		return arrived{relaxed: true}
	}
	return arrived{1 << lane, u.relaxed, narrow}
}

// inval ends an mbarrier.
func (w *warp) inval(m *mbarrier, lane int) status {
	m.settleCommits()
	if len(m.waiters) > 0 || len(m.promised) > 0 {
		return w.fail(KindBarrier, 1<<lane, "ends an mbarrier that is in use: %v", m)
	}
	m.block.forgetMbarrier(m)
	seg := &m.block.shared
	w.off[lane] = m.off
	for o := m.off; o < m.off+8; o += 4 {
		seg.word(o).how &^= object
	}
	w.block.grid.explain.access(w, lanesAt{seg, 1 << lane, 8}, chain.Access{Write: true})
	if w.writeWords(seg, 1<<lane, 8) >= 0 {
		return failed
	}
	seg.forget(m.off, 8)
	return advance
}

// forgetMbarrier removes m from the mbarriers of b.
func (b *block) forgetMbarrier(m *mbarrier) {
	for i, x := range b.mbars {
		if x == m {
			b.mbars = append(b.mbars[:i], b.mbars[i+1:]...)
			return
		}
	}
}

// overwrite ends the mbarrier at off, if there is one, because another instruction stores to its bytes.
func (w *warp) overwrite(seg *segment, off uint64, lane int) bool {
	m := seg.owner.mbarrierAt(off &^ 7)
	if m == nil {
		return true
	}
	if len(m.waiters) > 0 || len(m.promised) > 0 {
		w.fail(KindBarrier, 1<<lane, "writes to an mbarrier that is in use: %v", m)
		w.fault.Address = seg.base + off
		return false
	}
	seg.owner.forgetMbarrier(m)
	return true
}

// wait executes test_wait and try_wait. Lanes may wait for several barriers. If the phase of one barrier has completed,
// the warp goes on; otherwise, it waits for the barrier of the lowest lane.
func (u *mbarrierUse) wait(w *warp, mask uint32) status {
	w.block.grid.polls++
	f, done := w.f, uint32(0)
	var first *mbarrier
	var phase uint64
	for left := mask; left != 0; {
		lane := lowest(left)
		what := f.regs[u.state][lane]
		same := u.sameWait(w, left)
		left &^= same
		m, st := u.waitedFor(w, same)
		if st != advance {
			return st
		}
		if m == nil {
			done |= same
			continue
		}
		k := phaseOf(what) + 1
		if u.parity {
			if what > 1 && !w.checkAs(GradeStrict, 0, func() {
				w.fail(KindArgument, same, "the parity of a phase is 0 or 1, found %d: the PTX ISA allows no other value, and an H200 "+
					"takes the lowest bit", int32(what))
			}) {
				return failed
			}
			if k = m.phase; k&1 == what&1 { // waits for the current phase; otherwise, for the previous, completed phase
				k++
			}
		}
		if u.ignored {
			m.ask(w, ask{phase: k}) // which may have failed
			continue
		}
		ok, st := w.await(m, k, arrived{mask: same, relaxed: u.relaxed})
		if st != advance {
			return st
		}
		if ok {
			done |= same
		} else if first == nil {
			first, phase = m, k
		}
	}
	if done == 0 && !u.ignored && u.suspend(w, first, phase) {
		return blocked
	}
	f.setPredicate(u.pred, mask, done)
	return advance
}

// sameWait returns the lanes of left that wait for the same phase of the same mbarrier as the lowest lane of left.
func (u *mbarrierUse) sameWait(w *warp, left uint32) (same uint32) {
	at, what, lane := &w.f.regs[u.at.slot], &w.f.regs[u.state], lowest(left)
	for m := left; m != 0; m &= m - 1 {
		if i := lowest(m); at[i] == at[lane] && what[i] == what[lane] {
			same |= 1 << i
		}
	}
	return same
}

// waitedFor returns the mbarrier that the lanes of same wait for. If there is none and the run goes on, it returns nil,
// and all phases count as completed.
func (u *mbarrierUse) waitedFor(w *warp, same uint32) (*mbarrier, status) {
	lane := lowest(same)
	address := w.addressOf(&u.access, lane)
	seg, off := w.target(&u.access, lane, address)
	switch {
	case seg == nil:
		return nil, failed
	case w.isNowhere(seg):
		return nil, advance
	case seg.owner != w.block:
		return nil, w.fail(KindArgument, same, "address 0x%x is not in the shared memory of the block", address)
	}
	m, st := w.mbarrierOf(seg, off, lane)
	switch {
	case m != nil:
		return m, advance
	case st == failed && w.goesOn():
		return nil, advance
	}
	return nil, st
}

// patient is the number of failed tests after which a test_wait counts as part of a loop and waits like a try_wait.
const patient = 64

// suspend makes the current path wait until the phase has completed or can complete, and reports whether the path
// waits. It returns false for a wait that was refused because no path could go on otherwise.
func (u *mbarrierUse) suspend(w *warp, m *mbarrier, phase uint64) bool {
	p := w.p
	if p.refused {
		p.refused = false
		return false
	}
	if m.ready() && w.block.grid.orders == nil {
		return false // the first test failed; the next one lands the operations
	}
	if u.op == "test_wait" {
		if p.tests++; p.tests < patient {
			return false
		}
	}
	p.tests = 0
	p.state, p.on, p.phase = waiting, m, phase
	m.waiters = append(m.waiters, p)
	return true
}
