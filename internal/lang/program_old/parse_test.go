package program

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"girih/internal/lang/syntax"
)

// TestParse checks that statements of Python and of C++ parse to their canonical text.
func TestParse(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"A = (6,2):(8,2)", "A = (6,2):(8,2)\n"},
		{"let A = 4:1; A", "A = 4:1\nA\n"},
		{"A: cute.Layout = cute.make_layout((2,3))  # a comment", "A = cute.make_layout((2,3))\n"},
		{"constexpr auto a = Layout<_4,\n   _1>{}; // a comment\nprint(a);", "a = Layout<_4,\n   _1>{}\nprint(a);\n"},
		{"auto const& a =\n  b;", "a = b\n"},
		{"Layout<Shape<_2,_3>> a{};\nSM80_16x8x16_F32F16F16F32_TN op;", "a = Layout<Shape<_2,_3>>\nop = SM80_16x8x16_F32F16F16F32_TN\n"},
		{"using X = Layout<_4>;\nusing namespace cute;\nusing T = half_t;", "X = Layout<_4>\n"},
		{"import cutlass\nimport cutlass.cute as cute\nfrom typing import List\npass\n\"\"\"text\nof = lines\n\"\"\"", ""},
		{"Layout coalesce(Layout const& layout, IntTuple const& trg_profile);", ""},
		{"print(f\"{a}: {b!r}, {c:>4}{{}}\", d, sep=', ', end='')", "print(a, f\": \", b, f\", \", f\"{c:>4}\", f\"{{}}, \", d, sep=\"\", end=\"\")\n"},
		{"print(\"a\" 'b', x)", "print(f\"ab \", x, f\"\\n\", sep=\"\", end=\"\")\n"},
		{"cute.printf(\">?? {}\", x)", "cute.printf(\">?? {}\", x)\n"},
		{"printf(\"%d%% of %-3s\\n\", int(size(a)), b);", "printf(\"%d%% of %<3s\\n\", size(a), b);\n"},
		{"print(\"A: \"); print(A); print(\"\\n\");", "printf(\"A: \");\nprint(A);\nprintf(\"\\n\");\n"},
		{"print_latex(mma);", "print_latex(mma)\n"},
		{"assert 0 <= a < b and size(c) == d, f\"{a}\"", "assert 0 <= a and a < b and size(c) == d, a\n"},
		{"static_assert(size<0>(a) != 4 && rank(a) == 2, \"no\");", "assert size<0>(a) != 4 and rank(a) == 2, f\"no\"\n"},
		{"CUTE_STATIC_ASSERT_V(size(a) == Int<4>{});", "assert size(a) == Int<4>{}\n"},
		{"assert (\n  a == b\n), (\"no\"\n)", "assert a == b, f\"no\"\n"},
		{
			"@cute.jit\ndef f(a: cutlass.Int32, b=2, c: cutlass.Constexpr[int] = (1,2)) -> None:\n  \"doc\"\n  for i in range(a, unroll=1):\n\n    print(i)\n  return a\nf(1)",
			"@cute.jit\ndef f(a: Int32, b = 2, c: Constexpr[int] = (1,2)):\n    for i in range(a):\n        print(i, f\"\\n\", sep=\"\", end=\"\")\n    return a\nf(1)\n",
		},
		{"def f(): pass", "def f():\n    pass\n"},
		{"for i in cutlass.range_constexpr(1, 8, 2): a = i; print(a)", "for i in cutlass.range_constexpr(1, 8, 2):\n    a = i\n    print(a, f\"\\n\", sep=\"\", end=\"\")\n"},
		{"A o (4,3):(3,1)", "A o (4,3):(3,1)\n"},
		{"A o\n  B /* or\n C */", "A o\n  B\n"},
		{"f(a) // -> what it is", "f(a)\n"},
	} {
		prog, err := Parse(tt.src)
		if err != nil {
			t.Errorf("%q: %v", tt.src, err)
			continue
		}
		if got := canonical(prog.Stmts); got != tt.want {
			t.Errorf("%q\n got %q\nwant %q", tt.src, got, tt.want)
		}
	}
}

// TestRefused checks that text that is not a statement is refused with its place and the reason.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		src, at, msg string
		incomplete   bool
	}{
		{"if a:\n  print(b)", "if", "a branch is not run", false},
		{"import torch", "import torch", "the module torch is not run", false},
		{"import cutlass.cute as ct", "import cutlass.cute as ct", "expected the name cute or cutlass", false},
		{"auto f(Layout const& a) { return a; }", "auto f", "a function of C++ is not run", false},
		{"struct A { int b; };", "struct", "a type of C++ is not run", false},
		{"a += 1", "a +=", "a += is not run: write NAME = NAME + ...", false},
		{"a, 3 = c", "a, 3 = ", "expected names before", false},
		{"a.b = c", "a.b ", "only a single name is bound", false},
		{"R(0) = A(0)", "R(0) ", "only a single name is bound", false},
		{"x = size(a) // b", "//", "// is a comment of C++ and a division of Python", false},
		{"@cute.kernel\ndef f(): pass", "@cute.kernel", "@cute.kernel is not run", false},
		{"for x in y:\n  pass", "y", "a loop over y is not run", false},
		{"return 4", "return", "return is not in a function", false},
		{"printf(\"%d %d\", a);", "\"%d %d\"", "the format has more places than there are values", false},
		{"cute.printf(\"{}\", a, b)", "b", "the format has no place for this value", false},
		{"cute.printf(f\"{a}\")", "f\"{a}\"", "an f-string is a text of trace time", false},
		{"assert a or b", "or", "or is not run", false},
		{"def f():\n  a = 1\n    b = 2", "b", "expected the indentation of the block, 2 columns, found 4", false},
		{"def f():\nb = 2", "b", "expected an indented block", false},
		{"a = (1,\n", "", "expected ')' to close the '('", true},
		{"a =", "", "expected an expression, found end of input", true},
		{"@cute.jit", "", "expected def", true},
		{"def f():", "", "expected an indented block", true},
		{"print('''a", "", "expected ''' to end the text", true},
		{"a)", ")", "')' closes nothing", false},
	} {
		_, err := Parse(tt.src)
		e, ok := err.(*Error) //nolint:errorlint // Parse returns no other
		if !ok {
			t.Errorf("%q is no error", tt.src)
			continue
		}
		if at := tt.src[e.Pos:e.End]; at != tt.at || !strings.HasPrefix(e.Msg, tt.msg) || e.Incomplete != tt.incomplete {
			t.Errorf("%q: at %q: %s (incomplete %t)", tt.src, at, e.Msg, e.Incomplete)
		}
	}
}

// TestIncomplete: a block continues until an empty line.
func TestIncomplete(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]bool{
		"a = 4:1": false, "a = (4,": true, "def f():": true, "def f():\n  a = 1": true, "def f():\n  a = 1\n": false,
		"def f():\n  a = 1\nf()": false, "@cute.jit": true, "for i in range(3):\n  f(i)": true, "": false,
		"a = Layout<Shape<_2>,": true, "a = \v": true, "a = \f\\\n": true,
	} {
		if got := Incomplete(src); got != want {
			t.Errorf("Incomplete(%q) is %t", src, got)
		}
	}
}

// again compares programs without positions.
var again = cmp.Options{
	cmpopts.IgnoreTypes(At(0)), cmpopts.IgnoreFields(Expr{}, "Pos", "End"), cmpopts.IgnoreFields(Def{}, "Src"),
}

// expressions reports whether all expressions in x are valid. The parser finds only where an expression ends, so it
// accepts "0<" as an expression.
func expressions(x reflect.Value) bool {
	switch x.Kind() {
	case reflect.Interface, reflect.Pointer:
		return x.IsNil() || expressions(x.Elem())
	case reflect.Slice:
		for i := range x.Len() {
			if !expressions(x.Index(i)) {
				return false
			}
		}
	case reflect.Struct:
		if e, ok := x.Interface().(Expr); ok {
			_, err := syntax.ParseWithin(e.Text, 0, len(e.Text))
			return e.Text == "" || err == nil
		}
		for i := range x.NumField() {
			if x.Type().Field(i).IsExported() && !expressions(x.Field(i)) {
				return false
			}
		}
	}
	return true
}

// FuzzParse checks that no source makes the parser panic or hang, and that the canonical text of a program parses to
// the same program.
func FuzzParse(f *testing.F) {
	for _, src := range []string{
		"a = (1,2):(3,4)\nprint(f'{a} {{', 'b')\n", "auto a = Layout<Shape<_2>>{}; printf(\"%d\\n\", 3);",
		"@cute.jit\ndef f(a: Int32):\n    for i in range(a):\n        print(i)\n    return a\nf(3)", "assert a <= b and c, 'x'",
		"A=\v", "def f():o", "printf(o)", "printf(>)", "print(f'{%=}')", "print(f'{<=}')", "print(f'{0<=}')", "print(f'{0\t=}')",
		"def f(A:=:0):0", "def f(A = 4:1):\n A",
		"def f(A:(.)):0", "def f(A:0. 0):0", "def f::g()", "return o",
		"a = o", "assert a == o", "assert o and o", "a = (o, o)\na o\nb",
	} {
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src string) {
		first, err := Parse(src)
		Incomplete(src)
		if err != nil {
			e := err.(*Error) //nolint:errorlint // Parse returns no other
			if e.Pos < 0 || e.End < e.Pos || e.End > len(src) {
				t.Fatalf("%q: the place is [%d, %d)", src, e.Pos, e.End)
			}
			return
		}
		if !expressions(reflect.ValueOf(first.Stmts)) {
			return
		}
		text := canonical(first.Stmts)
		second, err := Parse(text)
		if err != nil {
			t.Fatalf("%q is printed as %q: %v", src, text, err)
		}
		if diff := cmp.Diff(first.Stmts, second.Stmts, again); diff != "" {
			t.Fatalf("%q is printed as %q: %s", src, text, diff)
		}
	})
}

// TestLong checks that parsing long sources takes linear time. With quadratic time, the test would take hours.
func TestLong(t *testing.T) {
	t.Parallel()
	for _, unit := range []string{
		"a;", "a=b;", "(", "<", "a<", "\"\"", "f'{a}'", "//\n", "/*", "print(a);", "x /**/", "{", "@", "def f():", "\\\n",
		"assert a and ",
	} {
		src := "def f():\n  " + strings.Repeat(unit, (1<<18)/len(unit))
		_, _ = Parse(src)
	}
}
