package cute_test

import (
	"fmt"

	"girih/cute"
)

// chain returns the composed layout w o offset o l.
func chain(w cute.Outer, offset int64, l cute.Inner) cute.Composed {
	c, err := cute.NewComposed(w, cute.Int(offset), l)
	if err != nil {
		panic(err)
	}
	return c
}

func swizzleOf(text string) cute.Swizzle {
	w, err := cute.ParseSwizzle(text)
	if err != nil {
		panic(err)
	}
	return w
}

// threeStages is a shared tile of 128 x 64 half elements, three stages deep.
var threeStages = chain(swizzleOf("Sw<3,3,3>"), 0, cute.MustParse("((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192))"))

func ExampleLayout_Composed() {
	fmt.Println(cute.MustParse("(4,2):(2,1)").Composed().Equivalent(chain(swizzleOf("Sw<0,0,0>"), 0, cute.MustParse("(4,2):(2,1)"))))
	// Output: true <nil> <nil>
}

// Of a tile of 24,576 elements a table of 512 says everything: the swizzle acts below 2^9, and the strides 512 and 8192
// pass it.
func ExamplePassage() {
	p, _ := threeStages.Passage()
	fmt.Println(p.Values.Size()*p.Table == threeStages.Size())
	// Output: true
}

func ExampleComposed_Passage() {
	p, err := threeStages.Passage()
	fmt.Println(p.Values, p.Indices, p.Table, p.Bits, err)
	// Output: (16,3):(512,8192) (16,3):(8,8192) 512 9 <nil>
}

// A left inverse is the chain backwards; package swizzle finds the short form Sw<3,0,-10> o 0 o (64,128,3):(128,1,8192)
// of this one.
func ExampleComposed_LeftInverse() {
	r, err := threeStages.LeftInverse()
	fmt.Println(r, err)
	x, _ := threeStages.Eval(cute.Int(24_000))
	fmt.Println(r.Eval(x))
	// Output:
	// (64,128,3):(128,1,8192) o 0 o Sw<3,3,3> o 0 o 24576:1 <nil>
	// 24000 <nil>
}

// A swizzle is its own inverse, also where the number of elements is no power of two.
func ExampleComposed_Inverse() {
	fmt.Println(chain(swizzleOf("Sw<1,2,3>"), 0, cute.MustParse("72:1")).Inverse())
	// Output: Sw<1,2,3> o 0 o 72:1 <nil>
}

// A right inverse reaches as far as there are no gaps: here 5 is no value.
func ExampleComposed_RightInverse() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("(4,3):(1,6)")).RightInverse())
	// Output: (6,3):(1,4) o 0 o Sw<1,0,2> o 0 o 4:1 <nil>
}

func ExampleComposed_Image() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).Image())
	// Output: [0 1 2 3 5] <nil>
}

func ExampleComposed_Holes() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).Holes())
	// Output: [4] <nil>
}

// Storage for this function takes 6 elements; CuTe's cosize, that of the inner layout, is 5.
func ExampleComposed_Cosize() {
	fmt.Println(chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).Cosize())
	// Output: 6 <nil>
}

func ExampleComposed_IsInjective() {
	fmt.Println(threeStages.IsInjective())
	_, w, _ := chain(swizzleOf("Sw<1,0,1>"), 0, cute.MustParse("(2,2):(1,0)")).IsInjective()
	fmt.Println(w.Coord, *w.Other, w.Value)
	// Output:
	// true <nil> <nil>
	// (0,0) (0,1) 0
}

func ExampleComposed_IsSurjective() {
	ok, w, err := chain(swizzleOf("Sw<1,0,2>"), 0, cute.MustParse("5:1")).IsSurjective()
	fmt.Println(ok, w.Value, err)
	// Output: false 4 <nil>
}

func ExampleComposed_IsBijective() {
	fmt.Println(threeStages.IsBijective())
	// Output: true <nil> <nil>
}

func ExampleComposed_IsCompact() {
	fmt.Println(chain(swizzleOf("Sw<1,0,1>"), 4, cute.MustParse("4:1")).IsCompact())
	// Output: true <nil> <nil>
}

func ExampleComposed_CoordAt() {
	fmt.Println(chain(swizzleOf("Sw<2,0,2>"), 0, cute.MustParse("(4,4):(4,1)")).CoordAt(5))
	// Output: (1,0) <nil>
}

// Where digits pass the swizzle two functions are compared without a look at every index: here 2^26 of them.
func ExampleComposed_Equivalent() {
	a := chain(swizzleOf("Sw<3,4,3>"), 0, cute.MustParse("(8192,8192):(8192,1)"))
	b := chain(swizzleOf("Sw<3,4,3>"), 0, cute.MustParse("((8,1024),8192):((8192,65536),1)"))
	fmt.Println(a.Equivalent(b))
	// Output: true <nil> <nil>
}

// What a copy from a swizzled tile to a plain one may move at once.
func ExampleComposed_MaxCommonVector() {
	tile := cute.MustParse("(8,64):(64,1)")
	fmt.Println(chain(swizzleOf("Sw<3,3,3>"), 0, tile).MaxCommonVector(tile.Composed()))
	// Output: 8 <nil>
}

// Vectors of 16 do not cut all indices: a run of 8 ends at index 57, the coordinate (1,7).
func ExampleComposed_TornVector() {
	tile := cute.MustParse("(8,64):(64,1)")
	fmt.Println(chain(swizzleOf("Sw<3,3,3>"), 0, tile).TornVector(tile.Composed(), 16))
	// Output: 57 8 true <nil>
}

// A swizzle leaves 2^M neighbours together.
func ExampleComposed_MaxAlignment() {
	fmt.Println(chain(swizzleOf("Sw<3,3,3>"), 0, cute.MustParse("(8,64):(64,1)")).MaxAlignment())
	// Output: 8 <nil>
}

func ExampleComposed_MaxCommonLayout() {
	tile := cute.MustParse("(8,64):(64,1)")
	fmt.Println(chain(swizzleOf("Sw<3,3,3>"), 0, tile).MaxCommonLayout(tile.Composed()))
	// Output: 8:8 <nil>
}

// A swizzle permutes a tile, so what lies beside the tile is what lies beside a layout.
func ExampleComposed_Sorted() {
	l, least, err := chain(swizzleOf("Sw<2,0,2>"), 0, cute.MustParse("(4,4):(4,1)")).Sorted()
	fmt.Println(l, least, err)
	fmt.Println(cute.Complement(l, cute.Int(64)))
	// Output:
	// 16:1 0 <nil>
	// 4:16 <nil>
}

// Where the inner layouts do not compose, the functions do.
func ExampleComposed_Compose() {
	c := chain(swizzleOf("Sw<1,2,-3>"), 0, cute.MustParse("(4,(2,8)):(1,(32,4))"))
	fmt.Println(c.Compose(cute.MustParse("(2,2):(2,4)")))
	fmt.Println(c.Compose(cute.MustParse("(4,3):(3,0)")))
	// Output:
	// Sw<1,2,-3> o 0 o (2,2):(2,32) <nil>
	// Sw<1,2,-3> o 0 o (4,(2,8)):(1,(32,4)) o 0 o (4,3):(3,0) <nil>
}

func ExampleComposed_After() {
	fmt.Println(cute.MustParse("16:3").Composed().After(swizzleOf("Sw<2,0,2>")))
	// Output: 16:3 o 0 o Sw<2,0,2> o 0 o 16:1 <nil>
}

func ExampleComposed_DomainOffset() {
	fmt.Println(threeStages.DomainOffset(cute.MustParseTuple("((0,1),(0,0),(0,2))")))
	// Output: Sw<3,3,3> o 16896 o ((8,16),(64,1),(1,3)):((64,512),(1,0),(0,8192)) <nil>
}

// Copies of 4 elements in a swizzled order.
func ExampleLogicalProductBy() {
	fmt.Println(cute.LogicalProductBy(cute.MustParse("4:1"), chain(swizzleOf("Sw<1,0,1>"), 0, cute.MustParse("4:1"))))
	// Output: (4,4):(1,4) o 0 o Sw<1,2,1> o 0 o (4,4):(1,4) <nil>
}

func ExampleLogicalDivideBy() {
	fmt.Println(cute.LogicalDivideBy(cute.MustParse("16:1"), chain(swizzleOf("Sw<1,0,1>"), 0, cute.MustParse("4:1"))))
	// Output: 16:1 o 0 o (4,4):(4,1) o 0 o Sw<1,2,1> o 0 o (4,4):(4,1) <nil>
}
