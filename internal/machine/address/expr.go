package address

import (
	"cmp"
	"slices"
	"sort"

	"girih/cute"
	"girih/internal/ints"
)

// An Expr is an integer that depends on symbols, in canonical form: expressions of one [Space] that have the same form
// are equal as Go values. The zero Expr has no meaning.
type Expr struct{ s *sum }

// A sum is k + Σ c·⌊a/n⌋. A sum is immutable, and only one exists for each k and terms.
type sum struct {
	*form
	id     int32
	hash   uint32
	known  uint8 // what was computed, as flags
	k      int64
	base   *sum  // the same sum without the constant
	rest   int64 // the constant that is added to the digits
	lo, hi int64
	bits   *pattern // if the flags of known say so
	divs   *division
	next   *sum // the next sum in the table
	code   registers
}

// A form is the part shared by sums that differ only in their constants.
type form struct {
	terms  []term  // sorted by the numbers of their atoms, then by n; no c is 0
	places []place // the digits
	level  int     // the level of the symbol that changes most often
	depth  int     // the nesting of divided sums in it
	halves [2]*sum // the result of [Space.Split] at the level below, without a constant
}

// The flags of a sum's known field.
const (
	fits    uint8 = 1 << iota // the range of the sum fits in 64 bits
	asked                     // whether it has bits was determined
	hasBits                   // the sum has bits
)

// setBounds states that the values are between lo and hi. The range of a sum is computed from its terms and may be too
// wide: a quotient that is written as a sum of others has the range that its dividend implies.
func (x *sum) setBounds(lo, hi int64) {
	if x.known&fits == 0 || lo <= x.lo && hi >= x.hi {
		return
	}
	x.lo, x.hi = max(x.lo, lo), min(x.hi, hi)
	if x.known&hasBits == 0 {
		x.known &^= asked // a number that is not negative may have bits
	}
}

// A division is a division of a sum that occurred before.
type division struct {
	n    int64
	y    *sum
	next *division
}

// A term is c·⌊a/n⌋. The quotient is not constant.
type term struct {
	c int64
	a *atom
	n int64
}

type op uint8

const (
	opSymbol  op = iota // the symbol divided by its fact Div
	opProduct           // Π ⌊a/n⌋ of the factors
	opSum               // x, which is divided
	opXor               // the exclusive or of the sources, each shifted right by its first bit, width bits of it
)

// An atom is a part from which sums are made.
type atom struct {
	id     int32
	op     op
	level  int
	depth  int
	sym    *Symbol  // opSymbol
	args   []source // opProduct and opXor: sorted
	x      *sum     // opSum
	width  int      // opXor
	lo, hi int64
	next   *atom
	stamp  int32 // the number of the substitution in which the atom was replaced
	became *sum
	code   registers
}

// A source is ⌊a/n⌋: a factor of a product or, in an exclusive or, the number whose bits from the given one on are
// used; then n is odd.
type source struct {
	a    *atom
	n    int64
	from int
}

func compareSources(x, y source) int {
	return cmp.Or(cmp.Compare(x.a.id, y.a.id), cmp.Compare(x.n, y.n), cmp.Compare(x.from, y.from))
}

func compareTerms(x, y term) int { return cmp.Or(cmp.Compare(x.a.id, y.a.id), cmp.Compare(x.n, y.n)) }

// span returns the smallest and the largest value of ⌊a/n⌋.
func (a *atom) span(n int64) (lo, hi int64) { return ints.FloorDiv(a.lo, n), ints.FloorDiv(a.hi, n) }

// hash mixes x into h.
func hash(h uint64, x int64) uint64 {
	h = (h ^ uint64(x)) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// single returns c·⌊a/n⌋ for a term in normal form.
func (s *Space) single(t term) Expr { return Expr{s.sum(0, []term{t})} }

// sum returns the unique sum of this form. The terms must be sorted; it keeps a copy.
func (s *Space) sum(k int64, ts []term) *sum {
	h := uint64(1)
	for i := range ts {
		t := &ts[i]
		h = hash(hash(hash(h, t.c), int64(t.a.id)), t.n)
	}
	for x := s.sums.first(h); x != nil; x = x.next {
		if x.hash == uint32(h) && x.base == x && slices.Equal(x.terms, ts) {
			return s.plusConstant(x, k)
		}
	}
	if s.count++; s.count > MaxNodes || len(ts) > MaxTerms {
		s.fail(cute.CodeLimit, "expressions have more than %d parts, or one has more than %d terms", MaxNodes, MaxTerms)
		return s.zero
	}
	x := s.arena.sums.one()
	x.form = s.arena.forms.one()
	x.id, x.terms, x.hash = s.count, s.arena.terms.keep(ts), uint32(h)
	x.base = x
	for _, t := range x.terms {
		x.level, x.depth = max(x.level, t.a.level), max(x.depth, t.a.depth)
	}
	s.setView(x)
	s.sums.add(x)
	return s.plusConstant(x, k)
}

// plusConstant returns base + k for a sum without a constant.
func (s *Space) plusConstant(base *sum, k int64) *sum {
	x := base
	if k != 0 {
		x = s.shiftBy(base, k)
	}
	if x.known&fits == 0 {
		s.overflowOf(x)
	}
	return x
}

// shiftBy returns base + k for a sum without a constant and k ≠ 0.
func (s *Space) shiftBy(base *sum, k int64) *sum {
	h := hash(hash(movedHash, int64(base.id)), k)
	for x := s.sums.first(h); x != nil; x = x.next {
		if x.base == base && x.k == k {
			return x
		}
	}
	if s.count++; s.count > MaxNodes {
		s.fail(cute.CodeLimit, "expressions have more than %d parts", MaxNodes)
		return s.zero
	}
	x := s.arena.sums.one()
	x.id, x.k, x.base, x.form, x.hash = s.count, k, base, base.form, uint32(h)
	rest, ok1 := ints.Add(base.rest, k)
	lo, ok2 := ints.Add(base.lo, k)
	hi, ok3 := ints.Add(base.hi, k)
	if base.known&fits != 0 && ok1 && ok2 && ok3 {
		x.rest, x.lo, x.hi = rest, lo, hi
		x.known |= fits
	} else {
		own := *base.form
		x.form = &own
		s.setView(x)
	}
	s.sums.add(x)
	return x
}

// register returns the unique atom of this form.
func (s *Space) register(a atom, args ...source) *atom {
	h := hash(int64Hash, int64(a.op))
	if a.sym == nil {
		h = hash(h, int64(a.width))
		if a.x != nil {
			h = hash(h, int64(a.x.id))
		}
		for _, f := range args {
			h = hash(hash(hash(h, int64(f.a.id)), f.n), int64(f.from))
		}
		for b := s.atoms[h]; b != nil; b = b.next {
			if b.op == a.op && b.x == a.x && b.width == a.width && slices.Equal(b.args, args) {
				return b
			}
		}
	}
	if s.count++; s.count > MaxNodes {
		s.fail(cute.CodeLimit, "expressions have more than %d parts", MaxNodes)
	}
	b := new(atom)
	*b = a
	b.id, b.args = s.count, slices.Clone(args)
	for _, f := range args {
		b.level, b.depth = max(b.level, f.a.level), max(b.depth, f.a.depth)
	}
	if a.sym == nil {
		b.next = s.atoms[h]
		s.atoms[h] = b
	}
	return b
}

const (
	int64Hash = 2
	movedHash = 3
)

// An adder adds up terms, in order.
type adder struct {
	s    *Space
	k    int64
	n    int      // the number of terms in few
	few  [16]term // most sums fit, and need no other memory
	more []term   // all terms, if there are more
}

// all returns the terms.
func (b *adder) all() []term {
	if b.more != nil {
		return b.more
	}
	return b.few[:b.n]
}

func (b *adder) append(t term) {
	ts := b.all()
	i := len(ts)
	for i > 0 && (ts[i-1].a.id > t.a.id || ts[i-1].a == t.a && ts[i-1].n > t.n) {
		i--
	}
	switch {
	case i > 0 && ts[i-1].a == t.a && ts[i-1].n == t.n:
		if ts[i-1].c = b.s.plus(ts[i-1].c, t.c); ts[i-1].c != 0 {
			return
		}
		copy(ts[i-1:], ts[i:])
		if b.more != nil {
			b.more = b.more[:len(ts)-1]
		} else {
			b.n--
		}
		return
	case b.more != nil:
		b.more = slices.Insert(b.more, i, t)
		return
	case b.n == len(b.few):
		b.more = slices.Insert(append(make([]term, 0, 2*b.n), b.few[:]...), i, t)
		return
	}
	copy(b.few[i+1:b.n+1], b.few[i:b.n])
	b.few[i] = t
	b.n++
}

// add adds c·x.
func (b *adder) add(c int64, x Expr) {
	if c == 0 {
		return
	}
	b.k = b.s.plus(b.k, b.s.mul(c, x.s.k))
	for _, t := range x.s.terms {
		b.append(term{b.s.mul(c, t.c), t.a, t.n})
	}
}

// quotient adds c·⌊a/n⌋.
func (b *adder) quotient(c int64, a *atom, n int64) {
	if lo, hi := a.span(n); lo == hi {
		b.k = b.s.plus(b.k, b.s.mul(c, lo))
		return
	}
	if a.op == opSum && n == 1 {
		b.add(c, Expr{a.x})
		return
	}
	b.append(term{c, a, n})
}

// place adds c times the digit ⌊a/n⌋ mod r, or c·⌊a/n⌋ if r is 0.
func (b *adder) place(p place) {
	b.quotient(p.c, p.a, p.n)
	if p.r == 0 {
		return
	}
	if n, ok := ints.Mul(p.n, p.r); ok { // otherwise no value of a is that large
		b.quotient(-b.s.mul(p.c, p.r), p.a, n)
	}
}

// expr returns the sum so far.
func (b *adder) expr() Expr {
	if b.s.err != nil {
		return Expr{b.s.zero}
	}
	return Expr{b.s.sum(b.k, b.all())}
}

// Add returns the sum of the expressions.
func (s *Space) Add(xs ...Expr) Expr {
	switch len(xs) {
	case 0:
		return Expr{s.zero}
	case 1:
		return xs[0]
	}
	if len(xs) == 2 && s.err == nil {
		x, y := xs[0].s, xs[1].s
		if len(x.terms) == 0 {
			x, y = y, x
		}
		if len(y.terms) == 0 {
			return Expr{s.plusConstant(x.base, s.plus(x.k, y.k))}.orZero(s)
		}
	}
	b := adder{s: s}
	for _, x := range xs {
		b.add(1, x)
	}
	return b.expr()
}

// orZero returns x, or 0 after an error.
func (x Expr) orZero(s *Space) Expr {
	if s.err != nil {
		return Expr{s.zero}
	}
	return x
}

// Plus returns x + n.
func (s *Space) Plus(x Expr, n int64) Expr {
	if s.err != nil {
		return Expr{s.zero}
	}
	return Expr{s.plusConstant(x.s.base, s.plus(x.s.k, n))}.orZero(s)
}

// Sub returns x - y.
func (s *Space) Sub(x, y Expr) Expr {
	if s.err == nil && (x.s.base == y.s.base || len(y.s.terms) == 0) {
		k := s.plus(x.s.k, s.mul(-1, y.s.k))
		if x.s.base == y.s.base {
			return s.Const(k).orZero(s)
		}
		return Expr{s.plusConstant(x.s.base, k)}.orZero(s)
	}
	b := adder{s: s}
	b.add(1, x)
	b.add(-1, y)
	return b.expr()
}

// Scale returns c·x.
func (s *Space) Scale(x Expr, c int64) Expr {
	if c == 1 {
		return x
	}
	b := adder{s: s}
	b.add(c, x)
	return b.expr()
}

// Mul returns x·y.
func (s *Space) Mul(x, y Expr) Expr {
	if len(x.s.terms) == 0 {
		x, y = y, x
	}
	if len(y.s.terms) == 0 {
		return s.Scale(x, y.s.k)
	}
	if len(x.s.terms)*len(y.s.terms) > MaxTerms {
		return s.fail(cute.CodeLimit, "a product has more than %d terms", MaxTerms)
	}
	b := adder{s: s}
	b.add(x.s.k, y)
	for _, t := range x.s.terms {
		b.add(s.mul(t.c, y.s.k), s.single(term{1, t.a, t.n}))
		for _, u := range y.s.terms {
			b.quotient(s.mul(t.c, u.c), s.product(t, u), 1)
		}
	}
	return b.expr()
}

// product returns the quotients of t and u, multiplied, as an atom. Factors that are products are split, so that there
// is one form for each monomial.
func (s *Space) product(t, u term) *atom {
	a := atom{op: opProduct}
	a.lo, a.hi = t.a.span(t.n)
	lo, hi := u.a.span(u.n)
	a.lo, a.hi = s.spanProduct([4]int64{a.lo, a.hi, lo, hi})
	var args []source
	for _, t := range []term{t, u} {
		if t.a.op == opProduct && t.n == 1 {
			args = append(args, t.a.args...)
		} else {
			args = append(args, source{a: t.a, n: t.n})
		}
	}
	sort.Slice(args, func(i, j int) bool { return compareSources(args[i], args[j]) < 0 })
	return s.register(a, args...)
}

// spanProduct returns the range of the products of numbers of two ranges.
func (s *Space) spanProduct(r [4]int64) (lo, hi int64) {
	ps := []int64{s.mul(r[0], r[2]), s.mul(r[0], r[3]), s.mul(r[1], r[2]), s.mul(r[1], r[3])}
	return slices.Min(ps), slices.Max(ps)
}

// Int64 returns the value of x if it is the same for all values of its symbols.
func (x Expr) Int64() (int64, bool) { return x.s.k, len(x.s.terms) == 0 }

// Constant returns x without its constant, and the constant: x is rest + k. Two sums with the same rest differ by the
// difference of their constants.
func (s *Space) Constant(x Expr) (rest Expr, k int64) {
	return Expr{s.plusConstant(x.s.base, 0)}, x.s.k
}

// Range returns bounds of x: no value is less than lo or greater than hi.
func (x Expr) Range() (lo, hi int64) { return x.s.lo, x.s.hi }

// Level returns the level of the symbol in x that changes most often, 0 if there is none.
func (x Expr) Level() int { return x.s.level }

// Congruence returns m and r such that every value of x is r modulo m, with 0 ≤ r < m. If x is constant, it is r, and m
// is 0.
func (x Expr) Congruence() (m, r int64) {
	for _, p := range x.s.places {
		m = ints.GCD(m, p.c)
	}
	if m == 0 {
		return 0, x.s.k
	}
	return m, ints.FloorMod(x.s.rest, m)
}

// Divisible reports whether n divides every value of x.
func (x Expr) Divisible(n int64) bool {
	m, r := x.Congruence()
	return n > 0 && m%n == 0 && r%n == 0
}
