package reader

import "strings"

// This file reads the records that this package itself writes, so that what it printed can be pasted again.

// isRecord reports whether a name is the name of a record.
func isRecord(name string) bool {
	switch name {
	case "TiledMMA", "TiledCopy", "MMAAtom", "CopyAtom", "linear", "tensor", "memdesc", "phases", "tv_grid", "shared", "assertion",
		"dot_op", "nvidia_mma", "amd_mfma", "amd_wmma", "shared_linear":
		return true
	}
	return recordNames[name]
}

// recordNames are the names of the records made of Gluon's classes.
var recordNames = func() map[string]bool {
	m := make(map[string]bool, len(gluonTypes))
	for _, g := range gluonTypes {
		m[g.name] = true
	}
	return m
}()

// opensRecord reports whether the fields of a record follow a name that was read from token first: a known name, or any
// name at the beginning of the text.
func (p *parser) opensRecord(name string, first int) bool {
	t, field := p.peek(), p.at(1)
	if t.c == '{' && !t.space && field.c == '}' { // auto{}
		return isRecord(name)
	}
	return t.c == '{' && !t.space && (field.kind == tokIdent || field.kind == tokInt) && p.at(2).c == '=' &&
		(isRecord(name) || first == 0)
}

// record parses the fields of a record after its name.
func (p *parser) record(t *term) *node {
	n := &node{kind: nodeRecord, text: t.base, start: t.start}
	p.pos++
	for !p.is('}') {
		name := p.peek()
		if name.kind != tokIdent && name.kind != tokInt || p.at(1).c != '=' {
			p.noteMiss("a field: name = value")
			return nil
		}
		p.pos += 2
		v := p.recordField(n)
		if v == nil {
			return nil
		}
		n.add(p.text(name), v)
		if p.is(',') {
			p.pos++
		}
	}
	p.pos++
	n.end = p.end()
	return n
}

// recordField parses the value of a field: text in quotation marks, a list, a value, or otherwise any text.
func (p *parser) recordField(n *node) *node {
	at := p.pos
	switch {
	case p.is('"'):
		for p.pos++; !p.is('"') && !p.peek().line; p.pos++ {
		}
		if !p.is('"') {
			return nil
		}
		p.pos++
		text := oneLine(p.src[p.toks[at].start:p.end()])
		return &node{kind: nodeLeaf, text: text, start: p.toks[at].start, end: p.end()}
	case p.is('['):
		return p.raw(n, '}')
	}
	if v := p.chain(); v != nil && (p.is(',') || p.is('}')) {
		return v
	}
	p.pos = at
	return p.raw(n, '}')
}

// references notes the names in a record that the text does not define: #ttg.slice<{dim = 1, parent = #blocked}>.
func (s *search) references() {
	defined := make(map[string]bool)
	for i := range s.found {
		if name := s.found[i].name; strings.HasPrefix(name, "#") {
			defined[name] = true
		}
	}
	for i := range s.found {
		f := &s.found[i]
		for _, k := range f.node.kids {
			if f.node.kind == nodeRecord && strings.HasPrefix(k.text, "#") && !strings.Contains(k.text, ".") && !defined[k.text] {
				f.notes = append(f.notes, "the text does not define "+k.text)
			}
		}
	}
}
