package interp

import (
	"math"

	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file gives a NaN of C++ the sign that a program compiled by g++ for x86-64 prints, on any machine: nothing here
// depends on what the processor or Go does with a NaN.
//
// An operation on numbers that has no value makes a negative NaN: 0.0/0.0, INFINITY - INFINITY and sqrt(-1.0) print
// -nan. An operation on a NaN passes it on with its sign: NAN + 1 and 1 - NAN print nan. Only -x, fabs and copysign
// change the sign. On a GPU, floats of 32 bits have one NaN, which prints nan.

func isNaN(v Value) bool {
	f, ok := v.(CFloat)
	return ok && f.F != f.F
}

// foldNaN returns the NaN that A OP B yields, where f is the one by the rule above. It differs if g++, at every level
// of optimisation, changes the expression before it makes code.
func (r *runner) foldNaN(f CFloat, a, b Value, at program.Node) CFloat {
	if r.kernel != nil && f.Single {
		f.F = python.NaN(false)
		return f
	}
	var op string
	var x, y operand
	switch at := at.(type) {
	case *program.Binary:
		op, x, y = at.Op, r.operandOf(at.X, a), r.operandOf(at.Y, b)
	case *program.Update:
		op, x, y = at.Op, r.operandOf(at.Target, a), r.operandOf(at.X, b)
	}
	x.minus = x.minus && typeOfNumber(a) == typeOfNumber(f) // no conversion comes between
	y.minus = y.minus && typeOfNumber(b) == typeOfNumber(f)
	y.variable = y.variable && typeOfNumber(b) == typeOfNumber(f)
	if isNaN(a) && isNaN(b) && isNegative(a) != isNegative(b) && op != "-" && op != "/" {
		r.noteAt(r.here.Pos(), "which of two NaNs with different signs is the result is up to the registers that g++ chooses")
		if x.variable && !y.variable && !y.constant { // B is in a register already
			f.F, a, x, y = python.NaN(isNegative(b)), b, y, x
		}
	}
	if (isNaN(a) || isNaN(b)) && !(x.constant && y.constant) {
		f.F = python.NaN(math.Signbit(f.F) != flips(op, x, y, isNaN(a)))
	}
	return f
}

func isNegative(v Value) bool {
	f, ok := v.(CFloat)
	return ok && math.Signbit(f.F)
}

// flips reports whether g++ moves or removes a minus of the operand that is the NaN, the first one or the second.
//
//	x * -1, x / -1  =>  -x        -a + b  =>  b - a     -a * -b  =>  a * b
//	a / -b  =>  -a / b            a - -b  =>  a + b     a + -b   =>  a - b
func flips(op string, x, y operand, first bool) bool {
	switch op {
	case "+":
		return first && x.minus && !y.minus || !first && y.minus && !x.minusZero
	case "-":
		return y.minus && (!first || x.minus) || !first && x.minusZero
	case "*":
		return x.minusOne || y.minusOne || (x.minus || x.below) && (y.minus || y.below) && !(x.calls && y.calls)
	case "/":
		return y.minus || y.minusOne || x.minus && y.below
	}
	return false
}

// An operand is what g++ knows about an operand when it compiles.
type operand struct {
	minus     bool // it begins with a minus that is not part of a constant
	constant  bool
	minusOne  bool // the constant is -1
	minusZero bool
	below     bool // the constant is negative
	calls     bool // it calls a function
	variable  bool
}

func (r *runner) operandOf(x program.Expr, v Value) (o operand) {
	hasNaN := false // in the text, as NAN is
	o.constant = true
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
	o.constant = o.constant && (!isNaN(v) || hasNaN)
	if f, err := cppConvert(v, CDouble); err == nil && o.constant {
		d, _ := f.(CFloat)
		o.minusOne, o.minusZero, o.below = d.F == -1, d.F == 0 && math.Signbit(d.F), d.F < 0
		return o
	}
	_, o.variable = x.(*program.Name)
	o.minus = isNegated(x)
	return o
}

// isNegated reports whether an expression is -X, X * -1, -1 * X or X / -1, or one of them within them.
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
