package runfile

import (
	"slices"
	"strings"

	"girih/ptx"
)

// This file follows values through instructions.

// step follows one instruction.
func (t *tracer) step(in *ptx.Instr) {
	if len(in.Operands) == 0 {
		return
	}
	name := in.Op.Name()
	first := in.Operands[0]
	if t.guided != nil && t.guide(in) {
		return
	}
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
	case "bra", "brx", "bar", "barrier", "ret", "exit", "setp", "mbarrier", "wgmma", "fence": // the result is no address
	default:
		if strings.HasPrefix(name, "cp") || name == "prefetch" || name == "tensormap" {
			t.copy(in)
		} else if _, ok := first.(ptx.Addr); !ok {
			t.compute(in)
		}
	}
}

// assign sets the trails of a register. Its previous trails stay if the instruction may not be executed, or sets only a
// part of it.
func (t *tracer) assign(in *ptx.Instr, r ptx.Name, list []trail) {
	p := place{t.fn, r.Base()}
	if in.Pred != "" || r != r.Base() {
		list = t.union(t.get(p, 0), list)
	}
	if in.Pred != "" && t.guided != nil {
		list = t.union(list, indexes(t.operand(in.Pred)))
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
		if t.guided != nil {
			list = indexes(from)
		}
		for _, x := range moveTrails(from, int64(i)*size) {
			switch {
			case !x.address:
			case x.param >= 0:
				list = t.union(list, []trail{{param: x.param, offset: x.offset, index: size != 8}})
			case x.any:
				list = t.union(list, t.whole(x.of))
			default:
				list = t.union(list, t.get(x.of, x.offset))
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
		for _, x := range moveTrails(to, int64(i)*size) {
			switch {
			case !x.address || x.param >= 0:
			case in.Pred != "" || len(to) > 1 || x.any:
				t.set(x.of, x.offset, t.union(t.get(x.of, x.offset), has))
			default:
				t.set(x.of, x.offset, has)
			}
		}
	}
}

// chooses are the instructions whose result is one of the operands, or contains all of them.
var chooses = []string{"mov", "selp", "min", "max", "prmt", "shfl", "cvta", "slct", "movmatrix"}

// scales are the instructions that turn a pointer into another number.
var scales = []string{"mul", "mul24", "shl", "shr", "div", "rem", "popc", "clz", "bfind", "set"}

// compute follows arithmetic: the sum of a pointer and a number is a pointer, based on the first operand with an
// address.
func (t *tracer) compute(in *ptx.Instr) {
	name := in.Op.Name()
	adds := name == "add" || strings.HasPrefix(name, "mad")
	s := t.sources(name, in.Operands[1:])
	if name == "sub" {
		adds, s.constant = true, -s.constant
	}
	list := s.list
	if adds {
		list = moveTrails(list, s.constant)
		for i := range list {
			list[i].any = list[i].any || !s.known && list[i].address && list[i].param < 0
		}
	}
	list = t.union(slices.Clone(list), s.weak)
	t.grow(list, 0)
	for _, d := range destinations(in.Operands[0]) {
		if d, ok := d.(ptx.Name); ok {
			t.assign(in, d, list)
		}
	}
}

// sources are the trails of the operands of arithmetic.
type sources struct {
	list, weak []trail // the trails of the pointer, and of the indexes that are added to it
	constant   int64
	known      bool // whether each source has an address, or is the only one
}

// sources returns the sources of an instruction.
func (t *tracer) sources(name string, from []ptx.Operand) sources {
	s := sources{known: true}
	for i, o := range from {
		if n, ok := o.(ptx.Int); ok {
			s.constant = int64(n)
			continue
		}
		has := t.operand(o)
		s.known = s.known && (len(from) == 1 || hasAddress(has))
		second := len(s.list) > 0 && !slices.Contains(chooses, name) && isPointer(s.list)
		if second || isScaled(name, i) {
			s.weak = t.union(s.weak, indexes(has))
		} else {
			s.list = t.union(s.list, has)
		}
	}
	return s
}

// isScaled reports whether an instruction multiplies or shifts its source i, which is then an index and not a pointer.
func isScaled(name string, i int) bool {
	return slices.Contains(scales, name) || strings.HasPrefix(name, "mad") && i < 2 || name == "fma"
}

// destinations returns the registers that a destination operand names, without the second one of a pair.
func destinations(o ptx.Operand) []ptx.Operand {
	switch o := o.(type) {
	case ptx.Vec:
		return o
	case ptx.Pair:
		return []ptx.Operand{o.First}
	}
	return []ptx.Operand{o}
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
		if strings.HasPrefix(string(name), "%") { // called by address: any function with this number of arguments
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

// placeOf returns the place of an argument.
func (t *tracer) placeOf(o ptx.Operand) place {
	name, _ := o.(ptx.Name)
	if p, ok := t.variable(name); ok {
		return p
	}
	return place{t.fn, name}
}

// pass copies all cells of one place to another.
func (t *tracer) pass(from, to place) {
	for _, v := range []values{t.now, t.left} {
		for off, list := range v[from] {
			t.add(to, off, list)
			if t.now[to] != nil {
				t.now[to][off] = t.union(t.now[to][off], list)
			}
		}
	}
}

// copy follows copies between memories, and tensor maps.
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
		if u.rank = 0; u.isAccessed() {
			t.access(in, o, u)
		}
	}
}

// tensor records that an operand is the address of a tensor map, and reports whether that is in a parameter.
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
