package sim

import (
	"fmt"
	"math/bits"

	"girih/ptx"
)

func shuffleRow(name string) row {
	switch name {
	case "shfl":
		return (*decoder).shfl
	case "vote":
		return (*decoder).vote
	case "match":
		return (*decoder).match
	case "redux":
		return (*decoder).redux
	case "activemask":
		return (*decoder).activemask
	case "elect":
		return (*decoder).elect
	}
	return nil
}

// syncStep makes the lanes in the membermasks of register member meet, and executes do once for each membermask.
func (d *decoder) syncStep(member int, do step) step {
	return func(w *warp, mask uint32) status {
		want, st := w.membersOf(member, mask)
		if st != advance {
			return st
		}
		f := w.f
		got, ok := w.meet(want, mask)
		if !ok {
			return blocked
		}
		for left := got; left != 0; {
			v := f.regs[member][bits.TrailingZeros32(left)&31]
			group := uint32(0)
			for m := left; m != 0; m &= m - 1 {
				if i := bits.TrailingZeros32(m) & 31; f.regs[member][i] == v {
					group |= 1 << i
				}
			}
			if miss := uint32(v) & w.live &^ group; miss != 0 {
				return w.fail(KindDivergent, group, "the membermask is 0x%08x in lanes 0x%08x, and another one in lanes 0x%08x",
					v, group, miss)
			}
			if st := do(w, group); st != advance {
				return st
			}
			left &^= group
		}
		w.p.freed = 0
		for _, q := range w.peers {
			q.freed = 0
		}
		return advance
	}
}

// membersOf returns the lanes in the membermasks of register member, which have to include the lanes themselves.
func (w *warp) membersOf(member int, mask uint32) (want uint32, st status) {
	if miss := mask &^ w.f.def[member]; miss != 0 {
		return 0, w.failUndefined(miss, member)
	}
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		v := uint32(w.f.regs[member][i])
		if v>>i&1 == 0 {
			return 0, w.fail(KindDivergent, 1<<i, "lane %d executes it, and is not in its membermask 0x%08x", i, v)
		}
		want |= v
	}
	return want, advance
}

// passedBy returns the lanes that the current instruction waited for but that went past it and exited.
func (w *warp) passedBy() uint32 {
	gone := w.p.freed
	for _, q := range w.peers {
		gone |= q.freed
	}
	return gone &^ w.live
}

// members makes the lanes in the membermask, the last operand, meet before an instruction with .sync. On older targets,
// an instruction without .sync is executed by the lanes that happen to be together.
func (d *decoder) members(o *opcode, n int) (then func(do step) step, err error) {
	if !o.has("sync") {
		if err := d.checkSync(o); err != nil {
			return nil, err
		}
		return func(do step) step { return do }, o.need(n, n)
	}
	if err := o.need(n+1, n+1); err != nil {
		return nil, err
	}
	member, err := d.src(o.Operands[n], ptx.B32)
	return func(do step) step { return d.syncStep(member, do) }, err
}

// shfl reads shfl, which gives each lane the value of another lane (PTX ISA 9.7.9.5, 9.7.9.6). A value from a lane that
// does not take part is undefined: using the value is a fault.
func (d *decoder) shfl(o *opcode) (step, error) {
	then, err := d.members(o, 4)
	if err != nil {
		return nil, err
	}
	t := o.typ()
	dst, p, err := d.pair(o.Operands[0])
	if err != nil {
		return nil, err
	}
	a, err := d.src(o.Operands[1], t)
	if err != nil {
		return nil, err
	}
	s, err := d.srcs(o.Operands[2:4], ptx.B32)
	if err != nil {
		return nil, err
	}
	mode := o.one("up", "down", "bfly", "idx")
	b, c, synced := s[0], s[1], o.Op.Has("sync")
	return then(func(w *warp, mask uint32) status {
		f := w.f
		if gone := w.passedBy(); synced && gone != 0 {
			return w.fail(KindDivergent, mask, "the membermask has lanes 0x%08x, which have gone past it and exited", gone)
		}
		if mask&^(f.def[b]&f.def[c]) != 0 {
			return w.failUndefined(mask, b, c)
		}
		src, has := f.regs[a], f.def[a]
		ok, got, absent := uint32(0), uint32(0), uint32(0)
		if mask&^has != 0 {
			f.taint(dst, w.p.pc, mask, a)
		}
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			j, in := shuffleLane(mode, lane, int(f.regs[b][lane]&31), f.regs[c][lane])
			if in {
				ok |= 1 << lane
			} else {
				j = lane
			}
			f.regs[dst][lane] = src[j]
			if mask>>j&1 == 0 {
				if absent == 0 {
					w.fail(KindUninitialised, 1<<lane, "lane %d reads the register of lane %d, which does not take part", lane, j)
					f.because(dst, origin{dst, w.p.pc, w.fault})
					w.fault = nil
				}
				absent |= 1 << lane
				continue
			}
			got |= has >> j & 1 << lane
		}
		f.def[dst] = f.def[dst]&^mask | got
		if p >= 0 {
			f.setPredicate(p, mask, ok)
		}
		return advance
	}), nil
}

// shuffleLane returns the lane that lane reads from, and whether that lane is within the segment.
func shuffleLane(mode string, lane, b int, c uint64) (j int, in bool) {
	clampValue, segment := int(c&31), int(c>>8&31)
	most := lane&segment | clampValue&^segment
	least := lane & segment
	switch mode {
	case "up":
		j = lane - b
		return j, j >= most
	case "down":
		j = lane + b
	case "bfly":
		j = lane ^ b
	default:
		j = least | b&^segment
	}
	return j, j <= most
}

// pair reads a destination with a predicate, d|p; the predicate is -1 if there is none.
func (d *decoder) pair(o ptx.Operand) (dst, p int, err error) {
	p = -1
	if two, ok := o.(ptx.Pair); ok {
		if p, err = d.predSlot(two.Second); err != nil {
			return 0, 0, err
		}
		o = two.First
	}
	dst, err = d.dst(o)
	return dst, p, err
}

// vote reads vote, which reduces a predicate over lanes (PTX ISA 9.7.13.3).
func (d *decoder) vote(o *opcode) (step, error) {
	then, err := d.members(o, 2)
	if err != nil {
		return nil, err
	}
	mode := o.one("all", "any", "uni", "ballot")
	o.types()
	q, not, err := d.srcPred(o.Operands[1])
	if err != nil {
		return nil, err
	}
	dst, p := -1, -1
	if mode == "ballot" {
		dst, err = d.dst(o.Operands[0])
	} else {
		name, _ := o.Operands[0].(ptx.Name)
		p, err = d.predSlot(name)
	}
	if err != nil {
		return nil, err
	}
	return then(func(w *warp, mask uint32) status {
		f := w.f
		if miss := mask &^ f.pdef[q]; miss != 0 {
			return w.undefinedPredicate(miss, q)
		}
		v := (f.pred[q] ^ not) & mask
		if mode == "ballot" {
			f.setLanes(dst, mask, uint64(v))
			return advance
		}
		res := uint32(0)
		if mode == "all" && v == mask || mode == "any" && v != 0 || mode == "uni" && (v == 0 || v == mask) {
			res = all
		}
		f.setPredicate(p, mask, res)
		return advance
	}), nil
}

// setLanes sets the lanes of mask to one value.
func (f *frame) setLanes(dst int, mask uint32, v uint64) {
	for m := mask; m != 0; m &= m - 1 {
		f.regs[dst][bits.TrailingZeros32(m)&31] = v
	}
	f.def[dst] |= mask
}

// match reads match, which finds the lanes with the same value (PTX ISA 9.7.13.4).
func (d *decoder) match(o *opcode) (step, error) {
	o.skip("sync")
	if err := o.need(3, 3); err != nil {
		return nil, err
	}
	mode, t := o.one("any", "all"), o.typ()
	dst, p, err := d.pair(o.Operands[0])
	if err == nil && mode == "any" && p >= 0 {
		err = fmt.Errorf("operand %s: a predicate goes with .all only", o.Operands[0])
	}
	r := reader{d: d, o: o, ops: operands(o.Operands[1:]), err: err}
	a, member := r.src(t), r.src(ptx.B32)
	if r.err != nil {
		return nil, r.err
	}
	return d.syncStep(member, func(w *warp, mask uint32) status {
		f := w.f
		if mask&^f.def[a] != 0 {
			return w.failUndefined(mask, a)
		}
		same := equalLanes(&f.regs[a], mask)
		if mode == "all" {
			ok := uint32(0)
			if same[bits.TrailingZeros32(mask)] == mask {
				ok = all
			}
			f.setLanes(dst, mask, uint64(mask&ok))
			if p >= 0 {
				f.setPredicate(p, mask, ok)
			}
			return advance
		}
		for m := mask; m != 0; m &= m - 1 {
			i := bits.TrailingZeros32(m) & 31
			f.regs[dst][i] = uint64(same[i])
		}
		f.def[dst] |= mask
		return advance
	}), nil
}

// equalLanes returns, for each lane of mask, the lanes of mask that have the same value.
func equalLanes(v *vector, mask uint32) (same [lanes]uint32) {
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		for n := mask; n != 0; n &= n - 1 {
			if j := bits.TrailingZeros32(n) & 31; v[i] == v[j] {
				same[i] |= 1 << j
			}
		}
	}
	return same
}

// redux reads redux, which reduces a register over lanes (PTX ISA 9.7.13.6).
func (d *decoder) redux(o *opcode) (step, error) {
	o.skip("sync")
	if err := o.need(3, 3); err != nil {
		return nil, err
	}
	t := o.typ()
	var op func(x, y uint64) uint64
	if t == ptx.F32 {
		abs, nan := o.has("abs"), o.nanRule()
		op = minMaxOf(formatF32, o.one("min", "max"), nan)
		if abs {
			inner := op
			op = func(x, y uint64) uint64 { return inner(x&0x7fffffff, y&0x7fffffff) }
		}
	} else {
		op = integerOp(o.one("add", "min", "max", "and", "or", "xor"), t)
	}
	if op == nil {
		return nil, fmt.Errorf("the operation is not known for .%s", t)
	}
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	a, err := d.src(o.Operands[1], t)
	if err != nil {
		return nil, err
	}
	member, err := d.src(o.Operands[2], ptx.B32)
	if err != nil {
		return nil, err
	}
	return d.syncStep(member, func(w *warp, mask uint32) status {
		f := w.f
		if mask&^f.def[a] != 0 {
			return w.failUndefined(mask, a)
		}
		first := bits.TrailingZeros32(mask)
		v := f.regs[a][first]
		if mask&(mask-1) == 0 {
			v = op(v, v) // min and max of one value; the other operations ignore the second value
			if o.Op.Has("add") || o.Op.Has("xor") {
				v = f.regs[a][first]
			}
		}
		for m := mask & (mask - 1); m != 0; m &= m - 1 {
			v = op(v, f.regs[a][bits.TrailingZeros32(m)&31])
		}
		f.setLanes(dst, mask, v)
		return advance
	}), nil
}

// activemask reads activemask, which returns the lanes of the path.
func (d *decoder) activemask(o *opcode) (step, error) {
	o.types()
	if err := o.need(1, 1); err != nil {
		return nil, err
	}
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	return func(w *warp, mask uint32) status {
		w.f.setLanes(dst, mask, uint64(mask))
		return advance
	}, nil
}

// elect reads elect, which chooses the lowest lane, as the hardware does.
func (d *decoder) elect(o *opcode) (step, error) {
	o.skip("sync")
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	dst, p, err := d.pair(o.Operands[0])
	if err != nil {
		return nil, err
	}
	if p < 0 {
		return nil, fmt.Errorf("operand %s: expected a register and a predicate, as in d|p", o.Operands[0])
	}
	member, err := d.src(o.Operands[1], ptx.B32)
	if err != nil {
		return nil, err
	}
	return d.syncStep(member, func(w *warp, mask uint32) status {
		lane := bits.TrailingZeros32(mask)
		w.f.setLanes(dst, mask, uint64(lane))
		w.f.setPredicate(p, mask, 1<<lane)
		return advance
	}), nil
}
