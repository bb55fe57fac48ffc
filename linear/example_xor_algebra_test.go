package linear_test

import (
	"fmt"

	"girih/cute"
	"girih/linear"
)

func ExampleConcat() {
	fmt.Println(linear.Concat(xorTile(), xorTile()))
	// Output: ((8,8),(8,8)):((F2(9),F2(1)),(F2(9),F2(1))) <nil>
}

func ExampleFitXor() {
	// The offsets of 16:F2(3) at 0, 2, 4, 6.
	fmt.Println(linear.FitXor(cute.Int(4), func(i int64) (int64, error) { return []int64{0, 6, 12, 10}[i], nil }))
	_, err := linear.FitXor(cute.Int(4), func(i int64) (int64, error) { return 3 * i, nil })
	fmt.Println(err)
	// Output:
	// 4:F2(6) <nil>
	// not_representable: composition: no layout with F2 strides and the shape 4 has these offsets: at 3, index 3, the offset is 9, and F2 strides that agree up to there have 5
}

func ExampleRearrange() {
	fmt.Println(linear.Rearrange(func(ls ...cute.Layout) (cute.Layout, error) { return ls[0].Select(1, 0) }, xorTile()))
	// Output: (8,8):(F2(1),F2(9)) <nil>
}

func ExampleXorLayout_AppendOffsets() {
	x, _ := linear.NewXor(cute.Ints(2, 3), 3, 4)
	fmt.Println(x.AppendOffsets(nil))
	// Output: [0 3 4 7 8 11] <nil>
}

func ExampleXorLayout_BehindSwizzles() {
	fmt.Println(xorTile().BehindSwizzles())
	// Output: Sw<3,0,3> o 0 o (8,8):(8,1) <nil>
}

func ExampleXorLayout_BlockedProduct() {
	fmt.Println(xorTile().BlockedProduct(cute.MustParse("(2,3):(1,2)")))
	// Output: ((8,2),(8,3)):((F2(9),F2(64)),(F2(1),F2(128))) <nil>
}

func ExampleXorLayout_Bound() {
	x, _ := linear.NewXor(cute.Int(4), 3)
	most, _ := x.Cosize()
	fmt.Println(most, x.Bound())
	// Output: 7 8
}

func ExampleXorLayout_CoalesceProfile() {
	x, _ := linear.NewXor(cute.MustParseTuple("(8,(2,4))"), 9, 1, 2)
	fmt.Println(x.CoalesceProfile(cute.Ints(1, 1)))
	// Output: (8,8):(F2(9),F2(1)) <nil>
}

func ExampleXorLayout_Complement() {
	x, _ := linear.NewXor(cute.Int(4), 5)
	fmt.Println(x.Complement(64))
	// Output: (4,4):(F2(1),F2(16)) <nil>
}

func ExampleXorLayout_Composition() {
	fmt.Println(xorTile().Composition(cute.MustParse("(2,(2,2)):(1,(8,2))")))
	// Output: (2,(2,2)):(F2(9),(F2(1),F2(18))) <nil>
}

func ExampleXorLayout_CompositionBy() {
	fmt.Println(xorTile().CompositionBy(cute.Ints(4, 2)))
	// Output: (4,2):(F2(9),F2(1)) <nil>
}

func ExampleXorLayout_Divide() {
	x, padding, err := xorTile().Divide(cute.ZippedDivide, cute.Ints(4, 2))
	fmt.Println(x, padding.None(), err)
	// Output: ((4,2),(2,4)):((F2(9),F2(1)),(F2(36),F2(2))) true <nil>
}

func ExampleXorLayout_Downcast() {
	fmt.Println(xorTile().Downcast(2))
	// Output: (8,16):(F2(18),F2(1)) <nil>
}

func ExampleXorLayout_FilterZeros() {
	x, _ := linear.NewXor(cute.Ints(8, 2), 9, 0)
	fmt.Println(x.FilterZeros())
	// Output: (8,1):(F2(9),F2(0))
}

func ExampleXorLayout_Gap() {
	x, _ := linear.NewXor(cute.Ints(2, 2), 1, 4)
	fmt.Println(x.Gap())
	// Output: 2 <nil>
}

func ExampleXorLayout_HasBasis() {
	fmt.Println(xorTile().HasBasis())
	// Output: false
}

func ExampleXorLayout_ImageSize() {
	fmt.Println(xorTile().ImageSize())
	// Output: 64
}

func ExampleXorLayout_Injective() {
	x, _ := linear.NewXor(cute.Ints(4, 4), 1, 1)
	fmt.Println(x.Injective())
	// Output: false 1 4 <nil>
}

func ExampleXorLayout_Inverse() {
	x, _ := linear.NewXor(cute.MustParseTuple("(4,(4,3))"), 1, 5, 16)
	fmt.Println(x.Inverse())
	// Output: (4,4,3):(F2(1),F2(5),F2(16)) <nil>
}

func ExampleXorLayout_LeastIndices() {
	x, _ := linear.NewXor(cute.Ints(2, 3), 1, 2)
	fmt.Println(x.LeastIndices())
	// Output: [0 1 2 3 4 5] <nil>
}

func ExampleXorLayout_LogicalProduct() {
	fmt.Println(xorTile().LogicalProduct(cute.Int(3)))
	// Output: ((8,8),3):((F2(9),F2(1)),F2(64)) <nil>
}

func ExampleXorLayout_LogicalProductXor() {
	b, _ := linear.NewXor(cute.Ints(2, 2), 1, 3)
	fmt.Println(xorTile().LogicalProductXor(b))
	// Output: ((8,8),(2,2)):((F2(9),F2(1)),(F2(64),F2(192))) <nil>
}

func ExampleXorLayout_Modes() {
	fmt.Println(xorTile().Modes())
	// Output: [8:F2(9) 8:F2(1)]
}

func ExampleXorLayout_Nullspace() {
	x, _ := linear.NewXor(cute.Ints(2, 3, 4), 1, 0, 2)
	fmt.Println(x.Nullspace())
	// Output: 3:2 <nil>
}

func ExampleXorLayout_RakedProduct() {
	fmt.Println(xorTile().RakedProduct(cute.MustParse("(2,3):(1,2)")))
	// Output: ((2,8),(3,8)):((F2(64),F2(9)),(F2(128),F2(1))) <nil>
}

func ExampleXorLayout_Recast() {
	x, _ := linear.NewXor(cute.Ints(64, 8), 1, 68)
	fmt.Println(x.Recast(8, 32))
	// Output: (16,8):(F2(1),F2(17)) <nil>
}

func ExampleXorLayout_SliceAndOffset() {
	three, _ := cute.Fixed(cute.Int(3))
	fmt.Println(xorTile().SliceAndOffset(cute.MakeCoord(three, cute.Open)))
	// Output: (8):(F2(1)) 27 <nil>
}

func ExampleXorLayout_Swizzled() {
	w, _ := cute.NewSwizzle(3, 0, 3)
	x, _ := linear.NewXor(cute.Ints(8, 6), 8, 1)
	fmt.Println(x.Swizzled(w))
	// Output: (8,6):(F2(9),F2(1)) <nil>
}

func ExampleXorLayout_TileToShape() {
	fmt.Println(xorTile().TileToShape(cute.Ints(16, 24), cute.Tuple{}))
	// Output: ((8,2),(8,3)):((F2(9),F2(64)),(F2(1),F2(128))) <nil>
}

func ExampleXorLayout_Upcast() {
	x, _ := linear.NewXor(cute.Ints(8, 8), 72, 1)
	fmt.Println(x.Upcast(8))
	// Output: (8,1):(F2(9),F2(1)) <nil>
}

func ExampleXorLayout_WithShape() {
	fmt.Println(xorTile().WithShape(cute.Ints(4, 2, 8)))
	// Output: (4,2,8):(F2(9),F2(36),F2(1)) <nil>
}
