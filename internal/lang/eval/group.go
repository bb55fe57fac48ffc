package eval

import (
	"girih/cute"
	"girih/internal/lang/syntax"
)

// This file decides where parentheses around one value group, and where they make a 1-tuple. Alone, as a shape, a
// stride or an argument, (4) is the 1-tuple, as in CuTe's output. Next to an operator, parentheses group, as in every
// other language: 8-(3-1) is 6, and (M+1)*(N+1) is a product. The sum or difference of two 1-tuples, (4)+(3), is a
// 1-tuple, unless one of the two encloses arithmetic: nobody means a tuple by (M+1)-(N+1). (4,) is always a tuple.

// isNumber reports whether v is a number of arithmetic: an integer, a coordinate such as 2@1, or a number over F2.
func isNumber(v Value) bool {
	switch v := v.(type) {
	case Tuple:
		return v.Depth() == 0
	case DynamicTuple:
		_, leaf := v.Leaf()
		return leaf
	case F2:
		return !v.Nested
	}
	return false
}

// groupedNumber returns x, with value v, as a number if its parentheses only group, and whether x is such a number.
func groupedNumber(x syntax.Expr, v Value) (Value, bool) {
	if isNumber(v) {
		return v, true
	}
	switch x := x.(type) {
	case *syntax.Tuple:
		if inner, ok := onlyElement(v); ok && isGroup(x) {
			return groupedNumber(x.Elems[0], inner)
		}
	case *syntax.Unary:
		return groupedNumber(x.X, v)
	case *syntax.Binary:
		if n, ok := groupedNumber(x.X, v); ok { // (2)+(3): both sides have parentheses
			_, ok = groupedNumber(x.Y, v)
			return n, ok
		}
	}
	return nil, false
}

// isGroup reports whether x is one expression in parentheses, without a comma.
func isGroup(x *syntax.Tuple) bool { return len(x.Elems) == 1 && !x.TrailingComma }

// onlyElement returns the element of a 1-tuple.
func onlyElement(v Value) (Value, bool) {
	switch v := v.(type) {
	case Tuple:
		if v.Depth() > 0 && v.Rank() == 1 {
			return Tuple{v.Modes()[0]}, true
		}
	case DynamicTuple:
		if ms := v.Modes(); len(ms) == 1 && !isNumber(v) && !v.Open() {
			return DynamicTuple{ms[0], v.Guard}, true
		}
	case F2:
		if v.Nested && len(v.Elems) == 1 {
			return v.Elems[0], true
		}
	}
	return nil, false
}

// isComputed reports whether x is arithmetic in parentheses, such as (M+1).
func isComputed(x syntax.Expr) bool {
	t, ok := x.(*syntax.Tuple)
	if !ok {
		return false
	}
	for ok && isGroup(t) {
		x = t.Elems[0]
		t, ok = x.(*syntax.Tuple)
	}
	switch x.(type) {
	case *syntax.Unary, *syntax.Binary:
		return true
	}
	return false
}

// stripParentheses returns the operands of x, whose values are a and b, without parentheses that only group.
func stripParentheses(x *syntax.Binary, a, b Value) (Value, Value) {
	p, okP := groupedNumber(x.X, a)
	q, okQ := groupedNumber(x.Y, b)
	switch factors := isProduct(x.Op); {
	case okP && okQ && (factors || isNotOfTuples(x, a, b)):
		return p, q
	case okP && factors:
		return p, b
	case okQ && factors:
		return a, q
	}
	return a, b
}

// isProduct reports whether the operands of op are factors.
func isProduct(op syntax.Op) bool {
	return op == syntax.OpMul || op == syntax.OpDiv || op == syntax.OpMod
}

// isNotOfTuples reports whether the operands of x, with the values a and b, are not two 1-tuples: an operand is a
// number or arithmetic in parentheses, or the operands have different numbers of parentheses, as in ((2))+(3).
func isNotOfTuples(x *syntax.Binary, a, b Value) bool {
	return isNumber(a) || isNumber(b) || isComputed(x.X) || isComputed(x.Y) ||
		x.Op != syntax.OpEqual && !sameDepth(a, b)
}

// sameDepth reports whether two 1-tuples have the same number of parentheses.
func sameDepth(a, b Value) bool {
	for {
		x, okX := onlyElement(a)
		y, okY := onlyElement(b)
		if !okX || !okY {
			return okX == okY
		}
		a, b = x, y
	}
}

// parts returns the shape and the stride of x without parentheses that only group arithmetic: 8:(M+1).
func parts(x *syntax.Layout, shape, stride Value) (Value, Value) {
	s, okS := groupedNumber(x.Shape, shape)
	d, okD := groupedNumber(x.Stride, stride)
	switch {
	case isNumber(shape) && okD && isComputed(x.Stride):
		return shape, d
	case isNumber(stride) && okS && isComputed(x.Shape):
		return s, stride
	}
	return shape, stride
}

// isCode reports whether err is an error of the algebra with the given code.
func isCode(err error, code cute.Code) bool {
	g, ok := asGirih(err)
	return ok && g.Code == code
}
