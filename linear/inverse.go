package linear

import (
	"slices"

	"girih/cute"
	"girih/f2"
)

// Invert returns the layout m with m(l(x)) = x and l(m(y)) = y, from the output dimensions to the input dimensions. It
// returns [cute.CodeNotInvertible] unless l reaches every output exactly once.
func (l Layout) Invert() (Layout, error) {
	const op = "invert"
	if l.ins.width() != l.outs.width() {
		return Layout{}, fail(cute.CodeNotInvertible, op, "expected as many inputs as outputs, found 2^%d and 2^%d",
			l.ins.width(), l.outs.width())
	}
	return l.pseudoinvert(op, nil)
}

// Pseudoinvert returns a right inverse m: l(m(y)) = y. If l is linear, m maps each y to its smallest pre-image, as a
// flat index; if l is affine, the pre-image of the origin is added. With [Triton], if a dimension is an input and an
// output and l maps it to itself, m does, too. It returns [cute.CodeNotInvertible] unless l is surjective; the witness
// is the smallest output that is not reached.
func (l Layout) Pseudoinvert(opts ...Option) (Layout, error) {
	return l.pseudoinvert("pseudoinvert", opts)
}

func (l Layout) pseudoinvert(op string, opts []Option) (Layout, error) {
	if err := l.checkSurjective(op); err != nil {
		return Layout{}, err
	}
	id := Layout{ins: l.outs, outs: l.outs, cols: make([]uint64, l.outs.width())}
	for j := range id.cols {
		id.cols[j] = 1 << j
	}
	return id.InvertAndCompose(l, opts...)
}

// InvertAndCompose returns a layout c with m(c(x)) = l(x) for every x: the element of l at x is the element of m at
// c(x). Triton calls it l.invertAndCompose(m). The result has the inputs of l and, as outputs, the inputs of m. If l
// and m are linear, c(x) is the smallest of all such pre-images, as a flat index. Otherwise c(x) is the smallest
// pre-image of the linear part, plus the smallest pre-image of the difference of the origins.
//
// With [Triton], an input dimension with the same bases in l and m maps to itself, so that a dimension along which both
// repeat their values (a broadcast over blocks) is not moved. The other inputs map to the smallest pre-image, with the
// dimensions that map to themselves as the most significant. That is Triton's answer wherever Triton has one, and there
// is an answer whenever the values of l are values of m.
//
// It returns [cute.CodeNotCongruent] unless l and m have the same output dimensions in some order, [cute.CodeExtent] if
// a dimension of l is larger than in m, and [cute.CodeNotInvertible], with the basis of l as witness, if a value of l
// is not a value of m.
func (l Layout) InvertAndCompose(m Layout, opts ...Option) (Layout, error) {
	return l.solve("invert_and_compose", m, func(cols []uint64) []int {
		if !slices.Contains(opts, Triton) {
			return nil
		}
		return l.sharedDims(cols, m)
	})
}

// sharedDims returns the input dimensions that l and m share with the same columns; cols are the columns of l in m's
// outputs.
func (l Layout) sharedDims(cols []uint64, m Layout) []int {
	var shared []int
	for i := range l.ins.len() {
		j := m.ins.find(l.ins.names[i])
		if j < 0 || m.ins.bits[j] != l.ins.bits[i] {
			continue
		}
		if slices.Equal(cols[l.ins.off[i]:l.ins.off[i]+l.ins.bits[i]], m.colsOf(l.ins.names[i])) {
			shared = append(shared, i)
		}
	}
	return shared
}

// Lstsq returns the layout x with l(x(y)) = m(y) for every y, Triton's lstsq(l, m): m.InvertAndCompose(l) with the
// smallest pre-images. The number of bases in l and m together is not limited. It returns the errors of
// [Layout.InvertAndCompose].
func (l Layout) Lstsq(m Layout) (Layout, error) {
	return m.solve("lstsq", l, func([]uint64) []int { return nil })
}

// solve returns c with m(c(x)) = l(x). identities chooses the input dimensions of l that map to themselves, given the
// columns of l in m's outputs.
func (l Layout) solve(op string, m Layout, identities func(cols []uint64) []int) (Layout, error) {
	cols, origin, err := l.alignOuts(op, m)
	if err != nil {
		return Layout{}, err
	}
	fixed := identities(cols)
	s := newSolver(m, func(name string) bool {
		return slices.ContainsFunc(fixed, func(i int) bool { return l.ins.names[i] == name })
	})
	found, bad := s.solve(append(cols[:len(cols):len(cols)], origin^m.origin))
	if bad == len(cols) {
		return Layout{}, fail(cute.CodeNotInvertible, op, "expected the origin %s of the first layout among the values of the second, whose origin is %s",
			l.outs.text(l.origin), m.outs.text(m.origin))
	}
	if bad >= 0 {
		return Layout{}, l.at(bad, fail(cute.CodeNotInvertible, op,
			"expected values of the first layout that the second one has too, found %s, which no input of the second has",
			l.basisText(bad)))
	}
	out := found[:len(cols):len(cols)]
	for _, i := range fixed {
		to := int(m.ins.off[m.ins.find(l.ins.names[i])])
		for k := range int(l.ins.bits[i]) {
			out[int(l.ins.off[i])+k] = 1 << (to + k)
		}
	}
	return Layout{l.ins, m.ins, out, found[len(cols)]}, nil
}

// alignOuts returns the columns and the origin of l in the output dimensions of m, if they fit.
func (l Layout) alignOuts(op string, m Layout) ([]uint64, uint64, error) {
	if !l.outs.sameSet(m.outs) {
		return nil, 0, fail(cute.CodeNotCongruent, op, "expected the same output dimensions in any order, found %s and %s",
			l.outs.list(), m.outs.list())
	}
	for i := range l.outs.len() {
		if n := m.outs.bitsOf(l.outs.names[i]); int(l.outs.bits[i]) > n {
			return nil, 0, fail(cute.CodeExtent, op, "expected output dimension %q of the first layout to be at most as large as in the second, %d, found %d",
				l.outs.names[i], int64(1)<<n, int64(1)<<l.outs.bits[i])
		}
	}
	r := l.withOuts(l.cols, m.outs)
	return r.cols, r.origin, nil
}

// A solver finds the inputs of a layout for its values, without the origin.
type solver struct {
	m     f2.Matrix
	order []int // column i of m is flat input bit order[i]
}

// newSolver returns a solver that prefers inputs in dimensions for which last is false, and among these the smallest
// input.
func newSolver(l Layout, last func(name string) bool) solver {
	s := solver{order: make([]int, 0, len(l.cols))}
	for _, lasts := range []bool{false, true} {
		for i := range l.ins.len() {
			if last(l.ins.names[i]) != lasts {
				continue
			}
			for k := range int(l.ins.bits[i]) {
				s.order = append(s.order, int(l.ins.off[i])+k)
			}
		}
	}
	cols := make([]f2.Vector, len(s.order))
	for i, j := range s.order {
		cols[i] = f2.Vector(l.cols[j])
	}
	// Every column fits in 64 rows, so the error is always nil.
	s.m, _ = f2.NewMatrix(f2.MaxRows, cols)
	return s
}

// solve returns an input for each value; bad is the first value without an input, or -1.
func (s solver) solve(values []uint64) (inputs []uint64, bad int) {
	rhs := make([]f2.Vector, len(values))
	for i, v := range values {
		rhs[i] = f2.Vector(v)
	}
	b, err := f2.NewMatrix(f2.MaxRows, rhs)
	if err != nil {
		return nil, 0
	}
	x, err := s.m.SolveAll(b)
	if err != nil {
		return nil, slices.IndexFunc(rhs, func(v f2.Vector) bool { _, err := s.m.Solve(v); return err != nil })
	}
	inputs = make([]uint64, len(values))
	for i := range inputs {
		for c := range s.order {
			inputs[i] |= uint64(x.Col(i)) >> c & 1 << s.order[c]
		}
	}
	return inputs, -1
}

// InvertAndComposeBlockLocal is [Layout.InvertAndCompose] of reg and mem, mem(c(x)) = reg(x), but the layout c stays in
// the block if possible. A basis of reg's input dimension "block" maps to the same block of mem whenever mem's other
// inputs can make up for the difference, even if its blocks repeat their values. It returns the errors of
// InvertAndCompose.
func InvertAndComposeBlockLocal(mem, reg Layout) (Layout, error) {
	const op, block = "invert_and_compose_block_local", "block"
	cols, _, err := reg.alignOuts(op, mem)
	if err != nil {
		return Layout{}, err
	}
	isBlock := func(name string) bool { return name == block }
	c, err := reg.solve(op, mem, func([]uint64) []int { return nil })
	if err != nil {
		return Layout{}, err
	}
	// With the blocks last, the solver reaches the same values as with any other order.
	c.cols, _ = newSolver(mem, isBlock).solve(cols)
	to, from := mem.ins.find(block), reg.ins.find(block)
	if to < 0 || from < 0 {
		return c, nil
	}
	self, first := int(mem.ins.off[to]), int(reg.ins.off[from])
	inside := mem
	inside.cols = slices.Clone(mem.cols)
	clear(inside.cols[self : self+int(mem.ins.bits[to])])
	local := newSolver(inside, isBlock)
	for k := range min(int(reg.ins.bits[from]), int(mem.ins.bits[to])) {
		if x, bad := local.solve([]uint64{cols[first+k] ^ mem.cols[self+k]}); bad < 0 {
			c.cols[first+k] = x[0] | 1<<(self+k)
		}
	}
	return c, nil
}

// LeftInverse returns a layout m with m(l(x)) = x for every x; on other outputs, m is arbitrary. It returns
// [cute.CodeNotInjective] if l repeats values, with a second input that has the value of 0 as witness.
func (l Layout) LeftInverse() (Layout, error) {
	const op = "left_inverse"
	m := l.Matrix()
	kernel, err := m.Kernel()
	if err != nil {
		return Layout{}, err
	}
	if len(kernel) > 0 {
		at := uint64(kernel[0])
		return Layout{}, &cute.Error{
			Code: cute.CodeNotInjective, Op: op,
			Witness: &cute.Witness{Coord: l.ins.tuple(at), Index: int64(at), Value: l.outs.tuple(l.origin)},
			Msg: "expected every value once, found " + l.outs.text(l.origin) + " at " + l.ins.text(0) + " and at " +
				l.ins.text(at),
		}
	}
	// Unit vectors complete the matrix to an invertible one; the outputs of these unit vectors are left out.
	full, err := f2.NewMatrix(m.Rows(), slices.Concat(m.Columns(), m.Complement()))
	if err != nil {
		return Layout{}, err
	}
	inv, err := full.Inverse()
	if err != nil {
		return Layout{}, err
	}
	r := Layout{ins: l.outs, outs: l.ins, cols: make([]uint64, l.outs.width())}
	for j, c := range inv.Columns() {
		r.cols[j] = uint64(c) & (1<<l.ins.width() - 1)
	}
	r.origin = xorColumns(r.cols, l.origin)
	return r, nil
}
