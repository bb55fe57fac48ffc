package kernel

import (
	"girih/cute"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
)

// ForStep executes body for i = from, from+step, from+2·step, ... while i < to: the loop of a grid's stride. It fails
// with [cute.CodeExtent] if the step may be below 1, the [cute.CodeOverflow] of [Index.DivMod] for a step that is known
// only when the kernel runs, and the errors of [K.For].
//
//go:noinline
func (k *K) ForStep(from, to, step Index, body func(i Index)) {
	if body == nil {
		k.noFunction("for")
	}
	k.forStep("ForStep", [3]Index{from, to, step}, func(_, i Index) { body(i) })
}

// forStep is ForStep for a body that also gets the number of the iteration, from 0 on.
//
//go:noinline
func (k *K) forStep(what string, of [3]Index, body func(count, i Index)) {
	from, to, step := of[0], of[1], of[2]
	by := k.expr(step)
	if least, _ := by.Range(); least < 1 {
		k.refuse("for", cute.CodeExtent, "expected a step of at least 1, found %v, from %d on", step, least)
		return
	}
	far := to.Sub(from).Add(step).Sub(Int(1))
	var times Index
	if n, ok := step.Int64(); ok {
		times = far.Div(n)
	} else {
		times, _ = far.Max(Int(0)).DivMod(step)
	}
	d := k.does(&emit.Step{Op: "for", At: k.coords(Int(0), times)})
	k.loop(what, span{Int(0), times}, nil, func(count Index, _ []Value) []Value {
		i := from.Add(count.Mul(step))
		k.given = append(k.given, [2]address.Expr{k.expr(i), k.expr(to)}) // the loop restores it
		d.counts(count)
		d.aloud(func() { body(count, i) })
		return nil
	})
	d.endBody()
}
