//go:build !js || kernels

package service

import (
	"fmt"
	"slices"

	recipes "girih/examples"
	"girih/internal/picture/follow"
	"girih/kernel"
)

// This file finds repairs that are another request: another divisor of the extents, or another kernel that computes
// the same. Each is traced, and its plan of the followed block is compared with the plan of the followed kernel.

// A change is a changed request.
type change struct {
	text   string
	kernel string
	div    int64
}

// repairs adds changed requests to the first hop that they help.
func (x *followed) repairs() {
	bad := -1
	for i := range x.Hops {
		for _, v := range x.Hops[i].Verdicts {
			if !v.OK && bad < 0 {
				bad = i
			}
		}
	}
	if x.kernel.Report == nil || x.Options == nil || bad < 0 {
		return
	}
	before := x.costOf(KernelRequest{
		Kernel: x.req.Kernel, Type: x.req.Type, Sum: x.req.Sum, Div: x.req.Div, Stages: x.req.Stages, Tile: x.req.Tile,
	})
	for _, c := range x.changes() {
		q := KernelRequest{Kernel: c.kernel, Type: x.req.Type, Sum: x.req.Sum, Div: c.div, Stages: x.req.Stages}
		if c.kernel == x.req.Kernel {
			q.Tile = x.req.Tile
		}
		r, ok := better(before, x.costOf(q))
		if !ok {
			continue
		}
		r.Text, r.Request = c.text+r.Text, map[string]any{"kernel": c.kernel}
		for name, v := range map[string]any{
			"type": q.Type, "sum": q.Sum, "div": q.Div, "stages": q.Stages, "tile": q.Tile,
		} {
			if fmt.Sprint(v) != "" && fmt.Sprint(v) != "0" && fmt.Sprint(v) != "[]" {
				r.Request[name] = v
			}
		}
		h := &x.Hops[x.hopFor(r.Unit, bad)]
		h.Repairs = append(h.Repairs, r)
	}
}

// hopFor returns the first hop with a bad verdict in a unit, or another one.
func (x *followed) hopFor(unit string, other int) int {
	for i := range x.Hops {
		for _, v := range x.Hops[i].Verdicts {
			if !v.OK && (v.What == unit || unit == "requests" && v.What == "width") {
				return i
			}
		}
	}
	return other
}

// changes returns what may help: the widest divisor, and kernels that compute the same.
func (x *followed) changes() (out []change) {
	a := x.Options
	if d := int64(16); a.Div > 0 && a.Div < 8 {
		if a.Type == "f32" || a.Type == "f64" {
			d = 4
		} else if a.Type == "f16" || a.Type == "bf16" {
			d = 8
		}
		out = append(out, change{fmt.Sprintf("for extents that %d divides, accesses are wider: div %d", d, d), x.req.Kernel, d})
	}
	for _, other := range recipes.All() {
		if other.Call == a.Call && other.Name != a.Name && slices.Equal(other.Default.Tile, a.Tile) && len(out) < 4 {
			out = append(out, change{other.Name + " computes the same: " + other.Doc, other.Name, x.req.Div})
		}
	}
	return out
}

// costOf returns what a kernel does to memory in the followed block, nil if there is no such kernel.
func (x *followed) costOf(q KernelRequest) *kernel.Cost {
	recipe, o, info := q.recipe()
	if info != nil {
		return nil
	}
	k, err := recipe.Trace(o)
	if err != nil {
		return nil
	}
	if target := k.Module.Target[0]; x.target == "" {
		x.target = target
	} else if target != x.target {
		return nil // it is for other GPUs
	}
	_, total, err := k.PlanBlocks(x.Values, [][3]int64{{int64(x.Block[0]), int64(x.Block[1]), int64(x.Block[2])}})
	if err != nil || total.Unknown > 0 {
		return nil
	}
	return &total
}

// better reports whether a cost is lower, and says which count is the lowest in proportion and which are higher: a cost
// with fewer sectors of global memory may have more wavefronts and requests, together fewer than the sectors that it
// saves; otherwise no count may be higher.
func better(before, now *kernel.Cost) (r follow.Repair, ok bool) {
	if before == nil || now == nil {
		return r, false
	}
	least, more, saved := 1.0, int64(0), before.Sectors-now.Sectors
	for _, c := range []struct {
		unit        string
		before, now int64
	}{
		{"sectors", before.Sectors, now.Sectors},
		{"wavefronts", before.Wavefronts, now.Wavefronts},
		{"requests", before.Requests, now.Requests},
	} {
		if c.now > c.before {
			more += c.now - c.before
			r.Text += fmt.Sprintf("; %d %s instead of %d", c.now, c.unit, c.before)
		}
		if c.before > 0 && float64(c.now)/float64(c.before) < least {
			least = float64(c.now) / float64(c.before)
			r.Unit, r.Before, r.After = c.unit, c.before, c.now
		}
	}
	if more > 0 && r.Unit != "sectors" {
		return r, false
	}
	return r, r.Unit != "" && (more == 0 || more < saved)
}
