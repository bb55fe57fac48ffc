package sim

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/ptx"
)

// A selection reads the metadata of a sparse operation: for each group of elements of a row, four bits that select the
// stored elements (PTX ISA 9.7.14.6.1).
type selection struct {
	kept, of int
	rows, k  int
	ordered  bool
	// fields contains, for each selector and each group of each row, row by row, the thread that holds the four bits
	// and the first of these bits.
	fields [][]field
}

type field struct{ lane, bit uint8 }

// newSelection returns the places of the metadata of an operation.
func newSelection(m atom.MMA) (*selection, error) {
	s := &selection{
		kept: int(m.Sparse.Kept), of: int(m.Sparse.Of), rows: int(m.Shape[0]), k: int(m.Shape[2]),
		ordered: strings.Contains(m.Text, "::ordered_metadata"),
	} // for a warpgroup, whose warps have 16 rows each, these are the rows of the first warp
	offsets, err := m.Sparse.E.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	threads := int(m.Threads())
	values := len(offsets) / threads
	groups := s.k / s.of
	seen := make([]int, s.rows*groups)
	for t := range min(threads, lanes) {
		for v := range values {
			i := int(offsets[t+v*threads])
			row, k := i%s.rows, i/s.rows
			if k%s.of != 0 {
				continue
			}
			g := row*groups + k/s.of
			if n := seen[g]; n == len(s.fields) {
				s.fields = append(s.fields, make([]field, len(seen)))
			}
			s.fields[seen[g]][g] = field{uint8(t), uint8(v * 32 / values)}
			seen[g]++
		}
	}
	return s, nil
}

// expand writes the stored codes of A to the places that the metadata selects, with zeros between them. meta is the
// register with the metadata. x.there has a bit for each stored element, for up to 64 elements of a row. expand returns
// a description of an error in the metadata, or "".
func (s *selection) expand(x *worker, meta *vector, selector int) string {
	held, codes, there := x.held, x.a[:len(x.held)/s.kept*s.of], x.there
	clear(codes)
	clear(there)
	groups := s.k / s.of
	for g := range len(held) / s.kept {
		f := s.fields[selector][g]
		bits := meta[f.lane&31] >> f.bit & 15
		positions, ok := s.positions(bits)
		if !ok {
			return fmt.Sprintf("the metadata of row %d, group %d of %d elements is 0b%04b, which selects no elements",
				g/groups, g%groups, s.of, bits)
		}
		for i := range s.kept {
			at := int(positions[i])
			codes[g*s.of+at] = held[g*s.kept+i]
			there[g/groups] |= 1 << ((g%groups*s.of + at) & 63)
		}
	}
	return ""
}

// positions returns the positions of the stored elements in their group. In a group of four elements, two bits select
// the first stored element, and two bits the second. In a group of eight, they select pairs of elements. In a group of
// two elements, the four bits select both halves of one element.
func (s *selection) positions(bits uint64) (at [4]uint8, ok bool) {
	low, high := uint8(bits&3), uint8(bits>>2)
	switch {
	case s.of == 2:
		return [4]uint8{uint8(bits >> 3)}, bits == 0b0100 || bits == 0b1110
	case low == high || s.ordered && low > high:
		return at, false
	case s.of == 4:
		return [4]uint8{low, high}, true
	}
	return [4]uint8{2 * low, 2*low + 1, 2 * high, 2*high + 1}, true
}

// selector reads the operand that selects the threads whose metadata is used.
func (s *selection) selector(o ptx.Operand) (int, error) {
	n, ok := o.(ptx.Int)
	if !ok || n < 0 || int(n) >= len(s.fields) {
		return 0, fmt.Errorf("operand %s: expected a sparsity selector of 0 to %d", o, len(s.fields)-1)
	}
	return int(n), nil
}
