package f2_test

import (
	"fmt"

	"girih/f2"
)

func ExampleMatrix_Beside() {
	fmt.Println(must(must(f2.Identity(2)).Beside(must(f2.FromRows([]int{1}, []int{1})))))
	// Output:
	// 1 0 1
	// 0 1 1
}

func ExampleMatrix_Above() {
	fmt.Println(must(must(f2.Identity(2)).Above(must(f2.FromRows([]int{1, 1})))))
	// Output:
	// 1 0
	// 0 1
	// 1 1
}

func ExampleMatrix_Diagonal() {
	fmt.Println(must(must(f2.FromRows([]int{1, 1})).Diagonal(must(f2.Identity(1)))))
	// Output:
	// 1 1 0
	// 0 0 1
}

func ExampleMatrix_WithRows() {
	fmt.Println(must(must(f2.FromRows([]int{1, 1}, []int{0, 0})).WithRows(1)))
	// Output: 1 1
}

func ExampleMatrix_Height() {
	fmt.Println(must(f2.FromRows([]int{1, 0}, []int{0, 1}, []int{0, 0})).Height())
	// Output: 2
}

// The tile takes every second index: its input is bit 1 of the index.
func ExampleMatrix_LogicalDivide() {
	tile := must(f2.FromRows([]int{0}, []int{1}, []int{0}))
	fmt.Println(must(must(f2.Identity(3)).LogicalDivide(tile)))
	// Output:
	// 0 1 0
	// 1 0 0
	// 0 0 1
}

// The block leaves bit 0 free: the first repeat fills it, and the second goes on after the block.
func ExampleMatrix_LogicalProduct() {
	block := must(f2.FromRows([]int{0}, []int{1}))
	fmt.Println(must(block.LogicalProduct(must(f2.Identity(2)))))
	// Output:
	// 0 1 0
	// 1 0 0
	// 0 0 1
}

func ExampleTrial() {
	t := must(f2.NewMatrix(2, []f2.Vector{3})).Completion()[1]
	fmt.Println(t.Taken, t.Columns, t.Units) // unit vector 1 is column 0 and unit vector 0
	// Output: false [0] 1
}

func ExampleMatrix_Completion() {
	for _, t := range must(f2.NewMatrix(3, []f2.Vector{3})).Completion() {
		fmt.Println(t.Unit, t.Taken)
	}
	// Output:
	// 0 true
	// 1 false
	// 2 true
}
