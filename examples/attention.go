package examples

// This file is the online softmax of FlashAttention-2, which attention_sm80.go and attention_sm90.go need. Scores
// S = Q·Kᵀ come tile by tile, and for each row a thread keeps
//
//	most   the largest score so far
//	sum    Σ exp(s - most) over the scores so far
//	o      Σ exp(s - most)·v over the values so far
//
// When the maximum grows from a to b, sum and o are multiplied by exp(a - b). A masked score is -infinity, whose
// exponential is 0. The maximum begins with the least finite number, and not with -infinity: the difference of two
// infinities is NaN, which a row without keys would have.
//
// The accumulators of mma.sync and of wgmma have the same places in a warp, which has 16 rows: a lane has the rows
// lane/4 and lane/4 + 8, and of every 8 columns 2·(lane mod 4) and the next. Two views of the registers arrange them,
// and cost nothing:
//
//	rowsAndColumns   as rows and columns, for the softmax
//	asOperandA       as the operand A of the next product, for P·V

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/kernel"
	"girih/symbolic"
)

// accumulators is the layout of m times 16 rows of a warp with n columns: ((2,2),m,n/8).
func accumulators(m, n int64) cute.Layout {
	return cute.MustParse(fmt.Sprintf("((2,2),%d,%d)", m, n/8))
}

// rowsAndColumns is the layout of accumulators as ((2,m),(2,n/8)).
func rowsAndColumns(m, n int64) cute.Layout {
	return cute.MustParse(fmt.Sprintf("((2,%d),(2,%d)):((2,4),(1,%d))", m, n/8, 4*m))
}

// asOperandA is the layout of accumulators as ((2,2,2),m,n/16): two times 8 columns are 16.
func asOperandA(m, n int64) cute.Layout {
	return cute.MustParse(fmt.Sprintf("((2,2,2),%d,%d):((1,2,%d),4,%d)", m, n/16, 4*m, 8*m))
}

// An attention is the parameters of the kernels, which compute O = softmax(Q·Kᵀ/√d)·V for each head of each batch. All
// tensors are by rows: Q and O are (batch,heads,m,d), K and V are (batch,kv_heads,n,d). Neighbouring heads of Q share a
// head of K and V.
type attention struct {
	Tile   []int64    // queries of a block, keys of a step, and d
	Type   dtype.Type // of all tensors: f16 or bf16
	Causal bool       // query i sees the keys up to i + n - m only: the last query sees all
}

// name returns the name of the kernel for a chip.
func (o attention) name(chip string) string {
	if o.Causal {
		return "attention_causal_" + chip
	}
	return "attention_" + chip
}

// An attentionBlock is what a block has to do.
type attentionBlock struct {
	attention
	k                           *kernel.K
	m, n, heads, kvHeads, batch kernel.Index
	block, head, kvHead         kernel.Index // the block has Tile[0] queries of the head
	tiles, whole                kernel.Index // the tiles of keys for the block, and how many of them need no mask
}

// block declares the numbers. With a causal mask, the blocks with the most keys come first.
func (o attention) block(k *kernel.K) *attentionBlock {
	upTo := func(n int64) symbolic.Facts { return symbolic.Facts{Min: 1, Max: n} }
	x := &attentionBlock{
		attention: o, k: k, m: k.Int("m", upTo(1<<20)), n: k.Int("n", upTo(1<<20)),
		heads: k.Int("heads", upTo(1<<15)), kvHeads: k.Int("kv_heads", upTo(1<<15)), batch: k.Int("batch", upTo(1<<15)),
	}
	blocks := x.m.CeilDiv(o.Tile[0])
	k.Grid(blocks, x.heads, x.batch)
	x.block, x.head = k.BlockIdx(0), k.BlockIdx(1)
	if o.Causal {
		x.block = blocks.Sub(kernel.Int(1)).Sub(x.block)
	}
	x.kvHead, _ = x.head.Mul(x.kvHeads).DivMod(x.heads)
	x.tiles, x.whole = x.visible(kernel.Int(o.Tile[0]-1)).CeilDiv(o.Tile[1]), x.visible(kernel.Int(0)).Div(o.Tile[1])
	return x
}

// visible returns how many keys a row of the block sees.
func (x *attentionBlock) visible(row kernel.Index) kernel.Index {
	if !x.Causal {
		return x.n
	}
	query := x.block.Mul(kernel.Int(x.Tile[0])).Add(row)
	return query.Add(x.n).Sub(x.m).Add(kernel.Int(1)).Min(x.n).Max(kernel.Int(0))
}

// A declareTensor is [kernel.K.Global] or [kernel.K.TmaTensor].
type declareTensor func(string, dtype.Type, []kernel.Index, ...kernel.Index) kernel.Tensor

// queries declares a tensor like Q, and returns it and its tiles of the block's head: (1,1,BM,D,m).
func (x *attentionBlock) queries(declare declareTensor, name string) (whole, tiles kernel.Tensor) {
	d, one := kernel.Int(x.Tile[2]), kernel.Int(1)
	whole = declare(name, x.Type, kernel.Modes(x.batch, x.heads, x.m, d), x.heads.Mul(x.m).Mul(d), x.m.Mul(d), d, one)
	tile := kernel.Shape(1, 1, x.Tile[0], x.Tile[2])
	return whole, x.k.LocalTile(whole, tile, x.k.BlockIdx(2), x.head, kernel.Open, kernel.Int(0))
}

// keys declares a tensor like K, and returns it and its tiles of the block's head: (1,1,BN,D,n).
func (x *attentionBlock) keys(declare declareTensor, name string) (whole, tiles kernel.Tensor) {
	y := *x
	y.heads, y.m, y.head, y.Tile = x.kvHeads, x.n, x.kvHead, []int64{x.Tile[1], 0, x.Tile[2]}
	return y.queries(declare, name)
}

// An onlineSoftmax is the softmax of a thread's rows.
type onlineSoftmax struct {
	*attentionBlock
	warps         int64         // of the block
	rows, columns int64         // of s
	s, o          kernel.Tensor // scores and outputs as rows and columns
	most, sum     kernel.Tensor // by row
	scale         kernel.Value  // log2(e)/√d: exp(s/√d) is 2^(s·scale)
}

// softmax returns the softmax of accumulators, for a block with the given number of warps.
func (x *attentionBlock) softmax(s, o kernel.Tensor, warps int64) *onlineSoftmax {
	k, m, n, d := x.k, x.Tile[0]/(16*warps), x.Tile[1], x.Tile[2]
	byRow, zero := cute.MustParse(fmt.Sprintf("%d:1", 2*m)), kernel.Int(0)
	y := &onlineSoftmax{
		attentionBlock: x, warps: warps, rows: 2 * m, columns: n / 4,
		s: k.View(s, zero, rowsAndColumns(m, n)), o: k.View(o, zero, rowsAndColumns(m, d)),
		most: k.MakeFragment(dtype.F32, byRow), sum: k.MakeFragment(dtype.F32, byRow),
		scale: k.Number(dtype.F32, math.Log2E/math.Sqrt(float64(d))),
	}
	k.Fill(y.most, -math.MaxFloat32)
	k.Clear(y.sum)
	k.Clear(y.o)
	return y
}

// mask excludes the scores of keys that a row does not see, in tile i.
func (x *onlineSoftmax) mask(i kernel.Index) {
	k, masked := x.k, x.k.Number(dtype.F32, math.Inf(-1))
	lane, warp := k.ThreadIdx().Mod(kernel.WarpSize), k.ThreadIdx().Div(kernel.WarpSize)
	first := i.Mul(kernel.Int(x.Tile[1])).Add(lane.Mod(4).Mul(kernel.Int(2))) // the key of the thread's first column
	for r := range x.rows {
		row := warp.Mul(kernel.Int(16)).Add(lane.Div(4)).Add(kernel.Int(r%2*8 + r/2*16*x.warps))
		end := x.visible(row).Sub(first)
		for j := range x.columns {
			s := k.Load(x.s, kernel.Int(r), kernel.Int(j))
			keep := kernel.Int(j%2 + j/2*8).Less(end)
			k.Store(k.Select(keep, s, masked), x.s, kernel.Int(r), kernel.Int(j))
		}
	}
}

// update takes a tile of scores, and leaves their exponentials in its place. It returns the factors for the outputs of
// each row.
func (x *onlineSoftmax) update() (factors []kernel.Value) {
	k := x.k
	for r := range x.rows {
		i, scores := kernel.Int(r), make([]kernel.Value, x.columns)
		old := k.Load(x.most, i)
		most := old
		for j := range scores {
			scores[j] = k.Load(x.s, i, kernel.Int(int64(j)))
			most = most.Max(scores[j])
		}
		most = k.WarpReduction(most, kernel.Value.Max, 4) // four lanes have a row
		factor, from := old.Sub(most).Mul(x.scale).Exp2(), most.Mul(x.scale).Neg()
		sum := k.Load(x.sum, i).Mul(factor)
		for j, s := range scores {
			e := s.FMA(x.scale, from).Exp2()
			k.Store(e, x.s, i, kernel.Int(int64(j)))
			sum = sum.Add(e)
		}
		k.Store(most, x.most, i)
		k.Store(sum, x.sum, i)
		factors = append(factors, factor)
	}
	return factors
}

// multiply multiplies the outputs of each row.
func (x *onlineSoftmax) multiply(factors []kernel.Value) {
	for i, f := range factors {
		row := x.k.Slice(x.o, kernel.Int(int64(i)), kernel.Open)
		x.k.Axpby(f, row, x.k.Number(dtype.F32, 0), row)
	}
}

// finish divides the outputs by the sums. The sum of a row with keys is at least 1, because the largest score adds 1;
// without keys it is 0, and so are the outputs.
func (x *onlineSoftmax) finish() {
	var factors []kernel.Value
	for i := range x.rows {
		sum := x.k.WarpReduction(x.k.Load(x.sum, kernel.Int(i)), kernel.Value.Add, 4)
		factors = append(factors, sum.Max(x.k.Number(dtype.F32, 0.5)).Rcp())
	}
	x.multiply(factors)
}
