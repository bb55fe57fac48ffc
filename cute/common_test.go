package cute_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
	"pgregory.net/rapid"
)

// Both layouts count up along the common layout. If b is a bijection, no longer layout does.
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

// likeness draws a layout that has b's size and agrees with b on some modes.
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

// Both layouts count up along their common layout, which stays inside both. The common layout is the largest such
// layout if the second operand does not repeat offsets.
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

// cuts returns the products of the leading extents, skipping extents of 1.
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

// The common refinement has the cuts of both shapes and no other cut. It exists if of every two cuts one divides the
// other, whatever the sizes.
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

// The modes of the result can be cut out of both shapes. The size of any other layout of such modes divides the size of
// the result.
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

// cuttable reports whether a leaf of the shape splits into three factors, the second of them s:d.
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

// commonSizes returns the sizes of all layouts whose modes start at the given stride and can be cut out of both shapes.
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

// These are results that NVIDIA's PyCuTe documents.
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

func TestLayoutAdd(t *testing.T) { holds(t, checkLayoutAdd) }
func FuzzLayoutAdd(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkLayoutAdd)) }

// The sum is the coalesced layout whose offsets are the sums of the offsets. If the sum is refused, no layout has these
// offsets, and the witness is the index at which the last candidate fails.
func checkLayoutAdd(t *rapid.T) {
	a := anyLayout().Draw(t, "a")
	b := drawAddend(t, a)
	r, err := cute.LayoutAdd(a, b)
	x, y := oracle.Of(a).Table(), oracle.Of(b).Table()
	encoded, ok := oracle.Encode(4, x, y)
	if !ok {
		return
	}
	want := make([]int64, len(x))
	for i := range want {
		want[i] = encoded[0][i] + encoded[1][i]
	}
	fit := oracle.Refines(want, []int64{int64(len(want))})
	if err != nil {
		e, _ := errors.AsType[*cute.Error](err)
		if e == nil || e.Code != cute.CodeNotRepresentable || fit.Ok || e.Witness == nil || e.Witness.Index != fit.Index {
			t.Fatalf("layout_add(%v, %v): %v, want %v", a, b, err, fit)
		}
		if at, ok := e.Witness.Value.Int64(); ok && at != want[fit.Index] {
			t.Fatalf("layout_add(%v, %v): %v, the sum is %d", a, b, err, want[fit.Index])
		}
		if at, ok := e.Witness.Want.Int64(); ok && a.Stride().Leaves() != nil && (len(fit.Want) != 1 || at != fit.Want[0]) {
			t.Fatalf("layout_add(%v, %v): %v, layouts give %v", a, b, err, fit.Want)
		}
		return
	}
	if !coalesce(t, r).Equal(r) || r.Size() != a.Size() {
		t.Fatalf("layout_add(%v, %v) = %v is not coalesced, or of another size", a, b, r)
	}
	got, ok := oracle.Encode(4, x, y, oracle.Of(r).Table())
	if !ok {
		return
	}
	for i, v := range got[2] {
		if v != got[0][i]+got[1][i] {
			t.Fatalf("layout_add(%v, %v) = %v: at %d it is %d, want %d + %d", a, b, r, i, v, got[0][i], got[1][i])
		}
	}
}

// drawAddend draws a layout of a's size and kind, often with some of a's cuts.
func drawAddend(t *rapid.T, a cute.Layout) cute.Layout {
	shape := a.Shape()
	if n := a.Size(); n > 1 && rapid.Bool().Draw(t, "other cuts") {
		shape = cute.Ints(factors(t, n)...)
	}
	strides := make([]cute.Tuple, 0, len(shape.Leaves()))
	for range shape.Leaves() {
		d := cute.Int(rapid.Int64Range(-4, 12).Draw(t, "stride"))
		if a.HasBasis() {
			path := a.Stride().Flatten().Modes()
			var err error
			d, err = path[rapid.IntRange(0, len(path)-1).Draw(t, "like")].Scale(rapid.Int64Range(-2, 4).Draw(t, "times"))
			noError(t, "scale", err)
		}
		strides = append(strides, d)
	}
	stride, err := cute.MakeTuple(strides...)
	noError(t, "strides", err)
	stride, err = stride.Unflatten(shape)
	noError(t, "unflatten", err)
	b, err := cute.New(shape, stride)
	noError(t, "make_layout", err)
	return b
}

func TestLayoutAddFacts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, want string }{
		{"(4,3):(3,1)", "12:1", "(4,3):(4,5)"},
		{"12:1", "12:1", "12:2"},
		{"5:0", "5:1", "5:1"},
		{"(2,2):(1,3)", "(2,2):(1,1)", "4:2"},
		{"1:5", "1:7", "1:0"},
		{"(5,3,4):(1,5,15)", "(10,6):(1,10)", "60:2"},
		{"(2,(3,4)):(12,(4,1))", "(6,4):(4,1)", "(2,3,4):(16,12,2)"},
		{"(4,3):(1@0,1@1)", "(4,3):(1@1,1@0)", "(4,3):(1@0+1@1,1@0+1@1)"},
		{"(4,3):(1@0,1@1)", "12:0", "(4,3):(1@0,1@1)"},
		{"(2,2):(1,3)", "(2,2):(1,-1)", "(2,2):(2,2)"},
	} {
		r, err := cute.LayoutAdd(parse(c.a), parse(c.b))
		want := c.want
		if l, errL := cute.Parse(c.want); errL == nil {
			want = l.String()
		}
		wantText(t, "layout_add("+c.a+", "+c.b+")", r, err, want)
	}
	for _, c := range []struct {
		a, b string
		code cute.Code
	}{
		{"6:1", "8:1", cute.CodeNotCongruent},
		{"(2,3):(1,5)", "(3,2):(1,5)", cute.CodeNotRepresentable},
		{"4:1", "4:1@0", cute.CodeCodomain},
		{"(8,1):(0,1@0)", "(8,1):(6,0)", cute.CodeCodomain},
		{"2:9223372036854775806", "2:9223372036854775806", cute.CodeOverflow},
	} {
		_, err := cute.LayoutAdd(parse(c.a), parse(c.b))
		wantCode(t, "layout_add("+c.a+", "+c.b+")", err, c.code)
	}
}

func ExampleDomainDistribute() {
	d, err := cute.DomainDistribute(cute.Ints(15, 14), 6)
	fmt.Println(d, err)
	// Output: (3,2):(1,15) <nil>
}

func TestDomainDistribute(t *testing.T) {
	t.Parallel()
	rapid.Check(t, distributes)
	for _, n := range []int64{0, -4} {
		_, err := cute.DomainDistribute(cute.Int(8), n)
		wantCode(t, "domain_distribute", err, cute.CodeExtent)
	}
	_, err := cute.DomainDistribute(cute.Ints(1<<40, 1<<40), 4)
	wantCode(t, "domain_distribute", err, cute.CodeOverflow)
}

func FuzzDomainDistribute(f *testing.F) { f.Fuzz(rapid.MakeFuzz(distributes)) }

// The indices grow and belong to the shape, their number divides n, and they divide the shape evenly, as in CuTe. No
// leaf could take a larger factor of what earlier leaves leave of n.
func distributes(t *rapid.T) {
	shape := gen.NonNegativeLayouts().Draw(t, "layout").Shape()
	n := rapid.Int64Range(1, 200).Draw(t, "n")
	d, err := cute.DomainDistribute(shape, n)
	if err != nil {
		t.Fatal(err)
	}
	want := []int64{0}
	rest, step := n, int64(1)
	for _, s := range shape.Leaves() {
		most := int64(1)
		for x := range s + 1 {
			if x > 0 && s%x == 0 && rest%x == 0 {
				most = x
			}
		}
		var next []int64
		for x := range most {
			for _, i := range want {
				next = append(next, i+x*step)
			}
		}
		want, rest, step = next, rest/most, step*s
	}
	if d.Size() != int64(len(want)) || n%d.Size() != 0 {
		t.Fatalf("%v over %v is %v, of %d elements", n, shape, d, len(want))
	}
	for i, x := range want {
		if got, err := d.At(int64(i)); err != nil || got != x || i > 0 && x <= want[i-1] {
			t.Fatalf("%v over %v is %v: element %d is %d, %v, want %d", n, shape, d, i, got, err, x)
		}
	}
	id, err := cute.LayoutLeft(shape)
	if err != nil {
		t.Fatal(err)
	}
	if div, err := cute.LogicalDivideExact(id, d); err != nil || div.Size() != id.Size() {
		t.Fatalf("%v does not divide %v: %v", d, shape, err)
	}
}

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

// The offsets form vectors of the returned length; if no offset occurs twice, longer vectors are not possible.
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
	// CuTe's test of swizzles: the alignment is 2^M (test/unit/cute/core/math.cpp); offsets and layouts lower it.
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
