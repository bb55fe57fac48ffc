package sim

import (
	"errors"
	"fmt"

	"girih/atom"
)

// This file reads the zero-column mask descriptor of tcgen05.mma.ws (PTX ISA 9.7.16.4.3). The words of the ISA exchange
// the spans of columns that are used and of columns that are zero; its examples and CuTe's MaskAndShiftB
// (cute/arch/mma_sm100_desc.hpp) agree. CuTe's make_column_zero_mask shows that the mask is of the columns of D, and
// the shift is added to find the column of B.

// A columnMask says which columns of D are computed with zeros instead of B, and how many columns later B begins.
type columnMask struct {
	zero  []bool // nil for none
	shift int
}

// newColumnMask returns the mask of a descriptor for n columns, which have one, two or four parts for an M of 128, 64
// or 32.
func newColumnMask(bits uint64, m, n int) (c columnMask, err error) {
	c.shift = int(bits >> 56 & 63)
	switch most := min(32, m/2); {
	case bits>>36&7 != 0 || bits>>62 != 0:
		return c, errors.New("its bits 36 to 38, 62 and 63 are reserved")
	case c.shift > most:
		return c, fmt.Errorf("it shifts by %d columns, and M of %d allows %d", c.shift, m, most)
	case bits>>39&1 == 0:
		return c, nil
	}
	c.zero = make([]bool, n)
	zero, used, part := int(bits>>40&255)+1, int(bits>>48&255)+1, n*m/128
	for i := range c.zero {
		p := i / part
		start, first, zeroFirst := int(bits>>(8*p)&255), used, bits>>(32+p)&1 == 1
		if zeroFirst {
			first = zero
		}
		if start >= first {
			return c, fmt.Errorf("it skips %d columns of the first span, which has %d: the PTX ISA does not say what follows",
				start, first)
		}
		at := (i%part + start) % (zero + used)
		c.zero[i] = zeroFirst && at < zero || !zeroFirst && at >= used
	}
	return c, nil
}

// maskOf returns the zero-column mask of a lane.
func (u *tensorMMA) maskOf(w *warp, p *tensorProduct, lane int) (columnMask, status) {
	if u.columns < 0 {
		return columnMask{}, advance
	}
	bits := w.f.regs[u.columns][lane]
	c, err := newColumnMask(bits, int(p.in.M), p.n)
	if per := 128 / p.b.bits; err == nil && p.in.BMajor == atom.MNMajor && c.shift%per != 0 {
		return c, w.fail(KindUnsupported, 1<<lane, "a zero-column mask descriptor that shifts an MN-major B by %d columns, no multiple of %d, is not known here",
			c.shift, per)
	}
	if err != nil {
		return c, w.fail(KindArgument, 1<<lane, "the zero-column mask descriptor 0x%016x: %v (PTX ISA 9.7.16.4.3)", bits, err)
	}
	return c, advance
}

// shiftColumns returns B from a column on.
func (p *tensorProduct) shiftColumns(columns int) *sharedMatrix {
	if columns == 0 {
		return p.b
	}
	if p.later == nil {
		p.later = map[int]*sharedMatrix{}
	}
	b := p.later[columns]
	if b == nil {
		b = &sharedMatrix{bits: p.b.bits, codeBits: p.b.codeBits, first: columns, rows: p.b.rows, k: p.b.k}
		p.later[columns] = b
	}
	return b
}

// blank replaces the columns of B that the mask sets to zero; lost are the columns without a value.
func (c columnMask) blank(codes []uint64, lost []bool) {
	for n, zero := range c.zero {
		if k := len(codes) / len(c.zero); zero {
			clear(codes[n*k:][:k])
			lost[n] = false
		}
	}
}
