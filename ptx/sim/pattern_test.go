package sim_test

import (
	"strings"
	"testing"

	"girih/ptx/sim"
)

// A pattern is a kernel with holes, the default text of each hole, and twins that replace some of these texts.
type pattern struct {
	trial
	holes map[string]string // the default texts, by name
	twins []twin
}

// A twin is a version of a pattern, sound or with a mistake, with other texts in some holes.
type twin struct {
	name     string
	holes    map[string]string
	kind, or sim.Kind
}

func patterns(t *testing.T, list []pattern) {
	t.Helper()
	var all []trial
	for _, p := range list {
		for _, w := range p.twins {
			var pairs []string
			for hole, text := range p.holes {
				if other, ok := w.holes[hole]; ok {
					text = other
				}
				pairs = append(pairs, "<"+hole+">", text)
			}
			x := p.trial
			x.name, x.kind, x.or = p.name+", "+w.name, w.kind, w.or
			x.body = strings.NewReplacer(pairs...).Replace(p.body)
			all = append(all, x)
		}
	}
	trials(t, all)
}

// TestPipelines runs pipelines as libraries write them, each with likely mistakes.
func TestPipelines(t *testing.T) {
	t.Parallel()
	const (
		pending, race = sim.KindWritePending, sim.KindRace
		stores        = `.reg .pred %q<8>; .reg .b32 %v<8>; mov.u32 %r11, 0;
L: and.b32 %v0, %r11, 1; mad.lo.u32 %v1, %v0, 2048, %s; <wait> <bar>
	mad.lo.u32 %v2, %t, 16, %v1; add.u32 %v3, %t, %r11; st.shared.v4.u32 [%v2], {%v3, %v3, %t, %r11}; //!
	fence.proxy.async.shared::cta; <written>
	mad.wide.u32 %rd5, %r11, 2048, %out;
	@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%v1], 2048; //!
	@%p0 cp.async.bulk.commit_group;
	add.u32 %r11, %r11, 1; setp.lt.u32 %q0, %r11, 5; @%q0 bra L;
	<last>
`
		warps = `.reg .pred %q<8>; .reg .b32 %v<8>; mov.u32 %r11, 0; setp.ge.u32 %q1, %t, 128; setp.eq.u32 %q2, %t, 128;
L: @%q1 bra S; <free>
	mad.lo.u32 %v2, %t, 16, %s; add.u32 %v3, %t, %r11; st.shared.v4.u32 [%v2], {%v3, %v3, %t, %r11}; //!
	fence.proxy.async.shared::cta; bar.arrive 2, 160; bra N;
S: bar.arrive 3, 160; <full>
	mad.wide.u32 %rd5, %r11, 2048, %out;
	@%q2 cp.async.bulk.global.shared::cta.bulk_group [%rd5], [%s], 2048; //!
	@%q2 cp.async.bulk.commit_group;
	<read> bar.warp.sync -1;
N: add.u32 %r11, %r11, 1; setp.lt.u32 %q0, %r11, 5; @%q0 bra L;
`
		exchange = `.reg .pred %q<8>; .reg .b32 %v<12>; mov.u32 %v0, %cluster_ctarank; xor.b32 %v1, %v0, 1; mov.u32 %r11, 0;
	@%p0 mbarrier.init.shared.b64 [%m], 1; @%p0 mbarrier.init.shared.b64 [%m+8], 64;
	@%p0 fence.mbarrier_init.release.cluster; barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
	mapa.shared::cluster.u32 %v2, %st, %v1; mapa.shared::cluster.u32 %v3, %m, %v1;
L: and.b32 %v4, %r11, 1; xor.b32 %v5, %v4, 1;
E: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q1, [%m+8], %v5; @!%q1 bra E;
	@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 256; add.u32 %v6, %g, %r11;
	st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%v2], %v6, [%v3]; //!
F: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %q1, [%m], %v4; @!%q1 bra F;
	ld.shared.u32 %v7, [%st];
	<give> //!
	add.u32 %r11, %r11, 1; setp.lt.u32 %q0, %r11, 5; @%q0 bra L;
	st.global.u32 [%po], %v7; <end>
`
		polls = `.reg .pred %q<8>; .reg .b32 %v<8>; mov.u32 %r11, 0; @%p0 mbarrier.init.shared.b64 [%m], 1; bar.sync 0;
L: and.b32 %r14, %r11, 1; @!%p0 bra S; mad.wide.u32 %rd5, %r11, 512, %in; mbarrier.arrive.expect_tx.shared.b64 _, [%m], 512;
	cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%rd5], 512, [%m]; //!
S: @!<who> bra Z;
F: mbarrier.try_wait.parity.shared.b64 %q4, [%m], %r14; @!%q4 bra F;
Z: <all>
	ld.shared.u32 %v1, [%st]; //!
	bar.sync 0; add.u32 %r11, %r11, 1; setp.lt.u32 %q4, %r11, 7; @%q4 bra L; st.global.u32 [%po], %v1;
`
	)
	patterns(t, []pattern{
		{
			trial{name: "two buffers of a bulk store", block: 128, body: stores},
			map[string]string{
				"wait": "@%p0 cp.async.bulk.wait_group.read 1;", "bar": "bar.sync 1, 128;", "written": "bar.sync 2, 128;",
				"last": "@%p0 cp.async.bulk.wait_group 0;",
			},
			[]twin{
				{name: "sound"},
				{"read only, at the end", map[string]string{"last": "@%p0 cp.async.bulk.wait_group.read 0;"}, "", ""},
				{"one group too many", map[string]string{"wait": "@%p0 cp.async.bulk.wait_group.read 2;"}, pending, race},
				{"no barrier after the wait", map[string]string{"bar": ""}, pending, race},
				{"no barrier after the stores", map[string]string{"written": ""}, race, pending},
				{"no wait at the end", map[string]string{"last": ""}, sim.KindExited, ""},
			},
		},
		{
			trial{name: "a warp that stores", block: 160, body: warps},
			map[string]string{"free": "bar.sync 3, 160;", "full": "bar.sync 2, 160;", "read": "@%q2 cp.async.bulk.wait_group.read 0;"},
			[]twin{
				{name: "sound"},
				{"no wait", map[string]string{"read": ""}, pending, race},
			},
		},
		{
			trial{name: "blocks that write to each other", grid: 2, cluster: 2, body: exchange},
			map[string]string{
				"give": "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%v3+8];",
				"end":  "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;",
			},
			[]twin{
				{name: "sound"},
				{"given back to itself", map[string]string{"give": "mbarrier.arrive.shared.b64 _, [%m+8];"}, pending, race},
				{"no barrier at the end", map[string]string{"end": ""}, sim.KindExited, ""},
			},
		},
		{
			trial{name: "some wait for all", block: 128, body: polls},
			map[string]string{"who": "%p2", "all": "bar.sync 0;"},
			[]twin{
				{name: "a warp"},
				{"a thread", map[string]string{"who": "%p0"}, "", ""},
				{"a thread of each warp", map[string]string{"who": "%p1", "all": "bar.warp.sync -1;"}, "", ""},
				{"a warp, without a barrier", map[string]string{"all": ""}, sim.KindReadPending, race},
			},
		},
	})
}
