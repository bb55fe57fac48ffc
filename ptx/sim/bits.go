package sim

import (
	"fmt"
	"math"
	"math/bits"

	"girih/ptx"
)

func bitRow(name string) row {
	switch name {
	case "and", "or", "xor", "not", "cnot":
		return (*decoder).logic
	case "shl", "shr":
		return (*decoder).shift
	case "mov":
		return (*decoder).mov
	case "popc", "clz", "brev", "bfind":
		return (*decoder).count
	case "bfe", "bfi", "fns":
		return (*decoder).field
	case "prmt":
		return (*decoder).permute
	case "lop3":
		return (*decoder).lop3
	case "shf":
		return (*decoder).funnel
	case "bmsk", "szext":
		return (*decoder).maskBits
	}
	return nil
}

// logic reads and, or, xor, not and cnot, on registers and on predicates.
func (d *decoder) logic(o *opcode) (step, error) {
	t := o.typ()
	if t == ptx.Pred {
		return d.logicPredicate(o)
	}
	m := ones(t.Bits())
	switch o.name {
	case "not":
		return d.apply1(o, t, func(x uint64) uint64 { return ^x & m })
	case "cnot":
		return d.apply1(o, t, func(x uint64) uint64 {
			if x&m == 0 {
				return 1
			}
			return 0
		})
	}
	return d.apply2(o, t, integerOp(o.name, t))
}

func (d *decoder) logicPredicate(o *opcode) (step, error) {
	n := 3
	if o.name == "not" {
		n = 2
	}
	if err := o.need(n, n); err != nil {
		return nil, err
	}
	name, _ := o.Operands[0].(ptx.Name)
	dst, err := d.predSlot(name)
	if err != nil {
		return nil, err
	}
	a, na, err := d.srcPred(o.Operands[1])
	if err != nil {
		return nil, err
	}
	b, nb, err := d.srcPred(o.Operands[n-1])
	if err != nil {
		return nil, err
	}
	op := o.name
	return func(w *warp, mask uint32) status {
		f := w.f
		x, y := f.pred[a]^na, f.pred[b]^nb
		ok := f.pdef[a] & f.pdef[b]
		switch op {
		case "and": // one false operand decides the result
			ok |= f.pdef[a]&^x | f.pdef[b]&^y
			x &= y
		case "or":
			ok |= f.pdef[a]&x | f.pdef[b]&y
			x |= y
		case "xor":
			x ^= y
		case "not":
			x = ^x
		}
		f.setPredicate(dst, mask, x)
		if miss := mask &^ ok; miss != 0 {
			f.undefine(dst, miss)
			f.blamePredicates(dst, a, b)
		}
		return advance
	}, nil
}

// shift reads shl and shr. The amount is a .u32; an amount beyond the width shifts all bits out.
func (d *decoder) shift(o *opcode) (step, error) {
	t := o.typ()
	if err := o.need(3, 3); err != nil {
		return nil, err
	}
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	a, err := d.src(o.Operands[1], t)
	if err != nil {
		return nil, err
	}
	b, err := d.src(o.Operands[2], ptx.U32)
	if err != nil {
		return nil, err
	}
	n, m := t.Bits(), ones(t.Bits())
	op := func(x, y uint64) uint64 { return x & m >> min(y&0xffffffff, 64) }
	switch {
	case o.name == "shl":
		op = func(x, y uint64) uint64 { return x << min(y&0xffffffff, 64) & m }
	case begins(t, 's'):
		op = func(x, y uint64) uint64 { return uint64(extend(x, n)>>min(y&0xffffffff, 63)) & m }
	}
	return map2(dst, [2]int{a, b}, op), nil
}

// mov reads mov, which copies, packs and unpacks (PTX ISA 9.7.9.3, 9.7.9.4).
func (d *decoder) mov(o *opcode) (step, error) {
	if err := o.need(2, 2); err != nil {
		return nil, err
	}
	t := o.typ()
	if t == ptx.Pred {
		return d.movPredicate(o)
	}
	for _, x := range o.Operands {
		if _, ok := x.(ptx.Vec); ok {
			return d.movVector(o, t)
		}
	}
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	if t == ptx.B128 {
		if err := d.check128(o.Operands[0]); err != nil {
			return nil, err
		}
	}
	a, err := d.halves(o.Operands[1], t)
	if err != nil {
		return nil, err
	}
	if t == ptx.B128 {
		return both(move(dst, a[0], ^uint64(0)), move(dst+1, a[1], ^uint64(0))), nil
	}
	return move(dst, a[0], ones(t.Bits())), nil
}

// both returns a step that executes a, then b.
func both(a, b step) step {
	return func(w *warp, mask uint32) status {
		if st := a(w, mask); st != advance {
			return st
		}
		return b(w, mask)
	}
}

// move returns the step d = a & m.
func move(d, a int, m uint64) step {
	return func(w *warp, mask uint32) status {
		f := w.f
		if mask&^f.def[a] != 0 {
			f.taint(d, w.p.pc, mask, a)
		} else {
			f.def[d] |= mask
		}
		x, z := &f.regs[a], &f.regs[d]
		if mask == all {
			for i := range z {
				z[i] = x[i] & m
			}
			return advance
		}
		for k := mask; k != 0; k &= k - 1 {
			i := bits.TrailingZeros32(k) & 31
			z[i] = x[i] & m
		}
		return advance
	}
}

func (d *decoder) movPredicate(o *opcode) (step, error) {
	name, _ := o.Operands[0].(ptx.Name)
	dst, err := d.predSlot(name)
	if err != nil {
		return nil, err
	}
	a, not, err := d.srcPred(o.Operands[1])
	if err != nil {
		return nil, err
	}
	return func(w *warp, mask uint32) status {
		f := w.f
		miss := mask &^ f.pdef[a]
		f.setPredicate(dst, mask, f.pred[a]^not)
		if miss != 0 {
			f.undefine(dst, miss)
			f.blamePredicates(dst, a)
		}
		return advance
	}, nil
}

// count reads the instructions that count or find bits, and brev, which reverses them (PTX ISA 9.7.1).
func (d *decoder) count(o *opcode) (step, error) {
	t := o.typ()
	n := t.Bits()
	m := ones(n)
	switch o.name {
	case "popc":
		return d.apply1(o, t, func(x uint64) uint64 { return uint64(bits.OnesCount64(x & m)) })
	case "clz":
		return d.apply1(o, t, func(x uint64) uint64 { return uint64(bits.LeadingZeros64(x&m) - 64 + n) })
	case "brev":
		return d.apply1(o, t, func(x uint64) uint64 { return bits.Reverse64(x) >> (64 - n) })
	}
	shiftamt := o.has("shiftamt")
	return d.apply1(o, t, func(x uint64) uint64 {
		pos := bfind(x, t)
		if shiftamt && pos != none {
			return uint64(n-1) - pos
		}
		return pos
	})
}

// field reads bfe and bfi, which extract and insert a field of bits, and fns (PTX ISA 9.7.1).
func (d *decoder) field(o *opcode) (step, error) {
	t := o.typ()
	n := t.Bits()
	m := ones(n)
	switch o.name {
	case "bfe":
		return d.applyMixed(o, []ptx.Type{t, ptx.U32, ptx.U32}, func(x []uint64) uint64 { return bfe(x, t) })
	case "bfi":
		return d.applyMixed(o, []ptx.Type{t, t, ptx.U32, ptx.U32}, func(x []uint64) uint64 {
			pos, length := fieldRange(x[2], n), fieldRange(x[3], n)
			if pos >= uint64(n) {
				return x[1]
			}
			field := ones(int(min(length, 64))) << pos & m
			return x[1]&^field | x[0]<<pos&field
		})
	}
	return d.applyMixed(o, []ptx.Type{ptx.B32, ptx.B32, ptx.S32}, func(x []uint64) uint64 {
		return fns(uint32(x[0]), int(x[1]), int(int32(x[2])))
	})
}

// permute reads prmt (PTX ISA 9.7.9.7).
func (d *decoder) permute(o *opcode) (step, error) {
	o.types()
	mode := o.one("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
	return d.apply3(o, ptx.B32, func(x, y, z uint64) uint64 { return prmt(mode, x&0xffffffff|y<<32, z) })
}

// funnel reads shf, which shifts the bits of two registers (PTX ISA 9.7.8).
func (d *decoder) funnel(o *opcode) (step, error) {
	o.types()
	left := o.one("l", "r") == "l"
	wrap := o.one("wrap", "clamp") == "wrap"
	return d.apply3(o, ptx.B32, func(x, y, z uint64) uint64 {
		k := z & 31
		if !wrap {
			k = min(z, 32)
		}
		v := y<<32 | x&0xffffffff
		if left {
			return v << k >> 32
		}
		return v >> k & 0xffffffff
	})
}

// maskBits reads bmsk, which makes a mask of bits, and szext, which extends a sign or zeros (PTX ISA 9.7.1).
func (d *decoder) maskBits(o *opcode) (step, error) {
	t := o.typ()
	m, signed := ones(t.Bits()), begins(t, 's')
	clamp := o.one("clamp", "wrap") == "clamp"
	if o.name == "bmsk" {
		return d.apply2(o, ptx.U32, func(x, y uint64) uint64 {
			if !clamp {
				x, y = x&31, y&31
			}
			return ones(int(min(y, 64))) << min(x, 64) & 0xffffffff
		})
	}
	return d.apply2(o, t, func(x, y uint64) uint64 {
		if !clamp {
			y &= 31
		}
		switch {
		case y >= 32:
			return x
		case y == 0:
			return 0
		case signed:
			return uint64(extend(x, int(y))) & m
		}
		return x & ones(int(y))
	})
}

// applyMixed makes the step of an operation whose sources have the given types.
func (d *decoder) applyMixed(o *opcode, types []ptx.Type, op func(x []uint64) uint64) (step, error) {
	if err := o.need(len(types)+1, len(types)+1); err != nil {
		return nil, err
	}
	dst, err := d.dst(o.Operands[0])
	if err != nil {
		return nil, err
	}
	s := make([]int, len(types))
	for i, t := range types {
		if s[i], err = d.src(o.Operands[i+1], t); err != nil {
			return nil, err
		}
	}
	return mapN(dst, s, op), nil
}

// none is the result of bfind and fns if they find no bit.
const none = 0xffffffff

// bfind returns the position of the highest bit that differs from the sign, or all ones.
func bfind(x uint64, t ptx.Type) uint64 {
	n := t.Bits()
	if begins(t, 's') && extend(x, n) < 0 {
		x = ^x
	}
	x &= ones(n)
	if x == 0 {
		return none
	}
	return uint64(bits.Len64(x) - 1)
}

// fieldRange returns the value that bfe and bfi use for a position or length x. The ISA defines 0 to 255. Of larger
// values, an H100 uses the low 8 bits if the operands have n = 32 bits, and all bits if they have 64.
func fieldRange(x uint64, n int) uint64 {
	if n == 64 {
		return x & 0xffffffff
	}
	return x & 0xff
}

// bfe returns the x[2] bits of x[0] from bit x[1] on, sign-extended. Bits beyond the end of x[0] are copies of its
// sign.
func bfe(x []uint64, t ptx.Type) uint64 {
	n := t.Bits()
	pos, length := int(fieldRange(x[1], n)), int(fieldRange(x[2], n))
	if length == 0 {
		return 0
	}
	v := uint64(0)
	if pos < n {
		v = x[0] & ones(n) >> pos
	}
	v &= ones(min(length, 64))
	if begins(t, 's') {
		sign := x[0] >> min(pos+length-1, n-1) & 1
		if got := min(max(n-pos, 0), length); sign == 1 {
			v |= ^ones(got)
		}
	}
	return v & ones(n)
}

// fns returns the position of the set bit of mask with number offset, counted from base, or all ones.
func fns(mask uint32, base, offset int) uint64 {
	switch {
	case offset == math.MinInt32:
		return noSuchOffset
	case base > 31:
		return noSuchBase
	case offset == 0:
		if mask>>base&1 == 1 {
			return uint64(base)
		}
		return none
	}
	dir, left := 1, offset
	if offset < 0 {
		dir, left = -1, -offset
	}
	for i := base; i >= 0 && i < 32; i += dir {
		if mask>>i&1 == 1 {
			if left--; left == 0 {
				return uint64(i)
			}
		}
	}
	return none
}

// prmt selects four of the eight bytes of v.
func prmt(mode string, v, sel uint64) uint64 {
	pick := func(i uint64) uint64 { return v >> (8 * (i & 7)) & 0xff }
	r, s := uint64(0), sel&3
	for i := range uint64(4) {
		var b uint64
		switch mode {
		case "f4e":
			b = pick(s + i)
		case "b4e":
			b = pick(s - i)
		case "rc8":
			b = pick(s)
		case "ecl":
			b = pick(max(i, s))
		case "ecr":
			b = pick(min(i, s))
		case "rc16":
			b = pick(s&1<<1 | i&1)
		default:
			nibble := sel >> (4 * i) & 15
			b = pick(nibble)
			if nibble&8 != 0 {
				b = 0xff * (b >> 7)
			}
		}
		r |= b << (8 * i)
	}
	return r
}

// lop3 reads lop3, which looks up each bit of its three operands in a truth table. With .or and .and, it also writes a
// predicate: whether the result is not 0, combined with another predicate (PTX ISA 9.7.8.6).
func (d *decoder) lop3(o *opcode) (step, error) {
	o.types()
	combined := o.one("and", "or")
	n := 5
	if combined != "" {
		n = 6
		if err := d.needs(o, 70); err != nil {
			return nil, err
		}
	}
	if err := o.need(n, n); err != nil {
		return nil, err
	}
	table, ok := o.Operands[4].(ptx.Int)
	if !ok || table < 0 || table > 255 {
		return nil, fmt.Errorf("operand %s: expected a table of 8 bits", o.Operands[4])
	}
	dst, p, err := d.pair(o.Operands[0])
	if err != nil {
		return nil, err
	}
	if (p < 0) != (combined == "") {
		return nil, fmt.Errorf("operand %s: expected a predicate with .or and .and, as in d|p, and none without", o.Operands[0])
	}
	s, err := d.srcs(o.Operands[1:4], ptx.B32)
	if err != nil {
		return nil, err
	}
	value := map3(dst, [3]int(s), func(a, b, c uint64) uint64 { return truthTable(uint64(table), a, b, c) })
	if combined == "" {
		return value, nil
	}
	u := &predicateUse{cmp: func(x, y uint64) bool { return x != y }, a: dst, b: d.constant(0), bool: combined}
	if u.c, u.not, err = d.srcPred(o.Operands[5]); err != nil {
		return nil, err
	}
	return both(value, func(w *warp, mask uint32) status {
		u.outcome(w.f, mask).set(u, p, u.lanes(w.f, mask, 0, 0xffffffff))
		return advance
	}), nil
}

// truthTable looks up the bits of a, b and c in table, for each bit position.
func truthTable(table, a, b, c uint64) uint64 {
	r := uint64(0)
	for i := range 8 {
		if table>>i&1 == 0 {
			continue
		}
		x, y, z := a, b, c
		if i&4 == 0 {
			x = ^x
		}
		if i&2 == 0 {
			y = ^y
		}
		if i&1 == 0 {
			z = ^z
		}
		r |= x & y & z
	}
	return r & 0xffffffff
}
