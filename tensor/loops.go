package tensor

import (
	"unsafe"
)

// copyLoops runs common loops on elements in memory.
func copyLoops[T any](src, dst []T, p commonLoops) {
	if p.isListed() || len(p.src.links)+len(p.dst.links) > 0 {
		copyListed(src, dst, p)
		return
	}
	at := place{p.from.s + p.src.base, p.from.d + p.dst.base}
	if a, b, ok := p.transposedModes(); ok {
		rest := make([]copyMode, 0, len(p.modes))
		for i, m := range p.modes {
			if i != a && i != b {
				rest = append(rest, m)
			}
		}
		// The other modes are the loops around the block; modes that are close in the destination are innermost.
		block := runPlane{p.modes[a], p.modes[b], p.run}
		nest(rest, at, func(at place) { copyBlocks(src, dst, at, block) })
		return
	}
	inner := copyMode{1, 0, 0}
	rest := p.modes
	if len(rest) > 0 {
		inner, rest = rest[0], rest[1:]
	}
	if p.run == 1 {
		nest(rest, at, func(at place) { copyStrided(src, dst, at, inner) })
		return
	}
	nest(rest, at, func(at place) { copyRuns(src, dst, at, runMode{inner, p.run}) })
}

// nest calls f at each coordinate of the modes, the first one fastest.
func nest(modes []copyMode, at place, f func(at place)) {
	if len(modes) == 0 {
		f(at)
		return
	}
	last := len(modes) - 1
	m := modes[last]
	for range m.n {
		nest(modes[:last], at, f)
		at.s += m.s
		at.d += m.d
	}
}

// copyStrided copies one element at each step of a mode.
func copyStrided[T any](src, dst []T, at place, m copyMode) {
	s, d := at.s, at.d
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
func copyRuns[T any](src, dst []T, at place, m runMode) {
	if !plain[T]() {
		s, d := at.s, at.d
		for range m.n {
			copy(dst[d:d+m.run], src[s:s+m.run])
			s, d = s+m.s, d+m.d
		}
		return
	}
	var x T
	w := int64(unsafe.Sizeof(x))
	moveRuns(unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst)), place{at.s * w, at.d * w},
		runMode{copyMode{m.n, m.s * w, m.d * w}, m.run * w})
}

// transposedModes finds the two modes of a transpose: a is close in the destination and far in the source, and b the
// other way round. A loop along only one of them would touch a new cache line of the other tensor at each step.
func (p commonLoops) transposedModes() (a, b int, ok bool) {
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

// line is the size of a cache line in bytes. Blocks are as wide as a line of either tensor, and at most 32 elements
// wide, because rows whose size is a power of two share few sets of a cache.
const line = 64

// blockSide returns the width of a block, in runs of the given bytes.
func blockSide(bytes int64) int64 { return min(32, max(8, line/bytes)) }

// A runPlane is two modes, a and b. A run is copied at each of their coordinates.
type runPlane struct {
	a, b copyMode
	run  int64
}

// copyBlocks copies a plane in blocks.
func copyBlocks[T any](src, dst []T, at place, p runPlane) {
	var x T
	w := max(1, int64(unsafe.Sizeof(x)))
	a, b := p.a, p.b
	if p.run == 1 && a.d == 1 && b.s == 1 && plain[T]() && w <= 8 {
		from := unsafe.Add(unsafe.Pointer(unsafe.SliceData(src)), at.s*w)
		to := unsafe.Add(unsafe.Pointer(unsafe.SliceData(dst)), at.d*w)
		moveTransposed(from, to, plane{a.n, b.n, a.s, b.d, w})
		return
	}
	side := blockSide(w * p.run)
	for i := int64(0); i < a.n; i += side {
		ni := min(side, a.n-i)
		for j := int64(0); j < b.n; j += side {
			for l := j; l < min(j+side, b.n); l++ {
				row, m := place{at.s + i*a.s + l*b.s, at.d + i*a.d + l*b.d}, copyMode{ni, a.s, a.d}
				if p.run == 1 {
					copyStrided(src, dst, row, m)
				} else {
					copyRuns(src, dst, row, runMode{m, p.run})
				}
			}
		}
	}
}

// copyListed copies runs that are found one by one: from a table, or through swizzles.
func copyListed[T any](src, dst []T, p commonLoops) {
	if p.rest[0] != nil {
		copyCounted(src, dst, p)
		return
	}
	table := p.table
	if table == nil {
		table = []place{{}}
	}
	inner := copyMode{1, 0, 0}
	rest := p.modes
	if len(rest) > 0 {
		inner, rest = rest[0], rest[1:]
	}
	var from, to [chunk]int64
	filled := 0
	flush := func() {
		p.src.applyAll(from[:filled])
		p.dst.applyAll(to[:filled])
		copyPlaces(src, dst, places{from[:filled], to[:filled], p.run})
		filled = 0
	}
	nest(rest, p.from, func(at place) {
		for _, t := range table {
			s, d := at.s+t.s, at.d+t.d
			for left := inner.n; left > 0; {
				n := min(left, int64(chunk-filled))
				part := from[filled : filled+int(n)]
				other := to[filled:][:len(part)]
				for k := range part {
					part[k], other[k] = s, d
					s, d = s+inner.s, d+inner.d
				}
				left -= n
				if filled += int(n); filled == chunk {
					flush()
				}
			}
		}
	})
	flush()
}

// copyCounted lists the modes without common loops in parts.
func copyCounted[T any](src, dst []T, p commonLoops) {
	var s, d odometer
	n := int64(1)
	for i, o := range []*odometer{&s, &d} {
		o.begin(len(p.rest[i]))
		for _, m := range p.rest[i] {
			o.add(m.n, m.s)
		}
		o.end()
	}
	for _, m := range p.rest[0] {
		n *= m.n
	}
	before := p.table
	if before == nil {
		before = []place{{}}
	}
	p.rest = [2][]viewMode{}
	var from, to [chunk]int64
	for left := n; left > 0; {
		k := min(left, chunk)
		s.fill(from[:k])
		d.fill(to[:k])
		p.table = p.table[:0:0]
		for j := range k {
			for _, b := range before {
				p.table = append(p.table, place{b.s + from[j], b.d + to[j]})
			}
		}
		copyListed(src, dst, p)
		left -= k
	}
}

// places are positions in the source, with the same number of positions in the destination. A run is copied at each of
// them.
type places struct {
	from, to []int64
	run      int64
}

// copyPlaces copies a run at each place.
func copyPlaces[T any](src, dst []T, at places) {
	var x T
	from, to, run := at.from, at.to[:len(at.from)], at.run
	switch w := int64(unsafe.Sizeof(x)); {
	case run == 1:
		for k, s := range from {
			dst[to[k]] = src[s]
		}
	case plain[T]() && run*w <= shortRun:
		movePlaces(unsafe.Pointer(unsafe.SliceData(src)), unsafe.Pointer(unsafe.SliceData(dst)), at, w)
	default:
		for k, s := range from {
			d := to[k]
			copy(dst[d:d+run], src[s:s+run])
		}
	}
}
