package tiled_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"girih/atom"
	"girih/cute"
	"girih/tensor"
	"girih/tensor/tiled"
)

// chainOf is element (i,j) of A·Bᵀ, computed by fused multiply-adds in order of k, with A (M,K) and B (N,K)
// column-major.
func chainOf(a, b []float32, i, j, m, n int) float32 {
	sum := float32(0)
	for k := range len(a) / m {
		// The product is exact in float64, and these sums are never close to the middle between two results.
		sum = float32(math.FMA(float64(a[i+m*k]), float64(b[j+n*k]), float64(sum)))
	}
	return sum
}

func randomSingles(r *rand.Rand, n int) []float32 {
	xs := make([]float32, n)
	for i := range xs {
		xs[i] = float32(r.IntN(1<<12)-1<<11) / (1 << 11)
	}
	return xs
}

// The sgemm of the example, at several sizes, equals the chain of fused multiply-adds in each bit, and refuses extents
// that its tile does not divide.
func TestSgemm(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(12, 1))
	for _, x := range [][3]int{{128, 128, 8}, {256, 128, 24}, {128, 384, 64}} {
		m, n, k := x[0], x[1], x[2]
		a, b, c := randomSingles(r, m*k), randomSingles(r, n*k), randomSingles(r, m*n)
		before := append([]float32(nil), c...)
		column := func(data []float32, rows, columns int) tensor.Tensor[float32] {
			return must(tensor.Make(data, must(cute.LayoutLeft(cute.Ints(int64(rows), int64(columns))))))
		}
		if err := sgemm(2, column(a, m, k), column(b, n, k), 1, column(c, m, n)); err != nil {
			t.Fatal(err)
		}
		for range 200 {
			i, j := r.IntN(m), r.IntN(n)
			want := 2*chainOf(a, b, i, j, m, n) + before[i+m*j] // twice a number is exact: fused or not
			if got := c[i+m*j]; got != want {
				t.Fatalf("%v: (%d,%d) is %v, want %v", x, i, j, got, want)
			}
		}
	}
	odd, c := must(tensor.Alloc[float32](parse("(100,8)"))), must(tensor.Alloc[float32](parse("(100,100)")))
	wantCode(t, sgemm(1, odd, odd, 0, c), cute.CodeMode)
	whole := must(tensor.Alloc[float32](parse("(128,128)")))
	wantCode(t, sgemm(1, tensor.Tensor[float32]{}, whole, 0, whole), cute.CodeType)
}

// The same holds for extents that no tile divides: tiles at the edges are padded, as in the tensors' predicates.
func TestSgemmOfAnyExtents(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(13, 1))
	copyAB := must(atom.MakeTiledCopy(must(atom.FindCopyAtom("UniversalCopy<float>", "float")), parse("(32,8)"), parse("(1,1)")))
	mma := tiledMMA("UniversalFMA<float>", "(8,8,1)", nil)
	const m, n, k = 75, 50, 29
	a, b, c := randomSingles(r, m*k), randomSingles(r, n*k), make([]float32, m*n)
	mA, mB := must(tensor.Make(a, parse("(75,29)"))), must(tensor.Make(b, parse("(50,29)")))
	mC := must(tensor.Make(c, parse("(75,50)")))
	at := cute.At
	sA, sB := must(tensor.Alloc[float32](parse("(32,8)"))), must(tensor.Alloc[float32](parse("(32,8)")))
	load := func(g, s tensor.Tensor[float32]) error {
		return errors.Join(tensor.Clear(s), tiled.CopyIf(copyAB, must(g.Predicate()), g, s))
	}
	for x := range int64(3) {
		for y := range int64(2) {
			gC := must(mC.LocalTile(cute.Ints(32, 32), at(x, y)))
			tCgC := must(tiled.PartitionC(mma, gC))
			tCrC := must(tiled.MakeFragmentC[float32](mma, tCgC))
			for z := range int64(4) {
				gA := must(mA.LocalTile(cute.Ints(32, 8), at(x, z)))
				gB := must(mB.LocalTile(cute.Ints(32, 8), at(y, z)))
				if err := errors.Join(load(gA, sA), load(gB, sB), tiled.Gemm(mma, sA, sB, tCrC)); err != nil {
					t.Fatal(err)
				}
			}
			if err := tensor.AxpbyIf(must(tCgC.Predicate()), 1, tCrC, 0, tCgC); err != nil {
				t.Fatal(err)
			}
		}
	}
	for i := range m {
		for j := range n {
			if got, want := c[i+m*j], chainOf(a, b, i, j, m, n); got != want {
				t.Fatalf("(%d,%d) is %v, want %v", i, j, got, want)
			}
		}
	}
}
