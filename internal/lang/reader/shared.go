package reader

import (
	"strings"

	"girih/internal/lang/syntax"
)

// This file reads layout atoms of shared memory: GMMA::Layout_K_SW128_Atom<half_t>.

// sharedAtom makes the named layout atoms of shared memory and the calls that select one, as CUTLASS and the CuTe DSL
// write them. It returns nil for any other term.
//
//	GMMA::Layout_K_SW128_Atom<half_t>{}                                     the same, without braces
//	ss_smem_selector<GMMA::Major::K, half_t, _128, _64>()                   ss_smem_selector(K,half_t,128,64)
//	make_smem_layout_atom(SmemLayoutAtomKind.K_SW128, cutlass.Float16)      make_smem_layout_atom(K_SW128,Float16)
func (p *parser) sharedAtom(t *term) *node {
	switch {
	case t.role == roleCall && strings.HasSuffix(t.base, "_smem_selector"):
		if params := t.params(); len(params) == 4 {
			return &node{kind: nodeCall, text: t.base, kids: p.namesOf(params)}
		}
	case t.base == "make_smem_layout_atom":
		if len(t.args) == 2 && !t.template {
			return &node{kind: nodeCall, text: t.base, kids: p.namesOf(t.args)}
		}
	default:
		at := strings.Index(t.full, "Layout_")
		if at >= 0 && len(t.targs) > 0 && !t.call && syntax.IsLayoutAtom(t.full[at:]) {
			params := withoutScopes(p.between(t.targs[0], t.targs[len(t.targs)-1]))
			return &node{kind: nodeSym, text: t.full + "<" + params + ">"}
		}
	}
	return nil
}

// namesOf returns the parameters. The first two become names, the last part of each qualified name.
func (p *parser) namesOf(params []*node) []*node {
	kids := append([]*node(nil), params...)
	for i, k := range kids[:2] {
		text := oneLine(p.between(k, k))
		if at := strings.LastIndexAny(text, ".:"); at >= 0 {
			text = text[at+1:]
		}
		kids[i] = &node{kind: nodeSym, text: strings.TrimSuffix(text, "{}"), start: k.start, end: k.end}
	}
	return kids
}
