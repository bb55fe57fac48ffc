package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// persistent adds 1 to the word of each block. A cluster continues with the clusters that it takes over, as in the
// example of the PTX ISA (9.7.13.17).
const persistent = `.version 8.7
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .b128 %q; .reg .pred %p<9>;
	.shared .align 16 .b8 answer[16];
	.shared .align 8 .b64 bar;
	ld.param.u64 %rd1, [out];
	mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;
	mov.u32 %r1, %ctaid.x; mov.u32 %r2, %cluster_ctaid.x; mov.u32 %r7, 0;
	setp.eq.and.u32 %p1, %r2, 0, %p0;
	@%p0 mbarrier.init.shared.b64 [bar], 1;
	fence.mbarrier_init.release.cluster;
	barrier.cluster.arrive.aligned;
NEXT:
	barrier.cluster.wait.aligned;
	@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 16;
	@%p1 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [answer], [bar];
	mul.wide.u32 %rd2, %r1, 4; add.u64 %rd2, %rd2, %rd1;
	@%p0 red.global.add.u32 [%rd2], 1;
WAIT:
	mbarrier.try_wait.parity.shared.b64 %p2, [bar], %r7; // wait
	@!%p2 bra WAIT; // again
	xor.b32 %r7, %r7, 1;
	ld.shared.b128 %q, [answer]; // read
	clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %p3, %q;
	@!%p3 bra END; // end
	clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%r3, %r4, %r5, _}, %q; // first
	add.u32 %r1, %r3, %r2;
	fence.proxy.async.shared::cta; // proxy
	barrier.cluster.arrive.aligned;
	bra NEXT;
END:
	barrier.cluster.arrive.aligned;
	barrier.cluster.wait.aligned;
	ret;
}
`

func TestLaunchControl(t *testing.T) {
	t.Parallel()
	run := func(src string, l sim.Launch) ([]uint32, *sim.Result, *sim.Finding) {
		p := loadText(t, src)
		m := memory(t, p)
		out := put(t, m, make([]uint32, 24))
		l.Grid, l.Block, l.Cluster, l.Args = sim.Dim{X: 24}, sim.Dim{X: 32}, sim.Dim{X: 2}, []sim.Arg{sim.Pointer(out, 0)}
		res, err := p.Run(context.Background(), m, l)
		f, ok := errors.AsType[*sim.Finding](err)
		if err != nil && !ok {
			t.Fatal(err)
		}
		return get[uint32](t, out), res, f
	}
	for seed := range uint64(4) {
		got, res, f := run(persistent, sim.Launch{Seed: seed})
		if f != nil {
			t.Fatalf("seed %d: %v", seed, f)
		}
		for i, n := range got {
			if n != 1 {
				t.Errorf("seed %d: block %d ran %d times", seed, i, n)
			}
		}
		for _, x := range res.Lines {
			if x.Op.Has("mbarrier_init") && x.Warps >= 24 {
				t.Errorf("seed %d: %d blocks began: no cluster was taken over", seed, x.Warps)
			}
		}
	}
	for _, tt := range []struct {
		name, line, by string
		kind           sim.Kind
		text           string
	}{
		{"the response read early", "again", "", sim.KindReadPending, "clusterlaunchcontrol.try_cancel"},
		{"a request that was not granted", "end", "", sim.KindArgument, "not granted"},
	} {
		_, _, f := run(change(t, persistent, tt.line, tt.by), sim.Launch{})
		if f == nil || f.Kind != tt.kind || !strings.Contains(f.Message, tt.text) {
			t.Errorf("%s: %v, want %s, %q", tt.name, f, tt.kind, tt.text)
		}
	}
}
