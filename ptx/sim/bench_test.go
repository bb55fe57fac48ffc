package sim_test

import (
	"context"
	"testing"

	"girih/ptx/sim"
)

const matmulSource = `
.version 8.0
.target sm_80
.address_size 64
.visible .entry matmul(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
	.reg .pred %p<2>;
	.reg .b32 %r<20>;
	.reg .f32 %f<8>;
	.reg .b64 %rd<20>;
	ld.param.u64 %rd1, [a];
	ld.param.u64 %rd2, [b];
	ld.param.u64 %rd3, [c];
	ld.param.u32 %r1, [n];
	mov.u32 %r2, %tid.x;
	mov.u32 %r3, %ctaid.x;
	mov.u32 %r4, %ntid.x;
	mad.lo.s32 %r5, %r3, %r4, %r2;
	div.u32 %r6, %r5, %r1;
	rem.u32 %r7, %r5, %r1;
	mul.lo.u32 %r8, %r6, %r1;
	mul.wide.u32 %rd4, %r8, 4;
	add.s64 %rd5, %rd1, %rd4;
	mul.wide.u32 %rd6, %r7, 4;
	add.s64 %rd7, %rd2, %rd6;
	mul.wide.u32 %rd8, %r1, 4;
	mov.f32 %f1, 0f00000000;
	mov.u32 %r9, 0;
LOOP:
	ld.global.f32 %f2, [%rd5];
	ld.global.f32 %f3, [%rd7];
	fma.rn.f32 %f1, %f2, %f3, %f1;
	add.s64 %rd5, %rd5, 4;
	add.s64 %rd7, %rd7, %rd8;
	add.s32 %r9, %r9, 1;
	setp.lt.u32 %p1, %r9, %r1;
	@%p1 bra LOOP;
	mul.wide.u32 %rd9, %r5, 4;
	add.s64 %rd10, %rd3, %rd9;
	st.global.f32 [%rd10], %f1;
	ret;
}
`

func TestMatmul(t *testing.T) {
	t.Parallel()
	const n = 32
	p := loadText(t, matmulSource)
	m := memory(t, p)
	a, b := make([]float32, n*n), make([]float32, n*n)
	for i := range a {
		a[i], b[i] = float32(i%7), float32(i%5)-2
	}
	c := alloc(t, m, n*n*4)
	run(t, p, m, sim.Launch{
		Grid: sim.Dim{X: n * n / 128}, Block: sim.Dim{X: 128},
		Args: []sim.Arg{sim.Pointer(put(t, m, a), 0), sim.Pointer(put(t, m, b), 0), sim.Pointer(c, 0), sim.U32(n)},
	})
	for i, v := range get[float32](t, c) {
		want := float32(0)
		for k := range n {
			want += a[i/n*n+k] * b[k*n+i%n]
		}
		if v != want {
			t.Fatalf("element %d: got %v, want %v", i, v, want)
		}
	}
}

// report measures the speed of one launch, in instructions times active lanes.
func report(b *testing.B, p *sim.Program, m *sim.Memory, l sim.Launch) {
	var lanes int64
	for b.Loop() {
		res, err := p.Run(context.Background(), m, l)
		if err != nil {
			b.Fatal(err)
		}
		lanes += res.Lanes
	}
	b.ReportMetric(float64(lanes)/b.Elapsed().Seconds()/1e6, "Mlanes/s")
}

func BenchmarkMatmul(b *testing.B) {
	const n = 128
	p := loadText(b, matmulSource)
	m := memory(b, p)
	x, y := put(b, m, make([]float32, n*n)), alloc(b, m, n*n*4)
	report(b, p, m, sim.Launch{
		Grid: sim.Dim{X: n * n / 128}, Block: sim.Dim{X: 128},
		Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(x, 0), sim.Pointer(y, 0), sim.U32(n)},
	})
}

func BenchmarkTritonAdd(b *testing.B) {
	const n = 1 << 18
	p := loadFile(b, "triton_add.sm_90a.ptx")
	m := memory(b, p)
	x, y := put(b, m, make([]float32, n)), alloc(b, m, n*4)
	report(b, p, m, sim.Launch{
		Grid: sim.Dim{X: n / 1024}, Block: sim.Dim{X: 128},
		Args: []sim.Arg{sim.Pointer(x, 0), sim.Pointer(x, 0), sim.Pointer(y, 0), sim.U32(n), sim.U64(0), sim.U64(0)},
	})
}
