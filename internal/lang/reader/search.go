package reader

import (
	"fmt"
	"strings"
)

// This file walks over a text. step tries a value at each token, by the kind of the token; attempt parses a value, asks
// accept.go whether people paste such values, and keeps the value with its name and notes.

// A search walks over the tokens of a text and tries a value wherever one can begin.
type search struct {
	// values in notations that are not supported
	unread []Unread
	around []enclosure // the open brackets of unknown constructors
	*parser
	found    []found
	looked   int    // tokens before this one were searched for comments
	comments bool   // one of them is a comment mark in its line
	unlisted int    // no list of coordinates begins before this token
	unmarked int    // no table with marks begins before this token
	undrawn  int    // no grid begins before this byte
	decoded  int    // the number of bytes of JSON that contained no value
	inDict   bool   // the last value was part of a Python dictionary
	nameless bool   // the text before the current value is not its name
	leaves   []node // preallocated nodes for values that consist only of their text
}

// found is a value before it is an [Item].
type found struct {
	node       *node
	kind       Kind // the kind, if it differs from the kind of the node
	name       string
	notes      []string
	first, end int  // the first and the last token
	static     bool // a static layout whose node contains only its text, see settle
}

func (s *search) run() error {
	most := s.limits.Items
	var last int64 // the size of the last value in bytes; 0 if it is not known
	for s.peek().kind != tokEOF && len(s.found) < MaxItems {
		s.take(0)
		s.renew()
		at, mark, n := s.pos, s.total(), len(s.found)
		if !s.step() {
			s.pos = max(s.pos, at+1)
		}
		switch bytes := s.total() - mark; len(s.found) {
		case n:
			s.release(bytes)
		case n + 1:
			if n > 0 {
				s.settle(&s.found[n-1], last)
			}
			last = bytes
		default:
			last = 0
		}
		if most > 0 && len(s.found) > most {
			return fmt.Errorf("the text has more than the %d values that are read at a time: read a part of it", most)
		}
	}
	return nil
}

// settle reduces a value before the last one to its text, unless another value needs its parts, and releases the memory
// of its nodes. A long text has thousands of values.
func (s *search) settle(f *found, bytes int64) {
	n := f.node
	if n.kind == nodeRecord || isSized(f.name) || s.assignedName(f.first) != "" {
		return
	}
	text, static, fault := judge(n, n.String())
	if fault != "" {
		return
	}
	if f.kind == "" {
		f.kind = kindOf(n)
	}
	if len(s.leaves) == cap(s.leaves) {
		s.leaves = make([]node, 0, min(max(2*cap(s.leaves), 16), 512))
	}
	s.leaves = append(s.leaves, node{kind: nodeText, text: text, start: n.start, end: n.end})
	f.node, f.static = &s.leaves[len(s.leaves)-1], static
	s.release(max(bytes-int64(nodeBytes+len(text)+foundBytes), 0))
}

// begin starts an attempt at the current token.
func (s *search) begin() int {
	s.notes = nil
	s.from = s.pos
	s.remark = s.inComment()
	s.depth, s.types, s.calls, s.quotes, s.strides, s.flys, s.nameless = 0, 0, 0, 0, 0, 0, false
	return s.pos
}

// inComment reports whether the current token is in a comment of C++ or Python that began on its line.
func (s *search) inComment() bool {
	for ; s.looked < s.pos; s.looked++ {
		switch t := &s.toks[s.looked]; {
		case t.kind == tokSlashes || t.c == '#' && t.line && s.toks[s.looked+1].space:
			s.comments = true
		case t.line:
			s.comments = false
		}
	}
	return s.comments && !s.peek().line
}

// add keeps a value that was read from the token first on.
func (s *search) add(n *node, first int) *found {
	f := found{node: n, notes: s.notes, first: first, end: s.pos}
	if !s.nameless {
		f.name = s.label(first)
	}
	s.take(foundBytes)
	s.found = append(s.found, f)
	s.notes, s.nameless = nil, false
	return &s.found[len(s.found)-1]
}

// step tries to read a value at the current token. Without a value it moves on, but only past text that has no value.
func (s *search) step() bool {
	t := s.peek()
	if t.line && s.lineForm() {
		return true
	}
	switch t.kind {
	case tokIdent:
		return s.word()
	case tokInt, tokStatic, tokMixed:
		return s.numeral()
	}
	read := openers[t.c]
	return read != nil && read(s)
}

// openers read a value at the character that it begins with.
var openers = map[byte]func(*search) bool{
	'(': (*search).attempt, '?': (*search).attempt, '!': (*search).attempt, '#': (*search).attempt,
	'[': func(s *search) bool { return s.with() || s.subscript() || s.bitRows() || s.attempt() },
	'<': (*search).angle, '^': (*search).xor, '{': (*search).structure, '$': (*search).formulaText,
	'-': (*search).negative, '\\': (*search).latexMatrix,
}

// angle tries a tile at a '<' that is not an operator.
func (s *search) angle() bool {
	t := s.peek()
	opens := t.space || t.line || s.pos == 0 || s.toks[s.pos-1].c != 0 && s.toks[s.pos-1].c != '<'
	return opens && !s.at(1).space && s.attempt()
}

// negative tries a negative number that is the whole text.
func (s *search) negative() bool {
	return s.isFirst() && s.at(1).kind == tokInt && s.at(2).kind == tokEOF && s.attempt()
}

// lineForm tries the forms that take whole lines: dumps and tables.
func (s *search) lineForm() bool {
	first := s.begin()
	t := s.peek()
	var n *node
	switch {
	case t.kind == tokIdent || t.c == '-':
		if s.openGrid() {
			return true
		}
		if n = s.dump(); n == nil {
			s.pos = first
			n = s.linearDump()
		}
	case t.kind == tokInt || t.c == '+' || t.c == '|' || t.c == '-':
		if s.markedTable() || s.grid() || s.rows() {
			return true
		}
	}
	if n == nil {
		s.pos, s.notes = first, nil
		return false
	}
	s.add(n, first)
	return true
}

// word tries a value at a name.
func (s *search) word() bool {
	t := s.peek()
	first := s.begin()
	if isInDim(s.text(t)) {
		if n := s.bases(); n != nil {
			s.add(n, first)
			return true
		}
		s.pos, s.notes = first, nil
	}
	if s.assertion() || s.declaration() {
		return true
	}
	base, full := s.name()
	after := s.peek()
	if s.beginsValue(base, first) {
		s.pos = first
		if s.attempt() {
			return true
		}
		s.pos = max(s.pos, first+1)
		if after.c == '(' && s.is('(') { // a call that could not be read; its arguments alone are not a tuple
			s.enclose(base, '(', ')')
			s.pos++
		}
		return false
	}
	s.skipHead(base, full)
	return false
}

// beginsValue reports whether the name before the current token, which was read from the token first, can begin a
// value.
func (s *search) beginsValue(base string, first int) bool {
	after := s.peek()
	r, foreign := roles()[base], s.notation(base) != ""
	opens := after.c == '<' || after.c == '{' || foreign || after.c == '(' && (!after.space || r != roleCall)
	switch {
	case opens && (r != roleNone || foreign):
		return true
	case s.opensRecord(base, first), isEngine(base):
		return true
	case base == "_":
		if first == 0 && after.kind == tokEOF {
			return true
		}
	}
	return s.ring() && s.isName(&s.toks[first])
}

// skipHead skips the parenthesis of a call of an unknown name, whose arguments are not a tuple, and notes the end of an
// unknown constructor.
func (s *search) skipHead(base, full string) {
	switch after := s.peek(); {
	case after.space:
	case after.c == '(':
		if isConstructor(full) {
			s.enclose(base, '(', ')')
		}
		s.pos++
	case after.c == '<' && isConstructor(base):
		s.enclose(base, '<', '>')
	}
}

// isName reports whether a name may be a layout: a capital letter, a letter that begins the text, or the name of an
// earlier value.
func (s *search) isName(t *token) bool {
	name := s.text(t)
	if len(name) == 1 && (name[0] >= 'A' && name[0] <= 'Z' || t.start == s.toks[0].start) {
		return true
	}
	for i := len(s.found) - 1; i >= 0 && i >= len(s.found)-8; i-- {
		if s.found[i].name == name {
			return true
		}
	}
	return false
}

// numeral tries a value at a number: a layout 6:3, or the product 64x64.
func (s *search) numeral() bool {
	t := s.peek()
	if s.pos > 0 && !t.space && !t.line && isOneOf(s.toks[s.pos-1].c, ":.-/") {
		return false // file.cpp:43:12, a date
	}
	goesOn := isOneOf(s.at(1).c, ":@{/") || s.timesAt(1) || s.ringAt(1)
	return (goesOn || t.kind == tokMixed || s.isFirst()) && s.attempt()
}

func (s *search) ringAt(k int) bool {
	t := s.at(k)
	return t.kind == tokRing || t.kind == tokIdent && s.text(t) == "o"
}

// timesAt reports whether the token k tokens on is a multiplication sign: x or ×.
func (s *search) timesAt(k int) bool {
	t := s.at(k)
	return t.kind == tokTimes || t.kind == tokIdent && s.text(t) == "x"
}

// isFirst reports whether the current token is the first of the text.
func (s *search) isFirst() bool { return s.pos == 0 }

// attempt tries a value at the current token and keeps it.
func (s *search) attempt() bool {
	first := s.begin()
	n := s.chain()
	if n == nil {
		s.pos = first
		return false
	}
	if m := n.missing(); m != nil {
		s.pass(m, n)
		return true
	}
	if s.partOfOther(n, first) {
		return true
	}
	if s.sequence(n, first) {
		return true
	}
	n = s.products(n)
	n = s.outcome(n)
	n = s.remarks(n)
	if m := n.missing(); m != nil {
		s.pass(m, n)
		return true
	}
	if !s.accept(n, first) {
		s.inDict = s.isChosen(n, first)
		if n.kind == nodeLayout { // the shape and the stride of a refused layout are not offered as values either
			return true
		}
		return false
	}
	s.inDict = false
	if m := n.misspelt(); m != nil {
		s.pass(m, n)
		return true
	}
	n = s.unwrap(n)
	n = s.refusedCall(n)
	if n.kind == nodeList && (s.offsets(n, first) || s.tableList(n, first) || s.coordinateList(n, first)) {
		return true
	}
	s.stray(first)
	if name := s.enclosing(first); name != "" && s.around[len(s.around)-1].role == roleNone {
		s.note("it stands inside %s, which is not read", name)
	}
	n = asTuple(n)
	s.add(n, first)
	return true
}

// stray notes a parenthesis after a value that closes nothing on its line: B = 6:3).
func (s *search) stray(first int) {
	if !s.is(')') || s.peek().space {
		return
	}
	open := 0
	for k := first - 1; k >= 0 && first-k < maxStatement; k-- {
		switch s.toks[k].c {
		case '(':
			open++
		case ')':
			open--
		}
		if open > 0 {
			return
		}
		if s.toks[k+1].line {
			break
		}
	}
	s.note("passed over a ')' that closes nothing")
}

// unwrap makes a tuple of 64x64, and takes a tile in quotation marks out of a tile around it.
func (s *search) unwrap(n *node) *node {
	switch n.kind {
	case nodeDims:
		m := &node{kind: nodeTuple, start: n.start, end: n.end}
		for part := range strings.SplitSeq(n.text, "x") {
			m.kids = append(m.kids, &node{kind: nodeInt, text: decimal(part)})
		}
		return m
	case nodeTile:
		if len(n.kids) == 1 && n.kids[0].kind == nodeTile && strings.HasPrefix(s.src[n.start:], "<\"") {
			return n.kids[0]
		}
	}
	return n
}
