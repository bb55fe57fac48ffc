package convert_test

import (
	"fmt"

	"girih/internal/lang/triton/convert"
	"girih/linear"
)

// must returns the value of a call that cannot fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// tile is a distribution of a 16×8 tile over the registers and the lanes of a warp, in bases (row, column).
func tile(registers, lanes [][]int64) linear.Layout {
	return must(linear.New([]linear.In{{Name: "register", Bases: registers}, {Name: "lane", Bases: lanes}},
		[]linear.Dim{{Name: "row", Size: 16}, {Name: "column", Size: 8}}))
}

// blocked gives each lane four elements of a row.
func blocked() linear.Layout {
	return tile([][]int64{{0, 1}, {0, 2}}, [][]int64{{0, 4}, {1, 0}, {2, 0}, {4, 0}, {8, 0}})
}

// fragment is the accumulator of mma.m16n8k16 (PTX ISA).
func fragment() linear.Layout {
	return tile([][]int64{{0, 1}, {8, 0}}, [][]int64{{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}})
}

// columns gives each lane four elements of a column.
func columns() linear.Layout {
	return tile([][]int64{{1, 0}, {2, 0}}, [][]int64{{4, 0}, {8, 0}, {0, 1}, {0, 2}, {0, 4}})
}

// rows gives each lane a row of eight; the upper half of the warp repeats the rows.
func rows() linear.Layout {
	return tile([][]int64{{0, 1}, {0, 2}, {0, 4}}, [][]int64{{1, 0}, {2, 0}, {4, 0}, {8, 0}, {0, 0}})
}

func Example() {
	p := must(convert.New(blocked(), fragment(), 32, 32))
	fmt.Println(p.Class, p.Moves)
	fmt.Println(p.Shuffle.Shuffles, "shuffles and", p.Shuffle.Selects, "selects for", p.Shuffle.Rounds, "words")
	// Output:
	// warp shuffles [register lane]
	// 4 shuffles and 8 selects for 4 words
}

func ExampleNew() {
	p := must(convert.New(blocked(), columns(), 16, 32))
	fmt.Println(p.Class, p.Moves)
	fmt.Println(p.Shared.Store, p.Shared.Load)
	// Output:
	// shared memory [register lane]
	// {32 2 1 1} {16 4 1 1}
}

func ExamplePlan() {
	swapped := tile([][]int64{{0, 2}, {0, 1}}, [][]int64{{0, 4}, {1, 0}, {2, 0}, {4, 0}, {8, 0}})
	p := must(convert.New(blocked(), swapped, 32, 32))
	fmt.Println(p.Class, p.Registers)
	// Output: register permutation [0 2 1 3]
}

func ExampleClass() {
	p := must(convert.New(blocked(), blocked(), 32, 32))
	fmt.Println(p.Class == convert.None)
	// Output: true
}

func ExampleClass_String() {
	fmt.Println(convert.None, convert.Registers, convert.WarpShuffle, convert.SharedMemory)
	// Output: none register permutation warp shuffles shared memory
}

func ExampleMinimal() {
	m := must(convert.Minimal(blocked(), fragment()))
	fmt.Println(m.Bases())
	// Output: [{register [[1 0] [0 16]]} {lane [[2 0] [0 1] [0 2] [0 4] [0 8]]}]
}
