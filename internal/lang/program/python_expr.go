package program

// This file parses the expressions of Python, by precedence:
//
//	NAME := X;  X if C else Y;  lambda;  or;  and;  not;  comparisons;  |;  ^;  &;  << >>;  + -;  * / // % @;
//	unary + - ~;  **;  calls, indices and attributes

// expression parses one expression without a comma outside brackets. The expression may be in girih's notation: see
// orNotation.
func (p *parser) expression(what string) Expr {
	return p.orNotation(func() Expr { return p.walrus(what) })
}

// expressions parses an expression, or a tuple without parentheses: a, b.
func (p *parser) expressions(what string) Expr {
	if p.is("yield") {
		return p.yield()
	}
	return p.orNotation(func() Expr {
		from := p.tok().From
		x := p.star(what)
		if !p.is(",") {
			return x // the caller refuses a single *X
		}
		list := []Expr{x}
		for p.accept(",") {
			if p.endsSmall() || p.is("=") || p.is(")") || p.is("]") || p.is(":") {
				break
			}
			list = append(list, p.star("a value"))
		}
		return &Tuple{p.since(from), list}
	})
}

// yield parses yield X, or yield from X.
func (p *parser) yield() Expr {
	t := p.tok()
	if !p.inDef {
		fail(t.Span, "yield is not in a function")
	}
	p.i++
	p.yields = true
	x := &Yield{From: p.accept("from")}
	if x.From || !p.endsSmall() && !p.is(")") && !p.is("=") {
		x.X = p.single(p.expressions("a value"))
	}
	x.Span = p.since(t.From)
	return x
}

// star parses *X or an expression.
func (p *parser) star(what string) Expr {
	from := p.tok().From
	if p.accept("*") {
		x := p.operators(0, "a value")
		return &Star{p.since(from), x}
	}
	return p.walrus(what)
}

// single refuses *X where it is no element of a tuple or a list.
func (p *parser) single(x Expr) Expr {
	if s, ok := x.(*Star); ok {
		fail(s.Span, "%s is an element of a tuple, a list or a call: write (%s,)", p.src[s.From:s.To], p.src[s.From:s.To])
	}
	return x
}

// walrus parses NAME := X, or a conditional expression.
func (p *parser) walrus(what string) Expr {
	defer p.deeper()()
	if t := p.tok(); t.kind == tokenName && p.ahead(1).text == ":=" && !isKeyword(Python, t.text) {
		p.i += 2
		p.assigns = true
		x := p.conditional("a value")
		return &Walrus{p.since(t.From), &Name{Span: t.Span, Name: t.text}, x}
	}
	return p.conditional(what)
}

func (p *parser) conditional(what string) Expr {
	from := p.tok().From
	if p.is("lambda") {
		return p.lambda()
	}
	x := p.or(what)
	if !p.is("if") {
		return x
	}
	p.i++
	c := &Cond{Then: x, Cond: p.or("a condition")}
	p.expect("else", "else")
	c.Else = p.otherwise()
	c.Span = p.since(from)
	return c
}

// otherwise parses what follows else, or the colon of a lambda.
func (p *parser) otherwise() Expr {
	defer p.deeper()()
	return p.conditional("a value")
}

func (p *parser) lambda() Expr {
	from := p.tok().From
	p.i++
	d := &Def{Src: p.src, Lang: Python}
	colon := p.colon
	p.colon = true
	d.Params = p.pythonParams(":")
	p.colon = colon
	p.expect(":", "':'")
	x := p.otherwise()
	d.Span = p.since(from)
	d.Body = []Stmt{&Return{Span{x.Pos(), x.End()}, x}}
	return &Lambda{d.Span, d}
}

func (p *parser) or(what string) Expr {
	from := p.tok().From
	x := p.and(what)
	for n := 0; p.accept("or"); n++ {
		p.chain(n)
		y := p.and("an operand")
		x = &Logic{p.since(from), true, x, y}
	}
	return x
}

func (p *parser) and(what string) Expr {
	from := p.tok().From
	x := p.not(what)
	for n := 0; p.accept("and"); n++ {
		p.chain(n)
		y := p.not("an operand")
		x = &Logic{p.since(from), false, x, y}
	}
	return x
}

func (p *parser) not(what string) Expr {
	from := p.tok().From
	if p.is("not") {
		defer p.deeper()()
		p.i++
		x := p.not("an operand")
		return &Unary{p.since(from), "not", x}
	}
	return p.comparison(what)
}

// comparison parses a chain of comparisons.
func (p *parser) comparison(what string) Expr {
	from := p.tok().From
	x := p.operators(0, what)
	c := &Compare{X: []Expr{x}}
	for {
		op := p.comparisonOperator()
		if op == "" {
			break
		}
		c.Ops = append(c.Ops, op)
		c.X = append(c.X, p.operators(0, "an operand"))
	}
	if len(c.Ops) == 0 {
		return x
	}
	c.Span = p.since(from)
	return c
}

func (p *parser) comparisonOperator() string {
	t := p.tok()
	switch t.text {
	case "==", "!=", "<", "<=", ">", ">=", "in":
		p.i++
		return t.text
	case "is":
		p.i++
		if p.accept("not") {
			return "is not"
		}
		return "is"
	case "not":
		if p.ahead(1).text == "in" {
			p.i += 2
			return "not in"
		}
	}
	return ""
}

// pythonLevels are the binary operators, the loosest first.
var pythonLevels = []map[string]bool{
	set("|"), set("^"), set("&"), set("<< >>"), set("+ -"), set("* / // % @"),
}

// operators parses the binary operators of a level and tighter ones.
func (p *parser) operators(level int, what string) Expr {
	if level == len(pythonLevels) {
		return p.unary(what)
	}
	from := p.tok().From
	x := p.operators(level+1, what)
	n := 0
	for t := p.tok(); t.kind == tokenMark && pythonLevels[level][t.text]; t = p.tok() {
		p.i++
		n++
		p.chain(n)
		y := p.operators(level+1, "an operand")
		x = &Binary{p.since(from), t.text, x, y}
	}
	return x
}

func (p *parser) unary(what string) Expr {
	t := p.tok()
	if t.kind == tokenMark && (t.text == "-" || t.text == "+" || t.text == "~") {
		defer p.deeper()()
		p.i++
		x := p.unary("an operand")
		return &Unary{p.since(t.From), t.text, x}
	}
	x := p.postfixOr(what)
	if p.accept("**") {
		defer p.deeper()()
		y := p.unary("an operand")
		x = &Binary{p.since(t.From), "**", x, y}
	}
	return x
}

// postfix parses an operand with its calls, indices and attributes.
func (p *parser) postfix() Expr { return p.postfixOr("a name") }

func (p *parser) postfixOr(what string) Expr {
	from := p.tok().From
	x := p.operand(what)
	for n := 0; ; n++ {
		p.chain(n)
		switch {
		case p.accept("("):
			c := &Call{Fn: x}
			p.inside(func() { c.Args = p.pythonArgs() })
			p.expect(")", "',' or ')'")
			c.Span = p.since(from)
			x = c
		case p.accept("["):
			var i Expr
			p.inside(func() { i = p.subscript() })
			p.expect("]", "']'")
			x = &Index{p.since(from), x, []Expr{i}}
		case p.is(".") && p.ahead(1).kind == tokenName && !isKeyword(Python, p.ahead(1).text):
			p.i++
			t := p.tok()
			p.i++
			x = &Attr{Span: p.since(from), X: x, Name: t.text, At: t.From}
		default:
			return x
		}
	}
}

// pythonArgs parses the arguments of a call.
func (p *parser) pythonArgs() (list []Arg) {
	for !p.is(")") {
		from := p.tok().From
		switch t := p.tok(); {
		case p.accept("**"):
			x := p.walrus("a value")
			list = append(list, Arg{X: &Star{p.since(from), x}, Two: true})
		case p.accept("*"):
			x := p.walrus("a value")
			list = append(list, Arg{X: &Star{p.since(from), x}})
		case t.kind == tokenName && p.ahead(1).text == "=" && !isKeyword(Python, t.text):
			p.i += 2
			list = append(list, Arg{Name: t.text, X: p.expression("a value")})
		default:
			x := p.expression("an argument")
			if p.is("for") {
				x = p.comprehension('(', nil, x, from)
				if len(list) > 0 || p.is(",") {
					fail(p.since(from), "expected parentheses around a generator that is not the only argument")
				}
			}
			list = append(list, Arg{X: x})
		}
		if !p.accept(",") {
			break
		}
	}
	p.checkArgs(list)
	return list
}

// checkArgs refuses an argument by its place after one with a name, and two arguments of one name.
func (p *parser) checkArgs(list []Arg) {
	names := make(map[string]bool)
	two := false
	for _, a := range list {
		at := Span{a.X.Pos(), a.X.End()}
		_, star := a.X.(*Star)
		switch {
		case a.Name != "" && names[a.Name]:
			fail(at, "two arguments are named %s", a.Name)
		case a.Name == "" && !a.Two && (two || len(names) > 0 && !star):
			fail(at, "expected a name before this argument, as one before it has a name")
		}
		if a.Name != "" {
			names[a.Name] = true
		}
		two = two || a.Two
	}
}

// subscript parses what is between the brackets of an index: values and slices.
func (p *parser) subscript() Expr {
	from := p.tok().From
	x := p.slice()
	if _, star := x.(*Star); !star && !p.is(",") {
		return x
	}
	list := []Expr{x}
	for p.accept(",") && !p.is("]") {
		list = append(list, p.slice())
	}
	return &Tuple{p.since(from), list}
}

func (p *parser) slice() Expr {
	from := p.tok().From
	s := &Slice{}
	if !p.is(":") {
		x := p.star("an index")
		if _, star := x.(*Star); star || !p.is(":") {
			return x
		}
		s.Low = x
	}
	p.i++
	ends := func() bool { return p.is("]") || p.is(",") || p.is(":") }
	if !ends() {
		s.High = p.walrus("an index")
	}
	if p.accept(":") && !ends() {
		s.Step = p.walrus("a step")
	}
	s.Span = p.since(from)
	return s
}

// operand parses a literal, a name, or brackets.
func (p *parser) operand(what string) Expr {
	t := p.tok()
	switch {
	case t.kind == tokenNumber:
		p.i++
		return pythonNumber(t)
	case t.kind == tokenText:
		return p.pythonText()
	case t.text == "True" || t.text == "False" || t.text == "None":
		p.i++
		return &Constant{t.Span, t.text}
	case t.kind == tokenName && !isKeyword(Python, t.text):
		p.i++
		return &Name{Span: t.Span, Name: t.text}
	case t.kind != tokenMark:
	case t.text == "(":
		return p.parentheses()
	case t.text == "[":
		return p.list()
	case t.text == "{":
		return p.braces()
	case t.text == "...":
		p.i++
		return &Constant{t.Span, "Ellipsis"}
	}
	p.refuse("expected " + what)
	return nil
}

// parentheses parses (X), a tuple, or a generator. Only a comma makes a tuple.
func (p *parser) parentheses() Expr {
	defer p.deeper()()
	from := p.tok().From
	p.i++
	if p.accept(")") {
		return &Tuple{p.since(from), nil}
	}
	var x Expr
	p.inside(func() {
		if p.is("yield") {
			x = p.yield()
		} else {
			x = p.element()
		}
	})
	switch {
	case p.is("for"):
		x = p.comprehension('(', nil, p.single(x), from)
	case p.is(","):
		list := []Expr{x}
		for p.accept(",") && !p.is(")") {
			p.inside(func() { list = append(list, p.element()) })
		}
		p.expect(")", "',' or ')'")
		return &Tuple{p.since(from), list}
	}
	p.expect(")", "',' or ')'")
	if c, ok := x.(*Comprehension); ok && c.From == from {
		c.Span = p.since(from)
	}
	return p.single(x)
}

// element parses an element of brackets, which may be in girih's notation.
func (p *parser) element() Expr {
	return p.orNotation(func() Expr { return p.star("a value") })
}

func (p *parser) list() Expr {
	defer p.deeper()()
	from := p.tok().From
	p.i++
	l := &List{}
	for !p.is("]") {
		p.inside(func() { l.Elems = append(l.Elems, p.element()) })
		if p.is("for") && len(l.Elems) == 1 {
			x := p.comprehension('[', nil, p.single(l.Elems[0]), from)
			p.expect("]", "']'")
			return x
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("]", "',' or ']'")
	l.Span = p.since(from)
	return l
}

// braces parses a dict or a set.
func (p *parser) braces() Expr {
	defer p.deeper()()
	from := p.tok().From
	p.i++
	d, s := &Dict{}, &Set{}
	for !p.is("}") {
		if p.accept("**") {
			d.Keys, d.Values = append(d.Keys, nil), append(d.Values, p.operators(0, "a dict"))
		} else {
			var x Expr
			p.inside(func() { x = p.star("a value") })
			if p.accept(":") {
				d.Keys, d.Values = append(d.Keys, p.single(x)), append(d.Values, p.dictValue())
			} else {
				s.Elems = append(s.Elems, x)
			}
			if p.is("for") && len(d.Keys)+len(s.Elems) == 1 {
				var c Expr
				if len(s.Elems) == 1 {
					c = p.comprehension('{', nil, p.single(x), from)
				} else {
					c = p.comprehension(':', x, d.Values[0], from)
				}
				p.expect("}", "'}'")
				return c
			}
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("}", "',' or '}'")
	if len(s.Elems) > 0 && len(d.Keys) > 0 {
		fail(p.since(from), "expected all elements of the braces with a colon, or none")
	}
	if len(s.Elems) > 0 {
		s.Span = p.since(from)
		return s
	}
	d.Span = p.since(from)
	return d
}

// dictValue parses the value of a key, which may be in girih's notation.
func (p *parser) dictValue() (x Expr) {
	p.inside(func() { x = p.orNotation(func() Expr { return p.walrus("a value") }) })
	return x
}

// comprehension parses the loops after an element.
func (p *parser) comprehension(kind byte, key, x Expr, from int) Expr {
	c := &Comprehension{Kind: kind, Key: key, X: x}
	for p.accept("for") {
		p.chain(len(c.Loops) * 20)
		l := CompLoop{Target: p.targets()}
		p.expect("in", "in")
		l.X = p.or("what to loop over")
		for p.accept("if") {
			l.Ifs = append(l.Ifs, p.or("a condition"))
		}
		c.Loops = append(c.Loops, l)
	}
	c.Span = p.since(from)
	if p.assigns {
		c.checkAssigned()
	}
	return c
}

// checkAssigned refuses (NAME := X) where the comprehension says what to loop over, and for a name of a loop.
func (c *Comprehension) checkAssigned() {
	names := make(map[string]bool)
	for _, l := range c.Loops {
		Walk(l.Target, func(x Expr) bool {
			switch x := x.(type) {
			case *Name:
				names[x.Name] = true
			case *Attr, *Index:
				return false // the target binds no name
			}
			return true
		})
		Walk(l.X, func(x Expr) bool {
			if w, ok := x.(*Walrus); ok {
				fail(w.Span, "%s is assigned where a comprehension says what to loop over", w.Target.Name)
			}
			return true
		})
	}
	Walk(c, func(x Expr) bool {
		if w, ok := x.(*Walrus); ok && names[w.Target.Name] {
			fail(w.Span, "%s is assigned, and it is the name of a loop of the comprehension", w.Target.Name)
		}
		return true
	})
}
