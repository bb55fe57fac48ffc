package consistency

import "strings"

// An expr is an expression of the notation, as a tree.
type expr struct {
	op   byte // 'n' a name, '[' the identity on a set, '|', '&', '\\', ';', '?', '+', '*', '-' the inverse
	name string
	row  int // of the name
	a, b *expr
}

// parse reads an expression. The rows are constants, so an error in one of them panics when the table is first used.
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

// levels are the binary operators, from those that bind least.
var levels = [...]string{"|", `\`, "&", ";"}

// binary reads operands between the operators of a level.
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

// suffix reads an operand and the operators after it.
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
