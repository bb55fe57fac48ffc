package examples

// This file is the kernel cross_entropy: the loss of a softmax. It shows an element at a column that is data. It is
// complete. To use it elsewhere, copy the file and change the name of its package; then
//
//	k, err := crossEntropy{Tile: []int64{4, 256}, Type: dtype.BF16, Div: 8}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes y[i] = log Σ exp(x[i,:]) - x[i,target[i]] for a matrix of
// (m,n), row by row. A target that is not a column of the row gives -x of nothing: y[i] is 0.
//
// Each row has a warp, which reads it once: the maximum so far and the sum of exponentials relative to it are carried
// along, as in softmax.go.
//
//	k.Load(target, row).Index(facts)   a class as a column. The facts are what the type allows
//	at.AtLeast(first).And(at.Less(n))  the condition that the kernel checks; without it, Load refuses the column
//
// The next example to read is rope.go.

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A crossEntropy is the parameters of cross_entropy.
type crossEntropy struct {
	Tile []int64    // rows of a block, at most 32, and columns that a warp reads at a time, a multiple of 32
	Type dtype.Type // of the elements: f32, f16 or bf16
	Div  int64      // what divides n
}

// trace returns the kernel. It returns [cute.CodeExtent] for a tile that warps do not fit.
func (o crossEntropy) trace() (*kernel.Kernel, error) {
	rows, columns := o.Tile[0], o.Tile[1]
	if rows > kernel.MaxThreads/kernel.WarpSize || columns%kernel.WarpSize != 0 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "cross_entropy",
			Msg:  fmt.Sprintf("each row has a warp, and each lane as many columns, found a tile %v", o.Tile),
			Hint: "take at most 32 rows, and a multiple of 32 columns",
		}
	}
	each := columns / kernel.WarpSize
	layout, err := cute.New(cute.Int(each), cute.Int(1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("cross_entropy", rows*kernel.WarpSize, func(k *kernel.K) {
		m := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 20})
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div})
		x := k.Global("x", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		target, y := k.Global("target", dtype.S32, kernel.Modes(m)), k.Global("y", dtype.F32, kernel.Modes(m))
		k.Grid(m.CeilDiv(rows))
		lane := k.ThreadIdx().Mod(kernel.WarpSize)
		row := k.BlockIdx(0).Mul(kernel.Int(rows)).Add(k.ThreadIdx().Div(kernel.WarpSize))
		first, one, log2e := kernel.Int(0), cute.MustParse("1:0"), k.Number(dtype.F32, math.Log2E)
		read, most, sum := k.MakeFragment(o.Type, layout), k.MakeFragment(dtype.F32, one), k.MakeFragment(dtype.F32, one)
		exp := func(v, of kernel.Value) kernel.Value { return v.Sub(of).Mul(log2e).Exp2() } // exp(v - of)
		k.Fill(most, math.Inf(-1))
		k.Clear(sum)
		k.If(row.Less(m), func() {
			k.For(first, n.CeilDiv(columns), func(tile kernel.Index) {
				own := k.LocalTile(k.Slice(x, row, kernel.Open), kernel.Shape(columns), tile)
				k.Fill(read, math.Inf(-1))
				k.CopyIf(k.LocalTile(own, kernel.Shape(each), lane), read)
				old := k.Load(most, first)
				now := old
				for i := range each {
					now = now.Max(k.Load(read, kernel.Int(i)).Convert(dtype.F32))
				}
				now = k.WarpReduction(now, kernel.Value.Max, kernel.WarpSize)
				total := k.Load(sum, first).Mul(exp(old, now))
				for i := range each {
					total = total.Add(exp(k.Load(read, kernel.Int(i)).Convert(dtype.F32), now))
				}
				k.Store(now, most, first)
				k.Store(total, sum, first)
			})
			total := k.WarpReduction(k.Load(sum, first), kernel.Value.Add, kernel.WarpSize)
			k.If(lane.Equal(first), func() {
				k.Store(k.Number(dtype.F32, 0), y, row)
				at := k.Load(target, row).Index(symbolic.Facts{Min: math.MinInt32, Max: math.MaxInt32})
				k.If(at.AtLeast(first).And(at.Less(n)), func() {
					own := k.Load(x, row, at).Convert(dtype.F32)
					k.Store(total.Log().Add(k.Load(most, first).Sub(own)), y, row)
				})
			})
		})
	})
}
