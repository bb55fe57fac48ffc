package linear_test

func ExampleLayout_Xor() {
	show(line(4, 1, 2).Xor(line(8, 2, 4)))
	// Output: [{i [[3] [6]]}] -> [{o 8}]
}

func ExampleLayout_GrowOut() {
	show(line(4, 1, 2).GrowOut("o", 16))
	// Output: [{i [[1] [2]]}] -> [{o 16}]
}
