package reader

// This file writes a tree as canonical text in girih's language.

// String returns the canonical text of the value.
func (n *node) String() string { return string(n.append(make([]byte, 0, 64))) }

// append appends the canonical text of n to b.
func (n *node) append(b []byte) []byte {
	switch n.kind {
	case nodeWild:
		return append(b, '_')
	case nodeElided:
		return append(b, "..."...)
	case nodeOp:
		return n.appendOp(b)
	case nodeTuple:
		return appendList(b, '(', n.kids, ')')
	case nodeList:
		return appendList(b, '[', n.kids, ']')
	case nodeSet:
		return appendList(b, '{', n.kids, '}')
	case nodeTile:
		return appendList(b, '<', n.kids, '>')
	case nodeLayout:
		b = n.kids[0].append(b)
		b = append(b, ':')
		return n.kids[1].append(b)
	case nodeSwizzle:
		return appendList(append(b, "Sw"...), '<', n.kids, '>')
	case nodeCompose:
		return appendInfix(b, n.kids, " o ")
	case nodeTrace:
		return appendInfix(b, n.kids, " => ")
	case nodeCall:
		return appendList(append(b, n.text...), '(', n.kids, ')')
	case nodeApply:
		return n.appendApply(b)
	case nodeRecord:
		return n.appendRecord(b)
	}
	return append(b, n.text...)
}

func appendList(b []byte, open byte, kids []*node, end byte) []byte {
	b = append(b, open)
	for i, k := range kids {
		if i > 0 {
			b = append(b, ',')
		}
		b = k.append(b)
	}
	return append(b, end)
}

func appendInfix(b []byte, kids []*node, op string) []byte {
	for i, k := range kids {
		if i > 0 {
			b = append(b, op...)
		}
		if nested := k.kind == nodeCompose && op == " o "; nested {
			b = append(b, '(')
			b = k.append(b)
			b = append(b, ')')
			continue
		}
		b = k.append(b)
	}
	return b
}

// appendOp writes operators within a leaf without spaces, M/128, and operators between values with spaces.
func (n *node) appendOp(b []byte) []byte {
	tight := n.isLeaf()
	for i, k := range n.kids {
		if i > 0 {
			if !tight {
				b = append(b, ' ')
			}
			b = append(b, n.text...)
			if !tight {
				b = append(b, ' ')
			}
		}
		if k.kind == nodeOp && (precedence(k.text) < precedence(n.text) || i > 0 && precedence(k.text) == precedence(n.text)) {
			b = append(b, '(')
			b = k.append(b)
			b = append(b, ')')
			continue
		}
		b = k.append(b)
	}
	return b
}

func precedence(op string) int {
	if op == "+" || op == "-" {
		return 1
	}
	return 2
}

func (n *node) appendApply(b []byte) []byte {
	f := n.kids[0]
	if f.kind == nodeCompose || f.kind == nodeOp {
		b = append(b, '(')
		b = f.append(b)
		b = append(b, ')')
	} else {
		b = f.append(b)
	}
	return appendList(b, '(', n.kids[1:], ')')
}

func (n *node) appendRecord(b []byte) []byte {
	b = append(b, n.text...)
	b = append(b, '{')
	for i, k := range n.kids {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, k.key...)
		b = append(b, '=')
		b = k.append(b)
	}
	return append(b, '}')
}
