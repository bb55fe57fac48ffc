package address

import (
	"slices"
	"sort"

	"girih/ptx"
)

// This file emits values as bits: lop3 joins sources that are shifted and masked.

// The truth tables of lop3 (PTX ISA 9.7.8, lop3): the value of the function for a = 0xf0, b = 0xcc, c = 0xaa.
const (
	lutAndOr  = ptx.Int(0xf0&0xcc | 0xaa)
	lutXor3   = ptx.Int(0xf0 ^ 0xcc ^ 0xaa)
	lutXorAnd = ptx.Int((0xf0 ^ 0xcc) & 0xaa)
)

// A group is the bits of one source that are shifted by the same distance.
type group struct {
	y     Expr // the source, shifted
	mask  uint64
	exact bool // y has no other bits
}

// attempt reports whether f succeeds within 64 bits. An overflow is no error: another way to emit the value is used.
func (s *Space) attempt(f func() bool) bool {
	outer := s.err
	ok := f() && s.err == outer
	s.err = outer
	return ok
}

// splitFlips returns y, x without flipped bits and constant ones, and the mask with x = y xor mask; ok is false if
// there are no such bits.
func (s *Space) splitFlips(x *sum) (y Expr, mask uint64, ok bool) {
	ok = s.attempt(func() (ok bool) { y, mask, ok = s.withoutFlips(x); return ok })
	return y, mask, ok
}

func (s *Space) withoutFlips(x *sum) (y Expr, mask uint64, ok bool) {
	p, ok := s.pattern(x)
	if !ok || !slices.ContainsFunc(p.fields, func(f field) bool { return f.flip }) {
		return Expr{}, 0, false
	}
	b := adder{s: s}
	mask = p.ones
	for _, f := range p.fields {
		if f.a.op == opSum && f.a.x == x {
			return Expr{}, 0, false
		}
		if f.flip {
			mask |= f.mask()
			f.flip = false
		}
		b.field(f)
	}
	y = b.expr()
	again, ok := s.pattern(y.s)
	ok = ok && !slices.ContainsFunc(again.fields, func(f field) bool { return f.flip })
	return y, mask, ok && y.s != x
}

// groups returns x as an exclusive or of shifted sources, if it has no constant ones and no flipped bits.
func (s *Space) groups(x *sum) (gs []group, ok bool) {
	ok = s.attempt(func() (ok bool) { gs, ok = s.movedSources(x); return ok })
	return gs, ok
}

func (s *Space) movedSources(x *sum) ([]group, bool) {
	p, ok := s.pattern(x)
	if !ok || p.ones != 0 || width(x.hi) > 32 {
		return nil, false
	}
	m := s.mixture()
	defer m.release()
	for _, f := range p.fields {
		if f.flip || f.a.op == opSum && f.a.x == x {
			return nil, false
		}
		m.join(f)
	}
	out := make([]group, len(m.parts))
	for i, c := range m.parts {
		g := &out[i]
		g.mask = c.mask
		y := s.quotientOf(c.a, c.n)
		if c.shift >= 0 {
			g.y = s.Scale(y, 1<<c.shift)
		} else {
			g.y = s.quotientOf(c.a, c.n<<-c.shift)
		}
		has, ok := s.pattern(g.y.s)
		all := uint64(0)
		for _, f := range has.fields {
			all |= f.mask()
		}
		g.exact = ok && all&^g.mask == 0
		if g.y.s == x || !g.y.s.fits32() {
			return nil, false
		}
	}
	return out, true
}

// join adds bits of a source, and treats an exclusive or as one source.
func (m *mixture) join(f field) {
	shift := f.to - f.from
	for i := range m.parts {
		if c := &m.parts[i]; c.a == f.a && c.n == f.n && c.shift == shift {
			c.mask |= f.mask()
			return
		}
	}
	m.parts = append(m.parts, contribution{f.a, f.n, shift, f.mask()})
}

// bits32 joins shifted sources.
func (c *Code) bits32(at target, x Expr, groups []group) ptx.Operand {
	// A group without a mask comes first, because it costs nothing.
	if i := slices.IndexFunc(groups, func(g group) bool { return g.exact }); i > 0 {
		groups[0], groups[i] = groups[i], groups[0]
	}
	var acc ptx.Operand
	partial := adder{s: c.s}
	for i, g := range groups {
		v := c.value32(g.y)
		partial.add(1, c.s.And(g.y, int64(g.mask)))
		to := at
		if i < len(groups)-1 {
			y := partial.expr()
			to = target{valueKey{x: y.s, bits: 32}, y.s.level}
			if r, ok := c.find(to.key); ok {
				acc = r
				continue
			}
		}
		mask := ptx.Int(int32(g.mask))
		switch {
		case i == 0 && g.exact:
			acc = v
		case i == 0:
			acc = c.let(to, "and.b32", v, mask)
		case g.exact:
			acc = c.let(to, "or.b32", v, acc)
		default:
			acc = c.let(to, "lop3.b32", v, mask, acc, lutAndOr)
		}
	}
	return acc
}

// xor32 computes an exclusive or, beginning with the sources that change least often.
func (c *Code) xor32(at target, a *atom) ptx.Operand {
	args := slices.Clone(a.args)
	sort.SliceStable(args, func(i, j int) bool { return args[i].a.level < args[j].a.level })
	mask := ptx.Int(int32(1<<a.width - 1))
	if !a.isMasked() {
		mask = 0
	}
	if len(args) == 2 && mask != 0 {
		x, y := c.source32(args[0]), c.source32(args[1])
		return c.let(at, "lop3.b32", x, y, mask, lutXorAnd)
	}
	r := c.mixed32(args)
	if mask != 0 {
		return c.let(at, "and.b32", r, mask)
	}
	c.set(c.target(at.level), at.key, r)
	return r
}

// mixed32 returns the exclusive or of the sources, with bits above its width.
func (c *Code) mixed32(args []source) ptx.Operand {
	if len(args) == 1 {
		return c.source32(args[0])
	}
	key := valueKey{a: c.s.register(atom{op: opXor, width: -1}, args...), bits: 32}
	if r, ok := c.find(key); ok {
		return r
	}
	last := args[len(args)-1]
	at := target{key, last.a.level}
	n := len(args)
	if n > 2 && args[n-2].a.level == last.a.level && n%2 == 1 {
		return c.let(at, "lop3.b32", c.mixed32(args[:n-2]), c.source32(args[n-2]), c.source32(last), lutXor3)
	}
	return c.let(at, "xor.b32", c.mixed32(args[:n-1]), c.source32(last))
}

// source32 returns a source, shifted down by its first bit.
func (c *Code) source32(f source) ptx.Operand { return c.value32(c.s.quotientOf(f.a, f.n<<f.from)) }
