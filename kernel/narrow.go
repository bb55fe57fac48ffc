package kernel

import (
	"math"

	"girih/dtype"
	"girih/internal/machine/lower"
	"girih/ptx"
)

// This file converts to and from types of 8 bits and less: e4m3 and e5m2 by the instructions of sm_89, and floats and
// integers of 6 and 4 bits by arithmetic that is exact on every chip.

// A minifloat is a float below 8 bits: a sign, an exponent and a mantissa, without infinities and NaN.
type minifloat struct {
	bits, mantissa, bias int64
	most                 float64
}

var minifloats = map[dtype.Type]minifloat{
	dtype.E2M1: {4, 1, 1, 6}, dtype.E2M3: {6, 3, 1, 7.5}, dtype.E3M2: {6, 2, 3, 28},
}

// ada is the first target with conversions of e4m3 and e5m2.
var ada = lower.Target{Chip: "sm_89", Version: ptx.Version{Major: 8, Minor: 1}}

func isFP8(t dtype.Type) bool { return t == dtype.E4M3 || t == dtype.E5M2 }

// isNarrow reports whether values of a type have conversions in this file.
func isNarrow(t dtype.Type) bool {
	_, ok := minifloats[t]
	return ok || isFP8(t) || (t.Kind() == dtype.Signed || t.Kind() == dtype.Natural) && t.Bits() < 8
}

// convertNarrow converts to or from a narrow type, over the type that the instructions know.
func (v Value) convertNarrow(t dtype.Type) Value {
	switch over := overType(v.typ, t); {
	case !isNarrow(v.typ) && v.typ != over:
		return v.Convert(over).Convert(t)
	case !isNarrow(v.typ):
		return v.narrow(t)
	case isFP8(v.typ):
		return v.fromFP8().Convert(t)
	case v.typ.Kind() == dtype.Float:
		return v.fromMinifloat().Convert(t)
	default:
		return v.fromFew().Convert(t)
	}
}

// overType returns the type from which values of type from are converted to a narrow type t.
func overType(from, t dtype.Type) dtype.Type {
	if t.Kind() == dtype.Float || from.Kind() == dtype.Float {
		return dtype.F32
	}
	return dtype.S32
}

// narrow converts an f32, or an s32 for integers from integers, to a narrow type.
func (v Value) narrow(t dtype.Type) Value {
	k := v.k
	m, mini := minifloats[t]
	switch {
	case isFP8(t):
		k.require(ada)
		o := ptx.Op("cvt.rn.satfinite" + t.PTX() + "x2.f32")
		return k.valueOf(k.let(ptx.B16, o, ptx.Bits32(0), v.reg), t)
	case mini:
		return v.toMinifloat(m, t)
	case v.typ == dtype.F32: // towards zero, saturated
		least, most := limits(t)
		bound := func(x int64) Value { return k.Number(dtype.S32, float64(x)) }
		v = v.Convert(dtype.S32).Max(bound(least)).Min(bound(most))
	}
	return k.valueOf(k.let(ptx.B16, "cvt.u16.u32", v.reg), t)
}

// fromFP8 returns an f16 of an e4m3 or e5m2: all of them are representable.
func (v Value) fromFP8() Value {
	k := v.k
	k.require(ada)
	both := k.let(ptx.B32, ptx.Op("cvt.rn.f16x2"+v.typ.PTX()+"x2"), v.reg)
	return k.valueOf(k.let(ptx.B16, "cvt.u16.u32", both), dtype.F16)
}

// fromFew returns an integer of 32 bits of an integer of fewer than 8.
func (v Value) fromFew() Value {
	t := dtype.U32
	if v.typ.Kind() == dtype.Signed {
		t = dtype.S32
	}
	k := v.k
	return k.valueOf(k.let(ptx.B32, "cvt.u32.u16", v.reg), t).Bfe(Int(0), Int(int64(v.typ.Bits())))
}

// fromMinifloat returns an f16. The exponent and the mantissa become the fields of an f16, which is 2^(15-bias) times
// too small, also for subnormal numbers.
func (v Value) fromMinifloat() Value {
	k, m := v.k, minifloats[v.typ]
	x := k.valueOf(k.let(ptx.B32, "cvt.u32.u16", v.reg), dtype.U32)
	sign := x.Bfe(Int(m.bits-1), Int(1)).Shl(Int(15))
	h := x.Bfe(Int(0), Int(m.bits-1)).Shl(Int(10 - m.mantissa)).Or(sign)
	y := k.valueOf(k.let(ptx.B16, "cvt.u16.u32", h.reg), dtype.F16)
	return y.Mul(k.Number(dtype.F16, math.Ldexp(1, int(15-m.bias))))
}

// toMinifloat rounds an f32 to the nearest number of a minifloat, even if two are equally near, and to the largest one
// beyond the range. A NaN becomes the largest one.
//
// For |v| in [2^e, 2^(e+1)), e at least 1-bias, the numbers are the multiples of 2^(e-mantissa): rint of v divided by
// that is exact. The quotient of the number and 2^(15-bias) is the f16 that fromMinifloat reads.
func (v Value) toMinifloat(m minifloat, t dtype.Type) Value {
	k := v.k
	bits := func(x int64) Value { return k.Number(dtype.U32, float64(x)) }
	size := v.Abs().Min(k.Number(dtype.F32, m.most))
	e := size.Bitcast(dtype.U32).Shr(Int(23)).Max(bits(128 - m.bias))
	scale := bits(254 + m.mantissa).Sub(e).Shl(Int(23)).Bitcast(dtype.F32)
	back := e.Sub(bits(m.mantissa)).Shl(Int(23)).Bitcast(dtype.F32)
	near := size.Mul(scale).Round().Mul(back).Mul(k.Number(dtype.F32, math.Ldexp(1, int(m.bias-15))))
	h := k.valueOf(k.let(ptx.B32, "cvt.u32.u16", near.Convert(dtype.F16).reg), dtype.U32).Shr(Int(10 - m.mantissa))
	sign := v.Bitcast(dtype.U32).Shr(Int(31)).Shl(Int(m.bits - 1))
	sign = k.Select(v.IsNaN(), bits(0), sign)
	return k.valueOf(k.let(ptx.B16, "cvt.u16.u32", h.Or(sign).reg), t)
}

// pairOps are the conversions of two elements at once: from f32, whose elements have a register each, and between
// halves and bytes, by the types from which and to which they convert.
var pairOps = map[[2]dtype.Type]ptx.Op{
	{dtype.F32, dtype.F16}: "cvt.rn.f16x2.f32", {dtype.F32, dtype.BF16}: "cvt.rn.bf16x2.f32",
	{dtype.F32, dtype.E4M3}: "cvt.rn.satfinite.e4m3x2.f32", {dtype.F32, dtype.E5M2}: "cvt.rn.satfinite.e5m2x2.f32",
	{dtype.F16, dtype.E4M3}: "cvt.rn.satfinite.e4m3x2.f16x2", {dtype.F16, dtype.E5M2}: "cvt.rn.satfinite.e5m2x2.f16x2",
	{dtype.E4M3, dtype.F16}: "cvt.rn.f16x2.e4m3x2", {dtype.E5M2, dtype.F16}: "cvt.rn.f16x2.e5m2x2",
}

// convertPair converts elements i and i+1 of a fragment by one instruction, if there is one and the elements of both
// fragments are neighbours.
func (k *K) convertPair(a, b side, i int) bool {
	o := pairOps[[2]dtype.Type{a.root.elem, b.root.elem}]
	if o == "" || !k.neighbours(b, i) {
		return false
	}
	from := func(i, n int, t ptx.Type) ptx.Operand { return k.take(a, vector{n, []int{i, i + n - 1}}, t)[0] }
	var sources []ptx.Operand
	switch {
	case a.root.elem == dtype.F32:
		sources = []ptx.Operand{from(i+1, 1, ptx.B32), from(i, 1, ptx.B32)}
	case !k.neighbours(a, i):
		return false
	default:
		typ := ptx.Type(ptx.B32)
		if isFP8(a.root.elem) {
			typ = ptx.B16
		}
		sources = []ptx.Operand{from(i, 2, typ)}
	}
	if isFP8(a.root.elem) || isFP8(b.root.elem) {
		k.require(ada)
	}
	if isFP8(b.root.elem) {
		k.put(b, vector{2, []int{i, i + 1}}, []ptx.Name{k.let(ptx.B16, o, sources...)}, Cond{k: k})
		return true
	}
	k.refuseUnfinished(b.root)
	n, _ := k.number(b, i)
	k.emit(o, append([]ptx.Operand{b.root.word(n)}, sources...)...)
	return true
}

// neighbours reports whether elements i and i+1 of a fragment begin at an even place, so that they share a register.
func (k *K) neighbours(s side, i int) bool {
	if i+1 >= len(s.elements) {
		return false
	}
	n, ok := k.number(s, i)
	next, _ := k.number(s, i+1)
	return ok && n%2 == 0 && next == n+1
}
