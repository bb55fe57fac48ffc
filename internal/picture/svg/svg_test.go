package svg_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"girih/internal/picture/draw"
	"girih/internal/picture/svg"
)

// decode fails if b is not XML. It returns the names of the elements and the character data of each.
func decode(t *testing.T, b []byte) (names []string, text map[string][]string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(b))
	var open []string
	text = map[string][]string{}
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, b)
		}
		switch x := tok.(type) {
		case xml.StartElement:
			names = append(names, x.Name.Local)
			open = append(open, x.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if n := len(open); n > 0 && strings.TrimSpace(string(x)) != "" {
				text[open[n-1]] = append(text[open[n-1]], string(x))
			}
		}
	}
	if len(open) > 0 {
		t.Fatalf("open elements: %v", open)
	}
	return names, text
}

// An XML reader returns every title, key, tip and text unchanged.
func TestTextIsEscaped(t *testing.T) {
	t.Parallel()
	const nasty = `<a href="x">&amp; 'Int<4>{}' ∘ ⟨a|b⟩]]>`
	s := draw.New(10, 10)
	s.Title, s.Desc = nasty, nasty
	st := s.Intern(draw.Style{Fill: draw.RGB(1, 2, 3), Size: 10})
	s.Begin(nasty)
	r := s.Rect(st, 0, 0, 1, 1)
	r.Key, r.Tip = nasty, nasty
	s.Text(st, 0, 0, nasty).Tip = nasty
	s.End()
	names, text := decode(t, svg.Append(nil, s))
	for _, kind := range []string{"title", "desc", "text"} {
		for _, got := range text[kind] {
			if got != nasty {
				t.Errorf("%s reads %q, want %q", kind, got, nasty)
			}
		}
	}
	if got := len(text["title"]); got != 3 {
		t.Errorf("%d titles, want the picture's and two tips; elements: %v", got, names)
	}
}

// Characters that XML cannot contain become U+FFFD, and white space is kept.
func TestTextThatXMLCannotHold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"a\x00b\x1bc", "a\uFFFDb\uFFFDc"},
		{"a\xffb", "a\uFFFDb"},
		{"a\uFFFEb\uFFFFc", "a\uFFFDb\uFFFDc"},
		{"a\tb\nc\rd", "a\tb\nc\rd"},
		{"  x  y ", "  x  y "},
		{"\uFFFD", "\uFFFD"},
	} {
		s := draw.New(1, 1)
		s.Text(s.Intern(draw.Style{Fill: 0xff, Size: 1}), 0, 0, c.in)
		out := svg.Append(nil, s)
		if _, text := decode(t, out); len(text["text"]) != 1 || text["text"][0] != c.want {
			t.Errorf("%q reads %q, want %q", c.in, text["text"], c.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   float64
		want string
	}{
		{0, "0"},
		{math.Copysign(0, -1), "0"},
		{1, "1"},
		{10, "10"},
		{0.5, ".5"},
		{-0.5, "-.5"},
		{12.345678, "12.35"},
		{0.05, ".05"},
		{-0.001, "0"},
		{0.999, "1"},
		{99.999, "100"},
		{12345.1, "12345.1"},
		{1e6, "1000000"},
		{-2048.25, "-2048.25"},
		{math.NaN(), "0"},
		{math.Inf(1), "0"},
		{math.Inf(-1), "0"},
		{1e300, "0"},
	} {
		s := draw.New(1, 1)
		s.Rect(s.Intern(draw.Style{Fill: 0xff}), c.in, 0, 1, 1)
		if out := string(svg.Append(nil, s)); !strings.Contains(out, `<rect class="c0" x="`+c.want+`" y="0"`) {
			t.Errorf("%v is not written as %s in\n%s", c.in, c.want, out)
		}
	}
}

// The document is well formed even if groups were left open or closed too often.
func TestGroupsAreBalanced(t *testing.T) {
	t.Parallel()
	s := draw.New(1, 1)
	s.End()
	s.Begin("a")
	s.Begin("b")
	s.End()
	names, _ := decode(t, svg.Append(nil, s))
	if got := strings.Join(names, " "); got != "svg g g" {
		t.Errorf("elements %q", got)
	}
}

// A document is complete even when it is appended to other bytes.
func TestAppendBehind(t *testing.T) {
	t.Parallel()
	s := grid(4)
	want := svg.Append(nil, s)
	if got := svg.Append([]byte("before"), s); string(got) != "before"+string(want) {
		t.Error("Append changed what was there, or depends on it")
	}
}

// The styles of two pictures in one page do not affect each other: different rules have different scopes.
func TestScope(t *testing.T) {
	t.Parallel()
	of := func(c draw.Color) string {
		s := draw.New(1, 1)
		s.Rect(s.Intern(draw.Style{Fill: c}), 0, 0, 1, 1)
		out := string(svg.Append(nil, s))
		_, rest, _ := strings.Cut(out, `class="`)
		scope, _, _ := strings.Cut(rest, `"`)
		if !strings.Contains(out, "\n."+scope+" .c0{") {
			t.Errorf("the rule is not confined to %s:\n%s", scope, out)
		}
		return scope
	}
	if of(draw.RGB(1, 2, 3)) == of(draw.RGB(3, 2, 1)) {
		t.Error("two style sheets, one scope")
	}
}

// grid returns a thread-value picture of n x n cells.
func grid(n int) *draw.Scene {
	th := draw.Themes()[0]
	s := draw.New(float64(40*n+40), float64(40*n+40))
	s.Title, s.Background = "a grid", th.Paper
	s.Grow(3 * n * n)
	for i := range n {
		for j := range n {
			color := th.Shade(int64(i), int64(j%4), 4)
			x, y := float64(20+40*j), float64(20+40*i)
			r := s.Rect(s.Intern(draw.Style{Fill: color, Stroke: th.Rule, Width: 1}), x, y, 40, 40)
			r.Key = key(i, j)
			text := s.Intern(draw.Style{Fill: draw.InkOn(color), Size: 11, Anchor: draw.Middle})
			s.Text(text, x+20, y+13, "T"+itoa(i))
			s.Text(text, x+20, y+27, "V"+itoa(j))
		}
	}
	return s
}

// The same scene gives the same bytes, and every shape appears once with its class.
func TestDeterministic(t *testing.T) {
	t.Parallel()
	a, b := svg.Append(nil, grid(16)), svg.Append(nil, grid(16))
	if !bytes.Equal(a, b) {
		t.Error("two runs differ")
	}
	names, text := decode(t, a)
	count := map[string]int{}
	for _, n := range names {
		count[n]++
	}
	if count["rect"] != 257 || count["text"] != 512 || len(text["text"]) != 512 {
		t.Errorf("elements %v", count)
	}
}

// The style sheet defines exactly the classes that elements use.
func TestClassesAreDefined(t *testing.T) {
	t.Parallel()
	s := grid(3)
	s.Intern(draw.Style{Fill: draw.RGB(9, 9, 9)}) // no shape uses this style
	s.Line(s.Intern(draw.Style{Stroke: draw.RGB(1, 1, 1), Width: 1, Arrow: true}), 0, 0, 50, 50)
	out := string(svg.Append(nil, s))
	_, rest, _ := strings.Cut(out, "<style>")
	sheet, body, _ := strings.Cut(rest, "</style>")
	if strings.Contains(sheet, "090909") {
		t.Error("the style that nobody has is written")
	}
	rules := strings.Count(sheet, "{") - 1 // one rule applies to all text
	used := map[string]bool{}
	for _, part := range strings.Split(body, `class="`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		used[name] = true
		if !strings.Contains(sheet, " ."+name+"{") {
			t.Errorf("class %s is not defined", name)
		}
	}
	if len(used) != rules {
		t.Errorf("%d classes in use, %d rules", len(used), rules)
	}
}

// A style has the same effect as in other formats: no stroke without a width, and opacity separate from
// color.
func TestRules(t *testing.T) {
	t.Parallel()
	black := draw.RGB(0, 0, 0)
	for _, c := range []struct {
		st   draw.Style
		add  func(s *draw.Scene, id draw.StyleID)
		want string
	}{
		{draw.Style{Fill: black.Fade(0x80)}, square, "{fill:#000000;fill-opacity:.5;shape-rendering:crispEdges}"},
		{draw.Style{Stroke: black, Width: 1.5, Dash: 3}, square, "{fill:none;stroke:#000000;stroke-width:1.5;stroke-dasharray:3}"},
		{draw.Style{Fill: black, Stroke: black}, square, "{fill:#000000;shape-rendering:crispEdges}"},
		{draw.Style{Fill: black, Round: 2}, square, "{fill:#000000}"},
		{draw.Style{Stroke: black, Width: 1}, staircase, "{fill:none;stroke:#000000}"},
		{draw.Style{Stroke: black, Width: 1}, zigzag, "{fill:none;stroke:#000000;stroke-linejoin:round}"},
		{draw.Style{Fill: black, Size: 9.5, Bold: true, Anchor: draw.Finish}, word, "{fill:#000000;font-size:9.5px;text-anchor:end;font-weight:bold}"},
	} {
		s := draw.New(1, 1)
		c.add(s, s.Intern(c.st))
		if out := string(svg.Append(nil, s)); !strings.Contains(out, " .c0"+c.want+"\n") {
			t.Errorf("%+v: want %s in\n%s", c.st, c.want, out)
		}
	}
}

func square(s *draw.Scene, id draw.StyleID) { s.Rect(id, 0, 0, 1, 1) }

func word(s *draw.Scene, id draw.StyleID) { s.Text(id, 0, 0, "word") }

func staircase(s *draw.Scene, id draw.StyleID) {
	s.Path(id, draw.Step{Verb: draw.Move}, draw.Step{Verb: draw.To, X: 1}, draw.Step{Verb: draw.To, X: 1, Y: 1})
}

func zigzag(s *draw.Scene, id draw.StyleID) {
	s.Path(id, draw.Step{Verb: draw.Move}, draw.Step{Verb: draw.To, X: 1, Y: 1}, draw.Step{Verb: draw.To, X: 2})
}

// Paths have absolute coordinates and use the short forms of horizontal and vertical lines.
func TestPaths(t *testing.T) {
	t.Parallel()
	move := draw.Step{Verb: draw.Move, X: 1, Y: 2}
	for _, c := range []struct {
		steps []draw.Step
		want  string
	}{
		{[]draw.Step{move, {Verb: draw.To, X: 5, Y: 2}, {Verb: draw.To, X: 5, Y: 9}, {Verb: draw.To, X: 3.5, Y: -1}, {Verb: draw.Close}}, "M1 2H5V9L3.5 -1Z"},
		{[]draw.Step{move, {Verb: draw.Cubic, X1: 1, Y1: 0, X2: 2, Y2: .5, X: 3, Y: 4}}, "M1 2C1 0 2 .5 3 4"},
		{[]draw.Step{move, {Verb: draw.To, X: 5, Y: 5}, {Verb: draw.Close}, {Verb: draw.To, X: 1, Y: 8}}, "M1 2L5 5ZV8"},
		{[]draw.Step{{Verb: draw.To, X: 5, Y: 5}}, "M0 0L5 5"},
		{nil, ""},
	} {
		s := draw.New(1, 1)
		s.Path(s.Intern(draw.Style{Fill: 0xff}), c.steps...)
		if out := string(svg.Append(nil, s)); !strings.Contains(out, ` d="`+c.want+`"`) {
			t.Errorf("want %s in\n%s", c.want, out)
		}
	}
}

// No scene can break the document or the encoder.
func FuzzAppend(f *testing.F) {
	f.Add("a", "<", 1.0, 2.0, uint8(0))
	f.Add("\x00", "]]>", math.Inf(1), math.NaN(), uint8(255))
	f.Fuzz(func(t *testing.T, text, key string, x, y float64, kind uint8) {
		s := draw.New(x, y)
		s.Title, s.Desc = key, text
		id := s.Intern(draw.Style{
			Fill: draw.Color(len(text)), Stroke: 0xff, Width: x, Dash: y, Round: y, Size: x, Arrow: kind&1 == 0, Up: kind&2 == 0,
		})
		s.Begin(key)
		s.Rect(id, x, y, y, x).Tip = text
		s.Line(id, x, y, y, x).Key = text
		s.Text(id, x, y, text).Key = key
		s.Path(id, draw.Step{Verb: draw.Verb(kind), X: x, Y: y}, draw.Step{Verb: draw.Verb(kind / 16), X: y, Y: x, X1: x})
		decode(t, svg.Append(nil, s))
	})
}
