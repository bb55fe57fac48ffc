package sim_test

import (
	"encoding/binary"
	"fmt"
	"testing"
)

// TestAtomics checks what operations on one word return and what they leave in memory (PTX ISA 9.7.13.12).
func TestAtomics(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		op, operands string // operands lists the operands after the address
		old, left    uint32
	}{
		{"add.u32", "5", 7, 12},
		{"add.s32", "-8", 7, 0xffffffff},
		{"inc.u32", "7", 7, 0},
		{"inc.u32", "8", 7, 8},
		{"dec.u32", "9", 0, 9},
		{"dec.u32", "9", 10, 9},
		{"dec.u32", "9", 5, 4},
		{"min.s32", "-1", 1, 0xffffffff},
		{"min.u32", "-1", 1, 1},
		{"max.s32", "-1", 1, 1},
		{"max.u32", "-1", 1, 0xffffffff},
		{"and.b32", "0xf0", 0x3c, 0x30},
		{"or.b32", "0xf0", 0x3c, 0xfc},
		{"xor.b32", "0xf0", 0x3c, 0xcc},
		{"exch.b32", "3", 9, 3},
		{"cas.b32", "9, 4", 9, 4},
		{"cas.b32", "8, 4", 9, 9},
		{"add.f32", "0f3F800000", 0x3f800000, 0x40000000},
		{"add.noftz.f16x2", "0x3c004000", 0x40003c00, 0x42004200},
		{"add.noftz.bf16x2", "0x3f804000", 0x40003f80, 0x40404040},
	} {
		for _, space := range []string{"global", "shared", ""} {
			where := map[string]string{"global": "%rd2", "shared": "tile", "": "%rd2"}[space]
			if space != "" {
				space = "." + space
			}
			out, err := snippet(t, fmt.Sprintf(`
	.reg .pred %%q;
	setp.ne.u32 %%q, %%r1, 0;
	@%%q ret;
	mov.b32 %%r2, %d;
	st%[2]s.b32 [%[3]s], %%r2;
	atom%[2]s.%[4]s %%r3, [%[3]s], %[5]s;
	ld%[2]s.b32 %%r4, [%[3]s];
	st%[2]s.b32 [%[3]s], %%r2;
	atom%[2]s.%[4]s _, [%[3]s], %[5]s;
	ld%[2]s.b32 %%r5, [%[3]s];
	st.global.v4.b32 [%%rd1], {%%r3, %%r4, %%r5, 0};
	ret;`, tt.old, space, where, tt.op, tt.operands), 4)
			if err != nil {
				t.Errorf("%s: %v", tt.op, err)
				continue
			}
			for i, want := range []uint32{tt.old, tt.left, tt.left} {
				if got := binary.LittleEndian.Uint32(out[4*i:]); got != want {
					t.Errorf("atom%s.%s %s: word %d is %x, want %x", space, tt.op, tt.operands, i, got, want)
				}
			}
		}
	}
}

// TestVectorAtomic checks a sum of four floats in one instruction, as on sm_90.
func TestVectorAtomic(t *testing.T) {
	t.Parallel()
	out, err := snippet(t, `
	.reg .pred %q;
	setp.ne.u32 %q, %r1, 0;
	@%q bra W;
	mov.f32 %f1, 0f00000000;
	st.global.v4.f32 [%rd1], {%f1, %f1, %f1, %f1};
W:	bar.sync 0;
	cvt.rn.f32.u32 %f2, %r1;
	mov.f32 %f3, 0f3F800000;
	red.global.v4.f32.add [%rd1], {%f2, %f3, %f2, %f3};
	ret;`, 4)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint32{0x40c00000, 0x40800000, 0x40c00000, 0x40800000} { // the values 6 and 4
		if got := binary.LittleEndian.Uint32(out[4*i:]); got != want {
			t.Errorf("element %d: got %x, want %x", i, got, want)
		}
	}
}

// TestEarlyExit checks that the other threads complete a barrier of the block after some threads have exited.
func TestEarlyExit(t *testing.T) {
	t.Parallel()
	out, err := snippet(t, `
	setp.ge.u32 %p1, %r1, 40;
	mov.u32 %r2, 7;
	@%p1 bra END;
	mov.u32 %r2, 1;
	bar.sync 0;
	st.global.u32 [%rd2], %r2;
	bar.sync 0;
END:	ret;`, 70)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		if got := binary.LittleEndian.Uint32(out[4*i:]); got != 1 {
			t.Errorf("thread %d: got %d", i, got)
		}
	}
}

// TestShuffles tests all modes, with segments, against the definition in PTX ISA 9.7.9.6.
func TestShuffles(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		mode string
		b, c int
		from func(lane int) int
	}{
		{"up", 3, 0, func(l int) int { return max(l-3, l*b2i(l < 3)) }},
		{"down", 5, 31, func(l int) int { return l + 5*b2i(l+5 < 32) }},
		{"bfly", 6, 31, func(l int) int { return l ^ 6 }},
		{"idx", 9, 31, func(int) int { return 9 }},
		{"idx", 9, 0x181f, func(l int) int { return l/8*8 + 1 }},
		{"down", 3, 0x181f, func(l int) int { return l + 3*b2i(l%8+3 < 8) }},
		{"up", 3, 0x1800, func(l int) int { return l - 3*b2i(l%8 >= 3) }},
		{"bfly", 16, 0x100f, func(l int) int { return l % 16 }}, // only lanes whose source is above the segment are refused
	} {
		out, err := snippet(t, fmt.Sprintf(`
	shfl.sync.%s.b32 %%r2|%%p1, %%r1, %d, %d, -1;
	selp.u32 %%r3, 100, 0, %%p1;
	add.u32 %%r2, %%r2, %%r3;
	st.global.u32 [%%rd2], %%r2;
	ret;`, tt.mode, tt.b, tt.c), 32)
		if err != nil {
			t.Fatal(err)
		}
		for l := range 32 {
			got := int(binary.LittleEndian.Uint32(out[4*l:]))
			want := tt.from(l)
			if got%100 != want {
				t.Errorf("shfl.%s %d, %#x: lane %d reads lane %d, want %d", tt.mode, tt.b, tt.c, l, got%100, want)
			}
			if ok := got >= 100; ok != (want != l || tt.mode == "idx") {
				t.Errorf("shfl.%s %d, %#x: lane %d has the predicate %v", tt.mode, tt.b, tt.c, l, ok)
			}
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
