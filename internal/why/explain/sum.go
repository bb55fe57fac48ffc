package explain

import (
	"fmt"
	"slices"

	"girih"
	"girih/internal/ints"
)

// This file explains sums of layouts, and what two shapes have in common.

// layoutSum explains layout_add.
func layoutSum(op *Operation, x *Explanation) {
	a, ok := op.layoutArg(0)
	b, ok2 := op.layoutArg(1)
	if !ok || !ok2 || a.Size() != b.Size() {
		return
	}
	x.Rule = "R(i) = A(i) + B(i). A coalesced layout turns at its cuts, the products of its leading extents, and the sum turns at those of both; it is a layout if of two neighbouring cuts each divides the next. Its stride at a cut is the sum of the values there."
	x.Source = "NVIDIA, PyCuTe, layout_add"
	rows := [][]string{{"coalesced", "cuts"}}
	cuts := []int64{1, a.Size()}
	for _, l := range []girih.Layout{a, b} {
		c := girih.Coalesce(l)
		own, p := []int64{1}, int64(1)
		for _, f := range leavesOf(c) {
			p *= f.s
			own = append(own, p)
		}
		cuts = append(cuts, own...)
		rows = append(rows, []string{c.String(), list(own, 16)})
	}
	x.say("Where each of them turns:", columns(rows...)...)
	cuts = slices.Compact(sorted(cuts))
	rows = [][]string{{"from", "to", "extent", "A", "B", "stride"}}
	var kept []leaf
	for i := 1; i < len(cuts); i++ {
		p, q := cuts[i-1], cuts[i]
		if q%p != 0 {
			if x.Failure != nil {
				x.Failure.Condition = fmt.Sprintf("%d does not divide %d", p, q)
			}
			x.say(fmt.Sprintf("The cut %d does not divide the next one, %d.", p, q))
			return
		}
		u, ok1 := at(a, girih.Int(p))
		v, ok2 := at(b, girih.Int(p))
		d, err := u.Add(v)
		if !ok1 || !ok2 || err != nil || a.HasBasis() || b.HasBasis() {
			return // coordinates have no one stride to show
		}
		kept = merge(kept, leaf{q / p, d}, 0)
		rows = append(rows, []string{itoa(p), itoa(q), itoa(q / p), u.String(), v.String(), d.String()})
	}
	r, err := layoutOf(kept)
	if err != nil {
		return
	}
	if len(rows) > 1 {
		x.say("From cut to cut, with the values of A and B at the first one:", columns(rows...)...)
	}
	x.derive(r)
	if sum := func(i int64) bool { return sumAt(a, b, r, i) }; holdsAt(a.Size(), sum) {
		x.Check = fmt.Sprintf("R(i) = A(i) + B(i) %s: %s", atAll(a.Size()), values(r, 12))
	}
}

// sumAt reports whether r is the sum of a and b at an index.
func sumAt(a, b, r girih.Layout, i int64) bool {
	u, ok1 := at(a, girih.Int(i))
	v, ok2 := at(b, girih.Int(i))
	w, ok3 := at(r, girih.Int(i))
	s, err := u.Add(v)
	return ok1 && ok2 && ok3 && err == nil && s.Equal(w)
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
	var kept []leaf
	for _, l := range spansOf(a) {
		for _, m := range spansOf(b) {
			from, fits := ints.Mul(l.from/ints.GCD(l.from, m.from), m.from)
			if !fits {
				continue // it divides nothing that fits
			}
			to := ints.GCD(l.to, m.to)
			what := fmt.Sprintf("%d does not divide %d", from, to)
			switch {
			case to == from:
				what = "nothing"
			case to%from == 0:
				kept = append(kept, leaf{to / from, girih.Int(from)})
				what = "mode " + kept[len(kept)-1].String()
			}
			rows = append(rows, []string{l.String(), m.String(), itoa(from), itoa(to), what})
		}
	}
	if len(rows) > 1 && len(rows) <= 64 {
		x.say("Each leaf of S against each of T:", columns(rows...)...)
	}
	s, d := []int64{1}, []int64{0}
	if len(kept) > 0 {
		s, d = nil, nil
	}
	for _, f := range kept {
		n, _ := f.d.Int64()
		s, d = append(s, f.s), append(d, n)
	}
	if r, err := girih.New(girih.Ints(s...), girih.Ints(d...)); err == nil {
		x.derive(r)
	}
}

// A span is where a leaf of a shape begins and ends in the index.
type span struct{ from, to int64 }

// String returns the span as 5-15.
func (s span) String() string { return fmt.Sprintf("%d-%d", s.from, s.to) }

// spansOf returns the spans of the leaves of more than one element.
func spansOf(t girih.Tuple) []span {
	var out []span
	p := int64(1)
	for _, s := range t.Flatten().Leaves() {
		if s > 1 {
			out = append(out, span{p, p * s})
		}
		p *= s
	}
	return out
}
