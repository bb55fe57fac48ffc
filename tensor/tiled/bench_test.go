package tiled_test

import (
	"math/rand/v2"
	"testing"

	"girih/cute"
	"girih/tensor"
	"girih/tensor/tiled"
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
		l := cute.MustParse("(512,512)")
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

// BenchmarkSmall measures one thread's product of its fragments, and the cost of making the fragments.
func BenchmarkSmall(b *testing.B) {
	m := tiledMMA("UniversalFMA<float>", "(16,16,1)", nil)
	s := must(tensor.Alloc[float32](cute.MustParse("(128,8)")))
	g := must(tensor.Alloc[float32](cute.MustParse("(128,128)")))
	thr := must(m.Thread(17))
	mine := must(tiled.PartitionC(thr, g))
	r := must(tiled.MakeFragmentC[float32](thr, mine))
	all := must(tiled.PartitionC(m, g))
	x, y := must(tiled.PartitionA(thr, s)), must(tiled.PartitionB(thr, s))
	for _, c := range []struct {
		name string
		f    func() error
	}{
		{"partition one", func() error { _, err := tiled.PartitionC(thr, g); return err }},
		{"partition all", func() error { _, err := tiled.PartitionC(m, g); return err }},
		{"slice of all", func() error {
			_, err := all.Slice(cute.MakeCoord(cute.At(17), cute.Open, cute.Open, cute.Open))
			return err
		}},
		{"fragment", func() error { _, err := tiled.MakeFragmentC[float32](thr, mine); return err }},
		{"axpby of 64", func() error { return tensor.Axpby(2, r, 1, mine) }},
		{"copy of 64", func() error { return tensor.Copy(mine, r) }},
		{"gemm of 8x8x8, one thread", func() error { return tiled.Gemm(m, x, y, r) }},
		{"gemm of tensor", func() error { return tensor.Gemm(tensor.MulAdd[float32](), r, x, y, r) }},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := c.f(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
