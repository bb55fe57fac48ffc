package examples

// This file is the kernel softmax: reductions over the lanes of a warp, values that are carried through a loop, and
// conversions. It is complete. To use it elsewhere, copy the file and change the name of its package; then
//
//	k, err := softmax{Tile: []int64{4, 256}, Type: dtype.F16, Div: 8}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes y[i,j] = exp(x[i,j] - max x[i,:]) / Σ exp(x[i,:] - max x[i,:])
// for matrices of (m,n), row by row, as [softmaxOfRow] does on the CPU.
//
// Each row has a warp, which reads it twice. In the first loop the maximum so far and the sum of exponentials relative
// to it are carried along; when the maximum grows from a to b, the sum is multiplied by exp(a - b). The second loop
// writes the quotients. All sums are f32, and exp(x) is 2^(x·log2(e)).
//
// A tile of a row gives each lane consecutive elements. Lanes beyond the end of the row read -infinity, whose
// exponential is 0, so that no condition is needed in the loops.
//
//	k.WarpReduction(v, kernel.Value.Max, kernel.WarpSize)   the maximum over all lanes, in each of them
//	k.Store(v, most, first), k.Load(most, first)            a value that is carried from one iteration to the next
//	v.Convert(dtype.F32)                                    a half as a float
//	v.Exp2(), v.Rcp(), v.Max(w)                             arithmetic of values in registers
// All threads of a warp must reach a reduction, which is why the condition on the row is the same for the whole warp.

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// softmaxOfRow is the definition, on the CPU.
func softmaxOfRow(row []float64) []float64 {
	most, sum, y := math.Inf(-1), 0.0, make([]float64, len(row))
	for _, x := range row {
		most = max(most, x)
	}
	for _, x := range row {
		sum += math.Exp(x - most)
	}
	for i, x := range row {
		y[i] = math.Exp(x-most) / sum
	}
	return y
}

// A softmax is the parameters of softmax.
type softmax struct {
	Tile []int64    // rows of a block, at most 32, and columns that a warp reads at a time, a multiple of 32
	Type dtype.Type // the type of the elements: f32, f16 or bf16
	Div  int64      // what divides n
}

// trace returns the kernel. It returns [cute.CodeExtent] for a tile that warps do not fit.
func (o softmax) trace() (*kernel.Kernel, error) {
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
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
	return kernel.Trace("softmax", rows*kernel.WarpSize, func(k *kernel.K) {
		m, n := k.Int("m", extent(1)), k.Int("n", extent(o.Div))
		x := k.Global("x", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		y := k.Global("y", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		k.Grid(m.CeilDiv(rows))
		lane := k.ThreadIdx().Mod(kernel.WarpSize)
		row := k.BlockIdx(0).Mul(kernel.Int(rows)).Add(k.ThreadIdx().Div(kernel.WarpSize))
		own := func(t kernel.Tensor, tile kernel.Index) kernel.Tensor { // the lane's elements in a tile of the row
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
