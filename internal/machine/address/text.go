package address

import (
	"strconv"
	"strings"
)

// maxText limits the text of an expression, in bytes; the rest is "...".
const maxText = 2000

// String returns the expression as its digits, such as 128·(t/8) + 16·(t mod 8), where / rounds down. Exclusive ors are
// in parentheses: ((t xor t/8) mod 8). A long expression is cut.
func (x Expr) String() string {
	if x.s == nil {
		return "?"
	}
	var w writer
	w.sum(x.s)
	return w.b.String()
}

// A writer writes expressions up to a length, because a divided sum may occur many times.
type writer struct{ b strings.Builder }

func (w *writer) full() bool { return w.b.Len() > maxText }

func (w *writer) number(x int64) { w.b.WriteString(strconv.FormatInt(x, 10)) }

func (w *writer) sum(x *sum) {
	for i, p := range x.places {
		if w.full() {
			w.b.WriteString(" + ...")
			return
		}
		w.term(i, p)
	}
	switch k := x.rest; {
	case len(x.places) == 0:
		w.number(k)
	case k > 0:
		w.b.WriteString(" + ")
		w.number(k)
	case k < 0:
		w.b.WriteString(" - " + strconv.FormatUint(-uint64(k), 10))
	}
}

// term writes term i of a sum, c·d, with its sign.
func (w *writer) term(i int, p place) {
	c := p.c
	whole := p.a.op == opSymbol && p.n == 1 && !p.isReduced() && c%p.a.sym.facts.Div == 0
	if whole {
		c /= p.a.sym.facts.Div // 16·(s/16) is s
	}
	switch {
	case i > 0 && c < 0:
		w.b.WriteString(" - ")
	case i > 0:
		w.b.WriteString(" + ")
	case c < 0:
		w.b.WriteString("-")
	}
	if c = max(c, -c); c != 1 {
		w.number(c)
		w.b.WriteString("·")
	}
	switch {
	case whole:
		w.b.WriteString(p.a.sym.name)
	case c == 1 || p.bare():
		w.place(p)
	default:
		w.b.WriteString("(")
		w.place(p)
		w.b.WriteString(")")
	}
}

// divisor returns the divisor of the named symbol: ⌊(s/D)/n⌋ is ⌊s/(D·n)⌋.
func (p place) divisor() int64 {
	if p.a.op == opSymbol {
		return p.n * p.a.sym.facts.Div
	}
	return p.n
}

// isReduced reports whether the digit is less than the whole quotient.
func (p place) isReduced() bool {
	lo, hi := p.a.span(p.n)
	return p.r > 0 && (lo < 0 || hi >= p.r)
}

// bare reports whether the digit can be multiplied without parentheses.
func (p place) bare() bool { return p.divisor() == 1 && !p.isReduced() }

func (w *writer) place(p place) {
	w.quotient(p.a, p.n)
	if p.isReduced() {
		w.b.WriteString(" mod ")
		w.number(p.r)
	}
}

// quotient writes ⌊a/n⌋.
func (w *writer) quotient(a *atom, n int64) {
	if a.op == opSymbol {
		w.b.WriteString(a.sym.name)
		n *= a.sym.facts.Div
	} else {
		w.atom(a)
	}
	if n > 1 {
		w.b.WriteString("/")
		w.number(n)
	}
}

// atom writes an atom that is not a symbol, in parentheses unless it is a product.
func (w *writer) atom(a *atom) {
	if w.full() {
		w.b.WriteString("(...)")
		return
	}
	switch a.op {
	case opSum:
		w.b.WriteString("(")
		w.sum(a.x)
		w.b.WriteString(")")
	case opProduct:
		for i, f := range a.args {
			if i > 0 {
				w.b.WriteString("·")
			}
			if (place{a: f.a, n: f.n}).divisor() > 1 {
				w.b.WriteString("(")
				w.quotient(f.a, f.n)
				w.b.WriteString(")")
				continue
			}
			w.quotient(f.a, f.n)
		}
	case opXor:
		w.b.WriteString("(")
		if a.isMasked() {
			w.b.WriteString("(")
		}
		for i, f := range a.args {
			if i > 0 {
				w.b.WriteString(" xor ")
			}
			w.quotient(f.a, f.n<<f.from)
		}
		if a.isMasked() {
			w.b.WriteString(") mod ")
			w.number(1 << a.width)
		}
		w.b.WriteString(")")
	}
}

// isMasked reports whether a source of an exclusive or has bits above its width.
func (a *atom) isMasked() bool {
	for _, f := range a.args {
		if f.width() > a.width {
			return true
		}
	}
	return false
}
