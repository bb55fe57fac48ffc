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

// The methods of a layout that describe it agree with their definitions.
func TestLayoutQueries(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "l")
		x := oracle.Of(l)
		if l.Size() != x.Size() || l.Rank() != x.Rank() || l.Depth() != depth(x.Shape) || l.HasBasis() == x.IsInt() {
			t.Fatalf("%v has the size %d, rank %d, depth %d, coordinates %v", l, l.Size(), l.Rank(), l.Depth(), l.HasBasis())
		}
		if !cute.Congruent(l.Shape(), l.Stride()) {
			t.Fatalf("%v: the stride %v is not congruent to the shape %v", l, l.Stride(), l.Shape())
		}
		again, err := cute.New(l.Shape(), l.Stride())
		if err != nil || !again.Equal(l) {
			t.Fatalf("the parts of %v make %v, %v", l, again, err)
		}
		want := x.Table()
		for i, m := range l.Modes() {
			if l.Shape().IsInt() {
				break
			}
			wantMode(t, l, m, i)
		}
		wantTable(t, "the layout", l, want)
	})
}

func depth(t oracle.Tree) int {
	if t.IsLeaf {
		return 0
	}
	deepest := 0
	for _, m := range t.Modes {
		deepest = max(deepest, depth(m))
	}
	return deepest + 1
}

// The cosize counts the integers from the least to the greatest offset; the coshape counts them along each axis.
func TestCosize(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := anyLayout().Draw(t, "l")
		low, high := map[string]int64{}, map[string]int64{}
		for _, v := range oracle.Of(l).Table() {
			for axis, x := range v {
				low[axis], high[axis] = min(low[axis], x), max(high[axis], x)
			}
		}
		shape, err := l.Coshape()
		noError(t, "coshape", err)
		size := int64(1)
		axes, extents := oracle.TreeOf(shape).Axes()
		for i, axis := range axes {
			if want := high[axis] - low[axis] + 1; extents[i] != want {
				t.Fatalf("coshape(%v) = %v with %d along %q, want %d", l, shape, extents[i], axis, want)
			}
			size *= extents[i]
		}
		if got, err := l.Cosize(); err != nil || got != size {
			t.Fatalf("cosize(%v) = %d, %v, want %d", l, got, err, size)
		}
	})
}

// Equal layouts print the same text, and different layouts different texts.
func TestEqual(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a, b := anyLayout().Draw(t, "a"), anyLayout().Draw(t, "b")
		if !a.Equal(a) || a.Equal(b) != (a.String() == b.String()) || a.Equal(b) != b.Equal(a) {
			t.Fatalf("%v equal to %v: %v", a, b, a.Equal(b))
		}
	})
}

// Slices returned by a layout belong to the caller: writing to them changes nothing.
func TestLayoutIsImmutable(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		before := l.String()
		for _, xs := range [][]int64{l.Shape().Leaves(), l.Stride().Leaves()} {
			for i := range xs {
				xs[i] = -77
			}
		}
		modes := l.Modes()
		for i := range modes {
			modes[i] = cute.Layout{}
		}
		own := []int64{2, 3}
		made := cute.Ints(own...)
		own[0] = 9
		if l.String() != before || made.String() != "(2,3)" {
			t.Fatalf("%s became %v, (2,3) became %v", before, l, made)
		}
	})
}

func TestNewRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		shape, stride string
		code          cute.Code
	}{
		{"(4,2)", "(1,4)", ""},
		{"4", "1", ""},
		{"()", "()", ""},
		{"(4,2)", "(1,(4))", cute.CodeNotCongruent},
		{"4", "(1)", cute.CodeNotCongruent},
		{"(4,0)", "(1,4)", cute.CodeExtent},
		{"(4,-2)", "(1,4)", cute.CodeExtent},
		{"(1@0,2@1)", "(1,4)", cute.CodeCodomain},
		{"(4294967296,4294967296)", "(0,0)", cute.CodeOverflow},
		{"(4294967296,2147483648)", "(0,0)", cute.CodeOverflow},
		{"(4294967296,2147483647)", "(0,0)", ""},
		{"2", "9223372036854775807", ""},
		{"(2,2)", "(9223372036854775807,1)", cute.CodeOverflow},
		{"(2,2)", "(9223372036854775807,-1)", cute.CodeOverflow},
		{"(2,2)", "(9223372036854775807,0)", ""},
		{"(1,2)", "(9223372036854775807,9223372036854775807)", ""},
		{"(3,2)", "(4611686018427387904,1)", cute.CodeOverflow},
	} {
		_, err := cute.New(cute.MustParseTuple(test.shape), cute.MustParseTuple(test.stride))
		wantCode(t, test.shape+":"+test.stride, err, test.code)
	}
	_, err := cute.New(cute.Int(1), cute.Int(math.MinInt64))
	wantCode(t, "a stride without magnitude", err, cute.CodeOverflow)
}

func TestZeroLayout(t *testing.T) {
	t.Parallel()
	var l cute.Layout
	at, err := l.At(0)
	if l.String() != "():()" || l.Size() != 1 || l.Rank() != 0 || l.Depth() != 1 || at != 0 || err != nil {
		t.Errorf("the zero layout is %v with the size %d, rank %d, depth %d, %d, %v",
			l, l.Size(), l.Rank(), l.Depth(), at, err)
	}
	if !l.Equal(parse("():()")) || len(l.Modes()) != 0 {
		t.Errorf("the zero layout %v is not ():()", l)
	}
	table, err := l.AppendOffsets(nil)
	if !slices.Equal(table, []int64{0}) || err != nil {
		t.Errorf("the offsets of ():() are %v, %v", table, err)
	}
	seen := 0
	for i, off := range l.All() {
		if i != 0 || off != 0 {
			t.Errorf("():() at %d is %d", i, off)
		}
		seen++
	}
	if seen != 1 {
		t.Errorf("():() has %d coordinates", seen)
	}
}

func TestCosizeFacts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"(4,3):(1,4)": 12, "(4,3):(-1,4)": 12, "4:0": 1, "():()": 1, "(2,2):(1@0,1@1)": 4, "3:2@1": 5,
		"2:9223372036854775806": math.MaxInt64,
	} {
		if got, err := parse(text).Cosize(); err != nil || got != want {
			t.Errorf("cosize(%s) = %d, %v, want %d", text, got, err, want)
		}
	}
	_, err := parse("2:9223372036854775807").Cosize()
	wantCode(t, "cosize of 2:(2^63-1)", err, cute.CodeOverflow)
}

// The kind of a tiler decides: a layout or an integer composes with the whole, a tile or a shape mode by mode,
// dropping the modes beyond it, and _ changes nothing.
func TestCompositionBy(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Layouts().Draw(t, "a")
		wantComposedBy(t, a, gen.Tilers(a).Draw(t, "tiler"))
	})
}

func wantComposedBy(t *rapid.T, a cute.Layout, tiler cute.Tiler) {
	t.Helper()
	got, err := cute.CompositionBy(a, tiler)
	var want cute.Layout
	var wantErr error
	switch x := tiler.(type) {
	case cute.Layout:
		want, wantErr = cute.Composition(a, x)
	case cute.Tile:
		want, wantErr = byModes(a, x.Modes())
	case cute.Tuple:
		if n, ok := x.Int64(); ok {
			want, wantErr = cute.Composition(a, line(t, n))
			break
		}
		var elems []cute.Tiler
		for _, m := range x.Modes() {
			elems = append(elems, m)
		}
		want, wantErr = byModes(a, elems)
	default:
		want = a
	}
	if errorCode(err) != errorCode(wantErr) || !got.Equal(want) {
		t.Fatalf("%v o %v = %v, %v, want %v, %v", a, tiler, got, err, want, wantErr)
	}
}

// byModes composes each mode of a with its tiler.
func byModes(a cute.Layout, tilers []cute.Tiler) (cute.Layout, error) {
	modes := a.Modes()[:len(tilers)]
	for i := range modes {
		var err error
		if modes[i], err = cute.CompositionBy(modes[i], tilers[i]); err != nil {
			return cute.Layout{}, err
		}
	}
	return cute.MakeLayout(modes...)
}

// A layout seen through another shape has the same values in order.
func TestWithShape(t *testing.T) {
	holds(t, func(t *rapid.T) {
		l := gen.Layouts().Draw(t, "l")
		shape := gen.Shapes(gen.MaxSize).Draw(t, "shape")
		r, err := l.WithShape(shape)
		x := oracle.Of(l)
		var values []oracle.Vector
		for i := range oracle.TreeOf(shape).Size() {
			values = append(values, x.Index(i))
		}
		if !oracle.Refines(oracle.Numbers(values), shape.Leaves()).Ok {
			wantCode(t, "with_shape", err, cute.CodeNotRepresentable)
			return
		}
		noError(t, "with_shape", err)
		wantTable(t, "with_shape", r, values)
		if !cute.Compatible(shape, r.Shape()) {
			t.Fatalf("%v with the shape %v is %v", l, shape, r)
		}
	})
}

func TestTilerFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, tiler, want string }{
		{"(4,6,5):(1,4,24)", "<2>", "(2):(1)"}, // CuTe drops the modes beyond the tile as well
		{"(4,6):(1,4)", "<_,3>", "(4,3):(1,4)"},
		{"(4,6):(1,4)", "(2,3)", "(2,3):(1,4)"},
		{"(4,6):(1,4)", "6", "6:1"},
		{"(4,6):(1,8)", "8", "(4,2):(1,8)"},
		{"(4,6):(1,4)", "_", "(4,6):(1,4)"},
		{"((8,8),4):((1,8),64)", "<64:1,_>", "(64,4):(1,64)"},
	} {
		r, err := cute.CompositionBy(parse(test.a), cute.MustParseTiler(test.tiler))
		wantText(t, test.a+" o "+test.tiler, r, err, test.want)
	}
	_, err := cute.CompositionBy(parse("24:1"), cute.MustParseTiler("<4,6>"))
	wantCode(t, "24:1 o <4,6>", err, cute.CodeRank)
	_, err = cute.CompositionBy(parse("24:1"), nil)
	wantCode(t, "24:1 o nothing", err, cute.CodeType)
	_, err = cute.CompositionBy(parse("24:1"), cute.MustParseTuple("1@0"))
	wantCode(t, "24:1 o 1@0", err, cute.CodeCodomain)
	tile := cute.MakeTile(cute.Int(4), cute.Keep, parse("(2,2):(2,1)"), cute.MakeTile(), cute.Ints(2, 3))
	if tile.String() != "<4:1,_,(2,2):(2,1),<>,(2,3)>" || tile.Rank() != 5 || len(tile.Modes()) != 5 {
		t.Errorf("the tile is %v of rank %d", tile, tile.Rank())
	}
	elems := []cute.Tiler{cute.Int(4)}
	tile = cute.MakeTile(elems...)
	elems[0] = cute.Keep
	tile.Modes()[0] = cute.Keep
	if tile.String() != "<4:1>" {
		t.Errorf("<4:1> became %v", tile)
	}
}
