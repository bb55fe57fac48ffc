package sim_test

import (
	"errors"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// TestSameValue checks races in which one access stores the value that is already there. They end only a strict run.
func TestSameValue(t *testing.T) {
	t.Parallel()
	two := func(first, second string) string {
		return "@!%p0 bra OUT;\nsetp.eq.u32 %p5, %b, 1;\n@%p5 bra B;\n" + first + "\nbra OUT;\nB:\n" + second + "\nOUT:\n"
	}
	for _, x := range []trial{
		{name: "two stores", grid: 2, body: two("st.global.u32 [%out], 7; //!", "st.global.u32 [%out], 7; //!")},
		{name: "a store after a load", grid: 2, body: two("ld.global.u32 %r5, [%out]; //!", "st.global.u32 [%out], 0; //!")},
		{name: "an atomic maximum", grid: 2, body: two("ld.global.u32 %r5, [%out]; //!",
			"red.global.max.u32 [%out], 0; //!")},
		{name: "two warps", body: "@%p1 st.shared.u32 [%s], 7; //!\n"},
		{name: "matrices of two warps", body: "mov.u32 %r3, 7;\nand.b32 %r5, %l, 7;\nmad.lo.u32 %r5, %r5, 16, %s;\n" +
			"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5], {%r3}; //!\n"},
		{name: "a copy by all lanes", block: 32, body: "st.shared.u32 [%st], %t;\nfence.proxy.async;\nbar.sync 0;\n" +
			"cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 128; //!\n" +
			"cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"},
		{name: "a copy by each lane in turn", block: 32, body: inTurn},
		{name: "a completed copy of another warp", body: "and.b32 %r4, %t, 31;\nst.shared.u32 [%st], %r4;\n" +
			"fence.proxy.async;\nbar.sync 0;\n@%p2 bra COPY;\nmov.u32 %r1, 900;\nLATE:\nsub.u32 %r1, %r1, 1;\n" +
			"setp.gt.u32 %p5, %r1, 0;\n@%p5 bra LATE;\nCOPY:\n" +
			"@%p1 cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 128; //!\n" +
			"cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"},
		{name: "equal tiles of two warps", body: "and.b32 %r4, %t, 31;\nst.shared.u32 [%st], %r4;\nfence.proxy.async;\n" +
			"bar.sync 0;\nmad.lo.u32 %r5, %w, 128, %s;\n" +
			"@%p1 cp.async.bulk.global.shared::cta.bulk_group [%out], [%r5], 128; //!\n" +
			"cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n"},
		{name: "sums of two warps", body: "mov.f32 %f1, 0f3F800000;\nwmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [%s], " +
			"{%f1, %f1, %f1, %f1, %f1, %f1, %f1, %f1}, 16; //!\n"},
		{name: "a sum of zeros", body: "mov.u32 %r1, 0;\nst.shared.u32 [%st], %r1;\nbar.sync 0;\n" +
			"xor.b32 %r3, %t, 63;\nmad.lo.u32 %r3, %r3, 4, %s;\n" +
			"ld.shared.u32 %r2, [%r3]; //!\nadd.u32 %r2, %r2, %r1;\nst.shared.u32 [%st], %r2; //!\n"},
		{name: "a load after a store", body: "st.shared.u32 [%st], 0;\nbar.sync 0;\n@%p2 bra STORE;\nmov.u32 %r1, 900;\n" +
			"WAIT:\nsub.u32 %r1, %r1, 1;\nsetp.gt.u32 %p5, %r1, 0;\n@%p5 bra WAIT;\nxor.b32 %r3, %t, 32;\n" +
			"mad.lo.u32 %r3, %r3, 4, %s;\nld.shared.u32 %r2, [%r3]; //!\nbra OUT;\n" +
			"STORE:\nst.shared.u32 [%st], 0; //!\nOUT:\n"},
		{name: "the lanes of a store", block: 32, body: "st.shared.u32 [%s], 7;\n"},
		{name: "sound", body: "mov.u32 %r1, 0;\nst.shared.u32 [%st], %r1;\nbar.sync 0;\nxor.b32 %r3, %t, 63;\n" +
			"mad.lo.u32 %r3, %r3, 4, %s;\n" +
			"ld.shared.u32 %r2, [%r3];\nbar.sync 0;\nst.shared.u32 [%st], %r2;\n"},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			src := x.source()
			p, marked := loadText(t, src), lines(src)
			res, _, err := x.launch(t, p, sim.Launch{})
			if err != nil || len(res.Findings) > 0 {
				t.Fatalf("found %v", err)
			}
			if len(marked) == 0 != (len(res.Lesser) == 0) {
				t.Fatalf("found %v of a lesser grade, expected lines %v", res.Lesser, marked)
			}
			for _, f := range res.Lesser {
				if f.Grade != sim.GradeSame || f.Count == 0 || !marked[f.Pos.Line] || !marked[f.Other.Line] {
					t.Errorf("found %v, grade %q, with line %d; expected lines %v", f, f.Grade, f.Other.Line, marked)
				}
			}
			res, _, err = x.launch(t, p, sim.Launch{Strict: true})
			if len(marked) > 0 == (err == nil) || err == nil != (len(res.Findings) == 0) {
				t.Errorf("a strict run: found %v", err)
			}
			if list := sim.Strictly(res.Findings, nil); err != nil && (len(list) != 1 || list[0].Grade != sim.GradeSame) {
				t.Errorf("a strict run: found %v", list)
			}
		})
	}
}

// inTurn lets the lanes of a warp copy 128 bytes of shared memory to the start of out. Each one waits for its reads
// before the next one begins.
const inTurn = "st.shared.u32 [%st], %t;\nfence.proxy.async;\nbar.sync 0;\nmad.lo.u32 %r7, %l, 4, %s;\nmov.u32 %r6, 0;\nTURN:\n" +
	"setp.ne.u32 %p5, %r6, %l;\n@%p5 bra NEXT;\n" +
	"cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 128; //!\n" +
	"cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\nNEXT:\nadd.u32 %r6, %r6, 1;\n" +
	"setp.lt.u32 %p5, %r6, 32;\n@%p5 bra TURN;\n"

// TestDifferentCopies has copies to the same bytes, in no order, that do not leave the same.
func TestDifferentCopies(t *testing.T) {
	t.Parallel()
	const (
		fill  = "st.shared.u32 [%st], %t;\nfence.proxy.async;\nbar.sync 0;\nmad.lo.u32 %r5, %w, 128, %s;\n"
		copy  = "cp.async.bulk.global.shared::cta.bulk_group [%out], [%r5], 128; //!\ncp.async.bulk.commit_group;\n"
		add   = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%r5], 128; //!\n"
		reads = "cp.async.bulk.wait_group.read 0;\n"
		all   = "cp.async.bulk.wait_group 0;\n"
		late  = "@%p2 bra GO;\nmov.u32 %r1, 900;\nLATE:\nsub.u32 %r1, %r1, 1;\nsetp.gt.u32 %p5, %r1, 0;\n@%p5 bra LATE;\nGO:\n"
	)
	trials(t, []trial{
		{name: "two tiles", body: fill + "@%p1 " + copy + all, kind: sim.KindRace, or: sim.KindWritePending},
		{name: "a completed tile and another", body: fill + late + "@%p1 " + copy + all, kind: sim.KindRace, or: sim.KindWritePending},
		{name: "a tile refilled after its reads", block: 32, body: fill + "@%p1 " + copy + reads + "bar.warp.sync -1;\n" +
			"add.u32 %r1, %t, 1;\nst.shared.u32 [%st], %r1;\nfence.proxy.async;\nbar.warp.sync -1;\nsetp.eq.u32 %p6, %l, 1;\n" +
			"@%p6 " + copy + all, kind: sim.KindRace, or: sim.KindWritePending},
		{name: "a copy and a sum", body: "mov.u32 %r4, 1;\nst.shared.u32 [%st], %r4;\nfence.proxy.async;\nbar.sync 0;\n" +
			"mov.u32 %r5, %s;\nand.pred %p5, %p1, %p2;\nnot.pred %p6, %p2;\nand.pred %p6, %p6, %p1;\n@%p5 " + copy +
			"@%p6 " + add + "cp.async.bulk.commit_group;\n" + all, kind: sim.KindRace, or: sim.KindWritePending},
		{
			name: "one byte of a tile", body: "and.b32 %r4, %t, 31;\nst.shared.u32 [%st], %r4;\nbar.sync 0;\n@%p0 st.shared.u8 [%s+77], 9;\n" +
				"fence.proxy.async;\nbar.sync 0;\nmad.lo.u32 %r5, %w, 128, %s;\n@%p1 " + copy + all,
			kind: sim.KindRace, or: sim.KindWritePending,
		},
	})
}

// TestPartlyAlike checks that readers have to know a copy with which another one agrees in part, and that later writes
// have to know both.
func TestPartlyAlike(t *testing.T) {
	t.Parallel()
	const (
		fill = "and.b32 %r4, %t, 31;\nst.shared.u32 [%st], %r4;\nfence.proxy.async;\nbar.sync 0;\n"
		copy = "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], %r2;\ncp.async.bulk.commit_group;\n" +
			"cp.async.bulk.wait_group 0;\n"
		late = "mov.u32 %r1, 900;\nLATE:\nsub.u32 %r1, %r1, 1;\nsetp.gt.u32 %p5, %r1, 0;\n@%p5 bra LATE;\n@%p2 bra END;\n"
	)
	trials(t, []trial{
		{name: "another line", body: fill + "mov.u32 %r2, 64;\n@%p2 mov.u32 %r2, 256;\n" + copy + late +
			"ld.global.u32 %r3, [%out+192]; //!\nEND:\n", kind: sim.KindRace, or: sim.KindReadPending},
		{name: "the same line", body: fill + "mov.u32 %r2, 16;\n@%p2 mov.u32 %r2, 64;\n" + copy + late +
			"ld.global.u32 %r3, [%out+48]; //!\nEND:\n", kind: sim.KindRace, or: sim.KindReadPending},
		{name: "an equal copy of another warp", body: fill + "mov.u32 %r2, 128;\n" + copy + late +
			"ld.global.u32 %r3, [%out+48];\nEND:\n"},
		{
			name: "another number later", body: fill + "mov.u32 %r2, 128;\n@%p2 bra COPY;\nst.global.u32 [%out+48], 12;\n" +
				"bra LATER;\nCOPY:\n" + copy + "LATER:\n" + late + "st.global.u32 [%out+48], 13; //!\nEND:\n",
			kind: sim.KindRace, or: sim.KindWritePending,
		},
	})
}

// TestStrict checks races according to the PTX ISA that hardware orders. Only strict runs find them, each by exactly
// one rule.
func TestStrict(t *testing.T) {
	t.Parallel()
	const fence = "fence.acq_rel.gpu;"
	last := func(first, fence, mark string) string {
		return `add.u32 %r1, %t, 5; st.global.u32 [%po], %r1; ` + mark + `
	` + first + `
	bar.sync 0;
	@!%p0 bra ALL;
	` + fence + `
	atom.global.add.u32 %r5, [%in], 1;
	` + first + `
	st.shared.u32 [%s], %r5;
ALL:	bar.sync 0;
	ld.shared.u32 %r5, [%s];
	setp.ne.u32 %p5, %r5, 2;
	@%p5 bra OUT;
	mad.wide.u32 %rd5, %l, 4, %out;
	ld.global.u32 %r6, [%rd5+128]; ld.global.u32 %r6, [%rd5+384]; ld.global.u32 %r6, [%rd5+640]; ` + mark + `
OUT:
`
	}
	bulk := func(fence, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 1;\nst.shared.u32 [%st], 7;\nfence.proxy.async;\n" +
			"bar.sync 0;\nld.shared.u32 %r5, [%st]; " + mark + "\n" +
			fence + "bar.sync 0;\n@!%p0 bra OUT;\nmbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n" +
			"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 256, [%m]; " + mark +
			"\n" + waitFor("%m", 0, "") + "OUT:\n"
	}
	stored := func(fence, mark string) string {
		return "st.shared.u32 [%st], 7;\nfence.proxy.async.shared::cta;\nbar.sync 0;\nld.global.u32 %r5, [%po]; " + mark +
			"\n" + fence + "bar.sync 0;\n@!%p0 bra OUT;\n" +
			"cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256; " + mark + "\n" +
			"cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nOUT:\n"
	}
	copied := func(fence, mark string) string {
		return "cp.async.ca.shared.global [%st], [%pi], 4; " + mark + "\ncp.async.wait_all;\n" + fence +
			"bar.sync 0;\n@!%p0 bra OUT;\n" +
			"cp.async.bulk.global.shared::cta.bulk_group [%out], [%s], 256; " + mark + "\n" +
			"cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nOUT:\n"
	}
	aligned := func(sync, mark string) string {
		return "add.u32 %r1, %t, 9;\nst.shared.u32 [%st], %r1; " + mark + "\n" + sync + "and.b32 %r5, %l, 7;\n" +
			"mad.lo.u32 %r5, %r5, 16, %s;\n" +
			"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r5]; " + mark + "\n"
	}
	inPlace := func(nc, mark string) string {
		return "ld.global" + nc + ".u32 %r5, [%po]; " + mark + "\n" +
			"add.u32 %r5, %r5, %t;\nst.global.u32 [%po], %r5; " + mark + "\n"
	}
	peer := func(scope, mark string) string {
		return "@%p0 mbarrier.init.shared.b64 [%m], 1;\nst.shared.u32 [%st], 1;\n" +
			"barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n" +
			"setp.eq.u32 %p5, %b, 1;\n@%p5 bra GIVE;\n@!%p0 bra END;\n" + waitFor("%m", 0, "") +
			"ld.shared.u32 %r5, [%s]; " + mark + "\nbra END;\n" +
			"GIVE:\n@!%p0 bra END;\nmapa.shared::cluster.u32 %r4, %s, 0;\nst.shared::cluster.u32 [%r4], 5; " + mark + "\n" +
			"mapa.shared::cluster.u32 %r4, %m, 0;\nmbarrier.arrive" + scope + ".shared::cluster.b64 _, [%r4];\n" +
			"END:\nbarrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n"
	}
	for _, x := range []struct {
		pair
		strict string // the repaired kernel, which is sound according to all rules
	}{
		{pair{name: "a fence before the barrier", grid: 3, sound: last(fence, "", "//!")}, last(fence, fence, "")},
		{pair{name: "a fence.sc before the barrier", grid: 3, sound: last(fence, "", "//!")}, last("membar.gl;", "", "")},
		{pair{name: "a bulk copy over what was read", sound: bulk("", "//!")}, bulk("fence.proxy.async;\n", "")},
		{pair{name: "a bulk store over what was read", sound: stored("", "//!")}, stored("fence.proxy.async;\n", "")},
		{
			pair{name: "a bulk store, a fence for shared memory", sound: stored("fence.proxy.async.shared::cta;\n", "//!")},
			stored("fence.proxy.async.global;\n", ""),
		},
		{pair{name: "cp.async before the async proxy", sound: copied("", "//!")}, copied("fence.proxy.async;\n", "")},
		{pair{name: "aligned lanes", block: 32, sound: aligned("", "//!")}, aligned("bar.warp.sync -1;\n", "")},
		{pair{name: "ld.global.nc before a store", sound: inPlace(".nc", "//!")}, inPlace("", "")},
		{pair{name: "an arrival for a block", grid: 2, cluster: 2, sound: peer("", "//!")}, peer(".release.cluster", "")},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			y := trial{name: x.name, body: x.sound, grid: x.grid, block: x.block, cluster: x.cluster}
			src := y.source()
			p, marked := loadText(t, src), lines(src)
			if _, _, err := y.launch(t, p, sim.Launch{}); err != nil {
				t.Errorf("a usual run: %v", err)
			}
			res, _, err := y.launch(t, p, sim.Launch{Strict: true})
			list := sim.Strictly(res.Findings, nil)
			if len(list) != 1 || list[0].Grade != sim.GradeStrict || !marked[list[0].Pos.Line] {
				t.Errorf("a strict run: found %v, want a finding at %v", err, marked)
			}
			y.body = x.strict
			if _, _, err := y.launch(t, loadText(t, y.source()), sim.Launch{Strict: true}); err != nil {
				t.Errorf("a strict run of the repaired kernel: %v", err)
			}
		})
	}
}

// TestBranch checks a branch on unwritten bytes that affects no result, and a store of such bytes.
func TestBranch(t *testing.T) {
	t.Parallel()
	body := func(use string) string {
		return "ld.shared.u32 %r2, [%st]; //!\nsetp.eq.u32 %p5, %r2, 0;\nmov.u32 %r3, 1;\n" + use +
			"st.global.u32 [%po], %t;\n"
	}
	x := trial{body: body("@%p5 bra ZERO;\nmov.u32 %r3, 2;\nZERO:\n"), want: func(i int) uint32 { return uint32(i) }}
	p := loadText(t, x.source())
	_, _, err := x.launch(t, p, sim.Launch{})
	if f, ok := errors.AsType[*sim.Finding](err); !ok || f.Kind != sim.KindUninitialised || !strings.Contains(f.Message, "bra at line") {
		t.Errorf("a run that ends with a finding: found %v", err)
	}
	res, out, err := x.launch(t, p, sim.Launch{Findings: 9})
	if err != nil || len(res.Findings) > 0 || len(res.Lesser) != 1 || res.Lesser[0].Grade != sim.GradeBranch || out[1] != 1 {
		t.Errorf("found %v, and of a lesser grade %v; expected one of grade %q", err, res.Lesser, sim.GradeBranch)
	}
	res, _, err = x.launch(t, p, sim.Launch{Findings: 9, Strict: true})
	if err == nil || len(res.Findings) != 1 || res.Findings[0].Grade != sim.GradeBranch {
		t.Errorf("a strict run: found %v", res.Findings)
	}
	x.body = body("@%p5 st.global.u32 [%po], %r3;\n")
	res, _, err = x.launch(t, loadText(t, x.source()), sim.Launch{Findings: 9})
	if err == nil || len(res.Findings) != 1 || res.Findings[0].Grade != sim.GradeRace {
		t.Errorf("a store that depends on missing bytes: found %v", res.Findings)
	}
}
