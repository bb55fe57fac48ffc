package gemm

import (
	"math/bits"

	"girih/atom"
	"girih/cute"
	"girih/internal/ints"
)

// This file implements what is special about a sparse A. Sparse.Kept of each Sparse.Of elements along K are held, so A
// takes half of the memory. As in CuTe, layouts count all elements, each with half of the bits, so that moving a group
// moves its held elements. The metadata, 4 bits for each group, say which elements are held; they go from global memory
// directly to registers.

// checkSparse refuses an A with a group that has more nonzero elements than the instruction holds.
func (k *Kernel) checkSparse(p *Problem) error {
	if k.MMA.Atom().Sparse == nil {
		return nil
	}
	_, _, err := Compress(k.MMA.Atom(), p.A, p.K)
	return err
}

// patterns are the metadata of a group, by the set of units that are held (PTX ISA 9.7.14.6, Sparse matrix storage):
// two bits for the position of each of 2 of 4 elements, or of 2 of 4 pairs. For 1 of 2 elements of 32 bits they are the
// positions of its two halves among 4.
var patterns = map[int64]map[uint]byte{
	4: {0b0011: 0b0100, 0b0101: 0b1000, 0b1001: 0b1100, 0b0110: 0b1001, 0b1010: 0b1101, 0b1100: 0b1110},
	2: {0b01: 0b0100, 0b10: 0b1110},
}

// unitOf returns the number of elements of a group that are held or dropped together: 2 for the pairs of 4 of 8.
func unitOf(s *atom.Sparse) int64 { return max(s.Of/4, 1) }

// Prune sets elements of A to zero until a sparse instruction can hold the others; A has rows of the given number of
// columns. perm(n) returns an order of the n units of a group, elements or pairs, as rand.Perm does; the last ones are
// set to zero. Nothing changes for other instructions.
func Prune(m atom.MMA, a []float64, columns int64, perm func(n int) []int) {
	if m.Sparse == nil {
		return
	}
	unit := unitOf(m.Sparse)
	for i := range a {
		column := int64(i) % columns
		if column%m.Sparse.Of != 0 {
			continue
		}
		for _, j := range perm(int(m.Sparse.Of / unit))[m.Sparse.Kept/unit:] {
			for e := int64(j) * unit; e < int64(j+1)*unit && column+e < columns; e++ {
				a[int64(i)+e] = 0
			}
		}
	}
}

// Compress returns the held part of an A with rows of the given number of columns for a sparse instruction: the held
// elements, and the metadata, row by row. A row has (columns + Of - 1) / Of groups. Each group has Kept elements,
// filled up with zeros, and 4 bits of metadata; the groups of a row are packed, the first one lowest, and a row of
// metadata is a whole number of 32-bit words, whose unused groups also have metadata. It returns [cute.CodeType] for an
// instruction that is not sparse or does not hold 2 of 4, 4 of 8 in pairs, or 1 of 2, [cute.CodeExtent] if the numbers
// are not whole rows, and [cute.CodeNotRepresentable] for a group with more elements than can be held.
func Compress(m atom.MMA, a []float64, columns int64) (held []float64, metadata []byte, err error) {
	if m.Sparse == nil || patterns[m.Sparse.Of/unitOf(m.Sparse)] == nil || m.Sparse.Kept*2 != m.Sparse.Of {
		return nil, nil, refuse(cute.CodeType, "%s does not hold 2 of 4 elements of A, or 1 of 2", m.Name)
	}
	if columns < 1 || int64(len(a))%columns != 0 {
		return nil, nil, refuse(cute.CodeExtent, "%d numbers are no rows of %d", len(a), columns)
	}
	of, unit := m.Sparse.Of, unitOf(m.Sparse)
	groups := ints.CeilDiv(columns, of)
	rowBytes := ints.CeilDiv(groups, 8) * 4
	rows := int64(len(a)) / columns
	metadata = make([]byte, rows*rowBytes)
	for i := range metadata {
		metadata[i] = noGroup & 0xff
	}
	for r := range rows {
		row := a[r*columns:][:columns]
		for g := range groups {
			group := make([]float64, of)
			copy(group, row[g*of:min((g+1)*of, columns)])
			set := uint(0) // the units that are held
			for i, x := range group {
				if x != 0 {
					set |= 1 << (int64(i) / unit)
				}
			}
			kept := int(m.Sparse.Kept / unit)
			if bits.OnesCount(set) > kept {
				return nil, nil, refuse(cute.CodeNotRepresentable,
					"A(%d,%d) to A(%d,%d) are %v, and %s holds %d of %d%s", r, g*of, r, min((g+1)*of, columns)-1, group, m.Name,
					m.Sparse.Kept, of, map[int64]string{2: ", in pairs"}[unit])
			}
			for i := 0; bits.OnesCount(set) < kept; i++ {
				set |= 1 << i
			}
			for i, x := range group {
				if set>>(int64(i)/unit)&1 == 1 {
					held = append(held, x)
				}
			}
			at := &metadata[r*rowBytes+g/2]
			*at = *at&^(15<<(g%2*4)) | patterns[of/unit][set]<<(g%2*4)
		}
	}
	return held, metadata, nil
}
