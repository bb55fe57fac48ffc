package sim_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"girih/ptx"
	"girih/ptx/sim"
)

// TestFacts checks numbers against the pragmas after the instructions that make them. Pragmas of others, and those that
// say nothing of a register, change nothing.
func TestFacts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ pragma, message string }{
		{"girih.fact %r1 s32 0 31 1", ""},
		{"girih.fact %r1 u32 0 31 1", ""},
		{"girih.fact %r1 u8 0 31 1", ""},
		{"nounroll", ""},
		{"girih.fact %r1", ""},
		{"girih.fact %r9 u32 0 3 1", ""},
		{"girih.fact %r1 u32 0 3 0", ""},
		{"girih.fact %r1 word 0 3 1", ""},
		{"girih.fact %r1 u32 0 30 1", "the number is 31, and it is stated to be from 0 to 30"},
		{"girih.fact %r1 s32 1 31 1", "the number is 0, and it is stated to be from 1 to 31"},
		{"girih.fact %r1 s32 0 31 2", "the number is 1, and it is stated to be a multiple of 2, from 0 to 31"},
		{"girih.fact %r2 s32 -31 -1 1", "the number is 0, and it is stated to be from -31 to -1"},
		{"girih.fact %r2 u32 0 31 1", "the number is 4294967295, and it is stated to be from 0 to 31"},
		{"girih.fact %rd1 u64 0 31 1", "the number is 18446744073709551615, and it is stated to be from 0 to 31"},
	} {
		m, err := ptx.Parse(`.version 8.0
.target sm_80
.address_size 64
.entry f()
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	mov.u32 %r1, %tid.x;
	neg.s32 %r2, %r1;
	cvt.s64.s32 %rd1, %r2;
	.pragma "` + tt.pragma + `";
	ret;
}
`)
		if err != nil {
			t.Fatal(err)
		}
		p, err := sim.Load(m)
		if err != nil {
			t.Fatal(err)
		}
		memory, err := p.NewMemory()
		if err != nil {
			t.Fatal(err)
		}
		r, err := p.Run(context.Background(), memory, sim.Launch{Block: sim.Dim{X: 32}})
		f, found := errors.AsType[*sim.Finding](err)
		switch {
		case tt.message == "" && (err != nil || r.Instructions != 4):
			t.Errorf("%s: %v", tt.pragma, err)
		case tt.message != "" && (!found || f.Kind != sim.KindAssert || !strings.Contains(f.Message, tt.message)):
			t.Errorf("%s: %v, want %s", tt.pragma, err, tt.message)
		}
	}
}
