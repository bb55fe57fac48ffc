package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// The four kinds of tiler divide the same 8x12 tile in four ways.
func ExampleTiler() {
	a := cute.MustParse("(8,12):(12,1)")
	for _, text := range []string{
		"4:1",     // a layout tiles the whole domain, here by 4 consecutive indices
		"(4,6)",   // a shape tiles by mode
		"<4:2,_>", // a tile contains a layout for each mode, or _ for a mode that is not divided
		"_",
	} {
		d, err := cute.LogicalDivide(a, cute.MustParseTiler(text))
		fmt.Println(d, err)
	}
	// Output:
	// (4,(2,12)):(12,(48,1)) <nil>
	// ((4,2),(6,2)):((12,48),(1,6)) <nil>
	// ((4,2),12):((24,12),1) <nil>
	// (8,12):(12,1) <nil>
}

// Keep leaves a mode alone: tiles along M only, for a softmax over whole rows.
func ExampleTiler_keep() {
	rows := cute.MakeTile(cute.Int(64), cute.Keep)
	d, err := cute.LogicalDivide(cute.MustParse("(4096,128):(128,1)"), rows)
	fmt.Println(d, err)
	// Output: ((64,64),128):((128,8192),1) <nil>
}

func ExampleParseTiler() {
	for _, text := range []string{"4:1", "(4, 8)", "<3:3, (2,4):(1,8)>", "_"} {
		t, err := cute.ParseTiler(text)
		fmt.Println(t, err)
	}
	// Output:
	// 4:1 <nil>
	// (4,8) <nil>
	// <3:3,(2,4):(1,8)> <nil>
	// _ <nil>
}

func ExampleMustParseTiler() {
	_, byMode := cute.MustParseTiler("(4,8)").(cute.Tuple) // a bare shape tiles by mode
	_, whole := cute.MustParseTiler("(4,8):(1,4)").(cute.Layout)
	fmt.Println(byMode, whole)
	// Output: true true
}

// Each mode has its own tiler: every third row, and a pattern of 2x4 in the columns.
func ExampleTile() {
	tile := cute.MakeTile(cute.MustParse("3:3"), cute.MustParse("(2,4):(1,8)"))
	a := cute.MustParse("(9,(4,8)):(59,(13,1))")
	fmt.Println(cute.CompositionBy(a, tile)) // the first tile
	// Output: (3,(2,4)):(177,(13,2)) <nil>
}

func ExampleMakeTile() {
	fmt.Println(cute.MakeTile(cute.Int(128), cute.MustParse("8:8"), cute.Keep)) // the integer n is n:1
	// Output: <128:1,8:8,_>
}

func ExampleTile_Modes() {
	fmt.Println(cute.MakeTile(cute.MustParse("3:3"), cute.Keep).Modes())
	// Output: [3:3 _]
}

func ExampleTile_Rank() {
	fmt.Println(cute.MakeTile(cute.MustParse("3:3"), cute.MustParse("(2,4):(1,8)")).Rank())
	// Output: 2
}

func ExampleTile_String() {
	fmt.Println(cute.MakeTile(cute.Int(128), cute.Int(64)).String())
	// Output: <128:1,64:1>
}

// Mode 0 of the result is the tile, and mode 1 counts the tiles.
func ExampleLogicalDivide() {
	d, err := cute.LogicalDivide(cute.MustParse("(4,2,3):(2,1,8)"), cute.MustParse("4:2"))
	fmt.Println(d, err)
	// A tile divides by mode: ((TM,RM),(TN,RN)).
	d, err = cute.LogicalDivide(cute.MustParse("(9,(4,8)):(59,(13,1))"), cute.MustParseTiler("<3:3,(2,4):(1,8)>"))
	fmt.Println(d, err)
	// Output:
	// ((2,2),(2,3)):((4,1),(2,8)) <nil>
	// ((3,3),((2,4),(2,2))):((177,59),((13,2),(26,1))) <nil>
}

// A tile of 4 does not divide rows of 5: the rows are padded to 8, and 12 of the 32 coordinates are not elements.
func ExampleLogicalDivide_padded() {
	d, err := cute.LogicalDivide(cute.MustParse("(5,4):(1,30)"), cute.MustParse("4:1"))
	fmt.Println(d, err)
	p := d.Padding
	fmt.Println(p.Elements, p.Added)
	fmt.Println(p.Coord, "<", p.Bound) // the predicate
	// Output:
	// (4,(2,4)):(1,(4,30)) <nil>
	// 20 12
	// (4,(2,4)):(1@0,(4@0,1@1)) < (5,4)
}

// No rounding of 6 to modes of 5 reaches all 20 elements.
func ExampleLogicalDivide_refused() {
	_, err := cute.LogicalDivide(cute.MustParse("(5,3):(1,30)"), cute.MustParse("2:6"))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output: not_divisible
}

// ((TM,TN),(RM,RN)): mode 0 is a tile, and mode 1 selects one.
func ExampleZippedDivide() {
	d, err := cute.ZippedDivide(cute.MustParse("(9,(4,8)):(59,(13,1))"), cute.MustParseTiler("<3:3,(2,4):(1,8)>"))
	fmt.Println(d, err)
	d, err = cute.ZippedDivide(cute.MustParse("(4096,1024,8):(1024,1,4194304)"), cute.Ints(128, 64))
	fmt.Println(d, err)
	// Output:
	// ((3,(2,4)),(3,(2,2))):((177,(13,2)),(59,(26,1))) <nil>
	// ((128,64),(32,16,8)):((1024,1),(131072,64,4194304)) <nil>
}

// ((TM,TN),RM,RN,L)
func ExampleTiledDivide() {
	d, err := cute.TiledDivide(cute.MustParse("(4096,1024,8):(1024,1,4194304)"), cute.Ints(128, 64))
	fmt.Println(d, err)
	// Output: ((128,64),32,16,8):((1024,1),131072,64,4194304) <nil>
}

// (TM,TN,RM,RN,L)
func ExampleFlatDivide() {
	d, err := cute.FlatDivide(cute.MustParse("(4096,1024,8):(1024,1,4194304)"), cute.Ints(128, 64))
	fmt.Println(d, err)
	// Output: (128,64,32,16,8):(1024,1,131072,64,4194304) <nil>
}

// The Exact divides refuse to pad.
func ExampleLogicalDivideExact() {
	fmt.Println(cute.LogicalDivideExact(cute.MustParse("1024:1"), cute.Int(128)))
	_, err := cute.LogicalDivideExact(cute.MustParse("1000:1"), cute.Int(128))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (128,8):(1,128) <nil>
	// not_divisible
}

func ExampleZippedDivideExact() {
	fmt.Println(cute.ZippedDivideExact(cute.MustParse("(1024,512):(512,1)"), cute.Ints(128, 64)))
	// Output: ((128,64),(8,8)):((512,1),(65536,64)) <nil>
}

func ExampleTiledDivideExact() {
	fmt.Println(cute.TiledDivideExact(cute.MustParse("(1024,512):(512,1)"), cute.Ints(128, 64)))
	// Output: ((128,64),8,8):((512,1),65536,64) <nil>
}

func ExampleFlatDivideExact() {
	fmt.Println(cute.FlatDivideExact(cute.MustParse("(1024,512):(512,1)"), cute.Ints(128, 64)))
	// Output: (128,64,8,8):(512,1,65536,64) <nil>
}

// A Division is a layout, with all its methods, that also knows what was padded.
func ExampleDivision() {
	d, err := cute.ZippedDivide(cute.MustParse("(1000,500):(500,1)"), cute.Ints(128, 64))
	fmt.Println(d, err)
	fmt.Println(d.Size(), d.Padding.Elements)
	// Output:
	// ((128,64),(8,8)):((500,1),(64000,64)) <nil>
	// 524288 500000
}

// A grid of 8 blocks of 128 threads over 1000 elements: the last block is not full.
func ExamplePadding() {
	d, err := cute.LogicalDivide(cute.MustParse("1000:1"), cute.Int(128))
	fmt.Println(d, err)
	fmt.Println(d.Padding)
	// Output:
	// (128,8):(1,128) <nil>
	// padded 1000 to 1024 elements: real where (128,8):(1,128) < 1000
}

func ExamplePadding_Contains() {
	d, _ := cute.LogicalDivide(cute.MustParse("1000:1"), cute.Int(128))
	fmt.Println(d.Padding.Contains(cute.Ints(103, 7))) // 103 + 7·128 = 999
	fmt.Println(d.Padding.Contains(cute.Ints(104, 7)))
	// Output:
	// true <nil>
	// false <nil>
}

func ExamplePadding_None() {
	d, _ := cute.LogicalDivide(cute.MustParse("1024:1"), cute.Int(128))
	fmt.Println(d.Padding.None())
	// Output: true
}

func ExamplePadding_String() {
	d, _ := cute.ZippedDivide(cute.MustParse("(5,4):(1,30)"), cute.Ints(4, 4))
	fmt.Println(d.Padding.String())
	// Output: padded 20 to 32 elements: real where ((4,4),(2,1)):((1@0,1@1),(4@0,0)) < (5,4)
}

// Mode 0 is the block, mode 1 its copies: first the copies that fit into the block's gaps, then the copies beyond it.
func ExampleLogicalProduct() {
	block := cute.MustParse("(2,2):(4,1)")
	fmt.Println(cute.LogicalProduct(block, cute.Int(6)))
	fmt.Println(cute.LogicalProduct(block, cute.MustParse("(4,2):(2,1)"))) // the copies in another order
	// Output:
	// ((2,2),(2,3)):((4,1),(2,8)) <nil>
	// ((2,2),(4,2)):((4,1),(8,2)) <nil>
}

// A block whose strides do not chain leaves no places for copies.
func ExampleLogicalProduct_refused() {
	_, err := cute.LogicalProduct(cute.MustParse("(2,2):(2,3)"), cute.Int(4))
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output: not_complementable
}

// With a tile each mode is multiplied on its own. Coordinates keep the modes apart: from a tile of 4x8 to 12x16.
// The blocks come first: ((M,N),(TM,TN)).
func ExampleZippedProduct() {
	block, tile := cute.MustParse("(4,8):(1@0,1@1)"), cute.MustParseTiler("<3:1,2:1>")
	fmt.Println(cute.LogicalProduct(block, tile))
	fmt.Println(cute.ZippedProduct(block, tile))
	// Output:
	// ((4,3),(8,2)):((1@0,4@0),(1@1,8@1)) <nil>
	// ((4,8),(3,2)):((1@0,1@1),(4@0,8@1)) <nil>
}

// ((M,N),TM,TN)
func ExampleTiledProduct() {
	block, tile := cute.MustParse("(4,8):(1@0,1@1)"), cute.MustParseTiler("<3:1,2:1>")
	fmt.Println(cute.TiledProduct(block, tile))
	// Output: ((4,8),3,2):((1@0,1@1),4@0,8@1) <nil>
}

// (M,N,TM,TN)
func ExampleFlatProduct() {
	block, tile := cute.MustParse("(4,8):(1@0,1@1)"), cute.MustParseTiler("<3:1,2:1>")
	fmt.Println(cute.FlatProduct(block, tile))
	// Output: (4,8,3,2):(1@0,1@1,4@0,8@1) <nil>
}

// Copies of a row-major 2x5 block in a 3x4 grid, side by side.
func ExampleBlockedProduct() {
	block, grid := cute.MustParse("(2,5):(5,1)"), cute.MustParse("(3,4):(1,3)")
	fmt.Println(cute.BlockedProduct(block, grid))
	// Output: ((2,3),(5,4)):((5,10),(1,30)) <nil>
}

// The same copies, but interleaved: neighbours belong to different copies, as when threads share a tile.
func ExampleRakedProduct() {
	block, grid := cute.MustParse("(2,5):(5,1)"), cute.MustParse("(3,4):(1,3)")
	fmt.Println(cute.RakedProduct(block, grid))
	// Output: ((3,2),(4,5)):((10,5),(30,1)) <nil>
}

// A shared memory atom of 8x64 halves, repeated to a 128x64 tile.
func ExampleTileToShape() {
	atom := cute.MustParse("(8,64):(64,1)")
	fmt.Println(cute.TileToShape(atom, cute.Ints(128, 64), cute.Tuple{}))
	// With two atoms along K, the order 1 before 0 puts atoms along K next to each other.
	fmt.Println(cute.TileToShape(atom, cute.Ints(128, 128), cute.Ints(1, 0)))
	// Output:
	// ((8,16),(64,1)):((64,512),(1,0)) <nil>
	// ((8,16),(64,2)):((64,1024),(1,512)) <nil>
}
