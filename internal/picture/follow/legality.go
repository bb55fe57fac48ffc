package follow

import (
	"fmt"

	"girih/atom"
	"girih/internal/machine/lower"
)

// This file judges products and their operands: by the tables of package atom, by package descriptor, which knows what
// wgmma and tcgen05.mma read, and by the addresses that the run read. A verdict that the checks cannot decide is left
// out.

// legal adds the verdicts of a product, or of the move of an operand.
func (b *builder) legal(h *Hop) {
	m, ok := b.mmaOf(h)
	switch {
	case !ok:
	case h.Kind == MMA:
		b.instruction(h, m)
	case h.Kind == Read && b.Places[h.From[0]].Kind == Shared:
		b.byDescriptors(h, m)
	case h.Kind == Read && b.Places[h.From[0]].Kind == Registers:
		b.fragments(h, m)
	case h.Kind == Read && b.Places[h.From[0]].Kind == Tensor:
		b.inTensorMemory(h, m)
	}
}

// mmaOf returns the operation of a hop: by its name, or by its opcode.
func (b *builder) mmaOf(h *Hop) (atom.MMA, bool) {
	if h.Kind != MMA && h.Kind != Read {
		return atom.MMA{}, false
	}
	if h.Atom != "" {
		m, err := atom.FindMMA(h.Atom)
		return m, err == nil
	}
	m, err := atom.FindPTX(h.Instruction, atom.SharedMemory)
	return m, err == nil
}

// instruction says which instruction a product is, and whether the target has it.
func (b *builder) instruction(h *Hop, m atom.MMA) {
	r := Ruling{What: "legality", OK: true}
	r.Text = fmt.Sprintf("%d by %d by %d, A %v, B %v, sums %v", m.Shape[0], m.Shape[1], m.Shape[2], m.Types.A, m.Types.B,
		m.Types.C)
	first, err := lower.TargetFor(m.Operation, "")
	if err != nil || m.Shape == [3]int64{1, 1, 1} {
		return
	}
	r.Text += ", since " + first.Chip
	if _, err := lower.TargetFor(m.Operation, b.k.Target); err != nil && b.k.Target != "" {
		r.OK, r.Text = false, err.Error()
	}
	h.Verdicts = append(h.Verdicts, r)
}

// operandOf returns the operand of a hop.
func operandOf(p *Place) atom.Operand {
	if p.Operand == "B" {
		return atom.OperandB
	}
	return atom.OperandA
}

// fragments says how the warps of an instruction hold an operand, if the run read the registers that it has.
func (b *builder) fragments(h *Hop, m atom.MMA) {
	which := operandOf(&b.Places[h.To])
	table, ok := fragmentTable(m, which)
	if !ok {
		return
	}
	n, per := 0, len(table)/int(m.Threads())
	for i := range b.operands {
		o := &b.operands[i]
		if o.hop != h.ID {
			continue
		}
		first := 0 // the thread of the instruction that is lane 0
		if n++; m.Threads() > 32 {
			first = o.m.Warp * 32 % int(m.Threads())
		}
		if len(o.m.To.At) != len(o.lanes)*o.per || o.per != per {
			return
		}
		for k, at := range o.m.To.At {
			if at != table[(first+o.lanes[k/per])*per+k%per] {
				return
			}
		}
	}
	h.Verdicts = append(h.Verdicts, Ruling{
		What: "legality", OK: true,
		Text: fmt.Sprintf("%d fragments, as the instruction has them: %s", n, m.TVText(which)),
	})
}

// fragmentTable returns, for each value of each thread of an instruction of one or more warps, the row and column of
// an operand, as in a recorded move.
func fragmentTable(m atom.MMA, which atom.Operand) (table []uint64, ok bool) {
	if m.Threads()%32 != 0 {
		return nil, false
	}
	for lane := range m.Threads() {
		thread, err := m.ThreadOf(lane)
		if err != nil {
			return nil, false
		}
		for value := range m.Values(which) {
			p, err := m.At(which, thread, value)
			if err != nil {
				return nil, false
			}
			table = append(table, uint64(p.Row)<<16|uint64(p.Column))
		}
	}
	return table, len(table) > 0
}
