package reader

import (
	"slices"
	"strings"
)

// This file makes records of tiled operations and atoms: TiledMMA<MMA_Atom<OP>, Layout<...>> is TiledMMA{atom=OP,
// atoms=...}.

// atom makes the record of a TiledMMA, a TiledCopy or an atom from its C++ type, or from the call that makes it.
func (p *parser) atom(t *term) *node {
	params := t.atomParams()
	if len(params) == 0 {
		return nil
	}
	form := atomForms[t.role]
	n, names := &node{kind: nodeRecord, text: form.record}, form.fields
	if t.base == "make_tiled_copy" || t.base == "make_tiled_copy_tv" {
		names = []string{"atom", "thr", "val"}
	}
	for i, k := range params {
		name := k.key
		switch {
		case k.kind == nodeElided && i >= len(names):
			continue
		case name == "" && i < len(names):
			name = names[i]
		case name == "":
			p.note("passed over %s", p.between(k, k))
			continue
		}
		n.add(name, p.part(name, k))
	}
	return n
}

// atomForms are the records made of tiled operations and atoms, with the fields of their parameters in order.
var atomForms = map[role]struct {
	record string
	fields []string
}{
	roleMMAAtom:   {"MMAAtom", []string{"op"}},
	roleCopyAtom:  {"CopyAtom", []string{"op", "type"}},
	roleTiledMMA:  {"TiledMMA", []string{"atom", "atoms", "tile"}},
	roleTiledCopy: {"TiledCopy", []string{"atom", "tv", "tiler"}},
}

// atomParams returns the template arguments, or the arguments of a call that has no template list.
func (t *term) atomParams() []*node {
	if !t.template || t.call && len(t.args) > 0 && len(t.targs) == 0 {
		return t.args
	}
	return t.targs
}

// traits returns the operation of MMA_Traits<OP> or Copy_Traits<OP>: its first parameter.
func (p *parser) traits(t *term) *node {
	params := t.atomParams()
	switch {
	case len(params) == 0:
		return nil
	case params[0].kind == nodeElided:
		return params[0]
	}
	return &node{kind: nodeType, text: params[0].text, kids: params[0].kids}
}

// part returns the value of a field of a tiled operation.
func (p *parser) part(name string, k *node) *node {
	switch {
	case name == "atom" || name == "op" || name == "type":
		return p.operation(k)
	case name == "tile" && (k.kind == nodeTuple || k.kind == nodeTile):
		return &node{kind: nodeTile, kids: k.kids}
	}
	return k
}

// operation returns the name of an operation without its namespaces, and notes its parameters.
func (p *parser) operation(k *node) *node {
	if k.kind == nodeRecord && len(k.kids) > 0 { // TiledMMA<MMA_Atom<OP>, ...>, TiledCopy<Copy_Atom<OP, T>, ...>
		op := *k.kids[0]
		op.kids = append(slices.Clip(op.kids), k.kids[1:]...)
		return &op
	}
	if k.kind == nodeElided {
		return k
	}
	text := k.text
	if k.kind == nodeOpaque {
		text = oneLine(text)
	} else {
		text = text[strings.LastIndexAny(text, ":.")+1:]
	}
	op := &node{kind: nodeSym, text: text}
	if k.kind == nodeType && len(k.kids) > 0 {
		params := p.between(k.kids[0], k.kids[len(k.kids)-1])
		p.note("the parameters of %s are <%s>", text, params)
		op.add("parameters", &node{kind: nodeLeaf, text: withoutScopes(params)})
	}
	return op
}

// withoutScopes writes cute::uint128_t, cutlass::half_t as uint128_t,half_t.
func withoutScopes(text string) string {
	parts := strings.Split(text, ",")
	for i, s := range parts {
		s = strings.TrimSpace(s)
		if at := strings.LastIndex(s, "::"); at >= 0 {
			s = s[at+2:]
		}
		parts[i] = s
	}
	return strings.Join(parts, ",")
}
