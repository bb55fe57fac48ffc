package symbolic

import (
	"fmt"

	"girih/cute"
)

// StaticView returns the text that the CuTe DSL prints at trace time: ? in place of every unknown integer, with its
// known divisor, as ?{div=3} for 3?.
func (t Tuple) StaticView() string {
	return t.hide(func(Int) bool { return true }).String()
}

// StaticView returns the text that the CuTe DSL prints at trace time: ? in place of every unknown integer, with its
// known divisor, as ?{div=3} for 3?.
func (l Layout) StaticView() string { return l.Shape().StaticView() + ":" + l.Stride().StaticView() }

// hide returns t with every unknown integer that asked selects replaced by a symbol without a name.
func (t Tuple) hide(asked func(Int) bool) Tuple {
	return t.mapLeaves(func(v Vector) Vector {
		out := Vector{make([]component, len(v.parts))}
		for i, p := range v.parts {
			out.parts[i] = p
			if !p.x.static() && asked(p.x) {
				f := p.x.printedFacts()
				f.Div = max(p.x.content(), 1)
				out.parts[i].x = Of(&Symbol{name: "?", facts: f})
			}
		}
		return out
	})
}

// Apply returns fn(x), computed if x is known, and the guard x ≥ 0. fn is defined for integers of at least 0, and name
// is its text. It returns the errors of fn, and [cute.CodeNegative] if x is always negative.
func Apply(name string, fn func(int64) (int64, error), x Int) (Int, Guard, error) {
	if x.static() {
		y, err := fn(x.k)
		return Const(y), nil, err
	}
	a := newAtom(opSwizzle, x)
	a.fn, a.name, a.key = fn, name, name+a.key
	g, ok := Guard{atMostIf(Const(0), x)}.simplify()
	if !ok {
		return Int{}, nil, &cute.Error{Code: cute.CodeNegative, Msg: fmt.Sprintf("%s of %s, which is negative", name, x)}
	}
	return variable(a), g, nil
}

// Name returns the name of the symbol that x is.
func (x Int) Name() (string, bool) {
	if len(x.terms) != 1 || x.k != 0 || len(x.terms[0].m.atoms) != 1 {
		return "", false
	}
	a := x.terms[0].m.atoms[0]
	if a.op != opSymbol || a.sym.facts.Div != x.terms[0].c {
		return "", false
	}
	return a.sym.name, true
}

// If returns the layout with more conditions in its guard.
func (l Layout) If(g Guard) Layout {
	return l.with(func(c *contents) { c.guard = c.guard.And(g) })
}

// HasAxes reports whether a stride moves along an axis.
func (l Layout) HasAxes() bool {
	for _, v := range l.Stride().leaves() {
		for _, p := range v.parts {
			if p.axis != "" {
				return true
			}
		}
	}
	return false
}

// Facts returns the known divisor of x, its known least and greatest value, and its width.
func (x Int) Facts() Facts {
	f := x.printedFacts()
	f.Div = max(x.content(), 1)
	r := bounds(x)
	f.Min, f.Max = r.lo, r.hi
	return f
}
