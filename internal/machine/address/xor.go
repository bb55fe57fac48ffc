package address

import (
	"cmp"
	"math/bits"
	"slices"
	"sort"

	"girih/cute"
	"girih/swizzle"
)

// This file implements the exclusive or. The bits of both operands are fields (see pattern). The exclusive or records
// the sources that contribute to each bit. Neighbouring bits with the same sources at the same distances are joined, by
// the number of sources:
//
//	none        the bit is constant.
//	one         2^p·d, or its complement 2^p·(2^w-1-d) if the bits are flipped: a sum as before.
//	more        bits of the atom X = (⌊a_1/2^{f_1}⌋ xor ⌊a_2/2^{f_2}⌋ xor ...) mod 2^w, with the smallest f possible, 0
//	            for one of them, and the largest w for which every a_i has bits. Flipped bits are 2^w-1-X.
//
// The result is a sum of parts without common bits, so it is the exclusive or (disjoint, in bits.go). The form depends
// only on the contributions, which are a matrix over F2: equal functions of independent bits have equal forms.
//
// So the rule of swizzles needs no special case: Sw(b + o) = Sw(b) xor Sw(o) if b and o have no bits in common, because
// then b + o is b xor o and Sw is linear over F2. Bits of o that no mask reads, and to which nothing is added, are a
// term of the result, as they were a term of b + o.

// A contribution is bits of a source, shifted by a distance, at the bits of a mask.
type contribution struct {
	a     *atom
	n     int64
	shift int // from the bit of ⌊a/n⌋ to the bit of the value
	mask  uint64
}

// A mixture is a sum without carries.
type mixture struct {
	s     *Space
	parts []contribution
	ones  uint64
}

// mixture returns an empty mixture, which reuses the memory of the last released one.
func (s *Space) mixture() mixture {
	m := mixture{s: s, parts: s.arena.mixed[:0]}
	s.arena.mixed = nil
	return m
}

// release returns the memory of a mixture.
func (m *mixture) release() { m.s.arena.mixed = m.parts }

// add adds contributions of a source; for an exclusive or it adds the contributions of its sources.
func (m *mixture) add(f field) {
	if f.flip {
		m.ones ^= f.mask()
	}
	if f.a.op == opXor && f.n == 1 {
		for _, x := range f.a.args {
			m.add(field{source: source{x.a, x.n, x.from + f.from}, to: f.to, width: f.width})
		}
		return
	}
	shift := f.to - f.from
	for i := range m.parts {
		if c := &m.parts[i]; c.a == f.a && c.n == f.n && c.shift == shift {
			c.mask ^= f.mask()
			return
		}
	}
	m.parts = append(m.parts, contribution{f.a, f.n, shift, f.mask()})
}

// addAll adds the bits of x, and reports whether x has bits.
func (m *mixture) addAll(x Expr) bool {
	p, ok := m.s.pattern(x.s)
	if !ok {
		return false
	}
	m.ones ^= p.ones
	for _, f := range p.fields {
		m.add(f)
	}
	return true
}

// expr returns the mixture as a sum.
func (m *mixture) expr() Expr {
	m.parts = slices.DeleteFunc(m.parts, func(c contribution) bool { return c.mask == 0 })
	sort.Slice(m.parts, func(i, j int) bool {
		x, y := &m.parts[i], &m.parts[j]
		return cmp.Or(cmp.Compare(x.a.id, y.a.id), cmp.Compare(x.n, y.n), cmp.Compare(x.shift, y.shift)) < 0
	})
	all := m.ones
	for _, c := range m.parts {
		all |= c.mask
	}
	b := adder{s: m.s}
	for all != 0 {
		low := bits.TrailingZeros64(all)
		// Find the longest run from low on whose bits have the same contributions and flips.
		same := uint64(1)<<maxBits - 1
		for _, c := range m.parts {
			same &= alike(c.mask, low)
		}
		same &= alike(m.ones, low)
		w := bits.TrailingZeros64(^(same >> low))
		mask := (uint64(1)<<w - 1) << low
		m.appendRun(&b, low, w)
		all &^= mask
	}
	return b.expr()
}

// alike returns the mask if it has the given bit, and otherwise its complement.
func alike(mask uint64, bit int) uint64 {
	if mask>>bit&1 == 1 {
		return mask
	}
	return ^mask
}

// appendRun adds w bits from low on, to which the same sources contribute.
func (m *mixture) appendRun(b *adder, low, w int) {
	flip := m.ones>>low&1 == 1
	var few [8]source
	from := few[:0]
	least := maxBits
	for _, c := range m.parts {
		if c.mask>>low&1 == 1 {
			from = append(from, source{c.a, c.n, low - c.shift})
			least = min(least, low-c.shift)
		}
	}
	f := field{to: low, width: w, flip: flip}
	switch len(from) {
	case 0:
		if flip {
			b.k += int64((1<<w - 1) << low)
		}
		return
	case 1:
		f.source = from[0]
	default:
		most := maxBits
		for i := range from {
			from[i].from -= least
			most = min(most, from[i].width())
		}
		a := atom{op: opXor, width: most, hi: 1<<most - 1}
		f.source = source{m.s.register(a, from...), 1, least}
	}
	b.field(f)
}

// width returns the number of bits from the first one on. If there are negative values, it counts two's complement.
func (f source) width() int {
	lo, hi := f.a.span(f.n)
	if lo < 0 {
		return maxBits
	}
	return width(hi) - f.from
}

// Xor returns the exclusive or of two numbers that are not negative.
func (s *Space) Xor(x, y Expr) Expr {
	if x.s == s.zero || y.s == s.zero {
		return s.Add(x, y)
	}
	if x.s.id > y.s.id {
		x, y = y, x
	}
	key := [2]*sum{x.s, y.s}
	if z, ok := s.xors[key]; ok {
		return z
	}
	m := s.mixture()
	defer m.release()
	for _, o := range []Expr{x, y} {
		if !m.addAll(o) {
			lo, hi := o.Range()
			return s.fail(cute.CodeNegative,
				"an exclusive or is of numbers from 0 to 2^%d-1, and %v is from %d to %d", maxBits, o, lo, hi)
		}
	}
	z := m.expr()
	if s.err == nil {
		s.xors[key] = z
		s.note(RuleXor, z, 0, x, y)
	}
	return z
}

// Both returns the bits that two numbers have in common, half of what their sum has more than their exclusive or. The
// numbers are not negative.
func (s *Space) Both(x, y Expr) Expr {
	if mask, ok := x.Int64(); ok {
		return s.And(y, mask)
	}
	if mask, ok := y.Int64(); ok {
		return s.And(x, mask)
	}
	z := s.Div(s.Sub(s.Add(x, y), s.Xor(x, y)), 2)
	_, mostX := x.Range()
	_, mostY := y.Range()
	if s.err == nil {
		z.s.setBounds(0, min(mostX, mostY))
	}
	return z
}

// Either returns the bits that one of two numbers has, which are not negative.
func (s *Space) Either(x, y Expr) Expr {
	z := s.Sub(s.Add(x, y), s.Both(x, y))
	_, mostX := x.Range()
	_, mostY := y.Range()
	if s.err == nil {
		z.s.setBounds(0, 1<<width(max(mostX, mostY))-1)
	}
	return z
}

// Swizzle returns the offset x, which is not negative, swizzled by w: [cute.Swizzle.At].
func (s *Space) Swizzle(x Expr, w cute.Swizzle) Expr {
	return s.Map(x, swizzle.MapOf(w))
}

// Map returns the offset x after a map of its bits: [swizzle.Map.At].
func (s *Space) Map(x Expr, by swizzle.Map) Expr {
	if lo, hi := x.Range(); lo < 0 && s.err == nil {
		return s.fail(cute.CodeNegative, "a swizzle is applied to offsets of at least 0, and %v is from %d to %d", x, lo, hi)
	}
	y := x
	for _, t := range by.Terms() {
		moved := s.And(x, t.Mask)
		switch {
		case t.Shift > 0:
			moved = s.Div(moved, 1<<t.Shift)
		case t.Shift < 0:
			moved = s.Scale(moved, 1<<-t.Shift)
		}
		y = s.Xor(y, moved)
	}
	s.note(RuleSwizzle, y, 0, x)
	return y
}
