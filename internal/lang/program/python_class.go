package program

// This file parses the statements of Python about classes, exceptions and contexts.

// pythonClass parses a class after its decorators.
func (p *parser) pythonClass(decorators []Expr, from int) Stmt {
	p.i++ // class
	c := &Class{Decorators: decorators, Name: p.name("the name of the class").Name}
	if p.accept("(") {
		p.inside(func() { c.Bases = p.pythonArgs() })
		p.expect(")", "',' or ')'")
	}
	inDef, loops, inClass := p.inDef, p.loops, p.inClass
	p.inDef, p.loops, p.inClass = false, 0, true
	c.Body = p.block("class")
	p.inDef, p.loops, p.inClass = inDef, loops, inClass
	c.Span = p.since(from)
	return c
}

// pythonRaise parses raise X from Y.
func (p *parser) pythonRaise() Stmt {
	from := p.tok().From
	p.i++
	st := &Raise{}
	if !p.endsSmall() {
		st.X = p.operators(0, "an exception")
	}
	if p.accept("from") {
		p.operators(0, "an exception")
	}
	st.Span = p.since(from)
	return st
}

// pythonTry parses try, except, else and finally.
func (p *parser) pythonTry() Stmt {
	from, st := p.tok().From, &Try{}
	p.i++
	p.tries++
	st.Body = p.block("try")
	p.tries--
	for p.accept("except") {
		h := Handler{}
		if !p.is(":") {
			h.Type = p.header("an exception", func(what string) Expr { return p.operators(0, what) })
		}
		if p.accept("as") {
			h.Name = p.name("a name for the exception").Name
		}
		h.Body = p.block("except")
		st.Handlers = append(st.Handlers, h)
		p.chain(len(st.Handlers) * 10)
	}
	if len(st.Handlers) > 0 && p.accept("else") {
		st.Else = p.block("else")
	}
	if p.accept("finally") {
		st.Finally = p.block("finally")
	} else if len(st.Handlers) == 0 {
		p.refuse("expected except or finally after try")
	}
	st.Span = p.since(from)
	return st
}

// pythonWith parses a context, whose block is refused if it runs.
func (p *parser) pythonWith() Stmt {
	from := p.tok().From
	p.i++
	for depth := 0; depth > 0 || !p.is(":"); p.i++ {
		if t := p.tok(); t.kind == tokenNewline || t.kind == tokenEnd {
			p.refuse("expected ':' after with")
		} else {
			depth += t.depth()
		}
	}
	span := p.since(from)
	p.block("with")
	return &Refusal{span, "a context", ""}
}
