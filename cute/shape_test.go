package cute_test

import (
	"testing"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
	"pgregory.net/rapid"
)

// twoShapes draws two shapes that are often related: one may result from multiplying out modes of the other.
func twoShapes(t *rapid.T) (a, b cute.Tuple) {
	b = gen.Shapes(gen.MaxSize).Draw(t, "b")
	if rapid.IntRange(0, 3).Draw(t, "unrelated") == 0 {
		return gen.Shapes(gen.MaxSize).Draw(t, "a"), b
	}
	return coarser(t, b), b
}

// coarser replaces some modes of the shape by their sizes, and now and then by another number.
func coarser(t *rapid.T, shape cute.Tuple) cute.Tuple {
	if shape.IsInt() || rapid.IntRange(0, 3).Draw(t, "coarser") == 0 {
		n, err := shape.Product()
		noError(t, "product", err)
		if rapid.IntRange(0, 9).Draw(t, "wrong") == 9 {
			n++
		}
		return cute.Int(n)
	}
	modes := shape.Modes()
	for i := range modes {
		modes[i] = coarser(t, modes[i])
	}
	x, err := cute.MakeTuple(modes...)
	noError(t, "make_tuple", err)
	return x
}

// The relations are tested by their definitions on trees. Compatibility is also tested by its purpose: every coordinate
// of a, in its bounds, is a coordinate of b with the same index.
func TestRelations(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a, b := twoShapes(t)
		x, y := oracle.TreeOf(a), oracle.TreeOf(b)
		if cute.Congruent(a, b) != x.Congruent(y) || cute.WeaklyCongruent(a, b) != x.WeaklyCongruent(y) {
			t.Fatalf("%v and %v: congruent %v, weakly %v", a, b, cute.Congruent(a, b), cute.WeaklyCongruent(a, b))
		}
		compatible := cute.Compatible(a, b)
		if compatible != x.Compatible(y) {
			t.Fatalf("%v and %v: compatible %v", a, b, compatible)
		}
		if !compatible {
			return
		}
		for i := range x.Size() {
			c, err := cute.Idx2Crd(cute.Int(i), a)
			noError(t, "idx2crd", err)
			fine, err := cute.Idx2Crd(c, b)
			noError(t, "a coordinate of a in b", err)
			inside, err := cute.ElemLess(fine, b)
			noError(t, "elem_less", err)
			if idx, err := cute.Crd2Idx(c, b); err != nil || idx != i || !inside {
				t.Fatalf("%v is compatible with %v, but its coordinate %v has the index %d there, %v", a, b, c, idx, err)
			}
		}
	})
}

// Compatibility is an order of shapes.
func TestCompatibleIsAnOrder(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a, b := twoShapes(t)
		c := coarser(t, a)
		if !cute.Compatible(a, a) {
			t.Fatalf("%v is not compatible with itself", a)
		}
		if cute.Compatible(c, a) && cute.Compatible(a, b) && !cute.Compatible(c, b) {
			t.Fatalf("%v, %v and %v are not transitive", c, a, b)
		}
		if cute.Compatible(a, b) && cute.Compatible(b, a) && !a.Equal(b) {
			t.Fatalf("%v and %v are compatible both ways", a, b)
		}
	})
}

func TestProduct(t *testing.T) {
	holds(t, func(t *rapid.T) {
		s := gen.Shapes(gen.MaxSize).Draw(t, "s")
		if n, err := s.Product(); err != nil || n != oracle.TreeOf(s).Size() {
			t.Fatalf("product(%v) = %d, %v", s, n, err)
		}
		each, err := cute.ProductEach(s)
		noError(t, "product_each", err)
		for i, m := range s.Modes() {
			if n := oracle.TreeOf(m).Size(); each.Leaves()[i] != n {
				t.Fatalf("product_each(%v) = %v, want %d at mode %d", s, each, n, i)
			}
		}
	})
}

// A shape divided by a number uses up the number from left to right, and the quotient covers the rest of the shape.
func TestCeilDiv(t *testing.T) {
	holds(t, func(t *rapid.T) {
		s := gen.Shapes(gen.MaxSize).Draw(t, "s")
		n := rapid.Int64Range(1, 100).Draw(t, "n")
		r, err := cute.CeilDiv(s, cute.Int(n))
		noError(t, "ceil_div", err)
		left := n
		for i, x := range s.Leaves() {
			if want := (x + left - 1) / left; r.Leaves()[i] != want {
				t.Fatalf("ceil_div(%v, %d) = %v, want %d at leaf %d", s, n, r, want, i)
			}
			left = (left + x - 1) / x
		}
		if !cute.Congruent(r, s) {
			t.Fatalf("ceil_div(%v, %d) = %v", s, n, r)
		}
		d, err := cute.ShapeDiv(s, cute.Int(n))
		if err == nil && !d.Equal(r) {
			t.Fatalf("shape_div(%v, %d) = %v, ceil_div is %v", s, n, d, r)
		}
		if size := oracle.TreeOf(s).Size(); err == nil && size%n == 0 && oracle.TreeOf(d).Size() != size/n {
			t.Fatalf("shape_div(%v, %d) = %v, want a shape of %d", s, n, d, size/n)
		}
	})
}

func TestRelationFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, b                        string
		congruent, weak, compatible bool
	}{
		{"24", "24", true, true, true},
		{"24", "(4,6)", false, true, true},
		{"(24)", "24", false, false, false},
		{"(24)", "(4,6)", false, false, false},
		{"((2,3),4)", "((2,3),(2,2))", false, true, true},
		{"(6,4)", "((2,3),4)", false, true, true},
		{"(4,6)", "(6,4)", true, true, false},
		{"()", "()", true, true, true},
		{"1", "()", false, true, true},
		{"2", "()", false, true, false},
	} {
		a, b := cute.MustParseTuple(test.a), cute.MustParseTuple(test.b)
		if cute.Congruent(a, b) != test.congruent || cute.WeaklyCongruent(a, b) != test.weak ||
			cute.Compatible(a, b) != test.compatible {
			t.Errorf("%v and %v: congruent %v, weakly %v, compatible %v", a, b,
				cute.Congruent(a, b), cute.WeaklyCongruent(a, b), cute.Compatible(a, b))
		}
	}
	if cute.Compatible(cute.MustParseTuple("1@0"), cute.Int(1)) {
		t.Errorf("a coordinate is compatible with a shape")
	}
}

func TestShapeArithmeticFacts(t *testing.T) {
	t.Parallel()
	type op = func(a, b cute.Tuple) (cute.Tuple, error)
	for _, test := range []struct {
		name string
		f    op
		a, b string
		want string
	}{
		{"ceil_div", cute.CeilDiv, "10", "3", "4"},
		{"ceil_div", cute.CeilDiv, "(4,5,6)", "7", "(1,3,6)"},
		{"ceil_div", cute.CeilDiv, "(4,5,6)", "(3,2)", "(2,3,6)"},
		{"ceil_div", cute.CeilDiv, "24", "(4,2)", "3"},
		{"ceil_div", cute.CeilDiv, "(2,3,4)", "8", "(1,1,2)"},
		{"shape_div", cute.ShapeDiv, "(4,5,6)", "40", "(1,1,3)"},
		{"shape_div", cute.ShapeDiv, "(4,6)", "(2,3)", "(2,2)"},
		{"shape_div", cute.ShapeDiv, "24", "(4,6)", "1"},
	} {
		r, err := test.f(cute.MustParseTuple(test.a), cute.MustParseTuple(test.b))
		wantText(t, test.name+"("+test.a+", "+test.b+")", r, err, test.want)
	}
	for _, test := range []struct {
		name string
		f    op
		a, b string
		code cute.Code
	}{
		{"ceil_div", cute.CeilDiv, "(4,5)", "(1,1,1)", cute.CodeRank},
		{"ceil_div", cute.CeilDiv, "4", "0", cute.CodeNegative},
		{"ceil_div", cute.CeilDiv, "-4", "2", cute.CodeNegative},
		{"ceil_div", cute.CeilDiv, "4", "-2", cute.CodeNegative},
		{"ceil_div", cute.CeilDiv, "1@0", "2", cute.CodeCodomain},
		{"ceil_div", cute.CeilDiv, "4", "(4294967296,4294967296)", cute.CodeOverflow},
		{"shape_div", cute.ShapeDiv, "(4,5,6)", "8", cute.CodeNotDivisible},
		{"shape_div", cute.ShapeDiv, "(4,5)", "(4)", cute.CodeRank},
	} {
		_, err := test.f(cute.MustParseTuple(test.a), cute.MustParseTuple(test.b))
		wantCode(t, test.name+"("+test.a+", "+test.b+")", err, test.code)
	}
	each, err := cute.ProductEach(cute.Int(6))
	wantText(t, "product_each(6)", each, err, "(6)")
	each, err = cute.ProductEach(cute.MustParseTuple("((2,3),4,())"))
	wantText(t, "product_each", each, err, "(6,4,1)")
	_, err = cute.MustParseTuple("(1@0,2@1)").Product()
	wantCode(t, "the product of coordinates", err, cute.CodeCodomain)
	_, err = cute.MustParseTuple("(4294967296,4294967296)").Product()
	wantCode(t, "a product of 2^64", err, cute.CodeOverflow)
	less, err := cute.ElemLess(cute.MustParseTuple("(1,(2,3))"), cute.MustParseTuple("(2,(3,4))"))
	if !less || err != nil {
		t.Errorf("(1,(2,3)) < (2,(3,4)) is %v, %v", less, err)
	}
	less, err = cute.ElemLess(cute.MustParseTuple("(1,5)"), cute.MustParseTuple("(2,5)"))
	if less || err != nil {
		t.Errorf("(1,5) < (2,5) is %v, %v", less, err)
	}
	_, err = cute.ElemLess(cute.Int(1), cute.Ints(2))
	wantCode(t, "1 < (2)", err, cute.CodeNotCongruent)
}

// The inner product of a coordinate with the strides is the value of the layout.
func TestInnerProduct(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		i := rapid.Int64Range(0, l.Size()-1).Draw(t, "i")
		c, err := cute.Idx2Crd(cute.Int(i), l.Shape())
		if err != nil {
			t.Fatal(err)
		}
		want, err := l.At(i)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := cute.InnerProduct(c, l.Stride()); err != nil || got != want {
			t.Errorf("inner_product(%v, %v) = %d, %v, want %d", c, l.Stride(), got, err, want)
		}
	})
}
