package png

import "girih/internal/picture/draw"

// levels is the number of steps of coverage between an empty and a full pixel. Few levels keep the number of colors
// small enough for a palette; 16 levels at the edge of a letter look the same as 256.
const levels = 15

// A canvas is a picture of w x h pixels, row by row, not premultiplied.
type canvas struct {
	w, h int
	pix  []draw.Color
}

func newCanvas(w, h int, background draw.Color) *canvas {
	c := &canvas{w: w, h: h, pix: make([]draw.Color, w*h)}
	if background != draw.None {
		fill(c.pix, background)
	}
	return c
}

// fill sets a row of pixels to a color.
func fill(row []draw.Color, color draw.Color) {
	if len(row) < 16 {
		for i := range row {
			row[i] = color
		}
		return
	}
	for i := range 16 {
		row[i] = color
	}
	for n := 16; n < len(row); n *= 2 {
		copy(row[n:], row[:n])
	}
}

// A block is the pixels of [x0, x1) x [y0, y1).
type block struct{ x0, y0, x1, y1 int }

// block paints the pixels of a block at a level of coverage.
func (c *canvas) block(b block, color draw.Color, level int) {
	x0, y0 := max(b.x0, 0), max(b.y0, 0)
	x1, y1 := min(b.x1, c.w), min(b.y1, c.h)
	if x0 >= x1 || y0 >= y1 {
		return
	}
	if color&0xff == 0xff && level == levels {
		first := c.pix[y0*c.w+x0 : y0*c.w+x1]
		fill(first, color)
		for y := y0 + 1; y < y1; y++ {
			copy(c.pix[y*c.w+x0:y*c.w+x1], first)
		}
		return
	}
	for y := y0; y < y1; y++ {
		row := c.pix[y*c.w+x0 : y*c.w+x1]
		for i, under := range row {
			row[i] = over(under, color, level)
		}
	}
}

// over returns a color painted over another color with a level of coverage.
func over(under, color draw.Color, level int) draw.Color {
	r, g, b, a8 := color.RGBA()
	a := (uint32(a8)*uint32(level) + levels/2) / levels // 0 to 255
	switch a {
	case 0:
		return under
	case 255:
		return color
	}
	ur, ug, ub, ua8 := under.RGBA()
	ua := uint32(ua8)
	if ua == 255 {
		return draw.RGB(mix(ur, r, a), mix(ug, g, a), mix(ub, b, a))
	}
	// The result has opacity a + ua (1 - a); its color is the mean of both colors, weighted by their
	// contributions.
	rest := ua * (255 - a) // in units of 1/255
	total := 255*a + rest
	blend := func(u, c uint8) uint8 { return uint8((uint32(u)*rest + uint32(c)*255*a + total/2) / total) }
	return draw.RGB(blend(ur, r), blend(ug, g), blend(ub, b)).Fade(uint8((total + 127) / 255))
}

// mix returns the value between u and c at a/255.
func mix(u, c uint8, a uint32) uint8 {
	return uint8((uint32(u)*(255-a) + uint32(c)*a + 127) / 255)
}
