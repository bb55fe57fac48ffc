package kernel

import (
	"math/bits"

	"girih/cute"
	"girih/ptx"
)

// WarpSize is the number of threads of a warp.
const WarpSize = 32

// everyone is the mask of all lanes of a warp.
const everyone = ptx.Int(0xffffffff)

// ShflXor returns the value of another lane, whose number is the lane's with the bits of mask flipped:
// __shfl_xor_sync of a whole warp. All threads of the warp must execute it: it is refused as [K.Sync] is. It fails with
// [cute.CodeExtent] for a mask that is not from 0 to 31, and [cute.CodeType] for values of more than 64 bits.
func (k *K) ShflXor(v Value, mask int64) Value { return k.shuffle(v, "bfly", Int(mask)) }

// Shfl returns the value of a lane, which may differ from thread to thread: __shfl_sync of a whole warp. It fails with
// [cute.CodeExtent] for a lane that may not be from 0 to 31, and [cute.CodeType] as [K.ShflXor].
func (k *K) Shfl(v Value, lane Index) Value { return k.shuffle(v, "idx", lane) }

func (k *K) shuffle(v Value, how ptx.Op, from Index) Value {
	const op = "shfl"
	x := k.expr(from)
	if lo, hi := x.Range(); lo < 0 || hi >= WarpSize {
		k.refuse(op, cute.CodeExtent, "expected lanes and masks from 0 to 31, found %v, from %d to %d", from, lo, hi)
	}
	if k.takes(op, v) && v.typ.Bits() > 64 {
		k.repair("convert it first: Value.Convert", &cute.Error{
			Code: cute.CodeType, Op: op, Msg: "expected values of up to 64 bits, found " + v.typ.String(),
		})
	}
	if k.together(op); k.err != nil {
		return v
	}
	lane, err := k.c.Value(x, 32)
	k.fail(err)
	last := ptx.Int(WarpSize - 1)
	if how == "up" {
		last = 0 // the lane before which there is none
	}
	move := func(r ptx.Operand) ptx.Name { return k.let(ptx.B32, "shfl.sync."+how+".b32", r, lane, last, everyone) }
	if v.typ.Bits() < 32 {
		return k.valueOf(k.let(ptx.B16, "cvt.u16.u32", move(k.let(ptx.B32, "cvt.u32.u16", v.reg))), v.typ)
	}
	typ, _ := registerType(v.typ)
	if typ == ptx.B32 {
		return Value{k, move(v.reg), v.typ}
	}
	parts := k.b.Regs(ptx.B32, 2)
	k.emit("mov.b64", parts, v.reg)
	return Value{k, k.let(ptx.B64, "mov.b64", ptx.Vec{move(parts[0]), move(parts[1])}), v.typ}
}

// WarpReduction combines the values of each group of neighbouring lanes by op, and returns the result in all of them:
// warp_reduction of the CuTe DSL. All threads of the warp must execute it. Op should be associative and commutative,
// such as Value.Max; WarpReduction combines lanes at distance 1 first, then 2, and so on. It fails with
// [cute.CodeExtent] unless the number of lanes is a power of two from 1 to 32, and [cute.CodeType] as [K.ShflXor].
func (k *K) WarpReduction(v Value, op func(v, w Value) Value, lanes int64) Value {
	if op == nil {
		k.noFunction("warp_reduction")
	}
	if !k.takes("warp_reduction", v) {
		return v
	}
	if lanes < 1 || lanes > WarpSize || bits.OnesCount64(uint64(lanes)) != 1 {
		k.refuse("warp_reduction", cute.CodeExtent, "expected a power of two from 1 to 32 lanes, found %d", lanes)
		return v
	}
	for mask := int64(1); mask < lanes; mask *= 2 {
		v = op(v, k.ShflXor(v, mask))
	}
	return v
}
