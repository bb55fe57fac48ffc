package indexmap

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawFormula draws a formula of x and constants.
func drawFormula(t *rapid.T, depth int) string {
	if depth == 0 || rapid.IntRange(0, 3).Draw(t, "leaf") == 0 {
		return "x"
	}
	a := drawFormula(t, depth-1)
	switch op := rapid.SampledFrom([]string{"^", "|", "+", "&c", ">>c", "<<c", "*c", "/c", "%c", "+c"}).Draw(t, "op"); op {
	case "^", "|", "+":
		return fmt.Sprintf("(%s %s %s)", a, op, drawFormula(t, depth-1))
	case "&c":
		return fmt.Sprintf("(%s & %#x)", a, rapid.IntRange(0, 255).Draw(t, "mask"))
	case ">>c", "<<c":
		return fmt.Sprintf("(%s %s %d)", a, op[:2], rapid.IntRange(0, 5).Draw(t, "places"))
	default:
		return fmt.Sprintf("(%s %s %d)", a, op[:1], rapid.SampledFrom([]int{1, 2, 8, 16, 3}).Draw(t, "number"))
	}
}

// The test checks that the values of a formula reported as linear are the exclusive ors of its columns.
func TestBitFormulaAgainstValues(t *testing.T) {
	t.Parallel()
	linear := 0
	property := func(t *rapid.T) {
		text := drawFormula(t, 4)
		if text == "x" {
			return
		}
		f, why, ok := ParseBits(text)
		g, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			if why == "" {
				t.Fatalf("%s is no formula", text)
			}
			return
		}
		linear++
		for range 50 {
			x := rapid.Int64Range(0, 1<<16-1).Draw(t, "x")
			want, known := g.Value(map[string]int64{"x": x})
			if !known {
				continue
			}
			var got uint64
			for i, c := range f.Columns {
				if x>>i&1 != 0 {
					got ^= c
				}
			}
			if int64(got) != want {
				t.Fatalf("%s at %d is %d, the columns give %d", text, x, want, got)
			}
		}
	}
	// few random formulas are linear, so a round may make no checks
	for round := 0; round == 0 || linear == 0 && round < 20; round++ {
		rapid.Check(t, property)
	}
	if linear == 0 {
		t.Errorf("no formula was linear")
	}
}

func TestBitFormulaRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, why string }{
		{"x + (x & 1)", "both sides of + can have the bit 0"},
		{"x ^ 5", "^ 5 does not keep 0"},
		{"x * 3", "* 3 is no operation on single bits"},
		{"x & (x >> 1)", "both sides of & have the variable"},
		{"col ^ (row & 7)", "it has the variables col and row, one is expected"},
		{"1 << x", "the variable is on the right of <<"},
		{"x ^ x & 0", ""},
		{"(8,64):(64,1)", ""},
		{"x", ""},
		{"x ^ y[3]", ""},
	} {
		f, why, ok := ParseBits(c.text)
		if c.text == "x ^ x & 0" {
			if !ok || f.Columns[3] != 8 {
				t.Errorf("%s: %v, %q", c.text, f, why)
			}
			continue
		}
		if ok || why != c.why {
			t.Errorf("%s: found %t, %q, want %q", c.text, ok, why, c.why)
		}
	}
}

// TestConstantRules finds the example of each row with and without the row. The row has to make a difference. The test
// changes the table, so it is not parallel.
//
//nolint:paralleltest
func TestConstantRules(t *testing.T) {
	all := constantRules
	defer func() { constantRules = all }()
	read := func(text string) string {
		f, why, ok := ParseBits(text)
		return fmt.Sprint(f, why, ok)
	}
	for i, r := range all {
		constantRules = all
		with := read(r.example)
		constantRules = slices.Delete(slices.Clone(all), i, i+1)
		if without := read(r.example); with == without {
			t.Errorf("%q is read alike without the row %q: %s", r.example, r.name, with)
		}
	}
}
