package sim_test

import (
	"strings"
	"testing"

	"girih/ptx/sim"
)

// word1 sets %rd5 to the address of the word of out whose index is the thread's number in its block.
const word1 = "mad.wide.u32 %rd5, %t, 4, %out;\n"

// addOwn adds 1 to the word at %rd5.
func addOwn(mark string) string {
	return "ld.global.u32 %r6, [%rd5]; " + mark + "\nadd.u32 %r6, %r6, 1;\nst.global.u32 [%rd5], %r6; " + mark + "\n"
}

// TestBugsOfLocks checks kernels in which blocks take turns at words of global memory.
func TestBugsOfLocks(t *testing.T) {
	t.Parallel()
	// lock adds to 64 words while thread 0 holds a lock.
	lock := func(take, after, before, mark string) string {
		return word1 + "@!%p0 bra HELD;\nSPIN:\natom." + take + "gpu.global.cas.b32 %r5, [%out+8192], 0, 1;\n" +
			"setp.ne.u32 %p5, %r5, 0;\n@%p5 bra SPIN;\nHELD:\n" + after + addOwn(mark) + before +
			"@%p0 atom.release.gpu.global.exch.b32 %r7, [%out+8192], 0;\n"
	}
	// first lets all threads test whether a word is 0, and thread 0 set the word.
	first := func(meet, mark string) string {
		return word1 + "mov.u32 %r7, 1;\nld.global.u32 %r5, [%out+8192]; " + mark + "\nsetp.ne.u32 %p5, %r5, 0;\n" + meet +
			"@%p5 bra ADD;\n@%p0 atom.acq_rel.gpu.global.exch.b32 %r6, [%out+8192], 1; " + mark + "\nbra PUT;\n" +
			"ADD:\nld.global.u32 %r7, [%rd5];\nadd.u32 %r7, %r7, 1;\nPUT:\nst.global.u32 [%rd5], %r7;\n"
	}
	// turns lets block i wait until a semaphore has the value i, and at the end set it to i + 1.
	type turn struct{ ask, after, before, give, mark, flag string }
	turns := func(x turn) string {
		return word1 + "@!%p0 bra GO;\nSPIN:\n" + x.ask + " %r5, [%out+8192]; " + x.flag + "\nsetp.ne.u32 %p5, %r5, %b;\n" +
			"@%p5 bra SPIN;\nGO:\n" + x.after + addOwn(x.mark) + x.before + "add.u32 %r7, %b, 1;\n@%p0 " + x.give +
			" [%out+8192], %r7; " + x.flag + "\n"
	}
	const (
		acquire = "ld.acquire.gpu.global.u32"
		relaxed = "ld.relaxed.gpu.global.u32"
		release = "st.release.gpu.global.u32"
	)
	sound := turns(turn{acquire, barAll, barAll, release, "", ""})
	bugs(t, []bug{
		// meta-pytorch/tritonbench 1266, triton-lang/triton 6307: one thread releases the lock while other threads
		// still store.
		{pair: pair{
			name: "a lock, released early", grid: 2, sound: lock("acquire.", barAll, barAll, ""),
			broken: lock("acquire.", barAll, "", bang),
		}},
		{pair: pair{
			name: "a lock, a barrier of the warp", grid: 2, sound: lock("acquire.", barAll, barAll, ""),
			broken: lock("acquire.", barAll, "bar.warp.sync -1;\n", bang),
		}},
		// triton-lang/triton 7125: one thread acquires the lock, and the other threads do not wait for it.
		{pair: pair{
			name: "a lock, not waited for", grid: 2, sound: lock("acquire.", barAll, barAll, ""),
			broken: lock("acquire.", "", barAll, bang),
		}},
		{pair: pair{
			name: "a lock, taken without acquire", grid: 2, sound: lock("acquire.", barAll, barAll, ""),
			broken: lock("relaxed.", barAll, barAll, bang),
		}},
		// The same tutorial: all threads load the count weakly, and one thread exchanges it.
		{pair: pair{name: "a count", sound: first(barAll, ""), broken: first("", bang)}},
		// The semaphores of CUTLASS's split-K: each variant lacks one part of the protocol.
		{pair: pair{
			name: "a semaphore, given early", grid: 3, sound: sound,
			broken: turns(turn{acquire, barAll, "", release, bang, ""}),
		}},
		{pair: pair{
			name: "a semaphore, not waited for", grid: 3, sound: sound,
			broken: turns(turn{acquire, "", barAll, release, bang, ""}),
		}},
		{pair: pair{
			name: "a semaphore, asked without acquire", grid: 3, sound: sound,
			broken: turns(turn{relaxed, barAll, barAll, release, bang, ""}),
		}},
		{pair: pair{
			name: "a semaphore, given without release", grid: 3, sound: sound,
			broken: turns(turn{acquire, barAll, barAll, "st.relaxed.gpu.global.u32", bang, ""}),
		}},
		{pair: pair{
			name: "a semaphore, given by a weak store", grid: 3,
			sound: turns(turn{
				relaxed, "fence.acq_rel.gpu;\n" + barAll, barAll + "fence.acq_rel.gpu;\n",
				"red.relaxed.gpu.global.max.u32", "", "",
			}),
			broken: turns(turn{acquire, barAll, barAll + "fence.acq_rel.gpu;\n", "st.global.u32", "", bang}),
		}},
	})
}

// TestBugsOfGrids checks kernels in which one block reads the results of another block.
func TestBugsOfGrids(t *testing.T) {
	t.Parallel()
	// other loads the word with the thread's index from the other block, 1 - %b.
	other := func(mark string) string {
		return "mov.u32 %r8, 1;\nsub.u32 %r8, %r8, %b;\nmad.lo.u32 %r8, %r8, 64, %t;\nmad.wide.u32 %rd6, %r8, 4, %out;\n" +
			"ld.global.u32 %r9, [%rd6]; " + mark + "\nst.global.u32 [%po+4096], %r9;\n"
	}
	const own = "add.u32 %r1, %g, 5;\nst.global.u32 [%po], %r1; "
	// sync is the barrier for a grid of 2 blocks that cooperative groups uses.
	type grid struct{ before, release, acquire, after string }
	sync := func(x grid, mark string) string {
		return own + mark + "\n" + x.before + "@!%p0 bra DONE;\n" + x.release +
			"red.relaxed.gpu.global.add.u32 [%out+8192], 1;\n" +
			"SPIN:\nld.volatile.global.u32 %r5, [%out+8192];\nsetp.lt.u32 %p5, %r5, 2;\n@%p5 bra SPIN;\n" + x.acquire +
			"DONE:\n" + x.after + other(mark)
	}
	const gl = "membar.gl;\n"
	whole := sync(grid{barAll, gl, gl, barAll}, "")
	// part lets block 1 store its part of a tile and set a flag. Block 0 waits for the flag and then adds this part to
	// its own.
	part := func(before, after, mark string) string {
		return "setp.eq.u32 %p6, %b, 0;\n@%p6 bra OWNER;\n" + own + mark + "\n" + before +
			"bra OUT;\nOWNER:\n@!%p0 bra GO;\n" +
			"SPIN:\nld.acquire.gpu.global.u32 %r5, [%out+8192];\nsetp.eq.u32 %p5, %r5, 0;\n@%p5 bra SPIN;\nGO:\n" + after +
			other(mark) + "OUT:\n"
	}
	const flag = "@%p0 red.release.gpu.global.add.u32 [%out+8192], 1;\n"
	// chain is a scan with look-back: each block waits for the flag of the previous block, and then reads the sum of
	// that block.
	type link struct{ release, give, ask, acquire string }
	chain := func(x link, mark string) string {
		return "@!%p0 bra OUT;\nmad.wide.u32 %rd5, %b, 8, %out;\nadd.u32 %r1, %b, 1;\nsetp.eq.u32 %p6, %b, 0;\n" +
			"@%p6 bra GIVE;\n" +
			"SPIN:\n" + x.ask + " %r5, [%rd5-4];\nsetp.eq.u32 %p5, %r5, 0;\n@%p5 bra SPIN;\n" + x.acquire +
			"ld.global.u32 %r6, [%rd5-8]; " + mark + "\nadd.u32 %r1, %r1, %r6;\nGIVE:\nst.global.u32 [%rd5], %r1; " + mark +
			"\n" +
			x.release + x.give + " [%rd5+4], 1;\nOUT:\n"
	}
	links := chain(link{gl, "st.volatile.global.u32", "ld.volatile.global.u32", gl}, "")
	// packed is like chain, but the sum and the flag are in one word of 64 bits.
	packed := func(give, ask, mark string) string {
		return "@!%p0 bra OUT;\nmad.wide.u32 %rd5, %b, 8, %out;\nmov.u64 %rd6, 1;\nsetp.eq.u32 %p6, %b, 0;\n" +
			"@%p6 bra GIVE;\n" +
			"SPIN:\n" + ask + " %rd6, [%rd5-8]; " + mark + "\nsetp.eq.u64 %p5, %rd6, 0;\n@%p5 bra SPIN;\n" +
			"GIVE:\nadd.u64 %rd6, %rd6, 1;\n" + give + " [%rd5], %rd6; " + mark + "\nOUT:\n"
	}
	bugs(t, []bug{
		// The barrier of a grid; each variant lacks one part.
		{pair: pair{
			name: "a grid, no barrier before", grid: 2, sound: whole,
			broken: sync(grid{"", gl, gl, barAll}, bang),
		}},
		{pair: pair{
			name: "a grid, no fence before", grid: 2, sound: whole,
			broken: sync(grid{barAll, "", gl, barAll}, bang),
		}},
		{pair: pair{
			name: "a grid, no fence after", grid: 2, sound: whole,
			broken: sync(grid{barAll, gl, "", barAll}, bang),
		}},
		{pair: pair{
			name: "a grid, no barrier after", grid: 2, sound: whole,
			broken: sync(grid{barAll, gl, gl, ""}, bang),
		}},
		{pair: pair{
			name: "a grid, fences for a block", grid: 2, sound: whole,
			broken: sync(grid{barAll, "membar.cta;\n", gl, barAll}, bang),
		}},
		// Stream-K, after CUTLASS: the flag is set before all threads have stored their part, or only one thread reads
		// the flag.
		{pair: pair{
			name: "a part, flagged early", grid: 2, sound: part(barAll+flag, barAll, ""),
			broken: part(flag+barAll, barAll, bang),
		}},
		{pair: pair{
			name: "a part, taken early", grid: 2, sound: part(barAll+flag, barAll, ""),
			broken: part(barAll+flag, "", bang),
		}},
		// Decoupled look-back, after CUB, with a value and a flag.
		{pair: pair{
			name: "look-back, no fence before the flag", grid: 3, sound: links,
			broken: chain(link{"", "st.volatile.global.u32", "ld.volatile.global.u32", gl}, bang),
		}},
		{pair: pair{
			name: "look-back, no fence after the flag", grid: 3, sound: links,
			broken: chain(link{gl, "st.volatile.global.u32", "ld.volatile.global.u32", ""}, bang),
		}},
		{pair: pair{
			name: "look-back, a fence for a block", grid: 3,
			sound:  chain(link{"", "st.release.gpu.global.u32", "ld.acquire.gpu.global.u32", ""}, ""),
			broken: chain(link{"membar.cta;\n", "st.relaxed.gpu.global.u32", "ld.acquire.gpu.global.u32", ""}, bang),
		}},
		{pair: pair{
			name: "look-back, one word", grid: 3,
			sound:  packed("st.relaxed.gpu.global.u64", "ld.relaxed.gpu.global.u64", ""),
			broken: packed("st.global.u64", "ld.relaxed.gpu.global.u64", bang),
		}},
		{pair: pair{
			name: "look-back, a cached load", grid: 3,
			sound:  packed("st.volatile.global.u64", "ld.volatile.global.u64", ""),
			broken: packed("st.volatile.global.u64", "ld.global.cg.u64", bang),
		}},
	})
}

// TestBugsOfClusters checks kernels that access the shared memory of other blocks of a cluster.
func TestBugsOfClusters(t *testing.T) {
	t.Parallel()
	const meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
	const rank = "mov.u32 %r3, %cluster_ctarank;\nxor.b32 %r4, %r3, 1;\n"
	// bins lets a block clear its bins, to which the other block then adds.
	bins := func(before, mark string) string {
		return rank + "st.shared.u32 [%st], 0; " + mark + "\n" + before + "mapa.shared::cluster.u32 %r5, %st, %r4;\n" +
			"atom.relaxed.cluster.shared::cluster.add.u32 %r6, [%r5], 3; " + mark + "\n" + meet + "ld.shared.u32 %r7, [%st];\n" +
			"st.global.u32 [%po], %r7;\n"
	}
	// multicast lets block 0 load a tile for both blocks, twice. The readers in both blocks must return the stage to
	// block 0.
	multicast := func(count, give, mark string) string {
		load := func(full string) string {
			return "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%s], [%in], 256, [" +
				full + "], %h1; " + mark + "\n"
		}
		return rank + "mov.u16 %h1, 3;\n" + initOne + "@%p0 mbarrier.init.shared.b64 [%m+8], " + count + ";\n" +
			"@%p0 mbarrier.init.shared.b64 [%m+16], 1;\nfence.mbarrier_init.release.cluster;\n" + meet +
			"setp.eq.u32 %p6, %r3, 0;\n" +
			"@!%p2 bra READ;\n@!%p0 bra END;\nmbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n" +
			"mbarrier.arrive.expect_tx.shared.b64 _, [%m+16], 256;\n@!%p6 bra END;\n" + load("%m") +
			"{\nE: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p9, [%m+8], 0;\n@!%p9 bra E;\n}\n" + load("%m+16") +
			"bra END;\nREAD:\n" + waitFor("%m", 0, "") + "ld.shared.u32 %r7, [%st]; " + mark + "\n" +
			"mov.u32 %r5, 0;\nmapa.shared::cluster.u32 %r5, %m, %r5;\n" + give +
			"mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5+8];\n" + waitFor("%m+16", 0, "") + "END:\n" + meet
	}
	// remote lets block 1 write to the shared memory of block 0 and arrive at an mbarrier of block 0.
	remote := func(arrive, mark string) string {
		return rank + initOne + "fence.mbarrier_init.release.cluster;\n" + meet +
			"setp.eq.u32 %p6, %r3, 1;\n@%p6 bra GIVE;\n" +
			"@!%p0 bra END;\n{\nE: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p9, [%m], 0;\n@!%p9 bra E;\n}\n" +
			"ld.shared.u32 %r7, [%s]; " + mark + "\nbra END;\nGIVE:\n@!%p0 bra END;\n" +
			"mapa.shared::cluster.u32 %r5, %s, %r4;\n" +
			"st.shared::cluster.u32 [%r5], 5; " + mark + "\nmapa.shared::cluster.u32 %r5, %m, %r4;\n" + arrive +
			" _, [%r5];\nEND:\n" + meet
	}
	// remoteGlobal is like remote, with data in global memory.
	remoteGlobal := func(arrive, mark string) string {
		return strings.NewReplacer("st.shared::cluster.u32 [%r5], 5", "st.global.u32 [%out], 5", "ld.shared.u32 %r7, [%s]",
			"ld.global.u32 %r7, [%out]").Replace(remote(arrive, mark))
	}
	// async lets each block write to the other block with st.async.
	async := func(wait, mark string) string {
		return rank + initOne + "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n" + meet +
			"mapa.shared::cluster.u32 %r5, %st, %r4;\nmapa.shared::cluster.u32 %r6, %m, %r4;\n" +
			"st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r5], %g, [%r6]; " + mark + "\n" + wait +
			"ld.shared.u32 %r7, [%st]; " + mark + "\nst.global.u32 [%po], %r7;\n" + waitFor("%m", 0, "") + meet
	}
	bugs(t, []bug{
		// The histogram of the CUDA guide: a block adds to bins that the other block has not cleared yet.
		{pair: pair{
			name: "bins", grid: 2, cluster: 2, sound: bins(meet, ""),
			broken: bins("barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;\n", bang),
		}},
		// A multicast ring waits only for the readers of its own block.
		{
			pair: pair{name: "a multicast ring", grid: 2, cluster: 2, sound: multicast("64", "", ""), broken: multicast("32",
				"@%p6 ", bang)},
			kind: sim.KindRace, or: sim.KindWritePending,
		},
		// NVIDIA/cutlass 3647: an arrival at an mbarrier of another block has only the scope of its own block.
		{pair: pair{
			name: "a scope", grid: 2, cluster: 2,
			sound:  remote("mbarrier.arrive.release.cluster.shared::cluster.b64", ""),
			broken: remote("mbarrier.arrive.release.cta.shared::cluster.b64", bang),
		}, strict: true},
		// The same for data in global memory, for which an H200 has returned old values. The scope is the default
		// scope.
		{pair: pair{
			name: "a scope, global memory", grid: 2, cluster: 2,
			sound:  remoteGlobal("mbarrier.arrive.release.cluster.shared::cluster.b64", ""),
			broken: remoteGlobal("mbarrier.arrive.shared::cluster.b64", bang),
		}},
		{pair: pair{
			name: "a relaxed arrival", grid: 2, cluster: 2,
			sound:  remote("mbarrier.arrive.release.cluster.shared::cluster.b64", ""),
			broken: remote("mbarrier.arrive.relaxed.cluster.shared::cluster.b64", bang),
		}},
		{pair: pair{name: "st.async", grid: 2, cluster: 2, sound: async(waitFor("%m", 0, ""), ""), broken: async(meet,
			bang)}, kind: sim.KindReadPending, or: sim.KindRace},
	})
}
