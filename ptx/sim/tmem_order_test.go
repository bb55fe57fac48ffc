package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/dtype"
	"girih/ptx/sim"
)

// orderBody is the body of a kernel of tensorKernel whose operands for m128n32k16 are in shared memory. %rd9 and %rd12
// are the addresses of two mbarriers; %q0 is true in thread 32.
func orderBody(body string) (string, []uint32) {
	c := tensorCase{a: dtype.F16, b: dtype.F16, d: dtype.F32, idesc: 0x10, m: 128, n: 32, k: 16, bits: 16, body: `
	cvta.shared.u64 %rd9, bar; cvta.shared.u64 %rd12, bar2; setp.eq.u32 %p4, %t, 32; setp.ge.u32 %p5, %t, 32;
` + body}
	src, words := c.source()
	return tensorKernel(src), words
}

const (
	orderMMA    = "tcgen05.mma.cta_group::1.kind::f16 [%a], %rd6, %rd7, %r8, 0;\n"
	orderCommit = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd9];\n"
	orderOther  = "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64 [%rd12];\n"
	orderLoad   = "tcgen05.ld.sync.aligned.32x32b.x32.b32 LIST, [%wa];\n"
	orderLoaded = "tcgen05.wait::ld.sync.aligned;\n"
	orderBefore = "tcgen05.fence::before_thread_sync;\n"
	orderAfter  = "tcgen05.fence::after_thread_sync;\n"
	orderBar    = orderBefore + "bar.sync 0;\n" + orderAfter
)

// orderWait waits for a phase of an mbarrier.
func orderWait(bar string, phase int) string {
	name := fmt.Sprintf("W%s%d", strings.TrimPrefix(bar, "%"), phase)
	return fmt.Sprintf("%s:\nmbarrier.try_wait.parity.b64 %%p1, [%s], %d;\n@!%%p1 bra %s;\n%s", name, bar, phase, name,
		orderAfter)
}

// only executes lines in the threads of a predicate.
func only(p, name, lines string) string {
	return "@!" + p + " bra " + name + ";\n" + lines + name + ":\n"
}

// These are patterns of the PTX ISA (9.7.16.6.4), of CUTLASS and of Triton, and mistakes in them.
func TestTensorPatterns(t *testing.T) {
	t.Parallel()
	const end = orderLoad + orderLoaded
	const st = "tcgen05.st.sync.aligned.32x32b.x1.b32 [%wa], {%t};\n"
	const stored = st + "tcgen05.wait::st.sync.aligned;\n"
	const cp = "tcgen05.cp.cta_group::1.128x128b [%a], %rd10;\n"
	one := only("%p0", "S", orderMMA+orderCommit) + orderWait("%rd9", 0) + end
	reads := "tcgen05.mma.cta_group::1.kind::f16 [%r15], [%a], %rd7, %r8, 0;\n"
	apart := only("%p0", "S", orderMMA+orderCommit+strings.Replace(orderMMA, "[%a]", "[%r15]", 1)+orderOther) +
		"setp.lt.u32 %p6, %t, 64;\n@%p6 bra SECOND;\nmov.b32 %r30, 0;\n" +
		"LATE:\nadd.u32 %r30, %r30, 1;\nsetp.lt.u32 %p7, %r30, 3000;\n@%p7 bra LATE;\n" +
		orderWait("%rd9", 0) + "bra BOTH;\nSECOND:\n" + orderWait("%rd12", 0) + "BOTH:\n"
	two := only("%p0", "S", orderMMA+orderCommit+orderMMA+orderOther)
	for _, tt := range []struct {
		name, body string
		kind, or   sim.Kind // or: in another order of the threads
		text       string
		lesser     bool
	}{
		{name: "mma, commit, wait, ld", body: one},
		{name: "two commits, a wait for the second", body: two + orderWait("%rd12", 0) + end},
		{name: "two commits, a wait for the second, then for the first", body: two + orderWait("%rd12", 0) + orderWait("%rd9", 0) + end},
		{name: "two commits, a wait for the first", body: two + orderWait("%rd9", 0) + end, kind: sim.KindReadPending, text: "tcgen05.mma"},
		{name: "a wait for a commit whose operations another commit has completed", body: apart + end},
		{name: "one mbarrier twice", body: only("%p2", "X", only("%p0", "S", orderMMA+orderCommit+orderMMA+orderCommit)+orderWait("%rd9", 0)+orderWait("%rd9", 1)) + orderBar + end},
		{name: "one mbarrier twice, one wait", body: only("%p2", "X", only("%p0", "S", orderMMA+orderCommit+orderMMA+orderCommit)+orderWait("%rd9", 0)) + orderBar + end, kind: sim.KindReadPending, text: "mbarrier.try_wait on the barrier"},
		{name: "an mbarrier ended whose commit nobody awaited", body: two + orderWait("%rd12", 0) + end + orderBar + "@%p0 mbarrier.inval.b64 [%rd9];\n"},
		{name: "an mbarrier ended in use", body: only("%p0", "S", orderMMA+orderCommit) + "@%p0 mbarrier.inval.b64 [%rd9];\n", kind: sim.KindBarrier, text: "in use"},
		{name: "mma without its commit", body: only("%p0", "S", orderMMA+orderCommit+orderMMA) + orderWait("%rd9", 0) + end, kind: sim.KindReadPending, text: "tcgen05.commit, and mbarrier.try_wait"},
		{name: "mma of another shape in flight", body: only("%p0", "S", orderMMA+"mov.b32 %r8, 0x08040010;\n"+orderMMA+orderCommit) + orderWait("%rd9", 0) + end, kind: sim.KindWritePending, text: "tcgen05.mma"},
		{name: "mma of another thread, ordered", body: only("%p0", "S", orderMMA) + orderBar + only("%p4", "R", orderMMA+orderCommit) + orderWait("%rd9", 0) + end},
		{name: "mma of another thread, not ordered", body: only("%p0", "S", orderMMA) + only("%p4", "R", orderMMA+orderCommit) + orderWait("%rd9", 0) + end, kind: sim.KindWritePending, or: sim.KindRace, text: "tcgen05.mma"},
		{name: "operands overwritten", body: only("%p0", "S", orderMMA+orderCommit) + "@%p0 st.shared.b32 [%s], %t;\n" + orderWait("%rd9", 0) + end, kind: sim.KindWritePending, text: "still uses"},
		{name: "operands overwritten after the wait", body: only("%p0", "S", orderMMA+orderCommit) + orderWait("%rd9", 0) + end + "@%p0 st.shared.b32 [%s], %t;\n"},
		{name: "st, barrier, mma without fences", body: stored + "bar.sync 0;\n" + one, kind: sim.KindRace, text: "tcgen05.fence::before_thread_sync", lesser: true},
		{name: "st not awaited, mma", body: st + orderBar + one, kind: sim.KindWritePending, text: "tcgen05.wait::st"},
		{name: "st, mma of another warp without a barrier", body: stored + orderBefore + one, kind: sim.KindRace, text: "nothing orders the two"},
		{name: "ld awaited, then mma after a barrier", body: only("%p0", "S", orderMMA+orderCommit) + orderWait("%rd9", 0) + end + orderBar + only("%p0", "R", orderMMA+orderOther) + orderWait("%rd12", 0)},
		{name: "ld, then mma after a barrier", body: only("%p0", "S", orderMMA+orderCommit) + orderWait("%rd9", 0) + orderLoad + orderBar + only("%p0", "R", orderMMA+orderOther) + orderWait("%rd12", 0), kind: sim.KindWritePending, text: "tcgen05.wait::ld"},
		{name: "ld not awaited before another warp frees the columns", body: only("%p0", "S", orderMMA+orderCommit) + orderWait("%rd9", 0) + orderLoad, kind: sim.KindWritePending, text: "tcgen05.wait::ld is missing"},
		{name: "exit with a product under way", body: only("%p0", "S", orderMMA), kind: sim.KindWritePending, text: "tcgen05.commit"},
		{name: "cp over what a mma may still read", body: only("%p0", "S", cp+reads+cp+orderCommit) + orderWait("%rd9", 0), kind: sim.KindWritePending, text: "tcgen05.cp", lesser: true},
	} {
		src, words := orderBody(strings.ReplaceAll(tt.body, "LIST", registers(20, 32)))
		for seed := range uint64(3) {
			_, res, f := runTensorAt(t, src, tensorWords{words, 1}, sim.Launch{Seed: seed})
			if tt.lesser && f == nil && len(res.Lesser) > 0 {
				f = res.Lesser[0]
			}
			switch {
			case tt.kind == "" && (f != nil || len(res.Lesser) > 0):
				t.Errorf("%s, seed %d: %v %v", tt.name, seed, f, res.Lesser)
			case tt.kind != "" && (f == nil || f.Kind != tt.kind && f.Kind != tt.or || !strings.Contains(f.Message, tt.text)):
				t.Errorf("%s, seed %d: %v, want %s, %q", tt.name, seed, f, tt.kind, tt.text)
			}
		}
	}
}
