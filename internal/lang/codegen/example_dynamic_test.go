package codegen_test

import (
	"fmt"

	"girih/cute"
	"girih/internal/lang/codegen"
	"girih/symbolic"
)

// rows returns the tuple (M,8) and the layout (M,8):(8,1), where M is known only at run time.
func rows() (symbolic.Tuple, symbolic.Layout) {
	var s symbolic.Scope
	m, err := s.Named("M", symbolic.Facts{Div: 4, Min: 0, Max: 1 << 20})
	if err != nil {
		panic(err)
	}
	shape := symbolic.Nest(symbolic.Number(symbolic.Of(m)), symbolic.Number(symbolic.Const(8)))
	stride := symbolic.Nest(symbolic.Number(symbolic.Const(8)), symbolic.Number(symbolic.Const(1)))
	l, err := symbolic.New(shape, stride)
	if err != nil {
		panic(err)
	}
	return shape, l
}

// A run-time integer is written by its name. A comment lists the known facts.
func ExampleSymbolicTuple() {
	shape, _ := rows()
	fmt.Println(codegen.Write(codegen.CPP, codegen.SymbolicTuple(shape)))
	fmt.Println(codegen.Write(codegen.JSON, codegen.SymbolicTuple(shape)))
	// Output:
	// make_shape(M, Int<8>{})  // M % 4 == 0 <nil>
	// {"kind":"tuple","value":[{"sym":"M","div":4},8]} <nil>
}

func ExampleSymbolicLayout() {
	_, l := rows()
	fmt.Println(codegen.Write(codegen.CPP, codegen.SymbolicLayout(l)))
	fmt.Println(codegen.Write(codegen.MLIR, codegen.SymbolicLayout(l)))
	// Output:
	// make_layout(make_shape(M, Int<8>{}), make_stride(Int<8>{}, Int<1>{}))  // M % 4 == 0 <nil>
	// !cute.layout<"(?{div=4},8):(8,1)"> <nil>
}

func ExampleSymbolicComposed() {
	w, err := cute.NewSwizzle(2, 0, 3)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, l := rows()
	c := codegen.SymbolicComposed(codegen.Swizzle(w), symbolic.Number(symbolic.Const(0)), codegen.SymbolicLayout(l))
	fmt.Println(codegen.Write(codegen.CPP, c))
	// Output: composition(Swizzle<2,0,3>{}, Int<0>{}, make_layout(make_shape(M, Int<8>{}), make_stride(Int<8>{}, Int<1>{})))  // M % 4 == 0 <nil>
}

func ExampleSymbolicTiler() {
	shape, _ := rows()
	t, err := symbolic.OfShape(shape)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(codegen.Write(codegen.CPP, codegen.SymbolicTiler(t)))
	// Output: make_tile(make_layout(M, Int<1>{}), Layout<_8,_1>{})  // M % 4 == 0 <nil>
}
