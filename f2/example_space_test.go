package f2_test

import (
	"fmt"

	"girih/f2"
)

func ExampleSpan() {
	fmt.Println(f2.Span(5, 6).Basis())
	// Output: [3 5]
}

func ExampleSpace_Dim() {
	fmt.Println(f2.Span(1, 2, 3).Dim())
	// Output: 2
}

func ExampleSpace_Basis() {
	fmt.Println(f2.Span(6, 4).Basis())
	// Output: [2 4]
}

func ExampleSpace_Contains() {
	fmt.Println(f2.Span(5, 6).Contains(3), f2.Span(5, 6).Contains(1))
	// Output: true false
}

func ExampleSpace_Reduce() {
	fmt.Println(f2.Span(5, 6).Reduce(7))
	// Output: 1
}

func ExampleSpace_Equal() {
	fmt.Println(f2.Span(5, 6).Equal(f2.Span(3, 5)))
	// Output: true
}

func ExampleSpace_Sum() {
	fmt.Println(f2.Span(1).Sum(f2.Span(4)).Basis())
	// Output: [1 4]
}

func ExampleSpace_Intersection() {
	fmt.Println(f2.Span(1, 2).Intersection(f2.Span(3, 4)).Basis())
	// Output: [3]
}

func ExampleSpace_Complement() {
	fmt.Println(must(f2.Span(3).Complement(3)))
	// Output: [1 4]
}
