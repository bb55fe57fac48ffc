package traced

import (
	"math"
	"slices"

	"girih/dtype"
	"girih/internal/lang/interp"
	"girih/kernel"
)

// This file computes with elements. C++ converts the operands to their common type first, and so does this.

// elementTypes has the types of elements that are numbers of C++.
var elementTypes = map[interp.CType]dtype.Type{
	interp.CSingle: dtype.F32, interp.CDouble: dtype.F64, interp.CIntType: dtype.S32, interp.CUInt: dtype.U32,
	interp.CLong: dtype.S64, interp.CULong: dtype.U64, interp.CLongLong: dtype.S64, interp.CULongLong: dtype.U64,
	interp.CSChar: dtype.S8, interp.CUChar: dtype.U8, interp.CChar: dtype.S8, interp.CShort: dtype.S16,
	interp.CUShort: dtype.U16,
}

// numberTypes has the types of C++ of elements; a type that is missing, such as half_t, is a class.
var numberTypes = map[dtype.Type]interp.CType{
	dtype.F32: interp.CSingle, dtype.F64: interp.CDouble, dtype.S32: interp.CIntType, dtype.U32: interp.CUInt,
	dtype.S64: interp.CLong, dtype.U64: interp.CULong, dtype.S8: interp.CSChar, dtype.U8: interp.CUChar,
	dtype.S16: interp.CShort, dtype.U16: interp.CUShort,
}

// value returns the value for an element.
func (t *Tracer) value(x kernel.Value) *interp.Traced {
	out := &interp.Traced{Of: x}
	if !t.python {
		if out.Type = numberTypes[x.Type()]; out.Type == interp.CNone {
			out.Elem = x.Type()
		}
	}
	return out
}

// number returns the number of elements that a value is, as a number of a type.
func (t *Tracer) number(v interp.Value, typ dtype.Type) (kernel.Value, bool) {
	if x, ok := v.(*interp.Traced); ok {
		switch of := x.Of.(type) {
		case kernel.Value:
			return of.Convert(typ), true
		case index, flag, cond:
			i, ok := t.integer(v)
			switch {
			case !ok:
				return kernel.Value{}, false
			case typ.Kind() == dtype.Natural && !i.isNatural(): // the bits of a negative number
				return t.k.ValueOf(i.Index, dtype.S64).Convert(typ), true
			}
			return t.k.ValueOf(i.Index, typ), true
		}
		return kernel.Value{}, false
	}
	n, ok := interp.Number(v)
	if _, isInt := interp.Integer(v); !ok || isInt && math.Abs(n) > 1<<53 {
		return kernel.Value{}, false
	}
	if typ.Kind() == dtype.Natural && n < 0 {
		return t.k.Number(dtype.S64, math.Trunc(n)).Convert(typ), true
	}
	return t.k.Number(typ, n), true
}

// commonType returns the type in which an operator of elements computes; ok is false if there is none here.
func (t *Tracer) commonType(op string, args []interp.Value) (typ dtype.Type, ok bool) {
	classes, common := 0, interp.CIntType
	if op == "<<" || op == ">>" {
		args = args[:1]
	}
	for _, v := range args {
		if class := t.classOf(v); class != 0 {
			if classes++; typ != 0 && typ != class {
				return 0, false
			}
			typ = class
			continue
		}
		if !t.python {
			common = interp.CommonType(common, interp.TypeOfNumber(v))
		}
	}
	switch {
	case t.python && typ == 0:
		return dtype.F32, keepsType(args, dtype.F32)
	case t.python:
		return typ, keepsType(args, typ)
	case classes > 0:
		return typ, classes == len(args)
	}
	typ, ok = elementTypes[common]
	return typ, ok
}

// classOf returns the type of an element whose type is a class of C++, such as half_t, and of each element of Python; 0
// for other values.
func (t *Tracer) classOf(v interp.Value) dtype.Type {
	switch x := v.(type) {
	case *interp.Traced:
		if of, isValue := x.Of.(kernel.Value); isValue && (t.python || x.Type == interp.CNone) {
			return of.Type()
		}
	case interp.Element:
		if !t.python {
			return x.Type
		}
	}
	return 0
}

// keepsType reports whether the CuTe DSL computes in a type although operands are numbers of other types.
func keepsType(args []interp.Value, typ dtype.Type) bool {
	for _, v := range args {
		x, isTraced := v.(*interp.Traced)
		_, isFloat := v.(interp.Float)
		switch {
		case isTraced && typ != dtype.F32:
			if _, isValue := x.Of.(kernel.Value); !isValue {
				return false
			}
		case !isTraced && typ.Bits() < 32, isFloat && typ.Kind() != dtype.Float:
			return false
		}
	}
	return true
}

// valueOperator computes an operator of elements; ok is false for other values.
func (t *Tracer) valueOperator(op string, args []interp.Value) (v interp.Value, ok bool, err error) {
	hasValue := slices.ContainsFunc(args, isFloat)
	for _, x := range differ(args) {
		_, isValue := x.Of.(kernel.Value)
		hasValue = hasValue || isValue
	}
	typ, ok := t.commonType(op, args)
	if !hasValue || !ok {
		return nil, false, nil
	}
	last := args[len(args)-1]
	a, okA := t.number(args[0], typ)
	if i, isIndex := indexOf(last); okA && (op == "<<" || op == ">>") {
		out, ok := shift(op, a, i.Index)
		return t.value(out), ok && isIndex && !t.python, nil
	}
	b, okB := t.number(last, typ)
	if !okA || !okB {
		return nil, false, nil
	}
	return t.combine(op, a, b)
}

// combine computes or compares elements of one type.
func (t *Tracer) combine(op string, a, b kernel.Value) (v interp.Value, ok bool, err error) {
	if c, ok := compareValues(op, a, b); ok {
		return t.truth(c), true, nil
	}
	if t.python && a.Type().Kind() != dtype.Float && (op == "/" || op == "%") {
		return nil, false, nil
	}
	out, ok := compute(op, a, b)
	return t.value(out), ok, nil
}

// shift computes a << n or a >> n.
func shift(op string, a kernel.Value, n kernel.Index) (kernel.Value, bool) {
	if lo, hi := n.Range(); lo < 0 || hi >= int64(a.Type().Bits()) || a.Type().Kind() == dtype.Float {
		return a, false
	}
	if op == "<<" {
		return a.Shl(n), true
	}
	return a.Shr(n), true
}

// compareValues compares two elements; ok is false for other operators.
func compareValues(op string, a, b kernel.Value) (c cond, ok bool) {
	switch op {
	case "<":
		return condition(a.Less(b)), true
	case ">":
		return condition(b.Less(a)), true
	case "<=":
		return condition(a.LessEqual(b)), true
	case ">=":
		return condition(b.LessEqual(a)), true
	case "==":
		return condition(a.Equal(b)), true
	case "!=":
		return condition(a.NotEqual(b)), true
	}
	return c, false
}

// negative returns -a; of an unsigned integer, with its bits.
func negative(a kernel.Value) kernel.Value {
	switch a.Type() {
	case dtype.U32:
		return a.Convert(dtype.S32).Neg().Convert(dtype.U32)
	case dtype.U64:
		return a.Convert(dtype.S64).Neg().Convert(dtype.U64)
	}
	return a.Neg()
}

// compute computes a OP b, or OP a.
func compute(op string, a, b kernel.Value) (kernel.Value, bool) {
	switch op {
	case "+":
		return a.Add(b), true
	case "-":
		return a.Sub(b), true
	case "*":
		return a.Mul(b), true
	case "/":
		return quotient(a, b), true
	case "unary -":
		return negative(a), true
	case "unary +":
		return a, true
	}
	if a.Type().Kind() == dtype.Float {
		return a, false
	}
	switch op {
	case "%":
		return a.Rem(b), true
	case "&":
		return a.And(b), true
	case "|":
		return a.Or(b), true
	case "^":
		return a.Xor(b), true
	case "unary ~":
		return a.Not(), true
	}
	return a, false
}
