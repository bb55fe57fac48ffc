package cute_test

import (
	"math/big"
	"slices"
	"testing"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
	"pgregory.net/rapid"
)

// Every coordinate weakly congruent to the shape, in bounds or not, has an offset; other tuples are refused.
func TestEval(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "l")
		c := rapid.OneOf(gen.WeakCoords(l.Shape()), gen.Coords(l.Shape()), gen.Tuples()).Draw(t, "c")
		got, err := l.Eval(c)
		if c.HasBasis() {
			wantCode(t, "a coordinate of coordinates", err, cute.CodeNotCongruent)
			return
		}
		want, ok := oracle.Of(l).Eval(oracle.TreeOf(c))
		if !ok {
			wantCode(t, "what is no coordinate", err, cute.CodeNotCongruent)
			return
		}
		noError(t, "eval", err)
		if !oracle.PointOf(got).Equal(want) {
			t.Fatalf("%v at %v is %v, want %v", l, c, got, want)
		}
	})
}

// An integer is the index of a coordinate, even beyond the size or below 0; a layout is an odd function.
func TestAt(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		i := rapid.Int64Range(-4*l.Size(), 4*l.Size()).Draw(t, "i")
		x, err := l.At(i)
		if want := oracle.Of(l).Index(i); err != nil || !oracle.Number(x).Equal(want) {
			t.Fatalf("%v at %d is %d, %v, want %v", l, i, x, err, want)
		}
		if y, err := l.At(-i); err != nil || y != -x {
			t.Fatalf("%v at %d is %d, at %d it is %d, %v", l, i, x, -i, y, err)
		}
		if v, err := l.Eval(cute.Int(i)); err != nil || !v.Equal(cute.Int(x)) {
			t.Fatalf("%v at %d is %d, evaluated as a coordinate %v, %v", l, i, x, v, err)
		}
	})
}

// Near the limits an offset is exact or refused, and inside the domain it is never refused.
func TestAtHuge(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.HugeLayouts().Draw(t, "l")
		i := rapid.OneOf(rapid.Int64Range(0, l.Size()-1), rapid.Int64()).Draw(t, "i")
		x, err := l.At(i)
		want, parts := bigOffset(l, i)
		switch errorCode(err) {
		case "":
			if want.Cmp(big.NewInt(x)) != 0 {
				t.Fatalf("%v at %d is %d, want %v", l, i, x, want)
			}
		case cute.CodeOverflow:
			if 0 <= i && i < l.Size() {
				t.Fatalf("%v at %d inside the domain: %v", l, i, err)
			}
			if !slices.ContainsFunc(parts, func(p *big.Int) bool { return !p.IsInt64() }) {
				t.Fatalf("%v at %d: %v, but all of %v fit", l, i, err, parts)
			}
		default:
			t.Fatalf("%v at %d: %v", l, i, err)
		}
		v, evalErr := l.Eval(cute.Int(i))
		if errorCode(evalErr) == "" && oracle.PointOf(v)[""] != want.Int64() {
			t.Fatalf("%v evaluated at %d is %v, want %v", l, i, v, want)
		}
		if (err == nil) != (evalErr == nil) {
			t.Fatalf("%v at %d: %v, evaluated: %v", l, i, err, evalErr)
		}
	})
}

// bigOffset returns the offset of index i without any limit, and the terms and partial sums that lead to it.
func bigOffset(l cute.Layout, i int64) (sum *big.Int, parts []*big.Int) {
	s, d := l.Shape().Leaves(), l.Stride().Leaves()
	sum = new(big.Int)
	x := big.NewInt(i)
	for j := range s {
		digit := new(big.Int).Set(x)
		if j < len(s)-1 {
			x, digit = new(big.Int).QuoRem(x, big.NewInt(s[j]), digit)
		}
		term := new(big.Int).Mul(digit, big.NewInt(d[j]))
		sum = new(big.Int).Add(sum, term)
		parts = append(parts, term, sum)
	}
	return sum, parts
}

// Idx2Crd and Crd2Idx are inverse, and follow colexicographic order.
func TestIdx2Crd(t *testing.T) {
	holds(t, func(t *rapid.T) {
		shape := gen.Shapes(gen.MaxSize).Draw(t, "shape")
		tree := oracle.TreeOf(shape)
		for i, c := range oracle.Coords(shape.Leaves()) {
			crd, err := cute.Idx2Crd(cute.Int(int64(i)), shape)
			noError(t, "idx2crd", err)
			if !cute.Congruent(crd, shape) || !slices.Equal(crd.Leaves(), c) {
				t.Fatalf("idx2crd(%d, %v) = %v, want the leaves %v", i, shape, crd, c)
			}
			if idx, err := cute.Crd2Idx(crd, shape); err != nil || idx != int64(i) {
				t.Fatalf("crd2idx(%v, %v) = %d, %v, want %d", crd, shape, idx, err, i)
			}
		}
		c := gen.WeakCoords(shape).Draw(t, "c")
		natural, _ := tree.Natural(oracle.TreeOf(c))
		crd, err := cute.Idx2Crd(c, shape)
		noError(t, "idx2crd", err)
		if !slices.Equal(crd.Leaves(), natural) {
			t.Fatalf("idx2crd(%v, %v) = %v, want the leaves %v", c, shape, crd, natural)
		}
	})
}

// colexIndex returns the index of the coordinate c in the shape: an integer is its own index, and a step of mode i adds
// the size of the modes before mode i.
func colexIndex(c, shape oracle.Tree) int64 {
	if c.IsLeaf {
		return c.Int()
	}
	index, step := int64(0), int64(1)
	for i, m := range c.Modes {
		index += colexIndex(m, shape.Modes[i]) * step
		step *= shape.Modes[i].Size()
	}
	return index
}

// Crd2Idx takes any coordinate, in bounds or not.
func TestCrd2Idx(t *testing.T) {
	holds(t, func(t *rapid.T) {
		shape := gen.Shapes(gen.MaxSize).Draw(t, "shape")
		c := gen.WeakCoords(shape).Draw(t, "c")
		want := colexIndex(oracle.TreeOf(c), oracle.TreeOf(shape))
		if got, err := cute.Crd2Idx(c, shape); err != nil || got != want {
			t.Fatalf("crd2idx(%v, %v) = %d, %v, want %d", c, shape, got, err, want)
		}
	})
}

func TestCrd2Crd(t *testing.T) {
	holds(t, func(t *rapid.T) {
		src, dst := gen.Shapes(gen.MaxSize).Draw(t, "src"), gen.Shapes(gen.MaxSize).Draw(t, "dst")
		c := gen.Coords(src).Draw(t, "c")
		i, err := cute.Crd2Idx(c, src)
		noError(t, "crd2idx", err)
		want, err := cute.Idx2Crd(cute.Int(i), dst)
		noError(t, "idx2crd", err)
		if got, err := cute.Crd2Crd(c, src, dst); err != nil || !got.Equal(want) {
			t.Fatalf("crd2crd(%v, %v, %v) = %v, %v, want %v", c, src, dst, got, err, want)
		}
	})
}

// Increment enumerates the coordinates in order, and continues in the last mode.
func TestIncrement(t *testing.T) {
	holds(t, func(t *rapid.T) {
		shape := gen.Shapes(gen.MaxSize).Draw(t, "shape")
		size := oracle.TreeOf(shape).Size()
		c, err := cute.Idx2Crd(cute.Int(0), shape)
		noError(t, "idx2crd", err)
		if len(shape.Leaves()) == 0 {
			return
		}
		for i := range size + 3 {
			want, err := cute.Idx2Crd(cute.Int(i), shape)
			noError(t, "idx2crd", err)
			if !c.Equal(want) {
				t.Fatalf("%d increments lead to %v in %v, want %v", i, c, shape, want)
			}
			c, err = cute.Increment(c, shape)
			noError(t, "increment", err)
		}
	})
}

func TestCoordinateFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ i, shape, want string }{
		{"100", "(3,(4,5))", "(1,(1,8))"},
		{"16", "(3,(2,3))", "(1,(1,2))"},
		{"-5", "(3,4)", "(-2,-1)"},
		{"7", "4", "7"},
		{"7", "(4)", "(7)"},
		{"(1,5)", "(3,(2,3))", "(1,(1,2))"},
		{"0", "()", "()"},
	} {
		c, err := cute.Idx2Crd(cute.MustParseTuple(test.i), cute.MustParseTuple(test.shape))
		wantText(t, "idx2crd("+test.i+", "+test.shape+")", c, err, test.want)
	}
	for _, test := range []struct {
		l, c string
		want string
	}{
		{"(3,4):(4,1)", "100", "37"},
		{"(4,3):(1,100)", "-3", "-3"}, // division truncates as in C++
		{"(3,(2,3)):(3,(12,1))", "(1,5)", "17"},
		{"(2,(2,2)):(1@1,(1@0,3@0))", "(1,3)", "(4,1)"},
		{"():()", "()", "0"},
		{"():()", "5", "0"},
		{"4:0", "3", "0"},
		{"(2,2):(0,1@2)", "3", "(0,0,1)"},
	} {
		v, err := parse(test.l).Eval(cute.MustParseTuple(test.c))
		wantText(t, test.l+" at "+test.c, v, err, test.want)
	}
	_, err := parse("(2,2):(1@0,1@1)").At(1)
	wantCode(t, "an integer offset of coordinates", err, cute.CodeCodomain)
	_, err = cute.Crd2Idx(cute.MustParseTuple("(1,1,1)"), cute.MustParseTuple("(2,2)"))
	wantCode(t, "crd2idx of what is no coordinate", err, cute.CodeNotCongruent)
	_, err = cute.Crd2Idx(cute.Int(1), cute.MustParseTuple("(2,0)"))
	wantCode(t, "crd2idx in what is no shape", err, cute.CodeExtent)
	_, err = cute.Idx2Crd(cute.MustParseTuple("(1,1)"), cute.Int(8))
	wantCode(t, "idx2crd of what is no index", err, cute.CodeNotCongruent)
	_, err = cute.Increment(cute.Int(0), cute.MustParseTuple("(2,2)"))
	wantCode(t, "increment of an index", err, cute.CodeNotCongruent)
	_, err = cute.Increment(cute.MustParseTuple("(9223372036854775807)"), cute.MustParseTuple("(2)"))
	wantCode(t, "increment of the last integer", err, cute.CodeOverflow)
}

// Every offset of a layout has a coordinate inside its bounds, and no other number has one.
func TestCoordAt(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		image := oracle.Image(oracle.Of(l))
		for x := image[0] - 2; x <= image[len(image)-1]+2; x++ {
			c, err := l.CoordAt(x)
			if _, found := slices.BinarySearch(image, x); !found {
				wantCode(t, "the coordinate of no offset", err, cute.CodeNotInvertible)
				continue
			}
			noError(t, "the coordinate of an offset", err)
			at, err := l.Eval(c)
			noError(t, "eval", err)
			if !at.Equal(cute.Int(x)) || !cute.Congruent(c, l.Shape()) {
				t.Fatalf("%v has the offset %d at %v, where it is %v", l, x, c, at)
			}
			if inside, err := cute.ElemLess(c, l.Shape()); err != nil || !inside {
				t.Fatalf("%v has the offset %d at %v, out of its bounds", l, x, c)
			}
		}
	})
}

func TestCoordAtHuge(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.HugeLayouts().Draw(t, "l")
		i := drawIndex(t, l)
		x := valueAt(l, i)
		c, err := l.CoordAt(x.Int64())
		if errorCode(err) == cute.CodeLimit {
			return
		}
		noError(t, "the coordinate of an offset", err)
		sum := new(big.Int)
		for j, d := range l.Stride().Leaves() {
			sum.Add(sum, new(big.Int).Mul(big.NewInt(d), big.NewInt(c.Leaves()[j])))
		}
		if inside, err := cute.ElemLess(c, l.Shape()); sum.Cmp(x) != 0 || err != nil || !inside {
			t.Fatalf("%v has the offset %v at %v, where it is %v", l, x, c, sum)
		}
	})
}

// The whole table, the iterator and the single offsets agree with the definition.
func TestOffsets(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		want := oracle.Of(l).Ints()
		prefix := []int64{7, 8, 9}
		got, err := l.AppendOffsets(slices.Clone(prefix))
		noError(t, "offsets", err)
		if !slices.Equal(got, append(prefix, want...)) {
			t.Fatalf("the offsets of %v are %v, want %v after %v", l, got, want, prefix)
		}
		next := int64(0)
		for i, off := range l.All() {
			if i != next || off != want[i] {
				t.Fatalf("%v: (%d,%d) in the iteration, want (%d,%d)", l, i, off, next, want[next])
			}
			next++
			if at, err := l.At(i); err != nil || at != off {
				t.Fatalf("%v at %d is %d, %v, want %d", l, i, at, err, off)
			}
		}
		if next != l.Size() {
			t.Fatalf("%v: the iteration ends after %d of %d", l, next, l.Size())
		}
	})
}

// A loop may stop at any place.
func TestAllStops(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		stop := rapid.Int64Range(0, l.Size()-1).Draw(t, "stop")
		seen := int64(0)
		for i := range l.All() {
			seen++
			if i == stop {
				break
			}
		}
		if seen != stop+1 {
			t.Fatalf("%v: %d pairs up to index %d", l, seen, stop)
		}
	})
}

// With coordinate strides, each offset has one number for each axis in use.
func TestOffsetsAlongAxes(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.MultiAxis().Draw(t, "l")
		if !l.HasBasis() {
			return
		}
		got, err := l.AppendOffsets(nil)
		noError(t, "offsets", err)
		table := oracle.Of(l).Table()
		var axes []string
		all, _ := oracle.TreeOf(mustEval(t, l)).Axes()
		for _, axis := range all {
			if slices.ContainsFunc(oracle.Of(l).D, func(d oracle.Vector) bool { return d[axis] != 0 }) {
				axes = append(axes, axis)
			}
		}
		if len(got) != len(table)*len(axes) {
			t.Fatalf("%v has %d numbers for %d offsets along %v", l, len(got), len(table), axes)
		}
		for i, v := range table {
			for a, axis := range axes {
				if got[i*len(axes)+a] != v[axis] {
					t.Fatalf("%v at %d is %v, want %v along %v", l, i, got[i*len(axes):(i+1)*len(axes)], v, axes)
				}
			}
		}
		for range l.All() {
			t.Fatalf("%v iterates over integers", l)
		}
	})
}

// mustEval returns the value of l at 0; the nesting of that value gives the axes in order.
func mustEval(t *rapid.T, l cute.Layout) cute.Tuple {
	t.Helper()
	v, err := l.Eval(cute.Int(0))
	noError(t, "eval", err)
	return v
}
