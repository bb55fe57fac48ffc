package gemm

import (
	"errors"
	"math"

	"girih/dtype"
	"girih/internal/machine/lower"
)

// This file checks results of a card.

// A CardCheck is the distance of a card's result from the exact product.
type CardCheck struct {
	Check
	// Elements is the number of elements that were compared; Exact counts the elements whose sums must be exact.
	Elements, Exact int64
	// Summed counts the other elements, which are checked by a random sum over their row. A wrong element is missed
	// with probability Missed.
	Summed int64
	Missed float64
	// If Fails is not 0, FirstRow and FirstColumn are the place of the first wrong element, row by row; Got is its
	// value and Want the right value.
	FirstRow, FirstColumn int64
	Got, Want             float64
}

// A Sample lists, for each row, the columns whose elements are compared. A nil Sample means all elements.
type Sample map[int64][]int64

// CheckCard compares D with A·B + C, computed with 53 bits, at the elements of the sample. If all sums are exact, the
// other elements are checked too, by random sums over the rows: the first 16 rows that differ are compared element by
// element, and each other row that differs counts as one wrong element. The parts of complex numbers are compared as
// separate columns. Numbers are rounded to the element types first. A card adds the products of an instruction and the
// accumulator with limited precision. Each term is cut at a unit of the largest term: 2^-23, or 2^-13 for wgmma on
// 8-bit elements, or 2^-52 for doubles; then the sum is cut to the accumulator's type. An element may differ by the sum
// of these errors over the instructions. An element must be exact if all numbers are integers whose magnitudes add up
// to a number that the accumulator and those units represent exactly. It returns the errors of [Kernel.Check].
func (k Kernel) CheckCard(p Problem, d []float64, sample Sample) (CardCheck, error) {
	if err := k.checkNumbers(&p); err != nil {
		return CardCheck{}, err
	}
	m := k.MMA.Atom()
	parts := int64(m.Types.C.Parts)
	p, err := p.reals(m)
	if err == nil {
		err = p.checkResult(d)
	}
	if err != nil {
		return CardCheck{}, err
	}
	j := judge{
		k: &k, p: p, a: p.A, b: p.B, c: p.C, d: d, step: m.Shape[2] * int64(m.Types.A.Parts), product: productOf(m),
	}
	if sample != nil {
		j.sample = make(Sample, len(sample))
		for row, columns := range sample {
			for _, c := range columns {
				for part := range parts {
					j.sample[row] = append(j.sample[row], c*parts+part)
				}
			}
		}
	}
	j.units()
	rows := make([]CardCheck, p.M)
	missed, more := j.sums(rows)
	_ = Parts(p.M, 1, func(i, _ int64) error {
		if rows[i].Fails == 0 {
			rows[i] = j.row(i)
		}
		return nil
	})
	out := joinChecks(rows)
	out.Missed, out.Fails = missed, out.Fails+more
	if missed > 0 {
		out.Summed = p.M*p.N - out.Elements
	}
	return out, nil
}

// mostWrong limits the rows that are compared element by element because their sum differs.
const mostWrong = 16

// sums finds rows with wrong elements if only a sample is compared, and compares some of them completely. It returns
// the probability of missing one (0 if no sums were used) and the number of other rows with a wrong element.
func (j *judge) sums(rows []CardCheck) (missed float64, more int64) {
	if j.sample == nil {
		return 0, 0
	}
	s := j.newSums(uint64(len(j.d)))
	if s == nil {
		return 0, 0
	}
	var wrong []int64
	for i, bad := range s.wrong() {
		if bad {
			wrong = append(wrong, int64(i))
		}
	}
	whole := *j
	whole.sample = nil
	compared := wrong[:min(len(wrong), mostWrong)]
	_ = Parts(int64(len(compared)), 1, func(i, _ int64) error {
		rows[compared[i]] = whole.row(compared[i])
		return nil
	})
	return s.chance(), int64(len(wrong) - len(compared))
}

// joinChecks combines the checks of all rows.
func joinChecks(rows []CardCheck) CardCheck {
	var out CardCheck
	for _, r := range rows {
		if out.Fails == 0 && r.Fails > 0 {
			out.FirstRow, out.FirstColumn, out.Got, out.Want = r.FirstRow, r.FirstColumn, r.Got, r.Want
		}
		out.Fails += r.Fails
		out.Elements += r.Elements
		out.Exact += r.Exact
		out.Bound = max(out.Bound, r.Bound)
		if worse(r.Worst, out.Worst) {
			out.Worst, out.Row, out.Column = r.Worst, r.Row, r.Column
		}
	}
	return out
}

// worse reports whether x is a larger difference than y; NaN is the largest.
func worse(x, y float64) bool { return !math.IsNaN(y) && !(x <= y) }

// A judge compares rows.
type judge struct {
	k             *Kernel
	p             Problem
	a, b, c, d    []float64
	sample        Sample
	product       func(a, b float64) float64
	step          int64   // how many products an instruction adds
	cut           float64 // the largest error of adding, relative to the largest term
	round         float64 // the error of rounding to the accumulator, relative to the sum
	exact         float64 // sums of integers are exact up to this magnitude
	integer, ints bool    // all of A, B and C are integers; their types are
}

// ExactSum returns the magnitude up to which the card's sums of integers are exact.
func (k Kernel) ExactSum() float64 {
	j := judge{k: &k, step: k.MMA.Atom().Shape[2] * int64(k.MMA.Atom().Types.A.Parts)}
	j.units()
	return j.exact
}

// units determines the precision of sums.
func (j *judge) units() {
	types := j.k.MMA.Atom().Types
	if j.ints = exact(types.A.Type, types.B.Type, types.C.Type); j.ints {
		j.integer, j.exact = true, math.Inf(1)
		return
	}
	j.round = unit(types.C.Type)
	switch {
	case types.C.Type == dtype.F64:
		j.cut = 0x1p-52
	case types.A.Type.Bits() <= 8 && lower.IsWarpgroup(j.k.MMA.Atom()):
		j.cut = 0x1p-13
	default:
		j.cut = 0x1p-23
	}
	if j.step == 1 { // fma only rounds
		j.cut = 0x1p-52
	}
	if types.A.Type.Bits() == 8 && !lower.IsWarpgroup(j.k.MMA.Atom()) { // as halves, in two instructions
		j.step = max(j.step/2, 1)
	}
	j.exact = 1 / max(j.cut, j.round/2)
	j.integer = true
	for _, xs := range [][]float64{j.a, j.b, j.c} {
		err := Parts(int64(len(xs)), chunk, func(from, to int64) error {
			for _, x := range xs[from:to] {
				if x != math.Trunc(x) {
					return errFraction
				}
			}
			return nil
		})
		j.integer = j.integer && err == nil
	}
}

var errFraction = errors.New("a number is no integer")

func (j *judge) row(i int64) CardCheck {
	var out CardCheck
	p := &j.p
	columns := j.sample[i]
	n := int64(len(columns))
	if j.sample == nil {
		n = p.N
	}
	for x := range n {
		col := x
		if j.sample != nil {
			col = columns[x]
		}
		sum, size, bound := 0.0, 0.0, 0.0
		if len(j.c) > 0 {
			sum = j.c[i*p.N+col]
			size = math.Abs(sum)
		}
		row, column := j.a[i*p.K:][:p.K], j.b[col*p.K:][:p.K]
		for k0 := int64(0); k0 < p.K; k0 += j.step {
			largest := math.Abs(sum)
			end := min(k0+j.step, p.K)
			for x := k0; x < end; x++ {
				y := j.product(row[x], column[x])
				sum += y
				abs := math.Abs(y)
				size += abs
				largest = max(largest, abs)
			}
			bound += j.cut*float64(j.step+1)*largest + j.round*(math.Abs(sum)+bound)
		}
		if j.integer && size <= j.exact {
			bound = 0
			out.Exact++
		}
		out.Elements++
		off := math.Abs(j.d[i*p.N+col] - sum)
		out.Bound = max(out.Bound, bound)
		if worse(off, out.Worst) {
			out.Worst, out.Row, out.Column = off, i, col
		}
		if !(off <= bound) {
			if out.Fails++; out.Fails == 1 {
				out.FirstRow, out.FirstColumn, out.Got, out.Want = i, col, j.d[i*p.N+col], sum
			}
		}
	}
	return out
}
