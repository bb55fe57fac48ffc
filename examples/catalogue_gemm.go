package examples

import (
	"math"
	"slices"
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
    double x = number(A[i * k + l]) * number(decltype(S)::value_type(float((q - Z[at]) * number(S[at]))));
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

func fp8Row() []Recipe {
	return []Recipe{{
		Name: "gemm_fp8_sm90",
		Doc: "Multiplies matrices of 8-bit floats with wgmma by factors of rows and columns; sums of tiles are added outside " +
			"of the tensor core.",
		Call: "C[i,j] = SA[i]·SB[j]·Σ A[i,l]·B[j,l]; A is (m,k), B is (n,k), C is (m,n), all by rows; 16 divides k", Output: "C",
		Default: Options{Tile: []int64{128, 128}, Type: dtype.E4M3, Sum: dtype.BF16, Div: 1, Stages: 4},
		Types:   []dtype.Type{dtype.E4M3, dtype.E5M2},
		trace: func(o Options) (*kernel.Kernel, error) {
			return fp8SM90{o.Tile, o.Type, o.Sum, o.Div, o.Stages}.trace()
		},
		sizes: func(e map[string]int64) map[string]int64 {
			sizes := gemmSizes(e)
			sizes["SA"], sizes["SB"] = e["m"], e["n"]
			return sizes
		},
		reference: fp8Product,
		c: program{
			sizes: map[string]string{"A": "m * k", "B": "n * k", "SA": "m", "SB": "n", "C": "m * n"},
			work:  "2.0 * m * n * k",
			want: `int64_t i = e / n, j = e % n;
double part = 0, most = 0;
for (int64_t l = 0; l < k; l++) {
    double x = number(A[i * k + l]) * number(B[j * k + l]);
    if (l % 128 == 0) part = 0;
    most = fmax(l % 32 ? most : fabs(part), fabs(x));
    want += x, part += x, size += fabs(x) * k / 64;
    if (l % 32 == 31 || l == k - 1) size += 131072 * fmax(most, fabs(part));
}
want *= number(SA[i]) * number(SB[j]), size *= fabs(number(SA[i]) * number(SB[j]));`,
		},
	}}
}

// fp8Product returns the product of gemm_fp8_sm90. A tensor core adds 32 products and a sum at once, and cuts each of
// them off, and the new sum, 13 bits below the largest: 2^11 roundings of f32. After 128 products the sums are added as
// f32.
func fp8Product(p Problem) (want, scale []float64) {
	m, n, depth := p.Extents["m"], p.Extents["n"], p.Extents["k"]
	a, b := p.Tensors["A"], p.Tensors["B"]
	for e := range m * n {
		i, j := e/n, e%n
		sum, size, part, most := 0.0, 0.0, 0.0, 0.0
		for l := range depth {
			x := a[i*depth+l] * b[j*depth+l]
			if l%128 == 0 {
				part = 0
			}
			if l%32 == 0 {
				most = math.Abs(part)
			}
			sum, part, most = sum+x, part+x, max(most, math.Abs(x))
			size += math.Abs(x) * float64(depth) / 64 // roundings of the sums of tiles
			if l%32 == 31 || l == depth-1 {
				size += 64 * math.Ldexp(max(most, math.Abs(part)), 11) // 34 numbers, and what the cut sums are off
			}
		}
		factor := p.Tensors["SA"][i] * p.Tensors["SB"][j]
		want, scale = append(want, factor*sum), append(scale, math.Abs(factor)*(size+4*math.Abs(sum)))
	}
	return want, scale
}

func persistentSM90Row() []Recipe {
	x := halves()
	x.Name, x.Order = "persistent_sm90", nil // it needs ctas too
	x.Doc = "Multiplies matrices of halves as wgmma_tma_sm90, with a fixed number of blocks, whose ring of stages goes on from " +
		"tile to tile."
	x.Call = "C[i,j] = Σ A[i,l]·B[j,l] by ctas blocks; A is (m,k), B is (n,k), C is (m,n), all by rows; 8 divides k"
	x.Default = Options{Tile: []int64{128, 256, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 1, Stages: 4}
	x.trace = func(o Options) (*kernel.Kernel, error) { return persistentSM90(o).trace() }
	return []Recipe{x}
}

func streamKRow() []Recipe {
	x := halves()
	x.Name, x.Order = "streamk", nil
	x.Doc = "Multiplies matrices of halves by blocks with equally many iterations, which may end within a tile: the block " +
		"with the end of the tile adds the sums of the others."
	x.Call = "C[i,j] = Σ A[i,l]·B[j,l] by ctas blocks; A is (m,k), B is (n,k), C is (m,n), all by rows; parts has a row for " +
		"each block; flags and counts are 0 before and after"
	x.Default = Options{Tile: []int64{128, 128, 32}, Type: dtype.F16, Div: 8, Stages: 4}
	x.below = map[string]string{"flags": "1", "counts": "1"}
	x.reference = func(p Problem) (want, scale []float64) { return product(p, byRows) }
	x.trace = func(o Options) (*kernel.Kernel, error) {
		o.Sum = dtype.F32
		return streamK(o).trace()
	}
	x.sizes = func(e map[string]int64) map[string]int64 {
		sizes := gemmSizes(e)
		sizes["parts"], sizes["flags"], sizes["counts"] = streamSums*e["ctas"], e["ctas"], 1
		return sizes
	}
	x.c.sizes = map[string]string{
		"A": "m * k", "B": "n * k", "C": "m * n", "parts": "16384 * ctas", "flags": "ctas", "counts": "1",
	}
	return []Recipe{x}
}

func groupedRow() []Recipe {
	x := halves()
	x.Name, x.Order = "grouped", nil
	x.Doc = "Multiplies groups of rows with a matrix of each group; each block finds its group by the sizes, which only the " +
		"device knows."
	x.Call = "C[i,j] = Σ A[i,l]·B[g,j,l] for row i of group g, which has sizes[g] rows; A is (m,k), B is (groups,n,k), C is " +
		"(m,n), all by rows; other rows are not written"
	x.Default = Options{Tile: []int64{128, 128, 32}, Type: dtype.F16, Div: 8, Stages: 4}
	x.below = map[string]string{"sizes": "m"}
	x.trace = func(o Options) (*kernel.Kernel, error) {
		o.Sum = dtype.F32
		return grouped(o).trace()
	}
	x.sizes = func(e map[string]int64) map[string]int64 {
		sizes := gemmSizes(e)
		sizes["B"], sizes["sizes"] = e["groups"]*e["n"]*e["k"], e["groups"]
		return sizes
	}
	x.reference = groupedProduct
	x.c.sizes = map[string]string{"A": "m * k", "B": "groups * n * k", "sizes": "groups", "C": "m * n"}
	x.c.want = `int64_t i = e / n, j = e % n, g = 0;
for (int64_t end = sizes[0]; g < groups && end <= i; ) g++, end += g < groups ? sizes[g] : 0;
if (g == groups) continue; // such a row is not written
for (int64_t l = 0; l < k; l++) {
    double x = number(A[i * k + l]) * number(B[(g * n + j) * k + l]);
    want += x, size += fabs(x);
}
size *= 2 * (k + 3);`
	return []Recipe{x}
}

// groupedProduct returns the products of groups of rows, and the elements of C that are not written.
func groupedProduct(p Problem) (want, scale []float64) {
	n, depth, row := p.Extents["n"], p.Extents["k"], int64(0)
	want = slices.Clone(p.Tensors["C"])
	scale = make([]float64, len(want))
	for g, size := range p.Tensors["sizes"] {
		rows := max(0, min(int64(size), p.Extents["m"]-row))
		w, s := product(Problem{
			Kernel: p.Kernel, Extents: map[string]int64{"m": rows, "n": n, "k": depth},
			Tensors: map[string][]float64{"A": p.Tensors["A"][row*depth:], "B": p.Tensors["B"][int64(g)*n*depth:]},
		}, byRows)
		copy(want[row*n:], w)
		copy(scale[row*n:], s)
		row += rows
	}
	return want, scale
}
