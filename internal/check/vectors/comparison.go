package vectors

import "girih/internal/why/judge"

// A comparison compares girih's answer first with the definition and then with CuTe's answer.
type comparison struct {
	// wrong is the verdict if CuTe's answer violates the definition, and girih answers correctly or refuses.
	wrong func(q judge.Query, a answer, cute string) outcome
	// dynamic is true if CuTe knew some integer of the operands only at run time.
	dynamic bool
}

// onRecord judges rows that record CuTe's answer. girih may differ where CuTe's answer is wrong.
func onRecord() comparison {
	return comparison{wrong: func(q judge.Query, a answer, cute string) outcome {
		if q.Chainless() {
			return differ(noComplementKind, a, cute)
		}
		return differ(wrongRecord, a, cute)
	}}
}

// onChecked judges rows whose answers people have checked. If a checked answer violates the definition, the row fails.
func onChecked() comparison {
	return comparison{wrong: func(q judge.Query, a answer, cute string) outcome {
		if q.Chainless() {
			return differ(noComplementKind, a, cute)
		}
		return fail(a, cute, "the checked answer breaks the definition, or girih's does")
	}}
}

// rule returns the verdict on an operation with a definition. cute is CuTe's answer, or "" if CuTe refuses.
func (c comparison) rule(q judge.Query, a answer, cute string) outcome {
	switch {
	case a.foreign():
		return fail(a, cute, "girih does not understand the expression")
	case a.isRefusal():
		return c.ruleRefusal(q, a, cute)
	}
	return c.ruleAnswer(q, a, cute)
}

func (c comparison) ruleAnswer(q judge.Query, a answer, cute string) outcome {
	r, ok := judge.ReadLayout(a.text())
	if !ok {
		return fail(a, cute, "not a layout")
	}
	f, why := q.Satisfies(r)
	if f == judge.Holds {
		f, why = checkNote(q, r, a)
	}
	if f == judge.Breaks {
		return fail(a, cute, why)
	}
	if cute == "" || a.text() == cute {
		return pass()
	}
	l, ok := judge.ReadLayout(cute)
	if !ok {
		return c.wrong(q, a, cute) // cute has an extent of 0 or less
	}
	if g, _ := q.Satisfies(l); g == judge.Breaks {
		return c.wrong(q, a, cute)
	}
	if k, ok := c.difference(q, l, r); ok {
		return differ(k, a, cute)
	}
	return fail(a, cute, "not CuTe's text, for no documented reason")
}

func (c comparison) ruleRefusal(q judge.Query, a answer, cute string) outcome {
	f, why := q.Unsolvable()
	if f == judge.Breaks {
		return fail(a, cute, why)
	}
	if cute == "" {
		return pass()
	}
	l, ok := judge.ReadLayout(cute)
	if !ok {
		return c.wrong(q, a, cute)
	}
	switch g, _ := q.Satisfies(l); {
	case g == judge.Breaks:
		return c.wrong(q, a, cute)
	case f == judge.Holds && q.Op == "left_inverse":
		return differ(generalInverse, a, cute)
	case f == judge.Holds:
		return c.wrong(q, a, cute) // CuTe's answer is too large to check, but no answer is right
	}
	return fail(a, cute, "girih refuses, and CuTe's answer is right")
}

// difference returns the documented kind of two right answers with different texts.
func (c comparison) difference(q judge.Query, cute, got judge.Mode) (kind, bool) {
	if k, ok := textDifference(cute, got); ok {
		switch {
		case k == unitStride:
			return k, true
		case c.dynamic:
			return runTime, true
		case q.Op == "raked_product":
			return rakedModes, true
		}
		return k, true
	}
	switch {
	case judge.AnyDivide(q.Op) && cute.Leaves().Size() > q.A.Leaves().Size()*q.B.Leaves().Repeats():
		return otherPadding, true
	case c.dynamic:
		return runTime, true
	case q.Op == "left_inverse",
		q.Op == "right_inverse" && got.Leaves().Size() >= cute.Leaves().Size():
		return otherInverse, true
	}
	return 0, false
}
