package examples

// This file is the kernel streamk: a product of matrices whose work is divided among blocks evenly, although tiles of C
// do not divide evenly: CUTLASS's stream-K. It needs collective_sm80.go and sgemm_sm80.go, which multiply tiles. To use
// it elsewhere, copy the three files and change the name of their package; then
//
//	k, err := streamK{Tile: []int64{128, 128, 32}, Type: dtype.F16, Sum: dtype.F32, Div: 8, Stages: 4}.trace()
//
// makes the kernel, and k.Module is its PTX: C = A·Bᵀ for A of (m,k), B of (n,k) and C of (m,n), row by row, with as
// many blocks as ctas says. parts and flags have a row and a number for each block. The flags and counts[0] must be 0,
// and are 0 again in the end, so that only the first launch needs a memset.
//
// The iterations of all tiles of C are in one line, tile after tile, and each block has a piece of it of the same
// length. A block begins with its last tile. If the tile goes on in the next piece, the block stores its sums in parts,
// and raises its flag; it has not waited for anything then. Other tiles end in the block's piece: the block adds the
// parts of the blocks before, if the tile begins there, and writes C. As blocks only wait for blocks that took their
// number from the counter before, the kernel ends on any card. Parts are added in their order, so that two launches
// with as many blocks have the same result.
//
//	counts, ticket   the number of a block is the number of blocks that have started before
//	k.StoreRelease   a flag that says that the parts are there
//	k.LoadAcquire    reads the flag, after which the parts are visible
//
// Read reduce.go and lookback.go first. The next example to read is grouped.go.

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A streamK is the parameters of streamk.
type streamK sgemmSM80 // Sum is f32

// streamSums is the largest number of elements of a tile of C.
const streamSums = 128 * 128

// trace returns the kernel, with the errors of sgemm_sm80, and [cute.CodeLimit] for a tile or a divisor that is too
// large.
func (o streamK) trace() (*kernel.Kernel, error) {
	p, err := sgemmSM80(o).parts()
	if err != nil {
		return nil, err
	}
	refuse := func(hint, format string, args ...any) error {
		return &cute.Error{Code: cute.CodeLimit, Op: "streamk", Msg: fmt.Sprintf(format, args...), Hint: hint}
	}
	if n := o.Tile[0] * o.Tile[1]; n > streamSums {
		return nil, refuse("take a tile of 128 by 128", "128 threads hold up to 128 sums each, found a tile of %d", n)
	}
	if most := slices.Min(o.Tile) << 9; o.Div > most {
		return nil, refuse("take a smaller divisor", "extents are at most 512 tiles, found a divisor %d above %d", o.Div, most)
	}
	// At most 512 tiles along each mode: the numbers of iterations have 31 bits.
	extent := func(dim int) symbolic.Facts { return symbolic.Facts{Min: 1, Max: o.Tile[dim] << 9, Div: o.Div} }
	return kernel.Trace("streamk", 128, func(k *kernel.K) {
		bm, bn, bk, one, all := o.Tile[0], o.Tile[1], o.Tile[2], kernel.Int(1), kernel.Open
		m, n, depth := k.Int("m", extent(0)), k.Int("n", extent(1)), k.Int("k", extent(2))
		ctas := k.Int("ctas", symbolic.Facts{Min: 1, Max: 1 << 10})
		mA := k.Global("A", o.Type, kernel.Modes(m, depth), depth, one)
		mB := k.Global("B", o.Type, kernel.Modes(n, depth), depth, one)
		mC := k.Global("C", o.Type, kernel.Modes(m, n), n, one)
		b := streamBlock{
			k: k, ctas: ctas, depth: depth.CeilDiv(bk), rows: m.CeilDiv(bm), columns: n.CeilDiv(bn),
			parts:  k.Global("parts", o.Sum, kernel.Modes(ctas, kernel.Int(bm*bn)), kernel.Int(bm*bn), one),
			flags:  k.Global("flags", dtype.U32, kernel.Modes(ctas)),
			counts: k.GlobalLayout("counts", dtype.U32, cute.MustParse("1:1")),
			gA:     k.LocalTile(mA, kernel.Shape(bm, bk), all, all), // (BM,BK,m,k)
			gB:     k.LocalTile(mB, kernel.Shape(bn, bk), all, all),
			gC:     k.LocalTile(mC, kernel.Shape(bm, bn), all, all), // (BM,BN,m,n)
		}
		k.Grid(ctas)
		b.tiles = sgemmSM80(o).collective(k, p)
		b.run()
	})
}

// A streamBlock is a block of the kernel.
type streamBlock struct {
	k                                *kernel.K
	tiles                            collectiveSM80
	ctas, depth, rows, columns       kernel.Index // the blocks, and the tiles along each mode
	parts, flags, counts, gA, gB, gC kernel.Tensor
}

// number takes the number of the block from the counter, which the last block makes 0.
func (b *streamBlock) number() kernel.Index {
	k, zero, last := b.k, kernel.Int(0), b.ctas.Sub(kernel.Int(1))
	ticket := k.Shared("ticket", dtype.U32, cute.MustParse("1:1"))
	k.If(k.ThreadIdx().Equal(zero), func() {
		count := k.AtomicRef(kernel.ScopeDevice, b.counts, zero)
		k.Store(count.FetchInc(last.Value(dtype.U32), kernel.Relaxed), ticket, zero)
	})
	k.Sync()
	return k.Load(ticket, zero).Index(symbolic.Facts{Max: 1<<10 - 1}).Min(last)
}

// run computes the block's piece of the iterations of all tiles, the last tile first.
func (b *streamBlock) run() {
	k, zero, one, all := b.k, kernel.Int(0), kernel.Int(1), kernel.Open
	total, block := b.rows.Mul(b.columns).Mul(b.depth), b.number()
	piece, _ := total.Add(b.ctas).Sub(one).DivMod(b.ctas) // rounded up: the last blocks may have less, or nothing
	piece = piece.Max(one)
	begin := block.Value(dtype.S32).Mul(piece.Value(dtype.S32)).Index(symbolic.Facts{Max: 1 << 28}).Min(total)
	end := begin.Add(piece).Min(total)
	first, skipped := begin.DivMod(b.depth)
	last, done := end.Sub(one).Max(zero).DivMod(b.depth)
	choose := func(c kernel.Cond, i, j kernel.Index) kernel.Index {
		return k.Select(c, k.ValueOf(i, dtype.S32), k.ValueOf(j, dtype.S32)).Index(symbolic.Facts{Max: 1 << 10})
	}
	k.If(begin.Less(end), func() {
		k.For(zero, last.Sub(first).Add(one), func(i kernel.Index) {
			tile := last.Sub(i).Max(zero)
			row, column := tile.DivMod(b.columns)
			row = row.Min(b.rows.Sub(one))
			from, to := choose(tile.Equal(first), skipped, zero), choose(tile.Equal(last), done.Add(one), b.depth)
			b.tiles.multiply(k.Slice(b.gA, all, all, row, all), k.Slice(b.gB, all, all, column, all), from, to)
			k.IfElse(to.Less(b.depth), func() { b.publish(block) }, func() {
				k.If(zero.Less(from), func() {
					before, _ := begin.Sub(from).Max(zero).DivMod(piece) // the block that has the first iteration
					k.For(before, block, func(i kernel.Index) { b.add(i.Min(b.ctas.Sub(one))) })
				})
				b.tiles.write(k.Slice(b.gC, all, all, row, column), func(kernel.Index) kernel.Cond { return zero.Less(one) })
			})
		})
	})
}

// own returns the sums of the thread and their place in the row of a block: four neighbours in each 512, (4,values/4).
func (b *streamBlock) own(block kernel.Index) (sums, part kernel.Tensor) {
	k, size := b.k, b.tiles.Tile[0]*b.tiles.Tile[1]
	row := k.LocalTile(k.Slice(b.parts, block, kernel.Open), kernel.Shape(size), kernel.Int(0))
	part = k.LocalPartition(k.LocalTile(row, kernel.Shape(4), kernel.Open), cute.MustParse("(1,128):(0,1)"), k.ThreadIdx())
	fours, _ := part.Extent(1).Int64()
	return k.View(b.tiles.tCrC, kernel.Int(0), kernel.Must(cute.New(cute.Ints(4, fours), cute.Ints(1, 4)))), part
}

// publish stores the sums, and raises the flag.
func (b *streamBlock) publish(block kernel.Index) {
	k := b.k
	k.Copy(b.own(block))
	k.Sync()
	k.If(k.ThreadIdx().Equal(kernel.Int(0)), func() { k.StoreRelease(k.Number(dtype.U32, 1), b.flags, block) })
}

// add waits for the sums of another block, and adds them. It takes the flag down, as no other block reads it.
func (b *streamBlock) add(block kernel.Index) {
	k, none := b.k, b.k.Number(dtype.U32, 0)
	k.If(k.ThreadIdx().Equal(kernel.Int(0)), func() {
		k.While([]kernel.Value{none}, func(v []kernel.Value) kernel.Cond { return v[0].Equal(none) },
			func([]kernel.Value) []kernel.Value { return []kernel.Value{k.LoadAcquire(b.flags, block)} })
		k.Store(none, b.flags, block)
	})
	k.Sync()
	sums, part := b.own(block)
	four, one, all := k.MakeFragment(dtype.F32, cute.MustParse("4:1")), k.Number(dtype.F32, 1), kernel.Open
	fours, _ := part.Extent(1).Int64()
	for i := range fours { // a few registers at a time
		k.Copy(k.Slice(part, all, kernel.Int(i)), four)
		k.Axpby(one, four, one, k.Slice(sums, all, kernel.Int(i)))
	}
}
