package program

// This file parses the operands of C++: literals, names, brackets, casts by name and lambdas, with what follows them.

// cppPostfix parses an operand with its calls, indices, members and steps.
func (p *parser) cppPostfix(what string) Expr {
	p.step()
	from := p.tok().From
	x := p.cppOperand(what)
	for {
		switch t := p.tok(); {
		case t.kind != tokenMark:
			return x
		case t.text == "(":
			c := &Call{Fn: x, Args: p.cppArgs()}
			c.Span = p.since(from)
			x = c
		case t.text == "<<<":
			x = p.launch(x)
		case t.text == "[":
			i := &Index{X: x}
			p.i++
			p.inBrackets(func() { i.Args = []Expr{p.cppValues("an index")} })
			p.expect("]", "']'")
			i.Span = p.since(from)
			x = i
		case t.text == "." || t.text == "->":
			x = p.member(x)
		case t.text == "++" || t.text == "--":
			p.checkCppTarget(x)
			p.i++
			x = &Step{p.since(from), t.text, true, x}
		case t.text == "{" && isTypeLike(x):
			x = p.braceList(x, from)
		default:
			return x
		}
	}
}

// isTypeLike reports whether {...} after x makes a value of the type x.
func isTypeLike(x Expr) bool {
	switch x := x.(type) {
	case *Name, *Template, *TypeOf:
		return true
	case *Attr:
		return isTypeLike(x.X)
	}
	return false
}

// member parses .NAME or ->NAME, perhaps with the arguments of a template.
func (p *parser) member(x Expr) Expr {
	from := x.Pos()
	arrow := p.tok().text == "->"
	p.i++
	template := p.accept("template")
	t := p.tok()
	var name string
	if t.text == "operator" {
		name = p.operatorName()
	} else {
		name = p.name("the name of a member").Name
	}
	x = &Attr{Span: p.since(from), X: x, Name: name, Arrow: arrow, At: t.From}
	if p.is("<") && (template || p.opensTemplate(x)) {
		x = &Template{X: x, Args: p.templateArgs()}
		x.(*Template).Span = p.since(from)
	}
	return x
}

// operatorName parses operator() and others, as the name of a function.
func (p *parser) operatorName() string {
	p.i++
	name := "operator"
	for p.tok().kind == tokenMark && (!p.is("(") || name == "operator") {
		name += p.tok().text
		p.i++
		if name == "operator(" || name == "operator[" {
			name += p.tok().text
			p.i++
			break
		}
	}
	switch {
	case p.tok().kind == tokenText: // a literal operator: operator""_c
		p.i++
		p.i++
	case name == "operator": // a conversion operator: operator T()
		p.cppType()
	}
	return name
}

// cppArgs parses (A, B).
func (p *parser) cppArgs() (list []Arg) {
	defer p.deeper()()
	p.expect("(", "'('")
	p.inBrackets(func() {
		for !p.is(")") {
			from := p.tok().From
			x := p.cppValue("an argument")
			if p.accept("...") {
				x = &Star{p.since(from), x}
			}
			list = append(list, Arg{X: x})
			if !p.accept(",") {
				break
			}
		}
	})
	p.expect(")", "',' or ')'")
	return list
}

// launch parses <<<GRID, BLOCK>>>(ARGS). The size of the shared memory and the stream are left out.
func (p *parser) launch(fn Expr) Expr {
	c := &Call{Fn: fn}
	p.i++
	angles := p.angles
	p.angles = true
	var list []Expr
	for first := true; first || p.accept(","); first = false {
		list = append(list, p.cppConditional("the size of the grid or a block"))
	}
	p.angles = angles
	if len(list) < 2 || len(list) > 4 {
		fail(p.since(fn.Pos()), "expected the grid and the block between <<< and >>>, found %d values", len(list))
	}
	for range 3 {
		p.expect(">", "'>>>'")
	}
	c.Grid, c.Block = list[0], list[1]
	if len(list) > 2 {
		c.Bytes = list[2]
	}
	if !p.is("(") {
		p.refuse("expected '(' after a launch")
	}
	c.Args = p.cppArgs()
	c.Span = p.since(fn.Pos())
	return c
}

// braceList parses {A, B} after a type, or alone if typ is nil.
func (p *parser) braceList(typ Expr, from int) *Make {
	m := &Make{Type: typ}
	m.Elems = p.elements()
	m.Span = p.since(from)
	return m
}

// elements parses {A, B}.
func (p *parser) elements() (list []Expr) {
	defer p.deeper()()
	p.expect("{", "'{'")
	p.inBrackets(func() {
		for !p.is("}") {
			if p.is(".") {
				p.refuseCpp("an element with a name")
			}
			from := p.tok().From
			x := p.cppValue("an element")
			if p.accept("...") {
				x = &Star{p.since(from), x}
			}
			list = append(list, x)
			if !p.accept(",") {
				break
			}
		}
	})
	p.expect("}", "',' or '}'")
	return list
}

// cppOperand parses a literal, a name, a type or brackets.
func (p *parser) cppOperand(what string) Expr {
	t := p.tok()
	switch t.kind {
	case tokenNumber:
		return p.cppNumber()
	case tokenText:
		return p.cppText()
	case tokenName:
		if x := p.wordOperand(what); x != nil {
			return x
		}
	case tokenMark:
		switch t.text {
		case "(":
			return p.cppParentheses()
		case "[":
			return p.cppLambda()
		case "::":
			return p.cppName(what)
		case "...":
			p.leftOut()
		}
	}
	p.refuse("expected " + what)
	return nil
}

// wordOperand parses an operand that begins with a word. It returns nil if the word does not begin an operand.
func (p *parser) wordOperand(what string) Expr {
	switch t := p.tok(); {
	case cppConstants[t.text] != "":
		p.i++
		return &Constant{t.Span, cppConstants[t.text]}
	case t.text == "typename" || typeWords[t.text]:
		return p.typeOperand()
	case !isKeyword(Cpp, t.text):
		return p.cppName(what)
	case cppCasts[t.text]:
		return p.namedCast()
	case t.text == "decltype":
		x := p.members(p.typeOf(), p.opensTemplate)
		if _, ok := x.(*TypeOf); ok && !p.is("{") && !p.is("(") {
			p.refuse("expected '{', '(' or '::' after decltype")
		}
		return x
	case t.text == "this":
		p.i++
		return &Name{Span: t.Span, Name: t.text}
	case t.text == "throw" || t.text == "new" || t.text == "delete":
		return p.runtimeCall()
	}
	return nil
}

// cppConstants are the constants that are words, with their spelling in the tree.
var cppConstants = map[string]string{"true": "True", "false": "False", "nullptr": "None", "NULL": "None"}

// typeOperand parses int(X), int{X} and typename T::X{}.
func (p *parser) typeOperand() Expr {
	from := p.tok().From
	typename := p.accept("typename")
	x := p.cppTypeName()
	if typename || p.is("{") {
		return x
	}
	if !p.is("(") {
		p.refuse("expected '(' or '{' after a type")
	}
	args := p.cppArgs()
	switch len(args) {
	case 0:
		return &Make{Span: p.since(from), Type: x}
	case 1:
		return &Cast{p.since(from), x, args[0].X}
	}
	fail(p.since(from), "expected one value in a cast, found %d", len(args))
	return nil
}

// runtimeCall parses throw X, new T[N], new T(X) and delete[] X, as calls of functions of these names. There are no
// such functions, so that a program fails only if it runs them.
func (p *parser) runtimeCall() Expr {
	t := p.tok()
	p.i++
	c := &Call{Fn: &Name{Span: t.Span, Name: t.text}}
	switch {
	case t.text == "new":
		c.Args = []Arg{{X: p.cppType()}}
		if p.is("(") {
			c.Args = append(c.Args, p.cppArgs()...)
		} else if p.is("{") {
			p.elements()
		}
	case t.text == "throw" && p.is(";"):
	default:
		if p.is("[") && p.ahead(1).text == "]" {
			p.i += 2
		}
		c.Args = []Arg{{X: p.cppAssignment("a value")}}
	}
	c.Span = p.since(t.From)
	return c
}

// cppName parses a name with its namespaces and template arguments.
func (p *parser) cppName(what string) Expr {
	from := p.tok().From
	global := p.accept("::")
	name := p.path(what)
	if global && name.Path == "" {
		name.Path = "::"
	}
	var x Expr = name
	if p.is("<") && p.opensTemplate(x) {
		x = &Template{X: x, Args: p.templateArgs()}
		x.(*Template).Span = p.since(from)
	}
	return p.members(x, p.opensTemplate)
}

var cppCasts = set("static_cast reinterpret_cast const_cast dynamic_cast")

// namedCast parses static_cast<TYPE>(X).
func (p *parser) namedCast() Expr {
	t := p.tok()
	p.i++
	args := p.templateArgs()
	x := p.cppArgs()
	if len(args) != 1 || len(x) != 1 {
		fail(p.since(t.From), "expected %s<TYPE>(VALUE)", t.text)
	}
	return &Cast{p.since(t.From), args[0], x[0].X}
}

// cppParentheses parses (X). A comma in it is the operator.
func (p *parser) cppParentheses() (x Expr) {
	defer p.deeper()()
	p.i++
	p.inBrackets(func() {
		from := p.tok().From
		if !p.is("...") {
			x = p.cppValues("a value")
			return
		}
		p.i++ // (... + X), a left fold of a pack
		op, marks := p.cppOperator()
		if cppLevels[op] == 0 && op != "," {
			p.refuse("expected an operator after (...")
		}
		p.i += marks
		x = p.cppUnary("a pack")
		x = &Unary{p.since(from), "..." + op, x}
	})
	p.expect(")", "')'")
	return x
}

// cppLambda parses [CAPTURES](PARAMS) -> TYPE { BODY }.
func (p *parser) cppLambda() Expr {
	defer p.deeper()()
	from := p.tok().From
	d := &Def{Src: p.src, Lang: Cpp, Capture: true}
	p.captures(d)
	defer p.enter()()
	if p.is("<") {
		d.Template = p.templateParams()
	}
	words := map[string]bool{}
	p.specWords(words)
	if p.is("(") {
		d.Params = p.cppParams()
	}
	for p.tok().kind == tokenName { // skips mutable, constexpr, and macros such as CUTLASS_LAMBDA_FUNC_INLINE
		d.Mutable = d.Mutable || p.is("mutable")
		if p.i++; p.is("(") {
			p.skipBrackets()
		}
	}
	if p.accept("->") {
		d.Result = p.cppType()
	}
	if !p.is("{") {
		p.refuse("expected '{' to begin the body of a lambda")
	}
	p.functionBody(d)
	d.Span = p.since(from)
	return &Lambda{d.Span, d}
}

// captures parses [&], [=], [x, &y, z = X].
func (p *parser) captures(d *Def) {
	p.expect("[", "'['")
	for !p.is("]") {
		from := p.tok().From
		ref := p.accept("&")
		switch {
		case p.is("]") || p.is(","):
			if !ref {
				p.refuse("expected a capture")
			}
			d.CaptureAll = '&'
		case !ref && p.accept("="):
			d.CaptureAll = '='
		case p.accept("*"):
			p.expect("this", "this")
		case p.accept("this"):
		default:
			c := Capture{Name: p.name("a name to capture").Name, Ref: ref}
			p.accept("...")
			if p.accept("=") {
				p.inBrackets(func() { c.X = p.cppAssignment("a value") })
			} else if p.is("{") {
				p.refuseCpp("a capture with braces")
			}
			c.Span = p.since(from)
			d.Captures = append(d.Captures, c)
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect("]", "']'")
}
