package triton

import (
	"math/bits"

	"girih/cute"
)

// FromSwizzle returns the encoding that exchanges elements as the swizzle of their offsets does: Sw<B,M,S> on rows of
// contig elements is vec = 2^M, maxPhase = 2^B and perPhase = 2^(M+S) / contig. The unit of the swizzle is elements.
// The layout of the encoding maps an offset to the element there; the swizzle maps the offset that the element has row
// by row to that offset.
//
// It returns [cute.CodeExtent] unless contig is a power of two, [cute.CodeRank] if order is no permutation of at
// least two dimensions, and [cute.CodeNotRepresentable] for a swizzle with negative S, or one that reads columns or
// changes rows of so many elements.
func FromSwizzle(w cute.Swizzle, contig int64, order []int) (SwizzledShared, error) {
	const op = opSwizzled
	if err := first(checkPower(op, "the number of contiguous elements", contig),
		checkOrder(op, "order", order, len(order))); err != nil {
		return SwizzledShared{}, err
	}
	if len(order) < 2 {
		return SwizzledShared{}, fail(cute.CodeRank, op, "expected at least 2 dimensions in order, found %d", len(order))
	}
	cols := bits.TrailingZeros64(uint64(contig))
	e := SwizzledShared{Vec: 1 << w.M(), PerPhase: 1, MaxPhase: 1 << w.B(), Order: order}
	switch {
	case w.B() == 0:
		return SwizzledShared{Vec: 1, PerPhase: 1, MaxPhase: 1, Order: order}, nil
	case w.S() < 0:
		return SwizzledShared{}, fail(cute.CodeNotRepresentable, op,
			"%v changes higher bits by lower ones, swizzled_shared lower ones, the column, by higher ones, the row", w)
	case w.M()+w.S() < cols:
		return SwizzledShared{}, fail(cute.CodeNotRepresentable, op,
			"%v reads bit %d, which is one of the column in rows of %d elements", w, w.M()+w.S(), contig)
	case w.M()+w.B() > cols:
		return SwizzledShared{}, fail(cute.CodeNotRepresentable, op,
			"%v changes bit %d, which is one of the row in rows of %d elements", w, w.M()+w.B()-1, contig)
	}
	e.PerPhase = 1 << (w.M() + w.S() - cols)
	return e, nil
}

// Swizzle returns the swizzle of offsets that the encoding is on rows of contig elements, in elements: B = log2
// maxPhase, M = log2 vec and S = log2(perPhase * contig / vec), with a smaller B if a row has fewer than vec * maxPhase
// elements. It returns [cute.CodeExtent] for numbers that are not powers of two, and the errors of [cute.NewSwizzle].
func (e SwizzledShared) Swizzle(contig int64) (cute.Swizzle, error) {
	const op = opSwizzled
	err := first(checkPower(op, "the number of contiguous elements", contig),
		checkPower(op, "vec", e.Vec), checkPower(op, "perPhase", e.PerPhase), checkPower(op, "maxPhase", e.MaxPhase))
	if err != nil {
		return cute.Swizzle{}, err
	}
	log := func(n int64) int { return bits.TrailingZeros64(uint64(n)) }
	b := min(log(e.MaxPhase), log(contig)-log(e.Vec))
	if b <= 0 || len(e.Order) == 1 {
		return cute.Swizzle{}, nil
	}
	return cute.NewSwizzle(b, log(e.Vec), log(e.PerPhase)+log(contig)-log(e.Vec))
}
