package kernel

import (
	"fmt"
	"slices"
	"strconv"

	"girih/cute"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/symbolic"
)

// For executes body for i = from, from+1, ..., to-1 when the kernel runs. Body is called once, during the trace, so a
// Value that is made in it ends with it: [K.ForCarry] passes values from one iteration to the next. Fragments keep
// their elements. A range that does not fit in 32 bits is refused with [cute.CodeOverflow].
//
//go:noinline
func (k *K) For(from, to Index, body func(i Index)) {
	if body == nil {
		k.noFunction("for")
	}
	d := k.does(&emit.Step{Op: "for", At: k.coords(from, to)})
	k.loop("For", span{from, to}, nil, func(i Index, _ []Value) []Value {
		d.counts(i)
		d.aloud(func() { body(i) })
		return nil
	})
	d.endBody()
}

// A turn is a loop of the kernel that is being traced.
type turn struct {
	first, last address.Expr
	sym         *address.Symbol
	start, end  ptx.Operand
	enters      ptx.Operand // the predicate that there is an iteration; nil if there always is
	counter     ptx.Name
	top         *ptx.Label // of the body
}

// what describes a loop for a listing.
func (t *turn) what() string {
	return fmt.Sprintf("for %v from %v, below %v: %v counts in %s", t.sym.Expr(), t.first, t.last, t.sym.Expr(), t.counter)
}

// A span is the range of a loop.
type span struct{ from, to Index }

// loop traces a loop that carries values, and returns the values after it.
func (k *K) loop(what string, r span, init []Value, body func(i Index, v []Value) []Value) []Value {
	if !k.takes("for", init...) {
		return init
	}
	t := turn{first: k.expr(r.from), last: k.expr(r.to)}
	if !k.space() || k.s.Compare(t.first, t.last) == address.Never || !k.begins(&t) {
		return init
	}
	leave := k.enter(what)
	carried := k.copies(init) // in the region, so that a body cannot let them out
	i, behind, top := k.b.Reg(ptx.B32), k.b.Label(), k.b.Label()
	t.counter, t.top = i, &ptx.Label{Name: top}
	k.turns = append(k.turns, &t)
	k.emit("mov.b32", i, t.start)
	k.homes[t.sym] = k.region
	k.c.Loop(address.Counter{Symbol: t.sym, From: t.first, Step: 1}, i)
	seen, around, passed := len(k.given), k.around, len(k.passes)
	k.given = append(k.given, [2]address.Expr{t.sym.Expr(), t.last})
	k.around = append(slices.Clip(around), scope{counter: t.sym, from: t.first, to: t.last})
	k.replace(what, carried, body(k.of(t.sym.Expr(), k.region), slices.Clone(carried)))
	k.given, k.around = k.given[:seen], around
	k.revolve(passed, t.first, t.last)
	part := k.c.End()
	leave()
	k.loops--
	if t.enters != nil {
		k.branch(t.enters, behind)
	}
	k.add(t.top)
	for _, st := range part.Stmts {
		k.c.Add(st)
	}
	for _, st := range part.Latch {
		k.add(st)
	}
	k.emit("add.s32", i, i, ptx.Int(1))
	more := k.let(ptx.Pred, "setp.lt.s32", i, t.end)
	k.emitIf(more, "bra", top)
	if t.enters != nil {
		k.add(&ptx.Label{Name: behind})
	}
	return k.copies(carried)
}

// begins prepares a loop: its counter, and the registers of its range. It reports whether there is no mistake.
func (k *K) begins(t *turn) bool {
	lo, _ := t.first.Range()
	_, hi := t.last.Range()
	if lo < -1<<31 || hi >= 1<<31 {
		k.advise("state smaller facts for the numbers in it").refuse("for", cute.CodeOverflow,
			"the counter would be from %d to %d, and has 32 bits", lo, hi)
		return false
	}
	k.loops++
	t.sym = k.symbol("i"+strconv.Itoa(k.loops), symbolic.Facts{Min: lo, Max: max(lo, hi-1)}, levelThread+k.loops)
	var err error
	t.start, err = k.c.Value(t.first, 32)
	k.fail(err)
	t.end, err = k.c.Value(t.last, 32)
	k.fail(err)
	t.enters, _, err = k.c.Less(t.first, t.last)
	k.fail(err)
	return k.err == nil
}

// If executes then in the threads for which the condition holds. A Value that is made in it ends with it.
//
//go:noinline
func (k *K) If(c Cond, then func()) {
	if then == nil {
		k.noFunction("if")
	}
	d := k.does(&emit.Step{Op: "if", Cond: k.condition(c)})
	k.fork("If", c, func() []Value {
		d.aloud(then)
		return nil
	}, nil)
	d.endBody()
}

// IfElse executes then in the threads for which the condition holds, and otherwise in the others. [K.IfElseCarry]
// returns values of both.
//
//go:noinline
func (k *K) IfElse(c Cond, then, otherwise func()) {
	if otherwise == nil {
		k.If(c, then)
		return
	}
	if then == nil {
		k.noFunction("if")
	}
	d := k.does(&emit.Step{Op: "if", Cond: k.condition(c)})
	k.fork("IfElse", c, func() []Value {
		d.aloud(then)
		return nil
	}, func() []Value {
		d.then("else")
		d.aloud(otherwise)
		return nil
	})
	d.endBody()
}

// fork traces a condition, and returns the values of the part that is executed.
func (k *K) fork(what string, c Cond, then, otherwise func() []Value) []Value {
	if !k.meets("if", c) {
		return nil
	}
	if otherwise == nil {
		otherwise = func() []Value { return nil }
	}
	if c.never {
		return otherwise()
	}
	p := k.predicate(c)
	if p == nil {
		return then()
	}
	yes, v := k.part(what, c, scope{cond: c}, func() []Value {
		if k.isOne(c) {
			k.single++
			defer func() { k.single-- }()
		}
		return then()
	})
	not := Cond{k: k} // the negated condition, as far as comparisons express it
	if len(c.less()) == 1 && len(c.holds()) == 0 {
		not.terms = &terms{less: [][2]address.Expr{{c.less()[0][1], k.s.Add(c.less()[0][0], k.s.Const(1))}}}
	} else {
		not.terms = &terms{holds: []ptx.Operand{p}}
	}
	no, w := k.part(what, not, scope{cond: c, negated: true}, otherwise)
	out := k.join(what, v, w)
	other, end := k.b.Label(), ptx.Name("")
	k.branch(p, other)
	k.finish(yes, out, v)
	if len(no) > 0 || len(out) > 0 {
		end = k.b.Label()
		k.emit("bra.uni", end)
	}
	k.add(&ptx.Label{Name: other})
	k.finish(no, out, w)
	if end != "" {
		k.add(&ptx.Label{Name: end})
	}
	return out
}

// branch emits a branch that the threads of a predicate do not take.
func (k *K) branch(p ptx.Operand, to ptx.Name) {
	name, _ := p.(ptx.Name)
	k.add(&ptx.Instr{Pred: name, Not: true, Op: "bra", Operands: []ptx.Operand{to}})
}

// part returns the statements that body emits under a condition, and its values; the scope records the whole condition.
func (k *K) part(what string, c Cond, s scope, body func() []Value) ([]ptx.Stmt, []Value) {
	leave := k.enter(what)
	k.c.Branch()
	seen, around := len(k.given), k.around
	k.given, k.around = append(k.given, c.less()...), append(slices.Clip(around), s)
	v := body()
	k.takes("if", v...)
	k.given, k.around = k.given[:seen], around
	stmts := k.c.End().Stmts
	leave()
	return stmts, v
}

// holds reports whether a comparison is among the conditions around the code being traced.
func (k *K) holds(l [2]address.Expr) bool {
	d := k.s.Sub(l[1], l[0])
	for _, g := range k.given {
		if k.s.Sub(g[1], g[0]) == d {
			return true
		}
	}
	return false
}

// Sync waits for all threads of the block: __syncthreads. Afterwards each thread may read what other threads wrote to
// shared memory. It is refused with [cute.CodeMode] under a condition that certainly holds for some lanes of a warp
// only, such as k.ThreadIdx().Less(kernel.Int(16)).
//
//go:noinline
func (k *K) Sync() {
	defer k.op("sync", 0).end()
	k.together("sync")
	k.emit("bar.sync", ptx.Int(0))
}
