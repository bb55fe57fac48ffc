package eval_test

import (
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// The test checks the conditions on values beyond the size of a computed layout. The values depend on whether the last
// mode turns out to have extent 1. Each condition is given once.
func TestBeyondComputedLayouts(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want, note string }{
		{"right_inverse(N:1) o 8:1", "8:1", "valid if 2 <= N (sufficient"},
		{"right_inverse(N{>=2}:1) o 8:1", "8:1", ""},
		{"right_inverse(N{>=8}:1) o 8:1", "8:1", ""},
		{"coalesce((4,N):(1,5)) o 32:1", "(4,8):(1,5)", "valid if 2 <= N"},
		{"coalesce((4,N):(1,5)) o 4:1", "4:1", ""},
		{"right_inverse(N:1)(8)", "8", "valid if 2 <= N"},
		{"N:1 o 8:1", "8:1", ""},
		{"(M,K):(K,1) o <128:1, 64:1>", "(128,64):(K,1)", ""},
		{"is_surjective(M:M)", "M <= 1", ""},
		{"is_surjective((M,1):(M,5))", "M <= 1", ""},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if err != nil {
			t.Errorf("Eval(%q): %v, want %s", tt.src, err, tt.want)
			continue
		}
		r := rs[len(rs)-1]
		notes := strings.Join(r.Notes, "\n")
		if r.Value.String() != tt.want || !strings.Contains(notes, tt.note) || tt.note == "" && notes != "" {
			t.Errorf("Eval(%q) = %s %q, want %s with %q", tt.src, r.Value, notes, tt.want, tt.note)
		}
	}
}
