package view_test

import (
	"fmt"

	"girih/cute"
	"girih/f2"
	"girih/internal/picture/view"
	"girih/linear"
)

func ExampleMatrix() {
	l, err := linear.FromLayout(cute.MustParse("(2,4):(4,1)"), "row", "col")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := view.Matrix(l, view.Options{})
	fmt.Println(s.Title)
	fmt.Println(s.Desc)
	// Output:
	// linear layout (row 2, col 4) -> (offset 8)
	// Rank 3 of 3 rows and 3 columns: invertible.
}

func ExampleMatrixF2() {
	m, _ := f2.FromRows([]int{1, 1, 0}, []int{0, 1, 1})
	s, err := view.MatrixF2(m, view.Options{})
	fmt.Println(s.Desc, err)
	// Output:
	// Rank 2 of 2 rows and 3 columns: surjective, not injective. Kernel of dimension 1: inputs that differ by x0 ⊕ x1 ⊕ x2 have the same value. <nil>
}

func ExampleWiring() {
	s, err := view.Wiring(cute.MustParse("(2,4):(1,4)"), view.Options{})
	fmt.Println(texts(s)[:13], err)
	fmt.Println(s.Desc)
	// Output:
	// [(2,4):(1,4) mode 0 mode 1 2:1 4:4 0 1 2 3 1 2 gap 4] <nil>
	// 8 elements, cosize 14; no two have the same offset. A wire is a bit of the input; a place on the right is a bit of the offset and shows its value. No leaf counts the places of a gap.
}

func ExampleWiringNamed() {
	tile, _ := cute.MakeIdentityLayout(cute.Ints(16, 8))
	tv, err := cute.Composition(tile, cute.MustParse("((4,8),(2,2)):((32,1),(16,8))")) // the accumulator of an m16n8 MMA
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := view.WiringNamed(tv, []string{"thread", "value"}, view.Options{})
	fmt.Println(texts(s)[:7], err)
	// Output:
	// [((4,8),(2,2)):((2@1,1@0),(1@1,8@0)) thread value 4:2@1 8:1@0 2:1@1 2:8@0] <nil>
}

func ExampleWiringComposed() {
	w, _ := cute.NewSwizzle(1, 0, 1)
	c, _ := cute.NewComposed(w, cute.Int(0), cute.MustParse("(2,2):(2,1)"))
	s, err := view.WiringComposed(c, view.Options{})
	fmt.Println(texts(s), err)
	// Output:
	// [Sw<1,0,1> o 0 o (2,2):(2,1) mode 0 mode 1 2:2 2:1 0 1 offset 0 1 Sw<1,0,1> 1 = x0 ⊕ x1 2 4 elements, cosize 4; no two have the same offset. A wire is a bit of the input; a place on the right is a bit of the offset and shows its value. Sw<1,0,1> adds bits without carry where wires meet in ⊕.] <nil>
}

func ExampleWiringLinear() {
	l, _ := linear.Strided1D(4, 2, "lane", "offset")
	fmt.Println(texts(view.WiringLinear(l, view.Options{})))
	// Output:
	// [linear layout (lane 4) -> (offset 8) lane 0 1 0 1 2 0 offset Rank 2 of 3 rows and 2 columns: injective, not surjective. Completed to all outputs by offset0.]
}

func ExampleSwizzle() {
	w, _ := cute.NewSwizzle(3, 3, 3)
	c, _ := cute.NewComposed(w, cute.Int(0), cute.MustParse("(8,64):(64,1)"))
	s, err := view.Swizzle(c, 16, view.Options{})
	fmt.Println(texts(s)[1], err)
	fmt.Println(s.Desc)
	// Output:
	// Sw<3,3,3>: bits 6 to 8 added to bits 3 to 5, without carry <nil>
	// The fill is the bank of the element, 16 bits wide, in a tile that begins in bank 0: byte/4 mod 32. A cell is 8 elements that stay neighbours; its number is the offset of the first. 448 of 512 elements move; ← is the offset before.
}
