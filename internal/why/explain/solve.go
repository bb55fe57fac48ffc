package explain

import (
	"fmt"

	"girih/cute"
)

// This file explains solutions of A o X = B and X o A = B.

// solveLimit is the largest layout whose offsets are all looked at for a table.
const solveLimit = 1 << 12

// solveInner explains how X follows from the indices at which A has the values of B.
func solveInner(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	b, ok2 := op.layoutArg(1)
	if !ok || !ok2 || a.HasBasis() || b.HasBasis() || a.Size() > solveLimit {
		return
	}
	x.Rule = "X(c) is an index at which A has the value B(c). X is a layout: a new mode begins at each product p of the extents before it, its stride is X(p), and up to the next p the values are sums of strides."
	row := func(i int64) []string {
		y, _ := at(b, cute.Int(i))
		return []string{itoa(i), y.String(), listOf(indicesOf(a, y))}
	}
	r, ok := op.layoutResult()
	if !ok {
		x.sayNeeded(op.Err, row)
		return
	}
	rows := [][]string{{"p", "B(p)", "A has it at", "mode of X"}}
	p := int64(1)
	for _, f := range leavesOf(cute.Coalesce(r)) {
		if p < b.Size() {
			rows = append(rows, append(row(p), fmt.Sprintf("%d:%v", f.Extent, f.Stride)))
		}
		p *= f.Extent
	}
	if b.Size() > 1 {
		x.say("Mode by mode, the fastest first:", columns(rows...)...)
	}
	x.verify("A(X(c)) = B(c)", b.Size(), func(i int64) bool {
		k, _ := at(r, cute.Int(i))
		u, ok1 := at(a, k)
		v, ok2 := at(b, cute.Int(i))
		return ok1 && ok2 && sameValue(u, v)
	})
}

// sayNeeded shows what X has to be, up to the index at which no layout solves the equation.
func (x *Explanation) sayNeeded(err *cute.Error, row func(i int64) []string) {
	if err == nil || err.Witness == nil {
		return
	}
	rows := [][]string{{"index", "B", "A has it at"}}
	for i := range min(err.Witness.Index, 7) {
		rows = append(rows, row(i))
	}
	x.say("What X has to be, up to the index that fails:", columns(append(rows, row(err.Witness.Index))...)...)
}

// indicesOf returns the indices of a at which it has a value.
func indicesOf(a cute.Layout, y cute.Tuple) []int64 {
	var all []int64
	for i := range a.Size() {
		if v, ok := at(a, cute.Int(i)); ok && sameValue(v, y) {
			all = append(all, i)
		}
	}
	return all
}

// listOf lists indices, or says that there are none below the size of A.
func listOf(xs []int64) string {
	if len(xs) == 0 {
		return "no index below its size"
	}
	return list(xs, 6)
}

// solveOuter explains how X follows from the offsets of A.
func solveOuter(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	b, ok2 := op.layoutArg(1)
	if !ok || !ok2 || a.HasBasis() || b.HasBasis() || a.Size() != b.Size() || a.Size() > solveLimit {
		return
	}
	x.Rule = "X(A(i)) = B(i) for every index i: each offset of A gives one linear equation for the strides of X, and other values of X are free. Where A has an offset twice, B must have one value."
	last := min(a.Size(), 8)
	if op.Err != nil && op.Err.Witness != nil {
		last = min(op.Err.Witness.Index+1, 8)
	}
	rows := [][]string{{"index", "offset of A", "value of X there"}}
	for i := range last {
		u, _ := at(a, cute.Int(i))
		y, _ := at(b, cute.Int(i))
		rows = append(rows, []string{itoa(i), u.String(), y.String()})
	}
	x.say(fmt.Sprintf("The equations of the first %d indices:", last), columns(rows...)...)
	if r, ok := op.layoutResult(); ok {
		x.verify("X(A(i)) = B(i)", a.Size(), func(i int64) bool {
			u, ok := at(a, cute.Int(i))
			y, ok1 := at(b, cute.Int(i))
			v, ok2 := at(r, u)
			return ok && ok1 && ok2 && sameValue(v, y)
		})
	}
}
