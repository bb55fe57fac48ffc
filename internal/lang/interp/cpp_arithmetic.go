package interp

import (
	"math"
	"math/big"
	"math/bits"

	"girih/internal/lang/python"

	"girih/cute"
)

// This file implements the arithmetic of C++. Operands are first converted to their common type. Unsigned integers wrap
// around. The overflow of a signed integer is undefined in C++, and is an error here.

// cppBinary computes A OP B, also for comparisons.
func cppBinary(op string, a, b Value) (Value, error) {
	if v, ok, err := cppPointers(op, a, b); ok {
		return v, err
	}
	if s, ok := a.(Str); ok && op == "+" {
		if t, ok := b.(Str); ok {
			return s + t, nil
		}
	}
	ta, tb := typeOfNumber(a), typeOfNumber(b)
	for _, v := range []Value{a, b} {
		if typeOfNumber(v) == CNone {
			return nil, errorf(cute.CodeType, "expected a number on each side of %s, found %s", op, cppDescribe(v))
		}
	}
	if op == "<<" || op == ">>" {
		return cppShift(op, a, b)
	}
	t := cppCommon(ta, tb)
	x, err := cppConvert(a, t)
	if err != nil {
		return nil, err
	}
	y, err := cppConvert(b, t)
	if err != nil {
		return nil, err
	}
	if f, ok := x.(CFloat); ok {
		return cppFloats(op, f, y.(CFloat))
	}
	v, err := cppIntegers(op, x.(CInt), y.(CInt))
	if n, ok := v.(CInt); ok && isStaticResult(op, a, b) {
		n.Static = true
		return n, nil
	}
	return v, err
}

// isStaticResult reports whether A OP B is static: if both are static, or if the result is a static 0 although one
// operand is known only at run time.
func isStaticResult(op string, a, b Value) bool {
	if isStatic(a) && isStatic(b) {
		return true
	}
	x, y := a.(CInt), b.(CInt) //nolint:forcetypeassert // they are integers
	switch op {
	case "*", "&":
		return x.Static && x.Bits == 0 || y.Static && y.Bits == 0
	case "/":
		return x.Static && x.Bits == 0
	case "%":
		return x.Static && x.Bits == 0 || y.Static && (y.Bits == 1 || int64(y.Bits) == -1)
	}
	return false
}

func isStatic(v Value) bool {
	n, ok := v.(CInt)
	return ok && n.Static
}

// cppUnary computes OP A.
func cppUnary(op string, a Value) (Value, error) {
	t := cppPromoted(typeOfNumber(a))
	if t == CNone {
		return nil, errorf(cute.CodeType, "expected a number after %s, found %s", op, cppDescribe(a))
	}
	if op == "!" || op == "not" {
		b, err := cppTruth(a)
		return cBools[!b], err
	}
	x, err := cppConvert(a, t)
	if err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case CFloat:
		switch op {
		case "+":
			return x, nil
		case "-":
			return CFloat{math.Copysign(x.F, -math.Copysign(1, x.F)), x.Single}, nil
		}
	case CInt:
		x.Static = isStatic(a)
		switch op {
		case "+":
			return x, nil
		case "-":
			v, err := cppIntegers("-", CInt{Type: t}, x)
			if n, ok := v.(CInt); ok {
				n.Static = x.Static
				return n, nil
			}
			return v, err
		case "~":
			n := cInt(^x.Bits, t)
			n.Static = x.Static
			return n, nil
		}
	}
	return nil, errorf(cute.CodeType, "%s is not defined for %s", op, cppTypeName(t))
}

// cppFloats computes A OP B for two numbers of the same floating-point type. For these operators, the result in double,
// rounded to float, is the correctly rounded result.
func cppFloats(op string, a, b CFloat) (Value, error) {
	t := typeOfNumber(a)
	compute := arithmetics[op]
	if compute != nil {
		f := compute(a.F, b.F)
		if f != f {
			f = python.PassNaN(a.F, b.F)
		}
		return cFloat(f, t), nil
	}
	if f := comparisons[op]; f != nil {
		if a.F != a.F || b.F != b.F { // NaN
			return cBools[op == "!="], nil
		}
		return cBools[f(compareFloats(a.F, b.F))], nil
	}
	return nil, errorf(cute.CodeType, "%s is not defined for %s", op, cppTypeName(t))
}

var arithmetics = map[string]func(a, b float64) float64{
	"+": func(a, b float64) float64 { return a + b }, "-": func(a, b float64) float64 { return a - b },
	"*": func(a, b float64) float64 { return a * b }, "/": func(a, b float64) float64 { return a / b },
}

// comparisons maps each comparison operator to a function that decides it by the sign of A - B.
var comparisons = map[string]func(sign int) bool{
	"==": func(s int) bool { return s == 0 }, "!=": func(s int) bool { return s != 0 },
	"<": func(s int) bool { return s < 0 }, "<=": func(s int) bool { return s <= 0 },
	">": func(s int) bool { return s > 0 }, ">=": func(s int) bool { return s >= 0 },
}

func compareFloats(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// cppIntegers computes A OP B for two integers of one type, which is int or larger.
func cppIntegers(op string, a, b CInt) (Value, error) {
	switch op {
	case "+", "-", "*":
		return cppSum(op, a, b)
	case "/", "%":
		return cppQuotient(op, a, b)
	case "&":
		return cInt(a.Bits&b.Bits, a.Type), nil
	case "|":
		return cInt(a.Bits|b.Bits, a.Type), nil
	case "^":
		return cInt(a.Bits^b.Bits, a.Type), nil
	}
	if f := comparisons[op]; f != nil {
		return cBools[f(a.compare(b))], nil
	}
	return nil, errorf(cute.CodeType, "%s is not an operator of %s", op, cppTypeName(a.Type))
}

// compare returns the sign of a - b for two integers of one type.
func (n CInt) compare(b CInt) int {
	x, y := n.Bits, b.Bits
	if ctypes[n.Type].signed { // maps the smallest integer to 0
		x, y = x^1<<63, y^1<<63
	}
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// cppSum computes + - *.
func cppSum(op string, a, b CInt) (Value, error) {
	var sum uint64
	fits := true
	x, y := int64(a.Bits), int64(b.Bits)
	switch op {
	case "+":
		sum = a.Bits + b.Bits
		fits = (x >= 0) != (y >= 0) || (int64(sum) >= 0) == (x >= 0)
	case "-":
		sum = a.Bits - b.Bits
		fits = (x >= 0) == (y >= 0) || (int64(sum) >= 0) == (x >= 0)
	case "*":
		sum = a.Bits * b.Bits
		high, low := bits.Mul64(magnitude(x), magnitude(y))
		negative := (x < 0) != (y < 0)
		fits = high == 0 && (low < 1<<63 || negative && low == 1<<63)
	}
	n := cInt(sum, a.Type)
	if ctypes[a.Type].signed && (!fits || n.Bits != sum) {
		return nil, exceeds(op, a, b)
	}
	return n, nil
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// exceeds returns the error for a result outside the range of its type.
func exceeds(op string, a, b CInt) error {
	z := new(big.Int)
	switch op {
	case "+":
		z.Add(a.big(), b.big())
	case "-":
		z.Sub(a.big(), b.big())
	case "*":
		z.Mul(a.big(), b.big())
	default:
		z.Quo(a.big(), b.big())
	}
	return errorf(cute.CodeOverflow, "%s %s %s is %s, which exceeds %s: undefined in C++", a, op, b, z, cppTypeName(a.Type))
}

// cppQuotient computes / and %, which round toward zero.
func cppQuotient(op string, a, b CInt) (Value, error) {
	least := ctypes[a.Type].signed && int64(a.Bits) == -1<<(ctypes[a.Type].bits-1)
	switch {
	case b.Bits == 0:
		return nil, errorf(cute.CodeNotDivisible, "%s %s 0 divides by zero: undefined in C++", a, op)
	case least && int64(b.Bits) == -1 && op == "/":
		return nil, exceeds(op, a, b)
	case least && int64(b.Bits) == -1:
		return nil, errorf(cute.CodeOverflow, "%s %% -1 is undefined in C++, as %s / -1 exceeds %s", a, a, cppTypeName(a.Type))
	case ctypes[a.Type].signed && op == "/":
		return cInt(uint64(int64(a.Bits)/int64(b.Bits)), a.Type), nil
	case ctypes[a.Type].signed:
		return cInt(uint64(int64(a.Bits)%int64(b.Bits)), a.Type), nil
	case op == "/":
		return cInt(a.Bits/b.Bits, a.Type), nil
	}
	return cInt(a.Bits%b.Bits, a.Type), nil
}

// cppShift computes << and >> in the type of the left operand. A left shift drops the bits that do not fit into the
// type, as C++20 defines it and as compilers have always done.
func cppShift(op string, a, b Value) (Value, error) {
	x, okX := a.(CInt)
	y, okY := b.(CInt)
	if !okX || !okY {
		return nil, errorf(cute.CodeType, "%s is not defined for %s and %s", op,
			cppTypeName(typeOfNumber(a)), cppTypeName(typeOfNumber(b)))
	}
	t := cppPromoted(x.Type)
	width := uint64(ctypes[t].bits)
	switch {
	case ctypes[y.Type].signed && int64(y.Bits) < 0:
		return nil, errorf(cute.CodeOverflow, "%s %s %s shifts by a negative number: undefined in C++", x, op, y)
	case y.Bits >= width:
		return nil, errorf(cute.CodeOverflow, "%s %s %s shifts by at least the %d bits of %s: undefined in C++", x, op, y,
			width, cppTypeName(t))
	}
	n := cInt(x.Bits<<y.Bits, t)
	if op == ">>" {
		n = cInt(x.Bits>>y.Bits, t)
		if ctypes[t].signed {
			n = cInt(uint64(int64(x.Bits)>>y.Bits), t)
		}
	}
	n.Static = x.Static && y.Static
	return n, nil
}

// cppCompound returns the new value of TARGET OP= X. The value is computed in the common type, and converted to the
// type of the target.
func cppCompound(op string, old, x Value) (Value, error) {
	v, err := cppBinary(op, old, x)
	if err != nil {
		return nil, err
	}
	return cppConvert(v, typeOfNumber(old))
}

// cppStep returns the new value of ++X or --X.
func cppStep(op string, old Value) (Value, error) {
	if typeOfNumber(old) == CBool {
		return nil, errorf(cute.CodeType, "%s is not defined for bool", op)
	}
	return cppCompound(op[:1], old, CInt{Bits: 1, Type: CIntType})
}
