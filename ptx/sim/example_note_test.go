package sim_test

import (
	"context"
	"fmt"

	"girih/ptx"
	"girih/ptx/sim"
)

func ExampleNote_String() {
	tree, _ := ptx.Parse(".version 8.3 .target sm_90a .address_size 64 .visible .entry k() {\n" +
		".reg .pred %p<2>; .reg .b32 %r<2>; mov.u32 %r1, %tid.x; setp.ge.u32 %p1, %r1, 64;\n" +
		"@%p1 ret;\n" +
		"bar.sync 0;\n" +
		"ret; }\n")
	p, _ := sim.Load(tree)
	m, _ := p.NewMemory()
	res, _ := p.Run(context.Background(), m, sim.Launch{Block: sim.Dim{X: 128}})
	fmt.Println(res.Notes[0])
	// Output: line 4, bar.sync: 64 of 128 threads of block (0,0,0) come to barrier 0, and 64 have exited: PTX lets it pass, since it waits for threads that have not exited (PTX ISA, barrier); synccheck calls it an error
}
