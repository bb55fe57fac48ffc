package flow_test

import (
	"fmt"

	"girih/ptx"
	"girih/ptx/flow"
)

func Example() {
	g := flow.New(&ptx.Func{})
	fmt.Println(len(g.Code), len(g.To))
	// Output:
	// 0 1
}

func ExampleNew() {
	m, err := ptx.Parse(`.version 9.0
.target sm_90
.address_size 64
.entry k() {
	.reg .pred %p; .reg .b32 %r;
	setp.eq.u32 %p, %r, 0;
	@%p bra L;
	mov.u32 %r, 1;
L:	ret;
}
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	g := flow.New(m.Func("k"))
	fmt.Println(g.To, g.After())
	// Output:
	// [[2 1] [2] [3] []] [2 2 3 3]
}

func ExampleGraph() {
	m, err := ptx.Parse(".version 9.0\n.target sm_90\n.address_size 64\n.entry k() {\n{ .reg .b32 x; mov.u32 x, 1; }\nret;\n}\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	g := flow.New(m.Func("k"))
	fmt.Println(len(g.Code), g.Scope, g.Home(0, "x") > 0, g.Home(1, "x") > 0)
	// Output:
	// 2 [1 0] true false
}
