package examples

import (
	"fmt"

	"girih/dtype"
	"girih/kernel"
)

// This file lists the products of matrices with tcgen05.mma, as catalogue.go does.

// ummaRows returns the recipes after CuTe's tutorial for Blackwell.
func ummaRows() []Recipe {
	var out []Recipe
	for i, x := range []ummaSM100{{}, {Cluster: 2}, {Cluster: 2, Pair: true}, {Cluster: 2, Pair: true, Store: true}} {
		y := halves()
		y.Name = []string{"umma_sm100", "umma_multicast_sm100", "umma_2sm_sm100", "umma_epi_sm100"}[i]
		y.CuTe = "examples/cute/tutorial/blackwell/" + []string{
			"02_mma_tma_sm100.cu", "03_mma_tma_multicast_sm100.cu", "04_mma_tma_2sm_sm100.cu", "05_mma_tma_epi_sm100.cu",
		}[i]
		y.Doc = []string{
			"Multiplies matrices of halves with tcgen05.mma: one warp copies tiles with the TMA, another multiplies, four write.",
			"Does what umma_sm100 does in clusters of two blocks along m; each copies half of a tile of B to both.",
			"Does what umma_sm100 does in pairs of blocks (2-SM), whose instructions multiply tiles of both.",
			"Does what umma_2sm_sm100 does, and writes C through shared memory with the TMA.",
		}[i]
		y.Default = Options{Tile: []int64{128, 256, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 8, Stages: 4}
		if y.Call += "; 8 divides k"; x.Pair {
			y.Default.Tile[0] = 256
		}
		y.trace = func(o Options) (*kernel.Kernel, error) {
			x := x
			x.Tile, x.Type, x.Sum, x.Div, x.Stages = o.Tile, o.Type, o.Sum, o.Div, o.Stages
			return x.trace(y.Name)
		}
		out = append(out, y)
	}
	return out
}

// scaledRows returns the recipes of products with a factor for each few elements along K.
func scaledRows() []Recipe {
	const packed = "a byte of A or B has two neighbours, the first in its low bits; 32 divides k; "
	four := scaledSM100{Elem: dtype.E2M1, Scale: dtype.UE4M3, Vector: 16}
	x := four.recipe(Recipe{
		Name: "nvf4_sm100", Aliases: []string{"gemm_nvf4_sm100"}, Call: packed, Types: []dtype.Type{dtype.E2M1},
		Doc: "Multiplies matrices of 4-bit floats with tcgen05.mma by factors of 16 elements, which tcgen05.cp copies to " +
			"tensor memory.",
	})
	y := scaledSM100{Elem: dtype.E4M3, Scale: dtype.UE8M0, Vector: 32}.recipe(Recipe{
		Name: "mxf8_sm100", Aliases: []string{"gemm_mxf8_sm100"}, Call: "16 divides k; ",
		Doc:   "Multiplies matrices of 8-bit floats with tcgen05.mma by powers of two for 32 elements, as nvf4_sm100.",
		Types: []dtype.Type{dtype.E4M3, dtype.E5M2},
	})
	z := four.recipe(Recipe{
		Name: "mma_scale_sm120", Aliases: []string{"nvf4_sm120"}, Call: packed, Types: []dtype.Type{dtype.E2M1},
		Doc: "Multiplies matrices of 4-bit floats with mma.sync by factors of 16 elements: cp.async, ldmatrix, factors in " +
			"registers.",
	})
	z.CuTe = "examples/79_blackwell_geforce_gemm"
	z.Default.Tile, z.Default.Stages = []int64{128, 128, 128}, 3
	z.trace = func(o Options) (*kernel.Kernel, error) { return scaledSM120{o.Tile, o.Div, o.Stages}.trace(z.Name) }
	return []Recipe{x, y, z}
}

// recipe completes a recipe of a product with such factors.
func (o scaledSM100) recipe(x Recipe) Recipe {
	per, block, packed := 8/int64(o.Elem.Bits()), scaleBlock*o.Vector, o.Elem.Bits() < 8
	x.Output, x.CuTe = "C", "examples/72_blackwell_narrow_precision_gemm"
	x.Call = fmt.Sprintf("C[i,j] = Σ A[i,l]·SFA[i,l/%d]·B[j,l]·SFB[j,l/%[1]d]; A is (m,k), B is (n,k), C is (m,n), all by rows; %s"+
		"SFA has bytes of %v in blocks of 128 rows by 4 factors: (m/128,k/%d,512) rounded up, by rows; factor f of row r is byte "+
		"16·(r mod 32) + 4·(r div 32) + f; SFB is like SFA for n", o.Vector, x.Call, o.Scale, block)
	x.Default = Options{Tile: []int64{128, 256}, Type: x.Types[0], Div: 1, Stages: 4}
	x.trace = func(p Options) (*kernel.Kernel, error) {
		own := o
		own.Tile, own.Elem, own.Div, own.Stages = p.Tile, p.Type, p.Div, p.Stages
		return own.trace(x.Name)
	}
	x.sizes = func(e map[string]int64) map[string]int64 {
		factors := func(rows int64) int64 { return (rows + 127) / 128 * ((e["k"] + block - 1) / block) * 512 }
		return map[string]int64{
			"A": e["m"] * e["k"] / per, "B": e["n"] * e["k"] / per, "C": e["m"] * e["n"],
			"SFA": factors(e["m"]), "SFB": factors(e["n"]),
		}
	}
	x.reference = o.reference
	element, factor := "number(%s[%s * k + l])", "ldexp(1, %s - 127)"
	x.below = map[string]string{"SFA": "136", "SFB": "136"} // up to 2^8
	if packed {
		element, factor = "four[%s[(%s * k + l) / 2] >> 4 * (l %% 2) & 15]", "ldexp(%s %% 8 + (%[1]s < 8 ? 0 : 8), %[1]s < 8 ? -9 : %[1]s / 8 - 10)"
		x.below = map[string]string{"SFA": "72", "SFB": "72", "A": "256", "B": "256"} // up to 4
	}
	size := fmt.Sprintf("(%%s + 127) / 128 * ((k + %d) / %d) * 512", block-1, block)
	x.c = program{
		sizes: map[string]string{
			"A": fmt.Sprintf("m * k / %d", per), "B": fmt.Sprintf("n * k / %d", per), "C": "m * n",
			"SFA": fmt.Sprintf(size, "m"), "SFB": fmt.Sprintf(size, "n"),
		},
		work: "2.0 * m * n * k",
		want: fmt.Sprintf(`static const double four[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, 0, -0.5, -1, -1.5, -2, -3, -4, -6};
(void)four;
int64_t i = e / n, j = e %% n, along = (k + %d) / %d;
auto place = [&](int64_t row, int64_t f) { return (row / 128 * along + f / 4) * 512 + 16 * (row %% 32) + row %% 128 / 32 * 4 + f %% 4; };
for (int64_t l = 0; l < k; l++) {
    int p = SFA[place(i, l / %d)], q = SFB[place(j, l / %[3]d)];
    double x = %s * %s * %s * %s;
    want += x, size += fabs(x);
}
size *= 2 * (k + 3);`, block-1, block, o.Vector, fmt.Sprintf(element, "A", "i"), fmt.Sprintf(element, "B", "j"),
			fmt.Sprintf(factor, "p"), fmt.Sprintf(factor, "q")),
	}
	return x
}

// reference is the product in 64-bit arithmetic.
func (o scaledSM100) reference(p Problem) (want, scale []float64) {
	e := p.Extents
	depth, packed := e["k"], o.Elem.Bits() < 8
	along := (depth + scaleBlock*o.Vector - 1) / (scaleBlock * o.Vector)
	scaled := func(name string, rows int64) []float64 {
		x, factors, out := p.Tensors[name], p.Tensors["SF"+name], make([]float64, 0, rows*depth)
		for i := range rows {
			for l := range depth {
				f := l / o.Vector
				code := factors[(i/128*along+f/scaleBlock)*512+16*(i%32)+4*(i%128/32)+f%scaleBlock]
				factor, _ := o.Scale.Decode(uint64(code))
				v := 0.0
				if packed {
					v, _ = o.Elem.Decode(uint64(x[(i*depth+l)/2]) >> (4 * (l % 2)) & 15)
				} else {
					v = x[i*depth+l]
				}
				out = append(out, v*factor)
			}
		}
		return out
	}
	tensors := map[string][]float64{"A": scaled("A", e["m"]), "B": scaled("B", e["n"])}
	return product(Problem{Extents: e, Tensors: tensors}, byRows)
}
