package svg_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"strings"
	"testing"

	"girih/draw"
	"girih/draw/svg"
)

// decode fails on what is not XML and returns the names of the elements and the character data of each.
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

// Whatever a title, key, tip or text holds comes back out of an XML reader.
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

// What XML cannot hold becomes U+FFFD, and white space survives.
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

// Groups that are left open or closed too often leave the document well formed.
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

// A document stands alone after what was in the slice, and Write writes the same.
func TestAppendAndWrite(t *testing.T) {
	t.Parallel()
	s := grid(4)
	want := svg.Append(nil, s)
	if got := svg.Append([]byte("before"), s); string(got) != "before"+string(want) {
		t.Error("Append changed what was there, or depends on it")
	}
	var b bytes.Buffer
	if err := svg.Write(&b, s); err != nil || !bytes.Equal(b.Bytes(), want) {
		t.Errorf("Write differs from Append, error %v", err)
	}
	if err := svg.Write(failing{}, s); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the writer's error is lost: %v", err)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// Two pictures in one page do not take each other's styles: what differs has another scope.
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
