package litmus

import (
	"fmt"
	"strings"
)

// Variables returns the variables of a final state: the registers of all threads, and one location for each place in
// memory.
func (t *Test) Variables() []Term {
	var list []Term
	for i := range t.Threads {
		for k := range t.Threads[i].Registers {
			list = append(list, Term{Thread: i, Register: k, Loc: -1})
		}
	}
	for i, l := range t.Locations {
		if l.Place == i {
			list = append(list, Term{Thread: -1, Loc: i})
		}
	}
	return list
}

// TermName returns the name of a register or a location as conditions spell it: "P1:r0".
func (t *Test) TermName(term Term) string {
	switch {
	case term.Thread >= 0:
		return t.Threads[term.Thread].Name + ":" + t.Threads[term.Thread].Registers[term.Register]
	case term.Loc >= 0:
		return t.Locations[term.Loc].Name
	}
	return fmt.Sprint(term.Value)
}

// Outcomes returns the values of terms in all final states that the model allows, without repeats. It ignores the
// test's filter. whole is false if a loop reached the bound on its rounds, so that states may be missing.
func Outcomes(t *Test, terms []Term, limits Limits) (states [][]int64, whole bool, err error) {
	free, _ := t.about(terms, make([]int64, len(terms)))
	q := newSearch(free, free.Asks[0], limits)
	seen := map[string]bool{}
	var state []int64
	q.goal = func(lookup func(Term) (int64, bool)) verdict {
		state = make([]int64, len(terms))
		for i, term := range terms {
			n, known := lookup(term)
			if !known {
				return unknown
			}
			state[i] = n
		}
		if seen[fmt.Sprint(state)] {
			return no
		}
		return yes
	}
	q.each = func() {
		seen[fmt.Sprint(state)] = true
		states = append(states, state)
	}
	err = q.run()
	return states, !q.bounded, err
}

// Reaches answers whether an allowed execution ends with the given values of terms. It ignores the test's filter.
func Reaches(t *Test, terms []Term, values []int64, limits Limits) (Answer, error) {
	free, a := t.about(terms, values)
	return Run(free, a, limits)
}

// about returns t with one ask: whether an execution ends with the given values of terms. The ask becomes part of the
// test because it makes the registers among the terms live at the end of a thread; the search must not skip a round of
// a loop that changes them.
func (t *Test) about(terms []Term, values []int64) (*Test, Ask) {
	a := Ask{Kind: Exists}
	var text []string
	for i, term := range terms {
		c := &Condition{Op: 'c', Math: "eq", A: term, B: Term{Thread: -1, Loc: -1, Value: values[i]}}
		text = append(text, fmt.Sprintf("%s == %d", t.TermName(term), values[i]))
		if a.Cond != nil {
			c = &Condition{Op: '&', L: a.Cond, R: c}
		}
		a.Cond = c
	}
	a.Text = "(" + strings.Join(text, ` /\ `) + ")"
	free := *t
	free.Filter, free.Asks = nil, []Ask{a}
	return &free, a
}
