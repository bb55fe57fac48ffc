package sim

import (
	"fmt"

	"girih/ptx"
)

// operandBits returns the width that operand i of an instruction must have, or 0 if several widths are allowed. It is
// the width of the instruction's type (PTX ISA 9.4), except for the opcodes in operandWidths.
func (o *opcode) operandBits(types []ptx.Type, i int) int {
	x := widthOf{o: o, types: types, i: i, first: types[0].Bits(), last: types[len(types)-1].Bits()}
	if bits := operandWidths[o.name]; bits != nil {
		return bits(x)
	}
	return x.last
}

// widthOf is operand i of an instruction, with the widths of the first and last type of the instruction.
type widthOf struct {
	o           *opcode
	types       []ptx.Type
	i           int
	first, last int
}

// either returns bits for the operands from least to most, and the width of the last type for the other operands.
func (x widthOf) either(bits, least, most int) int {
	if least <= x.i && x.i <= most {
		return bits
	}
	return x.last
}

// anyWidth is for instructions with operands of several widths, vectors, addresses and masks.
func anyWidth(widthOf) int { return 0 }

// count32 is for instructions that return a position or a number of bits.
func count32(x widthOf) int { return x.either(32, 0, 0) }

// amount32 is for instructions whose operand 2 is an amount or a mask of lanes.
func amount32(x widthOf) int { return x.either(32, 2, 2) }

// field32 is for instructions whose last two operands are a position and a length.
func field32(x widthOf) int { return x.either(32, len(x.o.Operands)-2, len(x.o.Operands)-1) }

// mixedSum is for sums of .f32 with operands of a type that is half as wide.
func mixedSum(x widthOf) int {
	if len(x.types) == 2 && (x.i == 0 || x.i == len(x.o.Operands)-1) {
		return x.first
	}
	return x.last
}

// wideProduct is for products: with .wide, the destination and the addend are twice as wide.
func wideProduct(x widthOf) int {
	if x.o.Op.Has("wide") && (x.i == 0 || x.i == 3) {
		return 2 * x.last
	}
	return x.last
}

// operandWidths contains, by opcode, the functions that return the widths of operands.
var operandWidths = map[string]func(x widthOf) int{
	"mov": anyWidth, "cvt": anyWidth, "ld": anyWidth, "st": anyWidth, "atom": anyWidth, "red": anyWidth,
	"shfl": anyWidth, "vote": anyWidth, "activemask": anyWidth, "nanosleep": anyWidth,
	"add": mixedSum, "sub": mixedSum, "fma": mixedSum,
	"mul": wideProduct, "mad": wideProduct,
	"popc": count32, "clz": count32, "bfind": count32,
	"shl": amount32, "shr": amount32, "redux": amount32,
	"match": func(x widthOf) int {
		if x.i == 0 || x.i == 2 {
			return 32
		}
		return x.last
	},
	"bfe": field32, "bfi": field32,
	"set":  func(x widthOf) int { return x.either(x.first, 0, 0) },
	"slct": func(x widthOf) int { return x.either(x.first, 0, 2) },
}

// widths returns an error if a register does not have the width that the instruction requires.
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
