package view

import (
	"fmt"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/picture/draw"
)

// A wrapped mode keeps the borders that are straight: down if whole blocks fill a line, across if lines fill a block.
func TestStripBorders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode string
		cols int
		want []string
	}{
		{"(8,4,4)", 32, []string{"col 8", "col 16", "col 24", "row 1", "row 2", "row 3"}},
		{"(8,8)", 32, []string{"col 8", "col 16", "col 24"}},
		{"(2,64,2)", 32, []string{
			"col 2", "col 4", "col 6", "col 8", "col 10", "col 12", "col 14", "col 16", "col 18", "col 20", "col 22", "col 24",
			"col 26", "col 28", "col 30", "row 4",
		}},
		{"(12,6)", 18, nil}, // blocks of 12 end at different columns of the lines
		{"64", 32, nil},
	} {
		mode := cute.MustParseTuple(c.mode)
		n, err := mode.Product()
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range stripRules(draw.Themes()[0], mode, int(n)/c.cols, c.cols) {
			if r.row1 == r.row2 {
				got = append(got, fmt.Sprintf("row %d", r.row1))
			} else {
				got = append(got, fmt.Sprintf("col %d", r.col1))
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s in lines of %d: %q, want %q", c.mode, c.cols, got, c.want)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		n    int
		want []string
	}{
		{"((2,(2,2)),(3,(2,2))):((1,(6,24)),(2,(12,48)))", 40, []string{"((2,(2,2)),(3,(2,2))):", "((1,(6,24)),(2,(12,48)))"}},
		{"{0,1,2,3,4,5,6,7,8,9,10,11,12,13}", 24, []string{"{0,1,2,3,4,5,6,7,8,9,10,", "11,12,13}"}},
		{"a layout (8,8):(8,1) of two modes", 24, []string{"a layout (8,8):(8,1) of", "two modes"}},
		{"", 30, nil},
	} {
		if got := wrap(c.text, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%q at %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}

// The last of several lines is not a single word, unless avoiding a single word needs one more line.
func TestWrapLeavesNoWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		n    int
		want []string
	}{
		{"one two three four five six seven", 30, []string{"one two three four five", "six seven"}},
		{"aaaaaaaa bbbbbbbb cccccccc d", 24, []string{"aaaaaaaa bbbbbbbb", "cccccccc d"}},
		{"aaaaaaaaaaaaaaaaaaaaaaa bb", 24, []string{"aaaaaaaaaaaaaaaaaaaaaaa", "bb"}},
	} {
		if got := wrap(c.text, c.n); !slices.Equal(got, c.want) {
			t.Errorf("%q in %d: %q, want %q", c.text, c.n, got, c.want)
		}
	}
}
