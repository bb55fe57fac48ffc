package examples

// This file is the kernel attention_sm80: FlashAttention-2 on tensor cores, after the CuTe DSL's
// examples/python/CuTeDSL/ampere/flash_attention_v2.py. To use it elsewhere, copy this file and attention.go, which has
// the softmax, and change the name of their package; then
//
//	k, err := attention{Tile: []int64{128, 64, 128}, Type: dtype.F16, Causal: true}.sm80()
//
// makes the kernel, and k.Module is its PTX: O = softmax(Q·Kᵀ/√d)·V for each head, where a block has 128 queries and
// takes the keys 64 by 64. Read sgemm_sm80.go first, which has the copies and the instructions.
//
// In a step, a block multiplies twice. A tile of V comes while it multiplies Q·Kᵀ, and the next tile of K during the
// softmax and P·V. The exponentials P never leave their registers: asOperandA says where the second product finds them.
// V is multiplied as it is: a transposed view of its tile, which ldmatrix reads with .trans. There are two loops, so
// that only the last tiles, with keys beyond the end or the diagonal, are masked.
//
//	partsSM80    copies, the tiled MMA, and the tiles in shared memory
//	multiply     a product, whose operands are read while others are multiplied
//	writeOut     the outputs through shared memory, in stores of 16 bytes
//	sm80         the kernel

import (
	"fmt"
	"math/bits"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// An attentionSM80Parts is copies, the tiled MMA, and the tiles in shared memory.
type attentionSM80Parts struct {
	k                          *kernel.K
	load, store, ldQ, ldK, ldV atom.TiledCopy
	mma                        atom.TiledMMA
	sQ, sK                     cute.Composed
}

// partsSM80 is called while a kernel is traced, so that Must returns errors to the caller of Trace.
func (o attention) partsSM80(k *kernel.K) *attentionSM80Parts {
	p := &attentionSM80Parts{k: k}
	bm, bn, d := o.Tile[0], o.Tile[1], o.Tile[2]
	find := func(name string) atom.CopyAtom { return kernel.Must(atom.FindCopyAtom(name, o.Type.CPP())) }
	rows := kernel.Must(cute.New(cute.Ints(1024/d, d/8), cute.Ints(d/8, 1))) // threads, with 8 neighbours each
	eight := cute.MustParse("(1,8):(0,1)")
	p.load = kernel.Must(atom.MakeTiledCopy(find("SM80_CP_ASYNC_CACHEGLOBAL_ZFILL<uint128_t>"), rows, eight))
	p.store = kernel.Must(atom.MakeTiledCopy(find("UniversalCopy<uint128_t>"), rows, eight))
	op := kernel.Must(atom.FindMMA(map[dtype.Type]string{
		dtype.F16: "SM80_16x8x16_F32F16F16F32_TN", dtype.BF16: "SM80_16x8x16_F32BF16BF16F32_TN",
	}[o.Type]))
	rowsOfWarps := cute.MustParse("(4,1,1):(1,0,0)") // a warp has whole rows
	p.mma = kernel.Must(atom.MakeTiledMMA(op, rowsOfWarps, cute.Ints(64, 16, 16)))
	p.ldQ = kernel.Must(atom.MakeTiledCopyA(find("SM75_U32x4_LDSM_N"), p.mma))
	p.ldK = kernel.Must(atom.MakeTiledCopyB(find("SM75_U32x4_LDSM_N"), p.mma))
	p.ldV = kernel.Must(atom.MakeTiledCopyB(find("SM75_U16x8_LDSM_T"), p.mma))
	tile := func(rows int64) cute.Composed { // in 8 rows, 16 bytes of the same columns have 8 places
		return cute.MustParseComposed(fmt.Sprintf("Sw<3,3,%d> o 0 o (%d,%d):(%[3]d,1)", bits.Len64(uint64(d))-4, rows, d))
	}
	p.sQ, p.sK = tile(bm), tile(bn)
	return p
}

// checkSM80 returns an error for a tile that the instructions do not divide.
func (o attention) checkSM80() error {
	bm, bn, d := o.Tile[0], o.Tile[1], o.Tile[2]
	if bm%64 == 0 && bn%16 == 0 && (d == 64 || d == 128 || d == 256) {
		return nil
	}
	return &cute.Error{
		Code: cute.CodeNotDivisible, Op: "attention_sm80",
		Msg:  fmt.Sprintf("expected multiples of 64 queries and of 16 keys, and d of 64, 128 or 256, found a tile %v", o.Tile),
		Hint: "take a tile of 128,64,128",
	}
}

// sm80 returns the kernel. It returns [cute.CodeNotDivisible] for a tile that the instructions do not divide.
func (o attention) sm80() (*kernel.Kernel, error) {
	if err := o.checkSM80(); err != nil {
		return nil, err
	}
	return kernel.Trace(o.name("sm80"), 128, func(k *kernel.K) {
		p, x := o.partsSM80(k), o.block(k)
		bm, bn, d := o.Tile[0], o.Tile[1], o.Tile[2]
		zero, one, all, tid := kernel.Int(0), kernel.Int(1), kernel.Open, k.ThreadIdx()
		_, tilesQ := x.queries(k.Global, "Q")
		_, tilesK := x.keys(k.Global, "K")
		_, tilesV := x.keys(k.Global, "V")
		_, tilesO := x.queries(k.Global, "O")
		gQ, gO := k.Slice(tilesQ, zero, zero, all, all, x.block), k.Slice(tilesO, zero, zero, all, all, x.block)
		gK, gV := k.Slice(tilesK, zero, zero, all, all, all), k.Slice(tilesV, zero, zero, all, all, all) // (BN,D,n)
		sQ, sK, sV := k.Shared("sQ", o.Type, p.sQ), k.Shared("sK", o.Type, p.sK), k.Shared("sV", o.Type, p.sK)
		sVt := k.Transposed(sV) // (D,BN)

		cp, thr := k.ThrCopy(p.load, tid), k.ThrMMA(p.mma, tid)
		tKgK, tKsK, tVgV, tVsV := cp.PartitionS(gK), cp.PartitionD(sK), cp.PartitionS(gV), cp.PartitionD(sV)
		tSrQ, tSrK := thr.MakeFragmentA(thr.PartitionA(sQ)), thr.MakeFragmentB(thr.PartitionB(sK))
		tOrV := thr.MakeFragmentB(thr.PartitionB(sVt))             // (MMA,MMA_N,MMA_K)
		tSrS := k.MakeFragment(dtype.F32, accumulators(bm/64, bn)) // (MMA,MMA_M,MMA_N)
		tOrO := k.MakeFragment(dtype.F32, accumulators(bm/64, d))
		tSrP := k.MakeFragmentLike(tSrS, o.Type)
		tOrP := k.View(tSrP, zero, asOperandA(bm/64, bn)) // the same registers
		softmax := x.softmax(tSrS, tOrO, 4)

		fetch := func(g, s kernel.Tensor, i kernel.Index) {
			k.If(i.Less(x.tiles), func() { k.CopyTiled(p.load, k.Slice(g, all, all, all, i), s) })
			k.CpAsyncFence()
		}
		readQ, readK := p.reader(p.ldQ, sQ, tSrQ), p.reader(p.ldK, sK, tSrK)
		readV := p.reader(p.ldV, sVt, tOrV)
		step := func(i kernel.Index, masked bool) {
			p.arrive()
			fetch(tVgV, tVsV, i)
			k.Clear(tSrS)
			p.multiply(tSrQ, tSrK, tSrS, readQ, readK)
			p.arrive()
			fetch(tKgK, tKsK, i.Add(one))
			if masked {
				softmax.mask(i)
			}
			softmax.multiply(softmax.update())
			k.Convert(tSrS, tSrP)
			p.multiply(tOrP, tOrV, tOrO, readV)
		}
		k.CopyTiled(p.load, cp.PartitionS(gQ), cp.PartitionD(sQ))
		fetch(tKgK, tKsK, zero)
		k.For(zero, x.whole, func(i kernel.Index) { step(i, false) })
		k.For(x.whole, x.tiles, func(i kernel.Index) { step(i, true) })
		p.arrive()
		softmax.finish()
		p.writeOut(tOrO, sQ, gO)
	})
}

// arrive waits for the copies of all threads, and until all have read what the next copies overwrite.
func (p *attentionSM80Parts) arrive() {
	p.k.CpAsyncWait(0)
	p.k.Sync()
}

// reader returns a function that reads 16 columns of a matrix into a fragment.
func (p *attentionSM80Parts) reader(c atom.TiledCopy, s, fragment kernel.Tensor) func(i kernel.Index) {
	k := p.k
	thr := k.ThrCopy(c, k.ThreadIdx())
	from, to := thr.PartitionS(s), thr.RetileD(fragment)
	return func(i kernel.Index) {
		k.CopyTiled(c, k.Slice(from, kernel.Open, kernel.Open, i), k.Slice(to, kernel.Open, kernel.Open, i))
	}
}

// multiply adds A·Bᵀ to C. While 16 columns of A and B are multiplied, the next ones are read.
func (p *attentionSM80Parts) multiply(a, b, c kernel.Tensor, read ...func(i kernel.Index)) {
	k, all := p.k, kernel.Open
	blocks, _ := b.Extent(2).Int64()
	for i := range blocks + 1 {
		for _, f := range read {
			if i < blocks {
				f(kernel.Int(i))
			}
		}
		if i > 0 {
			last := kernel.Int(i - 1)
			k.GemmTiled(p.mma, k.Slice(a, all, all, last), k.Slice(b, all, all, last), c)
		}
	}
}

// writeOut rounds the outputs, and writes them through shared memory, so that each thread writes 16 bytes at a time.
func (p *attentionSM80Parts) writeOut(o, s, g kernel.Tensor) {
	k := p.k
	rounded := k.MakeFragmentLike(o, s.Elem())
	k.Convert(o, rounded)
	k.Copy(rounded, k.ThrMMA(p.mma, k.ThreadIdx()).PartitionC(s))
	k.Sync()
	thr := k.ThrCopy(p.store, k.ThreadIdx())
	from, to := thr.PartitionS(s), thr.PartitionD(g)
	wide := k.MakeFragmentLike(from, s.Elem())
	k.Copy(from, wide)
	k.CopyIf(wide, to)
}
