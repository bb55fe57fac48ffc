package sim

import (
	"fmt"
	"strings"

	"girih/descriptor"
	"girih/ptx"
	"girih/tmem"
)

// This file implements tcgen05.mma (PTX ISA 9.7.16.10). One thread issues the whole product. The simulator computes it
// when it executes the instruction, and marks the accumulator as being written: no other operation may touch it before
// tcgen05.commit and a wait at the mbarrier, unless the two form a pipeline. tmem_product.go has the
// arithmetic.

// A tensorMMA is one tcgen05.mma.
type tensorMMA struct {
	kind     descriptor.Kind
	group    int    // 2 for a pair of blocks
	d, a     access // a in tensor memory
	aDesc    int    // slot, or -1 if A is in tensor memory
	b, idesc int    // slots
	disable  []int  // slots of the lanes of D that are not written; nil for none
	enable   int    // predicate of enable-input-d
	not      uint32
	scale    int   // scale-input-d
	vector   int64 // elements of a scale factor; 0 for none
	ws       bool
	columns  int       // slot of the zero-column mask descriptor, or -1
	factors  [2]access // of A and B
	sparse   bool
	meta     access // of a sparse A
	collect  collecting
}

func (d *decoder) tensorMMA(o *opcode) (step, error) {
	group, err := d.ctaGroup(o)
	if err != nil {
		return nil, err
	}
	if o.has("ashift") {
		return nil, fmt.Errorf("tcgen05.mma with .ashift is not known: the PTX ISA does not say whether row r or row r + 2 of A becomes row r + 1")
	}
	ws := o.has("ws")
	kind, err := o.tensorKind()
	if err != nil {
		return nil, err
	}
	u := &tensorMMA{kind: kind, group: group, aDesc: -1, ws: ws, columns: -1, sparse: o.has("sp"), collect: o.collecting()}
	if u.vector, err = o.scaleVector(kind); err != nil {
		return nil, err
	}
	r := d.reader(o)
	u.d = r.address("")
	if len(r.ops) > 0 {
		if _, ok := r.ops[0].(ptx.Addr); ok {
			u.a = r.address("")
		} else {
			u.aDesc = r.src(ptx.B64)
		}
	}
	if u.b = r.src(ptx.B64); u.sparse {
		u.vector *= 2
		u.meta = r.address("")
	}
	u.idesc = r.src(ptx.B32)
	u.options(r)
	return r.end(u.step)
}

// tensorKind reads the kind of a tcgen05.mma.
func (o *opcode) tensorKind() (descriptor.Kind, error) {
	for i, m := range o.mods {
		if name, ok := strings.CutPrefix(m, "kind::"); ok {
			o.used[i] = true
			return descriptor.FindKind(name)
		}
	}
	return 0, fmt.Errorf("expected a kind of tcgen05.mma")
}

// options reads the operands after the instruction descriptor: disable-output-lane or the scale factors,
// enable-input-d, scale-input-d; with .ws the zero-column mask descriptor.
func (u *tensorMMA) options(r *reader) {
	if u.vector != 0 {
		u.factors = [2]access{r.address(""), r.address("")}
	} else if len(r.ops) > 0 && !u.ws {
		if list, ok := r.ops[0].(ptx.Vec); ok {
			if u.disable = r.srcs(ptx.B32); len(list) != u.group*tmem.Lanes/lanes {
				r.fail("disable-output-lane of %d words, expected %d", len(list), u.group*tmem.Lanes/lanes)
			}
		}
	}
	if r.err == nil {
		u.enable, u.not, r.err = r.d.srcPred(r.ops.next())
	}
	if len(r.ops) > 0 && u.ws {
		u.columns = r.src(ptx.B64)
	} else if len(r.ops) > 0 {
		c, ok := r.ops.next().(ptx.Int)
		if u.scale = int(c); !ok || c < 0 || c > 15 || u.kind != descriptor.KindF16 && u.kind != descriptor.KindTF32 {
			r.fail("expected scale-input-d from 0 to 15, of kind::f16 or kind::tf32 (PTX ISA 9.7.16.10.9.1)")
		}
	}
}

// step issues a product for each lane, one after another.
func (u *tensorMMA) step(w *warp, mask uint32) status {
	slots := []int{u.d.at.slot, u.aDesc, u.b, u.idesc, u.columns}
	if u.aDesc < 0 {
		slots[1] = u.a.at.slot
	}
	if u.vector != 0 {
		slots = append(slots, u.factors[0].at.slot, u.factors[1].at.slot)
	}
	if u.sparse {
		slots = append(slots, u.meta.at.slot)
	}
	if st := w.needValues(mask, append(slots, u.disable...)...); st != advance {
		return st
	}
	if miss := mask &^ w.f.pdef[u.enable]; miss != 0 {
		return w.undefinedPredicate(miss, u.enable)
	}
	for m := mask; m != 0; m &= m - 1 {
		if st := u.one(w, lowest(m)); st != advance {
			return st
		}
	}
	return advance
}

// A tensorIssue is a product that a lane issues, or the part of one block of a pair.
type tensorIssue struct {
	*tensorProduct
	w          *warp
	lane       int
	t          *tensorMemory
	op         *operation
	a          sharedUse
	b          []sharedUse // the rows of B of each block
	d, aAt     tmem.Address
	accumulate bool
	off        [tmem.Lanes / lanes]uint32 // lanes of D that are not written
	scaleD     int
	scaleAt    [2]tmem.Address
	metaAt     tmem.Address
	mask       columnMask
	collects   collecting
}

// product returns the product of the instruction descriptor in a lane.
func (u *tensorMMA) product(w *warp, lane int) (*tensorProduct, error) {
	in, err := descriptor.DecodeInstruction(u.kind, uint32(w.f.regs[u.idesc][lane]))
	if in.Group, in.WS = u.group, u.ws; err == nil {
		err = in.Check()
	}
	if err == nil && in.Sparse != u.sparse {
		err = fmt.Errorf("bit 2 and the modifier .sp both say whether A is sparse, and differ")
	}
	if err != nil {
		return nil, err
	}
	return w.block.grid.tensorProduct(tensorKey{in, u.aDesc < 0, u.vector})
}

func (u *tensorMMA) one(w *warp, lane int) status {
	f, code := w.f, func(slot int) uint64 { return w.f.regs[slot][lane] }
	p, err := u.product(w, lane)
	if err != nil {
		return w.fail(KindArgument, 1<<lane, "the instruction descriptor 0x%08x: %v", uint32(code(u.idesc)), err)
	}
	zero, st := u.maskOf(w, p, lane)
	if st != advance {
		return st
	}
	blocks, st := w.pairOf(u.group, lane)
	if st != advance {
		return st
	}
	d := w.tensorOperand(&u.d, lane)
	op := &operation{missing: missingCommit, engine: true, tmem: &tensorOp{kind: tensorMul, pipe: tensorPipe{
		d, p.in.M, p.in.N, p.in.D, p.in.Kind,
	}}}
	bs := make([]sharedUse, len(blocks))
	for i, b := range blocks {
		n := len(p.codesB) / len(blocks)
		bs[i] = sharedUse{matrix: p.shiftColumns(zero.shift), major: p.in.BMajor, codes: p.codesB[i*n:][:n], seg: &b.shared}
		if st := bs[i].locate(w, op, sharedDescriptor{descriptor.SM100, code(u.b), lane}); st != advance {
			return st
		}
	}
	var parts []*tensorIssue
	for i, b := range blocks {
		x := &tensorIssue{
			tensorProduct: p, w: w, lane: lane, t: b.tensor(), op: op, d: d, b: bs, scaleD: u.scale,
			mask: zero, collects: u.collect,
		}
		if x.accumulate = (f.pred[u.enable]^u.not)>>lane&1 == 1; u.disable != nil {
			for k := range x.off {
				x.off[k] = uint32(code(u.disable[i*len(x.off)+k]))
			}
		}
		if st := u.operands(x, &b.shared); st != advance {
			return st
		}
		parts = append(parts, x)
	}
	if st := w.begin(op, 1<<lane); st != advance {
		return st
	}
	w.issue(op)
	for _, x := range parts {
		w.block.grid.recorder().tensorProduct(x)
		if st := x.multiply(); st != advance {
			return st
		}
	}
	return advance
}

// operands finds A, in shared memory or in tensor memory, and the scale factors.
func (u *tensorMMA) operands(x *tensorIssue, shared *segment) status {
	w, lane := x.w, x.lane
	for k := range u.factors {
		// The upper bits are free: CUTLASS keeps the number of the factor there, which the instruction descriptor has.
		x.scaleAt[k] = w.tensorOperand(&u.factors[k], lane) &^ (3 << 30)
	}
	if u.sparse {
		if x.metaAt = w.tensorOperand(&u.meta, lane); x.metaAt.Column()%2 != 0 || x.metaAt.Lane() != 0 {
			return w.fail(KindUnsupported, 1<<lane, "metadata of a sparse A at address %v are not known here: expected an even column of lane 0",
				x.metaAt)
		}
	}
	x.a = sharedUse{matrix: x.tensorProduct.a, major: x.in.AMajor, codes: x.storedCodes(), seg: shared}
	if u.aDesc < 0 {
		x.aAt = w.tensorOperand(&u.a, lane)
	} else if st := x.a.locate(w, x.op, sharedDescriptor{descriptor.SM100, w.f.regs[u.aDesc][lane], lane}); st != advance {
		return st
	}
	return x.cells()
}

// cells adds what the product accesses in tensor memory to the operation.
func (x *tensorIssue) cells() status {
	read := func(at tmem.Address, runs []tensorRun) status {
		list, st := tensorAccess{at, x.lane, "reads"}.regions(x.w, x.t, runs)
		x.op.reads = append(x.op.reads, list...)
		return st
	}
	if x.aCells != nil {
		if st := read(x.aAt, x.aRuns); st != advance {
			return st
		}
	}
	for i, s := range x.scale {
		if s != nil {
			if st := read(x.scaleAt[i], s.runs); st != advance {
				return st
			}
		}
	}
	if x.meta != nil {
		if st := read(x.metaAt, x.meta.runs); st != advance {
			return st
		}
	}
	list, st := tensorAccess{x.d, x.lane, "writes"}.regions(x.w, x.t, x.dRuns)
	for _, r := range list {
		if lane := r.off / 4 / tmem.Columns; x.off[lane/lanes]>>(lane%lanes)&1 == 0 {
			x.op.writes = append(x.op.writes, r)
		}
	}
	return st
}

// A sharedDescriptor is a matrix descriptor in the format of an instruction, and the lane that gives it.
type sharedDescriptor struct {
	format descriptor.Format
	bits   uint64
	lane   int
}

// lostRows returns the rows of an operand that contain bytes without a value, or nil, and the finding of the first one.
func (x *tensorIssue) lostRows(o *sharedUse) ([]bool, *Finding) {
	for _, r := range o.table.runs {
		part := region{seg: o.seg, off: o.base + uint64(r.offset), n: uint64(r.bytes)}
		if !part.isWritten() {
			rows, first := o.lost()
			return rows, x.w.lost(o.seg, first, reading{x.lane, pieceBytes})
		}
	}
	return nil, nil
}

// readA reads the codes of A, row by row. If A is twice in tensor memory, a half of the columns of D has each copy. It
// returns the rows without a value, or nil, and why.
func (x *tensorIssue) readA(half int) (rows []bool, why *Finding, st status) {
	if x.aCells == nil {
		rows, why = x.lostRows(&x.a)
		x.a.load()
		x.unpack(x.a.codes, x.in.A.Bits())
	} else {
		rows, why = x.readCells(half)
	}
	if x.collects.buffer == 0 {
		if st := x.collect(x.collects, collector{x.in.A, 0, x.kept, x.storedCodes()}); st != advance {
			return nil, nil, st
		}
	}
	if x.meta == nil {
		return rows, why, advance
	}
	lost, also, st := x.expand()
	if why == nil {
		why = also
	}
	for m := range lost {
		lost[m] = lost[m] || rows != nil && rows[m]
	}
	if lost != nil {
		rows = lost
	}
	return rows, why, st
}

// readCells is readA for an A in tensor memory.
func (x *tensorIssue) readCells(half int) (rows []bool, why *Finding) {
	base, width, to := cellOffset(int(x.aAt.Lane()), int(x.aAt.Column())), ones(x.aBits), x.storedCodes()
	all := len(x.aCells) / x.kept // rows in tensor memory
	for i, c := range x.aCells {
		m, off := i%all-half*x.m, base+uint64(c.cell)
		if m < 0 || m >= x.m {
			continue
		}
		to[m*x.kept+i/all] = x.t.seg.read(off, 4) >> c.bit & width
		if x.t.seg.isDefined(off, 4) {
			continue
		}
		if rows == nil {
			rows, why = make([]bool, x.m), x.w.lost(&x.t.seg, off, reading{x.lane, 4})
		}
		rows[m] = true
	}
	return rows, why
}

// readB reads the codes of B, column by column. It returns the columns without a value, and why.
func (x *tensorIssue) readB() (columns []bool, why *Finding, st status) {
	columns = make([]bool, x.n)
	for i := range x.b {
		lost, also := x.lostRows(&x.b[i])
		if copy(columns[i*x.n/len(x.b):], lost); why == nil {
			why = also
		}
		x.b[i].load()
	}
	x.unpack(x.codesB, x.in.B.Bits())
	if x.collects.buffer > 0 {
		if st := x.collect(x.collects, collector{x.in.B, x.mask.shift, x.k, x.codesB}); st != advance {
			return nil, nil, st
		}
	}
	x.mask.blank(x.codesB, columns)
	return columns, why, advance
}

// unpack spreads elements of 4 or 6 bits that shared memory holds in groups of 16, packed and padded to 16 bytes (PTX
// ISA 9.7.16.10.4.4). Before, codes has the bytes of the groups.
func (x *tensorIssue) unpack(codes []uint64, width int) {
	if width >= 8 || !x.isPadded() {
		return
	}
	for at := 0; at+16 <= len(codes); at += 16 {
		var group [2]uint64
		for i, c := range codes[at : at+16] {
			group[i/8] |= c << (i % 8 * 8)
		}
		for i := range 16 {
			n := i * width
			v := group[n/64] >> (n % 64)
			if n%64+width > 64 {
				v |= group[n/64+1] << (64 - n%64)
			}
			codes[at+i] = v & ones(width)
		}
	}
}

// multiply computes D. A result that depends on a missing value has no value.
func (x *tensorIssue) multiply() status {
	for half := range x.copiesA() {
		columns, why, st := x.readB()
		if st != advance {
			return st
		}
		rows, also, st := x.readA(half)
		if st != advance {
			return st
		}
		if why == nil {
			why = also
		}
		x.write(half, rows, columns, why)
	}
	return advance
}

// write computes the columns of D of a half, or all, from the codes of A and B.
func (x *tensorIssue) write(half int, rows, columns []bool, why *Finding) {
	row, also := x.rows()
	if why == nil {
		why = also
	}
	seg, base, part := &x.t.seg, cellOffset(int(x.d.Lane()), int(x.d.Column())), x.n/x.copiesA()
	for m := range x.m {
		cells := x.dCells[m*x.n : (m+1)*x.n]
		clear(x.row)
		for n, c := range cells {
			if x.accumulate {
				x.row[n] = x.addend(seg.read(base+uint64(c), 4))
			}
		}
		lost := row(m, x.row)
		for n := half * part; n < (half+1)*part; n++ {
			off := base + uint64(cells[n])
			if lane := off / 4 / tmem.Columns; x.off[lane/lanes]>>(lane%lanes)&1 == 1 {
				continue
			}
			seg.write(off, 4, x.row[n])
			switch {
			case rows != nil && rows[m] || columns[n] || lost != nil && lost[n]:
				seg.lose(off, 4, why)
			case !x.accumulate:
				seg.define(off, 4)
			}
		}
	}
}
