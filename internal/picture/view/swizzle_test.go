package view

import (
	"fmt"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/picture/draw"
)

// sides splits the shapes of a picture by their group: "before" and "after" contain the texts and fills of cells.
func sides(s *draw.Scene) map[string]map[string]draw.Shape {
	out := map[string]map[string]draw.Shape{}
	group := ""
	for _, sh := range s.Shapes() {
		switch {
		case sh.Kind == draw.Begin:
			group = sh.Key
			out[group] = map[string]draw.Shape{}
		case sh.Kind == draw.End:
			group = ""
		case group != "" && sh.Key != "":
			out[group][sh.Key] = sh
		}
	}
	return out
}

// cellText returns the first text inside a cell.
func cellText(s *draw.Scene, c draw.Shape) string {
	for _, sh := range s.Shapes() {
		if sh.Kind == draw.Text && sh.X > c.X && sh.X < c.X+c.W && sh.Y > c.Y && sh.Y < c.Y+c.H {
			return sh.Text
		}
	}
	return ""
}

// TestSwizzleCells compares the numbers in the cells with the values of the layout.
func TestSwizzleCells(t *testing.T) {
	t.Parallel()
	for _, c := range []cute.Composed{
		composedOf(t, 3, 0, 3, "(8,8):(8,1)"), composedOf(t, 2, 1, -3, "(4,(4,2)):(1,(4,16))"), composedOf(t, 1, 1, 2, "16:1"),
	} {
		s, err := Swizzle(c, 0, Options{})
		if err != nil {
			t.Fatal(err)
		}
		before, _ := c.Layout().AppendOffsets(nil)
		after, _ := c.AppendOffsets(nil)
		groups := sides(s)
		for i := range before {
			key := fmt.Sprintf("i%d", i)
			b, a := cellText(s, groups["before"][key]), cellText(s, groups["after"][key])
			if b != fmt.Sprint(before[i]) || a != fmt.Sprint(after[i]) {
				t.Errorf("%v at %d: expected %d before and %d after, found %q and %q", c, i, before[i], after[i], b, a)
			}
		}
	}
}

// TestSwizzleLatin checks the fills of the 128-byte swizzle for half precision. Before, a column has one color;
// after, the 8 vectors of each row and of each column have the 8 different colors of their banks.
func TestSwizzleLatin(t *testing.T) {
	t.Parallel()
	c := composedOf(t, 3, 3, 3, "(8,64):(64,1)")
	s, err := Swizzle(c, 16, Options{})
	if err != nil {
		t.Fatal(err)
	}
	groups := sides(s)
	fill := func(side string, row, vector int) draw.Color {
		sh, ok := groups[side][fmt.Sprintf("i%d", row+8*8*vector)]
		if !ok {
			t.Fatalf("expected a cell of vector %d in row %d", vector, row)
		}
		return s.StyleOf(sh).Fill
	}
	for k := range 8 {
		row, col := map[draw.Color]bool{}, map[draw.Color]bool{}
		for j := range 8 {
			if fill("before", j, k) != fill("before", 0, k) {
				t.Errorf("before, column %d: expected one fill, found another in row %d", k, j)
			}
			row[fill("after", k, j)], col[fill("after", j, k)] = true, true
			x, _ := c.Eval(cute.Ints(int64(k), int64(8*j)))
			offset, _ := x.Int64()
			bank := offset * 2 / 4 % 32 // elements of 2 bytes, banks of 4
			if want := (Options{}).theme().Hue(bank / 4); fill("after", k, j) != want {
				t.Errorf("row %d, vector %d: expected the fill of bank %d", k, j, bank)
			}
		}
		if len(row) != 8 || len(col) != 8 {
			t.Errorf("after: expected 8 fills in row and column %d, found %d and %d", k, len(row), len(col))
		}
	}
}

// TestSwizzleArcs checks the bits of the diagram.
func TestSwizzleArcs(t *testing.T) {
	t.Parallel()
	s, err := Swizzle(composedOf(t, 2, 1, 3, "(4,16):(16,1)"), 0, Options{})
	if err != nil {
		t.Fatal(err)
	}
	k := keyed(s)
	for _, key := range []string{"arc4-1", "arc5-2"} {
		if _, ok := k[key]; !ok {
			t.Errorf("expected %s", key)
		}
	}
	arcs := 0
	for key := range k {
		if strings.HasPrefix(key, "arc") {
			arcs++
		}
	}
	if arcs != 2 {
		t.Errorf("expected 2 arcs, found %d", arcs)
	}
	for mask, want := range map[uint64]string{0: "no bit", 1: "bit 0", 6: "bits 1 and 2", 7: "bits 0 to 2", 5: "bits 0, 2"} {
		if got := bitList(mask); got != want {
			t.Errorf("%b: expected %q, found %q", mask, want, got)
		}
	}
}

// TestSwizzleChain draws two swizzles with an offset, and a map that is not a swizzle.
func TestSwizzleChain(t *testing.T) {
	t.Parallel()
	inner := composedOf(t, 2, 0, 2, "(4,4):(4,1)")
	w, _ := cute.NewSwizzle(1, 0, 3)
	c, err := cute.NewComposed(w, cute.Int(0), inner)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Swizzle(c, 0, Options{})
	if err != nil || !strings.Contains(s.Desc, "elements move") {
		t.Errorf("expected the picture of a chain, found %v", err)
	}
}

// TestSwizzleRefuses covers the errors.
func TestSwizzleRefuses(t *testing.T) {
	t.Parallel()
	plain, err := cute.NewComposed(cute.MustParse("64:2"), cute.Int(0), cute.MustParse("(8,8):(8,1)"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = Swizzle(plain, 0, Options{})
	wantCode(t, "a layout outside", err, cute.CodeType)
	_, err = Swizzle(cute.Composed{}, 0, Options{})
	wantCode(t, "no swizzle", err, cute.CodeType)
	_, err = Swizzle(composedOf(t, 1, 0, 1, "(4,4):(4,1)"), 24, Options{})
	wantCode(t, "24 bits", err, cute.CodeNotDivisible)
	_, err = Swizzle(composedOf(t, 1, 0, 1, "(4096,4096):(4096,1)"), 0, Options{})
	wantCode(t, "too large", err, cute.CodeLimit)
}
