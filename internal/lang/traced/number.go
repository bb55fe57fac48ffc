package traced

import (
	"math"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// An index is an integer that differs from thread to thread.
type index struct {
	kernel.Index
	unsigned bool // its C++ type wraps below 0
	signed   bool // it may be below 0
}

// indexOf returns the integer that a value is.
func indexOf(v interp.Value) (index, bool) {
	if x, ok := v.(*interp.Traced); ok {
		i, ok := x.Of.(index)
		return i, ok
	}
	n, ok := interp.Integer(v)
	return index{Index: kernel.Int(n), signed: n < 0}, ok
}

// number returns the number of elements that a value is, as a number of a type.
func (t *Tracer) number(v interp.Value, typ dtype.Type) (kernel.Value, bool) {
	if x, ok := v.(*interp.Traced); ok {
		switch of := x.Of.(type) {
		case kernel.Value:
			return of.Convert(typ), true
		case index:
			return t.k.ValueOf(of.Index, typ), true
		}
		return kernel.Value{}, false
	}
	n, ok := interp.Number(v)
	if !ok {
		return kernel.Value{}, false
	}
	return t.k.Number(typ, n), true
}

// Operator computes an operator.
func (t *Tracer) Operator(op string, args []interp.Value) (interp.Value, error) {
	if v, ok, err := t.indexOperator(op, args); ok || err != nil {
		return v, err
	}
	if v, ok := condOperator(op, args); ok {
		return v, nil
	}
	if v, ok := t.valueOperator(op, args); ok {
		return v, nil
	}
	return nil, refuse(cute.CodeNotRepresentable, "compute with CuTe's tensors, or with integers and numbers of one type",
		"the operator %s of values that differ from thread to thread is not followed here", strings.TrimPrefix(op, "unary "))
}

// shadowInt returns the integer of thread 0 that an operator has; nil if it is not known.
func shadowInt(op string, a, b interp.Value) interp.Value {
	x, _ := interp.ShadowOf(a)
	y, _ := interp.ShadowOf(b)
	n, okX := interp.Integer(x)
	m, okY := interp.Integer(y)
	if !okX || !okY {
		return nil
	}
	switch op {
	case "+":
		n += m
	case "-":
		n -= m
	case "*":
		n *= m
	case "/", "//":
		if m == 0 {
			return nil
		}
		n /= m
	case "%":
		if m == 0 {
			return nil
		}
		n %= m
	}
	if _, isPython := x.(interp.Int); isPython {
		return interp.Int(n)
	}
	return interp.CInt{Bits: uint64(n), Type: interp.CIntType, Static: true}
}

// indexOperator computes an operator of integers; ok is false for other values and operators.
func (t *Tracer) indexOperator(op string, args []interp.Value) (v interp.Value, ok bool, err error) {
	a, ok := indexOf(args[0])
	if !ok {
		return nil, false, nil
	}
	if len(args) == 1 {
		return indexUnary(op, a, args[0])
	}
	b, ok := indexOf(args[1])
	if !ok {
		return nil, false, nil
	}
	if (a.unsigned || b.unsigned) && (a.signed || b.signed) {
		return nil, false, wraps()
	}
	if c, ok := compareIndex(op, a, b); ok {
		return &interp.Traced{Of: c}, true, nil
	}
	out, ok := a.combine(op, b)
	if ok && !out.fits() {
		return nil, false, wraps()
	}
	return &interp.Traced{Of: out, Shadow: shadowInt(op, args[0], args[1])}, ok, nil
}

// fits sets whether an integer may be below 0, and reports whether it stays within the 32 bits of its type.
func (a *index) fits() bool {
	a.signed = !a.AtLeast(kernel.Int(0)).Always()
	least, most := int64(math.MinInt32), int64(math.MaxInt32)
	if a.unsigned {
		least, most = 0, math.MaxUint32
	}
	return a.AtLeast(kernel.Int(least)).Always() && a.Less(kernel.Int(most+1)).Always()
}

// wraps refuses an integer that may leave its type.
func wraps() error {
	return refuse(cute.CodeNotRepresentable, "convert threadIdx.x to int first, and keep products small",
		"an integer that may leave the 32 bits of its type, an unsigned one that may be below 0, is not followed")
}

// indexUnary computes an operator, or a conversion, of one integer.
func indexUnary(op string, a index, v interp.Value) (interp.Value, bool, error) {
	switch op {
	case "int":
		if a.unsigned = false; !a.fits() {
			return nil, false, wraps()
		}
		return &interp.Traced{Of: a, Shadow: v.(*interp.Traced).Shadow}, true, nil
	case "unary +":
		return v, true, nil
	}
	return nil, false, nil
}

// combine computes a OP b; ok is false for other operators, and for divisions that package kernel does not have.
func (a index) combine(op string, b index) (out index, ok bool) {
	out = index{unsigned: a.unsigned || b.unsigned, signed: a.signed || b.signed}
	n, known := b.Int64()
	divides := known && n > 0 && !out.signed
	switch {
	case op == "+":
		out.Index = a.Add(b.Index)
	case op == "*":
		out.Index = a.Mul(b.Index)
	case op == "-":
		out.Index = a.Sub(b.Index)
	case (op == "/" || op == "//") && divides:
		out.Index = a.Div(n)
	case op == "%" && divides:
		out.Index = a.Mod(n)
	default:
		return out, false
	}
	return out, true
}

// compareIndex compares two integers; ok is false for other operators.
func compareIndex(op string, a, b index) (c kernel.Cond, ok bool) {
	switch op {
	case "<":
		return a.Less(b.Index), true
	case ">=":
		return a.AtLeast(b.Index), true
	case ">":
		return b.Less(a.Index), true
	case "<=":
		return b.AtLeast(a.Index), true
	case "==":
		return a.Equal(b.Index), true
	case "!=":
		return a.Equal(b.Index).Not(), true
	}
	return c, false
}

// condOperator computes an operator of conditions; ok is false for other values.
func condOperator(op string, args []interp.Value) (interp.Value, bool) {
	var cs []kernel.Cond
	for i, v := range args {
		x, ok := v.(*interp.Traced)
		if !ok {
			n, isInt := interp.Integer(v)
			if !isInt || i == 0 || len(args) < 2 {
				return nil, false
			}
			if (n != 0) == (op == "&&") { // x && true, x || false
				return args[0], true
			}
			return v, op == "&&" || op == "||"
		}
		c, ok := x.Of.(kernel.Cond)
		if !ok {
			return nil, false
		}
		cs = append(cs, c)
	}
	var c kernel.Cond
	switch op {
	case "&&":
		c = cs[0].And(cs[1])
	case "||":
		c = cs[0].Or(cs[1])
	case "unary !", "unary not":
		c = cs[0].Not()
	case "bool":
		c = cs[0]
	default:
		return nil, false
	}
	return &interp.Traced{Of: c}, true
}

// elementType returns the type of the elements among operands; ok is false if there are several types, or other values.
func elementType(args []interp.Value) (typ dtype.Type, ok bool) {
	for _, v := range args {
		x, isTraced := v.(*interp.Traced)
		if !isTraced {
			continue
		}
		of, isValue := x.Of.(kernel.Value)
		if !isValue || typ != 0 && typ != of.Type() {
			return 0, false
		}
		typ = of.Type()
	}
	return typ, true
}

// promotes reports whether C++ computes in a larger type because of a number: a float and the double 0.5.
func promotes(v interp.Value, typ dtype.Type) bool {
	switch v := v.(type) {
	case *interp.Traced:
		return false
	case interp.CFloat:
		return typ != dtype.F64 && (typ != dtype.F32 || !v.Single)
	case interp.Element:
		return v.Type != typ
	}
	return typ.Bits() < 32
}

// valueOperator computes an operator of elements; ok is false for other values.
func (t *Tracer) valueOperator(op string, args []interp.Value) (interp.Value, bool) {
	typ, ok := elementType(args)
	if !ok {
		return nil, false
	}
	if slices.ContainsFunc(args, func(v interp.Value) bool { return promotes(v, typ) }) {
		return nil, false
	}
	if op == "float" && typ.Bits() <= 32 && typ.Kind() == dtype.Float {
		typ = dtype.F32
	}
	var list []kernel.Value
	for _, v := range args {
		x, ok := t.number(v, typ)
		if !ok {
			return nil, false
		}
		list = append(list, x)
	}
	a, b := list[0], list[len(list)-1]
	switch op {
	case "<":
		return &interp.Traced{Of: a.Less(b)}, true
	case ">":
		return &interp.Traced{Of: b.Less(a)}, true
	}
	x, ok := compute(op, a, b)
	return &interp.Traced{Of: x}, ok
}

// compute computes a OP b, or OP a.
func compute(op string, a, b kernel.Value) (kernel.Value, bool) {
	switch op {
	case "float":
		return a, true
	case "+":
		return a.Add(b), true
	case "-":
		return a.Sub(b), true
	case "*":
		return a.Mul(b), true
	case "/":
		return a.Div(b), true
	case "unary -":
		return a.Neg(), true
	}
	return a, false
}

// If runs the parts of a condition.
func (t *Tracer) If(cond *interp.Traced, then, otherwise func() error) error {
	c, ok := cond.Of.(kernel.Cond)
	if !ok {
		i, isIndex := cond.Of.(index)
		if !isIndex {
			return refuse(cute.CodeNotRepresentable, "compare it with a number", "this condition of elements is not followed")
		}
		c = i.Equal(kernel.Int(0)).Not()
	}
	var failed error
	keep := func(f func() error) func() {
		return func() {
			if failed == nil {
				failed = f()
			}
		}
	}
	t.k.IfElse(c, keep(then), keep(otherwise))
	return failed
}
