package view

import (
	"girih/internal/picture/draw"
)

// A detail is what a labelled cell of a thread-value map represents.
type detail uint8

const (
	detailElement detail = iota
	detailVector         // consecutive values of a thread
	detailThread         // a block that one thread holds
	detailGroup          // a block that a range of threads holds, with a range of values
	detailWarp           // squares without labels, and labels on the blocks of the warps
)

// A tvLook says how the thread-value maps of one picture are drawn. All maps share the look, so that colors
// and sizes are comparable.
type tvLook struct {
	theme   *draw.Theme
	by      ColorBy
	warp    int64
	values  int64 // the most values of a thread
	threads int64
	detail  detail
	rs, cs  int     // the extent of a cell in squares, for vectors and blocks
	run     int64   // the length of a vector
	numbers []int64 // the numbers of the threads; nil for 0, 1, 2
	vectors bool
	shared  bool
	entire  bool // a cell has all values of its threads, so the shade carries no information
	way          // how the map fits a page
}

// newTVLook decides how much detail to show.
func newTVLook(h *holders, o Options) *tvLook {
	m := &tvLook{
		theme: o.theme(), by: o.holderFill(h.threads), warp: o.warp(),
		values: h.values, threads: h.threads, numbers: h.numbers,
		rs: 1, cs: 1,
	}
	m.way = o.way
	v, across := h.vector()
	m.run = int64(v)
	a := amountOf(h, v, o)
	if m.by == ColorValue { // the values in a larger cell have different fills
		if !a.few {
			m.detail = detailWarp
		}
		return m
	}
	vr, vc := v, 1
	if across {
		vr, vc = 1, v
	}
	switch {
	case (o.coarse || m.cols > 0) && m.group(h):
	case a.cellsFit():
	case a.vectorsFit() && m.fits(h, vr, vc, o):
		m.detail = detailVector
	case a.few || m.group(h):
	case v > 1 && m.fits(h, vr, vc, o):
		m.detail = detailVector
	default:
		m.byThread(h, v, o)
	}
	return m
}

// An amount is how much a thread-value map has to show.
type amount struct {
	elements, vector int
	few              bool // each element may have a label
	merge            bool // vectors are long enough for the way of drawing, which merges them
	asked            bool // the caller gave the number of labelled cells
}

func amountOf(h *holders, vector int, o Options) amount {
	n := len(h.thread)
	return amount{
		elements: n, vector: vector, few: int64(n) <= o.labelLimit() && !o.coarse,
		merge: o.merge > 0 && vector >= o.merge, asked: o.MaxCells > 0,
	}
}

// cellsFit reports whether each element is a cell.
func (a amount) cellsFit() bool {
	return a.few && !a.merge && (a.asked || a.elements <= fewCells)
}

// vectorsFit reports whether vectors are worth being cells, and few enough.
func (a amount) vectorsFit() bool {
	worth := a.vector > 1 && !a.few || a.vector >= 4 || a.merge
	return worth && (a.few || a.asked || a.elements/a.vector <= fewCells)
}

// byThread makes the blocks of one thread the cells if they are larger than a vector and fit. Otherwise only the blocks
// of warps are labelled.
func (m *tvLook) byThread(h *holders, vector int, o Options) {
	m.detail = detailWarp
	rs, cs := h.tiles(func(i int) int64 {
		if h.count[i] != 1 {
			return -1
		}
		return int64(h.thread[i])
	})
	if rs*cs > vector && m.fits(h, rs, cs, o) {
		m.detail = detailThread
	}
}

// fits sets the extent of a cell if the picture is then not too large.
func (m *tvLook) fits(h *holders, rs, cs int, o Options) bool {
	wide, tall := 64.0, 30.0 // approximate size of a labelled cell
	if cs >= 8 {
		wide, tall = 85, 20
	}
	if int64(len(h.thread)/(rs*cs)) > 2*o.labelLimit() || wide*float64(h.cols/cs) > maxSide ||
		tall*float64(h.rows/rs) > maxSide {
		return false
	}
	m.rs, m.cs = rs, cs
	return true
}

// fill returns the fill of a value of a thread.
func (m *tvLook) fill(t, v int64) draw.Color {
	switch m.by {
	case ColorNone:
		return m.theme.Paper
	case ColorWarp:
		if m.byLane() {
			return m.theme.Shade(t/m.warp, t%m.warp/m.eight(), m.warp/m.eight())
		}
		return m.theme.Shade(t/m.warp, v, m.values)
	case ColorVector:
		return m.theme.Hue(v / m.run)
	case ColorValue:
		return m.theme.Hue(v)
	}
	if n := m.bands(); n > 1 {
		return m.theme.Shade(t, t/m.eight()%n, n)
	}
	return m.theme.Shade(t, v, m.values)
}

// eight is the number of hues.
func (m *tvLook) eight() int64 { return int64(len(m.theme.Hues)) }

// bands returns the number of shades of a hue that distinguish threads if there are more threads than hues; the cell
// then shows the value as text. It is 1 if the shade means the value.
func (m *tvLook) bands() int64 {
	if m.by != ColorThread || m.threads <= m.eight() || m.theme.Classic {
		return 1
	}
	return min((m.threads+m.eight()-1)/m.eight(), maxBands)
}

// maxBands is the number of distinguishable shades of a hue: 8, for 64 threads.
const maxBands = 8

// byLane reports whether the shade of a warp's hue means the lane, because a thread has too few values for many
// shades.
func (m *tvLook) byLane() bool {
	return m.by == ColorWarp && m.values <= 2 && m.detail == detailElement && m.warp > m.eight() && !m.theme.Classic
}

// fills returns fill as a table by hue and value, because there are many cells and few colors.
func (m *tvLook) fills() func(t, v int32) draw.Color {
	period := m.eight() * m.bands() // the number of threads after which colors repeat
	if m.by == ColorWarp {
		period *= m.warp
	}
	period = min(period, m.threads)
	table := make([]draw.Color, period*m.values)
	return func(t, v int32) draw.Color {
		k := int64(t)%period*m.values + int64(v)
		if table[k] == 0 {
			table[k] = m.fill(int64(t), int64(v))
		}
		return table[k]
	}
}
