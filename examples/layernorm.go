package examples

// This file is the kernel layernorm. It shows sums along a row in two passes, and factors by column. It is complete. To
// use it elsewhere, copy the file and change the name of its package; then
//
//	k, err := layernorm{Tile: []int64{4, 256}, Type: dtype.F16, Div: 8}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes y[i,j] = (x[i,j] - mean) / √(variance + 1e-5) · w[j] + b[j]
// for matrices of (m,n), with the mean and the variance of row i.
//
// Each row has a warp, which reads it three times: for the mean, for the variance, and for the result. The variance is
// the mean of the squared distances from the mean, which loses no digits as the mean of squares does.
//
//	n.Value(dtype.F32)   an extent as a value
//	v.Rsqrt()            1/√v, approximately: within 2^-22.9
//
// The next example to read is rmsnorm.go.

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A layernorm is the parameters of layernorm.
type layernorm struct {
	Tile []int64    // rows of a block, at most 32, and columns that a warp reads at a time, a multiple of 32
	Type dtype.Type // of the elements: f32, f16 or bf16
	Div  int64      // what divides n
}

// trace returns the kernel. It returns [cute.CodeExtent] for a tile that warps do not fit.
func (o layernorm) trace() (*kernel.Kernel, error) {
	rows, columns := o.Tile[0], o.Tile[1]
	if rows > kernel.MaxThreads/kernel.WarpSize || columns%kernel.WarpSize != 0 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "layernorm",
			Msg:  fmt.Sprintf("each row has a warp, and each lane as many columns, found a tile %v", o.Tile),
			Hint: "take at most 32 rows, and a multiple of 32 columns",
		}
	}
	each := columns / kernel.WarpSize
	layout, err := cute.New(cute.Int(each), cute.Int(1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("layernorm", rows*kernel.WarpSize, func(k *kernel.K) {
		m := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 20})
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div})
		x := k.Global("x", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		w, b := k.Global("w", o.Type, kernel.Modes(n)), k.Global("b", o.Type, kernel.Modes(n))
		y := k.Global("y", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		k.Grid(m.CeilDiv(rows))
		lane := k.ThreadIdx().Mod(kernel.WarpSize)
		row := k.BlockIdx(0).Mul(kernel.Int(rows)).Add(k.ThreadIdx().Div(kernel.WarpSize))
		of := func(t kernel.Tensor, tile kernel.Index) kernel.Tensor { // the lane's neighbours in a tile of a row
			return k.LocalTile(k.LocalTile(t, kernel.Shape(columns), tile), kernel.Shape(each), lane)
		}
		xs, ys := k.Slice(x, row, kernel.Open), k.Slice(y, row, kernel.Open)
		first, zero := kernel.Int(0), k.Number(dtype.F32, 0)
		read, scale, shift := k.MakeFragment(o.Type, layout), k.MakeFragment(o.Type, layout), k.MakeFragment(o.Type, layout)
		float := func(t kernel.Tensor, i int64) kernel.Value { return k.Load(t, kernel.Int(i)).Convert(dtype.F32) }
		sum := k.MakeFragment(dtype.F32, cute.MustParse("1:0"))
		mean := func(f func(v kernel.Value) kernel.Value) kernel.Value { // of f of the elements of the row
			k.Clear(sum)
			k.For(first, n.CeilDiv(columns), func(tile kernel.Index) {
				k.CopyZfill(of(xs, tile), read)
				begin := tile.Mul(kernel.Int(columns)).Add(lane.Mul(kernel.Int(each)))
				for i := range each {
					v := k.Select(begin.Add(kernel.Int(i)).Less(n), f(float(read, i)), zero)
					k.Store(k.Load(sum, first).Add(v), sum, first)
				}
			})
			return k.WarpReduction(k.Load(sum, first), kernel.Value.Add, kernel.WarpSize).Div(n.Value(dtype.F32))
		}
		k.If(row.Less(m), func() {
			middle := mean(func(v kernel.Value) kernel.Value { return v })
			variance := mean(func(v kernel.Value) kernel.Value { return v.Sub(middle).Mul(v.Sub(middle)) })
			factor := variance.Add(k.Number(dtype.F32, 1e-5)).Rsqrt()
			k.For(first, n.CeilDiv(columns), func(tile kernel.Index) {
				k.CopyZfill(of(xs, tile), read)
				k.CopyZfill(of(w, tile), scale)
				k.CopyZfill(of(b, tile), shift)
				for i := range each {
					v := float(read, i).Sub(middle).Mul(factor).FMA(float(scale, i), float(shift, i))
					k.Store(v.Convert(o.Type), read, kernel.Int(i))
				}
				k.CopyIf(read, of(ys, tile))
			})
		})
	})
}
