package sim_test

import (
	"testing"

	"girih/ptx/sim"
)

// TestBugsOfBlocks checks kernels in which the threads of a block reuse shared memory.
func TestBugsOfBlocks(t *testing.T) {
	t.Parallel()
	const (
		lanes = "bar.warp.sync -1;\n"
		slot  = "mad.lo.u32 %r3, %w, 4, %s;\n"
		out   = "st.global.u32 [%po], %r2;\n"
	)
	// total adds up the sums of the warps, and then reuses the memory of the sums.
	total := func(before, after, mark string) string {
		return "add.u32 %r1, %w, 3;\n" + slot + "@%p1 st.shared.u32 [%r3], %r1; " + mark + "\n" + before +
			"ld.shared.v2.u32 {%r2, %r4}, [%s]; " + mark + "\nadd.u32 %r2, %r2, %r4;\n" + after + "add.u32 %r5, %t, 100;\n" +
			"st.shared.u32 [%st], %r5; " + mark + "\n" + out
	}
	// bins counts values in bins, which must be cleared before the counting and read after it.
	bins := func(before, after, mark string) string {
		return "st.shared.u32 [%st], 0; " + mark + "\n" + before +
			"xor.b32 %r3, %t, 35;\nmad.lo.u32 %r3, %r3, 4, %s;\nred.shared.add.u32 [%r3], 2; " + mark + "\n" + after +
			"ld.shared.u32 %r2, [%st]; " + mark + "\n" + out
	}
	// cleared clears words that are already 0, before other threads write to them.
	cleared := func(meet, mark string) string {
		return "st.shared.u32 [%st], 0;\nbar.sync 0;\nst.shared.u32 [%st], 0; " + mark + "\n" + meet +
			"xor.b32 %r3, %t, 35;\nmad.lo.u32 %r3, %r3, 4, %s;\nst.shared.u32 [%r3], 5; " + mark + "\n"
	}
	// tiles loads a tile in each round, and multiplies values that other threads have loaded.
	tiles := func(filled, used, mark string) string {
		return "mov.u32 %r1, 0;\nmov.u32 %r2, 0;\nLOOP:\nadd.u32 %r3, %r1, %t;\nadd.u32 %r3, %r3, 1;\n" +
			"st.shared.u32 [%st], %r3; " + mark + "\n" +
			filled + "xor.b32 %r4, %t, 63;\nmad.lo.u32 %r4, %r4, 4, %s;\nld.shared.u32 %r5, [%r4]; " + mark +
			"\nadd.u32 %r2, %r2, %r5;\n" +
			used + "add.u32 %r1, %r1, 1;\nsetp.lt.u32 %p5, %r1, 3;\n@%p5 bra LOOP;\n" + out
	}
	// scan computes prefix sums: it adds the value that is 1, 2, ... 32 positions before, and alternates between two
	// buffers.
	scan := func(meet, mark string) string {
		return "add.u32 %r1, %t, 1;\nst.shared.u32 [%st], %r1;\nbar.sync 0;\nmov.u32 %r2, 1;\nmov.u32 %r6, 0;\n" +
			"LOOP:\nadd.u32 %r3, %st, %r6;\n" +
			"ld.shared.u32 %r1, [%r3];\nsetp.lt.u32 %p5, %t, %r2;\nshl.b32 %r4, %r2, 2;\nsub.u32 %r4, %r3, %r4;\n" +
			"@!%p5 ld.shared.u32 %r5, [%r4]; " + mark +
			"\n@!%p5 add.u32 %r1, %r1, %r5;\nxor.b32 %r6, %r6, 256;\nadd.u32 %r3, %st, %r6;\n" +
			"st.shared.u32 [%r3], %r1; " + mark + "\n" + meet +
			"shl.b32 %r2, %r2, 1;\nsetp.lt.u32 %p5, %r2, 64;\n@%p5 bra LOOP;\n"
	}
	// queue takes tile numbers from a counter until there are no more tiles. Thread 0 passes each number to the other
	// threads.
	queue := func(told, taken, mark string) string {
		return "LOOP:\n@%p0 atom.global.add.u32 %r1, [%out+8192], 1;\n@%p0 st.shared.u32 [%s], %r1; " + mark + "\n" + told +
			"ld.shared.u32 %r2, [%s]; " + mark + "\n" + taken +
			"setp.ge.u32 %p5, %r2, 3;\n@%p5 bra OUT;\nmad.lo.u32 %r3, %r2, 64, %t;\n" +
			"mad.wide.u32 %rd5, %r3, 4, %out;\nst.global.u32 [%rd5], %t;\nbra LOOP;\nOUT:\n"
	}
	// named uses named barriers: warp 0 fills a tile twice, and warp 1 reads it. Barriers 1 and 3 mean full, and
	// barrier 2 means empty.
	named := func(early bool, empty, mark string) string {
		put := func(n string) string { return "add.u32 %r1, %t, " + n + ";\nst.shared.u32 [%st], %r1; " + mark + "\n" }
		get := "ld.shared.u32 %r2, [%r3]; " + mark + "\n"
		fill := func(n, full string) string {
			if early {
				return full + put(n)
			}
			return put(n) + full
		}
		return "mad.lo.u32 %r3, %l, 4, %s;\n@!%p2 bra READ;\n" + fill("5", "bar.arrive 1, 64;\n") + empty + fill("9",
			"bar.arrive 3, 64;\n") +
			"bra OUT;\nREAD:\nbar.sync 1, 64;\n" + get + "bar.arrive 2, 64;\nbar.sync 3, 64;\n" + get + "OUT:\n"
	}
	const empty = "bar.sync 2, 64;\n"
	// elected lets one lane write a descriptor that all lanes read.
	elected := func(meet, mark string) string {
		return "elect.sync %r5|%p5, -1;\nadd.u32 %r1, %t, 7;\n" + slot + "@%p5 st.shared.u32 [%r3], %r1; " + mark + "\n" +
			meet +
			"ld.shared.u32 %r2, [%r3]; " + mark + "\n" + out
	}
	// matrix stores matrices with one warp, and loads them with the other warp.
	matrix := func(meet, mark string) string {
		return "and.b32 %r1, %l, 7;\nmad.lo.u32 %r3, %w, 8, %r1;\nmad.lo.u32 %r3, %r3, 16, %s;\nadd.u32 %r4, %t, 1;\n" +
			"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r3], {%r4}; " + mark + "\n" + meet +
			"xor.b32 %r5, %w, 1;\nmad.lo.u32 %r5, %r5, 8, %r1;\nmad.lo.u32 %r5, %r5, 16, %s;\n" +
			"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r5]; " + mark + "\n" + out
	}
	// last adds up 64 values with the lanes of one warp.
	last := func(op, meet, mark string) string {
		body := "add.u32 %r1, %t, 1;\nst.shared.u32 [%st], %r1;\nbar.sync 0;\n@!%p2 bra OUT;\n"
		for _, n := range []string{"128", "64", "32", "16"} {
			body += "ld" + op + ".shared.u32 %r1, [%st];\nld" + op + ".shared.u32 %r2, [%st+" + n + "]; " + mark +
				"\nadd.u32 %r1, %r1, %r2;\n" +
				meet + "st" + op + ".shared.u32 [%st], %r1; " + mark + "\n" + meet
		}
		return body + "OUT:\n"
	}
	bugs(t, []bug{
		// Each warp reduces its values with shuffles, and writes one word to shared memory.
		{pair: pair{name: "sums of warps", sound: total(barAll, barAll, ""), broken: total("", barAll, bang)}},
		{pair: pair{name: "sums of warps, a barrier of the warp", sound: total(barAll, barAll, ""), broken: total(lanes,
			barAll, bang)}},
		// warpfront/hipfire 575: the memory of the sums is reused while it is still read.
		{pair: pair{name: "sums that are still read", sound: total(barAll, barAll, ""), broken: total(barAll, "", bang)}},
		{
			pair: pair{name: "bins, not cleared", sound: bins(barAll, barAll, ""), broken: bins("", barAll, bang)},
			kind: sim.KindUninitialised, or: sim.KindRace,
		},
		{pair: pair{name: "bins, read early", sound: bins(barAll, barAll, ""), broken: bins(barAll, "", bang)}},
		// The store of zeros onto zeros changes nothing, but a later store changes one word: the result depends on the
		// order.
		{pair: pair{name: "cleared again", sound: cleared(barAll, ""), broken: cleared("", bang)}},
		// triton-lang/triton 5047: a loop over a tile in shared memory lacks one of its two barriers.
		{pair: pair{name: "a tile, not filled", sound: tiles(barAll, barAll, ""), broken: tiles("", barAll, bang)}},
		{pair: pair{name: "a tile, still used", sound: tiles(barAll, barAll, ""), broken: tiles(barAll, "", bang)}},
		{pair: pair{name: "a scan", sound: scan(barAll, ""), broken: scan(lanes, bang)}},
		// Persistent kernels: thread 0 publishes the number of the next tile.
		{pair: pair{name: "a queue, not told", sound: queue(barAll, barAll, ""), broken: queue(lanes, barAll, bang)}},
		{pair: pair{name: "a queue, told again", sound: queue(barAll, barAll, ""), broken: queue(barAll, lanes, bang)}},
		// Two groups of warps synchronize at named barriers.
		{pair: pair{name: "an early arrival", sound: named(false, empty, ""), broken: named(true, empty, bang)}},
		{pair: pair{name: "no barrier for empty", sound: named(false, empty, ""), broken: named(false,
			"bar.arrive 2, 64;\n", bang)}},
		{pair: pair{name: "an elected lane that writes", sound: elected(lanes, ""), broken: elected("", bang)}},
		{pair: pair{name: "matrices of another warp", sound: matrix(barAll, ""), broken: matrix(lanes, bang)}},
		// The reduction of the CUDA samples, as written before Volta and after it.
		{pair: pair{name: "the last warp", sound: last("", lanes, ""), broken: last("", "", bang)}},
		{pair: pair{name: "the last warp, volatile", sound: last(".volatile", lanes, ""), broken: last("",
			"fence.acq_rel.cta;\n", bang)}},
	})
}

// TestBugsOfCopies checks kernels with stages that cp.async fills, and with mbarriers.
func TestBugsOfCopies(t *testing.T) {
	t.Parallel()
	// stages fills two stages, and then fills a third stage while the first is used.
	stages := func(wait, filled, used, mark string) string {
		fill := func(stage string) string {
			return "add.u32 %r1, %st, " + stage + ";\ncp.async.ca.shared.global [%r1], [%pi], 4; " + mark +
				"\ncp.async.commit_group;\n"
		}
		use := func(stage string) string {
			return "xor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1+" + stage + "]; " + mark + "\n"
		}
		round := func(stage, next string) string {
			return "cp.async.wait_group " + wait + ";\n" + filled + use(stage) + used + fill(next)
		}
		return fill("0") + fill("256") + round("0", "0") + round("256", "256") + "cp.async.wait_all;\n"
	}
	sound := stages("1", barAll, barAll, "")
	// counted lets cp.async arrive at an mbarrier for which other threads wait.
	counted := func(arrive, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 32;\nbar.sync 0;\n@!%p2 bra READ;\n" +
			"cp.async.ca.shared.global [%st], [%pi], 4; " + mark +
			"\n" + arrive + "bra OUT;\nREAD:\nmad.lo.u32 %r1, %l, 4, %s;\n" + waitFor("%m", 0, "") +
			"ld.shared.u32 %r2, [%r1]; " + mark + "\nOUT:\n"
	}
	const noinc = "cp.async.mbarrier.arrive.noinc.shared.b64 [%m];\n"
	// phases waits for a stage that is filled twice. The parity to wait for depends on the round.
	phases := func(parity, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 1;\n@%p0 mbarrier.init.shared.b64 [%m+8], 32;\nbar.sync 0;\n" +
			"@!%p2 bra READ;\n@!%p0 bra OUT;\n" +
			loadTile + mark + "\n" + waitFor("%m+8", 0, "") + loadTile + mark + "\nbra OUT;\nREAD:\n" + waitFor("%m", 0, "") +
			"ld.shared.u32 %r2, [%st];\n" + fenceShared + "mbarrier.arrive.shared.b64 _, [%m+8];\n" +
			"{\nR: mbarrier.try_wait.parity.shared.b64 %p9, [%m], " + parity + ";\n@!%p9 bra R;\n}\n" +
			"ld.shared.u32 %r2, [%st]; " + mark + "\nOUT:\n" + waitFor("%m", 1, "")
	}
	// counts lets 64 threads write to a tile and arrive at an mbarrier; then all wait.
	counts := func(count, who, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], " + count +
			";\nbar.sync 0;\nadd.u32 %r1, %t, 9;\nst.shared.u32 [%st], %r1; " + mark + "\n" +
			who + "mbarrier.arrive.shared.b64 _, [%m];\n" + waitFor("%m", 0, "") +
			"xor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\n" +
			"ld.shared.u32 %r2, [%r1]; " + mark + "\n"
	}
	bugs(t, []bug{
		// The cp.async rings of FlashAttention and CUTLASS, with mistakes in N, in the barrier after the wait, and in
		// the barrier before the refill.
		{
			pair: pair{name: "a wait for the wrong group", sound: sound, broken: stages("2", barAll, barAll, bang)},
			kind: sim.KindReadPending,
		},
		{pair: pair{name: "copies of other threads", sound: sound, broken: stages("1", lanes(), barAll, bang)}},
		{pair: pair{name: "a stage that is still read", sound: sound, broken: stages("1", barAll, "", bang)}},
		// NVIDIA/TransformerEngine 2882: a thread arrives itself instead of letting its copies arrive.
		{pair: pair{
			name: "an arrival before the copies", sound: counted(noinc, ""),
			broken: counted("mbarrier.arrive.shared.b64 _, [%m];\n", bang),
		}, kind: sim.KindReadPending},
		// The parity is not flipped at the end of a ring.
		{
			pair: pair{name: "the parity of the phase before", sound: phases("1", ""), broken: phases("0", bang)},
			kind: sim.KindReadPending, or: sim.KindRace,
		},
		// One lane of each warp arrives, without a bar.warp.sync before. In another variant the count is 1 instead of
		// 2.
		{pair: pair{name: "arrivals of warps", sound: counts("2", "bar.warp.sync -1;\n@%p1 ", ""), broken: counts("2",
			"@%p1 ", bang)}},
		{pair: pair{name: "an arrival of one warp", sound: counts("2", "bar.warp.sync -1;\n@%p1 ", ""), broken: counts("1",
			"bar.warp.sync -1;\n@%p0 ", bang)}},
	})
}

func lanes() string { return "bar.warp.sync -1;\n" }
