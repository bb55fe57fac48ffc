package png_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"image"
	"image/color"
	stdpng "image/png"
	"io"
	"math"
	"testing"

	"girih/internal/picture/draw"
	"girih/internal/picture/png"
)

// The test checks that up to 256 colors are written with a palette, more without, and that no color changes.
func TestPalette(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		colors int
		alpha  uint8
		want   color.Model
	}{
		{1, 255, nil}, {256, 255, nil}, {256, 100, nil}, {257, 255, color.RGBAModel}, {257, 100, color.NRGBAModel}, {5000, 255, color.RGBAModel},
	} {
		s := draw.New(100, 50)
		of := func(i int) draw.Color {
			i %= c.colors
			return draw.RGB(uint8(i), uint8(i>>8), 7).Fade(c.alpha)
		}
		for i := range 5000 {
			s.Rect(s.Intern(draw.Style{Fill: of(i)}), float64(i%100), float64(i/100), 1, 1)
		}
		img := encode(t, s, 1)
		if _, ok := img.ColorModel().(color.Palette); ok != (c.want == nil) || !ok && img.ColorModel() != c.want {
			t.Errorf("%d colors: the model is %v", c.colors, img.ColorModel())
		}
		for i := range 5000 {
			r, g, b, a := of(i).RGBA()
			if got := color.NRGBAModel.Convert(img.At(i%100, i/100)).(color.NRGBA); got != (color.NRGBA{r, g, b, a}) {
				// A conversion through premultiplied colors would not be exact; the decoder's NRGBA values
				// are exact.
				if n, ok := img.(*image.NRGBA); !ok || n.NRGBAAt(i%100, i/100) != (color.NRGBA{r, g, b, a}) {
					t.Fatalf("%d colors: pixel %d is %v, want %v", c.colors, i, got, of(i))
				}
			}
		}
	}
}

// The same scene gives the same bytes on every run and machine.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		theme, want string
	}{
		{"light", "fa7e59a9979a3901"}, {"classic", "2fc06b90a54d0933"},
	} {
		th, err := draw.FindTheme(c.theme)
		if err != nil {
			t.Fatal(err)
		}
		s := grid(th, 8)
		s.Title = "(8,8):(8,1)"
		arrow := s.Intern(draw.Style{Stroke: th.Select, Width: 1.5, Arrow: true})
		s.Path(arrow, draw.Step{Verb: draw.Move, X: 20, Y: 20},
			draw.Step{Verb: draw.Cubic, X1: 200, Y1: 20, X2: 100, Y2: 250, X: 290, Y: 230})
		s.Line(s.Intern(draw.Style{Stroke: th.Bad, Width: 0.7, Dash: 3}), 3, 5, 310, 111)
		img := encode(t, s, 1.5)
		h := sha256.New()
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				r, g, b, a := at(img, x, y).RGBA()
				_, _ = h.Write([]byte{r, g, b, a})
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)[:8]); got != c.want {
			t.Errorf("%s: the pixels have checksum %s, want %s: if the picture is meant to change, look at it",
				c.theme, got, c.want)
		}
		var one, two bytes.Buffer
		_ = png.Encode(&one, s, 1.5)
		_ = png.Encode(&two, s, 1.5)
		if !bytes.Equal(one.Bytes(), two.Bytes()) {
			t.Errorf("%s: two runs differ", c.theme)
		}
	}
}

// The title, the description and the resolution are in the file.
func TestTextChunks(t *testing.T) {
	t.Parallel()
	s := draw.New(4, 4)
	s.Title, s.Desc = "A ∘ B", "what it is\x00\xff"
	var b bytes.Buffer
	if err := png.Encode(&b, s, 2); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"iTXtTitle\x00\x00\x00\x00\x00A ∘ B", "iTXtDescription\x00\x00\x00\x00\x00what it is\uFFFD",
		"pHYs\x00\x00\x1d\x87\x00\x00\x1d\x87\x01", // 7,559 pixels to the metre, 192 to the inch
	} {
		if !bytes.Contains(b.Bytes(), []byte(want)) {
			t.Errorf("no %q in %q", want, b.Bytes())
		}
	}
}

// No scene breaks the encoder or makes it slow.
func FuzzEncode(f *testing.F) {
	f.Add("A∘B", 1.0, 2.0, 3.0, uint8(0))
	f.Add("\xff", math.Inf(1), math.NaN(), -1e300, uint8(255))
	f.Add("", 1e9, -1e9, 1e-9, uint8(77))
	f.Fuzz(func(t *testing.T, text string, x, y, z float64, kind uint8) {
		if len(text) > 100 {
			return
		}
		s := draw.New(20, 20)
		s.Title = text
		if kind&1 == 0 {
			s.Background = white
		}
		id := s.Intern(draw.Style{
			Fill: red.Fade(kind), Stroke: blue, Width: z, Size: z, Bold: kind&2 == 0, Up: kind&4 == 0, Arrow: kind&8 == 0,
			Anchor: draw.Anchor(kind), Dash: math.Abs(x), Round: math.Abs(y) * float64(kind&16),
		})
		s.Rect(id, x, y, z, x)
		s.Line(id, x, y, z, y)
		s.Text(id, x, y, text)
		s.Path(id, draw.Step{Verb: draw.Verb(kind), X: x, Y: y},
			draw.Step{Verb: draw.Verb(kind % 4), X: z, Y: x, X1: y, Y1: z, X2: x, Y2: 3})
		var b bytes.Buffer
		if err := png.Encode(&b, s, 1); err != nil {
			t.Fatal(err)
		}
		if _, err := stdpng.Decode(&b); err != nil {
			t.Fatal(err)
		}
	})
}

// A 64 x 64 thread-value picture with shades, whose colors do not fit a palette.
func BenchmarkEncodeShades64(b *testing.B) {
	s := shades(64)
	for b.Loop() {
		if err := png.Encode(io.Discard, s, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func shades(n int) *draw.Scene {
	th := draw.Themes()[0]
	s := draw.New(float64(40*n), float64(40*n))
	s.Background = th.Paper
	for i := range n * n {
		fill := th.Shade(int64(i/n), int64(i%8), 8)
		x, y := float64(40*(i%n)), float64(40*(i/n))
		s.Rect(s.Intern(draw.Style{Fill: fill, Stroke: th.Rule, Width: 1}), x, y, 40, 40)
		st := s.Intern(draw.Style{Fill: draw.InkOn(fill), Size: 11, Anchor: draw.Middle})
		s.Text(st, x+20, y+13, "T12")
		s.Text(st, x+20, y+27, "V3")
	}
	return s
}
