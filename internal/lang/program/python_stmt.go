package program

import (
	"slices"
	"strings"
)

// This file parses the statements of Python.

// pythonOthers names the statements that are not run, by the word with which they begin.
var pythonOthers = map[string]string{
	"async": "a coroutine", "await": "a coroutine",
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
		return append(body, p.decorators())
	}
	if parse := pythonBlocks[t.text]; parse != nil && t.kind == tokenName {
		return append(body, parse(p))
	}
	if t.text == "match" && p.isMatch() {
		return append(body, p.pythonMatch())
	}
	return p.smallLine(body)
}

// smallLine parses a line of statements without blocks.
func (p *parser) smallLine(body []Stmt) []Stmt {
	for {
		body = append(body, p.small()...)
		if !p.accept(";") || p.tok().kind == tokenNewline {
			break
		}
	}
	if p.tok().kind != tokenNewline {
		p.refuse("expected an operator or the end of the line")
	}
	p.i++
	return body
}

// isMatch reports whether a match statement begins here: a line that ends with a colon, and an indented case after it.
// The word match is an ordinary name otherwise.
func (p *parser) isMatch() bool {
	i := p.i
	for p.tokens[i].kind != tokenNewline && p.tokens[i].kind != tokenEnd {
		i++
	}
	return i+2 < len(p.tokens) && p.tokens[i-1].text == ":" && p.tokens[i+1].kind == tokenIndent && p.tokens[i+2].text == "case"
}

// pythonBlocks parses the statements with blocks, by the word with which they begin.
var pythonBlocks map[string]func(p *parser) Stmt

func init() {
	pythonBlocks = map[string]func(p *parser) Stmt{
		"if":    func(p *parser) Stmt { return p.pythonIf() },
		"while": func(p *parser) Stmt { return p.pythonWhile() },
		"for":   func(p *parser) Stmt { return p.pythonFor() },
		"def":   func(p *parser) Stmt { return p.pythonDef(nil, p.tok().From) },
		"class": func(p *parser) Stmt { return p.pythonClass(nil, p.tok().From) },
		"try":   func(p *parser) Stmt { return p.pythonTry() },
		"with":  func(p *parser) Stmt { return p.pythonWith() },
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
		if t := p.tok(); t.kind == tokenName && pythonBlocks[t.text] != nil {
			fail(t.Span, "expected %s on a line of its own, as it has a block", t.text)
		}
		return p.smallLine(nil)
	}
	p.i++
	if p.tok().kind != tokenIndent {
		p.refuse("expected the indented lines of " + of)
	}
	for p.i++; p.tok().kind != tokenDedent; {
		body = p.pythonLine(body)
	}
	p.i++
	return body
}

func (p *parser) pythonIf() Stmt {
	from := p.tok().From
	first := &If{}
	for st, n := first, 0; ; n++ {
		p.chain(n * 10)
		at := p.tok().From
		p.i++ // skips if or elif
		st.Cond = p.header("a condition", p.expression)
		st.Then = p.block("if")
		st.Span = p.since(at)
		if p.is("elif") {
			next := &If{}
			st.Else = []Stmt{next}
			st = next
			continue
		}
		if p.accept("else") {
			st.Else = p.block("else")
		}
		first.Span = p.since(from)
		return first
	}
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
	from, st := p.tok().From, &While{}
	p.i++
	st.Cond = p.header("a condition", p.expression)
	st.Body, st.Else = p.loopBody("while")
	st.Span = p.since(from)
	return st
}

func (p *parser) pythonFor() Stmt {
	from, st := p.tok().From, &For{}
	p.i++
	st.Target = p.targets()
	p.expect("in", "in")
	st.X = p.single(p.header("what to loop over", p.expressions))
	st.Body, st.Else = p.loopBody("for")
	st.Span = p.since(from)
	return st
}

// targets parses the names that a loop assigns to.
func (p *parser) targets() Expr {
	from := p.tok().From
	list := []Expr{p.target()}
	comma := false
	for p.accept(",") {
		comma = true
		if p.is("in") {
			break
		}
		list = append(list, p.target())
	}
	x := list[0]
	if comma {
		x = &Tuple{p.since(from), list}
	}
	p.checkTarget(x)
	return x
}

// target parses one target of a loop: a name, an element, an attribute, targets in brackets, or *NAME.
func (p *parser) target() Expr {
	from := p.tok().From
	if p.accept("*") {
		x := p.postfix()
		return &Star{p.since(from), x}
	}
	return p.postfix()
}

// decorators parses the decorators of a function, and the function.
func (p *parser) decorators() Stmt {
	from := p.tok().From
	var list []Expr
	for p.accept("@") {
		list = append(list, p.expression("a decorator"))
		if p.tok().kind != tokenNewline {
			p.refuse("expected the end of the line after a decorator")
		}
		p.i++
	}
	if p.is("class") {
		return p.pythonClass(list, from)
	}
	if !p.is("def") {
		p.refuse("expected def or class after a decorator")
	}
	return p.pythonDef(list, from)
}

func (p *parser) pythonDef(decorators []Expr, from int) *Def {
	p.i++ // def
	d := &Def{Decorators: decorators, Src: p.src, Lang: Python, Name: p.name("the name of the function").Name}
	p.expect("(", "'('")
	d.Params = p.pythonParams(")")
	p.expect(")", "')'")
	if p.accept("->") {
		d.Result = p.header("a type", p.expression)
	}
	inDef, loops, inClass, yields := p.inDef, p.loops, p.inClass, p.yields
	p.inDef, p.loops, p.inClass, p.yields = true, 0, false, false
	d.Body = p.block("def")
	d.Generator = p.yields
	p.inDef, p.loops, p.inClass, p.yields = inDef, loops, inClass, yields
	d.Span = p.since(from)
	return d
}

// pythonParams parses parameters up to a mark: the bracket of a function, or the colon of a lambda.
func (p *parser) pythonParams(end string) (list []Param) {
	for names := make(map[string]bool); !p.is(end); {
		t := p.tok()
		if n := len(list); n > 0 && list[n-1].Star == 2 {
			fail(t.Span, "expected no parameter after **%s", list[n-1].Name)
		}
		if p.accept("/") {
			p.positionalOnly(list, t)
		} else {
			q := p.pythonParam(list, end)
			if names[q.Name] {
				fail(q.Span, "two parameters are named %s", q.Name)
			}
			names[q.Name] = q.Name != ""
			list = append(list, q)
		}
		if p.chain(len(list) * 8); !p.accept(",") {
			break
		}
	}
	if n := len(list); n > 0 && isBareStar(list[n-1]) {
		p.refuse("expected a parameter after *")
	}
	return slices.DeleteFunc(list, isBareStar)
}

// isBareStar reports whether a parameter is only the *, after which names have to be given.
func isBareStar(q Param) bool { return q.Star == 1 && q.Name == "" }

func isStar(q Param) bool { return q.Star == 1 }

// positionalOnly marks the parameters before /.
func (p *parser) positionalOnly(list []Param, at token) {
	if len(list) == 0 || slices.ContainsFunc(list, func(q Param) bool { return q.Star > 0 || q.PlaceOnly }) {
		fail(at.Span, "expected one / among the parameters, after a parameter and before any *")
	}
	for i := range list {
		list[i].PlaceOnly = true
	}
}

// pythonParam parses the parameter after those in a list. Only parameters of a function have types.
func (p *parser) pythonParam(list []Param, end string) Param {
	from := p.tok().From
	var q Param
	switch {
	case p.accept("**"):
		q.Star = 2
	case p.accept("*"):
		q.Star = 1
	}
	after := slices.ContainsFunc(list, isStar)
	if q.Star == 1 && after {
		fail(p.since(from), "expected one * among the parameters")
	}
	if q.Star == 1 && p.is(",") {
		return q
	}
	q.Name, q.KeyOnly = p.name("a parameter").Name, q.Star == 0 && after
	if end == ")" && p.accept(":") {
		q.Type = p.expression("a type")
	}
	if q.Star == 0 && p.accept("=") {
		q.Default = p.expression("a default value")
	}
	q.Span = p.since(from)
	checkDefault(list, q)
	return q
}

// checkDefault refuses a parameter without a default after one with a default.
func checkDefault(list []Param, last Param) {
	if last.Default != nil || last.Star > 0 || last.KeyOnly || len(list) == 0 {
		return
	}
	if q := list[len(list)-1]; q.Default != nil {
		fail(last.Span, "the parameter %s needs a default value, as %s before it has one", last.Name, q.Name)
	}
}

// small parses a statement without a block. It returns nothing for one that does nothing.
func (p *parser) small() []Stmt {
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
			st.X = p.single(p.expressions("a value"))
		}
		return []Stmt{st}
	case "break", "continue":
		if p.loops == 0 {
			fail(t.Span, "%s is not in a loop", t.text)
		}
		p.i++
		return []Stmt{&Jump{t.Span, t.text == "continue"}}
	case "raise":
		return []Stmt{p.pythonRaise()}
	case "assert":
		p.i++
		st := &Assert{Cond: p.expression("a condition")}
		if p.accept(",") {
			st.Message = p.expression("a message")
		}
		st.Span = p.since(t.From)
		return []Stmt{st}
	case "global", "nonlocal", "del":
		return []Stmt{p.namesStatement()}
	}
	return p.assignment()
}

func (p *parser) refuseWord(what string) {
	panic(failure{&Error{Span: p.tok().Span, Msg: what + " is not run: " + pythonRuns, Refused: true}})
}

func (p *parser) endsSmall() bool { return p.tok().kind == tokenNewline || p.is(";") }

func (p *parser) namesStatement() Stmt {
	t := p.tok()
	if t.text == "nonlocal" && !p.inDef {
		fail(t.Span, "nonlocal is not in a function")
	}
	st := &Names{Keyword: t.text}
	p.i++
	for {
		if t.text == "del" {
			x := p.postfix()
			p.checkTarget(x)
			st.List = append(st.List, x)
		} else {
			st.List = append(st.List, p.name("a name"))
		}
		if !p.accept(",") || t.text == "del" && p.endsSmall() {
			break
		}
	}
	st.Span = p.since(t.From)
	return st
}

// assignment parses an expression, or an assignment of one: a = b = X, a: TYPE = X, a += X.
func (p *parser) assignment() []Stmt {
	from := p.tok().From
	if t := p.ahead(1); t.text == ":=" && p.tok().kind == tokenName {
		fail(t.Span, "expected = for an assignment, or parentheses around it, found :=")
	}
	x := p.expressions("a statement")
	if op := p.tok(); isAugment(op) {
		p.i++
		if !isPlace(x) {
			fail(Span{x.Pos(), x.End()}, "%s assigns to a single target, found %s", op.text, p.src[x.Pos():x.End()])
		}
		y := p.single(p.expressions("a value"))
		return []Stmt{&Augment{p.since(from), x, strings.TrimSuffix(op.text, "="), y}}
	}
	if isPlace(x) && p.accept(":") {
		st := &Assign{Targets: []Expr{x}, Type: p.expression("a type")}
		if !p.accept("=") {
			if !p.inClass {
				return nil // the statement only declares
			}
			st.Span = p.since(from)
			return []Stmt{st}
		}
		st.X = p.single(p.expressions("a value"))
		st.Span = p.since(from)
		return []Stmt{st}
	}
	if !p.is("=") {
		if isIdle(p.single(x)) {
			return nil
		}
		return []Stmt{&Value{p.since(from), x}}
	}
	st := &Assign{X: x}
	for p.accept("=") {
		p.checkTarget(st.X)
		st.Targets = append(st.Targets, st.X)
		st.X = p.expressions("a value")
	}
	p.single(st.X)
	st.Span = p.since(from)
	return []Stmt{st}
}

// isAugment reports whether a token is an operator with =, as in a += 1.
func isAugment(t token) bool {
	if t.kind != tokenMark || len(t.text) < 2 || !strings.HasSuffix(t.text, "=") {
		return false
	}
	return strings.IndexByte("=!<>:", t.text[0]) < 0 || t.text == "<<=" || t.text == ">>="
}

// isIdle reports whether a statement does nothing: a text that documents, or an ellipsis.
func isIdle(x Expr) bool {
	if c, ok := x.(*Constant); ok {
		return c.Value == "Ellipsis"
	}
	_, ok := TextOf(x)
	return ok
}

// isPlace reports whether an expression is a name, an attribute or an element.
func isPlace(x Expr) bool {
	switch x.(type) {
	case *Name, *Attr, *Index:
		return true
	}
	return false
}

// checkTarget refuses what cannot be assigned to.
func (p *parser) checkTarget(x Expr) {
	switch x := x.(type) {
	case *Tuple:
		p.checkTargets(x.Elems)
		return
	case *List:
		p.checkTargets(x.Elems)
		return
	}
	p.single(x)
	if !isPlace(x) {
		at := Span{x.Pos(), x.End()}
		fail(at, "expected a name, an element or an attribute to assign to, found %s", p.src[at.From:at.To])
	}
}

// checkTargets checks the targets of a tuple. One target may be *NAME.
func (p *parser) checkTargets(list []Expr) {
	starred := false
	for _, e := range list {
		if s, ok := e.(*Star); ok {
			if starred {
				fail(s.Span, "expected one * among the targets")
			}
			starred = true
			e = s.X
		}
		p.checkTarget(e)
	}
}
