package sim_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"girih/ptx/sim"
)

// matrixKernel returns a kernel of one warp with a tile in shared memory, whose first 512 bytes hold ones of f16. In
// each lane, %rK is K for K from 10 to 29, %t is the lane, %a is the address of the lane's row, %ga is the generic form
// of %a, and %out is the address for the lane's results.
func matrixKernel(body string) string {
	var b strings.Builder
	b.WriteString(".version 8.7\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n" +
		".reg .b32 %r<40>; .reg .b64 %rd<9>; .reg .f64 %f<9>; .reg .pred %p<9>; .reg .b32 %t, %a, %tile; .reg .b64 %ga, %out;\n" +
		".shared .align 16 .b8 tile[1024];\n" +
		"mov.u32 %t, %tid.x; mov.u32 %tile, tile; mad.lo.u32 %a, %t, 16, %tile;\n" +
		"cvt.u64.u32 %ga, %a; cvta.shared.u64 %ga, %ga; ld.param.u64 %out, [out]; mad.wide.u32 %out, %t, 16, %out;\n" +
		"mov.u32 %r30, 0x3c003c00; st.shared.v4.u32 [%a], {%r30, %r30, %r30, %r30};\n" +
		"setp.lt.u32 %p1, %t, 16; setp.lt.u32 %p2, %t, 8; setp.eq.u32 %p3, %t, 3;\n")
	for i := 10; i < 30; i++ {
		fmt.Fprintf(&b, "mov.u32 %%r%d, %d;\n", i, i)
	}
	b.WriteString("//body\n" + body + "ret;\n}\n")
	return b.String()
}

// runMatrix runs matrixKernel(body) with the given number of threads, and returns the results, 4 words per lane.
func runMatrix(t *testing.T, body string, threads int) ([]uint32, *sim.Finding) {
	t.Helper()
	p := loadText(t, matrixKernel(body))
	m := memory(t, p)
	out := put(t, m, make([]uint32, 4*threads))
	_, err := p.Run(context.Background(), m, sim.Launch{Block: sim.Dim{X: threads}, Args: []sim.Arg{sim.Pointer(out, 0)}})
	f, ok := errors.AsType[*sim.Finding](err)
	if err != nil && !ok {
		t.Fatal(err)
	}
	return get[uint32](t, out), f
}

const (
	ldm1 = "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%a];\n"
	mmaH = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r30, %r30, %r30, %r30}, {%r5, %r30}, {%r6, %r6, %r6, %r6};\n"
)

func TestMatrixFindings(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, body string
		kind       sim.Kind // "" for no finding
		text       string
	}{
		{"addresses of eight lanes", "@!%p2 mov.u32 %a, 7;\n" + ldm1, "", ""},
		{"a generic address", "ldmatrix.sync.aligned.m8n8.x4.b16 {%r1, %r2, %r3, %r4}, [%ga];\n", "", ""},
		{"an address of nobody", "mov.u32 %r0, %r39;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, [%r0];\n", sim.KindUninitialised, "%r39"},
		{"a row that is not aligned", "@%p3 add.u32 %a, %a, 8;\n" + ldm1, sim.KindAlign, "16 bytes"},
		{"a row outside", "@%p3 add.u32 %a, %a, 0x100000;\n" + ldm1, sim.KindBounds, "shared memory"},
		{"a row in global memory", "ldmatrix.sync.aligned.m8n8.x1.b16 {%r1}, [%out];\n", sim.KindBounds, "shared memory"},
		{"a row that was not written", "@%p3 add.u32 %a, %a, 512;\n" + ldm1, "", ""},
		{"a row that was not written and is used", "@%p3 add.u32 %a, %a, 512;\n" + ldm1 + "st.global.u32 [%out], %r1;\n", sim.KindUninitialised, "16 bytes"},
		{"half a warp", "@%p1 " + ldm1, sim.KindDivergent, ""},
		{"lanes that have left", "@%p1 ret;\n" + ldm1, sim.KindDivergent, "all 32"},
		{
			"stored without a value", "stmatrix.sync.aligned.m8n8.x2.shared.b16 [%a], {%r10, %r38};\nld.shared.u32 %r1, [%a];\nst.global.u32 [%out], %r1;\n",
			sim.KindUninitialised, "nothing was written",
		},
		{
			"transposed without a value", "@%p3 mov.u32 %r38, 1;\nmovmatrix.sync.aligned.m8n8.trans.b16 %r1, %r38;\nst.global.u32 [%out], %r1;\n",
			sim.KindUninitialised, "%r38",
		},
		{"values that nobody has written, and nobody looks at", mmaH, "", ""},
		{
			"a column of B without a value", "mov.f32 %r6, 0f00000000;\n@!%p2 mov.u32 %r5, %r30;\n" + mmaH + "st.global.u32 [%out], %r1;\n",
			sim.KindUninitialised, "%r5",
		},
		{"C without a value", "mov.u32 %r5, %r30;\n" + mmaH + "st.global.u32 [%out], %r4;\n", sim.KindUninitialised, "%r6"},
		{
			"metadata that is none", "mov.u32 %r5, 0;\nmov.f32 %r6, 0f00000000;\n" +
				"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r30, %r30}, {%r30, %r30}, {%r6, %r6, %r6, %r6}, %r5, 0;\n",
			sim.KindArgument, "0b0000",
		},
		{
			"metadata that is not in order", "mov.u32 %r5, 0x11111111;\nmov.f32 %r6, 0f00000000;\n" +
				"mma.sp::ordered_metadata.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1, %r2, %r3, %r4}, {%r30, %r30}, {%r30, %r30}, {%r6, %r6, %r6, %r6}, %r5, 0;\n",
			sim.KindArgument, "0b0001",
		},
		{"a matrix that is not aligned", "add.u64 %ga, %ga, 8;\nshfl.sync.idx.b32 %a, %a, 0, 31, -1;\nadd.u32 %a, %a, 4;\n" +
			"wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%r1, %r2, %r3, %r4}, [%a];\n", sim.KindAlign, "16 bytes"},
		{
			"a matrix with a pointer for each lane", "wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%r1, %r2, %r3, %r4}, [%a];\n",
			sim.KindDivergent, "the same",
		},
		{"a matrix that goes on outside", "wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%r1, %r2, %r3, %r4}, [%tile], 32;\n" +
			"wmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%r1, %r2, %r3, %r4}, [%tile], 64;\n", sim.KindBounds, ""},
		{
			"a matrix that was not written", "add.u32 %tile, %tile, 512;\nwmma.load.a.sync.aligned.row.m16n16k16.shared.bf16 {%r1, %r2, %r3, %r4}, [%tile];\n" +
				"st.global.u32 [%out], %r4;\n", sim.KindUninitialised, "2 bytes",
		},
	} {
		_, f := runMatrix(t, tt.body, 32)
		if tt.kind == "" {
			if f != nil {
				t.Errorf("%s: %v", tt.name, f)
			}
			continue
		}
		if f == nil || f.Kind != tt.kind || !strings.Contains(f.Message, tt.text) {
			t.Errorf("%s: %v, want %s, %q", tt.name, f, tt.kind, tt.text)
		}
	}
}

// TestMMATaint checks that an element of D has a value if all values that it depends on exist.
func TestMMATaint(t *testing.T) {
	t.Parallel()
	// B has no values in columns 4 to 7; each lane from 16 to 31 holds one of them. Each lane holds two columns
	// of C: lanes 0 and 1 of each group of four hold columns 0 to 3.
	out, f := runMatrix(t, "mov.f32 %r6, 0f3F800000;\n@%p1 mov.u32 %r5, %r30;\n"+mmaH+
		"and.b32 %r7, %t, 3;\nsetp.gt.u32 %p4, %r7, 1;\n@%p4 ret;\nst.global.v4.u32 [%out], {%r1, %r2, %r3, %r4};\n", 32)
	if f != nil {
		t.Fatal(f)
	}
	for lane := range 32 {
		want := float32(17)
		if lane%4 > 1 {
			want = 0
		}
		for i := range 4 {
			if got := math.Float32frombits(out[4*lane+i]); got != want {
				t.Fatalf("value %d of lane %d is %v, want %v", i, lane, got, want)
			}
		}
	}
}

// TestMatrixRefused checks that instructions that do not exist, or not on sm_90, are refused by name and never run.
func TestMatrixRefused(t *testing.T) {
	t.Parallel()
	const d4, a4, b2 = "{%r1, %r2, %r3, %r4}", "{%r10, %r11, %r12, %r13}", "{%r14, %r15}"
	for _, tt := range []struct{ body, text string }{
		{"ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%a];", "sm_100"},
		{"ldmatrix.sync.aligned.m8n16.x1.shared.b8x16.b4x16_p64 {%r1}, [%a];", "sm_100"},
		{"stmatrix.sync.aligned.m16n8.x1.trans.shared.b8 [%a], {%r1};", "sm_100"},
		{"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1}, [%a];", "registers"},
		{"ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2};", "operands"},
		{"ldmatrix.sync.aligned.m8n8.x8.shared.b16 {%r1}, [%a];", "x4"},
		{"ldmatrix.m8n8.x1.shared.b16 {%r1}, [%a];", "sync"},
		{"ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r1}, %r2;", "address"},
		{"movmatrix.sync.aligned.m8n8.b16 %r1, %r2;", "trans"},
		{"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32 " + d4 + ", " + a4 + ", " + b2 + ", " + d4 + ";", "needs sm_120a"},
		{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16 " + d4 + ", " + a4 + ", " + b2 + ", " + b2 + ";", "no instruction"},
		{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + d4 + ", " + a4 + ", " + b2 + ";", "operands"},
		{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + d4 + ", " + b2 + ", " + b2 + ", " + d4 + ";", "expected 4 registers"},
		{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + d4 + ", {%p1, %p1, %p1, %p1}, " + b2 + ", " + d4 + ";", "predicate"},
		{"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 " + d4 + ", " + a4 + ", " + a4 + ", " + d4 + ", %r1, 2;", "selector of 0 to 1"},
		{"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 " + d4 + ", " + a4 + ", " + a4 + ", " + d4 + ", %r1, %r2;", "selector"},
		{"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " + d4 + ", %rd1, %rd2, %p1, 1, 1, 0;", "imm"},
		{"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " + d4 + ", %rd1, %rd2, %p1, 1, 2, 0, 0;", "imm-scale-b"},
		{"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 " + d4 + ", %rd1, %rd2;", "operands"},
		{"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 " + d4 + ", %rd1, %rd2, %r1;", "operands"},
		{"wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 " + d4 + ", %rd1, %rd2, %p1, 1, 1, 0, 0;", "no instruction"},
		{"wgmma.wait_group.sync.aligned %r1;", "number of groups"},
		{"wgmma.sync.aligned;", "mma_async"},
		{"wmma.load.a.sync.aligned.row.m16n16k16.shared.f64 {%r1}, [%tile];", "no wmma"},
		{"wmma.load.a.sync.aligned.m16n16k16.shared.f16 {%r1}, [%tile];", "layout"},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.f32 {%r1}, {%r1}, {%r1}, {%r1};", "types"},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32 {%r1}, {%r1}, {%r1}, {%r1};", "types"},
		{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.bf16.bf16.f32 {%r1}, {%r1}, {%r1}, {%r1};", "expected 8 registers"},
		{"wmma.mma.sync.aligned.row.col.m16n16k15.f32.f32 {%r1}, {%r1}, {%r1}, {%r1};", "no wmma"},
	} {
		_, f := runMatrix(t, tt.body+"\n", 32)
		if f == nil || f.Kind != sim.KindUnsupported || !strings.Contains(f.Message, tt.text) {
			t.Errorf("%s: %v; want %q", tt.body, f, tt.text)
		}
	}
}

// TestMMARounding checks that .f64 is rounded by the rounding modifier of the instruction, wherever the modifier is.
func TestMMARounding(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		op   string
		want uint64
	}{
		{"m8n8k4.row.col.f64.f64.f64.f64", 0x3ff0000000000000},
		{"m8n8k4.row.col.rp.f64.f64.f64.f64", 0x3ff0000000000004},
		{"m8n8k4.rn.row.col.f64.f64.f64.f64", 0x3ff0000000000000},
		{"m8n8k4.row.col.f64.f64.f64.f64.rz", 0x3ff0000000000000},
		{"m8n8k4.rm.row.col.f64.f64.f64.f64", 0x3ff0000000000000},
	} {
		// The sum is 1 plus four times 2^-60.
		out, f := runMatrix(t, "mov.b64 %f1, 0d3E10000000000000;\nmov.b64 %f2, 0d3FF0000000000000;\n"+
			"mma.sync.aligned."+tt.op+" {%f3, %f4}, {%f1}, {%f1}, {%f2, %f2};\nst.global.v2.f64 [%out], {%f3, %f4};\n", 32)
		if f != nil {
			t.Fatal(f)
		}
		for i := 0; i < len(out); i += 2 {
			if got := uint64(out[i]) | uint64(out[i+1])<<32; got != tt.want {
				t.Errorf("%s: %x, want %x", tt.op, got, tt.want)
				break
			}
		}
	}
}
