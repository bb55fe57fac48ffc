package program

import "strings"

// This file evaluates the conditions of the preprocessor of C++.

// condition returns the value of the condition after #if, #ifdef or #ifndef.
func (l *lexer) condition(word string, in *lexer) bool {
	switch word {
	case "ifdef":
		return l.isDefined(in.word())
	case "ifndef":
		return !l.isDefined(in.word())
	}
	from := in.at
	e := expander{lexer: l}
	tokens := e.expand(l.withoutDefined(in.rest()), len(l.tokens), nil)
	at := Span{from, len(in.src)}
	tokens = append(tokens, token{Span{at.To, at.To}, tokenEnd, ""})
	p := &parser{lexer: &lexer{src: in.src, lang: Cpp, tokens: tokens}}
	x := p.cppConditional("a condition")
	if p.tok().kind != tokenEnd {
		p.refuse("expected an operator or the end of the condition")
	}
	n, ok := constantOf(x)
	if !ok {
		fail(at, "expected a condition of numbers, found %s", strings.TrimSpace(in.src[at.From:at.To]))
	}
	return n != 0
}

// machineMacros are the macros that nvcc defines.
var machineMacros = map[string]int64{"__cplusplus": 201703, "__CUDACC__": 1, "__NVCC__": 1}

// isDefined reports whether a macro is defined. CuTe's macros for the features of a machine are: girih has all.
func (l *lexer) isDefined(name string) bool {
	if _, ok := l.macro(name, len(l.tokens)); ok {
		return true
	}
	return machineMacros[name] != 0 ||
		strings.HasPrefix(name, "CUTLASS_ARCH_MMA_SM") || strings.HasPrefix(name, "CUTE_ARCH_")
}

// withoutDefined replaces defined X and defined(X) by 1 or 0.
func (l *lexer) withoutDefined(tokens []token) (list []token) {
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		if t.kind != tokenName || t.text != "defined" {
			list = append(list, t)
			continue
		}
		wrapped := i+3 < len(tokens) && tokens[i+1].text == "("
		if wrapped {
			i++
		}
		t.kind, t.text = tokenNumber, "0"
		if i++; i < len(tokens) && l.isDefined(tokens[i].text) {
			t.text = "1"
		}
		if wrapped {
			i++
		}
		list = append(list, t)
	}
	return list
}

// conditionOperators are the operators of the conditions of the preprocessor.
var conditionOperators = map[string]func(a, b int64) int64{
	"==": func(a, b int64) int64 { return truth[a == b] }, "!=": func(a, b int64) int64 { return truth[a != b] },
	"<": func(a, b int64) int64 { return truth[a < b] }, "<=": func(a, b int64) int64 { return truth[a <= b] },
	">": func(a, b int64) int64 { return truth[a > b] }, ">=": func(a, b int64) int64 { return truth[a >= b] },
	"or":  func(a, b int64) int64 { return truth[a != 0 || b != 0] },
	"and": func(a, b int64) int64 { return truth[a != 0 && b != 0] },
	"+":   func(a, b int64) int64 { return a + b }, "-": func(a, b int64) int64 { return a - b },
	"*": func(a, b int64) int64 { return a * b }, "&": func(a, b int64) int64 { return a & b },
}

var truth = map[bool]int64{true: 1}

// constantOf returns the value of a condition of the preprocessor, in which a name that is not a macro is 0.
func constantOf(x Expr) (n int64, ok bool) {
	switch x := x.(type) {
	case *Number:
		return int64(x.N), !x.IsFloat && !x.TooLarge
	case *Constant:
		return truth[x.Value == "True"], true
	case *Name:
		return machineMacros[x.Name], true
	case *Call: // a call of a macro that is not defined
		return 0, true
	case *Unary:
		a, ok := constantOf(x.X)
		n, known := map[string]int64{"-": -a, "!": truth[a == 0], "+": a}[x.Op]
		return n, ok && known
	case *Logic:
		return constantPair(map[bool]string{true: "or", false: "and"}[x.Or], x.X, x.Y)
	case *Compare:
		return constantPair(x.Ops[0], x.X[0], x.X[1])
	case *Binary:
		return constantPair(x.Op, x.X, x.Y)
	}
	return 0, false
}

func constantPair(op string, x, y Expr) (n int64, ok bool) {
	a, ok := constantOf(x)
	b, ok2 := constantOf(y)
	f := conditionOperators[op]
	if f == nil || !ok || !ok2 {
		return 0, false
	}
	return f(a, b), true
}
