package cute

import (
	"math/bits"
	"slices"

	"girih/internal/ints"
)

// modes is the working form of the algebra's loops (kernels): a flat list of n leaves with extents s and strides d, k
// numbers for each stride. The slices are buffers that the caller provides, on its stack where possible, and the
// buffers never grow: if a leaf does not fit, full is set. So a kernel works through pointers and allocates only its
// result. Storing grown slices through the pointer would move the buffers to the heap.
//
// A kernel records its steps in trace unless trace is nil.
type modes struct {
	s, d  []int64
	n, k  int
	full  bool
	trace *trace
}

// stackModes is how many numbers a kernel keeps on the stack; longer lists are on the heap. Lists that are seldom long,
// such as coalesced layouts, have room for fewModes.
const (
	stackModes = 16
	fewModes   = 8
)

// buffer returns buf, or a new slice if buf is too short for n numbers.
func buffer(buf []int64, n int) []int64 {
	if n <= len(buf) {
		return buf
	}
	return make([]int64, n)
}

// heapModes returns empty modes with room for n leaves on the heap.
//
//go:noinline
func heapModes(n, k int) modes {
	return modes{s: make([]int64, n), d: make([]int64, n*k), k: k}
}

// stride returns the stride of leaf i, one number per axis.
func (m *modes) stride(i int) []int64 { return m.d[i*m.k : (i+1)*m.k] }

// put appends the leaf s:d.
func (m *modes) put(s int64, d []int64) {
	if m.n == len(m.s) || (m.n+1)*m.k > len(m.d) {
		m.full = true
		return
	}
	m.s[m.n] = s
	if m.k == 1 {
		m.d[m.n] = d[0]
	} else {
		copy(m.d[m.n*m.k:], d)
	}
	m.n++
}

// putAlong appends the leaf of extent s that moves by d along one axis.
//
//go:noinline
func (m *modes) putAlong(s, d int64, axis int) {
	if m.n == len(m.s) || (m.n+1)*m.k > len(m.d) {
		m.full = true
		return
	}
	m.s[m.n] = s
	to := m.d[m.n*m.k:][:m.k]
	clear(to)
	to[axis] = d
	m.n++
}

// putUnit appends 1:0 if there is no leaf at or after place from.
func (m *modes) putUnit(from int) {
	if m.n == from {
		m.putAlong(1, 0, 0)
	}
}

// putLayout appends the leaves of l, as vectors over the axes of cod.
func (m *modes) putLayout(l Layout, cod *codomain) error {
	d, err := rebase(nil, l.strides(), l.cod, cod)
	if err != nil {
		return err
	}
	for i, s := range l.extents() {
		m.put(s, d[i*m.k:(i+1)*m.k])
	}
	return nil
}

// push appends the leaf s:d. If d continues the last leaf, and that leaf is at or after place from, push merges the two
// instead: s0:d0 and s1:(s0·d0) become (s0·s1):d0.
func (m *modes) push(s int64, d []int64, from int) {
	if m.k == 1 {
		m.pushInteger(s, d[0], from)
		return
	}
	if last := m.n - 1; last >= from && continues(m.s[last], m.d[last*m.k:], d) {
		if merged, ok := ints.Mul(m.s[last], s); ok {
			m.s[last] = merged
			return
		}
	}
	m.put(s, d)
}

// pushInteger is push for strides that are integers.
func (m *modes) pushInteger(s, d int64, from int) {
	n := m.n
	if last := n - 1; last >= from {
		before := m.s[last]
		if p, ok := ints.Mul(before, m.d[last]); ok && p == d {
			if merged, ok := ints.Mul(before, s); ok {
				m.s[last] = merged
				return
			}
		}
	}
	if n >= len(m.s) || n >= len(m.d) {
		m.full = true
		return
	}
	m.s[n], m.d[n] = s, d
	m.n = n + 1
}

// continues reports whether a leaf of stride d continues the leaf s:base, that is, whether d = s·base.
func continues(s int64, base, d []int64) bool {
	for a, x := range d {
		if p, ok := ints.Mul(s, base[a]); !ok || p != x {
			return false
		}
	}
	return true
}

// coalesceZ appends the leaves of extents s and strides d, merged and without extents of 1. One exception: a last leaf
// of extent 1 stays if its stride does not continue the leaves before, because that stride decides the function beyond
// the size. (CuTe calls this coalesce_z; composition applies it to its left operand.) coalesceZ appends 1 to max(1,
// len(s)) leaves.
func (m *modes) coalesceZ(s, d []int64) {
	from, last, k := m.n, len(s)-1, m.k
	for i, x := range s {
		if x != 1 || i == last {
			m.push(x, d[:k], from)
		}
		d = d[k:]
	}
	if m.n == from {
		m.putAlong(1, 0, 0)
	}
}

// trimUnit drops a last leaf of extent 1 if it is after place from; a last leaf of extent 1 at from becomes 1:0.
func (m *modes) trimUnit(from int) {
	last := m.n - 1
	switch {
	case m.s[last] != 1:
	case last > from:
		m.n--
	default:
		clear(m.stride(last))
	}
}

// layout allocates the layout of the leaves in the given nesting.
func (m *modes) layout(op, prof string, cod *codomain) (l Layout, err error) {
	err = m.layoutTo(&l, op, prof, cod)
	return l, err
}

// layoutTo is layout, but stores the result through l: a Layout is six words, and returning six words through several
// calls takes longer than most kernels compute.
func (m *modes) layoutTo(l *Layout, op, prof string, cod *codomain) (err error) {
	n := m.n
	v := make([]int64, n+n*m.k)
	total, largest := 0, uint64(0)
	for i, s := range m.s[:n] {
		v[i] = s
		total += bits.Len64(uint64(s))
	}
	for i, d := range m.d[:n*m.k] {
		v[n+i] = d
		largest |= uint64(max(d, -d))
	}
	// This is the test of Layout.fitsQuickly, made during the copy.
	if cod == nil && total+bits.Len64(largest) <= 63 {
		l.v, l.prof = v, prof
		return nil
	}
	*l, err = finish(op, v, prof, cod)
	return err
}

// Coalesce returns the unique layout of least rank that is the same function on the domain: depth at most 1, no extent
// of 1, no two neighbours that merge. A layout of size 1 becomes 1:0.
//
// The form is unique because each mode is forced: the first is the longest linear run of the function, and so on. So
// two layouts are equal as functions exactly if their coalesced forms are equal; see [Equivalent].
func Coalesce(a Layout) (l Layout) {
	if a.cod != nil {
		return fewer(coalesceAny(a, caller{}))
	}
	l.v = coalescedIntegers(a.v)
	l.prof = unwrappedProfile(len(l.v) / 2)
	return l
}

// fewer returns the layout of an operation that only selects or merges modes. Such an operation creates no larger
// offsets or sizes, so its error is always nil.
func fewer(l Layout, _ error) Layout { return l }

// coalesceAny is Coalesce for all strides, with steps recorded if the caller asks.
func coalesceAny(a Layout, c caller) (Layout, error) {
	var sb, db [stackModes]int64
	n, k := a.leaves(), a.cod.axes()
	m := modes{s: buffer(sb[:], n), d: buffer(db[:], n*k), k: k, trace: c.trace.over(a.cod)}
	m.coalesce(a.extents(), a.strides())
	return m.layout("coalesce", unwrappedProfile(m.n), a.cod)
}

// coalesce puts the leaves of extents s and strides d into m, merged and without extents of 1. m must be empty, with
// room for all leaves and for at least one.
func (m *modes) coalesce(s, d []int64) {
	for i, x := range s {
		y := d[i*m.k : (i+1)*m.k]
		if m.trace != nil {
			m.trace.merge(m, x, y)
		}
		if x != 1 {
			m.push(x, y, 0)
		}
		if m.trace != nil {
			m.trace.endMerge(m)
		}
	}
	if m.n == 0 {
		m.putAlong(1, 0, 0)
	}
}

// coalescedIntegers is [Coalesce] for integer strides. v and the result hold the extents, then the strides.
// coalescedIntegers counts the result's modes and then writes them into one allocation, or returns v if nothing merges.
// After the leaf s:d, a leaf merges if its stride is s·d, whether or not s:d was merged itself.
//
// Overflow needs no check. Merging keeps the size and the sum of (extent−1)·|stride|. And if s·d wraps to some w, no
// next leaf has the stride w: since |w| = 2^64 − s·|d|, such a leaf would take the sum to at least 2^64 − |d|, above
// 2^63.
//
// It works on slices because copying a Layout, passed by value, word by word took half of the time.
func coalescedIntegers(v []int64) []int64 {
	leaves := len(v) / 2
	s, d := v[:leaves], v[leaves:]
	d = d[:len(s)]
	n, size, first, next := 0, int64(1), int64(0), int64(0)
	for i, x := range s {
		if x == 1 {
			continue
		}
		y := d[i]
		if n == 0 {
			first = y
			n = 1
		} else if y != next {
			n++
		}
		size *= x
		next = x * y
	}
	switch n {
	case 0:
		return unitMode.v
	case leaves:
		return v
	case 1:
		// An allocation of constant size is cheaper.
		one := new([2]int64)
		one[0], one[1] = size, first
		return one[:]
	}
	out := make([]int64, 2*n)
	j := -1
	for i, x := range s {
		if x == 1 {
			continue
		}
		if j >= 0 && d[i] == next {
			out[j] *= x
		} else {
			j++
			out[j], out[n+j] = x, d[i]
		}
		next = x * d[i]
	}
	return out
}

// CoalesceProfile coalesces by mode: each mode of a that corresponds to a leaf of the target profile is coalesced on
// its own, and modes beyond the profile stay as they are. Only the nesting of the profile matters, not its numbers
// (CuTe's Step<_1,_1>). It returns [CodeRank] if the profile has more modes than a, at any level.
func CoalesceProfile(a Layout, profile Tuple) (Layout, error) {
	return perMode{"coalesce", coalesceAny}.coalesce(a, profile, caller{})
}

// perMode coalesces each mode of a layout that corresponds to a leaf of a profile.
type perMode struct {
	op string
	f  func(Layout, caller) (Layout, error)
}

func (p perMode) coalesce(a Layout, profile Tuple, c caller) (Layout, error) {
	if profile.profile() == "." {
		return p.f(a, c)
	}
	as, ps := a.Modes(), profile.Modes()
	if a.prof == "." && len(ps) == 1 && ps[0].prof == "." {
		if c.trace != nil {
			c.trace.part(0, a, ps[0])
		}
		l, err := p.f(a, c)
		if err != nil {
			return Layout{}, err
		}
		c.trace.end(l)
		return MakeLayout(l)
	}
	if a.prof == "." && len(ps) == 0 {
		return MakeLayout(a)
	}
	if a.prof == "." || len(ps) > len(as) {
		return Layout{}, errorf(CodeRank, p.op, "the target profile %v has more modes than %v", profile, a)
	}
	for i := range ps {
		var err error
		if c.trace != nil {
			c.trace.part(i, as[i], ps[i])
		}
		if as[i], err = p.coalesce(as[i], ps[i], c); err != nil {
			return Layout{}, err
		}
		c.trace.end(as[i])
	}
	for i := len(ps); i < len(as); i++ {
		c.trace.part(i, as[i], nil)
		c.trace.end(as[i])
	}
	return MakeLayout(as...)
}

// CoalesceZ returns the unique shortest layout that is the same function at every index from 0 on, including those
// beyond the size, which continue the last mode. Its depth is at most 1, and no two neighbours merge. An extent of 1 is
// possible only in the last mode. Its stride stays if it does not continue the modes before, because the stride decides
// the function beyond the size. (4,1):(3,4) maps 4 to 4, and 4:3 maps it to 12.
//
// Two layouts of the same size agree everywhere exactly if their CoalesceZ forms have the same text. The function is
// CuTe's coalesce_z, and [Composition] applies it to its left operand.
func CoalesceZ(a Layout) Layout { return fewer(coalesceZ(a, caller{})) }

func coalesceZ(a Layout, _ caller) (Layout, error) {
	m := heapModes(a.leaves()+1, a.cod.axes())
	m.coalesceZ(a.extents(), a.strides())
	return m.layout("coalesce_z", unwrappedProfile(m.n), a.cod)
}

// CoalesceZProfile is [CoalesceProfile] with [CoalesceZ] for each mode. It returns [CodeRank] if the profile has more
// modes than a, at any level.
func CoalesceZProfile(a Layout, profile Tuple) (Layout, error) {
	return perMode{"coalesce_z", coalesceZ}.coalesce(a, profile, caller{})
}

// leaves returns the leaves of m from place from on.
func (t *trace) leaves(m *modes, from int) []Leaf {
	out := make([]Leaf, 0, m.n-from)
	for i := from; i < m.n; i++ {
		out = append(out, t.leaf(m.s[i], m.stride(i)))
	}
	return out
}

// A Merge is what coalesce does with one mode: it drops a mode of extent 1, merges a mode whose stride continues the
// kept mode before it, and keeps any other mode.
type Merge struct {
	Mode   Leaf
	Before Leaf  // the last kept mode so far; its extent is 0 if there is none
	Next   Tuple // the stride that would continue Before; () if it overflows 64 bits
	After  Leaf  // the last kept mode after this step
	Merged bool
}

func (Merge) derives() {}

// merge records the leaf s:stride that follows the kept modes; endMerge completes the record with the kept modes after
// it.
func (t *trace) merge(m *modes, s int64, stride []int64) {
	step := Merge{Mode: t.leaf(s, stride)}
	if m.n > 0 {
		step.Before = t.leaf(m.s[m.n-1], m.stride(m.n-1))
		step.Next, _ = step.Before.Stride.Scale(step.Before.Extent)
	}
	t.add(step)
}

func (t *trace) endMerge(m *modes) {
	d := t.top()
	last := len(d.Steps) - 1
	step, ok := d.Steps[last].(Merge)
	if !ok || m.n == 0 {
		return
	}
	step.After = t.leaf(m.s[m.n-1], m.stride(m.n-1))
	step.Merged = step.Mode.Extent > 1 && step.After.Extent != step.Mode.Extent
	d.Steps[last] = step
}

// A Stay is a mode and the amount that one step along it adds to the index. The mode stays in the nullspace if its
// stride is 0 and its extent is greater than 1.
type Stay struct {
	Mode  Leaf
	Index int64
	Stays bool
}

func (Stay) derives() {}

// FilterZeros returns l with extent 1 in place of each extent whose stride is 0, so broadcast modes have one element.
func FilterZeros(l Layout) Layout {
	v := slices.Clone(l.v)
	for i := range l.leaves() {
		if isZero(l.stride(i)) {
			v[i] = 1
		}
	}
	return fewer(finish("filter_zeros", v, l.profile(), l.cod))
}

// Filter returns l without its broadcast modes: [Coalesce] of [FilterZeros].
func Filter(l Layout) Layout { return Coalesce(FilterZeros(l)) }

// Nullspace returns the layout of the coordinates that l maps to 0 because their strides are 0: its offsets are indices
// into l. The nullspace of (2,3,4):(1,0,2) is 3:2; without broadcast modes it is 1:0.
func Nullspace(l Layout) Layout { return nullspace(l, nil) }

func nullspace(l Layout, t *trace) Layout {
	m := heapModes(l.leaves(), 1)
	index := int64(1)
	for i, s := range l.extents() {
		stays := s > 1 && isZero(l.stride(i))
		if stays {
			m.putAlong(s, index, 0)
		}
		if t != nil {
			t.add(Stay{t.leaf(s, l.stride(i)), index, stays})
		}
		index *= s
	}
	if m.n == 0 {
		return unitMode
	}
	return fewer(m.layout("nullspace", unwrappedProfile(m.n), nil))
}
