package triton

import (
	"math/bits"

	"girih/cute"
	"girih/linear"
)

// TensorMemory is #ttng.tensor_memory_encoding, TensorMemoryLayout in Gluon: a matrix in the tensor memory of
// Blackwell, 128 rows (lanes) of columns, in blocks of BlockM (64 or 128) by BlockN elements (PTX ISA, "Tensor Memory",
// "tcgen05 Data Path Layout Organization"). ColStride is the number of columns from one element to the next; the cells
// in between are zero bases. With TwoCTAs, blocks of 64 rows are laid out for cta_group::2, and with FP4Padded every
// other column is a gap.
//
// A block of 64 rows uses rows 0 to 15 of every 32; the other rows hold the next block along M, otherwise the next
// block along N, otherwise nothing: a zero basis.
//
// [Encoding.Layout] returns [cute.CodeType] for another BlockM, [cute.CodeExtent] for a BlockN or ColStride that is
// not a power of two, and [cute.CodeNotDivisible] for a part of a CTA that is smaller than a block.
type TensorMemory struct {
	BlockM    int64
	BlockN    int64
	ColStride int64
	TwoCTAs   bool
	FP4Padded bool
	CGA       cluster
}

const opTMEM = "tensor_memory"

func (e *TensorMemory) rank() int { return 2 }

// Layout returns row, col, block -> dim0, dim1: a larger matrix repeats the block in columns, along M first. It returns
// the errors of [Encoding] and [TensorMemory].
func (e *TensorMemory) Layout(shape ...int64) (linear.Layout, error) {
	const op = opTMEM
	err := first(checkShape(op, 2, shape), checkPower(op, "blockN", e.BlockN), checkPower(op, "colStride", e.ColStride))
	if err != nil {
		return linear.Layout{}, err
	}
	if e.BlockM != 64 && e.BlockM != 128 {
		return linear.Layout{}, fail(cute.CodeType, op, "expected 64 or 128 for blockM, found %d", e.BlockM)
	}
	per, err := e.CGA.perCTA(op, shape)
	if err != nil {
		return linear.Layout{}, err
	}
	if per[0] < e.BlockM {
		return linear.Layout{}, fail(cute.CodeNotDivisible, op,
			"expected at least the %d rows of a block in the part of a CTA, found %d", e.BlockM, per[0])
	}
	t := newTile(op, 2, row, col)
	n := min(e.BlockN, per[1])
	t.zeros(col, e.ColStride)
	if e.FP4Padded {
		t.zeros(col, 2)
	}
	if e.BlockM == 64 && !e.TwoCTAs {
		e.halfRows(t, per, n)
	} else {
		t.identity(row, e.BlockM, 0)
		t.identity(col, n, 1)
	}
	if e.BlockM == 64 && e.TwoCTAs {
		// The upper 64 rows hold the upper half of the columns.
		cols := t.in(col)
		if len(cols.Bases) == 0 {
			return linear.Layout{}, fail(cute.CodeNotDivisible, op, "expected at least 2 columns in a block of 64 rows with twoCTAs, found 1")
		}
		last := len(cols.Bases) - 1
		t.push(row, cols.Bases[last])
		t.in(col).Bases = t.in(col).Bases[:last]
	}
	t.identity(col, per[0]/t.size[0], 0)
	t.identity(col, per[1]/t.size[1], 1)
	return e.combine(t, shape)
}

// halfRows lays out a block of 64 rows, and the block that shares its columns.
func (e *TensorMemory) halfRows(t *tile, per []int64, n int64) {
	t.identity(row, 16, 0)
	t.identity(col, n, 1)
	switch {
	case per[0] > 64:
		t.push(row, []int64{64, 0})
		t.size[0] = 128
	case per[1] > n:
		t.push(row, []int64{0, n})
		t.size[0], t.size[1] = 64, 2*n
	default:
		t.push(row, []int64{0, 0})
		t.size[0] = 64
	}
	t.push(row, []int64{16, 0})
	t.push(row, []int64{32, 0})
}

// combine appends the blocks. A tile in tensor memory is never cut: it has the size of the part of a CTA.
func (e *TensorMemory) combine(t *tile, shape []int64) (linear.Layout, error) {
	return e.CGA.combine(t, shape, upTo(2))
}

// Subview returns the layout of a corner of that shape in a matrix of shape alloc whose elements have bitWidth bits.
// Columns after the last used column are dropped, but not within a cell of 32 bits. It returns [cute.CodeExtent] for a
// corner that is larger than the matrix and unless bitWidth is a power of two up to 32, and the errors of
// [TensorMemory.Layout].
func (e *TensorMemory) Subview(shape, alloc []int64, bitWidth int64) (linear.Layout, error) {
	const op = opTMEM
	if err := first(checkShape(op, 2, shape), checkPower(op, "the width of an element", bitWidth)); err != nil {
		return linear.Layout{}, err
	}
	if bitWidth > 32 {
		return linear.Layout{}, fail(cute.CodeExtent, op, "expected elements of at most 32 bits, found %d", bitWidth)
	}
	l, err := e.Layout(alloc...)
	if err != nil {
		return linear.Layout{}, err
	}
	used := bits.TrailingZeros64(uint64(32 / bitWidth))
	for d, n := range shape {
		if l, err = l.ResizeOut(dimName(d), n); err != nil {
			return linear.Layout{}, err
		}
	}
	for k, b := range l.Bases()[1].Bases {
		if !isZero(b) {
			used = max(used, k+1)
		}
	}
	return l.ResizeIn(col, 1<<used)
}

// tensorMemoryScales is #ttng.tensor_memory_scales_encoding, TensorMemoryScalesLayout in Gluon: the scale factors of
// tcgen05.mma in tensor memory, one byte each: 32 rows, four times for the four warps, of blocks of 4 scales along K
// and 2 times 32 along M or N (PTX ISA, "Scale factor layout, 1X"). A larger matrix of scales repeats the block in
// columns: twice along M or N; then, with KThenMN, along all of K before the rest of M or N, and without KThenMN in the
// other order.
type tensorMemoryScales struct {
	KThenMN bool
	CGA     cluster
}

const opTMEMScales = "tensor_memory_scales"

func (e *tensorMemoryScales) rank() int { return 2 }

// Layout returns row, col, block -> dim0, dim1, for scales of shape M or N by K. It returns the errors of [Encoding].
func (e *tensorMemoryScales) Layout(shape ...int64) (linear.Layout, error) {
	if err := checkShape(opTMEMScales, 2, shape); err != nil {
		return linear.Layout{}, err
	}
	per, err := e.CGA.perCTA(opTMEMScales, shape)
	if err != nil {
		return linear.Layout{}, err
	}
	t := newTile(opTMEMScales, 2, row, col)
	t.identity(row, 32, 0)
	t.zeros(row, 4)
	t.identity(col, 4, 1)
	t.identity(col, 2, 0)
	if per[0] > 64 {
		t.identity(col, 2, 0)
	}
	repeat := func(d int) { t.identity(col, per[d]/t.size[d], d) }
	if e.KThenMN {
		repeat(1)
		repeat(0)
	} else {
		repeat(0)
		repeat(1)
	}
	return e.CGA.combine(t, shape, upTo(2))
}
