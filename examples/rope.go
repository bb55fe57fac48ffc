package examples

// This file is the kernel rope: rotary embeddings. It is complete. To use it elsewhere, copy the file and change the
// name of its package; then
//
//	k, err := rope{Tile: []int64{4, 128}, Type: dtype.BF16, Div: 4}.trace()
//
// makes the kernel, and k.Module is its PTX. x and y are (m,2,h), row by row: a row is two halves of h numbers. Number
// j of both halves is a point in the plane, which the kernel rotates by an angle whose cosine and sine are given:
//
//	y[i,0,j] = x[i,0,j]·cos[i,j] - x[i,1,j]·sin[i,j]
//	y[i,1,j] = x[i,1,j]·cos[i,j] + x[i,0,j]·sin[i,j]
//
// Each row has a warp; each lane takes neighbours of both halves. v.FMA(w, u) is v·w + u, rounded once. The next
// example to read is paged.go.

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A rope is the parameters of rope.
type rope struct {
	Tile []int64    // rows of a block, at most 32, and columns that a warp takes at a time, a multiple of 32
	Type dtype.Type // of x and y: f32, f16 or bf16
	Div  int64      // what divides h
}

// trace returns the kernel. It returns [cute.CodeExtent] for a tile that warps do not fit.
func (o rope) trace() (*kernel.Kernel, error) {
	rows, columns := o.Tile[0], o.Tile[1]
	if rows > kernel.MaxThreads/kernel.WarpSize || columns%kernel.WarpSize != 0 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "rope",
			Msg:  fmt.Sprintf("each row has a warp, and each lane as many columns, found a tile %v", o.Tile),
			Hint: "take at most 32 rows, and a multiple of 32 columns",
		}
	}
	each := columns / kernel.WarpSize
	layout, err := cute.New(cute.Int(each), cute.Int(1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("rope", rows*kernel.WarpSize, func(k *kernel.K) {
		m := k.Int("m", symbolic.Facts{Min: 1, Max: 1 << 20})
		h := k.Int("h", symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div})
		one, two := kernel.Int(1), kernel.Int(2)
		x := k.Global("x", o.Type, kernel.Modes(m, two, h), h.Mul(two), h, one)
		cos := k.Global("cos", dtype.F32, kernel.Modes(m, h), h, one)
		sin := k.Global("sin", dtype.F32, kernel.Modes(m, h), h, one)
		y := k.Global("y", o.Type, kernel.Modes(m, two, h), h.Mul(two), h, one)
		k.Grid(m.CeilDiv(rows))
		lane := k.ThreadIdx().Mod(kernel.WarpSize)
		row := k.BlockIdx(0).Mul(kernel.Int(rows)).Add(k.ThreadIdx().Div(kernel.WarpSize))
		k.If(row.Less(m), func() {
			k.For(kernel.Int(0), h.CeilDiv(columns), func(tile kernel.Index) {
				own := func(t kernel.Tensor, at ...kernel.Index) kernel.Tensor { // the neighbours of the lane
					t = k.LocalTile(k.Slice(t, append(at, kernel.Open)...), kernel.Shape(columns), tile)
					return k.LocalTile(t, kernel.Shape(each), lane)
				}
				read := func(t kernel.Tensor) kernel.Tensor {
					r := k.MakeFragment(t.Elem(), layout)
					k.CopyZfill(t, r)
					return r
				}
				a, b := read(own(x, row, kernel.Int(0))), read(own(x, row, one))
				c, s := read(own(cos, row)), read(own(sin, row))
				for i := range each {
					at := kernel.Int(i)
					u, v := k.Load(a, at).Convert(dtype.F32), k.Load(b, at).Convert(dtype.F32)
					p, q := k.Load(c, at), k.Load(s, at)
					k.Store(u.FMA(p, v.Mul(q).Neg()).Convert(o.Type), a, at)
					k.Store(v.FMA(p, u.Mul(q)).Convert(o.Type), b, at)
				}
				k.CopyIf(a, own(y, row, kernel.Int(0)))
				k.CopyIf(b, own(y, row, one))
			})
		})
	})
}
