package outcomes

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"girih/fault"
	"girih/internal/machine/litmus"
)

// A Verdict compares what was observed of a test with the model.
type Verdict struct {
	Asked      string           `json:"asked,omitempty"`  // the condition of the test
	Model      string           `json:"model,omitempty"`  // the model's verdict on the condition: "holds"
	States     map[string]int64 `json:"states,omitempty"` // by name of an allowed state: how often it occurred, possibly 0
	Forbidden  []Forbidden      `json:"forbidden,omitempty"`
	Open       []Forbidden      `json:"open,omitempty"` // states beyond the bound of the search on rounds of loops
	Unfinished int64            `json:"unfinished,omitempty"`
}

// A Forbidden is a state that was observed and is not allowed.
type Forbidden struct {
	State   string `json:"state"`
	Count   int64  `json:"count"`
	Axiom   string `json:"axiom,omitempty"` // the axiom that forbids the state
	Section string `json:"section,omitempty"`
	Words   string `json:"words,omitempty"`
}

// limits bound the questions to the model.
func limits(stop func() error) litmus.Limits {
	return litmus.Limits{Rounds: 3, States: 1 << 21, Stop: stop}
}

// A Model has the answers of the memory model on a test.
type Model struct {
	test      *litmus.Test
	variables []litmus.Term
	answer    litmus.Answer
	states    map[string]bool
	whole     bool
	stop      func() error
}

// NewModel asks the model for all final states of a plan's test, and for its verdict on the condition.
func NewModel(p *Plan, stop func() error) (*Model, error) {
	m := &Model{test: p.Test, variables: p.Variables, states: map[string]bool{}, stop: stop}
	var err error
	if len(p.Test.Asks) == 0 {
		return nil, Skip("expected a condition, found none")
	}
	if m.answer, err = litmus.Run(p.Test, p.Test.Asks[0], limits(stop)); err != nil {
		return nil, err
	}
	states, whole, err := litmus.Outcomes(p.Test, p.Variables, limits(stop))
	if err != nil {
		return nil, err
	}
	m.whole = whole
	for _, s := range states {
		m.states[m.name(s)] = true
	}
	return m, nil
}

// name returns a state as text: "P1:r0=1 P1:r1=0 x=1".
func (m *Model) name(values []int64) string {
	var list []string
	for i, v := range m.variables {
		list = append(list, fmt.Sprintf("%s=%d", m.test.TermName(v), values[i]))
	}
	return strings.Join(list, " ")
}

// Judge compares counts with the model.
func (m *Model) Judge(counts []Count) (Verdict, error) {
	a := m.test.Asks[0]
	v := Verdict{Asked: a.Kind.String() + " " + a.Text, Model: m.answer.Verdict, States: map[string]int64{}}
	for name := range m.states {
		v.States[name] = 0
	}
	for _, c := range counts {
		name := m.name(c.Values)
		if m.states[name] {
			v.States[name] += int64(c.N)
			continue
		}
		f := Forbidden{State: name, Count: int64(c.N)}
		open, err := m.explain(&f, c.Values)
		if err != nil {
			return v, err
		}
		if open {
			v.Open = append(v.Open, f)
		} else {
			v.Forbidden = append(v.Forbidden, f)
		}
	}
	byState := func(a, b Forbidden) int { return strings.Compare(a.State, b.State) }
	slices.SortFunc(v.Forbidden, byState)
	slices.SortFunc(v.Open, byState)
	return v, nil
}

// explain finds the axiom that forbids a state. It reports that the state is open if the model has not found it only
// because loops were left.
func (m *Model) explain(f *Forbidden, values []int64) (open bool, err error) {
	a, err := litmus.Reaches(m.test, m.variables, values, limits(m.stop))
	switch {
	case errors.Is(err, fault.Limit):
		return !m.whole, nil
	case err != nil:
		return false, err
	case a.Forbidden != nil:
		f.Axiom, f.Section, f.Words = a.Forbidden.Axiom, a.Forbidden.Section, a.Forbidden.Words
	case a.Verdict != litmus.Fails:
		return true, nil
	}
	return false, nil
}

// Never returns how many states are allowed and were never seen.
func (v *Verdict) Never() int {
	n := 0
	for _, count := range v.States {
		if count == 0 {
			n++
		}
	}
	return n
}

// Total returns how many instances ended.
func (v *Verdict) Total() int64 {
	n := int64(0)
	for _, count := range v.States {
		n += count
	}
	for _, f := range slices.Concat(v.Forbidden, v.Open) {
		n += f.Count
	}
	return n
}
