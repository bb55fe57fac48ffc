package view_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/picture/draw"
	"girih/internal/picture/view"
)

// allText returns all text of a picture for a terminal.
func allText(s *draw.Scene) string {
	var out []string
	for _, x := range s.Shapes() {
		out = append(out, x.Text)
	}
	return strings.Join(out, "\n")
}

// In a terminal, a composition describes the paths of its cells in words, and the words are correct.
func TestCompositionInWords(t *testing.T) {
	t.Parallel()
	sentence := regexp.MustCompile(`B(\([0-9(),]+\)) = (\S+) picks A(\([0-9(),]+\)) = (-?\d+)`)
	for _, c := range [][2]string{
		{"(6,2):(8,2)", "(4,3):(3,1)"},
		{"(4,4):(4,1)", "(4,(2,2)):(2,(1,8))"},
		{"(6,2):(1,7)", "(3,2):(2,3)"},
		{"20:2", "(5,4):(4,1)"},
		{"(4,4):(4,1)", "(2,2):(1@0,1@1)"},
		{"8:3", "4:2"},
	} {
		a, b := cute.MustParse(c[0]), cute.MustParse(c[1])
		s, err := view.Composition(a, b, view.Options{Columns: 100})
		if err != nil {
			t.Fatal(err)
		}
		found := sentence.FindAllStringSubmatch(allText(s), -1)
		if len(found) < 3 {
			t.Errorf("%v: only %d sentences: %s", c, len(found), allText(s))
		}
		value := func(l cute.Layout, coord string) string {
			x, err := cute.ParseTuple(coord)
			if err != nil {
				t.Fatal(err)
			}
			if l.Shape().IsInt() {
				x = x.Modes()[0]
			}
			v, err := l.Eval(x)
			if err != nil {
				t.Fatalf("%v at %s: %v", l, coord, err)
			}
			return v.String()
		}
		for _, m := range found {
			picked, err := cute.ParseTuple(m[2])
			if err != nil {
				t.Fatal(err)
			}
			v, err := a.Eval(picked)
			if err != nil || value(b, m[1]) != m[2] || value(a, m[3]) != m[4] || v.String() != m[4] {
				t.Errorf("%v: %q is not so: B is %s, A there %v, A at its coordinate %s", c, m[0], value(b, m[1]), v, value(a, m[3]))
			}
		}
	}
}

// In a terminal, a wiring is words: each leaf with the places that it reaches.
func TestWiringInWords(t *testing.T) {
	t.Parallel()
	line := regexp.MustCompile(`mode \d (\d+):(\d+) +→ offset ([0-9, ]*[0-9])`)
	for text, want := range map[string]int{"((4,8),(2,2)):((32,1),(16,8))": 4, "(16,64):(64,1)": 2, "(4,4):(4,2)": 2} {
		s, err := view.Wiring(cute.MustParse(text), view.Options{Columns: 100})
		if err != nil {
			t.Fatal(err)
		}
		found := line.FindAllStringSubmatch(allText(s), -1)
		if len(found) != want {
			t.Errorf("%s: %d leaves, want %d: %s", text, len(found), want, allText(s))
		}
		for _, m := range found {
			extent, _ := strconv.Atoi(m[1])
			var places []string
			for at, _ := strconv.Atoi(m[2]); extent > 1; extent, at = extent/2, 2*at {
				places = append(places, fmt.Sprint(at))
			}
			if got := strings.Join(places, ", "); got != m[3] {
				t.Errorf("%s: %q, want the places %s", text, m[0], got)
			}
		}
	}
	s, err := view.Wiring(cute.MustParse("(128,(8,4)):(8,(1,1056))"), view.Options{Columns: 100})
	if text := allText(s); err != nil || !strings.Contains(text, "4:1056 → offset 1056 up to 4224") ||
		!strings.Contains(text, "offset 1024 is a gap") {
		t.Errorf("a padded layout: %v %s", err, text)
	}
}

// The first tile of a zipped divide is drawn next to it with its modes separated, unless it contains padding or has
// one mode.
func TestFirstTile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tileCase
		cells int
	}{
		{tileCase{"zipped_divide", "(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>"}, 24},
		{tileCase{"tiled_divide", "(4,6):(6,1)", "<2,3>"}, 6},
		{tileCase{"zipped_divide", "24:1", "4:1"}, 0},
		{tileCase{"zipped_divide", "(3,4):(4,1)", "<4,2>"}, 0},
		{tileCase{"logical_divide", "(4,6):(6,1)", "<2,3>"}, 0},
	} {
		a, tiler := cute.MustParse(c.a), cute.MustParseTiler(c.tiler)
		s, err := view.Divide(c.op, a, tiler, view.Options{})
		if err != nil {
			t.Fatal(err)
		}
		d, err := cute.ZippedDivide(a, tiler)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		shapes := s.Shapes()
		for i, x := range shapes {
			if x.Kind != draw.Rect || !strings.HasPrefix(x.Key, "t") {
				continue
			}
			n++
			p, _ := strconv.ParseInt(x.Key[1:], 10, 64)
			if v, err := d.At(p); err != nil || shapes[i+1].Text != fmt.Sprint(v) {
				t.Errorf("%s: place %d of the first tile says %q, want %d, %v", c.op, p, shapes[i+1].Text, v, err)
			}
		}
		if n != c.cells {
			t.Errorf("%s of %s by %s: %d cells of the first tile, want %d", c.op, c.a, c.tiler, n, c.cells)
		}
	}
}
