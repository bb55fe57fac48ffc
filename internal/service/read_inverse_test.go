package service_test

import (
	"testing"

	"girih/internal/lang/eval"
	"girih/internal/service"
)

// TestReadIsInverse reads what girih prints: reading each function's example returns that example.
func TestReadIsInverse(t *testing.T) {
	t.Parallel()
	for _, b := range eval.Builtins() {
		if b.Output == "" || b.Name == "value_type" { // the name of a type, alone in a text, may be an ordinary word
			continue
		}
		r := service.Read(service.ReadRequest{Text: b.Output})
		if len(r.Items) != 1 || r.Items[0].Value != b.Output {
			t.Errorf("%s: %q -> %v %v", b.Name, b.Output, r.Text(), r.Error)
		}
	}
}

// TestElsewhere checks that a stride has a note if it is a symbol in the language but means something else in a
// tool that it may be pasted from.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"(8,8):(F1,F9)":            "F1 is a symbol; the stride that PyCuTe prints so is written F2(1), and read takes it for that",
		"(16,16):(1E0,1E1)":        "1E0 is a multiple of a symbol; the stride that FlyDSL prints so is written 1@0, and read takes it for that",
		"(8,8):(F2(1),F2(9))":      "",
		"let F9 = 3; (8,8):(1,F9)": "",
		"(F,E):(1,F)":              "",
	} {
		r := new(service.Session).Eval(service.EvalRequest{Expr: expr})
		if !r.OK || want == "" && len(r.Notes) > 0 || want != "" && (len(r.Notes) != 1 || r.Notes[0] != want) {
			t.Errorf("%s: %q, %v, want %q", expr, r.Notes, r.Error, want)
		}
	}
}
