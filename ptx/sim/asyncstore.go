package sim

import (
	"fmt"
	"math/bits"

	"girih/ptx"
)

// This file implements st.async and red.async (PTX ISA): stores and reductions in shared memory of the cluster that
// complete at an mbarrier in the same block.

// remoteUse is one st.async or red.async.
type remoteUse struct {
	access
	values []int // slots
	bar    access
	reduce *reduction // nil for st.async
}

// remote reads st.async and red.async on shared memory. On global memory, they are an ordinary store and reduction with
// .release.
func (d *decoder) remote(o *opcode) (step, error) {
	o.skip("async", "weak", "relaxed", "cluster", "v2", "v4")
	if !o.has("mbarrier::complete_tx::bytes") {
		return nil, fmt.Errorf("expected .mbarrier::complete_tx::bytes")
	}
	if err := o.need(3, 3); err != nil {
		return nil, err
	}
	space := o.space()
	if space != "" && space != "shared::cluster" {
		return nil, fmt.Errorf("no %s.async in .%s", o.name, space)
	}
	t := o.typ()
	u := &remoteUse{}
	var err error
	if u.access, err = d.address(o.Operands[0], space); err != nil {
		return nil, err
	}
	if u.values, err = d.srcs(elements(o.Operands[1]), t); err != nil {
		return nil, err
	}
	if u.bar, err = d.address(o.Operands[2], space); err != nil {
		return nil, err
	}
	u.unit, u.count, u.write = t.Bits()/8, o.Op.Vec(), true
	u.bar.unit, u.bar.count, u.bar.write = 8, 1, true
	if u.unit < 4 || u.unit > 8 || u.unit*u.count > 16 || len(u.values) != u.count {
		return nil, fmt.Errorf("%d registers of type .%s for a vector of %d", len(u.values), t, u.count)
	}
	if o.name == "red" {
		if u.count > 1 {
			return nil, fmt.Errorf("no vectors")
		}
		if u.reduce, err = bulkReduction(o, "shared::cluster"); err != nil {
			return nil, err
		}
	}
	return u.step, nil
}

func (u *remoteUse) step(w *warp, mask uint32) status {
	if st := w.needValues(mask, u.at.slot, u.bar.at.slot); st != advance {
		return st
	}
	if u.reduce != nil {
		if st := w.needValues(mask, u.values...); st != advance {
			return st
		}
	}
	o, c := &operation{writes: make([]region, 0, bits.OnesCount32(mask)), engine: true}, u.take(w)
	o.move = c.move
	type told struct {
		bar  *mbarrier
		mask uint32
	}
	var list []told
	for m := mask; m != 0; m &= m - 1 {
		lane := lowest(m)
		seg, off, bar, st := u.lane(w, lane)
		if st != advance {
			return st
		}
		o.writes = append(o.writes, region{
			seg: seg, off: off, n: uint64(u.unit * u.count), lane: uint8(lane), atomic: u.reduce != nil,
		})
		k := 0
		for k < len(list) && list[k].bar != bar {
			k++
		}
		if k == len(list) {
			list = append(list, told{bar: bar})
		}
		list[k].mask |= 1 << lane
	}
	o.missing = fmt.Sprintf("mbarrier.try_wait on the barrier at 0x%x", list[0].bar.address())
	if st := w.begin(o, mask); st != advance {
		return st
	}
	w.noteRemote(o.writes)
	for _, t := range list {
		n := int64(u.unit * u.count * bits.OnesCount32(t.mask))
		if st := w.mayTell(t.bar, t.mask, n); st != advance {
			return st
		}
		t.bar.promise(promise{ops: []*operation{o}, lanes: t.mask, bytes: n, warp: w})
	}
	return advance
}

// lane finds the bytes that a lane writes, and the mbarrier that the lane signals.
func (u *remoteUse) lane(w *warp, lane int) (*segment, uint64, *mbarrier, status) {
	seg, off := w.target(&u.access, lane, w.addressOf(&u.access, lane))
	if seg == nil {
		return nil, 0, nil, failed
	}
	bar, at := w.target(&u.bar, lane, w.addressOf(&u.bar, lane))
	if bar == nil {
		return nil, 0, nil, failed
	}
	if w.isNowhere(seg) || w.isNowhere(bar) {
		return nil, 0, nil, failed
	}
	if seg.owner == nil || seg.owner != bar.owner {
		return nil, 0, nil, w.fail(KindArgument, 1<<lane, "address 0x%x in %s and the mbarrier at 0x%x in %s are not in the shared memory of one block (PTX ISA, %s)",
			w.addressOf(&u.access, lane), seg.name, w.addressOf(&u.bar, lane), bar.name, w.opName())
	}
	m, st := w.mbarrierOf(bar, at, lane)
	return seg, off, m, st
}

// taken contains the values that the lanes store.
type taken struct {
	u      *remoteUse
	values [4]vector
	def    [4]uint32
}

// take copies the values from the registers of the lanes.
func (u *remoteUse) take(w *warp) *taken {
	c := &taken{u: u}
	for i, s := range u.values {
		c.values[i], c.def[i] = w.f.regs[s], w.f.def[s]
	}
	return c
}

// move writes the values that the lanes of o store.
func (c *taken) move(o *operation) opFault {
	unit := uint64(c.u.unit)
	for _, r := range o.writes {
		for i := range c.u.values {
			at, v := r.off+uint64(i)*unit, c.values[i][r.lane]
			if c.u.reduce == nil {
				r.seg.write(at, c.u.unit, v)
				if r.seg.define(at, c.u.unit); c.def[i]>>r.lane&1 == 0 {
					r.seg.forget(at, unit)
				}
				continue
			}
			from := segment{data: make([]byte, 8)}
			from.write(0, 8, v)
			if f := c.u.reduce.apply(spot{r.seg, at}, spot{&from, 0}, unit); f.kind != "" {
				return f
			}
		}
	}
	return opFault{}
}

// storeAsync reads st.async and red.async.
func (d *decoder) storeAsync(o *opcode, plain row) (step, error) {
	if o.Op.Has("release") && o.Op.Has(string(ptx.Global)) {
		o.skip("async", "mmio")
		return plain(d, o)
	}
	return d.remote(o)
}
