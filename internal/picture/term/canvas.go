package term

import "girih/internal/picture/draw"

// A cell is the content of one place of the terminal. At most one of r, box and dots is set.
type cell struct {
	r     rune // a character; 0 for none, -1 for the second half of a wide character
	fg    draw.Color
	bg    draw.Color
	owner int32 // the last rectangle that filled the cell, counted from 1; 0 for none
	box   uint8 // weights of the strokes that leave the cell: two bits each for up, right, down, left
	dots  uint8 // the dots of a braille character
	flags uint8
}

// The flags of a cell.
const (
	boldCell  = 1 << iota
	roundCell // the corner in the cell is round
	dashCell  // the straight stroke in the cell is dashed
	blankCell // a blank inside a text, which no wire crosses
)

// The weights of strokes in box drawing characters.
const (
	light  = 1
	heavy  = 2
	double = 3
)

// The directions in which a stroke leaves a cell, as shifts in box.
const (
	up    = 0
	right = 2
	down  = 4
	left  = 6
)

// A canvas is a rectangle of cells, row by row.
type canvas struct {
	w, h  int
	cells []cell
	full  []bool // by owner: whether the rectangle contains a text
}

// at returns a cell, or nil outside the canvas.
func (c *canvas) at(col, row int) *cell {
	if col < 0 || row < 0 || col >= c.w || row >= c.h {
		return nil
	}
	return &c.cells[row*c.w+col]
}

// stroke adds a stroke that leaves a cell in a direction. The heavier of two strokes in one direction is kept.
func (c *canvas) stroke(col, row, dir int, st pen) {
	x := c.at(col, row)
	if x == nil || x.r != 0 {
		return
	}
	x.dots = 0
	old := x.box >> dir & 3
	if x.box == 0 || st.weight >= old {
		x.fg = st.color
		x.flags = x.flags&^(dashCell|roundCell) | st.flags
	} else {
		x.flags &= st.flags | ^uint8(dashCell|roundCell)
	}
	if st.weight > old {
		x.box = x.box&^(3<<dir) | st.weight<<dir
	}
}

// A pen is the look of a stroke.
type pen struct {
	color  draw.Color
	weight uint8
	flags  uint8
}

// penOf returns the pen of a style: light up to 1.6 points, heavy up to 3.2, double above.
func penOf(st draw.Style) pen {
	p := pen{color: st.Stroke, weight: light}
	switch {
	case st.Width > 3.2:
		p.weight = double
	case st.Width > 1.6:
		p.weight = heavy
	}
	if st.Dash > 0 {
		p.flags |= dashCell
	}
	if st.Round > 0 {
		p.flags |= roundCell
	}
	return p
}

// across draws a line in a row from one column to another. If the half flag of an end is set, the line covers only
// half of that cell.
func (c *canvas) across(row int, from, to end, p pen) {
	for col := from.at; col <= to.at; col++ {
		if col > from.at || !from.half {
			c.stroke(col, row, left, p)
		}
		if col < to.at || !to.half {
			c.stroke(col, row, right, p)
		}
	}
}

// along draws a line in a column, as across does in a row.
func (c *canvas) along(col int, from, to end, p pen) {
	for row := from.at; row <= to.at; row++ {
		if row > from.at || !from.half {
			c.stroke(col, row, up, p)
		}
		if row < to.at || !to.half {
			c.stroke(col, row, down, p)
		}
	}
}

// An end is the cell at which a line ends: in the middle of the cell, where another line may meet it, or at the
// cell's border.
type end struct {
	at   int
	half bool
}

// An area is a rectangle of cells; col1 and row1 are not included.
type area struct{ col0, row0, col1, row1 int }

// fill paints the cells of an area and makes owner their owner.
func (c *canvas) fill(a area, color draw.Color, owner int32) {
	for row := max(a.row0, 0); row < min(a.row1, c.h); row++ {
		line := c.cells[row*c.w : (row+1)*c.w]
		for col := max(a.col0, 0); col < min(a.col1, c.w); col++ {
			x := &line[col]
			if color == draw.None || color&0xff == 0xff {
				*x = cell{bg: color, owner: owner}
				continue
			}
			x.bg = over(color, x.bg)
			x.owner = owner
		}
	}
}

// text writes glyphs from a cell to the right, or downward if the text runs upward in other formats: a terminal
// cannot turn letters, so such a text is read as a column.
func (c *canvas) text(col, row int, s *shape) {
	var flags uint8
	if s.style.Bold {
		flags = boldCell
	}
	put := func(col, row int, r rune) {
		x := c.at(col, row)
		if x == nil {
			return
		}
		x.r, x.fg, x.flags, x.box, x.dots = r, s.style.Fill, flags, 0, 0
		c.full[x.owner] = true
	}
	for _, g := range s.text {
		if g.r == ' ' {
			// A blank does not hide the cell, but marks it as taken.
			if x := c.at(col, row); x != nil && x.box == 0 {
				x.r, x.dots, x.flags = 0, 0, blankCell
			}
			if s.style.Up {
				row++
			} else {
				col++
			}
			continue
		}
		put(col, row, g.r)
		if s.style.Up {
			row += g.width
			continue
		}
		if g.width == 2 {
			put(col+1, row, -1)
		}
		col += g.width
	}
}
