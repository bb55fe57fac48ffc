package codegen

import (
	"fmt"
	"strconv"
	"strings"
)

// An expr is the formula of a dynamic integer.
type expr interface{ isExpr() }

type (
	// A symbol is a named integer. The empty name means an integer without a name, written ?.
	symbol string
	// A literal is a constant in an expression.
	literal int64
	// An operation has one or more operands for opAdd and opMul, and two for the others.
	operation struct {
		op   op
		args []expr
	}
)

func (symbol) isExpr()    {}
func (literal) isExpr()   {}
func (operation) isExpr() {}

// An op is an operation on integers. The divisions are of non-negative integers.
type op int

const (
	opAdd   op = iota
	opMul      // product
	opFloor    // a/b rounded down
	opCeil     // a/b rounded up
	opMod
	opMin
	opMax
)

// A spelling is how a language writes an operation: as an operator between the operands, or as a form with %s for each.
type spelling struct {
	infix string
	form  string
}

// grammars are the spellings of each language of expressions.
var (
	girihExpr = map[op]spelling{
		opAdd: {infix: "+"}, opMul: {infix: "*"}, opFloor: {form: "floor(%s/%s)"}, opCeil: {form: "ceil(%s/%s)"},
		opMod: {infix: "%"}, opMin: {form: "min(%s,%s)"}, opMax: {form: "max(%s,%s)"},
	}
	cppExpr = map[op]spelling{
		opAdd: {infix: " + "}, opMul: {infix: " * "}, opFloor: {infix: " / "}, opCeil: {form: "ceil_div(%s, %s)"},
		opMod: {infix: " % "}, opMin: {form: "cute::min(%s, %s)"}, opMax: {form: "cute::max(%s, %s)"},
	}
	dslExpr = map[op]spelling{
		opAdd: {infix: " + "}, opMul: {infix: " * "}, opFloor: {infix: " // "}, opCeil: {form: "cute.ceil_div(%s, %s)"},
		opMod: {infix: " % "}, opMin: {form: "min(%s, %s)"}, opMax: {form: "max(%s, %s)"},
	}
	pythonExpr = map[op]spelling{
		opAdd: {infix: " + "}, opMul: {infix: " * "}, opFloor: {infix: " // "}, opCeil: {form: "-(-%s // %s)"},
		opMod: {infix: " % "}, opMin: {form: "min(%s, %s)"}, opMax: {form: "max(%s, %s)"},
	}
	latexExpr = map[op]spelling{
		opAdd: {infix: " + "}, opMul: {infix: `\,`}, opFloor: {form: `\lfloor %s / %s \rfloor`}, opCeil: {form: `\lceil %s / %s \rceil`},
		opMod: {infix: ` \bmod `}, opMin: {form: `\min(%s, %s)`}, opMax: {form: `\max(%s, %s)`},
	}
)

// The binding strengths of expressions, loosest first.
const (
	levelAdd = iota
	levelMul
	levelAtom
)

// level returns the level of an expression in a grammar.
func level(x expr, grammar map[op]spelling) int {
	o, ok := x.(operation)
	switch {
	case !ok || grammar[o.op].infix == "":
		return levelAtom
	case o.op == opAdd:
		return levelAdd
	}
	return levelMul
}

// A speaker writes expressions in one language.
type speaker struct {
	grammar map[op]spelling
	name    func(symbol) string
}

// text returns the expression, in parentheses if it binds less tightly than least.
func (s speaker) text(x expr, least int) string {
	var text string
	switch x := x.(type) {
	case symbol:
		return s.name(x)
	case literal:
		return strconv.FormatInt(int64(x), 10)
	case operation:
		text = s.operation(x)
	}
	if level(x, s.grammar) < least {
		return "(" + text + ")"
	}
	return text
}

func (s speaker) operation(x operation) string {
	how := s.grammar[x.op]
	if how.infix == "" {
		least := levelAdd
		if strings.Contains(how.form, "/") { // the operands are next to a division sign
			least = levelAtom
		}
		args := make([]any, len(x.args))
		for i, a := range x.args {
			args[i] = s.text(a, least)
		}
		return fmt.Sprintf(how.form, args...)
	}
	var b strings.Builder
	mine := level(x, s.grammar)
	for i, a := range x.args {
		if i == 0 {
			b.WriteString(s.text(a, mine))
			continue
		}
		next, infix := s.text(a, mine+1), how.infix
		if x.op == opAdd && strings.HasPrefix(next, "-") {
			next, infix = next[1:], strings.Replace(infix, "+", "-", 1)
		}
		b.WriteString(infix + next)
	}
	return b.String()
}

// symbols calls f with each symbol of the expression, from left to right.
func symbols(x expr, f func(symbol)) {
	switch x := x.(type) {
	case symbol:
		f(x)
	case operation:
		for _, a := range x.args {
			symbols(a, f)
		}
	}
}
