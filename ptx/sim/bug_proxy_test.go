package sim_test

import (
	"strings"
	"testing"

	"girih/ptx/sim"
)

const (
	fenceShared = "fence.proxy.async.shared::cta;\n"
	barAll      = "bar.sync 0;\n"
	bang        = "//!"
	drain       = "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
	loadTile    = "mbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n" +
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 256, [%m]; "
	initOne   = "@%p0 mbarrier.init.shared.b64 [%m], 1;\n"
	initFence = "fence.mbarrier_init.release.cluster;\n"
)

// TestBugsBeforeAsyncReads checks kernels in which the async proxy reads bytes that threads have written.
func TestBugsBeforeAsyncReads(t *testing.T) {
	t.Parallel()
	// epilogue lets two warps fill a tile and meet at a named barrier; then one thread stores the tile with a bulk
	// copy.
	epilogue := func(write, fence, meet, mark string) string {
		return write + mark + "\n" + fence + meet + "@!%p0 bra OUT;\n" +
			"cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256; " + mark + "\n" + drain + "OUT:\n"
	}
	const (
		named  = "bar.sync 1, 64;\n"
		scalar = "add.u32 %r1, %t, 7;\nst.shared.u32 [%st], %r1; "
		vector = "shl.b32 %r2, %t, 2;\nadd.u32 %r1, %s, %r2;\nmov.b32 %r3, %t;\n" +
			"setp.lt.u32 %p5, %t, 16;\nshl.b32 %r2, %t, 4;\nadd.u32 %r1, %s, %r2;\n" +
			"@%p5 st.shared.v4.b32 [%r1], {%r3, %r3, %r3, %r3}; "
		matrix = "and.b32 %r1, %l, 7;\nmad.lo.u32 %r1, %w, 8, %r1;\nmad.lo.u32 %r1, %r1, 16, %s;\nadd.u32 %r3, %t, 9;\n" +
			"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r1], {%r3}; "
	)
	// zero clears a tile. The fence is only in the loop over the parts of a sequence, and the sequence is empty.
	zero := func(after, mark string) string {
		return "mov.u32 %r1, 3;\nst.shared.u32 [%st], %r1; " + mark + "\nld.global.u32 %r2, [%in];\n" +
			"LOOP:\nsetp.eq.u32 %p5, %r2, 0;\n@%p5 bra DONE;\n" + fenceShared + "sub.u32 %r2, %r2, 1;\nbra LOOP;\nDONE:\n" +
			after +
			barAll + "@!%p0 bra OUT;\ncp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256; " + mark + "\n" + drain +
			"OUT:\n"
	}
	// polled lets block 0 write data and set a flag. Block 1 waits for the flag, and then loads the data with a bulk
	// copy.
	polled := func(fence, mark string) string {
		return initOne + "setp.eq.u32 %p5, %b, 1;\n@%p5 bra ASK;\nadd.u32 %r1, %t, 5;\nst.global.u32 [%po], %r1; " + mark +
			"\n" +
			barAll + "@%p0 st.release.gpu.global.u32 [%out+4096], 1;\nbra OUT;\nASK:\n@!%p0 bra OUT;\n" +
			"SPIN:\nld.acquire.gpu.global.u32 %r2, [%out+4096];\nsetp.eq.u32 %p6, %r2, 0;\n@%p6 bra SPIN;\n" + fence +
			"mbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n" +
			"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%out], 256, [%m]; " + mark + "\n" +
			waitFor("%m", 0, "") + "OUT:\n"
	}
	// elected lets the lanes of warp 0 fill a tile, and one lane signal warp 1, which stores the tile with a bulk copy.
	elected := func(fence, mark string) string {
		return initOne + barAll + "@!%p2 bra COPY;\nadd.u32 %r1, %t, 4;\nst.shared.u32 [%st], %r1; " + mark + "\n" + fence +
			"@%p1 mbarrier.arrive.shared.b64 _, [%m];\nbra OUT;\nCOPY:\n@!%p1 bra OUT;\n" + waitFor("%m", 0, "") +
			"cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 128; " + mark + "\n" + drain + "OUT:\n"
	}
	// peer lets block 1 write to the tile of block 0, which stores the tile after the barrier of the cluster.
	peer := func(fence, mark string) string {
		const meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
		return meet +
			"setp.eq.u32 %p5, %b, 0;\n@%p5 bra MEET;\nmapa.shared::cluster.u32 %r4, %st, 0;\nadd.u32 %r1, %t, 4;\n" +
			"st.shared::cluster.u32 [%r4], %r1; " + mark + "\n" + fence + "MEET:\n" + meet + "@!%p5 bra OUT;\n" +
			"@!%p0 bra OUT;\n" +
			"cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256; " + mark + "\n" + drain + "OUT:\n"
	}
	// reduced adds a tile of sums to global memory. The sums were computed by atomic instructions.
	reduced := func(fence, mark string) string {
		return "st.shared.u32 [%st], 0;\n" + fenceShared + barAll +
			"xor.b32 %r1, %t, 33;\nmad.lo.u32 %r1, %r1, 4, %s;\nred.shared.add.u32 [%r1], 3; " + mark + "\n" + fence + barAll +
			"@!%p0 bra OUT;\ncp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%s], 256; " + mark + "\n" +
			drain + "OUT:\n"
	}
	bugs(t, []bug{
		// NVIDIA/cudnn-frontend 784: a named barrier does not act as a fence for the async proxy.
		{pair: pair{name: "a named barrier", sound: epilogue(scalar, fenceShared, named, ""), broken: epilogue(scalar, "",
			named, bang)}},
		// NVIDIA/Fuser 1967 and 4814: the stores are vector stores.
		{pair: pair{name: "vectors", sound: epilogue(vector, fenceShared, barAll, ""), broken: epilogue(vector, "", barAll,
			bang)}},
		// fast.cu, kernels 11 and 12: the stores are stmatrix.
		{pair: pair{name: "stmatrix", sound: epilogue(matrix, fenceShared, barAll, ""), broken: epilogue(matrix, "",
			barAll, bang)}},
		// tile-ai/TileOPs 1574: there is neither a fence nor a barrier.
		{pair: pair{name: "nothing between", sound: epilogue(scalar, fenceShared, named, ""), broken: epilogue(scalar, "",
			"", bang)}},
		// tile-ai/TileOPs 1574: a fence alone does not order threads.
		{pair: pair{name: "no barrier", sound: epilogue(scalar, fenceShared, named, ""), broken: epilogue(scalar,
			fenceShared, "", bang)}},
		// pytorch/ao 4278: the barrier comes before the fence, and the thread that copies has no fence.
		{pair: pair{
			name: "a fence after the barrier", sound: epilogue(scalar, fenceShared, barAll, ""),
			broken: epilogue(scalar, barAll, "@!%p2 "+fenceShared, bang),
		}},
		// MoonshotAI/FlashKDA 24 and 25: the fence is in a loop that is never entered.
		{pair: pair{name: "no sequence", sound: zero(fenceShared, ""), broken: zero("", bang)}},
		// deepseek-ai/DeepEP 632: the flag uses the generic proxy, and the copy uses the async proxy.
		{pair: pair{name: "a polled flag", grid: 2, sound: polled("fence.proxy.async;\n", ""), broken: polled("", bang)}},
		{pair: pair{
			name: "a polled flag, global", grid: 2, sound: polled("fence.proxy.async.global;\n", ""),
			broken: polled(fenceShared, bang),
		}},
		// flashinfer-ai/flashinfer 4690: the fence of one elected lane does not cover later stores of other lanes.
		{pair: pair{
			name: "an elected lane", sound: elected(fenceShared+"bar.warp.sync -1;\n", ""),
			broken: elected("@%p1 "+fenceShared+"bar.warp.sync -1;\n", bang),
		}},
		{pair: pair{
			name: "an elected lane after all have met", sound: elected("bar.warp.sync -1;\n@%p1 "+fenceShared, ""),
			broken: elected("bar.warp.sync -1;\n", bang),
		}},
		// meta-pytorch/tritonbench, remote stores of TLX: the data were written by the other block.
		{pair: pair{name: "a peer's data", grid: 2, cluster: 2, sound: peer("fence.proxy.async;\n", ""), broken: peer("",
			bang)}},
		{pair: pair{name: "sums", sound: reduced(fenceShared, ""), broken: reduced("", bang)}},
	})
}

// TestBugsOfReuse checks kernels that overwrite a stage while it is still in use.
func TestBugsOfReuse(t *testing.T) {
	t.Parallel()
	// relay copies two tiles through two stages, and then loads a third one over the first.
	relay := func(n, mark string) string {
		load := func(stage, from, parity string) string {
			return "add.u32 %r1, %s, " + stage + ";\nmbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n" +
				"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%in+" + from + "], 256, [%m]; " +
				mark + "\n" +
				"{\nW: mbarrier.try_wait.parity.shared.b64 %p9, [%m], " + parity + ";\n@!%p9 bra W;\n}\n"
		}
		store := func(stage, to string) string {
			return "add.u32 %r1, %s, " + stage + ";\n" +
				"cp.async.bulk.global.shared::cta.bulk_group [%out+" + to + "], [%r1], 256;\ncp.async.bulk.commit_group;\n"
		}
		return initOne + barAll + "@!%p0 bra OUT;\n" + load("0", "0", "0") + store("0", "0") + load("256", "256", "1") +
			store("256", "256") + "cp.async.bulk.wait_group.read " + n + ";\n" + load("0", "512", "0") + store("0", "512") +
			"cp.async.bulk.wait_group 0;\nOUT:\n"
	}
	// waves lets all threads fill a tile twice. The thread that stores the tile waits until the store has read it.
	waves := func(meet, mark string) string {
		return "mov.u32 %r1, 0;\nWAVE:\nadd.u32 %r2, %r1, %t;\nadd.u32 %r2, %r2, 1;\nst.shared.u32 [%st], %r2; " + mark +
			"\n" + fenceShared + barAll +
			"@!%p0 bra NEXT;\nmad.wide.u32 %rd5, %r1, 256, %out;\n" +
			"cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%s], 256; " + mark + "\ncp.async.bulk.commit_group;\n" +
			"cp.async.bulk.wait_group.read 0;\nNEXT:\n" + meet +
			"add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p5, %r1, 3;\n@%p5 bra WAVE;\n" +
			"@%p0 cp.async.bulk.wait_group 0;\n"
	}
	// others is like waves, but every thread waits for its own bulk groups, and only one thread has the group of the
	// store.
	others := func(meet, mark string) string {
		return "add.u32 %r2, %t, 1;\nst.shared.u32 [%st], %r2;\n" + fenceShared + barAll +
			"@%p0 cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256; " + mark +
			"\n@%p0 cp.async.bulk.commit_group;\n" +
			"cp.async.bulk.wait_group.read 0;\n" + meet + "st.shared.u32 [%st], %t; " + mark +
			"\n@%p0 cp.async.bulk.wait_group 0;\n"
	}
	// ring has a full mbarrier for each of two tiles, and an empty mbarrier at which the 32 readers of warp 1 arrive.
	// Thread 0 loads both tiles into the same stage.
	next := strings.ReplaceAll(loadTile, "[%m]", "[%m+16]")
	ring := func(wait, fence, mark string) string {
		return initOne + "@%p0 mbarrier.init.shared.b64 [%m+8], 32;\n@%p0 mbarrier.init.shared.b64 [%m+16], 1;\n" +
			initFence + barAll + "@!%p2 bra READ;\n@!%p0 bra OUT;\n" +
			loadTile + mark + "\n" + wait + next + mark + "\n" + waitFor("%m+16", 0, "") + "bra OUT;\nREAD:\n" +
			waitFor("%m", 0, "") + "ld.shared.u32 %r5, [%st]; " + mark + "\n" + fence +
			"mbarrier.arrive.shared.b64 _, [%m+8];\nst.global.u32 [%po], %r5;\nOUT:\n"
	}
	empty := waitFor("%m+8", 0, "")
	// both reads two tiles from one stage, and executes one fence for both before it returns the stage.
	both := func(before, after, mark string) string {
		return initOne + "@%p0 mbarrier.init.shared.b64 [%m+8], 32;\n" + initFence + barAll + "@!%p2 bra READ;\n@!%p0 bra OUT;\n" +
			loadTile + "\n" + empty + loadTile + mark + "\n" + waitFor("%m", 1, "") + "bra OUT;\nREAD:\n" + waitFor("%m", 0,
			"") +
			"ld.shared.u32 %r5, [%st]; " + mark + "\n" + before + "xor.b32 %r6, %st, 128;\nld.shared.u32 %r7, [%r6]; " +
			mark + "\n" + after +
			"mbarrier.arrive.shared.b64 _, [%m+8];\nadd.u32 %r5, %r5, %r7;\nst.global.u32 [%po], %r5;\nOUT:\n"
	}
	// turn is a ring in which a bulk store reads a stage and a bulk load refills it. No fence is needed between them.
	turn := func(wait string) string {
		return initOne + "@%p0 mbarrier.init.shared.b64 [%m+8], 1;\n" + initFence + barAll + "@!%p2 bra GIVE;\n@!%p0 bra OUT;\n" +
			loadTile + "\n" + waitFor("%m+8", 0, "") + loadTile + bang + "\n" + waitFor("%m", 1, "") +
			"bra OUT;\nGIVE:\n@!%p1 bra OUT;\n" +
			waitFor("%m", 0, "") +
			"cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256;\ncp.async.bulk.commit_group;\n" +
			wait + "mbarrier.arrive.shared.b64 _, [%m+8];\ncp.async.bulk.wait_group 0;\nOUT:\n"
	}
	read := "cp.async.bulk.wait_group.read 0;\n"
	bugs(t, []bug{
		// deepseek-ai/DeepEP 657: wait_group N-1 is used where N stages exist.
		{
			pair: pair{name: "a wait for the wrong group", sound: relay("1", ""), broken: relay("2", bang)},
			kind: sim.KindWritePending,
		},
		// tile-ai/TileOPs 1550, NVIDIA/TransformerEngine 3417: only one thread has waited until the tile is read.
		{
			pair: pair{name: "waves", sound: waves(barAll, ""), broken: waves("", bang)}, kind: sim.KindWritePending,
			or: sim.KindRace,
		},
		{pair: pair{
			name: "waves, a named barrier", sound: waves("bar.sync 4, 64;\n", ""),
			broken: waves("bar.warp.sync -1;\n", bang),
		}, kind: sim.KindWritePending, or: sim.KindRace},
		{
			pair: pair{name: "waits of threads without groups", sound: others(barAll, ""), broken: others("", bang)},
			kind: sim.KindWritePending, or: sim.KindRace,
		},
		// NVIDIA/Fuser 3446: a stage is filled before its readers return it.
		{pair: pair{name: "no wait for the readers", sound: ring(empty, "", ""), broken: ring(waitFor("%m", 0, ""), "",
			bang)}},
		// NVIDIA/TransformerEngine 2695, deepseek-ai/DeepEP 642, deepseek-ai/DeepGEMM 389: ld.shared, then a copy.
		{
			pair:   pair{name: "a fence after loads", sound: ring(empty, fenceShared, ""), broken: ring(empty, "", bang)},
			strict: true,
		},
		// Dao-AILab/flash-attention 2462: a single fence after both loads is sufficient; a fence between the loads is
		// not.
		{
			pair:   pair{name: "a fence for two loads", sound: both("", fenceShared, ""), broken: both(fenceShared, "", bang)},
			strict: true,
		},
		// CUTLASS's epilogue that also loads C: a stage is stored, the store is waited for, the thread arrives, and a
		// load overwrites the stage.
		{
			pair: pair{name: "a stage of the async proxy", sound: turn(read), broken: turn("")}, kind: sim.KindWritePending,
			or: sim.KindRace,
		},
	})
	strictly(t, trial{name: "a stage of the async proxy, strict", body: turn(read)}, trial{body: turn("")})
}
