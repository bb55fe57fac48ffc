package symbolic

import (
	"slices"

	"girih/internal/ints"
)

// This file builds the conditions that other packages need for rules that demand a multiple, a limit, or one of several
// alternatives.

// Multiple returns the condition that the positive number n divides x, in its shortest form: for 2N and 16 it is 8 | N.
func Multiple(x Int, n int64) Guard {
	_, r := split(x, n)
	if by := ints.GCD((Int{terms: r.terms}).content(), n); r.k%by != 0 {
		return refuted.guard // 2N+1 is odd
	}
	switch g := ints.GCD(r.content(), n); {
	case r.is(0):
		return nil
	default:
		r, _ = divideBy(r, g)
		n /= g
	}
	var c calc
	d := r.denominator()
	if y, m := c.scale(r, d), c.mul(Const(n), Const(d)); c.err == nil {
		return Guard{dividesIf(m, y)} // 8 | K, not 2 | K/4
	}
	return Guard{dividesIf(Const(n), r)}
}

// NoMore returns the condition x ≤ y.
func NoMore(x, y Int) Guard { return Guard{atMostIf(x, y)} }

// Same returns the condition x = y.
func Same(x, y Int) Guard {
	if x.static() {
		x, y = y, x
	}
	return Guard{{op: isEqual, a: x, b: y}}
}

// Not returns the condition that g does not hold, where g is one limit or one equation; ok is false for any other
// guard, or if the condition leaves 64 bits.
func (g Guard) Not() (not Guard, ok bool) {
	if len(g) != 1 {
		return nil, false
	}
	var c calc
	switch x := g[0]; x.op {
	case isAtMost:
		return Guard{atMostIf(c.add(x.b, Const(1)), x.a)}, c.err == nil
	case isEqual:
		return Guard{distinctIf(x.a, x.b)}, true
	case isDistinct:
		return Guard{{op: isEqual, a: x.a, b: x.b}}, true
	}
	return nil, false
}

// AnyOf returns the condition that one of the guards holds, simplified; conditions common to all guards come first.
// Without guards it returns a condition that never holds.
func AnyOf(alts ...Guard) Guard {
	var left []Guard
	for _, g := range alts {
		if s, ok := g.simplify(); ok {
			left = append(left, s.withoutIdle())
		}
	}
	if left = unite(weakest(left)); len(left) == 0 {
		return refuted.guard
	}
	var common Guard
	for _, c := range left[0] {
		text := c.String()
		everywhere := !slices.ContainsFunc(left[1:], func(g Guard) bool {
			return !slices.ContainsFunc(g, func(x Condition) bool { return x.String() == text })
		})
		if everywhere {
			common = append(common, c)
		}
	}
	if len(left) == 1 {
		return common
	}
	rest := make([]Guard, len(left))
	for i, g := range left {
		rest[i] = slices.DeleteFunc(slices.Clone(g), func(c Condition) bool {
			return slices.ContainsFunc(common, func(x Condition) bool { return x.String() == c.String() })
		})
		if len(rest[i]) == 0 {
			return common
		}
	}
	return append(common, Condition{op: oneOf, alts: rest})
}

// unite merges alternatives that differ only in N ≠ n and N = n.
func unite(alts []Guard) []Guard {
	for i, g := range alts {
		for _, c := range g {
			not, ok := Guard{c}.Not()
			at := make(Values)
			if not.Fix(at); !ok || c.op != isDistinct || len(at) == 0 {
				continue
			}
			both := slices.DeleteFunc(slices.Clone(g), func(x Condition) bool { return x.String() == c.String() })
			var k calc
			there, possible := append(both.substitute(&k, at), not...).simplify()
			j := slices.IndexFunc(alts, func(h Guard) bool { return there.Implies(h) && h.Implies(there) })
			if j < 0 || k.err != nil || !possible {
				continue
			}
			rest := slices.Clone(alts)
			rest[i] = both
			return unite(slices.Delete(rest, j, j+1))
		}
	}
	return alts
}

// withoutIdle returns the guard without conditions N ≠ n that follow from the other conditions, because with N = n one
// of the others never holds.
func (g Guard) withoutIdle() Guard {
	out := slices.Clone(g)
	for i := 0; i < len(out); i++ {
		a, b := out[i].a, out[i].b
		if a.static() {
			a, b = b, a
		}
		x, isSymbol := lone(a.unitOf(), opSymbol)
		if out[i].op != isDistinct || !isSymbol || !b.static() {
			continue
		}
		var c calc
		rest := slices.Delete(slices.Clone(out), i, i+1).substitute(&c, Values{x.sym: b.k})
		if c.err == nil && rest.decide() == no {
			out = slices.Delete(out, i, i+1)
			i--
		}
	}
	return out
}

// unitOf returns the atom of x if x is a symbol: K/8 for K{div=8}. Otherwise it returns 0.
func (x Int) unitOf() Int {
	if _, ok := x.Name(); !ok {
		return Int{}
	}
	return Int{terms: slices.Clone(x.terms)}.unit()
}

// Fix stores in at the value of a symbol that the equation g determines: N = 32 for 2N = 64. For other guards it stores
// nothing.
func (g Guard) Fix(at Values) {
	if len(g) != 1 || g[0].op != isEqual {
		return
	}
	x, n := g[0].a, g[0].b
	if x.static() {
		x, n = n, x
	}
	var c calc
	x = c.sub(x, n)
	if !n.static() || c.err != nil || len(x.terms) != 1 {
		return
	}
	t := x.terms[0]
	if len(t.m.atoms) != 1 || t.m.atoms[0].op != opSymbol || x.k%t.c != 0 {
		return
	}
	s := t.m.atoms[0].sym
	if v, ok := ints.Mul(-(x.k / t.c), s.facts.Div); ok && s.Admits(v) == nil {
		at[s] = v
	}
}

// Numbered returns the expression with ?1, ?2, ... for symbols without a name, as in conditions.
func (x Int) Numbered() string { return x.text(numbered) }

// Integers lists the leaves of t that are integers.
func (t Tuple) Integers() []Int {
	var list []Int
	for _, v := range t.leaves() {
		if x, ok := v.Int(); ok {
			list = append(list, x)
		}
	}
	return list
}
