package sim_test

import (
	"fmt"
	"testing"

	"girih/ptx/sim"
)

// waitFor returns code that waits for the phase of a barrier with the given parity; each line ends with mark.
func waitFor(bar string, parity int, mark string) string {
	return fmt.Sprintf("{\nW:\nmbarrier.try_wait.parity.shared.b64 %%p9, [%s], %d; %s\n@!%%p9 bra W;\n}\n",
		bar, parity, mark)
}

// TestMbarriers checks all mbarrier instructions, in kernels with and without a mistake.
func TestMbarriers(t *testing.T) {
	t.Parallel()
	const (
		init64 = "@%p0 mbarrier.init.shared::cta.b64 [%m], 64;\nbar.sync 0;\n"
		put    = "st.shared.u32 [%st], %t;\n"
		turned = "xor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1];\nst.global.u32 [%po], %r2;\n"
		lost   = "xor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1]; //!\nst.global.u32 [%po], %r2;\n"
		marked = "st.shared.u32 [%st], %t; //!\n"
		arrive = "mbarrier.arrive.shared.b64 _, [%m];\n"
	)
	wait := func(bar string, parity int) string { return waitFor(bar, parity, "") }
	hang := func(parity int) string { return waitFor("%m", parity, "//!") }
	want := func(i int) uint32 { return uint32(i ^ 63) }
	trials(t, []trial{
		{name: "arrivals", body: init64 + put + arrive + wait("%m", 0) + turned, want: want},
		{name: "a generic address", body: "cvta.shared.u64 %rd2, bars;\n@%p0 mbarrier.init.b64 [%rd2], 64;\nbar.sync 0;\n" + put + "mbarrier.arrive.release.cta.b64 %rd3, [%rd2];\nL:\nmbarrier.try_wait.b64 %p3, [%rd2], %rd3;\n@!%p3 bra L;\n" + turned, want: want},
		{name: "states and a hint", body: init64 + put + "mbarrier.arrive.release.cta.shared::cta.b64 %rd3, [%m];\nL:\nmbarrier.try_wait.acquire.cta.shared::cta.b64 %p3, [%m], %rd3, 1000;\n@!%p3 bra L;\n" + turned, want: want},
		{name: "test_wait", body: init64 + put + "mbarrier.arrive.shared.b64 %rd3, [%m];\nL:\nmbarrier.test_wait.shared.b64 %p3, [%m], %rd3;\n@%p3 bra M;\nnanosleep.u32 20;\nbra L;\nM:\n" + turned, want: want},
		{name: "a count", body: "@%p0 mbarrier.init.shared.b64 [%m], 4;\nbar.sync 0;\n" + put + "bar.warp.sync -1;\n@%p1 mbarrier.arrive.shared.b64 _, [%m], 2;\n" + wait("%m", 0) + turned, want: want},
		{name: "one lane of each warp", body: "@%p0 mbarrier.init.shared.b64 [%m], 2;\nbar.sync 0;\n" + put + "bar.warp.sync -1;\n@%p1 mbarrier.arrive.shared.b64 _, [%m];\n" + wait("%m", 0) + turned, want: want},
		{name: "four phases", body: init64 + `mov.u32 %r5, 0; mov.u32 %r6, 0;
AGAIN:
	add.u32 %r7, %t, %r5;
	st.shared.u32 [%st], %r7;
	mbarrier.arrive.shared.b64 _, [%m];
	and.b32 %r8, %r6, 1;
W1:	mbarrier.try_wait.parity.shared.b64 %p9, [%m], %r8;
	@!%p9 bra W1;
	xor.b32 %r1, %t, 63;
	mad.lo.u32 %r1, %r1, 4, %s;
	ld.shared.u32 %r2, [%r1];
	add.u32 %r6, %r6, 1;
	mbarrier.arrive.shared.b64 _, [%m];
	and.b32 %r8, %r6, 1;
W2:	mbarrier.try_wait.parity.shared.b64 %p9, [%m], %r8;
	@!%p9 bra W2;
	add.u32 %r6, %r6, 1;
	add.u32 %r5, %r5, 100;
	setp.lt.u32 %p8, %r5, 400;
	@%p8 bra AGAIN;
	st.global.u32 [%po], %r2;
`, want: func(i int) uint32 { return uint32(i^63) + 300 }},
		{name: "bytes by hand", body: "@%p0 mbarrier.init.shared.b64 [%m], 65;\nbar.sync 0;\n@%p0 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%m], 24;\n" + put + arrive + "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 8;\nbar.sync 0;\n@%p0 mbarrier.complete_tx.shared.b64 [%m], 32;\n" + wait("%m", 0) + turned, want: want},
		{name: "arrivals that complete nothing", body: "@%p0 mbarrier.init.shared.b64 [%m], 96;\nbar.sync 0;\n" + put + "@%p1 mbarrier.arrive.noComplete.shared.b64 %rd3, [%m], 15;\nbar.sync 0;\nmbarrier.arrive.shared.b64 %rd3, [%m];\n@%p1 mbarrier.arrive.shared.b64 _, [%m];\n" + wait("%m", 0) + turned, want: want},
		{name: "pending arrivals", body: init64 + "@!%p0 bra OUT;\nmbarrier.arrive.shared.b64 %rd3, [%m], 10;\nmbarrier.arrive.shared.b64 %rd3, [%m];\nmbarrier.pending_count.b64 %r2, %rd3;\nst.global.u32 [%po], %r2;\nOUT:\n", want: func(i int) uint32 { return map[int]uint32{0: 54}[i] }},
		{name: "threads that drop out", body: init64 + put + "setp.ge.u32 %p5, %t, 32;\n@%p5 mbarrier.arrive_drop.shared.b64 _, [%m];\n@%p5 bra OUT;\n" + arrive + wait("%m", 0) + arrive + wait("%m", 1) + "OUT:\nbar.sync 0;\n" + turned, want: want},
		{name: "begun anew", body: init64 + put + arrive + wait("%m", 0) + "bar.sync 0;\n@%p0 mbarrier.inval.shared.b64 [%m];\n@%p0 mbarrier.init.shared.b64 [%m], 64;\nbar.sync 0;\n" + arrive + wait("%m", 0) + turned, want: want},
		{name: "its memory is used again", body: init64 + put + arrive + wait("%m", 0) + "bar.sync 0;\n@%p0 st.shared.u32 [%m], 5;\nbar.sync 0;\n" + turned, want: want},
		{
			name: "at the next block", cluster: 2, grid: 2, body: `@%p0 mbarrier.init.shared.b64 [%m], 64;
	fence.mbarrier_init.release.cluster;
	barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.acquire.aligned;
	mov.u32 %r3, %cluster_ctarank; xor.b32 %r3, %r3, 1;
	mapa.shared::cluster.u32 %r4, %st, %r3;
	st.shared::cluster.u32 [%r4], %t;
	mapa.shared::cluster.u32 %r4, %m, %r3;
	mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4];
L:	mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p3, [%m], 0;
	@!%p3 bra L;
` + turned + "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n",
			want: func(i int) uint32 { return uint32(i%64 ^ 63) },
		},
		{name: "stages of a ring", block: 96, body: `setp.lt.u32 %p5, %t, 2;
	mad.lo.u32 %r9, %t, 8, %m;
	@%p5 mbarrier.init.shared.b64 [%r9], 32;
	@%p5 mbarrier.init.shared.b64 [%r9+16], 2;
	bar.sync 0;
	mov.u32 %r5, 0; mov.u32 %r6, 0; mov.u32 %r10, 0;
	setp.lt.u32 %p6, %t, 64;
	@%p6 bra EMPTY;
FILL:	and.b32 %r7, %r5, 1;
	shr.u32 %r8, %r5, 1;
	and.b32 %r8, %r8, 1;
	xor.b32 %r8, %r8, 1;
	mad.lo.u32 %r9, %r7, 8, %m;
F:	mbarrier.try_wait.parity.shared.b64 %p9, [%r9+16], %r8;
	@!%p9 bra F;
	mad.lo.u32 %r11, %r7, 128, %s;
	mad.lo.u32 %r11, %l, 4, %r11;
	add.u32 %r12, %l, %r5;
	st.shared.u32 [%r11], %r12;
	mbarrier.arrive.shared.b64 _, [%r9];
	add.u32 %r5, %r5, 1;
	setp.lt.u32 %p7, %r5, 5;
	@%p7 bra FILL;
	bra OUT;
EMPTY:	and.b32 %r7, %r5, 1;
	shr.u32 %r8, %r5, 1;
	and.b32 %r8, %r8, 1;
	mad.lo.u32 %r9, %r7, 8, %m;
E:	mbarrier.try_wait.parity.shared.b64 %p9, [%r9], %r8;
	@!%p9 bra E;
	mad.lo.u32 %r11, %r7, 128, %s;
	xor.b32 %r12, %l, 31;
	mad.lo.u32 %r11, %r12, 4, %r11;
	ld.shared.u32 %r12, [%r11];
	add.u32 %r10, %r10, %r12;
	bar.warp.sync -1;
	@%p1 mbarrier.arrive.shared.b64 _, [%r9+16];
	add.u32 %r5, %r5, 1;
	setp.lt.u32 %p7, %r5, 5;
	@%p7 bra EMPTY;
OUT:	st.global.u32 [%po], %r10;
`, want: func(i int) uint32 { return map[bool]uint32{true: uint32(5*(i%32^31) + 10)}[i < 64] }},

		{name: "an mbarrier of each lane, asked in turn", block: 32, body: `mad.lo.u32 %r9, %l, 8, %m;
	setp.gt.u32 %p5, %l, 3;
	@%p5 bra OUT;
	mbarrier.init.shared.b64 [%r9], 1;
	fence.proxy.async;
	mad.lo.u32 %r8, %l, 16, %s;
	mad.wide.u32 %rd5, %l, 16, %in;
	mbarrier.arrive.expect_tx.shared.b64 _, [%r9], 16;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r8], [%rd5], 16, [%r9];
` + wait("%r9", 0) + `	ld.shared.u32 %r2, [%r8+4];
	st.global.u32 [%po], %r2;
OUT:
`, want: func(i int) uint32 { return map[bool]uint32{true: uint32(4*i + 1)}[i < 4] }},

		{name: "no init", body: put + "mbarrier.arrive.shared.b64 _, [%m]; //!\n" + wait("%m", 0) + turned, kind: sim.KindUninitialised, text: "mbarrier.init"},
		{name: "an init that not all have seen", body: "setp.eq.u32 %p5, %t, 32;\n@%p5 mbarrier.init.shared.b64 [%m], 64; //!\n" + put + "mbarrier.arrive.shared.b64 _, [%m]; //!\n" + wait("%m", 0) + turned, kind: sim.KindRace},
		{name: "no wait", body: init64 + marked + arrive + lost, kind: sim.KindRace, or: sim.KindUninitialised},
		{name: "a count that is too high", body: "@%p0 mbarrier.init.shared.b64 [%m], 65;\nbar.sync 0;\n" + put + arrive + hang(0) + turned, kind: sim.KindDeadlock, text: "wait for phase 0 (parity 0) of the mbarrier at 0x1400 in phase 0, where 1 of 65 arrivals are missing"},
		{name: "a count that is too low", body: "@%p0 mbarrier.init.shared.b64 [%m], 63;\nbar.sync 0;\n" + marked + arrive + wait("%m", 0) + lost, kind: sim.KindRace},
		{name: "the wrong parity", body: init64 + marked + arrive + wait("%m", 1) + lost, kind: sim.KindRace, or: sim.KindUninitialised},
		{name: "bytes that do not come", body: init64 + "@%p0 mbarrier.expect_tx.shared.b64 [%m], 48;\nbar.sync 0;\n" + arrive + hang(0), kind: sim.KindDeadlock, text: "0 of 64 arrivals and 48 bytes are missing"},
		{name: "a test that nobody ends", body: init64 + "L:\nmbarrier.test_wait.parity.shared.b64 %p3, [%m], 0; //!\n@!%p3 bra L; //!\n", kind: sim.KindDeadlock},
		{name: "too many arrivals", body: init64 + "@%p0 mbarrier.arrive.shared.b64 _, [%m], 65; //!\n", kind: sim.KindBarrier, text: "64 of 64 are missing"},
		{name: "no arrivals", body: init64 + "@%p0 mbarrier.arrive.shared.b64 _, [%m], 0; //!\n", kind: sim.KindBarrier},
		{name: "a count of nothing", body: "mbarrier.init.shared.b64 [%m], 0; //!\n", kind: sim.KindArgument},
		{name: "noComplete that completes", body: init64 + "@%p0 mbarrier.arrive.noComplete.shared.b64 %rd3, [%m], 64; //!\n", kind: sim.KindBarrier, text: "noComplete"},
		{name: "an address that is no multiple of 8", body: "mbarrier.init.shared.b64 [%m+4], 1; //!\n", kind: sim.KindAlign},
		{name: "in global memory", body: "mbarrier.init.b64 [%in], 1; //!\n", kind: sim.KindArgument},
		{name: "ended while it is waited for", body: "@%p0 mbarrier.init.shared.b64 [%m], 33;\nbar.sync 0;\n@%p2 bra W;\nbar.sync 1, 64;\n@%p2 bra W;\nmbarrier.inval.shared.b64 [%m]; //!\nW:\n@!%p2 bra OUT;\nmbarrier.arrive.shared.b64 _, [%m];\nbar.arrive 1, 64;\n" + wait("%m", 0) + "OUT:\n", kind: sim.KindBarrier, or: sim.KindRace},
		{name: "stored to while it is waited for", body: init64 + "@%p2 bra W;\nbar.sync 1, 64;\nst.shared.u32 [%m], %t; //!\nW:\n@!%p2 bra OUT;\nmbarrier.arrive.shared.b64 _, [%m];\nbar.arrive 1, 64;\n" + wait("%m", 0) + "OUT:\n", kind: sim.KindBarrier, or: sim.KindRace},
		{name: "given back before it was read", block: 96, body: `@%p0 mbarrier.init.shared.b64 [%m], 32;
	@%p0 mbarrier.init.shared.b64 [%m+8], 64;
	bar.sync 0;
	setp.lt.u32 %p6, %t, 64;
	@%p6 bra READ;
	st.shared.u32 [%s], 7;
	mbarrier.arrive.shared.b64 _, [%m];
` + wait("%m+8", 0) + `	st.shared.u32 [%s], 8; //!
	bra OUT;
READ:
` + wait("%m", 0) + `	mbarrier.arrive.shared.b64 _, [%m+8];
	bar.sync 1, 64;
	ld.shared.u32 %r2, [%s]; //!
	st.global.u32 [%po], %r2;
OUT:
`, kind: sim.KindRace},
	})
}

// TestParity waits with parities that PTX does not allow. An H200 takes their lowest bit, and so does a run that is not
// strict; a strict run has a finding.
func TestParity(t *testing.T) {
	t.Parallel()
	for parity, want := range map[string]uint32{"0": 0, "1": 1, "2": 0, "3": 1, "-1": 1, "-2": 0, "0x80000000": 0} {
		x := trial{block: 1, body: "mbarrier.init.shared.b64 [%m], 1;\nmov.u32 %r1, " + parity + ";\n" +
			"mbarrier.test_wait.parity.shared.b64 %p3, [%m], %r1; //!\nselp.u32 %r2, 1, 0, %p3;\nst.global.u32 [%out], %r2;\n"}
		p := loadText(t, x.source())
		res, out, err := x.launch(t, p, sim.Launch{})
		if err != nil || out[0] != want {
			t.Errorf("parity %s: got %d and %v, want %d", parity, out[0], err, want)
		}
		odd := parity != "0" && parity != "1"
		if odd != (len(res.Lesser) == 1) || odd && res.Lesser[0].Grade != sim.GradeStrict {
			t.Errorf("parity %s: found %v", parity, res.Lesser)
		}
		if _, _, err := x.launch(t, p, sim.Launch{Strict: true}); odd == (err == nil) {
			t.Errorf("parity %s, a strict run: found %v", parity, err)
		}
	}
}
