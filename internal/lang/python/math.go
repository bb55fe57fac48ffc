package python

import (
	"math"
	"math/big"
	"strconv"
)

// mathRows are the functions of the module math. Python leaves the last digit of log, exp and pow to the C library of
// the platform; here they are rounded correctly.
var mathRows = rowsOf(mathList)

var mathList = []namedRow{
	{"math.floor", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return toWhole(a[0], math.Floor) }}},
	{"math.ceil", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return toWhole(a[0], math.Ceil) }}},
	{"math.trunc", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return toWhole(a[0], math.Trunc) }}},
	{"math.sqrt", onFloats(func(x float64) float64 { return math.Sqrt(x) })},
	{"math.fabs", &builtin{"x", func(_ *Library, a []Value) (Value, error) {
		f, err := floats(a)
		return Float(math.Abs(append(f, 0)[0])), err
	}}},
	{"math.exp", onFloats(func(x float64) float64 { return exactly(x, bigExp) })},
	{"math.log", &builtin{"x base?", func(_ *Library, a []Value) (Value, error) {
		x, err := logarithm(a[0], math.E)
		if err != nil || a[1] == nil {
			return x, err
		}
		base, err := logarithm(a[1], math.E)
		if err != nil {
			return nil, err
		}
		return floatBinary("/", float64(x.(Float)), float64(base.(Float)))
	}}},
	{"math.log2", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return logarithm(a[0], 2) }}},
	{"math.log10", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return logarithm(a[0], 10) }}},
	{"math.pow", &builtin{"x y", func(_ *Library, a []Value) (Value, error) {
		f, err := floats(a)
		if err != nil {
			return nil, err
		}
		if f[0] == 0 && f[1] < 0 && !math.IsInf(f[1], 0) || f[0] < 0 && f[1] != math.Trunc(f[1]) && !math.IsInf(f[0], 0) {
			return nil, ValueError("math domain error")
		}
		r := power(f[0], f[1])
		if math.IsInf(r, 0) && !math.IsInf(f[0], 0) && !math.IsInf(f[1], 0) {
			return nil, Raise("OverflowError", "math range error")
		}
		return floatOf(r, f...), nil
	}}},
	{"math.fmod", &builtin{"x y", func(_ *Library, a []Value) (Value, error) {
		f, err := floats(a)
		if err != nil {
			return nil, err
		}
		if r := math.Mod(f[0], f[1]); r == r || f[0] != f[0] || f[1] != f[1] {
			return floatOf(r, f...), nil
		}
		return nil, ValueError("math domain error")
	}}},
	{"math.copysign", &builtin{"x y", func(_ *Library, a []Value) (Value, error) {
		f, err := floats(a)
		if err != nil {
			return nil, err
		}
		return Float(math.Copysign(f[0], f[1])), nil
	}}},
	{"math.isnan", isFloat(math.IsNaN)},
	{"math.isinf", isFloat(func(x float64) bool { return math.IsInf(x, 0) })},
	{"math.isfinite", isFloat(func(x float64) bool { return x-x == 0 })},
	{"math.isclose", &builtin{"a b *rel_tol= *abs_tol=", func(_ *Library, a []Value) (Value, error) {
		relative, absolute := Value(Float(1e-9)), Value(Float(0))
		if a[2] != nil {
			relative = a[2]
		}
		if a[3] != nil {
			absolute = a[3]
		}
		f, err := floats([]Value{a[0], a[1], relative, absolute})
		if err != nil {
			return nil, err
		}
		if f[2] < 0 || f[3] < 0 {
			return nil, ValueError("tolerances must be non-negative")
		}
		return Bool(isClose(f)), nil
	}}},
	{"math.gcd", &builtin{"...", func(_ *Library, a []Value) (Value, error) { return foldInts(a, 0, gcd) }}},
	{"math.lcm", &builtin{"...", func(_ *Library, a []Value) (Value, error) { return foldInts(a, 1, lcm) }}},
	{"math.isqrt", &builtin{"n", func(_ *Library, a []Value) (Value, error) { return integerRoot(a[0]) }}},
	{"math.factorial", &builtin{"n", func(_ *Library, a []Value) (Value, error) { return factorial(a[0]) }}},
	{"math.comb", &builtin{"n k", func(_ *Library, a []Value) (Value, error) { return choose(a, new(big.Int).Binomial, "comb") }}},
	{"math.perm", &builtin{"n k?", func(_ *Library, a []Value) (Value, error) {
		if isNone(a[1]) {
			return factorial(a[0])
		}
		return choose(a, func(n, k int64) *big.Int { return new(big.Int).MulRange(n-k+1, n) }, "perm")
	}}},
	{"math.prod", &builtin{"x *start=", func(py *Library, a []Value) (Value, error) {
		var total Value = Int(1)
		if a[1] != nil {
			total = a[1]
		}
		list, err := py.elements(a[0])
		for _, v := range list {
			if err != nil {
				break
			}
			_, isForeign := v.(Foreign)
			if _, also := total.(Foreign); py.Other != nil && (isForeign || also) {
				total, err = py.Other("*", total, v)
			} else {
				total, err = py.Binary("*", total, v)
			}
		}
		return total, err
	}}},
}

// constants are the names of the library that are not functions. A program is its main module.
var constants = map[string]Value{
	"__name__": Str("__main__"),
	"math.pi":  Float(math.Pi), "math.e": Float(math.E), "math.tau": Float(2 * math.Pi), "math.inf": Float(math.Inf(1)),
	"math.nan": Float(NaN(1)),
}

// toWhole returns floor, ceil or trunc of a number.
func toWhole(v Value, round func(float64) float64) (Value, error) {
	if f, ok := v.(Float); ok {
		return floatToInt(float64(f), round)
	}
	n, ok := asInt(v)
	if !ok {
		return nil, TypeError("must be real number, not %s", TypeName(v))
	}
	return Int(n), nil
}

// floats returns numbers as floats.
func floats(a []Value) ([]float64, error) {
	list := make([]float64, len(a))
	for i, v := range a {
		f, ok := asFloat(v)
		if !ok {
			return nil, TypeError("must be real number, not %s", TypeName(v))
		}
		list[i] = f
	}
	return list, nil
}

// onFloats returns a function of one float. nan from a number is an error, and so is an infinity from a finite number.
func onFloats(f func(float64) float64) *builtin {
	return &builtin{"x", func(_ *Library, a []Value) (Value, error) {
		x, err := floats(a)
		if err != nil {
			return nil, err
		}
		y := f(x[0])
		switch {
		case y != y && x[0] == x[0]:
			return nil, ValueError("math domain error")
		case math.IsInf(y, 0) && !math.IsInf(x[0], 0):
			return nil, Raise("OverflowError", "math range error")
		}
		return floatOf(y, x...), nil
	}}
}

func isFloat(is func(float64) bool) *builtin {
	return &builtin{"x", func(_ *Library, a []Value) (Value, error) {
		x, err := floats(a)
		if err != nil {
			return nil, err
		}
		return Bool(is(x[0])), nil
	}}
}

// isClose compares f[0] and f[1] with a relative and an absolute tolerance.
func isClose(f []float64) bool {
	a, b := f[0], f[1]
	if a == b {
		return true
	}
	if math.IsInf(a, 0) || math.IsInf(b, 0) {
		return false
	}
	d := math.Abs(b - a)
	return d <= math.Abs(f[2]*b) || d <= math.Abs(f[2]*a) || d <= f[3]
}

func foldInts(a []Value, start int64, f func(x, y *big.Int) *big.Int) (Value, error) {
	total := big.NewInt(start)
	for _, v := range a {
		n, err := integer(v, 0)
		if err != nil {
			return nil, err
		}
		if total = f(total, new(big.Int).Abs(big.NewInt(n))); !total.IsInt64() {
			return nil, tooLarge("the result")
		}
	}
	return Int(total.Int64()), nil
}

func gcd(x, y *big.Int) *big.Int { return new(big.Int).GCD(nil, nil, x, y) }

func lcm(x, y *big.Int) *big.Int {
	if x.Sign() == 0 || y.Sign() == 0 {
		return new(big.Int)
	}
	return new(big.Int).Mul(new(big.Int).Div(x, gcd(x, y)), y)
}

func integerRoot(v Value) (Value, error) {
	n, err := integer(v, 0)
	switch {
	case err != nil:
		return nil, err
	case n < 0:
		return nil, ValueError("isqrt() argument must be nonnegative")
	}
	return Int(new(big.Int).Sqrt(big.NewInt(n)).Int64()), nil
}

func factorial(v Value) (Value, error) {
	n, err := integer(v, 0)
	switch {
	case err != nil:
		return nil, err
	case n < 0:
		return nil, ValueError("factorial() not defined for negative values")
	case n > 20:
		return nil, tooLarge(strconv.FormatInt(n, 10) + "!")
	}
	return Int(new(big.Int).MulRange(1, n).Int64()), nil
}

// choose returns the number of ways to choose k of n.
func choose(a []Value, count func(n, k int64) *big.Int, name string) (Value, error) {
	n, err := integer(a[0], 0)
	if err != nil {
		return nil, err
	}
	k, err := integer(a[1], 0)
	switch {
	case err != nil:
		return nil, err
	case n < 0:
		return nil, ValueError("n must be a non-negative integer")
	case k < 0:
		return nil, ValueError("k must be a non-negative integer")
	case k > n:
		return Int(0), nil
	}
	if name == "comb" {
		k = min(k, n-k)
	}
	if k > 64 {
		return nil, tooLarge("the result")
	}
	r := count(n, k)
	if !r.IsInt64() {
		return nil, tooLarge("the result")
	}
	return Int(r.Int64()), nil
}

// logarithm returns the logarithm of a number to the base e, 2 or 10.
func logarithm(v Value, base float64) (Value, error) {
	f, ok := asFloat(v)
	switch {
	case !ok:
		return nil, TypeError("must be real number, not %s", TypeName(v))
	case f <= 0:
		return nil, ValueError("math domain error")
	case f != f || math.IsInf(f, 1):
		return Float(f), nil
	}
	x := new(big.Float).SetPrec(bigPrec)
	if n, ok := asInt(v); ok {
		x.SetInt64(n)
	} else {
		x.SetFloat64(f)
	}
	y := bigLog(x)
	if base != math.E {
		y.Quo(y, bigLog(new(big.Float).SetPrec(bigPrec).SetFloat64(base)))
	}
	r, _ := y.Float64()
	return Float(r), nil
}
