package gemm

import (
	"cmp"
	"math"

	"girih/dtype"
	"girih/internal/ints"
)

// This file compares a result with a product computed by three loops.

// A Check is the distance of a result from the exact product of the rounded operands.
type Check struct {
	// Worst is the largest difference, at Row and Column. Bound is the largest difference that rounding can cause
	// anywhere: 0 if sums are exact.
	Worst, Bound float64
	Row, Column  int64
	// Fails is the number of elements that differ by more than their own bound.
	Fails int64
}

// Check compares D with A·B + C, computed with 53 bits. The instruction rounds the sum of its K products and the
// accumulator once. So an element may differ by the unit of the accumulator's type, times the number of instructions
// along K, times the terms' total magnitude. It returns the errors of [Kernel.Run] about the problem, and
// [cute.CodeExtent] unless D has M·N numbers.
func (k Kernel) Check(p Problem, d []float64) (Check, error) {
	if err := cmp.Or(p.check(), p.checkResult(d)); err != nil {
		return Check{}, err
	}
	types, product := k.MMA.Atom().Types, productOf(k.MMA.Atom())
	roundC := roundingOf(types.C.Type)
	a, err := roundAll(p.A, types.A.Type)
	if err != nil {
		return Check{}, err
	}
	b, err := roundAll(p.B, types.B.Type)
	if err != nil {
		return Check{}, err
	}
	// Each instruction along K rounds once, and the float64 sums round a few times.
	steps := float64(ints.CeilDiv(p.K, k.MMA.Atom().Shape[2]) + 1)
	relative := unit(types.C.Type)/2*steps + float64(p.K)*0x1p-52
	if exact(types.A.Type, types.B.Type, types.C.Type) {
		relative = 0
	}
	rows := make([]Check, p.M)
	err = Parts(p.M, 1, func(i, _ int64) error {
		var out Check
		for j := range p.N {
			sum, size := 0.0, 0.0
			if len(p.C) > 0 {
				var err error
				if sum, err = roundC(p.C[i*p.N+j]); err != nil {
					return err
				}
				size = math.Abs(sum)
			}
			row, column := a[i*p.K:][:p.K], b[j*p.K:][:p.K]
			for x := range row {
				y := product(row[x], column[x])
				sum += y
				size += math.Abs(y)
			}
			off, bound := math.Abs(d[i*p.N+j]-sum), relative*size
			out.Bound = max(out.Bound, bound)
			if off > out.Worst {
				out.Worst, out.Row, out.Column = off, i, j
			}
			if !(off <= bound) {
				out.Fails++
			}
		}
		rows[i] = out
		return nil
	})
	if err != nil {
		return Check{}, err
	}
	return joinedRows(rows), nil
}

// joinedRows combines the checks of all rows.
func joinedRows(rows []Check) Check {
	var out Check
	for _, r := range rows {
		out.Bound = max(out.Bound, r.Bound)
		out.Fails += r.Fails
		if r.Worst > out.Worst {
			out.Worst, out.Row, out.Column = r.Worst, r.Row, r.Column
		}
	}
	return out
}

// roundAll returns the numbers rounded to a type.
func roundAll(xs []float64, t dtype.Type) ([]float64, error) {
	out := make([]float64, len(xs))
	round, known := roundingOf(t), newCodes(t, len(xs))
	return out, Parts(int64(len(xs)), chunk, func(from, to int64) (err error) {
		for i, x := range xs[from:to] {
			if known != nil {
				if _, ok := known.find(x); ok {
					out[from+int64(i)] = x
					continue
				}
			}
			if out[from+int64(i)], err = round(x); err != nil {
				return err
			}
		}
		return nil
	})
}
