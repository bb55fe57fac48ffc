package draw

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

// The matrices of full dichromacy in linear RGB, from Machado, Oliveira and Fernandes, A Physiologically-based Model
// for Simulation of Color Vision Deficiency (2009), table 1, severity 1.0.
var visions = []struct {
	name string
	m    [3][3]float64
}{
	{"normal", [3][3]float64{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
	{"protan", [3][3]float64{{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}},
	{"deutan", [3][3]float64{{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}},
	{"tritan", [3][3]float64{{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}},
}

// seen returns a color as a person with one kind of color vision sees it.
func seen(c Color, m [3][3]float64) Color {
	r, g, b, _ := c.RGBA()
	in := [3]float64{linear(r), linear(g), linear(b)}
	var out [3]uint8
	for i, row := range m {
		out[i] = gamma(row[0]*in[0] + row[1]*in[1] + row[2]*in[2])
	}
	return RGB(out[0], out[1], out[2])
}

func labDistance(a, b Color) float64 {
	p, q := a.lab(), b.lab()
	return math.Sqrt((p[0]-q[0])*(p[0]-q[0]) + (p[1]-q[1])*(p[1]-q[1]) + (p[2]-q[2])*(p[2]-q[2]))
}

// nearest returns the smallest distance in OKLab between two colors of a list, seen with one kind of color vision.
func nearest(list []Color, m [3][3]float64) (least float64, pair string) {
	least = math.Inf(1)
	for i, a := range list {
		for _, b := range list[:i] {
			if d := labDistance(seen(a, m), seen(b, m)); d < least {
				least, pair = d, fmt.Sprint(b, " and ", a)
			}
		}
	}
	return least, pair
}

// For every kind of color vision, the categories, the offsets, the levels, and good and bad differ.
func TestColorVision(t *testing.T) {
	t.Parallel()
	for _, th := range []*Theme{&light, &dark} {
		for _, v := range visions {
			for _, c := range []struct {
				name  string
				list  []Color
				least float64
			}{
				{"hues", th.Hues, map[string]float64{"light": 0.10, "dark": 0.11}[th.Name]},
				{"offsets", th.Offsets, 0.04},
				{"levels", th.Levels, 0.14},
				{"good and bad", []Color{th.Good, th.Bad}, 0.14},
			} {
				if d, pair := nearest(c.list, v.m); d < c.least {
					t.Errorf("%s, %s: the %s %s are %.3f apart, want %.3f", th.Name, v.name, c.name, pair, d, c.least)
				}
			}
		}
	}
}

// Neighbouring hues belong to adjacent groups of banks, threads and tiles. In each of four shades, neighbouring hues
// are far apart for full color vision, and distinct for every other kind.
func TestNeighbours(t *testing.T) {
	t.Parallel()
	const n = 4
	for _, th := range []*Theme{&light, &dark} {
		for _, v := range visions {
			hues, shades := 0.11, 0.01
			if th == &dark {
				hues, shades = 0.14, 0.045
			}
			if v.name == "normal" {
				hues, shades = map[string]float64{"light": 0.13, "dark": 0.24}[th.Name],
					map[string]float64{"light": 0.055, "dark": 0.17}[th.Name]
			}
			for i := range int64(len(th.Hues)) {
				if d := labDistance(seen(th.Hue(i), v.m), seen(th.Hue(i+1), v.m)); d < hues {
					t.Errorf("%s, %s: the neighbours %v and %v are %.3f apart, want %.3f", th.Name, v.name, th.Hue(i),
						th.Hue(i+1), d, hues)
				}
				for j := range int64(n * n) {
					a, b := th.Shade(i, j/n, n), th.Shade(i+1, j%n, n)
					if d := labDistance(seen(a, v.m), seen(b, v.m)); d < shades {
						t.Errorf("%s, %s: the shades %v and %v of neighbours are %.3f apart, want %.3f", th.Name, v.name, a, b, d, shades)
					}
				}
			}
		}
	}
}

// Frames around selected or wrong cells are red, and no hue is that red.
func TestFramesStandOut(t *testing.T) {
	t.Parallel()
	for _, th := range []*Theme{&light, &dark} {
		for _, frame := range []Color{th.Select, th.Bad} {
			for _, hue := range th.Hues {
				if d := labDistance(frame, hue); d < 0.095 {
					t.Errorf("%s: a frame %v on %v is %.3f apart", th.Name, frame, hue, d)
				}
			}
		}
	}
}

// For full color vision, hues differ in tone, not only in lightness, since the lightness shows the register.
func TestHuesDifferInTone(t *testing.T) {
	t.Parallel()
	for _, th := range []*Theme{&light, &dark} {
		for i, a := range th.Hues {
			for _, b := range th.Hues[:i] {
				p, q := a.lab(), b.lab()
				turn := math.Abs(math.Atan2(p[2], p[1])-math.Atan2(q[2], q[1])) * 180 / math.Pi
				if turn = math.Min(turn, 360-turn); turn < 30 {
					t.Errorf("%s: %v and %v are %.0f degrees apart, want 30", th.Name, a, b, turn)
				}
			}
		}
	}
}

// The shades of a hue get deeper step by step: darker on light paper, lighter on dark paper.
func TestShades(t *testing.T) {
	t.Parallel()
	for _, th := range []*Theme{&light, &dark} {
		for i := range int64(len(th.Hues)) {
			if got := th.Shade(i, 0, 1); got != th.Hue(i) {
				t.Errorf("%s: the only step of hue %d is %v, want %v", th.Name, i, got, th.Hue(i))
			}
			const n = 8
			for j := int64(1); j < n; j++ {
				a, b := th.Shade(i, j-1, n), th.Shade(i, j, n)
				away := math.Abs(b.lab()[0]-th.Paper.lab()[0]) - math.Abs(a.lab()[0]-th.Paper.lab()[0])
				if away < 0.005 || labDistance(a, b) < 0.009 {
					t.Errorf("%s: steps %d and %d of hue %d, %v and %v, are not to be told apart", th.Name, j-1, j, i, a, b)
				}
			}
		}
	}
	if got := classic.Shade(3, 5, 8); got != classic.Hue(3) {
		t.Errorf("classic has shades: %v", got)
	}
}

// Text is readable on every fill of a theme. In light and dark, one text color is readable on all shades of all hues,
// and one text color on all offsets.
func TestContrast(t *testing.T) {
	t.Parallel()
	for _, th := range Themes() {
		fills := append([]Color{th.Paper, th.Empty, th.Glow, th.Bad, th.Good, th.Select, th.Strong, th.Rule}, th.Levels...)
		var hues []Color
		for i := range int64(8) {
			hues = append(hues, th.Hue(i))
			for n := int64(2); n <= 64; n *= 2 {
				for j := range n {
					hues = append(hues, th.Shade(i, j, n))
				}
			}
		}
		for _, fill := range slices.Concat(fills, hues, th.Offsets) {
			if got := Contrast(InkOn(fill), fill); got < 4.5 {
				t.Errorf("%s: text on %v has contrast %.2f", th.Name, fill, got)
			}
		}
		for _, cells := range [][]Color{hues, th.Offsets} {
			for _, fill := range cells {
				if !th.Classic && InkOn(fill) != InkOn(cells[0]) {
					t.Errorf("%s: the ink changes on %v", th.Name, fill)
				}
			}
		}
		for _, c := range []struct {
			name       string
			ink, under Color
			atLeast    float64
		}{
			{"ink on paper", th.Ink, th.Paper, 7},
			{"soft on paper", th.Soft, th.Paper, 4.5},
			{"bad on paper", th.Bad, th.Paper, 3.9},
			{"good on paper", th.Good, th.Paper, 3.9},
			{"select on paper", th.Select, th.Paper, 3.9},
		} {
			if got := Contrast(c.ink, c.under); got < c.atLeast {
				t.Errorf("%s: %s has contrast %.2f, want %v", th.Name, c.name, got, c.atLeast)
			}
		}
	}
}

// The worst fill for text is the grey on which black and white have equal contrast.
func TestInkOnEveryGrey(t *testing.T) {
	t.Parallel()
	worst := 21.0
	for v := range 256 {
		c := RGB(uint8(v), uint8(v), uint8(v))
		worst = min(worst, Contrast(InkOn(c), c))
	}
	if worst < 4.55 || worst > 4.7 {
		t.Errorf("the worst contrast is %v", worst)
	}
}

// The classic palette is CUTLASS's, to the digit: print_latex and print_svg of include/cute/util/print_latex.hpp and
// print_svg.hpp.
func TestClassicIsCutlass(t *testing.T) {
	t.Parallel()
	for i, want := range []string{"#afafff", "#afffaf", "#ffffaf", "#ffafaf", "#d2d2ff", "#d2ffd2", "#ffffd2", "#ffd2d2"} {
		if got := classic.Shade(int64(i)+8, 3, 4).String(); got != want {
			t.Errorf("thread %d is %s, want %s", i+8, got, want)
		}
	}
	for i, want := range []string{"#ffffff", "#9b9b9b", "#cdcdcd", "#696969", "#e6e6e6", "#828282", "#b4b4b4", "#505050"} {
		if got := classic.Offset(int64(i) - 8).String(); got != want {
			t.Errorf("offset %d is %s, want %s", i-8, got, want)
		}
	}
	for i, want := range []string{"#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd"} {
		if got := classic.Level(i).String(); got != want {
			t.Errorf("level %d is %s, want %s", i, got, want)
		}
	}
	if classic.Glow != RGB(0xff, 0xdc, 0x96) || classic.Select != RGB(0xff, 0, 0) {
		t.Error("the highlight is not CUTLASS's")
	}
}

func TestPickNeverPanics(t *testing.T) {
	t.Parallel()
	var none Theme
	if none.Hue(3) != None || none.Offset(-1) != None || none.Level(0) != None || none.Shade(1, 2, 3)&0xff != 0 {
		t.Error("a theme without colors has colors")
	}
	for _, i := range []int64{math.MinInt64, -9, -1, 0, 7, 8, math.MaxInt64} {
		if light.Hue(i) == None || light.Offset(i) == None {
			t.Errorf("no color for %d", i)
		}
	}
}
