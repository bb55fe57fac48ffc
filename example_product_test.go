package girih_test

import (
	"errors"
	"fmt"

	"girih"
)

// Mode 0 is the block, mode 1 its copies: first those that fit the block's gaps, then those beyond it.
func ExampleLogicalProduct() {
	block := girih.MustParse("(2,2):(4,1)")
	fmt.Println(girih.LogicalProduct(block, girih.Int(6)))
	fmt.Println(girih.LogicalProduct(block, girih.MustParse("(4,2):(2,1)"))) // the copies in another order
	// Output:
	// ((2,2),(2,3)):((4,1),(2,8)) <nil>
	// ((2,2),(4,2)):((4,1),(8,2)) <nil>
}

// A block whose strides do not chain leaves no places for copies.
func ExampleLogicalProduct_refused() {
	_, err := girih.LogicalProduct(girih.MustParse("(2,2):(2,3)"), girih.Int(4))
	e, _ := errors.AsType[*girih.Error](err)
	fmt.Println(e.Code)
	// Output: not_complementable
}

// With a tile each mode is multiplied on its own. Coordinates keep the modes apart: from a tile of 4x8 to 12x16.
// The blocks come first: ((M,N),(TM,TN)).
func ExampleZippedProduct() {
	block, tile := girih.MustParse("(4,8):(1@0,1@1)"), girih.MustParseTiler("<3:1,2:1>")
	fmt.Println(girih.LogicalProduct(block, tile))
	fmt.Println(girih.ZippedProduct(block, tile))
	// Output:
	// ((4,3),(8,2)):((1@0,4@0),(1@1,8@1)) <nil>
	// ((4,8),(3,2)):((1@0,1@1),(4@0,8@1)) <nil>
}

// ((M,N),TM,TN)
func ExampleTiledProduct() {
	block, tile := girih.MustParse("(4,8):(1@0,1@1)"), girih.MustParseTiler("<3:1,2:1>")
	fmt.Println(girih.TiledProduct(block, tile))
	// Output: ((4,8),3,2):((1@0,1@1),4@0,8@1) <nil>
}

// (M,N,TM,TN)
func ExampleFlatProduct() {
	block, tile := girih.MustParse("(4,8):(1@0,1@1)"), girih.MustParseTiler("<3:1,2:1>")
	fmt.Println(girih.FlatProduct(block, tile))
	// Output: (4,8,3,2):(1@0,1@1,4@0,8@1) <nil>
}

// Copies of a row-major 2x5 block in a 3x4 grid, side by side.
func ExampleBlockedProduct() {
	block, grid := girih.MustParse("(2,5):(5,1)"), girih.MustParse("(3,4):(1,3)")
	fmt.Println(girih.BlockedProduct(block, grid))
	// Output: ((2,3),(5,4)):((5,10),(1,30)) <nil>
}

// The same copies interleaved, so that neighbours belong to different ones: how threads share a tile.
func ExampleRakedProduct() {
	block, grid := girih.MustParse("(2,5):(5,1)"), girih.MustParse("(3,4):(1,3)")
	fmt.Println(girih.RakedProduct(block, grid))
	// Output: ((3,2),(4,5)):((10,5),(30,1)) <nil>
}

// A shared memory atom of 8x64 halves, repeated to a 128x64 tile.
func ExampleTileToShape() {
	atom := girih.MustParse("(8,64):(64,1)")
	fmt.Println(girih.TileToShape(atom, girih.Ints(128, 64), girih.Tuple{}))
	// With two atoms along K, those along K next to each other: order 1 before 0.
	fmt.Println(girih.TileToShape(atom, girih.Ints(128, 128), girih.Ints(1, 0)))
	// Output:
	// ((8,16),(64,1)):((64,512),(1,0)) <nil>
	// ((8,16),(64,2)):((64,1024),(1,512)) <nil>
}
