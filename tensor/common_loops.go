package tensor

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"girih/cute"
	"girih/internal/ints"
)

// A copyMode is a mode of a copy: n steps of s in the source and of d in the destination.
type copyMode struct{ n, s, d int64 }

// A place is where a copy continues, in the source and in the destination.
type place struct{ s, d int64 }

// A runMode is a mode in which each step copies a run of neighbours.
type runMode struct {
	copyMode
	run int64
}

// tableLimit limits the places that are listed if extents have no common refinement.
const tableLimit = 1 << 16

// commonLoops are two views of one size as one set of loops: for each place of the table and each coordinate of the
// modes, run neighbouring elements. Positions are values of the layouts; outer functions are applied afterwards.
type commonLoops struct {
	modes    []copyMode
	table    []place       // nil for a single place at 0
	rest     [2][]viewMode // modes of source and destination without common loops, if they are too many to list
	from     place
	run      int64
	src, dst outer
}

// outer converts a position of the layout to a position in the storage.
type outer struct {
	links []link
	base  int64
}

func (o outer) apply(x int64) int64 {
	for k := range o.links {
		x = o.links[k].apply(x)
	}
	return o.base + x
}

// applyAll applies the conversion to each number.
func (o outer) applyAll(xs []int64) {
	for k := range o.links {
		o.links[k].applyAll(xs)
	}
	if o.base == 0 {
		return
	}
	for i := range xs {
		xs[i] += o.base
	}
}

// pairUp finds the common loops of two views of one size: the coarsest refinement of their coalesced shapes. Two
// extents have no common refinement if neither divides the other; then their modes are listed element by element, or
// counted in parallel if the list would be too long. It fails if a view cannot be evaluated by its strides.
func pairUp(src, dst *view) (p commonLoops, ok bool) {
	if src.slow || dst.slow || len(src.axes)+len(dst.axes) > 0 {
		return p, false
	}
	p.src, p.dst = outer{src.links, src.base}, outer{dst.links, dst.base}
	p.from = place{src.inner, dst.inner}
	a, b := runsOf(src), runsOf(dst)
	p.modes = make([]copyMode, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		g := ints.GCD(a[0].n, b[0].n)
		if g > 1 {
			p.modes = append(p.modes, copyMode{g, a[0].s, b[0].s})
			a, b = split(a, g), split(b, g)
			if len(a) == 0 || len(b) == 0 || a[0].n%b[0].n == 0 || b[0].n%a[0].n == 0 {
				continue
			}
		}
		restA, restB, ok := p.list(a, b)
		if !ok {
			p.rest = [2][]viewMode{a, b}
			break
		}
		a, b = restA, restB
	}
	return p, true
}

// A viewMode is a mode of one view.
type viewMode struct{ n, s int64 }

// runsOf returns the modes of a view, coalesced.
func runsOf(v *view) []viewMode {
	leaves := v.lay.LeafCount()
	out := make([]viewMode, 0, leaves)
	for i := range leaves {
		n, d := v.lay.Leaf(i)
		last := len(out) - 1
		switch {
		case n == 1:
		case last >= 0 && d == out[last].n*out[last].s:
			out[last].n *= n
		default:
			out = append(out, viewMode{n, d})
		}
	}
	return out
}

// split removes the first g steps of the first mode.
func split(a []viewMode, g int64) []viewMode {
	if a[0].n == g {
		return a[1:]
	}
	a[0] = viewMode{a[0].n / g, a[0].s * g}
	return a
}

// list removes modes from both views until they have the same size, and lists their places.
func (p *commonLoops) list(a, b []viewMode) (restA, restB []viewMode, ok bool) {
	i, j, m, n := 1, 1, a[0].n, b[0].n
	for m != n {
		if m < n {
			m *= a[i].n
			i++
		} else {
			n *= b[j].n
			j++
		}
		if m > tableLimit || n > tableLimit {
			return nil, nil, false
		}
	}
	old := p.table
	if old == nil {
		old = []place{{}}
	}
	if int64(len(old))*m > tableLimit {
		return nil, nil, false
	}
	p.table = make([]place, 0, int64(len(old))*m)
	for k := range m {
		s, d := valueAt(a[:i], k), valueAt(b[:j], k)
		for _, o := range old {
			p.table = append(p.table, place{o.s + s, o.d + d})
		}
	}
	return a[i:], b[j:], true
}

func valueAt(a []viewMode, k int64) (x int64) {
	for _, m := range a {
		x += k % m.n * m.s
		k /= m.n
	}
	return x
}

// arrange puts the loops in a good order. Modes that do nothing are dropped, and the destination counts up, its
// neighbours first. Modes that form one run are joined, and the neighbours of both tensors become the run.
func (p *commonLoops) arrange() {
	kept := p.modes[:0]
	for _, m := range p.modes {
		if m.s == 0 && m.d == 0 {
			continue
		}
		if m.d < 0 || (m.d == 0 && m.s < 0) {
			p.from.s += (m.n - 1) * m.s
			p.from.d += (m.n - 1) * m.d
			m.s, m.d = -m.s, -m.d
		}
		kept = append(kept, m)
	}
	sort.Slice(kept, func(i, j int) bool {
		a, b := kept[i], kept[j]
		return cmp.Or(cmp.Compare(a.d, b.d), cmp.Compare(max(a.s, -a.s), max(b.s, -b.s))) < 0
	})
	p.modes = kept[:0]
	for _, m := range kept {
		if last := len(p.modes) - 1; last >= 0 && m.d == p.modes[last].n*p.modes[last].d &&
			m.s == p.modes[last].n*p.modes[last].s {
			p.modes[last].n *= m.n
			continue
		}
		p.modes = append(p.modes, m)
	}
	p.run = 1
	for i, m := range p.modes {
		if m.s == 1 && m.d == 1 {
			p.takeRun(i)
			break
		}
	}
}

// takeRun makes mode i the run, or the part of mode i that swizzles keep together.
func (p *commonLoops) takeRun(i int) {
	m := p.modes[i]
	p.modes = slices.Delete(p.modes, i, i+1)
	p.run = m.n
	if len(p.src.links)+len(p.dst.links) == 0 {
		return
	}
	s, d := m.n|p.from.s, m.n|p.from.d
	for _, x := range p.modes {
		s, d = s|x.s, d|x.d
	}
	for _, x := range p.table {
		s, d = s|x.s, d|x.d
	}
	for _, x := range p.rest[0] {
		s |= x.s
	}
	for _, x := range p.rest[1] {
		d |= x.s
	}
	p.run = min(together(p.src.links, s), together(p.dst.links, d), m.n&-m.n)
	if p.run < m.n {
		p.modes = slices.Insert(p.modes, 0, copyMode{m.n / p.run, p.run, p.run})
	}
}

// together returns the largest power of two such that blocks of this many positions stay blocks under the links, if all
// blocks begin at multiples of the lowest set bit of starts.
func together(links []link, starts int64) int64 {
	most := int64(1) << 62
	for _, k := range links {
		if k.table {
			return 1
		}
		starts |= k.offset
		if k.sw.B() > 0 {
			most = min(most, int64(1)<<k.sw.M())
		}
	}
	if len(links) == 0 {
		return most
	}
	return min(most, int64(1)<<min(62, bits.TrailingZeros64(uint64(starts))))
}

// injective reports whether the strides prove that the loops visit each place of the destination at most once: each
// mode must step over everything that the modes before it reach. Swizzles are bijections.
func (p *commonLoops) injective() bool {
	if p.isListed() {
		return false
	}
	for _, k := range p.dst.links {
		if k.table {
			return false
		}
	}
	reach := p.run - 1
	for _, m := range p.modes {
		if m.d <= reach {
			return false
		}
		reach += (m.n - 1) * m.d
	}
	return true
}

// isListed reports whether some modes are not loops of both views.
func (p *commonLoops) isListed() bool { return p.table != nil || p.rest[0] != nil }

// vector returns the number of elements that the loops copy at a time.
func (p *commonLoops) vector() int64 { return p.run }

// MaxCommonVector returns the number of elements of the longest run that is contiguous in both tensors. One step of
// [Copy] moves that many elements; CuTe's max_common_vector vectorizes that many. Unlike in CuTe, the run may be in any
// mode, and a swizzle keeps 2^M elements together only if all runs begin at multiples of 2^M.
//
// It returns [cute.CodeNotCongruent] if the sizes differ, and [cute.CodeType] for a zero tensor. Tensors that are
// padded, or composed with other layouts, have vectors of 1.
func MaxCommonVector[S, T any](a Tensor[S], b Tensor[T]) (int64, error) {
	const op = "max_common_vector"
	if a.v == nil || b.v == nil {
		return 0, missing(op, a.eng, b.eng)
	}
	if a.Size() != b.Size() {
		return 0, sizesDiffer(op, a.Shape(), b.Shape())
	}
	if a.v.coords || b.v.coords {
		return 1, nil
	}
	p, ok := pairUp(a.v, b.v)
	if !ok {
		return 1, nil
	}
	p.arrange()
	return p.vector(), nil
}

func sizesDiffer(op string, a, b cute.Tuple) error {
	m, _ := a.Product()
	n, _ := b.Product()
	return refuse(op, cute.CodeNotCongruent, "expected tensors of one size, found %v of %d elements and %v of %d", a,
		m, b, n)
}
