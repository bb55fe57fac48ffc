package address

import (
	"fmt"
	"strings"
)

// A Rule is a law by which the algebra rewrites expressions.
type Rule uint8

// The rules. Their proofs are where they are applied: divide.go, bits.go, xor.go, loop.go.
const (
	RuleDigit Rule = iota
	RuleRemainder
	RuleComplement
	RuleBits
	RuleMask
	RuleXor
	RuleSwizzle
	RuleLayout
	RuleInvariant
	RuleAffine
	RuleToggle
	RuleAlternate
	RuleWrap
	RuleAhead
	RuleRange
)

// A RuleInfo documents a rule.
type RuleInfo struct {
	Name string // one word
	Law  string // what is rewritten, as formulas
}

var rules = [...]RuleInfo{
	RuleDigit: {
		"divide", "⌊(n·q + x)/n⌋ = q + ⌊x/n⌋; ⌊(g·H + L)/n⌋ = ⌊H/(n/g)⌋ for g | n and 0 ≤ L < g; " +
			"⌊(⌊a/m⌋ mod r)/n⌋ = ⌊a/(m·n)⌋ mod (r/n) for n | r",
	},
	RuleRemainder:  {"remainder", "x mod n = x - n·⌊x/n⌋"},
	RuleComplement: {"complement", "⌊x/n⌋ = -⌊(n-1-x)/n⌋"},
	RuleBits:       {"shift", "⌊x/2^n⌋ is the bits of x from n on, where no two parts of x have a bit in common"},
	RuleMask:       {"mask", "x & mask = Σ 2^p·(⌊x/2^p⌋ mod 2^w) over the runs of the mask, w bits from p on"},
	RuleXor:        {"xor", "bits that only one operand has add; bits of the same sources at the same distances join"},
	RuleSwizzle:    {"swizzle", "Sw(b + o) = Sw(b) xor Sw(o) where b and o have no bit in common"},
	RuleLayout:     {"layout", "L(c) = Σ digit·stride; an index into several modes is taken apart by their extents"},
	RuleInvariant:  {"invariant", "x = (terms that the loop does not change) + (those that it changes)"},
	RuleAffine:     {"affine", "x(i+step) - x(i) does not depend on i: add it at each step"},
	RuleToggle:     {"toggle", "x changes with the lowest bit of the count alone, as an exclusive or: xor those bits"},
	RuleAlternate:  {"alternate", "x has the values a and b in turn: x becomes a+b-x at each step"},
	RuleRange:      {"range", "where u < v, x ≤ x + c·(v-1-u) for c > 0"},
	RuleWrap:       {"wrap", "x = y + c·(count mod n): add c at each step, and take c·n away where the count wraps"},
	RuleAhead:      {"ahead", "x(i+step) = y(i) + d, where a register has y and d does not change: x becomes y+d, then y steps"},
}

// String returns the name of the rule.
func (r Rule) String() string {
	if int(r) < len(rules) {
		return rules[r].Name
	}
	return "?"
}

// Law returns the law of the rule.
func (r Rule) Law() string {
	if int(r) < len(rules) {
		return rules[r].Law
	}
	return ""
}

// A Step is one application of a rule.
type Step struct {
	Rule   Rule
	N      int64 // the divisor, mask or period; 0 if there is none
	From   []Expr
	Result Expr
}

// String returns the step as "divide by 8: t = ⌊t/8⌋".
func (t Step) String() string {
	var b strings.Builder
	b.WriteString(t.Rule.String())
	switch {
	case t.N == 0:
	case t.Rule == RuleMask:
		fmt.Fprintf(&b, " %#x", t.N)
	default:
		fmt.Fprintf(&b, " %d", t.N)
	}
	b.WriteString(": ")
	for i, x := range t.From {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(x.String())
	}
	b.WriteString(" → ")
	b.WriteString(t.Result.String())
	return b.String()
}

// A Use says how often a rule has changed an expression.
type Use struct {
	Rule    Rule
	Times   int
	Example Step // the first use, preferably with symbols
}

// UsedRules returns the rules that were applied since the space was made, in the order of their first use.
func (s *Space) UsedRules() []Use {
	var out []Use
	for _, u := range s.used {
		if u.Times > 0 {
			out = append(out, u)
		}
	}
	return out
}

// maxSteps limits the steps that are recorded.
const maxSteps = 10000

// Trace records the steps that change an expression from now on, in order, and returns a function that ends the
// recording and returns them: at most 10,000.
func (s *Space) Trace() (stop func() []Step) {
	outer := s.trace
	var steps []Step
	s.trace = &steps
	clear(s.xors) // earlier results are computed again and seen
	s.sums.all(func(x *sum) { x.divs = nil })
	return func() []Step {
		s.trace = outer
		return steps
	}
}

// note records a step.
func (s *Space) note(r Rule, result Expr, n int64, from ...Expr) {
	if s.err != nil || len(from) == 1 && from[0] == result {
		return
	}
	if u := &s.used[r]; u.Times == 0 || len(u.Example.Result.s.terms) == 0 && len(result.s.terms) > 0 {
		*u = Use{r, u.Times, Step{Rule: r, N: n, From: append([]Expr(nil), from...), Result: result}}
	}
	s.used[r].Times++
	if s.trace == nil || len(*s.trace) >= maxSteps {
		return
	}
	*s.trace = append(*s.trace, Step{Rule: r, N: n, From: append([]Expr(nil), from...), Result: result})
}
