package sim_test

import (
	"testing"

	"girih/ptx/sim"
)

// TestUnawareLanes checks lanes that wait on behalf of other lanes of their warp, and lanes that read without having
// waited.
func TestUnawareLanes(t *testing.T) {
	t.Parallel()
	const (
		bang  = "//!"
		meet  = "bar.warp.sync -1;\n"
		out   = "st.global.u32 [%po], %r2;\n"
		other = "xor.b32 %r3, %t, 32;\nmad.lo.u32 %r3, %r3, 4, %s;\n"
	)
	// alone lets only the first lane of each warp execute a body.
	alone := func(body string) string { return "@!%p1 bra OVER;\n" + body + "OVER:\n" }
	// tile lets warp 0 fill a tile for which warp 1 waits, with one lane or with all lanes.
	tile := func(wait, sync, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 32;\nbar.sync 0;\n@!%p2 bra WAIT;\nst.shared.u32 [%st], %t;" + mark +
			"\nmbarrier.arrive.shared.b64 _, [%m];\nbra OUT;\nWAIT:\n" + wait + sync + other +
			"ld.shared.u32 %r2, [%r3];" + mark + "\nOUT:\n"
	}
	first := alone(waitFor("%m", 0, ""))
	// overwrite lets warp 1 overwrite what warp 0 has read.
	overwrite := func(sync, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 32;\nst.shared.u32 [%st], %t;\nbar.sync 0;\n@!%p2 bra WAIT;\n" +
			"ld.shared.u32 %r2, [%st];" + mark + "\nmbarrier.arrive.shared.b64 _, [%m];\nbra OUT;\nWAIT:\n" + first + sync +
			other + "st.shared.u32 [%r3], 77;" + mark + "\nOUT:\n"
	}
	// flag lets a block write words and set a flag. In another block, the first lane polls the flag for all lanes.
	flag := func(poll, sync, mark string) string {
		return "setp.eq.u32 %p5, %b, 1;\n@%p5 bra ASK;\nst.global.u32 [%po], 5;" + mark + "\nbar.warp.sync -1;\n" +
			"fence.acq_rel.gpu;\n@%p1 st.relaxed.gpu.global.u32 [%out+1024], 1;\nbra OUT;\nASK:\n" +
			alone("LOOP:\n"+poll+"setp.eq.u32 %p6, %r5, 0;\n@%p6 bra LOOP;\n") + sync +
			"mad.wide.u32 %rd5, %l, 4, %out;\nld.global.u32 %r6, [%rd5];" + mark + "\nOUT:\n"
	}
	const acquire, relaxed = "ld.acquire.gpu.global.u32 %r5, [%out+1024];\n", "ld.relaxed.gpu.global.u32 %r5, [%out+1024];\n"
	// bulk lets the first lane copy words and wait for the copy.
	bulk := func(wait, sync, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 1;\nbar.sync 0;\n" +
			"@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 128;\n" +
			"@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 128, [%m];" + mark + "\n" +
			wait + sync + "ld.shared.u32 %r2, [%st];" + mark + "\n" + out
	}
	pairs(t, []pair{
		{name: "a tile", sound: tile(first, meet, ""), broken: tile(first, "", bang)},
		{
			name: "a tile, of half a warp", sound: tile(waitFor("%m", 0, ""), "", ""),
			broken: tile(first, "setp.lt.u32 %p5, %l, 16;\n@%p5 bar.warp.sync 0xffff;\n", bang),
		},
		{
			name: "a tile, and a shuffle", sound: tile(first, "bar.sync 1, 32;\n", ""),
			broken: tile(first, "shfl.sync.idx.b32 %r9, %t, 0, 31, -1;\n", bang),
		},
		{name: "a tile that is written again", sound: overwrite(meet, ""), broken: overwrite("", bang)},
		{name: "a flag", grid: 2, block: 32, sound: flag(acquire, meet, ""), broken: flag(acquire, "", bang)},
		{
			name: "a flag, and a fence of the first lane", grid: 2, block: 32,
			sound:  flag(relaxed, "@%p1 fence.acq_rel.gpu;\n"+meet, ""),
			broken: flag(relaxed, meet+"setp.gt.u32 %p7, %l, 0;\n@%p7 fence.acq_rel.gpu;\n", bang),
		},
		{name: "a copy", block: 32, sound: bulk(first, meet, ""), broken: bulk(first, "", bang)},
		{name: "a copy, all wait", block: 32, sound: bulk(waitFor("%m", 0, ""), "", ""), broken: bulk(first, "fence.acq_rel.cta;\n", bang)},
	})
	trials(t, []trial{
		{name: "the lane that has waited", body: tile(first, "setp.ne.u32 %p5, %l, 0;\n@%p5 bra OUT;\n", "")},
		{name: "half a warp that has met it", body: tile(first,
			"setp.gt.u32 %p5, %l, 15;\n@%p5 bra OUT;\nbar.warp.sync 0xffff;\n", "")},
		{name: "a collective of all lanes", body: tile(first,
			"and.b32 %r5, %l, 7;\nmad.lo.u32 %r5, %r5, 16, %s;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r5];\n", "")},
		{name: "what lacks", body: tile(first, "", bang), kind: sim.KindRace, text: "other lanes of this warp have waited for it"},
	})
}
