package term_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/internal/picture/draw"
	"girih/internal/picture/term"
)

// widths returns the widths of the cells in a line with box borders.
func widths(line string) []int {
	var out []int
	n := -1
	for _, r := range line {
		switch {
		case strings.ContainsRune("┌┬┐├┼┤└┴┘", r):
			if n >= 0 {
				out = append(out, n)
			}
			n = 0
		case n >= 0:
			n++
		}
	}
	return out
}

// bandScene is a row of cells above another one with different edges.
func bandScene(above, below float64) *draw.Scene {
	s := draw.New(400, 100)
	st := s.Intern(draw.Style{Stroke: draw.RGB(0, 0, 0), Width: 1})
	ink := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 9, Anchor: draw.Middle})
	for i := range 7 {
		for j, side := range []float64{above, below} {
			x, y := side*float64(i), 60*float64(j)
			s.Rect(st, x, y, side, 30)
			s.Text(ink, x+side/2, y+15, fmt.Sprint(i))
		}
	}
	return s
}

// Bands that do not line up have their own columns of equal width; bands that do share their columns.
func TestBands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ above, below float64 }{{30, 30}, {30, 41}, {50, 21}} {
		for _, line := range lines(bandScene(c.above, c.below), term.Options{}) {
			for _, w := range widths(line) {
				if w != 2 {
					t.Errorf("%v: cells are %v wide, want 2 each: %q", c, widths(line), line)
					break
				}
			}
		}
	}
}

// Panels side by side whose rows do not line up have their own rows, as high as their text.
func TestPanels(t *testing.T) {
	t.Parallel()
	s := draw.New(400, 100)
	st := s.Intern(draw.Style{Stroke: draw.RGB(0, 0, 0), Width: 1})
	ink := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 9, Anchor: draw.Middle})
	for i := range 7 {
		for j, side := range []float64{22, 31} {
			x, y := 80*float64(j), side*float64(i)
			s.Rect(st, x, y, 40, side)
			s.Text(ink, x+20, y+side/2, fmt.Sprint(i))
		}
	}
	if got := lines(s, term.Options{}); len(got) != 15 {
		t.Errorf("7 rows of text and 8 rules take %d lines:\n%s", len(got), strings.Join(got, "\n"))
	}
}

// uprightScene is a grid with labels above its columns that run upward.
func uprightScene(n int) *draw.Scene {
	s := draw.New(400, 100)
	st := s.Intern(draw.Style{Stroke: draw.RGB(0, 0, 0), Width: 1})
	ink := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 9, Anchor: draw.Middle})
	up := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 9, Up: true})
	for i := range n {
		s.Rect(st, 30*float64(i), 60, 30, 30)
		s.Text(up, 30*float64(i)+15, 55, fmt.Sprintf("(%d,%d)", i%4, i/4))
		s.Text(ink, 30*float64(i)+15, 75, fmt.Sprint(i))
	}
	return s
}

// Labels of columns are horizontal if the width allows, and widen all columns equally.
func TestLabelsLie(t *testing.T) {
	t.Parallel()
	got := lines(uprightScene(8), term.Options{Width: 80})
	if want := " (0,0) (1,0) (2,0) (3,0) (0,1) (1,1) (2,1) (3,1)"; got[0] != want {
		t.Errorf("got %q, want %q", got[0], want)
	}
	if w := fmt.Sprint(widths(got[1])); w != "[5 5 5 5 5 5 5 5]" {
		t.Errorf("the cells are %s wide", w)
	}
	if narrow := lines(uprightScene(8), term.Options{Width: 30}); !strings.HasPrefix(narrow[0], " (  (") {
		t.Errorf("in 30 columns the labels do not stand:\n%s", strings.Join(narrow, "\n"))
	}
}

// Labels that hang below their columns become horizontal too.
func TestLabelsBelowLie(t *testing.T) {
	t.Parallel()
	s, _ := cellsOf(2, draw.None, func(int) string { return "0" })
	down := s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 6, Anchor: draw.Finish, Up: true})
	s.Text(down, 10, 48, "(1,0)")
	s.Text(down, 30, 48, "(2,0)")
	got := lines(s, term.Options{})
	if want := " (1,0) (2,0)"; got[len(got)-1] != want {
		t.Errorf("got %q, want %q", got[len(got)-1], want)
	}
}

// Without colors, many rows of one-line cells have no rules between them, but thick borders remain.
func TestCompact(t *testing.T) {
	t.Parallel()
	number := func(i, j int) int { return i*4 + j }
	high := gridScene(theme(""), 32, 4, number)
	got := lines(high, term.Options{})
	if want := 2 + 32 + 9; len(got) != want {
		t.Errorf("%d lines, want %d: 32 rows, and borders of tiles of 4\n%s", len(got), want, strings.Join(got, "\n"))
	}
	if got := lines(gridScene(theme(""), 8, 4, number), term.Options{}); len(got) != 2+8+9 {
		t.Errorf("a small grid has %d lines, want all its rules\n%s", len(got), strings.Join(got, "\n"))
	}
	if got := lines(high, term.Options{Color: term.TrueColor, Grid: true}); len(got) != 2+32+33 {
		t.Errorf("with Grid there are %d lines, want all rules", len(got))
	}
}

// Texts at different heights do not share a row in which they would overlap.
func TestTextsApart(t *testing.T) {
	t.Parallel()
	s := draw.New(400, 100)
	st := s.Intern(draw.Style{Stroke: draw.RGB(0, 0, 0), Width: 1})
	ink := draw.Style{Fill: draw.RGB(0, 0, 0), Size: 9}
	s.Text(s.Intern(ink), 2, 10, "a title of some words")
	ink.Anchor = draw.Middle
	s.Rect(st, 60, 40, 300, 30)
	s.Text(s.Intern(ink), 210, 32, "1048576")
	s.Text(s.Intern(ink), 210, 55, "all")
	got := lines(s, term.Options{})
	if got[0] != "a title of some words" || strings.TrimSpace(got[1]) != "1048576" {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}

// The name of an axis is above the labels of its columns, not between two of them.
func TestAxisName(t *testing.T) {
	t.Parallel()
	s, _ := cellsOf(4, draw.None, func(i int) string { return fmt.Sprint(i) })
	s.Text(s.Intern(draw.Style{Fill: draw.RGB(0, 0, 0), Size: 6, Anchor: draw.Middle, Bold: true}), 40, 2, "K")
	if got := lines(s, term.Options{}); strings.TrimSpace(got[0]) != "K" || strings.Join(strings.Fields(got[1]), " ") != "0 1 2 3" {
		t.Errorf("got\n%s", strings.Join(got, "\n"))
	}
}
