package gemm

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
)

// This file defines the numbers that simulated registers hold: values that their type represents exactly.

// A rounding rounds a number to the nearest value of a type, ties to even, as the hardware's conversions do.
type rounding func(x float64) (float64, error)

// roundingOf returns the rounding of a type. Hardware wraps integers in the accumulator unless it saturates; here an
// integer beyond the type is refused, because it is a mistake in every kernel. A bit is 0 or 1.
func roundingOf(t dtype.Type) rounding {
	if t == dtype.B1 {
		t = dtype.U1
	}
	switch {
	case t == dtype.F64:
		return func(x float64) (float64, error) { return x, nil }
	case t == dtype.F32:
		return func(x float64) (float64, error) { return float64(float32(x)), nil }
	case t.Kind() == dtype.Float:
		return func(x float64) (float64, error) {
			code, err := t.Encode(x)
			if err != nil {
				return 0, &cute.Error{Code: cute.CodeOverflow, Op: "gemm", Msg: fmt.Sprintf("%v is not a value of %v: %v", x, t, err)}
			}
			return t.Decode(code)
		}
	}
	least, most := integersOf(t)
	return func(x float64) (float64, error) {
		if least <= x && x <= most && x == math.Trunc(x) {
			return x, nil
		}
		if x != math.Trunc(x) || math.Abs(x) > 1<<53 {
			return 0, &cute.Error{Code: cute.CodeOverflow, Op: "gemm", Msg: fmt.Sprintf("%v is not an integer below 2^53", x)}
		}
		code, err := t.EncodeInt(int64(x))
		if err != nil {
			return 0, &cute.Error{Code: cute.CodeOverflow, Op: "gemm", Msg: fmt.Sprintf("%v is not a value of %v: %v", x, t, err)}
		}
		y, err := t.DecodeInt(code)
		return float64(y), err
	}
}

// integersOf returns the smallest and the largest integer of a type, of at most 53 bits; for raw bits, an empty range.
func integersOf(t dtype.Type) (least, most float64) {
	bits := min(t.Bits(), 53)
	switch t.Kind() {
	case dtype.Signed:
		return -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1) - 1
	case dtype.Natural:
		return 0, math.Ldexp(1, bits) - 1
	}
	return 0, -1
}

// exact reports whether the accumulator holds sums of products of the types exactly, as integers do.
func exact(a, b, c dtype.Type) bool {
	return a.Kind() != dtype.Float && b.Kind() != dtype.Float && c.Kind() != dtype.Float
}

// unit returns the distance from 1 to the next number of a float type: the relative cost of one rounding.
func unit(t dtype.Type) float64 {
	if t.Kind() != dtype.Float {
		return 0
	}
	one, err := t.Encode(1)
	if err != nil {
		return 1
	}
	next, err := t.Decode(one + 1)
	if err != nil {
		return 1
	}
	return next - 1
}

//go:noinline
func refuse(code cute.Code, format string, args ...any) *cute.Error {
	return &cute.Error{Code: code, Op: "gemm", Msg: fmt.Sprintf(format, args...)}
}
