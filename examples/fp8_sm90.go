package examples

// This file is the kernel gemm_fp8_sm90: products of matrices of 8-bit floats with a factor for each row of A and each
// row of B, after torch._scaled_mm and DeepGEMM. It is complete. To use it elsewhere, copy the file and change the name
// of its package; then
//
//	k, err := fp8SM90{Tile: []int64{128, 128}, Type: dtype.E4M3, Out: dtype.BF16, Div: 1, Stages: 4}.trace()
//
// makes the kernel, and k.Module is its PTX: C[i,j] = SA[i]·SB[j]·Σ A[i,l]·B[j,l] for A of (m,k), B of (n,k) and C of
// (m,n), row by row. It is wgmma_tma_sm90, which should be read first, with two changes:
//
// Sums of 8-bit floats lose bits: a tensor core of Hopper cuts them off 13 bits after the first one, although they are
// f32. So wgmma sums tiles of 128 columns, and CUDA cores add the sums of the tiles, while the other warpgroup has the
// tensor core.
//
// The factors come to shared memory once. A view of a vector with a stride of 0 is a matrix, whose part for a thread is
// found like the part of C: each sum meets the factors of its row and its column.
//
//	k.Accumulate(never, f)                the first product of f sets C, so that nothing has to be cleared
//	k.View(factors, 0, "(128,128):(1,0)") a factor of a row for all columns
//
// The next example to read is persistent_sm90.go.

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/descriptor"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// An fp8SM90 is the parameters of gemm_fp8_sm90.
type fp8SM90 struct {
	Tile   []int64    // rows of A, a multiple of 128, and rows of B, a multiple of 8 up to 256, that a block multiplies
	Type   dtype.Type // of A and B: e4m3 or e5m2
	Out    dtype.Type // of C: bf16 or f16
	Div    int64      // what divides m and n; 16 divides k
	Stages int64      // the stages of the ring, at least 2
}

// fp8Columns is the number of columns of a tile: rows of 128 bytes, the widest swizzle.
const fp8Columns = 128

// mma returns the tiled MMA of two warpgroups.
func (o fp8SM90) mma() (m atom.TiledMMA, err error) {
	if o.Tile[0]%128 != 0 || o.Tile[1]%8 != 0 || o.Tile[1] > 256 {
		return m, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "wgmma",
			Msg:  fmt.Sprintf("two warpgroups multiply 64 rows each by up to 256 columns at once, found a tile %v", o.Tile),
			Hint: "take a multiple of 128 rows of A, and a multiple of 8 rows of B up to 256",
		}
	}
	if o.Out != dtype.BF16 && o.Out != dtype.F16 {
		return m, &cute.Error{
			Code: cute.CodeType, Op: "gemm_fp8_sm90", Msg: fmt.Sprintf("expected a result of bf16 or f16, found %v", o.Out),
			Hint: "take bf16 or f16",
		}
	}
	op, err := atom.FindMMA(fmt.Sprintf("SM90_64x%dx32_F32%s_SS_TN", o.Tile[1], strings.ToUpper(fmt.Sprint(o.Type, o.Type))))
	if err != nil {
		return m, err
	}
	return atom.MakeTiledMMA(op, cute.MustParse("(2,1,1):(1,0,0)"), nil)
}

// trace returns the kernel. It returns [cute.CodeNotDivisible] for a tile that no instruction has, [cute.CodeType] for
// other types, and the *[kernel.Error] of stages that shared memory cannot hold.
func (o fp8SM90) trace() (*kernel.Kernel, error) {
	mma, err := o.mma()
	if err != nil {
		return nil, err
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
	return kernel.Trace("gemm_fp8_sm90", mma.Size()+kernel.WarpSize, func(k *kernel.K) {
		m, n, depth := k.Int("m", extent(o.Div)), k.Int("n", extent(o.Div)), k.Int("k", extent(max(o.Div, 16)))
		one := kernel.Int(1)
		b := fp8Block{
			fp8SM90: o, k: k, mma: mma,
			mA:  k.TmaTensor("A", o.Type, kernel.Modes(m, depth), depth, one),
			mB:  k.TmaTensor("B", o.Type, kernel.Modes(n, depth), depth, one),
			mSA: k.Global("SA", dtype.F32, kernel.Modes(m)), mSB: k.Global("SB", dtype.F32, kernel.Modes(n)),
			mC: k.Global("C", o.Out, kernel.Modes(m, n), n, one),
		}
		k.Grid(m.CeilDiv(o.Tile[0]), n.CeilDiv(o.Tile[1]))
		b.run()
	})
}

// An fp8Block is a block of the kernel.
type fp8Block struct {
	fp8SM90
	k                    *kernel.K
	mma                  atom.TiledMMA
	mA, mB, mSA, mSB, mC kernel.Tensor
	sA, sB               kernel.Tensor // (BM,BK,PIPE)
	pipe                 kernel.PipelineTmaAsync
}

// stages returns the stages of a matrix in shared memory, in the layout that wgmma reads, and the copy to one of them.
func (b *fp8Block) stages(name string, m kernel.Tensor, rows int64) (s kernel.Tensor, tma kernel.TmaAtom) {
	k, all := b.k, kernel.Open
	selected := kernel.Must(descriptor.SelectSS.Select(atom.KMajor, b.Type, [2]int64{rows, fp8Columns}, 1))
	s = k.Shared(name, b.Type,
		kernel.Must(selected.Atom.TileToShape(cute.Ints(rows, fp8Columns, b.Stages), cute.Tuple{})))
	return s, k.MakeTmaAtom(m, k.Slice(s, all, all, kernel.Int(0)), kernel.Shape(rows, fp8Columns), 1)
}

// run computes the block's tile of C: a warp copies, and two warpgroups multiply.
func (b *fp8Block) run() {
	k, zero, all, bm, bn := b.k, kernel.Int(0), kernel.Open, b.Tile[0], b.Tile[1]
	var tmaA, tmaB kernel.TmaAtom
	b.sA, tmaA = b.stages("sA", b.mA, bm)
	b.sB, tmaB = b.stages("sB", b.mB, bn)
	gA := k.LocalTile(b.mA, kernel.Shape(bm, fp8Columns), k.BlockIdx(0), all) // (BM,BK,k)
	gB := k.LocalTile(b.mB, kernel.Shape(bn, fp8Columns), k.BlockIdx(1), all)
	tAgA, tAsA := k.TmaPartition(tmaA, zero, b.sA, gA) // (TMA,k), (TMA,PIPE)
	tBgB, tBsB := k.TmaPartition(tmaB, zero, b.sB, gB)
	b.pipe = k.PipelineTmaAsync("pipe", kernel.PipelineParams{
		Stages: b.Stages, Bytes: tmaA.Bytes() + tmaB.Bytes(), Consumers: b.mma.Size(),
	})
	rows, columns := b.factors("sSA", b.mSA, 0), b.factors("sSB", b.mSB, 1)
	k.Sync() // the barriers are initialised, and the factors are there
	k.IfElse(k.WarpIdx().Div(4).Less(kernel.Int(b.mma.Size()/128)), func() {
		b.multiply(gA.Extent(2), rows, columns)
	}, func() {
		k.If(k.ElectOne(), func() {
			k.For(zero, gA.Extent(2), func(i kernel.Index) {
				state := b.pipe.ProducerState(i)
				b.pipe.ProducerAcquire(state)
				full := b.pipe.ProducerGetBarrier(state)
				k.CopyTma(tmaA.With(full), k.Slice(tAgA, all, i), k.Slice(tAsA, all, state.Index()))
				k.CopyTma(tmaB.With(full), k.Slice(tBgB, all, i), k.Slice(tBsB, all, state.Index()))
				b.pipe.ProducerCommit(state)
			})
		})
	})
}

// factors brings the block's factors along a dimension of the grid to shared memory, and returns them as a matrix of
// the shape of the tile of C.
func (b *fp8Block) factors(name string, m kernel.Tensor, dim int) kernel.Tensor {
	k, size := b.k, b.Tile[dim]
	g := k.LocalTile(m, kernel.Shape(size), k.BlockIdx(dim))
	s := k.Shared(name, dtype.F32, kernel.Must(cute.New(cute.Int(size), cute.Int(1))))
	k.ForStep(k.ThreadIdx(), kernel.Int(size), kernel.Int(b.mma.Size()+kernel.WarpSize), func(i kernel.Index) {
		k.Store(k.IfElseCarry(k.InBounds(g, i), func() kernel.Value { return k.Load(g, i) },
			func() kernel.Value { return k.Number(dtype.F32, 0) }), s, i)
	})
	return k.View(s, kernel.Int(0), kernel.Must(cute.New(cute.Ints(b.Tile...), cute.Ints(int64(1-dim), int64(dim)))))
}

// multiply sums up tiles, and writes the products with their factors.
func (b *fp8Block) multiply(tiles kernel.Index, rows, columns kernel.Tensor) {
	k, zero, one, all := b.k, kernel.Int(0), kernel.Int(1), kernel.Open
	thr := k.ThrMMA(b.mma, k.WarpIdx().Div(4).Mul(kernel.Int(128)).Add(k.WarpgroupThreadIdx()))
	tCgC := thr.PartitionC(k.LocalTile(b.mC, b.Tile, k.BlockIdx(0), k.BlockIdx(1)))
	tCrA := thr.MakeFragmentA(thr.PartitionA(b.sA)) // (MMA,MMA_M,MMA_K,PIPE)
	tCrB := thr.MakeFragmentB(thr.PartitionB(b.sB))
	part, sum := thr.MakeFragmentC(tCgC), thr.MakeFragmentC(tCgC) // (MMA,MMA_M,MMA_N)
	k.Clear(sum)
	k.For(zero, tiles, func(i kernel.Index) {
		state := b.pipe.ConsumerState(i)
		b.pipe.ConsumerWait(state)
		k.WarpgroupArrive()
		k.Accumulate(one.Less(zero), func() {
			k.GemmTiled(b.mma, k.Slice(tCrA, all, all, all, state.Index()), k.Slice(tCrB, all, all, all, state.Index()), part)
		})
		k.WarpgroupCommitBatch()
		k.WarpgroupWait(0)
		b.pipe.ConsumerRelease(state)
		k.Axpby(k.Number(dtype.F32, 1), part, k.Number(dtype.F32, 1), sum)
	})
	tCsR, tCsC, out := thr.PartitionC(rows), thr.PartitionC(columns), k.MakeFragmentLike(sum, b.Out)
	values, _ := sum.Extent(0).Int64()
	repeats, _ := sum.Extent(1).Int64()
	for i := range values * repeats {
		at := []kernel.Index{kernel.Int(i % values), kernel.Int(i / values), zero}
		k.Store(k.Load(sum, at...).Mul(k.Load(tCsR, at...).Mul(k.Load(tCsC, at...))), sum, at...)
	}
	k.Convert(sum, out)
	k.CopyIf(out, tCgC)
}
