package examples

// This file is the kernel grouped: products of groups of rows with a matrix of each group, as for the experts of a
// model. Only the device knows how many rows a group has. It needs collective_sm80.go and sgemm_sm80.go, which multiply
// tiles. To use it elsewhere, copy the three files and change the name of their package; then
//
//	k, err := grouped{Tile: []int64{128, 128, 32}, Type: dtype.F16, Sum: dtype.F32, Div: 8, Stages: 4}.trace()
//
// makes the kernel, and k.Module is its PTX. A of (m,k) and C of (m,n) have the rows of all groups one after another,
// sizes[g] has the number of rows of group g, and B of (groups,n,k) has a matrix for each: C = A·B[g]ᵀ for the rows of
// g. Rows after the last group are not written.
//
// A tile of C is a tile of the whole matrix, even if a group begins within it: such a tile is computed once for each
// group in it, and each time only the rows of the group are written. So there are at most m/128 + groups tiles, which
// the host knows: these are the blocks. A block finds its tile by itself. Its first warp adds up the rows and the tiles
// of 32 groups at a time, and the lane whose group has the tile stores what it knows.
//
//	k.ForCarryAll            the rows and tiles of all groups so far
//	k.Shfl(v, 31)            the sum of the last lane for all lanes
//	v.Index(facts).Min(n)    a number that is data, as a coordinate that is never outside
//
// Read scan.go and sgemm_sm80.go first.

import (
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A grouped is the parameters of grouped.
type grouped sgemmSM80 // Sum is f32

// trace returns the kernel, with the errors of sgemm_sm80.
func (o grouped) trace() (*kernel.Kernel, error) {
	p, err := sgemmSM80(o).parts()
	if err != nil {
		return nil, err
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
	return kernel.Trace("grouped", 128, func(k *kernel.K) {
		bm, bn, bk, one, all := o.Tile[0], o.Tile[1], o.Tile[2], kernel.Int(1), kernel.Open
		m, n, depth := k.Int("m", extent(1)), k.Int("n", extent(o.Div)), k.Int("k", extent(o.Div))
		groups := k.Int("groups", symbolic.Facts{Min: 1, Max: 1 << 10})
		mA := k.Global("A", o.Type, kernel.Modes(m, depth), depth, one)
		mB := k.Global("B", o.Type, kernel.Modes(groups, n, depth), n.Mul(depth), depth, one)
		sizes := k.Global("sizes", dtype.S32, kernel.Modes(groups))
		mC := k.Global("C", o.Type, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(bm).Add(groups), n.CeilDiv(bn))
		b := groupBlock{k: k, rows: bm, m: m, sizes: sizes, found: k.Shared("found", dtype.S32, cute.MustParse("4:1"))}
		group, tile, from, to := b.find()
		k.If(from.Less(to), func() {
			gA := k.LocalTile(mA, kernel.Shape(bm, bk), tile, all) // (BM,BK,k)
			gB := k.LocalTile(k.Slice(mB, group, all, all), kernel.Shape(bn, bk), k.BlockIdx(1), all)
			gC := k.LocalTile(mC, kernel.Shape(bm, bn), tile, k.BlockIdx(1)) // (BM,BN)
			block := sgemmSM80(o).collective(k, p)
			block.multiply(gA, gB, kernel.Int(0), gA.Extent(2))
			block.write(gC, func(row kernel.Index) kernel.Cond {
				row = tile.Mul(kernel.Int(bm)).Add(row)
				return row.AtLeast(from).And(row.Less(to))
			})
		})
	})
}

// A groupBlock is a block that looks for its tile.
type groupBlock struct {
	k            *kernel.K
	rows         int64 // of a tile
	m            kernel.Index
	sizes, found kernel.Tensor
}

// find returns the group of the block, the number of its tile of rows, and the first row of the group and the row after
// its last one; both are 0 if there is no tile for the block.
func (b *groupBlock) find() (group, tile, from, to kernel.Index) {
	k, none, groups := b.k, b.k.Number(dtype.S32, 0), b.sizes.Extent(0)
	put := func(at int64, v kernel.Value) { k.Store(v, b.found, kernel.Int(at)) }
	k.If(k.ThreadIdx().Less(kernel.Int(kernel.WarpSize)), func() {
		k.If(k.ThreadIdx().Equal(kernel.Int(0)), func() {
			for i := range int64(4) {
				put(i, none)
			}
		})
		k.SyncWarp()
		k.ForCarryAll(kernel.Int(0), groups.CeilDiv(kernel.WarpSize), []kernel.Value{none, none},
			func(i kernel.Index, before []kernel.Value) []kernel.Value {
				group := i.Mul(kernel.Int(kernel.WarpSize)).Add(k.ThreadIdx().Mod(kernel.WarpSize))
				size := k.IfElseCarry(group.Less(groups), func() kernel.Value {
					return k.Load(b.sizes, group).Max(none).Min(b.m.Value(dtype.S32))
				}, func() kernel.Value { return none })
				end := before[0].Add(b.scan(size)) // at most 33·m
				from, to := b.row(end.Sub(size)), b.row(end)
				count := to.CeilDiv(b.rows).Sub(from.Div(b.rows)).Value(dtype.S32)
				count = k.Select(from.Less(to), count, none)
				last := before[1].Add(b.scan(count))
				here := k.BlockIdx(0).Value(dtype.S32).Sub(last.Sub(count)) // the tile within the group
				k.If(none.LessEqual(here).And(here.Less(count)), func() {
					put(0, group.Value(dtype.S32))
					put(1, from.Div(b.rows).Value(dtype.S32).Add(here))
					put(2, from.Value(dtype.S32))
					put(3, to.Value(dtype.S32))
				})
				return []kernel.Value{k.Shfl(to.Value(dtype.S32), kernel.Int(31)), k.Shfl(last, kernel.Int(31))}
			})
	})
	k.Sync()
	get := func(at int64, most kernel.Index) kernel.Index {
		return k.Load(b.found, kernel.Int(at)).Index(symbolic.Facts{Max: 1 << 20}).Min(most)
	}
	one := kernel.Int(1)
	return get(0, groups.Sub(one)), get(1, b.m.CeilDiv(b.rows).Sub(one)), get(2, b.m), get(3, b.m)
}

// row returns a number as a row of A, or the number of rows if it is beyond.
func (b *groupBlock) row(v kernel.Value) kernel.Index {
	return v.Index(symbolic.Facts{Max: 33 << 20}).Min(b.m)
}

// scan returns the sum of the values of the lanes up to this one.
func (b *groupBlock) scan(v kernel.Value) kernel.Value {
	k, lane := b.k, b.k.ThreadIdx().Mod(kernel.WarpSize)
	for d := int64(1); d < kernel.WarpSize; d *= 2 {
		v = k.Select(lane.AtLeast(kernel.Int(d)), v.Add(k.ShflUp(v, d)), v)
	}
	return v
}
