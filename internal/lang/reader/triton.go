package reader

import "strings"

// This file reads attributes of MLIR, such as Triton's encodings: #ttg.blocked<{sizePerThread = [1, 4]}> is a record.

// attribute parses an attribute of MLIR: an encoding of Triton, #ttg.blocked<{...}>, or a reference to one, #mma.
func (p *parser) attribute() *node {
	start := p.peek().start
	p.pos++
	if p.peek().kind != tokIdent || p.peek().space {
		return nil
	}
	base, full := p.name()
	if !strings.Contains(full, ".") {
		return &node{kind: nodeSym, text: "#" + full, start: start, end: p.end()}
	}
	n := &node{kind: nodeRecord, text: strings.TrimSuffix(base, "_encoding"), start: start}
	if !p.is('<') {
		n.kind, n.text, n.end = nodeSym, "#"+full, p.end()
		return n
	}
	p.pos++
	end := byte('>')
	if p.is('[') { // #ttg.padded_shared<[512:+16] {...}>
		if v := p.raw(n, '{'); v != nil {
			n.add("intervals", v)
		}
	}
	if p.is('{') {
		p.pos++
		end = '}'
	}
	if !p.fields(n, end) {
		return nil
	}
	switch {
	case end == '>':
	case p.is(',') && p.at(1).kind == tokIdent && p.at(2).c == '=': // <{offset = [[0, 1]]}, alignment = 16>
		p.pos++
		if !p.fields(n, '>') {
			return nil
		}
	case p.is('>'):
		p.pos++
	default:
		p.note("supplied the missing '>'")
	}
	n.end = p.end()
	return n
}

// fields parses name = value, ... up to the end.
func (p *parser) fields(n *node, end byte) bool {
	for !p.is(end) {
		if p.peek().kind == tokEOF && len(n.kids) > 0 {
			p.note("supplied the missing '%c'", end)
			return true
		}
		if p.peek().kind != tokIdent || p.at(1).c != '=' {
			p.noteMiss("a field: name = value")
			return false
		}
		name := p.text(p.peek())
		p.pos += 2
		v := p.field(n, end)
		if v == nil {
			p.noteMiss("the value of " + name)
			return false
		}
		n.add(name, v)
		if p.is(',') {
			p.pos++
		}
	}
	p.pos++
	return true
}

// field parses the value of a field: an attribute, or text that is kept without its spaces.
func (p *parser) field(n *node, end byte) *node {
	if p.is('#') {
		return p.once(p.attribute)
	}
	return p.raw(n, end)
}

// raw parses balanced text up to a comma or the end of the fields.
func (p *parser) raw(n *node, end byte) *node {
	var b strings.Builder
	level := 0
	start := p.peek().start
	for k := 0; ; k++ {
		t := p.peek()
		if level == 0 && (t.c == ',' || t.c == end) {
			break
		}
		if t.kind == tokEOF || k == maxRaw {
			return nil
		}
		level += nesting(t.c)
		if level < 0 || level > maxRawDepth {
			return nil
		}
		if t.kind == tokIdent && t.space && b.Len() > 0 && p.toks[p.pos-1].kind == tokIdent {
			b.WriteByte(' ')
		}
		b.WriteString(p.text(t))
		p.pos++
	}
	if b.Len() == 0 {
		return nil
	}
	return &node{kind: nodeLeaf, text: b.String(), start: start, end: p.end()}
}

// nesting returns how the depth of brackets changes at a character.
func nesting(c byte) int {
	switch c {
	case '[', '(', '{', '<':
		return 1
	case ']', ')', '}', '>':
		return -1
	}
	return 0
}

// maxRaw limits the tokens of one field: the bases of a large linear layout have a few thousand.
const maxRaw = 1 << 14

// maxRawDepth limits the brackets in a field that is kept as text.
const maxRawDepth = 8
