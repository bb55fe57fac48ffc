package examples

// This file is the kernel persistent_sm90: the product of wgmma_tma_sm90 by a fixed number of blocks, which compute one
// tile of C after another. It is complete. To use it elsewhere, copy the file and change the name of its package; then
//
//	k, err := persistentSM90{Tile: []int64{128, 256, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 1, Stages: 4}.trace()
//
// makes the kernel, and k.Module is its PTX: C = A·Bᵀ for A of (m,k), B of (n,k) and C of (m,n), row by row, with as
// many blocks as ctas says, such as the number of multiprocessors.
//
// The warp that copies does not wait for the end of a tile of C: while the warpgroups write the tile, the ring fills
// with the first tiles of A and B for the next one. Both roles count the tiles of A and B that the block has used since
// its start, so that stages and parities go on from one tile of C to the next.
//
// Tiles that are computed at the same time should need few tiles of A and B, which then stay in the L2 cache. So tiles
// are numbered as in Triton's tutorial: along 8 rows of tiles first, and then along the columns. The last rows may be
// fewer than 8.
//
//	tile.DivMod(columns)      a quotient and a rest by a number that is known only when the kernel runs
//	before.Add(i)             the number of an iteration since the start: the state of the pipeline
//	k.WarpgroupRegAlloc(232)  registers of the copying warps for those that multiply
//
// Read wgmma_tma_sm90.go and persistent.go first. The next example to read is streamk.go.

import (
	"fmt"
	"slices"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A persistentSM90 is the parameters of persistent_sm90.
type persistentSM90 struct {
	Tile   []int64    // rows of A, rows of B and columns of both that a block multiplies at a time
	Type   dtype.Type // the type of A and B: f16 or bf16
	Sum    dtype.Type // the type of C: f32, or f16 if Type is
	Div    int64      // what divides m and n; 8 divides k
	Stages int64      // the stages of the ring, at least 2
}

// mma returns the tiled MMA of two warpgroups.
func (o persistentSM90) mma() (m atom.TiledMMA, err error) {
	types := strings.ToUpper(fmt.Sprint(o.Sum, o.Type, o.Type))
	op, err := atom.FindMMA(fmt.Sprintf("SM90_64x%dx16_%s_SS", o.Tile[1], types))
	if err != nil {
		return m, &cute.Error{
			Code: cute.CodeType, Op: "wgmma",
			Msg:  fmt.Sprintf("no instruction adds products of %v in %v for %d columns", o.Type, o.Sum, o.Tile[1]),
			Hint: "take a multiple of 8 columns up to 256, and sums of f32, or of f16 for products of f16",
		}
	}
	if o.Tile[0]%128 != 0 || o.Tile[2]%16 != 0 {
		return m, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "make_tiled_mma",
			Msg:  fmt.Sprintf("two warpgroups multiply 64 rows each by 16 columns at once, found a tile %v", o.Tile),
			Hint: "take multiples of 128 rows of A and of 16 columns",
		}
	}
	if most := slices.Min(o.Tile) << 10; o.Div > most {
		return m, &cute.Error{
			Code: cute.CodeLimit, Op: "persistent_sm90", Hint: "take a smaller divisor",
			Msg: fmt.Sprintf("extents are at most 1024 tiles, found a divisor %d above %d", o.Div, most),
		}
	}
	return atom.MakeTiledMMA(op, cute.MustParse("(2,1,1):(1,0,0)"), nil)
}

// trace returns the kernel. It returns [cute.CodeType] for types and tiles without an instruction,
// [cute.CodeNotDivisible] for a tile that the MMA does not divide, [cute.CodeLimit] for a divisor above all extents,
// and the *[kernel.Error] of stages that shared memory cannot hold.
func (o persistentSM90) trace() (*kernel.Kernel, error) {
	mma, err := o.mma()
	if err != nil {
		return nil, err
	}
	// At most 1024 tiles along each mode, and blocks: the numbers of tiles and iterations have 31 bits.
	extent := func(dim int, div int64) symbolic.Facts {
		return symbolic.Facts{Min: 1, Max: o.Tile[dim] << 10, Div: div}
	}
	return kernel.Trace("persistent_sm90", mma.Size()+128, func(k *kernel.K) {
		m, n, depth := k.Int("m", extent(0, o.Div)), k.Int("n", extent(1, o.Div)), k.Int("k", extent(2, max(o.Div, 8)))
		ctas, one := k.Int("ctas", symbolic.Facts{Min: 1, Max: 1 << 10}), kernel.Int(1)
		b := persistentBlock{persistentSM90: o, k: k, mma: mma, ctas: ctas}
		mA := k.TmaTensor("A", o.Type, kernel.Modes(m, depth), depth, one)
		mB := k.TmaTensor("B", o.Type, kernel.Modes(n, depth), depth, one)
		b.mC = k.Global("C", o.Sum, kernel.Modes(m, n), n, one)
		k.Grid(ctas)
		b.rows, b.columns = m.CeilDiv(o.Tile[0]), n.CeilDiv(o.Tile[1])
		b.a, b.b = b.operand(mA, "sA", 0), b.operand(mB, "sB", 1)
		b.pipe = k.PipelineTmaAsync("pipe", kernel.PipelineParams{
			Stages: o.Stages, Bytes: b.a.tma.Bytes() + b.b.tma.Bytes(), Consumers: mma.Size(),
		})
		k.Sync()
		group := k.WarpIdx().Div(4)
		k.IfElse(group.Less(kernel.Int(mma.Size()/128)), func() {
			k.WarpgroupRegAlloc(232)
			b.multiply(group.Mul(kernel.Int(128)).Add(k.WarpgroupThreadIdx()))
		}, func() {
			k.WarpgroupRegDealloc(40)
			k.If(k.WarpIdx().Less(kernel.Int(mma.Size()/kernel.WarpSize+1)), func() {
				k.If(k.ElectOne(), b.copy)
			})
		})
	})
}

// A persistentBlock is a block of the kernel.
type persistentBlock struct {
	persistentSM90
	k                   *kernel.K
	mma                 atom.TiledMMA
	ctas, rows, columns kernel.Index // the blocks, and the tiles of C
	a, b                persistentOperand
	mC                  kernel.Tensor
	pipe                kernel.PipelineTmaAsync
}

// A persistentOperand is A or B.
type persistentOperand struct {
	tma          kernel.TmaAtom
	s            kernel.Tensor // (BM,BK,PIPE)
	global, tile kernel.Tensor // (TMA,m,k), (TMA,PIPE)
}

// operand prepares the copies of a matrix to stages in the layout that wgmma reads.
func (b *persistentBlock) operand(m kernel.Tensor, name string, dim int) (x persistentOperand) {
	k, all, rows, depth := b.k, kernel.Open, b.Tile[dim], b.Tile[2]
	selected := kernel.Must(descriptor.SelectSS.Select(atom.KMajor, b.Type, [2]int64{rows, depth}, 1))
	x.s = k.Shared(name, b.Type, kernel.Must(selected.Atom.TileToShape(cute.Ints(rows, depth, b.Stages), cute.Tuple{})))
	x.tma = k.MakeTmaAtom(m, k.Slice(x.s, all, all, kernel.Int(0)), kernel.Shape(rows, depth), 1)
	x.global, x.tile = k.TmaPartition(x.tma, kernel.Int(0), x.s, k.LocalTile(m, kernel.Shape(rows, depth), all, all))
	return x
}

// each calls f for the tiles of the block: with the tile's row and column, and the number of iterations before it.
func (b *persistentBlock) each(f func(row, column, before kernel.Index)) {
	const high = 8 // rows of tiles
	b.k.ForStep(b.k.BlockIdx(0), b.rows.Mul(b.columns), b.ctas, func(tile kernel.Index) {
		group, rest := tile.DivMod(b.columns.Mul(kernel.Int(high)))
		first := group.Mul(kernel.Int(high))
		column, row := rest.DivMod(b.rows.Sub(first).Min(kernel.Int(high)).Max(kernel.Int(1)))
		before, _ := tile.DivMod(b.ctas) // tiles of C
		f(first.Add(row), column, before.Mul(b.a.global.Extent(2)))
	})
}

// copy brings the tiles of A and B for all tiles of C of the block. One thread executes it.
func (b *persistentBlock) copy() {
	k, all := b.k, kernel.Open
	b.each(func(row, column, before kernel.Index) {
		k.For(kernel.Int(0), b.a.global.Extent(2), func(i kernel.Index) {
			state := b.pipe.ProducerState(before.Add(i))
			b.pipe.ProducerAcquire(state)
			full := b.pipe.ProducerGetBarrier(state)
			k.CopyTma(b.a.tma.With(full), k.Slice(b.a.global, all, row, i), k.Slice(b.a.tile, all, state.Index()))
			k.CopyTma(b.b.tma.With(full), k.Slice(b.b.global, all, column, i), k.Slice(b.b.tile, all, state.Index()))
			b.pipe.ProducerCommit(state)
		})
	})
}

// multiply computes all tiles of C of the block. The threads of the MMA execute it.
func (b *persistentBlock) multiply(thread kernel.Index) {
	k, one, all, pipe := b.k, kernel.Int(1), kernel.Open, b.pipe
	thr := k.ThrMMA(b.mma, thread)
	tCrA := thr.MakeFragmentA(thr.PartitionA(b.a.s)) // (MMA,MMA_M,MMA_K,PIPE)
	tCrB := thr.MakeFragmentB(thr.PartitionB(b.b.s))
	tiles, gC := b.a.global.Extent(2), k.LocalTile(b.mC, b.Tile[:2], all, all)
	tCgC := thr.PartitionC(gC) // (MMA,MMA_M,MMA_N,m,n)
	tCrC := thr.MakeFragmentC(tCgC)
	b.each(func(row, column, before kernel.Index) {
		multiply := func(i kernel.Index) {
			state := pipe.ConsumerState(before.Add(i))
			pipe.ConsumerWait(state)
			k.WarpgroupArrive()
			k.GemmTiled(b.mma, k.Slice(tCrA, all, all, all, state.Index()), k.Slice(tCrB, all, all, all, state.Index()), tCrC)
			k.WarpgroupCommitBatch()
		}
		k.Accumulate(one.Less(one), func() { multiply(kernel.Int(0)) }) // sets the sums
		k.For(one, tiles, func(i kernel.Index) {
			multiply(i)
			k.WarpgroupWait(1) // waits for the previous tile, whose stage is then free
			pipe.ConsumerRelease(pipe.ConsumerState(before.Add(i).Sub(one)))
		})
		k.WarpgroupWait(0)
		pipe.ConsumerRelease(pipe.ConsumerState(before.Add(tiles).Sub(one)))
		k.CopyIf(tCrC, k.Slice(tCgC, all, all, all, row, column))
	})
}
