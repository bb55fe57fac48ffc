package cute

import "slices"

// This file holds the steps of coalesce, complements and inverses.

// A Merge is what coalesce does with one mode: one of extent 1 goes, one whose stride is that of the mode before,
// continued, is merged into it, and any other one is kept.
type Merge struct {
	Mode   Leaf
	Before Leaf  // the last mode that is kept so far; of extent 0 if there is none
	Next   Tuple // the stride that continues it; () if that leaves 64 bits
	After  Leaf  // the last mode that is kept then
	Merged bool
}

// A Gap is what a complement does at one mode of A, in the order of the strides: Copies = stride div Block copies of
// the block that the smaller strides cover fill the gap before the mode, as the mode Copies:Block, and After is the
// block that is covered then. After is 0 where A has no complement (docs/proofs.md): the stride is negative, less than
// the block, or, unless the complement is weak, no multiple of it.
type Gap struct {
	Mode                 Leaf
	Block, Copies, After int64
}

// A Repeat is how often the block that A and its gaps cover is repeated up to the cotarget.
type Repeat struct {
	Cotarget     []int64 // one number, or the extents of a shape, each of which the block fills rounded up
	Block, Times int64
}

// A Free is an axis of the cotarget along which A does not move: all its places are those of the complement.
type Free struct {
	Axis   []int
	Places int64
}

// A Continue is what the right inverse does with one mode of A, coalesced, in the order of the strides: if its stride
// is the number of offsets that are reached, 0 to Reached-1, it continues them, and Mode.Extent:Index is a mode of the
// inverse.
type Continue struct {
	Mode    Leaf
	Index   int64 // what a step of the mode adds to the index of A
	Reached int64
}

// Continues reports whether the mode continues the offsets that are reached.
func (c Continue) Continues() bool {
	d, _ := c.Mode.Stride.Int64()
	return d == c.Reached
}

// A Chain is what the left inverse does with one mode of A, coalesced, in the order of the strides: up to its stride
// the inverse counts on in steps of the stride before, as the mode Made, of extent 1 if there is nothing between them.
// The last one has no mode of A, and Made is for the last stride.
type Chain struct {
	Mode   Leaf
	Index  int64 // what a step of the mode adds to the index of A
	Before int64 // the stride before, 1 for the first
	Made   Leaf
}

// A Negate is a left inverse that is found for the layout of the negative offsets: as layouts are odd, what takes those
// back takes the offsets back with the sign turned.
type Negate struct{ Of Layout }

// A Search is a left inverse whose extents are no ratios of strides: it follows from the equations R(A(i)) = i, in the
// order of the offsets. A new mode of it begins where that of an offset has no solution in integers with those before.
type Search struct {
	Strides []int64 // of A, coalesced, smallest first, which do not chain
}

// A Follow is one of the first offsets of B in max_common_layout, with the index at which the right inverse of B has
// it, and the value of A there: A follows if that is the offset, and the index is one of A's. The first offset at which
// it does not is the last that is taken down.
type Follow struct {
	Offset, Index int64
	Value         Tuple
	Follows       bool
}

// mostFollows is the number of offsets that are taken down: as many as are looked at by a reader, who has the layout of
// all that follow.
const mostFollows = 17

func searchOf(terms []term) Search {
	var s Search
	for _, t := range terms {
		s.Strides = append(s.Strides, t.d[0])
	}
	return s
}

func (Search) derives()   {}
func (Follow) derives()   {}
func (Merge) derives()    {}
func (Gap) derives()      {}
func (Repeat) derives()   {}
func (Free) derives()     {}
func (Continue) derives() {}
func (Chain) derives()    {}
func (Negate) derives()   {}

// merge takes down that the leaf s:stride comes after the modes that are kept, and merged what becomes of it.
func (t *trace) merge(m *modes, s int64, stride []int64) {
	step := Merge{Mode: t.leaf(s, stride)}
	if m.n > 0 {
		step.Before = t.leaf(m.s[m.n-1], m.stride(m.n-1))
		step.Next, _ = step.Before.Stride.Scale(step.Before.Extent)
	}
	t.add(step)
}

func (t *trace) merged(m *modes) {
	d := t.top()
	last := len(d.Steps) - 1
	step, ok := d.Steps[last].(Merge)
	if !ok || m.n == 0 {
		return
	}
	step.After = t.leaf(m.s[m.n-1], m.stride(m.n-1))
	step.Merged = step.Mode.Extent > 1 && step.After.Extent != step.Mode.Extent
	d.Steps[last] = step
}

// gap takes down the gap before the mode s:stride.
func (t *trace) gap(s, stride, block, after int64) {
	if t != nil {
		t.add(Gap{Leaf{s, Int(stride)}, block, stride / block, after})
	}
}

// repeat takes down how often the block is repeated.
func (t *trace) repeat(cotarget []int64, block, times int64) {
	if t != nil {
		t.add(Repeat{slices.Clone(cotarget), block, times})
	}
}

// free takes down an axis along which nothing moves.
func (t *trace) free(axis []int, places int64) {
	if t != nil {
		t.add(Free{slices.Clone(axis), places})
	}
}

// inverse takes down what becomes of a mode in a right inverse.
func (t *trace) inverse(s step, reached int64) {
	if t != nil {
		t.add(Continue{Leaf{s.s, Int(s.d)}, s.index, reached})
	}
}

// follow takes down how a goes along with the offsets that have the indices r.
func (t *trace) follow(a, r Layout) {
	if t == nil {
		return
	}
	for k := range min(r.Size(), mostFollows) {
		i, err := r.At(k)
		if err != nil {
			return
		}
		v, err := a.Eval(Int(i))
		if err != nil {
			return
		}
		f := Follow{Offset: k, Index: i, Value: v, Follows: v.Equal(Int(k)) && i < a.Size()}
		if t.add(f); !f.Follows {
			return
		}
	}
}

// chain takes down what becomes of a mode in a left inverse.
func (t *trace) chain(s step, before int64, made Leaf) {
	if t != nil {
		t.add(Chain{Leaf{s.s, Int(s.d)}, s.index, before, made})
	}
}

// axis begins the operation under way for one axis of a.
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
