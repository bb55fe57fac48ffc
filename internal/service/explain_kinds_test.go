package service

import (
	"strings"
	"testing"
	"time"

	"girih/internal/lang/eval"
)

// Every function about instructions and maps over bits quickly gives an explanation with steps.
func TestExplainAtomsAndBits(t *testing.T) {
	t.Parallel()
	for _, b := range eval.Builtins() {
		if b.Group != "atoms" && b.Group != "linear layouts" {
			continue
		}
		var s Session
		start := time.Now()
		r := s.Explain(ExplainRequest{Expr: b.Example, Top: true})
		took := time.Since(start)
		if !r.OK || len(r.Explanations) != 1 {
			t.Errorf("%s: %+v", b.Example, r.Error)
			continue
		}
		x := r.Explanations[0]
		t.Logf("%-20s %d steps, %v", b.Name, len(x.Steps), took)
		if len(x.Steps) == 0 {
			t.Logf("%s: no steps: %s", b.Example, x.Rule)
		}
		for _, step := range x.Steps {
			if step.Say == "" || strings.Contains(step.Say, "%!") {
				t.Errorf("%s: says %q", b.Example, step.Say)
			}
			if f := step.Figure; f != nil {
				if _, _, err := s.last(f.Expr); err != nil {
					t.Errorf("%s: the figure is of %s: %s", b.Example, f.Expr, err.Message)
				}
			}
		}
	}
}
