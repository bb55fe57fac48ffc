package swizzle_test

import (
	"fmt"

	"girih/cute"
	"girih/swizzle"
)

// The left inverse of a tile of three stages is a chain in the other direction; Simplest returns the inverse in CuTe's
// form.
func ExampleSimplest() {
	w, _ := cute.NewSwizzle(3, 3, 3)
	tile, _ := cute.NewComposed(w, cute.Int(0), cute.MustParse("((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))"))
	r, _ := tile.LeftInverse()
	fmt.Println(r)
	fmt.Println(swizzle.Simplest(r))
	// Output:
	// (64,128,3):(128,1,8192) o 0 o Sw<3,3,3> o 0 o 24576:1
	// Sw<3,0,-10> o 0 o (64,128,3):(128,1,8192)
}
