package linear_test

import (
	"fmt"

	"girih/f2"
	"girih/linear"
)

func ExampleEmpty() {
	fmt.Println(linear.Empty())
	// Output: (empty layout)
}

func ExampleIdentity1D() {
	show(linear.Identity1D(8, "lane", "dim0"))
	// Output: [{lane [[1] [2] [4]]}] -> [{dim0 8}]
}

func ExampleStrided1D() {
	show(linear.Strided1D(4, 2, "lane", "dim0"))
	show(linear.Strided1D(4, 3, "lane", "dim0"))
	// Output:
	// [{lane [[2] [4]]}] -> [{dim0 8}]
	// extent: strided_1d: expected a power of two as the stride, found 3
}

func ExampleZeros1D() {
	show(linear.Zeros1D(4, "lane", "dim0", 1))
	// Output: [{lane [[0] [0]]}] -> [{dim0 1}]
}

func ExampleZerosLike() {
	show(linear.ZerosLike(line(4, 1, 2)), nil)
	// Output: [{i [[0] [0]]}] -> [{o 4}]
}

func ExampleFromMatrix() {
	m := must(f2.NewMatrix(3, []f2.Vector{1, 2, 5}))
	show(linear.FromMatrix(m, []linear.Dim{{Name: "i", Size: 8}}, []linear.Dim{{Name: "x", Size: 4}, {Name: "y", Size: 2}}))
	// Output: [{i [[1 0] [2 0] [1 1]]}] -> [{x 4} {y 2}]
}

func ExampleSupremum() {
	fmt.Println(linear.Supremum([]string{"a", "c"}, []string{"b", "c"}))
	_, err := linear.Supremum([]string{"K", "N"}, []string{"N", "K"})
	fmt.Println(err)
	fmt.Println(linear.Supremum([]string{"K", "N"}, []string{"N", "K"}, linear.Triton))
	// Output:
	// [a b c] <nil>
	// not_congruent: supremum: expected orders that agree, found [K, N] and [N, K], where K and N come in both orders
	// [K N] <nil>
}
