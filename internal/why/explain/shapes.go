package explain

import (
	"fmt"

	"girih/cute"
)

// This file explains questions about shapes.

// compatible explains compatible, congruent and weakly_congruent.
func compatible(op *Operation, x *Explanation) {
	a, ok := shapeArg(op, 0)
	b, ok2 := shapeArg(op, 1)
	if !ok || !ok2 || op.Err != nil {
		return
	}
	switch op.Name {
	case "congruent":
		x.Rule = "Both have the same nesting: they are integers at the same places."
	case "weakly_congruent":
		x.Rule = "A has the nesting of B after some modes of B are taken as one: an integer of A can be any mode of B."
	default:
		x.Rule = "Every coordinate of A is one of B: an integer of A can be any mode of B of that size."
	}
	d, err := op.Until.Derive(op.Name, a, b)
	if err != nil {
		return
	}
	if d.Holds {
		x.say("It holds at every mode.")
		return
	}
	for _, m := range stepsOf[cute.Match](d) {
		if text := mismatch(op.Name, m); !m.Holds && text != "" {
			x.say(text + ".")
		}
	}
}

// mismatch returns the reason why two tuples do not match at the place m.At.
func mismatch(relation string, m cute.Match) string {
	where := ""
	if len(m.At) > 0 {
		where = "mode " + pathText(m.At) + ": "
	}
	p, q := m.A, m.B
	leafP, leafQ := p.Depth() == 0, q.Depth() == 0
	switch {
	case !leafP && !leafQ:
		return fmt.Sprintf("%s%v has %s and %v has %d", where, p, Count(p.Rank(), "mode"), q, q.Rank())
	case relation == "congruent":
		return fmt.Sprintf("%sit is an integer on one side only: %v and %v", where, p, q)
	case !p.IsInt():
		return fmt.Sprintf("%s%v is where B has the integer %v", where, p, q)
	case m.Size < 0:
		return ""
	}
	return fmt.Sprintf("%s%v is not the size %d of %v", where, p, m.Size, q)
}

func commonRefinement(op *Operation, x *Explanation) {
	a, ok := shapeArg(op, 0)
	b, ok2 := shapeArg(op, 1)
	if !ok || !ok2 {
		return
	}
	x.Rule = "Every product of leading extents of either shape is one of the result: cut the index range at all of them. It works if of two neighbouring cuts each divides the next. Where the sizes differ it has the larger one."
	d, _ := op.Until.Derive(op.Name, a, b)
	cuts := cutRows(d)
	if len(cuts) == 0 {
		return
	}
	x.say("The cuts of both:", columns(append([][]string{{"shape", "products of leading extents"}}, cuts...)...)...)
	rows := [][]string{{"cut", "next", "extent"}}
	for _, t := range stepsOf[cute.Turn](d) {
		e := fmt.Sprintf("%d/%d = %d", t.Next, t.At, t.Next/t.At)
		if t.Next%t.At != 0 {
			e = fmt.Sprintf("%d does not divide %d", t.At, t.Next)
			if x.Failure != nil {
				x.Failure.Condition = e
			}
		}
		rows = append(rows, []string{itoa(t.At), itoa(t.Next), e})
	}
	if len(rows) > 1 {
		x.say("From cut to cut:", columns(rows...)...)
	}
}

// tupleDivision explains ceil_div and shape_div.
func tupleDivision(op *Operation, x *Explanation) {
	a, ok := arg[cute.Tuple](op, 0)
	if _, ok2 := op.integerArg(1); !ok || !ok2 || op.Err != nil {
		return
	}
	n, _ := arg[cute.Tuple](op, 1)
	d, _ := op.Until.Derive(op.Name, a, n)
	quotients := stepsOf[cute.Quotient](d)
	if len(quotients) == 0 {
		return // the tuple (7) divides only mode 0
	}
	exact := op.Name == "shape_div"
	x.Rule = "A tuple is divided by an integer from left to right: each mode uses up what it can of the divisor, and what is left divides the next one; quotients are rounded up."
	x.Source = "CuTe, include/cute/int_tuple.hpp, ceil_div and shape_div"
	if exact {
		x.Rule = "A tuple is divided by an integer from left to right: each mode uses up what it can of the divisor, and what is left divides the next one; of each two numbers one must divide the other."
	}
	rows := [][]string{{"extent", "divisor", "quotient", "left of the divisor"}}
	for _, q := range quotients {
		rows = append(rows, []string{itoa(q.Extent), itoa(q.Divisor), itoa(q.Quotient), itoa(q.Left)})
	}
	x.say("From left to right:", columns(rows...)...)
}
