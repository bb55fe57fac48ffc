package explain_test

import (
	"fmt"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/dtype"
	"girih/internal/why/explain"
)

func plan(l banks.Memory, bits int, access string) *banks.Plan {
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		panic(err)
	}
	a, err := banks.ParseAccess(access, bits)
	if err != nil {
		panic(err)
	}
	rule, err := target.Rule(a)
	if err != nil {
		panic(err)
	}
	p, err := banks.NewPlan(rule, l, bits, banks.Threads{})
	if err != nil {
		panic(err)
	}
	return p
}

func ExampleBank() {
	l := cute.MustParse("(8,64):(64,1)")
	x, err := explain.Bank(l, 16, plan(l, 16, "ldmatrix.x4"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Result)
	fmt.Println(x.Steps[4].Say)
	for _, a := range x.Instead {
		fmt.Println(a.Say, a.Expr)
	}
	// Output:
	// 64 wavefronts, 8 without conflicts
	// From lane to lane the address grows by 128 bytes = 32 words, and gcd(32, 32) = 32: the lanes begin in 32/32 = 1 bank in turns. Each takes 4 banks from there, so 8 lanes want the same ones.
	// Behind the swizzle Sw<3,3,3>, of offsets in elements, conflict-free: Sw<3,3,3> o 0 o (8,64):(64,1)
	// With 8 elements of padding in each row: (8,64):(72,1)
}

func ExampleCopyFit() {
	m, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		fmt.Println(err)
		return
	}
	t, err := atom.MakeTiledMMA(m, cute.Layout{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := atom.NewCopyRequest(t, atom.OperandA, cute.MustParse("(64,64):(68,1)"), dtype.F16)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := atom.FindCopy("SM75_U32x4_LDSM_N")
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := explain.CopyFit(c, r)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x.Steps[3].Say)
	fmt.Println(x.Instead[0].Say)
	// Output:
	// Thread 1 begins at (1,0), offset 68: 68·16 = bit 1088, and 1088 mod 128 = 64. The address has to be a multiple of 128 bits.
	// strides between rows that are multiples of 8 elements.
}
