package program

import "strings"

// This file parses the statements of Python.

// pythonOthers are the words that begin statements that are not run, with what they are.
var pythonOthers = map[string]string{
	"class": "a class", "try": "an exception", "raise": "an exception", "with": "a context", "async": "a coroutine",
	"await": "a coroutine", "yield": "a generator",
}

// pythonRuns lists the statements that are run, for the error about others.
const pythonRuns = "girih runs assignments, print, assert, if, while, for, functions and their calls"

// python parses a whole text of Python.
func (p *parser) python() (body []Stmt) {
	for p.tok().kind != tokenEnd {
		body = p.pythonLine(body)
	}
	return body
}

// pythonLine parses the statements of a line, or a statement with its block.
func (p *parser) pythonLine(body []Stmt) []Stmt {
	t := p.tok()
	switch {
	case t.kind == tokenNewline:
		p.i++
		return body
	case t.kind == tokenIndent:
		fail(p.ahead(1).Span, "this line is indented, and no block is open here")
	case t.kind == tokenMark && t.text == "@":
		return append(body, p.decorated())
	}
	if parse := pythonBlocks[t.text]; parse != nil && t.kind == tokenName {
		return append(body, parse(p))
	}
	for {
		if st := p.small(); st != nil {
			body = append(body, st)
		}
		if !p.accept(";") {
			break
		}
		if p.tok().kind == tokenNewline {
			break
		}
	}
	if p.tok().kind != tokenNewline {
		p.unexpected("expected an operator or the end of the line")
	}
	p.i++
	return body
}

// pythonBlocks parses the statements with blocks, by the word with which they begin.
var pythonBlocks map[string]func(p *parser) Stmt

func init() {
	pythonBlocks = map[string]func(p *parser) Stmt{
		"if":    func(p *parser) Stmt { return p.pythonIf() },
		"while": func(p *parser) Stmt { return p.pythonWhile() },
		"for":   func(p *parser) Stmt { return p.pythonFor() },
		"def":   func(p *parser) Stmt { return p.pythonDef(nil, p.tok().From) },
	}
}

// block parses ':' and the block after it: lines that are indented deeper, or statements on the same line.
func (p *parser) block(of string) (body []Stmt) {
	p.expect(":", "':' after "+of)
	if p.blocks++; p.blocks > maxBlocks {
		fail(p.tok().Span, "blocks nest at most %d deep", maxBlocks)
	}
	defer func() { p.blocks-- }()
	if p.tok().kind != tokenNewline {
		return p.pythonLine(nil)
	}
	p.i++
	if p.tok().kind != tokenIndent {
		p.unexpected("expected the indented lines of " + of)
	}
	for p.i++; p.tok().kind != tokenDedent; {
		body = p.pythonLine(body)
	}
	p.i++
	return body
}

func (p *parser) pythonIf() Stmt {
	from := p.tok().From
	p.i++ // if or elif
	st := &If{}
	st.Cond = p.header("a condition", p.expression)
	st.Then = p.block("if")
	switch {
	case p.is("elif"):
		st.Else = []Stmt{p.pythonIf()}
	case p.accept("else"):
		st.Else = p.block("else")
	}
	st.Span = p.since(from)
	return st
}

// loopBody parses the block of a loop, and its else.
func (p *parser) loopBody(of string) (body, other []Stmt) {
	p.loops++
	body = p.block(of)
	p.loops--
	if p.accept("else") {
		other = p.block("else")
	}
	return body, other
}

func (p *parser) pythonWhile() Stmt {
	st := &While{Span: p.tok().Span}
	p.i++
	st.Cond = p.header("a condition", p.expression)
	st.Body, st.Else = p.loopBody("while")
	return st
}

func (p *parser) pythonFor() Stmt {
	st := &For{Span: p.tok().Span}
	p.i++
	st.Target = p.targets()
	p.expect("in", "in")
	st.X = p.header("what to loop over", p.expressions)
	st.Body, st.Else = p.loopBody("for")
	return st
}

// targets parses the names that a loop assigns to.
func (p *parser) targets() Expr {
	from := p.tok().From
	list := []Expr{p.postfix()}
	comma := false
	for p.accept(",") {
		comma = true
		if p.is("in") {
			break
		}
		list = append(list, p.postfix())
	}
	x := list[0]
	if comma {
		x = &Tuple{p.since(from), list}
	}
	p.checkTarget(x)
	return x
}

// decorated parses the decorators of a function, and the function.
func (p *parser) decorated() Stmt {
	from := p.tok().From
	var list []Expr
	for p.accept("@") {
		list = append(list, p.expression("a decorator"))
		if p.tok().kind != tokenNewline {
			p.unexpected("expected the end of the line after a decorator")
		}
		p.i++
	}
	if p.is("class") {
		p.refuseWord("a class")
	}
	if !p.is("def") {
		p.unexpected("expected def after a decorator")
	}
	return p.pythonDef(list, from)
}

func (p *parser) pythonDef(decorators []Expr, from int) *Def {
	p.i++ // def
	d := &Def{Decorators: decorators, Src: p.src, Lang: Python, Name: p.name("the name of the function").Name}
	p.expect("(", "'('")
	d.Params = p.pythonParams(")", true)
	p.expect(")", "')'")
	if p.accept("->") {
		d.Result = p.header("a type", p.expression)
	}
	inDef, loops := p.inDef, p.loops
	p.inDef, p.loops = true, 0
	d.Body = p.block("def")
	p.inDef, p.loops = inDef, loops
	d.Span = p.since(from)
	return d
}

// pythonParams parses parameters up to a mark. The parameters of a lambda have no types.
func (p *parser) pythonParams(end string, typed bool) (list []Param) {
	keyOnly := false
	for !p.is(end) {
		t := p.tok()
		star := 0
		switch {
		case p.accept("**"):
			star = 2
		case p.accept("*"):
			star = 1
		}
		switch {
		case star == 1 && p.is(","):
			keyOnly = true
		case star == 0 && p.accept("/"):
		default:
			list = append(list, p.pythonParam(t.From, star, typed))
			list[len(list)-1].KeyOnly = keyOnly && star == 0
			keyOnly = keyOnly || star == 1
		}
		p.checkParams(list)
		if !p.accept(",") {
			break
		}
	}
	return list
}

func (p *parser) pythonParam(from, star int, typed bool) Param {
	q := Param{Name: p.name("a parameter").Name, Star: star}
	if typed && p.accept(":") {
		q.Type = p.expression("a type")
	}
	if star == 0 && p.accept("=") {
		q.Default = p.expression("a default value")
	}
	q.Span = p.since(from)
	return q
}

// checkParams refuses two parameters of one name, and one without a default after one with a default.
func (p *parser) checkParams(list []Param) {
	if len(list) == 0 {
		return
	}
	last := list[len(list)-1]
	for _, q := range list[:len(list)-1] {
		switch {
		case q.Name == last.Name:
			fail(last.Span, "two parameters are named %s", q.Name)
		case q.Default != nil && last.Default == nil && last.Star == 0 && !last.KeyOnly:
			fail(last.Span, "the parameter %s needs a default value, as %s before it has one", last.Name, q.Name)
		}
	}
}

// small parses a statement without a block. It returns nil for one that does nothing.
func (p *parser) small() Stmt {
	t := p.tok()
	if t.kind != tokenName {
		return p.assignment()
	}
	if what := pythonOthers[t.text]; what != "" {
		p.refuseWord(what)
	}
	switch t.text {
	case "pass":
		p.i++
		return nil
	case "import", "from":
		return p.imports()
	case "return":
		if !p.inDef {
			fail(t.Span, "return is not in a function")
		}
		p.i++
		st := &Return{Span: t.Span}
		if !p.endsSmall() {
			st.X = p.expressions("a value")
		}
		return st
	case "break", "continue":
		if p.loops == 0 {
			fail(t.Span, "%s is not in a loop", t.text)
		}
		p.i++
		return &Jump{t.Span, t.text == "continue"}
	case "assert":
		p.i++
		st := &Assert{Cond: p.expression("a condition")}
		if p.accept(",") {
			st.Message = p.expression("a message")
		}
		st.Span = p.since(t.From)
		return st
	case "global", "nonlocal", "del":
		return p.namesStatement()
	}
	return p.assignment()
}

func (p *parser) refuseWord(what string) {
	panic(failure{&Error{Span: p.tok().Span, Msg: what + " is not run: " + pythonRuns, Refused: true}})
}

func (p *parser) endsSmall() bool { return p.tok().kind == tokenNewline || p.is(";") }

func (p *parser) namesStatement() Stmt {
	t := p.tok()
	st := &Names{Span: t.Span, Keyword: t.text}
	for first := true; first || p.accept(","); first = false {
		if first {
			p.i++
		}
		if t.text == "del" {
			st.List = append(st.List, p.postfix())
		} else {
			st.List = append(st.List, p.name("a name"))
		}
	}
	return st
}

// assignment parses an expression, or an assignment of one: a = b = X, a: TYPE = X, a += X.
func (p *parser) assignment() Stmt {
	from := p.tok().From
	x := p.expressions("a statement")
	if op := p.tok(); op.kind == tokenMark && len(op.text) > 1 && strings.HasSuffix(op.text, "=") &&
		strings.IndexByte("=!<>:", op.text[0]) < 0 || op.text == "<<=" || op.text == ">>=" {
		p.i++
		p.checkTarget(x)
		if _, tuple := x.(*Tuple); tuple {
			fail(Span{x.Pos(), x.End()}, "%s assigns to a single target", op.text)
		}
		y := p.expressions("a value")
		return &Augment{p.since(from), x, strings.TrimSuffix(op.text, "="), y}
	}
	if _, named := x.(*Name); named && p.accept(":") {
		st := &Assign{Targets: []Expr{x}, Type: p.expression("a type")}
		if !p.accept("=") {
			return nil // only declares
		}
		st.X = p.expressions("a value")
		st.Span = p.since(from)
		return st
	}
	if !p.is("=") {
		return &Value{p.since(from), x}
	}
	st := &Assign{X: x}
	for p.accept("=") {
		p.checkTarget(st.X)
		st.Targets = append(st.Targets, st.X)
		st.X = p.expressions("a value")
	}
	st.Span = p.since(from)
	return st
}

// checkTarget refuses what cannot be assigned to.
func (p *parser) checkTarget(x Expr) {
	switch x := x.(type) {
	case *Name, *Attr, *Index:
		return
	case *Star:
		p.checkTarget(x.X)
		return
	case *Tuple:
		for _, e := range x.Elems {
			p.checkTarget(e)
		}
		return
	case *List:
		for _, e := range x.Elems {
			p.checkTarget(e)
		}
		return
	}
	fail(Span{x.Pos(), x.End()}, "expected a name before '=', found %s", p.src[x.Pos():x.End()])
}

// imports skips the imports of modules whose functions girih provides.
func (p *parser) imports() Stmt {
	t := p.tok()
	for p.i++; !p.endsSmall(); p.i++ {
	}
	words := strings.Fields(p.src[t.From:p.tok().From])
	module, as := "", ""
	if len(words) > 1 {
		module, _, _ = strings.Cut(words[1], ".")
	}
	if n := len(words); words[0] == "import" && n > 3 && words[n-2] == "as" {
		as = words[n-1]
	}
	at := Span{t.From, p.tok().From}
	switch module {
	case "cutlass", "cute", "pycute", "typing", "dataclasses", "__future__", "functools", "math":
	case "torch", "numpy", "cuda", "os", "sys", "time", "argparse":
		return nil // what they are used for is refused where it is used
	default:
		panic(failure{&Error{Span: at, Msg: "the module " + module + " is not run: " + pythonRuns, Refused: true}})
	}
	if as != "" && as != "cute" && as != "cutlass" && as != "math" && as != "np" {
		fail(at, "expected the name cute or cutlass for the module, found %s", as)
	}
	return nil
}
