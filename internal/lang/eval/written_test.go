package eval_test

import (
	"testing"

	"girih/internal/lang/eval"
)

// TestWritten takes run-time integers as they are printed.
func TestWritten(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"ceil(M/128)", "(2,ceil(M/128)):(1,floor(K/64))",
		"(2,min(M,128)):(1,8M)", "(2,floor((M+1)/4)):(1,2)", "(2,(M+1)%4):(1,2)", "(2,ceil(K*M/4)):(1,2)",
	} {
		r, err := eval.Eval(text)
		if err != nil || r.Value.String() != text {
			t.Errorf("Eval(%q) = %v, %v", text, r.Value, err)
		}
	}
	for src, want := range map[string]string{
		"min(3,4)": "3", "ceil(7/2)": "4", "floor(7/2)": "3", "ceil((M+1)/(8*T))": "ceil((M+1)/8T)",
	} {
		r, err := eval.Eval(src)
		if err != nil || r.Value.String() != want {
			t.Errorf("Eval(%q) = %v, %v; want %s", src, r.Value, err, want)
		}
	}
	if r, err := eval.Eval("<M:1,_,(2,num_rows)>"); err != nil || r.Static != "<?:1,_,<2:1,?:1>>" {
		t.Errorf("the static view of a tile is %s, %v", r.Static, err)
	}
	for _, src := range []string{"floor(4:1)", "min(1)", "min(1,4:1)", "ceil(1/0)"} {
		if r, err := eval.Eval(src); err == nil {
			t.Errorf("Eval(%q) = %v, want an error", src, r.Value)
		}
	}
}
