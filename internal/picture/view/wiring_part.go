package view

import (
	"fmt"

	"girih/internal/picture/draw"
)

// Sizes of wirings, in points.
const (
	wireStep = 18.0 // the height of a bit
	wireBox  = 26.0 // the width of a bit's box
	wireGap  = 9.0  // the space between modes
	levelGap = 13.0 // the space between brackets
	leafPad  = 16.0 // the space around the text of a leaf, both sides together
)

// A place is a row of a column of a wiring: a bit, or the range between two place values.
type place struct {
	label  string // the value or the number of the bit
	note   string // an explanation to the right of the bit
	stub   string // on the left side, the reason why no wire leaves the bit
	merge  string // the sign where its wires meet, such as + or ^
	end    string // the value at the lower end, if the bit is the last of its axis
	hue    int    // the hue of the bit; -1 takes the hue of the arriving wire
	height float64
	flip   bool // the origin changes the bit
	empty  bool // no wire arrives
	bad    bool // several wires arrive, which is an error
	tick   bool // the label is at its upper end
}

// A group is rows under a common bracket.
type group struct {
	name            string
	from, to, depth int
	hue             int
}

// A column is one side of a wiring.
type column struct {
	title  string
	rows   []place
	groups []group
	leaves []group // boxes with text over several rows; nil if each row has its own box
	depth  int     // the greatest depth of a group, plus 1

	y []float64 // the upper ends of the rows, then the lower end of the last row
}

// A wire leads from a row of one column to a row of the next column or, as a band, to several rows.
type wire struct {
	from, to, last int
	hue            int
	lane           int // for a band, the position of its end from the left
	band           bool
	tip            string
}

// A wiringPart is columns and the wires between adjacent columns.
type wiringPart struct {
	left, right column
	wires       []wire
	more        []column // the columns to the right of right
	moreWires   [][]wire

	width, height float64
	nameW, leafW  float64 // the widths of names and of leaves on the left side
	span          float64 // the distance between columns
	lanes         int
}

// next adds a stage of bits after the last column.
func (w *wiringPart) next(s stage) {
	_, right, wires := s.b.columns()
	last := &w.right
	if n := len(w.more); n > 0 {
		last = &w.more[n-1]
	}
	for k := len(last.rows); k < len(right.rows); k++ {
		last.rows = append(last.rows, place{label: fmt.Sprint(int64(1) << k), hue: -1, height: wireStep, empty: true, note: "gap"})
	}
	last.groups = nil
	if len(w.more) == 0 {
		last.title = "offset"
	}
	hues := w.arriving(len(w.more))
	for i := range wires {
		wires[i].hue = hues[wires[i].from]
	}
	for i := range right.rows {
		right.rows[i].label = fmt.Sprint(int64(1) << i)
	}
	right.title, right.groups = s.name, nil
	w.more = append(w.more, right)
	w.moreWires = append(w.moreWires, wires)
}

// arriving returns the hue of each row of column k, where 0 is the right column: the hue of the wire from the row with
// the same number, otherwise of the first wire; -1 if no wire arrives.
func (w *wiringPart) arriving(k int) []int {
	c, wires := &w.right, w.wires
	if k > 0 {
		c, wires = &w.more[k-1], w.moreWires[k-1]
	}
	hues := make([]int, len(c.rows))
	for i := range hues {
		hues[i] = -1
	}
	for _, x := range wires {
		for r := x.to; r <= max(x.to, x.last); r++ {
			if hues[r] < 0 || k > 0 && x.from == r {
				hues[r] = x.hue
			}
		}
	}
	return hues
}

// lay places the rows below y and returns the y after the last one.
func (c *column) lay(y float64) float64 {
	start := map[int]bool{}
	for _, g := range c.groups {
		if g.depth == 0 && g.from > 0 {
			start[g.from] = true
		}
	}
	c.y = c.y[:0]
	for i, r := range c.rows {
		if start[i] {
			y += wireGap
		}
		c.y = append(c.y, y)
		y += r.height
	}
	c.y = append(c.y, y)
	return y
}

// mid returns the middle of row i.
func (c *column) mid(i int) float64 { return c.y[i] + c.rows[i].height/2 }

// bottom returns the lower end of row i.
func (c *column) bottom(i int) float64 { return c.y[i] + c.rows[i].height }

//go:noinline
func (w *wiringPart) columns() []*column {
	cs := []*column{&w.left, &w.right}
	for i := range w.more {
		cs = append(cs, &w.more[i])
	}
	return cs
}

func (w *wiringPart) measure(*painter) (width, height float64) {
	for _, c := range w.columns() {
		height = max(height, c.lay(0))
	}
	head := 0.0
	if len(w.more) > 0 {
		head = 22
	}
	for _, c := range w.columns() { // vertically centered
		c.lay(head + (height-c.y[len(c.y)-1])/2)
	}
	w.nameW, w.leafW, w.lanes = 0, wireBox, 1
	for _, g := range w.left.groups {
		w.nameW = max(w.nameW, draw.TextWidth(g.name, textSize))
	}
	for _, g := range w.left.leaves {
		w.leafW = max(w.leafW, draw.TextWidth(g.name, textSize)+leafPad)
	}
	for _, x := range w.wires {
		w.lanes = max(w.lanes, x.lane+1)
	}
	w.span = min(max(0.55*height, 150), 300)
	if len(w.more) > 0 {
		w.span = min(w.span, 170)
	}
	width = w.nameW + 8 + levelGap*float64(max(w.left.depth, 1)) + w.leafW + w.span
	for range w.more {
		width += wireBox + w.span
	}
	last := w.columns()[len(w.more)+1]
	label, note, name := 0.0, 0.0, 0.0
	for _, r := range last.rows {
		label = max(label, draw.TextWidth(r.label, textSize), draw.TextWidth(r.end, textSize))
		note = max(note, draw.TextWidth(r.note, textSize))
	}
	for _, g := range last.groups {
		name = max(name, draw.TextWidth(g.name, textSize)+20)
	}
	title := width + wireBox/2 + draw.TextWidth(last.title, textSize)/2
	width = max(title, width+wireBox*float64(w.lanes)+8+label+10+note+name)
	w.width, w.height = width, height+head+8
	return w.width, w.height
}

// wireColor returns the color of a wire with a hue.
func (p *painter) wireColor(hue int) draw.Color {
	if hue < 0 {
		return p.theme.Soft
	}
	return draw.Mix(p.theme.Hue(int64(hue)), p.theme.Ink, 0.22)
}

// boxColor returns the fill of a box with a hue.
func (p *painter) boxColor(hue int) draw.Color {
	if hue < 0 {
		return p.theme.Paper
	}
	return p.theme.Hue(int64(hue))
}

func (w *wiringPart) paint(p *painter, x, y float64) {
	xl := x + w.nameW + 8 + levelGap*float64(max(w.left.depth, 1)) // the x of the boxes on the left
	from := xl + w.leafW
	prev, wires := &w.left, w.wires
	for k, c := range w.columns()[1:] {
		to := from + w.span
		between := wireSpace{prev, c, from, to, y}
		for _, q := range wires {
			between.paint(p, q)
		}
		prev, from = c, to+wireBox
		if k < len(w.moreWires) {
			wires = w.moreWires[k]
		}
	}
	w.paintLeft(p, x, xl, y)
	at := xl + w.leafW
	cs := w.columns()
	for k, c := range cs[1:] {
		at += w.span
		w.paintBoxes(p, k, at, y)
		if c.title != "" {
			p.Text(p.ink(p.theme.Ink, textSize, draw.Middle), at+wireBox/2, y+c.y[0]-12, c.title)
		}
		if k == len(cs)-2 {
			w.paintRight(p, c, at, y)
		}
		at += wireBox
	}
}

// A wireSpace is the space between two columns of a wiring, from x1 to x2 and from y down.
type wireSpace struct {
	left, right *column
	x1, x2, y   float64
}

// paint paints one wire.
func (s wireSpace) paint(p *painter, q wire) {
	color := p.wireColor(q.hue)
	x1, x2 := s.x1, s.x2
	bend := (x2 - x1) * 0.45
	if q.band {
		a1, a2 := s.y+s.left.y[q.from], s.y+s.left.bottom(q.from)
		b1, b2 := s.y+s.right.y[q.to], s.y+s.right.bottom(q.last)
		x2 += wireBox * float64(q.lane)
		band := p.Path(p.fill(p.theme.Hue(int64(q.hue)).Fade(0x70), color, 0.75),
			draw.Step{Verb: draw.Move, X: x1, Y: a1},
			draw.Step{Verb: draw.Cubic, X1: x1 + bend, Y1: a1, X2: x2 - bend, Y2: b1, X: x2, Y: b1},
			draw.Step{Verb: draw.To, X: x2, Y: b2},
			draw.Step{Verb: draw.Cubic, X1: x2 - bend, Y1: b2, X2: x1 + bend, Y2: a2, X: x1, Y: a2},
			draw.Step{Verb: draw.Close})
		band.Key, band.Tip = fmt.Sprintf("w%d-%d", q.from, q.to), q.tip
		return
	}
	if s.right.rows[q.to].merge != "" {
		x2 -= 18
	}
	y1, y2 := s.y+s.left.mid(q.from), s.y+s.right.mid(q.to)
	line := p.Path(p.stroke(color, 1.75),
		draw.Step{Verb: draw.Move, X: x1, Y: y1},
		draw.Step{Verb: draw.Cubic, X1: x1 + bend, Y1: y1, X2: x2 - bend, Y2: y2, X: x2, Y: y2})
	line.Key, line.Tip = fmt.Sprintf("w%d-%d", q.from, q.to), q.tip
}
