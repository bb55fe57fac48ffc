package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"slices"
	"strings"
	"sync"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

type args = map[string]any

// tiledVectors is a TiledCopy of vectors of 8 elements.
const tiledVectors = `tiled_copy(copy_atom("UniversalCopy<uint128_t>","half_t"),(16,8):(8,1),(1,8))`

// doubling is a kernel that doubles one float in each thread.
const doubling = `.version 8.0
.target sm_80
.address_size 64
.visible .entry doubling(.param .u64 x)
{
	.reg .f32 %f;
	.reg .b32 %r;
	.reg .b64 %a, %o;
	ld.param.u64 %a, [x];
	mov.u32 %r, %tid.x;
	mul.wide.u32 %o, %r, 4;
	add.u64 %a, %a, %o;
	ld.global.f32 %f, [%a];
	add.f32 %f, %f, %f;
	st.global.f32 [%a], %f;
	ret;
}`

const (
	scaling = `__global__ void scale(float* x, float* y, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) y[i] = 2 * x[i];
}`
	scalingCall = "scale(random(6), zeros(6), 6)"
)

// answers are calls that have an answer, with a part of its text; at least one call per tool.
var answers = []struct {
	tool string
	args args
	text string
}{
	{"eval", args{"expr": "(6,2):(8,2) o (4,3):(3,1)"}, "((2,2),3):((24,2),8)\n"},
	{"eval", args{"expr": "let a = (8,8):(8,1); a o 4:2"}, "4:16"},
	{"eval", args{"expr": "logical_divide((6,4):(4,1), 4:1)"}, "note:"},
	{"run", args{"program": "@cute.jit\ndef f(a: cutlass.Int32):\n    print(a)\n    cute.printf(\"{}\", a)\nf(6)"}, "?\n6\n"},
	{"run", args{"program": scaling, "grid": []int{2}, "block": []int{4}, "call": "scale(counting(6), zeros(6), n=6)"}, "0  2  4  6  8 10"},
	{"run", args{"program": scaling, "block": []int{6}, "call": scalingCall, "expect": "for (int i = 0; i < 6; ++i) y[i] = 2 * x[i];"}, "6 elements, all as expected"},
	{"run", args{"program": "int main(int c, char** v) { printf(\"%d %s\", c, v[1]); }", "args": []string{"a b"}}, "2 a b"},
	{"run", args{"program": "x = 4:1 # 4:2", "check": true}, "1: x: the text states 4:2, the value is 4:1: at 3 of 4"},
	{"run", args{"program": "x = 4:1 # 4:2", "check": true}, "1 values are stated, 1 of them differ"},
	{"help", args{"name": "cute::logical_divide"}, "logical_divide("},
	{"help", args{}, "zipped_divide"},
	{"explain", args{"expr": "(6,2):(8,2) o (4,3):(3,1)"}, "24"},
	{"explain", args{"expr": "(6,2):(1,7) o (3,2):(2,3)", "top": true}, "(2,1)"},
	{"explain", args{"expr": "complement((2,3):(2,4), 24)", "figures": "png"}, "complement"},
	{"compat", args{"expr": "(4,3):(1,100) o 4:3"}, "WRONG"},
	{"bank", args{"expr": "(8,64):(64,1)", "type": "f16", "accesses": []string{"ldmatrix.x4"}}, "8-way"},
	{"global", args{"expr": "(64,256):(264,1)", "type": "f16", "accesses": []string{"cp.async.bulk.512"}}, "64 copies in 256 requests, 1152 sectors"},
	{"swizzle", args{"expr": "(8,64):(64,1)", "type": "f16", "accesses": []string{"ldmatrix.x4"}}, "Sw<3,3,3>"},
	{"predicate", args{"tensor": "(M,64)", "tile": []int{32, 64}, "atom": tiledVectors}, "predicate (1,2,1):(0,1,0)"},
	{"align", args{"expr": "(128,64):(ld{div=4},1)", "type": "f16", "at": "(m,_)"}, "ptr<f16, gmem, align<8>>"},
	{"budget", args{"tile": []int{128, 256, 64}, "type": "f16", "d": "f16", "epilogue": []int{64, 32}, "d_stages": 4}, "4 stages on sm90"},
	{"tma", args{"expr": "(1024,512):(512,1)", "box": "128,64", "type": "f16"}, "legal: one instruction for a tile, expect_tx 16384 bytes"},
	{"recognize", args{"expr": "0,1,2,3,5,4,7,6"}, "Sw<1,0,2>"},
	{"recognize", args{"expr": "addr ^ ((addr & 0x380) >> 3)", "type": "f16"}, "Sw<3,3,3> on elements"},
	{"recognize", args{"expr": "Sw<3,3,3> o 0 o (8,64):(64,1)", "from": "(8,64):(64,1)", "type": "f16"}, "Sw<3,4,3> on bytes"},
	{"recognize", args{"expr": "(8,64):(64,1)", "from": "(8,64):(64,1)"}, "Sw<0,0,0>"},
	{"recognize", args{"expr": "Sw<2,0,3> o 0 o Sw<2,3,-3> o 0 o (8,8):(8,1)", "from": "(8,8):(8,1)"}, "x -> "},
	{"descriptor", args{"expr": "Sw<3,3,3> o 0 o (64,64):(64,1)", "type": "f16"}, "descriptor 0x4000004000010000"},
	{"descriptor", args{"select": []int{128, 64}, "type": "f16", "major": "K"}, "Layout_K_SW128_Atom<half_t>"},
	{"descriptor", args{"idesc": "m=128,n=256,a=bf16", "kind": "f16"}, "0x08400490"},
	{"tmem", args{"instr": "m=64,n=128,a=f16", "load": "16x256b.x16", "element": "50,77"}, "warp 3, thread 10: register 37"},
	{"global", args{"expr": "(1024,8):(8,1)", "type": "f32", "accesses": []string{"ld"}, "threads": []string{"(32,8):(1,1024)"}}, "of the bytes that move are used"},
	{"mma", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "atoms": "(2,2,1)", "permutation": "<32,32,16>"}, "tile 32x32x16"},
	{"mma", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "operand": "B", "along": "N", "run": 2}, "thread 0 of B after:"},
	{"copies", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "expr": "Sw<3,3,3> o 0 o (64,64):(64,1)", "target": "sm80"}, "SM75_U32x4_LDSM_N  fits"},
	{"copies", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "operand": "B", "expr": "(64,64):(64,2)"}, "does not fit"},
	{"gemm", args{"type": "f16", "m": 64, "n": 64, "k": 32}, "right: all 4096 elements"},
	{"sim", args{"ptx": doubling, "launch": `{"block": 2, "buffers": [{"name": "x", "type": "f32", "values": [1, 2]}],
		"params": [{"kind": "buffer", "buffer": "x"}], "outputs": [{"buffer": "x", "values": [2, 4]}]}`, "seeds": 2}, "nothing found, and 1 output as it has to be, in 2 orders"},
	{"sim", args{"ptx": doubling, "init": true}, `"params": [`},
	{"litmus", args{"test": "PTX t { x=0; } P0@cta 0,gpu 0 ; st.weak x, 1 ; forall (x == 1)"}, "holds"},
	{
		"check",
		args{
			"ptx": doubling, "seeds": 2,
			"launch": `{"block": 2, "buffers": [{"name": "x", "type": "f32", "values": [1, 2]}], "params": [{"kind": "buffer", "buffer": "x"}]}`,
		},
		"nothing found, in 2 orders",
	},
	{
		"check",
		args{"name": "a.cu", "source": "constexpr int K = 32;\n__shared__ float t[K][K + 1]; // girih: conflict-free f32 ld by rows"},
		"1 file checked: nothing found\na.cu:2: conflict-free f32 ld by rows: conflict-free, 33 wavefronts",
	},
	{
		"check",
		args{"name": "a.py", "source": "l = make_layout((8, 64), (64, 1))  # girih: golden"},
		"1 file checked: nothing found\na.py:1: golden: (8,64):(64,1)",
	},
	{"lint", args{"ptx": strings.Replace(doubling, "add.f32", "ld.global.f32 %f, [%a+4];\n add.f32", 1)}, "one .v2 can do 2 of them"},
	{"follow", args{"kernel": "transpose", "at": "a(3,5)"}, "tile(3,5)"},
	{
		"follow",
		args{"program": "__global__ void f(float* a) { int t = threadIdx.x; if (t > 7) return; a[t] = a[t] + 1; }\n" +
			"int main() { thrust::device_vector<float> a(8); f<<<1, 32>>>(a.data().get()); }"},
		"values for a -> a",
	},
	{"kernel", args{}, "wgmma_tma_sm90"},
	{"copy", args{"src": "(64,64):(64,1)", "dst": "(64,64):(1,64)", "type": "f16"}, "global -> registers"},
	{"copy", args{"src": "4096:1", "dst": "4096:1", "type": "f32", "as": "ptx"}, "ld.global"},
	{"kernel", args{"kernel": "transpose", "type": "f16", "div": 8}, "transpose.go:"},
	{"kernel", args{"kernel": "sgemm_sm80", "explain": true}, "free of conflicts; without the swizzle it would have 8 ways"},
	{"kernel", args{"kernel": "sgemm_1", "explain": true, "set": []string{"m=128", "n=256", "k=8"}}, "launch of 2x4x1 blocks: "},
	{"kernel", args{"kernel": "sgemm_1", "as": "cu"}, "__launch_bounds__(256)"},
	{"kernel", args{"kernel": "sgemm_1", "as": "main"}, "int main(int argc, char **argv)"},
	{"kernel", args{"kernel": "softmax", "as": "torch", "explain": true}, "def softmax(x):"},
	{"kernel", args{"kernel": "softmax", "as": "json"}, `"kind": "pointer"`},
	{"kernel", args{"kernel": "wgmma_tma_sm90", "as": "json"}, `"swizzle": "CU_TENSOR_MAP_SWIZZLE_128B"`},
	{"linear", args{"expr": "Sw<2,0,3> o 0 o (8,8):(8,1)"}, "rank 6 of 6 input and 6 output bits"},
	{"linear", args{
		"expr": "blocked{sizePerThread=[1,2], threadsPerWarp=[4,1], warpsPerCTA=[1,1], order=[1,0]}", "shape": []int{4, 2},
		"view": "tensor",
	}, "T"},
	{"convert", args{
		"from": "linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}",
		"to":   "linear{register=[[2],[1]], lane=[[4],[8]], out=[dim0:16]}", "type": "f16",
		"through": "shared",
	}, "shared memory: 32 bytes"},
	{"atoms", args{"filter": []string{"sm80", "f16"}}, "SM80_16x8x16_F32F16F16F32_TN"},
	{"atoms", args{}, "more match"},
	{"atom", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "thread": 1, "element": "C(8,2)"}, "C(8,2) is T1 V2"},
	{"atom", args{"atom": "SM75_U32x4_LDSM_N", "thread": 0}, "(ref)"},
	{"partition", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "operand": "C", "expr": "(16,8):(8,1)", "thread": 5}, "from offset 10"},
	{"draw", args{"expr": "(4,(2,2)):(1,(8,4))"}, "(4,(2,2)):(1,(8,4))\n"},
	{"draw", args{"expr": "(4,(2,2)):(1,(8,4))", "format": "svg"}, "<svg"},
	{"draw", args{"expr": "((4,8),(2,2)):((32,1),(16,8))", "as": "tv", "shape": []int{16, 8}, "format": "txt"}, "on (16,8)"},
	{"draw", args{"expr": "(4,(2,2)):(1,(8,4))", "format": "txt"}, "\n"},
	{"draw", args{"expr": "SM80_16x8x16_F32F16F16F32_TN", "format": "png"}, "SM80"},
	{"convert", args{
		"from": "linear{register=[[1],[2]], lane=[[4],[8]], out=[dim0:16]}",
		"to":   "linear{register=[[4],[2]], lane=[[1],[8]], out=[dim0:16]}", "type": "f32",
	}, "warp shuffles"},
	{"show", args{"expr": "(2,(1,6)):(1,(6,2))"}, "Layout<"},
	{"show", args{"expr": "(2,(1,6)):(1,(6,2))", "as": "dsl"}, "cute.make_layout"},
	{"why", args{"text": whyText}, "repair"},
	{"read", args{"text": "sA: (_8,_64):(_64,_1) and more"}, "(8,64):(64,1)\n"},
}

const whyText = `Traceback (most recent call last):
  File "/home/me/demo.py", line 4, in <module>
    print(composition(Layout((4, 6), (1, 4)), Layout(3, 5)))
  File "/site-packages/pycute/layout.py", line 185, in composition
    assert curr_shape % rest_shape == 0 or rest_shape % curr_shape == 0
AssertionError
`

// refusals are calls that end with an error, with its code; at least one call per tool.
var refusals = []struct {
	tool string
	args args
	code string
}{
	{"eval", args{"expr": "(6,2):(1,7) o (3,2):(2,3)"}, "not_representable"},
	{"eval", args{"expr": ""}, "syntax"},
	{"sim", args{"ptx": "no PTX", "init": true}, "syntax"},
	{"litmus", args{"test": "no test"}, "syntax"},
	{"sim", args{"ptx": doubling, "launch": `{"block": 2, "params": [{"kind": "buffer"}]}`}, "syntax"},
	{"check", args{"ptx": doubling, "launch": ""}, "syntax"},
	{"check", args{}, "syntax"},
	{"check", args{"ptx": doubling, "source": "x", "name": "a.cu"}, "syntax"},
	{"check", args{"source": "x // girih: golden"}, "syntax"},
	{"check", args{"source": "x", "name": "a.cu"}, "syntax"},
	{"lint", args{"ptx": "no PTX"}, "syntax"},
	{"kernel", args{"kernel": "sgemm_3"}, "name"},
	{"follow", args{"kernel": "transpose_4"}, "name"},
	{"copy", args{"src": "(4,4):(4,1)", "dst": "(4,4):(1,1)", "type": "f16"}, "not_injective"},
	{"kernel", args{"kernel": "sgemm_1", "tile": []int{64, 60, 8}}, "not_divisible"},
	{"kernel", args{"kernel": "sgemm_1", "stages": 2}, "name"},
	{"kernel", args{"kernel": "sgemm_1", "set": []string{"M=128"}}, "name"},
	{"kernel", args{"kernel": "sgemm_1", "set": []string{"m"}}, "syntax"},
	{"kernel", args{"div": 8}, "syntax"},
	{"eval", args{"expr": true}, "type"},
	{"eval", args{"expression": "4:1"}, "name"},
	{"eval", args{}, "syntax"},
	{"help", args{"name": "logical_divid"}, "name"},
	{"explain", args{"expr": "(4,"}, "syntax"},
	{"compat", args{"expr": "4:1"}, "type"},
	{"bank", args{"expr": "(8,64):(64,1)", "type": "f16", "accesses": []string{"ldmatrix.x3"}}, "name"},
	{"bank", args{"expr": "(8,64):(64,1)", "type": "f16"}, "syntax"},
	{"swizzle", args{"expr": "(8,64):(64,1)", "type": "f17", "accesses": []string{"ldmatrix.x4"}}, "name"},
	{"predicate", args{"tensor": "(100,77)", "tile": []int{32, 64}, "atom": tiledVectors}, "not_divisible"},
	{"align", args{"expr": "(128,64):(64,1)", "type": "f16", "align": 12}, "extent"},
	{"budget", args{"tile": []int{128, 256, 64}, "type": "f16", "stages": 5}, "limit"},
	{"tma", args{"expr": "(64,64):(64,1)", "type": "f16", "smem": "(64,64):(1,64)"}, "not_representable"},
	{"recognize", args{"expr": "0,1,1,5"}, "not_representable"},
	{"recognize", args{"expr": "(8,64):(64,1)", "from": "(8,8):(8,1)"}, "not_congruent"},
	{"recognize", args{"expr": "0,1", "type": "f17"}, "name"},
	{"global", args{"expr": "1024:1", "type": "f32", "accesses": []string{"ldmatrix.x4"}}, "type"},
	{"global", args{"expr": "1024:1", "type": "f32", "accesses": []string{"ld"}, "target": "gfx942"}, "type"},
	{"mma", args{"atom": "SM80_16x8x16"}, "name"},
	{"mma", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "operand": "B"}, "syntax"},
	{"mma", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "run": 3}, "not_divisible"},
	{"copies", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "expr": "(63,64):(64,1)"}, "not_divisible"},
	{"copies", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "expr": "("}, "syntax"},
	{"gemm", args{"type": "f16", "m": 0, "n": 64, "k": 32}, "syntax"},
	{"gemm", args{"m": 1, "n": 64, "k": 32}, "syntax"},
	{"linear", args{"expr": "(3,2):(2,1)"}, "not_representable"},
	{"linear", args{"expr": "(8,8):(8,1)", "view": "front"}, "name"},
	{"convert", args{"from": "linear{register=[[1]], out=[dim0:2]}", "to": "linear{register=[[1]], out=[dim0:2]}", "type": "f32", "through": "air"}, "syntax"},
	{"atoms", args{"filter": []string{"sm80", "q16"}}, "name"},
	{"atoms", args{"most": -1}, "negative"},
	{"atom", args{"atom": "SM80_16x8x16"}, "name"},
	{"partition", args{"atom": "SM80_16x8x16_F32F16F16F32_TN", "operand": "C", "expr": "(15,8)", "thread": 5}, "not_divisible"},
	{"draw", args{"expr": "(4,4)", "format": "gif"}, "syntax"},
	{"draw", args{"expr": "(128,128):(128,1)", "max_cells": 65536}, "limit"},
	{"convert", args{"from": "4:1", "to": "4:1", "type": "f32"}, "name"},
	{"descriptor", args{"decode": "0x4001804000010000", "type": "f16"}, "not_representable"},
	{"tmem", args{"instr": "m=64,n=128,a=f16", "load": "32x32b.x16"}, "mode"},
	{"show", args{"expr": "4:1", "as": "fortran"}, "name"},
	{"why", args{"text": "all is well"}, "syntax"},
	{"read", args{"text": "hello"}, "syntax"},
	{"run", args{"program": "print(4:1)\nassert size(4:1) == 3"}, "assert"},
	{"run", args{"program": scaling, "block": []int{0}, "call": scalingCall}, "extent"},
	{"run", args{"program": scaling, "block": []int{6}}, "rank"},
}

func TestAnswers(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	var seen []string
	for _, x := range answers {
		seen = append(seen, x.tool)
		if err := c.inputs[x.tool].Validate(plain(t, x.args)); err != nil {
			t.Errorf("%s(%v): the arguments are not what the schema says: %v", x.tool, x.args, err)
		}
		if r := c.call(t, x.tool, x.args); r.failed || !strings.Contains(r.text, x.text) {
			t.Errorf("%s(%v) = %s, failed %v, want %q", x.tool, x.args, r.text, r.failed, x.text)
		}
	}
	for _, tool := range tools() {
		if !slices.Contains(seen, tool.Name) {
			t.Errorf("no call of %s", tool.Name)
		}
	}
}

// plain returns a value as JSON decodes it.
func plain(t *testing.T, v any) (out any) {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// Arguments that a schema does not allow are refused.
func TestSchemasRefuse(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	for _, x := range []struct {
		tool string
		args args
	}{
		{"eval", args{}},
		{"eval", args{"expr": 5}},
		{"eval", args{"expr": "4:1", "more": 1}},
		{"draw", args{"expr": "4:1", "format": "gif"}},
		{"bank", args{"expr": "4:1", "type": "f16", "accesses": "ld"}},
		{"atom", args{"atom": "x", "thread": "one"}},
	} {
		if c.inputs[x.tool].Validate(plain(t, x.args)) == nil {
			t.Errorf("the schema of %s allows %v", x.tool, x.args)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	var seen []string
	for _, x := range refusals {
		seen = append(seen, x.tool)
		r := c.call(t, x.tool, x.args)
		if !r.failed || r.Error.Code != x.code || r.Error.Message == "" {
			t.Errorf("%s(%v) = %s, %+v, want the error %s", x.tool, x.args, r.raw, r.Error, x.code)
		} else if !strings.Contains(r.text, "error: "+x.code+": ") {
			t.Errorf("%s(%v): the text is %q", x.tool, x.args, r.text)
		}
	}
	for _, tool := range tools() {
		if !slices.Contains(seen, tool.Name) {
			t.Errorf("no call of %s", tool.Name)
		}
	}
}

// TestRunErrors checks that an error of a run says which text it is in, that the errors of all cells are there, and
// that nothing is said of the flags of the command line.
func TestRunErrors(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	const twoCells = "```python\nx = 1\ny(2)\n```\n```python\nz(3)\n```\n"
	for _, x := range []struct {
		args args
		text string
	}{
		{args{"program": scaling, "call": scalingCall, "expect": "y[0] = 1;"}, "expect:1:1: error: assert"},
		{args{"program": scaling, "call": "scale(random(6)"}, "call:1:17: error: syntax"},
		{args{"program": scaling, "call": "scale(random(6), zeros(6))"}, "by name or by position: 'scale(n=64)'"},
		{args{"program": scaling}, "launches the kernel scale: run with grid [1], block [64]"},
		{args{"program": twoCells}, "6:1: error: name: z is"},
		{args{"program": twoCells}, "3:1: error: name: y is"},
	} {
		if r := c.call(t, "run", x.args); !strings.Contains(r.text, x.text) || strings.Contains(r.text, "--") {
			t.Errorf("run(%v) = %s, want %q", x.args, r.text, x.text)
		}
	}
}

// An error contains all that the command line prints: witness, hint, and the place in the expression.
func TestErrorIsWhole(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	r := c.call(t, "eval", args{"expr": "(6,2):(1,7) o (3,2):(2,3)"})
	if r.Error.Witness == nil || r.Error.Witness.Coord != "(2,1)" || r.Error.Hint == "" ||
		!strings.Contains(r.text, "^~~") || !strings.Contains(r.text, "witness: ") {
		t.Errorf("the error is %+v: %s", r.Error, r.text)
	}
	if r := c.call(t, "eval", args{"expr": "logical_divid(4:1, 2)"}); !strings.Contains(r.text, "logical_divide") {
		t.Errorf("no name is suggested: %s", r.text)
	}
}

// TestFindingIsWhole checks that the answer about a race has all that is needed to repair it: both lines with their
// numbers, the threads, the address, and what is missing.
func TestFindingIsWhole(t *testing.T) {
	t.Parallel()
	const race = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k() {\n.shared .u32 s[64]; .reg .b32 %r<3>; .reg .b32 %a;\n" +
		"mov.u32 %r1, %tid.x; shl.b32 %a, %r1, 2; mov.u32 %r2, s; add.u32 %a, %a, %r2;\nst.shared.u32 [%a], %r1;\n" +
		"xor.b32 %a, %a, 128;\nld.shared.u32 %r2, [%a];\nret;\n}\n"
	c := inMemory(t)
	for _, tool := range []string{"sim", "check"} {
		r := c.call(t, tool, args{"ptx": race, "launch": `{"block": 64}`})
		for _, part := range []string{
			"race: line ", "       7 | st.shared.u32 [%a], %r1;", "       9 | ld.shared.u32 %r2, [%a];", "thread (32,0,0)", "address 0x",
			"a barrier between them is missing",
		} {
			if !strings.Contains(r.text, part) {
				t.Errorf("%s: %q is not in\n%s", tool, part, r.text)
			}
		}
	}
}

// TestSource checks that the findings of a source come with their lines and numbers.
func TestSource(t *testing.T) {
	t.Parallel()
	source := "template <class L> void f() {\n__shared__ float t[32][32]; // girih: conflict-free f32 ld by rows\n" +
		"auto l = composition(L{}, 8); // girih: golden\n}"
	r := inMemory(t).call(t, "check", args{"name": "a.cu", "source": source})
	for _, part := range []string{
		"a.cu:2:32: error: ld of f32 is 32-way", "bank 0: lanes 0-31", "a.cu:3:34: error: L is a parameter of a template at line 1",
		"1 file checked: 2 errors",
	} {
		if !strings.Contains(r.text, part) {
			t.Errorf("%q is not in\n%s", part, r.text)
		}
	}
}

func TestPictures(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	for _, x := range []struct {
		tool string
		args args
		n    int
	}{
		{"draw", args{"expr": "(4,4):(4,1)"}, 1},
		{"draw", args{"expr": "(4,4):(4,1)", "format": "png"}, 1},
		// This picture has 500 kB at scale 2.
		{"draw", args{"expr": "zipped_divide((9,(4,8)):(59,(13,1)), <3:3,(2,4):(1,8)>)", "as": "divide"}, 1},
		{"draw", args{"expr": "(4,4):(4,1)", "format": "tex"}, 0},
		{"draw", args{"expr": "(4,4):(4,1)", "format": "svg"}, 0},
		{"draw", args{"expr": "(4,4):(4,1)", "format": "txt"}, 0},
		{"explain", args{"expr": "complement((2,3):(2,4), 24)", "figures": "png"}, -1},
		{"explain", args{"expr": "complement((2,3):(2,4), 24)", "figures": "svg"}, 0},
	} {
		r := c.call(t, x.tool, x.args)
		if len(r.pictures) != x.n && (x.n >= 0 || len(r.pictures) == 0) {
			t.Errorf("%s(%v) has %d pictures, want %d", x.tool, x.args, len(r.pictures), x.n)
		}
		for _, p := range r.pictures {
			img, err := png.Decode(bytes.NewReader(p))
			if err != nil {
				t.Fatalf("%s(%v): %v", x.tool, x.args, err)
			}
			if _, ok := img.(*image.Paletted); !ok || img.Bounds().Dx() > 1000 || len(p) > 150_000 {
				t.Errorf("%s(%v): a picture of %d bytes, %v, a palette: %v", x.tool, x.args, len(p), img.Bounds(), ok)
			}
		}
		if r.raw != "" {
			t.Errorf("%s(%v): the picture is in the text, and there is structured content too: %.200s", x.tool, x.args, r.raw)
		}
	}
}

// Concurrent calls do not mix, and names that one call binds are unknown to other calls.
func TestConcurrentCalls(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	var calls sync.WaitGroup
	for i := range 100 {
		calls.Go(func() {
			expr, want := fmt.Sprintf("let a = %d:2; a", i+2), fmt.Sprintf("%d:2", i+2)
			if i%10 == 9 {
				expr, want = "a", ""
			}
			r := c.call(t, "eval", args{"expr": expr})
			if r.Value != want {
				t.Errorf("%s = %q, want %q", expr, r.Value, want)
			}
		})
	}
	calls.Wait()
}

func TestDefinitions(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	about := c.InitializeResult()
	for tool, err := range c.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(about.Instructions, tool.Name) {
			t.Errorf("the instructions do not say what %s is for", tool.Name)
		}
		a := tool.Annotations
		if a == nil || !a.ReadOnlyHint || *a.OpenWorldHint || tool.Title == "" || tool.Description == "" {
			t.Errorf("%s: %+v", tool.Name, a)
		}
	}
	if about.ServerInfo.Name != "girih" || about.ServerInfo.Version == "" || about.Capabilities.Tools == nil ||
		about.Capabilities.Resources == nil {
		t.Errorf("the server is %+v with %+v", about.ServerInfo, about.Capabilities)
	}
	if _, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: "no_tool"}); err == nil ||
		!strings.Contains(err.Error(), "no_tool") {
		t.Errorf("a tool that is not there: %v", err)
	}
}

func TestResources(t *testing.T) {
	t.Parallel()
	c := inMemory(t)
	for uri, want := range map[string]string{
		"girih://reference": "### `zipped_divide(", "girih://errors": "`not_representable`", "girih://reference/complement": "### `complement(",
	} {
		r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil || len(r.Contents) != 1 || !strings.Contains(r.Contents[0].Text, want) {
			t.Errorf("%s: %v, want %q", uri, err, want)
		}
	}
	for _, uri := range []string{"girih://reference/no_function", "girih://nothing", "file:///etc/passwd"} {
		if r, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s = %+v, want an error", uri, r.Contents)
		}
	}
	n := 0
	for _, err := range c.Resources(context.Background(), nil) {
		if n++; err != nil {
			t.Error(err)
		}
	}
	if n != 2 {
		t.Errorf("%d resources are listed, want 2", n)
	}
}
