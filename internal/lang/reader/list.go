package reader

import (
	"slices"
	"strings"
)

// This file parses lists: the elements between two brackets, whatever the dialect. It has two heuristics: tornRules
// reject an argument that is really two, and endRules supply a missing end.

// tuple parses parentheses: a tuple, or a single value that they group.
func (p *parser) tuple() *node {
	if n := p.cast(); n != nil {
		return n
	}
	n := p.parenthesis()
	if n == nil {
		return nil
	}
	if len(n.kids) == 1 && !n.kids[0].isTuple() {
		return n.kids[0]
	}
	for _, k := range n.kids {
		if k.kind == nodeLayout || k.kind == nodeTile {
			n.kind = nodeTile // CuTe prints a tile in parentheses
		}
	}
	return n
}

// parenthesis parses parentheses as a tuple, even around a single value.
func (p *parser) parenthesis() *node {
	open := p.peek()
	p.pos++
	kids, ok := p.elements(')', "')'", ",")
	if !ok {
		return nil
	}
	n := p.node(nodeTuple, "", open.start, p.end())
	n.kids = kids
	return n
}

// argumentList parses the arguments of an application.
func (p *parser) argumentList() *node { return p.once(p.parenthesis) }

// cast parses (int)128, the form in which nvcc and cuda-gdb write template arguments.
func (p *parser) cast() *node {
	k := 1
	for p.at(k).kind == tokIdent && integerTypes[p.text(p.at(k))] {
		k++
	}
	next := p.at(k + 1)
	if k == 1 || p.at(k).c != ')' || next.kind != tokInt && next.kind != tokMixed && next.c != '-' {
		return nil
	}
	p.pos += k + 1
	return p.unary()
}

// A bracket is a list that is being parsed: its end, its separators, and the place of its elements on the stack.
type bracket struct {
	end            byte
	name           string // the name of the closing bracket, for messages
	separators     string
	height, quotes int
}

// elements parses the elements of a list and its end. It supplies a missing end if no doubt is possible: at the end of
// the text, of the statement or of the quotation.
func (p *parser) elements(end byte, name, separators string) ([]*node, bool) {
	b := bracket{end, name, separators, len(p.stack), p.quotes}
	if !p.push(b) {
		clear(p.stack[b.height:])
		p.stack = p.stack[:b.height]
		return nil, false
	}
	return p.pop(b.height), true
}

// push parses the elements of a list and its end, and leaves them on the stack.
func (p *parser) push(b bracket) bool {
	for {
		p.skipComments()
		if p.remark && p.peek().line {
			return false // the comment ends here
		}
		if p.is(b.end) {
			p.pos++
			return true
		}
		if t := p.peek(); (t.kind == tokEOF || t.c == ';') && p.supply(b) {
			return true
		}
		k := p.element(b.end)
		if k == nil {
			return false
		}
		p.stack = append(p.stack, k)
		p.skipComments()
		if p.separator(b, k) || p.is(b.end) {
			continue
		}
		if p.supply(b) {
			return true
		}
		p.noteMiss("',' or " + b.name)
		return false
	}
}

// separator skips the separator between the element last and the next element, and reports whether there is one.
func (p *parser) separator(b bracket, last *node) bool {
	t := p.peek()
	if isOneOf(t.c, b.separators) {
		p.pos++
		return true
	}
	// numpy prints lists without commas.
	return b.end == ']' && t.space && (t.kind == tokInt && last.kind == nodeInt || t.c == '[' && last.kind == nodeList)
}

// element parses one element of a list. Among the arguments of a known constructor it skips source that it does not
// understand, up to the next comma.
func (p *parser) element(end byte) *node {
	if (p.calls > 0 || p.types > 0) && p.peek().kind == tokIdent && p.at(1).c == '=' {
		key := p.text(p.peek())
		p.pos += 2
		n := p.element(end)
		if n != nil {
			n.key = key
		}
		return n
	}
	save, notes := p.pos, len(p.notes)
	if n := p.chain(); n != nil && p.endsElement(end) {
		return n
	}
	if p.calls == 0 {
		return nil
	}
	p.pos, p.notes = save, p.notes[:min(notes, len(p.notes))]
	k := p.opaque(end)
	if k != nil && p.types == 0 && p.isTorn(save) {
		p.pos = save
		return nil
	}
	return k
}

// endsElement reports whether the end of a value, before the current token, is the end of an element.
func (p *parser) endsElement(end byte) bool {
	t := p.peek()
	switch {
	case p.calls == 0 || t.c == ',' || t.c == ';' || t.c == end:
		return true
	case t.kind == tokEOF || t.kind == tokSlashes || t.c == '#':
		return true
	}
	return t.c == '"' && p.quotes > 0
}

// isTorn reports whether the tokens from one on to the current token are a statement, or two values side by side,
// instead of a single argument.
func (p *parser) isTorn(from int) bool {
	level := 0
	for k := from; k+1 < p.pos; k++ {
		switch p.toks[k].c {
		case '(', '[', '{':
			level++
		case ')', ']', '}':
			level--
		}
		if tornRules.decide(0, seam{p, k, level > 0}) {
			return true
		}
	}
	return false
}

// A seam is the place between token k and the next token of an argument, inside brackets of its own or not.
type seam struct {
	p      *parser
	k      int
	nested bool
}

// tornRules find the place where an argument is two.
var tornRules = rules[seam]{
	{0, "a number follows a value", seam.isBeforeNumber, accepts, "make_layout((4,8), f(2 3), 1)"},
	{0, "it is within brackets", func(x seam) bool { return x.nested }, rejects, "make_layout((4,8), f(a b))"},
	{0, "a value is assigned", seam.isAssignment, accepts, "zipped_divide((32,1)=(4,1), 2:3)"},
	{0, "a word or a parenthesis follows a number", seam.isAfterNumber, accepts, "make_layout((4,8), 2 apples)"},
	{0, "a number or a word follows a word", seam.isAfterWord, accepts, "make_layout((4,8), the rest)"},
}

func (x seam) left() *token  { return &x.p.toks[x.k] }
func (x seam) right() *token { return &x.p.toks[x.k+1] }

func (t *token) isNumber() bool { return t.kind == tokInt || t.kind == tokStatic }

// isWord reports whether a token is a name that does not join operands.
func (x seam) isWord(t *token) bool { return t.kind == tokIdent && !joins[x.p.text(t)] }

func (x seam) isBeforeNumber() bool {
	t := x.left()
	return x.right().isNumber() && t.end != x.right().start && (t.isNumber() || t.c == ')' || t.c == ']')
}

func (x seam) isAssignment() bool {
	t := x.left()
	return x.right().c == '=' && (t.c == 0 || t.c == ')' || t.c == ']') && x.p.toks[x.k+2].c != '='
}

func (x seam) isAfterNumber() bool {
	return x.left().isNumber() && (x.isWord(x.right()) || x.right().c == '(')
}

func (x seam) isAfterWord() bool {
	return x.isWord(x.left()) && (x.right().isNumber() || x.isWord(x.right()))
}

// joins are the words that join operands or come before an operand.
var joins = map[string]bool{
	"if": true, "else": true, "and": true, "or": true, "not": true, "in": true, "is": true, "for": true, "new": true,
	"return": true,
	"sizeof": true, "const": true, "typename": true, "template": true, "unsigned": true, "signed": true, "long": true,
	"struct":      true,
	"static_cast": true, "o": true, "x": true,
}

// maxOpaque limits the tokens of one argument that is not understood.
const maxOpaque = 200

// opaque skips source that is not understood, up to a comma or the end of the list.
func (p *parser) opaque(end byte) *node {
	t := p.peek()
	level := 0
	for k := 0; k < maxOpaque; k++ {
		u := p.peek()
		if u.kind == tokEOF || u.c == ';' || level == 0 && (u.c == ',' || u.c == end) {
			break
		}
		switch u.c {
		case '(', '[', '{':
			level++
		case ')', ']', '}':
			level--
		}
		if level < 0 {
			break
		}
		p.pos++
	}
	if p.toks[p.pos].start == t.start {
		return nil
	}
	return &node{kind: nodeOpaque, text: oneLine(p.src[t.start:p.end()]), start: t.start, end: p.end()}
}

// supply reports whether the end of a list is missing but certainly intended, and notes the missing end.
func (p *parser) supply(b bracket) bool {
	o := openList{p, p.stack[b.height:], b}
	if len(o.kids) == 0 || !endRules.decide(0, o) {
		return false
	}
	p.note("supplied the missing %s", b.name)
	return true
}

// An openList is a list whose elements were read and whose end was not found.
type openList struct {
	p    *parser
	kids []*node
	bracket
}

// endRules decide where the end of a list is supplied.
var endRules = rules[openList]{
	{0, "the text ends in a call", openList.endsCall, accepts, "size<0>(L"},
	{0, "the text ends after ... or in a template list", openList.endsElided, accepts, "(M,..."},
	{0, "the text ends after a number", openList.endsNumber, accepts, "(4,8"},
	{0, "the statement ends in a call", openList.endsStatement, accepts, "auto a = make_layout((4,8),(8,1); b"},
	{0, "the quotation ends", openList.endsQuotation, accepts, "!cute.layout<\"(4,8\">"},
	{0, "the quotation ends after ... or in a template list", openList.endsQuote, accepts, "'Layout<Shape<_4,_2>' x"},
	{0, "the line ends in a stride", openList.endsStride, accepts, "(4,8):(8,1\nx"},
}

// isElided reports whether the list ends with ..., or is a template list: compilers cut long types short.
func (o openList) isElided() bool { return o.kids[len(o.kids)-1].kind == nodeElided || o.end == '>' }

func (o openList) atEnd() bool         { return o.p.peek().kind == tokEOF }
func (o openList) endsCall() bool      { return o.atEnd() && o.p.calls > 0 }
func (o openList) endsElided() bool    { return o.atEnd() && o.isElided() }
func (o openList) endsNumber() bool    { return o.atEnd() && hasNumber(o.kids) }
func (o openList) endsStatement() bool { return o.p.is(';') && o.p.calls > 0 }
func (o openList) endsQuote() bool     { return o.p.is('\'') && o.isElided() }

func (o openList) endsQuotation() bool {
	return o.p.is('"') && (o.quotes > 0 || o.p.types > 0 && o.isElided())
}

func (o openList) endsStride() bool {
	return o.p.peek().line && o.p.strides > 0 && o.p.calls == 0 && o.p.types == 0 && hasNumber(o.kids)
}

func hasNumber(kids []*node) bool { return slices.ContainsFunc(kids, (*node).hasNumber) }

// list parses square brackets: a list of Python, or a tile of MLIR, which has semicolons.
func (p *parser) list() *node {
	open := p.peek()
	p.pos++
	kids, ok := p.elements(']', "']'", ",;")
	if !ok {
		return nil
	}
	if len(kids) == 1 && kids[0].kind == nodeCompose { // FlyDSL: 32:2 o 0 o [32:1 o 0 o (4,8):(1,4)]
		return kids[0]
	}
	n := p.node(nodeList, "", open.start, p.end())
	n.kids = kids
	for _, k := range kids {
		if k.kind == nodeLayout || k.kind == nodeWild || k.kind == nodeTile {
			n.kind = nodeTile
		}
	}
	if n.kind == nodeList && strings.ContainsRune(p.src[open.start:n.end], ';') {
		n.kind = nodeTile
	}
	return n
}

// tile parses <3:3,(2,4):(1,8)>.
func (p *parser) tile() *node {
	open := p.peek()
	p.pos++
	kids, ok := p.elements('>', "'>'", ",;")
	if !ok || len(kids) == 0 {
		return nil
	}
	return &node{kind: nodeTile, kids: kids, start: open.start, end: p.end()}
}

// quotation parses a value in quotation marks: MLIR writes the layout of a type so.
func (p *parser) quotation() *node {
	p.pos++
	p.quotes++
	n := p.chain()
	p.quotes--
	if n == nil {
		return nil
	}
	switch {
	case p.is('"'):
		p.pos++
	case p.is('>') || p.is('\'') || p.peek().kind == tokEOF:
		p.note("supplied the missing '\"'")
	default:
		p.noteMiss("'\"'")
		return nil
	}
	return n
}
