package eval_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"girih/cute"
	"girih/internal/lang/eval"
)

// TestBuiltinExamples evaluates the example of every function and checks that its text is complete.
func TestBuiltinExamples(t *testing.T) {
	t.Parallel()
	for _, b := range eval.Builtins() {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			if b.Doc == "" || !strings.HasSuffix(b.Doc, ".") || b.Params == "" || !slices.Contains(eval.Groups(), b.Group) {
				t.Errorf("the entry is not complete: %+v", b)
			}
			if !strings.Contains(b.Example, b.Name) &&
				!slices.ContainsFunc(b.Aliases, func(a string) bool { return strings.Contains(b.Example, a) }) {
				t.Errorf("the example %q does not call the function", b.Example)
			}
			got, err := eval.Eval(b.Example)
			if err != nil {
				t.Fatalf("Eval(%q) = %v, want %s", b.Example, err, b.Output)
			}
			if got.Value.String() != b.Output {
				t.Errorf("Eval(%q) = %s, want %s", b.Example, got.Value, b.Output)
			}
			for _, name := range append([]string{b.Name}, b.Aliases...) {
				if found, ok := eval.Lookup(name); !ok || found.Name != b.Name {
					t.Errorf("Lookup(%q) = %v, %v", name, found.Name, ok)
				}
			}
		})
	}
}

// TestErrorCodeExamples evaluates the example of every error code.
func TestErrorCodeExamples(t *testing.T) {
	t.Parallel()
	for _, c := range cute.Codes() {
		_, err := eval.Eval(c.Example)
		var e *eval.Error
		if !errors.As(err, &e) || e.Err.Code != c.Code {
			t.Errorf("Eval(%q) = %v, want the code %s", c.Example, err, c.Code)
		}
	}
}
