package sim_test

import (
	"context"
	"fmt"

	"girih/ptx"
	"girih/ptx/sim"
)

// The lines of a result give the traffic of a kernel: 4 of 32 threads read and write 16 contiguous bytes.
func ExampleTraffic() {
	p, m, in, out := loaded()
	res, err := p.Run(context.Background(), m, sim.Launch{
		Grid: sim.Dim{X: 1}, Block: sim.Dim{X: 32},
		Args: []sim.Arg{sim.Pointer(in, 0), sim.Pointer(out, 0), sim.U32(4)},
	})
	for _, l := range res.Lines {
		if l.Traffic.Accesses > 0 {
			fmt.Printf("line %d: %d access, %d sector\n", l.Line, l.Traffic.Accesses, l.Traffic.Sectors)
		}
	}
	fmt.Println(err)
	// Output:
	// line 16: 1 access, 1 sector
	// line 18: 1 access, 1 sector
	// <nil>
}

func ExampleTraffic_Add() {
	all := sim.Traffic{Accesses: 1, Sectors: 4}
	all.Add(sim.Traffic{Accesses: 1, Wavefronts: 2, Conflicts: 1})
	fmt.Println(all.Accesses, all.Sectors, all.Wavefronts, all.Conflicts)
	// Output:
	// 2 4 2 1
}

// The events show a copy that completes at an mbarrier: the copy lands at the wait that makes it known.
func ExampleEvent() {
	module, _ := ptx.Parse(`.version 8.0
.target sm_90
.address_size 64
.visible .entry copy(.param .u64 x)
{
	.reg .pred %p; .reg .b32 %bar, %tile; .reg .b64 %x;
	.shared .align 128 .b8 tile[128];
	.shared .align 8 .b8 bar[8];
	ld.param.u64 %x, [x];
	mov.u32 %bar, bar;
	mov.u32 %tile, tile;
	mbarrier.init.shared.b64 [%bar], 1;
	mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 128;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%tile], [%x], 128, [%bar];
AGAIN:
	mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;
	@!%p bra AGAIN;
	ret;
}`)
	p, _ := sim.Load(module)
	m, _ := p.NewMemory()
	x, _ := m.Put("x", make([]byte, 128))
	res, err := p.Run(context.Background(), m, sim.Launch{
		Block: sim.Dim{X: 1}, Args: []sim.Arg{sim.Pointer(x, 0)}, Events: 100,
	})
	for _, e := range res.Events {
		fmt.Printf("%d %s line %d\n", e.Time, e.Kind, e.Line)
	}
	fmt.Println(err)
	// Output:
	// 4 arrive line 13
	// 5 begin line 14
	// 8 land line 14
	// 8 phase line 0
	// 8 pass line 16
	// <nil>
}
