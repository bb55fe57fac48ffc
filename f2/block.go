package f2

// This file builds matrices from blocks: side by side, one below the other, and on the diagonal. Tilings of maps are
// such matrices: see [Matrix.LogicalDivide].

// Beside returns [m n], the columns of m and then the columns of n. It returns an [*Error], one of the errors of this
// package, for different numbers of rows.
func (m Matrix) Beside(n Matrix) (Matrix, error) {
	if m.rows != n.rows {
		return Matrix{}, failf("beside", "expected matrices with as many rows, found %s and %s", sizeText(m), sizeText(n))
	}
	return Matrix{m.rows, append(m.Columns(), n.cols...)}, nil
}

// Above returns the rows of m and below them the rows of n. It returns an [*Error], one of the errors of this package,
// for different numbers of columns and for more than 64 rows.
func (m Matrix) Above(n Matrix) (Matrix, error) {
	if len(m.cols) != len(n.cols) {
		return Matrix{}, failf("above", "expected matrices with as many columns, found %s and %s", sizeText(m), sizeText(n))
	}
	if err := checkRows("above", m.rows+n.rows); err != nil {
		return Matrix{}, err
	}
	cols := m.Columns()
	for j, c := range n.cols {
		cols[j] |= c << m.rows
	}
	return Matrix{m.rows + n.rows, cols}, nil
}

// Diagonal returns the matrix with m above left, n below right and 0 elsewhere: the direct product of two maps. It
// returns an [*Error], one of the errors of this package, for more than 64 rows.
func (m Matrix) Diagonal(n Matrix) (Matrix, error) {
	if err := checkRows("diagonal", m.rows+n.rows); err != nil {
		return Matrix{}, err
	}
	cols := m.Columns()
	for _, c := range n.cols {
		cols = append(cols, c<<m.rows)
	}
	return Matrix{m.rows + n.rows, cols}, nil
}

// WithRows returns the matrix with the given number of rows: rows of zeros are added, or removed. It returns an
// [*Error], one of the errors of this package, if a column has a 1 in a row to remove, and for more than 64 rows.
func (m Matrix) WithRows(rows int) (Matrix, error) { return NewMatrix(rows, m.cols) }

// Height returns the number of rows up to the last one that has a 1.
func (m Matrix) Height() int {
	var all Vector
	for _, c := range m.cols {
		all |= c
	}
	return all.Len()
}

// LogicalDivide returns m·[b b*], where b* completes b to a basis of the inputs of m ([Matrix.Complement]): first the
// inputs in the tile b, then the rest. If b is the identity on the first inputs of m, the result is m. It returns an
// [*Error], one of the errors of this package, if b has a 1 in a row beyond the columns of m.
func (m Matrix) LogicalDivide(b Matrix) (Matrix, error) {
	if b.Height() > len(m.cols) {
		return Matrix{}, failf("logical_divide",
			"expected a tile of at most %d rows, as the matrix has columns, found 1 in row %d", len(m.cols), b.Height()-1)
	}
	tile, err := b.WithRows(len(m.cols))
	if err != nil {
		return Matrix{}, err
	}
	both, err := tile.Beside(Matrix{tile.rows, tile.Complement()})
	if err != nil {
		return Matrix{}, err
	}
	return m.Mul(both)
}

// LogicalProduct returns [m m*·b]: m, repeated as b says. m* completes m to a basis ([Matrix.Complement]) of its
// outputs, or of as many as there are inputs of m and outputs of b, whichever is more; b counts the columns of m*. It
// returns an [*Error], one of the errors of this package, for more than 64 rows.
func (m Matrix) LogicalProduct(b Matrix) (Matrix, error) {
	block, err := m.WithRows(max(m.rows, len(m.cols)+b.rows))
	if err != nil {
		return Matrix{}, err
	}
	free := Matrix{block.rows, block.Complement()}
	by, err := b.WithRows(len(free.cols)) // m has at most len(m.cols) independent columns, so at least b.rows are free
	if err != nil {
		return Matrix{}, err
	}
	repeats, err := free.Mul(by)
	if err != nil {
		return Matrix{}, err
	}
	return block.Beside(repeats)
}
