package examples

import (
	"girih/dtype"
	"girih/kernel"
)

// This file lists the kernels as recipes, with one function for each kernel's file. The kernels' files do not depend on
// this file.

// rows lists the functions that return the recipes, in the order of the table.
var rows = []func() []Recipe{
	vectorAddRow, transposeRows, sgemmRows, sgemmSM80Row, softmaxRow, wgmmaRows, ummaRows, scaledRows,
	histogramRow, reduceRow, scanRow, lookbackRow, argmaxRow, topkRow, layernormRow, rmsnormRow,
	crossEntropyRow, ropeRow, pagedRow, dequantiseRows, fp8Row, persistentSM90Row, streamKRow, groupedRow,
	attentionRows, convolutionRow,
}

func vectorAddRow() []Recipe {
	return []Recipe{{
		Name: "vector_add", Aliases: []string{"elementwise_add"},
		Doc:  "Adds two vectors; each thread takes neighbours, as many at once as the extent allows.",
		CuTe: "examples/python/CuTeDSL/ampere/elementwise_add.py",
		Call: "c[i] = a[i] + b[i] for i < n", Output: "c",
		Default: Options{Tile: []int64{512}, Type: dtype.F32, Div: 1},
		Types:   []dtype.Type{dtype.F32, dtype.F64, dtype.S32, dtype.U32},
		trace:   func(o Options) (*kernel.Kernel, error) { return vectorAdd{o.Tile, o.Type, o.Div}.trace() },
		sizes: func(e map[string]int64) map[string]int64 {
			return map[string]int64{"a": e["n"], "b": e["n"], "c": e["n"]}
		},
		reference: func(p Problem) (want, scale []float64) {
			for i, x := range p.Tensors["a"] {
				want = append(want, x+p.Tensors["b"][i])
			}
			return want, make([]float64, len(want)) // each sum is rounded once
		},
		c: program{
			sizes: map[string]string{"a": "n", "b": "n", "c": "n"},
			want:  "want = number(a[e]) + number(b[e]);",
		},
	}}
}

func transposeRows() []Recipe {
	x := Recipe{
		Call: "b[j,i] = a[i,j] for i < m, j < n; a is (m,n), b is (n,m), both by rows", Output: "b",
		Default: Options{Tile: []int64{32, 32}, Type: dtype.F32, Div: 1},
		Types:   []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.BF16, dtype.U8},
		sizes: func(e map[string]int64) map[string]int64 {
			return map[string]int64{"a": e["m"] * e["n"], "b": e["m"] * e["n"]}
		},
		reference: transposeReference,
		c: program{
			sizes: map[string]string{"a": "m * n", "b": "m * n"},
			want:  "want = number(a[e % m * n + e / m]);",
		},
	}
	naive, padded, swizzled := x, x, x
	naive.Name = "transpose_naive"
	naive.Doc = "Transposes a matrix from global memory to global memory: what it writes is spread over sectors."
	naive.trace = func(o Options) (*kernel.Kernel, error) { return transpose{o.Tile, o.Type, o.Div}.naive() }
	padded.Name = "transpose_padded"
	padded.Doc = "Transposes a matrix through tiles in shared memory, whose rows are one element longer, against conflicts."
	padded.trace = func(o Options) (*kernel.Kernel, error) { return transpose{o.Tile, o.Type, o.Div}.withPadding() }
	swizzled.Name, swizzled.Aliases = "transpose_swizzled", []string{"transpose"}
	swizzled.Doc = "Transposes a matrix through tiles in shared memory, whose swizzle spreads columns over the banks."
	swizzled.trace = func(o Options) (*kernel.Kernel, error) { return transpose{o.Tile, o.Type, o.Div}.withSwizzle() }
	return []Recipe{naive, padded, swizzled}
}

func transposeReference(p Problem) (want, scale []float64) {
	m, n := p.Extents["m"], p.Extents["n"]
	want = make([]float64, m*n)
	for i, x := range p.Tensors["a"] {
		want[int64(i)%n*m+int64(i)/n] = x
	}
	return want, make([]float64, m*n)
}

// sgemmRows returns the recipes for products of floats: A is (m,k), B is (n,k), C is (m,n), and the first extent of
// each is contiguous.
func sgemmRows() []Recipe {
	x := Recipe{
		Call:   "C[i,j] = alpha·Σ A[i,l]·B[j,l] + beta·C[i,j]; A is (m,k), B is (n,k), C is (m,n), all by columns",
		Output: "C", Types: []dtype.Type{dtype.F32, dtype.F64}, Order: byColumns,
		Default:   Options{Tile: []int64{128, 128, 8}, Type: dtype.F32, Div: 1},
		sizes:     gemmSizes,
		reference: func(p Problem) (want, scale []float64) { return product(p, byColumns) },
		c:         byColumnsText,
	}
	one, every, two, sm70 := x, x, x, x
	one.Name, one.CuTe = "sgemm_1", "examples/cute/tutorial/sgemm_1.cu"
	one.Doc = "Multiplies matrices with local_partition alone: tiles go to shared memory element by element."
	one.Default.Tile = []int64{64, 64, 8}
	one.trace = func(o Options) (*kernel.Kernel, error) { return sgemm1{o.Tile, o.Type, o.Div}.trace() }
	every.Name, every.Default.Tile, every.Order = "persistent", one.Default.Tile, nil // it needs ctas too
	every.Doc = "Multiplies matrices with a fixed number of blocks, which compute one tile of C after another."
	every.Call = "C[i,j] = Σ A[i,l]·B[j,l] by ctas blocks; A is (m,k), B is (n,k), C is (m,n), all by columns"
	every.c = productText("int64_t i = e % m, j = e / m;", "i + l * m", "j + l * n", "size *= 2 * (k + 3);")
	every.trace = func(o Options) (*kernel.Kernel, error) { return persistent{o.Tile, o.Type, o.Div}.trace() }
	two.Name, two.CuTe = "sgemm_2", "examples/cute/tutorial/sgemm_2.cu"
	two.Doc = "Multiplies matrices with a tiled copy, four elements a thread, and a tiled MMA of single products."
	two.trace = func(o Options) (*kernel.Kernel, error) { return sgemm2{o.Tile, o.Type, o.Div}.trace() }
	sm70.Name, sm70.CuTe = "sgemm_sm70", "examples/cute/tutorial/sgemm_sm70.cu"
	sm70.Doc = "Multiplies matrices while the next tile comes into registers, and the next k of this one out of shared memory."
	sm70.trace = func(o Options) (*kernel.Kernel, error) { return sgemmSM70{o.Tile, o.Type, o.Div}.trace() }
	return []Recipe{one, every, two, sm70}
}

// halves returns the common part of the recipes for products of halves: all matrices are row-major.
func halves() Recipe {
	return Recipe{
		Call: "C[i,j] = Σ A[i,l]·B[j,l]; A is (m,k), B is (n,k), C is (m,n), all by rows", Output: "C",
		Default:   Options{Tile: []int64{128, 128, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 8, Stages: 3},
		Types:     []dtype.Type{dtype.F16, dtype.BF16},
		Order:     byRows,
		sizes:     gemmSizes,
		reference: productOfHalves,
		c:         byRowsText,
	}
}

func sgemmSM80Row() []Recipe {
	x := halves()
	x.Name, x.Aliases, x.CuTe = "sgemm_sm80", []string{"gemm_sm80"}, "examples/cute/tutorial/sgemm_sm80.cu"
	x.Doc = "Multiplies matrices of halves on tensor cores: cp.async into swizzled stages, ldmatrix, mma.sync."
	x.trace = func(o Options) (*kernel.Kernel, error) {
		return sgemmSM80(o).trace()
	}
	return []Recipe{x}
}

func softmaxRow() []Recipe {
	return []Recipe{{
		Name: "softmax",
		Doc:  "Takes the softmax of each row with a warp: a maximum and a sum that are carried along the row, then the quotients.",
		Call: "y[i,j] = exp(x[i,j] - max x[i,:]) / Σ exp(x[i,:] - max x[i,:]); x and y are (m,n) by rows", Output: "y",
		Default: Options{Tile: []int64{4, 256}, Type: dtype.F32, Div: 1},
		Types:   []dtype.Type{dtype.F32, dtype.F16, dtype.BF16},
		trace:   func(o Options) (*kernel.Kernel, error) { return softmax{o.Tile, o.Type, o.Div}.trace() },
		sizes: func(e map[string]int64) map[string]int64 {
			return map[string]int64{"x": e["m"] * e["n"], "y": e["m"] * e["n"]}
		},
		reference: softmaxOf,
		c: program{
			sizes: map[string]string{"x": "m * n", "y": "m * n"},
			want: `double most = -INFINITY, sum = 0;
int64_t row = e / n * n;
for (int64_t j = 0; j < n; j++) most = fmax(most, number(x[row + j]));
for (int64_t j = 0; j < n; j++) sum += exp(number(x[row + j]) - most);
want = exp(number(x[e]) - most) / sum;
size = want * (80 + n / 32);`,
		},
	}}
}

func softmaxOf(p Problem) (want, scale []float64) {
	n := int(p.Extents["n"])
	for i := range int(p.Extents["m"]) {
		for _, y := range softmaxOfRow(p.Tensors["x"][i*n:][:n]) {
			want = append(want, y)
			// exp2 has an error of up to 4 roundings. Its argument, whose size is up to twice 8, has an error of 2
			// roundings of that size. Each tile adds one rounding to the sum.
			scale = append(scale, y*float64(80+n/32))
		}
	}
	return want, scale
}

func wgmmaRows() []Recipe {
	plain, one := halves(), halves()
	plain.Name, plain.CuTe = "wgmma_sm90", "examples/cute/tutorial/hopper/wgmma_sm90.cu"
	plain.Doc = "Multiplies matrices of halves with wgmma, which reads both from stages in shared memory that cp.async fills."
	plain.trace = func(o Options) (*kernel.Kernel, error) {
		return wgmmaSM90(o).trace()
	}
	one.Name, one.CuTe = "wgmma_tma_sm90", "examples/cute/tutorial/hopper/wgmma_tma_sm90.cu"
	one.Doc = "Multiplies matrices of halves: one warp copies tiles with the TMA into a ring of stages, two warpgroups " +
		"multiply them with wgmma."
	one.Call += "; 8 divides k"
	one.Default = Options{Tile: []int64{128, 256, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 1, Stages: 4}
	two := one
	two.Name, two.CuTe = "wgmma_tma_cluster_sm90", ""
	two.Doc = "Does what wgmma_tma_sm90 does in clusters of two blocks along m, each of which copies half of a tile of B to both."
	one.trace, two.trace = wgmmaInClusters(1), wgmmaInClusters(2)
	return []Recipe{plain, one, two}
}

func wgmmaInClusters(n int64) func(o Options) (*kernel.Kernel, error) {
	return func(o Options) (*kernel.Kernel, error) {
		return wgmmaTMASM90{o.Tile, o.Type, o.Sum, o.Div, o.Stages, n}.trace()
	}
}
