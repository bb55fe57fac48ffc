package symbolic

import (
	"strconv"
	"strings"

	"girih/internal/ints"
)

// String returns the expression, as 8M*K+1. An expression that contains a symbol without a name is printed as CuTe
// prints it at trace time: ?, or ?{div=8} if the symbol was given with a divisor.
func (x Int) String() string { return x.text(traced) }

// A notation says how a symbol without a name is written.
type notation int

const (
	numbered notation = iota // ?1, ?2, ...
	traced                   // the whole integer as CuTe prints it at trace time
)

func (x Int) text(as notation) string {
	if len(x.terms) == 0 {
		return strconv.FormatInt(x.k, 10)
	}
	if as == traced && x.anonymous() {
		return x.staticText()
	}
	if len(x.terms) == 1 && x.k == 0 {
		return x.terms[0].text(as)
	}
	var b strings.Builder
	for i, t := range x.terms {
		text := t.text(as)
		if i > 0 && text[0] != '-' {
			b.WriteByte('+')
		}
		b.WriteString(text)
	}
	if x.k > 0 {
		b.WriteByte('+')
	}
	if x.k != 0 {
		b.WriteString(strconv.FormatInt(x.k, 10))
	}
	return b.String()
}

// staticText returns the text that CuTe prints for an integer that is not known at compile time.
func (x Int) staticText() string { return "?" + x.printedFacts().String() }

// printedFacts returns the facts that CuTe prints about an unknown integer: the divisor, if a symbol in the integer was
// given with one, and the width if it is 64 bits.
func (x Int) printedFacts() Facts {
	stated, wide := false, false
	x.symbols(func(s *Symbol) {
		stated = stated || s.facts.Div > 1
		wide = wide || s.facts.Bits == 64
	})
	f := NoFacts()
	if stated {
		f.Div = max(x.content(), 1)
	}
	if wide {
		f.Bits = 64
	}
	return f
}

// text writes a product: the coefficient directly before a name, 8M, otherwise with a star, 8*ceil(M/4).
func (t term) text(as notation) string {
	c, div, apart := t.c, t.m.divisor(), false
	if div == 0 {
		div, apart = 1, true
	}
	if g := ints.GCD(c, div); g > 1 {
		c, div = c/g, div/g
	}
	var b strings.Builder
	b.WriteString(t.m.coefficient(c))
	for i, a := range t.m.atoms {
		if i > 0 {
			b.WriteByte('*')
		}
		text := a.text(as)
		if a.op == opMod && (len(t.m.atoms) > 1 || t.c != 1) {
			text = "mod(" + a.args[0].text(as) + "," + a.args[1].text(as) + ")"
		}
		if apart && a.op == opSymbol && a.sym.facts.Div > 1 {
			text = "(" + text + "/" + strconv.FormatInt(a.sym.facts.Div, 10) + ")"
		}
		b.WriteString(text)
	}
	if div > 1 {
		b.WriteByte('/')
		b.WriteString(strconv.FormatInt(div, 10))
	}
	return b.String()
}

// coefficient returns c as it is written before the monomial.
func (m monomial) coefficient(c int64) string {
	switch c {
	case 1:
		return ""
	case -1:
		return "-"
	}
	text := strconv.FormatInt(c, 10)
	if first := m.atoms[0]; first.op != opSymbol || first.sym.Anonymous() {
		text += "*"
	}
	return text
}

// denominator returns the least number whose product with x needs no quotient of a symbol in its text.
func (x Int) denominator() int64 {
	all := int64(1)
	for _, t := range x.terms {
		div := t.m.divisor()
		if div == 0 {
			return 1
		}
		div /= ints.GCD(t.c, div)
		var ok bool
		if all, ok = ints.Mul(all/ints.GCD(all, div), div); !ok {
			return 1
		}
	}
	return all
}

// divisor returns the product of the divisors of the symbols in m, or 0 if it does not fit.
func (m monomial) divisor() int64 {
	div, ok := int64(1), true
	for _, a := range m.atoms {
		if a.op == opSymbol {
			if div, ok = ints.Mul(div, a.sym.facts.Div); !ok {
				return 0
			}
		}
	}
	return div
}

func (a *atom) text(as notation) string {
	if a.op == opSymbol {
		return a.sym.name
	}
	if a.op == opCeil || a.op == opFloor {
		x, by := a.quotientOf()
		return opNames[a.op] + "(" + operand(x, x.text(as)) + "/" + divisor(by, by.text(as)) + ")"
	}
	args := make([]string, len(a.args))
	for i, x := range a.args {
		args[i] = x.text(as)
	}
	switch a.op {
	case opMod:
		x := operand(a.args[0], args[0])
		if x[0] == '-' {
			x = "(" + x + ")" // K+(-1)%K, not K-1%K
		}
		return x + "%" + divisor(a.args[1], args[1])
	case opSwizzle:
		return a.name + "(" + args[0] + ")"
	}
	return opNames[a.op] + "(" + strings.Join(args, ",") + ")"
}

// quotientOf returns the dividend and the divisor of a quotient as written: ⌈(K/8)/2⌉ is written ceil(K/16).
func (a *atom) quotientOf() (x, by Int) {
	x, by = a.args[0], a.args[1]
	if !by.static() {
		return x, by
	}
	if d := x.denominator(); d > 1 {
		var c calc
		if wide, more := c.scale(x, d), c.scale(by, d); c.err == nil {
			return wide, more
		}
	}
	return x, by
}

// operand puts parentheses around a sum.
func operand(x Int, text string) string {
	if len(x.terms) > 1 || (len(x.terms) == 1 && x.k != 0) {
		return "(" + text + ")"
	}
	if _, ok := lone(x, opMod); ok {
		return "(" + text + ")"
	}
	return text
}

// divisor puts parentheses around a sum or a product.
func divisor(x Int, text string) string {
	if len(x.terms) == 0 {
		return text
	}
	if t := x.terms[0]; x.k == 0 && len(x.terms) == 1 && t.c == 1 && len(t.m.atoms) == 1 && t.m.atoms[0].op != opMod &&
		text[len(text)-1] == ')' {
		return text // a function
	}
	if strings.ContainsAny(text, "+*/%-") {
		return "(" + text + ")"
	}
	return text
}
