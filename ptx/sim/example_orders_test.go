package sim_test

import (
	"context"
	"fmt"

	"girih/ptx"
	"girih/ptx/sim"
)

// lastBlock is a kernel that stores the number of the block whose exchange came last.
const lastBlock = `.version 8.0 .target sm_80 .address_size 64
.visible .entry last(.param .u64 x) {
	.reg .b32 %b; .reg .b64 %a;
	ld.param.u64 %a, [x]; mov.u32 %b, %ctaid.x;
	atom.global.exch.b32 %b, [%a], %b;
	ret;
}`

// The example runs a kernel in each order of its atomic instructions.
func ExampleOrders() {
	m, err := ptx.Parse(lastBlock)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := sim.Load(m)
	if err != nil {
		fmt.Println(err)
		return
	}
	o := sim.NewOrders()
	for o.Next() {
		memory, _ := p.NewMemory()
		x, _ := memory.Put("x", make([]byte, 4))
		l := sim.Launch{Grid: sim.Dim{X: 2}, Args: []sim.Arg{sim.Pointer(x, 0)}, Orders: o}
		if _, err := p.Run(context.Background(), memory, l); err != nil {
			fmt.Println(err)
		}
		if !o.Cut() {
			fmt.Println("the last block is", x.Bytes()[0])
		}
	}
	fmt.Println(o.Count(), "orders")
	// Output:
	// the last block is 1
	// the last block is 0
	// 2 orders
}

func ExampleNewOrders() {
	o := sim.NewOrders()
	fmt.Println(o.Next(), o.Count())
	// Output: true 0
}
