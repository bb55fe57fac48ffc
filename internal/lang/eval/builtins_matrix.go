package eval

import (
	"fmt"
	"math"

	"girih/cute"
	"girih/f2"
	"girih/internal/lang/syntax"
)

// matrixBuiltins computes with matrices over F2.
func matrixBuiltins() []Builtin {
	pair := func(f func(c *call, a, b f2.Matrix) (Value, error)) method {
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
	return []Builtin{
		{
			Name: "matrix", Params: "X",
			Doc: "Returns the matrix of a linear layout, or of what is one: column j is the value of bit j, row i its bit i. " +
				"[[1,1],[0,1]] is the matrix of these rows by itself if it has a 0, which no tiler has.",
			Example: "matrix(Sw<1,0,1>)", Output: "matrix{rows=[[1,1],[0,1]]}",
			known: func(c *call) (Value, error) {
				m, err := c.matrix(0)
				return Matrix{m}, err
			},
		},
		{
			Name: "transpose", Params: "M",
			Doc:     "Returns the transposed matrix.",
			Example: "transpose(matrix{rows=[[1,1],[0,1]]})", Output: "matrix{rows=[[1,0],[1,1]]}",
			known: func(c *call) (Value, error) {
				m, err := c.matrix(0)
				if err != nil {
					return nil, err
				}
				t, err := m.Transpose()
				return Matrix{t}, ofF2(err)
			},
		},
		{
			Name: "block_diag", Params: "M, N",
			Doc:     "Returns the matrix with M above left and N below right: the product of two layouts.",
			Example: "block_diag(matrix{rows=[[1]]}, matrix{rows=[[1]]})", Output: "matrix{rows=[[1,0],[0,1]]}",
			known: pair(func(_ *call, a, b f2.Matrix) (Value, error) {
				cols := a.Columns()
				for _, v := range b.Columns() {
					cols = append(cols, v<<a.Rows())
				}
				m, err := f2.NewMatrix(a.Rows()+b.Rows(), cols)
				return Matrix{m}, ofF2(err)
			}),
		},
		{
			Name: "echelon", Params: "M",
			Doc:     "Returns the reduced row echelon form; a note names the pivot columns.",
			Example: "echelon(matrix{rows=[[1,1],[1,0]]})", Output: "matrix{rows=[[1,0],[0,1]]}",
			known: func(c *call) (Value, error) {
				m, err := c.matrix(0)
				if err != nil {
					return nil, err
				}
				r, pivots := m.RREF()
				c.env.note("pivot columns %v", pivots)
				return Matrix{r}, nil
			},
		},
		{
			Name: "kernel", Params: "M",
			Doc:     "Returns a basis of what is mapped to 0, as numbers whose bits are the components.",
			Example: "kernel(matrix{rows=[[1,1]]})", Output: "{3}",
			known: func(c *call) (Value, error) {
				m, err := c.matrix(0)
				if err != nil {
					return nil, err
				}
				return numbersOf(m.Kernel())
			},
		},
		{
			Name: "intersection", Params: "M, N",
			Doc: "Returns a basis of the values that both matrices have, as numbers whose bits are the components: what the rows of banks " +
				"and the lanes of an access have in common are its bank conflicts.",
			Example: "intersection([[1,0],[0,1],[0,0]], [[1,0],[0,0],[1,1]])", Output: "{1}",
			known: pair(func(c *call, m, n f2.Matrix) (Value, error) {
				if m.Rows() != n.Rows() {
					return nil, c.bad(1, fmt.Sprintf("a matrix with %d rows", m.Rows()))
				}
				return numbersOf(m.Image().Intersection(n.Image()).Basis(), nil)
			}),
		},
		{
			Name: "solve", Params: "M, b",
			Doc:     "Returns x with M x = b, as the number whose bits are the components; where no x is one it says so.",
			Example: "solve(matrix{rows=[[1,1],[0,1]]}, 2)", Output: "3",
			known: func(c *call) (Value, error) {
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
			},
		},
	}
}

// numberOf returns a vector as the number whose bits are the components. It takes what returns one.
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

// rowsOfBits returns the numbers in [[1,0],[0,1]], if they are bits in rows.
func rowsOfBits(x *syntax.Tiler) ([][]int, bool) {
	rows := make([][]int, len(x.Elems))
	for i, el := range x.Elems {
		row, ok := el.(*syntax.Tiler)
		if !ok {
			return nil, false
		}
		for _, el := range row.Elems {
			n, ok := el.(*syntax.Int)
			if !ok || n.Value != 0 && n.Value != 1 {
				return nil, false
			}
			rows[i] = append(rows[i], int(n.Value))
		}
	}
	return rows, true
}

// matrix takes a matrix, or that of a linear layout.
func (c *call) matrix(i int) (f2.Matrix, error) {
	if m, ok := c.args[i].(Matrix); ok {
		return m.Matrix, nil
	}
	if x, ok := c.place(i).(*syntax.Tiler); ok { // [[1,1],[1,1]], which has no 0
		if rows, ok := rowsOfBits(x); ok {
			m, err := f2.FromRows(rows...)
			return m, ofF2(err)
		}
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
