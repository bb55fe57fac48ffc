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
		st.Cause = p.operators(0, "an exception")
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

// pythonWith parses with X as TARGET, ..., also in parentheses.
func (p *parser) pythonWith() Stmt {
	from, st := p.tok().From, &With{}
	p.i++
	start := p.i
	closer := ":"
	if p.is("(") && p.isGroup() {
		p.i++
		closer = ")"
	}
	list := func() {
		for !p.is(closer) {
			c := Context{X: p.conditional("a context")}
			if p.accept("as") {
				c.Target = p.target()
				p.checkTarget(c.Target)
			}
			st.Contexts = append(st.Contexts, c)
			if p.chain(len(st.Contexts) * 10); !p.accept(",") {
				break
			}
		}
	}
	if closer == ")" {
		p.inside(list)
		p.expect(")", "',' or ')'")
	} else {
		p.header("a context", func(string) Expr { list(); return nil })
	}
	if p.i == start || len(st.Contexts) == 0 {
		p.refuse("expected a context")
	}
	st.Body = p.block("with")
	st.Span = p.since(from)
	return st
}

// isGroup reports whether the parenthesis that begins here ends before the colon of the line.
func (p *parser) isGroup() bool {
	depth := 0
	for i := p.i; i < len(p.tokens) && p.tokens[i].kind != tokenNewline; i++ {
		if depth += p.tokens[i].depth(); depth == 0 {
			return i+1 < len(p.tokens) && p.tokens[i+1].text == ":"
		}
	}
	return false
}
