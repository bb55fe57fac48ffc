package eval

import (
	"fmt"

	"girih/cute"
	"girih/f2"
	"girih/internal/lang/syntax"
)

// This file evaluates matrices in brackets and in LaTeX, [A B; C D]. Their cells are 0, 1, matrices, and values with a
// matrix, such as layouts. Rows and columns are as high and as wide as their matrices. In a row or a column with
// matrices, 0 and a cell that is left out are a block of zeros, and I is an identity.

// A gridCell is a cell of a matrix. If it has no size of its own, it is a block of zeros or an identity.
type gridCell struct {
	x     syntax.Expr
	v     Value // nil for an empty cell and for I
	m     f2.Matrix
	sized bool
	one   bool // the diagonal of a cell without a size
}

// grid evaluates a matrix.
func (e *Env) grid(x *syntax.Grid) (Value, error) {
	if err := fitsGrid(x); err != nil {
		return nil, e.fail(x, err)
	}
	cells := make([][]gridCell, len(x.Rows))
	var row []Value // the cells of the only row
	for i, r := range x.Rows {
		cells[i] = make([]gridCell, len(r))
		for j, cell := range r {
			c, err := e.gridCell(cell)
			if err != nil {
				return nil, err
			}
			cells[i][j] = c
			row = append(row, c.v)
		}
	}
	if v, ok, err := e.layoutsInRow(x, row); ok {
		return e.result(x, v, err)
	}
	e.noteSideBySide(x)
	g := gridOf(cells)
	if n := g.columns(); n > MaxLeaves {
		return nil, e.fail(x, &cute.Error{
			Code: cute.CodeLimit, Msg: fmt.Sprintf("a matrix has at most %d columns, found %d", MaxLeaves, n),
		})
	}
	m, err := g.matrix(e)
	return e.result(x, Matrix{m}, err)
}

// columns returns the columns of the widest row, as far as its cells have a size.
func (g grid) columns() int {
	most := 0
	for _, row := range g.cells {
		n := 0
		for j, c := range row {
			switch {
			case c.sized:
				n += c.m.Cols()
			default:
				n += max(g.widths[j], 0)
			}
		}
		most = max(most, n)
	}
	return most
}

// fitsGrid refuses a matrix with more cells than an operand may have.
func fitsGrid(x *syntax.Grid) error {
	for _, row := range x.Rows {
		if len(row) > MaxLeaves || len(x.Rows) > f2.MaxRows {
			return &cute.Error{
				Code: cute.CodeLimit,
				Msg: fmt.Sprintf("a matrix has at most %d rows and %d columns of cells, found %d and %d",
					f2.MaxRows, MaxLeaves, len(x.Rows), len(row)),
			}
		}
	}
	return nil
}

// layoutsInRow concatenates layouts in a single row, [L1 L2]; ok is false if x is anything else.
func (e *Env) layoutsInRow(x *syntax.Grid, row []Value) (v Value, ok bool, err error) {
	for _, v := range row {
		switch v.(type) {
		case Layout, Composed, Linear, Xor:
		default:
			return nil, false, nil
		}
	}
	if len(x.Rows) > 1 || len(row) == 1 {
		return nil, false, nil
	}
	v, err = e.builtin(x, "make_layout", row...)
	return v, true, err
}

// noteSideBySide notes that rows in brackets which are separated by spaces are side by side: [[1 0] [1 1]].
func (e *Env) noteSideBySide(x *syntax.Grid) {
	for _, row := range x.Rows {
		for j := 1; j < len(row); j++ {
			if isLiteral(row[j-1]) && isLiteral(row[j]) {
				e.noteOnce(fmt.Sprintf("%s and %s are side by side; a ';' or a line break between them puts one below the other",
					row[j-1], row[j]))
				return
			}
		}
	}
}

// isLiteral reports whether a cell is written in brackets.
func isLiteral(x syntax.Expr) bool {
	switch x.(type) {
	case *syntax.Grid, *syntax.Tiler:
		return true
	}
	return false
}

// rowOfBits returns the matrix of a cell [1,0], which is a row.
func rowOfBits(x syntax.Expr) (f2.Matrix, bool) {
	t, ok := x.(*syntax.Tiler)
	if !ok {
		return f2.Matrix{}, false
	}
	row := make([]int, len(t.Elems))
	for j, el := range t.Elems {
		n, ok := el.(*syntax.Int)
		if !ok || n.Value != 0 && n.Value != 1 {
			return f2.Matrix{}, false
		}
		row[j] = int(n.Value)
	}
	m, err := f2.FromRows(row)
	return m, err == nil
}

// gridCell evaluates a cell.
func (e *Env) gridCell(x syntax.Expr) (gridCell, error) {
	c := gridCell{x: x}
	switch n := x.(type) {
	case *syntax.Wildcard:
		return c, nil
	case *syntax.Ident:
		if _, bound := e.variable(n.Name); !bound && n.Name == "I" {
			c.one = true
			return c, nil
		}
	}
	if m, ok := rowOfBits(x); ok {
		c.v, c.m, c.sized = Matrix{m}, m, true
		return c, nil
	}
	v, err := e.expr(x)
	if err != nil {
		return c, err
	}
	c.v = v
	switch t := v.(type) {
	case Brackets:
		c.m, c.sized = t.matrix.Matrix, true
		return c, nil
	case Tuple:
		if n, ok := unwrapInt(t.Tuple); ok {
			if n != 0 && n != 1 {
				return c, e.fail(x, &cute.Error{
					Code: cute.CodeType,
					Msg:  fmt.Sprintf("a matrix over F2 has the entries 0 and 1, found %d", n),
					Hint: "the elements of a tiler are separated by ','",
				})
			}
			c.one = n == 1
			return c, nil
		}
	}
	inner := call{env: e, fn: table().byName["matrix"], expr: x, at: []syntax.Expr{x}, args: []Value{v}}
	c.m, err = inner.matrix(0)
	if err != nil {
		return c, e.fail(x, err)
	}
	c.sized = true
	e.noteUneven(v)
	return c, nil
}

// A grid is a matrix in blocks. Heights and widths are -1 where no cell has a size.
type grid struct {
	cells           [][]gridCell
	heights, widths []int
	aligned         bool // every row has the same number of cells, and each column has one width
}

func gridOf(cells [][]gridCell) grid {
	g := grid{cells: cells, heights: make([]int, len(cells)), aligned: true}
	for _, row := range cells {
		g.aligned = g.aligned && len(row) == len(cells[0])
		for len(g.widths) < len(row) {
			g.widths = append(g.widths, -1)
		}
	}
	blocks := false
	for i, row := range cells {
		g.heights[i] = -1
		for j, c := range row {
			if !c.sized {
				continue
			}
			blocks = true
			g.aligned = g.aligned && (g.widths[j] < 0 || g.widths[j] == c.m.Cols())
			g.heights[i], g.widths[j] = max(g.heights[i], c.m.Rows()), max(g.widths[j], c.m.Cols())
		}
	}
	if !blocks { // numbers only
		for i := range g.heights {
			g.heights[i] = 1
		}
	}
	if !blocks || !g.aligned {
		for j := range g.widths {
			g.widths[j] = 1
		}
	}
	for g.sizeIdentities() {
	}
	return g
}

// sizeIdentities gives a row or a column the size of an identity in it, and reports whether there is one.
func (g grid) sizeIdentities() bool {
	for i, row := range g.cells {
		for j, c := range row {
			if c.sized || !c.one || (g.heights[i] < 0) == (g.widths[j] < 0) {
				continue
			}
			g.heights[i], g.widths[j] = max(g.heights[i], g.widths[j]), max(g.heights[i], g.widths[j])
			return true
		}
	}
	return false
}

// matrix puts the blocks together.
func (g grid) matrix(e *Env) (f2.Matrix, error) {
	var all f2.Matrix
	for i, row := range g.cells {
		var line f2.Matrix
		for j, c := range row {
			m, err := g.block(i, j)
			if err != nil {
				return all, e.fail(c.x, err)
			}
			if j == 0 {
				line = m
			} else if line, err = line.Beside(m); err != nil {
				return all, e.fail(c.x, ofF2As("", err))
			}
		}
		var err error
		if i == 0 {
			all = line
		} else if all, err = all.Above(line); err != nil {
			return all, e.fail(row[0].x, ofF2As("", err))
		}
	}
	return all, nil
}

// block returns the matrix of a cell.
func (g grid) block(i, j int) (f2.Matrix, error) {
	c := g.cells[i][j]
	rows, cols := g.heights[i], g.widths[j]
	if c.sized {
		return c.m, nil
	}
	if rows < 0 || cols < 0 {
		what := "row"
		if rows >= 0 {
			what = "column"
		}
		return f2.Matrix{}, &cute.Error{
			Code: cute.CodeRank,
			Msg: fmt.Sprintf("expected a matrix in the %s of the cell %s at (%d,%d), which gives its size, found none",
				what, c.x, i, j),
			Hint: "matrix(8:1) is the identity with 3 rows",
		}
	}
	if !c.one {
		return f2.NewMatrix(rows, make([]f2.Vector, cols))
	}
	if rows != cols {
		return f2.Matrix{}, &cute.Error{
			Code: cute.CodeRank,
			Msg:  fmt.Sprintf("expected a square block for %s at (%d,%d), found %d by %d", c.x, i, j, rows, cols),
		}
	}
	return f2.Identity(rows)
}
