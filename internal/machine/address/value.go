package address

import (
	"slices"
	"sort"

	"girih/internal/ints"
	"girih/ptx"
)

// This file emits 32-bit values. Sums and products are right modulo 2^32 whatever their range. A number that is shifted
// right or divided must be exact, and is computed in 64 bits if 32 do not hold it.

// value32 returns the lowest 32 bits of x.
func (c *Code) value32(x Expr) ptx.Operand {
	if k, ok := x.Int64(); ok {
		return ptx.Int(int32(k))
	}
	key := valueKey{x: x.s, bits: 32}
	if r, ok := c.find(key); ok {
		return r
	}
	if c.s.err != nil {
		return ptx.Int(0)
	}
	if r, ok := c.find(valueKey{x: x.s, bits: 64}); ok {
		return c.let(target{key, x.s.level}, "cvt.u32.u64", r)
	}
	if c.frameOf(x.s.level) == 0 {
		return c.stepOrCompute(x, key, c.direct32)
	}
	r := c.stepOrCompute(x, key, c.nearest32)
	if !c.dry {
		*c.neighbour(x, 32) = x
	}
	return r
}

// nearest32 computes x, or adds a difference that does not change in the loop to its last neighbour, if that is
// cheaper: for two tiles of one stage a register is stepped, and the other address is one addition.
func (c *Code) nearest32(x Expr) ptx.Operand {
	y := *c.neighbour(x, 32)
	if y.s == nil || len(x.s.terms) < 2 {
		return c.direct32(x)
	}
	if r, here := c.find(valueKey{x: y.s, bits: 32}); here {
		if d := c.s.Sub(x, y); d.s.level < x.s.level && c.s.err == nil {
			return c.cheapest(valueKey{x: x.s, bits: 30}, // 30 is the key of the choice between these
				func() ptx.Operand { return c.direct32(x) },
				func() ptx.Operand {
					return c.let(target{valueKey{x: x.s, bits: 32}, x.s.level}, "add.s32", r, c.value32(d))
				})
		}
	}
	return c.direct32(x)
}

// stepOrCompute computes x again, or steps a register if that is cheaper.
func (c *Code) stepOrCompute(x Expr, key valueKey, direct func(Expr) ptx.Operand) ptx.Operand {
	if f := c.frames[c.frameOf(x.s.level)]; f.counter != nil && x.s != f.counter.Symbol.expr.s {
		if m := c.motion(x, f); m.Kind != StepAnew && m.Kind != StepNone {
			best := c.plan(key, c.top(), key.bits).best
			if best == 0 {
				best = 1
				// A step costs its instructions; its initial value is computed before the loop.
				least := int64(key.bits/32) << (5 * min(f.loops, 4))
				if cost := c.try(func() ptx.Operand { return direct(x) }); cost > least &&
					c.try(func() ptx.Operand { return c.step(x, key, m) }) < cost {
					best = 2
				}
				c.plan(key, c.top(), key.bits).best = best
			}
			if best == 2 {
				return c.step(x, key, m)
			}
		}
	}
	return direct(x)
}

// motion returns how x changes in the loop of a frame.
func (c *Code) motion(x Expr, f *frame) Motion {
	p := c.plan(valueKey{x: x.s}, f, 0)
	if p.motion == nil {
		m := c.s.Motion(x, *f.counter)
		p.motion = &m
	}
	return *p.motion
}

// A wrap is a register whose value wraps around, such as the address of a stage.
type wrap struct {
	x    Expr
	bits int
	reg  ptx.Operand
}

// ahead returns a register of the loop whose value is the value of x in the next iteration, plus a difference: the
// address at the next stage becomes, in the next iteration, the address at the current stage. It returns the zero wrap
// if there is none.
func (c *Code) ahead(x Expr, bits int, f *frame, m Motion) wrap {
	if m.Kind != StepWrap {
		return wrap{}
	}
	outer := c.s.err
	next := c.s.Substitute(x, f.counter.Symbol, c.s.Add(f.counter.Symbol.expr, c.s.Const(f.counter.Step)))
	for _, w := range f.wraps {
		d := c.s.Sub(next, w.x)
		if c.s.err == outer && w.bits == bits && d.s.level < f.level {
			c.s.note(RuleAhead, d, 0, x, w.x)
			return wrap{d, bits, w.reg}
		}
	}
	c.s.err = outer // beyond the last iteration a value may overflow
	return wrap{}
}

// steps are the instructions that step registers.
type steps struct {
	typ                       ptx.Type
	mov, add, sub, xor, equal ptx.Op
}

var (
	steps32 = steps{ptx.B32, "mov.b32", "add.s32", "sub.s32", "xor.b32", "setp.eq.s32"}
	steps64 = steps{ptx.B64, "mov.b64", "add.s64", "sub.s64", "xor.b64", "setp.eq.s64"}
)

// step gives x a register that is stepped at the end of each iteration.
func (c *Code) step(x Expr, key valueKey, m Motion) ptx.Operand {
	at := c.frameOf(x.s.level)
	f, outer := c.frames[at], c.frames[:at]
	all := c.frames
	c.frames = outer // the first value is computed before the loop
	first, by, end := ptx.Operand(nil), ptx.Operand(nil), ptx.Operand(nil)
	value := func(x Expr) ptx.Operand { r, _ := c.Value(x, key.bits); return r }
	first = value(c.s.Substitute(x, f.counter.Symbol, f.counter.From))
	ahead := c.ahead(x, key.bits, f, m)
	switch {
	case ahead.reg != nil:
		by = value(ahead.x)
	case m.Kind == StepWrap:
		end = value(m.End)
		fallthrough
	default:
		by = value(m.By)
	}
	c.frames = all
	o := &steps32
	if key.bits == 64 {
		o = &steps64
	}
	dst := dryRegister
	if !c.dry {
		dst = c.b.Reg(o.typ)
		before := outer[len(outer)-1]
		before.stmts = append(before.stmts, &ptx.Instr{Op: o.mov, Operands: []ptx.Operand{dst, first}})
	}
	if m.Kind == StepWrap && !c.dry {
		f.wraps = append(f.wraps, wrap{x, key.bits, dst})
	}
	if ahead.reg != nil {
		c.pay(f, o.add)
		if !c.dry { // before the other register is stepped
			in := &ptx.Instr{Op: o.add, Operands: []ptx.Operand{dst, ahead.reg, by}}
			f.latch = slices.Insert(f.latch, 0, ptx.Stmt(in))
			f.count += weight(o.add)
		}
	} else {
		c.advance(f, o, m, [3]ptx.Operand{dst, by, end})
	}
	c.set(f, key, dst)
	return dst
}

// advance steps a register at the end of each iteration. r is the register, the step, and the value at which it wraps.
func (c *Code) advance(f *frame, o *steps, m Motion, r [3]ptx.Operand) {
	dst, by, end := r[0], r[1], r[2]
	emit := func(p ptx.Name, o ptx.Op, operands [3]ptx.Operand) {
		c.pay(f, o)
		if !c.dry {
			f.latch = append(f.latch, &ptx.Instr{Pred: p, Op: o, Operands: slices.Clone(operands[:])})
			f.count += weight(o)
		}
	}
	switch m.Kind {
	case StepAffine:
		emit("", o.add, [3]ptx.Operand{dst, dst, by})
	case StepToggle:
		emit("", o.xor, [3]ptx.Operand{dst, dst, by})
	case StepAlternate:
		emit("", o.sub, [3]ptx.Operand{dst, by, dst})
	case StepWrap:
		p := ptx.Name("%dry")
		if !c.dry {
			p = c.b.Reg(ptx.Pred)
		}
		emit("", o.add, [3]ptx.Operand{dst, dst, by})
		emit("", o.equal, [3]ptx.Operand{p, dst, end})
		emit(p, o.sub, [3]ptx.Operand{dst, dst, ptx.Int(m.By.s.k * m.Period)})
	}
}

// frameOf returns the index of the frame of the loop that counts at this level.
func (c *Code) frameOf(level int) int {
	for j := len(c.frames) - 1; j > 0; j-- {
		if f := c.frames[j]; f.counter != nil && f.level == level {
			return j
		}
	}
	return 0
}

// direct32 computes x.
func (c *Code) direct32(x Expr) ptx.Operand {
	key := valueKey{x: x.s, bits: 32}
	at := target{key, x.s.level}
	s := c.s
	if len(x.s.places) == 1 {
		return c.place32(at, x)
	}
	if y, mask, ok := s.splitFlips(x.s); ok {
		return c.let(at, "xor.b32", c.value32(y), ptx.Int(int32(mask)))
	}
	if outer, inner := s.Split(x, x.s.level-1); len(outer.s.terms) > 0 {
		return c.plus32(at, outer, inner)
	}
	if groups, ok := s.groups(x.s); ok {
		return c.cheapest(valueKey{x: x.s, bits: 31}, // 31 is the key of the choice between sums and bits
			func() ptx.Operand { return c.sum32(at, x) }, func() ptx.Operand { return c.bits32(at, x, groups) })
	}
	return c.sum32(at, x)
}

// place32 computes k + c·d for a digit d.
func (c *Code) place32(at target, x Expr) ptx.Operand {
	p := x.s.places[0]
	if k := x.s.rest; k != 0 {
		y := c.s.Plus(x, -k)
		if y, by := c.splitScale(y); by != 1 {
			return c.let(at, "mad.lo.s32", c.value32(y), ptx.Int(int32(by)), ptx.Int(int32(k)))
		}
		return c.let(at, "add.s32", c.value32(y), ptx.Int(int32(k)))
	}
	if p.r == 0 {
		return c.term32(at, term{p.c, p.a, p.n})
	}
	src, low := c.s.below(p)
	if powerOfTwo(p.r) && powerOfTwo(low) && powerOfTwo(p.c) && p.c <= low && src.s.fits32() {
		// The bits, in place or shifted to their place.
		from := src
		if p.c < low {
			from = c.s.Div(src, low/p.c)
		}
		return c.let(at, "and.b32", c.value32(from), ptx.Int(int32((p.r-1)*p.c)))
	}
	if y, by := c.splitScale(x); by != 1 {
		return c.times32(at, c.value32(y), by)
	}
	q := c.s.quotientOf(p.a, p.n)
	if powerOfTwo(p.r) {
		return c.let(at, "and.b32", c.value32(q), ptx.Int(int32(p.r-1)))
	}
	return c.let(at, "mad.lo.s32", c.value32(c.s.quotientOf(p.a, p.n*p.r)), ptx.Int(int32(-p.r)), c.value32(q))
}

// splitScale returns y and k with x = k·y, for an x with one digit.
func (c *Code) splitScale(x Expr) (y Expr, k int64) {
	p := x.s.places[0]
	if p.r == 0 {
		return c.unit(term{p.c, p.a, p.n})
	}
	d := c.s.digit(p)
	return d.y, d.c
}

// plus32 adds a part that changes more often to a part that changes less often.
func (c *Code) plus32(at target, outer, inner Expr) ptx.Operand {
	acc := c.value32(outer)
	if len(inner.s.places) == 1 && inner.s.rest == 0 {
		if y, by := c.splitScale(inner); by != 1 {
			return c.let(at, "mad.lo.s32", c.value32(y), ptx.Int(int32(by)), acc)
		}
	}
	return c.let(at, "add.s32", c.value32(inner), acc)
}

// unit returns y and k with c·⌊a/n⌋ = k·y, for a y that is already computed or takes few instructions.
func (c *Code) unit(t term) (y Expr, k int64) {
	if t.a.op == opSymbol && t.n == 1 && t.c%t.a.sym.facts.Div == 0 {
		return t.a.sym.expr, t.c / t.a.sym.facts.Div
	}
	if d := t.a.divisors(); t.a.op == opProduct && t.n == 1 && d > 1 && t.c%d == 0 {
		return c.s.single(term{d, t.a, 1}), t.c / d
	}
	return c.s.quotientOf(t.a, t.n), t.c
}

// divisors returns the known divisor of the symbols of a product: 8·⌊K/8⌋·t is K·t.
func (a *atom) divisors() int64 {
	d := int64(1)
	for _, f := range a.args {
		if f.a.op == opSymbol && f.n == 1 {
			d, _ = ints.Mul(d, f.a.sym.facts.Div)
		}
	}
	return max(d, 1)
}

// quotientOf returns ⌊a/n⌋.
func (s *Space) quotientOf(a *atom, n int64) Expr {
	b := adder{s: s}
	b.quotient(1, a, n)
	return b.expr()
}

// term32 computes c·⌊a/n⌋.
func (c *Code) term32(at target, t term) ptx.Operand {
	if y, by := c.unit(t); by != 1 {
		low := t.n
		if t.a.op == opSymbol {
			low *= t.a.sym.facts.Div
		}
		if src := c.s.quotientOf(t.a, 1); t.n > 1 && t.c == low && powerOfTwo(low) && src.s.fits32() && t.a.op != opSum {
			if t.a.op == opSymbol {
				src = t.a.sym.expr
			}
			return c.let(at, "and.b32", c.value32(src), ptx.Int(int32(-low)))
		}
		return c.times32(at, c.value32(y), by)
	}
	if t.n == 1 {
		switch t.a.op { // a sum is never divided by 1
		case opSymbol:
			if t.a.sym.facts.Div == 1 {
				return c.unknown(t.a.sym)
			}
			return c.quotient32(at, t.a.sym.expr, t.a.sym.facts.Div)
		case opProduct:
			return c.product32(at, t)
		}
		return c.xor32(at, t.a)
	}
	switch t.a.op {
	case opSymbol:
		if n, ok := ints.Mul(t.n, t.a.sym.facts.Div); ok {
			return c.quotient32(at, t.a.sym.expr, n)
		}
		return ptx.Int(0)
	case opSum:
		return c.quotient32(at, Expr{t.a.x}, t.n)
	}
	return c.quotient32(at, c.s.single(term{1, t.a, 1}), t.n)
}

// times32 computes k·r.
func (c *Code) times32(at target, r ptx.Operand, k int64) ptx.Operand {
	switch {
	case powerOfTwo(k):
		return c.let(at, "shl.b32", r, ptx.Int(log(k)))
	case k == 1:
		return r
	case k == -1:
		return c.let(at, "neg.s32", r)
	}
	return c.let(at, "mul.lo.s32", r, ptx.Int(int32(k)))
}

// product32 multiplies the factors, beginning with those that change least often.
func (c *Code) product32(at target, t term) ptx.Operand {
	outer, inner, _ := c.s.factors(t)
	return c.let(at, "mul.lo.s32", c.value32(outer), c.value32(inner))
}

// factors returns two expressions and a number whose product is the term; the first expression has all factors that
// change less often.
func (s *Space) factors(t term) (outer, inner Expr, by int64) {
	args := slices.Clone(t.a.args)
	sort.SliceStable(args, func(i, j int) bool { return args[i].a.level < args[j].a.level })
	n := 1
	for n < len(args)-1 && args[n].a.level < t.a.level {
		n++
	}
	whole := false
	by = t.c
	if d := t.a.divisors(); t.c%d == 0 {
		whole, by = true, t.c/d
	}
	product := func(args []source) Expr {
		x := s.Const(1)
		for _, f := range args {
			y := s.quotientOf(f.a, f.n)
			if whole && f.a.op == opSymbol && f.n == 1 {
				y = f.a.sym.expr
			}
			x = s.Mul(x, y)
		}
		return x
	}
	return product(args[:n]), product(args[n:]), by
}

// A piece is a part of a sum: c times y.
type piece struct {
	c int64
	y Expr
}

// pieces appends the digits or the quotients of each atom, whichever take fewer instructions.
func (c *Code) pieces(x Expr, pieces []piece) []piece {
	var own, other [8]piece
	ts, ps := x.s.terms, x.s.places
	for len(ps) > 0 {
		// Collect the digits and quotients of one atom. Digits of remainders have no quotients.
		a := ps[0].a
		np := 0
		for np < len(ps) && ps[np].a == a {
			np++
		}
		digits := own[:0]
		for _, p := range ps[:np] {
			digits = append(digits, c.s.digit(p))
		}
		ps = ps[np:]
		quotients := other[:0]
		if !hasRemainder(x.s) {
			nt := 0
			for nt < len(ts) && ts[nt].a == a {
				y, by := c.unit(ts[nt])
				quotients = append(quotients, piece{by, y})
				nt++
			}
			ts = ts[nt:]
			if c.choose(valueKey{x: x.s, a: a}, quotients, digits) {
				digits = quotients
			}
		}
		pieces = append(pieces, digits...)
	}
	return pieces
}

// sum32 adds up the pieces and the constant.
func (c *Code) sum32(at target, x Expr) ptx.Operand {
	var few [8]piece
	pieces := c.pieces(x, few[:0])
	k := x.s.rest
	// A piece without a factor comes first.
	if i := slices.IndexFunc(pieces, func(p piece) bool { return p.c == 1 }); i > 0 {
		pieces[0], pieces[i] = pieces[i], pieces[0]
	}
	partial := adder{s: c.s}
	var acc ptx.Operand
	for i, p := range pieces {
		partial.add(p.c, p.y)
		to := at
		if i < len(pieces)-1 || k != 0 && i > 0 {
			y := partial.expr()
			to = target{valueKey{x: y.s, bits: 32}, y.s.level}
		}
		switch {
		case i == 0 && k != 0 && p.c != 1 && len(pieces) == 1:
			return c.let(at, "mad.lo.s32", c.value32(p.y), ptx.Int(int32(p.c)), ptx.Int(int32(k)))
		case i == 0:
			acc = c.piece32(partial, p)
		case p.c == 1:
			acc = c.let(to, "add.s32", c.value32(p.y), acc)
		default:
			acc = c.let(to, "mad.lo.s32", c.value32(p.y), ptx.Int(int32(p.c)), acc)
		}
	}
	if k != 0 {
		acc = c.let(at, "add.s32", acc, ptx.Int(int32(k)))
	}
	return acc
}

// piece32 computes c·y.
func (c *Code) piece32(partial adder, p piece) ptx.Operand {
	if p.c == 1 {
		return c.value32(p.y)
	}
	y := partial.expr()
	key := valueKey{x: y.s, bits: 32}
	if r, ok := c.find(key); ok {
		return r
	}
	return c.times32(target{key, y.s.level}, c.value32(p.y), p.c)
}

// hasRemainder reports whether x has digits that are not digits of its terms.
func hasRemainder(x *sum) bool { return x.rest != x.k || slices.ContainsFunc(x.places, place.whole) }

// whole reports whether the digit begins with the units of a divided sum.
func (p place) whole() bool { return p.a.op == opSum && p.n == 1 }

// digit returns a digit as a piece, with its bits left in place if that is as cheap.
func (s *Space) digit(p place) piece {
	if p.a.op == opSymbol && p.n == 1 && (p.r == 0 || !p.isReduced()) && p.c%p.a.sym.facts.Div == 0 {
		return piece{p.c / p.a.sym.facts.Div, p.a.sym.expr}
	}
	c := p.c
	p.c = 1
	if src, low := s.below(p); p.r > 0 && powerOfTwo(low) && powerOfTwo(p.r) && c%low == 0 && src.s.fits32() {
		p.c, c = low, c/low
	}
	b := adder{s: s}
	b.place(p)
	return piece{c, b.expr()}
}

// choose reports whether the first pieces are cheaper to compute than the second pieces.
func (c *Code) choose(key valueKey, first, second []piece) bool {
	if slices.Equal(first, second) {
		return false
	}
	best := c.plan(key, c.top(), key.bits).best
	if best == 0 {
		best = 1
		if c.price(first) < c.price(second) {
			best = 2
		}
		c.plan(key, c.top(), key.bits).best = best
	}
	return best == 2
}

// below returns the number to which the digit belongs, and the smallest such number at which the digit is 1.
func (s *Space) below(p place) (src Expr, low int64) {
	if p.a.op == opSymbol {
		return p.a.sym.expr, p.n * p.a.sym.facts.Div
	}
	return s.quotientOf(p.a, 1), p.n
}

// price returns the cost of the pieces if each is computed separately.
func (c *Code) price(ps []piece) int64 {
	return c.try(func() ptx.Operand {
		for i, p := range ps {
			c.value32(p.y)
			if i > 0 || p.c != 1 {
				c.cost += 1 << (5 * min(c.target(p.y.s.level).loops, 4))
			}
		}
		return nil
	})
}
