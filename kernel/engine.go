package kernel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"girih/banks"
	"girih/internal/machine/address"
	"girih/ptx"
	"girih/tensormap"
)

// This file records and counts what the copy engine moves: bulk copies and TMA copies.

// An engine records what one instruction makes the copy engine move for each lane that executes it.
type engine struct {
	bytes int64
	store bool           // out of shared memory
	box   string         // of a TMA copy: the parameter that is its tensor map
	coord []address.Expr // where the box begins, by dimension of the map
}

// moveBulk emits an instruction of the copy engine and records it. The sides are its source and destination.
func (k *K) moveBulk(in *ptx.Instr, e *engine, to, from reason) {
	k.add(in)
	if k.err != nil {
		return
	}
	a := transfer{
		op: in.Op, in: in, sides: []reason{to, from}, bytes: int(e.bytes), around: k.around, engine: e,
		cond: k.sure, reads: k.sure, atom: k.atom,
	}
	if pcs := k.places[in]; pcs != nil {
		a.pcs = pcs
	} else {
		a.pcs = new(stack)
		a.pcs.keep(k, 3)
	}
	k.accesses = append(k.accesses, a)
}

// sharedSide returns the side of a copy that is in shared memory.
func (a *transfer) sharedSide() *reason {
	if a.engine != nil && a.engine.store {
		return &a.sides[1]
	}
	return &a.sides[0]
}

// coordinates returns where the box of a TMA copy begins, as "(64·i1, 128·block.x)", and "" for other accesses.
func (a *transfer) coordinates() string {
	if a.engine == nil || a.engine.box == "" {
		return ""
	}
	parts := make([]string, len(a.engine.coord))
	for i, x := range a.engine.coord {
		parts[i] = x.String()
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// bulk returns what the copy engine moves for the lanes of mask.
func (w *walker) bulk(a *transfer, mask uint32) Cost {
	c, e := Cost{Requests: 1}, a.engine
	for l := range lanesOf(mask) {
		c.Bulk += e.bytes
		sectors, inside, known := int64(0), e.bytes, true // bytes of the box inside the tensor
		switch {
		case e.box == "":
			global := a.sides[1]
			if e.store {
				global = a.sides[0]
			}
			t, err := banks.BulkTraffic(w.eval(a.sharedSide().x, l), w.eval(global.x, l), e.bytes)
			sectors, known = int64(t.Sectors), err == nil
		case e.store:
			sectors, inside = w.box(e, l)
		default: // it also fetches bytes outside, by an unknown rule
			known = false
		}
		if known {
			c.Sectors += sectors
			c.Fewest += (inside + banks.SectorBytes - 1) / banks.SectorBytes
		} else {
			c.Unknown++
		}
	}
	if w.data {
		c.Unknown = max(c.Unknown, 1)
	}
	return c
}

// box returns the bytes of a lane's box that are inside the tensor, and the number of their sectors in global memory.
func (w *walker) box(e *engine, lane int) (sectors, inside int64) {
	m, err := w.tensorMap(e.box)
	if err != nil {
		w.err = cmp.Or(w.err, err)
		return 0, 0
	}
	first, size := make([]int64, len(e.coord)), make([]int64, len(e.coord))
	rows := int64(1)
	for d, x := range e.coord {
		from := w.eval(x, lane)
		to := min(from+m.Box[d], m.Dims[d])
		from = max(from, 0)
		if first[d], size[d] = from, to-from; to <= from {
			return 0, 0
		}
		if d > 0 {
			rows *= size[d]
		}
	}
	if w.spend(rows); w.err != nil {
		return 0, 0
	}
	unit := m.Type.Bits() / 8
	starts := make([]int64, 0, rows)
	for r := range rows {
		at := int64(m.Address) + first[0]*unit
		for d := 1; d < len(size); d++ {
			at += (first[d] + r%size[d]) * m.Strides[d-1]
			r /= size[d]
		}
		starts = append(starts, at)
	}
	slices.Sort(starts)
	end, last := int64(-1), int64(-1) // adjacent rows form one run; distinct runs share no sector
	for _, at := range starts {
		from := at / banks.SectorBytes
		if at <= end {
			from = max(from, last+1)
		}
		end = max(end, at+size[0]*unit)
		last = (end - 1) / banks.SectorBytes
		sectors += last - from + 1
	}
	return sectors, rows * size[0] * unit
}

// tensorMap returns the tensor map of a parameter for the values of the walk.
func (w *walker) tensorMap(name string) (tensormap.Map, error) {
	if m, ok := w.maps[name]; ok {
		return m, nil
	}
	i := slices.IndexFunc(w.k.maps, func(p mapParam) bool { return p.name == name })
	m, err := w.k.TensorMap(name, w.values, uint64(i+1)<<40) // #nosec G115 -- a small number
	if err != nil {
		return m, fmt.Errorf("tensor map %s: %w", name, err)
	}
	if w.maps == nil {
		w.maps = map[string]tensormap.Map{}
	}
	w.maps[name] = m
	return m, nil
}
