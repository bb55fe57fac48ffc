package view_test

import (
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/picture/view"
)

func ExampleComposition() {
	s, err := view.Composition(cute.MustParse("(6,2):(8,2)"), cute.MustParse("(4,3):(3,1)"), view.Options{})
	fmt.Println(s.Title, err)
	// Output:
	// (6,2):(8,2) o (4,3):(3,1) = ((2,2),3):((24,2),8) <nil>
}

func ExampleComposition_refused() {
	s, err := view.Composition(cute.MustParse("(4,6):(2,3)"), cute.MustParse("6:1"), view.Options{})
	_, where, _ := strings.Cut(s.Desc, "Framed")
	fmt.Println("Framed"+where, err)
	// Output:
	// Framed is the first cell at which it fails, 4: the value is 3, and every layout that agrees before would have 8. <nil>
}

func ExampleDivide() {
	s, err := view.Divide("zipped_divide", cute.MustParse("(4,6):(6,1)"), cute.Ints(2, 3), view.Options{})
	fmt.Println(s.Desc, err)
	// Output:
	// 4 tiles of 6 elements: the hue is the tile, the lightness the place in it; the first tile is framed. Both sides show A's values. <nil>
}

func ExampleProduct() {
	s, err := view.Product("blocked_product", cute.MustParse("(2,5):(5,1)"), cute.MustParse("(3,4):(1,3)"), view.Options{})
	fmt.Println(s.Desc, err)
	// Output:
	// 12 copies of the block: the hue is the copy, the lightness the element of the block. Colors repeat after 8 copies. <nil>
}

func ExampleTileToShape() {
	s, err := view.TileToShape(cute.MustParse("(2,2):(2,1)"), cute.Ints(4, 4), cute.Ints(), view.Options{})
	fmt.Println(s.Title, err)
	// Output:
	// tile_to_shape((2,2):(2,1), (4,4)) = ((2,2),(2,2)):((2,4),(1,8)) <nil>
}

func ExampleComplement() {
	s, err := view.Complement(cute.MustParse("(2,3):(2,4)"), cute.Int(24), view.Options{})
	fmt.Println(s.Desc, err)
	// Output:
	// Framed: A itself. With its copies it covers 0 to 23, each integer once. Mode 2:1 of the complement: 2 integers side by side fill the gap before A's next element. Mode 2:12 of the complement: the block of 12 that is full by then, 2 times, fills 24. <nil>
}

func ExampleInverse() {
	s, err := view.Inverse("right_inverse", cute.MustParse("(2,3):(3,1)"), view.Options{})
	fmt.Println(texts(s)[1:15], err)
	// Output:
	// [coordinate value 0 0 1 3 2 1 3 4 4 2 5 5] <nil>
}

func ExampleCoalesce() {
	s, err := view.Coalesce(cute.MustParse("(2,(1,6)):(1,(6,2))"), nil, view.Options{})
	fmt.Println(texts(s)[1:5], err)
	// Output:
	// [12:1 2:1 1:6 6:2] <nil>
}

func ExampleSlice() {
	c, _ := cute.ParseCoord("(_,2)")
	s, err := view.Slice(cute.MustParse("(4,6):(6,1)"), c, view.Options{})
	fmt.Println(s.Desc, err)
	// Output:
	// Highlighted: the 4 of 24 elements that (_,2) picks. The slice counts from its own origin, the offset 2. <nil>
}

func ExampleCompare() {
	s, err := view.Compare(cute.MustParse("(4,4):(4,1)"), cute.MustParse("(4,4):(1,4)"), view.Options{})
	fmt.Println(s.Desc, err)
	// Output:
	// 12 of 16 indices differ, first 1: A at (1,0) is 4, B at (1,0) is 1. <nil>
}
