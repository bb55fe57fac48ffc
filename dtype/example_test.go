package dtype_test

import (
	"errors"
	"fmt"

	"girih/dtype"
)

func Example() {
	t, _ := dtype.Parse("cutlass::float_e4m3_t")
	code, _ := t.Encode(0.3)
	x, _ := t.Decode(code)
	fmt.Printf("%v has %d bits: 0.3 becomes %#x, which is %v\n", t, t.Bits(), code, x)
	// Output: e4m3 has 8 bits: 0.3 becomes 0x2a, which is 0.3125
}

func ExampleParse() {
	for _, name := range []string{"half_t", "fp16", "torch.float16", "Float16", "f16"} {
		t, _ := dtype.Parse(name)
		fmt.Println(t)
	}
	_, err := dtype.Parse("fp8")
	fmt.Printf("%.70s\n", err)
	// Output:
	// f16
	// f16
	// f16
	// f16
	// f16
	// name: "fp8" is no element type: the types are f64 f32 tf32 f16 bf16 e5
}

func ExampleAll() {
	fmt.Println(dtype.All())
	// Output: [f64 f32 tf32 f16 bf16 e5m2 e4m3 ue4m3 ue8m0 e3m2 e2m3 e2m1 e5m2fnuz e4m3fnuz s64 s32 s16 s8 s6 s4 s2 u64 u32 u16 u8 u6 u4 u3 u2 u1 b128 b64 b32 b16 b8 b6 b4 b2 b1]
}

func ExampleType_String() {
	fmt.Println(dtype.BF16)
	// Output: bf16
}

func ExampleType_Bits() {
	fmt.Println(dtype.E2M1.Bits(), dtype.TF32.Bits())
	// Output: 4 32
}

func ExampleType_Kind() {
	fmt.Println(dtype.UE8M0.Kind(), dtype.S4.Kind(), dtype.B16.Kind())
	// Output: float signed integer raw bits
}

func ExampleKind_String() {
	fmt.Println(dtype.Natural)
	// Output: natural number
}

func ExampleType_CPP() {
	fmt.Println(dtype.F16.CPP(), dtype.B128.CPP())
	// Output: half_t uint128_t
}

func ExampleType_PTX() {
	fmt.Println(dtype.BF16.PTX(), dtype.UE8M0.PTX())
	// Output: .bf16 .ue8m0
}

func ExampleType_DSL() {
	fmt.Println(dtype.E4M3.DSL())
	// Output: Float8E4M3FN
}

func ExampleType_Triton() {
	fmt.Println(dtype.E4M3.Triton(), dtype.E4M3FNUZ.Triton())
	// Output: fp8e4nv fp8e4b8
}

func ExampleType_Torch() {
	fmt.Println(dtype.U1.Torch())
	// Output: bool
}

func ExampleType_Spellings() {
	fmt.Println(dtype.E3M2.Spellings())
	// Output: [e3m2 float_e3m2_t Float6E3M2FN fp6e3m2 fp6_e3m2 f6e3m2fn float6_e3m2fn __nv_fp6_e3m2]
}

func ExampleType_Decode() {
	for code := range uint64(8) {
		x, _ := dtype.E2M1.Decode(code)
		fmt.Print(x, " ")
	}
	// Output: 0 0.5 1 1.5 2 3 4 6
}

func ExampleType_DecodeInt() {
	x, _ := dtype.S4.DecodeInt(0xf)
	fmt.Println(x)
	// Output: -1
}

func ExampleType_Encode() {
	code, _ := dtype.F16.Encode(100000)
	fmt.Printf("%#x\n", code)
	_, err := dtype.E4M3.Encode(100000)
	fmt.Println(err)
	// Output:
	// 0x7c00
	// range: 100000 is beyond the largest value of e4m3, 448, and there is no infinity
}

func ExampleType_EncodeInt() {
	code, _ := dtype.BF16.EncodeInt(257)
	x, _ := dtype.BF16.Decode(code)
	fmt.Println(x)
	// Output: 256
}

func ExampleType_EncodeSaturating() {
	code, _ := dtype.E4M3.EncodeSaturating(100000)
	fmt.Printf("%#x\n", code)
	// Output: 0x7e
}

func ExampleCode() {
	_, err := dtype.Parse("float7")
	var e *dtype.Error
	fmt.Println(errors.As(err, &e) && e.Code == dtype.CodeName)
	// Output: true
}

func ExampleError_Error() {
	_, err := dtype.B16.Decode(0)
	fmt.Println(err)
	// Output: type: b16 is 16 bits without a meaning: name a type of that width
}

func ExampleError_Unwrap() {
	_, err := dtype.Parse("f15")
	fmt.Println(errors.Is(err, dtype.CodeName))
	// Output: true
}
