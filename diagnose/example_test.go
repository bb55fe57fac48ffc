package diagnose_test

import (
	"fmt"

	"girih/diagnose"
)

func ExampleRead() {
	r, err := diagnose.Read(`error: unknown: unable to compute the following composition: '!cute.layout<"(2,3):(4,1)">' o '!cute.layout<"(3,4):(3,1)">'`)
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
	r, _ := diagnose.Read("acc layout: (4,4):(1,2)")
	for _, l := range r.Layouts {
		fmt.Println(l.Value, l.Notes)
	}
	// Output:
	// (4,4):(1,2) [16 elements, offsets below 10 alias: (2,0) and (0,1) both have the offset 2]
}

func ExampleFinding() {
	r, _ := diagnose.Read("ValueError: complement((4, 4):(1, 2)): Non-injective layout in complement")
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
