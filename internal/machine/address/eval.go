package address

import (
	"fmt"

	"girih/cute"
	"girih/internal/ints"
)

// Values assigns numbers to symbols.
type Values map[*Symbol]int64

// At returns the value of x for the given values of the symbols. It returns [cute.CodeUnknown] if a symbol has no
// value, and [cute.CodeFact] if a value contradicts the facts of its symbol.
func (x Expr) At(v Values) (int64, error) {
	e := evaluation{values: v}
	if x.s.depth > 2 {
		e.known = map[*atom]int64{} // a divided sum may occur many times
	}
	y := e.sum(x.s)
	return y, e.err
}

// An evaluation computes the value of an expression.
type evaluation struct {
	values Values
	known  map[*atom]int64 // nil if no values are remembered
	err    error
}

func (e *evaluation) sum(x *sum) int64 {
	out := x.k
	for _, t := range x.terms {
		out += t.c * ints.FloorDiv(e.atom(t.a), t.n) // a partial sum may exceed 64 bits; the whole sum does not
	}
	return out
}

func (e *evaluation) atom(a *atom) int64 {
	if y, ok := e.known[a]; ok {
		return y
	}
	y := int64(0)
	switch a.op {
	case opSymbol:
		return e.symbol(a.sym)
	case opSum:
		y = e.sum(a.x)
	case opProduct:
		y = 1
		for _, f := range a.args {
			y *= ints.FloorDiv(e.atom(f.a), f.n)
		}
	case opXor:
		for _, f := range a.args {
			y ^= ints.FloorDiv(e.atom(f.a), f.n) >> f.from
		}
		y &= 1<<a.width - 1
	}
	if e.known != nil {
		e.known[a] = y
	}
	return y
}

// symbol returns the value of a symbol divided by its fact Div.
func (e *evaluation) symbol(s *Symbol) int64 {
	y, ok := e.values[s]
	f := s.facts
	switch {
	case e.err != nil:
	case !ok:
		e.err = &cute.Error{Code: cute.CodeUnknown, Op: "address", Msg: s.name + " has no value"}
	case y < f.Min || y > f.Max || y%f.Div != 0:
		e.err = &cute.Error{
			Code: cute.CodeFact, Op: "address", Msg: fmt.Sprintf("%s is %d, and has the facts %v", s.name, y, f),
		}
	}
	return y / f.Div
}

// Substitute returns x with y in place of the symbol. The values of y must be possible values of the symbol; otherwise
// the result has no meaning.
func (s *Space) Substitute(x Expr, sym *Symbol, y Expr) Expr {
	s.stamp++
	r := replacement{s: s, sym: sym, by: s.Div(y, sym.facts.Div)}
	return r.sum(x)
}

// A replacement substitutes a symbol. A replacement caches the result of each atom.
type replacement struct {
	s   *Space
	sym *Symbol
	by  Expr // an expression that the fact Div divides
}

func (r *replacement) sum(x Expr) Expr {
	b := adder{s: r.s, k: x.s.k}
	for _, t := range x.s.terms {
		b.add(t.c, r.s.Div(r.atom(t.a), t.n))
	}
	return b.expr()
}

func (r *replacement) atom(a *atom) Expr {
	if a.stamp == r.s.stamp {
		return Expr{a.became}
	}
	y := r.s.single(term{1, a, 1})
	switch a.op {
	case opSymbol:
		if a.sym == r.sym {
			y = r.by
		}
	case opSum:
		y = r.sum(Expr{a.x})
	case opProduct:
		y = r.s.Const(1)
		for _, f := range a.args {
			y = r.s.Mul(y, r.s.Div(r.atom(f.a), f.n))
		}
	case opXor:
		y = r.s.Const(0)
		for _, f := range a.args {
			part := r.s.Div(r.s.Div(r.atom(f.a), f.n), 1<<f.from)
			y = r.s.Xor(y, r.s.Mod(part, 1<<a.width))
		}
	}
	a.stamp, a.became = r.s.stamp, y.s
	return y
}

// Symbols calls f once for each symbol in x.
func (x Expr) Symbols(f func(*Symbol)) { x.s.symbols(map[*atom]bool{}, f) }

func (x *sum) symbols(seen map[*atom]bool, f func(*Symbol)) {
	for _, t := range x.terms {
		t.a.symbols(seen, f)
	}
}

// symbols calls f for the symbols of the atoms that were not seen before.
func (a *atom) symbols(seen map[*atom]bool, f func(*Symbol)) {
	if seen[a] {
		return
	}
	seen[a] = true
	switch a.op {
	case opSymbol:
		f(a.sym)
	case opSum:
		a.x.symbols(seen, f)
	}
	for _, g := range a.args {
		g.a.symbols(seen, f)
	}
}
