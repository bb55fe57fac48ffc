package view_test

import (
	"fmt"

	"girih/internal/picture/view"
)

// Two threads swap two pairs of floats through shared memory.
func ExampleSteps() {
	move := func(turn int64, at ...int64) (out []view.Move) {
		for t, x := range at {
			out = append(out, view.Move{Thread: int64(t), Turn: turn, At: x, Bytes: 8})
		}
		return out
	}
	s, err := view.Steps{Title: "swap", Steps: []view.Step{
		{Title: "1. registers -> shared", Shared: true, Bytes: 4, Moves: move(0, 0, 8), Note: "1 wavefront"},
		{Title: "2. shared -> registers", Shared: true, Bytes: 4, Moves: move(0, 8, 0)},
	}}.Draw(view.Options{})
	for _, text := range texts(s) {
		if text == "T0" || text == "T1" || text == "1 wavefront" {
			fmt.Println(text)
		}
	}
	fmt.Println(err)
	_, err = view.Steps{Steps: []view.Step{{}}}.Draw(view.Options{})
	fmt.Println(err)
	// Output:
	// T0
	// T1
	// 1 wavefront
	// T1
	// T0
	// <nil>
	// extent: draw: expected a step with accesses, found none
}
