package triton

import (
	"girih/cute"
	"girih/linear"
)

// nvmmaShared is #ttg.nvmma_shared, NVMMASharedLayout in Gluon: a tensor in shared memory as TMA writes it and as wgmma
// and tcgen05.mma read it. SwizzlingByteWidth is 0, 32, 64 or 128 (PTX ISA, "Shared Memory Matrix Layout", "Swizzling
// Modes"); rows of that many bytes exchange chunks of 16 bytes. The last dimension is contiguous; with Transposed, the
// first. A larger tensor is a row of boxes; one TMA instruction writes each box. A box has at most 256 elements along a
// dimension, and one swizzled row along the contiguous dimension.
//
// All dimensions of a box but the contiguous one together index its rows. With Transposed and more than two dimensions,
// the last dimension alone indexes the rows, and the other dimensions index the columns, the first fastest: this is
// Triton's layout.
//
// ElementBitWidth is the width of an element. With FP4Padded, elements are pairs of 4-bit numbers, and a gap of 8 bytes
// follows every 8 bytes; offsets count bytes and the gaps are zero bases. Rank is the rank of the tensor, or 0 for any
// rank.
//
// [Encoding.Layout] returns [cute.CodeType] for other swizzles and widths, [cute.CodeRank] for a swizzle of a tensor
// with one dimension, and [cute.CodeNotDivisible] for a part of a CTA that is smaller than 8 rows of
// SwizzlingByteWidth.
type nvmmaShared struct {
	SwizzlingByteWidth int64
	Transposed         bool
	ElementBitWidth    int64
	FP4Padded          bool
	Rank               int
	CGA                cluster
}

const opNVMMA = "nvmma_shared"

func (e *nvmmaShared) rank() int { return e.Rank }

// maxBox is the largest size of a box of TMA along a dimension, in elements.
const maxBox = 256

func (e *nvmmaShared) check(rank int) error {
	const op = opNVMMA
	switch e.SwizzlingByteWidth {
	case 0, 32, 64, 128:
	default:
		return fail(cute.CodeType, op, "expected 0, 32, 64 or 128 for swizzlingByteWidth, found %d", e.SwizzlingByteWidth)
	}
	switch e.ElementBitWidth {
	case 4, 8, 16, 32, 64:
	default:
		return fail(cute.CodeType, op, "expected 4, 8, 16, 32 or 64 for elementBitWidth, found %d", e.ElementBitWidth)
	}
	if e.FP4Padded && (e.ElementBitWidth != 8 || e.SwizzlingByteWidth != 128) {
		return fail(cute.CodeType, op,
			"expected elementBitWidth 8 and swizzlingByteWidth 128 with fp4Padded, found %d and %d", e.ElementBitWidth,
			e.SwizzlingByteWidth)
	}
	if e.SwizzlingByteWidth != 0 && rank < 2 {
		return fail(cute.CodeRank, op, "expected a tensor of at least 2 dimensions with swizzlingByteWidth %d, found %d",
			e.SwizzlingByteWidth, rank)
	}
	return nil
}

// Layout returns offset, block -> dim0, dim1, ... It returns the errors of [Encoding] and [nvmmaShared].
func (e *nvmmaShared) Layout(shape ...int64) (linear.Layout, error) {
	if err := first(checkShape(opNVMMA, e.Rank, shape), e.check(len(shape))); err != nil {
		return linear.Layout{}, err
	}
	per, err := e.CGA.perCTA(opNVMMA, shape)
	if err != nil {
		return linear.Layout{}, err
	}
	box, err := e.box(per)
	if err != nil {
		return linear.Layout{}, err
	}
	t := newTile(opNVMMA, len(shape), offset)
	if e.SwizzlingByteWidth == 0 {
		t.nd(offset, box, e.order(len(shape)))
	} else if err := e.swizzledBox(t, box); err != nil {
		return linear.Layout{}, err
	}
	return e.CGA.combine(t, shape, upTo(len(shape)))
}

// order returns the dimensions of a box, beginning with the contiguous dimension.
func (e *nvmmaShared) order(rank int) []int {
	order := rowMajor(rank)
	if e.Transposed {
		order = append([]int{0}, order[:rank-1]...)
	}
	return order
}

// contiguous returns the dimension along which offsets are consecutive.
func (e *nvmmaShared) contiguous(rank int) int {
	if e.Transposed {
		return 0
	}
	return rank - 1
}

// box returns the shape of a box of TMA, in elements of the tensor.
func (e *nvmmaShared) box(per []int64) ([]int64, error) {
	box := make([]int64, len(per))
	for d, n := range per {
		box[d] = min(n, maxBox)
	}
	if e.SwizzlingByteWidth == 0 {
		if e.FP4Padded {
			return nil, fail(cute.CodeType, opNVMMA, "expected a swizzle with fp4Padded, found none")
		}
		return box, nil
	}
	c := e.contiguous(len(per))
	width := 8 * e.SwizzlingByteWidth / e.ElementBitWidth
	if e.FP4Padded {
		width /= 2 // every other 8 bytes are a gap
	}
	if box[c] < width {
		return nil, fail(cute.CodeNotDivisible, opNVMMA, "expected at least %d elements, %d bytes of a swizzled row, along dim%d of the part of a CTA, found %d",
			width, e.SwizzlingByteWidth, c, box[c])
	}
	box[c] = width
	return box, nil
}

// swizzledBox lays out a box: 8 rows of one swizzle pattern, repeated along the rows and then along the columns of the
// box as a matrix, whose rows all dimensions except the last index. In a transposed box, the last dimension indexes the
// rows, and all others index the columns, the first contiguous. This is Triton's layout for 3 dimensions, too.
func (e *nvmmaShared) swizzledBox(t *tile, box []int64) error {
	rank := len(box)
	rows, cols := int64(1), box[rank-1]
	for _, n := range box[:rank-1] {
		rows *= n
	}
	if e.Transposed {
		rows, cols = cols, rows
	}
	if rows < 8 {
		return fail(cute.CodeNotDivisible, opNVMMA, "expected at least 8 rows of %d bytes in the part of a CTA, found %d",
			e.SwizzlingByteWidth, rows)
	}
	vec := 128 / e.ElementBitWidth // elements of a chunk of 16 bytes
	perPhase, maxPhase := 128/e.SwizzlingByteWidth, e.SwizzlingByteWidth/16
	place := func(r, c int64) { t.push(offset, e.unflatten(r*cols+c, box)) }
	width := int64(1) // the number of columns so far
	for c := int64(1); c < 8*e.SwizzlingByteWidth/e.ElementBitWidth; c *= 2 {
		place(0, e.column(c))
		width = max(width, 2*e.column(c))
	}
	for r := int64(1); r < 8; r *= 2 {
		place(r, e.column(vec*(r/perPhase%maxPhase)))
	}
	for r := int64(8); r < rows; r *= 2 {
		place(r, 0)
	}
	for c := width; c < cols; c *= 2 {
		place(0, c)
	}
	copy(t.size, box)
	return nil
}

// column returns the column of an offset in a row. It does not count the gaps of padded 4-bit numbers.
func (e *nvmmaShared) column(c int64) int64 {
	if e.FP4Padded {
		return c/16*8 + c%8
	}
	return c
}

// unflatten returns the coordinates of an index into the box. The contiguous dimension counts fastest.
func (e *nvmmaShared) unflatten(index int64, box []int64) []int64 {
	basis := make([]int64, len(box))
	for _, d := range e.order(len(box)) {
		basis[d] = index % box[d]
		index /= box[d]
	}
	return basis
}
