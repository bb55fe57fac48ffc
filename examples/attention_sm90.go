package examples

// This file is the kernel attention_sm90: attention with the instructions of Hopper, as FlashAttention-3 has it. To use
// it elsewhere, copy this file and attention.go, which has the softmax, and change the name of their package; then
//
//	k, err := attention{Tile: []int64{128, 128, 128}, Type: dtype.F16, Causal: true}.sm90()
//
// makes the kernel, and k.Module is its PTX. It computes what attention_sm80 computes: read that and wgmma_tma_sm90.go
// first. New are
//
//	stream     a tensor whose tiles come through a ring of their own: Q, K and V are needed at different times
//	mma        two forms of wgmma: Q and K from shared memory; P from registers, and V as it is, with contiguous columns
//	consume    two products under way, so that the tensor cores have work during the softmax
//	writeOut   outputs through shared memory and the TMA
//
// A tile of the TMA is (1,1,rows,d) of a tensor (batch,heads,n,d): rows beyond the end are zeros and are not written,
// where two modes would go on with the next head.

import (
	"fmt"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// A tmaPipeline is a pipeline whose stages the TMA fills.
type tmaPipeline interface {
	ProducerState(i kernel.Index) kernel.PipelineState
	ProducerAcquire(s kernel.PipelineState)
	ProducerGetBarrier(s kernel.PipelineState) kernel.Barrier
	ProducerCommit(s kernel.PipelineState)
	ConsumerState(i kernel.Index) kernel.PipelineState
	ConsumerWait(s kernel.PipelineState)
	ConsumerRelease(s kernel.PipelineState)
}

// A tmaStream is a ring of tiles in shared memory, which the TMA fills with the tiles of a tensor.
type tmaStream struct {
	tmaPipeline
	k        *kernel.K
	tma      kernel.TmaAtom
	s        kernel.Tensor // (1,1,rows,D,PIPE)
	from, to kernel.Tensor // (TMA,n), (TMA,PIPE)
}

// stream returns the stream of tiles of a tensor.
func (x *attentionSM90) stream(name string, whole, tiles kernel.Tensor, stages int64) *tmaStream {
	y := x.tmaTiles(name, whole, tiles, stages)
	y.tmaPipeline = x.k.PipelineTmaAsync("pipe"+name, kernel.PipelineParams{
		Stages: stages, Bytes: y.tma.Bytes(), Consumers: x.threads,
	})
	return y
}

// tmaTiles returns a stream of tiles of a tensor without its pipeline. The tiles have rows of 128 bytes, and d/64 of
// them side by side.
func (x *attentionBlock) tmaTiles(name string, whole, tiles kernel.Tensor, stages int64) *tmaStream {
	const layout = "Sw<3,3,3> o 0 o (1,1,%d,(64,%d),%d):(0,0,64,(1,%d),%d)"
	k, all, zero, d := x.k, kernel.Open, kernel.Int(0), x.Tile[2]
	rows, _ := tiles.Extent(2).Int64()
	y := &tmaStream{k: k}
	y.s = k.Shared("s"+name, x.Type, cute.MustParseComposed(fmt.Sprintf(layout, rows, d/64, stages, 64*rows, d*rows)))
	y.tma = k.MakeTmaAtom(whole, k.Slice(y.s, all, all, all, all, zero), kernel.Shape(1, 1, rows, d), 1)
	y.from, y.to = k.TmaPartition(y.tma, zero, y.s, tiles)
	return y
}

// load copies a tile into stage i of the ring, once it is empty.
func (y *tmaStream) load(i, tile kernel.Index) {
	state := y.ProducerState(i)
	y.ProducerAcquire(state)
	to := y.k.Slice(y.to, kernel.Open, state.Index())
	y.k.CopyTma(y.tma.With(y.ProducerGetBarrier(state)), y.k.Slice(y.from, kernel.Open, tile), to)
	y.ProducerCommit(state)
}

// An attentionSM90 is a block with its streams.
type attentionSM90 struct {
	*attentionBlock
	threads         int64 // that multiply
	scores, outputs atom.TiledMMA
	q, key, value   *tmaStream
	o, gO           kernel.Tensor
}

// mma returns a tiled MMA with 64 rows for each warpgroup.
func (x *attentionSM90) mma(columns int64, form string) atom.TiledMMA {
	op := fmt.Sprintf("SM90_64x%dx16_F32%s%[2]s_%s", columns, strings.ToUpper(x.Type.String()), form)
	groups := cute.MustParse(fmt.Sprintf("(%d,1,1):(1,0,0)", x.threads/128))
	return kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA(op)), groups, nil))
}

// sm90 returns the kernel. It returns [cute.CodeNotDivisible] for a tile that the instructions do not divide.
//
// The warpgroups have 64 queries each. They and the warp that copies share the registers of a multiprocessor: 65536.
func (o attention) sm90() (*kernel.Kernel, error) {
	registers, ok := map[int64][2]int64{128: {240, 24}, 192: {160, 32}}[o.Tile[0]]
	if bn, d := o.Tile[1], o.Tile[2]; !ok || bn%16 != 0 || bn > 256 || d%64 != 0 || d > 256 {
		return nil, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "attention_sm90",
			Msg: fmt.Sprintf("expected 128 or 192 queries, a multiple of 16 keys up to 256, and a d that is a multiple of 64 up to "+
				"256, found a tile %v", o.Tile),
			Hint: "take a tile of 128,128,128",
		}
	}
	multiplying := 2 * o.Tile[0]
	return kernel.Trace(o.name("sm90"), multiplying+128, func(k *kernel.K) {
		x := &attentionSM90{attentionBlock: o.block(k), threads: multiplying}
		x.scores, x.outputs = x.mma(o.Tile[1], "SS"), x.mma(o.Tile[2], "RS<GMMA::Major::K,GMMA::Major::MN>")
		x.tiles = x.tiles.Max(kernel.Int(1)) // a tile with all keys masked, for rows without keys
		mQ, gQ := x.queries(k.TmaTensor, "Q")
		mK, gK := x.keys(k.TmaTensor, "K")
		mV, gV := x.keys(k.TmaTensor, "V")
		x.o, x.gO = x.queries(k.TmaTensor, "O")
		x.q, x.key, x.value = x.stream("Q", mQ, gQ, 1), x.stream("K", mK, gK, 2), x.stream("V", mV, gV, 2)
		k.Sync()
		k.IfElse(k.ThreadIdx().Less(kernel.Int(multiplying)), func() {
			k.WarpgroupRegAlloc(registers[0])
			x.consume()
		}, func() {
			k.WarpgroupRegDealloc(registers[1])
			k.If(k.WarpIdx().Less(kernel.Int(multiplying/32+1)), func() {
				k.If(k.ElectOne(), func() {
					x.q.load(kernel.Int(0), x.block)
					k.For(kernel.Int(0), x.tiles, func(i kernel.Index) {
						x.key.load(i, i)
						x.value.load(i, i)
					})
				})
			})
		})
	})
}

// consume is what the warpgroups do. While the softmax of a tile is computed, the outputs of the tile before are.
func (x *attentionSM90) consume() {
	k, bn, d := x.k, x.Tile[1], x.Tile[2]
	zero, one, all := kernel.Int(0), kernel.Int(1), kernel.Open
	thrS, thrO := k.ThrMMA(x.scores, k.ThreadIdx()), k.ThrMMA(x.outputs, k.ThreadIdx())
	tSrQ := thrS.MakeFragmentA(thrS.PartitionA(k.Slice(x.q.s, zero, zero, all, all, zero)))  // descriptors
	tSrK := thrS.MakeFragmentB(thrS.PartitionB(k.Slice(x.key.s, zero, zero, all, all, all))) // (MMA,MMA_N,MMA_K,PIPE)
	transposed := cute.MustParse(fmt.Sprintf("((64,%d),%d,2):((1,%d),64,%d)", d/64, bn, 64*bn, d*bn))
	tOrV := thrO.MakeFragmentB(thrO.PartitionB(k.View(x.value.s, zero, transposed)))
	tSrS := k.MakeFragment(dtype.F32, cute.MustParse(fmt.Sprintf("((2,2,%d),1,1)", bn/8)))
	tOrO := k.MakeFragment(dtype.F32, cute.MustParse(fmt.Sprintf("((2,2,%d),1,1)", d/8)))
	tSrP := k.MakeFragmentLike(tSrS, x.Type)
	tOrP := k.View(tSrP, zero, asOperandA(1, bn))
	softmax := x.softmax(tSrS, tOrO, x.threads/32)
	scores := func(i kernel.Index) {
		state := x.key.ConsumerState(i)
		x.key.ConsumerWait(state)
		k.WarpgroupArrive()
		k.Accumulate(one.Less(zero), func() { // it never adds
			k.GemmTiled(x.scores, tSrQ, k.Slice(tSrK, all, all, all, state.Index()), tSrS)
		})
		k.WarpgroupCommitBatch()
	}
	outputs := func(i kernel.Index) {
		state := x.value.ConsumerState(i)
		x.value.ConsumerWait(state)
		k.WarpgroupArrive()
		k.GemmTiled(x.outputs, tOrP, k.Slice(tOrV, all, all, all, state.Index()), tOrO)
		k.WarpgroupCommitBatch()
	}
	step := func(i kernel.Index, masked bool) {
		scores(i)
		outputs(i.Sub(one))
		k.WarpgroupWait(1) // waits for the scores
		x.key.ConsumerRelease(x.key.ConsumerState(i))
		if masked {
			softmax.mask(i)
		}
		factors := softmax.update()
		k.WarpgroupWait(0) // waits for the outputs
		x.value.ConsumerRelease(x.value.ConsumerState(i.Sub(one)))
		softmax.multiply(factors)
		k.Convert(tSrS, tSrP)
	}
	x.q.ConsumerWait(x.q.ConsumerState(zero))
	scores(zero)
	k.WarpgroupWait(0)
	x.key.ConsumerRelease(x.key.ConsumerState(zero))
	softmax.mask(zero)
	softmax.update()
	k.Convert(tSrS, tSrP)
	k.For(one, x.whole, func(i kernel.Index) { step(i, false) })
	k.For(x.whole.Max(one), x.tiles, func(i kernel.Index) { step(i, true) })
	outputs(x.tiles.Sub(one))
	k.WarpgroupWait(0)
	softmax.finish()
	x.writeOut(tOrO)
}

// writeOut rounds the outputs, and writes them through the shared memory of Q.
func (x *attentionSM90) writeOut(o kernel.Tensor) {
	k, all, zero := x.k, kernel.Open, kernel.Int(0)
	rounded := k.MakeFragmentLike(o, x.Type)
	k.Convert(o, rounded)
	k.Copy(rounded, k.ThrMMA(x.outputs, k.ThreadIdx()).PartitionC(k.Slice(x.q.s, zero, zero, all, all, zero)))
	k.TmaStoreFence()
	k.NamedBarrierSync(x.threads, 1)
	tma := k.MakeTmaAtom(x.o, k.Slice(x.q.s, all, all, all, all, zero), kernel.Shape(1, 1, x.Tile[0], x.Tile[2]), 1)
	tOgO, tOsO := k.TmaPartition(tma, zero, x.q.s, x.gO)
	k.If(k.WarpIdx().Less(kernel.Int(1)), func() {
		k.If(k.ElectOne(), func() {
			k.CopyTma(tma, k.Slice(tOsO, all, zero), k.Slice(tOgO, all, x.block))
			k.TmaStoreArrive()
			k.TmaStoreWait(0)
		})
	})
}
