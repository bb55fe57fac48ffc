package term_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"girih/internal/check/long"
	"girih/internal/picture/draw"
	"girih/internal/picture/term"
)

var update = flag.Bool("update", false, "write the pictures of testdata")

// TestGolden compares pictures with files in testdata that were inspected by eye.
func TestGolden(t *testing.T) {
	t.Parallel()
	th := theme("")
	count := func(n int) func(i, j int) int { return func(i, j int) int { return i*n + j } }
	for name, c := range map[string]struct {
		scene *draw.Scene
		o     term.Options
	}{
		"grid":         {gridScene(th, 8, 8, count(8)), term.Options{}},
		"grid-ascii":   {gridScene(th, 8, 8, count(8)), term.Options{ASCII: true}},
		"grid-color":   {gridScene(th, 8, 8, count(8)), term.Options{Color: term.TrueColor}},
		"grid-256":     {gridScene(theme("classic"), 4, 8, count(8)), term.Options{Color: term.Color256, Grid: true}},
		"grid-paper":   {gridScene(theme("dark"), 4, 4, count(4)), term.Options{Color: term.TrueColor, Paper: true}},
		"tv":           {tvScene(th, 8, 8), term.Options{}},
		"tv-color":     {tvScene(th, 8, 8), term.Options{Color: term.TrueColor}},
		"bank":         {bankScene(th), term.Options{}},
		"bank-color":   {bankScene(th), term.Options{Color: term.Color256}},
		"panels":       {panelsScene(th), term.Options{}},
		"wires":        {wiresScene(th, []int{2, 0, 1, 4, 3}), term.Options{}},
		"wires-ascii":  {wiresScene(th, []int{2, 0, 1, 4, 3}), term.Options{ASCII: true}},
		"wires-color":  {wiresScene(th, []int{2, 0, 1, 4, 3}), term.Options{Color: term.TrueColor}},
		"pages":        {gridScene(th, 4, 128, count(128)), term.Options{Width: 80}},
		"pages-color":  {gridScene(th, 4, 32, count(32)), term.Options{Width: 40, Color: term.TrueColor}},
		"pages-narrow": {gridScene(th, 2, 3, count(3)), term.Options{Width: 2}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := term.Append(nil, c.scene, c.o)
			file := filepath.Join("testdata", name+".txt")
			if *update {
				if err := os.WriteFile(file, got, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			check(t, c.scene, c.o, got)
		})
	}
}

var escape = regexp.MustCompile("\x1b\\[[0-9;]*m")

// check reports output that is never allowed: blanks at the end of a line, colors that were not requested, lines
// wider than the terminal, and control characters.
func check(t *testing.T, s *draw.Scene, o term.Options, out []byte) {
	t.Helper()
	if !utf8.Valid(out) {
		t.Error("no valid UTF-8")
	}
	if o.Color == term.None && bytes.ContainsRune(out, '\x1b') {
		t.Error("an escape sequence without colors")
	}
	if len(out) > 0 && out[len(out)-1] != '\n' {
		t.Error("the last line has no end")
	}
	for line := range bytes.Lines(out) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		plain := escape.ReplaceAll(line, nil)
		if bytes.HasSuffix(line, []byte(" ")) {
			t.Errorf("%q ends in a blank", line)
		}
		if all := escape.FindAll(line, -1); len(all) > 0 && string(all[len(all)-1]) != "\x1b[0m" {
			t.Errorf("%q leaves its colors on", line)
		}
		for _, r := range string(plain) {
			if r < ' ' || r == 0x7f || o.ASCII && r > 0x7f {
				t.Errorf("%q has character %q", plain, r)
			}
		}
		if n := utf8.RuneCount(plain); o.Width >= 24 && n > o.Width && !bytes.HasPrefix(plain, []byte("cut:")) {
			t.Errorf("%q has %d columns of %d", plain, n, o.Width)
		}
	}
	if again := term.Append([]byte("x"), s, o); !bytes.Equal(again[1:], out) {
		t.Error("the second time it is another text")
	}
}

// Every number of a grid appears once, whole and in order, however narrow the terminal is.
func TestNothingIsLost(t *testing.T) {
	t.Parallel()
	s := draw.New(1000, 1000)
	th := theme("")
	cell := s.Intern(draw.Style{Fill: th.Hue(0), Stroke: th.Rule, Width: 1})
	ink := s.Intern(draw.Style{Fill: th.Ink, Size: 9, Anchor: draw.Middle})
	var want []string
	for i := range 20 {
		for j := range 30 {
			s.Rect(cell, 30*float64(j), 30*float64(i), 30, 30)
			text := strings.Repeat("x", (i+j)%6) + fmt.Sprint(i*30+j)
			s.Text(ink, 30*float64(j)+15, 30*float64(i)+15, text)
			want = append(want, text)
		}
	}
	word := regexp.MustCompile(`x*[0-9]+`)
	for _, color := range []term.Depth{term.None, term.TrueColor} {
		out := escape.ReplaceAll(term.Append(nil, s, term.Options{Color: color}), nil)
		if got := word.FindAllString(string(out), -1); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%v: got %v", color, got)
		}
		found := map[string]int{}
		for line := range bytes.Lines(escape.ReplaceAll(term.Append(nil, s, term.Options{Color: color, Width: 50}), nil)) {
			if !bytes.HasPrefix(line, []byte("columns")) {
				for _, w := range word.FindAllString(string(line), -1) {
					found[w]++
				}
			}
		}
		for _, w := range want {
			if found[w] != 1 {
				t.Errorf("%v: %s is there %d times on pages", color, w, found[w])
			}
		}
	}
}

// The pages of a grid name their columns, and every column is on a page.
func TestPages(t *testing.T) {
	t.Parallel()
	s := gridScene(theme(""), 2, 128, func(i, j int) int { return i*128 + j })
	out := string(term.Append(nil, s, term.Options{Width: 90}))
	next := 0
	for line := range strings.Lines(out) {
		var from, to, of int
		if n, _ := fmt.Sscanf(line, "columns %d-%d of %d", &from, &to, &of); n == 3 {
			if from != next || of != 128 {
				t.Errorf("got %q, want a page that begins at column %d of 128", line, next)
			}
			next = to + 1
		}
	}
	if next != 128 {
		t.Errorf("the pages end before column %d of 128", next)
	}
}

func TestTitlesWrap(t *testing.T) {
	t.Parallel()
	s := gridScene(theme(""), 2, 16, func(i, j int) int { return j })
	s.Text(s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 12}), 40, 140, strings.Repeat("a note of many words ", 9)+"end")
	out := string(term.Append(nil, s, term.Options{Width: 40}))
	if n := strings.Count(strings.ReplaceAll(out, "\n", " "), "note"); n != 9 {
		t.Errorf("the note has %d of 9 parts:\n%s", n, out)
	}
	check(t, s, term.Options{Width: 40}, []byte(out))
}

func TestDepth(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		env  string
		tty  bool
		want term.Depth
	}{
		{"", true, term.None},
		{"TERM=xterm-256color", true, term.Color256},
		{"TERM=xterm-256color", false, term.None},
		{"TERM=xterm", true, term.Color256},
		{"TERM=vt100", true, term.None},
		{"TERM=dumb COLORTERM=truecolor", true, term.None},
		{"TERM=xterm COLORTERM=truecolor", true, term.TrueColor},
		{"TERM=screen-256color COLORTERM=24bit", true, term.TrueColor},
		{"TERM=xterm-direct", true, term.TrueColor},
		{"TERM=xterm-kitty", true, term.TrueColor},
		{"WT_SESSION=1", true, term.TrueColor},
		{"TERM=xterm-kitty NO_COLOR=1", true, term.None},
		{"TERM=xterm NO_COLOR=1 CLICOLOR_FORCE=1", true, term.None},
		{"TERM=xterm CLICOLOR=0", true, term.None},
		{"TERM=xterm CLICOLOR_FORCE=1", false, term.Color256},
		{"TERM=dumb CLICOLOR_FORCE=1", false, term.Color256},
		{"CLICOLOR_FORCE=1 COLORTERM=truecolor", false, term.TrueColor},
		{"TERM=xterm CLICOLOR_FORCE=0", false, term.None},
	} {
		env := map[string]string{}
		for _, v := range strings.Fields(c.env) {
			name, value, _ := strings.Cut(v, "=")
			env[name] = value
		}
		depth := term.PipeDepth
		if c.tty {
			depth = term.TerminalDepth
		}
		if got := depth(func(name string) string { return env[name] }); got != c.want {
			t.Errorf("%s, terminal %v: got %v, want %v", c.env, c.tty, got, c.want)
		}
	}
}

// No text of a scene acts as a terminal command, and wide characters occupy two columns.
func TestText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]string{
		"T0":            {"T0", "T0"},
		"\x1b[31m\x07":  {"\ufffd[31m\ufffd", "?[31m?"},
		"A∘B⊗⟨M⟩":       {"A∘B⊗⟨M⟩", "AoB(x)<M>"},
		"漢字|":           {"漢字|", "??|"},
		"e\u0301\u200b": {"e\ufffd\ufffd", "e??"},
		"a  b ":         {"a  b", "a  b"},
		"\xff":          {"\ufffd", "?"},
	} {
		for i, o := range []term.Options{{}, {ASCII: true}} {
			s := draw.New(9, 9)
			s.Text(s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 9}), 1, 2, text)
			if got := string(term.Append(nil, s, o)); got != want[i]+"\n" {
				t.Errorf("%q: got %q, want %q", text, got, want[i])
			}
		}
	}
}

// A picture that is too large is cut, and the output says so.
func TestCut(t *testing.T) {
	t.Parallel()
	s := draw.New(9, 9)
	ink := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 1})
	for i := range 3000 {
		s.Text(ink, 0, float64(i)*2, strings.Repeat("x", 800))
	}
	out := term.Append(nil, s, term.Options{})
	const want = "cut: 800 by 2621 characters of 800 by 3000 are shown, since a picture has at most 2097152\n"
	if !bytes.HasSuffix(out, []byte(want)) {
		t.Errorf("got ...%s", out[max(0, len(out)-150):])
	}
}

// A filled path colors the cells inside; a line with a fill colors no cell; a path smaller than a cell is a
// mark.
func TestPaths(t *testing.T) {
	t.Parallel()
	s := draw.New(100, 100)
	st := s.Intern(draw.Style{Fill: draw.RGB(9, 9, 9)})
	corner := func(verb draw.Verb, x, y float64) draw.Step { return draw.Step{Verb: verb, X: x, Y: y} }
	s.Path(st, corner(draw.Move, 0, 0), corner(draw.To, 40, 0), corner(draw.To, 40, 90), corner(draw.To, 0, 90),
		corner(draw.Close, 0, 0))
	s.Path(st, corner(draw.Move, 60, 40), corner(draw.To, 64, 40), corner(draw.To, 62, 44), corner(draw.Close, 0, 0))
	s.Line(st, 0, 0, 100, 90)
	out := string(term.Append(nil, s, term.Options{ASCII: true}))
	if !strings.Contains(out, "*") || strings.ContainsAny(out, "\\/-|") {
		t.Errorf("got\n%s", out)
	}
	color := string(term.Append(nil, s, term.Options{Color: term.TrueColor}))
	if !strings.Contains(color, "\x1b[48;2;9;9;9m    ") {
		t.Errorf("got %q", color)
	}
}

func TestEmpty(t *testing.T) {
	t.Parallel()
	for _, s := range []*draw.Scene{{}, draw.New(10, 10)} {
		if out := term.Append(nil, s, term.Options{Width: 10, Color: term.TrueColor}); len(out) != 0 {
			t.Errorf("got %q", out)
		}
	}
}

// A picture of more than ten thousand labelled cells, and one of many overlapping shapes, are fast.
func TestLargeIsFast(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("a second")
	}
	wild := draw.New(1000, 1000)
	st := wild.Intern(draw.Style{Fill: draw.RGB(1, 2, 3).Fade(9), Stroke: draw.RGB(1, 2, 3), Width: 1, Size: 5})
	for i := range 1000 {
		if long.Skips(i, 3) {
			continue
		}
		v := float64(i * 7919 % 1009)
		wild.Rect(st, v, float64(i), 1009-v, 1009-float64(i))
		wild.Text(st, float64(i), v, "text")
		wild.Line(st, v, 0, float64(i), 1000)
	}
	for name, s := range map[string]*draw.Scene{"tv": tvScene(theme(""), 128, 128), "wild": wild} {
		start := time.Now()
		term.Append(nil, s, term.Options{Color: term.TrueColor, Width: 120})
		if d := time.Since(start); d > 20*time.Second {
			t.Errorf("%s took %v", name, d)
		} else {
			t.Logf("%s took %v", name, d)
		}
	}
}

func FuzzAppend(f *testing.F) {
	f.Add([]byte("a picture of many shapes that lie anywhere and say anything \x1b[0m, over and over"), uint8(0), 0)
	f.Add(bytes.Repeat([]byte{3, 250, 7, 99, 41, 180, 2}, 30), uint8(15), 30)
	f.Add(bytes.Repeat([]byte{255, 254, 253, 9, 0, 120}, 20), uint8(2), -1)
	f.Fuzz(func(t *testing.T, seed []byte, bits uint8, width int) {
		s := noise(seed[:min(len(seed), 2000)])
		o := term.Options{
			Color: term.Depth(bits & 3 % 3), ASCII: bits&4 != 0, Grid: bits&8 != 0, Paper: bits&16 != 0, Width: width,
		}
		check(t, s, o, term.Append(nil, s, o))
	})
}

func BenchmarkAppend(b *testing.B) {
	for _, n := range []int{8, 64, 128} {
		s := tvScene(theme(""), n, n)
		b.Run(fmt.Sprintf("tv%dx%d", n, n), func(b *testing.B) {
			var dst []byte
			for b.Loop() {
				dst = term.Append(dst[:0], s, term.Options{Color: term.TrueColor})
			}
		})
	}
}
