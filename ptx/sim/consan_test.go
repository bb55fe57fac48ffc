package sim_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// These are the patterns of the tests of Triton's ConSan (python/test/gluon/test_consan.py), in PTX: each has no
// finding, and with one line changed it has one. Left out are two copies under way into one buffer with
// mbarriers of their own, which ConSan accepts and the PTX ISA does not order, and the initialisation of an mbarrier
// that has not been invalidated, which changes nothing here.

// A consanCase is a kernel of a trial with 128 threads, and what its changes must lead to.
type consanCase struct {
	name, body string
	faults     []consanFault
}

type consanFault struct {
	from, to string
	kinds    []sim.Kind
}

const consanInit = `
	@%p0 mbarrier.init.shared.b64 [%m], 1; @%p0 mbarrier.init.shared.b64 [%m+8], 1;
	@%p0 mbarrier.init.shared.b64 [%m+16], 64; @%p0 mbarrier.init.shared.b64 [%m+24], 64;
	fence.mbarrier_init.release.cluster; bar.sync 0; setp.lt.u32 %p5, %t, 64;
`

// consanLoad copies 512 bytes to shared memory, which complete at an mbarrier.
func consanLoad(bar, at int) string {
	return fmt.Sprintf("@%%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%%m+%d], 512; // expect%d\n@%%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%%s+%d], [%%in], 512, [%%m+%d];\n",
		bar, bar, at, bar)
}

// consanWait waits for a phase of an mbarrier.
func consanWait(name string, bar, phase int) string {
	return fmt.Sprintf("%s:\nmbarrier.try_wait.parity.shared.b64 %%p6, [%%m+%d], %d; @!%%p6 bra %s; // %s\n",
		name, bar, phase, name, name)
}

// consanRead reads a word of each thread.
func consanRead(at int) string {
	return fmt.Sprintf("ld.shared.b32 %%r1, [%%st+%d]; st.global.b32 [%%po], %%r1;\n", at)
}

// consanRoles runs one text in the first 64 threads and another in the others.
func consanRoles(first, second string) string {
	return "@!%p5 bra SECOND;\n" + first + "bra MEET;\nSECOND:\n" + second + "MEET:\nbar.sync 0;\n"
}

func consanCases() []consanCase {
	const (
		pending = sim.KindReadPending
		over    = sim.KindWritePending
		race    = sim.KindRace
		arrive0 = "mbarrier.arrive.shared.b64 _, [%m+16];\n"
		arrive1 = "mbarrier.arrive.shared.b64 _, [%m+24];\n"
		done    = "bar.sync 0; @%p0 mbarrier.inval.shared.b64 [%m];\n"
		store   = "st.shared.b32 [%s+600], %t; st.shared.b32 [%st+1024], %t;\n"
		copied  = "cp.async.ca.shared.global [%st], [%pi], 4; cp.async.commit_group;\ncp.async.ca.shared.global [%st+1024], [%pi], 4; cp.async.commit_group;\n"
		slot    = "and.b32 %r2, %t, 63; mad.lo.u32 %r2, %r2, 4, %s;\n"
	)
	wait := consanWait("A", 0, 0)
	produce := slot + "st.shared.b32 [%r2], %t;\n" + arrive0
	consume := slot + consanWait("C", 16, 0) + "ld.shared.b32 %r1, [%r2]; st.global.b32 [%po], %r1;\n"
	again := slot + "mov.b32 %r3, 0;\nP:\n" + consanWait("PW", 24, 1)
	again = strings.Replace(again, "[%m+24], 1", "[%m+24], %r4", 1)
	again = strings.Replace(again, "P:\n", "P:\nand.b32 %r4, %r3, 1; xor.b32 %r4, %r4, 1;\n", 1) +
		"st.shared.b32 [%r2], %r3;\n" + arrive0 + "add.u32 %r3, %r3, 1; setp.lt.u32 %p7, %r3, 5; @%p7 bra P;\n"
	drain := slot + "mov.b32 %r3, 0; mov.b32 %r5, 0;\nQ:\nand.b32 %r4, %r3, 1;\n" +
		strings.Replace(consanWait("QW", 16, 0), "[%m+16], 0", "[%m+16], %r4", 1) +
		"ld.shared.b32 %r1, [%r2]; add.u32 %r5, %r5, %r1; // take\n" + arrive1 + "add.u32 %r3, %r3, 1; setp.lt.u32 %p7, %r3, 5; @%p7 bra Q;\nst.global.b32 [%po], %r5;\n"
	return []consanCase{
		{"async_tma_kernel", consanLoad(0, 0) + wait + consanRead(0) + done, []consanFault{{wait, "", []sim.Kind{pending}}}},
		{
			"async_tma_kernel_2bufs_1bar", strings.Replace(consanLoad(0, 0), "512; //", "1024; //", 1) +
				strings.Split(consanLoad(0, 512), "\n")[1] + "\n" + wait + consanRead(0) + consanRead(512) + done,
			[]consanFault{{wait, "", []sim.Kind{pending}}, {"1024; //", "512; //", []sim.Kind{pending, sim.KindTxCount}}},
		},
		{"async_tma_expect_bytes_mismatch", consanLoad(0, 0) + wait + consanRead(0), []consanFault{
			{"512; //", "528; //", []sim.Kind{sim.KindDeadlock}}, {"512; //", "496; //", []sim.Kind{sim.KindDeadlock, sim.KindTxCount}},
		}},
		{"tma_interleave_kernel", consanLoad(0, 0) + consanLoad(8, 512) + wait + consanWait("B", 8, 0) + consanRead(0) + consanRead(512), []consanFault{{consanWait("B", 8, 0), "", []sim.Kind{pending}}}},
		{"tma_wait_tracks_only_waited_barrier", consanLoad(0, 0) + consanLoad(8, 512) + consanWait("B", 8, 0) + consanRead(512) + wait, []consanFault{{consanRead(512), consanRead(0), []sim.Kind{pending}}}},
		{"async_copy", copied + "cp.async.wait_group 1;\ncp.async.ca.shared.global [%st], [%pi], 4; cp.async.commit_group; cp.async.wait_group 0;\n", []consanFault{{"wait_group 1", "wait_group 2", []sim.Kind{over}}}},
		{
			"tma_store", "st.shared.b32 [%st], %t; st.shared.b32 [%st+512], %t; fence.proxy.async.shared::cta; bar.sync 0;\n" +
				"@%p0 cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 512; @%p0 cp.async.bulk.commit_group;\n@%p0 cp.async.bulk.global.shared::cta.bulk_group [%out+512], [%s+512], 512; @%p0 cp.async.bulk.commit_group;\n" +
				"@%p0 cp.async.bulk.wait_group.read 1;\n@%p0 st.shared.b32 [%s], %t;\n@%p0 cp.async.bulk.wait_group.read 0;\n@%p0 st.shared.b32 [%s+512], %t;\n",
			[]consanFault{
				{"@%p0 cp.async.bulk.wait_group.read 0;\n", "", []sim.Kind{over}}, {"read 1;", "read 2;", []sim.Kind{over}},
			},
		},
		{"ws_store_wait_load", consanRoles(produce, consume), []consanFault{{consanWait("C", 16, 0), "", []sim.Kind{race}}}},
		{"ws_load_wait_store", "st.shared.b32 [%st], %t; bar.sync 0;\n" + consanRoles(
			slot+"ld.shared.b32 %r1, [%r2]; st.global.b32 [%po], %r1;\n"+arrive0,
			slot+consanWait("C", 16, 0)+"st.shared.b32 [%r2], %t;\n",
		), []consanFault{{consanWait("C", 16, 0), "", []sim.Kind{race}}}},
		{"ws_load_ordering", consanRoles(again, drain), []consanFault{
			{consanWaitOf(drain, "QW"), "QW:\n", []sim.Kind{race}},
			{consanWaitOf(again, "PW"), "PW:\n", []sim.Kind{race, sim.KindDeadlock}},
			{"ld.shared.b32 %r1, [%r2]; add.u32 %r5, %r5, %r1; // take\n" + arrive1, arrive1 + "ld.shared.b32 %r1, [%r2]; add.u32 %r5, %r5, %r1;\n", []sim.Kind{race}},
		}},
		{
			"ws_async_copy_commits", consanRoles("cp.async.ca.shared.global [%st], [%pi], 4; cp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.b32 %r1, [%st]; st.global.b32 [%po], %r1;\n",
				"cp.async.ca.shared.global [%st+512], [%pi], 4; cp.async.commit_group; cp.async.wait_group 0;\nld.shared.b32 %r1, [%st+512]; st.global.b32 [%po], %r1;\n"),
			[]consanFault{
				{"ld.shared.b32 %r1, [%st+512]", "ld.shared.b32 %r1, [%st-256]", []sim.Kind{race, pending}},
				{"cp.async.wait_group 0;\nld.shared.b32 %r1, [%st];", "cp.async.wait_group 1;\nld.shared.b32 %r1, [%st];", []sim.Kind{pending}},
			},
		},
		{
			"deadlock_two_partitions", consanRoles("@%p0 mbarrier.arrive.shared.b64 _, [%m+8];\n"+wait,
				"setp.eq.u32 %p7, %t, 64; @%p7 mbarrier.arrive.shared.b64 _, [%m];\n"+consanWait("B", 8, 0)),
			[]consanFault{{"@%p0 mbarrier.arrive.shared.b64 _, [%m+8];\n", "", []sim.Kind{sim.KindDeadlock}}},
		},
		{"deadlock_underarrival", consanRoles(arrive0, consanWait("C", 16, 0)), []consanFault{{arrive0, "@%p0 " + arrive0, []sim.Kind{sim.KindDeadlock}}}},
		{"deadlock_overarrival", "@%p0 mbarrier.arrive.shared.b64 _, [%m];\n" + wait, []consanFault{{"@%p0 mbarrier.arrive.shared.b64 _, [%m];\n", "@%p0 mbarrier.arrive.shared.b64 _, [%m];\n@%p0 mbarrier.arrive.shared.b64 _, [%m];\nbar.sync 0;\n", []sim.Kind{sim.KindDeadlock}}}},
		{"deadlock_exempt_when_tma_signals", consanRoles(consanLoad(0, 0)+wait, strings.ReplaceAll(consanLoad(8, 512), "@%p0", "setp.eq.u32 %p7, %t, 64; @%p7")+consanWait("B", 8, 0)), nil},
		{"barrier_underflow", consanRoles("@%p0 mbarrier.arrive.shared.b64 _, [%m+8], 1;\n", consanWait("B", 8, 0)), []consanFault{{"[%m+8], 1;\n", "[%m+8], 2;\n", []sim.Kind{sim.KindBarrier}}}},
		{"barrier_use_without_init", "@%p0 mbarrier.arrive.shared.b64 _, [%m];\n" + wait, []consanFault{
			{"arrive.shared.b64 _, [%m]", "arrive.shared.b64 _, [%m+64]", []sim.Kind{sim.KindBarrier, sim.KindUninitialised}}, {"parity.shared.b64 %p6, [%m+0]", "parity.shared.b64 %p6, [%m+64]", []sim.Kind{sim.KindBarrier, sim.KindUninitialised}},
		}},
		{"barrier_use_after_invalidate", "@%p0 mbarrier.arrive.shared.b64 _, [%m];\n" + wait + done, []consanFault{{done, done + "@%p0 mbarrier.arrive.shared.b64 _, [%m];\n", []sim.Kind{sim.KindBarrier, sim.KindUninitialised}}}},
		{
			"aliasing_shared_visibility_outstanding_write", consanRoles(slot+"st.shared.b32 [%r2+256], %t;\n"+arrive0,
				slot+consanWait("C", 16, 0)+"ld.shared.b32 %r1, [%r2+256]; st.global.b32 [%po], %r1;\n"),
			[]consanFault{{consanWait("C", 16, 0), "", []sim.Kind{race}}},
		},
		{
			"aliasing_commit_tracking", consanRoles(
				"cp.async.ca.shared.global [%st+512], [%pi], 4; cp.async.commit_group;\ncp.async.wait_group 0; // wait\n"+arrive0,
				slot+consanWait("C", 16, 0)+"st.shared.b32 [%r2+512], %t;\n",
			),
			[]consanFault{{"cp.async.wait_group 0; // wait\n", "", []sim.Kind{over}}},
		},
	}
}

// consanWaitOf returns the lines of a wait in a text.
func consanWaitOf(text, name string) string {
	from := strings.Index(text, name+":\n")
	return text[from : strings.Index(text, "// "+name)+len("// "+name)]
}

func TestConsan(t *testing.T) {
	t.Parallel()
	for _, c := range consanCases() {
		run := func(body string, seed uint64) *sim.Finding {
			x := trial{body: consanInit + body, block: 128}
			_, err := x.run(t, loadText(t, x.source()), seed)
			f, ok := errors.AsType[*sim.Finding](err)
			if err != nil && !ok {
				t.Fatalf("%s: %v", c.name, err)
			}
			return f
		}
		for seed := range uint64(3) {
			if f := run(c.body, seed); f != nil {
				t.Errorf("%s, seed %d: %v", c.name, seed, f)
			}
			for _, x := range c.faults {
				if !strings.Contains(c.body, x.from) {
					t.Fatalf("%s: no %q", c.name, x.from)
				}
				f := run(strings.Replace(c.body, x.from, x.to, 1), seed)
				if f == nil || !slices.Contains(x.kinds, f.Kind) {
					t.Errorf("%s without %q, seed %d: %v, want %v", c.name, x.from, seed, f, x.kinds)
				}
			}
		}
	}
}

// The patterns of ConSan with tensor memory.
func TestConsanTensor(t *testing.T) {
	t.Parallel()
	const (
		end  = orderLoad + orderLoaded
		cp   = "tcgen05.cp.cta_group::1.128x128b [%a], %rd10;\n"
		bulk = "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar2], 512;\n@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 512, [bar2];\n"
	)
	issue, wait := only("%p0", "S", orderMMA+orderCommit), orderWait("%rd9", 0)
	fill := only("%p0", "S", cp+orderCommit)
	for _, x := range []struct {
		name, before, after string
		kind                sim.Kind // of the fault, or a race
	}{
		{"tcgen5_mma, tma_cp", issue, bulk + orderWait("%rd12", 0), sim.KindWritePending},
		{"tcgen5_mma, local_store", issue, "@%p0 st.shared.b32 [%s], %t;\n", sim.KindWritePending},
		{"tcgen5_mma, tmem_load", issue, end, sim.KindReadPending},
		{"tcgen5_mma, tmem_store", issue, "tcgen05.st.sync.aligned.32x32b.x1.b32 [%wa], {%t};\ntcgen05.wait::st.sync.aligned;\n", sim.KindWritePending},
		{"tcgen5_copy, local_store", fill, "shl.b32 %r30, %t, 4; add.u32 %r30, %r30, %s; add.u32 %r30, %r30, 5120; st.shared.b32 [%r30], %t;\n", sim.KindWritePending},
		{"tcgen5_copy, tmem_load", fill, "tcgen05.ld.sync.aligned.32x32b.x4.b32 {%r20, %r21, %r22, %r23}, [%wa];\ntcgen05.wait::ld.sync.aligned;\n", sim.KindReadPending},
		{"mma_read_async_copy_write", issue, "@%p0 cp.async.ca.shared.global [%s], [%in], 4;\ncp.async.wait_all;\n", sim.KindWritePending},
	} {
		for _, sound := range []bool{true, false} {
			body := x.before
			if sound {
				body += wait
			}
			body += x.after
			if !sound {
				body += wait
			}
			src, words := orderBody(strings.ReplaceAll(body, "LIST", registers(20, 32)))
			for seed := range uint64(3) {
				_, res, f := runTensorAt(t, src, tensorWords{words, 1}, sim.Launch{Seed: seed})
				switch {
				case sound && (f != nil || len(res.Lesser) > 0):
					t.Errorf("%s, seed %d: %v, %v", x.name, seed, f, res.Lesser)
				case !sound && (f == nil || f.Kind != x.kind && f.Kind != sim.KindRace):
					t.Errorf("%s without the wait, seed %d: %v, want %v", x.name, seed, f, x.kind)
				}
			}
		}
	}
}
