package term_test

import (
	"fmt"
	"math"

	"girih/internal/picture/draw"
)

// theme returns the theme with a name.
func theme(name string) *draw.Theme {
	t, err := draw.FindTheme(name)
	if err != nil {
		panic(err)
	}
	return t
}

// gridScene is a labelled grid of m by n numbers, tiles of 4 by 4 bordered.
func gridScene(th *draw.Theme, m, n int, at func(i, j int) int) *draw.Scene {
	const side, x0, y0 = 32.0, 40.0, 56.0
	s := draw.New(x0+side*float64(n)+16, y0+side*float64(m)+16)
	s.Background = th.Paper
	title := s.Intern(draw.Style{Fill: th.Ink, Size: 14, Bold: true})
	soft := draw.Style{Fill: th.Soft, Size: 11, Anchor: draw.Middle}
	s.Text(title, x0, 16, fmt.Sprintf("(%d,%d):(%d,1)", m, n, n))
	for j := range n {
		s.Text(s.Intern(soft), x0+side*(float64(j)+0.5), y0-9, fmt.Sprint(j))
	}
	soft.Anchor = draw.Finish
	for i := range m {
		s.Text(s.Intern(soft), x0-6, y0+side*(float64(i)+0.5), fmt.Sprint(i))
		for j := range n {
			v := at(i, j)
			fill := th.Offset(int64(v))
			x, y := x0+side*float64(j), y0+side*float64(i)
			s.Rect(s.Intern(draw.Style{Fill: fill, Stroke: th.Rule, Width: 1}), x, y, side, side)
			s.Text(s.Intern(draw.Style{Fill: draw.InkOn(fill), Size: 12, Anchor: draw.Middle}), x+side/2, y+side/2, fmt.Sprint(v))
		}
	}
	heavy := s.Intern(draw.Style{Stroke: th.Strong, Width: 2})
	for i := 0; i < m; i += 4 {
		for j := 0; j < n; j += 4 {
			s.Rect(heavy, x0+side*float64(j), y0+side*float64(i), side*float64(min(4, n-j)), side*float64(min(4, m-i)))
		}
	}
	return s
}

// tvScene is a grid with threads and values on two lines.
func tvScene(th *draw.Theme, m, n int) *draw.Scene {
	const side, x0, y0 = 36.0, 40.0, 40.0
	s := draw.New(x0+side*float64(n)+16, y0+side*float64(m)+16)
	s.Background = th.Paper
	for i := range m {
		s.Text(s.Intern(draw.Style{Fill: th.Soft, Size: 11, Anchor: draw.Finish}), x0-6, y0+side*(float64(i)+0.5),
			fmt.Sprint(i))
		for j := range n {
			t, v := int64(i%8*4+j/2%4), int64(j%2+i/8*2)
			fill := th.Shade(t, v, 4)
			x, y := x0+side*float64(j), y0+side*float64(i)
			if i == 0 {
				s.Text(s.Intern(draw.Style{Fill: th.Soft, Size: 11, Anchor: draw.Middle}), x+side/2, y0-9, fmt.Sprint(j))
			}
			s.Rect(s.Intern(draw.Style{Fill: fill, Stroke: th.Rule, Width: 1}), x, y, side, side)
			ink := s.Intern(draw.Style{Fill: draw.InkOn(fill), Size: 12, Anchor: draw.Middle})
			s.Text(ink, x+side/2, y+side/2-7, fmt.Sprintf("T%d", t))
			s.Text(ink, x+side/2, y+side/2+7, fmt.Sprintf("V%d", v))
		}
	}
	return s
}

// bankScene is a row of banks over rows of words, conflicts marked.
func bankScene(th *draw.Theme) *draw.Scene {
	s := gridScene(th, 4, 16, func(i, j int) int { return (i*16 + j) % 32 })
	bad := s.Intern(draw.Style{Stroke: th.Bad, Width: 2.5})
	s.Rect(bad, 40+32*3, 56+32, 32, 64)
	s.Text(s.Intern(draw.Style{Fill: th.Bad, Size: 12}), 40, 56+4*32+14, "2 words of bank 19: 2 wavefronts")
	for i := range 3 {
		y := 56 + 4*32 + 34 + 18*float64(i)
		s.Rect(s.Intern(draw.Style{Fill: th.Hue(int64(i)), Stroke: th.Rule, Width: 1}), 40, y-6, 12, 12)
		s.Text(s.Intern(draw.Style{Fill: th.Ink, Size: 11}), 58, y, fmt.Sprintf("warp %d", i))
	}
	return s
}

// panelsScene is the picture of an MMA: B at the top right, A at the bottom left, C at the bottom right.
func panelsScene(th *draw.Theme) *draw.Scene {
	s := draw.New(560, 560)
	s.Background = th.Paper
	a := gridScene(th, 8, 4, func(i, j int) int { return i*4 + j })
	b := gridScene(th, 4, 8, func(i, j int) int { return i*8 + j })
	c := gridScene(th, 8, 8, func(i, j int) int { return i*8 + j })
	s.Append(b, 220, 0)
	s.Append(a, 0, 200)
	s.Append(c, 220, 200)
	return s
}

// wiresScene is a wiring diagram from the bits of an index at the left to the bits of an offset at the right.
func wiresScene(th *draw.Theme, perm []int) *draw.Scene {
	s := draw.New(320, 30+float64(len(perm))*28)
	s.Background = th.Paper
	s.Text(s.Intern(draw.Style{Fill: th.Ink, Size: 12}), 20, 12, "index")
	s.Text(s.Intern(draw.Style{Fill: th.Ink, Size: 12}), 230, 12, "offset")
	for i, j := range perm {
		y, z := 40+28*float64(i), 40+28*float64(j)
		for k, x := range []float64{20, 230} {
			s.Rect(s.Intern(draw.Style{Fill: th.Hue(int64([]int{i, perm[i]}[k])), Stroke: th.Rule, Width: 1}), x, y-10, 60, 20)
			s.Text(s.Intern(draw.Style{Fill: th.Ink, Size: 12, Anchor: draw.Middle}), x+30, y, fmt.Sprintf("bit %d", i))
		}
		s.Path(s.Intern(draw.Style{Stroke: th.Hue(int64(i)), Width: 1.5, Arrow: true}),
			draw.Step{Verb: draw.Move, X: 80, Y: y},
			draw.Step{Verb: draw.Cubic, X1: 150, Y1: y, X2: 160, Y2: z, X: 230, Y: z})
	}
	return s
}

// noise is a scene of arbitrary shapes, chosen by seed, including every value that the package draw allows.
func noise(seed []byte) *draw.Scene {
	s := draw.New(300, 200)
	next := func() float64 {
		if len(seed) == 0 {
			return 0
		}
		v := seed[0]
		seed = seed[1:]
		switch v {
		case 255:
			return math.NaN()
		case 254:
			return math.Inf(-1)
		case 253:
			return 1e300
		}
		return float64(v) * 1.5
	}
	for len(seed) > 0 {
		k := next()
		st := s.Intern(draw.Style{
			Fill: draw.RGB(uint8(len(seed)), 90, 9).Fade(uint8(int64(k) & 0xff)), Stroke: draw.Color(len(seed) * 7919),
			Width: next() / 60,
			Dash:  float64(len(seed) & 1), Arrow: len(seed)&2 != 0, Round: float64(len(seed) & 4), Size: next() / 10,
			Anchor: draw.Anchor(len(seed) % 5), Up: len(seed)%7 == 0, Bold: len(seed)%3 == 0,
		})
		x, y, w, h := next(), next(), next(), next()
		switch len(seed) % 6 {
		case 0, 1:
			s.Rect(st, x, y, w-100, h)
		case 2:
			s.Line(st, x, y, x+w, y)
		case 3:
			s.Path(st, draw.Step{Verb: draw.Verb(len(seed) % 4), X: x, Y: y},
				draw.Step{Verb: draw.Cubic, X: w, Y: h, X1: y, Y1: x},
				draw.Step{Verb: draw.To, X: h, Y: w}, draw.Step{Verb: draw.Close})
		case 4:
			s.Text(st, x, y, string(seed[:min(len(seed), int(w)&31)]))
		case 5:
			s.Line(st, x, y, w, h)
		}
	}
	s.Background = draw.RGB(255, 255, 255)
	return s
}
