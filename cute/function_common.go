package cute

import (
	"cmp"
	"fmt"
	"slices"

	"girih/internal/ints"
)

// This file compares composed layouts as functions. It splits both into digits (function.go). Over a common refinement
// of the digits, the functions are equal if the digits that pass in both have equal steps, and the tables over the
// other digits are equal.

// Equivalent reports whether c and d are the same function on the same number of indices, and if not where they first
// differ. It returns [CodeLimit] if the decision needs a table of more than [EnumLimit] entries, and the errors of
// [Composed.Eval].
func (c Composed) Equivalent(d Composed) (bool, *Difference, error) {
	if len(c.stages()) == 0 && len(d.stages()) == 0 {
		same, diff := Equivalent(c.inner(), d.inner())
		return same, diff, nil
	}
	const op = "equivalent"
	if c.HasBasis() || d.HasBasis() {
		return c.sameCoordinates(d)
	}
	f, err := functionOf(op, c)
	if err != nil {
		return false, nil, err
	}
	g, err := functionOf(op, d)
	if err != nil {
		return false, nil, err
	}
	if c.Size() == d.Size() {
		if done, same, err := f.sameDigits(g); done || err != nil {
			return same, nil, err
		}
	}
	// The functions differ somewhere, or their digits have no common refinement: compare the values.
	n := min(c.Size(), d.Size())
	for i := range min(n, EnumLimit) {
		if err := c.stop().at(i); err != nil {
			return false, nil, err
		}
		if x, y := f.at(i), g.at(i); x != y {
			return false, &Difference{Index: i, A: Int(x), B: Int(y)}, nil
		}
	}
	if n > EnumLimit {
		if c.Size() != d.Size() {
			return false, nil, nil
		}
		return false, nil, checkEnum(op, n, c)
	}
	return c.Size() == d.Size(), sizesDiffer(c.Size(), d.Size()), nil
}

// sizesDiffer returns the difference of functions that agree up to the smaller of their sizes; nil if the sizes are
// equal.
func sizesDiffer(n, m int64) *Difference {
	if n == m {
		return nil
	}
	return &Difference{Index: min(n, m), Sizes: true}
}

// sameDigits compares f and g over a common refinement of their digits. done is false if there is no refinement, or if
// the functions differ.
func (f *function) sameDigits(g *function) (done, same bool, err error) {
	shape, err := CommonRefinement(shapeOf(f.s), shapeOf(g.s))
	if err != nil {
		return false, false, nil //nolint:nilerr // digits without a common refinement are not an error
	}
	x, y := f.refine(shape.v), g.refine(shape.v)
	var s, d []int64
	step := int64(1)
	for i, e := range shape.v {
		switch {
		case x.table[i] || y.table[i]:
			s, d = append(s, e), append(d, step)
		case x.d[i] != y.d[i] && e > 1:
			return false, false, nil
		}
		step *= e
	}
	if len(s) == 0 {
		return f.at(0) == g.at(0), true, nil
	}
	part := Layout{v: append(s, d...), prof: flatProfile(len(s))}
	if checkEnum("equivalent", part.Size(), part) != nil {
		return false, false, nil
	}
	indices, err := part.AppendOffsets(nil)
	if err != nil {
		return false, false, err
	}
	for k, i := range indices {
		if err := f.c.stop().at(int64(k)); err != nil {
			return false, false, err
		}
		if f.at(i) != g.at(i) {
			return false, false, nil
		}
	}
	return true, true, nil
}

func shapeOf(s []int64) Tuple {
	if len(s) == 0 {
		return Int(1)
	}
	return Ints(s...)
}

// refine returns f's digits over a finer shape.
func (f *function) refine(shape []int64) function {
	var r function
	next, rest, d := -1, int64(1), int64(0)
	for _, e := range shape {
		for rest == 1 && next+1 < len(f.s) {
			next++
			rest, d = f.s[next], f.d[next]
		}
		in := next >= 0 && f.table[next]
		r.s, r.d, r.table = append(r.s, e), append(r.d, d), append(r.table, in)
		rest /= e
		d *= e
	}
	return r
}

// sameCoordinates compares chains whose values are coordinates, value by value.
func (c Composed) sameCoordinates(d Composed) (bool, *Difference, error) {
	n := min(c.Size(), d.Size())
	if err := checkEnum("equivalent", n, c); err != nil {
		return false, nil, err
	}
	for i := range n {
		if err := c.stop().at(i); err != nil {
			return false, nil, err
		}
		x, err := c.Eval(Int(i))
		if err != nil {
			return false, nil, err
		}
		y, err := d.Eval(Int(i))
		if err != nil {
			return false, nil, err
		}
		if !samePoint(x, y) {
			return false, &Difference{Index: i, A: x, B: y}, nil
		}
	}
	return c.Size() == d.Size(), sizesDiffer(c.Size(), d.Size()), nil
}

// samePoint reports whether two coordinates are the same point; modes that one leaves out are 0.
func samePoint(x, y Tuple) bool {
	if x.IsInt() || y.IsInt() {
		return x.Equal(y) || (allZero(x) && allZero(y))
	}
	xs, ys := x.Modes(), y.Modes()
	for i := range max(len(xs), len(ys)) {
		switch {
		case i >= len(xs):
			if !allZero(ys[i]) {
				return false
			}
		case i >= len(ys):
			if !allZero(xs[i]) {
				return false
			}
		case !samePoint(xs[i], ys[i]):
			return false
		}
	}
	return true
}

func allZero(t Tuple) bool { return isZero(t.v) }

// The following functions find vectors that two functions have in common, at least one of them composed. For layouts
// CuTe finds the first vector; later vectors are shifted copies of the first, as far as its length divides the modes. A
// swizzle may keep the elements of the first vector together and separate the elements of later vectors:
//
//	Sw<2,1,3> o 0 o 32:1    0 1 2 ... 15, then 18 19 16 17 22 23 ...
//
// So a vector length here must cut the whole domain into lists of n indices, and both functions count up by one along
// each list. If one index follows another in both functions, the difference of the two functions is the same at both
// indices. So the indices are sorted by that difference and then by value, and every run of values must split into
// pieces of n.

// MaxCommonVector returns the largest n such that all indices of c and d, up to the smaller size, can be cut into
// vectors of n along which both functions count up by one: what a copy between the two may move at once, if the
// addresses are aligned. For two layouts it is [MaxCommonVector]. It returns [CodeCodomain] for coordinates,
// [CodeLimit] above [EnumLimit] elements, and the errors of [Composed.Eval].
func (c Composed) MaxCommonVector(d Composed) (int64, error) {
	const op = "max_common_vector"
	if a, b, ok := bothPlain(c, d); ok {
		l, err := maxCommonLayout(a, b, caller{Until: c.stop()})
		return l.Size(), err
	}
	return c.vector(op, d)
}

// MaxCommonLayout returns the first of these vectors: the function r with c(r(i)) = d(r(i)) = i for every i below
// [Composed.MaxCommonVector]. It returns [CodeNotRepresentable] if no such vector begins at 0, [CodeLimit] if such a
// vector exists but is not found as the right inverse of c or d, and the errors of MaxCommonVector.
func (c Composed) MaxCommonLayout(d Composed) (Composed, error) {
	const op = "max_common_layout"
	if a, b, ok := bothPlain(c, d); ok {
		l, err := maxCommonLayout(a, b, caller{Until: c.stop()})
		return l.Composed().Until(c.stop()), err
	}
	n, err := c.vector(op, d)
	if err != nil {
		return Composed{}, err
	}
	f, err := functionOf(op, c)
	if err != nil {
		return Composed{}, err
	}
	g, err := functionOf(op, d)
	if err != nil {
		return Composed{}, err
	}
	for _, of := range []Composed{d, c} {
		r, err := of.RightInverse()
		if err != nil || r.Size() < n {
			continue
		}
		if r, err = r.Compose(Layout{v: []int64{n, 1}, prof: "."}); err != nil {
			continue
		}
		table, err := r.AppendOffsets(nil)
		if err != nil {
			continue
		}
		both, err := f.inverts(g, table)
		if err != nil {
			return Composed{}, err
		}
		if both {
			return r, nil
		}
	}
	return Composed{}, f.noCommon(op, g, n, min(f.size(), g.size()))
}

// inverts reports whether f and g both map the i-th index of the table to i, for every i.
func (f *function) inverts(g *function, table []int64) (bool, error) {
	for _, h := range []*function{f, g} {
		n, err := h.countsUp(table)
		if err != nil || n < int64(len(table)) {
			return false, err
		}
	}
	return true, nil
}

// TornVector explains why vectors are not longer than [Composed.MaxCommonVector]. It returns the first run of indices,
// by its beginning, along which c and d both count up by one and which cannot be cut into vectors of n. The results are
// the run's last index, the number of its values, and whether there is such a run. It returns [CodeExtent] for n below
// 1, and the errors of MaxCommonVector.
func (c Composed) TornVector(d Composed, n int64) (last, length int64, torn bool, err error) {
	const op = "max_common_vector"
	if n < 1 {
		return 0, 0, false, errorf(CodeExtent, op, "expected vectors of 1 element or more, found %d", n)
	}
	f, err := functionOf(op, c)
	if err != nil {
		return 0, 0, false, err
	}
	g, err := functionOf(op, d)
	if err != nil {
		return 0, 0, false, err
	}
	size := min(f.size(), g.size())
	if err := checkEnum(op, size, fmt.Sprintf("%v or %v", c, d)); err != nil {
		return 0, 0, false, err
	}
	type place struct{ x, y int64 }
	type indices struct {
		last  int64
		count int32
	}
	where := make(map[place]indices, size) // by value: the indices with this value
	for i := range size {
		if err := c.stop().at(i); err != nil {
			return 0, 0, false, err
		}
		p := place{f.at(i), g.at(i)}
		where[p] = indices{i, where[p].count + 1}
	}
	var counts, begun []int32
	for i := range size {
		p := place{f.at(i), g.at(i)}
		if _, before := where[place{p.x - 1, p.y - 1}]; before {
			continue
		}
		counts = counts[:0]
		for at, more := where[p]; more; at, more = where[p] {
			if err := c.stop().at(int64(len(counts))); err != nil {
				return 0, 0, false, err
			}
			last, counts = at.last, append(counts, at.count)
			p.x, p.y = p.x+1, p.y+1
		}
		begun = slices.Grow(begun[:0], len(counts))[:len(counts)]
		if !splitsIntoRuns(counts, begun, n) {
			return last, int64(len(counts)), true, nil
		}
	}
	return 0, 0, false, nil
}

// noCommon is the error that no common vector of n of f and g is known to begin at 0.
func (f *function) noCommon(op string, g *function, n, size int64) error {
	both := make([]bool, n+1)
	for x := range size {
		if err := f.c.stop().at(x); err != nil {
			return err
		}
		if y := f.at(x); y >= 0 && y < n && y == g.at(x) {
			both[y] = true
		}
	}
	counted := int64(slices.Index(both, false))
	hint := fmt.Sprintf("max_common_vector is %d", n)
	switch counted {
	case 0:
		return &Error{
			Code: CodeNotRepresentable, Op: op, Hint: hint,
			Msg: fmt.Sprintf("%v and %v have the value 0 at no common index, so no function of indices counts up from 0 in both",
				f.c, g.c),
		}
	case n:
		return &Error{
			Code: CodeLimit, Op: op, Hint: hint,
			Msg: fmt.Sprintf("%v and %v have vectors of %d elements in common, one from 0 on, "+
				"and the right inverse of neither that is known follows the other", f.c, g.c, n),
		}
	}
	return &Error{
		Code: CodeNotRepresentable, Op: op, Hint: hint,
		Msg: fmt.Sprintf("%v and %v count up together from 0 to %d, and the vectors of %d elements that cut them begin elsewhere",
			f.c, g.c, counted-1, n),
	}
}

// bothPlain returns c and d as layouts, if both are equal to layouts as functions.
func bothPlain(c, d Composed) (a, b Layout, ok bool) {
	if a, ok = c.plain(); !ok {
		return a, b, false
	}
	b, ok = d.plain()
	return a, b, ok
}

// plain returns c as a layout, if it has no functions outside that matter.
func (c Composed) plain() (Layout, bool) {
	if len(c.stages()) == 0 {
		return c.inner(), true
	}
	l, o, err := c.Decay()
	return l, err == nil && o == 0
}

// vector returns the length of the longest vectors of c and d.
func (c Composed) vector(op string, d Composed) (int64, error) {
	f, err := functionOf(op, c)
	if err != nil {
		return 0, err
	}
	g, err := functionOf(op, d)
	if err != nil {
		return 0, err
	}
	size := min(f.size(), g.size())
	if err := checkEnum(op, size, fmt.Sprintf("%v or %v", c, d)); err != nil {
		return 0, err
	}
	places, err := f.commonPlaces(g, size)
	if err != nil {
		return 0, err
	}
	runs, err := runsOf(places, c.stop())
	if err != nil {
		return 0, err
	}
	for x := runs.divisor; x > 1; x-- {
		if runs.divisor%x != 0 {
			continue
		}
		fits, err := runs.split(x, c.stop())
		if err != nil {
			return 0, err
		}
		if fits {
			return x, nil
		}
	}
	return 1, nil
}

// A commonPlace describes two functions at one index: the difference of their values, and the first function's value.
type commonPlace struct{ apart, value int64 }

// commonPlaces returns the places of f and g at the first size indices, sorted.
func (f *function) commonPlaces(g *function, size int64) ([]commonPlace, error) {
	places := make([]commonPlace, size)
	for i := range places {
		if err := f.c.stop().at(int64(i)); err != nil {
			return nil, err
		}
		x, y := f.at(int64(i)), g.at(int64(i))
		// The difference may wrap, but wrapping is a bijection: equal differences stay equal and others stay different.
		places[i] = commonPlace{x - y, x}
	}
	byPlace := func(a, b commonPlace) int {
		if a.apart != b.apart {
			return cmp.Compare(a.apart, b.apart)
		}
		return cmp.Compare(a.value, b.value)
	}
	return places, ints.SortFunc(places, byPlace, f.c.stop())
}

// commonRuns are the runs of consecutive values in sorted places.
type commonRuns struct {
	divisor int64 // the greatest common divisor of the numbers of indices in the runs
	// The number of indices that have each value, run after run, and the end of each run. A run is left out if each of
	// its values has one index, because every divisor of its length cuts such a run.
	counts, ends []int32
	begun        []int32 // a buffer for splitsIntoRuns
}

func runsOf(places []commonPlace, stop Until) (commonRuns, error) {
	var r commonRuns
	for i := 0; i < len(places); {
		if err := stop.at(int64(i)); err != nil {
			return r, err
		}
		from, begin, at := len(r.counts), i, places[i]
		for i < len(places) && places[i] == at {
			count := int32(0)
			for ; i < len(places) && places[i] == at; i++ {
				count++
			}
			r.counts = append(r.counts, count)
			at.value++
		}
		r.divisor = ints.GCD(r.divisor, int64(i-begin))
		if i-begin == len(r.counts)-from {
			r.counts = r.counts[:from]
			continue
		}
		r.ends = append(r.ends, int32(len(r.counts)))
	}
	r.begun = make([]int32, len(r.counts))
	return r, nil
}

// split reports whether vectors of n cut all runs.
func (r *commonRuns) split(n int64, stop Until) (bool, error) {
	from := int32(0)
	for i, end := range r.ends {
		if err := stop.at(int64(i)); err != nil {
			return false, err
		}
		if !splitsIntoRuns(r.counts[from:end], r.begun, n) {
			return false, nil
		}
		from = end
	}
	return true, nil
}

// splitsIntoRuns reports whether consecutive numbers, where the i-th occurs run[i] times, can be cut into lists of n
// consecutive numbers each. The least number left begins one list per occurrence that is left; begun counts these
// lists.
func splitsIntoRuns(run, begun []int32, n int64) bool {
	if n > int64(len(run)) {
		return false
	}
	open := int32(0) // lists that have begun but not ended
	for i, count := range run {
		if int64(i) >= n {
			open -= begun[int64(i)-n]
		}
		if count < open {
			return false
		}
		if begun[i] = count - open; begun[i] > 0 && int64(i)+n > int64(len(run)) {
			return false
		}
		open = count
	}
	return true
}

// MaxAlignment returns the alignment of a layout followed by a swizzle, in elements: 2^M of Sw<B,M,S>, as far as the
// offset and [MaxAlignment] of the layout allow it (max_alignment in include/cute/swizzle_layout.hpp). For other
// functions it is 1, as in CuTe, except that a plain layout keeps its own alignment. It returns [CodeCodomain] for
// coordinates, and the errors of MaxAlignment.
func (c Composed) MaxAlignment() (int64, error) {
	n, err := MaxAlignment(c.inner())
	if err != nil {
		return 0, err
	}
	count := 0
	for outer, offset := range c.Stages() {
		w, ok := outer.(Swizzle)
		x, integer := offset.Int64()
		if count++; !ok || !integer || count > 1 {
			return 1, nil
		}
		n = ints.GCD(ints.GCD(n, x), 1<<w.M())
	}
	return n, nil
}
