package cute_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// coalesce returns the normal form, and stops the property if there is none.
func coalesce(t rapid.TB, l cute.Layout) cute.Layout {
	t.Helper()
	c := cute.Coalesce(l)
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

// The normal form is unique: two layouts with the same table have the same normal form. Tiny strides make such pairs.
func TestCoalesceIsUnique(t *testing.T) {
	t.Parallel()
	forms := map[string]string{} // maps a table to the coalesced layout
	layouts := 0
	for _, s := range [][]int64{
		{4}, {2, 2}, {2, 1, 2}, {1, 4}, {2, 3}, {3, 2}, {6}, {2, 2, 2}, {4, 2}, {2, 4}, {8}, {2, 2, 3}, {12}, {4, 3},
	} {
		for _, d := range oracle.Coords(slices.Repeat([]int64{6}, len(s))) {
			for i := range d {
				d[i] -= 2
			}
			l, err := cute.New(cute.Ints(s...), cute.Ints(d...))
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

// text returns integers as the text of a tuple, to print them or as the key of a map.
func text(xs []int64) string { return cute.Ints(xs...).String() }

// Merging linear neighbours and regrouping other modes do not change the normal form.
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
func leaves(l cute.Layout) int { return len(l.Shape().Leaves()) }

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
		wantText(t, "coalesce("+in+")", cute.Coalesce(parse(in)), nil, want)
	}
}

// Each mode at a leaf of the profile is coalesced by itself; the other modes do not change.
func TestCoalesceProfile(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := anyLayout().Draw(t, "a")
		profile := partialProfile(t, a.Shape())
		r, err := cute.CoalesceProfile(a, profile)
		noError(t, "coalesce by "+profile.String(), err)
		wantTable(t, "the layout coalesced by "+profile.String(), r, oracle.Of(a).Table())
		wantCoalesced(t, a, r, profile)
	})
}

// partialProfile draws a profile that fits the shape, with fewer modes, or with leaves where the shape has modes.
func partialProfile(t *rapid.T, shape cute.Tuple) cute.Tuple {
	modes := shape.Modes()
	if shape.Depth() == 0 || len(modes) == 0 || rapid.IntRange(0, 3).Draw(t, "stop") == 0 {
		return cute.Int(0)
	}
	modes = modes[:rapid.IntRange(1, len(modes)).Draw(t, "modes of the profile")]
	for i := range modes {
		modes[i] = partialProfile(t, modes[i])
	}
	p, err := cute.MakeTuple(modes...)
	noError(t, "profile", err)
	return p
}

func wantCoalesced(t *rapid.T, a, r cute.Layout, profile cute.Tuple) {
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
		r, err := cute.CoalesceProfile(parse(test.a), cute.MustParseTuple(test.profile))
		wantText(t, "coalesce("+test.a+", "+test.profile+")", r, err, test.want)
	}
	for _, test := range [][2]string{{"(2,4):(1,2)", "(1,1,1)"}, {"8:1", "(1,1)"}, {"(2,4):(1,2)", "((1,1),1)"}} {
		_, err := cute.CoalesceProfile(parse(test[0]), cute.MustParseTuple(test[1]))
		wantCode(t, "coalesce("+test[0]+", "+test[1]+")", err, cute.CodeRank)
	}
}

func TestCoalesceZ(t *testing.T) { holds(t, checkCoalesceZ) }
func FuzzCoalesceZ(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkCoalesceZ)) }

// coalesce_z keeps the values beyond the size. It keeps a last mode of extent 1 exactly if dropping the mode would
// change those values; it drops all else that coalesce drops. The same function, split differently, has the same form.
func checkCoalesceZ(t *rapid.T) {
	a := anyLayout().Draw(t, "a")
	if rapid.Bool().Draw(t, "a last mode of size 1") {
		d := cute.Int(rapid.Int64Range(-3, 20).Draw(t, "its stride"))
		if a.HasBasis() {
			d = a.Stride().Flatten().Modes()[0]
		}
		last, err := cute.New(cute.Int(1), d)
		noError(t, "a mode", err)
		a, err = a.AppendMode(last)
		noError(t, "append", err)
	}
	r := cute.CoalesceZ(a)
	x, y, c := oracle.Of(a), oracle.Of(r), oracle.Of(coalesce(t, a))
	goesOn := true // coalesce preserves the values beyond the size
	for i := range 3*a.Size() + 2 {
		if !x.Index(i).Equal(y.Index(i)) {
			t.Fatalf("coalesce_z(%v) = %v: at %d it is %v, want %v", a, r, i, y.Index(i), x.Index(i))
		}
		goesOn = goesOn && x.Index(i).Equal(c.Index(i))
	}
	want := leaves(coalesce(t, a))
	if !goesOn && a.Size() > 1 {
		want++
	}
	s := r.Shape().Leaves()
	if len(s) != want || r.Depth() > 1 || slices.Contains(s[:len(s)-1], 1) || r.Size() != a.Size() {
		t.Fatalf("coalesce_z(%v) = %v, want %d modes", a, r, want)
	}
	if again := cute.CoalesceZ(r); !again.Equal(r) {
		t.Fatalf("coalesce_z(%v) = %v, and of that %v", a, r, again)
	}
	b, err := a.Unflatten(gen.Profiles(leaves(a)).Draw(t, "profile"))
	noError(t, "unflatten", err)
	if same := cute.CoalesceZ(b); !same.Equal(r) {
		t.Fatalf("coalesce_z(%v) = %v, and of %v %v", a, r, b, same)
	}
}

func TestCoalesceZFacts(t *testing.T) {
	t.Parallel()
	for a, want := range map[string]string{
		"(2,1,6,1):(1,7,8,0)": "(2,6,1):(1,8,0)", "(2,1,6,1):(1,7,8,48)": "(2,6):(1,8)", "(4,1):(1,4)": "4:1",
		"(4,1):(3,4)": "(4,1):(3,4)",
		"(1,1):(5,7)": "1:7", "1:0": "1:0", "(2,(4,6)):(1,(2,8))": "48:1", "():()": "1:0",
	} {
		wantText(t, "coalesce_z("+a+")", cute.CoalesceZ(parse(a)), nil, want)
	}
	r, err := cute.CoalesceZProfile(parse("((2,(1,6)),(3,4,1)):((1,(6,2)),(100,300,0))"), cute.Ints(0, 0))
	wantText(t, "coalesce_z by mode", r, err, "(12,(12,1)):(1,(100,0))")
	_, err = cute.CoalesceZProfile(parse("4:1"), cute.Ints(0, 0))
	wantCode(t, "coalesce_z with too many modes", err, cute.CodeRank)
}

func ExampleCoalesceZ() {
	a := cute.MustParse("(4,1):(3,4)") // continues with 4 at the index 4
	fmt.Println(cute.CoalesceZ(a))
	fmt.Println(cute.Coalesce(a))
	// Output:
	// (4,1):(3,4)
	// 4:3
}

func ExampleCoalesceZProfile() {
	fmt.Println(cute.CoalesceZProfile(cute.MustParse("((2,6),(3,1)):((1,2),(100,0))"), cute.Ints(0, 0)))
	// Output: (12,(3,1)):(1,(100,0)) <nil>
}
