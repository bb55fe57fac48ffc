package linear_test

import (
	"fmt"

	"girih/cute"
	"girih/linear"
)

// xorTile returns Sw<3,0,3> o 0 o (8,8):(8,1) with F2 strides.
func xorTile() linear.XorLayout {
	x, _ := linear.NewXor(cute.Ints(8, 8), 9, 1)
	return x
}

func ExampleXorLayout() {
	fmt.Println(xorTile())
	// Output: (8,8):(F2(9),F2(1))
}

func ExampleNewXor() {
	fmt.Println(linear.NewXor(cute.Ints(8, 8), 9, 1))
	_, err := linear.NewXor(cute.Ints(8, 8), 9)
	fmt.Println(err)
	// Output:
	// (8,8):(F2(9),F2(1)) <nil>
	// not_congruent: make_layout: expected a stride for each of the 2 leaves of (8,8), found 1
}

func ExampleXorLayout_Eval() {
	fmt.Println(xorTile().Eval(cute.Ints(3, 2)))
	// Output: 25 <nil>
}

func ExampleXorLayout_Shape() {
	fmt.Println(xorTile().Shape())
	// Output: (8,8)
}

func ExampleXorLayout_Size() {
	fmt.Println(xorTile().Size())
	// Output: 64
}

func ExampleXorLayout_Strides() {
	fmt.Println(xorTile().Strides())
	// Output: [9 1]
}

func ExampleXorLayout_Cosize() {
	fmt.Println(xorTile().Cosize())
	// Output: 64 <nil>
}

func ExampleXorLayout_Coalesce() {
	x, _ := linear.NewXor(cute.Ints(4, 2), 3, 12)
	fmt.Println(x.Coalesce())
	// Output: 8:F2(3)
}

func ExampleXorLayout_Linear() {
	l, err := xorTile().Linear()
	fmt.Println(l.Bases(), err)
	// Output: [{index [[9] [18] [36] [1] [2] [4]]}] <nil>
}

func ExampleXorLayout_RightInverse() {
	fmt.Println(xorTile().RightInverse())
	// Output: (8,8):(F2(8),F2(9)) <nil>
}

func ExampleXorLayout_LeftInverse() {
	fmt.Println(xorTile().LeftInverse())
	// Output: (8,8):(F2(8),F2(9)) <nil>
}

func ExampleXorLayout_String() {
	x, _ := linear.NewXor(cute.MustParseTuple("(2,(2,2))"), 1, 2, 5)
	fmt.Println(x.String())
	// Output: (2,(2,2)):(F2(1),(F2(2),F2(5)))
}
