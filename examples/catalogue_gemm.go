package examples

import (
	"strings"

	"girih/dtype"
	"girih/kernel"
)

// This file lists the products of matrices whose elements are narrow, or whose tiles have a schedule, as catalogue.go
// does.

// dequantiseRows returns the recipes for products of halves with narrow weights.
func dequantiseRows() []Recipe {
	four := Recipe{
		Name: "gemm_w4a16",
		Doc: "Multiplies halves with weights of 4 bits, which become halves in registers, by factors and zeros of groups " +
			"of 128 columns.",
		Call: "C[i,j] = Σ A[i,l]·(W[j,l] - Z[l/128,j])·S[l/128,j]; A is (m,k), C is (m,n), S and Z are (k/128,n), all by " +
			"rows; a byte of W, (n,k/2) by rows, has two neighbours, the first in its low bits; 8 divides k",
		Output:  "C",
		Default: Options{Tile: []int64{64, 128}, Type: dtype.F16, Div: 32, Stages: 4},
		Types:   []dtype.Type{dtype.F16, dtype.BF16},
		below:   map[string]string{"W": "256", "Z": "16"},
		trace: func(o Options) (*kernel.Kernel, error) {
			return dequantise{o.Tile, o.Type, dtype.U4, o.Div, o.Stages}.trace()
		},
		sizes: func(e map[string]int64) map[string]int64 {
			groups := e["k"]/128*e["n"] + e["n"] // enough
			return map[string]int64{"A": e["m"] * e["k"], "W": e["n"] * e["k"] / 2, "S": groups, "Z": groups, "C": e["m"] * e["n"]}
		},
		reference: func(p Problem) (want, scale []float64) {
			n, depth := p.Extents["n"], p.Extents["k"]
			return weightedProduct(p, func(j, l int64) float64 {
				q, at := int(p.Tensors["W"][(j*depth+l)/2]), l/128*n+j
				return nearest(p, (float64(q>>(4*(l%2))&15)-p.Tensors["Z"][at])*p.Tensors["S"][at])
			})
		},
		c: program{
			sizes: map[string]string{
				"A": "m * k", "W": "n * k / 2", "S": "k / 128 * n + n", "Z": "k / 128 * n + n", "C": "m * n",
			},
			work: "2.0 * m * n * k",
			want: `int64_t i = e / n, j = e % n;
for (int64_t l = 0; l < k; l++) {
    int64_t at = l / 128 * n + j;
    double q = W[(j * k + l) / 2] >> 4 * (l % 2) & 15;
    double x = number(A[i * k + l]) * number(__half(float((q - Z[at]) * number(S[at]))));
    want += x, size += fabs(x);
}
size *= 2 * (k + 3);`,
		},
	}
	eight := four
	eight.Name, eight.below = "gemm_w8a16", nil
	eight.Doc = "Multiplies halves with weights of e4m3, which become halves in registers, by a factor for each row of weights."
	eight.Call = "C[i,j] = S[j]·Σ A[i,l]·W[j,l]; A is (m,k), W is (n,k), C is (m,n), all by rows; 8 divides k"
	eight.trace = func(o Options) (*kernel.Kernel, error) {
		return dequantise{o.Tile, o.Type, dtype.E4M3, o.Div, o.Stages}.trace()
	}
	eight.sizes = func(e map[string]int64) map[string]int64 {
		return map[string]int64{"A": e["m"] * e["k"], "W": e["n"] * e["k"], "S": e["n"], "C": e["m"] * e["n"]}
	}
	eight.reference = func(p Problem) (want, scale []float64) {
		depth := p.Extents["k"]
		return weightedProduct(p, func(j, l int64) float64 { return p.Tensors["W"][j*depth+l] * p.Tensors["S"][j] })
	}
	eight.c = productText("int64_t i = e / n, j = e % n;", "i * k + l", "j * k + l",
		"want *= number(S[j]), size *= 2 * (k + 3) * fabs(number(S[j]));")
	eight.c.want = strings.ReplaceAll(eight.c.want, "B[", "W[")
	eight.c.sizes = map[string]string{"A": "m * k", "W": "n * k", "S": "n", "C": "m * n"}
	return []Recipe{four, eight}
}

// nearest returns the nearest number of the type of A.
func nearest(p Problem, x float64) float64 {
	for _, q := range p.Kernel.Params {
		if q.Name == "A" {
			code, _ := q.Type.Encode(x)
			x, _ = q.Type.Decode(code)
		}
	}
	return x
}

// weightedProduct is product for weights that a function computes.
func weightedProduct(p Problem, weight func(j, l int64) float64) (want, scale []float64) {
	n, depth := p.Extents["n"], p.Extents["k"]
	weights := make([]float64, 0, n*depth)
	for j := range n {
		for l := range depth {
			weights = append(weights, weight(j, l))
		}
	}
	tensors := map[string][]float64{"A": p.Tensors["A"], "B": weights}
	return product(Problem{Extents: p.Extents, Tensors: tensors}, byRows)
}
