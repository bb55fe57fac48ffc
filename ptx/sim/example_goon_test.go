package sim_test

import (
	"context"
	"fmt"

	"girih/ptx/sim"
)

func ExamplePassable() {
	fmt.Println(sim.Passable()[:3])
	// Output: [out-of-bounds misaligned uninitialised]
}

func ExampleEnding() {
	fmt.Println(sim.Ending()[:3])
	// Output: [divergent deadlock barrier]
}

func ExampleKind_Ends() {
	fmt.Println("the run ends here, since", sim.KindDeadlock.Ends())
	fmt.Printf("%q\n", sim.KindRace.Ends())
	// Output:
	// the run ends here, since no thread can go on
	// ""
}

func ExampleIgnore() {
	p, m, in, out := loaded()
	res, _ := p.Run(context.Background(), m, sim.Launch{
		Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0), sim.U32(5)},
		Ignore: []sim.Ignore{{Kind: sim.KindBounds, Line: 16}}, Findings: 10,
	})
	fmt.Println(res.Ended, out.Bytes()[12])
	fmt.Println(res.Ignored[0].Message)
	fmt.Println(res.Findings[0].Message)
	// Output:
	// true 16
	// 4 bytes read at address 0x7f0000001210: 0 bytes after the end of in, 16 bytes at 0x7f0000001200
	// 4 bytes written at address 0x7f0000002410: 0 bytes after the end of out, 16 bytes at 0x7f0000002400
}
