package png

import (
	_ "embed" // the fonts
	"sync"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

//go:embed font/DejaVuSansMono.ttf
var regularTTF []byte

//go:embed font/DejaVuSansMono-Bold.ttf
var boldTTF []byte

// A face is a font with a cache of outlines.
type face struct {
	font *sfnt.Font
	em   int
}

// faces returns the two fonts, regular and bold.
var faces = sync.OnceValue(func() [2]face {
	return [2]face{parse(regularTTF), parse(boldTTF)}
})

// parse parses an embedded font. A font that does not parse would fail every test of this package.
func parse(ttf []byte) face {
	f, err := sfnt.Parse(ttf)
	if err != nil {
		panic("png: the embedded font is broken: " + err.Error())
	}
	return face{f, int(f.UnitsPerEm())}
}

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
	var buf sfnt.Buffer
	if k.bold {
		f = fonts[1]
		if i, err := f.font.GlyphIndex(&buf, k.r); err != nil || i == 0 {
			f = fonts[0]
		}
	}
	index, err := f.font.GlyphIndex(&buf, k.r)
	if err != nil {
		index = 0
	}
	segments, err := f.font.LoadGlyph(&buf, index, fixed.I(f.em), nil)
	if err != nil {
		return shape{}
	}
	place := func(q fixed.Point26_6) point {
		x, y := toUnits(float64(q.X)/64*k.ppem/float64(f.em)), toUnits(float64(q.Y)/64*k.ppem/float64(f.em))
		if k.up {
			x, y = y, -x
		}
		return point{pen.x + x, pen.y + y}
	}
	var s shape
	var begin, at point
	for _, seg := range segments {
		a := place(seg.Args[0])
		switch seg.Op {
		case sfnt.SegmentOpMoveTo:
			s.add(at, begin)
			begin, at = a, a
			continue
		case sfnt.SegmentOpLineTo:
			s.add(at, a)
			at = a
		case sfnt.SegmentOpQuadTo:
			at = s.curve(quadratic{at, a, place(seg.Args[1])})
		case sfnt.SegmentOpCubeTo:
			at = s.curve(cubic{at, a, place(seg.Args[1]), place(seg.Args[2])})
		}
	}
	s.add(at, begin)
	return s
}
