package sim

import (
	"fmt"
	"slices"

	"girih/atom"
	"girih/descriptor"
	"girih/dtype"
	"girih/ptx"
)

// This file implements wgmma (PTX ISA 9.7.15): each of the four warps of a warpgroup multiplies its 16 rows of A by all
// of B. The simulator computes the product when it executes the instruction. Until the wait_group that covers the
// product, no thread may see the product or write to its operands, so the time of the computation makes no difference.
// wgmma_group.go describes what the four warps do together.

func wgmmaRow(name string) row {
	if name == "wgmma" {
		return (*decoder).wgmma
	}
	return nil
}

// warpgroup is the number of warps of a warpgroup.
const warpgroup = 4

func (d *decoder) wgmma(o *opcode) (step, error) {
	switch kind := o.one("fence", "commit_group", "wait_group", "mma_async"); kind {
	case "mma_async":
		return d.wgmmaMMA(o)
	case "":
		return nil, fmt.Errorf("expected .mma_async, .fence, .commit_group or .wait_group")
	default:
		o.skip("sync", "aligned")
		n := 0
		if kind == "wait_group" {
			n = 1
		}
		if err := o.need(n, n); err != nil {
			return nil, err
		}
		groups := 0
		if n == 1 {
			c, ok := o.Operands[0].(ptx.Int)
			if !ok || c < 0 {
				return nil, fmt.Errorf("operand %s: expected a number of groups", o.Operands[0])
			}
			groups = int(min(c, 1<<20))
		}
		return func(w *warp, mask uint32) status {
			if st := w.whole(mask); st != advance {
				return st
			}
			switch kind {
			case "fence":
				w.fence()
			case "commit_group":
				w.commitGroup()
			default:
				return w.waitGroup(groups)
			}
			return advance
		}, nil
	}
}

// A wgmmaUse is one wgmma instruction with its operands.
type wgmmaUse struct {
	plan           *mmaPlan
	d, a           []int // a is nil if A is in shared memory
	aDesc, bDesc   int
	meta, selector int
	scale          int // predicate of scale-d
	not            uint32
	aSign, bSign   uint64 // masks that flip the signs of codes
	aMajor, bMajor atom.Major
	watchedD       []int
	watchedA       []int
	src            *ptx.Instr
}

func (d *decoder) wgmmaMMA(o *opcode) (step, error) {
	ops := o.Operands
	if len(ops) < 4 {
		return nil, fmt.Errorf("%d operands", len(ops))
	}
	from := atom.SharedMemory
	if _, ok := ops[1].(ptx.Vec); ok {
		from = atom.Registers
	}
	p, err := d.plan(string(o.Op), from)
	if err != nil {
		return nil, err
	}
	o.useAll()
	u := &wgmmaUse{plan: p, src: o.Instr}
	in := &p.instances[0]
	if u.d, err = d.fragmentDst(ops[0], in.c); err != nil {
		return nil, err
	}
	if from == atom.Registers {
		u.a, err = d.fragmentSrc(ops[1], in.a)
	} else {
		u.aDesc, err = d.src(ops[1], ptx.B64)
	}
	if err != nil {
		return nil, err
	}
	if u.bDesc, err = d.src(ops[2], ptx.B64); err != nil {
		return nil, err
	}
	ops = ops[3:]
	if p.e != nil {
		if len(ops) < 3 {
			return nil, fmt.Errorf("%d operands", len(o.Operands))
		}
		if u.meta, err = d.src(ops[0], ptx.B32); err != nil {
			return nil, err
		}
		if u.selector, err = p.e.selector(ops[1]); err != nil {
			return nil, err
		}
		ops = ops[2:]
	}
	if u.scale, u.not, err = d.srcPred(ops[0]); err != nil {
		return nil, err
	}
	if err := u.immediates(ops[1:]); err != nil {
		return nil, err
	}
	d.wgmmas.own[d.self] = slices.Concat(u.d, u.a)
	d.wgmmas.list = append(d.wgmmas.list, u)
	return u.run, nil
}

// immediates reads the immediate operands: signs and transposes.
func (u *wgmmaUse) immediates(ops []ptx.Operand) error {
	var want []string
	if u.plan.floats {
		want = []string{"imm-scale-a", "imm-scale-b"}
		if u.plan.m.Types.A.Type.Bits() == 16 {
			if u.a == nil {
				want = append(want, "imm-trans-a")
			}
			want = append(want, "imm-trans-b")
		}
	}
	if len(ops) != len(want) {
		return fmt.Errorf("%d operands after scale-d, expected %d: %v", len(ops), len(want), want)
	}
	for i, name := range want {
		c, ok := ops[i].(ptx.Int)
		if !ok || !u.setImmediate(name, c) {
			return fmt.Errorf("operand %s: expected %s", ops[i], name)
		}
	}
	return nil
}

// setImmediate sets an immediate operand, and reports whether c is an allowed value: 1 or -1 for a sign, 0 or 1 for a
// transpose.
func (u *wgmmaUse) setImmediate(name string, c ptx.Int) bool {
	signs := map[string]*uint64{"imm-scale-a": &u.aSign, "imm-scale-b": &u.bSign}
	if sign := signs[name]; sign != nil {
		if *sign = 0; c == -1 {
			*sign = signBit(name, u.plan.m)
		}
		return c == 1 || c == -1
	}
	major := map[string]*atom.Major{"imm-trans-a": &u.aMajor, "imm-trans-b": &u.bMajor}[name]
	*major = atom.Major(c)
	return c == 0 || c == 1
}

// signBit returns the sign bit of the operand that an immediate describes.
func signBit(name string, m atom.MMA) uint64 {
	t := m.Types.A.Type
	if name == "imm-scale-b" {
		t = m.Types.B.Type
	}
	n := t.Bits()
	if t == dtype.TF32 {
		n = 32 // the width of the register
	}
	return 1 << (n - 1)
}

func (u *wgmmaUse) run(w *warp, mask uint32) status {
	if st := w.whole(mask); st != advance {
		return st
	}
	f, p := w.f, u.plan
	accumulate, ok := w.scaleOf(u)
	if !ok {
		return failed
	}
	if st := u.together(w, groupStep{fn: f.fn, pc: w.p.pc, warp: w.id, accumulate: accumulate}); st != advance {
		return st
	}
	if st := u.registers(w, mask); st != advance {
		return st
	}
	x := w.block.grid.worker(p)
	lost, st := u.operands(w, x, mask)
	if st != advance {
		return st
	}
	sources := u.a
	if accumulate {
		sources = slices.Concat(u.a, u.d)
	}
	w.block.grid.recorder().wgmma(w, u, sources)
	regs := x.of(f, u.d)
	fragment := p.instances[0].c
	if accumulate {
		fragment.load(x.c, regs)
	} else {
		clear(x.c)
	}
	x.multiply(p, x.c)
	fragment.store(x.c, regs)
	if lost == nil && f.complete(sources) {
		for _, s := range u.d {
			f.def[s] = all
		}
		return advance
	}
	use := &mmaUse{plan: p, a: u.a, d: u.d}
	if accumulate {
		use.c = u.d
	}
	use.taint(w, lost, nil)
	return advance
}

// scaleOf returns whether the product is added to D, which must be the same in all lanes.
func (w *warp) scaleOf(u *wgmmaUse) (accumulate, ok bool) {
	if miss := ^w.f.pdef[u.scale]; miss != 0 {
		w.undefinedPredicate(miss, u.scale)
		return false, false
	}
	v := w.f.pred[u.scale] ^ u.not
	if v != 0 && v != all {
		w.fail(KindDivergent, v, "scale-d is true in lanes 0x%08x only, and has to be the same in all", v)
		return false, false
	}
	return v != 0, true
}

// registers checks the state of the instruction's registers, and marks the registers as used by the instruction.
func (u *wgmmaUse) registers(w *warp, mask uint32) status {
	f, s := w.f, &w.wgmma
	for _, n := range u.watchedA {
		if x := &f.flights[n]; s.has(x) && !x.input && !w.inFlight(x, mask, "reads") {
			return failed
		}
	}
	if !s.ever {
		w.fail(KindWgmma, mask, "is the first wgmma of the warp, and no wgmma.fence is before it")
		if !w.goesOn() {
			return failed
		}
		s.ever = true
	}
	if !s.sinceMMA && !s.sinceWait && !u.checkFence(w, mask) {
		return failed
	}
	s.sinceMMA = false
	mine := s.groups()
	mine.events++
	for _, n := range u.watchedA {
		f.flights[n] = flight{group: s.committed + 1, input: true, at: w.site(), nth: mine.events}
	}
	for _, n := range u.watchedD {
		f.flights[n] = flight{group: s.committed + 1, at: w.site(), nth: mine.events}
	}
	return advance
}

// checkFence checks that no register of the instruction was written without a later wgmma.fence, and reports whether
// the run goes on.
func (u *wgmmaUse) checkFence(w *warp, mask uint32) bool {
	for i, n := range slices.Concat(u.watchedD, u.watchedA) {
		x := &w.f.flights[n]
		if !x.written {
			continue
		}
		what := "accumulators"
		if i >= len(u.watchedD) {
			what = "matrix A"
		}
		w.fail(KindWgmma, mask, "registers of its %s were written since the last wgmma, and no wgmma.fence is between", what)
		return w.goesOn()
	}
	return true
}

// operands reads A and B. Reads of shared memory last until a wait_group. The result describes the parts of A and B
// without values; it is nil if there are none.
func (u *wgmmaUse) operands(w *warp, x *worker, mask uint32) (*lostOperands, status) {
	f, p := w.f, u.plan
	into := x.a
	if p.e != nil {
		into = x.held
		if f.def[u.meta] != all {
			return nil, w.failUndefined(^f.def[u.meta], u.meta)
		}
	}
	op := w.tensorOperation()
	a := sharedUse{matrix: x.sharedA[w.id%warpgroup], slot: u.aDesc, major: u.aMajor, sign: u.aSign, codes: into}
	b := sharedUse{matrix: x.sharedB, slot: u.bDesc, major: u.bMajor, sign: u.bSign, codes: x.b}
	if u.a == nil {
		if st := a.find(w, op); st != advance {
			return nil, st
		}
	}
	if st := b.find(w, op); st != advance {
		return nil, st
	}
	if st := w.begin(op, all); st != advance {
		return nil, st
	}
	step := w.group().latest(w)
	step.ops[w.id%warpgroup], step.marks[w.id%warpgroup] = op, mark{op.group, op.nth, w.now}
	w.published = max(w.published, byAtomic) // later actions of w get another time
	lost := u.checkOperands(w, op, [2]*sharedUse{&a, &b})
	if u.a == nil {
		a.load()
	} else {
		p.instances[0].a.load(into, x.of(f, u.a))
		for i := range into {
			into[i] ^= u.aSign
		}
	}
	b.load()
	if p.e != nil {
		if wrong := p.e.expand(x, &f.regs[u.meta], u.selector); wrong != "" {
			return nil, w.fail(KindArgument, mask, "%s", wrong)
		}
	}
	w.block.grid.recorder().inDescriptors(&a, &b)
	return lost, advance
}

// checkOperands checks whether the bytes that an operation reads have values. Missing values in rows of A and B leave
// rows and columns of D without values.
func (u *wgmmaUse) checkOperands(w *warp, op *operation, operands [2]*sharedUse) *lostOperands {
	written := true
	for i := range op.reads {
		written = written && op.reads[i].isWritten()
	}
	if written {
		return nil
	}
	lost := &lostOperands{}
	for i, into := range []*[]bool{&lost.rows, &lost.columns} {
		if operands[i].table == nil {
			continue // in registers
		}
		rows, first := operands[i].lost()
		if *into = rows; rows != nil && lost.found == nil {
			lost.found = w.lost(&w.block.shared, first, reading{0, pieceBytes})
		}
	}
	return lost
}

// isWritten reports whether all bytes of r have values.
func (r *region) isWritten() bool {
	for off := r.off; off < r.off+r.n; off += pieceBytes {
		if !r.seg.isDefined(off, pieceBytes) {
			return false
		}
	}
	return true
}

// A sharedUse describes how an operand in shared memory is read.
type sharedUse struct {
	matrix *sharedMatrix
	slot   int // slot of the descriptor
	major  atom.Major
	sign   uint64
	codes  []uint64
	table  *sharedTable
	seg    *segment
	base   uint64 // the origin of the table's offsets, as an offset in seg
}

// find finds the bytes of the operand and adds them to the reads of the operation.
func (o *sharedUse) find(w *warp, op *operation) status {
	bits, ok := w.uniform(o.slot, all)
	if !ok {
		return failed
	}
	o.seg = &w.block.shared
	return o.locate(w, op, sharedDescriptor{descriptor.SM90, bits, 0})
}

// locate is find for a given descriptor.
func (o *sharedUse) locate(w *warp, op *operation, at sharedDescriptor) status {
	bits := at.bits
	if bits>>61 == 0 && !w.block.grid.strict {
		bits &^= 7 << 49 // the base offset counts in swizzled matrices only; Triton writes it in others, too
	}
	d, err := descriptor.Decode(at.format, o.major, bits)
	if err == nil {
		o.table, err = o.matrix.table(d)
	}
	if err != nil {
		return w.fail(KindArgument, 1<<at.lane, "the descriptor 0x%016x: %v", at.bits, err)
	}
	seg := o.seg
	home := seg.base - sharedStart // the start of the block's shared memory in its cluster's shared memory
	o.base = home + uint64(d.Start/swizzleSpan*swizzleSpan) - seg.base
	op.reads = slices.Grow(op.reads, len(o.table.runs))
	for _, r := range o.table.runs {
		off := o.base + uint64(r.offset)
		if !seg.holds(seg.base+off, int(r.bytes)) {
			w.outside(&access{space: ptx.Shared, unit: int(r.bytes), count: 1}, at.lane, seg.base+off)
			return failed
		}
		op.reads = append(op.reads, region{seg: seg, off: off, n: uint64(r.bytes), lane: uint8(at.lane)})
	}
	return advance
}

// load reads the operand whose bytes find has found.
func (o *sharedUse) load() {
	o.matrix.load(o.codes, o.seg.data, o.table, sharedBase{int(o.base), o.sign})
}
