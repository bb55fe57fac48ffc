package eval

import (
	"fmt"

	"girih/cute"
)

// This file applies values to coordinates, L(c), and slices them where coordinates have underscores.

// apply applies argument 0 to the coordinate that the other arguments form.
func (c *call) apply() (Value, error) {
	at, err := c.coordinates()
	if err != nil {
		return nil, err
	}
	k, err := coordinate(at)
	if err != nil {
		return nil, err
	}
	if t, closed := k.Tuple(); closed {
		return evalAt(c.args[0], t)
	}
	return c.env.slice(c.args[0], k)
}

// coordinates returns the arguments after the function. A single argument such as 1@0+2@1 becomes the tuple (1,2).
func (c *call) coordinates() ([]Value, error) {
	at := c.args[1:]
	if len(at) != 1 {
		return at, nil
	}
	v, err := asCoordinate(at[0], rankOf(c.args[0]))
	return []Value{v}, err
}

// coordinate returns the arguments as one coordinate: L(1,2) means L((1,2)).
func coordinate(args []Value) (cute.Coord, error) {
	cs := make([]cute.Coord, len(args))
	for i, a := range args {
		c, err := asCoord(a)
		if err != nil {
			return cute.Coord{}, err
		}
		cs[i] = c
	}
	if len(cs) == 1 {
		return cs[0], nil
	}
	return cute.MakeCoord(cs...), nil
}

// evalAt returns the value of a function at a coordinate.
func evalAt(fn Value, c cute.Tuple) (Value, error) {
	switch f := fn.(type) {
	case Layout:
		t, err := f.Eval(c)
		return Tuple{t}, err
	case Composed:
		t, err := f.Eval(c)
		return Tuple{t}, err
	case Tensor:
		at, err := cute.Fixed(c)
		if err != nil {
			return nil, err
		}
		t, err := f.Get(at)
		return Tuple{t}, err
	case Swizzle:
		i, ok := c.Int64()
		if !ok {
			return nil, &cute.Error{Code: cute.CodeType, Msg: fmt.Sprintf("a swizzle is applied to an integer, found %v", c)}
		}
		y, err := f.At(i)
		return integer(y), err
	case Linear, Xor, Matrix:
		return bitsAt(fn, c)
	case Tuple:
		// A bare shape means its column-major layout.
		l, err := cute.LayoutLeft(f.Tuple)
		if err != nil {
			return nil, err
		}
		t, err := l.Eval(c)
		return Tuple{t}, err
	}
	return nil, &cute.Error{
		Code: cute.CodeType,
		Msg:  fmt.Sprintf("%s is not a function of coordinates: %s", article(fn.Kind()), fn),
	}
}
