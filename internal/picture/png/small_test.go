package png_test

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	stdpng "image/png"
	"testing"

	"girih/internal/picture/draw"
	"girih/internal/picture/png"
)

// colorful returns a scene of more than 256 colors, with text.
func colorful(w, h float64) *draw.Scene {
	s := draw.New(w, h)
	s.Background = draw.RGB(0xff, 0xff, 0xff)
	for i := range 400 {
		style := s.Intern(draw.Style{Fill: draw.RGB(uint8(i), uint8(7*i), uint8(i>>1)), Size: 9, Anchor: draw.Middle})
		s.Text(style, float64(i%20)*w/20, float64(i/20)*h/20, fmt.Sprint(i))
	}
	return s
}

// TestEncodeWithin checks that pictures keep both limits, and have a palette whatever their colors.
func TestEncodeWithin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		w, h  float64
		most  png.Limits
		width int // the width of the picture; 0 for any below the limit
	}{
		{100, 100, png.Limits{Width: 1000, Bytes: 150_000}, 200},
		{2000, 1000, png.Limits{Width: 1000, Bytes: 150_000}, 1000},
		{1000, 1000, png.Limits{Width: 1000, Bytes: 40_000}, 0},
	} {
		data, err := png.EncodeWithin(colorful(c.w, c.h), c.most)
		if err != nil {
			t.Fatal(err)
		}
		img, err := stdpng.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		_, paletted := img.(*image.Paletted)
		got := img.Bounds().Dx()
		if !paletted || len(data) > c.most.Bytes || got > c.most.Width || c.width > 0 && got != c.width {
			t.Errorf("%+v: %d bytes, %d wide, a palette: %v", c, len(data), got, paletted)
		}
	}
	for _, s := range []*draw.Scene{colorful(9000, 100), colorful(900, 900)} {
		if _, err := png.EncodeWithin(s, png.Limits{Width: 1000, Bytes: 4000}); !errors.Is(err, png.ErrSize) {
			t.Errorf("a scene that cannot be legible: %v", err)
		}
	}
}
