package sim_test

import (
	"context"
	"fmt"

	"girih/ptx"
	"girih/ptx/sim"
)

// twoBlocks stores 7 to one word in two blocks.
const twoBlocks = `.version 9.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	st.global.u32 [%rd1], 7;
	ret;
}
`

func runTwoBlocks(strict bool) *sim.Result {
	module, _ := ptx.Parse(twoBlocks)
	p, _ := sim.Load(module)
	m, _ := p.NewMemory()
	out, _ := m.Put("out", make([]byte, 4))
	res, _ := p.Run(context.Background(), m, sim.Launch{
		Grid: sim.Dim{X: 2}, Args: []sim.Arg{sim.Pointer(out, 0)}, Strict: strict,
	})
	return res
}

func ExampleGrade() {
	res := runTwoBlocks(false)
	fmt.Println(len(res.Findings), res.Lesser[0].Kind, res.Lesser[0].Grade, res.Lesser[0].Pos.Line)
	// Output: 0 race same value 8
}

func ExampleStrictly() {
	usual, strict := runTwoBlocks(false), runTwoBlocks(true)
	for _, f := range sim.Strictly(strict.Findings, usual.Findings) {
		fmt.Println(f.Kind, f.Grade, f.Pos.Line)
	}
	// Output: race same value 8
}
