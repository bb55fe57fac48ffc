package linear_test

import (
	"fmt"
)

func ExampleLayout_RemoveZeroBasesAlongDim() {
	show(line(4, 1, 0, 2).RemoveZeroBasesAlongDim("i"))
	// Output: [{i [[1] [2]]}] -> [{o 4}]
}

func ExampleLayout_FreeVariableMasks() {
	fmt.Println(line(4, 1, 2, 3).FreeVariableMasks())
	// Output: [{i 4}]
}

func ExampleLayout_InputBasisMask() {
	fmt.Println(fragment().InputBasisMask("lane", "dim0"))
	// Output: 28 <nil>
}

func ExampleLayout_OutputBasisMask() {
	fmt.Println(fragment().OutputBasisMask([]string{"register"}, "dim0"))
	// Output: 8 <nil>
}

func ExampleLayout_FactorMaximalIdentityPrefix() {
	n, rest, err := fragment().FactorMaximalIdentityPrefix("register", "dim1")
	fmt.Println(n, err)
	show(rest, nil)
	// Output:
	// 2 <nil>
	// [{register [[8 0]]} {lane [[0 1] [0 2] [1 0] [2 0] [4 0]]}] -> [{dim0 16} {dim1 4}]
}

func ExampleLayout_NumConsecutiveInOut() {
	fmt.Println(line(16, 1, 2, 4, 10).NumConsecutiveInOut(), line(16, 1, 2, 4, 9).NumConsecutiveInOut())
	// Output: 2 1
}

func ExampleLayout_ContiguousElemsAlongOutputDim() {
	fmt.Println(line(4, 3).ContiguousElemsAlongOutputDim("o"))
	fmt.Println(line(4, 3, 1).ContiguousElemsAlongOutputDim("o"))
	// Output:
	// 1 <nil>
	// 4 <nil>
}
