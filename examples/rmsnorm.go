package examples

// This file is the kernel rmsnorm. It is complete. To use it elsewhere, copy the file and change the name of its
// package; then
//
//	k, err := rmsnorm{Tile: []int64{4, 256}, Type: dtype.BF16, Div: 8}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes y[i,j] = x[i,j] / √(mean of x[i,:]² + 1e-5) · w[j] for
// matrices of (m,n). Each row has a warp, which reads it twice: for the mean of squares, to which lanes beyond the end
// add zeros, and for the result. layernorm.go has the words; the next example to read is cross_entropy.go.

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// An rmsnorm is the parameters of rmsnorm.
type rmsnorm struct {
	Tile []int64    // rows of a block, at most 32, and columns that a warp reads at a time, a multiple of 32
	Type dtype.Type // of the elements: f32, f16 or bf16
	Div  int64      // what divides n
}

// trace returns the kernel. It returns [cute.CodeExtent] for a tile that warps do not fit.
func (o rmsnorm) trace() (*kernel.Kernel, error) {
	rows, columns := o.Tile[0], o.Tile[1]
	if rows > kernel.MaxThreads/kernel.WarpSize || columns%kernel.WarpSize != 0 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "rmsnorm",
			Msg:  fmt.Sprintf("each row has a warp, and each lane as many columns, found a tile %v", o.Tile),
			Hint: "take at most 32 rows, and a multiple of 32 columns",
		}
	}
	each := columns / kernel.WarpSize
	layout, err := cute.New(cute.Int(each), cute.Int(1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("rmsnorm", rows*kernel.WarpSize, func(k *kernel.K) {
		m := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 20})
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div})
		x := k.Global("x", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		w := k.Global("w", o.Type, kernel.Modes(n))
		y := k.Global("y", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		k.Grid(m.CeilDiv(rows))
		lane := k.ThreadIdx().Mod(kernel.WarpSize)
		row := k.BlockIdx(0).Mul(kernel.Int(rows)).Add(k.ThreadIdx().Div(kernel.WarpSize))
		of := func(t kernel.Tensor, tile kernel.Index) kernel.Tensor { // the lane's neighbours in a tile of a row
			return k.LocalTile(k.LocalTile(t, kernel.Shape(columns), tile), kernel.Shape(each), lane)
		}
		xs, ys, first := k.Slice(x, row, kernel.Open), k.Slice(y, row, kernel.Open), kernel.Int(0)
		read, scale := k.MakeFragment(o.Type, layout), k.MakeFragment(o.Type, layout)
		float := func(t kernel.Tensor, i int64) kernel.Value { return k.Load(t, kernel.Int(i)).Convert(dtype.F32) }
		sum := k.MakeFragment(dtype.F32, cute.MustParse("1:0"))
		k.Clear(sum)
		k.If(row.Less(m), func() {
			k.For(first, n.CeilDiv(columns), func(tile kernel.Index) {
				k.CopyZfill(of(xs, tile), read)
				for i := range each {
					k.Store(float(read, i).FMA(float(read, i), k.Load(sum, first)), sum, first)
				}
			})
			mean := k.WarpReduction(k.Load(sum, first), kernel.Value.Add, kernel.WarpSize).Div(n.Value(dtype.F32))
			factor := mean.Add(k.Number(dtype.F32, 1e-5)).Rsqrt()
			k.For(first, n.CeilDiv(columns), func(tile kernel.Index) {
				k.CopyZfill(of(xs, tile), read)
				k.CopyZfill(of(w, tile), scale)
				for i := range each {
					k.Store(float(read, i).Mul(factor).Mul(float(scale, i)).Convert(o.Type), read, kernel.Int(i))
				}
				k.CopyIf(read, of(ys, tile))
			})
		})
	})
}
