package sim

import (
	"girih/atom"
	"girih/descriptor"
)

// This file finds the operands of wgmma in shared memory, where package descriptor says.

// A sharedMatrix is an operand of wgmma in shared memory.
type sharedMatrix struct {
	bits      int // of an element, in memory
	per       int // codes in 16 bytes
	first     int // row of the matrix that is row 0 here: of A, each warp has 16
	rows, k   int // codes
	codeBits  int
	tables    map[descriptor.Matrix][]piece
	addresses []uint32 // of the pieces of the last one, for those who ask what it reads
}

// A piece is 16 bytes of a matrix: where they lie, from a multiple of 1024 bytes before the start of the matrix, and the
// code that they begin with.
type piece struct{ offset, at int32 }

// swizzleSpan is of how many bytes a multiple moves the patterns of all swizzles along.
const swizzleSpan = 1024

// table returns the pieces of a matrix that begins at a multiple of 1024 bytes and so much more. Their codes are side by
// side along the mode that is contiguous.
func (s *sharedMatrix) table(d descriptor.Matrix) ([]piece, error) {
	d.Start %= swizzleSpan
	if t, ok := s.tables[d]; ok {
		return t, nil
	}
	var table []piece
	// In elements.
	elements := s.per * s.codeBits / s.bits
	rows, k := s.rows, s.k*s.codeBits/s.bits
	for r := 0; r < rows; r++ {
		for c := 0; c < k; c++ {
			along := c
			if d.Major == atom.MNMajor {
				along = r
			}
			if along%elements != 0 {
				continue
			}
			at, err := d.Find(int64(s.bits), int64(s.first+r), int64(c))
			if err != nil {
				return nil, err
			}
			table = append(table, piece{int32(at), int32((r*k + c) * s.bits / s.codeBits)})
		}
	}
	if s.tables == nil || len(s.tables) > 64 {
		s.tables = map[descriptor.Matrix][]piece{}
	}
	s.tables[d] = table
	return table, nil
}

// load reads the matrix that a descriptor names. It leaves the addresses of its pieces in s, and returns what is wrong
// with the descriptor. A piece outside of shared memory ends it, as the last address.
func (s *sharedMatrix) load(codes []uint64, shared *segment, d descriptor.Matrix, sign uint64) error {
	table, err := s.table(d)
	if err != nil {
		return err
	}
	s.addresses = s.addresses[:0]
	base := uint64(d.Start / swizzleSpan * swizzleSpan)
	mask, bits, step := ones(s.codeBits), s.codeBits&63, 1
	if d.Major == atom.MNMajor {
		step = s.k
	}
	for _, p := range table {
		address := base + uint64(p.offset)
		s.addresses = append(s.addresses, uint32(address))
		if !shared.holds(address, 16) {
			return nil
		}
		off, at := address-shared.base, int(p.at)
		for range 2 {
			x := shared.read(off, 8)
			off += 8
			for range s.per / 2 {
				codes[at] = x&mask ^ sign
				x >>= bits
				at += step
			}
		}
	}
	return nil
}
