package cute_test

import (
	"errors"
	"math"
	"math/big"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/gen"
	"pgregory.net/rapid"
)

// Near 2^63 every result is exact or refused. These properties compare with math/big, at drawn places.

// valueAt returns the value of l at index i without any limit.
func valueAt(l cute.Layout, i *big.Int) *big.Int {
	sum, x := new(big.Int), new(big.Int).Set(i)
	s, d := l.Shape().Leaves(), l.Stride().Leaves()
	for j := range s {
		digit := new(big.Int).Set(x)
		if j < len(s)-1 {
			x, digit = new(big.Int).QuoRem(x, big.NewInt(s[j]), digit)
		}
		sum.Add(sum, digit.Mul(digit, big.NewInt(d[j])))
	}
	return sum
}

// drawIndex draws an index of l: anywhere, or next to a place where its modes carry.
func drawIndex(t *rapid.T, l cute.Layout) *big.Int {
	i := rapid.Int64Range(0, l.Size()-1).Draw(t, "index")
	if rapid.Bool().Draw(t, "at a carry") {
		step := int64(1)
		s := l.Shape().Leaves()
		for _, x := range s[:rapid.IntRange(0, len(s)-1).Draw(t, "leaf")] {
			step *= x
		}
		i = min(i/step*step, l.Size()-1)
	}
	return big.NewInt(i)
}

func TestCompositionHuge(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.HugeLayouts().Draw(t, "a")
		b := rapid.OneOf(gen.HugeLayouts(), gen.Layouts()).Draw(t, "b")
		r, err := cute.Composition(a, b)
		switch errorCode(err) {
		case "":
		case cute.CodeNotRepresentable, cute.CodeOverflow, cute.CodeLimit:
			return
		default:
			t.Fatalf("%v o %v: %v", a, b, err)
		}
		if r.Size() != b.Size() {
			t.Fatalf("%v o %v = %v of another size", a, b, r)
		}
		for range 4 {
			i := drawIndex(t, b)
			if got, want := valueAt(r, i), valueAt(a, valueAt(b, i)); got.Cmp(want) != 0 {
				t.Fatalf("%v o %v = %v with the value %v at %v, want %v", a, b, r, got, i, want)
			}
		}
	})
}

// A refusal near 2^63 is right too: at the witness the layout has the witness's value, and the candidate does not.
func TestCompositionHugeWitness(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a, b := gen.HugeLayouts().Draw(t, "a"), gen.HugeLayouts().Draw(t, "b")
		_, err := cute.Composition(a, b)
		e, ok := err.(*cute.Error)
		if !ok || e.Code != cute.CodeNotRepresentable {
			return
		}
		w := e.Witness
		if w == nil || !cute.Congruent(w.Coord, b.Shape()) {
			t.Fatalf("%v o %v: %v without a witness", a, b, err)
		}
		value, _ := w.Value.Int64()
		want, fits := w.Want.Int64()
		if got := valueAt(a, valueAt(b, big.NewInt(w.Index))); got.Cmp(big.NewInt(value)) != 0 || (fits && value == want) {
			t.Fatalf("%v o %v: the witness at %v has the value %v, said to be %d, want %d", a, b, w.Coord, got, value, want)
		}
	})
}

func TestCoalesceHuge(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.HugeLayouts().Draw(t, "a")
		c := coalesce(t, a)
		if c.Size() != a.Size() {
			t.Fatalf("coalesce(%v) = %v of another size", a, c)
		}
		for range 4 {
			i := drawIndex(t, a)
			if got, want := valueAt(c, i), valueAt(a, i); got.Cmp(want) != 0 {
				t.Fatalf("coalesce(%v) = %v with the value %v at %v, want %v", a, c, got, i, want)
			}
		}
		if same, diff := cute.Equivalent(a, c); !same {
			t.Fatalf("%v and its coalesced form %v differ: %+v", a, c, diff)
		}
	})
}

// At the first difference huge layouts differ, and just before it they agree.
func TestEquivalentHuge(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a, b := gen.HugeLayouts().Draw(t, "a"), gen.HugeLayouts().Draw(t, "b")
		same, diff := cute.Equivalent(a, b)
		if same {
			return
		}
		if i := big.NewInt(diff.Index); !diff.Sizes && valueAt(a, i).Cmp(valueAt(b, i)) == 0 {
			t.Fatalf("%v and %v are said to differ at %d", a, b, diff.Index)
		}
		if diff.Sizes && a.Size() == b.Size() {
			t.Fatalf("%v and %v are said to have other sizes", a, b)
		}
		for range 4 {
			if diff.Index == 0 {
				break
			}
			i := big.NewInt(rapid.Int64Range(0, diff.Index-1).Draw(t, "before"))
			if valueAt(a, i).Cmp(valueAt(b, i)) != 0 {
				t.Fatalf("%v and %v differ at %v, said to differ first at %d", a, b, i, diff.Index)
			}
		}
	})
}

// A layout and its complement, ordered by stride, count without gap and overlap.
func TestComplementHuge(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.HugeLayouts().Draw(t, "a")
		m := rapid.OneOf(rapid.Int64Range(1, math.MaxInt64), rapid.SampledFrom([]int64{1 << 62, math.MaxInt64})).Draw(t, "m")
		c, err := cute.Complement(a, cute.Int(m))
		switch errorCode(err) {
		case "":
		case cute.CodeNotComplementable, cute.CodeOverflow, cute.CodeNegative:
			return
		default:
			t.Fatalf("complement(%v, %d): %v", a, m, err)
		}
		next := big.NewInt(1)
		for _, leaf := range byStride(a, c) {
			if leaf[1].Cmp(next) != 0 {
				t.Fatalf("complement(%v, %d) = %v: a stride of %v follows a block of %v", a, m, c, leaf[1], next)
			}
			next = new(big.Int).Mul(leaf[0], leaf[1])
		}
		if next.Cmp(big.NewInt(m)) < 0 {
			t.Fatalf("complement(%v, %d) = %v covers only %v", a, m, c, next)
		}
	})
}

// byStride returns the leaves with extents above 1 and strides above 0, ordered by stride.
func byStride(ls ...cute.Layout) [][2]*big.Int {
	var leaves [][2]*big.Int
	for _, l := range ls {
		s, d := l.Shape().Leaves(), l.Stride().Leaves()
		for j := range s {
			if s[j] > 1 && d[j] != 0 {
				leaves = append(leaves, [2]*big.Int{big.NewInt(s[j]), big.NewInt(d[j])})
			}
		}
	}
	slices.SortFunc(leaves, func(x, y [2]*big.Int) int { return x[1].Cmp(y[1]) })
	return leaves
}

// The right inverse r of a huge layout a satisfies a(r(i)) = i below the size of r.
func TestRightInverseHuge(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.HugeLayouts().Draw(t, "a")
		r, err := cute.RightInverse(a)
		noError(t, "right_inverse", err)
		for range 4 {
			i := drawIndex(t, r)
			if got := valueAt(a, valueAt(r, i)); got.Cmp(i) != 0 {
				t.Fatalf("right_inverse(%v) = %v: a(r(%v)) = %v", a, r, i, got)
			}
		}
	})
}

// Products and recasts multiply strides, and their results are exact.
func TestScalingHuge(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.HugeLayouts().Draw(t, "a")
		n := rapid.SampledFrom([]int64{1, 2, 3, 1 << 24, 1 << 40, 1 << 62}).Draw(t, "n")
		if down, err := cute.Downcast(a, n); err == nil {
			size := new(big.Int).Mul(big.NewInt(a.Size()), big.NewInt(n))
			if size.Cmp(big.NewInt(down.Size())) != 0 {
				t.Fatalf("downcast<%d>(%v) = %v, want the size %v", n, a, down, size)
			}
			if up, err := cute.Upcast(down, n); err != nil || !up.Equal(a) {
				t.Fatalf("downcast<%d>(%v) = %v, and back %v, %v", n, a, down, up, err)
			}
		} else if code := errorCode(err); code != cute.CodeNotDivisible && code != cute.CodeOverflow {
			t.Fatalf("downcast<%d>(%v): %v", n, a, err)
		}
		p, err := cute.LogicalProduct(a, line(t, n))
		if err != nil {
			return
		}
		size := new(big.Int).Mul(big.NewInt(a.Size()), big.NewInt(n))
		if !p.Modes()[0].Equal(a) || size.Cmp(big.NewInt(p.Size())) != 0 {
			t.Fatalf("%v x %d:1 = %v, want the size %v", a, n, p, size)
		}
	})
}

func TestOverflowFacts(t *testing.T) {
	t.Parallel()
	huge := cute.Int(math.MaxInt64)
	for _, test := range []struct {
		name string
		f    func() error
	}{
		{"composition, stride", func() error { return second(cute.Composition(parse("2:4611686018427387904"), parse("2:3"))) }},
		{"composition, step", func() error { return second(cute.Composition(parse("(2,2):(1,3)"), parse("2:9223372036854775807"))) }},
		{"composition, value of 2^64-2", func() error {
			return second(cute.Composition(parse("(2,2,1):(-4611686018428436480,2097151,9223372036854775807)"), parse("(2,2):(5,3)")))
		}},
		{"composition, value of 2^63", func() error {
			return second(cute.Composition(parse("(4611686018427387904,1,1):(2,1,9223372036854775806)"), parse("(2,2):(2,4611686018427387903)")))
		}},
		{"complement", func() error { return second(cute.Complement(parse("2:4611686018427387904"), huge)) }},
		{"complement, cotarget", func() error {
			return second(cute.Complement(parse("1:0"), cute.MustParseTuple("(4294967296,4294967296)")))
		}},
		{"complement, up to the cosize", func() error { return second(cute.ComplementCosize(parse("2:9223372036854775807"))) }},
		{"make_layout", func() error { return second(cute.MakeLayout(parse("4294967296:0"), parse("4294967296:0"))) }},
		{"layout_left", func() error { return second(cute.LayoutLeft(cute.MustParseTuple("(4294967296,4294967296)"))) }},
		{"layout_right, of the last extent", func() error { return second(cute.LayoutRight(cute.MustParseTuple("(9223372036854775807,2)"))) }},
		{"downcast", func() error { return second(cute.Downcast(parse("(2,2):(1,4611686018427387904)"), 2)) }},
		{"product", func() error { return second(cute.LogicalProduct(parse("4294967296:1"), parse("4294967296:1"))) }},
		{"blocked_product", func() error { return second(cute.BlockedProduct(parse("4294967296:1"), parse("4294967296:1"))) }},
		{"tile_to_shape", func() error {
			return second(cute.TileToShape(parse("(2,2):(1,2)"), cute.Ints(math.MaxInt64, math.MaxInt64), cute.Ints(0, 1)))
		}},
		{"logical_divide", func() error { return second(cute.LogicalDivide(parse("9223372036854775807:1"), parse("2:1"))) }},
		{"at, beyond the size", func() error { return second(parse("(4,2):(1,4611686018427387903)").At(math.MaxInt64)) }},
		{"eval, beyond the size", func() error { return second(parse("(4,2):(1,4611686018427387903)").Eval(huge)) }},
		{"crd2idx", func() error { return second(cute.Crd2Idx(cute.Ints(1, math.MaxInt64), cute.Ints(4, 4))) }},
		{"cosize", func() error { return second(parse("2:9223372036854775807").Cosize()) }},
		{"with_shape", func() error { return second(parse("2:4611686018427387904").WithShape(cute.Int(8))) }},
		{"recognize", func() error { return second(cute.Recognize([]int64{0, math.MinInt64})) }},
	} {
		if code := errorCode(test.f()); code != cute.CodeOverflow {
			t.Errorf("%s: code %q, want %q", test.name, code, cute.CodeOverflow)
		}
	}
	for _, test := range []struct{ a, b, want string }{
		{"9223372036854775807:1", "9223372036854775807:1", "9223372036854775807:1"},
		{"(2305843009213693952,2):(1,2305843009213693952)", "2:2305843009213693952", "2:2305843009213693952"},
		{"(1000003,1000003):(1000003,1)", "1000003:1000003", "1000003:1"},
		{"(3486784401,3):(1,3486784401)", "(3486784401,2):(1,3486784401)", "(3486784401,2):(1,3486784401)"},
		{"(4294967296,2147483647):(2147483647,1)", "(65536,2147483647):(65536,4294967296)", "(65536,2147483647):(140737488289792,1)"},
	} {
		r, err := cute.Composition(parse(test.a), parse(test.b))
		wantText(t, test.a+" o "+test.b, r, err, test.want)
	}
}

// second returns the error of a call.
func second[T any](_ T, err error) error { return err }

// Earlier versions answered these cases wrongly.

func TestOnceWrong(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name  string
		right func() bool
	}{
		{"a padded divide of what ends in 1:1 can be asked for its elements", func() bool {
			d, err := cute.LogicalDivide(parse("(2,1):(1,1)"), parse("4:1"))
			if err != nil {
				return false
			}
			c, err := cute.Idx2Crd(cute.Int(1), d.Shape())
			if err != nil {
				return false
			}
			in, err := d.Padding.Contains(c)
			return in && err == nil
		}},
		{"the coordinates of a padded divide fit its shape", func() bool {
			d, err := cute.LogicalDivide(parse("(5,2,3):(1,8,77)"), parse("4:1"))
			return err == nil && cute.Compatible(d.Shape(), d.Padding.Coord.Shape())
		}},
		{"the coordinates of a padded tiled divide fit its shape", func() bool {
			d, err := cute.TiledDivide(parse("(6,2):(1,10)"), parse("5:1"))
			return err == nil && cute.Compatible(d.Shape(), d.Padding.Coord.Shape())
		}},
		{"a divide by coordinates reaches all of a nested mode", func() bool {
			d, err := cute.LogicalDivide(parse("(3,(2,2)):(1,(3,6))"), parse("(2,3):(1@0,1@1)"))
			return err != nil || !d.Padding.None()
		}},
		{"a tile of coordinates that repeats elements adds none", func() bool {
			d, err := cute.LogicalDivide(parse("(4,3):(1,4)"), parse("(2,2):(1@0,0)"))
			return err == nil && d.Padding.None()
		}},
		{"an upcast keeps the wide elements that a diagonal visits apart", func() bool {
			_, err1 := cute.Upcast(parse("4:1@0+2@1"), 4)
			_, err2 := cute.Upcast(parse("4:1@0+4@1"), 4)
			return err1 != nil && err2 != nil
		}},
		{"an upcast of a swizzle that moves the parts of a wide element apart is refused", func() bool {
			w, err := cute.NewSwizzle(3, 1, -3)
			if err != nil {
				return false
			}
			_, err = w.Upcast(4)
			return err != nil
		}},
		{"a coordinate may leave out modes at every level in a chain", func() bool {
			_, err := cute.NewComposed(parse("(2,(2,2),2):(1,(2,4),8)"), cute.Int(0), parse("(2,2):(1@0@1,1@2)"))
			return err == nil
		}},
		{"a witness says what a layout would give, or nothing, where that does not fit 64 bits", func() bool {
			_, err := cute.Recognize([]int64{0, math.MaxInt64, math.MinInt64})
			e, ok := errors.AsType[*cute.Error](err)
			return ok && (e.Witness == nil || !e.Witness.Want.Equal(cute.Int(-2)))
		}},
		{"what two layouts have in common lies inside both", func() bool {
			n, err := cute.MaxCommonVector(parse("2:1"), parse("8:1"))
			return err == nil && n == 2
		}},
		{"a profile without modes has no more modes than a layout", func() bool {
			_, err := cute.CoalesceProfile(parse("4:1"), cute.Tuple{})
			return err == nil
		}},
		{"a complement has the stride 0 where its extent is 1", func() bool {
			c, err := cute.Complement(parse("(2,3):(1@0,1@2)"), cute.MustParseTuple("(2,1,3)"))
			return err == nil && c.String() == "(1,1,1):(0,0,0)"
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			if !test.right() {
				t.Error("this is wrong again")
			}
		})
	}
}
