//go:build !js || kernels

package service

import (
	"fmt"

	"girih/internal/lang/report"
	"girih/ptx/sim"
)

// DefaultOrders limits the orders that --exhaustive tries if given no number.
const DefaultOrders = 10_000

// cutRuns is how many runs there may be for each order: runs that turn out to equal an earlier one are cut off.
const cutRuns = 8

// explore runs the kernel in all orders, up to the first in which something is wrong or another output comes out. With
// --strict it then looks for strict findings in all orders.
func (x *simulation) explore() *report.Error {
	x.strict, x.req.Strict = x.req.Strict, false
	info := x.exploreRuns()
	if info == nil && x.Error == nil && x.strict {
		x.req.Strict = true
		info = x.exploreRuns()
	}
	x.OK = info == nil && x.Error == nil
	return info
}

// exploreRuns explores the orders of usual or of strict runs.
func (x *simulation) exploreRuns() *report.Error {
	copies := 2 * x.inputs.RunBytes() // the buffers of the first order, and the present order's until they are collected
	t, all := x.session.alone(), sim.NewOrders()
	if err := t.keep(copies); err != nil {
		return simError(err)
	}
	defer x.session.budget.Free(copies)
	var first order
	for runs := int64(0); all.Next(); runs++ {
		n := int64(all.Count())
		if n >= x.req.Exhaustive || runs >= cutRuns*x.req.Exhaustive {
			x.Bound = fmt.Sprintf("--exhaustive %d ends them after %s, and there are more", x.req.Exhaustive, plural(int(n), "order"))
			return nil
		}
		o := order{seed: uint64(n), strict: x.req.Strict, orders: all}
		if x.carryOut(t, &o); all.Cut() && o.err == nil {
			continue
		}
		switch {
		case o.err != nil:
		case o.strict:
			x.usual = o
			x.usual.result = &sim.Result{}
			*x.usual.result = *o.result
			x.usual.result.Findings = nil
		case first.run == nil:
			first = o
		case o.result.Ended && first.result.Ended:
			x.Depends = o.run.Differences(first.run)
		}
		if info := x.takeOrder(o); info != nil || x.Error != nil {
			return info
		}
	}
	x.Whole = true
	return nil
}
