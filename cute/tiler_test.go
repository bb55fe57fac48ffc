package cute_test

import (
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

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
