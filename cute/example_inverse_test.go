package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// A padded 4×8 tile: the inverse takes an offset in the padded array back to the index of the element.
func ExampleLeftInverse() {
	a := cute.MustParse("(4,8):(1,5)")
	r, err := cute.LeftInverse(a)
	if err != nil {
		fmt.Println(err)
		return
	}
	at, _ := a.At(14)
	back, _ := r.At(at)
	fmt.Println(r, at, back)
	// Output: (5,8):(1,4) 17 14
}

// The strides 2 and 3 do not chain, and still a layout inverts them.
func ExampleLeftInverse_search() {
	a := cute.MustParse("(2,2):(2,3)")
	r, err := cute.LeftInverse(a)
	fmt.Println(r, err)
	for i := range a.Size() {
		u, _ := a.At(i)
		back, _ := r.At(u)
		fmt.Print(u, "→", back, " ")
	}
	// Output:
	// (2,3):(1,1) <nil>
	// 0→0 2→1 3→2 5→3
}

// A mode of stride 0 repeats offsets; the inverse gives the first index of each.
func ExampleLeftInverse_broadcast() {
	r, err := cute.LeftInverse(cute.MustParse("(2,4,8):(32,0,2)"))
	fmt.Println(r, err)
	// Output: (2,16,2):(0,8,1) <nil>
}

// Offsets into a tensor of two axes: the inverse takes coordinates.
func ExampleLeftInverse_coordinates() {
	r, err := cute.LeftInverse(cute.MustParse("(4,5):(2@0,2@1)"))
	fmt.Println(r, err)
	// Output: ((2,4),(2,5)):((0,1),(0,4)) <nil>
}

// Where no layout is an inverse, the witness is the offset at which the last candidates fail.
func ExampleLeftInverse_refused() {
	_, err := cute.LeftInverse(cute.MustParse("(2,2,2):(3,4,5)"))
	if e, ok := errors.AsType[*cute.Error](err); ok {
		fmt.Println(e.Code, e.Witness.Coord, e.Witness.Index, e.Witness.Value)
	}
	// Output: not_invertible (0,1,1) 6 9
}

// The question is decided from the strides, however large the layout is.
func ExampleIsInjective() {
	for _, s := range []string{"(1048576,1048576):(1048577,1)", "(1048576,1048576):(1048575,1)"} {
		ok, w, err := cute.IsInjective(cute.MustParse(s))
		fmt.Println(ok, err)
		if w != nil {
			fmt.Println(w.Coord, "and", *w.Other, "have the offset", w.Value)
		}
	}
	// Output:
	// true <nil>
	// false <nil>
	// (1,0) and (0,1048575) have the offset 1048575
}

func ExampleIsSurjective() {
	ok, _, err := cute.IsSurjective(cute.MustParse("(4,3):(1,2)"))
	fmt.Println(ok, err)
	ok, w, err := cute.IsSurjective(cute.MustParse("(4,3):(1,6)"))
	fmt.Println(ok, err, "missing:", w.Value)
	// Output:
	// true <nil>
	// false <nil> missing: 4
}

func ExampleIsBijective() {
	for _, s := range []string{"(4,3):(3,1)", "(4,3):(1,2)", "4:-1"} {
		ok, _, err := cute.IsBijective(cute.MustParse(s))
		fmt.Println(s, ok, err)
	}
	// Output:
	// (4,3):(3,1) true <nil>
	// (4,3):(1,2) false <nil>
	// 4:-1 false <nil>
}

// A reversed mode is compact: its offsets -3, ..., 0 are without gaps.
func ExampleIsCompact() {
	for _, s := range []string{"4:-1", "(4,3):(-1,4)", "(4,3):(1,5)"} {
		ok, _, err := cute.IsCompact(cute.MustParse(s))
		fmt.Println(s, ok, err)
	}
	// Output:
	// 4:-1 true <nil>
	// (4,3):(-1,4) true <nil>
	// (4,3):(1,5) false <nil>
}

func ExampleImage() {
	image, err := cute.Image(cute.MustParse("(2,3):(3,2)"))
	fmt.Println(image, err)
	// Output: [0 2 3 4 5 7] <nil>
}

func ExampleHoles() {
	holes, err := cute.Holes(cute.MustParse("(2,3):(3,2)"))
	fmt.Println(holes, err)
	// Output: [1 6] <nil>
}
