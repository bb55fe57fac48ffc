package convert_test

import (
	"fmt"

	"girih/internal/lang/triton/convert"
)

func ExampleShuffle() {
	s := must(convert.NewShuffle(blocked(), fragment(), 32))
	// In each round lane 5 offers one register and takes the offer of one lane.
	for round := range 4 {
		fmt.Printf("offers register %d, takes the element of lane %d into register %d\n", s.SrcRegister(round, 5),
			s.SrcLane(round, 5), s.DstRegister(round, 5))
	}
	// Output:
	// offers register 0, takes the element of lane 18 into register 2
	// offers register 1, takes the element of lane 18 into register 3
	// offers register 2, takes the element of lane 2 into register 0
	// offers register 3, takes the element of lane 2 into register 1
}

func ExampleNewShuffle() {
	s := must(convert.NewShuffle(blocked(), columns(), 16))
	fmt.Println(s.Exchanged, "bits exchanged,", s.Shuffles, "shuffles,", s.Selects, "selects")
	// Output: 2 bits exchanged, 4 shuffles, 16 selects
}

func ExamplePermutation() {
	p := must(convert.NewShuffle(blocked(), fragment(), 32)).Permutation
	fmt.Println(p.Cycles)
	fmt.Println(p.Reg, p.Lane)
	// Output:
	// [[r1 l0 l1 l2 l3 l4]]
	// [0 1] [1 2 3 4 0]
}

func ExampleBit() {
	fmt.Println(convert.Bit{Lane: true, Index: 3})
	// Output: l3
}

func ExampleBit_String() {
	fmt.Println(convert.Bit{Index: 2})
	// Output: r2
}

func ExampleExchange() {
	for _, x := range must(convert.NewShuffle(blocked(), fragment(), 16)).Permutation.Mixed {
		fmt.Println("register bit", x.RegBit, "with lane bit", x.LaneBit, x.Pre, x.Post)
	}
	// Output: register bit 1 with lane bit 0 3210/7654 3210/7654
}

func ExampleSelectors() {
	fmt.Println(convert.Selectors{Low: 0x5410, High: 0x7632})
	// Output: 5410/7632
}

func ExampleSelectors_String() {
	fmt.Println(convert.Selectors{Low: 0x3210, High: 0x7654})
	// Output: 3210/7654
}
