package sim_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// TestHints checks that a finding names exactly the actions that the threads lack.
func TestHints(t *testing.T) {
	t.Parallel()
	const (
		copy4  = "cp.async.ca.shared.global [%st], [%pi], 4;\n"
		commit = "cp.async.commit_group;\n"
		own    = "ld.shared.u32 %r2, [%st]; //!\n"
		turned = "xor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1]; //!\n"
		bulk   = "@%p0 mbarrier.init.shared.b64 [%m], 1;\n@%p0 mbarrier.init.shared.b64 [%m+8], 1;\nbar.sync 0;\n@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n" +
			"@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 256, [%m];\n"
		store = "st.shared.u32 [%st], %t;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n" +
			"@%p0 cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256;\n"
		bulkCommit = "@%p0 cp.async.bulk.commit_group;\n"
		over       = "@%p0 st.shared.u32 [%s], 9; //!\n"
	)
	for _, x := range []trial{
		{name: "a wait with the wrong N", body: copy4 + commit + "cp.async.ca.shared.global [%st+2048], [%pi], 4;\n" + commit + "cp.async.wait_group 2; // W\n" + own, text: "the cp.async.wait_group at line W lets it pass: N = 2, and one group is newer than its own; N = 1 waits for it"},
		{name: "the newest group", body: copy4 + commit + "cp.async.wait_group 1; // W\n" + own, text: "the cp.async.wait_group at line W lets it pass: N = 1, and its group is the newest; N = 0 waits for it"},
		{name: "no commit", body: copy4 + "cp.async.wait_group 0; // W\n" + own, text: "the cp.async.wait_group at line W does not wait for it, since cp.async.commit_group between the two is missing"},
		{name: "no wait", body: copy4 + commit + own, text: ": cp.async.wait_group is missing before it"},
		{name: "neither", body: copy4 + own, text: ": no cp.async.commit_group has closed its group, and cp.async.wait_group is missing before it"},
		{name: "a wait before it", body: copy4 + commit + "cp.async.wait_group 0; // W\n" + copy4 + commit + own, text: "cp.async.wait_group is missing before it: the wait at line W was executed before it began"},
		{name: "another thread's wait comes later", body: "@%p2 bra A;\n" + turned + "bra B;\nA:\n" + copy4 + commit + "mov.u32 %r9, 100;\nL:\nsub.u32 %r9, %r9, 1;\nsetp.ne.u32 %p5, %r9, 0;\n@%p5 bra L;\ncp.async.wait_all; // W\nB:\nbar.sync 0;\n", text: "begun by thread (31,0,0) of block (0,0,0), has not written yet: thread (31,0,0) of block (0,0,0) has not waited for it yet: its cp.async.wait_all at line W and a barrier have to come before this"},
		{name: "another thread has waited", body: "@%p2 bra A;\nmov.u32 %r9, 100;\nL:\nsub.u32 %r9, %r9, 1;\nsetp.ne.u32 %p5, %r9, 0;\n@%p5 bra L;\n" + turned + "bra B;\nA:\n" + copy4 + "cp.async.wait_all;\nB:\nbar.sync 0;\n", text: "has written for thread (31,0,0) of block (0,0,0), and nothing orders the two: thread (31,0,0) of block (0,0,0) has waited for it, and a barrier between that wait and this is missing"},
		{name: "a stale parity", body: bulk + "L:\nmbarrier.try_wait.parity.shared.b64 %p9, [%m], 1; // W\n@!%p9 bra L;\n" + own, text: "the mbarrier.try_wait at line W passed at once: parity 1 belongs to the phase before the first, and this comes with phase 0 (parity 0) of the barrier at 0x1400"},
		{name: "the parity of the phase before", body: bulk + waitFor("%m", 0, "") + "bar.sync 0;\n@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 256, [%m];\nbar.sync 0;\nL:\nmbarrier.test_wait.parity.shared.b64 %p9, [%m], 0; // W\n@!%p9 bra L;\n" + own, text: "the mbarrier.test_wait at line W passed at once: it is for phase 0 (parity 0), which had completed, and this comes with phase 1 (parity 1) of the barrier at 0x1400"},
		{name: "no wait at the mbarrier", body: bulk + "bar.sync 0;\n" + own, text: ": mbarrier.try_wait on the barrier at 0x1400 is missing before it"},
		{name: "another mbarrier", body: bulk + "@%p0 mbarrier.arrive.shared.b64 _, [%m+8];\nL:\nmbarrier.try_wait.parity.shared.b64 %p9, [%m+8], 0; // W\n@!%p9 bra L;\n" + own, text: "mbarrier.try_wait on the barrier at 0x1400 is missing before it; the wait at line W was for the barrier at 0x1408"},
		{name: "one question", body: bulk + "bar.sync 0;\nmbarrier.try_wait.parity.shared.b64 %p9, [%m], 0; // W\n" + own, text: "the mbarrier.try_wait at line W has answered that phase 0 of the barrier at 0x1400 is not complete, and was not repeated"},
		{name: "another warp has waited at the mbarrier", body: bulk + "@!%p2 bra B;\nL:\nmbarrier.try_wait.parity.shared.b64 %p9, [%m], 0; // W\n@!%p9 bra L;\nbra C;\nB:\nmov.u32 %r9, 100;\nD:\nsub.u32 %r9, %r9, 1;\nsetp.ne.u32 %p5, %r9, 0;\n@%p5 bra D;\n" + own + "C:\n", text: "warp 0 of block (0,0,0) has waited for it at line W, and a barrier between that wait and this is missing, or mbarrier.try_wait on the barrier at 0x1400"},
		{name: "sources that are not waited for", body: store + bulkCommit + over, text: ": cp.async.bulk.wait_group (.read is enough) is missing before it"},
		{name: "a bulk wait with the wrong N", body: store + bulkCommit + "@%p0 cp.async.bulk.wait_group.read 1; // W\n" + over, text: "the cp.async.bulk.wait_group at line W lets it pass: N = 1, and its group is the newest; N = 0 waits for it"},
		{name: "a store in no group", body: store + "@%p0 cp.async.bulk.wait_group.read 0; // W\n" + over, text: "the cp.async.bulk.wait_group at line W does not wait for it, since cp.async.bulk.commit_group between the two is missing"},
		{name: "a wait for the sources only", body: store + bulkCommit + "@%p0 cp.async.bulk.wait_group.read 0; // W\n@%p0 ld.global.u32 %r2, [%out]; //!\n", text: "the cp.async.bulk.wait_group at line W is with .read and waits for its reads only: one without .read is missing before it"},
		{name: "an exit before the store has read", body: store + bulkCommit, text: "nothing lets a thread know of that before the last one of the block exits: cp.async.bulk.wait_group (.read is enough) is missing before it"},
		{name: "an mbarrier that completes too early", body: "@%p0 mbarrier.init.shared.b64 [%m], 32;\nbar.sync 0;\nst.shared.u32 [%st], %t; //!\nmbarrier.arrive.shared.b64 _, [%m];\nL:\nmbarrier.try_wait.parity.shared.b64 %p9, [%m], 0; // W\n@!%p9 bra L;\n" + turned, text: "thread (63,0,0) of block (0,0,0) came through the mbarrier at 0x1400 at line W, which completes with 32 arrivals, and this thread was not among them"},
		{name: "a barrier of too few threads", body: "st.shared.u32 [%st], %t; //!\n@%p2 bar.sync 1, 32; // W\n" + turned + "bar.sync 0;\n", text: "thread (31,0,0) of block (0,0,0) came through barrier 1 at line W, which completes with 32 arrivals, and this thread was not among them"},
		{name: "no barrier", body: "st.shared.u32 [%st], %t; //!\n" + turned, text: "nothing orders the two: a barrier between them is missing"},
		{name: "two blocks", grid: 2, body: "mad.wide.u32 %rd5, %t, 4, %out;\nst.global.u32 [%rd5], %g; //!\n", text: "a flag or an atomic that orders the blocks is missing, a fence or .release before it, a fence or .acquire after it, or a barrier between it and one of the two"},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			src := x.source()
			_, err := x.run(t, loadText(t, src), 0)
			f, ok := errors.AsType[*sim.Finding](err)
			if !ok {
				t.Fatalf("got %v", err)
			}
			want := x.text
			for i, line := range strings.Split(src, "\n") {
				if strings.HasSuffix(line, "// W") {
					want = strings.ReplaceAll(want, "line W", fmt.Sprintf("line %d", i+1))
				}
			}
			if !strings.HasSuffix(f.Message, want) {
				t.Errorf("line %d: %s\nwant %s", f.Pos.Line, f.Message, want)
			}
		})
	}
}
