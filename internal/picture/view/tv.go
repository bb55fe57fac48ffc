package view

import (
	"fmt"
	"strconv"

	"girih/cute"
	"girih/internal/picture/draw"
)

// TV draws a thread-value map on a tile: the thread that holds each element, and which of its values the element is.
// The layout maps (thread, value) to the colexicographic index in the tile, or to its coordinate. The tile has 1 to 3
// modes; the third mode becomes panels.
//
// The hue is the thread, or the warp if there are several; the lightness is the value. Borders separate vectors
// (consecutive values of one thread next to each other) and warps. An element with several holders is flagged; an
// element without a holder is empty. Above Options.MaxCells elements (1024 with vectors of at least 4), a cell is
// the first of the following that fits: a vector; a block that a range of threads holds, with the first block drawn
// in full; a block that one thread holds; or a square without label, where the blocks of the warps are labelled. A
// caption says which.
//
// It returns cute.CodeRank if the layout does not have two modes or for other tiles, cute.CodeExtent, cute.CodeLimit
// above [DrawnCells] elements, and cute.CodeNotCongruent if the layout's coordinates do not fit the tile.
func TV(tv cute.Layout, tile cute.Tuple, o Options) (*draw.Scene, error) {
	h, err := ofThreads(tv, tile, o.threads)
	if err != nil {
		return nil, err
	}
	return drawHolders(fmt.Sprintf("%s on %s", tv, tile), h, o), nil
}

// drawHolders draws the holders of the elements of a tile, one panel for each block.
func drawHolders(title string, h *holders, o Options) *draw.Scene {
	o = o.onPage(h.blocks*h.rows*h.cols, func(o Options) (part, []*grid) {
		g := newTVLook(h, o).grid(h, 0)
		return g, []*grid{g}
	})
	m := newTVLook(h, o)
	var body stack
	line := &row{}
	for b := range h.blocks {
		g := m.grid(h, b)
		g.rowAxis.name, g.colAxis.name = o.axes[0], o.axes[1]
		if h.blocks > 1 {
			g.title = fmt.Sprintf("(_,_,%d)", b)
		}
		line.parts = append(line.parts, g.page(o))
		if len(line.parts) == panelsPerLine(h.blocks, float64(h.cols)*34) || b == h.blocks-1 {
			body.parts = append(body.parts, line)
			line = &row{}
		}
	}
	f := frame{title: title, body: &body, notes: m.notes(h, "")}
	if g := m.sample(h); g != nil {
		f.body = flow[part](o, gap, &body, g)
		f.notes = append(f.notes, sampleNote)
	}
	f.legend = m.legend()
	return f.draw(o)
}

// sampleNote explains the sample of a cell.
const sampleNote = "All cells look like the first one inside, with threads and values that count from the first ones of the cell."

const (
	// fewCells is the largest number of elements that each have a cell although they are part of vectors of at least
	// 4.
	fewCells = 1024
	// maxSide is the size of a picture, in points, above which merged cells have no labels.
	maxSide = 4200
)

// grid returns the panel of a block.
func (m *tvLook) grid(h *holders, block int) *grid {
	g := &grid{rows: h.rows, cols: h.cols, rowAxis: axis{labels: indices(h.rows)}, colAxis: axis{labels: indices(h.cols)}}
	if h.strip() {
		return m.strip(h)
	}
	rs, cs := m.rs, m.cs
	if m.detail == detailWarp {
		rs, cs = 1, 1
	}
	from := block * h.rows * h.cols
	g.cells = make([]cell, 0, h.rows*h.cols/(rs*cs))
	fill, even := m.fills(), h.even()
	var buf []byte
	for r := 0; r < h.rows; r += rs {
		for c := 0; c < h.cols; c += cs {
			i := from + r*h.cols + c
			x := cell{row: r, col: c, rows: rs, cols: cs}
			if h.count[i] == 0 {
				x.mark = markEmpty
				g.cells = append(g.cells, x)
				continue
			}
			x.fill = fill(h.thread[i], h.value[i])
			if m.detail != detailWarp {
				m.label(&x, h, i, &buf)
			}
			if h.count[i] > 1 && m.detail != detailWarp && !even {
				x.mark |= markBad
			}
			g.cells = append(g.cells, x)
		}
	}
	g.rules = m.rules(h, from)
	if m.detail == detailWarp {
		m.coarse(g, h, from)
	}
	return g
}

// label sets the text of a cell: T12 over V3, or over the range of values of the vector or block; T12,76 if
// thread 76 also holds the element, and T12 ×4 if four threads hold it.
func (m *tvLook) label(x *cell, h *holders, i int, buf *[]byte) {
	t, v := h.number(h.thread[i]), int64(h.value[i])
	b := strconv.AppendInt(append((*buf)[:0], 't'), t, 10)
	b = strconv.AppendInt(append(b, 'v'), v, 10)
	x.key = string(b)
	b = strconv.AppendInt(append(b[:0], 'T'), t, 10)
	if h.count[i] == 2 && h.other[i] != h.thread[i] {
		b = strconv.AppendInt(append(b, ','), h.number(h.other[i]), 10)
	} else if h.count[i] > 1 {
		b = strconv.AppendInt(append(b, " ×"...), int64(h.count[i]), 10)
	}
	x.text = string(b)
	b = strconv.AppendInt(append(b[:0], 'V'), v, 10)
	switch m.detail {
	case detailVector:
		if m.rs*m.cs > m.brief {
			b = strconv.AppendInt(append(b, '-'), v+int64(m.rs*m.cs)-1, 10)
		}
	case detailThread:
		lo, hi := m.valuesOf(h, x, i)
		b = strconv.AppendInt(append(b[:0], 'V'), lo, 10)
		b = strconv.AppendInt(append(b, '-'), hi, 10)
	}
	if m.detail == detailGroup {
		s := h.ranges(i, m.rs, m.cs)
		x.text, x.second, *buf = rangeText('T', s.t0, s.t1), rangeText('V', s.v0, s.v1), b
		return
	}
	if x.second = string(b); m.cs >= 8 {
		x.text, x.second = x.text+" "+x.second, ""
	}
	*buf = b
}

// valuesOf returns the least and the greatest value in a block.
func (m *tvLook) valuesOf(h *holders, x *cell, i int) (lo, hi int64) {
	lo, hi = int64(h.value[i]), int64(h.value[i])
	for r := range x.rows {
		for c := range x.cols {
			v := int64(h.value[i+r*h.cols+c])
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return lo, hi
}

// rules returns the borders of vectors, then of warps.
func (m *tvLook) rules(h *holders, from int) []rule {
	per := h.rows * h.cols
	group := make([]int64, per)
	var out []rule
	if v, across := h.vector(); v > 1 && m.detail == detailElement {
		m.vectors = true
		rs, cs := v, 1
		if across {
			rs, cs = 1, v
		}
		for i := range group {
			group[i] = int64(i/h.cols/rs*h.cols + i%h.cols/cs)
		}
		out = regions{h.rows, h.cols, group}.borders(draw.Mix(m.theme.Strong, m.theme.Paper, 0.25), 1.25)
	}
	if m.threads > m.warp {
		for i := range group {
			group[i] = -1
			if t := h.thread[from+i]; t >= 0 {
				group[i] = h.number(t) / m.warp
			}
		}
		out = append(out, regions{h.rows, h.cols, group}.borders(m.theme.Strong, 2.5)...)
	}
	return out
}

// coarse labels the blocks of the warps, or of the threads if there is one warp, on squares without labels.
func (m *tvLook) coarse(g *grid, h *holders, from int) {
	unit, letter := m.warp, "W"
	if m.threads <= m.warp {
		unit, letter = 1, "T"
	}
	rs, cs := h.tiles(func(i int) int64 {
		if h.count[i] == 0 {
			return -1
		}
		return h.number(h.thread[i]) / unit
	})
	if rs*cs < 64 || cs < 8 {
		return
	}
	for r := 0; r < h.rows; r += rs {
		for c := 0; c < h.cols; c += cs {
			if i := from + r*h.cols + c; h.count[i] > 0 {
				g.plates = append(g.plates,
					plate{row: r, col: c, rows: rs, cols: cs, text: letter + strconv.FormatInt(h.number(h.thread[i])/unit, 10)})
			}
		}
	}
}

// strip reports whether the tile is a line that is wrapped.
func (h *holders) strip() bool { return h.rows == 1 && h.cols > 64 }

// strip returns a tile of one mode as lines of 32 elements, or of one vector.
func (m *tvLook) strip(h *holders) *grid {
	cols := max(32, m.cs)
	w := *h
	w.rows, w.cols, w.blocks = (h.cols+cols-1)/cols, cols, 1
	pad := w.rows*cols - h.cols
	w.thread = append(append([]int32(nil), h.thread...), make([]int32, pad)...)
	w.value = append(append([]int32(nil), h.value...), make([]int32, pad)...)
	w.count = append(append([]int32(nil), h.count...), make([]int32, pad)...)
	for i := len(h.thread); i < len(w.thread); i++ {
		w.thread[i], w.value[i] = -1, -1
	}
	g := m.grid(&w, 0)
	for i := range g.colAxis.labels {
		g.colAxis.labels[i] = "+" + g.colAxis.labels[i]
	}
	for i := range g.rowAxis.labels {
		g.rowAxis.labels[i] = strconv.Itoa(i * cols)
	}
	return g
}
