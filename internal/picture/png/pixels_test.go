package png_test

import (
	"image"
	"strings"
	"testing"

	"girih/internal/picture/draw"
)

// paint returns a picture as text, with a letter for each pixel.
func paint(img image.Image, letters map[draw.Color]byte) string {
	var b strings.Builder
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			letter, ok := letters[at(img, x, y)]
			if !ok {
				letter = '?'
			}
			b.WriteByte(letter)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

const (
	white = draw.Color(0xffffffff)
	red   = draw.Color(0xff0000ff)
	blue  = draw.Color(0x0000ffff)
)

var letters = map[draw.Color]byte{
	white: '.', red: 'r', blue: 'b', draw.None: ' ', 0xff00007f: 'h', 0xff7f7fff: 'p', 0xff8080ff: 'p',
}

func TestPixels(t *testing.T) {
	t.Parallel()
	fill := draw.Style{Fill: red}
	thin := draw.Style{Stroke: blue, Width: 1}
	square := []draw.Step{
		{Verb: draw.Move, X: 2, Y: 1}, {Verb: draw.To, X: 6, Y: 1}, {Verb: draw.To, X: 6, Y: 4}, {Verb: draw.To, X: 2, Y: 4}, {Verb: draw.Close},
	}
	for _, c := range []struct {
		name  string
		scale float64
		paper draw.Color
		add   func(s *draw.Scene)
		want  string
	}{
		{"a rectangle", 1, white, func(s *draw.Scene) { s.Rect(s.Intern(fill), 2, 1, 4, 3) }, `
........
..rrrr..
..rrrr..
..rrrr..
........
........
`},
		{"a rectangle drawn backwards", 1, white, func(s *draw.Scene) { s.Rect(s.Intern(fill), 6, 4, -4, -3) }, `
........
..rrrr..
..rrrr..
..rrrr..
........
........
`},
		{"edges within pixels go to the nearest between them", 1, white, func(s *draw.Scene) {
			s.Rect(s.Intern(fill), 1.6, 0.7, 4, 3)
		}, `
........
..rrrr..
..rrrr..
..rrrr..
........
........
`},
		{"a filled path like a rectangle", 1, white, func(s *draw.Scene) { s.Path(s.Intern(fill), square...) }, `
........
..rrrr..
..rrrr..
..rrrr..
........
........
`},
		{"half a rectangle outside", 1, white, func(s *draw.Scene) { s.Rect(s.Intern(fill), -4, -4, 6, 6) }, `
rr......
rr......
........
........
........
........
`},
		{"nothing behind", 1, draw.None, func(s *draw.Scene) { s.Rect(s.Intern(fill), 0, 0, 2, 2) }, `
rr      
rr      
        
        
        
        
`},
		{"a translucent fill on nothing and on paper", 1, draw.None, func(s *draw.Scene) {
			s.Rect(s.Intern(draw.Style{Fill: white}), 0, 2, 8, 4)
			s.Rect(s.Intern(draw.Style{Fill: red.Fade(127)}), 2, 1, 2, 3)
		}, `
        
  hh    
..pp....
..pp....
........
........
`},
		{"a stroked rectangle", 1, white, func(s *draw.Scene) { s.Rect(s.Intern(thin), 1.5, 0.5, 5, 4) }, `
.bbbbbb.
.b....b.
.b....b.
.b....b.
.bbbbbb.
........
`},
		{"a stroke at scale 2", 2, white, func(s *draw.Scene) { s.Rect(s.Intern(thin), 1, 1, 2, 1) }, `
........
.bbbbbb.
.bbbbbb.
.bbbbbb.
.bbbbbb.
........
`},
		{"a stroke wider than its rectangle", 1, white, func(s *draw.Scene) {
			s.Rect(s.Intern(draw.Style{Stroke: blue, Width: 4}), 3, 2, 1, 1)
		}, `
.bbbbb..
.bbbbb..
.bbbbb..
.bbbbb..
.bbbbb..
........
`},
		{"a translucent stroke has even corners", 1, white, func(s *draw.Scene) {
			s.Rect(s.Intern(draw.Style{Stroke: red.Fade(127), Width: 2}), 2, 1, 4, 3)
		}, `
.pppppp.
.pppppp.
.pp..pp.
.pppppp.
.pppppp.
........
`},
		{"a translucent stroked path has even corners", 1, white, func(s *draw.Scene) {
			s.Path(s.Intern(draw.Style{Stroke: red.Fade(127), Width: 2}), square...)
		}, `
.pppppp.
.pppppp.
.pp..pp.
.pppppp.
.pppppp.
........
`},
		{"an open path ends where it ends", 1, white, func(s *draw.Scene) {
			s.Path(s.Intern(draw.Style{Stroke: red.Fade(127), Width: 2}), square[:4]...)
		}, `
..ppppp.
..ppppp.
.....pp.
..ppppp.
..ppppp.
........
`},
		{"a line", 1, white, func(s *draw.Scene) { s.Line(s.Intern(thin), 1, 2.5, 7, 2.5) }, `
........
........
.bbbbbb.
........
........
........
`},
		{"a line of dashes", 1, white, func(s *draw.Scene) {
			s.Line(s.Intern(draw.Style{Stroke: blue, Width: 1, Dash: 2}), 0, 2.5, 8, 2.5)
		}, `
........
........
bb..bb..
........
........
........
`},
		{"painted in order", 1, white, func(s *draw.Scene) {
			s.Rect(s.Intern(fill), 0, 0, 4, 4)
			s.Rect(s.Intern(draw.Style{Fill: blue}), 2, 2, 4, 4)
		}, `
rrrr....
rrrr....
rrbbbb..
rrbbbb..
..bbbb..
..bbbb..
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := draw.New(8/c.scale, 6/c.scale)
			s.Background = c.paper
			c.add(s)
			if got := "\n" + paint(encode(t, s, c.scale), letters); got != c.want {
				t.Errorf("got%swant%s", got, c.want)
			}
		})
	}
}

// The pixels of a slanted line add up to its area, its length times its width.
func TestSlantingLinesHaveTheirArea(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ x, y float64 }{{60, 80}, {80, 60}, {96, 28}, {28, 96}} {
		s := draw.New(120, 120)
		s.Line(s.Intern(draw.Style{Stroke: red, Width: 3}), 10, 10, 10+c.x, 10+c.y)
		img := encode(t, s, 1)
		sum := 0.0
		for i := range 120 * 120 {
			_, _, _, a := at(img, i%120, i/120).RGBA()
			sum += float64(a) / 255
		}
		if sum < 297 || sum > 303 { // 100 long, 3 wide
			t.Errorf("the line by (%v, %v) covers %v pixels, want 300", c.x, c.y, sum)
		}
	}
}
