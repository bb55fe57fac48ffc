package interp

import (
	"math"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/python"
)

// This file implements the operations of the CuTe DSL on vectors, which t.load() returns, and on elements: functions of
// cute.math, comparison, reduction, broadcasting and slices.

// mathFunctions lists the functions of cute.math. Each result is rounded once, to the type of the operand.
var mathFunctions = map[string]func(float64) float64{
	"sqrt": math.Sqrt, "rsqrt": func(x float64) float64 { return 1 / math.Sqrt(x) }, "sin": math.Sin, "cos": math.Cos,
	"tan": math.Tan, "exp": math.Exp, "exp2": math.Exp2, "log": math.Log, "log2": math.Log2, "log10": math.Log10,
	"tanh": math.Tanh, "erf": math.Erf, "floor": math.Floor, "ceil": math.Ceil, "absf": math.Abs, "acos": math.Acos,
	"asin": math.Asin, "atan": math.Atan,
}

func init() {
	for name, call := range map[string]func(r *runner, c *arguments) (Value, error){
		"where": where, "full": fullVector, "full_like": fullLike, "make_ptr": makePointer, "dtype": torchType,
		"zeros_like": func(r *runner, c *arguments) (Value, error) {
			c.pos = append(c.pos[:min(1, len(c.pos))], Int(0))
			return fullLike(r, c)
		},
		"ones_like": func(r *runner, c *arguments) (Value, error) {
			c.pos = append(c.pos[:min(1, len(c.pos))], Int(1))
			return fullLike(r, c)
		},
	} {
		cuteNames[name] = &Builtin{Name: name, Call: call, Always: true}
	}
	op := &ClassType{Name: "ReductionOp", names: make(map[string]*cell)}
	for name := range reductions {
		op.names[name] = &cell{v: Str("ReductionOp." + name)}
	}
	cuteNames["ReductionOp"] = op
	objectFunctions["max"], objectFunctions["min"] = elementExtreme("max", ">"), elementExtreme("min", "<")
}

// reductions maps the members of ReductionOp to the operator on two elements; ">" and "<" choose the greater and the
// smaller element.
var reductions = map[string]string{"ADD": "+", "MUL": "*", "MAX": ">", "MIN": "<"}

// mathFunction returns a function of cute.math that accepts an element or a vector.
func mathFunction(name string) Value {
	f := mathFunctions[name]
	if f == nil {
		return nil
	}
	return &Builtin{Name: "cute.math." + name, Always: true, Call: func(r *runner, c *arguments) (Value, error) {
		c.take("fastmath")
		if len(c.pos) != 1 || len(c.keys) > 0 {
			return nil, errorf(cute.CodeRank, "expected one argument, found %d", len(c.pos)+len(c.keys))
		}
		return r.eachElement(c.pos[0], func(v Value) (Value, error) {
			n, ok := numberOf(v)
			if !ok {
				return nil, errorf(cute.CodeType, "expected numbers, found %s", r.describe(v))
			}
			t := dtype.F32
			if e, ok := v.(Element); ok && e.Type.Kind() == dtype.Float {
				t = e.Type
			}
			return elementIn(t, number{isFloat: true, f: f(n.float())})
		})
	}}
}

// eachElement applies a function to a number, or to each element of a vector.
func (r *runner) eachElement(v Value, f func(v Value) (Value, error)) (Value, error) {
	of, ok := v.(Vector)
	if !ok {
		return f(v)
	}
	if err := r.hold(len(of.Elems) * python.ValueBytes); err != nil {
		return nil, err
	}
	out := Vector{Type: of.Type, Shape: of.Shape, Elems: make([]Value, len(of.Elems))}
	for i, x := range of.Elems {
		var err error
		if out.Elems[i], err = f(x); err != nil && x == (unset{}) {
			out.Elems[i], err = x, nil
		}
		if err != nil {
			return nil, err
		}
		if e, ok := out.Elems[i].(Element); ok {
			out.Type = e.Type
		}
	}
	return out, r.work(1 + len(out.Elems)/elementsPerStep)
}

// vectorCompare computes A OP B element by element; ok is false if neither is a Vector.
func (r *runner) vectorCompare(op string, a, b Value) (v Value, ok bool, err error) {
	return r.vectorPairs(a, b, func(p, q Value) (Value, error) {
		v, err := r.compare(op, p, q)
		is, _ := numberOf(v)
		return Element{Type: dtype.U1, N: is.n}, err
	})
}

// vectorPairs computes with each pair of elements of two vectors, or of a vector and a number. Modes of extent 1 are
// repeated.
func (r *runner) vectorPairs(a, b Value, f func(p, q Value) (Value, error)) (v Value, ok bool, err error) {
	x, isX := a.(Vector)
	y, isY := b.(Vector)
	switch {
	case !isX && !isY:
		return nil, false, nil
	case isX && isY && !x.Shape.Equal(y.Shape):
		if x, y, err = r.broadcastBoth(x, y); err != nil {
			return nil, true, err
		}
	}
	of := x
	if !isX {
		of = y
	}
	i := -1
	v, err = r.eachElement(of, func(Value) (Value, error) {
		i++
		p, q := a, b
		if isX {
			p = x.Elems[i]
		}
		if isY {
			q = y.Elems[i]
		}
		if p == (unset{}) || q == (unset{}) {
			return unset{}, nil
		}
		return f(p, q)
	})
	return v, true, err
}

// broadcastBoth repeats modes of extent 1 of two vectors, so that both have one shape.
func (r *runner) broadcastBoth(x, y Vector) (Vector, Vector, error) {
	s, t := vectorSizes(x), vectorSizes(y)
	out := make([]int64, max(len(s), len(t)))
	for i := range out {
		out[i] = 1
		for _, sizes := range [][]int64{s, t} {
			if i < len(sizes) {
				out[i] = max(out[i], sizes[i])
			}
		}
	}
	x, err := r.broadcast(x, out)
	if err == nil {
		y, err = r.broadcast(y, out)
	}
	return x, y, err
}

// vectorSizes returns the extents of the modes of a vector.
func vectorSizes(v Vector) []int64 {
	if v.Shape.IsInt() {
		return v.Shape.Leaves()
	}
	var sizes []int64
	for _, m := range v.Shape.Modes() {
		n, _ := m.Product() // the product fits, because a tensor has this shape
		sizes = append(sizes, n)
	}
	return sizes
}

// broadcast implements v.broadcast_to(shape).
func (r *runner) broadcast(v Vector, sizes []int64) (Vector, error) {
	from := vectorSizes(v)
	for len(from) < len(sizes) {
		from = append(from, 1)
	}
	total := int64(1)
	for i, n := range sizes {
		if len(from) != len(sizes) || from[i] != n && from[i] != 1 {
			return v, errorf(cute.CodeNotCongruent, "expected each extent of %v to be 1 or the extent in %v", v.Shape,
				cute.Ints(sizes...))
		}
		total *= n
	}
	out := Vector{Type: v.Type, Shape: cute.Ints(sizes...)}
	if err := r.hold(int(total) * python.ValueBytes); err != nil {
		return out, err
	}
	for i := range total {
		index, scale, rest := int64(0), int64(1), i
		for k, n := range sizes {
			index += min(rest%n, from[k]-1) * scale
			scale *= from[k]
			rest /= n
		}
		out.Elems = append(out.Elems, v.Elems[index])
	}
	return out, r.work(1 + int(total)/elementsPerStep)
}

// isAt reports whether an element of a vector has the given coordinates. A coordinate None matches every element.
func (v Vector) isAt(coord []Value, index int64) bool {
	for i, n := range vectorSizes(v) {
		if given, ok := integerOf(coord[i]); ok && given != index%n {
			return false
		}
		index /= n
	}
	return true
}

// vectorItem evaluates v[COORD].
func (r *runner) vectorItem(v Vector, i Value) (Value, error) {
	if i == (None{}) {
		return v, nil
	}
	sizes := vectorSizes(v)
	coord, ok := i.(Tuple)
	if n, isInt := integerOf(i); isInt {
		if n < 0 || n >= int64(len(v.Elems)) {
			return nil, errorf(cute.CodeCodomain, "expected an index below %d, found %d", len(v.Elems), n)
		}
		return v.Elems[n], nil
	}
	if !ok || len(coord) != len(sizes) {
		return nil, errorf(cute.CodeNotCongruent, "expected a coordinate in %v, found %s", v.Shape, r.describe(i))
	}
	kept, err := keptModes(coord, sizes)
	if err != nil {
		return nil, err
	}
	out := Vector{Type: v.Type, Shape: cute.Ints(kept...)}
	for index, x := range v.Elems {
		if v.isAt(coord, int64(index)) {
			out.Elems = append(out.Elems, x)
		}
	}
	if len(kept) == 0 {
		return out.Elems[0], nil
	}
	return out, r.work(1 + len(v.Elems)/elementsPerStep)
}

// keptModes returns the extents of the modes whose coordinate is None. It refuses a coordinate outside its mode.
func keptModes(coord Tuple, sizes []int64) (kept []int64, err error) {
	for k, c := range coord {
		n, isInt := integerOf(c)
		switch {
		case !isInt && c != (None{}):
			return nil, errorf(cute.CodeSyntax, "a coordinate within a mode of a vector is not run")
		case isInt && (n < 0 || n >= sizes[k]):
			return nil, errorf(cute.CodeCodomain, "expected a coordinate below %d in mode %d, found %d", sizes[k], k, n)
		case !isInt:
			kept = append(kept, sizes[k])
		}
	}
	return kept, nil
}

// reduce implements v.reduce(op, init, reduction_profile). It reduces all modes, or the modes that are not None in the
// profile.
func (r *runner) reduce(v Vector, c *arguments) (Value, error) {
	for i, name := range []string{"init_val", "reduction_profile"} {
		if given := c.take(name); given != nil {
			c.pos = append(c.pos[:min(i+1, len(c.pos))], given)
		}
	}
	if len(c.pos) != 3 {
		return nil, errorf(cute.CodeRank, "expected reduce(op, init, reduction_profile), found %d arguments", len(c.pos))
	}
	text, _ := c.pos[0].(Str)
	op := reductions[strings.TrimPrefix(string(text), "ReductionOp.")]
	first, ok := numberOf(c.pos[1])
	if op == "" || !ok {
		return nil, errorf(cute.CodeType, "expected reduce(ReductionOp.ADD, 0, reduction_profile), found %s",
			r.describe(c.pos[0]))
	}
	start, err := elementIn(v.Type, first)
	if err != nil {
		return nil, err
	}
	sizes := vectorSizes(v)
	profile, isTuple := c.pos[2].(Tuple)
	if !isTuple {
		profile = make(Tuple, len(sizes))
		for i := range profile {
			profile[i] = Int(0)
		}
	}
	if len(profile) != len(sizes) {
		return nil, errorf(cute.CodeNotCongruent, "expected a profile for %v, found %s", v.Shape, r.describe(c.pos[2]))
	}
	out, err := r.reduceTo(v, profile, op, start)
	if err != nil || isTuple {
		return out, err
	}
	return out.Elems[0], nil
}

// reduceTo reduces the modes of a vector that are not None in the profile.
func (r *runner) reduceTo(v Vector, profile Tuple, op string, start Value) (out Vector, err error) {
	var kept []int64
	total := int64(1)
	for i, n := range vectorSizes(v) {
		if profile[i] == (None{}) {
			kept = append(kept, n)
			total *= n
		}
	}
	out = Vector{Type: v.Type, Shape: cute.Ints(kept...), Elems: make([]Value, total)}
	for i := range out.Elems {
		out.Elems[i] = start
	}
	for i, x := range v.Elems {
		k := v.keptIndex(profile, int64(i))
		if out.Elems[k], err = r.fold2(op, out.Elems[k], x); err != nil {
			return out, err
		}
	}
	return out, r.work(1 + len(v.Elems))
}

// keptIndex returns the index of an element among the modes that are None in the profile.
func (v Vector) keptIndex(profile []Value, index int64) int64 {
	kept, scale := int64(0), int64(1)
	for i, n := range vectorSizes(v) {
		if profile[i] == (None{}) {
			kept += index % n * scale
			scale *= n
		}
		index /= n
	}
	return kept
}

// fold2 computes A OP B; for ">" and "<" it returns the greater or the smaller value.
func (r *runner) fold2(op string, a, b Value) (Value, error) {
	if op != ">" && op != "<" {
		return r.combine(op, a, b, nowhere)
	}
	is, err := r.compare(op, b, a)
	if n, _ := numberOf(is); n.n != 0 {
		return b, err
	}
	return a, err
}

// elementExtreme implements max and min. Elements of the CuTe DSL are compared in the wider of their types.
func elementExtreme(name, op string) func(r *runner, c *arguments) (Value, error) {
	return func(r *runner, c *arguments) (Value, error) {
		t, found := dtype.Type(0), false
		for _, v := range c.pos {
			if e, ok := v.(Element); ok {
				if t, found = wider(e.Type, t), true; t == 0 {
					t = e.Type
				}
			}
		}
		if !found || len(c.pos) < 2 || len(c.keys) > 0 {
			for _, v := range c.pos {
				if isAlgebra(v) && isOperation(name) {
					return r.callValues(name, c.pos...)
				}
			}
			return r.py.Call(name, c.pos, c.keys)
		}
		best := c.pos[0]
		for _, v := range c.pos[1:] {
			var err error
			if best, err = r.fold2(op, best, v); err != nil {
				return nil, err
			}
		}
		n, _ := numberOf(best)
		return elementIn(t, n)
	}
}

// where implements cute.where(cond, x, y).
func where(r *runner, c *arguments) (Value, error) {
	if len(c.pos) != 3 {
		return nil, errorf(cute.CodeRank, "expected a condition and two values, found %d arguments", len(c.pos))
	}
	cond, ok := c.pos[0].(Vector)
	if !ok {
		return nil, errorf(cute.CodeType, "expected a vector as the condition, found %s", r.describe(c.pos[0]))
	}
	i := -1
	return r.eachElement(cond, func(is Value) (Value, error) {
		i++
		n, _ := numberOf(is)
		v := c.pos[2]
		if n.n != 0 {
			v = c.pos[1]
		}
		if of, ok := v.(Vector); ok {
			if len(of.Elems) != len(cond.Elems) {
				return nil, errorf(cute.CodeNotCongruent, "expected vectors of %v, found one of %v", cond.Shape, of.Shape)
			}
			return of.Elems[i], nil
		}
		return v, nil
	})
}

// fullLike implements cute.full_like(x, value, dtype) of a vector or a tensor.
func fullLike(r *runner, c *arguments) (Value, error) {
	if len(c.pos) < 2 {
		return nil, errorf(cute.CodeRank, "expected a tensor and a number, found %d arguments", len(c.pos))
	}
	v, ok := c.pos[0].(Vector)
	if a, isTensor := c.pos[0].(Algebra); isTensor && a.isTensor() {
		v, ok = Vector{Type: a.typ, Shape: a.view().Shape()}, true
	}
	if !ok {
		return nil, errorf(cute.CodeType, "expected a tensor, found %s", r.describe(c.pos[0]))
	}
	c.pos = []Value{r.hostTuple(v.Shape), c.pos[1], TypeValue{Name: v.Type.DSL()}}
	return fullVector(r, c)
}

// fullVector implements cute.full(shape, value, dtype).
func fullVector(r *runner, c *arguments) (Value, error) {
	if by := c.take("dtype"); by != nil {
		c.pos = append(c.pos[:min(2, len(c.pos))], by)
	}
	if v := c.take("fill_value"); v != nil && len(c.pos) > 0 {
		c.pos = append(c.pos[:1:1], append([]Value{v}, c.pos[1:]...)...)
	}
	if len(c.pos) != 3 {
		return nil, errorf(cute.CodeRank, "expected a shape, a number and a type, found %d arguments", len(c.pos))
	}
	t, ok := elementTypeOf(c.pos[2])
	n, isNumber := numberOf(c.pos[1])
	l, err := r.layoutOf(c.pos[:1])
	if err != nil {
		return nil, err
	}
	if !ok || !isNumber {
		return nil, errorf(cute.CodeType, "expected a number and a type of elements")
	}
	x, err := elementIn(t, n)
	if err != nil {
		return nil, err
	}
	shape, size := shapeOf(l)
	const most = 1 << 22
	if size > most {
		return nil, errorf(cute.CodeLimit, "expected at most %d elements, found %d", most, size)
	}
	v := Vector{Type: t, Shape: shape, Elems: make([]Value, size)}
	return r.eachElement(v, func(Value) (Value, error) { return x, nil })
}

// shapeOf returns the shape of a layout, and its size.
func shapeOf(l cute.Inner) (cute.Tuple, int64) {
	if c, ok := l.(cute.Composed); ok {
		l = c.Layout()
	}
	of := l.(cute.Layout) // a Layout is the only other type
	return of.Shape(), of.Size()
}

// makePointer implements make_ptr(type, address): it returns the address of an array as a pointer.
func makePointer(r *runner, c *arguments) (Value, error) {
	if len(c.pos) >= 2 {
		t, isType := elementTypeOf(c.pos[0])
		p, isAddress := c.pos[1].(Address)
		if isType && isAddress {
			w := *p.window
			w.host, w.numpy = false, false
			p.window = &w
			return p.as(t)
		}
	}
	return nil, errorf(cute.CodeType, "expected make_ptr(type, x.data_ptr()): an address that is a number has no memory here")
}

// torchType implements cutlass.torch.dtype(T).
func torchType(r *runner, c *arguments) (Value, error) {
	if len(c.pos) == 1 {
		if t, ok := elementTypeOf(c.pos[0]); ok {
			return TypeValue{Name: "torch." + t.Torch()}, nil
		}
	}
	return nil, errorf(cute.CodeType, "expected a type of the CuTe DSL")
}
