package swizzle_test

import (
	"math/bits"
	"testing"

	"girih/cute"
	"girih/swizzle"

	"pgregory.net/rapid"
)

// aSwizzle draws a swizzle whose bits are below n.
func aSwizzle(t *rapid.T, n int) cute.Swizzle {
	b := rapid.IntRange(0, n/2).Draw(t, "B")
	s := rapid.IntRange(b, n-b).Draw(t, "|S|")
	m := rapid.IntRange(0, n-b-s).Draw(t, "M")
	if rapid.Bool().Draw(t, "up") {
		s = -s
	}
	w, err := cute.NewSwizzle(b, m, s)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// aMap draws an invertible map of at most n bits.
func aMap(t *rapid.T, n int) swizzle.Map {
	var span []uint64
	in := map[uint64]bool{0: true}
	for len(span) < n {
		v := rapid.Uint64Range(1, 1<<n-1).Draw(t, "column")
		for in[v] {
			v = v%(1<<n-1) + 1
		}
		for x := range in {
			in[x^v] = true
		}
		more := make([]uint64, 0, len(in))
		for x := range in {
			more = append(more, x^v)
		}
		for _, x := range more {
			in[x] = true
		}
		span = append(span, v)
	}
	m, err := swizzle.NewMap(span)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func at(t *rapid.T, f interface{ At(int64) (int64, error) }, x int64) int64 {
	y, err := f.At(x)
	if err != nil {
		t.Fatal(err)
	}
	return y
}

// The map of a swizzle is the same function, and is recognised as an equal swizzle.
func TestMapOfSwizzle(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := aSwizzle(t, 12)
		m := swizzle.MapOf(w)
		for x := range int64(1 << 13) {
			if a, b := at(t, w, x), at(t, m, x); a != b {
				t.Fatalf("%v(%d) = %d, as a map %d", w, x, a, b)
			}
		}
		if back, err := m.Swizzle(); err != nil || back != w && w.B() != 0 {
			t.Fatalf("%v came back as %v, %v", w, back, err)
		}
		if m.Cost() != w.B() {
			t.Fatalf("%v costs %d", w, m.Cost())
		}
	})
}

// Products, inverses and formulas of maps agree with their values.
func TestMapAlgebra(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 7).Draw(t, "n")
		a, b := aMap(t, n), aMap(t, rapid.IntRange(1, 7).Draw(t, "n2"))
		ab, inv := a.After(b), a.Inverse()
		seen := map[int64]bool{}
		for x := range int64(256) {
			y := at(t, a, x)
			if seen[y] {
				t.Fatalf("%v takes two offsets to %d", a, y)
			}
			seen[y] = true
			if got, want := at(t, ab, x), at(t, a, at(t, b, x)); got != want {
				t.Fatalf("(%v) after (%v) at %d is %d, want %d", a, b, x, got, want)
			}
			if got := at(t, inv, y); got != x {
				t.Fatalf("the inverse of %v takes %d to %d, want %d", a, y, got, x)
			}
			sum := x
			for _, term := range a.Terms() {
				if term.Shift >= 0 {
					sum ^= x & term.Mask >> term.Shift
				} else {
					sum ^= x & term.Mask << -term.Shift
				}
			}
			if sum != y {
				t.Fatalf("the formula %v gives %d at %d, want %d", a, sum, x, y)
			}
			v, err := a.Matrix().Apply(0)
			if err != nil || v != 0 {
				t.Fatal("matrix of 0")
			}
		}
		for j := range a.Bits() {
			if col := a.Matrix().Col(j); uint64(col) != a.Col(j) {
				t.Fatalf("column %d of the matrix is %b, want %b", j, col, a.Col(j))
			}
		}
		if chain, err := a.Factors(); err == nil {
			var m swizzle.Map
			for _, w := range chain {
				m = m.After(swizzle.MapOf(w))
			}
			if !m.Equal(a) {
				t.Fatalf("the factors %v of %v are %v", chain, a, m)
			}
		}
	})
}

// Compose finds a single swizzle exactly if any swizzle equals the composition.
func TestComposeAgainstAllSwizzles(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		v, w := aSwizzle(t, 7), aSwizzle(t, 7)
		got, err := swizzle.Compose(v, w)
		var want *cute.Swizzle
		for _, u := range allSwizzles(7) {
			same := true
			for j := 0; j < 8 && same; j++ {
				same = at(t, u, 1<<j) == at(t, v, at(t, w, 1<<j))
			}
			if same {
				want = &u
				break
			}
		}
		switch {
		case (err == nil) != (want != nil):
			t.Fatalf("%v o %v: %v, %v; want %v", v, w, got, err, want)
		case err == nil && at(t, got, 0x55) != at(t, *want, 0x55):
			t.Fatalf("%v o %v = %v, want %v", v, w, got, want)
		}
	})
}

// allSwizzles returns every swizzle whose bits are below n, in any order.
func allSwizzles(n int) []cute.Swizzle {
	var ws []cute.Swizzle
	for b := range n {
		for s := -n; s <= n; s++ {
			for m := range n {
				if w, err := cute.NewSwizzle(b, m, s); err == nil && (b > 0 || m == 0 && s == 0) && m+max(s, -s)+b <= n {
					ws = append(ws, w)
				}
			}
		}
	}
	return ws
}

// A recast swizzle moves the same bytes: it moves each wide unit as the original moves the unit's parts.
func TestRecastMovesTheSameBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := aSwizzle(t, 9)
		from := 1 << rapid.IntRange(0, 6).Draw(t, "from")
		to := 1 << rapid.IntRange(0, 6).Draw(t, "to")
		r, err := swizzle.Recast(w, from, to)
		if err != nil {
			if w.S() > 0 || to <= from {
				t.Fatal(err)
			}
			return
		}
		n := bits.TrailingZeros(uint(max(from, to) / min(from, to)))
		for x := range int64(1 << 9) {
			if to >= from { // x counts narrow units
				if got, want := at(t, r, x>>n), at(t, w, x)>>n; got != want {
					t.Fatalf("%v from %d to %d bits is %v: unit %d goes to %d, want %d", w, from, to, r, x>>n, got, want)
				}
				continue
			}
			for i := range int64(1) << n {
				if got, want := at(t, r, x<<n|i), at(t, w, x)<<n|i; got != want {
					t.Fatalf("%v from %d to %d bits is %v: unit %d goes to %d, want %d", w, from, to, r, x<<n|i, got, want)
				}
			}
		}
	})
}
