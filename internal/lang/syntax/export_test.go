package syntax

// ParseExpr parses exactly one expression.
func ParseExpr(src string) (Expr, error) { return ParseWithin(src, 0, len(src)) }
