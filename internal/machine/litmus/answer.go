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
	Unknown = "unknown" // some executions were not searched, because a loop reached the bound on its rounds
)

// An Answer is the result of an ask.
type Answer struct {
	Kind      string     `json:"kind"` // the kind of the ask, or "ends" or "races"
	Name      string     `json:"name,omitempty"`
	Condition string     `json:"condition,omitempty"`
	Verdict   string     `json:"verdict"`
	States    int        `json:"states"`              // the number of states that the search visited
	Witness   *Execution `json:"witness,omitempty"`   // an execution that satisfies exists, or violates ~exists or forall
	Forbidden *Execution `json:"forbidden,omitempty"` // if Witness is nil: an execution that only an axiom excludes
}

// An Execution is a run of a test.
type Execution struct {
	Events  []Event          `json:"events"`
	Edges   []Edge           `json:"edges"`
	Final   map[string]int64 `json:"final,omitempty"` // the final values of registers and of compared locations
	Stuck   []string         `json:"stuck,omitempty"` // the threads that never end
	Axiom   string           `json:"axiom,omitempty"` // the axiom that forbids the execution
	Section string           `json:"section,omitempty"`
	Words   string           `json:"words,omitempty"`
	Cycle   []Edge           `json:"cycle,omitempty"` // the cycle of edges that the axiom forbids
}

// An Event is one operation of an execution.
type Event struct {
	Name   string `json:"name"`             // a letter, or "init x" for the first value of x
	Thread string `json:"thread,omitempty"` // empty for the first write to a location
	Line   int    `json:"line,omitempty"`
	Text   string `json:"text"`
	Access string `json:"access,omitempty"` // R or W with the location and the value: "R x=1"
	From   string `json:"from,omitempty"`   // the write whose value a read returns
}

// An Edge is a pair of events that are in a relation of the model.
type Edge struct {
	Relation string `json:"relation"`
	From     string `json:"from"`
	To       string `json:"to"`
}

// Run answers an ask. It returns an [Error], or the error that limits.Stop returned.
func Run(t *Test, a Ask, limits Limits) (Answer, error) {
	out := Answer{Kind: a.Kind.String(), Name: a.Name, Condition: a.Text}
	q := newSearch(t, a, limits)
	if err := out.answer(q); err != nil || out.Witness != nil || out.Verdict == Unknown {
		return out, err
	}
	return out, out.explain(t, a, limits)
}

// nearStates limits each search for a forbidden execution that explains an answer.
const nearStates = 20000

// explain searches for an execution that would change the answer but violates an axiom. It prefers an execution that
// violates only one axiom.
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

// answer runs the search q for a witness and records the result.
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

// Terminates answers whether every fair execution ends. In a fair execution each thread continues, and each write
// becomes visible to all threads eventually. The witness is an execution that does not end. The verdict is [Unknown] if
// the search stopped at the bound on rounds of a loop that change something.
func Terminates(t *Test, limits Limits) (Answer, error) {
	out := Answer{Kind: "ends"}
	if t.sequential() {
		return out, out.interleave(t, limits)
	}
	q := newSearch(t, Ask{}, limits)
	q.hang = true
	return out, out.answer(q)
}

// Races answers whether an execution has a data race. The verdict is that the test holds if no execution has a race.
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

// witness describes the execution of l. v is the axiom that forbids it, or nil.
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

// names returns a short name for each event: a letter, assigned thread by thread, or "init x" for the first write to x.
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

// edges returns the edges that show how the threads interact: co without pairs that other pairs imply, fr only to the
// next write, and sc, bar and sync.
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

// direct returns the pairs of an order that other pairs do not imply.
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
