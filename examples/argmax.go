package examples

// This file is the kernel argmax: where the largest element of each row is. It shows coordinates as values, and
// conditions of several comparisons. It is complete. To use it elsewhere, copy the file and change the name of its
// package; then
//
//	k, err := argmax{Tile: []int64{4, 256}, Type: dtype.F16, Div: 8}.trace()
//
// makes the kernel, and k.Module is its PTX. For a matrix of (m,n), row by row, y[i] is the least j with the largest
// x[i,j]. A NaN is never the largest.
//
// Each row has a warp. Each lane carries the largest number that it has met and its column. In the end the lanes
// exchange both in five steps.
//
//	j.Value(dtype.S32)                      a coordinate as a value
//	u.Less(v).Or(u.Equal(v).And(b.Less(a))) larger, or equal and farther to the left
//	k.ShflXor(v, mask)                      the value of another lane
//
// The next example to read is topk.go.

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// An argmax is the parameters of argmax.
type argmax struct {
	Tile []int64    // rows of a block, at most 32, and columns that a warp reads at a time, a multiple of 32
	Type dtype.Type // of the elements: f32, f16 or bf16
	Div  int64      // what divides n
}

// trace returns the kernel. It returns [cute.CodeExtent] for a tile that warps do not fit.
func (o argmax) trace() (*kernel.Kernel, error) {
	rows, columns := o.Tile[0], o.Tile[1]
	if rows > kernel.MaxThreads/kernel.WarpSize || columns%kernel.WarpSize != 0 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "argmax",
			Msg:  fmt.Sprintf("each row has a warp, and each lane as many columns, found a tile %v", o.Tile),
			Hint: "take at most 32 rows, and a multiple of 32 columns",
		}
	}
	each := columns / kernel.WarpSize
	layout, err := cute.New(cute.Int(each), cute.Int(1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("argmax", rows*kernel.WarpSize, func(k *kernel.K) {
		m := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 20})
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div})
		x := k.Global("x", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		y := k.Global("y", dtype.S32, kernel.Modes(m))
		k.Grid(m.CeilDiv(rows))
		lane := k.ThreadIdx().Mod(kernel.WarpSize)
		row := k.BlockIdx(0).Mul(kernel.Int(rows)).Add(k.ThreadIdx().Div(kernel.WarpSize))
		first, one, read := kernel.Int(0), cute.MustParse("1:0"), k.MakeFragment(o.Type, layout)
		most, where := k.MakeFragment(dtype.F32, one), k.MakeFragment(dtype.S32, one)
		take := func(larger kernel.Cond, v, at kernel.Value) {
			k.Store(k.Select(larger, v, k.Load(most, first)), most, first)
			k.Store(k.Select(larger, at, k.Load(where, first)), where, first)
		}
		k.Fill(most, math.Inf(-1))
		k.Clear(where)
		k.If(row.Less(m), func() {
			k.For(first, n.CeilDiv(columns), func(tile kernel.Index) {
				own := k.LocalTile(k.Slice(x, row, kernel.Open), kernel.Shape(columns), tile)
				k.Fill(read, math.Inf(-1))
				k.CopyIf(k.LocalTile(own, kernel.Shape(each), lane), read)
				begin := tile.Mul(kernel.Int(columns)).Add(lane.Mul(kernel.Int(each)))
				for i := range each {
					v := k.Load(read, kernel.Int(i)).Convert(dtype.F32)
					take(k.Load(most, first).Less(v), v, begin.Add(kernel.Int(i)).Value(dtype.S32))
				}
			})
			for mask := int64(1); mask < kernel.WarpSize; mask *= 2 {
				v, at := k.Load(most, first), k.Load(where, first)
				w, other := k.ShflXor(v, mask), k.ShflXor(at, mask)
				take(v.Less(w).Or(v.Equal(w).And(other.Less(at))), w, other)
			}
			k.If(lane.Equal(first), func() { k.Store(k.Load(where, first), y, row) })
		})
	})
}
