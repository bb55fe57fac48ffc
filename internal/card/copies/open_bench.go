package copies

import (
	"fmt"

	"girih/kernel/copy"
	"girih/symbolic"
)

// A copyOpen is a kernel for run-time extents, with the values of a case.
type copyOpen struct {
	Plan      *copy.Plan `json:"plan"`
	Seconds   float64    `json:"seconds,omitempty"`
	Registers int        `json:"registers,omitempty"`
}

// open returns a column of the table: the share of the device copy.
func (o *copyOutcome) open() string {
	if o.Open == nil {
		return " - |"
	}
	return fmt.Sprintf(" %.2f |", o.share(o.Open.Seconds))
}

// fewest is the extent up to which somebody who knows the case writes the number: channels, components.
const fewest = 16

// open plans the case for run-time extents: its own are values of symbols. What is known of them is which of 2 to 16
// divides them.
func (c *copyCase) open() (*copyOpen, error) {
	var s symbolic.Scope
	values := symbolic.Values{}
	var failed error
	note := func(err error) {
		if failed == nil {
			failed = err
		}
	}
	number := func(name string, n int64) symbolic.Int {
		if n <= fewest {
			return symbolic.Const(n)
		}
		f := symbolic.NoFacts()
		for f.Div < 16 && n%(2*f.Div) == 0 {
			f.Div *= 2
		}
		if n >= 1<<31 {
			f.Bits = 64
		}
		x, err := s.Named(name, f)
		if err != nil {
			note(err)
			return symbolic.Const(n)
		}
		values[x] = n
		return symbolic.Of(x)
	}
	mul := func(x, y symbolic.Int) symbolic.Int {
		z, err := symbolic.Mul(x, y)
		note(err)
		return z
	}
	n := len(c.Shape)
	extents, strides := make([]symbolic.Int, n), make([]symbolic.Int, n)
	next := symbolic.Const(1)
	for i := n - 1; i >= 0; i-- {
		whole := number(fmt.Sprintf("N%d", i), c.Shape[i])
		if extents[i] = whole; c.Step[i] > 1 {
			extents[i] = number(fmt.Sprintf("M%d", i), (c.Shape[i]+c.Step[i]-1)/c.Step[i])
		}
		strides[i], next = mul(next, symbolic.Const(c.Step[i])), mul(next, whole)
	}
	var shape, from []symbolic.Tuple
	for i := n - 1; i >= 0; i-- {
		m := c.Perm[i]
		shape, from = append(shape, symbolic.Number(extents[m])), append(from, symbolic.Number(strides[m]))
	}
	src, err := symbolic.New(symbolic.Nest(shape...), symbolic.Nest(from...))
	note(err)
	dst, err := symbolic.LayoutLeft(symbolic.Nest(shape...))
	note(err)
	if failed != nil {
		return nil, failed
	}
	p, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: c.Bytes})
	if err != nil {
		return nil, err
	}
	p, err = p.At(values)
	return &copyOpen{Plan: p}, err
}
