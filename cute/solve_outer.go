package cute

import (
	"fmt"
	"slices"
	"sort"

	"girih/internal/ints"
)

// This file solves X o A = B for a layout X: X(A(i)) = B(i) for every index i.
//
// The equation determines X at the offsets of A and nowhere else. It has no solution unless B is a function of these
// offsets: wherever A(i) = A(j), B(i) = B(j). With B = i it asks for the left inverse of A, so the search of
// inverse_search.go finds X in general. It takes pairs of an offset and the value there.

const opSolveOuter = "solve_outer"

// SolveOuter returns the layout X with X o A = B that has the fewest modes, just large enough for the offsets of A. As
// in [LeftInverse], X(-u) is -X(u).
//
// It returns [CodeNotCongruent] if A and B have different sizes, and [CodeNotRepresentable] if there is no such layout.
// The witness is then a pair of indices that A maps to one offset and B to two; or else the index of the least offset,
// in magnitude, such that every layout fails that solves the equation at smaller offsets. It returns [CodeCodomain] for
// coordinates, [CodeLimit] above [EnumLimit] elements, if the shapes have no common refinement and there are more than
// 2^16 elements, and if [InverseBudget] does not decide it. It also returns [CodeOverflow], and the errors of u, which
// may be nil.
func (u Until) SolveOuter(a, b Layout) (Solutions, error) {
	for _, l := range []Layout{a, b} {
		if l.HasBasis() {
			return Solutions{}, errorf(CodeCodomain, opSolveOuter, "expected integers as values, found coordinates of %v", l)
		}
		if err := checkEnum(opSolveOuter, l.Size(), l); err != nil {
			return Solutions{}, err
		}
	}
	if a.Size() != b.Size() {
		return Solutions{}, errorf(CodeNotCongruent, opSolveOuter,
			"expected layouts of one size, since X o A has the size of A; found %d of %v and %d of %v", a.Size(), a, b.Size(), b)
	}
	points, err := outerPoints(a, b, u)
	if err != nil {
		return Solutions{}, err
	}
	q := &inverter{a: a, stop: u}
	if terms, ok := commonTerms(a, b); ok {
		q.terms = terms
		if q.points = points; len(points) > pointLimit {
			q.points = samplePoints(terms)
			sort.Sort(ints.By(q.points, comparePoints))
			q.points = slices.DeleteFunc(slices.Compact(q.points), func(p point) bool { return p.u == 0 })
		}
	} else if len(points) <= 1<<16 {
		q.points = points
		q.terms = []term{{1, 0, []int64{points[len(points)-1].u}}} // for the size of X
		q.listed = true
	} else {
		return Solutions{}, errorf(CodeLimit, opSolveOuter,
			"expected at most %d different offsets of layouts whose shapes have no common refinement, found %d", 1<<16,
			len(points))
	}
	x := Layout{v: []int64{1, 0}, prof: "."}
	if len(points) > 0 {
		if x, err = q.run(); err != nil {
			return Solutions{}, q.outerError(err, b)
		}
	}
	return Solutions{X: x, Free: x.Size() - 1 - int64(len(points))}, nil
}

// outerPoints returns the pairs of an offset of A, above 0 in magnitude, and the value of B there. It refuses two
// values at one offset.
func outerPoints(a, b Layout, u Until) ([]point, error) {
	us, err := a.appendOffsets(nil, u)
	if err != nil {
		return nil, err
	}
	ys, err := b.appendOffsets(nil, u)
	if err != nil {
		return nil, err
	}
	order := make([]int64, len(us))
	for i := range order {
		order[i] = int64(i)
	}
	at := func(i int64) point {
		if us[i] < 0 {
			return point{-us[i], -ys[i]}
		}
		return point{us[i], ys[i]}
	}
	byOffset := func(i, j int64) int {
		if c := comparePoints(point{u: at(i).u}, point{u: at(j).u}); c != 0 {
			return c
		}
		return comparePoints(point{u: i}, point{u: j})
	}
	if err := ints.SortFunc(order, byOffset, u); err != nil {
		return nil, err
	}
	var points []point
	var first int64
	for k, i := range order {
		p := at(i)
		if k == 0 || p.u != at(first).u {
			first = i
			if p.u > 0 {
				points = append(points, p)
				continue
			}
		}
		if q := at(first); p.index != q.index || p.u == 0 && p.index != 0 {
			return nil, twoValues(a, b, min(i, first), max(i, first))
		}
	}
	return points, nil
}

// twoValues is the error for indices i and j at which A has one offset, up to the sign, and B two values.
func twoValues(a, b Layout, i, j int64) error {
	c, _ := Idx2Crd(Int(i), a.Shape())
	d, _ := Idx2Crd(Int(j), a.Shape())
	u, _ := a.At(i)
	v, _ := a.At(j)
	x, _ := b.At(i)
	y, _ := b.At(j)
	return &Error{
		Code: CodeNotRepresentable, Op: opSolveOuter,
		Msg: fmt.Sprintf("no X has X o %v = %v: at the indices %d and %d the inner offsets are %d and %d, and X would need the "+
			"values %d and %d there", a, b, i, j, u, v, x, y),
		Witness: &Witness{Coord: c, Index: i, Value: Int(x), Other: &d},
	}
}

// commonTerms returns the leaves of both layouts over a common refinement of their shapes: each moves the offset of A
// by d and the value of B by index. ok is false if there is no such refinement.
func commonTerms(a, b Layout) (terms []term, ok bool) {
	as, ad := slices.Clone(a.extents()), slices.Clone(a.strides())
	bs, bd := slices.Clone(b.extents()), slices.Clone(b.strides())
	for i, j := 0, 0; i < len(as) || j < len(bs); {
		switch {
		case i < len(as) && as[i] == 1:
			i++
			continue
		case j < len(bs) && bs[j] == 1:
			j++
			continue
		case i == len(as) || j == len(bs):
			return nil, false
		}
		n := min(as[i], bs[j])
		if as[i]%n != 0 || bs[j]%n != 0 {
			return nil, false
		}
		if ad[i] != 0 {
			terms = append(terms, term{n - 1, bd[j], []int64{ad[i]}})
		}
		as[i], ad[i] = as[i]/n, ad[i]*n
		bs[j], bd[j] = bs[j]/n, bd[j]*n
	}
	sort.Stable(ints.By(terms, func(x, y term) int { return comparePoints(point{u: norm(x.d)}, point{u: norm(y.d)}) }))
	return terms, true
}

// outerError restates an error of the search for an inverse.
func (q *inverter) outerError(err error, b Layout) error {
	switch {
	case errorIs(err, CodeNotInvertible):
		p := q.points[q.deepest]
		us, _ := q.a.AppendOffsets(nil)
		i := int64(slices.IndexFunc(us, func(u int64) bool { return u == p.u || u == -p.u }))
		c, _ := Idx2Crd(Int(i), q.a.Shape())
		y, _ := b.At(i)
		return &Error{
			Code: CodeNotRepresentable, Op: opSolveOuter,
			Msg: fmt.Sprintf("no layout X has X o %v = %v: every layout with the values for smaller offsets fails at the offset %d "+
				"of index %d, coordinate %v, where it has to be %d", q.a, b, us[i], i, c, y),
			Witness: &Witness{Coord: c, Index: i, Value: Int(y)},
		}
	case errorIs(err, CodeLimit):
		return errorf(CodeLimit, opSolveOuter, "the layouts X with X o %v = %v are undecided after %d looks at offsets",
			q.a, b, int64(InverseBudget))
	}
	return err
}
