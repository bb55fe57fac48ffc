package tiled

import (
	"math"

	"girih/internal/machine/dot"
)

// singles is an exact chain of fused multiply-adds of float32. The product of two float32 has 48 bits, which a float64
// holds. So the sum in float64 is rounded once, to 53 bits, before it is rounded to the 24 bits of the result. The two
// roundings equal one unless the first result is halfway between two float32; then the model decides.
//
// This argument holds for ordinary results. A subnormal result has fewer bits, but is exact if all terms are multiples
// of 2^-149, the smallest float32; if products may be smaller than that, the model computes everything.
type singles struct {
	block
	chain dot.Chain
	a, b  []float32
	// The rows of the last block of B, k by k.
	wideB []float64
	slow  bool
}

func newSingles(chain dot.Chain, a, b []float32) *singles {
	s := &singles{chain: chain, a: a, b: b, block: block{b: -1}}
	s.slow = lowest(a)+lowest(b) < -149
	return s
}

// lowest returns the exponent of the lowest bit of the smallest nonzero number, a lower bound for all numbers.
func lowest(xs []float32) int {
	least := uint32(255)
	for _, x := range xs {
		if b := math.Float32bits(x) << 1; b != 0 {
			least = min(least, b>>24)
		}
	}
	return int(max(least, 1)) - 150
}

// middle is the low 29 bits of a float64 that is halfway between two float32.
const middle = 1 << 28

// halfway reports whether the sum of p and c, which is rounded to halfway between two float32, is not exact: then the
// exact sum is not halfway. The error of a rounded sum is a float64 (Knuth).
func halfway(p, c, sum float64) bool {
	if math.Float64bits(sum)&(1<<29-1) != middle {
		return false
	}
	v := sum - p
	return (p-(sum-v))+(c-v) != 0
}

func (s *singles) begin(b block) {
	old := s.block
	s.block = b
	if s.slow || old.b == b.b && old.n == b.n && old.k == b.k {
		return
	}
	if int64(cap(s.wideB)) < b.n*b.k {
		s.wideB = make([]float64, b.n*b.k)
	}
	s.wideB = s.wideB[:b.n*b.k]
	for j := range b.n {
		for k, x := range s.b[b.b+j*b.rowB:][:b.k] {
			s.wideB[int64(k)*b.n+j] = float64(x)
		}
	}
}

func (s *singles) row(i int64, c []float32) {
	if s.slow {
		s.addSlowly(i, c)
		return
	}
	a := s.a[s.block.a+i*s.rowA:][:s.k]
	k := int64(0)
	for ; k+4 <= s.k; k += 4 {
		a := [4]float64{float64(a[k]), float64(a[k+1]), float64(a[k+2]), float64(a[k+3])}
		s.add4(c, &a, s.wideB[k*s.n:(k+4)*s.n])
	}
	for ; k < s.k; k++ {
		s.add1(c, float64(a[k]), s.wideB[k*s.n:(k+1)*s.n])
	}
	for j, x := range c {
		if x != x {
			c[j] = math.Float32frombits(0x7fffffff) // the card's NaN
		}
	}
}

// add1 adds a·b to a row.
func (s *singles) add1(row []float32, a float64, b []float64) {
	for j, x := range row {
		p := a * b[j] // exact
		sum := p + float64(x)
		if halfway(p, float64(x), sum) {
			row[j] = s.one(a, b[j], x)
			continue
		}
		row[j] = float32(sum)
	}
}

// add4 is add1 for four numbers, one after the other; b has the four rows.
func (s *singles) add4(row []float32, a *[4]float64, b []float64) {
	n := len(row)
	for j := 0; j < n; j++ {
		if j = quick4(row, a, b, j); j < n {
			for i, x := range a {
				row[j] = s.one(x, b[i*n+j], row[j])
			}
		}
	}
}

// quick4 is add4 from an element on. It stops at an element whose sum is halfway, without changing it, and returns its
// place. It calls no function, so that all its variables stay in registers.
func quick4(row []float32, a *[4]float64, b []float64, from int) int {
	n := len(row)
	a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
	b0, b1, b2, b3 := b[:n], b[n:][:n], b[2*n:][:n], b[3*n:][:n]
	for j := from; j < len(row); j++ {
		c := float64(row[j])
		p := a0 * b0[j]
		sum := p + c
		if halfway(p, c, sum) {
			return j
		}
		c = float64(float32(sum))
		p = a1 * b1[j]
		sum = p + c
		if halfway(p, c, sum) {
			return j
		}
		c = float64(float32(sum))
		p = a2 * b2[j]
		sum = p + c
		if halfway(p, c, sum) {
			return j
		}
		c = float64(float32(sum))
		p = a3 * b3[j]
		sum = p + c
		if halfway(p, c, sum) {
			return j
		}
		row[j] = float32(sum)
	}
	return n
}

// one is a·b + c by the model.
func (s *singles) one(a, b float64, c float32) float32 {
	x, y := [1]uint64{uint64(math.Float32bits(float32(a)))}, [1]uint64{uint64(math.Float32bits(float32(b)))}
	return math.Float32frombits(uint32(s.chain.Add(x[:], y[:], uint64(math.Float32bits(c)))))
}

// addSlowly is row with the model only.
func (s *singles) addSlowly(i int64, c []float32) {
	x := s.a[s.block.a+i*s.rowA:][:s.k]
	for j := range c {
		for k, y := range s.b[s.block.b+int64(j)*s.rowB:][:s.k] {
			c[j] = s.one(float64(x[k]), float64(y), c[j])
		}
	}
}

// doubles is a chain of fused multiply-adds of float64.
type doubles struct {
	block
	chain dot.Chain
	a, b  []float64
}

func (d *doubles) begin(b block) { d.block = b }

func (d *doubles) row(i int64, c []float64) {
	x := d.a[d.block.a+i*d.rowA:][:d.k]
	for j, sum := range c {
		y := d.b[d.block.b+int64(j)*d.rowB:][:d.k]
		for k, p := range x {
			next := math.FMA(p, y[k], sum)
			if next != next { // the model knows which NaN
				next = math.Float64frombits(d.chain.Add([]uint64{math.Float64bits(p)}, []uint64{math.Float64bits(y[k])},
					math.Float64bits(sum)))
			}
			sum = next
		}
		c[j] = sum
	}
}

// complexes multiplies complex numbers as four instructions on their parts, in CuTe's order.
type complexes struct {
	block
	step  int64
	model summer
	a, b  []complex128
}

func (x *complexes) begin(b block) { x.block = b }

func (x *complexes) row(i int64, c []complex128) {
	a := x.a[x.block.a+i*x.rowA:]
	for j := range c {
		b := x.b[x.block.b+int64(j)*x.rowB:]
		for k := int64(0); k < x.k; k += x.step {
			c[j] = x.one(a[k:k+x.step], b[k:k+x.step], c[j])
		}
	}
}

// one is one instruction for one element.
func (x *complexes) one(a, b []complex128, c complex128) complex128 {
	var parts [5][]uint64 // three parts of A: re, im, −im; two parts of B: re, im
	for k, z := range a {
		im := math.Float64bits(imag(z))
		parts[0] = append(parts[0], math.Float64bits(real(z)))
		parts[1] = append(parts[1], im)
		parts[2] = append(parts[2], im^1<<63)
		parts[3] = append(parts[3], math.Float64bits(real(b[k])))
		parts[4] = append(parts[4], math.Float64bits(imag(b[k])))
	}
	re := x.model.Add(parts[0], parts[3], math.Float64bits(real(c)))
	im := x.model.Add(parts[1], parts[3], math.Float64bits(imag(c)))
	re = x.model.Add(parts[2], parts[4], re)
	im = x.model.Add(parts[0], parts[4], im)
	return complex(math.Float64frombits(re), math.Float64frombits(im))
}
