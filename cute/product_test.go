package cute_test

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/check/gen"
	"girih/internal/check/oracle"
)

// smallTiler draws layouts of few copies, because the places of a product are enumerated up to the last place.
func smallTiler() *rapid.Generator[cute.Layout] {
	return rapid.OneOf(gen.Chained(12), gen.Strided(0, 3), gen.Strided(-2, 2))
}

// Mode 0 of a product is the block itself, and mode 1 the places of its copies in the order of the tiler. A product is
// refused only if the places are not a layout.
func TestLogicalProduct(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := mayTile().Draw(t, "a")
		b := smallTiler().Draw(t, "b")
		p, err := cute.LogicalProduct(a, b)
		x, y := oracle.Of(a), oracle.Of(b)
		if !oracle.Complementable(x) {
			checkLooseProduct(t, a, b, p, err)
			return
		}
		places, errPlaces := oracle.PlacesOf(x, y)
		noError(t, "places of a layout with a complement", errPlaces)
		if !oracle.Refines(places, y.S).Ok {
			wantCode(t, "the product at places that are no layout", err, cute.CodeNotRepresentable)
			return
		}
		noError(t, "logical_product", err)
		if err := oracle.CheckProduct(x, y, oracle.Of(p)); err != nil {
			t.Fatalf("%v x %v = %v: %v", a, b, p, err)
		}
		if block := p.Modes()[0]; !block.Equal(a) {
			t.Fatalf("%v x %v = %v: mode 0 is %v", a, b, p, block)
		}
		if !b.Shape().IsInt() && !oracle.TreeOf(b.Shape()).Compatible(oracle.TreeOf(p.Modes()[1].Shape())) {
			t.Fatalf("%v x %v = %v: mode 1 does not refine the shape of the tiler", a, b, p)
		}
	})
}

// The copies of a block of coordinates are translates of the block that do not meet.
func TestProductOfCoordinates(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := gen.ChainedAxes().Draw(t, "a")
		b := gen.CompactLayouts().Draw(t, "b")
		if a.Size()*b.Size() > 256 {
			return
		}
		p, err := cute.LogicalProduct(a, b)
		if err != nil {
			wantCode(t, "logical_product", err, cute.CodeNotRepresentable)
			return
		}
		x, y := oracle.Of(a).Table(), oracle.Of(p).Table()
		seen := map[string]bool{}
		for i, v := range y {
			first := y[i-i%len(x)]
			if want := sum(first, x[i%len(x)]); !v.Equal(want) || !p.Modes()[0].Equal(a) {
				t.Fatalf("%v x %v = %v: index %d has the offset %v, want %v", a, b, p, i, v, want)
			}
			key := fmt.Sprint(v)
			if seen[key] && oracle.Injective(oracle.Of(a)) {
				t.Fatalf("%v x %v = %v: two copies meet at %v", a, b, p, v)
			}
			seen[key] = true
		}
	})
}

// A product by mode is the product of each mode.
func TestProductByMode(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a := mayTile().Draw(t, "a")
		modes := a.Modes()
		tilers := make([]cute.Tiler, rapid.IntRange(0, len(modes)).Draw(t, "modes of the tile"))
		for i := range tilers {
			tilers[i] = gen.Tilers(modes[i]).Draw(t, "tiler")
		}
		p, err := cute.LogicalProduct(a, cute.MakeTile(tilers...))
		for i := range tilers {
			part, modeErr := cute.LogicalProduct(modes[i], tilers[i])
			if modeErr != nil {
				wantCode(t, "the product of a mode", err, errorCode(modeErr))
				return
			}
			modes[i] = part
		}
		want, makeErr := cute.MakeLayout(modes...)
		noError(t, "make_layout", makeErr)
		if err != nil || !p.Equal(want) {
			t.Fatalf("%v x %v = %v, %v, want %v", a, cute.MakeTile(tilers...), p, err, want)
		}
	})
}

// padded returns l with modes 1:0 up to the rank n.
func padded(t *rapid.T, l cute.Layout, n int) oracle.Layout {
	t.Helper()
	p, err := l.AppendToRank(n, parse("1:0"))
	noError(t, "append_to_rank", err)
	return oracle.Of(p)
}

// In a blocked product, the coordinate x of the block and y of the tiler are at x + |block mode|·y in mode i; in a
// raked product at y + |tiler mode|·x. The offset is the offset of x plus the place of y.
func TestBlockedAndRakedProduct(t *testing.T) {
	holds(t, func(t *rapid.T) {
		a, b := gen.Chained(12).Draw(t, "a"), rapid.OneOf(gen.CompactLayouts(), gen.Chained(12)).Draw(t, "b")
		if b.Size() > 16 {
			return
		}
		blocked, err1 := cute.BlockedProduct(a, b)
		raked, err2 := cute.RakedProduct(a, b)
		wantCode(t, "raked_product", err2, errorCode(err1))
		n := max(a.Rank(), b.Rank())
		x, y := padded(t, a, n), padded(t, b, n)
		places, errPlaces := oracle.PlacesOf(x, y)
		if errPlaces != nil || (err1 != nil && errorCode(err1) != cute.CodeNotRepresentable) {
			t.Fatalf("%v x %v = %v, %v", a, b, blocked, err1)
		}
		if fits := oracle.Refines(places, y.S).Ok; fits != (err1 == nil) || !fits {
			if fits {
				t.Fatalf("%v x %v: %v, but the places %v are a layout", a, b, err1, places)
			}
			return
		}
		wantInterleaved(t, x, y, places, oracle.Of(blocked), oracle.Of(raked))
	})
}

// wantInterleaved checks a blocked and a raked product at every pair of coordinates.
func wantInterleaved(t *rapid.T, x, y oracle.Layout, places []int64, blocked, raked oracle.Layout) {
	t.Helper()
	offsets := x.Ints()
	for i, place := range places {
		for j, offset := range offsets {
			var inBlocked, inRaked oracle.Tree
			m, n := int64(i), int64(j)
			for k := range x.Rank() {
				block, tiles := x.Mode(k).Size(), y.Mode(k).Size()
				at, copyAt := n%block, m%tiles
				n, m = n/block, m/tiles
				inBlocked.Modes = append(inBlocked.Modes, leaf(at+block*copyAt))
				inRaked.Modes = append(inRaked.Modes, leaf(copyAt+tiles*at))
			}
			want := oracle.Number(offset + place)
			if got, ok := blocked.Eval(inBlocked); !ok || !got.Equal(want) {
				t.Fatalf("blocked: element %d of copy %d has the offset %v, %v, want %v", j, i, got, ok, want)
			}
			if got, ok := raked.Eval(inRaked); !ok || !got.Equal(want) {
				t.Fatalf("raked: element %d of copy %d has the offset %v, %v, want %v", j, i, got, ok, want)
			}
		}
	}
}

func leaf(x int64) oracle.Tree { return oracle.Tree{IsLeaf: true, Leaf: oracle.Number(x)} }

// tile_to_shape puts copies of the block side by side until they cover the target, in the given order.
func TestTileToShape(t *testing.T) {
	holds(t, func(t *rapid.T) {
		block := gen.Chained(12).Draw(t, "block")
		rank := block.Rank() + rapid.IntRange(0, 1).Draw(t, "more modes")
		if rank == 0 {
			return
		}
		x := padded(t, block, rank)
		target, blocks := make([]int64, rank), make([]int64, rank)
		for i := range target {
			target[i] = rapid.Int64Range(1, 8).Draw(t, "target")
			blocks[i] = (target[i] + x.Mode(i).Size() - 1) / x.Mode(i).Size()
		}
		order := rapid.Permutation(span(0, int64(rank-1))).Draw(t, "order")
		r, err := cute.TileToShape(block, cute.Ints(target...), cute.Ints(order...))
		repeats := oracle.Flat(blocks, ordered(blocks, order))
		places, errPlaces := oracle.PlacesOf(x, repeats)
		noError(t, "places of the block", errPlaces)
		if !oracle.Refines(places, blocks).Ok {
			wantCode(t, "tile_to_shape at places that are no layout", err, cute.CodeNotRepresentable)
			return
		}
		noError(t, "tile_to_shape", err)
		wantInterleaved(t, x, repeats, places, oracle.Of(r), raked(t, block, repeats, rank))
		for i, m := range r.Modes() {
			if m.Size() != blocks[i]*x.Mode(i).Size() {
				t.Fatalf("tile_to_shape(%v, %v) = %v: mode %d has %d elements", block, target, r, i, m.Size())
			}
		}
	})
}

// ordered returns the strides of a compact layout of the extents s whose modes vary in the given order.
func ordered(s, order []int64) []int64 {
	d, next := make([]int64, len(s)), int64(1)
	for turn := range s {
		i := slices.Index(order, int64(turn))
		d[i] = next
		next *= s[i]
	}
	return d
}

// raked returns the raked product of the same operands, which wantInterleaved checks too.
func raked(t *rapid.T, block cute.Layout, repeats oracle.Layout, rank int) oracle.Layout {
	t.Helper()
	d := make([]int64, rank)
	for i := range d {
		d[i] = repeats.D[i][""]
	}
	b, err := cute.New(cute.Ints(repeats.S...), cute.Ints(d...))
	noError(t, "make_layout", err)
	full, err := block.AppendToRank(rank, parse("1:0"))
	noError(t, "append_to_rank", err)
	r, err := cute.RakedProduct(full, b)
	noError(t, "raked_product", err)
	return oracle.Of(r)
}

func TestProductFacts(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ a, tiler, want string }{
		{"(2,2):(4,1)", "6:1", "((2,2),(2,3)):((4,1),(2,8))"}, // NVIDIA's documentation
		{"(2,2):(4,1)", "(4,2):(2,1)", "((2,2),(4,2)):((4,1),(8,2))"},
		{"4:1", "3", "(4,3):(1,4)"}, // CuTe's Python divides instead
		{"2:4", "3:1", "(2,3):(4,1)"},
		{"4:0", "3:1", "(4,3):(0,1)"},
		{"1:5", "3:1", "(1,3):(5,1)"},
		{"(2,5):(5,1)", "<3:5,4:6>", "((2,3),(5,4)):((5,10),(1,30))"},
		{"(2,5):(5,1)", "_", "(2,5):(5,1)"},
		{"(4,8):(1,4)", "<_,2>", "(4,(8,2)):(1,(4,1))"},
		{"(2,2):(1@0,1@1)", "3:1", "((2,2),3):((1@0,1@1),2@1)"},
	} {
		p, err := cute.LogicalProduct(parse(test.a), cute.MustParseTiler(test.tiler))
		wantText(t, test.a+" x "+test.tiler, p, err, test.want)
	}
	for _, test := range []struct {
		a, b, blocked, raked string
	}{
		{"(2,5):(5,1)", "(3,4):(1,3)", "((2,3),(5,4)):((5,10),(1,30))", "((3,2),(4,5)):((10,5),(30,1))"},
		{"(2,2):(4,1)", "6:1", "((2,(2,3)),(2,1)):((4,(2,8)),(1,0))", "((2,3,2),2):((2,8,4),1)"},
		{"4:1", "(3,2):(1,3)", "((4,3),(1,2)):((1,4),(0,12))", "((3,4),2):((4,1),12)"},
		{"4:1", "3:1", "((4,3)):((1,4))", "((3,4)):((4,1))"},
	} {
		b, err := cute.BlockedProduct(parse(test.a), parse(test.b))
		wantText(t, "blocked_product("+test.a+", "+test.b+")", b, err, test.blocked)
		r, err := cute.RakedProduct(parse(test.a), parse(test.b))
		wantText(t, "raked_product("+test.a+", "+test.b+")", r, err, test.raked)
	}
	for _, test := range []struct{ block, target, order, want string }{
		{"(3,3):(1,3)", "(5,8)", "(0,1)", "((3,2),(3,3)):((1,9),(3,18))"},
		{"(2,2):(1,2)", "(4,4,3)", "(0,1,2)", "((2,2),(2,2),(1,3)):((1,4),(2,8),(0,16))"},
		{"(2,2):(1,2)", "(4,4)", "(1,0)", "((2,2),(2,2)):((1,8),(2,4))"},
		{"(8,64):(64,1)", "(128,64)", "(0,1)", "((8,16),(64,1)):((64,512),(1,0))"},
		{"(2,2):(1,2)", "(4,4)", "()", "((2,2),(2,2)):((1,4),(2,8))"},
	} {
		r, err := cute.TileToShape(parse(test.block), cute.MustParseTuple(test.target), cute.MustParseTuple(test.order))
		wantText(t, "tile_to_shape("+test.block+", "+test.target+", "+test.order+")", r, err, test.want)
	}
}

func TestProductRefusals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		a, tiler string
		code     cute.Code
	}{
		{"(2,2):(1,8)", "5:1", cute.CodeNotRepresentable},
		{"(2,2):(4,1)", "(3,2):(1,3)", cute.CodeNotRepresentable},
		{"(2,2):(1,1)", "4:1", cute.CodeNotComplementable},
		{"4:-1", "4:1", cute.CodeNegative},
		{"4:1", "<2,2>", cute.CodeRank},
		{"4:1", "0", cute.CodeExtent},
		{"(4,4):(1,4)", "2:1@0", cute.CodeCodomain},
	} {
		_, err := cute.LogicalProduct(parse(test.a), cute.MustParseTiler(test.tiler))
		wantCode(t, test.a+" x "+test.tiler, err, test.code)
	}
	for _, test := range []struct {
		block, target, order string
		code                 cute.Code
	}{
		{"(2,2):(1,2)", "4", "(0)", cute.CodeRank},
		{"(2,2):(1,2)", "(4,4)", "(0)", cute.CodeRank},
		{"(2,2):(1,2)", "(4,4)", "(0,(1))", cute.CodeRank},
		{"(2,2):(1,2)", "(4,0)", "(0,1)", cute.CodeExtent},
	} {
		_, err := cute.TileToShape(parse(test.block), cute.MustParseTuple(test.target), cute.MustParseTuple(test.order))
		wantCode(t, "tile_to_shape("+test.block+", "+test.target+")", err, test.code)
	}
}

// checkLooseProduct checks the product of a block without a complement, such as one with padded rows: mode 0 is the
// block, and different copies are translates of the block that do not meet. The product is refused if modes of the
// block overlap, or if the tiler does not fit the places.
func checkLooseProduct(t *rapid.T, a, b, p cute.Layout, err error) {
	t.Helper()
	if err != nil {
		if c := errorCode(err); c != cute.CodeNotComplementable && c != cute.CodeNotRepresentable && c != cute.CodeNegative {
			t.Fatalf("%v x %v: %v", a, b, err)
		}
		return
	}
	block, places := p.Modes()[0], p.Modes()[1]
	if !block.Equal(a) {
		t.Fatalf("%v x %v = %v: mode 0 is %v", a, b, p, block)
	}
	own, err := cute.Image(a)
	noError(t, "image", err)
	starts, err := cute.Image(places)
	noError(t, "image", err)
	owner := map[int64]int64{}
	for _, start := range starts {
		for _, x := range own {
			if other, taken := owner[start+x]; taken {
				t.Fatalf("%v x %v = %v: the copies at %d and %d meet at %d", a, b, p, other, start, start+x)
			}
			owner[start+x] = start
		}
	}
}

// TestLogicalProduct found this case: the block's gaps are not multiples of the block, and the copies at -2 and 2 met
// at 3.
func TestProductOnBothSidesOfALooseBlock(t *testing.T) {
	t.Parallel()
	block := cute.MustParse("(2,2,1):(1,5,0)")
	if p, err := cute.LogicalProduct(block, cute.MustParse("(2,2):(1,-1)")); errorCode(err) != cute.CodeNegative {
		t.Errorf("the product is %v, %v", p, err)
	}
	for _, tiler := range []string{"(2,2):(1,2)", "2:-1"} {
		p, err := cute.LogicalProduct(block, cute.MustParse(tiler))
		if err != nil {
			t.Fatalf("%s: %v", tiler, err)
		}
		if ok, w, err := cute.IsInjective(p); !ok {
			t.Errorf("%s: %v: %v %v", tiler, p, w, err)
		}
	}
}
