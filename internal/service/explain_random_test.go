package service

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/internal/lang/eval"
)

var numeral = regexp.MustCompile(`\b[0-9]+\b`)

// TestExplainIsEval explains the examples of all functions with other numbers: explain gives the same value or error
// as eval, and every check holds.
func TestExplainIsEval(t *testing.T) {
	t.Parallel()
	builtins := eval.Builtins()
	values, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		for range 20 {
			b := rapid.SampledFrom(builtins).Draw(t, "function")
			expr := numeral.ReplaceAllStringFunc(b.Example, func(old string) string {
				if rapid.IntRange(0, 2).Draw(t, "keep") > 0 {
					return old
				}
				return strconv.Itoa(rapid.SampledFrom([]int{0, 1, 2, 3, 4, 5, 6, 8, 12, 16, 24, 32}).Draw(t, "number"))
			})
			var s Session
			want, r := s.Eval(EvalRequest{Expr: expr}), s.Explain(ExplainRequest{Expr: expr})
			if want.Value != r.Value || (want.Error == nil) != (r.Error == nil) ||
				want.Error != nil && want.Error.Message != r.Error.Message {
				t.Fatalf("%s is %s %+v, explained as %s %+v", expr, want.Value, want.Error, r.Value, r.Error)
			}
			if len(r.Explanations) == 0 {
				continue
			}
			last := r.Explanations[len(r.Explanations)-1]
			if want.Error == nil && last.Result != want.Value || want.Error != nil && last.Result != "" {
				t.Fatalf("%s is %s %+v, and the last explanation ends with %s", expr, want.Value, want.Error, last.Result)
			}
			for _, x := range r.Explanations {
				if strings.Contains(x.Check, "does not hold") || strings.Contains(x.Check, "do not give") {
					t.Fatalf("%s: %s: %s", expr, x.Expr, x.Check)
				}
			}
			if want.Error == nil {
				values++
			} else {
				refused++
			}
		}
	})
	if values == 0 || refused == 0 {
		t.Errorf("%d values and %d refusals are explained", values, refused)
	}
}
