package descriptor_test

import (
	"fmt"

	"girih/atom"
	"girih/descriptor"
	"girih/dtype"
)

func halves() descriptor.Instruction {
	return descriptor.Instruction{Kind: descriptor.KindF16, A: dtype.BF16, B: dtype.BF16, D: dtype.F32, M: 128, N: 256}
}

func ExampleInstruction() {
	i := halves()
	i.BMajor = atom.MNMajor
	fmt.Println(i)
	// Output: kind::f16, f32 = bf16 (K-major) * bf16 (MN-major), M 128, N 256, K 16, cta_group::1
}

func ExampleInstructionOf() {
	i, err := descriptor.InstructionOf(mustMMA("SM100_MMA_F8F6F4_SS<float_e4m3_t,float_e5m2_t,float,128,192,UMMA::Major::K,UMMA::Major::K>"))
	fmt.Println(i, err)
	// Output: kind::f8f6f4, f32 = e4m3 (K-major) * e5m2 (K-major), M 128, N 192, K 32, cta_group::1 <nil>
}

func ExampleInstruction_Bits() {
	fmt.Printf("%#08x\n", halves().Bits())
	// Output: 0x08400490
}

func ExampleInstruction_Check() {
	i := halves()
	i.N = 100
	fmt.Println(i.Check())
	// Output: extent: descriptor: N of kind::f16 with cta_group::1 with M of 128 is 8 to 256 in steps of 8, found 100 (PTX ISA 9.7.16.2.1, table 39, and 9.7.16.10.1, table 50)
}

func ExampleInstruction_K() {
	i := halves()
	i.Sparse = true
	fmt.Println(i.K())
	// Output: 32
}

func ExampleInstruction_Nearest() {
	i := halves()
	i.M, i.N = 192, 100
	near, err := i.Nearest()
	fmt.Println(near, err)
	// Output: kind::f16, f32 = bf16 (K-major) * bf16 (K-major), M 256, N 96, K 16, cta_group::2 <nil>
}

func ExampleInstruction_String() {
	fmt.Println(halves().String())
	// Output: kind::f16, f32 = bf16 (K-major) * bf16 (K-major), M 128, N 256, K 16, cta_group::1
}

func ExampleDecodeInstruction() {
	fmt.Println(descriptor.DecodeInstruction(descriptor.KindF16, 0x8400490))
	_, err := descriptor.DecodeInstruction(descriptor.KindTF32, 0x8400490)
	fmt.Println(err)
	// Output:
	// kind::f16, f32 = bf16 (K-major) * bf16 (K-major), M 128, N 256, K 16, cta_group::1 <nil>
	// not_representable: descriptor: the type of A of kind::tf32 is a code of [2], found 1 (PTX ISA 9.7.16.4.2)
}

func ExampleKind() {
	fmt.Println(descriptor.KindMXF4NVF4, descriptor.KindF8F6F4)
	// Output: mxf4nvf4 f8f6f4
}

func ExampleKind_String() {
	fmt.Println(descriptor.KindI8.String())
	// Output: i8
}

func ExampleKind_Types() {
	fmt.Println(descriptor.KindF8F6F4.Types())
	// Output: [e4m3 e5m2 e2m3 e3m2 e2m1]
}

func ExampleKind_Scaled() {
	fmt.Println(descriptor.KindF8F6F4.Scaled(), descriptor.KindMXF8F6F4.Scaled())
	// Output: false true
}

func ExampleKind_K() {
	fmt.Println(descriptor.KindF16.K(), descriptor.KindMXF4.K())
	// Output: 16 64
}

func ExampleKindOf() {
	fmt.Println(descriptor.KindOf(dtype.BF16), descriptor.KindOf(dtype.E5M2), descriptor.KindOf(dtype.F64))
	// Output: f16 f8f6f4 none
}

func ExampleFindKind() {
	fmt.Println(descriptor.FindKind(".kind::mxf8f6f4"))
	// Output: mxf8f6f4 <nil>
}

func ExampleInstruction_CTAs() {
	i := descriptor.Instruction{Kind: descriptor.KindF16, A: dtype.F16, B: dtype.F16, D: dtype.F32, M: 256, N: 64}
	fmt.Println(i.CTAs())
	// Output: 2
}
