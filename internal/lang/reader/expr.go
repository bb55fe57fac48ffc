package reader

import (
	"strconv"
	"strings"
)

// This file parses the parts of a tuple: operands with their signs and operators, coordinates such as 1@0, and facts
// such as ?{div=8}. parser.go calls sum for the shape and again for the stride.

// operator returns the binary operator at the current token, its precedence and its length in tokens.
func (p *parser) operator() (string, int) {
	t := p.peek()
	if t.line && p.depth == 0 {
		return "", 0
	}
	switch t.c {
	case '+', '-':
		return p.src[t.start:t.end], 1
	case '*', '%', '/':
		return p.src[t.start:t.end], 2
	}
	if t.kind == tokSlashes && p.calls > 0 && p.divides() {
		return "//", 2
	}
	return "", 0
}

// divides reports whether // is Python's division: it has an operand on each side, on one line. Otherwise it begins a
// comment of C++.
func (p *parser) divides() bool {
	next := p.at(1)
	if p.pos == 0 || next.line {
		return false
	}
	switch before := p.toks[p.pos-1]; before.kind {
	case tokIdent, tokInt, tokMixed:
	default:
		if before.c != ')' && before.c != ']' {
			return false
		}
	}
	if next.kind != tokIdent && next.kind != tokInt && next.c != '(' {
		return false
	}
	if next.c == '(' && p.at(2).c == 0 { // for example (8 * T)
		switch after := p.at(3); after.c {
		case '+', '-', '*', '/', '%', ')', '(', '.', '[':
			return true
		default:
			return after.kind == tokSlashes
		}
	}
	after := p.at(2) // a comment continues with another word
	return after.c != 0 || after.kind == tokSlashes || after.kind == tokEOF || after.line
}

// sum parses operands joined by operators that bind at least as tightly as least.
func (p *parser) sum(least int) *node {
	n := p.unary()
	if n == nil {
		return nil
	}
	for {
		op, prec := p.operator()
		if prec < least || prec == 0 || n.kind == nodePtr {
			return n
		}
		save, notes := p.pos, len(p.notes)
		p.pos++
		m := p.sum(prec + 1)
		if m == nil {
			p.pos, p.notes = save, p.notes[:notes]
			return n
		}
		n = p.binary(op, n, m)
	}
}

// binary joins two operands. It computes the result for integers.
func (p *parser) binary(op string, a, b *node) *node {
	if p.calls > 0 {
		a, b = ungroup(a), ungroup(b)
	}
	n := &node{kind: nodeOp, text: op, kids: []*node{a, b}, start: a.start, end: b.end}
	x, ok1 := a.integer()
	y, ok2 := b.integer()
	switch {
	case op == "*" && b.kind == nodeBasis && a.kind != nodeBasis:
		if m := p.scale(a, b); m != nil {
			return m
		}
	case ok1 && ok2:
		if z, ok := fold(x, op, y); ok {
			return intNode(z, a.start, b.end)
		}
		if op == "/" && y > 1 {
			n.kind, n.text, n.kids = nodeRatio, a.text+"/"+b.text, nil
		}
	case isAxisSum(op, a, b):
		n.kind, n.text, n.kids = nodeBasis, a.text+op+b.text, nil
	}
	return n
}

// isAxisSum reports whether a op b is one coordinate leaf, such as 1@0+2@1. The second term must not be negative.
func isAxisSum(op string, a, b *node) bool {
	return a.kind == nodeBasis && b.kind == nodeBasis && (op == "+" || op == "-") && !strings.HasPrefix(b.text, "-")
}

// unary parses an operand with its sign, and the path of a coordinate after it.
func (p *parser) unary() *node {
	t := p.peek()
	if t.c != '-' {
		return p.basis(p.once(p.primary))
	}
	p.pos++
	if p.peek().space && p.depth == 0 { // a dash
		return nil
	}
	if !p.enter() {
		p.leave()
		return nil
	}
	n := p.unary()
	p.leave()
	if n == nil {
		return nil
	}
	switch n.kind {
	case nodeInt, nodeSym, nodeBasis, nodeRatio:
		m := *n
		m.start = t.start
		switch {
		case strings.HasPrefix(n.text, "-"):
			m.text = n.text[1:]
		case n.text != "0" && !strings.ContainsAny(n.text, "+-"):
			m.text = "-" + n.text
		}
		return &m
	}
	if p.calls > 0 {
		return p.negate(n)
	}
	return nil
}

// basis parses the path of a coordinate leaf: 1@0, ?@1@0.
func (p *parser) basis(n *node) *node {
	if n != nil && n.kind == nodeDyn && p.strides+p.flys > 0 && p.peek().kind == tokIdent && !p.peek().space { // ?E0
		if path, ok := units(p.text(p.peek())); ok {
			p.pos++
			return &node{kind: nodeBasis, text: n.text + path, start: n.start, end: p.end()}
		}
	}
	if n == nil || !p.is('@') {
		return n
	}
	switch n.kind {
	case nodeInt:
		return p.basisPath(n, n.text)
	case nodeDyn, nodeSym, nodeRatio:
		return p.basisPath(n, n.text)
	case nodeTuple: // (N+1)@0
		if len(n.kids) == 1 && n.kids[0].kind == nodeOp && n.isTuple() {
			return p.basisPath(n, n.String())
		}
	}
	return n
}

func (p *parser) basisPath(n *node, coefficient string) *node {
	var path strings.Builder
	for p.is('@') && p.at(1).kind == tokInt {
		p.pos++
		path.WriteByte('@')
		path.WriteString(decimal(p.text(p.peek())))
		p.pos++
	}
	if path.Len() == 0 {
		return n
	}
	return &node{kind: nodeBasis, text: coefficient + path.String(), start: n.start, end: p.end()}
}

// primary parses one operand.
func (p *parser) primary() *node {
	t := p.peek()
	switch t.kind {
	case tokInt, tokStatic:
		return p.integerLeaf()
	case tokMixed:
		return p.numberWord()
	case tokIdent:
		return p.term()
	case tokEllipsis:
		p.pos++
		return &node{kind: nodeElided, start: t.start, end: t.end}
	case tokScope:
		p.pos++
		return p.term()
	}
	switch t.c {
	case '(':
		return p.tuple()
	case '[':
		return p.list()
	case '<':
		return p.tile()
	case '?':
		return p.dynamic()
	case '"':
		return p.quotation()
	case '!':
		return p.mlirType()
	case '#':
		return p.attribute()
	}
	p.noteMiss("a number, a tuple or a layout")
	return nil
}

// integerLeaf parses an integer, or a rational coefficient: 1/16@0.
func (p *parser) integerLeaf() *node {
	t := p.peek()
	p.pos++
	n := p.node(nodeInt, decimal(p.text(t)), t.start, t.end)
	if p.is('/') && p.at(2).c == '@' && (p.at(1).kind == tokInt || p.at(1).kind == tokStatic) {
		n.kind, n.text, n.end = nodeRatio, n.text+"/"+decimal(p.text(p.at(1))), p.at(1).end
		p.pos += 2
		return n
	}
	p.emptyBraces()
	n.end = p.end()
	return n
}

// emptyBraces passes over {}, with which C++ makes a value of a type.
func (p *parser) emptyBraces() {
	for p.is('{') && p.at(1).c == '}' {
		p.pos += 2
	}
}

// numberWord parses a token of digits followed by letters.
func (p *parser) numberWord() *node {
	t := p.peek()
	s := p.text(t)
	digits := 0
	for isDigit(s[digits]) {
		digits++
	}
	if n := p.unitStride(t, digits); n != nil {
		return n
	}
	n := &node{kind: nodeSym, text: s, start: t.start, end: t.end}
	switch rest := s[digits:]; {
	case strings.Trim(rest, "uUlL") == "" && len(rest) <= 3:
		n.kind, n.text = nodeInt, decimal(s[:digits])
	case strings.HasPrefix(s, "0x") || strings.HasPrefix(s, "0X"):
		return p.address()
	case strings.Contains(rest, "x"):
		n.kind = nodeDims
	case isDigit(s[len(s)-1]) && rest[0] == '_' && strings.Trim(rest, "0123456789_") == "":
		n.kind, n.text = nodeInt, decimal(strings.ReplaceAll(s, "_", "")) // Python's 1_000
	}
	p.pos++
	return n
}

// address parses an engine of the CuTe DSL: 0x00007f4b22000000@gmem.
func (p *parser) address() *node {
	t := p.peek()
	if p.at(1).c != '@' || p.at(2).kind != tokIdent {
		return p.hexadecimal()
	}
	p.pos += 3
	return &node{kind: nodePtr, text: p.src[t.start:p.end()], start: t.start, end: p.end()}
}

// hexadecimal parses a C++ constant such as 0x10 in C<0x10>. Elsewhere such a number is an address, not a value.
func (p *parser) hexadecimal() *node {
	t := p.peek()
	x, err := strconv.ParseInt(strings.TrimRight(p.text(t), "uUlL"), 0, 64)
	if err != nil || p.pos == 0 || p.at(-1).c != '<' || p.at(1).c != '>' {
		return nil
	}
	p.pos++
	return intNode(x, t.start, t.end)
}

// dynamic parses ?, ?{div=8}, ?{i64 div=8}.
func (p *parser) dynamic() *node {
	t := p.peek()
	p.pos++
	n := p.node(nodeDyn, "?", t.start, t.end)
	if !p.is('{') || p.peek().space {
		return n
	}
	save := p.pos
	p.pos++
	var b strings.Builder
	b.WriteString("?{")
	for k := 0; !p.is('}'); k++ {
		u := p.peek()
		if k == 8 || u.line || u.kind != tokIdent && u.kind != tokInt && u.c != '=' && u.c != ',' && u.c != ':' {
			p.pos = save
			p.noteMiss("div=N, or i64 div=N, and '}'")
			return n
		}
		if u.kind == tokIdent && k > 0 {
			b.WriteByte(' ')
		}
		if u.c != ',' {
			b.WriteString(p.text(u))
		}
		p.pos++
	}
	p.pos++
	if b.Len() > 2 {
		b.WriteByte('}')
		n.text = b.String()
	}
	n.end = p.end()
	return n
}
