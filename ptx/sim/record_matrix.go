package sim

// This file records copies by the engine, moves of matrices, and products. Their steps call it; a nil recorder does
// nothing.

// copyThreads records a cp.async, whose operation was begun.
func (r *recorder) copyThreads(w *warp, o *operation) {
	if r == nil {
		return
	}
	m := Move{Kind: MoveCopy, Lanes: o.lanes, Pieces: 1}
	var held []Origin
	for i := range o.writes {
		to, from := &o.writes[i], &o.reads[i]
		m.Bytes = int(to.n)
		first := len(held)
		held = append(held, make([]Origin, to.n)...)
		r.read(from.seg, from.off, from.n, held[first:])
		copy(r.bytes(to.seg, to.off, to.n), held[first:])
		m.From.Space, m.To.Space = SideGlobal, r.spaceOf(to.seg)
		m.From.At = append(m.From.At, from.seg.base+from.off)
		m.To.At = append(m.To.At, to.seg.base+to.off)
	}
	r.keepMove(w, w.block, m, held)
}

// A transferRecord is some bytes that the engine copies, in pieces.
type transferRecord struct {
	from, to []spot
	n        uint64 // bytes of a piece
}

// bulk records a copy by the engine. What a reduction leaves, and a copy of some bytes only, is not followed.
func (r *recorder) bulk(w *warp, lane int, m bulkMove, to spot) {
	switch {
	case r == nil:
		return
	case m.reduce != nil || m.mask != 1<<bulkAlign-1:
		r.forget(to, m.n)
		return
	}
	t := transferRecord{n: bulkAlign}
	for i := uint64(0); i < m.n; i += bulkAlign {
		t.from, t.to = append(t.from, spot{m.from.seg, m.from.off + i}), append(t.to, spot{to.seg, to.off + i})
	}
	r.transfer(w, lane, t)
}

// forget forgets the origins of bytes that an operation changes.
func (r *recorder) forget(to spot, n uint64) {
	clear(r.bytes(to.seg, to.off, n))
}

// boxPieces returns the bytes of the pieces of a box, 0 if they are not followed: elements below a byte, and sums.
func boxPieces(b *boxAt) uint64 {
	all := int64(0)
	for _, x := range b.plan.runs {
		if all |= x.shared | x.n; x.kind != outside {
			all |= x.global
		}
	}
	if all&7 != 0 || b.reduce != nil {
		return 0
	}
	return min(uint64(all&-all)>>3, 16)
}

// box records the copy of a box.
func (r *recorder) box(w *warp, lane int, b boxAt, u *tensorUse) {
	if r == nil {
		return
	}
	t, load := transferRecord{n: boxPieces(&b)}, u.load
	for _, x := range b.plan.runs {
		shared := spot{b.shared.seg, b.shared.off + uint64(x.shared>>3)}
		if x.kind == outside {
			if load {
				r.forget(shared, uint64(x.n+7)>>3)
			}
			continue
		}
		seg, off, n := b.bytes(x.global, x.n)
		if seg == nil {
			continue
		}
		global := spot{seg, off}
		if t.n == 0 {
			if load {
				global = shared
			}
			r.forget(global, n)
			continue
		}
		for i := uint64(0); i+t.n <= n; i += t.n {
			g, s := spot{seg, off + i}, spot{shared.seg, shared.off + i}
			if load {
				t.from, t.to = append(t.from, g), append(t.to, s)
			} else {
				t.from, t.to = append(t.from, s), append(t.to, g)
			}
		}
	}
	if len(t.from) > 0 {
		r.transfer(w, lane, t)
	}
}

// transfer records a copy by the engine.
func (r *recorder) transfer(w *warp, lane int, t transferRecord) {
	m := Move{Kind: MoveCopy, Lanes: 1 << lane, Bytes: int(t.n), Pieces: len(t.from)}
	held := make([]Origin, len(t.from)*int(t.n))
	for i, from := range t.from {
		part := held[i*int(t.n):][:t.n]
		r.read(from.seg, from.off, t.n, part)
		m.From.At = append(m.From.At, from.seg.base+from.off)
		m.To.At = append(m.To.At, t.to[i].seg.base+t.to[i].off)
	}
	for i, to := range t.to {
		copy(r.bytes(to.seg, to.off, t.n), held[i*int(t.n):][:t.n])
	}
	m.From.Space, m.To.Space = r.spaceOf(t.from[0].seg), r.spaceOf(t.to[0].seg)
	of := w.block
	if b := t.to[0].seg.owner; b != nil {
		of = b
	}
	r.keepMove(w, of, m, held)
}

// matrix records an ldmatrix or stmatrix of the rows at w.off.
func (r *recorder) matrix(w *warp, u *matrixUse) {
	if r == nil {
		return
	}
	seg, f, per, slots := &w.block.shared, w.f, 4/u.size, u.slots
	m := Move{Kind: MoveLoad, Lanes: all, Bytes: u.size, Pieces: per * len(slots)}
	memory, regs := Side{Space: SideShared}, Side{Space: SideRegisters}
	for _, s := range slots {
		for i := range per {
			regs.At = append(regs.At, r.number(f, s)<<3+uint64(i*u.size))
		}
	}
	var held []Origin
	for lane := range lanes {
		for i := range m.Pieces {
			row, off, n := u.placeOf(u.places[i][lane])
			off += w.off[row]
			memory.At = append(memory.At, seg.base+off)
			at := registerByte{slots[i/per], i % per * u.size}
			for b := range u.size {
				switch {
				case u.write:
					o := r.registerByte(f, registerByte{at.slot, at.at + b}, lane)
					held = append(held, o)
					r.bytes(seg, off+uint64(b), 1)[0] = o
				case u.packed > 0:
					held = append(held, 0)
				default:
					held = append(held, make([]Origin, 1)...)
					r.read(seg, off+uint64(b), 1, held[len(held)-1:])
				}
				if !u.write {
					r.set(f, 1<<lane, registerByte{at.slot, at.at + b}, func(int) Origin { return held[len(held)-1] })
				}
			}
			_ = n
		}
	}
	if m.From, m.To = memory, regs; u.write {
		m.Kind, m.From, m.To = MoveStore, regs, memory
	}
	r.keepMove(w, w.block, m, held)
}

// A fragmentTable lists the pieces of a fragment, lane after lane.
type fragmentTable struct {
	lanes  uint32
	per    int // pieces of a lane
	bytes  int // of a piece
	reg    []int
	byteAt []int
	row    []uint32
	col    []uint32
}

// A registerMatrix is a matrix in registers; first is the row of the product that is row 0 of the fragment.
type registerMatrix struct {
	f                    *fragment
	slots                []int
	rows, columns, first int
}

// table returns the table of a fragment of a matrix with the given columns.
func (r *recorder) table(f *fragment, columns int) *fragmentTable {
	if t := r.tables[f]; t != nil {
		return t
	}
	t := &fragmentTable{bytes: max(f.bits/8, 1), per: f.count * f.per}
	n := t.per
	t.reg, t.byteAt = make([]int, n*lanes), make([]int, n*lanes)
	t.row, t.col = make([]uint32, n*lanes), make([]uint32, n*lanes)
	for _, h := range f.holders {
		t.lanes |= 1 << h.lane
		for i := range f.per {
			k := int(h.lane)*n + int(h.reg)*f.per + i
			at := int(h.at) + i*f.step
			t.reg[k], t.byteAt[k] = int(h.reg), i*f.bits/8
			t.row[k], t.col[k] = uint32(at/columns), uint32(at%columns)
		}
	}
	r.tables[f] = t
	return t
}

// operandParts are the places of an operand of a product, and their origins.
type operandParts struct {
	lanes   uint32
	pieces  int
	bytes   int
	side    Side
	at      []uint32 // 65536 times the row plus the column
	origins []Origin // of the pieces
	matrix  []Origin // row by row, of rows of k
}

// inRegisters reads an operand in registers.
func (r *recorder) inRegisters(f *frame, x registerMatrix) operandParts {
	t := r.table(x.f, x.columns)
	p := operandParts{lanes: t.lanes, pieces: t.per, bytes: t.bytes, side: Side{Space: SideRegisters}}
	p.matrix = make([]Origin, x.rows*x.columns)
	for k := t.lanes; k != 0; k &= k - 1 {
		lane := lowest(k)
		for i := lane * t.per; i < (lane+1)*t.per; i++ {
			b := registerByte{x.slots[t.reg[i]], t.byteAt[i]}
			if len(p.side.At) < t.per {
				p.side.At = append(p.side.At, r.number(f, b.slot)<<3+uint64(b.at))
			}
			o := r.registerByte(f, b, lane)
			p.origins = append(p.origins, o)
			p.at = append(p.at, (t.row[i]+uint32(x.first))<<16|t.col[i])
			p.matrix[int(t.row[i])*x.columns+int(t.col[i])] = o
		}
	}
	return p
}

// inShared reads an operand in shared memory.
func (r *recorder) inShared(o *sharedUse) operandParts {
	s := o.matrix
	p := operandParts{lanes: 1, bytes: max(s.codeBits/8, 1), side: Side{Space: SideShared}}
	p.matrix = make([]Origin, s.rows*s.k)
	per := pieceBytes * 8 / s.codeBits
	var one [pieceBytes]Origin
	for _, x := range o.table.pieces {
		off := o.base + uint64(x.offset)
		r.read(o.seg, off, pieceBytes, one[:])
		for i := range per {
			k, b := int(x.at)+i*o.table.step, i*s.codeBits/8
			p.side.At = append(p.side.At, o.seg.base+off+uint64(b))
			p.at = append(p.at, uint32(s.first+k/s.k)<<16|uint32(k%s.k))
			p.origins = append(p.origins, one[b])
			p.matrix[k] = one[b]
		}
	}
	p.pieces = len(p.at)
	return p
}

// operand records the move of an operand of a product.
func (r *recorder) operand(w *warp, name byte, p operandParts) {
	m := Move{Kind: MoveOperand, Operand: name, Lanes: p.lanes, Bytes: p.bytes, Pieces: p.pieces, From: p.side}
	m.To = Side{Space: SideMatrix}
	for _, at := range p.at {
		m.To.At = append(m.To.At, uint64(at))
	}
	r.addPieces(w, m, p.origins)
}

// addPieces adds a move for a product, with one origin for each piece.
func (r *recorder) addPieces(w *warp, m Move, held []Origin) {
	bytes := m.Bytes
	m.Bytes = 1
	n := len(r.Moves)
	if r.add(w, m, held); len(r.Moves) > n {
		r.Moves[n].Bytes = bytes
	}
}

// product records a multiplication in registers before it overwrites them.
func (r *recorder) product(w *warp, u *mmaUse) {
	if r == nil {
		return
	}
	p := u.plan
	for i := range p.instances {
		in, k := &p.instances[i], p.k
		if p.e != nil {
			k = p.k / p.e.of * p.e.kept
		}
		a := r.inRegisters(w.f, registerMatrix{in.a, u.a, p.rows, k, 0})
		b := r.inRegisters(w.f, registerMatrix{in.b, u.b, p.columns, p.k, 0})
		c := r.inRegisters(w.f, registerMatrix{in.c, u.c, p.rows, p.columns, 0})
		if r.follows(w.block) {
			r.operand(w, 'A', a)
			r.operand(w, 'B', b)
		}
		r.sums(w, sumsRecord{in.d, u.d, a, b, c, k, p.columns, 0})
	}
}

// A sumsRecord is what a product leaves in registers.
type sumsRecord struct {
	d          *fragment
	slots      []int
	a, b, c    operandParts
	k, columns int
	first      int // the row of the product that is row 0 of the fragment
}

// elements returns the origins of the elements of a product.
func (r *recorder) elements(w *warp, x *sumsRecord, rows int) []Origin {
	if !r.follows(w.block) && len(r.Nodes) >= maxNodes {
		return make([]Origin, rows*x.columns)
	}
	r.g.keep(4 * (len(x.a.matrix) + len(x.b.matrix)))
	r.Products = append(r.Products, Product{x.k, x.a.matrix, x.b.matrix})
	out := make([]Origin, rows*x.columns)
	for i := range out {
		n := Node{
			Line: int32(w.instr().src.Pos.Line), Product: int32(len(r.Products)),
			At: uint32(i/x.columns)<<16 | uint32(i%x.columns),
		}
		if x.c.matrix != nil {
			n.Sources[0] = x.c.matrix[i]
		}
		out[i] = r.newNode(n)
	}
	return out
}

// sums records what a product leaves in registers.
func (r *recorder) sums(w *warp, x sumsRecord) {
	t := r.table(x.d, x.columns)
	origins := r.elements(w, &x, x.d.size/x.columns)
	m := Move{Kind: MoveProduct, Operand: 'C', Lanes: t.lanes, Bytes: t.bytes, Pieces: t.per, To: Side{Space: SideRegisters}}
	var held []Origin
	for k := t.lanes; k != 0; k &= k - 1 {
		lane := lowest(k)
		for i := lane * t.per; i < (lane+1)*t.per; i++ {
			b := registerByte{x.slots[t.reg[i]], t.byteAt[i]}
			if len(m.To.At) < t.per {
				m.To.At = append(m.To.At, r.number(w.f, b.slot)<<3+uint64(b.at))
			}
			o := origins[int(t.row[i])*x.columns+int(t.col[i])]
			held = append(held, o)
			m.Matrix = append(m.Matrix, (t.row[i]+uint32(x.first))<<16|t.col[i])
			for n := range t.bytes {
				r.set(w.f, 1<<lane, registerByte{b.slot, b.at + n}, func(int) Origin { return o })
			}
		}
	}
	if r.follows(w.block) {
		r.addPieces(w, m, held)
	}
}

// inDescriptors keeps the operands that the current wgmma reads from shared memory.
func (r *recorder) inDescriptors(a, b *sharedUse) {
	if r != nil {
		r.shared = [2]*sharedUse{a, b}
	}
}

// wgmma records the product of a warp of a warpgroup, before it overwrites the sums. sources are the registers that it
// reads: its A, if that is in registers, and the sums to which it adds, if it does.
func (r *recorder) wgmma(w *warp, u *wgmmaUse, sources []int) {
	if r == nil {
		return
	}
	p, in, k := u.plan, &u.plan.instances[0], u.plan.k
	if p.e != nil {
		k = p.k / p.e.of * p.e.kept
	}
	first := 16 * (w.id % warpgroup)
	var a operandParts
	if u.a != nil {
		a = r.inRegisters(w.f, registerMatrix{in.a, u.a, p.rows, k, first})
	} else {
		a = r.inShared(r.shared[0])
	}
	b := r.inShared(r.shared[1])
	x := sumsRecord{d: in.c, slots: u.d, a: a, b: b, k: k, columns: p.columns, first: first}
	if len(sources) > len(u.a) {
		x.c = r.inRegisters(w.f, registerMatrix{in.c, u.d, p.rows, p.columns, first})
	}
	if r.follows(w.block) {
		r.operand(w, 'A', a)
		if w.id%warpgroup == 0 { // the four warps read the same B
			r.operand(w, 'B', b)
		}
	}
	r.sums(w, x)
}

// tensorMove records a tcgen05.ld or tcgen05.st of the cells from base on.
func (r *recorder) tensorMove(w *warp, u *tensorMove, base int) {
	if r == nil {
		return
	}
	f, seg, n := w.f, &w.block.tmem.seg, 4/u.halves
	m := Move{Kind: MoveLoad, Lanes: all, Bytes: n, Pieces: u.halves * len(u.regs)}
	memory, regs := Side{Space: SideTensor}, Side{Space: SideRegisters}
	var held []Origin
	for _, s := range u.regs {
		for h := range u.halves {
			regs.At = append(regs.At, r.number(f, s)<<3+uint64(h*n))
		}
	}
	for lane := range lanes {
		for i, s := range u.regs {
			for h := range u.halves {
				off := uint64(base + int(u.cells[(i*lanes+lane)*u.halves+h]))
				memory.At = append(memory.At, off)
				first := len(held)
				held = append(held, make([]Origin, n)...)
				for b := range n {
					at := registerByte{s, h*n + b}
					if u.access.Store {
						held[first+b] = r.registerByte(f, at, lane)
						continue
					}
					r.read(seg, off+uint64(b), 1, held[first+b:])
					r.set(f, 1<<lane, at, func(int) Origin { return held[first+b] })
				}
				if u.access.Store {
					cell := r.bytes(seg, off, 4)
					clear(cell[copy(cell, held[first:]):])
				}
			}
		}
	}
	if u.reduce != nil {
		r.setNone(f, u.result)
	}
	if m.From, m.To = memory, regs; u.access.Store {
		m.Kind, m.From, m.To = MoveStore, regs, memory
	}
	r.keepMove(w, w.block, m, held)
}

// setNone records that a register has values whose origins are not known.
func (r *recorder) setNone(f *frame, slot int) {
	for i := range 8 {
		r.set(f, all, registerByte{slot, i}, func(int) Origin { return 0 })
	}
}

// tensorFill records a tcgen05.cp from shared memory to the cells from to on.
func (r *recorder) tensorFill(w *warp, u *tensorFill, from *sharedUse, to spot) {
	if r == nil {
		return
	}
	t, copies := transferRecord{n: 4}, len(u.cells)/len(from.codes)
	for _, p := range from.table.pieces {
		for i := range pieceBytes / 4 {
			for _, c := range u.cells[(int(p.at)+i)*copies:][:copies] {
				t.from = append(t.from, spot{from.seg, from.base + uint64(p.offset) + uint64(4*i)})
				t.to = append(t.to, spot{to.seg, to.off + uint64(c)})
			}
		}
	}
	r.transfer(w, 0, t)
}

// tensorProduct records a tcgen05.mma in one block, before it overwrites the sums.
func (r *recorder) tensorProduct(x *tensorIssue) {
	if r == nil {
		return
	}
	w, base := x.w, cellOffset(int(x.d.Lane()), int(x.d.Column()))
	if !x.isDense() {
		for _, c := range x.dCells {
			clear(r.bytes(&x.t.seg, base+uint64(c), 4))
		}
		return
	}
	s := r.tensorOperands(x)
	seg := &x.t.seg
	if x.accumulate {
		for _, c := range x.dCells {
			var o [4]Origin
			r.read(seg, base+uint64(c), 4, o[:])
			s.c.matrix = append(s.c.matrix, o[0])
		}
	}
	followed := r.follows(seg.owner)
	if followed {
		r.operand(w, 'A', s.a)
		r.operand(w, 'B', s.b)
	}
	origins := r.elements(w, &s, x.m)
	m := Move{Kind: MoveProduct, Operand: 'C', Lanes: 1 << x.lane, Bytes: 4, Pieces: len(x.dCells)}
	m.To.Space = SideTensor
	for i, c := range x.dCells {
		off := base + uint64(c)
		if lane := off / 4 / 512; x.off[lane/lanes]>>(lane%lanes)&1 == 1 {
			origins[i] = 0
		} else {
			cell := r.bytes(seg, off, 4)
			for b := range cell {
				cell[b] = origins[i]
			}
		}
		m.To.At = append(m.To.At, off)
		m.Matrix = append(m.Matrix, uint32(i/x.n)<<16|uint32(i%x.n))
	}
	if followed {
		r.addPieces(w, m, origins)
	}
}

// tensorOperands reads A and B of a product into tensor memory.
func (r *recorder) tensorOperands(x *tensorIssue) sumsRecord {
	s := sumsRecord{k: x.k, columns: x.n}
	if x.aCells == nil {
		s.a = r.inShared(&x.a)
	} else {
		s.a = r.inTensor(x)
	}
	for i := range x.b {
		b := r.inShared(&x.b[i])
		for k := range b.at {
			b.at[k] += uint32(i*x.n/len(x.b)) << 16
		}
		s.b.matrix = append(s.b.matrix, b.matrix...)
		s.b.at, s.b.origins, s.b.side = append(s.b.at, b.at...), append(s.b.origins, b.origins...), Side{
			SideShared, append(s.b.side.At, b.side.At...),
		}
		s.b.lanes, s.b.bytes, s.b.pieces = 1, b.bytes, len(s.b.at)
	}
	return s
}

// isDense reports whether each row of A and column of B is in memory once, and each element of D is a sum of all their
// products. Where one is not, the recorder does not know of what D is the sum.
func (x *tensorIssue) isDense() bool {
	return x.meta == nil && x.mask.zero == nil && x.mask.shift == 0 && x.copiesA() == 1
}

// inTensor reads a matrix A in tensor memory.
func (r *recorder) inTensor(x *tensorIssue) operandParts {
	base := cellOffset(int(x.aAt.Lane()), int(x.aAt.Column()))
	p := operandParts{lanes: 1, bytes: max(x.aBits/8, 1), pieces: len(x.aCells), side: Side{Space: SideTensor}}
	p.matrix = make([]Origin, x.m*x.k)
	for i, c := range x.aCells {
		var o [1]Origin
		off := base + uint64(c.cell) + uint64(c.bit/8)
		r.read(&x.t.seg, off, 1, o[:])
		row, col := i%x.m, i/x.m
		p.side.At, p.origins = append(p.side.At, off), append(p.origins, o[0])
		p.at = append(p.at, uint32(row)<<16|uint32(col))
		p.matrix[row*x.k+col] = o[0]
	}
	return p
}
