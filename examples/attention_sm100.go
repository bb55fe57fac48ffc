package examples

// This file is the kernel attention_sm100: attention with the instructions of Blackwell, as FlashAttention-4 and
// CUTLASS's examples/77_blackwell_fmha have it. To use it elsewhere, copy this file, attention.go, which has the
// tensors, and attention_sm90.go, which has the streams, and change the name of their package; then
//
//	k, err := attention{Tile: []int64{256, 64, 128}, Type: dtype.F16, Causal: true}.sm100()
//
// makes the kernel, and k.Module is its PTX. It computes what attention_sm90 computes: read that and umma_sm100.go
// first. Scores S, their exponentials P and outputs O are in tensor memory, for one or two groups of 128 queries:
//
//	columns    S of each group, then P of each group, then O of each group
//	load       a thread copies Q, and the tiles of K and V, with the TMA
//	multiply   a thread starts S = Q·Kᵀ, from shared memory (SS), and O += P·V, with P from tensor memory (TS)
//	softmax    a warpgroup for each group, a row for each thread: it loads S, stores P, and passes on by how much the
//	           maximum grew
//	correct    a warpgroup multiplies O by that factor before the next product, and writes O at the end
//
// Softmax releases S when it has loaded it, so the next scores are computed during the exponentials. Two barriers of
// each group pass P and O between the instructions and the warps:
//
//	ready      P is stored and O is corrected: the product may begin
//	done       the product is complete: P may be stored again, and O corrected
//
// A factor goes through shared memory, in one of two places, with the barriers sent and taken. (That done follows the
// correction, which follows the load of the factor, does not order accesses to shared memory: tcgen05.commit releases
// tensor memory only.)

import (
	"fmt"
	"math"
	"math/bits"

	"girih/atom"
	"girih/cute"
	"girih/dtype"
	"girih/kernel"
)

// groupRows are the queries of a group: the rows of an instruction, and the lanes of tensor memory.
const groupRows = 128

// An attentionSM100 is a block with its streams and its tensors in tensor memory.
type attentionSM100 struct {
	*attentionBlock
	groups           int64
	scores, outputs  atom.TiledMMA
	q, key, value    *tmaStream
	mO, gO           kernel.Tensor
	tStS, tStP, tOtO kernel.Tensor            // (MMA,MMA_M,MMA_N,groups), and MMA_K for P
	sums             kernel.PipelineUmmaAsync // S; scores of group g in tile i are number groups·i + g
	ready, done      kernel.Barriers          // of each group
	sent, taken      kernel.Barriers          // factors of each group and place
	factors          kernel.Tensor            // (128,groups,2)
	row, zero, one   kernel.Index
	part             int64 // columns of S that are stored at a time
}

// sm100 returns the kernel. It returns [cute.CodeNotDivisible] for a tile that the instructions do not divide, and
// [cute.CodeLimit] for a tile that needs more than the 512 columns of tensor memory.
func (o attention) sm100() (*kernel.Kernel, error) {
	registers, ok := map[int64][3]int64{128: {240, 128, 48}, 256: {192, 80, 48}}[o.Tile[0]]
	bn, d := o.Tile[1], o.Tile[2]
	if !ok || bn%16 != 0 || bn > 256 || d%64 != 0 || d > 256 {
		return nil, &cute.Error{
			Code: cute.CodeNotDivisible, Op: "attention_sm100",
			Msg: fmt.Sprintf("expected 128 or 256 queries, a multiple of 16 keys up to 256, and a d that is a multiple of 64 up to "+
				"256, found a tile %v", o.Tile),
			Hint: "take a tile of 256,64,128",
		}
	}
	groups := o.Tile[0] / groupRows
	columns := groups * (bn + bn/2 + d)
	if columns > 512 {
		return nil, &cute.Error{
			Code: cute.CodeLimit, Op: "attention_sm100",
			Msg: fmt.Sprintf("tensor memory has 512 columns, and scores, exponentials and outputs need %d for a tile %v",
				columns, o.Tile),
			Hint: "take fewer keys, or 128 queries",
		}
	}
	return kernel.Trace(o.name("sm100"), o.Tile[0]+256, func(k *kernel.K) {
		x := &attentionSM100{attentionBlock: o.block(k), groups: groups, zero: kernel.Int(0), one: kernel.Int(1), part: 32}
		if bn%32 != 0 {
			x.part = 16
		}
		x.tiles = x.tiles.Max(x.one) // a tile with all keys masked, for rows without keys
		tmem := k.TmemAllocator(int64(1)<<bits.Len64(uint64(columns-1)), 1)
		x.streams()
		x.barriers()
		warp, group := k.WarpIdx(), k.WarpgroupIdx()
		k.If(warp.Less(x.one), func() {
			tmem.Allocate()
			tmem.ReleaseAllocationLock()
		})
		k.Tcgen05BeforeThreadSync()
		k.Sync()
		k.Tcgen05AfterThreadSync()
		tmem.RetrievePtr()
		x.tensors(tmem)
		k.IfElse(group.Less(kernel.Int(groups)), func() {
			k.WarpgroupRegAlloc(registers[0])
			x.softmax()
		}, func() {
			k.IfElse(group.Less(kernel.Int(groups+1)), func() {
				k.WarpgroupRegDealloc(registers[1])
				x.correct()
			}, func() {
				k.WarpgroupRegDealloc(registers[2])
				first := 4 * (groups + 1)
				k.If(warp.Less(kernel.Int(first+2)), func() {
					k.If(k.ElectOne(), func() { k.IfElse(warp.Less(kernel.Int(first+1)), x.load, x.multiply) })
				})
			})
		})
		k.Tcgen05BeforeThreadSync()
		k.Sync()
		k.If(warp.Less(x.one), tmem.Free)
	})
}

// streams prepares the copies of Q, K and V, in tiles of 128 queries.
func (x *attentionSM100) streams() {
	k, block := x.k, *x.attentionBlock
	block.Tile = []int64{groupRows, x.Tile[1], x.Tile[2]}
	stream := func(name string, whole, tiles kernel.Tensor, stages int64) *tmaStream {
		y := block.tmaTiles(name, whole, tiles, stages)
		y.tmaPipeline = k.PipelineTmaUmma("pipe"+name, kernel.PipelineParams{Stages: stages, Bytes: y.tma.Bytes()})
		return y
	}
	mQ, gQ := block.queries(k.TmaTensor, "Q")
	mK, gK := block.keys(k.TmaTensor, "K")
	mV, gV := block.keys(k.TmaTensor, "V")
	x.mO, x.gO = block.queries(k.TmaTensor, "O")
	x.q, x.key, x.value = stream("Q", mQ, gQ, x.groups), stream("K", mK, gK, 2), stream("V", mV, gV, 2)
}

// barriers makes the barriers between the warps.
func (x *attentionSM100) barriers() {
	k := x.k
	x.sums = k.PipelineUmmaAsync("sums", x.groups, groupRows)
	x.ready, x.done = k.Barriers("ready", x.groups), k.Barriers("done", x.groups)
	x.sent, x.taken = k.Barriers("sent", 2*x.groups), k.Barriers("taken", 2*x.groups)
	k.If(k.ThreadIdx().Less(x.one), func() {
		for g := range x.groups {
			x.ready.At(kernel.Int(g)).Init(2 * groupRows) // softmax and correction
			x.done.At(kernel.Int(g)).Init(1)
		}
		for i := range 2 * x.groups {
			x.sent.At(kernel.Int(i)).Init(groupRows)
			x.taken.At(kernel.Int(i)).Init(groupRows)
		}
		k.FenceBarrierInit()
	})
	x.factors = k.Shared("factors", dtype.F32, cute.MustParse(fmt.Sprintf("(128,%d,2)", x.groups)))
	x.row = k.ThreadIdx().Mod(groupRows)
}

// tensors makes the instructions, and places S, P and O in tensor memory.
func (x *attentionSM100) tensors(tmem kernel.TmemAllocator) {
	k, bn, d := x.k, x.Tile[1], x.Tile[2]
	mma := func(form string, columns int64, major string) atom.TiledMMA {
		name := fmt.Sprintf("SM100_MMA_F16BF16_%s<%s,%[2]s,float,%d,%d,K,%s>", form, x.Type.CPP(), groupRows, columns, major)
		return kernel.Must(atom.MakeTiledMMA(kernel.Must(atom.FindMMA(name)), cute.MustParse("(1,1,1)"), nil))
	}
	x.scores, x.outputs = mma("SS", bn, "K"), mma("TS", d, "MN")
	thrS, thrO := k.ThrMMA(x.scores, x.zero), k.ThrMMA(x.outputs, x.zero)
	cells := func(columns int64) kernel.Tensor { // of all groups
		return k.MakeIdentityTensor(kernel.Modes(kernel.Int(groupRows), kernel.Int(columns), kernel.Int(x.groups))...)
	}
	x.tStS = tmem.Tensor(thrS.MakeFragmentC(thrS.PartitionC(cells(bn))), 0)
	x.tStP = tmem.Tensor(thrO.MakeFragmentA(thrO.PartitionA(cells(bn))), x.groups*bn)
	x.tOtO = tmem.Tensor(thrO.MakeFragmentC(thrO.PartitionC(cells(d))), x.groups*(bn+bn/2))
}

// of returns the part of a tensor for a group.
func (x *attentionSM100) of(t kernel.Tensor, group kernel.Index) kernel.Tensor {
	return x.k.Slice(t, kernel.Open, kernel.Open, kernel.Open, group)
}

// load copies the tiles. One thread executes it.
func (x *attentionSM100) load() {
	for g := range x.groups {
		x.q.load(kernel.Int(g), x.block.Mul(kernel.Int(x.groups)).Add(kernel.Int(g)))
	}
	x.k.For(x.zero, x.tiles, func(i kernel.Index) {
		x.key.load(i, i)
		x.value.load(i, i)
	})
}

// multiply starts the products: the scores of a tile before the outputs of the tile before. One thread executes it.
func (x *attentionSM100) multiply() {
	k, bn, d, all, zero, one := x.k, x.Tile[1], x.Tile[2], kernel.Open, x.zero, x.one
	thrS, thrO := k.ThrMMA(x.scores, zero), k.ThrMMA(x.outputs, zero)
	tSrQ := thrS.MakeFragmentA(thrS.PartitionA(k.Slice(x.q.s, zero, zero, all, all, all))) // (MMA,MMA_M,MMA_K,groups)
	tSrK := thrS.MakeFragmentB(thrS.PartitionB(k.Slice(x.key.s, zero, zero, all, all, all)))
	transposed := cute.MustParse(fmt.Sprintf("((64,%d),%d,2):((1,%d),64,%d)", d/64, bn, 64*bn, d*bn))
	tOrV := thrO.MakeFragmentB(thrO.PartitionB(k.View(x.value.s, zero, transposed)))
	scores := func(i kernel.Index) {
		state := x.key.ConsumerState(i)
		x.key.ConsumerWait(state)
		for g := range x.groups {
			sum := x.sums.ProducerState(i.Mul(kernel.Int(x.groups)).Add(kernel.Int(g)))
			x.sums.ProducerAcquire(sum)
			k.Accumulate(one.Less(zero), func() { // it never adds
				k.GemmTiled(x.scores, x.of(tSrQ, kernel.Int(g)), x.of(tSrK, state.Index()), x.of(x.tStS, kernel.Int(g)))
			})
			x.sums.ProducerCommit(sum)
		}
		x.key.ConsumerRelease(state)
	}
	outputs := func(i kernel.Index) {
		state := x.value.ConsumerState(i)
		x.value.ConsumerWait(state)
		for g := range x.groups {
			group := kernel.Int(g)
			x.ready.At(group).Wait(i.Mod(2))
			k.Tcgen05AfterThreadSync()
			k.Accumulate(zero.Less(i), func() {
				k.GemmTiled(x.outputs, x.of(x.tStP, group), x.of(tOrV, state.Index()), x.of(x.tOtO, group))
			})
			if g == x.groups-1 {
				x.value.ConsumerRelease(state)
			}
			x.done.At(group).UmmaArrive()
		}
	}
	for g := range x.groups {
		x.q.ConsumerWait(x.q.ConsumerState(kernel.Int(g)))
	}
	scores(zero)
	k.For(one, x.tiles, func(i kernel.Index) {
		scores(i)
		outputs(i.Sub(one))
	})
	outputs(x.tiles.Sub(one))
}

// place returns the place of factor number i of a group, and the parity of its round.
func (x *attentionSM100) place(i, group kernel.Index) (place, barrier, parity kernel.Index) {
	place = i.Mod(2)
	return place, place.Mul(kernel.Int(x.groups)).Add(group), i.Div(2).Mod(2)
}

// send passes factor number i of the thread's row to the correction.
func (x *attentionSM100) send(i, group kernel.Index, factor kernel.Value) {
	place, barrier, parity := x.place(i, group)
	x.taken.At(barrier).Wait(parity.Add(x.one).Mod(2)) // passes in the first round
	x.k.Store(factor, x.factors, x.row, group, place)
	x.sent.At(barrier).Arrive()
}

// receive returns factor number i of the thread's row in a group, when the product before it is done.
func (x *attentionSM100) receive(i, group kernel.Index) kernel.Value {
	place, barrier, parity := x.place(i, group)
	x.sent.At(barrier).Wait(parity)
	factor := x.k.Load(x.factors, x.row, group, place)
	x.taken.At(barrier).Arrive()
	x.done.At(group).Wait(i.Mod(2))
	x.k.Tcgen05AfterThreadSync()
	return factor
}

// A rowSoftmax is the softmax of a thread's row: scores, a part of their exponentials as halves, the maximum and the
// sum so far.
type rowSoftmax struct {
	*attentionSM100
	group       kernel.Index
	s, p        kernel.Tensor // (part,parts), (part)
	most, sum   kernel.Tensor
	scale       kernel.Value // log2(e)/√d
	load, store atom.TiledCopy
	from, to    kernel.Tensor // S and P of the row in tensor memory
}

// softmax is what the warpgroup of a group does.
func (x *attentionSM100) softmax() {
	k, bn := x.k, x.Tile[1]
	parts := cute.MustParse(fmt.Sprintf("(%d,%d)", x.part, bn/x.part))
	y := &rowSoftmax{
		attentionSM100: x, group: k.WarpgroupIdx().Mod(x.groups),
		s: k.MakeFragment(dtype.F32, parts), p: k.MakeFragment(x.Type, cute.MustParse(fmt.Sprint(x.part))),
		most: k.MakeFragment(dtype.F32, cute.MustParse("1:0")), sum: k.MakeFragment(dtype.F32, cute.MustParse("1:0")),
		scale: k.Number(dtype.F32, math.Log2E/math.Sqrt(float64(x.Tile[2]))),
	}
	tStS, tStP := x.of(x.tStS, y.group), x.of(x.tStP, y.group)
	y.load = k.MakeTmemCopy(fmt.Sprintf("SM100_TMEM_LOAD_32dp32b%dx", x.part), tStS)
	y.store = k.MakeTmemCopy(fmt.Sprintf("SM100_TMEM_STORE_32dp32b%dx", x.part/2), tStP)
	y.from, y.to = k.ThrCopy(y.load, x.row).PartitionS(tStS), k.ThrCopy(y.store, x.row).PartitionD(tStP)
	k.Fill(y.most, -math.MaxFloat32)
	k.Clear(y.sum)
	seen := x.visible(y.group.Mul(kernel.Int(groupRows)).Add(x.row))
	k.For(x.zero, x.tiles, func(i kernel.Index) {
		state := x.sums.ConsumerState(i.Mul(kernel.Int(x.groups)).Add(y.group))
		x.sums.ConsumerWait(state)
		k.CopyTiled(y.load, y.from, y.s)
		k.FenceViewAsyncTmemLoad()
		x.sums.ConsumerRelease(state)
		k.If(x.whole.Less(i.Add(x.one)), func() { y.mask(seen.Sub(i.Mul(kernel.Int(bn)))) })
		y.update(i)
	})
	sum := k.Load(y.sum, x.zero)
	x.send(x.tiles.Sub(x.one), y.group, sum.Max(k.Number(dtype.F32, 0.5)).Rcp()) // see onlineSoftmax.finish
}

// mask excludes the scores from a column on.
func (y *rowSoftmax) mask(end kernel.Index) {
	k, masked := y.k, y.k.Number(dtype.F32, math.Inf(-1))
	for j := range y.Tile[1] {
		at := kernel.Int(j)
		k.Store(k.Select(at.Less(end), k.Load(y.s, at), masked), y.s, at)
	}
}

// fold combines the scores of the row, in four chains.
func (y *rowSoftmax) fold(from, n int64, op func(v, w kernel.Value) kernel.Value) kernel.Value {
	var chains [4]kernel.Value
	for j := range n {
		if v := y.k.Load(y.s, kernel.Int(from+j)); j < 4 {
			chains[j] = v
		} else {
			chains[j%4] = op(chains[j%4], v)
		}
	}
	return op(op(chains[0], chains[1]), op(chains[2], chains[3]))
}

// update passes on the factor of the row, and stores the exponentials of tile i.
func (y *rowSoftmax) update(i kernel.Index) {
	k, zero, all := y.k, y.zero, kernel.Open
	old := k.Load(y.most, zero)
	most := old.Max(y.fold(0, y.Tile[1], kernel.Value.Max))
	factor, from := old.Sub(most).Mul(y.scale).Exp2(), most.Mul(y.scale).Neg()
	k.Store(most, y.most, zero)
	k.If(zero.Less(i), func() {
		y.send(i.Sub(y.one), y.group, factor)
		y.done.At(y.group).Wait(i.Sub(y.one).Mod(2)) // P is free
		k.Tcgen05AfterThreadSync()
	})
	sum := k.Load(y.sum, zero).Mul(factor)
	for j := range y.Tile[1] / y.part {
		s := k.Slice(y.s, all, kernel.Int(j))
		k.Transform(s, s, func(v kernel.Value) kernel.Value { return v.FMA(y.scale, from).Exp2() })
		sum = sum.Add(y.fold(j*y.part, y.part, kernel.Value.Add))
		k.Convert(s, y.p)
		k.CopyTiled(y.store, y.p, k.Slice(y.to, all, zero, zero, kernel.Int(j)))
	}
	k.Store(sum, y.sum, zero)
	k.FenceViewAsyncTmemStore()
	k.Tcgen05BeforeThreadSync()
	y.ready.At(y.group).Arrive()
}

// correct multiplies O by the factors, and writes it at the end.
func (x *attentionSM100) correct() {
	k, d, all, zero, one := x.k, x.Tile[2], kernel.Open, x.zero, x.one
	load := k.MakeTmemCopy("SM100_TMEM_LOAD_32dp32b32x", x.of(x.tOtO, zero))
	store := k.MakeTmemCopy("SM100_TMEM_STORE_32dp32b32x", x.of(x.tOtO, zero))
	ld, st := k.ThrCopy(load, x.row), k.ThrCopy(store, x.row)
	o := k.MakeFragment(dtype.F32, cute.MustParse("32"))
	multiplied := func(group kernel.Index, i int64, factor kernel.Value) { // 32 columns of O
		k.CopyTiled(load, k.Slice(ld.PartitionS(x.of(x.tOtO, group)), all, kernel.Int(i), zero, zero), o)
		k.FenceViewAsyncTmemLoad()
		k.Transform(o, o, factor.Mul)
	}
	for g := range x.groups {
		x.ready.At(kernel.Int(g)).Arrive() // the first product sets O
	}
	k.For(one, x.tiles, func(i kernel.Index) {
		k.For(zero, kernel.Int(x.groups), func(group kernel.Index) {
			factor := x.receive(i.Sub(one), group)
			k.If(k.VoteAny(factor.Less(k.Number(dtype.F32, 1))), func() { // the maximum of a row of the warp grew
				for j := range d / 32 {
					multiplied(group, j, factor)
					k.CopyTiled(store, o, k.Slice(st.PartitionD(x.of(x.tOtO, group)), all, kernel.Int(j), zero, zero))
				}
				k.FenceViewAsyncTmemStore()
			})
			k.Tcgen05BeforeThreadSync()
			x.ready.At(group).Arrive()
		})
	})
	rounded := k.MakeFragmentLike(o, x.Type)
	k.For(zero, kernel.Int(x.groups), func(group kernel.Index) {
		factor := x.receive(x.tiles.Sub(one), group)
		row := k.Slice(x.q.s, zero, zero, x.row, all, group) // of Q, which the products have read
		for j := range d / 32 {
			multiplied(group, j, factor)
			k.Convert(o, rounded)
			k.Copy(rounded, k.LocalTile(row, kernel.Shape(32), kernel.Int(j)))
		}
		x.writeOut(group)
	})
	k.If(x.row.Less(one), func() { k.TmaStoreWait(0) })
}

// writeOut starts the copy of the outputs of a group from shared memory.
func (x *attentionSM100) writeOut(group kernel.Index) {
	k, all, zero := x.k, kernel.Open, x.zero
	k.TmaStoreFence()
	k.NamedBarrierSync(groupRows, 1)
	tma := k.MakeTmaAtom(x.mO, k.Slice(x.q.s, all, all, all, all, zero), kernel.Shape(1, 1, groupRows, x.Tile[2]), 1)
	tOgO, tOsO := k.TmaPartition(tma, zero, x.q.s, x.gO)
	k.If(x.row.Less(x.one), func() {
		at := x.block.Mul(kernel.Int(x.groups)).Add(group)
		k.CopyTma(tma, k.Slice(tOsO, all, group), k.Slice(tOgO, all, at))
		k.TmaStoreArrive()
	})
}
