package tiled_test

import (
	"fmt"

	"girih/cute"
	"girih/tensor/tiled"
)

// A truncating adder cuts each sum to an integer.
type truncating struct{}

func (truncating) Add(_ int64, a, b []float64, c float64) (float64, error) {
	for i, x := range a {
		c += x * b[i]
	}
	return float64(int64(c)), nil
}

// product returns a product of the size of a single tile, (32,16,16).
func product() (*tiled.Product, error) {
	return tiled.NewProduct(warps(), cute.MustParse("(32,16)"), cute.MustParse("(16,16)"), cute.MustParse("(32,16)"))
}

// The instruction has 16 elements along K, and the adder gets all of them at once.
func ExampleProduct() {
	p, _ := product()
	a, b, c := make([]float64, 32*16), make([]float64, 16*16), make([]float64, 32*16)
	for i := range a {
		a[i] = 0.5
	}
	for i := range b {
		b[i] = 0.25
	}
	err := p.Run(truncating{}, a, b, c)
	fmt.Println(c[0], err) // 16·0.125
	// Output: 2 <nil>
}

func ExampleNewProduct() {
	_, err := tiled.NewProduct(warps(), cute.MustParse("(32,16)"), cute.MustParse("(16,8)"), cute.MustParse("(32,16)"))
	fmt.Println(err != nil)
	// Output: true
}

func ExampleAdder() {
	var add tiled.Adder = truncating{}
	fmt.Println(add.Add(0, []float64{1.5}, []float64{1}, 2))
	// Output: 3 <nil>
}
