package address

import (
	"math/bits"
	"slices"
	"sort"
)

// This file splits values into bits.
//
//	disjoint    numbers that are not negative and have no bit in common add as they xor.
//	            Proof: a sum carries where two bits are 1; there is no such place, and without carries + is xor.
//	cluster     sort the parts c·d of a sum by the lowest bit that they may have. As long as the sum of the previous parts
//	            stays below that bit of the next part, the next part begins a cluster. The bits of the sum are the bits
//	            of its clusters: each is a multiple of 2^low, and everything before it is less than 2^low.
//	single bits k + Σ γ_i·b_i for bits b_i is k xor (the O_i with b_i = 1), O_i = k xor (k+γ_i), if no two O_i have a bit
//	            in common. Proof: γ_i is the sum of ±2^j over the bits j of O_i, with - where k has the bit. Adding it
//	            flips those bits of k and carries nowhere; the bits of other O_i do not change. If the value is an
//	            exclusive or of bits, each bit at its own places, then the bits of O_i are the places: consider the
//	            values where only b_i is 1.
//	flip        -2^p·d = -2^p·(2^w-1) + 2^p·(2^w-1-d), and 2^w-1-d is d with its w bits flipped.

// A field is a group of bits of a value: width bits from bit to on, which are the bits of ⌊a/n⌋ from bit from on,
// inverted if flip is set. n is odd.
type field struct {
	source
	to, width int
	flip      bool
}

func (f field) mask() uint64 { return (1<<f.width - 1) << f.to }

// A pattern is a value as bits: fields in rising order without overlaps, and constant bits elsewhere.
type pattern struct {
	fields []field
	ones   uint64
}

// A run is a range of bits that one part of a sum may occupy.
type run struct {
	low  int
	most int64 // the largest value of the part; it occupies the bits from low to the highest bit of most
	p    place // c is 0 if the part is a bit of the constant
	flip bool
}

// pattern returns the bits of x. Parts that carry into each other form one field, with their sum as an atom. It fails
// if x may be negative or have more than maxBits bits.
func (s *Space) pattern(x *sum) (pattern, bool) {
	if x.known&asked == 0 {
		p := pattern{fields: s.arena.scratch[:0]}
		s.arena.scratch = nil // the buffer is in use
		ok := s.makePattern(x, &p)
		s.arena.scratch = p.fields
		if s.err != nil {
			return pattern{}, false
		}
		if p.fields = s.arena.fields.keep(p.fields); len(p.fields) > 0 || p.ones != 0 {
			x.bits = s.arena.patterns.one()
			*x.bits = p
		}
		if x.known |= asked; ok {
			x.known |= hasBits
		}
	}
	if x.bits == nil {
		return pattern{}, x.known&hasBits != 0
	}
	return *x.bits, x.known&hasBits != 0
}

// makePattern finds the bits of x and appends them to out, which is empty.
func (s *Space) makePattern(x *sum, out *pattern) bool {
	if x.lo < 0 || width(x.hi) > maxBits {
		return false
	}
	if slices.ContainsFunc(x.places, func(p place) bool { return p.c < 0 }) && out.bitwise(x.places, x.rest) {
		return true
	}
	k := x.rest
	var few [24]run
	runs := few[:0]
	for _, p := range x.places {
		r, ok := runOf(p)
		if !ok {
			return s.opaque(x, out)
		}
		if r.flip {
			k -= r.most
		}
		runs = append(runs, r)
	}
	if k < 0 || width(k) > maxBits {
		return s.opaque(x, out)
	}
	for rest := k; rest != 0; rest &= rest - 1 {
		bit := rest & -rest
		runs = append(runs, run{low: log(bit), most: bit})
	}
	if !s.appendRuns(out, runs) {
		return s.opaque(x, out)
	}
	return s.err == nil
}

// appendRuns appends the fields of runs; runs that carry into each other form one field. It reports whether all fields
// have at most maxBits bits.
func (s *Space) appendRuns(out *pattern, runs []run) bool {
	for i := range runs { // there are few runs
		for j := i; j > 0 && runs[j-1].low > runs[j].low; j-- {
			runs[j-1], runs[j] = runs[j], runs[j-1]
		}
	}
	for i := 0; i < len(runs); {
		most := runs[i].most
		j := i + 1
		for j < len(runs) && runs[j].low < width(most) {
			most += runs[j].most // both values are below 2^62
			if width(most) > maxBits {
				return false
			}
			j++
		}
		s.appendCluster(out, runs[i:j])
		i = j
	}
	return true
}

// runOf returns the bits that c·d occupies, for a digit d that is not negative. If c is -2^n, it returns the bits of
// 2^n·(most - d), which is 2^n·most more, and marks them as flipped.
func runOf(p place) (r run, ok bool) {
	r.p = p
	if p.lo < 0 {
		return r, false
	}
	if p.c < 0 {
		if !powerOfTwo(-p.c) || !p.isSlice() {
			return r, false
		}
		r.flip = true
		r.p.c = -p.c
		r.p.hi = 1<<width(p.hi) - 1
	}
	if width(r.p.c)+width(r.p.hi) > maxBits {
		return r, false
	}
	r.low, r.most = log(p.c), r.p.c*r.p.hi
	return r, true
}

// isSlice reports whether the digit is a range of bits of a quotient by an odd number.
func (p place) isSlice() bool { return p.lo >= 0 && (p.r == 0 || powerOfTwo(p.r)) }

// opaque makes x a single field.
func (s *Space) opaque(x *sum, out *pattern) bool {
	low := maxBits
	if x.k != 0 {
		low = log(x.k)
	}
	for _, t := range x.terms {
		low = min(low, log(t.c))
	}
	ts := slices.Clone(x.terms)
	for i := range ts {
		ts[i].c >>= low
	}
	y := s.sum(x.k>>low, ts)
	out.ones = 0
	out.fields = append(out.fields[:0], field{source: source{s.whole(Expr{y}), 1, 0}, to: low, width: width(y.hi)})
	return true
}

// whole returns the atom that is x itself, so that it can be a source of bits.
func (s *Space) whole(x Expr) *atom {
	if ts := x.s.terms; x.s.k == 0 && len(ts) == 1 && ts[0].c == 1 && ts[0].n == 1 {
		return ts[0].a
	}
	return s.register(atom{op: opSum, x: x.s, lo: x.s.lo, hi: x.s.hi, level: x.s.level, depth: x.s.depth + 1})
}

// appendCluster appends the field of parts of a sum that may carry into each other but not into other parts.
func (s *Space) appendCluster(out *pattern, runs []run) {
	if len(runs) == 1 {
		r := runs[0]
		if r.p.c == 0 {
			out.ones |= uint64(r.most)
			return
		}
		if powerOfTwo(r.p.c) && r.p.isSlice() {
			e := log(r.p.n)
			out.fields = append(out.fields, field{
				source: source{r.p.a, r.p.n >> e, e}, to: r.low, width: width(r.p.hi), flip: r.flip,
			})
			return
		}
	}
	if out.appendBits(runs) {
		return
	}
	low := runs[0].low
	b := adder{s: s}
	for _, r := range runs {
		switch {
		case r.p.c == 0:
			b.k += r.most >> low
		case r.flip: // 2^w-1-d
			r.p.c >>= low
			b.k += r.p.c * r.p.hi
			r.p.c = -r.p.c
			b.place(r.p)
		default:
			r.p.c /= 1 << low
			b.place(r.p)
		}
	}
	x := b.expr()
	if s.err != nil {
		return
	}
	out.fields = append(out.fields, field{source: source{s.whole(x), 1, 0}, to: low, width: width(x.s.hi)})
}

// appendBits appends parts of a sum as single bits, if possible.
func (out *pattern) appendBits(runs []run) bool {
	var few [12]place
	places := few[:0]
	k := int64(0)
	for _, r := range runs {
		switch {
		case r.p.c == 0:
			k += r.most
			continue
		case r.flip:
			k += r.most
			r.p.c = -r.p.c
		}
		places = append(places, r.p)
	}
	return out.bitwise(places, k)
}

// bitwise appends the pattern of k + Σ c·d, if it is an exclusive or of single bits at distinct places.
func (out *pattern) bitwise(places []place, k int64) bool {
	var few [24]field
	single, used, before := few[:0], uint64(0), len(out.fields)
	for i := range places {
		p := &places[i]
		if k < 0 || !p.isSlice() {
			return false
		}
		e := log(p.n)
		for i := range width(p.hi) {
			if width(max(p.c, -p.c))+i > maxBits {
				return false
			}
			v := k + p.c<<i
			changed := uint64(k ^ v)
			if v < 0 || used&changed != 0 {
				return false
			}
			used |= changed
			for rest := changed; rest != 0; rest &= rest - 1 {
				to := bits.TrailingZeros64(rest)
				single = append(single, field{source{p.a, p.n >> e, e + i}, to, 1, k>>to&1 == 1})
			}
		}
	}
	sort.Slice(single, func(i, j int) bool { return single[i].to < single[j].to })
	for _, f := range single {
		if n := len(out.fields); n > before {
			g := &out.fields[n-1]
			if g.a == f.a && g.n == f.n && g.flip == f.flip && g.from+g.width == f.from && g.to+g.width == f.to {
				g.width++
				continue
			}
		}
		out.fields = append(out.fields, f)
	}
	out.ones |= uint64(k) &^ used
	return true
}

// shiftBits returns ⌊x/2^n⌋ by dropping bits, if x has bits and no field would require dividing a sum.
func (s *Space) shiftBits(x Expr, n int) (Expr, bool) {
	p, ok := s.pattern(x.s)
	if !ok {
		return Expr{}, false
	}
	b := adder{s: s, k: int64(p.ones >> n)}
	for _, f := range p.fields {
		if f.to+f.width <= n {
			continue
		}
		if f.a.op == opSum && f.a.x == x.s {
			return Expr{}, false
		}
		if drop := n - f.to; drop > 0 {
			f.from, f.to, f.width = f.from+drop, n, f.width-drop
		}
		f.to -= n
		b.field(f)
	}
	return b.expr(), s.err == nil
}

// field adds the bits of a field.
func (b *adder) field(f field) {
	c := int64(1) << f.to
	p := place{c: c, a: f.a, n: f.n << f.from}
	if f.from+f.width < maxBits+1 {
		p.r = 1 << f.width
	}
	if f.flip {
		b.k = b.s.plus(b.k, c*(1<<f.width-1))
		p.c = -c
	}
	b.place(p)
}

// Ones returns the bits that are 1 in every value of x, and the bits that are 0 in every value, among the lowest 62
// bits of a number that is not negative.
func (s *Space) Ones(x Expr) (ones, zeros uint64) {
	p, ok := s.pattern(x.s)
	if !ok {
		return 0, 0
	}
	may := p.ones
	for _, f := range p.fields {
		may |= f.mask()
	}
	return p.ones, ^may & (1<<maxBits - 1)
}
