package reader

import (
	"strconv"
	"strings"

	"girih/cute"
)

// This file makes layouts of constructor calls: Layout<Shape<_4,_8>, Stride<_8,_1>>, make_layout(...), as_strided(...).
// It supplies compact strides, and replaces source that is not a literal by ?.

// layout makes the layout of Layout<...>, make_layout(...) and Layout(...).
func (p *parser) layout(t *term) *node {
	params := t.params()
	if len(params) == 1 && params[0].kind == nodeElided {
		return &node{kind: nodeElided}
	}
	shape, stride := t.param(0, "shape"), t.param(1, "stride")
	if shape == nil || !t.takes(shape) {
		return nil
	}
	if shape.kind == nodeLayout && len(params) == 1 && (!t.call || t.base == "Layout" && !t.template &&
		!isLetter(p.src[shape.start])) {
		return shape // the repr of a layout: Layout((3,3):(1,3))
	}
	if shape.kind == nodeLayout {
		if n := concatenate(params); n != nil {
			return n
		}
		return call(t)
	}
	return p.layoutFrom(shape, stride)
}

// takes reports whether a shape is one of the type: 1 is none in Layout<Shape<_2,_3>>(1,2).
func (t *term) takes(shape *node) bool {
	return !t.call || len(t.targs) == 0 || t.targs[0].kind != nodeTuple || congruent(t.targs[0], shape)
}

// layoutFrom makes a layout from the parameters of a constructor. A parameter that is not a literal is known only at
// run time. If the stride is missing, it is compact, with mode 0 fastest.
func (p *parser) layoutFrom(shape, stride *node) *node {
	if !shape.isLiteral() && (stride == nil || !stride.isLiteral()) {
		return nil // the call contains only names: make_layout(shape, stride)
	}
	if shape = p.literalBeside(shape, stride); shape == nil {
		return nil
	}
	compact := compactLeft
	if stride != nil && stride.kind == nodeSym {
		switch stride.text[strings.LastIndexAny(stride.text, ".:")+1:] {
		case "GenRowMajor", "LayoutRight":
			stride, compact = nil, compactRight
		case "GenColMajor", "LayoutLeft":
			stride = nil
		}
	}
	if stride == nil {
		stride = compact(shape)
	} else if stride = p.literalBeside(stride, shape); stride == nil {
		return nil
	}
	stride = p.coordinates(shape, stride)
	return &node{kind: nodeLayout, kids: []*node{shape, stride}, start: shape.start, end: stride.end}
}

// coordinates converts each tuple of the stride that belongs to an extent to a coordinate: PyCuTe prints 1@0+2@1 as (1,
// 2). Only a number is certainly an extent. A name or a ? may be a whole shape: make_layout(shape, (1, ld)).
func (p *parser) coordinates(shape, stride *node) *node {
	if congruent(shape, stride) {
		return stride
	}
	read := besideExtents(shape, stride)
	if read == nil || !congruent(shape, read) {
		return stride
	}
	p.note("the stride %s is read as %s: a tuple as the stride of an extent is a coordinate", stride, read)
	return read
}

// besideExtents does the work of coordinates on a part of a layout. It returns nil if a tuple in the part is not a
// coordinate.
func besideExtents(shape, stride *node) *node {
	switch {
	case stride.kind != nodeTuple:
		return stride
	case shape.kind != nodeTuple:
		text := unitSum(stride, "")
		if text == "" || len(stride.kids) < 2 || shape.kind != nodeInt {
			return nil
		}
		return &node{kind: nodeBasis, text: text, start: stride.start, end: stride.end}
	case len(shape.kids) != len(stride.kids):
		return nil
	}
	out := *stride
	out.kids = make([]*node, len(stride.kids))
	for i, k := range stride.kids {
		if out.kids[i] = besideExtents(shape.kids[i], k); out.kids[i] == nil {
			return nil
		}
	}
	return &out
}

// unitSum writes a tuple of numbers as a sum of coordinates, or nothing if the tuple has other elements. axis is the
// path of the tuple itself.
func unitSum(t *node, axis string) string {
	var sum strings.Builder
	for i, k := range t.kids {
		term := k.text + "@" + strconv.Itoa(i) + axis
		switch {
		case k.kind == nodeTuple:
			if term = unitSum(k, "@"+strconv.Itoa(i)+axis); term == "" {
				return ""
			}
		case k.kind != nodeInt && k.kind != nodeSym && k.kind != nodeDyn:
			return ""
		}
		if sum.Len() > 0 && term[0] != '-' {
			sum.WriteByte('+')
		}
		sum.WriteString(term)
	}
	return sum.String()
}

// isLiteral reports whether a parameter is more than a name.
func (n *node) isLiteral() bool {
	switch n.kind {
	case nodeSym, nodeCall, nodeOpaque, nodeType, nodeWild:
		return n.static
	}
	return true
}

// literalBeside is literal for a shape or a stride, whose other half is other. If other is a tuple, a name in n becomes
// '?': the name may also be a tuple. literalBeside returns nil if n is not a tuple.
func (p *parser) literalBeside(n, other *node) *node {
	if other != nil && other.kind == nodeTuple && !n.static {
		switch n.kind {
		case nodeSym, nodeOp, nodeCall, nodeOpaque, nodeType, nodeWild:
			return p.unsaid(n)
		}
	}
	return p.literal(n)
}

// literal returns the tuple with '?' for each element that is not a number and that girih's language cannot write.
func (p *parser) literal(n *node) *node {
	switch n.kind {
	case nodeInt, nodeDyn, nodeBasis, nodeRatio, nodeLeaf, nodeElided:
		return n
	case nodeTuple, nodeList:
		m := &node{kind: nodeTuple, start: n.start, end: n.end, kids: make([]*node, len(n.kids))}
		for i, k := range n.kids {
			if m.kids[i] = p.literal(k); m.kids[i] == nil {
				return nil
			}
		}
		return m
	case nodeSym, nodeOp, nodeCall, nodeOpaque, nodeType, nodeWild:
		if n.static {
			return n
		}
		if m := p.symbolic(n); m != nil {
			return m
		}
		return p.unsaid(n)
	}
	return nil
}

// unsaid returns '?' for source that girih's language cannot write.
func (p *parser) unsaid(n *node) *node {
	p.note("%s is not a literal: read as ?", p.between(n, n))
	return &node{kind: nodeDyn, text: "?", start: n.start, end: n.end}
}

// concatenate makes the layout whose modes are the given layouts.
func concatenate(modes []*node) *node {
	shape, stride := &node{kind: nodeTuple}, &node{kind: nodeTuple}
	for _, m := range modes {
		if m.kind != nodeLayout {
			return nil
		}
		shape.kids = append(shape.kids, m.kids[0])
		stride.kids = append(stride.kids, m.kids[1])
	}
	return &node{kind: nodeLayout, kids: []*node{shape, stride}}
}

// compactLeft returns the compact strides of a shape: the product of the extents before each leaf, and 0 for an extent
// of 1. CuTe uses 0 only for static extents of 1, girih for all.
func compactLeft(shape *node) *node {
	return compact(shape, func(i, _ int) int { return i })
}

// compactRight returns the compact strides with the product of the extents after each leaf.
func compactRight(shape *node) *node {
	return compact(shape, func(i, n int) int { return n - 1 - i })
}

// compact returns the compact strides of a shape whose n modes vary in an order: mode order(0,n) first.
func compact(shape *node, order func(i, n int) int) *node {
	product := intNode(1, shape.end, shape.end)
	var walk func(n *node) *node
	walk = func(n *node) *node {
		if n.kind != nodeTuple {
			s := *product
			product = times(product, n)
			if x, ok := n.integer(); ok && x == 1 {
				return intNode(0, s.start, s.end)
			}
			return &s
		}
		m := &node{kind: nodeTuple, kids: make([]*node, len(n.kids))}
		for i := range n.kids {
			i = order(i, len(n.kids))
			m.kids[i] = walk(n.kids[i])
		}
		return m
	}
	return walk(shape)
}

// times multiplies two leaves. A product with a long text becomes '?'.
func times(a, b *node) *node {
	x, ok1 := a.integer()
	y, ok2 := b.integer()
	if z, ok := fold(x, "*", y); ok && ok1 && ok2 {
		return intNode(z, a.start, a.end)
	}
	if ok1 && x == 1 && b.kind == nodeSym {
		return b
	}
	if y, ok := b.integer(); ok && y == 1 && a.kind == nodeSym {
		return a
	}
	if m := (&node{kind: nodeOp, text: "*", kids: []*node{a, b}, start: a.start, end: b.end}); m.isProduct() {
		return m
	}
	return &node{kind: nodeDyn, text: "?"}
}

// madeLayout computes make_ordered_layout and make_identity_layout if their operands are known.
func (p *parser) madeLayout(t *term) *node {
	shape, order := t.param(0, "shape"), t.param(1, "order")
	if shape == nil || !shape.isStatic() {
		return call(t)
	}
	s, err := cute.ParseTuple(shape.String())
	if err != nil {
		return call(t)
	}
	l, err := cute.MakeIdentityLayout(s)
	if t.role == roleOrdered {
		if order == nil || !order.isStatic() {
			return call(t)
		}
		o, bad := cute.ParseTuple(order.String())
		if bad != nil {
			return call(t)
		}
		l, err = cute.MakeOrderedLayout(s, o)
	}
	if err != nil {
		p.note("%s", err)
		return call(t)
	}
	return treeOf(l)
}

// treeOf returns the tree of a layout.
func treeOf(l cute.Layout) *node {
	text := l.String()
	p := newParser(text)
	return p.chain()
}

// stridedLayout makes the layout of as_strided(size, stride) of torch and as_strided(x, shape, strides) of numpy.
func (p *parser) stridedLayout(t *term) *node {
	at := 0
	if t.base == "as_strided" && (t.full == t.base || strings.Contains(t.full, "stride_tricks") ||
		strings.HasPrefix(t.full, "torch.")) {
		at = 1 // the array comes first
	}
	shape, stride := t.param(at, "size", "shape"), t.param(at+1, "stride", "strides")
	if shape == nil || stride == nil {
		return nil
	}
	if stride.key == "strides" || strings.Contains(t.full, "stride_tricks") {
		p.note("the strides of numpy count bytes")
	}
	p.note("numpy and torch run through the last mode first, girih through the first")
	return p.layoutFrom(shape, stride)
}
