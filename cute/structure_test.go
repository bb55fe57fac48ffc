package cute_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// wantSameLeaves stops unless r has the leaves of l in the given nesting.
func wantSameLeaves(t *rapid.T, what string, r, l cute.Layout, nesting cute.Tuple) {
	t.Helper()
	x, y := oracle.Of(l), oracle.Of(r)
	if !slices.Equal(x.S, y.S) || !slices.EqualFunc(x.D, y.D, oracle.Vector.Equal) || !cute.Congruent(r.Shape(), nesting) {
		t.Fatalf("%s of %v is %v, want its leaves in the nesting of %v", what, l, r, nesting)
	}
}

func TestFlatten(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "l")
		flat := l.Flatten()
		wantSameLeaves(t, "flatten", flat, l, l.Shape().Flatten())
		if flat.Depth() > 1 || (flat.Depth() == 0) != l.Shape().IsInt() {
			t.Fatalf("flatten(%v) = %v", l, flat)
		}
		p := gen.Profiles(leaves(l)).Draw(t, "profile")
		u, err := l.Unflatten(p)
		noError(t, "unflatten", err)
		wantSameLeaves(t, "unflatten", u, l, p)
		_, err = l.Unflatten(gen.Profiles(leaves(l)+1).Draw(t, "other profile"))
		wantCode(t, "unflatten into more leaves", err, cute.CodeNotCongruent)
	})
}

func TestGroupModes(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "l")
		n := l.Rank()
		begin, end := rapid.IntRange(-1, n).Draw(t, "begin"), rapid.IntRange(-1, n+1).Draw(t, "end")
		g, err := l.GroupModes(begin, end)
		shape, shapeErr := l.Shape().GroupModes(begin, end)
		if begin < 0 || begin >= end || end > n {
			wantCode(t, "group_modes", err, cute.CodeMode)
			wantCode(t, "group_modes of the shape", shapeErr, cute.CodeMode)
			return
		}
		noError(t, "group_modes", err)
		noError(t, "group_modes of the shape", shapeErr)
		if l.Shape().IsInt() {
			wantModes(t, "group_modes", g, nil, []cute.Layout{l})
			return
		}
		modes := l.Modes()
		group, err := cute.MakeLayout(modes[begin:end]...)
		noError(t, "make_layout", err)
		want, err := cute.MakeLayout(slices.Concat(modes[:begin], []cute.Layout{group}, modes[end:])...)
		noError(t, "make_layout", err)
		if !g.Equal(want) || !shape.Equal(want.Shape()) {
			t.Fatalf("group<%d,%d> of %v is %v, of its shape %v, want %v", begin, end, l, g, shape, want)
		}
	})
}

// Selecting, taking, reversing, replacing and padding modes move whole modes.
func TestModes(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l, x := gen.Layouts().Draw(t, "l"), gen.Chained(4).Draw(t, "x")
		modes := l.Modes()
		n := len(modes)
		picks := rapid.SliceOfN(rapid.IntRange(-1, n), 0, 3).Draw(t, "picks")
		selected, err := l.Select(picks...)
		shape, shapeErr := l.Shape().Select(picks...)
		if slices.ContainsFunc(picks, func(i int) bool { return i < 0 || i >= n }) {
			wantCode(t, "select", err, cute.CodeMode)
			wantCode(t, "select of the shape", shapeErr, cute.CodeMode)
		} else if err == nil {
			var want []cute.Layout
			for _, i := range picks {
				want = append(want, modes[i])
			}
			wantModes(t, "select", selected, nil, want)
			wantTuple(t, "select of the shape", shape, shapeErr, selected.Shape())
		}
		begin, end := rapid.IntRange(-1, n+1).Draw(t, "begin"), rapid.IntRange(-1, n+1).Draw(t, "end")
		taken, err := l.Take(begin, end)
		shape, shapeErr = l.Shape().Take(begin, end)
		if begin < 0 || begin > end || end > n {
			wantCode(t, "take", err, cute.CodeMode)
			wantCode(t, "take of the shape", shapeErr, cute.CodeMode)
		} else {
			wantModes(t, "take", taken, err, modes[begin:end])
			wantTuple(t, "take of the shape", shape, shapeErr, taken.Shape())
		}
		if !l.Shape().IsInt() {
			reversed, err := l.Reverse()
			back := slices.Clone(modes)
			slices.Reverse(back)
			wantModes(t, "reverse", reversed, err, back)
			i := rapid.IntRange(-1, n).Draw(t, "i")
			replaced, err := l.Replace(i, x)
			if i < 0 || i >= n {
				wantCode(t, "replace", err, cute.CodeMode)
			} else {
				want := slices.Clone(modes)
				want[i] = x
				wantModes(t, "replace", replaced, err, want)
			}
		}
	})
}

func TestPadModes(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l, x := gen.Layouts().Draw(t, "l"), gen.Chained(2).Draw(t, "x")
		modes := l.Modes()
		appended, err := l.AppendMode(x)
		wantModes(t, "append", appended, err, append(slices.Clone(modes), x))
		prepended, err := l.PrependMode(x)
		wantModes(t, "prepend", prepended, err, append([]cute.Layout{x}, modes...))
		n := rapid.IntRange(0, 8).Draw(t, "rank")
		pad := slices.Repeat([]cute.Layout{x}, max(n-len(modes), 0))
		after, err1 := l.AppendToRank(n, x)
		before, err2 := l.PrependToRank(n, x)
		if len(pad) == 0 {
			if err1 != nil || err2 != nil || !after.Equal(l) || !before.Equal(l) {
				t.Fatalf("%v padded to rank %d is %v, %v and %v, %v", l, n, after, err1, before, err2)
			}
			return
		}
		wantModes(t, "append to rank", after, err1, slices.Concat(modes, pad))
		wantModes(t, "prepend to rank", before, err2, slices.Concat(pad, modes))
		shape, err := l.Shape().AppendToRank(n, x.Shape())
		wantTuple(t, "append to rank", shape, err, after.Shape())
		shape, err = l.Shape().PrependToRank(n, x.Shape())
		wantTuple(t, "prepend to rank", shape, err, before.Shape())
	})
}

// wantModes stops unless l has exactly the given modes.
func wantModes(t *rapid.T, what string, l cute.Layout, err error, modes []cute.Layout) {
	t.Helper()
	if err != nil || l.Rank() != len(modes) || !slices.EqualFunc(l.Modes(), modes, cute.Layout.Equal) {
		t.Fatalf("%s: %v, %v, want the modes %v", what, l, err, modes)
	}
}

func wantTuple(t *rapid.T, what string, got cute.Tuple, err error, want cute.Tuple) {
	t.Helper()
	if err != nil || !got.Equal(want) {
		t.Fatalf("%s: %v, %v, want %v", what, got, err, want)
	}
}

// Filter keeps the set of offsets and has no broadcast mode left.
func TestFilter(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		z, f := cute.FilterZeros(l), cute.Filter(l)
		if !cute.Congruent(z.Shape(), l.Shape()) || !z.Stride().Equal(l.Stride()) {
			t.Fatalf("filter_zeros(%v) = %v", l, z)
		}
		for i, d := range l.Stride().Leaves() {
			if got, want := z.Shape().Leaves()[i], l.Shape().Leaves()[i]; (d == 0 && got != 1) || (d != 0 && got != want) {
				t.Fatalf("filter_zeros(%v) = %v", l, z)
			}
		}
		if got, want := oracle.Image(oracle.Of(f)), oracle.Image(oracle.Of(l)); !slices.Equal(got, want) {
			t.Fatalf("filter(%v) = %v has the offsets %v, want %v", l, f, got, want)
		}
		if !coalesce(t, f).Equal(f) || (slices.Contains(f.Stride().Leaves(), 0) && f.String() != "1:0") {
			t.Fatalf("filter(%v) = %v", l, f)
		}
	})
}

// Nullspace lists, ascending, the indices that the broadcast modes alone reach.
func TestNullspace(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "l")
		n := cute.Nullspace(l)
		x := oracle.Of(l)
		var want []int64
		for i, c := range oracle.Coords(x.S) {
			zero := true
			for j, at := range c {
				zero = zero && (at == 0 || len(x.D[j]) == 0)
			}
			if zero {
				want = append(want, int64(i))
			}
		}
		if got := oracle.Of(n).Ints(); !slices.Equal(got, want) {
			t.Fatalf("nullspace(%v) = %v with the indices %v, want %v", l, n, got, want)
		}
	})
}

func TestStructureFacts(t *testing.T) {
	t.Parallel()
	l := parse("(2,3,5,7):(1,2,6,30)")
	g, err := l.GroupModes(1, 3)
	wantText(t, "group<1,3>", g, err, "(2,(3,5),7):(1,(2,6),30)")
	g, err = parse("8:1").GroupModes(0, 1)
	wantText(t, "group<0,1> of 8:1", g, err, "(8):(1)")
	s, err := l.Select(3, 0, 0)
	wantText(t, "select<3,0,0>", s, err, "(7,2,2):(30,1,1)")
	s, err = l.Take(1, 1)
	wantText(t, "take<1,1>", s, err, "():()")
	s, err = parse("8:1").Replace(0, l)
	wantText(t, "replace in 8:1", s, err, l.String())
	s, err = parse("8:1").Reverse()
	wantText(t, "reverse of 8:1", s, err, "8:1")
	wantText(t, "nullspace", cute.Nullspace(parse("(2,3,4):(1,0,2)")), nil, "3:2")
	wantText(t, "filter", cute.Filter(parse("(2,3,4):(0,1,0)")), nil, "3:1")
	_, err = l.AppendToRank(65, l)
	wantCode(t, "append to rank 65", err, cute.CodeRank)
	_, err = l.PrependToRank(-1, l)
	wantCode(t, "prepend to rank -1", err, cute.CodeRank)
	_, err = parse("4:1").AppendMode(parse("4:1@0"))
	wantCode(t, "append coordinates to integers", err, cute.CodeCodomain)
	_, err = parse("4294967296:1").AppendMode(parse("4294967296:1"))
	wantCode(t, "append beyond 2^63", err, cute.CodeOverflow)
	_, err = parse("(4,2):(1,4)").Mode(0, 0)
	wantCode(t, "mode (0,0) of a flat layout", err, cute.CodeMode)
	_, err = parse("(4,2):(1,4)").Mode(2)
	wantCode(t, "mode 2 of two", err, cute.CodeMode)
	_, err = parse("(4,2):(1,4)").Mode(-1)
	wantCode(t, "mode -1", err, cute.CodeMode)
	m, err := parse("(4,(2,3)):(1,(4,8))").Mode(1, 1)
	wantText(t, "mode (1,1)", m, err, "3:8")
	m, err = parse("(4,(2,3)):(1,(4,8))").Mode()
	wantText(t, "mode ()", m, err, "(4,(2,3)):(1,(4,8))")
}

func TestUnflattenTuple(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ t, profile, want string }{
		{"(1,2,3,4)", "((0,0),(0,0))", "((1,2),(3,4))"},
		{"((1,2),3)", "(0,(0,0))", "(1,(2,3))"},
		{"()", "()", "()"},
		{"(5)", "0", "5"},
		{"(1@0,2@1)", "((0),0)", "((1@0),2@1)"},
	} {
		r, err := cute.MustParseTuple(c.t).Unflatten(cute.MustParseTuple(c.profile))
		wantText(t, "unflatten("+c.t+", "+c.profile+")", r, err, c.want)
	}
	_, err := cute.Ints(1, 2).Unflatten(cute.Int(0))
	wantCode(t, "unflatten of two leaves into one", err, cute.CodeNotCongruent)
}

func ExampleTuple_Unflatten() {
	fmt.Println(cute.Ints(1, 2, 3, 4).Unflatten(cute.MustParseTuple("((0,0),(0,0))")))
	// Output: ((1,2),(3,4)) <nil>
}
