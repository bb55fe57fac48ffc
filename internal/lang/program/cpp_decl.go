package program

// This file parses the declarations of C++: variables, functions, names of types and templates.

// isDeclaration reports whether a declaration begins at the next token, a name: a type follows, and then a name with
// what may follow it.
func (p *parser) isDeclaration() (is bool) {
	t := p.tok()
	next := p.ahead(1).text
	switch {
	case typeWords[t.text] && next == "(": // int (*f)(int), but not int(x)
		return (p.ahead(2).text == "*" || p.ahead(2).text == "&") && p.ahead(4).text == ")" && p.ahead(5).kind == tokenMark &&
			set("( [ =")[p.ahead(5).text]
	case typeWords[t.text]:
		return next != "{"
	case t.text == "auto" || specifiers[t.text] && t.text != "typename" || attributes[t.text]:
		return true
	case isKeyword(Cpp, t.text) && t.text != "decltype" && t.text != "typename":
		return false
	}
	p.tentative(func() bool {
		is = p.beginsDeclaration()
		return false
	})
	return is
}

func (p *parser) beginsDeclaration() bool {
	start := p.i
	s := p.spec()
	isType := s.isConst() || p.isTypeFor(s.typ, p.tokens[start])
	after := p.i
	words := map[string]bool{}
	for p.accept("*") || p.accept("&") || p.accept("&&") {
		p.specWords(words)
	}
	isType = isType || len(words) > 0 || p.i == after // otherwise a * b and a & b may be operators
	if p.is("operator") {
		return true
	}
	if p.i == start+1 && p.is("o") && (p.ahead(1).kind != tokenMark || p.ahead(1).text == "(") {
		return false // A o B, a composition
	}
	if p.path("a name").Path != "" {
		return p.is("(") // the parenthesis of a member function
	}
	switch next := p.tok(); next.text {
	case "=", "[", "{":
		return true
	case ";", ",", "(", "":
		return isType
	}
	return false
}

// declaration parses a declaration of variables or a function, and appends it to body.
func (p *parser) declaration(body []Stmt, template []Param) []Stmt {
	from := p.tok().From
	s := p.spec()
	if p.accept(";") {
		return body
	}
	for i := range 2 {
		if s.words["auto"] && p.ahead(i).text == "[" && (i == 0 || p.is("&") || p.is("&&")) {
			return append(body, p.structuredBinding(from))
		}
	}
	start := p.i
	q := p.declarator()
	if p.is("(") && (template != nil || q.Name != "" && p.opensParams()) {
		return p.function(body, s, function{from: from, template: template, declarator: q})
	}
	p.i = start
	d := p.declarators(s, from)
	d.Template = template
	p.endStatement()
	return append(body, d)
}

func (p *parser) refuseAt(at Span, what string) {
	p.i = max(p.i-1, 0)
	err := attempt(func() { p.refuseCpp(what) })
	err.Span = at
	panic(failure{err})
}

// declarators parses the names of a declaration with their values.
func (p *parser) declarators(s cppSpec, from int) *Declare {
	d := &Declare{
		Type: s.typ, Const: s.isConst(), Static: s.words["static"] && !s.words["constexpr"], Shared: s.words["__shared__"],
	}
	for first := true; first || p.accept(","); first = false {
		q := p.declarator()
		if q.path != "" || q.args != nil && !s.words["constexpr"] {
			fail(q.Span, "expected the name of a variable, found a member of a type")
		}
		p.declare(q.Name, valueName)
		p.initializer(&q.Declarator)
		d.Names = append(d.Names, q.Declarator)
	}
	d.Span = p.since(from)
	return d
}

// A cppDeclarator is a Declarator whose name may be in a type or have template arguments.
type cppDeclarator struct {
	Declarator
	path string
	args []Expr // the arguments of a specialisation
}

// declarator parses a name with its *, & and dimensions.
func (p *parser) declarator() (q cppDeclarator) {
	from := p.tok().From
	p.pointers(&q.Declarator)
	switch {
	case p.is("(") && (p.ahead(1).text == "&" || p.ahead(1).text == "*"):
		p.i++
		p.pointers(&q.Declarator)
		q.Name = p.name("a name").Name
		p.expect(")", "')'")
		if p.is("(") {
			p.skipBrackets() // the parameters of a pointer to a function
		}
	case p.is("operator"):
		q.Name = p.operatorName()
	default:
		name := p.path("a name")
		q.path, q.Name = name.Path, name.Name
		if p.is("<") {
			q.args = p.templateArgs()
		}
	}
	for p.is("[") {
		q.Dims = append(q.Dims, p.dimension())
	}
	q.Span = p.since(from)
	return q
}

// pointers parses * and &, with const.
func (p *parser) pointers(q *Declarator) {
	for {
		switch {
		case p.accept("*"):
			q.Ptr = true
		case p.accept("&") || p.accept("&&"):
			q.Ref = true
		default:
			return
		}
		p.specWords(map[string]bool{})
	}
}

// initializer parses = X, (X, Y), {X, Y} and = {X, Y}.
func (p *parser) initializer(q *Declarator) {
	from := p.tok().From
	p.skipAttributes()
	equals := p.accept("=")
	switch {
	case p.is("{"):
		q.Form = '{'
		elems := p.elements()
		q.X = &Tuple{p.since(from), elems}
	case equals:
		q.Form = '='
		q.X = p.cppValue("a value")
	case p.is("("):
		q.Form = '('
		t := &Tuple{}
		for _, arg := range p.cppArgs() {
			t.Elems = append(t.Elems, arg.X)
		}
		t.Span = p.since(from)
		q.X = t
	}
	q.To = p.since(q.From).To
}

// boundTuple parses [a, b] of a structured binding.
func (p *parser) boundTuple() Expr {
	from := p.tok().From
	p.expect("[", "'['")
	t := &Tuple{}
	for first := true; first || p.accept(","); first = false {
		t.Elems = append(t.Elems, p.name("a name"))
	}
	p.expect("]", "',' or ']'")
	t.Span = p.since(from)
	return t
}

// structuredBinding parses [a, b] = X; after auto.
func (p *parser) structuredBinding(from int) Stmt {
	st := &Assign{Binds: true, Ref: p.accept("&") || p.accept("&&")}
	t := p.boundTuple()
	st.Targets = []Expr{t}
	for _, name := range targetNames(t) {
		p.declare(name.Name, valueName)
	}
	q := Declarator{}
	p.initializer(&q)
	st.X = q.X
	if list, ok := q.X.(*Tuple); ok && len(list.Elems) == 1 && q.Form != '=' {
		st.X = list.Elems[0]
	}
	if st.X == nil {
		p.refuse("expected '=' and a value after the names")
	}
	p.endStatement()
	st.Span = p.since(from)
	return st
}

// A function is what a declaration says about a function before its parameters.
type function struct {
	from       int
	template   []Param
	declarator cppDeclarator
}

// function parses the parameters and the body of a function. A declaration without a body, a member of a type and an
// explicit instantiation add nothing to body.
func (p *parser) function(body []Stmt, s cppSpec, f function) []Stmt {
	q := f.declarator
	d := &Def{
		Name: q.Name, Src: p.src, Lang: Cpp, Template: f.template, Result: s.typ, Ref: q.Ref,
		Kernel: s.words["__global__"] || s.words["CUTLASS_GLOBAL"],
	}
	if q.Ptr && s.typ != nil {
		d.Result = &Unary{Span{s.typ.Pos(), s.typ.End()}, "*", s.typ}
	}
	if q.path == "" && !p.inStruct {
		p.declare(q.Name, map[bool]nameKind{true: templateName, false: valueName}[f.template != nil])
	}
	defer p.enter()()
	d.Params = p.cppParams()
	p.afterParams(d)
	switch {
	case p.is(";"), p.tok().kind == tokenEnd && p.blocks == 0:
		p.endStatement()
		return body
	case p.accept("="): // = default, = delete or = 0
		p.i++
		p.endStatement()
		return body
	case !p.is("{"):
		p.refuse("expected '{' to begin the body of " + q.Name + ", or ';'")
	case q.path != "" || p.inStruct && !p.tentative(func() bool { p.functionBody(d); return true }):
		p.skipBrackets()
		return body
	case p.inStruct:
	case q.args != nil:
		p.refuseAt(q.Span, "a specialisation of a function")
	default:
		p.functionBody(d)
	}
	d.Span = p.since(f.from)
	return append(body, d)
}

// afterParams parses what may be between the parameters of a function and its body.
func (p *parser) afterParams(d *Def) {
	for {
		words := map[string]bool{}
		switch p.specWords(words); {
		case p.accept("->"):
			d.Result = p.cppType()
		case p.accept("override") || p.accept("final") || p.accept("&") || p.accept("&&"):
		default:
			if len(words) == 0 {
				return
			}
		}
	}
}

// functionBody parses the body of a function.
func (p *parser) functionBody(d *Def) {
	checkCppParams(d.Params)
	outer := *p
	p.inDef, p.loops, p.switches, p.inStruct = true, 0, 0, false
	d.Body = p.cppBlock()
	p.inDef, p.loops, p.switches, p.inStruct = outer.inDef, outer.loops, outer.switches, outer.inStruct
}

// opensParams reports whether the ( after a name in a declaration opens the parameters of a function, and not the
// values of a variable.
func (p *parser) opensParams() (is bool) {
	if p.ahead(1).text == ")" {
		return true
	}
	p.tentative(func() bool {
		defer p.enter()()
		from := p.tok().To
		list := p.cppParams()
		is = p.is("{") || p.is("->") || len(list) > 0 && p.isParam(list[0], from)
		return false
	})
	return is
}

// isParam reports whether the first parameter of a list has a type for certain: T * x may be a product.
func (p *parser) isParam(q Param, from int) bool {
	typ := q.Type
	u, pointer := typ.(*Unary)
	if pointer {
		typ = u.X
	}
	name, plain := typ.(*Name)
	switch {
	case !plain || typeWords[firstWord(name.Name)] || cppTypes[name.Name] || p.kindOf(name.Name) == typeName:
		return true
	case q.Name != "" && !pointer && !q.Ref:
		return true
	}
	for i := p.i; i > 0 && p.tokens[i].From >= from; i-- {
		if p.tokens[i].text == "const" {
			return true
		}
	}
	return false
}

func firstWord(s string) string {
	for i := range len(s) {
		if s[i] == ' ' {
			return s[:i]
		}
	}
	return s
}

// cppParams parses the parameters of a function, with their parentheses.
func (p *parser) cppParams() (list []Param) {
	p.expect("(", "'('")
	p.inBrackets(func() {
		if p.is("void") && p.ahead(1).text == ")" {
			p.i++
		}
		for !p.is(")") {
			if p.accept("...") { // the ... of a function such as printf
				break
			}
			list = append(list, p.cppParam())
			if !p.accept(",") {
				break
			}
		}
	})
	p.expect(")", "',' or ')'")
	return list
}

// checkCppParams refuses two parameters of one name.
func checkCppParams(list []Param) {
	for i, last := range list {
		for _, q := range list[:i] {
			if q.Name == last.Name && q.Name != "" {
				fail(last.Span, "two parameters are named %s", q.Name)
			}
		}
	}
}

// cppParam parses a parameter of a function.
func (p *parser) cppParam() (q Param) {
	from := p.tok().From
	s := p.spec()
	d := Declarator{}
	p.pointers(&d)
	if p.accept("...") {
		q.Star = 1
	}
	if p.is("(") && (p.ahead(1).text == "&" || p.ahead(1).text == "*") { // for example T (&x)[4] and T (*f)(A)
		p.i++
		p.pointers(&d)
		q.Name = p.optionalName(valueName)
		p.expect(")", "')'")
		if p.is("(") {
			p.skipBrackets()
		}
	} else {
		q.Name = p.optionalName(valueName)
	}
	for p.is("[") {
		d.Dims = append(d.Dims, p.dimension())
	}
	q.Type = paramType(p.since(from), s.typ, d)
	q.Ref = d.Ref && !s.words["const"]
	if p.accept("=") {
		q.Default = p.cppValue("a default value")
	}
	q.Span = p.since(from)
	return q
}

// paramType returns the type of a parameter. An array is a pointer, but a reference to an array is one to an array.
func paramType(at Span, typ Expr, d Declarator) Expr {
	switch {
	case typ == nil:
		return nil
	case len(d.Dims) > 0 && d.Ref:
		return &Index{at, typ, d.Dims}
	case d.Ptr || len(d.Dims) > 0:
		return &Unary{at, "*", typ}
	}
	return typ
}

// optionalName parses and declares a name, if there is one.
func (p *parser) optionalName(kind nameKind) string {
	t := p.tok()
	if t.kind != tokenName || isKeyword(Cpp, t.text) {
		return ""
	}
	p.i++
	p.declare(t.text, kind)
	return t.text
}
