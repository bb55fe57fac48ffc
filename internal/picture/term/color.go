package term

import (
	"math"

	"girih/internal/picture/draw"
)

// over returns a color painted over an opaque color, or over white if there is no opaque color.
func over(c, below draw.Color) draw.Color {
	r, g, b, a := c.RGBA()
	if a == 0 {
		return below
	}
	if !visible(below) {
		below = draw.RGB(0xff, 0xff, 0xff)
	}
	r0, g0, b0, _ := below.RGBA()
	mix := func(x, y uint8) uint8 { return uint8((int(x)*int(a) + int(y)*(255-int(a)) + 127) / 255) }
	return draw.RGB(mix(r, r0), mix(g, g0), mix(b, b0))
}

// luminance returns the relative luminance of a color, 0 to 1 (WCAG 2.2).
func luminance(c draw.Color) float64 {
	r, g, b, _ := c.RGBA()
	return 0.2126*light8[r] + 0.7152*light8[g] + 0.0722*light8[b]
}

// light8 is the linear light of each value of an 8-bit channel (IEC 61966-2-1).
var light8 = func() (t [256]float64) {
	for i := range t {
		if v := float64(i) / 255; v <= 0.04045 {
			t[i] = v / 12.92
		} else {
			t[i] = math.Pow((v+0.055)/1.055, 2.4)
		}
	}
	return t
}()

// contrast returns the contrast ratio of two colors, 1 to 21 (WCAG 2.2).
func contrast(a, b draw.Color) float64 {
	p, q := luminance(a), luminance(b)
	return (max(p, q) + 0.05) / (min(p, q) + 0.05)
}

// onFill returns the color for text or strokes on a fill: c itself if readable there.
func onFill(c, fill draw.Color) draw.Color {
	c = over(c, fill)
	if contrast(c, fill) >= 3 {
		return c
	}
	return draw.InkOn(fill)
}

// onTerminal returns the color for text or strokes on the terminal's own background. For greys it is [draw.None], the
// terminal's own foreground. Other colors get a lightness with a contrast of at least 3 against both black and white.
func onTerminal(c draw.Color) draw.Color {
	c |= 0xff
	r, g, b, _ := c.RGBA()
	if max(r, g, b)-min(r, g, b) < 48 {
		return draw.None
	}
	to := draw.RGB(0, 0, 0)
	if luminance(c) < 0.1 {
		to = draw.RGB(0xff, 0xff, 0xff)
	}
	for t := 0.0; t < 1; t += 0.05 {
		if m := draw.Mix(c, to, t); luminance(m) >= 0.1 && luminance(m) <= 0.3 {
			return m
		}
	}
	return draw.None
}

// index256 returns the number of the nearest of xterm's 256 colors. It omits the first sixteen, because users
// redefine them. Lightness and tint are compared separately, and a tint that is added counts as much as a tint that
// is lost, so that a pale blue becomes a grey rather than a lilac.
func index256(c draw.Color) int {
	r, g, b, _ := c.RGBA()
	best, at := math.MaxInt, 0
	try := func(n int, x, y, z uint8) {
		dr, dg, db := int(r)-int(x), int(g)-int(y), int(b)-int(z)
		light := (3*dr + 6*dg + db) / 4
		if d := light*light + (dr-dg)*(dr-dg) + (db-dg)*(db-dg); d < best {
			best, at = d, n
		}
	}
	for n := range 216 {
		try(16+n, levels[n/36], levels[n/6%6], levels[n%6])
	}
	for n := range 24 {
		v := uint8(8 + 10*n)
		try(232+n, v, v, v)
	}
	return at
}

// levels are the channel values of the cube of 6 by 6 by 6 colors.
var levels = [6]uint8{0, 95, 135, 175, 215, 255}
