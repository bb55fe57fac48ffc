package program

// This file parses the templates, enums, structs and namespaces of C++.

// template parses template <PARAMS> with the declaration after it, and appends that to body.
func (p *parser) template(body []Stmt) []Stmt {
	p.i++
	if !p.is("<") { // an explicit instantiation: template int f<int>(int);
		for !p.is(";") && p.tok().kind != tokenEnd {
			p.i++
		}
		p.endStatement()
		return body
	}
	defer p.deeper()()
	leave := p.enter()
	params := p.templateParams()
	names := p.scopes[len(p.scopes)-1]
	n := len(body)
	switch {
	case p.is("template"): // a member template
		body = p.template(body)
	case p.is("using"):
		body = p.cppUsing(body)
		if n < len(body) {
			body[n].(*Using).Params = params
		}
	case p.is("struct") || p.is("class") || p.is("union"):
		body = p.structure(body, params)
	case p.is("friend"):
		p.skipMember()
	case cppRefused[p.tok().text] != "":
		p.refuseCpp(cppRefused[p.tok().text])
	default:
		body = p.declaration(body, params)
	}
	leave()
	for _, q := range params {
		delete(names, q.Name)
	}
	for name := range names {
		p.declare(name, templateName)
	}
	return body
}

// templateParams parses <class T, int N = 4>. It returns an empty list, and not nil, for <>.
func (p *parser) templateParams() []Param {
	defer p.deeper()()
	p.expect("<", "'<' after template")
	list := []Param{}
	for !p.is(">") {
		if p.tok().kind == tokenName && p.ahead(1).text == "(" { // __CUTE_REQUIRES(...)
			p.i++
			p.skipBrackets()
		} else {
			list = append(list, p.templateParam())
		}
		if !p.accept(",") {
			break
		}
	}
	p.expect(">", "',' or '>' to end the parameters of the template")
	return list
}

func (p *parser) templateParam() (q Param) {
	from := p.tok().From
	kind := typeName
	next := p.ahead(1)
	switch {
	case p.is("template"):
		p.i++
		p.templateParams()
		if !p.accept("class") {
			p.expect("typename", "class")
		}
		kind = templateName
	case p.is("class"), p.is("typename") && (next.kind != tokenName || p.ahead(2).text != "::"):
		p.i++
	default:
		kind = valueName
		q.Type = p.cppType()
	}
	if p.accept("...") {
		q.Star = 1
	}
	q.Name = p.optionalName(kind)
	if p.accept("=") {
		q.Default = p.templateArg()
	}
	q.Span = p.since(from)
	return q
}

// cppUsing parses using NAME = TYPE;, using namespace NAME; and using NAME;.
func (p *parser) cppUsing(body []Stmt) []Stmt {
	from := p.tok().From
	p.i++
	if p.ahead(1).text != "=" && p.ahead(1).text != "[" {
		st := &Import{All: p.accept("namespace")}
		isName := p.tentative(func() bool {
			p.accept("::")
			st.Name = p.path("a name")
			return p.is(";") || p.tok().kind == tokenEnd
		})
		for !p.is(";") && p.tok().kind != tokenEnd { // the name of a base class: using Base<T>::f;
			p.i++
		}
		p.endStatement()
		if st.Span = p.since(from); !isName {
			return body
		}
		return append(body, st)
	}
	u := &Using{Name: p.name("the name of a type").Name}
	p.skipAttributes()
	p.expect("=", "'='")
	at := p.tok()
	if u.Type = p.cppType(); u.Type == nil {
		fail(at.Span, "expected a type, found auto")
	}
	p.declare(u.Name, typeName)
	p.endStatement()
	u.Span = p.since(from)
	return append(body, u)
}

// typedef parses typedef TYPE NAME;.
func (p *parser) typedef(body []Stmt) []Stmt {
	from := p.tok().From
	p.i++
	var typ Expr
	if p.definesStruct() {
		body = p.structBody(body, nil)
		st := body[len(body)-1].(*Struct)
		if st.Name == "" {
			st.Name = p.name("a name for the type").Name
			p.declare(st.Name, typeName)
			p.endStatement()
			return body
		}
		typ = &Name{Span: st.Span, Name: st.Name}
	} else if typ = p.spec().typ; typ == nil {
		p.refuse("expected a type")
	}
	for first := true; first || p.accept(","); first = false {
		q := p.declarator()
		u := &Using{Name: q.Name, Type: typ}
		u.Span = p.since(from)
		if q.Ptr {
			u.Type = &Unary{u.Span, "*", typ}
		}
		if len(q.Dims) > 0 {
			u.Type = &Index{u.Span, u.Type, q.Dims}
		}
		p.declare(u.Name, typeName)
		body = append(body, u)
	}
	p.endStatement()
	return body
}

// namespace parses namespace NAME { STATEMENTS } and namespace NAME = NAME;. The statements of a namespace without a
// name, or of one that is inline, are appended to body.
func (p *parser) namespace(body []Stmt) []Stmt {
	from := p.tok().From
	inline := p.accept("inline")
	p.i++
	p.skipAttributes()
	st := &Namespace{}
	if p.tok().kind == tokenName {
		st.Path = p.path("the name of a namespace")
	}
	switch {
	case st.Path == nil || inline:
		return p.descend(body)
	case p.accept("="):
		st.Alias = p.path("the name of a namespace")
		p.endStatement()
	default:
		st.Body = p.descend(nil)
	}
	st.Span = p.since(from)
	return append(body, st)
}

// descend parses { STATEMENTS }, and appends the statements to body.
func (p *parser) descend(body []Stmt) []Stmt {
	if p.blocks++; p.blocks > maxBlocks {
		exceed(p.tok().Span, "blocks nest at most %d deep", maxBlocks)
	}
	p.expect("{", "'{'")
	for !p.is("}") {
		if p.tok().kind == tokenEnd {
			p.refuse("expected '}'")
		}
		body = p.cppStatement(body)
	}
	p.i++
	p.blocks--
	return body
}

// extern parses extern "C" { STATEMENTS } and extern DECLARATION.
func (p *parser) extern(body []Stmt) []Stmt {
	if p.ahead(1).kind == tokenText && p.ahead(2).text == "{" {
		p.i += 2
		return p.descend(body)
	}
	return p.declaration(body, nil)
}

// enum parses enum NAME : TYPE { A, B = X };. Its names are constants; the names of an enum class are in a type.
func (p *parser) enum(body []Stmt) []Stmt {
	from := p.tok().From
	p.i++
	scoped := p.accept("class") || p.accept("struct")
	p.skipAttributes()
	name := ""
	if p.tok().kind == tokenName {
		name = p.name("the name of the type").Name
		p.declare(name, typeName)
	}
	d := &Declare{Type: &Name{Span: p.since(from), Name: "int"}, Const: true}
	if p.accept(":") {
		d.Type = p.cppTypeName()
	}
	if p.accept(";") {
		return body
	}
	p.expect("{", "'{'")
	for !p.is("}") {
		q := p.enumerator(d.Names)
		if !scoped {
			p.declare(q.Name, valueName)
		}
		d.Names = append(d.Names, q)
		if !p.accept(",") {
			break
		}
	}
	p.expect("}", "',' or '}'")
	d.Span = p.since(from)
	p.endStatement()
	if scoped {
		return append(body, &Struct{Span: d.Span, Name: name, Body: []Stmt{d}})
	}
	if name != "" {
		body = append(body, &Using{Span: d.Span, Name: name, Type: d.Type})
	}
	if len(d.Names) == 0 {
		return body
	}
	return append(body, d)
}

// enumerator parses a name of an enum. Without a value it is one more than the name before it.
func (p *parser) enumerator(before []Declarator) Declarator {
	name := p.name("a name")
	at := name.Span
	q := Declarator{Span: at, Name: name.Name, Form: '='}
	n := &Number{Span: at, Text: "0"}
	switch {
	case p.accept("="):
		q.X = p.cppConditional("a constant")
	case len(before) == 0:
		q.X = n
	default:
		n.Text, n.N, n.Decimal = "1", 1, true
		q.X = &Binary{at, "+", &Name{Span: at, Name: before[len(before)-1].Name}, n}
	}
	return q
}

// structOrDeclaration parses struct NAME {...}; or struct NAME x;, and appends it to body.
func (p *parser) structOrDeclaration(body []Stmt) []Stmt {
	if p.definesStruct() {
		return p.structure(body, nil)
	}
	return p.declaration(body, nil)
}

// definesStruct reports whether a struct is defined or declared here, and not used as the type of a variable.
func (p *parser) definesStruct() bool {
	if !p.is("struct") && !p.is("class") && !p.is("union") {
		return false
	}
	is := false
	p.tentative(func() bool {
		p.i++
		p.skipAttributes()
		if p.tok().kind == tokenName {
			p.structName()
		}
		is = p.is("{") || p.is(":") || p.is(";") || p.is("final")
		return false
	})
	return is
}

// structName parses NAME or NAME<ARGS>.
func (p *parser) structName() (name string, args []Expr) {
	name = p.path("the name of the type").Name
	if p.is("<") {
		args = p.templateArgs()
	}
	return name, args
}

// structure parses struct NAME {...}, with the variables after it.
func (p *parser) structure(body []Stmt, template []Param) []Stmt {
	body = p.structBody(body, template)
	if p.is(";") || p.tok().kind == tokenEnd {
		p.endStatement()
		return body
	}
	from := p.tok().From
	st, ok := body[len(body)-1].(*Struct)
	if !ok {
		p.refuse("expected ';'")
	}
	d := p.declarators(cppSpec{typ: &Name{Span: st.Span, Name: st.Name}}, from)
	p.endStatement()
	return append(body, d)
}

// structBody parses struct NAME : BASE {...}. Nothing is appended for a declaration without a body.
func (p *parser) structBody(body []Stmt, template []Param) []Stmt {
	st := &Struct{Template: template, Partial: p.is("union"), Overlaid: p.is("union")}
	from := p.tok().From
	p.i++
	p.skipAttributes()
	if p.tok().kind == tokenName {
		st.Name, st.Args = p.structName()
		kind := typeName
		if template != nil {
			kind = templateName
		}
		p.declare(st.Name, kind)
	}
	p.accept("final")
	if p.is(";") {
		return body
	}
	for p.accept(":") || p.accept(",") { // skips the types from which it is derived
		for p.accept("public") || p.accept("private") || p.accept("protected") || p.accept("virtual") {
		}
		p.cppType()
		p.accept("...")
		st.Partial, st.Overlaid = true, true
	}
	defer p.openBlock()()
	p.expect("{", "'{'")
	inStruct := p.inStruct
	p.inStruct = true
	for !p.is("}") {
		if p.tok().kind == tokenEnd {
			p.refuse("expected '}' to end the type")
		}
		p.structMember(st)
	}
	p.inStruct = inStruct
	p.i++
	st.Span = p.since(from)
	return append(body, st)
}

// structMember parses a member of a type. Constructors and others that are not declarations are left out.
func (p *parser) structMember(st *Struct) {
	t := p.tok()
	if t.text == "..." {
		p.leftOut()
	}
	if (t.text == "public" || t.text == "private" || t.text == "protected") && p.ahead(1).text == ":" {
		p.i += 2
		return
	}
	var body []Stmt
	var err *Error
	ok := p.tentative(func() bool {
		err = alternative(func() { body = p.cppStatement(nil) })
		return err == nil
	})
	if !ok {
		if err.Msg == leftOutText {
			panic(failure{err})
		}
		p.skipMember()
		st.Partial = st.Partial || p.tokens[p.i-2].text != "default" // for example Foo() = default;
	}
	for _, member := range body {
		switch member.(type) {
		case *Using, *Declare, *Struct, *Def:
			st.Body = append(st.Body, member)
		}
	}
}

// skipMember moves past a member: up to a semicolon, or to the end of a body.
func (p *parser) skipMember() {
	for {
		switch t := p.tok(); {
		case t.kind == tokenEnd || t.text == "}" && t.kind == tokenMark:
			p.refuse("expected ';' or a body")
		case t.kind == tokenMark && t.text == "{":
			p.skipBrackets()
			if !p.is(",") && !p.is("{") {
				p.accept(";")
				return
			}
		case t.kind == tokenMark && (t.text == "(" || t.text == "["):
			p.skipBrackets()
		default:
			p.i++
			if t.text == ";" && t.kind == tokenMark {
				return
			}
		}
	}
}
