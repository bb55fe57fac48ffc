package condition

import (
	"strings"

	"girih/internal/pattern"
)

const (
	reIf       = pattern.Pattern(`(?i)^(?:[\w.]*(?:Error|Exception): )?(?:if|when|for|where|whenever)((?: [^\s,]+){1,10}), (?:then )?(.*\b(?:must|should|has to|have to|needs?|requires?|expects?|can(?:not)?)\b.*)$`)
	reIfEquals = pattern.Pattern(`^(.*?) ?(?:==|=|is|equals|is equal to) (\d+)$`)
)

// conditional splits "if M is 64, N must be a multiple of 8" into the condition and the demand.
func conditional(s string) (given *node, rest string) {
	m := reIf.FindStringSubmatch(s)
	if m == nil {
		return nil, s
	}
	words := strings.TrimSpace(m[1])
	if e := reIfEquals.FindStringSubmatch(words); e != nil && identifier(e[1]) && !strings.Contains(e[1], " ") {
		if x, _, _, ok := numberAt(e[2]); ok {
			return apply("==", name(e[1]), num(x)), m[2]
		}
	}
	if n := parse(words); n != nil && whole(n) {
		return n, m[2]
	}
	return nil, m[2]
}

// excludedVerdict returns the verdict on a rule that does not apply because the values in the text break its "if". The
// message is then about another rule.
func (t *Text) excludedVerdict(r *rule) *Verdict {
	if r.given == nil {
		return nil
	}
	all := t.operands(r)
	of := values{}
	for _, x := range r.given.names(nil) {
		if n, ok := lookup(x.text, all); ok {
			of[x.text] = n
		}
	}
	if holds, known := r.given.truth(of); !known || holds {
		return nil
	}
	v := &Verdict{Demand: "where " + describe(r.given) + ": " + demandOf(shorten(r.about), r)}
	if r.code {
		v.Demand = "where " + describe(r.given) + ": " + describe(r.cond)
	}
	for _, x := range r.given.names(nil) {
		v.Missing = append(v.Missing, "the rule that was broken: this one is for "+r.given.String()+", and "+x.text+" = "+
			num(of[x.text]).String())
	}
	return v
}
