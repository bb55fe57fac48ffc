package sim

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/descriptor"
	"girih/ptx"
	"girih/tmem"
)

// This file implements tcgen05.cp (PTX ISA 9.7.16.9.2), which copies rows of a matrix in shared memory to lanes of
// tensor memory. Package tmem says which lanes receive a row. Decompression, .b8x16, is refused.

// A tensorFill is one tcgen05.cp.
type tensorFill struct {
	to     access
	from   int // slot of the descriptor
	kind   tensorKind
	matrix *sharedMatrix // of words
	cells  []int32       // by word of the matrix, row by row, then by copy: the cell, relative to the address
	runs   []tensorRun
	group  int
}

func (d *decoder) tensorFill(o *opcode) (step, error) {
	group, err := d.ctaGroup(o)
	if err != nil {
		return nil, err
	}
	if o.has("b8x16") {
		return nil, fmt.Errorf("the instruction %s is not known: the PTX ISA shows only in figures where the bits of an element of 4 or 6 bits are in its byte",
			o.Op)
	}
	name := o.one("128x256b", "4x256b", "128x128b", "64x128b", "32x128b")
	if cast := o.one("warpx2::02_13", "warpx2::01_23", "warpx4"); cast != "" {
		name += "." + cast
	}
	f, err := tmem.FindFill(name)
	if err != nil {
		return nil, err
	}
	l, err := f.Layout(tmem.ColumnBits)
	if err != nil {
		return nil, err
	}
	offsets, err := l.AppendOffsets(nil) // the row is the fastest mode, then the word, then the copy
	if err != nil {
		return nil, err
	}
	u := &tensorFill{kind: tensorCopy, group: group}
	if strings.HasPrefix(name, "4x") {
		u.kind = tensorCopyRows
	}
	rows, words := int(f.Rows()), int(f.RowBits())/tmem.ColumnBits
	u.matrix = &sharedMatrix{bits: tmem.ColumnBits, codeBits: tmem.ColumnBits, rows: rows, k: words}
	u.cells = make([]int32, len(offsets))
	for i, off := range offsets {
		n, copies := i%(rows*words), len(offsets)/(rows*words)
		u.cells[(n%rows*words+n/rows)*copies+i/(rows*words)] = int32(cellOf(off, tmem.ColumnBits))
	}
	u.runs = tensorRuns(u.cells)
	r := d.reader(o)
	u.to, u.from = r.address(""), r.src(ptx.B64)
	return r.end(func(w *warp, mask uint32) status {
		if st := w.needValues(mask, u.to.at.slot, u.from); st != advance {
			return st
		}
		for m := mask; m != 0; m &= m - 1 {
			if st := u.one(w, lowest(m)); st != advance {
				return st
			}
		}
		return advance
	})
}

// one issues the copy for a lane. With cta_group::2 each block of the pair fills its own tensor memory.
func (u *tensorFill) one(w *warp, lane int) status {
	blocks, st := w.pairOf(u.group, lane)
	if st != advance {
		return st
	}
	at, from := w.tensorOperand(&u.to, lane), make([]sharedUse, len(blocks))
	op := &operation{missing: missingCommit, engine: true, tmem: &tensorOp{kind: u.kind}}
	for i, b := range blocks {
		from[i] = sharedUse{
			matrix: u.matrix, major: atom.KMajor, codes: make([]uint64, u.matrix.rows*u.matrix.k), seg: &b.shared,
		}
		st := from[i].locate(w, op, sharedDescriptor{descriptor.SM100, w.f.regs[u.from][lane], lane})
		if st != advance {
			return st
		}
		cells, st := tensorAccess{at, lane, "writes"}.regions(w, b.tensor(), u.runs)
		if st != advance {
			return st
		}
		op.writes = append(op.writes, cells...)
	}
	if st := w.begin(op, 1<<lane); st != advance {
		return st
	}
	w.issue(op)
	for i, b := range blocks {
		base := cellOffset(int(at.Lane()), int(at.Column()))
		u.fill(w, &b.tmem.seg, &from[i], base)
		w.block.grid.recorder().tensorFill(w, u, &from[i], spot{&b.tmem.seg, base})
	}
	return advance
}

// fill writes the words of a matrix to the cells from base on. What nobody wrote leaves its cells without a value.
func (u *tensorFill) fill(w *warp, to *segment, from *sharedUse, base uint64) {
	from.load()
	copies := len(u.cells) / len(from.codes)
	for i, c := range u.cells {
		to.write(base+uint64(c), 4, from.codes[i/copies])
		to.define(base+uint64(c), 4)
	}
	for _, p := range from.table.pieces {
		off := from.base + uint64(p.offset)
		for i := range pieceBytes / 4 {
			at := off + uint64(4*i)
			if from.seg.isDefined(at, 4) {
				continue
			}
			why := w.lost(from.seg, at, reading{0, 4})
			for _, c := range u.cells[(int(p.at)+i)*copies:][:copies] {
				to.lose(base+uint64(c), 4, why)
			}
		}
	}
}

// refuseShift says why tcgen05.shift is not run.
func refuseShift(o *opcode) error {
	return fmt.Errorf("the instruction %s is not known: the PTX ISA does not say whether the row of lane n moves to lane n + 1 or n - 1",
		o.Op)
}
