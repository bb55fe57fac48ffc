package sim

import (
	"fmt"
	"math"
	"math/bits"

	"girih/ptx"
)

func atomicRow(name string) row {
	if name == "atom" || name == "red" {
		return (*decoder).atomic
	}
	return nil
}

// atomic reads atom and red (PTX ISA 9.7.13.5, 9.7.13.6). The lanes of a warp execute one after another.
func (d *decoder) atomic(o *opcode) (step, error) {
	if o.one("async") != "" {
		return d.storeAsync(o, (*decoder).atomic)
	}
	o.skipOrder()
	o.skipHints()
	o.skip("noftz", "v2", "v4", "v8")
	t := o.typ()
	name := o.one("add", "inc", "dec", "min", "max", "and", "or", "xor", "exch", "cas")
	r := d.reader(o)
	u := &atomicUse{op: atomicOp(name, t), flush: t == ptx.F32 && name == "add"}
	u.how, u.order = o.atomicStrength()
	if o.name == "atom" {
		if len(r.ops) == 0 {
			return nil, fmt.Errorf("no operands")
		}
		u.dst = r.dsts()
	} else {
		u.order |= deaf
	}
	need := 2
	if name == "cas" {
		need = 3
	}
	if len(r.ops) < need || len(r.ops) > need+1 {
		r.fail("%d operands", len(o.Operands))
	}
	ops := r.ops
	u.access, u.b = r.address(o.space()), r.srcs(t)
	if name == "cas" {
		u.c = []int{r.src(t)}
	}
	u.unit, u.count = t.Bits()/8, len(u.b)
	switch {
	case r.err != nil:
	case !u.isKnown(name, t):
		r.fail("the operation is not known for .%s", t)
	case u.dst != nil && len(u.dst) != len(u.b), u.count != o.Op.Vec():
		r.fail("operand %s: %d values, expected %d", ops[1], len(u.b), o.Op.Vec())
	case t == ptx.B128:
		r.keep(d.needs(o, 90))
		r.keep(d.check128(append(o.Operands[:1:1], ops[1:need]...)...))
		u.unit, u.count = 8, 2
		u.dst, u.b, u.c = doubleSlots(u.dst), doubleSlots(u.b), doubleSlots(u.c)
	}
	return r.finish(u.step)
}

// atomicUse is one atomic instruction.
type atomicUse struct {
	access
	dst   []int
	b     []int
	c     []int // the third operand of cas; empty for other operations
	op    func(old, b, c uint64) uint64
	flush bool // an addition of .f32, which flushes subnormal numbers in global memory
	how   how
	order order
}

// isKnown reports whether the operation exists for the type: .b128 has only cas and exch.
func (u *atomicUse) isKnown(name string, t ptx.Type) bool {
	return u.op != nil && u.unit >= 2 && (t != ptx.B128 || name == "cas" || name == "exch")
}

func (u *atomicUse) step(w *warp, mask uint32) status {
	f := w.f
	if miss := mask &^ f.def[u.at.slot]; miss != 0 {
		return w.failUndefined(miss, u.at.slot)
	}
	for _, list := range [...][]int{u.b, u.c} {
		for _, s := range list {
			if miss := mask &^ f.def[s]; miss != 0 {
				return w.failUndefined(miss, s)
			}
		}
	}
	w.block.grid.polls++
	for m := mask; m != 0; m &= m - 1 {
		lane := bits.TrailingZeros32(m) & 31
		address := f.regs[u.at.slot][lane] + uint64(u.at.offset)
		seg, off := w.target(&u.access, lane, address)
		if seg == nil {
			return failed
		}
		if seg.readOnly {
			w.fail(KindReadOnly, 1<<lane, "writes to address 0x%x in %s, which is read-only", address, seg.name)
			if seg, off = w.nowhere(u.unit * u.count); seg == nil {
				return failed
			}
		}
		if st := u.lane(w, spot{seg, off}, lane, mask); st != advance {
			return st
		}
	}
	for _, s := range u.dst {
		f.def[s] |= mask
	}
	return advance
}

// lane executes the instruction for one lane of mask.
func (u *atomicUse) lane(w *warp, at spot, lane int, mask uint32) status {
	f, seg, off := w.f, at.seg, at.off
	var old, v [8]uint64
	for i, s := range u.b {
		c := uint64(0)
		if len(u.c) > 0 {
			c = f.regs[u.c[i]][lane]
		}
		b := f.regs[s][lane]
		old[i] = seg.read(off+uint64(i*u.unit), u.unit)
		v[i] = u.op(old[i], b, c)
		if u.flush && !seg.scratch {
			v[i] = formatF32.flush(u.op(formatF32.flush(old[i]), formatF32.flush(b), 0))
		}
	}
	if len(u.c) == 2 && (old[0] != f.regs[u.b[0]][lane] || old[1] != f.regs[u.b[1]][lane]) {
		v = old // v is both halves of the old value
	}
	same := true
	for i := range u.b {
		same = same && v[i]&ones(8*u.unit) == old[i]
	}
	a := orderedAccess{u.unit * u.count, u.how, u.order, mask}
	if same { // memory is unchanged, so other threads see only a read
		a.order |= keeps
	} else {
		w.block.grid.progress++
		if seg.owner != nil {
			w.epoch(byAtomic)
		}
	}
	if !u.note(w, at, lane, a) {
		return failed
	}
	for i := range u.b {
		seg.write(off+uint64(i*u.unit), u.unit, v[i])
		if u.dst != nil {
			f.regs[u.dst[i]][lane] = old[i]
		}
	}
	return advance
}

// note checks and records the access of a lane. A compare-and-swap that changes nothing counts as a read.
func (u *atomicUse) note(w *warp, at spot, lane int, a orderedAccess) bool {
	if fails := a.order&keeps != 0 && len(u.c) > 0; w.keepsLog(at.seg) && !fails &&
		!w.logBytes(at.seg, lane, byteRange{at.off, uint64(u.unit * u.count)}, logWrite) {
		return false
	}
	return w.orderAccess(at.seg, at.off, lane, a)
}

// atomicOp returns the function that computes what an atomic instruction writes, or nil.
func atomicOp(name string, t ptx.Type) func(old, b, c uint64) uint64 {
	m := ones(t.Bits())
	switch name {
	case "exch":
		return func(_, b, _ uint64) uint64 { return b }
	case "cas":
		return func(old, b, c uint64) uint64 {
			if old == b&m {
				return c
			}
			return old
		}
	case "inc":
		return func(old, b, _ uint64) uint64 {
			if old >= b {
				return 0
			}
			return old + 1
		}
	case "dec":
		return func(old, b, _ uint64) uint64 {
			if old == 0 || old > b {
				return b
			}
			return old - 1
		}
	}
	op := atomicArithmetic(name, t)
	if op == nil {
		return nil
	}
	return func(old, b, _ uint64) uint64 { return op(old, b) }
}

// atomicArithmetic returns the addition, minimum, maximum or logical operation of an atomic instruction, or nil.
func atomicArithmetic(name string, t ptx.Type) func(x, y uint64) uint64 {
	f, packed := formatOf(t)
	var op func(x, y uint64) uint64
	switch {
	case t == ptx.F64 && name == "add":
		return func(x, y uint64) uint64 { return nan64(math.Float64frombits(x)+math.Float64frombits(y), x, y) }
	case t == ptx.F64:
		return nil
	case f != nil && name == "add":
		op = func(x, y uint64) uint64 { return f.round(addOdd(f.value(x), f.value(y)), toEven) }
	case f != nil:
		op = minMaxOf(f, name, numberWins)
	default:
		op = integerOp(name, t)
	}
	if packed && op != nil {
		op = floatOps{op2: op}.twice(f.width()).op2
	}
	return op
}
