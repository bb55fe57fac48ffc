package eval_test

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"girih/cute"
	"girih/internal/lang/eval"
)

// The test checks that parentheses group next to an operator, and make a 1-tuple anywhere else.
func TestParentheses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ src, want string }{
		{"8-(3-1)", "6"},
		{"8-(3)", "5"},
		{"(8)-3", "5"},
		{"((8))-((3))", "((5))"},
		{"M-(N-K)", "K+M-N"},
		{"M+(N+K)", "K+M+N"},
		{"(M-N)-K", "-K+M-N"},
		{"(M+1)*(N+1)", "M*N+M+N+1"},
		{"(M+1)-(N+1)", "M-N"},
		{"2*(3-1)", "4"},
		{"(3-1)*2", "4"},
		{"(7)%4", "3"},
		{"(6)/(2)", "3"},
		{"(2)*(3,4)", "(6,8)"},
		{"-(3-1)", "-2"},
		{"8 - -(3)", "11"},
		{"((2))+(3)", "5"},
		{"(2)+(3)+8", "13"},
		{"(1@0)+2@1", "1@0+2@1"},
		{"2*(1@0+1@1)", "2@0+2@1"},
		{"(3-1) == 2", "true"},
		{"(M-N) == M-N", "true"},
		{"(4) == 4", "true"},
		{"4:(3-1)", "4:2"},
		{"(M+1):2", "M+1:2"},
		{"F2(1)+(F2(2))", "F2(3)"},
		// 1-tuples
		{"(4)", "(4)"},
		{"((4))", "((4))"},
		{"(3-1)", "(2)"},
		{"(M+1)", "(M+1)"},
		{"(4):(2)", "(4):(2)"},
		{"((M+1),4)", "((M+1),4)"},
		{"(4)+(3)", "(7)"},
		{"(4)+(3,1)", "(7,1)"},
		{"(4,)*2", "(8)"},
		{"(4,) == 4", "false"},
		{"-(3)", "-3"},
		{"let t = (4); t*2", "(8)"},
		{"shape((4,8), (1))", "8"},
	} {
		got, err := eval.Eval(tt.src)
		if err != nil || got.Value.String() != tt.want {
			t.Errorf("Eval(%q) = %v, %v, want %s", tt.src, got.Value, err, tt.want)
		}
	}
	for _, src := range []string{"8-(4,)", "8-((3,))", "let t = (4); 8-t", "4:(2)", "(4):2"} {
		_, err := eval.Eval(src)
		wantCode(t, src, err, cute.CodeNotCongruent)
	}
}

func wantCode(t *testing.T, src string, err error, code cute.Code) {
	t.Helper()
	e, ok := errors.AsType[*cute.Error](err)
	if !ok || e.Code != code {
		t.Errorf("Eval(%q): %v, want %s", src, err, code)
	}
}

// An arith is an expression of integers: a number, a name, -x, or x op y.
type arith struct {
	op   byte // 0 for a leaf, '~' for unary minus
	n    int64
	name string
	x, y *arith
}

func drawArith(t *rapid.T, names []string, depth int) *arith {
	if depth == 0 || rapid.IntRange(0, 5).Draw(t, "stop") == 0 {
		if len(names) > 0 && rapid.Bool().Draw(t, "named") {
			return &arith{name: rapid.SampledFrom(names).Draw(t, "name")}
		}
		return &arith{n: rapid.OneOf(rapid.Int64Range(0, 12), rapid.Int64Range(0, 12), rapid.Int64Range(0, 1<<62)).Draw(t, "number")}
	}
	ops := []byte("+-*/%~+-")
	if len(names) > 0 {
		ops = []byte("+-*~+-")
	}
	a := &arith{op: rapid.SampledFrom(ops).Draw(t, "op"), x: drawArith(t, names, depth-1)}
	if a.op != '~' {
		a.y = drawArith(t, names, depth-1)
	}
	return a
}

// value computes as Go does; ok is false where a number leaves 64 bits or a divisor is 0.
func (a *arith) value(at map[string]int64) (v int64, ok bool) {
	switch a.op {
	case 0:
		if a.name != "" {
			return at[a.name], true
		}
		return a.n, true
	case '~':
		x, ok := a.x.value(at)
		return -x, ok && x != -x || ok && x == 0
	}
	x, okX := a.x.value(at)
	y, okY := a.y.value(at)
	if !okX || !okY {
		return 0, false
	}
	switch a.op {
	case '+':
		return x + y, (x+y > x) == (y > 0)
	case '-':
		return x - y, (x-y < x) == (y > 0)
	case '*':
		hi, lo := bits.Mul64(uint64(max(x, -x)), uint64(max(y, -y)))
		return x * y, hi == 0 && (lo < 1<<63 || lo == 1<<63 && (x < 0) != (y < 0))
	}
	if y == 0 {
		return 0, false
	}
	if a.op == '/' {
		return x / y, x != math.MinInt64 || y != -1
	}
	return x % y, true
}

// text writes the expression with the necessary parentheses and some unnecessary ones. tight is the precedence of the
// surrounding operator.
func (a *arith) text(t *rapid.T, tight int) string {
	level, s := 3, fmt.Sprint(a.n)
	switch {
	case a.op == 0 && a.name != "":
		s = a.name
	case a.op == '~':
		level, s = 2, "-"+a.x.text(t, 2)
	case a.op == '+' || a.op == '-':
		level, s = 0, a.x.text(t, 0)+" "+string(a.op)+a.y.text(t, 1)
	case a.op != 0:
		level, s = 1, a.x.text(t, 1)+string(a.op)+" "+a.y.text(t, 2)
	}
	around := max(0, rapid.IntRange(-2, 2).Draw(t, "parentheses"))
	if level < tight {
		around = max(around, 1)
	}
	return strings.Repeat("(", around) + s + strings.Repeat(")", around)
}

func arithmeticIsGos(t *rapid.T) {
	a := drawArith(t, nil, 4)
	src := a.text(t, 0)
	want, ok := a.value(nil)
	got, err := eval.Eval(src)
	if ok != (err == nil) {
		t.Fatalf("Eval(%q) = %v, %v, want %d, %v", src, got.Value, err, want, ok)
	}
	if ok && strings.Trim(got.Value.String(), "()") != fmt.Sprint(want) {
		t.Fatalf("Eval(%q) = %v, want %d", src, got.Value, want)
	}
	if sum, err := eval.Eval("0 + (" + src + ")"); ok && (err != nil || sum.Value.String() != fmt.Sprint(want)) {
		t.Fatalf("Eval(0 + (%s)) = %v, %v, want %d", src, sum.Value, err, want)
	}
}

// The test checks that run-time integers are grouped like known integers: the value at M=..., N=..., K=... is the value
// that Go computes.
func symbolicArithmeticIsGos(t *rapid.T) {
	at := map[string]int64{}
	names := []string{"M", "N", "K"}
	for _, n := range names {
		at[n] = rapid.Int64Range(0, 40).Draw(t, n)
	}
	a := drawArith(t, names, 3)
	src := "0 + " + a.text(t, 1)
	want, ok := a.value(at)
	var e eval.Env
	e.Set(at)
	got, err := e.Eval(src)
	if err != nil {
		if code, coded := errors.AsType[*cute.Error](err); coded && code.Code == cute.CodeOverflow {
			return // the text is a coefficient, though perhaps not of this value
		}
		t.Fatalf("Eval(%q): %v, want %d", src, err, want)
	}
	if ok && got[0].Value.String() != fmt.Sprint(want) {
		t.Fatalf("Eval(%q) with %v = %v, want %d", src, at, got[0].Value, want)
	}
}

func TestArithmetic(t *testing.T)         { t.Parallel(); rapid.Check(t, arithmeticIsGos) }
func TestSymbolicArithmetic(t *testing.T) { t.Parallel(); rapid.Check(t, symbolicArithmeticIsGos) }

func FuzzArithmetic(f *testing.F)         { f.Fuzz(rapid.MakeFuzz(arithmeticIsGos)) }
func FuzzSymbolicArithmetic(f *testing.F) { f.Fuzz(rapid.MakeFuzz(symbolicArithmeticIsGos)) }
