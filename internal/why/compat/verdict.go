package compat

import (
	"fmt"

	"girih/internal/why/judge"
)

// A Verdict is the result of comparing an answer with the definition.
type Verdict int

// The verdicts.
const (
	Unknown Verdict = iota // the model has no answer, or the answer is too large to check
	Right                  // the answer satisfies the definition at every index
	Padded                 // a divide whose result has all elements of the layout and more
	Refused                // the tool gives no answer
	Weak                   // a weak complement of a layout that has no complement
	Wrong                  // the answer does not satisfy the definition
	Absent                 // the tool does not have the operation
)

// String returns the verdict in a word.
func (v Verdict) String() string {
	return [...]string{"unknown", "right", "padded", "refused", "weak", "wrong", "absent"}[v]
}

// A Deviation is the first index at which an answer is wrong, and the values there.
type Deviation = judge.Deviation

// A Finding is the verdict on an answer and the reason.
type Finding struct {
	Verdict Verdict
	Why     string     // what breaks the definition, or how a divide is padded; "" if At is set
	At      *Deviation // the first index at which a wrong answer is wrong, or nil if its error is not at an index
}

// Judge compares all values of the answer with the definition of the operation. The judge shares no code with the
// models; see package judge.
func (q Query) Judge(a Answer) Finding {
	switch {
	case a.Refusal == nil:
	case a.Refusal.Unmodelled:
		return Finding{Verdict: Unknown}
	case a.Refusal.Absent:
		return Finding{Verdict: Absent}
	default:
		return Finding{Verdict: Refused}
	}
	return q.JudgeText(a.Text)
}

// JudgeText judges the text of a layout.
func (q Query) JudgeText(text string) Finding {
	j := judge.Answer(q.op, q.args, text)
	switch j.Standing {
	case judge.Right:
		f := Finding{Verdict: Right, Why: j.Why}
		if j.Looked > 0 {
			f.Why = fmt.Sprintf("at the first %d indices; the others were not looked at", j.Looked)
		}
		return f
	case judge.Padded:
		return Finding{Verdict: Padded, Why: j.Why}
	case judge.Weak:
		return Finding{Verdict: Weak, Why: j.Why}
	case judge.Wrong:
		if j.At != nil {
			return Finding{Verdict: Wrong, Why: At(j.At), At: j.At}
		}
		return Finding{Verdict: Wrong, Why: j.Why}
	}
	return Finding{Why: "not judged: " + j.Why}
}

// At says in words where an answer is wrong.
func At(d *Deviation) string {
	if d.Short {
		return fmt.Sprintf("only %d elements: index %d is missing, should be %d", d.Index, d.Index, d.Want)
	}
	return fmt.Sprintf("at index %d: %d, should be %d", d.Index, d.Got, d.Want)
}

// Hopeless reports whether no layout is a correct answer, and why.
func (q Query) Hopeless() (why string, hopeless bool) {
	p, why := judge.SolvabilityOf(q.op, q.args)
	return why, p == judge.Unsolvable
}

// Solvable reports whether some layout satisfies the definition: either the definition decides this, or one of the
// findings shows an answer that does.
func (q Query) Solvable(findings ...Finding) bool {
	for _, f := range findings {
		if f.Verdict == Right {
			return true
		}
	}
	p, _ := judge.SolvabilityOf(q.op, q.args)
	return p == judge.Solvable
}

// Size returns the product of the extents of the layout in text, or 0 if text has no layout or the product does not fit
// in 64 bits.
func Size(text string) int64 {
	o, err := readOperand(text)
	if err != nil {
		return 0
	}
	c := calc{}
	n := c.size(o.layout)
	if c.err != nil {
		return 0
	}
	return n.v
}
