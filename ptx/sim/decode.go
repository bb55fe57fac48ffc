package sim

import (
	"fmt"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"girih/ptx"
)

// symKind says what a name stands for.
type symKind uint8

const truePred = 0 // the predicate that is always true

const (
	symVar symKind = iota // a variable in memory
	symReg
	symPred
	symTargets
	symPrototype
)

// symbol is what a name of a scope stands for. Registers get their slot when they are first used, so that it costs
// nothing to declare a million of them.
type symbol struct {
	kind   symKind
	v      *ptx.Var
	slot   int   // -1 for none yet
	offset int64 // of a variable: its address in its space, or from the beginning of the frame
	frame  bool  // the latter
	list   []ptx.Name
}

// scope has the names between two braces.
type scope struct {
	up     *scope
	names  map[ptx.Name]*symbol
	ranges map[ptx.Name]*ptx.Var // "%r" of %r<100>
	labels map[ptx.Name]*int     // index of the instruction
}

// decoder reads one function.
type decoder struct {
	*function
	program *Program
	scope   *scope
	loc     *ptx.Loc
	index   map[uint64]int      // constants that have a slot
	shared  map[uint64]int      // addresses of shared memory that have one
	named   map[ptx.Name]int    // special registers that have one
	before  []step              // of the instruction that is read: what fetches its special registers
	flows   map[int]flow        // where branches lead to
	places  map[[3]int]*ptx.Loc // of inlined lines, by file, line and column
	self    int                 // index of the instruction that is read
	wgmmas  wgmmaUses
}

// read decodes f. The error is of type *[Error].
func (f *function) read() error {
	d := &decoder{
		function: f, program: f.kernel.program, index: map[uint64]int{}, shared: map[uint64]int{}, named: map[ptx.Name]int{},
		flows: map[int]flow{}, places: map[[3]int]*ptx.Loc{},
	}
	d.open()
	d.preds = []ptx.Name{"true"}
	var err error
	if !f.decl.Entry {
		if f.returns, err = d.bind(f.decl.Returns); err != nil {
			return err
		}
		if f.params, err = d.bind(f.decl.Params); err != nil {
			return err
		}
	}
	if f.decl.Entry {
		for _, p := range f.kernel.params {
			d.scope.names[p.decl.Name] = &symbol{kind: symVar, v: p.decl, slot: -1, offset: int64(p.offset)}
		}
	}
	d.wgmmas.watch = usesWgmma(f.decl.Body)
	if err := d.block(f.decl.Body); err != nil {
		return err
	}
	d.wgmmas.finish(f)
	last := instr{guard: -1, join: -1, do: returnStep}
	if f.decl.Entry {
		last.do = func(w *warp, mask uint32) status { return w.exit(mask) }
	}
	f.code = append(f.code, last)
	if f.local > MaxLocal {
		return errorf(CodeModule, "%s has %d bytes of local variables, and a thread may have %d", f.name, f.local, MaxLocal)
	}
	if len(f.slots) > maxSlots {
		return errorf(CodeModule, "%s has %d registers and constants, and may have %d", f.name, len(f.slots), maxSlots)
	}
	f.reconverge(d.flows)
	return nil
}

// bind gives the parameters of a function that is no kernel their places.
func (d *decoder) bind(list []*ptx.Var) ([]binding, error) {
	var out []binding
	for _, v := range list {
		s, err := d.declare(v)
		if err != nil {
			return nil, err
		}
		b := binding{v, -1, s.offset}
		if s.kind == symReg {
			b.slot = d.slotOf(s, v.Name)
		}
		out = append(out, b)
	}
	return out, nil
}

func (d *decoder) open() {
	d.scope = &scope{
		up: d.scope, names: map[ptx.Name]*symbol{}, ranges: map[ptx.Name]*ptx.Var{}, labels: map[ptx.Name]*int{},
	}
}

// block reads the statements of b, a scope of their own.
func (d *decoder) block(b *ptx.Block) error {
	d.open()
	defer func() { d.scope = d.scope.up }()
	for _, s := range b.Stmts { // labels and what lists them are used before they are declared
		switch s := s.(type) {
		case *ptx.Label:
			d.scope.labels[s.Name] = new(int)
		case *ptx.Targets:
			d.scope.names[s.Name] = &symbol{kind: symTargets, list: s.List}
		case *ptx.Prototype:
			d.scope.names[s.Name] = &symbol{kind: symPrototype}
		}
	}
	for _, s := range b.Stmts {
		var err error
		switch s := s.(type) {
		case *ptx.Label:
			*d.scope.labels[s.Name] = len(d.code)
		case *ptx.Loc:
			d.loc = d.place(s)
		case *ptx.Block:
			err = d.block(s)
		case *ptx.Var:
			_, err = d.declare(s)
		case *ptx.Instr:
			d.wgmmas.note(d, s)
			d.code = append(d.code, d.instr(s))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// place returns loc with the whole chain of where it was inlined: its inlined_at names a place that another .loc before
// it was for, which says on where that was inlined.
func (d *decoder) place(loc *ptx.Loc) *ptx.Loc {
	if loc.At == nil {
		return loc
	}
	out := *loc
	if up := d.places[[3]int{loc.At.File, loc.At.Line, loc.At.Col}]; up != nil && loc.At.At == nil {
		out.At = up
	}
	d.places[[3]int{loc.File, loc.Line, loc.Col}] = &out
	return &out
}

// declare adds v to the scope and gives it a place in memory if it has one.
func (d *decoder) declare(v *ptx.Var) (*symbol, error) {
	s := &symbol{kind: symVar, v: v, slot: -1}
	switch {
	case v.Space == ptx.Reg && v.Count > 0:
		d.scope.ranges[v.Name] = v
		return s, nil
	case v.Space == ptx.Reg:
		s.kind = symReg
		if v.Type == ptx.Pred {
			s.kind = symPred
		}
	case v.Space == ptx.Shared:
		d.share(s)
	case v.Space == ptx.Local || v.Space == ptx.Param:
		size := v.Size()
		if size > MaxLocal || d.local > MaxLocal {
			return nil, errorf(CodeModule, "line %d: %s takes %d bytes, and a thread may have %d",
				v.Pos.Line, v.Name, size, MaxLocal)
		}
		s.frame = true
		s.offset = up(d.local, max(alignment(v), 8))
		d.local = s.offset + size
	case v.Space == ptx.Global || v.Space == ptx.Const:
		return nil, errorf(CodeModule, "line %d: %s: a variable of the space .%s in a function", v.Pos.Line, v.Name, v.Space)
	}
	d.scope.names[v.Name] = s
	return s, nil
}

// share gives s a place in shared memory, or behind it if its size is left open.
func (d *decoder) share(s *symbol) {
	k := d.kernel
	if s.v.Size() == 0 {
		k.align = max(k.align, alignment(s.v))
		s.offset = -1
		return
	}
	s.offset = up(sharedStart+k.shared, alignment(s.v))
	k.shared = min(s.offset+s.v.Size()-sharedStart, MaxShared+1)
}

// lookup returns what name stands for, or nil.
func (d *decoder) lookup(name ptx.Name) *symbol {
	for s := d.scope; s != nil; s = s.up {
		if sym := s.names[name]; sym != nil {
			return sym
		}
		stem := ptx.Name(strings.TrimRight(string(name), "0123456789"))
		if v := s.ranges[stem]; v != nil && stem != name {
			digits := string(name[len(stem):])
			if n, err := strconv.Atoi(digits); err == nil && n < v.Count && strconv.Itoa(n) == digits {
				sym := &symbol{kind: symReg, v: v, slot: -1}
				if v.Type == ptx.Pred {
					sym.kind = symPred
				}
				s.names[name] = sym
				return sym
			}
		}
	}
	sym := d.program.vars[name]
	if sym != nil && sym.v.Space == ptx.Shared {
		// Each kernel lays out for itself what of the module's shared memory it uses.
		own := d.kernel.own[name]
		if own == nil {
			own = &symbol{kind: symVar, v: sym.v, slot: -1}
			d.share(own)
			d.kernel.own[name] = own
		}
		return own
	}
	return sym
}

// slotOf returns the slot of a register, or of its first element.
func (d *decoder) slotOf(s *symbol, name ptx.Name) int {
	if s.slot >= 0 {
		return s.slot
	}
	if s.kind == symPred {
		s.slot = len(d.preds)
		d.preds = append(d.preds, name)
		return s.slot
	}
	s.slot = len(d.slots)
	n := max(s.v.Vec, 1)
	if s.v.Type.Bits() == 128 {
		n *= 2
	}
	for range n {
		d.slots = append(d.slots, slot{name, min(max(s.v.Type.Bits(), 8), 64)})
	}
	return s.slot
}

// instr reads one instruction. One that cannot be read fails when it is executed.
func (d *decoder) instr(in *ptx.Instr) instr {
	d.self, d.before = len(d.code), nil
	out := instr{guard: -1, join: -1, src: in, loc: d.loc}
	if in.Pred != "" {
		g, err := d.pred(in.Pred)
		if err != nil {
			out.do = unsupported(err)
			return out
		}
		out.guard = int32(g)
		if in.Not {
			out.not = all
		}
	}
	o := newOpcode(in)
	do, err := d.step(o)
	if err == nil {
		err = o.unused()
	}
	if err != nil {
		out.do = unsupported(err)
		d.unknown = append(d.unknown, fmt.Errorf("line %d: %s: %w", in.Pos.Line, in.Op, err))
		delete(d.flows, d.self)
		return out
	}
	out.do, out.meter = do, d.meterOf(in)
	if before := slices.Clone(d.before); len(before) > 0 {
		out.do = func(w *warp, mask uint32) status {
			for _, b := range before {
				b(w, mask)
			}
			return do(w, mask)
		}
	}
	return out
}

// unsupported is an instruction that cannot be run, for the reason err.
func unsupported(err error) step {
	return func(w *warp, mask uint32) status {
		return w.fail(KindUnsupported, mask, "%v", err)
	}
}

// A row reads the instructions of one opcode.
type row = func(d *decoder, o *opcode) (step, error)

// families are the tables of opcodes.
func families() []func(name string) row {
	return []func(string) row{
		integerRow, bitRow, floatRow, convertRow, compareRow, memoryRow, atomicRow, branchRow, shuffleRow, barrierRow,
		clusterRow, copyRow, mbarrierRow, fenceRow, mapRow, matrixRow, wgmmaRow, wmmaRow,
	}
}

// step finds the row of an instruction and lets it read it. The rows take operands and types by their places, as the
// grammar of each opcode has them; an instruction that lacks one is malformed, which is said here for all of them.
func (d *decoder) step(o *opcode) (do step, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(runtime.Error); !ok {
				panic(r)
			}
			do, err = nil, fmt.Errorf("%d operands are not those of %s", len(o.Operands), o.Op)
		}
	}()
	for _, family := range families() {
		if r := family(o.name); r != nil {
			return r(d, o)
		}
	}
	return nil, fmt.Errorf("the instruction %s is not known", o.name)
}

// constant returns the slot that holds v.
func (d *decoder) constant(v uint64) int {
	if s, ok := d.index[v]; ok {
		return s
	}
	s := d.newSlot(ptx.Name(fmt.Sprintf("constant 0x%x", v)), 64)
	d.consts = append(d.consts, &constant{slot: s, value: v})
	d.index[v] = s
	return s
}

func (d *decoder) newSlot(name ptx.Name, bits int) int {
	d.slots = append(d.slots, slot{name, bits})
	return len(d.slots) - 1
}

// src returns the slot of a source of type t.
func (d *decoder) src(o ptx.Operand, t ptx.Type) (int, error) {
	switch o := o.(type) {
	case ptx.Int:
		if t == ptx.F32 {
			return d.constant(uint64(math.Float32bits(float32(o)))), nil
		} else if t == ptx.F64 {
			return d.constant(math.Float64bits(float64(o))), nil
		}
		return d.constant(uint64(o) & ones(t.Bits())), nil
	case ptx.Bits32:
		if t == ptx.F64 {
			return d.constant(math.Float64bits(float64(o.Float()))), nil
		}
		return d.constant(uint64(o)), nil
	case ptx.Bits64:
		if t == ptx.F32 {
			return d.constant(uint64(math.Float32bits(float32(o.Float())))), nil
		}
		return d.constant(uint64(o)), nil
	case ptx.Name:
		return d.nameSlot(o)
	case ptx.Sym:
		if o.Mask != 0 {
			break
		}
		return d.symbolAddress(o)
	}
	return 0, fmt.Errorf("operand %s: expected a register or a constant", o)
}

// nameSlot returns the slot of a register, a special register, or the address of a variable or function.
func (d *decoder) nameSlot(name ptx.Name) (int, error) {
	s := d.lookup(name)
	part := 0
	if s == nil && name.Part() != "" {
		if s = d.lookup(name.Base()); s != nil && s.kind == symReg {
			if part = strings.Index("xyzw", name.Part()); part < 0 || part >= s.v.Vec {
				return 0, fmt.Errorf("%s: no such part", name)
			}
		}
	}
	switch {
	case s == nil && strings.HasPrefix(string(name), "%"):
		return d.special(name)
	case s == nil || s.kind == symVar:
		return d.symbolAddress(ptx.Sym{Name: name})
	case s.kind != symReg:
		return 0, fmt.Errorf("%s: expected a register that is no predicate", name)
	}
	return d.slotOf(s, name) + part, nil
}

// symbolAddress returns a slot with the address of a variable or function and offset.
func (d *decoder) symbolAddress(sym ptx.Sym) (int, error) {
	name, offset := sym.Name, sym.Offset
	s := d.lookup(name)
	if s == nil {
		f, i := d.program.find(name)
		if f == nil {
			return 0, fmt.Errorf("the name %s is not declared", name)
		}
		return d.constant(functionBase + 16*uint64(i)), nil
	}
	if s.kind != symVar {
		return 0, fmt.Errorf("%s: expected a variable", name)
	}
	window := uint64(0)
	if sym.Generic {
		window = windowOf(s.v.Space)
	}
	switch {
	case s.frame:
		n := d.newSlot(name, 64)
		if s.v.Space == ptx.Param {
			window = localWindow // registers cannot tell them from the parameters of the kernel otherwise
		}
		d.locals = append(d.locals, constant{slot: n, value: window + uint64(s.offset+offset)})
		return n, nil
	case s.v.Space == ptx.Shared && s.offset < 0:
		c := &constant{d.newSlot(name, 64), window + uint64(offset), true}
		d.consts = append(d.consts, c)
		d.kernel.externs = append(d.kernel.externs, c)
		return c.slot, nil
	case s.offset == 0 && (s.v.Space == ptx.Global || s.v.Space == ptx.Const):
		return 0, fmt.Errorf("the variable %s is declared without a definition", name)
	}
	if s.v.Space == ptx.Shared {
		return d.sharedConstant(window + uint64(s.offset+offset)), nil
	}
	return d.constant(window + uint64(s.offset+offset)), nil
}

// dst returns the slot of a destination; that of the sink is one that nobody reads.
func (d *decoder) dst(o ptx.Operand) (int, error) {
	name, ok := o.(ptx.Name)
	if !ok {
		return 0, fmt.Errorf("operand %s: expected a register to write", o)
	}
	if name == ptx.Sink {
		return d.newSlot("_", 64), nil
	}
	s := d.lookup(name)
	if s == nil || s.kind != symReg {
		if base := d.lookup(name.Base()); base == nil || base.kind != symReg {
			return 0, fmt.Errorf("operand %s: expected a register to write", o)
		}
	}
	return d.nameSlot(name)
}

// pred returns the number of a predicate.
func (d *decoder) pred(name ptx.Name) (int, error) {
	if name == ptx.Sink {
		d.preds = append(d.preds, "_")
		return len(d.preds) - 1, nil
	}
	if name == "%is_explicit_cluster" {
		return d.explicitCluster(), nil
	}
	s := d.lookup(name)
	if s == nil || s.kind != symPred {
		return 0, fmt.Errorf("operand %s: expected a predicate", name)
	}
	return d.slotOf(s, name), nil
}

// srcPred returns the number of a predicate that is read, and all ones if it is negated. Constants are predicates
// too.
func (d *decoder) srcPred(o ptx.Operand) (slot int, not uint32, err error) {
	switch o := o.(type) {
	case ptx.Name:
		slot, err = d.pred(o)
		return slot, 0, err
	case ptx.Unary:
		slot, err = d.pred(o.X)
		if err == nil && o.Op != '!' {
			err = fmt.Errorf("operand %s: expected a predicate", o)
		}
		return slot, all, err
	case ptx.Int:
		if o != 0 {
			return truePred, 0, nil
		}
		return truePred, all, nil
	}
	return 0, 0, fmt.Errorf("operand %s: expected a predicate", o)
}

// srcs returns the slots of sources of one type.
func (d *decoder) srcs(list []ptx.Operand, t ptx.Type) ([]int, error) {
	slots := make([]int, len(list))
	for i, o := range list {
		var err error
		if slots[i], err = d.src(o, t); err != nil {
			return nil, err
		}
	}
	return slots, nil
}

// ones returns a mask of n low bits.
func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// extend returns the signed value of the n low bits of v.
func extend(v uint64, n int) int64 { return int64(v<<(64-n)) >> (64 - n) }
