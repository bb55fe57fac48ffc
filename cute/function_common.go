package cute

import (
	"cmp"
	"fmt"
	"slices"

	"girih/internal/ints"
)

// This file implements what two functions have in common as vectors, where one at least is composed. Of layouts CuTe
// asks for the first vector, and the others are that one shifted, as far as it divides the modes. A swizzle may keep
// the first together and take the next ones apart,
//
//	Sw<2,1,3> o 0 o 32:1    0 1 2 ... 15, then 18 19 16 17 22 23 ...
//
// so here a vector length is one that cuts the whole domain: into lists of n indices along each of which both functions
// count up by one. Two indices follow each other in both only if they have the same difference of the two values; so
// the indices are sorted by that difference and then by value, and every run of values has to be cut into pieces of n.

// MaxCommonVector returns the largest number of elements such that all indices of c and d, up to the smaller size, can
// be cut into vectors of so many along which both count up by one: what a copy between the two may move at once, if the
// addresses are aligned. Where both are layouts it is [MaxCommonVector]. It returns [CodeCodomain] for coordinates,
// [CodeLimit] above [EnumLimit] elements, and the errors of [Composed.Eval].
func (c Composed) MaxCommonVector(d Composed) (int64, error) {
	const op = "max_common_vector"
	if a, b, ok := bothPlain(c, d); ok {
		l, err := maxCommonLayout(a, b, caller{Until: c.stop})
		return l.Size(), err
	}
	return c.vector(op, d)
}

// MaxCommonLayout returns the first such vector: the function r with c(r(i)) = d(r(i)) = i for every i below
// [Composed.MaxCommonVector]. It returns [CodeNotRepresentable] if no such vector begins at 0, [CodeLimit] if one does
// and is not found as the right inverse of c or d, and the errors of MaxCommonVector.
func (c Composed) MaxCommonLayout(d Composed) (Composed, error) {
	const op = "max_common_layout"
	if a, b, ok := bothPlain(c, d); ok {
		l, err := maxCommonLayout(a, b, caller{Until: c.stop})
		return l.Composed().Until(c.stop), err
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
	size := min(f.size(), g.size())
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
		follows := 0
		for i, x := range table {
			if err := c.stop.at(int64(i)); err != nil {
				return Composed{}, err
			}
			if x < 0 || x >= size || f.at(x) != int64(i) || g.at(x) != int64(i) {
				break
			}
			follows++
		}
		if follows == len(table) {
			return r, nil
		}
	}
	return Composed{}, f.noCommon(op, g, n, size)
}

// TornVector returns the first run of indices, by where it begins, along which c and d both count up by one and which
// cannot be cut into vectors of n: its last index, the number of its values, and whether there is one. So it says why
// vectors are not longer than [Composed.MaxCommonVector]. It returns [CodeExtent] for n below 1, and the errors of
// MaxCommonVector.
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
	where := make(map[place]indices, size) // those with these values
	for i := range size {
		if err := c.stop.at(i); err != nil {
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
			if err := c.stop.at(int64(len(counts))); err != nil {
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

// noCommon says why no vector of n that f and g have in common is known to begin at 0.
func (f *function) noCommon(op string, g *function, n, size int64) error {
	both := make([]bool, n+1)
	for x := range size {
		if err := f.c.stop.at(x); err != nil {
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

// bothPlain returns the layouts that c and d are, as functions.
func bothPlain(c, d Composed) (a, b Layout, ok bool) {
	if a, ok = c.plain(); !ok {
		return a, b, false
	}
	b, ok = d.plain()
	return a, b, ok
}

// plain returns the layout that c is, if it is one.
func (c Composed) plain() (Layout, bool) {
	if len(c.stages) == 0 {
		return c.inner, true
	}
	l, o, err := c.Decay()
	return l, err == nil && o == 0
}

// vector returns the largest vector of c and d.
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
	type place struct{ apart, value int64 }
	places := make([]place, size)
	for i := range places {
		if err := c.stop.at(int64(i)); err != nil {
			return 0, err
		}
		x, y := f.at(int64(i)), g.at(int64(i))
		// The difference may wrap, which is the same for equal ones, and no other has it: it is a bijection of what wraps.
		places[i] = place{x - y, x}
	}
	byPlace := func(a, b place) int {
		if a.apart != b.apart {
			return cmp.Compare(a.apart, b.apart)
		}
		return cmp.Compare(a.value, b.value)
	}
	if err := ints.SortFunc(places, byPlace, c.stop); err != nil {
		return 0, err
	}
	// The runs of following values, one behind the other: how many indices have each value. Where that is one for all
	// values of a run, every divisor of its length cuts it.
	var counts, ends []int32
	n := int64(0)
	for i := 0; i < len(places); {
		if err := c.stop.at(int64(i)); err != nil {
			return 0, err
		}
		from, begin, at := len(counts), i, places[i]
		for i < len(places) && places[i] == at {
			count := int32(0)
			for ; i < len(places) && places[i] == at; i++ {
				count++
			}
			counts = append(counts, count)
			at.value++
		}
		n = ints.GCD(n, int64(i-begin))
		if i-begin == len(counts)-from {
			counts = counts[:from]
			continue
		}
		ends = append(ends, int32(len(counts)))
	}
	begun := make([]int32, len(counts))
	for x := n; x > 1; x-- {
		if n%x != 0 {
			continue
		}
		fits, from := true, int32(0)
		for i, end := range ends {
			if err := c.stop.at(int64(i)); err != nil {
				return 0, err
			}
			if fits = splitsIntoRuns(counts[from:end], begun, x); !fits {
				break
			}
			from = end
		}
		if fits {
			return x, nil
		}
	}
	return 1, nil
}

// splitsIntoRuns reports whether numbers of which there are so many each can be cut into lists of n that follow each
// other. The least number that is left begins as many lists as are left of it, which begun is for.
func splitsIntoRuns(run, begun []int32, n int64) bool {
	if n > int64(len(run)) {
		return false
	}
	open := int32(0) // lists that have begun and not ended
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
