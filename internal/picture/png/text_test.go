package png_test

import (
	"bytes"
	"image"
	"testing"

	"girih/internal/picture/draw"
	"girih/internal/picture/png"
)

// word returns a picture of a text in the middle of w x h pixels, red on white.
func word(t *testing.T, text string, w, h float64, st draw.Style) image.Image {
	t.Helper()
	s := draw.New(w, h)
	s.Background = white
	st.Fill = red
	s.Text(s.Intern(st), w/2, h/2, text)
	return encode(t, s, 1)
}

// inked returns the smallest rectangle that contains every pixel that is not white.
func inked(img image.Image) image.Rectangle {
	var r image.Rectangle
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			if at(img, x, y) != white {
				r = r.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return r
}

// The font has every character of the notation of layouts and pictures, in regular and bold: none looks like the box
// for missing characters.
func TestFontHasTheNotation(t *testing.T) {
	t.Parallel()
	const notation = "∘⊗⊕⌊⌋⌈⌉⟨⟩ℤℕℝ∀∃∈∉→←↑↓↔↦×·…≤≥≠≈≡✓✗−±÷½¼√∞∅∩∪⊂⊆°µ" +
		"─│┌┐└┘├┤┬┴┼═║╔╗╚╝█▒■□▲△▼●○◆" +
		"αβγδεζηθικλμνξοπρστυφχψωΓΔΘΛΞΠΣΦΨΩ⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿ₀₁₂₃₄₅₆₇₈₉₊₋ᵀ" +
		"ÀÉÑÖßàéñöÿ¡¿«»§¶"
	for _, bold := range []bool{false, true} {
		st := draw.Style{Size: 20, Anchor: draw.Middle, Bold: bold}
		missing := word(t, "\U0001F600", 20, 30, st)
		var all []rune
		for r := '!'; r <= '~'; r++ {
			all = append(all, r)
		}
		for _, r := range append(all, []rune(notation)...) {
			img := word(t, string(r), 20, 30, st)
			if inked(img).Empty() {
				t.Errorf("bold %v: %q is not drawn", bold, r)
			}
			if same(img, missing) {
				t.Errorf("bold %v: %q is missing", bold, r)
			}
		}
		if inked(missing).Empty() {
			t.Errorf("bold %v: a missing character draws nothing", bold)
		}
	}
	if same(word(t, "A", 20, 30, draw.Style{Size: 20}), word(t, "A", 20, 30, draw.Style{Size: 20, Bold: true})) {
		t.Error("bold looks like regular")
	}
}

func same(a, b image.Image) bool {
	if a.Bounds() != b.Bounds() {
		return false
	}
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if at(a, x, y) != at(b, x, y) {
				return false
			}
		}
	}
	return true
}

// Spaces, control characters and invalid UTF-8 take their place and draw at most a box.
func TestOddText(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"", " ", "\u00a0", "\x00\x1b\n\t", "\xff\xfe", "e\u0301", "世界", "\U0010FFFF", "a\u200db"} {
		img := word(t, text, 100, 20, draw.Style{Size: 10, Anchor: draw.Middle})
		if blank := text == "" || text == " " || text == "\u00a0"; inked(img).Empty() != blank {
			t.Errorf("%q draws %v", text, inked(img))
		}
	}
}

// Digits are vertically centered, and the anchors are at X.
func TestTextStandsWhereItShould(t *testing.T) {
	t.Parallel()
	for _, size := range []float64{8, 10, 11, 12, 14, 20, 40} {
		wide := draw.TextWidth("0000", size)
		for _, c := range []struct {
			anchor      draw.Anchor
			left, right float64
		}{
			{draw.Start, 150, 150 + wide}, {draw.Middle, 150 - wide/2, 150 + wide/2}, {draw.Finish, 150 - wide, 150},
		} {
			r := inked(word(t, "0000", 300, 100, draw.Style{Size: size, Anchor: c.anchor}))
			if d := float64(r.Min.Y+r.Max.Y)/2 - 50; d < -1 || d > 1 {
				t.Errorf("size %v: the middle of %v is %v off", size, r, d)
			}
			if l, ri := float64(r.Min.X)-c.left, c.right-float64(r.Max.X); l < -1 || ri < -1 || l > 0.15*size || ri > 0.15*size {
				t.Errorf("size %v, anchor %d: %v, want within %.1f to %.1f", size, c.anchor, r, c.left, c.right)
			}
		}
	}
}

// Upward text is the same text turned by a quarter.
func TestUp(t *testing.T) {
	t.Parallel()
	for _, anchor := range []draw.Anchor{draw.Start, draw.Middle, draw.Finish} {
		for _, size := range []float64{12, 300} {
			side := 60.0
			if size > 100 {
				side = 600
			}
			across := word(t, "aF", side, side, draw.Style{Size: size, Anchor: anchor})
			up := word(t, "aF", side, side, draw.Style{Size: size, Anchor: anchor, Up: true})
			n := int(side)
			turned := image.NewNRGBA(image.Rect(0, 0, n, n))
			for y := range n {
				for x := range n {
					turned.Set(y, n-1-x, across.At(x, y))
				}
			}
			differ := 0
			for y := range n {
				for x := range n {
					if at(up, x, y) != at(turned, x, y) {
						differ++
					}
				}
			}
			// The sample lines run across the letters instead of along them, which changes some edges by a level.
			if in := inked(up); in.Empty() || in != inked(turned) || differ > in.Dx()*in.Dy()/3 {
				t.Errorf("anchor %d, size %v: %v instead of %v, %d pixels differ", anchor, size, in, inked(turned), differ)
			}
		}
	}
}

// Large letters, which are painted directly, look like small cached letters: they fill the same fraction of their
// box.
func TestLargeText(t *testing.T) {
	t.Parallel()
	share := func(size float64) float64 {
		img := word(t, "8", size, 2*size, draw.Style{Size: size, Anchor: draw.Middle})
		r, sum := inked(img), 0
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				_, g, _, _ := at(img, x, y).RGBA()
				sum += 255 - int(g)
			}
		}
		return float64(sum) / 255 / size / size
	}
	a, b := share(250), share(260)
	if a/b < 0.98 || a/b > 1.02 || a < 0.1 {
		t.Errorf("an 8 covers %.4f of its square kept, %.4f painted at once", a, b)
	}
}

// Text outside the picture, of any size, is cheap and harmless.
func TestTextOutside(t *testing.T) {
	t.Parallel()
	for _, size := range []float64{1e-9, 0.1, 1e3, 1e9, 1e300} {
		for _, x := range []float64{-1e300, -1e6, 5, 1e6, 1e300} {
			s := draw.New(10, 10)
			s.Text(s.Intern(draw.Style{Fill: red, Size: size, Anchor: draw.Middle}), x, x, "A∘B")
			s.Text(s.Intern(draw.Style{Fill: red, Size: size, Up: true, Bold: true}), x, x, "A∘B")
			if err := png.Encode(&bytes.Buffer{}, s, 1); err != nil {
				t.Error(err)
			}
		}
	}
}
