package cute

import (
	"math/bits"

	"girih/internal/ints"
)

// modes is the working form of the kernels: a flat list of n leaves, extents s and, with k numbers for each,
// strides d. The slices are buffers that the caller provides, on its stack where possible, and never grow: what
// does not fit sets full. So a kernel works through pointers and allocates once, for the result; slices that grew
// would have to be stored through the pointer, which moves the buffers to the heap.
//
// A kernel takes down in trace what it does, unless it is nil.
type modes struct {
	s, d  []int64
	n, k  int
	full  bool
	trace *trace
}

// stackModes is the number of numbers that a kernel keeps on the stack; longer lists take the heap.
// What is seldom long, such as a coalesced layout, has room for fewModes.
const (
	stackModes = 16
	fewModes   = 8
)

// buffer returns buf, or a new slice where n numbers do not fit into it.
func buffer(buf []int64, n int) []int64 {
	if n <= len(buf) {
		return buf
	}
	return make([]int64, n)
}

// heapModes returns empty modes with room for n leaves, for callers that are not hot.
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

// push appends the leaf s:d, or merges it into the last leaf at or after place from when its stride
// continues that leaf: s0:d0 and s1:(s0·d0) are (s0·s1):d0.
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

// continues reports whether the stride d is that of the leaf s:base continued.
func continues(s int64, base, d []int64) bool {
	for a, x := range d {
		if p, ok := ints.Mul(s, base[a]); !ok || p != x {
			return false
		}
	}
	return true
}

// coalesceZ appends the leaves of extents s and strides d, merged and without those of extent 1, except
// that a last leaf of extent 1 stays when its stride does not continue what precedes: it decides the
// function beyond the size (coalesce_z in CuTe's terms, composition's view of its left operand).
// It appends at least one leaf and at most len(s), or one.
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

// trimUnit drops a last leaf of extent 1 after place from; a lone one becomes 1:0.
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

// layoutTo is layout, with the result stored where its last owner wants it: a Layout is six words, and handing them up
// through several calls costs more than most of what the kernels compute.
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
	// The quick test of Layout.fits, made while copying.
	if cod == nil && total+bits.Len64(largest) <= 63 {
		l.v, l.prof = v, prof
		return nil
	}
	*l, err = finish(op, v, prof, cod)
	return err
}
