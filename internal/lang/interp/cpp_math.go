package interp

import (
	"math"
	"strings"

	"girih/internal/lang/python"

	"girih/cute"
)

// This file implements the functions of <cmath> whose results are exact or rounded once.

// A mathRow is a function of n numbers.
type mathRow struct {
	n int
	f func(x [3]float64) float64
}

var exact = map[string]mathRow{
	"sqrt": oneNumber(math.Sqrt), "fabs": oneNumber(math.Abs), "floor": oneNumber(math.Floor), "ceil": oneNumber(math.Ceil),
	"trunc": oneNumber(math.Trunc), "round": oneNumber(math.Round), "rint": oneNumber(math.RoundToEven),
	"nearbyint": oneNumber(math.RoundToEven),
	"fmod":      {2, func(x [3]float64) float64 { return math.Mod(x[0], x[1]) }},
	"remainder": {2, func(x [3]float64) float64 { return math.Remainder(x[0], x[1]) }},
	"copysign":  {2, func(x [3]float64) float64 { return math.Copysign(x[0], x[1]) }},
	"fdim":      {2, func(x [3]float64) float64 { return difference(x[0], x[1]) }},
	"fmin":      {2, func(x [3]float64) float64 { return lesser(x[0], x[1]) }},
	"fmax":      {2, func(x [3]float64) float64 { return -lesser(-x[0], -x[1]) }},
	"fma":       {3, func(x [3]float64) float64 { return math.FMA(x[0], x[1], x[2]) }},
}

func oneNumber(f func(float64) float64) mathRow {
	return mathRow{1, func(x [3]float64) float64 { return f(x[0]) }}
}

// lesser returns the smaller of two numbers. If one is a NaN, it returns the other.
func lesser(x, y float64) float64 {
	if x != x || y < x || x == y && math.Signbit(y) {
		return y
	}
	return x
}

// difference returns x - y, or 0 if that is negative.
func difference(x, y float64) float64 {
	if x <= y {
		return 0
	}
	return x - y
}

// mathTests lists the functions of <cmath> that test a property of a number.
var mathTests = map[string]func(x float64) bool{
	"isnan": math.IsNaN, "isinf": func(x float64) bool { return math.IsInf(x, 0) }, "signbit": math.Signbit,
	"isfinite": func(x float64) bool { return x-x == 0 },
}

// mathOf returns a function of <cmath>, or nil. If the name ends in f, as in sqrtf, the operands and the result are
// float.
func mathOf(name string) Value {
	typ := CNone
	row, ok := exact[name]
	if !ok {
		row, typ = exact[strings.TrimSuffix(name, "f")], CSingle
	}
	test := mathTests[name]
	switch {
	case name == "nan" || name == "nanf":
		return &Builtin{Name: name, Call: func(_ *runner, c *arguments) (Value, error) {
			return CFloat{python.NaN(1), name == "nanf"}, nil
		}}
	case test != nil:
		return &Builtin{Name: name, Call: func(_ *runner, c *arguments) (Value, error) {
			x, _, err := operandsOf(c, 1, CNone)
			return cBools[test(x[0])], err
		}}
	case row.n == 0:
		return nil
	}
	return &Builtin{Name: name, Call: func(r *runner, c *arguments) (Value, error) {
		x, t, err := operandsOf(c, row.n, typ)
		if err != nil {
			return nil, err
		}
		return r.cmath(strings.TrimSuffix(name, "f"), row, x, t), nil
	}}
}

// operandsOf returns the arguments of a function of <cmath> as floating-point numbers of type t. If t is CNone, the
// type is float if all arguments are float, and double otherwise.
func operandsOf(c *arguments, n int, t CType) (x [3]float64, of CType, err error) {
	if len(c.pos) != n {
		return x, t, errorf(cute.CodeRank, "expected %d arguments, found %d", n, len(c.pos))
	}
	if t == CNone {
		t = CSingle
		for _, v := range c.pos {
			if typeOfNumber(cppElement(v)) != CSingle {
				t = CDouble
			}
		}
	}
	for i, v := range c.pos {
		v, err := cppConvert(cppElement(v), t)
		f, ok := v.(CFloat)
		if err != nil || !ok {
			return x, t, errorf(cute.CodeType, "expected a number, found %s", cppDescribe(v))
		}
		x[i] = f.F
	}
	return x, t, nil
}

// cmath applies a function of <cmath>.
func (r *runner) cmath(name string, row mathRow, x [3]float64, t CType) Value {
	f := row.f(x)
	if name == "fma" && t == CSingle {
		f = fmaOfFloats(x[0], x[1], x[2])
	}
	switch {
	case f == f:
	case name == "fabs" || name == "copysign":
		if math.Signbit(x[0]) {
			r.noteAt(r.here.Pos(), "g++ leaves "+name+" out if the operand cannot be negative, as x * x: then a NaN keeps its sign")
		}
	default:
		if f = python.PassNaN(x[:row.n]...); r.kernel != nil && t == CSingle {
			f = python.NaN(1)
		}
	}
	return cFloat(f, t)
}

// fmaOfFloats returns x * y + z as a double that gives the correctly rounded result when it is converted to float. The
// product of two floats is exact in a double. If the sum is not exact, its last bit is set to odd, so that it is not
// halfway between two floats.
func fmaOfFloats(x, y, z float64) float64 {
	p := float64(x * y)
	s := float64(p + z)
	zz := float64(s - p)
	rest := float64(p-float64(s-zz)) + float64(z-zz)
	if bits := math.Float64bits(s); rest == rest && rest != 0 && bits&1 == 0 {
		if (rest > 0) == (s > 0) {
			return math.Float64frombits(bits + 1)
		}
		return math.Float64frombits(bits - 1)
	}
	return s
}
