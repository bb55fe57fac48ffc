package eval_test

import (
	"testing"

	"girih/eval"
)

// Parentheses group run-time integers where they group known ones.
func TestDynamicParentheses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"(M+1)/2", "floor((M+1)/2)"},
		{"8/(M+1)", "floor(8/(M+1))"},
		{"(M%4)%3", "(M%4)%3"},
		{"2*(M+1)", "2M+2"},
		{"(M+1)*2", "(2M+2)"}, // as (3+1)*2 is (8)
		{"((M+1))/2", "floor((M+1)/2)"},
		{"8:(M+1)@1", "8:(M+1)@1"},
	} {
		if got, err := eval.Eval(tt.src); err != nil || got.Value.String() != tt.want {
			t.Errorf("Eval(%q) = %v, %v, want %s", tt.src, got.Value, err, tt.want)
		}
	}
}
