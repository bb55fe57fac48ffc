package sim

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"girih/ptx"
)

// specials contains the special registers that do not change while a block runs (PTX ISA 10).
var specials = map[ptx.Name]func(w *warp, lane int) uint64{
	"%tid.x":                      func(w *warp, lane int) uint64 { return uint64(w.thread(lane).X) },
	"%tid.y":                      func(w *warp, lane int) uint64 { return uint64(w.thread(lane).Y) },
	"%tid.z":                      func(w *warp, lane int) uint64 { return uint64(w.thread(lane).Z) },
	"%ntid.x":                     func(w *warp, _ int) uint64 { return uint64(w.block.grid.block.X) },
	"%ntid.y":                     func(w *warp, _ int) uint64 { return uint64(w.block.grid.block.Y) },
	"%ntid.z":                     func(w *warp, _ int) uint64 { return uint64(w.block.grid.block.Z) },
	"%ctaid.x":                    func(w *warp, _ int) uint64 { return uint64(w.block.at.X) },
	"%ctaid.y":                    func(w *warp, _ int) uint64 { return uint64(w.block.at.Y) },
	"%ctaid.z":                    func(w *warp, _ int) uint64 { return uint64(w.block.at.Z) },
	"%nctaid.x":                   func(w *warp, _ int) uint64 { return uint64(w.block.grid.dim.X) },
	"%nctaid.y":                   func(w *warp, _ int) uint64 { return uint64(w.block.grid.dim.Y) },
	"%nctaid.z":                   func(w *warp, _ int) uint64 { return uint64(w.block.grid.dim.Z) },
	"%laneid":                     func(_ *warp, lane int) uint64 { return uint64(lane) },
	"%warpid":                     func(w *warp, _ int) uint64 { return uint64(w.id) },
	"%nwarpid":                    func(w *warp, _ int) uint64 { return uint64(len(w.block.warps)) },
	"%smid":                       func(w *warp, _ int) uint64 { return uint64(w.block.number() % resident) },
	"%nsmid":                      func(*warp, int) uint64 { return resident },
	"%gridid":                     func(*warp, int) uint64 { return 1 },
	"%lanemask_eq":                func(_ *warp, lane int) uint64 { return 1 << lane },
	"%lanemask_lt":                func(_ *warp, lane int) uint64 { return 1<<lane - 1 },
	"%lanemask_le":                func(_ *warp, lane int) uint64 { return 2<<lane - 1 },
	"%lanemask_gt":                func(_ *warp, lane int) uint64 { return uint64(all) &^ (2<<lane - 1) },
	"%lanemask_ge":                func(_ *warp, lane int) uint64 { return uint64(all) &^ (1<<lane - 1) },
	"%dynamic_smem_size":          func(w *warp, _ int) uint64 { return uint64(w.block.grid.dynamic) },
	"%total_smem_size":            func(w *warp, _ int) uint64 { return uint64(len(w.block.shared.data)) },
	"%cluster_ctarank":            func(w *warp, _ int) uint64 { return uint64(w.block.rank()) },
	"%cluster_nctarank":           func(w *warp, _ int) uint64 { return uint64(len(w.block.cluster.blocks)) },
	"%cluster_ctaid.x":            func(w *warp, _ int) uint64 { return uint64(w.block.inCluster().X) },
	"%cluster_ctaid.y":            func(w *warp, _ int) uint64 { return uint64(w.block.inCluster().Y) },
	"%cluster_ctaid.z":            func(w *warp, _ int) uint64 { return uint64(w.block.inCluster().Z) },
	"%cluster_nctaid.x":           func(w *warp, _ int) uint64 { return uint64(w.block.grid.cluster.X) },
	"%cluster_nctaid.y":           func(w *warp, _ int) uint64 { return uint64(w.block.grid.cluster.Y) },
	"%cluster_nctaid.z":           func(w *warp, _ int) uint64 { return uint64(w.block.grid.cluster.Z) },
	"%clusterid.x":                func(w *warp, _ int) uint64 { return uint64(w.block.cluster.at.X) },
	"%clusterid.y":                func(w *warp, _ int) uint64 { return uint64(w.block.cluster.at.Y) },
	"%clusterid.z":                func(w *warp, _ int) uint64 { return uint64(w.block.cluster.at.Z) },
	"%nclusterid.x":               func(w *warp, _ int) uint64 { return uint64(w.block.grid.inClusters.X) },
	"%nclusterid.y":               func(w *warp, _ int) uint64 { return uint64(w.block.grid.inClusters.Y) },
	"%nclusterid.z":               func(w *warp, _ int) uint64 { return uint64(w.block.grid.inClusters.Z) },
	"%reserved_smem_offset_begin": func(*warp, int) uint64 { return 0 },
	"%reserved_smem_offset_end":   func(*warp, int) uint64 { return sharedStart },
	"%reserved_smem_offset_cap":   func(*warp, int) uint64 { return sharedStart },
}

// clocks contains the special registers that change. They count executed instructions.
var clocks = map[ptx.Name]func(w *warp) uint64{
	"%clock":          func(w *warp) uint64 { return uint64(uint32(w.steps)) },
	"%clock_hi":       func(w *warp) uint64 { return uint64(w.steps) >> 32 },
	"%clock64":        func(w *warp) uint64 { return uint64(w.steps) },
	"%globaltimer":    func(w *warp) uint64 { return uint64(w.block.grid.steps) },
	"%globaltimer_lo": func(w *warp) uint64 { return uint64(uint32(w.block.grid.steps)) },
	"%globaltimer_hi": func(w *warp) uint64 { return uint64(w.block.grid.steps) >> 32 },
}

// environment returns the value of %envreg<n>. Registers 1 and 2 are the halves of the workspace address of a
// cooperatively launched grid, where cooperative groups keep their barrier.
func environment(n int) func(w *warp, lane int) uint64 {
	return func(w *warp, _ int) uint64 {
		if n != 1 && n != 2 {
			return 0
		}
		address := w.block.grid.workspace()
		if n == 1 {
			return address >> 32
		}
		return address & 0xffffffff
	}
}

// workspace returns the address of the workspace of the grid, or 0 if there is no memory for a workspace.
func (g *grid) workspace() uint64 {
	m := g.memory
	switch {
	case g.common != 0:
	case m.common != nil: // the workspace of an earlier run
		clear(m.common.data)
		g.common = m.common.base
	default:
		if b, err := m.Put("the workspace of the grid", make([]byte, 64)); err == nil {
			m.common, g.common = b.seg, b.Address()
		}
	}
	return g.common
}

// thread returns the position of a lane in its block.
func (w *warp) thread(lane int) Dim { return w.block.grid.block.at(w.id*lanes + lane) }

// number returns the number of b in the grid.
func (b *block) number() int {
	d := b.grid.dim
	return (b.at.Z*d.Y+b.at.Y)*d.X + b.at.X
}

// special returns the slot of a special register.
func (d *decoder) special(name ptx.Name) (int, error) {
	if s, ok := d.named[name]; ok {
		return s, nil
	}
	value := specials[name]
	if name.Part() == "w" && specials[name.Base()+".x"] != nil { // the fourth element is 0 (PTX ISA 10)
		return d.constant(0), nil
	}
	if text, ok := strings.CutPrefix(string(name), "%envreg"); ok && value == nil {
		if n, err := strconv.Atoi(text); err == nil && n >= 0 && n < 32 {
			value = environment(n)
		}
	}
	if value != nil {
		s := d.newSlot(name, 32)
		d.specials = append(d.specials, special{s, value})
		d.named[name] = s
		return s, nil
	}
	clock := clocks[name]
	if clock == nil {
		return 0, fmt.Errorf("the register %s is not declared, and no special register that is known", name)
	}
	s := d.newSlot(name, 64)
	d.before = append(d.before, func(w *warp, mask uint32) status {
		v := clock(w)
		for m := mask; m != 0; m &= m - 1 {
			w.f.regs[s][bits.TrailingZeros32(m)] = v
		}
		w.f.def[s] |= mask
		return advance
	})
	return s, nil
}

// constantBits returns the bits of a constant operand as a value of type t.
func constantBits(o ptx.Operand, t ptx.Type) (uint64, bool) {
	d := &decoder{function: &function{}, index: map[uint64]int{}}
	switch o.(type) {
	case ptx.Int, ptx.Bits32, ptx.Bits64:
		if _, err := d.src(o, t); err == nil {
			return d.consts[0].value, true
		}
	}
	return 0, false
}
