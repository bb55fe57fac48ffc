package sim

import (
	"fmt"

	"girih/dtype"
	"girih/ptx"
)

// This file moves matrices of wmma between memory and registers (PTX ISA 9.7.14.4.3 and 9.7.14.4.4).

// A wmmaMove is one wmma.load or wmma.store instruction.
type wmmaMove struct {
	access
	fragment      *fragment
	rows, columns int
	row           bool // rows are contiguous, not columns
	stride        int  // the slot of the distance between rows or columns, in elements; -1 if they are contiguous
	slots         []int
	element       int // bits of an element
}

// wmmaMove reads the load of an operand, or the store of D.
func (d *decoder) wmmaMove(o *opcode, operand string) (step, error) {
	if err := o.need(2, 3); err != nil {
		return nil, err
	}
	shape, err := o.wmmaShape()
	if err != nil {
		return nil, err
	}
	space := o.space()
	u, err := newWmmaMove(o, shape, operand)
	if err != nil {
		return nil, err
	}
	store := operand == "d"
	at, value := o.Operands[1], o.Operands[0]
	if store {
		at, value = value, at
	}
	if u.access, err = d.address(at, space); err != nil {
		return nil, err
	}
	u.write, u.count, u.lenient = store, 1, true // unwritten bytes are checked later
	if len(o.Operands) == 3 {
		if u.stride, err = d.src(o.Operands[2], ptx.U32); err != nil {
			return nil, err
		}
	}
	if store {
		u.slots, err = d.fragmentSrc(value, u.fragment)
		return u.store, err
	}
	u.slots, err = d.fragmentDst(value, u.fragment)
	return u.load, err
}

// newWmmaMove returns a move of an operand, with the size of its matrix and its fragment.
func newWmmaMove(o *opcode, shape [3]int, operand string) (*wmmaMove, error) {
	types, layout := o.types(), o.one("row", "col")
	if len(types) != 1 || layout == "" || operand == "" {
		return nil, fmt.Errorf("expected a matrix, a layout, a shape and a type")
	}
	t, err := dtype.Parse(string(types[0]))
	if err != nil {
		return nil, err
	}
	u := &wmmaMove{row: layout == "row", stride: -1, element: t.Bits()}
	a, acc := t, dtype.F32
	switch operand {
	case "a":
		u.rows, u.columns = shape[0], shape[2]
	case "b":
		// The rows here run along K, one for each n: they are contiguous if B is column-major.
		u.rows, u.columns, u.row = shape[1], shape[2], layout == "col"
	default:
		u.rows, u.columns = shape[0], shape[1]
		// Any type of A is right: all operations with this accumulator have the same fragment.
		a, acc = wmmaInput(shape, t), t
	}
	switch isInput := operand == "a" || operand == "b"; {
	case isInput && t.Kind() != dtype.Float:
		acc = dtype.S32
	case isInput && t == dtype.F64:
		acc = t
	}
	m, err := wmmaBase(shape, a, acc, "")
	if err != nil {
		return nil, err
	}
	u.fragment, err = wmmaFragment(m, shape, operand)
	return u, err
}

// wmmaInput returns a type of A that a wmma of that shape multiplies to accumulators of type acc.
func wmmaInput(shape [3]int, acc dtype.Type) dtype.Type {
	for _, kind := range wmmaKinds {
		for _, s := range kind.shapes {
			if s != shape {
				continue
			}
			for _, t := range kind.types {
				if (acc == dtype.S32) == (t.Kind() != dtype.Float) {
					return t
				}
			}
		}
	}
	return dtype.F16
}

// A strip describes the contiguous parts of a matrix in memory, which are rows or columns, and the pieces of a part
// that lanes access.
type strip struct {
	seg   *segment
	off   uint64 // offset of the first part
	pitch uint64 // distance to the next part
	n     int    // number of parts
	bytes int    // the bytes of each part
	piece int    // bytes of a piece, a power of two
}

// strips returns the strip of the matrix in memory.
func (u *wmmaMove) strips(w *warp) (s strip, st status) {
	base, ok := w.uniform(u.at.slot, all)
	if !ok {
		return s, failed
	}
	long := u.columns
	s.n = u.rows
	if !u.row {
		long, s.n = s.n, long
	}
	pitch := uint64(long)
	if u.stride >= 0 {
		if pitch, ok = w.uniform(u.stride, all); !ok {
			return s, failed
		}
		pitch &= 1<<32 - 1
	}
	s.pitch, s.bytes = pitch*uint64(u.element)/8, long*u.element/8
	s.piece = min(s.bytes, 16)
	a := u.access
	a.unit = s.piece
	for i := range s.n {
		for j := 0; j < s.bytes; j += s.piece {
			seg, off := w.target(&a, 0, base+uint64(a.at.offset)+uint64(i)*s.pitch+uint64(j))
			if seg == nil || w.isNowhere(seg) {
				return s, failed
			}
			if i == 0 && j == 0 {
				s.seg, s.off = seg, off
			}
			if seg != s.seg {
				return s, w.fail(KindBounds, 1, "the matrix begins in %s and goes on in %s", s.seg.name, seg.name)
			}
		}
	}
	return s, advance
}

// each calls note for the accesses of lanes to the pieces of the matrix, and stops at a finding.
func (s *strip) each(w *warp, note func(seg *segment, mask uint32, n int) int) status {
	if !s.seg.tracked {
		return advance
	}
	lane := 0
	for i := range s.n * (s.bytes / s.piece) {
		row, j := i/(s.bytes/s.piece), i%(s.bytes/s.piece)
		w.off[lane] = s.off + uint64(row)*s.pitch + uint64(j*s.piece)
		if lane++; lane == lanes {
			lane = 0
			if note(s.seg, all, s.piece) >= 0 {
				return failed
			}
		}
	}
	if lane > 0 && note(s.seg, uint32(ones(lane)), s.piece) >= 0 {
		return failed
	}
	return advance
}

// codes calls f for each code of the matrix, with the index of the code, its byte in memory and its first bit there.
func (u *wmmaMove) codes(s strip, f func(at int, off uint64, bit int)) {
	bits := u.fragment.bits
	per := s.bytes * 8 / bits
	for i := range s.n {
		for j := range per {
			at := i*per + j
			if !u.row {
				at = j*s.n + i
			}
			f(at, s.off+uint64(i)*s.pitch+uint64(j*bits/8), j*bits%8)
		}
	}
}

func (u *wmmaMove) load(w *warp, mask uint32) status {
	if st := w.whole(mask); st != advance {
		return st
	}
	s, st := u.strips(w)
	if st != advance {
		return st
	}
	if st := s.each(w, w.noteReads); st != advance {
		return st
	}
	w.meetAligned(all)
	codes, bits := make([]uint64, u.fragment.size), u.fragment.bits
	var lost []bool // unwritten codes: their registers have no value
	var found *Finding
	u.codes(s, func(at int, off uint64, bit int) {
		n := max(bits/8, 1)
		codes[at] = s.seg.read(off, n) >> bit & ones(bits)
		if s.seg.isDefined(off, n) {
			return
		}
		if lost == nil {
			lost, found = make([]bool, len(codes)), w.lost(s.seg, off, reading{0, n})
		}
		lost[at] = true
	})
	f := w.f
	var regs [lanes]*vector
	has := make([]uint32, len(u.slots))
	if lost != nil {
		u.fragment.lanesWithValue(lost, has)
	}
	for i, slot := range u.slots {
		regs[i], f.def[slot] = &f.regs[slot], all
		if lost != nil && has[i] != all {
			f.def[slot] = has[i]
			f.because(slot, origin{slot, w.p.pc, found})
		}
	}
	u.fragment.store(codes, regs[:])
	return advance
}

func (u *wmmaMove) store(w *warp, mask uint32) status {
	if st := w.whole(mask); st != advance {
		return st
	}
	s, st := u.strips(w)
	if st != advance {
		return st
	}
	f := w.f
	var regs [lanes]*vector
	has := make([]uint32, len(u.slots))
	for i, slot := range u.slots {
		regs[i], has[i] = &f.regs[slot], f.def[slot]
	}
	codes := make([]uint64, u.fragment.size)
	u.fragment.load(codes, regs[:])
	lost := u.fragment.lost(has)
	var cause *Finding
	for _, slot := range u.slots {
		if miss := ^f.def[slot]; miss != 0 && !s.seg.scratch {
			return w.failUndefined(miss, slot)
		} else if miss != 0 && cause == nil {
			cause = f.why[slot].load
		}
	}
	changed, size := map[uint64]bool{}, u.fragment.bits/8 // offsets of codes, and the bytes of one
	u.codes(s, func(at int, off uint64, bit int) {
		miss := lost != nil && lost[at]
		if !miss && s.seg.isDefined(off, size) && s.seg.read(off, size) == codes[at] {
			return
		}
		changed[off] = true
		s.seg.write(off, size, codes[at])
		if miss {
			s.seg.lose(off, uint64(size), cause)
		} else {
			s.seg.define(off, size)
		}
	})
	return s.noteStored(w, changed, size)
}

// noteStored checks and records a store of the matrix that has changed the codes at some offsets, each of size bytes.
func (s *strip) noteStored(w *warp, changed map[uint64]bool, size int) status {
	return s.each(w, func(seg *segment, mask uint32, n int) int {
		x := storedRows{n: n}
		for m := mask; m != 0; m &= m - 1 {
			for k := 0; k < n; k += size {
				if lane := lowest(m); changed[w.off[lane]+uint64(k)] {
					x.changed |= 1 << lane
				}
			}
		}
		if w.keepsLog(seg) && !w.logLanes(seg, mask, n, logWrite) || w.noteStored(seg, mask, x) != advance {
			return lowest(mask)
		}
		return -1
	})
}
