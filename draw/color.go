package draw

import "math"

// Mix returns the color that lies at t between a (t = 0) and b (t = 1), in the perceptual space OKLab: halfway looks halfway.
// The opacity is mixed too.
func Mix(a, b Color, t float64) Color {
	p, q := a.lab(), b.lab()
	for i := range p {
		p[i] += (q[i] - p[i]) * t
	}
	alpha := float64(a&0xff) + (float64(b&0xff)-float64(a&0xff))*t
	return fromLab(p).Fade(uint8(math.Round(alpha)))
}

// InkOn returns black or white, whichever reads better on a fill.
func InkOn(fill Color) Color {
	if fill.lab()[0] > 0.62 {
		return RGB(0x11, 0x14, 0x18)
	}
	return RGB(0xff, 0xff, 0xff)
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

// linear returns the light of an sRGB value (IEC 61966-2-1).
func linear(x uint8) float64 {
	v := float64(x) / 255
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

// gamma is the inverse of linear, clipped.
func gamma(v float64) uint8 {
	if v <= 0.0031308 {
		v *= 12.92
	} else {
		v = 1.055*math.Pow(v, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * min(max(v, 0), 1)))
}
