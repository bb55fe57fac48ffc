package program_test

import (
	"strings"
	"testing"

	"girih/internal/lang/program"
)

// TestPython checks the trees of statements and expressions of Python.
func TestPython(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"-x**2", `(do (expr (- (** x 2))))`},
		{"not a == b", `(do (expr (not (compare a == b))))`},
		{"a < b <= c not in d", `(do (expr (compare a < b <= c not in d)))`},
		{"2**-1", `(do (expr (** 2 (- 1))))`},
		{"a if b else c if d else e", `(do (expr (if b a (if d c e))))`},
		{"f = lambda x=1, *a: x", `(do (= [f] (lambda (params (p x - 1) (* a - -)) x) -))`},
		{"(x := 4) + x", `(do (expr (+ (:= x 4) x)))`},
		{"f(*a, k=1, **d)", `(do (expr (call f [(star a)] [(k 1) (** d)])))`},
		{"x[1:2, ::3, i]", `(do (expr (index x (tuple [(slice 1 2 -) (slice - - 3) i]))))`},
		{
			`f"{a}{b!r:>{w}}{c=}{{}}{d["k"]:.2f}"`,
			`(do (expr (text (v a - -) (v b r [">" (v w - -)]) "c=" (v c r -) "{}" (v (index d (text "k")) - [".2f"]))))`,
		},
		{"x = 1; y = 2;", `(do (= [x] 1 -) (= [y] 2 -))`},
		{"a = b = 1", `(do (= [a b] 1 -))`},
		{"a, *b = c", `(do (= [(tuple [a (star b)])] c -))`},
		{"x: int = 4\ny: float", `(do (= [x] 4 int))`},
		{"print = 4\nprint", `(do (= [print] 4 -) (expr print))`},
		{"    x = 1\n    if x:\n        y = 2\n", `(do (= [x] 1 -) (If x (do (= [y] 2 -)) (do)))`},
		{
			"def f(a, /, b, *, c=1):\r\n\r\n\treturn a\r\n",
			`(do (def f (params (place a - -) (p b - -) (key c - 1)) - [] (do (return a))))`,
		},
		{
			"@cute.jit\ndef f(a: cute.Layout, n: cutlass.Constexpr[int] = 4) -> None:\n  \"\"\"doc\"\"\"\n  pass",
			`(do (def f (params (p a (. cute Layout) -) (p n (index (. cutlass Constexpr) int) 4)) None [(. cute jit)] (do)))`,
		},
		{"while a:\n  break\nelse:\n  b\n", `(do (While a (do (break)) (do (expr b))))`},
		{"for i, (a, b) in x: continue", `(do (For (tuple [i (tuple [a b])]) x (do (continue)) (do)))`},
		{"x = (1,\n     2)  # a comment\n", `(do (= [x] (tuple [1 2]) -))`},
		{"x = 1 + \\\n  2", `(do (= [x] (+ 1 2) -))`},
		{"(4)", `(do (expr 4))`},
		{"(4,)", `(do (expr (tuple [4])))`},
		{"import math\nimport cutlass.cute as cute\nfrom typing import List\nfrom math import gcd as g, lcm\nimport math as m", `(do (= [g] (. math gcd) -) (= [lcm] (. math lcm) -) (= [m] math -))`},
		{"%matplotlib inline\n!pip install nvidia-cutlass-dsl\nx = 1", `(do (= [x] 1 -))`},
		{"A = (6,2):(8,2)", "(do (= [A] `(6,2):(8,2)` -))"},
		{"print(A o B, (2,3):(1,2))", "(do (expr (call print [`A o B` `(2,3):(1,2)`] [])))"},
		{
			"for i in range(2):\n  L = (4,i):(1,4)",
			"(do (For i (call range [2] []) (do (= [L] `(4,i):(1,4)` -)) (do)))",
		},
		{
			"d = {'a': (2,3):(1,2), 'b': [4:1, 8:2]}",
			"(do (= [d] (dict (text \"a\") `(2,3):(1,2)` (text \"b\") (list [`4:1` `8:2`])) -))",
		},
	} {
		prog, err := program.Parse(tt.src, program.Python)
		if err != nil {
			t.Errorf("%q: %v", tt.src, err)
			continue
		}
		if got := (pythonForm{tt.src}).block(prog.Body); got != tt.want {
			t.Errorf("%q\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

// TestPythonErrors checks that faulty text is refused with its place and the reason.
func TestPythonErrors(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src, at, msg string
		incomplete   bool
	}{
		{"class A pass", "pass", "expected ':' after class", false},
		{"try:\n  x\ny = 1", "y", "expected except or finally after try", false},
		{"with a as b\n  c", "\n", "expected ':' after with", false},
		{"x = yield 1", "yield", "yield is not in a function", false},
		{"match x:\n  case 1 +: pass", ":", "expected an operand", false},
		{"match x:\n  case *a: pass", "*a", "*a is an element of a sequence", false},
		{"with : pass", ":", "expected a context", false},
		{"return 4", "return", "return is not in a function", false},
		{"break", "break", "break is not in a loop", false},
		{"def f():\nb = 2", "b", "expected the indented lines of def", false},
		{"if a:\n  x\n   y", "y", "this line is indented", false},
		{"if a:\n    x\n  y", "  ", "this line is indented by 2, and no open block is", false},
		{"f(a=1, b)", "b", "expected a name before this argument", false},
		{"f(a=1, a=2)", "2", "two arguments are named a", false},
		{"def f(a=1, b): pass", "b", "the parameter b needs a default value", false},
		{"def f(a, a): pass", "a", "two parameters are named a", false},
		{"3 = x", "3", "expected a name, an element or an attribute", false},
		{"a, *b, *c = x", "*c", "expected one * among the targets", false},
		{"x = *a", "*a", "*a is an element of a tuple", false},
		{"[a, b for a in c]", "for", "expected ',' or ']'", false},
		{"f(a for a in b, c)", "a for a in b", "expected parentheses around a generator", false},
		{"x := 4", ":=", "expected = for an assignment", false},
		{"012", "012", "Python refuses leading zeros", false},
		{"x = 3.5j", "3.5j", "complex numbers are not run", false},
		{"if x: for y in z: pass", "for", "expected for on a line of its own", false},
		{"a = (1,\n", "", "expected ')' to close the '('", true},
		{"a =", "", "expected a value, found", false},
		{"def f():", "", "expected the indented lines of def", true},
		{"print('''a", "", "expected ''' to end the text", true},
		{"a)", ")", "')' closes nothing", false},
		{`f"{a"`, "", "expected", false},
		{`"\N{DASH}"`, `\N`, "expected a character", false},
		{`"\ud800"`, `\ud800`, `\ud800 is no character`, false},
		{
			strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300), "(", "an expression nests at most 200 deep",
			false,
		},
		{"1" + strings.Repeat("+1", 5000), "1", "at most 2000 operators", false},
		{"nonlocal x", "nonlocal", "nonlocal is not in a function", false},
	} {
		_, err := program.Parse(tt.src, program.Python)
		e, ok := err.(*program.Error) //nolint:errorlint // Parse returns no other
		if !ok {
			t.Errorf("%q is no error", tt.src)
			continue
		}
		if at := tt.src[e.From:e.To]; at != tt.at || !strings.HasPrefix(e.Msg,
			tt.msg) || e.Incomplete != tt.incomplete {
			t.Errorf("%.60q: at %q: %s (incomplete %t)", tt.src, at, e.Msg, e.Incomplete)
		}
	}
}

// TestDetect checks in which language a text is.
func TestDetect(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]program.Language{
		"A = (6,2):(8,2)":                           program.Notation,
		"let A = 4:1; A":                            program.Notation,
		"(6,2):(8,2) // a comment; with more":       program.Notation,
		"# if the layout is compact\nA = 4:1":       program.Notation,
		"auto a = make_layout(4);":                  program.Cpp,
		"int x = 4;":                                program.Cpp,
		"for (int i = 0; i < 4; ++i) {\n  f(i);\n}": program.Cpp,
		"#include <cute/tensor.hpp>":                program.Cpp,
		"Layout<_4,_1> a{};":                        program.Cpp,
		"__global__ void f() {}":                    program.Cpp,
		"struct A {\n  int x;\n};":                  program.Cpp,
		"auto f = [](auto x) { return x; };":        program.Cpp,
		"template <class T>\nvoid f(T x) {\n}":      program.Cpp,
		"unsigned n = 4;":                           program.Cpp,
		"print(a);":                                 program.Cpp,
		"x = 7\nprint(x)":                           program.Python,
		"def f(a):\n  return a":                     program.Python,
		"int(3.5) + float(2)":                       program.Notation,
		"x = [i * 2 for i in range(4)]":             program.Python,
		"d = {\n  'a': 1,\n}\nprint(d)":             program.Python,
		"d = {\n  'a': 1,\n}":                       program.Python,
		"import math; print(math.pi)":               program.Python,
		"for i in range(3): # a; b;\n  x = i":       program.Python,
		"x = 'auto a = 4;'\nprint(x)":               program.Python,
		"#if x:\n#  y = 2\nprint(4)":                program.Python,
		"x = 1 if a else 2":                         program.Python,
		"n += 1":                                    program.Python,
		"x = f'{a}'":                                program.Python,
		"":                                          program.Notation,
	} {
		if got := program.Detect(src); got != want {
			t.Errorf("%q is %s, expected %s", src, got, want)
		}
	}
}

// TestPythonSteps checks that the steps of the parser are in proportion to the length of a text, nested or faulty.
func TestPythonSteps(t *testing.T) {
	t.Parallel()
	for name, src := range map[string]string{
		"brackets": strings.Repeat("f([(", 60) + strings.Repeat("1, 2:", 20000),
		"commas":   "f(" + strings.Repeat("a, ", 50000) + "$)",
		"lists":    strings.Repeat("[", 190) + strings.Repeat("(1,2):(3,4), ", 5000) + "$",
		"fields":   strings.Repeat(`f"{`, 50000),
		"args":     "f(" + strings.Repeat("a=1, ", 50000) + ")",
		"lambdas":  strings.Repeat("lambda: ", 50000),
		"nots":     strings.Repeat("not ", 50000) + "1",
		"powers":   "1" + strings.Repeat("**1", 50000),
		"elifs":    "if a: b\n" + strings.Repeat("elif a: b\n", 50000),
		"dots":     "a" + strings.Repeat(".a", 50000),
		"fors":     "[a " + strings.Repeat("for a in a ", 50000) + "]",
		"chain":    "a" + strings.Repeat(" < a", 50000),
		"dedents":  strings.Repeat("if a:\n ", 50000),
		"targets":  strings.Repeat("a = ", 50000) + "1",
	} {
		if n := program.Steps(src, program.Python); n > 50*len(src) {
			t.Errorf("%s: %d bytes take %d steps", name, len(src), n)
		}
	}
}

// FuzzPython checks that no text makes the parser panic, and that places are within the text.
func FuzzPython(f *testing.F) {
	for _, src := range []string{
		"def f(a, *b, c=1, **d):\n  return a\n", "x = [i for i in y if z]\n", `f"{a!r:>{b}}{c=}"`,
		"if a: b\nelif c:\n d\nelse: e",
		"from math import (a as b, c)", "a, *b = c[1:2, ::3] = d", "@a.b\ndef f(): pass", "lambda x=1, /: x",
		"A o (4,2):(1,4)", "'''\\N'''", "a = \\\n b",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		prog, err := program.Parse(src, program.Python)
		if e, ok := err.(*program.Error); ok { //nolint:errorlint // Parse returns no other
			if e.From < 0 || e.To < e.From || e.To > len(src) {
				t.Errorf("the place of the error is %v", e.Span)
			}
			return
		}
		for _, st := range prog.Body {
			if st.Pos() < 0 || st.End() < st.Pos() || st.End() > len(src) {
				t.Errorf("the place of a statement is %d to %d", st.Pos(), st.End())
			}
		}
	})
}
