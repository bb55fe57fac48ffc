package linear_test

import (
	"girih/linear"
)

func ExampleLayout_Invert() {
	show(line(8, 4, 1, 2).Invert())
	show(line(4, 1, 2, 3).Invert())
	// Output:
	// [{o [[2] [4] [1]]}] -> [{i 8}]
	// not_invertible: invert: expected as many inputs as outputs, found 2^3 and 2^2
}

func ExampleLayout_Pseudoinvert() {
	// The inputs 4 and 3 = 1 + 2 both have the value 2; 3 is smaller.
	show(line(4, 3, 1, 2).Pseudoinvert())
	// Output: [{o [[2] [3]]}] -> [{i 8}]
}

func ExampleLayout_InvertAndCompose() {
	// Where in swizzled shared memory are the elements that the registers hold?
	smem := must(line(4, 1, 3).RenameIn("i", "offset"))
	show(must(line(4, 2, 1).RenameIn("i", "register")).InvertAndCompose(smem))
	// Output: [{register [[3] [1]]}] -> [{offset 4}]
}

func ExampleLayout_Lstsq() {
	show(line(4, 1, 1, 2).Lstsq(must(line(4, 3).RenameIn("i", "j"))))
	// Output: [{j [[5]]}] -> [{i 8}]
}

func ExampleInvertAndComposeBlockLocal() {
	// Both blocks of the memory hold the same elements, so each block can read its own memory.
	mem := must(linear.New([]linear.In{{Name: "offset", Bases: [][]int64{{1}}}, {Name: "block", Bases: [][]int64{{0}}}},
		[]linear.Dim{{Name: "o", Size: 2}}))
	reg := must(linear.New([]linear.In{{Name: "block", Bases: [][]int64{{1}}}}, []linear.Dim{{Name: "o", Size: 2}}))
	show(linear.InvertAndComposeBlockLocal(mem, reg))
	// Output: [{block [[1 1]]}] -> [{offset 2} {block 2}]
}

func ExampleLayout_Complement() {
	show(line(8, 3).Complement("rest"))
	// Output: [{rest [[1] [4]]}] -> [{o 8}]
}
