package reader

import (
	"errors"
	"fmt"
	"strings"

	"girih/cute"
	"girih/internal/lang/eval"
)

// This file reads TileLang's maps of indices, which the language evaluates: T.Layout([4, 6], lambda i, j: i*6 + j) is
// (4,6):(6,1).

// indexMap makes the value of Layout([4, 6], lambda i, j: (j, i)) or of Fragment(...): the layout with the values of
// the map, or the map if there is none. It returns nil, at the same token, for any other call.
func (p *parser) indexMap(t *term) *node {
	if t.base != "Layout" && t.base != "Fragment" || !p.is('(') || p.peek().space {
		return nil
	}
	save := p.pos
	if !p.skipBalanced('(', ')') || !strings.Contains(p.src[t.start:p.end()], "lambda") {
		p.pos = save
		return nil
	}
	text := t.base + p.src[p.toks[save].start:p.end()]
	v, notes, err := p.valueOf(text)
	if err != nil {
		return unread("TileLang "+t.base, reason(err), t.start, p.end())
	}
	for _, note := range notes {
		p.note("%s", note)
	}
	if m, ok := v.(eval.IndexMap); ok {
		kids := []*node{{kind: nodeLeaf, text: m.Shape().String()}, {kind: nodeLeaf, text: m.Map.String()}}
		return &node{kind: nodeCall, text: "index_map", kids: kids, start: t.start, end: p.end()}
	}
	made := v.String()
	n := newParser(made).chain()
	if n == nil || n.String() != made {
		n = &node{kind: nodeLeaf, text: made}
	}
	n.start, n.end = t.start, p.end()
	return n
}

// mapBytes limits the memory of the values of one map.
const mapBytes = 1 << 26

// valueOf evaluates a text of the language, within the limits of the reader.
func (p *parser) valueOf(text string) (eval.Value, []string, error) {
	var e eval.Env
	held := int64(0)
	e.Keep(func(bytes int64) error {
		if held += bytes; held > mapBytes {
			return errors.New("the values of the map take too much memory")
		}
		return nil
	})
	if p.limits.Stop != nil {
		e.Limit(p.limits.Stop)
	}
	rs, err := e.Eval(text)
	if err == nil && len(rs) != 1 {
		err = &cute.Error{Code: cute.CodeSyntax, Msg: fmt.Sprintf("expected one value, found %d", len(rs))}
	}
	if err != nil {
		return nil, nil, err
	}
	return rs[0].Value, rs[0].Notes, nil
}
