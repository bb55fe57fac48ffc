package interp

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"girih/cute"
	"girih/internal/lang/program"
)

// This file implements the literals of C++ and the conversions between its types of numbers.

// cInt returns an integer of type t: bits modulo 2^width, sign-extended to 64 bits if the type is signed.
//
//go:noinline
func cInt(bits uint64, t CType) CInt {
	info := ctypes[t]
	switch spare := 64 - info.bits; {
	case t == CBool:
		bits &= 1
	case info.signed:
		bits = uint64(int64(bits<<spare) >> spare)
	default:
		bits = bits << spare >> spare
	}
	return CInt{Bits: bits, Type: t}
}

// cBools are the truth values.
var cBools = map[bool]Value{true: CInt{Bits: 1, Type: CBool}, false: CInt{Type: CBool}}

// big returns the number of an integer.
func (n CInt) big() *big.Int {
	if ctypes[n.Type].signed {
		return big.NewInt(int64(n.Bits))
	}
	return new(big.Int).SetUint64(n.Bits)
}

// String returns the number in decimal.
func (n CInt) String() string {
	if ctypes[n.Type].signed {
		return strconv.FormatInt(int64(n.Bits), 10)
	}
	return strconv.FormatUint(n.Bits, 10)
}

// cFloat returns a floating-point number, rounded to its type.
func cFloat(f float64, t CType) CFloat {
	if t == CSingle {
		if f == f { // a NaN keeps its sign
			f = float64(float32(f))
		}
		return CFloat{F: f, Single: true}
	}
	return CFloat{F: f}
}

// suffixTypes lists, for each suffix of an integer literal, the signed types that the literal may have. The unsigned
// types have the same sizes.
var suffixTypes = map[string][]CType{
	"": {CIntType, CLong}, "u": {CIntType, CLong}, "l": {CLong}, "ul": {CLong}, "z": {CLong}, "uz": {CLong},
	"ll": {CLongLong}, "ull": {CLongLong},
}

// cppNumber returns the value of a literal. The type of an integer is the first type of a list that can represent it.
// The list depends on the suffix, and includes unsigned types for octal, binary and hexadecimal literals.
func cppNumber(x *program.Number) (Value, error) {
	switch {
	case x.IsFloat && x.Suffix == "l":
		return nil, errorf(cute.CodeType, "%s is a long double, which is not run: write it without the suffix", x.Text)
	case x.IsFloat && x.Suffix == "f":
		return cFloat(x.F, CSingle), nil
	case x.IsFloat:
		return cFloat(x.F, CDouble), nil
	case x.TooLarge:
		return nil, errorf(cute.CodeOverflow, "%s exceeds 64 bits", x.Text)
	}
	unsigned := strings.HasPrefix(x.Suffix, "u")
	for _, t := range suffixTypes[x.Suffix] {
		bits := ctypes[t].bits
		if !unsigned && x.N < 1<<(bits-1) {
			return CInt{Bits: x.N, Type: t}, nil
		}
		if (unsigned || !x.Decimal) && x.N <= math.MaxUint64>>(64-bits) {
			return CInt{Bits: x.N, Type: t.withoutSign()}, nil
		}
	}
	return nil, errorf(cute.CodeOverflow, "%s exceeds long: write %sU", x.Text, x.Text)
}

// cppConvert converts a number to type t. It returns v unchanged if v is not a number or t is CNone.
func cppConvert(v Value, t CType) (Value, error) {
	switch v := v.(type) {
	case CInt:
		switch {
		case t == CNone || v.Type == t:
			return v, nil
		case t == CBool:
			return cBools[v.Bits != 0], nil
		case t.isInteger():
			return cInt(v.Bits, t), nil
		case !ctypes[v.Type].signed && t == CSingle:
			return cFloat(float64(float32(v.Bits)), t), nil
		case !ctypes[v.Type].signed:
			return cFloat(float64(v.Bits), t), nil
		case t == CSingle:
			return cFloat(float64(float32(int64(v.Bits))), t), nil
		}
		return cFloat(float64(int64(v.Bits)), t), nil
	case CFloat:
		switch {
		case t == CNone:
			return v, nil
		case t == CBool:
			return cBools[v.F != 0], nil
		case t.isInteger():
			return v.integer(t)
		}
		return cFloat(v.F, t), nil
	}
	return v, nil
}

// integer converts a floating-point number to an integer by rounding toward zero.
func (v CFloat) integer(t CType) (Value, error) {
	info := ctypes[t]
	f := math.Trunc(v.F)
	least, most := 0.0, math.Ldexp(1, int(info.bits))
	if info.signed {
		least, most = -most/2, most/2
	}
	if !(f >= least && f < most) { //nolint:staticcheck // f may be NaN
		return nil, errorf(cute.CodeOverflow, "%s exceeds %s: its conversion is undefined in C++", cppFloatText(v.F),
			info.name)
	}
	if f < 0 {
		return cInt(uint64(int64(f)), t), nil
	}
	return cInt(uint64(f), t), nil
}

// cppTruth returns whether a condition holds.
func cppTruth(v Value) (bool, error) {
	switch v := v.(type) {
	case CInt:
		return v.Bits != 0, nil
	case CFloat:
		return v.F != 0, nil
	case None: // nullptr
		return false, nil
	case Pointer, *Array, Str:
		return true, nil
	}
	return false, errorf(cute.CodeType, "expected a number as a condition, found %s", cppDescribe(v))
}

// cppFloatText returns a number as std::cout prints it: with 6 significant digits.
func cppFloatText(f float64) string { return floatSpec{verb: 'g', precision: 6}.format(f) }

// cppDescribe names a value in an error.
//
//go:noinline
func cppDescribe(v Value) string {
	if t := typeOfNumber(v); t != CNone {
		return "a number of type " + cppTypeName(t)
	}
	switch v.(type) {
	case Str:
		return "a string"
	case *Array:
		return "an array"
	case None:
		return "nothing"
	case Pointer, Address, *tracedAddress, *vectorPointer:
		return "a pointer"
	case *Object:
		return "an object"
	case *Func, *Builtin:
		return "a function"
	case TypeValue:
		return "a type"
	case Algebra:
		return "a value of the algebra"
	}
	return "something else"
}
