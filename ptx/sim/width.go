package sim

import (
	"fmt"

	"girih/ptx"
)

// operandBits returns how wide operand i of an instruction must be, or 0 if several widths are allowed. An operand is
// as wide as the type of the instruction (PTX ISA 9.4), except for those listed here.
func (o *opcode) operandBits(types []ptx.Type, i int) int {
	first, last := types[0].Bits(), types[len(types)-1].Bits()
	switch o.name {
	case "mov", "cvt", "ld", "st", "atom", "red", "shfl", "vote", "activemask", "nanosleep":
		return 0 // several widths, vectors, addresses and masks
	case "add", "sub", "fma":
		if len(types) == 2 && (i == 0 || i == len(o.Operands)-1) { // of .f32 and a type half as wide
			return first
		}
	case "mul", "mad":
		if o.Op.Has("wide") && (i == 0 || i == 3) {
			return 2 * last
		}
	case "popc", "clz", "bfind":
		if i == 0 {
			return 32
		}
	case "shl", "shr", "match", "redux":
		if i == 2 || i == 0 && o.name == "match" {
			return 32
		}
	case "bfe", "bfi":
		if i >= len(o.Operands)-2 {
			return 32
		}
	case "set":
		if i == 0 {
			return first
		}
	case "slct":
		if i < 3 {
			return first
		}
	}
	return last
}

// widths returns an error if a register has another width than the instruction.
func (d *decoder) widths(o *opcode) error {
	types := o.Op.Types()
	if len(types) == 0 || forms()[o.name] == nil {
		return nil
	}
	for i, x := range o.Operands {
		if u, ok := x.(ptx.Unary); ok {
			x = u.X
		}
		if p, ok := x.(ptx.Pair); ok {
			x = p.First
		}
		name, _ := x.(ptx.Name)
		s, want := d.lookup(name), o.operandBits(types, i)
		if s == nil || s.kind != symReg || s.v.Vec > 1 || want == 0 {
			continue
		}
		if has := s.v.Type.Bits(); has != want {
			return fmt.Errorf("operand %s has %d bits, expected %d", name, has, want)
		}
	}
	return nil
}
