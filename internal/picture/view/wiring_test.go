package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/picture/draw"
	"girih/linear"
)

// wires returns the ends of the wires from their tips, in painting order.
func wires(s *draw.Scene) (ends [][2]int) {
	for _, sh := range s.Shapes() {
		var e [2]int
		if n, _ := fmt.Sscanf(sh.Key, "w%d-%d", &e[0], &e[1]); n == 2 && sh.Kind == draw.Path {
			ends = append(ends, e)
		}
	}
	return ends
}

// wiringIsTheLayout evaluates a wiring bit by bit: the wires of a layout whose strides are powers of two add up to
// its offsets.
func wiringIsTheLayout(t *rapid.T) {
	l := rapid.OneOf(gen.PowersOfTwo(), gen.CompactLayouts(), gen.NonNegativeLayouts()).Draw(t, "layout")
	if slices.ContainsFunc(l.Stride().Leaves(), func(d int64) bool { return d != 0 && !isPower(d) }) {
		return
	}
	s, err := Wiring(l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ends := wires(s)
	for i := range l.Size() {
		want, err := l.At(i)
		if err != nil {
			t.Fatal(err)
		}
		// The rows on the left are the bits of each coordinate; an extent of 1 has one row.
		found, row, rest := int64(0), 0, i
		for _, x := range l.Shape().Flatten().Leaves() {
			for k := range max(1, bitLen(x)) {
				for _, e := range ends {
					if e[0] == row {
						found += rest % x >> k & 1 << e[1]
					}
				}
				row++
			}
			rest /= x
		}
		if found != want {
			t.Fatalf("%v at %d: expected %d, found %d from the wires %v", l, i, want, found, ends)
		}
	}
}

func TestWiringIsTheLayout(t *testing.T) {
	t.Parallel()
	rapid.Check(t, wiringIsTheLayout)
}

func FuzzWiring(f *testing.F) { f.Fuzz(rapid.MakeFuzz(wiringIsTheLayout)) }

// TestWiringLinearIsTheMatrix compares wires with the entries of the matrix.
func TestWiringLinearIsTheMatrix(t *testing.T) {
	t.Parallel()
	l, err := linear.FromComposed(composedOf(t, 3, 3, 3, "(8,64):(64,1)"), "row", "col")
	if err != nil {
		t.Fatal(err)
	}
	s := WiringLinear(l, Options{})
	m := l.Matrix()
	ones := 0
	for j := range m.Cols() {
		ones += m.Col(j).Weight()
	}
	ends := wires(s)
	for _, e := range ends {
		if m.At(e[1], e[0]) != 1 {
			t.Errorf("expected no wire from %d to %d", e[0], e[1])
		}
	}
	if len(ends) != ones {
		t.Errorf("expected %d wires, found %d", ones, len(ends))
	}
}

// TestWiringComposed counts the wires of both halves, and evaluates the second half.
func TestWiringComposed(t *testing.T) {
	t.Parallel()
	s, err := WiringComposed(composedOf(t, 3, 3, 3, "(8,64):(64,1)"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	ends := wires(s)
	if len(ends) != 9+12 {
		t.Fatalf("expected 9 wires to the offset and 12 from there, found %d", len(ends))
	}
	w, _ := cute.NewSwizzle(3, 3, 3)
	for x := range int64(512) {
		want, _ := w.At(x)
		found := int64(0)
		for _, e := range ends[9:] {
			found ^= x >> e[0] & 1 << e[1]
		}
		if found != want {
			t.Fatalf("at %d: expected %d, found %d", x, want, found)
		}
	}
}

// TestWiringMarks checks the captions and marks of layouts that are not bijective.
func TestWiringMarks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ layout, text, desc string }{
		{"(4,6):(1,2)", "shared", "(2,0) and (0,1) have the same offset"},
		{"(4,8):(1,8)", "gap", "no two have the same offset"},
		{"(4,8):(1,0)", "stride 0: repeats", "32 elements, cosize 4"},
		{"((3,4),5):((1,20),4)", "gap", "A band goes from a leaf"},
		{"(3,5):(-5,1)", "mode 1", "counts its places downwards"},
		{"(3,5):(2,3)", "mode 1", "Shared places are red"},
		{"(6,4):(1,16)", "gap", "takes not all values of its bits"},
	} {
		s, err := Wiring(cute.MustParse(c.layout), Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, sh := range s.Shapes() {
			found = found || sh.Text == c.text
		}
		if !found || !strings.Contains(s.Desc, c.desc) {
			t.Errorf("%s: expected the text %q and the caption %q, found %v and %q", c.layout, c.text, c.desc, found, s.Desc)
		}
	}
}

// TestWiringSize checks that a picture grows only with the number of bits of the extents.
func TestWiringSize(t *testing.T) {
	t.Parallel()
	small, err := Wiring(cute.MustParse("(100,100):(100,1)"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	large, err := Wiring(cute.MustParse("(1000000,1000000):(1000000,1)"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if large.H > 1.5*small.H || len(large.Shapes()) != len(small.Shapes()) {
		t.Errorf("expected pictures of nearly one size, found %v and %v high, %d and %d shapes", small.H, large.H,
			len(small.Shapes()), len(large.Shapes()))
	}
}

// TestWiringRefuses covers the errors.
func TestWiringRefuses(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("1,", MaxWires) + "2"
	_, err := Wiring(cute.MustParse("("+text+"):("+strings.Repeat("0,", MaxWires)+"1)"), Options{})
	wantCode(t, "too many leaves", err, cute.CodeLimit)
	_, err = WiringNamed(cute.MustParse("(4,8):(8,1)"), []string{"thread"}, Options{})
	wantCode(t, "a name too few", err, cute.CodeRank)
	_, err = WiringComposed(composedOf(t, 1, 0, 1, "(3,4):(1,3)"), Options{})
	wantCode(t, "strides of 3", err, cute.CodeNotRepresentable)
	c, err := cute.NewComposed(cute.MustParse("64:2"), cute.Int(0), cute.MustParse("(8,8):(8,1)"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = WiringComposed(c, Options{})
	wantCode(t, "a layout outside", err, cute.CodeType)
	if s, err := WiringComposed(cute.Composed{}, Options{}); err != nil || s == nil {
		t.Errorf("expected the picture of ():(), found %v", err)
	}
}
