package diagnose_test

import (
	"errors"
	"fmt"

	"girih/internal/why/diagnose"
)

func ExampleRead() {
	r, err := diagnose.Read(
		`error: unknown: unable to compute the following composition: '!cute.layout<"(2,3):(4,1)">' o '!cute.layout<"(3,4):(3,1)">'`,
		nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	f := r.Findings[0]
	fmt.Println(f.Tool, f.Expr)
	fmt.Println(f.Condition)
	fmt.Println(f.Fact)
	fmt.Println(f.Repairs[0].Expr, "=", f.Repairs[0].Result)
	// Output:
	// CuTe DSL (2,3):(4,1) o (3,4):(3,1)
	// the leaf 3:3 of the right operand reaches the mode 2:4 of the left one with the stride 3: 3 mod 2 = 1, and 3 is not below 2
	// no layout has its values: at index 2 the value is 3, where a layout would have 10
	// (2,3):(4,1) o (3,4):(2,1) = (3,(2,2)):(1,(4,1))
}

func ExampleReport() {
	r, _ := diagnose.Read("acc layout: (4,4):(1,2)", nil)
	for _, l := range r.Layouts {
		fmt.Println(l.Value, l.Notes)
	}
	// Output:
	// (4,4):(1,2) [16 elements, offsets below 10 alias: (2,0) and (0,1) both have the offset 2]
}

func ExampleFinding() {
	r, _ := diagnose.Read("ValueError: complement((4, 4):(1, 2)): Non-injective layout in complement", nil)
	f := r.Findings[0]
	for _, o := range f.Operands {
		fmt.Println(o.Name, o.Value)
	}
	fmt.Println(f.Pair)
	fmt.Println(f.Repairs[0].Say, f.Repairs[0].Expr)
	// Output:
	// layout (4,4):(1,2)
	// 4:1 and 4:2
	// the same shape with strides that nest complement((4,4):(1,4))
}

func Example() {
	// These are the last lines that nvcc prints.
	text := `include/cute/int_tuple.hpp(404): error: static assertion failed with "Static shape_div failure"
          detected during:
            instantiation of "auto cute::shape_div(const IntTupleA &, const IntTupleB &) [with IntTupleA=cute::_136, IntTupleB=cute::_64]" at line 391`
	r, err := diagnose.Read(text, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range r.Findings {
		fmt.Println(f.Op, "fails:", f.Condition)
		for _, x := range f.Repairs {
			fmt.Println(x.Say+":", x.Expr, "=", x.Result)
		}
	}
	// Output:
	// shape_div fails: neither of 136 and 64 divides the other: 136 mod 64 = 8, 64 mod 136 = 64
	// 136 padded to a multiple of 64: shape_div(192, 64) = 3
	// a piece of 34 in place of 64, which divides 136: shape_div(136, 34) = 4
}

func ExampleOperand() {
	r, _ := diagnose.Read("ValueError: Shape divisibility condition violated: composition((4, 3):(3, 1), 6:1)", nil)
	for _, o := range r.Findings[0].Operands {
		fmt.Println(o.Name, "=", o.Value)
	}
	// Output:
	// lhs = (4,3):(3,1)
	// rhs = 6:1
}

func ExampleRepair() {
	r, _ := diagnose.Read("ValueError: Shape divisibility condition violated: composition((4, 3):(3, 1), 6:1)", nil)
	for _, x := range r.Findings[0].Repairs {
		fmt.Printf("%s: %s = %s\n", x.Say, x.Expr, x.Result)
	}
	// Output:
	// the right operand with an extent of 4 instead of 6: (4,3):(3,1) o 4:1 = 4:3
	// the right operand with an extent of 8 instead of 6: (4,3):(3,1) o 8:1 = (4,2):(3,1)
}

func ExampleLayout() {
	r, _ := diagnose.Read("gA = (65536,65536):(65536,1)", nil)
	for _, l := range r.Layouts {
		fmt.Println(l.Name, l.Value)
		fmt.Println(l.Notes[1])
	}
	// Output:
	// gA (65536,65536):(65536,1)
	// overflow: offsets up to 4294967295 do not fit 32 bits; CuTe computes with int where the integers are int
}

func ExampleRead_limit() {
	late := errors.New("that is enough")
	_, err := diagnose.Read("image((1024,1024):(1,1024))", func() error { return late })
	fmt.Println(err)
	// Output:
	// that is enough
}
