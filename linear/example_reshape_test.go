package linear_test

import (
	"girih/linear"
)

func ExampleLayout_ReshapeIns() {
	show(line(8, 1, 4, 2).ReshapeIns(linear.Dim{Name: "a", Size: 2}, linear.Dim{Name: "b", Size: 4}))
	// Output: [{a [[1]]} {b [[4] [2]]}] -> [{o 8}]
}

func ExampleLayout_ReshapeOuts() {
	show(line(8, 1, 4, 2).ReshapeOuts(linear.Dim{Name: "x", Size: 4}, linear.Dim{Name: "y", Size: 2}))
	// Output: [{i [[1 0] [0 1] [2 0]]}] -> [{x 4} {y 2}]
}

func ExampleLayout_FlattenIns() {
	show(fragment().FlattenIns(), nil)
	// Output: [{register [[0 1] [8 0] [0 2] [0 4] [1 0] [2 0] [4 0]]}] -> [{dim0 16} {dim1 8}]
}

func ExampleLayout_FlattenOuts() {
	show(fragment().FlattenOuts(), nil)
	// Output: [{register [[16] [8]]} {lane [[32] [64] [1] [2] [4]]}] -> [{dim0 128}]
}

func ExampleLayout_SqueezeIns() {
	l := must(linear.New([]linear.In{{Name: "a", Bases: [][]int64{{1}}}, {Name: "b"}}, []linear.Dim{{Name: "o", Size: 2}}))
	show(l.SqueezeIns("b"))
	show(l.SqueezeIns("a"))
	// Output:
	// [{a [[1]]}] -> [{o 2}]
	// extent: squeeze_ins: expected input dimension "a" to have size 1, found 2
}

func ExampleLayout_SqueezeOuts() {
	l := must(linear.New([]linear.In{{Name: "a", Bases: [][]int64{{1, 0}}}},
		[]linear.Dim{{Name: "o", Size: 2}, {Name: "p", Size: 1}}))
	show(l.SqueezeOuts("p"))
	// Output: [{a [[1]]}] -> [{o 2}]
}

func ExampleLayout_ConcatIns() {
	show(line(4, 1).ConcatIns(must(line(4, 3).RenameIn("i", "j"))))
	// Output: [{i [[1]]} {j [[3]]}] -> [{o 4}]
}

func ExampleLayout_ConcatOuts() {
	show(line(4, 1, 2).ConcatOuts(must(line(2, 0, 1).RenameOut("o", "p"))))
	// Output: [{i [[1 0] [2 1]]}] -> [{o 4} {p 2}]
}

func ExampleLayout_ReshapeTensor() {
	// 16 elements in a row become 2 rows of 8.
	show(line(16, 1, 2, 4, 8).ReshapeTensor(2, 8))
	// Output: [{i [[0 1] [0 2] [0 4] [1 0]]}] -> [{dim0 2} {dim1 8}]
}

func ExampleLayout_TransposeTensor() {
	show(fragment().TransposeTensor([]int{1, 0}))
	// Output: [{register [[1 0] [0 8]]} {lane [[2 0] [4 0] [0 1] [0 2] [0 4]]}] -> [{dim0 8} {dim1 16}]
}

func ExampleLayout_TransposeIns() {
	show(fragment().TransposeIns("lane", "register"))
	// Output: [{lane [[0 2] [0 4] [1 0] [2 0] [4 0]]} {register [[0 1] [8 0]]}] -> [{dim0 16} {dim1 8}]
}

func ExampleLayout_TransposeOuts() {
	show(fragment().TransposeOuts("dim1", "dim0"))
	// Output: [{register [[1 0] [0 8]]} {lane [[2 0] [4 0] [0 1] [0 2] [0 4]]}] -> [{dim1 8} {dim0 16}]
}

func ExampleLayout_RenameIn() {
	show(line(4, 1, 2).RenameIn("i", "lane"))
	// Output: [{lane [[1] [2]]}] -> [{o 4}]
}

func ExampleLayout_RenameOut() {
	show(line(4, 1, 2).RenameOut("o", "dim0"))
	// Output: [{i [[1] [2]]}] -> [{dim0 4}]
}

func ExampleLayout_Sublayout() {
	show(fragment().Sublayout([]string{"register"}, []string{"dim0", "dim1"}))
	// Output: [{register [[0 1] [8 0]]}] -> [{dim0 16} {dim1 8}]
}

func ExampleLayout_ResizeIn() {
	show(line(4, 1, 2).ResizeIn("i", 8))
	// Output: [{i [[1] [2] [0]]}] -> [{o 4}]
}

func ExampleLayout_ResizeOut() {
	show(line(8, 1, 4).ResizeOut("o", 4))
	show(line(8, 1, 5).ResizeOut("o", 4))
	show(line(8, 1, 5).ResizeOut("o", 4, linear.Triton))
	// Output:
	// [{i [[1] [0]]}] -> [{o 4}]
	// not_divisible: resize_out: expected basis coordinates along "o" below the new size 4 or multiples of it, found i=2 -> (5)
	// [{i [[1] [0]]}] -> [{o 4}]
}

func ExampleLayout_EnsureNotLarger() {
	show(fragment().EnsureNotLarger([]linear.Dim{{Name: "dim0", Size: 8}}, linear.DropRegisters))
	// Output: [{register [[0 1]]} {lane [[0 2] [0 4] [1 0] [2 0] [4 0]]}] -> [{dim0 8} {dim1 8}]
}

func ExampleLayout_EnsureNotSmaller() {
	show(fragment().EnsureNotSmaller([]linear.Dim{{Name: "dim1", Size: 16}}))
	// Output: [{register [[0 1] [8 0] [0 8]]} {lane [[0 2] [0 4] [1 0] [2 0] [4 0]]}] -> [{dim0 16} {dim1 16}]
}
