package program

// This file knows what the names of a program of C++ are. Only so can a parser tell a < b from the template a<b.

// A nameKind is what a name is.
type nameKind uint8

const (
	unknownName  nameKind = iota
	valueName             // a variable or a function
	typeName              // a type that is not a template
	templateName          // a template
)

// declare records a name in the innermost scope.
//
//go:noinline
func (p *parser) declare(name string, kind nameKind) {
	if len(p.scopes) == 0 {
		p.scopes = []map[string]nameKind{{}}
	}
	p.scopes[len(p.scopes)-1][name] = kind
}

// kindOf returns what a name is.
func (p *parser) kindOf(name string) nameKind {
	for i := len(p.scopes) - 1; i >= 0; i-- {
		if kind := p.scopes[i][name]; kind != unknownName {
			return kind
		}
	}
	return unknownName
}

// enter opens a scope of names, and returns the function that closes it.
//
//go:noinline
func (p *parser) enter() func() {
	n := len(p.scopes)
	p.scopes = append(p.scopes[:n:n], map[string]nameKind{})
	return func() { p.scopes = p.scopes[:n] }
}

// tentative calls f. If f fails, or returns false, the parser is where it was before.
func (p *parser) tentative(f func() bool) (ok bool) {
	before := *p
	err := alternative(func() { ok = f() })
	if err != nil || !ok {
		steps := p.steps
		*p = before
		p.steps = steps
		return false
	}
	return true
}

// step counts the work of the parser, which may read a token more than once. It fails beyond a limit that no program
// reaches: the limit keeps brackets that are nested to confuse a parser from taking minutes.
func (p *parser) step() {
	const perToken, least = 8, 1 << 15
	if p.steps++; p.steps > least+perToken*len(p.tokens) {
		exceed(p.tok().Span, "this text nests brackets and < too deep to be read")
	}
}
