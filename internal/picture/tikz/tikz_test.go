package tikz_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"girih/internal/picture/draw"
	"girih/internal/picture/tikz"
)

// cells is a grid of m by n cells in the colors of print_latex with a thread and a value each.
func cells(m, n int) *draw.Scene {
	th, err := draw.FindTheme("classic")
	if err != nil {
		panic(err)
	}
	const side = 36
	s := draw.New(side*float64(n)+2, side*float64(m)+2)
	s.Background = th.Paper
	for i := range m {
		for j := range n {
			x, y := 1+side*float64(j), 1+side*float64(i)
			fill := th.Hue(int64(i*4 + j/2))
			s.Rect(s.Intern(draw.Style{Fill: fill, Stroke: th.Rule, Width: 1}), x, y, side, side)
			ink := s.Intern(draw.Style{Fill: draw.InkOn(fill), Size: 11, Anchor: draw.Middle})
			s.Text(ink, x+side/2, y+side/2-7, fmt.Sprintf("T%d", i*4+j/2))
			s.Text(ink, x+side/2, y+side/2+7, fmt.Sprintf("V%d", j%2))
		}
	}
	return s
}

// everything is a scene with every kind of shape, style and hard text.
func everything() *draw.Scene {
	th := draw.Themes()[0]
	s := draw.New(400, 300)
	s.Title, s.Desc = "100% of\n(8,8):(8,1) \\end{document}", "a ∘ b_1 # & ~"
	s.Background = th.Paper
	s.Append(cells(2, 4), 10, 10)
	texts := []string{
		`#$%&_{}~^\'"<>|` + "`", "--,,<<>>''``?`!`", "A∘B ⊗ ⟨M,N⟩", " two  blanks ", "é ü ß Ð ☃ 漢 \x00\xff", "[0]", "x₀²→≤√",
		"", "∑ ∏ ⋯ ■ ▶ ✓ 𝔽",
		"α β γ λ μ Σ", "– — ‘a’ “b” ° † ∂ ⊥ ⊤",
	}
	for i, text := range texts {
		st := draw.Style{Fill: th.Ink, Size: 11, Anchor: draw.Anchor(i % 3), Bold: i%2 == 1, Up: i == 5}
		s.Text(s.Intern(st), 200, 20+float64(i)*15, text)
	}
	s.Rect(s.Intern(draw.Style{Fill: th.Glow.Fade(120), Stroke: th.Select, Width: 2, Round: 4}), 30, 30, 60, 30)
	s.Line(s.Intern(draw.Style{Stroke: th.Bad, Width: 1, Dash: 3, Arrow: true}), 20, 120, 90, 100)
	s.Line(s.Intern(draw.Style{Stroke: th.Bad, Width: 1, Arrow: true}), 20, 20, 20, 20)
	curve := s.Intern(draw.Style{Stroke: th.Good, Width: 1.5, Arrow: true})
	s.Path(curve, draw.Step{Verb: draw.Move, X: 20, Y: 140},
		draw.Step{Verb: draw.Cubic, X1: 60, Y1: 140, X2: 60, Y2: 180, X: 100, Y: 180})
	fill := s.Intern(draw.Style{Fill: th.Good})
	s.Path(fill, draw.Step{Verb: draw.To, X: 20, Y: 200}, draw.Step{Verb: draw.To, X: 40, Y: 200},
		draw.Step{Verb: draw.Close},
		draw.Step{Verb: draw.Move, X: 50, Y: 200}, draw.Step{Verb: draw.To, X: 60, Y: 220},
		draw.Step{Verb: draw.To, X: 40, Y: 220}, draw.Step{Verb: draw.Close})
	s.Rect(fill, 100, 200, 10, 10)
	s.Path(fill)
	s.Text(s.Intern(draw.Style{Fill: th.Ink, Anchor: 9}), 5, 5, "no size")
	s.Text(s.Intern(draw.Style{Fill: th.Ink.Fade(99), Size: 9}), 5, 250, "half")
	s.Rect(fill, math.NaN(), 1, math.Inf(1), 1)
	s.Rect(999, 1, 1, 1, 1)
	return s
}

// compile runs pdflatex. It skips the test if pdflatex is not installed.
func compile(t *testing.T, document []byte) {
	t.Helper()
	if testing.Short() {
		t.Skip("pdflatex takes seconds")
	}
	tex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("not compiled: there is no pdflatex here")
	}
	for _, file := range []string{"standalone.cls", "tikz.sty"} {
		if out, err := exec.CommandContext(t.Context(), "kpsewhich", file).Output(); err != nil ||
			len(bytes.TrimSpace(out)) == 0 {
			t.Skipf("not compiled: this TeX has no %s", file)
		}
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "picture.tex")
	if err := os.WriteFile(file, document, 0o600); err != nil {
		t.Fatal(err)
	}
	run := exec.CommandContext(t.Context(), tex, "-interaction=nonstopmode", "-halt-on-error",
		"-output-directory="+dir, file)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("pdflatex: %v\n%s", err, out[max(0, len(out)-2000):])
	}
	for _, bad := range []string{"Missing character", "Overfull"} {
		if i := bytes.Index(out, []byte(bad)); i >= 0 {
			t.Errorf("pdflatex: %s", out[i:min(i+200, len(out))])
		}
	}
	pdf, err := os.ReadFile(strings.TrimSuffix(file, "tex") + "pdf")
	if err != nil || !bytes.HasPrefix(pdf, []byte("%PDF")) {
		t.Errorf("pdflatex wrote no PDF: %v", err)
	}
	if bytes.Contains(pdf, []byte("/Count 2")) {
		t.Error("the picture has two pages")
	}
}

func TestCompiles(t *testing.T) {
	t.Parallel()
	huge := cells(2, 2)
	huge.Line(huge.Intern(draw.Style{Stroke: draw.RGB(1, 2, 3), Width: 1}), 0, 0, 1e9, -1e9)
	for name, s := range map[string]*draw.Scene{
		"everything": everything(),
		"empty":      draw.New(10, 10),
		"zero":       {},
		"128x64":     cells(64, 128),
		"huge":       huge,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compile(t, tikz.Append(nil, s))
		})
	}
}

// Without Latin Modern, the document compiles with Computer Modern.
func TestCompilesWithoutLatinModern(t *testing.T) {
	t.Parallel()
	compile(t, bytes.Replace(tikz.Append(nil, everything()), []byte("{lmodern.sty}"), []byte("{no such file}"), 1))
}

// body returns the lines inside the picture.
func body(s *draw.Scene) string {
	text := string(tikz.Append(nil, s))
	_, text, _ = strings.Cut(text, "\\begin{tikzpicture}")
	_, text, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, "\\end{tikzpicture}")
	return text
}

// Cells of one style share a path, their texts a node, and shapes painted over them come later.
func TestOrder(t *testing.T) {
	t.Parallel()
	s := draw.New(60, 20)
	a := s.Intern(draw.Style{Fill: draw.RGB(1, 1, 1), Stroke: draw.RGB(9, 9, 9), Width: 1})
	b := s.Intern(draw.Style{Fill: draw.RGB(2, 2, 2), Stroke: draw.RGB(9, 9, 9), Width: 1})
	ink := s.Intern(draw.Style{Fill: draw.RGB(3, 3, 3), Size: 10, Anchor: draw.Middle})
	mark := s.Intern(draw.Style{Stroke: draw.RGB(200, 0, 0), Width: 2})
	for i := range 3 {
		x := 20 * float64(i)
		s.Rect([]draw.StyleID{a, b}[i%2], x, 0, 20, 20)
		s.Text(ink, x+10, 10, fmt.Sprint(i))
	}
	s.Rect(mark, 0, 0, 20, 20)
	s.Rect(a, 10, 5, 5, 5) // over the mark, not below it with the other shapes of its style
	want := `\useasboundingbox(0,0)rectangle(60,20);
\path[s0](0,0)rectangle+(20,20)
(40,0)rectangle+(20,20);
\path[s1](20,0)rectangle+(20,20);
\texts{t2}{%
\tc(10,10){0}%
\tc(30,10){1}%
\tc(50,10){2}%
}
\path[s3](0,0)rectangle+(20,20);
\path[s0](10,5)rectangle+(5,5);
`
	if got := body(s); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"T12":        "T12",
		"a b":        "a b",
		" a  b ":     "~a ~b~",
		"50%_#":      `50\%\char95{}\#`,
		`\{x}^~`:     `\char92{}\char123{}x\char125{}\char94{}\char126{}`,
		"A∘B":        `A\sym{\circ}B`,
		"⟨M⊗N⟩":      `\sym{\langle}M\sym{\otimes}N\sym{\rangle}`,
		"--x,,":      "-{}-x,{},",
		"é☃":         "éU+2603",
		"\n\x1b[31m": "U+000AU+001B[31m",
		"\xff":       "U+FFFD",
	} {
		s := draw.New(9, 9)
		s.Text(s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 9}), 1, 2, text)
		if got := body(s); !strings.Contains(got, `\tl(1,2){`+want+"}%\n") {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

// No text, key or title starts a command or ends the comment that contains it.
func TestCommentsStayComments(t *testing.T) {
	t.Parallel()
	s := draw.New(9, 9)
	s.Title = "a\n\\input{/etc/passwd}\r\u2028b\x00"
	head, _, _ := strings.Cut(string(tikz.Append(nil, s)), `\usepackage`)
	for line := range strings.Lines(head) {
		if strings.Contains(line, "input") && !strings.HasPrefix(line, "% ") {
			t.Errorf("%q is no comment", line)
		}
	}
}

func TestScale(t *testing.T) {
	t.Parallel()
	s := draw.New(64000, 10)
	s.Rect(s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0)}), 32000, 0, 32000, 10)
	if got, want := body(s), "\\path[s0](8000,0)rectangle+(8000,2.5);\n"; !strings.Contains(got, want) {
		t.Errorf("got %swant %s", got, want)
	}
}

func TestSameBytes(t *testing.T) {
	t.Parallel()
	a, b := tikz.Append(nil, everything()), tikz.Append([]byte("x"), everything())
	if !bytes.Equal(a, b[1:]) || b[0] != 'x' {
		t.Error("two documents of one scene differ")
	}
}

// badNumber matches number formats that Go writes and TeX cannot read.
var badNumber = regexp.MustCompile(`NaN|Inf|[0-9]e[-+][0-9]`)

// For every scene, the document has balanced braces and no byte that TeX cannot read.
func FuzzAppend(f *testing.F) {
	f.Add("T0 {x}", 1.0, 2.0, 3.0, uint8(3))
	f.Add("\\ % \x00", math.Inf(1), math.NaN(), -1e300, uint8(255))
	f.Fuzz(func(t *testing.T, text string, x, y, w float64, bits uint8) {
		s := draw.New(x, y)
		s.Title = text
		st := s.Intern(draw.Style{
			Fill: draw.Color(bits) * 0x1010101, Stroke: draw.Color(bits), Width: w, Dash: y, Round: x, Size: w,
			Arrow: bits&1 != 0, Up: bits&2 != 0, Bold: bits&4 != 0, Anchor: draw.Anchor(bits >> 4),
		})
		s.Text(st, x, y, text)
		s.Rect(st, x, y, w, w)
		s.Line(st, w, x, y, x)
		s.Path(st, draw.Step{Verb: draw.Verb(bits & 3), X: x, Y: w}, draw.Step{Verb: draw.Cubic, X1: x, X2: y, X: w},
			draw.Step{Verb: draw.Close})
		depth := 0
		_, rest, _ := bytes.Cut(tikz.Append(nil, s), []byte("\\usepackage"))
		for i, c := range rest {
			switch {
			case c == '{' && (i == 0 || rest[i-1] != '\\'):
				depth++
			case c == '}' && (i == 0 || rest[i-1] != '\\'):
				depth--
			case c < ' ' && c != '\n' || c == 0x7f:
				t.Fatalf("control character %#x", c)
			}
			if depth < 0 {
				t.Fatal("more braces are closed than opened")
			}
		}
		if depth != 0 {
			t.Fatalf("%d braces stay open", depth)
		}
		if _, shapes, _ := bytes.Cut(rest, []byte("\\begin{document}")); badNumber.Match(shapes) &&
			!badNumber.MatchString(text) {
			t.Fatal("a number that TeX does not read")
		}
	})
}

func BenchmarkAppend128x128(b *testing.B) {
	s := cells(128, 128)
	var dst []byte
	for b.Loop() {
		dst = tikz.Append(dst[:0], s)
	}
}
