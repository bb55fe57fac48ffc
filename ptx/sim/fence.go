package sim

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx"
)

// This file implements fences, and reads instructions that only take time. A fence orders nothing alone: it lets
// relaxed accesses order (order.go).

func fenceRow(name string) row {
	switch name {
	case "fence", "membar":
		return (*decoder).fence
	case "griddepcontrol":
		return (*decoder).gridDependency
	case "nanosleep", "pmevent":
		return (*decoder).pause
	case "setmaxnreg":
		return (*decoder).setMaxRegisters
	}
	return nil
}

// fences are the forms of fence and membar (PTX ISA 9.7.13.4), without scopes and semantics.
var fences = []string{
	"", "proxy.alias", "proxy.async", "proxy.async.global", "proxy.async.shared::cta", "proxy.async.shared::cluster",
	"mbarrier_init", "proxy.tensormap::generic", "proxy.async::generic", "sync_restrict::shared::cta", "sync_restrict::shared::cluster",
	"proxy.async::generic.sync_restrict::shared::cta", "proxy.async::generic.sync_restrict::shared::cluster",
}

// A memoryFence is a fence or membar.
type memoryFence struct {
	scope ambit
	sc    bool // fence.sc, or membar
}

// fencing contains the effects of a warp's fences.
type fencing struct {
	time      uint32 // the epoch of the last fence
	site      uint32 // the instruction of the last fence
	nth       int64  // grid.polls at that time
	learned   uint32 // warp.learned at that time
	scope     ambit
	near      *clock // what the warp knew at the last fence, if the scope of the fence is below the GPU; otherwise nil
	nearScope ambit
	seen      *clock // what relaxed reads have seen of threads of the block; nil if nothing
	seers     uint32 // the lanes of all these relaxed reads
	sc        bool   // the last fence was a fence.sc
}

// fenceMemory executes a fence by the lanes of mask: what their relaxed reads have seen is known from here on, and
// relaxed writes publish what is known here.
func (w *warp) fenceMemory(m memoryFence, mask uint32) {
	s := m.scope
	if s == ofBlock {
		w.acquireSeen(&w.fences.seen, mask)
	} else {
		w.acquireSeen(&w.clock.seen, mask)
	}
	if m.sc {
		w.hearFences(s)
	}
	f := &w.fences
	f.site, f.nth = w.site(), w.block.grid.polls
	if f.time == w.now && f.learned == w.learned && f.scope >= s && (f.sc || !m.sc) {
		return // nothing has happened since the last fence
	}
	c := w.snapshot()
	if m.sc {
		c = w.passFence(c, s)
	}
	f.time, f.learned, f.scope, f.sc = w.now, w.learned, s, m.sc
	if s == ofGPU {
		w.clock.fenced, f.near = c, nil
	} else {
		f.near, f.nearScope = c, s
	}
}

// acquireSeen makes known what relaxed reads have seen, if lanes of mask are among the readers. It becomes known to all
// readers at once, because it is not kept until the other readers execute their fences.
func (w *warp) acquireSeen(c **clock, mask uint32) {
	if *c != nil && mask&w.fences.seers != 0 {
		w.acquireBy(w.fences.seers, *c)
		*c = nil
	}
}

// see keeps what a relaxed read by the lanes of mask has seen, until the next fence. last is the write whose value was
// read.
func (w *warp) see(c *clock, last moment, mask uint32) {
	w.fences.seers |= mask
	seen := c.copy()
	seen.proxied, seen.order, seen.shared, seen.tensor = c.proxied, c.order, c.shared, c.tensor
	w.clock.union(&w.clock.seen, &seen)
	if w.reaches(ofBlock, last) {
		w.clock.union(&w.fences.seen, &seen)
	}
}

func (d *decoder) fence(o *opcode) (step, error) {
	var form []string
	for i, m := range o.mods {
		o.used[i] = true
		switch m {
		case "sc", "acq_rel", "acquire", "release", "cta", "cluster", "gpu", "sys", "gl":
		default:
			form = append(form, m)
		}
	}
	if !slices.Contains(fences, strings.Join(form, ".")) {
		return nil, fmt.Errorf("the fence .%s is not known", strings.Join(form, "."))
	}
	if slices.Contains(form, "tensormap::generic") && o.Op.Has("acquire") {
		return d.mapAcquire(o)
	}
	if err := o.need(0, 0); err != nil {
		return nil, err
	}
	if len(form) > 1 && form[0] == "proxy" && strings.HasPrefix(form[1], "async") {
		if form[1] == "async::generic" {
			return proxyFenceOneWay(o), nil
		}
		return proxyFence(o), nil
	}
	m := memoryFence{o.scope(ofGPU), o.Op.Has("sc") || o.Op.Name() == "membar"}
	init := nothing
	if o.Op.Has("mbarrier_init") {
		init = proxyFence(o)
	}
	return func(w *warp, mask uint32) status {
		w.fenceMemory(m, mask)
		w.block.grid.explain.fence(w, mask, m.scope)
		init(w, mask)
		return advance
	}, nil
}

// gridDependency reads griddepcontrol (PTX ISA 9.7.13.13), which does nothing: the earlier grids have ended, and later
// grids do not begin.
func (d *decoder) gridDependency(o *opcode) (step, error) {
	if o.one("launch_dependents", "wait") == "" {
		return nil, fmt.Errorf("expected .launch_dependents or .wait")
	}
	return nothing, o.need(0, 0)
}

// pause reads instructions that only take time, or inform a profiler.
func (d *decoder) pause(o *opcode) (step, error) {
	o.types()
	o.skip("mask")
	if err := o.need(1, 1); err != nil {
		return nil, err
	}
	a, err := d.src(o.Operands[0], ptx.U32)
	if err != nil {
		return nil, err
	}
	return func(w *warp, mask uint32) status {
		if miss := mask &^ w.f.def[a]; miss != 0 {
			return w.failUndefined(miss, a)
		}
		w.steps += 64 // so that a clock register advances
		return advance
	}, nil
}
