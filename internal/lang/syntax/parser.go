package syntax

import "fmt"

// Limits on what Parse accepts. They bound the recursion of the parser and of later walks over the tree, so that no
// input overflows the stack.
const (
	// MaxSource is the longest source in bytes.
	MaxSource = 1 << 20
	// MaxDepth is the deepest nesting of brackets of any sort, the deepest nesting of unary minus
	// signs, and the longest path of a basis literal.
	MaxDepth = 256
	// MaxHeight is the greatest number of nodes on a path from the root of an expression to a leaf. It limits chains
	// that MaxDepth does not limit, such as 1+1+1 or f()()().
	MaxHeight = 4096
)

// parser is a recursive-descent parser with one token of lookahead. Its methods return a nil node after recording an
// error in err, and every caller then returns at once, so the first error is kept.
type parser struct {
	scan   scanner
	tok    Token  // the current token; never a comment, and a newline only outside brackets
	end    int    // the end of the last token that was read, not counting newlines
	nest   int    // the number of open brackets
	minus  int    // unary minus signs being parsed
	height int    // the number of nodes on the longest path in the last parsed expression
	stride bool   // inside a stride, where '(' and '.' belong to the whole layout
	cells  bool   // directly inside square brackets, where a space may separate the cells of a matrix
	err    *Error // the first error

	stack []Expr // elements of the lists being parsed, innermost last
	slab  slab
}

// Parse parses statements separated by semicolons and newlines. The error, if any, is an *Error.
func Parse(src string) (*Program, error) {
	p := parser{scan: scanner{src: src}}
	if !p.start() {
		return nil, p.err
	}
	prog := &Program{Src: src}
	for {
		p.skipSeparators()
		if p.tok.Kind == KindEOF {
			return prog, nil
		}
		s := p.stmt()
		if s.X != nil && s.Name == "" && p.tok.Kind == KindAssign {
			s.X = p.question(s.X)
		}
		if s.X != nil && !p.atSeparator() {
			p.expectedOperator("an operator or the end of the statement")
		}
		if p.err != nil {
			return nil, p.err
		}
		prog.Stmts = append(prog.Stmts, s)
	}
}

// ParseWithin parses exactly one expression, the bytes [start, end) of src; newlines may surround it. Positions are
// those in src. The error, if any, is an *Error.
func ParseWithin(src string, start, end int) (Expr, error) {
	p := parser{scan: scanner{src: src[:end], off: start}}
	if !p.start() {
		return nil, p.err
	}
	x := p.equation()
	if x == nil {
		return nil, p.err
	}
	p.skipLines()
	if p.tok.Kind == KindEOF {
		return x, nil
	}
	p.expectedOperator("an operator or the end of the expression")
	return nil, p.err
}

// start moves to the first token and reports whether the source is short enough to parse.
func (p *parser) start() bool {
	src := p.scan.src
	if len(src) > MaxSource {
		p.fail(CodeTooLong, MaxSource, len(src),
			fmt.Sprintf("the source is %d bytes long, the limit is %d", len(src), MaxSource))
		return false
	}
	p.slab.expect(src[p.scan.off:])
	p.advance()
	return true
}

// stmt parses one statement up to its separator.
func (p *parser) stmt() Stmt {
	if p.defFollows() { // a definition that belongs to a program
		p.advance()
		p.expectedOperator("an operator or the end of the statement")
		return Stmt{}
	}
	if p.tok.Kind != KindLet {
		return Stmt{NamePos: -1, X: p.equation()}
	}
	p.advance()
	p.skipLines()
	if p.tok.Kind != KindIdent || p.text() == namespace {
		p.want("a name to bind after 'let'")
		return Stmt{}
	}
	s := Stmt{Name: p.text(), NamePos: p.tok.Pos}
	p.advance()
	p.skipLines()
	if p.tok.Kind != KindAssign {
		p.want("'=' after 'let " + shorten(s.Name) + "'")
		return Stmt{}
	}
	p.advance()
	s.X = p.equation()
	return s
}

// equation parses an expression, or an equation whose left side is a chain: A o X = B.
func (p *parser) equation() Expr {
	x := p.expr(precEqual)
	chain, ok := x.(*Compose)
	if !ok || p.tok.Kind != KindAssign {
		return x
	}
	left := p.height
	p.advance()
	y := p.expr(precEqual)
	if y == nil || !p.raise(left) {
		return nil
	}
	return &Equation{Span: span(x.Pos(), p.end), X: chain, Y: y}
}

// advance moves to the next significant token.
func (p *parser) advance() {
	if p.tok.Kind != KindNewline {
		p.end = p.tok.End
	}
	for {
		p.tok = p.scan.next()
		if p.tok.Kind == KindNewline && p.nest == 0 {
			return
		}
		if p.tok.Kind != KindNewline && p.tok.Kind != KindComment {
			return
		}
	}
}

// skipLines skips newlines. It is called wherever a statement cannot end, so that an incomplete line may continue on
// the next one.
func (p *parser) skipLines() {
	for p.tok.Kind == KindNewline {
		p.advance()
	}
}

func (p *parser) skipSeparators() {
	for p.tok.Kind == KindNewline || p.tok.Kind == KindSemicolon {
		p.advance()
	}
}

func (p *parser) atSeparator() bool {
	switch p.tok.Kind {
	case KindEOF, KindNewline, KindSemicolon:
		return true
	}
	return false
}

// text returns the text of the current token.
func (p *parser) text() string { return p.tok.Text(p.scan.src) }

// raise sets the height for a node above the last parsed expression and above other expressions of the given height. It
// reports whether the tree stays within MaxHeight.
func (p *parser) raise(others int) bool {
	p.height = max(p.height, others) + 1
	if p.height <= MaxHeight {
		return true
	}
	msg := fmt.Sprintf("the expression nests more than %d operations; split it with let", MaxHeight)
	p.fail(CodeDepth, p.tok.Pos, p.tok.End, msg)
	return false
}

// push adds an element to the innermost list being parsed.
//
//go:noinline
func (p *parser) push(x Expr) {
	if p.stack == nil {
		p.stack = make([]Expr, 0, 8) // enough for most sources
	}
	p.stack = append(p.stack, x)
}

// take removes the elements above mark from the stack and returns them as a list of their own.
func (p *parser) take(mark int) []Expr {
	list := p.slab.list(p.stack[mark:])
	p.stack = p.stack[:mark]
	return list
}
