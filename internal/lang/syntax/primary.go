package syntax

// primary parses an operand without minus signs before and postfixes after it. sign is the offset
// of a minus sign that stands directly before it, for an integer literal to take, or -1.
func (p *parser) primary(sign int) Expr {
	p.height = 1
	start := p.tok.Pos
	switch p.tok.Kind {
	case KindInt:
		return p.literal(start, sign)
	case KindIdent:
		return p.name(sign)
	case KindQuestion:
		p.advance()
		return p.symbol(start, "")
	case KindLParen:
		elems, comma := p.list(tupleList)
		if p.err != nil || !p.raise(0) {
			return nil
		}
		return p.slab.tuple(Tuple{span(start, p.end), elems, comma})
	case KindLBrace: // a list, as girih and C++ write it
		elems, _ := p.list(bracedList)
		if p.err != nil || !p.raise(0) {
			return nil
		}
		return p.slab.tuple(Tuple{span(start, p.end), elems, len(elems) == 1})
	case KindLess:
		return p.tiler(angleTiler)
	case KindLBracket:
		return p.tiler(squareTiler)
	case KindWildcard:
		return p.wildcard(start)
	case KindBool:
		value := p.text() == "true"
		p.advance()
		return &Bool{span(start, p.end), value}
	}
	p.expected("an expression")
	return nil
}

// namespace is the prefix that names may have. It is no name itself, which would make cute.f()
// ambiguous.
const namespace = "cute"

// prefix reports whether a name, the token before the current one, is a namespace: cute, or the cutlass of
// cutlass.Int32 and cutlass::half_t. That alone is a name like any other.
func (p *parser) prefix(name string) bool {
	return name == namespace || name == "cutlass" && (p.tok.Kind == KindColonColon || p.tok.Kind == KindDot)
}

func (p *parser) tiler(b brackets) Expr {
	start := p.tok.Pos
	elems, _ := p.list(b)
	if p.err != nil || !p.raise(0) {
		return nil
	}
	return &Tiler{span(start, p.end), elems}
}

// wildcard parses '_' or None, at start but for a prefix.
func (p *parser) wildcard(start int) Expr {
	p.advance()
	if !p.braces() {
		return nil
	}
	return &Wildcard{span(start, p.end)}
}

// name parses what begins with a name: an identifier, a call, an integer such as Int<4>{} or a
// swizzle. A namespace before it is dropped, however often it is repeated.
func (p *parser) name(sign int) Expr {
	start := p.tok.Pos
	at, name := start, p.text()
	p.advance()
	qualified := false
	for p.prefix(name) {
		prefix := name
		p.skipLines()
		if p.tok.Kind != KindColonColon && p.tok.Kind != KindDot {
			p.expected("'::' or '.' after the namespace 'cute'")
			return nil
		}
		qualified = true
		p.advance()
		p.skipLines()
		at, name = p.tok.Pos, p.text()
		switch {
		case p.tok.Kind == KindWildcard:
			return p.wildcard(start)
		case p.tok.Kind == KindInt && name[0] == '_':
			return p.literal(start, sign)
		case p.tok.Kind != KindIdent:
			p.expected("a name after the namespace '" + prefix + "'")
			return nil
		}
		p.advance()
	}
	end := p.end
	if p.tok.Kind == KindLBracket && !p.pathFollows() {
		return p.index(&Ident{span(start, end), name})
	}
	modes, ok := p.modes(name)
	if !ok {
		return nil
	}
	switch {
	case modes != nil && p.tok.Kind != KindLess && p.tok.Kind != KindLParen:
		return p.mode(&Ident{span(start, end), name}, modes)
	case modes != nil && p.tok.Kind == KindLParen:
		return p.call(&Call{Name: name, NamePos: at, Qualified: qualified, Modes: modes}, start)
	case modes != nil:
		list := p.template(name)
		if p.err != nil {
			return nil
		}
		return p.call(&Call{Name: name, NamePos: at, Qualified: qualified, Modes: modes, Template: list}, start)
	}
	switch p.tok.Kind {
	case KindLess:
		switch name {
		case "Int", "C":
			return p.typedInt(start, sign, name)
		case "Sw", "S", "Swizzle":
			return p.swizzle(start, name)
		}
		list := p.template(name)
		if p.err != nil {
			return nil
		}
		p.skipLines()
		if name == unit && p.tok.Kind == KindLBrace {
			return p.unit(&Call{Name: name, NamePos: at, Qualified: qualified, Template: list}, start)
		}
		return p.call(&Call{Name: name, NamePos: at, Qualified: qualified, Template: list}, start)
	case KindLBrace:
		if p.recordFollows() {
			return p.record(start, name)
		}
		if p.factsFollow() {
			return p.symbol(start, name)
		}
		if !p.braces() {
			return nil
		}
	}
	if p.tok.Kind == KindLParen {
		return p.call(&Call{Name: name, NamePos: at, Qualified: qualified}, start)
	}
	return &Ident{span(start, p.end), name}
}

// mode completes L[0,1], which is get<0,1>(L).
func (p *parser) mode(of *Ident, path []int) Expr {
	if !p.raise(0) {
		return nil
	}
	c := &Call{Span: span(of.Pos(), p.end), Name: "get", NamePos: of.Pos(), Args: []Arg{{KeyPos: -1, X: of}}, Index: true}
	for _, m := range path {
		c.Template = append(c.Template, &Int{Span: c.Span, Value: int64(m)})
	}
	return c
}

// pathFollows reports whether brackets hold numbers only, a path of modes.
func (p *parser) pathFollows() bool {
	ahead := p.scan
	k := ahead.next().Kind
	for k == KindInt || k == KindComma || k == KindMinus || k == KindNewline {
		k = ahead.next().Kind
	}
	return k == KindRBracket
}

// index parses the brackets of X[a,b], which is get(X,a,b).
func (p *parser) index(of Expr) Expr {
	left := p.height
	elems, _ := p.list(indexList)
	if p.err != nil || !p.raise(left) {
		return nil
	}
	c := &Call{Span: span(of.Pos(), p.end), Name: "get", NamePos: of.Pos(), Args: []Arg{{KeyPos: -1, X: of}}, Index: true}
	c.Qualified = true // get may be bound
	for _, x := range elems {
		c.Args = append(c.Args, Arg{KeyPos: -1, X: x})
	}
	return c
}

// unit is the name of the unit coordinate, which C++ makes of a type: E<0,1>{} is E<0,1>().
const unit = "E"

// unit completes E<0,1>{}.
func (p *parser) unit(c *Call, start int) Expr {
	if !p.braces() || !p.raise(0) {
		return nil
	}
	c.Span = span(start, p.end)
	return c
}

// call parses the argument list of a call and completes it.
func (p *parser) call(c *Call, start int) Expr {
	c.Args = p.args(c, nil)
	if p.err != nil || !p.raise(0) {
		return nil
	}
	c.Span = span(start, p.end)
	return c
}
