package gemm

import (
	"math/bits"

	"girih"
	"girih/atom"
	"girih/dtype"
	"girih/ptx"
)

// This file has what is different where A is sparse. Of each group of elements along K some are held, Sparse.Kept of
// Sparse.Of, so that A takes a half of the room: as CuTe does, layouts count all elements, each of half of the bits,
// and moving those of a group moves what is held of it. The metadata, 4 bits for each group, say which ones; they go
// from global memory straight to the registers.

// movedType returns bits as wide as an element of the matrix takes in memory.
func movedType(e atom.Element) dtype.Type {
	if max(e.Sparsity, 1) == 1 {
		return e.Type
	}
	return map[int]dtype.Type{4: dtype.B4, 8: dtype.B8, 16: dtype.B16}[e.Type.Bits()/e.Sparsity]
}

// checkSparse refuses an A with more elements in a group than the instruction holds.
func (k *Kernel) checkSparse(p *Problem) error {
	if k.MMA.Atom().Sparse == nil {
		return nil
	}
	_, _, err := Compress(k.MMA.Atom(), p.A, p.K)
	return err
}

// patterns are the metadata of a group by the elements that are held (PTX ISA 9.7.14.6, Sparse matrix storage): two
// bits for the position of each of 2 of 4; 1 of 2 elements of 32 bits is two halves of 4.
var patterns = map[int64]map[uint]byte{
	4: {0b0011: 0b0100, 0b0101: 0b1000, 0b1001: 0b1100, 0b0110: 0b1001, 0b1010: 0b1101, 0b1100: 0b1110},
	2: {0b01: 0b0100, 0b10: 0b1110},
}

// Prune makes elements of A zero until a sparse instruction holds what is left; A has rows of that many columns. Which
// ones of a group go, perm says: the last of an order of n elements, as rand.Perm gives one. Nothing changes for other
// instructions.
func Prune(m atom.MMA, a []float64, columns int64, perm func(n int) []int) {
	if m.Sparse == nil {
		return
	}
	for i := range a {
		column := int64(i) % columns
		if column%m.Sparse.Of != 0 {
			continue
		}
		for _, j := range perm(int(m.Sparse.Of))[m.Sparse.Kept:] {
			if column+int64(j) < columns {
				a[i+j] = 0
			}
		}
	}
}

// noGroup is the metadata of two groups of which nothing is known: any that the instruction takes will do for zeros.
const noGroup = 0b0100_0100

// Compress returns what a sparse instruction holds of an A of rows of that many columns: the elements that are left,
// and the metadata, row by row, the groups of a row packed, the first one lowest. A row has (columns + Of - 1) / Of
// groups; of each there are Kept elements, zeros where fewer are not zero, and 4 bits of metadata; rows of metadata
// begin with a byte, and the half of one that is left over has metadata, too. It returns [girih.CodeType] for an
// instruction that is not sparse or holds other shares than 2 of 4 or 1 of 2, [girih.CodeExtent] for numbers that are
// no rows, and [girih.CodeNotRepresentable] for a group with more elements than are held.
func Compress(m atom.MMA, a []float64, columns int64) (held []float64, metadata []byte, err error) {
	if m.Sparse == nil || patterns[m.Sparse.Of] == nil || m.Sparse.Kept*2 != m.Sparse.Of {
		return nil, nil, refuse(girih.CodeType, "%s does not hold 2 of 4 elements of A, or 1 of 2", m.Name)
	}
	if columns < 1 || int64(len(a))%columns != 0 {
		return nil, nil, refuse(girih.CodeExtent, "%d numbers are no rows of %d", len(a), columns)
	}
	of, kept := m.Sparse.Of, m.Sparse.Kept
	groups := tiles(columns, of)
	rowBytes := (groups + 1) / 2
	rows := int64(len(a)) / columns
	metadata = make([]byte, rows*rowBytes)
	for r := range rows {
		row := a[r*columns:][:columns]
		for g := range groups {
			group := row[g*of : min((g+1)*of, columns)]
			set := uint(0)
			for i, x := range group {
				if x != 0 {
					set |= 1 << i
				}
			}
			if n := bits.OnesCount(set); n > int(kept) {
				return nil, nil, refuse(girih.CodeNotRepresentable,
					"A(%d,%d) to A(%d,%d) are %d elements that are not zero, and %s holds %d of %d",
					r, g*of, r, g*of+int64(len(group))-1, n, m.Name, kept, of)
			}
			for i := 0; bits.OnesCount(set) < int(kept); i++ {
				set |= 1 << i
			}
			for i := range of {
				if set>>i&1 == 1 {
					x := 0.0
					if i < int64(len(group)) {
						x = group[i]
					}
					held = append(held, x)
				}
			}
			metadata[r*rowBytes+g/2] |= patterns[of][set] << (g % 2 * 4)
		}
		if groups%2 == 1 {
			metadata[(r+1)*rowBytes-1] |= noGroup & 0xf0
		}
	}
	return held, metadata, nil
}

// metadata writes the movement of the metadata.
type metadata struct {
	*generator
	of               matrix
	first, rows      ptx.Name // row of the tile in the matrix; rows of the matrix
	pieces           ptx.Name // bytes of a row of the matrix
	blocks           int
	row, piece       []spot // of each byte of the registers, block by block
	elementsOfAPiece int64
}

// groups rounds K up to whole groups.
func (g *generator) groups(k ptx.Name) ptx.Name {
	of := g.mma.Sparse.Of
	whole := g.Let(ptx.U32, "add.u32", k, ptx.Int(of-1))
	g.Emit("and.b32", whole, whole, ptx.Int(-of))
	return whole
}

// planMetadata declares the parameters, and finds the place of each byte of the registers: the metadata layout of the
// atom leads from (thread, value) to an element of A, and a register of 32 bits has the share of each value in their
// order.
func (g *generator) planMetadata(first, rows, k ptx.Name) error {
	s := g.mma.Sparse
	m := &metadata{generator: g, first: first, rows: rows, elementsOfAPiece: 2 * s.Of}
	m.of.address = g.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: g.Param(ptx.U64, "e")})
	g.Emit("cvta.to.global.u64", m.of.address, m.of.address)
	m.of.rowBytes = g.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: g.Param(ptx.U64, "lde")})
	m.pieces = g.Let(ptx.U32, "add.u32", k, ptx.Int(m.elementsOfAPiece-1))
	g.Emit("div.u32", m.pieces, m.pieces, ptx.Int(m.elementsOfAPiece))
	e, err := tabulate(s.E, g.r.in.m*g.r.in.k)
	if err != nil {
		return err
	}
	const bytes = 4
	a := &g.r.a.frags
	m.blocks = a.restX * a.restY
	rowTable := newSpotTable(int(g.r.k.MMA.Size()), m.blocks*bytes)
	pieceTable := newSpotTable(rowTable.threads, rowTable.values)
	element := make([]int32, g.r.in.m*g.r.in.k)
	per := e.values / bytes
	for block := range m.blocks {
		err := g.r.threads.each(atom.OperandA, func(thread, t, x, _ int) error {
			if t == 0 {
				g.r.in.a.place(a, element, share{x, 0, block % a.restX, block / a.restX})
			}
			for b := range bytes {
				at := int64(element[e.index[t*e.values+b*per]])
				for j := range per {
					if x := int64(element[e.index[t*e.values+b*per+j]]); x != at+int64(j)*g.r.a.rows {
						return refuse(girih.CodeNotRepresentable,
							"byte %d of the metadata of thread %d of %s is of elements that do not follow each other",
							b, t, g.mma.Name)
					}
				}
				row, column := at%g.r.a.rows, at/g.r.a.rows
				if int64(per) != m.elementsOfAPiece || column%m.elementsOfAPiece != 0 {
					return refuse(girih.CodeNotRepresentable,
						"a byte of the metadata of %s has %d elements from %d on, and one in memory has %d",
						g.mma.Name, per, column, m.elementsOfAPiece)
				}
				rowTable.set(thread, block*bytes+b, row)
				pieceTable.set(thread, block*bytes+b, column/m.elementsOfAPiece)
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	m.row, m.piece = g.spots(rowTable), g.spots(pieceTable)
	g.metadata = m
	return nil
}

// load writes the registers of all instructions.
func (m *metadata) load(k0 ptx.Name, to []ptx.Operand) {
	from := m.Let(ptx.U32, "div.u32", k0, ptx.Int(m.elementsOfAPiece))
	const bytes = 4
	for block := range m.blocks {
		word := m.Let(ptx.B32, "mov.b32", ptx.Int(0))
		for b := range bytes {
			row, piece := m.plus(m.first, m.row[block*bytes+b]), m.plus(from, m.piece[block*bytes+b])
			inside := m.Let(ptx.Pred, "setp.lt.u32", row, m.rows)
			p := m.Let(ptx.Pred, "setp.lt.and.u32", piece, m.pieces, inside)
			x := m.Let(ptx.B32, "mov.b32", ptx.Int(noGroup))
			m.EmitIf(p, "ld.global.u8", x, ptx.Addr{Base: m.at(m.of, row, piece, 1)})
			m.Emit("shl.b32", x, x, ptx.Int(8*b))
			m.Emit("or.b32", word, word, x)
		}
		to[block] = word
	}
}
