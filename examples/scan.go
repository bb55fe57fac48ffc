package examples

// This file is the kernel scan: running sums along the rows of a matrix. It shows shuffles between neighbouring lanes.
// It is complete. To use it elsewhere, copy the file and change the name of its package; then
//
//	k, err := scan{Tile: []int64{4, 256}, Type: dtype.F32, Div: 4}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes y[i,j] = Σ x[i,0:j+1] for matrices of (m,n), row by row.
//
// Each row has a warp. In a tile, each lane adds up its own neighbours; then each lane adds the sums of the lanes
// before it, in five steps: from the lane 1 before, 2 before, 4 before and so on. The sum of the row so far is carried
// from tile to tile.
//
//	k.ShflUp(v, d)              the value of the lane d lanes before
//	k.Select(c, v, w)           v where the condition holds, and w elsewhere
//	k.Shfl(v, kernel.Int(31))   the value of the last lane
//
// All lanes must execute the shuffles, so the condition on the row is the same for the whole warp, and lanes beyond the
// end of the row add zeros. The next example to read is lookback.go.

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A scan is the parameters of scan.
type scan struct {
	Tile []int64    // rows of a block, at most 32, and columns that a warp reads at a time, a multiple of 32
	Type dtype.Type // of the elements: f32, f16 or bf16
	Div  int64      // what divides n
}

// trace returns the kernel. It returns [cute.CodeExtent] for a tile that warps do not fit.
func (o scan) trace() (*kernel.Kernel, error) {
	rows, columns := o.Tile[0], o.Tile[1]
	if rows > kernel.MaxThreads/kernel.WarpSize || columns%kernel.WarpSize != 0 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "scan",
			Msg:  fmt.Sprintf("each row has a warp, and each lane as many columns, found a tile %v", o.Tile),
			Hint: "take at most 32 rows, and a multiple of 32 columns",
		}
	}
	each := columns / kernel.WarpSize
	layout, err := cute.New(cute.Int(each), cute.Int(1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("scan", rows*kernel.WarpSize, func(k *kernel.K) {
		m := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 20})
		n := k.Int("n", symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div})
		x := k.Global("x", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		y := k.Global("y", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		k.Grid(m.CeilDiv(rows))
		lane := k.ThreadIdx().Mod(kernel.WarpSize)
		row := k.BlockIdx(0).Mul(kernel.Int(rows)).Add(k.ThreadIdx().Div(kernel.WarpSize))
		own := func(t kernel.Tensor, tile kernel.Index) kernel.Tensor {
			t = k.LocalTile(k.Slice(t, row, kernel.Open), kernel.Shape(columns), tile)
			return k.LocalTile(t, kernel.Shape(each), lane)
		}
		first, read := kernel.Int(0), k.MakeFragment(o.Type, layout)
		carry := k.MakeFragment(dtype.F32, cute.MustParse("1:0"))
		k.Clear(carry)
		k.If(row.Less(m), func() {
			k.For(first, n.CeilDiv(columns), func(tile kernel.Index) {
				k.CopyZfill(own(x, tile), read)
				sums := make([]kernel.Value, each) // of the lane's own elements
				for i := range each {
					sums[i] = k.Load(read, kernel.Int(i)).Convert(dtype.F32)
					if i > 0 {
						sums[i] = sums[i].Add(sums[i-1])
					}
				}
				through := sums[each-1] // the sum of this lane and the lanes before it
				for d := int64(1); d < kernel.WarpSize; d *= 2 {
					through = k.Select(lane.AtLeast(kernel.Int(d)), through.Add(k.ShflUp(through, d)), through)
				}
				before := k.Select(lane.AtLeast(kernel.Int(1)), k.ShflUp(through, 1), k.Number(dtype.F32, 0))
				before = before.Add(k.Load(carry, first))
				k.Store(k.Load(carry, first).Add(k.Shfl(through, kernel.Int(kernel.WarpSize-1))), carry, first)
				for i := range each {
					k.Store(before.Add(sums[i]).Convert(o.Type), read, kernel.Int(i))
				}
				k.CopyIf(read, own(y, tile))
			})
		})
	})
}
