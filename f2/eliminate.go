package f2

import (
	"math/bits"
	"slices"
	"strconv"
)

// An echelon is a basis that grows by one vector at a time. Vectors are indexed by their highest component, so that
// reducing a vector needs one look-up for each component.
type echelon struct {
	vec   [MaxRows]Vector // vec[i] has i as its highest component, or is 0
	combo [MaxRows]Vector // vec[i] as a sum of pivots: bit r for pivot r
	rank  int
}

// reduce returns the rest of v outside the span of the basis, and the pivots whose sum was subtracted.
func (e *echelon) reduce(v Vector) (rest, combo Vector) {
	for rest = v; rest != 0; {
		i := bits.Len64(uint64(rest)) - 1
		if e.vec[i] == 0 {
			return rest, combo
		}
		rest ^= e.vec[i]
		combo ^= e.combo[i]
	}
	return 0, combo
}

// add makes v a new pivot if it is independent, and reports whether it is; combo is v as a sum of pivots.
func (e *echelon) add(v Vector) (combo Vector, independent bool) {
	rest, combo := e.reduce(v)
	if rest == 0 {
		return combo, false
	}
	// There are fewer than 64 independent pivots, and v is outside their span.
	pivot := Vector(1) << e.rank
	i := bits.Len64(uint64(rest)) - 1
	e.vec[i], e.combo[i] = rest, combo^pivot
	e.rank++
	return pivot, true
}

// Rank returns the dimension of the span of the columns.
//
//go:noinline
func (m Matrix) Rank() int {
	var e echelon
	for _, c := range m.cols {
		e.add(c)
	}
	return e.rank
}

// RREF returns the reduced row echelon form and the columns of its pivots, in ascending order. The pivot columns are
// the earliest possible: column j is a pivot exactly if it is not a sum of columns before it. Row r of the result has
// its pivot in column pivots[r]. Column j is the sum of the pivot columns pivots[r] for which it has a 1 in row r.
func (m Matrix) RREF() (r Matrix, pivots []int) {
	var e echelon
	cols := make([]Vector, len(m.cols))
	for j, c := range m.cols {
		combo, independent := e.add(c)
		cols[j] = combo
		if independent {
			pivots = append(pivots, j)
		}
	}
	return Matrix{m.rows, cols}, pivots
}

// An Elimination is one step of elimination, for one column: the row of its pivot, the row exchanged with the pivot
// row, and the rows to which the pivot was added, bit i for row i. The pivot is -1 if all rows without a pivot are 0 in
// the column.
type Elimination struct {
	Column, Pivot, From int
	Added               Vector
}

// Eliminate computes the result of [Matrix.RREF] by row operations. It also returns these operations, column by column,
// up to the column after which every row has a pivot. RREF is faster, with one look-up for each component, but records
// no steps.
func (m Matrix) Eliminate() (r Matrix, pivots []int, steps []Elimination) {
	cols := slices.Clone(m.cols)
	for j := 0; j < len(cols) && len(pivots) < m.rows; j++ {
		s := Elimination{Column: j, Pivot: -1, From: -1}
		if left := cols[j] >> len(pivots); left != 0 {
			s.Pivot = len(pivots)
			s.From = s.Pivot + bits.TrailingZeros64(uint64(left))
			s.Added = swap(cols[j], s.Pivot, s.From) &^ (1 << s.Pivot)
			for i, c := range cols[j:] { // the columns before have no 1 in the rows from the pivot on
				c = swap(c, s.Pivot, s.From)
				cols[j+i] = c ^ s.Added&-(c>>s.Pivot&1)
			}
			pivots = append(pivots, j)
		}
		steps = append(steps, s)
	}
	return Matrix{m.rows, cols}, pivots, steps
}

// swap returns the vector with two components exchanged.
func swap(v Vector, i, j int) Vector {
	differ := (v>>i ^ v>>j) & 1
	return v ^ (differ<<i | differ<<j)
}

// Kernel returns a basis of the vectors x with m·x = 0, one for each column that is not a pivot of [Matrix.RREF], in
// that order: the vector has a 1 at that column, and otherwise only at pivot columns before it. It returns an [*Error],
// one of the errors of this package, for more than 64 columns.
func (m Matrix) Kernel() ([]Vector, error) {
	if len(m.cols) > MaxRows {
		return nil, failf("kernel", "expected at most %d columns, found %d", MaxRows, len(m.cols))
	}
	r, pivots := m.RREF()
	var kernel []Vector
	next := 0
	for j, c := range r.cols {
		if next < len(pivots) && pivots[next] == j {
			next++
			continue
		}
		kernel = append(kernel, 1<<j|spread(c, pivots))
	}
	return kernel, nil
}

// spread returns the vector with component pivots[r] for each r in combo.
func spread(combo Vector, pivots []int) Vector {
	var x Vector
	for ; combo != 0; combo &= combo - 1 {
		x |= 1 << pivots[bits.TrailingZeros64(uint64(combo))]
	}
	return x
}

// Image returns the span of the columns.
func (m Matrix) Image() Space { return Span(m.cols...) }

// Inverse returns the matrix n with m·n = n·m = 1. It returns an [*Error], one of the errors of this package, unless m
// is square and of full rank.
func (m Matrix) Inverse() (Matrix, error) {
	if len(m.cols) != m.rows {
		return Matrix{}, failf("inverse", "expected a square matrix, found %s", sizeText(m))
	}
	id, err := Identity(m.rows)
	if err != nil {
		return Matrix{}, err
	}
	if rank := m.Rank(); rank < m.rows {
		return Matrix{}, failf("inverse", "expected rank %d, found %d", m.rows, rank)
	}
	return m.SolveAll(id)
}

// Solve returns the smallest x, as a number, with m·x = b: the one solution that uses only pivot columns of
// [Matrix.RREF]. It returns an [*Error], one of the errors of this package, if there is no solution, if b has a
// component beyond the rows, and for more than 64 columns.
func (m Matrix) Solve(b Vector) (Vector, error) {
	x, err := m.solve("solve", []Vector{b})
	if err != nil {
		return 0, err
	}
	return x.cols[0], nil
}

// SolveAll returns the matrix x with m·x = b, each column the smallest solution, as [Matrix.Solve] finds it. b may have
// any number of columns. It returns the errors of [Matrix.Solve], and an [*Error] for different numbers of rows.
func (m Matrix) SolveAll(b Matrix) (Matrix, error) {
	if m.rows != b.rows {
		return Matrix{}, failf("solve", "expected %d rows on the right as on the left, found %d", m.rows, b.rows)
	}
	return m.solve("solve", b.cols)
}

func (m Matrix) solve(op string, rhs []Vector) (Matrix, error) {
	if len(m.cols) > MaxRows {
		return Matrix{}, failf(op, "expected at most %d unknowns, found %d columns", MaxRows, len(m.cols))
	}
	var e echelon
	pivots := make([]int, 0, m.rows)
	for j, c := range m.cols {
		if _, independent := e.add(c); independent {
			pivots = append(pivots, j)
		}
	}
	cols := make([]Vector, len(rhs))
	for j, b := range rhs {
		rest, combo := e.reduce(b)
		if rest != 0 {
			return Matrix{}, failf(op, "expected right-hand sides in the span of the %d columns, found %#x in column %d outside it",
				len(m.cols), uint64(b), j)
		}
		cols[j] = spread(combo, pivots)
	}
	return Matrix{len(m.cols), cols}, nil
}

func sizeText(m Matrix) string { return strconv.Itoa(m.rows) + "×" + strconv.Itoa(len(m.cols)) }
