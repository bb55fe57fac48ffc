package dot

import (
	"math/bits"
)

// fusedRows is the fast implementation of [Fused] if all products are added in one step. A row of A or B is stored as
// integers with a common exponent, so that a product of elements is a product of integers, and cutting it off is a
// shift. If the elements of a row are too far apart for that, each has its own exponent.
//
// The largest place of the products of two rows is found without computing each product. Each of the largest places of
// a row has a set of the elements with that place. The first places for which two sets have a common element are the
// places of the largest product. Infinities and NaN are found with sets, too.
type fusedRows struct {
	model      Fused
	fa, fb, fc format
	bias       int // the exponent bias of the type of C
	a, b       fusedOperand
}

// levels is the number of places, from the largest one down, for which a row has sets.
const levels = 8

// widest is the largest width of an integer of a row: products are twice as wide, and fit in 64 bits.
const widest = 31

// mostElements is the largest number of elements of a row for which a set is 64 bits.
const mostElements = 64

// absent is the place of a zero: below all others, even if doubled.
const absent = -1 << 20

// A fusedOperand is the rows of A or B, one after the other.
type fusedOperand struct {
	values    []int64 // the significands, with signs
	exponents []int32 // the exponents of the last bits of values
	places    []int32
	rows      []fusedRow
}

type fusedRow struct {
	special bool // a row contains infinity or NaN
	wide    bool // the exponents differ
	none    bool // all elements are 0
	unit    int  // the exponent of all elements, if they share one
	top     int  // the largest place
	sets    [levels]uint64

	nan, infinite, zero, negative uint64 // sets of elements, if there are no more than mostElements
}

func newFusedRows(m Fused) *fusedRows {
	r := &fusedRows{model: m, fa: formatOf(m.A), fb: formatOf(m.B), fc: formatOf(m.C)}
	r.bias = r.fc.bias()
	return r
}

func (r *fusedRows) takeA(p *Product) { r.a.take(r.fa, p.a, p.k) }
func (r *fusedRows) takeB(p *Product) { r.b.take(r.fb, p.b, p.k) }

// take reads an operand.
func (o *fusedOperand) take(f format, codes []uint64, k int) {
	if n := len(codes); cap(o.values) < n {
		o.values, o.exponents, o.places = make([]int64, n), make([]int32, n), make([]int32, n)
	}
	o.rows = o.rows[:0]
	for at := 0; k > 0 && at+k <= len(codes); at += k {
		o.rows = append(o.rows, o.read(f, codes[at:at+k], at))
	}
}

// read reads a row, whose first element has index at; it splits each code as [format.read] does.
func (o *fusedOperand) read(f format, codes []uint64, at int) fusedRow {
	row := fusedRow{none: true, unit: 1 << 20, top: absent}
	n := len(codes)
	values, exponents, places := o.values[at:at+n], o.exponents[at:at+n], o.places[at:at+n]
	mask, last, bias := uint64(1)<<f.mantissa-1, 1<<f.exponent-1, f.bias()
	for i, c := range codes {
		c >>= f.unused & 63
		x, e, bit := c&mask, int(c>>(f.mantissa&63))&last, uint64(1)<<(i&63)
		negative := c>>((f.mantissa+f.exponent)&63)&1 == 1
		if negative {
			row.negative |= bit
		}
		if e == last && (f.infinity || x == mask) {
			row.special = true
			if f.infinity && x == 0 {
				row.infinite |= bit
			} else {
				row.nan |= bit
			}
		}
		if e > 0 {
			x |= mask + 1
		} else if x == 0 {
			values[i], exponents[i], places[i] = 0, 0, absent
			row.zero |= bit
			continue
		}
		place := max(e, 1) - bias
		row.none = false
		row.top = max(row.top, place)
		row.unit = min(row.unit, place-f.mantissa+bits.TrailingZeros64(x))
		if negative {
			x = -x
		}
		values[i], exponents[i], places[i] = int64(x), int32(place-f.mantissa), int32(place)
	}
	if row.none {
		row.unit = 0
		return row
	}
	if row.wide = row.top+1-row.unit > widest || n > mostElements; row.wide {
		return row
	}
	for i, place := range places {
		if place == absent {
			continue
		}
		if n := int(exponents[i]) - row.unit; n >= 0 {
			values[i] <<= n & 63
		} else {
			values[i] >>= -n & 63 // zeros
		}
		exponents[i] = int32(row.unit)
		if d := row.top - int(place); d < levels {
			row.sets[d] |= 1 << (i & 63)
		}
	}
	return row
}

func (r *fusedRows) row(p *Product, i int, acc []uint64) {
	if p.there != nil && bits.OnesCount64(p.there[i]) > r.model.Together { // more than one step
		elementwise{}.row(p, i, acc)
		return
	}
	k, x := p.k, &r.a.rows[i]
	a, below := r.a.values[i*k:(i+1)*k], r.model.Below
	mantissa, last, bias := r.fc.mantissa, 1<<r.fc.exponent-1, r.bias
	mask := uint64(1)<<mantissa - 1
	for j, code := range acc {
		y := &r.b.rows[j]
		// C is split as in format.read.
		c, e := code&mask, int(code>>(mantissa&63))&last
		if x.special || y.special || e == last {
			acc[j] = r.special(p, i, j, code)
			continue
		}
		top := absent
		if e > 0 {
			c |= mask + 1
		} else {
			e = 1
		}
		if c != 0 {
			top = e - bias
		}
		zero := x.none || y.none
		if !zero {
			top = max(top, r.largest(p, i, j))
		}
		if top == absent {
			acc[j] = 0
			continue
		}
		cut := top - below
		total := int64(shift(c, e-bias-mantissa-cut))
		if code>>((mantissa+r.fc.exponent)&63)&1 == 1 {
			total = -total
		}
		if !zero {
			b := r.b.values[j*k : (j+1)*k]
			switch n := cut - x.unit - y.unit; {
			case x.wide || y.wide:
				total += r.innerWide(p, [2]int{i, j}, cut)
			case n > 0:
				total += innerCut(a, b, uint(min(n, 62)))
			default:
				total += inner(a, b) << (-n & 63)
			}
		}
		acc[j] = r.write(total, cut)
	}
}

// special returns the element if there is an infinity or NaN in row i of A, in row j of B, or in C.
func (r *fusedRows) special(p *Product, i, j int, c uint64) uint64 {
	x, y, there := &r.a.rows[i], &r.b.rows[j], ^uint64(0)
	if p.there != nil {
		there = p.there[i]
	}
	infinite, negative := (x.infinite|y.infinite)&there, x.negative^y.negative
	up, down := infinite&^negative != 0, infinite&negative != 0
	undefined := (x.nan|y.nan|x.infinite&y.zero|x.zero&y.infinite)&there != 0
	t, kind := r.fc.read(c)
	switch kind {
	case nan:
		undefined = true
	case infinity:
		up, down = up || !t.negative, down || t.negative
	}
	switch {
	case p.k > mostElements, !undefined && !up && !down: // no sets, or an element of B has no held partner
		return p.add(i, j, c)
	case undefined, up && down:
		return r.fc.nan()
	case down:
		return r.fc.infinite() | 1<<(r.fc.mantissa+r.fc.exponent)
	}
	return r.fc.infinite()
}

// write returns the code of total·2^unit, rounded by [Fused.round] and [format.write].
func (r *fusedRows) write(total int64, unit int) uint64 {
	if total == 0 {
		return 0
	}
	f := &r.fc
	sign := uint64(total) >> 63 << ((f.mantissa + f.exponent) & 63)
	x := uint64((total ^ total>>63) - total>>63)
	n := bits.Len64(x)
	if drop := max(n-1-r.model.Fraction, 1-r.bias-r.model.Fraction-unit); drop > 0 {
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
	e := unit + n - 1 + r.bias
	switch {
	case e >= 1<<f.exponent-1:
		return sign | f.infinite()
	case e <= 0:
		return sign | shift(x, unit+r.bias+f.mantissa-1)
	}
	return sign | uint64(e)<<(f.mantissa&63) | shift(x, f.mantissa+1-n)&(1<<f.mantissa-1)
}

// largest returns the largest place of the products of row i of A and row j of B, or absent if all products are 0.
func (r *fusedRows) largest(p *Product, i, j int) int {
	x, y := &r.a.rows[i], &r.b.rows[j]
	if !x.wide && !y.wide {
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
	}
	most := int32(absent)
	a, b := r.a.places[i*p.k:(i+1)*p.k], r.b.places[j*p.k:(j+1)*p.k]
	for k, at := range a {
		most = max(most, at+b[k])
	}
	if most <= absent/2 {
		return absent
	}
	return int(most)
}

// innerCut returns the sum of products, each cut off n bits, towards zero; n is between 1 and 63.
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

// innerWide returns the sum of the products of two rows in units of 2^cut, each cut off towards zero, if each element
// has its own exponent.
func (r *fusedRows) innerWide(p *Product, rows [2]int, cut int) int64 {
	from, to := rows[0]*p.k, rows[1]*p.k
	a, ea := r.a.values[from:from+p.k], r.a.exponents[from:from+p.k]
	b, eb := r.b.values[to:to+p.k], r.b.exponents[to:to+p.k]
	sum := int64(0)
	for k, x := range a {
		p := x * b[k]
		if p == 0 {
			continue
		}
		n := int(ea[k]) + int(eb[k]) - cut
		if n >= 0 {
			sum += p << (n & 63)
			continue
		}
		m := min(uint(-n), 63)
		sum += (p + int64(uint64(p>>63)>>(-m&63))) >> m
	}
	return sum
}
