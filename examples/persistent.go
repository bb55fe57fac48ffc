package examples

// This file is the kernel persistent: a product of matrices by a fixed number of blocks, which compute one tile of C
// after another. It shows a scheduler of tiles. It is complete. To use it elsewhere, copy the file and change the name
// of its package; then
//
//	k, err := persistent{Tile: []int64{64, 64, 8}, Type: dtype.F32, Div: 1}.trace()
//
// makes the kernel, and k.Module is its PTX. It computes C = A·Bᵀ for A of (m,k), B of (n,k) and C of (m,n), each with
// its first extent contiguous, with as many blocks as ctas says, such as the number of multiprocessors. The bounds of
// the extents keep the number of a tile below 2^31, which DivMod needs.
//
// The tiles are numbered along n first, and block b takes the tiles b, b + ctas, b + 2·ctas and so on. What a block
// computes from a tile is sgemm_1.go's.
//
//	k.ForStep(from, to, step, f)   a loop over tiles; the step is known only when the kernel runs
//	tile.DivMod(columns)           the row and the column of a tile, by a number that is known only then
//	k.Clear(tCrC)                  each tile begins with zeros
//
// The threads meet after each multiplication, so that no thread fills shared memory for the next tile of C while
// another one still reads. The next example to read is sgemm_2.go.

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A persistent is the parameters of persistent.
type persistent struct {
	Tile []int64    // rows of A, rows of B and columns of both that a block multiplies at a time
	Type dtype.Type // the type of all elements: f32 or f64
	Div  int64      // what divides m, n and k
}

// trace returns the kernel. It returns [cute.CodeLimit] for a divisor above all extents, and the *[kernel.Error] of a
// tile that the threads do not divide: its rows must be multiples of 32, and its columns of 8.
func (o persistent) trace() (*kernel.Kernel, error) {
	const most = 1 << 15 // of m, n and k
	if o.Div > most {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "persistent", Hint: "take a smaller divisor",
			Msg: fmt.Sprintf("extents are at most %d, found a divisor %d", most, o.Div),
		}
	}
	bm, bn, bk := o.Tile[0], o.Tile[1], o.Tile[2]
	layoutA, err := cute.LayoutLeft(cute.Ints(bm, bk))
	if err != nil {
		return nil, err
	}
	layoutB, err := cute.LayoutLeft(cute.Ints(bn, bk))
	if err != nil {
		return nil, err
	}
	extent := symbolic.Facts{Min: 1, Max: most, Div: o.Div}
	return kernel.Trace("persistent", 256, func(k *kernel.K) {
		m, n, depth := k.Int("m", extent), k.Int("n", extent), k.Int("k", extent)
		ctas := k.Int("ctas", symbolic.Facts{Min: 1, Max: 1 << 10})
		mA := k.Global("A", o.Type, kernel.Modes(m, depth))
		mB := k.Global("B", o.Type, kernel.Modes(n, depth))
		mC := k.Global("C", o.Type, kernel.Modes(m, n))
		k.Grid(ctas)
		tid, columns := k.ThreadIdx(), n.CeilDiv(bn)
		sA, sB := k.Shared("sA", o.Type, layoutA), k.Shared("sB", o.Type, layoutB)
		tA, tC := cute.MustParse("(32,8):(1,32)"), cute.MustParse("(16,16):(1,16)")
		tAsA, tBsB := k.LocalPartition(sA, tA, tid), k.LocalPartition(sB, tA, tid)
		tCsA := k.LocalPartitionProj(sA, tC, tid, cute.MustParseCoord("(1,_)"))
		tCsB := k.LocalPartitionProj(sB, tC, tid, cute.MustParseCoord("(_,1)"))
		k.ForStep(k.BlockIdx(0), m.CeilDiv(bm).Mul(columns), ctas, func(tile kernel.Index) {
			row, column := tile.DivMod(columns)
			gA := k.LocalTile(mA, kernel.Shape(bm, bk), row, kernel.Open) // (BM,BK,k)
			gB := k.LocalTile(mB, kernel.Shape(bn, bk), column, kernel.Open)
			tAgA, tBgB := k.LocalPartition(gA, tA, tid), k.LocalPartition(gB, tA, tid)
			tCgC := k.LocalPartition(k.LocalTile(mC, kernel.Shape(bm, bn), row, column), tC, tid)
			tCrC := k.MakeFragmentLike(tCgC, o.Type)
			k.Clear(tCrC)
			k.For(kernel.Int(0), gA.Extent(2), func(i kernel.Index) {
				k.CopyZfill(k.Slice(tAgA, kernel.Open, kernel.Open, i), tAsA)
				k.CopyZfill(k.Slice(tBgB, kernel.Open, kernel.Open, i), tBsB)
				k.Sync()
				k.Gemm(tCsA, tCsB, tCrC)
				k.Sync()
			})
			k.CopyIf(tCrC, tCgC)
		})
	})
}
