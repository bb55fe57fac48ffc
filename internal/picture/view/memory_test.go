package view

import (
	"fmt"
	"strings"
	"testing"

	"girih"
	"girih/internal/picture/draw"
)

// TestMemoryCells compares what stands in each place with the layout, its holes and its aliases.
func TestMemoryCells(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"():()", "7:1", "12:-1", "(4,8):(8,1)", "(4,8):(1,5)", "(4,6):(1,2)", "((2,2),(2,4)):((1,8),(2,16))", "(2,3,4):(12,-4,1)"} {
		l := girih.MustParse(text)
		s, err := Memory(l, Options{})
		if err != nil {
			t.Fatal(err)
		}
		first := map[int64]girih.Tuple{}
		count := map[int64]int{}
		for i := range l.Size() {
			x, _ := l.At(i)
			if count[x]++; count[x] == 1 {
				first[x], _ = girih.Idx2Crd(girih.Int(i), l.Shape())
			}
		}
		cells := sides(s)["memory"]
		for x, c := range first {
			sh, ok := cells[fmt.Sprintf("o%d", x)]
			if got := cellText(s, sh); !ok || got != c.String() {
				t.Errorf("%s: expected %v at offset %d, found %q", text, c, x, got)
			}
			if marked := strings.Contains(sh.Tip, " more"); marked != (count[x] > 1) {
				t.Errorf("%s: offset %d has %d coordinates, found the tip %q", text, x, count[x], sh.Tip)
			}
		}
		holes, err := girih.Holes(l)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range holes {
			if got := s.StyleOf(cells[fmt.Sprintf("o%d", x)]).Fill; got != draw.Themes()[0].Empty {
				t.Errorf("%s: expected a hole at %d, found the fill %v", text, x, got)
			}
		}
		if len(cells) != len(first)+len(holes) {
			t.Errorf("%s: expected %d places, found %d", text, len(first)+len(holes), len(cells))
		}
	}
}

// TestMemoryMerges draws 102,400 places with few shapes, one for each row of the tile.
func TestMemoryMerges(t *testing.T) {
	t.Parallel()
	s, err := Memory(girih.MustParse("(400,256):(260,1)"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Shapes()); n > 4000 {
		t.Errorf("expected at most 4000 shapes, found %d", n)
	}
	for _, want := range []string{"1596 holes", "one coordinate along mode 0"} {
		if !strings.Contains(s.Desc, want) {
			t.Errorf("expected %q in the captions, found %q", want, s.Desc)
		}
	}
}

// TestMemoryWraps breaks rows at a stride.
func TestMemoryWraps(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{"(8,8):(9,1)": 9, "(4,8):(8,1)": 8, "(4,4):(4,1)": 16, "(128,128):(1,132)": 132, "100:1": 16} {
		s, err := newStrip(girih.MustParse(text))
		if err != nil {
			t.Fatal(err)
		}
		s.merged = len(s.places) > 1024
		if got := s.wrap(); got != want {
			t.Errorf("%s: expected rows of %d, found %d", text, want, got)
		}
	}
}

// TestMemoryRefuses has the errors.
func TestMemoryRefuses(t *testing.T) {
	t.Parallel()
	_, err := Memory(girih.MustParse("(4,4):(1@0,1@1)"), Options{})
	wantCode(t, "coordinates", err, girih.CodeCodomain)
	_, err = Memory(girih.MustParse("(1048576,1048576):(1,1048576)"), Options{})
	wantCode(t, "too many elements", err, girih.CodeLimit)
	_, err = Memory(girih.MustParse("(2,2):(1,4611686018427387904)"), Options{})
	wantCode(t, "too far apart", err, girih.CodeLimit)
	_, err = Memory(girih.MustParse("(2,2):(-4611686018427387904,4611686018427387903)"), Options{})
	wantCode(t, "further apart than an integer", err, girih.CodeLimit)
}
