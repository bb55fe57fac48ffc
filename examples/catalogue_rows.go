package examples

import (
	"math"
	"slices"

	"girih/dtype"
	"girih/kernel"
)

// This file lists the kernels that reduce, normalise and gather, as catalogue.go does.

// byRow describes what the kernels share that take a matrix x of (m,n), row by row, with a warp for each row.
func byRow(name, doc, call string, outputs string) Recipe {
	return Recipe{
		Name: name, Doc: doc, Call: call, Output: "y",
		Default: Options{Tile: []int64{4, 256}, Type: dtype.F32, Div: 1},
		Types:   []dtype.Type{dtype.F32, dtype.F16, dtype.BF16},
		sizes: func(e map[string]int64) map[string]int64 {
			y := map[string]int64{"m": e["m"], "m * 8": 8 * e["m"], "m * n": e["m"] * e["n"]}
			return map[string]int64{"x": e["m"] * e["n"], "y": y[outputs], "w": e["n"], "b": e["n"], "target": e["m"]}
		},
		c: program{sizes: map[string]string{"x": "m * n", "y": outputs, "w": "n", "b": "n", "target": "m"}},
	}
}

// rowsOf calls f for each row of x, with its number.
func rowsOf(p Problem, f func(i int, row []float64)) {
	n := int(p.Extents["n"])
	for i := range int(p.Extents["m"]) {
		f(i, p.Tensors["x"][i*n:][:n])
	}
}

func histogramRow() []Recipe {
	return []Recipe{{
		Name: "histogram", Doc: "Counts bytes: each block in its shared memory, by atomic additions, and then in global memory.",
		Call: "h[v] += the number of i with x[i] = v, for v < 256 and i < n", Output: "h",
		Default: Options{Tile: []int64{4096}, Type: dtype.U8}, Types: []dtype.Type{dtype.U8},
		trace: func(o Options) (*kernel.Kernel, error) { return histogram{o.Tile}.trace() },
		sizes: func(e map[string]int64) map[string]int64 { return map[string]int64{"x": e["n"], "h": 256} },
		reference: func(p Problem) (want, scale []float64) {
			want = slices.Clone(p.Tensors["h"])
			for _, v := range p.Tensors["x"] {
				want[int(v)]++
			}
			return want, make([]float64, 256)
		},
		c: program{
			sizes: map[string]string{"x": "n", "h": "256"},
			want:  "want = number(h[e]);\nfor (int64_t i = 0; i < n; i++) want += x[i] == e;",
		},
	}}
}

func reduceRow() []Recipe {
	return []Recipe{{
		Name: "reduce", Aliases: []string{"sum"},
		Doc:  "Sums all elements in one launch: the block that takes the last ticket adds up the sums of the blocks.",
		Call: "y[0] = Σ x[i] for i < n; parts has a number for each block, and count[0] is 0 before and after", Output: "y",
		Default: Options{Tile: []int64{4096}, Type: dtype.F32},
		Types:   []dtype.Type{dtype.F32, dtype.F16, dtype.BF16},
		below:   map[string]string{"count": "1"},
		trace:   func(o Options) (*kernel.Kernel, error) { return reduce{o.Tile, o.Type}.trace() },
		sizes: func(e map[string]int64) map[string]int64 {
			return map[string]int64{"x": e["n"], "parts": e["n"], "count": 1, "y": 1}
		},
		reference: func(p Problem) (want, scale []float64) {
			sum, size := 0.0, 0.0
			for _, v := range p.Tensors["x"] {
				sum, size = sum+v, size+math.Abs(v)
			}
			return []float64{sum}, []float64{48 * size}
		},
		c: program{
			sizes: map[string]string{"x": "n", "parts": "n", "count": "1", "y": "1"},
			want: `for (int64_t i = 0; i < n; i++) want += number(x[i]), size += fabs(number(x[i]));
size *= 48;`,
		},
	}}
}

func scanRow() []Recipe {
	x := byRow("scan", "Takes running sums along each row with a warp: of neighbours, of lanes by shuffles, and of tiles.",
		"y[i,j] = Σ x[i,0:j+1]; x and y are (m,n) by rows", "m * n")
	x.trace = func(o Options) (*kernel.Kernel, error) { return scan{o.Tile, o.Type, o.Div}.trace() }
	x.reference = func(p Problem) (want, scale []float64) {
		rowsOf(p, func(_ int, row []float64) {
			sum, size := 0.0, 0.0
			for _, v := range row {
				sum, size = sum+v, size+math.Abs(v)
				want, scale = append(want, sum), append(scale, float64(20+len(row)/256)*size)
			}
		})
		return want, scale
	}
	x.c.want = `for (int64_t j = e / n * n; j <= e; j++) want += number(x[j]), size += fabs(number(x[j]));
size *= 20 + n / 256;`
	return []Recipe{x}
}

func lookbackRow() []Recipe {
	return []Recipe{{
		Name:    "lookback",
		Doc:     "Takes running sums of all elements in one launch: a block adds the sums of the blocks before it as they are published.",
		Call:    "y[i] = Σ x[0:i+1] for i < n; parts, sums and flags have a number for each block, flags and counts[0:2] are 0 before and after",
		Output:  "y",
		Default: Options{Tile: []int64{2048}, Type: dtype.F32, Div: 1},
		Types:   []dtype.Type{dtype.F32, dtype.F16, dtype.BF16, dtype.S32, dtype.U32},
		below:   map[string]string{"flags": "1", "counts": "1"},
		trace:   func(o Options) (*kernel.Kernel, error) { return lookback{o.Tile, o.Type, o.Div}.trace() },
		sizes: func(e map[string]int64) map[string]int64 {
			most := e["n"]/256 + 1 // blocks
			return map[string]int64{"x": e["n"], "y": e["n"], "parts": most, "sums": most, "flags": most, "counts": 2}
		},
		reference: func(p Problem) (want, scale []float64) {
			sum, size := 0.0, 0.0
			for i, v := range p.Tensors["x"] {
				sum, size = sum+v, size+math.Abs(v)
				want, scale = append(want, sum), append(scale, float64(48+i/1024)*size)
			}
			return want, scale
		},
		c: program{
			sizes: map[string]string{
				"x": "n", "y": "n", "parts": "n / 256 + 1", "sums": "n / 256 + 1", "flags": "n / 256 + 1", "counts": "2",
			},
			want: `for (int64_t i = 0; i <= e; i++) want += number(x[i]), size += fabs(number(x[i]));
size *= 48 + e / 1024;`,
		},
	}}
}

// byRank returns the columns of a row, the largest element first and of equal ones the left one.
func byRank(row []float64) []int {
	at := make([]int, len(row))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(i, j int) int {
		switch {
		case row[i] > row[j]:
			return -1
		case row[i] < row[j]:
			return 1
		}
		return 0
	})
	return at
}

const rankText = `int64_t row = e / ranks * n;
want = -1;
for (int64_t j = 0; j < n; j++) {
    int64_t before = 0;
    for (int64_t l = 0; l < n; l++) before += number(x[row + l]) > number(x[row + j]) || l < j && number(x[row + l]) == number(x[row + j]);
    if (before == e % ranks) want = j;
}`

func argmaxRow() []Recipe {
	x := byRow("argmax", "Finds the first largest element of each row with a warp, whose lanes exchange numbers and columns.",
		"y[i] = the least j with the largest x[i,j]; x is (m,n) by rows", "m")
	x.trace = func(o Options) (*kernel.Kernel, error) { return argmax{o.Tile, o.Type, o.Div}.trace() }
	x.reference = func(p Problem) (want, scale []float64) {
		rowsOf(p, func(_ int, row []float64) { want = append(want, float64(byRank(row)[0])) })
		return want, make([]float64, len(want))
	}
	x.c.want = "const int64_t ranks = 1;\n" + rankText
	return []Recipe{x}
}

func topkRow() []Recipe {
	x := byRow("topk", "Finds the columns of the eight largest elements of each row in order, with a warp for each row.",
		"y[i,r] = the column of rank r of x[i,:], -1 if there is none; x is (m,n) and y (m,8) by rows", "m * 8")
	x.trace = func(o Options) (*kernel.Kernel, error) { return topk{o.Tile, o.Type, o.Div}.trace() }
	x.reference = func(p Problem) (want, scale []float64) {
		rowsOf(p, func(_ int, row []float64) {
			at := byRank(row)
			for r := range 8 {
				j := -1
				if r < len(at) {
					j = at[r]
				}
				want = append(want, float64(j))
			}
		})
		return want, make([]float64, len(want))
	}
	x.c.want = "const int64_t ranks = 8;\n" + rankText
	return []Recipe{x}
}

func layernormRow() []Recipe {
	x := byRow("layernorm", "Normalises each row by its mean and variance with a warp, and scales and shifts the columns.",
		"y[i,j] = (x[i,j] - mean) / sqrt(variance + 1e-5) · w[j] + b[j] for row i; x and y are (m,n) by rows", "m * n")
	x.trace = func(o Options) (*kernel.Kernel, error) { return layernorm{o.Tile, o.Type, o.Div}.trace() }
	x.reference = func(p Problem) (want, scale []float64) {
		w, b := p.Tensors["w"], p.Tensors["b"]
		rowsOf(p, func(_ int, row []float64) {
			n, mean, size, variance := float64(len(row)), 0.0, 0.0, 0.0
			for _, v := range row {
				mean, size = mean+v/n, size+math.Abs(v)/n
			}
			for _, v := range row {
				variance += (v - mean) * (v - mean) / n
			}
			factor := 1 / math.Sqrt(variance+1e-5)
			for j, v := range row {
				want = append(want, (v-mean)*factor*w[j]+b[j])
				// Each sum has n/32 + 5 roundings, and the root an error of 2 roundings.
				scale = append(scale, (n/32+40)*factor*math.Abs(w[j])*(math.Abs(v-mean)+size)+math.Abs(b[j]))
			}
		})
		return want, scale
	}
	x.c.want = `double mean = 0, part = 0, variance = 0;
int64_t row = e / n * n;
for (int64_t j = 0; j < n; j++) mean += number(x[row + j]) / n, part += fabs(number(x[row + j])) / n;
for (int64_t j = 0; j < n; j++) variance += pow(number(x[row + j]) - mean, 2) / n;
double factor = number(w[e % n]) / sqrt(variance + 1e-5);
want = (number(x[e]) - mean) * factor + number(b[e % n]);
size = (n / 32 + 40) * fabs(factor) * (fabs(number(x[e]) - mean) + part) + fabs(number(b[e % n]));`
	return []Recipe{x}
}

func rmsnormRow() []Recipe {
	x := byRow("rmsnorm", "Normalises each row by the root of its mean square with a warp, and scales the columns.",
		"y[i,j] = x[i,j] / sqrt(mean of x[i,:]·x[i,:] + 1e-5) · w[j]; x and y are (m,n) by rows", "m * n")
	x.trace = func(o Options) (*kernel.Kernel, error) { return rmsnorm{o.Tile, o.Type, o.Div}.trace() }
	x.reference = func(p Problem) (want, scale []float64) {
		rowsOf(p, func(_ int, row []float64) {
			n, mean := float64(len(row)), 0.0
			for _, v := range row {
				mean += v * v / n
			}
			for j, v := range row {
				y := v / math.Sqrt(mean+1e-5) * p.Tensors["w"][j]
				want, scale = append(want, y), append(scale, (n/32+40)*math.Abs(y))
			}
		})
		return want, scale
	}
	x.c.want = `double mean = 0;
int64_t row = e / n * n;
for (int64_t j = 0; j < n; j++) mean += pow(number(x[row + j]), 2) / n;
want = number(x[e]) / sqrt(mean + 1e-5) * number(w[e % n]);
size = (n / 32 + 40) * fabs(want);`
	return []Recipe{x}
}

func crossEntropyRow() []Recipe {
	x := byRow("cross_entropy", "Takes the loss of a softmax for the target column of each row with a warp, which reads the row once.",
		"y[i] = log Σ exp(x[i,:]) - x[i,target[i]]; x is (m,n) by rows", "m")
	x.below = map[string]string{"target": "n"}
	x.trace = func(o Options) (*kernel.Kernel, error) { return crossEntropy{o.Tile, o.Type, o.Div}.trace() }
	x.reference = func(p Problem) (want, scale []float64) {
		rowsOf(p, func(i int, row []float64) {
			most, sum := slices.Max(row), 0.0
			for _, v := range row {
				sum += math.Exp(v - most)
			}
			own := row[int(p.Tensors["target"][i])]
			want = append(want, math.Log(sum)+most-own)
			// The sum is off as in softmax, and its logarithm by as much absolutely.
			scale = append(scale, 100+float64(len(row)/32)+8*(math.Abs(most)+math.Abs(own)+math.Log(sum)))
		})
		return want, scale
	}
	x.c.want = `double most = -INFINITY, sum = 0;
for (int64_t j = 0; j < n; j++) most = fmax(most, number(x[e * n + j]));
for (int64_t j = 0; j < n; j++) sum += exp(number(x[e * n + j]) - most);
double own = number(x[e * n + target[e]]);
want = log(sum) + most - own;
size = 100 + n / 32 + 8 * (fabs(most) + fabs(own) + log(sum));`
	return []Recipe{x}
}

func ropeRow() []Recipe {
	x := byRow("rope", "Rotates pairs of numbers, one of each half of a row, by given cosines and sines.",
		"y[i,0,j] = x[i,0,j]·cos[i,j] - x[i,1,j]·sin[i,j], y[i,1,j] = x[i,1,j]·cos[i,j] + x[i,0,j]·sin[i,j]; "+
			"x and y are (m,2,h), cos and sin (m,h) by rows", "")
	x.Default.Tile = []int64{4, 128}
	x.trace = func(o Options) (*kernel.Kernel, error) { return rope{o.Tile, o.Type, o.Div}.trace() }
	x.sizes = func(e map[string]int64) map[string]int64 {
		n := e["m"] * e["h"]
		return map[string]int64{"x": 2 * n, "y": 2 * n, "cos": n, "sin": n}
	}
	x.reference = func(p Problem) (want, scale []float64) {
		h, v := int(p.Extents["h"]), p.Tensors["x"]
		for e := range v {
			i, half, j := e/(2*h), e/h%2, e%h
			a, b := v[e]*p.Tensors["cos"][i*h+j], v[i*2*h+(1-half)*h+j]*p.Tensors["sin"][i*h+j]
			if half == 0 {
				b = -b
			}
			want, scale = append(want, a+b), append(scale, 3*(math.Abs(a)+math.Abs(b)))
		}
		return want, scale
	}
	x.c = program{
		sizes: map[string]string{"x": "2 * m * h", "y": "2 * m * h", "cos": "m * h", "sin": "m * h"},
		want: `int64_t i = e / (2 * h), second = e / h % 2, j = e % h;
double a = number(x[e]) * cos[i * h + j], b = number(x[i * 2 * h + (1 - second) * h + j]) * sin[i * h + j];
want = second ? a + b : a - b;
size = 3 * (fabs(a) + fabs(b));`,
	}
	return []Recipe{x}
}

func pagedRow() []Recipe {
	x := byRow("paged", "Gathers the rows of a cache of pages, whose numbers a table has.",
		"y[i,j] = cache[table[i/16],i mod 16,j], 0 without such a page; cache is (pages,16,d), y (m,d) by rows", "")
	x.Default.Tile = []int64{4, 256}
	x.Types = append(x.Types, dtype.U8)
	x.below = map[string]string{"table": "pages"}
	x.trace = func(o Options) (*kernel.Kernel, error) { return paged{o.Tile, o.Type, o.Div}.trace() }
	x.sizes = func(e map[string]int64) map[string]int64 {
		return map[string]int64{
			"cache": e["pages"] * 16 * e["d"], "table": e["m"]/16 + 1, "y": e["m"] * e["d"],
		}
	}
	x.reference = func(p Problem) (want, scale []float64) {
		d, cache := int(p.Extents["d"]), p.Tensors["cache"]
		for i := range int(p.Extents["m"]) {
			page := int(p.Tensors["table"][i/16])
			want = append(want, cache[(page*16+i%16)*d:][:d]...)
		}
		return want, make([]float64, len(want))
	}
	x.c = program{
		sizes: map[string]string{"cache": "pages * 16 * d", "table": "m / 16 + 1", "y": "m * d"},
		want:  "int64_t i = e / d;\nwant = number(cache[(table[i / 16] * 16 + i % 16) * d + e % d]);",
	}
	return []Recipe{x}
}
