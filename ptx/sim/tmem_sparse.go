package sim

import (
	"errors"

	"girih/descriptor"
)

// This file reads the metadata of a sparse A, tcgen05.mma.sp (PTX ISA 9.7.16.10.8): four bits in tensor memory for each
// group of 2, 4 or 8 elements, which select the stored elements. The ISA has the places as figures; CuTe's tmem_e_frg
// (cute/atom/mma_traits_sm100_frag.hpp) and, for elements of 8 and 16 bits, JAX's format_tcgen05_sparse_metadata have
// them for 128 rows.
//
//	f16, tf32		a column, 8 groups: row r and group g in lane r%8 + 16·(r/16) + 8·(g/4), bit 16·(r/8%2) + 4·(g%4)
//	other kinds	two columns, 16 groups: row r and group g in lane r, bit 4·g
//
// The sparsity selector of f16 and tf32 chooses one of two columns; the address names the first one.

// A tensorMetadata is where the metadata of a sparse A are.
type tensorMetadata struct {
	selection                 // kept and of
	cells     []tensorElement // by row, then group
	runs      []tensorRun
}

// newTensorMetadata returns the metadata of an instruction for the rows of a block.
func newTensorMetadata(in descriptor.Instruction, rows int) (*tensorMetadata, error) {
	if rows != 128 {
		return nil, errors.New("the metadata of a sparse A with 32 or 64 rows in a block are not known here: the PTX ISA has them in a figure only (9.7.16.10.8.4)")
	}
	if in.Selector > 1 {
		return nil, errors.New("a sparsity selector of 2 or 3 is not known here: the PTX ISA has the columns that it selects in a figure only (9.7.16.10.8.4)")
	}
	s := &tensorMetadata{selection: selection{kept: 2, of: 4}}
	switch in.Kind {
	case descriptor.KindTF32:
		s.kept, s.of = 1, 2
	case descriptor.KindMXF4, descriptor.KindMXF4NVF4:
		s.kept, s.of = 4, 8
	}
	narrow := in.Kind == descriptor.KindF16 || in.Kind == descriptor.KindTF32
	var list []int32
	for r := range rows {
		for g := range int(in.K()) / s.of {
			lane, column, bit := r, g/8, 4*(g%8)
			if narrow {
				lane, column, bit = r%8+r/16*16+g/4*8, in.Selector, r/8%2*16+g%4*4
			}
			e := tensorElement{int32(cellOffset(lane, column)), uint8(bit)}
			s.cells, list = append(s.cells, e), append(list, e.cell)
		}
	}
	s.runs = tensorRuns(list)
	return s, nil
}

// meaningful are the values of the four bits that select elements, except of tf32 (9.7.16.10.8.2).
const meaningful = 1<<0b0100 | 1<<0b1000 | 1<<0b1100 | 1<<0b1001 | 1<<0b1101 | 1<<0b0110 | 1<<0b1110

// expand writes the stored codes of A to the places that the metadata select, with zeros between them. It returns the
// rows whose metadata have no value, or nil, and the finding of the first.
func (x *tensorIssue) expand() (rows []bool, why *Finding, st status) {
	s, seg := x.meta, &x.t.seg
	base, groups := cellOffset(int(x.metaAt.Lane()), int(x.metaAt.Column())), x.k/x.meta.of
	clear(x.codesA)
	clear(x.there)
	for i, c := range s.cells {
		row, g, off := i/groups, i%groups, base+uint64(c.cell)
		if !seg.isDefined(off, 4) {
			if rows == nil {
				rows, why = make([]bool, x.m), x.w.lost(seg, off, reading{x.lane, 4})
			}
			rows[row] = true
			continue
		}
		bits := seg.read(off, 4) >> c.bit & 15
		at, ok := s.positions(bits)
		if !ok || s.of > 2 && meaningful>>bits&1 == 0 {
			return nil, nil, x.w.fail(KindArgument, 1<<x.lane,
				"the metadata of row %d, group %d of %d elements is 0b%04b, which selects no elements (PTX ISA 9.7.16.10.8)",
				row, g, s.of, bits)
		}
		for k := range s.kept {
			to := row*x.k + g*s.of + int(at[k])
			x.codesA[to] = x.held[(row*groups+g)*s.kept+k]
			x.there[to/64] |= 1 << (to % 64)
		}
	}
	return rows, why, advance
}

// isHeld reports whether element k of row m of A is stored; all elements of a dense A are.
func (p *tensorProduct) isHeld(m, k int) bool {
	at := m*p.k + k
	return p.meta == nil || p.there[at/64]>>(at%64)&1 == 1
}

// rowBits returns the bits of isHeld of each row, or nil for a dense A. A row has up to 64 elements.
func (p *tensorProduct) rowBits() []uint64 {
	if p.meta == nil {
		return nil
	}
	list := make([]uint64, p.m)
	for m := range list {
		at := m * p.k
		list[m] = p.there[at/64] >> (at % 64) & ones(p.k)
	}
	return list
}
