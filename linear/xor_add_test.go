package linear

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/f2"
)

func TestXorAdd(t *testing.T) { check(t, checkXorAdd) }
func FuzzXorAdd(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkXorAdd)) }

// Each offset of the sum is the exclusive or of the summands' offsets. There is a sum if extents are powers of two or
// the shapes are equal.
func checkXorAdd(t *rapid.T) {
	extents := []int64{1, 2, 4, 8}
	powers := rapid.Bool().Draw(t, "powers of two")
	if !powers {
		extents = append(extents, 3, 5, 6, 12)
	}
	x := drawXor(t, extents)
	y := x
	if rapid.Bool().Draw(t, "one shape") {
		d := make([]f2.Vector, len(x.strides()))
		for i := range d {
			d[i] = f2.Vector(rapid.Uint64Range(0, 3).Draw(t, "d"))
		}
		y = must(NewXor(x.Shape(), d...))
	} else {
		for range rapid.IntRange(1, 20).Draw(t, "tries") {
			if y = drawXor(t, extents); y.Size() == x.Size() {
				break
			}
		}
	}
	if y.Size() != x.Size() {
		n := rapid.SampledFrom([]int64{1, x.Size()}).Draw(t, "first")
		y = must(NewXor(cute.Ints(n, x.Size()/n), f2.Vector(rapid.Uint64Range(0, 20).Draw(t, "d0")),
			f2.Vector(rapid.Uint64Range(0, 20).Draw(t, "d1"))))
	}
	r, err := x.Add(y)
	if err != nil {
		if powers || x.Shape().Equal(y.Shape()) {
			t.Fatalf("%v + %v: %v", x, y, err)
		}
		return
	}
	a, b, got := xorTable(x), xorTable(y), xorTable(r)
	for i := range a {
		if len(got) != len(a) || got[i] != a[i]^b[i] {
			t.Fatalf("%v + %v = %v: at %d it is %d, want %d", x, y, r, i, got[i], a[i]^b[i])
		}
	}
	if c := r.Coalesce(); c.String() != r.String() {
		t.Fatalf("%v + %v = %v, which is not coalesced", x, y, r)
	}
}

// These are the sums of PyCuTe's tests.
func TestXorAddFacts(t *testing.T) {
	t.Parallel()
	xor := func(shape cute.Tuple, d ...f2.Vector) XorLayout { return must(NewXor(shape, d...)) }
	for _, c := range []struct {
		x, y XorLayout
		want string
	}{
		{xor(cute.Int(8), 1), xor(cute.Int(8), 8), "8:F2(9)"},
		{xor(cute.Int(8), 1), xor(cute.Int(8), 2), "8:F2(3)"},
		{xor(cute.Int(8), 7), xor(cute.Int(8), 0), "8:F2(7)"},
		{xor(cute.Ints(4, 8), 1, 8), xor(cute.Ints(4, 8), 2, 16), "(4,8):(F2(3),F2(24))"},
		{xor(cute.Int(16), 1), xor(cute.Ints(4, 4), 2, 8), "16:F2(3)"},
		{xor(cute.Int(16), 9), xor(cute.Int(16), 9), "16:F2(0)"},
		{xor(cute.Int(12), 1), xor(cute.Ints(4, 3), 0, 16), "(4,3):(F2(1),F2(20))"},
		{xor(cute.Ints(3, 5), 1, 7), xor(cute.Ints(3, 5), 0, 0), "(3,5):(F2(1),F2(7))"},
	} {
		r, err := c.x.Add(c.y)
		if err != nil || r.String() != c.want {
			t.Errorf("%v + %v = %v, %v, want %s", c.x, c.y, r, err, c.want)
		}
	}
	for code, y := range map[cute.Code]XorLayout{
		cute.CodeNotCongruent: xor(cute.Int(8), 1),
		cute.CodeNotDivisible: xor(cute.Ints(3, 4), 1, 8),
	} {
		_, err := xor(cute.Int(12), 1).Add(y)
		if e, ok := err.(*cute.Error); !ok || e.Code != code { //nolint:errorlint // Add makes it
			t.Errorf("12:F2(1) + %v: %v, want %s", y, err, code)
		}
	}
	_, err := xor(cute.Ints(4, 3), 1, 8).Add(xor(cute.Ints(3, 4), 1, 8))
	if e, ok := err.(*cute.Error); !ok || e.Code != cute.CodeNotDivisible { //nolint:errorlint // Add makes it
		t.Errorf("shapes without a common refinement: %v", err)
	}
}

func ExampleXorLayout_Add() {
	x, _ := NewXor(cute.Int(16), 1)
	y, _ := NewXor(cute.Ints(4, 4), 2, 8)
	fmt.Println(x.Add(y))
	// Output: 16:F2(3) <nil>
}
