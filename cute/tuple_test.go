package cute_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

func TestTupleQueries(t *testing.T) {
	holds(t, func(t *rapid.T) {
		x := gen.Tuples().Draw(t, "x")
		tree := oracle.TreeOf(x)
		rank := len(tree.Modes)
		if tree.IsLeaf {
			rank = 1
		}
		if x.Rank() != rank || x.Depth() != depth(tree) {
			t.Fatalf("%v has rank %d and depth %d", x, x.Rank(), x.Depth())
		}
		n, isInt := x.Int64()
		if isInt != (tree.IsLeaf && !x.HasBasis()) || isInt != x.IsInt() || (isInt && n != tree.Int()) {
			t.Fatalf("%v is the integer %d: %v", x, n, isInt)
		}
		var want []int64
		for _, v := range tree.Leaves() {
			want = append(want, v[""])
		}
		if x.HasBasis() {
			want = nil
		}
		if got := x.Leaves(); !slices.Equal(got, want) {
			t.Fatalf("%v has the leaves %v, want %v", x, got, want)
		}
		for i, m := range x.Modes() {
			if tree.IsLeaf {
				break
			}
			at, err := x.Mode(i)
			if err != nil || !at.Equal(m) || !leavesEqual(oracle.TreeOf(m), tree.Modes[i]) {
				t.Fatalf("mode %d of %v is %v, %v and %v", i, x, at, err, m)
			}
		}
		if flat := x.Flatten(); !leavesEqual(oracle.TreeOf(flat), tree) || flat.Depth() > 1 {
			t.Fatalf("flatten(%v) = %v", x, flat)
		}
		if x.IsInt() {
			return
		}
		again, err := cute.MakeTuple(x.Modes()...)
		if !tree.IsLeaf && (err != nil || !again.Equal(x)) {
			t.Fatalf("the modes of %v make %v, %v", x, again, err)
		}
	})
}

func leavesEqual(a, b oracle.Tree) bool {
	return slices.EqualFunc(a.Leaves(), b.Leaves(), oracle.Vector.Equal)
}

// Sums of congruent tuples are taken leaf by leaf, and subtraction undoes them.
func TestTupleAdd(t *testing.T) {
	holds(t, func(t *rapid.T) {
		x := gen.Tuples().Draw(t, "x")
		y, err := x.Scale(rapid.Int64Range(-3, 3).Draw(t, "factor"))
		noError(t, "scale", err)
		s, err := x.Add(y)
		noError(t, "add", err)
		xs, ys, ss := oracle.TreeOf(x).Leaves(), oracle.TreeOf(y).Leaves(), oracle.TreeOf(s).Leaves()
		for i := range xs {
			if want := sum(xs[i], ys[i]); !ss[i].Equal(want) {
				t.Fatalf("%v + %v = %v, want %v at leaf %d", x, y, s, want, i)
			}
		}
		if d, err := s.Sub(y); err != nil || !d.Equal(x) {
			t.Fatalf("%v - %v = %v, %v, want %v", s, y, d, err, x)
		}
		if z, err := x.Add(cute.Int(0)); err != nil || !z.Equal(x) {
			t.Fatalf("%v + 0 = %v, %v", x, z, err)
		}
		if z, err := cute.Int(0).Add(x); err != nil || !z.Equal(x) {
			t.Fatalf("0 + %v = %v, %v", x, z, err)
		}
	})
}

func TestTupleFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ x, y, sum, diff string }{
		{"(1,2)", "(3,4,5)", "(4,6,5)", "(-2,-2,-5)"},
		{"(1,2,3)", "(3)", "(4,2,3)", "(-2,2,3)"},
		{"(1,(2,3))", "(1,(2))", "(2,(4,3))", "(0,(0,3))"},
		{"2", "3", "5", "-1"},
		{"1@0", "1@1", "1@0+1@1", "1@0-1@1"},
		{"(1@0,0)", "(-1@0,2@1)", "(0,2@1)", "(2@0,-2@1)"},
		{"()", "(1,2)", "(1,2)", "(-1,-2)"},
	} {
		x, y := cute.MustParseTuple(test.x), cute.MustParseTuple(test.y)
		s, err := x.Add(y)
		wantText(t, test.x+" + "+test.y, s, err, test.sum)
		d, err := x.Sub(y)
		wantText(t, test.x+" - "+test.y, d, err, test.diff)
	}
	_, err := cute.Int(1).Add(cute.Ints(1, 2))
	wantCode(t, "1 + (1,2)", err, cute.CodeNotCongruent)
	_, err = cute.Int(1).Add(cute.MustParseTuple("1@0"))
	wantCode(t, "1 + 1@0", err, cute.CodeCodomain)
	_, err = cute.MustParseTuple("1@0").Add(cute.MustParseTuple("1@1@0"))
	wantCode(t, "1@0 + 1@1@0", err, cute.CodeCodomain)
	_, err = cute.Int(math.MaxInt64).Add(cute.Int(1))
	wantCode(t, "2^63-1 + 1", err, cute.CodeOverflow)
	_, err = cute.Int(math.MinInt64).Sub(cute.Int(1))
	wantCode(t, "-2^63 - 1", err, cute.CodeOverflow)
	_, err = cute.Ints(2, math.MaxInt64).Scale(2)
	wantCode(t, "(2,2^63-1) times 2", err, cute.CodeOverflow)
	_, err = cute.MakeTuple(cute.Int(1), cute.MustParseTuple("1@0"))
	wantCode(t, "(1,1@0)", err, cute.CodeCodomain)
	for _, path := range [][]int{nil, {-1}, {cute.MaxAxisPath + 1}, make([]int, cute.MaxAxisPath+1)} {
		_, err := cute.Basis(1, path...)
		wantCode(t, "basis", err, cute.CodeCodomain)
	}
	b, err := cute.Basis(1, 0, 1)
	wantText(t, "basis of path 0, 1", b, err, "1@1@0")
	b, err = cute.Basis(0, 3)
	if err != nil || !b.Equal(cute.Int(0)) {
		t.Errorf("0@3 = %v, %v, want 0", b, err)
	}
	var zero cute.Tuple
	if zero.String() != "()" || zero.Rank() != 0 || zero.Depth() != 1 || zero.IsInt() || len(zero.Modes()) != 0 ||
		!zero.Equal(cute.Ints()) {
		t.Errorf("the zero tuple is %v of rank %d", zero, zero.Rank())
	}
	if cute.Ints(8).Equal(cute.Int(8)) {
		t.Errorf("(8) equals 8")
	}
	// An integer has rank 1, so it is its own mode 0.
	self, err := cute.Int(8).Mode(0)
	wantText(t, "mode 0 of 8", self, err, "8")
	_, err = cute.Int(8).Mode(0, 0)
	wantCode(t, "mode 0 of mode 0 of 8", err, cute.CodeMode)
}
