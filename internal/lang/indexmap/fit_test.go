package indexmap_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/indexmap"

	"pgregory.net/rapid"
)

// ladders returns the tables of all layouts of n elements with strides of at most most.
func ladders(n, most int64) [][]int64 {
	if n == 1 {
		return [][]int64{{0}}
	}
	var all [][]int64
	for s := int64(2); s <= n; s++ {
		if n%s != 0 {
			continue
		}
		for _, rest := range ladders(n/s, most) {
			for d := -most; d <= most; d++ {
				var table []int64
				for _, x := range rest {
					for k := range s {
						table = append(table, x+k*d)
					}
				}
				all = append(all, table)
			}
		}
	}
	return all
}

// agreed returns the number of entries, from the first on, at which some layout of the extents has the values: the size
// if one has them all.
func agreed(values []int64, a, b, most int64) int {
	best := 0
	for _, x := range ladders(a, most) {
		for _, y := range ladders(b, most) {
			n := 0
			for n < len(values) && values[n] == values[0]+x[int64(n)%a]+y[int64(n)/a] {
				n++
			}
			best = max(best, n)
		}
	}
	return best
}

// A fit has the values at every index, and the witness of a refusal is the first index at which every layout fails.
func TestFitAgainstAllLayouts(t *testing.T) {
	t.Parallel()
	fitted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64Range(1, 4).Draw(t, "a"), rapid.Int64Range(1, 4).Draw(t, "b")
		const most = 2
		x := rapid.SampledFrom(ladders(a, most)).Draw(t, "x")
		y := rapid.SampledFrom(ladders(b, most)).Draw(t, "y")
		origin := rapid.Int64Range(-1, 1).Draw(t, "origin")
		values := make([]int64, a*b)
		for i := range values {
			values[i] = origin + x[int64(i)%a] + y[int64(i)/a]
		}
		if rapid.Bool().Draw(t, "changed") {
			values[rapid.IntRange(0, len(values)-1).Draw(t, "at")] += rapid.SampledFrom([]int64{-1, 1}).Draw(t, "by")
		}
		valueOf := func(i int64) (cute.Tuple, error) { return cute.Int(values[i]), nil }
		table, err := indexmap.Tabulate([]int64{a, b}, nil, valueOf)
		if err != nil {
			t.Fatal(err)
		}
		fit, err := table.Fit()
		if e, ok := errors.AsType[*cute.Error](err); ok {
			refused++
			// A changed entry may need steeper strides.
			if n := agreed(values, a, b, 4*most+2); e.Witness == nil || int64(n) != e.Witness.Index {
				t.Fatalf("%v over (%d,%d): %v, layouts agree on %d entries", values, a, b, err, n)
			}
			return
		}
		fitted++
		for i, want := range values {
			if got := valueAt(t, fit, int64(i)); got != want {
				t.Fatalf("%v over (%d,%d): at %d the fit has %d", values, a, b, i, got)
			}
		}
	})
	if fitted == 0 || refused == 0 {
		t.Errorf("%d fitted, %d refused", fitted, refused)
	}
}

// valueAt evaluates a fit with one result.
func valueAt(t *rapid.T, f indexmap.Fit, i int64) int64 {
	var v cute.Tuple
	var err error
	switch {
	case f.Layout != nil:
		v, err = f.Layout.Eval(cute.Int(i))
	case f.Composed != nil:
		v, err = f.Composed.Eval(cute.Int(i))
	default:
		x, err := f.Xor.Eval(cute.Int(i))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	if err != nil {
		t.Fatal(err)
	}
	x, _ := v.Int64()
	return x
}

// TestRecordedValues evaluates random formulas at i=0..4, j=0..3. Their values were computed by CPython 3 and g++,
// which also reported overflows.
func TestRecordedValues(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/values.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); n++ {
		text, want, _ := strings.Cut(lines.Text(), "\t")
		m, err := indexmap.Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		var got []string
		for x := range int64(20) {
			out := []int64{0}
			if err := m.At([]int64{x % 5, x / 5}, out); err != nil {
				t.Errorf("%s: %v", text, err)
				break
			}
			got = append(got, fmt.Sprint(out[0]))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", text, got, want)
		}
	}
	if n < 200 {
		t.Errorf("%d formulas", n)
	}
}
