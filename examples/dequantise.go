package examples

// This file has the kernels gemm_w4a16 and gemm_w8a16: products of halves with weights of 4 or 8 bits, which become
// halves in registers, between shared memory and the tensor core. It is complete. To use it elsewhere, copy the file
// and change the name of its package; then
//
//	k, err := dequantise{Tile: []int64{64, 128}, Type: dtype.F16, Weights: dtype.U4, Div: 32, Stages: 4}.trace()
//
// makes a kernel, and k.Module is its PTX: C = A·Vᵀ for A of (m,k), V of (n,k) and C of (m,n), row by row. Memory has
// W of (n,k) instead of V, and factors:
//
//	u4     V[j,l] = (W[j,l] - Z[l/128,j])·S[l/128,j], rounded to the type of A
//	e4m3   V[j,l] = W[j,l]·S[j], where S[j] multiplies the sum
//
// Numbers of 4 bits are in bytes, the first one in the low bits: W[:, ::2] | W[:, 1::2] << 4 in PyTorch.
//
// An instruction takes k = 2t, 2t+1, 2t+8 and 2t+9 from a thread whose number in its quad is t, so its four numbers are
// in two places. But sums may be taken in any order. The tiled MMA permutes k, for A and for W, so that the thread has
// 16t to 16t+15 of a tile of 64, for four instructions: 8 or 16 bytes of W and 32 of A, which are read in the widest
// accesses and without ldmatrix. The four warps have different columns, so that a block converts each weight once.
//
//	(2,4,2,4):(1,16,2,4)   a mode of the tile of an MMA: the place in the tile of what its instructions call k
//	k.Convert(w, v)        two e4m3 by one instruction, for sm_89
//	v.Prmt, And, Or        two u4 by as many: as the last bits of 1024 + W, twice, which are halves already
//	k.Recast, v.Pair       registers as words of 32 bits, and words as two halves
//
// Read sgemm_sm80.go first, which has the pipeline. The next example to read is fp8_sm90.go.

import (
	"fmt"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// A dequantise is the parameters of gemm_w4a16 and gemm_w8a16.
type dequantise struct {
	Tile    []int64    // rows of A, a multiple of 16, and rows of W, a multiple of 64, that a block multiplies
	Type    dtype.Type // of A and C: f16, or bf16, which needs sm_90 for u4
	Weights dtype.Type // of W: u4 or e4m3
	Div     int64      // what divides n and k; 8 divides k
	Stages  int64      // the stages of the pipeline through shared memory, at least 2
}

// dequantiseGroup is the number of columns of W with the same factors: two tiles.
const dequantiseGroup = 128

// trace returns the kernel. It returns [cute.CodeExtent] for a tile that threads do not divide, and the
// *[kernel.Error] of a tile that shared memory cannot hold.
func (o dequantise) trace() (*kernel.Kernel, error) {
	if o.Tile[0]%16 != 0 || o.Tile[1]%64 != 0 {
		return nil, &cute.Error{
			Code: cute.CodeExtent, Op: "make_tiled_mma",
			Msg:  fmt.Sprintf("four warps copy 64 rows of W and multiply 16 rows of A at once, found a tile %v", o.Tile),
			Hint: "take a multiple of 16 rows of A and of 64 rows of W",
		}
	}
	name := "gemm_w8a16"
	if o.Weights == dtype.U4 {
		name = "gemm_w4a16"
	}
	extent := func(div int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: 1 << 20, Div: div} }
	return kernel.Trace(name, 128, func(k *kernel.K) {
		m, n, depth := k.Int("m", extent(1)), k.Int("n", extent(o.Div)), k.Int("k", extent(max(o.Div, 8)))
		one := kernel.Int(1)
		b := dequantiser{dequantise: o, k: k, mA: k.Global("A", o.Type, kernel.Modes(m, depth), depth, one)}
		if o.Weights == dtype.U4 {
			groups := depth.CeilDiv(dequantiseGroup)
			b.mW = k.Recast(k.Global("W", dtype.U8, kernel.Modes(n, depth.Div(2)), depth.Div(2), one), dtype.U4)
			b.mS = k.Global("S", o.Type, kernel.Modes(groups, n), n, one)
			b.mZ = k.Global("Z", dtype.U8, kernel.Modes(groups, n), n, one)
		} else {
			b.mW = k.Global("W", dtype.E4M3, kernel.Modes(n, depth), depth, one)
			b.mS = k.Global("S", dtype.F32, kernel.Modes(n))
		}
		b.mC = k.Global("C", o.Type, kernel.Modes(m, n), n, one)
		k.Grid(m.CeilDiv(o.Tile[0]), n.CeilDiv(o.Tile[1]))
		b.multiply()
	})
}

// A dequantiser is a block of the kernel: the matrices in memory, and the registers of W and of V.
type dequantiser struct {
	dequantise
	k                          *kernel.K
	mA, mW, mS, mZ, mC, rW, rV kernel.Tensor
}

// multiply computes the block's tile of C.
func (b *dequantiser) multiply() {
	k, bm, bn, stages := b.k, b.Tile[0], b.Tile[1], b.Stages
	zero, all, tid := kernel.Int(0), kernel.Open, k.ThreadIdx()
	mma := kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA(dequantiseInstructions[b.Type])),
		cute.MustParse("(1,4,1):(0,1,0)"), cute.MakeTile(cute.Int(16), cute.Int(32), cute.MustParse("(2,4,2,4):(1,16,2,4)"))))
	thr := k.ThrMMA(mma, tid)
	tCgC := thr.PartitionC(k.LocalTile(b.mC, kernel.Shape(bm, bn), k.BlockIdx(0), k.BlockIdx(1)))
	tCrC := thr.MakeFragmentC(tCgC)
	k.Clear(tCrC)
	// A thread has 32 bytes of a row of 128 bytes of A; the swizzle puts neighbouring rows into different banks.
	ring := func(rows int64) string { return fmt.Sprintf("(%d,64,%d):(64,1,%d)", rows, stages, 64*rows) } // (BM,BK,PIPE)
	sA := k.Shared("sA", b.Type, cute.MustParseComposed("Sw<1,3,3> o 0 o "+ring(bm)))
	sW := k.Shared("sW", b.mW.Elem(), cute.MustParse(ring(bn)))
	copyA, tiles := b.copier(b.mA, sA, 0)
	copyW, _ := b.copier(b.mW, sW, 1)
	fetch := func(tile kernel.Index) {
		copyA(tile)
		copyW(tile)
		k.CpAsyncFence()
	}
	tCsA, tCsW := thr.PartitionA(sA), thr.PartitionB(sW) // (MMA,MMA_M,MMA_K,PIPE)
	tCrA := k.MakeFragmentLike(k.Slice(tCsA, all, all, all, zero), b.Type)
	b.rW = k.MakeFragmentLike(k.Slice(tCsW, all, all, all, zero), b.mW.Elem())
	b.rV = k.MakeFragmentLike(b.rW, b.Type)
	convert := func(kernel.Index) { k.Convert(b.rW, b.rV) }
	if b.Weights == dtype.U4 {
		convert = b.fours()
	}
	for i := range stages - 1 {
		fetch(kernel.Int(i))
	}
	k.For(zero, tiles, func(i kernel.Index) {
		k.CpAsyncWait(stages - 2) // this tile has come
		k.Sync()                  // for all threads, and all have read the tile before
		fetch(i.Add(kernel.Int(stages - 1)))
		k.Copy(k.Slice(tCsW, all, all, all, i.Mod(stages)), b.rW)
		convert(i)
		k.Copy(k.Slice(tCsA, all, all, all, i.Mod(stages)), tCrA)
		k.GemmTiled(mma, tCrA, b.rV, tCrC)
	})
	if b.Weights == dtype.E4M3 {
		b.scale(tCrC)
	}
	halves := k.MakeFragmentLike(tCrC, b.Type)
	k.Convert(tCrC, halves)
	k.CopyIf(halves, tCgC)
}

// dequantiseInstructions are the instructions by the type of A.
var dequantiseInstructions = map[dtype.Type]string{
	dtype.F16: "SM80_16x8x16_F32F16F16F32_TN", dtype.BF16: "SM80_16x8x16_F32BF16BF16F32_TN",
}

// copier returns a function that starts to copy a tile of a matrix to its stage, and the number of tiles. A
// dimension of the grid says which rows. Threads copy vectors of 16 bytes, in parts of 8 or 4 where rows are not
// aligned.
func (b *dequantiser) copier(m, s kernel.Tensor, dim int) (start func(tile kernel.Index), tiles kernel.Index) {
	name, bits := "SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>", int64(m.Elem().Bits())
	switch div := max(b.Div, 8); {
	case div*bits%64 != 0:
		name = "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint32_t>"
	case div*bits%128 != 0:
		name = "SM80_CP_ASYNC_CACHEALWAYS_ZFILL<uint64_t>"
	}
	across := bits / 2 // threads along a row of 64
	load := kernel.Must(atom.MakeTiledCopy(kernel.Must(atom.FindCopyAtom(name, m.Elem().CPP())),
		kernel.Must(cute.New(cute.Ints(128/across, across), cute.Ints(across, 1))),
		kernel.Must(cute.New(cute.Ints(1, 64/across), cute.Ints(0, 1)))))
	k, all := b.k, kernel.Open
	g := k.LocalTile(m, kernel.Shape(b.Tile[dim], 64), k.BlockIdx(dim), all) // (BM,BK,k)
	cp := k.ThrCopy(load, k.ThreadIdx())
	from, to := cp.PartitionS(g), cp.PartitionD(s) // (CPY,CPY_M,CPY_K,k), (CPY,CPY_M,CPY_K,PIPE)
	return func(tile kernel.Index) {
		k.CopyTiled(load, k.Slice(from, all, all, all, tile), k.Slice(to, all, all, all, tile.Mod(b.Stages)))
	}, g.Extent(2)
}

// fours returns a function that converts the thread's numbers of 4 bits, 16 of each of its columns of C.
func (b *dequantiser) fours() func(tile kernel.Index) {
	k, columns := b.k, b.Tile[1]/32
	flat, each := cute.MustParse(fmt.Sprintf("(16,%d):(1,16)", columns)), cute.MustParse(fmt.Sprintf("%d:1", columns))
	words := k.Recast(k.View(b.rW, kernel.Int(0), flat), dtype.U32) // (2,columns)
	pairs := k.Recast(k.View(b.rV, kernel.Int(0), flat), dtype.U32) // (8,columns)
	scale, zero := k.MakeFragment(b.Type, each), k.MakeFragment(dtype.U8, each)
	own := func(t kernel.Tensor, tile kernel.Index) kernel.Tensor { // the factors of the thread's columns
		row := k.Slice(t, tile.Div(dequantiseGroup/64), kernel.Open)
		row = k.LocalTile(row, kernel.Shape(b.Tile[1]), k.BlockIdx(1))
		return k.LocalPartition(row, cute.MustParse("32:1"), k.ThreadIdx().Div(4))
	}
	mask, large := k.Number(dtype.U32, 0x000f000f), k.Number(dtype.U32, 0x64006400) // 1024 twice
	if b.Type == dtype.BF16 {
		large = k.Number(dtype.U32, 0x43004300) // 128 twice
	}
	return func(tile kernel.Index) {
		k.If(tile.Mod(dequantiseGroup/64).Equal(kernel.Int(0)), func() {
			k.CopyZfill(own(b.mS, tile), scale)
			k.CopyZfill(own(b.mZ, tile), zero)
		})
		for j := range columns {
			s, z := k.Load(scale, kernel.Int(j)), k.Load(zero, kernel.Int(j)).Convert(dtype.U32)
			origin := z.Or(z.Shl(kernel.Int(16))).Or(large).Pair(b.Type) // 1024 + Z
			for i := range int64(8) {
				w := k.Load(words, kernel.Int(i/4), kernel.Int(j))
				// Byte i of the word has two numbers: the first in its low bits, the second 4 bits higher.
				two := w.Prmt(w.Shr(kernel.Int(4)), kernel.Int(0x4400+0x1111*(i%4))).And(mask).Or(large).Pair(b.Type)
				k.Store(two.Sub(origin).Mul(k.PairOf(s, s)).Bits().Bitcast(dtype.U32), pairs, kernel.Int(i), kernel.Int(j))
			}
		}
	}
}

// scale multiplies the thread's sums by the factors of their columns.
func (b *dequantiser) scale(tCrC kernel.Tensor) {
	k, gS := b.k, b.k.LocalTile(b.mS, kernel.Shape(b.Tile[1]), b.k.BlockIdx(1))
	first := k.ThreadIdx().Div(32).Mul(kernel.Int(4)).Add(k.ThreadIdx().Mod(4)) // of the pairs of neighbours
	two := k.MakeFragment(dtype.F32, cute.MustParse("2:1"))
	for j := range b.Tile[1] / 32 {
		k.CopyZfill(k.LocalTile(gS, kernel.Shape(2), first.Add(kernel.Int(16*j))), two)
		for i := range b.Tile[0] / 16 {
			for v := range int64(4) { // two columns of two rows
				at := []kernel.Index{kernel.Int(v), kernel.Int(i), kernel.Int(j)}
				k.Store(k.Load(tCrC, at...).Mul(k.Load(two, kernel.Int(v%2))), tCrC, at...)
			}
		}
	}
}
