package scalar

import (
	"fmt"

	"girih/ptx"
)

// emission is the state of writing one kernel.
type emission struct {
	*ptx.Builder
	k        *kernel
	names    []ptx.Name // the names of values; "" before a value is computed
	in, out  ptx.Name
	lane     ptx.Name
	supports func(*Form) bool
}

// function returns the kernel in a part that begins at from, without the steps of unsupported forms and the steps that
// depend on them.
func (k *kernel) function(from base, supports func(*Form) bool) (*ptx.Func, error) {
	e := &emission{
		Builder: ptx.NewKernel(ptx.Name(k.name)), k: k, names: make([]ptx.Name, len(k.values)), supports: supports,
	}
	in, out := e.Param(ptx.U64, "in"), e.Param(ptx.U64, "out")
	e.Direct("reqntid", Lanes)
	e.lane = e.Let(ptx.U32, "mov.u32", ptx.Name("%tid.x"))
	for _, p := range []struct {
		to    *ptx.Name
		param ptx.Name
		slot  int
	}{{&e.in, in, k.in - from.in}, {&e.out, out, k.out - from.out}} {
		base := e.Let(ptx.U64, "ld.param.u64", ptx.Addr{Base: p.param})
		base = e.Let(ptx.U64, "add.s64", base, ptx.Int(p.slot*slotSize))
		*p.to = e.Let(ptx.U64, "mad.wide.u32", e.lane, ptx.Int(8), base)
	}
	for i := range k.programs {
		e.program(&k.programs[i])
	}
	e.Emit("ret")
	return e.Func()
}

// program writes the steps of a program. Steps that share the carry flag are written or omitted together.
func (e *emission) program(p *program) {
	for i := 0; i < len(p.steps); {
		n := 1
		for i+n < len(p.steps) && p.steps[i+n].form.flags.carry&readsCarry != 0 {
			n++
		}
		e.steps(p.steps[i : i+n])
		i += n
	}
}

func (e *emission) steps(list []step) {
	for i := range list {
		if !e.computes(&list[i], list[:i]) {
			return // the flag has no meaning without the step that writes it
		}
	}
	for i := range list {
		for _, v := range list[i].sources() {
			if e.names[v] == "" && e.k.values[v].input {
				e.names[v] = e.load(v)
			}
		}
	}
	for i := range list {
		e.step(&list[i])
	}
	for i := range list {
		for _, v := range list[i].results() {
			e.store(v)
		}
	}
}

// computes reports whether a step can be computed, after others.
func (e *emission) computes(s *step, before []step) bool {
	if !e.supports(s.form) {
		return false
	}
	for _, v := range s.sources() {
		if e.k.values[v].input || e.names[v] != "" {
			continue
		}
		found := false
		for i := range before {
			for _, w := range before[i].results() {
				found = found || v == w
			}
		}
		if !found {
			return false
		}
	}
	return true
}

// register returns the type of the register of a value.
func (v *value) register() ptx.Type {
	switch {
	case v.typ != "":
		return v.typ
	case v.bits == 1:
		return ptx.Pred
	}
	return ptx.Type(fmt.Sprintf("b%d", v.bits))
}

// register returns a register for a value. Registers of 8 bits are declared, because a builder does not make them.
func (e *emission) register(v int) ptx.Name {
	x := &e.k.values[v]
	if x.typ == "" {
		return e.Reg(x.register())
	}
	return e.Declare(&ptx.Var{Space: ptx.Reg, Type: x.typ, Name: ptx.Name(fmt.Sprintf("%%k%d", v))})
}

// load writes the load of an input.
func (e *emission) load(v int) ptx.Name {
	x := &e.k.values[v]
	at := ptx.Addr{Base: e.in, Offset: int64((x.slot - e.k.in) * slotSize)}
	if x.bits == 1 {
		return e.Let(ptx.Pred, "setp.ne.b32", e.Let(ptx.B32, "ld.global.b32", at), ptx.Int(0))
	}
	r := e.register(v)
	e.Emit(ptx.Op("ld.global."+x.register()), r, at)
	return r
}

// store writes the store of a result.
func (e *emission) store(v int) {
	x, from := &e.k.values[v], e.names[v]
	at := ptx.Addr{Base: e.out, Offset: int64((x.slot - e.k.out) * slotSize)}
	if x.bits == 1 {
		e.Emit("st.global.b32", at, e.Let(ptx.B32, "selp.b32", ptx.Int(1), ptx.Int(0), from))
		return
	}
	e.Emit(ptx.Op("st.global."+x.register()), at, from)
}

// step writes an instruction.
func (e *emission) step(s *step) {
	for _, v := range s.results() {
		x := &e.k.values[v]
		e.names[v] = e.register(v)
		if s.guard < 0 {
			continue
		}
		if x.bits == 1 { // lanes that do not take part also need a value
			e.Emit("setp.ne.b32", e.names[v], e.lane, e.lane)
		} else {
			e.Emit("mov."+ptx.Op(x.register()), e.names[v], ptx.Int(0))
		}
	}
	var operands []ptx.Operand
	if s.pair {
		operands = append(operands, ptx.Pair{First: e.names[s.dst[0].value], Second: e.names[s.dst[1].value]})
	} else {
		operands = append(operands, e.operand(s.dst[0]))
	}
	for _, o := range s.src {
		if o.list == nil && o.value < 0 && o.fixed == nil {
			continue // these are the members of activemask
		}
		operands = append(operands, e.operand(o))
	}
	if s.form.Op == "mov.b128" { // this package does not use 128-bit memory
		q := e.Reg(ptx.B128)
		e.Emit(s.form.Op, q, operands[1])
		e.Emit(s.form.Op, operands[0], q)
		return
	}
	if s.guard >= 0 {
		e.EmitIf(e.names[s.guard], s.form.Op, operands...)
		return
	}
	e.Emit(s.form.Op, operands...)
}

func (e *emission) operand(o operand) ptx.Operand {
	if o.list != nil {
		var v ptx.Vec
		for _, x := range o.list {
			v = append(v, e.operand(x))
		}
		return v
	}
	if o.value < 0 {
		return o.fixed
	}
	n := e.names[o.value] + ptx.Name(o.part)
	if o.mark != 0 {
		return ptx.Unary{Op: o.mark, X: n}
	}
	return n
}
