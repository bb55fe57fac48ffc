package traced

import (
	"math"
	"slices"
	"strings"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/interp"
	"girih/kernel"
	"girih/symbolic"
)

// This file computes with integers that differ from thread to thread: sums, products, bits and comparisons. An integer
// has the 64 bits of package kernel, so each result is proved to stay within its type.

// An index is an integer that differs from thread to thread.
type index struct {
	kernel.Index
	typ interp.CType // its type in C++; CNone for an Int32 of the CuTe DSL
}

// limits returns the least and the largest number of a type of integers. Of 64 bits it returns 62, so that differences
// are numbers too.
func limits(t interp.CType) (least, most int64) {
	n, signed := t.Bits()
	switch {
	case n == 0:
		return math.MinInt32, math.MaxInt32
	case n == 64:
		least, most = -1<<62, 1<<62
	case signed:
		least, most = -1<<(n-1), 1<<(n-1)-1
	default:
		most = 1<<n - 1
	}
	if !signed {
		least = 0
	}
	return least, most
}

// fits reports whether an integer is known to stay within its type.
func (a index) fits() bool {
	least, most := limits(a.typ)
	lo, hi := a.Range()
	return (lo >= least || a.AtLeast(kernel.Int(least)).Always()) && (hi <= most || a.Less(kernel.Int(most+1)).Always())
}

// isNatural reports whether an integer is known to be at least 0.
func (a index) isNatural() bool {
	lo, _ := a.Range()
	return lo >= 0 || a.AtLeast(kernel.Int(0)).Always()
}

// isSigned reports whether numbers of a type may be negative.
func isSigned(t interp.CType) bool {
	_, signed := t.Bits()
	return signed || t == interp.CNone
}

// value returns the value for an integer.
func (a index) value(shadow interp.Value) *interp.Traced {
	return &interp.Traced{Of: a, Shadow: shadow, Type: a.typ}
}

// A flag is an integer that is 1 where a condition holds, and 0 elsewhere: uint32_t first_warp = threadIdx.x < 32. It
// is the condition again where one is needed.
type flag struct {
	index
	of cond
}

// indexOf returns the integer that a value is.
func indexOf(v interp.Value) (index, bool) {
	if x, ok := v.(*interp.Traced); ok {
		if f, isFlag := x.Of.(flag); isFlag {
			return f.index, true
		}
		i, ok := x.Of.(index)
		return i, ok
	}
	n, ok := interp.Integer(v)
	return index{kernel.Int(n), interp.TypeOfNumber(v)}, ok
}

// integer is indexOf, and returns 0 or 1 for a condition.
func (t *Tracer) integer(v interp.Value) (index, bool) {
	c, isCond := condOf(v)
	if !isCond || t.python {
		return indexOf(v)
	}
	one := t.k.Select(c.yes(), t.k.Number(dtype.S32, 1), t.k.Number(dtype.S32, 0))
	return index{one.Index(symbolic.Facts{Max: 1}), interp.CIntType}, true
}

// Operator computes an operator.
func (t *Tracer) Operator(op string, args []interp.Value) (interp.Value, error) {
	sign := strings.TrimPrefix(op, "unary ")
	for _, f := range []func(op string, args []interp.Value) (interp.Value, bool, error){
		t.columnsOperator, t.vectorOperator, t.condOperator, t.valueOperator, t.indexOperator,
	} {
		v, ok, err := f(op, args)
		if err != nil {
			if w, ok, wrong := t.bitsOperator(op, args); ok && wrong == nil {
				return w, nil
			}
		}
		if ok || err != nil {
			return v, err
		}
	}
	if v, ok, err := t.bitsOperator(op, args); ok || err != nil {
		return v, err
	}
	return nil, refuse(cute.CodeNotRepresentable, "compute with CuTe's tensors, or with integers and numbers of one type",
		"the operator %s of values that differ from thread to thread is not followed here", sign)
}

// bitsOperator computes an operator of integers that the indices of package kernel do not have, or whose result may
// leave its type, with elements: unsigned ones wrap, and so do those whose overflow is undefined in C++.
func (t *Tracer) bitsOperator(op string, args []interp.Value) (v interp.Value, ok bool, err error) {
	if t.python {
		return nil, false, nil
	}
	typ := interp.CIntType
	for i, x := range args {
		if _, ok := t.integer(x); !ok {
			return nil, false, nil
		}
		if isShift := op == "<<" || op == ">>"; i == 0 || !isShift {
			typ = interp.CommonType(typ, interp.TypeOfNumber(x))
		}
	}
	a, okA := t.lowBits(args[0], elementTypes[typ])
	last := args[len(args)-1]
	if i, isIndex := indexOf(last); isIndex && okA && (op == "<<" || op == ">>") {
		out, ok := shift(op, a, i.Index)
		return t.value(out), ok, nil
	}
	b, okB := t.lowBits(last, elementTypes[typ])
	if !okA || !okB {
		return nil, false, nil
	}
	return t.combine(op, a, b)
}

// lowBits returns an integer as an element of a type, with the low bits if it exceeds that.
func (t *Tracer) lowBits(v interp.Value, typ dtype.Type) (kernel.Value, bool) {
	i, ok := t.integer(v)
	if !ok || typ == 0 {
		return kernel.Value{}, false
	}
	if n, known := i.Int64(); known {
		return t.number(interp.CInt{Bits: uint64(n), Type: interp.CLong}, typ)
	}
	return t.k.ValueOf(i.Index, dtype.S64).Convert(typ), true
}

// shadowInt returns the integer of thread 0 that an operator has; nil if it is not known.
func shadowInt(op string, args []interp.Value) interp.Value {
	list := make([]index, len(args))
	isPython := false
	for i, v := range args {
		x, _ := interp.ShadowOf(v)
		n, ok := interp.Integer(x)
		if !ok {
			return nil
		}
		list[i].Index = kernel.Int(n)
		_, isPython = x.(interp.Int)
	}
	out, ok := list[0].combine(op, list[len(list)-1])
	if !ok {
		return nil
	}
	n, _ := out.Int64()
	if isPython {
		return interp.Int(n)
	}
	return interp.CInt{Bits: uint64(n), Type: interp.CIntType, Static: true}
}

// indexOperator computes an operator of integers; ok is false for other values and operators.
func (t *Tracer) indexOperator(op string, args []interp.Value) (v interp.Value, ok bool, err error) {
	var list [2]index
	for i, v := range args {
		if list[i], ok = t.integer(v); !ok {
			return nil, false, nil
		}
	}
	a, b := list[0], list[1]
	if len(args) == 1 {
		return t.unary(op, a, args[0])
	}
	typ := t.common(a.typ, b.typ)
	if isShift := op == "<<" || op == ">>"; isShift {
		typ = t.common(a.typ, interp.CIntType) // the type of b does not count
	} else if !isSigned(typ) && !(a.isNatural() && b.isNatural()) {
		return nil, false, wraps()
	}
	if c, ok := compareIndex(op, a, b); ok {
		return t.truth(c), true, nil
	}
	if t.python && op == "/" {
		return nil, false, nil // a float
	}
	out, ok := a.combine(op, b)
	if out.typ = typ; ok && !out.fits() {
		return nil, false, wraps()
	}
	return out.value(shadowInt(op, args)), ok, nil
}

// unary computes an operator of one integer.
func (t *Tracer) unary(op string, a index, v interp.Value) (interp.Value, bool, error) {
	switch op {
	case "unary +":
		a.typ = t.common(a.typ, interp.CIntType)
		return a.value(v.(*interp.Traced).Shadow), true, nil
	case "unary -":
		return t.indexOperator("-", []interp.Value{interp.CInt{Type: interp.CIntType}, v})
	}
	return nil, false, nil
}

// common returns the type in which the program computes with numbers of two types.
func (t *Tracer) common(a, b interp.CType) interp.CType {
	if t.python {
		return interp.CNone
	}
	return interp.CommonType(a, b)
}

// wraps refuses an integer that may leave its type.
func wraps() error {
	return refuse(cute.CodeNotRepresentable, "convert threadIdx.x to int first, and keep products small",
		"an integer that may leave the bits of its type, an unsigned one that may be below 0, is not followed")
}

// sums are the operators that all integers have.
var sums = map[string]func(a, b kernel.Index) kernel.Index{
	"+": kernel.Index.Add, "-": kernel.Index.Sub, "*": kernel.Index.Mul, "min": kernel.Index.Min, "max": kernel.Index.Max,
}

// combine computes a OP b, min(a, b) or max(a, b); ok is false for other operators, for divisions that package kernel
// does not have, and for bits of numbers that may be negative.
func (a index) combine(op string, b index) (out index, ok bool) {
	n, known := b.Int64()
	if f := sums[op]; f != nil {
		return index{Index: f(a.Index, b.Index)}, true
	}
	switch op {
	case "/", "//", "%":
		if !known || n < 1 || !a.isNatural() {
			return out, false
		}
		if out.Index = a.Div(n); op == "%" {
			out.Index = a.Mod(n)
		}
	case "<<", ">>":
		if !known || n < 0 || n > 31 {
			return out, false
		}
		if out.Index = a.Mul(kernel.Int(1 << n)); op == ">>" {
			out.Index = a.Div(1 << n)
		}
	default:
		return a.bits(op, b)
	}
	return out, true
}

// bits computes a OP b for &, | and ^.
func (a index) bits(op string, b index) (out index, ok bool) {
	var f func(i, j kernel.Index) kernel.Index
	switch op {
	case "&":
		f = kernel.Index.And
	case "|":
		f = kernel.Index.Or
	case "^":
		f = kernel.Index.Xor
	default:
		return out, false
	}
	if !a.isNatural() || !b.isNatural() {
		return out, false
	}
	for _, x := range []index{a, b} {
		if lo, hi := x.Range(); lo < 0 || hi > 1<<32 { // what is known here only is not known to package kernel
			return out, false
		}
	}
	out.Index = f(a.Index, b.Index)
	return out, true
}

// compareIndex compares two integers; ok is false for other operators.
func compareIndex(op string, a, b index) (c cond, ok bool) {
	switch op {
	case "<":
		return less(a, b), true
	case ">=":
		return less(a, b).negate(), true
	case ">":
		return less(b, a), true
	case "<=":
		return less(b, a).negate(), true
	case "==":
		return equal(a, b), true
	case "!=":
		return equal(a, b).negate(), true
	}
	return c, false
}

// Convert converts a value to a type of numbers of C++, and to a bool for a condition of the CuTe DSL.
func (t *Tracer) Convert(v *interp.Traced, to interp.CType) (interp.Value, error) {
	if to == interp.CBool {
		if c, ok := t.asCond(v); ok {
			return t.truth(c), nil
		}
		return nil, refuse(cute.CodeNotRepresentable, "compare it with a number", "this condition is not followed")
	}
	n, _ := to.Bits()
	c, isCond := v.Of.(cond)
	if isCond && n > 0 && c.elects() { // int leader = elect_one_sync()
		return &interp.Traced{Of: c, Shadow: v.Shadow, Type: to}, nil
	}
	i, isInteger := t.integer(v)
	switch {
	case n > 0 && isInteger:
		if i.typ = to; isCond && !t.python {
			return &interp.Traced{Of: flag{i, c}, Shadow: v.Shadow, Type: to}, nil
		} else if i.fits() {
			return i.value(v.Shadow), nil
		}
		if x, ok := t.lowBits(v, elementTypes[to]); ok && !t.python {
			return t.value(x), nil
		}
		return nil, wraps()
	case elementTypes[to] == 0:
		return nil, refuse(cute.CodeNotRepresentable, "take float, int or unsigned",
			"a conversion to this type is not followed")
	}
	x, ok := t.number(v, elementTypes[to])
	if !ok {
		return nil, refuse(cute.CodeNotRepresentable, "convert a number", "this conversion is not followed")
	}
	return t.value(x), nil
}

// isOneOf reports whether a value is a number of the program, and differs between no threads.
func isConstant(v interp.Value) bool {
	_, traced := v.(*interp.Traced)
	_, isNumber := interp.Number(v)
	return !traced && isNumber
}

// differ returns the values that differ from thread to thread.
func differ(args []interp.Value) (out []*interp.Traced) {
	for _, v := range args {
		if x, ok := v.(*interp.Traced); ok {
			out = append(out, x)
		}
	}
	return slices.Clip(out)
}

// least implements min and max of two integers of one type.
func least(op string) function {
	return func(t *Tracer, c *interp.TracedCall) (interp.Value, error) {
		if len(c.Args) != 2 || len(c.Keys) > 0 || t.python {
			return nil, unknown(c)
		}
		a, isInt := t.integer(c.Args[0])
		b, isIntToo := t.integer(c.Args[1])
		if !isInt || !isIntToo || a.typ != b.typ {
			return nil, unknown(c)
		}
		out, _ := a.combine(op, b)
		out.typ = a.typ
		return out.value(shadowInt(op, c.Args)), nil
	}
}
