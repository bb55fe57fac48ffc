package cute_test

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// openLeaves returns, for each leaf of the shape, whether the coordinate leaves it open, and the coordinate with 0 in
// the open places, as leaves.
func openLeaves(c cute.Coord, shape oracle.Tree) (open []bool, fixed []int64, ok bool) {
	if c.HasOpen() && c.String() == "_" {
		n := len(shape.Leaves())
		for range n {
			open, fixed = append(open, true), append(fixed, 0)
		}
		return open, fixed, true
	}
	if x, isTuple := c.Tuple(); isTuple && x.IsInt() {
		fixed, _ = shape.Natural(oracle.TreeOf(x))
		return make([]bool, len(fixed)), fixed, true
	}
	modes := c.Modes()
	if shape.IsLeaf || len(modes) != len(shape.Modes) {
		return nil, nil, false
	}
	for i, m := range modes {
		o, f, ok := openLeaves(m, shape.Modes[i])
		if !ok {
			return nil, nil, false
		}
		open, fixed = append(open, o...), append(fixed, f...)
	}
	return open, fixed, true
}

// At every coordinate of the open modes, offset plus slice is the value of the layout; the dice contains the fixed
// modes.
func TestSliceAndOffset(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "l")
		c := gen.SliceCoords(l.Shape()).Draw(t, "c")
		s, off, err := l.SliceAndOffset(c)
		noError(t, "slice_and_offset", err)
		x := oracle.Of(l)
		open, fixed, ok := openLeaves(c, x.Shape)
		if !ok {
			t.Fatalf("%v is no coordinate of %v", c, l)
		}
		var kept, dropped []int64
		for j, extent := range x.S {
			if open[j] {
				kept = append(kept, extent)
			} else {
				dropped = append(dropped, extent)
			}
		}
		wantLeaves(t, "slice", s, kept)
		table := oracle.Of(s).Table()
		for i, part := range oracle.Coords(kept) {
			full := make([]int64, len(fixed))
			for j, next := 0, 0; j < len(full); j++ {
				full[j] = fixed[j]
				if open[j] {
					full[j] = part[next]
					next++
				}
			}
			if got, want := sum(oracle.PointOf(off), table[i]), dot(x, full); !got.Equal(want) {
				t.Fatalf("%v at %v: slice %v + %v has %v at %v, want %v", l, c, off, s, got, part, want)
			}
		}
		d, err := l.Dice(c)
		noError(t, "dice", err)
		wantLeaves(t, "dice", d, dropped)
		if alone, err := l.Slice(c); err != nil || !alone.Equal(s) {
			t.Fatalf("the slice of %v at %v is %v, %v, with the offset %v", l, c, alone, err, s)
		}
	})
}

// wantLeaves stops unless l has the given extents.
func wantLeaves(t *rapid.T, what string, l cute.Layout, s []int64) {
	t.Helper()
	if got := l.Shape().Leaves(); text(got) != text(s) {
		t.Fatalf("the %s %v has the extents %v, want %v", what, l, got, s)
	}
}

// sum returns v + w.
func sum(v, w oracle.Vector) oracle.Vector {
	l := oracle.Layout{D: []oracle.Vector{v, w}}
	return dot(l, []int64{1, 1})
}

// dot returns the offset of the coordinate c, one integer for each leaf.
func dot(l oracle.Layout, c []int64) oracle.Vector {
	v := oracle.Vector{}
	for j, x := range c {
		for axis, d := range l.D[j] {
			v[axis] += x * d
			if v[axis] == 0 {
				delete(v, axis)
			}
		}
	}
	return v
}

// Slicing a shape keeps the extents that slicing the layout keeps.
func TestSliceOfTuple(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		c := gen.SliceCoords(l.Shape()).Draw(t, "c")
		s, err := l.Slice(c)
		noError(t, "slice", err)
		shape, err := l.Shape().Slice(c)
		noError(t, "slice", err)
		stride, err := l.Stride().Slice(c)
		noError(t, "slice", err)
		if !shape.Equal(s.Shape()) || !stride.Equal(s.Stride()) {
			t.Fatalf("the slice of %v at %v is %v, of its parts %v:%v", l, c, s, shape, stride)
		}
		d, err := l.Dice(c)
		noError(t, "dice", err)
		diced, err := l.Shape().Dice(c)
		noError(t, "dice", err)
		if !diced.Equal(d.Shape()) {
			t.Fatalf("the dice of %v at %v is %v, of its shape %v", l, c, d, diced)
		}
	})
}

func TestDomainOffset(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "l")
		c := gen.WeakCoords(l.Shape()).Draw(t, "c")
		same, off, err := l.DomainOffset(c)
		noError(t, "domain_offset", err)
		want, err := l.Eval(c)
		noError(t, "eval", err)
		if !same.Equal(l) || !off.Equal(want) {
			t.Fatalf("domain_offset(%v, %v) = %v, %v, want %v", l, c, same, off, want)
		}
	})
}

func TestSliceFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ l, c, slice, offset, dice string }{
		{"(2,(3,4)):(12,(1,3))", "(1,(_,2))", "(3):(1)", "18", "(2,4):(12,3)"},
		{"(2,(3,4)):(12,(1,3))", "(_,5)", "(2):(12)", "5", "((3,4)):((1,3))"},
		{"(2,(3,4)):(12,(1,3))", "(1,_)", "((3,4)):((1,3))", "12", "(2):(12)"},
		{"(2,(3,4)):(12,(1,3))", "_", "(2,(3,4)):(12,(1,3))", "0", "():()"},
		{"(2,(3,4)):(12,(1,3))", "7", "():()", "15", "(2,(3,4)):(12,(1,3))"},
		{"(2,(3,4)):(12,(1,3))", "(1,(2,3))", "():()", "23", "(2,3,4):(12,1,3)"},
		{"8:2", "_", "8:2", "0", "():()"},
		{"8:2", "3", "():()", "6", "8:2"},
		{"(2,2):(1@0,1@1)", "(1,_)", "(2):(1@1)", "(1)", "(2):(1@0)"},
		{"((2,2),(2,2)):((1,2),(4,8))", "((_,0),(_,1))", "(2,2):(1,4)", "8", "(2,2):(2,8)"},
	} {
		c := cute.MustParseCoord(test.c)
		s, off, err := parse(test.l).SliceAndOffset(c)
		wantText(t, test.l+" at "+test.c, s, err, test.slice)
		if !oracle.PointOf(off).Equal(oracle.PointOf(cute.MustParseTuple(test.offset))) {
			t.Errorf("the offset of %s at %s is %v, want %s", test.l, test.c, off, test.offset)
		}
		d, err := parse(test.l).Dice(c)
		wantText(t, "dice("+test.c+", "+test.l+")", d, err, test.dice)
	}
	for _, test := range [][2]string{
		{"(2,2):(1,2)", "(_,_,_)"}, {"4:1", "(_)"}, {"(2,2):(1,2)", "(_,(1,1))"}, {"(2,2):(1,2)", "()"},
	} {
		_, _, err := parse(test[0]).SliceAndOffset(cute.MustParseCoord(test[1]))
		wantCode(t, "slice "+test[1]+" of "+test[0], err, cute.CodeNotCongruent)
	}
	_, err := cute.Fixed(cute.MustParseTuple("(1@0,1@0)"))
	wantCode(t, "a coordinate of coordinates", err, cute.CodeCodomain)
}

func TestCoord(t *testing.T) {
	t.Parallel()
	c := cute.MakeCoord(cute.Open, cute.MustParseCoord("(1,(_,2))"))
	if c.String() != "(_,(1,(_,2)))" || c.Rank() != 2 || !c.HasOpen() {
		t.Errorf("the coordinate %v has rank %d, open %v", c, c.Rank(), c.HasOpen())
	}
	if _, ok := c.Tuple(); ok {
		t.Errorf("%v is a tuple", c)
	}
	var zero cute.Coord
	if x, ok := zero.Tuple(); !ok || x.String() != "()" || zero.Rank() != 0 || zero.String() != "()" {
		t.Errorf("the zero coordinate is %v, %v", x, zero)
	}
	if x, ok := cute.MustParseCoord("(1,2)").Tuple(); !ok || x.String() != "(1,2)" {
		t.Errorf("(1,2) is %v, %v", x, ok)
	}
}

// A coordinate is inside a shape if it has the nesting of the shape and each number is an index of its mode. Inside
// must agree with that definition for each mode.
func TestInside(t *testing.T) {
	holds(t, func(t *rapid.T) {
		shape, other := gen.Shapes(64).Draw(t, "shape"), gen.Shapes(64).Draw(t, "other")
		c := gen.SliceCoords(other).Draw(t, "c")
		if rapid.Bool().Draw(t, "number") {
			c = cute.MakeCoord(cute.At(rapid.Int64Range(-2, 70).Draw(t, "x")), c)
		}
		if got, want := c.Inside(shape), insideByForce(c, shape); got != want {
			t.Fatalf("%v inside of %v: %v, want %v", c, shape, got, want)
		}
		if got := cute.MustParseCoord(c.String()); got.String() != c.String() {
			t.Fatalf("%v is read as %v", c, got)
		}
	})
	huge := cute.MustParseTuple("((4294967296,4294967296),2)")
	if !cute.At(math.MaxInt64-1, 1).Inside(huge) || cute.At(-1, 1).Inside(huge) {
		t.Error("sizes beyond 64 bits hold every number")
	}
	if basis, _ := cute.MakeBasisLike(cute.Ints(2, 2)); cute.At(0, 0).Inside(basis) {
		t.Error("a shape has no coordinates")
	}
}

func insideByForce(c cute.Coord, shape cute.Tuple) bool {
	if x, ok := c.Tuple(); ok && x.IsInt() {
		i, _ := x.Int64()
		n, err := shape.Product()
		return err == nil && i >= 0 && i < n
	}
	if c.Depth() == 0 {
		return true
	}
	if shape.IsInt() || c.Rank() != shape.Rank() {
		return false
	}
	for i, m := range c.Modes() {
		if s, err := shape.Mode(i); err != nil || !insideByForce(m, s) {
			return false
		}
	}
	return true
}

// The sizes and leaves are the sizes and leaves of the modes.
func TestModeSizes(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "l")
		var want []int64
		for _, m := range l.Modes() {
			want = append(want, m.Size())
		}
		if got := l.AppendModeSizes(nil); text(got) != text(want) {
			t.Fatalf("the modes of %v have %v elements, want %v", l, got, want)
		}
		extents, strides := l.Shape().Leaves(), l.Stride().Leaves()
		if l.LeafCount() != len(extents) {
			t.Fatalf("%v has %d leaves, want %d", l, l.LeafCount(), len(extents))
		}
		for i, n := range extents {
			d := int64(0)
			if !l.HasBasis() {
				d = strides[i]
			}
			if e, s := l.Leaf(i); e != n || s != d {
				t.Fatalf("leaf %d of %v is %d:%d, want %d:%d", i, l, e, s, n, d)
			}
		}
	})
}
