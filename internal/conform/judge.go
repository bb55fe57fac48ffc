package conform

import "strings"

// A judge compares girih's answer with the definition first and with CuTe second.
type judge struct {
	// wrong is the verdict where CuTe's answer breaks the definition and girih's answer or refusal does not.
	wrong func(q query, a answer, cute string) outcome
	// dynamic says that CuTe did not know some integer of the operands.
	dynamic bool
}

// recorded judges the rows of files that record what CuTe answers: where that is wrong, girih differs.
func recorded(dynamic bool) judge {
	return judge{dynamic: dynamic, wrong: func(q query, a answer, cute string) outcome {
		if q.chainless() {
			return differ(noComplementKind, a, cute)
		}
		return differ(wrongRecord, a, cute)
	}}
}

// checked judges the rows of files whose answers people have checked: one that breaks the definition is a failure.
func checked() judge {
	return judge{wrong: func(q query, a answer, cute string) outcome {
		if q.chainless() {
			return differ(noComplementKind, a, cute)
		}
		return fail(a, cute, "the checked answer breaks the definition, or girih's does")
	}}
}

// rule gives the verdict on an operation with a definition. cute is CuTe's answer, or "" if it refuses.
func (j judge) rule(q query, a answer, cute string) outcome {
	def, ok := definitionOf(q.op)
	switch {
	case !ok:
		return skip("no definition of " + q.op)
	case a.foreign():
		return fail(a, cute, "girih does not understand the expression")
	case a.refused():
		return j.ruleRefusal(q, def, a, cute)
	}
	return j.ruleAnswer(q, def, a, cute)
}

func (j judge) ruleAnswer(q query, def definition, a answer, cute string) outcome {
	r, ok := readLayout(a.text())
	if !ok {
		return fail(a, cute, "not a layout")
	}
	f, why := def.satisfied(q, r)
	if f == holds {
		f, why = q.checkNote(r, a)
	}
	if f == breaks {
		return fail(a, cute, why.text)
	}
	if cute == "" || a.text() == cute {
		return pass()
	}
	c, ok := readLayout(cute)
	if !ok {
		return j.wrong(q, a, cute) // an extent of 0 or below
	}
	if g, _ := def.satisfied(q, c); g == breaks {
		return j.wrong(q, a, cute)
	}
	if k, ok := j.difference(q, c, r); ok {
		return differ(k, a, cute)
	}
	return fail(a, cute, "another text than CuTe's, for no reason that is documented")
}

func (j judge) ruleRefusal(q query, def definition, a answer, cute string) outcome {
	f, why := def.unsolvable(q)
	if f == breaks {
		return fail(a, cute, why.text)
	}
	if cute == "" {
		return pass()
	}
	c, ok := readLayout(cute)
	if !ok {
		return j.wrong(q, a, cute)
	}
	switch g, _ := def.satisfied(q, c); {
	case g == breaks:
		return j.wrong(q, a, cute)
	case f == holds && q.op == "left_inverse":
		return differ(generalInverse, a, cute)
	case f == holds:
		return j.wrong(q, a, cute) // too large to look at CuTe's, but no value is right
	}
	return fail(a, cute, "girih refuses, and CuTe's answer is right")
}

// checkNote checks that a divide notes its padding, and that the predicate is right.
func (q query) checkNote(r mode, a answer) (finding, breach) {
	if !isDivision(q.op) {
		return holds, breach{}
	}
	if q.tooLarge() || r.leaves().size() > maxTable {
		return unknown, breach{}
	}
	p, err := q.padding()
	if err != nil {
		return breaks, because("%s", "package girih refuses: "+err.Error())
	}
	exact := r.leaves().size() == q.a.leaves().size()*q.b.leaves().repeats()
	switch {
	case p.None() == a.padded():
		return breaks, because("the notes do not say whether the result is padded")
	case p.None() != exact:
		return breaks, because("the padding does not account for the size of the result")
	case exact:
		return holds, breach{}
	}
	return q.checkPadding(r, p)
}

func isDivision(op string) bool {
	switch op {
	case "logical_divide", "zipped_divide", "tiled_divide", "flat_divide":
		return true
	}
	return false
}

// chainless reports whether the operation needs the complement of a layout that has none.
func (q query) chainless() bool {
	m := q.a
	switch {
	case isDivision(q.op):
		m = q.b
	case q.op == "coalesce", q.op == "composition", q.op == "right_inverse", q.op == "left_inverse":
		return false
	}
	_, _, whole, ok := m.leaves().gapsThatFit()
	if isProduct := strings.HasSuffix(q.op, "_product"); isProduct {
		whole = true // copies need not cover everything
	}
	return m.isInteger() && !(ok && whole)
}

// difference returns the documented kind of two right answers with different texts.
func (j judge) difference(q query, cute, got mode) (kind, bool) {
	if k, ok := textDifference(cute, got); ok {
		switch {
		case k == unitStride:
			return k, true
		case j.dynamic:
			return runTime, true
		case q.op == "raked_product":
			return rakedModes, true
		}
		return k, true
	}
	switch {
	case isDivision(q.op) && cute.leaves().size() > q.a.leaves().size()*q.b.leaves().repeats():
		return otherPadding, true
	case j.dynamic:
		return runTime, true
	case q.op == "left_inverse",
		q.op == "right_inverse" && got.leaves().size() >= cute.leaves().size():
		return otherInverse, true
	}
	return 0, false
}
