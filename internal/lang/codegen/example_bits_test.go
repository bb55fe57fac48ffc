package codegen_test

import (
	"fmt"

	"girih/cute"
	"girih/f2"
	"girih/internal/lang/codegen"
	"girih/internal/lang/triton"
	"girih/linear"
)

func ExampleF2() {
	fmt.Println(codegen.Write(codegen.JSON, codegen.F2(f2.Vector(9))))
	// Output: {"kind":"f2","value":9} <nil>
}

func ExampleMatrix() {
	m, err := f2.FromRows([]int{1, 0}, []int{1, 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(codegen.Write(codegen.LaTeX, codegen.Matrix(m)))
	// Output: \begin{pmatrix} 1 & 0 \\ 1 & 1 \end{pmatrix} <nil>
}

func ExampleXor() {
	x, err := linear.NewXor(cute.Ints(8, 8), 9, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(codegen.Write(codegen.MLIR, codegen.Xor(x)))
	// Output: !cute.composed_layout<"S<3,0,3> o 0 o (8,8):(8,1)"> <nil>
}

func ExampleLinear() {
	l, err := linear.FromLayout(cute.MustParse("(4,2):(2,1)"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(codegen.Write(codegen.Triton, codegen.Linear(l)))
	// Output: LinearLayout.from_bases([("index", [[2], [4], [1]])], ["offset"], [8], False) <nil>
}

func ExampleEncoding() {
	fmt.Println(codegen.Write(codegen.Triton, codegen.Encoding(swizzled())))
	// Output: type: triton: there is no value for swizzled_shared{vec=8, perPhase=1, maxPhase=8, order=[1,0]}: an encoding is a layout with the shape of a tensor, linear(..., (16,16))
}

// An instruction has a type in CuTe C++ only.
func ExampleInstruction() {
	v := codegen.Instruction("mma_atom", `mma("SM70_8x8x4_F32F16F16F32_TN")`, map[codegen.Dialect]string{codegen.CPP: "MMA_Atom<SM70_8x8x4_F32F16F16F32_TN>{}"})
	fmt.Println(codegen.Write(codegen.CPP, v))
	fmt.Println(codegen.Write(codegen.PyCute, v))
	// Output:
	// MMA_Atom<SM70_8x8x4_F32F16F16F32_TN>{} <nil>
	//  type: pycute: there is no value for mma("SM70_8x8x4_F32F16F16F32_TN")
}

// An order replaces a stride.
func ExampleOrder() {
	fmt.Println(codegen.Write(codegen.CPP, codegen.OrderValue(codegen.LayoutLeft)))
	fmt.Println(codegen.Write(codegen.JSON, codegen.OrderValue(codegen.LayoutLeft)))
	// Output:
	// LayoutLeft{} <nil>
	// {"kind":"order","value":"LayoutLeft"} <nil>
}

func swizzled() triton.Encoding {
	e, err := triton.FromRecord("swizzled_shared", triton.Field{Key: "vec", Value: 8},
		triton.Field{Key: "perPhase", Value: 1}, triton.Field{Key: "maxPhase", Value: 8},
		triton.Field{Key: "order", Value: []any{1, 0}})
	if err != nil {
		panic(err)
	}
	return e
}
