package draw

import (
	"math"
	"slices"
)

// Mix returns the color at t between a (t = 0) and b (t = 1) in the perceptual color space OKLab, so that t = 0.5
// looks halfway. It mixes the opacity too.
func Mix(a, b Color, t float64) Color {
	p, q := a.lab(), b.lab()
	for i := range p {
		p[i] += (q[i] - p[i]) * t
	}
	alpha := float64(a&0xff) + (float64(b&0xff)-float64(a&0xff))*t
	return fromLab(p).Fade(uint8(math.Round(alpha)))
}

// InkOn returns black or white, whichever has more contrast with an opaque fill. The contrast is at least 4.58 on
// every fill; WCAG 2.2 requires 4.5 for text of any size.
func InkOn(fill Color) Color {
	black, white := RGB(0, 0, 0), RGB(0xff, 0xff, 0xff)
	if Contrast(black, fill) >= Contrast(white, fill) {
		return black
	}
	return white
}

// Contrast returns the contrast ratio of two opaque colors as WCAG 2.2 defines it, from 1 (the same luminance) to 21
// (black and white).
func Contrast(a, b Color) float64 {
	p, q := a.luminance()+0.05, b.luminance()+0.05
	return max(p, q) / min(p, q)
}

// luminance returns the relative luminance of WCAG 2.2, from 0 to 1.
func (c Color) luminance() float64 {
	r, g, b, _ := c.RGBA()
	return float64(0.2126*linear(r)) + float64(0.7152*linear(g)) + float64(0.0722*linear(b))
}

// lab returns the color in OKLab (Björn Ottosson, A perceptual color space for image processing, 2020).
func (c Color) lab() [3]float64 {
	r8, g8, b8, _ := c.RGBA()
	r, g, b := linear(r8), linear(g8), linear(b8)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return [3]float64{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// fromLab returns the opaque color nearest to a point of OKLab.
func fromLab(p [3]float64) Color {
	cube := func(x float64) float64 { return x * x * x }
	l := cube(p[0] + 0.3963377774*p[1] + 0.2158037573*p[2])
	m := cube(p[0] - 0.1055613458*p[1] - 0.0638541728*p[2])
	s := cube(p[0] - 0.0894841775*p[1] - 1.2914855480*p[2])
	return RGB(
		gamma(4.0767416621*l-3.3077115913*m+0.2309699292*s),
		gamma(-1.2684380046*l+2.6097574011*m-0.3413193965*s),
		gamma(-0.0041960863*l-0.7034186147*m+1.7076147010*s),
	)
}

// light8 holds the linear light of each sRGB value (IEC 61966-2-1), and above8 the light halfway to the next value.
var light8, above8 = func() (at, above [256]float64) {
	light := func(v float64) float64 {
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	for i := range at {
		at[i], above[i] = light(float64(i)/255), light((float64(i)+0.5)/255)
	}
	return at, above
}()

// linear returns the linear light of an sRGB value.
func linear(x uint8) float64 { return light8[x] }

// gamma is the inverse of linear, clipped to 0 to 255: the sRGB value perceptually nearest to v.
func gamma(v float64) uint8 {
	i, _ := slices.BinarySearch(above8[:255], v)
	return uint8(i)
}
