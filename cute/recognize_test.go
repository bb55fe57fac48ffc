package cute_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// wantRecognized stops unless girih finds the coalesced layout with the offsets, or the index where all fail.
func wantRecognized(t rapid.TB, offsets []int64) {
	t.Helper()
	fit := oracle.Refines(offsets, []int64{int64(len(offsets))})
	l, err := cute.Recognize(offsets)
	if fit.Ok != (err == nil) {
		t.Fatalf("recognize(%v) = %v, %v; a layout has these offsets: %v", offsets, l, err, fit.Ok)
	}
	if fit.Ok {
		if got := oracle.Of(l).Ints(); !slices.Equal(got, offsets) || !coalesce(t, l).Equal(l) {
			t.Fatalf("recognize(%v) = %v with the offsets %v", offsets, l, got)
		}
		return
	}
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || e.Code != cute.CodeNotRepresentable || e.Witness == nil {
		t.Fatalf("recognize(%v): %v, want %q with a witness", offsets, err, cute.CodeNotRepresentable)
	}
	w := e.Witness
	value, _ := w.Value.Int64()
	want, _ := w.Want.Int64()
	if w.Index != fit.Index || value != offsets[fit.Index] || !slices.Equal(fit.Want, []int64{want}) ||
		!w.Coord.Equal(cute.Int(w.Index)) {
		t.Fatalf("recognize(%v): witness %+v, want index %d, where a layout gives %v", offsets, *w, fit.Index, fit.Want)
	}
}

func TestRecognizeLayouts(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Layouts().Draw(t, "a")
		l, err := cute.Recognize(oracle.Of(a).Ints())
		noError(t, "recognize", err)
		if want := coalesce(t, a); !l.Equal(want) {
			t.Fatalf("the offsets of %v are recognized as %v, want %v", a, l, want)
		}
	})
}

// After one change to the offsets usually no layout has them, and all layouts may fail at a different place from the
// change.
func TestRecognizeAlmostLayouts(t *testing.T) {
	holds(t, func(t *rapid.T) {
		offsets := oracle.Of(gen.Layouts().Draw(t, "a")).Ints()
		for range rapid.IntRange(1, 3).Draw(t, "changes") {
			i := rapid.IntRange(0, len(offsets)-1).Draw(t, "at")
			offsets[i] += rapid.Int64Range(-2, 2).Draw(t, "by")
		}
		wantRecognized(t, offsets)
	})
}

func TestRecognizeTables(t *testing.T) {
	holds(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 3, 4, 6, 8, 12, 16, 18, 24}).Draw(t, "n")
		wantRecognized(t, rapid.SliceOfN(rapid.Int64Range(0, 1), n, n).Draw(t, "offsets"))
		wantRecognized(t, rapid.SliceOfN(rapid.Int64Range(-1, 3), n, n).Draw(t, "offsets"))
	})
}

func TestRecognizeFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		offsets []int64
		want    string
	}{
		{[]int64{0}, "1:0"},
		{[]int64{0, 0, 0}, "3:0"},
		{[]int64{0, 2, 4, 6}, "4:2"},
		{[]int64{0, 1, 8, 9, 4, 5, 12, 13}, "(2,2,2):(1,8,4)"},
		{[]int64{0, -1, 5, 4}, "(2,2):(-1,5)"},
		{[]int64{0, math.MaxInt64}, "2:9223372036854775807"},
	} {
		l, err := cute.Recognize(test.offsets)
		wantText(t, "recognize"+text(test.offsets), l, err, test.want)
	}
	for _, test := range []struct {
		offsets []int64
		code    cute.Code
	}{
		{nil, cute.CodeExtent},
		{[]int64{3, 4}, cute.CodeNotRepresentable},
		{[]int64{0, 1, 2, 4}, cute.CodeNotRepresentable},
		{[]int64{0, math.MinInt64}, cute.CodeOverflow},
		{[]int64{0, math.MaxInt64, math.MinInt64}, cute.CodeNotRepresentable},
		{make([]int64, cute.EnumLimit+1), cute.CodeLimit},
	} {
		_, err := cute.Recognize(test.offsets)
		wantCode(t, "recognize", err, test.code)
	}
}

// encode writes a coordinate as one number, such that sums and multiples of the table's coordinates are sums and
// multiples of the numbers. Brute force over integers then decides for coordinates.
func encode(t rapid.TB, c cute.Tuple) int64 {
	const base = 1 << 15
	leaf, err := cute.ArithmeticTuple(c)
	if err != nil {
		t.Fatalf("the coordinate %v: %v", c, err)
	}
	sum := int64(0)
	leaf.Terms(func(x int64, path []int) {
		place := int64(1)
		for _, p := range path {
			for range 2*p + 1 {
				place *= base
			}
		}
		sum += x * place
	})
	return sum
}

// checkRecognizedCoordinates stops unless girih finds the coalesced layout with the coordinates, or the index where all
// layouts fail.
func checkRecognizedCoordinates(t rapid.TB, coords []cute.Tuple) {
	t.Helper()
	numbers := make([]int64, len(coords))
	for i, c := range coords {
		numbers[i] = encode(t, c)
	}
	fit := oracle.Refines(numbers, []int64{int64(len(numbers))})
	l, err := cute.RecognizeCoordinates(coords)
	if fit.Ok != (err == nil) {
		t.Fatalf("recognize(%v) = %v, %v; a layout has these coordinates: %v", coords, l, err, fit.Ok)
	}
	if fit.Ok {
		if again := cute.Coalesce(l); !again.Equal(l) {
			t.Fatalf("recognize(%v) = %v, which is not coalesced: %v", coords, l, again)
		}
		for i := range coords {
			c, err := l.Eval(cute.Int(int64(i)))
			if err != nil || encode(t, c) != numbers[i] {
				t.Fatalf("recognize(%v) = %v with %v at index %d, %v", coords, l, c, i, err)
			}
		}
		return
	}
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || e.Code != cute.CodeNotRepresentable || e.Witness == nil {
		t.Fatalf("recognize(%v): %v, want %q with a witness", coords, err, cute.CodeNotRepresentable)
	}
	w := e.Witness
	if w.Index != fit.Index || !w.Value.Equal(coords[fit.Index]) || !slices.Equal(fit.Want, []int64{encode(t, w.Want)}) {
		t.Fatalf("recognize(%v): witness %+v, want index %d, where a layout gives the code of %v",
			coords, *w, fit.Index, fit.Want)
	}
}

// coordinatesOf returns the coordinates of a layout with two axes, as tuples or as leaves, with some changed.
func recognizesCoordinates(t *rapid.T) {
	shape := gen.Shapes(48).Draw(t, "shape")
	l, err := cute.LayoutLeft(shape)
	noError(t, "layout_left", err)
	step := rapid.SliceOfN(rapid.Int64Range(-2, 3), 2*l.Flatten().Rank(), 2*l.Flatten().Rank()).Draw(t, "steps")
	extents := shape.Leaves()
	coords := make([]cute.Tuple, l.Size())
	for i := range coords {
		var x [2]int64
		rest := int64(i)
		for j, s := range extents {
			x[0] += rest % s * step[2*j]
			x[1] += rest % s * step[2*j+1]
			rest /= s
		}
		coords[i] = cute.Ints(x[0], x[1])
	}
	for range rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "changes") {
		i := rapid.IntRange(0, len(coords)-1).Draw(t, "at")
		coords[i], err = coords[i].Add(cute.Ints(rapid.Int64Range(-1, 1).Draw(t, "by"), rapid.Int64Range(-1, 1).Draw(t, "by")))
		noError(t, "add", err)
	}
	checkRecognizedCoordinates(t, coords)
	leaves := make([]cute.Tuple, len(coords))
	for i, c := range coords {
		leaves[i], err = cute.ArithmeticTuple(c)
		noError(t, "as_arithmetic_tuple", err)
	}
	checkRecognizedCoordinates(t, leaves)
}

func TestRecognizeCoordinates(t *testing.T) { holds(t, recognizesCoordinates) }

func FuzzRecognizeCoordinates(f *testing.F) { f.Fuzz(rapid.MakeFuzz(recognizesCoordinates)) }

func TestRecognizeCoordinatesFacts(t *testing.T) {
	t.Parallel()
	tuple := cute.MustParseTuple
	modes := func(text string) []cute.Tuple { return tuple(text).Modes() }
	for text, want := range map[string]string{
		"((0,0),(1,0),(0,1),(1,1))":                 "(2,2):(1@0,1@1)",
		"((0,(0,0)),(1,(0,2)),(0,(1,0)),(1,(1,2)))": "(2,2):(1@0+2@1@1,1@0@1)",
		"((0,0),(0,0))":                             "2:0",
		"((0),(1),(2))":                             "3:1@0",
		"((0,0))":                                   "1:0",
	} {
		l, err := cute.RecognizeCoordinates(modes(text))
		wantText(t, "recognize"+text, l, err, want)
	}
	for text, code := range map[string]cute.Code{
		"()":                               cute.CodeExtent,
		"((0,0),(1,(0,0)))":                cute.CodeNotCongruent,
		"((0,0),0)":                        cute.CodeNotCongruent,
		"((1,0),(2,0))":                    cute.CodeNotRepresentable,
		"((0,0),(0,-9223372036854775808))": cute.CodeOverflow,
		"((),())":                          cute.CodeCodomain,
		"((0,1@0))":                        cute.CodeCodomain,
	} {
		_, err := cute.RecognizeCoordinates(modes(text))
		wantCode(t, "recognize"+text, err, code)
	}
	_, err := cute.RecognizeCoordinates(make([]cute.Tuple, 0))
	wantCode(t, "recognize()", err, cute.CodeExtent)
	wide := make([]int64, cute.MaxAxisPath+2)
	_, err = cute.ArithmeticTuple(cute.Ints(wide...))
	wantCode(t, "as_arithmetic_tuple of 65 numbers", err, cute.CodeCodomain)
}
