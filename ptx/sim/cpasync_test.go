package sim_test

import (
	"testing"

	"girih/ptx/sim"
)

// TestCopies checks all forms of cp.async, with the waits that the forms need.
func TestCopies(t *testing.T) {
	t.Parallel()
	const (
		copy4 = "cp.async.ca.shared.global [%st], [%pi], 4;\n"
		end   = "bar.sync 0;\nxor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1];\nst.global.u32 [%po], %r2;\n"
		lost  = "bar.sync 0;\nxor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1]; //!\nst.global.u32 [%po], %r2;\n"
		at16  = "mad.lo.u32 %r3, %t, 16, %s;\nmad.wide.u32 %rd3, %t, 16, %in;\n"
		own16 = "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%r3];\nshl.b32 %r5, %r5, 8;\nor.b32 %r4, %r4, %r5;\nshl.b32 %r6, %r6, 16;\nor.b32 %r4, %r4, %r6;\n" +
			"shl.b32 %r7, %r7, 24;\nor.b32 %r4, %r4, %r7;\nst.global.u32 [%po], %r4;\n"
	)
	turned := func(i int) uint32 { return uint32(i ^ 63) }
	four := func(n int) func(i int) uint32 { // the first n of four words
		return func(i int) uint32 {
			v := uint32(0)
			for k := range n {
				v |= uint32(4*i+k) << (8 * k)
			}
			return v
		}
	}
	trials(t, []trial{
		{name: "a group", body: copy4 + "cp.async.commit_group;\ncp.async.wait_group 0;\n" + end, want: turned},
		{name: "wait_all", body: copy4 + "cp.async.wait_all;\n" + end, want: turned},
		{name: "shared::cta and hints", body: `createpolicy.fractional.L2::evict_last.b64 %rd5, 0f3F800000;
	cp.async.ca.shared::cta.global.L2::cache_hint.L2::128B [%st], [%pi], 4, %rd5;
	cp.async.wait_all;
` + end, want: turned},
		{name: "a source in another lane's order", body: "mad.lo.u32 %r9, %l, -8, 124;\ncvt.s64.s32 %rd9, %r9;\nadd.s64 %rd9, %pi, %rd9;\ncp.async.ca.shared.global [%st], [%rd9], 4;\ncp.async.wait_all;\nld.shared.u32 %r2, [%st];\nst.global.u32 [%po], %r2;\n", want: func(i int) uint32 { return uint32(i ^ 31) }},
		{name: "16 bytes", body: at16 + "cp.async.cg.shared.global [%r3], [%rd3], 16;\ncp.async.wait_all;\n" + own16, want: four(4)},
		{name: "a part and zeros", body: at16 + "mov.u32 %r8, 8;\ncp.async.cg.shared.global.L2::64B [%r3], [%rd3], 16, %r8;\ncp.async.wait_all;\n" + own16, want: four(2)},
		{name: "zeros only, of no address", body: at16 + "mov.u64 %rd3, 0;\ncp.async.cg.shared.global [%r3], [%rd3], 16, 0;\ncp.async.wait_all;\n" + own16, want: four(0)},
		{name: "an ignored source", body: at16 + "setp.ge.u32 %p5, %t, 64;\ncp.async.cg.shared.global [%r3], [%rd3], 16, !%p5;\ncp.async.wait_all;\n" + own16, want: four(0)},
		{name: "one that is not ignored", body: at16 + "setp.ge.u32 %p5, %t, 64;\ncp.async.cg.shared.global [%r3], [%rd3], 16, %p5;\ncp.async.wait_all;\n" + own16, want: four(4)},
		{name: "two groups, the first one waited for", body: copy4 + `cp.async.commit_group;
	cp.async.ca.shared.global [%st+2048], [%in], 4;
	cp.async.commit_group;
	cp.async.wait_group 1;
` + end, want: turned},
		{name: "lanes with groups of their own", body: "setp.lt.u32 %p5, %l, 7;\n@%p5 cp.async.commit_group;\n" + copy4 + "cp.async.commit_group;\n@%p5 cp.async.commit_group;\n@%p5 cp.async.wait_group 1;\n@!%p5 cp.async.wait_group 0;\n" + end, want: turned},
		{name: "an arrival at an mbarrier", body: "@%p0 mbarrier.init.shared.b64 [%m], 64;\nbar.sync 0;\n" + copy4 + "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\nL:\nmbarrier.try_wait.parity.shared.b64 %p3, [%m], 0;\n@!%p3 bra L;\n" + end[len("bar.sync 0;\n"):], want: turned},
		{name: "an arrival that counts itself", body: "@%p0 mbarrier.init.shared.b64 [%m], 64;\nbar.sync 0;\n" + copy4 + "cp.async.mbarrier.arrive.shared::cta.b64 [%m];\nmbarrier.arrive.shared.b64 _, [%m];\nL:\nmbarrier.test_wait.parity.shared.b64 %p3, [%m], 0;\n@!%p3 bra L;\n" + end[len("bar.sync 0;\n"):], want: turned},

		{name: "no wait", body: copy4 + "cp.async.commit_group;\n" + lost, kind: sim.KindReadPending, text: "cp.async.wait_group is missing"},
		{name: "no commit", body: copy4 + "cp.async.wait_group 0;\n" + lost, kind: sim.KindReadPending, text: "has not written yet"},
		{name: "one group too few", body: copy4 + "cp.async.commit_group;\ncp.async.wait_group 1;\n" + lost, kind: sim.KindReadPending},
		{name: "half of the lanes wait", body: copy4 + "cp.async.commit_group;\nsetp.lt.u32 %p5, %l, 16;\n@%p5 cp.async.wait_group 0;\n" + lost, kind: sim.KindReadPending},
		{name: "no wait at the mbarrier", body: "@%p0 mbarrier.init.shared.b64 [%m], 64;\nbar.sync 0;\n" + copy4 + "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n" + lost, kind: sim.KindReadPending},
		{name: "one question at the mbarrier", body: "@%p0 mbarrier.init.shared.b64 [%m], 64;\nbar.sync 0;\n" + copy4 + "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\nbar.sync 0;\nmbarrier.try_wait.parity.shared.b64 %p3, [%m], 0;\n" + lost, kind: sim.KindReadPending},
		{name: "no barrier behind the wait", body: copy4 + "cp.async.wait_all;\nxor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1]; //!\nst.global.u32 [%po], %r2;\n", kind: sim.KindReadPending},
		{name: "written over in flight", body: copy4 + "setp.eq.u32 %p5, %t, 5;\n@%p5 st.shared.u32 [%s+20], 7; //!\ncp.async.wait_all;\n" + end, kind: sim.KindWritePending, text: "still uses"},
		{name: "copied over in flight", body: copy4 + "cp.async.ca.shared.global [%st], [%in], 4; //!\ncp.async.wait_all;\n" + end, kind: sim.KindWritePending},
		{name: "its source is written in flight", body: "cp.async.ca.shared.global [%st], [%po], 4;\nst.global.u32 [%po], 7; //!\ncp.async.wait_all;\n" + end, kind: sim.KindWritePending},
		{name: "a stage that is still read", body: "st.shared.u32 [%st], %t;\nbar.sync 0;\nmov.u32 %r5, 63;\nsub.u32 %r5, %r5, %t;\nmad.lo.u32 %r5, %r5, 4, %s;\nld.shared.u32 %r2, [%r5]; //!\ncp.async.ca.shared.global [%st], [%pi+256], 4; //!\ncp.async.wait_all;\nst.global.u32 [%po], %r2;\n", kind: sim.KindRace, or: sim.KindReadPending},
		{name: "misaligned", body: at16 + "cp.async.cg.shared.global [%r3], [%rd3+8], 16; //!\n", kind: sim.KindAlign},
		{name: "out of bounds", body: "cp.async.ca.shared.global [%st], [%pi+16384], 4; //!\n", kind: sim.KindBounds},
		{name: "more than it copies", body: "cp.async.ca.shared.global [%st], [%pi], 4, 5; //!\n", kind: sim.KindArgument},
		{name: "a size that there is not", body: "cp.async.cg.shared.global [%st], [%pi], 8; //!\n", kind: sim.KindUnsupported, text: ".cg copies 16"},
	})
}
