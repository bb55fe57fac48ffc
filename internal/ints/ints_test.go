package ints

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// edge draws numbers around the places where 64-bit arithmetic wraps, and ordinary ones.
func edge(t *rapid.T, name string) int64 {
	return rapid.OneOf(
		rapid.Int64(),
		rapid.Int64Range(-100, 100),
		rapid.SampledFrom([]int64{
			math.MinInt64, math.MinInt64 + 1, math.MaxInt64, math.MaxInt64 - 1,
			1 << 31, 1 << 32, 1 << 62, -1 << 62, 3037000499, 3037000500,
		}),
	).Draw(t, name)
}

// TestAgainstBig compares every checked operation with arbitrary precision.
func TestAgainstBig(t *testing.T) {
	ops := []struct {
		name string
		got  func(a, b int64) (int64, bool)
		want func(z, a, b *big.Int) *big.Int
	}{
		{"Mul", Mul, (*big.Int).Mul},
		{"Add", Add, (*big.Int).Add},
		{"Sub", Sub, (*big.Int).Sub},
	}
	for _, op := range ops {
		rapid.Check(t, func(t *rapid.T) {
			a, b := edge(t, "a"), edge(t, "b")
			got, ok := op.got(a, b)
			want := op.want(new(big.Int), big.NewInt(a), big.NewInt(b))
			if ok != want.IsInt64() || (ok && got != want.Int64()) {
				t.Fatalf("%s(%d, %d) = %d, %v, want %v", op.name, a, b, got, ok, want)
			}
		})
	}
}

func TestDivisionsAndGCD(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.Int64Range(0, math.MaxInt64).Draw(t, "a")
		b := rapid.Int64Range(1, math.MaxInt64).Draw(t, "b")
		q, r := new(big.Int).DivMod(big.NewInt(a), big.NewInt(b), new(big.Int))
		if r.Sign() != 0 {
			q.Add(q, big.NewInt(1))
		}
		if got := CeilDiv(a, b); got != q.Int64() {
			t.Fatalf("CeilDiv(%d, %d) = %d, want %v", a, b, got, q)
		}
		if x := edge(t, "x"); FloorDiv(x, b) != new(big.Int).Div(big.NewInt(x), big.NewInt(b)).Int64() {
			t.Fatalf("FloorDiv(%d, %d) = %d", x, b, FloorDiv(x, b))
		}
		if x := edge(t, "y"); FloorMod(x, b) != new(big.Int).Mod(big.NewInt(x), big.NewInt(b)).Int64() {
			t.Fatalf("FloorMod(%d, %d) = %d", x, b, FloorMod(x, b))
		}
		if up := q.Mul(q, big.NewInt(b)); up.IsInt64() && RoundUp(a, b) != up.Int64() {
			t.Fatalf("RoundUp(%d, %d) = %d, want %v", a, b, RoundUp(a, b), up)
		}
		low := int64(1) << big.NewInt(b).TrailingZeroBits()
		if LowestBit(b) != low || LowestBit(-b) != low {
			t.Fatalf("LowestBit(±%d) = %d and %d, want %d", b, LowestBit(b), LowestBit(-b), low)
		}
		if got, want := GCD(-a, b), new(big.Int).GCD(nil, nil, big.NewInt(a), big.NewInt(b)); got != want.Int64() {
			t.Fatalf("GCD(%d, %d) = %d, want %v", -a, b, got, want)
		}
	})
	if _, ok := Abs(math.MinInt64); ok {
		t.Error("Abs(MinInt64) reported a fit")
	}
}

func TestCeilDivBelowZero(t *testing.T) {
	for _, c := range []struct{ a, b, want int64 }{{-3, 2, -1}, {-4, 2, -2}, {-1, 5, 0}, {math.MinInt64, 1, math.MinInt64}} {
		if got := CeilDiv(c.a, c.b); got != c.want {
			t.Errorf("CeilDiv(%d, %d) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
