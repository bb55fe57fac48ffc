package address

import (
	"strconv"
	"strings"
)

// String returns the expression in the digits that it is made of, as 128·(t/8) + 16·(t mod 8): / rounds down. Bits that
// are mixed are in parentheses: ((t xor t/8) mod 8).
func (x Expr) String() string {
	if x.s == nil {
		return "?"
	}
	var b strings.Builder
	for i, p := range x.s.places {
		c := p.c
		switch {
		case i > 0 && c < 0:
			b.WriteString(" - ")
			c = -c
		case i > 0:
			b.WriteString(" + ")
		case c < 0:
			b.WriteString("-")
			c = -c
		}
		text, tight := p.text()
		if c != 1 {
			b.WriteString(strconv.FormatInt(c, 10))
			b.WriteString("·")
			if !tight {
				text = "(" + text + ")"
			}
		}
		b.WriteString(text)
	}
	switch k := x.s.rest; {
	case len(x.s.places) == 0:
		b.WriteString(strconv.FormatInt(k, 10))
	case k > 0:
		b.WriteString(" + " + strconv.FormatInt(k, 10))
	case k < 0:
		b.WriteString(" - " + strconv.FormatUint(-uint64(k), 10))
	}
	return b.String()
}

// text returns the digit; tight is true for what can be multiplied without parentheses.
func (p place) text() (text string, tight bool) {
	n := p.n
	text, tight = p.a.text(), true
	if p.a.op == opSymbol && p.a.sym.facts.Div > 1 {
		// ⌊(s/D)/n⌋ is ⌊s/(D·n)⌋.
		text, n = p.a.sym.name, n*p.a.sym.facts.Div
	}
	if n > 1 {
		text, tight = text+"/"+strconv.FormatInt(n, 10), false
	}
	if p.r > 0 && (p.lo > 0 || p.hi == p.r-1) && !p.natural() {
		text, tight = text+" mod "+strconv.FormatInt(p.r, 10), false
	}
	return text, tight
}

// natural reports whether the quotient is below r without taking the remainder.
func (p place) natural() bool {
	lo, hi := p.a.span(p.n)
	return lo >= 0 && hi < p.r
}

// text returns the atom, in parentheses unless it is a name.
func (a *atom) text() string {
	switch a.op {
	case opSymbol:
		if d := a.sym.facts.Div; d > 1 {
			return "(" + a.sym.name + "/" + strconv.FormatInt(d, 10) + ")"
		}
		return a.sym.name
	case opSum:
		return "(" + Expr{a.x}.String() + ")"
	}
	parts := make([]string, len(a.args))
	for i, f := range a.args {
		n := f.n << f.from
		parts[i] = f.a.text()
		if n > 1 {
			parts[i] += "/" + strconv.FormatInt(n, 10)
			if a.op == opProduct {
				parts[i] = "(" + parts[i] + ")"
			}
		}
	}
	if a.op == opProduct {
		return strings.Join(parts, "·")
	}
	text := strings.Join(parts, " xor ")
	if a.masked() {
		return "((" + text + ") mod " + strconv.FormatInt(1<<a.width, 10) + ")"
	}
	return "(" + text + ")"
}

// masked reports whether a source of an exclusive or has bits above its width.
func (a *atom) masked() bool {
	for _, f := range a.args {
		if f.width() > a.width {
			return true
		}
	}
	return false
}
