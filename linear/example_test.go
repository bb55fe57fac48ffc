package linear_test

import (
	"fmt"

	"girih/linear"
)

// must returns the value of a call that cannot fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// show prints a layout on one line: the bases of the input dimensions, and the output dimensions.
func show(l linear.Layout, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(l.Bases(), "->", l.OutDims())
}

// fragment is the accumulator of mma.m16n8k16 (PTX ISA): which element of a 16×8 tile each register of each lane holds.
func fragment() linear.Layout {
	return must(linear.New([]linear.In{
		{Name: "register", Bases: [][]int64{{0, 1}, {8, 0}}},
		{Name: "lane", Bases: [][]int64{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}}},
	}, []linear.Dim{{Name: "dim0", Size: 16}, {Name: "dim1", Size: 8}}))
}

// line is a layout of one input dimension i and one output dimension o.
func line(size int64, bases ...int64) linear.Layout {
	in := linear.In{Name: "i"}
	for _, b := range bases {
		in.Bases = append(in.Bases, []int64{b})
	}
	return must(linear.New([]linear.In{in}, []linear.Dim{{Name: "o", Size: size}}))
}

// regs is a layout of one input dimension register and one output dimension offset.
func regs(size int64, bases ...int64) linear.Layout {
	return must(must(line(size, bases...).RenameIn("i", "register")).RenameOut("o", "offset"))
}

func Example() {
	// Which element of the tile does register 3 of lane 5 hold?
	fmt.Println(must(fragment().At(3, 5)))
	fmt.Println(fragment())
	// Output:
	// [9 3]
	//
	//  - register=1 -> (0, 1)
	//    register=2 -> (8, 0)
	//  - lane=1 -> (0, 2)
	//    lane=2 -> (0, 4)
	//    lane=4 -> (1, 0)
	//    lane=8 -> (2, 0)
	//    lane=16 -> (4, 0)
	// where out dims are: [dim0 (size 16), dim1 (size 8)]
}

func ExampleDim() {
	fmt.Println(fragment().OutDims())
	// Output: [{dim0 16} {dim1 8}]
}

func ExampleCoord() {
	fmt.Println(must(fragment().Apply([]linear.Coord{{Name: "lane", Value: 4}, {Name: "register", Value: 0}})))
	// Output: [{dim0 1} {dim1 0}]
}

func ExampleIn() {
	fmt.Println(line(4, 3, 1).Bases())
	// Output: [{i [[3] [1]]}]
}

func ExampleOption() {
	_, err := line(8, 1, 2, 4).Apply([]linear.Coord{{Name: "i", Value: 9}})
	fmt.Println(err)
	fmt.Println(must(line(8, 1, 2, 4).Apply([]linear.Coord{{Name: "i", Value: 9}}, linear.Triton)))
	// Output:
	// extent: apply: expected a coordinate below the size 8 of input dimension "i", found 9
	// [{o 1}]
}

func ExampleNew() {
	show(linear.New([]linear.In{{Name: "i", Bases: [][]int64{{1}, {4}}}}, []linear.Dim{{Name: "o", Size: 8}}))
	show(linear.New([]linear.In{{Name: "i", Bases: [][]int64{{1}, {4}}}}, []linear.Dim{{Name: "o", Size: 8}},
		linear.RequireSurjective))
	// Output:
	// [{i [[1] [4]]}] -> [{o 8}]
	// not_invertible: linear_layout: expected every output of [o (size 8)] to be reached, found none for (2); the bases have rank 2 of 3
}

func ExampleNewInferred() {
	show(linear.NewInferred([]linear.In{{Name: "i", Bases: [][]int64{{1}, {3}}}}, []string{"o"}))
	// Output: [{i [[1] [3]]}] -> [{o 4}]
}

func ExampleLayout() {
	// This is the 8×8 tile whose columns are swizzled by the row: element (r, c) is at row r, column r xor c.
	l := must(linear.New([]linear.In{
		{Name: "col", Bases: [][]int64{{1, 0}, {2, 0}, {4, 0}}},
		{Name: "row", Bases: [][]int64{{1, 1}, {2, 2}, {4, 4}}},
	}, []linear.Dim{{Name: "x", Size: 8}, {Name: "y", Size: 8}}))
	fmt.Println(must(l.At(5, 3)))
	// Output: [6 3]
}

func ExampleLayout_WithOrigin() {
	l := must(line(8, 1, 2, 4).WithOrigin(5))
	fmt.Println(must(l.At(0)), must(l.At(1)))
	// Output: [5] [4]
}

func ExampleLayout_InDims() {
	fmt.Println(fragment().InDims())
	// Output: [{register 4} {lane 32}]
}

func ExampleLayout_OutDims() {
	fmt.Println(fragment().OutDims())
	// Output: [{dim0 16} {dim1 8}]
}

func ExampleLayout_HasIn() {
	fmt.Println(fragment().HasIn("lane"), fragment().HasIn("warp"))
	// Output: true false
}

func ExampleLayout_HasOut() {
	fmt.Println(fragment().HasOut("dim1"))
	// Output: true
}

func ExampleLayout_InSize() {
	fmt.Println(fragment().InSize("lane"), fragment().InSize("warp"))
	// Output: 32 1
}

func ExampleLayout_OutSize() {
	fmt.Println(fragment().OutSize("dim0"))
	// Output: 16
}

func ExampleLayout_InBits() {
	fmt.Println(fragment().InBits())
	// Output: 7
}

func ExampleLayout_OutBits() {
	fmt.Println(fragment().OutBits())
	// Output: 7
}

func ExampleLayout_Bases() {
	fmt.Println(fragment().Bases())
	// Output: [{register [[0 1] [8 0]]} {lane [[0 2] [0 4] [1 0] [2 0] [4 0]]}]
}

func ExampleLayout_Basis() {
	fmt.Println(must(fragment().Basis("lane", 2)))
	// Output: [1 0]
}

func ExampleLayout_Origin() {
	fmt.Println(fragment().Origin())
	// Output: [0 0]
}

func ExampleLayout_IsLinear() {
	fmt.Println(line(8, 1).IsLinear(), must(line(8, 1).WithOrigin(4)).IsLinear())
	// Output: true false
}

func ExampleLayout_Matrix() {
	fmt.Println(line(8, 1, 3, 4).Matrix())
	// Output:
	// 1 1 0
	// 0 1 0
	// 0 0 1
}

func ExampleLayout_Rank() {
	fmt.Println(line(4, 1, 2, 3).Rank())
	// Output: 2
}

func ExampleLayout_IsSurjective() {
	fmt.Println(line(4, 1, 2, 3).IsSurjective(), line(8, 1, 2, 3).IsSurjective())
	// Output: true false
}

func ExampleLayout_IsInjective() {
	fmt.Println(line(4, 1, 2, 3).IsInjective(), line(8, 1, 4).IsInjective())
	// Output: false true
}

func ExampleLayout_IsInvertible() {
	fmt.Println(fragment().IsInvertible())
	// Output: true
}

func ExampleLayout_Equal() {
	fmt.Println(line(4, 1, 2).Equal(line(8, 1, 2)))
	// Output: false
}

func ExampleLayout_EqualIgnoringOutSizes() {
	fmt.Println(line(4, 1, 2).EqualIgnoringOutSizes(line(8, 1, 2)))
	// Output: true
}

func ExampleLayout_String() {
	fmt.Println(line(4, 1, 2))
	// Output:
	// - i=1 -> (1)
	//    i=2 -> (2)
	// where out dims are: [o (size 4)]
}
