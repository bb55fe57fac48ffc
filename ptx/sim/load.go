package sim

import (
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

// skipOrder accepts what the memory model is told: this simulator runs one instruction after the other.
func (o *opcode) skipOrder() {
	o.skip("weak", "volatile", "relaxed", "acquire", "release", "acq_rel", "sc", "mmio", "cta", "cluster", "gpu", "sys", "unified")
}

// elements returns the registers of a vector operand, or of one that is none.
func elements(o ptx.Operand) []ptx.Operand {
	if v, ok := o.(ptx.Vec); ok {
		return v
	}
	return []ptx.Operand{o}
}

// transfer reads what ld and st have in common: the access and its registers.
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
	if a.unit == 0 || len(regs) != a.count || a.unit*a.count > 32 {
		return a, t, nil, fmt.Errorf("%d registers of type .%s for a vector of %d", len(regs), t, a.count)
	}
	return a, t, regs, nil
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
	signed := make([]int, len(regs)) // the width of the register where the value has a sign to extend
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
		slots = doubled(slots)
		signed = make([]int, len(slots))
	}
	n := a.unit * a.count
	return func(w *warp, mask uint32) status {
		f := w.f
		if miss := mask &^ f.def[a.at.slot]; miss != 0 {
			return w.undefined(miss, a.at.slot)
		}
		base, ok := &f.regs[a.at.slot], mask
		addresses := *base // the registers that are loaded may be those of the address
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			address := addresses[lane] + uint64(a.at.offset)
			seg, off := w.near(&a), uint64(0)
			if seg != nil {
				off = address - seg.base
			}
			if seg == nil || !seg.plain(off, n) {
				if seg, off = w.target(&a, lane, address); seg == nil {
					return failed
				}
			}
			if a.lenient && !seg.defined(off, min(a.unit*a.count, 16)) {
				ok &^= 1 << lane
			}
			for i, s := range slots {
				v := seg.read(off+uint64(i*a.unit), a.unit)
				if n := signed[i]; n != 0 {
					v = uint64(extend(v, 8*a.unit)) & ones(n)
				}
				f.regs[s][lane] = v
			}
		}
		for _, s := range slots {
			f.def[s] = f.def[s]&^mask | ok
		}
		return advance
	}, nil
}

func doubled(slots []int) []int {
	var out []int
	for _, s := range slots {
		out = append(out, s, s+1)
	}
	return out
}

func (d *decoder) store(o *opcode) (step, error) {
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
		slots = doubled(slots)
	}
	return func(w *warp, mask uint32) status {
		f := w.f
		if miss := mask &^ f.def[a.at.slot]; miss != 0 {
			return w.undefined(miss, a.at.slot)
		}
		base := &f.regs[a.at.slot]
		for m := mask; m != 0; m &= m - 1 {
			lane := bits.TrailingZeros32(m) & 31
			seg, off := w.target(&a, lane, base[lane]+uint64(a.at.offset))
			if seg == nil {
				return failed
			}
			for i, s := range slots {
				at := off + uint64(i*a.unit)
				seg.write(at, a.unit, f.regs[s][lane])
				if f.def[s]>>lane&1 == 1 {
					seg.define(at, a.unit)
				} else if !seg.scratch {
					return w.undefined(1<<lane, s)
				} else {
					seg.forget(at, uint64(a.unit))
				}
			}
		}
		return advance
	}, nil
}

// hint is an instruction for caches: it does nothing. createpolicy gives its register a value that no one looks at.
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

// nothing is an instruction that changes nothing here.
func nothing(*warp, uint32) status { return advance }

// isSpace asks whether a generic address is in a window.
func (d *decoder) isSpace(o *opcode) (step, error) {
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	space := o.space()
	name, _ := o.Operands[0].(ptx.Name)
	p, err := d.pred(name)
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

// compareOwn asks whether a generic address is in the shared memory of the block itself.
func compareOwn(p, a int) step {
	return func(w *warp, mask uint32) status {
		own := sharedWindow>>rankShift | w.block.shared.base>>rankShift
		return compare1(p, a, func(x uint64) bool { return x>>rankShift == own })(w, mask)
	}
}

// compare1 sets a predicate by one source.
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

// cvta converts between addresses of a space and generic ones.
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
	if name, ok := o.Operands[1].(ptx.Name); ok && !strings.HasPrefix(string(name), "%") {
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
			// An address of another space has none in this one.
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
		if x >= windowSize { // of a parameter of a function, which has a generic address
			return x
		}
		return x + window
	}), nil
}
