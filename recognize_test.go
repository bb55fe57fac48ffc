package girih_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// wantRecognized stops unless girih finds the coalesced layout with the offsets, or the index where all fail.
func wantRecognized(t rapid.TB, offsets []int64) {
	t.Helper()
	fit := oracle.Refines(offsets, []int64{int64(len(offsets))})
	l, err := girih.Recognize(offsets)
	if fit.Ok != (err == nil) {
		t.Fatalf("recognize(%v) = %v, %v; a layout has these offsets: %v", offsets, l, err, fit.Ok)
	}
	if fit.Ok {
		if got := oracle.Of(l).Ints(); !slices.Equal(got, offsets) || !coalesce(t, l).Equal(l) {
			t.Fatalf("recognize(%v) = %v with the offsets %v", offsets, l, got)
		}
		return
	}
	e, ok := errors.AsType[*girih.Error](err)
	if !ok || e.Code != girih.CodeNotRepresentable || e.Witness == nil {
		t.Fatalf("recognize(%v): %v, want %q with a witness", offsets, err, girih.CodeNotRepresentable)
	}
	w := e.Witness
	value, _ := w.Value.Int64()
	want, _ := w.Want.Int64()
	if w.Index != fit.Index || value != offsets[fit.Index] || !slices.Equal(fit.Want, []int64{want}) ||
		!w.Coord.Equal(girih.Int(w.Index)) {
		t.Fatalf("recognize(%v): witness %+v, want index %d, where a layout gives %v", offsets, *w, fit.Index, fit.Want)
	}
}

func TestRecognizeLayouts(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Layouts().Draw(t, "a")
		l, err := girih.Recognize(oracle.Of(a).Ints())
		noError(t, "recognize", err)
		if want := coalesce(t, a); !l.Equal(want) {
			t.Fatalf("the offsets of %v are recognized as %v, want %v", a, l, want)
		}
	})
}

// One changed offset usually leaves no layout, and the place of the change is not always where they all fail.
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
		l, err := girih.Recognize(test.offsets)
		wantText(t, "recognize"+text(test.offsets), l, err, test.want)
	}
	for _, test := range []struct {
		offsets []int64
		code    girih.Code
	}{
		{nil, girih.CodeExtent},
		{[]int64{3, 4}, girih.CodeNotRepresentable},
		{[]int64{0, 1, 2, 4}, girih.CodeNotRepresentable},
		{[]int64{0, math.MinInt64}, girih.CodeOverflow},
		{[]int64{0, math.MaxInt64, math.MinInt64}, girih.CodeNotRepresentable},
		{make([]int64, girih.EnumLimit+1), girih.CodeLimit},
	} {
		_, err := girih.Recognize(test.offsets)
		wantCode(t, "recognize", err, test.code)
	}
}
