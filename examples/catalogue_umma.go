package examples

import (
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
