package linear_test

import (
	"fmt"

	"girih/linear"
)

// square maps x and y to themselves, and y also to x.
func square() linear.Layout {
	return must(linear.New([]linear.In{
		{Name: "x", Bases: [][]int64{{1, 0, 0}}}, {Name: "y", Bases: [][]int64{{1, 1, 0}}}, {Name: "z", Bases: [][]int64{{0, 0, 1}}},
	}, []linear.Dim{{Name: "x", Size: 2}, {Name: "y", Size: 2}, {Name: "z", Size: 2}}))
}

func ExampleLayout_IsTrivialOver() {
	fmt.Println(square().IsTrivialOver("z"))
	fmt.Println(square().IsTrivialOver("y"))
	// Output:
	// true <nil>
	// false <nil>
}

func ExampleLayout_Quotient() {
	show(square().Quotient("z"))
	show(square().Quotient("y"))
	// Output:
	// [{x [[1 0]]} {y [[1 1]]}] -> [{x 2} {y 2}]
	// not_divisible: quotient: expected the identity on [y] and nothing else there, found y=1 -> (1, 1, 0)
}

func ExampleLayout_SquareSublayoutIsIdentity() {
	fmt.Println(square().SquareSublayoutIsIdentity("y"))
	// Output: true <nil>
}

func ExampleLayout_IsIdentityOnOutDim() {
	fmt.Println(square().IsIdentityOnOutDim("y"))
	fmt.Println(square().IsIdentityOnOutDim("x"))
	// Output:
	// true <nil>
	// false <nil>
}

func ExampleLayout_SublayoutIsZero() {
	fmt.Println(square().SublayoutIsZero([]string{"x"}, []string{"y", "z"}))
	// Output: true <nil>
}
