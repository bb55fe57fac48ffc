package girih_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih"
	"girih/internal/gen"
	"girih/internal/oracle"
)

// coalesce returns the normal form, and stops the property if there is none.
func coalesce(t rapid.TB, l girih.Layout) girih.Layout {
	t.Helper()
	c, err := girih.Coalesce(l)
	if err != nil {
		t.Fatalf("coalesce(%v): %v", l, err)
	}
	return c
}

func TestCoalesce(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := anyLayout().Draw(t, "a")
		c := coalesce(t, a)
		wantTable(t, "the coalesced layout", c, oracle.Of(a).Table())
		if c.Depth() > 1 || (c.Depth() == 1 && c.Rank() == 1) {
			t.Fatalf("coalesce(%v) = %v is nested", a, c)
		}
		if s := c.Shape().Leaves(); slices.Contains(s, 1) && c.String() != "1:0" {
			t.Fatalf("coalesce(%v) = %v keeps an extent of 1", a, c)
		}
		if again := coalesce(t, c); !again.Equal(c) {
			t.Fatalf("coalesce(%v) = %v, and coalescing that gives %v", a, c, again)
		}
	})
}

// The normal form is unique: any two layouts with the same table have the same one. Tiny strides make such pairs.
func TestCoalesceIsUnique(t *testing.T) {
	t.Parallel()
	forms := map[string]string{} // table -> coalesced layout
	layouts := 0
	for _, s := range [][]int64{{4}, {2, 2}, {2, 1, 2}, {1, 4}, {2, 3}, {3, 2}, {6}, {2, 2, 2}, {4, 2}, {2, 4}, {8}, {2, 2, 3}, {12}, {4, 3}} {
		for _, d := range oracle.Coords(slices.Repeat([]int64{6}, len(s))) {
			for i := range d {
				d[i] -= 2
			}
			l, err := girih.New(girih.Ints(s...), girih.Ints(d...))
			if err != nil {
				t.Fatal(err)
			}
			c := coalesce(t, l)
			key := text(oracle.Of(l).Ints())
			if other, ok := forms[key]; ok && other != c.String() {
				t.Fatalf("%v coalesces to %v, another layout with its offsets to %s", l, c, other)
			}
			forms[key] = c.String()
			layouts++
		}
	}
	if len(forms) == layouts {
		t.Errorf("no two of the %d layouts have the same offsets", layouts)
	}
}

// text spells integers as a tuple, to print them or for the key of a map.
func text(xs []int64) string { return girih.Ints(xs...).String() }

// Merging what is linear and regrouping what is left do not change the normal form.
func TestCoalesceForgetsNesting(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := anyLayout().Draw(t, "a")
		b, err := a.Unflatten(gen.Profiles(leaves(a)).Draw(t, "profile"))
		noError(t, "unflatten", err)
		if x, y := coalesce(t, a), coalesce(t, b); !x.Equal(y) {
			t.Fatalf("%v coalesces to %v, with other parentheses to %v", a, x, y)
		}
	})
}

// leaves returns the number of leaves of l.
func leaves(l girih.Layout) int { return len(l.Shape().Leaves()) }

func TestCoalesceFacts(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"(2,(1,6)):(1,(6,2))":          "12:1", // the first example of NVIDIA's documentation
		"((2,2),(2,2)):((1,4),(8,32))": "(2,4,2):(1,4,32)",
		"(2,1,6):(1,6,2)":              "12:1",
		"(4,1):(1,3)":                  "4:1",
		"(4,1,6):(1,3,4)":              "24:1",
		"(1,1,1):(16,0,8)":             "1:0",
		"1:5":                          "1:0",
		"():()":                        "1:0",
		"(8):(1)":                      "8:1",
		"(2,3):(0,0)":                  "6:0",
		"(4,2):(-1,-4)":                "8:-1",
		"(4,2):(-1,4)":                 "(4,2):(-1,4)",
		"(2,2):(1@0,2@0)":              "4:1@0",
		"(2,2):(1@0+1@1,2@0+2@1)":      "4:1@0+1@1",
		"(2,2):(1@0,2@1)":              "(2,2):(1@0,2@1)",
		"(2,1,2):(1@0,7@1,2@0)":        "4:1@0",
	} {
		c, err := girih.Coalesce(parse(in))
		wantText(t, "coalesce("+in+")", c, err, want)
	}
}

// Each mode that stands at a leaf of the profile is coalesced by itself, the others are as before.
func TestCoalesceProfile(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := anyLayout().Draw(t, "a")
		profile := partialProfile(t, a.Shape())
		r, err := girih.CoalesceProfile(a, profile)
		noError(t, "coalesce by "+profile.String(), err)
		wantTable(t, "the layout coalesced by "+profile.String(), r, oracle.Of(a).Table())
		wantCoalesced(t, a, r, profile)
	})
}

// partialProfile draws a profile that the shape has room for: some modes less, some leaves where it has modes.
func partialProfile(t *rapid.T, shape girih.Tuple) girih.Tuple {
	modes := shape.Modes()
	if shape.Depth() == 0 || len(modes) == 0 || rapid.IntRange(0, 3).Draw(t, "stop") == 0 {
		return girih.Int(0)
	}
	modes = modes[:rapid.IntRange(1, len(modes)).Draw(t, "modes of the profile")]
	for i := range modes {
		modes[i] = partialProfile(t, modes[i])
	}
	p, err := girih.MakeTuple(modes...)
	noError(t, "profile", err)
	return p
}

func wantCoalesced(t *rapid.T, a, r girih.Layout, profile girih.Tuple) {
	t.Helper()
	if profile.Depth() == 0 {
		if want := coalesce(t, a); !r.Equal(want) {
			t.Fatalf("the mode %v became %v, want %v", a, r, want)
		}
		return
	}
	as, rs := a.Modes(), r.Modes()
	if len(as) != len(rs) {
		t.Fatalf("%v became %v, with another rank", a, r)
	}
	ps := profile.Modes()
	for i := range as {
		if i < len(ps) {
			wantCoalesced(t, as[i], rs[i], ps[i])
		} else if !as[i].Equal(rs[i]) {
			t.Fatalf("mode %d beyond the profile, %v, became %v", i, as[i], rs[i])
		}
	}
}

func TestCoalesceProfileFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, profile, want string }{
		{"(2,(1,6)):(1,(6,2))", "(1,1)", "(2,6):(1,2)"},
		{"(2,1,6):(1,6,2)", "(1,2)", "(2,1,6):(1,0,2)"},
		{"((4,3),5):((15,1),3)", "(1,1)", "((4,3),5):((15,1),3)"},
		{"((2,2),(2,2)):((1,2),(8,4))", "(1,(1,1))", "(4,(2,2)):(1,(8,4))"},
		{"8:1", "(1)", "(8):(1)"},
		{"(2,4):(1,2)", "1", "8:1"},
	} {
		r, err := girih.CoalesceProfile(parse(test.a), girih.MustParseTuple(test.profile))
		wantText(t, "coalesce("+test.a+", "+test.profile+")", r, err, test.want)
	}
	for _, test := range [][2]string{{"(2,4):(1,2)", "(1,1,1)"}, {"8:1", "(1,1)"}, {"(2,4):(1,2)", "((1,1),1)"}} {
		_, err := girih.CoalesceProfile(parse(test[0]), girih.MustParseTuple(test[1]))
		wantCode(t, "coalesce("+test[0]+", "+test[1]+")", err, girih.CodeRank)
	}
}
