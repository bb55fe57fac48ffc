package cute_test

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// A made layout adds the values of its modes.
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

// compactIn returns the strides of the compact layout of the extents s whose leaves vary in the order of their ranks,
// equal ones from left to right, and 0 for an extent of 1.
func compactIn(s []int64, rank func(i int) int64) []int64 {
	order := make([]int, len(s))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	d, next := make([]int64, len(s)), int64(1)
	for _, i := range order {
		if s[i] > 1 {
			d[i] = next
			next *= s[i]
		}
	}
	return d
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

// The layout like another one is compact, keeps the order of strides, and leaves broadcasts.
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
