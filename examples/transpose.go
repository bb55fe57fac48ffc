package examples

// This file has the kernels transpose_naive, transpose_padded and transpose_swizzled: why to go through shared memory,
// and how to avoid its bank conflicts. It is complete. To use it elsewhere, copy the file and change the name of its
// package; then
//
//	k, err := transpose{Tile: []int64{32, 32}, Type: dtype.F32, Div: 1}.withSwizzle()
//
// makes a kernel, and k.Module is its PTX. It computes b[j,i] = a[i,j] for i < m, j < n, where a is (m,n) and b is
// (n,m), both row by row.
//
// The naive kernel reads rows of a and writes columns of b, each element to another sector. The others write rows of b:
// a tile is stored to shared memory by rows and loaded by columns. In a plain tile of 32 by 32 floats a column is in
// one bank; longer rows (padding) or a swizzle spread it over all banks. k.Report() counts the conflicts.
//
// Threads are placed along the rows of a to read them, and along the rows of b to write them, so both accesses are
// coalesced:
//
//	rows      the layout of threads in a tile of a: (256/TILE_N,TILE_N):(TILE_N,1)
//	columns   the layout of threads for rows of b: (TILE_M,256/TILE_M):(1,TILE_M)
// The next example to read is sgemm_1.go.

import (
	"cmp"
	"fmt"
	"math/bits"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A transpose is the parameters of a transpose.
type transpose struct {
	Tile []int64    // rows and columns of the tile of a block
	Type dtype.Type // the type of the elements
	Div  int64      // what divides m and n
}

// transposeThreads is the number of threads of a block, which divide the elements of a tile evenly.
const transposeThreads = 256

// transposable refuses a tile if the threads cannot be placed along its rows of the given length.
func transposable(rows, length int64) error {
	const threads = transposeThreads
	if threads%length == 0 && rows%(threads/length) == 0 {
		return nil
	}
	return &cute.Error{
		Code: cute.CodeNotDivisible, Op: "transpose",
		Msg:  fmt.Sprintf("%d threads stand along rows of a tile, found %d rows of %d", threads, rows, length),
		Hint: fmt.Sprintf("take extents that divide %d, such as powers of two, and have a product of at least that", threads),
	}
}

// withPadding returns the kernel transpose_padded, whose tile has rows that are one element longer.
func (o transpose) withPadding() (*kernel.Kernel, error) {
	return o.trace("transpose_padded", func(rows cute.Layout) (cute.Inner, error) {
		return cute.New(rows.Shape(), cute.Ints(o.Tile[1]+1, 1))
	})
}

// withSwizzle returns the kernel transpose_swizzled, whose tile has a swizzle that spreads columns over the banks.
func (o transpose) withSwizzle() (*kernel.Kernel, error) {
	return o.trace("transpose_swizzled", func(rows cute.Layout) (cute.Inner, error) {
		b := bits.Len64(uint64(o.Tile[1])) - 1
		w, err := cute.NewSwizzle(b, 0, b)
		if err != nil {
			return nil, err
		}
		return cute.NewComposed(w, cute.Int(0), rows)
	})
}

// naive returns the kernel transpose_naive, which copies element by element: threads are placed along the rows of a.
func (o transpose) naive() (*kernel.Kernel, error) {
	if err := transposable(o.Tile[0], o.Tile[1]); err != nil {
		return nil, err
	}
	rows, err := cute.New(cute.Ints(max(transposeThreads/o.Tile[1], 1), o.Tile[1]), cute.Ints(o.Tile[1], 1))
	if err != nil {
		return nil, err
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
	return kernel.Trace("transpose_naive", transposeThreads, func(k *kernel.K) {
		m, n := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div))
		a := k.Global("a", o.Type, kernel.Modes(m, n), n, kernel.Int(1))
		b := k.Global("b", o.Type, kernel.Modes(n, m), m, kernel.Int(1))
		k.Grid(m.CeilDiv(o.Tile[0]), n.CeilDiv(o.Tile[1]))
		from := k.LocalTile(a, o.Tile, k.BlockIdx(0), k.BlockIdx(1))
		to := k.LocalTile(k.Transposed(b), o.Tile, k.BlockIdx(0), k.BlockIdx(1))
		k.CopyIf(k.LocalPartition(from, rows, k.ThreadIdx()), k.LocalPartition(to, rows, k.ThreadIdx()))
	})
}

// trace returns a kernel whose tile in shared memory has a layout that is made from (TILE_M,TILE_N):(TILE_N,1).
func (o transpose) trace(name string, tile func(rows cute.Layout) (cute.Inner, error)) (*kernel.Kernel, error) {
	tm, tn := o.Tile[0], o.Tile[1]
	if err := cmp.Or(transposable(tm, tn), transposable(tn, tm)); err != nil {
		return nil, err
	}
	plain, err := cute.New(cute.Ints(tm, tn), cute.Ints(tn, 1))
	if err != nil {
		return nil, err
	}
	layout, err := tile(plain)
	if err != nil {
		return nil, err
	}
	rows, err := cute.New(cute.Ints(max(transposeThreads/tn, 1), tn), cute.Ints(tn, 1))
	if err != nil {
		return nil, err
	}
	columns, err := cute.New(cute.Ints(tm, max(transposeThreads/tm, 1)), cute.Ints(1, tm))
	if err != nil {
		return nil, err
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
	return kernel.Trace(name, transposeThreads, func(k *kernel.K) {
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
