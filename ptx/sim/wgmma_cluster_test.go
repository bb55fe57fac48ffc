package sim_test

import (
	"strings"
	"testing"

	"girih/ptx/sim"
)

// TestWgmmaMulticast runs a cluster of two blocks. The producer of block 0 fills the stages of both blocks. The
// consumers of each block release a stage to both blocks, by one thread for each block.
func TestWgmmaMulticast(t *testing.T) {
	t.Parallel()
	const (
		wait   = "wgmma.wait_group.sync.aligned 0;\n"
		both   = "setp.lt.u32 %q6, %t, 2;\n@%q6 mapa.shared::cluster.u32 %v4, %r16, %t;\n@%q6 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%v4+64];\n"
		own    = "@%p0 mbarrier.arrive.shared.b64 _, [%r16+64];\n"
		load   = "setp.eq.u32 %q7, %w, 2;\n@%q7 ld.shared.u32 %v5, [%r17+1024]; //!\n"
		kernel = `.shared .align 128 .b8 ring[4608]; .reg .b32 %v<8>; .reg .pred %q<16>;
	mov.u32 %r10, ring; setp.ge.u32 %q1, %t, 128; setp.eq.u32 %q2, %t, 128; mov.u32 %v6, %cluster_ctarank; mov.u16 %h1, 3;
	@%p0 mbarrier.init.shared.b64 [%m], 1; @%p0 mbarrier.init.shared.b64 [%m+8], 1;
	@%p0 mbarrier.init.shared.b64 [%m+64], COUNT; @%p0 mbarrier.init.shared.b64 [%m+72], COUNT;
	@%p0 fence.mbarrier_init.release.cluster;
	barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
	mov.u32 %r11, 0; setp.ne.u32 %q5, %v6, 0; @!%q1 bra CONSUME; @!%q2 bra OUT;
FILL:	and.b32 %r12, %r11, 1; shr.u32 %r13, %r11, 1; and.b32 %r14, %r13, 1; mad.lo.u32 %r16, %r12, 8, %m; mad.lo.u32 %r17, %r12, 2304, %r10;
	xor.b32 %r14, %r14, 1;
EMPTY:	mbarrier.try_wait.parity.shared.b64 %q4, [%r16+64], %r14; @!%q4 bra EMPTY;
	mbarrier.arrive.expect_tx.shared.b64 _, [%r16], 2304;
	@%q5 bra FILLED;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r17], [%in], 2304, [%r16], %h1; //!
FILLED:	add.u32 %r11, %r11, 1; setp.lt.u32 %q4, %r11, 7; @%q4 bra FILL; bra OUT;
CONSUME:
	mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1;
NEXT:	and.b32 %r12, %r11, 1; shr.u32 %r13, %r11, 1; and.b32 %r14, %r13, 1; mad.lo.u32 %r16, %r12, 8, %m; mad.lo.u32 %r17, %r12, 2304, %r10;
FULL:	mbarrier.try_wait.parity.shared.b64 %q4, [%r16], %r14; @!%q4 bra FULL;
	shr.u32 %r18, %r17, 4; and.b32 %r18, %r18, 0x3fff; cvt.u64.u32 %rd20, %r18; or.b64 %rd20, %rd20, 0x1000080000; add.u64 %rd21, %rd20, 128;
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd20, %rd21, 1, 1, 1, 0, 0; //!
	wgmma.commit_group.sync.aligned;
	RELEASE
	add.u32 %r11, %r11, 1; setp.lt.u32 %q4, %r11, 7; @%q4 bra NEXT;
	wgmma.wait_group.sync.aligned 0;
	st.global.f32 [%po], %f1;
OUT:	barrier.cluster.arrive; barrier.cluster.wait;
`
	)
	var list []trial
	for _, x := range []struct {
		name, count, release string
		kind, or             sim.Kind
	}{
		{"given back to both", "2", wait + both, "", ""},
		{"a load of another warp, and a barrier", "2", wait + load + "bar.sync 1, 128;\n" + both, "", ""},
		{"given back to its own producer", "1", wait + own, sim.KindRace, sim.KindWritePending},
		{"before the wait", "2", both + wait, sim.KindWritePending, sim.KindRace},
		{"a load of another warp", "2", wait + load + both, sim.KindRace, sim.KindReadPending},
	} {
		body := strings.NewReplacer("COUNT", x.count, "RELEASE", x.release).Replace(kernel)
		list = append(list, trial{name: x.name, grid: 2, cluster: 2, block: 160, body: body, kind: x.kind, or: x.or})
	}
	trials(t, list)
}

// TestWgmmaPingPong runs two warpgroups that multiply and store in turns, ordered by named barriers.
func TestWgmmaPingPong(t *testing.T) {
	t.Parallel()
	const (
		stored = "@%q3 cp.async.bulk.wait_group.read 0;\n"
		kernel = `.shared .align 128 .b8 c[2048]; .reg .b32 %v<9>; .reg .pred %q<16>;
	and.b32 %r9, %t, 127; shr.u32 %r8, %t, 7; setp.eq.u32 %q3, %r9, 0; setp.eq.u32 %q1, %r8, 0; mov.u32 %r2, 0x3c003c00;
	mad.lo.u32 %r1, %t, 16, %s; setp.lt.u32 %q2, %t, 144; mov.u32 %v0, c; mad.lo.u32 %v0, %r9, 16, %v0;
	@%q2 st.shared.v4.u32 [%r1], {%r2, %r2, %r2, %r2};
	fence.proxy.async; bar.sync 0;
	add.u32 %v1, %r8, 1; xor.b32 %v2, %r8, 1; add.u32 %v2, %v2, 1; add.u32 %v3, %r8, 3; // its turn, the other one, its own
	shr.u32 %r3, %s, 4; cvt.u64.u32 %rd20, %r3; or.b64 %rd20, %rd20, 0x1000080000; add.u64 %rd21, %rd20, 128;
	mov.f32 %f1, 0f00000000; mov.f32 %f2, %f1; mov.f32 %f3, %f1; mov.f32 %f4, %f1; mov.u32 %r11, 0; mov.u32 %v4, c;
	@!%q1 bar.arrive 1, 256;
TURN:	bar.sync %v1, 256;
	wgmma.fence.sync.aligned;
	wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd20, %rd21, 1, 1, 1, 0, 0;
	wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;
	st.shared.v4.f32 [%v0], {%f1, %f2, %f3, %f4}; //!
	fence.proxy.async; bar.sync %v3, 128;
	@%q3 cp.async.bulk.global.shared::cta.bulk_group [%out+8192], [%v4], 2048; //!
	@%q3 cp.async.bulk.commit_group;
	END
	add.u32 %r11, %r11, 1; setp.eq.u32 %q4, %r11, 3; and.pred %q5, %q4, !%q1; @%q5 bra LAST;
	bar.arrive %v2, 256;
	@!%q4 bra TURN;
LAST:	@%q3 cp.async.bulk.wait_group 0;
`
	)
	// The second store of the bytes must be ordered after the first store, so the kernel waits for each store.
	trials(t, []trial{
		{name: "in turns", block: 256, body: strings.Replace(kernel, "END", "@%q3 cp.async.bulk.wait_group 0;", 1)},
		{name: "what is stored is written again", block: 256, body: strings.Replace(kernel, "END", "", 1), kind: sim.KindWritePending, or: sim.KindRace},
		{name: "not in turns", block: 256, body: strings.NewReplacer("END", stored, "TURN:	bar.sync %v1, 256;", "TURN:", "bar.arrive %v2, 256;", "", "@!%q1 bar.arrive 1, 256;", "").Replace(kernel), kind: sim.KindRace, or: sim.KindWritePending},
	})
}
