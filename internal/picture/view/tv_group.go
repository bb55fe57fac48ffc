package view

import (
	"cmp"
	"fmt"
	"strconv"
)

// The largest numbers of labelled blocks of a group, in total and along a side.
const (
	groupLabels = 320
	groupRows   = 40
	groupCols   = 32
)

// A tvRange is the ranges of threads and values in a block.
type tvRange struct{ t0, t1, v0, v1 int64 }

// String returns the ranges as "T0-31 V0-1".
func (s tvRange) String() string {
	return rangeText('T', s.t0, s.t1) + " " + rangeText('V', s.v0, s.v1)
}

func rangeText(letter byte, lo, hi int64) string {
	b := strconv.AppendInt([]byte{letter}, lo, 10)
	if hi > lo {
		b = strconv.AppendInt(append(b, '-'), hi, 10)
	}
	return string(b)
}

// group sets the extent of a cell to the smallest blocks that each contain all values of a range for all threads of a
// range. It prefers a whole warp with a few values, such as the 8 by 8 blocks of an accumulator, or a whole
// thread. It reports whether such blocks exist, leave few enough labels, and have one color each; they then become
// the detail.
func (m *tvLook) group(h *holders) bool {
	if h.strip() || h.numbers != nil || m.by != ColorWarp && m.by != ColorNone || !h.even() || h.count[0] == 0 {
		return false
	}
	best := 0
	for rs := 1; rs <= h.rows; rs *= 2 {
		for cs := 1; cs <= h.cols; cs++ {
			score := m.groupScore(h, rs, cs)
			if score > best || score > 0 && score == best && wide(rs, cs) < wide(m.rs, m.cs) {
				best, m.rs, m.cs = score, rs, cs
			}
		}
	}
	if best == 0 {
		return false
	}
	s := h.ranges(0, m.rs, m.cs)
	m.detail, m.entire = detailGroup, s.v1-s.v0+1 == m.values
	return true
}

// groupScore rates blocks of rs by cs squares as cells, 0 if they are impossible: more labels are better, and a whole
// warp or all values of a thread in a block are better than that.
func (m *tvLook) groupScore(h *holders, rs, cs int) int {
	if cs&(cs-1) != 0 && m.cols == 0 { // use other widths only if powers of two do not fit a page
		return 0
	}
	if h.rows%rs != 0 || h.cols%cs != 0 || h.rows/rs > groupRows || h.cols/cs > cmp.Or(m.cols, groupCols) {
		return 0
	}
	labels := h.rows / rs * (h.cols / cs) * h.blocks
	if labels < 2 || labels > groupLabels || !m.whole(h, rs, cs) {
		return 0
	}
	s := h.ranges(0, rs, cs)
	if s.t1-s.t0+1 == min(m.warp, m.threads) || s.v1-s.v0+1 == m.values {
		labels += groupLabels
	}
	return labels
}

// wide returns the aspect ratio of a block.
func wide(rows, cols int) int { return max(rows/cols, cols/rows) }

// whole reports whether every block is complete: it has as many elements as threads times values, all of one warp.
func (m *tvLook) whole(h *holders, rs, cs int) bool {
	for from := 0; from < len(h.thread); from += h.rows * h.cols {
		for r := 0; r < h.rows; r += rs {
			for c := 0; c < h.cols; c += cs {
				s := h.ranges(from+r*h.cols+c, rs, cs)
				if (s.t1-s.t0+1)*(s.v1-s.v0+1) != int64(rs*cs) || s.t0/m.warp != s.t1/m.warp {
					return false
				}
			}
		}
	}
	return true
}

// ranges returns the ranges in the block whose first element is i.
func (h *holders) ranges(i, rs, cs int) tvRange {
	s := tvRange{int64(h.thread[i]), int64(h.thread[i]), int64(h.value[i]), int64(h.value[i])}
	for r := range rs {
		for k := i + r*h.cols; k < i+r*h.cols+cs; k++ {
			t, v := int64(h.thread[k]), int64(h.value[k])
			s.t0, s.t1, s.v0, s.v1 = min(s.t0, t), max(s.t1, t), min(s.v0, v), max(s.v1, v)
		}
	}
	return s
}

// alike reports whether all blocks equal the first except for the numbers of the first thread and the first value.
func (m *tvLook) alike(h *holders) bool {
	for i := range h.thread {
		in := i % (h.rows * h.cols)
		r, c := in/h.cols, in%h.cols
		first := i - in + (r-r%m.rs)*h.cols + c - c%m.cs
		like := r%m.rs*h.cols + c%m.cs
		if h.thread[i]-h.thread[first] != h.thread[like]-h.thread[0] || h.value[i]-h.value[first] != h.value[like]-h.value[0] {
			return false
		}
	}
	return true
}

// sample returns the first block element by element, or nil if it is too large to show or not like the others.
func (m *tvLook) sample(h *holders) *grid {
	if m.detail != detailGroup || m.rs*m.cs > 256 || !m.alike(h) {
		return nil
	}
	one := *m
	one.detail, one.rs, one.cs = detailElement, 1, 1
	g := one.grid(h.rowsOf(0, m.rs, m.cs), 0)
	m.vectors = one.vectors
	g.title, g.key = "the first cell", "sample"
	return g
}

// groupNote explains what a cell is.
func (m *tvLook) groupNote(h *holders) string {
	s := h.ranges(0, m.rs, m.cs)
	what := fmt.Sprintf("values %d to %d of each of the threads %d to %d", s.v0, s.v1, s.t0, s.t1)
	switch {
	case s.t0 == s.t1:
		what = fmt.Sprintf("values %d to %d of thread %d", s.v0, s.v1, s.t0)
	case s.v0 == s.v1:
		what = fmt.Sprintf("value %d of each of the threads %d to %d", s.v0, s.t0, s.t1)
	}
	return fmt.Sprintf("A cell is a block of %d by %d elements: %s is %s.", m.rs, m.cs, s, what)
}
