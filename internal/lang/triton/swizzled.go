package triton

import "girih/linear"

// swizzledShared is #ttg.swizzled_shared, SwizzledSharedLayout in Gluon: a tensor in shared memory whose offsets are
// consecutive along dimension Order[0]. Groups of Vec consecutive elements are permuted within their row; rows count
// along Order[1]. Group g of row r holds group g xor ((r / PerPhase) mod MaxPhase), modulo the groups of a row.
//
// [Encoding.Layout] returns [cute.CodeRank] if Order is not a permutation, and [cute.CodeExtent] for numbers that are
// not powers of two.
type swizzledShared struct {
	Vec      int64
	PerPhase int64
	MaxPhase int64
	Order    []int
	CGA      cluster
}

// amdRotatingShared is #ttg.amd_rotating_shared: like [swizzledShared], but the exchange of groups also rotates from
// one block of MaxPhase * PerPhase rows to the next: group g of row r holds group g xor p xor b, with p = (r /
// PerPhase) mod MaxPhase and b = (r / PerPhase / MaxPhase) mod MaxPhase. [Encoding.Layout] returns the errors of
// [swizzledShared].
type amdRotatingShared struct {
	Vec      int64
	PerPhase int64
	MaxPhase int64
	Order    []int
	CGA      cluster
}

const (
	opSwizzled = "swizzled_shared"
	opRotating = "amd_rotating_shared"
)

func (e *swizzledShared) rank() int    { return len(e.Order) }
func (e *amdRotatingShared) rank() int { return len(e.Order) }

// Layout returns offset, block -> dim0, dim1, ... It returns the errors of [Encoding] and [swizzledShared].
func (e *swizzledShared) Layout(shape ...int64) (linear.Layout, error) {
	return swizzledLayout(opSwizzled, e, shape, func(r int64) int64 { return r / e.PerPhase % e.MaxPhase })
}

// Layout returns offset, block -> dim0, dim1, ... It returns the errors of [Encoding] and [amdRotatingShared]. If the
// tensor is divided among CTAs, each part is swizzled by itself; Triton's formula uses the rows of the whole tensor and
// repeats offsets.
func (e *amdRotatingShared) Layout(shape ...int64) (linear.Layout, error) {
	return swizzledLayout(opRotating, (*swizzledShared)(e), shape, func(r int64) int64 {
		return r/e.PerPhase%e.MaxPhase ^ r/e.PerPhase/e.MaxPhase%e.MaxPhase
	})
}

// swizzledLayout lays out a tensor whose row r, a power of two, exchanges groups by phase(r).
func swizzledLayout(op string, e *swizzledShared, shape []int64, phase func(r int64) int64) (linear.Layout, error) {
	err := first(
		checkOrder(op, "order", e.Order, len(e.Order)),
		checkPower(op, "vec", e.Vec), checkPower(op, "perPhase", e.PerPhase), checkPower(op, "maxPhase", e.MaxPhase),
		checkShape(op, len(e.Order), shape),
	)
	if err != nil {
		return linear.Layout{}, err
	}
	per, err := e.CGA.perCTA(op, shape)
	if err != nil {
		return linear.Layout{}, err
	}
	t := newTile(op, len(shape), offset)
	t.nd(offset, per, e.Order)
	if len(shape) > 1 {
		cols, rows := e.Order[0], e.Order[1]
		for _, basis := range t.in(offset).Bases {
			if r := basis[rows]; r != 0 {
				basis[cols] = shift(phase(r), e.Vec, per[cols])
			}
		}
	}
	return e.CGA.combine(t, shape, e.Order)
}

// shift returns phase * vec mod cols, for powers of two whose product may be large.
func shift(phase, vec, cols int64) int64 {
	if vec >= cols {
		return 0
	}
	return phase % (cols / vec) * vec
}
