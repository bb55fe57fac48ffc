package gemm_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/internal/machine/gemm"
)

// kernelOf returns a kernel of an instruction by name, with atoms along M and N.
func kernelOf(t testing.TB, name string, m, n int64, permutation cute.Tiler, tile [3]int64) gemm.Kernel {
	t.Helper()
	a, err := atom.FindMMA(name)
	if err != nil {
		t.Fatal(err)
	}
	atoms, err := cute.LayoutLeft(cute.Ints(m, n, 1))
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
	target, err := banks.ParseTarget("sm90")
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
		{"v_mfma_f32_16x16x32_f16", 2, 1, [3]int64{64, 64, 32}, 8},
		{"v_wmma_f32_16x16x16_f16", 1, 2, [3]int64{32, 32, 32}, 8},
		{"v_wmma_f32_16x16x16_f16_w64", 1, 1, [3]int64{32, 32, 32}, 8},
		{"SM61_DP4A", 8, 8, [3]int64{32, 32, 16}, 8},
		{"SM90_16x8x16_F64F64F64F64_TN", 2, 1, [3]int64{32, 32, 16}, 8},
		{"SM100_MMA_F16BF16_SS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K>", 1, 1, [3]int64{128, 64, 32}, 8},
		{"SM100_MMA_F16BF16_2x1SM_SS<half_t,half_t,float,256,64,UMMA::Major::K,UMMA::Major::K>", 1, 1, [3]int64{256, 64, 32}, 8},
		{"SM100_MMA_F16BF16_TS<half_t,half_t,float,128,64,UMMA::Major::K,UMMA::Major::K>", 1, 1, [3]int64{128, 64, 32}, 8},
		{"SM120_16x8x32_TN<float_e4m3_t,float_e5m2_t,float>", 2, 2, [3]int64{64, 64, 64}, 4},
		{"SM120_16x8x32_TN<float_e2m1_t,float_e2m1_t,float>", 2, 2, [3]int64{64, 64, 64}, 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := kernelOf(t, tt.name, tt.m, tt.n, cute.Keep, tt.tile)
			p := problem(70, 50, 40, tt.most) // not multiples of any tile
			r, err := k.Run(p, target)
			if err != nil {
				t.Fatal(err)
			}
			for i, want := range reference(p) {
				if math.Abs(r.D[i]-want) > 0 {
					t.Fatalf("D[%d] is %v, want %v", i, r.D[i], want)
				}
			}
			if r.Ledger.Times != [2]int64{1, 1} {
				t.Errorf("products are added %v times", r.Ledger.Times)
			}
		})
	}
}

func BenchmarkGemm256x256x64(b *testing.B) {
	target, err := banks.ParseTarget("sm80")
	if err != nil {
		b.Fatal(err)
	}
	k := kernelOf(b, "SM80_16x8x16_F32F16F16F32_TN", 2, 2, cute.Keep, [3]int64{128, 128, 32})
	p := problem(256, 256, 64, 8)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := k.Run(p, target); err != nil {
			b.Fatal(err)
		}
	}
}

// With numbers of all sizes the result is within the bound, but not exact.
func TestGemmRoundsWithinItsBound(t *testing.T) {
	t.Parallel()
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	k := kernelOf(t, "SM80_16x8x16_F32F16F16F32_TN", 2, 2, cute.Keep, [3]int64{32, 32, 32})
	random := rand.New(rand.NewPCG(5, 6))
	p := gemm.Problem{M: 33, N: 31, K: 100}
	for range p.M * p.K {
		p.A = append(p.A, random.NormFloat64())
	}
	for range p.N * p.K {
		p.B = append(p.B, random.NormFloat64())
	}
	r, err := k.Run(p, target)
	if err != nil {
		t.Fatal(err)
	}
	c, err := k.Check(p, r.D)
	if err != nil || c.Fails != 0 || c.Worst == 0 || c.Worst > c.Bound {
		t.Errorf("%+v, %v", c, err)
	}
	r.D[7] += 1e-3
	if c, err = k.Check(p, r.D); err != nil || c.Fails != 1 || c.Row != 0 || c.Column != 7 {
		t.Errorf("a wrong element gives %+v, %v", c, err)
	}
}

// Without the swizzle ldmatrix has bank conflicts, and the ledger shows them. A permutation changes which thread has
// which element, but not the result.
func TestGemmLedger(t *testing.T) {
	t.Parallel()
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	p := problem(64, 64, 64, 8)
	for _, tt := range []struct {
		swizzled bool
		degree   int
	}{{true, 1}, {false, 8}} {
		k := kernelOf(t, "SM80_16x8x16_F32F16F16F32_TN", 2, 2, cute.Ints(32, 32, 16), [3]int64{64, 64, 64})
		if !tt.swizzled {
			plain, err := cute.NewComposed(cute.Swizzle{}, cute.Int(0), cute.MustParse("(64,64):(64,1)"))
			if err != nil {
				t.Fatal(err)
			}
			k.SharedA, k.SharedB = plain, plain
		}
		r, err := k.Run(p, target)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range reference(p) {
			if r.D[i] != want {
				t.Fatalf("D[%d] is %v, want %v", i, r.D[i], want)
			}
		}
		read := r.Ledger.Stages[1]
		if read.Shared.Degree != tt.degree || read.Bytes != 64*64*2*2 || read.Instructions != 4*64*64*2/16/32*2/4 {
			t.Errorf("swizzled %v: %+v", tt.swizzled, read)
		}
		if r.Ledger.Instructions != 4*8*4 || r.Ledger.Useful != 64*64*64 || r.Ledger.Products != r.Ledger.Useful {
			t.Errorf("%+v", r.Ledger)
		}
	}
}

func TestGemmRefusals(t *testing.T) {
	t.Parallel()
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	k := kernelOf(t, "SM80_16x8x16_F32F16F16F32_TN", 2, 2, cute.Keep, [3]int64{32, 32, 32})
	good := problem(8, 8, 8, 1)
	bad := good
	bad.A = bad.A[1:]
	huge := gemm.Problem{M: 1 << 40, N: 1, K: 1}
	over := good
	over.A = append([]float64{1e6}, good.A[1:]...)
	for name, p := range map[string]gemm.Problem{
		"operand of the wrong length": bad, "too large": huge, "beyond f16": over, "empty": {},
	} {
		if _, err := k.Run(p, target); (err == nil) != (name == "beyond f16") {
			t.Errorf("%s: %v", name, err)
		}
	}
	tile := k
	tile.Tile[1] = 20
	if _, err := tile.Run(good, target); err == nil {
		t.Error("a tile that the MMA does not divide is taken")
	}
	// This copy does not give threads the elements that the MMA needs.
	other := k
	other.ReadA = k.LoadA
	if _, err := other.Run(good, target); err == nil {
		t.Error("a copy that does not deliver the fragments is taken")
	}
	a, err := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	if err != nil {
		t.Fatal(err)
	}
	alongK, err := atom.MakeTiledMMA(a, cute.MustParse("(1,1,2)"), cute.Keep)
	if err != nil {
		t.Fatal(err)
	}
	if k, err := gemm.NewKernel(alongK, [3]int64{16, 8, 32}); err == nil {
		if _, err = k.Run(good, target); err == nil {
			t.Error("atoms along K are taken")
		}
	}
}

func ExampleKernel_Run() {
	a, _ := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	mma, _ := atom.MakeTiledMMA(a, cute.MustParse("(2,2,1):(1,2,0)"), cute.Keep)
	k, _ := gemm.NewKernel(mma, [3]int64{32, 32, 32})
	target, _ := banks.ParseTarget("sm90")
	p := gemm.Problem{M: 2, N: 2, K: 3, A: []float64{1, 2, 3, 4, 5, 6}, B: []float64{1, 0, 0, 0, 1, 1}}
	r, err := k.Run(p, target)
	fmt.Println(r.D, r.Ledger.Times, err)
	// Output: [1 5 4 11] [1 1] <nil>
}

func ExampleNewKernel() {
	a, _ := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	mma, _ := atom.MakeTiledMMA(a, cute.MustParse("(2,2,1):(1,2,0)"), cute.Keep)
	k, err := gemm.NewKernel(mma, [3]int64{128, 128, 64})
	fmt.Println(k.SharedA, k.ReadA.Atom().Name, err)
	// Output: Sw<3,3,3> o 0 o ((8,16),(64,1)):((64,512),(1,0)) SM75_U32x4_LDSM_N <nil>
}

func ExampleKernel_Check() {
	a, _ := atom.FindMMA("SM80_16x8x16_F32F16F16F32_TN")
	mma, _ := atom.MakeTiledMMA(a, cute.MustParse("(1,1,1)"), cute.Keep)
	k, _ := gemm.NewKernel(mma, [3]int64{16, 8, 16})
	p := gemm.Problem{M: 1, N: 1, K: 2, A: []float64{1, 2}, B: []float64{3, 4}}
	c, err := k.Check(p, []float64{12})
	fmt.Println(c.Worst, c.Fails, err)
	// Output: 1 1 <nil>
}
