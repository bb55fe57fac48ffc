package runfile

import (
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
	typ           ptx.Type // of the elements
	rank          int      // of a tensor map
}

func (u *use) accessed() bool { return u.read || u.written }

// A trail is what a register has to do with a parameter: it holds what lies at the spot, or something that was computed
// of that, or the address of the spot.
type trail struct {
	spot
	address bool
}

// A tracer follows values from parameters to the instructions that access memory, instruction by instruction as they
// stand. That is a guess, for a skeleton that a person puts right.
type tracer struct {
	params map[ptx.Name]int
	regs   map[ptx.Name]trail
	uses   map[spot]*use
}

// usesOf returns what k does with its parameters.
func usesOf(k *ptx.Func) map[spot]*use {
	t := tracer{params: map[ptx.Name]int{}, regs: map[ptx.Name]trail{}, uses: map[spot]*use{}}
	for i, p := range k.Params {
		t.params[p.Name] = i
	}
	for range 2 { // what a loop computes is used above that, too
		for s := range k.Stmts() {
			if in, ok := s.(*ptx.Instr); ok && len(in.Operands) > 0 {
				t.step(in)
			}
		}
	}
	return t.uses
}

func (t *tracer) step(in *ptx.Instr) {
	name := in.Op.Name()
	switch name {
	case "ld", "ldu":
		if len(in.Operands) > 1 {
			t.load(in)
		}
	case "mov", "cvta", "cvt", "add", "sub", "mad", "selp", "and", "or", "max", "min":
		t.compute(in)
	case "st":
		t.access(in.Operands[0], use{written: true, typ: in.Op.Type()})
	case "atom", "red":
		for _, o := range in.Operands {
			t.access(o, use{read: true, written: true, typ: in.Op.Type()})
		}
	case "cp", "prefetch", "st.bulk", "tensormap":
		t.copy(in)
	default:
		if strings.HasPrefix(name, "cp") {
			t.copy(in)
		}
	}
}

// load follows a load: out of the parameters, or of memory.
func (t *tracer) load(in *ptx.Instr) {
	a, ok := in.Operands[1].(ptx.Addr)
	if !ok {
		return
	}
	from, known := t.of(a)
	d, single := in.Operands[0].(ptx.Name)
	size := int64(in.Op.Type().Bits() / 8)
	if v, ok := in.Operands[0].(ptx.Vec); ok && known && from.address && size == 8 { // several numbers of a struct
		for i, r := range v {
			if r, ok := r.(ptx.Name); ok {
				t.regs[r] = trail{spot: spot{from.param, from.offset + int64(i)*size}}
			}
		}
		return
	}
	switch {
	case known && from.address && single && size == 8:
		t.regs[d] = trail{spot: from.spot}
	case known && !from.address:
		t.use(from.spot, use{read: true, typ: in.Op.Type()})
	}
	if single && (!known || !from.address || size != 8) {
		delete(t.regs, d)
	}
}

// of returns where an address comes from.
func (t *tracer) of(a ptx.Addr) (trail, bool) {
	name := nameIn(a.Base)
	if i, ok := t.params[name]; ok {
		return trail{spot{i, a.Offset}, true}, true
	}
	from, ok := t.regs[name]
	if from.address {
		from.offset += a.Offset
	}
	return from, ok
}

// compute follows arithmetic: a sum with a pointer is one.
func (t *tracer) compute(in *ptx.Instr) {
	d, ok := in.Operands[0].(ptx.Name)
	if !ok {
		return
	}
	var got trail
	found, constant := false, int64(0)
	for _, o := range in.Operands[1:] {
		if n, ok := o.(ptx.Int); ok {
			constant = int64(n)
		}
		if s, ok := o.(ptx.Sym); ok {
			constant = s.Offset
		}
		name := nameIn(o)
		if i, ok := t.params[name]; ok {
			got, found = trail{spot{i, 0}, true}, true
		} else if from, ok := t.regs[name]; ok && !found {
			got, found = from, true
		}
	}
	if !found {
		delete(t.regs, d)
		return
	}
	if got.address {
		if in.Op.Name() == "sub" {
			constant = -constant
		}
		got.offset += constant
	}
	t.regs[d] = got
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
		if from, ok := t.of(a); ok && from.address && (len(a.Args) > 0 || in.Op.Has("tensormap")) {
			for r := range 5 {
				if in.Op.Has(string(rune('1'+r)) + "d") {
					u.rank = r + 1
				}
			}
			if u.rank > 0 {
				t.use(from.spot, u)
			}
			continue
		}
		if u.accessed() {
			t.access(o, u)
		}
	}
}

// access notes a use of the memory that an address operand leads to.
func (t *tracer) access(o ptx.Operand, u use) {
	a, ok := o.(ptx.Addr)
	if !ok {
		return
	}
	if from, known := t.of(a); known && !from.address {
		t.use(from.spot, u)
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
	old.rank = max(old.rank, u.rank)
	if old.typ == "" {
		old.typ = u.typ
	}
}
