package sim

import (
	"fmt"
	"iter"
	"slices"
	"sort"

	"girih/tensormap"
)

// runKind says where the elements of a run are.
type runKind uint8

const (
	outside runKind = iota // outside the tensor: a load fills them, a store skips them
	inside
	spare // after the end of a row, but still written; see [tensormap.Map.Stores]
)

// A run is a sequence of bits that are contiguous both in a tensor and in shared memory. Positions count from the
// start of the box. A run outside the tensor has no global position.
type run struct {
	global, shared, n int64
	kind              runKind
}

// A span is a range of n consecutive bytes.
type span struct{ at, n int64 }

// boxPlan lists the runs of a box, and the bytes that the runs cover: in shared memory, inside the tensor, and after
// the ends of the tensor's rows (spare).
type boxPlan struct {
	runs                  []run
	shared, global, spare []span
}

// boxUse is one use of a box, as the operands of a tensor copy state it.
type boxUse struct {
	tensormap.Start
	store bool    // whether the box is stored or reduced
	rows  []int64 // for gather4 and scatter4: the coordinates of dimension 1
}

// planKey contains everything, apart from the map itself, that determines the plan of a tiled box. If the box is inside
// the tensor along a dimension, the coordinate of this dimension only moves the box, so the key contains the constant
// inner instead.
type planKey struct {
	shared int64 // modulo the repeat of the swizzle
	align  int64 // coordinate 0 in bits, modulo 16 bytes
	coord  [5]int64
	store  bool
}

const (
	inner    = int64(-1) << 40
	maxPlans = 4096 // the number of plans that a map keeps; at the next plan, all are dropped
)

// tensorObject is a decoded tensor map with its plans.
type tensorObject struct {
	tensormap.Map
	err   error // the reason why the bytes are not a legal map
	plans map[planKey]*boxPlan
}

// newTensorObject reads the 128 bytes of a map.
func newTensorObject(b []byte) *tensorObject {
	t := &tensorObject{plans: map[planKey]*boxPlan{}}
	if t.Map, t.err = tensormap.Decode(b); t.err == nil {
		t.err = t.Map.Err()
	}
	return t
}

// plan returns the plan of a use, and the number of bytes by which to move the plan's global addresses.
func (t *tensorObject) plan(u boxUse) (*boxPlan, int64, error) {
	switch {
	case t.err != nil:
		return nil, 0, t.err
	case u.rows != nil:
		p, err := t.gatherPlan(u)
		return p, 0, err
	case t.Mode != tensormap.Tiled || len(u.Coord) != t.Rank():
		p, err := planOf(t.Map, u)
		return p, 0, err
	}
	key, base := t.key(u)
	p := t.plans[key]
	if p == nil {
		var err error
		if p, err = planOf(t.Map, u); err != nil {
			return nil, 0, err
		}
		p.move(-base)
		if len(t.plans) >= maxPlans {
			clear(t.plans)
		}
		t.plans[key] = p
	}
	return p, base, nil
}

// key returns the key of the plan of a use, and the number of bytes by which inner coordinates move the box.
func (t *tensorObject) key(u boxUse) (planKey, int64) {
	repeat := t.Swizzle.Repeats()
	k := planKey{shared: u.Shared % repeat, store: u.store}
	unit := t.Type.Bits()
	if n := t.Interleave.Bytes(); n > 0 {
		unit = 8 * n
	}
	k.align = u.Coord[0] * unit & 127
	base := int64(0)
	for i, n := range t.Loaded() {
		x, step := u.Coord[i], int64(1)
		if i > 0 || t.Interleave != tensormap.InterleaveNone {
			step = t.Steps[i]
		}
		if k.coord[i] = x; x < 0 || x+(n-1)*step >= t.Dims[i] {
			continue
		}
		k.coord[i] = inner
		if i == 0 {
			base += x * unit / 8
		} else {
			base += x * t.Strides[i-1]
		}
	}
	return k, base
}

// landings returns the elements of the box of a use, with their places.
func landings(m tensormap.Map, u boxUse) (iter.Seq[tensormap.Landing], error) {
	if u.store {
		return m.Stores(u.Start)
	}
	return m.Landings(u.Start)
}

// planOf joins the elements that package tensormap lists for a use into runs.
func planOf(m tensormap.Map, u boxUse) (*boxPlan, error) {
	all, err := landings(m, u)
	if err != nil {
		return nil, err
	}
	p := &boxPlan{}
	for l := range all {
		p.add(run{l.Global, l.Shared, l.Bits, kindOf(m, l)})
	}
	p.finish()
	return p, nil
}

// gatherPlan returns the plan of four rows at arbitrary places (PTX ISA, .tile::scatter4 and .tile::gather4 modes): a
// box of four rows, each moved to its place.
func (t *tensorObject) gatherPlan(u boxUse) (*boxPlan, error) {
	m := t.Map
	if m.Mode != tensormap.Tiled || m.Rank() != 2 || m.Interleave != tensormap.InterleaveNone || m.Box[1] != 1 {
		return nil, fmt.Errorf("four rows are of a tiled map of 2 dimensions without interleave, boxDim[1] is 1 (PTX ISA, .tile::gather4)")
	}
	m.Dims, m.Box, m.Steps = []int64{m.Dims[0], 4}, []int64{m.Box[0], 4}, nil
	u.Coord = []int64{u.Coord[0], 0}
	all, err := landings(m, u)
	if err != nil {
		return nil, err
	}
	p := &boxPlan{}
	for l := range all {
		row := l.Coord[1]
		y, kind := u.rows[row], kindOf(m, l)
		if y < 0 || y >= t.Dims[1] {
			kind = outside
		}
		p.add(run{l.Global + (y-row)*m.Strides[0]*8, l.Shared, l.Bits, kind})
	}
	p.finish()
	return p, nil
}

// kindOf says where an element is.
func kindOf(m tensormap.Map, l tensormap.Landing) runKind {
	switch {
	case !l.Inside:
		return outside
	case l.Coord[0] >= m.Dims[0]:
		return spare
	}
	return inside
}

// add appends a run, or extends the last run if r continues it.
func (p *boxPlan) add(r run) {
	if n := len(p.runs); n > 0 {
		l := &p.runs[n-1]
		if l.shared+l.n == r.shared && l.kind == r.kind && (r.kind == outside || l.global+l.n == r.global) {
			l.n += r.n
			return
		}
	}
	p.runs = append(p.runs, r)
}

// finish computes the spans.
func (p *boxPlan) finish() {
	for _, r := range p.runs {
		p.shared = append(p.shared, bytesOf(r.shared, r.n))
		switch r.kind {
		case inside:
			p.global = append(p.global, bytesOf(r.global, r.n))
		case spare:
			p.spare = append(p.spare, bytesOf(r.global, r.n))
		}
	}
	p.shared, p.global, p.spare = joinSpans(p.shared), joinSpans(p.global), joinSpans(p.spare)
}

// bytesOf returns the bytes that contain the n bits from bit at on.
func bytesOf(at, n int64) span {
	first := at >> 3
	return span{first, (at+n+7)>>3 - first}
}

// joinSpans sorts spans and joins those that touch.
func joinSpans(list []span) []span {
	sort.Slice(list, func(i, j int) bool { return list[i].at < list[j].at })
	out := list[:0]
	for _, s := range list {
		if n := len(out); n > 0 && out[n-1].at+out[n-1].n >= s.at {
			out[n-1].n = max(out[n-1].n, s.at+s.n-out[n-1].at)
			continue
		}
		out = append(out, s)
	}
	return slices.Clip(out)
}

// move moves all global addresses of the plan by a number of bytes.
func (p *boxPlan) move(by int64) {
	for i := range p.runs {
		p.runs[i].global += 8 * by
	}
	for _, list := range [][]span{p.global, p.spare} {
		for i := range list {
			list[i].at += by
		}
	}
}
