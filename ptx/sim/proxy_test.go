package sim_test

import (
	"testing"
)

// TestProxyFences checks generic writes followed by accesses of the async proxy, with and without a fence in between.
func TestProxyFences(t *testing.T) {
	t.Parallel()
	const (
		shared = "fence.proxy.async.shared::cta;\n"
		both   = "fence.proxy.async;\n"
		bar    = "bar.sync 0;\n"
		copied = "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"
		bang   = "//!"
	)
	// store lets threads write a tile, which thread 0 then stores with a bulk copy.
	store := func(before, after, op, mark string) string {
		return before + "add.u32 %r1, %t, 7;\nst.shared.u32 [%st], %r1; " + mark + "\n" + after +
			"@!%p0 bra OUT;\n" + op + " " + mark + "\n" + copied + "OUT:\n"
	}
	const (
		bulk   = "cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256;"
		reduce = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%s], 256;"
	)
	// load lets thread 0 load with a bulk copy what another thread has written to global memory.
	load := func(fence, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 1;\n" + "add.u32 %r1, %t, 7;\nst.global.u32 [%po], %r1; " +
			mark + "\n" + fence + bar +
			"@!%p0 bra OUT;\nmbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n" +
			"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%out], 256, [%m]; " + mark + "\n" +
			waitFor("%m", 0, "") + "OUT:\n"
	}
	// over lets a bulk copy overwrite what threads have written before.
	over := func(fence, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 1;\n" + "st.shared.u32 [%st], 7; " + mark + "\n" + fence + bar +
			"@!%p0 bra OUT;\nmbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n" +
			"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 256, [%m]; " + mark + "\n" +
			waitFor("%m", 0, "") + "OUT:\n"
	}
	// handed lets warp 0 pass a tile to warp 1 through an mbarrier.
	handed := func(fence, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 32;\n" + bar + "@!%p2 bra COPY;\nst.shared.u32 [%st], 7; " +
			mark + "\n" + fence +
			"mbarrier.arrive.shared.b64 _, [%m];\nbra OUT;\nCOPY:\n@!%p1 bra OUT;\n" + waitFor("%m", 0, "") +
			"cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 128; " + mark + "\n" + copied + "OUT:\n"
	}
	// told lets block 0 write data and set a flag, after which block 1 copies the data.
	told := func(fence, give, ask, mark string) string {
		return `setp.eq.u32 %p5, %b, 1;
	@%p5 bra ASK;
	@%p0 st.global.u32 [%out], 5; ` + mark + "\n" + fence + "@%p0 " + give + `.gpu.global.u32 [%out+64], 1;
	bra OUT;
ASK:	@!%p0 bra OUT;
	mbarrier.init.shared.b64 [%m], 1;
	fence.proxy.async.shared::cta;
LOOP:	` + ask + `
	setp.eq.u32 %p6, %r5, 0;
	@%p6 bra LOOP;
	fence.acq_rel.gpu;
	mbarrier.arrive.expect_tx.shared.b64 _, [%m], 16;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%out], 16, [%m]; ` + mark + "\n" +
			waitFor("%m", 0, "") + "OUT:\n"
	}
	const (
		acquire = "ld.acquire.gpu.global.u32 %r5, [%out+64];"
		relaxed = "ld.relaxed.gpu.global.u32 %r5, [%out+64];"
		oneWay  = "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;\n"
	)
	// peer lets block 0 overwrite with a copy what block 1 has read, after a barrier of the cluster that orders
	// nothing.
	peer := func(release, acquire, mark string) string {
		const meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
		return "@%p0 mbarrier.init.shared.b64 [%m], 1;\nst.shared.u32 [%st], 7;\nfence.proxy.async;\n" + meet +
			"setp.eq.u32 %p5, %b, 1;\n@%p5 ld.shared.u32 %r5, [%s]; " + mark + "\n" + release +
			"barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;\n" + acquire +
			"@!%p0 bra END;\n@%p5 bra TAKE;\n" +
			"mapa.shared::cluster.u32 %r6, %s, 1;\nmapa.shared::cluster.u32 %r7, %m, 1;\n" +
			"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r6], [%s+128], 16, [%r7]; " + mark +
			"\nbra END;\nTAKE:\nmbarrier.arrive.expect_tx.shared.b64 _, [%m], 16;\n" + waitFor("%m", 0, "") +
			"END:\n" + meet
	}
	const got = "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster;\n"
	sound := store("", both+bar, bulk, "")
	pairs(t, []pair{
		{name: "a bulk store", sound: sound, broken: store("", bar, bulk, bang)},
		{name: "a bulk reduction", sound: store("", shared+bar, reduce, ""), broken: store("", bar, reduce, bang)},
		{name: "a fence before the write", sound: sound, broken: store(both, bar, bulk, bang)},
		{name: "a fence of the thread that copies", sound: store("", bar+"@%p0 "+both, bulk, ""), broken: store("", bar+"setp.eq.u32 %p5, %t, 32;\n@%p5 "+both, bulk, bang)},
		{name: "a fence for global memory", sound: store("", shared+bar, bulk, ""), broken: store("", "fence.proxy.async.global;\n"+bar, bulk, bang)},
		{name: "another fence", sound: sound, broken: store("", "fence.acq_rel.gpu;\nmembar.gl;\n"+bar, bulk, bang)},
		{name: "the alias proxy", sound: sound, broken: store("", "fence.proxy.alias;\n"+bar, bulk, bang)},
		{name: "a fence of one warp only", sound: sound, broken: store("", "@%p2 "+shared+bar, bulk, bang)},
		{name: "a load of global memory", sound: load(both, ""), broken: load("", bang)},
		{name: "a load of global memory, a fence for shared memory", sound: load("fence.proxy.async.global;\n", ""), broken: load(shared, bang)},
		{name: "a load over what was written", sound: over(shared, ""), broken: over("", bang)},
		{name: "a flag", grid: 2, sound: told(both, "st.release", acquire, ""), broken: told("", "st.release", acquire, bang)},
		{name: "a flag that a fence acquires", grid: 2, sound: told(both, "st.release", relaxed, ""), broken: told("", "st.release", relaxed, bang)},
		{name: "a flag after a fence", grid: 2, sound: told(both+"fence.acq_rel.gpu;\n", "st.relaxed", acquire, ""), broken: told("fence.acq_rel.gpu;\n", "st.relaxed", acquire, bang)},
		{name: "a fence for one way", sound: store("", oneWay+bar, bulk, ""), broken: store(oneWay, bar, bulk, bang)},
		{name: "a fence for one way, of shared memory", sound: load(both, ""), broken: load(oneWay, bang)},
		{name: "fences for one way in two blocks", grid: 2, cluster: 2, sound: peer(oneWay, got, ""), broken: peer(shared, "", bang)},
		{name: "handed on by an mbarrier", sound: handed(shared, ""), broken: handed("", bang)},
	})
}
