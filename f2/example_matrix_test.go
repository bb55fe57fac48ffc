package f2_test

import (
	"fmt"

	"girih/f2"
)

func ExampleNewMatrix() {
	fmt.Println(must(f2.NewMatrix(2, []f2.Vector{1, 3, 2})))
	// Output:
	// 1 1 0
	// 0 1 1
}

func ExampleFromRows() {
	fmt.Println(must(f2.FromRows([]int{1, 1, 0}, []int{0, 1, 1})).Columns())
	// Output: [1 3 2]
}

func ExampleIdentity() {
	fmt.Println(must(f2.Identity(2)))
	// Output:
	// 1 0
	// 0 1
}

func ExampleMatrix_Rows() {
	fmt.Println(must(f2.NewMatrix(2, []f2.Vector{1, 3, 2})).Rows())
	// Output: 2
}

func ExampleMatrix_Cols() {
	fmt.Println(must(f2.NewMatrix(2, []f2.Vector{1, 3, 2})).Cols())
	// Output: 3
}

func ExampleMatrix_At() {
	m := must(f2.NewMatrix(2, []f2.Vector{1, 3, 2}))
	fmt.Println(m.At(1, 0), m.At(1, 1))
	// Output: 0 1
}

func ExampleMatrix_Col() {
	fmt.Println(must(f2.NewMatrix(2, []f2.Vector{1, 3, 2})).Col(1))
	// Output: 3
}

func ExampleMatrix_Columns() {
	fmt.Println(must(f2.Identity(3)).Columns())
	// Output: [1 2 4]
}

func ExampleMatrix_Equal() {
	fmt.Println(must(f2.Identity(1)).Equal(must(f2.FromRows([]int{1}))))
	// Output: true
}

func ExampleMatrix_Apply() {
	m := must(f2.NewMatrix(2, []f2.Vector{1, 3, 2}))
	fmt.Println(must(m.Apply(0b110)))
	// Output: 1
}

func ExampleMatrix_Mul() {
	m := must(f2.NewMatrix(2, []f2.Vector{1, 3}))
	fmt.Println(must(m.Mul(m)))
	// Output:
	// 1 0
	// 0 1
}

func ExampleMatrix_Transpose() {
	fmt.Println(must(must(f2.FromRows([]int{1, 1, 0}, []int{0, 1, 1})).Transpose()))
	// Output:
	// 1 0
	// 1 1
	// 0 1
}

func ExampleMatrix_String() {
	fmt.Println(must(f2.FromRows([]int{1, 0, 1}, []int{0, 1, 1})))
	// Output:
	// 1 0 1
	// 0 1 1
}
