package reader

import (
	"strings"
)

// tuple parses what stands in parentheses: a tuple, or a single value that they group.
func (p *parser) tuple() *node {
	if n := p.cast(); n != nil {
		return n
	}
	n := p.parenthesised()
	if n == nil {
		return nil
	}
	if len(n.kids) == 1 && !n.kids[0].isTuple() {
		return n.kids[0]
	}
	for _, k := range n.kids {
		if k.kind == nodeLayout || k.kind == nodeTile {
			n.kind = nodeTile // CuTe prints a tile with parentheses
		}
	}
	return n
}

// parenthesised parses what stands in parentheses as a tuple, also if it is a single value.
func (p *parser) parenthesised() *node {
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
func (p *parser) argumentList() *node { return p.once(p.parenthesised) }

// cast parses (int)128, as nvcc and cuda-gdb write template arguments.
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

// A bracket is a list under way: how it ends, what separates its elements, and where they begin on the stack.
type bracket struct {
	end            byte
	name           string // of the end
	separators     string
	height, quotes int
}

// elements parses the elements of a list up to its end, and the end. An end that is missing is supplied where no
// doubt is possible: at the end of the text, of the statement or of the quotation.
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
		if t := p.peek(); (t.kind == tokEOF || t.c == ';') && p.supplied(p.stack[b.height:], b.name, b.quotes) {
			return true
		}
		k := p.element(b.end)
		if k == nil {
			return false
		}
		p.stack = append(p.stack, k)
		p.skipComments()
		if c := p.peek().c; c != 0 && strings.IndexByte(b.separators, c) >= 0 {
			p.pos++
			continue
		}
		if t := p.peek(); b.end == ']' && t.space &&
			(t.kind == tokInt && k.kind == nodeInt || t.c == '[' && k.kind == nodeList) {
			continue // numpy prints lists without commas
		}
		if !p.is(b.end) && !p.supplied(p.stack[b.height:], b.name, b.quotes) {
			p.expected("',' or " + b.name)
			return false
		}
		if !p.is(b.end) {
			return true
		}
	}
}

// element parses one element of a list. In the arguments of a known constructor, what is not understood is passed
// over up to the next comma.
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
	n := p.chain()
	if n != nil {
		if c := p.peek().c; c == ',' || c == ';' || c == end || p.calls == 0 {
			return n
		}
		if k := p.peek().kind; k == tokEOF || k == tokSlashes || p.is('#') || p.is('"') && p.quotes > 0 {
			return n
		}
	}
	if p.calls == 0 {
		return nil
	}
	p.pos, p.notes = save, p.notes[:min(notes, len(p.notes))]
	k := p.opaque(end)
	if k != nil && p.types == 0 && p.torn(save) {
		p.pos = save
		return nil
	}
	return k
}

// torn reports whether the tokens from one on to the current one are no single argument: a statement, or two values
// side by side.
func (p *parser) torn(from int) bool {
	level := 0
	for k := from; k+1 < p.pos; k++ {
		t, next := &p.toks[k], &p.toks[k+1]
		switch t.c {
		case '(', '[', '{':
			level++
		case ')', ']', '}':
			level--
		}
		number := next.kind == tokInt || next.kind == tokStatic
		if number && (t.kind == tokInt || t.kind == tokStatic || t.c == ')' || t.c == ']') && t.end != next.start {
			return true
		}
		if level > 0 {
			continue
		}
		if next.c == '=' && (t.c == 0 || t.c == ')' || t.c == ']') && p.toks[k+2].c != '=' {
			return true
		}
		switch t.kind {
		case tokInt, tokStatic:
			if next.kind == tokIdent && !joins[p.text(next)] || next.c == '(' {
				return true
			}
		case tokIdent:
			if (number || next.kind == tokIdent && !joins[p.text(next)]) && !joins[p.text(t)] {
				return true
			}
		}
	}
	return false
}

// joins are the words that stand between or before operands.
var joins = map[string]bool{
	"if": true, "else": true, "and": true, "or": true, "not": true, "in": true, "is": true, "for": true, "new": true,
	"return": true,
	"sizeof": true, "const": true, "typename": true, "template": true, "unsigned": true, "signed": true, "long": true,
	"struct":      true,
	"static_cast": true, "o": true, "x": true,
}

// maxOpaque bounds the tokens of one argument that is not understood.
const maxOpaque = 200

// opaque passes over source that is not understood, up to a comma or the end of the list.
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

// supplied reports whether the end of a list is missing and can be supplied.
func (p *parser) supplied(kids []*node, name string, quotes int) bool {
	if len(kids) == 0 {
		return false
	}
	t := p.peek()
	elided := kids[len(kids)-1].kind == nodeElided || name == "'>'"
	switch {
	case t.kind == tokEOF && (p.calls > 0 || elided || anyNumber(kids)):
	case t.c == ';' && p.calls > 0:
	case t.c == '"' && (quotes > 0 || p.types > 0 && elided):
	case t.c == '\'' && elided:
	case t.line && p.strides > 0 && p.calls == 0 && p.types == 0 && anyNumber(kids):
	default:
		return false
	}
	p.note("supplied the missing %s", name)
	return true
}

func anyNumber(kids []*node) bool {
	for _, k := range kids {
		if k.hasNumber() {
			return true
		}
	}
	return false
}

// list parses what stands in square brackets: a list of Python, or a tile of MLIR with semicolons.
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

// quoted parses a value in quotation marks, as MLIR writes the layout of a type.
func (p *parser) quoted() *node {
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
		p.expected("'\"'")
		return nil
	}
	return n
}
