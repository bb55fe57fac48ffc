package reader

import "strings"

// This file parses a name with its parts: template arguments, braces, arguments, members. make_layout(Shape<_4>{}) is
// the term make_layout with one argument, which is a term itself.

// A term is a name with its template list and its arguments.
type term struct {
	base       string // the last part of the name: Layout
	full       string // the whole name without a leading cute::, such as mma.get_slice
	role       role
	targs      []*node
	args       []*node
	template   bool // the term has a template list
	call       bool // the term has arguments
	made       bool // the term has braces
	start, end int32
}

// params returns the arguments, or the template arguments if there are no arguments.
func (t *term) params() []*node {
	if t.call && len(t.args) > 0 {
		return t.args
	}
	return t.targs
}

// param returns the parameter with one of the given keywords, otherwise the parameter at place i, or nil.
//
//go:noinline
func (t *term) param(i int, keys ...string) *node {
	at := 0
	for _, a := range t.params() {
		if a.key != "" {
			for _, k := range keys {
				if a.key == k {
					return a
				}
			}
			continue
		}
		if at == i {
			return a
		}
		at++
	}
	return nil
}

// qualifiers are words of C++ before a type that are ignored here.
var qualifiers = map[string]bool{
	"const": true, "typename": true, "struct": true, "class": true, "auto": true, "static": true, "constexpr": true,
}

// integerTypes are the types of values that are known only at run time.
var integerTypes = map[string]bool{
	"int": true, "unsigned": true, "signed": true, "long": true, "short": true, "char": true, "size_t": true,
	"ptrdiff_t": true,
	"int8_t":    true, "int16_t": true, "int32_t": true, "int64_t": true, "uint8_t": true, "uint16_t": true,
	"uint32_t": true, "uint64_t": true,
	"Int32": true, "Int64": true, "Uint32": true, "Uint64": true,
}

// name skips a qualified name and returns its last part and the whole name.
func (p *parser) name() (base, full string) {
	start := p.peek().start
	for {
		t := p.peek()
		base = p.text(t)
		p.pos++
		sep := p.peek()
		if sep.space || sep.kind != tokScope && sep.c != '.' || p.at(1).kind != tokIdent && p.at(1).kind != tokStatic ||
			p.at(1).space {
			break
		}
		if base == "cute" || base == "cutlass" || base == "std" {
			start = p.at(1).start
		}
		p.pos++
	}
	return base, p.src[start:p.end()]
}

// term parses a name with its parts.
func (p *parser) term() *node {
	start := p.peek().start
	for qualifiers[p.text(p.peek())] && p.at(1).kind == tokIdent {
		p.pos++
	}
	if p.peek().kind != tokIdent {
		return nil
	}
	t := term{start: start}
	t.base, t.full = p.name()
	t.role = roles()[t.base]
	if isEngine(t.base) && p.notation(t.base) == "" {
		if n := p.engine(&t); n != nil {
			return n
		}
	}
	if n, ok := p.special(&t); ok {
		return n
	}
	if !p.template(&t) || !p.braces(&t) || !p.arguments(&t) {
		return nil
	}
	for p.peek().kind == tokScope && p.at(1).kind == tokIdent { // ::type
		p.pos += 2
	}
	t.end = p.end()
	return p.trailing(p.swizzledPointer(p.build(&t)))
}

// special parses a name that does not use parameters: a static integer, a type of integers, a lambda, a wildcard, a
// record, or the head of a notation that is not read. It reports whether the name is such a name.
func (p *parser) special(t *term) (*node, bool) {
	if n := p.indexMap(t); n != nil {
		return n, true
	}
	name := p.notation(t.base)
	switch {
	case name != "":
		return p.foreignTerm(name, t.start), true
	case p.toks[p.pos-1].kind == tokStatic: // cute::_128
		p.emptyBraces()
		return &node{kind: nodeInt, text: decimal(t.base), start: t.start, end: p.end()}, true
	case integerTypes[t.base] && (!p.is('(') || p.at(1).kind == tokInt && p.at(2).c == ')'):
		return p.runtime(t), true
	case t.base == "lambda":
		return p.lambda(t), true
	case p.isWild(t.base):
		p.emptyBraces()
		return &node{kind: nodeWild, start: t.start, end: p.end()}, true
	case p.opensRecord(t.base, int(t.start)):
		return p.record(t), true
	}
	return nil, false
}

// isWild reports whether a name is a wildcard. X is a wildcard only among parameters.
func (p *parser) isWild(name string) bool {
	switch name {
	case "_", "None", "Underscore":
		return true
	}
	return name == "X" && (p.types > 0 || p.calls > 0)
}

// swizzledPointer parses CuTe's print of a pointer that swizzles its addresses: Sw<3,4,3>_smem_ptr[16b](0x7f10).
func (p *parser) swizzledPointer(n *node) *node {
	if n == nil || n.kind != nodeSwizzle || p.peek().kind != tokIdent || p.peek().space || p.src[p.peek().start] != '_' {
		return n
	}
	e := term{start: p.peek().start, base: strings.TrimPrefix(p.text(p.peek()), "_")}
	if !isEngine(e.base) {
		return n
	}
	p.pos++
	ptr := p.engine(&e)
	if ptr == nil {
		return n
	}
	ptr.kids = []*node{n}
	ptr.start = n.start
	return ptr
}

// template parses a template list. After a name, '<' opens a list only if the name takes template arguments, or within
// a type.
func (p *parser) template(t *term) bool {
	if !p.is('<') {
		return true
	}
	if t.role == roleNone && p.types == 0 && (p.calls == 0 || p.peek().space) {
		return true
	}
	save, notes := p.pos, len(p.notes)
	p.pos++
	p.types++
	kids, ok := p.elements('>', "'>'", ",")
	p.types--
	if !ok {
		if t.role != roleNone {
			return false
		}
		p.pos, p.notes = save, p.notes[:min(notes, len(p.notes))]
		return true
	}
	t.targs, t.template = kids, true
	return true
}

// braces parses {} and the values of a braced initialiser, as in Layout<...>{shape, stride}.
func (p *parser) braces(t *term) bool {
	t.made = p.is('{') && p.at(1).c == '}'
	p.emptyBraces()
	if !p.is('{') || p.peek().space || t.role == roleNone {
		return true
	}
	p.pos++
	p.calls++
	kids, ok := p.elements('}', "'}'", ",")
	p.calls--
	t.args, t.call = kids, len(kids) > 0
	return ok
}

// arguments parses the arguments of a call. After the braces of a layout they are a coordinate: Layout<...>{}(6).
func (p *parser) arguments(t *term) bool {
	if !p.is('(') || t.call || t.made && t.role == roleLayout || p.peek().space && t.role == roleNone {
		return true
	}
	if t.role != roleNone && p.types > 0 && t.template && t.role != roleCall {
		return true
	}
	p.calls++
	p.pos++
	kids, ok := p.elements(')', "')'", ",")
	p.calls--
	p.emptyBraces()
	t.args, t.call = kids, true
	return ok
}

// trailing skips subscripts and members after a name: tensor.shape[1], x.size(). Their values are known only at run
// time.
func (p *parser) trailing(n *node) *node {
	if n == nil || p.calls == 0 || n.kind != nodeSym && n.kind != nodeCall && n.kind != nodeOpaque {
		return n
	}
	for range maxOpaque {
		t := p.peek()
		switch {
		case t.c == '[' && !t.space:
			p.pos++
			p.opaque(']')
			if !p.is(']') {
				return nil
			}
			p.pos++
		case t.c == '.' && !t.space && p.at(1).kind == tokIdent:
			p.pos += 2
			if p.is('(') && p.argumentList() == nil {
				return nil
			}
		default:
			return n
		}
		n = &node{kind: nodeOpaque, text: oneLine(p.src[n.start:p.end()]), start: n.start, end: p.end()}
	}
	return nil
}

// runtime parses a type of integers, or a value of such a type: int, unsigned long, int{5}, Int32(8).
func (p *parser) runtime(t *term) *node {
	for p.peek().kind == tokIdent && integerTypes[p.text(p.peek())] {
		p.pos++
	}
	if open := p.peek().c; (open == '{' || open == '(') && (p.at(1).kind == tokInt || p.at(1).kind == tokMixed) &&
		(p.at(2).c == '}' || p.at(2).c == ')') {
		value := p.text(p.at(1))
		p.pos += 3
		p.note("%s is an integer of run time: read as ?, which is %s here", oneLine(p.src[t.start:p.end()]), value)
	}
	p.emptyBraces()
	return &node{kind: nodeDyn, text: "?", start: t.start, end: p.end()}
}

// lambda skips a Python lambda up to the end of the argument.
func (p *parser) lambda(t *term) *node {
	if p.calls == 0 {
		return nil
	}
	for k := 0; k < maxOpaque && !p.is(':') && p.peek().kind != tokEOF; k++ {
		p.pos++
	}
	p.opaque(')')
	return &node{
		kind: nodeOpaque, text: strings.Join(strings.Fields(p.src[t.start:p.end()]), " "), start: t.start, end: p.end(),
	}
}

// counters are the iterators whose elements are the integers from a number on.
var counters = map[string]bool{"counting_iter": true, "counting_iterator": true, "make_counting_iterator": true}

// isEngine reports whether a name is an iterator, which is printed before the layout of a tensor.
func isEngine(base string) bool {
	if counters[base] {
		return true
	}
	if strings.HasPrefix(base, "make_") || strings.HasPrefix(base, "recast_") || roles()[base] == roleTuple {
		return false
	}
	return strings.HasSuffix(base, "ptr") || strings.Contains(base, "ptr_") || base == "subbyte_iterator" ||
		strings.HasSuffix(base, "Iterator") || base == "ViewEngine" || base == "ArrayEngine" || base == "ConstViewEngine"
}

// engine parses an iterator with its brackets: smem_ptr[16b](0x7f10), ptr<f16, smem, align<16>>, raw_ptr(0x0: f32). It
// returns nil if neither brackets nor an o follow the name.
func (p *parser) engine(t *term) *node {
	start := p.pos
	for _, pair := range []string{"<>", "[]", "()", "{}"} {
		if pair == "{}" && !counters[t.base] {
			break
		}
		if p.is(pair[0]) && !p.peek().space && !p.skipBalanced(pair[0], pair[1]) {
			return nil
		}
	}
	if p.pos == start && !p.ring() {
		return nil
	}
	if t.base == "smem_ptr_flag_bits" || t.base == "smem_sparse_ptr_flag_bits" {
		return p.flag(t, start)
	}
	p.emptyBraces()
	text := t.base
	if p.pos > start {
		text += oneLine(p.src[p.toks[start].start:p.end()])
	}
	ptr := &node{kind: nodePtr, text: text, start: t.start, end: p.end()}
	if w := swizzleOf(text, ptr.start, ptr.end); w != nil {
		ptr.kids = []*node{w}
	}
	if n := p.countFrom(start); counters[t.base] && n.text != "0" {
		ptr.kids = []*node{n}
	}
	return ptr
}

// countFrom returns the first element of the iterator whose brackets begin at a token: 0, a number in the brackets, or
// ? if they contain anything else.
func (p *parser) countFrom(start int) *node {
	n, sign := &node{kind: nodeInt, text: "0"}, ""
	for k := start; k < p.pos; k++ {
		u := &p.toks[k]
		switch {
		case (u.kind == tokInt || u.kind == tokStatic) && n.end == 0:
			n.text, n.start, n.end = sign+decimal(p.text(u)), u.start, u.end
		case u.c == '-' && sign == "" && n.end == 0:
			sign = "-"
		case strings.IndexByte("<>(){}", u.c) < 0 && p.toks[k-1].c != '<':
			return &node{kind: nodeDyn, text: "?"}
		}
	}
	return n
}

// flag converts smem_ptr_flag_bits<16>{}, the offset of a swizzled layout that counts in bytes, to
// smem_ptr[16b](unset).
func (p *parser) flag(t *term, start int) *node {
	text := "smem_ptr(unset)"
	for k := start; k < p.pos; k++ {
		if u := &p.toks[k]; u.kind == tokInt || u.kind == tokStatic {
			text = "smem_ptr[" + decimal(p.text(u)) + "b](unset)"
		}
	}
	p.emptyBraces()
	return &node{kind: nodePtr, text: text, start: t.start, end: p.end()}
}

// skipBalanced skips brackets and their contents. It reports whether the brackets close.
func (p *parser) skipBalanced(open, end byte) bool {
	level := 0
	for range maxOpaque {
		switch c := p.peek().c; {
		case c == open:
			level++
		case c == end:
			level--
		case p.peek().kind == tokEOF:
			return false
		}
		p.pos++
		if level == 0 {
			return true
		}
	}
	return false
}
