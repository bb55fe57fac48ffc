package descriptor_test

import (
	"fmt"
	"log"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
)

func mustAtom(name string) descriptor.Atom {
	a, err := descriptor.FindAtom(name)
	if err != nil {
		log.Fatal(err)
	}
	return a
}

func mustMMA(name string) atom.MMA {
	m, err := atom.FindMMA(name)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

func ExamplePattern() {
	fmt.Println(descriptor.INTER, descriptor.SW32, descriptor.SW64, descriptor.SW128, descriptor.SW128Base)
	// Output: INTER SW32 SW64 SW128 SW128_32B
}

func ExamplePattern_String() {
	fmt.Println(descriptor.SW128Base.String())
	// Output: SW128_32B
}

func ExamplePattern_Width() {
	fmt.Println(descriptor.INTER.Width(), descriptor.SW64.Width(), descriptor.SW128Base.Width())
	// Output: 16 64 128
}

func ExamplePattern_Rows() {
	fmt.Println(descriptor.SW128.Rows(), descriptor.SW128Base.Rows())
	// Output: 8 4
}

func ExamplePattern_Align() {
	fmt.Println(descriptor.INTER.Align(), descriptor.SW32.Align(), descriptor.SW64.Align(), descriptor.SW128.Align())
	// Output: 16 256 512 1024
}

func ExamplePattern_Swizzle() {
	fmt.Println(descriptor.SW128.Swizzle(), descriptor.SW128Base.Swizzle())
	// Output: Sw<3,4,3> Sw<2,5,2>
}

func ExampleAtom() {
	a, err := descriptor.MakeAtom(descriptor.SW128, atom.KMajor, dtype.F16)
	fmt.Println(a.Layout, a.Swizzle, a.Elements, err)
	// Output: (8,64):(64,1) Sw<3,4,3> Sw<3,3,3> o 0 o (8,64):(64,1) <nil>
}

func ExampleMakeAtom() {
	_, err := descriptor.MakeAtom(descriptor.SW128, atom.KMajor, dtype.E3M2)
	fmt.Println(err)
	// Output: type: descriptor: expected elements that fill 16 bytes evenly, found e3m2 of 6 bits
}

func ExampleMakeUnpackedAtom() {
	a, err := descriptor.MakeUnpackedAtom(descriptor.SW128, atom.KMajor, dtype.E3M2)
	fmt.Println(a.Name(), a, err)
	// Output: Layout_K_SW128_Atom<uint8_t> Sw<3,4,3> o smem_ptr[8b](unset) o (8,128):(128,1) <nil>
}

func ExampleFindAtom() {
	fmt.Println(descriptor.FindAtom("GMMA::Layout_K_SW128_Atom<half_t>"))
	fmt.Println(descriptor.FindAtom("UMMA::Layout_MN_SW128_32B_Atom<tfloat32_t>"))
	// Output:
	// Sw<3,4,3> o smem_ptr[16b](unset) o (8,64):(64,1) <nil>
	// Sw<2,5,2> o smem_ptr[32b](unset) o (32,4):(1,32) <nil>
}

func ExampleAtom_Name() {
	a, err := descriptor.MakeAtom(descriptor.SW32, atom.MNMajor, dtype.TF32)
	fmt.Println(a.Name(), err)
	// Output: Layout_MN_SW32_Atom<tfloat32_t> <nil>
}

func ExampleAtom_Kind() {
	fmt.Println(mustAtom("Layout_K_SW128_Atom<half_t>").Kind())
	// Output: K_SW128
}

func ExampleAtom_String() {
	a, err := descriptor.MakeAtom(descriptor.INTER, atom.KMajor, dtype.S8)
	fmt.Println(a, err)
	// Output: Sw<0,4,3> o smem_ptr[8b](unset) o (8,16):(16,1) <nil>
}

func ExampleAtom_Sparse() {
	a, err := mustAtom("Layout_K_SW128_Atom<half_t>").Sparse(2)
	fmt.Println(a.Name(), a, err)
	// Output: Layout_K_SW128_SpAtom<half_t,2> Sw<3,4,3> o smem_sparse<2>_ptr[16b](unset) o ((1,8),(2,64)):((0,128),(1,2)) <nil>
}

func ExampleAtom_TileToShape() {
	fmt.Println(mustAtom("GMMA::Layout_K_SW128_Atom<half_t>").TileToShape(cute.Ints(128, 64), cute.Tuple{}))
	// Output: Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)) <nil>
}

func ExampleAtomsOf() {
	m := mustMMA("SM90_64x128x16_F32F16F16_SS<GMMA::Major::K,GMMA::Major::MN>")
	for _, a := range descriptor.AtomsOf(m, atom.OperandB) {
		fmt.Println(a)
	}
	// Output:
	// Sw<0,4,3> o smem_ptr[16b](unset) o (8,8):(1,8)
	// Sw<1,4,3> o smem_ptr[16b](unset) o (16,8):(1,16)
	// Sw<2,4,3> o smem_ptr[16b](unset) o (32,8):(1,32)
	// Sw<3,4,3> o smem_ptr[16b](unset) o (64,8):(1,64)
}

func ExampleSelection() {
	s, err := descriptor.SelectSS.Select(atom.MNMajor, dtype.F16, [2]int64{96, 64}, 1)
	fmt.Println(s.Atom.Name(), len(s.Tried), s.Extent, s.Wide, err)
	// Output: Layout_MN_SW64_Atom<half_t> 1 96 32 <nil>
}

func ExampleSelector_Select() {
	s, err := descriptor.SelectSS.Select(atom.KMajor, dtype.F16, [2]int64{128, 64}, 1)
	fmt.Println(s.Atom.Name(), err)
	fmt.Println(s.Why)
	// Output:
	// Layout_K_SW128_Atom<half_t> <nil>
	// BLK_K of 64 elements of f16 are 128 bytes: the widest row that divides it is SW128, 64 elements (128 bytes)
}

func ExampleFindSelector() {
	fmt.Println(descriptor.FindSelector("SM90_64x64x16_F32F16F16_RS"))
	// Output: rs_smem_selector false <nil>
}

func ExampleSelector_String() {
	fmt.Println(descriptor.SelectSM100, descriptor.SelectRR)
	// Output: sm100_smem_selector sm120_rr_smem_selector
}

func ExampleAtom_Held() {
	a, err := descriptor.MakeUnpackedAtom(descriptor.SW128, atom.KMajor, dtype.E3M2)
	fmt.Println(a.Type, a.Held(), err)
	// Output: e3m2 u8 <nil>
}
