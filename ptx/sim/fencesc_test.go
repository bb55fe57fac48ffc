package sim_test

import (
	"testing"

	"girih/ptx/sim"
)

// dekker returns a kernel with the flags of Dekker's algorithm. Block 0 stores data and, unless it sees the flag of
// block 1, sets its own flag. Block 1 sets its flag, and loads the data if it sees the flag of block 0. Only the order
// of the two fences orders the accesses to the data.
func dekker(first, second string) string {
	return `@!%p0 bra OUT;
	setp.eq.u32 %p5, %b, 1;
	@%p5 bra ONE;
	st.global.u32 [%out], 5; //!
	` + first + `
	ld.relaxed.gpu.global.u32 %r5, [%out+4];
	setp.ne.u32 %p6, %r5, 0;
	@%p6 bra OUT;
	st.relaxed.gpu.global.u32 [%out+8], 1;
	bra OUT;
ONE:	st.relaxed.gpu.global.u32 [%out+4], 1;
	` + second + `
	ld.relaxed.gpu.global.u32 %r5, [%out+8];
	setp.eq.u32 %p6, %r5, 0;
	@%p6 bra OUT;
	ld.global.u32 %r6, [%out]; //!
OUT:
`
}

// third is dekker with a third block: block 0 does not see the flag of block 1, block 1 does not see the flag of block
// 2, and block 2 loads the data if it sees the flags of both.
func third(between string) string {
	return `@!%p0 bra OUT;
	setp.eq.u32 %p5, %b, 1;
	@%p5 bra ONE;
	setp.eq.u32 %p5, %b, 2;
	@%p5 bra TWO;
	st.global.u32 [%out], 5; //!
	fence.sc.gpu;
	ld.relaxed.gpu.global.u32 %r5, [%out+4];
	setp.ne.u32 %p6, %r5, 0;
	@%p6 bra OUT;
	st.relaxed.gpu.global.u32 [%out+8], 1;
	bra OUT;
ONE:	st.relaxed.gpu.global.u32 [%out+4], 1;
	` + between + `
	ld.relaxed.gpu.global.u32 %r5, [%out+12];
	setp.ne.u32 %p6, %r5, 0;
	@%p6 bra OUT;
	st.relaxed.gpu.global.u32 [%out+16], 1;
	bra OUT;
TWO:	st.relaxed.gpu.global.u32 [%out+12], 1;
	fence.sc.gpu;
	ld.relaxed.gpu.global.u32 %r5, [%out+8];
	ld.relaxed.gpu.global.u32 %r7, [%out+16];
	and.b32 %r5, %r5, %r7;
	setp.eq.u32 %p6, %r5, 0;
	@%p6 bra OUT;
	ld.global.u32 %r6, [%out]; //!
OUT:
`
}

// peterson returns a kernel in which two blocks increment a counter under Peterson's lock. after comes after the loop
// that waits, and give releases the lock.
func peterson(fence, after, give string) string {
	return `@!%p0 bra OUT;
	xor.b32 %r1, %b, 1;
	mad.wide.u32 %rd5, %b, 4, %out;
	mad.wide.u32 %rd6, %r1, 4, %out;
	st.relaxed.gpu.global.u32 [%rd5], 1;
	st.relaxed.gpu.global.u32 [%out+8], %r1;
	` + fence + `
LOOP:	ld.relaxed.gpu.global.u32 %r5, [%rd6];
	setp.eq.u32 %p5, %r5, 0;
	@%p5 bra IN;
	ld.relaxed.gpu.global.u32 %r5, [%out+8];
	setp.eq.u32 %p5, %r5, %r1;
	@%p5 bra LOOP;
IN:	` + after + `
	ld.global.u32 %r6, [%out+12]; //!
	add.u32 %r6, %r6, 1;
	st.global.u32 [%out+12], %r6; //!
	` + give + `.gpu.global.u32 [%rd5], 0;
OUT:
`
}

// TestFenceOrder checks data whose accesses only fence.sc orders. In the broken kernels the model orders the fences in
// neither direction. The test tries all orders of the accesses, and several seeds.
func TestFenceOrder(t *testing.T) {
	t.Parallel()
	const sc, weak = "fence.sc.gpu;", "fence.acq_rel.gpu;"
	for _, x := range []struct {
		name, sound, broken string
		grid, cluster       int
	}{
		{"dekker", dekker(sc, sc), dekker(sc, weak), 2, 0},
		{"the other fence", dekker(sc, sc), dekker(weak, sc), 2, 0},
		{"membar", dekker("membar.gl;", "membar.sys;"), dekker("membar.gl;", "membar.cta;"), 2, 0},
		{"a scope of one fence", dekker(sc, "fence.sc.sys;"), dekker("fence.sc.cta;", sc), 2, 0},
		{"a cluster", dekker("fence.sc.cluster;", sc), dekker("fence.sc.cta;", sc), 2, 2},
		{"other clusters", dekker(sc, sc), dekker("fence.sc.cluster;", sc), 2, 0},
		{"a third block", third(sc), third(weak), 3, 0},
		{"peterson", peterson(sc, weak, "st.release"), peterson(sc, weak, "st.relaxed"), 2, 0},
		{"peterson without fences", peterson(sc, weak, "st.release"), peterson("", "", "st.release"), 2, 0},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			for _, strict := range []bool{false, true} {
				y := trial{name: x.name, body: x.sound, grid: x.grid, block: 32, cluster: x.cluster}
				if _, f := y.search(t, strict); f != nil {
					t.Errorf("strict %t: the sound kernel has %v", strict, f)
				}
				y.body = x.broken
				marked, f := y.search(t, strict)
				if f == nil || f.Kind != sim.KindRace || !marked[f.Pos.Line] {
					t.Errorf("strict %t: the broken kernel has %v, want a race at %v", strict, f, marked)
				}
			}
		})
	}
}

// search runs x with several seeds and then in all orders. It returns the marked lines and the first finding, or nil.
func (x trial) search(t *testing.T, strict bool) (map[int32]bool, *sim.Finding) {
	t.Helper()
	src := x.source()
	p, marked := loadText(t, src), lines(src)
	for seed := range uint64(8) {
		if res, _, err := x.launch(t, p, sim.Launch{Seed: seed + 1, Strict: strict}); err != nil {
			return marked, res.Findings[0]
		}
	}
	for o := sim.NewOrders(); o.Next(); {
		res, _, err := x.launch(t, p, sim.Launch{Orders: o, Strict: strict})
		if o.Cut() {
			continue
		}
		if err != nil {
			return marked, res.Findings[0]
		}
	}
	return marked, nil
}
