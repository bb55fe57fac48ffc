package condition

import (
	"strconv"
	"strings"

	"girih/dtype"
	"girih/internal/pattern"
)

// maxCode limits the length of a condition's source, in bytes. maxNesting limits the nesting of parentheses.
const (
	maxCode    = 2048
	maxNesting = 40
)

// parse reads a condition in the syntax of C++ and Python, or returns nil. It never reads only a part of the condition.
func parse(code string) *node {
	code = strings.TrimSpace(code)
	if code == "" || len(code) > maxCode {
		return nil
	}
	tokens, _ := placeTokens(code)
	return parseTokens(tokens)
}

// parseTokens reads a condition from tokens.
func parseTokens(tokens []string) *node {
	p := parser{tokens: tokens}
	n := p.or()
	if p.failed || p.at < len(p.tokens) || !n.condition() {
		return nil
	}
	return n.plain()
}

// plain writes !(a % b) as a % b == 0.
func (n *node) plain() *node {
	if n.is("not") && n.args[0].is("%") {
		return multiple(n.args[0].args[0], n.args[0].args[1])
	}
	if connectives[n.op] {
		for i, a := range n.args {
			n.args[i] = a.plain()
		}
	}
	return n
}

// expression reads an expression over integers, or returns nil.
func expression(code string) *node {
	tokens, _ := placeTokens(code)
	p := parser{tokens: tokens}
	n := p.binary(0)
	if p.failed || p.at < len(p.tokens) {
		return nil
	}
	return n
}

// A parser reads tokens by recursive descent. Once failed is set, everything that the parser returned is discarded.
type parser struct {
	tokens []string
	at     int
	depth  int
	failed bool
}

// reToken finds numbers, names and operators.
const reToken = pattern.Pattern(`^(?:0[xX][0-9a-fA-F]+|\d+|[A-Za-z_]\w*|::|->|\*\*|//|&&|\|\||<<|>>|==|!=|<=|>=|≤|≥|[-+*/%&|^~!<>()\[\]{}.,?:=])`)

// none is the token for a byte that begins no token. The parser never accepts it.
const none = "\x00"

// tokenAt returns the token at the beginning of a text that is not empty, and the token's length in bytes.
func tokenAt(s string) (token string, n int) {
	token = reToken.FindString(s)
	if token == "" {
		return none, 1
	}
	n = len(token)
	if !isDigit(token[0]) {
		return token, n
	}
	for n < len(s) && strings.IndexByte("uUlLzZ", s[n]) >= 0 {
		n++
	}
	if n < len(s) && (isName(s[n]) || s[n] == '.' && n+1 < len(s) && isDigit(s[n+1])) {
		return none, n // as in 16x8 and 1.5
	}
	return token, n
}

func isLetter(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isName(c byte) bool   { return isLetter(c) || isDigit(c) }

// peek returns the token k places ahead, or "".
func (p *parser) peek(k int) string {
	if p.at+k < len(p.tokens) {
		return p.tokens[p.at+k]
	}
	return ""
}

// take skips the next token and returns it if it is one of tokens; otherwise take returns "".
//
//go:noinline
func (p *parser) take(tokens ...string) string {
	for _, t := range tokens {
		if p.peek(0) == t {
			p.at++
			return t
		}
	}
	return ""
}

func (p *parser) fail() *node {
	p.failed = true
	return num(0)
}

// join reads operands joined by the connective op, which is spelled as one of words.
func (p *parser) join(op string, next func() *node, words ...string) *node {
	n := next()
	for !p.failed && p.take(words...) != "" {
		m := next()
		if n.is(op) {
			n.args = append(n.args, m)
		} else {
			n = apply(op, n, m)
		}
	}
	return n
}

func (p *parser) or() *node {
	if p.depth++; p.depth > maxNesting {
		return p.fail()
	}
	defer func() { p.depth-- }()
	return p.join("or", p.and, "||", "or")
}

func (p *parser) and() *node { return p.join("and", p.not, "&&", "and") }

func (p *parser) not() *node {
	if p.take("not") != "" {
		if p.depth++; p.depth > maxNesting {
			return p.fail()
		}
		defer func() { p.depth-- }()
		return apply("not", p.not())
	}
	return p.compare()
}

// compare reads a comparison, or a chain of comparisons: 8 <= n <= 256.
func (p *parser) compare() *node {
	n := p.binary(0)
	var parts []*node
	for !p.failed {
		op := p.take("==", "!=", "<=", ">=", "<", ">", "≤", "≥", "in", "is", "not")
		if op == "" {
			break
		}
		switch op {
		case "≤":
			op = "<="
		case "≥":
			op = ">="
		case "is":
			op = "=="
			if p.take("not") != "" {
				op = "!="
			}
		case "not":
			if p.take("in") == "" {
				return p.fail()
			}
			return apply("not", p.among(n))
		case "in":
			return p.among(n)
		}
		m := p.binary(0)
		parts = append(parts, apply(op, n, m))
		n = m
	}
	switch len(parts) {
	case 0:
		return bitTrick(n)
	case 1:
		return bitTrick(parts[0])
	}
	return apply("and", parts...)
}

// among reads the list of "x in (64, 128)".
func (p *parser) among(x *node) *node {
	open := p.take("(", "[", "{")
	if open == "" {
		return p.fail()
	}
	end := map[string]string{"(": ")", "[": "]", "{": "}"}[open]
	n := apply("in", x)
	for !p.failed && p.take(end) == "" {
		n.args = append(n.args, p.binary(0))
		if p.take(",") == "" && p.peek(0) != end {
			return p.fail()
		}
	}
	if len(n.args) == 1 {
		return p.fail()
	}
	return n
}

// bitTrick turns x & (x-1) == 0 into "x is a power of two".
func bitTrick(n *node) *node {
	if !n.is("==") || !n.args[0].is("&") || !n.args[1].is("num") || n.args[1].n != 0 {
		return n
	}
	a, b := n.args[0].args[0], n.args[0].args[1]
	if b.is("-") && len(b.args) == 2 && b.args[0].String() == a.String() && b.args[1].is("num") && b.args[1].n == 1 {
		return apply("power of two", a)
	}
	return n
}

// levels lists the binary operators by precedence, the weakest first.
var levels = [][]string{{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "//", "/", "%"}}

func (p *parser) binary(level int) *node {
	if level == len(levels) {
		return p.unary()
	}
	n := p.binary(level + 1)
	for !p.failed {
		op := p.take(levels[level]...)
		if op == "" {
			return n
		}
		n = apply(op, n, p.binary(level+1))
	}
	return n
}

func (p *parser) unary() *node {
	if p.depth++; p.depth > maxNesting {
		return p.fail()
	}
	defer func() { p.depth-- }()
	switch {
	case p.take("-") != "":
		x := p.unary()
		if x.is("num") {
			return num(-x.n)
		}
		return apply("-", x)
	case p.take("+") != "":
		return p.unary()
	case p.take("!") != "":
		return apply("not", p.unary())
	}
	n := p.primary()
	if p.take("**") != "" {
		return apply("**", n, p.unary())
	}
	return n
}

func (p *parser) primary() *node {
	t := p.peek(0)
	switch {
	case t == "":
		return p.fail()
	case isDigit(t[0]):
		p.at++
		x, err := strconv.ParseInt(t, 0, 64)
		if err != nil {
			if x, err = strconv.ParseInt(t, 10, 64); err != nil {
				return p.fail()
			}
		}
		return num(x)
	case t == "(":
		return p.parentheses()
	case isLetter(t[0]) || t == "::":
		return p.nameOrCall()
	}
	return p.fail()
}

// parentheses reads (condition), or a C cast before an operand. It refuses a member after the parentheses: (x).size().
func (p *parser) parentheses() *node {
	if cast[p.peek(1)] && p.peek(2) == ")" {
		p.at += 3
		return p.unary()
	}
	p.at++
	n := p.or()
	if p.take(")") == "" {
		return p.fail()
	}
	if next := p.peek(0); next == "." || next == "->" || next == "[" {
		return p.fail()
	}
	return n
}

var cast = map[string]bool{
	"int": true, "size_t": true, "uint64_t": true, "int64_t": true, "uint32_t": true, "int32_t": true, "unsigned": true,
	"long": true,
}

// nameOrCall reads a name with all its parts, such as cute::size<1>(TileShape{}), a.shape[1] or x.stride(-2). It also
// reads calls of the functions that this package computes.
func (p *parser) nameOrCall() *node {
	start := p.at
	var last string // the name before a parenthesis
	for !p.failed {
		t := p.peek(0)
		switch {
		case t == "::" || t == "." || t == "->":
			p.at++
			if next := p.peek(0); next == "" || !isLetter(next[0]) {
				return p.fail()
			}
		case t != "" && isLetter(t[0]) && (p.at == start || strings.ContainsAny(p.tokens[p.at-1][:1], ".:-")):
			last = t
			p.at++
		case t == "(" || t == "[" || t == "{":
			if t == "(" && p.at > start && isComputed(last) {
				return p.call(last)
			}
			p.brackets()
			last = ""
		case t == "<" && p.template():
			last += "<>"
		default:
			return leaf(strings.Join(p.tokens[start:p.at], ""))
		}
	}
	return num(0)
}

// brackets skips brackets and their contents.
func (p *parser) brackets() {
	depth := 0
	for p.at < len(p.tokens) {
		switch p.tokens[p.at] {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		case none:
			p.failed = true
			return
		}
		p.at++
		if depth == 0 {
			return
		}
	}
	p.failed = true
}

// template skips template arguments and reports whether there were any. Template arguments are <, names, numbers and
// commas, and a > before a token that can only follow a type.
func (p *parser) template() bool {
	depth := 0
	for i := 0; i < 64; i++ {
		switch t := p.peek(i); {
		case t == "":
			return false
		case t == "<":
			depth++
		case t == ">" || t == ">>":
			if depth -= len(t); depth > 0 {
				continue
			}
			if next := p.peek(i + 1); depth < 0 || !afterType[next] && !comparisons[next] {
				return false
			}
			p.at += i + 1
			return true
		case !isName(t[0]) && !inType[t]:
			return false
		}
	}
	return false
}

// inType lists the tokens in template arguments besides names and numbers; afterType lists the tokens that may follow.
var (
	inType    = map[string]bool{",": true, "::": true, "(": true, ")": true, "*": true}
	afterType = map[string]bool{"": true, "(": true, "::": true, "{": true, ")": true}
)

// isComputed reports whether this package can compute a function.
func isComputed(function string) bool { return computed[strings.ToLower(function)] != "" }

// computed maps the functions that this package computes, as tools spell them, to operators of this package.
var computed = map[string]string{
	"min": "min", "max": "max", "abs": "abs", "ceil_div": "ceil_div", "ceildiv": "ceil_div", "cdiv": "ceil_div",
	"div_up": "ceil_div", "divup": "ceil_div", "is_power_of_2": "power of two", "is_power_of_two": "power of two",
	"ispowerof2": "power of two", "ispowerof2_32": "power of two", "ispowerof2_64": "power of two",
	"is_pow2": "power of two", "ispow2": "power of two",
	"ispoweroftwo": "power of two", "has_single_bit": "power of two", "int": "", "isdivisible": "divisible",
	"is_divisible": "divisible",
}

// call reads the arguments of a function that this package computes.
func (p *parser) call(function string) *node {
	p.take("(")
	var args []*node
	for !p.failed && p.take(")") == "" {
		args = append(args, p.binary(0))
		if p.take(",") == "" && p.peek(0) != ")" {
			return p.fail()
		}
	}
	op := computed[strings.ToLower(function)]
	want := map[string]int{"abs": 1, "power of two": 1, "ceil_div": 2, "divisible": 2}[op]
	if len(args) == 0 || want > 0 && len(args) != want {
		return p.fail()
	}
	if op == "divisible" {
		return multiple(args[0], args[1])
	}
	return apply(op, args...)
}

const (
	reStatic = pattern.Pattern(`^(?:cute::)?(?:C|Int|_Int)<(-?\d+)>(?:\(\)|\{\}|::value)?$`)
	reShort  = pattern.Pattern(`^(?:cute::)?_(\d+)(?:\(\)|\{\}|::value)?$`)
	reBits   = pattern.Pattern(`^(?:cute::|cutlass::)?sizeof(_bits)?(?:_v)?[<(]((?:\w|::)+)[>)](?:::value)?$`)
)

// leaf returns a number for a static integer or the size of a known type, and a name for any other text.
func leaf(text string) *node {
	for _, p := range []pattern.Pattern{reStatic, reShort} {
		if m := p.FindStringSubmatch(text); m != nil {
			if x, err := strconv.ParseInt(m[1], 10, 64); err == nil {
				return num(x)
			}
		}
	}
	if m := reBits.FindStringSubmatch(text); m != nil {
		if t, err := dtype.Parse(m[2][strings.LastIndex(m[2], ":")+1:]); err == nil {
			if m[1] != "" {
				return num(int64(t.Bits()))
			}
			return num(int64(t.Bits()+7) / 8)
		}
	}
	return name(text)
}
