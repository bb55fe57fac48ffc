package interp

import (
	"math"
	"strings"

	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file gives a NaN of C++ the sign that a program prints if g++ compiles it for x86-64, independently of the
// machine and the compiler of girih.
//
// An operation on numbers that has no value makes a negative NaN: 0.0/0.0, INFINITY - INFINITY and sqrt(-1.0) print
// -nan. An operation on a NaN keeps the sign of the NaN: NAN + 1 and 1 - NAN print nan. Only -x, fabs and copysign
// change the sign. On a GPU, 32-bit floats have only one NaN, which prints nan.

func isNaN(v Value) bool {
	f, ok := v.(CFloat)
	return ok && f.F != f.F
}

// foldNaN returns the NaN that A OP B yields; f is the NaN according to the rule above. The result differs from f if
// g++ changes the expression before it generates code. This happens at every level of optimisation.
func (r *runner) foldNaN(f CFloat, a, b Value, at program.Node) CFloat {
	if r.kernel != nil && f.Single {
		f.F = python.NaN(1)
		return f
	}
	x, y, op := r.operandsAt(at, a, b)
	x.convert(f)
	y.convert(f)
	if differ(x, y) && op != "-" && op != "/" {
		r.noteAt(r.here.Pos(), "which of two NaNs with different signs is the result is up to the registers that g++ chooses")
		if x.variable && !y.variable && !y.constant { // B is already in a register
			f.F = b.(CFloat).F //nolint:forcetypeassert // it is a NaN
			x, y = y, x
		}
	}
	if (x.nan || y.nan) && !(x.constant && y.constant) {
		r.noteMinus(at)
		if flips(op, x, y) {
			f.F = python.NaN(-math.Copysign(1, f.F))
		}
	}
	return f
}

// noteMinus notes that g++ may move a minus within an expression whose value is a NaN. girih only knows the most common
// of these changes.
func (r *runner) noteMinus(at program.Node) {
	if strings.Contains(r.src[at.Pos():at.End()], "-") {
		r.noteAt(at.Pos(), "g++ may move or remove a minus, as in x - -y, before it makes code: a NaN may print another sign")
	}
}

// operandsAt returns the two operands and the operator of a node. If the node is not a binary operation, op is "?".
func (r *runner) operandsAt(at program.Node, a, b Value) (x, y operand, op string) {
	switch at := at.(type) {
	case *program.Binary:
		return r.operandOf(at.X, a), r.operandOf(at.Y, b), at.Op
	case *program.Update:
		return r.operandOf(at.Target, a), r.operandOf(at.X, b), at.Op
	}
	return operand{nan: isNaN(a), negative: isNegative(a)}, operand{nan: isNaN(b), negative: isNegative(b)}, "?"
}

// convert forgets the minus before an operand that is converted to the type of the result.
func (o *operand) convert(to CFloat) {
	if o.typ != typeOfNumber(to) {
		o.minus, o.variable = false, false
	}
}

// differ reports whether two operands are NaNs with different signs.
func differ(x, y operand) bool { return x.nan && y.nan && x.negative != y.negative }

func isNegative(v Value) bool {
	f, ok := v.(CFloat)
	return ok && math.Signbit(f.F)
}

// flips reports whether g++ moves or removes a minus of the operand that is the NaN. The NaN is the first or the second
// operand.
//
//	x * -1, x / -1  =>  -x        -a + b  =>  b - a     -a * -b  =>  a * b
//	a / -b  =>  -a / b            a - -b  =>  a + b     a + -b   =>  a - b
func flips(op string, x, y operand) bool {
	switch op {
	case "+", "-":
		return flipsSum(op, x, y)
	case "*":
		bothMinus := x.minusOrBelow() && y.minusOrBelow() && !(x.calls && y.calls)
		return bothMinus || x.minusOne || y.minusOne
	}
	return op == "/" && (y.minus || y.minusOne || x.minus && y.below)
}

func flipsSum(op string, x, y operand) bool {
	if x.nan {
		return x.minus && y.minus == (op == "-")
	}
	return y.minus != x.minusZero && (op == "-" || y.minus)
}

func (o *operand) minusOrBelow() bool { return o.minus || o.below }

// An operand contains what g++ knows about an operand at compile time.
type operand struct {
	typ       CType
	nan       bool
	negative  bool // the sign bit of the value is set
	minus     bool // the expression begins with a minus that is not part of a constant
	constant  bool
	minusOne  bool // the constant is -1
	minusZero bool
	below     bool // the constant is negative
	calls     bool // the expression calls a function
	variable  bool
}

func (r *runner) operandOf(x program.Expr, v Value) (o operand) {
	hasNaN := false // whether the text contains a NaN, such as NAN
	o = operand{typ: typeOfNumber(v), nan: isNaN(v), negative: isNegative(v), constant: true}
	program.Walk(x, func(x program.Expr) bool {
		switch x := x.(type) {
		case *program.Name:
			c := r.find(x)
			o.constant = o.constant && (c == nil || c.fixed)
			hasNaN = hasNaN || x.Name == "NAN" || c != nil && isNaN(c.v)
		case *program.Call:
			o.constant, o.calls = false, true
		case *program.Index, *program.Attr, *program.Update, *program.Step:
			o.constant = false
		}
		return true
	})
	o.constant = o.constant && (!o.nan || hasNaN)
	if f, err := cppConvert(v, CDouble); err == nil && o.constant {
		d, _ := f.(CFloat)
		o.minusOne, o.minusZero, o.below = d.F == -1, d.F == 0 && math.Signbit(d.F), d.F < 0
		return o
	}
	_, o.variable = x.(*program.Name)
	o.minus = isNegated(x)
	return o
}

// isNegated reports whether an expression has the form -X, X * -1, -1 * X or X / -1, possibly nested.
func isNegated(x program.Expr) bool {
	switch x := x.(type) {
	case *program.Unary:
		return (x.Op == "-" || x.Op == "+") && isNegated(x.X) != (x.Op == "-")
	case *program.Binary:
		switch {
		case (x.Op == "*" || x.Op == "/") && isMinusOne(x.Y):
			return !isNegated(x.X)
		case x.Op == "*" && isMinusOne(x.X):
			return !isNegated(x.Y)
		}
	}
	return false
}

func isMinusOne(x program.Expr) bool {
	u, ok := x.(*program.Unary)
	if !ok || u.Op != "-" {
		return false
	}
	n, ok := u.X.(*program.Number)
	return ok && (n.N == 1 || n.IsFloat && n.F == 1)
}
