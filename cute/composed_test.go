package cute_test

import (
	"math"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
	"pgregory.net/rapid"
)

// swizzled states the definition bit by bit: bit m+i is added to bit m+i+|s|, or the other way round.
func swizzled(w cute.Swizzle, x int64) int64 {
	out := x
	for i := range w.B() {
		from, to := w.M()+i+w.S(), w.M()+i
		if w.S() < 0 {
			from, to = w.M()+i, w.M()+i-w.S()
		}
		if x>>from&1 == 1 {
			out ^= 1 << to
		}
	}
	return out
}

func TestSwizzle(t *testing.T) {
	holds(t, func(t *rapid.T) {
		w := gen.Swizzles().Draw(t, "w")
		x := rapid.OneOf(rapid.Int64Range(0, 4095), rapid.Int64Range(0, math.MaxInt64)).Draw(t, "x")
		y, err := w.At(x)
		if want := swizzled(w, x); err != nil || y != want {
			t.Fatalf("%v at %d is %d, %v, want %d", w, x, y, err, want)
		}
		if back, err := w.At(y); err != nil || back != x {
			t.Fatalf("%v at %d is %d, and at that %d, %v", w, x, y, back, err)
		}
		again, err := cute.NewSwizzle(w.B(), w.M(), w.S())
		if err != nil || again != w {
			t.Fatalf("the numbers of %v make %v, %v", w, again, err)
		}
	})
}

// On elements n times as wide, a swizzle moves whole wide elements, or is refused. On narrower elements it moves all
// parts of an element together.
func TestSwizzleRecast(t *testing.T) {
	holds(t, func(t *rapid.T) {
		w := gen.Swizzles().Draw(t, "w")
		x := rapid.Int64Range(0, 4095).Draw(t, "x")
		n := int64(1) << rapid.IntRange(0, 4).Draw(t, "log n")
		y, err := w.At(x)
		noError(t, "swizzle", err)
		up, err := w.Upcast(n)
		if w.S() < 0 && w.B() > 0 && n > 1<<w.M() {
			wantCode(t, "an upcast that moves the parts of a wide element apart", err, cute.CodeNotDivisible)
		} else if wide, err2 := up.At(x / n); err != nil || err2 != nil || wide != y/n {
			t.Fatalf("%v at %d is %d, upcast<%d> %v at %d is %d, %v, %v, want %d", w, x, y, n, up, x/n, wide, err, err2, y/n)
		}
		down, err := w.Downcast(n)
		noError(t, "downcast", err)
		part := rapid.Int64Range(0, n-1).Draw(t, "part")
		if narrow, err := down.At(x*n + part); err != nil || narrow != y*n+part {
			t.Fatalf("%v at %d is %d, downcast<%d> %v at %d is %d, %v", w, x, y, n, down, x*n+part, narrow, err)
		}
		if back, err := down.Upcast(n); err != nil || back != w {
			t.Fatalf("downcast<%d>(%v) = %v, and back it is %v, %v", n, w, down, back, err)
		}
	})
}

func TestSwizzleFacts(t *testing.T) {
	t.Parallel()
	w, err := cute.NewSwizzle(3, 4, 3)
	wantText(t, "swizzle", w, err, "Sw<3,4,3>")
	for x, want := range map[int64]int64{
		0: 0, 127: 127, 128: 144, 1023: 911, 1 << 62: 1 << 62, math.MaxInt64: math.MaxInt64 ^ 112,
	} {
		if y, err := w.At(x); err != nil || y != want {
			t.Errorf("%v at %d is %d, %v, want %d", w, x, y, err, want)
		}
	}
	up, err := w.Upcast(256)
	wantText(t, "upcast<256>", up, err, "Sw<0,0,3>")
	up, err = w.Upcast(32)
	wantText(t, "upcast<32>", up, err, "Sw<2,0,3>")
	var zero cute.Swizzle
	if y, err := zero.At(77); err != nil || y != 77 || zero.String() != "Sw<0,0,0>" {
		t.Errorf("the zero swizzle %v at 77 is %d, %v", zero, y, err)
	}
	_, err = w.At(-1)
	wantCode(t, "swizzle of -1", err, cute.CodeNegative)
	for _, n := range []int64{0, -2, 3, 24, math.MinInt64} {
		_, err = w.Upcast(n)
		wantCode(t, "upcast", err, cute.CodeNotDivisible)
		_, err = w.Downcast(n)
		wantCode(t, "downcast", err, cute.CodeNotDivisible)
	}
	_, err = w.Downcast(1 << 62)
	wantCode(t, "downcast<2^62>", err, cute.CodeSwizzle)
	for _, test := range []struct {
		b, m, s int
		code    cute.Code
	}{
		{3, 4, 2, cute.CodeSwizzle},
		{-1, 4, 3, cute.CodeSwizzle},
		{3, -1, 3, cute.CodeSwizzle},
		{3, 58, 3, cute.CodeSwizzle},
		{math.MaxInt, math.MaxInt, math.MaxInt, cute.CodeSwizzle},
		{1, 1, math.MinInt, cute.CodeSwizzle},
		{3, 57, 3, ""},
		{0, 62, 1, ""},
		{31, 1, -31, ""},
	} {
		w, err := cute.NewSwizzle(test.b, test.m, test.s)
		wantCode(t, w.String(), err, test.code)
		if err == nil {
			if y, err := w.At(math.MaxInt64); err != nil || y < 0 {
				t.Errorf("%v at 2^63-1 is %d, %v", w, y, err)
			}
		}
	}
}

// The value of a chain is the value of its functions, one after the other.
func TestComposed(t *testing.T) {
	holds(t, func(t *rapid.T) {
		inner := gen.NonNegativeLayouts().Draw(t, "inner")
		outer := gen.NonNegativeLayouts().Draw(t, "outer")
		w := gen.Swizzles().Draw(t, "w")
		p, q := rapid.Int64Range(0, 40).Draw(t, "p"), rapid.Int64Range(0, 40).Draw(t, "q")
		first, err := cute.NewComposed(outer, cute.Int(p), inner)
		noError(t, "make_composed_layout", err)
		c, err := cute.NewComposed(w, cute.Int(q), first)
		noError(t, "make_composed_layout", err)
		nested, err := cute.NewComposed(w, cute.Int(q), outer)
		noError(t, "make_composed_layout", err)
		same, err := cute.NewComposed(nested, cute.Int(p), inner)
		if err != nil || !same.Equal(c) || same.String() != c.String() {
			t.Fatalf("(%v) o %d o %v = %v, %v, want %v", nested, p, inner, same, err, c)
		}
		x, y := oracle.Of(inner), oracle.Of(outer)
		var want []int64
		for _, i := range x.Ints() {
			want = append(want, swizzled(w, q+y.Index(p + i)[""]))
		}
		if got, err := c.AppendOffsets(nil); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v has the values %v, %v, want %v", c, got, err, want)
		}
		if c.Size() != inner.Size() || c.Rank() != inner.Rank() || !c.Shape().Equal(inner.Shape()) || !c.Layout().Equal(inner) {
			t.Fatalf("%v has the shape %v", c, c.Shape())
		}
		if !c.Offset().Equal(cute.Int(q)) || c.Outer() != cute.Outer(w) {
			t.Fatalf("%v starts with %v o %v", c, c.Outer(), c.Offset())
		}
	})
}

// A chain accepts any coordinate of the shape, and returns the value at the coordinate's index.
func TestComposedEval(t *testing.T) {
	holds(t, func(t *rapid.T) {
		c := gen.ComposedLayouts().Draw(t, "c")
		at := gen.Coords(c.Shape()).Draw(t, "at")
		i, err := cute.Crd2Idx(at, c.Shape())
		noError(t, "crd2idx", err)
		x, err1 := c.Eval(at)
		y, err2 := c.Eval(cute.Int(i))
		wantCode(t, c.String(), err2, errorCode(err1))
		if !x.Equal(y) {
			t.Fatalf("%v at %v is %v, at %d it is %v", c, at, x, i, y)
		}
	})
}

// An operation on the domain acts on the inner layout: the values are the values of the chain with the new inner
// layout.
func TestComposedMap(t *testing.T) {
	holds(t, func(t *rapid.T) {
		c := gen.ComposedLayouts().Draw(t, "c")
		want, err := c.AppendOffsets(nil)
		if err != nil {
			return
		}
		m, err := c.Map(always(cute.Coalesce))
		noError(t, "map", err)
		if got, err := m.AppendOffsets(nil); err != nil || !slices.Equal(got, want) {
			t.Fatalf("%v coalesced is %v with the values %v, %v, want %v", c, m, got, err, want)
		}
	})
}

// Slicing with the offset is exact for every outer function.
func TestComposedSliceAndOffset(t *testing.T) {
	holds(t, func(t *rapid.T) {
		c := gen.ComposedLayouts().Draw(t, "c")
		at := gen.SliceCoords(c.Shape()).Draw(t, "at")
		s, err := c.SliceAndOffset(at)
		noError(t, "slice_and_offset", err)
		shape := oracle.TreeOf(c.Shape())
		open, fixed, ok := openLeaves(at, shape)
		if !ok {
			t.Fatalf("%v is no coordinate of %v", at, c)
		}
		var kept []int64
		for j, v := range shape.Leaves() {
			if open[j] {
				kept = append(kept, v[""])
			}
		}
		for i, part := range oracle.Coords(kept) {
			index, step := int64(0), int64(1)
			for j, next := 0, 0; j < len(fixed); j++ {
				x := fixed[j]
				if open[j] {
					x, next = part[next], next+1
				}
				index += x * step
				step *= shape.Leaves()[j][""]
			}
			want, err1 := c.Eval(cute.Int(index))
			got, err2 := s.Eval(cute.Int(int64(i)))
			if errorCode(err1) != errorCode(err2) || !got.Equal(want) {
				t.Fatalf("%v at %v is %v with %v, %v at %v, want %v, %v", c, at, s, got, err2, part, want, err1)
			}
		}
		plain, err := c.Slice(at)
		if err != nil || !plain.Layout().Equal(s.Layout()) {
			t.Fatalf("the slice of %v at %v is %v, %v, with the offset %v", c, at, plain, err, s)
		}
	})
}

// A recast chain gives the wide element of each value, or its parts.
func TestComposedRecast(t *testing.T) {
	holds(t, func(t *rapid.T) {
		inner := rapid.OneOf(gen.PowersOfTwo(), gen.CompactLayouts(), gen.Chained(32)).Draw(t, "inner")
		n := int64(1) << rapid.IntRange(0, 3).Draw(t, "log n")
		var outer cute.Outer = gen.Swizzles().Draw(t, "w")
		if rapid.IntRange(0, 3).Draw(t, "layout outside") == 3 {
			outer = gen.PowersOfTwo().Draw(t, "outer")
		}
		offset := n * rapid.Int64Range(0, 5).Draw(t, "offset")
		switch f := outer.(type) {
		case cute.Swizzle:
			if f.S() < 0 {
				return
			}
		case cute.Layout:
			if cosize, err := inner.Cosize(); err != nil || offset+cosize > f.Size() {
				return
			}
		}
		c, err := cute.NewComposed(outer, cute.Int(offset), inner)
		noError(t, "make_composed_layout", err)
		wide, err := c.Recast(8, 8*n)
		if err != nil {
			wantCode(t, "upcast of "+c.String(), err, cute.CodeNotDivisible)
		} else {
			wantWide(t, c, wide, n)
		}
		narrow, err := c.Recast(8*n, 8)
		if err != nil {
			wantCode(t, "downcast of "+c.String(), err, cute.CodeNotDivisible)
			return
		}
		back, err := narrow.Recast(8, 8*n)
		if err != nil || !back.Equal(c) {
			t.Fatalf("%v recast to %v, and back to %v, %v", c, narrow, back, err)
		}
	})
}

// wantWide stops unless the narrow coordinates that form one wide coordinate have values inside the wide element.
func wantWide(t *rapid.T, c, wide cute.Composed, n int64) {
	t.Helper()
	x, y := oracle.Of(c.Layout()), oracle.Of(wide.Layout())
	for i, at := range oracle.Coords(x.S) {
		index, step := int64(0), int64(1)
		for j := range at {
			index += at[j] / (x.S[j] / y.S[j]) * step
			step *= y.S[j]
		}
		value, err1 := c.Eval(cute.Int(int64(i)))
		element, err2 := wide.Eval(cute.Int(index))
		v, _ := value.Int64()
		e, _ := element.Int64()
		if err1 != nil || err2 != nil || v/n != e {
			t.Fatalf("%v at %v is %d, %v, and %v names the wide element %d, %v", c, at, v, err1, wide, e, err2)
		}
	}
}

func TestComposedFacts(t *testing.T) {
	t.Parallel()
	w, err := cute.NewSwizzle(3, 4, 3)
	if err != nil {
		t.Fatal(err)
	}
	c, err := cute.NewComposed(w, cute.Int(0), parse("(8,64):(64,1)"))
	wantText(t, "make_composed_layout", c, err, "Sw<3,4,3> o 0 o (8,64):(64,1)")
	r, err := c.Recast(16, 32)
	wantText(t, "recast<16,32>", r, err, "Sw<3,3,3> o 0 o (8,32):(32,1)")
	s, err := c.SliceAndOffset(cute.MustParseCoord("(3,_)"))
	wantText(t, "slice_and_offset", s, err, "Sw<3,4,3> o 192 o (64):(1)")
	s, err = c.Slice(cute.MustParseCoord("(3,_)"))
	wantText(t, "slice", s, err, "Sw<3,4,3> o 0 o (64):(1)")
	_, err = c.Slice(cute.MustParseCoord("(3,_,_)"))
	wantCode(t, "slice with another rank", err, cute.CodeNotCongruent)
	_, err = cute.NewComposed(w, cute.Int(0), parse("(2,2):(1@0,1@1)"))
	wantCode(t, "a swizzle of coordinates", err, cute.CodeNotCongruent)
	_, err = cute.NewComposed(w, cute.Int(-1), parse("4:1"))
	wantCode(t, "a swizzle of negative offsets", err, cute.CodeNegative)
	_, err = cute.NewComposed(w, cute.Ints(1, 2), parse("4:1"))
	wantCode(t, "a tuple added to an integer", err, cute.CodeNotCongruent)
	_, err = cute.NewComposed(nil, cute.Int(0), parse("4:1"))
	wantCode(t, "nothing outside", err, cute.CodeType)
	_, err = cute.NewComposed(w, cute.Int(0), nil)
	wantCode(t, "nothing inside", err, cute.CodeType)
	_, err = c.Recast(8, 24)
	wantCode(t, "a swizzle on elements of 24 bits", err, cute.CodeNotDivisible)
	big, err := cute.NewComposed(w, cute.Int(0), parse("(4294967296,1024):(1024,1)"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = big.AppendOffsets(nil)
	wantCode(t, "the table of 2^42 elements", err, cute.CodeLimit)
	plain, err := cute.Composed{}.Map(func(cute.Layout) (cute.Layout, error) { return parse("(4,8):(8,1)"), nil })
	wantText(t, "a chain of a layout alone", plain, err, "(4,8):(8,1)")
	if s, err = plain.SliceAndOffset(cute.MustParseCoord("(2,_)")); err != nil {
		t.Fatal(err)
	}
	if table, err := s.AppendOffsets(nil); err != nil || !slices.Equal(table, span(16, 23)) {
		t.Errorf("row 2 of %v is %v with the values %v, %v", plain, s, table, err)
	}
	// Evaluating a table returns the error of its first failing value, whatever stages come before.
	for _, bad := range []struct {
		offset int64
		layout string
		code   cute.Code
	}{
		{0, "(2,2):(1,-8)", cute.CodeNegative},
		{100, "(2,2):(1,9223372036854775800)", cute.CodeOverflow},
	} {
		c, err := cute.NewComposed(w, cute.Int(bad.offset), parse(bad.layout))
		if err != nil {
			t.Fatal(err)
		}
		table, err := c.AppendOffsets([]int64{7})
		wantCode(t, "the table of "+c.String(), err, bad.code)
		first, err := c.Eval(cute.Int(0))
		if x, _ := first.Int64(); err != nil || len(table) != 3 || table[0] != 7 || table[1] != x {
			t.Errorf("the table of %v before it fails is %v", c, table)
		}
	}
	var zero cute.Composed
	v, err := zero.Eval(cute.Int(0))
	if err != nil || !v.Equal(cute.Int(0)) || zero.String() != "():()" || zero.Outer() != nil ||
		!zero.Equal(cute.Composed{}) {
		t.Errorf("the zero chain %v at 0 is %v, %v", zero, v, err)
	}
	coords, err := cute.NewComposed(parse("(4,4):(4,1)"), cute.Ints(1, 2), parse("(2,2):(1@0,1@1)"))
	wantText(t, "a layout of coordinates", coords, err, "(4,4):(4,1) o (1,2) o (2,2):(1@0,1@1)")
	table, err := coords.AppendOffsets(nil)
	if err != nil || !slices.Equal(table, []int64{6, 10, 7, 11}) {
		t.Errorf("%v has the values %v, %v", coords, table, err)
	}
}
