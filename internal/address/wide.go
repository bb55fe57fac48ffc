package address

import "girih/ptx"

// This file writes values of 64 bits: those of pointers, and of what does not fit in 32.

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
	return c.stepped(x, key, c.direct64)
}

// extend is the suffix of the instructions that widen x.
func extend(x Expr) ptx.Op {
	if x.s.lo < 0 {
		return "s32"
	}
	return "u32"
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
	if x.s.k == 0 && len(x.s.terms) == 1 {
		return c.add64(at, x.s.terms[0], nil)
	}
	if outer, inner := c.s.Split(x, x.s.level-1); len(outer.s.terms) > 0 {
		return c.plus64(at, c.value64(outer), inner)
	}
	// What is wide comes first, then the rest in one piece if that fits.
	wide, narrow := adder{s: c.s}, adder{s: c.s, k: x.s.k}
	for _, t := range x.s.terms {
		if c.narrow(t) {
			narrow.append(t)
		} else {
			wide.append(t)
		}
	}
	y, z := wide.expr(), narrow.expr()
	if len(z.s.terms) > 0 && len(y.s.terms) > 0 && z.s.fits32() {
		return c.plus64(at, c.value64(y), z)
	}
	// Otherwise one term at a time.
	ts := x.s.terms
	first := c.s.sum(0, ts[:len(ts)-1])
	acc := c.value64(Expr{first})
	last := at
	if x.s.k != 0 {
		last = target{valueKey{x: c.s.sum(0, ts), bits: 64}, x.s.level}
	}
	acc = c.add64(last, ts[len(ts)-1], acc)
	if x.s.k != 0 {
		acc = c.let(at, "add.s64", acc, ptx.Int(x.s.k))
	}
	return acc
}

// narrow reports whether the term fits in 32 bits and can be computed there.
func (c *Code) narrow(t term) bool { return c.s.terms(0, t).s.fits32() }

// plus64 adds x to acc: in one instruction if x, or what it is a multiple of, has 32 bits.
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
		return c.let(at, "mad.wide."+extend(y), c.value32(y), ptx.Int(by), acc)
	}
	if x.s.k == 0 && len(x.s.terms) == 1 {
		return c.add64(at, x.s.terms[0], acc)
	}
	return c.let(at, "add.s64", acc, c.value64(x))
}

// content returns the greatest number that divides all coefficients of x, which has a term.
func (x Expr) content() int64 {
	m, _ := Expr{x.s}.Congruence()
	return m
}

// exactly returns x/n, where n divides all digits.
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
	if y.s.fits32() && by > -1<<31 && by < 1<<31 {
		r := c.value32(y)
		if acc == nil {
			return c.let(at, "mul.wide."+extend(y), r, ptx.Int(by))
		}
		return c.let(at, "mad.wide."+extend(y), r, ptx.Int(by), acc)
	}
	if by == 1 && acc == nil {
		return c.unit64(at, t)
	}
	r := c.value64(y)
	if by != 1 {
		to := at
		if acc != nil {
			to = target{valueKey{x: c.s.terms(0, t).s, bits: 64}, t.a.level}
		}
		r = c.times64(to, r, by)
	}
	if acc == nil {
		return r
	}
	return c.let(at, "add.s64", r, acc)
}

func (c *Code) times64(at target, r ptx.Operand, k int64) ptx.Operand {
	switch {
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
		return c.quotient64(at, c.s.terms(0, term{1, t.a, 1}), t.n)
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
	if t.a.masked() {
		acc = c.let(at, "and.b64", acc, ptx.Int(1<<t.a.width-1))
	}
	return acc
}

// product64 computes acc + c·(the factors of a): the constant goes to the side where it fits in 32 bits, the one that
// changes less often if it can be had.
func (c *Code) product64(at target, t term, acc ptx.Operand) ptx.Operand {
	outer, inner := c.s.factors(t.a)
	x, y := outer, inner
	for _, by := range [][2]int64{{t.c, 1}, {1, t.c}} {
		x, y = c.s.Scale(outer, by[0]), c.s.Scale(inner, by[1])
		if x.s.fits32() && y.s.fits32() && extend(x) == extend(y) {
			if acc == nil {
				return c.let(at, "mul.wide."+extend(x), c.value32(y), c.value32(x))
			}
			return c.let(at, "mad.wide."+extend(x), c.value32(y), c.value32(x), acc)
		}
	}
	x, y = c.s.Scale(outer, t.c), inner
	if acc == nil {
		return c.let(at, "mul.lo.s64", c.value64(y), c.value64(x))
	}
	return c.let(at, "mad.lo.s64", c.value64(y), c.value64(x), acc)
}

// quotient64 computes ⌊x/n⌋.
func (c *Code) quotient64(at target, x Expr, n int64) ptx.Operand {
	if x.s.lo < 0 && !powerOfTwo(n) { // ⌊x/n⌋ = ⌊(x+q·n)/n⌋ - q
		q := -floorDiv(x.s.lo, n)
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
