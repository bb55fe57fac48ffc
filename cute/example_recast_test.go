package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// A tile of 8x64 halves as 16-byte vectors of 8: what a vectorized copy sees.
func ExampleUpcast() {
	fmt.Println(cute.Upcast(cute.MustParse("(8,64):(64,1)"), 8))
	_, err := cute.Upcast(cute.MustParse("(8,64):(68,1)"), 8) // rows of 68 halves are not aligned to 16 bytes
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (8,8):(8,1) <nil>
	// not_divisible
}

// And back: the mode of stride 1 takes the parts of a vector, the other strides get longer.
func ExampleDowncast() {
	fmt.Println(cute.Downcast(cute.MustParse("(8,8):(8,1)"), 8))
	_, err := cute.Downcast(cute.MustParse("(8,8):(16,2)"), 8) // no two vectors are neighbours
	e, _ := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code)
	// Output:
	// (8,64):(64,1) <nil>
	// not_divisible
}

// The widths are in bits: halves as 128-bit vectors, bytes as 4-bit and as 6-bit numbers.
func ExampleRecast() {
	fmt.Println(cute.Recast(cute.MustParse("(128,64):(64,1)"), 16, 128))
	fmt.Println(cute.Recast(cute.MustParse("(4,12):(12,1)"), 8, 4))
	fmt.Println(cute.Recast(cute.MustParse("(4,12):(12,1)"), 8, 6)) // 12 bytes hold 16 of them
	// Output:
	// (128,8):(8,1) <nil>
	// (4,24):(24,1) <nil>
	// (4,16):(16,1) <nil>
}

// The 128-byte swizzle on bytes, on halves and on 16-byte vectors.
func ExampleSwizzle_Upcast() {
	bytes, _ := cute.NewSwizzle(3, 4, 3)
	fmt.Println(bytes.Upcast(2))
	fmt.Println(bytes.Upcast(16))
	// Output:
	// Sw<3,3,3> <nil>
	// Sw<3,0,3> <nil>
}

func ExampleSwizzle_Downcast() {
	halves, _ := cute.NewSwizzle(3, 3, 3)
	fmt.Println(halves.Downcast(2))
	// Output: Sw<3,4,3> <nil>
}

// A swizzled row of 128 bytes holds 64 halves.
func ExampleComposed_Recast() {
	sw, _ := cute.NewSwizzle(3, 4, 3)
	bytes, _ := cute.NewComposed(sw, cute.Int(0), cute.MustParse("(8,128):(128,1)"))
	fmt.Println(bytes.Recast(8, 16))
	// Output: Sw<3,3,3> o 0 o (8,64):(64,1) <nil>
}
