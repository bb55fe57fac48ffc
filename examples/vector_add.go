package examples

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

func vectorAddRow() []Recipe {
	return []Recipe{{
		Name: "vector_add", Aliases: []string{"elementwise_add"},
		Doc:  "Adds two vectors; each thread takes neighbours, as many at once as the extent allows.",
		CuTe: "examples/python/CuTeDSL/ampere/elementwise_add.py",
		Call: "c[i] = a[i] + b[i] for i < n", Output: "c",
		Default: Options{Tile: []int64{512}, Type: dtype.F32, Div: 1},
		Types:   []dtype.Type{dtype.F32, dtype.F64, dtype.S32, dtype.U32},
		trace:   vectorAdd,
		sizes: func(e map[string]int64) map[string]int64 {
			return map[string]int64{"a": e["n"], "b": e["n"], "c": e["n"]}
		},
		reference: func(p Problem) (want, scale []float64) {
			for i, x := range p.Tensors["a"] {
				want = append(want, x+p.Tensors["b"][i])
			}
			return want, make([]float64, len(want)) // the sum is rounded once
		},
		c: program{
			sizes: map[string]string{"a": "n", "b": "n", "c": "n"},
			want:  "want = number(a[e]) + number(b[e]);",
		},
	}}
}

func vectorAdd(o Options) (*kernel.Kernel, error) {
	const threads = 128
	if o.Tile[0]%threads != 0 {
		return nil, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "vector_add",
			Msg:  fmt.Sprintf("%d threads have as many elements of a tile each, found a tile of %d", threads, o.Tile[0]),
			Hint: "take a multiple of 128",
		}
	}
	return kernel.Trace("vector_add", threads, func(k *kernel.K) {
		n := k.Int("n", extent(o.Div))
		a := k.Global("a", o.Type, kernel.Modes(n))
		b := k.Global("b", o.Type, kernel.Modes(n))
		c := k.Global("c", o.Type, kernel.Modes(n))
		k.Grid(n.CeilDiv(o.Tile[0]))
		of := func(t kernel.Tensor) kernel.Tensor { // the neighbours of each thread
			tile := k.LocalTile(t, o.Tile, k.BlockIdx(0))
			return k.LocalTile(tile, kernel.Shape(o.Tile[0]/threads), k.ThreadIdx())
		}
		x, y, z := of(a), of(b), of(c)
		rx, ry := k.MakeFragmentLike(x, o.Type), k.MakeFragmentLike(y, o.Type)
		k.CopyZfill(x, rx)
		k.CopyZfill(y, ry)
		for i := range o.Tile[0] / threads {
			at := kernel.Int(i)
			k.Store(k.Load(rx, at).Add(k.Load(ry, at)), rx, at)
		}
		k.CopyIf(rx, z)
	})
}

// extent has the facts of an extent of a problem.
func extent(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: maxExtent, Div: div} }
