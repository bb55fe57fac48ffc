package kernel

import (
	"girih/cute"
	"girih/dtype"
	"girih/ptx"
)

// This file defines operations on the bits of values, and the rest of integer division. Values are integers or bits of
// 32 and 64 bits; And, Or, Xor, Not, Shl and Shr also take 16 bits. All methods fail with [cute.CodeType] for other
// types, and for operands of different types.

// And returns the common bits of v and w.
func (v Value) And(w Value) Value { return v.compute("and", w) }

// Or returns the bits of v and w.
func (v Value) Or(w Value) Value { return v.compute("or", w) }

// Xor returns the bits that differ between v and w.
func (v Value) Xor(w Value) Value { return v.compute("xor", w) }

// Not returns v with all bits flipped.
func (v Value) Not() Value { return v.compute("not") }

// Shl returns v shifted to the left by n bits, which may be known at run time only. It fails with [cute.CodeExtent]
// unless n is from 0 to the width of v.
func (v Value) Shl(n Index) Value { return v.shift("shl", n) }

// Shr returns v shifted to the right by n bits; signed integers keep their sign. It fails with [cute.CodeExtent] as
// [Value.Shl].
func (v Value) Shr(n Index) Value { return v.shift("shr", n) }

func (v Value) shift(name string, n Index) Value {
	k := anyLive(v.k, n.k())
	if k == nil || !k.takes(name, v) {
		return v
	}
	return v.result(name, v.typ, v.reg, k.amount(name, n, int64(v.typ.Bits())))
}

// amount returns a number from 0 to most as an operand.
func (k *K) amount(op string, n Index, most int64) ptx.Operand {
	x := k.expr(n)
	if !k.isBetween(x, 0, most) {
		lo, hi := x.Range()
		k.refuse(op, cute.CodeExtent, "expected a number from 0 to %d, found %v, from %d to %d", most, n, lo, hi)
		return ptx.Int(0)
	}
	return k.value32(x)
}

// Popc returns the number of bits of v that are 1, as u32.
func (v Value) Popc() Value { return v.result("popc", dtype.U32, v.reg) }

// Clz returns the number of zeros before the highest bit of v that is 1, as u32; the width of v if all are zeros.
func (v Value) Clz() Value { return v.result("clz", dtype.U32, v.reg) }

// Brev returns the bits of v in the opposite order.
func (v Value) Brev() Value { return v.compute("brev") }

// Bfe returns n bits of v from bit pos on; of signed integers the highest of them is the sign. It fails with
// [cute.CodeExtent] unless both numbers are from 0 to the width of v.
func (v Value) Bfe(pos, n Index) Value {
	k := anyLive(v.k, pos.k(), n.k())
	if k == nil || !k.takes("bfe", v) {
		return v
	}
	most := int64(v.typ.Bits())
	return v.result("bfe", v.typ, v.reg, k.amount("bfe", pos, most), k.amount("bfe", n, most))
}

// Bfi returns v with its n bits from bit pos on replaced by the lowest bits of w. It fails with [cute.CodeExtent] as
// [Value.Bfe].
func (v Value) Bfi(w Value, pos, n Index) Value {
	k := anyLive(v.k, w.k, pos.k(), n.k())
	if k == nil || !k.takes("bfi", v, w) {
		return v
	}
	if w.typ != v.typ {
		k.refuse("bfi", cute.CodeType, "expected values of one type, found %v and %v", v.typ, w.typ)
		return v
	}
	most := int64(v.typ.Bits())
	return v.result("bfi", v.typ, w.reg, v.reg, k.amount("bfi", pos, most), k.amount("bfi", n, most))
}

// Prmt returns four bytes of v and w, whose bytes are numbered from 0 to 3 and from 4 to 7. Each of the selector's four
// lowest hexadecimal digits picks one, the lowest digit the lowest byte; a digit of 8 more repeats the byte's sign. It
// fails with [cute.CodeType] unless both are s32, u32 or b32, and [cute.CodeExtent] unless the selector has 16 bits.
func (v Value) Prmt(w Value, selector Index) Value {
	k := anyLive(v.k, w.k, selector.k())
	if k == nil || !k.takes("prmt", v, w) {
		return v
	}
	if w.typ != v.typ {
		k.refuse("prmt", cute.CodeType, "expected values of one type, found %v and %v", v.typ, w.typ)
		return v
	}
	return v.result("prmt", v.typ, v.reg, w.reg, k.amount("prmt", selector, 0xffff))
}

// Bitcast returns the bits of v as a value of another type of the same width, which is [cute.CodeType] for another
// width.
func (v Value) Bitcast(t dtype.Type) Value {
	if k := v.k; k.live() && k.takes("bitcast", v) && v.typ.Bits() != t.Bits() {
		k.advise("Convert keeps the number").refuse("bitcast", cute.CodeType,
			"expected a type of %d bits as %v, found %v", v.typ.Bits(), v.typ, t)
		return v
	}
	if k := v.k; k != nil && v.typ != t {
		k.heard() // no instruction says it
	}
	v.typ = t
	return v
}

// Rem returns what is left of v after the division by w, which has the sign of v. It fails with [cute.CodeType] unless
// both are integers of 32 or 64 bits of one type.
func (v Value) Rem(w Value) Value { return v.compute("rem", w) }

// MulHi returns the upper half of the product of v and w, which has twice their width. Its errors are the errors of
// [Value.Rem].
func (v Value) MulHi(w Value) Value { return v.compute("mul_hi", w) }
