package traced

import (
	"slices"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file has the vectors of the CuTe DSL, which t.load() returns and t.store() takes: TensorSSA. Operators compute
// element by element.

// A vector is the elements of a tensor as values, in the order of its linear index.
type vector struct{ elems []interp.Value }

func vectorOf(v interp.Value) (*vector, bool) {
	x, ok := v.(*interp.Traced)
	if !ok {
		return nil, false
	}
	of, ok := x.Of.(*vector)
	return of, ok
}

// eachElement applies a function to the elements of vectors; other operands are the same for all elements.
func eachElement(args []interp.Value, f func(args []interp.Value) (interp.Value, error)) (
	v interp.Value, ok bool, err error,
) {
	n := -1
	for _, a := range args {
		if of, ok := vectorOf(a); ok {
			if n >= 0 && n != len(of.elems) {
				return nil, false, refuse(cute.CodeNotRepresentable, "give both one shape",
					"vectors of %d and of %d elements are not followed", n, len(of.elems))
			}
			n = len(of.elems)
		}
	}
	if n < 0 {
		return nil, false, nil
	}
	out := &vector{make([]interp.Value, n)}
	for i := range n {
		own := slices.Clone(args)
		for j, a := range args {
			if of, ok := vectorOf(a); ok {
				own[j] = of.elems[i]
			}
		}
		if out.elems[i], err = f(own); err != nil {
			return nil, false, err
		}
	}
	return &interp.Traced{Of: out}, true, nil
}

// vectorOperator computes an operator of vectors; ok is false if there is none among the operands.
func (t *Tracer) vectorOperator(op string, args []interp.Value) (interp.Value, bool, error) {
	return eachElement(args, func(args []interp.Value) (interp.Value, error) { return t.Operator(op, args) })
}

// loadAll implements t.load().
func (t *Tracer) loadAll(c *interp.TracedCall) (interp.Value, error) {
	of, ok := t.of(c.Args[0])
	if !ok || of.axes != nil {
		return nil, unknown(c)
	}
	out := &vector{}
	for i := range of.t.Layout().Size() {
		v := interp.Value(nil)
		if of.preds != nil {
			var err error
			if v, err = t.predicate(of, kernel.Int(i)); err != nil {
				return nil, err
			}
		} else {
			v = t.value(t.k.Load(of.t, kernel.Int(i)))
		}
		out.elems = append(out.elems, v)
	}
	return &interp.Traced{Of: out}, nil
}

// storeAll implements t.store(vector).
func (t *Tracer) storeAll(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 2 {
		return nil, unknown(c)
	}
	of, ok := t.of(c.Args[0])
	v, isVector := vectorOf(c.Args[1])
	if !ok || !isVector || of.axes != nil {
		return nil, unknown(c)
	}
	if n := of.t.Layout().Size(); n != int64(len(v.elems)) {
		return nil, refuse(cute.CodeNotCongruent, "store a vector of the shape of the tensor",
			"expected a vector of %d elements, found %d", n, len(v.elems))
	}
	for i, x := range v.elems {
		at := kernel.Int(int64(i))
		if of.preds != nil {
			if err := t.setPredicate(of, x, at); err != nil {
				return nil, err
			}
			continue
		}
		e, isElement := elementOf(x)
		switch number, okNumber := t.number(x, of.t.Elem()); {
		case isElement && e.Type() != of.t.Elem(), !okNumber:
			return nil, refuse(cute.CodeType, "convert it: x.to(t.element_type)",
				"expected a vector of %v, as the tensor has, found another type", of.t.Elem())
		default:
			t.k.Store(number, of.t, at)
		}
	}
	return interp.None{}, nil
}

// where implements cute.where(condition, x, y).
func (t *Tracer) where(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 3 {
		return nil, unknown(c)
	}
	v, ok, err := eachElement(c.Args, func(args []interp.Value) (interp.Value, error) {
		typ, ok := t.commonType("?", args[1:])
		x, okX := t.number(args[1], typ)
		y, okY := t.number(args[2], typ)
		if !ok || !okX || !okY {
			return nil, unknown(c)
		}
		if isConstant(args[0]) {
			if n, _ := interp.Number(args[0]); n != 0 {
				return t.value(x), nil
			}
			return t.value(y), nil
		}
		cond, ok := t.asCond(args[0])
		if !ok {
			return nil, unknown(c)
		}
		return t.value(t.k.Select(cond.yes(), x, y)), nil
	})
	if err == nil && !ok {
		err = unknown(c)
	}
	return v, err
}

// convertElements implements x.to(type) of a vector or an element.
func (t *Tracer) convertElements(c *interp.TracedCall) (interp.Value, error) {
	if len(c.Args) != 2 {
		return nil, unknown(c)
	}
	typ, ok := interp.ElementTypeOf(c.Args[1])
	if !ok {
		return nil, unknown(c)
	}
	one := func(args []interp.Value) (interp.Value, error) {
		x, ok := t.number(args[0], typ)
		if !ok {
			return nil, unknown(c)
		}
		return t.value(x), nil
	}
	if v, ok, err := eachElement(c.Args[:1], one); ok || err != nil {
		return v, err
	}
	return one(c.Args[:1])
}

// functionsOfElements are the functions of cute.math and their names in package kernel. They are approximations.
var functionsOfElements = map[string]func(kernel.Value) kernel.Value{
	"exp": kernel.Value.Exp, "exp2": kernel.Value.Exp2, "log": kernel.Value.Log, "log2": kernel.Value.Log2,
	"sqrt": kernel.Value.Sqrt, "rsqrt": kernel.Value.Rsqrt, "sin": kernel.Value.Sin, "cos": kernel.Value.Cos,
	"tanh": kernel.Value.Tanh,
}

// elementFunction implements a function of cute.math.
func elementFunction(f func(kernel.Value) kernel.Value) function {
	return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
		if len(c.Args) != 1 || !t.python {
			return nil, unknown(c)
		}
		one := func(args []interp.Value) (interp.Value, error) {
			x, ok := elementOf(args[0])
			if !ok || x.Type() != dtype.F32 {
				return nil, unknown(c)
			}
			return t.value(f(x)), nil
		}
		if v, ok, err := eachElement(c.Args, one); ok || err != nil {
			return v, err
		}
		return one(c.Args)
	}
}

// reduce implements x.reduce(op, init, reduction_profile=0) of a vector: all elements in order.
func (t *Tracer) reduce(c *interp.TracedCall) (interp.Value, error) {
	v, ok := vectorOf(c.Args[0])
	name, _ := argument(c, 1, "op").(interp.Str)
	op := map[interp.Str]string{"ReductionOp.ADD": "+", "ReductionOp.MUL": "*"}[name]
	profile := argument(c, 3, "reduction_profile")
	if n, isInt := interp.Integer(profile); !ok || op == "" || profile != nil && (!isInt || n != 0) {
		return nil, unknown(c)
	}
	sum := argument(c, 2, "init_val")
	for _, x := range v.elems {
		var err error
		if sum, err = t.Operator(op, []interp.Value{sum, x}); err != nil {
			return nil, err
		}
	}
	return sum, nil
}

// argument returns an argument by its place or its name.
func argument(c *interp.TracedCall, at int, name string) interp.Value {
	if at < len(c.Args) {
		return c.Args[at]
	}
	return c.Keys[name]
}
