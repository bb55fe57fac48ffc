package sim

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/dtype"
	"girih/internal/machine/dot"
	"girih/ptx"
)

// This file multiplies matrices in the registers of a warp (PTX ISA 9.7.14). Package atom defines where each element
// is, and package dot defines how sums are rounded.

func matrixRow(name string) row {
	switch name {
	case "mma":
		return (*decoder).mma
	case "ldmatrix", "stmatrix":
		return (*decoder).moveMatrix
	case "movmatrix":
		return (*decoder).movMatrix
	}
	return nil
}

// An mmaPlan describes how an instruction multiplies: its fragments and its sums. Instructions with the same opcode
// share a plan.
type mmaPlan struct {
	id            int // number of the plan in the kernel
	m             atom.MMA
	model         dot.Model
	rows, columns int // rows and columns of D in one warp
	k             int // codes of a row of A or B
	instances     []instance
	e             *selection
	floats        bool
	halves        [2][]uint64 // the codes in f16 of the codes of A and B, for small floats
}

// An instance is one multiplication of an instruction. mma.m8n8k4 on f16 has four instances.
type instance struct{ a, b, c, d *fragment }

// A worker executes the multiplications of one plan in one run.
type worker struct {
	*dot.Product
	a, b, c, held, there []uint64
	registers            []*vector
	sharedA              [warpgroup]*sharedMatrix // for wgmma: the rows of A of each warp
	sharedB              *sharedMatrix
}

// worker returns the worker of a plan.
func (g *grid) worker(p *mmaPlan) *worker {
	for len(g.workers) <= p.id {
		g.workers = append(g.workers, nil)
	}
	if g.workers[p.id] == nil {
		x := &worker{Product: dot.NewProduct(p.model, p.k)}
		x.a, x.b = make([]uint64, p.rows*p.k), make([]uint64, p.columns*p.k)
		x.c = make([]uint64, p.rows*p.columns)
		if p.e != nil {
			x.held, x.there = make([]uint64, p.rows*p.k/p.e.of*p.e.kept), make([]uint64, p.rows)
		}
		x.share(p)
		g.workers[p.id] = x
	}
	return g.workers[p.id]
}

// share creates the operands that p reads from shared memory.
func (x *worker) share(p *mmaPlan) {
	of := func(first, rows, k int, t dtype.Type) *sharedMatrix {
		bits := max(t.Bits(), 8)
		if t == dtype.B1 {
			bits = 32
		}
		return &sharedMatrix{bits: t.Bits(), codeBits: bits, first: first, rows: rows, k: k}
	}
	if p.m.BFrom == atom.SharedMemory {
		x.sharedB = of(0, p.columns, p.k, p.m.Types.B.Type)
	}
	for i := range x.sharedA {
		if p.m.AFrom == atom.SharedMemory {
			k := p.k
			if p.e != nil {
				k = k / p.e.of * p.e.kept
			}
			x.sharedA[i] = of(16*i, 16, k, p.m.Types.A.Type)
		}
	}
}

// plan returns the plan of opcode, from which modifiers that package atom does not know were removed.
func (d *decoder) plan(opcode string, from atom.Space) (*mmaPlan, error) {
	key := fmt.Sprint(opcode, from)
	if p := d.kernel.plans[key]; p != nil {
		return p, nil
	}
	p, err := newPlan(opcode, from)
	if err != nil {
		return nil, err
	}
	d.kernel.keep(key, p)
	return p, nil
}

func newPlan(opcode string, from atom.Space) (*mmaPlan, error) {
	opcode, mixed := mixedTypes(opcode)
	opcode, rounding := roundingOf(opcode)
	m, err := findMMA(opcode, from)
	if err != nil {
		return nil, err
	}
	p := &mmaPlan{m: m, floats: m.Types.A.Type.Kind() == dtype.Float}
	p.rows, p.columns, p.k = int(min(m.Shape[0], 16)), int(m.Shape[1]), int(m.Shape[2])
	if m.Types.A.Type == dtype.B1 {
		p.k /= 32
	}
	var in instance
	for _, x := range []struct {
		o    atom.Operand
		into **fragment
		from atom.Space
	}{{atom.OperandA, &in.a, m.AFrom}, {atom.OperandB, &in.b, m.BFrom}, {atom.OperandC, &in.c, m.CFrom}} {
		if x.from != atom.Registers {
			continue
		}
		if *x.into, err = newFragment(m, x.o); err != nil {
			return nil, err
		}
	}
	in.d = in.c
	if mixed {
		half, err := atom.FindPTX(strings.ReplaceAll(opcode, ".f32", ".f16"), from)
		if err != nil {
			return nil, err
		}
		if in.c, err = newFragment(half, atom.OperandC); err != nil {
			return nil, err
		}
		m.Types.C = half.Types.C
	}
	if p.model, err = modelOf(m); err != nil {
		return nil, err
	}
	if c, ok := p.model.(dot.Chain); ok {
		c.Rounding = rounding
		p.model = c
	}
	p.smallTypes()
	if m.Sparse != nil {
		if p.e, err = newSelection(m); err != nil {
			return nil, err
		}
	}
	p.instances = append(p.instances, in)
	for i := 1; i < 4 && m.Threads() == 8; i++ {
		s := func(f *fragment) *fragment { return f.shiftLanes(4 * i) }
		p.instances = append(p.instances, instance{s(in.a), s(in.b), s(in.c), s(in.d)})
	}
	return p, nil
}

// mixedTypes reports whether an opcode is mma.m8n8k4 with C in f16 and D in f32, and returns the opcode with C and D in
// f32.
func mixedTypes(opcode string) (string, bool) {
	if s, ok := strings.CutSuffix(opcode, ".f32.f16.f16.f16"); ok && strings.Contains(opcode, ".m8n8k4.") {
		return s + ".f32.f16.f16.f32", true
	}
	return opcode, false
}

// roundingOf splits the rounding modifier off an .f64 opcode; ptxas accepts the modifier anywhere after the shape.
func roundingOf(opcode string) (string, dot.Rounding) {
	if !strings.Contains(opcode, ".f64") {
		return opcode, dot.Nearest
	}
	parts := strings.Split(opcode, ".")
	for r, name := range []string{dot.Nearest: "rn", dot.Zero: "rz", dot.Down: "rm", dot.Up: "rp"} {
		if i := slices.Index(parts, name); i >= 0 {
			return strings.Join(slices.Delete(parts, i, i+1), "."), dot.Rounding(r)
		}
	}
	return opcode, dot.Nearest
}

// An mmaUse is one mma instruction with its registers.
type mmaUse struct {
	plan       *mmaPlan
	a, b, c, d []int
	meta       int // slot of the metadata of a sparse mma
	selector   int
	scale      *blockScale // nil for no scale factors
}

// mma reads mma.sync and mma.sp.sync.
func (d *decoder) mma(o *opcode) (step, error) {
	if isSmall(string(o.Op)) {
		if err := d.needsTarget(o, "sm_120", "sm_121"); err != nil {
			return nil, err
		}
	}
	p, err := d.plan(string(o.Op), atom.Registers)
	if err != nil {
		return nil, err
	}
	o.useAll()
	return d.mmaOperands(o, p)
}

// mmaOperands reads the operands of a multiplication in registers.
func (d *decoder) mmaOperands(o *opcode, p *mmaPlan) (step, error) {
	n, err := 4, error(nil)
	if p.e != nil {
		n = 6
	}
	factors := n // where the operands of scale factors are
	if p.m.Scale != nil {
		n += 4
	}
	if err := o.need(n, n); err != nil {
		return nil, err
	}
	u := &mmaUse{plan: p}
	in := &p.instances[0]
	if u.d, err = d.fragmentDst(o.Operands[0], in.d); err != nil {
		return nil, err
	}
	for i, x := range []struct {
		into *[]int
		f    *fragment
	}{{&u.a, in.a}, {&u.b, in.b}, {&u.c, in.c}} {
		if *x.into, err = d.fragmentSrc(o.Operands[1+i], x.f); err != nil {
			return nil, err
		}
	}
	if p.e != nil {
		if u.meta, err = d.src(o.Operands[4], ptx.B32); err != nil {
			return nil, err
		}
		if u.selector, err = p.e.selector(o.Operands[5]); err != nil {
			return nil, err
		}
	}
	if p.m.Scale != nil {
		u.scale, err = d.blockScale(o.Operands[factors:])
	}
	return u.run, err
}

// useAll marks all modifiers as known.
func (o *opcode) useAll() {
	for i := range o.used {
		o.used[i] = true
	}
}

// registerType returns the type of constant operands in place of the registers of a fragment.
func (f *fragment) registerType() ptx.Type {
	if f.bits*f.per == 64 {
		return ptx.B64
	}
	return ptx.B32
}

func (d *decoder) fragmentSrc(o ptx.Operand, f *fragment) ([]int, error) {
	list := elements(o)
	if len(list) != f.count {
		return nil, fmt.Errorf("operand %s: expected %d registers, found %d", o, f.count, len(list))
	}
	return d.srcs(list, f.registerType())
}

func (d *decoder) fragmentDst(o ptx.Operand, f *fragment) ([]int, error) {
	list := elements(o)
	if len(list) != f.count {
		return nil, fmt.Errorf("operand %s: expected %d registers, found %d", o, f.count, len(list))
	}
	slots := make([]int, len(list))
	for i, r := range list {
		var err error
		if slots[i], err = d.dst(r); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

// whole makes the lanes of a warp meet at an instruction that all 32 lanes must execute. Unless it returns advance, the
// instruction is not executed now.
func (w *warp) whole(mask uint32) status {
	got, st := w.alignedLanes(mask)
	if st == advance && got != all {
		return w.fail(KindDivergent, mask, "lanes 0x%08x execute it, and it takes all 32 of a warp", got)
	}
	return st
}

// of returns the registers in slots.
func (x *worker) of(f *frame, slots []int) []*vector {
	x.registers = x.registers[:0]
	for _, s := range slots {
		x.registers = append(x.registers, &f.regs[s])
	}
	return x.registers
}

// complete reports whether all listed registers have values in all lanes.
func (f *frame) complete(lists ...[]int) bool {
	ok := all
	for _, list := range lists {
		for _, s := range list {
			ok &= f.def[s]
		}
	}
	return ok == all
}

func (u *mmaUse) run(w *warp, mask uint32) status {
	if st := w.whole(mask); st != advance {
		return st
	}
	f, p := w.f, u.plan
	x := w.block.grid.worker(p)
	if p.e != nil && f.def[u.meta] != all {
		return w.failUndefined(^f.def[u.meta], u.meta)
	}
	set, st := u.factors(w)
	if st != advance {
		return st
	}
	complete := f.complete(u.a, u.b, u.c) && (set == nil || set.ok)
	if !complete {
		u.taint(w, nil, set)
	}
	w.block.grid.recorder().product(w, u)
	var out [4][]uint64
	for i := range p.instances {
		in := &p.instances[i]
		if p.e == nil {
			in.a.load(x.a, x.of(f, u.a))
		} else {
			in.a.load(x.held, x.of(f, u.a))
			if wrong := p.e.expand(x, &f.regs[u.meta], u.selector); wrong != "" {
				return w.fail(KindArgument, mask, "%s", wrong)
			}
		}
		in.b.load(x.b, x.of(f, u.b))
		in.c.load(x.c, x.of(f, u.c))
		p.widen(x)
		x.multiplyBy(p, set)
		if len(p.instances) > 1 {
			out[i] = append([]uint64(nil), x.c...)
		}
	}
	u.store(x.of(f, u.d), x.c, &out)
	if complete {
		for _, s := range u.d {
			f.def[s] = all
		}
	}
	return advance
}

// store writes the products to the registers of D: codes, or those in out if there are several instances.
func (u *mmaUse) store(regs []*vector, codes []uint64, out *[4][]uint64) {
	for i := range u.plan.instances {
		if out[i] != nil {
			codes = out[i]
		}
		u.plan.instances[i].d.store(codes, regs)
	}
}

// multiply adds the product of A and B to c, in place.
func (x *worker) multiply(p *mmaPlan, c []uint64) {
	if p.e != nil && p.floats {
		x.SetA(x.a, x.there)
	} else {
		x.SetA(x.a, nil)
	}
	x.SetB(x.b)
	for i := range p.rows {
		x.Row(i, c[i*p.columns:(i+1)*p.columns])
	}
}

// taint records which lanes of D have a value if some operands have missing values. An element of D has no value if it
// is computed from an element without a value, in registers or, if shared is not nil, in shared memory, or from a scale
// factor in set without a value.
func (u *mmaUse) taint(w *warp, shared *lostOperands, set *factorSet) {
	f, p := w.f, u.plan
	from := u.firstLost(w, shared)
	masks := make([]uint32, len(u.d))
	total := make([]uint32, len(u.d))
	for i := range p.instances {
		in := &p.instances[i]
		x := lostElements{p, make([]bool, p.rows*p.columns)}
		if u.c != nil {
			copy(x.lost, in.c.lost(f.masksOf(u.c)))
		}
		if u.a != nil {
			x.markRows(in.a.lost(f.masksOf(u.a)))
		}
		if u.b != nil {
			x.markColumns(in.b.lost(f.masksOf(u.b)))
		}
		if shared != nil {
			x.markRows(shared.rows)
			x.markColumns(shared.columns)
		}
		if set != nil {
			x.markRows(set.lost[0])
			x.markColumns(set.lost[1])
		}
		in.d.lanesWithValue(x.lost, masks)
		for r := range total {
			total[r] |= masks[r]
		}
	}
	for r, s := range u.d {
		f.def[s] = total[r]
		if total[r] != all {
			if f.why == nil {
				f.why = map[int]origin{}
			}
			f.why[s] = from
		}
	}
}

// firstLost returns the origin of the first operand without a value.
func (u *mmaUse) firstLost(w *warp, shared *lostOperands) (from origin) {
	f, list := w.f, slices.Concat(u.a, u.b, u.c)
	if u.scale != nil {
		list = append(list, u.scale.data[:]...)
	}
	for _, s := range list {
		if f.def[s] != all {
			from = origin{s, w.p.pc, nil}
			if older, ok := f.why[s]; ok {
				from = older
			}
			break
		}
	}
	if shared != nil && from.load == nil {
		from = origin{u.d[0], w.p.pc, shared.found}
	}
	return from
}

// masksOf returns, for each register, the lanes in which the register has a value.
func (f *frame) masksOf(slots []int) []uint32 {
	masks := make([]uint32, len(slots))
	for i, s := range slots {
		masks[i] = f.def[s]
	}
	return masks
}

// lostElements marks the elements of D that are computed from elements without a value.
type lostElements struct {
	p    *mmaPlan
	lost []bool
}

// markRows marks a row of D for each element of A without a value.
func (x lostElements) markRows(codes []bool) {
	for at, bad := range codes {
		if bad {
			first := x.rowOrColumn(at, len(codes)) / x.p.columns * x.p.columns
			for i := range x.p.columns {
				x.lost[first+i] = true
			}
		}
	}
}

// markColumns marks a column of D for each element of B without a value.
func (x lostElements) markColumns(codes []bool) {
	for at, bad := range codes {
		if bad {
			first := x.rowOrColumn(at, len(codes)) / x.p.rows
			for i := range x.p.rows {
				x.lost[first+i*x.p.columns] = true
			}
		}
	}
}

// rowOrColumn scales the index at, below n, to an index of the elements of D.
func (x lostElements) rowOrColumn(at, n int) int { return at * x.p.rows * x.p.columns / n }
