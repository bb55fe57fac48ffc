package png

import "sync"

// A face is a font: its size in units, and the outlines of its characters.
type face struct {
	em     int
	glyphs map[rune][]segment
}

// faces returns the two fonts, regular and bold.
var faces = sync.OnceValue(unpackFaces)

// A glyphKey is all that the pixels of a glyph depend on.
type glyphKey struct {
	r     rune
	bold  bool
	up    bool
	ppem  float64 // pixels per font size
	phase uint8   // the position in quarters of a pixel: to the right or, for upward text, up
}

// A glyph is the coverage of a character: w x h levels; the first is at (x, y) relative to the pen.
type glyph struct {
	x, y, w, h int
	cover      []uint8
}

// largest is the font size, in pixels, from which glyphs are painted directly instead of cached.
const largest = 256

// glyph returns the coverage of a character, from the cache if possible.
func (p *painter) glyph(k glyphKey) glyph {
	g, ok := p.glyphs[k]
	if !ok {
		g = render(k)
		p.glyphs[k] = g
	}
	return g
}

// render draws a character of a font size below largest.
func render(k glyphKey) glyph {
	s := outline(k, point{int64(k.phase) * unit / 4, 0})
	if k.up {
		s = outline(k, point{0, -int64(k.phase) * unit / 4})
	}
	if len(s.edges) == 0 {
		return glyph{}
	}
	// The filler begins at pixel 0: move the outline there.
	left, top := pixel(s.minX), pixel(s.minY)
	g := glyph{x: left, y: top, w: pixel(s.maxX) + 1 - left, h: pixel(s.maxY) + 1 - top}
	g.cover = make([]uint8, g.w*g.h)
	s.move(-int64(left)*unit, -int64(top)*unit)
	s.fill(g.w, g.h, func(x, y int, cover []uint8) { copy(g.cover[y*g.w+x:], cover) })
	return g
}

// move moves a shape.
func (s *shape) move(dx, dy int64) {
	for i := range s.edges {
		e := &s.edges[i]
		e.top, e.bottom = point{e.top.x + dx, e.top.y + dy}, point{e.bottom.x + dx, e.bottom.y + dy}
	}
	s.minX, s.maxX = s.minX+dx, s.maxX+dx
	s.minY, s.maxY = s.minY+dy, s.maxY+dy
}

// outline returns the outline of a character with the pen at a point. Characters that the bold font lacks come from
// the regular font; if both lack it, the outline is the font's box for missing characters.
func outline(k glyphKey, pen point) shape {
	fonts := faces()
	f := fonts[0]
	if k.bold && fonts[1].glyphs[k.r] != nil {
		f = fonts[1]
	}
	segments, ok := f.glyphs[k.r]
	if !ok {
		segments = f.glyphs[missing]
	}
	place := func(seg segment, i int) point {
		scaled := func(v int16) int64 { return toUnits(float64(v) * k.ppem / float64(f.em)) }
		to := point{scaled(seg.at[0][i]), scaled(seg.at[1][i])}
		if k.up {
			to.x, to.y = to.y, -to.x
		}
		return point{pen.x + to.x, pen.y + to.y}
	}
	var s shape
	var begin, at point
	for _, seg := range segments {
		a := place(seg, 0)
		switch seg.op {
		case moveTo:
			s.add(at, begin)
			begin, at = a, a
		case lineTo:
			s.add(at, a)
			at = a
		case quadTo:
			at = s.curve(quadratic{at, a, place(seg, 1)})
		}
	}
	s.add(at, begin)
	return s
}
