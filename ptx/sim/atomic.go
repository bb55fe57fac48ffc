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

// atomic reads atom and red (PTX ISA 9.7.13.12, 9.7.13.13). The lanes of a warp execute one after another.
func (d *decoder) atomic(o *opcode) (step, error) {
	if o.one("async") != "" {
		return d.storeAsync(o, (*decoder).atomic)
	}
	o.skipOrder()
	o.skipHints()
	o.skip("noftz", "v2", "v4", "v8")
	t := o.typ()
	name := o.one("add", "inc", "dec", "min", "max", "and", "or", "xor", "exch", "cas")
	ops := o.Operands
	var dst []int
	if o.name == "atom" {
		if len(ops) < 1 {
			return nil, fmt.Errorf("no operands")
		}
		for _, r := range elements(ops[0]) {
			s, err := d.dst(r)
			if err != nil {
				return nil, err
			}
			dst = append(dst, s)
		}
		ops = ops[1:]
	}
	need := 2
	if name == "cas" {
		need = 3
	}
	if len(ops) < need || len(ops) > need+1 {
		return nil, fmt.Errorf("%d operands", len(o.Operands))
	}
	a, err := d.address(ops[0], o.space())
	if err != nil {
		return nil, err
	}
	b, err := d.srcs(elements(ops[1]), t)
	if err != nil {
		return nil, err
	}
	var c []int
	if name == "cas" {
		if c, err = d.srcs(ops[2:3], t); err != nil {
			return nil, err
		}
	}
	op := atomicOp(name, t)
	a.unit, a.count = t.Bits()/8, len(b)
	switch {
	case op == nil || a.unit < 2 || t == ptx.B128 && name != "cas" && name != "exch":
		return nil, fmt.Errorf("the operation is not known for .%s", t)
	case dst != nil && len(dst) != len(b), a.count != o.Op.Vec():
		return nil, fmt.Errorf("operand %s: %d values, expected %d", ops[1], len(b), o.Op.Vec())
	case t == ptx.B128:
		if err := d.needs(o, 90); err != nil {
			return nil, err
		}
		if err := d.check128(append(o.Operands[:1:1], ops[1:need]...)...); err != nil {
			return nil, err
		}
		a.unit, a.count, dst, b, c = 8, 2, doubleSlots(dst), doubleSlots(b), doubleSlots(c)
	}
	u := &atomicUse{a, dst, b, c, op, t == ptx.F32 && name == "add", releases}
	if dst != nil {
		u.order |= acquires
	}
	return u.step, nil
}

// atomicUse is one atomic instruction.
type atomicUse struct {
	access
	dst   []int
	b     []int
	c     []int // of cas, otherwise empty
	op    func(old, b, c uint64) uint64
	flush bool // an addition of .f32, which flushes subnormal numbers in global memory
	order order
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
		if st := u.lane(w, seg, off, lane); st != advance {
			return st
		}
	}
	for _, s := range u.dst {
		f.def[s] |= mask
	}
	return advance
}

// lane executes the instruction for one lane.
func (u *atomicUse) lane(w *warp, seg *segment, off uint64, lane int) status {
	f := w.f
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
		v = old // both halves of 128 bits are compared
	}
	same := true
	for i := range u.b {
		same = same && v[i]&ones(8*u.unit) == old[i]
	}
	a := orderedAccess{u.unit * u.count, u.order, byAtom}
	if same { // other threads only see a read
		a.how = 0
	} else {
		w.block.grid.progress++
		if seg.owner != nil {
			w.epoch(byAtomic)
		}
	}
	if !w.orderAccess(seg, off, lane, a) {
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

// atomicOp returns the value that an atomic instruction writes, as a function, or nil.
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
	var op func(x, y uint64) uint64
	f, packed := formatOf(t)
	switch {
	case t == ptx.F64 && name == "add":
		op = func(x, y uint64) uint64 { return nan64(math.Float64frombits(x)+math.Float64frombits(y), x, y) }
	case f != nil && name == "add":
		op = func(x, y uint64) uint64 { return f.round(addOdd(f.value(x), f.value(y)), toEven) }
	case f != nil:
		op = minMaxOf(f, name, numberWins)
	case t == ptx.F64:
		return nil
	default:
		op = integerOp(name, t)
	}
	if op == nil {
		return nil
	}
	if packed {
		op = floatOps{op2: op}.twice(f.width()).op2
	}
	return func(old, b, _ uint64) uint64 { return op(old, b) }
}
