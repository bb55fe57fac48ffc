package reader

import (
	"strings"

	"girih/internal/lang/eval"
)

// This file keeps names and their arithmetic if source computes an integer: M, 8*M, ceil(M/128). Source that girih's
// language cannot write - members, subscripts, calls - is known only at run time, and becomes '?'.

// maxSymbol limits the source of one integer that is kept, in bytes, and so the depth of the recursion in this file.
const maxSymbol = 1 << 10

// maxFactors limits the factors of a compact stride. Otherwise the strides of n names would have a total length of n*n.
const maxFactors = 8

// isReserved reports whether a name is a word of girih's language, which cannot be the name of an integer.
func isReserved(name string) bool {
	switch name {
	case "let", "true", "false", "None", "cute", "_", "True", "False", "auto", "Underscore":
		return true
	}
	// A single letter, such as the E of unit coordinates, needs its brackets.
	return len(name) > 1 && (roles()[name] != roleNone || eval.IsReserved(name))
}

// isVariable reports whether a text is the plain name of a variable.
func isVariable(s string) bool {
	return s != "" && !isDigit(s[0]) && wordLen(s) == len(s) && !isReserved(s)
}

// withoutFacts returns a leaf's text without the braces after it.
func withoutFacts(s string) string {
	s, _, _ = strings.Cut(s, "{")
	return s
}

// symbolic returns an integer of the source as girih's language writes it, or nil if girih's language cannot write it.
func (p *parser) symbolic(n *node) *node {
	if n.end-n.start > maxSymbol {
		return nil
	}
	return p.symbol(n)
}

func (p *parser) symbol(n *node) *node {
	n = ungroup(n)
	switch n.kind {
	case nodeInt, nodeDyn:
		return n
	case nodeSym:
		if n.static || isVariable(withoutFacts(strings.TrimPrefix(n.text, "-"))) || len(n.text) > 0 && isDigit(n.text[0]) {
			return n
		}
	case nodeOp:
		return p.arithmetic(n)
	case nodeCall:
		return p.roundedSymbol(n)
	}
	return nil
}

// arithmetic returns a sum, a product, a remainder, or a quotient rounded down. The operands of a quotient are not
// negative.
func (p *parser) arithmetic(n *node) *node {
	if n.static {
		return n
	}
	a, b := p.symbol(n.kids[0]), p.symbol(n.kids[1])
	if a == nil || b == nil {
		return nil
	}
	if n.text == "*" && a.kind == nodeInt && a.text == "-1" && b.kind == nodeSym && isName(withoutFacts(b.text)) {
		return &node{kind: nodeSym, text: "-" + b.text, start: n.start, end: n.end}
	}
	m := &node{kind: nodeOp, text: n.text, kids: []*node{a, b}, start: n.start, end: n.end}
	if n.text == "/" || n.text == "//" {
		x, ok1 := a.integer()
		y, ok2 := b.integer()
		if ok1 && ok2 && x >= 0 && y > 0 {
			return intNode(x/y, n.start, n.end)
		}
		m.text = "/"
		return &node{kind: nodeCall, text: "floor", kids: []*node{m}, start: n.start, end: n.end}
	}
	return m
}

// roundedSymbol returns a quotient that is rounded up, a minimum, a maximum, or an integer with an assumption about it.
func (p *parser) roundedSymbol(n *node) *node {
	name := n.text[strings.LastIndexAny(n.text, ":.")+1:]
	var args []*node
	for _, k := range n.kids {
		if k.key == "" {
			args = append(args, k)
		}
	}
	switch two := len(args) == 2; name {
	case "floor", "ceil":
		if len(args) == 1 && args[0].kind == nodeOp && args[0].text == "/" && p.symbol(args[0]) != nil {
			return n // the name was made here before
		}
	case "ceil_div", "ceildiv", "cdiv":
		if two {
			return p.ceil(n, args[0], args[1])
		}
	case "min", "max":
		if two {
			return p.extreme(n, name, args)
		}
	case "assume":
		if len(args) > 0 {
			return p.assume(n, args[0])
		}
	}
	return nil
}

// extreme keeps the minimum or the maximum of two integers.
func (p *parser) extreme(n *node, name string, args []*node) *node {
	a, b := p.symbol(args[0]), p.symbol(args[1])
	if a == nil || b == nil {
		return nil
	}
	return &node{kind: nodeCall, text: name, kids: []*node{a, b}, start: n.start, end: n.end}
}

// ceil returns a/b rounded up.
func (p *parser) ceil(n, a, b *node) *node {
	if a, b = p.symbol(a), p.symbol(b); a == nil || b == nil {
		return nil
	}
	x, ok1 := a.integer()
	y, ok2 := b.integer()
	if ok1 && ok2 && x > 0 && y > 0 {
		return intNode((x-1)/y+1, n.start, n.end)
	}
	m := &node{kind: nodeOp, text: "/", kids: []*node{a, b}, start: n.start, end: n.end}
	return &node{kind: nodeCall, text: "ceil", kids: []*node{m}, start: n.start, end: n.end}
}

// negate returns the negative of an integer of source. The negative of -a // b is a/b rounded up, because Python rounds
// down.
func (p *parser) negate(n *node) *node {
	n = ungroup(n)
	if !n.isLeaf() && n.kind != nodeOpaque && n.kind != nodeCall || n.kind == nodeBasis || n.kind == nodeElided ||
		n.kind == nodeWild {
		return nil
	}
	if n.kind == nodeOp && n.text == "//" && n.end-n.start <= maxSymbol {
		if m := p.negatedQuotient(n); m != nil {
			return m
		}
	}
	return &node{kind: nodeOp, text: "*", kids: []*node{intNode(-1, n.start, n.start), n}, start: n.start, end: n.end}
}

func (p *parser) negatedQuotient(n *node) *node {
	a := ungroup(n.kids[0])
	switch {
	case a.kind == nodeInt && strings.HasPrefix(a.text, "-"):
		return p.ceil(n, &node{kind: nodeInt, text: a.text[1:]}, n.kids[1])
	case a.kind == nodeSym && strings.HasPrefix(a.text, "-"):
		b := *a
		b.text = a.text[1:]
		return p.ceil(n, &b, n.kids[1])
	case a.kind == nodeOp && a.text == "*" && a.kids[0].kind == nodeInt && a.kids[0].text == "-1":
		return p.ceil(n, a.kids[1], n.kids[1])
	}
	return nil
}

// assume returns the integer of cute.assume(K, divby=64) with its fact: K{div=64}.
func (p *parser) assume(n, arg *node) *node {
	x := p.symbol(arg)
	if x == nil {
		return nil
	}
	for _, k := range n.kids {
		if k.key != "divby" || k.kind != nodeInt {
			continue
		}
		p.note("assumed that %s is a multiple of %s", p.between(arg, arg), k.text)
		if (x.kind == nodeSym || x.kind == nodeDyn) && !strings.Contains(x.text, "{") && !x.static &&
			!strings.HasPrefix(x.text, "-") {
			m := *x
			m.text += "{div=" + k.text + "}"
			return &m
		}
	}
	return x
}

// ungroup removes parentheses around one integer: in arithmetic they only group.
func ungroup(n *node) *node {
	for n.kind == nodeTuple && len(n.kids) == 1 && n.kids[0].key == "" {
		n = n.kids[0]
	}
	return n
}

// symbols converts the integers among the arguments of a constructor to girih's language. Other arguments stay.
func (p *parser) symbols(n *node) *node {
	switch n.kind {
	case nodeOp, nodeCall:
		if m := p.symbolic(n); m != nil {
			m.key = n.key
			return m
		}
	}
	return n
}

// isProduct reports whether n is an integer, a name, or a short product of integers and names.
func (n *node) isProduct() bool {
	for range maxFactors {
		switch {
		case n.kind == nodeInt || n.kind == nodeSym:
			return true
		case n.kind != nodeOp || n.text != "*" || n.kids[1].kind != nodeInt && n.kids[1].kind != nodeSym:
			return false
		}
		n = n.kids[0]
	}
	return false
}

// scale returns a multiple of a unit coordinate: -1 * cute.E(0), K * E<1>{}.
func (p *parser) scale(factor, unit *node) *node {
	path, ok := strings.CutPrefix(unit.text, "1@")
	if !ok || strings.ContainsAny(path, "+-") {
		return nil
	}
	coefficient := "?"
	switch f := p.symbolic(factor); {
	case f == nil && p.calls == 0:
		return nil
	case f == nil:
		p.note("%s is not a literal: read as ?", p.between(factor, factor))
	case f.kind == nodeOp && (f.text == "+" || f.text == "-"):
		coefficient = "(" + f.String() + ")"
	default:
		coefficient = f.String()
	}
	return &node{kind: nodeBasis, text: coefficient + "@" + path, start: factor.start, end: unit.end}
}
