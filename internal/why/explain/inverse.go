package explain

import (
	"cmp"
	"fmt"
	"sort"

	"girih/cute"
)

// This file explains inverses of layouts with integer strides. A right inverse follows the strides from 1 on as long as
// each stride continues the block before it; a left inverse needs strides that reach every offset at most once.

const (
	rightInverseRule = "R(i) is the index at which A has the offset i. Sort the modes of A, coalesced, by stride: as long as each stride continues the offsets that are reached, the mode s:d becomes s:w, where w is the product of the extents before it in A, that is what one step of it adds to the index."
	inverseSource    = "CuTe, include/cute/layout.hpp, right_inverse and left_inverse; Cecka, arXiv 2603.02298, on left and right inverses"
)

// twoLines is the size of the largest function that is written in two-line notation.
const twoLines = 32

// invert explains right_inverse, and inverse, which has to reach every element of A.
func invert(op *Operation, x *Explanation) {
	a, ok := arg[cute.Layout](op, 0)
	if !ok {
		return
	}
	x.Rule, x.Source = rightInverseRule, inverseSource
	if op.Name == "inverse" {
		x.Rule += " For a bijection onto 0, ..., size-1 that reaches every mode, and R is the inverse on both sides."
	}
	if a.HasBasis() {
		x.Rule += " With coordinate strides that is done for each axis on its own, and R takes coordinates."
		inverseAxes(op, x, a, reachLines)
		return
	}
	d, err := op.Until.Derive(op.Name, a)
	c := cute.Coalesce(a)
	text := "The modes of A by their strides:"
	if !c.Equal(a) {
		text = fmt.Sprintf("The modes of A, coalesced %v, by their strides:", c)
	}
	x.say(text, reachLines(d)...).Figure = &Figure{Kind: "inverse", Expr: x.Expr, Caption: "from offsets back to indices"}
	sayTwoLines(x, a)
	if op.Err != nil {
		if op.Err.Code == cute.CodeNotInvertible {
			notBijective(x, a, reachedBy(d))
		}
		return
	}
	if err != nil {
		return
	}
	r, ok := op.layoutResult()
	if !ok {
		return
	}
	sayShapes(x, a, r)
	x.verify("A(R(i)) = i", r.Size(), func(i int64) bool { return takesBack(r, a, i) })
	if r.Size() < a.Size() {
		x.Check += fmt.Sprintf("; A has %d elements, and R reaches the elements with the offsets 0 to %d",
			a.Size(), r.Size()-1)
	}
}

// takesBack reports whether outer(inner(i)) = i.
func takesBack(inner, outer cute.Layout, i int64) bool {
	u, err := inner.At(i)
	if err != nil {
		return false
	}
	v, err := outer.At(u)
	return err == nil && v == i
}

// reachLines lists the modes that the right inverse uses, ordered by stride.
func reachLines(d *cute.Derivation) []string {
	rows := [][]string{{"mode", "offsets so far", "its stride", "a step is worth", "mode of R"}}
	for _, s := range stepsOf[cute.Continue](d) {
		stride, _ := s.Mode.Stride.Int64()
		why, made := "", "-"
		reached := fmt.Sprintf("0 to %d", s.Reached-1)
		if s.Reached == 1 {
			reached = "0"
		}
		switch {
		case s.Continues():
			why, made = fmt.Sprintf("%d continues", stride), integerLeaf(s.Mode.Extent, s.Index).String()
		case stride == 0 && len(d.At) > 0:
			continue // the mode does not move along this axis
		case stride <= 0:
			why = fmt.Sprintf("%d counts for nothing", stride)
		case stride < s.Reached:
			why = fmt.Sprintf("%d repeats offsets: left out", stride)
		default:
			why = fmt.Sprintf("%d leaves offset %d out: ends", stride, s.Reached)
		}
		rows = append(rows, []string{s.Mode.String(), reached, why, itoa(s.Index), made})
	}
	return columns(rows...)
}

// reachedBy returns the number of offsets 0, 1, 2, ... that the modes of a right inverse reach.
func reachedBy(d *cute.Derivation) int64 {
	n := int64(1)
	for _, s := range stepsOf[cute.Continue](d) {
		if s.Continues() {
			n = s.Mode.Extent * s.Reached
		}
	}
	return n
}

// sayTwoLines writes the function and its inverse in two-line notation.
func sayTwoLines(x *Explanation, a cute.Layout) {
	if a.Size() > twoLines || a.Size() < 2 {
		return
	}
	offsets, err := a.AppendOffsets(nil)
	if err != nil {
		return
	}
	type pair struct{ index, offset int64 }
	pairs := make([]pair, len(offsets))
	index, value := []string{"index"}, []string{"offset"}
	for i, o := range offsets {
		pairs[i] = pair{int64(i), o}
		index, value = append(index, itoa(int64(i))), append(value, itoa(o))
	}
	sort.SliceStable(pairs, func(i, j int) bool { return pairs[i].offset < pairs[j].offset })
	byOffset, back := []string{"offset"}, []string{"index"}
	for _, p := range pairs {
		byOffset, back = append(byOffset, itoa(p.offset)), append(back, itoa(p.index))
	}
	lines := tight(index, value)
	lines = append(lines, "sorted by offset:")
	lines = append(lines, tight(byOffset, back)...)
	x.say("In two lines, and with the columns sorted by offset; the last line, as far as the offsets have no gap, are "+
		"the values of R:", lines...)
}

// mostTight is the most runes of a line of narrow columns.
const mostTight = 66

// tight formats rows of numbers in narrow columns; the first cell of each row is the name of the row. Rows that are too
// long go on in further lines, all rows at the same column.
func tight(rows ...[]string) []string {
	width := make([]int, len(rows[0]))
	for _, r := range rows {
		for c, cell := range r {
			width[c] = max(width[c], len(cell))
		}
	}
	var out []string
	for from, to := 1, 0; from < len(width); from = to {
		to = from
		for n := width[0] + 1; to < len(width) && (to == from || n+1+width[to] <= mostTight); to++ {
			n += 1 + width[to]
		}
		for _, r := range rows {
			line := r[0] + spaces(width[0]-len(r[0])) + " "
			for c, cell := range r[from:min(to, len(r))] {
				line += " " + spaces(width[from+c]-len(cell)) + cell
			}
			out = append(out, line)
		}
	}
	return out
}

func spaces(n int) string {
	const blank = "                                "
	return blank[:min(max(n, 0), len(blank))]
}

// sayShapes explains the shape of the inverse, and how to give the inverse another shape.
func sayShapes(x *Explanation, a, r cute.Layout) {
	if r.Rank() < 2 || r.Size() != a.Size() {
		return
	}
	x.sayf("The shape of R, %v, is A's shape in the order of the strides: R takes an offset, not a coordinate of A. "+
		"with_shape(R, ...) gives it the shape that the offsets mean.", r.Shape())
}

// notBijective explains why a layout has no two-sided inverse.
func notBijective(x *Explanation, a cute.Layout, reached int64) {
	f := x.Failure
	f.Condition = fmt.Sprintf("the offsets are without gaps only up to %d, and A has %d elements", reached, a.Size())
	if ok, w, err := cute.IsInjective(a); err == nil && !ok && w.Other != nil {
		f.Condition = fmt.Sprintf("A has the offset %v twice, at %v and at %v", w.Value, w.Coord, *w.Other)
		f.Index, f.Coord = w.Index, w.Coord.String()
	} else if ok, w, err := cute.IsSurjective(a); err == nil && !ok && w != nil {
		f.Condition = fmt.Sprintf("no index has the offset %v: the offsets are without gaps up to %d, and A has %d elements",
			w.Value, reached, a.Size())
	}
	if r, err := cute.RightInverse(a); err == nil {
		x.instead("the inverse of the part without gaps, A(R(i)) = i", fmt.Sprintf("right_inverse(%v)", a), r.String())
	}
	if r, err := cute.LeftInverse(a); err == nil {
		x.instead("from offsets back to indices, R(A(i)) = i", fmt.Sprintf("left_inverse(%v)", a), r.String())
	}
}

func leftInverse(op *Operation, x *Explanation) {
	a, ok := arg[cute.Layout](op, 0)
	if !ok {
		return
	}
	x.Source = inverseSource
	x.Rule = "R(A(i)) = i for every i below the size of A. Where the strides of A, sorted, chain, R has their ratios as extents: an offset is taken apart in the mixed radix system of the strides, and each digit is put at the place that its mode has in the index."
	if a.HasBasis() {
		x.Rule += " With coordinate strides that is done for each axis on its own."
		inverseAxes(op, x, a, chainLines)
		return
	}
	if op.Err != nil {
		noLeftInverse(op, x, a)
		return
	}
	d, err := op.Until.Derive(op.Name, a)
	if err != nil {
		return
	}
	r, ok := op.layoutResult()
	if !ok {
		return
	}
	switch negated := stepsOf[cute.Negate](d); {
	case len(negated) > 0:
		x.sayf("A counts down. R takes back -A = %v, with the sign turned, as R(-u) = -R(u). Its modes by their strides; "+
			"between two strides R goes on in steps of the smaller one:", negated[0].Of).show(chainLines(d)...)
	case len(stepsOf[cute.Search](d)) == 0:
		x.say("The modes of A, coalesced, by their strides; between two strides R goes on in steps of the smaller one:",
			chainLines(d)...)
	default:
		x.say("The strides of A do not chain, so the ratios of the strides are no extents. R is found from the equations "+
			"R(A(i)) = i, in the order of the offsets: a new mode of R begins where the equation of an offset has no solution "+
			"in integers with the strides so far.", equations(a, r)...)
	}
	x.verifyLeft(a.Size(), func(i int64) (int64, bool) {
		u, err1 := a.At(i)
		k, err2 := r.At(u)
		return k, err1 == nil && err2 == nil
	}, func(i int64) (cute.Tuple, bool) { return at(a, cute.Int(i)) })
}

// chainLines describes the steps of a left inverse, stride by stride.
func chainLines(d *cute.Derivation) []string {
	rows := [][]string{{"mode", "stride / stride before", "a step is worth", "mode of R"}}
	for _, s := range stepsOf[cute.Chain](d) {
		if s.Mode.Extent == 0 {
			rows = append(rows, []string{"", "the last one", "", s.Made.String()})
			continue
		}
		made := "none: it begins there"
		if s.Made.Extent > 1 {
			made = s.Made.String() + ", for the digits below"
		}
		stride, _ := s.Mode.Stride.Int64()
		rows = append(rows,
			[]string{s.Mode.String(), fmt.Sprintf("%d/%d = %d", stride, s.Before, stride/s.Before), itoa(s.Index), made})
	}
	if len(d.At) > 0 && len(rows) == 1 {
		return nil // the strides along the axis do not chain
	}
	return columns(rows...)
}

// equations returns the first equations R(A(i)) = i, ordered by offset, with the digits of the offset in R.
func equations(a, r cute.Layout) []string {
	if a.Size() > 1<<12 {
		return []string{"R = " + r.String()}
	}
	offsets, err := a.AppendOffsets(nil)
	if err != nil {
		return nil
	}
	type pair struct{ u, i int64 }
	pairs := make([]pair, len(offsets))
	for i, u := range offsets {
		pairs[i] = pair{u, int64(i)}
	}
	compare := func(a, b pair) int { return cmp.Compare(max(a.u, -a.u), max(b.u, -b.u)) }
	sort.SliceStable(pairs, func(i, j int) bool { return compare(pairs[i], pairs[j]) < 0 })
	rows := [][]string{{"offset", "in R = " + r.String(), "index"}}
	for k, p := range pairs {
		if k == 12 {
			break
		}
		step, err := cute.New(cute.Int(2), cute.Int(p.u)) // R o 2:u steps from R(0) to R(u)
		if err != nil {
			return nil
		}
		d, err := cute.Derive("composition", r, step)
		runs := stepsOf[cute.Run](d)
		if err != nil || len(runs) == 0 {
			return nil
		}
		rows = append(rows,
			[]string{itoa(p.u), digitSum(stepsOf[cute.Radix](d), runs[0].Digits, runs[0].Mode.Stride), itoa(p.i)})
	}
	return columns(rows...)
}

// noLeftInverse explains why there is no left inverse.
func noLeftInverse(op *Operation, x *Explanation, a cute.Layout) {
	w := op.Err.Witness
	if op.Err.Code == cute.CodeNotInjective && w != nil && w.Other != nil {
		x.Failure.Condition = fmt.Sprintf("A has the offset %v at %v and at %v: nothing takes it back to both",
			w.Value, w.Coord, *w.Other)
		x.Failure.Pair = fmt.Sprintf("%v and %v", w.Coord, *w.Other)
	}
	if r, err := cute.RightInverse(a); err == nil && r.Size() > 1 {
		x.instead("the inverse of the part without gaps, A(R(i)) = i", fmt.Sprintf("right_inverse(%v)", a), r.String())
	}
	if spread, ok := SpreadStrides(a); ok {
		if r, err := cute.LeftInverse(spread); err == nil {
			x.instead("with strides that chain", fmt.Sprintf("left_inverse(%v)", spread), r.String())
		}
	}
}
