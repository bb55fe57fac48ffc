package girih_test

import (
	"testing"

	"pgregory.net/rapid"

	"girih"
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

func wantComposedBy(t *rapid.T, a girih.Layout, tiler girih.Tiler) {
	t.Helper()
	got, err := girih.CompositionBy(a, tiler)
	var want girih.Layout
	var wantErr error
	switch x := tiler.(type) {
	case girih.Layout:
		want, wantErr = girih.Composition(a, x)
	case girih.Tile:
		want, wantErr = byModes(a, x.Modes())
	case girih.Tuple:
		if n, ok := x.Int64(); ok {
			want, wantErr = girih.Composition(a, line(t, n))
			break
		}
		var elems []girih.Tiler
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
func byModes(a girih.Layout, tilers []girih.Tiler) (girih.Layout, error) {
	modes := a.Modes()[:len(tilers)]
	for i := range modes {
		var err error
		if modes[i], err = girih.CompositionBy(modes[i], tilers[i]); err != nil {
			return girih.Layout{}, err
		}
	}
	return girih.MakeLayout(modes...)
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
			wantCode(t, "with_shape", err, girih.CodeNotRepresentable)
			return
		}
		noError(t, "with_shape", err)
		wantTable(t, "with_shape", r, values)
		if !girih.Compatible(shape, r.Shape()) {
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
		r, err := girih.CompositionBy(parse(test.a), girih.MustParseTiler(test.tiler))
		wantText(t, test.a+" o "+test.tiler, r, err, test.want)
	}
	_, err := girih.CompositionBy(parse("24:1"), girih.MustParseTiler("<4,6>"))
	wantCode(t, "24:1 o <4,6>", err, girih.CodeRank)
	_, err = girih.CompositionBy(parse("24:1"), nil)
	wantCode(t, "24:1 o nothing", err, girih.CodeType)
	_, err = girih.CompositionBy(parse("24:1"), girih.MustParseTuple("1@0"))
	wantCode(t, "24:1 o 1@0", err, girih.CodeCodomain)
	tile := girih.MakeTile(girih.Int(4), girih.Keep, parse("(2,2):(2,1)"), girih.MakeTile(), girih.Ints(2, 3))
	if tile.String() != "<4:1,_,(2,2):(2,1),<>,(2,3)>" || tile.Rank() != 5 || len(tile.Modes()) != 5 {
		t.Errorf("the tile is %v of rank %d", tile, tile.Rank())
	}
	elems := []girih.Tiler{girih.Int(4)}
	tile = girih.MakeTile(elems...)
	elems[0] = girih.Keep
	tile.Modes()[0] = girih.Keep
	if tile.String() != "<4:1>" {
		t.Errorf("<4:1> became %v", tile)
	}
}
