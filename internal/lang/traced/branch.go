package traced

import (
	"girih/cute"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has conditions that differ from thread to thread.

// A cond is a condition and its negation. Package kernel knows what a list of comparisons implies, such as that an
// element is inside its tensor. The negation of i >= m || j >= n is such a list, and the condition is not.
type cond struct {
	yes, no           func() kernel.Cond
	isList, isNotList bool // of comparisons
	hasList           bool // it is a list and something else
	hasNotList        bool // its negation is
	facts             []fact
}

// condition returns the condition of a predicate.
func condition(c kernel.Cond) cond {
	return cond{yes: func() kernel.Cond { return c }, no: func() kernel.Cond { return c.Not() }}
}

func less(a, b index) cond {
	return cond{
		yes: func() kernel.Cond { return a.Less(b.Index) }, no: func() kernel.Cond { return a.AtLeast(b.Index) },
		isList: true, isNotList: true, hasList: true, hasNotList: true,
		facts: []fact{{op: '<', a: a.Index, b: b.Index}},
	}
}

func equal(a, b index) cond {
	return cond{
		yes: func() kernel.Cond { return a.Equal(b.Index) },
		no:  func() kernel.Cond { return a.Less(b.Index).Or(b.Less(a.Index)) }, isList: true, hasList: true,
		facts: []fact{{op: '=', a: a.Index, b: b.Index}},
	}
}

func (c cond) negate() cond {
	return cond{c.no, c.yes, c.isNotList, c.isList, c.hasNotList, c.hasList, nil}
}

func (c cond) and(d cond) cond {
	return cond{
		yes: func() kernel.Cond { return c.yes().And(d.yes()) }, no: func() kernel.Cond { return c.no().Or(d.no()) },
		isList: c.isList && d.isList, hasList: c.hasList || d.hasList, facts: bothFacts(c, d),
	}
}

// condOf returns the condition that a value is.
func condOf(v interp.Value) (cond, bool) {
	if x, ok := v.(*interp.Traced); ok {
		c, ok := x.Of.(cond)
		return c, ok
	}
	return cond{}, false
}

// asCond returns the condition that a value is not 0.
func (t *Tracer) asCond(v interp.Value) (cond, bool) {
	if c, ok := condOf(v); ok {
		return c, true
	}
	if x, ok := v.(*interp.Traced); ok {
		if f, ok := x.Of.(flag); ok {
			return f.of, true
		}
	}
	if i, ok := indexOf(v); ok {
		return equal(i, index{}).negate(), true
	}
	if x, ok := v.(*interp.Traced); ok {
		if of, ok := x.Of.(kernel.Value); ok {
			return condition(of.NotEqual(t.k.Number(of.Type(), 0))), true
		}
	}
	return cond{}, false
}

// truth returns the value for a condition, a bool if it is the same for all threads.
func (t *Tracer) truth(c cond) interp.Value {
	for i, known := range []cond{c.negate(), c} {
		if known.isList && known.yes().Always() {
			return t.constant(float64(i))
		}
	}
	out := &interp.Traced{Of: c}
	if !t.python {
		out.Type = interp.CBool
	}
	return out
}

// condOperator computes an operator of conditions; ok is false for other values.
func (t *Tracer) condOperator(op string, args []interp.Value) (v interp.Value, ok bool, err error) {
	isAnd := op == "&&"
	switch {
	case op == "unary !", op == "unary not":
		c, ok := t.asCond(args[0])
		if !ok {
			return nil, false, nil
		}
		return t.truth(c.negate()), true, nil
	case !isAnd && op != "||":
		return nil, false, nil
	}
	var list [2]cond
	for i, v := range args {
		if isConstant(v) {
			n, _ := interp.Number(v)
			if isBool := !t.python || v == interp.Bool(n != 0); !isBool {
				return nil, false, nil
			}
			if other := args[1-i]; (n != 0) == isAnd { // x && true, x || false
				c, ok := t.asCond(other)
				return t.truth(c), ok, nil
			}
			return t.constant(n), true, nil
		}
		if list[i], ok = condOf(v); !ok && !t.python {
			list[i], ok = t.asCond(v)
		}
		if !ok {
			return nil, false, nil
		}
	}
	if isAnd {
		return t.truth(list[0].and(list[1])), true, nil
	}
	return t.truth(list[0].negate().and(list[1].negate()).negate()), true, nil
}

// constant returns the bool of the program that n is not 0.
func (t *Tracer) constant(n float64) interp.Value {
	if t.python {
		return interp.Bool(n != 0)
	}
	out := interp.CInt{Type: interp.CBool}
	if n != 0 {
		out.Bits = 1
	}
	return out
}

// If runs the parts of a condition.
func (t *Tracer) If(c *interp.Traced, vars []*interp.Variable, then, otherwise func() error) error {
	x, ok := c.Of.(cond)
	if !ok {
		return refuse(cute.CodeNotRepresentable, "compare it with a number", "this condition is not followed")
	}
	if !x.isList && (x.isNotList || !x.hasList && x.hasNotList) {
		x, then, otherwise = x.negate(), otherwise, then
	}
	j := join{t: t}
	for _, v := range vars {
		j.slots = append(j.slots, &slot{of: v, python: t.python})
	}
	if len(vars) == 0 {
		nothing := func(f func() []kernel.Value) func() { return func() { f() } }
		t.k.IfElse(x.yes(), nothing(j.part(then)), nothing(j.part(otherwise)))
		return nil
	}
	out := t.k.IfElseCarryAll(x.yes(), j.part(then), j.part(otherwise))
	if j.parts == 2 {
		j.give(out)
		t.remember(x, j.slots)
	}
	return nil
}
