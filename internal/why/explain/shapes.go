package explain

import (
	"fmt"

	"girih"
)

// This file explains what is asked about shapes.

// compatible explains compatible, congruent and weakly_congruent.
func compatible(op *Operation, x *Explanation) {
	a, ok := shapeArg(op, 0)
	b, ok2 := shapeArg(op, 1)
	if !ok || !ok2 || op.Err != nil {
		return
	}
	var fails string
	switch op.Name {
	case "congruent":
		x.Rule = "Both have the same nesting: they are integers at the same places."
		fails = mismatch(a, b, "", func(p, q girih.Tuple) string {
			if p.IsInt() != q.IsInt() {
				return fmt.Sprintf("%v is an integer on one side only: %v and %v", "it", p, q)
			}
			return ""
		})
	case "weakly_congruent":
		x.Rule = "A has the nesting of B after some modes of B are taken as one: an integer of A stands for any mode of B."
		fails = mismatch(a, b, "", func(p, q girih.Tuple) string {
			if q.IsInt() && !p.IsInt() {
				return fmt.Sprintf("%v stands where B has the integer %v", p, q)
			}
			return ""
		})
	default:
		x.Rule = "Every coordinate of A is one of B: an integer of A stands for a mode of B of that size."
		fails = mismatch(a, b, "", func(p, q girih.Tuple) string {
			if q.IsInt() && !p.IsInt() {
				return fmt.Sprintf("%v stands where B has the integer %v", p, q)
			}
			if p.IsInt() {
				n, err := q.Product()
				if m, _ := p.Int64(); err == nil && m != n {
					return fmt.Sprintf("%v is not the size %d of %v", p, n, q)
				}
			}
			return ""
		})
	}
	switch holds, _ := op.Result.Value.(bool); {
	case holds:
		x.say("It holds at every mode.")
	case fails != "":
		x.say(fails + ".")
	}
}

// mismatch goes over both tuples together, and returns where they do not go together, or "".
func mismatch(a, b girih.Tuple, path string, leaf func(p, q girih.Tuple) string) string {
	where := ""
	if path != "" {
		where = "mode " + path + ": "
	}
	if a.IsInt() || b.IsInt() {
		if why := leaf(a, b); why != "" {
			return where + why
		}
		return ""
	}
	as, bs := a.Modes(), b.Modes()
	if len(as) != len(bs) {
		return fmt.Sprintf("%s%v has %s and %v has %d", where, a, count(int64(len(as)), "mode"), b, len(bs))
	}
	for i := range as {
		if why := mismatch(as[i], bs[i], subPath(path, i), leaf); why != "" {
			return why
		}
	}
	return ""
}

func commonRefinement(op *Operation, x *Explanation) {
	a, ok := shapeArg(op, 0)
	b, ok2 := shapeArg(op, 1)
	if !ok || !ok2 {
		return
	}
	x.Rule = "Every product of leading extents of either shape is one of the result: cut the index range at all of them. It works if of two neighbouring cuts each divides the next. Where the sizes differ it has the larger one."
	cuts := []int64{1}
	rows := [][]string{{"shape", "products of leading extents"}}
	for _, t := range []girih.Tuple{a, b} {
		p := int64(1)
		own := []int64{1}
		for _, e := range t.Flatten().Leaves() {
			p *= e
			own = append(own, p)
		}
		cuts = append(cuts, own...)
		rows = append(rows, []string{t.String(), list(own, 16)})
	}
	x.say("The cuts of both:", columns(rows...)...)
	cuts = sorted(cuts)
	rows = [][]string{{"cut", "next", "extent"}}
	for i := 1; i < len(cuts); i++ {
		p, q := cuts[i-1], cuts[i]
		if p == q || p == 0 {
			continue
		}
		e := fmt.Sprintf("%d/%d = %d", q, p, q/p)
		if q%p != 0 {
			e = fmt.Sprintf("%d does not divide %d", p, q)
			if x.Failure != nil {
				x.Failure.Condition = e
			}
		}
		rows = append(rows, []string{itoa(p), itoa(q), e})
	}
	if len(rows) > 1 {
		x.say("From cut to cut:", columns(rows...)...)
	}
}

// tupleDivision explains ceil_div and shape_div.
func tupleDivision(op *Operation, x *Explanation) {
	a, ok := arg[girih.Tuple](op, 0)
	n, ok2 := op.integerArg(1)
	if !ok || !ok2 || n < 1 || op.Err != nil || a.HasBasis() {
		return
	}
	exact := op.Name == "shape_div"
	x.Rule = "A tuple is divided by an integer from left to right: each mode uses up what it can of the divisor, and what is left divides the next one; quotients are rounded up."
	x.Source = "CuTe, include/cute/int_tuple.hpp, ceil_div and shape_div"
	if exact {
		x.Rule = "A tuple is divided by an integer from left to right: each mode uses up what it can of the divisor, and what is left divides the next one; of each two numbers one must divide the other."
	}
	rows := [][]string{{"extent", "divisor", "quotient", "left of the divisor"}}
	left := n
	for _, e := range a.Flatten().Leaves() {
		if e < 1 {
			return
		}
		q, rest := ceilDiv(e, left), ceilDiv(left, e)
		rows = append(rows, []string{itoa(e), itoa(left), itoa(q), itoa(rest)})
		left = rest
	}
	x.say("From left to right:", columns(rows...)...)
}
