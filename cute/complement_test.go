package cute_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// mayTile draws layouts that often, but not always, have a complement.
func mayTile() *rapid.Generator[cute.Layout] {
	return rapid.OneOf(gen.Chained(24), gen.PowersOfTwo(), gen.Strided(0, 6))
}

// A complement exists exactly if copies of the layout tile the integers; the complement then lists the copies' places
// in order.
func TestComplement(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := mayTile().Draw(t, "a")
		m := rapid.Int64Range(1, 100).Draw(t, "m")
		c, err := cute.Complement(a, cute.Int(m))
		if !oracle.Complementable(oracle.Of(a)) {
			if errorCode(err) != cute.CodeNotComplementable {
				t.Fatalf("complement(%v, %d) = %v, %v, but copies of it do not tile", a, m, c, err)
			}
			return
		}
		noError(t, "complement", err)
		if err := oracle.CheckComplement(oracle.Of(a), oracle.Of(c), m); err != nil {
			t.Fatalf("complement(%v, %d) = %v: %v", a, m, c, err)
		}
		if !coalesce(t, c).Equal(c) {
			t.Fatalf("complement(%v, %d) = %v is not coalesced", a, m, c)
		}
		whole, err := cute.MakeLayout(a, c)
		noError(t, "make_layout", err)
		if f := cute.Filter(whole); !oracle.Surjective(oracle.Of(f), f.Size()) {
			t.Fatalf("(a, complement(%v, %d)) = %v is not a bijection of [0,%d)", a, m, whole, f.Size())
		}
	})
}

// Together with its complement in a shape, a layout covers the least multiple of its block that is at least the shape's
// size.
func TestComplementInShape(t *testing.T) { holds(t, checkComplementInShape) }

func FuzzComplementInShape(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkComplementInShape)) }

func checkComplementInShape(t *rapid.T) {
	a := gen.Chained(12).Draw(t, "a")
	target := cute.Ints(rapid.SliceOfN(rapid.Int64Range(1, 12), 1, 4).Draw(t, "extents")...)
	if rapid.Bool().Draw(t, "nested") {
		target = gen.Shapes(60).Draw(t, "target")
	}
	size := oracle.TreeOf(target).Size()
	c, err := cute.Complement(a, target)
	noError(t, "complement", err)
	if err := oracle.CheckComplement(oracle.Of(a), oracle.Of(c), size); err != nil {
		t.Fatalf("complement(%v, %v) = %v: %v", a, target, c, err)
	}
	// CuTe rounds up each mode's share of the block, from left to right.
	block, _, err := oracle.Block(oracle.Of(a))
	noError(t, "block", err)
	period, ok := oracle.Period(block, int(2*slices.Max(block)+2))
	if !ok {
		t.Fatalf("%v does not tile", a)
	}
	copies, left := int64(1), period
	for _, s := range target.Leaves() {
		copies *= (s + left - 1) / left
		left = (left + s - 1) / s
	}
	byMode, err := cute.ComplementByMode(a, target)
	want, wantErr := cute.Complement(a, cute.Int(copies*period))
	if err != nil || wantErr != nil || !byMode.Equal(want) {
		t.Fatalf("complement(%v, %v) mode by mode is %v, %v, want %v, %v", a, target, byMode, err, want, wantErr)
	}
}

// A layout and its exact complement in a shape cover exactly the shape's size.
func TestComplementExactInShape(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Chained(12).Draw(t, "a")
		target := gen.Shapes(60).Draw(t, "target")
		size := oracle.TreeOf(target).Size()
		c, err := cute.ComplementExact(a, target)
		want, wantErr := cute.ComplementExact(a, cute.Int(size))
		if errorCode(err) != errorCode(wantErr) || !c.Equal(want) {
			t.Fatalf("the exact complement of %v in %v is %v, %v, in %d it is %v, %v", a, target, c, err, size, want, wantErr)
		}
	})
}

func TestComplementExact(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := mayTile().Draw(t, "a")
		m := rapid.Int64Range(1, 60).Draw(t, "m")
		c, err := cute.ComplementExact(a, cute.Int(m))
		rounded, err2 := cute.Complement(a, cute.Int(m))
		if err2 != nil {
			wantCode(t, "the exact complement", err, errorCode(err2))
			return
		}
		block, _, bad := oracle.Block(oracle.Of(a))
		noError(t, "block", bad)
		period, _ := oracle.Period(block, 1000)
		if m%period != 0 {
			wantCode(t, "the exact complement", err, cute.CodeNotDivisible)
			return
		}
		if err != nil || !c.Equal(rounded) {
			t.Fatalf("the exact complement of %v in %d is %v, %v, want %v", a, m, c, err, rounded)
		}
	})
}

// Each axis has its own complement, up to the cotarget's extent along the axis.
func TestComplementAlongAxes(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.ChainedAxes().Draw(t, "a")
		if !a.HasBasis() {
			return
		}
		target, err := a.Coshape()
		noError(t, "coshape", err)
		more := gen.Coords(target).Draw(t, "more")
		target, err = target.Add(more)
		noError(t, "target", err)
		c, err := cute.Complement(a, target)
		noError(t, "complement", err)
		if c.Rank() != target.Rank() {
			t.Fatalf("complement(%v, %v) = %v has another rank than the cotarget", a, target, c)
		}
		axes, extents := oracle.TreeOf(target).Axes()
		for i, axis := range axes {
			x, y := oracle.Of(a).Along(axis), oracle.Of(c).Along(axis)
			if err := oracle.CheckComplement(x, y, extents[i]); err != nil {
				t.Fatalf("complement(%v, %v) = %v: along %s: %v", a, target, c, axis, err)
			}
		}
	})
}

func TestComplementOfSeveralAxes(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.MultiAxis().Draw(t, "a")
		c, err := cute.Complement(a, cute.MustParseTuple("((50,50),(50,50,50),(50,50))"))
		diagonal, negative := false, false
		for j, d := range oracle.Of(a).D {
			if oracle.Of(a).S[j] == 1 {
				continue
			}
			diagonal = diagonal || len(d) > 1
			for _, x := range d {
				negative = negative || x < 0
			}
		}
		if diagonal && errorCode(err) != cute.CodeCodomain {
			t.Fatalf("complement(%v) = %v, %v, want that it refuses diagonals", a, c, err)
		}
		if negative && err == nil {
			t.Fatalf("complement(%v) = %v, want that it refuses negative strides", a, c)
		}
	})
}

func TestComplementCosize(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := rapid.OneOf(gen.Chained(24), gen.ChainedAxes()).Draw(t, "a")
		target, err := a.Coshape()
		noError(t, "coshape", err)
		want, err := cute.Complement(a, target)
		noError(t, "complement", err)
		c, err := cute.ComplementCosize(a)
		if err != nil || !c.Equal(want) {
			t.Fatalf("complement(%v) = %v, %v, want %v", a, c, err, want)
		}
	})
}

// A weak complement is ordered, meets the layout only at 0, and extends as far as a complement. If there is a
// complement, it is the weak complement.
func TestWeakComplement(t *testing.T) { holds(t, checkWeakComplement) }

func FuzzWeakComplement(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkWeakComplement)) }

func checkWeakComplement(t *rapid.T) {
	a := rapid.OneOf(mayTile(), gen.Strided(0, 40), gen.Strided(-1, 9)).Draw(t, "a")
	target := cute.Ints(rapid.SliceOfN(rapid.Int64Range(1, 12), 1, 3).Draw(t, "extents")...)
	size := oracle.TreeOf(target).Size()
	r, err := cute.WeakComplement(a, target)
	// In stride order, each mode starts at or after the end of the copies of the block that earlier modes cover.
	block, copies, code := int64(1), int64(1), cute.Code("")
	for _, m := range sortedModes(a) {
		switch {
		case m[1] < 0:
			wantCode(t, fmt.Sprintf("weak_complement(%v)", a), err, cute.CodeNegative)
			return
		case m[1] < block && code == "":
			code = cute.CodeNotComplementable
		}
		copies, block = copies*max(m[1]/block, 1), m[0]*m[1]
	}
	wantCode(t, fmt.Sprintf("weak_complement(%v)", a), err, code)
	if code != "" {
		return
	}
	if err := oracle.CheckWeakComplement(oracle.Of(a), oracle.Of(r)); err != nil {
		t.Fatalf("weak_complement(%v, %v) = %v: %v", a, target, r, err)
	}
	k := (size + block - 1) / block
	if top := oracle.Of(r).Ints(); slices.Max(top) >= k*block || r.Size() != copies*k || !coalesce(t, r).Equal(r) {
		t.Fatalf("weak_complement(%v, %v) = %v, want %d copies below %d", a, target, r, copies*k, k*block)
	}
	alone, err := cute.WeakComplementCosize(a)
	noError(t, "weak_complement", err)
	if alone.Size() != copies {
		t.Fatalf("weak_complement(%v) = %v, want %d copies", a, alone, copies)
	}
	if c, err := cute.Complement(a, target); err == nil && !c.Equal(r) {
		t.Fatalf("weak_complement(%v, %v) = %v, and the complement is %v", a, target, r, c)
	}
}

// sortedModes returns, by stride, the extent and stride of each mode that moves.
func sortedModes(a cute.Layout) [][2]int64 {
	var ms [][2]int64
	for i, s := range a.Shape().Leaves() {
		if d := a.Stride().Leaves()[i]; s > 1 && d != 0 {
			ms = append(ms, [2]int64{s, d})
		}
	}
	slices.SortFunc(ms, func(a, b [2]int64) int { return cmp.Compare(a[1], b[1]) })
	return ms
}

func TestWeakComplementFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, target, want string }{
		{"(4,2):(1,6)", "24", "2:12"},
		{"(4,2):(1,10)", "14", "2:4"},
		{"(4,2):(1,10)", "40", "(2,2):(4,20)"},
		{"(4,2):(1,10)", "(5,8)", "(2,2):(4,20)"},
		{"(4,6):(1,6)", "34", "1:0"},
		{"(128,160):(65536,1)", "1", "409:160"}, // tensor memory: 128 lanes of 160 columns
		{"(4,2):(1@0,6@0)", "(30,2)", "(3,2):(12@0,1@1)"},
	} {
		c, err := cute.WeakComplement(parse(test.a), cute.MustParseTuple(test.target))
		wantText(t, "weak_complement("+test.a+", "+test.target+")", c, err, test.want)
	}
	for _, test := range []struct{ a, want string }{
		{"(4,2):(1,11)", "2:4"},
		{"(2,4):(11,1)", "2:4"},
		{"(4,2):(1,5)", "1:0"},
		{"(4,10):(1,10)", "2:4"},
		{"4:2", "2:1"},
	} {
		c, err := cute.WeakComplementCosize(parse(test.a))
		wantText(t, "weak_complement("+test.a+")", c, err, test.want)
	}
	for _, a := range []string{"(2,2):(2,3)", "(2,2):(1,1)", "(63,2):(1,1)"} {
		_, err := cute.WeakComplementCosize(parse(a))
		wantCode(t, "weak_complement("+a+")", err, cute.CodeNotComplementable)
	}
	_, err := cute.ComplementCosize(parse("(4,2):(1,11)"))
	if e, ok := errors.AsType[*cute.Error](err); !ok || !strings.Contains(e.Hint, "weak_complement((4,2):(1,11)) is 2:4") {
		t.Errorf("complement((4,2):(1,11)) is refused with %v, want a hint at the weak complement", err)
	}
}

func TestComplementFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, target, want string }{
		{"4:1", "24", "6:4"},
		{"6:4", "24", "4:1"},
		{"(4,6):(1,4)", "24", "1:0"},
		{"4:2", "24", "(2,3):(1,8)"},
		{"(2,4):(1,6)", "24", "3:2"},
		{"(2,2):(1,6)", "24", "(3,2):(2,12)"},
		{"(2,4,8):(8,1,64)", "460", "(2,4):(4,16)"},
		{"(2,3):(2,4)", "24", "(2,2):(1,12)"},
		{"4:1", "10", "3:4"},
		{"4:1", "1", "1:0"},
		{"4:0", "3", "3:1"},
		{"1:7", "8", "8:1"},
		{"():()", "8", "8:1"},
		{"4:1", "(4,7)", "7:4"},
		{"64:1", "(32,4,4)", "8:64"},
		{"3:1", "(2,18)", "12:3"}, // CuTe: 9:3, which covers 27
		{"6:1", "(5,5)", "5:6"},   // CuTe: 3:6, which covers 18
		{"2:1", "(5,6)", "15:2"},  // CuTe: 18:2, which covers 36
		{"3:1@0", "((2,18),4)", "(12,4):(3@0,1@1)"},
		{"4:1", "()", "1:0"},
		{"3:4@2", "(8,8,12)", "(8,8,4):(1@0,1@1,1@2)"},
		{"3:2@0", "6", "2:1@0"},
	} {
		target := cute.MustParseTuple(test.target)
		c, err := cute.Complement(parse(test.a), target)
		if test.a == "3:2@0" {
			wantCode(t, "complement(3:2@0, 6)", err, cute.CodeNotCongruent)
			continue
		}
		wantText(t, "complement("+test.a+", "+test.target+")", c, err, test.want)
	}
	for _, test := range []struct {
		a, target string
		code      cute.Code
	}{
		{"(2,2):(2,3)", "24", cute.CodeNotComplementable}, // CuTe's Python and DSL return an extent of 0
		{"(4,2):(1,6)", "24", cute.CodeNotComplementable}, // all of NVIDIA's cut 6/4 to 1
		{"(4,2):(1,10)", "24", cute.CodeNotComplementable},
		{"(2,2):(1,1)", "8", cute.CodeNotComplementable},
		{"4:-1", "8", cute.CodeNegative},
		{"(4,1):(1,-1)", "8", ""},
		{"4:1", "0", cute.CodeExtent},
		{"4:1", "(4,1@0)", cute.CodeCodomain},
		{"4:1@0+1@1", "(4,4)", cute.CodeCodomain},
		{"4:1@2", "(4,4)", cute.CodeNotCongruent},
	} {
		target, err := cute.ParseTuple(test.target)
		if err == nil {
			_, err = cute.Complement(parse(test.a), target)
		}
		wantCode(t, "complement("+test.a+", "+test.target+")", err, test.code)
	}
	if _, err := cute.ComplementExact(parse("4:1"), cute.Int(10)); errorCode(err) != cute.CodeNotDivisible {
		t.Errorf("the exact complement of 4:1 in 10: %v, want %q", err, cute.CodeNotDivisible)
	}
}

// If a layout is refused, no set of translates makes a bijection, whether that set is a layout or not.
func TestComplementableExhaustively(t *testing.T) {
	t.Parallel()
	for _, s := range [][]int64{{2, 2}, {3, 2}, {2, 3}, {4, 2}, {2, 2, 2}} {
		for _, d := range oracle.Coords(slices.Repeat([]int64{10}, len(s))) {
			l, err := cute.New(cute.Ints(s...), cute.Ints(d...))
			if err != nil {
				t.Fatal(err)
			}
			_, err = cute.Complement(l, cute.Int(1))
			if want := oracle.Complementable(oracle.Of(l)); want != (err == nil) {
				t.Errorf("complement(%v): %v, but copies of it tile: %v", l, err, want)
			}
		}
	}
}
