package cute_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// vectors reports whether the offsets are blocks of n neighbours that begin at multiples of n.
func vectors(offsets []int64, n int64) bool {
	has := make(map[int64]bool, len(offsets))
	for _, x := range offsets {
		has[x] = true
	}
	for x := range has {
		for i := range n {
			if !has[x-x%n+i] {
				return false
			}
		}
	}
	return true
}

// The offsets are such vectors, and where none is there twice no longer ones.
func TestMaxAlignment(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.NonNegativeLayouts().Draw(t, "a")
		n, err := cute.MaxAlignment(a)
		noError(t, "max_alignment", err)
		offsets := oracle.Of(a).Ints()
		if !vectors(offsets, n) {
			t.Fatalf("max_alignment(%v) = %d, and its offsets are no such vectors", a, n)
		}
		if ok, _, err := cute.IsInjective(a); err != nil || !ok {
			return
		}
		for m := n + 1; m <= int64(len(offsets)); m++ {
			if vectors(offsets, m) {
				t.Fatalf("max_alignment(%v) = %d, and its offsets are vectors of %d", a, n, m)
			}
		}
	})
}

func TestMaxAlignmentValues(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"(8,64):(72,1)": 8, "(8,64):(64,1)": 512, "4:2": 1, "1:0": 1, "(4,8):(0,1)": 8, "(6,2):(1,9)": 3, "(4,2):(1,2)": 2,
		"(16,(4,2)):(1,(16,96))": 32,
	} {
		if n, err := cute.MaxAlignment(cute.MustParse(text)); err != nil || n != want {
			t.Errorf("max_alignment(%s) = %d, %v, want %d", text, n, err, want)
		}
	}
	// CuTe's test of swizzles: 2^M (test/unit/cute/core/math.cpp); offsets and layouts keep less.
	tile := cute.MustParse("(8,64):(64,1)")
	for _, tt := range []struct {
		c    cute.Composed
		want int64
	}{
		{chain(swizzleOf("Sw<3,4,3>"), 0, tile), 16},
		{chain(swizzleOf("Sw<3,3,3>"), 0, cute.MustParse("(8,64):(68,1)")), 4},
		{chain(swizzleOf("Sw<3,3,3>"), 36, tile), 4},
		{chain(cute.MustParse("512:1"), 0, tile), 1},
		{tile.Composed(), 512},
	} {
		if n, err := tt.c.MaxAlignment(); err != nil || n != tt.want {
			t.Errorf("max_alignment(%v) = %d, %v, want %d", tt.c, n, err, tt.want)
		}
	}
	_, err := cute.MaxAlignment(cute.MustParse("4:1@0"))
	if bad, ok := errors.AsType[*cute.Error](err); !ok || bad.Code != cute.CodeCodomain {
		t.Errorf("max_alignment(4:1@0): %v", err)
	}
}
