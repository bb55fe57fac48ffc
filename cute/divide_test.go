package cute_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// paddingOf returns the padding of d in the oracle's form.
func paddingOf(d cute.Division) oracle.Padding {
	return oracle.Padding{
		Coord: oracle.Of(d.Padding.Coord), Bound: oracle.TreeOf(d.Padding.Bound),
		Added: d.Padding.Added, Elements: d.Padding.Elements,
	}
}

// wantDivision stops unless d, a divide of a in any arrangement, contains each element of a equally often, at the
// element's offset, and identifies the coordinates that are padding.
func wantDivision(t rapid.TB, what string, a cute.Layout, d cute.Division) {
	t.Helper()
	x, y := oracle.Of(a), oracle.Of(d.Layout)
	if d.Padding.None() {
		count := map[string]int64{}
		for _, v := range x.Table() {
			count[fmt.Sprint(v)] += y.Size() / x.Size()
		}
		for _, v := range y.Table() {
			count[fmt.Sprint(v)]--
		}
		for at, n := range count {
			if n != 0 {
				t.Fatalf("%s of %v = %v: the offset %s is there %d times too rarely", what, a, d.Layout, at, n)
			}
		}
		return
	}
	p := paddingOf(d)
	if err := oracle.CheckPadding(x, y, p); err != nil {
		t.Fatalf("%s of %v = %v, %v: %v", what, a, d.Layout, d.Padding, err)
	}
	elements := int64(0)
	for i := range d.Size() {
		c, err := cute.Idx2Crd(cute.Int(i), d.Shape())
		if err != nil {
			t.Fatal(err)
		}
		in, err := d.Padding.Contains(c)
		if err != nil {
			t.Fatalf("%s of %v = %v: contains(%v): %v", what, a, d.Layout, c, err)
		}
		if in {
			elements++
		}
	}
	if elements != d.Padding.Elements {
		t.Fatalf("%s of %v = %v: %v contains %d coordinates", what, a, d.Layout, d.Padding, elements)
	}
}

// A divide by a layout has the values of a at the tile's indices and at the places of the tile's copies. If some layout
// has these values, the divide is not refused.
func TestLogicalDivide(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := rapid.OneOf(gen.CompactLayouts(), anyLayout()).Draw(t, "a")
		tile := rapid.OneOf(gen.Chained(8), gen.Strided(0, 3)).Draw(t, "tile")
		if tile.Size()*a.Size() > 1024 {
			return
		}
		wantDivideBy(t, a, tile)
	})
}

func wantDivideBy(t rapid.TB, a, tile cute.Layout) {
	t.Helper()
	x, b := oracle.Of(a), oracle.Of(tile)
	d, err := cute.LogicalDivide(a, tile)
	if endsInUnit(a) && err != nil {
		return // the extension of a decides this case, and may not allow padding
	}
	if !oracle.Complementable(b) {
		if errorCode(err) != cute.CodeNotComplementable {
			t.Fatalf("%v / %v = %v, %v, but copies of the tile overlap", a, tile, d, err)
		}
		return
	}
	switch errorCode(err) {
	case "":
		wantDivision(t, "the divide by "+tile.String(), a, d)
		if d.Padding.None() {
			if err := oracle.CheckDivide(x, b, oracle.Of(d.Layout)); err != nil {
				t.Fatalf("%v / %v = %v: %v", a, tile, d, err)
			}
		} else if err := oracle.CheckTile(x, b, oracle.Of(d.Layout), paddingOf(d)); err != nil {
			t.Fatalf("%v / %v = %v, %v: %v", a, tile, d, d.Padding, err)
		}
	case cute.CodeNotRepresentable, cute.CodeNotDivisible:
		values, extents, ok := dividedValues(x, b)
		if ok && oracle.Refines(values, extents).Ok {
			t.Fatalf("%v / %v: %v, but %v in the shape %v is a layout", a, tile, err, values, extents)
		}
	default:
		t.Fatalf("%v / %v: %v", a, tile, err)
	}
}

// dividedValues returns the values of a divide without padding, encoded as integers, over the extents of the tile and
// the number of copies. It reports false if the tile's copies do not cover all indices of a.
func dividedValues(a, tile oracle.Layout) (values, extents []int64, ok bool) {
	table, copies, err := oracle.DivideValues(a, tile)
	if err != nil {
		return nil, nil, false
	}
	encoded, ok := oracle.Encode(a.Size(), table)
	if !ok {
		return nil, nil, false
	}
	return encoded[0], append(slices.Clone(tile.S), copies), true
}

// If some larger extents make the tiles whole and keep the first tile, a divide pads and is not refused.
func TestDivideGrows(t *testing.T) { holds(t, checkDivideGrows) }

func FuzzDivideGrows(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkDivideGrows)) }

func checkDivideGrows(t *rapid.T) {
	extents := rapid.SliceOfN(rapid.Int64Range(2, 7), 2, 3).Draw(t, "extents")
	a := unrelated(t, extents)
	tile := rapid.OneOf(gen.Chained(6), gen.Strided(0, 7)).Draw(t, "tile")
	b := oracle.Of(tile)
	if !oracle.Complementable(b) {
		return
	}
	block, _, err := oracle.Block(b)
	noError(t, "block", err)
	period, _ := oracle.Period(block, int(2*slices.Max(block)+2))
	d, err := cute.LogicalDivide(a, tile)
	if err == nil {
		wantDivision(t, "the divide by "+tile.String(), a, d)
		if !d.Padding.None() {
			if err := oracle.CheckTile(oracle.Of(a), b, oracle.Of(d.Layout), paddingOf(d)); err != nil {
				t.Fatalf("%v / %v = %v, %v: %v", a, tile, d, d.Padding, err)
			}
		}
		return
	}
	if code := errorCode(err); code != cute.CodeNotRepresentable && code != cute.CodeNotDivisible {
		t.Fatalf("%v / %v: %v", a, tile, err)
	}
	if period > 12 {
		return
	}
	// No mode needs to be longer than the next multiple of the block.
	more, order := slices.Repeat([]int64{period}, len(extents)), b.Ints()
	for _, add := range oracle.Coords(more) {
		larger, size := slices.Clone(extents), int64(1)
		for i := range larger {
			larger[i] += add[i]
			size *= larger[i]
		}
		if size%period != 0 || !keepsTile(order, extents, larger) {
			continue
		}
		grown := oracle.Of(unrelated(t, larger))
		if values, shape, ok := dividedValues(grown, b); ok && oracle.Refines(values, shape).Ok {
			t.Fatalf("%v / %v: %v, but with the extents %v the tiles fit", a, tile, err, larger)
		}
	}
}

// unrelated returns a layout of the extents with unrelated strides.
func unrelated(t rapid.TB, extents []int64) cute.Layout {
	t.Helper()
	d := make([]int64, len(extents))
	for i := range d {
		d[i] = []int64{1, 1009, 1000003}[i]
	}
	l, err := cute.New(cute.Ints(extents...), cute.Ints(d...))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// keepsTile reports whether each index has the same coordinate in both shapes, whose last modes are unbounded.
func keepsTile(indices, shape, larger []int64) bool {
	last := len(shape) - 1
	for _, x := range indices {
		y := x
		for i, s := range shape[:last] {
			if x%s != y%larger[i] {
				return false
			}
			x, y = x/s, y/larger[i]
		}
		if x != y {
			return false
		}
	}
	return true
}

// A tile of neighbours is never refused if it covers whole modes of the coalesced layout and part of the next mode;
// that mode is padded.
func TestDivideByLine(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := coalesce(t, rapid.OneOf(gen.Layouts(), gen.MultiAxis()).Draw(t, "a"))
		n := rapid.Int64Range(1, 2*a.Size()).Draw(t, "n")
		left, size := n, int64(1)
		for _, s := range a.Shape().Leaves() {
			switch {
			case left <= s:
				size *= (s + left - 1) / left * left
				left = 1
			case left%s != 0:
				return
			default:
				size *= s
				left /= s
			}
		}
		d, err := cute.LogicalDivide(a, line(t, n))
		noError(t, "logical_divide", err)
		if d.Size() != size*left || d.Padding.Added != size*left-a.Size() {
			t.Fatalf("%v / %d:1 = %v, %v, want %d elements", a, n, d, d.Padding, size*left)
		}
		wantDivision(t, fmt.Sprintf("the divide by %d:1", n), a, d)
	})
}

// A tile of coordinates divides the modes that it addresses, and covers every element.
func TestDivideByCoordinates(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := anyLayout().Draw(t, "a")
		if a.Shape().IsInt() || a.Rank() == 0 {
			return
		}
		var leaves []cute.Layout
		for i, m := range a.Shape().Modes() {
			n, err := m.Product()
			noError(t, "product", err)
			if rapid.IntRange(0, 2).Draw(t, "divide") == 0 {
				continue
			}
			unit, err := cute.Basis(rapid.Int64Range(1, 2).Draw(t, "stride"), i)
			noError(t, "basis", err)
			tile, err := cute.New(cute.Int(rapid.Int64Range(1, n).Draw(t, "extent")), unit)
			noError(t, "make_layout", err)
			leaves = append(leaves, tile)
		}
		tile, err := cute.MakeLayout(leaves...)
		noError(t, "make_layout", err)
		d, err := cute.LogicalDivide(a, tile)
		switch errorCode(err) {
		case "":
			wantDivision(t, "the divide by "+tile.String(), a, d)
		case cute.CodeNotRepresentable, cute.CodeNotDivisible:
		default:
			t.Fatalf("%v / %v: %v", a, tile, err)
		}
	})
}

// The exact divide returns the divide's result, or refuses if that result is padded.
func TestDivideExact(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Layouts().Draw(t, "a")
		tiler := gen.Tilers(a).Draw(t, "tiler")
		for _, op := range divides {
			d, err := op.divide(a, tiler)
			l, exactErr := op.exact(a, tiler)
			switch {
			case err != nil:
				wantCode(t, "the exact "+op.name, exactErr, errorCode(err))
			case !d.Padding.None():
				wantCode(t, "the exact "+op.name, exactErr, cute.CodeNotDivisible)
			case exactErr != nil || !l.Equal(d.Layout):
				t.Fatalf("the exact %s of %v by %v is %v, %v, want %v", op.name, a, tiler, l, exactErr, d.Layout)
			}
		}
	})
}

var divides = []struct {
	name   string
	divide func(cute.Layout, cute.Tiler) (cute.Division, error)
	exact  func(cute.Layout, cute.Tiler) (cute.Layout, error)
}{
	{"logical_divide", cute.LogicalDivide, cute.LogicalDivideExact},
	{"zipped_divide", cute.ZippedDivide, cute.ZippedDivideExact},
	{"tiled_divide", cute.TiledDivide, cute.TiledDivideExact},
	{"flat_divide", cute.FlatDivide, cute.FlatDivideExact},
}

// Each arrangement has every element of a, whatever the tiler.
func TestDivides(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := rapid.OneOf(gen.CompactLayouts(), anyLayout()).Draw(t, "a")
		tiler := gen.Tilers(a).Draw(t, "tiler")
		for _, op := range divides {
			d, err := op.divide(a, tiler)
			switch errorCode(err) {
			case "":
				if d.Size() <= 1024 {
					wantDivision(t, op.name+" by "+tiler.String(), a, d)
				}
			case cute.CodeNotRepresentable, cute.CodeNotDivisible:
			case cute.CodeRank:
				if op.name == "logical_divide" {
					t.Fatalf("%s of %v by %v: %v", op.name, a, tiler, err)
				}
			default:
				t.Fatalf("%s of %v by %v: %v", op.name, a, tiler, err)
			}
		}
	})
}

// A tile divides mode by mode, and does not change modes beyond it or at _.
func TestDivideByMode(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Layouts().Draw(t, "a")
		modes := a.Modes()
		tilers := make([]cute.Tiler, rapid.IntRange(0, len(modes)).Draw(t, "modes of the tile"))
		for i := range tilers {
			tilers[i] = gen.Tilers(modes[i]).Draw(t, "tiler")
		}
		d, err := cute.LogicalDivide(a, cute.MakeTile(tilers...))
		for i := range tilers {
			part, modeErr := cute.LogicalDivide(modes[i], tilers[i])
			if modeErr != nil {
				wantCode(t, "the divide of a mode", err, errorCode(modeErr))
				return
			}
			modes[i] = part.Layout
		}
		want, makeErr := cute.MakeLayout(modes...)
		noError(t, "make_layout", makeErr)
		noError(t, "logical_divide", err)
		if !d.Layout.Equal(want) {
			t.Fatalf("%v / %v = %v, want %v", a, cute.MakeTile(tilers...), d, want)
		}
	})
}

// The shape n is the tile n:1, and a shape is a tile of its modes.
func TestDivideByShape(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.Layouts().Draw(t, "a")
		n := rapid.Int64Range(1, 8).Draw(t, "n")
		byInt, err1 := cute.LogicalDivide(a, cute.Int(n))
		byTile, err2 := cute.LogicalDivide(a, line(t, n))
		if errorCode(err1) != errorCode(err2) || !byInt.Layout.Equal(byTile.Layout) {
			t.Fatalf("%v / %d = %v, %v, by %d:1 it is %v, %v", a, n, byInt, err1, n, byTile, err2)
		}
		rank := rapid.IntRange(1, a.Rank()).Draw(t, "rank")
		tile := make([]cute.Tiler, rank)
		shape := make([]int64, rank)
		for i := range tile {
			shape[i] = rapid.Int64Range(1, 4).Draw(t, "extent")
			tile[i] = cute.Int(shape[i])
		}
		byShape, err1 := cute.LogicalDivide(a, cute.Ints(shape...))
		byTile, err2 = cute.LogicalDivide(a, cute.MakeTile(tile...))
		if errorCode(err1) != errorCode(err2) || !byShape.Layout.Equal(byTile.Layout) {
			t.Fatalf("%v / %v = %v, %v, by the tile of its modes it is %v, %v",
				a, cute.Ints(shape...), byShape, err1, byTile, err2)
		}
	})
}

// line returns the layout n:1.
func line(t rapid.TB, n int64) cute.Layout {
	t.Helper()
	l, err := cute.New(cute.Int(n), cute.Int(1))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestDivideFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, tiler, want string }{
		{"(4,2,3):(2,1,8)", "4:2", "((2,2),(2,3)):((4,1),(2,8))"}, // the example of NVIDIA's documentation
		{"(9,(4,8)):(59,(13,1))", "<3:3,(2,4):(1,8)>", "((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1)))"},
		{"(2,3,4):(1,2,6)", "8:1", "(8,3):(1,8)"}, // NVIDIA's DSL loses a third of the elements
		{"24:1", "(4,6):(1,4)", "((4,6),1):((1,4),0)"},
		{"16:1", "4", "(4,4):(1,4)"},
		{"(8,6):(1,8)", "(4,2)", "((4,2),(2,3)):((1,4),(8,16))"},
		{"(8,6):(1,8)", "<_,2:1>", "(8,(2,3)):(1,(8,16))"},
		{"(8,6):(1,8)", "<4:1>", "((4,2),6):((1,4),8)"},
		{"(8,6):(1,8)", "_", "(8,6):(1,8)"},
		{"(8,6):(1,8)", "<>", "(8,6):(1,8)"},
		{"6:1", "(2,2):(1,0)", "((2,2),3):((1,0),2)"},
		{"(4,4):(1@0,1@1)", "(2,2)", "((2,2),(2,2)):((1@0,2@0),(1@1,2@1))"},
	} {
		tiler := cute.MustParseTiler(test.tiler)
		d, err := cute.LogicalDivide(parse(test.a), tiler)
		wantText(t, test.a+" / "+test.tiler, d, err, test.want)
		if !d.Padding.None() {
			t.Errorf("%s / %s pads: %v", test.a, test.tiler, d.Padding)
		}
	}
	for _, test := range []struct {
		a, tiler, want string
		added          int64
		coord, bound   string
	}{
		{"(8,8):(1,8)", "4:3", "(4,(3,6)):(3,(1,12))", 8, "(4,(3,6)):(3,(1,12))", "64"},
		{"10:1", "4:1", "(4,3):(1,4)", 2, "(4,3):(1,4)", "10"},
		{"(5,4):(1,30)", "4:1", "(4,(2,4)):(1,(4,30))", 12, "(4,(2,4)):(1@0,(4@0,1@1))", "(5,4)"},
		{"(6,4):(4,1)", "4:1", "(4,(2,4)):(4,(16,1))", 8, "(4,(2,4)):(1@0,(4@0,1@1))", "(6,4)"},
		{"(10,3):(1,100)", "4:1", "(4,(3,3)):(1,(4,100))", 6, "(4,(3,3)):(1@0,(4@0,1@1))", "(10,3)"},
		{"(9,5):(1,9)", "<4,2>", "((4,3),(2,3)):((1,4),(9,18))", 27, "((4,3),(2,3)):((1@0,4@0),(1@1,2@1))", "(9,5)"},
		{"(4,6):(1,4)", "5:1", "(5,5):(1,5)", 1, "(5,5):(1,5)", "24"},
		{"2:1", "8:1", "(8,1):(1,0)", 6, "(8,1):(1,0)", "2"},
		{"(5,5):(1,10)", "<2:3>", "((2,3),5):((3,1),10)", 5, "((2,3),5):((3@0,1@0),1@1)", "(5,5)"},
		{"(5,5):(1,10)", "2:3", "(2,(3,5)):(3,(1,10))", 5, "(2,(3,5)):(3@0,(1@0,1@1))", "(5,5)"},
		{"(5,7,3):(1,10,100)", "2:1", "(2,(3,7,3)):(1,(2,10,100))", 21, "(2,(3,7,3)):(1@0,(2@0,1@1,1@2))", "(5,7,3)"},
	} {
		d, err := cute.LogicalDivide(parse(test.a), cute.MustParseTiler(test.tiler))
		wantText(t, test.a+" / "+test.tiler, d, err, test.want)
		if d.Padding.Added != test.added || d.Padding.Coord.String() != test.coord || d.Padding.Bound.String() != test.bound {
			t.Errorf("%s / %s pads %d, %v < %v, want %d, %s < %s", test.a, test.tiler,
				d.Padding.Added, d.Padding.Coord, d.Padding.Bound, test.added, test.coord, test.bound)
		}
		wantDivision(t, "the divide by "+test.tiler, parse(test.a), d)
		_, err = cute.LogicalDivideExact(parse(test.a), cute.MustParseTiler(test.tiler))
		wantCode(t, "the exact "+test.a+" / "+test.tiler, err, cute.CodeNotDivisible)
	}
}

func TestDivideRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, tiler string
		code     cute.Code
	}{
		{"24:1", "<4,6>", cute.CodeRank},
		{"(4,6):(1,4)", "(2,2,2)", cute.CodeRank},
		{"24:1", "(2,2):(2,3)", cute.CodeNotComplementable},
		{"24:1", "4:-1", cute.CodeNegative},
		{"24:1", "0", cute.CodeExtent},
		{"(4,6):(1,4)", "<4:1@1>", cute.CodeNotCongruent},
		{"(4,6):(1,4)", "<1@1>", cute.CodeCodomain},
	} {
		tiler, err := cute.ParseTiler(test.tiler)
		if err == nil {
			_, err = cute.LogicalDivide(parse(test.a), tiler)
		}
		wantCode(t, test.a+" / "+test.tiler, err, test.code)
	}
	_, err := cute.LogicalDivide(parse("24:1"), nil)
	wantCode(t, "24:1 / nothing", err, cute.CodeType)
	_, err = cute.LogicalDivide(parse("24:1"), cute.MakeTile(nil))
	wantCode(t, "24:1 / <nothing>", err, cute.CodeType)
}

// endsInUnit reports whether a has a mode of extent 1 with a stride; as last mode, it decides the values beyond the
// size.
func endsInUnit(a cute.Layout) bool {
	for i, s := range a.Shape().Leaves() {
		if s == 1 && (a.HasBasis() || a.Stride().Leaves()[i] != 0) {
			return true
		}
	}
	return false
}

// If the first tile is not a layout, the refusal gives this reason, even if later tiles fail too.
func TestDivideNamesTheTile(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		a, b string
		at   int64
	}{
		{"(2,6):(1,10)", "3:1", 2},
		{"(2,6):(1@0,10@0)", "3:1", 2},
		{"(2,3):(1@0,10@0)", "3:1", 2},
		{"(12,32):(1,128)", "(4,8):(1,4)", 12},
	} {
		a, _ := cute.Parse(tt.a)
		b, _ := cute.Parse(tt.b)
		divides := []func(cute.Layout, cute.Tiler) (cute.Division, error){cute.LogicalDivide, cute.ZippedDivide}
		for _, divide := range divides {
			_, err := divide(a, b)
			e, ok := errors.AsType[*cute.Error](err)
			if !ok || e.Code != cute.CodeNotRepresentable || e.Witness == nil || e.Witness.Index != tt.at {
				t.Errorf("%s by %s: %v, want %s at index %d", tt.a, tt.b, err, cute.CodeNotRepresentable, tt.at)
			}
		}
	}
}
