package sim

import (
	"fmt"
	"runtime"
	"slices"

	"girih/ptx"
)

// symKind is the kind of a symbol.
type symKind uint8

const truePred = 0 // the predicate that is always true

const (
	symVar symKind = iota // a variable in memory
	symReg
	symPred
	symTargets
	symPrototype
)

// symbol is what a name refers to in a scope. A register receives a slot at its first use, so that the declaration of
// a million registers costs nothing.
type symbol struct {
	kind   symKind
	v      *ptx.Var
	slot   int            // -1 before the first use
	offset int64          // for a variable: the address in its space, or the distance from the beginning of the frame
	frame  bool           // whether offset is in the frame
	of     *ptx.Func      // the function that declares it, for a variable in global or constant memory
	list   []ptx.Name     // the labels in a list of targets
	to     []*int         // the places of the targets, if they were looked up
	proto  *ptx.Prototype // for indirect calls
}

// scope contains the names declared between two braces.
type scope struct {
	up     *scope
	names  map[ptx.Name]*symbol
	ranges map[ptx.Name]*symbol // "%r" of %r<100>
	labels map[ptx.Name]*int    // index of the instruction
	block  *ptx.Block
}

// decoder reads one function.
type decoder struct {
	*function
	program *Program
	scope   *scope
	loc     *ptx.Loc
	index   map[uint64]int      // slots of constants
	shared  map[uint64]int      // slots of addresses of shared memory
	named   map[ptx.Name]int    // slots of special registers
	before  []step              // steps that fetch the special registers of the current instruction
	flows   map[int]flow        // by instruction: where a branch leads
	places  map[[3]int]*ptx.Loc // places of inlined lines, by file, line and column
	self    int                 // index of the current instruction
	wgmmas  wgmmaUses
	edges   int             // the number of targets of indexed branches
	exist   map[ptx.Op]bool // opcodes that were found among the forms
	use     recorded        // of the current instruction, set by its row
}

// read decodes f. The error is of type *[Error].
func (f *function) read() error {
	d := &decoder{
		function: f, program: f.kernel.program, index: map[uint64]int{}, shared: map[uint64]int{}, named: map[ptx.Name]int{},
		flows: map[int]flow{}, places: map[[3]int]*ptx.Loc{}, exist: map[ptx.Op]bool{},
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
	d.wgmmas.watch = usesAsync(f.decl.Body)
	if err := d.block(f.decl.Body); err != nil {
		return err
	}
	d.wgmmas.finish(f)
	last := instr{guard: -1, join: -1, do: returnStep}
	if f.decl.Entry {
		last.do = func(w *warp, mask uint32) status { return w.exit(mask) }
	}
	f.code = append(f.code, last)
	if len(f.slots) > maxSlots {
		return errorf(CodeModule, "%s has %d registers and constants, and may have %d", f.name, len(f.slots), maxSlots)
	}
	f.reconverge(d.flows)
	return nil
}

func (d *decoder) open() {
	d.scope = &scope{
		up: d.scope, names: map[ptx.Name]*symbol{}, ranges: map[ptx.Name]*symbol{}, labels: map[ptx.Name]*int{},
	}
}

// block reads the statements of b in a new scope.
func (d *decoder) block(b *ptx.Block) error {
	d.open()
	d.scope.block = b
	defer func() { d.scope = d.scope.up }()
	for _, s := range b.Stmts { // labels, and lists of labels, may be used before their declaration
		switch s := s.(type) {
		case *ptx.Label:
			d.scope.labels[s.Name] = new(int)
		case *ptx.Targets:
			d.scope.names[s.Name] = &symbol{kind: symTargets, list: s.List}
		case *ptx.Prototype:
			d.scope.names[s.Name] = &symbol{kind: symPrototype, proto: s}
		}
	}
	for _, s := range b.Stmts {
		var err error
		switch s := s.(type) {
		case *ptx.Label:
			*d.scope.labels[s.Name] = len(d.code)
		case *ptx.Loc:
			d.loc = d.place(s)
		case *ptx.Pragma:
			d.fact(s)
		case *ptx.Block:
			err = d.block(s)
		case *ptx.Var:
			_, err = d.declare(s)
		case *ptx.Instr:
			d.wgmmas.note(d, s)
			d.code = append(d.code, d.instr(s))
			d.keepUse(s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// place returns loc with the whole chain of inlining. The inlined_at of a .loc names the place of an earlier .loc,
// which says where that place was inlined itself.
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

// declare adds v to the scope, with a place in memory if it needs one.
func (d *decoder) declare(v *ptx.Var) (*symbol, error) {
	s := &symbol{kind: symVar, v: v, slot: -1}
	if err := checkVector(v); err != nil {
		return nil, err
	}
	switch {
	case v.Space == ptx.Reg:
		s.kind = symReg
		if v.Type == ptx.Pred {
			s.kind = symPred
		}
	case v.Space == ptx.Shared:
		d.share(s)
	case v.Space == ptx.Local || v.Space == ptx.Param:
		s.frame = true
		s.offset = up(d.local, max(alignment(v), 8))
		if size := v.Size(); s.offset > MaxLocal || size > MaxLocal-s.offset {
			return nil, errorf(CodeModule, "line %d: %s takes %s after %d others, and a thread may have %d",
				v.Pos.Line, v.Name, bytesText(size), d.local, MaxLocal)
		}
		d.local = s.offset + v.Size()
	case v.Space == ptx.Global || v.Space == ptx.Const:
		s = d.program.inner[v]
	}
	if v.Count > 0 {
		d.scope.ranges[v.Name] = s
	} else {
		d.scope.names[v.Name] = s
	}
	return s, nil
}

// share places s in shared memory, or after all other variables there if the size of s is open.
func (d *decoder) share(s *symbol) {
	k := d.kernel
	if s.v.Size() == 0 {
		k.align = max(k.align, alignment(s.v))
		s.offset = -1
		return
	}
	s.offset = up(sharedStart+k.shared, alignment(s.v))
	if k.shared = MaxShared + 1; s.v.Size() <= MaxShared { // otherwise the sum may overflow
		k.shared = min(s.offset+s.v.Size()-sharedStart, MaxShared+1)
	}
}

// lookup returns the symbol of a name, or nil.
func (d *decoder) lookup(name ptx.Name) *symbol {
	for s := d.scope; s != nil; s = s.up {
		if sym := s.names[name]; sym != nil {
			return sym
		}
		if len(s.ranges) == 0 {
			continue
		}
		if sym := findNumbered(s.ranges, name); sym != nil {
			s.names[name] = sym
			return sym
		}
	}
	sym := d.program.variable(name)
	if sym != nil && sym.v.Space == ptx.Shared {
		// Each kernel lays out those shared variables of the module that the kernel uses.
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
	n := slotsOf(s.v)
	for i := range n {
		own := name
		if s.v.Vec > 1 {
			own = element(name, i)
		}
		d.slots = append(d.slots, slot{own, min(max(s.v.Type.Bits(), 8), 64)})
	}
	return s.slot
}

// instr reads one instruction. An instruction that cannot be read fails when it is executed.
func (d *decoder) instr(in *ptx.Instr) instr {
	d.self, d.before = len(d.code), nil
	out := instr{guard: -1, join: -1, src: in, loc: d.loc}
	if in.Pred != "" {
		g, err := d.predSlot(in.Pred)
		if err != nil {
			out.do = unsupportedStep(err)
			return out
		}
		out.guard = int32(g)
		if in.Not {
			out.not = all
		}
	}
	o := newOpcode(d.spread(in))
	do, err := d.step(o)
	if err == nil {
		err = d.legal(o)
	}
	if err != nil {
		out.do = unsupportedStep(err)
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

// legal returns an error if o has a modifier that no row asked for, or if PTX has no such instruction.
func (d *decoder) legal(o *opcode) error {
	if err := o.checkUnused(); err != nil {
		return err
	}
	if !d.exist[o.Op] {
		if err := d.exists(o); err != nil {
			return err
		}
		d.exist[o.Op] = true
	}
	return d.widths(o)
}

// unsupportedStep returns the step of an instruction that cannot be run, for the reason err.
func unsupportedStep(err error) step {
	return func(w *warp, mask uint32) status {
		return w.fail(KindUnsupported, mask, "%v", err)
	}
}

// A row reads the instructions of one opcode.
type row = func(d *decoder, o *opcode) (step, error)

// families are the tables of opcodes.
func families() []func(name string) row {
	return []func(string) row{
		integerRow, videoRow, bitRow, floatRow, convertRow, compareRow, memoryRow, atomicRow, branchRow, shuffleRow,
		barrierRow, clusterRow, copyRow, mbarrierRow, fenceRow, mapRow, matrixRow, wgmmaRow, wmmaRow, tensorRow, launchRow,
	}
}

// step finds the row of an instruction and applies it. Rows index operands and types by position, as the grammar of
// each opcode defines them. An instruction that lacks an operand or type is malformed; step makes the error for that,
// for all rows.
func (d *decoder) step(o *opcode) (do step, err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(runtime.Error); !ok {
				panic(r)
			}
			do, err = nil, fmt.Errorf("%d operands do not fit %s", len(o.Operands), o.Op)
		}
	}()
	for _, family := range families() {
		if r := family(o.name); r != nil {
			return r(d, o)
		}
	}
	if o.name == "multimem" {
		return nil, fmt.Errorf("the instruction %s is not known: its address is of memory of several GPUs, and a launch here has one",
			o.Op)
	}
	return nil, fmt.Errorf("the instruction %s is not known", o.Op)
}

// dst returns the slot of a destination. The slot of the sink is never read.
func (d *decoder) dst(o ptx.Operand) (int, error) {
	if o == nil {
		return 0, errMissing
	}
	name, ok := o.(ptx.Name)
	if !ok {
		return 0, fmt.Errorf("operand %s: expected a register to write", o)
	}
	if name == ptx.Sink {
		slot := d.newSlot("_", 64)
		d.newSlot("_", 64) // the upper half of 128 bits
		return slot, nil
	}
	s := d.lookup(name)
	if s == nil || s.kind != symReg {
		if base := d.lookup(name.Base()); base == nil || base.kind != symReg {
			return 0, fmt.Errorf("operand %s: expected a register to write", o)
		}
	}
	return d.nameSlot(name)
}

// predSlot returns the number of a predicate.
func (d *decoder) predSlot(name ptx.Name) (int, error) {
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

// srcPred returns the number of a predicate that is read; not is all ones if the predicate is negated. A constant may
// be a predicate too.
func (d *decoder) srcPred(o ptx.Operand) (slot int, not uint32, err error) {
	switch o := o.(type) {
	case nil:
		return 0, 0, errMissing
	case ptx.Name:
		slot, err = d.predSlot(o)
		return slot, 0, err
	case ptx.Unary:
		slot, err = d.predSlot(o.X)
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

// ones returns a mask of the n low bits.
func ones(n int) uint64 {
	if n >= 64 {
		return ^uint64(0)
	}
	return 1<<n - 1
}

// extend returns the signed value of the n low bits of v.
func extend(v uint64, n int) int64 { return int64(v<<(64-n)) >> (64 - n) }
