package examples

// This file is the kernel umma_sm100, after CuTe's examples/cute/tutorial/blackwell, 02_mma_tma_sm100.cu to
// 05_mma_tma_epi_sm100.cu: tcgen05.mma, whose accumulators are in tensor memory. It is complete. To use it elsewhere,
// copy the file and change the name of its package; then
//
//	k, err := ummaSM100{Tile: []int64{128, 256, 64}, Type: dtype.F16, Sum: dtype.F32, Div: 8, Stages: 4}.trace("gemm")
//
// makes the kernel, and k.Module is its PTX. It computes what wgmma_tma_sm90 computes: read that first. One thread
// starts the instructions for its block, so a slice of the tiled MMA is of a block, not of a thread. New are
//
//	TmemAllocator            columns of tensor memory, which one warp allocates and frees
//	TmemAllocator.Tensor     the accumulators of MakeFragmentC, at a column
//	Accumulate               the first products set the accumulators, because nothing clears them
//	PipelineTmaUmma          a ring of stages that instructions release when they have read them
//	PipelineUmmaAsync        a ring of accumulators, here one
//	MakeTmemCopy             loads of the accumulators: a warp reaches 32 of the 128 lanes
//	FenceViewAsyncTmemLoad   waits for the loads
//	Pair                     2-SM: an instruction multiplies tiles in the memory of two blocks, which have a half each
//	Store                    C goes through shared memory to the TMA

import (
	"errors"
	"fmt"
	"math/bits"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// An ummaSM100 is the parameters of umma_sm100 and its relatives.
type ummaSM100 struct {
	Tile    []int64    // rows of A, rows of B and columns of both that a block, or a pair of blocks, multiplies at a time
	Type    dtype.Type // the type of A and B: f16 or bf16
	Sum     dtype.Type // the type of C: f32, or f16 if Type is
	Div     int64      // what divides m and n; 8 divides k
	Stages  int64      // the stages of the ring, at least 2
	Cluster int64      // blocks of a cluster, which share tiles of B; 2 for a pair; 0 or 1 for no clusters
	Pair    bool
	Store   bool
}

// mma returns the tiled MMA. It returns the error of [atom.FindMMA] for types and tiles without an instruction, and
// [cute.CodeNotDivisible] for a tile that the instruction does not divide.
func (o ummaSM100) mma() (m atom.TiledMMA, err error) {
	pair := ""
	if o.Pair {
		pair = "2x1SM_"
	}
	op, err := atom.FindMMA(fmt.Sprintf("SM100_MMA_F16BF16_%sSS<%s,%[2]s,%s,%d,%d,K,K>", pair, o.Type.CPP(), o.Sum.CPP(),
		o.Tile[0], o.Tile[1]))
	if e, ok := errors.AsType[*cute.Error](err); ok {
		e.Hint = "take 128 rows, or 256 of a pair, a multiple of 16 columns up to 256, and sums of f32, or of f16 for f16"
		return m, e
	}
	if o.Tile[1]%16 != 0 || o.Tile[2]%64 != 0 || o.Store && o.Tile[0] != 128*op.Threads() {
		return m, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "make_tiled_mma", Hint: "take a tile of 256,128,64 for a pair, and of 128,128,64",
			Msg: fmt.Sprintf("expected a multiple of 16 rows of B and of 64 along K, and 128 rows of a block for stores, found %v",
				o.Tile),
		}
	}
	return atom.MakeTiledMMA(op, cute.MustParse("(1,1,1)"), nil)
}

// stages returns the stages of a tile of some rows, in the layout with the widest swizzle.
func (o ummaSM100) stages(rows int64) cute.Composed {
	s := kernel.Must(descriptor.SelectSM100.Select(atom.KMajor, o.Type, [2]int64{rows, o.Tile[2]}, 1))
	return kernel.Must(s.Atom.TileToShape(cute.Ints(rows, o.Tile[2], o.Stages), cute.Tuple{}))
}

// columns returns how many columns of tensor memory C takes: a power of two, at least 32.
func (o ummaSM100) columns() int64 { return max(32, int64(1)<<bits.Len64(uint64(o.Tile[1]-1))) }

// trace returns the kernel. Four warps load and write C, the fifth copies tiles of A and B, and one thread of the sixth
// multiplies, for a pair of blocks only in the even one. They meet at the barriers of two pipelines.
func (o ummaSM100) trace(name string) (*kernel.Kernel, error) {
	mma, err := o.mma()
	if err != nil {
		return nil, err
	}
	ctas, extent := mma.Size(), symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div}
	return kernel.Trace(name, 192, func(k *kernel.K) {
		cluster := max(o.Cluster, 1)
		if cluster > 1 {
			k.Cluster(cluster, 1, 1)
		}
		k.MinBlocksPerMultiprocessor(1) // otherwise the compiler takes fewer registers than are there
		m, n := k.Int("m", extent), k.Int("n", extent)
		extent.Div = max(extent.Div, 8) // rows of multiples of 16 bytes
		depth := k.Int("k", extent)
		b := ummaBlock{ummaSM100: o, k: k, mma: mma, rows: o.Tile[0] / ctas, zero: kernel.Int(0), one: kernel.Int(1)}
		k.Grid(m.CeilDiv(b.rows*cluster).Mul(kernel.Int(cluster)), n.CeilDiv(o.Tile[1]))
		b.row, b.column, b.rank = k.BlockIdx(0), k.BlockIdx(1), k.BlockRankInCluster()
		mA := k.TmaTensor("A", o.Type, kernel.Modes(m, depth), depth, b.one)
		mB := k.TmaTensor("B", o.Type, kernel.Modes(n, depth), depth, b.one)
		if o.Store {
			b.mC = k.TmaTensor("C", o.Sum, kernel.Modes(m, n), n, b.one)
		} else {
			b.mC = k.Global("C", o.Sum, kernel.Modes(m, n), n, b.one)
		}
		b.operands(mA, mB, cluster)
		tmem := k.TmemAllocator(o.columns(), ctas)
		b.pipelines()
		b.run(tmem, b.multiply)
	})
}

// An ummaBlock is a block of the kernel.
type ummaBlock struct {
	ummaSM100
	k                 *kernel.K
	mma               atom.TiledMMA
	thr               kernel.ThrMMA
	rows              int64 // of A and C
	zero, one         kernel.Index
	row, column, rank kernel.Index
	a, b              ummaOperand
	loads             []ummaOperand // that copy brings
	mC, tCgC, tCtC    kernel.Tensor
	pipe              kernel.PipelineTmaUmma
	sums              kernel.PipelineUmmaAsync
}

// An ummaOperand is A or B.
type ummaOperand struct {
	tma          kernel.TmaAtom
	s            kernel.Tensor // (BM,BK,PIPE)
	global, tile kernel.Tensor // (TMA,k), (TMA,PIPE)
}

// operands prepares the copies of A and B. A pair of blocks multiplies all rows of B, and each copies a half of them. A
// cluster of other blocks shares the rows, and each sends a part to all.
func (b *ummaBlock) operands(mA, mB kernel.Tensor, cluster int64) {
	b.a = b.operand(mA, b.row, 1)
	if b.Pair {
		b.b = b.operand(mB, b.column.Mul(kernel.Int(2)).Add(b.rank), 1)
	} else {
		b.b = b.operand(mB, b.column, cluster)
	}
	b.loads = []ummaOperand{b.a, b.b}
}

// pipelines makes the rings: of stages, whose copies may go to all blocks of a cluster, and of accumulators.
func (b *ummaBlock) pipelines() {
	bytes := int64(0)
	for _, x := range b.loads {
		bytes += x.tma.Bytes()
	}
	b.pipe = b.k.PipelineTmaUmma("pipe", kernel.PipelineParams{
		Stages: b.Stages, Bytes: bytes, Shared: b.Cluster > 1 && !b.Pair,
	})
	b.sums = b.k.PipelineUmmaAsync("sums", 1, 128)
}

// run gives each warp its role, and allocates tensor memory around it.
func (b *ummaBlock) run(tmem kernel.TmemAllocator, multiply func()) {
	k, warp, ctas := b.k, b.k.WarpIdx(), b.mma.Size()
	if b.Pair {
		k.ClusterSync() // the other block has begun: the columns are allocated in both
	}
	k.If(warp.Less(b.one), func() {
		tmem.Allocate()
		tmem.ReleaseAllocationLock()
	})
	k.Tcgen05BeforeThreadSync()
	k.ClusterSync()
	k.Tcgen05AfterThreadSync()
	tmem.RetrievePtr()
	b.thr = k.ThrMMA(b.mma, b.rank.Mod(ctas))
	b.tCgC = b.thr.PartitionC(k.LocalTile(b.mC, b.Tile[:2], b.row.Div(ctas), b.column))
	b.tCtC = tmem.Tensor(b.thr.MakeFragmentC(b.tCgC), 0) // (MMA,MMA_M,MMA_N)
	k.IfElse(warp.Less(kernel.Int(4)), b.write, func() {
		k.If(k.ElectOne(), func() {
			k.IfElse(warp.Less(kernel.Int(5)), b.copy, func() { k.If(b.rank.Mod(ctas).Less(b.one), multiply) })
		})
	})
	k.Tcgen05BeforeThreadSync()
	k.ClusterSync() // all have loaded C, and no other block releases stages of this block
	k.If(warp.Less(b.one), tmem.Free)
}

// operand prepares the copies of a tile to the stages, which several blocks share. A is the first operand.
func (b *ummaBlock) operand(m kernel.Tensor, at kernel.Index, several int64) (x ummaOperand) {
	k, all, rows, name, part := b.k, kernel.Open, b.rows, "sA", b.zero
	if b.a.s.Rank() > 0 {
		rows, name = b.Tile[1]*b.rows/b.Tile[0], "sB"
	}
	if several > 1 {
		part = b.rank
	}
	shape := kernel.Shape(rows, b.Tile[2])
	x.s = k.Shared(name, b.Type, b.stages(rows))
	x.tma = k.MakeTmaAtom(m, k.Slice(x.s, all, all, b.zero), shape, several)
	x.global, x.tile = k.TmaPartition(x.tma, part, x.s, k.LocalTile(m, shape, at, all))
	return x
}

// copy brings the tiles. One thread executes it.
func (b *ummaBlock) copy() {
	k, all, pipe := b.k, kernel.Open, b.pipe
	k.For(b.zero, b.a.global.Extent(1), func(i kernel.Index) {
		state := pipe.ProducerState(i)
		pipe.ProducerAcquire(state)
		full := pipe.ProducerGetBarrier(state)
		for _, x := range b.loads {
			k.CopyTma(x.tma.With(full), k.Slice(x.global, all, i), k.Slice(x.tile, all, state.Index()))
		}
		pipe.ProducerCommit(state)
	})
}

// multiply multiplies all tiles. One thread executes it, for a pair of blocks a thread of the even one.
func (b *ummaBlock) multiply() {
	k, all, pipe, thr := b.k, kernel.Open, b.pipe, b.thr
	tCrA := thr.MakeFragmentA(thr.PartitionA(b.a.s)) // (MMA,MMA_M,MMA_K,PIPE)
	tCrB := thr.MakeFragmentB(thr.PartitionB(b.b.s))
	b.sums.ProducerAcquire(b.sums.ProducerState(b.zero))
	k.For(b.zero, b.a.global.Extent(1), func(i kernel.Index) {
		state := pipe.ConsumerState(i)
		pipe.ConsumerWait(state)
		stage := func(t kernel.Tensor) kernel.Tensor { return k.Slice(t, all, all, all, state.Index()) }
		k.Accumulate(b.zero.Less(i), func() { k.GemmTiled(b.mma, stage(tCrA), stage(tCrB), b.tCtC) })
		pipe.ConsumerRelease(state) // when the instructions have read it
	})
	b.sums.ProducerCommit(b.sums.ProducerState(b.zero))
}

// write loads C into registers and writes it. Four warps execute it.
func (b *ummaBlock) write() {
	k, state, tid := b.k, b.sums.ConsumerState(b.zero), b.k.ThreadIdx().Mod(128)
	b.sums.ConsumerWait(state)
	if b.Store {
		b.store(tid)
	} else {
		load := k.MakeTmemCopy("load", b.tCtC)
		ld := k.ThrCopy(load, tid)
		tDtC, tDgC := ld.PartitionS(b.tCtC), ld.PartitionD(b.tCgC) // (CPY,n,1,1)
		parts, _ := tDtC.Extent(1).Int64()
		for i := range parts { // one after the other, because all of C would not fit in registers
			part := func(t kernel.Tensor) kernel.Tensor { return k.Slice(t, kernel.Open, kernel.Int(i), b.zero, b.zero) }
			tDrC := k.MakeFragmentLike(part(tDgC), b.Sum)
			k.CopyTiled(load, part(tDtC), tDrC)
			k.FenceViewAsyncTmemLoad()
			k.CopyIf(tDrC, part(tDgC))
		}
	}
	b.sums.ConsumerRelease(state)
}

// store copies 16 columns of C after the other to shared memory, from which the TMA writes them. A thread has a row.
func (b *ummaBlock) store(tid kernel.Index) {
	k, all, shape := b.k, kernel.Open, kernel.Shape(b.rows, 16)
	sC := k.Shared("sC", b.Sum, cute.MustParse("(128,16,2):(16,1,2048)")) // (BM,16,PIPE)
	tma := k.MakeTmaAtom(b.mC, k.Slice(sC, all, all, b.zero), shape, 1)
	gC := k.LocalTile(b.mC, shape, b.row, all)
	tCgC, tCsC := k.TmaPartition(tma, b.zero, sC, gC) // (TMA,n), (TMA,PIPE)
	load := k.MakeTmemCopy("SM100_TMEM_LOAD_32dp32b16x", b.tCtC)
	tDtC, first := k.ThrCopy(load, tid).PartitionS(b.tCtC), tid.Less(b.one) // (CPY,n,1,1)
	for i := range b.Tile[1] / 16 {
		stage, tDrC := kernel.Int(i%2), k.MakeFragment(b.Sum, cute.MustParse("16"))
		k.CopyTiled(load, k.Slice(tDtC, all, kernel.Int(i), b.zero, b.zero), tDrC)
		k.If(first, func() { k.TmaStoreWait(1) })
		k.FenceViewAsyncTmemLoad()
		k.NamedBarrierSync(128, 1) // the stage may be written
		k.Copy(tDrC, k.Slice(sC, tid, all, stage))
		k.TmaStoreFence()
		k.NamedBarrierSync(128, 1)
		k.If(first, func() {
			at := b.column.Mul(kernel.Int(b.Tile[1] / 16)).Add(kernel.Int(i))
			k.CopyTma(tma, k.Slice(tCsC, all, stage), k.Slice(tCgC, all, at))
			k.TmaStoreArrive()
		})
	}
	k.If(first, func() { k.TmaStoreWait(0) })
}
