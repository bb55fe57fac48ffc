package lower

import (
	"strconv"
	"strings"

	"girih/atom"
	"girih/cute"
	"girih/ptx"
)

// A Side is the source or the destination of a copy: 32-bit registers, or one address. An address is a ptx.Addr or a
// register, of 32 bits for shared memory and of 64 bits otherwise.
type Side struct {
	Operands ptx.Vec
	Space    ptx.Space // the address space of an [atom.UniversalCopy], "" for generic addresses; other copies imply theirs
}

// Copy emits one copy: ldmatrix, stmatrix, movmatrix, cp.async, a shuffle, or a load and a store of one thread. A copy
// of the kind [atom.UniversalCopy] needs the addresses of both sides. It returns [cute.CodeExtent] for a wrong number
// of registers and [cute.CodeType] for other copies.
func Copy(b *ptx.Builder, c atom.Copy, dst, src Side) error {
	switch c.Kind {
	case atom.AsyncCopy:
		groups := []ptx.Vec{dst.Operands}
		for i := range src.Operands {
			groups = append(groups, src.Operands[i:i+1])
		}
		return emit(b, c.Operation, groups, nil)
	case atom.MatrixCopy, atom.WideCopy:
		return emit(b, c.Operation, []ptx.Vec{dst.Operands, src.Operands}, nil)
	case atom.UniversalCopy:
		return loadStore(b, c, dst, src)
	case atom.ShuffleCopy:
		return shuffle(b, c, dst.Operands, src.Operands)
	}
	return fail(cute.CodeType, "%s is a copy of kind %v, which is not lowered", c.Name, c.Kind)
}

// loadStore emits a load and a store as wide as the copy.
func loadStore(b *ptx.Builder, c atom.Copy, dst, src Side) error {
	bits := c.From.Unit
	if bits != c.To.Unit || bits < 8 || bits > 128 || bits&(bits-1) != 0 {
		return fail(cute.CodeType, "%s moves %d bits to %d: no load and store have these widths", c.Name, bits, c.To.Unit)
	}
	if len(dst.Operands) != 1 || len(src.Operands) != 1 {
		return fail(cute.CodeExtent, "%s takes two addresses, found %d and %d", c.Name, len(dst.Operands), len(src.Operands))
	}
	t, n := ptx.Type("b"+strconv.FormatInt(min(bits, 64), 10)), int(max(1, bits/64))
	suffix := ptx.Op("." + t)
	regs := b.Regs(t, n)
	value := regs[0]
	if n > 1 {
		suffix, value = ptx.Op(".v2."+t), regs
	}
	b.Emit("ld"+space(src.Space)+suffix, value, address(src.Operands[0]))
	b.Emit("st"+space(dst.Space)+suffix, address(dst.Operands[0]), value)
	return nil
}

func space(s ptx.Space) ptx.Op {
	if s == "" {
		return ""
	}
	return ptx.Op("." + s)
}

func address(o ptx.Operand) ptx.Operand {
	if n, ok := o.(ptx.Name); ok {
		return ptx.Addr{Base: n}
	}
	return o
}

// shuffle emits the transpose of 2x2 registers of the threads t and t^mask: the thread with the bit of the mask sends
// its first register, the other thread its second register, and the received value replaces the sent one.
func shuffle(b *ptx.Builder, c atom.Copy, dst, src ptx.Vec) error {
	if len(dst) != 2 || len(src) != 2 {
		return fail(cute.CodeExtent, "%s takes 2 registers and 2, found %d and %d", c.Name, len(src), len(dst))
	}
	opcode, rest, _ := strings.Cut(c.Text, " ")
	fields := strings.Split(strings.TrimSuffix(rest, ";"), ", ")
	mask, err := strconv.ParseInt(fields[2], 0, 64)
	if err != nil {
		return fail(cute.CodeType, "%s has no mask: %s", c.Name, c.Text)
	}
	lane := b.Let(ptx.U32, "mov.u32", ptx.Name("%laneid"))
	b.Emit("and.b32", lane, lane, ptx.Int(mask))
	second := b.Let(ptx.Pred, "setp.ne.u32", lane, ptx.Int(0))
	x := b.Let(ptx.B32, "selp.b32", src[0], src[1], second)
	x = b.Let(ptx.B32, ptx.Op(opcode), x, ptx.Int(mask), ptx.Int(0x1f), ptx.Int(-1))
	first := b.Let(ptx.B32, "selp.b32", x, src[0], second)
	b.Emit("selp.b32", dst[1], src[1], x, second)
	b.Emit("mov.b32", dst[0], first)
	return nil
}
