package kernel

import (
	"girih/cute"
	"girih/dtype"
	"girih/ptx"
)

// This file defines arithmetic on two halves at once. It uses the rows of operation.go with .f16x2 and .bf16x2.

// A Pair is two f16 or two bf16 in a register of 32 bits: half2. Its arithmetic rounds each of both as Value does, and
// takes half the instructions. Like the methods of Value, its methods fail with [cute.CodeType] for pairs of different
// types.
type Pair struct{ v Value } // the register, and the type of an element

// PairOf returns two values as a pair. It fails with [cute.CodeType] unless both are f16 or both are bf16.
func (k *K) PairOf(lo, hi Value) Pair {
	if !k.takes("pair", lo, hi) || !k.pairs("pair", lo.typ) || lo.typ != hi.typ {
		k.refuse("pair", cute.CodeType, "expected values of one type, found %v and %v", lo.typ, hi.typ)
		return Pair{lo}
	}
	return Pair{k.valueOf(k.let(ptx.B32, "mov.b32", ptx.Vec{lo.reg, hi.reg}), lo.typ)}
}

// RoundPair returns two f32 as a pair of f16 or bf16, rounded to nearest by one instruction. It fails with
// [cute.CodeType] for other types.
func (k *K) RoundPair(lo, hi Value, t dtype.Type) Pair {
	if k.takes("pair", lo, hi) && k.pairs("pair", t) && (lo.typ != dtype.F32 || hi.typ != dtype.F32) {
		k.refuse("pair", cute.CodeType, "expected two f32, found %v and %v", lo.typ, hi.typ)
	}
	if k.err != nil {
		return Pair{lo}
	}
	return Pair{k.valueOf(k.let(ptx.B32, "cvt.rn"+ptx.Op(t.PTX())+"x2.f32", hi.reg, lo.reg), t)}
}

// Pair returns the 32 bits of v, such as an element of a tensor that [K.Recast] made of halves, as a pair. It fails
// with [cute.CodeType] unless v has 32 bits and t is f16 or bf16.
func (v Value) Pair(t dtype.Type) Pair {
	if k := v.k; k.live() && k.takes("pair", v) && k.pairs("pair", t) && v.typ.Bits() != 32 {
		k.refuse("pair", cute.CodeType, "expected a value of 32 bits, found %v", v.typ)
	}
	v.typ = t
	return Pair{v}
}

// pairs refuses types that have no pairs.
func (k *K) pairs(op string, t dtype.Type) bool {
	if !isHalf(t) {
		k.refuse(op, cute.CodeType, "expected f16 or bf16, found %v", t)
	}
	return k.err == nil
}

// Type returns the type of each of both.
func (p Pair) Type() dtype.Type { return p.v.typ }

// Bits returns the pair as a value of type b32, to store it.
func (p Pair) Bits() Value {
	p.v.typ = dtype.B32
	return p.v
}

// Values returns both, the lower half first.
func (p Pair) Values() (lo, hi Value) {
	k := user("pair", p.v)
	if k == nil {
		return p.v, p.v // of no kernel that is being traced
	}
	both := k.b.Regs(ptx.B16, 2)
	k.emit("mov.b32", both, p.v.reg)
	regs := names(both)
	return k.valueOf(regs[0], p.v.typ), k.valueOf(regs[1], p.v.typ)
}

// compute writes the instruction of a row for both halves.
func (p Pair) compute(name string, qs ...Pair) Pair {
	all := []Value{p.v}
	for _, q := range qs {
		all = append(all, q.v)
	}
	k := user(name, all...)
	if k == nil {
		return p
	}
	args := []ptx.Operand{p.v.reg}
	for _, q := range qs {
		if q.v.typ != p.v.typ {
			k.refuse(name, cute.CodeType, "expected pairs of one type, found %v and %v", p.v.typ, q.v.typ)
			return p
		}
		args = append(args, q.v.reg)
	}
	if o, ok := k.operation(name, p.v.typ); ok {
		p.v = k.valueOf(k.let(ptx.B32, o+"x2", args...), p.v.typ)
	}
	return p
}

// Add returns p + q; bf16 needs sm_90.
func (p Pair) Add(q Pair) Pair { return p.compute("add", q) }

// Sub returns p - q; bf16 needs sm_90.
func (p Pair) Sub(q Pair) Pair { return p.compute("sub", q) }

// Mul returns p·q; bf16 needs sm_90.
func (p Pair) Mul(q Pair) Pair { return p.compute("mul", q) }

// FMA returns p·q + r, rounded once.
func (p Pair) FMA(q, r Pair) Pair { return p.compute("fma", q, r) }

// Max returns the larger of each two halves.
func (p Pair) Max(q Pair) Pair { return p.compute("max", q) }

// Min returns the smaller of each two halves.
func (p Pair) Min(q Pair) Pair { return p.compute("min", q) }

// Neg returns -p.
func (p Pair) Neg() Pair { return p.compute("neg") }

// Abs returns the sizes of both halves.
func (p Pair) Abs() Pair { return p.compute("abs") }

// Exp2 returns 2 to the power of each half, with the error of [Value.Exp2].
func (p Pair) Exp2() Pair { return p.compute("exp2") }

// Tanh returns the hyperbolic tangent of each half, with the error of [Value.Tanh].
func (p Pair) Tanh() Pair { return p.compute("tanh") }
