package atom

import (
	"strconv"
	"strings"
)

// This file writes instructions with their operands, the registers numbered as in inline assembly.

// instruction writes one instruction. Registers are numbered consecutively from operand to operand.
type instruction struct {
	b    strings.Builder
	next int  // the number of the next register
	more bool // an operand has been written
}

// newInstruction returns an instruction that has an opcode and no operands yet.
func newInstruction(opcode string) *instruction {
	i := new(instruction)
	i.b.Grow(len(opcode) + 64)
	i.b.WriteString(opcode)
	return i
}

func (i *instruction) separate() {
	if i.more {
		i.b.WriteByte(',')
	}
	i.b.WriteByte(' ')
	i.more = true
}

// registers writes the next n registers without braces, each with its prefix and suffix.
func (i *instruction) registers(n int) {
	for k := range n {
		if k > 0 {
			i.b.WriteString(", ")
		}
		i.b.WriteByte('%')
		var buf [8]byte
		i.b.Write(strconv.AppendInt(buf[:0], int64(i.next), 10))
		i.next++
	}
}

// vector writes an operand of n registers in braces.
func (i *instruction) vector(n int) *instruction {
	i.separate()
	i.b.Grow(6 * n)
	i.b.WriteByte('{')
	i.registers(n)
	i.b.WriteByte('}')
	return i
}

// scalar writes an operand of one register.
func (i *instruction) scalar() *instruction {
	i.separate()
	i.registers(1)
	return i
}

// address writes an operand of one register that holds an address.
func (i *instruction) address() *instruction {
	i.separate()
	i.b.WriteByte('[')
	i.registers(1)
	i.b.WriteByte(']')
	return i
}

// words writes operands that are not registers, by their names in the manual.
func (i *instruction) words(names ...string) *instruction {
	for _, n := range names {
		i.separate()
		i.b.WriteString(n)
	}
	return i
}

// String returns the instruction with its semicolon.
func (i *instruction) String() string { return i.b.String() + ";" }
