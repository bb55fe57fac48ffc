package reader

import "strings"

// This file makes values from names with their parameters. A term is parsed (term.go), its name has a role (roles.go),
// and construct calls the builder of that role: make_shape(4, 8) becomes the tuple (4,8).

// build makes the value of a name with its parameters.
func (p *parser) build(t *term) *node {
	n := p.construct(t)
	if n != nil {
		n.start, n.end = t.start, t.end
	}
	return n
}

func (p *parser) construct(t *term) *node {
	if !t.template && !t.call {
		switch p.src[t.start:t.end] { // Go's package was once called girih
		case "cute.Keep", "cute.Open", "girih.Keep", "girih.Open":
			return &node{kind: nodeWild}
		}
		return p.node(nodeSym, t.full, t.start, t.end)
	}
	if n := p.sharedAtom(t); n != nil {
		return n
	}
	switch t.role {
	case roleNone:
		return p.unknown(t)
	case roleTuple:
		return p.tupleOf(t)
	case roleTile:
		return &node{kind: nodeTile, kids: t.params()}
	case roleInt:
		return p.constant(t)
	case roleSwizzle:
		return swizzle(t.params())
	case roleScaled, roleUnit, roleRatio, roleXor:
		return p.leaf(t)
	case roleOrder:
		return &node{kind: nodeSym, text: t.base}
	case roleParse:
		return p.parsedText(t)
	}
	return p.constructLayout(t)
}

// constructLayout makes the values of calls on shapes, strides and layouts, and the records of atoms and encodings.
func (p *parser) constructLayout(t *term) *node {
	switch t.role {
	case roleTiledMMA, roleMMAAtom, roleTiledCopy, roleCopyAtom:
		return p.atom(t)
	case roleTraits:
		return p.traits(t)
	case roleGluon:
		return p.gluon(t)
	case roleLinear:
		return p.linearCall(t)
	case roleLayout:
		return p.layout(t)
	case roleOrdered, roleIdentity:
		return p.madeLayout(t)
	case roleStrided:
		return p.stridedLayout(t)
	case roleComposition, roleCompose, roleComposed:
		return p.composition(t)
	case roleTensor, roleMakeTensor:
		return p.tensor(t)
	}
	return call(t)
}

// parsedText returns the value in cute.MustParse("(2,3):(3,1)"), as Go source has it.
func (p *parser) parsedText(t *term) *node {
	if len(t.args) != 1 {
		return nil
	}
	return t.args[0]
}

// call keeps a call as girih's language writes it. Keywords are dropped: the arguments are in the order of the
// parameters.
func call(t *term) *node {
	n := &node{kind: nodeCall, text: t.base, kids: t.args}
	if t.template {
		n.text = string(appendList([]byte(t.base), '<', t.targs, '>'))
	}
	if !t.call {
		n.kind = nodeType
	}
	return n
}

// unknown returns the node for a name that is not in the table: a type or a call.
func (p *parser) unknown(t *term) *node {
	switch {
	case !t.call:
		return &node{kind: nodeType, text: t.full, kids: t.targs}
	case t.template && len(t.args) == 0 || p.types > 0:
		return &node{kind: nodeType, text: t.full, kids: t.targs}
	case t.template: // layout<0>(a)
		return &node{kind: nodeCall, text: string(appendList([]byte(t.full), '<', t.targs, '>')), kids: t.args}
	}
	return &node{kind: nodeCall, text: t.full, kids: t.args}
}

// elementsOf returns the elements of a list or tuple that is the only parameter, as in torch.Size([2, 3]), and
// otherwise the parameters.
func elementsOf(params []*node) []*node {
	if len(params) == 1 && params[0].kind == nodeList {
		return params[0].kids
	}
	return params
}

// tupleOf makes a tuple. A single engine among template arguments is the engine of a tensor.
func (p *parser) tupleOf(t *term) *node {
	kids := elementsOf(t.params())
	for i, k := range kids {
		kids[i] = p.symbols(k)
		if t.call && (k.kind == nodeOpaque || kids[i].kind == nodeCall && !kids[i].isLeaf()) {
			kids[i] = p.literal(k)
		}
	}
	if len(kids) == 1 && kids[0].kind == nodeElided {
		return &node{kind: nodeElided}
	}
	if len(kids) == 1 && kids[0].kind == nodeTuple && strings.HasSuffix(t.base, "Iterator") {
		return kids[0]
	}
	n := &node{kind: nodeTuple, kids: kids}
	for _, k := range kids {
		if k.kind == nodeLayout {
			n.kind = nodeTile
		}
	}
	return n
}

// constant makes the integer of Int<4 * 3>, C<(int)128>, integral_constant<int, 8>, Int(4).
func (p *parser) constant(t *term) *node {
	params := t.params()
	if t.template {
		params = t.targs
	}
	if len(params) == 0 {
		return nil
	}
	v := params[len(params)-1]
	if v.kind == nodeType && len(v.kids) > 0 { // sizeof_bits<T>::value
		p.note("%s is not a literal: read as ?", p.between(v, v))
		return &node{kind: nodeDyn, text: "?", start: v.start, end: v.end}
	}
	if v.kind == nodeSym || v.kind == nodeOp || v.kind == nodeType || v.kind == nodeOpaque {
		c := *v
		c.static = true
		if v.kind == nodeType || v.kind == nodeOpaque {
			c.kind = nodeSym
			c.text = strings.Join(strings.Fields(c.text), "")
		}
		return &c
	}
	if v.kind == nodeTuple && len(v.kids) == 1 {
		v = v.kids[0]
	}
	if !v.isLeaf() {
		return nil
	}
	return v
}

// leaf makes a coordinate, a ratio, or a stride over GF(2).
func (p *parser) leaf(t *term) *node {
	params := t.params()
	switch {
	case t.role == roleRatio && len(params) == 2:
		return &node{kind: nodeRatio, text: params[0].String() + "/" + params[1].String()}
	case t.role == roleXor && len(params) == 1:
		return &node{kind: nodeLeaf, text: "F2(" + params[0].String() + ")"}
	case t.role == roleUnit && len(params) == 0:
		return intNode(1, 0, 0)
	case t.role == roleUnit:
		return basisOf("1", elementsOf(params))
	case t.role == roleScaled && len(params) > 1:
		return basisOf(params[0].String(), params[1:])
	}
	return call(t)
}

// basisOf makes a coordinate leaf. C++ lists the path with the outermost index first, the text with the innermost
// first.
func basisOf(coefficient string, path []*node) *node {
	text := coefficient
	for i := len(path) - 1; i >= 0; i-- {
		if path[i].kind != nodeInt {
			return nil
		}
		text += "@" + path[i].text
	}
	return &node{kind: nodeBasis, text: text}
}

// swizzle makes a swizzle from its three numbers or names, whose keywords in pycute are base, bits and shift.
func swizzle(params []*node) *node {
	if len(params) != 3 {
		return nil
	}
	for _, k := range params {
		if !k.isLeaf() || k.kind == nodeBasis {
			return nil
		}
	}
	return &node{kind: nodeSwizzle, kids: params}
}

// composition makes a composed layout if there is a swizzle or an offset, which cannot be composed away, and otherwise
// keeps the operation.
func (p *parser) composition(t *term) *node {
	kids := t.params()
	for i, k := range kids {
		k.key = ""
		kids[i] = p.symbols(k)
	}
	switch {
	case len(kids) == 3:
		return p.compose(kids)
	case len(kids) != 2:
		return call(t)
	case t.role == roleCompose:
		return p.compose(kids)
	case kids[0].kind == nodeSwizzle && (kids[1].kind == nodeLayout || kids[1].isTuple()):
		return p.compose([]*node{kids[0], intNode(0, kids[0].end, kids[0].end), kids[1]})
	}
	return call(t)
}

// tensor returns the layout of a tensor. It drops the engine unless the engine is an origin.
func (p *parser) tensor(t *term) *node {
	params := t.params()
	if t.role == roleTensor && t.template {
		params = t.targs
	}
	if len(params) == 0 {
		return nil
	}
	if params[0].kind == nodeDims {
		return tensorType("tensor", params)
	}
	made := t.role == roleMakeTensor && len(params) == 2
	layout := params[len(params)-1]
	switch {
	case t.role == roleMakeTensor && hasShapeAndStride(params):
		layout, params = p.layoutFrom(params[1], params[2]), params[:2]
	case made && layout.kind == nodeTuple:
		layout = p.layoutFrom(layout, nil)
	case layout.kind != nodeLayout && layout.kind != nodeCompose:
		return nil
	}
	return p.withEngine(t, params[:len(params)-1], layout)
}

// withEngine makes the tensor of an engine and a layout. Of an engine that is no place to count from only a note is
// left.
func (p *parser) withEngine(t *term, engine []*node, layout *node) *node {
	if t.role == roleMakeTensor && len(engine) == 1 {
		switch {
		case engine[0].counts():
			return countingTensor(engine[0], layout)
		case engine[0].isOrigin() && len(t.params()) == 2:
			return call(t)
		}
	}
	for _, k := range engine {
		p.note("dropped the engine %s", p.between(k, k))
	}
	return layout
}

// hasShapeAndStride reports whether a tensor's parameters are an engine, a shape and a stride.
func hasShapeAndStride(params []*node) bool {
	return len(params) == 3 && params[1].isTuple() && params[2].isTuple()
}

// isOrigin reports whether the engine of a tensor is a number or a coordinate to count from.
func (n *node) isOrigin() bool { return n.kind == nodeInt || n.isTuple() }

// counts reports whether the engine of a tensor is an iterator that counts, not from 0: counting_iterator<int>(500).
func (n *node) counts() bool {
	return n.kind == nodePtr && len(n.kids) == 1 && (n.kids[0].kind == nodeInt || n.kids[0].kind == nodeDyn)
}

// countingTensor makes the tensor of an iterator that counts and of a layout, or nil if the number is not known.
func countingTensor(from, layout *node) *node {
	if layout == nil || from.kids[0].kind == nodeDyn {
		return nil
	}
	kids := []*node{from.kids[0], layout}
	return &node{kind: nodeCall, text: "make_tensor", kids: kids, start: from.start, end: layout.end}
}

// oneLine returns a short piece of source on one line.
func oneLine(s string) string {
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:77], "") + "..."
	}
	return strings.Join(strings.Fields(s), " ")
}
