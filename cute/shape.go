package cute

import (
	"slices"

	"girih/internal/ints"
)

// ProductEach returns the flat tuple of the products of t's modes; for an integer it is a 1-tuple, as in CuTe. It
// returns the errors of [Tuple.Product].
func ProductEach(t Tuple) (Tuple, error) {
	ms := t.Modes()
	out := make([]int64, len(ms))
	for i, m := range ms {
		p, err := m.Product()
		if err != nil {
			return Tuple{}, err
		}
		out[i] = p
	}
	return Tuple{v: out, prof: flatProfile(len(out))}, nil
}

// Compatible reports whether every coordinate of the shape a is a coordinate of the shape b: b refines a.
// An integer is compatible with every shape of that size, but a tuple is not compatible with an integer.
func Compatible(a, b Tuple) bool { return (&matching{by: refinedBy}).holds(a, b) }

// A relation compares two tuples at a place where one of them has a leaf. It reports whether the relation holds at that
// place, and the size of b if the size counts. Two tuples are related if the relation holds at every such place.
type relation func(a, b Tuple) (size int64, holds bool)

// The relations. Congruent and WeaklyCongruent compare profiles instead; the first two are for derivations.
var (
	sameNesting relation = func(a, b Tuple) (int64, bool) { return 0, a.prof == b.prof }
	nestsIn     relation = func(a, _ Tuple) (int64, bool) { return 0, a.prof == "." }
	refinedBy   relation = func(a, b Tuple) (int64, bool) {
		size, err := b.Product()
		if err != nil {
			return -1, false
		}
		return size, a.IsInt() && b.cod == nil && a.v[0] == size
	}
)

// A matching compares two tuples by a relation, and records what it compares if there is a trace.
type matching struct {
	by    relation
	at    []int
	trace *trace
}

func (m *matching) holds(a, b Tuple) bool {
	p, q := a.profile(), b.profile()
	if p == "." || q == "." {
		size, holds := m.by(a, b)
		if m.trace != nil {
			m.trace.add(Match{slices.Clone(m.at), a, b, size, holds})
		}
		return holds
	}
	if profileRank(p) != profileRank(q) {
		if m.trace != nil {
			m.trace.add(Match{At: slices.Clone(m.at), A: a, B: b})
		}
		return false
	}
	x, y := modesOf(p), modesOf(q)
	for i := 0; x.next() && y.next(); i++ {
		if m.trace != nil {
			m.at = append(m.at, i)
		}
		if !m.holds(a.within(x.lo, x.hi, x.prof), b.within(y.lo, y.hi, y.prof)) {
			return false
		}
		if m.trace != nil {
			m.at = m.at[:len(m.at)-1]
		}
	}
	return true
}

// within returns the leaves [lo, hi) of t in the given nesting.
func (t Tuple) within(lo, hi int, prof string) Tuple {
	k := t.cod.axes()
	return Tuple{v: t.v[lo*k : hi*k], prof: prof, cod: t.cod}
}

// CeilDiv returns CuTe's ceil_div. Two integers give ⌈a/b⌉. A tuple divided by a tuple of at most its rank is divided
// mode by mode, missing modes counting as 1. An integer divides a tuple from left to right, and each mode uses up what
// it can: (4,5,6) by 7 is (1,3,6). A tuple divides an integer by the tuple's product. It returns [CodeRank],
// [CodeNegative] for a divisor or a dividend below 1, [CodeCodomain] for coordinates, and [CodeOverflow].
func CeilDiv(a, b Tuple) (Tuple, error) { return ceilDiv(a, b, nil) }

func ceilDiv(a, b Tuple, t *trace) (Tuple, error) {
	return (&shapeDivision{op: "ceil_div", trace: t}).of(a, b)
}

// ShapeDiv returns CuTe's shape_div: it is [CeilDiv], except that one integer of each pair must divide the other:
// (4,5,6) by 40 is (1,1,3). In addition to the errors of CeilDiv it returns [CodeNotDivisible], and [CodeRank] if two
// tuples differ in rank.
func ShapeDiv(a, b Tuple) (Tuple, error) { return shapeDiv(a, b, nil) }

func shapeDiv(a, b Tuple, t *trace) (Tuple, error) {
	if a.prof != "." && b.prof != "." && a.Rank() != b.Rank() {
		return Tuple{}, errorf(CodeRank, "shape_div", "expected two tuples of the same rank, found %v and %v", a, b)
	}
	return (&shapeDivision{op: "shape_div", exact: true, trace: t}).of(a, b)
}

// InnerProduct returns CuTe's inner_product: the sum of the products of the leaves of a and b in the same places, which
// is the offset of the coordinate a under the strides b. It returns [CodeNotCongruent] unless a and b are congruent,
// [CodeCodomain] for coordinates, and [CodeOverflow].
func InnerProduct(a, b Tuple) (int64, error) {
	const op = "inner_product"
	if a.cod != nil || b.cod != nil {
		return 0, errorf(CodeCodomain, op, "expected integers, found %v and %v", a, b)
	}
	if !Congruent(a, b) {
		return 0, errorf(CodeNotCongruent, op, "expected tuples of the same nesting, found %v and %v", a, b)
	}
	sum := int64(0)
	for i, x := range a.v {
		p, fits := ints.Mul(x, b.v[i])
		if fits {
			sum, fits = ints.Add(sum, p)
		}
		if !fits {
			return 0, overflowError(op, "the products of %v and %v", a, b)
		}
	}
	return sum, nil
}

// A shapeDivision is the recursion of ceil_div and shape_div.
type shapeDivision struct {
	op    string
	exact bool // in each pair, one integer must divide the other
	trace *trace
}

func (d *shapeDivision) of(a, b Tuple) (Tuple, error) {
	if a.cod != nil || b.cod != nil {
		return Tuple{}, errorf(CodeCodomain, d.op, "coordinates do not divide: %v by %v", a, b)
	}
	if a.prof != "." && b.prof != "." {
		return d.each(a, b)
	}
	y, err := b.Product()
	if err != nil {
		return Tuple{}, err
	}
	if y < 1 {
		return Tuple{}, errorf(CodeNegative, d.op, "the divisor must be positive, found %v", b)
	}
	out := make([]int64, len(a.v))
	for i, x := range a.v {
		if x < 1 {
			return Tuple{}, errorf(CodeNegative, d.op, "the dividend must be positive, found %v", a)
		}
		if d.exact && x%y != 0 && y%x != 0 {
			return Tuple{}, errorf(CodeNotDivisible, d.op, "neither of %d and %d divides the other", x, y)
		}
		out[i] = ints.CeilDiv(x, y)
		left := ints.CeilDiv(y, x)
		if d.trace != nil {
			d.trace.add(Quotient{x, y, out[i], left})
		}
		y = left
	}
	return Tuple{v: out, prof: a.profile()}, nil
}

func (d *shapeDivision) each(a, b Tuple) (Tuple, error) {
	as, bs := a.Modes(), b.Modes()
	if len(bs) > len(as) {
		return Tuple{}, errorf(CodeRank, d.op, "the divisor %v has more modes than %v", b, a)
	}
	for i := range bs {
		var err error
		d.trace.shapes(i, as[i], bs[i])
		if as[i], err = d.of(as[i], bs[i]); err != nil {
			return Tuple{}, err
		}
		d.trace.endShapes(as[i])
	}
	return MakeTuple(as...)
}

// ElemLess reports whether every leaf of a is less than the corresponding leaf of b, as predicates check bounds. It
// returns [CodeNotCongruent] if the tuples are not congruent.
func ElemLess(a, b Tuple) (bool, error) {
	if a.profile() != b.profile() || a.cod != nil || b.cod != nil {
		return false, errorf(CodeNotCongruent, "elem_less",
			"expected two tuples of integers with the same nesting, found %v and %v", a, b)
	}
	for i := range a.v {
		if a.v[i] >= b.v[i] {
			return false, nil
		}
	}
	return true, nil
}

// CommonRefinement returns the coarsest flat shape whose products of leading extents include the products of both:
// (4,6) and (8,3) give (4,2,3). If the sizes differ, the result has the larger size and its first extents refine the
// smaller shape: (6,6) and (12,3,6) give (6,2,3,6), whose first three extents refine (6,6). (Colfax, arXiv 2601.05972,
// calls the refinements of the two shapes mutual.) If there is no such shape, it returns [CodeNotDivisible] with the
// two numbers that do not divide one another. It also returns [CodeOverflow].
func CommonRefinement(a, b Tuple) (Tuple, error) { return commonRefinement(a, b, nil) }

func commonRefinement(a, b Tuple, steps *trace) (Tuple, error) {
	const op = "common_refinement"
	x, err := checkedExtents(op, a)
	if err != nil {
		return Tuple{}, err
	}
	y, err := checkedExtents(op, b)
	if err != nil {
		return Tuple{}, err
	}
	if steps != nil {
		steps.add(Cuts{a, cutsOf(a.v)})
		steps.add(Cuts{b, cutsOf(b.v)})
	}
	var out []int64
	at := int64(1)
	for len(x) > 0 && len(y) > 0 {
		s, t := x[0], y[0]
		g := min(s, t)
		next := steps.cut(at, at*g)
		if s%t != 0 && t%s != 0 {
			steps.cut(next, at*max(s, t))
			return Tuple{}, errorf(CodeNotDivisible, op,
				"%v and %v have no common refinement: neither of %d and %d divides the other", a, b, s, t)
		}
		out, at = append(out, g), next
		if x[0] /= g; x[0] == 1 {
			x = x[1:]
		}
		if y[0] /= g; y[0] == 1 {
			y = y[1:]
		}
	}
	for _, s := range append(x, y...) { // at most one of x and y has extents left
		out, at = append(out, s), steps.cut(at, at*s)
	}
	if len(out) == 0 {
		return Int(1), nil
	}
	return Tuple{v: out, prof: unwrappedProfile(len(out))}, nil
}

// checkedExtents returns the extents of a shape that are greater than 1. It returns [CodeExtent], and [CodeOverflow] if
// the product of these extents overflows 64 bits.
func checkedExtents(op string, shape Tuple) ([]int64, error) {
	if err := checkShape(op, shape); err != nil {
		return nil, err
	}
	if _, err := shape.Product(); err != nil {
		return nil, overflowError(op, "the size of the shape %v", shape)
	}
	var out []int64
	for _, s := range shape.v {
		if s > 1 {
			out = append(out, s)
		}
	}
	return out, nil
}

// The steps of operations on shapes; layout_add also has Cuts and Turns.

// Cuts are the products of leading extents of a shape or of a coalesced layout, from 1 to the size. A coalesced layout
// changes its step only at multiples of its cuts.
type Cuts struct {
	Of Tiler
	At []int64
}

// A Turn is one cut At with the next one. In layout_add, A, B and Sum are the values of the operands and of the sum at
// index At; in common_refinement there are no values. If At does not divide Next, no layout is the sum and no shape is
// the refinement. Then, and also if At equals Next, there is no mode or value.
type Turn struct {
	At, Next  int64
	A, B, Sum Tuple
}

// A Quotient is one extent divided by the rest of a divisor; Left is the rest for the next extent.
type Quotient struct{ Extent, Divisor, Quotient, Left int64 }

func (Cuts) derives() {}

func (Turn) derives() {}

func (Quotient) derives() {}

// cut records a cut without values, and returns the next one.
func (t *trace) cut(at, next int64) int64 {
	if t != nil {
		t.add(Turn{At: at, Next: next})
	}
	return next
}

// shapes begins the derivation of mode i of the current operation on shapes.
func (t *trace) shapes(i int, a, b Tuple) {
	if t != nil {
		t.part(i, Layout{}, b)
		t.top().From = a
	}
}

// endShapes ends the innermost operation, whose result is a shape.
func (t *trace) endShapes(to Tuple) {
	if t != nil {
		t.top().To = to
		t.end(Layout{})
	}
}

// A Match is one comparison of a relation of two tuples. For compatible, A is compared with Size, the size of B, or -1
// if that size overflows 64 bits.
type Match struct {
	At    []int
	A, B  Tuple
	Size  int64
	Holds bool
}

func (Match) derives() {}

// cutsOf returns the products of leading extents, from 1 to the product of all, which fits in 64 bits.
func cutsOf(extents []int64) []int64 {
	cuts := make([]int64, 1, len(extents)+1)
	cuts[0] = 1
	for i, s := range extents {
		cuts = append(cuts, cuts[i]*s)
	}
	return cuts
}
