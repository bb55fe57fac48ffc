package eval_test

import (
	"testing"

	"girih/internal/lang/eval"
)

// The test reads lists back in every spelling that girih, C++ and Python print.
func TestListsAreReadBack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"recognize({0,2,4,1,3,5})", "(3,2):(2,1)"},
		{"recognize([0, 2, 4, 1, 3, 5])", "(3,2):(2,1)"},
		{"recognize((0,2,4,1,3,5))", "(3,2):(2,1)"},
		{"recognize({0,1,3,2})", "Sw<1,0,1> o 0 o 4:1"},
		{"recognize({(0,0),(1,0),(0,1),(1,1)})", "(2,2):(1@0,1@1)"},
		{"recognize([[0,0],[1,0],[0,1],[1,1]])", "(2,2):(1@0,1@1)"},
		{"recognize({0})", "1:0"},
		{"recognize([0])", "1:0"},
		{"{1,2,3}", "(1,2,3)"},
		{"make_layout({4,8}, {8,1})", "(4,8):(8,1)"},
	} {
		var e eval.Env
		rs, err := e.Eval(tt.src)
		if err != nil || rs[len(rs)-1].Value.String() != tt.want {
			t.Errorf("Eval(%q) = %v, %v, want %s", tt.src, rs, err, tt.want)
		}
	}
	for _, l := range []string{"(2,3):(3,1)", "(4,8):(1,5)", "Sw<2,0,2> o 0 o 16:1", "7:3", "(3,4):(1@0,1@1)"} {
		var e eval.Env
		rs, err := e.Eval("offsets(" + l + "); coalesce(" + l + ")")
		if err != nil {
			t.Fatal(err)
		}
		back, err := e.Eval("recognize(" + rs[0].Value.String() + ") == coalesce(" + l + ")")
		if err != nil || back[len(back)-1].Value.String() != "true" {
			t.Errorf("%s: its offsets %s are read back as %v, %v", l, rs[0].Value, back, err)
		}
	}
}
