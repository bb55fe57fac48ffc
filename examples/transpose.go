package examples

import (
	"cmp"
	"fmt"
	"math/bits"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// threads are those of a block, each of which takes as many elements of a tile.
const threads = 256

// through refuses a tile whose rows, of some length, the threads do not go through side by side.
func through(rows, length int64) error {
	if threads%length == 0 && rows%(threads/length) == 0 {
		return nil
	}
	return &cute.Error{
		Code: cute.CodeNotDivisible, Op: "transpose",
		Msg:  fmt.Sprintf("%d threads stand along rows of a tile, found %d rows of %d", threads, rows, length),
		Hint: fmt.Sprintf("take extents that divide %d, such as powers of two, and have a product of at least that", threads),
	}
}

func transposeRows() []Recipe {
	x := Recipe{
		Call: "b[j,i] = a[i,j] for i < m, j < n; a is (m,n), b is (n,m), both by rows", Output: "b",
		Default: Options{Tile: []int64{32, 32}, Type: dtype.F32, Div: 1},
		Types:   []dtype.Type{dtype.F32, dtype.F64, dtype.F16, dtype.BF16, dtype.U8},
		sizes: func(e map[string]int64) map[string]int64 {
			return map[string]int64{"a": e["m"] * e["n"], "b": e["m"] * e["n"]}
		},
		reference: transposed,
		c: program{
			sizes: map[string]string{"a": "m * n", "b": "m * n"},
			want:  "want = number(a[e % m * n + e / m]);",
		},
	}
	naive, padded, swizzled := x, x, x
	naive.Name = "transpose_naive"
	naive.Doc = "Transposes a matrix from global memory to global memory: what it writes is spread over sectors."
	naive.trace = transposeNaive
	padded.Name = "transpose_padded"
	padded.Doc = "Transposes a matrix through tiles in shared memory, whose rows are one element longer, against conflicts."
	padded.trace = func(o Options) (*kernel.Kernel, error) {
		return transpose(padded.Name, o, func(rows cute.Layout) (cute.Inner, error) {
			return cute.New(rows.Shape(), cute.Ints(o.Tile[1]+1, 1))
		})
	}
	swizzled.Name, swizzled.Aliases = "transpose_swizzled", []string{"transpose"}
	swizzled.Doc = "Transposes a matrix through tiles in shared memory, whose swizzle spreads columns over the banks."
	swizzled.trace = func(o Options) (*kernel.Kernel, error) {
		return transpose(swizzled.Name, o, func(rows cute.Layout) (cute.Inner, error) {
			b := bits.Len64(uint64(o.Tile[1])) - 1
			w, err := cute.NewSwizzle(b, 0, b)
			if err != nil {
				return nil, err
			}
			return cute.NewComposed(w, cute.Int(0), rows)
		})
	}
	return []Recipe{naive, padded, swizzled}
}

func transposed(p Problem) (want, scale []float64) {
	m, n := p.Extents["m"], p.Extents["n"]
	want = make([]float64, m*n)
	for i, x := range p.Tensors["a"] {
		want[int64(i)%n*m+int64(i)/n] = x
	}
	return want, make([]float64, m*n)
}

// transposeNaive copies element by element: threads stand along the rows that it reads.
func transposeNaive(o Options) (*kernel.Kernel, error) {
	if err := through(o.Tile[0], o.Tile[1]); err != nil {
		return nil, err
	}
	rows, err := cute.New(cute.Ints(max(threads/o.Tile[1], 1), o.Tile[1]), cute.Ints(o.Tile[1], 1))
	if err != nil {
		return nil, err
	}
	return kernel.Trace("transpose_naive", threads, func(k *kernel.K) {
		m, n := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div))
		a := k.Global("a", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		b := k.Global("b", o.Type, kernel.Modes(n, m), m, kernel.Int(1))
		k.Grid(m.CeilDiv(o.Tile[0]), n.CeilDiv(o.Tile[1]))
		from := k.LocalTile(a, o.Tile, k.BlockIdx(0), k.BlockIdx(1))
		to := k.LocalTile(k.Transposed(b), o.Tile, k.BlockIdx(0), k.BlockIdx(1))
		k.CopyIf(k.LocalPartition(from, rows, k.ThreadIdx()), k.LocalPartition(to, rows, k.ThreadIdx()))
	})
}

// transpose goes through shared memory, under a layout that is made of (TILE_M,TILE_N):(TILE_N,1): threads stand along
// the rows of a to read them, and along those of b to write them.
func transpose(name string, o Options, shared func(cute.Layout) (cute.Inner, error)) (*kernel.Kernel, error) {
	tm, tn := o.Tile[0], o.Tile[1]
	if err := cmp.Or(through(tm, tn), through(tn, tm)); err != nil {
		return nil, err
	}
	tile, err := cute.New(cute.Ints(tm, tn), cute.Ints(tn, 1))
	if err != nil {
		return nil, err
	}
	layout, err := shared(tile)
	if err != nil {
		return nil, err
	}
	rows, err := cute.New(cute.Ints(max(threads/tn, 1), tn), cute.Ints(tn, 1))
	if err != nil {
		return nil, err
	}
	columns, err := cute.New(cute.Ints(tm, max(threads/tm, 1)), cute.Ints(1, tm))
	if err != nil {
		return nil, err
	}
	return kernel.Trace(name, threads, func(k *kernel.K) {
		m, n := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div))
		a := k.Global("a", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		b := k.Global("b", o.Type, kernel.Modes(n, m), m, kernel.Int(1))
		s := k.Shared("tile", o.Type, layout)
		k.Grid(m.CeilDiv(tm), n.CeilDiv(tn))
		x, y, tid := k.BlockIdx(0), k.BlockIdx(1), k.ThreadIdx()
		from, to := k.LocalTile(a, o.Tile, x, y), k.LocalTile(b, kernel.Shape(tn, tm), y, x)
		k.CopyIf(k.LocalPartition(from, rows, tid), k.LocalPartition(s, rows, tid))
		k.Sync()
		k.CopyIf(k.LocalPartition(s, columns, tid), k.LocalPartition(k.Transposed(to), columns, tid))
	})
}
