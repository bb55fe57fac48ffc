package linear_test

import (
	"fmt"

	"girih/linear"
)

func ExampleColumnAction() {
	a := must(linear.NewColumnAction([]int{2, 0, 1}, "register", 3))
	show(a.Apply(regs(8, 1, 2, 4)))
	// Output: [{register [[4] [1] [2]]}] -> [{offset 8}]
}

func ExampleNewColumnAction() {
	fmt.Println(must(linear.NewColumnAction([]int{2, 0}, "register", 3)))
	_, err := linear.NewColumnAction([]int{2, 2}, "register", 3)
	fmt.Println(err)
	// Output:
	// ColumnAction([2, 0], register, 3)
	// mode: column_action: expected bases from 0 to 2, each at most once, found [2 2]
}

func ExampleColumnAction_Bases() {
	fmt.Println(must(linear.NewColumnAction([]int{2, 0}, "register", 3)).Bases())
	// Output: [2 0]
}

func ExampleColumnAction_Dim() {
	fmt.Println(must(linear.NewColumnAction([]int{2, 0}, "register", 3)).Dim())
	// Output: register
}

func ExampleColumnAction_IsIdentity() {
	fmt.Println(must(linear.NewColumnAction([]int{0, 1}, "register", 3)).IsIdentity())
	// Output: false
}

func ExampleColumnAction_Apply() {
	show(must(linear.NewColumnAction([]int{2, 0}, "register", 3)).Apply(regs(8, 1, 2, 4)))
	// Output: [{register [[4] [1]]}] -> [{offset 8}]
}

func ExampleApplyValues() {
	a := must(linear.NewColumnAction([]int{2, 0, 1}, "register", 3))
	fmt.Println(linear.ApplyValues(a, []int{1, 2, 3, 4, 5, 6, 7, 8}))
	// Output: [1 5 2 6 3 7 4 8] <nil>
}

func ExampleColumnAction_Inverse() {
	fmt.Println(must(must(linear.NewColumnAction([]int{2, 0, 1}, "register", 3)).Inverse()))
	// Output: ColumnAction([1, 2, 0], register, 3)
}

func ExampleColumnAction_Then() {
	a := must(linear.NewColumnAction([]int{2, 0, 1}, "register", 3))
	fmt.Println(must(a.Then(a)))
	// Output: ColumnAction([1, 2, 0], register, 3)
}

func ExampleColumnAction_String() {
	fmt.Println(must(linear.NewColumnAction([]int{0, 2}, "register", 4)))
	// Output: ColumnAction([0, 2], register, 4)
}

func ExampleLayout_RegPermForDivideLeft() {
	fmt.Println(must(regs(16, 2, 1, 8).RegPermForDivideLeft(regs(4, 1, 2))))
	// Output: ColumnAction([1, 0, 2], register, 3)
}

func ExampleLayout_RegPermForDivideRight() {
	fmt.Println(must(regs(8, 4, 1, 2).RegPermForDivideRight(regs(2, 1))))
	// Output: ColumnAction([1, 2, 0], register, 3)
}

func ExampleLayout_ActionRemoveBroadcastedRegs() {
	fmt.Println(must(regs(4, 1, 0, 2, 0).ActionRemoveBroadcastedRegs()))
	// Output: ColumnAction([0, 2], register, 4)
}

func ExampleLayout_ActionAdditiveStrides() {
	// Lanes occupy the bits 0 and 1 of the offset, so only the basis 4 can be added.
	lanes := must(regs(16, 1, 2).RenameIn("register", "lane"))
	fmt.Println(regs(16, 9, 4).ActionAdditiveStrides(lanes, 0, 1))
	// Output: 2 ColumnAction([1, 0], register, 2) <nil>
}

func ExampleBroadcastAs() {
	// Register 3 has the coordinates of register 4.
	fmt.Println(linear.BroadcastAs(regs(4, 1, 2, 3), []string{"a", "b", "c", "d"}))
	// Output: [a b c d d c b a] <nil>
}

func ExampleLayout_GetReps() {
	show(regs(16, 1, 2, 8).GetReps(regs(4, 1, 2)))
	// Output: [{register [[0] [0] [8]]}] -> [{offset 16}]
}

func ExampleLayout_LargestVectorisation() {
	l := must(regs(32, 4, 2, 1).ConcatIns(must(regs(32, 8, 16).RenameIn("register", "lane"))))
	fmt.Println(l.LargestVectorisation(16, 0))
	// Output: 8 ColumnAction([2, 1, 0], register, 3) <nil>
}
