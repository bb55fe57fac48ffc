package service

import (
	"fmt"
	"strings"

	"girih/internal/lang/eval"
	"girih/internal/lang/report"
	"girih/symbolic"
	"girih/tensormap"
)

// This file is what tma says about a tensor whose extents and strides are known only at run time.

// runTime accepts the value as a tensor with run-time integers, if it has any.
func (j *tmaJob) runTime(v eval.Value) (ok bool, info *report.Error) {
	var l symbolic.Layout
	switch v := v.(type) {
	case eval.DynamicLayout:
		l = v.Layout
	case eval.DynamicTuple:
		var err error
		if l, err = symbolic.LayoutLeft(v.Tuple); err != nil {
			return false, report.Of(report.Under("tma", err))
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

// clauses adds the rules about run-time integers; rules that never hold count as broken.
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

// tmaTries are numbers that may break a rule: odd numbers, small numbers, and numbers beyond the limits of a
// map.
var tmaTries = []int64{2, 3, 1, 5, 0, -1, 1 << 33, 1 << 42, 1 << 21}

// conditions says for which values the map is legal, and which plans apply to other values.
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
