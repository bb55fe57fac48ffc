package reader

import "strings"

// This file reads types of MLIR: !cute.layout<"(2,3):(4,1)"> is the layout in it, and a tiled operation is a record.

// mlirType parses a type of the dialects cute, cute_nvgpu and ttg: !cute.layout<"(2,3):(4,1)">.
func (p *parser) mlirType() *node {
	start := p.peek().start
	p.pos++
	if p.peek().kind != tokIdent || p.peek().space {
		return nil
	}
	base, _ := p.name()
	full := p.src[start+1 : p.end()]
	if !strings.Contains(full, ".") {
		return nil
	}
	if !p.is('<') {
		return &node{kind: nodeType, text: full, start: start, end: p.end()}
	}
	p.pos++
	p.types++
	p.calls++
	fly := strings.HasPrefix(full, "fly")
	if fly {
		p.flys++
	}
	kids, ok := p.elements('>', "'>'", ",")
	if fly {
		p.flys--
	}
	p.calls--
	p.types--
	if !ok || len(kids) == 0 {
		return nil
	}
	n := p.mlirValue(base, full, kids)
	if n != nil {
		n.start, n.end = start, p.end()
	}
	return n
}

// mlirValue returns the value of a type: the layout in it, or a record.
func (p *parser) mlirValue(base, full string, kids []*node) *node {
	switch base {
	case "tiled_copy", "tiled_mma":
		return p.mlirTiled(base, kids)
	case "memdesc":
		return tensorType("memdesc", kids)
	case "ptr":
		if w := swizzleIn(kids); w != nil {
			p.note("dropped the engine !%s", full)
			return w
		}
		return &node{kind: nodePtr, text: full}
	case "coord_tensor":
		if len(kids) == 2 && kids[1].kind == nodeLayout {
			return p.compose(kids)
		}
	}
	return p.mlirLayout(base, full, kids)
}

// mlirLayout returns the last parameter of a type if it is a value, and otherwise a record.
func (p *parser) mlirLayout(base, full string, kids []*node) *node {
	last := kids[len(kids)-1]
	if !last.isValue() || last.key != "" {
		return mlirRecord(base, full, kids)
	}
	if len(kids) > 1 && last.isLeaf() { // !fly.copy_atom<..., 16>
		return unread("!"+full, "", 0, 0)
	}
	if w := swizzleIn(kids[:len(kids)-1]); w != nil && last.kind == nodeLayout {
		p.note("the swizzle belongs to the pointer: it counts bytes")
		unit := &node{kind: nodePtr, text: unitOf("ptr<" + kids[0].text)}
		return &node{kind: nodeCompose, kids: []*node{w, unit, last}}
	}
	if len(kids) > 1 {
		p.note("dropped the engine %s", p.between(kids[0], kids[len(kids)-2]))
	}
	m := *last // '<"...">' is a tile of one
	if m.kind == nodeTile && len(m.kids) == 1 && p.src[m.start] == '<' {
		m = *m.kids[0]
	}
	return &m
}

// swizzleIn returns the swizzle among the parameters of a type, or nil.
func swizzleIn(kids []*node) *node {
	for _, k := range kids {
		if k.kind == nodeSwizzle {
			return k
		}
	}
	return nil
}

// isValue reports whether n is a value and not only a name.
func (n *node) isValue() bool {
	switch n.kind {
	case nodeOpaque, nodeType, nodeDims, nodeSym, nodeElided:
		return false
	}
	return true
}

// mlirRecord makes a record of the values in a type that have a keyword. A type without such values is a name.
func mlirRecord(base, full string, kids []*node) *node {
	n := &node{kind: nodeRecord, text: base}
	for _, k := range kids {
		if k.key == "" || !k.isValue() {
			continue
		}
		v := k
		if v.kind == nodeTile && len(v.kids) == 1 {
			v = v.kids[0]
		}
		n.add(k.key, v)
	}
	if len(n.kids) == 0 {
		return &node{kind: nodeType, text: full, kids: kids}
	}
	return n
}

// mlirTiled makes the record of a TiledCopy or TiledMMA.
func (p *parser) mlirTiled(base string, kids []*node) *node {
	n := &node{kind: nodeRecord, text: "TiledCopy"}
	if base == "tiled_mma" {
		n.text = "TiledMMA"
	}
	for _, k := range kids {
		v := k
		if v.kind == nodeTile && len(v.kids) == 1 && v.key != "" {
			v = v.kids[0]
		}
		name, known := tiledFields[strings.ToLower(k.key)]
		switch {
		case k.key == "":
			p.note("the atom is %s", p.between(k, k))
			continue
		case !known:
			name = k.key
		}
		n.add(name, v)
	}
	return n
}

// tiledFields are the keywords of MLIR's tiled types and their names in records.
var tiledFields = map[string]string{
	"layout_copy_tv": "tv", "tiler_mn": "tiler", "atom_layout_mnk": "atoms", "permutation_mnk": "tile",
	"atom_layout": "atoms", "permutation": "tile",
}

// add appends a field to a record.
//
//go:noinline
func (n *node) add(name string, v *node) {
	v.key = name
	n.kids = append(n.kids, v)
}

// tensorType makes the record of a tensor or memdesc type of Triton: <4x16xf64, #shared, #smem>.
func tensorType(name string, params []*node) *node {
	if params[0].kind != nodeDims {
		return nil
	}
	parts := strings.Split(params[0].text, "x")
	n := &node{kind: nodeRecord, text: name, start: params[0].start, end: params[0].end}
	shape := &node{kind: nodeList}
	for len(parts) > 0 && parts[0] != "" && strings.Trim(parts[0], "0123456789") == "" {
		shape.kids = append(shape.kids, &node{kind: nodeInt, text: decimal(parts[0])})
		parts = parts[1:]
	}
	n.add("shape", shape)
	if len(parts) > 0 {
		n.add("type", &node{kind: nodeSym, text: strings.Join(parts, "x")})
	}
	fields := []string{"encoding", "space"}
	for _, k := range params[1:] {
		switch {
		case k.kind == nodeSym && k.text == "mutable":
			n.add("mutable", &node{kind: nodeSym, text: "true"})
		case k.kind == nodeDims:
			n.add("alloc", &node{kind: nodeSym, text: k.text})
		case len(fields) > 0:
			n.add(fields[0], k)
			fields = fields[1:]
		}
	}
	return n
}
