package view

import "slices"

// A page is the column of text that a picture stands in. A picture that is wider is shown smaller, and its numbers with
// it, so that parts stand beneath each other, and cells are tighter, before that happens.
const (
	pageWidth = 830.0 // in points: the column of a README
	pageRoom  = pageWidth - 2*margin
	// pageTall is the height of a body above which a thread-value map has vectors for cells, if it then is less tall.
	pageTall = 1000.0
)

// bodyWidth returns the width, in points, that a body may take: that of a page, or of a terminal, where a cell with a number
// takes one character for about so many points.
func (o Options) bodyWidth() float64 {
	if o.Columns > 0 {
		return 7.3 * float64(o.Columns)
	}
	return pageRoom
}

// flow puts parts side by side, a gap apart, and what is too wide for a page, or for a terminal, into the next lines: a
// row, or a stack of rows.
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

// tightness is the sizes of the text in cells and of the room beside it, in points: the usual ones, then those of grids
// that would be wider than a page.
var tightness = []struct{ size, pad float64 }{{textSize, cellPad}, {textSize, 2}, {10, 2}, {9, 1.5}}

// text returns the size of the text in cells and the room beside it.
func (g *grid) text() (size, pad float64) {
	t := tightness[g.tight]
	return t.size, t.pad
}

// tighten makes the cells of grids tighter until wide, which fits them and measures what they stand in, is at most
// room, and reports whether it then is. If nothing is tight enough they keep the usual size of text with little room
// beside it. most is how tight they may be.
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

// tightest is the last of tightness.
var tightest = len(tightness) - 1

// page makes the cells of a grid that stands alone tighter where it would be wider than a page.
func (g *grid) page(o Options) *grid {
	if o.Columns == 0 && g.unitW == 0 {
		tighten(pageRoom, tightest, func() float64 { g.fit(); return g.left() + g.unitW*float64(g.cols) }, g)
	}
	return g
}

// A way is how thread-value maps are shown such that they are less wide: the zero way is the usual one.
type way struct {
	merge int // how long vectors have to be to be cells, 0 for what the number of elements says
	brief int // vectors of so many values and fewer are called by the first alone
	cols  int // the most blocks side by side that are labelled, 0 for the usual number
}

// ways are those that are tried, from the one with the most detail on, and how tight the cells may be.
var ways = []struct {
	way
	tight int
}{
	{way{}, 1},
	{way{merge: 4}, 1},
	{way{merge: 2}, 1},
	{way{merge: 2, brief: 2}, 1},
	{way{}, 2},
	{way{merge: 2, brief: 64}, tightest},
	{way{merge: 2, brief: 64, cols: groupCols / 2}, 2},
	{way{merge: 2, brief: 64, cols: groupCols / 4}, 2},
}

// onPage returns options with the first way in which thread-value maps of n elements, which build returns with what
// they stand in, are not wider than a page, and not very tall if a later way is less so; the options as they are if
// there is none.
func (o Options) onPage(n int, build func(Options) (part, []*grid)) Options {
	large := n > LabelledCells // there are no cells of elements, unless they are asked for
	if o.Columns > 0 || large && o.MaxCells > 0 {
		return o
	}
	p := newPainter(o)
	best, tall := o, 0.0
	for _, w := range ways {
		if large && w.cols == 0 && (w.merge > 0 || w.tight < 2) {
			continue
		}
		if w.cols > 0 && (tall > 0 || o.MaxCells > 0) {
			break // blocks only where elements do not fit, and were not asked for
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
