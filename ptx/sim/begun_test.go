package sim_test

import (
	"strings"
	"testing"

	"girih/ptx/sim"
)

// TestPeersThatMayNotRun checks accesses to the shared memory of the other block of a cluster. Without an event that
// shows that the other block has begun, they have a finding. None of the kernels has a race.
func TestPeersThatMayNotRun(t *testing.T) {
	t.Parallel()
	const (
		whole   = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
		relaxed = "barrier.cluster.arrive.relaxed.aligned;\nbarrier.cluster.wait.aligned;\n"
		inits   = "@%p0 mbarrier.init.shared.b64 [%m], 1;\n@%p0 fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
		peer    = "mov.u32 %r1, %cluster_ctarank;\nxor.b32 %r2, %r1, 1;\nmapa.shared::cluster.u32 %r3, %st, %r2;\n" +
			"mapa.shared::cluster.u32 %r4, %m, %r2;\nmapa.shared::cluster.u32 %r6, %s, %r2;\nmov.u16 %h1, 3;\n"
		expect = "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], "
		wait   = "W: mbarrier.try_wait.parity.shared.b64 %p5, [%m], 0;\n@!%p5 bra W;\n"
	)
	var list []trial
	for _, x := range []struct{ name, before, access string }{
		{"store", "", "st.shared::cluster.u32 [%r3], %t; //!\n"},
		{"generic store", "", "cvt.u64.u32 %rd5, %r3;\ncvta.shared::cluster.u64 %rd5, %rd5;\nst.u32 [%rd5], %t; //!\n"},
		{"atomic", "st.relaxed.cluster.shared.u32 [%st], 0;\n", "red.relaxed.cluster.shared::cluster.add.u32 [%r3], %t; //!\n"},
		{"mbarrier.arrive", inits, "@%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r4]; //!\n"},
		{"st.async", inits + expect + "256;\n", "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r3], %t, [%r4]; //!\n" + wait},
		{"bulk copy", inits + expect + "256;\n", "@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r6], [%in], 256, [%r4]; //!\n" + wait},
		{"multicast", inits + expect + "256;\n", "setp.eq.and.u32 %p6, %r1, 0, %p0;\n@%p6 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%s], [%in], 256, [%m], %h1; //!\n" + wait},
	} {
		for _, b := range []struct {
			name, text string
			kind       sim.Kind
		}{
			{"", "bar.sync 0;\n", sim.KindBegun},
			{", arrive only", "barrier.cluster.arrive.aligned;\n", sim.KindBegun},
			{", with the barrier", whole, ""},
			{", with a relaxed one", relaxed, ""},
			{", a warp waits for all", "barrier.cluster.arrive.aligned;\n@%p2 barrier.cluster.wait;\nbar.sync 0;\n", ""},
		} {
			end := whole
			if strings.HasPrefix(b.text, "barrier.cluster.arrive") && b.text != whole && b.text != relaxed {
				end = "@!%p2 barrier.cluster.wait;\nbar.sync 0;\n" + whole
			}
			if b.name == ", arrive only" {
				end = "barrier.cluster.wait.aligned;\n" + whole
			}
			list = append(list, trial{
				name: x.name + b.name, grid: 2, cluster: 2, kind: b.kind,
				body: x.before + peer + b.text + x.access + end,
			})
		}
	}
	flag := peer + "setp.eq.u32 %p7, %r1, 1;\n@%p7 bra TELL;\n" +
		"F: ld.acquire.gpu.global.u32 %r8, [%out];\nsetp.eq.u32 %p8, %r8, 0;\n@%p8 bra F;\nst.shared::cluster.u32 [%r3], %t;\nbra END;\n" +
		"TELL:\n@%p0 st.release.gpu.global.u32 [%out], 7;\nEND:\n" + whole
	relaxedFlag := strings.NewReplacer("ld.acquire", "ld.relaxed", "st.release", "st.relaxed")
	atomicFlag := strings.NewReplacer("ld.acquire.gpu.global.u32 %r8, [%out];", "atom.relaxed.gpu.global.add.u32 %r8, [%out], 0;",
		"st.release.gpu", "red.relaxed.gpu", ".u32 [%out], 7", ".add.u32 [%out], 7")
	noFlag := strings.NewReplacer("@%p8 bra F;", "", "@%p0 st.release.gpu.global.u32 [%out], 7;", "", "[%r3], %t;", "[%r3], %t; //!")
	list = append(list,
		trial{name: "a flag in global memory", grid: 2, cluster: 2, body: flag},
		trial{name: "a relaxed flag", grid: 2, cluster: 2, body: relaxedFlag.Replace(flag)},
		trial{name: "an atomic flag", grid: 2, cluster: 2, body: atomicFlag.Replace(flag)},
		trial{name: "no flag", grid: 2, cluster: 2, kind: sim.KindBegun, body: noFlag.Replace(flag)},
		// Block 1 knows that block 0 runs only from block 0's copy, because block 1 does not wait at the barrier.
		trial{name: "a copy that has come", grid: 2, cluster: 2, body: inits + expect + "256;\n" + peer +
			"barrier.cluster.arrive.aligned;\nsetp.eq.u32 %p7, %r1, 1;\n@%p7 bra TAKE;\nbarrier.cluster.wait.aligned;\n" +
			"@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%s], [%in], 256, [%m], %h1;\n" +
			wait + "bra END;\nTAKE:\n" + strings.ReplaceAll(wait, "W", "V") +
			"st.shared::cluster.u32 [%r3+1024], %t;\nbarrier.cluster.wait.aligned;\nEND:\n" + whole},
		trial{name: "its own memory", grid: 2, cluster: 2, body: peer + "mapa.shared::cluster.u32 %r5, %st, %r1;\nst.shared::cluster.u32 [%r5], %t;\n"},
	)
	trials(t, list)
}
