package program

import "strings"

// This file decides what the bytes of a source do: open and close brackets, begin comments and texts, and end a
// statement or a part of one. The decisions are rows of two tables, which are read from the top: the first row whose
// condition holds decides. rules_internal_test.go parses the example of every row with and without the row: each row
// must make a difference.

// A scanRule is one row of scan: what happens at a byte.
type scanRule struct {
	bytes   string                          // the bytes that the row is about
	name    string                          // what the condition says of the byte
	holds   func(e *extentScan, i int) bool // nil: always
	does    func(e *extentScan, i int) (next int)
	example string // a source that is parsed differently without this row
}

var scanRules = []scanRule{
	{"#/", "a comment begins", (*extentScan).isComment, (*extentScan).skipComment, "a = 1 # (\nb = 2"},
	{"<>!&|ano", "it begins an operator of a test", (*extentScan).isJoint, (*extentScan).join, "assert a < b"},
	{`"'`, "a text begins", (*extentScan).isQuote, (*extentScan).skipText, "print(\"(\")"},

	{"\n", "it ends a line that does not continue", (*extentScan).endsLine, (*extentScan).finish, "a = 1\nb = 2"},
	{";", "it ends a statement", (*extentScan).endsStatement, (*extentScan).finish, "a = 1; b = 2"},
	{",:}!\"'\n)", "it is a stop of this scan", (*extentScan).isStop, (*extentScan).finish, "print(1, 2)"},

	{"([{", "a bracket opens", nil, (*extentScan).openBracket, "a = (1\n)"},
	{"<", "it is the bracket of template arguments", (*extentScan).isTemplate, (*extentScan).openBracket, "a = f<1\n>(2)"},
	{">", "it closes the bracket of template arguments", (*extentScan).endsTemplate, (*extentScan).closeTemplate, "a = f<1>(2)\nb = 3"},
	{")]}", "a bracket closes", nil, (*extentScan).closeBracket, "a = (1)\nb = 2"},

	{"=", "it binds a name", (*extentScan).isBinding, (*extentScan).bind, "a = 1"},
	{blanks + "\n\\", "it is a blank", nil, (*extentScan).skipBlank, "a = 1 \\\n\n"},
}

func (e *extentScan) isJoint(i int) bool { return e.how.tests && len(e.open) == 0 && e.joint(i) != "" }
func (e *extentScan) isQuote(i int) bool { return !e.isStop(i) }
func (e *extentScan) isStop(i int) bool {
	return len(e.open) == 0 && strings.IndexByte(e.how.stops, e.src[i]) >= 0
}

// isComment reports whether # or /, the byte at i, begins a comment.
func (e *extentScan) isComment(i int) bool {
	return e.src[i] == '#' || e.at(i+1) == '/' || e.at(i+1) == '*'
}

func (e *extentScan) endsStatement(int) bool { return len(e.open) == 0 && !e.how.within }
func (e *extentScan) endsLine(i int) bool {
	return e.endsStatement(i) && !e.continues(e.start, e.x.end)
}

// isTemplate reports whether the '<' at i is a bracket. In a test, a '<' before a blank is not a bracket.
func (e *extentScan) isTemplate(i int) bool { return e.opens(i) && !(e.how.tests && e.apart(i)) }

// endsTemplate reports whether the '>' at i, which is not part of -> or =>, closes the innermost bracket.
func (e *extentScan) endsTemplate(i int) bool {
	return len(e.open) > 0 && e.src[e.open[len(e.open)-1]] == '<' && e.at(i-1) != '-' && e.at(i-1) != '='
}

// isBinding reports whether the '=' at i is the first one outside brackets, and not part of a comparison.
func (e *extentScan) isBinding(i int) bool {
	return len(e.open) == 0 && e.x.assign < 0 && e.at(i+1) != '=' && strings.IndexByte("=<>!", e.at(i-1)) < 0
}

// include makes the byte at i the last one of the extent so far.
func (e *extentScan) include(i int) int {
	e.x.end = i + 1
	return i + 1
}

func (e *extentScan) skipBlank(i int) int { return i + 1 }

func (e *extentScan) skipComment(i int) int {
	end := e.comment(i)
	if e.division(i) {
		e.fail(i, i+2, "// is a comment of C++ and a division of Python: write # for a comment, floor(a/b) for a quotient")
	}
	return end
}

func (e *extentScan) skipText(i int) int {
	e.x.end, _, _ = e.quote(i)
	return e.x.end
}

// join records the operator of a test.
func (e *extentScan) join(i int) int {
	op := e.joint(i)
	e.x.joints = append(e.x.joints, joint{i, op})
	e.x.end = i + len(op)
	return e.x.end
}

func (e *extentScan) openBracket(i int) int {
	e.open = append(e.open, i)
	return e.include(i)
}

func (e *extentScan) closeTemplate(i int) int {
	e.open = e.open[:len(e.open)-1]
	return e.include(i)
}

func (e *extentScan) closeBracket(i int) int {
	e.open = e.shut(e.open, i)
	return e.include(i)
}

func (e *extentScan) bind(i int) int {
	e.x.assign = i
	return e.include(i)
}

// finish ends the extent before the byte at i. It fails if an operand is missing before the byte.
func (e *extentScan) finish(i int) int {
	c := e.src[i]
	shown := e.at(e.x.end-1) == '=' && strings.IndexByte("}!:", c) >= 0 // {x=} of an f-string
	if c != '\n' && e.x.end > e.start && e.continues(e.start, e.x.end) && !shown {
		e.fail(i, i+1, "expected an expression before '%c'", c)
	}
	e.x.next, e.x.by, e.done = i+1, c, true
	return i
}

// joint returns the operator of a test that begins at i, outside of brackets.
func (p *parser) joint(i int) string {
	for _, op := range []string{"<=", ">=", "!=", "&&", "||", "and", "or", "not", "<", ">"} {
		if !strings.HasPrefix(p.src[i:], op) {
			continue
		}
		switch {
		case op == "<" && p.opens(i) && !p.apart(i), op == ">" && p.at(i-1) == '-':
			return ""
		case isWord(op[0]) && (isWord(p.at(i-1)) || p.at(i-1) == '.' || isWord(p.at(i+len(op)))):
			continue
		}
		return op
	}
	return ""
}

// opens reports whether the '<' at i may be a bracket, and separately whether a blank follows it.
func (p *parser) opens(i int) bool { return p.at(i+1) != '=' }
func (p *parser) apart(i int) bool { return p.at(i+1) == ' ' || p.at(i+1) == '\n' }

// A continuation is one row of continues.
type continuation struct {
	name    string // what the condition says of the extent
	holds   func(p *parser, start, end int) bool
	answer  bool   // whether the extent continues
	example string // a source that is parsed differently without this row
}

var continuations = []continuation{
	{"it ends with an operator, a comma or a colon", (*parser).endsWithOperator, true, "a = 1 +\n2"},
	{"it ends with o after an operand", (*parser).endsWithComposition, true, "a = b o\nc"},
	{"it ends with the o of a name", (*parser).endsWithO, false, "a = foo \\\n+ c"},
	{"it ends with ∘", (*parser).endsWithRing, true, "a = b ∘\nc"},
	{"a backslash ends the line", (*parser).isEscaped, true, "a = b \\\n+ c"},
}

// continues reports whether the extent from start to end continues on the next line.
func (p *parser) continues(start, end int) bool {
	for k := range continuations {
		if r := &continuations[k]; r.holds(p, start, end) {
			return r.answer
		}
	}
	return false
}

func (p *parser) endsWithOperator(_, end int) bool {
	return strings.IndexByte("=+-*/%,:", p.at(end-1)) >= 0
}
func (p *parser) endsWithO(_, end int) bool    { return p.at(end-1) == 'o' }
func (p *parser) endsWithRing(_, end int) bool { return strings.HasSuffix(p.src[:end], "∘") }

func (p *parser) endsWithComposition(start, end int) bool {
	return p.at(end-1) == 'o' && p.at(end-2) == ' ' && p.operand(start, end-1)
}

func (p *parser) isEscaped(_, end int) bool {
	return strings.HasPrefix(strings.TrimLeft(p.src[end:], blanks), "\\\n")
}

// operand reports whether the text from start to end ends with an operand. After an operand, o is the operator of
// composition; elsewhere it is a name.
func (p *parser) operand(start, end int) bool {
	before := strings.TrimRight(p.src[start:end], blanks)
	if before == "" {
		return false
	}
	last := before[len(before)-1]
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return r > 0x7f || !isWord(byte(r)) })+1:]
	switch word {
	case "return", "assert", "and", "or", "not", "in":
		return false
	}
	return isWord(last) || strings.IndexByte(`)]}>"'`, last) >= 0
}

// division reports whether the // at i may be Python's division: an operand precedes it, and a single word follows.
func (p *parser) division(i int) bool {
	if !strings.HasPrefix(p.src[i:], "//") {
		return false
	}
	line := p.src[strings.LastIndexByte(p.src[:i], '\n')+1 : i]
	before := strings.TrimRight(line, blanks)
	after, _, _ := strings.Cut(p.src[i+2:], "\n")
	after = strings.TrimRight(strings.TrimSpace(after), ",;):")
	if before == "" || after == "" || strings.ContainsAny(after, blanks) {
		return false
	}
	last := before[len(before)-1]
	return (isWord(last) || last == ')' || last == ']') && isWord(after[0])
}
