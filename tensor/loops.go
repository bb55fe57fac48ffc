package tensor

import (
	"unsafe"
)

// copyLoops runs the loops of a pairing on elements in memory.
func copyLoops[T any](src, dst []T, p pairing) {
	if p.table != nil || len(p.src.links)+len(p.dst.links) > 0 {
		copyListed(src, dst, p)
		return
	}
	s, d := p.from.s+p.src.base, p.from.d+p.dst.base
	if a, b, ok := p.crossed(); ok {
		rest := make([]pair, 0, len(p.modes))
		for i, m := range p.modes {
			if i != a && i != b {
				rest = append(rest, m)
			}
		}
		// Outside of the block go the other modes, those that are close in the destination innermost.
		nest(rest, s, d, func(s, d int64) { copyBlocks(src, dst, s, d, p.run, p.modes[a], p.modes[b]) })
		return
	}
	inner := pair{1, 0, 0}
	rest := p.modes
	if len(rest) > 0 {
		inner, rest = rest[0], rest[1:]
	}
	if p.run == 1 {
		nest(rest, s, d, func(s, d int64) { copyStrided(src, dst, s, d, inner) })
		return
	}
	nest(rest, s, d, func(s, d int64) { copyRuns(src, dst, s, d, p.run, inner) })
}

// nest calls f at each coordinate of the modes, the first one fastest.
func nest(modes []pair, s, d int64, f func(s, d int64)) {
	if len(modes) == 0 {
		f(s, d)
		return
	}
	last := len(modes) - 1
	m := modes[last]
	for range m.n {
		nest(modes[:last], s, d, f)
		s += m.s
		d += m.d
	}
}

// copyStrided copies one element at each step of a mode.
func copyStrided[T any](src, dst []T, s, d int64, m pair) {
	if m.d == 1 { // gather
		to := dst[d : d+m.n]
		for k := range to {
			to[k] = src[s]
			s += m.s
		}
		return
	}
	for range m.n {
		dst[d] = src[s]
		s += m.s
		d += m.d
	}
}

// copyRuns copies a run at each step of a mode.
func copyRuns[T any](src, dst []T, s, d, run int64, m pair) {
	if !plain[T]() {
		for range m.n {
			copy(dst[d:d+run], src[s:s+run])
			s, d = s+m.s, d+m.d
		}
		return
	}
	var x T
	w := int64(unsafe.Sizeof(x))
	moveRuns(unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst)), s*w, d*w, run*w, pair{m.n, m.s * w, m.d * w})
}

// crossed finds the two modes of a transpose: a, close in the destination and far in the source, and b, the other way
// round. Going along the one only would touch a new cache line of the other tensor with each step.
func (p pairing) crossed() (a, b int, ok bool) {
	if len(p.modes) < 2 {
		return 0, 0, false
	}
	for i, m := range p.modes {
		if i > 0 && m.s != 0 && abs(m.s) < abs(p.modes[b].s) || b == 0 {
			b = i
		}
	}
	x, y := p.modes[0], p.modes[b]
	return 0, b, abs(y.s) < abs(x.s) && x.d < y.d && x.n > 1 && y.n > 1
}

func abs(x int64) int64 { return max(x, -x) }

// line is the size of a cache line, in bytes: blocks are as wide as one in either tensor.
const line = 64

// maxBlock is the largest number of elements of a block that is buffered.
const maxBlock = 64 * 64

// copyBlocks copies the plane of the modes a and b in blocks.
func copyBlocks[T any](src, dst []T, s, d, run int64, a, b pair) {
	var x T
	size := max(1, int64(unsafe.Sizeof(x))) * run
	side := max(4, line/size) // elements, or runs, of a cache line
	if run == 1 && a.d == 1 && b.s == 1 && side*side <= maxBlock {
		copyTransposed(src, dst, s, d, side, a, b)
		return
	}
	for i := int64(0); i < a.n; i += side {
		ni := min(side, a.n-i)
		for j := int64(0); j < b.n; j += side {
			nj := min(side, b.n-j)
			for l := range nj {
				from, to := s+i*a.s+(j+l)*b.s, d+i*a.d+(j+l)*b.d
				if run == 1 {
					copyStrided(src, dst, from, to, pair{ni, a.s, a.d})
				} else {
					copyRuns(src, dst, from, to, run, pair{ni, a.s, a.d})
				}
			}
		}
	}
}

// copyTransposed copies a plane that is contiguous along a in the destination and along b in the source.
func copyTransposed[T any](src, dst []T, s, d, side int64, a, b pair) {
	for i := int64(0); i < a.n; i += side {
		ni := min(side, a.n-i)
		for j := int64(0); j < b.n; j += side {
			nj := min(side, b.n-j)
			for l := range nj {
				from := s + i*a.s + j + l
				to := dst[d+i+(j+l)*b.d:][:ni]
				for k := range to {
					to[k] = src[from]
					from += a.s
				}
			}
		}
	}
}

// copyListed copies where runs are found one by one: from a table, or through swizzles.
func copyListed[T any](src, dst []T, p pairing) {
	table := p.table
	if table == nil {
		table = []place{{}}
	}
	inner := pair{1, 0, 0}
	rest := p.modes
	if len(rest) > 0 {
		inner, rest = rest[0], rest[1:]
	}
	nest(rest, p.from.s, p.from.d, func(s, d int64) {
		for _, t := range table {
			s, d := s+t.s, d+t.d
			for range inner.n {
				from, to := p.src.apply(s), p.dst.apply(d)
				if p.run == 1 {
					dst[to] = src[from]
				} else {
					copy(dst[to:to+p.run], src[from:from+p.run])
				}
				s += inner.s
				d += inner.d
			}
		}
	})
}
