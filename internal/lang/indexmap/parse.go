package indexmap

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file parses formulas, by the strength of their operators.

// A language decides what /, % and comparisons mean, and how strongly they bind.
type language uint8

const (
	plain  language = iota // a formula without a lambda or function, which may be in either language
	python                 // a lambda or a def
	cpp
)

// An operator is an infix operator: how strongly it binds, and what it does.
type operator struct {
	strength int
	op       op
}

// Strengths, weakest first. In Python comparisons bind more weakly than | ^ &; in C++ it is the other way round, and ==
// is weaker than <.
const (
	strengthIf = iota + 1
	strengthOr
	strengthAnd
	strengthNot // the precedence of C++'s |; ^ and & are the next
	strengthCompare
	strengthBits  // the precedence of Python's |; ^ and & are the next; in C++ of &, after == and <
	strengthShift = strengthBits + iota - 2
	strengthSum
	strengthProduct
	strengthUnary
)

var comparisons = map[string]op{
	"<": opLess, "<=": opLessEqual, ">": opLess, ">=": opLessEqual, "==": opEqual, "!=": opNotEqual,
}

// operators are the infix operators of each language.
var operators = [...]map[string]operator{plain: operatorsOf(plain), python: operatorsOf(python), cpp: operatorsOf(cpp)}

func operatorsOf(l language) map[string]operator {
	m := map[string]operator{
		"<<": {strengthShift, opLeft}, ">>": {strengthShift, opRight},
		"+": {strengthSum, opAdd}, "-": {strengthSum, opSub}, "*": {strengthProduct, opMul},
		"/": {strengthProduct, []op{opPlain, opExact, opTowardZero}[l]},
		"%": {strengthProduct, []op{opPlainRemainder, opModulo, opRemainder}[l]},
	}
	bits, compare, equal := strengthBits, strengthCompare, strengthCompare
	if l == cpp {
		bits, compare, equal = strengthNot, strengthShift-1, strengthShift-2
		m["||"], m["&&"] = operator{strengthOr, opEither}, operator{strengthAnd, opBoth}
	} else {
		m["or"], m["and"] = operator{strengthOr, opEither}, operator{strengthAnd, opBoth}
		m["//"] = operator{strengthProduct, opFloor}
	}
	m["|"], m["^"], m["&"] = operator{bits, opOr}, operator{bits + 1, opXor}, operator{bits + 2, opAnd}
	for text, o := range comparisons {
		m[text] = operator{compare, o}
	}
	m["=="], m["!="] = operator{equal, opEqual}, operator{equal, opNotEqual}
	return m
}

// operator returns the infix operator of a sign or a name.
func (p *parser) operator(t token) (operator, bool) {
	o, ok := operators[p.lang][t.text]
	return o, ok
}

// A parser reads one map.
type parser struct {
	text  string
	toks  []token
	at    int
	lang  language
	depth int // the depth of nested brackets and signs
	open  int // the number of open brackets; a line of Python ends only outside brackets
	scope scope
	names *names
	first bool // only the longest formula at the beginning is read
}

// A scope holds the values of the local names of a function.
type scope map[string]*formula

// names lists the variables of a map, in order. A free name is not a parameter.
type names struct {
	list   []string
	params int  // the first names are parameters
	open   bool // any name is a variable, as in a formula without a function
	parts  bool // the only parameter is a coordinate, c[0], c[1]
}

// Limits on formulas: their nesting, and the number of operations after local names are put in.
const (
	maxNesting = 64
	maxSize    = 1 << 12
)

func (p *parser) peek() token { return p.toks[p.at] }

// is reports whether the current token is one of the texts.
//
//go:noinline
func (p *parser) is(texts ...string) bool {
	t := p.peek()
	return t.kind != tokenEnd && t.kind != tokenNumber && slices.Contains(texts, t.text)
}

// skip moves after the current token if it has the text.
func (p *parser) skip(text string) bool {
	if p.is(text) {
		p.advance()
		return true
	}
	return false
}

// advance moves after the current token, but not beyond the end.
//
//go:noinline
func (p *parser) advance() {
	if p.peek().kind != tokenEnd {
		p.at++
	}
}

func (p *parser) need(text string) *Error {
	if p.skip(text) {
		return nil
	}
	return p.wrong("expected %s", text)
}

// wrong says what was expected instead of the current token.
func (p *parser) wrong(format string, args ...any) *Error {
	t := p.peek()
	found := "the end"
	if t.kind != tokenEnd {
		found = strconv.Quote(t.text)
	}
	return &Error{t.start, fmt.Sprintf(format, args...) + ", found " + found}
}

// enter begins an operand within another one. leave ends it.
func (p *parser) enter() *Error {
	if p.depth == maxNesting {
		return p.wrong("expected at most %d brackets and signs within each other", maxNesting)
	}
	p.depth++
	return nil
}

func (p *parser) leave() { p.depth-- }

// ends reports whether the formula ends before the current token because a line or a statement does.
func (p *parser) ends() bool {
	return p.lang == python && p.open == 0 && (p.peek().column >= 0 || p.is(";"))
}

// formula parses operators of at least the given strength.
func (p *parser) formula(least int) (*formula, *Error) {
	f, err := p.operand()
	for err == nil && !p.ends() {
		from := p.at
		g, err := p.infixAfter(f, least)
		switch {
		case err != nil && p.first:
			p.at = from
			return f, nil
		case err != nil:
			return nil, err
		case g == nil:
			return f, nil
		case g.size > maxSize:
			return nil, p.wrong("expected at most %d operations", maxSize)
		}
		f = g
	}
	return f, err
}

// infixAfter parses one infix operator of at least the given strength after f, with its right operand. It returns nil
// if there is none.
func (p *parser) infixAfter(f *formula, least int) (*formula, *Error) {
	t := p.peek()
	o, ok := p.operator(t)
	_, compares := comparisons[t.text]
	switch {
	case least <= strengthIf && (p.is("?") && p.lang != python || p.is("if") && p.lang != cpp):
		return p.conditional(f)
	case !ok || o.strength < least:
		return nil, nil
	case compares && p.lang != cpp:
		return p.comparison(f, o)
	}
	p.advance()
	g, err := p.formula(o.strength + 1)
	if err != nil {
		return nil, err
	}
	return p.apply(t.text, o.op, f, g), nil
}

// apply applies an infix operator. Python's and and or return an operand; > is < with its operands exchanged.
func (p *parser) apply(text string, o op, f, g *formula) *formula {
	switch text {
	case "and":
		return choice(f, g, f)
	case "or":
		return choice(f, f, g)
	case ">", ">=":
		f, g = g, f
	}
	return pair(o, f, g)
}

// comparison parses a chain of comparisons: 0 <= i < 4 means both.
func (p *parser) comparison(f *formula, o operator) (*formula, *Error) {
	var all *formula
	for !p.ends() {
		t := p.peek()
		next, ok := comparisons[t.text]
		if !ok || t.kind != tokenSign {
			break
		}
		p.advance()
		g, err := p.formula(o.strength + 1)
		if err != nil {
			return nil, err
		}
		one := p.apply(t.text, next, f, g)
		if all != nil {
			one = pair(opBoth, all, one)
		}
		all, f = one, g
	}
	return all, nil
}

// conditional parses c ? a : b after c, and a if c else b after a.
func (p *parser) conditional(f *formula) (*formula, *Error) {
	if p.skip("?") {
		a, err := p.formula(strengthIf)
		if err == nil {
			err = p.need(":")
		}
		if err != nil {
			return nil, err
		}
		b, err := p.formula(strengthIf)
		if err != nil {
			return nil, err
		}
		return choice(f, a, b), nil
	}
	p.advance()
	c, err := p.formula(strengthOr)
	if err == nil {
		err = p.need("else")
	}
	if err != nil {
		return nil, err
	}
	b, err := p.formula(strengthIf)
	if err != nil {
		return nil, err
	}
	return choice(c, f, b), nil
}

// operand parses an operand with the signs before it.
func (p *parser) operand() (*formula, *Error) {
	t := p.peek()
	if !p.is("-", "+", "~", "!", "not") {
		return p.power()
	}
	if err := p.enter(); err != nil {
		return nil, err
	}
	defer p.leave()
	p.advance()
	strength := strengthUnary
	if t.text == "not" {
		strength = strengthNot
	}
	f, err := p.formula(strength)
	if err != nil {
		return nil, err
	}
	switch t.text {
	case "-":
		return pair(opSub, number(0), f), nil
	case "~":
		return pair(opXor, f, number(-1)), nil
	case "!", "not":
		return pair(opEqual, f, number(0)), nil
	}
	return f, nil
}

// power parses a primary, and Python's ** after it, whose exponent must be a number.
func (p *parser) power() (*formula, *Error) {
	f, err := p.primary()
	if err != nil || p.lang == cpp || !p.is("**") {
		return f, err
	}
	p.advance()
	e, err := p.operand()
	if err != nil {
		return nil, err
	}
	if e.op != opNumber || e.x < 0 || e.x > 62 {
		if f.op == opNumber && f.x == 2 {
			return pair(opLeft, number(1), e), nil
		}
		return nil, p.wrong("expected a number of at most 62 as the exponent")
	}
	all := number(1)
	for range e.x {
		all = pair(opMul, all, f)
	}
	return all, nil
}

// primary parses a number, a variable, a call or a formula in brackets.
func (p *parser) primary() (*formula, *Error) {
	t := p.peek()
	switch {
	case t.kind == tokenNumber:
		p.advance()
		return p.literal(t)
	case t.kind == tokenName:
		p.advance()
		return p.name(t)
	case p.skip("("):
		return p.bracket()
	}
	return nil, p.wrong("expected a formula")
}

// bracket parses the rest of a formula in parentheses, or of a cast (int)x.
func (p *parser) bracket() (*formula, *Error) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	p.open++
	defer func() { p.open--; p.leave() }()
	if t, ok := p.typeName(); ok && p.lang == cpp {
		if err := p.need(")"); err != nil {
			return nil, err
		}
		f, err := p.operand()
		if err != nil {
			return nil, err
		}
		return f.to(t), nil
	}
	f, err := p.formula(strengthIf)
	if err == nil {
		err = p.need(")")
	}
	return f, err
}

// literal returns an integer literal: 12, 0x380, 0b101, 1'000, 8u.
func (p *parser) literal(t token) (*formula, *Error) {
	digits := strings.ReplaceAll(strings.ToLower(t.text), "'", "")
	suffix := ""
	if p.lang == cpp || p.lang == plain {
		trimmed := strings.TrimRight(digits, "ul")
		digits, suffix = trimmed, digits[len(trimmed):]
	}
	octal := len(digits) > 1 && digits[0] == '0' && isDigit(digits[1])
	if octal && p.lang != cpp && strings.Trim(digits, "0_") != "" {
		return nil, &Error{
			t.start, fmt.Sprintf("expected a number, found %s, which is octal in C++ and no number in Python", t.text),
		}
	}
	x, err := strconv.ParseInt(digits, 0, 64)
	if err != nil {
		return nil, &Error{t.start, fmt.Sprintf("expected an integer of 64 bits, found %s", t.text)}
	}
	f := number(x)
	if p.lang == cpp {
		f.typ = literalType(x, suffix, digits)
	}
	return f, nil
}

// literalType returns the type of a literal in C++.
func literalType(x int64, suffix, digits string) ctype {
	unsigned, long := strings.Contains(suffix, "u"), strings.Contains(suffix, "l")
	based := len(digits) > 1 && digits[0] == '0' // hexadecimal, octal and binary literals may be unsigned
	switch {
	case !long && !unsigned && x < 1<<31:
		return cInt
	case !long && (unsigned || based) && x < 1<<32:
		return cUint
	case unsigned:
		return cUlong
	}
	return cLong
}
