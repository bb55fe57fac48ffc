package view

import (
	"fmt"

	"girih"
	"girih/draw"
)

// outline returns the picture of a layout that is too large to draw: a rectangle with the extent and the strides of each mode.
func outline(f *field, stride girih.Tuple, o Options) *draw.Scene {
	const w, h = 320.0, 200.0
	modes := f.shape.Modes()
	size, err := f.shape.Product()
	count := fmt.Sprint(size)
	if err != nil {
		count = "more than 2^63"
	}
	body := &sketch{w: w + 150, h: h + 40, draw: func(p *painter, x, y float64) {
		text := p.bold(p.theme.Ink, textSize, draw.Middle)
		x, y = x+110, y+24
		width := w
		if len(modes) < 2 {
			width = w / 4
		}
		p.Rect(p.fill(p.theme.Empty, p.theme.Strong, 1.5), x, y, width, h)
		p.Text(p.ink(p.theme.Soft, textSize, draw.Middle), x+width/2, y+h/2, count+" elements")
		if len(modes) > 0 {
			p.Text(p.bold(p.theme.Ink, textSize, draw.Finish), x-8, y+h/2, modes[0].String())
		}
		if len(modes) > 1 {
			p.Text(text, x+width/2, y-10, modes[1].String())
		}
	}}
	notes := append([]string{fmt.Sprintf("Outline only: %s elements, cells are drawn up to %d. Take a tile to see them.", count, DrawnCells)}, f.notes...)
	strides := stride.Modes()
	for i, m := range modes {
		line := fmt.Sprintf("Mode %d: extent %s", i, m)
		if len(strides) == len(modes) {
			line += ", stride " + strides[i].String()
		}
		notes = append(notes, line+".")
	}
	return frame{title: f.title, notes: notes, body: body}.draw(o)
}
