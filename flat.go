package girih

import "girih/internal/ints"

// modes is the working form of the kernels: a flat list of leaves, extents s and, with k numbers for each,
// strides d. Kernels keep it in buffers on the stack and allocate once, for the result. Its methods take and
// return it by value, as append does: slices stored through a pointer would move the buffers to the heap.
type modes struct {
	s, d []int64
	k    int
}

// stackModes is the number of numbers that a kernel keeps on the stack; longer lists move to the heap.
const stackModes = 16

func (m modes) len() int { return len(m.s) }

func (m modes) stride(i int) []int64 { return m.d[i*m.k : (i+1)*m.k] }

// pop drops the last leaf.
func (m modes) pop() modes {
	m.s = m.s[:len(m.s)-1]
	m.d = m.d[:len(m.d)-m.k]
	return m
}

// push appends the leaf s:d, or merges it into the last leaf at or after place from when its stride
// continues that leaf: s0:d0 and s1:(s0·d0) are (s0·s1):d0.
func (m modes) push(s int64, d []int64, from int) modes {
	if n := len(m.s) - 1; n >= from {
		if last := m.s[n]; continues(last, m.d[n*m.k:], d) {
			if merged, ok := ints.Mul(last, s); ok {
				m.s[n] = merged
				return m
			}
		}
	}
	m.s = append(m.s, s)
	m.d = append(m.d, d...)
	return m
}

// continues reports whether the stride d is that of the leaf s:base continued.
func continues(s int64, base, d []int64) bool {
	base = base[:len(d)]
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
// The result has at least one leaf.
func (m modes) coalesceZ(s, d []int64) modes {
	from, last := len(m.s), len(s)-1
	for i, x := range s {
		if x != 1 || i == last {
			m = m.push(x, d[i*m.k:(i+1)*m.k], from)
		}
	}
	if len(m.s) == from {
		m.s = append(m.s, 1)
		for range m.k {
			m.d = append(m.d, 0)
		}
	}
	return m
}

// trimUnit drops a last leaf of extent 1 after place from; a lone one becomes 1:0.
func (m modes) trimUnit(from int) modes {
	n := len(m.s) - 1
	if m.s[n] != 1 {
		return m
	}
	if n > from {
		return m.pop()
	}
	clear(m.d[n*m.k:])
	return m
}

// layout allocates the layout of the leaves in the given nesting.
func (m modes) layout(op, prof string, cod *codomain) (Layout, error) {
	v := make([]int64, len(m.s)+len(m.d))
	copy(v, m.s)
	copy(v[len(m.s):], m.d)
	return finish(op, v, prof, cod)
}
