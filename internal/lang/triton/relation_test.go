package triton_test

import (
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/long"
	"girih/internal/lang/triton"
	"girih/linear"

	"pgregory.net/rapid"
)

// This file tests relations of encodings: operands are where results need them, and slices are where their parents are.

// holders returns, for every element, the places that hold it. key makes a place from an input.
func holders(t fatal, l linear.Layout, key func(c []int64) int64) map[[3]int64]map[int64]bool {
	t.Helper()
	m := make(map[[3]int64]map[int64]bool)
	each(sizes(l), func(c []int64) {
		var e [3]int64
		v := at(t, l, c...)
		copy(e[3-len(v):], v)
		if m[e] == nil {
			m[e] = make(map[int64]bool)
		}
		m[e][key(c)] = true
	})
	return m
}

// A warp that computes an element of the result holds its row of operand 0 and its column of operand 1. If the parent
// is blocked, the thread holds both.
func TestOperandsAreWhereTheResultIs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		if long.Skips(rapid.IntRange(0, 2).Draw(r, "in the sample"), 3) {
			return
		}
		parent, rank, kWidth := result(r)
		batch := int64(1)
		if rank == 3 {
			batch = power(r, 1, "batch")
		}
		wantOperands(r, parent, kWidth, []int64{batch, power(r, 5, "m"), power(r, 5, "n"), power(r, 4, "k")}, rank)
	})
	for _, transposed := range []bool{false, true} {
		wmma := &triton.WMMA{Version: 3, IsTransposed: transposed, WarpsPerCTA: []int64{2, 2}, InstrShape: []int64{32, 16, 64}}
		wantOperands(t, wmma, 8, []int64{1, 64, 64, 32}, 2)
		wmma.Warp, wmma.Register, wmma.WarpsPerCTA = [][]int64{{0, 1}, {2, 0}}, [][]int64{{1, 0}}, nil
		wantOperands(t, wmma, 16, []int64{1, 128, 32, 64}, 2)
	}
}

// wantOperands checks a dot of sizes batch, m, n, k.
func wantOperands(t fatal, parent triton.Encoding, kWidth int64, size []int64, rank int) {
	t.Helper()
	m, n, k := size[1], size[2], size[3]
	key := func(c []int64) int64 { return c[2] + c[3]<<8 }
	if _, ok := parent.(*triton.Blocked); ok {
		key = func(c []int64) int64 { return c[1] + c[2]<<16 + c[3]<<24 }
	}
	shape := func(rows, cols int64) []int64 { return []int64{size[0], rows, cols}[3-rank:] }
	result := holders(t, mustLayout(t, parent, shape(m, n)...), key)
	a := holders(t, mustLayout(t, &triton.DotOperand{OpIdx: 0, Parent: parent, KWidth: kWidth}, shape(m, k)...), key)
	b := map[[3]int64]map[int64]bool(nil)
	if e, ok := parent.(*triton.NvidiaMMA); !ok || e.VersionMajor == 2 {
		b = holders(t, mustLayout(t, &triton.DotOperand{OpIdx: 1, Parent: parent, KWidth: kWidth}, shape(k, n)...), key)
	}
	for at, places := range result {
		for place := range places {
			for x := range k {
				if !a[[3]int64{at[0], at[1], x}][place] {
					t.Fatalf("%v: %v at %#x has no operand 0 at k=%d of %d", parent, at, place, x, k)
				}
				if b != nil && !b[[3]int64{at[0], x, at[2]}][place] {
					t.Fatalf("%v: %v at %#x has no operand 1 at k=%d of %d", parent, at, place, x, k)
				}
			}
		}
	}
	if len(result) != int(size[0]*m*n) || len(a) != int(size[0]*m*k) {
		t.Fatalf("%v: not every element is held", parent)
	}
}

// The threads of a slice are the threads of the parent's tensor with the dimension of size 1.
func TestSliceIsWhereTheParentIs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		if long.Skips(rapid.IntRange(0, 2).Draw(r, "in the sample"), 3) {
			return
		}
		parent, rank, _ := result(r)
		d := rapid.IntRange(0, rank-1).Draw(r, "dim")
		shape := powers(r, rank-1, 6, "shape")
		whole := mustLayout(r, parent, slices.Insert(slices.Clone(shape), d, 1)...)
		e := &triton.Slice{Dim: d, Parent: parent}
		l := mustLayout(r, e, shape...)
		thread := func(c []int64) int64 { return c[1] + c[2]<<16 + c[3]<<24 }
		have, want := holders(r, l, thread), holders(r, whole, thread)
		for at, places := range want {
			var to [3]int64
			rest := slices.Delete(slices.Clone(at[3-rank:]), d, d+1)
			copy(to[4-rank:], rest)
			for place := range places {
				if !have[to][place] {
					r.Fatalf("%v on %v: %v is not at %#x", e, shape, rest, place)
				}
			}
		}
		sub, err := l.Sublayout([]string{"register"}, outNames(l))
		if err != nil || !sub.IsInjective() {
			r.Fatalf("%v on %v: registers hold copies", e, shape)
		}
	})
}

func outNames(l linear.Layout) []string {
	var out []string
	for _, d := range l.OutDims() {
		out = append(out, d.Name)
	}
	return out
}

// A thread-value layout has the same elements.
func TestTVIsTheLayout(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		e, rank, _ := result(r)
		shape := powers(r, rank, 4, "shape")
		l := mustLayout(r, e, shape...)
		if l.InBits() > 12 {
			return
		}
		tv, err := triton.TV(l)
		if err != nil {
			r.Fatal(err)
		}
		colMajor, err := cute.LayoutLeft(cute.Ints(shape...))
		if err != nil {
			r.Fatal(err)
		}
		each(sizes(l), func(c []int64) {
			index, err := colMajor.Eval(cute.Ints(at(r, l, c...)...))
			if err != nil {
				r.Fatal(err)
			}
			where := []int64{c[1] + c[2]*l.InSize("lane"), c[0], c[3]}[:tv.Rank()]
			got, err := tv.Eval(cute.Ints(where...))
			if err != nil || !got.Equal(index) {
				r.Fatalf("%v: %v at %v is %v, %v, want %v", e, tv, where, got, err, index)
			}
		})
	})
}

// The sums of bases that TV refuses.
func TestTVRefuses(t *testing.T) {
	t.Parallel()
	e := &triton.Linear{Register: [][]int64{{1, 0}}, Lane: [][]int64{{0, 1}}, Warp: [][]int64{{1, 1}}, Generic: true}
	_, err := triton.TV(mustLayout(t, e, 2, 2))
	wantCode(t, err, cute.CodeNotRepresentable, "tv_layout: expected bases that share no bit of the index, found bit 1 of warp=1 in one before")
	shared := mustLayout(t, &triton.SwizzledShared{Vec: 1, PerPhase: 1, MaxPhase: 1, Order: []int{0}}, 8)
	_, err = triton.TV(shared)
	wantCode(t, err, cute.CodeNotCongruent, "tv_layout: expected the input dimensions register, lane, warp and block, found 2")
}
