package f2

import (
	"math/bits"
	"slices"
)

// A Trial is one step of [Matrix.Completion]: whether the unit vector of a component completes the columns. If it does
// not, it is the sum of some columns of the matrix and of unit vectors that were taken before.
type Trial struct {
	Unit    int    // the component
	Taken   bool   // it is independent of the columns and of the unit vectors taken before
	Columns []int  // otherwise: this unit vector is the sum of these columns, in ascending order, ...
	Units   Vector // ... and of these unit vectors, one bit for each
}

// Complement returns unit vectors that complete the columns to a basis of all vectors of m.Rows() components, in
// ascending order: for each component, the unit vector is taken if it is independent of the columns and the unit
// vectors taken before.
func (m Matrix) Complement() []Vector { return m.complete(nil) }

// Completion returns the steps of [Matrix.Complement], one for each component.
func (m Matrix) Completion() []Trial {
	trials := make([]Trial, 0, m.rows)
	m.complete(&trials)
	return trials
}

// complete returns the unit vectors that complete the columns. It records its steps in trials unless it is nil.
func (m Matrix) complete(trials *[]Trial) []Vector {
	var e echelon
	pivots := make([]int, 0, m.rows) // the columns, and then the unit vectors as -1-component
	for j, c := range m.cols {
		if _, independent := e.add(c); independent {
			pivots = append(pivots, j)
		}
	}
	var units []Vector
	for i := range m.rows {
		combo, independent := e.add(1 << i)
		if independent {
			units = append(units, 1<<i)
			pivots = append(pivots, -1-i)
		}
		switch {
		case trials == nil:
		case independent:
			*trials = append(*trials, Trial{Unit: i, Taken: true})
		default:
			*trials = append(*trials, sumOf(i, combo, pivots))
		}
	}
	return slices.Clip(units)
}

// sumOf returns the step for component i if its unit vector is the sum of the pivots in combo.
func sumOf(i int, combo Vector, pivots []int) Trial {
	t := Trial{Unit: i}
	for ; combo != 0; combo &= combo - 1 {
		if p := pivots[bits.TrailingZeros64(uint64(combo))]; p < 0 {
			t.Units |= 1 << (-1 - p)
		} else {
			t.Columns = append(t.Columns, p)
		}
	}
	return t
}
