package eval_test

import (
	"strings"
	"testing"

	"girih/internal/lang/eval"
)

// A note says that inner and outer are the CuTe DSL's names of the stages of a composed layout.
func TestStageNotes(t *testing.T) {
	t.Parallel()
	for call, says := range map[string]string{
		"inner": "what is applied last", "outer": "the layout that takes the coordinates", "layout_b": "",
		"composed_get_outer": "",
	} {
		var env eval.Env
		r, err := env.Eval(call + "(Sw<3,4,3> o 0 o (8,64):(64,1))")
		if err != nil || len(r) != 1 {
			t.Fatalf("%s: %v, %v", call, r, err)
		}
		if notes := strings.Join(r[0].Notes, "; "); !strings.Contains(notes, says) || says == "" && notes != "" {
			t.Errorf("%s notes %q, want %q", call, notes, says)
		}
	}
}
