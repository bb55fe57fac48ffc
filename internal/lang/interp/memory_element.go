package interp

import (
	"math"
	"strconv"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/eval"
	"girih/internal/lang/program"
	"girih/internal/lang/python"
)

// This file converts between the codes in a memory and the values of the program, and computes with element types that
// the host language lacks.

// fromCode returns the element of a window that has the given code.
func (r *runner) fromCode(w *window, code uint64) (Value, error) {
	if w.typ.Kind() != dtype.Float {
		n := int64(code)
		if w.typ.Kind() == dtype.Signed {
			spare := 64 - w.typ.Bits()
			n = int64(code<<spare) >> spare
		}
		return r.integerElement(w, n), nil
	}
	f, err := w.typ.Decode(code)
	if err != nil {
		return nil, err
	}
	switch {
	case r.lang == program.Cpp && w.typ == dtype.F32:
		return CFloat{F: f, Single: true}, nil
	case r.lang == program.Cpp && w.typ == dtype.F64:
		return CFloat{F: f}, nil
	case r.lang == program.Python && w.host && w.numpy && r.trace == nil:
		return Float(f), nil
	}
	return Element{Type: w.typ, F: f, torch: w.host && r.trace == nil}, nil
}

// integerElement returns an integer element.
func (r *runner) integerElement(w *window, n int64) Value {
	switch {
	case r.lang == program.Cpp:
		return CInt{Bits: uint64(n), Type: cTypeOfElement(w.typ)}
	case w.typ == dtype.U1 && !(w.host && !w.numpy && r.trace == nil):
		return Bool(n != 0)
	case w.host && w.numpy && r.trace == nil:
		return Int(n)
	}
	return Element{Type: w.typ, N: n, torch: w.host && r.trace == nil}
}

// cElements maps types of C++ to the same element types.
var cElements = map[CType]dtype.Type{
	CBool: dtype.U1, CChar: dtype.S8, CSChar: dtype.S8, CUChar: dtype.U8, CShort: dtype.S16, CUShort: dtype.U16,
	CIntType: dtype.S32, CUInt: dtype.U32, CLong: dtype.S64, CULong: dtype.U64,
	CLongLong: dtype.S64, CULongLong: dtype.U64,
	CSingle: dtype.F32, CDouble: dtype.F64,
}

// cTypeOfElement returns the C++ type of an integer element; for types smaller than a byte it is int.
func cTypeOfElement(t dtype.Type) CType {
	switch t {
	case dtype.U1:
		return CBool
	case dtype.S8:
		return CSChar
	case dtype.U8:
		return CUChar
	case dtype.S16:
		return CShort
	case dtype.U16:
		return CUShort
	case dtype.U32, dtype.B32:
		return CUInt
	case dtype.S64:
		return CLong
	case dtype.U64, dtype.B64:
		return CULong
	}
	return CIntType
}

// A number is a number of any type in the program.
type number struct {
	isFloat bool
	f       float64
	n       int64
}

// float returns the number as a float.
func (n number) float() float64 {
	if n.isFloat {
		return n.f
	}
	return float64(n.n)
}

// numberOf returns the number in a value; ok is false if the value is not a number.
func numberOf(v Value) (number, bool) {
	switch v := v.(type) {
	case CFloat:
		return number{isFloat: true, f: v.F}, true
	case Float:
		return number{isFloat: true, f: float64(v)}, true
	case Element:
		return number{v.Type.Kind() == dtype.Float, v.F, v.N}, true
	case Bool:
		if v {
			return number{n: 1}, true
		}
		return number{}, true
	}
	if a, ok := v.(Algebra); ok {
		if is, ok := withNumbers(a).(eval.Bool); ok {
			if is {
				return number{n: 1}, true
			}
			return number{}, true
		}
	}
	n, ok := integerOf(v)
	return number{n: n}, ok
}

// toCode returns the code of a value in a type, rounded to nearest. Types of 8 bits or fewer saturate, as the
// conversions of CUTLASS do; integers wrap around.
func (r *runner) toCode(t dtype.Type, v Value) (uint64, error) {
	n, ok := numberOf(v)
	if !ok {
		return 0, errorf(cute.CodeType, "expected a number as an element of type %v, found %s", t, r.describe(v))
	}
	return encode(t, n)
}

func encode(t dtype.Type, n number) (uint64, error) {
	mask := uint64(math.MaxUint64) >> (64 - t.Bits())
	switch {
	case t == dtype.TF32: // a tfloat32_t keeps the bits of the float; the tensor cores ignore the low ones
		return uint64(math.Float32bits(float32(n.float()))), nil
	case t.Kind() == dtype.Float && t.Bits() <= 8:
		return t.EncodeSaturating(n.float())
	case t.Kind() == dtype.Float && n.isFloat:
		return encodeFloat(t, n.f)
	case t.Kind() == dtype.Float:
		return t.EncodeInt(n.n)
	case t == dtype.U1:
		if n.float() != 0 {
			return 1, nil
		}
		return 0, nil
	case !n.isFloat:
		return uint64(n.n) & mask, nil
	}
	whole := math.Trunc(n.f)
	if !(math.Abs(whole) < 1<<63) { //nolint:staticcheck // it may be NaN
		return 0, errorf(cute.CodeOverflow, "%v exceeds the integers of type %v", n.f, t)
	}
	return uint64(int64(whole)) & mask, nil
}

// encodeFloat returns the code of a float. Types of 32 bits or more keep the sign of a NaN.
func encodeFloat(t dtype.Type, f float64) (uint64, error) {
	code, err := t.Encode(f)
	if t.Bits() >= 32 && f != f && math.Signbit(f) {
		code |= 1 << (t.Bits() - 1)
	}
	return code, err
}

// elementIn returns a number in a type of elements.
func elementIn(t dtype.Type, n number) (Value, error) {
	code, err := encode(t, n)
	if err != nil {
		return nil, err
	}
	if t.Kind() == dtype.Float {
		f, err := t.Decode(code)
		return Element{Type: t, F: f}, err
	}
	if t.Kind() == dtype.Signed {
		spare := 64 - t.Bits()
		code = uint64(int64(code<<spare) >> spare)
	}
	return Element{Type: t, N: int64(code)}, nil
}

// elementBinary computes A OP B if A or B is an Element; ok is false if neither is.
func (r *runner) elementBinary(op string, a, b Value) (v Value, ok bool, err error) {
	x, isX := a.(Element)
	y, isY := b.(Element)
	if !isX && !isY {
		return nil, false, nil
	}
	p, okP := numberOf(a)
	q, okQ := numberOf(b)
	if !okP || !okQ {
		return nil, true, errorf(cute.CodeType, "%s is no operation of %s and %s", op, r.describe(a), r.describe(b))
	}
	t := typeWith(x.Type, y.Type, p, q)
	switch {
	case isX && isY && (x.Type == y.Type || r.lang != program.Cpp):
		t = wider(x.Type, y.Type)
	case r.lang == program.Cpp: // the element is converted to float
		v, err = r.combine(op, cppElement(a), cppElement(b), program.Span{})
		return v, true, err
	}
	v, err = computeElement(op, t, p, q)
	if e, ok := v.(Element); ok {
		if e.F != e.F {
			e.F = python.NaN(1)
			if r.kernel == nil && e.Type.Bits() >= 32 {
				e.F = python.PassNaN(p.float(), q.float())
			}
		}
		e.torch = x.torch || y.torch
		v = e
	}
	return v, true, err
}

// typeWith returns the type in which the CuTe DSL combines an element with a Python number; the element is of type x or
// y. It is the type of the element, except that an integer element and a float give float.
func typeWith(x, y dtype.Type, p, q number) dtype.Type {
	switch {
	case x != 0 && (x.Kind() == dtype.Float || !q.isFloat):
		return x
	case x == 0 && (y.Kind() == dtype.Float || !p.isFloat):
		return y
	}
	return dtype.F32
}

// cppElement converts an element of C++ to float.
func cppElement(v Value) Value {
	if e, ok := v.(Element); ok {
		return CFloat{F: e.F, Single: true}
	}
	return v
}

// wider returns the type in which the CuTe DSL combines elements of two types: a floating-point type if there is one,
// and of two such types or two integer types the wider one.
func wider(a, b dtype.Type) dtype.Type {
	floatA, floatB := a.Kind() == dtype.Float, b.Kind() == dtype.Float
	switch {
	case floatA != floatB && floatA, floatA == floatB && a.Bits() >= b.Bits():
		return a
	}
	return b
}

// computeElement computes X OP Y, rounded to a type.
func computeElement(op string, t dtype.Type, x, y number) (Value, error) {
	if t.Kind() != dtype.Float && op != "/" {
		py := &python.Library{}
		v, err := py.Binary(op, Int(x.n), Int(y.n))
		if err != nil {
			return nil, err
		}
		n, _ := numberOf(v)
		return elementIn(t, n)
	}
	if t.Kind() != dtype.Float {
		t = dtype.F32
	}
	a, b := x.float(), y.float()
	switch op {
	case "+":
		a += b
	case "-":
		a -= b
	case "*":
		a *= b
	case "/":
		a /= b
	case "//":
		a = math.Floor(a / b)
	case "%":
		a -= math.Floor(a/b) * b
	case "**":
		a = math.Pow(a, b)
	default:
		return nil, errorf(cute.CodeType, "%s is no operation of elements of type %v", op, t)
	}
	return elementIn(t, number{isFloat: true, f: a})
}

// elementCompare compares A and B if at least one is an Element; ok is false if neither is.
func (r *runner) elementCompare(op string, a, b Value) (v Value, ok bool, err error) {
	_, isX := a.(Element)
	_, isY := b.(Element)
	if !isX && !isY {
		return nil, false, nil
	}
	x, okX := numberOf(a)
	y, okY := numberOf(b)
	if !okX || !okY {
		return nil, false, nil
	}
	pick := func(n number) Value {
		if n.isFloat {
			return Float(n.f)
		}
		return Int(n.n)
	}
	v, err = r.py.Compare(op, pick(x), pick(y))
	return r.runTimeBool(v), true, err
}

// runTimeBool returns the result of a comparison. In a function of the CuTe DSL, it is known only at run time.
func (r *runner) runTimeBool(v Value) Value {
	is, isBool := v.(Bool)
	switch {
	case !isBool:
	case r.lang == program.Cpp:
		return cBools[bool(is)]
	case r.trace != nil && bool(is):
		return Element{Type: dtype.U1, N: 1}
	case r.trace != nil:
		return Element{Type: dtype.U1}
	}
	return v
}

// elementUnary computes OP X for an Element.
func elementUnary(op string, x Element) (Value, error) {
	switch op {
	case "+":
		return x, nil
	case "-":
		return Element{Type: x.Type, F: -x.F, N: -x.N, torch: x.torch}, nil
	case "~":
		if x.Type.Kind() != dtype.Float {
			return elementIn(x.Type, number{n: ^x.N})
		}
	}
	return nil, errorf(cute.CodeType, "%s is no operation of an element of type %v", op, x.Type)
}

// plain converts an element of an array of PyTorch to a Python number. It returns any other value unchanged.
func plain(v Value) Value {
	e, ok := v.(Element)
	switch {
	case !ok || !e.torch:
		return v
	case e.Type.Kind() == dtype.Float:
		return Float(e.F)
	case e.Type == dtype.U1:
		return Bool(e.N != 0)
	}
	return Int(e.N)
}

// text returns the run-time text of an element.
func (e Element) text() string {
	if e.torch {
		cell := torchCells(e.Type, []number{{e.Type.Kind() == dtype.Float, e.F, e.N}})[0]
		if e.Type != dtype.F32 && e.Type != dtype.S64 && e.Type != dtype.U1 {
			cell += ", dtype=torch." + e.Type.Torch()
		}
		return "tensor(" + cell + ")"
	}
	if e.Type.Kind() == dtype.Float {
		return floatSpec{verb: 'f', precision: 6}.format(e.F)
	}
	return strconv.FormatInt(e.N, 10)
}

func isElement(v Value) bool {
	_, ok := v.(Element)
	return ok
}

// elementFrom evaluates T(x) for an element type T.
func (r *runner) elementFrom(t dtype.Type, c *arguments) (Value, error) {
	if len(c.pos) != 1 {
		return nil, errorf(cute.CodeRank, "expected one number, found %d arguments", len(c.pos))
	}
	if l, ok := c.pos[0].(Tuple); ok && len(l) == 1 { // the argument is in braces
		c.pos[0] = l[0]
	}
	n, ok := numberOf(c.pos[0])
	if !ok {
		return nil, errorf(cute.CodeType, "expected a number for %v, found %s", t, r.describe(c.pos[0]))
	}
	return elementIn(t, n)
}

// typeOfElement returns the C++ type of elements.
func typeOfElement(t dtype.Type) TypeValue {
	for c, e := range cElements {
		if e == t && c != CChar && c != CLongLong && c != CULongLong {
			return TypeValue{Name: cppTypeName(c), C: c}
		}
	}
	return TypeValue{Name: t.CPP()}
}
