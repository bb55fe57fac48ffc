package symbolic_test

import (
	"slices"
	"testing"

	"girih/cute"
	"girih/symbolic"
)

// This file checks Theorem 10 of docs/proofs.md: the guard of a composition is exact if the strides of the left operand
// are unrelated. It tries all small values of the symbols, including values at the edges of the conditions, and zero
// and negative strides.

// small returns a symbol for each name. Symbols of extents (upper-case names) are at least 1; symbols of strides have
// no bound.
func small(t *testing.T, scope *symbolic.Scope, name string) symbolic.Int {
	t.Helper()
	if s, ok := scope.Lookup(name); ok {
		return symbolic.Of(s)
	}
	f := symbolic.NoFacts()
	if name >= "A" && name <= "Z" {
		f.Min, f.Max = 1, 100
	}
	s, err := scope.Named(name, f)
	if err != nil {
		t.Fatal(err)
	}
	return symbolic.Of(s)
}

// leaf returns a number, or the symbol of a name.
func leaf(t *testing.T, scope *symbolic.Scope, x any) symbolic.Tuple {
	t.Helper()
	if k, ok := x.(int); ok {
		return symbolic.Number(symbolic.Const(int64(k)))
	}
	return symbolic.Number(small(t, scope, x.(string)))
}

func TestGuardsOfSmallCompositionsAreExact(t *testing.T) {
	t.Parallel()
	holding, violated := 0, 0
	for _, c := range []struct{ a, shape, stride []any }{
		{[]any{"M", "N"}, []any{"K"}, []any{"r"}},
		{[]any{"M", "N"}, []any{4}, []any{"r"}},
		{[]any{"M", "N"}, []any{"K"}, []any{2}},
		{[]any{6, "N"}, []any{"K"}, []any{"r"}},
		{[]any{"M", 4}, []any{6}, []any{3}},
		{[]any{"M", "N", "P"}, []any{"K"}, []any{"r"}},
		{[]any{4, "N", 3}, []any{"K"}, []any{"r"}},
		{[]any{"M", "N"}, []any{"K", 2}, []any{1, "r"}},
		{[]any{"M", "N"}, []any{2, "K"}, []any{"r", "q"}},
		{[]any{"M", 3, "N"}, []any{"K", "L"}, []any{1, "K"}},
		{[]any{6, "N"}, []any{"K", 3}, []any{1, 2}},
		{[]any{4, 4, "N"}, []any{2, "K"}, []any{5, "r"}},
		{[]any{"M", "M"}, []any{"K", "M"}, []any{"M", "r"}},
	} {
		var scope symbolic.Scope
		tuple := func(xs []any) symbolic.Tuple {
			ts := make([]symbolic.Tuple, len(xs))
			for i, x := range xs {
				ts[i] = leaf(t, &scope, x)
			}
			return nested(ts)
		}
		b, err := symbolic.New(tuple(c.shape), tuple(c.stride))
		if err != nil {
			t.Fatal(err)
		}
		shape := tuple(c.a)
		strides := []any{"d0", "d1", "d2"}[:len(c.a)]
		a, err := symbolic.New(shape, tuple(strides))
		if err != nil {
			t.Fatal(err)
		}
		r, err := symbolic.Composition(a, b)
		if err != nil {
			t.Fatalf("%v o %v: %v", a, b, err)
		}
		at := symbolic.Values{}
		var free []*symbolic.Symbol
		for i, name := range []string{"d0", "d1", "d2"} {
			if s, ok := scope.Lookup(name); ok {
				at[s] = unrelated[i]
			}
		}
		for _, name := range []string{"M", "N", "P", "K", "L", "r", "q"} {
			if s, ok := scope.Lookup(name); ok {
				free = append(free, s)
			}
		}
		values := [][2]int64{{1, 8}, {1, 6}, {1, 4}}[min(len(free)-1, 4)/2]
		check := func() {
			x, errX := bare(a, at)
			y, errY := bare(b, at)
			if errX != nil || errY != nil {
				t.Fatal(errX, errY)
			}
			want, errWant := cute.Composition(x, y)
			got, errGot := bare(r, at)
			right := errWant == nil && errGot == nil && sameFunction(got, want)
			ok, err := r.Guard().Holds(at)
			if ok = ok && err == nil; ok != right {
				t.Fatalf("%v o %v = %v if %v: at %v the guard says %v; it is %v, %v, and for known integers %v, %v",
					a, b, r, r.Guard(), show(at), ok, got, errGot, want, errWant)
			}
			if ok {
				holding++
			} else {
				violated++
			}
		}
		var fill func(i int)
		fill = func(i int) {
			if i == len(free) {
				check()
				return
			}
			lo, hi := values[0], values[1]
			if slices.Contains([]string{"r", "q"}, free[i].Name()) {
				lo, hi = -2, 7
			}
			for x := lo; x <= hi; x++ {
				at[free[i]] = x
				fill(i + 1)
			}
		}
		fill(0)
	}
	t.Logf("%d values satisfy the guards, %d violate them", holding, violated)
	if holding < 1000 || violated < 1000 {
		t.Errorf("%d values satisfy the guards and %d violate them: too one-sided to be a test", holding, violated)
	}
}
