package dot

import (
	"math/bits"
)

// fusedRows is the quick way of [Fused] where all products are one step. A row of A or B is integers with one exponent,
// so that a product of elements is one of integers, and what is kept of it a shift.
//
// The largest place of the products of two rows is found without looking at each: a row has for some places from its
// largest one down the elements that have them as a set, and the first places for which two sets have an element in
// common are those of the largest product.
type fusedRows struct {
	model      Fused
	fa, fb, fc format
	a, b       fusedOperand
}

// levels is for how many places from the largest one down a row has sets.
const levels = 8

// widest is how many bits an integer of a row may have: products have twice as many, which 64 bits hold.
const widest = 31

type fusedOperand struct {
	values []int64 // in units of the row, k a row
	places []int32
	rows   []fusedRow
}

type fusedRow struct {
	slow bool // infinity, NaN, or too far apart: the model decides
	none bool // all elements are 0
	unit int  // exponent of the integers
	top  int  // the largest place
	sets [levels]uint64
}

func newFusedRows(m Fused) *fusedRows {
	return &fusedRows{model: m, fa: formatOf(m.A), fb: formatOf(m.B), fc: formatOf(m.C)}
}

func (r *fusedRows) takeA(p *Product) { r.a.take(r.fa, p.a, p.k) }
func (r *fusedRows) takeB(p *Product) { r.b.take(r.fb, p.b, p.k) }

// absent is the place of what is 0: below all others, twice.
const absent = -1 << 20

// take reads an operand.
func (o *fusedOperand) take(f format, codes []uint64, k int) {
	o.values, o.places, o.rows = o.values[:0], o.places[:0], o.rows[:0]
	for len(codes) >= k && k > 0 {
		o.rows = append(o.rows, o.read(f, codes[:k]))
		codes = codes[k:]
	}
}

// read appends the values and places of a row: what [format.read] says of each code.
func (o *fusedOperand) read(f format, codes []uint64) fusedRow {
	begin := len(o.values)
	row := fusedRow{none: true, unit: 1 << 20, top: absent}
	o.values = append(o.values, codes64(len(codes))...)
	o.places = append(o.places, codes32(len(codes))...)
	values, places := o.values[begin:], o.places[begin:]
	mask, last, bias := uint64(1)<<f.mantissa-1, 1<<f.exponent-1, f.bias()
	for i, c := range codes {
		c >>= f.unused
		x, e := c&mask, int(c>>f.mantissa)&last
		if e == last && (f.infinity || x == mask) {
			row.slow = true
		}
		if e > 0 {
			x |= mask + 1
		} else if x == 0 {
			values[i], places[i] = 0, absent
			continue
		}
		place := max(e, 1) - bias
		row.none = false
		row.top = max(row.top, place)
		row.unit = min(row.unit, place-f.mantissa+bits.TrailingZeros64(x))
		if c>>(f.mantissa+f.exponent)&1 == 1 {
			x = -x
		}
		values[i], places[i] = int64(x), int32(place)
	}
	if row.none || row.slow {
		row.unit = 0
		return row
	}
	if row.top+1-row.unit > widest || len(codes) > 64 {
		row.slow = true
		return row
	}
	for i, place := range places {
		if place == absent {
			continue
		}
		if n := int(place) - f.mantissa - row.unit; n >= 0 {
			values[i] <<= n & 63
		} else {
			values[i] >>= -n & 63 // zeros
		}
		if d := row.top - int(place); d < levels {
			row.sets[d] |= 1 << (i & 63)
		}
	}
	return row
}

// zeros are what an operand grows by.
var (
	zeros64 [256]int64
	zeros32 [256]int32
)

func codes64(n int) []int64 { return zeros64[:n] }
func codes32(n int) []int32 { return zeros32[:n] }

func (r *fusedRows) row(p *Product, i int, acc []uint64) {
	k, x := p.k, &r.a.rows[i]
	a := r.a.values[i*k : (i+1)*k]
	for j, code := range acc {
		y := &r.b.rows[j]
		c, class := r.fc.read(code)
		if x.slow || y.slow || class != number {
			acc[j] = p.add(i, j, code)
			continue
		}
		top, below := absent, r.model.Below
		if c.significand != 0 {
			top = c.place
		}
		var total int64
		if !x.none && !y.none {
			top = max(top, r.largest(p, i, j))
		}
		cut := top - below
		if top > absent {
			b := r.b.values[j*k : (j+1)*k]
			if n := cut - x.unit - y.unit; n > 0 {
				total = innerCut(a, b, uint(min(n, 62)))
			} else if !x.none && !y.none {
				total = inner(a, b) << -n
			}
			kept := int64(shift(c.significand, c.exponent-cut))
			if c.negative {
				kept = -kept
			}
			total += kept
		}
		acc[j] = r.write(total, cut)
	}
}

// write returns the code of total·2^unit, rounded: what [Fused.round] and [format.write] make of it.
func (r *fusedRows) write(total int64, unit int) uint64 {
	if total == 0 {
		return 0
	}
	sign, f := uint64(total)>>63<<(r.fc.mantissa+r.fc.exponent), r.fc
	x := uint64((total ^ total>>63) - total>>63)
	n := bits.Len64(x)
	if drop := max(n-1-r.model.Fraction, 1-f.bias()-r.model.Fraction-unit); drop > 0 {
		kept := x >> drop
		if r.model.Nearest && drop <= 64 {
			rest, half := x-kept<<drop, uint64(1)<<(drop-1)
			if rest > half || rest == half && kept&1 == 1 {
				kept++
			}
		}
		if kept == 0 {
			return sign
		}
		x, unit = kept, unit+drop
		n = bits.Len64(x)
	}
	e := unit + n - 1 + f.bias()
	switch {
	case e >= 1<<f.exponent-1:
		return sign | f.infinite()
	case e <= 0:
		return sign | shift(x, unit+f.bias()+f.mantissa-1)
	}
	return sign | uint64(e)<<f.mantissa | shift(x, f.mantissa+1-n)&(1<<f.mantissa-1)
}

// largest returns the largest place of the products of row i of A and row j of B, or absent if all of them are 0.
func (r *fusedRows) largest(p *Product, i, j int) int {
	x, y := &r.a.rows[i], &r.b.rows[j]
	switch {
	case x.sets[0]&y.sets[0] != 0:
		return x.top + y.top
	case x.sets[0]&y.sets[1]|x.sets[1]&y.sets[0] != 0:
		return x.top + y.top - 1
	case x.sets[0]&y.sets[2]|x.sets[1]&y.sets[1]|x.sets[2]&y.sets[0] != 0:
		return x.top + y.top - 2
	}
	for d := 3; d < levels; d++ {
		for e := range d + 1 {
			if x.sets[e]&y.sets[d-e] != 0 {
				return x.top + y.top - d
			}
		}
	}
	most := int32(absent)
	a, b := r.a.places[i*p.k:(i+1)*p.k], r.b.places[j*p.k:(j+1)*p.k]
	for k, at := range a {
		most = max(most, at+b[k])
	}
	return int(most)
}

// innerCut returns the sum of products, each cut off n bits, towards zero; n is 1 to 63.
func innerCut(a, b []int64, n uint) int64 {
	b = b[:len(a)]
	n &= 63
	sum := int64(0)
	for k, x := range a {
		p := x * b[k]
		sum += (p + int64(uint64(p>>63)>>(-n&63))) >> n
	}
	return sum
}
