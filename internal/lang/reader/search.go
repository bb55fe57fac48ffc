package reader

import (
	"fmt"
	"slices"
	"strings"
)

// A search walks over the tokens of a text and tries a value wherever one can begin.
type search struct {
	unread []Unread
	around []enclosure // the open brackets of constructors that are not known
	*parser
	found    []found
	looked   int    // the tokens before this one were looked at for comments
	comments bool   // one of them is the mark of a comment in its line
	unlisted int    // no list of coordinates begins before this token
	unmarked int    // no table with marks begins before this token
	undrawn  int    // no grid begins before this byte
	decoded  int    // bytes of JSON that were not a value
	inDict   bool   // the value before was one of a dictionary of Python
	nameless bool   // the text before the current value does not name it
	leaves   []node // room for more values that are only their text
}

// found is a value before it is an [Item].
type found struct {
	node       *node
	kind       Kind // where it is not that of the node
	name       string
	notes      []string
	first, end int  // its tokens
	static     bool // a static layout whose node is only its text, see settle
}

func (s *search) run() error {
	most := s.limits.Items
	var last int64 // the bytes of the last value, 0 if they are not known
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

// settle reduces a value before the last one to its text, if no other value needs its parts, and gives back the memory
// of its nodes: a long text has thousands of values.
func (s *search) settle(f *found, bytes int64) {
	n := f.node
	if n.kind == nodeRecord || isSized(f.name) || s.assigned(f.first) != "" {
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

// inComment reports whether a comment of C++ or Python begins before the current token on its line.
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

// step tries to read a value at the current token. Where there is none it moves on, at least where a whole stretch is
// known to hold none.
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
	case tokScope:
		return false
	}
	switch t.c {
	case '(', '?', '!', '#':
		return s.attempt()
	case '[':
		return s.with() || s.subscript() || s.attempt()
	case '<':
		if !s.at(1).space && (t.space || t.line || s.pos == 0 || s.toks[s.pos-1].c != 0 && s.toks[s.pos-1].c != '<') {
			return s.attempt()
		}
	case '^':
		return s.xor()
	case '{':
		return s.structure()
	case '$':
		return s.formulaText()
	case '-': // a negative number alone
		return s.whole() && s.at(1).kind == tokInt && s.at(2).kind == tokEOF && s.attempt()
	}
	return false
}

// lineForm tries what takes whole lines.
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
		if s.marked() || s.grid() || s.rows() {
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
	r := roles()[base]
	opens := after.c == '<' || after.c == '(' && (!after.space || r != roleCall) || after.c == '{' || s.notation(base) != ""
	switch {
	case (r != roleNone || s.notation(base) != "") && opens, s.opensRecord(base, first), isEngine(base), base == "_" &&
		first == 0 && after.kind == tokEOF, s.ring() && s.isName(t):
		s.pos = first
		if s.attempt() {
			return true
		}
		s.pos = max(s.pos, first+1)
		if after.c == '(' && s.is('(') { // it could not be read: its arguments alone are no tuple
			s.enclose(base, '(', ')')
			s.pos++
		}
		return false
	case after.space:
	case after.c == '(': // a call that is not known: its arguments are no tuple
		if isConstructor(full) {
			s.enclose(base, '(', ')')
		}
		s.pos++
	case after.c == '<' && isConstructor(base):
		s.enclose(base, '<', '>')
	}
	return false
}

// isName reports whether a name stands for a layout: a capital letter, or what a value before was called.
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
	if s.pos > 0 && !t.space && !t.line {
		if before := s.toks[s.pos-1]; before.c == ':' || before.c == '.' || before.c == '-' || before.c == '/' {
			return false // file.cpp:43:12, a date
		}
	}
	next := s.at(1)
	if t.kind == tokMixed || next.c == ':' || next.c == '@' || next.c == '{' || next.c == '/' || s.whole() ||
		s.timesAt(1) || s.ringAt(1) {
		return s.attempt()
	}
	return false
}

func (s *search) ringAt(k int) bool {
	t := s.at(k)
	return t.kind == tokRing || t.kind == tokIdent && s.text(t) == "o"
}

// timesAt reports whether a multiplication sign stands there: x, × or ⊗.
func (s *search) timesAt(k int) bool {
	t := s.at(k)
	return t.kind == tokTimes || t.kind == tokIdent && s.text(t) == "x"
}

// whole reports whether the current token is the first of the text.
func (s *search) whole() bool { return s.pos == 0 }

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
		s.inDict = s.chosen(n, first)
		if n.kind == nodeLayout { // its halves are no values either
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
	n = s.refused(n)
	if n.kind == nodeList && (s.offsets(n, first) || s.nested(n, first) || s.listed(n, first)) {
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

// stray notes a parenthesis behind a value that closes nothing on its line: B = 6:3).
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

// unwrap makes a shape of 64x64, and a tuple of a list.
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

// accept reports whether a value that was parsed is one that people paste, and not a piece of prose.
func (s *search) accept(n *node, first int) bool {
	whole := first == 0 && s.peek().kind == tokEOF
	if (n.kind == nodeTuple || n.kind == nodeList) && n.holdsValues() {
		return false // a tuple of a swizzle is none
	}
	switch n.kind {
	case nodeLayout, nodeSwizzle, nodeTrace, nodeRecord, nodeSpan:
		if n.kind == nodeLayout && (s.chosen(n, first) || n.isPair() && !s.stands(n, first)) {
			return false
		}
		return n.kind != nodeLayout || n.hasNumber() || s.src[n.start] == '(' || s.src[n.start] == '!'
	case nodeCompose:
		return n.hasNumber() || s.named(n)
	case nodeTile:
		if s.src[n.start] == '[' && !whole && !strings.Contains(s.src[n.start:n.end], ";") && !n.hasTuple() {
			return false // a slice: [0:4]
		}
		if s.src[n.start] == '<' && s.toks[s.pos-1].c != '>' && !whole {
			return false // a < 3:4
		}
		return n.hasNumber() && (whole || len(n.kids) > 1 || n.kids[0].kind != nodeInt)
	case nodeDims:
		return strings.Trim(n.text, "0123456789x") == "" && strings.Trim(n.text, "x") == n.text && !strings.Contains(n.text, "xx")
	case nodeTuple:
		if first > 1 && s.toks[first-1].c == ':' && s.toks[first-2].c == ')' && !s.toks[first].space {
			return false // the stride of a shape that could not be read
		}
		return whole || n.isModes() || n.isTuple() && isSizeWord(s.label(first)) || n.hasNumber() &&
			(len(n.kids) > 1 || s.labelled(first) || s.src[n.start] != '(')
	case nodeList:
		return whole && n.hasNumber() || len(n.kids) > 1 && (n.isNumbers() || n.isTable() || n.isCoordinates())
	case nodeCall:
		return n.hasNumber() && roles()[strings.SplitN(n.text, "<", 2)[0]] != roleNone
	case nodeApply:
		return true
	case nodeDyn:
		return whole || len(n.text) > 1 || s.src[n.start] == '!'
	case nodeBasis:
		return s.stands(n, first)
	case nodeInt, nodeRatio, nodeWild:
		return whole || s.src[n.start] == '!'
	case nodeOp:
		return whole && n.hasNumber()
	}
	return false
}

// isPair reports whether a layout is two leaves, which is written as a ratio or a time of day is.
func (n *node) isPair() bool {
	return n.kids[0].start == n.start && n.kids[0].kind != nodeTuple && n.kids[1].kind != nodeTuple
}

// hasTuple reports whether something in brackets of its own stands in n, or a wildcard.
func (n *node) hasTuple() bool {
	return slices.ContainsFunc(n.kids, func(k *node) bool {
		return k.kind == nodeWild || k.kind == nodeTuple || k.kind == nodeTile || k.kind == nodeLayout && !k.isPair()
	})
}

// holdsValues reports whether a tuple has more in it than leaves.
func (n *node) holdsValues() bool {
	return slices.ContainsFunc(n.kids, func(k *node) bool {
		switch k.kind {
		case nodeCall:
			return !k.isLeaf()
		case nodeSwizzle, nodeCompose, nodeRecord, nodeTrace, nodeSpan, nodePtr, nodeType, nodeOpaque, nodeApply:
			return true
		case nodeTuple, nodeList:
			return k.holdsValues()
		}
		return false
	})
}

// isModes reports whether a tuple is of names of modes, (MMA,MMA_M,MMA_K), as comments on tensors have them.
func (n *node) isModes() bool {
	bar := false
	for _, k := range n.kids {
		if k.kind != nodeSym || strings.ToUpper(k.text) != k.text && k.text != "k" {
			return false
		}
		bar = bar || strings.Contains(k.text, "_")
	}
	return bar && len(n.kids) > 1
}

// isNumbers reports whether a list holds integers only.
func (n *node) isNumbers() bool {
	return !slices.ContainsFunc(n.kids, func(k *node) bool { return k.kind != nodeInt })
}

// named reports whether the operands of a composition are names or values.
func (s *search) named(n *node) bool {
	return !slices.ContainsFunc(n.kids, func(k *node) bool { return k.kind == nodeSym && len(k.text) > 8 })
}

// labelled reports whether a word before the token says that a tuple follows.
func (s *search) labelled(first int) bool { return s.label(first) != "" }

// label returns what the text calls the value that begins at the token: NAME = value, Some Words: value.
func (s *search) label(first int) string {
	k := first - 1
	for k >= 0 && (s.toks[k].c == '"' || s.toks[k].c == '\'') {
		k--
	}
	if k < 1 || s.toks[first].line && s.toks[k].c != '=' && s.toks[k].kind != tokImplies {
		return ""
	}
	switch sep := s.toks[k]; {
	case sep.c == '=':
		return s.words(k-1, 1)
	case sep.c == ':':
		return s.words(k-1, 4)
	case sep.kind == tokImplies:
		return s.before(k)
	case sep.kind == tokIdent && isSizeWord(s.text(&sep)):
		return s.text(&sep)
	}
	return ""
}

// words returns the names that end at token k, at most n of them.
func (s *search) words(k, n int) string {
	last := k
	start := k + 1
	for k >= 0 && n > 0 && (s.toks[k].kind == tokIdent || s.toks[k].kind == tokStatic) {
		n--
		start = k
		for k >= 2 && !s.toks[k].space && (s.toks[k-1].kind == tokScope || s.toks[k-1].c == '.') &&
			s.toks[k-2].kind == tokIdent && last-k < 16 {
			k -= 2
			start = k
		}
		if s.toks[k].c == 0 && k >= 1 && s.toks[k-1].c == '#' && !s.toks[k].space {
			k--
			start = k
		}
		if s.toks[k].line {
			break
		}
		k--
	}
	if start > last {
		return ""
	}
	return strings.Join(strings.Fields(s.src[s.toks[start].start:s.toks[last].end]), " ")
}

// maxLabel bounds a name that is not words, in bytes and in tokens.
const maxLabel = 64

// before returns the text of the line before token k, where it is short.
func (s *search) before(k int) string {
	i := k
	for i > 0 && k-i < maxLabel && !s.toks[i].line {
		i--
	}
	text := strings.TrimSpace(s.src[s.toks[i].start:s.toks[k].start])
	if _, rest, ok := strings.Cut(text, "] "); ok && text[0] == '[' {
		text = strings.TrimSpace(rest) // the time of a log line
	}
	if !s.toks[i].line || len(text) > maxLabel || strings.ContainsAny(text, "\n\r") {
		return ""
	}
	return text
}
