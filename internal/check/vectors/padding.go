package vectors

import (
	"fmt"

	"girih/cute"
	"girih/internal/why/judge"
)

// This file checks girih's notes about the padding of a divide.

// checkNote checks that a divide notes its padding, and that the predicate is right.
func checkNote(q judge.Query, r judge.Mode, a answer) (judge.Finding, string) {
	if !judge.AnyDivide(q.Op) {
		return judge.Holds, ""
	}
	if q.TooLarge() || r.Leaves().Size() > judge.MaxValues {
		return judge.Unknown, ""
	}
	p, err := paddingOf(q)
	if err != nil {
		return judge.Breaks, "package cute refuses: " + err.Error()
	}
	exact := r.Leaves().Size() == q.A.Leaves().Size()*q.B.Leaves().Repeats()
	switch {
	case p.None() == a.notesPadding():
		return judge.Breaks, "the notes do not say whether the result is padded"
	case p.None() != exact:
		return judge.Breaks, "the padding does not account for the size of the result"
	case exact:
		return judge.Holds, ""
	}
	return checkPadding(q, r, p)
}

// checkPadding checks the predicate of a padded divide. The result's indices that the predicate marks as real must
// reach every coordinate of coalesced A as often as B repeats elements, each at the offset of its coordinate.
func checkPadding(q judge.Query, r judge.Mode, p cute.Padding) (judge.Finding, string) {
	coord, ok := judge.ReadLayout(p.Coord.String())
	bound, okBound := p.Bound.Leaves(), p.Bound.Depth() <= 1
	a := q.A.Leaves().Coalesce()
	if len(a) == 0 {
		a = judge.Leaves{{S: 1}}
	}
	if !ok || !okBound || len(bound) != len(a) {
		return judge.Breaks, fmt.Sprintf("the predicate is not about the modes of coalesced A: %v", p)
	}
	axes := make([][]int64, len(bound))
	for k := range axes {
		path := fmt.Sprintf("@%d", k)
		if p.Bound.IsInt() {
			path = ""
		}
		axes[k] = coord.Along(path).Table()
	}
	hits := make([]int64, q.A.Leaves().Size())
	for i, v := range r.Leaves().Table() {
		index, step, offset, real := int64(0), int64(1), int64(0), true
		for k, l := range a {
			x := axes[k][i]
			real = real && x < bound[k]
			index, step, offset = index+x*step, step*l.S, offset+x*l.D
		}
		if !real {
			continue
		}
		hits[index]++
		if v != offset {
			return judge.Breaks, fmt.Sprintf("index %d is real and is the element at offset %d, not %d", i, offset, v)
		}
	}
	for i, n := range hits {
		if n != q.B.Leaves().Repeats() {
			return judge.Breaks, fmt.Sprintf("element %d of A is real at %d indices", i, n)
		}
	}
	return judge.Holds, ""
}

// paddingOf returns the predicate of girih's divide.
func paddingOf(q judge.Query) (cute.Padding, error) {
	a, err := cute.Parse(q.Args[0])
	if err != nil {
		return cute.Padding{}, err
	}
	t, err := cute.ParseTiler(q.Args[1])
	if err != nil {
		return cute.Padding{}, err
	}
	divide := map[string]func(cute.Layout, cute.Tiler) (cute.Division, error){
		"logical_divide": cute.LogicalDivide, "zipped_divide": cute.ZippedDivide,
		"tiled_divide": cute.TiledDivide, "flat_divide": cute.FlatDivide,
	}[q.Op]
	d, err := divide(a, t)
	return d.Padding, err
}
