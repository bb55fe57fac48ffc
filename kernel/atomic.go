package kernel

import (
	"maps"

	"girih/cute"
	"girih/dtype"
	"girih/ptx"
)

// This file defines atomic operations on single elements, as libcu++ has them: atom if the old number is used, red if
// it is not. An operation is a row of atomics.

// atomics are the operations: for each type of elements, how PTX writes it.
var atomics = map[string]map[dtype.Type]ptx.Op{
	"add": {
		dtype.U32: "u32", dtype.S32: "s32", dtype.U64: "u64", dtype.S64: "u64", dtype.F32: "f32", dtype.F64: "f64",
		dtype.F16: "noftz.f16", dtype.BF16: "noftz.bf16",
	},
	"min": {dtype.U32: "u32", dtype.S32: "s32", dtype.U64: "u64", dtype.S64: "s64"},
	"max": {dtype.U32: "u32", dtype.S32: "s32", dtype.U64: "u64", dtype.S64: "s64"},
	"and": bitwise, "or": bitwise, "xor": bitwise, "exch": anyBits, "cas": anyBits,
	"inc": {dtype.U32: "u32"}, "dec": {dtype.U32: "u32"},
}

var (
	bitwise = map[dtype.Type]ptx.Op{
		dtype.B32: "b32", dtype.U32: "b32", dtype.S32: "b32", dtype.B64: "b64", dtype.U64: "b64", dtype.S64: "b64",
	}
	anyBits = with(bitwise, map[dtype.Type]ptx.Op{dtype.F32: "b32", dtype.F64: "b64"})
)

// with returns the rows of both tables.
func with(a, b map[dtype.Type]ptx.Op) map[dtype.Type]ptx.Op {
	out := maps.Clone(a)
	maps.Copy(out, b)
	return out
}

// An AtomicRef is an element on which atomic operations are done, by the threads of a scope: cuda::atomic_ref. The
// element has 32 or 64 bits, or is an f16 or bf16 that is added to. All methods fail with [cute.CodeType] if the value
// and the element have different types or PTX does not have the operation for the type, and [cute.CodeMode] for an
// order that the operation does not have. With SeqCst, a fence.sc comes before the operation.
type AtomicRef struct {
	k     *K
	s     side
	scope Scope
	home  *region // where it was made: the conditions around it bound its coordinate
}

// AtomicRef returns the element of t at a coordinate, for threads of the scope. It has the errors of [K.Load],
// [cute.CodeMode] for an unknown scope, and [cute.CodeType] for a tensor in registers.
func (k *K) AtomicRef(s Scope, t Tensor, coord ...Index) AtomicRef {
	const op = "atomic_ref"
	e, ok := k.one(op, t, coord)
	if !ok || !k.inScope(op, s) {
		return AtomicRef{k: k}
	}
	if sp := t.root.space; sp != Global && sp != Shared {
		k.refuse(op, cute.CodeType, "expected an element of global or shared memory, found %v", t)
		return AtomicRef{k: k}
	}
	if t.root.bits() < 8 || t.root.parts > 1 {
		k.refuse(op, cute.CodeType, "expected elements of 8 to 64 bits, found %v", t)
		return AtomicRef{k: k}
	}
	return AtomicRef{k, e, s, k.region}
}

// user returns the kernel that is being traced, or nil. It refuses the zero AtomicRef, an AtomicRef that cannot be used
// here, and such values.
func (a AtomicRef) user(op string, vs ...Value) *K {
	k := a.k
	for i := 0; !k.live() && i < len(vs); i++ {
		k = vs[i].k
	}
	switch {
	case k.live():
		if !k.owns(op, anAtomic, a.k) || !k.lasts(op, anAtomic.what, a.home, "make it in each body") || !k.takes(op, vs...) {
			return nil
		}
		return k
	case a.k == nil:
		none(op, anAtomic)
	}
	return nil
}

// emit writes an operation on the element, and returns its result if the opcode has one.
func (a AtomicRef) emit(o, suffix ptx.Op, vs ...Value) Value {
	k, r := a.k, a.s.root
	var operands []ptx.Operand
	reg := ptx.Name(ptx.Sink)
	if name := o.Name(); name == "atom" || name == "ld" {
		reg = k.b.Reg(valueType(r.elem))
		operands = append(operands, reg)
	}
	operands = append(operands, k.address(r, k.at(a.s.elements[0])))
	for _, v := range vs {
		operands = append(operands, v.reg)
	}
	k.emit(o+ptx.Op("."+r.space.String())+suffix, operands...)
	return k.valueOf(reg, r.elem)
}

// modify writes the operation of a row by an opcode: atom, or red for no result.
func (a AtomicRef) modify(o ptx.Op, op string, order MemoryOrder, vs ...Value) Value {
	k := a.user("atomic_"+op, vs...)
	if k == nil {
		return vs[0]
	}
	typ := a.s.root.elem
	suffix := atomics[op][typ]
	for _, v := range vs {
		if v.typ != typ || suffix == "" {
			k.refuse("atomic_"+op, cute.CodeType, "expected elements and values of one type of %v, found %v and %v",
				typesOf(atomics[op]), typ, v.typ)
			return k.valueOf(ptx.Sink, typ)
		}
	}
	o, ok := k.strength(o, order, a.scope)
	if !ok {
		return k.valueOf(ptx.Sink, typ)
	}
	suffix = ptx.Op("."+op+".") + suffix
	k.newer(suffix)
	return a.emit(o, suffix, vs...)
}

// FetchAdd adds v, and returns the number before: integers of 32 and 64 bits, f32, f64, f16 and bf16.
func (a AtomicRef) FetchAdd(v Value, o MemoryOrder) Value { return a.modify("atom", "add", o, v) }

// FetchMin stores the smaller number, and returns the number before: integers of 32 and 64 bits.
func (a AtomicRef) FetchMin(v Value, o MemoryOrder) Value { return a.modify("atom", "min", o, v) }

// FetchMax stores the larger number, and returns the number before: integers of 32 and 64 bits.
func (a AtomicRef) FetchMax(v Value, o MemoryOrder) Value { return a.modify("atom", "max", o, v) }

// FetchAnd stores the common bits, and returns the bits before: integers and bits of 32 and 64 bits.
func (a AtomicRef) FetchAnd(v Value, o MemoryOrder) Value { return a.modify("atom", "and", o, v) }

// FetchOr stores the bits of both, and returns the bits before: integers and bits of 32 and 64 bits.
func (a AtomicRef) FetchOr(v Value, o MemoryOrder) Value { return a.modify("atom", "or", o, v) }

// FetchXor flips the bits of v, and returns the bits before: integers and bits of 32 and 64 bits.
func (a AtomicRef) FetchXor(v Value, o MemoryOrder) Value { return a.modify("atom", "xor", o, v) }

// FetchInc adds 1, or stores 0 where the number is v or more, and returns the number before: u32. It is CUDA's
// atomicInc, with which the last of v+1 blocks also resets a counter.
func (a AtomicRef) FetchInc(v Value, o MemoryOrder) Value { return a.modify("atom", "inc", o, v) }

// FetchDec subtracts 1, or stores v where the number is 0 or more than v, and returns the number before: u32.
func (a AtomicRef) FetchDec(v Value, o MemoryOrder) Value { return a.modify("atom", "dec", o, v) }

// Exchange stores v, and returns the number before: 32 and 64 bits.
func (a AtomicRef) Exchange(v Value, o MemoryOrder) Value { return a.modify("atom", "exch", o, v) }

// CompareExchange stores desired if the element is expected, bit by bit, and returns the number before: 32 and 64 bits.
func (a AtomicRef) CompareExchange(expected, desired Value, o MemoryOrder) Value {
	return a.modify("atom", "cas", o, expected, desired)
}

// Add adds v, as FetchAdd does, and returns nothing: red. Its order is Relaxed, Release or SeqCst.
func (a AtomicRef) Add(v Value, o MemoryOrder) { a.modify("red", "add", o, v) }

// Min stores the smaller number, as FetchMin does: red.
func (a AtomicRef) Min(v Value, o MemoryOrder) { a.modify("red", "min", o, v) }

// Max stores the larger number, as FetchMax does: red.
func (a AtomicRef) Max(v Value, o MemoryOrder) { a.modify("red", "max", o, v) }

// And stores the common bits, as FetchAnd does: red.
func (a AtomicRef) And(v Value, o MemoryOrder) { a.modify("red", "and", o, v) }

// Or stores the bits of both, as FetchOr does: red.
func (a AtomicRef) Or(v Value, o MemoryOrder) { a.modify("red", "or", o, v) }

// Xor flips the bits of v, as FetchXor does: red.
func (a AtomicRef) Xor(v Value, o MemoryOrder) { a.modify("red", "xor", o, v) }

// FetchAddPair adds two halves to the 32 bits of an element that [K.Recast] made of two halves, and returns the halves
// before. Each half is added atomically. It fails with [cute.CodeType] unless the element is a b32.
func (a AtomicRef) FetchAddPair(p Pair, o MemoryOrder) Pair {
	return Pair{a.modifyPair("atom", p, o)}
}

// AddPair adds two halves, as FetchAddPair does, and returns nothing: red.
func (a AtomicRef) AddPair(p Pair, o MemoryOrder) { a.modifyPair("red", p, o) }

// modifyPair writes the addition of a pair by an opcode.
func (a AtomicRef) modifyPair(o ptx.Op, p Pair, order MemoryOrder) Value {
	const op = "atomic_add"
	k := a.user(op, p.v)
	if k == nil {
		return p.v
	}
	if t := a.s.root.elem; t != dtype.B32 {
		k.advise("Recast the tensor to b32").refuse(op, cute.CodeType, "expected an element b32 for two %v, found %v",
			p.v.typ, t)
		return p.v
	}
	if o, ok := k.strength(o, order, a.scope); ok {
		suffix := ptx.Op(".add.noftz" + p.v.typ.PTX() + "x2")
		k.newer(suffix)
		p.v.reg = a.emit(o, suffix, p.v).reg
	}
	return p.v
}

// Load returns the number of the element. The order is Relaxed, Acquire, SeqCst or Volatile.
func (a AtomicRef) Load(o MemoryOrder) Value {
	k := a.user("atomic_load")
	if k == nil {
		return Value{k: a.k}
	}
	ld, ok := k.strength("ld", o, a.scope)
	if !ok {
		return k.valueOf(ptx.Sink, a.s.root.elem)
	}
	suffix, _, _ := suffix(a.s.root, 1)
	return a.emit(ld, suffix)
}

// Store sets the number of the element. The order is Relaxed, Release, SeqCst or Volatile.
func (a AtomicRef) Store(v Value, o MemoryOrder) {
	k := a.user("atomic_store", v)
	if k == nil {
		return
	}
	if v.typ != a.s.root.elem {
		k.refuse("atomic_store", cute.CodeType, "expected a value of type %v, found %v", a.s.root.elem, v.typ)
		return
	}
	if st, ok := k.strength("st", o, a.scope); ok {
		suffix, _, _ := suffix(a.s.root, 1)
		a.emit(st, suffix, v)
	}
}

// LoadAcquire returns the element of t at a coordinate, and makes visible what the thread whose release stored it had
// seen: ld.acquire.gpu. Its errors are the errors of [K.AtomicRef].
func (k *K) LoadAcquire(t Tensor, coord ...Index) Value {
	return k.AtomicRef(ScopeDevice, t, coord...).Load(Acquire)
}

// StoreRelease sets the element of t at a coordinate, for threads that read it with acquire: st.release.gpu. Its errors
// are the errors of [K.AtomicRef] and [K.Store].
func (k *K) StoreRelease(v Value, t Tensor, coord ...Index) {
	k.AtomicRef(ScopeDevice, t, coord...).Store(v, Release)
}
