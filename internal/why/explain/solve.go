package explain

import (
	"fmt"

	"girih/cute"
)

// This file explains solutions of A o X = B and X o A = B.

// solveLimit is the largest layout of which every offset is looked at for a table.
const solveLimit = 1 << 12

// solveInner explains how X follows from the indices at which A has the values of B.
func solveInner(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	b, ok2 := op.layoutArg(1)
	if !ok || !ok2 || a.HasBasis() || b.HasBasis() || a.Size() > solveLimit {
		return
	}
	x.Rule = "X(c) is an index at which A has the value B(c). X is a layout: a new mode begins at each product p of the extents before it, its stride is X(p), and up to the next p the values are sums of strides."
	indices := func(y cute.Tuple) string {
		var list []int64
		for i := range a.Size() {
			if v, ok := at(a, cute.Int(i)); ok && sameValue(v, y) {
				list = append(list, i)
			}
		}
		return listOf(list)
	}
	row := func(i int64) []string {
		y, _ := at(b, cute.Int(i))
		return []string{itoa(i), y.String(), indices(y)}
	}
	r, ok := op.layoutResult()
	if !ok {
		if op.Err != nil && op.Err.Witness != nil {
			rows := [][]string{{"index", "B", "A has it at"}}
			for i := range min(op.Err.Witness.Index, 7) {
				rows = append(rows, row(i))
			}
			x.say("What X has to be, up to the index that fails:", columns(append(rows, row(op.Err.Witness.Index))...)...)
		}
		return
	}
	rows := [][]string{{"p", "B(p)", "A has it at", "mode of X"}}
	p := int64(1)
	for _, f := range leavesOf(cute.Coalesce(r)) {
		rows = append(rows, append(row(p), fmt.Sprintf("%d:%v", f.Extent, f.Stride)))
		if p *= f.Extent; p >= b.Size() {
			break
		}
	}
	if b.Size() > 1 {
		x.say("Mode by mode, the fastest first:", columns(rows...)...)
	}
	x.verify("A(X(c)) = B(c)", b.Size(), func(i int64) bool {
		k, ok := at(r, cute.Int(i))
		u, ok1 := at(a, k)
		v, ok2 := at(b, cute.Int(i))
		return ok && ok1 && ok2 && sameValue(u, v)
	})
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
