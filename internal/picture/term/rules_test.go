package term_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/internal/picture/draw"
	"girih/internal/picture/term"
)

// cellsOf is a row of empty cells of 20 points, with a label above each.
func cellsOf(n int, fill draw.Color, label func(i int) string) (s *draw.Scene, cell draw.StyleID) {
	s = draw.New(400, 100)
	s.Background = draw.RGB(255, 255, 255)
	cell = s.Intern(draw.Style{Fill: fill, Stroke: draw.RGB(0, 0, 0), Width: 1})
	ink := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 6, Anchor: draw.Middle})
	for i := range n {
		s.Rect(cell, 20*float64(i), 20, 20, 24)
		s.Text(ink, 20*float64(i)+10, 10, label(i))
	}
	return s, cell
}

func lines(s *draw.Scene, o term.Options) []string {
	return strings.Split(strings.TrimSuffix(string(term.Append(nil, s, o)), "\n"), "\n")
}

// Labels of columns do not overlap, and widen their columns.
func TestLabelsAreApart(t *testing.T) {
	t.Parallel()
	s, _ := cellsOf(3, draw.RGB(9, 9, 9), func(i int) string { return fmt.Sprint(1000 + i) })
	if got := strings.Fields(lines(s, term.Options{})[0]); strings.Join(got, " ") != "1000 1001 1002" {
		t.Errorf("got %q", got)
	}
}

// A legend and a note below a grid do not change its columns.
func TestLegendsTakeNoColumns(t *testing.T) {
	t.Parallel()
	label := func(i int) string { return fmt.Sprint(i) }
	s, cell := cellsOf(8, draw.RGB(200, 9, 9), label)
	before := lines(s, term.Options{})
	note := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 10})
	for i := range 3 {
		s.Rect(cell, 5+50*float64(i), 60, 10, 10)
		s.Text(note, 19+50*float64(i), 65, "warp 0")
	}
	for i := range 4 {
		s.Rect(cell, 5+13*float64(i), 75, 13, 13)
	}
	s.Text(note, 3, 95, "a note that is longer than the grid is wide")
	after := lines(s, term.Options{})
	for i, line := range before {
		if strings.TrimSpace(after[i]) != strings.TrimSpace(line) {
			t.Errorf("got %q, want %q", after[i], line)
		}
	}
	for i, want := range []string{"▓▓ warp 0 ▓▓ warp 0 ▓▓ warp 0", "▓▓▓▓▓▓▓▓", "a note that is longer than the grid is wide"} {
		if got := strings.TrimSpace(after[len(before)+i]); strings.Join(strings.Fields(got), " ") != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// With colors, thin borders of filled cells are omitted and thick borders remain.
func TestThickBordersStay(t *testing.T) {
	t.Parallel()
	for width, want := range map[float64]string{1: "", 2: "━", 4: "═"} {
		s := draw.New(40, 40)
		s.Rect(s.Intern(draw.Style{Fill: draw.RGB(9, 99, 9), Stroke: draw.RGB(0, 0, 0), Width: width}), 0, 0, 30, 30)
		out := string(term.Append(nil, s, term.Options{Color: term.TrueColor}))
		if got := strings.ContainsAny(out, "─━═"); got != (want != "") || !strings.Contains(out, want) {
			t.Errorf("width %v: got %q, want %q in it", width, out, want)
		}
	}
}

// A shape hides everything below it, even in the color of the paper.
func TestOver(t *testing.T) {
	t.Parallel()
	s, _ := cellsOf(2, draw.RGB(9, 99, 9), func(int) string { return "" })
	ink := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 6, Anchor: draw.Middle})
	s.Text(ink, 10, 32, "gone")
	s.Rect(s.Intern(draw.Style{Fill: s.Background}), 0, 20, 20, 24)
	s.Text(ink, 30, 32, "here")
	out := strings.Join(lines(s, term.Options{}), "\n")
	if strings.Contains(out, "gone") || !strings.Contains(out, "here") || strings.Contains(out, "▓") {
		t.Errorf("got\n%s", out)
	}
}

// A page boundary cuts no cell.
func TestPagesCutNoText(t *testing.T) {
	t.Parallel()
	s, cell := cellsOf(12, draw.RGB(9, 99, 9), func(i int) string { return "ab" })
	ink := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 6, Anchor: draw.Middle})
	for i := range 4 {
		s.Rect(cell, 60*float64(i), 44, 60, 24)
		s.Text(ink, 60*float64(i)+30, 56, "merged")
	}
	for width := 12; width < 45; width++ {
		out := strings.Join(lines(s, term.Options{Width: width}), "\n")
		if strings.Count(out, "merged") != 4 || strings.Count(out, "ab") != 12 {
			t.Errorf("width %d: a text is cut:\n%s", width, out)
		}
	}
}
