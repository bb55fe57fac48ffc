package sim_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// A piece is a part of a kernel for one thread, and the expected memory after a run. Registers are %r2 to %r98, %rs1 to
// %rs8, %f, %fd, %p, %q of 128 bits and %rd3 to %rd8. %rd1 is the address of 8 words that are 0. tile names 256 bytes
// of unwritten shared memory. head contains declarations before the kernel; target and version default to sm_100 and
// 9.0.
type piece struct {
	body, head      string
	target, version string
	want            []uint32
	kind            sim.Kind // the kind of the finding; "" for none
	text            string   // part of its message
}

// run runs the piece, and returns the memory.
func (x piece) run(t *testing.T) ([]uint32, error) {
	t.Helper()
	if x.target == "" {
		x.target, x.version = "sm_100", "9.0"
	}
	p := loadText(t, fmt.Sprintf(`.version %s
.target %s
.address_size 64
%s
.visible .entry k(.param .u64 out)
{
	.reg .pred %%p<9>; .reg .b16 %%rs<9>; .reg .b32 %%r<99>; .reg .f32 %%f<9>; .reg .b64 %%rd<9>; .reg .f64 %%fd<9>; .reg .b128 %%q<9>;
	.shared .align 16 .b8 tile[256];
	ld.param.u64 %%rd1, [out];
	%s
}`, x.version, x.target, x.head, x.body))
	m := memory(t, p)
	out := put(t, m, make([]uint32, 8))
	_, err := p.Run(t.Context(), m, sim.Launch{Block: sim.Dim{X: 1}, Args: []sim.Arg{sim.Pointer(out, 0)}, Steps: 1 << 20})
	return get[uint32](t, out), err
}

// pieces runs each piece and compares the memory.
func pieces(t *testing.T, list []piece) {
	t.Helper()
	for _, x := range list {
		got, err := x.run(t)
		f, found := errors.AsType[*sim.Finding](err)
		switch {
		case x.kind != "" && (!found || f.Kind != x.kind || !strings.Contains(f.Message, x.text)):
			t.Errorf("%s\ngot %v, want %s with %q", x.body, err, x.kind, x.text)
		case x.kind == "" && err != nil:
			t.Errorf("%s\n%v", x.body, err)
		case x.kind == "" && !slices.Equal(got[:len(x.want)], x.want):
			t.Errorf("%s\ngot %#x, want %#x", x.body, got[:len(x.want)], x.want)
		}
	}
}

func TestVectors(t *testing.T) {
	t.Parallel()
	pieces(t, []piece{
		// These instructions use registers of a vector: by both sets of names, in ranges, as sources and destinations.
		{body: ".reg .v2 .b16 v; mov.b32 v, 0x20001; mov.b16 %rs1, v.y; cvt.u32.u16 %r2, %rs1; st.global.u32 [%rd1], %r2;", want: []uint32{2}},
		{body: ".reg .v4 .u32 v<3>; mov.v4.u32 v2, {1, 2, 3, 4}; mov.v4.u32 {%r2, %r3, %r4, %r5}, v2; st.global.v4.u32 [%rd1], {%r5, %r4, %r3, %r2};", want: []uint32{4, 3, 2, 1}},
		{body: ".reg .v4 .u32 v; mov.u32 v.x, 1; mov.u32 v.y, 2; mov.u32 v.z, 3; mov.u32 v.w, 4; st.global.v4.u32 [%rd1], {v.r, v.g, v.b, v.a};", want: []uint32{1, 2, 3, 4}},
		{body: ".reg .v4 .u32 v; mov.u32 v.a, 1; mov.u32 v.b, 2; mov.u32 v.g, 3; mov.u32 v.r, 4; st.global.v4.u32 [%rd1], v;", want: []uint32{4, 3, 2, 1}},
		{body: ".reg .v2 .f32 v; mov.f32 v.x, 1.0; add.f32 v.y, v.r, v.x; st.global.v2.f32 [%rd1], v;", want: []uint32{0x3f800000, 0x40000000}},
		// mov of whole vectors, with lists and scalars.
		{body: ".reg .v4 .u16 v; mov.v4.u16 v, {1, 2, 3, 4}; mov.b64 %rd3, v; st.global.u64 [%rd1], %rd3;", want: []uint32{0x20001, 0x40003}},
		{body: ".reg .v4 .b8 v; mov.b32 v, 0x04030201; mov.b32 %r2, v; st.global.u32 [%rd1], %r2;", want: []uint32{0x04030201}},
		{body: ".reg .v2 .u32 v, u; mov.v2.u32 v, {7, 8}; mov.v2.u32 u, v; mov.b64 v, u; st.global.v2.u32 [%rd1], v;", want: []uint32{7, 8}},
		{body: "mov.v2.u32 {%r2, %r3}, {5, 6}; mov.v2.u32 {%r2, %r3}, {%r3, %r2}; st.global.v2.u32 [%rd1], {%r2, %r3};", want: []uint32{6, 5}},
		{body: ".reg .v2 .u32 v; mov.v2.u32 v, {5, 6}; mov.v2.u32 v, {v.y, v.x}; st.global.v2.u32 [%rd1], v;", want: []uint32{6, 5}},
		{body: "mov.v4.u32 {%r2, %r3, %r4, %r5}, %ntid; st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};", want: []uint32{1, 1, 1, 0}},
		{body: "mov.b64 %rd3, {%tid.w, 9}; st.global.u64 [%rd1], %rd3;", want: []uint32{0, 9}},
		// Loads, stores and other instructions with lists.
		{body: ".reg .v4 .u32 v; mov.v4.u32 v, {1, 2, 3, 4}; st.shared.v4.u32 [tile], v; ld.shared.v4.u32 v, [tile]; st.global.v4.u32 [%rd1], v;", want: []uint32{1, 2, 3, 4}},
		{body: ".reg .v8 .b32 v; mov.v8.b32 v, {1, 2, 3, 4, 5, 6, 7, 8}; st.global.v8.b32 [%rd1], v;", want: []uint32{1, 2, 3, 4, 5, 6, 7, 8}},
		{body: ".reg .v2 .b64 v; mov.v2.b64 v, {1, 2}; mov.b128 %q1, v; mov.b128 {%rd3, %rd4}, %q1; st.global.v2.b64 [%rd1], {%rd3, %rd4};", want: []uint32{1, 0, 2, 0}},
		{body: ".reg .v2 .f32 v, o; mov.v2.f32 v, {1.0, 2.0}; atom.global.add.v2.f32 o, [%rd1], v; atom.global.add.v2.f32 o, [%rd1], o;", want: []uint32{0x3f800000, 0x40000000}},
		// These instructions split 128 bits into four parts.
		{body: "mov.b128 %q1, {%rd1, %rd1}; mov.b128 {%r2, %r3, %r4, %r5}, %q1; mov.b128 %q2, {%r4, %r3, 5, %r2}; mov.b128 {%rd3, %rd4}, %q2; sub.u64 %rd3, %rd3, %rd1; st.global.b64 [%rd1], %rd3; shr.u64 %rd4, %rd4, 32; cvt.u64.u32 %rd5, %r2; sub.u64 %rd4, %rd4, %rd5; st.global.b64 [%rd1+8], %rd4;", want: []uint32{0, 0, 0, 0}},
		{body: "st.global.b128 [%rd1], -2; ld.global.b128 _, [%rd1]; ld.global.b128 %q8, [%rd1]; st.global.b128 [%rd1+16], %q8;", want: []uint32{0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff, 0xfffffffe, 0xffffffff, 0xffffffff, 0xffffffff}},

		// Each element of a vector is with or without a value on its own.
		{body: ".reg .v2 .f32 v; mov.f32 v.x, 1.0; st.global.f32 [%rd1], v.x;", want: []uint32{0x3f800000}},
		{body: ".reg .v2 .f32 v; mov.f32 v.x, 1.0; st.global.v2.f32 [%rd1], v;", kind: sim.KindUninitialised, text: "v.y"},
		{body: ".reg .v2 .b16 %v<4>; mov.u16 %v3.y, 1; mov.b32 %r2, %v3; st.global.u32 [%rd1], %r2;", kind: sim.KindUninitialised, text: "%v3.x"},

		{body: ".reg .v2 .f32 v; mov.f32 v.z, 1.0;", kind: sim.KindUnsupported, text: "operand v.z: v has 2 elements of type .f32, from v.x to v.y"},
		{body: ".reg .v4 .f32 v; mov.f32 v.xy, 1.0;", kind: sim.KindUnsupported, text: "v has 4 elements"},
		{body: "mov.f32 %f2.x, 1.0;", kind: sim.KindUnsupported, text: "%f2 is no vector"},
		{body: ".reg .v2 .f32 v; add.f32 %f1, v, v;", kind: sim.KindUnsupported, text: "operand {v.x, v.y}: expected a register or a constant"},
		{body: ".reg .v2 .b64 v; ld.global.u32 %r2, [v];", kind: sim.KindUnsupported, text: "operand v: expected one value, and v has 2 elements of type .b64"},
		{body: ".reg .v4 .u16 v; mov.b32 v, %r1;", kind: sim.KindUnsupported, text: "operand v.x has 16 bits, and each of 4 elements of a .b32 has 8"},
		{body: ".reg .v4 .u16 v; ld.global.v2.u16 v, [%rd1];", kind: sim.KindUnsupported, text: "4 registers, expected 2"},
		{body: "mov.b64 %rd3, {%r1, %rs1};", kind: sim.KindUnsupported, text: "operand %rs1 has 16 bits, and each of 2 elements of a .b64 has 32"},
		{body: "mov.b64 %rd3, {%r1, %r1, %r1};", kind: sim.KindUnsupported, text: "3 elements do not make up a .b64"},
		{body: "mov.v2.u32 {%r2, %r3}, %rd1;", kind: sim.KindUnsupported, text: "expected 2 elements each for .v2"},
		{body: "mov.b64 {%r2, %r2}, %rd1;", kind: sim.KindUnsupported, text: "%r2 is written twice"},
		{body: "mov.b128 %q1, %rd1;", kind: sim.KindUnsupported, text: "operand %rd1: expected a register of 128 bits"},
		{body: "st.global.b128 [%rd1], 1.5;", kind: sim.KindUnsupported, text: "expected a register of 128 bits"},
		{head: ".global .u32 g[4];", body: "st.global.b128 [%rd1], g[3];", kind: sim.KindUnsupported, text: "expected a register of 128 bits"},
		{body: "ld.global.b128 %rd3, [%rd1];", kind: sim.KindUnsupported, text: "operand %rd3: expected a register of 128 bits"},
	})
	for decl, text := range map[string]string{
		".reg .v4 .f64 v;": "256 bits, and .v4 may have 128", ".reg .v8 .b64 v;": "512 bits, and .v8 may have 256",
		".reg .v2 .b128 v;": "256 bits", ".reg .v2 .pred v;": "predicates", ".shared .v4 .f64 v;": "256 bits",
	} {
		_, err := piece{body: decl}.run(t)
		if e, ok := errors.AsType[*sim.Error](err); !ok || e.Code != sim.CodeModule || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: got %v, want %q", decl, err, text)
		}
	}
}

func TestCallsOfMany(t *testing.T) {
	t.Parallel()
	const two = ".func (.reg .b32 x, .reg .b32 y) f(.reg .b32 a) { add.u32 x, a, 1; add.u32 y, a, 2; ret; }"
	const params = `.func (.param .b32 x, .param .b64 y) f(.param .b32 a) {
		.reg .b32 %a<3>; .reg .b64 %b; ld.param.b32 %a1, [a]; add.u32 %a2, %a1, 1; st.param.b32 [x], %a2; cvt.u64.u32 %b, %a2;
		st.param.b64 [y], %b; ret; }`
	const vectors = `.func (.reg .v4 .u32 r) f(.reg .v2 .u32 v, .reg .u32 k) {
		add.u32 r.x, v.x, k; add.u32 r.y, v.y, k; mov.u32 r.z, v.x; mov.u32 r.w, v.y; ret; }`
	const struct16 = `.func (.param .align 16 .b8 r[16]) f(.param .align 16 .b8 a[16]) {
		.reg .v4 .u32 v; ld.param.v4.u32 v, [a]; st.param.v4.u32 [r], {v.w, v.z, v.y, v.x}; ret; }`
	const wide = `.func (.reg .b128 r, .reg .u16 s) f(.reg .b128 a) { .reg .b64 x, y; mov.b128 {x, y}, a; mov.b128 r, {y, x}; mov.u16 s, 3; ret; }`
	const float = ".func (.reg .f32 x) f(.reg .f32 a) { add.f32 x, a, 1.0; ret; }"
	pieces(t, []piece{
		{head: two, body: "mov.u32 %r4, 5; call (%r2, %r3), f, (%r4); st.global.v2.u32 [%rd1], {%r2, %r3};", want: []uint32{6, 7}},
		{head: two, body: "call.uni (%r2, %r3), f, (-1); st.global.v2.u32 [%rd1], {%r2, %r3};", want: []uint32{0, 1}},
		{head: two, body: "mov.u32 %r2, 0; @%p0 trap; call (_, %r3), f, (WARP_SZ); st.global.u32 [%rd1], %r3;", kind: sim.KindUninitialised, text: "%p0"},
		{head: two, body: "call (_, %r3), f, (WARP_SZ); st.global.u32 [%rd1], %r3;", want: []uint32{34}},
		{head: params, body: "{ .param .b32 p0; .param .b32 r0; .param .b64 r1; st.param.b32 [p0], 9; call.uni (r0, r1), f, (p0); ld.param.b32 %r2, [r0]; ld.param.b64 %rd3, [r1]; st.global.b32 [%rd1], %r2; st.global.b64 [%rd1+8], %rd3; }", want: []uint32{10, 0, 10}},
		{head: params, body: "call (%r2, %rd3), f, (9); st.global.b32 [%rd1], %r2; st.global.b64 [%rd1+8], %rd3;", want: []uint32{10, 0, 10}},
		{head: vectors, body: ".reg .v2 .u32 v; .reg .v4 .u32 r; mov.v2.u32 v, {3, 4}; call (r), f, (v, 10); st.global.v4.u32 [%rd1], r;", want: []uint32{13, 14, 3, 4}},
		{head: struct16, body: "{ .param .align 16 .b8 p[16]; .param .align 16 .b8 q[16]; st.param.v4.u32 [p], {1, 2, 3, 4}; call (q), f, (p); ld.param.v4.u32 {%r2, %r3, %r4, %r5}, [q]; st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5}; }", want: []uint32{4, 3, 2, 1}},
		{head: struct16, body: ".reg .v4 .u32 v, w; mov.v4.u32 v, {1, 2, 3, 4}; call (w), f, (v); st.global.v4.u32 [%rd1], w;", want: []uint32{4, 3, 2, 1}},
		{head: wide, body: "mov.b64 %rd3, 1; mov.b64 %rd4, 2; mov.b128 %q1, {%rd3, %rd4}; call (%q2, %rs1), f, (%q1); st.global.b128 [%rd1], %q2; st.global.u16 [%rd1+16], %rs1;", want: []uint32{2, 0, 1, 0, 3}},
		{head: float, body: "call (%f2), f, (1.0); st.global.f32 [%rd1], %f2;", want: []uint32{0x40000000}},
		{head: float, body: "mov.u64 %rd3, f; P: .callprototype (.reg .f32 _) _ (.reg .f32 _); call (%f2), %rd3, (1.0), P; st.global.f32 [%rd1], %f2;", want: []uint32{0x40000000}},
		{head: float, body: "mov.u64 %rd3, f; P: .calltargets f; call (%f2), %rd3, (1.0), P; st.global.f32 [%rd1], %f2;", want: []uint32{0x40000000}},
		{head: float + ".global .u64 table[1] = { f };", body: "ld.global.u64 %rd3, [table]; call (%f2), %rd3, (1.0), table; st.global.f32 [%rd1], %f2;", want: []uint32{0x40000000}},

		{head: two, body: "call (%r2), f, (1);", kind: sim.KindCall, text: "returns 2 values; the call has 1 and 1"},
		{head: vectors, body: ".reg .v4 .u32 r; call (r), f, (r, 10);", kind: sim.KindCall, text: "argument 1 of the call is 4 registers of 4 bytes, and v of f is 2 registers of 4 bytes"},
		{head: struct16, body: "{ .param .align 16 .b8 p[600]; .param .align 16 .b8 q[16]; st.param.u32 [p], 1; call (q), f, (p); }", kind: sim.KindCall, text: "argument 1 of the call is 600 bytes, and a of f is 16 bytes"},
		{head: two, body: "call (%r2, 5), f, (1);", kind: sim.KindUnsupported, text: "expected a register to write"},
	})
}

// TestRefusedBefore runs PTX that this package once refused or misread.
func TestRefusedBefore(t *testing.T) {
	t.Parallel()
	pieces(t, []piece{
		{body: "mov.f32 %f1, 2.0; redux.sync.max.f32 %f2, %f1, 1; st.global.f32 [%rd1], %f2;", want: []uint32{0x40000000}},
		{body: "mov.f32 %f1, -2.0; redux.sync.min.abs.NaN.f32 %f2, %f1, 0x1; st.global.f32 [%rd1], %f2;", want: []uint32{0x40000000}},
		{body: "shfl.sync.idx.b32 %f2, 1.0, 0, 31, 1; st.global.f32 [%rd1], %f2;", want: []uint32{0x3f800000}},
		{body: "mov.b32 %r2, 1.0; mov.b64 %rd3, 1.0; st.global.b32 [%rd1], %r2; st.global.b64 [%rd1+8], %rd3;", want: []uint32{0x3f800000, 0, 0, 0x3ff00000}},
		{body: "mov.b16 %rs1, 1.5; add.f16 %rs2, %rs1, 0.5; add.bf16 %rs3, %rs1, 0f3F800000; st.global.b16 [%rd1], %rs2;", want: []uint32{0x4000}},
		{body: "add.s32 %r2, 1, 1.5;", kind: sim.KindUnsupported, text: "operand 0d3FF8000000000000: a floating-point constant for the type .s32"},
		{body: "add.f16x2 %r2, 1, 1.5;", kind: sim.KindUnsupported, text: "for the type .f16x2"},
		{body: "mov.u32 %r2, WARP_SZ; st.global.u32 [%rd1+WARP_SZ-28], %r2;", want: []uint32{0, 32}},
		{body: "{ .global .u32 g = 7; ld.global.u32 %r2, [g]; st.global.u32 [%rd1], %r2; }", want: []uint32{7}},
		{body: "{ .global .u32 g = 7; } { .global .u32 g = 8; .const .u64 to = g; ld.const.u64 %rd3, [to]; ld.u32 %r2, [%rd3]; st.global.u32 [%rd1], %r2; }", want: []uint32{8}},
		{
			head: ".func (.reg .u32 r) f() { .global .u32 calls; atom.global.add.u32 r, [calls], 1; ret; }",
			body: "call (%r2), f; call (%r3), f; call (%r4), f; st.global.v2.u32 [%rd1], {%r3, %r4};", want: []uint32{1, 2},
		},
		{head: ".global .s32 x[][2] = { {-1, 0}, {0, -2}, {1} };", body: "ld.global.s32 %r2, x_end; ", kind: sim.KindUnsupported, text: "expected an address"},
		{head: ".global .s32 x[][2] = { {-1, 0}, {0, -2}, {1} };", body: "ld.global.v2.s32 {%r2, %r3}, [x+8]; ld.global.u32 %r4, [x+20]; st.global.v2.u32 [%rd1], {%r3, %r4};", want: []uint32{0xfffffffe, 0}},
		{head: ".global .s32 x[2][2][2] = { {{1}}, {{3, 4}, {5}} };", body: "ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [x+12]; st.global.v4.u32 [%rd1], {%r2, %r3, %r4, %r5};", kind: sim.KindAlign},
		{head: ".global .s32 x[2][2][2] = { {{1}}, {{3, 4}, {5}} };", body: "ld.global.b64 %rd3, [x+16]; ld.global.b64 %rd4, [x+24]; st.global.v2.b64 [%rd1], {%rd3, %rd4};", want: []uint32{3, 4, 5, 0}},
		{head: ".global .v2 .u16 x[3] = { {1, 2}, {3}, {4, 5} };", body: "ld.global.u32 %r2, [x+4]; ld.global.u32 %r3, [x+8]; st.global.v2.u32 [%rd1], {%r2, %r3};", want: []uint32{3, 0x50004}},
		{head: ".global .u8 x[] = { 0xff(1000 + 546), 0xff00(131187), 0xff0000(131187) };", body: "ld.global.u8 %r2, [x]; ld.global.u8 %r3, [x+2]; st.global.v2.u32 [%rd1], {%r2, %r3};", want: []uint32{10, 2}},
		{head: ".global .u32 g<3>; .shared .b32 s<2>;", body: ".local .b32 l<3>; st.global.u32 [g1], 5; st.global.u32 [g2], 6; st.shared.u32 [s1], 7; st.local.u32 [l2], 8; ld.global.u32 %r2, [g1]; ld.shared.u32 %r3, [s1]; ld.local.u32 %r4, [l2]; st.global.v4.u32 [%rd1], {%r2, %r3, %r4, 0};", want: []uint32{5, 7, 8, 0}},
		{head: ".global .u32 g<3>;", body: "st.global.u32 [g3], 5;", kind: sim.KindUnsupported, text: "g3 is not declared"},
		{head: ".global .u32 g<3>;", body: "st.global.u32 [g], 5;", kind: sim.KindUnsupported, text: "g is not declared"},
		{head: ".global .u32 g<3>; .global .u64 to = g2;", body: "ld.global.u64 %rd3, [to]; mov.u64 %rd4, g1; sub.u64 %rd3, %rd3, %rd4; st.global.u64 [%rd1], %rd3;", want: []uint32{4, 0}},
		{head: ".global .u32 x[3] = { 3, 4, 5 };", body: "ld.global.u32 %r2, x[2]; mov.u64 %rd3, x[1]; ld.u32 %r3, [%rd3]; st.global.v2.u32 [%rd1], {%r2, %r3};", want: []uint32{5, 4}},
		{body: "rsqrt.approx.f64 %fd1, 0d4010000000000000; st.global.f64 [%rd1], %fd1;", want: []uint32{0, 0x3fe00000}},
		{body: "rsqrt.approx.f64 %fd1, 0d8000000000000000; st.global.f64 [%rd1], %fd1;", want: []uint32{0, 0xfff00000}},
		{body: "rsqrt.approx.f64 %fd1, 0d0000000000000001; st.global.f64 [%rd1], %fd1;", want: []uint32{0, 0x61800000}},
		{body: "mov.b64 %rd3, 5; mov.b128 %q1, {0, 0}; mov.b128 %q2, {%rd3, 6}; atom.global.cas.b128 %q3, [%rd1], %q1, %q2; atom.relaxed.gpu.global.cas.b128 %q3, [%rd1], %q1, %q1; st.global.b128 [%rd1+16], %q3;", want: []uint32{5, 0, 6, 0, 5, 0, 6, 0}},
		{body: "mov.b128 %q1, {1, 2}; st.shared.b128 [tile], %q1; mov.b128 %q2, {1, 3}; atom.shared.cas.b128 %q3, [tile], %q2, %q2; atom.shared::cta.b128.exch %q4, [tile], %q2; st.global.b128 [%rd1], %q4; ld.shared.b128 %q5, [tile]; st.global.b128 [%rd1+16], %q5;", want: []uint32{1, 0, 2, 0, 1, 0, 3, 0}},
		{body: "mov.b128 %q1, {1, 2}; atom.sys.global.exch.b128 _, [%rd1], %q1;", want: []uint32{1, 0, 2, 0}},
		{body: "mov.b128 %q1, {1, 2}; atom.global.exch.b128 _, [%rd1+8], %q1;", kind: sim.KindAlign, text: "16 bytes"},
		{body: "mov.b128 %q1, {1, 2}; atom.global.add.b128 _, [%rd1], %q1;", kind: sim.KindUnsupported, text: "not known for .b128"},
		{target: "sm_80", version: "8.3", body: "mov.b128 %q1, {1, 2}; atom.global.exch.b128 _, [%rd1], %q1;", kind: sim.KindUnsupported, text: "needs sm_90, and the module is for sm_80"},

		{body: "st.bulk.weak.shared::cta [tile], 64, 0; ld.shared.u32 %r2, [tile+60]; st.global.u32 [%rd1], %r2;", want: []uint32{0}},
		{body: "cvta.shared.u64 %rd3, tile; mov.u32 %r2, 16; st.bulk [%rd3+8], %r2, 0; ld.shared.u32 %r2, [tile+20]; st.global.u32 [%rd1], %r2; ld.shared.u32 %r2, [tile+24]; st.global.u32 [%rd1], %r2;", kind: sim.KindUninitialised, text: "0x418"},
		{body: "st.bulk.weak.shared::cta [tile], 12, 0;", kind: sim.KindArgument, text: "12 bytes, expected a multiple of 8"},
		{body: "st.bulk.weak.shared::cta [tile+128], 256, 0;", kind: sim.KindBounds, text: "0x500"},
		{body: "mov.u64 %rd3, -8; st.bulk.weak.shared::cta [tile], %rd3, 0;", kind: sim.KindArgument, text: "up to 16777216"},
		{body: "st.bulk [%rd1], 8, 0;", kind: sim.KindArgument, text: "not in shared memory"},
		{body: "st.bulk [tile], 8, 1;", kind: sim.KindUnsupported, text: "can only be 0"},
		{body: "st.bulk.weak.shared::cta [tile], 64, 0;", target: "sm_90a", version: "8.6", kind: sim.KindUnsupported, text: "needs sm_100, and the module is for sm_90a"},

		{body: "lop3.or.b32 %r2|%p1, 12, 10, 1, 0x80, 0; selp.u32 %r3, 1, 0, %p1; st.global.v2.u32 [%rd1], {%r2, %r3};", want: []uint32{0, 0}},
		{body: "lop3.and.b32 %r2|%p1, 12, 10, 0x18, 0x80, !0; selp.u32 %r3, 1, 0, %p1; st.global.v2.u32 [%rd1], {%r2, %r3};", want: []uint32{8, 1}},
		{body: "setp.eq.u32 %p2, 0, 0; lop3.and.b32 _|%p1, 12, 10, 0x18, 0x80, %p2; selp.u32 %r3, 1, 0, %p1; lop3.or.b32 %r2|%p1, 0, 0, 0, 0x80, !%p2; selp.u32 %r4, 1, 0, %p1; st.global.v2.u32 [%rd1], {%r3, %r4};", want: []uint32{1, 0}},
		{body: "setp.eq.u32 %p1, 0, 0; lop3.or.b32 %r2|%p1, 0, 0, 0, 0xfe, %p1; selp.u32 %r3, 1, 0, %p1; st.global.u32 [%rd1], %r3;", want: []uint32{1}},
		{body: "lop3.b32 %r2|%p1, 0, 0, 0, 0xfe;", kind: sim.KindUnsupported, text: "expected a predicate with .or and .and"},

		{body: "add.f32.f64 %f1, 1.0, 1.0;", kind: sim.KindUnsupported, text: "expected .f32 with .f16 or .bf16"},
		{body: "add.u32.u64 %r2, 1, 1;", kind: sim.KindUnsupported, text: "states 2 types, expected one"},
		{body: "mul.u32 %r2, 1, 1;", kind: sim.KindUnsupported, text: "expected .lo, .hi or"},
		{body: "min.relu.u32 %r2, 1, 1;", kind: sim.KindUnsupported, text: ".relu"},
		{body: "mad.lo.sat.s32 %r2, 1, 1, 1;", kind: sim.KindUnsupported, text: ".sat"},
		{body: "mbarrier.init.shared.b64 [tile];", kind: sim.KindUnsupported, text: "an operand is missing"},
		{body: "multimem.ld_reduce.global.add.u32 %r2, [%rd1];", kind: sim.KindUnsupported, text: "memory of several GPUs", version: "8.1", target: "sm_90"},
		{body: "mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e2m1.f32 {%f1}, {%r2}, {%r3}, {%f1};", kind: sim.KindUnsupported, text: "needs sm_120a"},
		{body: "setp.lt %p1, 1, 2;", kind: sim.KindUnsupported, text: "states no type"},
		{body: "fma.f32 %f1, 1.0, 1.0, 1.0;", kind: sim.KindUnsupported, text: "without a rounding mode"},
		{body: "div.f32 %f1, 1.0, 1.0;", kind: sim.KindUnsupported, text: "without a rounding mode or .approx"},
		{body: "cvt.u32.f32 %r2, %f1;", kind: sim.KindUnsupported, text: "expected a rounding to integers"},
		{body: "cvt.rs.f16x2.f32 %r2, %f1, %f2, %r3;", target: "sm_120a", version: "8.7", kind: sim.KindUnsupported, text: "needs sm_100a"},
		{body: "cvt.rs.satfinite.e2m1x4.f32 %h1, {%f1, %f1, %f1, %f1}, %r3;", target: "sm_100a", version: "8.7", kind: sim.KindUnsupported, text: "which random bits round which element"},
		{body: "cvt.rs.satfinite.e4m3x4.f32 %r2, {%f1, %f1}, %r3;", target: "sm_100a", version: "8.7", kind: sim.KindUnsupported, text: "2 values, expected 4"},
		{body: "cvt.rs.e4m3x4.f32 %r2, {%f1, %f1, %f1, %f1}, %r3;", target: "sm_100a", version: "8.7", kind: sim.KindUnsupported, text: "PTX has no cvt.rs.e4m3x4.f32"},
		{body: "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];", target: "sm_90a", version: "8.6", kind: sim.KindUnsupported, text: "needs sm_100a"},
		{body: "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r2];", target: "sm_100", version: "8.6", kind: sim.KindUnsupported, text: "needs sm_100a"},
		{body: "tcgen05.ld.sync.aligned.16x256b.x64.b32 {%r1}, [%r2];", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "PTX has no tcgen05.ld.sync.aligned.16x256b.x64"},
		{body: "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r1}, [%r2];", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "1 registers, expected 2"},
		{body: "tcgen05.shift.cta_group::1.down [%r2];", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "lane n + 1 or n - 1"},
		{body: "tcgen05.ld.red.sync.aligned.32x32b.x2.max.u32 {%r1, %r3}, %r4, [%r2];", target: "sm_100a", version: "8.8", kind: sim.KindUnsupported, text: "needs sm_101a"},
		{body: "tcgen05.ld.red.sync.aligned.16x32bx2.x2.max.u32 {%r1, %r3}, %r4, [%r2], 4;", target: "sm_103a", version: "8.8", kind: sim.KindUnsupported, text: "both halves of a lane"},
		{body: "tcgen05.ld.red.sync.aligned.32x32b.x1.max.u32 {%r1}, %r4, [%r2];", target: "sm_103a", version: "8.8", kind: sim.KindUnsupported, text: "expected .x2 or more"},
		{body: "tcgen05.mma.cta_group::1.kind::f16.ashift [%r2], [%r2], %rd1, %r3, 0;", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "does not say whether row r or row r + 2"},
		{body: "tcgen05.mma.cta_group::1.kind::f16.collector::b1::use [%r2], %rd1, %rd1, %r3, 0;", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "collector::b1::use is not known"},
		{body: "tcgen05.mma.cta_group::1.kind::i8 [%r2], %rd1, %rd1, %r3, 0, 1;", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "expected scale-input-d"},
		{body: "tcgen05.mma.cta_group::1.kind::f16 [%r2], %rd1, %rd1, %r3, {%r1, %r1}, 0;", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "disable-output-lane of 2 words, expected 4"},
		{body: "tcgen05.mma.cta_group::1 [%r2], %rd1, %rd1, %r3, 0;", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "expected a kind"},
		{body: "tcgen05.mma.kind::f16 [%r2], %rd1, %rd1, %r3, 0;", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "expected .cta_group"},
		{body: "tcgen05.cp.cta_group::1.128x128b.b8x16.b6x16_p32 [%r2], %rd1;", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "only in figures"},
		{body: "tcgen05.cp.cta_group::1.64x128b [%r2], %rd1;", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "unknown shape"},
		{body: "tcgen05.commit.cta_group::1.b64 [%rd1];", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "expected .mbarrier::arrive::one"},
		{body: "tcgen05.alloc.cta_group::1.b32 [%rd1], 32;", target: "sm_100a", version: "8.6", kind: sim.KindUnsupported, text: "expected .sync and .aligned"},
	})
}

// TestInitialValuesRefused checks that lists of initial values must not be longer than their variables.
func TestInitialValuesRefused(t *testing.T) {
	t.Parallel()
	for src, text := range map[string]string{
		".global .s32 x[2][2] = { {1, 2, 3}, {4} };":    "a list of 12 bytes of initial values, expected up to 8",
		".global .s32 x[2] = { 1, 2, 3 };":              "more initial values than the 8 bytes",
		".global .v2 .s32 x = { 1, 2, 3 };":             "more initial values than the 8 bytes",
		".global .s32 x[][2] = { {1, 2}, {{{1, 2}}} };": "a list of 8 bytes of initial values, expected up to 4",
		".global .u64 x = y;":                           "no such variable",
	} {
		p := loadText(t, ".version 8.0 .target sm_90 .address_size 64 "+src)
		if _, err := p.NewMemory(); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: got %v, want %q", src, err, text)
		}
	}
}

// TestConvertPack compares cvt.pack with the formula of PTX ISA 9.7.9.22, written as loops over bits.
func TestConvertPack(t *testing.T) {
	t.Parallel()
	edges := []uint64{
		0, 1, 2, 3, 4, 7, 8, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7fffffff, 0x80000000, 0xfffffff8, 0xfffffff7,
		0xffffff80, 0xffffff7f, 0xffff8000, 0xffff7fff, 0xfffffffe, 0xffffffff,
	}
	for typ, size := range map[string]int{"u16": 16, "s16": 16, "u8": 8, "s8": 8, "u4": 4, "s4": 4, "u2": 2, "s2": 2} {
		least, most := int64(0), int64(1)<<size-1
		if typ[0] == 's' {
			least, most = -1<<(size-1), 1<<(size-1)-1
		}
		op, types := "cvt.pack.sat."+typ+".s32", []string{"b32", "s32", "s32"}
		if size < 16 {
			op, types = op+".b32", append(types, "b32")
		}
		var rows [][]uint64
		for i, a := range edges {
			for j, b := range edges {
				row := []uint64{a, b, 0x9abcdef1 * uint64(i+31*j) & 0xffffffff}
				rows = append(rows, row[:len(types)-1])
			}
		}
		for i, got := range apply(t, op, types, rows) {
			bit := func(x int64, i int) uint64 { return uint64(x) >> i & 1 }
			ta, tb := int64(int32(rows[i][0])), int64(int32(rows[i][1]))
			ta, tb = min(max(ta, least), most), min(max(tb, least), most)
			want := uint64(0)
			for k := range 32 {
				switch {
				case k < size:
					want |= bit(tb, k) << k
				case k < 2*size:
					want |= bit(ta, k-size) << k
				default:
					want |= bit(int64(rows[i][2]), k-2*size) << k
				}
			}
			if got != want {
				t.Fatalf("%s %x: got %x, want %x", op, rows[i], got, want)
			}
		}
	}
}

// TestWithoutSync checks vote and shfl of targets before sm_70, executed by the lanes that are on one path.
func TestWithoutSync(t *testing.T) {
	t.Parallel()
	p := loadText(t, `.version 6.0
.target sm_60
.address_size 64
.visible .entry k(.param .u64 out)
{
	.reg .pred %p<9>; .reg .b32 %r<9>; .reg .b64 %rd<3>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mad.wide.u32 %rd2, %r1, 4, %rd1;
	setp.ge.u32 %p1, %r1, 24;
	mov.u32 %r4, 0;
	@%p1 bra L;
	setp.lt.u32 %p2, %r1, 5;
	vote.ballot.b32 %r2, %p2;
	vote.any.pred %p3, !%p2;
	vote.all.pred %p4, %p2;
	vote.uni.pred %p5, %p2;
	selp.u32 %r3, 1, 0, %p3;
	@%p4 trap;
	@%p5 trap;
	shfl.down.b32 %r4|%p6, %r1, 8, 0x1f;
	setp.ge.u32 %p7, %r1, 16;
	@%p7 mov.u32 %r4, 0;
	mad.lo.u32 %r4, %r3, %r2, %r4;
L:	st.global.u32 [%rd2], %r4;
	ret;
}`)
	m := memory(t, p)
	out := put(t, m, make([]uint32, 32))
	run(t, p, m, sim.Launch{Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(out, 0)}})
	for i, got := range get[uint32](t, out) {
		want := uint32(0)
		if i < 24 {
			if want = 0b11111; i < 16 {
				want += uint32(i + 8)
			}
		}
		if got != want {
			t.Errorf("thread %d: %#x, want %#x", i, got, want)
		}
	}
	pieces(t, []piece{
		{body: "vote.ballot.b32 %r2, 1;", kind: sim.KindUnsupported, text: "needs .sync on sm_70 and later since PTX 6.4"},
		{body: "shfl.idx.b32 %r2, 1, 0, 31;", target: "sm_70", version: "6.4", kind: sim.KindUnsupported, text: "needs .sync"},
		{body: "vote.ballot.b32 %r2, 1; st.global.u32 [%rd1], %r2;", target: "sm_70", version: "6.3", want: []uint32{1}},
	})
}

// TestAbsentLanes checks shuffles from lanes that do not take part: a use of such a lane's value is a fault.
func TestAbsentLanes(t *testing.T) {
	t.Parallel()
	const sum = `
	setp.ge.u32 %p1, %r1, 16;
	@%p1 ret;
	mov.u32 %r2, %r1;
	shfl.sync.down.b32 %r3, %r2, 8, 31, 0xffff; add.u32 %r2, %r2, %r3;
	shfl.sync.down.b32 %r3, %r2, 4, 31, 0xffff; add.u32 %r2, %r2, %r3;
	shfl.sync.down.b32 %r3, %r2, 2, 31, 0xffff; add.u32 %r2, %r2, %r3;
	shfl.sync.down.b32 %r3, %r2, 1, 31, 0xffff; add.u32 %r2, %r2, %r3;
	setp.eq.u32 %p2, %r1, 0;
`
	out, err := snippet(t, sum+"@%p2 st.global.u32 [%rd1], %r2;\nret;", 32)
	if err != nil || binary.LittleEndian.Uint32(out) != 120 {
		t.Errorf("the sum is %d, %v", binary.LittleEndian.Uint32(out), err)
	}
	_, err = snippet(t, sum+"st.global.u32 [%rd2], %r2;\nret;", 32)
	f, ok := errors.AsType[*sim.Finding](err)
	if !ok || f.Kind != sim.KindUninitialised || f.Pos.Line != 18 || !strings.Contains(f.Message, "does not take part") {
		t.Errorf("got %v", err)
	}
}

// TestCountWmma checks that loads and stores of wmma count as accesses that no model covers.
func TestCountWmma(t *testing.T) {
	t.Parallel()
	p := loadText(t, `.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 in)
{
	.reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<3>;
	.shared .align 128 .b8 tile[1024];
	ld.param.u64 %rd1, [in];
	mov.u32 %r1, 16;
	wmma.load.c.sync.aligned.row.m16n16k16.global.f32 {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, [%rd1], %r1;
	wmma.store.d.sync.aligned.row.m16n16k16.shared.f32 [tile], {%f1, %f2, %f3, %f4, %f5, %f6, %f7, %f8}, %r1;
	ret;
}`)
	m := memory(t, p)
	res := run(t, p, m, sim.Launch{Block: sim.Dim{X: 32}, Args: []sim.Arg{sim.Pointer(put(t, m, make([]uint32, 256)), 0)}})
	got := map[int]sim.Traffic{}
	for _, l := range res.Lines {
		if l.Traffic != (sim.Traffic{}) {
			got[l.Line] = l.Traffic
		}
	}
	want := sim.Traffic{Accesses: 1, Unknown: 1}
	if len(got) != 2 || got[10] != want || got[11] != want {
		t.Errorf("got %+v", got)
	}
}
