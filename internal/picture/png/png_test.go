package png_test

import (
	"bytes"
	"errors"
	"image"
	stdpng "image/png"
	"io"
	"math"
	"strconv"
	"testing"

	"girih/internal/picture/draw"
	"girih/internal/picture/png"
)

func encode(t testing.TB, s *draw.Scene, scale float64) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, s, scale); err != nil {
		t.Fatal(err)
	}
	img, err := stdpng.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// at returns the color of a pixel.
func at(img image.Image, x, y int) draw.Color {
	r, g, b, a := img.At(x, y).RGBA()
	if a == 0 {
		return draw.None
	}
	return draw.RGB(uint8(r*0xff/a), uint8(g*0xff/a), uint8(b*0xff/a)).Fade(uint8(a >> 8))
}

// grid returns a grid of n x n numbered cells of 40 points.
func grid(th *draw.Theme, n int) *draw.Scene {
	s := draw.New(float64(40*n), float64(40*n))
	s.Background = th.Paper
	for i := range n * n {
		color := th.Offset(int64(i))
		x, y := float64(40*(i%n)), float64(40*(i/n))
		s.Rect(s.Intern(draw.Style{Fill: color, Stroke: th.Rule, Width: 1}), x, y, 40, 40)
		s.Text(s.Intern(draw.Style{Fill: draw.InkOn(color), Size: 12, Anchor: draw.Middle}), x+20, y+20, strconv.Itoa(i))
	}
	return s
}

func TestSizeIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ w, h, scale float64 }{
		{0, 10, 1},
		{10, 0, 1},
		{-1, 10, 1},
		{10, 10, 0},
		{10, 10, -1},
		{10, 10, math.NaN()},
		{10, 10, math.Inf(1)},
		{math.NaN(), 10, 1},
		{math.Inf(1), 10, 1},
		{1 << 14, 1 << 14, 1},
		{10, 10, 1e6},
		{1e300, 1e300, 1},
		{1e-300, 1e300, 1},
	} {
		var b bytes.Buffer
		err := png.Encode(&b, draw.New(c.w, c.h), c.scale)
		if !errors.Is(err, png.ErrSize) || b.Len() > 0 {
			t.Errorf("%v x %v at %v: error %v, %d bytes", c.w, c.h, c.scale, err, b.Len())
		}
	}
}

func TestWriterError(t *testing.T) {
	t.Parallel()
	for n := range 10 {
		if err := png.Encode(&failing{n}, grid(draw.Themes()[0], 2), 1); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("after %d writes: %v", n, err)
		}
	}
}

type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left--; f.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(b), nil
}

// A 64 x 64 labelled grid at 2560 x 2560 pixels.
func BenchmarkEncode64(b *testing.B) {
	for _, th := range draw.Themes() {
		s := grid(th, 64)
		b.Run(th.Name, func(b *testing.B) {
			for b.Loop() {
				if err := png.Encode(io.Discard, s, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
