package oracle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/oracle"
)

func of(text string) oracle.Layout { return oracle.Of(cute.MustParse(text)) }

func TestTable(t *testing.T) {
	t.Parallel()
	// This is the first table of NVIDIA's layout documentation (media/docs/cpp/cute/01_layout.md), column by column.
	l := of("(2,4):(4,1)")
	if got, want := l.Ints(), []int64{0, 4, 1, 5, 2, 6, 3, 7}; !slices.Equal(got, want) {
		t.Errorf("table of (2,4):(4,1) = %v, want %v", got, want)
	}
	if got, want := fmt.Sprint(of("(2,2):(1@0,1@1-2@0)").Table()),
		"[map[] map[@0:1] map[@0:-2 @1:1] map[@0:-1 @1:1]]"; got != want {
		t.Errorf("table of (2,2):(1@0,1@1-2@0) = %v, want %v", got, want)
	}
}

func TestIndexIsOddAndUnbounded(t *testing.T) {
	t.Parallel()
	l := of("(4,3):(1,100)")
	for i, want := range map[int64]int64{0: 0, 3: 3, 4: 100, 11: 203, 12: 300, 401: 10001, -3: -3, -4: -100, -13: -301} {
		if got := l.Index(i); !got.Equal(oracle.Number(want)) {
			t.Errorf("(4,3):(1,100) at %d = %v, want %v", i, got, want)
		}
	}
}

func TestEval(t *testing.T) {
	t.Parallel()
	l := of("(3,(2,3)):(3,(12,1))") // whitepaper arXiv 2603.02298, example of coordinates
	for text, want := range map[string]int64{"16": 17, "(1,5)": 17, "(1,(1,2))": 17, "(0,7)": 15, "(1,(0,5))": 8} {
		c := oracle.TreeOf(cute.MustParseTuple(text))
		if got, ok := l.Eval(c); !ok || !got.Equal(oracle.Number(want)) {
			t.Errorf("at %s: %v, %v, want %d", text, got, ok, want)
		}
	}
	for _, text := range []string{"(1,1,2)", "((1,1),2)", "(1,(1,2,0))", "()"} {
		if got, ok := l.Eval(oracle.TreeOf(cute.MustParseTuple(text))); ok {
			t.Errorf("at %s: %v, want that it is no coordinate", text, got)
		}
	}
}

func TestCompose(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b string
		want []int64
	}{
		{"(6,2):(1,7)", "(3,2):(2,3)", []int64{0, 2, 4, 3, 5, 8}},
		{"(4,4):(4,1)", "(2,2):(1,5)", []int64{0, 4, 5, 9}},
		{"((2,3),4):((5,7),11)", "(6,2):(1@0,2@1)", []int64{0, 5, 7, 12, 14, 19, 22, 27, 29, 34, 36, 41}},
	} {
		got, ok := oracle.Compose(of(test.a), of(test.b))
		if !ok || !slices.Equal(oracle.Numbers(got), test.want) {
			t.Errorf("%s o %s = %v, %v, want %v", test.a, test.b, got, ok, test.want)
		}
	}
	if got, ok := oracle.Compose(of("(4,4):(4,1)"), of("2:1@2")); ok {
		t.Errorf("(4,4) o 2:1@2 = %v, want that there is no mode 2", got)
	}
}

func TestRefines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name           string
		table, extents []int64
		want           oracle.Fit
	}{
		{"a layout", []int64{0, 2, 7, 9}, []int64{4}, oracle.Fit{Ok: true}},
		{"size 1", []int64{0}, []int64{1, 1}, oracle.Fit{Ok: true}},
		{"not from 0", []int64{1, 2}, []int64{2}, oracle.Fit{Want: []int64{0}}},
		{"(6,2):(1,7) o (3,2):(2,3)", []int64{0, 2, 4, 3, 5, 8}, []int64{3, 2}, oracle.Fit{Index: 5, Want: []int64{7}}},
		{"the same values of one mode", []int64{0, 2, 4, 3, 5, 8}, []int64{6}, oracle.Fit{Index: 5, Want: []int64{7}}},
		{"a run of 3 in 4", []int64{0, 1, 2, 4}, []int64{4}, oracle.Fit{Index: 3, Want: []int64{3}}},
	} {
		if got := oracle.Refines(test.table, test.extents); got.Ok != test.want.Ok || got.Index != test.want.Index ||
			!slices.Equal(got.Want, test.want.Want) {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
}

// TestTwoDecisionsAgree compares IsLayout, which tries every first extent, with Refines, which tries cuts into primes.
func TestTwoDecisionsAgree(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	yes := 0
	for range 20000 {
		g := make([]int64, []int{2, 3, 4, 6, 8, 12}[random.IntN(6)])
		for i := 1; i < len(g); i++ {
			g[i] = g[i-1] + random.Int64N(2)
		}
		s, d, ok := oracle.IsLayout(g)
		if fit := oracle.Refines(g, []int64{int64(len(g))}); fit.Ok != ok {
			t.Fatalf("%v: IsLayout says %v, Refines %+v", g, ok, fit)
		}
		if ok {
			yes++
			if got := oracle.Flat(s, d).Ints(); !slices.Equal(got, g) {
				t.Fatalf("%v is said to be %v:%v, which is %v", g, s, d, got)
			}
		}
	}
	if yes < 1000 {
		t.Errorf("only %d of the tables were layouts", yes)
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a      string
		places []int64
		ok     bool
	}{
		{"4:1", []int64{0, 4, 8, 12}, true},
		{"(2,2):(4,1)", []int64{0, 2, 8, 10}, true},
		{"(2,3):(2,4)", []int64{0, 1, 12, 13}, true},
		{"(4,2):(1,6)", nil, false},
		{"(2,2):(2,3)", nil, false},
	} {
		places, _, ok := oracle.Places(of(test.a).Ints(), 4)
		if ok != test.ok || !slices.Equal(places, test.places) {
			t.Errorf("places of %s = %v, %v, want %v, %v", test.a, places, ok, test.places, test.ok)
		}
		if got := oracle.Complementable(of(test.a)); got != test.ok {
			t.Errorf("%s complementable = %v, want %v", test.a, got, test.ok)
		}
	}
}

// TestChecksRefuse checks that the checks refuse wrong values. Otherwise the properties that use them prove nothing.
func TestChecksRefuse(t *testing.T) {
	t.Parallel()
	none := oracle.Padding{}
	padded := oracle.Padding{
		Coord: of("(4,(2,4)):(1@0,(4@0,1@1))"), Bound: of("(5,4):(1,5)").Shape, Added: 12, Elements: 20,
	}
	wrongCount := padded
	wrongCount.Added = 11
	for _, test := range []struct {
		name string
		err  error
		want bool // whether the claim is right
	}{
		{"complement", oracle.CheckComplement(of("(2,3):(2,4)"), of("(2,2):(1,12)"), 24), true},
		{"complement, too short", oracle.CheckComplement(of("(2,3):(2,4)"), of("2:1"), 24), false},
		{"complement, not ascending", oracle.CheckComplement(of("(2,3):(2,4)"), of("(2,2):(12,1)"), 24), false},
		{"complement, rounded up", oracle.CheckComplement(of("6:1"), of("5:6"), 25), true},
		{"complement, rounded down", oracle.CheckComplement(of("6:1"), of("4:6"), 25), false},
		{"complement, a block more", oracle.CheckComplement(of("2:1"), of("18:2"), 30), false},
		{"weak complement", oracle.CheckWeakComplement(of("(4,2):(1,10)"), of("(2,2):(4,20)")), true},
		{"weak complement, overlapping", oracle.CheckWeakComplement(of("(4,2):(1,10)"), of("(3,2):(4,20)")), false},
		{"weak complement, among the layout's", oracle.CheckWeakComplement(of("(4,2):(1,10)"), of("2:10")), false},
		{"weak complement, not ascending", oracle.CheckWeakComplement(of("(4,2):(1,10)"), of("(2,2):(20,4)")), false},
		{"divide", oracle.CheckDivide(of("(4,2,3):(2,1,8)"), of("4:2"), of("((2,2),(2,3)):((4,1),(2,8))")), true},
		{"divide, other tiles", oracle.CheckDivide(of("(4,2,3):(2,1,8)"), of("4:2"), of("((2,2),(3,2)):((4,1),(8,2))")), false},
		{"padding", oracle.CheckPadding(of("(5,4):(1,30)"), of("(4,(2,4)):(1,(4,30))"), padded), true},
		{"padding, other values", oracle.CheckPadding(of("(5,4):(1,30)"), of("(4,(2,4)):(1,(4,31))"), padded), false},
		{"padding, other count", oracle.CheckPadding(of("(5,4):(1,30)"), of("(4,(2,4)):(1,(4,30))"), wrongCount), false},
		{"padding, none", oracle.CheckPadding(of("(5,4):(1,30)"), of("(4,(2,4)):(1,(4,30))"), none), false},
		{"tile", oracle.CheckTile(of("(5,4):(1,30)"), of("4:1"), of("(4,(2,4)):(1,(4,30))"), padded), true},
		{"tile, other order", oracle.CheckTile(of("(5,4):(1,30)"), of("(2,2):(2,1)"), of("(4,(2,4)):(1,(4,30))"), padded), false},
		{"product", oracle.CheckProduct(of("(2,2):(4,1)"), of("6:1"), of("((2,2),(2,3)):((4,1),(2,8))")), true},
		{"product, other order", oracle.CheckProduct(of("(2,2):(4,1)"), of("6:1"), of("((2,2),(3,2)):((4,1),(8,2))")), false},
		{"right inverse", oracle.CheckRightInverse(of("(2,3):(3,1)"), of("(3,2):(2,1)")), true},
		{"right inverse by axis", oracle.CheckRightInverse(of("(4,5):(1@1,1@0)"), of("(5,4):(4,1)")), true},
		{"right inverse, beyond the size", oracle.CheckRightInverse(of("(1,2,1):(0,1,0)"), of("2:3")), false},
		{"right inverse, wrong", oracle.CheckRightInverse(of("(2,3):(3,1)"), of("(2,3):(3,1)")), false},
		{"upcast", oracle.CheckUpcast(of("(4,3):(1,8)"), of("(2,3):(1,4)"), 2), true},
		{"upcast, negative", oracle.CheckUpcast(of("8:-1"), of("4:-1"), 2), true},
		{"upcast, wrong", oracle.CheckUpcast(of("(4,3):(1,8)"), of("(2,3):(1,8)"), 2), false},
		{"upcast, cut", oracle.CheckUpcast(of("3:1"), of("2:1"), 2), false},
		{"downcast", oracle.CheckDowncast(of("(2,3):(1,4)"), of("(4,3):(1,8)"), 2), true},
		{"downcast, wrong", oracle.CheckDowncast(of("(2,3):(1,4)"), of("(4,3):(1,4)"), 2), false},
	} {
		if (test.err == nil) != test.want {
			t.Errorf("%s: %v", test.name, test.err)
		}
	}
}

func TestLargestRightInverse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{"(2,3):(3,1)": 6, "4:2": 1, "(4,2):(1,6)": 4, "(2,3):(1,3)": 2, "1:0": 1} {
		if got := oracle.LargestRightInverse(of(text)); got != want {
			t.Errorf("largest right inverse of %s = %d, want %d", text, got, want)
		}
	}
}

func TestCoordinateRelations(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b                        string
		congruent, weak, compatible bool
	}{
		{"24", "24", true, true, true},
		{"24", "(4,6)", false, true, true},
		{"(24)", "24", false, false, false},
		{"(24)", "(4,6)", false, false, false},
		{"(4,6)", "((2,2),6)", false, true, true},
		{"(4,6)", "(6,4)", true, true, false},
	} {
		a, b := oracle.TreeOf(cute.MustParseTuple(test.a)), oracle.TreeOf(cute.MustParseTuple(test.b))
		if a.Congruent(b) != test.congruent || a.WeaklyCongruent(b) != test.weak || a.Compatible(b) != test.compatible {
			t.Errorf("%s and %s: %v, %v, %v", test.a, test.b, a.Congruent(b), a.WeaklyCongruent(b), a.Compatible(b))
		}
	}
}
