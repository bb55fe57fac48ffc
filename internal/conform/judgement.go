package conform

import "strings"

// A Judgement says how an answer stands to the definition of its operation.
type Judgement struct {
	Standing Standing
	Why      string     // what breaks the definition; for a padded answer how many elements it has for how many
	At       *Deviation // the first index that is wrong, if it is a matter of values
}

// A Standing is how an answer stands to a definition.
type Standing int

// The standings.
const (
	Unjudged Standing = iota // no definition, or more than [MaxValues] values
	Right
	Padded // a divide with more elements than the layout; all those of the layout are among them
	Wrong
)

// MaxValues is the most values of a layout that are looked at.
const MaxValues = maxTable

// Judge holds the answer to an operation against the definition, value by value. Operands and answer are texts as in
// the files of vectors; a tiler may also be a shape or a tile such as <4:1,_>, which tile mode by mode.
func Judge(op string, args []string, answer string) Judgement {
	r, ok := readLayout(answer)
	if !ok {
		return Judgement{Standing: Wrong, Why: "an extent is 0 or negative, so it is no layout"}
	}
	if op == "coalesce" {
		args = args[:min(len(args), 1)] // a target profile only says which of several right answers it is
	}
	if q, ok := newQuery(op, args); ok {
		return q.judge(r)
	}
	if m, ok := newModewise(op, args); ok {
		return m.judge(r)
	}
	return Judgement{}
}

// judge gives the judgement on an answer.
func (q query) judge(r mode) Judgement {
	def, _ := definitionOf(q.op)
	switch f, why := def.satisfied(q, r); {
	case f == unknown:
		return Judgement{}
	case f == breaks:
		return Judgement{Standing: Wrong, Why: why.text, At: why.at}
	}
	if n, want := r.leaves().size(), q.a.leaves().size()*q.b.leaves().repeats(); isDivision(q.op) && n != want {
		return Judgement{Standing: Padded, Why: because("%d elements for %d", n, want).text}
	}
	return Judgement{Standing: Right}
}

// A Prospect says whether an operation has an answer.
type Prospect int

// The prospects.
const (
	Undecided  Prospect = iota // no definition, too large, or not decided by looking at the values
	Solvable                   // some layout satisfies the definition
	Unsolvable                 // none does
)

// Prospects returns whether the operation has an answer, with the reason. Of a divide that is an answer that need not
// be padded.
func Prospects(op string, args []string) (Prospect, string) {
	if q, ok := newQuery(op, args); ok {
		return q.prospects()
	}
	if m, ok := newModewise(op, args); ok {
		return m.prospects()
	}
	return Undecided, ""
}

func (q query) prospects() (Prospect, string) {
	def, _ := definitionOf(q.op)
	switch f, why := def.unsolvable(q); f {
	case holds:
		return Unsolvable, why.text
	case breaks:
		return Solvable, why.text
	}
	return Undecided, ""
}

// Ask returns girih's answer to an operation: the canonical text, or the error as text and false.
func Ask(op string, args []string) (text string, ok bool) {
	a := ask(op + "(" + strings.Join(args, ", ") + ")")
	return a.text(), !a.refused()
}
