package sim

import (
	"fmt"
	"slices"
	"strings"

	"girih/ptx"
)

// Instructions that order memory, or only take time. What they order is ordered here by what they stand beside
// (order.go), so that they do nothing; but they are held to their syntax.

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
	n := 0
	if slices.Contains(form, "proxy") && o.Op.Has("tensormap::generic") && o.Op.Has("acquire") {
		n = 2
	}
	if err := o.need(n, n); err != nil {
		return nil, err
	}
	return nothing, nil
}

// gridDependency is griddepcontrol (PTX ISA 9.7.13.14): the grids before have ended, and those behind do not begin.
func (d *decoder) gridDependency(o *opcode) (step, error) {
	if o.one("launch_dependents", "wait") == "" {
		return nil, fmt.Errorf("expected .launch_dependents or .wait")
	}
	return nothing, o.need(0, 0)
}

// pause is an instruction that takes time, or tells a profiler something.
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
			return w.undefined(miss, a)
		}
		w.steps += 64 // so that a clock moves on
		return advance
	}, nil
}

// setMaxRegisters is setmaxnreg (PTX ISA 9.7.19.5).
func (d *decoder) setMaxRegisters(o *opcode) (step, error) {
	o.types()
	o.skip("sync", "aligned")
	how := o.one("inc", "dec")
	if err := o.need(1, 1); err != nil {
		return nil, err
	}
	n, ok := o.Operands[0].(ptx.Int)
	if !ok || how == "" || n < 24 || n > 256 || n%8 != 0 {
		return nil, fmt.Errorf("a number of registers %v: expected a multiple of 8 from 24 to 256", o.Operands[0])
	}
	return func(w *warp, mask uint32) status {
		if _, ok := w.aligned(mask); !ok {
			if w.fault != nil {
				return failed
			}
			return blocked
		}
		return advance
	}, nil
}
