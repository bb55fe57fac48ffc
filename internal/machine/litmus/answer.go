package litmus

import (
	"errors"
	"fmt"
	"strings"

	"girih/fault"
	"girih/ptx/consistency"
)

// The verdicts of answers.
const (
	Holds   = "holds"
	Fails   = "fails"
	Unknown = "unknown" // a loop was left after the bound on its rounds
)

// An Answer is what was found out about an ask.
type Answer struct {
	Kind      string     `json:"kind"` // of the ask, or "ends", "races"
	Name      string     `json:"name,omitempty"`
	Condition string     `json:"condition,omitempty"`
	Verdict   string     `json:"verdict"`
	States    int        `json:"states"`              // that were looked at
	Witness   *Execution `json:"witness,omitempty"`   // one with the condition of exists, or against ~exists or forall
	Forbidden *Execution `json:"forbidden,omitempty"` // without a witness: what would be one, and the axiom against it
}

// An Execution is a run of a test.
type Execution struct {
	Events  []Event          `json:"events"`
	Edges   []Edge           `json:"edges"`
	Final   map[string]int64 `json:"final,omitempty"` // registers, and the locations that conditions compare
	Stuck   []string         `json:"stuck,omitempty"` // what never ends
	Axiom   string           `json:"axiom,omitempty"` // that forbids the execution
	Section string           `json:"section,omitempty"`
	Words   string           `json:"words,omitempty"`
	Cycle   []Edge           `json:"cycle,omitempty"` // that the axiom forbids
}

// An Event is one operation of an execution.
type Event struct {
	Name   string `json:"name"`             // a letter, or "init x"
	Thread string `json:"thread,omitempty"` // none for the first write of a location
	Line   int    `json:"line,omitempty"`
	Text   string `json:"text"`
	Access string `json:"access,omitempty"` // R or W with location and value: "R x=1"
	From   string `json:"from,omitempty"`   // the event that a read returns
}

// An Edge is a pair of events that a relation of the model has.
type Edge struct {
	Relation string `json:"relation"`
	From     string `json:"from"`
	To       string `json:"to"`
}

// Run answers an ask. The errors are [Error]s, and what limits.Stop returns.
func Run(t *Test, a Ask, limits Limits) (Answer, error) {
	out := Answer{Kind: a.Kind.String(), Name: a.Name, Condition: a.Text}
	q := newSearch(t, a, limits)
	if err := out.answer(q); err != nil || out.Witness != nil || out.Verdict == Unknown {
		return out, err
	}
	return out, out.explain(t, a, limits)
}

// nearStates limits each search for an execution to explain an answer with.
const nearStates = 20000

// explain looks for an execution that one axiom alone forbids, or else for any that an axiom forbids.
func (out *Answer) explain(t *Test, a Ask, limits Limits) error {
	limits.States = min(limits.States, nearStates)
	for _, axiom := range []string{"Causality", "Atomicity", "Coherence", "SC-Per-Location", "Fence-SC", ""} {
		near := newSearch(t, a, limits)
		near.loose, near.wild = axiom, axiom == ""
		err := near.run()
		if err != nil && !errors.Is(err, fault.Limit) {
			return err
		}
		if out.Forbidden = near.found; near.found != nil {
			break
		}
	}
	return nil
}

// answer runs a search for a witness.
func (out *Answer) answer(q *search) error {
	err := q.run()
	out.States, out.Witness, out.Verdict = q.states, q.found, Fails
	switch {
	case q.found == nil && q.bounded:
		out.Verdict = Unknown
	case (q.found != nil) == (out.Kind == Exists.String()):
		out.Verdict = Holds
	}
	return err
}

// Terminates answers whether every fair execution ends: each thread goes on, and each write is seen by everyone at
// last. The witness is an execution that does not end. The verdict is [Unknown] if rounds of loops that change
// something are left out.
func Terminates(t *Test, limits Limits) (Answer, error) {
	out := Answer{Kind: "ends"}
	if t.sequential() {
		return out, out.interleave(t, limits)
	}
	q := newSearch(t, Ask{}, limits)
	q.hang = true
	return out, out.answer(q)
}

// Races answers whether an execution has a data race. The verdict holds if none has.
func Races(t *Test, limits Limits) (Answer, error) {
	out := Answer{Kind: "races"}
	q := newSearch(t, Ask{}, limits)
	q.race = true
	return out, out.answer(q)
}

// newSearch returns the search for an execution that answers a.
func newSearch(t *Test, a Ask, limits Limits) *search {
	q := &search{test: t, limits: &limits, rounds: limits.Rounds, places: t.Filter.places(t) | a.Cond.places(t)}
	q.goal = func(lookup func(Term) (int64, bool)) verdict {
		c := a.Cond.holds(lookup)
		if a.Kind == Forall {
			c = c.not()
		}
		f := t.Filter.holds(lookup)
		switch {
		case c == no || f == no:
			return no
		case c == yes && f == yes:
			return yes
		}
		return unknown
	}
	return q
}

// witness returns the execution of l; v is the axiom that forbids it, or nil.
func (l *leaf) witness(final map[string]int64, v *consistency.Violation) *Execution {
	w := &Execution{Final: final, Stuck: l.stuck}
	names := l.names()
	for k := range l.events {
		e := &l.events[k]
		out := Event{Name: names[k], Text: e.ins.Text, Line: e.ins.Line}
		if e.thread >= 0 {
			out.Thread = l.test.Threads[e.thread].Name
		}
		if e.memory() {
			kind := "R"
			if e.write {
				kind = "W"
			}
			out.Access = fmt.Sprintf("%s %s=%d", kind, l.test.Locations[e.ins.Loc].Name, e.val.n)
		}
		if e.from >= 0 {
			out.From = names[e.from]
		}
		w.Events = append(w.Events, out)
	}
	for i := range l.run {
		for j, r := range l.run[i].regs {
			if l.run[i].pc == len(l.test.Threads[i].Code) {
				final[l.test.Threads[i].Name+":"+l.test.Threads[i].Registers[j]] = r.n
			}
		}
	}
	w.Edges = l.edges(names)
	if v != nil {
		w.Axiom, w.Section, w.Words = v.Name, v.Section, v.Words
		for _, e := range v.Cycle() {
			w.Cycle = append(w.Cycle, Edge{e.Name, names[e.From], names[e.To]})
		}
	}
	return w
}

// names returns a short name for each event: letters by thread, and "init x" for the first write of x.
func (s *state) names() []string {
	names := make([]string, len(s.events))
	n := 0
	for thread := -1; thread < len(s.run); thread++ {
		for k := range s.events {
			switch e := &s.events[k]; {
			case e.thread != thread:
			case thread < 0:
				names[k] = "init " + s.test.Locations[e.ins.Loc].Name
			default:
				names[k] = strings.TrimSuffix(fmt.Sprintf("%c%d", 'a'+n%26, n/26), "0")
				n++
			}
		}
	}
	return names
}

// edges returns the edges that say how the threads met: co without what follows from other pairs of it, fr to the
// next write, sc, bar and sync.
func (l *leaf) edges(names []string) []Edge {
	var list []Edge
	next := direct(l.x.Relation("co"))
	shown := []string{"co", "fr", "sc", "bar", "sync"}
	if l.race {
		shown = append(shown, "race")
	}
	for _, name := range shown {
		r := l.x.Relation(name)
		switch name {
		case "co":
			r = next
		case "sc":
			r = direct(r)
		}
		for i := range r {
			for j := range r {
				if r.Has(i, j) && (name != "race" || i < j) && (name != "fr" || next.Has(l.events[i].from, j)) {
					list = append(list, Edge{name, names[i], names[j]})
				}
			}
		}
	}
	return list
}

// direct returns the pairs of an order that do not follow from other pairs.
func direct(r consistency.Relation) consistency.Relation {
	out := r.Clone()
	for i := range r {
		for j := range r {
			if r.Has(i, j) {
				out[i] &^= r[j]
			}
		}
	}
	return out
}
