package sim

import (
	"fmt"

	"girih/atom"
	"girih/ptx"
)

// A selection is the metadata of a sparse operation: for each group of elements of a row four bits, which say which
// elements are there (PTX ISA 9.7.14.6.1).
type selection struct {
	kept, of int
	rows, k  int
	ordered  bool
	// fields has for each selector and for each group of each row, row after row, the thread and the bit where its four
	// bits begin.
	fields [][]field
}

type field struct{ lane, bit uint8 }

// newSelection returns where the metadata of an operation lies.
func newSelection(m atom.MMA, ordered bool) (*selection, error) {
	s := &selection{
		kept: int(m.Sparse.Kept), of: int(m.Sparse.Of), rows: int(m.Shape[0]), k: int(m.Shape[2]), ordered: ordered,
	} // of a warpgroup, whose warps have 16 rows each, the rows of the first one
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

// expand puts the held codes of some rows where the metadata says, with zeros between them. meta is the register that
// holds it; there gets a bit for each element that is there, as far as there are 64 in a row. It returns what is wrong
// with a field, or "".
func (s *selection) expand(held, codes, there []uint64, meta *vector, selector int) string {
	codes = codes[:len(held)/s.kept*s.of]
	clear(codes)
	clear(there)
	groups := s.k / s.of
	for g := range len(held) / s.kept {
		f := s.fields[selector][g]
		bits := meta[f.lane&31] >> f.bit & 15
		positions, ok := s.positions(bits)
		if !ok {
			return fmt.Sprintf("the metadata of row %d, group %d of %d elements is 0b%04b, which is none",
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

// positions returns where in their group the held elements are. Two bits each say where the first and the second one of
// four are, or of eight the first and the second pair; of two elements four bits name the halves of one.
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

// selector reads the operand that says which threads have the metadata.
func (s *selection) selector(o ptx.Operand) (int, error) {
	n, ok := o.(ptx.Int)
	if !ok || n < 0 || int(n) >= len(s.fields) {
		return 0, fmt.Errorf("operand %s: expected a sparsity selector of 0 to %d", o, len(s.fields)-1)
	}
	return int(n), nil
}
