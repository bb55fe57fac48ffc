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

// Both layouts count up along the common one, and for a bijection b no longer layout does.
func TestMaxCommonLayout(t *testing.T) {
	holds(t, func(t *rapid.T) {
		b := gen.CompactLayouts().Draw(t, "b")
		a := likeness(t, b)
		r, err := cute.MaxCommonLayout(a, b)
		noError(t, "max_common_layout", err)
		x, y := oracle.Of(a), oracle.Of(b)
		for i, at := range oracle.Of(r).Ints() {
			if want := oracle.Number(int64(i)); !x.Index(at).Equal(want) || !y.Index(at).Equal(want) {
				t.Fatalf("max_common_layout(%v, %v) = %v: index %d has the values %v and %v", a, b, r, at, x.Index(at), y.Index(at))
			}
		}
		if n := oracle.LargestRightInverse(y, x); r.Size() != n {
			t.Fatalf("max_common_layout(%v, %v) = %v has %d elements, the largest one %d", a, b, r, r.Size(), n)
		}
		if n, err := cute.MaxCommonVector(a, b); err != nil || n != r.Size() {
			t.Fatalf("max_common_vector(%v, %v) = %d, %v, want %d", a, b, n, err, r.Size())
		}
	})
}

// likeness draws a layout of the size of b that agrees with it on some modes.
func likeness(t *rapid.T, b cute.Layout) cute.Layout {
	s, d := b.Shape().Leaves(), b.Stride().Leaves()
	for i := range d {
		if rapid.IntRange(0, 2).Draw(t, "change") == 2 {
			d[i] = rapid.Int64Range(0, 8).Draw(t, "stride")
		}
	}
	l, err := cute.New(cute.Ints(s...), cute.Ints(d...))
	noError(t, "make_layout", err)
	return l
}

// Whatever the two are, what they are said to have in common they have, inside both; and it is the largest such layout
// if the second one does not repeat offsets.
func TestMaxCommonLayoutIsCommon(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a, b := gen.NonNegativeLayouts().Draw(t, "a"), gen.NonNegativeLayouts().Draw(t, "b")
		r, err := cute.MaxCommonLayout(a, b)
		noError(t, "max_common_layout", err)
		x, y := oracle.Of(a), oracle.Of(b)
		for i, at := range oracle.Of(r).Ints() {
			if want := oracle.Number(int64(i)); !x.Index(at).Equal(want) || !y.Index(at).Equal(want) ||
				at >= min(a.Size(), b.Size()) {
				t.Fatalf("max_common_layout(%v, %v) = %v: index %d has the values %v and %v", a, b, r, at, x.Index(at), y.Index(at))
			}
		}
		if !oracle.Injective(y) {
			return
		}
		if n := oracle.LargestRightInverse(y, x); r.Size() != n {
			t.Fatalf("max_common_layout(%v, %v) = %v has %d elements, the largest one %d", a, b, r, r.Size(), n)
		}
	})
}

// cuts returns the products of the leading extents, without those of extent 1.
func cuts(shape cute.Tuple) []int64 {
	out, product := []int64{}, int64(1)
	for _, x := range shape.Leaves() {
		if x > 1 {
			product *= x
			out = append(out, product)
		}
	}
	return out
}

func TestCommonRefinement(t *testing.T) { holds(t, checkCommonRefinement) }
func FuzzCommonRefinement(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkCommonRefinement)) }

// The common refinement has the cuts of both shapes and no other, if these divide one another, whatever the sizes.
func checkCommonRefinement(t *rapid.T) {
	a := gen.Shapes(gen.MaxSize).Draw(t, "a")
	b := a
	if rapid.IntRange(0, 4).Draw(t, "other size") == 4 {
		b = gen.Shapes(gen.MaxSize).Draw(t, "b")
	} else if rapid.Bool().Draw(t, "goes on") {
		b = cute.Ints(append(factors(t, oracle.TreeOf(a).Size()), factors(t, rapid.Int64Range(1, 12).Draw(t, "times"))...)...)
	} else if n := oracle.TreeOf(a).Size(); n > 1 {
		b = cute.Ints(factors(t, n)...)
	}
	r, err := cute.CommonRefinement(a, b)
	all := slices.Concat(cuts(a), cuts(b))
	slices.Sort(all)
	all = slices.Compact(all)
	divides := true
	for i := 1; i < len(all); i++ {
		divides = divides && all[i]%all[i-1] == 0
	}
	if !divides {
		wantCode(t, "common_refinement of "+a.String()+" and "+b.String(), err, cute.CodeNotDivisible)
		return
	}
	noError(t, "common_refinement", err)
	if !slices.Equal(cuts(r), all) || r.Depth() > 1 || (slices.Contains(r.Leaves(), 1) && !r.IsInt()) {
		t.Fatalf("common_refinement(%v, %v) = %v, want the cuts %v", a, b, r, all)
	}
}

// factors draws an ordered factorization of n.
func factors(t *rapid.T, n int64) []int64 {
	var out []int64
	for n > 1 {
		var divisors []int64
		for x := int64(2); x <= n; x++ {
			if n%x == 0 {
				divisors = append(divisors, x)
			}
		}
		f := rapid.SampledFrom(divisors).Draw(t, "factor")
		out = append(out, f)
		n /= f
	}
	return out
}

func TestCommonFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, b, want string }{
		{"(4,8):(1,4)", "(4,8):(1,4)", "32:1"},
		{"(4,8):(1,4)", "(4,8):(1,8)", "4:1"},
		{"(4,8):(8,1)", "(4,8):(8,1)", "(8,4):(4,1)"},
		{"(4,8):(8,1)", "(4,8):(1,4)", "1:0"},
		{"(2,(2,8)):(16,(1,2))", "(2,(2,8)):(32,(1,2))", "16:2"},
		{"8:2", "8:2", "1:0"},
		{"8:0", "8:1", "1:0"},
	} {
		r, err := cute.MaxCommonLayout(parse(test.a), parse(test.b))
		wantText(t, "max_common_layout("+test.a+", "+test.b+")", r, err, test.want)
	}
	_, err := cute.MaxCommonVector(parse("4:1@0"), parse("4:1"))
	wantCode(t, "max_common_vector of coordinates", err, cute.CodeCodomain)
	for _, test := range []struct{ a, b, want string }{
		{"(4,6)", "(8,3)", "(4,2,3)"},
		{"24", "(4,6)", "(4,6)"},
		{"((2,2),6)", "24", "(2,2,6)"},
		{"1", "(1,1)", "1"},
		{"()", "1", "1"},
		{"8", "8", "8"},
		{"(6,6)", "(12,3,6)", "(6,2,3,6)"},
		{"(12,3,6)", "(6,6)", "(6,2,3,6)"},
		{"4", "(8,3)", "(4,2,3)"},
		{"1", "(2,3)", "(2,3)"},
	} {
		r, err := cute.CommonRefinement(cute.MustParseTuple(test.a), cute.MustParseTuple(test.b))
		wantText(t, "common_refinement("+test.a+", "+test.b+")", r, err, test.want)
	}
	for _, test := range []struct {
		a, b string
		code cute.Code
	}{
		{"(4,6)", "(6,4)", cute.CodeNotDivisible},
		{"(4,6)", "(4,5)", cute.CodeNotDivisible},
		{"(4,0)", "(4,6)", cute.CodeExtent},
		{"(4294967296,4294967296)", "4", cute.CodeOverflow},
	} {
		_, err := cute.CommonRefinement(cute.MustParseTuple(test.a), cute.MustParseTuple(test.b))
		wantCode(t, "common_refinement("+test.a+", "+test.b+")", err, test.code)
	}
}

func TestGreatestCommonDomain(t *testing.T) { holds(t, checkCommonDomain) }
func FuzzGreatestCommonDomain(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkCommonDomain)) }

// The result is a layout of modes that both shapes can be cut into, and the size of every other one divides its size.
func checkCommonDomain(t *rapid.T) {
	a := gen.Shapes(gen.MaxSize).Draw(t, "a")
	b := gen.Shapes(gen.MaxSize).Draw(t, "b")
	if n, err := a.Product(); err == nil && n > 1 && rapid.Bool().Draw(t, "one size") {
		b = cute.Ints(factors(t, n)...)
	}
	r, err := cute.GreatestCommonDomain(a, b)
	noError(t, "greatest_common_domain", err)
	if other, err := cute.GreatestCommonDomain(b, a); err != nil || !other.Equal(r) {
		t.Fatalf("greatest_common_domain(%v, %v) = %v, the other way round %v, %v", a, b, r, other, err)
	}
	s, d, from := r.Shape().Leaves(), r.Stride().Leaves(), int64(1)
	for i := range s {
		if s[i] == 1 && r.String() == "(1):(0)" {
			break
		}
		if s[i] < 2 || d[i]%from != 0 || !cuttable(a, s[i], d[i]) || !cuttable(b, s[i], d[i]) {
			t.Fatalf("greatest_common_domain(%v, %v) = %v: mode %d cannot be cut out of both", a, b, r, i)
		}
		from = s[i] * d[i]
	}
	for size := range commonSizes(a, b, 1, map[int64]map[int64]bool{}) {
		if r.Size()%size != 0 {
			t.Fatalf("greatest_common_domain(%v, %v) = %v: there is one of size %d", a, b, r, size)
		}
	}
}

// cuttable reports whether a leaf of the shape can be cut into three factors of which the second is s:d.
func cuttable(shape cute.Tuple, s, d int64) bool {
	p := int64(1)
	for _, x := range shape.Leaves() {
		if d%p == 0 && x%(d/p) == 0 && (x/(d/p))%s == 0 {
			return true
		}
		p *= x
	}
	return false
}

// commonSizes returns the sizes of all layouts of modes from the given stride on that can be cut out of both shapes.
func commonSizes(a, b cute.Tuple, from int64, known map[int64]map[int64]bool) map[int64]bool {
	if known[from] != nil {
		return known[from]
	}
	sizes := map[int64]bool{1: true}
	known[from] = sizes
	n, _ := a.Product()
	for d := from; d < n; d += from {
		for s := int64(2); s*d <= n; s++ {
			if cuttable(a, s, d) && cuttable(b, s, d) {
				for rest := range commonSizes(a, b, s*d, known) {
					sizes[s*rest] = true
				}
			}
		}
	}
	return sizes
}

// The results that NVIDIA's PyCuTe documents.
func TestGreatestCommonDomainFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"1", "1", "(1):(0)"},
		{"10", "10", "(10):(1)"},
		{"7", "9", "(1):(0)"},
		{"12", "18", "(6):(1)"},
		{"(16,3)", "(16,3)", "(16,3):(1,16)"},
		{"(5,3,4)", "(10,6)", "(5,2):(1,30)"},
		{"(5,3,3,4)", "(10,6,1,3)", "(5):(1)"},
		{"(2,21)", "(3,14)", "(7):(6)"},
		{"(6,35)", "(15,14)", "(3,7):(1,30)"},
		{"(16,64)", "(4,16,16)", "(4,4,4,16):(1,4,16,64)"},
		{"(5,3)", "(3,5)", "(1):(0)"},
		{"(7,2,3,2,2,3,2)", "(7,3,2,2,3,2,2)", "(7,2,2):(1,42,504)"},
		{"(2,(3,4))", "(6,4)", "(2,3,4):(1,2,6)"},
		{"(4,6)", "(2,12)", "(2,2,6):(1,2,4)"},
		{"4611686018427387904", "(3,1537228672809129301)", "(1):(0)"},
	} {
		r, err := cute.GreatestCommonDomain(cute.MustParseTuple(c.a), cute.MustParseTuple(c.b))
		wantText(t, "greatest_common_domain("+c.a+", "+c.b+")", r, err, c.want)
	}
	for code, a := range map[cute.Code]string{cute.CodeExtent: "(4,0)", cute.CodeCodomain: "1@0", cute.CodeOverflow: "(4294967296,4294967296)"} {
		_, err := cute.GreatestCommonDomain(cute.MustParseTuple("4"), cute.MustParseTuple(a))
		wantCode(t, "greatest_common_domain of "+a, err, code)
	}
}

func ExampleGreatestCommonDomain() {
	fmt.Println(cute.GreatestCommonDomain(cute.Ints(5, 3, 4), cute.Ints(10, 6)))
	// Output: (5,2):(1,30) <nil>
}
