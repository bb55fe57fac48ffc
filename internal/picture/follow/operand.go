package follow

import (
	"fmt"
	"slices"

	"girih/ptx/sim"
)

// This file finds the operands of products: which row and column of A, B and C an element is, from the elements that
// come there.

// axes are the coordinates of the rows and columns of an operand in one product; each is nil if it is not known. If
// each piece is a product of its own, the lists are by piece.
type axes struct {
	row, col         []int64
	rowName, colName string
	each             bool
	place            int // of the operand
}

// An operandMove is the move of an operand, until the extents of the operand are known.
type operandMove struct {
	m        *sim.Move
	hop      int
	from     []int64
	lanes    []int
	per      int
	at       *axes
	row, col []int64 // by item: of the tensor
}

// findAxes finds the coordinates of an operand, and the operand.
func (b *builder) findAxes(m *sim.Move) {
	x := b.take(m)
	from := x.fromPlace[0]
	at := b.coordinatesOf(m, x)
	key := fmt.Sprint("operand ", string(m.Operand), " ", siteOf(m), " ", from)
	to, ok := b.groups[key]
	if !ok {
		p := &place{Place: Place{Kind: Operand, Name: string(m.Operand), Operand: string(m.Operand)}}
		to = b.add(p)
		b.groups[key] = to
	}
	at.place = to
	b.axesOf[m] = at
	k := lineKey{m.Line, m.Warp, m.Operand}
	b.axes[k] = append(b.axes[k], at)
}

// operand adds the move of an operand.
func (b *builder) operand(m *sim.Move, x *items) {
	at, from := b.axesOf[m], x.fromPlace[0]
	to := at.place
	p := b.places[to]
	if from >= 0 {
		q := b.places[from]
		if p.Bits, p.Type = q.Bits, q.Type; q.Kind == Registers && q.Operand == "" {
			q.Operand = string(m.Operand)
		}
	}
	b.labelComputed(m, x)
	o := operandMove{m: m, lanes: x.lanes, per: x.per, from: slices.Clone(x.from), at: at}
	if from >= 0 {
		o.hop = b.hop(m, []int{from}, to)
		b.operands = append(b.operands, o)
	}
}

// place finds the coordinates of the items.
func (o *operandMove) place() {
	for i := range o.from {
		r, c := int64(-1), int64(-1)
		if o.at.each {
			r, c = o.at.row[i], o.at.col[i]
		} else if o.at.row != nil {
			r, c = o.at.row[o.m.To.At[i]>>16], o.at.col[o.m.To.At[i]&0xffff]
		}
		o.row, o.col = append(o.row, r), append(o.col, c)
	}
}

// pair finds the summed coordinate of A and of B, for products of single elements: both have the same value in each
// product. pair makes this coordinate the columns of A and B; the usual tensors of (m,k) and (n,k) have it there.
func pair(at [2]*axes) {
	if !at[0].each || !at[1].each || slices.Equal(at[0].col, at[1].col) {
		return
	}
	for _, swap := range [][2]bool{{true, false}, {false, true}, {true, true}} {
		of := [2][]int64{at[0].col, at[1].col}
		for i := range of {
			if swap[i] {
				of[i] = at[i].row
			}
		}
		if !slices.Equal(of[0], of[1]) {
			continue
		}
		for i, x := range at {
			if swap[i] {
				x.row, x.col, x.rowName, x.colName = x.col, x.row, x.colName, x.rowName
			}
		}
		return
	}
}

// coordinatesOf finds the coordinates of the rows and columns of an operand. Along a row of the operand one
// coordinate of the tensor is the same; the other one is the same along a column.
func (b *builder) coordinatesOf(m *sim.Move, x *items) *axes {
	if len(m.To.At) == 0 {
		return b.coordinatesOfPieces(x)
	}
	rows, cols := uint64(0), uint64(0)
	for _, at := range m.To.At {
		rows, cols = max(rows, at>>16), max(cols, at&0xffff)
	}
	for swap := range 2 {
		out := &axes{row: unknown(int64(rows) + 1), col: unknown(int64(cols) + 1)}
		good := true
		for i, at := range m.To.At {
			p, cell, ok := b.coordinate(x.held[i], 0)
			if !ok {
				continue
			}
			c := [2]int64{p.row[cell], p.col[cell]}
			out.rowName, out.colName = p.RowName, p.ColName
			if swap == 1 {
				c[0], c[1] = c[1], c[0]
				out.rowName, out.colName = p.ColName, p.RowName
			}
			r, k := &out.row[at>>16], &out.col[at&0xffff]
			good = good && (*r < 0 || *r == c[0]) && (*k < 0 || *k == c[1])
			*r, *k = c[0], c[1]
		}
		for _, at := range m.To.At {
			good = good && out.row[at>>16] >= 0 && out.col[at&0xffff] >= 0
		}
		if good {
			return out
		}
	}
	return &axes{}
}

// coordinatesOfPieces is coordinatesOf for products of single elements: the coordinates of each.
func (b *builder) coordinatesOfPieces(x *items) *axes {
	out := &axes{each: true}
	for i := range x.held {
		p, cell, ok := b.coordinate(x.held[i], 0)
		r, c := int64(-1), int64(-1)
		if ok {
			r, c = p.row[cell], p.col[cell]
			out.rowName, out.colName = p.RowName, p.ColName
		}
		out.row, out.col = append(out.row, r), append(out.col, c)
	}
	return out
}

// product adds the sums of a product.
func (b *builder) product(m *sim.Move, x *items) {
	k := lineKey{m.Line, m.Warp, 'C'}
	n := b.counts[k]
	b.counts[k]++
	at := [2]*axes{{place: -1}, {place: -1}}
	for i, name := range []byte{'A', 'B'} {
		list := b.axes[lineKey{m.Line, m.Warp, name}]
		if len(list) <= n { // of a wgmma, the first warp of the warpgroup has it
			list = b.axes[lineKey{m.Line, m.Warp &^ 3, name}]
		}
		if n < len(list) {
			at[i] = list[n]
		}
	}
	to := x.toPlace[0]
	if to < 0 {
		return
	}
	p := b.places[to]
	p.Operand = "C"
	for i := range x.to {
		b.held[x.held[i]] = cellOf{to, x.to[i]}
	}
	var from []int
	for _, o := range at {
		if o.place >= 0 {
			from = append(from, o.place)
		}
	}
	pair(at)
	b.labelSums(m, x, p, at)
	x.fromPlace[0] = -1
	b.access(m, b.hop(m, from, to), b.shape(m, x), x)
}

// labelSums gives sums their coordinates: the row of A and the row of B.
func (b *builder) labelSums(m *sim.Move, x *items, p *place, at [2]*axes) {
	for i, to := range x.to {
		if p.row[to] >= 0 {
			continue
		}
		r, c := -1, -1
		if len(m.Matrix) > 0 {
			r, c = int(m.Matrix[i]>>16), int(m.Matrix[i]&0xffff)
		} else {
			r, c = i, i
		}
		if r < len(at[0].row) && c < len(at[1].row) {
			p.row[to], p.col[to] = at[0].row[r], at[1].row[c]
			p.RowName, p.ColName = at[0].rowName, at[1].rowName
		}
	}
}

// An operandExtent is the extent of an operand: the first and the last row and column.
type operandExtent struct {
	row, col [2]int64
	unknown  bool             // some elements have no coordinates
	rows     int64            // of an instruction
	cols     int64            // of an instruction
	parts    map[uint64]int64 // by first register or address, the number of a part along k
}

// finishOperands gives operands their extents, and adds the accesses to them.
func (b *builder) finishOperands() {
	extents := map[int]*operandExtent{}
	for i := range b.operands {
		o := &b.operands[i]
		to := b.Hops[o.hop].To
		if extents[to] == nil {
			none := [2]int64{1 << 40, -1}
			extents[to] = &operandExtent{row: none, col: none, parts: map[uint64]int64{}}
		}
		if o.place(); o.at.rowName != "" || o.at.colName != "" {
			p := b.places[to]
			p.RowName, p.ColName = o.at.rowName, o.at.colName
		}
		extents[to].add(o)
	}
	for i := range b.operands {
		o := &b.operands[i]
		to := b.Hops[o.hop].To
		b.finishOperand(o, extents[to], b.places[to])
	}
}

// add extends e by the elements of an instruction.
func (e *operandExtent) add(o *operandMove) {
	for k := range o.row {
		e.unknown = e.unknown || o.row[k] < 0 || o.col[k] < 0
		e.row = [2]int64{min(e.row[0], o.row[k]), max(e.row[1], o.row[k])}
		e.col = [2]int64{min(e.col[0], o.col[k]), max(e.col[1], o.col[k])}
	}
	for _, at := range o.m.To.At {
		e.rows, e.cols = max(e.rows, int64(at>>16)+1), max(e.cols, int64(at&0xffff)+1)
	}
	if n := o.m.From.At[0]; len(o.m.To.At) > 0 {
		if _, ok := e.parts[n]; !ok {
			e.parts[n] = int64(len(e.parts))
		}
	}
}

// number gives the elements of an operand without coordinates the places of the instructions.
func (e *operandExtent) number(o *operandMove, warps int64) {
	if o.m.From.Space != sim.SideRegisters {
		warps = 1
	}
	part := e.parts[o.m.From.At[0]]
	e.row, e.col = [2]int64{0, e.rows*warps - 1}, [2]int64{0, e.cols*int64(len(e.parts)) - 1}
	for k, at := range o.m.To.At {
		o.row[k], o.col[k] = int64(at>>16)+e.rows*min(int64(o.m.Warp), warps-1), int64(at&0xffff)+e.cols*part
	}
}

// finishOperand adds the access of an instruction to its operand.
func (b *builder) finishOperand(o *operandMove, e *operandExtent, p *place) {
	if e.unknown && len(o.m.To.At) > 0 {
		e.number(o, (b.k.Threads+31)/32)
		p.RowName, p.ColName = "", ""
		p.Words = "rows by warp and instruction, columns by the registers of the instruction: its elements are computed"
	}
	p.Rows, p.Cols = e.row[1]-e.row[0]+1, e.col[1]-e.col[0]+1
	p.Cells = p.Rows * p.Cols
	x := &items{from: o.from, lanes: o.lanes, per: o.per}
	for k := range o.row {
		x.to = append(x.to, o.row[k]-e.row[0]+p.Rows*(o.col[k]-e.col[0]))
	}
	if p.row == nil {
		for c := range p.Cols {
			for r := range p.Rows {
				p.row, p.col = append(p.row, r+e.row[0]), append(p.col, c+e.col[0])
			}
		}
	}
	b.access(o.m, o.hop, b.shape(o.m, x), x)
}
