package gemm

import (
	"math"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/internal/machine/lower"
)

// This file implements an instruction's arithmetic. Package tiled finds the operands.

// checkSimulated returns [cute.CodeLimit] for instructions that are not simulated: instructions with several blocks,
// scale factors, metadata or complex numbers, or with elements that are not parts of whole words.
func checkSimulated(m atom.MMA) error {
	switch {
	case m.Blocks > 1 || m.Scale != nil || m.Sparse != nil && !lower.IsWarpgroup(m):
		return refuse(cute.CodeLimit,
			"%s is not simulated: block-scaled and multi-block instructions, and sparse ones that are not wgmma, have more operands than A, B and C",
			m.Name)
	case m.Sparse != nil && m.AMajor == atom.MNMajor:
		return refuse(cute.CodeLimit,
			"%s is not simulated: the held halves of a sparse A are not neighbours along M", m.Name)
	case m.Types.A.Parts > 1 || m.Types.B.Parts > 1:
		return refuse(cute.CodeLimit, "%s is not simulated: its elements are complex", m.Name)
	}
	for _, t := range []atom.Element{m.Types.A, m.Types.B} {
		if b := t.Type.Bits(); b&(b-1) != 0 {
			return refuse(cute.CodeLimit, "%s is not simulated: no copy of whole words moves elements of %d bits, %v", m.Name,
				b, t.Type)
		}
	}
	return nil
}

// productOf returns the product of an element of A and an element of B. For instructions that count the bits of an
// exclusive or, it returns whether the two bits differ.
func productOf(m atom.MMA) func(a, b float64) float64 {
	if strings.HasSuffix(m.Name, "_XORPOPC") {
		return func(a, b float64) float64 { return a + b - 2*a*b }
	}
	return func(a, b float64) float64 { return a * b }
}

// A sum adds the products of an instruction in float64 and rounds the sum once, to the accumulator's type.
type sum struct {
	along   []int64 // by column of the instructions' operands, the k of the column in the tile
	left    int64   // how much of the problem's K is left from the current tile on
	round   rounding
	product func(a, b float64) float64
}

// Add adds the products of an instruction. Products beyond the K of the problem are skipped.
func (s *sum) Add(column int64, a, b []float64, c float64) (float64, error) {
	some := false
	for i, k := range s.along[column:][:len(a)] {
		if k < s.left {
			c += s.product(a[i], b[i])
			some = true
		}
	}
	if !some {
		return c, nil
	}
	return s.round(c)
}

// trace runs the product once with the numbers of the tile's elements instead of their values. From these it learns the
// k of each column, checks that the instructions multiply matching elements, and counts how often each product of the
// tile is added: the smallest and the largest count must be 1.
func (r *run) trace() (along []int64, times [2]int64, err error) {
	tile := r.k.Tile
	r.a.number()
	r.b.number()
	for i := range tile[0] {
		for j := range tile[1] {
			r.acc[i*tile[1]+j] = float64(i + tile[0]*j)
		}
	}
	t := &tracer{tile: tile, along: make([]int64, tile[2]), times: make([]uint8, tile[0]*tile[1]*tile[2])}
	if err := r.multiply(t); err != nil {
		return nil, times, err
	}
	least, most := t.times[0], t.times[0]
	for _, n := range t.times {
		least, most = min(least, n), max(most, n)
	}
	if least != 1 || most != 1 {
		err = refuse(cute.CodeNotInjective, "products are added %d to %d times, not once", least, most)
	}
	return t.along, [2]int64{int64(least), int64(most)}, err
}

// A tracer receives the colexicographic numbers of elements in their tiles, and counts the products.
type tracer struct {
	tile  [3]int64
	along []int64
	times []uint8
}

// Add counts the products of an instruction for one element of C, and returns that element's number.
func (t *tracer) Add(column int64, a, b []float64, c float64) (float64, error) {
	m, n := t.tile[0], t.tile[1]
	row, at := int64(c)%m, int64(c)/m
	for i := range a {
		a, b := int64(a[i]), int64(b[i])
		k := a / m
		if a-k*m != row || b-k*n != at {
			return c, refuse(cute.CodeNotCongruent, "an instruction multiplies A(%d,%d) by B(%d,%d) for C(%d,%d)", a%m, a/m,
				b%n, b/n, row, at)
		}
		t.along[column+int64(i)] = k
		if x := &t.times[row+m*(at+n*k)]; *x < math.MaxUint8 {
			*x++
		}
	}
	return c, nil
}
