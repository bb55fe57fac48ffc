package follow

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/descriptor"
	"girih/ptx/sim"
	"girih/tmem"
)

// This file judges operands in tensor memory: a matrix A, and the factors of A and B, by package tmem.

// cellBytes is the address of a lane and a column in tensor memory, as in [sim.SideTensor].
func cellBytes(p tmem.Place) uint64 { return uint64(p.Lane*512+p.Column)*4 + uint64(p.Bit/8) }

// inTensorMemory says where an instruction reads A in tensor memory, if the run read it there.
func (b *builder) inTensorMemory(h *Hop, m atom.MMA) {
	in, err := descriptor.InstructionOf(m)
	if err != nil {
		return
	}
	n, columns := 0, int64(0)
	for i := range b.operands {
		o := &b.operands[i]
		if o.hop != h.ID {
			continue
		}
		n++
		ok := false
		if columns, ok = readsA(in, o.m); !ok {
			return
		}
	}
	h.Verdicts = append(h.Verdicts, Ruling{
		What: "legality", OK: true,
		Text: fmt.Sprintf("%d reads of tensor memory, each of %d columns, find A(m,k) where the instruction has it: row m in "+
			"a lane, k along the columns", n, columns),
	})
}

// readsA reports whether a read of A is one of the cells that an instruction has, and of how many columns.
func readsA(in descriptor.Instruction, m *sim.Move) (columns int64, ok bool) {
	k := int64(0)
	for _, at := range m.To.At {
		k = max(k, int64(at&0xffff)+1)
	}
	t, err := tmem.OperandA(in, k)
	if err != nil {
		return 0, false
	}
	for i, at := range m.To.At {
		p, err := t.Place(int64(at>>16), int64(at&0xffff))
		if err != nil || m.From.At[i]-m.From.At[0] != cellBytes(p) {
			return 0, false
		}
	}
	return t.Columns(), true
}

// factors judges a copy of scale factors to tensor memory: whether each block of 128 rows by 4 factors goes where an
// instruction of the kernel that has such factors reads them.
func (b *builder) factors(h *Hop) {
	if h.Kind != Copy || b.Places[h.To].Kind != Tensor {
		return
	}
	s, ok := b.scaleFactors()
	if !ok {
		return
	}
	blocks := 0
	for i := range b.rec.Moves {
		m := &b.rec.Moves[i]
		if m.Kind != sim.MoveCopy || m.To.Space != sim.SideTensor || !slices.Contains(h.Lines, m.Line) {
			continue
		}
		if !isBlock(s, m) {
			return
		}
		blocks++
	}
	if blocks == 0 {
		return
	}
	h.Verdicts = append(h.Verdicts, Ruling{
		What: "legality", OK: true,
		Text: fmt.Sprintf("%d blocks of 128 rows by 4 factors: row r goes to lane r mod 32 of column r div 32, for each warp, as "+
			"the instruction reads factors of %d elements", blocks, s.Vector),
	})
}

// scaleFactors returns the scale factors of the first product of the kernel that has them.
func (b *builder) scaleFactors() (tmem.ScaleFactors, bool) {
	for i := range b.Hops {
		m, ok := b.mmaOf(&b.Hops[i])
		if !ok || b.Hops[i].Kind != MMA {
			continue
		}
		in, err := descriptor.InstructionOf(m)
		if err != nil || m.Scale == nil {
			continue
		}
		s := tmem.ScaleFactors{Instruction: in, Operand: atom.OperandA, Vector: m.Scale.Vector}
		return s, s.Check() == nil
	}
	return tmem.ScaleFactors{}, false
}

// isBlock reports whether a copy of 512 bytes puts the factors of each row of a block in the places of an instruction.
func isBlock(s tmem.ScaleFactors, m *sim.Move) bool {
	const rows, factors, copies, bytes = 128, 4, 4, 512
	shared, err := s.SharedLayout(rows, factors*s.Vector)
	if err != nil {
		return false
	}
	t, err := s.Tensor(rows, factors*s.Vector)
	if err != nil || len(m.From.At)*m.Bytes != bytes*copies {
		return false
	}
	from, to := m.From.At[0], m.To.At[0]
	went := map[uint64]uint64{} // by byte of the block in tensor memory, the byte in shared memory
	for i := range m.From.At {
		for e := range uint64(m.Bytes) {
			went[m.To.At[i]-to+e] = m.From.At[i] - from + e
		}
	}
	for r := range int64(rows) {
		for f := range int64(factors) {
			want, err := shared.At(r + rows*f*s.Vector)
			if err != nil {
				return false
			}
			for c := range int64(copies) {
				p, err := t.Place(r, f*s.Vector, c)
				if got, ok := went[cellBytes(p)]; err != nil || !ok || got != uint64(want) {
					return false
				}
			}
		}
	}
	return true
}
