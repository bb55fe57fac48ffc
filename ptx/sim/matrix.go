package sim

import (
	"fmt"

	"girih/atom"
	"girih/ptx"
)

// This file moves matrices between shared memory and the registers of a warp. The places of 16-bit elements come from
// package atom. Its copies of bytes include what CuTe does after the instruction, so bytePlaces has the places of
// bytes.

// rowBytes is the size of a row: each address of ldmatrix and stmatrix is the address of one row.
const rowBytes = 16

// A matrixMove maps the pieces of registers, which are halves or bytes, to the rows of matrices. Piece i of register r
// of a lane is piece places[per·r+i][lane] of memory, where per is 4/size. Pieces are counted through the rows at the
// addresses of lane 0, 1, 2 and so on.
type matrixMove struct {
	n      int // the number of registers per lane
	given  int // the number of lanes whose addresses count
	size   int // bytes of a piece
	packed int // bits of an element of 4 or 6 bits in memory, where 16 of them begin a row; 0 for none
	places [16][lanes]uint16
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
	m := &matrixMove{n: n, given: 8 * n, size: 2}
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

// moveMatrix reads ldmatrix and stmatrix.
func (d *decoder) moveMatrix(o *opcode) (step, error) {
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	number := o.one("x1", "x2", "x4")
	if !o.has("sync") || !o.has("aligned") || number == "" {
		return nil, fmt.Errorf("expected .sync.aligned with .x1, .x2 or .x4")
	}
	move, err := d.matrixMove(o, int(number[1]-'0'))
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
	if list := elements(value); len(list) != move.n {
		r.fail("%d registers, expected %d", len(list), move.n)
	}
	if store {
		u.slots = r.srcs(ptx.B32)
		return r.finish(u.store)
	}
	u.slots = r.dsts()
	return r.finish(u.load)
}

// matrixMove returns how o moves n matrices.
func (d *decoder) matrixMove(o *opcode, n int) (*matrixMove, error) {
	trans, shape, t := o.has("trans"), o.one("m8n8", "m16n16", "m8n16", "m16n8"), o.one("b16", "b8", "b8x16")
	format := o.one("b6x16_p32", "b4x16_p64")
	if shape == "m8n8" && t == "b16" && format == "" {
		name, width := o.name, n
		if trans {
			name, width = name+".trans", 2*n
		}
		return newMatrixMove(fmt.Sprintf(matrixCopies[name], width), n)
	}
	m := &matrixMove{n: n, given: 8 * n, size: 1}
	if format != "" {
		m.packed = int(format[1] - '0')
	}
	if shape == "m16n16" {
		m.n, m.given = 2*n, 16*n
	}
	name := o.name + "." + shape
	if trans {
		name += ".trans"
	}
	if shape == "m8n16" && format == "" || (t == "b8x16") != (format != "") || t == "b16" || m.n > 4 ||
		!m.bytes(name) {
		return nil, fmt.Errorf("there is no %s of these matrices (PTX ISA 9.7.14.5)", o.name)
	}
	return m, d.needsTarget(o, "sm_100", "sm_101", "sm_103", "sm_110", "sm_120", "sm_121")
}

// bytes finds the places of bytes, and reports whether there are such matrices.
func (m *matrixMove) bytes(name string) bool {
	for _, b := range bytePlaces {
		if b.name != name {
			continue
		}
		for i := range 4 * m.n {
			for lane := range lanes {
				row, column := b.place(i/4, i%4, lane)
				m.places[i][lane] = uint16(row*rowBytes + column)
			}
		}
		return true
	}
	return false
}

// bytePlaces say in which row, and where in it, byte i of a register of a lane is (PTX ISA, ldmatrix and stmatrix).
var bytePlaces = [...]struct {
	name  string
	place func(register, i, lane int) (row, column int)
}{
	{"ldmatrix.m8n16", func(r, i, lane int) (int, int) { return 8*r + lane/4, 4*(lane%4) + i }},
	{"ldmatrix.m16n16.trans", func(r, i, lane int) (int, int) { return r/2*16 + 4*(lane%4) + i, 8*(r%2) + lane/4 }},
	{"stmatrix.m16n8.trans", func(r, i, lane int) (int, int) { return 8*r + 2*(lane%4) + i%2, i/2*8 + lane/4 }},
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
	mask, seg := uint32(ones(u.given)), &w.block.shared
	if st := u.rows(w, mask); st != advance {
		return st
	}
	n := rowBytes // that are read
	if u.packed > 0 {
		n = 2 * u.packed
	}
	if seg.tracked && w.noteReads(seg, mask, n) >= 0 {
		return failed
	}
	w.meetAligned(all)
	var pieces [lanes * rowBytes / 2]uint16
	lost := uint32(0) // rows with unwritten bytes
	for i := range u.given {
		if !seg.isDefined(w.off[i], n) {
			lost |= 1 << i
		}
		b := u.unpack(seg.data[w.off[i]:][:rowBytes])
		for j := range rowBytes / 2 {
			pieces[i*rowBytes/2+j] = uint16(b[2*j]) | uint16(b[2*j+1])<<8
		}
	}
	for r, s := range u.slots {
		z := &w.f.regs[s]
		if u.size == 2 {
			low, high := &u.places[2*r], &u.places[2*r+1]
			for lane := range z {
				z[lane] = uint64(pieces[low[lane]&255]) | uint64(pieces[high[lane]&255])<<16
			}
		} else {
			for lane := range z {
				z[lane] = 0
				for i := range 4 {
					at := u.places[4*r+i][lane]
					z[lane] |= uint64(pieces[at/2&255]>>(at%2*8)&0xff) << (8 * i)
				}
			}
		}
		w.f.def[s] = all
		if lost != 0 {
			u.lose(w, r)
		}
	}
	w.block.grid.recorder().matrix(w, u)
	return advance
}

// unpack returns a row as bytes: each element of 4 or 6 bits in a byte of its own.
//
//go:noinline
func (m *matrixMove) unpack(row []byte) []byte {
	if m.packed == 0 {
		return row
	}
	out := make([]byte, rowBytes)
	for i := range out {
		at := i * m.packed
		out[i] = byte((uint(row[at/8])|uint(row[at/8+1])<<8)>>(at%8)) & byte(ones(m.packed))
	}
	return out
}

// placeOf returns the row of a piece, and where in the row its bytes are.
//
//go:noinline
func (m *matrixMove) placeOf(at uint16) (row int, off uint64, n int) {
	bytes := int(at) * m.size
	row, off, n = bytes/rowBytes&31, uint64(bytes%rowBytes), m.size
	if m.packed > 0 {
		first := off * uint64(m.packed)
		n = int((first+uint64(m.packed)-1)/8-first/8) + 1
		off = first / 8
	}
	return row, off, n
}

// lose removes the value of register r in the lanes that have loaded unwritten bytes. A later use of the missing value
// is an error.
func (u *matrixUse) lose(w *warp, r int) {
	f, s, seg := w.f, u.slots[r], &w.block.shared
	per := 4 / u.size
	for _, list := range u.places[per*r : per*r+per] {
		for lane, at := range list {
			row, off, n := u.placeOf(at)
			if seg.isDefined(w.off[row]+off, n) {
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
	mask, seg := uint32(ones(u.given)), &w.block.shared
	if st := u.rows(w, mask); st != advance {
		return st
	}
	changed, per := uint32(0), 4/u.size // rows
	for r, s := range u.slots {
		for i, list := range u.places[per*r : per*r+per] {
			for lane, at := range list {
				row, off, n := u.placeOf(at)
				off += w.off[row]
				x := w.f.regs[s][lane] >> (8 * n * i) & ones(8*n)
				if w.f.def[s]>>lane&1 == 0 {
					changed |= 1 << row
					seg.write(off, n, x)
					seg.lose(off, uint64(n), w.f.why[s].load) // storing a missing value only marks the bytes as unwritten
				} else if seg.read(off, n) != x || !seg.isDefined(off, n) {
					changed |= 1 << row
					seg.write(off, n, x)
					seg.define(off, n)
				}
			}
		}
	}
	if changed != 0 {
		w.block.grid.progress++
	}
	w.block.grid.recorder().matrix(w, u)
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
