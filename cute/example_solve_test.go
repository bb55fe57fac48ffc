package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// X takes an index of a column-major tile to the index of a row-major one with the same offset.
func ExampleUntil_SolveInner() {
	s, err := cute.Until(nil).SolveInner(cute.MustParse("(4,8):(8,1)"), cute.MustParse("(8,4):(1,8)"))
	fmt.Println(s.X, s.Others, err)
	_, err = cute.Until(nil).SolveInner(cute.MustParse("4:2"), cute.MustParse("4:3"))
	fmt.Println(err)
	stopped := cute.Until(func() error { return errors.New("enough") })
	_, err = stopped.SolveInner(cute.MustParse("4:1"), cute.MustParse("4:1"))
	fmt.Println(err)
	// Output:
	// (8,4):(4,1) [] <nil>
	// not_representable: solve_inner: no X has 4:2 o X = 4:3: at index 1, coordinate 1, the right side is 3, which is no value of 4:2
	// enough
}

// The offsets 2 and 3 of the inner layout are free.
func ExampleUntil_SolveOuter() {
	s, err := cute.Until(nil).SolveOuter(cute.MustParse("(2,3):(1,4)"), cute.MustParse("(2,3):(5,1)"))
	fmt.Println(s.X, s.Free, err)
	// Output: (4,3):(5,1) 6 <nil>
}

// ExampleSolutions has several solutions, because the left layout has values twice.
func ExampleSolutions() {
	s, err := cute.Until(nil).SolveInner(cute.MustParse("(2,2):(0,1)"), cute.MustParse("2:1"))
	fmt.Println(s.X, s.Others, s.More, err)
	// Output: 2:2 [2:3] false <nil>
}
