package descriptor_test

import (
	"errors"
	"fmt"
	"log"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
)

// operand returns A of any wgmma on halves.
func operand() descriptor.Operand {
	o, err := descriptor.FindOperand("wgmma", dtype.F16, atom.OperandA)
	if err != nil {
		log.Fatal(err)
	}
	return o
}

func mustTile(shape ...int64) cute.Composed {
	l, err := mustAtom("Layout_K_SW128_Atom<half_t>").TileToShape(cute.Ints(shape...), cute.Tuple{})
	if err != nil {
		log.Fatal(err)
	}
	return l
}

func Example() {
	f, err := operand().Fit(mustTile(128, 64), 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Matrices[0])
	fmt.Printf("%#016x\n", f.Matrices[0].Bits())
	fmt.Println(f.Step.Constant())
	// Output:
	// SW128, K-major, start 0, LBO 16, SBO 1024
	// 0x4000004000010000
	// 32 true
}

func ExampleFormat() {
	d := descriptor.Matrix{Format: descriptor.SM100, Pattern: descriptor.SW128, Leading: 16, Stride: 1024}
	fmt.Printf("%#016x\n", d.Bits())
	d.Format = descriptor.SM90
	fmt.Printf("%#016x\n", d.Bits())
	// Output:
	// 0x4000404000010000
	// 0x4000004000010000
}

func ExampleFormat_String() {
	fmt.Println(descriptor.SM90, descriptor.SM100)
	// Output: wgmma tcgen05
}

func ExampleMatrix() {
	d := descriptor.Matrix{Pattern: descriptor.INTER, Leading: 2048, Stride: 128}
	at, err := d.Find(16, 9, 8) // row 9, k 8 of halves
	fmt.Println(at, err)
	// Output: 2192 <nil>
}

func ExampleMatrix_Align() {
	fmt.Println(descriptor.Matrix{Pattern: descriptor.SW64}.Align())
	// Output: 512
}

func ExampleMatrix_Bits() {
	fmt.Printf("%#016x\n", descriptor.Matrix{Pattern: descriptor.SW128, Start: 32, Leading: 16, Stride: 1024}.Bits())
	// Output: 0x4000004000010002
}

func ExampleMatrix_Check() {
	fmt.Println(descriptor.Matrix{Pattern: descriptor.SW128, Stride: 1000}.Check())
	// Output: not_representable: descriptor: a descriptor has a stride byte offset of 0 to 262128 bytes in steps of 16, found 1000 (PTX ISA 9.7.15.5.1.2.2)
}

func ExampleMatrix_Find() {
	d := descriptor.Matrix{Pattern: descriptor.SW128, Stride: 1024}
	fmt.Println(d.Find(16, 1, 0))
	d.Start, d.Base = 128, 1 // the pattern begins at byte 128
	fmt.Println(d.Find(16, 1, 0))
	// Output:
	// 144 <nil>
	// 272 <nil>
}

func ExampleMatrix_Layout() {
	d := descriptor.Matrix{Pattern: descriptor.SW128, Stride: 1024}
	fmt.Println(d.Layout(16, 128, 16))
	// Output: Sw<3,3,3> o 0 o ((8,16),16):((64,512),1) <nil>
}

func ExampleMatrix_String() {
	fmt.Println(descriptor.Matrix{Pattern: descriptor.SW32, Major: atom.MNMajor, Leading: 256, Stride: 2048, Base: 2})
	// Output: SW32, MN-major, start 0, LBO 256, SBO 2048, base offset 2
}

func ExampleDecode() {
	fmt.Println(descriptor.Decode(descriptor.SM90, atom.KMajor, 0x4000004000010000))
	fmt.Println(descriptor.Decode(descriptor.SM100, atom.KMajor, 0x4000004000010000))
	// Output:
	// SW128, K-major, start 0, LBO 16, SBO 1024 <nil>
	// INTER, K-major, start 0, LBO 0, SBO 0 not_representable: descriptor: a descriptor of tcgen05 has 0b001 in the bits 46-48, found 000 of 0x4000004000010000 (PTX ISA 9.7.16.4.1, table 40)
}

func ExampleTile() {
	t, err := descriptor.NewTile(cute.MustParse("(64,16,4):(16,1,1024)"))
	fmt.Println(t, err)
	// Output: (64,16,4):(16,1,1024) <nil>
}

func ExampleNewTile() {
	_, err := descriptor.NewTile(cute.MustParse("64:1"))
	fmt.Println(err)
	// Output: rank: descriptor: expected (M,K), (M,K,stages) or ((m,k),M,K,stages), found 64:1
}

func ExampleTile_String() {
	t, err := descriptor.NewTile(cute.MustParse("(64,16):(16,1)"))
	fmt.Println(t.String(), err)
	// Output: (64,16):(16,1) <nil>
}

func ExampleTile_Rows() {
	t, err := descriptor.NewTile(cute.MustParse("((64,16),2,4,3):((64,1),4096,16,8192)"))
	fmt.Println(t.Rows(), t.Columns(), t.Stages(), err)
	// Output: 128 64 3 <nil>
}

func ExampleTile_Columns() {
	t, err := descriptor.NewTile(cute.MustParse("(128,64):(64,1)"))
	fmt.Println(t.Columns(), err)
	// Output: 64 <nil>
}

func ExampleTile_Stages() {
	t, err := descriptor.NewTile(cute.MustParse("(128,64,3):(64,1,8192)"))
	fmt.Println(t.Stages(), err)
	// Output: 3 <nil>
}

func ExampleTile_At() {
	t, err := descriptor.NewTile(cute.MustParse("(128,64,3):(64,1,8192)"))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.At(1, 2, 1))
	// Output: 8258 <nil>
}

func ExampleTile_Matrix() {
	t, err := descriptor.NewTile(mustTile(128, 64))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(t.Matrix(mustMMA("SM90_64x64x16_F32F16F16_SS"), atom.OperandA, 64, 16))
	// Output: SW128, K-major, start 8224, LBO 16, SBO 1024 <nil>
}

func ExampleOperand() {
	o, err := descriptor.FindOperand("wgmma.mma_async.sync.aligned.m64n24k16.f32.bf16.bf16", 0, atom.OperandB)
	fmt.Println(o.Rows, o.K, o.Type, o.Majors, err)
	// Output: 24 16 bf16 [K MN] <nil>
}

func ExampleOperandOf() {
	_, err := descriptor.OperandOf(mustMMA("SM90_64x128x16_F32F16F16_RS"), atom.OperandA)
	fmt.Println(err)
	// Output: type: descriptor: A of SM90_64x128x16_F32F16F16_RS has no descriptor: it is in registers
}

func ExampleFindOperand() {
	o, err := descriptor.FindOperand("tcgen05", dtype.E3M2, atom.OperandA)
	fmt.Println(o.Type, o.Bits, o.K, err)
	// Output: e3m2 8 32 <nil>
}

func ExampleOperand_Atoms() {
	for _, a := range operand().Atoms() {
		fmt.Println(a.Name())
	}
	// Output:
	// Layout_K_INTER_Atom<half_t>
	// Layout_K_SW32_Atom<half_t>
	// Layout_K_SW64_Atom<half_t>
	// Layout_K_SW128_Atom<half_t>
	// Layout_MN_INTER_Atom<half_t>
	// Layout_MN_SW32_Atom<half_t>
	// Layout_MN_SW64_Atom<half_t>
	// Layout_MN_SW128_Atom<half_t>
}

func ExampleOperand_Fit() {
	f, err := operand().Fit(mustTile(128, 64, 3), 0)
	fmt.Println(f.Matrices[0], f.Stage.Starts, err)
	_, err = operand().Fit(cute.MustParse("(128,64):(64,1)"), 0)
	fmt.Println(err)
	// Output:
	// SW128, K-major, start 0, LBO 16, SBO 1024 [0 16384 32768] <nil>
	// not_representable: descriptor: core matrix (0,0) is out of place: SW128, K-major, reads element (1,0) at byte 144, and (128,64):(64,1) has it at 128
}

func ExampleFit() {
	f, err := operand().Fit(mustTile(128, 128), 0)
	fmt.Println(f.Atom.Name(), f.Operand.Rows, f.Operand.K, f.Block.Count, f.Alike, f.Sum, err)
	// Output: Layout_K_SW128_Atom<half_t> 64 16 2 true true <nil>
}

func ExampleFit_Matrix() {
	f, err := operand().Fit(mustTile(128, 64, 3), 0)
	fmt.Println(f.Matrix(1, 1, 2), err)
	// Output: SW128, K-major, start 40992, LBO 16, SBO 1024 <nil>
}

func ExampleAdvance() {
	f, err := operand().Fit(mustTile(64, 128), 0)
	fmt.Println(f.Step.Count, f.Step.Starts, err)
	// Output: 8 [0 32 64 96 8192 8224 8256 8288] <nil>
}

func ExampleAdvance_Constant() {
	f, err := operand().Fit(mustTile(64, 128), 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(f.Step.Constant())
	// Output: 0 false
}

func ExampleMisfit() {
	_, err := operand().Fit(cute.MustParse("(128,64):(64,1)"), 0)
	if m, ok := errors.AsType[*descriptor.Misfit](err); ok {
		fmt.Println(m.Pattern, m.Core, m.Row, m.K, m.Want, m.At)
	}
	// Output: SW128 [0 0] 1 0 144 128
}

func ExampleMisfit_Error() {
	_, err := operand().Fit(cute.MustParse("(64,16):(17,1)"), 0)
	fmt.Println(err)
	// Output: not_representable: descriptor: 16 bytes begin at a multiple of 16, element (1,0) of (64,16):(17,1) is at byte 34
}

func ExampleMisfit_Unwrap() {
	_, err := operand().Fit(cute.MustParse("(64,16):(17,1)"), 0)
	e, ok := errors.AsType[*cute.Error](err)
	fmt.Println(e.Code, ok)
	// Output: not_representable true
}

func ExampleNear() {
	n, err := operand().Nearest(cute.MustParse("(128,64):(65,1)"))
	fmt.Println(n.Layout, n.Atom.Name(), err)
	// Output: Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)) Layout_K_SW128_Atom<half_t> <nil>
}

func ExampleNear_Expr() {
	n, err := operand().Nearest(cute.MustParse("(128,64):(65,1)"))
	fmt.Println(n.Expr(descriptor.SM90), err)
	// Output: tile_to_shape(GMMA::Layout_K_SW128_Atom<half_t>{}, (128,64)) <nil>
}

func ExampleOperand_Tile() {
	t, err := operand().Tile(cute.MustParse("((64,16),2,4):((64,1),4096,16)"))
	fmt.Println(t.Rows(), t.Columns(), t.Stages(), err)
	// Output: 128 64 1 <nil>
}

func ExampleOperand_Nearest() {
	n, err := operand().Nearest(cute.MustParse("(128,64):(64,1)"))
	fmt.Println(n.Layout, err)
	fmt.Println(n.Why)
	// Output:
	// Sw<3,3,3> o 0 o (128,64):(64,1) <nil>
	// it is the same layout with Sw<3,3,3>, which is the swizzle of SW128
}
