package gpu_test

import (
	"testing"

	"girih/dtype"
	"girih/gpu"
	"girih/kernel/gemm"
)

// TestGemm runs products whose operands the TMA can and cannot read, and one whose blocks share K.
func TestGemm(t *testing.T) {
	d := card(t)
	c, err := d.GemmCard()
	if err != nil {
		t.Skip(err)
	}
	for _, n := range [][3]int{{130, 72, 64}, {65, 71, 33}, {64, 64, 4096}} {
		m, n, k := n[0], n[1], n[2]
		p, err := gemm.New(gemm.Problem{M: int64(m), N: int64(n), K: int64(k), In: dtype.F16, Out: dtype.F32}, c, gemm.Options{})
		check(t, err)
		number := func(i int) float64 { return float64(i%5 - 2) }
		codes := func(count int) []uint16 {
			out := make([]uint16, count)
			for i := range out {
				code, err := dtype.F16.Encode(number(i))
				check(t, err)
				out[i] = uint16(code)
			}
			return out
		}
		out := alloc[float32](t, d, m*n)
		check(t, d.Gemm(t.Context(), p, gpu.Args{"A": upload(t, d, codes(m*k)), "B": upload(t, d, codes(n*k)), "D": out}))
		got := make([]float32, m*n)
		check(t, out.Read(t.Context(), got))
		for i := range m {
			for j := range n {
				want := 0.0
				for q := range k {
					want += number(i*k+q) * number(j*k+q)
				}
				if float64(got[i*n+j]) != want {
					t.Fatalf("%dx%dx%d: D(%d,%d) is %v, expected %v", m, n, k, i, j, got[i*n+j], want)
				}
			}
		}
	}
}
