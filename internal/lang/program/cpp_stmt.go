package program

// This file parses the statements of C++.

// cppRefused names what girih does not run, by the word with which it begins.
var cppRefused = map[string]string{
	"try": "an exception", "goto": "a jump to a label", "co_await": "a coroutine", "co_return": "a coroutine",
	"co_yield": "a coroutine", "concept": "a concept", "requires": "a concept",
}

//go:noinline
func (p *parser) refuseCpp(what string) {
	panic(failure{&Error{
		Span: p.tok().Span, Refused: true,
		Msg: what + " is not run: girih runs declarations, expressions, branches, loops, functions and kernels",
	}})
}

// cpp parses a whole text of C++.
func (p *parser) cpp() (body []Stmt) {
	for p.tok().kind != tokenEnd {
		body = p.cppStatement(body)
	}
	return body
}

// ignored are macros that change how code is compiled, and not what it does.
var ignored = set("CUTLASS_TRACE_HOST CUTE_UNROLL CUTE_NO_UNROLL CUTLASS_PRAGMA_UNROLL CUTLASS_PRAGMA_NO_UNROLL CUTLASS_GEMM_LOOP _Pragma")

func (p *parser) skipIgnored() bool {
	t := p.tok()
	if !ignored[t.text] && !(specifiers[t.text] && p.ahead(1).text == "template") {
		return false
	}
	if p.i++; p.is("(") {
		p.skipBrackets()
	}
	return true
}

// cppStatements parses the statements that begin with a word, by the word. They append to body.
var cppStatements map[string]func(p *parser, body []Stmt) []Stmt

func init() {
	one := func(parse func(p *parser) Stmt) func(p *parser, body []Stmt) []Stmt {
		return func(p *parser, body []Stmt) []Stmt { return append(body, parse(p)) }
	}
	cppStatements = map[string]func(p *parser, body []Stmt) []Stmt{
		"if": one((*parser).cppIf), "while": one((*parser).cppWhile), "do": one((*parser).cppDo), "for": one((*parser).cppFor),
		"switch": one((*parser).cppSwitch), "return": one((*parser).cppReturn), "break": one((*parser).cppJump),
		"continue": one((*parser).cppJump), "using": (*parser).cppUsing, "typedef": (*parser).typedef,
		"namespace": (*parser).namespace, "template": (*parser).template, "struct": (*parser).structOrDeclaration,
		"class": (*parser).structOrDeclaration, "union": (*parser).structOrDeclaration, "enum": (*parser).enum,
		"asm": one((*parser).assembly), "__asm__": one((*parser).assembly), "extern": (*parser).extern,
	}
	for word := range set("static_assert assert CUTE_STATIC_ASSERT CUTE_STATIC_ASSERT_V CUTE_RUNTIME_ASSERT") {
		cppStatements[word] = one((*parser).cppAssert)
	}
	for word := range set("PYBIND11_MODULE TORCH_LIBRARY TORCH_LIBRARY_IMPL TORCH_LIBRARY_FRAGMENT") {
		cppStatements[word] = (*parser).binding
	}
	for _, word := range []string{"EXPECT_", "ASSERT_"} {
		for name := range expectations {
			cppStatements[word+name] = one((*parser).expectation)
		}
	}
}

// binding skips PYBIND11_MODULE(NAME, M) { .. } and its relatives, which name functions for Python.
func (p *parser) binding(body []Stmt) []Stmt {
	for p.i++; p.is("(") || p.is("{"); {
		p.skipBrackets()
	}
	return body
}

// expectations are the assertions of GoogleTest, EXPECT_EQ and others, by the operator that they check; "" for a
// condition, and ! for its opposite.
var expectations = map[string]string{
	"TRUE": "", "FALSE": "!", "EQ": "==", "NE": "!=", "LT": "<", "LE": "<=", "GT": ">", "GE": ">=",
}

// expectation parses EXPECT_EQ(A, B) << MESSAGE; as an assertion.
func (p *parser) expectation() Stmt {
	t := p.tok()
	p.i++
	args := p.cppArgs()
	op := expectations[t.text[len("EXPECT_"):]]
	if n := map[bool]int{true: 1, false: 2}[op == "" || op == "!"]; len(args) != n {
		fail(p.since(t.From), "expected %d values in %s, found %d", n, t.text, len(args))
	}
	st := &Assert{Cond: args[0].X}
	at := p.since(args[0].X.Pos())
	switch {
	case op == "!":
		st.Cond = &Unary{at, "!", args[0].X}
	case op != "":
		st.Cond = &Compare{Span{at.From, args[1].X.End()}, []Expr{args[0].X, args[1].X}, []string{op}}
	}
	for !p.is(";") && p.tok().kind != tokenEnd {
		p.i++
	}
	p.endStatement()
	st.Span = p.since(t.From)
	return st
}

// isTest reports whether a test of GoogleTest begins: TEST(A, B) {.
func (p *parser) isTest() bool {
	return (p.is("TEST") || p.is("TEST_F")) && p.ahead(1).text == "(" && p.ahead(3).text == "," &&
		p.ahead(5).text == ")" && p.ahead(6).text == "{"
}

// cppStatement parses a statement and appends it to body. Those that do nothing add nothing.
func (p *parser) cppStatement(body []Stmt) []Stmt {
	p.step()
	for p.skipAttributes() || p.skipIgnored() {
	}
	t := p.tok()
	switch {
	case p.accept(";"):
		return body
	case t.text == "{" && t.kind == tokenMark:
		b := &Block{Body: p.cppBlock()}
		b.Span = p.since(t.From)
		return append(body, b)
	case t.text == "inline" && p.ahead(1).text == "namespace":
		return p.namespace(body)
	case t.kind != tokenName:
	case p.isTest():
		p.i += 6
		b := &Block{Body: p.cppBlock()}
		b.Span = p.since(t.From)
		return append(body, b)
	case cppStatements[t.text] != nil:
		return cppStatements[t.text](p, body)
	case cppRefused[t.text] != "":
		p.refuseCpp(cppRefused[t.text])
	case p.isDeclaration():
		return p.declaration(body, nil)
	}
	x := p.cppValues("a statement")
	p.endStatement()
	return append(body, &Value{p.since(t.From), x})
}

// endStatement moves past the semicolon. The last statement of a text may lack it.
func (p *parser) endStatement() {
	if p.accept(";") || p.tok().kind == tokenEnd && p.blocks == 0 {
		return
	}
	p.refuse("expected an operator, or ';' to end the statement")
}

// block opens a block of C++, and returns the function that closes it.
func (p *parser) openBlock() func() {
	if p.blocks++; p.blocks > maxBlocks {
		exceed(p.tok().Span, "blocks nest at most %d deep", maxBlocks)
	}
	leave := p.enter()
	return func() {
		p.blocks--
		leave()
	}
}

// cppBlock parses { STATEMENTS }.
func (p *parser) cppBlock() (body []Stmt) {
	defer p.openBlock()()
	p.expect("{", "'{'")
	p.inBrackets(func() {
		for !p.is("}") {
			if p.tok().kind == tokenEnd {
				p.refuse("expected '}' to end the block")
			}
			body = p.cppStatement(body)
		}
	})
	p.i++
	return body
}

// cppBody parses the body of a branch or a loop: a block, or a statement.
func (p *parser) cppBody() []Stmt {
	if p.is("{") {
		return p.cppBlock()
	}
	defer p.openBlock()()
	if p.accept(";") {
		return nil
	}
	return p.cppStatement(nil)
}

// loopOf parses the body of a loop.
func (p *parser) loopOf() []Stmt {
	p.loops++
	body := p.cppBody()
	p.loops--
	return body
}

// inParentheses parses (X).
func (p *parser) inParentheses(what string) (x Expr) {
	p.expect("(", "'('")
	x = p.cppValues(what)
	p.expect(")", "an operator or ')'")
	return x
}

func (p *parser) cppIf() Stmt {
	defer p.deeper()()
	defer p.enter()()
	from := p.tok().From
	p.i++
	st := &If{Const: p.accept("constexpr")}
	p.expect("(", "'(' after if")
	st.Init, st.Cond = p.conditionOf()
	p.expect(")", "an operator or ')'")
	st.Then = p.cppBody()
	switch {
	case !p.accept("else"):
	case p.is("if"):
		st.Else = []Stmt{p.cppIf()}
	default:
		st.Else = p.cppBody()
	}
	st.Span = p.since(from)
	return st
}

// conditionOf parses the inside of the parentheses of if and switch: COND, INIT; COND, or TYPE NAME = COND.
func (p *parser) conditionOf() (init Stmt, cond Expr) {
	from, start := p.tok().From, p.i
	if p.tok().kind == tokenName && p.isDeclaration() && p.tentative(func() bool {
		p.spec()
		p.declarator()
		is := p.is("=") || p.is("{")
		p.i = start
		return is
	}) {
		d := p.declarators(p.spec(), from)
		if p.accept(";") {
			return d, p.cppValues("a condition")
		}
		last := d.Names[len(d.Names)-1]
		return d, &Name{Span: last.Span, Name: last.Name}
	}
	x := p.cppValues("a condition")
	if p.accept(";") {
		return &Value{Span{from, x.End()}, x}, p.cppValues("a condition")
	}
	return nil, x
}

func (p *parser) cppWhile() Stmt {
	st := &While{Span: p.tok().Span}
	p.i++
	if p.is("(") && p.ahead(1).kind == tokenName {
		p.i++
		if p.isDeclaration() {
			p.refuseCpp("a declaration in the condition of a loop")
		}
		p.i--
	}
	st.Cond = p.inParentheses("a condition")
	st.Body = p.loopOf()
	return st
}

func (p *parser) cppDo() Stmt {
	st := &While{Span: p.tok().Span, Do: true}
	p.i++
	st.Body = p.loopOf()
	p.expect("while", "while after the body of do")
	st.Cond = p.inParentheses("a condition")
	p.endStatement()
	return st
}

// cppFor parses for (INIT; COND; POST) and for (TYPE NAME : X).
func (p *parser) cppFor() Stmt {
	defer p.enter()()
	at := p.tok().Span
	p.i++
	p.expect("(", "'(' after for")
	if st := p.rangeFor(at); st != nil {
		return st
	}
	st := &Loop{Span: at}
	if init := p.cppStatement(nil); len(init) > 0 {
		st.Init = init[0]
	}
	if p.tokens[p.i-1].text != ";" {
		p.refuse("expected ';' after the beginning of a loop")
	}
	if !p.is(";") {
		st.Cond = p.cppValues("a condition")
	}
	p.expect(";", "an operator or ';' after the condition of a loop")
	if !p.is(")") {
		st.Post = p.cppValues("a step")
	}
	p.expect(")", "an operator or ')'")
	st.Body = p.loopOf()
	return st
}

// rangeFor parses TYPE NAME : X) BODY. It returns nil if what is next is something else.
func (p *parser) rangeFor(at Span) Stmt {
	st := &For{Span: at}
	is := p.tok().kind == tokenName && p.tentative(func() bool {
		s := p.spec()
		st.Type = s.typ
		st.Ref = p.accept("&") || p.accept("&&")
		if p.is("[") && s.words["auto"] {
			st.Target = p.boundTuple()
		} else {
			st.Target = p.name("a name")
		}
		return p.accept(":")
	})
	if !is {
		return nil
	}
	for _, name := range targetNames(st.Target) {
		p.declare(name.Name, valueName)
	}
	st.X = p.cppValue("what to loop over")
	p.expect(")", "an operator or ')'")
	st.Body = p.loopOf()
	return st
}

// targetNames returns the names of a target.
func targetNames(x Expr) (list []*Name) {
	switch x := x.(type) {
	case *Name:
		return []*Name{x}
	case *Tuple:
		for _, e := range x.Elems {
			list = append(list, targetNames(e)...)
		}
	}
	return list
}

func (p *parser) cppSwitch() Stmt {
	defer p.enter()()
	from := p.tok().From
	p.i++
	st := &Switch{}
	p.expect("(", "'(' after switch")
	init, x := p.conditionOf()
	st.X = x
	p.expect(")", "an operator or ')'")
	defer p.openBlock()()
	p.expect("{", "'{' after switch")
	p.switches++
	for !p.accept("}") {
		st.Cases = append(st.Cases, p.cppCase())
	}
	p.switches--
	st.Span = p.since(from)
	if init != nil {
		return &Block{st.Span, []Stmt{init, st}}
	}
	return st
}

// cppCase parses case X: or default:, with the statements up to the next label.
func (p *parser) cppCase() (c Case) {
	if !p.accept("default") {
		p.expect("case", "case, default or '}' in a switch")
		c.X = p.cppConditional("a constant")
	}
	p.expect(":", "':' after a label")
	for !p.is("case") && !p.is("default") && !p.is("}") {
		if p.tok().kind == tokenEnd {
			p.refuse("expected '}' to end the switch")
		}
		c.Body = p.cppStatement(c.Body)
	}
	return c
}

func (p *parser) cppReturn() Stmt {
	st := &Return{Span: p.tok().Span}
	if !p.inDef {
		fail(st.Span, "return is not in a function")
	}
	p.i++
	if !p.is(";") {
		st.X = p.cppReturned()
	}
	p.endStatement()
	return st
}

// cppReturned parses the value of a return, in which a comma is the operator.
func (p *parser) cppReturned() Expr {
	if p.is("{") {
		return p.braceList(nil, p.tok().From)
	}
	return p.cppValues("a value")
}

func (p *parser) cppJump() Stmt {
	t := p.tok()
	if p.loops == 0 && (t.text == "continue" || p.switches == 0) {
		fail(t.Span, "%s is not in a loop", t.text)
	}
	p.i++
	p.endStatement()
	return &Jump{t.Span, t.text == "continue"}
}

// cppAssert parses static_assert(COND, MESSAGE) and others of its kind.
func (p *parser) cppAssert() Stmt {
	from := p.tok().From
	p.i++
	st := &Assert{}
	p.expect("(", "'('")
	st.Cond = p.cppValue("a condition")
	for p.accept(",") {
		st.Message = p.cppValue("a message")
	}
	p.expect(")", "',' or ')'")
	p.endStatement()
	st.Span = p.since(from)
	return st
}

// assembly parses an asm statement as a call of asm, which fails if it is run.
func (p *parser) assembly() Stmt {
	t := p.tok()
	for p.i++; p.tok().kind == tokenName; p.i++ { // volatile
	}
	if !p.is("(") {
		p.refuse("expected '(' after asm")
	}
	p.skipBrackets()
	at := p.since(t.From)
	p.endStatement()
	return &Value{at, &Call{Span: at, Fn: &Name{Span: t.Span, Name: "asm"}}}
}
