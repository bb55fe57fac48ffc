package kernel

import (
	"fmt"

	"girih/cute"
	"girih/dtype"
	"girih/internal/lang/emit"
	"girih/internal/machine/address"
	"girih/internal/machine/lower"
	"girih/ptx"
	"girih/symbolic"
)

// MaxShared is the most shared memory of a block in bytes, on sm_90 and sm_100 (CUDA C++ Programming Guide, Technical
// Specifications per Compute Capability: 228 KB; a block can use 227).
const MaxShared = 227 << 10

// MaxStatic is the most shared memory in bytes that a module declares. If a kernel needs more, the launch provides it.
const MaxStatic = 48 << 10

// sharedAlign is the alignment of shared memory and of each tensor in it: the 128-byte swizzle atoms of wgmma and the
// copy engine repeat every 1024 bytes.
const sharedAlign = 1024

// An arena is the shared memory of a block as one variable: every address in it is one register plus a constant.
type arena struct {
	base *address.Symbol
	used int64
}

// sharedPiece returns the address of a piece of shared memory, at a multiple of align, which divides sharedAlign.
func (k *K) sharedPiece(name string, bytes, align int64) address.Expr {
	a := &k.arena
	at := (a.used + align - 1) / align * align
	if bytes > MaxShared-at {
		k.repair("take fewer stages or smaller tiles", &cute.Error{
			Code: cute.CodeLimit, Op: "make_tensor",
			Msg: fmt.Sprintf("%s takes %d bytes of shared memory after the %d that are in use, and a block has %d", name, bytes,
				at, MaxShared),
		})
		return k.s.Const(0)
	}
	a.used = at + bytes
	if a.base == nil {
		a.base = k.symbol("shared", symbolic.Facts{Max: 228<<10 - sharedAlign, Div: sharedAlign}, levelParam)
		r := k.b.Reg(ptx.B32)
		k.c.Hoist(&ptx.Instr{Op: "mov.u32", Operands: []ptx.Operand{r, k.sharedName()}})
		k.c.DefineFirst(a.base, r, 32)
	}
	return k.s.Add(a.base.Expr(), k.s.Const(at))
}

// sharedName returns the name of the shared memory variable.
func (k *K) sharedName() ptx.Name { return ptx.Name(k.name + "_shared") }

// declareShared declares the shared memory: in the kernel or, above [MaxStatic] bytes, as memory that the launch
// provides.
func (k *K) declareShared() (extern []ptx.Decl) {
	v := &ptx.Var{Space: ptx.Shared, Align: sharedAlign, Type: ptx.B8, Name: k.sharedName(), Dims: []int64{k.arena.used}}
	switch {
	case k.arena.used == 0:
	case k.arena.used <= MaxStatic:
		k.b.Declare(v)
	default:
		v.Linkage, v.Dims = ptx.Extern, []int64{-1}
		extern = append(extern, v)
	}
	if k.arena.used > 163<<10 { // more than any chip before sm_90 has
		k.require(lower.Target{Chip: "sm_90", Version: ptx.Version{Major: 8}})
	}
	return extern
}

// Shared returns a tensor in the shared memory of the block, under a known layout of integers, swizzled or not. It
// takes [cute.Composed.Cosize] elements and begins at a multiple of 1024 bytes. It fails with [cute.CodeCodomain] for
// coordinates, [cute.CodeNegative] for a layout with values below 0, [cute.CodeType] for elements that are neither
// whole bytes nor parts that fill a byte, and [cute.CodeLimit] if all tensors together exceed [MaxShared] bytes.
func (k *K) Shared(name string, t dtype.Type, layout cute.Inner) (out Tensor) {
	defer k.does(&emit.Step{Op: "shared", Name: name, Type: t, Layout: compose(layout)}).tensor(&out)
	const op = "make_tensor"
	if !holdable(t.Bits()) {
		k.refuse(op, cute.CodeType, "%s has elements of %d bits: expected 1, 2, 4, 8, 16, 32 or 64", name, t.Bits())
		return Tensor{}
	}
	c := compose(layout)
	if c.HasBasis() {
		k.refuse(op, cute.CodeCodomain, "%s has the layout %v, whose values are coordinates", name, layout)
		return Tensor{}
	}
	n, err := c.Cosize()
	if err != nil {
		k.fail(err)
		return Tensor{}
	}
	for _, l := range c.Layout().Stride().Leaves() {
		if l < 0 {
			k.advise("begin at the lowest element: strides of at least 0").refuse(op, cute.CodeNegative,
				"%s has the layout %v, which goes below its first element", name, layout)
			return Tensor{}
		}
	}
	bits := int64(t.Bits())
	if n > MaxShared*8/bits {
		k.advise("take fewer stages or smaller tiles").refuse(op, cute.CodeLimit,
			"%s takes %d elements of %d bits, and a block has %d bytes", name, n, bits, MaxShared)
		return Tensor{}
	}
	at := k.sharedPiece(name, (n*bits+7)/8, sharedAlign)
	if k.err != nil {
		return Tensor{}
	}
	k.placed = append(k.placed, Placed{name, c.String(), t.String(), k.arena.used - (n*bits+7)/8, (n*bits + 7) / 8})
	return k.under(&root{k: k, name: name, space: Shared, elem: t, pointer: at}, layout)
}
