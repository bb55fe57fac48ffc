package linear

import (
	"girih/cute"
)

// DivideLeft returns the layout c with m.Product(c) = l, Triton's divideLeft(l, m): m is the part of l in the low bits
// of every dimension, and c the rest above it. c has all dimensions of l, some with size 1. Dimensions are matched by
// name: m may list them in another order, and the product lists the dimensions of m first, in m's order.
//
// It returns [cute.CodeName] if m has a dimension that l lacks, and [cute.CodeExtent] if a dimension of m is larger
// than in l. It returns [cute.CodeNotDivisible], with a basis of l as witness, unless the first bases of l are the
// bases of m and the other bases are 0 in the low bits.
func (l Layout) DivideLeft(m Layout) (Layout, error) {
	const op = "divide_left"
	d, err := l.newDivision(op, m)
	if err != nil {
		return Layout{}, err
	}
	return d.left(op)
}

func (d division) left(op string) (Layout, error) {
	return d.run(op, func(i int) (low, high int) {
		return 0, d.inBits[i]
	}, func(i int) (low, high int) { return 0, d.outBits[i] })
}

// DivideRight returns the layout c with c.Product(m) = l, Triton's divideRight(l, m): m is the part of l in the high
// bits of every dimension. c has all dimensions of l, some of size 1. Unlike Triton's, it also compares the output
// dimensions that m lacks. It returns the errors of [Layout.DivideLeft].
func (l Layout) DivideRight(m Layout) (Layout, error) {
	const op = "divide_right"
	d, err := l.newDivision(op, m)
	if err != nil {
		return Layout{}, err
	}
	return d.right(op)
}

func (d division) right(op string) (Layout, error) {
	return d.run(op, func(i int) (low, high int) { return int(d.l.ins.bits[i]) - d.inBits[i], int(d.l.ins.bits[i]) },
		func(i int) (low, high int) { return int(d.l.outs.bits[i]) - d.outBits[i], int(d.l.outs.bits[i]) })
}

// HasPart reports whether part is a part of l: whether l is the product of part and another layout.
func (l Layout) HasPart(part Layout) bool {
	_, err := l.DivideLeft(part)
	return err == nil
}

// A DivisionStep is one step of a division, for one basis of the layout: Column is its place among all bases, and
// Value the basis as a flat number. If the basis belongs to the divisor, Divisor is the place among the divisor's
// bases, and Want is the divisor's basis at the place of the divisor in the layout. Otherwise Divisor is -1, Want is
// what Value has outside of the divisor's bits, and Rest the basis of the quotient. The step succeeds if Value is Want.
type DivisionStep struct {
	Column, Divisor   int
	Value, Want, Rest uint64
}

// DivideLeftSteps returns the steps of [Layout.DivideLeft], up to the first that fails. It returns the errors of
// DivideLeft for dimensions that do not fit.
func (l Layout) DivideLeftSteps(m Layout) ([]DivisionStep, error) {
	d, err := l.newDivision("divide_left", m)
	if err != nil {
		return nil, err
	}
	d.steps = &[]DivisionStep{}
	_, _ = d.left("divide_left") // the last step shows the failure
	return *d.steps, nil
}

// DivideRightSteps returns the steps of [Layout.DivideRight], up to the first that fails. It returns the errors of
// DivideRight for dimensions that do not fit.
func (l Layout) DivideRightSteps(m Layout) ([]DivisionStep, error) {
	d, err := l.newDivision("divide_right", m)
	if err != nil {
		return nil, err
	}
	d.steps = &[]DivisionStep{}
	_, _ = d.right("divide_right") // the last step shows the failure
	return *d.steps, nil
}

// A division is a layout and a divisor, with the bits of the divisor in every dimension of the layout.
type division struct {
	l, m            Layout
	inBits, outBits []int
	steps           *[]DivisionStep // records the steps unless it is nil
}

func (d division) record(s DivisionStep) {
	if d.steps != nil {
		*d.steps = append(*d.steps, s)
	}
}

func (l Layout) newDivision(op string, m Layout) (division, error) {
	d := division{l: l, m: m}
	var err error
	if d.inBits, err = l.ins.covers(op, "input", m.ins); err != nil {
		return d, err
	}
	d.outBits, err = l.outs.covers(op, "output", m.outs)
	return d, err
}

// covers returns, for each dimension of d, its number of bits in the divisor's dimensions e.
func (d *dims) covers(op, side string, e *dims) ([]int, error) {
	for i := range e.len() {
		j := d.find(e.names[i])
		if j < 0 {
			return nil, unknownDim(op, side, e.names[i], d)
		}
		if e.bits[i] > d.bits[j] {
			return nil, fail(cute.CodeExtent, op, "expected %s dimension %q of the divisor to be at most as large as in the layout, %d, found %d",
				side, e.names[i], int64(1)<<d.bits[j], int64(1)<<e.bits[i])
		}
	}
	bits := make([]int, d.len())
	for i := range bits {
		bits[i] = e.bitsOf(d.names[i])
	}
	return bits, nil
}

// run removes the bits of the divisor, from low up to high in each dimension, as given by ins and outs.
func (d division) run(op string, ins, outs func(i int) (low, high int)) (Layout, error) {
	l := d.l
	quotientIns, err := l.ins.without(op, d.inBits)
	if err != nil {
		return Layout{}, err
	}
	quotientOuts, err := l.outs.without(op, d.outBits)
	if err != nil {
		return Layout{}, err
	}
	part, place, rest := d.outMoves(quotientOuts, outs)
	q := Layout{ins: quotientIns, outs: quotientOuts, cols: make([]uint64, 0, quotientIns.width())}
	for i := range l.ins.len() {
		low, high := ins(i)
		divisor := d.m.colsOf(l.ins.names[i])
		for k := range int(l.ins.bits[i]) {
			j := int(l.ins.off[i]) + k
			c := l.cols[j]
			if k >= low && k < high {
				want := apply(place, divisor[k-low])
				first := int(d.m.ins.off[d.m.ins.find(l.ins.names[i])])
				d.record(DivisionStep{Column: j, Divisor: first + k - low, Value: c, Want: want})
				if c != want {
					return Layout{}, l.at(j, fail(cute.CodeNotDivisible, op, "expected the basis of the divisor %s, found %s",
						l.outs.text(want), l.basisText(j)))
				}
				continue
			}
			d.record(DivisionStep{Column: j, Divisor: -1, Value: c, Want: c &^ part, Rest: apply(rest, c)})
			if c&part != 0 {
				return Layout{}, l.at(j, fail(cute.CodeNotDivisible, op,
					"expected 0 in the bits of the divisor, found %s, with %s there", l.basisText(j), l.outs.text(c&part)))
			}
			q.cols = append(q.cols, apply(rest, c))
		}
	}
	if l.origin&part != apply(place, d.m.origin) {
		return Layout{}, fail(cute.CodeNotDivisible, op,
			"expected the origin %s in the bits of the divisor, found the origin %s", l.outs.text(apply(place, d.m.origin)),
			l.outs.text(l.origin))
	}
	q.origin = apply(rest, l.origin)
	return q, nil
}

// outMoves returns the output bits of l that belong to the divisor, the moves of the divisor's outputs to them, and the
// moves of the other bits to the outputs of the quotient.
func (d division) outMoves(quotient *dims, outs func(i int) (low, high int)) (part uint64, place, rest []move) {
	l := d.l
	for i := range l.outs.len() {
		low, high := outs(i)
		off, n := int(l.outs.off[i]), int(l.outs.bits[i])
		part |= (1<<(high-low) - 1) << (off + low)
		if j := d.m.outs.find(l.outs.names[i]); j >= 0 {
			place = append(place, move{d.m.outs.off[j], uint8(off + low), uint8(high - low)})
		}
		// The quotient has either only bits below the divisor's bits or only bits above.
		rest = append(rest, move{uint8(off), quotient.off[i], uint8(low)},
			move{uint8(off + high), quotient.off[i] + uint8(low), uint8(n - high)})
	}
	return part, place, rest
}

// without returns the dimensions, each with less[i] fewer bits.
func (d *dims) without(op string, less []int) (*dims, error) {
	if d.len() == 0 {
		return nil, nil
	}
	sizes := make([]int, len(less))
	for i, n := range less {
		sizes[i] = int(d.bits[i]) - n
	}
	return makeDims(op, d.names, sizes)
}
