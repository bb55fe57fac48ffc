package program

import (
	"strings"

	"girih/internal/lang/syntax"
)

// Parse parses a text of a language. The error, if any, is an *[Error].
func Parse(src string, lang Language) (*Program, error) {
	l, err := tokenize(src, lang)
	if err != nil {
		return nil, err
	}
	p := &parser{lexer: l}
	prog := &Program{Src: src, Lang: lang, Comments: l.comments}
	if err := attempt(func() { prog.Body = p.body(lang) }); err != nil {
		return nil, err
	}
	return prog, nil
}

// body parses the statements of a language.
func (p *parser) body(lang Language) []Stmt {
	switch lang {
	case Python:
		return p.python()
	case Cpp:
		return p.cpp()
	}
	return p.lines()
}

// Incomplete reports whether a text needs another line: a bracket or string is open, or the last line belongs to a
// block of Python that an empty line must end.
func Incomplete(src string) bool {
	lang := Detect(src)
	prog, err := Parse(src, lang)
	if err != nil {
		return err.(*Error).Incomplete //nolint:errorlint // Parse returns no other type
	}
	if len(prog.Body) == 0 || strings.HasSuffix(src, "\n") || lang != Python {
		return false
	}
	switch prog.Body[len(prog.Body)-1].(type) {
	case *Def, *For, *If, *While:
		line := src[strings.LastIndexByte(src, '\n')+1:]
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		return indented || strings.HasSuffix(strings.TrimRight(line, " \t\r"), ":")
	}
	return false
}

// lines parses statements in girih's own notation: [let] NAME = EXPR, NAME, NAME = EXPR, and EXPR.
func (p *parser) lines() (body []Stmt) {
	for p.tok().kind != tokenEnd {
		switch t := p.tok(); {
		case t.kind == tokenNewline || t.kind == tokenIndent || t.kind == tokenDedent || t.text == ";":
			p.i++
		default:
			body = append(body, p.line())
		}
	}
	return body
}

// line parses one statement.
func (p *parser) line() Stmt {
	from := p.tok().From
	let := p.is("let") && p.ahead(1).kind == tokenName
	start := p.i
	if let {
		p.i++
	}
	if targets := p.boundNames(); len(targets) > 0 {
		x := p.extent()
		return &Assign{Span: p.since(from), Targets: targets, X: x, Binds: true}
	}
	p.i = start
	x := p.extent()
	return &Value{p.since(from), x}
}

// boundNames parses NAME = and NAME, NAME =, also in parentheses. It returns nil if there is no such binding.
func (p *parser) boundNames() []Expr {
	from, closer := p.tok().From, "="
	if p.accept("(") {
		closer = ")"
	}
	var list []Expr
	for {
		t := p.tok()
		if t.kind != tokenName {
			return nil
		}
		p.i++
		list = append(list, &Name{Span: t.Span, Name: t.text})
		if !p.accept(",") {
			break
		}
	}
	at := p.since(from)
	if !p.accept(closer) || closer == ")" && !p.accept("=") {
		return nil
	}
	if len(list) == 1 && closer == "=" {
		return list
	}
	return []Expr{&Tuple{at, list}}
}

// extent parses an expression in girih's notation: up to the end of the line or a semicolon, or further if the
// expression cannot end there.
func (p *parser) extent() Expr {
	from, depth, first := p.tok().From, 0, -1
	for ; ; p.i++ {
		t := p.tok()
		depth += t.depth()
		if t.kind != tokenNewline && t.kind != tokenEnd && (t.text != ";" || depth > 0) {
			continue
		}
		at := p.since(from)
		_, err := syntax.ParseWithin(p.src, at.From, at.To)
		wrong, _ := err.(*syntax.Error) //nolint:errorlint // ParseWithin returns no other
		incomplete := wrong != nil && wrong.Incomplete
		if wrong == nil || !incomplete && first < 0 {
			return &Girih{at}
		}
		if first < 0 {
			first = p.i
		}
		if p.tried += at.To - at.From; t.kind == tokenEnd || !incomplete || p.tried > maxTried+4*len(p.src) {
			p.i = first
			return &Girih{p.since(from)}
		}
	}
}
