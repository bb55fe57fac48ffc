package cute_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
)

// A swizzle that leaves all numbers that reach it as they are is none: the inverses answer what they do for the layout,
// and refuse with its reason unless a chain takes it back.
func TestIdleSwizzles(t *testing.T) {
	t.Parallel()
	type inversion struct {
		plain   func(cute.Layout) (cute.Layout, error)
		chained func(cute.Composed) (cute.Composed, error)
	}
	inversions := []inversion{
		{cute.LeftInverse, cute.Composed.LeftInverse},
		{cute.RightInverse, cute.Composed.RightInverse},
		{cute.Inverse, cute.Composed.Inverse},
	}
	rapid.Check(t, func(t *rapid.T) {
		l := gen.NonNegativeLayouts().Draw(t, "l")
		w, err := cute.NewSwizzle(0, rapid.IntRange(0, 4).Draw(t, "m"), rapid.IntRange(-4, 4).Draw(t, "s"))
		if rapid.Bool().Draw(t, "far") {
			w, err = cute.NewSwizzle(2, 1, 50) // reads bits that no offset has
		}
		if err != nil {
			t.Fatal(err)
		}
		c, err := cute.NewComposed(w, cute.Int(0), l)
		if err != nil {
			t.Skip("no composed layout")
		}
		for i, v := range inversions {
			want, wantErr := v.plain(l)
			got, gotErr := v.chained(c)
			if wantErr == nil {
				if gotErr != nil || got.String() != want.Composed().String() {
					t.Fatalf("%d: of %v: %v, %v, of the layout %v", i, c, got, gotErr, want)
				}
				continue
			}
			code, _ := errors.AsType[*cute.Error](wantErr)
			if e, ok := errors.AsType[*cute.Error](gotErr); gotErr != nil && (!ok || e.Code != code.Code) {
				t.Fatalf("%d: of %v: %v, of the layout %v", i, c, gotErr, wantErr)
			}
		}
	})
}

func TestIdleSwizzleRefuses(t *testing.T) {
	t.Parallel()
	l, err := cute.Parse("((2),(6),4):((0),(3),7)")
	if err != nil {
		t.Fatal(err)
	}
	w, _ := cute.NewSwizzle(0, 2, -3)
	c, _ := cute.NewComposed(w, cute.Int(0), l)
	_, err = c.LeftInverse()
	if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeNotInvertible || e.Witness == nil {
		t.Errorf("LeftInverse(%v): %v, want %s with a witness", c, err, cute.CodeNotInvertible)
	}
}
