package lower

import (
	"girih/atom"
	"girih/cute"
	"girih/ptx"
)

// A Fragment says how a thread's values of an operand are stored in its registers: value v begins at bit v·Bits of the
// concatenated registers, the first register lowest. This is the numbering of fragments in PTX (9.7.14, Matrix
// Fragments).
type Fragment struct {
	Count    int // registers
	Register int // bits of a register: 16, 32 or 64
	Values   int // how many values a thread holds: for a sparse A, half of the logical elements
	Bits     int // the width of a value
}

// FragmentOf returns the fragment of an operand. It returns [cute.CodeType] for an operand that is not in registers.
func FragmentOf(m atom.MMA, o atom.Operand) (Fragment, error) {
	e, from, group := m.Types.C, m.CFrom, m.Registers.C
	switch o {
	case atom.OperandA:
		e, from, group = m.Types.A, m.AFrom, m.Registers.A
	case atom.OperandB:
		e, from, group = m.Types.B, m.BFrom, m.Registers.B
	}
	if from != atom.Registers {
		return Fragment{}, fail(cute.CodeType, "%v of %s is in %v, not in registers", o, m.Name, from)
	}
	sparsity := max(e.Sparsity, 1)
	f := Fragment{Values: int(m.Values(o)) / sparsity, Bits: e.Bits() * sparsity}
	f.Count, f.Register = group.Count, group.Bits
	if group.Count == 0 { // a single thread has one register that is wide enough
		f.Count, f.Register = 1, max(16, f.Values*f.Bits)
	}
	if f.Values*f.Bits > f.Count*f.Register {
		return Fragment{}, fail(cute.CodeExtent, "%v of %s has %d values of %d bits in %d registers of %d bits",
			o, m.Name, f.Values, f.Bits, f.Count, f.Register)
	}
	return f, nil
}

// Type returns the type of a register.
func (f Fragment) Type() ptx.Type {
	switch f.Register {
	case 16:
		return ptx.B16
	case 64:
		return ptx.B64
	}
	return ptx.B32
}

// Regs returns new registers for the fragment.
func (f Fragment) Regs(b *ptx.Builder) ptx.Vec { return b.Regs(f.Type(), f.Count) }
