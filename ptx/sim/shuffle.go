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

// optionalSync returns the step of c. If o has .sync, operand n is the membermask. On older targets, the lanes that
// happen to be on one path execute an instruction without .sync.
func (d *decoder) optionalSync(c *collective, o *opcode, n int) (step, error) {
	if o.Op.Has("sync") {
		return d.collective(c, o, n)
	}
	if err := d.checkSync(o); err != nil {
		return nil, err
	}
	return func(w *warp, mask uint32) status {
		if st := c.check(w, mask); st != advance {
			return st
		}
		c.do(w, w.f, &c.x, mask)
		return advance
	}, o.need(n, n)
}

// shfl reads shfl, which gives each lane the value of another lane (PTX ISA 9.7.9.5, 9.7.9.6). A value from a lane that
// does not take part is undefined: using the value is a fault.
func (d *decoder) shfl(o *opcode) (step, error) {
	r, t := d.reader(o), o.typ()
	mode := o.one("up", "down", "bfly", "idx")
	x := noOperands
	x.dst, x.p = r.pair()
	x.a, x.b, x.c = r.src(t), r.src(ptx.B32), r.src(ptx.B32)
	if r.err != nil {
		return nil, r.err
	}
	c := &collective{x: x, need: []int{x.b, x.c}, reads: true}
	c.do = func(w *warp, f *frame, x *slots, mask uint32) { w.shuffle(mode, f, x, mask) }
	return d.optionalSync(c, o, 4)
}

// shuffle executes a shfl of the given mode for the lanes of mask.
func (w *warp) shuffle(mode string, f *frame, x *slots, mask uint32) {
	src, has := f.regs[x.a], f.def[x.a]
	dst, b, c := &f.regs[x.dst], &f.regs[x.b], &f.regs[x.c]
	ok, got, absent := uint32(0), uint32(0), uint32(0)
	if mask&^has != 0 {
		f.taint(x.dst, w.p.pc, mask, x.a)
	}
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		j, in := shuffleLane(mode, lane, int(b[lane]&31), c[lane])
		if in {
			ok |= 1 << lane
		} else {
			j = lane
		}
		dst[lane] = src[j]
		if mask>>j&1 == 0 {
			if absent == 0 {
				w.blameAbsent(f, x.dst, lane, j)
			}
			absent |= 1 << lane
			continue
		}
		got |= has >> j & 1 << lane
	}
	f.def[x.dst] = f.def[x.dst]&^mask | got
	if x.p >= 0 {
		f.setPredicate(x.p, mask, ok)
	}
}

// blameAbsent records that dst has no value because lane reads a register of lane j, which does not take part.
func (w *warp) blameAbsent(f *frame, dst, lane, j int) {
	p := w.pathOf(lane)
	load := w.finding(p, KindUninitialised, lane)
	load.Message = fmt.Sprintf("lane %d reads the register of lane %d, which does not take part", lane, j)
	f.because(dst, origin{dst, p.pc, load})
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

// pair reads a destination with a predicate, as [decoder.pair].
func (r *reader) pair() (dst, p int) {
	dst = readNext(r, func(o ptx.Operand) (dst int, err error) {
		dst, p, err = r.d.pair(o)
		return dst, err
	})
	return dst, p
}

// vote reads vote, which reduces a predicate over lanes (PTX ISA 9.7.13.8, 9.7.13.9).
func (d *decoder) vote(o *opcode) (step, error) {
	r := d.reader(o)
	mode := o.one("all", "any", "uni", "ballot")
	o.types()
	x := noOperands
	if mode == "ballot" {
		x.dst = r.dst()
	} else {
		name, _ := r.ops.next().(ptx.Name)
		x.p = r.predicate(name)
	}
	x.q = readNext(r, func(o ptx.Operand) (q int, err error) {
		q, x.not, err = d.srcPred(o)
		return q, err
	})
	if r.err != nil {
		return nil, r.err
	}
	return d.optionalSync(&collective{x: x, do: voteOf(mode)}, o, 2)
}

// voteOf returns the operation of a vote.
func voteOf(mode string) exchange {
	return func(_ *warp, f *frame, x *slots, mask uint32) {
		v := (f.pred[x.q] ^ x.not) & mask
		if mode == "ballot" {
			f.setLanes(x.dst, mask, uint64(v))
			return
		}
		res := uint32(0)
		if mode == "all" && v == mask || mode == "any" && v != 0 || mode == "uni" && (v == 0 || v == mask) {
			res = all
		}
		f.setPredicate(x.p, mask, res)
	}
}

// setLanes sets the lanes of mask to one value.
func (f *frame) setLanes(dst int, mask uint32, v uint64) {
	for m := mask; m != 0; m &= m - 1 {
		f.regs[dst][bits.TrailingZeros32(m)&31] = v
	}
	f.def[dst] |= mask
}

// match reads match, which finds the lanes with the same value (PTX ISA 9.7.13.10).
func (d *decoder) match(o *opcode) (step, error) {
	r, mode, t := d.reader(o), o.one("any", "all"), o.typ()
	x := noOperands
	if x.dst, x.p = r.pair(); mode == "any" && x.p >= 0 {
		r.fail("operand %s: a predicate goes with .all only", o.Operands[0])
	}
	if x.a = r.src(t); r.err != nil {
		return nil, r.err
	}
	do := exchange(matchAny)
	if mode == "all" {
		do = matchAll
	}
	return d.collective(&collective{x: x, need: []int{x.a}, do: do}, o, 2)
}

func matchAny(_ *warp, f *frame, x *slots, mask uint32) {
	same, dst := equalLanes(&f.regs[x.a], mask), &f.regs[x.dst]
	for m := mask; m != 0; m &= m - 1 {
		i := bits.TrailingZeros32(m) & 31
		dst[i] = uint64(same[i])
	}
	f.def[x.dst] |= mask
}

func matchAll(_ *warp, f *frame, x *slots, mask uint32) {
	ok := uint32(0)
	if same := equalLanes(&f.regs[x.a], mask); same[bits.TrailingZeros32(mask)] == mask {
		ok = all
	}
	f.setLanes(x.dst, mask, uint64(mask&ok))
	if x.p >= 0 {
		f.setPredicate(x.p, mask, ok)
	}
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

// reductionOf reads the operation of a reduction of values of a type.
func (o *opcode) reductionOf(t ptx.Type) (op func(x, y uint64) uint64, err error) {
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
		err = fmt.Errorf("the operation is not known for .%s", t)
	}
	return op, err
}

// redux reads redux, which reduces a register over lanes (PTX ISA 9.7.13.12).
func (d *decoder) redux(o *opcode) (step, error) {
	t := o.typ()
	op, err := o.reductionOf(t)
	if err != nil {
		return nil, err
	}
	r, x := d.reader(o), noOperands
	if x.dst, x.a = r.dst(), r.src(t); r.err != nil {
		return nil, r.err
	}
	idle := o.Op.Has("add") || o.Op.Has("xor")
	return d.collective(&collective{x: x, need: []int{x.a}, do: func(_ *warp, f *frame, x *slots, mask uint32) {
		first := bits.TrailingZeros32(mask)
		v := f.regs[x.a][first]
		if mask&(mask-1) == 0 && !idle {
			v = op(v, v) // min and max of one value; the other operations ignore the second value
		}
		for m := mask & (mask - 1); m != 0; m &= m - 1 {
			v = op(v, f.regs[x.a][bits.TrailingZeros32(m)&31])
		}
		f.setLanes(x.dst, mask, v)
	}}, o, 2)
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
	r, x := d.reader(o), noOperands
	if x.dst, x.p = r.pair(); x.p < 0 {
		r.fail("operand %s: expected a register and a predicate, as in d|p", o.Operands[0])
	}
	if r.err != nil {
		return nil, r.err
	}
	return d.collective(&collective{x: x, do: func(_ *warp, f *frame, x *slots, mask uint32) {
		lane := bits.TrailingZeros32(mask)
		f.setLanes(x.dst, mask, uint64(lane))
		f.setPredicate(x.p, mask, 1<<lane)
	}}, o, 1)
}
