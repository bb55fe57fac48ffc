package gemm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"girih"
	"girih/analyze"
	"girih/atom"
	"girih/gemm"
)

// kernel returns a kernel of an instruction by name, with atoms along M and N.
func kernel(t testing.TB, name string, m, n int64, permutation girih.Tiler, tile [3]int64) gemm.Kernel {
	t.Helper()
	a, err := atom.FindMMA(name)
	if err != nil {
		t.Fatal(err)
	}
	atoms, err := girih.LayoutLeft(girih.Ints(m, n, 1))
	if err != nil {
		t.Fatal(err)
	}
	mma, err := atom.MakeTiledMMA(a, atoms, permutation)
	if err != nil {
		t.Fatal(err)
	}
	k, err := gemm.NewKernel(mma, tile)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return k
}

// problem draws small integers, so that all sums are exact in every type.
func problem(m, n, k int64, most int) gemm.Problem {
	random := rand.New(rand.NewPCG(uint64(m), uint64(n*k)))
	fill := func(size int64) []float64 {
		xs := make([]float64, size)
		for i := range xs {
			xs[i] = float64(random.IntN(2*most+1) - most)
		}
		return xs
	}
	return gemm.Problem{M: m, N: n, K: k, A: fill(m * k), B: fill(n * k), C: fill(m * n)}
}

// reference is D = A·B + C by three loops.
func reference(p gemm.Problem) []float64 {
	d := make([]float64, p.M*p.N)
	for i := range p.M {
		for j := range p.N {
			sum := 0.0
			if len(p.C) > 0 {
				sum = p.C[i*p.N+j]
			}
			for k := range p.K {
				sum += p.A[i*p.K+k] * p.B[j*p.K+k]
			}
			d[i*p.N+j] = sum
		}
	}
	return d
}

func TestGemmOverArchitectures(t *testing.T) {
	t.Parallel()
	target, err := analyze.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name string
		m, n int64
		tile [3]int64
		most int
	}{
		{"UniversalFMA<float,float,float>", 16, 16, [3]int64{32, 32, 8}, 8},
		{"SM75_16x8x8_F32F16F16F32_TN", 2, 2, [3]int64{64, 32, 32}, 8},
		{"SM80_16x8x16_F32F16F16F32_TN", 2, 2, [3]int64{64, 64, 32}, 8},
		{"SM80_16x8x16_F16F16F16F16_TN", 2, 1, [3]int64{32, 32, 32}, 2},
		{"SM80_16x8x16_F32BF16BF16F32_TN", 1, 2, [3]int64{32, 32, 64}, 8},
		{"SM80_16x8x8_F32TF32TF32F32_TN", 2, 2, [3]int64{64, 64, 32}, 8},
		{"SM80_16x8x32_S32S8S8S32_TN", 2, 2, [3]int64{64, 64, 64}, 8},
		{"SM80_8x8x4_F64F64F64F64_TN", 2, 2, [3]int64{32, 32, 16}, 8},
		{"SM89_16x8x32_F32E4M3E4M3F32_TN", 2, 2, [3]int64{64, 64, 64}, 8},
		{"SM90_64x64x16_F32F16F16_SS", 1, 1, [3]int64{128, 64, 64}, 8},
		{"SM90_64x64x16_F32F16F16_RS", 1, 1, [3]int64{64, 64, 64}, 8},
		{"SM70_8x8x4_F32F16F16F32_TN", 2, 2, [3]int64{32, 32, 16}, 8},
		{"v_mfma_f32_32x32x8_f16", 2, 1, [3]int64{64, 64, 32}, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := kernel(t, tt.name, tt.m, tt.n, girih.Keep, tt.tile)
			p := problem(70, 50, 40, tt.most) // multiples of no tile
			r, err := k.Run(p, target)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range reference(p) {
				if math.Abs(r.D[i]-want) > 0 {
					t.Fatalf("D[%d] is %v, want %v", i, r.D[i], want)
				}
			}
			for _, s := range r.Ledger.Stages {
				t.Logf("%+v", s)
			}
			if r.Ledger.Times != [2]int64{1, 1} {
				t.Errorf("products are added %v times", r.Ledger.Times)
			}
		})
	}
}

func BenchmarkGemm256x256x64(b *testing.B) {
	target, err := analyze.ParseTarget("sm80")
	if err != nil {
		b.Fatal(err)
	}
	k := kernel(b, "SM80_16x8x16_F32F16F16F32_TN", 2, 2, girih.Keep, [3]int64{128, 128, 32})
	p := problem(256, 256, 64, 8)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Run(p, target); err != nil {
			b.Fatal(err)
		}
	}
}

var _ = fmt.Sprint
