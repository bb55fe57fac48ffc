package python

import (
	"fmt"
	"math"
	"math/big"
)

// This file has the arithmetic of Python's numbers. An integer of Python has no limit, and an integer of girih has 64
// bits: a result beyond them is refused, and never wraps.

// pythonUnary returns OP a, for + - ~ not.
func (py *Library) Unary(op string, a Value) (Value, error) {
	if op == "not" {
		t, err := py.Truth(a)
		return Bool(!t), err
	}
	if f, ok := a.(Float); ok && op != "~" {
		if op == "-" {
			f = -f
		}
		return f, nil
	}
	n, ok := asInt(a)
	switch {
	case !ok:
		return nil, TypeError("bad operand type for unary %s: '%s'", op, TypeName(a))
	case op == "~":
		return Int(^n), nil
	case op == "-" && n == minInt:
		return nil, tooLarge(fmt.Sprintf("-(%d)", n))
	case op == "-":
		return Int(-n), nil
	}
	return Int(n), nil
}

// asInt returns the integer of an int or a bool.
//
//go:noinline
func asInt(v Value) (int64, bool) {
	switch v := v.(type) {
	case Int:
		return int64(v), true
	case Bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// asFloat returns the number of an int, a bool or a float.
func asFloat(v Value) (float64, bool) {
	if f, ok := v.(Float); ok {
		return float64(f), true
	}
	n, ok := asInt(v)
	return float64(n), ok
}

// intBinary returns a OP b for integers.
func intBinary(op string, a, b int64) (Value, error) {
	switch op {
	case "+", "-", "*":
		return intSum(op, a, b)
	case "/":
		if b == 0 {
			return nil, zeroDivision("division")
		}
		return Float(quotient(a, b)), nil
	case "//", "%":
		if b == 0 {
			return nil, zeroDivision(map[string]string{"//": "integer division or modulo", "%": "integer modulo"}[op])
		}
		if a == minInt && b == -1 && op == "//" {
			return nil, tooLarge(fmt.Sprintf("%d // %d", a, b))
		}
		q, r := floorDivide(a, b)
		if op == "//" {
			return Int(q), nil
		}
		return Int(r), nil
	case "**":
		return intPower(a, b)
	case "<<", ">>":
		return intShift(op, a, b)
	case "&":
		return Int(a & b), nil
	case "|":
		return Int(a | b), nil
	case "^":
		return Int(a ^ b), nil
	}
	return nil, unsupportedError(op, Int(a), Int(b))
}

// floorDivide returns the quotient rounded down, and the remainder, which has the sign of b.
func floorDivide(a, b int64) (q, r int64) {
	if b == -1 {
		return -a, 0
	}
	q, r = a/b, a%b
	if r != 0 && (r < 0) != (b < 0) {
		return q - 1, r + b
	}
	return q, r
}

func intSum(op string, a, b int64) (Value, error) {
	var n int64
	ok := true
	switch op {
	case "+":
		n = a + b
		ok = (n > a) == (b > 0)
	case "-":
		n = a - b
		ok = (n < a) == (b > 0)
	default:
		n = a * b
		ok = a == 0 || n/a == b && !(a == -1 && b == minInt)
	}
	if !ok {
		return nil, tooLarge(fmt.Sprintf("%d %s %d", a, op, b))
	}
	return Int(n), nil
}

// quotient returns a / b correctly rounded, also where a or b is no float.
func quotient(a, b int64) float64 {
	const exact = 1 << 53
	if -exact <= a && a <= exact && -exact <= b && b <= exact {
		return float64(a) / float64(b)
	}
	if a == 0 {
		return 0 / float64(b) // -0.0 if b is negative
	}
	f, _ := new(big.Rat).Quo(new(big.Rat).SetInt64(a), new(big.Rat).SetInt64(b)).Float64()
	return f
}

func intPower(a, b int64) (Value, error) {
	if b < 0 {
		if a == 0 {
			return nil, Raise("ZeroDivisionError", "0.0 cannot be raised to a negative power")
		}
		return floatPower(float64(a), float64(b))
	}
	switch {
	case a == 1 || b == 0:
		return Int(1), nil
	case a == 0:
		return Int(0), nil
	case a == -1:
		return Int(1 - 2*(b&1)), nil
	case b > 63:
		return nil, tooLarge(fmt.Sprintf("%d ** %d", a, b))
	}
	n := new(big.Int).Exp(big.NewInt(a), big.NewInt(b), nil)
	if !n.IsInt64() {
		return nil, tooLarge(fmt.Sprintf("%d ** %d", a, b))
	}
	return Int(n.Int64()), nil
}

func intShift(op string, a, b int64) (Value, error) {
	switch {
	case b < 0:
		return nil, &Exception{Kind: "ValueError", Msg: "negative shift count", More: fmt.Sprintf(": %d %s %d", a, op, b)}
	case op == ">>":
		return Int(a >> min(b, 63)), nil
	case a == 0:
		return Int(0), nil
	case b > 63 || a<<b>>b != a:
		return nil, tooLarge(fmt.Sprintf("%d << %d", a, b))
	}
	return Int(a << b), nil
}

// NaN returns a NaN with the sign of a number. Python prints both as nan; copysign(1, x) and printf of C show the sign.
func NaN(sign float64) float64 { return math.Copysign(math.NaN(), sign) }

// PassNaN returns the NaN that an operation on numbers without a result yields on x86-64, whatever machine girih runs
// on: the first NaN of the numbers, and otherwise a negative one.
func PassNaN(xs ...float64) float64 {
	for _, x := range xs {
		if x != x {
			return NaN(x)
		}
	}
	return NaN(-1)
}

// floatOf returns the result of an operation on numbers.
func floatOf(f float64, xs ...float64) Float {
	if f != f {
		f = PassNaN(xs...)
	}
	return Float(f)
}

// floatBinary returns a OP b where at least one operand is a float.
func floatBinary(op string, a, b float64) (Value, error) {
	switch op {
	case "+":
		return floatOf(a+b, b, a), nil
	case "-":
		return floatOf(a-b, a, b), nil
	case "*":
		return floatOf(a*b, b, a), nil
	case "**":
		return floatPower(a, b)
	case "/", "//", "%":
		if b == 0 {
			if op == "%" {
				return nil, Raise("ZeroDivisionError", "float modulo")
			}
			what := map[string]string{"/": "float division", "//": "float floor division"}[op]
			return nil, zeroDivision(what)
		}
		if op == "/" {
			return floatOf(a/b, a, b), nil
		}
		q, r := floatDivide(a, b)
		if op == "//" {
			return floatOf(q, a, b), nil
		}
		return floatOf(r, a, b), nil
	}
	return nil, unsupportedError(op, Float(a), Float(b))
}

// floatDivide returns a // b and a % b by CPython's steps: the remainder is exact and has the sign of b, and the
// quotient is the integer closest to (a - remainder) / b.
func floatDivide(a, b float64) (q, r float64) {
	r = math.Mod(a, b)
	div := (a - r) / b
	if r == 0 {
		r = math.Copysign(0, b)
	} else if (b < 0) != (r < 0) {
		r += b
		div--
	}
	if div == 0 {
		return math.Copysign(0, a/b), r
	}
	q = math.Floor(div)
	if div-q > 0.5 {
		q++
	}
	return q, r
}

// floatPower returns a ** b.
func floatPower(a, b float64) (Value, error) {
	switch {
	case a == 0 && b < 0 && !math.IsInf(b, 0):
		return nil, Raise("ZeroDivisionError", "0.0 cannot be raised to a negative power")
	case a < 0 && !math.IsInf(a, 0) && b != math.Trunc(b):
		return nil, Refuse("%s ** %s is a complex number, and those are not run", floatRepr(a), floatRepr(b))
	}
	f := power(a, b)
	if math.IsInf(f, 0) && !math.IsInf(a, 0) && !math.IsInf(b, 0) {
		return nil, Raise("OverflowError", "%s ** %s exceeds the floats", floatRepr(a), floatRepr(b))
	}
	return floatOf(f, a, b), nil
}
