package linear_test

import (
	"fmt"

	"girih/linear"
)

func ExampleLayout_Apply() {
	fmt.Println(fragment().Apply([]linear.Coord{{Name: "lane", Value: 5}, {Name: "register", Value: 3}}))
	// Output: [{dim0 9} {dim1 3}] <nil>
}

func ExampleLayout_At() {
	fmt.Println(must(fragment().At(3, 5)))
	// Output: [9 3]
}

func ExampleLayout_Flat() {
	// Register 3 of lane 5 is flat index 3 + 4·5; element (9, 3) is 9 + 16·3.
	fmt.Println(must(fragment().Flat(23)))
	// Output: 57
}

func ExampleLayout_Compose() {
	// From the accumulator to the offset in a row-major tile.
	rows := must(linear.New([]linear.In{
		{Name: "dim0", Bases: [][]int64{{8}, {16}, {32}, {64}}},
		{Name: "dim1", Bases: [][]int64{{1}, {2}, {4}}},
	}, []linear.Dim{{Name: "offset", Size: 128}}))
	show(fragment().Compose(rows))
	// Output: [{register [[1] [64]]} {lane [[2] [4] [8] [16] [32]]}] -> [{offset 128}]
}

func ExampleLayout_Product() {
	// Two tiles, one after the other in dimension o.
	show(line(4, 1, 2).Product(line(2, 1)))
	// The place of the second tile depends on the declared size of the first, not on its largest value.
	show(line(8, 1).Product(line(4, 1, 2)))
	// Output:
	// [{i [[1] [2] [4]]}] -> [{o 8}]
	// [{i [[1] [8] [16]]}] -> [{o 32}]
}

func ExampleLayout_DivideLeft() {
	show(line(8, 1, 2, 4).DivideLeft(line(4, 1, 2)))
	show(line(8, 1, 2, 6).DivideLeft(line(4, 1, 2)))
	// Output:
	// [{i [[1]]}] -> [{o 2}]
	// not_divisible: divide_left: expected 0 in the bits of the divisor, found i=4 -> (6), with (2) there
}

func ExampleLayout_DivideRight() {
	show(line(8, 3, 1, 4).DivideRight(line(2, 1)))
	// Output: [{i [[3] [1]]}] -> [{o 4}]
}

func ExampleLayout_HasPart() {
	fmt.Println(line(8, 1, 2, 4).HasPart(line(4, 1, 2)), line(8, 1, 4, 2).HasPart(line(4, 1, 2)))
	// Output: true false
}
