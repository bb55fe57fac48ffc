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
// products.

// unary are the instructions of one operand. The PTX ISA 9.0 states the errors of the approximate ones.
var unary = map[string]map[dtype.Type]ptx.Op{
	"rcp":  {dtype.F32: "rcp.rn.f32", dtype.F64: "rcp.rn.f64"},
	"sqrt": {dtype.F32: "sqrt.rn.f32", dtype.F64: "sqrt.rn.f64"},
	"exp2": {dtype.F32: "ex2.approx.f32"},
	"log2": {dtype.F32: "lg2.approx.f32"},
	"neg":  {dtype.F32: "neg.f32", dtype.F64: "neg.f64", dtype.S32: "neg.s32", dtype.S64: "neg.s64"},
}

// apply writes an instruction of one operand.
func (v Value) apply(name string) Value {
	o, ok := unary[name][v.typ]
	if !ok && v.k.live() {
		v.k.repair("convert it first: Value.Convert", &cute.Error{
			Code: cute.CodeType, Op: name, Msg: "there is no instruction for values " + v.typ.String(),
		})
		return v
	}
	return v.compute(o)
}

// Neg returns -v. It fails with [cute.CodeType] unless the type is f32, f64, s32 or s64.
func (v Value) Neg() Value { return v.apply("neg") }

// Rcp returns 1/v, rounded to nearest: rcp.rn. It fails with [cute.CodeType] unless the type is f32 or f64.
func (v Value) Rcp() Value { return v.apply("rcp") }

// Sqrt returns the root of v, rounded to nearest: sqrt.rn. It fails with [cute.CodeType] unless the type is f32 or f64.
func (v Value) Sqrt() Value { return v.apply("sqrt") }

// Exp2 returns 2 to the power v, within 2 units in the last place: ex2.approx. It fails with [cute.CodeType] unless the
// type is f32.
func (v Value) Exp2() Value { return v.apply("exp2") }

// Log2 returns the logarithm of v to base 2: lg2.approx. The error is at most 2^-22: relative, but absolute for v from
// 0.5 to 2. It fails with [cute.CodeType] unless the type is f32.
func (v Value) Log2() Value { return v.apply("log2") }

// Exp returns e to the power v as CUDA's __expf does: Exp2 of v·log2(e). That product is rounded, so the error grows
// with the size of v. It fails with [cute.CodeType] unless the type is f32.
func (v Value) Exp() Value {
	if v.typ != dtype.F32 || !v.k.live() {
		return v.apply("exp2")
	}
	return v.Mul(v.k.Number(dtype.F32, math.Log2E)).Exp2()
}

// Log returns the natural logarithm of v as CUDA's __logf does: Log2 of v times ln(2). It fails with [cute.CodeType]
// unless the type is f32.
func (v Value) Log() Value {
	if v.typ != dtype.F32 || !v.k.live() {
		return v.apply("log2")
	}
	return v.Log2().Mul(v.k.Number(dtype.F32, math.Ln2))
}

// Div returns v/w: floats are rounded to nearest (div.rn), integers towards zero. It fails with the [cute.CodeType] of
// [Value.Add].
func (v Value) Div(w Value) Value {
	o := ptx.Op("div" + v.typ.PTX())
	if v.typ.Kind() == dtype.Float {
		o = ptx.Op("div.rn" + v.typ.PTX())
	}
	if arithmetic[v.typ].add == "" {
		o = ""
	}
	return v.compute(o, w)
}

// Less returns the condition v < w, which is false for a NaN. It fails with the [cute.CodeType] of [Value.Add].
func (v Value) Less(w Value) Cond { return v.compare("lt", w) }

// Equal returns the condition v = w, which is false for a NaN. It fails with the [cute.CodeType] of [Value.Add].
func (v Value) Equal(w Value) Cond { return v.compare("eq", w) }

func (v Value) compare(how string, w Value) Cond {
	k := anyLive(v.k, w.k)
	switch {
	case v.k == nil && w.k == nil:
		return Cond{k: wrong(cute.CodeType, "the value is none").k, never: true}
	case k == nil || !k.takes("compare", v, w):
		return Cond{k: cmp.Or(v.k, w.k), never: true}
	}
	if v.typ != w.typ || arithmetic[v.typ].add == "" {
		k.advise("Convert both to one of these").refuse("compare", cute.CodeType,
			"expected two f32, f64 or integers of 32 or 64 bits, found %v and %v",
			v.typ, w.typ)
		return Cond{k: k, never: true}
	}
	return Cond{k: k, holds: []ptx.Operand{k.let(ptx.Pred, ptx.Op("setp."+how+v.typ.PTX()), v.reg, w.reg)}}
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
// Between a 16-bit float and an f64 or an integer it goes through f32. It fails with [cute.CodeType] unless both types
// are f16, bf16, f32, f64 or integers of 8 to 64 bits.
func (v Value) Convert(t dtype.Type) Value {
	k, from := v.k, v.typ
	if !k.live() || !k.takes("convert", v) || from == t {
		return v
	}
	for _, x := range []dtype.Type{from, t} {
		if _, ok := shapes[x]; !ok {
			k.refuse("convert", cute.CodeType,
				"expected f16, bf16, f32, f64 or integers of 8 to 64 bits, found %v to %v", from, t)
			return v
		}
	}
	switch {
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
	pairs := src.root.elem == dtype.F32 && (dst.root.elem == dtype.F16 || dst.root.elem == dtype.BF16)
	for i := 0; i < len(a.elements); i++ {
		n, ok := k.number(b, i)
		if !ok {
			return
		}
		x := k.take(a, vector{1, []int{i}}, valueType(src.root.elem))[0]
		if pairs && n%2 == 0 && i+1 < len(a.elements) {
			if next, _ := k.number(b, i+1); next == n+1 { // both share a register
				y := k.take(a, vector{1, []int{i + 1}}, ptx.B32)[0]
				k.refuseUnfinished(b.root)
				k.emit("cvt.rn"+ptx.Op(dst.root.elem.PTX())+"x2.f32", b.root.words[n/2], y, x)
				i++
				continue
			}
		}
		k.put1(b, i, Value{k, x, src.root.elem}.Convert(dst.root.elem))
	}
}

// shapes are the types that [Value.Convert] knows.
var shapes = map[dtype.Type]struct{}{
	dtype.F16: {}, dtype.BF16: {}, dtype.F32: {}, dtype.F64: {},
	dtype.S8: {}, dtype.S16: {}, dtype.S32: {}, dtype.S64: {}, dtype.U8: {}, dtype.U16: {}, dtype.U32: {}, dtype.U64: {},
}
