package sim

import (
	"encoding/binary"
	"sort"

	"girih/atom"
	"girih/descriptor"
)

// This file finds the operands of wgmma in shared memory, with package descriptor.

// A sharedMatrix is an operand of wgmma in shared memory.
type sharedMatrix struct {
	bits     int // bits of an element
	codeBits int // bits of a code: one element, or 32 single bits
	first    int // row of the operand that is row 0 of this matrix: each warp has 16 rows of A
	rows, k  int // the extents in codes
	tables   map[descriptor.Matrix]*sharedTable
}

// A sharedTable lists the bytes of a matrix, as offsets from a multiple of 1024 bytes: all swizzles have the same
// pattern after a move by 1024 bytes.
type sharedTable struct {
	pieces []piece
	runs   []stretch // the same bytes, in order
	step   int       // distance between codes of a piece
}

const swizzleSpan = 1024

// A piece is 16 bytes, with the index of the first code in them.
type piece struct{ offset, at int32 }

// A stretch is a range of bytes without a gap.
type stretch struct{ offset, bytes int32 }

// mostTables limits the tables of a matrix. A kernel that needs more tables computes some of them again.
const mostTables = 64

// table returns the table for the matrix of a descriptor.
func (s *sharedMatrix) table(d descriptor.Matrix) (*sharedTable, error) {
	d.Start %= swizzleSpan
	if t, ok := s.tables[d]; ok {
		return t, nil
	}
	t := &sharedTable{step: 1}
	rows, k, per := s.rows, s.k*s.codeBits/s.bits, 128/s.bits // elements
	dr, dc := 1, per
	if d.Major == atom.MNMajor {
		t.step, dr, dc = s.k, per, 1
	}
	for r := 0; r < rows; r += dr {
		for c := 0; c < k; c += dc {
			at, err := d.Find(int64(s.bits), int64(s.first+r), int64(c))
			if err != nil {
				return nil, err
			}
			t.pieces = append(t.pieces, piece{int32(at), int32((r*k + c) * s.bits / s.codeBits)})
		}
	}
	for _, p := range t.pieces {
		t.runs = append(t.runs, stretch{p.offset, 16})
	}
	sort.Slice(t.runs, func(i, j int) bool { return t.runs[i].offset < t.runs[j].offset })
	n := 0
	for _, r := range t.runs[1:] {
		switch last := &t.runs[n]; {
		case r.offset == last.offset+last.bytes:
			last.bytes += r.bytes
		case r.offset > last.offset+last.bytes: // otherwise the bytes are already listed, because matrices may share rows
			n++
			t.runs[n] = r
		}
	}
	t.runs = t.runs[:n+1]
	if s.tables == nil || len(s.tables) >= mostTables {
		s.tables = map[descriptor.Matrix]*sharedTable{}
	}
	s.tables[d] = t
	return t, nil
}

// sharedBase is the origin of the offsets of a table, and the mask that flips the signs of codes.
type sharedBase struct {
	at   int
	sign uint64
}

// load reads the codes of a matrix from data, with the table t of the matrix.
func (s *sharedMatrix) load(codes []uint64, data []byte, t *sharedTable, b sharedBase) {
	mask, bits, n := ones(s.codeBits), s.codeBits&63, 64/s.codeBits
	for _, p := range t.pieces {
		off, at := b.at+int(p.offset), int(p.at)
		for _, x := range [2]uint64{binary.LittleEndian.Uint64(data[off:]), binary.LittleEndian.Uint64(data[off+8:])} {
			for range n {
				codes[at] = x&mask ^ b.sign
				x >>= bits
				at += t.step
			}
		}
	}
}

// lostOperands describes the unwritten parts of the operands in shared memory.
type lostOperands struct {
	rows, columns []bool // rows and columns of D that depend on these parts; nil for none
	found         *Finding
}

// lost returns the rows of the operand that contain unwritten bytes, or nil, and the offset of the first piece with
// such a byte.
func (o *sharedUse) lost() (rows []bool, first uint64) {
	s, seg := o.matrix, o.seg
	per := pieceBytes * 8 / s.codeBits
	for _, p := range o.table.pieces {
		off := o.base + uint64(p.offset)
		has := seg.definedBits(off, pieceBytes)
		if has == ones(pieceBytes) {
			continue
		}
		if rows == nil {
			rows, first = make([]bool, s.rows), off
		}
		for i := range per {
			low, high := i*s.codeBits/8, ((i+1)*s.codeBits-1)/8
			if m := ones(high-low+1) << low; has&m != m {
				rows[(int(p.at)+i*o.table.step)/s.k] = true
			}
		}
	}
	return rows, first
}
