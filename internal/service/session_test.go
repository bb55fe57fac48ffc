package service_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"girih/internal/lang/report"
	"girih/internal/service"
)

// encode returns the JSON of v as the command line writes it.
func encode(t *testing.T, v any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func TestEvalJSON(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ name, expr, want string }{
		{"layout", "(6,2):(8,2) o (4,3):(3,1)", `{"ok":true,"kind":"layout","value":"((2,2),3):((24,2),8)"}`},
		{"integer", "(4,8):(8,1)(1,2)", `{"ok":true,"kind":"int","value":"10"}`},
		{"angle brackets stay readable", "Sw<3,4,3>", `{"ok":true,"kind":"swizzle","value":"Sw<3,4,3>"}`},
		{"last statement", "1; (4,2); true", `{"ok":true,"kind":"bool","value":"true"}`},
		{"nothing", " # only a comment", `{"ok":true,"kind":"none"}`},
		{
			"note", "logical_divide(9:1, 2:1)",
			`{"ok":true,"kind":"layout","value":"(2,5):(1,2)","notes":["padded 9 to 10 elements: real where (2,5):(1,2) < 9"]}`,
		},
		{
			"note of an earlier statement", "let a = logical_divide(9:1, 2:1); rank(a)",
			`{"ok":true,"kind":"int","value":"2","notes":["padded 9 to 10 elements: real where (2,5):(1,2) < 9"]}`,
		},
		{"no hint that would be refused again", "zipped_divide((8,8):(8,1),", `{"ok":false,"error":{"code":"syntax","message":"col 27: expected an expression, found end of input"}}`},
		{"statement", "print_latex(4:1)", `{"ok":false,"error":{"code":"name","message":"print_latex is not a function of the language and not bound by let","hint":"print_latex is a statement: girih run and the REPL take it"}}`},
		{"hint", "colaesce(4:1)", `{"ok":false,"error":{"code":"name","message":"colaesce is not a function of the language and not bound by let","hint":"did you mean coalesce?"}}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			var s service.Session
			if got := encode(t, s.Eval(service.EvalRequest{Expr: test.expr})); got != test.want {
				t.Errorf("Eval(%q) =\n%s, want\n%s", test.expr, got, test.want)
			}
		})
	}
}

func TestEvalWitness(t *testing.T) {
	t.Parallel()
	var s service.Session
	r := s.Eval(service.EvalRequest{Expr: "1; (6,2):(1,7) o (3,2):(2,3)"})
	if r.OK || r.Value != "" || r.Error == nil {
		t.Fatalf("Eval = %+v, want an error", r)
	}
	e := r.Error
	if want := (&report.Witness{Coord: "(2,1)", Index: 5, Value: "8", Want: "7"}); !cmp.Equal(e.Witness, want) {
		t.Errorf("witness = %+v, want %+v", e.Witness, want)
	}
	if e.Code != "not_representable" || !strings.HasPrefix(e.Message, "composition: ") {
		t.Errorf("code and message = %q, %q; want not_representable, and the operation first", e.Code, e.Message)
	}
	if e.Pos != 3 || e.End != 28 {
		t.Errorf("place = [%d,%d), want [3,28)", e.Pos, e.End)
	}
	if got, want := encode(t, e.Witness), `{"coord":"(2,1)","index":5,"value":"8","want":"7"}`; got != want {
		t.Errorf("witness in JSON = %s, want %s", got, want)
	}
	if got := encode(t, r); strings.Contains(got, `"pos"`) || strings.Contains(got, "notes") || strings.Contains(got, `"value":""`) {
		t.Errorf("the JSON of an error has more than the contract: %s", got)
	}
}

func TestVarsPersist(t *testing.T) {
	t.Parallel()
	var s service.Session
	s.Eval(service.EvalRequest{Expr: "let b = (4,2):(2,1)"})
	s.Eval(service.EvalRequest{Expr: "let a = b(3)"})
	s.Eval(service.EvalRequest{Expr: "let c = ("}) // a syntax error binds nothing
	if got, want := s.Vars(), []string{"a", "b"}; !cmp.Equal(got, want) {
		t.Errorf("Vars() = %q, want %q", got, want)
	}
	if r := s.Eval(service.EvalRequest{Expr: "a"}); r.Value != "6" {
		t.Errorf("a = %q, want 6", r.Value)
	}
}

func TestIncomplete(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		"": false, "4:1": false, "(4,": true, "4:1 o": true, "let a =": true, "(4,]": false, "4)": false,
		"let a = (4,\n2)": false,
	} {
		if got := service.Incomplete(src); got != want {
			t.Errorf("Incomplete(%q) = %v, want %v", src, got, want)
		}
	}
}

func TestTooLong(t *testing.T) {
	t.Parallel()
	var s service.Session
	n := service.MaxExpr + 1
	got, want := service.TooLong(n), s.Eval(service.EvalRequest{Expr: strings.Repeat(" ", n)})
	if got.Error.Code != want.Error.Code || !strings.HasSuffix(want.Error.Message, got.Error.Message) {
		t.Errorf("TooLong(%d) = %+v, and the evaluator says %+v", n, got.Error, want.Error)
	}
	if r := s.Eval(service.EvalRequest{Expr: strings.Repeat(" ", n-2) + "7"}); r.Value != "7" {
		t.Errorf("a program of %d bytes gives %+v, want 7", n-1, r)
	}
}

func ExampleSession_Eval() {
	var s service.Session
	s.Eval(service.EvalRequest{Expr: "let a = (6,2):(8,2)"})
	fmt.Println(s.Eval(service.EvalRequest{Expr: "a o (4,3):(3,1)"}).Value)
	fmt.Print(s.Eval(service.EvalRequest{Expr: "a o b"}).Error.Report("a o b", 0))
	// Output:
	// ((2,2),3):((24,2),8)
	// error: name: b is not a function of the language and not bound by let
	//   a o b
	//       ^
}

func ExampleHelp() {
	fmt.Print(service.Help(service.HelpRequest{Name: "cosize"}).Function.Signature())
	// Output: cosize(L)
}
