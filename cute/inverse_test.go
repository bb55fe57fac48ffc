package cute_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// a(r(i)) = i, and for injective layouts without negative strides r is as large as that can be.
func TestRightInverse(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Layouts().Draw(t, "a")
		r, err := cute.RightInverse(a)
		noError(t, "right_inverse", err)
		x := oracle.Of(a)
		if err := oracle.CheckRightInverse(x, oracle.Of(r)); err != nil {
			t.Fatalf("right_inverse(%v) = %v: %v", a, r, err)
		}
		if !coalesce(t, r).Equal(r) {
			t.Fatalf("right_inverse(%v) = %v is not coalesced", a, r)
		}
		if slices.Min(append(a.Stride().Leaves(), 0)) == 0 && oracle.Injective(x) {
			if n := oracle.LargestRightInverse(x); r.Size() != n {
				t.Fatalf("right_inverse(%v) = %v has the size %d, the largest one %d", a, r, r.Size(), n)
			}
		}
	})
}

func TestRightInverseAlongAxes(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := rapid.OneOf(gen.SingleAxis(), gen.ChainedAxes(), gen.MultiAxis()).Draw(t, "a")
		r, err := cute.RightInverse(a)
		for j, d := range oracle.Of(a).D {
			if len(d) > 1 && oracle.Of(a).S[j] > 1 {
				wantCode(t, "right_inverse of a diagonal", err, cute.CodeCodomain)
				return
			}
		}
		noError(t, "right_inverse", err)
		if err := oracle.CheckRightInverse(oracle.Of(a), oracle.Of(r)); err != nil {
			t.Fatalf("right_inverse(%v) = %v: %v", a, r, err)
		}
	})
}

// The inverse exists exactly for the bijections of [0, size).
func TestInverse(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := rapid.OneOf(gen.CompactLayouts(), gen.Layouts()).Draw(t, "a")
		r, err := cute.Inverse(a)
		x := oracle.Of(a)
		if !oracle.Surjective(x, a.Size()) {
			wantCode(t, "the inverse of what is no bijection", err, cute.CodeNotInvertible)
			return
		}
		noError(t, "inverse", err)
		y := oracle.Of(r)
		if r.Size() != a.Size() {
			t.Fatalf("the inverse of %v is %v, of another size", a, r)
		}
		for i := range a.Size() {
			if back := x.Index(y.Index(i)[""]); !back.Equal(oracle.Number(i)) {
				t.Fatalf("the inverse of %v is %v: a(r(%d)) = %v", a, r, i, back)
			}
			if back := y.Index(x.Index(i)[""]); !back.Equal(oracle.Number(i)) {
				t.Fatalf("the inverse of %v is %v: r(a(%d)) = %v", a, r, i, back)
			}
		}
	})
}

func TestInverseFacts(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"4:1":                   "4:1",
		"4:2":                   "1:0",
		"4:0":                   "1:0",
		"4:-1":                  "1:0",
		"(2,4):(0,1)":           "4:2",
		"(8,4):(1,8)":           "32:1",
		"(8,4):(4,1)":           "(4,8):(8,1)",
		"(2,4,6):(4,1,8)":       "(4,2,6):(2,1,8)",
		"(4,2,8):(16,1,2)":      "(16,4):(4,1)",
		"(3,3,8):(0,1,12)":      "3:3",         // CuTe's Python stops at the stride 0
		"(3,2,4):(1,1,3)":       "(3,4):(1,6)", // what repeats offsets is passed over
		"(3,2):(1,1)":           "3:1",
		"(4,2):(1,6)":           "4:1",
		"1:5":                   "1:0",
		"():()":                 "1:0",
		"(4,5):(1@1,1@0)":       "(5,4):(4,1)",
		"(2,3):(0,1@0)":         "(3):(2)",
		"(4,5):(2@0,2@1)":       "(1,1):(0,0)",
		"(2,3):(1@2,1@0)":       "(3,1,2):(2,0,1)",
		"(2,3,4):(1@0,2@0,1@1)": "(6,4):(1,6)",
		"((4,8,4),(2,2,8,2)):((256,1,16),(128,8,1024,64))": "(8,2,4,2,2,4,8):(4,256,32,4096,128,1,512)",
	} {
		r, err := cute.RightInverse(parse(in))
		wantText(t, "right_inverse("+in+")", r, err, want)
	}
	r, err := cute.Inverse(parse("(2,3):(3,1)"))
	wantText(t, "the inverse of (2,3):(3,1)", r, err, "(3,2):(2,1)")
	for _, in := range []string{"4:2", "(2,2):(1,1)", "4:-1", "(2,4):(0,1)"} {
		_, err := cute.Inverse(parse(in))
		wantCode(t, "the inverse of "+in, err, cute.CodeNotInvertible)
	}
}
