package triton

import (
	"fmt"
	"slices"

	"girih/cute"
	"girih/linear"
)

// PaddedShared implements #ttg.padded_shared, PaddedSharedLayout in Gluon: a tensor in shared memory with Paddings[i]
// free cells after every Intervals[i] elements. Element o in the order of the tensor is at offset o + sum over i of
// (o / Intervals[i]) * Paddings[i].
//
// Elements follow each other in a tensor of shape Shape in the order of the dimensions in Order, the contiguous
// dimension first. Or the bases Offset and Block give the coordinates of element 1, 2, 4, ... and CTA 1, 2, 4, ....
//
// Offsets with padding are seldom linear over bits. [PaddedShared.Layout] refuses offsets that are not linear;
// [PaddedShared.Component] returns the linear part, Triton's linearComponent, and [PaddedShared.Physical] returns the
// padding as a CuTe layout, which is always exact.
//
// All three return [cute.CodeRank] for lists of unequal length, [cute.CodeExtent] for numbers that are not powers of
// two, [cute.CodeNotInjective] for an interval or a basis that occurs twice, and [cute.CodeType] if the order is stated
// twice or not at all.
type PaddedShared struct {
	Intervals []int64
	Paddings  []int64
	Order     []int
	Shape     []int64
	Offset    [][]int64
	Block     [][]int64
}

const opPadded = "padded_shared"

func (e *PaddedShared) rank() int {
	switch {
	case len(e.Order) > 0:
		return len(e.Order)
	case len(e.Offset) > 0:
		return len(e.Offset[0])
	case len(e.Block) > 0:
		return len(e.Block[0])
	}
	return 0
}

func (e *PaddedShared) check() error {
	const op = opPadded
	if len(e.Intervals) == 0 || len(e.Intervals) != len(e.Paddings) {
		return fail(cute.CodeRank, op, "expected as many paddings as intervals and at least one, found %d and %d",
			len(e.Paddings), len(e.Intervals))
	}
	for i, n := range e.Intervals {
		if slices.Index(e.Intervals, n) != i {
			return fail(cute.CodeNotInjective, op, "expected every interval once, found %d twice", n)
		}
	}
	return first(checkPowers(op, "intervals", e.Intervals), checkPowers(op, "paddings", e.Paddings))
}

// Component returns the layout without the padding, offset, block -> dim0, dim1, ...: Triton's linearComponent. It
// returns the errors of [Encoding] and [PaddedShared].
func (e *PaddedShared) Component(shape ...int64) (linear.Layout, error) {
	const op = opPadded
	if err := first(e.check(), checkShape(op, e.rank(), shape)); err != nil {
		return linear.Layout{}, err
	}
	explicit := len(e.Offset)+len(e.Block) > 0
	if explicit == (len(e.Order) > 0) {
		return linear.Layout{}, fail(cute.CodeType, op, "expected an order, or bases of offset and block, found %s",
			map[bool]string{true: "both", false: "neither"}[explicit])
	}
	if explicit {
		bases := &sharedLinear{Offset: e.Offset, Block: e.Block}
		l, err := bases.onto(shape)
		if err != nil {
			return linear.Layout{}, err
		}
		if k := slices.IndexFunc(e.Offset, isZero); k >= 0 {
			return linear.Layout{}, fail(cute.CodeNotInjective, op,
				"expected every offset to hold its own element, found the zero basis at %d of offset", k)
		}
		return bases.once(op, l)
	}
	if err := first(checkOrder(op, "order", e.Order, len(e.Order)), e.checkShape(shape)); err != nil {
		return linear.Layout{}, err
	}
	t := newTile(op, len(shape), offset)
	t.nd(offset, shape, e.Order)
	return new(cluster).combine(t, shape, e.Order)
}

// checkShape refuses a shape that differs from the stated one.
func (e *PaddedShared) checkShape(shape []int64) error {
	if len(e.Shape) > 0 && !slices.Equal(shape, e.Shape) {
		return fail(cute.CodeNotCongruent, opPadded, "expected the shape %v of the encoding, found %v",
			cute.Ints(e.Shape...), cute.Ints(shape...))
	}
	return nil
}

// Physical returns the padding of n elements as a CuTe layout: the index of an element in order -> its offset. The
// layout has one mode for each interval, as (32,4):(1,36) for 4 cells after every 32 elements. It returns
// [cute.CodeExtent] unless n is a power of two, [cute.CodeOverflow] for offsets beyond 64 bits, and the errors of
// [PaddedShared].
func (e *PaddedShared) Physical(n int64) (cute.Layout, error) {
	if err := first(e.check(), checkPower(opPadded, "the number of elements", n)); err != nil {
		return cute.Layout{}, err
	}
	if n == 1 {
		return cute.New(cute.Int(1), cute.Int(0))
	}
	inner := slices.Clone(e.Intervals)
	slices.Sort(inner)
	var shape, stride []int64
	last := int64(1)
	mode := func(from, to int64) error {
		s, err := e.at(from)
		if err != nil {
			return err
		}
		shape, stride = append(shape, to/from), append(stride, s)
		return nil
	}
	for _, i := range inner {
		if i > last && i < n {
			if err := mode(last, i); err != nil {
				return cute.Layout{}, err
			}
			last = i
		}
	}
	if err := mode(last, n); err != nil {
		return cute.Layout{}, err
	}
	if len(shape) == 1 {
		return cute.New(cute.Int(shape[0]), cute.Int(stride[0]))
	}
	return cute.New(cute.Ints(shape...), cute.Ints(stride...))
}

// at returns the offset of element o.
func (e *PaddedShared) at(o int64) (int64, error) {
	sum := o
	for i, n := range e.Intervals {
		times := o / n
		if times != 0 && e.Paddings[i] > (1<<62-1)/times || sum > 1<<62-1-times*e.Paddings[i] {
			return 0, fail(cute.CodeOverflow, opPadded, "expected offsets below 2^62, found a larger one for element %d", o)
		}
		sum += times * e.Paddings[i]
	}
	return sum, nil
}

// AllocSize returns the number of cells of n elements, including the last element but not the padding after it. It
// returns the errors of [PaddedShared.Physical].
func (e *PaddedShared) AllocSize(n int64) (int64, error) {
	if err := first(e.check(), checkPower(opPadded, "the number of elements", n)); err != nil {
		return 0, err
	}
	last, err := e.at(n - 1)
	return last + 1, err
}

// Offsets returns the padding of n elements as a linear layout, element -> offset. If it is not linear over bits, it
// returns [cute.CodeNotRepresentable]; the witness is the smallest element whose offset is not the exclusive or of the
// offsets of its bits. It also returns the errors of [PaddedShared.Physical].
func (e *PaddedShared) Offsets(n int64) (linear.Layout, error) {
	if err := first(e.check(), checkPower(opPadded, "the number of elements", n)); err != nil {
		return linear.Layout{}, err
	}
	in := linear.In{Name: "element"}
	size, used := int64(1), int64(0)
	for k := 0; int64(1)<<k < n; k++ {
		at, err := e.at(1 << k)
		if err != nil {
			return linear.Layout{}, err
		}
		if at&used != 0 {
			return linear.Layout{}, e.notLinear(k, at)
		}
		used |= at
		for size <= at {
			size *= 2
		}
		in.Bases = append(in.Bases, []int64{at})
	}
	return linear.New([]linear.In{in}, []linear.Dim{{Name: offset, Size: size}})
}

// Layout returns offset, block -> dim0, dim1, ... with the padding, if it is linear over bits: zero bases along offset
// are padding. It returns the errors of [Encoding] and [PaddedShared.Offsets]. It also returns
// [cute.CodeNotRepresentable] if the offset of a basis element has several bits: then offsets with only some of these
// bits hold no element.
func (e *PaddedShared) Layout(shape ...int64) (linear.Layout, error) {
	l, err := e.Component(shape...)
	if err != nil {
		return linear.Layout{}, err
	}
	ins := l.Bases()
	offsets, err := e.Offsets(1 << len(ins[0].Bases))
	if err != nil {
		return linear.Layout{}, err
	}
	var bases [][]int64
	for k, to := range offsets.Bases()[0].Bases {
		if !isPower(to[0]) {
			return linear.Layout{}, e.skewedError(k, to[0])
		}
		for int64(1)<<len(bases) < to[0] {
			bases = append(bases, make([]int64, len(shape)))
		}
		bases = append(bases, ins[0].Bases[k])
	}
	ins[0].Bases = bases
	return linear.New(ins, l.OutDims())
}

// notLinear names the element whose offset is not the exclusive or of the offsets of its bits.
func (e *PaddedShared) notLinear(k int, at int64) error {
	for j := range k {
		lower, _ := e.at(1 << j)
		if lower&at == 0 {
			continue
		}
		index := int64(1)<<k | 1<<j
		return &cute.Error{
			Code: cute.CodeNotRepresentable, Op: opPadded,
			Msg: fmt.Sprintf("the padding is not linear over bits: element %d is at offset %d, the exclusive or of the offsets %d and %d of elements %d and %d is %d",
				index, lower+at, lower, at, int64(1)<<j, int64(1)<<k, lower^at),
			Witness: &cute.Witness{
				Coord: cute.Int(index), Index: index, Value: cute.Int(lower + at), Want: cute.Int(lower ^ at),
			},
			Hint: "the padding as a CuTe layout is exact, and so is the linear component before it",
		}
	}
	return nil
}

// skewedError says that offsets with one bit of an element's offset have no element.
func (e *PaddedShared) skewedError(k int, at int64) error {
	return &cute.Error{
		Code: cute.CodeNotRepresentable, Op: opPadded,
		Msg: fmt.Sprintf("no layout from offsets is linear and leaves the padding out: element %d is at offset %d, and no element at offset %d",
			int64(1)<<k, at, at&-at),
		Hint: "the padding as a CuTe layout is exact, and so is the linear component before it",
	}
}
