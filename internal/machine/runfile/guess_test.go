package runfile_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"girih/internal/machine/runfile"
)

// unoptimised is unoptimised compiler output: a pointer goes through local memory, a call and a selection.
const unoptimised = `.version 8.0
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 arena[];
.func (.param .b64 ret) at(.param .b64 base, .param .b64 i)
{
	.local .align 8 .b8 depot[16]; .reg .b64 %SP, %SPL, %a<9>;
	mov.u64 %SPL, depot;
	cvta.local.u64 %SP, %SPL;
	ld.param.u64 %a1, [base]; ld.param.u64 %a2, [i];
	st.u64 [%SP+0], %a1; st.u64 [%SP+8], %a2;
	ld.u64 %a3, [%SP+0]; ld.u64 %a4, [%SP+8];
	shl.b64 %a5, %a4, 2;
	add.s64 %a6, %a3, %a5;
	st.param.b64 [ret+0], %a6;
	ret;
}
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u64 k_param_2, .param .align 8 .b8 k_param_3[24],
	.param .u64 k_param_4, .param .u64 k_param_5)
{
	.local .align 8 .b8 depot[64]; .reg .b64 %SP, %SPL, %r<30>; .reg .b32 %w<9>; .reg .pred %p<4>; .reg .f32 %f<3>;
	mov.u64 %SPL, depot;
	cvta.local.u64 %SP, %SPL;
	ld.param.u64 %r1, [k_param_0];
	st.u64 [%SP+8], %r1;
	ld.param.u64 %r2, [k_param_1];
	st.u64 [%SP+16], %r2;
	ld.u64 %r3, [%SP+8];
	ld.u64 %r4, [%SP+16];
	{
		.param .b64 param0; .param .b64 param1; .param .b64 retval0;
		st.param.b64 [param0+0], %r3;
		st.param.b64 [param1+0], %r4;
		call.uni (retval0), at, (param0, param1);
		ld.param.b64 %r5, [retval0+0];
	}
	ld.f32 %f1, [%r5];
	ld.param.u64 %r6, [k_param_2];
	ld.param.u64 %r7, [k_param_3+16];
	setp.eq.u64 %p1, %r4, 0;
	@%p1 bra B;
	mov.u64 %r8, %r6;
	bra C;
B:	mov.u64 %r8, %r7;
C:	mov.b64 {%w1, %w2}, %r8;
	mov.b64 %r9, {%w1, %w2};
	st.global.f32 [%r9], %f1;
	ld.param.u64 %r10, [k_param_4];
	atom.global.add.u32 %w3, [%r10], 1;
	ld.param.u64 %r11, [k_param_5];
W:	ld.volatile.global.u32 %w4, [%r11];
	setp.ne.u32 %p2, %w4, 0;
	@%p2 bra W;
	mov.u32 %w5, arena;
	add.u32 %w6, %w5, 65536;
	st.shared.u32 [%w6], %w4;
	ret;
}`

func TestUnoptimised(t *testing.T) {
	t.Parallel()
	m := module(t, unoptimised)
	f, err := runfile.Skeleton(m, "k")
	if err != nil {
		t.Fatal(err)
	}
	text := string(f.Text())
	for _, part := range []string{
		`{"kind": "buffer", "buffer": "p0"}`, `{"kind": "scalar", "type": "u64", "value": 1}`, `{"kind": "buffer", "buffer": "p2"}`,
		`{"kind": "bytes", "size": 24, "patches": [{"at": 16, "kind": "buffer", "buffer": "p3_16"}]}`,
		`{"name": "p0", "type": "f32", "bytes": 65536, "fill": {"kind": "lcg"`,
		`{"name": "p2", "type": "f32", "bytes": 65536, "fill": {"kind": "byte", "value": 255}}`,
		`{"name": "p4", "type": "u32", "bytes": 65536, "fill": {"kind": "byte"}}`,
		`{"name": "p5", "type": "u32", "bytes": 65536, "fill": {"kind": "byte"}}`,
		`"shared": 66560`, `"guessed": ["grid", "block", "shared", "buffers[0].bytes",`, `"params[1].value"]`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("the skeleton has no %s:\n%s", part, text)
		}
	}
	g := f.GuessesOf(m, "k")
	if g == nil || !slices.Contains(g.Fields, "params[1].value = 1") || !slices.Contains(g.Fields, "grid = [1, 1, 1]") {
		t.Fatalf("the guesses are %v", g)
	}
	line := 1 + strings.Count(unoptimised[:strings.Index(unoptimised, "ld.f32 %f1")], "\n")
	const end = "0 bytes after the end of p0, 65536 bytes at 0x1"
	if of := about(g, "out-of-bounds", line, end); of != "the address depends: params[1].value = 1, buffers[0].bytes = 65536" {
		t.Errorf("line %d depends on %q", line, of)
	}
	if of := about(g, "out-of-bounds", line+1, ""); of != "" {
		t.Errorf("line %d depends on %q", line+1, of)
	}
	f.Grid, f.Params[1].Value = runfile.Extent{2, 1, 1}, "7"
	g = f.GuessesOf(m, "k")
	if slices.Contains(g.Fields, "params[1].value = 7") || about(g, "out-of-bounds", line, "") != "" || g.Fields[0] == "grid" {
		t.Errorf("values that were put right are guesses: %v", g.Fields)
	}
}

// about joins the reasons of a finding.
func about(g *runfile.Guesses, kind string, line int, message string) string {
	var list []string
	for _, x := range g.About(kind, line, message) {
		list = append(list, x.What+": "+strings.Join(x.Fields, ", "))
	}
	return strings.Join(list, "; ")
}

// decided has branches, loops and barriers that depend on guessed numbers, and instructions that do not. The comment
// of a line says what a finding there may depend on: "p2" is parameter 2, "block" the number of threads.
const decided = `.version 8.0
.target sm_90
.address_size 64
.func (.param .b32 ret) twice(.param .b32 x)
{
	.reg .b32 %r<4>; .reg .b64 %rd<3>;
	ld.param.u32 %r1, [x];
	add.u32 %r2, %r1, %r1; // executed: p2 p3
	st.param.b32 [ret], %r2;
	ret;
}
.visible .entry k(.param .u64 k_param_0, .param .u64 k_param_1, .param .u32 k_param_2, .param .u32 k_param_3, .param .u32 k_param_4)
{
	.reg .b64 %rd<9>; .reg .b32 %r<30>; .reg .pred %p<9>;
	.shared .align 4 .b8 s[4096];
	ld.param.u64 %rd1, [k_param_0]; ld.param.u64 %rd2, [k_param_1];
	ld.param.u32 %r2, [k_param_2]; ld.param.u32 %r3, [k_param_3]; ld.param.u32 %r4, [k_param_4];
	mov.u32 %r1, %tid.x;
	ld.global.u32 %r20, [%rd1]; // executed:
	setp.ge.u32 %p1, %r1, %r2;
	@%p1 bra OUT; // executed: p2
	ld.global.u32 %r5, [%rd1+4]; // executed: p2
	mov.u32 %r6, 0;
LOOP:
	ld.global.u32 %r7, [%rd1+8]; // executed: p2 p3
	add.u32 %r6, %r6, 1;
	setp.lt.u32 %p2, %r6, %r3;
	@%p2 bra LOOP;
	{
		.param .b32 param0; .param .b32 ret0;
		@%p2 st.global.u32 [%rd2+4], %r7; // executed: p2 p3
		setp.eq.u32 %p5, %r3, 2;
		@!%p5 bra SKIP;
		st.param.b32 [param0], %r7;
		call (ret0), twice, (param0); // executed: p2 p3
	SKIP:
	}
	bar.sync 1, %r4; // waits: p4 executed: p2
OUT:
	mov.u32 %r8, %ntid.x;
	setp.gt.u32 %p3, %r8, 64;
	@%p3 st.global.u32 [%rd2], %r1; // executed: block
	mul.wide.u32 %rd4, %r3, 4;
	add.u64 %rd5, %rd1, %rd4;
	ld.global.u32 %r9, [%rd5]; // address: p3 executed:
	mul.wide.u32 %rd6, %r9, 4;
	add.u64 %rd7, %rd2, %rd6;
	st.global.u32 [%rd7], %r1; // executed:
	setp.eq.u32 %p4, %r9, 7;
	@%p4 st.global.u32 [%rd2+8], %r1; // executed: p3
	setp.eq.u32 %p6, %r20, 7;
	@%p6 st.global.u32 [%rd2+12], %r1; // executed:
	mov.u32 %r21, %r3;
	mov.u32 %r21, %r1;
	setp.eq.u32 %p7, %r21, 7;
	@%p7 st.global.u32 [%rd2+16], %r1; // executed:
	ret;
}`

// TestDecided checks that execution depends on guesses only through branches, loops, predicates, calls and loads.
func TestDecided(t *testing.T) {
	t.Parallel()
	m := module(t, decided)
	f, err := runfile.Skeleton(m, "k")
	if err != nil {
		t.Fatal(err)
	}
	g := f.GuessesOf(m, "k")
	if g == nil {
		t.Fatal("there are no guesses")
	}
	names := strings.NewReplacer(
		"params[", "p", "].value = 1", "", "block = [128, 1, 1]", "block", "grid = [1, 1, 1]", "grid", ",", "")
	for i, line := range strings.Split(decided, "\n") {
		_, want, ok := strings.Cut(line, "// ")
		if !ok {
			continue
		}
		kind := "race"
		if strings.Contains(line, "bar.sync") {
			kind = "deadlock"
		}
		var parts []string
		for _, x := range g.About(kind, i+1, "") {
			what := "executed:"
			switch {
			case strings.HasPrefix(x.What, "the address"):
				what = "address:"
			case strings.HasPrefix(x.What, "what it waits for"):
				what = "waits:"
			}
			parts = append(parts, what+" "+names.Replace(strings.Join(x.Fields, " ")))
		}
		if got := strings.Join(parts, " "); got != strings.TrimSpace(strings.TrimSuffix(want, "executed:")) {
			t.Errorf("line %d, %s: got %q", i+1, line, got)
		}
	}
	// The message of a deadlock lists the lines at which warps wait.
	at := 1 + strings.Count(decided[:strings.Index(decided, "bar.sync")], "\n")
	const want = "what it waits for may depend: params[4].value = 1; where the warps are may depend: params[2].value = 1; " +
		"a barrier is for 256 threads, and how many the block has depends: block = [128, 1, 1]"
	message := fmt.Sprintf("warp 0: at line %d, bar.sync, wait at barrier 1, where 128 of 256 threads are", at)
	if got := about(g, "deadlock", 1, message); got != want {
		t.Errorf("got %s", got)
	}
}
