package girih_test

import (
	"errors"
	"fmt"

	"girih"
)

var errEnough = errors.New("enough")

func ExampleComposed_Until() {
	c := chain(swizzleOf("Sw<3,3,9>"), 5, girih.MustParse("(1024,1024):(3,3072)"))
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

func ExampleComposed_IsInjectiveInto() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, girih.MustParse("5:1")).IsInjectiveInto(girih.Int(8)))
	// Output: true <nil> <nil>
}

func ExampleComposed_IsSurjectiveOnto() {
	ok, w, err := chain(swizzleOf("Sw<1,0,2>"), 0, girih.MustParse("5:1")).IsSurjectiveOnto(girih.Int(6))
	fmt.Println(ok, w.Value, err)
	// Output: false 4 <nil>
}

func ExampleComposed_IsBijectiveOnto() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, girih.MustParse("8:1")).IsBijectiveOnto(girih.Int(8)))
	// Output: true <nil> <nil>
}
