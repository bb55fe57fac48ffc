package f2_test

import (
	"errors"
	"fmt"

	"girih/f2"
)

// must returns the value of a call that cannot fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func Example() {
	// The swizzle x ↦ x xor (x >> 2) on four bits, and its inverse.
	m := must(f2.NewMatrix(4, []f2.Vector{0b0001, 0b0010, 0b0101, 0b1010}))
	fmt.Println(m)
	fmt.Println(must(must(m.Inverse()).Apply(0b0111)))
	// Output:
	// 1 0 1 0
	// 0 1 0 1
	// 0 0 1 0
	// 0 0 0 1
	// 6
}

func ExampleError() {
	_, err := f2.NewMatrix(2, []f2.Vector{4})
	var e *f2.Error
	fmt.Println(errors.As(err, &e), e.Op)
	// Output: true matrix
}

func ExampleError_Error() {
	_, err := must(f2.Identity(2)).Mul(must(f2.Identity(3)))
	fmt.Println(err)
	// Output: f2: mul: expected as many columns on the left as rows on the right, found 2×2 times 3×3
}

func ExampleVector_At() {
	fmt.Println(f2.Vector(0b101).At(0), f2.Vector(0b101).At(1))
	// Output: 1 0
}

func ExampleVector_Add() {
	fmt.Println(f2.Vector(0b011).Add(0b101))
	// Output: 6
}

func ExampleVector_Dot() {
	fmt.Println(f2.Vector(0b111).Dot(0b011), f2.Vector(0b111).Dot(0b001))
	// Output: 0 1
}

func ExampleVector_Weight() {
	fmt.Println(f2.Vector(0b1011).Weight())
	// Output: 3
}

func ExampleVector_Len() {
	fmt.Println(f2.Vector(0b0100).Len())
	// Output: 3
}
