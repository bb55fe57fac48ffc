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

// fewest is the largest extent that a program would have as a constant: channels, components.
const fewest = 16

// A caseSymbols makes symbols of the extents of a case, and keeps the first error.
type caseSymbols struct {
	scope  symbolic.Scope
	values symbolic.Values
	err    error
}

func (s *caseSymbols) note(err error) {
	if s.err == nil {
		s.err = err
	}
}

// number returns a symbol with the value n; its facts are which of 2 to 16 divides n, and whether n needs 64 bits.
// Small n are constants.
func (s *caseSymbols) number(name string, n int64) symbolic.Int {
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
	x, err := s.scope.Named(name, f)
	if err != nil {
		s.note(err)
		return symbolic.Const(n)
	}
	s.values[x] = n
	return symbolic.Of(x)
}

func (s *caseSymbols) mul(x, y symbolic.Int) symbolic.Int {
	z, err := symbolic.Mul(x, y)
	s.note(err)
	return z
}

// open plans the case for run-time extents, whose values are the extents of the case.
func (c *copyCase) open() (*copyOpen, error) {
	s := &caseSymbols{values: symbolic.Values{}}
	n := len(c.Shape)
	extents, strides := make([]symbolic.Int, n), make([]symbolic.Int, n)
	next := symbolic.Const(1)
	for i := n - 1; i >= 0; i-- {
		whole := s.number(fmt.Sprintf("N%d", i), c.Shape[i])
		if extents[i] = whole; c.Step[i] > 1 {
			extents[i] = s.number(fmt.Sprintf("M%d", i), (c.Shape[i]+c.Step[i]-1)/c.Step[i])
		}
		strides[i], next = s.mul(next, symbolic.Const(c.Step[i])), s.mul(next, whole)
	}
	var shape, from []symbolic.Tuple
	for i := n - 1; i >= 0; i-- {
		m := c.Perm[i]
		shape, from = append(shape, symbolic.Number(extents[m])), append(from, symbolic.Number(strides[m]))
	}
	src, err := symbolic.New(symbolic.Nest(shape...), symbolic.Nest(from...))
	s.note(err)
	dst, err := symbolic.LayoutLeft(symbolic.Nest(shape...))
	s.note(err)
	if s.err != nil {
		return nil, s.err
	}
	p, err := copy.NewSymbolic(src, dst, copy.Options{Bytes: c.Bytes})
	if err != nil {
		return nil, err
	}
	p, err = p.At(s.values)
	return &copyOpen{Plan: p}, err
}
