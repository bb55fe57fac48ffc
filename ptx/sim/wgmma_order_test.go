package sim_test

import (
	"fmt"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// A ring is a kernel with a producer, which fills stages in shared memory by bulk copies, and with warpgroups that
// multiply the stages. Stage i has an mbarrier for its data at %m + 8i, and another for its release at %m + 64 + 8i.
type ring struct {
	groups, stages, rounds int    // the numbers of warpgroups, stages, and fills of a stage; 0 means 1, 2 and 7
	arrivals               int    // the number of arrivals that release a stage
	wgmma                  string // "" if A and B are in shared memory
	wait                   int    // the number of groups that may be in flight after a wgmma
	release                string // after the wait; %r16 is the stage's mbarrier, %r20 the mbarrier of the previous stage
	first                  string // what consumers execute before the wgmma
	before                 string // what consumers execute before the wait
	start, end             string // what consumers execute first and last
}

// at marks a line at which a finding may be.
const at = " //!\n"

func (r ring) body() string {
	groups, stages, rounds, wgmma := max(r.groups, 1), r.stages, r.rounds, r.wgmma
	if stages == 0 {
		stages = 2
	}
	if rounds == 0 {
		rounds = 7
	}
	if wgmma == "" {
		wgmma = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd20, %rd21, 1, 1, 1, 0, 0;"
	}
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line(".shared .align 128 .b8 ring[%d]; .reg .b32 %%v<8>; .reg .pred %%q<16>;", stages*2304)
	line("mov.u32 %%r10, ring; setp.ge.u32 %%q1, %%t, %d; setp.eq.u32 %%q2, %%t, %d;", 128*groups, 128*groups)
	// %q3 is true in the first thread of the warpgroup, and %r8 is the number of the warp in the warpgroup.
	line("and.b32 %%r9, %%t, 127; setp.eq.u32 %%q3, %%r9, 0; shr.u32 %%r8, %%r9, 5;")
	for i := range stages {
		line("@%%p0 mbarrier.init.shared.b64 [%%m+%d], 1;", 8*i)
		line("@%%p0 mbarrier.init.shared.b64 [%%m+%d], %d;", 64+8*i, r.arrivals)
	}
	line("@%%p0 fence.mbarrier_init.release.cluster; bar.sync 0; mov.u32 %%r11, 0; @!%%q1 bra CONSUME;")
	line("@!%%q2 bra OUT;")
	place := fmt.Sprintf("rem.u32 %%r12, %%r11, %d; div.u32 %%r13, %%r11, %d; and.b32 %%r14, %%r13, 1; "+
		"mad.lo.u32 %%r16, %%r12, 8, %%m; mad.lo.u32 %%r17, %%r12, 2304, %%r10;", stages, stages)
	line("FILL: %s xor.b32 %%r14, %%r14, 1;", place)
	line("EMPTY: mbarrier.try_wait.parity.shared.b64 %%q4, [%%r16+64], %%r14; @!%%q4 bra EMPTY;")
	line("mbarrier.arrive.expect_tx.shared.b64 _, [%%r16], 2304;")
	line("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%%r17], [%%in], 2304, [%%r16]; //!")
	line("add.u32 %%r11, %%r11, 1; setp.lt.u32 %%q4, %%r11, %d; @%%q4 bra FILL; bra OUT;", rounds)
	line("CONSUME: mov.f32 %%f1, 0f00000000; mov.f32 %%f2, %%f1; mov.f32 %%f3, %%f1; mov.f32 %%f4, %%f1;")
	line("mov.u32 %%v0, 0x3c003c00; mov.u32 %%v1, %%v0; mov.u32 %%v2, %%v0; mov.u32 %%v3, %%v0; mov.u32 %%r20, %%m;")
	line("%s", r.start)
	line("NEXT: %s", place)
	line("FULL: mbarrier.try_wait.parity.shared.b64 %%q4, [%%r16], %%r14; @!%%q4 bra FULL;")
	line("shr.u32 %%r18, %%r17, 4; cvt.u64.u32 %%rd20, %%r18;")
	line("or.b64 %%rd20, %%rd20, 0x1000080000; add.u64 %%rd21, %%rd20, 128;")
	line("%s", r.first)
	line("wgmma.fence.sync.aligned;\n%s%swgmma.commit_group.sync.aligned;", wgmma, at)
	line("%swgmma.wait_group.sync.aligned %d;", r.before, r.wait)
	line("%s", r.release)
	line("mov.u32 %%r20, %%r16; add.u32 %%r11, %%r11, 1; setp.lt.u32 %%q4, %%r11, %d; @%%q4 bra NEXT;", rounds)
	line("wgmma.wait_group.sync.aligned 0;\n%s", r.end)
	line("st.global.f32 [%%po], %%f1;\nOUT:")
	return b.String()
}

// give returns an arrival that releases a stage, with a guard.
func give(guard string) string { return guard + " mbarrier.arrive.shared.b64 _, [%r16+64];\n" }

// TestWgmmaRelease checks code with which the consumers of a pipeline release a stage, and similar code that does not
// release the stage. A wait_group of one warp covers the operands of all four warps of its warpgroup, but no other
// accesses of these warps.
func TestWgmmaRelease(t *testing.T) {
	t.Parallel()
	const (
		wgRS    = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, {%v0, %v1, %v2, %v3}, %rd21, 1, 1, 1, 0;"
		sparse  = "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd20, %rd20, 0x44444444, 0, 1, 1, 1, 0, 0;"
		one     = "@%q3"
		another = "setp.eq.u32 %q5, %r9, 127;\n" // the last thread of the warpgroup
		load    = "setp.eq.u32 %q6, %r8, 1;\n@%q6 ld.shared.u32 %v4, [%r17+1536];" + at
		matrix  = "setp.ne.u32 %q6, %r8, 1;\n@%q6 bra SKIP;\n" +
			"and.b32 %v5, %t, 7; mad.lo.u32 %v5, %v5, 16, %r17;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%v4}, [%v5];" + at +
			"SKIP:\n"
		behind = "setp.ne.u32 %q6, %r11, 0;\nand.pred %q6, %q6, %q3;\n@%q6 mbarrier.arrive.shared.b64 _, [%r20+64];\n"
		own    = "bar.sync 1, 128;\n"
	)
	var list []trial
	for _, x := range []struct {
		name     string
		ring     ring
		kind, or sim.Kind
	}{
		{"one thread", ring{arrivals: 1, release: give(one)}, "", ""},
		{"one thread of the last warp", ring{arrivals: 1, release: another + give("@%q5")}, "", ""},
		{"an elected thread", ring{arrivals: 1, release: "setp.ne.u32 %q6, %r8, 2;\n@%q6 bra SKIP;\nelect.sync _|%q5, -1;\n" + give("@%q5") + "SKIP:\n"}, "", ""},
		{"one thread of each warp", ring{arrivals: 4, release: give("@%p1")}, "", ""},
		{"all threads", ring{arrivals: 128, release: give("")}, "", ""},
		{"one thread after a barrier", ring{arrivals: 1, release: own + give(one)}, "", ""},
		{"one thread of each of two warpgroups", ring{groups: 2, arrivals: 2, release: give(one)}, "", ""},
		{"three warpgroups and stages", ring{groups: 3, stages: 3, arrivals: 3, release: give(one)}, "", ""},
		{"one stage", ring{stages: 1, arrivals: 1, release: give(one)}, "", ""},
		{"A in registers", ring{arrivals: 1, wgmma: wgRS, release: give(one)}, "", ""},
		{"sparse", ring{arrivals: 1, wgmma: sparse, release: give(one)}, "", ""},
		{"one behind", ring{stages: 3, wait: 1, arrivals: 1, release: behind}, "", ""},
		{"one behind, of two warpgroups", ring{groups: 2, stages: 3, wait: 1, arrivals: 2, release: behind}, "", ""},
		{"an empty group", ring{arrivals: 1, before: "wgmma.commit_group.sync.aligned;\n", release: give(one)}, "", ""},
		{"an empty group of one warp", ring{arrivals: 1, start: "setp.eq.u32 %q6, %r8, 0;\n@%q6 bra EMPTYONE;\nbra NEXT;\nEMPTYONE:\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n", release: give(one)}, "", ""},
		{"ldmatrix of another warp, and a barrier", ring{arrivals: 1, before: matrix, release: own + give(one)}, "", ""},
		{"a load of another warp, which arrives too", ring{arrivals: 2, before: load, release: "or.pred %q5, %q3, %q3;\nsetp.eq.u32 %q7, %r9, 32;\nor.pred %q5, %q5, %q7;\n" + give("@%q5")}, "", ""},
		{"a load of another warp before the wgmma", ring{arrivals: 1, first: load, release: give(one)}, "", ""},
		{"ldmatrix of other warps before the wgmma", ring{arrivals: 1, first: matrix, release: give(one)}, "", ""},
		{"a load of another warp before the wgmma, one behind", ring{stages: 3, wait: 1, arrivals: 1, first: load, release: behind}, "", ""},
		{"the epilogue over what all warps have multiplied", ring{arrivals: 1, release: give(one), end: "mad.lo.u32 %v4, %r9, 16, %r10;\nst.shared.f32 [%v4], %f1;\n"}, "", ""},
		{"and a bulk store of that", ring{arrivals: 1, release: give(one), end: "mad.lo.u32 %v4, %r9, 16, %r10;\nst.shared.v4.f32 [%v4], {%f1, %f2, %f3, %f4};\nfence.proxy.async;\n" + own + "@%q3 cp.async.bulk.global.shared::cta.bulk_group [%out+8192], [%r10], 2048;\n@%q3 cp.async.bulk.commit_group;\n@%q3 cp.async.bulk.wait_group 0;\n"}, "", ""},

		{"before the wait", ring{arrivals: 1, before: give(one)}, sim.KindWritePending, sim.KindRace},
		{"of each warp, before the wait", ring{arrivals: 4, before: give("@%p1")}, sim.KindWritePending, sim.KindRace},
		{"one group too few", ring{wait: 1, arrivals: 1, release: give(one)}, sim.KindWritePending, sim.KindRace},
		{"only one of two warpgroups", ring{groups: 2, arrivals: 1, release: "setp.lt.u32 %q5, %t, 1;\n" + give("@%q5")}, sim.KindRace, sim.KindWritePending},
		{"two warpgroups in turns", ring{groups: 2, arrivals: 1, release: "and.b32 %v4, %r11, 1;\nshr.u32 %v5, %t, 7;\nsetp.eq.u32 %q5, %v4, %v5;\nand.pred %q5, %q5, %q3;\n" + give("@%q5")}, sim.KindRace, sim.KindWritePending},
		{"a load of another warp before the next wgmma", ring{stages: 3, wait: 1, arrivals: 1, before: load, release: give(one)}, sim.KindWritePending, sim.KindRace},
		{"a load of another warp", ring{arrivals: 1, before: load, release: give(one)}, sim.KindRace, sim.KindReadPending},
		{"ldmatrix of another warp", ring{arrivals: 1, before: matrix, release: give(one)}, sim.KindRace, sim.KindReadPending},
		{"ldmatrix of another warp, after its wait", ring{arrivals: 1, release: matrix + give(one)}, sim.KindRace, sim.KindReadPending},
		{"a thread that has not waited, after others have", ring{arrivals: 1, before: "setp.eq.u32 %q5, %r9, 32;\n" + give("@%q5")}, sim.KindWritePending, sim.KindRace},
		{"a bulk store without a barrier", ring{arrivals: 1, release: give(one), end: "mad.lo.u32 %v4, %r9, 16, %r10;\nst.shared.f32 [%v4], %f1;" + at + "fence.proxy.async;\n@%q3 cp.async.bulk.global.shared::cta.bulk_group [%out+8192], [%r10], 2048;" + at + "@%q3 cp.async.bulk.commit_group;\n@%q3 cp.async.bulk.wait_group 0;\n"}, sim.KindRace, sim.KindWritePending},
	} {
		threads := 128*max(x.ring.groups, 1) + 32
		list = append(list, trial{name: x.name, block: threads, body: x.ring.body(), kind: x.kind, or: x.or})
	}
	trials(t, list)
}

// TestStrictWgmma has a stage that one thread releases for the loads of other warps. Only a wgmma of all warps lies
// between, which orders the loads if the run is not strict.
func TestStrictWgmma(t *testing.T) {
	t.Parallel()
	body := ring{
		arrivals: 1, release: give("@%q3"), first: "setp.eq.u32 %q6, %r8, 1;\n@%q6 ld.shared.u32 %v4, [%r17+1536]; //LOAD\n",
	}.body()
	for _, strict := range []bool{false, true} {
		x := trial{block: 160, body: body}
		src := x.source()
		load := int32(1 + strings.Count(src[:strings.Index(src, "//LOAD")], "\n"))
		res, _, err := x.launch(t, loadText(t, src), sim.Launch{Findings: 20, Strict: strict})
		if (err == nil) == strict {
			t.Fatalf("strict %v: found %v", strict, err)
		}
		found := false
		for _, f := range res.Findings {
			found = found || f.Kind == sim.KindRace && f.Other.Line == load && !strings.Contains(f.Message, "fence.proxy")
		}
		if found != strict {
			t.Errorf("strict %v: found %v", strict, res.Findings)
		}
	}
}
