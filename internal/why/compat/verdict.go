package compat

import (
	"fmt"

	"girih/internal/why/judge"
)

// A Verdict says what an answer is worth.
type Verdict int

// The verdicts.
const (
	Unknown Verdict = iota // the model does not know the answer, or it is too large to look at
	Right                  // it satisfies the definition at every index
	Padded                 // a divide with more elements than the layout, among them all of the layout
	Refused                // there is no answer
	Weak                   // a weak complement of a layout that has no complement
	Wrong                  // it does not satisfy the definition
	Absent                 // the tool does not have the operation
)

// String returns the verdict in a word.
func (v Verdict) String() string {
	return [...]string{"unknown", "right", "padded", "refused", "weak", "wrong", "absent"}[v]
}

// A Deviation is the first index at which an answer is wrong, and the values there.
type Deviation = judge.Deviation

// A Finding is the verdict on an answer, with the reason.
type Finding struct {
	Verdict Verdict
	Why     string     // what breaks the definition, or how a divide is padded; "" if At says it
	At      *Deviation // where a wrong answer is wrong first, if it is wrong at an index
}

// Judge compares the answer with the definition of the operation, by looking at all its values. The judge knows nothing
// of the models; see package judge.
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

// Hopeless reports whether no layout is an answer, and why.
func (q Query) Hopeless() (why string, hopeless bool) {
	p, why := judge.SolvabilityOf(q.op, q.args)
	return why, p == judge.Unsolvable
}

// Solvable reports whether some layout satisfies the definition: as the definition shows, or because one of the
// findings is that an answer does.
func (q Query) Solvable(findings ...Finding) bool {
	for _, f := range findings {
		if f.Verdict == Right {
			return true
		}
	}
	p, _ := judge.SolvabilityOf(q.op, q.args)
	return p == judge.Solvable
}

// Size returns the product of the extents of the layout that text spells, and 0 if that leaves 64 bits or text is no
// layout.
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
