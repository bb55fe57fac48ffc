package address

import (
	"girih/internal/ints"
	"girih/ptx"
)

// This file emits 64-bit values: pointers, and numbers that do not fit in 32 bits.

// value64 returns x in 64 bits.
func (c *Code) value64(x Expr) ptx.Operand {
	if k, ok := x.Int64(); ok {
		return ptx.Int(k)
	}
	key := valueKey{x: x.s, bits: 64}
	if r, ok := c.find(key); ok {
		return r
	}
	if c.s.err != nil {
		return ptx.Int(0)
	}
	r := c.stepOrCompute(x, key, c.nearest64)
	if !c.dry {
		*c.neighbour(x, 64) = x
	}
	return r
}

// neighbour returns the place of the last value that differs from x by a part that changes less often, or the zero Expr
// if there is none.
func (c *Code) neighbour(x Expr, bits int) *Expr {
	_, inner := c.s.Split(x, x.s.level-1)
	return &c.plan(valueKey{x: inner.s}, c.target(x.s.level), bits).near
}

// nearest64 computes x, or adds a difference to its last neighbour, if that is cheaper: rows of a matrix are one
// pointer plus multiples of the distance between rows.
func (c *Code) nearest64(x Expr) ptx.Operand {
	y := *c.neighbour(x, 64)
	if y.s == nil || x.s.fits32() {
		return c.direct64(x)
	}
	key := valueKey{x: x.s, bits: 64}
	if r, here := c.find(valueKey{x: y.s, bits: 64}); here {
		if d := c.s.Sub(x, y); len(d.s.places) == 1 && d.s.rest == 0 {
			return c.cheapest(valueKey{x: x.s, bits: 63}, // no value has 63 bits, so this key can stand only for this choice
				func() ptx.Operand { return c.plus64(target{key, x.s.level}, r, d) }, // needs fewer registers
				func() ptx.Operand { return c.direct64(x) })
		}
	}
	return c.direct64(x)
}

// A multiplier is the instructions that multiply 32-bit numbers to a 64-bit product.
type multiplier struct{ mul, mad ptx.Op }

var (
	unsigned = multiplier{"mul.wide.u32", "mad.wide.u32"}
	signed   = multiplier{"mul.wide.s32", "mad.wide.s32"}
)

// product returns the instructions that multiply the 32-bit numbers x and y to 64 bits; ok is false if there are none.
func product(x, y Expr) (o multiplier, ok bool) {
	if x.s.lo >= 0 && y.s.lo >= 0 {
		return unsigned, x.s.fits32() && y.s.fits32()
	}
	const most = 1<<31 - 1
	return signed, x.s.fits32() && y.s.fits32() && x.s.hi <= most && y.s.hi <= most
}

func (c *Code) direct64(x Expr) ptx.Operand {
	at := target{valueKey{x: x.s, bits: 64}, x.s.level}
	if x.s.fits32() {
		o := ptx.Op("cvt.u64.u32")
		if x.s.lo < 0 {
			o = "cvt.s64.s32"
		}
		return c.let(at, o, c.value32(x))
	}
	if len(x.s.places) == 1 && x.s.rest == 0 {
		return c.place64(at, x.s.places[0], nil)
	}
	if outer, inner := c.s.Split(x, x.s.level-1); len(outer.s.terms) > 0 {
		return c.plus64(at, c.value64(outer), inner)
	}
	// Wide parts come first, then the rest as one piece if that fits.
	wide, narrow := adder{s: c.s}, adder{s: c.s, k: x.s.rest}
	for _, p := range x.s.places {
		one := adder{s: c.s}
		one.place(p)
		if one.expr().s.fits32() {
			narrow.place(p)
		} else {
			wide.place(p)
		}
	}
	y, z := wide.expr(), narrow.expr()
	if len(z.s.terms) > 0 && len(y.s.terms) > 0 && z.s.fits32() {
		return c.plus64(at, c.value64(y), z)
	}
	if k := x.s.rest; k != 0 {
		return c.let(at, "add.s64", c.value64(c.s.Plus(x, -k)), ptx.Int(k))
	}
	// One digit at a time.
	first := adder{s: c.s}
	ps := x.s.places
	for _, p := range ps[:len(ps)-1] {
		first.place(p)
	}
	return c.place64(at, ps[len(ps)-1], c.value64(first.expr()))
}

// place64 computes acc + c·d; acc may be nil.
func (c *Code) place64(at target, p place, acc ptx.Operand) ptx.Operand {
	if p.r == 0 {
		return c.add64(at, term{p.c, p.a, p.n}, acc)
	}
	by := p.c
	p.c = 1
	digit := adder{s: c.s}
	digit.place(p)
	y := digit.expr()
	if by != 1 || acc != nil {
		return c.multiple64(at, piece{by, y}, acc)
	}
	q := c.s.quotientOf(p.a, p.n)
	if powerOfTwo(p.r) {
		return c.let(at, "and.b64", c.value64(q), ptx.Int(p.r-1))
	}
	return c.let(at, "mad.lo.s64", c.value64(c.s.quotientOf(p.a, p.n*p.r)), ptx.Int(-p.r), c.value64(q))
}

// multiple64 computes acc + c·y; acc may be nil.
func (c *Code) multiple64(at target, p piece, acc ptx.Operand) ptx.Operand {
	if o, ok := product(p.y, c.s.Const(p.c)); ok {
		r := c.value32(p.y)
		if acc == nil {
			return c.let(at, o.mul, r, ptx.Int(p.c))
		}
		return c.let(at, o.mad, r, ptx.Int(p.c), acc)
	}
	r := c.value64(p.y)
	switch {
	case acc == nil:
		return c.times64(at, r, p.c)
	case p.c == 1:
		return c.let(at, "add.s64", r, acc)
	}
	return c.let(at, "mad.lo.s64", r, ptx.Int(p.c), acc)
}

// plus64 adds x to acc, in one instruction if 32 bits hold x, or x is a multiple of a number that they hold.
func (c *Code) plus64(at target, acc ptx.Operand, x Expr) ptx.Operand {
	if x.s.fits32() {
		by := int64(0)
		if x.s.k == 0 {
			by = x.content()
		}
		if by == 0 || by >= 1<<31 {
			by = 1
		}
		y := c.s.exactly(x, by)
		if o, ok := product(y, c.s.Const(by)); ok {
			return c.let(at, o.mad, c.value32(y), ptx.Int(by), acc)
		}
	}
	if x.s.rest == 0 && len(x.s.places) == 1 {
		return c.place64(at, x.s.places[0], acc)
	}
	return c.let(at, "add.s64", acc, c.value64(x))
}

// content returns the greatest common divisor of the coefficients of x, which has a term.
func (x Expr) content() int64 {
	m, _ := Expr{x.s}.Congruence()
	return m
}

// exactly returns x/n for an n that divides all coefficients.
func (s *Space) exactly(x Expr, n int64) Expr {
	if n == 1 {
		return x
	}
	return s.Div(x, n)
}

// add64 computes acc + c·⌊a/n⌋; acc may be nil.
func (c *Code) add64(at target, t term, acc ptx.Operand) ptx.Operand {
	y, by := c.unit(t)
	if t.a.op == opProduct && t.n == 1 {
		return c.product64(at, t, acc)
	}
	if by == 1 && acc == nil && !y.s.fits32() {
		return c.unit64(at, t)
	}
	return c.multiple64(at, piece{by, y}, acc)
}

func (c *Code) times64(at target, r ptx.Operand, k int64) ptx.Operand {
	switch {
	case k == 1:
		return r
	case powerOfTwo(k):
		return c.let(at, "shl.b64", r, ptx.Int(log(k)))
	case k == -1:
		return c.let(at, "neg.s64", r)
	}
	return c.let(at, "mul.lo.s64", r, ptx.Int(k))
}

// unit64 computes ⌊a/n⌋.
func (c *Code) unit64(at target, t term) ptx.Operand {
	switch {
	case t.a.op == opSymbol:
		if n := t.n * t.a.sym.facts.Div; n > 1 {
			return c.quotient64(at, t.a.sym.expr, n)
		}
		if r, ok := c.find(valueKey{x: t.a.sym.expr.s, bits: 32}); ok {
			return c.let(at, "cvt.s64.s32", r)
		}
		return c.unknown(t.a.sym)
	case t.a.op == opSum:
		return c.quotient64(at, Expr{t.a.x}, t.n)
	case t.n > 1:
		return c.quotient64(at, c.s.single(term{1, t.a, 1}), t.n)
	}
	// An exclusive or of more than 32 bits.
	var acc ptx.Operand
	for i, f := range t.a.args {
		r := c.value64(c.s.quotientOf(f.a, f.n<<f.from))
		if i == 0 {
			acc = r
			continue
		}
		acc = c.let(at, "xor.b64", acc, r)
	}
	if t.a.isMasked() {
		acc = c.let(at, "and.b64", acc, ptx.Int(1<<t.a.width-1))
	}
	return acc
}

// product64 computes acc + c·(the factors of a). It multiplies the constant with a factor such that the product fits in
// 32 bits, preferably with the factor that changes less often.
func (c *Code) product64(at target, t term, acc ptx.Operand) ptx.Operand {
	outer, inner, n := c.s.factors(t)
	x, y := outer, inner
	for _, by := range [][2]int64{{n, 1}, {1, n}} {
		x, y = c.s.Scale(outer, by[0]), c.s.Scale(inner, by[1])
		if o, ok := product(x, y); ok {
			if acc == nil {
				return c.let(at, o.mul, c.value32(y), c.value32(x))
			}
			return c.let(at, o.mad, c.value32(y), c.value32(x), acc)
		}
	}
	x, y = c.s.Scale(outer, n), inner
	if acc == nil {
		return c.let(at, "mul.lo.s64", c.value64(y), c.value64(x))
	}
	return c.let(at, "mad.lo.s64", c.value64(y), c.value64(x), acc)
}

// quotient64 computes ⌊x/n⌋.
func (c *Code) quotient64(at target, x Expr, n int64) ptx.Operand {
	if x.s.lo < 0 && !powerOfTwo(n) { // ⌊x/n⌋ = ⌊(x+q·n)/n⌋ - q
		q := -ints.FloorDiv(x.s.lo, n)
		up := c.s.Add(x, c.s.Const(c.s.mul(q, n)))
		return c.let(at, "add.s64", c.quotient64(c.scratch(at, up, n), up, n), ptx.Int(-q))
	}
	r := c.value64(x)
	switch {
	case !powerOfTwo(n):
		return c.let(at, "div.u64", r, ptx.Int(n))
	case x.s.lo < 0:
		return c.let(at, "shr.s64", r, ptx.Int(log(n)))
	}
	return c.let(at, "shr.u64", r, ptx.Int(log(n)))
}
