package sim

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"girih/ptx"
)

// This file reads source operands: registers, special registers, constants and addresses of variables. Each operand
// becomes a slot.

// constant returns the slot that holds v.
func (d *decoder) constant(v uint64) int {
	if s, ok := d.index[v]; ok {
		return s
	}
	s := d.newConstant(v)
	d.index[v] = s
	return s
}

// newConstant returns a separate slot that holds v.
func (d *decoder) newConstant(v uint64) int {
	s := d.newSlot(ptx.Name(fmt.Sprintf("constant 0x%x", v)), 64)
	d.consts = append(d.consts, &constant{slot: s, value: v})
	return s
}

//go:noinline
func (d *decoder) newSlot(name ptx.Name, bits int) int {
	d.slots = append(d.slots, slot{name, bits})
	return len(d.slots) - 1
}

// errMissing is the error for a missing operand.
var errMissing = errors.New("an operand is missing")

// src returns the slot of a source of type t.
func (d *decoder) src(o ptx.Operand, t ptx.Type) (int, error) {
	switch o := o.(type) {
	case nil:
		return 0, errMissing
	case ptx.Int:
		return d.intConstant(o, t), nil
	case ptx.Bits32:
		if t != ptx.F64 && t.Bits() >= 32 {
			return d.constant(uint64(o)), nil
		}
		return d.floatConstant(o, float64(o.Float()), t)
	case ptx.Bits64:
		if t.Bits() == 64 {
			return d.constant(uint64(o)), nil
		}
		return d.floatConstant(o, o.Float(), t)
	case ptx.Name:
		return d.nameSlot(o)
	case ptx.Sym:
		if o.Mask != 0 {
			break
		}
		return d.symbolAddress(o)
	case ptx.Elem:
		at, err := d.element(o)
		if err != nil {
			return 0, err
		}
		return d.symbolAddress(at)
	}
	return 0, fmt.Errorf("operand %s: expected a register or a constant", o)
}

// intConstant returns the slot of an integer constant, converted to type t.
func (d *decoder) intConstant(o ptx.Int, t ptx.Type) int {
	switch t {
	case ptx.F32:
		return d.constant(uint64(math.Float32bits(float32(o))))
	case ptx.F64:
		return d.constant(math.Float64bits(float64(o)))
	case ptx.B128: // 64 bits, sign-extended to 128
		slot := d.newConstant(uint64(o))
		d.newConstant(uint64(o >> 63))
		return slot
	}
	return d.constant(uint64(o) & ones(t.Bits()))
}

// floatConstant returns the slot of constant o, whose value is v, converted to type t (PTX ISA 4.5.2). A .b type has
// the format of its size.
func (d *decoder) floatConstant(o ptx.Operand, v float64, t ptx.Type) (int, error) {
	switch t {
	case ptx.F64:
		return d.constant(math.Float64bits(v)), nil
	case ptx.F32, ptx.B32:
		return d.constant(uint64(math.Float32bits(float32(v)))), nil
	case ptx.F16, ptx.B16:
		return d.constant(formatF16.round(v, toEven)), nil
	case ptx.BF16:
		return d.constant(formatBF16.round(v, toEven)), nil
	}
	return 0, fmt.Errorf("operand %s: a floating-point constant for the type .%s", o, t)
}

// nameSlot returns the slot of a register or special register, or of the address of a variable or function.
func (d *decoder) nameSlot(name ptx.Name) (int, error) {
	s := d.lookup(name)
	if s == nil && name.Part() != "" {
		if base := d.lookup(name.Base()); base != nil && base.kind == symReg {
			i := elementOf(name.Part(), base.v.Vec)
			if i < 0 {
				return 0, fmt.Errorf("operand %s: %s", name, describe(base.v, name.Base()))
			}
			return d.slotOf(base, name.Base()) + i, nil
		}
	}
	switch {
	case s != nil && s.kind == symReg && s.v.Vec > 1:
		return 0, fmt.Errorf("operand %s: expected one value, and %s", name, describe(s.v, name))
	case s == nil && strings.HasPrefix(string(name), "%"):
		return d.special(name)
	case s == nil || s.kind == symVar:
		return d.symbolAddress(ptx.Sym{Name: name})
	case s.kind != symReg:
		return 0, fmt.Errorf("%s: expected a register that is no predicate", name)
	}
	return d.slotOf(s, name), nil
}

// element returns the address of an array element with a constant index (PTX ISA 6.4.2).
func (d *decoder) element(e ptx.Elem) (ptx.Sym, error) {
	s, i := d.lookup(e.Array), ptx.Int(0)
	index, ok := e.Index.(ptx.Int)
	switch {
	case s == nil || s.kind != symVar || len(s.v.Dims) > 1:
		return ptx.Sym{}, fmt.Errorf("operand %s: expected an array of one dimension", e)
	case !ok:
		return ptx.Sym{}, fmt.Errorf("operand %s: an index in a register is not known: compute the address", e)
	}
	i = index + ptx.Int(e.Offset)
	size := int64(max(s.v.Type.Bits()/8, 1) * max(s.v.Vec, 1))
	if i < 0 || int64(i) > MaxMemory/size {
		return ptx.Sym{}, fmt.Errorf("operand %s: the index %d", e, i)
	}
	return ptx.Sym{Name: e.Array, Offset: int64(i) * size}, nil
}

// symbolAddress returns a slot with the address of a variable or function plus the offset of sym.
func (d *decoder) symbolAddress(sym ptx.Sym) (int, error) {
	name, offset := sym.Name, sym.Offset
	s := d.lookup(name)
	if s == nil {
		f, i := d.program.find(name)
		if f == nil {
			return 0, fmt.Errorf("the name %s is not declared", name)
		}
		return d.constant(functionBase + 16*uint64(i)), nil
	}
	if s.kind != symVar {
		return 0, fmt.Errorf("%s: expected a variable", name)
	}
	window := uint64(0)
	if sym.Generic {
		window = windowOf(s.v.Space)
	}
	switch {
	case s.frame:
		n := d.newSlot(name, 64)
		if s.v.Space == ptx.Param {
			window = localWindow // otherwise, the address would name a kernel parameter
		}
		d.locals = append(d.locals, constant{slot: n, value: window + uint64(s.offset+offset)})
		return n, nil
	case s.v.Space == ptx.Shared && s.offset < 0:
		c := &constant{d.newSlot(name, 64), window + uint64(offset), true}
		d.consts = append(d.consts, c)
		d.kernel.externs = append(d.kernel.externs, c)
		return c.slot, nil
	case s.offset == 0 && (s.v.Space == ptx.Global || s.v.Space == ptx.Const):
		return 0, fmt.Errorf("the variable %s is declared without a definition", name)
	}
	if s.v.Space == ptx.Shared {
		return d.sharedConstant(window + uint64(s.offset+offset)), nil
	}
	return d.constant(window + uint64(s.offset+offset)), nil
}

// srcs returns the slots of a list of sources of type t.
func (d *decoder) srcs(list []ptx.Operand, t ptx.Type) ([]int, error) {
	slots := make([]int, len(list))
	for i, o := range list {
		var err error
		if slots[i], err = d.src(o, t); err != nil {
			return nil, err
		}
	}
	return slots, nil
}
