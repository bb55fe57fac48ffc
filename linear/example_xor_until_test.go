package linear_test

import (
	"errors"
	"fmt"

	"girih/cute"
	"girih/linear"
)

func ExampleXorLayout_Until() {
	x, _ := linear.NewXor(cute.Ints(3, 1<<20), 1, 4)
	_, _, _, err := x.Until(func() error { return errors.New("enough") }).Injective() // looks at 3 * 2^20 offsets
	fmt.Println(err)
	// Output: enough
}

func ExampleXorLayout_Stopped() {
	fmt.Println(xorTile().Stopped())
	fmt.Println(xorTile().Until(func() error { return errors.New("enough") }).Stopped())
	// Output:
	// <nil>
	// enough
}
