package tiled_test

import (
	"math/rand/v2"
	"testing"

	"girih"
	"girih/tensor"
)

// naive is C += A·Bᵀ by three loops, A (M,K) and B (N,K) with K contiguous.
func naive(c, a, b []float32, n int) {
	for i := range n {
		for j := range n {
			x, y := a[i*n:(i+1)*n], b[j*n:(j+1)*n]
			sum := float32(0)
			for k := range x {
				sum += x[k] * y[k]
			}
			c[i+n*j] += sum
		}
	}
}

// BenchmarkSgemm compares the sgemm of the example with three loops, at 512 cubed.
func BenchmarkSgemm(b *testing.B) {
	const n = 512
	r := rand.New(rand.NewPCG(1, 2))
	x, y, z := make([]float32, n*n), make([]float32, n*n), make([]float32, n*n)
	for i := range x {
		x[i], y[i] = r.Float32(), r.Float32()
	}
	b.Run("tiled", func(b *testing.B) {
		l := girih.MustParse("(512,512)")
		mA, mB, mC := must(tensor.Make(x, l)), must(tensor.Make(y, l)), must(tensor.Make(z, l))
		b.ReportAllocs()
		for b.Loop() {
			if err := sgemm(1, mA, mB, 0, mC); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("naive", func(b *testing.B) {
		for b.Loop() {
			naive(z, x, y, n)
		}
	})
}
