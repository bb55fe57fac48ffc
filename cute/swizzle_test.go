package cute_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
)

// swizzled states the definition bit by bit: bit m+i is added to bit m+i+|s|, or the other way round.
func swizzled(w cute.Swizzle, x int64) int64 {
	out := x
	for i := range w.B() {
		from, to := w.M()+i+w.S(), w.M()+i
		if w.S() < 0 {
			from, to = w.M()+i, w.M()+i-w.S()
		}
		if x>>from&1 == 1 {
			out ^= 1 << to
		}
	}
	return out
}

func TestSwizzle(t *testing.T) {
	holds(t, func(t *rapid.T) {
		w := gen.Swizzles().Draw(t, "w")
		x := rapid.OneOf(rapid.Int64Range(0, 4095), rapid.Int64Range(0, math.MaxInt64)).Draw(t, "x")
		y, err := w.At(x)
		if want := swizzled(w, x); err != nil || y != want {
			t.Fatalf("%v at %d is %d, %v, want %d", w, x, y, err, want)
		}
		if back, err := w.At(y); err != nil || back != x {
			t.Fatalf("%v at %d is %d, and at that %d, %v", w, x, y, back, err)
		}
		again, err := cute.NewSwizzle(w.B(), w.M(), w.S())
		if err != nil || again != w {
			t.Fatalf("the numbers of %v make %v, %v", w, again, err)
		}
	})
}

// On elements n times as wide a swizzle moves wide elements as whole ones, if it keeps them together at all; on
// narrower ones it moves all parts of an element together.
func TestSwizzleRecast(t *testing.T) {
	holds(t, func(t *rapid.T) {
		w := gen.Swizzles().Draw(t, "w")
		x := rapid.Int64Range(0, 4095).Draw(t, "x")
		n := int64(1) << rapid.IntRange(0, 4).Draw(t, "log n")
		y, err := w.At(x)
		noError(t, "swizzle", err)
		up, err := w.Upcast(n)
		if w.S() < 0 && w.B() > 0 && n > 1<<w.M() {
			wantCode(t, "an upcast that moves the parts of a wide element apart", err, cute.CodeNotDivisible)
		} else if wide, err2 := up.At(x / n); err != nil || err2 != nil || wide != y/n {
			t.Fatalf("%v at %d is %d, upcast<%d> %v at %d is %d, %v, %v, want %d", w, x, y, n, up, x/n, wide, err, err2, y/n)
		}
		down, err := w.Downcast(n)
		noError(t, "downcast", err)
		part := rapid.Int64Range(0, n-1).Draw(t, "part")
		if narrow, err := down.At(x*n + part); err != nil || narrow != y*n+part {
			t.Fatalf("%v at %d is %d, downcast<%d> %v at %d is %d, %v", w, x, y, n, down, x*n+part, narrow, err)
		}
		if back, err := down.Upcast(n); err != nil || back != w {
			t.Fatalf("downcast<%d>(%v) = %v, and back it is %v, %v", n, w, down, back, err)
		}
	})
}

func TestSwizzleFacts(t *testing.T) {
	t.Parallel()
	w, err := cute.NewSwizzle(3, 4, 3)
	wantText(t, "swizzle", w, err, "Sw<3,4,3>")
	for x, want := range map[int64]int64{
		0: 0, 127: 127, 128: 144, 1023: 911, 1 << 62: 1 << 62, math.MaxInt64: math.MaxInt64 ^ 112,
	} {
		if y, err := w.At(x); err != nil || y != want {
			t.Errorf("%v at %d is %d, %v, want %d", w, x, y, err, want)
		}
	}
	up, err := w.Upcast(256)
	wantText(t, "upcast<256>", up, err, "Sw<0,0,3>")
	up, err = w.Upcast(32)
	wantText(t, "upcast<32>", up, err, "Sw<2,0,3>")
	var zero cute.Swizzle
	if y, err := zero.At(77); err != nil || y != 77 || zero.String() != "Sw<0,0,0>" {
		t.Errorf("the zero swizzle %v at 77 is %d, %v", zero, y, err)
	}
	_, err = w.At(-1)
	wantCode(t, "swizzle of -1", err, cute.CodeNegative)
	for _, n := range []int64{0, -2, 3, 24, math.MinInt64} {
		_, err = w.Upcast(n)
		wantCode(t, "upcast", err, cute.CodeNotDivisible)
		_, err = w.Downcast(n)
		wantCode(t, "downcast", err, cute.CodeNotDivisible)
	}
	_, err = w.Downcast(1 << 62)
	wantCode(t, "downcast<2^62>", err, cute.CodeSwizzle)
	for _, test := range []struct {
		b, m, s int
		code    cute.Code
	}{
		{3, 4, 2, cute.CodeSwizzle},
		{-1, 4, 3, cute.CodeSwizzle},
		{3, -1, 3, cute.CodeSwizzle},
		{3, 58, 3, cute.CodeSwizzle},
		{math.MaxInt, math.MaxInt, math.MaxInt, cute.CodeSwizzle},
		{1, 1, math.MinInt, cute.CodeSwizzle},
		{3, 57, 3, ""},
		{0, 62, 1, ""},
		{31, 1, -31, ""},
	} {
		w, err := cute.NewSwizzle(test.b, test.m, test.s)
		wantCode(t, w.String(), err, test.code)
		if err == nil {
			if y, err := w.At(math.MaxInt64); err != nil || y < 0 {
				t.Errorf("%v at 2^63-1 is %d, %v", w, y, err)
			}
		}
	}
}
