package indexmap

import (
	"fmt"
	"slices"
	"strings"
)

// This file reads a whole map: a lambda or a def of Python, a lambda or a function of C++, or formulas alone.

// A Map is a function from indices to one or several integers.
type Map struct {
	source  string
	lang    language
	names   names
	results []*formula
	bound   []int64 // the values of the free names, which follow the parameters
}

// MaxInputs limits the parameters of a map.
const MaxInputs = 16

// Parse reads a map that is the whole text. A name that is neither a parameter nor a local name is free: see
// [Map.Free]. The error is an *[Error].
func Parse(text string) (*Map, error) {
	trimmed := strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), ";"))
	m, err := parse(trimmed)
	if err != nil {
		err.Offset += strings.Index(text, trimmed)
		return nil, err
	}
	return m, nil
}

// IsMap reports whether a text begins as a lambda or a function does.
func IsMap(text string) bool {
	text = strings.TrimSpace(text)
	return isPython(text) || isCPP(text)
}

func isPython(text string) bool {
	word, rest, _ := strings.Cut(text, " ")
	return word == "def" && rest != "" || strings.HasPrefix(text, "lambda ") || strings.HasPrefix(text, "lambda\t")
}

// isCPP reports whether a text begins as a lambda of C++ does, or as a function with its types.
func isCPP(text string) bool {
	if strings.HasPrefix(text, "[") {
		end, open := strings.IndexByte(text, ']'), strings.IndexByte(text, '(')
		return end > 0 && open > end && strings.Contains(text, "{") &&
			!strings.ContainsFunc(text[end+1:open], func(r rune) bool { return r >= 128 || r != ' ' && !isLetter(byte(r)) })
	}
	brace := strings.IndexByte(text, '{')
	return brace > 0 && strings.Contains(text[:brace], "(") && strings.Contains(text[brace:], "return")
}

func parse(text string) (*Map, *Error) {
	p := &parser{text: text, scope: scope{}}
	comment := "#"
	switch {
	case isPython(text):
		p.lang = python
	case isCPP(text):
		p.lang, comment = cpp, "//"
	}
	var err *Error
	if p.toks, err = scan(text, comment); err != nil {
		return nil, err
	}
	m := &Map{source: strings.Join(strings.Fields(text), " "), lang: p.lang}
	p.names = &m.names
	switch {
	case p.is("lambda"):
		err = p.lambda(m)
	case p.is("def"):
		err = p.def(m)
	case p.lang == cpp:
		err = p.function(m)
	default:
		m.names.open = true
		if m.results, err = p.results(); err == nil {
			m.names.params = len(m.names.list)
		}
	}
	switch {
	case err != nil:
		return nil, err
	case p.peek().kind != tokenEnd:
		return nil, p.wrong("expected an operator or the end of the map")
	case m.names.params == 0:
		return nil, &Error{0, "expected a map of at least one index, found no parameter"}
	case m.names.params > MaxInputs:
		return nil, &Error{0, fmt.Sprintf("expected a map of at most %d indices, found %d", MaxInputs, m.names.params)}
	case slices.ContainsFunc(m.results, func(f *formula) bool { return f.size > maxSize }):
		return nil, p.wrong("expected at most %d operations", maxSize)
	}
	if m.lang == python && strings.HasPrefix(text, "def") {
		m.source = text
	}
	return m, nil
}

// lambda parses lambda i, j: results.
func (p *parser) lambda(m *Map) *Error {
	p.advance()
	for !p.skip(":") {
		if err := p.parameter(m, exact); err != nil {
			return err
		}
		if !p.skip(",") && !p.is(":") {
			return p.wrong("expected , or : after a parameter")
		}
	}
	p.open++ // a lambda may continue in the next line
	defer func() { p.open-- }()
	var err *Error
	m.results, err = p.results()
	return err
}

// parameter parses the name of a parameter.
func (p *parser) parameter(m *Map, t ctype) *Error {
	name := p.peek()
	if name.kind != tokenName || strings.ContainsAny(name.text, ".:") || keyword(name.text) {
		return p.wrong("expected the name of a parameter")
	}
	if slices.Contains(m.names.list, name.text) {
		return p.wrong("expected parameters with different names")
	}
	p.advance()
	p.scope[name.text] = &formula{op: opVariable, typ: t, x: int64(len(m.names.list)), size: 1}
	m.names.list = append(m.names.list, name.text)
	m.names.params++
	return nil
}

// def parses def f(i, j: int) -> T: and its body.
func (p *parser) def(m *Map) *Error {
	column := p.peek().column
	p.advance()
	p.advance()
	if err := p.need("("); err != nil {
		return err
	}
	for !p.skip(")") {
		if err := p.parameter(m, exact); err != nil {
			return err
		}
		if p.skip(":") { // skips a type annotation
			p.advance()
		}
		if !p.skip(",") && !p.is(")") {
			return p.wrong("expected , or ) after a parameter")
		}
	}
	if p.skip("->") {
		for !p.is(":") && p.peek().kind != tokenEnd {
			p.advance()
		}
	}
	return p.whole(m, func() (outcome, *Error) { return p.suite(column) })
}

// function parses [](int i, int j) -> int { ... }, or int f(int i, int j) { ... }.
func (p *parser) function(m *Map) *Error {
	result := exact // the type of the result, if it is stated
	for ; !p.is("("); p.advance() {
		switch t, ok := types[p.peek().text]; {
		case p.peek().kind == tokenEnd:
			return p.wrong("expected ( before the parameters")
		case ok && !p.is("auto") && p.toks[0].text != "[" && result == exact:
			result = t
		}
	}
	if err := p.typedParameters(m); err != nil {
		return err
	}
	for !p.is("{") {
		if p.skip("->") {
			result, _ = p.typeName()
			continue
		}
		if p.advance(); p.peek().kind == tokenEnd {
			return p.wrong("expected { before the body")
		}
	}
	err := p.whole(m, p.block)
	if result != exact && err == nil && len(m.results) == 1 {
		m.results[0] = m.results[0].to(result)
	}
	return err
}

// typedParameters parses the parameters of a function of C++, in parentheses.
func (p *parser) typedParameters(m *Map) *Error {
	p.advance()
	for !p.skip(")") {
		t, ok := p.typeName()
		if !ok {
			return p.wrong("expected an integer type before a parameter")
		}
		if err := p.parameter(m, t); err != nil {
			return err
		}
		if !p.skip(",") && !p.is(")") {
			return p.wrong("expected , or ) after a parameter")
		}
	}
	return nil
}

// results parses one result, or several with commas between them or in brackets. divmod(a, b) has two.
func (p *parser) results() ([]*formula, *Error) {
	all, first := p.resultList()
	if all != nil {
		return all, nil
	}
	for {
		f, err := p.formula(strengthIf)
		if err != nil && first != nil && first.Offset > err.Offset {
			err = first
		}
		if err != nil {
			return nil, err
		}
		all = append(all, f)
		if p.lang == cpp || p.ends() || !p.skip(",") {
			return all, nil
		}
	}
}

// resultList parses results in brackets, or divmod(a, b). If there are none, it returns nil, at the same token, with
// the error that ended a list.
func (p *parser) resultList() ([]*formula, *Error) {
	from := p.at
	isDivmod := p.is("divmod") && p.lang != cpp
	end := ")"
	if isDivmod {
		p.advance()
	} else if end = p.closing(p.peek()); end == "" {
		return nil, nil
	}
	args, err := p.list(end)
	switch {
	case err != nil:
	case isDivmod && len(args) == 2:
		return []*formula{pair(opFloor, args[0], args[1]), pair(opModulo, args[0], args[1])}, nil
	case !isDivmod && (len(args) > 1 || end != ")") && !p.infix():
		return args, nil
	}
	p.at = from
	return nil, err
}

// closing returns the bracket that ends a list of results which begins at the current token, or "". In C++ a function
// such as make_coord may be before the bracket.
func (p *parser) closing(open token) string {
	switch open.text {
	case "(":
		if p.lang != cpp {
			return ")"
		}
	case "[":
		return "]"
	case "{":
		return "}"
	}
	base := open.text[strings.LastIndexAny(open.text, ".:")+1:]
	if p.toks[min(p.at+1, len(p.toks)-1)].text == "(" && slices.Contains(makers, base) {
		p.advance()
		return ")"
	}
	return ""
}

// makers make a tuple of their operands.
var makers = []string{"make_tuple", "make_coord", "make_pair", "make_int_tuple", "make_shape", "tuple", "make_int2"}

// infix reports whether an operator or a condition follows.
func (p *parser) infix() bool {
	_, ok := p.operator(p.peek())
	return !p.ends() && (ok || p.is("if", "?"))
}
