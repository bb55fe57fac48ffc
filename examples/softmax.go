package examples

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

func softmaxRow() []Recipe {
	return []Recipe{{
		Name: "softmax",
		Doc:  "Takes the softmax of each row with a warp: a maximum and a sum that are carried along the row, then the quotients.",
		Call: "y[i,j] = exp(x[i,j] - max x[i,:]) / Σ exp(x[i,:] - max x[i,:]); x and y are (m,n) by rows", Output: "y",
		Default: Options{Tile: []int64{4, 256}, Type: dtype.F32, Div: 1},
		Types:   []dtype.Type{dtype.F32, dtype.F16, dtype.BF16},
		trace:   softmax,
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
		row := p.Tensors["x"][i*n:][:n]
		most, sum := math.Inf(-1), 0.0
		for _, x := range row {
			most = max(most, x)
		}
		for _, x := range row {
			sum += math.Exp(x - most)
		}
		for _, x := range row {
			y := math.Exp(x-most) / sum
			want = append(want, y)
			// exp2 is off by 4 roundings, and its argument by 2 of its size, which may be twice 8; a sum adds one a tile.
			scale = append(scale, y*float64(80+n/32))
		}
	}
	return want, scale
}

// softmax has a warp for each row, which it reads twice, in tiles of some neighbours a lane.
func softmax(o Options) (*kernel.Kernel, error) {
	rows, columns := o.Tile[0], o.Tile[1]
	if rows > kernel.MaxThreads/kernel.WarpSize || columns%kernel.WarpSize != 0 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "softmax",
			Msg:  fmt.Sprintf("each row has a warp, and each lane of it as many columns, found a tile %v", o.Tile),
			Hint: "take at most 32 rows, and a multiple of 32 columns",
		}
	}
	each := columns / kernel.WarpSize
	layout, err := cute.New(cute.Int(each), cute.Int(1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("softmax", rows*kernel.WarpSize, func(k *kernel.K) {
		m, n := k.Int("m", extent(1)), k.Int("n", extent(o.Div))
		x := k.Global("x", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		y := k.Global("y", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		k.Grid(m.CeilDiv(rows))
		lane := k.ThreadIdx().Mod(kernel.WarpSize)
		row := k.BlockIdx(0).Mul(kernel.Int(rows)).Add(k.ThreadIdx().Div(kernel.WarpSize))
		own := func(t kernel.Tensor, tile kernel.Index) kernel.Tensor { // the neighbours of the lane in a tile of the row
			t = k.LocalTile(k.Slice(t, row, kernel.Open), kernel.Shape(columns), tile)
			return k.LocalTile(t, kernel.Shape(each), lane)
		}
		first, log2e := kernel.Int(0), k.Number(dtype.F32, math.Log2E)
		read := k.MakeFragment(o.Type, layout)
		most := k.MakeFragment(dtype.F32, cute.MustParse("1:0"))
		sum := k.MakeFragment(dtype.F32, cute.MustParse("1:0"))
		exp := func(i int64, of kernel.Value) kernel.Value { // exp(element i - of)
			return k.Load(read, kernel.Int(i)).Convert(dtype.F32).Sub(of).Mul(log2e).Exp2()
		}
		k.Fill(most, math.Inf(-1))
		k.Clear(sum)
		k.If(row.Less(m), func() {
			tiles := n.CeilDiv(columns)
			k.For(first, tiles, func(tile kernel.Index) {
				k.Fill(read, math.Inf(-1))
				k.CopyIf(own(x, tile), read)
				old := k.Load(most, first)
				now := old
				for i := range each {
					now = now.Max(k.Load(read, kernel.Int(i)).Convert(dtype.F32))
				}
				now = k.WarpReduction(now, kernel.Value.Max, kernel.WarpSize)
				total := k.Load(sum, first).Mul(old.Sub(now).Mul(log2e).Exp2())
				for i := range each {
					total = total.Add(exp(i, now))
				}
				k.Store(now, most, first)
				k.Store(total, sum, first)
			})
			scale := k.WarpReduction(k.Load(sum, first), kernel.Value.Add, kernel.WarpSize).Rcp()
			k.For(first, tiles, func(tile kernel.Index) {
				k.CopyIf(own(x, tile), read)
				for i := range each {
					k.Store(exp(i, k.Load(most, first)).Mul(scale).Convert(o.Type), read, kernel.Int(i))
				}
				k.CopyIf(read, own(y, tile))
			})
		})
	})
}
