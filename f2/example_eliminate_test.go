package f2_test

import (
	"fmt"

	"girih/f2"
)

func ExampleMatrix_Rank() {
	fmt.Println(must(f2.NewMatrix(3, []f2.Vector{1, 2, 3})).Rank())
	// Output: 2
}

func ExampleMatrix_RREF() {
	r, pivots := must(f2.NewMatrix(2, []f2.Vector{3, 3, 1})).RREF()
	fmt.Println(r)
	fmt.Println(pivots)
	// Output:
	// 1 1 0
	// 0 0 1
	// [0 2]
}

// A column has no pivot if all its 1s are in rows that already have a pivot.
func ExampleElimination() {
	_, _, steps := must(f2.NewMatrix(2, []f2.Vector{1, 1, 2})).Eliminate()
	for _, s := range steps {
		fmt.Println(s.Column, s.Pivot)
	}
	// Output:
	// 0 0
	// 1 -1
	// 2 1
}

// The rows are exchanged, and then the second row is added to the first.
func ExampleMatrix_Eliminate() {
	_, _, steps := must(f2.NewMatrix(2, []f2.Vector{2, 3, 1})).Eliminate()
	for _, s := range steps {
		fmt.Printf("column %d: pivot in row %d, which was %d, added to %02b\n", s.Column, s.Pivot, s.From, s.Added)
	}
	// Output:
	// column 0: pivot in row 0, which was 1, added to 00
	// column 1: pivot in row 1, which was 1, added to 01
}

func ExampleMatrix_Kernel() {
	// The first and the second column are equal.
	fmt.Println(must(must(f2.NewMatrix(2, []f2.Vector{3, 3, 1})).Kernel()))
	// Output: [3]
}

func ExampleMatrix_Image() {
	fmt.Println(must(f2.NewMatrix(3, []f2.Vector{3, 5, 6})).Image().Dim())
	// Output: 2
}

func ExampleMatrix_Inverse() {
	fmt.Println(must(must(f2.NewMatrix(2, []f2.Vector{1, 3})).Inverse()))
	// Output:
	// 1 1
	// 0 1
}

func ExampleMatrix_Solve() {
	// Columns 0 and 1 are equal; the smallest solution uses the first.
	m := must(f2.NewMatrix(2, []f2.Vector{3, 3, 1}))
	fmt.Println(must(m.Solve(2)))
	// Output: 5
}

func ExampleMatrix_SolveAll() {
	m := must(f2.NewMatrix(2, []f2.Vector{3, 3, 1}))
	fmt.Println(must(m.SolveAll(must(f2.Identity(2)))).Columns())
	// Output: [4 5]
}

func ExampleMatrix_Complement() {
	fmt.Println(must(f2.NewMatrix(3, []f2.Vector{3})).Complement())
	// Output: [1 4]
}
