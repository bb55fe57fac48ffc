package scope

import (
	"fmt"
	"slices"
	"strings"
)

// This file reads C++: tokens in groups, which are pairs of brackets, and in branches of #if.

// A group is what is between two brackets; the first one is the file.
type group struct {
	open, close int // tokens; -1 and the number of tokens for the file
	parent      int
	kind        groupKind
}

// groupKind says what a name means that is bound outside a group and used inside, and the reverse.
type groupKind string

const (
	inParens    groupKind = "("
	inBrackets  groupKind = "["
	inBlock     groupKind = "{"         // of a function, or a list of values
	ofMethod    groupKind = "method"    // of a function with a qualified name: its class is elsewhere
	inNamespace groupKind = "namespace" // that other files may add to
	transparent groupKind = "linkage"   // its names are names of the group around it
	inClass     groupKind = "class"     // its names hold in all of it
	ofDerived   groupKind = "derived"   // a class with bases, or whose names are elsewhere
	inEnum      groupKind = "enum"
	unnamed     groupKind = "unnamed" // a class without a name: its names may be names of the group around it
)

// A branch is one alternative of an #if.
type branch struct {
	parent int
	test   int // which #if
	number int // which alternative
}

// A macro is a #define or #undef.
type macro struct {
	name   string
	line   int
	at     int // the next token
	branch int
	params bool // #define F(x)
	undef  bool
	body   []token
}

// A cppSource is a source in C++.
type cppSource struct {
	tokens   []token
	groups   []group
	branches []branch
	macros   map[string][]macro
	broken   int // the first line, from 0, from which on brackets do not match; -1 if all do
	pure     func(string) bool

	words    map[string][]int // the tokens of each name
	heads    map[int]int      // the first token after template <...>, by the token template
	inHeads  map[int]int      // by token, the token template of its head
	bindings map[string][]binding
	pastes   []string           // macros with ##
	includes []token            // #include, with the group, before the token at
	hidden   map[string][]macro // by names that their texts may bind
}

// marksCPP has no >>: it closes two templates as well.
const marksCPP = "<<= <=> ... ->* :: -> ++ -- << <= >= == != && || += -= *= /= %= &= |= ^= ## <% %> %: .*"

func readCPP(text string, line int, pure func(string) bool) *cppSource {
	s := &cppSource{
		groups: []group{{open: -1, parent: -1, kind: transparent}}, branches: []branch{{parent: -1}},
		macros: map[string][]macro{}, broken: -1, pure: pure,
		words: map[string][]int{}, heads: map[int]int{}, inHeads: map[int]int{}, bindings: map[string][]binding{},
		hidden: map[string][]macro{},
	}
	x := &lexer{text: text, line: line, marks: strings.Fields(marksCPP), joins: true, broken: -1}
	r := &cppReader{cppSource: s, lexer: x, stack: []int{0}}
	r.read()
	for i := range s.groups {
		if s.groups[i].close == 0 { // not closed, in one branch of an #if
			s.groups[i].close = len(s.tokens)
		}
	}
	if x.broken >= 0 {
		s.fail(x.broken)
	}
	for i, t := range s.tokens {
		if t.word {
			s.words[t.text] = append(s.words[t.text], i)
		}
	}
	for _, i := range s.words["template"] {
		if _, inner := s.inHeads[i]; !inner && s.text(i+1) == "<" {
			s.readHead(i)
		}
	}
	return s
}

// fail notes that what comes from a line on cannot be told.
func (s *cppSource) fail(line int) {
	if s.broken < 0 || line < s.broken {
		s.broken = line
	}
}

// A cppReader reads the tokens of a source.
type cppReader struct {
	*cppSource
	lexer *lexer
	stack []int // the groups around the next token
	tests []test
	count int // of #if
	now   int // the branch of the next token
}

// A test is an #if whose #endif has not come.
type test struct {
	before []int // the groups around it
	after  []int // the groups at the end of its first branch
	ended  bool  // after is set
	hasAll bool  // it has #else
	lax    bool  // the compiler is known to take it
	line   int
	outer  int // branch
}

func (r *cppReader) read() {
	x := r.lexer
	fresh := true // no token in this line
	for x.at < len(x.text) {
		c := x.text[x.at]
		switch {
		case c == '\n':
			fresh = true
			x.skip(1)
		case r.blank():
		case c == '#' && fresh:
			r.directive()
		default:
			fresh = false
			r.add(r.next())
		}
	}
	if len(r.tests) > 0 || len(r.stack) != 1 {
		x.fail()
	}
	r.groups[0].close = len(r.tokens)
}

// blank passes over a space or a comment, and reports whether there was one.
func (r *cppReader) blank() bool {
	x := r.lexer
	switch {
	case strings.ContainsRune(" \t\r\v\f", rune(x.text[x.at])):
		x.skip(1)
	case x.continues() > 0:
		x.skip(x.continues())
	case x.has("//"):
		x.skipLine()
	case x.has("/*"):
		x.skip(2)
		x.skipTo("*/")
	default:
		return false
	}
	return true
}

// next reads a token.
func (r *cppReader) next() token {
	x := r.lexer
	start := token{line: x.line, at: x.at, match: -1}
	if c := x.text[x.at]; c == '"' || c == '\'' {
		x.skipString()
		start.text = x.text[start.at:x.at]
		return start
	}
	t := x.token()
	switch {
	case strings.HasSuffix(t.text, "R") && len(t.text) <= 3 && x.has(`"`):
		x.at++
		mark, _, _ := strings.Cut(x.text[x.at:], "(")
		x.skipTo(")" + mark + `"`)
		start.text = x.text[start.at:x.at]
		return start
	case t.text == "<%" || t.text == "%>" || t.text == "%:", t.word && x.continues() > 0:
		x.fail() // other spellings of brackets, a word in two lines
	}
	return t
}

// add adds a token to the group that it is in.
func (r *cppReader) add(t token) {
	i := len(r.tokens)
	t.group, t.branch = r.stack[len(r.stack)-1], r.now
	switch t.text {
	case "(", "[", "{":
		g := group{open: i, parent: t.group, kind: groupKind(t.text)}
		if t.text == "{" {
			g.kind = r.kindOf(i, t.group)
		}
		if len(r.stack) > mostNested {
			r.lexer.fail()
			break
		}
		r.stack = append(slices.Clip(r.stack), len(r.groups))
		r.groups = append(r.groups, g)
	case ")", "]", "}":
		g := &r.groups[t.group]
		if g.open < 0 || r.tokens[g.open].text != map[string]string{")": "(", "]": "[", "}": "{"}[t.text] {
			r.lexer.fail()
			break
		}
		g.close = i // the last one, if branches have one each
		t.group, t.match = g.parent, g.open
		r.tokens[g.open].match = i
		r.stack = r.stack[:len(r.stack)-1]
	}
	r.tokens = append(r.tokens, t)
}

// directive reads a line that begins with #.
func (r *cppReader) directive() {
	x := r.lexer
	line := x.line
	var words []token
	for x.skip(1); x.at < len(x.text) && x.text[x.at] != '\n'; {
		switch {
		case len(words) == 1 && isOneOf(words[0].text, "error warning line"):
			x.skipLine() // words of a person
		case !r.blank():
			words = append(words, r.next())
		}
	}
	if len(words) > 0 {
		r.obey(words[0].text, words[1:], line)
	}
}

// obey carries out a directive in a line.
func (r *cppReader) obey(name string, rest []token, line int) {
	x := r.lexer
	switch name {
	case "define", "undef":
		if len(rest) > 0 {
			m := macro{name: rest[0].text, line: line, at: len(r.tokens), branch: r.now, undef: name == "undef", body: rest[1:]}
			m.params = len(rest) > 1 && rest[1].text == "(" && rest[1].at == rest[0].at+len(rest[0].text)
			r.macros[m.name] = append(r.macros[m.name], m)
			r.hide(m)
		}
	case "if", "ifdef", "ifndef":
		if len(r.tests) >= mostNested {
			x.fail()
			return
		}
		known := strings.Contains(textOf(rest), "__cplusplus")
		r.tests = append(r.tests, test{before: slices.Clone(r.stack), outer: r.now, lax: known, line: line})
		r.count++
		r.enter(r.count, 0, r.now)
	case "elif", "else", "elifdef", "elifndef":
		r.otherwise(name)
	case "endif":
		r.endif()
	case "include":
		if len(r.includes) <= mostOccurrences {
			r.includes = append(r.includes, token{line: line, at: len(r.tokens), group: r.stack[len(r.stack)-1]})
		}
	case "pragma":
		if strings.Contains(textOf(rest), "pop_macro") {
			x.fail()
		}
	}
}

func (r *cppReader) enter(test, number, parent int) {
	r.now = len(r.branches)
	r.branches = append(r.branches, branch{parent, test, number})
}

// otherwise begins the next branch of an #if with the brackets that were open before the first one.
func (r *cppReader) otherwise(name string) {
	if len(r.tests) == 0 {
		r.lexer.fail()
		return
	}
	t := &r.tests[len(r.tests)-1]
	t.endBranch(r)
	t.hasAll = t.hasAll || name == "else"
	r.stack = slices.Clone(t.before)
	b := r.branches[r.now]
	r.enter(b.test, b.number+1, t.outer)
}

// endBranch checks that each branch leaves as many brackets open.
func (t *test) endBranch(r *cppReader) {
	if t.ended && len(t.after) != len(r.stack) {
		r.lexer.fail()
	}
	if !t.ended {
		t.ended, t.after = true, slices.Clone(r.stack)
	}
}

func (r *cppReader) endif() {
	if len(r.tests) == 0 {
		r.lexer.fail()
		return
	}
	t := &r.tests[len(r.tests)-1]
	t.endBranch(r)
	if !t.hasAll && !t.lax && !slices.Equal(t.before, r.stack) {
		r.lexer.fail()
	}
	r.now = t.outer
	r.tests = r.tests[:len(r.tests)-1]
}

// within reports whether the branch b is the branch a or in it.
func (s *cppSource) within(b, a int) bool {
	for ; b > 0 && b != a; b = s.branches[b].parent {
	}
	return b == a
}

// excludes reports whether no program has both branches.
func (s *cppSource) excludes(a, b int) bool {
	for x := a; x > 0; x = s.branches[x].parent {
		for y := b; y > 0; y = s.branches[y].parent {
			if s.branches[x].test == s.branches[y].test && s.branches[x].number != s.branches[y].number {
				return true
			}
		}
	}
	return false
}

// text returns the text of a token, "" beyond the ends.
func (s *cppSource) text(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return s.tokens[i].text
}

func (s *cppSource) isWord(i int) bool { return i >= 0 && i < len(s.tokens) && s.tokens[i].word }

// before returns the token before i in the same group, passing over brackets; -1 if there is none.
func (s *cppSource) before(i int) int {
	g := s.tokens[i].group
	if i--; i >= 0 && s.tokens[i].match >= 0 && s.tokens[i].match < i {
		i = s.tokens[i].match
	}
	if i <= s.groups[g].open {
		return -1
	}
	return i
}

// after returns the token after i in the same group, passing over brackets; -1 if there is none.
func (s *cppSource) after(i int) int {
	g := s.tokens[i].group
	if m := s.tokens[i].match; m > i {
		i = m
	}
	if i++; i >= s.groups[g].close || i >= len(s.tokens) || s.tokens[i].group != g {
		return -1
	}
	return i
}

// statement returns the first token of the statement that i is in. In parentheses, a comma ends a statement, too.
func (s *cppSource) statement(i int) int {
	g := s.tokens[i].group
	steps := 0
	for k := s.before(i); k >= 0; k = s.before(k) {
		t := s.tokens[k]
		if steps++; steps > mostSteps {
			s.fail(t.line)
		}
		switch {
		case steps > mostSteps, t.text == ";", t.text == "," && s.groups[g].kind == inParens,
			t.text == "{" && s.isWord(i),
			t.text == ":" && isOneOf(s.text(k-1), "public private protected"):
			return i
		}
		i = k
	}
	return i
}

// kindOf returns what the group is that the brace i opens; its tokens come later.
func (r *cppReader) kindOf(i, parent int) groupKind {
	s := r.cppSource
	s.tokens = append(s.tokens, token{text: "{", group: parent, match: -1})
	defer func() { s.tokens = s.tokens[:i] }()
	closes := s.groups[parent].close
	s.groups[parent].close = i + 1
	defer func() { s.groups[parent].close = closes }()
	if s.broken >= 0 || (s.text(i-1) == "" || isOneOf(s.text(i-1), ", ( = return { ;")) {
		return inBlock // without a head
	}
	var head []int
	for k := s.statement(i); k >= 0 && k < i; k = s.after(k) {
		head = append(head, k)
	}
	return s.kindOfHead(head)
}

// kindOfHead returns what a group is, by the tokens of its statement before it.
func (s *cppSource) kindOfHead(head []int) groupKind {
	angle := 0
	for n, k := range head {
		text := s.text(k)
		switch {
		case text == "<":
			angle++
		case text == ">":
			angle--
		case text == "::" && n+1 < len(head) && s.isCalled(head[n+1:]):
			return ofMethod
		case angle > 0:
		default:
			if kind := s.kindOfKey(head, n); kind != "" {
				return kind
			}
		}
	}
	return inBlock
}

// kindOfKey returns what a group is, if the word n of the tokens before it says so; "" if it does not.
func (s *cppSource) kindOfKey(head []int, n int) groupKind {
	switch s.text(head[n]) {
	case "namespace":
		return s.namespaceOf(head)
	case "enum":
		return inEnum
	case "class", "struct", "union":
		return s.classOf(head[n+1:])
	case "extern":
		if len(head) == 2 {
			return transparent
		}
	}
	return ""
}

// isCalled reports whether tokens begin with a name and parentheses, an operator or a destructor.
func (s *cppSource) isCalled(rest []int) bool {
	first := s.text(rest[0])
	return first == "~" || first == "operator" || s.isWord(rest[0]) && len(rest) > 1 && s.text(rest[1]) == "("
}

func (s *cppSource) namespaceOf(head []int) groupKind {
	if s.text(head[len(head)-1]) == "namespace" || s.text(head[0]) == "inline" {
		return transparent
	}
	return inNamespace
}

// classOf returns what a class is, by the tokens after its key; "" for a function that returns one.
func (s *cppSource) classOf(rest []int) groupKind {
	kind := unnamed
	for n, k := range rest {
		switch text := s.text(k); {
		case text == ":" || text == "::":
			return ofDerived
		case text == "(" && n > 0 && !isAttribute(s.text(rest[n-1])):
			return ""
		case s.isWord(k) && !isAttribute(text):
			kind = inClass
		}
	}
	return kind
}

// isAttribute reports whether a word may be before parentheses that are no parameters.
func isAttribute(word string) bool {
	return isOneOf(word, "alignas __align__ __attribute__ __declspec decltype")
}

// at writes lines for people, from 1.
func at(line int) string { return fmt.Sprintf("line %d", line+1) }
