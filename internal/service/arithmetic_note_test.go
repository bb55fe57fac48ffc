package service_test

import (
	"strings"
	"testing"

	"girih/internal/service"
)

// Where Python or C++ reads a single expression differently, a note says so; elsewhere there is none.
func TestOtherArithmetic(t *testing.T) {
	t.Parallel()
	for expr, want := range map[string]string{
		"7/2":               "in Python / gives 3.5 and // gives 3",
		"-7 % 3":            "in Python it is 2",
		"1 + 010":           "octal, 8",
		"7//2":              "in Python it divides",
		"(7+1) // 2":        "in Python it divides",
		"size(4:1)//3":      "in Python it divides",
		"(1,2)+(3,4)":       "in Python + joins",
		"2*(1,2)":           "in Python a tuple is repeated",
		"8/2":               "",
		"7 % 3":             "",
		"007 + 1":           "",
		"(4,8):(1,4) // 32": "",
		"size(4:1) // 4":    "",
		"2*3+4":             "",
		"1@01":              "",

		"size(index_map((8,8), lambda i, j: i//1*8+j))": "",
	} {
		var s service.Session
		r := s.Eval(service.EvalRequest{Expr: expr})
		notes := strings.Join(r.Notes, "\n")
		if !r.OK || want == "" && notes != "" || !strings.Contains(notes, want) {
			t.Errorf("%s: %+v, notes %q, want %q", expr, r.Error, notes, want)
		}
	}
}
