package sim

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"girih/tensormap"
)

// runKind says where the elements of a run are.
type runKind uint8

const (
	outside runKind = iota // of the tensor: filled by a load, left out by a store
	inside
	spare // behind the end of a row, and written all the same: see [tensormap.Map.Stores]
)

// A run is bits that lie side by side in a tensor and in shared memory, counted from where the box begins. Of one
// that is outside global is nothing.
type run struct {
	global, shared, n int64
	kind              runKind
}

// span is bytes at consecutive addresses.
type span struct{ at, n int64 }

// boxPlan is where the bytes of a box come from and go to: the runs, and all that they take of each memory.
type boxPlan struct {
	runs                  []run
	shared, global, spare []span
}

// boxUse is one use of a box: what the operands of a tensor copy say.
type boxUse struct {
	tensormap.Start
	store bool    // or a reduction
	rows  []int64 // of gather4 and scatter4: the coordinates of dimension 1
}

// planKey is what the plan of a tiled box depends on besides the map. Along a dimension in which the box is inside the
// tensor the coordinate only moves it; those are inner.
type planKey struct {
	shared int64 // modulo what the swizzle repeats after
	align  int64 // bits of coordinate 0 modulo 16 bytes
	coord  [5]int64
	store  bool
}

const (
	inner    = int64(-1) << 40
	maxPlans = 4096 // of one map; then they are forgotten
)

// tensorObject is a tensor map as a run uses it.
type tensorObject struct {
	tensormap.Map
	err   error // the bytes are no map, or an illegal one
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

// plan returns the plan of a use, and by how many bytes its global addresses are moved.
func (t *tensorObject) plan(u boxUse) (*boxPlan, int64, error) {
	switch {
	case t.err != nil:
		return nil, 0, t.err
	case u.rows != nil:
		p, err := t.gathered(u)
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

// key returns what the plan of a use depends on, and where the box is moved to by its inner coordinates, in bytes.
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

// landings goes through the elements of a use.
func landings(m tensormap.Map, u boxUse) (iter.Seq[tensormap.Landing], error) {
	if u.store {
		return m.Stores(u.Start)
	}
	return m.Landings(u.Start)
}

// planOf finds the runs of a use: what package tensormap says of its elements, put together.
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

// gathered is the plan of four rows that lie anywhere (PTX ISA, .tile::scatter4 and .tile::gather4 modes): a box of
// four rows, each moved to its place.
func (t *tensorObject) gathered(u boxUse) (*boxPlan, error) {
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

// add adds a run behind the others, to the last one where it goes on from there.
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
	p.shared, p.global, p.spare = joined(p.shared), joined(p.global), joined(p.spare)
}

// bytesOf returns the bytes that have some of n bits at at.
func bytesOf(at, n int64) span {
	first := at >> 3
	return span{first, (at+n+7)>>3 - first}
}

// joined sorts spans and puts those together that touch.
func joined(list []span) []span {
	slices.SortFunc(list, func(a, b span) int { return cmp.Compare(a.at, b.at) })
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

// move moves all that is in the tensor by so many bytes.
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
