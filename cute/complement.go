package cute

import (
	"fmt"
	"slices"

	"girih/internal/ints"
)

// This file implements complement. Sort the leaves of A by stride, skip strides of 0 and extents of 1, and keep the
// block covered so far, starting with 1. If the next stride d is a multiple of the block, the mode (d/block):block
// fills the gap between them, and the block becomes extent·d. If some stride is not a multiple of the block, A has no
// complement (Shah, "CuTe layout algebra", Def. 2.5-2.6 and Prop. 2.7; the condition is necessary too, Colfax, arXiv
// 2601.05972, 2.1.6.21). In that case CuTe's code continues, and returns modes of extent 0 or modes that overlap.
//
//	A = (2,3):(2,4)   block 1, stride 2: gap 2:1, block 4 | stride 4: no gap, block 12 | up to 24: 2:12
//	complement(A, 24) = (2,2):(1,12)

// Complement returns the layout that fills the offsets that a leaves free, up to the cotarget, an integer or a shape.
// The complement is sorted and coalesced and meets a only at 0, and (a, complement) covers each number of [0, k) once.
// Here k is the least multiple of a's block that is at least the size of the cotarget. ([ComplementByMode] rounds a
// shape as CuTe does.) For coordinate strides the cotarget is a shape that their axes address, and the complement has a
// mode for each top-level axis.
//
// It returns [CodeNotComplementable] if a has no complement (a [WeakComplement] may exist), [CodeNegative] for negative
// strides, [CodeExtent] for an illegal cotarget, [CodeNotCongruent] if the axes do not address it, [CodeCodomain] if a
// stride moves along several axes at once, and [CodeOverflow].
func Complement(a Layout, cotarget Tuple) (Layout, error) {
	return complementer{op: "complement", how: coversSize}.of(a, cotarget)
}

// ComplementExact is [Complement] if a's block divides the size of the cotarget, so that (a, complement) covers exactly
// [0, size). Otherwise it returns [CodeNotDivisible]. It also returns the errors of Complement.
func ComplementExact(a Layout, cotarget Tuple) (Layout, error) {
	return complementer{op: "complement", how: coversExactly}.of(a, cotarget)
}

// ComplementByMode is [Complement] with CuTe's rounding. The block uses up the modes of the cotarget from left to
// right, and each mode is rounded up, so that (a, complement) may cover more or less than the size of the shape. An
// integer, and each axis of coordinates, is rounded as in Complement. Divides pad mode by mode in this way. It returns
// the errors of Complement.
func ComplementByMode(a Layout, cotarget Tuple) (Layout, error) {
	return complementer{op: "complement", how: coversByMode}.of(a, cotarget)
}

// ComplementCosize returns the complement of a up to the cosize of a: the modes that fill a's gaps. It returns the
// errors of [Complement].
func ComplementCosize(a Layout) (Layout, error) {
	return complementer{op: "complement", how: coversSize}.cosizeOf(a)
}

// WeakComplement returns the weak complement of a up to the cotarget (Cecka, arXiv 2603.02298, 3.5; NVIDIA's PyCuTe and
// Mojo call it the complement). Copies of a at the weak complement's offsets do not overlap, its strides grow, and the
// cotarget bounds it as in [Complement]. But if a stride is not a multiple of the block before it, the copies leave
// offsets free: a gap between the block and the next stride d holds floor(d/block) copies of the block. If a has a
// complement, the weak complement is the same.
//
// It returns [CodeNotComplementable] if a stride is less than the block that the smaller strides cover, and the other
// errors of Complement.
func WeakComplement(a Layout, cotarget Tuple) (Layout, error) {
	return complementer{op: "weak_complement", how: coversSome}.of(a, cotarget)
}

// WeakComplementCosize returns the weak complement of a up to the cosize of a: the modes that fit into a's gaps. It
// returns the errors of [WeakComplement].
func WeakComplementCosize(a Layout) (Layout, error) {
	return complementer{op: "weak_complement", how: coversSome}.cosizeOf(a)
}

// coverage is the part of the cotarget that a complement covers.
type coverage int

const (
	coversSize    coverage = iota // covers the size, rounded up to whole blocks
	coversExactly                 // covers exactly the size, which the block must divide
	coversByMode                  // covers what CuTe's mode-by-mode rounding covers
	coversSome                    // covers the size, with holes where the block does not divide a stride
)

// A complementer makes complements: it holds the operation's name, what complements cover, and the trace.
type complementer struct {
	op  string
	how coverage
	*trace
}

// of returns the complement of a up to the cotarget.
func (c complementer) of(a Layout, cotarget Tuple) (Layout, error) {
	if err := checkShape(c.op, cotarget); err != nil {
		return Layout{}, err
	}
	if a.cod != nil {
		return c.perAxis(a, cotarget)
	}
	return c.along(a, 0, cotarget)
}

// cosizeOf returns the complement of a up to its own cosize.
func (c complementer) cosizeOf(a Layout) (Layout, error) {
	cotarget, err := a.Coshape()
	if err != nil {
		return Layout{}, err
	}
	return c.of(a, cotarget)
}

// along returns the complement along one axis, as a layout of integers.
func (c complementer) along(a Layout, axis int, cotarget Tuple) (Layout, error) {
	var sb, db [stackModes]int64
	n, op := a.leaves()+1, c.op
	m := modes{s: buffer(sb[:], n), d: buffer(db[:], n), k: 1, trace: c.trace}
	rule := fillWhole
	if c.how == coversSome {
		rule = fillSome
	}
	block, err := m.fillGaps(op, &a, gapAxes{of: axis}, rule)
	if err != nil {
		return Layout{}, err
	}
	target := cotarget.v
	if c.how != coversByMode || a.cod != nil {
		size, err := cotarget.Product()
		if err != nil {
			return Layout{}, err
		}
		if c.how == coversExactly && size%block != 0 {
			m.trace.repeat([]int64{size}, block, ints.CeilDiv(size, block))
			return Layout{}, blockError(op, a, size, block)
		}
		target = []int64{size}
	}
	if err := m.fillRest(op, &a, target, block); err != nil {
		return Layout{}, err
	}
	m.putUnit(0)
	return m.layout(op, unwrappedProfile(m.n), nil)
}

// blockError refuses a size that a's block does not divide.
func blockError(op string, a Layout, size, block int64) error {
	e := errorf(CodeNotDivisible, op, "the block %d of %v does not divide %d", block, a, size)
	if covered, ok := ints.Mul(ints.CeilDiv(size, block), block); ok {
		e.Msg += fmt.Sprintf(": with the complement it would cover %d", covered)
	}
	return e
}

// gapRule says what fillGaps does with a gap that is not a multiple of the block before the gap.
type gapRule int

const (
	fillWhole gapRule = iota // refuses: a complement must cover everything
	fillSome                 // fills gaps with the whole blocks that fit
)

// gapAxes are the layout's axis whose gaps are filled, and the axis of the modes that fill the gaps.
type gapAxes struct{ of, along int }

// fillGaps appends the modes that fill the gaps of a along one axis. It returns the block that these modes and a cover:
// the least distance at which a can be repeated.
func (m *modes) fillGaps(op string, a *Layout, axes gapAxes, rule gapRule) (int64, error) {
	var sb, db [fewModes]int64
	n := a.leaves()
	var leaves modes
	leaves.s, leaves.d, leaves.k, leaves.trace = buffer(sb[:], n), buffer(db[:], n), 1, m.trace
	if err := leaves.sortAxis(op, a, axes.of); err != nil {
		return 0, err
	}
	block, ok := int64(1), true
	for i, s := range leaves.s[:leaves.n] {
		d := leaves.d[i]
		gap := d
		if block > 1 {
			gap = d / block
		}
		if gap == 0 || (rule == fillWhole && gap*block != d) {
			m.trace.gap(s, d, block, 0)
			return 0, chainError(op, *a, d, block)
		}
		if gap > 1 {
			m.putAlong(gap, block, axes.along)
		}
		before := block
		if block, ok = ints.Mul(s, d); !ok {
			return 0, overflowError(op, "the block of %v", *a)
		}
		if m.trace != nil {
			m.trace.gap(s, d, before, block)
		}
	}
	return block, nil
}

// chainError refuses a layout whose stride d is not a multiple of the block before d, or is less than the block.
func chainError(op string, a Layout, d, block int64) error {
	if op == "weak_complement" {
		return errorf(CodeNotComplementable, op,
			"%v has no weak complement: the stride %d is less than %d, the block that the smaller strides cover", a, d, block)
	}
	e := errorf(CodeNotComplementable, op,
		"%v has no complement: the stride %d is not a multiple of %d, the block that the smaller strides cover", a, d, block)
	if op == "complement" {
		if weak, err := WeakComplementCosize(a); err == nil {
			e.Hint = fmt.Sprintf("weak_complement fills the gaps as far as whole blocks go and leaves offsets free: weak_complement(%v) is %v",
				a, weak)
		}
	}
	return e
}

// sortAxis appends the leaves of a that move along one axis, with their strides along it, smallest first.
func (m *modes) sortAxis(op string, a *Layout, axis int) error {
	k := a.cod.axes()
	strides := a.strides()
	for i, s := range a.extents() {
		d := strides[i*k+axis]
		if s == 1 || d == 0 {
			continue
		}
		if d < 0 {
			m.trace.gap(s, d, 1, 0)
			return errorf(CodeNegative, op, "the stride %d of %v is negative: the operation needs strides of at least 0", d, *a)
		}
		j := m.n
		for ; j > 0 && m.d[j-1] > d; j-- {
			m.s[j], m.d[j] = m.s[j-1], m.d[j-1]
		}
		m.s[j], m.d[j] = s, d
		m.n++
	}
	return nil
}

// fillRest appends the mode that repeats the block up to the cotarget, if more than one block is needed.
func (m *modes) fillRest(op string, a *Layout, cotarget []int64, block int64) error {
	rest, left := int64(1), block
	for _, s := range cotarget {
		share := s
		switch {
		case left >= s:
			share, left = 1, ints.CeilDiv(left, s)
		case left > 1:
			share, left = ints.CeilDiv(s, left), 1
		}
		var ok bool
		if rest, ok = ints.Mul(rest, share); !ok {
			return overflowError(op, "the size of a cotarget for %v", *a)
		}
	}
	if m.trace != nil {
		m.trace.repeat(cotarget, block, rest)
	}
	if rest > 1 {
		m.putAlong(rest, block, 0)
	}
	return nil
}

// perAxis builds the complement of a layout with coordinate strides from integer complements, one for each axis that
// the layout uses. The strides along the axis with path p become multiples of the unit of p. The result's modes are
// nested like the axes in the coordinate, with 1:0 where a has no axis.
func (c complementer) perAxis(a Layout, cotarget Tuple) (Layout, error) {
	for i := range a.leaves() {
		if err := singleAxis(c.op, a, i); err != nil {
			return Layout{}, err
		}
	}
	w := axisWalk{complementer: c, a: a, cotarget: cotarget, axis: -1}
	return w.at(a.cod.prof, nil, cotarget)
}

// An axisWalk visits the leaves of the axes' profile, and complements a along each axis that a uses.
type axisWalk struct {
	complementer
	a        Layout
	cotarget Tuple
	axis     int // the last axis of a that was complemented
}

// at returns the complement along the axes of profile prof below the given path, up to the target there.
func (w *axisWalk) at(prof string, path []int, target Tuple) (Layout, error) {
	if prof == "." {
		return w.leaf(path, target)
	}
	ts := target.Modes()
	if target.prof == "." || len(ts) < profileRank(prof) {
		return Layout{}, errorf(CodeNotCongruent, w.op, "the axes of %v do not address the cotarget %v", w.a, w.cotarget)
	}
	parts := make([]Layout, len(ts))
	m := modesOf(prof)
	for i := range ts {
		sub := "."
		if m.next() {
			sub = m.prof
		}
		var err error
		if parts[i], err = w.at(sub, append(path[:len(path):len(path)], i), ts[i]); err != nil {
			return Layout{}, err
		}
	}
	return MakeLayout(parts...)
}

// leaf returns the complement along one axis.
func (w *axisWalk) leaf(path []int, target Tuple) (Layout, error) {
	unit, err := Basis(1, path...)
	if err != nil {
		return Layout{}, err
	}
	size, err := target.Product()
	if err != nil {
		return Layout{}, err
	}
	if next := w.axis + 1; next < w.a.cod.axes() && slices.Equal(w.a.cod.paths[next], path) {
		w.axis = next
		if w.trace != nil {
			w.trace.axis(w.a, next, target)
		}
		free, err := w.along(w.a, next, target)
		if err != nil {
			return Layout{}, err
		}
		w.trace.end(free)
		return free.along(unit)
	}
	w.trace.free(path, size)
	if size == 1 {
		return unitMode.along(unit)
	}
	return Layout{v: []int64{size, 1}, prof: "."}.along(unit)
}

// along turns a layout of integers into a layout along the axis of the given unit.
func (l Layout) along(unit Tuple) (Layout, error) {
	d := make([]int64, l.leaves())
	copy(d, l.strides())
	stride := Tuple{v: d, prof: l.prof, cod: unit.cod}
	v, cod := trimAxes(stride.v, stride.cod)
	return New(l.Shape(), Tuple{v: v, prof: l.prof, cod: cod})
}

// singleAxis refuses a leaf that moves along several axes at once.
func singleAxis(op string, a Layout, i int) error {
	used := 0
	for _, d := range a.stride(i) {
		if d != 0 {
			used++
		}
	}
	if used > 1 && a.extents()[i] > 1 {
		return errorf(CodeCodomain, op,
			"the stride %s of %v moves along several axes at once, which this operation does not take apart",
			appendVector(nil, a.stride(i), a.cod), a)
	}
	return nil
}

// A Gap is what a complement does at one mode of A, in the order of the strides. Block is what the smaller strides
// cover; Copies = stride div Block copies of Block fill the gap before the mode, as the mode Copies:Block; After is the
// block covered after the mode. After is 0 if A has no complement (docs/proofs.md): the stride is negative, less than
// the block, or not a multiple of it (unless the complement is weak).
type Gap struct {
	Mode                 Leaf
	Block, Copies, After int64
}

// A Repeat counts repetitions, up to the cotarget, of the block that A and its filled gaps cover.
type Repeat struct {
	Cotarget     []int64 // one number, or the extents of a shape
	Block, Times int64
}

// A Free is an axis of the cotarget along which A does not move: the complement covers the whole axis.
type Free struct {
	Axis   []int
	Places int64
}

func (Gap) derives() {}

func (Repeat) derives() {}

func (Free) derives() {}

// gap records the gap before the mode s:stride.
func (t *trace) gap(s, stride, block, after int64) {
	if t != nil {
		t.add(Gap{Leaf{s, Int(stride)}, block, stride / block, after})
	}
}

// repeat records how often the block is repeated.
func (t *trace) repeat(cotarget []int64, block, times int64) {
	if t != nil {
		t.add(Repeat{slices.Clone(cotarget), block, times})
	}
}

// free records an axis along which A does not move.
func (t *trace) free(axis []int, places int64) {
	if t != nil {
		t.add(Free{slices.Clone(axis), places})
	}
}

// axis begins the derivation of the current operation for one axis of a.
func (t *trace) axis(a Layout, axis int, b Tiler) {
	if t == nil {
		return
	}
	m := heapModes(a.leaves()+1, 1)
	for i, s := range a.extents() {
		if d := a.stride(i)[axis]; d != 0 {
			m.putAlong(s, d, 0)
		}
	}
	t.begin(t.top().Op, Layout{v: slices.Concat(m.s[:m.n], m.d[:m.n]), prof: unwrappedProfile(m.n)}, b)
	t.top().At = slices.Clone(a.cod.paths[axis])
}
