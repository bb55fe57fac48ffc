package view_test

import (
	"fmt"

	"girih/cute"
	"girih/internal/picture/view"
)

// A layout becomes a scene, which the packages svg, png, tikz and term write.
func Example() {
	s, err := view.Layout(cute.MustParse("(4,2):(2,1)"), view.Options{})
	fmt.Println(s.Title, len(s.Shapes()) > 0, err)
	// Output: (4,2):(2,1) true <nil>
}

// The axis of a nested mode shows coordinates or the index.
func ExampleLabels() {
	for _, labels := range []view.Labels{view.LabelsAuto, view.LabelsIndex} {
		s, err := view.Layout(cute.MustParse("((2,2),1):((2,1),0)"), view.Options{Labels: labels})
		fmt.Println(texts(s), err)
	}
	// Output:
	// [((2,2),1):((2,1),0) 0 (0,0) (1,0) (0,1) (1,1) 0 2 1 3] <nil>
	// [((2,2),1):((2,1),0) 0 0 1 2 3 0 2 1 3] <nil>
}
