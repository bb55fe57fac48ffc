package python

import (
	"math"
	"math/big"
	"strconv"
	"unicode/utf8"
)

// numberRows are the functions of Python on numbers.
var numberRows = rowsOf(numberList)

var numberList = []namedRow{
	{"abs", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return absolute(a[0]) }}},
	{"round", &builtin{"number= ndigits=", func(_ *Library, a []Value) (Value, error) {
		if a[0] == nil {
			return nil, TypeError("round() missing required argument 'number' (pos 1)")
		}
		return round(a[0], a[1])
	}}},
	{"divmod", &builtin{"x y", func(py *Library, a []Value) (Value, error) {
		x, isX := asFloat(a[0])
		y, isY := asFloat(a[1])
		_, isFloat := a[0].(Float)
		_, alsoFloat := a[1].(Float)
		switch {
		case !isX || !isY:
			return nil, unsupportedError("divmod()", a[0], a[1])
		case y == 0 && (isFloat || alsoFloat) && x == x:
			return nil, Raise("ZeroDivisionError", "float divmod()")
		}
		q, err := py.Binary("//", a[0], a[1])
		if err != nil {
			return nil, err
		}
		r, err := py.Binary("%", a[0], a[1])
		return Tuple{q, r}, err
	}}},
	{"pow", &builtin{"base= exp= mod=", func(py *Library, a []Value) (Value, error) {
		switch {
		case a[0] == nil || a[1] == nil:
			return nil, TypeError("pow() missing required argument 'exp' (pos 2)")
		case isNone(a[2]):
			return py.Binary("**", a[0], a[1])
		}
		return modularPower(a)
	}}},
	{"bin", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return inBase(a[0], 'b') }}},
	{"oct", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return inBase(a[0], 'o') }}},
	{"hex", &builtin{"x", func(_ *Library, a []Value) (Value, error) { return inBase(a[0], 'x') }}},
	{"chr", &builtin{"i", func(_ *Library, a []Value) (Value, error) {
		n, err := integer(a[0], 0)
		switch {
		case err != nil:
			return nil, err
		case n < math.MinInt32 || n > math.MaxInt32:
			return nil, Raise("OverflowError", "chr() arg is not an int of 32 bits: found %d", n)
		case n < 0 || n > utf8.MaxRune:
			return nil, ValueError("chr() arg not in range(0x110000)")
		case !utf8.ValidRune(rune(n)):
			return nil, Refuse("the surrogate %#x is no character", n)
		}
		return Str(rune(n)), nil
	}}},
	{"ord", &builtin{"c", func(_ *Library, a []Value) (Value, error) {
		s, ok := a[0].(Str)
		if !ok {
			return nil, TypeError("ord() expected string of length 1, but %s found", TypeName(a[0]))
		}
		c, n := utf8.DecodeRuneInString(string(s))
		if n == 0 || n != len(s) {
			return nil, TypeError("ord() expected a character, but string of length %d found", utf8.RuneCountInString(string(s)))
		}
		return Int(c), nil
	}}},
}

// intRows and floatRows are the methods of numbers.
var intRows = rowsOf(intList)

var intList = []namedRow{
	{"bit_length", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		n, _ := asInt(a[0])
		return Int(new(big.Int).Abs(big.NewInt(n)).BitLen()), nil
	}}},
	{"bit_count", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		n, _ := asInt(a[0])
		count := 0
		for bits := new(big.Int).Abs(big.NewInt(n)).Uint64(); bits != 0; bits &= bits - 1 {
			count++
		}
		return Int(count), nil
	}}},
}

var floatRows = rowsOf(floatList)

var floatList = []namedRow{
	{"is_integer", &builtin{"", func(_ *Library, a []Value) (Value, error) {
		f := float64(a[0].(Float))
		return Bool(f == math.Trunc(f) && !math.IsInf(f, 0)), nil
	}}},
}

func absolute(v Value) (Value, error) {
	if f, ok := v.(Float); ok {
		return Float(math.Abs(float64(f))), nil
	}
	n, ok := asInt(v)
	switch {
	case !ok:
		return nil, TypeError("bad operand type for abs(): '%s'", TypeName(v))
	case n == minInt:
		return nil, tooLarge("abs(" + strconv.FormatInt(n, 10) + ")")
	}
	return Int(max(n, -n)), nil
}

// inBase returns an integer in a base with its prefix: 0b101, -0x1f.
func inBase(v Value, typ byte) (Value, error) {
	n, err := integer(v, 0)
	if err != nil {
		return nil, err
	}
	s := formatSpec{fill: " ", typ: typ}
	sign, digits := cutSign(strconv.FormatInt(n, bases[typ].base))
	return Str(s.number(sign, bases[typ].prefix, digits, "")), nil
}

func modularPower(a []Value) (Value, error) {
	var n [3]int64
	for i, v := range a {
		k, ok := asInt(v)
		if !ok {
			return nil, TypeError("pow() 3rd argument not allowed unless all arguments are integers")
		}
		n[i] = k
	}
	if n[2] == 0 {
		return nil, ValueError("pow() 3rd argument cannot be 0")
	}
	m := new(big.Int).Abs(big.NewInt(n[2]))
	base := new(big.Int).Mod(big.NewInt(n[0]), m)
	r := new(big.Int).Exp(base, big.NewInt(n[1]), m)
	if r == nil {
		return nil, ValueError("base is not invertible for the given modulus")
	}
	if r.Mod(r, m); n[2] < 0 && r.Sign() != 0 {
		r.Sub(r, m)
	}
	return Int(r.Int64()), nil
}

// round returns round(x, digits): to the nearest, and to the even one of two that are equally near.
func round(x, digits Value) (Value, error) {
	f, isFloat := x.(Float)
	n, isInt := asInt(x)
	if !isFloat && !isInt {
		return nil, TypeError("type %s doesn't define __round__ method", TypeName(x))
	}
	if isNone(digits) {
		if isInt {
			return Int(n), nil
		}
		return floatToInt(float64(f), math.RoundToEven)
	}
	d, err := integer(digits, 0)
	switch {
	case err != nil:
		return nil, err
	case isInt && d >= 0:
		return Int(n), nil
	case isInt && d < -18:
		if d == -19 {
			break // numbers of 5e18 and more round to 10**19
		}
		return Int(0), nil
	case isFloat:
		return roundFloat(float64(f), d)
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(-d), nil)
	r := roundTo(new(big.Rat).SetInt64(n), unit)
	if !r.IsInt64() {
		return nil, tooLarge("round(" + strconv.FormatInt(n, 10) + ", " + strconv.FormatInt(d, 10) + ")")
	}
	return Int(r.Int64()), nil
}

func roundFloat(f float64, d int64) (Value, error) {
	switch {
	case math.IsInf(f, 0) || f != f || f == 0 || d > 323:
		return Float(f), nil
	case d < -308:
		return Float(math.Copysign(0, f)), nil
	case d >= 0:
		r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', int(d), 64), 64)
		return Float(r), nil
	}
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(-d), nil)
	r, _ := new(big.Rat).SetInt(roundTo(new(big.Rat).SetFloat64(f), unit)).Float64()
	if math.IsInf(r, 0) {
		return nil, Raise("OverflowError", "rounded value too large to represent")
	}
	return Float(math.Copysign(r, f)), nil
}

// roundTo returns the multiple of unit that is nearest to x, and the even multiple of two.
func roundTo(x *big.Rat, unit *big.Int) *big.Int {
	x = new(big.Rat).Quo(x, new(big.Rat).SetInt(unit))
	twice := new(big.Int).Mul(x.Num(), big.NewInt(2))
	twice.Add(twice, x.Denom())
	double := new(big.Int).Mul(x.Denom(), big.NewInt(2))
	q, r := new(big.Int).DivMod(twice, double, new(big.Int)) // floor(x + 1/2)
	if r.Sign() == 0 && q.Bit(0) == 1 {
		q.Sub(q, big.NewInt(1))
	}
	return q.Mul(q, unit)
}
