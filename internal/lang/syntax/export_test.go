package syntax

// ParseExpr parses exactly one expression; newlines may surround it. The error, if any, is an *Error.
func ParseExpr(src string) (Expr, error) {
	p := parser{scan: scanner{src: src}}
	if !p.start() {
		return nil, p.err
	}
	x := p.expr(precEqual)
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
