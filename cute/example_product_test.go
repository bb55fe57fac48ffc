package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// Mode 0 is the block, mode 1 its copies: first those that fit the block's gaps, then those beyond it.
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

// The same copies interleaved, so that neighbours belong to different ones: how threads share a tile.
func ExampleRakedProduct() {
	block, grid := cute.MustParse("(2,5):(5,1)"), cute.MustParse("(3,4):(1,3)")
	fmt.Println(cute.RakedProduct(block, grid))
	// Output: ((3,2),(4,5)):((10,5),(30,1)) <nil>
}

// A shared memory atom of 8x64 halves, repeated to a 128x64 tile.
func ExampleTileToShape() {
	atom := cute.MustParse("(8,64):(64,1)")
	fmt.Println(cute.TileToShape(atom, cute.Ints(128, 64), cute.Tuple{}))
	// With two atoms along K, those along K next to each other: order 1 before 0.
	fmt.Println(cute.TileToShape(atom, cute.Ints(128, 128), cute.Ints(1, 0)))
	// Output:
	// ((8,16),(64,1)):((64,512),(1,0)) <nil>
	// ((8,16),(64,2)):((64,1024),(1,512)) <nil>
}
