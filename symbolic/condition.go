package symbolic

import (
	"slices"
	"strconv"
	"strings"
)

// A Condition is a statement about symbols that a result depends on.
type Condition struct {
	op       relation
	a, b     Int
	alts     []Guard  // oneOf
	strength strength // for a condition of a guard, what follows if it does not hold
}

// A strength tells what follows if a condition of a guard does not hold.
type strength uint8

const (
	sufficient strength = iota // nothing: the result may still be right
	exact                      // there is no result or a wrong one; operations on it may still be right
	strict                     // known integers are refused, and so are all operations on the result
)

type relation int

const (
	isDivisor  relation = iota // a | b
	isAtMost                   // a ≤ b
	isDistinct                 // a ≠ b
	isEqual                    // a = b
	oneOf                      // at least one of the guards in alts holds
)

// A Guard is a list of conditions that must all hold.
type Guard []Condition

//go:noinline
func dividesIf(a, b Int) Condition {
	b, a = cancel(b, a)
	return Condition{op: isDivisor, a: a, b: b}
}

//go:noinline
func atMostIf(a, b Int) Condition { return Condition{op: isAtMost, a: a, b: b} }

func distinctIf(a, b Int) Condition {
	return Condition{op: isDistinct, a: a, b: b}
}

// decide returns what the facts say about the condition.
func (c Condition) decide() verdict {
	switch c.op {
	case isDivisor:
		return divides(c.a, c.b)
	case isAtMost:
		return atMost(c.a, c.b)
	case isDistinct:
		return distinct(c.a, c.b)
	case isEqual:
		return distinct(c.a, c.b).not()
	}
	out := no
	for _, g := range c.alts {
		switch g.decide() {
		case yes:
			return yes
		case unknown:
			out = unknown
		}
	}
	return out
}

func (g Guard) decide() verdict {
	out := yes
	for _, c := range g {
		switch c.decide() {
		case no:
			return no
		case unknown:
			out = unknown
		}
	}
	return out
}

// simplify returns the guard without conditions that always hold and without alternatives that never hold; ok is false
// if the guard never holds.
func (g Guard) simplify() (out Guard, ok bool) {
	for _, c := range g {
		switch c.decide() {
		case yes:
			continue
		case no:
			return nil, false
		}
		if c.op == oneOf {
			alts := weakest(c.alts)
			if len(alts) == 1 {
				for _, x := range alts[0] {
					out = out.with(x.of(c.strength))
				}
				continue
			}
			c = Condition{op: oneOf, alts: alts, strength: c.strength}
		}
		out = out.with(c)
	}
	return out.shorten(), true
}

// weakest returns the alternatives that may hold, simplified, without those that imply another alternative.
func weakest(alts []Guard) []Guard {
	var out []Guard
	for _, a := range alts {
		s, ok := a.simplify()
		if !ok || slices.ContainsFunc(out, s.Implies) {
			continue
		}
		out = append(slices.DeleteFunc(out, func(o Guard) bool { return o.Implies(s) }), s)
	}
	return out
}

// Implies reports whether g is known to hold only where h does.
func (g Guard) Implies(h Guard) bool {
	return !slices.ContainsFunc(h, func(c Condition) bool { return !g.implies(c) })
}

// implies reports whether c is known to follow from g: c is in g, follows from one condition of g, or holds after
// substituting the number that an equation of g gives a symbol.
func (g Guard) implies(c Condition) bool {
	if c.op == oneOf && slices.ContainsFunc(c.alts, g.Implies) {
		return true
	}
	text := c.String()
	for _, x := range g {
		if x.String() == text || x.entails(c) {
			return true
		}
		at := make(Values)
		Guard{x}.Fix(at)
		var k calc
		if len(at) > 0 && (Guard{c}).substitute(&k, at).decide() == yes && k.err == nil {
			return true
		}
	}
	return false
}

// entails reports whether d follows from c: d is a weaker bound, or the divisor of d divides the divisor of c and c's
// dividend divides d's.
func (c Condition) entails(d Condition) bool {
	switch {
	case c.op != d.op:
		return false
	case c.op == isAtMost:
		var k calc
		if q, ok := k.exact(d.a, c.a); ok && q.static() && q.k > 1 {
			c.a, c.b = d.a, k.scale(c.b, q.k) // 2K <= 2b of K <= b
		}
		return k.err == nil && atMost(d.a, c.a) == yes && atMost(c.b, d.b) == yes
	case c.op == isDivisor:
		var k calc
		_, multiple := k.exact(d.b, c.b)
		_, divisor := k.exact(c.a, d.a)
		return multiple && divisor && atMost(Const(1), d.a) == yes
	}
	return false
}

// shorten returns the guard without conditions that follow from its other conditions; equations stay.
func (g Guard) shorten() Guard {
	out := g
	for _, c := range g {
		if c.op == isEqual {
			continue
		}
		i := slices.IndexFunc(out, func(x Condition) bool { return x.op == c.op && x.String() == c.String() })
		weaker := func(x Condition) bool { return x.strength < c.strength }
		rest := slices.DeleteFunc(slices.Delete(slices.Clone(out), i, i+1), weaker)
		if rest.implies(c) {
			out = slices.Delete(slices.Clone(out), i, i+1)
		}
	}
	return out
}

// with adds a condition unless the guard already contains it; of two equal conditions the stronger one stays.
func (g Guard) with(c Condition) Guard {
	text := c.String()
	i := slices.IndexFunc(g, func(x Condition) bool { return x.String() == text })
	if i < 0 {
		return append(slices.Clip(g), c)
	}
	if g[i].strength < c.strength {
		g = slices.Clone(g)
		g[i].strength = c.strength
	}
	return g
}

// of returns the condition with a strength.
func (c Condition) of(s strength) Condition {
	c.strength = s
	return c
}

// Exact reports whether the guard is exact: wherever the guard does not hold, the result is wrong or does not exist.
// Otherwise the guard is only sufficient: the result is right where the guard holds, and may be right elsewhere too.
func (g Guard) Exact() bool {
	return !slices.ContainsFunc(g, func(c Condition) bool { return c.strength == sufficient })
}

// Inherited returns g as a guard for the result of an operation on g's result. If an exact condition does not hold, an
// operation on a wrong result may still be right, so the condition becomes sufficient. Strict conditions stay.
func (g Guard) Inherited() Guard {
	out := slices.Clone(g)
	for i := range out {
		if out[i].strength == exact {
			out[i].strength = sufficient
		}
	}
	return out
}

// String returns the conditions, as "8 | K and M <= 128", or "" if there are none. Symbols without a name are ?1, ?2,
// ..., by their places in the source.
func (g Guard) String() string {
	parts := make([]string, len(g))
	for i, c := range g {
		if parts[i] = c.String(); c.op == oneOf && len(g) > 1 {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " and ")
}

// String returns the condition, as "8 | K".
func (c Condition) String() string {
	a, b := c.a.text(numbered), c.b.text(numbered)
	switch c.op {
	case isDivisor:
		return a + " | " + b
	case isAtMost:
		if relation, power, ok := c.b.power(); ok {
			return a + relation + power
		}
		return a + " <= " + b
	case isDistinct:
		return a + " != " + b
	case isEqual:
		return a + " == " + b
	}
	parts := make([]string, len(c.alts))
	for i, g := range c.alts {
		parts[i] = g.String()
		if len(g) > 1 {
			parts[i] = "(" + parts[i] + ")"
		}
	}
	return strings.Join(parts, " or ")
}

// power returns a limit that is a large power of two, or one less, as text: <= 2^32, < 2^40.
func (x Int) power() (relation, text string, ok bool) {
	if !x.static() || x.k < 1<<30 {
		return "", "", false
	}
	for e := 31; e < 63; e++ {
		switch int64(1)<<e - x.k {
		case 0:
			return " <= ", "2^" + strconv.Itoa(e), true
		case 1:
			return " < ", "2^" + strconv.Itoa(e), true
		}
	}
	return "", "", false
}

// Holds reports whether the guard holds where the symbols have the given values. It returns [cute.CodeFact] where a
// value breaks a fact, [cute.CodeUnknown] if a symbol has no value, and [cute.CodeOverflow].
func (g Guard) Holds(at Values) (bool, error) {
	for _, c := range g {
		ok, err := c.holds(at)
		if err != nil || !ok {
			return false, err
		}
	}
	return true, nil
}

func (c Condition) holds(at Values) (bool, error) {
	if c.op == oneOf {
		for _, g := range c.alts {
			if ok, err := g.Holds(at); err != nil || ok {
				return ok, err
			}
		}
		return false, nil
	}
	a, err := c.a.At(at)
	if err != nil {
		return false, err
	}
	b, err := c.b.At(at)
	if err != nil {
		return false, err
	}
	switch c.op {
	case isDivisor:
		return a > 0 && b%a == 0, nil
	case isAtMost:
		return a <= b, nil
	case isEqual:
		return a == b, nil
	}
	return a != b, nil
}
