package eval

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/f2"
	"girih/internal/lang/syntax"
)

// This file has the methods of matrices over F2. A vector is a number whose bits are its components:
// solve([[1,1],[0,1]], 2) is 3.

func makeMatrix(c *call) (Value, error) {
	m, err := c.matrix(0)
	return Matrix{m}, err
}

func transpose(c *call) (Value, error) {
	m, err := c.matrix(0)
	if err != nil {
		return nil, err
	}
	t, err := m.Transpose()
	return Matrix{t}, ofF2(err)
}

func echelon(c *call) (Value, error) {
	m, err := c.matrix(0)
	if err != nil {
		return nil, err
	}
	r, pivots := m.RREF()
	c.env.note("pivot columns %v", pivots)
	return Matrix{r}, nil
}

func kernelOf(c *call) (Value, error) {
	m, err := c.matrix(0)
	if err != nil {
		return nil, err
	}
	return numbersOf(m.Kernel())
}

func solve(c *call) (Value, error) {
	m, err := c.matrix(0)
	if err != nil {
		return nil, err
	}
	b, err := c.integer(1)
	if err != nil {
		return nil, err
	}
	if b < 0 {
		return nil, c.bad(1, "a number of at least 0")
	}
	x, err := m.Solve(f2.Vector(b))
	if err != nil {
		return nil, &cute.Error{Code: cute.CodeNotInvertible, Op: "solve", Msg: err.Error()}
	}
	return numberOf(x, nil)
}

// numberOf returns a vector as the number whose bits are its components. It takes the two results of a call.
func numberOf(v f2.Vector, err error) (Value, error) {
	switch {
	case err != nil:
		return nil, ofF2(err)
	case v > math.MaxInt64:
		return nil, &cute.Error{
			Code: cute.CodeOverflow, Msg: fmt.Sprintf("as a number the vector is %d, more than %d", v, int64(math.MaxInt64)),
		}
	}
	return integer(int64(v)), nil
}

// numbersOf returns vectors as numbers.
func numbersOf(vs []f2.Vector, err error) (Value, error) {
	out := List{}
	for _, v := range vs {
		var n Value
		if n, err = numberOf(v, err); err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, ofF2(err)
}

// rowsOfBits returns the numbers in [[1,0],[0,1]] or [1;0], if they are rows of bits.
func rowsOfBits(x *syntax.Tiler) ([][]int, bool) {
	if !x.Bits {
		return nil, false
	}
	rows := make([][]int, len(x.Elems))
	for i, el := range x.Elems {
		cells := []syntax.Expr{el}
		if row, ok := el.(*syntax.Tiler); ok {
			cells = row.Elems
		}
		for _, cell := range cells {
			if n, ok := cell.(*syntax.Int); ok {
				rows[i] = append(rows[i], int(n.Value))
			}
		}
	}
	return rows, true
}

// matrix returns argument i as a matrix, which may be the matrix of a linear layout.
func (c *call) matrix(i int) (f2.Matrix, error) {
	if m, ok := c.args[i].(Matrix); ok {
		return m.Matrix, nil
	}
	l, err := asLinear(c.args[i])
	if err != nil {
		return f2.Matrix{}, err
	}
	if len(l.Origin()) > 0 && !l.IsLinear() {
		return f2.Matrix{}, &cute.Error{
			Code: cute.CodeNotRepresentable, Op: c.fn.Name,
			Msg: "a matrix maps 0 to 0, found " + Linear{l}.String(),
		}
	}
	return l.Matrix(), nil
}

// matrixPair calls f with two matrices.
//
//go:noinline
func matrixPair(f func(c *call, a, b f2.Matrix) (Value, error)) method {
	return func(c *call) (Value, error) {
		a, err := c.matrix(0)
		if err != nil {
			return nil, err
		}
		b, err := c.matrix(1)
		if err != nil {
			return nil, err
		}
		return f(c, a, b)
	}
}

func blockDiag(_ *call, a, b f2.Matrix) (Value, error) {
	m, err := a.Diagonal(b)
	return Matrix{m}, ofF2(err)
}

func intersection(c *call, m, n f2.Matrix) (Value, error) {
	if m.Rows() != n.Rows() {
		return nil, c.bad(1, fmt.Sprintf("a matrix with %d rows", m.Rows()))
	}
	return numbersOf(m.Image().Intersection(n.Image()).Basis(), nil)
}
