package indexmap

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// This file reads the bodies of functions: local names, conditions and returns. A local name is replaced by its value.
// If only one branch of an if returns, the rest of the function is the other branch:
//
//	if (i < 4) return i * 2;      i < 4 ? i * 2 : t
//	return t;

// An outcome is what statements do: they return results, always or when a condition holds, and otherwise change local
// names.
type outcome struct {
	results []*formula // nil if the statements do not return
	when    *formula   // nil if they always return
	scope   scope
}

// returns reports whether the statements return on every path.
func (o outcome) returns() bool { return o.results != nil && o.when == nil }

// whole parses the body of a function, which must return.
func (p *parser) whole(m *Map, body func() (outcome, *Error)) *Error {
	o, err := body()
	if err != nil {
		return err
	}
	if !o.returns() {
		return p.wrong("expected a return on every path")
	}
	m.results = o.results
	return nil
}

// block parses the statements of C++ in braces, or a single statement.
func (p *parser) block() (outcome, *Error) {
	if err := p.enter(); err != nil {
		return outcome{}, err
	}
	defer p.leave()
	if !p.skip("{") {
		return p.statement(func() (outcome, *Error) { return outcome{scope: p.scope}, nil })
	}
	outer := p.scope
	p.scope = maps.Clone(outer)
	o, err := p.statements(func() bool { return p.is("}") })
	if err == nil {
		err = p.need("}")
	}
	p.scope = outer
	return outcome{o.results, o.when, within(outer, o.scope)}, err
}

// within returns the outer scope with the values that an inner scope gives its names.
func within(outer, inner scope) scope {
	s := scope{}
	for name := range outer {
		s[name] = inner[name]
	}
	return s
}

// suite parses the statements of Python after a colon, in the same line or in lines that begin right of column.
func (p *parser) suite(column int) (outcome, *Error) {
	if err := p.enter(); err != nil {
		return outcome{}, err
	}
	defer p.leave()
	if err := p.need(":"); err != nil {
		return outcome{}, err
	}
	outer := p.scope
	p.scope = maps.Clone(outer)
	defer func() { p.scope = outer }()
	at := p.peek().column
	if at < 0 { // the body is in the line of the colon
		return p.statements(func() bool { return p.peek().column >= 0 })
	}
	if at <= column {
		return outcome{}, p.wrong("expected an indented line after :")
	}
	return p.statements(func() bool { return p.peek().column >= 0 && p.peek().column < at })
}

// statements parses statements up to an end, one after the other.
func (p *parser) statements(ended func() bool) (outcome, *Error) {
	for p.skip(";") {
	}
	if ended() || p.peek().kind == tokenEnd {
		return outcome{scope: p.scope}, nil
	}
	return p.statement(func() (outcome, *Error) { return p.statements(ended) })
}

// statement parses one statement and the rest after it. After a return, the rest does not matter.
func (p *parser) statement(rest func() (outcome, *Error)) (outcome, *Error) {
	switch {
	case p.is("return"):
		p.advance()
		results, err := p.results()
		if err == nil && p.lang == cpp {
			err = p.need(";")
		}
		if err == nil && p.lang == python && !p.ends() {
			err = p.wrong("expected an operator or the end of the line")
		}
		if err != nil {
			return outcome{}, err
		}
		if _, err := rest(); err != nil {
			return outcome{}, err
		}
		return outcome{results: results, scope: p.scope}, nil
	case p.is("if"):
		return p.sequence(p.branch, rest)
	case p.lang == cpp && p.is("{"):
		return p.sequence(p.block, rest)
	}
	if err := p.assign(); err != nil {
		return outcome{}, err
	}
	return rest()
}

// sequence parses a statement and the statements after it.
func (p *parser) sequence(statement, rest func() (outcome, *Error)) (outcome, *Error) {
	o, err := statement()
	if err != nil {
		return o, err
	}
	p.scope = o.scope
	r, err := rest()
	switch {
	case err != nil || o.results == nil:
		return r, err
	case r.results == nil || o.when == nil:
		o.scope = r.scope
		return o, nil
	}
	all, err := p.either(o.when, o.results, r.results)
	if r.when != nil {
		r.when = pair(opEither, o.when, r.when)
	}
	return outcome{all, r.when, r.scope}, err
}

// either returns results that depend on a condition.
func (p *parser) either(c *formula, yes, no []*formula) ([]*formula, *Error) {
	if len(yes) != len(no) {
		return nil, p.wrong("expected results of one length, %d and %d are returned", len(yes), len(no))
	}
	all := make([]*formula, len(yes))
	for k := range all {
		all[k] = choice(c, yes[k], no[k])
	}
	return all, nil
}

// branch parses if and its else.
func (p *parser) branch() (outcome, *Error) {
	column := p.peek().column
	p.advance()
	part, condition := p.block, p.primary
	if p.lang == cpp {
		if p.skip("constexpr"); !p.is("(") {
			return outcome{}, p.wrong("expected ( after if")
		}
	} else {
		part = func() (outcome, *Error) { return p.suite(column) }
		condition = func() (*formula, *Error) { return p.formula(strengthIf) }
	}
	c, err := condition()
	if err != nil {
		return outcome{}, err
	}
	yes, err := p.within(part)
	if err != nil {
		return outcome{}, err
	}
	no := outcome{scope: p.scope}
	switch {
	case p.lang == python && p.is("elif") && p.peek().column == column:
		no, err = p.within(p.branch)
	case p.is("else") && (p.lang == cpp || p.peek().column == column):
		p.advance()
		no, err = p.within(part)
	}
	if err != nil {
		return outcome{}, err
	}
	return p.join(c, yes, no)
}

// within parses a part of a statement that may change local names, and restores the names.
func (p *parser) within(part func() (outcome, *Error)) (outcome, *Error) {
	outer := p.scope
	p.scope = maps.Clone(outer)
	o, err := part()
	p.scope = outer
	return o, err
}

// join puts both branches of a condition together.
func (p *parser) join(c *formula, yes, no outcome) (outcome, *Error) {
	all := outcome{scope: scope{}}
	for name, f := range yes.scope {
		g, ok := no.scope[name]
		switch {
		case !ok:
		case f == g || no.returns():
			all.scope[name] = f
		case yes.returns():
			all.scope[name] = g
		default:
			all.scope[name] = choice(c, f, g)
		}
	}
	var err *Error
	switch {
	case yes.results == nil && no.results == nil:
		return all, nil
	case no.results == nil:
		all.results = yes.results
	case yes.results == nil:
		all.results = no.results
	default:
		all.results, err = p.either(c, yes.results, no.results)
	}
	if !yes.returns() || !no.returns() {
		all.when = choice(c, yes.condition(), no.condition())
	}
	return all, err
}

// condition returns the condition under which statements return.
func (o outcome) condition() *formula {
	if o.when != nil {
		return o.when
	}
	return number(truth(o.results != nil).number())
}

// assign parses int x = f; in C++, and x = f or a, b = f, g in Python. Operators such as ^= may be in the place of =.
func (p *parser) assign() *Error {
	var b bindType
	if p.lang == cpp {
		p.skip("const")
		auto := p.is("auto")
		if b.t, b.typed = p.typeName(); auto {
			b.t = exact
		}
	}
	targets, err := p.targets()
	if err != nil {
		return err
	}
	sign := p.peek()
	comparison := slices.Contains([]string{"==", "!=", "<=", ">="}, sign.text)
	if sign.kind != tokenSign || !strings.HasSuffix(sign.text, "=") || comparison {
		return p.wrong("expected = after a local name")
	}
	p.advance()
	values, err := p.results()
	switch {
	case err != nil:
		return err
	case p.lang == python && !p.ends():
		return p.wrong("expected an operator or the end of the line")
	case p.lang == cpp && !p.skip(";"):
		return p.wrong("expected ;")
	case len(values) != len(targets):
		return p.wrong("expected %d values for the names, %d are given", len(targets), len(values))
	}
	return p.bind(targets, values, sign, b)
}

// targets parses the local names before =.
func (p *parser) targets() ([]string, *Error) {
	var all []string
	for {
		name := p.peek()
		if name.kind != tokenName || keyword(name.text) || strings.ContainsAny(name.text, ".:") {
			return nil, p.wrong("expected return, if or a local name")
		}
		p.advance()
		all = append(all, name.text)
		if p.lang == python && p.skip(":") {
			p.advance() // skips an annotation
		}
		if p.lang == cpp || !p.skip(",") {
			return all, nil
		}
	}
}

// A bindType is the type that a declaration of C++ gives its name.
type bindType struct {
	t     ctype
	typed bool
}

// bind gives local names their values.
func (p *parser) bind(targets []string, values []*formula, sign token, b bindType) *Error {
	changed := maps.Clone(p.scope)
	for i, name := range targets {
		f, old := values[i], p.scope[name]
		if p.lang == cpp && !b.typed && old == nil || sign.text != "=" && old == nil {
			return &Error{
				sign.start, fmt.Sprintf("expected a value of the local name %s before %s, found none", name, sign.text),
			}
		}
		if sign.text != "=" {
			o, _ := p.operator(token{text: strings.TrimSuffix(sign.text, "=")})
			f = pair(o.op, old, f)
		}
		switch {
		case b.typed && b.t != exact:
			f = f.to(b.t)
		case p.lang == cpp && !b.typed:
			f = f.to(old.typ)
		}
		if f.size > maxSize {
			return p.wrong("expected at most %d operations", maxSize)
		}
		changed[name] = f
	}
	p.scope = changed
	return nil
}
