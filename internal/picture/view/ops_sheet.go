package view

import (
	"fmt"
	"math"
	"strconv"

	"girih/cute"
	"girih/internal/picture/draw"
)

// Limits for drawing an operand or result of an operation.
const (
	sheetLabels = 1024    // the cells of a sheet above which some cells have no label
	sheetSide   = 64      // the rows or columns above which cells have no labels
	sheetLines  = 512     // the rows or columns above which a sheet is a strip by index
	sheetCells  = 1 << 16 // the cells above which a sheet is an outline
)

// A sheet is a layout as an operand or the result of an operation, drawn as one grid. Rank 1 is a strip. For higher
// ranks, mode 0 goes down and all other modes together go across, unless the grid would have too many rows or
// columns. So the index of a cell decides its place.
type sheet struct {
	*grid
	size    int64
	strip   bool
	perLine int
	labels  bool
	frames  []rule // borders on top of everything else
}

func (s *sheet) paint(p *painter, x, y float64) {
	s.grid.paint(p, x, y)
	for _, r := range s.frames {
		x1, y1 := s.place(float64(r.row1), float64(r.col1))
		x2, y2 := s.place(float64(r.row2), float64(r.col2))
		p.Line(p.stroke(r.color, min(r.width, s.unitW/3, s.unitH/3)), x1, y1, x2, y2)
	}
}

// newSheet returns the sheet of a shape of at most [sheetCells] elements. paint returns the cell of an index without
// its place.
func newSheet(title string, shape cute.Tuple, o Options, paint func(i int64) cell) *sheet {
	n, _ := shape.Product()
	s := &sheet{grid: &grid{title: title}, size: n}
	modes := shape.Modes()
	if s.strip = len(modes) < 2 || !squat(shape, sheetLines); s.strip {
		s.lay(shape, o)
	} else {
		across := modes[1]
		if len(modes) > 2 {
			across, _ = cute.MakeTuple(modes[1:]...)
		}
		s.rows, s.cols = extent(modes[0]), extent(across)
		s.rowAxis.labels, s.colAxis.labels = modeLabels(modes[0], o.Labels), modeLabels(across, o.Labels)
		s.rules = append(rowRules(o.theme(), modes[0], s.cols), colRules(o.theme(), across, s.rows)...)
	}
	s.labels = n <= min(o.labelLimit(), sheetLabels) && max(s.rows, s.cols) <= sheetSide
	for i := range n {
		c := paint(i)
		c.row, c.col = s.at(i)
		if !s.labels {
			c.text, c.second = "", ""
		}
		s.cells = append(s.cells, c)
	}
	for i := n; s.strip && i < int64(s.rows*s.cols); i++ {
		r, c := s.at(i)
		s.cells = append(s.cells, cell{row: r, col: c, mark: markEmpty})
	}
	return s
}

// squat reports whether the grid of a shape has at most most rows and columns.
func squat(shape cute.Tuple, most int) bool {
	modes := shape.Modes()
	if len(modes) < 2 {
		return true
	}
	n, _ := shape.Product()
	rows := extent(modes[0])
	return rows <= most && int(n)/rows <= most
}

// lay sets the places of a strip: one line, or lines of as many cells as the first leaves have, 8 to 16 if possible.
func (s *sheet) lay(shape cute.Tuple, o Options) {
	most := int64(16)
	if s.size > sheetLabels {
		most = int64(math.Sqrt(float64(s.size)))
	}
	s.perLine = int(s.size)
	if s.size > most {
		at := int64(1)
		for _, x := range shape.Flatten().Leaves() {
			if at*x > most {
				break
			}
			at *= x
		}
		if at < most/2 {
			at = most
			for k := most; k >= most/2 && k > 1; k-- {
				if s.size%k == 0 {
					at = k
					break
				}
			}
		}
		s.perLine = int(at)
	}
	s.rows, s.cols = (int(s.size)+s.perLine-1)/s.perLine, s.perLine
	if s.rows == 1 {
		if !shape.IsInt() && shape.Rank() == 1 {
			shape = shape.Modes()[0]
		}
		s.colAxis.labels = modeLabels(shape, o.Labels)
		s.rules = colRules(o.theme(), shape, 1)
		return
	}
	for c := range s.cols {
		s.colAxis.labels = append(s.colAxis.labels, "+"+strconv.Itoa(c))
	}
	for r := range s.rows {
		s.rowAxis.labels = append(s.rowAxis.labels, strconv.Itoa(r*s.perLine))
	}
}

// at returns the place of an index.
func (s *sheet) at(i int64) (row, col int) {
	if s.strip {
		return int(i) / s.perLine, int(i) % s.perLine
	}
	return int(i) % s.rows, int(i) / s.rows
}

// has reports whether the sheet has a cell for an index.
func (s *sheet) has(i int64) bool { return i >= 0 && i < s.size }

// frame draws a border around the cells for which in is true.
func (s *sheet) frame(c draw.Color, width float64, in func(i int64) bool) {
	group := make([]int64, (s.rows+2)*(s.cols+2))
	for i := range s.size {
		if in(i) {
			r, k := s.at(i)
			group[(r+1)*(s.cols+2)+k+1] = 1
		}
	}
	for _, b := range (regions{s.rows + 2, s.cols + 2, group}).borders(c, width) {
		b.row1, b.col1, b.row2, b.col2 = b.row1-1, b.col1-1, b.row2-1, b.col2-1
		s.frames = append(s.frames, b)
	}
}

// part draws borders between cells with different values of of.
func (s *sheet) part(c draw.Color, width float64, of func(i int64) int64) {
	group := make([]int64, s.rows*s.cols)
	for i := range group {
		group[i] = math.MinInt64
	}
	for i := range s.size {
		r, k := s.at(i)
		group[r*s.cols+k] = of(i)
	}
	s.rules = append(s.rules, regions{s.rows, s.cols, group}.borders(c, width)...)
}

// sameCells gives sheets with labelled cells squares of one size, such that each sheet is at most as wide as a page
// if possible.
func sameCells(o Options, sheets ...*sheet) {
	gs := make([]*grid, len(sheets))
	for i, s := range sheets {
		gs[i] = s.grid
	}
	most := tightest
	if o.Columns > 0 {
		most = 0
	}
	tighten(pageRoom, most, func() float64 { return fitSheets(sheets) }, gs...)
	for _, s := range sheets {
		s.shortLabels(1)
	}
}

// fitSheets sets the size of the squares, and returns the width of the widest sheet including labels.
func fitSheets(sheets []*sheet) float64 {
	w, h, widest := 0.0, 0.0, 0.0
	for _, s := range sheets {
		if s.fit(); s.labels {
			w, h = max(w, s.unitW), max(h, s.unitH)
		}
	}
	for _, s := range sheets {
		if s.labels {
			s.unitW, s.unitH = w, h
			widest = max(widest, s.left()+w*float64(s.cols))
		}
	}
	return widest
}

// bare names the sheets without labels.
func bare(sheets ...*sheet) []string {
	for _, s := range sheets {
		if !s.labels {
			return []string{
				fmt.Sprintf("Cells are labelled in grids of at most %d cells and %d rows and columns.", sheetLabels, sheetSide),
			}
		}
	}
	return nil
}

// values returns the values of a layout at all indices as text, for at most [sheetCells] elements.
func values(l cute.Layout) ([]string, error) {
	out := make([]string, l.Size())
	for i := range out {
		v, err := l.Eval(cute.Int(int64(i)))
		if err != nil {
			return nil, err
		}
		out[i] = v.String()
	}
	return out, nil
}

// tinter returns the fill of each index of a sheet with n elements and rows rows. Columns differ in hue and rows in
// lightness. In a single row or column, each eighth has a hue.
func tinter(t *draw.Theme, rows, n int64) func(i int64) draw.Color {
	hues := int64(len(t.Hues))
	run := rows
	if run >= n || run < 1 || (n+run-1)/run > hues {
		run = (n + hues - 1) / hues
		if rows > 1 && rows < n { // hues by whole columns
			run = (run + rows - 1) / rows * rows
		}
	}
	return func(i int64) draw.Color { return t.Shade(i/run, i%run, run) }
}

// between returns a sign between two parts, at the height of their titles if their tops are aligned.
func between(text string) part {
	const title = titleRoom/2 - 2
	return &sketch{w: 24, h: 2 * title, draw: func(p *painter, x, y float64) {
		p.Text(p.bold(p.theme.Soft, 20, draw.Middle), x+12, y+title, text)
	}}
}

// line puts parts side by side with their middles aligned. Parts that do not fit a page or terminal go to the next
// lines. A sign that begins a line is at the height of the titles.
func line(o Options, parts ...part) part {
	body := flow(o, 16, parts...)
	rows := []part{body}
	if s, ok := body.(*stack); ok {
		rows = s.parts
	}
	for _, x := range rows {
		r := x.(*row)
		_, sign := r.parts[0].(*sketch)
		r.middle = o.Columns == 0 && !sign
	}
	return body
}

// large returns the picture of an operation on a layout with too many elements, which describes the operands and the
// result in words. It returns nil if all can be drawn.
func large(title string, o Options, names []string, ls ...cute.Layout) *draw.Scene {
	fits := true
	for _, l := range ls {
		fits = fits && l.Size() <= sheetCells
	}
	if fits {
		return nil
	}
	var parts []part
	notes := []string{
		fmt.Sprintf("Outlines only: the cells of operands and results are drawn up to %d. Draw the operation on a smaller layout of the same modes to see them.",
			sheetCells),
	}
	for i, l := range ls {
		parts = append(parts, outlineOf(names[i], l))
		notes = append(notes, fmt.Sprintf("%s: %s, %d elements.", names[i], l, l.Size()))
	}
	return frame{title: title, body: line(o, parts...), notes: notes}.draw(o)
}

// outlineOf returns a rectangle in place of a layout.
func outlineOf(name string, l cute.Layout) part {
	const w, h = 180.0, 120.0
	shape := l.Shape().Modes()
	return &sketch{w: w + 60, h: h + 44, draw: func(p *painter, x, y float64) {
		p.Text(p.bold(p.theme.Ink, 12, draw.Start), x, y+8, name)
		x, y = x+50, y+40
		p.Rect(p.fill(p.theme.Empty, p.theme.Strong, 1.5), x, y, w, h)
		p.Text(p.ink(p.theme.Soft, textSize, draw.Middle), x+w/2, y+h/2, fmt.Sprintf("%d elements", l.Size()))
		if len(shape) > 0 {
			p.Text(p.ink(p.theme.Soft, textSize, draw.Finish), x-6, y+h/2, short(shape[0].String(), 6))
		}
		if len(shape) > 1 {
			p.Text(p.ink(p.theme.Soft, textSize, draw.Middle), x+w/2, y-10, short(shape[1].String(), 24))
		}
	}}
}

// short cuts a text to at most n characters.
func short(text string, n int) string {
	if r := []rune(text); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return text
}

// unknownOp returns the error for an unknown operation of a kind.
func unknownOp(kind, op, want string) error {
	return &cute.Error{
		Code: cute.CodeName, Op: "draw", Msg: fmt.Sprintf("expected a %s, one of %s, found %.40q", kind, want, op),
	}
}
