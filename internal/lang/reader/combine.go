package reader

import (
	"strings"
)

// This file joins values that a text prints apart: A x B, an operation and its result, a shape and its stride.

// products reads A x B, A ⊗ B and A ⊘ B on layouts as the operations with these signs, and 64 x 64 as a shape.
func (s *search) products(n *node) *node {
	var kids []*node
	for op := s.infix(); op != "" && (n.kind == nodeLayout || n.kind == nodeInt); op = s.infix() {
		save := s.pos
		s.pos++
		m := s.chain()
		if m == nil || m.kind != n.kind && (n.kind == nodeInt || !m.isTuple() && m.kind != nodeTile) || n.kind == nodeInt &&
			op != "blocked_product" {
			s.pos = save
			break
		}
		if n.kind == nodeInt {
			if kids == nil {
				kids = append(kids, n)
			}
			kids = append(kids, m)
			continue
		}
		s.note("read the product as %s", op)
		n = &node{kind: nodeCall, text: op, kids: []*node{n, m}, start: n.start, end: m.end}
	}
	if kids == nil {
		return n
	}
	return &node{kind: nodeTuple, kids: kids, start: n.start, end: kids[len(kids)-1].end}
}

// infix returns the operation of the sign at the current token, or "".
func (s *search) infix() string {
	switch {
	case s.timesAt(0):
		return "blocked_product"
	case s.peek().kind == tokProduct:
		return "logical_product"
	case s.peek().kind == tokDivide:
		return "logical_divide"
	}
	return ""
}

// outcome reads the result that a text prints after an operation: complement(4:2,16) => (2,2):(1,8).
func (s *search) outcome(n *node) *node {
	k := s.peek().kind
	if k != tokImplies && (k != tokArrow || n.kind != nodeCall) || !n.hasNumber() || n.kind != nodeCall &&
		n.kind != nodeCompose && n.kind != nodeApply {
		return n
	}
	save, notes := s.pos, len(s.notes)
	s.pos++
	m := s.chain()
	if m == nil || !m.hasNumber() {
		s.pos, s.notes = save, s.notes[:notes]
		return n
	}
	return &node{kind: nodeTrace, kids: []*node{n, m}, start: n.start, end: m.end}
}

// refusedCall makes the operation that the CuTe DSL refused from its message: unable to compute the following
// composition: 'A' o 'B'.
func (s *search) refusedCall(n *node) *node {
	if n.kind != nodeCompose || len(n.kids) != 2 {
		return n
	}
	before := strings.TrimRight(s.src[max(0, int(n.start)-80):n.start], "'\" :")
	op := before[strings.LastIndexAny(before, " \n")+1:]
	if !strings.HasSuffix(before, "unable to compute the following "+op) || roles()[op] == roleNone {
		return n
	}
	s.note("the CuTe DSL refused to compute it")
	s.nameless = true
	return &node{kind: nodeCall, text: op, kids: n.kids, start: n.start, end: n.end}
}

// isSizeWord reports whether a word announces a shape or a stride.
func isSizeWord(w string) bool { return len(w) < 32 && isSized(w) }

// isSized reports whether a name ends like the name of a shape or a stride.
func isSized(name string) bool { return shapeWord(name) != name || strideWord(name) != name }

// shapeWord returns a name without an ending that marks a shape. strideWord does the same for strides.
func shapeWord(w string) string { return withoutSuffix(w, "shape", "sizes", "size", "extents") }

func strideWord(w string) string { return withoutSuffix(w, "strides", "stride") }

func withoutSuffix(w string, suffixes ...string) string {
	for _, x := range suffixes {
		if len(w) >= len(x) && strings.EqualFold(w[len(w)-len(x):], x) {
			return w[:len(w)-len(x)]
		}
	}
	return w
}

// maxPairGap limits the distance between a shape and its stride, in bytes.
const maxPairGap = 64

// pair makes one layout of a shape and the stride after it, which compilers and Python print separately.
func (s *search) pair() {
	out := s.found[:0]
	for i := 0; i < len(s.found); i++ {
		f := s.found[i]
		if i+1 < len(s.found) {
			if l, ok := s.pairOf(&f, &s.found[i+1]); ok {
				f = l
				i++
			}
		}
		out = append(out, f)
	}
	s.found = out
}

// pairOf returns the layout of a shape and a stride that belong together.
func (s *search) pairOf(a, b *found) (found, bool) {
	shape, stride := a.node, b.node
	prefix := lastWord(shapeWord(a.name))
	switch {
	case shapeWord(a.name) == a.name || strideWord(b.name) == b.name:
		return found{}, false
	case prefix != lastWord(strideWord(b.name)):
		return found{}, false
	case !shape.isTuple() && shape.kind != nodeList || !stride.isTuple() && stride.kind != nodeList:
		return found{}, false
	case stride.start-shape.end > maxPairGap:
		return found{}, false
	}
	l := &node{kind: nodeLayout, kids: []*node{asTuple(shape), asTuple(stride)}, start: shape.start, end: stride.end}
	notes := append(a.notes, b.notes...)
	if strings.HasSuffix(strings.ToLower(b.name), "strides") {
		notes = append(notes, "numpy counts strides in bytes; these are taken as they stand")
	}
	return found{node: l, name: prefix, notes: notes, first: a.first, end: b.end}, true
}

// lastWord returns the last word of a name, without the characters that join it to the next word.
func lastWord(s string) string {
	return strings.TrimRight(s[strings.LastIndexByte(s, ' ')+1:], "._-")
}

// asTuple returns a list as a tuple.
func asTuple(n *node) *node {
	if n.kind != nodeList {
		return n
	}
	m := *n
	m.kind = nodeTuple
	m.kids = make([]*node, len(n.kids))
	for i, k := range n.kids {
		m.kids[i] = asTuple(k)
	}
	return &m
}
