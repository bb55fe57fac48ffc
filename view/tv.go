package view

import (
	"fmt"
	"strconv"

	"girih"
	"girih/draw"
)

// TV draws a thread-value map on the tile: which thread holds each element, and as which of its values. The layout maps
// (thread, value) to the colexicographic index in the tile, or to its coordinate; the tile has 1 to 3 modes, the third one
// panels.
//
// The hue is the thread, or the warp where there are several; the lightness is the value; borders are those of vectors
// (consecutive values of one thread side by side) and of warps. An element that several hold is flagged, one that none holds
// is empty. Above Options.MaxCells elements, or 1024 where vectors of 4 or more are there, a cell is a vector, or else a block that one thread holds, or else the squares have
// no labels and the blocks of the warps have; a caption says which.
//
// It returns girih.CodeRank for a layout that has not two modes and for other tiles, girih.CodeExtent, girih.CodeLimit above
// [DrawnCells] elements, and girih.CodeNotCongruent if the layout's coordinates are not those of the tile.
func TV(tv girih.Layout, tile girih.Tuple, o Options) (*draw.Scene, error) {
	h, err := holdersOf(tv, tile)
	if err != nil {
		return nil, err
	}
	return drawHolders(fmt.Sprintf("%s on %s", tv, tile), h, o), nil
}

// drawHolders draws who holds the elements of a tile, one panel for each block.
func drawHolders(title string, h *holders, o Options) *draw.Scene {
	m := newTVLook(h, o)
	var body stack
	line := &row{}
	for b := range h.blocks {
		g := m.grid(h, b)
		if h.blocks > 1 {
			g.title = fmt.Sprintf("(_,_,%d)", b)
		}
		line.parts = append(line.parts, g)
		if len(line.parts) == panelsPerLine(h.blocks, float64(h.cols)*34) || b == h.blocks-1 {
			body.parts = append(body.parts, line)
			line = &row{}
		}
	}
	f := frame{title: title, body: &body, legend: m.legend(), notes: m.notes(h, "")}
	return f.draw(o)
}

// Hardware draws a thread-value map the other way round: a row for each thread and a column for each of its values, with the
// coordinate in the tile as text and the colors of [TV]. It returns the errors of TV.
func Hardware(tv girih.Layout, tile girih.Tuple, o Options) (*draw.Scene, error) {
	h, err := holdersOf(tv, tile)
	if err != nil {
		return nil, err
	}
	m := newTVLook(h, o)
	f := frame{title: fmt.Sprintf("%s on %s", tv, tile), body: m.hardware(h, tile.Rank()), legend: m.legend()}
	f.notes = []string{fmt.Sprintf("Rows are the %s, columns their %s; a cell is the coordinate in the tile.",
		counted(int(h.threads), "thread", "threads"), counted(int(h.values), "value", "values"))}
	if h.outside > 0 {
		f.notes = append(f.notes, outsideNote(h.outside))
	}
	return f.draw(o), nil
}

func outsideNote(n int) string {
	if n == 1 {
		return "1 value lies outside of the tile."
	}
	return fmt.Sprintf("%d values lie outside of the tile.", n)
}

// A detail is what a labelled cell of a thread-value map is.
type detail uint8

const (
	detailElement detail = iota
	detailVector         // consecutive values of a thread
	detailThread         // a block that one thread holds
	detailWarp           // squares without labels, and labels on the blocks of a warp
)

const (
	// fewCells is the number of elements up to which each is a cell even where it is part of a vector of 4 or more.
	fewCells = 1024
	// maxSide is the size of a picture, in points, above which merged cells have no labels either.
	maxSide = 4200
)

// A tvLook is how thread-value maps of one picture are shown: all the same way, so that colors and sizes compare.
type tvLook struct {
	theme   *draw.Theme
	by      ColorBy
	warp    int64
	values  int64 // the most that a thread has
	threads int64
	detail  detail
	rs, cs  int   // the extent of a cell in squares; of vectors and blocks
	run     int64 // the length of a vector
	vectors bool
	shared  bool
}

func newTVLook(h *holders, o Options) *tvLook {
	m := &tvLook{theme: o.theme(), by: o.ColorBy, warp: o.warp(), values: h.values, threads: h.threads, rs: 1, cs: 1}
	n := len(h.thread)
	v, across := h.vector()
	m.run = int64(v)
	if m.by == ColorAuto || m.by == ColorOffset {
		m.by = ColorThread
		if m.threads > m.warp {
			m.by = ColorWarp
		}
		if m.theme.Classic {
			m.by = ColorThread
		}
	}
	few := int64(n) <= o.labelled()
	if few && (o.MaxCells > 0 || n <= fewCells) {
		return m
	}
	vr, vc := v, 1
	if across {
		vr, vc = 1, v
	}
	if (v > 1 && !few || v >= 4) && m.fits(h, vr, vc, o) {
		m.detail = detailVector
		return m
	}
	if few {
		return m
	}
	m.detail = detailWarp
	rs, cs := h.tiles(func(i int) int64 {
		if h.count[i] != 1 {
			return -1
		}
		return int64(h.thread[i])
	})
	if rs*cs > v && m.fits(h, rs, cs, o) {
		m.detail = detailThread
	}
	return m
}

// fits sets the extent of a cell if the picture then is not too large.
func (m *tvLook) fits(h *holders, rs, cs int, o Options) bool {
	wide, tall := 64.0, 30.0 // of a labelled cell, about
	if cs >= 8 {
		wide, tall = 85, 20
	}
	if int64(len(h.thread)/(rs*cs)) > 2*o.labelled() || wide*float64(h.cols/cs) > maxSide || tall*float64(h.rows/rs) > maxSide {
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
		return m.theme.Shade(t/m.warp, v, m.values)
	case ColorVector:
		return m.theme.Hue(v / m.run)
	}
	return m.theme.Shade(t, v, m.values)
}

// fills returns fill as a table by hue and value, made once: cells are many, colors few.
func (m *tvLook) fills() func(t, v int32) draw.Color {
	hues := int64(len(m.theme.Hues))
	table := make([]draw.Color, hues*m.values)
	return func(t, v int32) draw.Color {
		hue := int64(t)
		if m.by == ColorWarp {
			hue /= m.warp
		}
		k := hue%hues*m.values + int64(v)
		if table[k] == 0 {
			table[k] = m.fill(int64(t), int64(v))
		}
		return table[k]
	}
}

// grid returns the panel of a block.
func (m *tvLook) grid(h *holders, block int) *grid {
	g := &grid{rows: h.rows, cols: h.cols, rowAxis: axis{labels: indices(h.rows)}, colAxis: axis{labels: indices(h.cols)}}
	if h.rows == 1 && h.cols > 64 {
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

// label sets the text of a cell: T12 over V3, or over the values of the vector or block; T12,76 if thread 76 holds it too, T12+3 if three others
// do.
func (m *tvLook) label(x *cell, h *holders, i int, buf *[]byte) {
	t, v := int64(h.thread[i]), int64(h.value[i])
	b := strconv.AppendInt(append((*buf)[:0], 't'), t, 10)
	b = strconv.AppendInt(append(b, 'v'), v, 10)
	x.key = string(b)
	b = strconv.AppendInt(append(b[:0], 'T'), t, 10)
	if h.count[i] == 2 && h.other[i] != h.thread[i] {
		b = strconv.AppendInt(append(b, ','), int64(h.other[i]), 10)
	} else if h.count[i] > 1 {
		b = strconv.AppendInt(append(b, '+'), int64(h.count[i])-1, 10)
	}
	x.text = string(b)
	b = strconv.AppendInt(append(b[:0], 'V'), v, 10)
	switch m.detail {
	case detailVector:
		b = strconv.AppendInt(append(b, '-'), v+int64(m.rs*m.cs)-1, 10)
	case detailThread:
		lo, hi := m.valuesOf(h, x, i)
		b = strconv.AppendInt(append(b[:0], 'V'), lo, 10)
		b = strconv.AppendInt(append(b, '-'), hi, 10)
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
		out = borders(h.rows, h.cols, group, draw.Mix(m.theme.Strong, m.theme.Paper, 0.25), 1.25)
	}
	if m.threads > m.warp {
		for i := range group {
			group[i] = -1
			if t := h.thread[from+i]; t >= 0 {
				group[i] = int64(t) / m.warp
			}
		}
		out = append(out, borders(h.rows, h.cols, group, m.theme.Strong, 2.5)...)
	}
	return out
}

// coarse labels the blocks of the warps, or of the threads where there is one warp, on squares without labels.
func (m *tvLook) coarse(g *grid, h *holders, from int) {
	unit, letter := m.warp, "W"
	if m.threads <= m.warp {
		unit, letter = 1, "T"
	}
	rs, cs := h.tiles(func(i int) int64 {
		if h.count[i] == 0 {
			return -1
		}
		return int64(h.thread[i]) / unit
	})
	if rs*cs < 64 || cs < 8 {
		return
	}
	for r := 0; r < h.rows; r += rs {
		for c := 0; c < h.cols; c += cs {
			if i := from + r*h.cols + c; h.count[i] > 0 {
				g.plates = append(g.plates, plate{row: r, col: c, rows: rs, cols: cs, text: letter + strconv.FormatInt(int64(h.thread[i])/unit, 10)})
			}
		}
	}
}

// strip returns a tile of one mode as lines of 32 elements.
func (m *tvLook) strip(h *holders) *grid {
	const cols = 32
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

// hardware returns the grid of threads and values.
func (m *tvLook) hardware(h *holders, rank int) *grid {
	g := &grid{
		rows: int(h.threads), cols: int(h.values),
		rowAxis: axis{name: "thread", labels: indices(int(h.threads))},
		colAxis: axis{name: "value", labels: indices(int(h.values))},
	}
	fill := m.fills()
	labels := len(h.index) <= 2*LabelledCells
	per, even := h.rows*h.cols, h.even()
	for t := range g.rows {
		for v := range g.cols {
			x := h.index[t+v*g.rows]
			c := cell{row: t, col: v}
			if x < 0 {
				c.mark = markEmpty
				g.cells = append(g.cells, c)
				continue
			}
			c.fill = fill(int32(t), int32(v))
			if labels {
				in := int(x) % per
				switch {
				case rank < 2:
					c.text = strconv.Itoa(in)
				case h.blocks > 1:
					c.text = fmt.Sprintf("(%d,%d,%d)", in/h.cols, in%h.cols, int(x)/per)
				default:
					c.text = fmt.Sprintf("(%d,%d)", in/h.cols, in%h.cols)
				}
				c.key = fmt.Sprintf("t%dv%d", t, v)
			}
			if h.count[x] > 1 && !even {
				m.shared = true
				c.mark |= markBad
			}
			g.cells = append(g.cells, c)
		}
	}
	for t := m.warp; t < h.threads; t += m.warp {
		g.rules = append(g.rules, rule{int(t), 0, int(t), g.cols, m.theme.Strong, 2.5})
	}
	return g
}

// notes says what a cell is and what is flagged. who is put in front where a picture has several panels.
func (m *tvLook) notes(h *holders, who string) []string {
	var out []string
	if who == "" {
		if n := m.detailNote(); n != "" {
			out = append(out, n)
		}
	}
	shared, most, none := h.shared()
	switch example := "T0+3 is thread 0 and 3 others"; {
	case shared > 0 && h.even():
		if most == 2 {
			example = fmt.Sprintf("T%d,%d are threads %d and %d", h.thread[0], h.other[0], h.thread[0], h.other[0])
		} else {
			example = fmt.Sprintf("T0+%d is thread 0 and %d others", most-1, most-1)
		}
		out = append(out, fmt.Sprintf("%sEvery element has %d holders: %s.", who, most, example))
	case shared > 0:
		m.shared = true
		if most == 2 {
			example = "T0,64 are threads 0 and 64"
		}
		out = append(out, fmt.Sprintf("%s%s several holders, up to %d: %s.", who, counted(shared, "element has", "elements have"), most, example))
	}
	if none > 0 {
		out = append(out, fmt.Sprintf("%s%s held by no thread.", who, counted(none, "element is", "elements are")))
	}
	if h.outside > 0 {
		out = append(out, who+outsideNote(h.outside))
	}
	return out
}

func (m *tvLook) detailNote() string {
	switch m.detail {
	case detailVector:
		return fmt.Sprintf("A cell is a vector: %d elements with consecutive values of one thread.", m.rs*m.cs)
	case detailThread:
		return fmt.Sprintf("A cell is a block of %d by %d elements that one thread holds.", m.rs, m.cs)
	case detailWarp:
		return "Too many elements to label: a square is one element; its color says who holds it."
	}
	return ""
}

// legend says what hue, lightness and borders mean.
func (m *tvLook) legend() legend {
	var l legend
	unit, what := int64(1), "thread"
	if m.by == ColorWarp {
		unit, what = m.warp, "warp"
	}
	n := (m.threads + unit - 1) / unit
	hues := min(n, int64(len(m.theme.Hues)))
	switch m.by {
	case ColorNone:
	case ColorVector:
		l.items = append(l.items, swatch{fills: m.theme.Hues, text: fmt.Sprintf("vector: value over %d, modulo %d", m.run, len(m.theme.Hues))})
	default:
		s := swatch{text: fmt.Sprintf("hue: %s 0 to %d", what, hues-1)}
		if n > hues {
			s.text = fmt.Sprintf("hue: %s modulo %d", what, hues)
		}
		for i := range hues {
			s.fills = append(s.fills, m.theme.Shade(i, m.values/2, m.values))
		}
		l.items = append(l.items, s)
		if m.values > 1 && !m.theme.Classic {
			s := swatch{text: fmt.Sprintf("lightness: value 0 to %d", m.values-1)}
			steps := min(m.values, 6)
			for i := range steps {
				s.fills = append(s.fills, m.theme.Shade(0, i*(m.values-1)/max(steps-1, 1), m.values))
			}
			l.items = append(l.items, s)
		}
	}
	if m.vectors {
		l.items = append(l.items, swatch{fills: []draw.Color{m.theme.Paper}, border: draw.Mix(m.theme.Strong, m.theme.Paper, 0.25), thick: 1.25, text: "vector"})
	}
	if m.threads > m.warp {
		l.items = append(l.items, swatch{fills: []draw.Color{m.theme.Paper}, border: m.theme.Strong, thick: 2.5, text: fmt.Sprintf("warp of %d", m.warp)})
	}
	if m.shared {
		l.items = append(l.items, swatch{fills: []draw.Color{m.theme.Bad}, text: "several holders"})
	}
	return l
}
