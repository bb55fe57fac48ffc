package runfile_test

import (
	"slices"
	"strings"
	"testing"

	"girih/internal/runfile"
)

// unoptimised is what compilers write without optimisation: a pointer goes through local memory, a call and a choice.
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
	if of := g.Of(line, "0 bytes behind the end of p0, 65536 bytes at 0x1"); of != "params[1].value = 1, buffers[0].bytes = 65536" {
		t.Errorf("line %d depends on %q", line, of)
	}
	if of := g.Of(line+1, ""); of != "" {
		t.Errorf("line %d depends on %q", line+1, of)
	}
	f.Grid, f.Params[1].Value = runfile.Extent{2, 1, 1}, "7"
	g = f.GuessesOf(m, "k")
	if slices.Contains(g.Fields, "params[1].value = 7") || g.Of(line, "") != "" || g.Fields[0] == "grid" {
		t.Errorf("values that were put right are guesses: %v", g.Fields)
	}
}
