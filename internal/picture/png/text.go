package png

import (
	"math"

	"girih/internal/picture/draw"
)

// text paints a line of text. The baseline is 0.35 of the size below the middle, as with SVG's dy=".35em", rounded to
// a whole pixel. Characters are placed in quarters of a pixel.
func (p *painter) text(x *draw.Shape, st draw.Style) {
	if st.Fill == draw.None || !(st.Size > 0) {
		return
	}
	back := 0.0 // the distance from the anchor to the left end
	switch st.Anchor {
	case draw.Middle:
		back = draw.TextWidth(x.Text, st.Size) / 2
	case draw.Finish:
		back = draw.TextWidth(x.Text, st.Size)
	}
	below := float64(0.35 * st.Size)
	k := glyphKey{bold: st.Bold, up: st.Up, ppem: st.Size * p.scale}
	along := -back
	for _, r := range x.Text {
		if r != ' ' && r != '\u00a0' {
			k.r = r
			if st.Up {
				p.character(k, (x.X+below)*p.scale, (x.Y-along)*p.scale, st.Fill)
			} else {
				p.character(k, (x.X+along)*p.scale, (x.Y+below)*p.scale, st.Fill)
			}
		}
		along += float64(draw.Advance * st.Size)
	}
}

// character paints a character with the pen at (x, y), in pixels.
func (p *painter) character(k glyphKey, x, y float64, color draw.Color) {
	if k.ppem >= largest {
		s := outline(k, point{toUnits(x), toUnits(y)})
		p.fill(&s, color)
		return
	}
	var left, top int
	if k.up {
		q := toUnits(-y / unit * 4) // quarters
		k.phase = uint8(q & 3)
		left, top = int(toUnits(math.Round(x)/unit)), -int(q>>2)
	} else {
		q := toUnits(x / unit * 4)
		k.phase = uint8(q & 3)
		left, top = int(q>>2), int(toUnits(math.Round(y)/unit))
	}
	g := p.glyph(k)
	left, top = left+g.x, top+g.y
	from, to := max(-left, 0), min(g.w, p.c.w-left)
	if from >= to {
		return
	}
	for row := max(-top, 0); row < min(g.h, p.c.h-top); row++ {
		pix := p.c.pix[(top+row)*p.c.w+left+from:]
		for i, level := range g.cover[row*g.w+from : row*g.w+to] {
			if level > 0 {
				pix[i] = over(pix[i], color, int(level))
			}
		}
	}
}
