package service

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"girih/internal/lang/eval"
	"girih/symbolic"
	"girih/tensormap"
)

// This file is what tma says of a tensor whose extents and strides are known at run time only.

// runTime takes the value for a tensor with run-time integers, if it has some.
func (j *tmaJob) runTime(v eval.Value) (ok bool, info *ErrorInfo) {
	var l symbolic.Layout
	switch v := v.(type) {
	case eval.DynamicLayout:
		l = v.Layout
	case eval.DynamicTuple:
		var err error
		if l, err = symbolic.LayoutLeft(v.Tuple); err != nil {
			return false, errorInfo(under("tma", err))
		}
	default:
		return false, nil
	}
	if known, err := l.ToLayout(); err == nil {
		j.copy.Global = known
		return true, nil
	}
	j.open = &l
	return true, nil
}

func legalSomewhere(g symbolic.Guard) bool {
	holds, known := g.Decide()
	return holds || !known
}

// clauses adds the rules about run-time integers; those that never hold are broken.
func (j *tmaJob) clauses(r *TMAResponse, p tensormap.Plan) {
	if p.Run == nil {
		return
	}
	for _, c := range p.Run.Clauses {
		k := TMAClause{Rule: string(c.Rule), Text: c.Text, Holds: "if", If: c.If.String(), Source: c.Rule.Source()}
		switch holds, known := c.If.Decide(); {
		case known && holds:
			k.Holds, k.If = "always", ""
		case known:
			k.Holds, k.If, k.Change, r.Legal = "never", "", c.Change, false
			r.Broken = append(r.Broken, TMABreach{
				Rule: k.Rule, Text: c.Text + ", for no values of the run-time integers", Change: c.Change, Source: k.Source,
			})
		default:
			k.Change, k.Breaks = c.Change, c.If.Broken(tmaTries)
		}
		r.Clauses = append(r.Clauses, k)
	}
}

// tmaTries are numbers that may break a rule: odd ones, small ones, and those beyond the limits of a map.
var tmaTries = []int64{2, 3, 1, 5, 0, -1, 1 << 33, 1 << 42, 1 << 21}

// conditions says where the map is legal, and what is planned for other values.
func (j *tmaJob) conditions(r *TMAResponse, cases []tensormap.Outcome) {
	if j.open == nil {
		return
	}
	var all []symbolic.Guard
	for i, c := range cases {
		legal := c.LegalIf()
		if legalSomewhere(legal) {
			all = append(all, legal)
		}
		if i > 0 && legalSomewhere(legal) && otherPlan(c.Plan) != otherPlan(cases[0].Plan) {
			r.Cases = append(r.Cases, TMACase{When: symbolic.AnyOf(c.When).String(), Verdict: otherPlan(c.Plan)})
		}
	}
	where := symbolic.AnyOf(all...).And(j.open.Guard())
	switch holds, known := where.Decide(); {
	case known && holds:
		r.Verdict = "legal for all values of the run-time integers" + strings.TrimPrefix(r.Verdict, "legal")
	case known:
		r.Legal = false
		r.Verdict += ", whatever the run-time integers are"
	default:
		r.Condition = where.String()
		r.Verdict = fmt.Sprintf("legal if %s%s", r.Condition, strings.TrimPrefix(r.Verdict, "legal"))
	}
}

// otherPlan writes a plan on one line.
func otherPlan(p tensormap.Plan) string {
	text := fmt.Sprintf("%s of %d bytes, swizzle %s", plural(int(p.Instructions), "instruction"), p.Map.Bytes(),
		p.Map.Swizzle)
	for _, f := range p.Fields() {
		if f.Name == "globalDim" || f.Name == "boxDim" {
			text += fmt.Sprintf(", %s %s", f.Name, f.Value)
		}
	}
	return text
}

// cInts writes integers as C has them.
func cInts(xs []symbolic.Int) string {
	parts := make([]string, len(xs))
	for i, x := range xs {
		parts[i] = symbolic.Fold(x, symbolic.Builder[string](cText{}))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// cNames lists the names of the run-time integers in C.
func cNames(l symbolic.Layout) string {
	var names []string
	add := func(t symbolic.Tuple) {
		for _, x := range t.Integers() {
			symbolic.Fold(x, symbolic.Builder[string](cText{&names}))
		}
	}
	add(l.Shape())
	add(l.Stride())
	return strings.Join(names, ", ")
}

// A cText builds expressions of C. It implements [symbolic.Builder].
type cText struct{ names *[]string }

func (t cText) Const(x int64) string { return fmt.Sprint(x) }

// Symbol writes ?1, ?2, ... as n0, n1, ..., the names in the other languages.
func (t cText) Symbol(s *symbolic.Symbol) string {
	name := s.Name()
	if n, err := strconv.Atoi(strings.TrimPrefix(name, "?")); err == nil {
		name = "n" + strconv.Itoa(n-1)
	}
	if t.names != nil && !slices.Contains(*t.names, name) {
		*t.names = append(*t.names, name)
	}
	return name
}

func (t cText) Sum(terms []string) string { return "(" + strings.Join(terms, " + ") + ")" }

func (t cText) Product(factors []string) string { return strings.Join(factors, " * ") }

func (t cText) Apply(op symbolic.Op, args []string) string {
	a, b := args[0], args[len(args)-1]
	switch op {
	case symbolic.OpFloor:
		return fmt.Sprintf("((%s) / (%s))", a, b)
	case symbolic.OpCeil:
		return fmt.Sprintf("(((%s) + (%s) - 1) / (%s))", a, b, b)
	case symbolic.OpMod:
		return fmt.Sprintf("((%s) %% (%s))", a, b)
	case symbolic.OpMin:
		return fmt.Sprintf("std::min<cuuint64_t>(%s, %s)", a, b)
	}
	return fmt.Sprintf("%s(%s)", op, strings.Join(args, ", "))
}
