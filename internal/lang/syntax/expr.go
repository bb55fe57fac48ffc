package syntax

import "fmt"

// prec is a binding strength; a stronger operator has a larger prec.
type prec uint8

// The binding strengths, loosest first.
const (
	precNone prec = iota // the expression is not an operator
	precEqual
	precCompose
	precTiling
	precLayout
	precSum
	precProduct
	precUnary
	precPostfix
)

// infix returns the strength of the current token as an infix operator.
func (p *parser) infix() prec {
	switch p.tok.Kind {
	case KindEqual:
		return precEqual
	case KindCompose:
		return precCompose
	case KindIdent:
		if p.text() == "o" {
			return precCompose
		}
	case KindDivide, KindProduct, KindTimes, KindLeftDivide:
		return precTiling
	case KindColon:
		return precLayout
	case KindPlus, KindMinus:
		return precSum
	case KindStar:
		if !p.starIsDual() {
			return precProduct
		}
	case KindSlash, KindPercent:
		return precProduct
	case KindBegin: // A \begin{bmatrix} ... \end{bmatrix} is a product
		if !p.cells {
			return precProduct
		}
	}
	return precNone
}

// binaryOp returns the operator that a token of kind k means between two operands.
func binaryOp(k Kind) Op {
	switch k {
	case KindPlus:
		return OpAdd
	case KindMinus:
		return OpSub
	case KindStar, KindBegin:
		return OpMul
	case KindSlash:
		return OpDiv
	case KindPercent:
		return OpMod
	}
	return OpEqual
}

// expr parses an operand and all infix operators of strength least or more that follow it. It is
// the loop of a Pratt parser.
func (p *parser) expr(least prec) Expr {
	x := p.operand()
	colon := false
	for x != nil {
		level := p.infix()
		if level < least {
			return x
		}
		switch level {
		case precCompose:
			x = p.compose(x)
		case precTiling:
			x = p.tiling(x)
		case precLayout:
			if colon {
				p.fail(CodeSyntax, p.tok.Pos, p.tok.End, "':' does not chain: a layout has one shape "+
					"and one stride; put parentheses around the inner layout")
				return nil
			}
			colon = true
			x = p.layout(x)
		default:
			x = p.binary(x, level)
		}
	}
	return nil
}

// binary parses the rest of X op Y. Parsing Y one level tighter makes op associate to the left.
func (p *parser) binary(x Expr, level prec) Expr {
	op, left := binaryOp(p.tok.Kind), p.height
	if p.tok.Kind != KindBegin {
		p.advance()
	}
	y := p.expr(level + 1)
	if y == nil || !p.raise(left) {
		return nil
	}
	return &Binary{Span: span(x.Pos(), p.end), Op: op, X: x, Y: y}
}

// tiling parses the rest of A ⊘ B and of the operators like it, which call functions.
func (p *parser) tiling(x Expr) Expr {
	c := &Call{Name: "logical_divide", NamePos: p.tok.Pos}
	switch p.tok.Kind {
	case KindProduct:
		c.Name = "logical_product"
	case KindTimes:
		c.Name = "direct_product"
	case KindLeftDivide:
		c.Name = "divide_left"
	}
	left := p.height
	p.advance()
	y := p.expr(precLayout)
	if y == nil || !p.raise(left) {
		return nil
	}
	c.Args = []Arg{{KeyPos: -1, X: x}, {KeyPos: -1, X: y}}
	c.Span = span(x.Pos(), p.end)
	return c
}

// compose parses the rest of a chain A o B o C into one flat node.
func (p *parser) compose(x Expr) Expr {
	mark, tallest := len(p.stack), p.height
	p.push(x)
	for p.infix() == precCompose {
		p.advance()
		y := p.expr(precTiling)
		if y == nil {
			return nil
		}
		tallest = max(tallest, p.height)
		p.push(y)
	}
	if !p.raise(tallest) {
		return nil
	}
	return p.composition(&Compose{Span: span(x.Pos(), p.end), Operands: p.take(mark)})
}

// layout parses the rest of SHAPE:STRIDE and the arguments after it. The stride takes no postfix: (4,8):(8,1)(3)
// applies the layout, because a stride is never applied.
func (p *parser) layout(shape Expr) Expr {
	left := p.height
	p.advance()
	p.stride = true
	stride := p.expr(precSum)
	p.stride = false
	if stride == nil || !p.raise(left) {
		return nil
	}
	return p.postfix(&Layout{Span: span(shape.Pos(), p.end), Shape: shape, Stride: stride})
}

// operand parses minus signs, a primary and its postfixes. No statement can end before an operand, so newlines there
// are spaces.
func (p *parser) operand() Expr {
	p.skipLines()
	if p.tok.Kind == KindMinus {
		return p.negation()
	}
	return p.postfix(p.primary(-1))
}

// negation parses a minus sign and its operand. A literal includes the sign, so that -9223372036854775808 is in range.
// The literal and its postfixes then begin at the sign.
func (p *parser) negation() Expr {
	sign := p.tok.Pos
	if p.minus == MaxDepth {
		p.fail(CodeDepth, sign, p.tok.End,
			fmt.Sprintf("unary minus nests deeper than %d levels", MaxDepth))
		return nil
	}
	p.minus++
	p.advance()
	p.skipLines()
	var x Expr
	if p.tok.Kind == KindMinus {
		x = p.negation()
	} else {
		x = p.postfix(p.primary(sign))
	}
	p.minus--
	if x == nil || x.Pos() == sign {
		return x
	}
	if !p.raise(0) {
		return nil
	}
	return &Unary{Span: span(sign, p.end), Op: OpSub, X: x}
}

// postfix parses the applications and method-style calls that follow x.
func (p *parser) postfix(x Expr) Expr {
	if x != nil && p.tok.Kind == KindAt {
		x = p.along(x)
	}
	if p.stride {
		return x
	}
	for x != nil {
		switch p.tok.Kind {
		case KindLParen:
			x = p.apply(x)
		case KindLBracket:
			if p.cells && p.cellFollows(x) {
				return x
			}
			x = p.index(x)
		case KindDot:
			x = p.method(x)
		case KindDual, KindInverse, KindTranspose:
			x = p.superscript(x)
		case KindStar:
			if !p.starIsDual() {
				return x
			}
			x = p.superscript(x)
		default:
			return x
		}
	}
	return nil
}

// apply parses the argument list of EXPR(args).
func (p *parser) apply(fn Expr) Expr {
	left := p.height
	args, _ := p.list(argumentList)
	if p.err != nil || !p.raise(left) {
		return nil
	}
	return &Apply{Span: span(fn.Pos(), p.end), Fn: fn, Args: args}
}

// method parses the rest of EXPR.name(args).
func (p *parser) method(receiver Expr) Expr {
	p.advance()
	p.skipLines()
	if p.tok.Kind != KindIdent {
		p.want("a function name after '.'")
		return nil
	}
	c := &Call{Name: p.text(), NamePos: p.tok.Pos, Method: true}
	left := p.height
	p.advance()
	if p.attribute(c.Name) {
		return p.attributeOf(c, receiver)
	}
	p.skipLines()
	for p.tok.Kind == KindLBracket {
		path, ok := p.modes(c.Name)
		if !ok {
			return nil
		}
		c.Modes = append(c.Modes, path...)
		p.skipLines()
	}
	if p.tok.Kind == KindLess {
		c.Template = p.template(c.Name)
	}
	if p.err == nil {
		c.Args = p.args(c, receiver)
	}
	if p.err != nil || !p.raise(left) {
		return nil
	}
	c.Span = span(receiver.Pos(), p.end)
	return c
}

// attribute reports whether the previous token, a name after '.', is a Python attribute of a layout that is not called.
func (p *parser) attribute(name string) bool {
	if name == "T" { // NumPy's notation for the transposed matrix
		return p.tok.Kind != KindLParen
	}
	if name != "shape" && name != "stride" {
		return false
	}
	switch p.tok.Kind {
	case KindLParen, KindLess:
		return false
	case KindLBracket: // L.shape[0], or L.shape[0]()
		ahead := p.scan
		for k := ahead.next().Kind; k != KindRBracket; k = ahead.next().Kind {
			if k != KindInt && k != KindComma {
				return true
			}
		}
		return ahead.next().Kind != KindLParen
	}
	return true
}

// attributeOf completes EXPR.shape and EXPR.shape[0].
func (p *parser) attributeOf(c *Call, receiver Expr) Expr {
	var path []int
	if ok := true; c.Name != "T" && p.tok.Kind == KindLBracket && p.pathFollows() {
		if path, ok = p.modes(c.Name); !ok {
			return nil
		}
	}
	if !p.raise(0) {
		return nil
	}
	if c.Name == "T" {
		c.Name = "transpose"
	}
	c.Modes, c.Args = path, []Arg{{KeyPos: -1, X: receiver}}
	c.Span = span(receiver.Pos(), p.end)
	return c
}
