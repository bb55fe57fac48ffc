package lint_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"girih/ptx"
	"girih/ptx/lint"
)

// A pair consists of a text that breaks a rule, and a repaired text that does not.
type pair struct {
	rule             string
	grade            lint.Grade
	directives       string
	broken, repaired string // bodies of a kernel; //! marks the lines that must be reported
	says             string // part of the text of the first line
	log              string // the log of ptxas for the broken text
	target           string // sm_90a, if it is empty; of the broken text only with "only "
}

// kernel returns the kernel with a body.
func (x pair) kernel(t testing.TB, body string) (*ptx.Module, string) {
	t.Helper()
	m, text := kernel(t, x.directives, body)
	target, only := strings.CutPrefix(x.target, "only ")
	if only && body == x.repaired {
		target = "sm_100f"
	}
	if target != "" {
		m.Target[0] = target
	}
	return m, text
}

const (
	fence  = "wgmma.fence.sync.aligned;\n"
	mma    = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, %rd1, %rd2, 1, 1, 1, 0, 0;\n"
	mmaA   = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2, %f3, %f4}, {%r1, %r2, %r3, %r4}, %rd2, 1, 1, 1, 0;\n"
	other  = "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f5, %f6, %f7, %f8}, %rd1, %rd2, 1, 1, 1, 0, 0;\n"
	commit = "wgmma.commit_group.sync.aligned;\n"
	wait   = "wgmma.wait_group.sync.aligned 0;\n"
	wait1  = "wgmma.wait_group.sync.aligned 1;\n"
	read   = "st.global.f32 [%rd3], %f1;\n"
	twait  = "tcgen05.wait::ld.sync.aligned;\n"
	talloc = "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [tile], 32;\n"
	tfree  = "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r1, 32;\n"
	tcede  = "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;\n"
)

// mark adds //! to a line, which must then be reported.
func mark(line string) string { return strings.TrimSuffix(line, "\n") + " //!\n" }

// Messages of ptxas.
const (
	compiling = "ptxas info    : Compiling entry function 'k' for 'sm_90a'\n"
	loss      = "ptxas info    : (C7510) Potential Performance Loss: "
	serial    = loss + "wgmma.mma_async instructions are serialized due to "
	stage     = " of a wgmma between start and end of the pipeline stage in the function 'k'\n"
	addsWait  = "ptxas info    : (C7517) warpgroup.wait is injected in around line 9 by compiler to allow use of registers defined by GMMA in function 'k'\n"
	addsFence = "ptxas info    : (C7519) warpgroup.arrive is injected in around line 6 by compiler to allow use of registers in GMMA in function 'k'\n"
	ignored   = compiling + loss + "'setmaxnreg' ignored; unable to determine register count at entry.\n"
	spilled   = "ptxas info    : 0 bytes gmem\n" + compiling + "ptxas info    : Function properties for k\n" +
		"    24 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n" +
		"ptxas info    : Used 168 registers, used 1 barriers, 24 bytes cumulative stack size\n"
)

var pairs = []pair{
	{rule: "wgmma-fence", grade: lint.Fault, broken: mark(mma) + commit + wait, repaired: fence + mma + commit + wait, says: "no wgmma.fence comes before this wgmma: one has"},
	{rule: "wgmma-fence", grade: lint.Path, broken: "@%p1 bra L;\n" + fence + "L:\n" + mark(mma) + commit + wait, repaired: fence + "@%p1 bra L;\nL:\n" + mma + commit + wait, says: "on a path"},
	{rule: "wgmma-fence", grade: lint.Fault, broken: fence + "mov.f32 %f1, 0f00000000;\n" + mark(mma) + commit + wait, repaired: "mov.f32 %f1, 0f00000000;\n" + fence + mma + commit + wait, says: "mov.f32 at line 7 writes %f1"},
	{rule: "wgmma-fence", grade: lint.Fault, broken: fence + "mov.f32 %f9, 0f00000000;\nmov.f32 %f1, %f9;\n" + mark(mma) + commit + wait, repaired: "mov.f32 %f9, 0f00000000;\n" + fence + "mov.f32 %f1, %f9;\n" + mma + commit + wait},
	{rule: "wgmma-fence", grade: lint.Fault, broken: fence + "ld.shared.u32 %r3, [%r5];\n" + mark(mmaA) + commit + wait, repaired: "ld.shared.u32 %r3, [%r5];\n" + fence + mmaA + commit + wait, says: "%r3, a register"},
	{rule: "wgmma-fence", grade: lint.Fault, broken: "call vprintf, (%rd1, %rd2);\n" + mark(mma) + commit + wait, repaired: "call g, (%rd1);\n" + mma + commit + wait},
	{rule: "wgmma-registers", grade: lint.Fault, broken: fence + mma + commit + mark(read) + wait, repaired: fence + mma + commit + wait + read, says: "reads %f1, accumulator of the wgmma at line 7"},
	{rule: "wgmma-registers", grade: lint.Fault, broken: fence + mma + commit + mark("add.f32 %f2, %f9, %f9;\n") + wait, repaired: fence + mma + commit + wait + "add.f32 %f2, %f9, %f9;\n", says: "writes %f2"},
	{rule: "wgmma-registers", grade: lint.Fault, broken: fence + mma + wait + mark(read), repaired: fence + mma + commit + wait + read, says: "no wgmma.commit_group puts it"},
	{rule: "wgmma-registers", grade: lint.Fault, broken: fence + mma + commit + wait1 + mark(read) + wait, repaired: fence + mma + commit + other + commit + wait1 + read + wait},
	{rule: "wgmma-registers", grade: lint.Path, broken: fence + mma + commit + "@%p1 " + wait + mark(read) + wait, repaired: fence + mma + commit + "@%p1 bra W;\n" + wait + "bra X;\nW:\n" + wait + "X:\n" + read, says: "on a path"},
	{rule: "wgmma-registers", grade: lint.Fault, broken: fence + mmaA + commit + mark("mov.b32 %r2, 0;\n") + wait, repaired: fence + mmaA + commit + "mov.b32 %r9, %r2;\n" + wait, says: "writes %r2, part of A"},
	{rule: "wgmma-registers", grade: lint.Fault, broken: fence + mma + commit + "mov.f32 %f9, %f1;\n" + mark("add.f32 %f10, %f9, %f9;\n") + wait, repaired: fence + mma + commit + "mov.f32 %f9, %f1;\n" + wait + "add.f32 %f10, %f9, %f9;\n", says: "reads %f9"},
	{rule: "wgmma-registers", grade: lint.Fault, broken: "L:\n" + fence + mma + commit + wait1 + "setp.eq.u32 %p1, %r1, %r2;\n@%p1 bra L;\n" + mark(read) + wait, repaired: "L:\n" + fence + mma + commit + wait1 + "setp.eq.u32 %p1, %r1, %r2;\n@%p1 bra L;\n" + wait + read},
	{rule: "wgmma-call", grade: lint.Hint, broken: fence + mma + commit + mark("call g, (%rd1);\n") + wait, repaired: fence + mma + commit + wait + "call g, (%rd1);\n", says: "calls g while a wgmma is under way"},
	{rule: "wgmma-wait", grade: lint.Hint, broken: fence + mma + commit + mark("exit;\n"), repaired: fence + mma + commit + wait + "exit;\n", says: "wgmma.wait_group is missing"},
	{rule: "wgmma-wait", grade: lint.Hint, broken: fence + mma + wait + mark("exit;\n"), repaired: "@%p1 exit;\n" + fence + mma + commit + wait, says: "wgmma.commit_group and"},
	{rule: "setmaxnreg", grade: lint.Fault, directives: ".maxnreg 128", broken: mark("setmaxnreg.dec.sync.aligned.u32 30;\n"), repaired: "setmaxnreg.dec.sync.aligned.u32 32;\n", says: "30 registers: expected a multiple of 8"},
	{rule: "setmaxnreg", grade: lint.Fault, directives: ".maxntid 384, 1, 1 .minnctapersm 1", broken: mark("setmaxnreg.dec.sync.aligned.u32 176;\n"), repaired: "setmaxnreg.dec.sync.aligned.u32 160;\n", says: "begins with at most 168"},
	{rule: "setmaxnreg", grade: lint.Hint, directives: ".reqntid 384 .minnctapersm 1", broken: mark("setmaxnreg.dec.sync.aligned.u32 168;\n"), repaired: "setmaxnreg.inc.sync.aligned.u32 240;\nsetmaxnreg.dec.sync.aligned.u32 168;\n", says: "no effect"},
	{rule: "setmaxnreg", grade: lint.Hint, directives: ".maxntid 384, 1, 1", broken: mark("setmaxnreg.dec.sync.aligned.u32 24;\n"), repaired: "", says: "C7508"},
	{rule: "misaligned", grade: lint.Fault, broken: mark("ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile+8];\n"), repaired: "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [tile+32];\n", says: "multiple of 16 plus 8"},
	{rule: "misaligned", grade: lint.Fault, broken: "mov.u32 %r9, %tid.x;\nmad.lo.u32 %r8, %r9, 8, 2;\nmov.u32 %r7, tile;\nadd.u32 %r6, %r7, %r8;\n" + mark("st.shared.u32 [%r6], %r9;\n"), repaired: "mov.u32 %r9, %tid.x;\nmad.lo.u32 %r8, %r9, 6, 4;\nmov.u32 %r7, tile;\nadd.u32 %r6, %r7, %r8;\nst.shared.u32 [%r6], %r9;\n", says: "multiple of 4 plus 2"},
	{rule: "misaligned", grade: lint.Fault, broken: mark("cp.async.cg.shared.global [tile+8], [%rd1], 16;\n"), repaired: "cp.async.ca.shared.global [tile+8], [%rd1], 8;\n"},
	{rule: "misaligned", grade: lint.Fault, broken: mark("mbarrier.init.shared.b64 [tile+4], 1;\n"), repaired: "mbarrier.init.shared.b64 [tile+8], 1;\n"},
	{rule: "narrow", grade: lint.Hint, broken: mark("ld.global.f32 %f1, [%rd1];\n") + "ld.global.f32 %f2, [%rd1+4];\nld.global.f32 %f3, [%rd1+8];\nld.global.f32 %f4, [%rd1+12];\n", repaired: "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\n", says: "one .v4 can do 4 of them; if its address, [%rd1+0], is a multiple of 16"},
	{rule: "narrow", grade: lint.Hint, broken: mark("st.shared.u32 [tile], %r1;\n") + "st.shared.u32 [tile+4], %r2;\n", repaired: "st.shared.u32 [tile+4], %r1;\nst.shared.u32 [tile+8], %r2;\n", says: "is a multiple of 8"},
	{rule: "narrow", grade: lint.Hint, broken: mark("ld.global.u32 %r1, [%rd1];\n") + "ld.global.u32 %r2, [%rd1+4];\n", repaired: "ld.global.u32 %r1, [%rd1];\nbar.sync 0;\nld.global.u32 %r2, [%rd1+4];\n"},
	{rule: "narrow", grade: lint.Hint, broken: mark("ld.global.u32 %r1, [%rd1];\n") + "ld.global.u32 %r2, [%rd1+4];\n", repaired: "ld.global.u32 %r1, [%rd1];\nadd.u64 %rd1, %rd1, 8;\nld.global.u32 %r2, [%rd1+4];\n"},
	{rule: "local", grade: lint.Hint, broken: ".local .align 4 .b8 stack[16];\n" + mark("st.local.u32 [stack], %r1;\n"), repaired: ".local .align 4 .b8 stack[16];\n", says: "stack is 16 bytes of local memory"},
	{rule: "spills", grade: lint.Hint, broken: "mov.u32 %r1, 0;\n", repaired: "mov.u32 %r1, 0;\n", says: "12 bytes of stores and 16 of loads, with 168 registers and a stack of 24 bytes", log: spilled},
	{rule: "serialized", grade: lint.Hint, broken: fence + mma + mark("add.f32 %f9, %f1, %f1;\n") + commit + wait, repaired: fence + mma + commit + wait, says: "reads an accumulator between wgmma.fence and wgmma.wait_group, for which ptxas serializes wgmma (non wgmma instructions reading accumulator registers", log: serial + "non wgmma instructions reading accumulator registers" + stage},
	{rule: "serialized", grade: lint.Hint, broken: "mov.f32 %f1, 0f00000000;\n" + fence + mma + commit + mark("mul.f32 %f2, %f9, %f9;\n") + wait, repaired: fence + mma + commit + wait, says: "writes a register of wgmma", log: serial + "non wgmma instructions defining accumulator registers" + stage},
	{rule: "serialized", grade: lint.Hint, broken: fence + mma + commit + mark("call g, (%rd1);\n") + wait, repaired: fence + mma + commit + wait, says: "calls a function", log: serial + "wgmma pipeline crossing function boundary at a function call in the function 'k'\n"},
	{rule: "injected", grade: lint.Hint, broken: fence + mma + commit + mark(read) + wait, repaired: fence + mma + commit + wait + read, says: "adds wgmma.wait_group about here", log: compiling + addsWait},
	{rule: "injected", grade: lint.Hint, broken: mark(mma) + commit + wait, repaired: fence + mma + commit + wait, says: "adds wgmma.fence about here", log: addsFence},
	{rule: "setmaxnreg", grade: lint.Hint, directives: ".maxnreg 128", broken: mark("setmaxnreg.dec.sync.aligned.u32 24;\n"), repaired: "setmaxnreg.dec.sync.aligned.u32 24;\n", says: "ptxas ignores it: unable to determine register count at entry", log: ignored},

	{rule: "tcgen05-target", grade: lint.Fault, target: "only sm_100", broken: mark(twait) + twait, repaired: twait, says: "sm_100 has no tcgen05"},
	{rule: "tcgen05-target", grade: lint.Fault, target: "only sm_120a", broken: mark(twait), repaired: twait, says: "sm_120a has no tcgen05"},
	{rule: "tcgen05-group", grade: lint.Fault, target: "sm_100a", broken: twait + talloc + mark("tcgen05.dealloc.cta_group::2.sync.aligned.b32 %r1, 32;\n"), repaired: twait + talloc + tfree, says: ".cta_group::2, and the instruction at line 7 has .cta_group::1"},
	{rule: "tcgen05-columns", grade: lint.Fault, target: "sm_100a", broken: mark(strings.Replace(talloc, "32;", "48;", 1)) + mark(strings.Replace(tfree, "32;", "16;", 1)), repaired: strings.Replace(talloc, "32;", "%r2;", 1) + strings.Replace(tfree, "32;", "512;", 1), says: "48 columns"},
	{rule: "tcgen05-permit", grade: lint.Fault, target: "sm_100a", broken: tcede + "@%p1 bra L;\nmov.u32 %r1, 0;\nL:\n" + mark(talloc) + tfree, repaired: talloc + tcede + tfree, says: "the instruction at line 6 has given up"},
	{rule: "tcgen05-permit", grade: lint.Fault, target: "sm_100a", broken: talloc + tcede + mark(talloc) + tfree, repaired: "@%p1 bra L;\n" + tcede + "bra END;\nL:\n" + talloc + tfree + "END:\n", says: "given up"},
	{rule: "tcgen05-permit", grade: lint.Fault, target: "sm_100a", broken: "@%p1 bra L;\n" + tcede + "bra M;\nL:\n" + tcede + "M:\n" + mark(talloc) + tfree, repaired: "@%p1 " + tcede + talloc + tfree, says: "given up"},
	{rule: "tcgen05-dealloc", grade: lint.Fault, target: "sm_100a", broken: mark(talloc) + talloc, repaired: "@%p1 bra L;\n" + talloc + "bra END;\nL:\n" + tfree + "END:\n", says: "no tcgen05.dealloc"},
	{rule: "tcgen05-dealloc", grade: lint.Fault, target: "sm_100a", broken: mark(talloc), repaired: talloc + "call g, (%rd1);\n"},
	{rule: "tcgen05-registers", grade: lint.Fault, target: "sm_100a", broken: mark("tcgen05.ld.sync.aligned.16x128b.x2.b32 {%r1, %r2}, [%r9];\n") + mark("tcgen05.st.sync.aligned.16x256b.x64.b32 [%r9], {%r1};\n"), repaired: "tcgen05.ld.sync.aligned.16x128b.x2.b32 {%r1, %r2, %r3, %r4}, [%r9];\ntcgen05.st.sync.aligned.16x32bx2.x1.unpack::16b.b32 [%r9], 8, {%r1};\n", says: "2 registers, expected 4"},
	{rule: "tcgen05-mma", grade: lint.Fault, target: "sm_100a", broken: mark("tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::fill [%r1], [%r2], %rd1, %r3, %p1;\n"), repaired: "tcgen05.mma.cta_group::1.kind::f16.ashift.collector::a::lastuse [%r1], [%r2], %rd1, %r3, %p1;\n", says: ".ashift with .collector::a::fill"},
	{rule: "tcgen05-mma", grade: lint.Fault, target: "sm_100a", broken: mark("tcgen05.mma.cta_group::2.kind::f16 [%r1], %rd1, %rd1, %r3, {%r4, %r4, %r4, %r4}, %p1;\n"), repaired: "tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd1, %r3, {%r4, %r4, %r4, %r4}, %p1;\n", says: "disable-output-lane of 4 words, expected 8"},
}

func kernel(t testing.TB, directives, body string) (*ptx.Module, string) {
	t.Helper()
	text := ".version 9.0 .target sm_90a .address_size 64\n.extern .func g (.param .b64 a);\n" +
		".visible .entry k() " + directives + "\n" +
		"{ .reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<9>; .reg .f32 %f<20>;\n" +
		".shared .align 16 .b8 tile[64];\n" + body + "}\n"
	m, err := ptx.Parse(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	return m, text
}

// TestRules checks that each rule is found in a broken text at its lines, and not in the repaired text.
func TestRules(t *testing.T) {
	t.Parallel()
	tried := map[string]bool{}
	for i, x := range pairs {
		tried[x.rule] = true
		m, text := x.kernel(t, x.broken)
		var got []string
		first := lint.Line{}
		for _, l := range lint.Check(m, x.log, nil).Lines {
			if l.Rule == x.rule {
				if got = append(got, fmt.Sprint(l.Line)); len(got) == 1 {
					first = l
				}
			}
		}
		var want []string
		for n, line := range strings.Split(text, "\n") {
			if strings.HasSuffix(line, "//!") {
				want = append(want, fmt.Sprint(n+1))
			}
		}
		if x.rule == "spills" {
			want = []string{"3"} // the line of the function
		}
		if !slices.Equal(got, want) || first.Grade != x.grade || !strings.Contains(first.Text, x.says) {
			t.Errorf("%d, %s: lines %v, want %v\n%+v\nin\n%s", i, x.rule, got, want, first, text)
		}
		m, text = x.kernel(t, x.repaired)
		for _, l := range lint.Check(m, "", nil).Lines {
			if l.Rule == x.rule || l.Grade != lint.Hint {
				t.Errorf("%d, %s: repaired, and found %+v\nin\n%s", i, x.rule, l, text)
			}
		}
	}
	for _, r := range lint.Rules() {
		if !tried[r.Name] || r.Says == "" || r.Section == "" {
			t.Errorf("rule %s has no pair, text or section", r.Name)
		}
	}
}

// TestDamaged checks that Check does not fail on texts with missing lines.
func TestDamaged(t *testing.T) {
	t.Parallel()
	for i, x := range pairs {
		lines := strings.SplitAfter(x.broken+x.repaired, "\n")
		for k := range lines {
			body := strings.Join(slices.Delete(slices.Clone(lines), k, k+1), "")
			text := ".version 9.0 .target sm_90a .address_size 64\n" +
				".visible .entry k() {\n" + body + "}\n.func f() {\n" + body + "}\n"
			if m, err := ptx.Parse(text); err == nil {
				lint.Check(m, x.log+"\nptxas info : Used registers, 99999999999999999999 registers\n", nil)
			} else {
				t.Errorf("%d: %v", i, err)
			}
		}
	}
}
