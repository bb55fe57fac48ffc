package symbolic

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/ints"
)

// wantSame reports where an expression differs from its tree. Computing with small numbers never leaves 64 bits.
func wantSame(t *rapid.T, x Int, tr *tree, at Values) {
	t.Helper()
	want, ok := tr.value(at)
	if !ok {
		return
	}
	got, err := x.At(at)
	if err != nil || !want.IsInt64() || got != want.Int64() {
		t.Fatalf("%s at %v = %d, %v, want %s", x.text(numbered), spell(at), got, err, want)
	}
}

// spell writes values with the names of their symbols.
func spell(at Values) string {
	byName := map[string]int64{}
	for s, x := range at {
		byName[s.String()] = x
	}
	return fmt.Sprint(byName)
}

// wantRefused checks that an expression is refused with the right error. The divisor may not be positive (for a number,
// tree.build reports that without an error), or the expression has too many terms or leaves 64 bits.
func wantRefused(t *rapid.T, c *calc) {
	if code := codeOf(c.err); c.err != nil && code != cute.CodeLimit && code != cute.CodeOverflow &&
		code != cute.CodeExtent {
		t.Fatalf("an expression is refused with %v", c.err)
	}
}

// Every simplification keeps the value for all values of the symbols.
func TestArithmeticAgreesWithNumbers(t *testing.T) {
	holds(t, func(t *rapid.T) {
		symbols := drawSymbols(t)
		tr := drawTree(t, symbols, 3, treeOps)
		var c calc
		x, ok := tr.build(&c)
		if !ok || c.err != nil {
			wantRefused(t, &c)
			return
		}
		for _, at := range drawSamples(t, symbols) {
			wantSame(t, x, tr, at)
		}
	})
}

// Values can be given in two portions.
func TestWithAgreesWithAt(t *testing.T) {
	holds(t, func(t *rapid.T) {
		symbols := drawSymbols(t)
		tr := drawTree(t, symbols, 3, treeOps)
		var c calc
		x, ok := tr.build(&c)
		if !ok || c.err != nil {
			wantRefused(t, &c)
			return
		}
		first := rapid.SampledFrom(symbols).Draw(t, "first")
		for _, at := range drawSamples(t, symbols) {
			var c calc
			part := c.with(x, Values{first: at[first]})
			if c.err != nil {
				if _, ok := tr.value(at); ok {
					t.Fatalf("%s with %s = %d: %v, and it has a value at %s", x, first, at[first], c.err, spell(at))
				}
				continue
			}
			wantSame(t, part, tr, at)
			rest := Values{}
			for s, v := range at {
				if s != first {
					rest[s] = v
				}
			}
			wantSame(t, part, tr, at)
			if want, ok := tr.value(at); ok {
				if got, err := part.At(rest); err != nil || got != want.Int64() {
					t.Fatalf("%s with %s = %d is %s, at %s %d, %v, want %s", x, first, at[first], part, spell(rest), got, err, want)
				}
			}
		}
	})
}

// Equal polynomials are equal as values, so the laws of a ring are comparisons.
func TestRingLawsAreEqualities(t *testing.T) {
	holds(t, func(t *rapid.T) {
		symbols := drawSymbols(t)
		var c calc
		var v [3]Int
		for i := range v {
			x, ok := drawTree(t, symbols, 2, treeOps).build(&c)
			if !ok {
				wantRefused(t, &c)
				return
			}
			v[i] = x
		}
		x, y, z := v[0], v[1], v[2]
		for _, law := range []struct {
			name        string
			left, right Int
		}{
			{"x+y = y+x", c.add(x, y), c.add(y, x)},
			{"(x+y)+z = x+(y+z)", c.add(c.add(x, y), z), c.add(x, c.add(y, z))},
			{"xy = yx", c.mul(x, y), c.mul(y, x)},
			{"(xy)z = x(yz)", c.mul(c.mul(x, y), z), c.mul(x, c.mul(y, z))},
			{"(x+y)z = xz+yz", c.mul(c.add(x, y), z), c.add(c.mul(x, z), c.mul(y, z))},
			{"x-x = 0", c.sub(x, x), Const(0)},
		} {
			if c.err != nil {
				wantRefused(t, &c)
				return
			}
			if !law.left.Equal(law.right) || law.left.key() != law.right.key() {
				t.Fatalf("%s: %s and %s for %s, %s, %s", law.name, law.left.key(), law.right.key(), x.key(), y.key(), z.key())
			}
		}
	})
}

// A product divided by a factor is the other factor, and an exact quotient times the divisor is the dividend.
func TestExactDivision(t *testing.T) {
	holds(t, func(t *rapid.T) {
		symbols := drawSymbols(t)
		var c calc
		x, okX := drawTree(t, symbols, 2, treeOps).build(&c)
		y, okY := drawTree(t, symbols, 2, treeOps).build(&c)
		if !okX || !okY || c.err != nil || y.is(0) {
			wantRefused(t, &c)
			return
		}
		p := c.mul(x, y)
		if q, ok := c.exact(p, y); c.err == nil && (!ok || !q.Equal(x)) {
			t.Fatalf("(%s)·(%s) = %s, divided by the second factor %s, %v", x.key(), y.key(), p.key(), q.key(), ok)
		}
		if q, ok := c.exact(x, y); ok && !c.mul(q, y).Equal(x) {
			t.Fatalf("(%s)/(%s) = %s, which times the divisor is %s", x.key(), y.key(), q.key(), c.mul(q, y).key())
		}
	})
}

// The factor that cancel removes from dividend and divisor is positive, so quotients and divisibility do not change.
func TestCancelledKeepsQuotients(t *testing.T) {
	holds(t, func(t *rapid.T) {
		symbols := drawSymbols(t)
		var c calc
		x, okX := drawTree(t, symbols, 2, treeOps).build(&c)
		y, okY := drawTree(t, symbols, 2, treeOps).build(&c)
		f, okF := drawTree(t, symbols, 2, treeMul+1).build(&c)
		if !okX || !okY || !okF || c.err != nil {
			wantRefused(t, &c)
			return
		}
		x, y = c.mul(x, f), c.mul(y, f)
		p, q := cancel(x, y)
		if left, right := c.mul(x, q), c.mul(y, p); c.err == nil && !left.Equal(right) {
			t.Fatalf("cancelled(%s, %s) = %s, %s", x.key(), y.key(), p.key(), q.key())
		}
		for _, at := range drawSamples(t, symbols) {
			a, errA := x.At(at)
			b, errB := y.At(at)
			if errA != nil || errB != nil || b < 1 {
				continue
			}
			v, errV := p.At(at)
			w, errW := q.At(at)
			if errV != nil || errW != nil || w < 1 || ints.FloorDiv(a, b) != ints.FloorDiv(v, w) || (a%b == 0) != (v%w == 0) {
				t.Fatalf("cancelled(%s, %s) = %s, %s: at %s %d/%d is %d/%d", x.key(), y.key(), p.key(), q.key(),
					spell(at), a, b, v, w)
			}
		}
	})
}

// A number that leaves 64 bits is an error, never a wrong number.
func TestOverflowIsAnError(t *testing.T) {
	big := []int64{
		math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1, 1 << 62, -1 << 62, 1 << 32,
		3037000500, 3, -1, 0, 1,
	}
	holds(t, func(t *rapid.T) {
		var s Scope
		k, _ := s.Named("K", NoFacts())
		m, _ := s.Named("M", NoFacts())
		symbols := []*Symbol{k, m}
		tr := drawTree(t, symbols, 3, treeOps)
		tr.each(func(x *tree) {
			if x.op == treeConst && rapid.Bool().Draw(t, "big") {
				x.k = rapid.SampledFrom(big).Draw(t, "number")
			}
		})
		at := Values{k: rapid.SampledFrom(big).Draw(t, "K"), m: rapid.SampledFrom(big).Draw(t, "M")}
		want, defined := tr.value(at)
		var c calc
		x, ok := tr.build(&c)
		if !ok || !defined {
			wantRefused(t, &c)
			return
		}
		got, err := x.At(at)
		switch {
		case c.err != nil:
			if codeOf(c.err) != cute.CodeOverflow {
				t.Fatalf("%v, want an overflow", c.err)
			}
		case err != nil:
			// An inner divisor may overflow in a quotient that is never computed; the error code stays the same.
			if codeOf(err) != cute.CodeOverflow {
				t.Fatalf("%s at %s: %v, want %s or an overflow", x.key(), spell(at), err, want)
			}
		case !want.IsInt64() || got != want.Int64():
			t.Fatalf("%s at %s = %d, want %s", x.key(), spell(at), got, want)
		}
	})
}

// Each coefficient and each constant term is checked for overflow.
func TestCoefficientsThatLeave64Bits(t *testing.T) {
	t.Parallel()
	k, m := scaled("K", 1), scaled("M", 1)
	large, most := Const(1<<32), scaled("K", math.MaxInt64)
	var c calc
	kl, ml := c.mul(k, large), c.mul(m, large)
	klPlus := c.add(kl, Const(1))
	if c.err != nil {
		t.Fatal(c.err)
	}
	for _, tt := range []struct {
		name string
		f    func(x, y Int) (Int, error)
		x, y Int
	}{
		{"a coefficient of a sum", Add, most, k},
		{"the constant of a sum", Add, c.add(k, Const(math.MaxInt64)), c.add(m, Const(1))},
		{"the constant beside a number", Add, c.add(k, Const(math.MaxInt64)), Const(1)},
		{"a product of single terms, to 0", Mul, kl, ml},
		{"a product of sums", Mul, klPlus, c.add(ml, Const(1))},
		{"a multiple, to 0", Mul, kl, large},
		{"a multiple of a constant term", Mul, c.add(k, large), large},
	} {
		if x, err := tt.f(tt.x, tt.y); codeOf(err) != cute.CodeOverflow {
			t.Errorf("%s: %s of %s and %s is %v, want an overflow", tt.name, x, tt.x, tt.y, err)
		}
	}
	// Results after an error are meaningless, but nothing divides by 0.
	var after calc
	zero := after.mul(kl, ml)
	for _, f := range []func(x, y Int) Int{after.ceilDiv, after.floorDiv, after.mod} {
		f(kl, zero)
	}
	if q, ok := after.exact(k, k); ok {
		t.Errorf("after an error %s divides exactly, with %s", k, q)
	}
}

// scaled returns a multiple of a symbol about which nothing is known.
func scaled(name string, by int64) Int {
	var s Scope
	x, _ := s.Named(name, NoFacts())
	var c calc
	return c.mul(Of(x), Const(by))
}

// The least int64 cannot be negated, so for it ⌈x/y⌉ is not -⌊-x/y⌋.
func TestQuotientsOfTheLeastNumber(t *testing.T) {
	t.Parallel()
	var s Scope
	k, _ := s.Named("K", NoFacts())
	for _, tt := range []struct{ by, ceil, floor, mod int64 }{
		{2, math.MinInt64 / 2, math.MinInt64 / 2, 0},
		{3, -3074457345618258602, -3074457345618258603, 1},
		{math.MaxInt64, -1, -2, math.MaxInt64 - 1},
	} {
		var c calc
		for _, q := range []struct {
			x    Int
			want int64
		}{
			{c.ceilDiv(Of(k), Const(tt.by)), tt.ceil},
			{c.floorDiv(Of(k), Const(tt.by)), tt.floor},
			{c.mod(Of(k), Const(tt.by)), tt.mod},
		} {
			if got, err := q.x.At(Values{k: math.MinInt64}); err != nil || got != q.want {
				t.Errorf("%s at K = -2^63 is %d, %v, want %d", q.x, got, err, q.want)
			}
		}
	}
}

// each calls f for every node.
func (x *tree) each(f func(*tree)) {
	f(x)
	for _, y := range []*tree{x.l, x.r} {
		if y != nil {
			y.each(f)
		}
	}
}
