package consistency

import "strings"

// An expr is an expression of the notation, as a tree.
type expr struct {
	op   byte // 'n' for a name, '[' for the identity on a set, '-' for the inverse; otherwise the operator
	name string
	row  int // the row of a name
	a, b *expr
}

// parse parses an expression. It panics on a syntax error: the expressions are constants of this package.
func parse(text string) *expr {
	p := &parser{rest: text}
	e := p.binary(0)
	if p.space(); p.rest != "" {
		p.fail("the end")
	}
	return e
}

type parser struct{ rest string }

func (p *parser) fail(want string) {
	panic("consistency: expected " + want + " before " + p.rest)
}

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, " ") }

// skip skips the token t if it comes next.
func (p *parser) skip(t string) bool {
	p.space()
	rest, ok := strings.CutPrefix(p.rest, t)
	if ok {
		p.rest = rest
	}
	return ok
}

// levels lists the binary operators in order of increasing precedence.
var levels = [...]string{"|", `\`, "&", ";"}

// binary parses operands that are separated by the operator of a level.
func (p *parser) binary(level int) *expr {
	if level == len(levels) {
		return p.suffix()
	}
	e := p.binary(level + 1)
	for p.skip(levels[level]) {
		e = &expr{op: levels[level][0], a: e, b: p.binary(level + 1)}
	}
	return e
}

// suffix parses an operand and the operators after it.
func (p *parser) suffix() *expr {
	e := p.operand()
	for {
		switch {
		case p.skip("^-1"):
			e = &expr{op: '-', a: e}
		case p.skip("?"):
			e = &expr{op: '?', a: e}
		case p.skip("+"):
			e = &expr{op: '+', a: e}
		case p.skip("*"):
			e = &expr{op: '*', a: e}
		default:
			return e
		}
	}
}

func (p *parser) operand() *expr {
	switch {
	case p.skip("("):
		e := p.binary(0)
		if !p.skip(")") {
			p.fail(")")
		}
		return e
	case p.skip("["):
		e := p.binary(0)
		if !p.skip("]") {
			p.fail("]")
		}
		return &expr{op: '[', a: e}
	}
	n := 0
	for n < len(p.rest) && (p.rest[n]|0x20 >= 'a' && p.rest[n]|0x20 <= 'z' || p.rest[n] == '-' && n > 0) {
		n++
	}
	if n == 0 {
		p.fail("a name")
	}
	e := &expr{op: 'n', name: p.rest[:n]}
	p.rest = p.rest[n:]
	return e
}
