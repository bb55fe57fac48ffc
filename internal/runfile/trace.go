package runfile

import (
	"slices"
	"strings"

	"girih/ptx"
)

// A spot is a byte of a parameter.
type spot struct {
	param  int
	offset int64
}

// A use is what a kernel does with what lies at a spot: with the memory that a pointer there leads to, or with a tensor
// map there.
type use struct {
	read, written bool
	counts        bool     // atomics change it, or a loop waits for it
	typ           ptx.Type // of the elements
	rank          int      // of a tensor map
}

func (u *use) accessed() bool { return u.read || u.written }

// A place is a variable of a function, of a call or of the module, or a register: what values go through.
type place struct {
	fn   *ptx.Func // nil of the module
	name ptx.Name
}

// A trail is where a value comes from: what lies at a spot of the parameters, the address of a spot, or the address
// offset bytes into a variable.
type trail struct {
	param   int // -1 for a variable
	of      place
	offset  int64
	address bool
	any     bool // the offset is not known
	index   bool // it was multiplied or converted: it is no pointer, though an address may depend on it
}

func (t trail) spot() spot { return spot{t.param, t.offset} }

const (
	mostTrails = 8  // of a value
	mostRounds = 12 // until all values have come through loops and calls
)

// values are trails of registers, by offset 0, and of the cells of variables.
type values map[place]map[int64][]trail

// add adds trails of a cell, and reports whether that was more.
func (v values) add(p place, offset int64, list []trail) bool {
	if v[p] == nil {
		v[p] = map[int64][]trail{}
	}
	old := v[p][offset]
	all := union(old, list)
	v[p][offset] = all
	return len(all) > len(old)
}

// union returns the trails of both, up to the most that there may be.
func union(a, b []trail) []trail {
	out := slices.Clip(a)
	for _, t := range b {
		if len(out) < mostTrails && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// A tracer follows values from parameters to the instructions that access memory: through registers, variables of any
// space, calls and all arithmetic that keeps a pointer one. Within a basic block a value ends where another one takes
// its place, and elsewhere it may be any that a block has left. That is a guess, for a person to put right.
type tracer struct {
	kernel  *ptx.Func
	params  map[ptx.Name]int
	funcs   map[ptx.Name]*ptx.Func
	vars    map[place]*ptx.Var
	left    values // what the blocks have left
	now     values // in the current one
	fn      *ptx.Func
	more    bool
	reached map[*ptx.Func]bool
	uses    map[spot]*use
	reaches map[int32][]spot // what the addresses of a line depend on
	shared  int64            // bytes of the shared memory of open size that are seen to be used
}

// traceOf follows the values of k.
func traceOf(m *ptx.Module, k *ptx.Func) *tracer {
	t := &tracer{
		kernel: k, params: map[ptx.Name]int{}, funcs: map[ptx.Name]*ptx.Func{}, vars: map[place]*ptx.Var{}, left: values{},
		reached: map[*ptx.Func]bool{k: true}, uses: map[spot]*use{}, reaches: map[int32][]spot{},
	}
	for i, p := range k.Params {
		t.params[p.Name] = i
	}
	for _, d := range m.Decls {
		switch d := d.(type) {
		case *ptx.Func:
			if !d.Entry && d.Body != nil {
				t.funcs[d.Name] = d
			}
		case *ptx.Var:
			t.vars[place{nil, d.Name}] = d
		}
	}
	for range mostRounds {
		t.more = false
		for _, d := range m.Decls {
			if f, ok := d.(*ptx.Func); ok && t.reached[f] {
				t.function(f)
			}
		}
		if !t.more {
			break
		}
	}
	for f := range t.reached {
		t.spins(f)
	}
	return t
}

// function follows the values of one function.
func (t *tracer) function(f *ptx.Func) {
	t.fn, t.now = f, values{}
	if !f.Entry {
		for _, v := range slices.Concat(f.Params, f.Returns) {
			t.vars[place{f, v.Name}] = v
		}
	}
	for s := range f.Stmts() {
		switch s := s.(type) {
		case *ptx.Var:
			if s.Space != ptx.Reg {
				t.vars[place{f, s.Name}] = s
			}
		case *ptx.Label:
			t.leave()
		case *ptx.Instr:
			t.step(s)
			if name := s.Op.Name(); name == "bra" || name == "brx" || name == "ret" || name == "exit" {
				t.leave()
			}
		}
	}
	t.leave()
}

// leave ends a basic block.
func (t *tracer) leave() {
	for p, cells := range t.now {
		for off, list := range cells {
			t.more = t.left.add(p, off, list) || t.more
		}
	}
	t.now = values{}
}

// get returns the trails of a cell.
func (t *tracer) get(p place, offset int64) []trail {
	if list, ok := t.now[p][offset]; ok {
		return list
	}
	return t.left[p][offset]
}

// set gives a cell trails.
func (t *tracer) set(p place, offset int64, list []trail) {
	if t.now[p] == nil {
		t.now[p] = map[int64][]trail{}
	}
	t.now[p][offset] = list
}

// whole returns the trails of all cells of a variable.
func (t *tracer) whole(p place) []trail {
	var list []trail
	for _, v := range []values{t.now, t.left} {
		offsets := make([]int64, 0, len(v[p]))
		for off := range v[p] {
			offsets = append(offsets, off)
		}
		slices.Sort(offsets)
		for _, off := range offsets {
			list = union(list, v[p][off])
		}
	}
	return list
}

// variable returns the variable of a name where the current function is.
func (t *tracer) variable(name ptx.Name) (place, bool) {
	for _, p := range []place{{t.fn, name}, {nil, name}} {
		if t.vars[p] != nil {
			return p, true
		}
	}
	return place{}, false
}

// operand returns the trails of an operand.
func (t *tracer) operand(o ptx.Operand) []trail {
	switch o := o.(type) {
	case ptx.Vec:
		var list []trail
		for _, x := range o {
			list = union(list, t.operand(x))
		}
		return list
	case ptx.Addr:
		return moved(t.operand(o.Base), o.Offset)
	case ptx.Sym:
		return moved(t.operand(o.Name), o.Offset)
	case ptx.Name:
		if i, ok := t.params[o]; ok && t.fn == t.kernel {
			return []trail{{param: i, address: true}}
		}
		if p, ok := t.variable(o); ok {
			return []trail{{param: -1, of: p, address: true}}
		}
		return t.get(place{t.fn, o.Base()}, 0)
	}
	return nil
}

// moved returns trails of which the addresses are n bytes further.
func moved(list []trail, n int64) []trail {
	if n == 0 {
		return list
	}
	out := slices.Clone(list)
	for i := range out {
		if out[i].address {
			out[i].offset += n
		}
	}
	return out
}

// indexes returns trails that are no pointers any more.
func indexes(list []trail) []trail {
	var out []trail
	for _, x := range list {
		if x.index = true; !x.address {
			out = append(out, x)
		}
	}
	return out
}

func (t *tracer) step(in *ptx.Instr) {
	if len(in.Operands) == 0 {
		return
	}
	name := in.Op.Name()
	first := in.Operands[0]
	switch name {
	case "call":
		t.call(in)
	case "ld", "ldu":
		if len(in.Operands) > 1 {
			t.load(in)
		}
	case "st":
		if len(in.Operands) > 1 {
			t.store(in)
		}
	case "atom", "red":
		for _, o := range in.Operands {
			t.access(in, o, use{read: true, written: true, counts: true, typ: in.Op.Type()})
		}
	case "bra", "brx", "bar", "barrier", "ret", "exit", "setp", "mbarrier", "wgmma", "fence": // give no address
	default:
		if strings.HasPrefix(name, "cp") || name == "prefetch" || name == "tensormap" {
			t.copy(in)
		} else if _, ok := first.(ptx.Addr); !ok {
			t.compute(in)
		}
	}
}

// assign gives a register trails. Those that it had stay if the instruction may not be executed, or sets a part.
func (t *tracer) assign(in *ptx.Instr, r ptx.Name, list []trail) {
	p := place{t.fn, r.Base()}
	if in.Pred != "" || r != r.Base() {
		list = union(t.get(p, 0), list)
	}
	t.set(p, 0, list)
}

// load follows a load: of a parameter, of a variable, or of memory.
func (t *tracer) load(in *ptx.Instr) {
	size := int64(in.Op.Type().Bits() / 8)
	regs := []ptx.Operand{in.Operands[0]}
	if v, ok := in.Operands[0].(ptx.Vec); ok {
		regs = v
	}
	from := t.operand(in.Operands[1])
	t.access(in, in.Operands[1], use{read: true, typ: in.Op.Type()})
	for i, r := range regs {
		r, ok := r.(ptx.Name)
		if !ok {
			continue
		}
		var list []trail
		for _, x := range moved(from, int64(i)*size) {
			switch {
			case !x.address:
			case x.param >= 0:
				list = union(list, []trail{{param: x.param, offset: x.offset, index: size != 8}})
			case x.any:
				list = union(list, t.whole(x.of))
			default:
				list = union(list, t.get(x.of, x.offset))
			}
		}
		t.assign(in, r, list)
	}
}

// store follows a store.
func (t *tracer) store(in *ptx.Instr) {
	size := int64(in.Op.Type().Bits() / 8)
	list := []ptx.Operand{in.Operands[1]}
	if v, ok := in.Operands[1].(ptx.Vec); ok {
		list = v
	}
	to := t.operand(in.Operands[0])
	t.access(in, in.Operands[0], use{written: true, typ: in.Op.Type()})
	for i, v := range list {
		has := t.operand(v)
		for _, x := range moved(to, int64(i)*size) {
			switch {
			case !x.address || x.param >= 0:
			case in.Pred != "" || len(to) > 1 || x.any:
				t.set(x.of, x.offset, union(t.get(x.of, x.offset), has))
			default:
				t.set(x.of, x.offset, has)
			}
		}
	}
}

// chooses are the instructions of which the result is one of the operands, or has all of them in it.
var chooses = []string{"mov", "selp", "min", "max", "prmt", "shfl", "cvta", "slct", "movmatrix"}

// scales are those that make another number of a pointer.
var scales = []string{"mul", "mul24", "shl", "shr", "div", "rem", "popc", "clz", "bfind", "set"}

// compute follows arithmetic: a sum with a pointer is one, the pointer of the first operand that has some.
func (t *tracer) compute(in *ptx.Instr) {
	name := in.Op.Name()
	from, constant := in.Operands[1:], int64(0)
	var list, weak []trail
	known := true
	for i, o := range from {
		if n, ok := o.(ptx.Int); ok {
			constant = int64(n)
			continue
		}
		has := t.operand(o)
		known = known && (len(from) == 1 || hasAddress(has))
		scaled := slices.Contains(scales, name) || strings.HasPrefix(name, "mad") && i < 2 || name == "fma"
		switch {
		case scaled, len(list) > 0 && !slices.Contains(chooses, name) && isPointer(list):
			weak = union(weak, indexes(has))
		default:
			list = union(list, has)
		}
	}
	switch {
	case name == "sub":
		constant = -constant
		fallthrough
	case name == "add" || strings.HasPrefix(name, "mad"):
		list = moved(list, constant)
		for i := range list {
			list[i].any = list[i].any || !known && list[i].address && list[i].param < 0
		}
	}
	list = union(slices.Clone(list), weak)
	t.grow(list, 0)
	dst := []ptx.Operand{in.Operands[0]}
	if v, ok := in.Operands[0].(ptx.Vec); ok {
		dst = v
	}
	if p, ok := in.Operands[0].(ptx.Pair); ok {
		dst = []ptx.Operand{p.First}
	}
	for _, d := range dst {
		if d, ok := d.(ptx.Name); ok {
			t.assign(in, d, list)
		}
	}
}

// isPointer reports whether some of the trails may be pointers.
func isPointer(list []trail) bool {
	return slices.ContainsFunc(list, func(x trail) bool { return !x.index })
}

func hasAddress(list []trail) bool {
	return slices.ContainsFunc(list, func(x trail) bool { return x.address })
}

// call follows the arguments into a function, and its results back.
func (t *tracer) call(in *ptx.Instr) {
	ops := in.Operands
	var returns, args ptx.Args
	if list, ok := ops[0].(ptx.Args); ok {
		returns, ops = list, ops[1:]
	}
	if len(ops) == 0 {
		return
	}
	name, _ := ops[0].(ptx.Name)
	if len(ops) > 1 {
		args, _ = ops[1].(ptx.Args)
	}
	targets := []*ptx.Func{t.funcs[name]}
	if targets[0] == nil {
		targets = nil
		if strings.HasPrefix(string(name), "%") { // by its address: any that takes so many arguments
			for _, f := range t.funcs {
				if len(f.Params) == len(args) && len(f.Returns) == len(returns) {
					targets = append(targets, f)
				}
			}
		}
	}
	for _, f := range targets {
		if !t.reached[f] {
			t.reached[f], t.more = true, true
		}
		for i := range min(len(args), len(f.Params)) {
			t.pass(t.placeOf(args[i]), place{f, f.Params[i].Name})
		}
		for i := range min(len(returns), len(f.Returns)) {
			t.pass(place{f, f.Returns[i].Name}, t.placeOf(returns[i]))
		}
	}
}

// placeOf returns where an argument is.
func (t *tracer) placeOf(o ptx.Operand) place {
	name, _ := o.(ptx.Name)
	if p, ok := t.variable(name); ok {
		return p
	}
	return place{t.fn, name}
}

// pass copies all cells of one place to another one.
func (t *tracer) pass(from, to place) {
	for _, v := range []values{t.now, t.left} {
		for off, list := range v[from] {
			t.more = t.left.add(to, off, list) || t.more
			if t.now[to] != nil {
				t.now[to][off] = union(t.now[to][off], list)
			}
		}
	}
}

// copy follows what copies between memories, and tensor maps.
func (t *tracer) copy(in *ptx.Instr) {
	load := false
	for _, to := range []string{".shared::cluster.global", ".shared::cta.global", ".shared.global"} {
		load = load || strings.Contains(string(in.Op), to)
	}
	for i, o := range in.Operands {
		a, ok := o.(ptx.Addr)
		if !ok {
			continue
		}
		u := use{read: load || i > 0, written: !load && i == 0}
		if in.Op.Name() == "prefetch" || in.Op.Name() == "tensormap" {
			u = use{}
		}
		if len(a.Args) > 0 || in.Op.Has("tensormap") {
			for r := range 5 {
				if in.Op.Has(string(rune('1'+r)) + "d") {
					u.rank = r + 1
				}
			}
			if t.tensor(o, u) {
				continue
			}
		}
		if u.rank = 0; u.accessed() {
			t.access(in, o, u)
		}
	}
}

// tensor notes that an operand is the address of a tensor map, and reports whether that is in a parameter.
func (t *tracer) tensor(o ptx.Operand, u use) bool {
	some := false
	for _, x := range t.operand(o) {
		if x.address && x.param >= 0 {
			if some = true; u.rank > 0 {
				t.use(x.spot(), u)
			}
		}
	}
	return some
}

// access notes a use of the memory that an address operand leads to.
func (t *tracer) access(in *ptx.Instr, o ptx.Operand, u use) {
	if _, ok := o.(ptx.Addr); !ok {
		return
	}
	list := t.operand(o)
	t.grow(list, int64(in.Op.Type().Bits()/8*max(in.Op.Vec(), 1)))
	for _, x := range list {
		if x.address {
			continue
		}
		if at := in.Pos.Line; !slices.Contains(t.reaches[at], x.spot()) {
			t.reaches[at] = append(t.reaches[at], x.spot())
		}
		if !x.index {
			t.use(x.spot(), u)
		}
	}
}

// grow notes how far the shared memory of open size is seen to go.
func (t *tracer) grow(list []trail, n int64) {
	for _, x := range list {
		if v := t.vars[x.of]; x.address && x.param < 0 && v != nil && v.Space == ptx.Shared && v.Size() == 0 {
			t.shared = max(t.shared, x.offset+n)
		}
	}
}

// use adds a use of a spot.
func (t *tracer) use(at spot, u use) {
	old := t.uses[at]
	if old == nil {
		old = new(use)
		t.uses[at] = old
	}
	old.read = old.read || u.read
	old.written = old.written || u.written
	old.counts = old.counts || u.counts
	old.rank = max(old.rank, u.rank)
	if old.typ == "" {
		old.typ = u.typ
	}
}

// spins finds the words that loops wait for: a load that others may answer, within a loop, of which the value decides
// whether that goes on.
func (t *tracer) spins(f *ptx.Func) {
	at := map[ptx.Name]int{}
	var code []*ptx.Instr
	for s := range f.Stmts() {
		switch s := s.(type) {
		case *ptx.Label:
			at[s.Name] = len(code)
		case *ptx.Instr:
			code = append(code, s)
		}
	}
	for i, in := range code {
		if in.Op.Name() != "bra" || in.Pred == "" || len(in.Operands) != 1 {
			continue
		}
		label, _ := in.Operands[0].(ptx.Name)
		begin, ok := at[label]
		if !ok || begin > i {
			continue
		}
		for k := begin; k < i; k++ {
			if ld := code[k]; ld.Op.Name() == "ld" && strong(ld.Op) && decides(code[k:i], ld, in.Pred) {
				for _, x := range t.reaches[ld.Pos.Line] {
					if u := t.uses[x]; u != nil && u.accessed() {
						u.counts = true
					}
				}
			}
		}
	}
}

// strong reports whether a load sees what others store while it is repeated.
func strong(op ptx.Op) bool {
	for _, m := range []string{"volatile", "relaxed", "acquire", "mmio", "cv", "cg"} {
		if op.Has(m) {
			return true
		}
	}
	return false
}

// decides reports whether a predicate is computed of what a load gives, in the code from there on.
func decides(code []*ptx.Instr, ld *ptx.Instr, pred ptx.Name) bool {
	of := map[ptx.Name]bool{}
	var mark func(o ptx.Operand, names func(ptx.Name))
	mark = func(o ptx.Operand, names func(ptx.Name)) {
		switch o := o.(type) {
		case ptx.Name:
			names(o)
		case ptx.Vec:
			for _, x := range o {
				mark(x, names)
			}
		case ptx.Pair:
			mark(o.First, names)
			mark(o.Second, names)
		}
	}
	mark(ld.Operands[0], func(n ptx.Name) { of[n] = true })
	for _, in := range code[1:] {
		if len(in.Operands) < 2 || in.Op.Name() == "ld" {
			continue
		}
		hit := false
		for _, o := range in.Operands[1:] {
			mark(o, func(n ptx.Name) { hit = hit || of[n] })
		}
		if hit {
			mark(in.Operands[0], func(n ptx.Name) { of[n] = true })
		}
	}
	return of[pred]
}
