package cute_test

import (
	"errors"
	"fmt"

	"girih/cute"
)

var errEnough = errors.New("enough")

func ExampleComposed_Until() {
	c := chain(swizzleOf("Sw<3,3,9>"), 5, cute.MustParse("(1024,1024):(3,3072)"))
	_, err := c.Until(func() error { return errEnough }).AppendOffsets(nil) // 2^20 of them
	fmt.Println(err)
	// Output: enough
}

func ExampleComposed_Stopped() {
	fmt.Println(threeStages.Stopped())
	fmt.Println(threeStages.Until(func() error { return errEnough }).Stopped())
	// Output:
	// <nil>
	// enough
}

// What is asked here has an error from the beginning. The operands of the examples are such that values decide.
var (
	enough = cute.Until(func() error { return errEnough })
	steps  = cute.MustParse("(3,2,5):(1,7,1)")
	gaps   = cute.MustParse("(2,2,2):(1,6,24)") // of 3 and of 2
	fifth  = cute.MustParse("15:1")
)

func ExampleUntil_Composition() {
	_, err := enough.Composition(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_CompositionBy() {
	_, err := enough.CompositionBy(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_WithShape() {
	_, err := enough.WithShape(steps, cute.Ints(15, 2))
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_LogicalDivide() {
	_, err := enough.LogicalDivide(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_LogicalDivideExact() {
	_, err := enough.LogicalDivideExact(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_ZippedDivide() {
	_, err := enough.ZippedDivide(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_ZippedDivideExact() {
	_, err := enough.ZippedDivideExact(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_TiledDivide() {
	_, err := enough.TiledDivide(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_TiledDivideExact() {
	_, err := enough.TiledDivideExact(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_FlatDivide() {
	_, err := enough.FlatDivide(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_FlatDivideExact() {
	_, err := enough.FlatDivideExact(steps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_LogicalProduct() {
	_, err := enough.LogicalProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_ZippedProduct() {
	_, err := enough.ZippedProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_TiledProduct() {
	_, err := enough.TiledProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_FlatProduct() {
	_, err := enough.FlatProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_BlockedProduct() {
	_, err := enough.BlockedProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_RakedProduct() {
	_, err := enough.RakedProduct(gaps, fifth)
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_TileToShape() {
	_, err := enough.TileToShape(cute.MustParse("((2,2,2)):((1,6,24))"), cute.Ints(120), cute.Tuple{})
	fmt.Println(err)
	// Output: enough
}

func ExampleUntil_Recognize() {
	_, err := enough.Recognize([]int64{0, 1, 2, 3})
	fmt.Println(err)
	// Output: enough
}

func ExampleComposed_IsInjectiveInto() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).IsInjectiveInto(cute.Int(8)))
	// Output: true <nil> <nil>
}

func ExampleComposed_IsSurjectiveOnto() {
	ok, w, err := chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).IsSurjectiveOnto(cute.Int(6))
	fmt.Println(ok, w.Value, err)
	// Output: false 4 <nil>
}

func ExampleComposed_IsBijectiveOnto() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("8:1")).IsBijectiveOnto(cute.Int(8)))
	// Output: true <nil> <nil>
}
