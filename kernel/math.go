package kernel

import (
	"cmp"
	"fmt"
	"math"

	"girih/cute"
	"girih/dtype"
	"girih/ptx"
)

// This file defines quotients, roots, exponentials, conversions and comparisons of values; value.go defines sums and
// products. The PTX ISA 9.0 states the errors of the approximate instructions; docs/simulator.md compares package
// sim and an H200 with them.

// Neg returns -v. It fails with [cute.CodeType] unless the type is f32, f64, f16, bf16, s32 or s64.
func (v Value) Neg() Value { return v.compute("neg") }

// Rcp returns 1/v, rounded to nearest: rcp.rn. It fails with [cute.CodeType] unless the type is f32 or f64.
func (v Value) Rcp() Value { return v.compute("rcp") }

// Sqrt returns the root of v, rounded to nearest: sqrt.rn. It fails with [cute.CodeType] unless the type is f32 or f64.
func (v Value) Sqrt() Value { return v.compute("sqrt") }

// Exp2 returns 2 to the power v: ex2.approx, within 2 units in the last place of an f32. An f16 or bf16 is within
// 2^-9.9 or 2^-7 of it, and bf16 needs sm_90. It fails with [cute.CodeType] for other types.
func (v Value) Exp2() Value { return v.compute("exp2") }

// Log2 returns the logarithm of v to base 2: lg2.approx. The error is at most 2^-22: relative, but absolute for v from
// 0.5 to 2. It fails with [cute.CodeType] unless the type is f32.
func (v Value) Log2() Value { return v.compute("log2") }

// Exp returns e to the power v as CUDA's __expf does: Exp2 of v·log2(e). That product is rounded, so the error grows
// with the size of v. It fails with [cute.CodeType] unless the type is f32.
func (v Value) Exp() Value {
	if v.typ != dtype.F32 || !v.k.live() {
		return v.compute("exp")
	}
	return v.Mul(v.k.Number(dtype.F32, math.Log2E)).Exp2()
}

// Log returns the natural logarithm of v as CUDA's __logf does: Log2 of v times ln(2). It fails with [cute.CodeType]
// unless the type is f32.
func (v Value) Log() Value {
	if v.typ != dtype.F32 || !v.k.live() {
		return v.compute("log")
	}
	return v.Log2().Mul(v.k.Number(dtype.F32, math.Ln2))
}

// Abs returns the size of v. It fails with [cute.CodeType] unless the type is f16, bf16, f32, f64, s32 or s64.
func (v Value) Abs() Value { return v.compute("abs") }

// Rsqrt returns 1/√v: rsqrt.approx, within 2^-22.9 of an f32, relatively. It fails with [cute.CodeType] unless the type
// is f32 or f64.
func (v Value) Rsqrt() Value { return v.compute("rsqrt") }

// Sin returns the sine of v: sin.approx, within 2^-20.5 from -2π to 2π and within 2^-14.7 to 100π. It fails with
// [cute.CodeType] unless the type is f32.
func (v Value) Sin() Value { return v.compute("sin") }

// Cos returns the cosine of v: cos.approx, with the error of [Value.Sin].
func (v Value) Cos() Value { return v.compute("cos") }

// Tanh returns the hyperbolic tangent of v: tanh.approx, within 2^-11 of an f32, relatively, and within 2^-10.98 of an
// f16 and 2^-8 of a bf16, which needs sm_90. It fails with [cute.CodeType] for other types.
func (v Value) Tanh() Value { return v.compute("tanh") }

// Floor returns the largest whole number that is not above v, as a float. It fails with [cute.CodeType] unless the type
// is f16, bf16, f32 or f64; bf16 needs sm_90.
func (v Value) Floor() Value { return v.compute("floor") }

// Ceil returns the smallest whole number that is not below v, with the errors of [Value.Floor].
func (v Value) Ceil() Value { return v.compute("ceil") }

// Trunc returns v without its fraction, with the errors of [Value.Floor].
func (v Value) Trunc() Value { return v.compute("trunc") }

// Round returns the whole number nearest to v, and the even one between two, with the errors of [Value.Floor].
func (v Value) Round() Value { return v.compute("round") }

// Div returns v/w: floats are rounded to nearest (div.rn), integers towards zero. It fails with [cute.CodeType] for
// values of different types, and unless the type is f32, f64 or an integer of 32 or 64 bits.
func (v Value) Div(w Value) Value { return v.compute("div", w) }

// Less returns the condition v < w, which is false for a NaN. It fails with the [cute.CodeType] of [Value.Add].
func (v Value) Less(w Value) Cond { return v.compare("lt", w) }

// Equal returns the condition v = w, which is false for a NaN. It fails with the [cute.CodeType] of [Value.Add].
func (v Value) Equal(w Value) Cond { return v.compare("eq", w) }

func (v Value) compare(how string, w Value) Cond {
	k := anyLive(v.k, w.k)
	switch {
	case v.k == nil && w.k == nil:
		return Cond{k: wrong(cute.CodeType, "the value is none").k(), state: state{never: true}}
	case k == nil || !k.takes("compare", v, w):
		return Cond{k: cmp.Or(v.k, w.k), state: state{never: true}}
	}
	typ, ok := k.operation("compare", v.typ)
	if ok && v.typ != w.typ {
		k.refuse("compare", cute.CodeType, "expected values of one type, found %v and %v", v.typ, w.typ)
	}
	if k.err != nil {
		return Cond{k: k, state: state{never: true}}
	}
	return Cond{k: k, terms: &terms{holds: []ptx.Operand{k.let(ptx.Pred, "setp."+ptx.Op(how)+typ, v.reg, w.reg)}}}
}

// Select returns v if the condition holds and w otherwise. It fails with [cute.CodeType] for values of different types.
func (k *K) Select(c Cond, v, w Value) Value {
	if !k.takes("select", v, w) || !k.meets("select", c) {
		return v
	}
	switch {
	case v.typ != w.typ:
		k.advise("Convert one of them").refuse("select", cute.CodeType,
			"expected two values of one type, found %v and %v", v.typ, w.typ)
		return v
	case c.never:
		return w
	}
	p := k.predicate(c)
	if p == nil || k.err != nil {
		return v
	}
	typ := valueType(v.typ)
	return Value{k, k.let(typ, "selp."+ptx.Op(typ), v.reg, w.reg, p), v.typ}
}

// valueType is the type of the register of a value.
func valueType(t dtype.Type) ptx.Type {
	if t.Bits() < 32 {
		return ptx.B16
	}
	typ, _ := registerType(t)
	return typ
}

// Convert returns v as another type. To a float it rounds to nearest even, and gives infinity beyond the range; from a
// float to an integer it rounds towards zero, and saturates beyond the range; between integers it keeps the low bits.
// Between a 16-bit float and an f64 or an integer it goes through f32.
//
// To e4m3, e5m2, e3m2, e2m3 and e2m1 it goes through f32 too, and gives the largest number beyond the range, as
// .satfinite does; e4m3 and e5m2 need sm_89. To integers below 8 bits it goes through f32 or s32. It fails with
// [cute.CodeType] for other types.
func (v Value) Convert(t dtype.Type) Value {
	k, from := v.k, v.typ
	if !k.live() || !k.takes("convert", v) || from == t {
		return v
	}
	for _, x := range []dtype.Type{from, t} {
		if _, ok := shapes[x]; !ok && !isNarrow(x) {
			k.refuse("convert", cute.CodeType,
				"expected f16, bf16, f32, f64, e4m3, e5m2, e3m2, e2m3, e2m1 or integers up to 64 bits, found %v to %v", from, t)
			return v
		}
	}
	switch {
	case isNarrow(from), isNarrow(t):
		return v.convertNarrow(t)
	case isHalf(from) && t != dtype.F32, isHalf(t) && from != dtype.F32:
		return v.Convert(dtype.F32).Convert(t)
	case from == dtype.BF16: // cvt.f32.bf16 needs sm_90
		x := k.let(ptx.B32, "cvt.u32.u16", v.reg)
		return Value{k, k.let(ptx.B32, "shl.b32", x, ptx.Int(16)), t}
	}
	return Value{k, k.let(valueType(t), "cvt"+rounding(from, t)+ptx.Op(t.PTX()+from.PTX()), v.reg), t}
}

func isHalf(t dtype.Type) bool { return t == dtype.F16 || t == dtype.BF16 }

// rounding returns the modifier of cvt that rounds.
func rounding(from, to dtype.Type) ptx.Op {
	float, toFloat := from.Kind() == dtype.Float, to.Kind() == dtype.Float
	switch {
	case float && !toFloat:
		return ".rzi"
	case toFloat && (!float || to.Bits() < from.Bits()):
		return ".rn"
	}
	return ""
}

// Convert sets the elements of a fragment to the converted elements of another one, rounded as [Value.Convert] does:
// f32 accumulators need it before they go to a tensor of halves. It fails with the [cute.CodeNotCongruent] of [K.Copy],
// and [cute.CodeType] for tensors that are not in registers, or types that Value.Convert does not know.
func (k *K) Convert(src, dst Tensor) {
	const op = "convert"
	if !k.has(op, src, dst) {
		return
	}
	if src.Space() != Registers || dst.Space() != Registers {
		k.repair("copy it to a fragment first", &cute.Error{
			Code: cute.CodeType, Op: op, Msg: fmt.Sprintf("expected two fragments, found %v and %v", src, dst),
		})
		return
	}
	a, b := side{src.root, k.elements(op, src)}, side{dst.root, k.elements(op, dst)}
	if len(a.elements) != len(b.elements) || !alikeModes(src, dst) {
		k.refuse(op, cute.CodeNotCongruent, "expected modes of the same sizes in %v as in %v", dst, src)
		return
	}
	k.again(op, b, a)
	a = k.before(a, b)
	for i := 0; i < len(a.elements); i++ {
		if k.convertPair(a, b, i) {
			i++
			continue
		}
		if k.err != nil {
			return
		}
		x := k.take(a, vector{1, []int{i}}, valueType(src.root.elem))[0]
		k.put1(b, i, Value{k, x, src.root.elem}.Convert(dst.root.elem))
	}
}

// shapes are the types that [Value.Convert] knows.
var shapes = map[dtype.Type]struct{}{
	dtype.F16: {}, dtype.BF16: {}, dtype.F32: {}, dtype.F64: {},
	dtype.S8: {}, dtype.S16: {}, dtype.S32: {}, dtype.S64: {}, dtype.U8: {}, dtype.U16: {}, dtype.U32: {}, dtype.U64: {},
}
