package service

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"girih/internal/check/long"
	"girih/internal/lang/eval"
	"girih/internal/picture/draw"
	"girih/internal/picture/term"
)

// sceneOf returns the scene of a request, nil if there is no picture.
func sceneOf(req DrawRequest) *draw.Scene {
	opts, info := req.options()
	if info != nil {
		return nil
	}
	d := &drawJob{session: new(Session), req: req, opts: opts}
	p, _, info := d.picture()
	if info != nil {
		return nil
	}
	s, err := p.draw(d)
	if err != nil {
		return nil
	}
	return s
}

// letters counts the letters, digits and brackets of a text.
func letters(text string, n map[rune]int) {
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("(),:;<>=_%", r) {
			n[r]++
		}
	}
}

// inText reports how the text of a picture differs from its scene: every text must occur, and every letter
// equally often.
func inText(s *draw.Scene, out string) error {
	want, got := map[rune]int{}, map[rune]int{}
	letters(out, got)
	for _, x := range s.Shapes() {
		if x.Kind != draw.Text || s.StyleOf(x).Fill&0xff == 0 {
			continue
		}
		letters(x.Text, want)
		if st := s.StyleOf(x); !st.Up && !strings.Contains(out, strings.TrimSpace(x.Text)) {
			return fmt.Errorf("%q is not there", x.Text)
		}
	}
	for r, n := range want {
		if got[r] != n {
			return fmt.Errorf("%c is there %d times, want %d", r, got[r], n)
		}
	}
	return nil
}

// The test checks that no text in the terminal picture of any example of the language is overwritten.
func TestTextsAreIntact(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("minutes under the race detector, in one goroutine")
	}
	reqs := []DrawRequest{
		{Expr: "(1048576,1048576):(1048576,1)"},
		{Expr: "Sw<3,3,3> o 0 o (8,64):(64,1)", Type: "f16", Accesses: []string{"ldmatrix.x4"}},
		{Expr: `tiled_mma("SM80_16x8x16_F32F16F16F32_TN",(2,2,1))`},
	}
	for _, b := range eval.Builtins() {
		for _, as := range []string{"", "layout", "wiring", "matrix", "dual", "composition", "divide", "product", "complement"} {
			reqs = append(reqs, DrawRequest{Expr: b.Example, As: as})
		}
	}
	most := 1200
	if !long.Tests() {
		most = 200
	}
	drawn := 0
	for _, req := range reqs {
		s := sceneOf(req)
		if s == nil || len(s.Shapes()) > most {
			continue
		}
		drawn++
		for _, o := range []term.Options{{}, {Color: term.TrueColor}} {
			out := term.Append(nil, s, o)
			if o.Color != term.None {
				out = uncolored(out)
			}
			if err := inText(s, string(out)); err != nil {
				t.Errorf("%s as %q, %v: %v\n%s", req.Expr, req.As, o.Color, err, out)
			}
		}
		words := strings.Join(strings.Fields(string(term.Append(nil, s, term.Options{Width: 80}))), "")
		for _, x := range s.Shapes() {
			if x.Kind == draw.Text && !s.StyleOf(x).Up && !strings.Contains(words, strings.Join(strings.Fields(x.Text), "")) {
				t.Errorf("%s as %q in 80 columns: %q is not there\n%s", req.Expr, req.As, x.Text,
					term.Append(nil, s, term.Options{Width: 80}))
				break
			}
		}
	}
	if drawn < 100 {
		t.Errorf("only %d pictures", drawn)
	}
}

// uncolored removes the escape sequences of colors.
func uncolored(out []byte) []byte {
	var b []byte
	for i := 0; i < len(out); i++ {
		if out[i] == 0x1b {
			for out[i] != 'm' {
				i++
			}
			continue
		}
		b = append(b, out[i])
	}
	return b
}
