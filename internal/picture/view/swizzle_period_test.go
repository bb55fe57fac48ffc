package view

import (
	"strings"
	"testing"
)

// In tall pictures, rows that repeat the first rows are omitted, and the caption gives the offsets at which they
// repeat.
func TestSwizzleRowsThatRepeat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		layout  string
		b, m, s int
		cells   int // the number of cells on each side
		note    string
	}{
		{"(16,64):(64,1)", 3, 3, 3, 128, "A cell is 8"},
		{"(128,64):(64,1)", 3, 3, 3, 64, "Rows 8 to 127 are left out: each 8 rows look like the first, with offsets +512."},
		{"((8,16),64):((64,1024),1)", 3, 3, 3, 64, "each 8 rows look like the first, with offsets +1024."},
		{"((8,2,8),64):((64,4096,512),1)", 3, 3, 3, 64, "each 8 rows look like the first, at other offsets."},
		{"(64,8):(8,1)", 2, 0, 6, 512, "The fill is the bank"}, // the bits from row 8 on change the offset
	} {
		s, err := Swizzle(composedOf(t, c.b, c.m, c.s, c.layout), 16, Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, sh := range s.Shapes() {
			if strings.HasPrefix(sh.Key, "i") {
				n++
			}
		}
		if n != 2*c.cells || !strings.Contains(s.Desc, c.note) {
			t.Errorf("Sw<%d,%d,%d> o %s: %d cells with %q, want %d with %q", c.b, c.m, c.s, c.layout, n, s.Desc,
				2*c.cells, c.note)
		}
	}
}
