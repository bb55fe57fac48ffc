package examples

// This file is the kernels nvf4_sm100 and mxf8_sm100, after CUTLASS's examples/72_blackwell_narrow_precision_gemm:
// tcgen05.mma with a factor for each 16 or 32 elements along K. To use it elsewhere, copy this file and umma_sm100.go,
// and change the name of their package; then
//
//	o := scaledSM100{Tile: []int64{128, 256}, Elem: dtype.E2M1, Scale: dtype.UE4M3, Vector: 16, Div: 1, Stages: 4}
//	k, err := o.trace("gemm")
//
// makes the kernel, and k.Module is its PTX: C[i,j] = Σ A[i,l]·SFA[i,l/v]·B[j,l]·SFB[j,l/v] with v = Vector. It is
// umma_sm100, which should be read first, with factors: the TMA brings them with the tiles, tcgen05.cp copies them to
// tensor memory, and the instruction multiplies by them. A and B of 4 bits are bytes for the TMA, with two neighbours
// each, the first in the low bits.
//
// SFA and SFB have blocks of 128 rows by 4 factors, 512 bytes: factor f of row r is byte 16·(r mod 32) + 4·(r div 32) +
// f. Blocks are side by side along K, then along the rows, and whole at the edges. Factors beyond the end of a row, in
// the last block, must not be NaN: the instruction multiplies them by zeros. They are bytes outside of the kernel, as A
// and B of 4 bits are, because other libraries do not have their types.
//
// New are
//
//	MakeFragmentSFA, ZipSF   the factors in tensor memory, as a part of the operand A or B
//	CopyUtccp                tcgen05.cp: the thread that multiplies copies the factors of a tile
//	View                     the columns of a stage: factors are written again only after the stage was free
//
// A stage has factors of its own in tensor memory, so that they may be copied while the instructions before still run.

import (
	"fmt"
	"math/bits"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A scaledSM100 is the parameters of nvf4_sm100 and mxf8_sm100.
type scaledSM100 struct {
	Tile   []int64    // rows of A and rows of B that a block multiplies: 128, and 128 or 256
	Elem   dtype.Type // of A and B: e2m1, e4m3 or e5m2
	Scale  dtype.Type // of the factors: ue4m3 or ue8m0
	Vector int64      // elements that share a factor
	Div    int64      // what divides m and n; 16 bytes divide k
	Stages int64      // the stages of the ring, at least 2
}

// A tile has rows of 128 bytes, the widest swizzle.
const scaledBytes = 128

// scaleBlock is the factors along K of a block of factors.
const scaleBlock = 4

// depth returns the elements of a tile along K.
func (o scaledSM100) depth() int64 { return scaledBytes * 8 / int64(o.Elem.Bits()) }

// blocks returns the blocks of factors along K of a tile.
func (o scaledSM100) blocks() int64 { return o.depth() / (o.Vector * scaleBlock) }

// mma returns the tiled MMA. It returns [cute.CodeNotDivisible] for a tile that the kernel does not have.
func (o scaledSM100) mma() (m atom.TiledMMA, err error) {
	if o.Tile[0] != 128 || o.Tile[1] != 128 && o.Tile[1] != 256 {
		return m, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "make_tiled_mma", Hint: "take a tile of 128,256 or 128,128",
			Msg: fmt.Sprintf("expected 128 rows of A, and 128 or 256 rows of B, whole blocks of factors, found %v", o.Tile),
		}
	}
	kind, vector := "MXF8F6F4", ""
	if o.Elem == dtype.E2M1 {
		kind, vector = "MXF4", fmt.Sprintf("%d,", o.Vector)
	}
	op, err := atom.FindMMA(fmt.Sprintf("SM100_MMA_%s_SS<%s,%[2]s,float,%s,%d,%d,%sK,K>", kind, o.Elem.CPP(), o.Scale.CPP(),
		o.Tile[0], o.Tile[1], vector))
	if err != nil {
		return m, err
	}
	return atom.MakeTiledMMA(op, cute.MustParse("(1,1,1)"), nil)
}

// A scaledBlock is a block of the kernel.
type scaledBlock struct {
	ummaBlock
	scaled   scaledSM100
	depth    kernel.Index
	sfa, sfb ummaOperand
	tmem     kernel.TmemAllocator
}

// trace returns the kernel, whose warps have the roles of umma_sm100.
func (o scaledSM100) trace(name string) (*kernel.Kernel, error) {
	mma, err := o.mma()
	if err != nil {
		return nil, err
	}
	held, facts := o.Elem, symbolic.Facts{Min: 1, Max: 1 << 20, Div: o.Div}
	if o.Elem.Bits() < 8 {
		held = dtype.U8
	}
	per := 8 / int64(o.Elem.Bits()) // elements of a byte
	return kernel.Trace(name, 192, func(k *kernel.K) {
		k.MinBlocksPerMultiprocessor(1)
		m, n := k.Int("m", facts), k.Int("n", facts)
		facts.Div = max(facts.Div, 16*per)
		depth, one := k.Int("k", facts), kernel.Int(1)
		x := scaledBlock{scaled: o, depth: depth, ummaBlock: ummaBlock{
			ummaSM100: ummaSM100{Tile: []int64{o.Tile[0], o.Tile[1], scaledBytes}, Type: held, Sum: dtype.F32, Stages: o.Stages},
			k:         k, mma: mma, rows: o.Tile[0], zero: kernel.Int(0), one: one,
		}}
		k.Grid(m.CeilDiv(o.Tile[0]), n.CeilDiv(o.Tile[1]))
		x.row, x.column, x.rank = k.BlockIdx(0), k.BlockIdx(1), k.BlockRankInCluster()
		bytes := depth.Div(per)
		x.operands(k.TmaTensor("A", held, kernel.Modes(m, bytes), bytes, one),
			k.TmaTensor("B", held, kernel.Modes(n, bytes), bytes, one), 1)
		x.sfa, x.sfb = x.factors("SFA", m, x.row, 1), x.factors("SFB", n, x.column, o.Tile[1]/128)
		x.loads = append(x.loads, x.sfa, x.sfb)
		x.mC = k.Global("C", dtype.F32, kernel.Modes(m, n), n, one)
		columns := o.Tile[1] + o.Stages*(o.scaleColumns(1)+o.scaleColumns(o.Tile[1]/128))
		x.tmem = k.TmemAllocator(int64(1)<<bits.Len64(uint64(columns-1)), 1)
		x.pipelines()
		x.run(x.tmem, x.multiply)
	})
}

// scaleColumns returns the columns of tensor memory for the factors of a stage, for a number of blocks along the rows.
func (o scaledSM100) scaleColumns(blocks int64) int64 { return 4 * blocks * o.blocks() }

// factors prepares the copies of factors: half blocks of 256 bytes, the longest row of a tile of the TMA.
func (x *scaledBlock) factors(name string, rows, at kernel.Index, blocks int64) (y ummaOperand) {
	k, all, zero := x.k, kernel.Open, x.zero
	along := x.depth.CeilDiv(x.scaled.Vector * scaleBlock)
	m := k.TmaTensor(name, dtype.U8, kernel.Modes(kernel.Int(256), along.Mul(kernel.Int(2)), rows.CeilDiv(128)),
		x.one, kernel.Int(256), along.Mul(kernel.Int(512)))
	shape := kernel.Shape(256, 2*x.scaled.blocks(), blocks)
	y.s = k.Shared("s"+name, dtype.U8, cute.MustParse(fmt.Sprintf("(256,%d,%d,%d)", shape[1], blocks, x.Stages)))
	y.tma = k.MakeTmaAtom(m, k.Slice(y.s, all, all, all, zero), shape, 1)
	y.global, y.tile = k.TmaPartition(y.tma, zero, y.s, k.LocalTile(m, shape, zero, all, at))
	return y
}

// stageFactors returns the factors of a stage in shared memory, (row,k).
func (x *scaledBlock) stageFactors(y ummaOperand, stage kernel.Index, blocks int64) kernel.Tensor {
	of := x.k.Recast(x.k.Slice(y.s, kernel.Open, kernel.Open, kernel.Open, stage), x.scaled.Scale)
	const layout = "((32,4,%d),(%d,4,%d)):((16,4,%d),(0,1,512))"
	along := x.scaled.blocks()
	return x.k.View(of, x.zero, cute.MustParse(fmt.Sprintf(layout, blocks, x.scaled.Vector, along, 512*along)))
}

// multiply multiplies all tiles. One thread executes it.
func (x *scaledBlock) multiply() {
	k, all, thr, blocks := x.k, kernel.Open, x.thr, x.Tile[1]/128
	own := func(s kernel.Tensor) kernel.Tensor {
		if x.scaled.Elem.Bits() < 8 {
			return k.Recast(s, x.scaled.Elem)
		}
		return s
	}
	tCrA := thr.MakeFragmentA(thr.PartitionA(own(x.a.s))) // (MMA,MMA_M,MMA_K,PIPE)
	tCrB := thr.MakeFragmentB(thr.PartitionB(own(x.b.s)))
	first, columns := x.Tile[1], x.scaled.scaleColumns(1)
	tCtSFA := x.tmem.Tensor(thr.MakeFragmentSFA(x.stageFactors(x.sfa, x.zero, 1)), first) // (row,k,copy)
	tCtSFB := x.tmem.Tensor(thr.MakeFragmentSFB(x.stageFactors(x.sfb, x.zero, blocks)), first+x.Stages*columns)
	at := func(t kernel.Tensor, stage kernel.Index, columns int64) kernel.Tensor { // a column has 4 factors
		return k.View(t, stage.Mul(kernel.Int(4*columns)), t.Layout())
	}
	x.sums.ProducerAcquire(x.sums.ProducerState(x.zero))
	k.For(x.zero, x.a.global.Extent(1), func(i kernel.Index) {
		state := x.pipe.ConsumerState(i)
		x.pipe.ConsumerWait(state)
		k.Tcgen05AfterThreadSync() // the factors of the stage were read
		stage := state.Index()
		sfa, sfb := at(tCtSFA, stage, columns), at(tCtSFB, stage, columns*blocks)
		k.CopyUtccp(x.stageFactors(x.sfa, stage, 1), sfa)
		k.CopyUtccp(x.stageFactors(x.sfb, stage, blocks), sfb)
		a, b := k.ZipSF(k.Slice(tCrA, all, all, all, stage), sfa), k.ZipSF(k.Slice(tCrB, all, all, all, stage), sfb)
		k.Accumulate(x.zero.Less(i), func() { k.GemmTiled(x.mma, a, b, x.tCtC) })
		x.pipe.ConsumerRelease(state)
	})
	x.sums.ProducerCommit(x.sums.ProducerState(x.zero))
}
