// Package png writes a [draw.Scene] as a PNG picture.
//
// Horizontal and vertical edges are aligned to the pixel grid, so that cells are crisp and touch without seams;
// everything else is antialiased with 16 levels. A picture of up to 256 colors has a palette. Text chunks contain the
// title and the description. The file's resolution records the scale, so that a picture at scale 2 has the same size
// on paper as at scale 1.
//
// # The font
//
// The font is a subset of DejaVu Sans Mono 2.37, regular and bold, embedded in the program as outlines; its licence is
// in font/LICENSE. It contains ASCII, Latin-1, Greek, arrows, operators, brackets, box drawing, geometric shapes,
// superscripts and subscripts. The bold font contains ASCII and the common operators; other bold characters come
// from the regular font. A character that both lack is drawn as a box. The subsets are made with fonttools 4.38 from
// Debian's fonts-dejavu-core 2.37:
//
//	opts="--no-hinting --layout-features= --notdef-outline --drop-tables+=FFTM,GSUB,GPOS,GDEF --name-IDs=*"
//	pyftsubset DejaVuSansMono.ttf $opts --unicodes=U+20-7E,U+A0-FF,U+391-3A9,U+3B1-3C9,U+3D5,U+1D40,U+2010-2015,\
//	U+2018-201D,U+2020-2022,U+2026,U+2032,U+2033,U+2070-208E,U+2115,U+211D,U+2124,U+2190-2199,U+21A6,U+21B5,U+21BA,U+21BB,\
//	U+21D0-21D5,U+2200-220B,U+2212,U+2213,U+2216-221A,U+221E,U+2223-222B,U+2236,U+2248,U+2260-2265,U+2282-228B,\
//	U+2293-22A5,U+22C0-22C5,U+22EE-22F1,U+2308-230B,U+23CE,U+2500-257F,U+2580-2593,U+25A0,U+25A1,U+25AA,U+25AB,U+25B2,\
//	U+25B3,U+25B6,U+25B8,U+25BC,U+25BD,U+25C0,U+25C6,U+25C7,U+25CA,U+25CB,U+25CF,U+2605,U+2606,U+2713,U+2714,U+2717,\
//	U+2718,U+27E6-27E9,U+FFFD
//	pyftsubset DejaVuSansMono-Bold.ttf $opts --unicodes=U+20-7E,U+B7,U+D7,U+2026,U+2190-2193,U+2212,U+2218,U+2295,\
//	U+2297,U+2308-230B,U+27E8,U+27E9
//
// # Determinism
//
// The same scene and scale give the same bytes on every machine: the rasterizer works in integers.
package png

import (
	"errors"
	"fmt"
	"io"
	"math"

	"girih/internal/picture/draw"
)

// MaxPixels is the largest number of pixels of a picture. Painting takes four bytes of memory for each.
const MaxPixels = 1 << 27

// ErrSize is the error for a scene whose picture would have no pixels or more than [MaxPixels]. The error that wraps
// it says what was expected and found, and which scale fits.
var ErrSize = errors.New("bad picture size")

// Encode writes a scene as a PNG picture with scale pixels per point. If the size or the scale is not positive, or
// the picture would have more than [MaxPixels] pixels, the error wraps [ErrSize] and nothing is written. All other
// errors come from w.
func Encode(w io.Writer, s *draw.Scene, scale float64) error {
	width, height, err := pixels(s, scale)
	if err != nil {
		return err
	}
	c := newCanvas(width, height, s.Background)
	p := painter{c: c, s: s, scale: scale, glyphs: map[glyphKey]glyph{}}
	for i := range s.Shapes() {
		p.shape(&s.Shapes()[i])
	}
	return write(w, c, s, scale)
}

// pixels returns the size of the picture of a scene.
func pixels(s *draw.Scene, scale float64) (width, height int, err error) {
	if !(scale > 0) || math.IsInf(scale, 0) {
		return 0, 0, fmt.Errorf("%w: expected a scale above 0, found %v", ErrSize, scale)
	}
	if !(s.W > 0) || !(s.H > 0) || math.IsInf(s.W, 0) || math.IsInf(s.H, 0) {
		return 0, 0, fmt.Errorf("%w: expected a scene with a width and a height above 0, found %v x %v points",
			ErrSize, s.W, s.H)
	}
	// Tolerate the rounding error of the multiplication.
	x, y := math.Ceil(s.W*scale-1e-6), math.Ceil(s.H*scale-1e-6)
	x, y = max(x, 1), max(y, 1)
	if area := x * y; area > MaxPixels {
		fits := math.Sqrt(MaxPixels / s.W / s.H)
		fits = math.Floor(fits*100) / 100
		hint := "draw less of it"
		if fits > 0 {
			hint = fmt.Sprintf("a scale of %v fits", fits)
		}
		return 0, 0, fmt.Errorf("%w: expected at most %d pixels, found %.0f x %.0f at scale %v; %s", ErrSize, MaxPixels, x,
			y, scale, hint)
	}
	return int(x), int(y), nil
}
