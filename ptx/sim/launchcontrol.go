package sim

import (
	"fmt"

	"girih/ptx"
)

// This file implements clusterlaunchcontrol (PTX ISA 9.7.13.17 and 9.7.13.18), by which a running cluster takes over
// the work of a cluster that has not begun. The response, 16 bytes that only query_cancel reads, is the position of the
// first block of that cluster, and whether there is one. A request takes the cluster that would begin next.

func launchRow(name string) row {
	if name == "clusterlaunchcontrol" {
		return (*decoder).launchControl
	}
	return nil
}

// responseBytes is the size of a response.
const responseBytes = 16

// A cancelUse is one clusterlaunchcontrol.try_cancel.
type cancelUse struct {
	to, bar access
	all     bool // the response goes to all blocks of the cluster
}

func (d *decoder) launchControl(o *opcode) (step, error) {
	if err := d.needs(o, 100); err != nil {
		return nil, err
	}
	if o.has("query_cancel") {
		return d.queryCancel(o)
	}
	if !o.has("try_cancel") || !o.has("async") || !o.has("mbarrier::complete_tx::bytes") || !o.has("b128") {
		return nil, fmt.Errorf("expected .query_cancel, or .try_cancel.async.mbarrier::complete_tx::bytes.b128")
	}
	r, u, space := d.reader(o), &cancelUse{all: o.has("multicast::cluster::all")}, o.space()
	u.to, u.bar = r.address(space), r.address(space)
	u.to.write = true
	u.bar.unit, u.bar.count, u.bar.write = 8, 1, true
	return r.end(u.step)
}

func (u *cancelUse) step(w *warp, mask uint32) status {
	if st := w.needValues(mask, u.to.at.slot, u.bar.at.slot); st != advance {
		return st
	}
	for m := mask; m != 0; m &= m - 1 {
		if st := u.one(w, lowest(m)); st != advance {
			return st
		}
	}
	return advance
}

func (u *cancelUse) one(w *warp, lane int) status {
	to, off := w.extent(u.to, lane, responseBytes, responseBytes)
	bar, at := w.target(&u.bar, lane, w.addressOf(&u.bar, lane))
	switch {
	case to == nil || bar == nil:
		return failed
	case w.isNowhere(to) || w.isNowhere(bar):
		return advance
	case to != &w.block.shared || bar != to:
		return w.fail(KindArgument, 1<<lane, "the response and the mbarrier have to be in the shared memory of the block (PTX ISA 9.7.13.17)")
	}
	blocks := []*block{w.block}
	if u.all {
		blocks = w.block.cluster.blocks
	}
	first, ok := w.block.grid.cancel()
	for _, b := range blocks {
		if !w.mayReach(&b.shared, lane, b.shared.base) {
			return failed
		}
		m, st := w.mbarrierOf(&b.shared, at, lane)
		if m == nil {
			return st
		}
		o := &operation{writes: []region{{seg: &b.shared, off: off, n: responseBytes, lane: uint8(lane)}}}
		o.move = func(*operation) opFault {
			for i, x := range []int{first.X, first.Y, first.Z, 0} {
				b.shared.write(off+4*uint64(i), 4, uint64(x))
			}
			if b.shared.define(off, responseBytes); ok {
				b.shared.write(off+12, 4, 1)
			}
			return opFault{}
		}
		if st := w.dispatch(o, m, lane, responseBytes); st != advance {
			return st
		}
	}
	return advance
}

// cancel takes the cluster that would begin next from the grid, and returns the position of its first block, or false
// if all clusters have begun.
func (g *grid) cancel() (first Dim, ok bool) {
	if g.sequence == nil || g.begun >= g.inClusters.count() {
		return Dim{}, false
	}
	at := g.inClusters.at(g.sequence(g.begun))
	g.begun++
	g.progress++
	return Dim{at.X * g.cluster.X, at.Y * g.cluster.Y, at.Z * g.cluster.Z}, true
}

// queryCancel reads clusterlaunchcontrol.query_cancel.
func (d *decoder) queryCancel(o *opcode) (step, error) {
	o.skip("b128", "b32", "pred", "v4")
	r := d.reader(o)
	if o.has("is_canceled") {
		name, _ := r.ops.next().(ptx.Name)
		p, from := r.predicate(name), r.src(ptx.B128)
		return r.end(func(w *warp, mask uint32) status {
			if st := w.needValues(mask, from, from+1); st != advance {
				return st
			}
			yes := uint32(0)
			for m := mask; m != 0; m &= m - 1 {
				yes |= uint32(w.f.regs[from+1][lowest(m)]>>32&1) << lowest(m)
			}
			w.f.setPredicate(p, mask, yes)
			return advance
		})
	}
	parts := []int{0, 1, 2}
	switch o.one("get_first_ctaid", "get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z") {
	case "get_first_ctaid::x":
		parts = parts[:1]
	case "get_first_ctaid::y":
		parts = parts[1:2]
	case "get_first_ctaid::z":
		parts = parts[2:]
	case "":
		return nil, fmt.Errorf("expected .is_canceled or .get_first_ctaid")
	}
	dst, from := r.dsts(), r.src(ptx.B128)
	if r.err == nil && len(dst) != len(parts)+len(parts)/3 {
		r.fail("%d registers for the position of a block", len(dst))
	}
	return r.end(func(w *warp, mask uint32) status { return w.firstBlock(dst, parts, from, mask) })
}

// firstBlock stores parts of the position in a response.
func (w *warp) firstBlock(dst, parts []int, from int, mask uint32) status {
	if st := w.needValues(mask, from, from+1); st != advance {
		return st
	}
	f := w.f
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		if f.regs[from+1][lane]>>32 == 0 {
			return w.fail(KindArgument, 1<<lane, "asks for the block of a request that was not granted (PTX ISA 9.7.13.18)")
		}
		for i, part := range parts {
			f.regs[dst[i]][lane] = f.regs[from+part/2][lane] >> (part % 2 * 32) & ones(32)
		}
	}
	for _, s := range dst[:len(parts)] {
		f.def[s] |= mask
	}
	return advance
}
