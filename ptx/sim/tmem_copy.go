package sim

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/descriptor"
	"girih/ptx"
	"girih/tmem"
)

// This file implements tcgen05.cp (PTX ISA 9.7.16.9.2), which copies rows of a matrix in shared memory to lanes of tensor
// memory. Package tmem says which lanes receive a row. Decompression, .b8x16, is not known.

// A tensorFill is one tcgen05.cp.
type tensorFill struct {
	to     access
	from   int // slot of the descriptor
	kind   tensorKind
	matrix *sharedMatrix // of words
	cells  []int32       // by word of the matrix, row by row, then by copy: the cell, relative to the address
	runs   []tensorRun
}

func (d *decoder) tensorFill(o *opcode) (step, error) {
	if err := o.ctaGroup(); err != nil {
		return nil, err
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
	u := &tensorFill{kind: tensorCopy}
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

// one issues the copy for a lane.
func (u *tensorFill) one(w *warp, lane int) status {
	t, at := w.block.tensor(), w.tensorOperand(&u.to, lane)
	op := &operation{missing: missingCommit, engine: true, tmem: &tensorOp{kind: u.kind}}
	from := sharedUse{
		matrix: u.matrix, major: atom.KMajor, codes: make([]uint64, u.matrix.rows*u.matrix.k), seg: &w.block.shared,
	}
	if st := from.locate(w, op, sharedDescriptor{descriptor.SM100, w.f.regs[u.from][lane], lane}); st != advance {
		return st
	}
	var st status
	if op.writes, st = (tensorAccess{at, lane, "writes"}).regions(w, t, u.runs); st != advance {
		return st
	}
	if st := w.begin(op, 1<<lane); st != advance {
		return st
	}
	w.issue(op)
	from.load()
	base, copies := cellOffset(int(at.Lane()), int(at.Column())), len(u.cells)/len(from.codes)
	for i, c := range u.cells {
		t.seg.write(base+uint64(c), 4, from.codes[i/copies])
		t.seg.define(base+uint64(c), 4)
	}
	u.lose(w, &from, base)
	return advance
}

// lose removes the values of the cells whose words nobody wrote.
func (u *tensorFill) lose(w *warp, from *sharedUse, base uint64) {
	copies := len(u.cells) / len(from.codes)
	for _, p := range from.table.pieces {
		off := from.base + uint64(p.offset)
		for i := range pieceBytes / 4 {
			at := off + uint64(4*i)
			if from.seg.isDefined(at, 4) {
				continue
			}
			why := w.lost(from.seg, at, reading{0, 4})
			for _, c := range u.cells[(int(p.at)+i)*copies:][:copies] {
				w.block.tmem.seg.lose(base+uint64(c), 4, why)
			}
		}
	}
}

// refuseShift says why tcgen05.shift is not run.
func refuseShift(o *opcode) error {
	return fmt.Errorf("the instruction %s is not known: the PTX ISA does not say to which lane a row moves", o.Op)
}
