package sim

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"strings"

	"girih/ptx"
)

func memoryRow(name string) row {
	switch name {
	case "ld", "ldu":
		return (*decoder).load
	case "st":
		return (*decoder).store
	case "prefetch", "prefetchu", "applypriority", "discard", "createpolicy":
		return (*decoder).hint
	case "isspacep":
		return (*decoder).isSpace
	case "cvta":
		return (*decoder).cvta
	}
	return nil
}

// space reads the state space of an instruction, "" for generic addresses.
func (o *opcode) space() ptx.Space {
	s := o.Op.Space()
	if s != "" {
		o.skip(string(s))
	}
	if s == "param::func" {
		s = ptx.Param
	}
	return s
}

// skipOrder accepts the modifiers of the memory model.
func (o *opcode) skipOrder() {
	o.skip("weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio", "cta", "cluster", "gpu", "sys", "unified")
}

// elements returns the registers of a vector operand, or the operand itself.
func elements(o ptx.Operand) []ptx.Operand {
	if v, ok := o.(ptx.Vec); ok {
		return v
	}
	return []ptx.Operand{o}
}

// transfer reads the common part of ld and st: the access and its registers.
func (d *decoder) transfer(o *opcode, address, value ptx.Operand) (access, ptx.Type, []ptx.Operand, error) {
	o.skipHints()
	o.skipOrder()
	t := o.typ()
	o.skip("v2", "v4", "v8")
	a, err := d.address(address, o.space())
	if err != nil {
		return a, t, nil, err
	}
	regs := elements(value)
	a.unit, a.count = t.Bits()/8, o.Op.Vec()
	switch {
	case a.unit == 0:
		return a, t, nil, fmt.Errorf("the instruction states no type that memory has")
	case len(regs) != a.count:
		return a, t, nil, fmt.Errorf("operand %s: %d registers, expected %d", value, len(regs), a.count)
	case a.unit*a.count > 32 || a.count == 2 && a.unit == 16:
		return a, t, nil, fmt.Errorf("%d values of type .%s: expected at most 16 bytes, or 8 of 4 or 4 of 8 bytes", a.count, t)
	case a.unit*a.count > 16 && o.space() != ptx.Global && o.space() != "":
		return a, t, nil, fmt.Errorf("32 bytes at once are for .global")
	case t == ptx.B128:
		err = d.check128(regs...)
	}
	return a, t, regs, err
}

func (d *decoder) load(o *opcode) (step, error) {
	if err := o.need(2, 3); err != nil {
		return nil, err
	}
	a, t, regs, err := d.transfer(o, o.Operands[1], o.Operands[0])
	if err != nil {
		return nil, err
	}
	slots := make([]int, len(regs))
	signed := make([]int, len(regs)) // the width of the register if the value must be sign-extended
	for i, r := range regs {
		if slots[i], err = d.dst(r); err != nil {
			return nil, err
		}
		if begins(t, 's') {
			signed[i] = d.slots[slots[i]].bits
		}
	}
	if t.Bits() == 128 {
		a.unit, a.count = 8, 2*a.count
		slots = doubleSlots(slots)
		signed = make([]int, len(slots))
	}
	l := &loadUse{access: a, slots: slots, signed: signed, nc: isNoncoherent(o.Op)}
	l.how, l.order = o.strength()
	d.use = l
	return l.step, nil
}

// loadUse is one ld.
type loadUse struct {
	access
	slots  []int
	signed []int // the width of the register if the value must be sign-extended, otherwise 0
	how    how   // how strong the access is; 0 for weak
	order  order
	nc     bool
}

func (l *loadUse) step(w *warp, mask uint32) status {
	f := w.f
	if miss := mask &^ f.def[l.at.slot]; miss != 0 {
		return w.failUndefined(miss, l.at.slot)
	}
	n := l.unit * l.count
	seg := w.reach(&l.access, mask)
	if seg == nil {
		return l.each(w, mask)
	}
	if seg.def != nil {
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			for i := 0; i < n; i += 16 {
				if !seg.isDefined(w.off[lane]+uint64(i), min(n, 16)) {
					return l.each(w, mask)
				}
			}
		}
	}
	if seg.tracked {
		if !l.note(w, seg, mask) {
			return failed
		}
	}
	for i, s := range l.slots {
		z := &f.regs[s]
		f.def[s] |= mask
		l.values(w, z, seg.data[i*l.unit:], mask)
		if k := l.signed[i]; k > 8*l.unit {
			for m := mask; m != 0; m &= m - 1 {
				lane := bits.TrailingZeros32(m) & 31
				z[lane] = uint64(extend(z[lane], 8*l.unit)) & ones(k)
			}
		}
	}
	return advance
}

// note checks and records the reads of the lanes of mask at w.off.
func (l *loadUse) note(w *warp, seg *segment, mask uint32) bool {
	n := l.unit * l.count
	if l.nc && w.keepsLog(seg) && !w.logLanes(seg, mask, n, logRead) {
		return false
	}
	if l.how != 0 {
		return w.orderedLanes(seg, mask, orderedAccess{bytes: n, how: l.how, order: l.order})
	}
	return w.noteReads(seg, mask, n) < 0
}

// values reads one element for each lane of mask from data, at the offset of the lane.
func (l *loadUse) values(w *warp, z *vector, data []byte, mask uint32) {
	switch l.unit {
	case 4:
		if mask == all {
			for i := range z {
				z[i] = uint64(binary.LittleEndian.Uint32(data[w.off[i]:]))
			}
			return
		}
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			z[lane] = uint64(binary.LittleEndian.Uint32(data[w.off[lane]:]))
		}
	case 8:
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			z[lane] = binary.LittleEndian.Uint64(data[w.off[lane]:])
		}
	case 2:
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			z[lane] = uint64(binary.LittleEndian.Uint16(data[w.off[lane]:]))
		}
	default:
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			z[lane] = uint64(data[w.off[lane]])
		}
	}
}

// each executes the load lane by lane: for memory that each lane has for itself, for several segments, or if
// an access is wrong.
func (l *loadUse) each(w *warp, mask uint32) status {
	f, a := w.f, &l.access
	blamed := uint64(0)
	addresses := f.regs[l.at.slot] // the loaded registers may include the address register
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		seg, off := w.target(a, lane, addresses[lane]+uint64(l.at.offset))
		lost, passed := uint64(0), w.wentOn // the elements that no thread has written
		if seg == nil {
			if seg, off, lost = l.unwritten(w, lane, addresses[lane]+uint64(l.at.offset)); seg == nil {
				f.regs[l.at.slot] = addresses // the load may be executed again
				return w.doubtful(a, m)
			}
			for i, s := range l.slots {
				if lost>>i&1 == 1 && blamed>>i&1 == 0 {
					f.because(s, origin{s, w.p.pc, w.lost(seg, off, reading{lane, l.unit * l.count})})
				}
			}
			blamed |= lost
		}
		if seg.tracked && !w.noteLane(seg, off, lane, l) {
			return failed
		}
		if w.wentOn != passed {
			lost = 0 // the finding already covers these elements
		}
		if a.lenient && !seg.isDefined(off, min(a.unit*a.count, 16)) {
			lost = all64
		}
		for i, s := range l.slots {
			v := seg.read(off+uint64(i*a.unit), a.unit)
			if n := l.signed[i]; n != 0 {
				v = uint64(extend(v, 8*a.unit)) & ones(n)
			}
			f.regs[s][lane] = v
			if lost>>i&1 == 1 {
				f.def[s] &^= 1 << lane
			} else {
				f.def[s] |= 1 << lane
			}
		}
	}
	return advance
}

const all64 = ^uint64(0)

// unwritten handles a load for which target has noted a finding. If nobody wrote some of the bytes, in shared or local
// memory, the load is executed, since compilers and libraries load bytes that they discard. unwritten returns the
// elements without a value, one bit each; the finding is reported if such an element is used. It returns a nil segment
// if the finding is a fault now.
func (l *loadUse) unwritten(w *warp, lane int, address uint64) (seg *segment, off, lost uint64) {
	if w.fault.Kind != KindUninitialised {
		return nil, 0, 0
	}
	seg, at := w.segmentOf(l.space, lane, address)
	if seg == nil || !seg.scratch {
		return nil, 0, 0
	}
	w.fault = nil
	off = at - seg.base
	for i := range l.slots {
		if !seg.isDefined(off+uint64(i*l.unit), l.unit) {
			lost |= 1 << i
		}
	}
	return seg, off, lost
}

// noteLane checks and records the read of one lane.
func (w *warp) noteLane(seg *segment, off uint64, lane int, l *loadUse) bool {
	w.off[lane] = off
	return l.note(w, seg, 1<<lane)
}

func doubleSlots(slots []int) []int {
	var out []int
	for _, s := range slots {
		out = append(out, s, s+1)
	}
	return out
}

func (d *decoder) store(o *opcode) (step, error) {
	if o.one("async") != "" {
		return d.storeAsync(o, (*decoder).store)
	}
	if o.has("bulk") {
		return d.storeBulk(o)
	}
	if err := o.need(2, 3); err != nil {
		return nil, err
	}
	a, t, regs, err := d.transfer(o, o.Operands[0], o.Operands[1])
	if err != nil {
		return nil, err
	}
	a.write = true
	slots, err := d.srcs(regs, t)
	if err != nil {
		return nil, err
	}
	if t.Bits() == 128 {
		a.unit, a.count = 8, 2*a.count
		slots = doubleSlots(slots)
	}
	u := &storeUse{access: a, slots: slots}
	u.how, u.order = o.strength()
	d.use = u
	return u.step, nil
}

// storeUse is one st.
type storeUse struct {
	access
	slots []int
	how   how // how strong the access is; 0 for weak
	order order
}

func (u *storeUse) step(w *warp, mask uint32) status {
	f := w.f
	if miss := mask &^ f.def[u.at.slot]; miss != 0 {
		return w.failUndefined(miss, u.at.slot)
	}
	seg := w.reach(&u.access, mask)
	if seg == nil {
		return u.each(w, mask)
	}
	if seg.readOnly {
		return u.each(w, mask)
	}
	changed, ok := u.write(w, seg, mask)
	if !ok {
		return failed
	}
	if !seg.tracked {
		return advance
	}
	return u.note(w, seg, mask, changed)
}

// write writes the values of the lanes of mask at w.off, and returns the lanes that changed memory.
func (u *storeUse) write(w *warp, seg *segment, mask uint32) (changed uint32, ok bool) {
	f := w.f
	for i, s := range u.slots {
		z, has := &f.regs[s], f.def[s]
		keep := ones(8 * u.unit)
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			at := w.off[lane] + uint64(i*u.unit)
			if has>>lane&1 == 0 {
				if !seg.scratch {
					w.failUndefined(1<<lane, s)
					return 0, false
				}
				seg.lose(at, uint64(u.unit), f.why[s].load)
				changed |= 1 << lane
				seg.write(at, u.unit, z[lane])
				continue
			}
			if seg.read(at, u.unit) != z[lane]&keep || !seg.isDefined(at, u.unit) {
				changed |= 1 << lane
				seg.write(at, u.unit, z[lane])
				seg.define(at, u.unit)
			}
		}
	}
	if changed != 0 {
		w.block.grid.progress++
	}
	return changed, true
}

// note checks and records the writes. A lane that wrote the value that was already there has changed nothing that other
// threads could see, so it conflicts with no access.
func (u *storeUse) note(w *warp, seg *segment, mask, changed uint32) status {
	n := u.unit * u.count
	if w.keepsLog(seg) && !w.logLanes(seg, mask, n, logWrite) {
		return failed
	}
	if u.how != 0 {
		if !w.orderedLanes(seg, mask, orderedAccess{bytes: n, how: u.how, order: u.order | writes}) {
			return failed
		}
		return advance
	}
	if changed != 0 {
		if w.noteWrites(seg, changed, n) >= 0 {
			return failed
		}
		if st := u.agree(w, seg, mask); st != advance {
			return st
		}
	}
	if same := mask &^ changed; same != 0 && !w.noteSame(seg, same, n) {
		return failed
	}
	return advance
}

// agree notes a finding if two lanes have written different values to the same place.
func (u *storeUse) agree(w *warp, seg *segment, mask uint32) status {
	last, rising := uint64(0), true
	for m := mask; m != 0; m &= m - 1 {
		off := w.off[bits.TrailingZeros32(m)&31] + 1
		rising = rising && off > last
		last = off
	}
	if rising {
		return advance
	}
	for i, s := range u.slots {
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			at := w.off[lane] + uint64(i*u.unit)
			if w.f.def[s]>>lane&1 == 1 && seg.read(at, u.unit) != w.f.regs[s][lane]&ones(8*u.unit) {
				if u.disagree(w, seg, mask, lane); !w.goesOn() {
					return failed
				}
			}
		}
	}
	return advance
}

// disagree notes the finding that two lanes have written different values to the same place.
func (u *storeUse) disagree(w *warp, seg *segment, mask uint32, lane int) status {
	other := lane
	for m := mask; m != 0; m &= m - 1 {
		if i := bits.TrailingZeros32(m) & 31; i != lane && w.off[i] == w.off[lane] {
			other = i
		}
	}
	w.fail(KindRace, 1<<lane, "writes address 0x%x of %s, and so does thread %v with another value, at the same instruction",
		seg.base+w.off[lane], seg.name, w.thread(other))
	w.fault.Address = seg.base + w.off[lane]
	return failed
}

// each executes the store lane by lane.
func (u *storeUse) each(w *warp, mask uint32) status {
	f := w.f
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		seg, off := w.target(&u.access, lane, f.regs[u.at.slot][lane]+uint64(u.at.offset))
		if seg == nil {
			return failed
		}
		w.off[lane] = off
		changed, ok := u.write(w, seg, 1<<lane)
		if !ok {
			return failed
		}
		if seg.tracked {
			if st := u.note(w, seg, 1<<lane, changed); st != advance {
				return st
			}
		}
	}
	return advance
}

// hint reads an instruction that advises caches, which has no effect here. createpolicy sets its register to an
// arbitrary value.
func (d *decoder) hint(o *opcode) (step, error) {
	for i := range o.used {
		o.used[i] = true
	}
	if o.name == "createpolicy" {
		dst, err := d.dst(o.Operands[0])
		if err != nil {
			return nil, err
		}
		return map1(dst, d.constant(0), func(x uint64) uint64 { return x }), nil
	}
	return nothing, nil
}

// nothing is an instruction without an effect here.
func nothing(*warp, uint32) status { return advance }

// isSpace reads isspacep: whether a generic address is in a window.
func (d *decoder) isSpace(o *opcode) (step, error) {
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	space := o.space()
	name, _ := o.Operands[0].(ptx.Name)
	p, err := d.predSlot(name)
	if err != nil {
		return nil, err
	}
	a, err := d.src(o.Operands[1], ptx.U64)
	if err != nil {
		return nil, err
	}
	window := windowOf(space)
	if window == sharedWindow && space != "shared::cluster" {
		return compareOwn(p, a), nil
	}
	return compare1(p, a, func(x uint64) bool {
		in := x &^ (windowSize - 1)
		if window != 0 {
			return in == window
		}
		return in != sharedWindow && in != localWindow && in != paramWindow
	}), nil
}

// compareOwn tests whether a generic address is in the block's own shared memory.
func compareOwn(p, a int) step {
	return func(w *warp, mask uint32) status {
		own := sharedWindow>>rankShift | w.block.shared.base>>rankShift
		return compare1(p, a, func(x uint64) bool { return x>>rankShift == own })(w, mask)
	}
}

// compare1 is the step p = op(a).
func compare1(p, a int, op func(x uint64) bool) step {
	return func(w *warp, mask uint32) status {
		miss := mask &^ w.f.def[a]
		res := uint32(0)
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			if op(w.f.regs[a][i]) {
				res |= 1 << i
			}
		}
		w.f.setPredicate(p, mask, res)
		w.f.undefine(p, miss)
		return advance
	}
}

// cvta reads cvta, which converts between addresses of a space and generic addresses.
func (d *decoder) cvta(o *opcode) (step, error) {
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	to := o.has("to")
	t, space := o.typ(), o.space()
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	var a int
	name, ok := o.Operands[1].(ptx.Name)
	if s := d.lookup(name); ok && !strings.HasPrefix(string(name), "%") && (s == nil || s.kind != symReg) {
		a, err = d.symbolAddress(ptx.Sym{Name: name})
	} else {
		a, err = d.src(o.Operands[1], t)
	}
	if err != nil {
		return nil, err
	}
	window := windowOf(space)
	switch {
	case window == 0:
		return map1(dst, a, func(x uint64) uint64 { return x }), nil
	case to:
		return func(w *warp, mask uint32) status {
			// An address of another space has no counterpart in this one.
			for m := mask & w.f.def[a]; m != 0; m &= m - 1 {
				i := bits.TrailingZeros32(m)
				if x := w.f.regs[a][i]; x&^(windowSize-1) != window && x != 0 {
					return w.fail(KindArgument, 1<<i, "address 0x%x is not in the window of the space .%s", x, space)
				}
			}
			return map1(dst, a, func(x uint64) uint64 { return x & (windowSize - 1) })(w, mask)
		}, nil
	}
	return map1(dst, a, func(x uint64) uint64 {
		if x >= windowSize { // the address of a function's parameter, which is generic
			return x
		}
		return x + window
	}), nil
}
