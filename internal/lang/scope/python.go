package scope

import (
	"fmt"
	"strings"
)

// This file reads Python: tokens in statements, statements in suites, suites in scopes.

// A suite is the statements of one block.
type suite struct {
	parent int // -1 for the module
	scope  int
	loop   bool // of for or while
	from   int  // the first token of the statement that it belongs to
	to     int  // the end of its tokens
	indent int
}

// A space is a scope of Python: a module, a function or a class.
type space struct {
	parent int // -1 for the module
	class  bool
}

// A pyStatement is a simple statement, or the header of a compound one.
type pyStatement struct {
	from, to int // tokens
	suite    int
}

// A pyBinding is an occurrence of a name that binds it.
type pyBinding struct {
	at        int
	how       string
	statement int
	scope     int // -1 if it holds in its statement only
	imports   bool
	def       *Definition
}

// A pySource is a source in Python.
type pySource struct {
	tokens     []token
	statements []pyStatement
	of         []int // by token, its statement
	suites     []suite
	scopes     []space
	bindings   map[string][]pyBinding
	targets    map[int]bool // tokens that statements bind
	words      map[string][]int
	broken     int // the first line, from 0, that cannot be read; -1 if all can
	pure       func(string) bool
	stars      []pyBinding // from m import *
	hidden     int         // the first line, from 0, that may bind any name, with exec or globals; -1
}

const marksPython = "**= //= <<= >>= ... := -> == != <= >= += -= *= /= %= &= |= ^= @= ** // << >>"

func readPython(text string, line int, pure func(string) bool) *pySource {
	s := &pySource{
		bindings: map[string][]pyBinding{}, targets: map[int]bool{}, words: map[string][]int{},
		broken: -1, pure: pure, hidden: -1,
		suites: []suite{{parent: -1, from: -1}}, scopes: []space{{parent: -1}},
	}
	x := &lexer{text: text, line: line, marks: strings.Fields(marksPython), broken: -1}
	r := &pyReader{pySource: s, lexer: x}
	r.read()
	s.broken = r.lexer.broken
	for i := range s.suites {
		if s.suites[i].to == 0 {
			s.suites[i].to = len(s.tokens)
		}
	}
	for i, t := range s.tokens {
		if t.word {
			s.words[t.text] = append(s.words[t.text], i)
		}
	}
	return s
}

// A pyReader reads the lines of a source.
type pyReader struct {
	*pySource
	lexer *lexer
	now   int // suite
	next  int // the suite of a header that the next line begins; 0 if there is none
}

// read reads logical lines: what is between brackets, or joined by a backslash, is one.
func (r *pyReader) read() {
	x := r.lexer
	from, depth, column, fresh := 0, 0, 0, true
	end := func() {
		if len(r.tokens) > from {
			r.line(from, column)
		}
		from, depth, column, fresh = len(r.tokens), 0, 0, true
	}
	for x.at < len(x.text) {
		c := x.text[x.at]
		switch {
		case c == '\n' && depth == 0:
			x.skip(1)
			end()
		case x.continues() > 0:
			x.skip(x.continues())
		case strings.ContainsRune(" \t\r\n\f", rune(c)):
			switch {
			case fresh && c == '\t' && depth == 0:
				column = column/8*8 + 8
			case fresh && c == ' ':
				column++
			case c == '\f':
				column = 0
			}
			x.skip(1)
		case c == '#':
			x.skipLine()
		default:
			fresh = false
			t := r.token()
			depth = max(0, depth+depthOf(t.text))
			r.tokens = append(r.tokens, t)
		}
	}
	if depth > 0 {
		x.fail()
	}
	end()
	r.close(0)
}

func depthOf(mark string) int {
	switch mark {
	case "(", "[", "{":
		return 1
	case ")", "]", "}":
		return -1
	}
	return 0
}

// token reads a token; a string is one.
func (r *pyReader) token() token {
	x := r.lexer
	t := token{line: x.line, at: x.at, match: -1}
	prefix := 0
	for prefix < 3 && x.at+prefix < len(x.text) && strings.ContainsRune("rRbBfFuU", rune(x.text[x.at+prefix])) {
		prefix++
	}
	if k := x.at + prefix; k < len(x.text) && (x.text[k] == '"' || x.text[k] == '\'') {
		x.at = k
		r.skipString()
		t.text = x.text[t.at:x.at]
		if strings.ContainsAny(x.text[t.at:k], "fF") && strings.Contains(t.text, ":=") && r.hidden < 0 {
			r.hidden = t.line // f"{(name := value)}"
		}
		return t
	}
	t = x.token()
	if t.word && x.continues() > 0 {
		x.fail()
	}
	return t
}

// skipString passes over a string, in one line or in several.
func (r *pyReader) skipString() {
	x := r.lexer
	marks := strings.Repeat(x.text[x.at:x.at+1], 3)
	if !x.has(marks) {
		x.skipString()
		return
	}
	for x.skip(3); x.at < len(x.text); x.skip(1) {
		if x.has(marks) {
			x.skip(3)
			return
		}
		if x.text[x.at] == '\\' {
			x.skip(1)
		}
	}
	x.fail()
}

// compound are the words that begin a header.
const compound = "if elif else for while try except finally with def class async match case"

// line reads the logical line of the tokens from one on, which begins at a column.
func (r *pyReader) line(from, column int) {
	if r.next > 0 {
		if column > r.suites[r.now].indent {
			r.suites[r.next].indent = column
			r.now = r.next
		} else {
			r.lexer.fail()
		}
		r.next = 0
	}
	for r.now > 0 && column < r.suites[r.now].indent {
		r.close(from)
	}
	if column != r.suites[r.now].indent && len(r.statements) > 0 {
		r.lexer.fail()
	} else {
		r.suites[r.now].indent = column
	}
	r.statementsOf(from, len(r.tokens))
}

// close ends the innermost suite, or at the end of the source all.
func (r *pyReader) close(from int) {
	if r.suites[r.now].to = from; r.now > 0 {
		r.now = r.suites[r.now].parent
	}
}

// statementsOf separates the statements of a line: a header, and those between semicolons.
func (r *pyReader) statementsOf(from, to int) {
	if r.isHeader(from, to) {
		colon := r.find(from, to, ":")
		if colon < 0 {
			r.lexer.fail()
			colon = to - 1
		}
		inner := r.header(from, colon+1)
		if colon+1 == to {
			r.next = inner
			return
		}
		outer := r.now
		r.now = inner
		r.statementsOf(colon+1, to)
		r.suites[inner].to = to
		r.now = outer
		return
	}
	for from < to {
		end := r.find(from, to, ";")
		if end < 0 {
			end = to
		}
		if r.add(from, end); end > from {
			r.bind(len(r.statements) - 1)
		}
		from = end + 1
	}
}

// isHeader reports whether a line begins a suite. match and case may be names as well.
func (r *pyReader) isHeader(from, to int) bool {
	first := r.tokens[from].text
	if !isOneOf(first, compound) {
		return false
	}
	if first == "match" || first == "case" {
		next := r.text(from + 1)
		return from+1 < to && r.tokens[to-1].text == ":" && next != "=" && next != "." && next != ":" || first == "case" &&
			r.next == 0 && r.now > 0 && r.text(r.suites[r.now].from) == "match"
	}
	return true
}

// find returns a mark in the tokens [from, to) that is not in brackets and not of a lambda; -1 if there is none.
func (s *pySource) find(from, to int, mark string) int {
	depth, lambdas := 0, 0
	for i := from; i < to; i++ {
		text := s.tokens[i].text
		depth += depthOf(text)
		switch {
		case depth > 0:
		case text == "lambda":
			lambdas++
		case text == ":" && lambdas > 0:
			lambdas--
		case text == mark:
			return i
		}
	}
	return -1
}

// add adds a statement.
func (r *pyReader) add(from, to int) {
	r.statements = append(r.statements, pyStatement{from, to, r.now})
	for len(r.of) < len(r.tokens) {
		r.of = append(r.of, -1)
	}
	for i := from; i < to; i++ {
		r.of[i] = len(r.statements) - 1
	}
}

// header adds the header of a compound statement, and returns its suite.
func (r *pyReader) header(from, to int) int {
	r.add(from, to)
	n := len(r.statements) - 1
	key := from
	if r.text(key) == "async" {
		key++
	}
	scope := r.suites[r.now].scope
	inner := scope
	if kind := r.text(key); kind == "def" || kind == "class" {
		inner = len(r.scopes)
		r.scopes = append(r.scopes, space{scope, kind == "class"})
	}
	loop := r.text(key) == "for" || r.text(key) == "while"
	r.suites = append(r.suites, suite{parent: r.now, scope: inner, loop: loop, from: from})
	r.bindHeader(n, key, inner)
	return len(r.suites) - 1
}

func (s *pySource) text(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].text
}

// encloses reports whether the suite a is the suite b or around it.
func (s *pySource) encloses(a, b int) bool {
	for ; b >= 0 && b != a; b = s.suites[b].parent {
	}
	return b == a
}

// atBoth writes two lines for people.
func atBoth(a, b int) string {
	if a == b {
		return at(a)
	}
	return fmt.Sprintf("%s and at %s", at(a), at(b))
}
