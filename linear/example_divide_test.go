package linear_test

import (
	"fmt"

	"girih/cute"
	"girih/linear"
)

// Of the three bases of 8:1, the first is the divisor, and the others are 0 in its bit.
func ExampleLayout_DivideLeftSteps() {
	l := must(linear.FromLayout(must(cute.New(cute.Int(8), cute.Int(1)))))
	m := must(linear.FromLayout(must(cute.New(cute.Int(2), cute.Int(1)))))
	for _, s := range must(l.DivideLeftSteps(m)) {
		fmt.Println(s.Column, s.Divisor, s.Value, s.Want, s.Rest)
	}
	// Output:
	// 0 0 1 1 0
	// 1 -1 2 2 1
	// 2 -1 4 4 2
}

func ExampleLayout_DivideRightSteps() {
	l := must(linear.FromLayout(must(cute.New(cute.Int(4), cute.Int(1)))))
	m := must(linear.FromLayout(must(cute.New(cute.Int(2), cute.Int(1)))))
	for _, s := range must(l.DivideRightSteps(m)) {
		fmt.Println(s.Column, s.Divisor, s.Value, s.Want, s.Rest)
	}
	// Output:
	// 0 -1 1 1 1
	// 1 0 2 2 0
}

// The second basis reaches the bit of the divisor: the division fails there.
func ExampleDivisionStep() {
	l := must(linear.New([]linear.In{{Name: "i", Bases: [][]int64{{1}, {3}}}}, []linear.Dim{{Name: "o", Size: 4}}))
	m := must(linear.New([]linear.In{{Name: "i", Bases: [][]int64{{1}}}}, []linear.Dim{{Name: "o", Size: 2}}))
	steps := must(l.DivideLeftSteps(m))
	last := steps[len(steps)-1]
	fmt.Println(last.Value == last.Want, last.Value, last.Want)
	// Output: false 3 2
}
