package sim

import (
	"fmt"
	"math/bits"
	"slices"

	"girih/ptx"
)

func integerRow(name string) row {
	switch name {
	case "add", "sub", "mul", "min", "max", "neg", "abs", "mad", "div", "rem":
		return (*decoder).arithmetic
	case "mul24", "mad24", "sad", "dp4a", "dp2a":
		return (*decoder).integerSpecial
	case "addc", "subc", "madc":
		return (*decoder).carry
	}
	return nil
}

// arithmetic reads opcodes that integers and floating-point numbers share.
func (d *decoder) arithmetic(o *opcode) (step, error) {
	t := o.typ()
	if begins(t, 'f') || begins(t, 'b') {
		return d.float(o)
	}
	if o.has("cc") {
		return d.carry(o)
	}
	if err := o.oneType(); err != nil {
		return nil, err
	}
	op := integerOp(o.name, t)
	switch o.name {
	case "mul", "mad":
		return d.multiply(o, t)
	case "neg", "abs":
		return d.apply1(o, t, integerOp1(o.name, t))
	case "add", "sub":
		if t == ptx.S32 && o.has("sat") {
			op = saturating(o.name)
		}
	case "min", "max":
		if (t == ptx.S32 || t == ptx.S16x2) && o.has("relu") {
			inner := op
			op = func(x, y uint64) uint64 { return clampHalves(inner(x, y), t) }
		}
	}
	return d.apply2(o, t, op)
}

// clampHalves replaces negative values by 0, in both halves of packed types.
func clampHalves(v uint64, t ptx.Type) uint64 {
	if t == ptx.S16x2 {
		return packHalves(max(extend(v&0xffff, 16), 0), max(extend(v>>16&0xffff, 16), 0))
	}
	return uint64(max(extend(v, 32), 0))
}

func packHalves(lo, hi int64) uint64 { return uint64(lo)&0xffff | uint64(hi)&0xffff<<16 }

// apply1, apply2 and apply3 make the step of an operation on one, two and three sources of type t.
func (d *decoder) apply1(o *opcode, t ptx.Type, op func(x uint64) uint64) (step, error) {
	s, dst, err := d.operands(o, t, 1)
	if err != nil {
		return nil, err
	}
	if op == nil {
		return nil, fmt.Errorf("the operation is not known for .%s", t)
	}
	return map1(dst, s[0], op), nil
}

func (d *decoder) apply2(o *opcode, t ptx.Type, op func(x, y uint64) uint64) (step, error) {
	s, dst, err := d.operands(o, t, 2)
	if err != nil {
		return nil, err
	}
	if op == nil {
		return nil, fmt.Errorf("the operation is not known for .%s", t)
	}
	if fast := fast2(o, t); fast != nil {
		return fast(dst, [2]int(s)), nil
	}
	return map2(dst, [2]int(s), op), nil
}

func (d *decoder) apply3(o *opcode, t ptx.Type, op func(x, y, z uint64) uint64) (step, error) {
	s, dst, err := d.operands(o, t, 3)
	if err != nil {
		return nil, err
	}
	if op == nil {
		return nil, fmt.Errorf("the operation is not known for .%s", t)
	}
	return map3(dst, [3]int(s), op), nil
}

// operands reads a destination and n sources of type t.
func (d *decoder) operands(o *opcode, t ptx.Type, n int) (src []int, dst int, err error) {
	if err := o.need(n+1, n+1); err != nil {
		return nil, 0, err
	}
	if dst, err = d.dst(o.Operands[0]); err != nil {
		return nil, 0, err
	}
	src, err = d.srcs(o.Operands[1:], t)
	return src, dst, err
}

// begins reports whether the name of a type begins with a letter: s for signed. t may be empty.
func begins(t ptx.Type, letter byte) bool { return len(t) > 0 && t[0] == letter }

// integerOp returns an operation on two integers of type t, or nil.
func integerOp(name string, t ptx.Type) func(x, y uint64) uint64 {
	m := ones(t.Bits())
	if t == ptx.S16x2 || t == ptx.U16x2 {
		return packedIntegerOp(name, t[:3])
	}
	switch name {
	case "add":
		return func(x, y uint64) uint64 { return (x + y) & m }
	case "sub":
		return func(x, y uint64) uint64 { return (x - y) & m }
	case "and":
		return func(x, y uint64) uint64 { return x & y }
	case "or":
		return func(x, y uint64) uint64 { return x | y }
	case "xor":
		return func(x, y uint64) uint64 { return x ^ y }
	case "min", "max":
		return integerMinMax(name, t)
	case "div", "rem":
		return division(name, t)
	}
	return nil
}

// packedIntegerOp returns add, min or max of two integers of type t in a register, or nil.
func packedIntegerOp(name string, t ptx.Type) func(x, y uint64) uint64 {
	half := integerOp(name, t)
	if half == nil || name != "add" && name != "min" && name != "max" {
		return nil
	}
	return func(x, y uint64) uint64 { return half(x&0xffff, y&0xffff) | half(x>>16, y>>16)<<16 }
}

// integerMinMax returns min or max for type t.
//
//go:noinline
func integerMinMax(name string, t ptx.Type) func(x, y uint64) uint64 {
	n, m := t.Bits(), ones(t.Bits())
	switch signed := begins(t, 's'); {
	case signed && name == "min":
		return func(x, y uint64) uint64 { return uint64(min(extend(x, n), extend(y, n))) & m }
	case signed:
		return func(x, y uint64) uint64 { return uint64(max(extend(x, n), extend(y, n))) & m }
	case name == "min":
		return func(x, y uint64) uint64 { return min(x&m, y&m) }
	}
	return func(x, y uint64) uint64 { return max(x&m, y&m) }
}

// integerOp1 returns neg or abs for type t.
func integerOp1(name string, t ptx.Type) func(x uint64) uint64 {
	n, m := t.Bits(), ones(t.Bits())
	if name == "neg" {
		return func(x uint64) uint64 { return -x & m }
	}
	return func(x uint64) uint64 {
		if extend(x, n) < 0 {
			return -x & m
		}
		return x
	}
}

// saturating returns add or sub of .s32 that saturates.
func saturating(name string) func(x, y uint64) uint64 {
	return func(x, y uint64) uint64 {
		v := extend(x, 32) + extend(y, 32)
		if name == "sub" {
			v = extend(x, 32) - extend(y, 32)
		}
		return clampS32(v)
	}
}

func clampS32(v int64) uint64 { return uint64(uint32(max(-1<<31, min(v, 1<<31-1)))) }

// multiply reads mul and mad with .lo, .hi and .wide.
func (d *decoder) multiply(o *opcode, t ptx.Type) (step, error) {
	part := o.one("lo", "hi", "wide")
	mul := product(part, t)
	if mul == nil {
		return nil, fmt.Errorf("expected .lo, .hi or, for up to 32 bits, .wide")
	}
	if o.name == "mul" {
		return d.apply2(o, t, mul)
	}
	wide, sat := part == "wide", part == "hi" && t == ptx.S32 && o.has("sat")
	m := ones(t.Bits())
	tc := t
	if wide {
		m = ones(2 * t.Bits())
		tc = t[:1] + ptx.Type(fmt.Sprint(2*t.Bits()))
	}
	if err := o.need(4, 4); err != nil {
		return nil, err
	}
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	s, err := d.srcs(o.Operands[1:3], t)
	if err != nil {
		return nil, err
	}
	c, err := d.src(o.Operands[3], tc)
	if err != nil {
		return nil, err
	}
	if sat { // mad.hi.sat.s32
		return map3(dst, [3]int{s[0], s[1], c}, func(x, y, z uint64) uint64 {
			return clampS32(extend(mul(x, y), 32) + extend(z, 32))
		}), nil
	}
	return map3(dst, [3]int{s[0], s[1], c}, func(x, y, z uint64) uint64 { return (mul(x, y) + z) & m }), nil
}

// product returns a part of the product of two integers of type t.
func product(part string, t ptx.Type) func(x, y uint64) uint64 {
	n := t.Bits()
	m, signed := ones(n), begins(t, 's')
	switch part {
	case "lo":
		return func(x, y uint64) uint64 { return x * y & m }
	case "wide":
		if n > 32 {
			return nil
		}
		m = ones(2 * n)
		if signed {
			return func(x, y uint64) uint64 { return uint64(extend(x, n)*extend(y, n)) & m }
		}
		return func(x, y uint64) uint64 { return x * y }
	case "hi":
		switch {
		case n < 64 && signed:
			return func(x, y uint64) uint64 { return uint64(extend(x, n)*extend(y, n)>>n) & m }
		case n < 64:
			return func(x, y uint64) uint64 { return x * y >> n & m }
		}
		return func(x, y uint64) uint64 {
			hi, _ := bits.Mul64(x, y)
			if signed { // the correction for two's complement
				if int64(x) < 0 {
					hi -= y
				}
				if int64(y) < 0 {
					hi -= x
				}
			}
			return hi
		}
	}
	return nil
}

// integerSpecial reads mul24, mad24, sad, dp4a and dp2a.
func (d *decoder) integerSpecial(o *opcode) (step, error) {
	types := o.types()
	if len(types) == 0 {
		return nil, fmt.Errorf("the instruction states no type")
	}
	switch t := types[0]; o.name {
	case "sad":
		n, m, signed := t.Bits(), ones(t.Bits()), begins(t, 's')
		return d.apply3(o, t, func(x, y, z uint64) uint64 {
			if signed && extend(x, n) < extend(y, n) || !signed && x < y {
				x, y = y, x
			}
			return (z + x - y) & m
		})
	case "mul24", "mad24":
		return d.multiply24(o, t)
	}
	return d.dotProduct(o, types)
}

// multiply24 reads mul24 and mad24 for type t.
func (d *decoder) multiply24(o *opcode, t ptx.Type) (step, error) {
	m, part := ones(t.Bits()), lowBits(t, 24)
	hi := o.one("lo", "hi") == "hi"
	sat := hi && begins(t, 's') && o.has("sat")
	mul := func(x, y uint64) uint64 {
		p := part(x) * part(y)
		if hi {
			p >>= 16
		}
		return uint64(p) & m
	}
	if o.name == "mul24" {
		return d.apply2(o, t, mul)
	}
	return d.apply3(o, t, func(x, y, z uint64) uint64 {
		if sat {
			return clampS32(extend(mul(x, y), 32) + extend(z, 32))
		}
		return (mul(x, y) + z) & m
	})
}

// dotProduct reads dp4a and dp2a, which add products of the bytes, or halves and bytes, of two registers.
func (d *decoder) dotProduct(o *opcode, types []ptx.Type) (step, error) {
	if len(types) != 2 {
		return nil, fmt.Errorf("expected two types")
	}
	if o.name == "dp4a" {
		left, right := lowBits(types[0], 8), lowBits(types[1], 8)
		return d.apply3(o, ptx.U32, func(x, y, z uint64) uint64 {
			for i := 0; i < 32; i += 8 {
				z += uint64(left(x>>i) * right(y>>i))
			}
			return z & 0xffffffff
		})
	}
	left, right, from := lowBits(types[0], 16), lowBits(types[1], 8), 0
	if o.one("lo", "hi") == "hi" {
		from = 16
	}
	return d.apply3(o, ptx.U32, func(x, y, z uint64) uint64 {
		for i := range 2 {
			z += uint64(left(x>>(16*i)) * right(y>>(from+8*i)))
		}
		return z & 0xffffffff
	})
}

// lowBits returns a function that extends the n low bits of a number, as type t says.
//
//go:noinline
func lowBits(t ptx.Type, n int) func(x uint64) int64 {
	if begins(t, 's') {
		return func(x uint64) int64 { return extend(x, n) }
	}
	return func(x uint64) int64 { return int64(x & ones(n)) }
}

// conditionCode returns the slot of the carry flag of extended-precision arithmetic.
func (d *decoder) conditionCode() int {
	if d.flag < 0 {
		d.flag = d.newSlot("the carry flag", 1)
	}
	return d.flag
}

// carry reads extended-precision arithmetic (PTX ISA 9.7.2). The flag is the carry of the adder. A subtraction adds
// the complement of the subtrahend and 1, so it sets the flag if there is no borrow: an H100 returns 0xffffffff for
// "add.cc 0, 0; subc 0, 0", and 1 for "sub.cc 1, 0; addc 0, 0".
func (d *decoder) carry(o *opcode) (step, error) {
	t := o.typ()
	n := t.Bits()
	if n != 32 && n != 64 {
		return nil, fmt.Errorf("the condition code is for 32 and 64 bits")
	}
	out, in, base := o.has("cc"), o.name[len(o.name)-1] == 'c', o.name[:3]
	count := 2
	if base == "mad" {
		count = 3
	}
	var mul func(x, y uint64) uint64
	if base == "mad" {
		if mul = product(o.one("lo", "hi"), t); mul == nil {
			return nil, fmt.Errorf("expected .lo or .hi")
		}
	}
	s, dst, err := d.operands(o, t, count)
	if err != nil {
		return nil, err
	}
	flag, m := d.conditionCode(), ones(n)
	sources := s
	if in {
		sources = append(slices.Clone(s), flag)
	}
	return func(w *warp, mask uint32) status {
		f := w.f
		for k := mask; k != 0; k &= k - 1 {
			i := bits.TrailingZeros32(k) & 31
			x, y, c := f.regs[s[0]][i], f.regs[s[1]][i], uint64(0)
			switch base {
			case "mad":
				x, y = mul(x, y), f.regs[s[2]][i]
			case "sub":
				y, c = ^y&m, 1
			}
			if in {
				c = f.regs[flag][i] & 1
			}
			r, over := bits.Add64(x, y, c)
			if n == 32 {
				over = r >> 32 & 1
			}
			f.regs[dst][i] = r & m
			if out {
				f.regs[flag][i] = over
			}
		}
		f.taint(dst, w.p.pc, mask, sources...)
		if out {
			f.taint(flag, w.p.pc, mask, sources...)
		}
		return advance
	}, nil
}
