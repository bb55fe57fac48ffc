package view

import "slices"

// A page is the column of text that contains a picture. A wider picture would be scaled down, including its numbers.
// To avoid that, parts are put below each other and cells become tighter.
const (
	pageWidth = 830.0 // the width of a page in points: the column of a README
	pageRoom  = pageWidth - 2*margin
	// pageTall is the height of a body above which the cells of a thread-value map become vectors, if that makes it
	// less tall.
	pageTall = 1000.0
)

// bodyWidth returns the largest width of a body in points: the width of a page, or of a terminal. In a terminal, one
// character of a cell with a number corresponds to bodyWidth/Columns points.
func (o Options) bodyWidth() float64 {
	if o.Columns > 0 {
		return 7.3 * float64(o.Columns)
	}
	return pageRoom
}

// flow puts parts side by side, a gap apart. Parts that do not fit a page or terminal go to the next lines. The
// result is a row, or a stack of rows.
func flow[P part](o Options, gap float64, parts ...P) part {
	p := newPainter(o)
	lines := &stack{gap: gap}
	for len(parts) > 0 {
		r := &row{gap: gap}
		for _, x := range parts {
			longer := &row{gap: gap, parts: append(slices.Clone(r.parts), x)}
			if w, _ := longer.measure(p); w > o.bodyWidth() && len(r.parts) > 0 {
				break
			}
			r = longer
		}
		parts = parts[len(r.parts):]
		lines.parts = append(lines.parts, r)
	}
	if len(lines.parts) == 1 {
		return lines.parts[0]
	}
	return lines
}

// tightness lists text sizes and paddings of cells in points: first the usual ones, then smaller ones for grids
// that would be wider than a page.
var tightness = []struct{ size, pad float64 }{{textSize, cellPad}, {textSize, 2}, {10, 2}, {9, 1.5}}

// text returns the size of the text in cells and its padding.
func (g *grid) text() (size, pad float64) {
	t := tightness[g.tight]
	return t.size, t.pad
}

// tighten makes the cells of grids tighter until wide returns at most room, and reports whether it succeeded. wide
// lays out the grids and measures the part that contains them. If nothing is tight enough, the grids keep the usual
// size of text with little padding. most limits the tightness.
func tighten(room float64, most int, wide func() float64, gs ...*grid) bool {
	at := func(k int) float64 {
		for _, g := range gs {
			g.tight, g.unitW, g.unitH = k, 0, 0
		}
		return wide()
	}
	for k := range most + 1 {
		if at(k) <= room {
			return true
		}
	}
	at(min(most, 1))
	return false
}

// tightest is the last index of tightness.
var tightest = len(tightness) - 1

// page makes the cells of a grid tighter if the grid, alone in its picture, would be wider than a page.
func (g *grid) page(o Options) *grid {
	if o.Columns == 0 && g.unitW == 0 {
		tighten(pageRoom, tightest, func() float64 { g.fit(); return g.left() + g.unitW*float64(g.cols) }, g)
	}
	return g
}

// A way is how thread-value maps are drawn less wide; the zero way is the usual one.
type way struct {
	merge int // the least length of vectors that become cells; 0 if the number of elements decides
	brief int // vectors of at most this many values are labelled by the first value only
	cols  int // the most labelled blocks side by side; 0 for the usual number
}

// A trialWay is a way with the largest tightness of its cells.
type trialWay struct {
	way
	tight int
}

// ways are tried in order of decreasing detail, each up to a tightness of the cells.
var ways = []trialWay{
	{way{}, 1},
	{way{merge: 4}, 1},
	{way{merge: 2}, 1},
	{way{merge: 2, brief: 2}, 1},
	{way{}, 2},
	{way{merge: 2, brief: 64}, tightest},
	{way{merge: 2, brief: 64, cols: groupCols / 2}, 2},
	{way{merge: 2, brief: 64, cols: groupCols / 4}, 2},
}

// fine reports whether a way is too detailed for a map whose elements do not become cells in any case.
func (w trialWay) fine() bool { return w.cols == 0 && (w.merge > 0 || w.tight < 2) }

// onPage returns options with the first way in which thread-value maps of n elements are not wider than a page, and
// not very tall if a later way is less tall. build returns the maps and the part that contains them. If no way fits,
// the options are unchanged.
func (o Options) onPage(n int, build func(Options) (part, []*grid)) Options {
	large := n > LabelledCells // elements have no cells of their own, unless requested
	if o.Columns > 0 || large && o.MaxCells > 0 {
		return o
	}
	p := newPainter(o)
	best, tall := o, 0.0
	for _, w := range ways {
		if large && w.fine() {
			continue
		}
		if w.cols > 0 && (tall > 0 || o.MaxCells > 0) {
			break // use blocks only if elements do not fit and were not requested
		}
		try := o
		try.way = w.way
		try.merge = max(w.merge, o.merge)
		body, gs := build(try)
		h := 0.0
		fits := tighten(pageRoom, w.tight, func() (wide float64) { wide, h = body.measure(p); return wide }, gs...)
		if fits && (tall == 0 || h < 0.75*tall) {
			best, tall = try, h
		}
		if fits && tall <= pageTall {
			break
		}
	}
	return best
}
