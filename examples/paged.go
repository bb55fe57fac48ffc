package examples

// This file is the kernel paged: it gathers the rows of a paged cache. It shows a table whose numbers are coordinates.
// It is complete. To use it elsewhere, copy the file and change the name of its package; then
//
//	k, err := paged{Tile: []int64{4, 256}, Type: dtype.F16, Div: 8}.trace()
//
// makes the kernel, and k.Module is its PTX. The cache has pages of 16 rows of d numbers; row i of y is row i mod 16 of
// page table[i/16]. Rows of pages that the cache does not have, such as -1, are zeros.
//
// Each row has a warp. All lanes load the same page number, which costs one sector. The row is copied as any other row
// of a tensor: the widths of the accesses follow from what divides d, not from the table.
//
//	k.Load(table, i.Div(16)).Index(facts)   the page. Simulate reports a number that contradicts the facts
//	page.Less(pages)                        bounds the coordinate, with -1 < page, so that no access can be outside
//	k.InBounds(table, i.Div(16))            holds for all rows of y, but is not derived from that

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A paged is the parameters of paged.
type paged struct {
	Tile []int64    // rows of a block, at most 32, and columns that a warp copies at a time, a multiple of 32
	Type dtype.Type // of the elements: f32, f16, bf16 or u8
	Div  int64      // what divides d
}

// trace returns the kernel. It returns [cute.CodeExtent] for a tile that warps do not fit.
func (o paged) trace() (*kernel.Kernel, error) {
	const page = 16 // rows
	rows, columns := o.Tile[0], o.Tile[1]
	if rows > kernel.MaxThreads/kernel.WarpSize || columns%kernel.WarpSize != 0 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "paged",
			Msg:  fmt.Sprintf("each row has a warp, and each lane as many columns, found a tile %v", o.Tile),
			Hint: "take at most 32 rows, and a multiple of 32 columns",
		}
	}
	each := columns / kernel.WarpSize
	layout, err := cute.New(cute.Int(each), cute.Int(1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("paged", rows*kernel.WarpSize, func(k *kernel.K) {
		m := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 20})
		d := k.Int("d", symbolic.Facts{Min: 1, Max: 1 << 16, Div: o.Div})
		pages := k.Int("pages", symbolic.Facts{Min: 1, Max: 1 << 20})
		one, size := kernel.Int(1), kernel.Int(page)
		cache := k.Global("cache", o.Type, kernel.Modes(pages, size, d), size.Mul(d), d, one)
		table := k.Global("table", dtype.S32, kernel.Modes(m.CeilDiv(page)))
		y := k.Global("y", o.Type, kernel.Modes(m, d), d, one)
		k.Grid(m.CeilDiv(rows))
		lane := k.ThreadIdx().Mod(kernel.WarpSize)
		row := k.BlockIdx(0).Mul(kernel.Int(rows)).Add(k.ThreadIdx().Div(kernel.WarpSize))
		own := func(t kernel.Tensor, tile kernel.Index) kernel.Tensor { // the neighbours of the lane in a tile of a row
			return k.LocalTile(k.LocalTile(t, kernel.Shape(columns), tile), kernel.Shape(each), lane)
		}
		read := k.MakeFragment(o.Type, layout)
		k.If(row.Less(m).And(k.InBounds(table, row.Div(page))), func() {
			at := k.Load(table, row.Div(page)).Index(symbolic.Facts{Min: -1 << 31, Max: 1<<31 - 1})
			k.For(kernel.Int(0), d.CeilDiv(columns), func(tile kernel.Index) {
				k.Clear(read)
				k.If(kernel.Int(-1).Less(at).And(at.Less(pages)), func() {
					k.CopyIf(own(k.Slice(cache, at, row.Mod(page), kernel.Open), tile), read)
				})
				k.CopyIf(read, own(k.Slice(y, row, kernel.Open), tile))
			})
		})
	})
}
