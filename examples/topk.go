package examples

// This file is the kernel topk: where the largest elements of each row are, in order. It is complete. To use it
// elsewhere, copy the file and change the name of its package; then
//
//	k, err := topk{Tile: []int64{4, 256}, Type: dtype.F16, Div: 8}.trace()
//
// makes the kernel, and k.Module is its PTX. For a matrix of (m,n), row by row, y[i,r] is the column of the element of
// rank r in row i, for eight ranks: larger elements come first, and of equal ones the element that is farther to the
// left. Ranks from n on have the column -1, and a NaN has no rank.
//
// Each row has a warp, which reads it once for each rank: the next element is the largest one that comes after the last
// one found. So nothing is sorted and nothing removed. argmax.go has the words.
//
// The next example to read is layernorm.go.

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A topk is the parameters of topk.
type topk struct {
	Tile []int64    // rows of a block, at most 32, and columns that a warp reads at a time, a multiple of 32
	Type dtype.Type // of the elements: f32, f16 or bf16
	Div  int64      // what divides n
}

// trace returns the kernel. It returns [cute.CodeExtent] for a tile that warps do not fit.
func (o topk) trace() (*kernel.Kernel, error) {
	rows, columns, ranks := o.Tile[0], o.Tile[1], kernel.Int(8)
	if rows > kernel.MaxThreads/kernel.WarpSize || columns%kernel.WarpSize != 0 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "topk",
			Msg:  fmt.Sprintf("each row has a warp, and each lane as many columns, found a tile %v", o.Tile),
			Hint: "take at most 32 rows, and a multiple of 32 columns",
		}
	}
	each := columns / kernel.WarpSize
	layout, err := cute.New(cute.Int(each), cute.Int(1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("topk", rows*kernel.WarpSize, func(k *kernel.K) {
		m := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 20})
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div})
		x := k.Global("x", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		y := k.Global("y", dtype.S32, kernel.Modes(m, ranks), ranks, kernel.Int(1))
		k.Grid(m.CeilDiv(rows))
		lane := k.ThreadIdx().Mod(kernel.WarpSize)
		row := k.BlockIdx(0).Mul(kernel.Int(rows)).Add(k.ThreadIdx().Div(kernel.WarpSize))
		first, read := kernel.Int(0), k.MakeFragment(o.Type, layout)
		none, infinity, last := k.Number(dtype.S32, math.MaxInt32), k.Number(dtype.F32, math.Inf(1)), kernel.Int(1)
		// Element 0 is the best one so far, element 1 the last one found.
		value, where := k.MakeFragment(dtype.F32, cute.MustParse("2:1")), k.MakeFragment(dtype.S32, cute.MustParse("2:1"))
		set := func(i kernel.Index, v, at kernel.Value) { k.Store(v, value, i); k.Store(at, where, i) }
		get := func(i kernel.Index) (v, at kernel.Value) { return k.Load(value, i), k.Load(where, i) }
		// after says that (w,b) comes after (v,a).
		after := func(v, a, w, b kernel.Value) kernel.Cond { return w.Less(v).Or(w.Equal(v).And(a.Less(b))) }
		better := func(c kernel.Cond, w, b kernel.Value) {
			v, a := get(first)
			c = c.And(after(w, b, v, a))
			set(first, k.Select(c, w, v), k.Select(c, b, a))
		}
		set(last, infinity, k.Number(dtype.S32, -1))
		k.If(row.Less(m), func() {
			k.For(first, ranks, func(rank kernel.Index) {
				set(first, infinity.Neg(), none)
				k.For(first, n.CeilDiv(columns), func(tile kernel.Index) {
					own := k.LocalTile(k.Slice(x, row, kernel.Open), kernel.Shape(columns), tile)
					k.CopyZfill(k.LocalTile(own, kernel.Shape(each), lane), read)
					begin := tile.Mul(kernel.Int(columns)).Add(lane.Mul(kernel.Int(each)))
					for i := range each {
						v, a := get(last)
						w, j := k.Load(read, kernel.Int(i)).Convert(dtype.F32), begin.Add(kernel.Int(i))
						better(after(v, a, w, j.Value(dtype.S32)).And(j.Less(n)), w, j.Value(dtype.S32))
					}
				})
				for mask := int64(1); mask < kernel.WarpSize; mask *= 2 {
					v, a := get(first)
					better(kernel.Cond{}, k.ShflXor(v, mask), k.ShflXor(a, mask))
				}
				_, a := get(first)
				set(last, k.Load(value, first), a)
				k.If(lane.Equal(first), func() { k.Store(k.Select(a.Equal(none), k.Number(dtype.S32, -1), a), y, row, rank) })
			})
		})
	})
}
