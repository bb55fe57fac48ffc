package swizzle_test

import (
	"fmt"

	"girih/banks"
	"girih/cute"
	"girih/swizzle"
)

// exampleAccess plans an instruction of sm90 on a tile of half elements.
func exampleAccess(name string, tile cute.Layout, threads banks.Threads) swizzle.Access {
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		panic(err)
	}
	a, err := banks.ParseAccess(name, 16)
	if err != nil {
		panic(err)
	}
	rule, err := target.Rule(a)
	if err != nil {
		panic(err)
	}
	plan, err := banks.NewPlan(rule, tile, 16, threads)
	if err != nil {
		panic(err)
	}
	return swizzle.Access{Name: name, Plan: plan}
}

func sw(b, m, s int) cute.Swizzle {
	w, err := cute.NewSwizzle(b, m, s)
	if err != nil {
		panic(err)
	}
	return w
}

// Solve finds the swizzle that frees ldmatrix on rows of 64 half elements; it is printed for bytes, as in CuTe.
func Example() {
	tile := cute.MustParse("(8,64):(64,1)")
	sol, err := swizzle.Solve(swizzle.Problem{Layout: tile, ElemBits: 16, Accesses: []swizzle.Access{
		exampleAccess("ldmatrix.x4", tile, banks.Threads{}),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sol.Kind, sol.Swizzles[0].Swizzle)
	fmt.Println(swizzle.InBytes(sol.Swizzles[0].Swizzle, 16))
	fmt.Println(sol.Before[0].Wavefronts, "->", sol.After[0].Wavefronts)
	// Output:
	// swizzle Sw<3,3,3>
	// Sw<3,4,3> <nil>
	// 64 -> 8
}

// Two swizzles that are the same function on the tile are reported as one.
func ExampleSolve() {
	tile := cute.MustParse("(8,32):(32,1)")
	sol, err := swizzle.Solve(swizzle.Problem{Layout: tile, ElemBits: 16, Accesses: []swizzle.Access{
		exampleAccess("ldmatrix.x4", tile, banks.Threads{}),
	}})
	fmt.Println(sol.Swizzles, err)
	// Output: [{Sw<2,3,3> [Sw<3,3,3>]}] <nil>
}

// Two orders of rows need a map that is not a single swizzle.
func ExampleSolution() {
	tile := cute.MustParse("(128,64):(64,1)")
	sol, err := swizzle.Solve(swizzle.Problem{Layout: tile, ElemBits: 16, Accesses: []swizzle.Access{
		exampleAccess("ld.128", tile, banks.TV(cute.MustParse("((8,4),(8,8,4)):((1,8),(128,1024,32))"))),
		exampleAccess("st.128", tile, banks.TV(cute.MustParse("((8,4),(8,8,2,2)):((8,1),(128,1024,4,64))"))),
	}})
	fmt.Println(sol.Kind, sol.Map, err)
	fmt.Println(sol.Map.Factors())
	// Output:
	// map x ^ ((x & 0xe00) >> 6) ^ ((x & 0x1c0) >> 3) <nil>
	// [Sw<3,3,3> Sw<3,3,6>] <nil>
}

func ExampleChoice_Apply() {
	c := swizzle.Choice{Swizzle: sw(3, 3, 3)}
	fmt.Println(c.Apply(cute.MustParse("(8,64):(64,1)")))
	// Output: Sw<3,3,3> o 0 o (8,64):(64,1) <nil>
}

func ExampleCost_Extra() {
	c := swizzle.Cost{Name: "ldmatrix.x4", Instructions: 1, Wavefronts: 16, Ideal: 4, Degree: 4}
	fmt.Println(c.Extra())
	// Output: 12
}

// Lanes that read columns of 16-byte vectors share 8 places in the banks: no arrangement frees these accesses.
func ExampleProof() {
	tile := cute.MustParse("(32,64):(64,1)")
	sol, err := swizzle.Solve(swizzle.Problem{Layout: tile, ElemBits: 16, Accesses: []swizzle.Access{
		exampleAccess("ldmatrix.x4", tile, banks.Threads{}),
		exampleAccess("ld.16", tile, banks.Rows()),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sol.Kind, sol.Proof.Reason, sol.Proof.Always, len(sol.Proof.Lanes), "lanes,", sol.Proof.Places, "places")
	fmt.Println(sol.Best.Choice.Swizzle, sol.Best.Extra, "extra wavefronts, at least", sol.Best.Least)
	// Output:
	// impossible count true 32 lanes, 8 places
	// Sw<3,3,3> 192 extra wavefronts, at least 192
}

// No map of bits frees 32 rows of 3 half elements; three more elements in each row do.
func ExamplePadding() {
	tile := cute.MustParse("(32,3):(3,1)")
	sol, err := swizzle.Solve(swizzle.Problem{Layout: tile, ElemBits: 16, Accesses: []swizzle.Access{
		exampleAccess("ld.16", tile, banks.Rows()),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sol.Kind, sol.Paddings[0].Layout, sol.Paddings[0].Bytes, "bytes more")
	fmt.Println(sol.Proof.Reason, sol.Proof.Offsets)
	// Output:
	// padding (32,3):(6,1) 186 bytes more
	// subspace [2 4 8 16 32 64]
}

func ExamplePad() {
	p := swizzle.Pad{Every: 32, Elements: 8}
	fmt.Printf("(8,32):(32,1) becomes (8,32):(%d,1)\n", p.Every+p.Elements)
	// Output: (8,32):(32,1) becomes (8,32):(40,1)
}

// For rows as ldmatrix needs them and columns of single elements, the best answer is a compromise.
func ExampleCompromise() {
	tile := cute.MustParse("(32,64):(64,1)")
	sol, err := swizzle.Solve(swizzle.Problem{Layout: tile, ElemBits: 16, Accesses: []swizzle.Access{
		exampleAccess("ldmatrix.x4", tile, banks.Threads{}),
		exampleAccess("ld.16", tile, banks.Rows()),
	}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, c := range sol.Best.Costs {
		fmt.Println(c.Name, sol.Before[i].Wavefronts, "->", c.Wavefronts, "of", c.Ideal)
	}
	// Output:
	// ldmatrix.x4 256 -> 32 of 32
	// ld.16 2048 -> 256 of 64
}

func ExampleKind() {
	_, err := swizzle.Solve(swizzle.Problem{Layout: cute.MustParse("(8,64):(64,1)"), ElemBits: 16})
	fmt.Println(err)
	fmt.Println(swizzle.KindFree, swizzle.KindSwizzle, swizzle.KindMap, swizzle.KindPadding, swizzle.KindImpossible)
	// Output:
	// rank: swizzle: expected at least one access, found none
	// free swizzle map padding impossible
}

func ExampleReason() {
	fmt.Println(swizzle.ReasonCount, swizzle.ReasonClique, swizzle.ReasonSubspace, swizzle.ReasonSearch)
	// Output: count clique subspace search
}

func ExampleProblem() {
	tile := cute.MustParse("(128,8):(1,128)")
	p := swizzle.Problem{
		Layout: tile, ElemBits: 16, Accesses: []swizzle.Access{exampleAccess("ldmatrix.x4.trans", tile, banks.Threads{})},
	}
	sol, err := swizzle.Solve(p)
	fmt.Println(sol.Swizzles[0].Swizzle, err)
	// Output: Sw<3,3,4> <nil>
}

func ExampleAccess() {
	a := exampleAccess("ldmatrix.x4", cute.MustParse("(8,64):(64,1)"), banks.Threads{})
	fmt.Println(a.Name, a.Plan.Instructions(), "instructions of", a.Plan.Vector(), "elements a lane")
	// Output: ldmatrix.x4 2 instructions of 8 elements a lane
}

func ExampleSource() {
	var tile swizzle.Source = cute.MustParse("(2,2):(1,4)")
	fmt.Println(tile.AppendOffsets(nil))
	// Output: [0 1 4 5] <nil>
}

func ExampleFind() {
	from, err := cute.MustParse("(8,64):(64,1)").AppendOffsets(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := swizzle.Choice{Swizzle: sw(3, 3, 3)}.Apply(cute.MustParse("(8,64):(64,1)"))
	if err != nil {
		fmt.Println(err)
		return
	}
	to, err := c.AppendOffsets(nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	f, err := swizzle.Find(from, to)
	fmt.Println(f.Swizzles, err)
	_, err = swizzle.Find([]int64{0, 1, 2, 3}, []int64{0, 1, 2, 4})
	fmt.Println(err)
	// Output:
	// [Sw<3,3,3>] <nil>
	// not_representable: find_swizzle: no exclusive or of bits does it: at index 3 the offset is 3 = 1 ^ 2, which goes to 3 with those before it, and has to go to 4
}

func ExampleRecognize() {
	r, err := swizzle.Recognize([]int64{0, 1, 2, 3, 5, 4, 7, 6, 10, 11, 8, 9, 15, 14, 13, 12})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Composed())
	// Output: Sw<2,0,2> o 0 o 16:1 <nil>
}

func ExampleRecognition_Composed() {
	r, err := swizzle.Recognize([]int64{0, 1, 3, 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Composed())
	// Output: Sw<1,0,1> o 0 o 4:1 <nil>
}

func ExampleCompose() {
	fmt.Println(swizzle.Compose(sw(3, 0, 3), sw(1, 2, 3)))
	_, err := swizzle.Compose(sw(3, 0, 3), sw(1, 2, 1))
	fmt.Println(err)
	// Output:
	// Sw<2,0,3> <nil>
	// not_representable: composition: Sw<3,0,3> o Sw<1,2,1> = x ^ ((x & 0x38) >> 3) ^ ((x & 0x8) >> 1) is no single swizzle: one moves bits by one distance S, this by 3 and 1
}

func ExampleInverse() {
	fmt.Println(swizzle.Inverse(sw(3, 4, 3)))
	// Output: Sw<3,4,3>
}

func ExampleRecast() {
	fmt.Println(swizzle.Recast(sw(3, 4, 3), 8, 32))
	_, err := swizzle.Recast(sw(3, 3, 3), 6, 8)
	fmt.Println(err)
	// Output:
	// Sw<3,2,3> <nil>
	// not_divisible: recast_swizzle: Sw<3,3,3> on units of 6 bits is none on units of 8 bits: their ratio 6/8 is not a power of two
}

func ExampleInBytes() {
	fmt.Println(swizzle.InBytes(sw(3, 3, 3), 16))
	// Output: Sw<3,4,3> <nil>
}

func ExampleInBits() {
	fmt.Println(swizzle.InBits(sw(3, 3, 3), 16))
	// Output: Sw<3,7,3> <nil>
}

func ExampleInElements() {
	fmt.Println(swizzle.InElements(sw(3, 4, 3), 32))
	// Output: Sw<3,2,3> <nil>
}

func ExampleCompare() {
	fmt.Println(swizzle.Compare(sw(2, 3, 3), sw(3, 3, 3)), swizzle.Compare(sw(2, 3, 3), sw(2, 3, -3)))
	// Output: -1 -1
}

// The map adds two higher bits to each of two lower bits.
func ExampleNewMap() {
	m, err := swizzle.NewMap([]uint64{1, 2, 4 | 1, 8 | 2, 16 | 1, 32 | 2})
	fmt.Println(m, err)
	_, err = swizzle.NewMap([]uint64{1, 1})
	fmt.Println(err)
	// Output:
	// x ^ ((x & 0x30) >> 4) ^ ((x & 0xc) >> 2) <nil>
	// not_invertible: swizzle map: the image 0x1 of bit 1 is a sum of the images of lower bits, so that two offsets meet
}

func ExampleMapOf() {
	fmt.Println(swizzle.MapOf(sw(3, 4, 3)))
	// Output: x ^ ((x & 0x380) >> 3)
}

func ExampleMap_After() {
	fmt.Println(swizzle.MapOf(sw(1, 0, 1)).After(swizzle.MapOf(sw(1, 0, 2))))
	// Output: x ^ ((x & 0x4) >> 2) ^ ((x & 0x2) >> 1)
}

func ExampleMap_At() {
	fmt.Println(swizzle.MapOf(sw(3, 3, 3)).At(64))
	// Output: 72 <nil>
}

func ExampleMap_Bits() {
	fmt.Println(swizzle.MapOf(sw(3, 3, 3)).Bits())
	// Output: 9
}

func ExampleMap_Col() {
	fmt.Println(swizzle.MapOf(sw(3, 3, 3)).Col(6))
	// Output: 72
}

func ExampleMap_Cost() {
	fmt.Println(swizzle.MapOf(sw(3, 3, 3)).Cost())
	// Output: 3
}

func ExampleMap_Equal() {
	m := swizzle.MapOf(sw(3, 3, 3))
	fmt.Println(m.Equal(m.Inverse()))
	// Output: true
}

func ExampleMap_Factors() {
	m, err := swizzle.Recognize([]int64{0, 1, 3, 2, 5, 4, 6, 7})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Map.Factors())
	// Output: [Sw<1,0,1> Sw<1,0,2>] <nil>
}

func ExampleMap_Formula() {
	fmt.Println(swizzle.MapOf(sw(3, 4, 3)).Formula("addr"))
	// Output: addr ^ ((addr & 0x380) >> 3)
}

func ExampleMap_Inverse() {
	m, err := swizzle.NewMap([]uint64{1, 3, 6})
	fmt.Println(m.Inverse(), err)
	// Output: x ^ ((x & 0x4) >> 2) ^ ((x & 0x6) >> 1) <nil>
}

func ExampleMap_Matrix() {
	fmt.Println(swizzle.MapOf(sw(1, 0, 2)).Matrix())
	// Output:
	// 1 0 1
	// 0 1 0
	// 0 0 1
}

func ExampleMap_String() {
	fmt.Println(swizzle.MapOf(sw(1, 0, 2)).String())
	// Output: x ^ ((x & 0x4) >> 2)
}

func ExampleMap_Swizzle() {
	m, err := swizzle.NewMap([]uint64{1, 2, 5, 10})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Swizzle())
	// Output: Sw<2,0,2> <nil>
}

func ExampleMap_Terms() {
	for _, t := range swizzle.MapOf(sw(2, 0, 3)).Terms() {
		fmt.Printf("%#x %d\n", t.Mask, t.Shift)
	}
	// Output: 0x18 3
}

func ExampleTerm_String() {
	fmt.Println(swizzle.Term{Mask: 0x1c0, Shift: 3}, swizzle.Term{Mask: 7, Shift: -3})
	// Output: ((x & 0x1c0) >> 3) ((x & 0x7) << 3)
}

func ExampleMap_Recast() {
	fmt.Println(swizzle.MapOf(sw(3, 3, 3)).Recast(16, 8))
	// Output: x ^ ((x & 0x380) >> 3) <nil>
}
