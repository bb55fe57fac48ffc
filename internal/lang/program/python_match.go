package program

// This file parses match, and the patterns of its cases.

// A Match runs the body of the first case whose pattern X has.
type Match struct {
	Span
	X     Expr
	Cases []MatchCase
}

// A MatchCase is one case of a Match. If is nil without a condition.
type MatchCase struct {
	Pattern *Pattern
	If      Expr
	Body    []Stmt
}

// A Pattern is the pattern of a case, by its Kind:
//
//	'='  a value that equals X
//	'n'  None, True or False, the constant X
//	'_'  anything
//	'|'  one of Parts
//	'['  a sequence of Parts; one may be '*', any number of elements
//	'{'  a mapping with Keys, whose values have Parts; Name is bound to the rest
//	'('  an object of the class X with attributes that have Parts: Names[i] is "" for one by its place
//
// Name is the name that the value is bound to; "" without one.
type Pattern struct {
	Span
	Kind  byte
	X     Expr
	Name  string
	Parts []*Pattern
	Keys  []Expr
	Names []string
}

func (p *parser) pythonMatch() Stmt {
	from, st := p.tok().From, &Match{}
	p.i++
	st.X = p.single(p.header("a value", p.expressions))
	p.expect(":", "':' after match")
	p.i += 2 // skips the end of the line and the indentation
	for p.accept("case") {
		c := MatchCase{Pattern: p.patterns()}
		if p.accept("if") {
			c.If = p.header("a condition", p.expression)
		}
		c.Body = p.block("case")
		st.Cases = append(st.Cases, c)
		p.chain(len(st.Cases) * 10)
	}
	if p.tok().kind != tokenDedent {
		p.refuse("expected case")
	}
	p.i++
	st.Span = p.since(from)
	return st
}

// patterns parses a pattern, or several without brackets: a sequence.
func (p *parser) patterns() *Pattern {
	from := p.tok().From
	first := p.starPattern()
	if !p.is(",") {
		if first.Kind == '*' {
			fail(first.Span, "%s is an element of a sequence: write [%s]", p.src[first.From:first.To], p.src[first.From:first.To])
		}
		return first
	}
	list := []*Pattern{first}
	for p.accept(",") && !p.is(":") && !p.is("if") {
		list = append(list, p.starPattern())
	}
	return p.sequence(from, list)
}

// sequence returns the pattern of a sequence.
func (p *parser) sequence(from int, list []*Pattern) *Pattern {
	starred := false
	for _, q := range list {
		if q.Kind == '*' && starred {
			fail(q.Span, "expected one * in the pattern")
		}
		starred = starred || q.Kind == '*'
	}
	return &Pattern{Span: p.since(from), Kind: '[', Parts: list}
}

// starPattern parses an element of a sequence.
func (p *parser) starPattern() *Pattern {
	from := p.tok().From
	if !p.accept("*") {
		return p.pattern()
	}
	name := p.name("a name").Name
	return &Pattern{Span: p.since(from), Kind: '*', Name: captureName(name)}
}

// captureName returns the name that a pattern binds: _ binds none.
func captureName(name string) string {
	if name == "_" {
		return ""
	}
	return name
}

// pattern parses alternatives, and the name that the value is bound to.
func (p *parser) pattern() *Pattern {
	defer p.deeper()()
	from := p.tok().From
	x := p.closedPattern()
	if p.is("|") {
		x = &Pattern{Kind: '|', Parts: []*Pattern{x}}
		for p.accept("|") {
			x.Parts = append(x.Parts, p.closedPattern())
			p.chain(len(x.Parts))
		}
		x.Span = p.since(from)
	}
	if !p.accept("as") {
		return x
	}
	name := p.name("a name").Name
	if x.Name != "" {
		x = &Pattern{Kind: '|', Parts: []*Pattern{x}}
	}
	x.Name, x.Span = name, p.since(from)
	return x
}

func (p *parser) closedPattern() *Pattern {
	t := p.tok()
	switch {
	case p.is("(") || p.is("["):
		return p.bracketPattern()
	case p.is("{"):
		return p.mappingPattern()
	case t.kind == tokenName && !isKeyword(Python, t.text):
		return p.namePattern()
	case t.text == "None" || t.text == "True" || t.text == "False":
		p.i++
		return &Pattern{Span: t.Span, Kind: 'n', X: &Constant{t.Span, t.text}}
	}
	x := p.header("a pattern", func(what string) Expr { return p.operators(4, what) }) // -1, "text"
	return &Pattern{Span: p.since(t.From), Kind: '=', X: x}
}

// bracketPattern parses a sequence in brackets, or one pattern in parentheses.
func (p *parser) bracketPattern() (x *Pattern) {
	open := p.tok()
	closer := map[string]string{"(": ")", "[": "]"}[open.text]
	p.i++
	var list []*Pattern
	comma := open.text == "["
	p.inside(func() {
		for !p.is(closer) {
			list = append(list, p.starPattern())
			if !p.accept(",") {
				break
			}
			comma = true
			p.chain(len(list))
		}
	})
	p.expect(closer, "',' or '"+closer+"'")
	if !comma && len(list) == 1 && list[0].Kind != '*' {
		return list[0]
	}
	return p.sequence(open.From, list)
}

func (p *parser) mappingPattern() *Pattern {
	x := &Pattern{Kind: '{'}
	from := p.tok().From
	p.i++
	p.inside(func() {
		for !p.is("}") {
			if p.accept("**") {
				x.Name = p.name("a name").Name
			} else {
				x.Keys = append(x.Keys, p.operators(0, "a key"))
				p.expect(":", "':'")
				x.Parts = append(x.Parts, p.pattern())
			}
			if !p.accept(",") {
				break
			}
			p.chain(len(x.Keys))
		}
	})
	p.expect("}", "',' or '}'")
	x.Span = p.since(from)
	return x
}

// namePattern parses a name that is bound, NAME.NAME, which is a value, or CLASS(...).
func (p *parser) namePattern() *Pattern {
	from := p.tok().From
	name := p.name("a pattern")
	var x Expr = name
	for p.accept(".") {
		t := p.name("a name")
		x = &Attr{Span: p.since(from), X: x, Name: t.Name, At: t.From}
	}
	if p.is("(") {
		return p.classPattern(x)
	}
	if x != Expr(name) {
		return &Pattern{Span: p.since(from), Kind: '=', X: x}
	}
	return &Pattern{Span: p.since(from), Kind: '_', Name: captureName(name.Name)}
}

func (p *parser) classPattern(class Expr) *Pattern {
	x := &Pattern{Kind: '(', X: class}
	p.i++
	p.inside(func() {
		for !p.is(")") {
			name := ""
			if p.ahead(1).text == "=" {
				name = p.name("an attribute").Name
				p.i++
			}
			x.Names, x.Parts = append(x.Names, name), append(x.Parts, p.pattern())
			if !p.accept(",") {
				break
			}
			p.chain(len(x.Parts))
		}
	})
	p.expect(")", "',' or ')'")
	x.Span = p.since(class.Pos())
	return x
}
