package dot

import (
	"math/bits"
	"slices"

	"girih/dtype"
)

// A Product is D = A·B + C for matrices, as a model adds: each element is [Model.Add] of a row of A, a row of B (which
// is indexed by N) and an element of C, but the operands are prepared only once. It is not safe for concurrent use.
type Product struct {
	model Model
	k     int
	a, b  []uint64 // codes, row by row: copies, so that repeated operands are recognised
	there []uint64 // for a sparse A, a bit for each held element, by row; nil for a dense A
	rows  multiplier
}

// A multiplier is the fast implementation of a model. Its operands are the product's.
type multiplier interface {
	takeA(p *Product)
	takeB(p *Product)
	// row replaces each element of acc, which is row i of C, by the element of D.
	row(p *Product, i int, acc []uint64)
}

// NewProduct returns a product with k elements in a row of A and of B: up to 256, or up to 64 if A is sparse and holds
// floats. A code of single bits contains 32 of them, the first one lowest, and k counts codes.
func NewProduct(m Model, k int) *Product {
	p := &Product{model: m, k: k}
	switch m := m.(type) {
	case Fused:
		if k > m.Together && m.Together > 0 {
			p.rows = newStepRows(m, k)
		} else {
			p.rows = newFusedRows(m)
		}
	case Mixed:
		p.rows = &mixedRows{model: m, sum: NewProduct(m.Sum, k)}
	case Halves:
		p.rows = newHalvesRows(m, k)
	case Integers:
		p.rows = &integerRows{model: m}
		if m.A == dtype.B1 {
			p.rows = bitRows{m}
		}
	default:
		p.rows = elementwise{}
	}
	return p
}

// SetA sets A: the codes of its rows, one after the other. A sparse A has codes for all k elements, and "there"
// contains a bit for each held element; for a dense A, "there" is nil. A product must always or never be sparse. A
// stays set until the next call.
func (p *Product) SetA(codes, there []uint64) {
	if len(p.a) > 0 && slices.Equal(p.a, codes) && (p.there == nil) == (there == nil) && slices.Equal(p.there, there) {
		return
	}
	p.a = append(p.a[:0], codes...)
	if p.there = p.there[:0]; there == nil {
		p.there = nil
	}
	p.there = append(p.there, there...)
	p.rows.takeA(p)
}

// SetB sets B as SetA sets A.
func (p *Product) SetB(codes []uint64) {
	if len(p.b) > 0 && slices.Equal(p.b, codes) {
		return
	}
	p.b = append(p.b[:0], codes...)
	p.rows.takeB(p)
}

// Row computes row i of D from the same row of C, in place.
func (p *Product) Row(i int, acc []uint64) { p.rows.row(p, i, acc) }

// add computes one element by the model.
func (p *Product) add(i, j int, c uint64) uint64 {
	a, b := p.a[i*p.k:(i+1)*p.k], p.b[j*p.k:(j+1)*p.k]
	if p.there == nil {
		return p.model.Add(a, b, c)
	}
	var x, y [most]uint64
	n := 0
	for m := p.there[i]; m != 0; m &= m - 1 {
		k := bits.TrailingZeros64(m)
		x[n], y[n] = a[k], b[k]
		n++
	}
	return p.model.Add(x[:n], y[:n], c)
}

// elementwise calls the model for each element.
type elementwise struct{}

func (elementwise) takeA(*Product) {}
func (elementwise) takeB(*Product) {}

func (elementwise) row(p *Product, i int, acc []uint64) {
	for j, c := range acc {
		acc[j] = p.add(i, j, c)
	}
}

// mixedRows converts C, and the result.
type mixedRows struct {
	model Mixed
	sum   *Product
}

func (r *mixedRows) takeA(p *Product) { r.sum.SetA(p.a, p.there) }
func (r *mixedRows) takeB(p *Product) { r.sum.SetB(p.b) }

func (r *mixedRows) row(_ *Product, i int, acc []uint64) {
	for j, c := range acc {
		acc[j] = convert(r.model.C, r.model.Sum.C, c)
	}
	r.sum.Row(i, acc)
	for j, c := range acc {
		acc[j] = convert(r.model.Sum.C, r.model.D, c)
	}
}

// stepRows adds the products in several steps along k, each starting from the sum of the previous one.
type stepRows struct {
	model Fused
	steps []*Product
	a, b  [][]uint64
}

func newStepRows(m Fused, k int) *stepRows {
	r := &stepRows{model: m}
	for at := 0; at < k; at += m.Together {
		r.steps = append(r.steps, NewProduct(m, min(m.Together, k-at)))
	}
	r.a, r.b = make([][]uint64, len(r.steps)), make([][]uint64, len(r.steps))
	return r
}

// cut splits the rows of a matrix into the steps.
func (r *stepRows) cut(codes []uint64, k int, into [][]uint64) {
	for i := range into {
		into[i] = into[i][:0]
	}
	for len(codes) >= k && k > 0 {
		at := 0
		for i, s := range r.steps {
			into[i] = append(into[i], codes[at:at+s.k]...)
			at += s.k
		}
		codes = codes[k:]
	}
}

func (r *stepRows) takeA(p *Product) {
	if p.there != nil { // a sparse instruction has half of the elements, and adds them in one step
		p.rows = newFusedRows(r.model)
		p.rows.takeA(p)
		p.rows.takeB(p)
		return
	}
	r.cut(p.a, p.k, r.a)
	for i, s := range r.steps {
		s.SetA(r.a[i], nil)
	}
}

func (r *stepRows) takeB(p *Product) {
	r.cut(p.b, p.k, r.b)
	for i, s := range r.steps {
		s.SetB(r.b[i])
	}
}

func (r *stepRows) row(_ *Product, i int, acc []uint64) {
	for _, s := range r.steps {
		s.Row(i, acc)
	}
}

// integerRows multiplies integers as integers, two rows of B at a time: one in the lower half of a word, one in the
// upper half. The sums of products are far below 32 bits.
type integerRows struct {
	model Integers
	a, b  []int64 // b has pairs of rows; the last row is paired with zeros if their number is odd
}

func (r *integerRows) takeA(p *Product) {
	r.a = r.a[:0]
	for _, c := range p.a {
		r.a = append(r.a, integer(r.model.A, c))
	}
}

func (r *integerRows) takeB(p *Product) {
	r.b = r.b[:0]
	if p.k == 0 {
		return
	}
	for at := 0; at < len(p.b); at += 2 * p.k {
		low := p.b[at : at+p.k]
		high := p.b[min(at+p.k, len(p.b)):min(at+2*p.k, len(p.b))]
		for k, c := range low {
			x := integer(r.model.B, c)
			if len(high) > 0 {
				x += integer(r.model.B, high[k]) << 32
			}
			r.b = append(r.b, x)
		}
	}
}

func (r *integerRows) row(p *Product, i int, acc []uint64) {
	a := r.a[i*p.k : (i+1)*p.k]
	for j := 0; j < len(acc); j += 2 {
		sum := inner(a, r.b[j/2*p.k:(j/2+1)*p.k])
		low := int64(int32(sum))
		acc[j] = r.add(acc[j], low)
		if j+1 < len(acc) {
			acc[j+1] = r.add(acc[j+1], (sum-low)>>32)
		}
	}
}

func (r *integerRows) add(c uint64, sum int64) uint64 {
	return r.model.end(integer(r.model.C, c) + sum)
}

// bitRows multiplies single bits, 32 in a code.
type bitRows struct{ model Integers }

func (bitRows) takeA(*Product) {}
func (bitRows) takeB(*Product) {}

func (r bitRows) row(p *Product, i int, acc []uint64) {
	a := p.a[i*p.k : (i+1)*p.k]
	for j, c := range acc {
		sum, b := integer(r.model.C, c), p.b[j*p.k:(j+1)*p.k]
		for k, x := range a {
			y := x & b[k]
			if r.model.Xor {
				y = x ^ b[k]
			}
			sum += int64(bits.OnesCount64(y))
		}
		acc[j] = r.model.end(sum)
	}
}

// inner returns the sum of products.
func inner(a, b []int64) int64 {
	b = b[:len(a)]
	sum := int64(0)
	for k, x := range a {
		sum += x * b[k]
	}
	return sum
}

// halvesRows computes the two steps of [Halves] as products of f16.
type halvesRows struct {
	model Halves
	steps [2]*Product
	a, b  [2][]uint64
	sums  []uint64
}

func newHalvesRows(m Halves, k int) *halvesRows {
	r := &halvesRows{model: m}
	for i := range r.steps {
		r.steps[i] = NewProduct(m.Step, k/2)
	}
	return r
}

// split splits codes into the two steps: codes with k = 0 or 1 modulo 4, and the others.
func split(codes []uint64, table *[256]uint64, into *[2][]uint64) {
	into[0], into[1] = into[0][:0], into[1][:0]
	for i := 0; i+3 < len(codes); i += 4 {
		into[0] = append(into[0], table[codes[i]&0xff], table[codes[i+1]&0xff])
		into[1] = append(into[1], table[codes[i+2]&0xff], table[codes[i+3]&0xff])
	}
}

func (r *halvesRows) takeA(p *Product) {
	split(p.a, inF16(r.model.A), &r.a)
	for i, s := range r.steps {
		s.SetA(r.a[i], nil)
	}
}

func (r *halvesRows) takeB(p *Product) {
	split(p.b, inF16(r.model.B), &r.b)
	for i, s := range r.steps {
		s.SetB(r.b[i])
	}
}

func (r *halvesRows) row(p *Product, i int, acc []uint64) {
	if p.there != nil {
		elementwise{}.row(p, i, acc)
		return
	}
	r.sums = append(r.sums[:0], make([]uint64, len(acc))...)
	r.steps[0].Row(i, r.sums)
	r.steps[1].Row(i, r.sums)
	for j, x := range r.sums {
		acc[j] = add(r.model.Step.C, x, acc[j])
	}
}
