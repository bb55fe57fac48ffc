package sim

import (
	"fmt"

	"girih/atom"
	"girih/dtype"
)

// A fragment maps elements of a matrix to registers of a warp's lanes, as package atom defines the map. A register
// contains neighbouring elements of a row or, if the matrix is contiguous along its other mode, of a column. Of the 64
// rows of a warpgroup, the fragment covers the 16 rows of one warp; the other warps have the same arrangement.
type fragment struct {
	count   int // registers per lane
	bits    int // bits of a code, which is one element or a word of 32 single bits
	per     int // codes per register
	step    int // the distance between the codes of a register, in codes
	size    int // the number of codes of the matrix
	holders []holder
}

// A holder is a register of a lane, with the position of its first code in the matrix, row by row.
type holder struct {
	lane, reg uint8
	at        uint16
}

// newFragment returns the fragment of an operand in registers. For sparse A, only the stored columns count.
func newFragment(m atom.MMA, o atom.Operand) (*fragment, error) {
	group, e := m.Registers.C, m.Types.C
	switch o {
	case atom.OperandA:
		group, e = m.Registers.A, m.Types.A
	case atom.OperandB:
		group, e = m.Registers.B, m.Types.B
	}
	f := &fragment{count: group.Count, bits: max(e.Type.Bits(), e.Held), step: 1}
	f.per = group.Bits / f.bits
	at, err := newPlaces(m, o)
	if err != nil {
		return nil, err
	}
	f.size = int(at.rows*at.columns) * int(at.lanes) / int(at.threads)
	for reg := range f.count {
		for t := range at.lanes {
			first := at.number(t, int64(reg*f.per))
			for i := 1; i < f.per; i++ {
				step := at.number(t, int64(reg*f.per+i)) - first
				if i == 1 && reg == 0 && t == 0 {
					f.step = step
				}
				if step != i*f.step {
					return nil, fmt.Errorf("the elements of a register of %v of %s are not side by side", o, m.Name)
				}
			}
			f.holders = append(f.holders, holder{uint8(m.Lane(t)), uint8(reg), uint16(first)})
		}
	}
	if e.Type == dtype.B1 {
		f.pack()
	}
	return f, nil
}

// places numbers the stored elements of an operand, row by row.
type places struct {
	offsets        []int64 // the offsets of the layout (thread, value)
	threads, lanes int64   // threads of the operation, and how many of them are in one warp
	rows, columns  int64
	kept, of       int64
	sparse         bool
}

func newPlaces(m atom.MMA, o atom.Operand) (*places, error) {
	p := &places{threads: m.Threads(), lanes: min(m.Threads(), lanes)}
	p.rows, p.columns = m.Extents(o)
	if o == atom.OperandA && m.Sparse != nil {
		p.sparse, p.kept, p.of = true, m.Sparse.Kept, m.Sparse.Of
		p.columns = p.columns / p.of * p.kept
	}
	var err error
	p.offsets, err = m.TV(o).AppendOffsets(nil) // the thread is the fastest mode
	return p, err
}

// number returns the number of a value of a thread.
func (p *places) number(thread, value int64) int {
	if !p.sparse {
		i := p.offsets[thread+value*p.threads]
		return int(i%p.rows*p.columns + i/p.rows)
	}
	// The groups follow one another; value v is number v%kept of the stored elements of group v/kept.
	i := p.offsets[thread+value/p.kept*p.of*p.threads]
	return int(i%p.rows*p.columns + i/p.rows/p.of*p.kept + value%p.kept)
}

// pack makes one code of the 32 single bits of a register.
func (f *fragment) pack() {
	for i := range f.holders {
		f.holders[i].at /= 32
	}
	f.bits, f.per, f.size = 32, 1, f.size/32
}

// shiftLanes returns the fragment with all lanes moved up by n.
func (f *fragment) shiftLanes(n int) *fragment {
	g := *f
	g.holders = make([]holder, len(f.holders))
	for i, h := range f.holders {
		h.lane += uint8(n)
		g.holders[i] = h
	}
	return &g
}

// load reads the codes of the matrix from registers.
func (f *fragment) load(codes []uint64, regs []*vector) {
	codes = codes[:f.size]
	if f.per == 1 {
		mask := ones(f.bits)
		for _, h := range f.holders {
			codes[h.at] = regs[h.reg][h.lane&31] & mask
		}
		return
	}
	mask, bits := ones(f.bits), f.bits&63
	for _, h := range f.holders {
		x, at := regs[h.reg][h.lane&31], int(h.at)
		for range f.per {
			codes[at] = x & mask
			x >>= bits
			at += f.step
		}
	}
}

// store writes the codes of the matrix to registers.
func (f *fragment) store(codes []uint64, regs []*vector) {
	codes = codes[:f.size]
	if f.per == 1 {
		for _, h := range f.holders {
			regs[h.reg][h.lane&31] = codes[h.at]
		}
		return
	}
	bits := f.bits & 63
	for _, h := range f.holders {
		x, at := uint64(0), int(h.at)+(f.per-1)*f.step
		for range f.per {
			x = x<<bits | codes[at]
			at -= f.step
		}
		regs[h.reg][h.lane&31] = x
	}
}

// lost reports for each code whether it has no value, given the lanes of each register that have values; nil if no
// value is missing.
func (f *fragment) lost(has []uint32) []bool {
	var out []bool
	for _, h := range f.holders {
		if has[h.reg]>>(h.lane&31)&1 == 1 {
			continue
		}
		if out == nil {
			out = make([]bool, f.size)
		}
		for i := range f.per {
			out[int(h.at)+i*f.step] = true
		}
	}
	return out
}

// lanesWithValue sets into to the lanes of each register that have a value, given the codes without a value.
func (f *fragment) lanesWithValue(lost []bool, into []uint32) {
	clear(into)
	for _, h := range f.holders {
		ok := true
		for i := range f.per {
			ok = ok && !lost[int(h.at)+i*f.step]
		}
		if ok {
			into[h.reg] |= 1 << (h.lane & 31)
		}
	}
}
