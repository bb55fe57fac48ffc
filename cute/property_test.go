package cute_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/long"
	"girih/internal/check/oracle"
)

// This file contains the helpers that the property tests of the package share. The definitions are in
// internal/check/oracle, and internal/check/gen draws the values.

// holds checks a property on 200 drawn values (more in long tests), in parallel with other tests.
func holds(t *testing.T, property func(*rapid.T)) {
	t.Helper()
	t.Parallel()
	rounds := 2
	switch {
	case testing.Short():
		rounds = 1
	case long.Tests():
		rounds = 8
	}
	for range rounds {
		rapid.Check(t, property)
	}
}

// anyLayout draws layouts of integers and, less often, of coordinates.
func anyLayout() *rapid.Generator[cute.Layout] {
	return rapid.OneOf(gen.Layouts(), gen.Layouts(), gen.NonNegativeLayouts(), gen.MultiAxis(), gen.SingleAxis())
}

// errorCode returns the code of a girih error, "" for no error and "foreign" for any other error.
func errorCode(err error) cute.Code {
	if err == nil {
		return ""
	}
	if e, ok := errors.AsType[*cute.Error](err); ok {
		return e.Code
	}
	return "foreign"
}

// wantCode reports an error whose code is not the wanted code; "" wants no error.
func wantCode(t rapid.TB, what string, err error, code cute.Code) {
	t.Helper()
	if errorCode(err) != code {
		t.Errorf("%s: error %v, want code %q", what, err, code)
	}
}

// wantText reports a result whose text differs from the wanted one, or an error.
func wantText(t rapid.TB, what string, got fmt.Stringer, err error, want string) {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v, want %s", what, err, want)
		return
	}
	if got.String() != want {
		t.Errorf("%s = %v, want %s", what, got, want)
	}
}

// wantTable stops a property unless l has the given offsets, in colexicographic order.
func wantTable(t *rapid.T, what string, l cute.Layout, want []oracle.Vector) {
	t.Helper()
	got := oracle.Of(l).Table()
	if !slices.EqualFunc(got, want, oracle.Vector.Equal) {
		t.Fatalf("%s = %v with the offsets %v, want %v", what, l, got, want)
	}
}

// noError stops a property if an operation that must succeed returns an error.
func noError(t *rapid.T, what string, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
}

// parse reads a layout in a table test.
func parse(text string) cute.Layout { return cute.MustParse(text) }

// compactIn returns the strides of the compact layout of the extents s. The leaves vary in the order of their ranks,
// from left to right if the ranks are equal, and an extent of 1 has stride 0.
func compactIn(s []int64, rank func(i int) int64) []int64 {
	order := make([]int, len(s))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	d, next := make([]int64, len(s)), int64(1)
	for _, i := range order {
		if s[i] > 1 {
			d[i] = next
			next *= s[i]
		}
	}
	return d
}
