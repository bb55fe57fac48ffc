package explain

import (
	"fmt"

	"girih/cute"
)

// This file explains sums of layouts, and the greatest common domain of two shapes.

// layoutSum explains layout_add.
func layoutSum(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	b, ok2 := op.layoutArg(1)
	if !ok || !ok2 || a.Size() != b.Size() {
		return
	}
	x.Rule = "R(i) = A(i) + B(i). A coalesced layout turns at its cuts, the products of its leading extents, and the sum turns at the cuts of both; it is a layout if each cut divides the next. Its stride at a cut is the sum of the values there."
	x.Source = "NVIDIA, PyCuTe, layout_add"
	rows := [][]string{{"coalesced", "cuts"}}
	d, _ := op.Until.Derive(op.Name, a, b)
	x.say("Where each of them turns:", columns(append(rows, cutRows(d)...)...)...)
	rows = [][]string{{"from", "to", "extent", "A", "B", "stride"}}
	for _, t := range stepsOf[cute.Turn](d) {
		if t.Next%t.At != 0 {
			if x.Failure != nil {
				x.Failure.Condition = fmt.Sprintf("%d does not divide %d", t.At, t.Next)
			}
			x.sayf("The cut %d does not divide the next one, %d.", t.At, t.Next)
			return
		}
		if a.HasBasis() || b.HasBasis() {
			return // coordinates have no single stride to show
		}
		rows = append(rows, []string{
			itoa(t.At), itoa(t.Next), itoa(t.Next / t.At), t.A.String(), t.B.String(), t.Sum.String(),
		})
	}
	if !d.OK {
		return
	}
	if len(rows) > 1 {
		x.say("From cut to cut, with the values of A and B at the first one:", columns(rows...)...)
	}
	r, ok := op.layoutResult()
	if !ok {
		return
	}
	x.verify("R(i) = A(i) + B(i)", a.Size(), func(i int64) bool { return sumAt(a, b, r, i) })
	x.Check += ": " + values(r, 12)
}

// cutRows returns a row for each leaf that is cut, with the places of the cuts.
func cutRows(d *cute.Derivation) [][]string {
	var rows [][]string
	for _, c := range stepsOf[cute.Cuts](d) {
		rows = append(rows, []string{fmt.Sprint(c.Of), list(c.At, 16)})
	}
	return rows
}

// sumAt reports whether r is the sum of a and b at an index.
func sumAt(a, b, r cute.Layout, i int64) bool {
	u, ok1 := at(a, cute.Int(i))
	v, ok2 := at(b, cute.Int(i))
	w, ok3 := at(r, cute.Int(i))
	s, err := u.Add(v)
	return ok1 && ok2 && ok3 && err == nil && sameValue(s, w)
}

// commonDomain explains greatest_common_domain.
func commonDomain(op *Operation, x *Explanation) {
	a, ok := shapeArg(op, 0)
	b, ok2 := shapeArg(op, 1)
	if !ok || !ok2 || op.Err != nil {
		return
	}
	x.Rule = "A leaf begins at the product p of the extents before it and ends at e, p times its extent. A leaf of S from p to e and one of T from q to f have the factor from lcm(p,q) to gcd(e,f) in common, if the one divides the other."
	x.Source = "NVIDIA, PyCuTe, greatest_common_domain"
	rows := [][]string{{"leaf of S", "leaf of T", "lcm", "gcd", ""}}
	d, _ := op.Until.Derive(op.Name, a, b)
	for _, m := range stepsOf[cute.Meeting](d) {
		what := fmt.Sprintf("%d does not divide %d", m.From, m.To)
		switch {
		case m.To == m.From:
			what = "nothing"
		case m.Mode.Extent != 0:
			what = "mode " + m.Mode.String()
		}
		rows = append(rows, []string{span(m.A).String(), span(m.B).String(), itoa(m.From), itoa(m.To), what})
	}
	if len(rows) > 1 && len(rows) <= 64 {
		x.say("Each leaf of S against each of T:", columns(rows...)...)
	}
}

// A span is the range of a leaf: from the product of the extents before the leaf to the product with the leaf's extent.
type span [2]int64

// String returns the span as 5-15.
func (s span) String() string { return fmt.Sprintf("%d-%d", s[0], s[1]) }
