package view

import (
	"fmt"

	"girih/internal/picture/draw"
)

// outline returns the picture of a layout that is too large to draw: a rectangle with the extent and the strides of
// each mode.
func outline(f *field, strides []string, o Options) *draw.Scene {
	const side, gap = 200.0, 8.0
	const narrow, wide = 0.4, 1.6 // the sides of the rectangle, whatever the shape of the layout
	w, h := side, side
	modes := f.shape.Modes()
	size, err := f.shape.Product()
	count := fmt.Sprint(size)
	if err != nil {
		count = "more than 2^63"
	}
	count += " elements"
	var down, across string
	rows, cols := f.extents()
	w *= min(max(float64(cols)/float64(max(rows, 1)), narrow), wide)
	width := w
	if len(modes) > 0 {
		down = short(modes[0].String(), 48)
	}
	if len(modes) > 1 {
		across = short(modes[1].String(), 48)
	}
	// Extents have up to 19 digits, and nested modes more, so the rectangle and its margin are as wide as their
	// texts.
	left := max(110, draw.TextWidth(down, textSize)+2*gap)
	width = max(width, draw.TextWidth(count, textSize)+2*gap, draw.TextWidth(across, textSize))
	body := &sketch{w: left + width + 5*gap, h: h + 40, draw: func(p *painter, x, y float64) {
		x, y = x+left, y+24
		p.Rect(p.fill(p.theme.Empty, p.theme.Strong, 1.5), x, y, width, h)
		p.Text(p.ink(p.theme.Soft, textSize, draw.Middle), x+width/2, y+h/2, count)
		p.Text(p.bold(p.theme.Ink, textSize, draw.Finish), x-gap, y+h/2, down)
		p.Text(p.bold(p.theme.Ink, textSize, draw.Middle), x+width/2, y-10, across)
	}}
	notes := append([]string{
		fmt.Sprintf("Outline only: %s, cells are drawn up to %d. Take a tile to see them.", count, DrawnCells),
	}, f.notes...)
	for i, m := range modes {
		line := fmt.Sprintf("Mode %d: extent %s", i, m)
		if len(strides) == len(modes) {
			line += ", stride " + strides[i]
		}
		notes = append(notes, line+".")
	}
	return frame{title: f.title, notes: notes, body: body}.draw(o)
}
