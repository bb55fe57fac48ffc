package syntax

// place describes where an expression is printed, as far as parentheses depend on the place. In the zero place any
// expression may be printed without parentheses, as between the brackets of a list.
type place struct {
	least  prec   // the loosest operator allowed at the root of the expression
	loop   prec   // the argument of the parser.expr call that begins at the expression
	stride bool   // the expression is inside a stride, where postfixes belong to the layout
	minus  bool   // the expression follows a minus sign, which could become part of a literal
	callee callee // what follows the expression
}

// callee says how an expression is applied.
type callee uint8

const (
	notCallee callee = iota
	applyCallee
	methodCallee
	dualCallee
)

// calleeAt returns the place of the callee of a node at the place at.
func (at place) calleeAt(as callee) place {
	return place{least: precPostfix, loop: at.loop, minus: at.minus, callee: as}
}

// encloses reports whether x needs parentheses at this place. For trees that the parser cannot return it may add
// unnecessary ones.
func (at place) encloses(x Expr) bool {
	named := at.callee == applyCallee && endsInName(x) // otherwise the text name(args) would be a call
	if _, ok := x.(*Layout); ok && at.callee != notCallee {
		return named || at.loop > precLayout // 4:1(3) applies the layout
	}
	return named || at.least > strength(x) || at.minus && isPositive(x) || at.stride && isPostfix(x)
}

// strength returns the binding strength of the operator at the root of x.
func strength(x Expr) prec {
	switch n := x.(type) {
	case *Layout:
		return precLayout
	case *Compose:
		return precCompose
	case *Unary:
		return precUnary
	case *Binary:
		return n.Op.prec()
	}
	return precPostfix
}

// isPositive reports whether x begins with a positive literal, which a minus sign before it would negate.
func isPositive(x Expr) bool {
	switch n := x.(type) {
	case *Int:
		return n.Value > 0
	case *Basis:
		return n.Value > 0
	case *Scaled:
		return n.Value > 0
	}
	return false
}

// isPostfix reports whether x is an operand with a postfix.
func isPostfix(x Expr) bool {
	switch n := x.(type) {
	case *Call:
		return n.Method || n.Dual || n.Index && !isIdent(n.Args[0].X)
	case *Apply:
		return true
	}
	return false
}

func isIdent(x Expr) bool {
	_, ok := x.(*Ident)
	return ok
}

// endsInName reports whether the text of x ends with an identifier, which a following argument list would turn into a
// call.
func endsInName(x Expr) bool {
	switch n := x.(type) {
	case *Ident:
		return true
	case *Scaled:
		return endsInName(n.X)
	case *Layout:
		return endsInName(n.Stride)
	case *Unary:
		return endsInName(n.X)
	case *Binary:
		return endsInName(n.Y)
	}
	return false
}

// prec returns the binding strength of op between two operands.
func (op Op) prec() prec {
	switch op {
	case OpAdd, OpSub:
		return precSum
	case OpMul, OpDiv, OpMod:
		return precProduct
	}
	return precEqual
}
