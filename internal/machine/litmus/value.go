package litmus

import (
	"girih/fault"
	"girih/ptx/consistency"
)

// A value is the content of a register or of a write: an integer, or an expression of reads that are not decided yet.
type value struct {
	known bool
	n     int64
	e     *term           // the expression, if the value is not known
	deps  consistency.Set // the reads on which the value depends
}

// A term is the value of a read, or an operation on two values.
type term struct {
	read int // the event of a read; -1 for an operation
	math Math
	a, b value
	c    value // for cas: the value that is stored if a equals b
}

func constant(n int64) value { return value{known: true, n: n} }

// compute returns the result of math for a and b.
func compute(math Math, a, b value) (value, error) {
	v := value{deps: a.deps | b.deps}
	if !a.known || !b.known {
		v.e = &term{read: -1, math: math, a: a, b: b}
		return v, nil
	}
	n, err := calculate(math, a.n, b.n)
	v.known, v.n = true, n
	return v, err
}

// choose returns the value that atom.cas stores: c if old equals b, and old otherwise.
func choose(old, b, c value) value {
	v := value{deps: old.deps | b.deps | c.deps}
	if !old.known || !b.known || !c.known {
		v.e = &term{read: -1, math: "cas", a: old, b: b, c: c}
		return v
	}
	v.known, v.n = true, old.n
	if old.n == b.n {
		v.n = c.n
	}
	return v
}

// calculate returns the result of math for two integers. It returns an error for a division by 0.
func calculate(math Math, a, b int64) (int64, error) {
	switch math {
	case "", "exch":
		return b, nil
	case "add":
		return a + b, nil
	case "sub":
		return a - b, nil
	case "mul":
		return a * b, nil
	case "and":
		return a & b, nil
	case "or":
		return a | b, nil
	case "xor":
		return a ^ b, nil
	case "min":
		return min(a, b), nil
	case "max":
		return max(a, b), nil
	case "div":
		if b == 0 {
			return 0, &Error{Code: fault.Range, Message: "expected a divisor other than 0 in each execution, found 0"}
		}
		return a / b, nil
	}
	if !compare(math, a, b) {
		return 0, nil
	}
	return 1, nil
}

// compare reports whether a comparison holds.
func compare(math Math, a, b int64) bool {
	switch math {
	case "eq":
		return a == b
	case "ne":
		return a != b
	case "lt":
		return a < b
	case "le":
		return a <= b
	case "gt":
		return a > b
	case "ge":
		return a >= b
	}
	return true // goto
}
