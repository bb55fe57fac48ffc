package examples

import (
	"math"

	"girih/dtype"
)

// This file computes products of matrices in 64-bit arithmetic, for comparison with the results of kernels.

func gemmSizes(e map[string]int64) map[string]int64 {
	return map[string]int64{"A": e["m"] * e["k"], "B": e["n"] * e["k"], "C": e["m"] * e["n"]}
}

// An order returns the position of element (i,j) in a matrix of m by n.
type order func(i, j, m, n int64) int64

func byColumns(i, j, m, _ int64) int64 { return i + j*m }
func byRows(i, j, _, n int64) int64    { return i*n + j }

// product returns alpha·A·Bᵀ + beta·C, and for each element the largest error of rounding, in roundings of the numbers
// that are added. Kernels without alpha and beta use 1 and 0.
func product(p Problem, at order) (want, scale []float64) {
	m, n, depth := p.Extents["m"], p.Extents["n"], p.Extents["k"]
	a, b, c := p.Tensors["A"], p.Tensors["B"], p.Tensors["C"]
	alpha, ok := p.Scalars["alpha"]
	if !ok {
		alpha = 1
	}
	beta := p.Scalars["beta"]
	want, scale = make([]float64, m*n), make([]float64, m*n)
	for i := range m {
		for j := range n {
			sum, size := 0.0, 0.0
			for l := range depth {
				x := a[at(i, l, m, depth)] * b[at(j, l, n, depth)]
				sum += x
				size += math.Abs(x)
			}
			e, own := at(i, j, m, n), 0.0
			if beta != 0 { // otherwise C is not read, and may have any content
				own = beta * c[e]
			}
			want[e] = alpha*sum + own
			scale[e] = 2 * float64(depth+3) * (math.Abs(alpha)*size + math.Abs(own)) // 2: some instructions truncate
		}
	}
	return want, scale
}

// productOfHalves is product for matrices of halves with sums of f32 or f16.
func productOfHalves(p Problem) (want, scale []float64) {
	want, scale = product(p, byRows)
	for _, q := range p.Kernel.Params {
		if q.Name == "C" && q.Type == dtype.F16 {
			for i := range scale { // scale is in roundings of f32
				scale[i] *= rounding(dtype.F16) / rounding(dtype.F32)
			}
		}
	}
	return want, scale
}
