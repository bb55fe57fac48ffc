package gemm

import (
	"math/bits"

	"girih/atom"
	"girih/cute"
)

// This file has what is different where A is sparse. Of each group of elements along K some are held, Sparse.Kept of
// Sparse.Of, so that A takes a half of the room: as CuTe does, layouts count all elements, each of half of the bits,
// and moving those of a group moves what is held of it. The metadata, 4 bits for each group, say which ones; they go
// from global memory straight to the registers.

// checkSparse refuses an A with more elements in a group than the instruction holds.
func (k *Kernel) checkSparse(p *Problem) error {
	if k.MMA.Atom().Sparse == nil {
		return nil
	}
	_, _, err := Compress(k.MMA.Atom(), p.A, p.K)
	return err
}

// patterns are the metadata of a group by the units that are held (PTX ISA 9.7.14.6, Sparse matrix storage): two bits
// for the position of each of 2 of 4 elements, or of 2 of 4 pairs; 1 of 2 elements of 32 bits is two halves of 4.
var patterns = map[int64]map[uint]byte{
	4: {0b0011: 0b0100, 0b0101: 0b1000, 0b1001: 0b1100, 0b0110: 0b1001, 0b1010: 0b1101, 0b1100: 0b1110},
	2: {0b01: 0b0100, 0b10: 0b1110},
}

// unitOf returns how many elements of a group are held together or not at all: the pairs of 4 of 8.
func unitOf(s *atom.Sparse) int64 { return max(s.Of/4, 1) }

// Prune makes elements of A zero until a sparse instruction holds what is left; A has rows of that many columns. Which
// ones of a group go, perm says: the last of an order of n elements, as rand.Perm gives one, or of pairs where those
// are held together. Nothing changes for other instructions.
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

// Compress returns what a sparse instruction holds of an A of rows of that many columns: the elements that are left,
// and the metadata, row by row, the groups of a row packed, the first one lowest. A row has (columns + Of - 1) / Of
// groups; of each there are Kept elements, zeros where fewer are not zero, and 4 bits of metadata; rows of metadata are
// words of 32 bits, and groups that are left over have metadata, too. It returns [cute.CodeType] for an instruction
// that is not sparse or holds other shares than 2 of 4, 4 of 8 in pairs, or 1 of 2, [cute.CodeExtent] for numbers that
// are no rows, and [cute.CodeNotRepresentable] for a group with more elements than are held.
func Compress(m atom.MMA, a []float64, columns int64) (held []float64, metadata []byte, err error) {
	if m.Sparse == nil || patterns[m.Sparse.Of/unitOf(m.Sparse)] == nil || m.Sparse.Kept*2 != m.Sparse.Of {
		return nil, nil, refuse(cute.CodeType, "%s does not hold 2 of 4 elements of A, or 1 of 2", m.Name)
	}
	if columns < 1 || int64(len(a))%columns != 0 {
		return nil, nil, refuse(cute.CodeExtent, "%d numbers are no rows of %d", len(a), columns)
	}
	of, unit := m.Sparse.Of, unitOf(m.Sparse)
	groups := tiles(columns, of)
	rowBytes := tiles(groups, 8) * 4
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
