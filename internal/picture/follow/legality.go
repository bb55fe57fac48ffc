package follow

import (
	"fmt"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/descriptor"
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

// fragments says how a warp holds an operand, if the run read the registers that the operation has.
func (b *builder) fragments(h *Hop, m atom.MMA) {
	which := operandOf(&b.Places[h.To])
	table, ok := fragmentTable(m, which)
	n := 0
	for i := range b.operands {
		o := &b.operands[i]
		if o.hop != h.ID {
			continue
		}
		if n++; len(o.m.To.At) != len(o.lanes)*o.per || !ok || o.per != len(table)/32 {
			return
		}
		for k, at := range o.m.To.At {
			if at != table[o.lanes[k/o.per]*o.per+k%o.per] {
				return
			}
		}
	}
	h.Verdicts = append(h.Verdicts, Ruling{
		What: "legality", OK: true,
		Text: fmt.Sprintf("%d fragments, as the instruction has them: %s", n, m.TVText(which)),
	})
}

// fragmentTable returns, for each value of each lane of a warp, the row and column of an operand, as in a recorded
// move.
func fragmentTable(m atom.MMA, which atom.Operand) (table []uint64, ok bool) {
	if m.Threads() != 32 {
		return nil, false
	}
	for lane := range int64(32) {
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
	return table, true
}

// byDescriptors judges how an instruction reads an operand in shared memory by descriptors.
func (b *builder) byDescriptors(h *Hop, m atom.MMA) {
	p := &b.Places[h.From[0]]
	want, err := descriptor.OperandOf(m, operandOf(&b.Places[h.To]))
	if err != nil || len(p.Modes) < 2 || len(p.Modes) > 3 {
		return
	}
	swapped, count, ok := b.agrees(h, p)
	layout, err := cute.ParseComposed(p.Layout)
	if !ok || err != nil {
		return
	}
	layout, err = layout.Map(func(l cute.Layout) (cute.Layout, error) {
		n := units(l)
		order := []int{n, n + 1, n + 2}[:len(p.Modes)]
		if swapped {
			order[0], order[1] = order[1], order[0]
		}
		return l.Select(order...)
	})
	if err != nil {
		return
	}
	fit, err := want.Fit(layout, p.Base)
	if err != nil {
		return
	}
	first := fit.Matrices[0]
	h.Verdicts = append(h.Verdicts, Ruling{
		What: "legality", OK: true,
		Text: fmt.Sprintf("%v, %v-major, which the instruction reads: LBO %d, SBO %d", first.Pattern, first.Major,
			first.Leading, first.Stride),
	}, Ruling{
		What: "swizzle", OK: true,
		Text: fmt.Sprintf("%d reads by descriptors find each element where the layout of %s has it", count, p.Name),
	})
	if first.Base == 0 {
		h.Verdicts = append(h.Verdicts, Ruling{
			What: "alignment", OK: true,
			Text: fmt.Sprintf("%s begins at byte %d, a multiple of %d", p.Name, p.Base, first.Align()),
		})
	}
	b.coreBanks(h, first)
}

// agrees reports whether all reads of a hop find the elements of the operand where the layout of the tensor has them:
// row r and column k of the operand at the coordinate (r,k) of the tensor plus a constant, or at (k,r) if it is
// swapped.
func (b *builder) agrees(h *Hop, p *Place) (swapped bool, count int, ok bool) {
	for i := range b.operands {
		o := &b.operands[i]
		if o.hop != h.ID {
			continue
		}
		straight, turned := p.compare(o)
		if count == 0 {
			swapped = !straight
		}
		if count++; swapped && !turned || !swapped && !straight {
			return false, 0, false
		}
	}
	return swapped, count, count > 0
}

// compare reports whether the elements of an operand are at their coordinates plus a constant, and at the exchanged
// ones.
func (p *Place) compare(o *operandMove) (straight, turned bool) {
	list := p.Index.Values()
	var first [2][3]int64
	straight, turned = true, true
	for i, cell := range o.from {
		x := list[cell]
		if x < 0 || i >= len(o.m.To.At) {
			return false, false
		}
		at := [3]int64{x % p.Modes[0], x / p.Modes[0] % p.Modes[1], x / p.Modes[0] / p.Modes[1]}
		r, k := int64(o.m.To.At[i]>>16), int64(o.m.To.At[i]&0xffff)
		for j, base := range [2][3]int64{{at[0] - r, at[1] - k, at[2]}, {at[0] - k, at[1] - r, at[2]}} {
			if i == 0 {
				first[j] = base
			}
			same := base == first[j]
			if j == 0 {
				straight = straight && same
			} else {
				turned = turned && same
			}
		}
	}
	return straight, turned
}

// coreBanks counts the wavefronts of the core matrices: 8 pieces of 16 bytes, as of ldmatrix.
func (b *builder) coreBanks(h *Hop, d descriptor.Matrix) {
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		return
	}
	a, err := banks.ParseAccess("ldmatrix.x1", 16)
	if err != nil {
		return
	}
	rule, err := target.Rule(a)
	if err != nil {
		return
	}
	bits := int64(b.Places[h.From[0]].Bits)
	r := Ruling{What: "banks"}
	for i := range b.operands {
		o := &b.operands[i]
		if o.hop != h.ID {
			continue
		}
		for _, addrs := range cores(o, d, bits) {
			c, err := rule.Count(addrs)
			if err != nil {
				return
			}
			r.Got += int64(c.Wavefronts)
			r.Fewest++
		}
	}
	if r.Fewest == 0 {
		return
	}
	r.OK = r.Got == r.Fewest
	r.Text = fmt.Sprintf("each core matrix, %d rows of %d bytes, is in 32 different banks", d.Pattern.Rows(),
		128/d.Pattern.Rows())
	if !r.OK {
		r.Text = fmt.Sprintf("%d core matrices pass the banks %d times", r.Fewest, r.Got)
	}
	h.Verdicts = append(h.Verdicts, r)
}

// cores returns the addresses of the pieces of 16 bytes of each core matrix of an operand.
func cores(o *operandMove, d descriptor.Matrix, bits int64) map[[2]int64][]int64 {
	out := map[[2]int64][]int64{}
	piece, rows := 128/bits, d.Pattern.Rows()
	for i, at := range o.m.To.At {
		across, along := int64(at>>16), int64(at&0xffff) // the rows of the pattern, and along them
		if d.Major != atom.KMajor {
			across, along = along, across
		}
		if along%piece == 0 {
			core := [2]int64{across / rows, along / piece / (8 / rows)}
			out[core] = append(out[core], int64(o.m.From.At[i]))
		}
	}
	return out
}
