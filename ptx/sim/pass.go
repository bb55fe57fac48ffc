package sim

import (
	"fmt"

	"girih/ptx"
)

// This file passes values to functions and returns values from them (PTX ISA 7.1): registers, vectors of registers,
// constants, and variables in the space .param.

// A parcel states where a passed value is: in registers, one for each element, or in memory of the frame.
type parcel struct {
	slots  []int // nil for memory
	unit   int64 // bytes of an element in a register
	offset int64 // offset in memory, from the start of the frame
	size   int64 // bytes of all elements
}

// String describes p in a finding.
func (p parcel) String() string {
	switch n := len(p.slots); n {
	case 0:
		return fmt.Sprintf("%d bytes", p.size)
	case 1:
		return fmt.Sprintf("a register of %d bytes", p.unit)
	default:
		return fmt.Sprintf("%d registers of %d bytes", n, p.unit)
	}
}

// fits reports whether a value in p can be passed to q: both have the same number of elements or, if one is in memory,
// the same number of bytes. A single register passes only the low bytes that both have.
func (p parcel) fits(q parcel) bool {
	a, b := len(p.slots), len(q.slots)
	switch {
	case a > 0 && b > 0:
		return a == b
	case a == 1 || b == 1:
		return p.size <= 8 && q.size <= 8
	}
	return p.size == q.size
}

// binding is a parameter of a function with its parcel.
type binding struct {
	decl *ptx.Var
	parcel
}

// bind places the parameters of a function that is not a kernel.
func (d *decoder) bind(list []*ptx.Var) ([]binding, error) {
	var out []binding
	for _, v := range list {
		s, err := d.declare(v)
		if err != nil {
			return nil, err
		}
		if s.kind == symPred {
			return nil, errorf(CodeModule, "line %d: %s: parameters that are predicates are not known", v.Pos.Line, v.Name)
		}
		b := binding{v, parcel{offset: s.offset, size: v.Size()}}
		if s.kind == symReg {
			b.parcel = d.registers(d.slotOf(s, v.Name), v)
		}
		out = append(out, b)
	}
	return out, nil
}

// registers returns the parcel of the registers of v, which begin at slot.
func (d *decoder) registers(slot int, v *ptx.Var) parcel {
	var p parcel
	for i := range slotsOf(v) {
		p.slots = append(p.slots, slot+i)
	}
	p.unit = int64(d.slots[slot].bits / 8)
	p.size = p.unit * int64(len(p.slots))
	return p
}

// callSite is a call with its arguments.
type callSite struct {
	args, returns []parcel
}

// site reads the arguments and returned values of a call of decl, which is nil if the function is not known.
func (d *decoder) site(returns, args ptx.Args, decl *ptx.Func) (*callSite, error) {
	if decl == nil {
		decl = &ptx.Func{}
	}
	var s callSite
	for _, o := range returns {
		p, ok := d.parcelOf(o)
		if !ok {
			slot, err := d.dst(o)
			if err != nil {
				return nil, err
			}
			p = d.register(slot)
		}
		s.returns = append(s.returns, p)
	}
	for i, o := range args {
		p, ok := d.parcelOf(o)
		if !ok {
			t := ptx.B64
			if i < len(decl.Params) {
				t = decl.Params[i].Type
			}
			slot, err := d.src(o, t)
			if err != nil {
				return nil, err
			}
			p = d.register(slot)
		}
		s.args = append(s.args, p)
	}
	return &s, nil
}

// parcelOf returns the parcel of a register, or of a variable in the space .param, that an operand names.
func (d *decoder) parcelOf(o ptx.Operand) (p parcel, ok bool) {
	name, _ := o.(ptx.Name)
	switch s := d.lookup(name); {
	case s == nil:
	case s.kind == symVar && s.frame:
		return parcel{offset: s.offset, size: s.v.Size()}, true
	case s.kind == symReg:
		return d.registers(d.slotOf(s, name), s.v), true
	}
	return p, false
}

// register returns the parcel of one slot.
func (d *decoder) register(slot int) parcel {
	n := int64(d.slots[slot].bits / 8)
	return parcel{slots: []int{slot}, unit: n, size: n}
}

// handover passes a value from parcel a of one frame to parcel b of another. The two parcels fit each other.
type handover struct {
	from, to *frame
	a, b     parcel
}

// pass copies the value of v for the lanes of mask.
func (w *warp) pass(v handover, mask uint32) {
	from, to := v.from.local-localStart+uint64(v.a.offset), v.to.local-localStart+uint64(v.b.offset)
	switch {
	case len(v.a.slots) > 0 && len(v.b.slots) > 0:
		for i, b := range v.b.slots {
			a := v.a.slots[i]
			for m := mask; m != 0; m &= m - 1 {
				lane := lowest(m)
				v.to.regs[b][lane] = v.from.regs[a][lane] & ones(int(8*v.b.unit))
			}
			v.to.def[b] = v.to.def[b]&^mask | v.from.def[a]&mask
		}
	case len(v.a.slots) > 0:
		v.store(w, to, mask)
	case len(v.b.slots) > 0:
		v.load(w, from, mask)
	default:
		for m := mask; m != 0; m &= m - 1 {
			s := &w.local[lowest(m)]
			copyBytes(spot{s, to}, spot{s, from}, uint64(v.b.size))
		}
	}
}

// store copies registers to memory at off.
func (v handover) store(w *warp, off uint64, mask uint32) {
	n := uint64(v.b.size) / uint64(len(v.a.slots))
	for i, a := range v.a.slots {
		for m := mask; m != 0; m &= m - 1 {
			lane := lowest(m)
			s, at := &w.local[lane], off+uint64(i)*n
			for k := range n {
				s.write(at+k, 1, v.from.regs[a][lane]>>(8*k))
			}
			s.setDefinedBits(at, int(n), ones(int(n))*uint64(v.from.def[a]>>lane&1))
		}
	}
}

// load copies memory at off to registers.
func (v handover) load(w *warp, off uint64, mask uint32) {
	n := uint64(v.a.size) / uint64(len(v.b.slots))
	for i, b := range v.b.slots {
		ok := uint32(0)
		for m := mask; m != 0; m &= m - 1 {
			lane := lowest(m)
			s, at, x := &w.local[lane], off+uint64(i)*n, uint64(0)
			for k := range n {
				x |= s.read(at+k, 1) << (8 * k)
			}
			v.to.regs[b][lane] = x & ones(int(8*v.b.unit))
			if s.definedBits(at, int(n)) == ones(int(n)) {
				ok |= 1 << lane
			}
		}
		v.to.def[b] = v.to.def[b]&^mask | ok
	}
}
