package symbolic

import (
	"fmt"
	"slices"
	"strings"

	"girih/cute"
	"girih/internal/ints"
)

// Values are the integers that symbols are at run time.
type Values map[*Symbol]int64

// At returns the integer where the symbols have the given values. It returns [cute.CodeUnknown] if a symbol has no
// value, [cute.CodeFact] if a value breaks a fact, [cute.CodeExtent] if a divisor is not positive there, and
// [cute.CodeOverflow].
func (x Int) At(at Values) (int64, error) {
	sum, fits := x.k, true
	for _, t := range x.terms {
		p := t.c
		for _, a := range t.m.atoms {
			v, err := a.at(at)
			if err != nil {
				return 0, err
			}
			var ok bool
			p, ok = ints.Mul(p, v)
			fits = fits && ok
		}
		var ok bool
		sum, ok = ints.Add(sum, p)
		fits = fits && ok
	}
	if !fits {
		return 0, &cute.Error{Code: cute.CodeOverflow, Msg: fmt.Sprintf("%s does not fit in 64 bits", x.text(numbered))}
	}
	return sum, nil
}

func (a *atom) at(at Values) (int64, error) {
	if a.op == opSymbol {
		v, ok := at[a.sym]
		if !ok {
			return 0, &cute.Error{Code: cute.CodeUnknown, Msg: fmt.Sprintf("%s has no value", a.sym.name)}
		}
		if err := a.sym.Admits(v); err != nil {
			return 0, err
		}
		return v / a.sym.facts.Div, nil
	}
	var v [2]int64
	for i, x := range a.args {
		var err error
		if v[i], err = x.At(at); err != nil {
			return 0, err
		}
	}
	switch a.op {
	case opCeil, opFloor, opMod:
		return a.quotient(v[0], v[1])
	case opMin:
		return min(v[0], v[1]), nil
	case opAbs:
		r, ok := ints.Abs(v[0])
		if !ok {
			return 0, &cute.Error{Code: cute.CodeOverflow, Msg: fmt.Sprintf("%s does not fit in 64 bits", a.text(numbered))}
		}
		return r, nil
	}
	return a.fn(v[0])
}

// quotient returns the value of a division of these numbers.
func (a *atom) quotient(x, y int64) (int64, error) {
	if y <= 0 {
		return 0, &cute.Error{Code: cute.CodeExtent, Msg: fmt.Sprintf("%s divides by %d", a.text(numbered), y)}
	}
	switch a.op {
	case opCeil:
		return ints.CeilDiv(x, y), nil
	case opFloor:
		return ints.FloorDiv(x, y), nil
	}
	return ints.FloorMod(x, y), nil
}

// with returns x with the given values in the place of symbols.
func (c *calc) with(x Int, at Values) Int {
	out := Const(x.k)
	for _, t := range x.terms {
		p := Const(t.c)
		for _, a := range t.m.atoms {
			p = c.mul(p, c.atomWith(a, at))
		}
		out = c.add(out, p)
	}
	return out
}

func (c *calc) atomWith(a *atom, at Values) Int {
	if a.op == opSymbol {
		if _, ok := at[a.sym]; !ok {
			return variable(a)
		}
	}
	args := make([]Int, len(a.args))
	static := true
	for i, x := range a.args {
		args[i] = c.with(x, at)
		static = static && args[i].static()
	}
	if static {
		v, err := a.over(args).at(at)
		c.fail(err)
		return Const(v)
	}
	if args[len(args)-1].static() && len(args) == 2 && a.op != opMin && args[1].k <= 0 {
		c.fail(&cute.Error{Code: cute.CodeExtent, Msg: fmt.Sprintf("%s divides by %d", a.text(numbered), args[1].k)})
		return Int{}
	}
	switch a.op {
	case opCeil:
		return c.ceilDiv(args[0], args[1])
	case opFloor:
		return c.floorDiv(args[0], args[1])
	case opMod:
		return c.mod(args[0], args[1])
	case opMin:
		return c.min(args[0], args[1])
	case opAbs:
		return c.abs(args[0])
	}
	return variable(a.over(args))
}

// over returns the atom with other arguments.
func (a *atom) over(args []Int) *atom {
	if a.op == opSymbol {
		return a
	}
	b := newAtom(a.op, args...)
	b.fn, b.name = a.fn, a.name
	if a.op == opSwizzle {
		b.key = a.name + b.key
	}
	return b
}

// fail remembers the first error.
func (c *calc) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

// overflow remembers that a number left 64 bits.
func (c *calc) overflow() {
	c.fail(&cute.Error{Code: cute.CodeOverflow, Msg: "a coefficient of an expression leaves 64 bits"})
}

// maxTries limits the assignments that [Layout.Witness] tries.
const maxTries = 1024

// Witness returns values of the symbols at which ok reports true for the layout, as "M = 4 and N = 1", or "" if the
// first 1,024 assignments contain none. The values are the candidates, or the nearest values that the facts admit.
// Witness skips values that the guard rules out.
func (l Layout) Witness(candidates []int64, ok func(cute.Layout) bool) string {
	return witness(l.symbols(), candidates, func(at Values) bool {
		known, err := l.At(at)
		return err == nil && ok(known)
	})
}

// Broken returns values of the symbols in g at which g does not hold, found as in [Layout.Witness].
func (g Guard) Broken(candidates []int64) string {
	return witness(g.symbols(nil), candidates, func(at Values) bool {
		holds, err := g.Holds(at)
		return err == nil && !holds
	})
}

// symbols adds the symbols in g to a list.
func (g Guard) symbols(to []*Symbol) []*Symbol {
	add := func(s *Symbol) {
		if !slices.Contains(to, s) {
			to = append(to, s)
		}
	}
	for _, c := range g {
		c.a.symbols(add)
		c.b.symbols(add)
		for _, a := range c.alts {
			to = a.symbols(to)
		}
	}
	return to
}

// witness looks for values of the symbols at which ok holds.
func witness(symbols []*Symbol, candidates []int64, ok func(Values) bool) string {
	at := make(Values)
	place := make([]int, len(symbols)) // the place of the value of each symbol, a number whose digits count up
	for range maxTries {
		for i, s := range symbols {
			at[s] = s.facts.Near(candidates[place[i]])
		}
		if ok(at) {
			parts := make([]string, len(symbols))
			for i, s := range symbols {
				parts[i] = fmt.Sprintf("%s = %d", s.Name(), at[s])
			}
			return strings.Join(parts, " and ")
		}
		i := 0
		for ; i < len(place) && place[i] == len(candidates)-1; i++ {
			place[i] = 0
		}
		if i == len(place) {
			break
		}
		place[i]++
	}
	return ""
}

// symbols returns the symbols in l, each once.
func (l Layout) symbols() []*Symbol {
	var out []*Symbol
	for _, v := range slices.Concat(l.Shape().leaves(), l.Stride().leaves()) {
		for _, p := range v.parts {
			p.x.symbols(func(s *Symbol) {
				if !slices.Contains(out, s) {
					out = append(out, s)
				}
			})
		}
	}
	return out
}
