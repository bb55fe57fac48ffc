package address

import (
	"fmt"

	"girih"
)

// Values assigns numbers to symbols.
type Values map[*Symbol]int64

// At returns the value of x where the symbols have the given values. It returns [girih.CodeUnknown] if a symbol has none,
// and [girih.CodeFact] if a value breaks the facts of its symbol.
func (x Expr) At(v Values) (int64, error) {
	sum := x.s.k
	for _, t := range x.s.terms {
		y, err := t.a.at(v)
		if err != nil {
			return 0, err
		}
		sum += t.c * floorDiv(y, t.n) // what is in the range of x may leave 64 bits on the way, and comes back
	}
	return sum, nil
}

func (a *atom) at(v Values) (int64, error) {
	switch a.op {
	case opSymbol:
		y, ok := v[a.sym]
		f := a.sym.facts
		if !ok {
			return 0, &girih.Error{Code: girih.CodeUnknown, Op: "address", Msg: a.sym.name + " has no value"}
		}
		if y < f.Min || y > f.Max || y%f.Div != 0 {
			return 0, &girih.Error{Code: girih.CodeFact, Op: "address", Msg: fmt.Sprintf("%s is %d, and has the facts %v", a.sym.name, y, f)}
		}
		return y / f.Div, nil
	case opSum:
		return Expr{a.x}.At(v)
	}
	out := int64(0)
	if a.op == opProduct {
		out = 1
	}
	for _, f := range a.args {
		y, err := f.a.at(v)
		if err != nil {
			return 0, err
		}
		y = floorDiv(y, f.n)
		if a.op == opProduct {
			out *= y
		} else {
			out ^= y >> f.from
		}
	}
	if a.op == opXor {
		out &= 1<<a.width - 1
	}
	return out, nil
}

// Substitute returns x with y in the place of the symbol. The values of y must be values that the symbol may have; the
// result says nothing of others.
func (s *Space) Substitute(x Expr, sym *Symbol, y Expr) Expr {
	r := replacement{s: s, sym: sym, by: s.Div(y, sym.facts.Div), sums: map[*sum]Expr{}, atoms: map[*atom]Expr{}}
	return r.sum(x)
}

// A replacement is under way. It remembers what it has replaced.
type replacement struct {
	s     *Space
	sym   *Symbol
	by    Expr // divided by the fact Div
	sums  map[*sum]Expr
	atoms map[*atom]Expr
}

func (r *replacement) sum(x Expr) Expr {
	if y, ok := r.sums[x.s]; ok {
		return y
	}
	b := adder{s: r.s, k: x.s.k}
	for _, t := range x.s.terms {
		b.add(t.c, r.s.Div(r.atom(t.a), t.n))
	}
	y := b.expr()
	r.sums[x.s] = y
	return y
}

func (r *replacement) atom(a *atom) Expr {
	if y, ok := r.atoms[a]; ok {
		return y
	}
	y := r.s.terms(0, term{1, a, 1})
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
	r.atoms[a] = y
	return y
}

// Symbols calls f for each symbol in x, once.
func (x Expr) Symbols(f func(*Symbol)) {
	seen := map[*atom]bool{}
	var visit func(a *atom)
	sum := func(x *sum) {
		for _, t := range x.terms {
			visit(t.a)
		}
	}
	visit = func(a *atom) {
		if seen[a] {
			return
		}
		seen[a] = true
		switch a.op {
		case opSymbol:
			f(a.sym)
		case opSum:
			sum(a.x)
		}
		for _, g := range a.args {
			visit(g.a)
		}
	}
	sum(x.s)
}
