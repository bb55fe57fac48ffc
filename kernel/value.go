package kernel

import (
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
	"girih/ptx"
)

// A Value is a number in a register: a result of [K.Load] or of arithmetic.
type Value struct {
	k   *K
	reg ptx.Name
	typ dtype.Type
}

// Type returns the type of the number.
func (v Value) Type() dtype.Type { return v.typ }

// Load returns the element of t at a coordinate: a number for each mode, or one linear index, t(i), which counts along
// the first mode first. It has the errors of [K.Slice], [cute.CodeUnknown] for a linear index into run-time extents,
// and [cute.CodeMode] if the element may be outside of the tensor: use [K.If] and [K.InBounds] there.
func (k *K) Load(t Tensor, coord ...Index) (out Value) {
	d := k.does(&emit.Step{Op: "load", Of: of(t), At: k.coords(coord...), Type: t.Elem()})
	defer func() { d.value(out) }()
	s, ok := k.one("load", t, coord)
	if !ok {
		return Value{k: k, typ: dtype.F32, reg: ptx.Sink}
	}
	reg := k.load(s, vector{1, []int{0}}, Cond{k: k})[0]
	if typ := valueType(s.root.elem); t.root.space == Registers && typ != ptx.B16 {
		reg = k.let(typ, "mov."+ptx.Op(typ), reg) // a store may change the element while the value is in use
	}
	return Value{k, reg, t.root.elem}
}

// Store sets the element of t at a coordinate. It has the errors of [K.Load], and [cute.CodeType] for a value of
// another type.
func (k *K) Store(v Value, t Tensor, coord ...Index) {
	defer k.does(&emit.Step{Op: "store", Of: append(of(t), k.stepsOf(v)...), At: k.coords(coord...)}).end()
	s, ok := k.one("store", t, coord)
	if !ok || !k.takes("store", v) {
		return
	}
	if v.typ != t.root.elem {
		k.refuse("store", cute.CodeType, "expected a value of type %v, found %v", t.root.elem, v.typ)
		return
	}
	k.put1(s, 0, v)
}

// one returns the element at a coordinate, and refuses an element that may be outside despite the enclosing conditions.
func (k *K) one(op string, t Tensor, coord []Index) (side, bool) {
	k.narrow = nil
	at, ok := k.point(op, t, coord)
	if !ok {
		return side{}, false
	}
	if at.root.space > Registers {
		k.refuse(op, cute.CodeType, "%v has no elements in memory or registers", t)
		return side{}, false
	}
	e := k.placer(at).element(make([]int64, len(at.origin)))
	for _, l := range e.cond.less() {
		if !k.holds(l) {
			k.outside(op, side{t.root, []element{e}}, 0)
			return side{}, false
		}
	}
	e.cond = k.sure
	return side{t.root, []element{e}}, k.space()
}

// point returns the tensor of the element at a coordinate, and refuses a coordinate that leaves a mode open.
func (k *K) point(op string, t Tensor, coord []Index) (Tensor, bool) {
	if k.err != nil || !k.has(op, t) {
		return t, false
	}
	if len(coord) == 1 && len(t.modes) > 1 && coord[0] != Open {
		return k.pointAt(op, t, coord[0])
	}
	at := k.Slice(t, coord...)
	if k.err == nil && len(at.modes) > 0 {
		k.advise("give a number for each mode").refuse(op, cute.CodeRank,
			"expected the coordinate of one element of %v, found %d open modes", t, len(at.modes))
	}
	return at, k.err == nil
}

// pointAt returns the tensor of the element at a linear index, which counts along the first mode first: t(i).
func (k *K) pointAt(op string, t Tensor, i Index) (Tensor, bool) {
	l, ok := k.layoutOf(op, t)
	if !ok {
		return t, false
	}
	x := k.expr(i)
	out := Tensor{root: t.root, view: t.at(t.origin)}
	k.inside(op, out, 0, [2]address.Expr{x, k.s.Const(l.Size())})
	if t.root.extents == nil && t.root.space != Registers {
		x = k.wrap(x, l.Size())
	}
	out.origin, out.home = k.shiftAlong(t.origin, mode{layout: l}, x), innermost(out.home, i.home())
	return out, k.space()
}

// wrap returns x modulo n for an index into several modes that may be negative, because layouts refuse those. The
// result is x where x is inside, which is checked elsewhere.
func (k *K) wrap(x address.Expr, n int64) address.Expr {
	if lo, _ := x.Range(); lo < 0 {
		return k.s.Mod(x, n)
	}
	return x
}

// Number returns a constant; floats are rounded to nearest. It fails with [cute.CodeType] for a type that has no
// arithmetic, for a number beyond its range, and for a fraction in an integer type.
func (k *K) Number(t dtype.Type, x float64) (out Value) {
	d := k.does(&emit.Step{Op: "number", X: x, Type: t})
	defer func() { d.value(out) }()
	code, err := t.Encode(x)
	if err != nil {
		k.fail(&cute.Error{Code: cute.CodeType, Op: "number", Msg: err.Error()})
		return Value{k: k, reg: ptx.Sink, typ: t}
	}
	if y, _ := t.Decode(code); y != x && (isInteger(t) || math.IsInf(y, 0)) {
		k.refuse("number", cute.CodeType, "%v has no number %v, the nearest is %v", t, x, y)
	}
	typ := valueType(t)
	reg := k.let(typ, "mov."+ptx.Op(typ), ptx.Int(int64(code)))
	k.constants[reg] = code
	return Value{k, reg, t}
}

// constant returns the number of a value, if it is a constant. After a [Value.Bitcast] its bits are another number.
func (k *K) constant(v Value) (x float64, known bool) {
	code, ok := k.constants[v.reg]
	if !ok {
		return 0, false
	}
	x, err := v.typ.Decode(code)
	return x, err == nil
}

// Scalar returns a parameter that is a number of 32 or 64 bits. It fails with [cute.CodeType] for another width.
func (k *K) Scalar(name string, t dtype.Type) Value {
	if t.Bits() < 32 || t.Bits() > 64 {
		k.refuse("scalar", cute.CodeType, "%s has %d bits: expected 32 or 64", name, t.Bits())
		return Value{k: k, reg: ptx.Sink, typ: dtype.F32}
	}
	typ, _ := registerType(t)
	reg := k.param(typ, Param{Name: name, Type: t})
	k.first[reg] = name
	d := k.does(&emit.Step{Op: "scalar", Name: name, Type: t})
	d.value(Value{k, reg, t})
	return Value{k, reg, t}
}

// Add returns v + w, rounded to nearest; integers wrap. Like the other methods, it fails with [cute.CodeType] for
// values of different types, and for types other than f32, f64, f16, bf16 and integers of 32 or 64 bits. Add, Sub and
// Mul of bf16 need sm_90.
func (v Value) Add(w Value) Value { return v.compute("add", w) }

// Sub returns v - w.
func (v Value) Sub(w Value) Value { return v.compute("sub", w) }

// Mul returns v·w.
func (v Value) Mul(w Value) Value { return v.compute("mul", w) }

// FMA returns v·w + x; floats are rounded once.
func (v Value) FMA(w, x Value) Value { return v.compute("fma", w, x) }

// Max returns the larger of v and w; if one of them is a NaN, it returns the other.
func (v Value) Max(w Value) Value { return v.compute("max", w) }

// Min returns the smaller of v and w; if one of them is a NaN, it returns the other.
func (v Value) Min(w Value) Value { return v.compute("min", w) }
