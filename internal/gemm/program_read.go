package gemm

import (
	"fmt"

	"girih"
	"girih/atom"
	"girih/internal/lower"
	"girih/ptx"
)

// This file writes the way of A, or of B, from shared memory to the registers of the instructions.

// A fragmentTable says what the registers of each thread hold: per elements each, register by register of an
// instruction, instruction by instruction along the rows, then along K.
type fragmentTable struct {
	lower.Fragment
	registers int // of all instructions
	per       int // elements of a register
	element   spotTable
}

// fragments tabulates the registers of an operand.
func (r *run) fragments(o atom.Operand, s *spread) (fragmentTable, error) {
	f, err := lower.FragmentOf(r.k.MMA.Atom(), o)
	if err != nil {
		return fragmentTable{}, err
	}
	if o == atom.OperandA && r.in.mma.Sparse != nil { // each held element is some of the matrix
		n := max(r.in.mma.Types.A.Sparsity, 1)
		f.Values, f.Bits = f.Values*n, f.Bits/n
	}
	per := f.Register / f.Bits
	if f.Values != s.firstV || f.Values%per != 0 && f.Count > 1 {
		return fragmentTable{}, refuse(girih.CodeType,
			"%s: %d values of %d bits do not fill %d registers of %d bits",
			r.k.MMA.Atom().Name, f.Values, f.Bits, f.Count, f.Register)
	}
	t := fragmentTable{
		Fragment: f, registers: f.Count * s.restX * s.restY, per: min(per, f.Values),
		element: newSpotTable(int(r.k.MMA.Size()), s.values),
	}
	return t, r.threads.eachThread(o, s, func(thread, v int, element int32) error {
		t.element.set(thread, v, int64(element))
		return nil
	})
}

// vectors returns registers as the operands of instructions.
func (f *fragmentTable) vectors(regs []ptx.Name) []ptx.Vec {
	var out []ptx.Vec
	for ; len(regs) > 0; regs = regs[f.Count:] {
		out = append(out, names(regs[:f.Count]))
	}
	return out
}

// planRead plans the copy to registers.
func (s *stager) planRead() (func() ([]ptx.Vec, error), error) {
	f, err := s.r.fragments(s.m.operand, &s.m.frags)
	if err != nil {
		return nil, err
	}
	switch c := s.m.side.read.Atom(); {
	case c.Kind == atom.MatrixCopy:
		return s.planMatrices(f)
	case c.Kind == atom.UniversalCopy && c.From == c.To:
		return s.planLoads(f)
	default:
		return nil, refuse(girih.CodeType,
			"%s reads %s, a copy of kind %v: take loads of single threads, or ldmatrix", c.Name, s.m.name, c.Kind)
	}
}

// sharedPlace returns the place of elements that lie one after the other in shared memory, in bytes.
func (s *stager) sharedPlace(elements []int64, align int64) (int64, error) {
	bits := int64(s.m.elem.Bits())
	first := s.m.offset[elements[0]] * bits
	for j, x := range elements {
		if at := s.m.offset[x] * bits; at != first+int64(j)*bits {
			return 0, refuse(girih.CodeNotRepresentable,
				"%s reads %d elements at once, and (%d,%d) of %s is at bit %d of shared memory, not at %d behind the one before",
				s.m.side.read.Atom().Name, len(elements), x%s.m.rows, x/s.m.rows, s.m.name, at, first+int64(j)*bits)
		}
	}
	if first%align != 0 {
		return 0, refuse(girih.CodeNotRepresentable,
			"%s reads %d bits, and (%d,%d) of %s is at bit %d of shared memory",
			s.m.side.read.Atom().Name, align, elements[0]%s.m.rows, elements[0]/s.m.rows, s.m.name, first)
	}
	return first / 8, nil
}

// planLoads plans loads of single threads: each the elements that follow in the registers.
func (s *stager) planLoads(f fragmentTable) (func() ([]ptx.Vec, error), error) {
	unit := int(s.m.side.read.Atom().From.Unit)
	per := unit / f.Bits // elements of a load
	if per < 1 || f.element.values%per != 0 || per < f.per && f.per%per != 0 || per > f.per && per%f.per != 0 {
		return nil, refuse(girih.CodeNotDivisible,
			"%s reads %d elements at once, and a thread has %d of %s, %d in a register",
			s.m.side.read.Atom().Name, per, f.element.values, s.m.name, f.per)
	}
	shared := newSpotTable(f.element.threads, f.element.values/per)
	for t := range f.element.threads {
		for i := range shared.values {
			at, err := s.sharedPlace(f.element.at[t*f.element.values+i*per:][:per], int64(unit))
			if err != nil {
				return nil, err
			}
			shared.set(t, i, at)
		}
	}
	at := s.spots(shared)
	return func() ([]ptx.Vec, error) {
		regs := make([]ptx.Name, 0, f.registers)
		for i, p := range at {
			from := ptx.Addr{Base: s.Let(ptx.U32, "add.u32", s.tile, p.base), Offset: p.add}
			if per >= f.per {
				loaded := make([]ptx.Name, per/f.per)
				for j := range loaded {
					loaded[j] = s.Reg(f.Type())
				}
				suffix, _, _ := access(unit, f.Register)
				if f.Register == 16 {
					suffix = ".b16"
				}
				s.Emit("ld.shared"+suffix, vector(loaded), from)
				regs = append(regs, loaded...)
				continue
			}
			x := s.Let(ptx.B32, ptx.Op(fmt.Sprintf("ld.shared.u%d", unit)), from)
			if bit := i * per % f.per * f.Bits; bit == 0 {
				regs = append(regs, x)
			} else {
				s.Emit("shl.b32", x, x, ptx.Int(bit))
				s.Emit("or.b32", regs[len(regs)-1], regs[len(regs)-1], x)
			}
		}
		return f.vectors(regs), nil
	}, nil
}

// planMatrices plans ldmatrix: each thread gives the address of a row, and gets registers that are those of fragments.
func (s *stager) planMatrices(f fragmentTable) (func() ([]ptx.Vec, error), error) {
	c := s.m.side.read
	source, err := partitionTV(c.ThrfrgS, s.m.rows, s.m.columns)
	if err != nil {
		return nil, err
	}
	from, err := source.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	destination, err := partitionTV(c.ThrfrgD, s.m.rows, s.m.columns)
	if err != nil {
		return nil, err
	}
	to, err := destination.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	threads := f.element.threads
	given, got, registers := int(c.Atom().NumValSrc()), int(c.Atom().NumValDst()), c.Atom().To.Count
	n := len(to) / threads / got
	rows := newSpotTable(threads, n)
	row := make([]int64, given)
	for t := range threads {
		for i := range n {
			for j := range row {
				row[j] = from[t+threads*(i*given+j)]
			}
			at, err := s.sharedPlace(row, 128)
			if err != nil {
				return nil, err
			}
			rows.set(t, i, at)
		}
	}
	// Which register of which copy is a register of the fragments.
	holds := func(t, copied, v int) bool {
		for j := range f.per {
			if to[t+threads*(copied*f.per+j)] != f.element.get(t, v*f.per+j) {
				return false
			}
		}
		return true
	}
	of := make([]int, f.registers)
	for v := range of {
		of[v] = -1
		for i := range n * registers {
			if same := holds(0, i, v); same {
				for t := 1; t < threads && same; t++ {
					same = holds(t, i, v)
				}
				if same {
					of[v] = i
					break
				}
			}
		}
		if of[v] < 0 {
			return nil, refuse(girih.CodeNotInvertible,
				"%s puts the elements of %s into no register in the order in which register %d of %s has them",
				c.Atom().Name, s.m.name, v, s.mma.Name)
		}
	}
	at := s.spots(rows)
	return func() ([]ptx.Vec, error) {
		var loaded []ptx.Name
		for _, p := range at {
			regs := make([]ptx.Name, registers)
			for j := range regs {
				regs[j] = s.Reg(ptx.B32)
			}
			address := ptx.Addr{Base: s.Let(ptx.U32, "add.u32", s.tile, p.base), Offset: p.add}
			to := lower.Side{Operands: names(regs), Space: ptx.Reg}
			from := lower.Side{Operands: ptx.Vec{address}, Space: ptx.Shared}
			if err := lower.Copy(s.Builder, c.Atom().Copy, to, from); err != nil {
				return nil, err
			}
			loaded = append(loaded, regs...)
		}
		regs := make([]ptx.Name, len(of))
		for v, i := range of {
			regs[v] = loaded[i]
		}
		return f.vectors(regs), nil
	}, nil
}
