package consistency_test

import (
	"testing"

	"girih/ptx/consistency"
)

// all returns an execution of n events that are all strong and have the same scope, proxy and location.
func all(n int) *consistency.Execution {
	x := consistency.NewExecution(n)
	every := consistency.Set(1)<<n - 1
	*x.Events("Strong"), *x.Events("Gen") = every, every
	for a := range n {
		for b := range n {
			for _, name := range []string{"loc", "whole", "scope", "proxy", "cta"} {
				if a != b || name != "scope" {
					x.Relation(name).Add(a, b)
				}
			}
		}
	}
	return x
}

// TestAxioms checks each axiom with an execution that violates it.
func TestAxioms(t *testing.T) {
	t.Parallel()
	type pair struct {
		name     string
		from, to int
	}
	for _, c := range []struct {
		axiom  string
		n      int
		writes consistency.Set
		edges  []pair
	}{
		{"Coherence", 2, 0b11, []pair{{"po", 0, 1}, {"co", 1, 0}}},
		{"Coherence-Order", 2, 0b11, nil},
		{"Fence-SC", 2, 0, []pair{{"po", 0, 1}, {"sc", 1, 0}}},
		{"Atomicity", 4, 0b1101, []pair{{"rf", 0, 1}, {"rmw", 1, 2}, {"co", 0, 3}, {"co", 3, 2}, {"co", 0, 2}}},
		{"No-Thin-Air", 2, 0b10, []pair{{"rf", 1, 0}, {"dep", 0, 1}}},
		{"SC-Per-Location", 3, 0b001, []pair{{"po", 1, 2}, {"rf", 0, 2}, {"rf", 2, 1}}},
		{"Causality", 3, 0b011, []pair{{"co", 0, 1}, {"po", 1, 2}, {"rf", 0, 2}}},
	} {
		x := all(c.n)
		*x.Events("W") = c.writes
		*x.Events("R") = (consistency.Set(1)<<c.n - 1) &^ c.writes
		for _, e := range c.edges {
			x.Relation(e.name).Add(e.from, e.to)
		}
		// Other axioms may be violated as well.
		var others []string
		for _, r := range consistency.Rows() {
			if r.Kind == consistency.Axiom && r.Name != c.axiom {
				others = append(others, r.Name)
			}
		}
		v := x.Check(others...)
		if v == nil || v.Name != c.axiom {
			t.Errorf("%s: %v", c.axiom, v)
			continue
		}
		if cycle := v.Cycle(); len(cycle) == 0 {
			t.Errorf("%s: no cycle", c.axiom)
		} else {
			t.Logf("%s: %v", c.axiom, cycle)
		}
	}
}
