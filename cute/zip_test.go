package cute_test

import (
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
)

// wantMode stops unless the mode of l at the path is m.
func wantMode(t *rapid.T, l, m cute.Layout, path ...int) {
	t.Helper()
	got, err := l.Mode(path...)
	if err != nil || !got.Equal(m) {
		t.Fatalf("mode %v of %v is %v, %v, want %v", path, l, got, err, m)
	}
}

// Zip is the transpose of the nesting.
func TestZip(t *testing.T) {
	holds(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 3).Draw(t, "rows"), rapid.IntRange(1, 3).Draw(t, "columns")
		var as []cute.Layout
		for range rows {
			modes := make([]cute.Layout, cols)
			for j := range modes {
				modes[j] = gen.Chained(4).Draw(t, "mode")
			}
			a, err := cute.MakeLayout(modes...)
			noError(t, "make_layout", err)
			as = append(as, a)
		}
		z, err := cute.Zip(as...)
		noError(t, "zip", err)
		if z.Rank() != cols {
			t.Fatalf("zip(%v) = %v", as, z)
		}
		for i, a := range as {
			for j, m := range a.Modes() {
				wantMode(t, z, m, j, i)
			}
		}
		_, err = cute.Zip(as[0], parse("(1,1,1,1):(0,0,0,0)"))
		wantCode(t, "zip of other ranks", err, cute.CodeRank)
	})
}

// The forms of divides and products hold the modes of the logical one, in other places.
func TestForms(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.CompactLayouts().Draw(t, "a")
		modes := a.Modes()
		tilers := make([]cute.Tiler, rapid.IntRange(1, len(modes)).Draw(t, "modes of the tile"))
		for i := range tilers {
			tilers[i] = rapid.OneOf(gen.Chained(4), gen.Chained(8)).Draw(t, "tiler")
		}
		tile := cute.MakeTile(tilers...)
		if d, err := cute.LogicalDivide(a, tile); err == nil {
			zipped, err1 := cute.ZippedDivide(a, tile)
			tiled, err2 := cute.TiledDivide(a, tile)
			flat, err3 := cute.FlatDivide(a, tile)
			if err1 != nil || err2 != nil || err3 != nil {
				t.Fatalf("%v / %v = %v, but %v, %v, %v", a, tile, d, err1, err2, err3)
			}
			wantForms(t, len(tilers), d.Layout, zipped.Layout, tiled.Layout, flat.Layout)
		}
		if p, err := cute.LogicalProduct(a, tile); err == nil {
			zipped, err1 := cute.ZippedProduct(a, tile)
			tiled, err2 := cute.TiledProduct(a, tile)
			flat, err3 := cute.FlatProduct(a, tile)
			if err1 != nil || err2 != nil || err3 != nil {
				t.Fatalf("%v x %v = %v, but %v, %v, %v", a, tile, p, err1, err2, err3)
			}
			wantForms(t, len(tilers), p, zipped, tiled, flat)
		}
	})
}

// wantForms checks logical ((TM,RM),(TN,RN),L), zipped ((TM,TN),(RM,RN,L)), tiled ((TM,TN),RM,RN,L), flat
// (TM,TN,RM,RN,L).
func wantForms(t *rapid.T, n int, logical, zipped, tiled, flat cute.Layout) {
	t.Helper()
	rank := logical.Rank()
	if zipped.Rank() != 2 || tiled.Rank() != 1+rank || flat.Rank() != n+rank {
		t.Fatalf("the forms of %v: %v, %v, %v", logical, zipped, tiled, flat)
	}
	for i, m := range logical.Modes() {
		if i >= n {
			wantMode(t, zipped, m, 1, i)
			wantMode(t, tiled, m, 1+i)
			wantMode(t, flat, m, n+i)
			continue
		}
		pair := m.Modes()
		if len(pair) != 2 {
			t.Fatalf("mode %d of %v is no pair", i, logical)
		}
		wantMode(t, zipped, pair[0], 0, i)
		wantMode(t, zipped, pair[1], 1, i)
		wantMode(t, tiled, pair[0], 0, i)
		wantMode(t, tiled, pair[1], 1+i)
		wantMode(t, flat, pair[0], i)
		wantMode(t, flat, pair[1], n+i)
	}
}

func TestFormFacts(t *testing.T) {
	t.Parallel()
	const a, tile = "(9,(4,8),5):(59,(13,1),1000)", "<3:3,(2,4):(1,8)>"
	for _, test := range []struct {
		name string
		f    func(cute.Layout, cute.Tiler) (cute.Division, error)
		want string
	}{
		{"logical", cute.LogicalDivide, "((3,3),((2,4),(2,2)),5):((177,59),((13,2),(26,1)),1000)"},
		{"zipped", cute.ZippedDivide, "((3,(2,4)),(3,(2,2),5)):((177,(13,2)),(59,(26,1),1000))"},
		{"tiled", cute.TiledDivide, "((3,(2,4)),3,(2,2),5):((177,(13,2)),59,(26,1),1000)"},
		{"flat", cute.FlatDivide, "(3,(2,4),3,(2,2),5):(177,(13,2),59,(26,1),1000)"},
	} {
		d, err := test.f(parse(a), cute.MustParseTiler(tile))
		wantText(t, test.name+"_divide", d, err, test.want)
	}
	// An underscore leaves a mode alone, whatever its rank; tile_unzip takes the pair that it is.
	for _, test := range []struct{ a, zipped, tiled, flat string }{
		{"(9,8):(1,9)", "((3,1),(3,8)):((1,0),(3,9))", "((3,1),3,8):((1,0),3,9)", "(3,1,3,8):(1,0,3,9)"},
		{"(9,(2,4)):(1,(9,20))", "((3,1),(3,(2,4))):((1,0),(3,(9,20)))", "((3,1),3,(2,4)):((1,0),3,(9,20))", "(3,1,3,(2,4)):(1,0,3,(9,20))"},
		{
			"(9,(2,2,2)):(1,(9,20,50))", "((3,1),(3,(2,2,2))):((1,0),(3,(9,20,50)))",
			"((3,1),3,(2,2,2)):((1,0),3,(9,20,50))", "(3,1,3,(2,2,2)):(1,0,3,(9,20,50))",
		},
	} {
		tiler := cute.MustParseTiler("<3,_>")
		d, err := cute.ZippedDivide(parse(test.a), tiler)
		wantText(t, "zipped_divide by <3,_>", d, err, test.zipped)
		d, err = cute.TiledDivide(parse(test.a), tiler)
		wantText(t, "tiled_divide by <3,_>", d, err, test.tiled)
		d, err = cute.FlatDivide(parse(test.a), tiler)
		wantText(t, "flat_divide by <3,_>", d, err, test.flat)
	}
	p, err := cute.ZippedProduct(parse("(9,(2,4)):(1,(9,18))"), cute.MustParseTiler("<3,_>"))
	wantText(t, "zipped_product by <3,_>", p, err, "((9,1),(3,(2,4))):((1,0),(9,(9,18)))")
	d, err := cute.LogicalDivide(parse("((2,4),6):((1,2),8)"), cute.MustParseTiler("<_,3>"))
	wantText(t, "logical_divide by <_,3>", d, err, "((2,4),(3,2)):((1,2),(8,24))")
	p, err = cute.TileUnzip(d.Layout, cute.MustParseTiler("<_,3>"))
	wantText(t, "tile_unzip by <_,3>", p, err, "((2,3),(4,2)):((1,8),(2,24))")

	u, err := cute.TileUnzip(parse("((2,3),(4,5),6):((1,2),(6,24),120)"), cute.MustParseTiler("<2,4>"))
	wantText(t, "tile_unzip", u, err, "((2,4),(3,5,6)):((1,6),(2,24,120))")
	_, err = cute.TileUnzip(parse("(8,6):(1,8)"), cute.MustParseTiler("<2,3>"))
	wantCode(t, "tile_unzip of what is no pair", err, cute.CodeRank)
	_, err = cute.TileUnzip(parse("((2,2),2):((1,2),4)"), cute.MustParseTiler("<2,2,2>"))
	wantCode(t, "tile_unzip by a tile of higher rank", err, cute.CodeRank)
}

// A mode under _ is among the rests as it was, whatever its rank, and has one tile.
func TestKeptModes(t *testing.T) { holds(t, checkKeptModes) }

func FuzzKeptModes(f *testing.F) { f.Fuzz(rapid.MakeFuzz(checkKeptModes)) }

func checkKeptModes(t *rapid.T) {
	a := anyLayout().Draw(t, "a")
	if a.Shape().IsInt() || a.Rank() == 0 {
		return
	}
	modes := a.Modes()
	tilers := make([]cute.Tiler, len(modes))
	for i := range tilers {
		if tilers[i] = cute.Keep; rapid.Bool().Draw(t, "divide") {
			tilers[i] = cute.Int(rapid.Int64Range(1, 4).Draw(t, "tile"))
		}
	}
	d, err := cute.ZippedDivide(a, cute.MakeTile(tilers...))
	if err != nil {
		return
	}
	for i, m := range modes {
		if tilers[i] != cute.Keep {
			continue
		}
		tile, err1 := d.Mode(0, i)
		rest, err2 := d.Mode(1, i)
		if err1 != nil || err2 != nil || tile.Size() != 1 || !rest.Equal(m) {
			t.Fatalf("zipped_divide(%v, %v) = %v: mode %d has the tile %v and the rest %v",
				a, cute.MakeTile(tilers...), d.Layout, i, tile, rest)
		}
	}
}
