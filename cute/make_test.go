package cute_test

import (
	"fmt"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
	"pgregory.net/rapid"
)

// A layout made of others adds the values of its modes.
func TestMakeLayout(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a, b := gen.Chained(8).Draw(t, "a"), gen.Strided(-3, 9).Draw(t, "b")
		l, err := cute.MakeLayout(a, b)
		noError(t, "make_layout", err)
		wantModes(t, "make_layout", l, nil, []cute.Layout{a, b})
		var want []oracle.Vector
		for _, y := range oracle.Of(b).Ints() {
			for _, x := range oracle.Of(a).Ints() {
				want = append(want, oracle.Number(x+y))
			}
		}
		wantTable(t, "make_layout", l, want)
	})
}

func TestCompactLayouts(t *testing.T) {
	holds(t, func(t *rapid.T) {
		shape := gen.Shapes(gen.MaxSize).Draw(t, "shape")
		s := shape.Leaves()
		left, err := cute.LayoutLeft(shape)
		wantStrides(t, "layout_left", left, err, shape, compactIn(s, func(i int) int64 { return int64(i) }))
		right, err := cute.LayoutRight(shape)
		wantStrides(t, "layout_right", right, err, shape, compactIn(s, func(i int) int64 { return int64(-i) }))
		index := make([]oracle.Vector, 0, len(s))
		for i := range left.Size() {
			index = append(index, oracle.Number(i))
		}
		wantTable(t, "layout_left", left, index)
	})
}

func wantStrides(t *rapid.T, what string, l cute.Layout, err error, shape cute.Tuple, d []int64) {
	t.Helper()
	if err != nil || !l.Shape().Equal(shape) || !slices.Equal(l.Stride().Leaves(), d) {
		t.Fatalf("%s: %v, %v, want the shape %v and the strides %v", what, l, err, shape, d)
	}
}

func TestMakeOrderedLayout(t *testing.T) {
	holds(t, func(t *rapid.T) {
		shape := gen.Shapes(gen.MaxSize).Draw(t, "shape")
		order := orderOf(t, shape)
		l, err := cute.MakeOrderedLayout(shape, order)
		ranks, _ := spreadOver(oracle.TreeOf(order), oracle.TreeOf(shape))
		wantStrides(t, "make_ordered_layout by "+order.String(), l, err, shape,
			compactIn(shape.Leaves(), func(i int) int64 { return ranks[i] }))
		if !oracle.Surjective(oracle.Of(l), l.Size()) {
			t.Fatalf("make_ordered_layout(%v, %v) = %v is not compact", shape, order, l)
		}
	})
}

// orderOf draws a tuple weakly congruent to the shape.
func orderOf(t *rapid.T, shape cute.Tuple) cute.Tuple {
	if shape.IsInt() || rapid.IntRange(0, 4).Draw(t, "whole mode") == 4 {
		return cute.Int(rapid.Int64Range(-2, 3).Draw(t, "order"))
	}
	modes := shape.Modes()
	for i := range modes {
		modes[i] = orderOf(t, modes[i])
	}
	x, err := cute.MakeTuple(modes...)
	noError(t, "order", err)
	return x
}

// spreadOver returns, for each leaf of the shape, the leaf of the order that covers it.
func spreadOver(order, shape oracle.Tree) (ranks []int64, ok bool) {
	if order.IsLeaf {
		return slices.Repeat([]int64{order.Int()}, len(shape.Leaves())), true
	}
	for i, m := range order.Modes {
		part, _ := spreadOver(m, shape.Modes[i])
		ranks = append(ranks, part...)
	}
	return ranks, true
}

// MakeLayoutLike returns a compact layout that keeps the order of strides and the broadcast modes.
func TestMakeLayoutLike(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		like, err := cute.MakeLayoutLike(l)
		s, d := l.Shape().Leaves(), l.Stride().Leaves()
		broadcast := slices.Clone(s)
		for i := range d {
			if d[i] == 0 {
				broadcast[i] = 1
			}
		}
		wantStrides(t, "make_layout_like", like, err, l.Shape(),
			compactIn(broadcast, func(i int) int64 { return max(d[i], -d[i]) }))
	})
}

func TestMakeIdentityLayout(t *testing.T) {
	holds(t, func(t *rapid.T) {
		shape := gen.Shapes(gen.MaxSize).Draw(t, "shape")
		l, err := cute.MakeIdentityLayout(shape)
		noError(t, "make_identity_layout", err)
		c := gen.Coords(shape).Draw(t, "c")
		v, err := l.Eval(c)
		if err != nil || !oracle.PointOf(v).Equal(oracle.PointOf(c)) || !l.Shape().Equal(shape) {
			t.Fatalf("the identity %v of %v maps %v to %v, %v", l, shape, c, v, err)
		}
	})
}

func TestMakeFacts(t *testing.T) {
	t.Parallel()
	l, err := cute.MakeLayout(parse("8:1"))
	wantText(t, "make_layout(8:1)", l, err, "(8):(1)")
	l, err = cute.MakeLayout()
	wantText(t, "make_layout()", l, err, "():()")
	l, err = cute.LayoutLeft(cute.MustParseTuple("(1,4,8)"))
	wantText(t, "layout_left", l, err, "(1,4,8):(0,1,4)")
	l, err = cute.LayoutRight(cute.MustParseTuple("(1,4,(8,2))"))
	wantText(t, "layout_right", l, err, "(1,4,(8,2)):(0,16,(2,1))")
	l, err = cute.MakeOrderedLayout(cute.MustParseTuple("(2,3,4)"), cute.MustParseTuple("(1,1,0)"))
	wantText(t, "make_ordered_layout", l, err, "(2,3,4):(4,8,1)") // CuTe's code gives the stride 4 twice
	l, err = cute.MakeOrderedLayout(cute.MustParseTuple("(3,5)"), cute.MustParseTuple("(6,4)"))
	wantText(t, "make_ordered_layout", l, err, "(3,5):(5,1)")
	l, err = cute.MakeLayoutLike(parse("((2,2),3,4):((8,1),0,16)"))
	wantText(t, "make_layout_like", l, err, "((2,2),3,4):((2,1),0,4)")
	l, err = cute.MakeIdentityLayout(cute.MustParseTuple("(2,(3,4))"))
	wantText(t, "make_identity_layout", l, err, "(2,(3,4)):(1@0,(1@0@1,1@1@1))")
	l, err = cute.MakeIdentityLayout(cute.Int(8))
	wantText(t, "make_identity_layout", l, err, "8:1")
	b, err := cute.MakeBasisLike(cute.MustParseTuple("(2,(3,4))"))
	wantText(t, "make_basis_like", b, err, "(1@0,(1@0@1,1@1@1))")
	_, err = cute.MakeOrderedLayout(cute.MustParseTuple("(2,3)"), cute.MustParseTuple("(1,2,3)"))
	wantCode(t, "an order of another rank", err, cute.CodeNotCongruent)
	_, err = cute.MakeLayoutLike(parse("(2,2):(1@0,1@1)"))
	wantCode(t, "make_layout_like of coordinates", err, cute.CodeCodomain)
	_, err = cute.LayoutLeft(cute.MustParseTuple("(4,0)"))
	wantCode(t, "layout_left of an empty shape", err, cute.CodeExtent)
	_, err = cute.LayoutRight(cute.MustParseTuple("(4294967296,4294967296)"))
	wantCode(t, "layout_right of 2^64", err, cute.CodeOverflow)
	_, err = cute.MakeLayout(parse("4:1"), parse("4:1@0"))
	wantCode(t, "make_layout of integers and coordinates", err, cute.CodeCodomain)
}

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

// wantMode stops unless the mode of l at the path is m.
func wantMode(t *rapid.T, l, m cute.Layout, path ...int) {
	t.Helper()
	got, err := l.Mode(path...)
	if err != nil || !got.Equal(m) {
		t.Fatalf("mode %v of %v is %v, %v, want %v", path, l, got, err, m)
	}
}

// Zip is the transpose of the nesting.
func TestZip(t *testing.T) {
	holds(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(1, 3).Draw(t, "columns")
		var as []cute.Layout
		for range rows {
			modes := make([]cute.Layout, cols)
			for j := range modes {
				modes[j] = gen.Chained(4).Draw(t, "mode")
			}
			a, err := cute.MakeLayout(modes...)
			noError(t, "make_layout", err)
			as = append(as, a)
		}
		z, err := cute.Zip(as...)
		noError(t, "zip", err)
		if z.Rank() != cols {
			t.Fatalf("zip(%v) = %v", as, z)
		}
		for i, a := range as {
			for j, m := range a.Modes() {
				wantMode(t, z, m, j, i)
			}
		}
		_, err = cute.Zip(as[0], parse("(1,1,1,1):(0,0,0,0)"))
		wantCode(t, "zip of other ranks", err, cute.CodeRank)
	})
}

// All forms of divides and products contain the modes of the logical form, in other places.
func TestForms(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.CompactLayouts().Draw(t, "a")
		modes := a.Modes()
		tilers := make([]cute.Tiler, rapid.IntRange(1, len(modes)).Draw(t, "modes of the tile"))
		for i := range tilers {
			tilers[i] = rapid.OneOf(gen.Chained(4), gen.Chained(8)).Draw(t, "tiler")
		}
		tile := cute.MakeTile(tilers...)
		if d, err := cute.LogicalDivide(a, tile); err == nil {
			zipped, err1 := cute.ZippedDivide(a, tile)
			tiled, err2 := cute.TiledDivide(a, tile)
			flat, err3 := cute.FlatDivide(a, tile)
			if err1 != nil || err2 != nil || err3 != nil {
				t.Fatalf("%v / %v = %v, but %v, %v, %v", a, tile, d, err1, err2, err3)
			}
			wantForms(t, len(tilers), d.Layout, zipped.Layout, tiled.Layout, flat.Layout)
		}
		if p, err := cute.LogicalProduct(a, tile); err == nil {
			zipped, err1 := cute.ZippedProduct(a, tile)
			tiled, err2 := cute.TiledProduct(a, tile)
			flat, err3 := cute.FlatProduct(a, tile)
			if err1 != nil || err2 != nil || err3 != nil {
				t.Fatalf("%v x %v = %v, but %v, %v, %v", a, tile, p, err1, err2, err3)
			}
			wantForms(t, len(tilers), p, zipped, tiled, flat)
		}
	})
}

// wantForms checks logical ((TM,RM),(TN,RN),L), zipped ((TM,TN),(RM,RN,L)), tiled ((TM,TN),RM,RN,L), flat
// (TM,TN,RM,RN,L).
func wantForms(t *rapid.T, n int, logical, zipped, tiled, flat cute.Layout) {
	t.Helper()
	rank := logical.Rank()
	if zipped.Rank() != 2 || tiled.Rank() != 1+rank || flat.Rank() != n+rank {
		t.Fatalf("the forms of %v: %v, %v, %v", logical, zipped, tiled, flat)
	}
	for i, m := range logical.Modes() {
		if i >= n {
			wantMode(t, zipped, m, 1, i)
			wantMode(t, tiled, m, 1+i)
			wantMode(t, flat, m, n+i)
			continue
		}
		pair := m.Modes()
		if len(pair) != 2 {
			t.Fatalf("mode %d of %v is no pair", i, logical)
		}
		wantMode(t, zipped, pair[0], 0, i)
		wantMode(t, zipped, pair[1], 1, i)
		wantMode(t, tiled, pair[0], 0, i)
		wantMode(t, tiled, pair[1], 1+i)
		wantMode(t, flat, pair[0], i)
		wantMode(t, flat, pair[1], n+i)
	}
}

func TestFormFacts(t *testing.T) {
	t.Parallel()
	const a, tile = "(9,(4,8),5):(59,(13,1),1000)", "<3:3,(2,4):(1,8)>"
	for _, test := range []struct {
		name string
		f    func(cute.Layout, cute.Tiler) (cute.Division, error)
		want string
	}{
		{"logical", cute.LogicalDivide, "((3,3),((2,4),(2,2)),5):((177,59),((13,2),(26,1)),1000)"},
		{"zipped", cute.ZippedDivide, "((3,(2,4)),(3,(2,2),5)):((177,(13,2)),(59,(26,1),1000))"},
		{"tiled", cute.TiledDivide, "((3,(2,4)),3,(2,2),5):((177,(13,2)),59,(26,1),1000)"},
		{"flat", cute.FlatDivide, "(3,(2,4),3,(2,2),5):(177,(13,2),59,(26,1),1000)"},
	} {
		d, err := test.f(parse(a), cute.MustParseTiler(tile))
		wantText(t, test.name+"_divide", d, err, test.want)
	}
	// An underscore leaves a mode alone, whatever the mode's rank; tile_unzip reads a mode of rank 2 there as a pair.
	for _, test := range []struct{ a, zipped, tiled, flat string }{
		{"(9,8):(1,9)", "((3,1),(3,8)):((1,0),(3,9))", "((3,1),3,8):((1,0),3,9)", "(3,1,3,8):(1,0,3,9)"},
		{"(9,(2,4)):(1,(9,20))", "((3,1),(3,(2,4))):((1,0),(3,(9,20)))", "((3,1),3,(2,4)):((1,0),3,(9,20))", "(3,1,3,(2,4)):(1,0,3,(9,20))"},
		{
			"(9,(2,2,2)):(1,(9,20,50))", "((3,1),(3,(2,2,2))):((1,0),(3,(9,20,50)))",
			"((3,1),3,(2,2,2)):((1,0),3,(9,20,50))", "(3,1,3,(2,2,2)):(1,0,3,(9,20,50))",
		},
	} {
		tiler := cute.MustParseTiler("<3,_>")
		d, err := cute.ZippedDivide(parse(test.a), tiler)
		wantText(t, "zipped_divide by <3,_>", d, err, test.zipped)
		d, err = cute.TiledDivide(parse(test.a), tiler)
		wantText(t, "tiled_divide by <3,_>", d, err, test.tiled)
		d, err = cute.FlatDivide(parse(test.a), tiler)
		wantText(t, "flat_divide by <3,_>", d, err, test.flat)
	}
	p, err := cute.ZippedProduct(parse("(9,(2,4)):(1,(9,18))"), cute.MustParseTiler("<3,_>"))
	wantText(t, "zipped_product by <3,_>", p, err, "((9,1),(3,(2,4))):((1,0),(9,(9,18)))")
	d, err := cute.LogicalDivide(parse("((2,4),6):((1,2),8)"), cute.MustParseTiler("<_,3>"))
	wantText(t, "logical_divide by <_,3>", d, err, "((2,4),(3,2)):((1,2),(8,24))")
	p, err = cute.TileUnzip(d.Layout, cute.MustParseTiler("<_,3>"))
	wantText(t, "tile_unzip by <_,3>", p, err, "((2,3),(4,2)):((1,8),(2,24))")

	u, err := cute.TileUnzip(parse("((2,3),(4,5),6):((1,2),(6,24),120)"), cute.MustParseTiler("<2,4>"))
	wantText(t, "tile_unzip", u, err, "((2,4),(3,5,6)):((1,6),(2,24,120))")
	_, err = cute.TileUnzip(parse("(8,6):(1,8)"), cute.MustParseTiler("<2,3>"))
	wantCode(t, "tile_unzip of what is no pair", err, cute.CodeRank)
	_, err = cute.TileUnzip(parse("((2,2),2):((1,2),4)"), cute.MustParseTiler("<2,2,2>"))
	wantCode(t, "tile_unzip by a tile of higher rank", err, cute.CodeRank)
}

// A mode under _ is unchanged among the rests, whatever its rank, and has one tile.
func TestKeptModes(t *testing.T) { holds(t, checkKeptModes) }

func FuzzKeptModes(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkKeptModes)) }

func checkKeptModes(t *rapid.T) {
	a := anyLayout().Draw(t, "a")
	if a.Shape().IsInt() || a.Rank() == 0 {
		return
	}
	modes := a.Modes()
	tilers := make([]cute.Tiler, len(modes))
	for i := range tilers {
		if tilers[i] = cute.Keep; rapid.Bool().Draw(t, "divide") {
			tilers[i] = cute.Int(rapid.Int64Range(1, 4).Draw(t, "tile"))
		}
	}
	d, err := cute.ZippedDivide(a, cute.MakeTile(tilers...))
	if err != nil {
		return
	}
	for i, m := range modes {
		if tilers[i] != cute.Keep {
			continue
		}
		tile, err1 := d.Mode(0, i)
		rest, err2 := d.Mode(1, i)
		if err1 != nil || err2 != nil || tile.Size() != 1 || !rest.Equal(m) {
			t.Fatalf("zipped_divide(%v, %v) = %v: mode %d has the tile %v and the rest %v",
				a, cute.MakeTile(tilers...), d.Layout, i, tile, rest)
		}
	}
}
