package kernel

import (
	"slices"

	"girih/cute"
	"girih/ptx"
)

// This file defines the loops and conditions that pass values on. A carried value has a register of its own, which is
// set before the loop and at the end of each iteration. All values of an iteration are set at once: exchanging two
// carried values exchanges them.

// ForCarry is [K.For] with a value that each iteration passes to the next: body gets the value of the iteration before,
// and init in the first one. ForCarry returns the value of the last iteration, or init if there is none. It refuses a
// result whose type is not the type of init with [cute.CodeType].
//
//go:noinline
func (k *K) ForCarry(from, to Index, init Value, body func(i Index, v Value) Value) Value {
	if body == nil {
		k.noFunction("for")
	}
	return one(k.loop("ForCarry", span{from, to}, []Value{init}, func(i Index, v []Value) []Value {
		return []Value{body(i, v[0])}
	}), init)
}

// ForCarryAll is [K.ForCarry] for several values, which may have different types. It refuses a result with another
// number of values than init with [cute.CodeRank].
func (k *K) ForCarryAll(from, to Index, init []Value, body func(i Index, v []Value) []Value) []Value {
	if body == nil {
		k.noFunction("for")
	}
	return k.loop("ForCarryAll", span{from, to}, init, body)
}

// IfElseCarry is [K.IfElse] with a result: the value of then in the threads for which the condition holds, and the
// value of otherwise in the others. It refuses values of different types with [cute.CodeType]. Unlike [K.Select] it
// computes only one of the values in a thread.
//
//go:noinline
func (k *K) IfElseCarry(c Cond, then, otherwise func() Value) Value {
	if then == nil || otherwise == nil {
		k.noFunction("if")
	}
	return one(k.fork("IfElseCarry", c, func() []Value { return []Value{then()} }, func() []Value {
		return []Value{otherwise()}
	}), Value{})
}

// IfElseCarryAll is [K.IfElseCarry] for several values. It refuses different numbers of values with [cute.CodeRank].
func (k *K) IfElseCarryAll(c Cond, then, otherwise func() []Value) []Value {
	if then == nil || otherwise == nil {
		k.noFunction("if")
	}
	return k.fork("IfElseCarryAll", c, then, otherwise)
}

// While executes body as long as the condition holds, which is asked before each iteration:
//
//	for v := init; cond(v); { v = body(v) }
//
// Each thread leaves the loop on its own. While returns the values for which the condition does not hold. It refuses a
// condition that always holds with [cute.CodeMode], and the results of body as [K.ForCarryAll] does.
func (k *K) While(init []Value, cond func(v []Value) Cond, body func(v []Value) []Value) []Value {
	const op = "while"
	if cond == nil || body == nil {
		k.noFunction(op)
	}
	if !k.takes(op, init...) {
		return init
	}
	top, end := k.b.Label(), k.b.Label()
	leave := k.enter("While")
	carried := k.copies(init) // in the region, so that a body cannot let them out
	k.c.Branch()
	c := cond(slices.Clone(carried))
	if k.meets(op, c) && !c.never {
		p := k.predicate(c)
		if p == nil {
			k.advise("let it depend on the carried values, or on what other threads write").refuse(op, cute.CodeMode,
				"the condition always holds: the loop has no end")
		}
		k.branch(p, end)
		seen, around := len(k.given), k.around
		k.given, k.around = append(k.given, c.less()...), append(slices.Clip(around), scope{cond: c, repeats: true})
		k.replace("While", carried, body(slices.Clone(carried)))
		k.given, k.around = k.given[:seen], around
	}
	stmts := k.c.End().Stmts
	leave()
	if c.never {
		return init
	}
	k.add(&ptx.Label{Name: top})
	for _, st := range stmts {
		k.c.Add(st)
	}
	k.emit("bra.uni", top)
	k.add(&ptx.Label{Name: end})
	return k.copies(carried)
}

// one returns the only value, or other after a mistake.
func one(vs []Value, other Value) Value {
	if len(vs) != 1 {
		return other
	}
	return vs[0]
}

// copies returns the values in new registers.
func (k *K) copies(vs []Value) []Value {
	var out []Value
	for _, v := range vs {
		typ := valueType(v.typ)
		out = append(out, Value{k, k.let(typ, "mov."+ptx.Op(typ), v.reg), v.typ})
	}
	return out
}

// set emits the copy of a value to the register of another.
func (k *K) set(to, v Value) {
	if to.reg != v.reg {
		k.emit("mov."+ptx.Op(valueType(v.typ)), to.reg, v.reg)
	}
}

// replace sets the carried values to the results of an iteration, all at once.
func (k *K) replace(what string, carried, out []Value) {
	if !k.takes("carry", out...) || !k.agree(what, carried, out) {
		return
	}
	for i, v := range out {
		if v.reg != carried[i].reg && slices.ContainsFunc(carried, func(c Value) bool { return c.reg == v.reg }) {
			out = slices.Clone(out)
			out[i] = k.copies(out[i : i+1])[0] // it is set before this one is read
		}
	}
	for i, v := range out {
		k.set(carried[i], v)
	}
}

// agree refuses two lists of values of different lengths or types.
func (k *K) agree(what string, v, w []Value) bool {
	if len(v) != len(w) {
		k.refuse("carry", cute.CodeRank, "k.%s carries %d values, and its body returns %d", what, len(v), len(w))
		return false
	}
	for i := range v {
		if v[i].typ != w[i].typ {
			k.advise("Convert one of them").refuse("carry", cute.CodeType,
				"value %d of k.%s is of type %v, and the body returns one of type %v", i, what, v[i].typ, w[i].typ)
			return false
		}
	}
	return k.err == nil
}

// join returns a register for each value that either of two bodies returns.
func (k *K) join(what string, v, w []Value) []Value {
	if !k.agree(what, v, w) {
		return nil
	}
	var out []Value
	for _, x := range v {
		out = append(out, Value{k, k.b.Reg(valueType(x.typ)), x.typ})
	}
	return out
}

// finish places the statements of a body of a condition, and sets the results to its values.
func (k *K) finish(stmts []ptx.Stmt, out, v []Value) {
	for _, st := range stmts {
		k.c.Add(st)
	}
	for i := range out {
		k.set(out[i], v[i])
	}
}
