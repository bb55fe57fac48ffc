package sim_test

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"girih/dtype"
	"girih/internal/check/long"
	"girih/ptx/sim"
	"girih/tensormap"
)

// wideKernel returns a kernel of C = A·Bᵀ of bf16 in tiles of 128x256, with 64 columns of K in a stage. It has two
// warpgroups of 64 rows each, two stages with an mbarrier each, and multiplies one stage while it loads the next.
func wideKernel() string {
	regs := func(format string) string {
		var s []string
		for i := range 128 {
			s = append(s, fmt.Sprintf(format, i))
		}
		return strings.Join(s, ", ")
	}
	var b strings.Builder
	w := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	w(".version 8.0\n.target sm_90a\n.address_size 64")
	w(".extern .shared .align 1024 .b8 arena[];")
	w(".visible .entry wide(.param .align 64 .b8 ma[128], .param .align 64 .b8 mb[128], .param .u64 out, .param .u32 n, .param .u32 k)\n{")
	w(".reg .b32 %%r<64>; .reg .b64 %%rd<64>; .reg .f32 %%d<128>; .reg .pred %%p<9>;")
	w("mov.u32 %%r0, %%tid.x; mov.u32 %%r1, arena; ld.param.u32 %%r2, [n]; ld.param.u32 %%r3, [k]; ld.param.u64 %%rd1, [out];")
	w("mov.b64 %%rd2, ma; cvta.param.u64 %%rd2, %%rd2; mov.b64 %%rd3, mb; cvta.param.u64 %%rd3, %%rd3;")
	w("mov.u32 %%r4, %%ctaid.x; shl.b32 %%r4, %%r4, 8; mov.u32 %%r5, %%ctaid.y; shl.b32 %%r5, %%r5, 7;")
	w("add.u32 %%r6, %%r1, 98304; setp.ne.u32 %%p1, %%r0, 0; @%%p1 bra READY;")
	w("mbarrier.init.shared.b64 [%%r6], 1; mbarrier.init.shared.b64 [%%r6+8], 1; fence.mbarrier_init.release.cluster;")
	w("READY: bar.sync 0;")
	for i := range 128 {
		w("mov.f32 %%d%d, 0f00000000;", i)
	}
	w("mov.u32 %%r7, 0; mov.u32 %%r8, 0; mov.u32 %%r30, 0;") // k0, stage, phase
	w("shr.u32 %%r9, %%r0, 7; shl.b32 %%r9, %%r9, 13;")      // start of the warpgroup in A
	load := func(stage string) {
		w("mad.lo.u32 %%r10, %s, 49152, %%r1; shl.b32 %%r11, %s, 3; add.u32 %%r11, %%r11, %%r6;", stage, stage)
		w("add.u32 %%r12, %%r10, 16384; add.u32 %%r13, %%r5, 64; add.u32 %%r14, %%r10, 8192;")
		w("mbarrier.arrive.expect_tx.shared.b64 _, [%%r11], 49152;")
		for _, operands := range []string{
			"[%%r10], [%%rd2, {%%r15, %%r5}]", "[%%r14], [%%rd2, {%%r15, %%r13}]", "[%%r12], [%%rd3, {%%r15, %%r4}]",
		} {
			w("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes " + operands + ", [%%r11];")
		}
	}
	w("@%%p1 bra LOADED; mov.u32 %%r15, 0; mov.u32 %%r16, 0;")
	load("%r16")
	w("LOADED:\nLOOP:")
	w("shl.b32 %%r11, %%r8, 3; add.u32 %%r17, %%r11, %%r6;")
	w("WAIT: mbarrier.try_wait.parity.shared.b64 %%p2, [%%r17], %%r30; @!%%p2 bra WAIT;")
	w("mad.lo.u32 %%r18, %%r8, 49152, %%r1; add.u32 %%r19, %%r18, 16384; add.u32 %%r18, %%r18, %%r9;")
	w("shr.u32 %%r18, %%r18, 4; shr.u32 %%r19, %%r19, 4; cvt.u64.u32 %%rd4, %%r18; cvt.u64.u32 %%rd5, %%r19;")
	w("or.b64 %%rd4, %%rd4, 0x4000004000010000; or.b64 %%rd5, %%rd5, 0x4000004000010000;")
	w("wgmma.fence.sync.aligned;")
	for range 4 {
		w("wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {%s}, %%rd4, %%rd5, 1, 1, 1, 0, 0;", regs("%%d%d"))
		w("add.u64 %%rd4, %%rd4, 2; add.u64 %%rd5, %%rd5, 2;")
	}
	w("wgmma.commit_group.sync.aligned;")
	w("add.u32 %%r7, %%r7, 64; setp.ge.u32 %%p3, %%r7, %%r3; @%%p3 bra LAST;")
	// All threads have waited for the product of the stage that is loaded next.
	w("wgmma.wait_group.sync.aligned 1; bar.sync 0; xor.b32 %%r8, %%r8, 1; @%%p1 bra NEXT; mov.u32 %%r15, %%r7;")
	load("%r8")
	w("NEXT: setp.eq.u32 %%p4, %%r8, 0; @%%p4 xor.b32 %%r30, %%r30, 1; bra LOOP;")
	w("LAST: wgmma.wait_group.sync.aligned 0;")
	w("shr.u32 %%r20, %%r0, 5; shl.b32 %%r20, %%r20, 4; and.b32 %%r21, %%r0, 31; shr.u32 %%r22, %%r21, 2; add.u32 %%r20, %%r20, %%r22; add.u32 %%r20, %%r20, %%r5;")
	w("and.b32 %%r22, %%r21, 3; shl.b32 %%r22, %%r22, 1; add.u32 %%r22, %%r22, %%r4; mad.lo.u32 %%r23, %%r20, %%r2, %%r22;")
	w("mad.wide.u32 %%rd6, %%r23, 4, %%rd1; shl.b32 %%r24, %%r2, 5; cvt.u64.u32 %%rd7, %%r24; add.u64 %%rd7, %%rd7, %%rd6;")
	for i := 0; i < 128; i += 4 {
		for j, address := range []string{"%%rd6", "%%rd7"} {
			w("st.global.v2.f32 [%s+%d], {%%d%d, %%d%d};", address, 8*i, i+2*j, i+2*j+1)
		}
	}
	w("ret;\n}")
	return strings.ReplaceAll(b.String(), "%%", "%")
}

// runWide runs wideKernel on operands given by f, and returns A, B and C.
func runWide(t testing.TB, p *sim.Program, size [3]int, f func(i int) float64) ([]float64, []float64, []float32) {
	t.Helper()
	m, n, k := size[0], size[1], size[2]
	mem := memory(t, p)
	matrix := func(name string, rows, from int) (*sim.Buffer, []float64) {
		values := make([]float64, rows*k)
		data := make([]byte, 0, 2*rows*k)
		for i := range values {
			values[i] = f(i + from)
			c, err := dtype.BF16.Encode(values[i])
			if err != nil {
				t.Fatal(err)
			}
			data = binary.LittleEndian.AppendUint16(data, uint16(c))
		}
		buf, err := mem.Put(name, data)
		if err != nil {
			t.Fatal(err)
		}
		return buf, values
	}
	tensor := func(buf *sim.Buffer, rows int, box int64) sim.Arg {
		typ, err := tensormap.TypeOf(dtype.BF16)
		if err != nil {
			t.Fatal(err)
		}
		a, err := sim.TensorMap(tensormap.Map{
			Type: typ, Address: buf.Address(), Dims: []int64{int64(k), int64(rows)}, Strides: []int64{int64(2 * k)},
			Box: []int64{64, box}, Swizzle: tensormap.Swizzle128B,
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	ab, av := matrix("a", m, 0)
	bb, bv := matrix("b", n, 12345)
	out := put(t, mem, make([]float32, m*n))
	_, err := p.Run(context.Background(), mem, sim.Launch{
		Grid: sim.Dim{X: n / 256, Y: m / 128}, Block: sim.Dim{X: 256}, Shared: 98304 + 64,
		Args: []sim.Arg{tensor(ab, m, 64), tensor(bb, n, 256), sim.Pointer(out, 0), sim.U32(uint32(n)), sim.U32(uint32(k))},
	})
	if err != nil {
		t.Fatal(err)
	}
	return av, bv, get[float32](t, out)
}

func TestWideWgmma(t *testing.T) {
	t.Parallel()
	long.Alone(t)
	const m, n, k = 128, 256, 192
	a, b, c := runWide(t, loadText(t, wideKernel()), [3]int{m, n, k}, func(i int) float64 { return float64(i*i%13 - 6) })
	for i := range m {
		for j := range n {
			want := 0.0
			for l := range k {
				want += a[i*k+l] * b[j*k+l]
			}
			if got := float64(c[i*n+j]); got != want {
				t.Fatalf("(%d,%d) is %v, want %v", i, j, got, want)
			}
		}
	}
}

// BenchmarkWideWgmma multiplies 256x512x256 in tiles of 128x256x64: numbers of similar size, whose sums are exact, and
// numbers of all sizes.
func BenchmarkWideWgmma(b *testing.B) {
	p := loadText(b, wideKernel())
	for name, f := range map[string]func(i int) float64{
		"short": func(i int) float64 { return float64(i*i%13-6) / 8 },
		"long":  func(i int) float64 { return math.Ldexp(float64(i*i%251-125), i*7%23-11) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				runWide(b, p, [3]int{256, 512, 256}, f)
			}
		})
	}
}
