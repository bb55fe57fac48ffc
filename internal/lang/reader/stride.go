package reader

import "strings"

// This file reads strides as other tools print them: PyCuTe F9 for F2(9), FlyDSL 1E0 for 1@0.

// galois converts strides such as F9, as PyCuTe prints strides over GF(2). In a layout with other names F9 may be a
// symbol, so the stride is unchanged.
func (p *parser) galois(shape, stride *node) *node {
	if !stride.hasGalois() || shape.hasSymbol() || stride.hasSymbol() {
		return stride
	}
	return p.withGalois(stride)
}

func (p *parser) withGalois(n *node) *node {
	if n.isGalois() {
		p.note("%s is read as F2(%s), as PyCuTe prints it", n.text, n.text[1:])
		return &node{kind: nodeLeaf, text: "F2(" + decimal(n.text[1:]) + ")", start: n.start, end: n.end}
	}
	if len(n.kids) == 0 {
		return n
	}
	m := *n
	m.kids = make([]*node, len(n.kids))
	for i, k := range n.kids {
		m.kids[i] = p.withGalois(k)
	}
	return &m
}

// isGalois reports whether a leaf is F and a number.
func (n *node) isGalois() bool {
	return n.kind == nodeSym && len(n.text) > 1 && n.text[0] == 'F' && strings.Trim(n.text[1:], "0123456789") == ""
}

func (n *node) hasGalois() bool {
	if n.isGalois() {
		return true
	}
	for _, k := range n.kids {
		if k.hasGalois() {
			return true
		}
	}
	return false
}

// hasSymbol reports whether a tuple has a name, not counting F9.
func (n *node) hasSymbol() bool {
	switch n.kind {
	case nodeSym:
		return !n.isGalois()
	case nodeBasis:
		return hasLetter(n.text)
	}
	for _, k := range n.kids {
		if k.hasSymbol() {
			return true
		}
	}
	return false
}

// units returns the path of a coordinate that FlyDSL writes after a coefficient, outermost mode first: E1E0 is @0@1.
func units(s string) (path string, ok bool) {
	parts := strings.Split(s, "E")
	if len(parts) < 2 || parts[0] != "" {
		return "", false
	}
	for i := len(parts) - 1; i > 0; i-- {
		if parts[i] == "" || strings.Trim(parts[i], "0123456789") != "" {
			return "", false
		}
		path += "@" + decimal(parts[i])
	}
	return path, true
}

// unitStride reads the token 1E0 as 1@0, within a stride or a type of FlyDSL. Elsewhere it is a number.
func (p *parser) unitStride(t *token, digits int) *node {
	s := p.text(t)
	path, ok := units(s[digits:])
	if !ok || p.strides == 0 && p.flys == 0 {
		return nil
	}
	p.pos++
	return &node{kind: nodeBasis, text: decimal(s[:digits]) + path, start: t.start, end: t.end}
}

// tornLayout skips a shape with a stride that cannot be read: (32,4):(1@laneid,1). The shape alone would look like the
// whole value.
func (p *parser) tornLayout(shape *node) *node {
	colon, next := p.peek(), p.at(1)
	if colon.space || next.c != '(' || next.space || shape.kind != nodeTuple {
		return nil
	}
	why := "its stride is none"
	p.pos++
	save := p.pos
	for k := 1; k < maxOpaque && p.at(k).kind != tokEOF && !p.at(k).line && p.at(k).c != ':'; k++ {
		if p.at(k).c == '@' && p.at(k+1).kind == tokIdent {
			why = "its strides are along named axes, as in TVM TIRx"
		}
	}
	if !p.skipBalanced('(', ')') || strings.Contains(p.src[next.start:p.end()], "\n") {
		p.pos = save + 1
	}
	return unread("layout "+oneLine(p.src[shape.start:p.end()]), why, shape.start, p.end())
}
