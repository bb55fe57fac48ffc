package syntax

// primary parses an operand without the minus signs before it and the postfixes after it. sign is the offset of a minus
// sign directly before it, which becomes part of an integer literal, or -1.
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
		return p.tuple()
	case KindLBrace:
		return p.bracedTuple()
	case KindLess:
		return p.tiler(angleTiler)
	case KindLBracket:
		if end := functionEnd(p.scan.src, start); end >= 0 {
			return p.lambda(start, end)
		}
		return p.square()
	case KindWildcard:
		return p.wildcard(start)
	case KindBool:
		value := p.text() == "true"
		p.advance()
		return &Bool{span(start, p.end), value}
	}
	return p.latex()
}

// namespace is the prefix that names may have. cute cannot itself be a name: a name would make cute.f() ambiguous.
const namespace = "cute"

// prefix reports whether a name, the token before the current one, is a namespace: cute, or cutlass as in cutlass.Int32
// and cutlass::half_t. cutlass alone is an ordinary name.
func (p *parser) prefix(name string) bool {
	return name == namespace || name == "cutlass" && (p.tok.Kind == KindColonColon || p.tok.Kind == KindDot)
}

// tuple parses a tuple in parentheses, grouping, or a concatenation such as (L,*).
func (p *parser) tuple() Expr {
	start := p.tok.Pos
	elems, comma := p.list(tupleList)
	if p.err != nil || !p.raise(0) {
		return nil
	}
	if x := p.concatenation(start, elems); x != nil {
		return x
	}
	return p.slab.tuple(Tuple{Span: span(start, p.end), Elems: elems, TrailingComma: comma})
}

// bracedTuple parses a tuple in braces, as girih and C++ write lists. {4} is a tuple of one element.
func (p *parser) bracedTuple() Expr {
	start := p.tok.Pos
	elems, _ := p.list(bracedList)
	if p.err != nil || !p.raise(0) {
		return nil
	}
	return p.slab.tuple(Tuple{span(start, p.end), elems, len(elems) == 1, true})
}

func (p *parser) tiler(b brackets) Expr {
	start := p.tok.Pos
	elems, _ := p.list(b)
	if p.err != nil || !p.raise(0) {
		return nil
	}
	return &Tiler{Span: span(start, p.end), Elems: elems}
}

// wildcard parses '_' or None. It begins at start, or before that with a prefix.
func (p *parser) wildcard(start int) Expr {
	p.advance()
	if !p.braces() {
		return nil
	}
	return &Wildcard{span(start, p.end)}
}

// name parses an expression that begins with a name: an identifier, a call, an integer such as Int<4>{}, or a swizzle.
// A namespace before the name is dropped, however often it is repeated.
func (p *parser) name(sign int) Expr {
	if start := p.tok.Pos; p.defFollows() {
		return p.lambda(start, p.defEnd(start))
	}
	n := named{start: p.tok.Pos, at: p.tok.Pos, name: p.text()}
	p.advance()
	if n.name == "lambda" && p.tok.Kind == KindIdent {
		return p.lambda(n.start, p.lambdaEnd(n.start))
	}
	for p.prefix(n.name) {
		if p.namespace(&n); p.err != nil {
			return nil
		}
		switch {
		case p.tok.Kind == KindWildcard:
			return p.wildcard(n.start)
		case p.tok.Kind == KindInt:
			return p.literal(n.start, sign)
		}
		p.advance()
	}
	return p.afterName(n, sign)
}

// afterName parses the rest of an expression that begins with the name n.
func (p *parser) afterName(n named, sign int) Expr {
	end := p.end
	if p.tok.Kind == KindLBracket && !p.pathFollows() {
		return p.index(&Ident{span(n.start, end), n.name})
	}
	modes, ok := p.modes(n.name)
	switch {
	case !ok:
		return nil
	case modes != nil && p.tok.Kind != KindLess && p.tok.Kind != KindLParen:
		return p.mode(&Ident{span(n.start, end), n.name}, modes)
	case p.tok.Kind == KindLess:
		return p.afterLess(n, modes, sign)
	case p.tok.Kind == KindLBrace:
		if p.recordFollows() {
			return p.record(n.start, n.name)
		}
		if p.factsFollow() {
			return p.symbol(n.start, n.name)
		}
		if !p.braces() {
			return nil
		}
	}
	if p.tok.Kind == KindLParen {
		return p.call(n.call(modes), n.start)
	}
	return &Ident{span(n.start, p.end), n.name}
}

// named is a name that the parser has read.
type named struct {
	start     int // the position at which the name with its namespaces begins
	at        int // the position at which the name itself begins
	name      string
	qualified bool // whether a namespace precedes the name
}

// call returns a call of the name without arguments.
func (n named) call(modes []int) *Call {
	return &Call{Name: n.name, NamePos: n.at, Qualified: n.qualified, Modes: modes}
}

// namespace moves from a namespace, the name of n, to the token after the namespace: the name in the namespace, a
// wildcard or an integer such as _4.
func (p *parser) namespace(n *named) {
	prefix := n.name
	p.skipLines()
	if p.tok.Kind != KindColonColon && p.tok.Kind != KindDot {
		p.want("'::' or '.' after the namespace 'cute'")
		return
	}
	p.advance()
	p.skipLines()
	n.qualified, n.at, n.name = true, p.tok.Pos, p.text()
	static := p.tok.Kind == KindInt && n.name[0] == '_'
	if p.tok.Kind != KindIdent && p.tok.Kind != KindWildcard && !static {
		p.want("a name after the namespace '" + prefix + "'")
	}
}

// afterLess parses a name before '<': an integer, a swizzle, or a call with a template list.
func (p *parser) afterLess(n named, modes []int, sign int) Expr {
	if modes == nil {
		switch n.name {
		case "Int", "C":
			return p.typedInt(n.start, sign, n.name)
		case "Sw", "S", "Swizzle":
			return p.swizzle(n.start, n.name)
		}
	}
	list := p.template(n.name)
	if p.err != nil {
		return nil
	}
	c := n.call(modes)
	c.Template = list
	if modes == nil {
		p.skipLines()
		if n.name == unit && p.tok.Kind == KindLBrace {
			return p.unit(c, n.start)
		}
	}
	return p.call(c, n.start)
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

// pathFollows reports whether the brackets hold only numbers, that is, a path of modes.
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
	c.Qualified = true // so that a name bound by let is not used instead of get
	for _, x := range elems {
		c.Args = append(c.Args, Arg{KeyPos: -1, X: x})
	}
	return c
}

// unit is the name of the unit coordinate. C++ writes the coordinate as a value of a type: E<0,1>{} is E<0,1>().
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
