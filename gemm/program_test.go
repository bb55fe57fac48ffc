package gemm

import (
	"math/rand/v2"
	"testing"

	"girih"
	"girih/atom"
	"girih/dtype"
	"girih/ptx"
)

func mustKernel(t testing.TB, name, atoms string, tile [3]int64) Kernel {
	t.Helper()
	a, err := atom.FindMMA(name)
	if err != nil {
		t.Fatal(err)
	}
	mma, err := atom.MakeTiledMMA(a, girih.MustParse(atoms), girih.Keep)
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewKernel(mma, tile)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return k
}

// small draws numbers that every type holds, so that all sums are exact.
func small(random *rand.Rand, t dtype.Type, n int64) []float64 {
	low, high := -2, 2
	if t.Kind() == dtype.Natural {
		low = 0
	}
	if t == dtype.B1 {
		low, high = 0, 1
	}
	xs := make([]float64, n)
	for i := range xs {
		xs[i] = float64(low + random.IntN(high-low+1))
	}
	return xs
}

// runProgram runs a kernel on the machine of the tests and compares with three loops; what lies around D must stay.
func runProgram(t testing.TB, k Kernel, m, n, kk, pad int64, withC bool) {
	t.Helper()
	p, err := k.Program("")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ptx.Parse(p.Module.String()); err != nil {
		t.Fatal(err)
	}
	types := k.MMA.Atom().Types
	random := rand.New(rand.NewPCG(uint64(m), uint64(kk)))
	problem := Problem{M: m, N: n, K: kk, A: small(random, types.A.Type, m*kk), B: small(random, types.B.Type, n*kk)}
	var held []float64
	var meta []byte
	if s := k.MMA.Atom().Sparse; s != nil {
		for i := range problem.A {
			if column := int64(i) % kk; column%s.Of == 0 {
				for _, j := range random.Perm(int(s.Of))[:s.Kept] {
					if column+int64(j) < kk {
						problem.A[i+j] = 0
					}
				}
			}
		}
		if held, meta, err = Compress(k.MMA.Atom(), problem.A, kk); err != nil {
			t.Fatal(err)
		}
	}
	ld := func(x dtype.Type, columns int64) int64 {
		per := max(8/int64(x.Bits()), 1)
		return (columns+per-1)/per*per + pad*per
	}
	pack := func(x dtype.Type, xs []float64, columns int64) []byte {
		data, err := Pack(x, xs, columns, ld(x, columns))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	columns, times, inA := kk, int64(1), problem.A
	if held != nil {
		columns, times, inA = int64(len(held))/m, 2, held
	}
	a, b := pack(types.A.Type, inA, columns), pack(types.B.Type, problem.B, kk)
	ldd := n + pad
	size := int64(types.D.Type.Bits() / 8)
	d := make([]byte, m*ldd*size+64)
	for i := range d {
		d[i] = 0xcd
	}
	params := map[ptx.Name]uint64{
		"a": 1 << window, "b": 2 << window, "c": 0, "d": 3 << window, "m": uint64(m), "n": uint64(n), "k": uint64(kk),
		"lda": uint64(ld(types.A.Type, columns) * times), "ldb": uint64(ld(types.B.Type, kk)), "ldd": uint64(ldd),
	}
	buffers := [][]byte{a, b, d}
	if withC {
		problem.C = small(random, types.C.Type, m*n)
		c, err := Pack(types.C.Type, problem.C, n, ldd)
		if err != nil {
			t.Fatal(err)
		}
		buffers = append(buffers, c)
		params["c"] = 4 << window
	}
	if meta != nil {
		params["e"], params["lde"] = uint64(len(buffers)+1)<<window, uint64(int64(len(meta))/m)
		buffers = append(buffers, meta)
	}
	machine, err := newMachine(p, k.MMA.Atom(), params, buffers...)
	if err != nil {
		t.Fatal(err)
	}
	bx, by := p.Blocks(m, n)
	for x := range bx {
		for y := range by {
			if err := machine.run(x, y, p.Threads); err != nil {
				t.Fatal(err)
			}
		}
	}
	got, err := Unpack(types.D.Type, d, m, n, ldd)
	if err != nil {
		t.Fatal(err)
	}
	product := productOf(k.MMA.Atom())
	for i := range m {
		for j := range n {
			want := 0.0
			if withC {
				want = problem.C[i*n+j]
			}
			for x := range kk {
				want += product(problem.A[i*kk+x], problem.B[j*kk+x])
			}
			if got[i*n+j] != want {
				t.Fatalf("D(%d,%d) is %v, want %v", i, j, got[i*n+j], want)
			}
		}
	}
	for i, x := range d {
		if e := int64(i) / size; x != 0xcd && (e/ldd >= m || e%ldd >= n) {
			t.Fatalf("byte %d behind row %d of D was written", i, e/ldd)
		}
	}
}

func TestProgramComputes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, atoms string
		tile        [3]int64
	}{
		{"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", [3]int64{32, 32, 32}},
		{"SM80_16x8x16_F16F16F16F16_TN", "(2,1,1)", [3]int64{32, 32, 32}},
		{"SM80_16x8x16_F32BF16BF16F32_TN", "(3,1,1)", [3]int64{48, 24, 64}},
		{"SM80_16x8x8_F32TF32TF32F32_TN", "(2,2,1)", [3]int64{32, 32, 32}},
		{"SM80_16x8x32_S32S8U8S32_TN", "(2,2,1)", [3]int64{32, 32, 64}},
		{"SM80_8x8x4_F64F64F64F64_TN", "(2,2,1)", [3]int64{16, 16, 16}},
		{"SM90_16x8x16_F64F64F64F64_TN", "(2,1,1)", [3]int64{32, 32, 16}},
		{"SM89_16x8x32_F32E4M3E5M2F32_TN", "(2,2,1)", [3]int64{32, 32, 64}},
		{"SM70_8x8x4_F32F16F16F32_TN", "(2,2,1)", [3]int64{32, 32, 16}},
		{"SM70_8x8x4_F16F16F16F16_NT", "(2,2,1)", [3]int64{32, 32, 16}},
		{"SM75_8x8x16_S32S8S8S32_TN", "(2,2,1)", [3]int64{16, 16, 32}},
		{"SM80_16x8x64_S32S4U4S32_TN", "(2,2,1)", [3]int64{32, 32, 64}},
		{"SM80_8x8x32_S32U4S4S32_TN", "(2,2,1)", [3]int64{16, 16, 64}},
		{"SM80_16x8x256_S32U1U1S32_TN_XORPOPC", "(2,2,1)", [3]int64{32, 16, 256}},
		{"SM80_8x8x128_S32U1U1S32_TN_ANDPOPC", "(2,2,1)", [3]int64{16, 16, 256}},
		{"SM90_64x64x16_F32F16F16_SS", "(1,1,1)", [3]int64{64, 64, 64}},
		{"SM90_64x64x16_F16F16F16_RS", "(2,1,1)", [3]int64{128, 64, 32}},
		{"SM90_64x16x32_S32S8S8_SS_TN", "(1,1,1)", [3]int64{64, 16, 128}},
		{"SM90_64x24x8_F32TF32TF32_SS_TN", "(1,1,1)", [3]int64{64, 24, 16}},
		{"SM90_64x32x32_F32E4M3E5M2_RS_TN", "(1,1,1)", [3]int64{64, 32, 64}},
		{"SM90_64x64x16_F32F16F16_SS<GMMA::Major::MN,GMMA::Major::MN>", "(1,1,1)", [3]int64{64, 64, 32}},
		{"SM90_64x24x16_F32BF16BF16_SS<GMMA::Major::K,GMMA::Major::MN>", "(1,1,1)", [3]int64{64, 24, 64}},
		{"SM90::GMMA::SPARSE::GMMA_64x16x32_F32F16F16_SS", "(1,1,1)", [3]int64{64, 16, 64}},
		{"SM90::GMMA::SPARSE::GMMA_64x24x32_F16F16F16_RS", "(1,1,1)", [3]int64{64, 24, 128}},
		{"SM90::GMMA::SPARSE::GMMA_64x16x16_F32TF32TF32_SS_TN", "(2,1,1)", [3]int64{128, 16, 32}},
		{"SM90::GMMA::SPARSE::GMMA_64x16x16_F32TF32TF32_RS_TN", "(1,1,1)", [3]int64{64, 16, 32}},
		{"SM90::GMMA::SPARSE::GMMA_64x16x64_S32S8U8_SS_TN", "(1,1,1)", [3]int64{64, 16, 128}},
		{"SM90::GMMA::SPARSE::GMMA_64x16x64_S32U8S8_RS_TN", "(1,1,1)", [3]int64{64, 16, 64}},
		{"UniversalFMA<float,float,float>", "(8,8,1)", [3]int64{16, 16, 8}},
		{"UniversalFMA<double,double,double>", "(8,8,1)", [3]int64{16, 16, 8}},
		{"UniversalFMA<half_t>", "(8,8,1)", [3]int64{16, 16, 8}},
		{"SM61_DP4A", "(8,8,1)", [3]int64{16, 16, 16}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			k := mustKernel(t, tt.name, tt.atoms, tt.tile)
			runProgram(t, k, tt.tile[0]+3, tt.tile[1]-1, tt.tile[2]+9, 0, false) // odd rows: element by element
			runProgram(t, k, tt.tile[0], tt.tile[1]+1, tt.tile[2]*2, 16, true)   // aligned rows: vectors
		})
	}
}
