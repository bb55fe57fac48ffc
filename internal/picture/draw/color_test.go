package draw

import (
	"math"
	"testing"
)

// Converting a color to OKLab and back does not change it.
func TestLabRoundTrip(t *testing.T) {
	t.Parallel()
	for r := 0; r < 256; r += 5 {
		for g := 0; g < 256; g += 5 {
			for b := 0; b < 256; b += 5 {
				c := RGB(uint8(r), uint8(g), uint8(b))
				if got := fromLab(c.lab()); got != c {
					t.Fatalf("%v comes back as %v", c, got)
				}
			}
		}
	}
	// computed by hand from Ottosson's matrices
	if got := labDistance(RGB(255, 0, 0), RGB(0, 0, 255)); math.Abs(got-0.537) > 0.001 {
		t.Errorf("red and blue are %.4f apart", got)
	}
}

func TestGammaClips(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    float64
		want uint8
	}{{-1, 0}, {0, 0}, {1, 255}, {2, 255}, {math.Inf(1), 255}, {math.Inf(-1), 0}, {0.2140, 127}, {0.2159, 128}} {
		if got := gamma(c.v); got != c.want {
			t.Errorf("gamma(%v) = %d, want %d", c.v, got, c.want)
		}
	}
	gamma(math.NaN())
}

func TestMix(t *testing.T) {
	t.Parallel()
	a, b := RGB(0x12, 0x34, 0x56).Fade(0x40), RGB(0xfe, 0xdc, 0xba)
	if Mix(a, b, 0) != a || Mix(a, b, 1) != b {
		t.Errorf("the ends are %v and %v", Mix(a, b, 0), Mix(a, b, 1))
	}
	if _, _, _, alpha := Mix(a, b, 0.5).RGBA(); alpha != 0xa0 {
		t.Errorf("halfway is %v", Mix(a, b, 0.5))
	}
}

// Contrast agrees with the examples of WCAG, 4.5 and 21.
func TestContrastValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b Color
		want float64
	}{
		{RGB(0, 0, 0), RGB(0xff, 0xff, 0xff), 21},
		{RGB(0x77, 0x77, 0x77), RGB(0xff, 0xff, 0xff), 4.48},
		{RGB(0x76, 0x76, 0x76), RGB(0xff, 0xff, 0xff), 4.54},
		{RGB(1, 2, 3), RGB(1, 2, 3), 1},
	} {
		if got := Contrast(c.a, c.b); math.Abs(got-c.want) > 0.005 || got != Contrast(c.b, c.a) {
			t.Errorf("%v on %v: %.3f, want %v", c.a, c.b, got, c.want)
		}
	}
}

// Every cell of a picture needs a color and an ink.
func BenchmarkShadeInk(b *testing.B) {
	i := int64(0)
	for b.Loop() {
		InkOn(light.Shade(i, i%8, 8))
		i++
	}
}
