package sim

import (
	"fmt"

	"girih/atom"
	"girih/ptx"
)

// This file moves 8-by-8 matrices of 16-bit elements between shared memory and the registers of a warp, according to
// the copies of package atom.

// rowBytes is the size of a row: each address of ldmatrix and stmatrix is the address of one row.
const rowBytes = 16

// A matrixMove maps the halves of registers to the rows of matrices. Half h of register r of a lane is the 16-bit piece
// with index places[2·r+h][lane]. Pieces are counted through the rows at the addresses of lane 0, 1, 2 and so on.
type matrixMove struct {
	n      int // the number of matrices, and of registers per lane
	places [8][lanes]uint16
}

// newMatrixMove reads the two layouts of the named copy, which map (thread, bit) of rows and of registers to bits.
func newMatrixMove(name string, n int) (*matrixMove, error) {
	c, err := atom.FindCopy(name)
	if err != nil {
		return nil, err
	}
	rows, registers := c.Src, c.Dst
	if c.From.Space == atom.Registers && c.To.Space == atom.SharedMemory {
		rows, registers = c.Dst, c.Src
	}
	m := &matrixMove{n: n}
	in, err := rows.AppendOffsets(nil) // the thread index varies fastest
	if err != nil {
		return nil, err
	}
	out, err := registers.AppendOffsets(nil)
	if err != nil {
		return nil, err
	}
	piece := map[int64]uint16{} // the index of each piece, by the first bit of the piece
	per := len(in) / lanes / 16
	for t := range lanes {
		for i := range per {
			at := in[t+16*i*lanes]
			if _, ok := piece[at]; !ok { // threads without a row of their own repeat the rows of other threads
				piece[at] = uint16(t*per + i)
			}
		}
	}
	for t := range lanes {
		for i := range 2 * n {
			at, ok := piece[out[t+16*i*lanes]]
			if !ok {
				return nil, fmt.Errorf("%s has elements that no row has", name)
			}
			m.places[i][t] = at
		}
	}
	return m, nil
}

// moveMatrix reads ldmatrix and stmatrix for elements of 16 bits. Elements of 8 bits or fewer need sm_100.
func (d *decoder) moveMatrix(o *opcode) (step, error) {
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	number := o.one("x1", "x2", "x4")
	trans := o.has("trans")
	if !o.has("sync") || !o.has("aligned") || o.one("m8n8") == "" || number == "" || o.one("b16") == "" {
		return nil, fmt.Errorf("expected .sync.aligned.m8n8 with .x1, .x2 or .x4 and .b16: other matrices are of sm_100 and later")
	}
	n := int(number[1] - '0')
	name := o.name
	if trans {
		name += ".trans"
	}
	width := n
	if trans {
		width = 2 * n
	}
	move, err := newMatrixMove(fmt.Sprintf(matrixCopies[name], width), n)
	if err != nil {
		return nil, err
	}
	r, u := d.reader(o), &matrixUse{matrixMove: move}
	store := o.name == "stmatrix"
	at, value := o.Operands[1], o.Operands[0]
	if store {
		at, value = value, at
	}
	r.ops = operands{at, value}
	u.access = r.address(o.space())
	u.unit, u.count, u.write = rowBytes, 1, store
	if list := elements(value); len(list) != n {
		r.fail("%d registers, expected %d", len(list), n)
	}
	if store {
		u.slots = r.srcs(ptx.B32)
		return r.finish(u.store)
	}
	u.slots = r.dsts()
	return r.finish(u.load)
}

// matrixCopies are the copies of package atom that the instructions execute; %d is the number after "x" in their names.
var matrixCopies = map[string]string{
	"ldmatrix": "SM75_U32x%d_LDSM_N", "ldmatrix.trans": "SM75_U16x%d_LDSM_T",
	"stmatrix": "SM90_U32x%d_STSM_N", "stmatrix.trans": "SM90_U16x%d_STSM_T",
}

// A matrixUse is one ldmatrix or stmatrix instruction with its registers.
type matrixUse struct {
	*matrixMove
	access
	slots []int
}

// rows stores the offsets of the rows at the lanes' addresses in w.off, with eight rows for each matrix. The offsets
// are relative to shared memory.
func (u *matrixUse) rows(w *warp, mask uint32) status {
	slot, seg := u.at.slot, &w.block.shared
	if miss := mask &^ w.f.def[slot]; miss != 0 {
		return w.failUndefined(miss, slot)
	}
	if w.reach(&u.access, mask) == seg {
		return advance
	}
	a := u.access
	a.lenient = true // unwritten bytes are checked later
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		address := w.f.regs[slot][lane] + uint64(u.at.offset)
		at, off := w.target(&a, lane, address)
		switch {
		case at == nil, w.isNowhere(at):
			return failed
		case at != seg:
			w.outside(&access{space: ptx.Shared, unit: rowBytes, count: 1, write: u.write}, lane, address)
			return failed
		}
		w.off[lane] = off
	}
	return advance
}

func (u *matrixUse) load(w *warp, mask uint32) status {
	if st := w.whole(mask); st != advance {
		return st
	}
	mask, seg := uint32(ones(8*u.n)), &w.block.shared
	if st := u.rows(w, mask); st != advance {
		return st
	}
	if seg.tracked && w.noteReads(seg, mask, rowBytes) >= 0 {
		return failed
	}
	w.meetAligned(all)
	var pieces [lanes * rowBytes / 2]uint16
	lost := uint32(0) // rows with unwritten bytes
	for i := range 8 * u.n {
		if !seg.isDefined(w.off[i], rowBytes) {
			lost |= 1 << i
		}
		b := seg.data[w.off[i]:][:rowBytes]
		for j := range rowBytes / 2 {
			pieces[i*rowBytes/2+j] = uint16(b[2*j]) | uint16(b[2*j+1])<<8
		}
	}
	for r, s := range u.slots {
		z, low, high := &w.f.regs[s], &u.places[2*r], &u.places[2*r+1]
		for lane := range z {
			z[lane] = uint64(pieces[low[lane]&255]) | uint64(pieces[high[lane]&255])<<16
		}
		w.f.def[s] = all
		if lost != 0 {
			u.lose(w, r)
		}
	}
	return advance
}

// lose removes the value of register r in the lanes that have loaded unwritten bytes. A later use of the missing value
// is an error.
func (u *matrixUse) lose(w *warp, r int) {
	f, s, seg := w.f, u.slots[r], &w.block.shared
	for half := range 2 {
		for lane, at := range u.places[2*r+half] {
			row, place := int(at/(rowBytes/2))&31, uint64(at%(rowBytes/2))*2
			if seg.isDefined(w.off[row]+place, 2) {
				continue
			}
			if f.def[s] == all {
				f.because(s, origin{s, w.p.pc, w.lost(seg, w.off[row], reading{row, rowBytes})})
			}
			f.def[s] &^= 1 << lane
		}
	}
}

func (u *matrixUse) store(w *warp, mask uint32) status {
	if st := w.whole(mask); st != advance {
		return st
	}
	mask, seg := uint32(ones(8*u.n)), &w.block.shared
	if st := u.rows(w, mask); st != advance {
		return st
	}
	changed := uint32(0) // rows
	for r, s := range u.slots {
		for half := range 2 {
			for lane, at := range u.places[2*r+half] {
				row := at / (rowBytes / 2) & 31
				off, x := w.off[row]+uint64(at%(rowBytes/2))*2, w.f.regs[s][lane]>>(16*half)&ones(16)
				if w.f.def[s]>>lane&1 == 0 {
					changed |= 1 << row
					seg.write(off, 2, x)
					seg.lose(off, 2, w.f.why[s].load) // storing a missing value only marks the bytes as unwritten
				} else if seg.read(off, 2) != x || !seg.isDefined(off, 2) {
					changed |= 1 << row
					seg.write(off, 2, x)
					seg.define(off, 2)
				}
			}
		}
	}
	if changed != 0 {
		w.block.grid.progress++
	}
	return w.noteStored(seg, mask, storedRows{changed, rowBytes})
}

// storedRows describes rows of n bytes, one for each lane, and the rows that a store has changed.
type storedRows struct {
	changed uint32
	n       int
}

// noteStored checks and records that the lanes of mask have stored rows at w.off.
func (w *warp) noteStored(seg *segment, mask uint32, x storedRows) status {
	if !seg.tracked {
		return advance
	}
	if x.changed != 0 && w.noteWrites(seg, x.changed, x.n) >= 0 {
		return failed
	}
	if same := mask &^ x.changed; same != 0 && !w.noteSame(seg, same, x.n) {
		return failed
	}
	return advance
}

// movMatrix reads movmatrix, which transposes a matrix in registers.
func (d *decoder) movMatrix(o *opcode) (step, error) {
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	for _, m := range []string{"sync", "aligned", "m8n8", "trans", "b16"} {
		if !o.has(m) {
			return nil, fmt.Errorf("expected .%s", m)
		}
	}
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	src, err := d.src(o.Operands[1], ptx.B32)
	if err != nil {
		return nil, err
	}
	m, err := newMatrixMove("SM75_U32x1_MOVM_T", 1)
	if err != nil {
		return nil, err
	}
	return func(w *warp, mask uint32) status {
		if st := w.whole(mask); st != advance {
			return st
		}
		f := w.f
		in, has, ok := f.regs[src], f.def[src], all
		for lane := range lanes {
			x := uint64(0)
			for half := range 2 {
				at := m.places[half][lane]
				x |= in[at/2] >> (16 * (at % 2)) & 0xffff << (16 * half)
				if has>>(at/2)&1 == 0 {
					ok &^= 1 << lane
				}
			}
			f.regs[dst][lane] = x
		}
		if ok != all {
			f.taint(dst, w.p.pc, all, src)
		}
		f.def[dst] = ok
		return advance
	}, nil
}
