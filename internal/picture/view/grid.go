package view

import (
	"girih/internal/picture/draw"
)

// A mark flags a cell. Marks can be combined.
type mark uint8

const (
	markBad   mark = 1 << iota // a corner in the color of errors: an alias, a conflict
	markFocus                  // highlighted: fill and border
	markEmpty                  // a cell without an element: padding
	markFaint                  // a cell shown only for context
)

// A cell is one square of a grid, or a block of squares drawn as one.
type cell struct {
	row, col   int
	rows, cols int // the extent of a block; 0 means 1
	fill       draw.Color
	text       string // one line, or the first of two
	second     string
	mark       mark
	key, tip   string // see [draw.Shape]
}

func (c *cell) span() (rows, cols int) { return max(c.rows, 1), max(c.cols, 1) }

// A rule is a border between cells, from corner to corner: (0,0) is the top left corner of the grid.
type rule struct {
	row1, col1, row2, col2 int
	color                  draw.Color
	width                  float64
}

// A focus is a frame around cells.
type focus struct {
	row, col, rows, cols int
	color                draw.Color
	width                float64
	label                string // the text above the top left corner of the grid; usually ""
}

// A plate is a label for cells without labels: text on a patch of paper in the middle of a block.
type plate struct {
	row, col, rows, cols int
	text                 string
}

// A grid is a rectangle of cells with its axes. The cells may be in any order; squares without a cell are not
// painted. Without unitW and unitH, the squares are as large as their text requires.
type grid struct {
	title            string   // the text above the axes
	note             []string // the lines below the grid
	rows, cols       int
	cells            []cell
	rowAxis, colAxis axis
	rules            []rule
	focuses          []focus
	plates           []plate
	key              string  // the key of the group of all shapes of the grid; usually ""
	unitW, unitH     float64 // the size of a square, in points
	tight            int     // how tightly text fills the cells: see [tightness]
	flat             bool    // no lines are drawn between cells

	x, y             float64 // the top left corner of the squares, set when painted
	blockRows, block int     // the extent of the cells if all are equal; otherwise 1
}

// An axis is one side of a grid: the label of each row or column, and the name of the counted things.
type axis struct {
	name   string
	labels []string // the labels; nil for none
}

// The smallest sizes of a square, with and without text.
const (
	textCell  = 22.0
	plainCell = 12.0
	smallCell = 6.0
	tinyCell  = 3.0
	cellPad   = 4.0
	textLine  = 12.5
)

// blocks sets blockRows and block, the common extent of the cells.
func (g *grid) blocks() {
	g.blockRows, g.block = 1, 1
	if len(g.cells) == 0 {
		return
	}
	rows, cols := g.cells[0].span()
	for i := range g.cells {
		if r, c := g.cells[i].span(); r != rows || c != cols || g.cells[i].row%rows != 0 || g.cells[i].col%cols != 0 {
			return
		}
	}
	if rows < g.rows || cols < g.cols { // exclude the single cell of a matrix that is left empty
		g.blockRows, g.block = rows, cols
	}
}

// fit sets the size of a square, unless it is given.
func (g *grid) fit() {
	g.blocks()
	if g.unitW > 0 && g.unitH > 0 {
		return
	}
	var w, h float64
	text, blocks := false, false
	for i := range g.cells {
		c := &g.cells[i]
		rows, cols := c.span()
		blocks = blocks || rows > 1 || cols > 1
		if c.text == "" && c.second == "" {
			continue
		}
		text = true
		cw, ch := g.textExtent(c)
		w = max(w, cw/float64(cols))
		h = max(h, ch/float64(rows))
	}
	_, pad := g.text()
	switch n := max(g.rows, g.cols); {
	case text && !blocks:
		h = max(h, textCell-2*(cellPad-pad))
		w = max(w, h)
	case text:
		w, h = max(w, 2), max(h, 2)
	case n <= 64:
		w, h = plainCell, plainCell
	case n <= 256:
		w, h = smallCell, smallCell
	default:
		w, h = tinyCell, tinyCell
		g.flat = true
	}
	if g.unitW == 0 {
		g.unitW = w
	}
	if g.unitH == 0 {
		g.unitH = h
	}
}

// textExtent returns the size that the text of a cell needs.
func (g *grid) textExtent(c *cell) (w, h float64) {
	size, pad := g.text()
	lines := 1.0
	if c.second != "" {
		lines = 2
	}
	w = max(draw.TextWidth(c.text, size), draw.TextWidth(c.second, size)) + 2*pad
	if c.mark&markBad != 0 {
		w += 6 // room for the corner between the axes
	}
	return w, lines*textLine*size/textSize + 2*pad
}

// bare reports whether no cell has text.
func (g *grid) bare() bool {
	for i := range g.cells {
		if g.cells[i].text != "" {
			return false
		}
	}
	return true
}

// The room for labels along the squares.
const (
	labelSize = 10.0
	labelPad  = 5.0
	nameRoom  = 15.0
	titleRoom = 20.0
)

// widest returns the width of the widest label.
//
//go:noinline
func (a axis) widest() float64 {
	w := 0.0
	for _, l := range a.labels {
		w = max(w, draw.TextWidth(l, labelSize))
	}
	return w
}

// upright reports whether the labels of the columns run upward, because they are wider than the columns.
func (g *grid) upright() bool {
	unit := g.unitW * float64(max(g.block, 1))
	return g.colAxis.widest()+2 > unit && unit >= labelSize+2
}

// left and top return the room for the axes.
//
//go:noinline
func (g *grid) left() float64 {
	w := 0.0
	if g.rowAxis.labels != nil {
		w += g.rowAxis.widest() + labelPad
	}
	if g.rowAxis.name != "" {
		w += nameRoom
	}
	return w
}

func (g *grid) top() float64 {
	h := 0.0
	if g.colAxis.labels != nil {
		h += labelSize + labelPad
		if g.upright() {
			h = g.colAxis.widest() + labelPad
		}
	}
	if g.colAxis.name != "" {
		h += nameRoom
	}
	return h
}

func (g *grid) titleH() float64 {
	if g.title == "" {
		return 0
	}
	return titleRoom
}

func (g *grid) measure(p *painter) (w, h float64) {
	g.fit()
	w = g.left() + g.unitW*float64(g.cols)
	h = g.titleH() + g.top() + g.unitH*float64(g.rows)
	w = max(w, draw.TextWidth(g.title, 12))
	if len(g.note) > 0 {
		nw, nh := caption(g.note).measure(p)
		w, h = max(w, nw), h+6+nh
	}
	return w + 1, h + 1 // half of the outer border on each side
}

// place returns the point at a fractional row and column: (0.5,0.5) is the middle of the first square.
func (g *grid) place(row, col float64) (x, y float64) { return g.x + col*g.unitW, g.y + row*g.unitH }

func (g *grid) paint(p *painter, x, y float64) {
	if g.key != "" {
		p.Begin(g.key)
		defer p.End()
	}
	if g.title != "" {
		p.Text(p.bold(p.theme.Ink, 12, draw.Start), x, y+titleRoom/2-2, g.title)
	}
	g.x, g.y = x+g.left(), y+g.titleH()+g.top()
	g.paintAxes(p, x)
	g.paintCells(p)
	g.paintRules(p)
	if len(g.note) > 0 {
		caption(g.note).paint(p, x, g.y+g.unitH*float64(g.rows)+6)
	}
}

func (g *grid) paintCells(p *painter) {
	p.Grow(3 * len(g.cells))
	edge, width := p.theme.Rule, 0.75
	if g.flat {
		edge, width = draw.None, 0
	} else if g.unitW <= smallCell && g.bare() {
		width = 0.25
	}
	size, _ := g.text()
	step := textLine * size / textSize / 2
	looks := make(map[cellLook]cellStyle)
	var last cellLook
	var style cellStyle
	for i := range g.cells {
		c := &g.cells[i]
		rows, cols := c.span()
		x, y := g.place(float64(c.row), float64(c.col))
		w, h := g.unitW*float64(cols), g.unitH*float64(rows)
		if look := (cellLook{c.fill, c.mark &^ markBad}); i == 0 || look != last {
			known := false
			if style, known = looks[look]; !known {
				style = p.cellStyle(look, edge, width, size)
				looks[look] = style
			}
			last = look
		}
		r := p.Rect(style.rect, x, y, w, h)
		r.Key, r.Tip = c.key, c.tip
		if c.mark&markBad != 0 {
			k := min(6, h/3, w/3)
			p.Rect(p.fill(p.theme.Bad, draw.None, 0), x+w-k-1, y+1, k, k)
		}
		if c.text == "" {
			continue
		}
		if c.second == "" {
			p.Text(style.text, x+w/2, y+h/2, c.text)
			continue
		}
		p.Text(style.text, x+w/2, y+h/2-step, c.text)
		p.Text(style.text, x+w/2, y+h/2+step, c.second)
	}
}

// A cellLook is everything that decides the styles of a cell within a grid.
type cellLook struct {
	fill draw.Color
	mark mark
}

// A cellStyle is the styles of a cell's rectangle and text.
type cellStyle struct{ rect, text draw.StyleID }

// cellStyle returns the styles of cells with a look. It is called once for each look, not for each cell.
func (p *painter) cellStyle(l cellLook, edge draw.Color, width, size float64) cellStyle {
	fill, ink := l.fill, p.theme.Ink
	switch {
	case l.mark&markFocus != 0:
		fill = p.theme.Glow
	case l.mark&markEmpty != 0:
		fill = p.theme.Empty
	}
	if fill != draw.None {
		ink = draw.InkOn(fill)
	}
	if l.mark&markFaint != 0 {
		ink = draw.Mix(ink, p.theme.Paper, 0.55)
	}
	return cellStyle{p.fill(fill, edge, width), p.ink(ink, size, draw.Middle)}
}

// paintRules paints the borders, the frame of the whole grid, and the highlights.
func (g *grid) paintRules(p *painter) {
	for _, r := range g.rules {
		x1, y1 := g.place(float64(r.row1), float64(r.col1))
		x2, y2 := g.place(float64(r.row2), float64(r.col2))
		p.Line(p.stroke(r.color, min(r.width, g.unitW/3, g.unitH/3)), x1, y1, x2, y2)
	}
	p.Rect(p.stroke(p.theme.Strong, 1), g.x, g.y, g.unitW*float64(g.cols), g.unitH*float64(g.rows))
	for _, l := range g.plates {
		x, y := g.place(float64(l.row)+float64(l.rows)/2, float64(l.col)+float64(l.cols)/2)
		size := textSize
		w := draw.TextWidth(l.text, size) + 6
		p.Rect(p.fill(p.theme.Paper.Fade(225), draw.None, 0), x-w/2, y-size*0.7, w, size*1.4)
		p.Text(p.bold(p.theme.Ink, size, draw.Middle), x, y, l.text)
	}
	for _, f := range g.focuses {
		x, y := g.place(float64(f.row), float64(f.col))
		c, w := f.color, f.width
		if c == draw.None {
			c = p.theme.Select
		}
		if w == 0 {
			w = 2
		}
		p.Rect(p.stroke(c, w), x, y, g.unitW*float64(f.cols), g.unitH*float64(f.rows))
		if f.label != "" {
			p.Text(p.bold(c, labelSize, draw.Start), x, y-labelSize/2-2, f.label)
		}
	}
}
