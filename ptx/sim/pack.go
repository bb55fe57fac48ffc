package sim

import (
	"fmt"

	"girih/ptx"
)

// This file implements mov with vectors (PTX ISA 9.7.9.4, 6.4.3): from a scalar to its parts, from parts to a scalar,
// and from elements to elements.

// check128 returns an error unless each operand is a register of 128 bits, an integer or the sink.
func (d *decoder) check128(list ...ptx.Operand) error {
	for _, o := range list {
		if _, ok := o.(ptx.Int); ok || o == ptx.Operand(ptx.Sink) {
			continue
		}
		name, _ := o.(ptx.Name)
		if s := d.lookup(name); s == nil || s.kind != symReg || s.v.Type.Bits() != 128 {
			return fmt.Errorf("operand %s: expected a register of 128 bits", o)
		}
	}
	return nil
}

// movVector reads a mov with an operand that is a vector or a list.
func (d *decoder) movVector(o *opcode, t ptx.Type) (step, error) {
	to, toVector := o.Operands[0].(ptx.Vec)
	from, fromVector := o.Operands[1].(ptx.Vec)
	if n := o.Op.Vec(); n > 1 {
		o.skip("v2", "v4", "v8")
		if !toVector || !fromVector || len(to) != n || len(from) != n {
			return nil, fmt.Errorf("operands %s and %s: expected %d elements each for .v%d", o.Operands[0], o.Operands[1], n, n)
		}
		return d.movElements(to, from, t)
	}
	switch {
	case !begins(t, 'b') && fromVector != toVector:
		return nil, fmt.Errorf("expected a type of bits to pack or unpack, found .%s", t)
	case !fromVector:
		return d.unpack(to, o.Operands[1], t)
	case !toVector:
		return d.pack(o.Operands[0], from, t)
	case len(to) != len(from):
		return nil, fmt.Errorf("operands %s and %s: %d and %d elements", to, from, len(to), len(from))
	}
	part, err := d.partOf(t, to)
	if err != nil {
		return nil, err
	}
	if _, err := d.partOf(t, from); err != nil {
		return nil, err
	}
	return d.movElements(to, from, part)
}

// partOf returns the type of each element of a list whose elements form a value of type t.
func (d *decoder) partOf(t ptx.Type, list ptx.Vec) (ptx.Type, error) {
	n := 0
	if len(list) > 0 {
		n = t.Bits() / len(list)
	}
	switch n {
	case 8, 16, 32, 64:
	default:
		return "", fmt.Errorf("operand %s: %d elements do not make up a .%s", list, len(list), t)
	}
	for _, o := range list {
		name, ok := o.(ptx.Name)
		if !ok {
			continue
		}
		s := d.lookup(name)
		if s == nil {
			s = d.lookup(name.Base())
		}
		if s == nil || s.kind != symReg {
			continue
		}
		if has := s.v.Type.Bits(); has != n {
			return "", fmt.Errorf("operand %s has %d bits, and each of %d elements of a .%s has %d", name, has, len(list), t, n)
		}
	}
	return ptx.Type(fmt.Sprintf("b%d", n)), nil
}

// movElements copies elements of type t. It reads all elements before it writes the first one.
func (d *decoder) movElements(to, from ptx.Vec, t ptx.Type) (step, error) {
	if err := d.checkUnique(to); err != nil {
		return nil, err
	}
	src, err := d.srcs(from, t)
	if err != nil {
		return nil, err
	}
	do := step(nothing)
	for i, s := range src {
		src[i] = d.newSlot(d.slots[s].name, 64)
		do = both(do, move(src[i], s, ones(t.Bits())))
	}
	for i, o := range to {
		dst, err := d.dst(o)
		if err != nil {
			return nil, err
		}
		do = both(do, move(dst, src[i], ones(t.Bits())))
	}
	return do, nil
}

// checkUnique returns an error if a list of destinations contains a register twice.
func (d *decoder) checkUnique(list []ptx.Operand) error {
	for i, o := range list {
		for _, other := range list[:i] {
			if o == other && o != ptx.Operand(ptx.Sink) {
				return fmt.Errorf("operand %s is written twice", o)
			}
		}
	}
	return nil
}

// unpack reads mov.b64 {lo, hi}, a and similar forms.
func (d *decoder) unpack(list ptx.Vec, from ptx.Operand, t ptx.Type) (step, error) {
	part, err := d.partOf(t, list)
	if err != nil {
		return nil, err
	}
	if err := d.checkUnique(list); err != nil {
		return nil, err
	}
	halves, err := d.halves(from, t)
	if err != nil {
		return nil, err
	}
	// The source may be among the destinations, so its value is read first.
	do := step(nothing)
	for i, s := range halves {
		halves[i] = d.newSlot(d.slots[s].name, 64)
		do = both(do, move(halves[i], s, ^uint64(0)))
	}
	n := part.Bits()
	m := ones(n)
	for i, o := range list {
		if o == ptx.Operand(ptx.Sink) {
			continue
		}
		dst, err := d.dst(o)
		if err != nil {
			return nil, err
		}
		do = both(do, map1(dst, halves[n*i/64], func(x uint64) uint64 { return x >> (n * i % 64) & m }))
	}
	return do, nil
}

// pack reads mov.b64 d, {lo, hi} and similar forms.
func (d *decoder) pack(to ptx.Operand, list ptx.Vec, t ptx.Type) (step, error) {
	part, err := d.partOf(t, list)
	if err != nil {
		return nil, err
	}
	if t == ptx.B128 {
		if err := d.check128(to); err != nil {
			return nil, err
		}
	}
	dst, err := d.dst(to)
	if err != nil {
		return nil, err
	}
	s, err := d.srcs(list, part)
	if err != nil {
		return nil, err
	}
	n := part.Bits()
	m := ones(n)
	join := func(x []uint64) uint64 {
		v := uint64(0)
		for i, p := range x {
			v |= p & m << (n * i)
		}
		return v
	}
	if k := len(s) / 2; t == ptx.B128 {
		return both(mapN(dst, s[:k], join), mapN(dst+1, s[k:], join)), nil
	}
	return mapN(dst, s, join), nil
}

// halves returns the slots of a source of up to 128 bits, the lower half first.
func (d *decoder) halves(o ptx.Operand, t ptx.Type) ([]int, error) {
	if t == ptx.B128 {
		if err := d.check128(o); err != nil {
			return nil, err
		}
	}
	a, err := d.src(o, t)
	if t == ptx.B128 {
		return []int{a, a + 1}, err
	}
	return []int{a}, err
}
