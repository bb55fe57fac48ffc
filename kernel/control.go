package kernel

import (
	"slices"
	"strconv"

	"girih/cute"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/symbolic"
)

// For executes body for i = from, from+1, ..., to-1 when the kernel runs. Body is called once, during the trace. The
// range must fit in 32 bits: [cute.CodeOverflow] otherwise.
func (k *K) For(from, to Index, body func(i Index)) {
	first, last := k.expr(from), k.expr(to)
	lo, _ := first.Range()
	_, hi := last.Range()
	if !k.space() || k.s.Compare(first, last) == address.Never {
		return
	}
	if lo < -1<<31 || hi >= 1<<31 {
		k.advise("state smaller facts for the numbers in it").refuse("for", cute.CodeOverflow,
			"the counter would be from %d to %d, and has 32 bits", lo, hi)
		return
	}
	k.loops++
	level := levelThread + k.loops
	sym := k.symbol("i"+strconv.Itoa(k.loops), symbolic.Facts{Min: lo, Max: max(lo, hi-1)}, level)
	start, err := k.c.Value(first, 32)
	k.fail(err)
	end, err := k.c.Value(last, 32)
	k.fail(err)
	p, v, err := k.c.Less(first, last)
	k.fail(err)
	if k.err != nil {
		return
	}
	i, behind, top := k.b.Reg(ptx.B32), k.b.Label(), k.b.Label()
	k.emit("mov.b32", i, start)
	k.c.Loop(address.Counter{Symbol: sym, From: first, Step: 1}, i)
	seen := len(k.given)
	k.given = append(k.given, [2]address.Expr{sym.Expr(), last})
	around := k.around
	k.around = append(slices.Clip(around), scope{counter: sym, from: first, to: last})
	body(Index{k: k, x: sym.Expr()})
	k.given, k.around = k.given[:seen], around
	part := k.c.End()
	k.loops--
	if v == address.Unknown {
		k.add(&ptx.Instr{Pred: p.(ptx.Name), Not: true, Op: "bra", Operands: []ptx.Operand{behind}})
	}
	k.add(&ptx.Label{Name: top})
	for _, st := range part.Stmts {
		k.c.Add(st)
	}
	for _, st := range part.Latch {
		k.add(st)
	}
	k.emit("add.s32", i, i, ptx.Int(1))
	more := k.let(ptx.Pred, "setp.lt.s32", i, end)
	k.emitIf(more, "bra", top)
	if v == address.Unknown {
		k.add(&ptx.Label{Name: behind})
	}
}

// If executes then in the threads for which the condition holds.
func (k *K) If(c Cond, then func()) { k.IfElse(c, then, nil) }

// IfElse executes then in the threads for which the condition holds, and otherwise in the others.
func (k *K) IfElse(c Cond, then, otherwise func()) {
	if k.err != nil {
		return
	}
	if otherwise == nil {
		otherwise = func() {}
	}
	if c.never {
		otherwise()
		return
	}
	p := k.predicate(c)
	if p == nil {
		then()
		return
	}
	yes := k.branch(c, scope{cond: c}, func() {
		if k.isOne(c) {
			k.single++
			defer func() { k.single-- }()
		}
		then()
	})
	not := Cond{k: k} // the negated condition, as far as comparisons express it
	if len(c.less) == 1 && len(c.holds) == 0 {
		not.less = append(not.less, [2]address.Expr{c.less[0][1], k.s.Add(c.less[0][0], k.s.Const(1))})
	} else {
		not.holds = append(not.holds, p)
	}
	no := k.branch(not, scope{cond: c, negated: true}, otherwise)
	other, end := k.b.Label(), ptx.Name("")
	k.add(&ptx.Instr{Pred: p.(ptx.Name), Not: true, Op: "bra", Operands: []ptx.Operand{other}})
	for _, st := range yes {
		k.c.Add(st)
	}
	if len(no) > 0 {
		end = k.b.Label()
		k.emit("bra.uni", end)
	}
	k.add(&ptx.Label{Name: other})
	for _, st := range no {
		k.c.Add(st)
	}
	if end != "" {
		k.add(&ptx.Label{Name: end})
	}
}

// branch returns the statements that body emits under a condition; the scope records the whole condition.
func (k *K) branch(c Cond, s scope, body func()) []ptx.Stmt {
	k.c.Branch()
	seen, around := len(k.given), k.around
	k.given, k.around = append(k.given, c.less...), append(slices.Clip(around), s)
	body()
	k.given, k.around = k.given[:seen], around
	return k.c.End().Stmts
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
// shared memory.
//
//go:noinline
func (k *K) Sync() { k.emit("bar.sync", ptx.Int(0)) }
