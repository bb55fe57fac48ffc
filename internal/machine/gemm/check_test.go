package gemm

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"girih/atom"
	"girih/banks"
	"girih/cute"
	"girih/dtype"
)

func mustKernel(t testing.TB, name, atoms string, tile [3]int64) Kernel {
	t.Helper()
	a, err := atom.FindMMA(name)
	for m := range atom.BareMMAs() {
		if m.Name == name {
			a, err = m, nil
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	mma, err := atom.MakeTiledMMA(a, cute.MustParse(atoms), cute.Keep)
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

// A sparse instruction computes with the held elements of A, also on simulated threads.
func TestSparse(t *testing.T) {
	t.Parallel()
	k := mustKernel(t, "SM90::GMMA::SPARSE::GMMA_64x16x32_F32F16F16_SS", "(1,1,1)", [3]int64{64, 16, 64})
	p := Problem{M: 1, N: 1, K: 7, A: []float64{0, 2, 0, 3, 5, 0, 7}, B: []float64{1, 2, 3, 4, 5, 6, 7}}
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	r, err := k.Run(p, target)
	if err != nil || r.D[0] != 2*2+3*4+5*5+7*7 {
		t.Errorf("%v, %v", r.D, err)
	}
	if b := r.Ledger.Stages[0].Bytes; b != 7 { // an element takes one byte, as two of four are held in two bytes each
		t.Errorf("%d bytes of A", b)
	}
	held, metadata, err := Compress(k.MMA.Atom(), p.A, p.K)
	if err != nil || !slices.Equal(held, []float64{2, 3, 5, 7}) ||
		!slices.Equal(metadata, []byte{0b1000_1101, 0x44, 0x44, 0x44}) {
		t.Errorf("%v, %08b, %v", held, metadata, err)
	}
	p.A[0] = 1
	if _, err := k.Run(p, target); err == nil {
		t.Error("three of four are taken")
	}
	if _, _, err := Compress(mustKernel(t, "SM61_DP4A", "(1,1,1)", [3]int64{1, 1, 4}).MMA.Atom(), p.A, p.K); err == nil {
		t.Error("dp4a has metadata")
	}
	if _, _, err := Compress(k.MMA.Atom(), p.A, 4); err == nil {
		t.Error("7 numbers are rows of 4")
	}
}

// Results of a card are checked: cut sums are right, anything else is wrong.
func TestCheckCard(t *testing.T) {
	t.Parallel()
	k := mustKernel(t, "SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", [3]int64{32, 32, 32})
	random := rand.New(rand.NewPCG(5, 6))
	p := Problem{M: 9, N: 11, K: 100}
	for range p.M * p.K {
		p.A = append(p.A, random.NormFloat64())
	}
	for range p.N * p.K {
		p.B = append(p.B, random.NormFloat64())
	}
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	r, err := k.Run(p, target)
	if err != nil {
		t.Fatal(err)
	}
	c, err := k.CheckCard(p, r.D, nil)
	if err != nil || c.Fails != 0 || c.Elements != 99 || c.Exact != 0 || c.Worst == 0 || c.Worst > c.Bound {
		t.Errorf("%+v, %v", c, err)
	}
	want := r.D[25]
	r.D[25], r.D[60] = math.NaN(), r.D[60]+1e-3
	c, err = k.CheckCard(p, r.D, nil)
	if err != nil || c.Fails != 2 || c.FirstRow != 2 || c.FirstColumn != 3 || math.Abs(c.Want-want) > 1e-5 ||
		!math.IsNaN(c.Got) || !math.IsNaN(c.Worst) {
		t.Errorf("two wrong elements give %+v, %v", c, err)
	}
	c, err = k.CheckCard(p, r.D, Sample{0: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}})
	if err != nil || c.Fails != 0 || c.Elements != 11 {
		t.Errorf("the first row: %+v, %v", c, err)
	}
	// Sums of integers are exact.
	for _, xs := range [][]float64{p.A, p.B} {
		for i := range xs {
			xs[i] = float64(i%5 - 2)
		}
	}
	if r, err = k.Run(p, target); err != nil {
		t.Fatal(err)
	}
	r.D[98] += 0x1p-16
	if c, err = k.CheckCard(p, r.D, nil); err != nil || c.Fails != 1 || c.Exact != 99 || c.FirstRow != 8 || c.Bound != 0 {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err = k.CheckCard(Problem{M: 1, N: 1, K: 1}, nil, nil); err == nil {
		t.Error("a problem without numbers is taken")
	}
	for _, d := range [][]float64{nil, r.D[:98], append(r.D, 0)} {
		_, card := k.CheckCard(p, d, nil)
		_, run := k.Check(p, d)
		for _, err := range []error{card, run} {
			if e, ok := errors.AsType[*cute.Error](err); !ok || e.Code != cute.CodeExtent {
				t.Errorf("a D of %d numbers: %v", len(d), err)
			}
		}
	}
}

// A quad-pair is part of a warp of 32 threads: kernels of one or two quad-pairs compute with the whole warp.
func TestQuadPairs(t *testing.T) {
	t.Parallel()
	target, err := banks.ParseTarget("sm70")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 70))
	for _, types := range []string{"F16F16F16F16", "F32F16F16F32"} {
		for _, order := range []string{"TN", "NT", "NN", "TT"} {
			for _, atoms := range []string{"(1,1,1)", "(2,1,1)", "(1,2,1)", "(2,2,1)", "(1,4,1)"} {
				k := mustKernel(t, "SM70_8x8x4_"+types+"_"+order, atoms, [3]int64{32, 32, 16})
				p := Problem{M: 21, N: 37, K: 19}
				p.A, p.B = small(random, dtype.F16, p.M*p.K), small(random, dtype.F16, p.N*p.K)
				r, err := k.Run(p, target)
				if err != nil {
					t.Fatalf("%s_%s %s: %v", types, order, atoms, err)
				}
				c, err := k.Check(p, r.D)
				if err != nil || c.Fails != 0 || c.Worst != 0 || k.Threads() != 32 {
					t.Errorf("%s_%s %s, %d threads: %+v, %v", types, order, atoms, k.Threads(), c, err)
				}
			}
		}
	}
	k := mustKernel(t, "SM70_8x8x4_F32F16F16F32_TN", "(1,1,1)", [3]int64{32, 32, 16})
	if _, err := k.Trace(Facts{}); err == nil {
		t.Error("a kernel for a card has 8 threads of a warp")
	}
}

// If M and N are contiguous in memory, the products are the same, and fragments are read in vectors: four halves of a
// quad-pair, or eight with the permutation that gathers them.
func TestMajors(t *testing.T) {
	t.Parallel()
	target, err := banks.ParseTarget("sm90")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(19, 19))
	wide := cute.MustParseTiler("<(4,4,2):(1,8,4),32,4>")
	for _, c := range []struct {
		name, atoms string
		permutation cute.Tiler
		tile        [3]int64
		bits        int // bits of a read of A if M is contiguous; 0 for any
	}{
		{"SM70_8x8x4_F32F16F16F32_NT", "(2,2,1)", cute.Keep, [3]int64{32, 32, 16}, 64},
		{"SM70_8x8x4_F32F16F16F32_NT", "(2,2,1)", wide, [3]int64{32, 32, 16}, 128},
		{"SM70_8x8x4_F32F16F16F32_TN", "(1,1,1)", cute.Keep, [3]int64{32, 32, 16}, 0},
		{"SM80_16x8x16_F32F16F16F32_TN", "(2,2,1)", cute.Keep, [3]int64{64, 64, 32}, 128},
		{"SM80_16x8x8_F32TF32TF32F32_TN", "(1,1,1)", cute.Keep, [3]int64{32, 32, 16}, 0},
		{"UniversalFMA<float,float,float>", "(8,8,1)", cute.Keep, [3]int64{32, 32, 8}, 0},
		{"SM80_16x8x32_S32S8S8S32_TN", "(1,1,1)", cute.Keep, [3]int64{32, 32, 32}, 0},
		{"SM90_64x64x16_F32F16F16_SS", "(1,1,1)", cute.Keep, [3]int64{64, 64, 32}, 0},
	} {
		a, err := atom.FindMMA(c.name)
		if err != nil {
			t.Fatal(err)
		}
		mma, err := atom.MakeTiledMMA(a, cute.MustParse(c.atoms), c.permutation)
		if err != nil {
			t.Fatal(err)
		}
		p := Problem{M: 45, N: 37, K: 29}
		p.A, p.B = small(random, a.Types.A.Type, p.M*p.K), small(random, a.Types.B.Type, p.N*p.K)
		for _, major := range [][2]atom.Major{
			{atom.KMajor, atom.MNMajor}, {atom.MNMajor, atom.KMajor}, {atom.MNMajor, atom.MNMajor},
		} {
			k, err := NewKernelOf(mma, c.tile, major[0], major[1])
			if err != nil {
				t.Fatalf("%s %v: %v", c.name, major, err)
			}
			r, err := k.Run(p, target)
			if err != nil {
				t.Fatalf("%s %v: %v", c.name, major, err)
			}
			check, err := k.Check(p, r.D)
			if err != nil || check.Fails != 0 || check.Worst != 0 {
				t.Errorf("%s %v: %+v, %v", c.name, major, check, err)
			}
			for _, s := range r.Ledger.Stages {
				if major[0] == atom.MNMajor && c.bits > 0 && s.Name == "shared to registers, A" && s.VectorBits != c.bits {
					t.Errorf("%s %v reads A by %s, %d bits, want %d", c.name, major, s.Operation, s.VectorBits, c.bits)
				}
			}
		}
	}
}
