package gemm

import (
	"fmt"

	"girih"
	"girih/atom"
	"girih/descriptor"
	"girih/internal/lower"
	"girih/ptx"
)

// This file writes the way of A, or of B, from global to shared memory.

// A stager writes the movement of one operand.
type stager struct {
	*generator
	m      *mover
	global matrix
	first  ptx.Name // row of the tile in the matrix
	rows   ptx.Name // of the matrix
	pieces ptx.Name // along K of the matrix
	wide   ptx.Name // predicate: vectors are aligned
	tile   ptx.Name // address in shared memory

	// What a thread loads is pieces: elements, or bytes where elements are smaller. A copy has count of them, one
	// beside the other in both memories.
	bytes, perPiece, count int
	copies                 []pieceCopy
	// operands writes what the instructions take: for each of those along the rows, then along K, its registers, or a
	// descriptor.
	operands func() ([]ptx.Vec, error)
}

// A pieceCopy is one copy of a thread: its place in the tile, and what it loads.
type pieceCopy struct {
	row, piece, shared spot
	regs               []ptx.Name
}

// plan finds out the rest of a stager that has its matrix, of so many columns, and the place in it.
func (s *stager) plan(k ptx.Name) (err error) {
	bits := s.m.elem.Bits()
	s.bytes, s.perPiece = max(bits/8, 1), max(8/bits, 1)
	s.pieces = k
	if s.m.operand == atom.OperandA && s.mma.Sparse != nil {
		s.pieces = s.groups(k) // a group is there as a whole
	}
	if s.perPiece > 1 {
		s.pieces = s.Let(ptx.U32, "add.u32", s.pieces, ptx.Int(s.perPiece-1))
		s.Emit("div.u32", s.pieces, s.pieces, ptx.Int(s.perPiece))
	}
	if err := s.planCopies(); err != nil {
		return err
	}
	s.declare()
	if vector := int64(s.bytes * s.count); s.count > 1 {
		odd := s.Let(ptx.U64, "or.b64", s.global.address, s.global.rowBytes)
		s.Emit("and.b64", odd, odd, ptx.Int(vector-1))
		s.wide = s.Let(ptx.Pred, "setp.eq.u64", odd, ptx.Int(0))
	}
	if s.m.regs == nil {
		s.operands, err = s.describe()
	} else {
		s.operands, err = s.planRead()
	}
	return err
}

// declare makes room for the tile in shared memory, where the period of every swizzle begins.
func (s *stager) declare() {
	const align = 1024
	size := (int64(len(s.m.shared))*int64(s.m.elem.Bits()) + 7) / 8
	name := ptx.Name(fmt.Sprintf("%s_%s", s.name, s.m.name))
	s.Declare(&ptx.Var{Space: ptx.Shared, Align: align, Type: ptx.B8, Name: name, Dims: []int64{size}})
	s.sharedBytes = (s.sharedBytes+align-1)/align*align + size
	s.tile = s.Let(ptx.U32, "mov.u32", name)
}

// planCopies finds the places of the copies of each thread.
func (s *stager) planCopies() error {
	m, bits := s.m, int64(s.m.elem.Bits())
	c := m.side.load.Atom()
	unit := c.From.Unit
	if c.Kind != atom.UniversalCopy || c.From != c.To || unit%bits != 0 || unit%8 != 0 || unit > 128 {
		return refuse(girih.CodeType,
			"%s, a copy of kind %v, loads %s: take loads and stores of single threads", c.Name, c.Kind, m.name)
	}
	s.count = int(unit) / (8 * s.bytes)
	threads, per := int(m.side.load.Size()), int(unit/bits)
	n := len(m.load) / threads / per
	if n*per*threads != len(m.load) {
		return refuse(girih.CodeNotDivisible,
			"%s loads %d elements at once, and a thread has %d of %s",
			c.Name, per, len(m.load)/threads, m.name)
	}
	rows, pieces, shared := newSpotTable(threads, n), newSpotTable(threads, n), newSpotTable(threads, n)
	for t := range threads {
		for i := range n {
			element := func(j int) int64 { return m.load[t+threads*(i*per+j)] }
			first := element(0)
			row, column, offset := first%m.rows, first/m.rows, m.offset[first]*bits
			for j := range per {
				if x := element(j); x != first+int64(j)*m.rows || m.offset[x]*bits != offset+int64(j)*bits {
					return refuse(girih.CodeNotRepresentable,
						"%s moves %d elements at once, and those of thread %d from (%d,%d) on of %s are apart in global or shared memory",
						c.Name, per, t, row, column, m.name)
				}
			}
			if offset%unit != 0 || column%int64(s.perPiece) != 0 {
				return refuse(girih.CodeNotRepresentable,
					"%s moves %d bits, and thread %d has (%d,%d) of %s at bit %d of shared memory",
					c.Name, unit, t, row, column, m.name, offset)
			}
			rows.set(t, i, row)
			pieces.set(t, i, column/int64(s.perPiece))
			shared.set(t, i, offset/8)
		}
	}
	r, p, o := s.spots(rows), s.spots(pieces), s.spots(shared)
	for i := range n {
		s.copies = append(s.copies, pieceCopy{row: r[i], piece: p[i], shared: o[i]})
	}
	return nil
}

// access returns the width of a vector as a modifier of ld and st, and the type and number of its registers.
func access(bits int, word int) (suffix ptx.Op, t ptx.Type, registers int) {
	width := min(bits, max(word, 32))
	t = ptx.Type(fmt.Sprintf("b%d", max(width, 32)))
	suffix = ptx.Op(fmt.Sprintf(".b%d", width))
	if registers = bits / width; registers > 1 {
		suffix = ptx.Op(fmt.Sprintf(".v%d.b%d", registers, width))
	}
	return suffix, t, registers
}

// vector returns the registers as the operand of a load or store.
func vector(regs []ptx.Name) ptx.Operand {
	if len(regs) == 1 {
		return regs[0]
	}
	return names(regs)
}

// fetch loads the tile at column k0 into registers; what lies outside is zero.
func (s *stager) fetch(k0 ptx.Name) {
	from := k0
	if s.perPiece > 1 {
		from = s.Let(ptx.U32, "div.u32", k0, ptx.Int(s.perPiece))
	}
	suffix, t, n := access(8*s.bytes*s.count, 8*s.bytes)
	for i := range s.copies {
		c := &s.copies[i]
		row, piece := s.plus(s.first, c.row), s.plus(from, c.piece)
		at := s.at(s.global, row, piece, s.bytes)
		inside := s.Let(ptx.Pred, "setp.lt.u32", row, s.rows)
		c.regs = nil
		for range n {
			c.regs = append(c.regs, s.Let(t, ptx.Op("mov.")+ptx.Op(t), ptx.Int(0)))
		}
		if s.count == 1 {
			p := s.Let(ptx.Pred, "setp.lt.and.u32", piece, s.pieces, inside)
			s.EmitIf(p, "ld.global"+suffix, vector(c.regs), ptx.Addr{Base: at})
			continue
		}
		end := s.Let(ptx.U32, "add.u32", piece, ptx.Int(s.count))
		whole := s.Let(ptx.Pred, "setp.le.and.u32", end, s.pieces, inside)
		s.Emit("and.pred", whole, whole, s.wide)
		s.IfElse(whole, func() {
			s.Emit("ld.global"+suffix, vector(c.regs), ptx.Addr{Base: at})
		}, func() { s.piecewise(c, piece, at, inside) })
	}
}

// piecewise loads the pieces that are inside, one by one.
func (s *stager) piecewise(c *pieceCopy, piece, at, inside ptx.Name) {
	size := 8 * s.bytes
	word := max(size, 32)
	for j := range s.count {
		here := s.Let(ptx.U32, "add.u32", piece, ptx.Int(j))
		p := s.Let(ptx.Pred, "setp.lt.and.u32", here, s.pieces, inside)
		from := ptx.Addr{Base: at, Offset: int64(j * s.bytes)}
		to, bit := c.regs[j*size/word], j*size%word
		if size == word {
			s.EmitIf(p, ptx.Op(fmt.Sprintf("ld.global.b%d", size)), to, from)
			continue
		}
		x := s.Let(ptx.B32, "mov.b32", ptx.Int(0))
		s.EmitIf(p, ptx.Op(fmt.Sprintf("ld.global.u%d", size)), x, from)
		s.Emit("shl.b32", x, x, ptx.Int(bit))
		s.Emit("or.b32", to, to, x)
	}
}

// store writes what was fetched to shared memory.
func (s *stager) store() {
	suffix, _, _ := access(8*s.bytes*s.count, 8*s.bytes)
	for _, c := range s.copies {
		at := s.Let(ptx.U32, "add.u32", s.tile, c.shared.base)
		s.Emit("st.shared"+suffix, ptx.Addr{Base: at, Offset: c.shared.add}, vector(c.regs))
	}
}

// describe plans the descriptors with which wgmma reads the tile. All threads that start an instruction have the same.
func (s *stager) describe() (func() ([]ptx.Vec, error), error) {
	m, k := s.m, s.r.k
	if !lower.IsWarpgroup(s.mma) {
		return nil, refuse(girih.CodeType, "%s of %s has no descriptor that a warpgroup takes", m.name, s.mma.Name)
	}
	sparsity := int64(m.side.value.Bits() / m.elem.Bits())
	held, err := m.side.shared.Recast(int64(m.elem.Bits()), int64(m.side.value.Bits()))
	if err != nil {
		return nil, err
	}
	tile, err := descriptor.NewTile(held)
	if err != nil {
		return nil, err
	}
	n := m.frags.restX * m.frags.restY
	starts := newSpotTable(int(k.MMA.Size()), n)
	var first descriptor.Matrix
	for i := range n {
		x, y := i%m.frags.restX, i/m.frags.restX
		known := map[int64]int64{} // from the element where the matrix begins to where the descriptor does
		err := s.r.threads.each(m.operand, func(thread, _, group, _ int) error {
			element := int64(m.frags.at(share{group, 0, x, y}, 0, 0))
			start, ok := known[element]
			if !ok {
				d, err := tile.Matrix(s.mma, m.operand, element%m.rows, element/m.rows/sparsity)
				if err != nil {
					return err
				}
				start, d.Start = d.Start, 0
				if len(known) == 0 && i == 0 {
					first = d
				}
				if d != first {
					return refuse(girih.CodeNotRepresentable,
						"the tile of %s in shared memory has %+v from (%d,%d) on and %+v elsewhere, and the kernel takes one descriptor",
						m.name, d, element%m.rows, element/m.rows, first)
				}
				known[element] = start
			}
			starts.set(thread, i, start)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	at := s.spots(starts)
	return func() ([]ptx.Vec, error) {
		out := make([]ptx.Vec, n)
		for i, p := range at {
			out[i] = ptx.Vec{lower.DescriptorAt(s.Builder, first, s.plus(s.tile, p))}
		}
		return out, nil
	}, nil
}
