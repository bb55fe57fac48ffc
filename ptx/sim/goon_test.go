package sim_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// goesOn checks a run that continues after its findings: the expected finding of the kernel must be among the findings,
// and none may be reported twice. A kernel without a mistake must have no finding.
func (x trial) goesOn(t *testing.T, p *sim.Program) {
	t.Helper()
	res, _, err := x.launch(t, p, sim.Launch{Findings: 50})
	if x.kind == "" {
		if err != nil || len(res.Findings) != 0 || !res.Ended {
			t.Fatalf("going on after findings: %v, %v", err, res.Findings)
		}
		return
	}
	seen := map[string]bool{}
	for _, f := range res.Findings {
		if key := fmt.Sprint(f.Kind, f.Pos, f.Other, f.Message); seen[key] || f.Count < 1 {
			t.Errorf("told twice, or %d times: %v", f.Count, f)
		} else {
			seen[key] = true
		}
	}
	if !slices.ContainsFunc(res.Findings, func(f *sim.Finding) bool { return f.Kind == x.kind || f.Kind == x.or }) {
		t.Errorf("going on after findings: %v, want %s", res.Findings, x.kind)
	}
}

// TestGoOn runs kernels with several mistakes to their end.
func TestGoOn(t *testing.T) {
	t.Parallel()
	const (
		put    = "st.shared.u32 [%st], %t; // W\n"
		turned = "xor.b32 %r1, %t, 63;\nmad.lo.u32 %r1, %r1, 4, %s;\nld.shared.u32 %r2, [%r1]; // R\n"
		out    = "st.global.u32 [%po], %r2;\n"
		copy4  = "cp.async.ca.shared.global [%st], [%pi], 4; // C\ncp.async.commit_group;\n"
		bulk   = "@%p0 mbarrier.init.shared.b64 [%m], 1;\nbar.sync 0;\n@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 128;\n" +
			"@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in], 256, [%m];\n"
	)
	same := func(i int) uint32 { return uint32(i) }
	mirror := func(i int) uint32 { return uint32(i ^ 63) }
	for _, x := range []struct {
		trial
		launch  sim.Launch
		told    string // the kind, the lines by their marks, and the count
		ignored string
		ended   bool
	}{
		{trial{name: "nothing", body: put + "bar.sync 0;\n" + turned + out, want: mirror}, sim.Launch{Findings: 9}, "", "", true},
		{trial{name: "a race", body: put + turned + out}, sim.Launch{Findings: 9}, "race W R 2", "", true},
		{trial{name: "a race that is passed over", body: put + turned + out}, sim.Launch{Ignore: []sim.Ignore{{Kind: sim.KindRace}}}, "", "race W R 2", true},
		{trial{name: "outside", body: "ld.global.u32 %r2, [%pi+1048576]; // R\nst.global.u32 [%po+1048576], %r2; // W\nst.global.u32 [%po], %r2;\n", want: func(int) uint32 { return 0 }}, sim.Launch{Findings: 9}, "out-of-bounds R 2, out-of-bounds W 2", "", true},
		{trial{name: "the first two", body: "ld.global.u32 %r2, [%pi+1048576]; // R\nst.global.u32 [%po+1048576], %r2; // W\nst.global.u32 [%po+2], %r2;\n"}, sim.Launch{Findings: 2}, "out-of-bounds R 2, out-of-bounds W 2, and 1 more", "", true},
		{trial{name: "the first one", body: "ld.global.u32 %r2, [%pi+1048576]; // R\nst.global.u32 [%po+1048576], %r2; // W\nst.global.u32 [%po+2], %r2;\ntrap;\n"}, sim.Launch{Findings: 1}, "out-of-bounds R 1, and 3 more", "", false},
		{trial{name: "the only one", body: "ld.global.u32 %r2, [%pi+1048576]; // R\nst.global.u32 [%po], %t;\n", want: same}, sim.Launch{Findings: 1}, "out-of-bounds R 2", "", true},
		{trial{name: "cp.async of no multiple", body: "cp.async.ca.shared.global [%st], [%pi+2], 4; // R\ncp.async.wait_all;\nld.shared.u32 %r2, [%st];\n" + out, want: func(int) uint32 { return 0 }}, sim.Launch{Findings: 9}, "misaligned R 2", "", true},
		{trial{name: "a bulk copy to nowhere", body: "@%p0 mbarrier.init.shared.b64 [%m], 1;\nbar.sync 0;\n@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s+1048576], [%in], 256, [%m]; // R\n" + waitFor("%m", 0, "") + "st.global.u32 [%po], %t;\n", want: same}, sim.Launch{Findings: 9}, "out-of-bounds R 1", "", true},
		{trial{name: "a bulk copy from nowhere", body: "@%p0 mbarrier.init.shared.b64 [%m], 1;\nbar.sync 0;\n@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%m], 256;\n@%p0 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%s], [%in+1048576], 256, [%m]; // R\n" + waitFor("%m", 0, "") + "ld.shared.u32 %r2, [%st];\n" + out, want: func(int) uint32 { return 0 }}, sim.Launch{Findings: 9}, "out-of-bounds R 1", "", true},
		{trial{name: "an mbarrier that nobody begins", body: waitFor("%m", 0, "// R") + "st.global.u32 [%po], %t;\n", want: same}, sim.Launch{Findings: 9}, "uninitialised R 2", "", true},
		{trial{name: "too many bytes are expected", body: "@%p0 mbarrier.init.shared.b64 [%m], 1;\nbar.sync 0;\n@%p0 mbarrier.expect_tx.relaxed.cta.shared.b64 [%m], 1048575;\n@%p0 mbarrier.expect_tx.relaxed.cta.shared.b64 [%m], 16; // R\nst.global.u32 [%po], %t;\n", want: same}, sim.Launch{Findings: 9}, "tx-count R 1", "", true},
		{trial{name: "a reduction of what nobody wrote", body: "@%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%out], [%s], 256; // R\n@%p0 cp.async.bulk.commit_group;\n@%p0 cp.async.bulk.wait_group 0;\n"}, sim.Launch{Findings: 9}, "uninitialised R 1", "", true},
		{trial{name: "ldmatrix from nowhere", body: "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%st+1048576]; // R\n" + out}, sim.Launch{Findings: 9}, "out-of-bounds R 2, uninitialised - 2", "", true},
		{trial{name: "a line that is passed over", body: "ld.global.u32 %r2, [%pi+1048576];\nst.global.u32 [%po+1], %r2; // W\n"}, sim.Launch{Ignore: []sim.Ignore{{Kind: sim.KindBounds, Line: 16}, {Kind: sim.KindRace}}}, "misaligned W 1", "out-of-bounds - 1", false},
		{trial{name: "an atomic outside", body: "atom.global.add.u32 %r2, [%po+1048576], 1; // W\n" + out, want: func(int) uint32 { return 0 }}, sim.Launch{Findings: 9}, "out-of-bounds W 2", "", true},
		{trial{name: "a register without a value", body: "add.u32 %r2, %r9, 0;\nadd.u32 %r3, %r9, 1;\nst.global.u32 [%po], %r2; // R\nst.global.u32 [%po], %r3;\nst.global.u32 [%po], %t;\n", want: same}, sim.Launch{Findings: 9}, "uninitialised R 4", "", true},
		{trial{name: "a predicate without a value", body: "@%p11 mov.u32 %r9, 1; // R\nst.global.u32 [%po], %t;\n", want: same}, sim.Launch{Findings: 9}, "uninitialised R 2", "", true},
		{trial{name: "shared memory that nobody writes", body: "ld.shared.u32 %r2, [%st]; // R\nst.global.u32 [%po], %r2;\nst.global.u32 [%po], %t;\n", want: same}, sim.Launch{Findings: 9}, "uninitialised R 2", "", true},
		{trial{name: "a copy that nobody waits for", body: copy4 + "ld.shared.u32 %r2, [%st]; // R\nst.global.u32 [%po], %r2;\ncp.async.wait_all;\nld.shared.u32 %r2, [%st];\n" + out, want: same}, sim.Launch{Findings: 9}, "read-pending R C 2", "", true},
		{trial{name: "written over in flight", body: copy4 + "st.shared.u32 [%st], 7; // W\ncp.async.wait_all;\nld.shared.u32 %r2, [%st];\n" + out, want: same}, sim.Launch{Findings: 9}, "write-pending W C 2", "", true},
		{trial{name: "bytes that nobody expects", body: bulk + waitFor("%m", 0, "// R") + "ld.shared.u32 %r2, [%st];\n" + out, want: same}, sim.Launch{Findings: 9}, "tx-count R 1", "", true},
		{trial{name: "a barrier that nobody completes", body: put + turned + "@%p2 bar.sync 1, 64; // D\n"}, sim.Launch{Findings: 9}, "race W R 2, deadlock D 1", "", false},
		{trial{name: "an instruction that is not known", body: put + turned + "tex.1d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f1}]; // D\n"}, sim.Launch{Findings: 9}, "unsupported D 1", "", false},
		{trial{name: "a trap", body: "ld.global.u32 %r2, [%pi+2]; // R\ntrap; // D\n"}, sim.Launch{Findings: 9}, "misaligned R 1, trap D 1", "", false},
		{trial{name: "two blocks", grid: 3, body: "st.global.u32 [%out], %g; // W\n"}, sim.Launch{Findings: 9}, "race W 6, race W W 5", "", true},
		{trial{name: "a store of different values", body: "st.shared.u32 [%s], %t; // W\nst.global.u32 [%po], %t;\n", want: same}, sim.Launch{Findings: 9}, "race W 2, race W W 1", "", true},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			src := x.source()
			res, got, err := x.trial.launch(t, loadText(t, src), x.launch)
			mark := func(line int32) string {
				_, name, ok := strings.Cut(strings.Split(src, "\n")[max(line, 1)-1], "// ")
				switch {
				case line == 0:
					return ""
				case !ok:
					return " -"
				}
				return " " + name
			}
			text := func(list []*sim.Finding) string {
				var all []string
				for _, f := range list {
					all = append(all, fmt.Sprintf("%s%s%s %d", f.Kind, mark(f.Pos.Line), mark(f.Other.Line), f.Count))
				}
				return strings.Join(all, ", ")
			}
			told, ignored := text(res.Findings), text(res.Ignored)
			if res.More > 0 {
				told += fmt.Sprintf(", and %d more", res.More)
			}
			if told != x.told || ignored != x.ignored || res.Ended != x.ended {
				t.Errorf("found %q, passed over %q, ended %v", told, ignored, res.Ended)
				for _, f := range res.Findings {
					t.Log(f)
				}
			}
			if (err != nil) != (x.told != "") {
				t.Errorf("the error is %v", err)
			}
			for i := range 64 {
				if x.want != nil && got[i] != x.want(i) {
					t.Fatalf("word %d is %d, want %d", i, got[i], x.want(i))
				}
			}
		})
	}
}
