package indexmap

import (
	"errors"
	"fmt"
	"math"

	"girih/internal/ints"
)

// This file evaluates formulas. Integers of Python are exact; a number beyond 64 bits is an error. In C++ each formula
// has a type, to which its operands are converted: int reports an overflow, unsigned wraps.

// An op is what a formula does with its operands.
type op uint8

const (
	opNumber op = iota
	opVariable
	opAdd
	opSub
	opMul
	opAnd
	opOr
	opXor
	opLeft  // <<
	opRight // >>
	opTowardZero
	opRemainder // the remainder of opTowardZero
	opFloor
	opModulo // the remainder of opFloor
	opExact  // Python's /, if it leaves no remainder
	opPlain  // the / of a formula without a language, where both languages must agree
	opPlainRemainder
	opCeil
	opMin
	opMax
	opLess
	opLessEqual
	opEqual
	opNotEqual
	opBoth   // && of C++
	opEither // || of C++
	opIf
	opConvert // converts the operand to the type of the formula
)

// A ctype is the type of a formula in C++, or exact.
type ctype uint8

const (
	exact  ctype = iota // an integer of 64 bits without a language
	cInt                // 32 bits; overflow is an error
	cUint               // 32 bits, which wrap
	cLong               // 64 bits; overflow is an error
	cUlong              // 64 bits; a number beyond 63 bits is refused
	cInt8               // and the others only as targets of a conversion
	cUint8
	cInt16
	cUint16
)

// A formula is an operation with its operands, a number or a variable.
type formula struct {
	op   op
	typ  ctype
	x    int64 // the number, or the index of the variable
	args []*formula
	size int // the size of the tree, at most tooLarge
}

// tooLarge is the size of all formulas that are refused for their size, so that sizes do not overflow.
const tooLarge = maxSize + 1

func sizeOf(args ...*formula) int {
	n := 1
	for _, a := range args {
		n += a.size
	}
	return min(n, tooLarge)
}

func number(x int64) *formula { return &formula{op: opNumber, x: x, size: 1} }

// Errors of single operations.
var (
	errZero     = errors.New("the divisor is 0")
	errOverflow = errors.New("the number leaves 64 bits")
	errInt      = errors.New("the number leaves the 32 bits of an int")
	errShift    = errors.New("the shift is negative, or not below the width of the number")
	errSign     = errors.New("the division of a negative number differs between Python and C++; write a lambda of one of them")
)

// at returns the value of the formula for the given variables.
func (f *formula) at(vars []int64) (int64, error) {
	switch f.op {
	case opNumber:
		return f.x, nil
	case opVariable:
		return vars[f.x], nil
	}
	x, err := f.args[0].at(vars)
	if err != nil {
		return 0, err
	}
	switch f.op {
	case opConvert:
		return f.typ.convert(x)
	case opIf:
		if x != 0 {
			return f.args[1].at(vars)
		}
		return f.args[2].at(vars)
	case opBoth, opEither:
		if (x != 0) == (f.op == opEither) {
			return truth(x != 0).number(), nil
		}
		y, err := f.args[1].at(vars)
		return truth(y != 0).number(), err
	}
	y, err := f.args[1].at(vars)
	if err != nil {
		return 0, err
	}
	if f.op >= opTowardZero {
		if f.op >= opMin {
			return f.compare(x, y), nil
		}
		z, err := divide(f.op, x, y)
		if f.typ == cInt && z == 1<<31 {
			return 0, errInt
		}
		return z, err
	}
	return f.combine(x, y)
}

// A truth is a condition; its number is 1 or 0.
type truth bool

func (b truth) number() int64 {
	if b {
		return 1
	}
	return 0
}

func (f *formula) compare(x, y int64) int64 {
	switch f.op {
	case opMin:
		return min(x, y)
	case opMax:
		return max(x, y)
	case opLess:
		return truth(x < y).number()
	case opLessEqual:
		return truth(x <= y).number()
	case opEqual:
		return truth(x == y).number()
	}
	return truth(x != y).number()
}

// divide divides x by y as the operator does.
func divide(o op, x, y int64) (int64, error) {
	switch {
	case y == 0:
		return 0, errZero
	case y == -1 && x == math.MinInt64:
		return 0, errOverflow
	case (o == opPlain || o == opPlainRemainder) && (x < 0 || y < 0):
		return 0, errSign
	case o == opExact && x%y != 0:
		return 0, fmt.Errorf("%d / %d is no integer in Python; // rounds down", x, y)
	}
	q, r := x/y, x%y
	down := truth(r != 0 && (r < 0) != (y < 0)).number() // the floor is below the quotient
	switch o {
	case opRemainder, opPlainRemainder:
		return r, nil
	case opFloor:
		return q - down, nil
	case opModulo:
		return r + y*down, nil
	case opCeil:
		return q - down + truth(r != 0).number(), nil
	}
	return q, nil
}

// combine applies an operator whose value may leave the type.
func (f *formula) combine(x, y int64) (int64, error) {
	switch f.op {
	case opAnd:
		return x & y, nil
	case opOr:
		return x | y, nil
	case opXor:
		return x ^ y, nil
	case opLeft, opRight:
		if y < 0 || y > 62 || y > 31 && (f.typ == cInt || f.typ == cUint) {
			return 0, errShift
		}
		if f.op == opRight {
			return x >> y, nil
		}
		return f.typ.keep(x<<y, x == x<<y>>y)
	case opAdd:
		_, ok := ints.Add(x, y)
		return f.typ.keep(x+y, truth(ok))
	case opSub:
		_, ok := ints.Sub(x, y)
		return f.typ.keep(x-y, truth(ok))
	}
	_, ok := ints.Mul(x, y)
	return f.typ.keep(x*y, truth(ok))
}

// keep returns a number as a value of the type; whole reports that the number has not wrapped.
func (t ctype) keep(z int64, whole truth) (int64, error) {
	ok := bool(whole)
	switch t {
	case cUint:
		return int64(uint32(z)), nil
	case cInt:
		if !ok || z != int64(int32(z)) {
			return 0, errInt
		}
	case cUlong:
		ok = ok && z >= 0
	}
	if !ok {
		return 0, errOverflow
	}
	return z, nil
}

// convert converts a number to the type, as C++ does.
func (t ctype) convert(x int64) (int64, error) {
	switch t {
	case cInt:
		return int64(int32(x)), nil
	case cUint:
		return int64(uint32(x)), nil
	case cInt8:
		return int64(int8(x)), nil
	case cUint8:
		return int64(uint8(x)), nil
	case cInt16:
		return int64(int16(x)), nil
	case cUint16:
		return int64(uint16(x)), nil
	case cUlong:
		if x < 0 {
			return 0, errOverflow
		}
	}
	return x, nil
}

// promote returns the type in which C++ computes with a number of type t.
func (t ctype) promote() ctype {
	if t > cUlong {
		return cInt
	}
	return t
}

// to converts f to the type t, if it has another type.
func (f *formula) to(t ctype) *formula {
	if f.typ == t {
		return f
	}
	if f.op == opNumber {
		if x, err := t.convert(f.x); err == nil {
			return &formula{op: opNumber, typ: t, x: x, size: 1}
		}
	}
	return &formula{op: opConvert, typ: t, args: []*formula{f}, size: sizeOf(f)}
}

// pair returns the operation on two operands, converted to their common type.
func pair(o op, f, g *formula) *formula {
	t := max(f.typ.promote(), g.typ.promote())
	if o == opLeft || o == opRight {
		t = f.typ.promote()
		f = f.to(t)
	} else if o != opBoth && o != opEither {
		f, g = f.to(t), g.to(t)
	}
	r := &formula{op: o, typ: t, args: []*formula{f, g}, size: sizeOf(f, g)}
	if t != exact && o >= opLess {
		r.typ = cInt
	}
	return r
}

// choice returns c ? f : g.
func choice(c, f, g *formula) *formula {
	t := max(f.typ, g.typ)
	if f.typ != g.typ {
		t = max(f.typ.promote(), g.typ.promote())
	}
	f, g = f.to(t), g.to(t)
	return &formula{op: opIf, typ: t, args: []*formula{c, f, g}, size: sizeOf(c, f, g)}
}
