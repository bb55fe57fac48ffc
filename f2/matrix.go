package f2

import (
	"slices"
	"strings"
)

// A Matrix has up to 64 rows and any number of columns. Column j is the image of the unit vector j. The zero Matrix
// has no rows and no columns.
type Matrix struct {
	rows int
	cols []Vector
}

// NewMatrix returns the matrix with the given columns. It returns an [*Error], one of the errors of this package,
// unless 0 ≤ rows ≤ 64 and no column has a component beyond the rows.
func NewMatrix(rows int, cols []Vector) (Matrix, error) {
	if err := checkRows("matrix", rows); err != nil {
		return Matrix{}, err
	}
	for j, c := range cols {
		if c.Len() > rows {
			return Matrix{}, failf("matrix", "expected columns of %d rows, found %d in column %d", rows, c.Len(), j)
		}
	}
	return Matrix{rows, slices.Clone(cols)}, nil
}

// FromRows returns the matrix with the given rows of 0 and 1, from the first to the last. It returns an [*Error], one
// of the errors of this package, for more than 64 rows, rows of different lengths, and other numbers.
func FromRows(rows ...[]int) (Matrix, error) {
	if err := checkRows("from_rows", len(rows)); err != nil {
		return Matrix{}, err
	}
	m := Matrix{rows: len(rows)}
	if len(rows) > 0 {
		m.cols = make([]Vector, len(rows[0]))
	}
	for i, row := range rows {
		if len(row) != len(m.cols) {
			return Matrix{}, failf("from_rows", "expected %d numbers in row %d as in row 0, found %d", len(m.cols), i, len(row))
		}
		for j, x := range row {
			if x != 0 && x != 1 {
				return Matrix{}, failf("from_rows", "expected 0 or 1 in row %d, column %d, found %d", i, j, x)
			}
			m.cols[j] |= Vector(x) << i
		}
	}
	return m, nil
}

// Identity returns the n×n matrix whose column j is the unit vector j. It returns an [*Error], one of the errors of
// this package, unless 0 ≤ n ≤ 64.
func Identity(n int) (Matrix, error) {
	if err := checkRows("identity", n); err != nil {
		return Matrix{}, err
	}
	cols := make([]Vector, n)
	for j := range cols {
		cols[j] = 1 << j
	}
	return Matrix{n, cols}, nil
}

func checkRows(op string, n int) error {
	if n < 0 || n > MaxRows {
		return failf(op, "expected 0 to %d rows, found %d", MaxRows, n)
	}
	return nil
}

// Rows returns the number of rows.
func (m Matrix) Rows() int { return m.rows }

// Cols returns the number of columns.
func (m Matrix) Cols() int { return len(m.cols) }

// At returns the entry in row i and column j, 0 or 1, and 0 outside the matrix.
func (m Matrix) At(i, j int) int { return m.Col(j).At(i) }

// Col returns column j, the image of the unit vector j, and the zero vector outside the matrix.
func (m Matrix) Col(j int) Vector {
	if j < 0 || j >= len(m.cols) {
		return 0
	}
	return m.cols[j]
}

// Columns returns a copy of the columns.
//
//go:noinline
func (m Matrix) Columns() []Vector { return slices.Clone(m.cols) }

// Equal reports whether the matrices have the same size and entries.
func (m Matrix) Equal(n Matrix) bool { return m.rows == n.rows && slices.Equal(m.cols, n.cols) }

// Apply returns the image of x: the sum of the columns j with x_j = 1. It returns an [*Error], one of the errors of
// this package, if x has a component beyond the columns.
func (m Matrix) Apply(x Vector) (Vector, error) {
	if x.Len() > len(m.cols) {
		return 0, failf("apply", "expected a vector of %d components, one for each column, found %d", len(m.cols), x.Len())
	}
	return m.apply(x), nil
}

func (m Matrix) apply(x Vector) Vector {
	var y Vector
	for j := 0; x != 0; j, x = j+1, x>>1 {
		if x&1 != 0 {
			y ^= m.cols[j]
		}
	}
	return y
}

// Mul returns the product m·n, the map that applies n first. It returns an [*Error], one of the errors of this package,
// unless m has as many columns as n has rows.
func (m Matrix) Mul(n Matrix) (Matrix, error) {
	if len(m.cols) != n.rows {
		return Matrix{}, failf("mul", "expected as many columns on the left as rows on the right, found %d×%d times %d×%d",
			m.rows, len(m.cols), n.rows, len(n.cols))
	}
	cols := make([]Vector, len(n.cols))
	for j, c := range n.cols {
		cols[j] = m.apply(c)
	}
	return Matrix{m.rows, cols}, nil
}

// Transpose returns the matrix whose rows are the columns of m. It returns an [*Error], one of the errors of this
// package, for more than 64 columns.
func (m Matrix) Transpose() (Matrix, error) {
	if len(m.cols) > MaxRows {
		return Matrix{}, failf("transpose", "expected at most %d columns, which become rows, found %d", MaxRows, len(m.cols))
	}
	t := Matrix{len(m.cols), make([]Vector, m.rows)}
	for j, c := range m.cols {
		for i := range t.cols {
			t.cols[i] |= (c >> i & 1) << j
		}
	}
	return t, nil
}

// String returns the matrix as rows of 0 and 1, one line each, the first row first; a blank separates columns. A
// matrix without entries is written as its size, "0×3".
func (m Matrix) String() string {
	if m.rows == 0 || len(m.cols) == 0 {
		return sizeText(m)
	}
	var b strings.Builder
	for i := range m.rows {
		if i > 0 {
			b.WriteByte('\n')
		}
		for j, c := range m.cols {
			if j > 0 {
				b.WriteByte(' ')
			}
			b.WriteByte('0' + byte(c>>i&1))
		}
	}
	return b.String()
}
