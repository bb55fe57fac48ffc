package compat

import (
	"fmt"

	"girih/internal/ints"
)

// This file defines the integers of the models. In CuTe's C++, the type of an integer, not its value, decides whether
// modes merge and conditions are checked. A number therefore records whether the compiler knows it.

// A number is an integer. known is set for a compile-time constant; outside C++, all integers are constants.
type number struct {
	v     int64
	known bool
}

// constant returns a compile-time constant.
func constant(v int64) number { return number{v: v, known: true} }

// is reports whether n is the compile-time constant v.
func (n number) is(v int64) bool { return n.known && n.v == v }

// both reports whether a and b are compile-time constants.
func both(a, b number) bool { return a.known && b.known }

// A Refusal is the error of a model that has no answer.
type Refusal struct {
	// Text says how the tool refuses, in the tool's own words if there are any.
	Text string
	// Unmodelled reports that the tool may have an answer, but the model does not cover the case.
	Unmodelled bool
	// Absent is true if the tool does not have the operation.
	Absent bool
	// Breach is the condition that fails, with numbers, or nil if the model does not name it.
	Breach *Breach
}

// A Breach is a condition of a tool that two leaves violate.
type Breach struct {
	Mode []int // the path to the mode of the left operand, if the operation is done mode by mode
	Pair [2]string
	Says string
}

// Error returns the text.
func (r *Refusal) Error() string { return r.Text }

// refuse returns a refusal by the tool.
//
//go:noinline
func refuse(format string, args ...any) error { return &Refusal{Text: fmt.Sprintf(format, args...)} }

// between returns a breach of a condition by two leaves, with Says still empty.
func between(a, b layout) *Breach { return &Breach{Pair: [2]string{a.text(values), b.text(values)}} }

// refuse returns the tool's refusal with the given text, and sets b.Says from the format.
func (b *Breach) refuse(text, format string, args ...any) error {
	b.Says = fmt.Sprintf(format, args...)
	return &Refusal{Text: text, Breach: b}
}

// inMode adds to the breach in a refusal that it happened in mode i.
func inMode(i int, err error) error {
	r, ok := err.(*Refusal) //nolint:errorlint // the models do not wrap errors
	if !ok || r.Breach == nil {
		return err
	}
	in := *r
	in.Breach = &Breach{append([]int{i}, r.Breach.Mode...), r.Breach.Pair, r.Breach.Says}
	return &in
}

// noModel returns the refusal for a case that the model does not cover.
func noModel(format string, args ...any) error {
	return &Refusal{Text: fmt.Sprintf(format, args...), Unmodelled: true}
}

// A calc does the arithmetic of one run of a model and keeps the first error. Numbers computed after an error have no
// meaning.
//
// Constness follows CuTe's integral_constant: a result of constants is a constant, and so is a product, quotient or
// remainder that is 0 whatever the other operand is.
type calc struct {
	zero string // the tool's text for a division by 0
	err  error
}

func (c *calc) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// overflow records that a number does not fit in 64 bits, and returns a number in its place.
func (c *calc) overflow() number {
	c.fail(noModel("an intermediate number leaves 64 bits"))
	return constant(0)
}

func (c *calc) mul(a, b number) number {
	v, ok := ints.Mul(a.v, b.v)
	if !ok {
		return c.overflow()
	}
	return number{v: v, known: both(a, b) || a.is(0) || b.is(0)}
}

func (c *calc) add(a, b number) number {
	v, ok := ints.Add(a.v, b.v)
	if !ok {
		return c.overflow()
	}
	return number{v: v, known: both(a, b)}
}

func (c *calc) sub(a, b number) number {
	v, ok := ints.Sub(a.v, b.v)
	if !ok {
		return c.overflow()
	}
	return number{v: v, known: both(a, b)}
}

// div returns a/b rounded towards 0.
func (c *calc) div(a, b number) number {
	if !c.divisible(a, b) {
		return constant(0)
	}
	return number{v: a.v / b.v, known: both(a, b) || a.is(0)}
}

// mod returns the remainder of div.
func (c *calc) mod(a, b number) number {
	if !c.divisible(a, b) {
		return constant(0)
	}
	return number{v: a.v % b.v, known: both(a, b) || a.is(0) || b.is(1) || b.is(-1)}
}

// divisible reports whether a/b is defined, and records an error if not.
func (c *calc) divisible(a, b number) bool {
	switch {
	case b.v == 0:
		c.fail(refuse("%s", c.zero))
	case b.v == -1 && a.v < 0 && -a.v == a.v:
		c.overflow()
	default:
		return true
	}
	return false
}

func (c *calc) abs(a number) number {
	v, ok := ints.Abs(a.v)
	if !ok {
		return c.overflow()
	}
	return number{v: v, known: a.known}
}

// signum returns -1, 0 or 1.
func signum(a number) number {
	switch {
	case a.v > 0:
		a.v = 1
	case a.v < 0:
		a.v = -1
	}
	return a
}

// smaller returns the smaller of a and b. The result is a constant if both are.
func smaller(a, b number) number { return number{v: min(a.v, b.v), known: both(a, b)} }
