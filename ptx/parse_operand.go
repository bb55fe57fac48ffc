package ptx

import "math/bits"

// operand reads an operand of an instruction, or a value in an initialiser.
func (p *parser) operand() Operand {
	switch p.kind {
	case word:
		return p.namedOperand()
	case number:
		c := p.literal("a number")
		if p.kind == '(' {
			return p.maskedOperand(c)
		}
		return p.binary(c, 0).operand()
	case '[':
		return p.address()
	case '{':
		return Vec(p.list('}'))
	case '(':
		if p.call {
			return Args(p.list(')'))
		}
	case '!', '-':
		op := p.kind
		p.next()
		if p.kind == word && !p.isWarpSize() {
			return Unary{byte(op), p.member()}
		}
		return p.binary(p.unaryOf(op), 0).operand()
	case '+', '~':
	default:
		p.fail("an operand")
		return Sink
	}
	return p.constant(0).operand()
}

// member reads a name with its component or part, such as "%tid.x".
func (p *parser) member() Name {
	if p.kind != word || p.token() == "%" {
		p.fail("a name")
		return ""
	}
	for p.end+1 < len(p.src) && p.src[p.end] == '.' && class[p.src[p.end+1]]&isStart != 0 {
		p.end = follow(p.src, p.end+1)
	}
	n := Name(p.token())
	p.next()
	return n
}

// warpSize is the only named constant of PTX (PTX ISA 4.5.1). On every target, its value is warpLanes.
const warpSize, warpLanes = Name("WARP_SZ"), 32

// isWarpSize reports whether the current token is warpSize.
func (p *parser) isWarpSize() bool { return p.kind == word && p.token() == string(warpSize) }

// namedOperand reads an operand that begins with a name.
func (p *parser) namedOperand() Operand {
	n := p.member()
	if n == warpSize {
		return p.binary(constant{bits: warpLanes}, 0).operand()
	}
	switch p.kind {
	case ',', ';':
		return p.intern(n)
	case '|':
		p.next()
		return Pair{n, p.member()}
	case '[':
		a := p.address()
		if a.Args != nil {
			p.fail("']'")
		}
		return Elem{n, a.Base, a.Offset}
	case '=':
		p.next()
		return Field{n, p.fieldValue()}
	case '(':
		if n == "generic" {
			return p.sym(n).operand()
		}
	case '+', '-':
		return p.sym(n).operand()
	}
	return p.intern(n)
}

// fieldValue reads a name or a number and returns either as a Name.
func (p *parser) fieldValue() Name {
	if p.kind == number {
		return Name(Int(p.integer("a value", 0, 1<<31)).String())
	}
	return p.name("a value")
}

// sym reads the rest of an address after the name n: a variable in parentheses, as in generic(x), and an offset. Both
// are optional.
func (p *parser) sym(n Name) Sym {
	s := Sym{Name: n}
	if p.got('(') {
		s.Generic = true
		s.Name = p.name("the name of a variable")
		if p.kind == '+' || p.kind == '-' {
			s.Offset = p.offset()
		}
		p.want(')')
	}
	if p.kind == '+' || p.kind == '-' {
		s.Offset += p.offset()
	}
	return s
}

// operand returns s, or s.Name if no other field is set.
func (s Sym) operand() Operand {
	if s == (Sym{Name: s.Name}) {
		return s.Name
	}
	return s
}

// maskedOperand reads the rest of 0xff00(name) after the mask.
func (p *parser) maskedOperand(mask constant) Operand {
	if p.err == nil && (mask.float || mask.bits == 0) {
		p.failBehind("',' or ';'")
	}
	p.want('(')
	if k := p.kind; k == number || k == '-' || k == '+' || k == '~' || k == '(' || p.isWarpSize() { // bits of a constant
		c := p.constant(0)
		p.want(')')
		return Int(c.bits & mask.bits >> bits.TrailingZeros64(mask.bits))
	}
	n := p.name("the name of a variable")
	s := Sym{Name: n}
	if n != "generic" || p.kind == '(' {
		s = p.sym(n)
	}
	s.Mask = mask.bits
	p.want(')')
	return s
}

// offset reads the terms added to a name, each after a sign, and returns their sum.
func (p *parser) offset() int64 {
	var sum int64
	for p.kind == '+' || p.kind == '-' {
		minus := p.kind == '-'
		p.next()
		at := p.scanner
		c := p.constant(precedence('+') + 1)
		if p.err == nil && c.float {
			p.failAt(CodeSyntax, at, "an integer", c.String())
		}
		if minus {
			c.bits = -c.bits
		}
		sum += int64(c.bits)
	}
	return sum
}

// address reads an operand in brackets.
func (p *parser) address() Addr {
	if !p.enter() {
		return Addr{}
	}
	defer p.leave()
	p.next()
	var a Addr
	switch p.kind {
	case word:
		n := p.member()
		if n == warpSize {
			a.Base = Int(p.binary(constant{bits: warpLanes}, 0).bits)
			break
		}
		a.Base = p.intern(n)
		if p.kind == '+' || p.kind == '-' {
			a.Offset = p.offset()
		}
	case number, '-', '+', '(', '~':
		a.Base = Int(p.integer("an address", -1<<63, 1<<63-1))
	default:
		p.fail("an address")
		return a
	}
	if p.got(']') {
		return a
	}
	mark := p.mark()
	for p.got(',') {
		p.push(p.operand())
	}
	if p.kind != ']' {
		p.failBehind("'+', ',' or ']'")
		return a
	}
	a.Args = p.pop(mark)
	p.next()
	return a
}

// list reads operands up to the closing bracket.
func (p *parser) list(closing kind) []Operand {
	if !p.enter() {
		return nil
	}
	defer p.leave()
	p.next()
	if p.got(closing) {
		return nil
	}
	mark := p.mark()
	for {
		p.push(p.operand())
		if p.kind == closing {
			break
		}
		if p.kind != ',' {
			p.failBehind("',' or '" + string(rune(closing)) + "'")
			return nil
		}
		p.next()
	}
	list := p.pop(mark)
	p.next()
	return list
}
