package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

// Every error of the package is an *Error, with what a program needs to go on.
func ExampleError() {
	_, err := cute.LogicalDivide(cute.MustParse("24:1"), cute.Ints(4, 6))
	if e, ok := errors.AsType[*cute.Error](err); ok {
		fmt.Println(e.Code)
		fmt.Println(e.Op)
		fmt.Println(e.Msg)
		fmt.Println(e.Hint)
	}
	// Output:
	// rank
	// logical_divide
	// the tile has 2 modes, more than the 1 of 24:1
	// a layout as tiler, (4,6):(1,4), tiles the whole domain; a tile or a shape tiles mode by mode
}

func ExampleError_Error() {
	_, err := cute.NewSwizzle(3, 4, 2)
	fmt.Println(err)
	// Output: swizzle: make_swizzle: expected B >= 0, M >= 0, |S| >= B and M+|S|+B <= 63, found Sw<3,4,2>
}

// Decide by the code, never by the text.
func ExampleCode() {
	tiles := func(a cute.Layout) (cute.Layout, error) {
		t, err := cute.ZippedDivideExact(a, cute.Ints(128, 64))
		if e, ok := errors.AsType[*cute.Error](err); ok && e.Code == cute.CodeNotDivisible {
			return cute.ZippedDivideExact(a, cute.Ints(8, 4)) // small tiles fit
		}
		return t, err
	}
	fmt.Println(tiles(cute.MustParse("(1000,500):(500,1)")))
	// Output: ((8,4),(125,125)):((500,1),(4000,4)) <nil>
}

func ExampleCodes() {
	for _, c := range cute.Codes()[:3] {
		fmt.Printf("%s: %s\n", c.Code, c.Meaning)
	}
	// Output:
	// syntax: the text is not in the language
	// overflow: a size, a stride or an offset does not fit in 64 bits
	// limit: the answer needs more elements, leaves or time than the stated limit
}

// Each code comes with an expression, in girih's language, that ends with it.
func ExampleCodeInfo() {
	for _, c := range cute.Codes() {
		if c.Code == cute.CodeNotRepresentable {
			fmt.Println(c.Example)
		}
	}
	// Output: (6,2):(1,7) o (3,2):(2,3)
}

// The witness can be checked by hand: at (2,1) b is 2·2 + 1·3 = 7, and a(7) = a(1,1) = 8.
func ExampleWitness() {
	a, b := cute.MustParse("(6,2):(1,7)"), cute.MustParse("(3,2):(2,3)")
	_, err := cute.Composition(a, b)
	e, _ := errors.AsType[*cute.Error](err)
	i, _ := b.At(e.Witness.Index)
	x, _ := a.At(i)
	fmt.Println(e.Witness.Coord, i, x, e.Witness.Value, e.Witness.Want)
	// Output: (2,1) 7 8 8 7
}
